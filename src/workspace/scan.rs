//! The held-out sets, streamed past what is about to be published.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::domain::{Failure, Finding};
use crate::firewall::{Exempt, Hit, Origin, Outgoing};
use crate::fs::{BUNDLE_FILE_LIMIT, Store, StoreError};
use crate::json::{self, Document};
use crate::replay::{self, Secret, SecretFiles};
use crate::workspace::held_out::HeldOutSet;
use crate::workspace::scan_ledger::ledger_texts;
use crate::workspace::scan_tree::search_tree;
use crate::workspace::{LedgerDir, Workspace};

/// The files of a bundle that hold secrets.
pub(super) const BUNDLE_FILES: [&str; 4] =
    ["prompts.json", "completions.json", "judge.json", "trajectory.json"];

/// Texts of the held-out sets in the config, in the recorded history and in `board`, which
/// is a file name and what is in the file; then in the other files of the repository. Nothing where
/// no set is at hand.
pub fn search_workspace(
    workspace: &Workspace,
    board: Option<(&str, &Document<'_>)>,
) -> Result<Vec<Finding>, Failure> {
    let held_out = workspace.held_out_sets()?;
    if held_out.is_empty() {
        return Ok(Vec::new());
    }
    let sources = Sources::read(workspace)?;
    let config = sources.config()?;
    let mut outgoing = Outgoing::new(workspace.exempt());
    sources.add_to(&config, &mut outgoing);
    if let Some((file, document)) = board {
        outgoing.add_board(file, document);
    }
    let mut findings = held_out.search(&outgoing)?;
    let board = board.map(|(file, _)| file);
    // Other files repeat a text of the config or the board, so they are searched once those are clean.
    let prompts = findings.is_empty();
    findings.extend(search_tree(workspace, held_out, &searched(workspace, board), prompts)?);
    Ok(findings)
}

/// The files that [`search_workspace`] reads itself, as absolute paths.
fn searched(workspace: &Workspace, board: Option<&str>) -> Vec<PathBuf> {
    let ledger = LedgerDir::below(workspace.store.root());
    let own = [PathBuf::from(&workspace.config_file), ledger.path("history.jsonl")];
    let boards = board.into_iter().map(PathBuf::from);
    own.into_iter().chain(boards).filter_map(|path| std::fs::canonicalize(path).ok()).collect()
}

/// Texts of the held-out sets in `pages`, except where the config or the ledger brings it:
/// [`search_workspace`] reports that, once. `exempt` adds what the program itself puts on pages.
pub fn search_pages<'p>(
    workspace: &Workspace,
    pages: impl IntoIterator<Item = (&'p str, &'p str)>,
    exempt: Exempt,
) -> Result<Vec<Finding>, Failure> {
    let held_out = workspace.held_out_sets()?;
    if held_out.is_empty() {
        return Ok(Vec::new());
    }
    let pages: Vec<(&str, &str)> = pages.into_iter().collect();
    let sources = Sources::read(workspace)?;
    let config = sources.config()?;
    let mut outgoing = Outgoing::new(exempt);
    sources.add_to(&config, &mut outgoing);
    for (path, text) in &pages {
        outgoing.add_page(*path, text);
    }
    let findings = held_out.search(&outgoing)?;
    let is_page = |finding: &Finding| pages.iter().any(|(path, _)| *path == finding.file);
    Ok(findings.into_iter().filter(is_page).collect())
}

/// What boards and pages are made from, as it is searched.
struct Sources<'w> {
    config_file: &'w str,
    config: &'w [u8],
    history: Vec<(String, String)>,
}

impl<'w> Sources<'w> {
    fn read(workspace: &'w Workspace) -> Result<Self, Failure> {
        let (config, history) = (&*workspace.config_bytes, ledger_texts(workspace)?);
        Ok(Self { config_file: &workspace.config_file, config, history })
    }

    fn config(&self) -> Result<Document<'_>, Failure> {
        parse(self.config_file, self.config)
    }

    fn add_to<'a>(&'a self, config: &'a Document<'a>, outgoing: &mut Outgoing<'a>) {
        outgoing.add_source(self.config_file, config);
        for (name, text) in &self.history {
            outgoing.add_source_page(&**name, text);
        }
    }
}

fn parse<'b>(file: &str, bytes: &'b [u8]) -> Result<Document<'b>, Failure> {
    json::parse(bytes).map_err(|error| Failure::json(file, &error))
}

/// Looks in `outgoing` for everything below `held_out`. One bundle a thread is in memory.
pub(super) fn search_held_out(
    held_out: &HeldOutSet,
    outgoing: &Outgoing<'_>,
) -> Result<Vec<Hit>, Failure> {
    let HeldOutSet { store, bundles, .. } = held_out;
    let bundles: Vec<_> = bundles.iter().zip(held_out.is_first()?).collect();
    let searched: Vec<Result<Vec<Hit>, Failure>> = bundles
        .par_iter()
        .map(|((dir, names), is_first)| search(store, dir, names, **is_first, outgoing))
        .collect();
    let mut hits = Vec::new();
    let mut failures = Vec::new();
    for searched in searched {
        match searched {
            Ok(found) => hits.extend(found),
            Err(failure) => failures.push(failure),
        }
    }
    Failure::all(failures).map_or(Ok(hits), Err)
}

