//! Messages and tables of `correlate`.

use super::super::Ui;
use super::super::table::{Grid, room};
use super::clean;
use crate::domain::Failure;
use crate::table::correlate::{Judged, Missing, Mutual, Report, Topics, wide};

/// How many runs a message names.
const SHOWN: usize = 5;

/// The first names of a list, and how many more there are.
fn some_of(names: &[String]) -> String {
    let mut some: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    if names.len() > SHOWN {
        some.push(format!("and {} more", names.len() - SHOWN));
    }
    some.join(", ")
}

/// Why there is nothing to correlate; `None` if there is something.
pub fn nothing_to_correlate(
    judge: &str,
    sides: &Mutual,
    report: &Report,
    keep: bool,
) -> Option<Failure> {
    let Mutual { topics, truth: truth_side, judge: judge_side, .. } = sides;
    let failure = |what: String| Failure::unusable(what);
    if topics.used && topics.shared == 0 {
        let mut failure = failure(format!("`{judge}` and the truth share no topic"))
            .help("`--topics all` compares the aggregates of the files instead");
        for (names, side) in [(&topics.truth_only, "truth"), (&topics.judge_only, "judge")] {
            failure.details.push(match names.len() {
                0 => format!("the {side} has no topic that was asked for"),
                _ => format!("topics of the {side}: {}", some_of(names)),
            });
        }
        return Some(failure);
    }
    if report.shared == 0 {
        let mut failure = failure(format!("`{judge}` and the truth share no run"))
            .help("a run needs the same id on both sides; in trec_eval files it is the file name");
        let dropped = &report.dropped;
        for (names, side) in [(&dropped.truth_only, "truth"), (&dropped.judge_only, "judge")] {
            failure.details.push(match names.len() {
                0 => format!("the {side} has no runs"),
                _ => format!("runs of the {side}: {}", some_of(names)),
            });
        }
        return Some(failure);
    }
    if report.agreements.iter().any(|agreement| agreement.n > 0) {
        return None;
    }
    let mut failure = failure(format!("there is nothing to correlate with `{judge}`"));
    for (table, side) in [(truth_side, "truth"), (judge_side, "judge")] {
        let aggregated = |id| table.runs().any(|run| table.number(run, id).is_some());
        if table.measures().any(|(id, _)| aggregated(id)) {
            continue;
        }
        failure.details.push(if keep && table.topics().next().is_some() {
            format!("the {side} has no aggregate rows, and `--aggregates keep` computes none")
        } else {
            format!("the {side} has no numeric measure")
        });
    }
    if failure.details.is_empty() {
        failure.details.push("no run has a value on both sides".to_owned());
    }
    let help = if keep {
        "`--aggregates recompute` computes aggregates from the topics"
    } else {
        "`--truth-measure` and `--judge-measure` name the measures"
    };
    Some(failure.help(help))
}

impl Ui {
    /// Each run's rank in truth and by each judge.
    pub fn ranks(judges: &[Judged]) -> String {
        let mut grid = Grid::new(&[
            ("Judge", false),
            ("Run", false),
            ("Truth", true),
            ("Judged", true),
            ("Difference", true),
        ]);
        for judged in judges {
            for (run, truth, judge) in judged.scatter.iter().flat_map(|scatter| &scatter.points) {
                grid.rows.push(vec![
                    clean(&judged.name),
                    clean(run),
                    truth.to_string(),
                    judge.to_string(),
                    format!("{:+}", judge - truth),
                ]);
            }
        }
        grid.draw()
    }

    /// Says which runs only one side has; refuses them, and such topics, if that was asked for.
    pub fn overlap(
        self,
        judge: &str,
        report: &Report,
        topics: &Topics,
        missing: Missing,
    ) -> Result<(), Failure> {
        let dropped = &report.dropped;
        let list = |noun: &str, sides: [(&[String], &str); 3]| -> Vec<String> {
            let some = sides.into_iter().filter(|(names, _)| !names.is_empty());
            some.map(|(names, side)| format!("{}{noun} {side}: {}", names.len(), some_of(names)))
                .collect()
        };
        let sides = |noun: &str, truth: &[String], judge: &[String], unknown: &[String]| {
            let only = ["only in the truth", "only in the judge", "asked for but on neither side"];
            list(noun, [(truth, only[0]), (judge, only[1]), (unknown, only[2])])
        };
        let runs = sides("", &dropped.truth_only, &dropped.judge_only, &[]);
        if missing == Missing::Error {
            let of_runs = sides(" runs", &dropped.truth_only, &dropped.judge_only, &[]);
            let of_topics =
                sides(" topics", &topics.truth_only, &topics.judge_only, &topics.unknown);
            let which = match (of_runs.is_empty(), of_topics.is_empty()) {
                (true, true) => return Ok(()),
                (false, true) => "runs",
                (true, false) => "topics",
                (false, false) => "runs and topics",
            };
            let what = format!("`{judge}` and the truth have different {which}");
            let mut failure = Failure::unusable(what)
                .help("`--on-missing skip` leaves them out; `fill` counts 0 for missing runs");
            failure.details = [of_runs, of_topics].concat();
            return Err(failure);
        }
        if !topics.unknown.is_empty() {
            let unknown = some_of(&topics.unknown);
            self.note(&format!("note: {judge}: topics asked for but on neither side: {unknown}"));
        }
        if !runs.is_empty() {
            let filled = missing == Missing::Fill;
            let done = if filled { "missing runs of the judge count as 0" } else { "left out" };
            let shared = report.shared;
            self.note(&format!("{judge}: {shared} shared runs; {}; {done}", runs.join("; ")));
        }
        Ok(())
    }

    /// Says why values are undefined, and how many draws were.
    pub fn undefined(self, judged: &[Judged]) {
        for one in judged {
            for agreement in &one.report.agreements {
                let (truth, judge, method) = (&agreement.truth, &agreement.judge, agreement.method);
                let place = format!("{}: {method} of {truth} and {judge}", one.name);
                if let Err(why) = agreement.value {
                    self.note(&format!("note: {place} is undefined: {why}"));
                } else if agreement.dropped_draws > 0 {
                    let dropped = agreement.dropped_draws;
                    self.note(&format!(
                        "note: {place}: {dropped} draws are undefined and left out"
                    ));
                }
            }
        }
    }

    /// The rows of another program, as a table.
    pub fn upstream_rows(self, header: &[String], rows: &[Vec<String>]) -> String {
        let tidy = |row: &[String]| row.iter().map(|cell| clean(cell)).collect();
        let right = (0..header.len()).map(|at| at >= 3).collect();
        let rows = rows.iter().map(|row| tidy(row)).collect();
        Grid { header: tidy(header), right, rows }.draw()
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
