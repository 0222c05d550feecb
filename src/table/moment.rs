//! Times as sources write them: ISO 8601, with or without a zone.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A point in time, and whether its source named a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Microseconds since 1970, read as UTC where no zone is named.
    pub micros: i64,
    /// Whether a zone is named.
    pub zoned: bool,
    /// Whether only a day is named.
    pub is_day: bool,
}

impl Moment {
    /// Reads ISO 8601: a day, a day and time, with or without `Z` or an offset.
    pub fn parse(text: &str) -> Option<Self> {
        // No spelling of a time starts otherwise, and most other texts do.
        if !text.as_bytes().first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        if let Ok(stamp) = text.parse::<Timestamp>() {
            return Some(Self { micros: stamp.as_microsecond(), zoned: true, is_day: false });
        }
        let civil: DateTime = text.parse().ok()?;
        let stamp = TimeZone::UTC.to_timestamp(civil).ok()?;
        let is_day = text.len() <= "2025-05-01".len();
        Some(Self { micros: stamp.as_microsecond(), zoned: false, is_day })
    }

    /// The last microsecond of the day, if only a day is named; else the moment itself.
    #[must_use]
    pub fn end(self) -> Self {
        const DAY: i64 = 86_400_000_000;
        if self.is_day { Self { micros: self.micros + DAY - 1, ..self } } else { self }
    }

    /// Seconds from `self` to `later`; `None` if only one of them names a zone.
    #[expect(clippy::cast_precision_loss, reason = "microseconds of a century fit a double")]
    pub fn seconds_to(self, later: Self) -> Option<f64> {
        (self.zoned == later.zoned).then(|| (later.micros - self.micros) as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_instants_and_days_are_whole() {
        let at = |text: &str| Moment::parse(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(at("2025-06-10T12:00:00+02:00").micros, at("2025-06-10T10:00:00Z").micros);
        assert_eq!(at("2025-06-10T10:00:00").micros, at("2025-06-10T10:00:00Z").micros);
        assert!(!at("2025-06-10T10:00:00").zoned);
        assert_eq!(at("2025-06-10").seconds_to(at("2025-06-11")), Some(86400.0));
        assert_eq!(at("2025-06-10").end().micros + 1, at("2025-06-11").micros);
        assert_eq!(at("2025-06-10T10:00:00Z").seconds_to(at("2025-06-10T10:00:00")), None);
        let fine = at("2025-07-03T00:00:00.123456+05:30");
        assert_eq!(fine.micros % 1_000_000, 123_456);
        for text in ["", "not a date", "yesterday", "2025-13-01", "2025-06-10T25:00:00"] {
            assert_eq!(Moment::parse(text), None, "{text}");
        }
    }
}
