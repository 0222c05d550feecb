//! Words an audit.

use serde::Serialize;

use super::hints::{code_help, gap, worded};
use super::{Ui, report};
use crate::board::{Audit, NotCovered, Submission, UsedWaiver};
use crate::cli::Format;
use crate::domain::{Code, Exit, Failure, Finding, Severity, nearest};
use crate::workspace::{Revealed, Verdict};

#[derive(Serialize)]
struct Machine<'v> {
    format: u8,
    command: &'static str,
    answer: &'static str,
    rows_checked: usize,
    rows_held_out_checked: usize,
    findings: Vec<Finding>,
    notes: Vec<Finding>,
    skipped: &'v [String],
    failures: Vec<String>,
    waivers: &'v [UsedWaiver],
    not_covered: Vec<NotCovered>,
}

/// What `freeze --held-out` answers: the keys of `verify`, and the score.
#[derive(Serialize)]
struct FrozeHeldOut<'f> {
    #[serde(flatten)]
    machine: Machine<'f>,
    passed: Option<usize>,
    n: Option<usize>,
}

/// The envelope of a command that replays no board.
fn answer(command: &'static str, findings: &[Finding]) -> Machine<'static> {
    let (findings, notes): (Vec<_>, Vec<_>) =
        findings.iter().map(worded).partition(Finding::decides);
    Machine {
        format: 1,
        command,
        answer: if findings.is_empty() { "yes" } else { "no" },
        rows_checked: 0,
        rows_held_out_checked: 0,
        findings,
        notes,
        skipped: &[],
        failures: Vec::new(),
        waivers: &[],
        not_covered: Vec::new(),
    }
}

/// What `check --pull-request` answers: the keys of `verify`, and what the pull request enters.
#[derive(Serialize)]
struct Submitted<'s> {
    #[serde(flatten)]
    machine: Machine<'s>,
    kind: Option<&'static str>,
    model: Option<String>,
    bundle: Option<&'s str>,
}

impl Ui {
    /// Writes what `check --pull-request` found as one line of JSON.
    pub fn submitted(self, classified: Result<Submission<'_>, &[Finding]>) -> Result<(), Failure> {
        self.json(&Submitted {
            machine: answer("check", classified.err().unwrap_or_default()),
            kind: classified.ok().map(Submission::name),
            model: classified.ok().map(|submission| submission.seed().id()),
            bundle: classified.ok().and_then(Submission::bundle),
        })
    }

    /// Prints what `freeze --held-out` found, in the format asked for; `counts` are the prompts that
    /// pass and all of them.
    pub fn froze_held_out(
        self,
        findings: &[Finding],
        counts: Option<(usize, usize)>,
        format: Format,
    ) -> Result<(), Failure> {
        match format {
            Format::Json => self.json(&FrozeHeldOut {
                machine: answer("freeze", findings),
                passed: counts.map(|(passed, _)| passed),
                n: counts.map(|(_, n)| n),
            }),
            Format::Github => self.annotate(findings),
            Format::Human => self.findings(findings),
        }
    }

    /// Prints the verdict in the format asked for.
    pub fn verdict(self, verdict: &Verdict, format: Format) -> Result<(), Failure> {
        match format {
            Format::Json => self.json(&machine(verdict)),
            Format::Github => {
                self.annotate(&verdict.verified.audit.findings)?;
                self.sentence(verdict)
            }
            Format::Human => {
                verdict
                    .verified
                    .skipped
                    .iter()
                    .for_each(|skip| self.note(&format!("note: {skip}")));
                self.findings(&verdict.verified.audit.findings)?;
                verdict.verified.failures.iter().for_each(|failure| self.failure(failure));
                self.sentence(verdict)
            }
        }
    }

    /// Says what a finding code means.
    pub fn explain(self, code: &str) -> Result<Exit, Failure> {
        let line = |code: Code| format!("{code}: {}\n  {}\n", code.meaning(), code_help(code));
        if code == "all" {
            self.out(Code::all().map(line).collect::<String>())?;
            return Ok(Exit::Yes);
        }
        let Some(code) = Code::parse(code) else {
            let near = nearest(&code.to_uppercase(), Code::all().map(Code::as_str));
            return Err(Failure::unusable(format!("unknown finding code `{code}`"))
                .meant(near, "`--explain all` lists every code"));
        };
        self.out(line(code))?;
        Ok(Exit::Yes)
    }

    fn sentence(self, verdict: &Verdict) -> Result<(), Failure> {
        let Audit { rows_checked, held_out_checked, .. } = verdict.verified.audit;
        verdict.verified.waivers.iter().try_for_each(|used| self.result(&report::waived(used)))?;
        let wrong =
            verdict.verified.audit.findings.iter().filter(|finding| finding.decides()).count();
        self.result(&match verdict.exit() {
            Exit::Yes if verdict.form_only => {
                "well-formed: schema, names, canonical bytes, ranks, gaps and counts are consistent"
                    .to_owned()
            }
            Exit::Yes => {
                format!("verified: {rows_checked} public row(s) reproduce; board is aggregate-only")
            }
            Exit::No => format!("not verified: {wrong} finding(s)"),
            _ => format!(
                "not verified: {} bundle(s) could not be read, {wrong} finding(s)",
                verdict.verified.failures.len()
            ),
        })?;
        if held_out_checked > 0 {
            self.result(&format!("held-out: {held_out_checked} headline(s) re-derived"))?;
        }
        if let Some(Revealed { boards, cells }) = verdict.revealed {
            self.result(&format!(
                "revealed: {cells} held-out cell(s) of {boards} board(s) reproduce"
            ))?;
        }
        if let Ok(seal) = &verdict.seal {
            let how = if seal.is_signed { ", signed with the key of the config" } else { "" };
            self.result(&format!("seal: number {} in {}{how}", seal.serial, seal.file))?;
        }
        let all: Vec<String> =
            verdict.not_covered().into_iter().map(|it| gap(it).to_string()).collect();
        let all = if all.is_empty() { "nothing".to_owned() } else { all.join("; ") };
        self.result(&format!("not covered: {all}"))
    }
}

fn machine(verdict: &Verdict) -> Machine<'_> {
    let of = |severity| {
        verdict.verified.audit.findings.iter().filter(move |finding| finding.severity == severity)
    };
    Machine {
        format: 1,
        command: "verify",
        answer: verdict.exit().answer(),
        rows_checked: verdict.verified.audit.rows_checked,
        rows_held_out_checked: verdict.verified.audit.held_out_checked,
        findings: of(Severity::Finding).map(worded).collect(),
        notes: of(Severity::Note).map(worded).collect(),
        skipped: &verdict.verified.skipped,
        failures: verdict.verified.failures.iter().map(ToString::to_string).collect(),
        waivers: &verdict.verified.waivers,
        not_covered: verdict.not_covered().into_iter().map(gap).collect(),
    }
}
