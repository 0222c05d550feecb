//! What `eval` prints.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::check::in_words;
use super::table::columns;
use super::{Ui, count, escape};
use crate::domain::config::{Price, Protocol, ProtocolText};
use crate::domain::{Failure, real};
use crate::replay::Reason;
use crate::table::significance::{Interval, Score};

/// What is still to be asked of one model.
#[derive(Debug)]
pub struct EvalLeft {
    /// `provider:model`.
    pub id: String,
    /// How many calls.
    pub calls: u64,
    /// Input tokens, estimated: four bytes are a token.
    pub input: u64,
    /// The most output tokens that the settings allow.
    pub output: u64,
    /// The price of the config.
    pub price: Option<Price>,
}

/// What happened to the answers and votes.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EvalCounts {
    /// Answers that were asked for.
    pub answers: usize,
    /// Answers whose script was taken out of a code block.
    pub extracted: usize,
    /// Answers that reached the token limit.
    pub truncated: usize,
    /// Answers that the model or the provider refused.
    pub refused: usize,
    /// Answers without any text.
    pub empty: usize,
    /// Votes.
    pub votes: usize,
    /// Votes that could not be read and were asked for again.
    pub asked_again: usize,
    /// Votes that could not be read in the end.
    pub unreadable: usize,
}

fn calls_of(calls: u64) -> String {
    count(usize::try_from(calls).unwrap_or(usize::MAX), "call")
}

impl Ui {
    /// Prints what a run would take.
    pub fn eval_dry_run(self, left: &[EvalLeft]) -> Result<(), Failure> {
        let mut dollars = Some(0.0);
        for EvalLeft { id, calls, input, output, price } in left {
            let cost = price.as_ref().map(|price| price.cost(real(*input), real(*output)));
            dollars = dollars.zip(cost).map(|(sum, cost)| sum + cost);
            let cost =
                cost.map_or("no price in the config".to_owned(), |it| format!("at most ${it:.2}"));
            self.result(&format!(
                "{id}: {}, about {input} input tokens, at most {output} output tokens, {cost}",
                calls_of(*calls)
            ))?;
        }
        let total = dollars.map_or(String::new(), |dollars| format!(", at most ${dollars:.2}"));
        let calls: u64 = left.iter().map(|left| left.calls).sum();
        self.result(&format!("dry run: {}{total}; nothing was asked", calls_of(calls)))
    }

    /// Prints what a reader of the score should know about the answers and votes.
    pub fn eval_counts(self, counts: &EvalCounts) -> Result<(), Failure> {
        let EvalCounts { answers, votes, .. } = counts;
        let lines = [
            (
                counts.extracted,
                format!(
                    "of {answers} answers had text around a code block; only the script was kept"
                ),
            ),
            (
                counts.truncated,
                format!(
                    "of {answers} answers reached max_tokens and end in the middle; a model that reasons needs more"
                ),
            ),
            (counts.refused, format!("of {answers} answers are refusals")),
            (counts.empty, format!("of {answers} answers are empty")),
            (
                counts.unreadable,
                format!("of {votes} votes could not be read and are recorded as null"),
            ),
        ];
        for (count, words) in lines.into_iter().filter(|(count, _)| *count > 0) {
            self.result(&format!("{count} {words}"))?;
        }
        Ok(())
    }

    /// Prints the prompts of a first look, and why they fail.
    pub fn eval_first_look(self, rows: &[(String, Vec<Reason>)]) -> Result<(), Failure> {
        let passed = rows.iter().filter(|(_, why)| why.is_empty()).count();
        let word = |passes: bool| if passes { "passes" } else { "fails" }.to_owned();
        let table: Vec<Vec<String>> =
            rows.iter().map(|(id, why)| vec![id.clone(), word(why.is_empty())]).collect();
        let table = columns(&["prompt", "result"], &table);
        let mut lines = table.lines();
        self.out(lines.next().map(|head| format!("{head}\n")).unwrap_or_default())?;
        for (line, (_, why)) in lines.zip(rows) {
            self.out(format!("{line}\n"))?;
            for reason in why {
                self.out(format!("  {}\n", in_words(reason)))?;
            }
        }
        let score = Score::from_counts(passed as u64, rows.len() as u64);
        let range = score.interval.map_or(String::new(), |it| {
            let Interval { low, high } = it;
            format!(" (95 % interval {low:.3} to {high:.3})")
        });
        self.result(&format!(
            "{passed} of {} prompts pass{range}; no bundle was written",
            rows.len()
        ))
    }

