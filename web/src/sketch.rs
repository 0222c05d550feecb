//! One script that is not part of any bundle, scored as far as that works without a judge.

use gmat_leaderboard::gmat::{Diagnostic, Script};
use gmat_leaderboard::internals::domain::parse_document;
use gmat_leaderboard::internals::replay::{Reason, failures, read_prompts, structural_reasons};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct Told {
    /// Whether everything but the judge's votes is fine.
    passes: bool,
    /// Why not.
    reasons: Vec<Reason>,
    /// All that the linter says.
    diagnostics: Vec<Diagnostic>,
    /// The prompt could not be read.
    failures: Vec<String>,
}

/// Scores `text` for the prompt; without one only what the linter says counts.
pub(crate) fn score(prompt: Option<&[u8]>, text: &str) -> Told {
    let diagnostics = Script::parse(text).diagnostics();
    let prompts = [b"[", prompt.unwrap_or(br#"{"id":"","request":"","intent":""}"#), b"]"].concat();
    let wrong = parse_document(&prompts, "prompts.json").and_then(|document| {
        let prompts = read_prompts(&document, ".", false)?;
        Ok(prompts.first().map(|prompt| failures(text, &prompt.spec)).unwrap_or_default())
    });
    match wrong {
        Ok(wrong) => {
            let reasons = structural_reasons(&wrong, text);
            Told { passes: wrong.is_empty(), reasons, diagnostics, failures: Vec::new() }
        }
        Err(failure) => {
            let failures = vec![failure.to_string()];
            Told { passes: false, reasons: Vec::new(), diagnostics, failures }
        }
    }
}
