//! The packs: results of other programs that were recorded as runs, each against its baseline.
//!
//! Nothing is read from the results files here: `record` chose field by field what the ledger holds.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::config::{Config, Dimension, Pack};
use crate::domain::{clean, slug_of};
use crate::facts::cohorts::{Cohort, Member, cohorts};
use crate::facts::{self, Baseline, BaselineError, Compared};
use crate::ledger::{History, Run};

/// One pack with its runs.
#[derive(Debug)]
pub(crate) struct PackFacts<'a> {
    /// Its id.
    pub(crate) id: &'a str,
    /// The name of its page and file.
    pub(crate) slug: String,
    /// How its score is made; absent if the config no longer has it.
    pub(crate) pack: Option<&'a Pack>,
    /// Its runs, the best score first, those without one last.
    pub(crate) runs: Vec<PackRunFacts<'a>>,
    /// The runs by what they may be compared with.
    pub(crate) cohorts: Vec<Cohort>,
    /// The one baseline of the whole pack.
    pub(crate) baseline: Option<Baseline>,
}

/// One run of a pack.
#[derive(Debug)]
pub(crate) struct PackRunFacts<'a> {
    pub(crate) run: &'a Run,
    /// The model, harmless to show.
    pub(crate) model: String,
    /// The name of its page and file.
    pub(crate) slug: String,
    /// As the leaderboard of the pack shows it.
    pub(crate) compared: Compared,
    /// Against the baseline of its own cohort.
    pub(crate) own: Compared,
}

/// Every pack that the config has or the ledger knows, by id. `of_board` are the names of the board's
/// rows and the ids of their runs, which may be official baselines too.
pub(crate) fn packs<'a>(
    config: &'a Config,
    history: &'a History,
    of_board: &BTreeSet<String>,
) -> Result<Vec<PackFacts<'a>>, Vec<BaselineError>> {
    let mut runs: BTreeMap<&str, Vec<&Run>> =
        config.packs.iter().map(|pack| (pack.id.as_str(), Vec::new())).collect();
    for run in history.runs() {
        if let Some(facts) = &run.pack_run {
            runs.entry(facts.pack.as_str()).or_default().push(run);
        }
    }
    if runs.is_empty() {
        return Ok(Vec::new());
    }
    let mut comparison = if runs.values().all(Vec::is_empty) {
        facts::BaselineComparison::default()
    } else {
        facts::pack_comparison(history, config, of_board)?
    };
    let dimensions = facts::pack_dimensions(config);
    let pack = |(id, runs): (&'a str, Vec<&'a Run>)| {
        let baseline = comparison.packs.remove(id).and_then(|view| view.baseline);
        let mut runs: Vec<PackRunFacts<'a>> = runs
            .into_iter()
            .filter_map(|run| {
                let own = comparison.runs.remove(&run.run_id)?;
                let compared = own.clone().in_pack(run, baseline.as_ref(), history);
                let (model, slug) = (clean(&run.model), slug_of(&run.run_id));
                Some(PackRunFacts { run, model, slug, compared, own })
            })
            .collect();
        runs.sort_by(|a, b| {
            let score = |run: &PackRunFacts<'_>| run.run.aggregate_score.unwrap_or(f64::MIN);
            score(b).total_cmp(&score(a)).then_with(|| a.run.at.cmp(&b.run.at))
        });
        let members =
            runs.iter().map(|run| Member { compared: &run.compared, name: &run.model, slug: "" });
        let traits = |at: usize| {
            let run = runs[at].run;
            let facts = run.pack_run.as_ref();
            facts.map(|facts| facts.traits(run.eval_protocol_version.clone())).unwrap_or_default()
        };
        let mut cohorts = cohorts(members, traits, &dimensions, baseline.as_ref());
        // A pack's caption says what its runs share, and nothing else.
        let shared: Vec<Dimension> =
            dimensions.iter().copied().filter(|name| *name != Dimension::Pack).collect();
        for cohort in cohorts.iter_mut().filter(|cohort| cohort.id.is_some()) {
            if let Some(first) = cohort.rows.first() {
                cohort.words = clean(&traits(*first).words_of(&shared));
            }
        }
        let pack = config.packs.iter().find(|pack| pack.id == id);
        PackFacts { id, slug: slug_of(id), pack, runs, cohorts, baseline }
    };
    Ok(runs.into_iter().map(pack).collect())
}
