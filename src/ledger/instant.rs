//! Moments in time and the ISO weeks they fall into.
//!
//! A moment is only taken with its offset: a local time without one is refused, never guessed.
//! What a newcomer gets wrong: the week belongs to the year of its Thursday, so 2024-12-30 is in
//! 2025-W01. Never pair a calendar year with a week number.

use std::fmt;

const DAY: i64 = 86_400;

/// A UTC instant to the nanosecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant {
    second: i64,
    nano: u32,
}

/// An ISO 8601 week, `2026-W20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Week {
    year: i64,
    number: i64,
}

impl Instant {
    /// The moment that `text` names in RFC 3339 with an offset; `None` for anything else,
    /// a leap second included.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let digits = |from: usize, to: usize| number(bytes.get(from..to)?);
        let mark = |at: usize, wanted: &[u8]| bytes.get(at).filter(|byte| wanted.contains(byte));
        let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
        let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
        for (at, wanted) in [(4, "-"), (7, "-"), (10, "Tt"), (13, ":"), (16, ":")] {
            mark(at, wanted.as_bytes())?;
        }
        let in_range = (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        if !in_range {
            return None;
        }
        let (nano, rest) = fraction(&bytes[19..])?;
        let offset = offset(rest)?;
        let second = days_from_civil(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
        Some(Self { second: second - offset, nano })
    }

    /// The week this moment falls into, in UTC.
    pub fn week(self) -> Week {
        Week::of_day(self.second.div_euclid(DAY))
    }

    /// Days since 1970-01-01 in UTC.
    pub fn day(self) -> i64 {
        self.second.div_euclid(DAY)
    }

    /// The start of the UTC day `day` days after 1970-01-01.
    pub fn of_day(day: i64) -> Self {
        Self { second: day * DAY, nano: 0 }
    }

    /// Seconds from `earlier` to this moment, negative if it is later.
    pub fn seconds_since(self, earlier: Self) -> i64 {
        self.second - earlier.second
    }

    /// `2026-05-14` in UTC.
    pub fn date(self) -> String {
        let (year, month, day) = civil_from_days(self.day());
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// `2026-05-14 12:00` in UTC.
    pub fn minute(self) -> String {
        let within = self.second.rem_euclid(DAY);
        format!("{} {:02}:{:02}", self.date(), within / 3600, within / 60 % 60)
    }
}

impl Week {
    /// The week that `text` names, such as `2026-W20`; `None` where the year has no such week.
    pub fn parse(text: &str) -> Option<Self> {
        let (year, week) = text.split_once("-W")?;
        if year.len() != 4 || week.len() != 2 {
            return None;
        }
        let named = Self { year: number(year.as_bytes())?, number: number(week.as_bytes())? };
        // 4 January is always in week 1.
        let monday = days_from_civil(named.year, 1, 4);
        let monday = monday - weekday(monday) + (named.number - 1) * 7;
        (Self::of_day(monday) == named).then_some(named)
    }

    fn of_day(day: i64) -> Self {
        let thursday = day + 3 - weekday(day);
        let (year, _, _) = civil_from_days(thursday);
        Self { year, number: (thursday - days_from_civil(year, 1, 1)) / 7 + 1 }
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
    let moment = Instant::parse(&format!("{text}T00:00:00Z"))?;
    (text.len() == 10).then(|| moment.day())
}

/// Days since 1970-01-01 of a day of the proleptic Gregorian calendar.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    // Years that start in March put the leap day at the end.
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// Monday is 0; 1970-01-01 was a Thursday.
fn weekday(day: i64) -> i64 {
    (day + 3).rem_euclid(7)
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    digits
        .iter()
        .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0')))
}

/// Nanoseconds and what follows them; digits beyond the ninth are dropped.
fn fraction(rest: &[u8]) -> Option<(u32, &[u8])> {
    let Some(digits) = rest.strip_prefix(b".") else { return Some((0, rest)) };
    let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let nano = (0..9).fold(0, |sum, at| {
        let digit = digits[..length].get(at).map_or(0, |byte| u32::from(byte - b'0'));
        sum * 10 + digit
    });
    (length > 0).then_some((nano, &digits[length..]))
}

fn offset(text: &[u8]) -> Option<i64> {
    match text {
        b"Z" | b"z" => Some(0),
        [sign @ (b'+' | b'-'), hours @ .., b':', tens, ones] if hours.len() == 2 => {
            let (hours, minutes) = (number(hours)?, number(&[*tens, *ones])?);
            let seconds = hours * 3600 + minutes * 60;
            let size = (hours < 24 && minutes < 60).then_some(seconds)?;
            Some(if *sign == b'-' { -size } else { size })
        }
        _ => None,
    }
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
        assert_eq!(parse("2024-02-29T00:00:00Z").date(), "2024-02-29");
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
            "２026-05-04T12:00:00Z",
        ] {
            assert_eq!(Instant::parse(bad), None, "{bad}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: Some(Box::new(
                proptest::test_runner::FileFailurePersistence::WithSource("regressions"),
            )),
            ..ProptestConfig::default()
        })]

        #[test]
        fn calendar_days_agree_with_jiff(day in -700_000_i64..2_900_000) {
            let (year, month, date) = civil_from_days(day);
            prop_assert_eq!(days_from_civil(year, month, date), day);
            if (1..=9999).contains(&year) {
                let text = format!("{year:04}-{month:02}-{date:02}");
                let civil: jiff::civil::Date = text.parse().expect("a date");
                let iso = civil.iso_week_date();
                prop_assert_eq!(parse_day(&text), Some(day));
                prop_assert_eq!(
                    Instant::of_day(day).week().to_string(),
                    format!("{:04}-W{:02}", iso.year(), iso.week())
                );
            }
        }

        #[test]
        fn any_text_is_a_moment_or_none(text in "[0-9TtZz:.+-]{0,40}") {
            let _ = Instant::parse(&text);
        }
    }
}
