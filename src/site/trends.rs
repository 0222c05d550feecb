//! How the page of trends and its data word the ledger: names, scores, days.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::domain::config::{HistorySection, Weights};
use crate::facts::{LedgerTrends, ModelSeries, counted_score};
use crate::ledger::{History, Instant, Rules, Run};
use crate::site::{Inputs, format};

/// The ledger with what is needed to word it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ledger<'a> {
    pub(super) history: &'a History,
    pub(super) section: &'a HistorySection,
    /// What board, config and ledger say about models, by `provider:model`.
    pub(super) known: &'a BTreeMap<String, Known>,
}

/// What is known about a model beyond its runs.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Its page; empty if it has none.
    pub(super) slug: String,
    /// What pages call it.
    pub(super) name: String,
    pub(super) organization: String,
    pub(super) weights: Option<Weights>,
    /// Whether it is in the top group of the board; absent where it is not ranked.
    pub(super) is_top: Option<bool>,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(inputs: &Inputs<'a>, known: &'a BTreeMap<String, Known>) -> Self {
        Self { history: inputs.history, section: &inputs.config.history, known }
    }

    /// What pages call the model.
    pub(super) fn name(&self, model: &str) -> String {
        self.known.get(model).map_or_else(|| format::clean(model), |known| known.name.clone())
    }

    /// The model's page; empty if it has none.
    pub(super) fn slug(&self, model: &str) -> String {
        self.known.get(model).map(|known| known.slug.clone()).unwrap_or_default()
    }

    /// Whether the board has it in the top group.
    pub(super) fn is_top(&self, model: &str) -> bool {
        self.known.get(model).and_then(|known| known.is_top) == Some(true)
    }

    /// Whether a score is a share of prompts, so that it is shown in percent.
    fn is_share(&self) -> bool {
        (self.section.score_scale - 1.0).abs() < f64::EPSILON
    }

    /// A score as a share of the largest one.
    pub(super) fn share(&self, score: f64) -> f64 {
        score / self.section.score_scale
    }

    /// `83%`, halves up; on a scale other than 1 the score itself.
    pub(super) fn score(&self, score: f64) -> String {
        if self.is_share() {
            format!("{:.0}%", (score * 100.0 + 1e-9).round())
        } else {
            format!("{score:.*}", self.section.decimals)
        }
    }

    /// The score of a run as the board rounds it, from counts where they are known; `None` where
    /// it has no score.
    pub(super) fn score_of(&self, run: &Run) -> Option<String> {
        let score = run.aggregate_score?;
        let counted = counted_score(run).filter(|_| self.is_share());
        Some(counted.map_or_else(|| self.score(score), format::whole_percent))
    }

    /// `58.4%`: for averages, which move by less than a point.
    pub(super) fn fine(&self, score: f64) -> String {
        if self.is_share() { format!("{:.1}%", score * 100.0) } else { self.score(score) }
    }

    /// `12 points`; on a scale other than 1 the difference itself.
    pub(super) fn points(&self, difference: f64) -> String {
        let points = (difference.abs() * 100.0).round();
        match self.is_share() {
            true if points < 1.0 && difference != 0.0 => "less than 1 point".to_owned(),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 100")]
            true => format::count(points as usize, "point"),
            false => self.score(difference.abs()),
        }
    }

    /// A change of an average with its sign: `+0.9`.
    pub(super) fn change(&self, change: f64) -> String {
        if self.is_share() {
            format::signed(change * 100.0, 1)
        } else {
            format::signed(change, self.section.decimals)
        }
    }
}

/// What the ledger comes to, with what is needed to word it.
#[derive(Debug)]
pub(super) struct Trends<'a> {
    pub(super) ledger: Ledger<'a>,
    facts: LedgerTrends<'a>,
}

impl<'a> Deref for Trends<'a> {
    type Target = LedgerTrends<'a>;

    fn deref(&self) -> &Self::Target {
        &self.facts
    }
}

impl<'a> Trends<'a> {
    /// `None` where no run is recorded.
    pub(super) fn derive(ledger: Ledger<'a>) -> Option<Self> {
        let weights = |model: &str| ledger.known.get(model)?.weights;
        let rules = Rules::from_section(ledger.section);
        let facts = LedgerTrends::derive(ledger.history, &rules, weights)?;
        Some(Self { ledger, facts })
    }

    /// The models of the top group, then the others; both best first.
    pub(super) fn top_first(&self) -> impl Iterator<Item = &ModelSeries<'a>> {
        let of = |top: bool| {
            self.series.iter().filter(move |series| self.ledger.is_top(series.model) == top)
        };
        of(true).chain(of(false))
    }

    /// `Nov 16`; with the year where it is not that of the latest run.
    pub(super) fn day(&self, at: Instant) -> String {
        let date = at.date();
        let year = Instant::of_day(self.last * 7).date();
        let shown = format::date(&date);
        if date.get(..4) == year.get(..4) {
            shown.split(',').next().unwrap_or(&shown).to_owned()
        } else {
            shown
        }
    }
}
