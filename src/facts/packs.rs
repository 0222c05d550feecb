//! The packs: results of other programs that were recorded as runs, each against its baseline.
//!
//! Nothing is read from the results files here: `record` chose field by field what the ledger holds.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::config::{Config, Dimension, Pack, PackTask};
use crate::domain::{clean, round6, slug_of};
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

/// One task of a run, beside that of its baseline.
#[derive(Debug)]
pub(crate) struct TaskFacts<'a> {
    pub(crate) name: &'a str,
    /// How it is scored; absent if the config does not have it.
    pub(crate) task: Option<&'a PackTask>,
    pub(crate) score: Option<f64>,
    /// The score of the baseline's run.
    pub(crate) baseline: Option<f64>,
    /// The one minus the other.
    pub(crate) delta: Option<f64>,
}

impl<'a> PackFacts<'a> {
    /// The run that `of` is compared with in its cohort; absent if that is `of` itself.
    pub(crate) fn baseline_run(&self, of: &PackRunFacts<'a>) -> Option<&'a Run> {
        let baseline = of.own.baseline.as_ref().filter(|_| !of.own.is_baseline)?;
        self.runs.iter().map(|of| of.run).find(|run| run.run_id == baseline.run_id)
    }

    /// The tasks of `of`: those of the config or, if it does not have the pack, those of the run.
    pub(crate) fn tasks(&self, of: &PackRunFacts<'a>) -> Vec<TaskFacts<'a>> {
        let names: Vec<&'a str> = match self.pack {
            Some(pack) => pack.tasks.iter().map(|task| task.name.as_str()).collect(),
            None => of.run.dataset_scores.keys().map(String::as_str).collect(),
        };
        let other = self.baseline_run(of);
        let facts = |name: &'a str| {
            let score = of.run.dataset_scores.get(name).copied();
            let baseline = other.and_then(|other| other.dataset_scores.get(name).copied());
            let delta = score.zip(baseline).map(|(score, baseline)| round6(score - baseline));
            let task = self.pack.and_then(|pack| pack.tasks.iter().find(|task| task.name == name));
            TaskFacts { name, task, score, baseline, delta }
        };
        names.into_iter().map(facts).collect()
    }
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
