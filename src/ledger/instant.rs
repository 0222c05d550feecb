//! Moments in time and the ISO weeks they fall into.
//!
//! A moment is only taken with its offset: a local time without one is refused, never guessed.
//! Gotcha: an ISO week belongs to the year of its Thursday, so 2024-12-30 is in 2025-W01. Never
//! pair a calendar year with a week number.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, ISOWeekDate, Time, Weekday};
use jiff::tz::Offset;

use crate::domain::{day, has_shape};

const DAY: i64 = 86_400;

/// A UTC instant to the nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Timestamp);

/// An ISO 8601 week, `2026-W20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Week {
    year: i16,
    number: i8,
}

impl Instant {
    /// The moment that `text` names in RFC 3339 with an offset; `None` for anything else,
    /// a leap second included.
    pub fn parse(text: &str) -> Option<Self> {
        let (date_time, rest) = text.split_at_checked(19)?;
        let (fraction, offset) = match rest.strip_prefix('.') {
            Some(rest) => rest.split_at(rest.find(|c: char| !c.is_ascii_digit())?),
            None => ("0", rest),
        };
        let is_rfc_3339 = has_shape(&date_time.to_ascii_uppercase(), "0000-00-00T00:00:00")
            && (offset.eq_ignore_ascii_case("Z")
                || ["+00:00", "-00:00"].iter().any(|shape| has_shape(offset, shape)));
        if !is_rfc_3339 || fraction.is_empty() {
            return None;
        }
        let two = |text: &str, from: usize| text[from..from + 2].parse::<i8>().ok();
        let nanosecond = format!("{:0<9}", &fraction[..fraction.len().min(9)]).parse().ok()?;
        let (hour, minute, second) =
            (two(date_time, 11)?, two(date_time, 14)?, two(date_time, 17)?);
        let local =
            day(&date_time[..10])?.to_datetime(Time::new(hour, minute, second, nanosecond).ok()?);
        let offset = if offset.len() == 1 {
            Offset::UTC
        } else {
            // Here too a time has 24 hours; jiff would take more.
            let ahead = Time::new(two(offset, 1)?, two(offset, 4)?, 0, 0).ok()?;
            let seconds = (i32::from(ahead.hour()) * 60 + i32::from(ahead.minute())) * 60;
            let sign = if offset.starts_with('-') { -1 } else { 1 };
            Offset::from_seconds(sign * seconds).ok()?
        };
        offset.to_timestamp(local).ok().map(Self)
    }

    /// The week this moment falls into, in UTC.
    pub fn week(self) -> Week {
        let week = self.utc().date().iso_week_date();
        Week { year: week.year(), number: week.week() }
    }

    /// Days since 1970-01-01 in UTC.
    pub fn day(self) -> i64 {
        self.second().div_euclid(DAY)
    }

    /// The moment `micros` microseconds after 1970; `None` beyond year 9999.
    pub(crate) fn of_micros(micros: i64) -> Option<Self> {
        Timestamp::from_microsecond(micros).ok().map(Self)
    }

    /// The start of the UTC day `day` days after 1970-01-01.
    pub fn of_day(day: i64) -> Self {
        let limit = if day < 0 { Timestamp::MIN } else { Timestamp::MAX };
        Self(Timestamp::from_second(day.saturating_mul(DAY)).unwrap_or(limit))
    }

    /// Seconds from `earlier` to this moment, negative if it is later.
    pub fn seconds_since(self, earlier: Self) -> i64 {
        self.second() - earlier.second()
    }

    /// `2026-05-14` in UTC.
    pub fn date(self) -> String {
        self.utc().date().to_string()
    }

    /// `2026-05-14 12:00` in UTC.
    pub fn minute(self) -> String {
        self.utc().strftime("%Y-%m-%d %H:%M").to_string()
    }

    /// `2026-05-14 12:00:00.000000+00:00`, as databases read it; they have no year 0.
    pub(super) fn microsecond(self) -> String {
        let first = Date::constant(1, 1, 1).at(0, 0, 0, 0);
        self.utc().max(first).strftime("%Y-%m-%d %H:%M:%S%.6f+00:00").to_string()
    }

    /// Nanoseconds since 1970, up to what 64 bits hold: the years 1678 to 2261.
    pub(super) fn nanosecond(self) -> i64 {
        let exact = self.0.as_nanosecond();
        i64::try_from(exact).unwrap_or(if exact < 0 { i64::MIN } else { i64::MAX })
    }

    fn utc(self) -> DateTime {
        Offset::UTC.to_datetime(self.0)
    }

    /// Whole seconds since 1970, rounded down; jiff rounds towards 1970.
    fn second(self) -> i64 {
        self.0.as_second() - i64::from(self.0.subsec_nanosecond() < 0)
    }
}

impl Week {
    /// The week that `text` names, such as `2026-W20`; `None` where the year has no such week.
    pub fn parse(text: &str) -> Option<Self> {
        let (year, week) = text.split_once("-W").filter(|_| has_shape(text, "0000-W00"))?;
        let named = Self { year: year.parse().ok()?, number: week.parse().ok()? };
        ISOWeekDate::new(named.year, named.number, Weekday::Monday).ok().map(|_| named)
    }

