//! `lint`: what a GMAT script contains and what is wrong with it.

mod jsonl;

use std::path::Path;

use crate::cli::{Lint, LintFormat as Format};
use crate::domain::{Exit, Failure};
use crate::fs::{self, SCRIPT_LIMIT, StoreError};
use crate::gmat::{self, Rule};
use crate::replay::REASONS;
use crate::ui::{LintTally, Linted, Ui, hints, sarif};

pub(super) fn run(args: &Lint, json: bool, ui: Ui) -> Result<Exit, Failure> {
    if args.jsonl {
        return jsonl::run(ui);
    }
    if let Some(asked) = args.explain.as_deref() {
        let rules = Rule::ALL.map(|rule| (rule.name(), rule.severity().name(), rule.explanation()));
        let reasons = REASONS.map(|(name, text)| (name, "reason of check", text));
        let more =
            |name| hints::on_reason(name).map(|hint| format!("{hint}\n")).unwrap_or_default();
        let asked = rules.into_iter().chain(reasons).filter(|it| asked == "all" || asked == it.0);
        let texts: Vec<String> = asked
            .map(|(name, kind, text)| format!("{name} ({kind})\n\n{text}\n{}", more(name)))
            .collect();
        ui.out(texts.join("\n"))?;
        return Ok(Exit::Yes);
    }
    let format = args.format.unwrap_or(if json { Format::Json } else { Format::Human });
    let mut tally = LintTally::default();
    let mut failures = Vec::new();
    let (mut reports, mut results) = (Vec::new(), Vec::new());
    for file in &fs::scripts(&args.files)? {
        if let Some(dir) = bundle_around(file) {
            let what = format!("`{}` is a file of a bundle, not a script", file.display());
            failures.push(Failure::unusable(what).help(format!(
                "`gmat-leaderboard check {} --prompt ID` shows a recorded script and what is wrong with it",
                dir.display()
            )));
            continue;
        }
        let bytes = match read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                failures.push(Failure::from(error));
                continue;
            }
        };
        let (text, diagnostics) = gmat::check_bytes(&bytes);
        let linted = Linted::new(file.display().to_string(), text, diagnostics);
        tally.add(&linted);
        match format {
            Format::Human => ui.out(linted.human(ui.is_terminal()))?,
            Format::Github => ui.out(linted.github())?,
            Format::Json => reports.push(linted.report()),
            Format::Sarif => results.extend(linted.sarif()),
        }
    }
    match format {
        Format::Json => ui.json(&tally.document(reports))?,
        Format::Sarif => ui.json(&sarif::document(results))?,
        Format::Human | Format::Github => {}
    }
    if let Some(failure) = Failure::all(failures) {
        return Err(failure);
    }
    if format == Format::Human {
        ui.result(&tally.to_string())?;
    }
    Ok(if tally.blocks() { Exit::No } else { Exit::Yes })
}

/// The bundle that `file` belongs to, if it is one of the files of a bundle.
fn bundle_around(file: &Path) -> Option<&Path> {
    let dir = file.parent()?;
    let dir = if dir == Path::new("") { Path::new(".") } else { dir };
    let is_named =
        ["prompts.json", "completions.json", "judge.json"].iter().any(|it| file.ends_with(it));
    (is_named && dir.join("completions.json").is_file()).then_some(dir)
}

fn read(file: &Path) -> Result<Vec<u8>, StoreError> {
    if file == Path::new("-") {
        return fs::read_stdin(SCRIPT_LIMIT);
    }
    fs::read_typed(file, SCRIPT_LIMIT)
}
