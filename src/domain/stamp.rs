//! Moments and versions as they stand on a board.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

/// Whether `text` is an RFC 3339 moment in UTC that ends in `Z`, to the second.
pub fn is_stamp(text: &str) -> bool {
    let two = |from: usize| text[from..from + 2].parse::<i8>().ok();
    let is_moment = || {
        let (hour, minute, second) = (two(11)?, two(14)?, two(17)?);
        let is_time = hour < 24 && minute < 60 && second < 60;
        let date = day(&text[..10]).filter(|_| is_time)?;
        Offset::UTC.to_timestamp(date.at(hour, minute, second, 0)).ok()
    };
    has_shape(text, "0000-00-00T00:00:00Z") && is_moment().is_some()
}

/// The day that `text` names, written as `YYYY-MM-DD` and in no other way. Without jiff's parser, which
/// accepts more and is a tenth of the module for browsers.
pub fn day(text: &str) -> Option<Date> {
    if !has_shape(text, "0000-00-00") {
        return None;
    }
    let (year, month, day) =
        (text[..4].parse().ok()?, text[5..7].parse().ok()?, text[8..].parse().ok()?);
    Date::new(year, month, day).ok()
}

/// Whether `text` is `shape` with any digits in place of its zeros.
pub(crate) fn has_shape(text: &str, shape: &str) -> bool {
    let fits =
        |(have, want): (u8, u8)| if want == b'0' { have.is_ascii_digit() } else { have == want };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}

/// A moment as a board writes it.
pub fn stamp(moment: Timestamp) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Whether `text` looks like a version: numbers and dots first, then at most a short suffix.
pub fn is_version(text: &str) -> bool {
    let core = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.contains('.')
        && text.len() <= 40
        && core.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'+' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_is_a_real_moment_in_utc() {
        for good in ["2026-06-18T00:00:00Z", "2024-02-29T23:59:59Z"] {
            assert!(is_stamp(good), "{good}");
        }
        for bad in [
            "yesterday",
            "2099-13-45",
            "2026-06-18",
            "2026-06-18T00:00:00+00:00",
            "2026-06-18T24:00:00Z",
            "2023-02-29T00:00:00Z",
            "2026-06-18T23:59:60Z",
            "2026-06-18t00:00:00Z",
            "9999-12-31T23:59:59Z",
            "",
        ] {
            assert!(!is_stamp(bad), "{bad}");
        }
    }

    #[test]
    fn a_day_is_written_in_one_way() {
        assert_eq!(day("2024-02-29"), Some(Date::constant(2024, 2, 29)));
        for bad in
            ["2023-02-29", "2024-2-29", "20240229", "2024-00-10", "+2024-02-2", "", "2024-02-29T"]
        {
            assert_eq!(day(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_version_starts_with_numbers_and_stays_short() {
        for good in ["0.2.0", "0.3.0.dev1", "1.0", "0.1.0-rc.1+g12ab"] {
            assert!(is_version(good), "{good}");
        }
        for bad in [
            "",
            "x",
            "1",
            "v1.0",
            "1.0 beta",
            "1.0<b>",
            "1.00000000000000000000000000000000000000001",
        ] {
            assert!(!is_version(bad), "{bad}");
        }
    }
}
