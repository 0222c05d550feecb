//! The pages of words: method, verify, changes, data, submit.

use serde::Serialize;

use super::answer::name;
use super::headline::spent;
use super::{Link, Term, of_all, terms};
use crate::domain::config::{Config, Protocol, Sampling};
use crate::facts::{Answers, Facts, PackFacts, RowFacts, State, public_against_held_out};
use crate::ledger::History;
use crate::site::assets::Module;
use crate::site::changes::Step;
use crate::site::chart::{Scatter, scatter};
use crate::site::format;
use crate::site::view::events::Happened;
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
        value: sampling.words().join(", "),
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
    let judge = &facts.board.judge_model;
    let itself: Vec<String> = facts
        .rows
        .iter()
        .filter(|row| row.row.model == *judge)
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
        self_judged: if itself.is_empty() {
            "The judge is not among the models of this board.".to_owned()
        } else {
            format!(
                "The judge is also a contestant: {} is judged by itself.",
                format::list(&itself)
            )
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

/// What an auditor can do.
#[derive(Debug, Serialize)]
pub(in crate::site) struct VerifyPage<'m> {
    replayed: String,
    differs: Vec<String>,
    absent: String,
    /// Rows to re-derive in the browser; empty where no bundle is published.
    rows: Vec<DerivedRow>,
    module: &'m Module,
}

/// A row as it is published, to be re-derived.
#[derive(Debug, Serialize)]
struct DerivedRow {
    slug: String,
    name: String,
    solved: String,
    has_bundle: bool,
}

/// How to audit the board.
pub(in crate::site) fn verify_page<'m>(
    facts: &Facts<'_>,
    answers: &Answers<'_>,
    module: &'m Module,
) -> VerifyPage<'m> {
    let derived = |(at, row): (usize, &RowFacts<'_>)| DerivedRow {
        slug: row.slug.clone(),
        name: name(row),
        solved: of_all(row.public.counts()),
        has_bundle: answers.row(at).is_some(),
    };
    let has_any = answers.rows().next().is_some();
    let count = |state| facts.rows.iter().filter(|row| row.state == state).count();
    let total = facts.rows.len();
    let absent = count(State::Absent);
    VerifyPage {
        replayed: format!(
            "{} of {} replayed from committed bundles when this page was made.",
            format::grouped(count(State::Replayed) as u64),
            format::count(total, "row")
        ),
        differs: facts
            .rows
            .iter()
            .filter(|row| row.state == State::Differs)
            .map(|row| row.model.clone())
            .collect(),
        absent: if absent == 0 {
            String::new()
        } else {
            format!(
                "{} without a bundle here: shown as published, marked “no bundle”.",
                format::count(absent, "row")
            )
        },
        rows: facts.rows.iter().enumerate().map(derived).filter(|_| has_any).collect(),
        module,
    }
}

/// The boards known so far.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ChangesPage<'s> {
    heading: String,
    lede: String,
    steps: &'s [Step],
    happened: &'s [Happened],
}

/// What changed from board to board.
pub(in crate::site) fn changes_page<'s>(
    steps: &'s [Step],
    happened: &'s [Happened],
) -> ChangesPage<'s> {
    let (newest, oldest) = (steps.first(), steps.last());
    let date = |step: Option<&Step>| step.map(|step| step.date.clone()).unwrap_or_default();
    let heading = match newest.map(|step| step.changes.len()) {
        None => "What happened".to_owned(),
        _ if steps.len() < 2 => format!("The first board is of {}", date(newest)),
        Some(0) => format!("Nothing changed on {}", date(newest)),
        Some(changes) => format!("{} on {}", format::count(changes, "change"), date(newest)),
    };
    let lede = match steps.len() {
        0 => format!("{} in the recorded runs.", format::count(happened.len(), "event")),
        1 => "The next board will say what changed.".to_owned(),
        boards => {
            format!("{} since {}, newest first.", format::count(boards, "board"), date(oldest))
        }
    };
    ChangesPage { heading, lede, steps, happened }
}

/// A file to download.
#[derive(Debug, Serialize)]
pub(in crate::site) struct DataFile {
    pub(in crate::site) path: String,
    pub(in crate::site) what: &'static str,
    pub(in crate::site) bytes: String,
    pub(in crate::site) sha256: String,
}

/// Downloads.
#[derive(Debug, Serialize)]
pub(in crate::site) struct DataPage {
    files: Vec<DataFile>,
    example: String,
    /// The badge of the first row; empty without rows.
    badge: String,
    packs: Vec<Link>,
}

