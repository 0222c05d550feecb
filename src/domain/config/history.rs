//! The sections on history and comparison: scale and trend, cohorts, baselines, packs, Slack.

use std::collections::BTreeMap;

use serde::Serialize;

use super::read::Reader;
use crate::domain::is_provider;
use crate::json::{Mismatch, Node};

const HISTORY: &[&str] = &[
    "score_scale",
    "decimals",
    "trend_epsilon",
    "primary",
    "regression_drop",
    "detect",
    "default_provider",
];
const DETECT: &[&str] = &["hallucination", "latency_p95_ms", "cost_per_message_usd"];
const COHORT: &[&str] = &["dimensions"];
const PACK: &[&str] = &["id", "tasks", "weights", "primary_metric", "scoring_mode"];
const SLACK: &[&str] = &["report_url"];
/// All of them.
pub(super) const KEYS: &[&[&str]] = &[HISTORY, DETECT, COHORT, PACK, SLACK];

/// How scores are read and when a change counts.
#[derive(Debug, Clone, PartialEq)]
pub struct HistorySection {
    /// The largest score.
    pub score_scale: f64,
    /// Decimals a score is shown with.
    pub decimals: usize,
    /// Decimals of a score on a Slack card.
    pub card_decimals: usize,
    /// The smallest change of the moving average that counts; absent: 0.005 of the scale.
    pub trend_epsilon: Option<f64>,
    /// The dataset or rubric that is shown first in a breakdown.
    pub primary: Option<String>,
    /// The loss that is a regression; absent: the trend's ε, and never less than one prompt.
    pub regression_drop: Option<f64>,
    /// What else `record --detect` looks at.
    pub detect: DetectLimits,
    /// The provider of records whose model is a bare name.
    pub default_provider: Option<String>,
}

/// How much a measure may rise from one run to the next; a larger rise is a regression. An absent
/// limit is not checked.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DetectLimits {
    /// Rise of the hallucination rate.
    pub hallucination: Option<f64>,
    /// Rise of the p95 latency, in milliseconds.
    pub latency_p95_ms: Option<f64>,
    /// Rise of the cost per message, in US dollars.
    pub cost_per_message_usd: Option<f64>,
}

impl Default for HistorySection {
    fn default() -> Self {
        Self {
            score_scale: 1.0,
            decimals: 3,
            card_decimals: 3,
            trend_epsilon: None,
            primary: None,
            regression_drop: None,
            detect: DetectLimits::default(),
            default_provider: None,
        }
    }
}

/// What must be equal for two runs to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Dimension {
    /// The board or the pack.
    Pack,
    /// Deterministic, judge or jury.
    ScoringMode,
    /// The protocol version.
    EvalProtocolVersion,
    /// Who judged.
    JudgeModel,
    /// Votes per prompt.
    NVotes,
    /// Hash of the public prompts alone.
    PublicSetSha16,
    /// Hash of the judge's prompt and parameters.
    JudgeConfigSha16,
    /// Hash of the protocol's generation parameters.
    GenerationSha16,
    /// Who served the model.
    Backend,
    /// The metric that was weighed.
    Metric,
    /// How many documents were evaluated.
    NDocs,
    /// Hash of the evaluation protocol; counts by itself where the config has one.
    ProtocolSha16,
}

impl Dimension {
    /// What rows compare by unless the config says otherwise.
    pub const DEFAULT: [Self; 6] = [
        Self::Pack,
        Self::ScoringMode,
        Self::EvalProtocolVersion,
        Self::JudgeModel,
        Self::NVotes,
        Self::PublicSetSha16,
    ];

