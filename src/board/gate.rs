//! A board that could be published, with everything that speaks against it.

use crate::board::Board;
use crate::board::Gathered;
use crate::board::Ground;
use crate::board::protocol::{lost_headlines, protocol_changes};
use crate::board::{Ranking, assemble};
use crate::board::{Reach, Used, waive};
use crate::domain::config::Config;
use crate::domain::{Code, Failure, Finding, is_stamp};
use crate::firewall::leaks_first;

/// What a proposal is made under.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// How the config is named to people.
    pub config_file: &'a str,
    /// The stamp of the new board.
    pub generated_at: &'a str,
    /// Version of the program that scored its rows.
    pub tool_version: &'a str,
    /// Today, `YYYY-MM-DD`, for waivers.
    pub today: &'a str,
    /// What the board that would be replaced stands on, and its file.
    pub replaces: Option<(&'a Ground, &'a str)>,
    /// Whether a board with scored headlines must not be replaced: no held-out set is at hand, and
    /// nobody asked to drop them.
    pub keep_headlines: bool,
}

/// A board and what is known about it.
#[derive(Debug)]
pub struct Proposal<'a> {
    /// The board.
    pub board: Board<Ranking<'a>>,
    /// What speaks against it, and notes.
    pub findings: Vec<Finding>,
    /// The waivers that were used.
    pub waivers: Vec<Used>,
}

/// Ranks what was gathered and checks the result; `scan` is the content firewall.
pub fn propose<'a>(
    config: &'a Config,
    gathered: Gathered,
    terms: &Terms<'a>,
    scan: impl FnOnce(&Board<Ranking<'a>>) -> Result<Vec<Finding>, Failure>,
) -> Result<Proposal<'a>, Failure> {
    let board = assemble(config, gathered.scored, terms.generated_at, terms.tool_version);
    let leaks = scan(&board)?;
    let mut findings = gathered.findings;
    if let Some((old, file)) = terms.replaces {
        let new = Ground::of(&board);
        findings.extend(protocol_changes(old, &new, file));
        // A stamp that is not one stops the build in any case, see `obstacle`.
        let is_refused = terms.keep_headlines && is_stamp(terms.generated_at);
        findings.extend(lost_headlines(old, &board.entries, file, is_refused));
    }
    let all = leaks_first(leaks, findings, false);
    let waived = waive(config, terms.config_file, all, terms.today, &Reach::Build);
    Ok(Proposal { board, findings: waived.findings, waivers: waived.used })
}

impl Proposal<'_> {
    /// Whether nothing speaks against it.
    pub fn is_clean(&self) -> bool {
        !self.findings.iter().any(Finding::decides)
    }

    /// Why it cannot be written although nothing speaks against it.
    pub fn obstacle(&self, allow_empty: bool) -> Option<Failure> {
        if !is_stamp(&self.board.generated_at) {
            let failure = Failure::unusable("the stamp of the board is not a moment in UTC");
            let help = "pass `--generated-at` as in 2026-06-18T00:00:00Z";
            return Some(failure.code(Code::EHeader).at("--generated-at").help(help));
        }
        (self.board.entries.is_empty() && !allow_empty).then(|| {
            let failure = Failure::unusable("no seed has a row, so the board would be empty");
            failure.code(Code::EEmpty).help(
                "check `--root`; `gmat-leaderboard build --allow-empty` writes an empty board",
            )
        })
    }
}
