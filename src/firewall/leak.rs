//! What was found, in words that repeat nothing of it.

use std::collections::HashMap;

use crate::domain::{Code, Finding};

/// Held-out text in something about to be published.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Leak {
    /// The file about to be published.
    pub(super) file: String,
    /// The key path in it, or the line.
    pub(super) path: String,
    /// How sure and how precise it is.
    pub(super) kind: LeakKind,
    /// The held-out file.
    pub(super) source: String,
    /// Which prompt of it, from 1; 0 for the file as a whole. Never its text or id.
    pub(super) number: usize,
    /// What the text is dressed as; empty if it is not.
    pub(super) disguise: String,
}

/// What a leak rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum LeakKind {
    /// The text is in one field, or at one line of a page.
    Field,
    /// The text runs over several fields, or is somewhere in a page.
    Joined,
    /// Rare words of one prompt stand together.
    Words,
}

/// The findings for `leaks`: one for each place, naming the first source. A place that is
/// explained by a stronger leak is not named again.
pub(super) fn findings(mut leaks: Vec<Leak>) -> Vec<Finding> {
    leaks.sort();
    leaks.dedup();
    let mut texts = HashMap::new();
    let mut places = HashMap::new();
    for leak in &leaks {
        let text = texts.entry((&leak.file, &leak.source, leak.number)).or_insert(leak.kind);
        *text = leak.kind.min(*text);
        let place = places.entry((&leak.file, &leak.path)).or_insert(leak.kind);
        *place = leak.kind.min(*place);
    }
    let is_strongest = |leak: &&Leak| {
        texts[&(&leak.file, &leak.source, leak.number)] == leak.kind
            && places[&(&leak.file, &leak.path)] == leak.kind
    };
    let reported: Vec<&Leak> = leaks.iter().filter(is_strongest).collect();
    reported
        .chunk_by(|a, b| (&a.file, &a.path, a.kind) == (&b.file, &b.path, b.kind))
        .map(|place| {
            let texts = place.chunk_by(|a, b| (&a.source, a.number) == (&b.source, b.number));
            finding(place[0], texts.count() - 1)
        })
        .collect()
}

fn finding(leak: &Leak, more: usize) -> Finding {
    let Leak { file, path, kind, source, number, disguise } = leak;
    let origin = match number {
        0 => format!("`{source}`"),
        number => format!("held-out prompt {number} of `{source}`"),
    };
    let more = match more {
        0 => String::new(),
        more => format!(", and {more} more of the held-out set"),
    };
    if *kind == LeakKind::Words {
        let what = format!("contains rare words of {origin}{more}");
        return Finding::new(Code::LWords, file, path, what).note();
    }
    let dress =
        if disguise.is_empty() { String::new() } else { format!(", encoded as {disguise}") };
    let what = format!("contains text of {origin}{dress}{more}");
    Finding::new(Code::LText, file, path, what)
}
