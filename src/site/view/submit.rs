//! The page Submit: how to enter a model.

use serde::Serialize;

use super::headline::spent;
use crate::facts::{Answers, Facts, RowFacts};
use crate::site::format;

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
    let [least, middle, most] = [*least, spent[(spent.len() - 1) / 2], *most].map(format::money);
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
