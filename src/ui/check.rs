//! Words what `check` found: the score, each failing prompt, the entry for the config.
//!
//! Ids, tiers, messages and names come out of somebody's bundle, so every line of them is escaped
//! here.

use std::collections::BTreeMap;

use anstyle::{AnsiColor, Style};
use serde::Serialize;

use super::hints::worded;
use super::lint::shown;
use super::report;
use super::table::columns;
use super::{Ui, escape};
use crate::board::{Checked, FailureSummary, Fix, TierScore, UsedWaiver};
use crate::cli::Format;
use crate::domain::config::Seed;
use crate::domain::{Exit, Failure, Finding, Rate, Severity};
use crate::replay::{Failing, Reason};
use crate::table::significance::Interval;

const HEAD: Style = Style::new().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// What `check` has to tell.
#[derive(Debug)]
pub struct CheckReport {
    /// What was found.
    pub checked: Checked,
    /// The bundle, as it is named to people.
    pub dir: String,
    /// The bundle, as it was typed.
    pub typed: String,
    /// How the config is named to people; empty if there is none.
    pub config_file: String,
    /// Whether the entry was to be added; it was if the bundle is clean.
    pub add: bool,
    /// Whether each failing prompt is listed.
    pub details: bool,
    /// The answers to show, by prompt id.
    pub scripts: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Machine<'c> {
    format: u8,
    command: &'static str,
    answer: &'static str,
    model: String,
    rate: Rate,
    passed: usize,
    n: usize,
    interval: Option<Interval>,
    tiers: &'c [TierScore],
    verdicts: &'c str,
    structural_only: bool,
    summary: &'c FailureSummary,
    failing: &'c [Failing],
    fenced: &'c [String],
    findings: Vec<Finding>,
    notes: Vec<Finding>,
    waivers: &'c [UsedWaiver],
    seed: &'c Seed,
    listed: Option<usize>,
    added: bool,
}

impl CheckReport {
    /// How the command ends.
    pub fn exit(&self) -> Exit {
        if self.checked.is_clean() { Exit::Yes } else { Exit::No }
    }

    fn is_added(&self) -> bool {
        self.add && self.checked.is_clean()
    }

    /// Who recorded the votes, in a word or two.
    fn verdicts(&self) -> &str {
        if !self.checked.candidate.has_votes {
            "none"
        } else if self.checked.is_self_reported() {
            "self-reported"
        } else {
            &self.checked.candidate.seed.kind
        }
    }

    fn machine(&self) -> Machine<'_> {
        let checked = &self.checked;
        let score = checked.score();
        let of =
            |severity| checked.findings.iter().filter(move |finding| finding.severity == severity);
        Machine {
            format: 1,
            command: "check",
            answer: if checked.is_clean() { "yes" } else { "no" },
            model: checked.candidate.seed.id(),
            rate: score.rate,
            passed: checked.passed,
            n: checked.total,
            interval: score.interval,
            tiers: &checked.tiers,
            verdicts: self.verdicts(),
            structural_only: !checked.candidate.has_votes,
            summary: &checked.summary,
            failing: &checked.failing,
            fenced: &checked.fenced,
            findings: of(Severity::Finding).map(worded).collect(),
            notes: of(Severity::Note).map(worded).collect(),
            waivers: &checked.waivers,
            seed: &checked.candidate.seed,
            listed: checked.candidate.listed,
            added: self.is_added(),
        }
    }
}

impl Ui {
    /// Prints the result of a check in the format asked for.
    pub fn checked(self, report: &CheckReport, format: Format) -> Result<(), Failure> {
        match format {
            Format::Json => return self.json(&report.machine()),
            Format::Github => {
                let file = format!("{}/completions.json", report.dir);
                for failing in &report.checked.failing {
                    let message = reasons(failing).join("\n");
                    let id = escape(&failing.id);
                    let line = failing.line.map(|line| format!(",line={line}")).unwrap_or_default();
                    self.out(report::annotation("warning", &file, &line, &id, &message))?;
                }
                self.annotate(&report.checked.findings)?;
            }
            Format::Human => {
                self.out(score(report))?;
                self.out(summary(report))?;
                if report.details {
                    self.out(failing(report))?;
                    for id in &report.checked.passing {
                        let script = listing(report.scripts.get(id), &[]);
                        self.out(format!("\n{HEAD}{}{HEAD:#} passes\n{script}", escape(id)))?;
                    }
                }
                if report.checked.candidate.has_votes {
                    self.out(entry(report))?;
                }
                self.findings(&report.checked.findings)?;
            }
        }
        self.closing(report)
    }

