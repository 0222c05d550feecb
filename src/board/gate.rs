//! A board that could be published, with everything that speaks against it.

use crate::board::protocol::{lost_headlines, protocol_changes};
use crate::board::{Board, WaiverScope, waive};
use crate::domain::config::Config;
use crate::domain::{Code, Failure, Finding, Hint, is_stamp};
use crate::firewall::leaks_first;

/// What a proposal is made under.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// How the config is named to people.
    pub config_file: &'a str,
    /// Today, `YYYY-MM-DD`, for waivers.
    pub today: &'a str,
    /// The board that would be replaced, and its file.
    pub replaces: Option<(&'a Board, &'a str)>,
    /// Whether a board with scored headlines must not be replaced: no held-out set is at hand, and
    /// the call does not allow dropping them.
    pub keep_headlines: bool,
}

/// A board and what is known about it.
#[derive(Debug)]
pub struct Proposal {
    /// The board.
    pub board: Board,
    /// What speaks against it, and notes.
    pub findings: Vec<Finding>,
}

/// Puts together everything that speaks against `board`: what its seeds and bundles show
/// (`findings`), what the search for held-out texts found (`leaks`), and how it differs from the
/// board it replaces.
pub fn propose(
    config: &Config,
    board: Board,
    mut findings: Vec<Finding>,
    leaks: Vec<Finding>,
    terms: &Terms<'_>,
) -> Proposal {
    if let Some((old, file)) = terms.replaces {
        findings.extend(protocol_changes(old, &board, file));
        // A stamp that is not one stops the build in any case, see `obstacle`.
        let is_refused = terms.keep_headlines && is_stamp(&board.generated_at);
        findings.extend(lost_headlines(old, &board, file, is_refused));
    }
    let all = leaks_first(leaks, findings, false);
    let waived = waive(config, terms.config_file, all, terms.today, &WaiverScope::Build);
    Proposal { board, findings: waived.findings }
}

impl Proposal {
    /// Whether nothing speaks against it.
    pub fn is_clean(&self) -> bool {
        !self.findings.iter().any(Finding::decides)
    }

    /// Why it cannot be written although nothing speaks against it.
    pub fn obstacle(&self, allow_empty: bool) -> Option<Failure> {
        if !is_stamp(&self.board.generated_at) {
            let failure = Failure::unusable("the timestamp of the board is not a time in UTC");
            return Some(failure.code(Code::EHeader).at("generated_at").hint(Hint::BoardStamp));
        }
        (self.board.entries.is_empty() && !allow_empty).then(|| {
            let failure = Failure::unusable("no seed has a row, so the board would be empty");
            failure.code(Code::EEmpty).hint(Hint::EmptyBoard)
        })
    }
}
