//! The ledger in memory: every line parsed, runs in time order, ready to derive from.
//!
//! The order in the file is the order of recording. Time order is derived, so a run recorded late
//! still falls into its place, and no result depends on the order of the lines.

mod load;

pub use load::Misplaced;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::held_out_log::{Attempt, Commit, Exposure, Reveal};
use super::instant::Instant;
use super::line::{BoardLine, Rescore, Retraction, Withdraw};
use super::run::Run;

/// All that was recorded.
#[derive(Debug, Clone, Default)]
pub struct History {
    runs: Vec<Run>,
    ids: HashMap<String, usize>,
    /// One per run of `runs`.
    fates: Vec<Fate>,
    retractions: BTreeMap<String, Retraction>,
    boards: Vec<BoardLine>,
    /// By the run that holds the new score.
    rescores: BTreeMap<String, Rescore>,
    withdrawals: Vec<Withdraw>,
    attempts: Vec<Attempt>,
    exposures: Vec<Exposure>,
    commits: BTreeMap<String, Commit>,
    reveals: BTreeMap<String, Reveal>,
    /// Per model, the indices of its live runs in time order.
    models: BTreeMap<String, Vec<usize>>,
    /// Per model and epoch, the same.
    epochs: BTreeMap<String, BTreeMap<String, Vec<usize>>>,
}

/// Whether a run counts. Every view shows live runs and no others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Live,
    /// Rescored; the run at this index counts instead.
    Superseded(usize),
    /// Taken out by the retraction of the run at this index: itself, or what it was rescored from.
    Retracted(usize),
    /// Not of the epoch this history was limited to.
    OtherEpoch,
}

impl History {
    /// The ledger seen in one epoch: its runs count even where they were rescored into
    /// another epoch since, and no others do.
    #[must_use]
    pub fn in_epoch(&self, epoch: &str) -> Self {
        let mut history = self.clone();
        history.settle(Some(epoch));
        history.index();
        history
    }

    /// The epochs of all runs that were not retracted, sorted.
    pub fn epochs(&self) -> BTreeSet<String> {
        let runs = self.runs.iter().zip(&self.fates);
        let kept = runs.filter(|(_, fate)| !matches!(fate, Fate::Retracted(_)));
        kept.map(|(run, _)| run.epoch()).collect()
    }

    /// Adds a run that is not known yet, in its place in time.
    pub fn add(&mut self, run: Run) {
        let at = self.runs.len();
        self.ids.insert(run.run_id.clone(), at);
        self.fates.push(Fate::Live);
        self.runs.push(run);
        let (runs, run) = (&self.runs, &self.runs[at]);
        let insert = |order: &mut Vec<usize>| {
            let before = order.partition_point(|&other| place(&runs[other]) < place(run));
            order.insert(before, at);
        };
        insert(entry(&mut self.models, &run.model));
        insert(entry(entry(&mut self.epochs, &run.model), &run.epoch()));
    }

    /// The run called `run_id`, live or not.
    pub fn run(&self, run_id: &str) -> Option<&Run> {
        self.ids.get(run_id).map(|&at| &self.runs[at])
    }

    /// All runs in the order they were recorded, live or not.
    pub fn recorded(&self) -> &[Run] {
        &self.runs
    }

    /// Whether the run called `run_id` counts: neither retracted nor superseded.
    pub fn is_live(&self, run_id: &str) -> bool {
        self.fate(run_id) == Some(Fate::Live)
    }

    fn fate(&self, run_id: &str) -> Option<Fate> {
        self.ids.get(run_id).map(|&at| self.fates[at])
    }

    /// The run that counts instead of `run_id`, because it holds a newer score of it.
    pub fn superseded_by(&self, run_id: &str) -> Option<&Run> {
        match self.fate(run_id)? {
            Fate::Superseded(by) => Some(&self.runs[by]),
            _ => None,
        }
    }

