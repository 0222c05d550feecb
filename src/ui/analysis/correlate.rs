//! Agreement of judges with the truth, in words.

use super::super::Ui;
use super::super::grid::{Grid, room};
use super::clean;
use crate::domain::Failure;
use crate::table::correlate::{Judged, Missing, Report, wide};

/// How many runs a message names.
const SHOWN: usize = 5;

impl Ui {
    /// Says which runs only one side has; refuses them if that was asked for.
    pub fn overlap(
        self,
        judge: &str,
        report: &Report,
        missing: Missing,
        only_shared: bool,
    ) -> Result<(), Failure> {
        let list = |runs: &[String]| {
            let mut names: Vec<String> =
                runs.iter().take(SHOWN).map(|run| format!("`{run}`")).collect();
            if runs.len() > SHOWN {
                names.push(format!("and {} more", runs.len() - SHOWN));
            }
            names.join(", ")
        };
        let dropped = &report.dropped;
        let mut parts = Vec::new();
        for (runs, side) in [(&dropped.truth_only, "truth"), (&dropped.judge_only, "judge")] {
            if !runs.is_empty() {
                parts.push(format!("{} only in the {side}: {}", runs.len(), list(runs)));
            }
        }
        if parts.is_empty() {
            return Ok(());
        }
        if missing == Missing::Error && !only_shared {
            let mut failure =
                Failure::unusable(format!("`{judge}` does not have the runs the truth has"))
                    .help("`--on-missing skip` leaves them out, `fill` counts 0");
            failure.details = parts;
            return Err(failure);
        }
        let done = if missing == Missing::Fill { "the judge's holes count 0" } else { "left out" };
        self.say(&format!("{judge}: {} shared runs; {}; {done}", report.shared, parts.join("; ")));
        Ok(())
    }

    /// Says why values are undefined, and how many draws were.
    pub fn undefined(self, judged: &[Judged]) {
        for one in judged {
            for agreement in &one.report.agreements {
                let (truth, judge, method) = (&agreement.truth, &agreement.judge, agreement.method);
                let place = format!("{}: {method} of {truth} and {judge}", one.name);
                if let Err(why) = agreement.value {
                    self.say(&format!("note: {place} is undefined: {why}"));
                } else if agreement.dropped_draws > 0 {
                    let dropped = agreement.dropped_draws;
                    self.say(&format!("note: {place}: {dropped} draws are undefined and left out"));
                }
            }
        }
    }

    /// One column per judge; where that is too wide, one table per judge.
    pub fn agreements(self, judged: &[Judged]) -> String {
        let draw = |part: &[Judged]| {
            let (header, rows) = wide(part);
            let right = (0..header.len()).map(|at| at >= 3).collect();
            let tidy = |row: &Vec<String>| row.iter().map(|cell| clean(cell)).collect();
            Grid { header: tidy(&header), right, rows: rows.iter().map(tidy).collect() }
        };
        let all = draw(judged);
        if all.width() <= room() || judged.len() == 1 {
            return all.draw();
        }
        judged
            .iter()
            .map(|one| draw(std::slice::from_ref(one)).draw())
            .collect::<Vec<_>>()
            .join("\n")
    }
}
