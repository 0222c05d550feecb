//! `lint`: what a GMAT script contains and what is wrong with it.

mod jsonl;

use std::path::Path;

use crate::cli::{Lint, LintFormat as Format};
use crate::domain::{Exit, Failure};
use crate::fs::{self, SCRIPT_LIMIT, StoreError};
use crate::gmat::{self, Rule};
use crate::ui::{LintTally, Linted, Ui, sarif};

pub(super) fn run(args: &Lint, json: bool, ui: Ui) -> Result<Exit, Failure> {
    if args.jsonl {
        return jsonl::run(ui);
    }
    if let Some(asked) = args.explain.as_deref() {
        let rules = Rule::ALL.into_iter().filter(|rule| asked == "all" || asked == rule.name());
        let texts: Vec<String> = rules.map(explanation).collect();
        ui.out(texts.join("\n"))?;
        return Ok(Exit::Yes);
    }
    let format = args.format.unwrap_or(if json { Format::Json } else { Format::Human });
    let mut tally = LintTally::default();
    let mut failures = Vec::new();
    let (mut reports, mut results) = (Vec::new(), Vec::new());
    for file in &fs::scripts(&args.files)? {
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

fn explanation(rule: Rule) -> String {
    format!("{} ({})\n\n{}\n", rule.name(), rule.severity().name(), rule.explanation())
}

fn read(file: &Path) -> Result<Vec<u8>, StoreError> {
    if file == Path::new("-") {
        return fs::read_stdin(SCRIPT_LIMIT);
    }
    fs::read_typed(file, SCRIPT_LIMIT)
}
