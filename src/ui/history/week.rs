//! The weekly summary, for a person, a page or a machine.

use super::{ABSENT, change, plain};
use crate::domain::config::HistorySection;
use crate::domain::{Failure, escape_markdown};
use crate::facts::{ModelReport, WeekReport};
use crate::ledger::{TradeOff, Week};
use crate::ui::Ui;
use crate::ui::table::columns;

/// How a week is written.
#[derive(Debug, Clone, Copy)]
pub enum WeekShape {
    /// For a terminal.
    Text,
    /// For a page.
    Markdown,
    /// For a program.
    Json,
}

const MODELS: [&str; 16] = [
    "model",
    ">this week",
    ">last week",
    ">Δ",
    "noise",
    ">best",
    ">worst",
    ">runs",
    ">incidents",
    ">halluc.",
    ">Δ",
    ">p95 ms",
    ">Δ",
    ">$/message",
    ">Δ",
    "notes",
];

impl Ui {
    /// Shows one week: what happened to all models together, then to each.
    pub fn week(
        self,
        week: &WeekReport,
        section: &HistorySection,
        shape: WeekShape,
    ) -> Result<(), Failure> {
        let decimals = section.decimals;
        let rows = || {
            week.models
                .iter()
                .map(|of| model_row(of, week.previous_week, decimals))
                .collect::<Vec<_>>()
        };
        match shape {
            WeekShape::Json => return self.json(week),
            WeekShape::Markdown => {
                let lines: String =
                    totals(week, decimals).iter().map(|line| format!("- {line}\n")).collect();
                let table = markdown(&MODELS, &rows());
                self.out(format!("# Week {}\n\n{lines}\n{table}", week.summary.week))?;
            }
            WeekShape::Text => {
                let lines = totals(week, decimals).join("\n");
                let table = columns(&MODELS, &rows());
                self.out(format!("{}: {lines}\n\n{table}", week.summary.week))?;
            }
        }
        let unjudged = week.models.iter().filter(|of| of.score_delta.is_some());
        let unjudged = unjudged.filter(|of| of.within_noise.is_none()).count();
        if unjudged > 0 {
            self.note(&format!(
                "note: noise is not judged for {unjudged} model(s) whose runs do not say `n_prompts`"
            ));
        }
        self.mixed(std::slice::from_ref(week));
        Ok(())
    }

    /// Shows all weeks, a line each.
    pub fn weeks(
        self,
        weeks: &[WeekReport],
        section: &HistorySection,
        is_markdown: bool,
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            return self.json(&weeks);
        }
        let heads = [
            "week",
            ">average",
            ">Δ",
            ">best",
            ">worst",
            ">runs",
            ">scored",
            ">incidents",
            ">detected",
            ">resolved",
            ">open",
        ];
        let rows: Vec<Vec<String>> = weeks.iter().map(|week| row(week, section.decimals)).collect();
        self.out(if is_markdown { markdown(&heads, &rows) } else { columns(&heads, &rows) })?;
        self.mixed(weeks);
        Ok(())
    }

    fn mixed(self, weeks: &[WeekReport]) {
        for week in weeks.iter().map(|week| &week.summary).filter(|week| week.epochs.len() > 1) {
            self.note(&format!(
                "note: the average of {} mixes {} epochs, whose scores do not compare",
                week.week,
                week.epochs.len()
            ));
        }
    }
}

/// What happened to all models together, in two sentences.
fn totals(week: &WeekReport, decimals: usize) -> [String; 2] {
    let summary = &week.summary;
    let since = match (week.avg_aggregate_score_delta, week.previous_week) {
        (Some(delta), Some(previous)) => {
            format!(" ({} from {previous})", change(Some(delta), decimals))
        }
        _ => String::new(),
    };
    [
        format!(
            "average {}{since}, best {}, worst {}, {} run(s), {} scored",
            plain(summary.avg_aggregate_score, decimals),
            plain(summary.best_run_score, decimals),
            plain(summary.worst_run_score, decimals),
            summary.run_count,
            summary.scored_run_count,
        ),
        format!(
            "hallucination incidents: {}; regressions: {} opened, {} resolved, {} open",
            summary.hallucination_incidents,
            summary.regressions_detected,
            summary.regressions_resolved,
            summary.regressions_open,
        ),
    ]
}

fn model_row(of: &ModelReport, last: Option<Week>, decimals: usize) -> Vec<String> {
    let noise = match (of.score_delta, of.within_noise) {
        (None, _) => ABSENT,
        (_, Some(true)) => "within noise",
        (_, Some(false)) => "significant",
        (_, None) => "not judged",
    };
    vec![
        of.model.clone(),
        plain(of.avg_aggregate_score, decimals),
        plain(of.previous_avg_aggregate_score, decimals),
        change(of.score_delta, decimals),
        noise.to_owned(),
        plain(of.best_run_score, decimals),
        plain(of.worst_run_score, decimals),
        of.run_count.to_string(),
        of.hallucination_incidents.to_string(),
        plain(of.hallucination_rate, 3),
        change(of.hallucination_delta, 3),
        plain(of.latency_p95_ms, 0),
        change(of.latency_p95_ms_delta, 0),
        plain(of.cost_per_message_usd, 6),
        change(of.cost_per_message_usd_delta, 6),
        notes(of, last).join("; "),
    ]
}

fn notes(of: &ModelReport, last: Option<Week>) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let opened = of.regressions_opened.iter();
    notes.extend(opened.map(|run| format!("REGRESSION opened by {run}")));
    let resolved = of.regressions_resolved.iter();
    notes.extend(resolved.map(|run| format!("regression resolved by {run}")));
    if of.in_regression && of.regressions_opened.is_empty() {
        notes.push("still in regression".to_owned());
    }
    notes.extend(of.trade_off.as_ref().map(TradeOff::describe));
    notes.extend(of.pack.as_ref().map(|pack| format!("pack {pack}")));
    notes.extend(match of.previous_week {
        Some(_) if of.previous_week == last => None,
        Some(week) => Some(format!("last week is {week}")),
        None if of.has_earlier => Some("first week under this protocol".to_owned()),
        None => Some("first week".to_owned()),
    });
    notes
}

fn row(week: &WeekReport, decimals: usize) -> Vec<String> {
    let summary = &week.summary;
    vec![
        summary.week.to_string(),
        plain(summary.avg_aggregate_score, decimals.max(2)),
        change(week.avg_aggregate_score_delta, decimals.max(2)),
        plain(summary.best_run_score, decimals),
        plain(summary.worst_run_score, decimals),
        summary.run_count.to_string(),
        summary.scored_run_count.to_string(),
        summary.hallucination_incidents.to_string(),
        summary.regressions_detected.to_string(),
        summary.regressions_resolved.to_string(),
        summary.regressions_open.to_string(),
    ]
}

fn markdown(heads: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let names: Vec<String> =
        heads.iter().map(|head| head.trim_start_matches('>').to_owned()).collect();
    let rules: Vec<String> = heads
        .iter()
        .map(|head| if head.starts_with('>') { "---:" } else { "---" }.to_owned())
        .collect();
    let escaped = |row: &Vec<String>| -> Vec<String> {
        row.iter().map(|cell| escape_markdown(cell)).collect()
    };
    let body: String = rows.iter().map(|row| line(&escaped(row))).collect();
    line(&names) + &line(&rules) + &body
}