    /// Says where answers are kept, and how many are there already.
    pub fn eval_start(self, journal: &str, known: u64, calls: u64) {
        if known > 0 {
            self.note(&format!("going on: {known} of {calls} answers and votes are in {journal}"));
        } else {
            self.note(&format!("every answer is kept in {journal}"));
        }
        if known < calls {
            self.note("after Ctrl-C the same command goes on where it stopped");
        }
    }

    /// Prints the next command.
    pub fn eval_next(
        self,
        to: &Path,
        answers_only: bool,
        is_listed: bool,
        judge: &str,
    ) -> Result<(), Failure> {
        let to = to.display();
        self.result(&if answers_only {
            format!("next: gmat-leaderboard eval --votes-only --judge PROVIDER:{judge} --to {to}")
        } else if is_listed {
            format!("next: this model has an entry; commit {to} and open a pull request")
        } else {
            format!("next: gmat-leaderboard check {to} --submitted-by YOUR-NAME --add")
        })
    }

    /// Prints the protocol; as JSON, just the bytes that its SHA-256 is made of.
    pub fn protocol(self, protocol: &Protocol, json: bool) -> Result<(), Failure> {
        if json {
            return self.pour(|out| out.write_all(&protocol.document()));
        }
        let part = |name: &str, text: &ProtocolText| {
            let from = match &text.file {
                Some(file) => file.to_string(),
                None => "shipped with the program".to_owned(),
            };
            let lines: Vec<_> = text.as_str().lines().map(escape).collect();
            format!("\n--- {name} ({})\n{}\n", escape(&from), lines.join("\n"))
        };
        self.out(format!(
            "protocol sha256: {}\ngeneration: {}\njudging: {}\n{}{}{}",
            protocol.sha256(),
            protocol.generation.settings().join(", "),
            protocol.judging.settings().join(", "),
            part("system", &protocol.system),
            part("request", &protocol.request),
            part("judge", &protocol.judge),
        ))
    }
}

/// Shows how far `eval` is: a bar on a terminal, else a line a minute.
pub struct EvalProgress {
    ui: Ui,
    bar: Option<ProgressBar>,
    total: usize,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    done: usize,
    solved: usize,
    last_line: Instant,
}

/// How often a line is printed where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

impl EvalProgress {
    /// For `total` prompts.
    pub fn new(ui: Ui, total: usize) -> Self {
        let visible = !ui.quiet && io::stderr().is_terminal();
        let bar = visible.then(|| {
            let bar = ProgressBar::new(total as u64);
            let style = ProgressStyle::with_template("asking [{bar:30}] {pos}/{len} {msg}");
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.tick();
            bar
        });
        let started = Instant::now();
        let state = Mutex::new(State { done: 0, solved: 0, last_line: started });
        Self { ui, bar, total, started, state }
    }

    /// One prompt is done; tokens and dollars are those of the whole journal.
    pub fn done(&self, is_solved: bool, tokens: u64, dollars: f64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done += 1;
        state.solved += usize::from(is_solved);
        let left = u32::try_from(self.total - state.done).unwrap_or(u32::MAX);
        let each = self.started.elapsed() / u32::try_from(state.done).unwrap_or(1).max(1);
        let dollars = if dollars > 0.0 { format!(", ${dollars:.2}") } else { String::new() };
        let words =
            format!("{} pass, {tokens} tokens{dollars}, {} left", state.solved, clock(each * left));
        if let Some(bar) = &self.bar {
            bar.set_message(words);
            bar.set_position(state.done as u64);
        } else if state.last_line.elapsed() >= LINE_EVERY {
            state.last_line = Instant::now();
            self.ui.note(&format!("{} of {} prompts: {words}", state.done, self.total));
        }
    }

    /// A note that does not disturb the bar.
    pub fn note(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| self.ui.note(line)),
            None => self.ui.note(line),
        }
    }
}

impl Drop for EvalProgress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 { format!("{seconds} s") } else { format!("{} min", seconds.div_ceil(60)) }
}