    fn closing(self, report: &CheckReport) -> Result<(), Failure> {
        let checked = &report.checked;
        if let Some(first) = checked.fenced.first() {
            self.note(&format!(
                "note: {} completion(s) hold a ``` fence, the first answers `{first}`; a bundle is scored as recorded, so the fence is a syntax error",
                checked.fenced.len()
            ));
        }
        checked.waivers.iter().try_for_each(|used| self.result(&report::waived(used)))?;
        if report.config_file.is_empty() {
            self.result("not checked: the public set and other rows, because there is no config here (`--root DIR` names one)")?;
        }
        let wrong = checked.findings.iter().filter(|finding| finding.decides()).count();
        let Checked { passed, total, .. } = checked;
        if wrong > 0 {
            let kept = if report.add { "; the config was not changed" } else { "" };
            self.result(&format!("not ready: {wrong} finding(s){kept}"))?;
        } else if checked.candidate.has_votes {
            self.result(&format!("ready: no findings, {passed} of {total} prompts pass"))?;
        } else {
            self.result("structural only, not an entry yet: there is no judge.json")?;
        }
        let seed = &checked.candidate.seed;
        if let (true, Some(_), Some(folder)) =
            (report.is_added(), checked.candidate.listed, &seed.held_out_bundle)
        {
            self.result(&format!(
                "`{}` in {} names the held-out bundle `{folder}`; next: gmat-leaderboard build --held-out DIR",
                seed.id(),
                report.config_file
            ))?;
        } else if report.is_added() {
            self.result(&format!("added `{}` to {}", seed.id(), report.config_file))?;
            for line in next(report) {
                self.result(&line)?;
            }
        }
        Ok(())
    }
}

/// From an added entry to the board, or to a pull request.
fn next(report: &CheckReport) -> [String; 7] {
    let CheckReport { checked, config_file, typed, .. } = report;
    let seed = &checked.candidate.seed;
    let branch = seed.public_bundle.as_str().rsplit('/').next().unwrap_or_default();
    [
        "next, on a board of your own: gmat-leaderboard site".to_owned(),
        "next, in your fork of another board:".to_owned(),
        format!("  git switch -c {branch}"),
        format!("  git add {config_file} {typed}"),
        format!("  git commit -m \"Enter {}\"", seed.id()),
        "  gmat-leaderboard check --pull-request main, to see what the request's checks will say"
            .to_owned(),
        format!(
            "  git push -u origin {branch}, then open a pull request; its template asks you to confirm license and permission"
        ),
    ]
}

fn interval(interval: Option<Interval>) -> String {
    interval.map_or("-".to_owned(), |Interval { low, high }| format!("{low:.3} to {high:.3}"))
}

fn score(report: &CheckReport) -> String {
    let checked = &report.checked;
    let name = checked.candidate.seed.id();
    let head = format!("{HEAD}{}{HEAD:#}", escape(&name));
    let Checked { passed, total, .. } = checked;
    let score = checked.score();
    let score = format!("{:.3} (95 % interval {})", score.rate.value(), interval(score.interval));
    let mut text = match report.verdicts() {
        "none" => format!(
            "{head}, structural only: {passed} of {total} prompts have the structure they ask for\n\
             no votes are recorded: the judge still decides these {passed}; {} fail whatever it says\n\
             score if the judge accepts all of them: {score}\n",
            total - passed
        ),
        kind => {
            let verdicts = match kind {
                "self-reported" => {
                    "self-reported, the votes were recorded by the entrant only".to_owned()
                }
                kind => format!("those of the listed row, kind `{}`", escape(kind)),
            };
            format!("{head} passes {passed} of {total} prompts: {score}\nverdicts: {verdicts}\n")
        }
    };
    let row = |TierScore { tier, passed, n, rate, interval: ends }: &TierScore| {
        let rate = format!("{:.3}", rate.value());
        vec![tier.clone(), format!("{passed}/{n}"), rate, interval(*ends)]
    };
    let rows: Vec<Vec<String>> = checked.tiers.iter().map(row).collect();
    text.push('\n');
    text += &columns(&["tier", ">passed", ">rate", "95 % interval"], &rows);
    text
}

/// How many prompts fail for what, and what to fix first.
fn summary(report: &CheckReport) -> String {
    let Checked { summary, candidate, passed, total, .. } = &report.checked;
    let failing = total - passed;
    if failing == 0 {
        return String::new();
    }
    let mut text = format!("\n{failing} of {total} prompts fail");
    if candidate.has_votes {
        let FailureSummary { structure_only, votes_only, both, .. } = summary;
        text += &format!(
            ": {structure_only} by structure only, {votes_only} by votes only, {both} by both"
        );
    }
    let rows: Vec<Vec<String>> =
        summary.reasons.iter().map(|it| vec![it.rule.clone(), it.prompts.to_string()]).collect();
    text += &format!("\n\n{}", columns(&["reason", ">prompts"], &rows));
    if !summary.fixes.is_empty() {
        text += "\nfixes that help most:\n";
    }
    for fix in &summary.fixes {
        let Fix { rule, prompts, alone, example, reason } = fix;
        let first = match rule.as_str() {
            "fence" => "`freeze --extract` takes scripts out of their code blocks".to_owned(),
            _ => format!("{example}: {}{}", place(reason), said(reason)),
        };
        text += &format!(
            "  {rule} in {prompts} prompt(s); fixing nothing else makes {alone} pass\n    {}\n",
            escape(&first)
        );
    }
    if !report.details {
        text +=
            "\n`--verbose` lists every failing prompt, `--prompt ID` shows one with its script\n";
    }
    text
}