    /// Name in the config, and what it is about in a word or two.
    const NAMES: [(Self, &str, &str); 12] = [
        (Self::Pack, "pack", "pack"),
        (Self::ScoringMode, "scoring_mode", "scoring"),
        (Self::EvalProtocolVersion, "eval_protocol_version", "protocol"),
        (Self::JudgeModel, "judge_model", "judge"),
        (Self::NVotes, "n_votes", "votes"),
        (Self::PublicSetSha16, "public_set_sha16", "public set"),
        (Self::JudgeConfigSha16, "judge_config_sha16", "judge's settings"),
        (Self::GenerationSha16, "generation_sha16", "generation settings"),
        (Self::Backend, "backend", "backend"),
        (Self::Metric, "metric", "metric"),
        (Self::NDocs, "n_docs", "number of documents"),
        (Self::ProtocolSha16, "protocol_sha16", "prompts and settings"),
    ];
    /// What the config can name.
    const CHOICES: &[(Self, &str, &str)] = Self::NAMES.split_at(11).0;

    /// Its name in the config and in a cohort's key.
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize].1
    }

    /// What it is about, in a word or two.
    pub(crate) fn word(self) -> &'static str {
        Self::NAMES[self as usize].2
    }

    /// The dimension called `name`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::CHOICES.iter().find(|choice| choice.1 == name).map(|choice| choice.0)
    }
}

/// How a score came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ScoringMode {
    /// By rule alone.
    Deterministic,
    /// By one judge model.
    Judge,
    /// By several.
    Jury,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RunStatus {
    /// It came to its end.
    Completed,
    /// It stopped with an error.
    Failed,
    /// Somebody stopped it.
    Cancelled,
}

impl RunStatus {
    /// All of them by name.
    pub const NAMES: [(Self, &str); 3] =
        [(Self::Completed, "completed"), (Self::Failed, "failed"), (Self::Cancelled, "cancelled")];

    /// Whether the run came to its end; a reference because serde passes one.
    pub fn is_completed(&self) -> bool {
        *self == Self::Completed
    }

    /// The status called `name`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(_, known)| *known == name).map(|(status, _)| *status)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        Self::NAMES[self as usize].1
    }
}

impl ScoringMode {
    /// The mode called `name`.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Deterministic, Self::Judge, Self::Jury]
            .into_iter()
            .find(|mode| mode.as_str() == name)
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Deterministic => "deterministic",
            Self::Judge => "judge",
            Self::Jury => "jury",
        }
    }
}

/// A named set of tasks that one number is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Pack {
    /// Its name.
    pub id: String,
    /// The tasks, each with its weight and the metric that counts, in the config's order.
    pub tasks: Vec<PackTask>,
    /// How the scores of its runs come about, unless a run says otherwise.
    pub scoring_mode: ScoringMode,
}

/// One task of a pack.
#[derive(Debug, Clone, PartialEq)]
pub struct PackTask {
    /// The task as the result file names it, such as `gsm8k|0`.
    pub name: String,
    /// Its weight, above 0.
    pub weight: f64,
    /// The metric that counts.
    pub metric: String,
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn history(&mut self, node: &Node<'a>) -> HistorySection {
        self.known_keys(node, HISTORY);
        let score_scale = self.optional(node, "score_scale", positive).unwrap_or(1.0);
        let set = self.optional(node, "decimals", decimals);
        let (shown, on_cards) = if score_scale > 1.0 { (2, 1) } else { (3, 3) };
        HistorySection {
            score_scale,
            decimals: set.unwrap_or(shown),
            card_decimals: set.unwrap_or(on_cards),
            trend_epsilon: self.optional(node, "trend_epsilon", zero_or_more),
            primary: self.text(node, "primary"),
            regression_drop: self.optional(node, "regression_drop", zero_or_more),
            detect: self.section(node, "detect", Self::detect).unwrap_or_default(),
            default_provider: self.optional(node, "default_provider", |provider| {
                let known = provider.as_str().filter(|text| is_provider(text));
                known.map(str::to_owned).ok_or_else(|| provider.mismatch("a provider name"))
            }),
        }
    }

