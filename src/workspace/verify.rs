//! The audit of a whole workspace: rows, held-out texts, ledger, baselines, waivers.

use std::path::Path;

use crate::board::{Audit, AuditScope, Board, NotCovered, Verification, Verified};
use crate::domain::{Exit, Failure, Finding, stamp};
use crate::firewall::leaks_first;
use crate::fs;
use crate::json::Document;
use crate::ledger::BoardToVerify;
use crate::seal::Sealed;
use crate::workspace::{BoardFile, Revealed, Workspace, board_path, search_workspace};

/// Verifies the board of the checkout at `root` against its config and recorded bundles, as
/// `gmat-leaderboard verify` does. Headlines are checked for form only, because the held-out set is not
/// in the checkout.
pub fn verify(root: &Path) -> Result<Verdict, Failure> {
    let file = BoardFile::read(&board_path(root, None))?;
    let document = file.document()?;
    let board = file.board_of(&document).ok();
    let workspace = Workspace::open(root, None)?;
    workspace.verify(&file, &document, board.as_ref(), AuditScope::default(), || ())
}

/// What `verify` found.
#[derive(Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// What was found, counted and left out.
    pub(crate) verified: Verified,
    /// The seal, if it can be read.
    pub(crate) seal: Result<Sealed, NotCovered>,
    /// What a reveal re-scored, if one was given.
    pub(crate) revealed: Option<Revealed>,
    /// Whether only the form was checked.
    pub(crate) form_only: bool,
    /// What the ledger cannot show.
    pub(crate) ledger_gaps: Vec<NotCovered>,
}

impl Verdict {
    /// The verdict of an audit that looked at the board alone.
    pub(crate) fn of_form(audit: Audit) -> Self {
        Self {
            verified: Verified { audit, ..Verified::default() },
            seal: Err(NotCovered::new("seal", "--form-only")),
            revealed: None,
            form_only: true,
            ledger_gaps: Vec::new(),
        }
    }

    /// Findings and notes, after waivers: of the whole board first, then row by row.
    pub fn findings(&self) -> &[Finding] {
        &self.verified.audit.findings
    }

    /// Bundles that could not be read.
    pub fn failures(&self) -> &[Failure] {
        &self.verified.failures
    }

    /// How many rows were rebuilt from their public bundle.
    pub fn rows_checked(&self) -> usize {
        self.verified.audit.rows_checked
    }

    pub(crate) fn not_covered(&self) -> Vec<NotCovered> {
        let mut all = Vec::new();
        if self.form_only {
            for what in ["config", "bundles", "held-out headlines"] {
                all.push(NotCovered::new(what, "--form-only"));
            }
        } else {
            all.extend(self.verified.audit.headlines_not_covered());
        }
        all.extend(self.ledger_gaps.iter().cloned());
        all.extend(Sealed::not_covered(&self.seal));
        all
    }

    /// The answer: yes, no, or unusable where a bundle could not be read.
    pub fn exit(&self) -> Exit {
        self.verified.exit()
    }
}

impl Workspace {
    /// The protocol is not the one that the ledger has for this protocol version.
    pub(crate) fn protocol_finding(&self) -> Result<Option<Finding>, Failure> {
        Ok(self.ledger()?.protocol_finding(&self.config, &self.config_file))
    }

    /// Audits a board against the workspace; `board` is `None` where the document is not one, and
    /// `step` is called after each seed that is replayed.
    pub(crate) fn verify(
        &self,
        file: &BoardFile,
        document: &Document<'_>,
        board: Option<&Board>,
        scope: AuditScope,
        step: impl Fn() + Sync,
    ) -> Result<Verdict, Failure> {
        let Self { config, config_file, .. } = self;
        let BoardFile { name, bytes, .. } = file;
        let results = self.replays(step).scored(config);
        let of_board = (&**bytes, document, &**name);
        let mut verification = Verification::new((config, config_file), results, of_board, scope);
        verification.allow_not_built_yet(|| {
            Ok::<_, Failure>(self.ledger()?.with_boards()?.rows_ever_named())
        })?;
        let leaks = search_workspace(self, Some((name, document)))?;
        let mut beside = Vec::new();
        let mut seal = Err(NotCovered::SEAL_OF_BOARD);
        let mut ledger_gaps = Vec::new();
        let now = stamp(fs::moment()?);
        if !scope.one_row {
            let claim = BoardToVerify {
                bytes,
                file: name,
                generated_at: verification.audit().generated_at.as_deref(),
                board,
                config,
                config_file,
                now: &now,
            };
            (beside, ledger_gaps) = self.ledger()?.with_boards()?.verify(&claim);
            let (unlike, found) = self.check_seal(file)?;
            seal = found;
            beside.extend(unlike);
            if let Some(board) = board {
                beside.extend(self.baseline_findings(board)?);
            }
        }
        let exposed = self.exposed().cloned().into_iter();
        let found = verification.take_findings(self.waived_injections(), beside);
        let all =
            leaks_first(leaks, exposed.chain(found).collect(), !self.held_out_sets()?.is_empty());
        let verified = verification.conclude(all, &now[..10]);
        Ok(Verdict { verified, seal, revealed: None, form_only: false, ledger_gaps })
    }
}
