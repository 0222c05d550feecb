//! Gives libFuzzer's inputs to the reader that the variable `GMAT_READER` names; `scripts/fuzz` runs all.
#![no_main]

#[path = "../readers.rs"]
mod readers;

use std::sync::LazyLock;

static READER: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let wanted = std::env::var("GMAT_READER").unwrap_or_default();
    let names: Vec<&str> = readers::READERS.iter().map(|(name, ..)| *name).collect();
    let found = readers::READERS.iter().find(|(name, ..)| *name == wanted);
    found.unwrap_or_else(|| panic!("GMAT_READER is `{wanted}`, but must be one of {names:?}")).2
});

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| READER(bytes));
