//! A week by model: its scores, how they differ from the week before, and whether that is noise.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::domain::{round, round6};
use crate::ledger::{
    History, PartKind, Rules, Run, TradeOff, Week, WeekSummary, episodes, overlap, weeks,
};

/// The runs of one model and epoch in one ISO week, in time order.
#[derive(Debug)]
pub(crate) struct ModelWeek<'h> {
    pub(crate) week: Week,
    pub(crate) epoch: String,
    pub(crate) runs: Vec<&'h Run>,
}

/// The runs of `model` by week, within a week by epoch.
pub(crate) fn model_weeks<'h>(history: &'h History, model: &str) -> Vec<ModelWeek<'h>> {
    let mut weeks: BTreeMap<(Week, String), Vec<&Run>> = BTreeMap::new();
    for run in history.of_model(model) {
        weeks.entry((run.at.week(), run.epoch())).or_default().push(run);
    }
    let week = |((week, epoch), runs)| ModelWeek { week, epoch, runs };
    weeks.into_iter().map(week).collect()
}

impl ModelWeek<'_> {
    /// Mean of what `of` reads from the runs that have it.
    pub(crate) fn mean(&self, of: impl Fn(&Run) -> Option<f64>) -> Option<f64> {
        mean(self.runs.iter().filter_map(|run| of(run)))
    }

    fn scores(&self) -> impl Iterator<Item = f64> {
        self.runs.iter().filter_map(|run| run.aggregate_score)
    }

    /// The smallest number of prompts behind a score; `None` where a run does not say.
    fn prompts(&self) -> Option<u64> {
        let scored = self.runs.iter().filter(|run| run.aggregate_score.is_some());
        scored.map(|run| run.n_prompts).min().flatten()
    }

    /// The mean of every dataset and rubric.
    fn parts(&self) -> BTreeMap<(PartKind, &str), f64> {
        let mut parts: BTreeMap<(PartKind, &str), Vec<f64>> = BTreeMap::new();
        for run in &self.runs {
            for kind in [PartKind::Dataset, PartKind::Rubric] {
                for (name, score) in kind.scores(run) {
                    parts.entry((kind, name)).or_default().push(*score);
                }
            }
        }
        parts.into_iter().filter_map(|(part, all)| Some((part, mean(all.into_iter())?))).collect()
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0_u32, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

/// One week, all models together and each model alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WeekReport {
    /// All models together.
    #[serde(flatten)]
    pub summary: WeekSummary,
    /// The latest week before it that has runs.
    pub previous_week: Option<Week>,
    /// The average minus the one of the previous week; absent where their epochs differ.
    pub avg_aggregate_score_delta: Option<f64>,
    /// The highest average first, those without a score last.
    pub models: Vec<ModelReport>,
}

/// One model and epoch in one week, against the latest earlier week of the same epoch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ModelReport {
    /// `provider:model`.
    pub model: String,
    /// The epoch of the runs.
    pub epoch: String,
    /// The pack of the runs, for results of packs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pack: Option<String>,
    /// The week it is compared with.
    pub previous_week: Option<Week>,
    /// Whether the model has an earlier week, be it of another epoch.
    #[serde(skip)]
    pub has_earlier: bool,
    /// How many runs.
    pub run_count: usize,
    /// How many of them have a score.
    pub scored_run_count: usize,
    /// Mean score, to four places.
    pub avg_aggregate_score: Option<f64>,
    /// Mean score of the previous week.
    pub previous_avg_aggregate_score: Option<f64>,
    /// Difference of the two.
    pub score_delta: Option<f64>,
    /// Whether the 95% ranges of the two overlap; absent where the runs do not say `n_prompts`.
    pub within_noise: Option<bool>,
    /// The best score.
    pub best_run_score: Option<f64>,
    /// The worst score.
    pub worst_run_score: Option<f64>,
    /// Mean rate.
    pub hallucination_rate: Option<f64>,
    /// The rate minus the previous week's.
    pub hallucination_delta: Option<f64>,
    /// Runs with a rate above 0.
    pub hallucination_incidents: usize,
    /// Mean of the p95 latencies.
    pub latency_p95_ms: Option<f64>,
    /// Minus the previous week's.
    pub latency_p95_ms_delta: Option<f64>,
    /// Mean cost.
    pub cost_per_message_usd: Option<f64>,
    /// Minus the previous week's.
    pub cost_per_message_usd_delta: Option<f64>,
    /// The runs that opened a regression.
    pub regressions_opened: Vec<String>,
    /// The runs that resolved one.
    pub regressions_resolved: Vec<String>,
    /// Whether the model is in regression after the week's last run.
    pub in_regression: bool,
    /// Parts whose mean rose while that of others fell, by more than ε.
    pub trade_off: Option<TradeOff>,
}

