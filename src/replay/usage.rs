//! Calls and tokens: summed from what was recorded, never taken from what a bundle claims to sum.

use std::collections::BTreeMap;

use super::completions::Completion;
use crate::domain::{Code, Finding};
use crate::json::{Mismatch, Node, Number, Value};
use crate::replay::redact::Source;

/// Keys every provider reports; others are summed too, with a note.
const USUAL: [&str; 5] =
    ["prompt_tokens", "completion_tokens", "total_tokens", "input_tokens", "output_tokens"];
/// Keys that are derived here and may not be recorded.
const DERIVED: [&str; 2] = ["generation_calls", "judge_calls"];
const MAX_COUNT: u64 = 1 << 53;

/// The usage of the completions seen so far.
#[derive(Debug, Default)]
pub(super) struct Usage {
    /// In the order the keys are met.
    totals: Vec<(String, u64)>,
    calls: u64,
}

impl Usage {
    /// Adds what `completion` used.
    pub(super) fn add(&mut self, completion: &Completion<'_>) -> Result<(), Mismatch> {
        self.calls += 1;
        for (key, node) in completion.usage.iter().flat_map(|usage| usage.iter()) {
            let count = recorded(key, node).map_err(|mismatch| {
                // A strange key may be what must not be shown: the completion is the place.
                let at = if is_key(key) { mismatch.at } else { completion.at };
                Mismatch { at, ..mismatch }
            })?;
            let Some(count) = count else { continue };
            match self.totals.iter_mut().find(|(name, _)| *name == **key) {
                Some((_, total)) => *total = total.saturating_add(count),
                None => self.totals.push((key.to_string(), count)),
            }
        }
        Ok(())
    }

    /// How many completions were added.
    pub(super) fn calls(&self) -> u64 {
        self.calls
    }

    /// The sums with the derived counts, and a note about unusual keys.
    pub(super) fn sum(
        self,
        source: &Source,
        n_votes: u64,
    ) -> (BTreeMap<String, u64>, Option<Finding>) {
        let keys = self.totals.iter().map(|(key, _)| key.as_str());
        let unusual: Vec<&str> = keys.filter(|key| !USUAL.contains(key)).collect();
        let note = unusual.first().map(|first| {
            let what = format!("{} usage key(s) are not the usual token counts", unusual.len());
            source.finding(Code::BUsage, "", what, &format!(", the first is `{first}`")).note()
        });
        let mut usage: BTreeMap<String, u64> = self.totals.into_iter().collect();
        usage.insert("generation_calls".into(), self.calls);
        usage.insert("judge_calls".into(), self.calls * n_votes);
        (usage, note)
    }
}

/// Parses the count under `key`. A value that is not a number is ignored (`None`); an invalid key or a
/// number outside 0 to 2^53 is an error.
pub(super) fn recorded(key: &str, node: &Node<'_>) -> Result<Option<u64>, Mismatch> {
    let Value::Number(number) = node.value else { return Ok(None) };
    let wrong =
        |wanted: &'static str, found| Mismatch { at: node.at, wanted: wanted.into(), found };
    if !is_key(key) {
        return Err(wrong("a lower-case usage key that is not derived", "another key"));
    }
    count(number).map(Some).ok_or_else(|| wrong("an integer from 0 to 2^53", "another number"))
}

/// `[a-z][a-z0-9_]{0,63}`, and not derived.
fn is_key(key: &str) -> bool {
    let plain = |b: u8| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_');
    key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.len() <= 64
        && key.bytes().all(plain)
        && !DERIVED.contains(&key)
}

/// The number truncated to a whole one; some tools record `1234.0`.
fn count(number: Number<'_>) -> Option<u64> {
    let value = number.as_f64();
    #[expect(clippy::cast_precision_loss, reason = "2^53 is exact")]
    let in_range = (0.0..=MAX_COUNT as f64).contains(&value);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to lie in 0..=2^53"
    )]
    in_range.then_some(value as u64)
}
