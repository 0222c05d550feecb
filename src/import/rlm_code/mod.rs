//! rlm-code's results: one benchmark per JSON file, one run per line of runs.jsonl.
//!
//! Upstream reads what is absent as 0, so a run without tokens is the cheapest of all. Here it is
//! absent, unless [`Options::compat`] asks for upstream's numbers.

mod benchmark;
mod cast;
mod layout;
mod run;

use std::collections::{BTreeMap, HashMap, HashSet};

use super::note::{Note, Tally};
use crate::domain::Hint;
use crate::domain::config::Price;
use crate::table::{
    Better, BuildError, Builder, Display, FacetKind, FacetValue, Measure, MeasureId, Names, Reduce,
    RunId,
};

pub(crate) use layout::layout;

/// How upstream's files are read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// Upstream's numbers and ids, exactly.
    pub compat: bool,
    /// Keep lines of runs.jsonl whose run already is in a benchmark.
    pub keep_benchmark_runs: bool,
}

/// US dollars a thousand tokens: upstream's one price for all models.
const PRICE: f64 = 0.002;

/// The measures by name, in upstream's order; the first seven rank.
struct Measures {
    reward: MeasureId,
    completion_rate: MeasureId,
    steps: MeasureId,
    tokens: MeasureId,
    cost: MeasureId,
    duration: MeasureId,
    efficiency: MeasureId,
    cases: MeasureId,
    completed_cases: MeasureId,
    prompt_tokens: MeasureId,
    completion_tokens: MeasureId,
    tokens_per_step: MeasureId,
}

/// Numbers of one entry; `None` is absent.
#[derive(Debug, Clone, Copy, Default)]
struct Figures {
    reward: Option<f64>,
    steps: Option<f64>,
    cases: Option<f64>,
    completed_cases: Option<f64>,
    tokens: Option<f64>,
    prompt_tokens: Option<f64>,
    completion_tokens: Option<f64>,
    /// What the file says it cost.
    cost: Option<f64>,
    duration: Option<f64>,
}

/// Reads files and lines into one builder.
pub struct Loader<'b> {
    builder: &'b mut Builder,
    measures: Measures,
    options: Options,
    /// Runs that lines gave, where a benchmark may have the same id.
    runs: Names,
    /// Runs that stand inside a benchmark.
    inside: HashSet<String>,
    /// Files that were read.
    files: HashSet<String>,
    /// The digest of each benchmark by its id.
    benchmarks: HashMap<String, String>,
    /// List prices by `provider:model`.
    prices: Option<&'b BTreeMap<String, Price>>,
    /// Runs left out because they stand inside a benchmark.
    repeated: usize,
    /// What to say.
    pub tally: Tally,
}

impl<'b> Loader<'b> {
    /// A loader that adds to `builder`.
    pub fn new(builder: &'b mut Builder, options: Options) -> Result<Self, BuildError> {
        let ratio = |of: &str, per: Option<&str>, scale| Reduce::Ratio {
            of: of.to_owned(),
            per: per.map(str::to_owned),
            scale,
        };
        let lower = |name: &str| Measure::number(name).better(Better::Lower);
        let other = |name: &str| Measure::number(name).better(Better::Unordered).aggregate_only();
        let count = |name: &str| other(name).display(Display::Thousands).reduce(Reduce::Given);
        let mut declare = |measure| builder.measure(measure);
        let measures = Measures {
            reward: declare(
                Measure::number("reward").called("avg_reward", "Reward").display(Display::Fixed(3)),
            )?,
            completion_rate: declare(
                Measure::number("completion_rate")
                    .called("completion_rate", "Completion")
                    .display(Display::Percent(0)),
            )?,
            steps: declare(lower("steps").called("avg_steps", "Steps").display(Display::Fixed(1)))?,
            tokens: declare(
                lower("tokens")
                    .called("total_tokens", "Tokens")
                    .display(Display::Thousands)
                    .reduce(Reduce::Sum),
            )?,
            cost: declare(
                lower("cost")
                    .called("estimated_cost", "Cost $")
                    .display(Display::Fixed(4))
                    .reduce(if options.compat {
                        ratio("tokens", None, PRICE / 1000.0)
                    } else {
                        Reduce::Given
                    })
                    .aggregate_only(),
            )?,
            duration: declare(
                lower("duration")
                    .called("duration_seconds", "Seconds")
                    .display(Display::Fixed(1))
                    .reduce(Reduce::Sum),
            )?,
            efficiency: declare(
                Measure::number("efficiency")
                    .called("efficiency", "Reward/1k tok")
                    .display(Display::Fixed(3))
                    .reduce(ratio("reward", Some("tokens"), 1000.0))
                    .aggregate_only(),
            )?,
            cases: declare(count("cases").called("total_cases", "Cases"))?,
            completed_cases: declare(
                count("completed_cases").called("completed_cases", "Completed"),
            )?,
            prompt_tokens: declare(
                count("prompt_tokens").called("prompt_tokens", "Prompt tokens"),
            )?,
            completion_tokens: declare(
                count("completion_tokens").called("completion_tokens", "Completion tokens"),
            )?,
            tokens_per_step: declare(
                other("tokens_per_step")
                    .called("tokens_per_step", "Tokens/step")
                    .display(Display::Fixed(1))
                    .reduce(ratio("tokens", Some("steps"), 1.0)),
            )?,
        };
        builder.layout(layout::layout());
        Ok(Self {
            builder,
            measures,
            options,
            runs: Names::default(),
            inside: HashSet::new(),
            files: HashSet::new(),
            benchmarks: HashMap::new(),
            prices: None,
            repeated: 0,
            tally: Tally::default(),
        })
    }

