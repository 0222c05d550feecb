//! Moments and versions as they stand on a board.

use jiff::Timestamp;

/// Whether `text` is an RFC 3339 moment in UTC that ends in `Z`, to the second.
pub fn is_stamp(text: &str) -> bool {
    let shape = b"0000-00-00T00:00:00Z";
    let fits =
        |(have, want): (u8, &u8)| if *want == b'0' { have.is_ascii_digit() } else { have == *want };
    text.len() == shape.len()
        && text.bytes().zip(shape).all(fits)
        && text.parse::<Timestamp>().is_ok_and(|moment| stamp(moment) == text)
}

/// A moment as it stands on a board.
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
            "",
        ] {
            assert!(!is_stamp(bad), "{bad}");
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
