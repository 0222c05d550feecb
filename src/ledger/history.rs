//! The ledger in memory: every line read, runs in order, ready to derive from.
//!
//! What a newcomer gets wrong: the order in the file is the order of recording. Time order is
//! derived, so a run recorded late still falls into its place.

use std::collections::{BTreeMap, HashMap};

use super::line::{BoardLine, Line, Rescore, Retraction, Withdraw};
use super::run::Run;

/// All that was recorded.
#[derive(Debug, Clone, Default)]
pub struct History {
    runs: Vec<Run>,
    ids: HashMap<String, usize>,
    retractions: BTreeMap<String, Retraction>,
    boards: Vec<BoardLine>,
    rescores: BTreeMap<String, Rescore>,
    withdrawals: Vec<Withdraw>,
    /// Per model, the indices of its runs in time order; retracted ones left out.
    models: BTreeMap<String, Vec<usize>>,
    /// Per model and epoch, the same.
    epochs: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
}

/// Why a line does not belong where it stands, though it reads well.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misplaced {
    /// A `run_id` that is taken.
    #[error("repeats the run_id `{0}`")]
    RunId(String),
    /// A retraction of a run nobody recorded.
    #[error("retracts the unknown run `{0}`")]
    RetractsUnknown(String),
    /// A second retraction.
    #[error("retracts the run `{0}` a second time")]
    RetractsTwice(String),
    /// A rescore that names an unknown run.
    #[error("rescores the unknown run `{0}`")]
    RescoresUnknown(String),
    /// A serial that is taken.
    #[error("repeats the board serial {0}")]
    Serial(u64),
}

impl History {
    /// Takes the lines in file order; what does not belong is returned with its index, and left out.
    pub fn of(lines: impl IntoIterator<Item = Line>) -> (Self, Vec<(usize, Misplaced)>) {
        let mut history = Self::default();
        let mut wrong = Vec::new();
        let mut later = Vec::new();
        let lines = lines.into_iter();
        history.runs.reserve(lines.size_hint().0);
        history.ids.reserve(lines.size_hint().0);
        for (index, line) in lines.enumerate() {
            match line {
                Line::Run(run) if history.ids.contains_key(&run.run_id) => {
                    wrong.push((index, Misplaced::RunId(run.run_id)));
                }
                Line::Run(run) => {
                    history.ids.insert(run.run_id.clone(), history.runs.len());
                    history.runs.push(*run);
                }
                Line::Board(line) if history.boards.iter().any(|b| b.serial == line.serial) => {
                    wrong.push((index, Misplaced::Serial(line.serial)));
                }
                Line::Board(line) => history.boards.push(line),
                Line::Withdraw(line) => history.withdrawals.push(line),
                // Which run they speak of is known when all lines are read.
                Line::Retraction(_) | Line::Rescore(_) => later.push((index, line)),
                Line::Reserved => {}
            }
        }
        for (index, line) in later {
            if let Err(misplaced) = history.refer(line) {
                wrong.push((index, misplaced));
            }
        }
        wrong.sort_by_key(|(index, _)| *index);
        history.boards.sort_by_key(|line| line.serial);
        history.withdrawals.sort_by(|a, b| {
            (&a.recorded_at, &a.provider, &a.model).cmp(&(&b.recorded_at, &b.provider, &b.model))
        });
        history.index();
        (history, wrong)
    }

    fn refer(&mut self, line: Line) -> Result<(), Misplaced> {
        match line {
            Line::Retraction(line) => {
                if !self.ids.contains_key(&line.run_id) {
                    return Err(Misplaced::RetractsUnknown(line.run_id));
                }
                if self.retractions.contains_key(&line.run_id) {
                    return Err(Misplaced::RetractsTwice(line.run_id));
                }
                self.retractions.insert(line.run_id.clone(), line);
            }
            Line::Rescore(line) => {
                for id in [&line.of, &line.run_id] {
                    if !self.ids.contains_key(id) {
                        return Err(Misplaced::RescoresUnknown(id.clone()));
                    }
                }
                self.rescores.insert(line.run_id.clone(), line);
            }
            _ => {}
        }
        Ok(())
    }