    /// Prices of models, for runs that record tokens and no cost.
    #[must_use]
    pub fn with_prices(mut self, prices: &'b BTreeMap<String, Price>) -> Self {
        self.prices = Some(prices);
        self
    }

    /// The list price of a model: its own entry, else the only provider's entry for it.
    fn price(&self, model: &str) -> Option<&Price> {
        let prices = self.prices?;
        let same = |id: &str| id.split_once(':').is_some_and(|(_, name)| name == model);
        let mut of_providers = prices.iter().filter(|(id, _)| same(id)).map(|(_, price)| price);
        let only = of_providers.next().filter(|_| of_providers.next().is_none());
        prices.get(model).or_else(|| prices.get(&model.replacen('/', ":", 1))).or(only)
    }

    /// Says what should be said at the end.
    pub fn finish(mut self) -> Tally {
        if self.repeated > 0 {
            let what = match self.repeated {
                1 => "1 run was left out because a benchmark holds it".to_owned(),
                n => format!("{n} runs were left out because benchmarks hold them"),
            };
            let note = Note::file("runs.jsonl", what);
            self.tally.notes.push(note.hint(Hint::RunsOfBenchmarks));
        }
        self.tally
    }

    /// A run whose id is upstream's, or a name that says where it came from.
    fn new_run(&mut self, id: Option<&str>, fallback: &str, place: &str) -> RunId {
        match id {
            Some(id) if self.options.compat => self.builder.another_run(id),
            Some(id) if !id.is_empty() && !self.builder.has_run(id) => self.builder.run(id),
            _ => {
                let why = match id {
                    Some(id) if !id.is_empty() => format!("the id `{id}` is taken"),
                    _ => "there is no id".to_owned(),
                };
                let what = format!("{why}; the run is called `{fallback}`");
                self.tally.notes.push(Note::file(place, what));
                self.builder.another_run(fallback)
            }
        }
    }

    fn facet(&mut self, run: RunId, name: &str, value: FacetValue<'_>) {
        if value != FacetValue::Absent {
            self.builder.facet(run, name, FacetKind::Text, value);
        }
    }

    /// Stores the numbers of an entry; under compat what is absent is 0 and ratios are upstream's.
    fn store(&mut self, run: RunId, figures: Figures, model: Option<&str>) {
        let m = &self.measures;
        let zero =
            |value: Option<f64>| if self.options.compat { value.or(Some(0.0)) } else { value };
        let rate = match (figures.completed_cases, figures.cases) {
            (Some(done), Some(all)) if all != 0.0 => Some(done / all),
            _ => None,
        };
        let tokens = zero(figures.tokens);
        let steps = zero(figures.steps);
        let mut cells = vec![
            (m.reward, zero(figures.reward)),
            (m.completion_rate, zero(rate)),
            (m.steps, steps),
            (m.tokens, tokens),
            (m.duration, zero(figures.duration)),
            (m.cases, zero(figures.cases)),
            (m.completed_cases, zero(figures.completed_cases)),
            (m.prompt_tokens, zero(figures.prompt_tokens)),
            (m.completion_tokens, zero(figures.completion_tokens)),
        ];
        if self.options.compat {
            let (reward, tokens) = (figures.reward.unwrap_or(0.0), tokens.unwrap_or(0.0));
            let steps = steps.unwrap_or(0.0);
            let above = |condition: bool, value: f64| Some(if condition { value } else { 0.0 });
            cells.push((m.efficiency, above(tokens > 0.0, reward * 1000.0 / tokens)));
            cells.push((m.tokens_per_step, above(steps > 0.0, tokens / steps)));
            cells.push((m.cost, Some(tokens / 1000.0 * PRICE)));
        } else {
            let price = model.and_then(|model| self.price(model));
            let listed = price.and_then(|price| {
                let (prompt, completion) = (figures.prompt_tokens?, figures.completion_tokens?);
                Some(price.cost(prompt, completion))
            });
            cells.push((m.cost, figures.cost.or(listed)));
        }
        for (measure, value) in cells {
            if let Some(number) = value {
                // All of these are declared as numbers, and a number is a number.
                let _ = self.builder.aggregate(run, measure, number.into());
            }
        }
    }
}
