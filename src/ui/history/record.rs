//! What became of records, and of the cards about them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{ABSENT, change, plain};
use crate::domain::config::{HistorySection, RunStatus};
use crate::domain::{Failure, truncate};
use crate::ledger::{Batch, History, Inserted, RecordAnswer, RecordOutcome, nearest_key};
use crate::notify::{Channel, Post};
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
    pub delivered: &'r [Result<(), String>],
}

#[derive(Serialize)]
struct Card<'p> {
    channel: &'p str,
    payload: &'p Value,
}

impl Recorded<'_> {
    fn answer(&self, inserted: &Inserted, dry_run: bool) -> RecordAnswer {
        let mut about = self
            .posts
            .iter()
            .zip(self.delivered)
            .filter(|(post, _)| post.run_id == inserted.run_id);
        let first = about.next();
        let slack_notified = first.is_some_and(|(_, delivered)| delivered.is_ok())
            && about.all(|(_, delivered)| delivered.is_ok());
        let answer = inserted.answer();
        let week_summary_updated = answer.week_summary_updated && !dry_run;
        RecordAnswer { week_summary_updated, slack_notified, ..answer }
    }
}

/// Above so many records, only the first are listed.
const MOST_LINES: usize = 200;
const FIRST_LINES: usize = 20;

impl Ui {
    /// Prints what became of each record: one JSON object or one line each. Of many records only the
    /// first are printed for people.
    pub fn recorded(
        self,
        recorded: &Recorded<'_>,
        section: &HistorySection,
        dry_run: bool,
        json: bool,
    ) -> Result<(), Failure> {
        let batch = recorded.batch;
        let mut out = String::new();
        for (at, inserted) in batch.results.iter().enumerate() {
            if json {
                let answer = recorded.answer(inserted, dry_run);
                out += &serde_json::to_string(&answer).unwrap_or_default();
                out.push('\n');
            } else if batch.results.len() <= MOST_LINES || at < FIRST_LINES {
                out += &line(inserted, recorded.history, section.decimals);
            } else if at == FIRST_LINES {
                let more = batch.results.len() - FIRST_LINES;
                out += &format!("… and {more} more; `history` shows them\n");
            }
            for rise in &inserted.rises {
                self.note(&format!("note: `{}` is a regression: {rise}", inserted.run_id));
            }
            self.conflict(inserted);
        }
        self.unknown_keys(&batch.results);
        self.out(out)?;
        if dry_run {
            self.posts(recorded.posts)?;
        } else {
            self.delivered(recorded.posts, recorded.delivered)?;
        }
        let count = |outcome: RecordOutcome| {
            batch.results.iter().filter(|result| result.outcome == outcome).count()
        };
        let verb = if dry_run { "would record" } else { "recorded" };
        let known = count(RecordOutcome::Unchanged) + count(RecordOutcome::ConflictKeptFirst);
        self.result(&format!(
            "{verb} {} run(s), {known} known already",
            count(RecordOutcome::Inserted)
        ))?;
        self.weeks_changed(&batch.changed_weeks)?;
        if let Some((run_ids, weights)) = &batch.other_weights {
            self.note(&format!(
                "warning: {} new run(s) do not carry the weights of the last recalibration and start a series of their own: {}",
                run_ids.len(),
                named(run_ids.iter())
            ));
            self.note(&format!(
                "help: send \"weights_sha16\": \"{weights}\" with scores made by these weights, or run `history recalibrate` again"
            ));
        }
        Ok(())
    }

    fn conflict(self, inserted: &Inserted) {
        if inserted.outcome != RecordOutcome::ConflictKeptFirst {
            return;
        }
        let run_id = &inserted.run_id;
        let short = |value: &str| truncate(value, 60);
        let differs: Vec<String> = inserted
            .differs
            .iter()
            .map(|of| format!("`{}` is {}, sent {}", of.key, short(&of.stored), short(&of.sent)))
            .collect();
        self.note(&format!(
            "warning: `{run_id}` is already recorded with other values, which stay: {}",
            differs.join("; ")
        ));
        self.note(&format!(
            "help: record the correction under a new run_id, and `history retract {run_id} --reason TEXT`"
        ));
    }

