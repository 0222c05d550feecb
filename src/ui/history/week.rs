//! The weekly summary, for a person, a page or a machine.

use super::plain;
use crate::cli::Weekly;
use crate::domain::Failure;
use crate::domain::config::HistorySection;
use crate::ledger::WeekSummary;
use crate::ui::Ui;
use crate::ui::table::columns;

impl Ui {
    /// Shows weeks: one JSON object (an array for several), Markdown, or columns.
    pub fn weeks(
        self,
        weeks: &[&WeekSummary],
        section: &HistorySection,
        args: &Weekly,
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            return match weeks {
                [week] if !args.all => self.json(week),
                weeks => self.json(&weeks),
            };
        }
        let heads = [
            "week",
            ">average",
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
        self.out(if args.markdown { markdown(&heads, &rows) } else { columns(&heads, &rows) })?;
        for week in weeks.iter().filter(|week| week.epochs.len() > 1) {
            self.note(&format!(
                "note: the average of {} mixes {} epochs, whose scores do not compare",
                week.week,
                week.epochs.len()
            ));
        }
        Ok(())
    }
}

fn row(week: &WeekSummary, decimals: usize) -> Vec<String> {
    vec![
        week.week.to_string(),
        plain(week.avg_aggregate_score, decimals.max(2)),
        plain(week.best_run_score, decimals),
        plain(week.worst_run_score, decimals),
        week.run_count.to_string(),
        week.scored_run_count.to_string(),
        week.hallucination_incidents.to_string(),
        week.regressions_detected.to_string(),
        week.regressions_resolved.to_string(),
        week.regressions_open.to_string(),
    ]
}

/// Cells hold numbers and week labels only, so nothing needs escaping.
fn markdown(heads: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let names: Vec<String> =
        heads.iter().map(|head| head.trim_start_matches('>').to_owned()).collect();
    let rules: Vec<String> = heads
        .iter()
        .map(|head| if head.starts_with('>') { "---:" } else { "---" }.to_owned())
        .collect();
    let body: String = rows.iter().map(|row| line(row)).collect();
    line(&names) + &line(&rules) + &body
}
