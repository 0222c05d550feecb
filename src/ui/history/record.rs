//! What became of records, and of the cards about them.

use serde::Serialize;
use serde_json::Value;

use super::{ABSENT, change, plain};
use crate::domain::Failure;
use crate::domain::config::HistorySection;
use crate::ledger::{Answer, Batch, History, Inserted, Outcome};
use crate::notify::Post;
use crate::ui::{Ui, escape};

/// What `record` has to tell.
pub struct Recorded<'r> {
    /// What recording did.
    pub batch: &'r Batch,
    /// Everything recorded, the batch included.
    pub history: &'r History,
    /// The cards that were due.
    pub posts: &'r [Post],
    /// Whether each was taken, or why not.
    pub told: &'r [Result<(), String>],
}

#[derive(Serialize)]
struct Card<'p> {
    channel: &'static str,
    payload: &'p Value,
}

impl Recorded<'_> {
    fn answer(&self, inserted: &Inserted) -> Answer {
        let mut about =
            self.posts.iter().zip(self.told).filter(|(post, _)| post.run_id == inserted.run_id);
        let first = about.next();
        let slack_notified =
            first.is_some_and(|(_, told)| told.is_ok()) && about.all(|(_, told)| told.is_ok());
        Answer { slack_notified, ..inserted.answer() }
    }
}

impl Ui {
    /// Tells what became of each record: one JSON object or one line each.
    pub fn recorded(
        self,
        recorded: &Recorded<'_>,
        section: &HistorySection,
        dry_run: bool,
        json: bool,
    ) -> Result<(), Failure> {
        let batch = recorded.batch;
        let mut out = String::new();
        for inserted in &batch.results {
            if json {
                let answer = recorded.answer(inserted);
                out += &serde_json::to_string(&answer).unwrap_or_default();
                out.push('\n');
            } else {
                out += &line(inserted, recorded.history, section.decimals);
            }
            self.remarks(inserted);
        }
        self.out(out)?;
        if dry_run {
            self.posts(recorded.posts)?;
        } else {
            self.told(recorded.posts, recorded.told);
        }
        let count = |outcome: Outcome| {
            batch.results.iter().filter(|result| result.outcome == outcome).count()
        };
        let verb = if dry_run { "would record" } else { "recorded" };
        let known = count(Outcome::Unchanged) + count(Outcome::ConflictKeptFirst);
        self.say(&format!("{verb} {} run(s), {known} known already", count(Outcome::Inserted)));
        if !batch.changed_weeks.is_empty() {
            let weeks: Vec<String> = batch.changed_weeks.iter().map(ToString::to_string).collect();
            self.say(&format!("weeks changed: {}", weeks.join(", ")));
        }
        Ok(())
    }

    fn remarks(self, inserted: &Inserted) {
        let run_id = &inserted.run_id;
        if inserted.outcome == Outcome::ConflictKeptFirst {
            self.say(&format!(
                "warning: `{run_id}` is known and says something else; the first stays"
            ));
            self.say(&format!(
                "help: record the correction under a new run_id, and `history retract {run_id}`"
            ));
        }
        if !inserted.left_out.is_empty() {
            self.say(&format!(
                "note: `{run_id}` carries keys that no run has, left out: {}",
                inserted.left_out.join(", ")
            ));
        }
    }

    /// Prints cards with the names of their channels, one JSON object a line.
    pub fn posts(self, posts: &[Post]) -> Result<(), Failure> {
        for post in posts {
            self.json(&Card { channel: post.channel.name(), payload: &post.payload })?;
        }
        Ok(())
    }

    /// Says which channels were told and which were not, and why.
    pub fn told(self, posts: &[Post], told: &[Result<(), String>]) {
        for (post, told) in posts.iter().zip(told) {
            let (run_id, channel) = (&post.run_id, post.channel.name());
            match told {
                Ok(()) => self.say(&format!("told the {channel} channel about `{run_id}`")),
                Err(why) => {
                    self.say(&format!(
                        "warning: the {channel} channel was not told about `{run_id}`: {why}"
                    ));
                    self.say(&format!(
                        "help: check {}, then `record --notify-only {run_id}`",
                        post.channel.variable()
                    ));
                }
            }
        }
    }
}

fn line(inserted: &Inserted, history: &History, decimals: usize) -> String {
    let outcome = match inserted.outcome {
        Outcome::Inserted => "recorded",
        Outcome::Unchanged => "known",
        Outcome::ConflictKeptFirst => "conflict",
        Outcome::Rejected => "rejected",
    };
    let run_id = escape(&inserted.run_id);
    let (Some(run), Some(derived)) = (history.run(&inserted.run_id), &inserted.derived) else {
        return format!("{outcome}  {run_id}  retracted\n");
    };
    let delta = match derived.score_delta {
        Ok(delta) => change(Some(delta), decimals),
        Err(why) => format!("{ABSENT} ({})", why.words()),
    };
    let trend = derived.trend.map_or_else(
        |why| format!("{ABSENT} ({})", why.words()),
        |trend| trend.as_str().to_owned(),
    );
    let regression = if run.regression_detected { "  REGRESSION" } else { "" };
    format!(
        "{outcome}  {run_id}  {}  {}  score {}  Δ {delta}  trend {trend}{regression}\n",
        escape(&run.model),
        derived.week,
        plain(run.aggregate_score, decimals),
    )
}
