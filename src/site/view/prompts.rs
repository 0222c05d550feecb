//! Every public prompt against every model: solved or failed, hardest first.

use serde::Serialize;

use super::answer::name;
use crate::facts::{Answers, Facts, PromptFacts};
use crate::site::format;

/// Models shown as columns; the counts are over all of them.
const COLUMNS: usize = 40;
/// Up to so many columns are wide.
const FEW: usize = 12;
/// From so many columns on they are narrow.
const MANY: usize = 31;
/// The width of a full bar.
const BAR: usize = 34;

#[derive(Debug, Serialize)]
pub(in crate::site) struct PromptsPage {
    heading: String,
    lede: String,
    columns: Vec<Column>,
    /// How wide a column is, as a class.
    width: &'static str,
    tiers: Vec<Tier>,
    /// Whether columns of the top group and others are shown.
    has_groups: bool,
    /// What the columns are, and which are not shown.
    note: String,
    /// For phones, where names of models have no room.
    order: String,
}

#[derive(Debug, Serialize)]
struct Column {
    name: String,
    slug: String,
    /// `top`, and where a line is drawn: `end`, `dashed`.
    class: String,
}

#[derive(Debug, Serialize)]
struct Tier {
    name: String,
    detail: String,
    /// One per column.
    heat: Vec<Heat>,
    prompts: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Heat {
    /// `h0` to `h10`.
    class: String,
    percent: String,
}

#[derive(Debug, Serialize)]
struct Line {
    id: String,
    slug: String,
    title: String,
    solved: String,
    of: String,
    bar: String,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Cell {
    solved: bool,
    slug: String,
}

/// The page; `None` where no answers are at hand.
pub(in crate::site) fn prompts_page(
    facts: &Facts<'_>,
    answers: &Answers<'_>,
) -> Option<PromptsPage> {
    let all: Vec<_> = answers.rows().collect();
    if answers.prompts.is_empty() || all.is_empty() {
        return None;
    }
    let shown = &all[..all.len().min(COLUMNS)];
    let row = |at: usize| &facts.rows[at];
    let column = |(index, (at, _)): (usize, &(usize, _))| {
        let next = shown.get(index + 1).map(|(next, _)| row(*next));
        let top = row(*at).is_top();
        let ends = top && next.is_some_and(|next| !next.is_top() && next.held_out.is_some());
        let dashed =
            index > 0 && row(*at).held_out.is_none() && row(shown[index - 1].0).held_out.is_some();
        let classes = [(top, "top"), (ends, "end"), (dashed, "dashed")];
        let classes: Vec<&str> =
            classes.iter().filter(|(is, _)| *is).map(|(_, class)| *class).collect();
        Column {
            name: format::truncate(&name(row(*at)), 24),
            slug: row(*at).slug.clone(),
            class: classes.join(" "),
        }
    };
    let tier = |(tier, range): (&str, std::ops::Range<usize>)| {
        let heat = |(_, answered): &(usize, &crate::facts::RowAnswers<'_>)| {
            heat(answered.counts(range.clone()))
        };
        let prompts = &answers.prompts[range.clone()];
        let solved: usize = prompts.iter().map(|prompt| prompt.solved).sum();
        let share = format::whole_points((solved as u64, (prompts.len() * all.len()) as u64));
        Tier {
            name: tier_name(tier),
            detail: format!("{}, {share}% solved", format::count(prompts.len(), "prompt")),
            heat: shown.iter().map(heat).collect(),
            prompts: range
                .clone()
                .zip(prompts)
                .map(|(index, prompt)| Line {
                    id: format::clean(&prompt.text.id),
                    slug: prompt.slug.clone(),
                    title: title(prompt),
                    solved: prompt.solved.to_string(),
                    of: all.len().to_string(),
                    bar: (prompt.solved * BAR / all.len()).to_string(),
                    cells: shown
                        .iter()
                        .map(|(at, answered)| Cell {
                            solved: answered.answers[index].passed,
                            slug: row(*at).slug.clone(),
                        })
                        .collect(),
                })
                .collect(),
        }
    };
    let pending = shown.iter().filter(|(at, _)| row(*at).held_out.is_none()).count();
    let (heading, lede) = sentence(facts, answers, all.len());
    Some(PromptsPage {
        heading,
        lede,
        columns: shown.iter().enumerate().map(column).collect(),
        width: match shown.len() {
            ..=FEW => "few",
            MANY.. => "many",
            _ => "",
        },
        tiers: answers.tiers().into_iter().map(tier).collect(),
        has_groups: shown.iter().any(|(at, _)| row(*at).is_top())
            && shown.iter().any(|(at, _)| !row(*at).is_top()),
        note: note(facts, shown.len(), all.len()),
        order: order(shown.len() - pending, pending),
    })
}

/// What a reader wants to know first: which prompts no model solves, or the hardest one.
fn sentence(facts: &Facts<'_>, answers: &Answers<'_>, models: usize) -> (String, String) {
    let prompts = &answers.prompts;
    let unsolved: Vec<&PromptFacts> = prompts.iter().filter(|prompt| prompt.solved == 0).collect();
    let (heading, first) = match &unsolved[..] {
        _ if models == 1 => {
            let solved = prompts.iter().filter(|prompt| prompt.solved > 0).count();
            let name = facts.rows.first().map(name).unwrap_or_default();
            ("Which prompts are solved?", format!("{name} solves {solved} of {}.", prompts.len()))
        }
        [] => {
            let hardest = prompts.iter().min_by_key(|prompt| prompt.solved);
            let said = |p: &PromptFacts| {
                format!("{} is solved by {} of {models} models.", title(p), p.solved)
            };
            ("Which prompts are hardest?", hardest.map(said).unwrap_or_default())
        }
        [one] => {
            ("Which prompts defeat every model?", format!("{} is solved by no model.", title(one)))
        }
        [one, two] => (
            "Which prompts defeat every model?",
            format!("{} and {} are solved by no model.", title(one), title(two)),
        ),
        more => (
            "Which prompts defeat every model?",
            format!("{} and {} others are solved by no model.", title(more[0]), more.len() - 1),
        ),
    };
    let share_of = |(tier, range): (&str, std::ops::Range<usize>)| {
        let solved: usize = prompts[range.clone()].iter().map(|prompt| prompt.solved).sum();
        (format::clean(tier), format::whole_points((solved as u64, (range.len() * models) as u64)))
    };
    let by_tier: Vec<(String, u64)> = answers.tiers().into_iter().map(share_of).collect();
    let split = match (&by_tier[..], models) {
        ([(hard, least), .., (easy, most)], 2..) => {
            format!(" Of the answers to {easy} prompts {most}% pass, to {hard} ones {least}%.")
        }
        _ => String::new(),
    };
    let counts = format!(
        "{}, {}.",
        format::count(prompts.len(), "public prompt"),
        format::count(models, "model")
    );
    (heading.to_owned(), format!("{first}{split} {counts} The private prompts are never shown."))
}

fn note(facts: &Facts<'_>, shown: usize, all: usize) -> String {
    let mut notes = Vec::new();
    if facts.scored > 1 {
        notes.push(
            "Columns by rank; the blue line ends the top group, dashed: not ranked.".to_owned(),
        );
    }
    notes.push("A cell opens that model's answer.".to_owned());
    if shown < all {
        notes.push(format!(
            "The first {shown} of {all} models are shown; “solved by” counts all {all}."
        ));
    }
    let without = facts.rows.len() - all;
    if without > 0 {
        let models = format::count(without, "model");
        notes.push(format!("{models} without a bundle of these prompts at hand left out."));
    }
    notes.join(" ")
}

fn order(ranked: usize, pending: usize) -> String {
    match (ranked, pending) {
        (0, _) => "A row opens its prompt.".to_owned(),
        (ranked, 0) => {
            format!("Cells from left to right: rank 1 to {ranked}. A row opens its prompt.")
        }
        (ranked, pending) => {
            format!(
                "Cells from left to right: rank 1 to {ranked}, then {pending} not ranked. A row opens its prompt."
            )
        }
    }
}

fn heat(counts: (u64, u64)) -> Heat {
    let percent = format::whole_points(counts);
    Heat { class: format!("h{}", (percent + 5) / 10), percent: percent.to_string() }
}

/// The title of a prompt, harmless and short.
pub(super) fn title(prompt: &PromptFacts) -> String {
    format::truncate(&format::clean(&prompt.title), 60)
}

/// The tier as a heading: `Hard`.
pub(super) fn tier_name(tier: &str) -> String {
    crate::domain::capital(&format::clean(tier))
}