/// What can be downloaded.
pub(in crate::site) fn data_page(files: Vec<DataFile>, facts: &Facts<'_>) -> DataPage {
    let example = facts.rows.first().map(|row| format!("v1/entries/{}.json", row.slug));
    let pack = |pack: &PackFacts<'_>| Link {
        href: format!("v1/packs/{}.json", pack.slug),
        text: format::clean(pack.id),
    };
    let packs = facts.packs.iter().map(pack).collect();
    let badge = facts.rows.first().map(|row| format!("badge/{}.svg", row.slug));
    DataPage {
        files,
        example: example.unwrap_or_default(),
        badge: badge.unwrap_or_default(),
        packs,
    }
}

/// How to enter a model.
#[derive(Debug, Serialize)]
pub(in crate::site) struct SubmitPage {
    /// `51 answers`
    answers: String,
    /// Whether prompts.json is published.
    prompts: bool,
    /// A file of the first row with published answers; empty if there is none.
    sample: String,
    sample_id: String,
    sample_votes: String,
    votes: String,
    /// `153 votes`
    all_votes: String,
    /// What the models of this board spent on their answers; empty where no price is known.
    spent: String,
    /// What `eval --dry-run` and `check` print, with the numbers of this board.
    dry_run: String,
    checked: String,
}

/// How to enter a model.
pub(in crate::site) fn submit_page(
    facts: &Facts<'_>,
    config: &crate::domain::config::Config,
    answers: &Answers<'_>,
) -> SubmitPage {
    let count = facts.public_prompts.and_then(|count| usize::try_from(count).ok());
    let sample = answers.rows().next().map(|(at, _)| &facts.rows[at]);
    let votes = usize::try_from(config.n_votes).unwrap_or_default().min(9);
    SubmitPage {
        answers: count
            .map_or_else(|| "your answers".to_owned(), |count| format::count(count, "answer")),
        prompts: !answers.prompts.is_empty(),
        sample: sample
            .map(|row| format!("bundles/{}/completions.json", row.slug))
            .unwrap_or_default(),
        sample_id: answers
            .prompts
            .last()
            .map_or_else(|| "prompt-id".to_owned(), |prompt| format::clean(&prompt.text.id)),
        sample_votes: vec!["true"; votes].join(", "),
        votes: config.n_votes.to_string(),
        all_votes: count.map_or_else(
            || "votes".to_owned(),
            |count| {
                let each = usize::try_from(config.n_votes).unwrap_or_default();
                format::count(count.saturating_mul(each), "vote")
            },
        ),
        spent: spent_words(facts),
        dry_run: dry_run(facts, config),
        checked: sample.map(checked).unwrap_or_default(),
    }
}

fn spent_words(facts: &Facts<'_>) -> String {
    let spent = spent(facts);
    let (Some(least), Some(most)) = (spent.first(), spent.last()) else { return String::new() };
    let [least, middle, most] = [*least, spent[spent.len() / 2], *most].map(format::money);
    match spent.len() {
        1 => format!("At list prices the answers of the one priced model cost {most}"),
        count => format!(
            "At list prices the answers of the {count} priced models cost {least} to {most}, half of them at most {middle}"
        ),
    }
}

/// The lines of `eval --dry-run`, without its estimates of tokens.
fn dry_run(facts: &Facts<'_>, config: &crate::domain::config::Config) -> String {
    let Some(answers) = facts.public_prompts else { return String::new() };
    let votes = answers.saturating_mul(config.n_votes);
    format!(
        "provider:model: {answers} calls, about … input tokens, at most … output tokens, …\n\
         provider:{}: {votes} calls, about … input tokens, at most … output tokens, …\n\
         dry run: {} calls; nothing was asked",
        format::clean(&config.judge_model),
        answers.saturating_add(votes)
    )
}

/// First and last line of `check` on a bundle like that of `row`.
fn checked(row: &RowFacts<'_>) -> String {
    let (passed, total) = row.public.counts();
    let range = row.public.interval.map_or_else(String::new, |range| {
        format!(" (95 % interval {:.3} to {:.3})", range.low, range.high)
    });
    let rate = row.public.rate.value();
    format!(
        "provider:model passes {passed} of {total} prompts: {rate:.3}{range}\n…\n\
         ready: no findings, {passed} of {total} prompts pass\n\
         added `provider:model` to seeds.json"
    )
}

/// A page that needs nothing beyond what all pages share.
#[derive(Debug, Serialize)]
pub(in crate::site) struct PlainPage {}

/// A page that needs nothing beyond what all pages share.
pub(in crate::site) fn plain_page() -> PlainPage {
    PlainPage {}
}
