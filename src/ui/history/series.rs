//! The series of each model as a table, with a sparkline on a terminal.

use std::collections::BTreeSet;

use super::{ABSENT, change, plain};
use crate::domain::Failure;
use crate::domain::config::HistorySection;
use crate::ledger::{History, Run, RunReport, TradeOff, open_regressions};
use crate::ui::table::columns;
use crate::ui::{Ui, escape};

/// The runs to show.
pub struct SeriesView<'v> {
    /// Everything recorded.
    pub history: &'v History,
    /// The models asked for.
    pub models: &'v [String],
    /// The runs of each model, in time order.
    pub series: Vec<Vec<RunReport<'v>>>,
    /// Whether to say how many runs were superseded.
    pub names_hidden: bool,
}

impl Ui {
    /// Shows the series: a table per model, or one JSON array.
    pub fn series(
        self,
        view: &SeriesView<'_>,
        section: &HistorySection,
        json: bool,
    ) -> Result<(), Failure> {
        let history = view.history;
        if json {
            return self.json(&view.series.iter().flatten().collect::<Vec<_>>());
        }
        let mut out = String::new();
        for runs in view.series.iter().filter(|runs| !runs.is_empty()) {
            let scores: Vec<_> = runs.iter().map(|report| report.run.aggregate_score).collect();
            let spark = if self.is_terminal() { sparkline(&scores) } else { String::new() };
            out += &format!("{}{spark}\n", escape(&runs[0].run.model));
            let rows = runs.iter().map(|report| row(report, section.decimals));
            out += &columns(
                &[
                    "  run at",
                    ">score",
                    ">Δ",
                    ">average",
                    "trend",
                    ">halluc.",
                    ">Δ",
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

fn row(report: &RunReport<'_>, decimals: usize) -> Vec<String> {
    let RunReport { run, derived, trade_off, backfilled, .. } = report;
    let mut notes: Vec<String> = Vec::new();
    notes.extend(run.regression_detected.then(|| "REGRESSION".to_owned()));
    notes.extend((!run.ended().is_completed()).then(|| run.ended().as_str().to_owned()));
    notes.extend(derived.score_delta.err().map(|why| why.reason().to_owned()));
    notes.extend(trade_off.as_ref().map(TradeOff::describe));
    notes.extend(backfilled.then(|| "backfilled".to_owned()));
    notes.extend(derived.notes.iter().cloned());
    notes.extend(run.notes.clone());
    let trend = match derived.trend {
        Ok(trend) => trend.as_str().to_owned(),
        Err(why) => format!("{ABSENT} ({})", why.reason()),
    };
    vec![
        format!("  {}", run.at.minute()),
        plain(run.aggregate_score, decimals),
        change(derived.score_delta.ok(), decimals),
        plain(derived.moving_average, decimals),
        trend,
        plain(run.hallucination_rate, 3),
        change(derived.hallucination_delta, 3),
        plain(run.latency_p95_ms, 0),
        change(derived.latency_delta, 0),
        plain(run.cost_per_message_usd, 6),
        change(derived.cost_delta, 6),
        run.run_id.clone(),
        notes.join("; "),
    ]
}

/// The scores as eight heights between the lowest and the highest; a run without one is a space.
fn sparkline(scores: &[Option<f64>]) -> String {
    const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    let known = || scores.iter().flatten().copied();
    let (low, high) = (known().fold(f64::MAX, f64::min), known().fold(f64::MIN, f64::max));
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
    let line: String = scores.iter().map(|score| score.map_or(' ', height)).collect();
    format!("  {line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sparkline_spans_from_the_lowest_to_the_highest() {
        assert_eq!(sparkline(&[Some(0.1), Some(0.5), None, Some(0.9)]), "  ▁▅ █");
        assert_eq!(sparkline(&[Some(0.1)]), "  ▅");
    }
}