    /// The run that counts instead of `run_id`: a newer score of it or, where it was retracted, of
    /// the run it was rescored from.
    pub fn instead_of(&self, run_id: &str) -> Option<&Run> {
        let mut run_id = run_id;
        loop {
            match self.fate(run_id)? {
                Fate::Live => return self.run(run_id),
                Fate::Superseded(by) => return Some(&self.runs[by]),
                Fate::Retracted(_) => run_id = &self.rescores.get(run_id)?.of,
                Fate::OtherEpoch => return None,
            }
        }
    }

    /// The models that have runs, sorted.
    pub fn models(&self) -> impl Iterator<Item = &str> {
        self.models.keys().map(String::as_str)
    }

    /// The live runs of `model` in time order.
    pub fn of_model(&self, model: &str) -> impl DoubleEndedIterator<Item = &Run> {
        self.models.get(model).into_iter().flatten().map(|&at| &self.runs[at])
    }

    /// All live runs in time order.
    pub fn runs(&self) -> Vec<&Run> {
        let mut runs: Vec<&Run> =
            self.models.values().flatten().map(|&at| &self.runs[at]).collect();
        runs.sort_unstable_by_key(|run| place(run));
        runs
    }

    /// The live runs of the model of `run` before it in time, latest first.
    pub fn before(&self, run: &Run) -> impl Iterator<Item = &Run> {
        self.earlier(self.models.get(&run.model), run)
    }

