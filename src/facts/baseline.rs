//! How far each run is from its baseline, and why where it cannot be said.
//!
//! Two views of one thing: each run against the baseline of its cohort (the one to show), and
//! each pack against one baseline. A baseline never depends on a filter of the view.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::domain::config::Dimension;
use crate::domain::round6;
use crate::facts::{BaselineError, Evidence, Grade, Mode, Proofs, grade};
use crate::ledger::Instant;

/// A run as it enters the comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct RunToCompare {
    /// Unique.
    pub run_id: String,
    /// Whose run it is; on a board `provider:model`.
    pub model: String,
    /// The board or the pack.
    pub pack: String,
    /// Its cohort, or what is unknown about it.
    pub cohort: Result<String, Vec<Dimension>>,
    /// Whether the run came to its end.
    pub is_completed: bool,
    /// When it was made, as given.
    pub created_at: Option<String>,
    /// Its score, finite.
    pub score: Option<f64>,
    /// What its proofs are worth.
    pub evidence: Evidence,
}

/// Which rule chose a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum BaselineSource {
    /// Named in the config.
    Official,
    /// The earliest completed, scored run.
    Earliest,
}

/// The run others are compared with.
#[derive(Debug, Clone, PartialEq)]
pub struct Baseline {
    /// The run.
    pub run_id: String,
    /// Whose run it is; what people read.
    pub model: String,
    /// Its score.
    pub score: f64,
    /// Which rule chose it.
    pub source: BaselineSource,
    cohort: String,
}

/// A run, compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// What its proofs are worth.
    pub evidence: Evidence,
    /// Its cohort; absent where something about it is unknown.
    pub cohort_id: Option<String>,
    /// Why it is not comparable; empty if it is.
    pub reasons: Vec<String>,
    /// The baseline of its cohort.
    pub baseline: Option<Baseline>,
    /// Whether it is the baseline itself.
    pub is_baseline: bool,
    /// Score minus the baseline's.
    pub delta: Option<f64>,
    /// What a reader must know.
    pub notes: Vec<&'static str>,
}

/// A pack against one baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct PackView {
    /// The pack's baseline.
    pub baseline: Option<Baseline>,
    /// Each completed, scored run: whether it compares, and its delta.
    pub rows: BTreeMap<String, (bool, Option<f64>)>,
}

/// Everything compared.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BaselineComparison {
    /// Each run against its cohort's baseline.
    pub runs: BTreeMap<String, Compared>,
    /// Each pack against its own.
    pub packs: BTreeMap<String, PackView>,
}

/// What a machine-readable page carries about a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own")]
pub struct RowComparison<'c> {
    /// Whether the row could be done again and checked.
    pub is_reproducible: bool,
    /// `full`, `weak` or `none`.
    pub grade: Grade,
    /// Whether its bundle was replayed here and gave the published numbers.
    pub is_verified: bool,
    /// Whether the delta means something.
    pub is_comparable: bool,
    /// Score minus the baseline's.
    pub delta_from_baseline: Option<f64>,
    /// The baseline's score.
    pub baseline_score: Option<f64>,
    /// The run the row is compared with.
    pub baseline_run_id: Option<&'c str>,
    /// Whose run that is.
    pub baseline_model: Option<&'c str>,
    /// `official` or `earliest`.
    pub baseline_source: Option<BaselineSource>,
    /// Whether it is the baseline itself.
    pub is_baseline: bool,
    /// The cohort within which it compares; null where something about it is unknown.
    pub cohort_id: Option<&'c str>,
    /// Why it is not comparable, and what is wrong with its evidence.
    pub reasons: Vec<&'c str>,
}

impl<'c> From<&'c Compared> for RowComparison<'c> {
    fn from(compared: &'c Compared) -> Self {
        let baseline = compared.baseline.as_ref();
        let reasons = compared.reasons.iter().chain(&compared.evidence.problems);
        Self {
            is_reproducible: compared.evidence.is_reproducible(),
            grade: compared.evidence.grade,
            is_verified: compared.evidence.verified,
            is_comparable: compared.is_comparable(),
            delta_from_baseline: compared.delta,
            baseline_score: baseline.map(|baseline| baseline.score),
            baseline_run_id: baseline.map(|baseline| baseline.run_id.as_str()),
            baseline_model: baseline.map(|baseline| baseline.model.as_str()),
            baseline_source: baseline.map(|baseline| baseline.source),
            is_baseline: compared.is_baseline,
            cohort_id: compared.cohort_id.as_deref(),
            reasons: reasons.map(String::as_str).collect(),
        }
    }
}

