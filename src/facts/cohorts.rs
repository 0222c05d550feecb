//! Which rows may be compared, and with what baseline. Each cohort gets a table of its own, because
//! scores made under different conditions do not compare.
//!
//! A row with an unknown scoring condition is in no cohort, not even with others like it. Such rows
//! share the last table.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::board::Board;
use crate::domain::config::{Config, Dimension};
use crate::domain::{capital, clean};
use crate::facts::{
    self, Baseline, BaselineError, BaselineSource, Compared, Replays, ScoringConditions,
};
use crate::ledger::History;

/// Every row against the baseline of its cohort.
#[derive(Debug, Default)]
pub(crate) struct Comparisons {
    rows: BTreeMap<String, Compared>,
    /// The one baseline of the whole board.
    pub(crate) board: Option<Baseline>,
    /// The names of the rows, and the ids of their runs.
    pub(crate) names: BTreeSet<String>,
    /// SHA-256 of the public prompts, for rows whose bundle is not at hand.
    pub(crate) public_set: Option<String>,
}

impl Comparisons {
    /// Compares the rows; official baselines that do not hold are an error, as they are for `build`.
    pub(crate) fn compare(
        board: &Board,
        config: &Config,
        evidence: &Replays<'_>,
        history: &History,
    ) -> Result<Self, Vec<BaselineError>> {
        let facts = facts::bundle_facts(board, evidence);
        match facts::board_comparison(board, &facts, config, history) {
            Ok((mut comparison, ids)) => Ok(Self {
                names: ids.iter().flat_map(|(row, run)| [row.clone(), run.clone()]).collect(),
                public_set: facts::public_set(board, &facts, config),
                board: comparison.packs.remove(facts::BOARD_PACK).and_then(|pack| pack.baseline),
                rows: ids
                    .into_iter()
                    .filter_map(|(row, run)| Some((row, comparison.runs.remove(&run)?)))
                    .collect(),
            }),
            // `verify` reports duplicate rows; the page shows them without a comparison.
            Err(errors) if errors.iter().all(is_duplicate) => Ok(Self::default()),
            Err(errors) => Err(errors),
        }
    }

    /// How the row called `id` compares.
    pub(crate) fn take(&mut self, id: &str) -> Compared {
        self.rows.remove(id).unwrap_or_else(|| Compared::alone("duplicate_run_id"))
    }
}

fn is_duplicate(error: &BaselineError) -> bool {
    matches!(error, BaselineError::DuplicateRunId(_))
}

/// Rows that may be compared.
#[derive(Debug, Default)]
pub(crate) struct Cohort {
    /// Its id; absent for the rows of which something is unknown.
    pub(crate) id: Option<String>,
    /// What distinguishes it from the others of this board; empty if it is the only one.
    pub(crate) heading: String,
    /// All that its rows share: `protocol 1 · judge ×3 · set b8faa2dc`.
    pub(crate) words: String,
    /// Its rows, best first.
    pub(crate) rows: Vec<usize>,
    /// What they are compared with.
    pub(crate) reference: Option<Reference>,
}

/// A baseline with a name to it.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) run_id: String,
    pub(crate) score: f64,
    pub(crate) source: BaselineSource,
    /// Whose run it is: `provider:model` on a board.
    pub(crate) id: String,
    /// The name that pages show: for a row of the board its model alone.
    pub(crate) model: String,
    /// The page of the row that it is; empty if it is a run of the past.
    pub(crate) slug: String,
}

/// One who may be in a cohort.
pub(crate) struct Member<'m> {
    pub(crate) compared: &'m Compared,
    /// Its name, harmless to show.
    pub(crate) name: &'m str,
    /// Its page; empty if it has none.
    pub(crate) slug: &'m str,
}

/// The cohorts of `members`, which are best first: the one of the official baseline of the `whole`
/// first, else the largest; those of unknown cohort last. Without any row there is one cohort, empty.
pub(crate) fn cohorts<'m>(
    members: impl Iterator<Item = Member<'m>>,
    traits: impl Fn(usize) -> ScoringConditions,
    dimensions: &[Dimension],
    whole: Option<&Baseline>,
) -> Vec<Cohort> {
    let mut places: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    let mut found: Vec<Cohort> = Vec::new();
    for (at, member) in members.enumerate() {
        let id = member.compared.cohort_id.as_deref();
        let place = *places.entry(id).or_insert_with(|| {
            found.push(Cohort {
                id: id.map(str::to_owned),
                heading: String::new(),
                words: clean(&traits(at).describe()),
                rows: Vec::new(),
                reference: member.compared.baseline.as_ref().map(reference),
            });
            found.len() - 1
        });
        let cohort = &mut found[place];
        cohort.rows.push(at);
        if let Some(reference) = cohort.reference.as_mut().filter(|_| member.compared.is_baseline) {
            member.name.clone_into(&mut reference.model);
            member.slug.clone_into(&mut reference.slug);
        }
    }
    if found.is_empty() {
        found.push(Cohort::default());
    }
    let official = whole.filter(|baseline| baseline.source == BaselineSource::Official);
    let official = official.map(Baseline::cohort);
    found.sort_by_key(|cohort| {
        let is_first = cohort.id.is_some() && cohort.id.as_deref() == official;
        (cohort.id.is_none(), !is_first, Reverse(cohort.rows.len()), cohort.rows.first().copied())
    });
    if found.len() > 1 {
        head(&mut found, traits, dimensions);
    }
    found
}

/// Names what distinguishes the cohorts.
fn head(
    found: &mut [Cohort],
    traits: impl Fn(usize) -> ScoringConditions,
    dimensions: &[Dimension],
) {
    let first = |cohort: &Cohort| cohort.rows.first().map(|at| traits(*at)).unwrap_or_default();
    let known: Vec<ScoringConditions> =
        found.iter().filter(|c| c.id.is_some()).map(first).collect();
    let differing = facts::differing(&known, dimensions);
    for cohort in found {
        cohort.heading = match &cohort.id {
            Some(_) if differing.is_empty() => capital(&cohort.words),
            Some(_) => capital(&clean(&first(cohort).words_of(&differing))),
            None => "Not comparable: scoring conditions unknown".to_owned(),
        };
    }
}

fn reference(baseline: &Baseline) -> Reference {
    Reference {
        run_id: clean(&baseline.run_id),
        score: baseline.score,
        source: baseline.source,
        id: clean(&baseline.model),
        model: clean(&baseline.model),
        slug: String::new(),
    }
}
