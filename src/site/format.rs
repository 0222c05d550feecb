//! Numbers and names as a reader sees them: final strings, so that templates only lay out.

use crate::domain::{Gap, Rate};
pub(super) use crate::domain::{clean, list, truncate};
use crate::facts::Score;
use crate::table::significance::Interval;

/// What is shown where nothing is known.
pub(super) const NONE: &str = "–";
const MINUS: char = '\u{2212}';

/// `80.4%`
pub(super) fn percent(rate: Rate) -> String {
    let thousandths = rate.thousandths();
    format!("{}.{}%", thousandths / 10, thousandths % 10)
}

/// `83%` of a score: from its counts, halves up.
pub(super) fn whole_percent(score: Score) -> String {
    format!("{}%", whole_points(score.counts()))
}

/// The whole percent that so many of so many are, halves up; zero of nothing.
pub(super) fn whole_points((passed, total): (u64, u64)) -> u64 {
    (200 * passed + total).checked_div(2 * total).unwrap_or_default()
}

/// `68–89`: whole points, because more digits would be noise.
pub(super) fn interval(interval: Interval) -> String {
    format!("{:.0}–{:.0}", interval.low * 100.0, interval.high * 100.0)
}

/// `+5.4`, `−2.9`, `0.0`
pub(super) fn points(gap: Gap) -> String {
    signed(f64::from(gap.thousandths()) / 10.0, 1)
}

/// `−15 to +35`
pub(super) fn points_interval(interval: Interval) -> String {
    format!("{} to {}", signed(interval.low * 100.0, 0), signed(interval.high * 100.0, 0))
}

/// With its sign, unless it rounds to zero.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    if text.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        text
    } else {
        format!("{}{text}", if value < 0.0 { MINUS } else { '+' })
    }
}

/// `1–3`, or `4` alone.
pub(super) fn range(low: usize, high: usize) -> String {
    if low == high { low.to_string() } else { format!("{low}–{high}") }
}

/// `947`, `3.5k`, `14.3k`, `142k`, `2.1M`
pub(super) fn amount(value: f64) -> String {
    let (scaled, unit) = match value {
        v if v >= 999_500.0 => (v / 1e6, "M"),
        v if v >= 999.5 => (v / 1e3, "k"),
        v => return format!("{v:.0}"),
    };
    let decimals = usize::from(scaled < 99.95);
    format!("{scaled:.decimals$}{unit}")
}

/// `142,775`
pub(super) fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// US dollars: `$1.20`, `25¢`, `2.2¢`, `0.17¢`.
pub(super) fn money(value: f64) -> String {
    let cents = value * 100.0;
    match cents {
        c if c <= 0.0 => "$0".to_owned(),
        c if c >= 99.5 => format!("${value:.2}"),
        c if c >= 9.95 => format!("{c:.0}¢"),
        c if c >= 0.995 => format!("{c:.1}¢"),
        c if c >= 0.005 => format!("{c:.2}¢"),
        c if c >= 0.0005 => format!("{c:.3}¢"),
        c => format!("{c:.1e}¢"),
    }
}

/// `1 model`, `3 models`
pub(super) fn count(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number as u64), if number == 1 { "" } else { "s" })
}

/// `1st`, `22nd`, `113th`
pub(super) fn ordinal(place: usize) -> String {
    let ending = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

/// `Jun 18, 2026` of an RFC 3339 moment; the text itself if it is none.
pub(super) fn date(moment: &str) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    if let Some((year, month)) = moment.split_once('-')
        && year.len() == 4
        && let Ok(number @ 1..) = month.parse::<usize>()
        && let Some(month) = MONTHS.get(number - 1)
    {
        return format!("{month} {}", clean(year));
    }
    let parse = || {
        let mut parts = moment.get(..10)?.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
        Some(format!("{month} {}, {year}", day.parse::<u8>().ok()?))
    };
    parse().unwrap_or_else(|| clean(moment))
}

/// The address, if it is one a reader may be sent to.
pub(super) fn address(url: &str) -> Option<&str> {
    let foreign = |c: char| c.is_control() || c.is_whitespace() || "<>\"\\^`{|}".contains(c);
    let plain = !url.chars().any(foreign);
    (plain && ["https://", "http://", "mailto:"].iter().any(|scheme| url.starts_with(scheme)))
        .then_some(url)
}

/// A word of a shell command: quoted unless it is plain.
pub(super) fn shell(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._:/+@=-".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", clean(text).replace('\'', "'\\''"))
    }
}

/// Text inside BibTeX braces.
pub(super) fn bibtex(text: &str) -> String {
    let mut out = String::new();
    for c in clean(text).chars() {
        match c {
            '\\' => out.push_str("\\textbackslash{}"),
            '{' | '}' | '_' | '%' | '&' | '#' | '$' => out.extend(['\\', c]),
            '~' | '^' => out.extend(['\\', c, '{', '}']),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_a_person_would_write_them() {
        let rate = |value| Rate::nearest(value).expect("a rate");
        assert_eq!(percent(rate(0.804)), "80.4%");
        assert_eq!(percent(rate(1.0)), "100.0%");
        assert_eq!(points(Gap::between(rate(0.75), rate(0.804))), "−5.4");
        assert_eq!(points(Gap::between(rate(0.75), rate(0.75))), "0.0");
        assert_eq!(points_interval(Interval { low: -0.152, high: 0.349 }), "−15 to +35");
        assert_eq!(points_interval(Interval { low: -0.001, high: 0.0 }), "0 to 0");
        assert_eq!(interval(Interval { low: 0.675, high: 0.89 }), "68–89");
        for (value, text) in [
            (0.0, "0"),
            (947.4, "947"),
            (999.6, "1.0k"),
            (3481.0, "3.5k"),
            (14_310.0, "14.3k"),
            (999_499.0, "999k"),
            (2_100_000.0, "2.1M"),
        ] {
            assert_eq!(amount(value), text);
        }
        assert_eq!(grouped(1_142_775), "1,142,775");
        for (value, text) in [
            (12.345, "$12.35"),
            (0.996, "$1.00"),
            (0.25, "25¢"),
            (0.0221, "2.2¢"),
            (0.001_68, "0.17¢"),
            (0.000_7, "0.07¢"),
            (0.000_038, "0.004¢"),
            (0.0, "$0"),
        ] {
            assert_eq!(money(value), text);
        }
        assert_eq!(range(1, 3), "1–3");
        assert_eq!(date("2026-06-18T00:00:00Z"), "Jun 18, 2026");
        assert_eq!(date("some day"), "some day");
    }

    #[test]
    fn places_are_ordinals() {
        let said: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal).into();
        let expected =
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"];
        assert_eq!(said, expected);
    }

    #[test]
    fn only_addresses_a_reader_may_be_sent_to_become_links() {
        assert_eq!(address("https://example.org/a"), Some("https://example.org/a"));
        assert_eq!(address("javascript:alert(1)"), None);
        assert_eq!(address("https://example.org/a b"), None);
        assert_eq!(address("https://example.org/<b>"), None);
        assert_eq!(bibtex("a_b{50%}\\"), "a\\_b\\{50\\%\\}\\textbackslash{}");
    }
}