impl BaselineSource {
    /// Which run was chosen: `official` or `earliest completed`.
    pub fn label(self) -> &'static str {
        match self {
            Self::Official => "official",
            Self::Earliest => "earliest completed",
        }
    }
}

impl Baseline {
    /// The cohort it is of.
    pub fn cohort(&self) -> &str {
        &self.cohort
    }

    /// `Δ relative to openai:gpt-4.1-mini (0.804), the earliest completed run of this cohort`.
    pub fn describe(&self) -> String {
        let rule = self.source.label();
        format!("Δ relative to {} ({:.3}), the {rule} run of this cohort", self.model, self.score)
    }

    /// Δ of a run with this score.
    pub fn delta(&self, score: f64) -> f64 {
        round6(score - self.score)
    }
}

impl Compared {
    /// A run of which nothing is known, and why it is not comparable.
    pub fn alone(reason: &str) -> Self {
        Self {
            evidence: grade(&Proofs::default(), Mode::Board),
            cohort_id: None,
            reasons: vec![reason.to_owned()],
            baseline: None,
            is_baseline: false,
            delta: None,
            notes: Vec::new(),
        }
    }

    /// Whether its delta may be read as better or worse.
    pub fn is_comparable(&self) -> bool {
        self.reasons.is_empty()
    }

    /// Why it is not comparable, each reason in a few words; nothing where it is.
    pub fn reason_words(&self) -> Vec<String> {
        let words = |reason: &String| match reason.as_str() {
            "no_baseline" => "no baseline yet".to_owned(),
            "no_score" => "no score yet".to_owned(),
            "not_completed" => "not completed".to_owned(),
            "other_scoring_mode" => "scored in another mode than the baseline".to_owned(),
            reason => match reason.strip_prefix("unknown:").and_then(Dimension::parse) {
                Some(dimension) => format!("{} unknown", dimension.word()),
                None => reason.replace('_', " "),
            },
        };
        self.reasons.iter().map(words).collect()
    }
}

/// Which runs may be the earliest of a cohort, and what happens if two share that instant.
#[derive(Debug, Clone, Copy)]
pub(super) enum Earliest<'r> {
    /// Any completed, scored run; of two at one instant the one with the smaller id.
    Any,
    /// Only these runs; if two share the instant there is no earliest.
    Single(&'r BTreeSet<String>),
}

/// Compares `all_runs`; all problems with the official baselines are returned.
pub fn compare(
    all_runs: &[RunToCompare],
    official: &[String],
    mode: Mode,
) -> Result<BaselineComparison, Vec<BaselineError>> {
    compare_by(all_runs, official, mode, Earliest::Any)
}

/// [`compare`] with a rule for the earliest run.
pub(super) fn compare_by(
    all_runs: &[RunToCompare],
    official: &[String],
    mode: Mode,
    rule: Earliest<'_>,
) -> Result<BaselineComparison, Vec<BaselineError>> {
    let mut ids = BTreeSet::new();
    let duplicates: Vec<BaselineError> = all_runs
        .iter()
        .filter(|run| !ids.insert(&run.run_id))
        .map(|run| BaselineError::DuplicateRunId(run.run_id.clone()))
        .collect();
    if !duplicates.is_empty() {
        return Err(duplicates);
    }
    let official = match mode {
        Mode::Adr => Officials::new(),
        Mode::Board => officials(all_runs, official)?,
    };
    let cohorts = cohort_baselines(all_runs, &official, rule);
    let runs = all_runs
        .iter()
        .map(|run| (run.run_id.clone(), compared(run, &cohorts, &official, mode)))
        .collect();
    let packs: BTreeSet<&str> = all_runs.iter().map(|run| run.pack.as_str()).collect();
    let packs = packs
        .into_iter()
        .map(|pack| (pack.to_owned(), pack_view(all_runs, pack, &official, (mode, rule))))
        .collect();
    Ok(BaselineComparison { runs, packs })
}