/// Every week with runs, ascending.
pub fn week_reports(history: &History, rules: Rules) -> Vec<WeekReport> {
    let mut opened: BTreeMap<(Week, &str), Vec<String>> = BTreeMap::new();
    let mut resolved = opened.clone();
    for (start, end) in episodes(history) {
        opened.entry((start.at.week(), &start.model)).or_default().push(start.run_id.clone());
        if let Some(end) = end {
            resolved.entry((end.at.week(), &end.model)).or_default().push(end.run_id.clone());
        }
    }
    let mut models: BTreeMap<Week, Vec<ModelReport>> = BTreeMap::new();
    for model in history.models() {
        let weeks = model_weeks(history, model);
        let mut latest: BTreeMap<&str, &ModelWeek<'_>> = BTreeMap::new();
        for now in &weeks {
            let before = latest.insert(&now.epoch, now);
            let runs_of = |episodes: &BTreeMap<(Week, &str), Vec<String>>| {
                let of_week = episodes.get(&(now.week, model)).into_iter().flatten();
                let is_of_epoch = |id: &&String| now.runs.iter().any(|run| run.run_id == **id);
                of_week.filter(is_of_epoch).cloned().collect()
            };
            models.entry(now.week).or_default().push(ModelReport {
                regressions_opened: runs_of(&opened),
                regressions_resolved: runs_of(&resolved),
                has_earlier: weeks[0].week < now.week,
                ..report(model, now, before, rules)
            });
        }
    }
    let mut reports: Vec<WeekReport> = Vec::new();
    for summary in weeks(history) {
        let mut models = models.remove(&summary.week).unwrap_or_default();
        models.sort_by(|a, b| {
            let average = |of: &ModelReport| of.avg_aggregate_score.unwrap_or(-1.0);
            average(b).total_cmp(&average(a)).then_with(|| a.model.cmp(&b.model))
        });
        let previous = reports.last().map(|report| &report.summary);
        let comparable = previous.filter(|previous| previous.epochs == summary.epochs);
        let before = comparable.and_then(|previous| previous.avg_aggregate_score);
        reports.push(WeekReport {
            previous_week: previous.map(|previous| previous.week),
            avg_aggregate_score_delta: difference(before, summary.avg_aggregate_score, 4),
            models,
            summary,
        });
    }
    reports
}

fn difference(before: Option<f64>, now: Option<f64>, places: usize) -> Option<f64> {
    before.zip(now).map(|(before, now)| round(now - before, places))
}