    fn index(&mut self) {
        let mut order: Vec<usize> = (0..self.runs.len())
            .filter(|&at| !self.retractions.contains_key(&self.runs[at].run_id))
            .collect();
        order.sort_unstable_by(|&a, &b| place(&self.runs[a]).cmp(&place(&self.runs[b])));
        let mut label = String::new();
        for at in order {
            let run = &self.runs[at];
            run.spell_epoch(&mut label);
            entry(&mut self.models, &run.model).push(at);
            entry(entry(&mut self.epochs, &run.model), &label).push(at);
        }
    }

    /// Adds a run that is not known yet, in its place in time.
    pub fn add(&mut self, run: Run) {
        let at = self.runs.len();
        self.ids.insert(run.run_id.clone(), at);
        self.runs.push(run);
        let (runs, run) = (&self.runs, &self.runs[at]);
        let insert = |order: &mut Vec<usize>| {
            let before = order.partition_point(|&other| place(&runs[other]) < place(run));
            order.insert(before, at);
        };
        insert(entry(&mut self.models, &run.model));
        insert(entry(entry(&mut self.epochs, &run.model), &run.epoch()));
    }

    /// The run called `run_id`, retracted or not.
    pub fn run(&self, run_id: &str) -> Option<&Run> {
        self.ids.get(run_id).map(|&at| &self.runs[at])
    }

    /// All runs in the order they were recorded, retracted ones included.
    pub fn recorded(&self) -> &[Run] {
        &self.runs
    }

    /// The models that have runs, sorted.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.models.keys().map(String::as_str)
    }

    /// The runs of `model` in time order.
    pub fn of_model(&self, model: &str) -> impl DoubleEndedIterator<Item = &Run> {
        self.models.get(model).into_iter().flatten().map(|&at| &self.runs[at])
    }

    /// All runs in time order, retracted ones left out.
    pub fn runs(&self) -> Vec<&Run> {
        let mut runs: Vec<&Run> =
            self.models.values().flatten().map(|&at| &self.runs[at]).collect();
        runs.sort_unstable_by_key(|run| place(run));
        runs
    }

    /// The runs of the model of `run` before it in time, latest first.
    pub fn before(&self, run: &Run) -> impl Iterator<Item = &Run> {
        self.earlier(self.models.get(&run.model), run)
    }

    /// The same, within its epoch.
    pub fn before_in_epoch(&self, run: &Run) -> impl Iterator<Item = &Run> + Clone {
        let epochs = self.epochs.get(&run.model);
        // Most models have one epoch, and its label need not be spelt to be found.
        let order = epochs.and_then(|epochs| match epochs.len() {
            1 => epochs.values().next().filter(|order| {
                let known = &self.runs[order[0]];
                (&known.eval_protocol_version, &known.weights_sha16)
                    == (&run.eval_protocol_version, &run.weights_sha16)
            }),
            _ => epochs.get(&run.epoch()),
        });
        self.earlier(order, run)
    }

    fn earlier<'h>(
        &'h self,
        order: Option<&'h Vec<usize>>,
        run: &Run,
    ) -> impl Iterator<Item = &'h Run> + Clone {
        let order = order.map(Vec::as_slice).unwrap_or_default();
        let before = order.partition_point(|&other| place(&self.runs[other]) < place(run));
        order[..before].iter().rev().map(|&at| &self.runs[at])
    }

    /// Why `run_id` was retracted, if it was.
    pub fn retraction(&self, run_id: &str) -> Option<&Retraction> {
        self.retractions.get(run_id)
    }

    /// All retractions, by run.
    pub fn retractions(&self) -> impl Iterator<Item = &Retraction> {
        self.retractions.values()
    }

    /// Of which run `run_id` is the new score, if it is one.
    pub fn rescore(&self, run_id: &str) -> Option<&Rescore> {
        self.rescores.get(run_id)
    }

    /// The boards published, by serial.
    pub fn boards(&self) -> &[BoardLine] {
        &self.boards
    }

    /// The rows withdrawn, by when.
    pub fn withdrawals(&self) -> &[Withdraw] {
        &self.withdrawals
    }
}