    /// `2026-05-11`, its first day; empty for a week that no year has.
    pub(crate) fn monday(self) -> String {
        let day = ISOWeekDate::new(self.year, self.number, Weekday::Monday);
        day.map(|day| day.date().to_string()).unwrap_or_default()
    }
}

impl fmt::Display for Week {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-W{:02}", self.year, self.number)
    }
}

impl serde::Serialize for Week {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The calendar day `YYYY-MM-DD` as days since 1970-01-01.
pub fn parse_day(text: &str) -> Option<i64> {
    day(text).map(day_number)
}

/// Days since 1970-01-01.
pub(super) fn day_number(date: Date) -> i64 {
    date.duration_since(Date::constant(1970, 1, 1)).as_secs() / DAY
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn weeks_belong_to_the_year_of_their_thursday() {
        for (moment, week) in [
            ("2024-12-30T00:00:00Z", "2025-W01"),
            ("2021-01-03T23:59:59Z", "2020-W53"),
            ("2027-01-01T00:00:00Z", "2026-W53"),
            ("2028-01-01T12:00:00Z", "2027-W52"),
            ("2025-12-29T08:00:00Z", "2026-W01"),
            ("2026-01-05T00:30:00+02:00", "2026-W01"),
            ("2026-12-31T23:30:00-05:00", "2026-W53"),
            ("2026-05-14T12:00:00Z", "2026-W20"),
        ] {
            let found = Instant::parse(moment).expect(moment).week();
            assert_eq!(found.to_string(), week, "{moment}");
            assert_eq!(Week::parse(week), Some(found));
        }
        for bad in ["2025-W53", "2026-W00", "2026-W54", "2026-20", "2026-W1", "26-W01", ""] {
            assert_eq!(Week::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn offsets_and_fractions_count_to_the_nanosecond() {
        let parse = |text| Instant::parse(text).expect(text);
        assert_eq!(parse("2026-05-04T14:00:00+02:00"), parse("2026-05-04T12:00:00Z"));
        assert_eq!(parse("2026-05-04t12:00:00z"), parse("2026-05-04T12:00:00-00:00"));
        assert!(parse("2026-05-04T12:00:00.000000001Z") > parse("2026-05-04T12:00:00Z"));
        assert_eq!(parse("2026-05-04T12:00:00.5Z"), parse("2026-05-04T12:00:00.500000000999Z"));
        assert_eq!(parse("1969-12-31T23:59:59Z").minute(), "1969-12-31 23:59");
        assert_eq!(parse("1969-12-31T23:59:59.5Z").day(), -1);
        assert_eq!(parse("1970-01-01T00:00:00Z").seconds_since(parse("1969-12-31T23:59:59.5Z")), 1);
        assert_eq!(parse("2024-02-29T00:00:00Z").date(), "2024-02-29");
        let late = parse("2026-05-04T14:00:00.123456789+02:00");
        assert_eq!(late.microsecond(), "2026-05-04 12:00:00.123456+00:00");
        assert_eq!(late.nanosecond(), 1_777_896_000_123_456_789);
        assert_eq!(parse("0000-01-01T00:00:00Z").microsecond(), "0001-01-01 00:00:00.000000+00:00");
        assert_eq!(parse("9999-01-01T00:00:00Z").nanosecond(), i64::MAX);
    }

    #[test]
    fn what_is_not_rfc_3339_with_an_offset_is_refused() {
        for bad in [
            "",
            "2026-05-04",
            "2026-05-04 12:00",
            "2026-05-04T12:00:00",
            "2026-05-04 12:00:00Z",
            "2026-05-04T12:00:60Z",
            "2026-05-04T24:00:00Z",
            "2026-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-05-04T12:00:00.Z",
            "2026-05-04T12:00:00+2:00",
            "2026-05-04T12:00:00+0200",
            "2026-05-04T12:00:00+24:00",
            "2026-05-04T12:00:00Z ",
            "2026-05-04T12:00Z",
            "20260504T120000Z",
            "+002026-05-04T12:00:00Z",
            "2026-05-04T12:00:00,5Z",
            "2026-05-04T12:00:00+02",
            "2026-05-04T12:00:00+02:60",
            "2026-05-04T12:00:00+02:00:00",
            "2026-05-04T12:00:00+02:00[Europe/Berlin]",
            "2026-05-04T12:00:00.5",
            "２026-05-04T12:00:00Z",
        ] {
            assert_eq!(Instant::parse(bad), None, "{bad}");
        }
    }

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

        #[test]
        fn days_and_dates_are_one_calendar(day in -700_000_i64..2_900_000) {
            let date = Instant::of_day(day).date();
            prop_assert_eq!(Instant::of_day(day).day(), day);
            if !date.starts_with('-') {
                prop_assert_eq!(parse_day(&date), Some(day));
            }
        }

        #[test]
        fn any_text_is_a_moment_or_none(text in "[0-9TtZz:.+-]{0,40}") {
            let _ = Instant::parse(&text);
        }
    }
}
