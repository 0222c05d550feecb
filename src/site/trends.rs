//! What the page of trends and its data show of the ledger, and how names and scores are worded.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::config::{HistorySection, Weights};
use crate::facts::{
    Best, Point, RECENT, Score, Segment, bests, change_of_quarter, change_since, cost_per_solved,
    fell, points, segments, week_of,
};
use crate::ledger::{
    Change, Derived, History, Instant, NoChange, Rules, Run, TradeOff, derive, trade_off,
};
use crate::site::format;

/// Weeks that are shown.
pub(super) const WINDOW: i64 = 52;

/// The ledger with what is needed to word it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ledger<'a> {
    pub(super) history: &'a History,
    pub(super) section: &'a HistorySection,
    /// What the board and the config say about models, by `provider:model`.
    pub(super) known: &'a BTreeMap<String, Known>,
    /// Models that share their name with one of another provider.
    pub(super) namesakes: &'a BTreeSet<String>,
}

/// What is known about a model beyond its runs.
#[derive(Debug, Default)]
pub(super) struct Known {
    /// Its page; empty if it has none.
    pub(super) slug: String,
    /// What pages call it; empty if only the ledger names it.
    pub(super) name: String,
    pub(super) organization: String,
    pub(super) weights: Option<Weights>,
    /// Whether it is in the top group of the board; absent where it is not ranked.
    pub(super) is_top: Option<bool>,
}

/// Models that only their provider tells apart.
pub(super) fn namesakes(history: &History) -> BTreeSet<String> {
    let mut by_name: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for model in history.models() {
        by_name.entry(short(model)).or_default().push(model);
    }
    let shared = by_name.into_values().filter(|models| models.len() > 1);
    shared.flatten().map(str::to_owned).collect()
}

/// The model without its provider.
fn short(model: &str) -> &str {
    model.split_once(':').map_or(model, |(_, name)| name)
}

impl Ledger<'_> {
    pub(super) fn rules(&self) -> Rules {
        Rules::from_section(self.section)
    }

    /// The model, harmless to show; with its provider only where that tells two apart.
    pub(super) fn name(&self, model: &str) -> String {
        match self.known.get(model) {
            Some(known) if !known.name.is_empty() => known.name.clone(),
            _ if self.namesakes.contains(model) => format::clean(model),
            _ => format::clean(short(model)),
        }
    }

    /// The model's page; empty if it has none.
    pub(super) fn slug(&self, model: &str) -> String {
        self.known.get(model).map(|known| known.slug.clone()).unwrap_or_default()
    }

    /// Whether the board has it in the top group.
    pub(super) fn is_top(&self, model: &str) -> bool {
        self.known.get(model).and_then(|known| known.is_top) == Some(true)
    }

    pub(super) fn weights(&self, model: &str) -> Option<Weights> {
        self.known.get(model)?.weights
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
        Some(match run.n_prompts.filter(|prompts| *prompts > 0 && self.is_share()) {
            Some(prompts) => {
                #[expect(
                    clippy::cast_precision_loss,
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "a share of a count of prompts"
                )]
                let passed = (score * prompts as f64).round() as u64;
                format::whole_percent(Score::from_counts(passed, prompts))
            }
            None => self.score(score),
        })
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

    /// What a solved prompt cost in `run`, in US dollars.
    pub(super) fn cost_per_solved(&self, run: &Run) -> Option<f64> {
        cost_per_solved(run, self.section.score_scale)
    }
}

/// One model.
#[derive(Debug)]
pub(super) struct Series<'a> {
    pub(super) model: &'a str,
    /// In time order; within a week by epoch.
    pub(super) points: Vec<Point>,
    pub(super) latest: &'a Run,
    pub(super) derived: Derived,
    /// The change since the latest epoch began, or since the window did.
    pub(super) change: Result<Change, NoChange>,
    /// The change over the last quarter.
    pub(super) quarter: Result<Change, NoChange>,
    /// The first run of the regression the model is in.
    pub(super) fell: Option<&'a Run>,
    /// Whether the ledger says that it left the board.
    pub(super) withdrawn: bool,
}

/// A model that lately gained on one part and lost on another.
#[derive(Debug)]
pub(super) struct Traded<'a> {
    /// The latest run that did.
    pub(super) run: &'a Run,
    pub(super) parts: TradeOff,
    /// How many of the lately recorded runs did, and of how many.
    pub(super) times: (usize, usize),
}

