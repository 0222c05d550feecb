//! A board checked against its config and bundles: the one sequence of steps for `verify` and for the
//! page that verifies in the browser.

use std::collections::BTreeSet;

use crate::board::{
    Audit, AuditInputs, AuditScope, SeedResult, SortedSeeds, UsedWaiver, WaiverScope, audit,
    not_built_yet, sort_seeds, waive,
};
use crate::domain::config::Config;
use crate::domain::{Exit, Failure, Finding};
use crate::json::Document;

/// A board that was compared with what its seeds score. Waivers are applied by [`Self::conclude`].
#[derive(Debug)]
pub struct Verification<'a> {
    config: &'a Config,
    config_file: &'a str,
    scope: AuditScope,
    seeds: SortedSeeds,
    audit: Audit,
}

/// What a verification found, after waivers.
#[derive(Debug, Default)]
pub struct Verified {
    /// What was found and counted.
    pub audit: Audit,
    /// Waivers that were used.
    pub waivers: Vec<UsedWaiver>,
    /// Bundles that could not be read.
    pub failures: Vec<Failure>,
    /// Seeds that were left out, in words.
    pub skipped: Vec<String>,
}

impl<'a> Verification<'a> {
    /// Compares the board, which is called `file`, with `results`: what the seeds of `config` score, in
    /// the order of the config.
    pub fn new(
        (config, config_file): (&'a Config, &'a str),
        results: Vec<SeedResult>,
        (bytes, document, file): (&[u8], &Document<'_>, &str),
        scope: AuditScope,
    ) -> Self {
        let seeds = sort_seeds(config, config_file, results, false);
        let against = AuditInputs { config, config_file, seeds: &seeds };
        let audit = audit(bytes, document, file, Some(&against), scope);
        Self { config, config_file, scope, seeds, audit }
    }

    /// What the audit counted.
    pub fn audit(&self) -> &Audit {
        &self.audit
    }

    /// The missing row of an entry that was never on a board is a note: it is not built yet. `named`
    /// are the rows of earlier boards, see [`not_built_yet`].
    pub fn allow_not_built_yet<E>(
        &mut self,
        named: impl FnOnce() -> Result<BTreeSet<String>, E>,
    ) -> Result<(), E> {
        if self.scope.every_seed {
            return Ok(());
        }
        not_built_yet(self.config, &mut self.audit.findings, named)
    }

    /// Everything found, in the order of a report: config and bundles, `injections` in them, the board,
    /// `beside` it (ledger, seal, baselines).
    pub fn take_findings(
        &mut self,
        injections: Vec<Finding>,
        beside: Vec<Finding>,
    ) -> Vec<Finding> {
        let bundles = std::mem::take(&mut self.seeds.findings);
        let board = std::mem::take(&mut self.audit.findings);
        [bundles, injections, board, beside].concat()
    }

    /// Applies the waivers to `findings`, as of `today` (`YYYY-MM-DD`).
    pub fn conclude(mut self, findings: Vec<Finding>, today: &str) -> Verified {
        let scope = match self.config.seeds.first().filter(|_| self.scope.one_row) {
            Some(seed) => WaiverScope::Row(seed),
            None => WaiverScope::Board {
                rows: &self.audit.rows,
                read: self.seeds.names_replayed(self.config),
            },
        };
        let waived = waive(self.config, self.config_file, findings, today, &scope);
        self.audit.findings = waived.findings;
        let SortedSeeds { failures, skipped, .. } = self.seeds;
        Verified { audit: self.audit, waivers: waived.used, failures, skipped }
    }
}

impl Verified {
    /// The answer: yes, no, or unusable where a bundle could not be read.
    pub fn exit(&self) -> Exit {
        if !self.failures.is_empty() {
            Exit::Unusable
        } else if self.audit.findings.iter().any(Finding::decides) {
            Exit::No
        } else {
            Exit::Yes
        }
    }
}