/// The deltas that are not the same in both: the run, what it was, what it is.
pub fn moved_deltas(
    old: &BaselineComparison,
    new: &BaselineComparison,
) -> Vec<(String, Option<f64>, Option<f64>)> {
    let before = |run_id: &String| old.runs.get(run_id).and_then(|compared| compared.delta);
    new.runs
        .iter()
        .map(|(run_id, compared)| (run_id.clone(), before(run_id), compared.delta))
        .filter(|(_, old, new)| old.map(f64::to_bits) != new.map(f64::to_bits))
        .collect()
}

/// Pack and cohort.
type Group<'e> = (&'e str, &'e str);
type Officials<'e> = BTreeMap<Group<'e>, &'e RunToCompare>;

fn group(run: &RunToCompare) -> Option<Group<'_>> {
    run.cohort.as_ref().ok().map(|cohort| (run.pack.as_str(), cohort.as_str()))
}

fn officials<'e>(
    all_runs: &'e [RunToCompare],
    official: &[String],
) -> Result<Officials<'e>, Vec<BaselineError>> {
    let mut chosen: Officials<'e> = BTreeMap::new();
    let mut errors = Vec::new();
    let mut twice = Vec::new();
    let names: BTreeSet<&String> = official.iter().collect();
    let by_name = |name: &String| all_runs.iter().find(|run| run.run_id == *name);
    for name in official.iter().filter(|name| by_name(name).is_none()) {
        errors.push(BaselineError::Unknown(name.clone(), None));
    }
    for run in names.into_iter().filter_map(by_name) {
        let usable = run.is_completed && run.score.is_some();
        match group(run).filter(|_| usable) {
            None => errors.push(BaselineError::Unusable(run.run_id.clone())),
            Some(group) => {
                if let Some(other) = chosen.insert(group, run) {
                    // Names come sorted, so the one before is the smaller.
                    let pair = (other.run_id.clone(), run.run_id.clone());
                    twice.push(BaselineError::Duplicate(pair.0, pair.1));
                }
            }
        }
    }
    errors.append(&mut twice);
    if errors.is_empty() { Ok(chosen) } else { Err(errors) }
}

/// A completed, scored run of a known cohort and time.
fn is_candidate(run: &RunToCompare) -> bool {
    run.is_completed && run.score.is_some() && run.cohort.is_ok() && moment(run).is_some()
}

fn moment(run: &RunToCompare) -> Option<Instant> {
    run.created_at.as_deref().and_then(Instant::parse)
}

/// Time, then the bytes of the id; no time is latest.
fn place(run: &RunToCompare) -> (bool, Option<Instant>, &str) {
    let moment = moment(run);
    (moment.is_none(), moment, &run.run_id)
}

fn baseline(run: &RunToCompare, source: BaselineSource) -> Option<Baseline> {
    Some(Baseline {
        run_id: run.run_id.clone(),
        model: run.model.clone(),
        score: run.score?,
        source,
        cohort: run.cohort.clone().ok()?,
    })
}

/// The earliest of `candidates` by `rule`.
fn earliest<'e>(candidates: &[&'e RunToCompare], rule: Earliest<'_>) -> Option<&'e RunToCompare> {
    let Earliest::Single(ids) = rule else {
        return candidates.iter().copied().min_by_key(|run| place(run));
    };
    let allowed = || candidates.iter().copied().filter(|run| ids.contains(&run.run_id));
    let first = allowed().min_by_key(|run| place(run))?;
    let at_once = allowed().filter(|run| moment(run) == moment(first)).count();
    (at_once == 1).then_some(first)
}

fn cohort_baselines<'e>(
    all_runs: &'e [RunToCompare],
    official: &Officials<'e>,
    rule: Earliest<'_>,
) -> BTreeMap<Group<'e>, Baseline> {
    let mut candidates: BTreeMap<Group<'e>, Vec<&RunToCompare>> = BTreeMap::new();
    for run in all_runs.iter().filter(|run| is_candidate(run)) {
        if let Some(group) = group(run) {
            candidates.entry(group).or_default().push(run);
        }
    }
    let chosen = candidates.into_iter().filter_map(|(group, runs)| {
        Some((group, earliest(&runs, rule)?, BaselineSource::Earliest))
    });
    let named = official.iter().map(|(group, run)| (*group, *run, BaselineSource::Official));
    // The official ones come last and replace the earliest.
    chosen
        .chain(named)
        .filter_map(|(group, run, source)| Some((group, baseline(run, source)?)))
        .collect()
}

