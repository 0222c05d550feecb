//! Entries that wait for their first build.

use std::collections::BTreeSet;

use crate::domain::config::{Config, Seed};
use crate::domain::{Code, Finding};

/// The missing row of an entry becomes a note if `named`, the rows that a ledger line or a kept
/// board names, does not have it: it was never on a board. `named` is called only where needed.
pub fn not_built_yet<E>(
    config: &Config,
    findings: &mut [Finding],
    named: impl FnOnce() -> Result<BTreeSet<String>, E>,
) -> Result<(), E> {
    let mut waiting: Vec<(&mut Finding, &Seed)> = findings
        .iter_mut()
        .filter(|finding| finding.code == Code::ERowMissing)
        .filter_map(|finding| {
            let index = finding.path.strip_prefix("seeds[")?.strip_suffix(']')?;
            let seed = config.seeds.get(index.parse::<usize>().ok()?)?;
            (seed.kind == Seed::ENTRY).then_some((finding, seed))
        })
        .collect();
    if waiting.is_empty() {
        return Ok(());
    }
    let named = named()?;
    for (finding, seed) in &mut waiting {
        if !named.contains(&seed.id()) {
            let what = format!("entry `{}` is not built yet", seed.id());
            let note = Finding::new(Code::ERowMissing, &*finding.file, &*finding.path, what);
            let help =
                "its row comes with the maintainer's next build; an entrant has nothing more to do";
            **finding = note.note().help(help);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_entry_that_was_never_on_a_board_waits() {
        let text = br#"{"seeds": [
            {"provider": "p", "model": "new", "kind": "entry", "public_bundle": "a"},
            {"provider": "p", "model": "old", "kind": "entry", "public_bundle": "b"},
            {"provider": "p", "model": "own", "kind": "seed", "public_bundle": "c"}]}"#;
        let config = Config::parse(text, "seeds.json").expect("a config");
        let missing = |index: usize| {
            Finding::new(Code::ERowMissing, "seeds.json", format!("seeds[{index}]"), "no row")
        };
        let mut findings: Vec<Finding> = (0..3).map(missing).collect();
        let named = || Ok::<_, ()>(BTreeSet::from(["p:old".to_owned()]));
        not_built_yet(&config, &mut findings, named).expect("named");
        let decides: Vec<bool> = findings.iter().map(Finding::decides).collect();
        assert_eq!(decides, [false, true, true]);
        let mut none = [missing(2)];
        let unread = || Err::<BTreeSet<String>, &str>("read");
        assert_eq!(not_built_yet(&config, &mut none, unread), Ok(()));
    }
}