    /// Earlier runs of the same model and epoch, latest first.
    pub fn before_in_epoch(&self, run: &Run) -> impl Iterator<Item = &Run> + Clone {
        let epochs = self.epochs.get(&run.model);
        // Most models have one epoch, and its label need not be built to be found.
        let order = epochs.and_then(|epochs| match epochs.len() {
            1 => epochs.values().next().filter(|order| {
                let known = &self.runs[order[0]];
                (&known.eval_protocol_version, &known.conditions_id)
                    == (&run.eval_protocol_version, &run.conditions_id)
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

    /// The line that retracts `run_id`: its own, or that of a run it was rescored from.
    pub fn retraction(&self, run_id: &str) -> Option<&Retraction> {
        match self.fate(run_id)? {
            Fate::Retracted(by) => self.retractions.get(&self.runs[by].run_id),
            _ => None,
        }
    }

    /// All retractions, by run.
    pub fn retractions(&self) -> impl Iterator<Item = &Retraction> {
        self.retractions.values()
    }

    /// Of which run `run_id` is the new score, if it is one.
    pub fn rescore(&self, run_id: &str) -> Option<&Rescore> {
        self.rescores.get(run_id)
    }

    /// The weights id of the latest recalibration that has live runs: what new runs must carry.
    pub fn current_weights(&self) -> Option<&str> {
        let live = self.rescores.values().filter(|line| self.is_live(&line.run_id));
        let latest = live.max_by_key(|line| (Instant::parse(&line.recorded_at), &line.run_id))?;
        latest.new_weights_sha16.as_deref()
    }

    /// The scorings of the held-out set, in the order they were recorded.
    pub fn attempts(&self) -> &[Attempt] {
        &self.attempts
    }

    /// The last scoring of a row's held-out bundle under a protocol version.
    pub fn last_attempt(&self, protocol: &str, provider: &str, model: &str) -> Option<&Attempt> {
        let mut attempts = self.attempts.iter().rev();
        attempts.find(|line| {
            (&*line.protocol, &*line.provider, &*line.model) == (protocol, provider, model)
        })
    }

    /// Who saw held-out requests, in the order it was recorded.
    pub fn exposures(&self) -> &[Exposure] {
        &self.exposures
    }

    /// The commitment to the held-out set of a protocol version.
    pub fn commit(&self, protocol: &str) -> Option<&Commit> {
        self.commits.get(protocol)
    }

    /// All commitments, by protocol version.
    pub fn commits(&self) -> impl Iterator<Item = &Commit> {
        self.commits.values()
    }

    /// The protocol versions whose held-out set was revealed.
    pub fn revealed(&self) -> impl Iterator<Item = &str> {
        self.reveals.keys().map(String::as_str)
    }

    /// What opens the commitment of a protocol version.
    pub fn reveal(&self, protocol: &str) -> Option<&Reveal> {
        self.reveals.get(protocol)
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

/// The position of a run in the total order: its instant, then the bytes of its id.
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
    use crate::ledger::{Line, derive_all, weeks};

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
                        r#"{{"run_id":"r{index}x","run_at":"2026-05-{:02}T12:00:00Z","model":"m{model}","aggregate_score":{score},"eval_protocol_version":"{epoch}","weights_sha16":"w"}}"#,
                        day + 1
                    ));
                    lines.push(format!(
                        r#"{{"kind":"rescore","run_id":"r{index}x","of":"r{index}","reason":"x","recorded_at":"t"}}"#
                    ));
                    lines.push(format!(
                        r#"{{"kind":"board","board_sha256":"{index}","generated_at":"t","protocol":"1","recorded_at":"t","rows":1,"serial":{index}}}"#
                    ));
                }
            }
            lines.iter().map(|line| Line::read(line.as_bytes()).expect("a line").0).collect()
        })
    }

    fn run(id: &str, weights: &str) -> String {
        format!(
            r#"{{"run_id":"{id}","run_at":"2026-05-04T12:00:00Z","model":"m","weights_sha16":"{weights}"}}"#
        )
    }

    fn rescore(id: &str, of: &str, recorded_at: &str) -> String {
        format!(
            r#"{{"kind":"rescore","run_id":"{id}","of":"{of}","reason":"x","new_weights_sha16":"w-{id}","recorded_at":"{recorded_at}"}}"#
        )
    }

    fn retract(id: &str) -> String {
        format!(r#"{{"kind":"retraction","run_id":"{id}","reason":"x","recorded_at":"t"}}"#)
    }

    fn load(lines: &[String]) -> (History, Vec<(usize, Misplaced)>) {
        History::from_lines(lines.iter().map(|line| Line::read(line.as_bytes()).expect(line).0))
    }

    fn live(lines: &[String]) -> Vec<String> {
        let (history, wrong) = load(lines);
        assert_eq!(wrong, []);
        history.runs().into_iter().map(|run| run.run_id.clone()).collect()
    }

    #[test]
    fn a_rescored_run_supersedes_and_a_retraction_restores_the_one_before() {
        let chain = vec![
            run("a", "1"),
            run("b", "2"),
            run("c", "3"),
            rescore("b", "a", "2026-06-01T00:00:00Z"),
            rescore("c", "b", "2026-06-02T00:00:00Z"),
        ];
        let with = |more: &[&str]| {
            let more: Vec<String> = more.iter().map(|id| retract(id)).collect();
            live(&[chain.clone(), more].concat())
        };
        assert_eq!(with(&[]), ["c"]);
        assert_eq!(with(&["c"]), ["b"]);
        assert_eq!(with(&["c", "b"]), ["a"]);
        assert_eq!(with(&["b"]), ["a"], "what was rescored from b goes with it");
        assert_eq!(with(&["a"]), Vec::<String>::new());
        let (history, _) = load(&chain);
        assert_eq!(history.superseded_by("a").map(|run| run.run_id.as_str()), Some("c"));
        assert_eq!(history.current_weights(), Some("w-c"));
        assert_eq!(history.epochs().into_iter().collect::<Vec<_>>(), ["/1", "/2", "/3"]);
        let other = history.in_epoch("/2");
        assert!(other.is_live("b") && !other.is_live("a") && !other.is_live("c"));
        assert_eq!(other.models().count(), 1);
    }

    #[test]
    fn of_two_runs_rescored_from_one_the_last_counts() {
        let siblings = |b: &str, c: &str| {
            vec![
                run("a", "1"),
                run("b", "2"),
                run("c", "3"),
                rescore("b", "a", b),
                rescore("c", "a", c),
            ]
        };
        let (early, late) = ("2026-06-01T00:00:00Z", "2026-06-02T00:00:00Z");
        assert_eq!(live(&siblings(early, late)), ["c"]);
        assert_eq!(live(&siblings(late, early)), ["b"]);
        let retracted = [siblings(early, late), vec![retract("c")]].concat();
        assert_eq!(live(&retracted), ["b"]);
    }

    #[test]
    fn rescore_lines_that_make_no_sense_are_named() {
        let other = run("o", "1").replace(r#""model":"m""#, r#""model":"n""#);
        let base = vec![run("a", "1"), run("b", "2"), other];
        let t = "2026-06-01T00:00:00Z";
        for (more, words) in [
            (vec![rescore("a", "a", t)], vec!["rescores `a` from itself"]),
            (
                vec![rescore("a", "b", t), rescore("b", "a", t)],
                vec!["rescores `a` from itself", "rescores `b` from itself"],
            ),
            (
                vec![rescore("b", "a", t), rescore("b", "a", t)],
                vec!["names `b` as a rescored run a second time"],
            ),
            (vec![rescore("b", "zz", t)], vec!["rescores the unknown run `zz`"]),
            (vec![rescore("o", "a", t)], vec!["rescores `a` as `o`, a run of another model"]),
        ] {
            let (_, wrong) = load(&[base.clone(), more].concat());
            let said: Vec<String> = wrong.iter().map(|(_, wrong)| wrong.to_string()).collect();
            assert_eq!(said, words);
            assert!(wrong.iter().all(|(index, _)| *index >= 3));
        }
    }

    #[test]
    fn held_out_lines_are_kept_and_contradictions_named() {
        let commit = |protocol: &str, byte: &str| {
            let digest = byte.repeat(32);
            format!(
                r#"{{"kind":"commit","protocol":"{protocol}","recorded_at":"t","set_commitment":"{digest}"}}"#
            )
        };
        let reveal = |protocol: &str, byte: &str| {
            let (salt, digest) = ("00".repeat(32), byte.repeat(32));
            format!(
                r#"{{"kind":"reveal","protocol":"{protocol}","recorded_at":"t","salt":"{salt}","set_commitment":"{digest}"}}"#
            )
        };
        let attempt = |number: u64| {
            format!(
                r#"{{"attempt":{number},"kind":"attempt","model":"m","protocol":"1","provider":"p","recorded_at":"t","row_commitment":null,"workflow_run":null,"workflow_url":null}}"#
            )
        };
        let good = vec![commit("1", "ab"), attempt(1), attempt(2), reveal("1", "ab")];
        let (history, wrong) = load(&good);
        assert_eq!(wrong, []);
        assert_eq!(history.attempts().len(), 2);
        assert!(history.commit("1").is_some() && history.reveal("1").is_some());
        for (line, words) in [
            (attempt(2), "repeats attempt 2 of `p:m` under protocol `1`"),
            (commit("1", "cd"), "commits to a second held-out set for protocol `1`"),
            (reveal("1", "ab"), "reveals the held-out set of protocol `1` a second time"),
            (reveal("2", "ab"), "reveals a commitment that no `commit` line made for protocol `2`"),
        ] {
            let (_, wrong) = load(&[good.clone(), vec![line]].concat());
            assert_eq!(wrong.len(), 1);
            assert_eq!(wrong[0].1.to_string(), words);
        }
    }

    fn derived(lines: Vec<Line>) -> (Vec<crate::ledger::Derived>, String, Vec<BoardLine>) {
        let (history, wrong) = History::from_lines(lines);
        assert_eq!(wrong, []);
        let summaries = serde_json::to_string(&weeks(&history)).expect("JSON");
        (derive_all(&history, 0.005), summaries, history.boards().to_vec())
    }

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

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
            let (loaded, _) = History::from_lines(runs.into_iter().map(|run| Line::Run(Box::new(run))));
            prop_assert_eq!(derive_all(&grown, 0.005), derive_all(&loaded, 0.005));
        }

        #[test]
        fn regressions_opened_less_resolved_are_those_open(lines in lines()) {
            let (history, _) = History::from_lines(lines);
            let (mut detected, mut resolved) = (0, 0);
            for week in weeks(&history) {
                detected += week.regressions_detected;
                resolved += week.regressions_resolved;
                prop_assert_eq!(detected - resolved, week.regressions_open);
            }
        }
    }
}
