//! The series of each model as a table, with a sparkline on a terminal.

use std::collections::BTreeSet;

use serde::Serialize;

use super::columns::columns;
use super::{ABSENT, change, plain};
use crate::domain::Failure;
use crate::domain::config::HistorySection;
use crate::ledger::{
    Derived, History, Instant, Rules, Run, TradeOff, derive, open_regressions, trade_off,
};
use crate::ui::{Ui, escape};

/// The runs to show.
pub struct SeriesView<'v> {
    /// Everything recorded.
    pub history: &'v History,
    /// The models asked for.
    pub models: &'v [String],
    /// The runs of each model, in time order.
    pub series: Vec<Vec<&'v Run>>,
    /// The scale and ε.
    pub rules: Rules,
    /// Whether to say how many runs were superseded.
    pub names_hidden: bool,
}

impl<'v> SeriesView<'v> {
    pub(super) fn machine(&self) -> Vec<Machine<'v>> {
        let (history, epsilon) = (self.history, self.rules.epsilon);
        let row = |run: &&'v Run| Machine {
            run,
            derived: derive(history, run, epsilon),
            trade_off: trade_off(history, run, epsilon),
            backfilled: is_backfilled(run),
        };
        self.series.iter().flatten().map(row).collect()
    }
}

#[derive(Serialize)]
pub(super) struct Machine<'v> {
    run: &'v Run,
    derived: Derived,
    trade_off: Option<TradeOff>,
    backfilled: bool,
}

/// A run recorded more than this after it was made was recorded late.
const LATE_SECONDS: i64 = 7 * 86_400;

fn is_backfilled(run: &Run) -> bool {
    let recorded = run.recorded_at.as_deref().and_then(Instant::parse);
    recorded.is_some_and(|recorded| recorded.seconds_since(run.at) > LATE_SECONDS)
}

impl Ui {
    /// Shows the series: a table per model, or one JSON array.
    pub fn series(
        self,
        view: &SeriesView<'_>,
        section: &HistorySection,
        json: bool,
    ) -> Result<(), Failure> {
        let (history, epsilon) = (view.history, view.rules.epsilon);
        if json {
            return self.json(&view.machine());
        }
        let mut out = String::new();
        for runs in view.series.iter().filter(|runs| !runs.is_empty()) {
            let spark = if self.is_terminal() { sparkline(runs) } else { String::new() };
            out += &format!("{}{spark}\n", escape(&runs[0].model));
            let rows = runs.iter().map(|run| row(history, run, epsilon, section.decimals));
            out += &columns(
                &[
                    "  run at",
                    ">score",
                    ">Δ",
                    ">average",
                    "trend",
                    ">p95 ms",
                    ">Δ",
                    ">$/message",
                    ">Δ",
                    "run",
                    "notes",
                ],
                &rows.collect::<Vec<_>>(),
            );
            out.push('\n');
        }
        if out.is_empty() {
            self.result("no run is recorded there")?;
        }
        self.out(out)?;
        let is_asked = |model: &str| view.models.iter().any(|asked| asked == model);
        let of_asked = |id: &str| history.run(id).is_some_and(|run| is_asked(&run.model));
        for retraction in history.retractions().filter(|line| of_asked(&line.run_id)) {
            self.result(&format!("retracted: {} ({})", retraction.run_id, retraction.reason))?;
        }
        if view.names_hidden {
            self.superseded(view, &is_asked);
        }
        let mut open = open_regressions(history);
        open.retain(|model| is_asked(model));
        if !open.is_empty() {
            self.result(&format!("in regression: {}", open.join(", ")))?;
        }
        Ok(())
    }

    fn superseded(self, view: &SeriesView<'_>, is_asked: &dyn Fn(&str) -> bool) {
        let is_hidden =
            |run: &&Run| is_asked(&run.model) && view.history.superseded_by(&run.run_id).is_some();
        let hidden = view.history.recorded().iter().filter(is_hidden);
        let epochs: BTreeSet<String> = hidden.clone().map(Run::epoch).collect();
        let shows: Vec<String> =
            epochs.iter().take(3).map(|epoch| format!("`--epoch {epoch}`")).collect();
        if !shows.is_empty() {
            self.note(&format!(
                "note: superseded by rescored runs: {} run(s); shown with {}",
                hidden.count(),
                shows.join(", ")
            ));
        }
    }
}

fn row(history: &History, run: &Run, epsilon: f64, decimals: usize) -> Vec<String> {
    let derived = derive(history, run, epsilon);
    let mut notes: Vec<String> = Vec::new();
    notes.extend(run.regression_detected.then(|| "REGRESSION".to_owned()));
    notes.extend((!run.ended().is_completed()).then(|| run.ended().as_str().to_owned()));
    notes.extend(derived.score_delta.err().map(|why| why.words().to_owned()));
    notes.extend(trade_off(history, run, epsilon).map(|trade_off| trade_off.words()));
    notes.extend(is_backfilled(run).then(|| "backfilled".to_owned()));
    notes.extend(derived.notes.iter().cloned());
    notes.extend(run.notes.clone());
    let trend = match derived.trend {
        Ok(trend) => trend.as_str().to_owned(),
        Err(why) => format!("{ABSENT} ({})", why.words()),
    };
    vec![
        format!("  {}", run.at.minute()),
        plain(run.aggregate_score, decimals),
        change(derived.score_delta.ok(), decimals),
        plain(derived.moving_average, decimals),
        trend,
        plain(run.latency_p95_ms, 0),
        change(derived.latency_delta, 0),
        plain(run.cost_per_message_usd, 6),
        change(derived.cost_delta, 6),
        run.run_id.clone(),
        notes.join("; "),
    ]
}

/// The scores as eight heights between the lowest and the highest; a run without one is a space.
fn sparkline(runs: &[&Run]) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let scores = || runs.iter().filter_map(|run| run.aggregate_score);
    let (low, high) = (scores().fold(f64::MAX, f64::min), scores().fold(f64::MIN, f64::max));
    let height = |score: f64| {
        let share = if high > low { (score - low) / (high - low) } else { 0.5 };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a share lies in 0..=1"
        )]
        let index = (share * 7.0).round() as usize;
        HEIGHTS[index.min(7)]
    };
    let line: String = runs.iter().map(|run| run.aggregate_score.map_or(' ', height)).collect();
    format!("  {line}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn a_sparkline_spans_from_the_lowest_to_the_highest() {
        let run = |score: &str| {
            let text = format!(
                r#"{{"run_id":"r","run_at":"2026-05-04T12:00:00Z","model":"m","aggregate_score":{score}}}"#
            );
            Run::read(&json::parse(text.as_bytes()).expect("JSON").root, 1.0).expect("a run").run
        };
        let runs = [run("0.1"), run("0.5"), run("null"), run("0.9")];
        assert_eq!(sparkline(&runs.iter().collect::<Vec<_>>()), "  ▁▅ █");
        assert_eq!(sparkline(&[&runs[0]]), "  ▅");
    }
}
