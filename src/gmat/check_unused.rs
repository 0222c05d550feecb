//! Resources that are created and never used: the one rule that only informs.
//!
//! It needs to know every name the script uses, which scoring does not; so the script is read a
//! second time, and only when diagnostics are wanted.
//!
//! Setting a resource's own fields in the configuration is no use of it, while a word of the same
//! name in a script block is.

use crate::gmat::check::{About, Finding};
use crate::gmat::outline::View;
use crate::gmat::reader::Reader;
use crate::gmat::unicode::is_word;
use crate::gmat::{Rule, catalogue};

/// Resources of this category act by existing.
const ACTIVE: &str = "Subscriber";

/// The declarations of a clean script that nothing uses.
pub(super) fn check(text: &str) -> Vec<Finding> {
    let bytes = text.as_bytes();
    let (view, _) = Reader::new(bytes, View::default(), true).read();
    let mut used: Vec<&[u8]> = view.uses.iter().map(|span| span.slice(bytes)).collect();
    // As values these two are truth values, whatever else has their names.
    used.retain(|name| !matches!(*name, b"true" | b"false"));
    for body in &view.bodies {
        let words = body.text(text).split(|c| !is_word(c));
        used.extend(words.filter(|word| !word.is_empty()).map(str::as_bytes));
    }
    used.sort_unstable();
    used.dedup();
    let is_unused = |kind: &[u8], name: &[u8]| {
        catalogue::resolve(kind).is_some_and(|id| id.category() != ACTIVE)
            && used.binary_search(&name).is_err()
    };
    view.declarations
        .iter()
        .filter(|declaration| {
            is_unused(declaration.kind.slice(bytes), declaration.name.slice(bytes))
        })
        .map(|declaration| Finding {
            rule: Rule::UnusedResource,
            place: declaration.name,
            about: About::Declaration,
        })
        .collect()
}