/// What one bundle gives. Its prompts.json is searched for only in the first bundle that has it; in
/// the others it says which prompt a hit belongs to, and is not read where there is no hit.
fn search(
    store: &Store,
    dir: &Path,
    names: &[&'static str],
    is_first: bool,
    outgoing: &Outgoing<'_>,
) -> Result<Vec<Hit>, Failure> {
    if is_first {
        return hits(&files(store, dir, names)?, true, outgoing);
    }
    let answers: Vec<_> = names.iter().copied().filter(|name| *name != BUNDLE_FILES[0]).collect();
    if hits(&files(store, dir, &answers)?, false, outgoing)?.is_empty() {
        return Ok(Vec::new());
    }
    hits(&files(store, dir, names)?, false, outgoing)
}

/// What the files of a bundle give, with or without the prompts themselves.
fn hits(
    files: &SecretFiles,
    with_prompts: bool,
    outgoing: &Outgoing<'_>,
) -> Result<Vec<Hit>, Failure> {
    let mut hits = Vec::new();
    replay::secrets(files, &mut |file, number, secret| {
        if !with_prompts && file.ends_with("/prompts.json") {
            return;
        }
        let origin = Origin { file, number };
        hits.extend(match secret {
            Secret::Prompt(prompt) => outgoing.search_prompt(&origin, prompt),
            Secret::Canary(canary) => outgoing.search_canary(&origin, canary),
            Secret::Text(text) => outgoing.search_text(&origin, text),
        });
    })?;
    Ok(hits)
}

/// Hands every prompt and canary of the sets below `held_out` to `tell`, with its file and the
/// number of its prompt. Bundles that share a prompts.json count once.
pub(super) fn each_prompt(
    held_out: &HeldOutSet,
    tell: &mut dyn FnMut(&str, usize, Secret<'_>),
) -> Result<(), Failure> {
    for ((dir, names), is_first) in held_out.bundles.iter().zip(held_out.is_first()?) {
        if *is_first && names.contains(&BUNDLE_FILES[0]) {
            replay::secrets(&files(&held_out.store, dir, &BUNDLE_FILES[..1])?, tell)?;
        }
    }
    Ok(())
}

fn files(held_out: &Store, dir: &Path, names: &[&str]) -> Result<SecretFiles, StoreError> {
    let read = |name| {
        let read = || held_out.read_kept(dir.join(name), BUNDLE_FILE_LIMIT);
        names.contains(&name).then(read).transpose()
    };
    let [prompts, completions, judge, trajectory] = BUNDLE_FILES.map(read);
    let dir = held_out.path(dir).display().to_string();
    let dir = dir.trim_end_matches('/').to_owned();
    let (prompts, completions) = (prompts?, completions?);
    Ok(SecretFiles { dir, prompts, completions, judge: judge?, trajectory: trajectory? })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::firewall::Exempt;

    const GOLD: &str = "Raise the perigee of a polar orbit to 7000 km with two burns";
    const SCRIPT: &str = "Create Spacecraft Sesame; Sesame.SMA = 7191.93; BeginMissionSequence;";

    fn write(dir: &Path, name: &str, text: &str) {
        std::fs::create_dir_all(dir).expect("made");
        std::fs::write(dir.join(name), text).expect("written");
    }

    fn prompts(request: &str) -> String {
        format!(
            r#"[{{"id":"one","request":"-","intent":"-"}},{{"id":"two","request":"{request}","intent":"-"}}]"#
        )
    }

    #[test]
    fn every_bundle_counts_and_one_set_is_named_once() {
        let held = tempfile::tempdir().expect("a directory");
        for name in ["m1", "m2"] {
            write(&held.path().join(name), "prompts.json", &prompts(GOLD));
        }
        let other = held.path().join("deep/unnamed");
        write(&other, "completions.json", &format!(r#"{{"demo:m:0":{{"text":"{SCRIPT}"}}}}"#));
        std::os::unix::fs::symlink("m1", held.path().join("m0")).expect("linked");
        let page = format!("{GOLD}\n\n{SCRIPT}");
        let mut outgoing = Outgoing::new(Exempt::default());
        outgoing.add_page("page.html", &page);
        let set =
            HeldOutSet::open(Arc::new(Store::open(held.path()).expect("opened"))).expect("walked");
        let hits = search_held_out(&set, &outgoing).expect("searched");
        let reported: Vec<String> =
            outgoing.findings(&hits).into_iter().map(|finding| finding.what).collect();
        let root = held.path().display();
        let set = format!("contains text of held-out prompt 2 of `{root}/m1/prompts.json`");
        let script = format!("contains text of `{root}/deep/unnamed/completions.json`");
        assert_eq!(reported, [set, script]);
    }

    #[test]
    fn every_unreadable_file_is_named_and_none_is_quoted() {
        let held = tempfile::tempdir().expect("a directory");
        write(&held.path().join("m1"), "prompts.json", "{\"sesame\": 1}");
        write(&held.path().join("m2"), "judge.json", "{\"sesame\": sesame}");
        let set =
            HeldOutSet::open(Arc::new(Store::open(held.path()).expect("opened"))).expect("walked");
        let outgoing = Outgoing::new(Exempt::default());
        let failure = search_held_out(&set, &outgoing).expect_err("unreadable");
        assert_eq!(failure.others.len(), 1);
        assert!(!format!("{failure:?}").contains("sesame"), "{failure:?}");
    }
}
