//! Lines of the ledger become a [`History`]: what refers to what, which runs count, in which order.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Fate, History, entry, place};
use crate::ledger::{Attempt, Instant, Line, Rescore};

/// Why a line that parses cannot be part of the history.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Misplaced {
    /// A `run_id` that is taken.
    #[error("repeats the run_id `{0}`")]
    RunId(String),
    /// A retraction of a run that is not recorded.
    #[error("retracts the unknown run `{0}`")]
    RetractsUnknown(String),
    /// A second retraction.
    #[error("retracts the run `{0}` a second time")]
    RetractsTwice(String),
    /// A rescore that names an unknown run.
    #[error("rescores the unknown run `{0}`")]
    RescoresUnknown(String),
    /// A second rescore line for the same new run.
    #[error("names `{0}` as a rescored run a second time")]
    RescoresTwice(String),
    /// A run rescored, directly or not, from itself.
    #[error("rescores `{0}` from itself")]
    RescoresItself(String),
    /// Old and new run are of two models.
    #[error("rescores `{of}` as `{run_id}`, a run of another model")]
    RescoresOtherModel {
        /// The run that was rescored.
        of: String,
        /// The run that holds the new score.
        run_id: String,
    },
    /// A serial that is taken.
    #[error("repeats the board serial {0}")]
    Serial(u64),
    /// An attempt number that is taken.
    #[error("repeats attempt {attempt} of `{row}` under protocol `{protocol}`")]
    Attempt {
        /// Its number.
        attempt: u64,
        /// `provider:model`.
        row: String,
        /// The protocol version.
        protocol: String,
    },
    /// A second commitment under one protocol version.
    #[error("commits to a second held-out set for protocol `{0}`")]
    CommitsTwice(String),
    /// A second reveal under one protocol version.
    #[error("reveals the held-out set of protocol `{0}` a second time")]
    RevealsTwice(String),
    /// A reveal whose commitment was never made.
    #[error("reveals a commitment that no `commit` line made for protocol `{0}`")]
    RevealsUnknown(String),
}

