//! Parts, changes, recalibrations, packs, and the ledger's own checks.

use serde::Serialize;
use serde_json::json;

use super::{ABSENT, change, plain};
use crate::domain::config::{HistorySection, RunStatus};
use crate::domain::{Failure, Finding};
use crate::facts::{BaselineSource, Compared};
use crate::ledger::{Change, NoChange, Part, PartsReport, Recalibration, Run, Skipped, Week, head};
use crate::ui::table::columns;
use crate::ui::{Ui, escape, hints};

#[derive(Serialize)]
struct MachinePackRun<'v> {
    run_id: &'v str,
    model: &'v str,
    run_at: &'v str,
    score: Option<f64>,
    scoring_mode: Option<&'v str>,
    judge_model: Option<&'v str>,
    backend: Option<&'v str>,
    status: Option<RunStatus>,
    partial: bool,
    time_zone_assumed: bool,
    reasons: &'v [String],
    compared: &'v Compared,
}

/// Weeks that are listed by name.
const MOST_WEEKS: usize = 12;

impl Ui {
    /// Shows the parts of each run.
    pub fn breakdown(
        self,
        reports: &[PartsReport<'_>],
        decimals: usize,
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            return self.json(&reports);
        }
        let mut out = String::new();
        for PartsReport { model, at, parts, trade_off, .. } in reports {
            let mark = trade_off
                .as_ref()
                .map(|trade_off| format!("  {}", escape(&trade_off.describe())))
                .unwrap_or_default();
            out += &format!("{}  {}{mark}\n", escape(model), at.minute());
            let row = |part: &Part| {
                vec![
                    format!("  {}", part.name),
                    part.kind.as_str().to_owned(),
                    plain(Some(part.value), decimals),
                    change(part.delta, decimals),
                    plain(part.moving_average, decimals),
                    part.trend.map_or(ABSENT, crate::ledger::Trend::as_str).to_owned(),
                ]
            };
            let heads = ["  part", "of", ">score", ">Δ", ">average", "trend"];
            out += &columns(&heads, &parts.iter().map(row).collect::<Vec<_>>());
            out.push('\n');
        }
        if reports.is_empty() {
            self.result("no recorded run has scores by dataset or rubric")?;
        }
        self.out(out)
    }