    /// Names each key that was left out once, with how many records have it.
    fn unknown_keys(self, results: &[Inserted]) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for key in results.iter().flat_map(|inserted| &inserted.left_out) {
            *counts.entry(key).or_default() += 1;
        }
        for (key, count) in counts {
            let meant = nearest_key(key)
                .map(|near| format!("; did you mean `{near}`?"))
                .unwrap_or_default();
            self.note(&format!(
                "note: unknown key `{key}` in {count} record(s), not recorded{meant}"
            ));
        }
    }

    /// Prints cards with the names of their channels, one JSON object a line.
    pub fn posts(self, posts: &[Post]) -> Result<(), Failure> {
        for post in posts {
            self.json(&Card { channel: &post.channel.name, payload: &post.payload })?;
        }
        Ok(())
    }

    /// Prints which channels were posted to, and why others were not.
    pub fn delivered(
        self,
        posts: &[Post],
        delivered: &[Result<(), String>],
    ) -> Result<(), Failure> {
        let mut failed: Vec<(&Channel, &str, Vec<&String>)> = Vec::new();
        for (post, delivered) in posts.iter().zip(delivered) {
            let (run_id, channel) = (&post.run_id, &post.channel);
            match delivered {
                Ok(()) => {
                    self.result(&format!("posted `{run_id}` to the {} channel", channel.name))?;
                }
                Err(why) => match failed.iter_mut().find(|of| (of.0, of.1) == (channel, why)) {
                    Some((_, _, run_ids)) => run_ids.push(run_id),
                    None => failed.push((channel, why, vec![run_id])),
                },
            }
        }
        for (channel, why, run_ids) in failed {
            self.note(&format!(
                "warning: could not post {} to the {} channel: {why}",
                named(run_ids.iter().copied()),
                channel.name
            ));
            let places = match why {
                "bad_url" => format!(", which must start with {}", channel.places().join(" or ")),
                _ => String::new(),
            };
            self.note(&format!(
                "help: check {}{places}; the card is kept, and the next `record --notify` or `record --notify-only` sends it",
                channel.variable
            ));
        }
        Ok(())
    }
}

/// The first few ids, and how many more there are.
fn named<'r>(run_ids: impl ExactSizeIterator<Item = &'r String>) -> String {
    const MOST: usize = 5;
    let count = run_ids.len();
    let shown: Vec<String> = run_ids.take(MOST).map(|run_id| format!("`{run_id}`")).collect();
    let more = if count > MOST { format!(" and {} more", count - MOST) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn line(inserted: &Inserted, history: &History, decimals: usize) -> String {
    let outcome = match inserted.outcome {
        RecordOutcome::Inserted => "recorded",
        RecordOutcome::Unchanged => "known",
        RecordOutcome::ConflictKeptFirst => "conflict",
        RecordOutcome::Rejected => "rejected",
    };
    let run_id = escape(&inserted.run_id);
    let (Some(run), Some(derived)) = (history.run(&inserted.run_id), &inserted.derived) else {
        let why = inserted.not_live.as_deref().unwrap_or("not shown");
        return format!("{outcome}  {run_id}  {}\n", escape(why));
    };
    let delta = match derived.score_delta {
        Ok(delta) => change(Some(delta), decimals),
        Err(why) => format!("{ABSENT} ({})", why.reason()),
    };
    let trend = derived.trend.map_or_else(
        |why| format!("{ABSENT} ({})", why.reason()),
        |trend| trend.as_str().to_owned(),
    );
    let regression = if run.regression_detected { "  REGRESSION" } else { "" };
    let ended = match run.ended() {
        RunStatus::Completed => String::new(),
        ended => format!("  {}", ended.as_str()),
    };
    format!(
        "{outcome}  {run_id}  {}  {}  score {}  Δ {delta}  trend {trend}{regression}{ended}\n",
        escape(&run.model),
        derived.week,
        plain(run.aggregate_score, decimals),
    )
}