fn report(
    model: &str,
    now: &ModelWeek<'_>,
    before: Option<&ModelWeek<'_>>,
    rules: Rules,
) -> ModelReport {
    let both = |of: fn(&Run) -> Option<f64>| {
        let mean = |week: &ModelWeek<'_>| week.mean(of).map(round6);
        let (was, is) = (before.and_then(mean), mean(now));
        (is, difference(was, is, 6))
    };
    let score = |week: &ModelWeek<'_>| week.mean(|run| run.aggregate_score);
    let (was, is) = (before.and_then(score), score(now));
    let shown = |mean: Option<f64>| mean.map(|mean| round(mean, 4));
    let within_noise = was.zip(is).and_then(|(was, is)| {
        let prompts = before.and_then(ModelWeek::prompts);
        overlap((was, prompts), (is, now.prompts()), rules.score_scale)
    });
    let trade_off = before.and_then(|before| {
        let old = before.parts();
        let change = |((kind, name), value): ((PartKind, &str), f64)| {
            Some((name.to_owned(), round6(value - old.get(&(kind, name))?)))
        };
        let changes = now.parts().into_iter().filter_map(change).collect();
        TradeOff::from_changes(changes, rules.epsilon)
    });
    let (hallucination_rate, hallucination_delta) = both(|run| run.hallucination_rate);
    let (latency_p95_ms, latency_p95_ms_delta) = both(|run| run.latency_p95_ms);
    let (cost_per_message_usd, cost_per_message_usd_delta) = both(|run| run.cost_per_message_usd);
    let is_incident = |run: &&&Run| run.hallucination_rate.is_some_and(|rate| rate > 0.0);
    ModelReport {
        model: model.to_owned(),
        epoch: now.epoch.clone(),
        pack: now.runs[0].pack_run.as_ref().map(|facts| facts.pack.clone()),
        previous_week: before.map(|before| before.week),
        has_earlier: false,
        run_count: now.runs.len(),
        scored_run_count: now.scores().count(),
        avg_aggregate_score: shown(is),
        previous_avg_aggregate_score: shown(was),
        score_delta: difference(shown(was), shown(is), 4),
        within_noise,
        best_run_score: now.scores().reduce(f64::max),
        worst_run_score: now.scores().reduce(f64::min),
        hallucination_rate,
        hallucination_delta,
        hallucination_incidents: now.runs.iter().filter(is_incident).count(),
        latency_p95_ms,
        latency_p95_ms_delta,
        cost_per_message_usd,
        cost_per_message_usd_delta,
        regressions_opened: Vec::new(),
        regressions_resolved: Vec::new(),
        in_regression: now.runs.last().is_some_and(|run| run.regression_detected),
        trade_off,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::Line;

    const RULES: Rules = Rules { score_scale: 5.0, epsilon: 0.025 };

    fn history(runs: &[&str]) -> History {
        let line = |(index, rest): (usize, &&str)| {
            let text = format!(r#"{{"run_id":"r{index}",{rest}}}"#);
            Line::read(text.as_bytes()).expect("a run").0
        };
        History::from_lines(runs.iter().enumerate().map(line)).0
    }

    #[test]
    fn a_week_is_compared_by_model_with_the_last_week_of_the_same_epoch() {
        let history = history(&[
            r#""model":"p:a","run_at":"2026-05-04T12:00:00Z","aggregate_score":4.0,"n_prompts":100,
               "latency_p95_ms":900,"cost_per_message_usd":0.002,"rubric_scores":{"sound":4.0,"cites":4.5}"#,
            r#""model":"p:a","run_at":"2026-05-18T12:00:00Z","aggregate_score":4.1,"n_prompts":100,
               "latency_p95_ms":1000,"cost_per_message_usd":0.001,"rubric_scores":{"sound":4.4,"cites":4.0}"#,
            r#""model":"p:a","run_at":"2026-05-19T12:00:00Z","aggregate_score":4.2,"n_prompts":100,
               "hallucination_rate":0.1,"regression_detected":true"#,
            r#""model":"p:b","run_at":"2026-05-18T12:00:00Z","aggregate_score":5.0,"n_prompts":100"#,
            r#""model":"p:b","run_at":"2026-05-25T12:00:00Z","aggregate_score":1.0,"n_prompts":100"#,
            r#""model":"p:a","run_at":"2026-05-25T12:00:00Z","aggregate_score":4.0,"eval_protocol_version":"2""#,
            r#""model":"p:c","run_at":"2026-05-25T12:00:00Z""#,
        ]);
        let weeks = week_reports(&history, RULES);
        let week = |label: &str| {
            weeks.iter().find(|of| of.summary.week.to_string() == label).expect("a week")
        };
        let names = |label| week(label).models.iter().map(|of| &*of.model).collect::<Vec<_>>();
        assert_eq!(names("2026-W21"), ["p:b", "p:a"]);
        assert_eq!(names("2026-W22"), ["p:a", "p:b", "p:c"]);

        let a = &week("2026-W21").models[1];
        assert_eq!(a.previous_week.map(|week| week.to_string()).as_deref(), Some("2026-W19"));
        assert_eq!(
            (a.avg_aggregate_score, a.previous_avg_aggregate_score),
            (Some(4.15), Some(4.0))
        );
        assert_eq!((a.score_delta, a.within_noise), (Some(0.15), Some(true)));
        assert_eq!((a.best_run_score, a.worst_run_score), (Some(4.2), Some(4.1)));
        assert_eq!((a.latency_p95_ms, a.latency_p95_ms_delta), (Some(1000.0), Some(100.0)));
        assert_eq!(a.cost_per_message_usd_delta, Some(-0.001));
        assert_eq!((a.hallucination_incidents, a.hallucination_delta), (1, None));
        assert_eq!((&*a.regressions_opened, a.in_regression), (&["r2".to_owned()][..], true));
        assert_eq!(
            a.trade_off.as_ref().map(TradeOff::describe).as_deref(),
            Some("trade-off: +sound, −cites")
        );

        let after = &week("2026-W22").models;
        assert_eq!(
            (&*after[0].regressions_resolved, after[0].has_earlier),
            (&["r5".to_owned()][..], true)
        );
        assert_eq!((after[0].score_delta, after[0].previous_week), (None, None), "another epoch");
        assert_eq!((after[1].score_delta, after[1].within_noise), (Some(-4.0), Some(false)));
        assert_eq!((after[2].avg_aggregate_score, after[2].score_delta), (None, None));

        assert_eq!(week("2026-W21").avg_aggregate_score_delta, Some(0.4333));
        assert_eq!(week("2026-W22").avg_aggregate_score_delta, None, "the epochs differ");
        let json = serde_json::to_value(week("2026-W21")).expect("JSON");
        assert_eq!(
            (json["week"].as_str(), json["run_count"].as_u64()),
            (Some("2026-W21"), Some(3))
        );
    }
}