    fn detect(&mut self, node: &Node<'a>) -> DetectLimits {
        self.known_keys(node, DETECT);
        DetectLimits {
            hallucination: self.optional(node, "hallucination", zero_or_more),
            latency_p95_ms: self.optional(node, "latency_p95_ms", zero_or_more),
            cost_per_message_usd: self.optional(node, "cost_per_message_usd", zero_or_more),
        }
    }

    pub(super) fn cohort(&mut self, node: &Node<'a>) -> Vec<Dimension> {
        self.known_keys(node, COHORT);
        self.list(node, "dimensions", |reader, item| {
            let known = item.as_str().and_then(Dimension::parse);
            reader.keep(known.ok_or_else(|| {
                let names: Vec<&str> = Dimension::CHOICES.iter().map(|choice| choice.1).collect();
                item.mismatch(format!("one of {}", names.join(", ")))
            }))
        })
    }

    pub(super) fn pack(&mut self, node: &Node<'a>) -> Option<Pack> {
        self.known_keys(node, PACK);
        let id = self.required_text(node, "id");
        let scoring_mode = self.keep(node.required("scoring_mode").and_then(|mode| {
            let known = mode.as_str().and_then(ScoringMode::parse);
            known.ok_or_else(|| mode.mismatch("\"deterministic\", \"judge\" or \"jury\""))
        }));
        let names: Vec<String> = self.list(node, "tasks", |reader, item| {
            let name = item.as_str().filter(|name| !name.is_empty()).map(str::to_owned);
            reader.keep(name.ok_or_else(|| item.mismatch("the name of a task")))
        });
        if names.is_empty() {
            self.keep::<()>(Err(node.mismatch("a pack with at least one task in `tasks`")));
        }
        let weights = self.section(node, "weights", |reader, weights| {
            reader.by_task(weights, &names, |reader, weight| reader.keep(positive(weight)))
        });
        let metrics =
            self.keep(node.required("primary_metric")).map(|metric| match metric.as_str() {
                Some(metric) => names.iter().map(|name| (name.clone(), metric.into())).collect(),
                None => self.by_task(metric, &names, |reader, metric| {
                    reader.keep(metric.text().map(|text| text.clone().into_owned()))
                }),
            })?;
        let tasks = names
            .iter()
            .map(|name| {
                let metric = metrics.get(name).cloned();
                if metric.is_none() {
                    self.keep::<()>(Err(
                        node.mismatch(format!("a `primary_metric` for the task `{name}`"))
                    ));
                }
                let weight = weights.as_ref().and_then(|weights| weights.get(name).copied());
                let weight = weight.unwrap_or(1.0);
                Some(PackTask { name: name.clone(), weight, metric: metric? })
            })
            .collect::<Option<_>>();
        Some(Pack { id: id?, tasks: tasks?, scoring_mode: scoring_mode? })
    }

