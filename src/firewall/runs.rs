//! Long runs of bytes of one kind: of digits, or of what reads as text.

/// The longest stretches of bytes that all `belong`, if they have at least `least` of them. Where there
/// are none, most bytes are not looked at.
pub(super) fn runs(
    bytes: &[u8],
    least: usize,
    belongs: impl Fn(u8) -> bool,
) -> impl Iterator<Item = &[u8]> {
    let least = least.max(1);
    let mut start = 0;
    std::iter::from_fn(move || {
        loop {
            let window = bytes.get(start..start + least)?;
            if let Some(other) = window.iter().rposition(|byte| !belongs(*byte)) {
                start += other + 1;
                continue;
            }
            let rest = &bytes[start + least..];
            let more = rest.iter().position(|byte| !belongs(*byte)).unwrap_or(rest.len());
            let end = start + least + more;
            let run = &bytes[start..end];
            start = end + 1;
            return Some(run);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Draws;

    #[test]
    fn runs_are_those_that_a_plain_split_gives() {
        let mut draws = Draws(1);
        for _ in 0..5_000 {
            let text: String = (0..40).map(|_| draws.pick(&["a", "7", "f", "a", "-"])).collect();
            let bytes = text.as_bytes();
            for least in [0, 1, 2, 3, 7, 40, 41] {
                let found: Vec<&[u8]> = runs(bytes, least, |byte| byte != b'-').collect();
                let split = bytes.split(|byte| *byte == b'-');
                let plain: Vec<&[u8]> = split.filter(|it| it.len() >= least.max(1)).collect();
                assert_eq!(found, plain, "{text} {least}");
            }
        }
        assert_eq!(runs(b"", 1, |_| true).count(), 0);
    }
}