fn compared(
    run: &RunToCompare,
    cohorts: &BTreeMap<Group<'_>, Baseline>,
    official: &Officials<'_>,
    mode: Mode,
) -> Compared {
    let group = group(run);
    let baseline = group.and_then(|group| cohorts.get(&group)).cloned();
    let mut reasons: Vec<String> = match &run.cohort {
        Err(unknown) => unknown.iter().map(|name| format!("unknown:{}", name.as_str())).collect(),
        Ok(_) if baseline.is_none() => vec!["no_baseline".into()],
        Ok(_) => Vec::new(),
    };
    if run.score.is_none() {
        reasons.push("no_score".into());
    }
    if mode == Mode::Board && !run.is_completed {
        reasons.push("not_completed".into());
    }
    let mut notes = Vec::new();
    if moment(run).is_none() {
        notes.push("bad_created_at");
    }
    let elsewhere = official.keys().any(|(pack, _)| *pack == run.pack);
    if group.is_some_and(|group| !official.contains_key(&group)) && elsewhere {
        notes.push("official_baseline_in_other_cohort");
    }
    let scored = baseline.as_ref().zip(run.score).filter(|_| reasons.is_empty());
    let delta = scored.map(|(baseline, score)| baseline.delta(score));
    Compared {
        evidence: run.evidence.clone(),
        cohort_id: run.cohort.clone().ok(),
        is_baseline: baseline.as_ref().is_some_and(|base| base.run_id == run.run_id),
        reasons,
        baseline,
        delta,
        notes,
    }
}

fn pack_view(
    all_runs: &[RunToCompare],
    pack: &str,
    official: &Officials<'_>,
    (mode, rule): (Mode, Earliest<'_>),
) -> PackView {
    let of_pack = || all_runs.iter().filter(|run| run.pack == pack);
    let named: Vec<&RunToCompare> =
        official.values().copied().filter(|run| run.pack == pack).collect();
    let baseline = match named[..] {
        [] => {
            let candidates: Vec<&RunToCompare> =
                of_pack().filter(|run| is_candidate(run)).collect();
            earliest(&candidates, rule).and_then(|run| baseline(run, BaselineSource::Earliest))
        }
        [one] => baseline(one, BaselineSource::Official),
        _ => {
            let ids = named.iter().map(|run| run.run_id.clone()).collect();
            // Several are official: the earliest is taken, recorded or not. On a board a tie in time means none.
            let rule = match rule {
                Earliest::Any => Earliest::Any,
                Earliest::Single(_) => Earliest::Single(&ids),
            };
            earliest(&named, rule).and_then(|run| baseline(run, BaselineSource::Official))
        }
    };
    let rows = of_pack()
        .filter(|run| run.is_completed)
        .filter_map(|run| {
            let score = run.score?;
            let is_comparable =
                baseline.as_ref().is_some_and(|base| run.cohort.as_ref() == Ok(&base.cohort));
            let shown = baseline.as_ref().filter(|_| is_comparable || mode == Mode::Adr);
            let delta = shown.map(|base| base.delta(score));
            Some((run.run_id.clone(), (is_comparable, delta)))
        })
        .collect();
    PackView { baseline, rows }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::ReplayCheck;

    #[test]
    fn a_row_says_why_it_has_no_delta_and_what_is_wrong_with_its_evidence() {
        let bundle = Some(("a0cab7b3f7de44b4".to_owned(), ReplayCheck::Mismatch));
        let evidence = grade(&Proofs { bundle, ..Proofs::default() }, Mode::Board);
        assert_eq!(evidence.describe(), "the bundle here gives other numbers or another hash");
        let compared = Compared {
            evidence,
            reasons: vec!["unknown:judge_model".into(), "no_score".into()],
            ..Compared::alone("")
        };
        assert_eq!(compared.reason_words(), ["judge unknown", "no score yet"]);
        let row = RowComparison::from(&compared);
        assert_eq!(row.reasons, ["unknown:judge_model", "no_score", "bundle_mismatch"]);
        let problems = ["vacuous:a:x", "vacuous:b:x", "unhashed:c", "missing:c:x"];
        let evidence =
            Evidence { problems: problems.map(str::to_owned).into(), ..compared.evidence };
        assert_eq!(
            evidence.describe(),
            "1 hash missing; 1 task without hashes; 2 hashes of nothing"
        );
    }
}