    /// An object whose keys are tasks of the pack.
    fn by_task<T>(
        &mut self,
        node: &Node<'a>,
        tasks: &[String],
        read: impl Fn(&mut Self, &Node<'a>) -> Option<T>,
    ) -> BTreeMap<String, T> {
        let mut values = BTreeMap::new();
        let Some(object) = self.keep(node.object()) else { return values };
        for (task, member) in object.iter() {
            if !tasks.iter().any(|known| known == task) {
                let mismatch = member.mismatch("a task listed in the pack's `tasks`");
                self.keep::<()>(Err(mismatch));
            } else if let Some(value) = read(self, member) {
                values.insert(task.to_string(), value);
            }
        }
        values
    }

    pub(super) fn slack_report_url(&mut self, node: &Node<'a>) -> Option<String> {
        self.known_keys(node, SLACK);
        self.optional(node, "report_url", |url| {
            let good = url.as_str().filter(|text| is_report_url(text));
            good.map(str::to_owned)
                .ok_or_else(|| url.mismatch("an https address without spaces, `|`, `<` and `>`"))
        })
    }
}

/// An address that may stand in a Slack link.
pub fn is_report_url(url: &str) -> bool {
    let harmless = |c: char| !c.is_whitespace() && !c.is_control() && !"|<>".contains(c);
    url.strip_prefix("https://").is_some_and(|rest| !rest.is_empty()) && url.chars().all(harmless)
}

fn positive(node: &Node<'_>) -> Result<f64, Mismatch> {
    let value = node.number()?.as_f64();
    if value > 0.0 { Ok(value) } else { Err(node.mismatch("a number above 0")) }
}

fn zero_or_more(node: &Node<'_>) -> Result<f64, Mismatch> {
    let value = node.number()?.as_f64();
    if value >= 0.0 { Ok(value) } else { Err(node.mismatch("a number of 0 or more")) }
}

fn decimals(node: &Node<'_>) -> Result<usize, Mismatch> {
    let count = node.count().ok().filter(|count| *count <= 6);
    let count = count.and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| node.mismatch("a whole number from 0 to 6"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::config::Config;

    #[test]
    fn the_sections_are_read_with_their_defaults() {
        let config = Config::parse(b"{}", "seeds.json").expect("good");
        assert_eq!(config.history, HistorySection::default());
        assert_eq!(config.cohort_dimensions, Dimension::DEFAULT);
        assert_eq!(config.packs, []);
        let config = Config::parse(
            br#"{"history": {"score_scale": 5, "trend_epsilon": 0.01, "primary": "soundness",
                             "default_provider": "acme", "detect": {"latency_p95_ms": 500}},
                 "cohort": {"dimensions": ["pack", "backend"]},
                 "official_baselines": ["r1"],
                 "packs": [{"id": "p", "tasks": ["a|0", "b|5"], "weights": {"b|5": 2},
                            "primary_metric": {"a|0": "em", "b|5": "acc"}, "scoring_mode": "deterministic"}],
                 "slack": {"report_url": "https://example.org/board"}}"#,
            "seeds.json",
        )
        .expect("good");
        let limits = DetectLimits { latency_p95_ms: Some(500.0), ..DetectLimits::default() };
        assert_eq!(config.history.detect, limits);
        assert_eq!(config.history.default_provider.as_deref(), Some("acme"));
        let HistorySection { score_scale, decimals, card_decimals, .. } = config.history;
        assert_eq!((score_scale, decimals, card_decimals), (5.0, 2, 1));
        assert_eq!(config.cohort_dimensions, [Dimension::Pack, Dimension::Backend]);
        assert_eq!(config.official_baselines, ["r1"]);
        let task = |name: &str, weight, metric: &str| PackTask {
            name: name.into(),
            weight,
            metric: metric.into(),
        };
        assert_eq!(config.packs[0].tasks, [task("a|0", 1.0, "em"), task("b|5", 2.0, "acc")]);
        assert_eq!(config.slack_report_url.as_deref(), Some("https://example.org/board"));
    }

    #[test]
    fn every_wrong_value_is_named_at_its_place() {
        let failure = Config::parse(
            br#"{"history": {"score_scale": 0, "decimals": 9, "epsilon": 1,
                             "detect": {"latency": 1, "hallucination": -1}, "default_provider": "a:b"},
                 "cohort": {"dimensions": ["colour"]},
                 "packs": [{"id": "p", "tasks": [], "weights": {"x": 1}, "scoring_mode": "dice"}],
                 "slack": {"report_url": "http://x"}}"#,
            "seeds.json",
        )
        .expect_err("bad");
        let mut places: Vec<String> =
            failure.others.iter().filter_map(|other| other.place.clone()).collect();
        places.extend(failure.place);
        for path in [
            "history.score_scale",
            "history.decimals",
            "history.epsilon",
            "history.detect.latency",
            "history.detect.hallucination",
            "history.default_provider",
            "cohort.dimensions[0]",
            "packs[0].scoring_mode",
            "packs[0].weights.x",
            "packs[0]",
            "slack.report_url",
        ] {
            assert!(places.iter().any(|place| place.ends_with(&format!(", {path}"))), "{path}");
        }
    }
}
