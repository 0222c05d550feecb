//! Resources that are created and never used.
//!
//! It needs to know every name the script uses, which scoring does not; so it looks at the second
//! reading that `diagnostics` makes.
//!
//! Setting a resource's own fields in the configuration does not use it, while a word of the same
//! name in a script block is.

use crate::gmat::check::{About, Finding};
use crate::gmat::outline::{Statement, View};
use crate::gmat::unicode::is_word;
use crate::gmat::{Rule, catalogue, tokens};

/// Resources of these categories act by existing.
const ACTIVE: [&str; 2] = ["EventLocator", "Subscriber"];

/// The declarations of a script that nothing uses; `view` was read with its uses.
pub(super) fn check(text: &str, view: &View, statements: &[Statement]) -> Vec<Finding> {
    let bytes = text.as_bytes();
    let mut used: Vec<&[u8]> = view.uses.iter().map(|span| span.slice(bytes)).collect();
    // As values these two are truth values, whatever else has their names.
    used.retain(|name| !matches!(*name, b"true" | b"false"));
    for body in view.bodies.iter().chain(&view.raws) {
        let words = body.text(text).split(|c| !is_word(c));
        used.extend(words.filter(|word| !word.is_empty()).map(str::as_bytes));
    }
    // In `Sat.Frame.X` the frame is used too.
    for name in statements.iter().flat_map(|it| tokens::names(bytes, it.span)) {
        if let [_, between @ .., _] = name.steps.as_slice() {
            used.extend(between.iter().map(|step| step.slice(bytes)));
        }
    }
    used.sort_unstable();
    used.dedup();
    let is_unused = |kind: &[u8], name: &[u8]| {
        catalogue::resolve(kind).is_some_and(|id| !ACTIVE.contains(&id.category()))
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
