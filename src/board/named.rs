//! Counts by name in one piece of memory: scores are held by the thousand while a board is built,
//! and a map with its strings takes ten times the room.

/// Names that most rows have: they are packed as their position here.
const USUAL: [&str; 10] = [
    "completion_tokens",
    "easy",
    "generation_calls",
    "hard",
    "input_tokens",
    "judge_calls",
    "medium",
    "output_tokens",
    "prompt_tokens",
    "total_tokens",
];

/// Counts in the order of their names.
#[derive(Debug, Clone)]
pub(super) struct Named {
    /// For each: which of the usual names it has, or after those how long its own is, and that;
    /// then the count.
    packed: Box<[u8]>,
}

impl Named {
    /// Of these names and counts.
    pub(super) fn of<N: AsRef<str>>(counts: impl IntoIterator<Item = (N, u64)>) -> Self {
        let mut packed = Vec::new();
        for (name, count) in counts {
            let name = name.as_ref();
            if let Ok(usual) = USUAL.binary_search(&name) {
                push(&mut packed, usual as u64);
            } else {
                push(&mut packed, (USUAL.len() + name.len()) as u64);
                packed.extend_from_slice(name.as_bytes());
            }
            push(&mut packed, count);
        }
        // A copy takes just the room it needs; shrinking would leave a hole.
        Self { packed: packed.as_slice().into() }
    }

    /// The names with their counts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        let mut rest = &*self.packed;
        std::iter::from_fn(move || {
            let usual = usize::try_from(take(&mut rest)?).ok()?;
            let name = match usual.checked_sub(USUAL.len()) {
                None => USUAL[usual],
                Some(length) => std::str::from_utf8(rest.split_off(..length)?).ok()?,
            };
            Some((name, take(&mut rest)?))
        })
    }

    /// The names.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|(name, _)| name)
    }
}

/// Appends a number, seven bits a byte, the low ones first; the last byte has its high bit clear.
fn push(packed: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        packed.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    packed.push(number.to_le_bytes()[0]);
}

/// Takes the number at the front; `None` at the end.
fn take(packed: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = *packed.split_off_first()?;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            break;
        }
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;
    use proptest::test_runner::FileFailurePersistence;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_goes_in_comes_out(
            counts in prop::collection::btree_map(any::<String>(), any::<u64>(), 0..6),
            small in prop::collection::btree_map(
                prop_oneof![".{0,200}", prop::sample::select(&USUAL[..]).prop_map(str::to_owned)],
                0_u64..300,
                0..12,
            ),
        ) {
            for counts in [counts, small] {
                let named = Named::of(counts.clone());
                let out: BTreeMap<String, u64> =
                    named.iter().map(|(name, count)| (name.to_owned(), count)).collect();
                prop_assert!(named.names().eq(counts.keys()));
                prop_assert_eq!(out, counts);
            }
        }
    }
}
