//! Which rows repeat the answers of others: shown beside the row, because a copy is not a second
//! result.

use crate::board::{Copied, copied};
use crate::domain::list;

use crate::facts::{Flag, RowFacts};

/// Rows named in one sentence.
const NAMED: usize = 3;

/// Flags every row that is a copy of another, by the rule that `verify` uses.
pub(super) fn flag(rows: &mut [RowFacts<'_>]) {
    let texts = rows.iter().map(|row| row.replay.map(|replay| &*replay.texts).unwrap_or_default());
    let mut partners: Vec<Vec<(usize, usize, usize)>> = vec![Vec::new(); rows.len()];
    for Copied { one, other, shared, of } in copied(texts) {
        partners[one].push((shared, of, other));
        partners[other].push((shared, of, one));
    }
    let sentences: Vec<Option<String>> =
        partners.into_iter().map(|partners| sentence(partners, rows)).collect();
    for (row, sentence) in rows.iter_mut().zip(sentences) {
        row.flags.extend(sentence.map(|sentence| Flag { word: "same answers", sentence }));
    }
}

/// Which rows have the same answers, those with most first.
fn sentence(mut partners: Vec<(usize, usize, usize)>, rows: &[RowFacts<'_>]) -> Option<String> {
    let name = |at: usize| rows[at].model.as_str();
    partners.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| name(a.2).cmp(name(b.2))));
    let (most, of, _) = *partners.first()?;
    let mut names: Vec<String> =
        partners.iter().take(NAMED).map(|(_, _, at)| name(*at).to_owned()).collect();
    if partners.len() > NAMED {
        names.push(format!("{} more", partners.len() - NAMED));
    }
    let names = list(&names);
    let is_range = partners.last().is_some_and(|(least, _, _)| *least < most);
    let up_to = if is_range { "up to " } else { "" };
    Some(if most == of && !is_range {
        format!("Identical completions: word for word those of {names}.")
    } else {
        format!("Identical completions: {up_to}{most} of {of} are word for word those of {names}.")
    })
}