/// Everything derived for the page of trends and its data.
#[derive(Debug)]
pub(super) struct Trends<'a> {
    pub(super) ledger: Ledger<'a>,
    /// Best latest average first; then those without a score in the last weeks.
    pub(super) series: Vec<Series<'a>>,
    /// Oldest first; they do not overlap. Empty where no run of the last year has a score.
    pub(super) segments: Vec<Segment<'a>>,
    /// The lines that are drawn: the best model of all (`None`), or the best of each kind.
    pub(super) kinds: Vec<Option<Weights>>,
    pub(super) traded: Vec<Traded<'a>>,
    /// Epoch after epoch, each in time order; the last of its week.
    pub(super) bests: Vec<Best<'a>>,
    /// The first week that is shown: no earlier than the first run.
    pub(super) first: i64,
    /// The week of the latest run.
    pub(super) last: i64,
    /// Where each model's series is.
    pub(super) by_model: BTreeMap<&'a str, usize>,
}

impl<'a> Trends<'a> {
    /// `None` where no run is recorded.
    pub(super) fn derive(ledger: Ledger<'a>) -> Option<Self> {
        let history = ledger.history;
        let newest = |model: &str| history.of_model(model).next_back().map(|run| week_of(run.at));
        let last = history.models().filter_map(newest).max()?;
        let first = last - WINDOW + 1;
        let Rules { epsilon, score_scale: scale, .. } = ledger.rules();
        let until = history.models().filter_map(|model| history.of_model(model).next_back());
        let until = until.map(|run| run.at).max()?;
        let mut series = Vec::new();
        let mut traded = Vec::new();
        for model in history.models() {
            let runs: Vec<&Run> = history.of_model(model).collect();
            let Some(latest) = runs.last().copied() else { continue };
            let recent = runs.iter().rev().take_while(|run| week_of(run.at) > last - RECENT);
            let all = recent.clone().count();
            let mut did = recent.filter_map(|run| Some((*run, trade_off(history, run, epsilon)?)));
            if let Some((run, parts)) = did.next() {
                traded.push(Traded { run, parts, times: (1 + did.count(), all) });
            }
            series.push(Series {
                model,
                points: points(history, model, scale, epsilon),
                derived: derive(history, latest, epsilon),
                change: change_since(history, &runs, first, scale),
                quarter: change_of_quarter(history, model, until, scale),
                fell: fell(&runs),
                withdrawn: history
                    .withdrawals()
                    .iter()
                    .any(|line| format!("{}:{}", line.provider, line.model) == model),
                latest,
            });
        }
        traded.sort_by(|a, b| (b.run.at, &b.run.run_id).cmp(&(a.run.at, &a.run.run_id)));
        let standing = |series: &Series<'_>| {
            let mut recent =
                series.points.iter().rev().take_while(|point| point.week > last - RECENT);
            recent.find_map(|point| point.average)
        };
        series.sort_by(|a, b| {
            let (a_now, b_now) = (standing(a), standing(b));
            let order = b_now.unwrap_or(-1.0).total_cmp(&a_now.unwrap_or(-1.0));
            order.then_with(|| a.model.cmp(b.model))
        });
        let by_model = series.iter().enumerate().map(|(at, series)| (series.model, at)).collect();
        let earliest = series.iter().filter_map(|series| series.points.first());
        let earliest = earliest.map(|point| point.week).min().unwrap_or(last);
        let (bests, first) = (bests(history), first.max(earliest));
        let segments = segments(history, first);
        let kinds = kinds(&ledger, segments.last());
        Some(Self { ledger, series, segments, kinds, traded, bests, first, last, by_model })
    }

    /// The runs of `segment` that were the best so far, of all models or of one kind.
    pub(super) fn records(&self, segment: &Segment<'a>, kind: Option<Weights>) -> Vec<&'a Run> {
        segment.records(|run| kind.is_none() || self.ledger.weights(&run.model) == kind)
    }

    /// The models of the top group, then the others; both best first.
    pub(super) fn top_first(&self) -> impl Iterator<Item = &Series<'a>> {
        let of = |top: bool| {
            self.series.iter().filter(move |series| self.ledger.is_top(series.model) == top)
        };
        of(true).chain(of(false))
    }

    /// The best run so far of what is compared now.
    pub(super) fn best(&self, kind: Option<Weights>) -> Option<&'a Run> {
        self.records(self.segments.last()?, kind).last().copied()
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

/// Best closed and best open model where both are known and the best of all is one of them.
fn kinds(ledger: &Ledger<'_>, segment: Option<&Segment<'_>>) -> Vec<Option<Weights>> {
    let has = |kind| {
        let runs = segment.map(|segment| segment.runs.as_slice()).unwrap_or_default();
        runs.iter().any(|run| ledger.weights(&run.model) == Some(kind))
    };
    let best = segment.and_then(|segment| segment.records(|_| true).last().copied());
    let is_known = best.is_some_and(|run| ledger.weights(&run.model).is_some());
    if is_known && has(Weights::Closed) && has(Weights::Open) {
        vec![Some(Weights::Closed), Some(Weights::Open)]
    } else {
        vec![None]
    }
}
