//! The page of one public prompt: what was asked, what is required, what every model answered.

use serde::Serialize;

use super::answer::{
    Part, ScriptView, name, organization, parts, place, script, verdict, votes, why,
};
use super::prompts::{tier_name, title};
use crate::facts::{Answers, Cause, Facts, Marked, PromptFacts};
use crate::replay::PromptText;
use crate::site::format;

/// Rows with a script on the page; those of the others are in the bundles.
pub(in crate::site) const INLINE: usize = 12;
/// A reason that fewer share is not worth a sentence.
const SHARED: usize = 2;

#[derive(Debug, Serialize)]
pub(in crate::site) struct PromptPage {
    title: String,
    tier: String,
    /// `12 of 30 models solve it. 7 of the 18 others …`
    finding: Vec<Part>,
    request: String,
    required: Vec<Vec<Part>>,
    all: String,
    solved: String,
    failed: String,
    rows: Vec<Line>,
    before: Option<super::Link>,
    after: Option<super::Link>,
    /// What a script must contain, as an object of prompts.json.
    asked: String,
}

#[derive(Debug, Serialize)]
struct Line {
    place: String,
    name: String,
    organization: String,
    slug: String,
    solved: bool,
    why: Vec<Part>,
    votes: String,
    votes_words: String,
    /// Beside the script: what decided, and what that means.
    verdict: String,
    meaning: String,
    /// Only for the first rows.
    script: Option<ScriptView>,
}

/// The scripts that prompt pages show: of the first rows with answers, in the order of the prompts.
pub(in crate::site) fn inline_scripts(answers: &Answers<'_>) -> Vec<Vec<Marked>> {
    answers.rows().take(INLINE).map(|(_, row)| answers.scripts(row)).collect()
}

/// The page of the prompt at `at`.
pub(in crate::site) fn prompt_page(
    facts: &Facts<'_>,
    answers: &Answers<'_>,
    scripts: &[Vec<Marked>],
    at: usize,
) -> PromptPage {
    let prompt = &answers.prompts[at];
    let rows: Vec<Line> = answers
        .rows()
        .enumerate()
        .map(|(index, (row, answered))| {
            let (answer, row) = (&answered.answers[at], &facts.rows[row]);
            let (dots, votes_words) = votes(&answer.votes);
            let (verdict, meaning) = verdict(answer);
            Line {
                place: place(row),
                name: name(row),
                organization: organization(row),
                slug: row.slug.clone(),
                solved: answer.passed,
                why: why(answer),
                votes: dots,
                votes_words,
                verdict,
                meaning,
                script: scripts.get(index).map(|scripts| script(&scripts[at])),
            }
        })
        .collect();
    let link = |at: usize| {
        answers.prompts.get(at).map(|prompt| super::Link {
            href: format!("{}.html", prompt.slug),
            text: title(prompt),
        })
    };
    PromptPage {
        title: title(prompt),
        tier: tier_name(&prompt.text.tier),
        finding: finding(answers, at, rows.len()),
        request: format::clean(&prompt.text.request),
        required: required(facts, prompt),
        all: rows.len().to_string(),
        solved: prompt.solved.to_string(),
        failed: (rows.len() - prompt.solved).to_string(),
        rows,
        before: at.checked_sub(1).and_then(link),
        after: link(at + 1),
        asked: asked(&prompt.text),
    }
}

/// The prompt as far as it can be scored without a judge. Written key by key, because the reasons are
/// in the order of the fields.
fn asked(text: &PromptText) -> String {
    let json = |names: &[&str]| serde_json::json!(names).to_string();
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for (of, field) in text.fields.iter().filter_map(|field| field.split_once('.')) {
        match fields.last_mut().filter(|(last, _)| *last == of) {
            Some((_, fields)) => fields.push(field),
            None => fields.push((of, vec![field])),
        }
    }
    let fields: Vec<String> = fields
        .into_iter()
        .map(|(of, fields)| format!("{}:{}", serde_json::json!(of), json(&fields)))
        .collect();
    let names = |names: &[String]| json(&names.iter().map(String::as_str).collect::<Vec<_>>());
    format!(
        r#"{{"id":"","request":"","intent":"","structural":{{"required_types":{},"required_fields":{{{}}},"required_commands":{}}}}}"#,
        names(&text.types),
        fields.join(","),
        names(&text.commands)
    )
}

/// How many solve it, and what most of the others have in common.
fn finding(answers: &Answers<'_>, at: usize, models: usize) -> Vec<Part> {
    let PromptFacts { solved, causes, .. } = &answers.prompts[at];
    let solved = *solved;
    let failed = models - solved;
    let first = match (solved, models) {
        (0, 1) => "The one model does not solve it.".to_owned(),
        (1, 1) => "The one model solves it.".to_owned(),
        (0, _) => format!("None of {models} models solves it."),
        (all, models) if all == models => format!("All {models} models solve it."),
        (1, models) => format!("1 of {models} models solves it."),
        (solved, models) => format!("{solved} of {models} models solve it."),
    };
    let others = if solved == 0 { "" } else { " others" };
    let who = |count| match count {
        count if count == failed => format!("All {failed}{others}"),
        count => format!("{count} of the {failed}{others}"),
    };
    // Of a cause that as many share, the error says more.
    let most = causes.iter().max_by_key(|(cause, count)| (**count, **cause != Cause::Judge));
    let second = match most {
        Some((Cause::Judge, &count)) if count >= SHARED => {
            format!(" {} fail to convince the judge.", who(count))
        }
        Some((Cause::Error(message), &count)) if count >= SHARED => {
            format!(" {} have the same error: {message}.", who(count))
        }
        _ => String::new(),
    };
    parts(&format!("{first}{second}"))
}

/// What an answer must have to count as solved.
fn required(facts: &Facts<'_>, prompt: &PromptFacts) -> Vec<Vec<Part>> {
    let text = &prompt.text;
    let quoted = |names: &[String]| -> Vec<String> {
        names.iter().map(|name| format!("`{name}`")).collect()
    };
    let mut all = vec![parts("No error from the linter")];
    if !text.types.is_empty() {
        all.push(parts(&format!("Creates {}", format::list(&quoted(&text.types)))));
    }
    if !text.fields.is_empty() {
        all.push(parts(&format!("Sets {}", format::list(&quoted(&text.fields)))));
    }
    if !text.commands.is_empty() {
        let noun = if text.commands.len() == 1 { "command" } else { "commands" };
        all.push(parts(&format!("Uses the {noun} {}", format::list(&quoted(&text.commands)))));
    }
    let votes = facts.rows.iter().map(|row| row.row.run.n_votes).max().unwrap_or_default();
    let needed = votes / 2 + 1;
    let intent = format::clean(&text.intent).replace('`', "'");
    let judge = format!("{needed} of {votes} judge votes for: “{intent}”");
    all.push(vec![Part::plain(judge)]);
    all
}
