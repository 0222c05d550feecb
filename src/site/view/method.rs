//! The page Method: how scores, intervals and ranks are made.

use serde::Serialize;

use super::{Term, terms};
use crate::domain::config::{Config, Protocol, Sampling};
use crate::facts::{Facts, public_against_held_out};
use crate::ledger::History;
use crate::site::chart::{Scatter, scatter};
use crate::site::format;
use crate::table::significance::smallest_lead;

/// What the audit covers on this board.
#[derive(Debug, Serialize)]
pub(in crate::site) struct MethodPage {
    /// Public against private; absent where nothing is scored.
    scatter: Option<Scatter>,
    public: Vec<Term>,
    held_out: Vec<Term>,
    /// Whether everybody may read the held-out set.
    is_published: bool,
    lead: String,
    agreement: String,
    self_judged: String,
    votes: String,
    waivers: Vec<Accepted>,
    prices: Vec<Priced>,
    /// Absent if the config has no `protocol`.
    protocol: Option<ProtocolView>,
}

/// The texts that the model and the judge get.
#[derive(Debug, Serialize)]
struct ProtocolView {
    sha256: String,
    settings: Vec<Term>,
    texts: Vec<Term>,
}

fn protocol_view(protocol: &Protocol) -> ProtocolView {
    let settings = |name: &str, sampling: &Sampling| Term {
        name: name.to_owned(),
        value: sampling.settings().join(", "),
    };
    let text = |name: &str, text: &str| Term {
        name: name.to_owned(),
        value: text.lines().map(format::clean).collect::<Vec<_>>().join("\n"),
    };
    ProtocolView {
        sha256: protocol.sha256(),
        settings: vec![
            settings("Settings of the model", &protocol.generation),
            settings("Settings of the judge", &protocol.judging),
        ],
        texts: vec![
            text("System message", protocol.system.as_str()),
            text("Request", protocol.request.as_str()),
            text("Question to the judge", protocol.judge.as_str()),
        ],
    }
}

#[derive(Debug, Serialize)]
struct Accepted {
    code: String,
    path: String,
    who: String,
    why: String,
    until: String,
}

#[derive(Debug, Serialize)]
struct Priced {
    model: String,
    input: String,
    output: String,
    date: String,
    source: String,
}

/// Resampling more rows than this costs more than the sentence is worth.
const AGREEMENT_ROWS: usize = 500;

/// How far the public order foretells the held-out one, in one sentence.
fn agreement(facts: &Facts<'_>) -> String {
    if facts.board.entries.len() > AGREEMENT_ROWS {
        return "How far the public order foretells it: `gmat-leaderboard correlate`.".to_owned();
    }
    let Ok(found) = public_against_held_out(facts.board) else { return String::new() };
    match (found.value, found.interval) {
        (Ok(tau), Some(interval)) => format!(
            "Over the {} models that have both scores, the public order agrees with the held-out order at Kendall's \u{3c4}-b = {tau:.2} (95% of 1,000 resamples lie in {:.2} to {:.2}); 1 is the same order, 0 none in common.",
            found.n, interval.low, interval.high
        ),
        (Ok(tau), None) => format!(
            "Over the {} models that have both scores, the public order agrees with the held-out order at Kendall's \u{3c4}-b = {tau:.2}.",
            found.n
        ),
        (Err(why), _) => {
            format!(
                "How far the public order agrees with the held-out order cannot be said: {why}."
            )
        }
    }
}

/// Points of public against private; more are a cloud.
const SCATTER_ROWS: usize = 200;

/// How scores, intervals and ranks are made.
pub(in crate::site) fn method_page(
    facts: &Facts<'_>,
    config: &Config,
    history: &History,
) -> MethodPage {
    let itself: Vec<String> = facts
        .rows
        .iter()
        .filter(|row| row.is_self_judged())
        .map(|row| row.name.clone())
        .take(10)
        .collect();
    let scored = &facts.ranked()[..facts.scored.min(SCATTER_ROWS)];
    MethodPage {
        scatter: scatter(scored, facts.public_prompts.zip(facts.held_out_prompts)),
        public: terms(&facts.board.public_set),
        held_out: {
            let mut held_out = terms(&facts.board.held_out_set);
            held_out.extend(scorings(facts, config, history));
            held_out
        },
        is_published: facts.board.held_out_set.contains_key("published"),
        lead: lead(facts),
        agreement: agreement(facts),
        self_judged: match &itself[..] {
            [] => "No model of this board is judged by itself.".to_owned(),
            [one] => format!("The judge is also a contestant: {one} is judged by itself."),
            all => format!(
                "Judges are also contestants: {} are judged by themselves.",
                format::list(all)
            ),
        },
        votes: config.n_votes.to_string(),
        waivers: config
            .waivers
            .iter()
            .map(|waiver| Accepted {
                code: waiver.code.to_string(),
                path: format::clean(&waiver.path),
                who: format::clean(&waiver.who),
                why: format::clean(&waiver.why),
                until: format::clean(&waiver.until),
            })
            .collect(),
        prices: config
            .prices
            .iter()
            .map(|(model, price)| Priced {
                model: format::clean(model),
                input: price.input.to_string(),
                output: price.output.to_string(),
                date: format::clean(&price.date),
                source: format::clean(&price.source),
            })
            .collect(),
        protocol: config.protocol.as_ref().map(protocol_view),
    }
}

/// How often the held-out set was scored and who saw it, where the ledger or the config says so.
fn scorings(facts: &Facts<'_>, config: &Config, history: &History) -> Option<Term> {
    let protocol = &facts.board.eval_protocol_version;
    let attempts = history.attempts().iter().filter(|line| line.protocol == *protocol).count();
    let exposures = history.exposures().iter().filter(|line| line.protocol == *protocol).count();
    let budget = config.attempts.budget;
    if attempts == 0 && budget.is_none() {
        return None;
    }
    let of = budget.map_or_else(String::new, |budget| format!(" of {budget}"));
    let seen = match exposures {
        0 => String::new(),
        1 => "; its requests were sent to a provider once".to_owned(),
        more => format!("; its requests were sent to a provider {more} times"),
    };
    let value = format!("{attempts}{of} under protocol {}{seen}", format::clean(protocol));
    Some(Term { name: "scorings".to_owned(), value })
}

fn lead(facts: &Facts<'_>) -> String {
    let (Some(prompts), rows @ 2..) = (facts.held_out_prompts, facts.scored as u64) else {
        return String::new();
    };
    let models = format::count(facts.scored, "ranked model");
    match smallest_lead(prompts, rows) {
        Some(lead) => format!(
            "With {prompts} held-out prompts and {models}, a lead of fewer than {lead} prompts can never count."
        ),
        None => format!(
            "With {prompts} held-out prompts and {models}, no lead can ever count: the set is too small."
        ),
    }
}