impl History {
    /// Takes the lines in file order; what does not belong is returned with its index, and left out.
    pub fn from_lines(lines: impl IntoIterator<Item = Line>) -> (Self, Vec<(usize, Misplaced)>) {
        let mut history = Self::default();
        let mut wrong = Vec::new();
        let mut later = Vec::new();
        let mut attempts = BTreeSet::new();
        let mut rescore_lines: HashMap<String, usize> = HashMap::new();
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
                Line::Attempt(line) => {
                    let row = format!("{}:{}", line.provider, line.model);
                    if attempts.insert((line.protocol.clone(), row.clone(), line.attempt)) {
                        history.attempts.push(line);
                    } else {
                        let Attempt { attempt, protocol, .. } = line;
                        wrong.push((index, Misplaced::Attempt { attempt, row, protocol }));
                    }
                }
                Line::Exposure(line) => history.exposures.push(line),
                Line::Commit(line) if history.commits.contains_key(&line.protocol) => {
                    wrong.push((index, Misplaced::CommitsTwice(line.protocol)));
                }
                Line::Commit(line) => {
                    history.commits.insert(line.protocol.clone(), line);
                }
                // What they refer to is known when all lines are read.
                Line::Retraction(_) | Line::Rescore(_) | Line::Reveal(_) => {
                    later.push((index, line));
                }
                Line::Reserved => {}
            }
        }
        for (index, line) in later {
            if let Line::Rescore(line) = &line {
                rescore_lines.entry(line.run_id.clone()).or_insert(index);
            }
            if let Err(misplaced) = history.refer(line) {
                wrong.push((index, misplaced));
            }
        }
        let looped = history.settle(None);
        for run_id in &looped {
            history.rescores.remove(run_id);
        }
        if !looped.is_empty() {
            history.settle(None);
        }
        for run_id in looped {
            let index = rescore_lines.get(&run_id).copied().unwrap_or_default();
            wrong.push((index, Misplaced::RescoresItself(run_id)));
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
                let run = |id: &String| {
                    self.run(id).ok_or_else(|| Misplaced::RescoresUnknown(id.clone()))
                };
                let (old, new) = (run(&line.of)?, run(&line.run_id)?);
                if old.model != new.model {
                    let Rescore { of, run_id, .. } = line;
                    return Err(Misplaced::RescoresOtherModel { of, run_id });
                }
                if self.rescores.contains_key(&line.run_id) {
                    return Err(Misplaced::RescoresTwice(line.run_id));
                }
                self.rescores.insert(line.run_id.clone(), line);
            }
            Line::Reveal(line) => {
                let commit = self.commits.get(&line.protocol);
                if commit.is_none_or(|commit| commit.set_commitment != line.set_commitment) {
                    return Err(Misplaced::RevealsUnknown(line.protocol));
                }
                if self.reveals.contains_key(&line.protocol) {
                    return Err(Misplaced::RevealsTwice(line.protocol));
                }
                self.reveals.insert(line.protocol.clone(), line);
            }
            _ => {}
        }
        Ok(())
    }

    /// Decides which runs count. Of a run and all runs rescored from it, at most one does: a run
    /// that was rescored gives way to the new one, and of two rescored from the same run the one
    /// rescored last. Retracting a run also retracts those rescored from it, so that the one before
    /// counts again. With `epoch`, only runs of that epoch are considered.
    ///
    /// Returns the runs that are rescored from themselves; they count as originals.
    pub(super) fn settle(&mut self, epoch: Option<&str>) -> Vec<String> {
        let mut fates = vec![Fate::OtherEpoch; self.runs.len()];
        let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let parents: Vec<Option<usize>> = self
            .runs
            .iter()
            .map(|run| self.ids.get(&self.rescores.get(&run.run_id)?.of).copied())
            .collect();
        for (at, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                children.entry(*parent).or_default().push(at);
            }
        }
        // Originals first, then what was rescored from them, and so on.
        let mut order: Vec<usize> =
            (0..self.runs.len()).filter(|&at| parents[at].is_none()).collect();
        let mut origin: Vec<usize> = (0..self.runs.len()).collect();
        let mut retracted: Vec<Option<usize>> = vec![None; self.runs.len()];
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            if self.retractions.contains_key(&self.runs[at].run_id) {
                retracted[at] = Some(at);
            }
            if let Some(parent) = parents[at] {
                origin[at] = origin[parent];
                retracted[at] = retracted[at].or(retracted[parent]);
            }
            order.extend(children.get(&at).into_iter().flatten());
        }
        let reached: BTreeSet<usize> = order.iter().copied().collect();
        let looped: Vec<String> = (0..self.runs.len())
            .filter(|at| !reached.contains(at))
            .map(|at| self.runs[at].run_id.clone())
            .collect();
        let is_candidate = |at: usize| {
            retracted[at].is_none() && epoch.is_none_or(|epoch| self.runs[at].epoch() == epoch)
        };
        let mut is_rescored = vec![false; self.runs.len()];
        let mut chosen: HashMap<usize, usize> = HashMap::new();
        for &at in order.iter().rev() {
            if let Some(parent) = parents[at] {
                is_rescored[parent] |= is_rescored[at] || is_candidate(at);
            }
            if is_candidate(at) && !is_rescored[at] {
                let best = chosen.entry(origin[at]).or_insert(at);
                if self.rescored_when(at) > self.rescored_when(*best) {
                    *best = at;
                }
            }
        }
        for &at in &order {
            fates[at] = match (retracted[at], chosen.get(&origin[at])) {
                (Some(by), _) => Fate::Retracted(by),
                (None, Some(&live)) if live == at => Fate::Live,
                (None, Some(&live)) if is_candidate(at) => Fate::Superseded(live),
                (None, _) => Fate::OtherEpoch,
            };
        }
        self.fates = fates;
        looped
    }

    fn rescored_when(&self, at: usize) -> (Option<Instant>, &str) {
        let run_id = &self.runs[at].run_id;
        let rescore = self.rescores.get(run_id);
        (rescore.and_then(|line| Instant::parse(&line.recorded_at)), run_id)
    }

    pub(super) fn index(&mut self) {
        self.models.clear();
        self.epochs.clear();
        let mut order: Vec<usize> =
            (0..self.runs.len()).filter(|&at| self.fates[at] == Fate::Live).collect();
        order.sort_unstable_by(|&a, &b| place(&self.runs[a]).cmp(&place(&self.runs[b])));
        let mut label = String::new();
        for at in order {
            let run = &self.runs[at];
            run.spell_epoch(&mut label);
            entry(&mut self.models, &run.model).push(at);
            entry(entry(&mut self.epochs, &run.model), &label).push(at);
        }
    }
}
