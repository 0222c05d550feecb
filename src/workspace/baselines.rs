//! Official baselines: whether they hold, and which deltas move when the config names others.

use std::collections::BTreeMap;
use std::path::Path;

use crate::board::Board;
use crate::domain::config::Config;
use crate::domain::{Failure, Finding};
use crate::facts::{self, BundleFacts};
use crate::fs;
use crate::ledger::History;
use crate::workspace::Workspace;

impl Workspace {
    /// What the bundles show about the rows of `board`, by `provider:model`, and the history.
    pub fn bundle_facts(
        &self,
        board: &Board,
    ) -> Result<(BTreeMap<String, BundleFacts>, &History), Failure> {
        let (replays, _) = self.replays(|| ()).of_rows(&self.config, board);
        Ok((facts::bundle_facts(board, &replays), self.ledger()?.history()?))
    }

    /// What is wrong with the official baselines of the config.
    pub fn baseline_findings(&self, board: &Board) -> Result<Vec<Finding>, Failure> {
        if self.config.official_baselines.is_empty() {
            return Ok(Vec::new());
        }
        let (facts, history) = self.bundle_facts(board)?;
        let config = (&self.config, &*self.config_file);
        Ok(facts::baseline_findings(board, &facts, config, history))
    }

    /// A sentence for every delta that moved because the config names other official baselines
    /// than the one in the last commit. Official baselines that do not hold are a failure.
    pub fn moved_deltas(&self, board: &Board) -> Result<Vec<String>, Failure> {
        let Some(old) = self.committed_config() else { return Ok(Vec::new()) };
        let (facts, history) = self.bundle_facts(board)?;
        let new = facts::compare_all(board, &facts, &self.config, history)
            .map_err(facts::baseline_failure)?;
        if old.official_baselines == self.config.official_baselines {
            return Ok(Vec::new());
        }
        let Ok(old) = facts::compare_all(board, &facts, &old, history) else {
            return Ok(Vec::new());
        };
        let model = |run_id: &str| {
            let recorded = || history.run(run_id).map(|run| run.model.clone());
            let known = new.models.get(run_id).cloned().or_else(recorded);
            known.unwrap_or_else(|| "a run that is not recorded".to_owned())
        };
        let word =
            |delta: Option<f64>| delta.map_or("–".to_owned(), |delta| format!("{delta:+.3}"));
        let rows = facts::moved_deltas(&old.rows, &new.rows);
        let moved = rows.into_iter().chain(facts::moved_deltas(&old.packs, &new.packs));
        let sentence = |(run_id, old, new): (String, _, _)| {
            let model = model(&run_id);
            format!("baseline: Δ of {model} {} → {} (run {run_id})", word(old), word(new))
        };
        Ok(moved.map(sentence).collect())
    }

    /// The config in the last commit, or else the one there is; `None` where neither names official
    /// baselines.
    fn committed_config(&self) -> Option<Config> {
        let committed = fs::committed(Path::new(&self.config_file));
        let committed = committed.and_then(|bytes| Config::parse(&bytes, &self.config_file).ok());
        let names_any = |config: &Config| !config.official_baselines.is_empty();
        match committed {
            Some(old) => (names_any(&self.config) || names_any(&old)).then_some(old),
            None => names_any(&self.config).then(|| self.config.clone()),
        }
    }
}