/// Where a run stands in the total order: its instant, then the bytes of its id.
fn place(run: &Run) -> (super::Instant, &str) {
    (run.at, &run.run_id)
}

/// Like `entry(key.to_owned()).or_default()`, without a copy where the key is known.
fn entry<'m, V: Default>(map: &'m mut BTreeMap<String, V>, key: &str) -> &'m mut V {
    if !map.contains_key(key) {
        map.insert(key.to_owned(), V::default());
    }
    map.get_mut(key).expect("inserted above")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ledger::{derive_all, weeks};

    /// Lines of every kind: runs of few models, epochs and moments, so that ties are common.
    fn lines() -> impl Strategy<Value = Vec<Line>> {
        let run = (0..3_u8, 0..3_u8, 0..12_u8, proptest::option::of(0..=20_u8), any::<bool>());
        proptest::collection::vec(run, 0..25).prop_map(|runs| {
            let mut lines = Vec::new();
            for (index, (model, epoch, day, score, flag)) in runs.into_iter().enumerate() {
                let score = score.map_or("null".to_owned(), |score| format!("{:.2}", f64::from(score) / 20.0));
                lines.push(format!(
                    r#"{{"run_id":"r{index}","run_at":"2026-05-{:02}T12:00:00Z","model":"m{model}","aggregate_score":{score},"regression_detected":{flag},"eval_protocol_version":"{epoch}","hallucination_rate":0.5}}"#,
                    day + 1
                ));
                if index % 7 == 3 {
                    lines.push(format!(
                        r#"{{"kind":"retraction","run_id":"r{}","reason":"x","recorded_at":"t"}}"#,
                        index - 1
                    ));
                    lines.push(format!(
                        r#"{{"kind":"rescore","run_id":"r{index}","of":"r{}","reason":"x","recorded_at":"t"}}"#,
                        index - 2
                    ));
                    lines.push(format!(
                        r#"{{"kind":"board","board_sha256":"{index}","generated_at":"t","protocol":"1","recorded_at":"t","rows":1,"serial":{index}}}"#
                    ));
                }
            }
            lines.iter().map(|line| Line::read(line.as_bytes()).expect("a line").0).collect()
        })
    }

    fn derived(lines: Vec<Line>) -> (Vec<crate::ledger::Derived>, String, Vec<BoardLine>) {
        let (history, wrong) = History::of(lines);
        assert_eq!(wrong, []);
        let summaries = serde_json::to_string(&weeks(&history)).expect("JSON");
        (derive_all(&history, 0.005), summaries, history.boards().to_vec())
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: Some(Box::new(
                proptest::test_runner::FileFailurePersistence::WithSource("regressions"),
            )),
            ..ProptestConfig::default()
        })]

        #[test]
        fn what_is_derived_does_not_depend_on_the_order_of_the_file(
            (lines, shuffled) in lines().prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle()))
        ) {
            prop_assert_eq!(derived(lines), derived(shuffled));
        }

        #[test]
        fn adding_one_by_one_is_the_same_as_loading(lines in lines()) {
            let mut grown = History::default();
            let runs: Vec<Run> = lines
                .iter()
                .filter_map(|line| match line { Line::Run(run) => Some((**run).clone()), _ => None })
                .collect();
            for run in runs.clone() {
                grown.add(run);
            }
            let (loaded, _) = History::of(runs.into_iter().map(|run| Line::Run(Box::new(run))));
            prop_assert_eq!(derive_all(&grown, 0.005), derive_all(&loaded, 0.005));
        }

        #[test]
        fn regressions_opened_less_resolved_are_those_open(lines in lines()) {
            let (history, _) = History::of(lines);
            let (mut detected, mut resolved) = (0, 0);
            for week in weeks(&history) {
                detected += week.regressions_detected;
                resolved += week.regressions_resolved;
                prop_assert_eq!(detected - resolved, week.regressions_open);
            }
        }
    }
}