fn failing(report: &CheckReport) -> String {
    let mut text = String::new();
    for prompt in &report.checked.failing {
        text += &format!("\n{BAD}{}{BAD:#} ({})\n", escape(&prompt.id), escape(&prompt.tier));
        for line in reasons(prompt) {
            text += &format!("  {}\n", escape(&line));
        }
        text += &listing(report.scripts.get(&prompt.id), &prompt.reasons);
    }
    text
}

/// The script with line numbers and, below a line, the places that the linter reports.
fn listing(script: Option<&String>, reasons: &[Reason]) -> String {
    let Some(script) = script else { return String::new() };
    let mut marks: BTreeMap<usize, Vec<&Reason>> = BTreeMap::new();
    for reason in reasons {
        marks.entry(reason.line.unwrap_or_default()).or_default().push(reason);
    }
    let script = script.strip_prefix('\u{FEFF}').unwrap_or(script);
    let lines: Vec<&str> = script.split('\n').map(|line| line.trim_end_matches('\r')).collect();
    let digits = lines.len().to_string().len();
    let mut text = String::from("\n");
    for (number, line) in (1..).zip(&lines) {
        let here = marks.remove(&number).unwrap_or_default();
        if number == lines.len() && line.is_empty() && here.is_empty() {
            break;
        }
        let gutter = format!("  {number:>digits$} | {}", shown(line));
        text += &format!("{}\n", gutter.trim_end());
        for Reason { rule, column, width, .. } in here {
            let mut rest = line.chars();
            let lead: String = rest.by_ref().take(column.unwrap_or(1) - 1).collect();
            let marked: String = rest.take(*width).collect();
            let indent = " ".repeat(shown(&lead).chars().count());
            let carets = "^".repeat(shown(&marked).chars().count().max(1));
            text += &format!("  {:digits$} | {indent}{BAD}{carets}{BAD:#} {rule}\n", "");
        }
    }
    text
}

/// The reasons, a line each, and the votes as they were cast.
fn reasons(failing: &Failing) -> Vec<String> {
    let structural = failing.reasons.iter().filter(|reason| reason.rule != "votes");
    let mut lines: Vec<String> = structural.map(in_words).collect();
    let word = |vote: &Option<bool>| match vote {
        Some(true) => "yes",
        Some(false) => "no",
        None => "unreadable",
    };
    let votes: Vec<&str> = failing.votes.iter().map(word).collect();
    lines
        .push(format!("votes: {}", if votes.is_empty() { "none".into() } else { votes.join(" ") }));
    lines
}

pub(super) fn in_words(reason: &Reason) -> String {
    format!("{}{}: {}", place(reason), reason.rule, said(reason))
}

fn place(reason: &Reason) -> String {
    match (reason.line, reason.column) {
        (Some(line), Some(column)) => format!("{line}:{column} "),
        _ => String::new(),
    }
}

fn said(reason: &Reason) -> String {
    let meant = reason.suggestion.as_ref().map(|name| format!("; did you mean `{name}`?"));
    format!("{}{}", reason.message, meant.unwrap_or_default())
}

fn entry(report: &CheckReport) -> String {
    let candidate = &report.checked.candidate;
    if report.is_added() {
        return String::new();
    }
    if let Some(index) = candidate.listed {
        let mut text = format!("\nlisted in {} as seeds[{index}]\n", escape(&report.config_file));
        if let Some(other) = &candidate.other_bundle {
            text += &format!(
                "that seed names another bundle, `{other}`; to update the entry, change its `public_bundle` to this one; for a new row, take another `--model` name\n"
            );
        }
        return text;
    }
    let json = serde_json::to_string_pretty(&candidate.seed).unwrap_or_default();
    let place = if candidate.in_place {
        String::new()
    } else {
        format!(", once the bundle lies in `{}`", candidate.seed.public_bundle)
    };
    let lines: Vec<_> = json.lines().map(escape).collect();
    format!("\nentry for seeds.json{}:\n{}\n", escape(&place), lines.join("\n"))
}