    /// Says how each model changed, or why it cannot be said.
    pub fn changes(
        self,
        changes: &[(String, Result<Change, NoChange>)],
        decimals: usize,
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            let rows: Vec<serde_json::Value> = changes
                .iter()
                .map(|(model, change)| match change {
                    Ok(change) => json!(change),
                    Err(why) => {
                        json!({"model": model, "percent": null, "because": because(why)})
                    }
                })
                .collect();
            return self.json(&rows);
        }
        let line = |(model, change): &(String, Result<Change, NoChange>)| {
            let words = match change {
                Ok(change) => change.describe(decimals),
                Err(why) => format!("{ABSENT} ({})", because(why)),
            };
            format!("{}: {}\n", escape(model), escape(&words))
        };
        self.out(changes.iter().map(line).collect::<String>())
    }

    /// Shows old and new scores.
    pub fn recalibrated(
        self,
        done: &Recalibration,
        section: &HistorySection,
        dry_run: bool,
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            let changes: Vec<serde_json::Value> = done
                .changes
                .iter()
                .map(|(run_id, old, new)| json!({"run_id": run_id, "old": old, "new": new}))
                .collect();
            let skipped: Vec<serde_json::Value> = done
                .skipped
                .iter()
                .map(|(run_id, why)| match why {
                    Skipped::Lacks(part) => json!({"run_id": run_id, "lacks": part}),
                    why => json!({"run_id": run_id, "because": why.to_string()}),
                })
                .collect();
            return self.json(&json!({
                "weights_sha16": done.weights_sha16,
                "changes": changes,
                "skipped": skipped,
                "already": done.already,
                "dry_run": dry_run,
            }));
        }
        let decimals = section.decimals;
        let row = |(run_id, old, new): &(String, Option<f64>, f64)| {
            vec![run_id.clone(), plain(*old, decimals), plain(Some(*new), decimals)]
        };
        if !done.changes.is_empty() {
            let rows: Vec<Vec<String>> = done.changes.iter().map(row).collect();
            self.out(columns(&["run", ">old", ">new"], &rows))?;
        }
        for (run_id, why) in &done.skipped {
            self.note(&format!("note: `{run_id}` gets no new score: {why}"));
        }
        let id = &done.weights_sha16;
        let already = done.already;
        if done.changes.is_empty() {
            self.result(&format!(
                "nothing left to rescore: {already} run(s) have these weights already, {} cannot be rescored",
                done.skipped.len()
            ))?;
        } else {
            let verb = if dry_run { "would rescore" } else { "rescored" };
            self.result(&format!(
                "{verb} {} run(s), {already} had these weights already; each new run supersedes its original, which stays in the ledger",
                done.changes.len()
            ))?;
        }
        self.out(format!("new runs must carry \"weights_sha16\": \"{id}\"\n"))
    }

    /// Names the weeks that changed.
    pub fn weeks_changed(self, weeks: &[Week]) -> Result<(), Failure> {
        if weeks.is_empty() {
            return Ok(());
        }
        let words: Vec<String> = weeks.iter().map(ToString::to_string).collect();
        let words = match words.as_slice() {
            [first, .., last] if words.len() > MOST_WEEKS => {
                format!("{} from {first} to {last}", words.len())
            }
            all => all.join(", "),
        };
        self.result(&format!("weeks changed: {words}"))
    }

    /// Shows the runs of a pack with grade, cohort, baseline and delta.
    pub fn pack(
        self,
        runs: &[(&Run, &Compared)],
        decimals: usize,
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            let row = |(run, compared): &(&'_ Run, &'_ Compared)| {
                let facts = run.pack_run.as_ref();
                json!(MachinePackRun {
                    run_id: &run.run_id,
                    model: &run.model,
                    run_at: &run.run_at,
                    score: run.aggregate_score,
                    scoring_mode: facts.map(|facts| facts.scoring_mode.as_str()),
                    judge_model: facts.and_then(|facts| facts.judge_model.as_deref()),
                    backend: facts.and_then(|facts| facts.backend.as_deref()),
                    status: facts.map(|facts| facts.status),
                    partial: facts.is_some_and(|facts| facts.partial),
                    time_zone_assumed: facts.is_some_and(|facts| facts.time_zone_assumed),
                    reasons: facts.map(|facts| facts.reasons.as_slice()).unwrap_or_default(),
                    compared,
                })
            };
            return self.json(&runs.iter().map(row).collect::<Vec<_>>());
        }
        let row = |(run, compared): &(&Run, &Compared)| {
            let facts = run.pack_run.as_ref();
            let mut notes: Vec<String> =
                facts.map(|facts| facts.reasons.clone()).unwrap_or_default();
            notes.extend(compared.reasons.iter().cloned());
            notes.extend(facts.filter(|facts| facts.partial).map(|_| "partial".to_owned()));
            notes.extend(compared.evidence.problems.iter().cloned());
            notes.extend(compared.notes.iter().map(|note| (*note).to_owned()));
            let baseline = compared.baseline.as_ref().map_or(ABSENT.to_owned(), |baseline| {
                let rule = match baseline.source {
                    BaselineSource::Official => "official",
                    BaselineSource::Earliest => "earliest",
                };
                format!("{} ({rule}, {})", baseline.model, baseline.run_id)
            });
            vec![
                run.model.clone(),
                run.at.minute(),
                plain(run.aggregate_score, decimals),
                compared.evidence.grade.as_str().to_owned(),
                compared.cohort_id.clone().unwrap_or_else(|| ABSENT.to_owned()),
                baseline,
                change(compared.delta, decimals),
                notes.join(", "),
            ]
        };
        let heads = ["model", "run at", ">score", "grade", "cohort", "baseline", ">Δ", "notes"];
        self.out(columns(&heads, &runs.iter().map(row).collect::<Vec<_>>()))
    }

    /// Prints what is wrong with the ledger, then its size and root.
    pub fn ledger_checked(
        self,
        findings: &[Finding],
        history: &[u8],
        json: bool,
    ) -> Result<(), Failure> {
        let head = head(history).ok();
        let answer = !findings.iter().any(Finding::decides);
        if json {
            return self.json(&json!({
                "format": 1,
                "command": "history verify",
                "answer": if answer { "yes" } else { "no" },
                "size": head.map(|head| head.size),
                "root": head.map(|head| head.root_base64()),
                "findings": findings.iter().map(hints::worded).collect::<Vec<_>>(),
            }));
        }
        self.findings(findings)?;
        if let Some(head) = head.filter(|_| answer) {
            self.result(&format!("verified: {} line(s), root {}", head.size, head.root_base64()))?;
        }
        Ok(())
    }
}

/// Why there is no change, and what to do.
fn because(why: &NoChange) -> String {
    match why {
        NoChange::TooFew(_) => why.to_string(),
        NoChange::Epochs(..) => format!("{why}; {}", hints::CHOOSE_AN_EPOCH),
    }
}
