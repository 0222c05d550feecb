//! The first screen of the board in words: who leads, whether the lead is real, what it costs. The
//! sentences claim no more than the numbers do.

use serde::Serialize;

use crate::facts::{Answers, Expense, Facts, RankGroup, RowFacts, TOO_FEW};
use crate::site::format;

/// A box with an answer, or a next step.
#[derive(Debug, Default, Serialize)]
pub(super) struct Card {
    label: String,
    value: String,
    /// The number after the value, if there is one: `83%`.
    figure: String,
    detail: String,
    /// `yes` or `no` where the value is an answer, else empty.
    tone: &'static str,
    /// Where it leads; empty if nowhere.
    href: String,
}

/// Letters of a name in a card.
const NAME: usize = 32;

fn name(row: &RowFacts<'_>) -> String {
    format::truncate(&row.name, NAME)
}

/// What is measured, on how many prompts, and when.
pub(super) fn lede(facts: &Facts<'_>, group: &RankGroup) -> String {
    let models = match group.scored {
        0 => "Models turn".to_owned(),
        1 => "1 model turns".to_owned(),
        count => format!("{} turn", format::count(count, "model")),
    };
    let prompts = group.ranked().first().and_then(|at| facts.rows[*at].held_out);
    let ranked = prompts.map_or_else(String::new, |score| {
        format!(" Ranked on {} private prompts.", format::grouped(score.total))
    });
    format!(
        "{models} plain-English mission requests into scripts for NASA’s General Mission Analysis Tool.{ranked} Updated {}.",
        format::date(&facts.board.generated_at)
    )
}

/// What is known where nothing is ranked yet.
pub(super) fn entered(facts: &Facts<'_>, group: &RankGroup) -> String {
    match (group.scored, group.rows.as_slice()) {
        (0, []) => "No model has entered yet.".to_owned(),
        (0, [only]) => {
            let row = &facts.rows[*only];
            let range = row.public.interval.map(format::interval).unwrap_or_default();
            format!(
                "1 model entered: {} solves {} of {} public prompts ({}, {range}). The private test is pending.",
                name(row),
                row.public.passed,
                row.public.total,
                format::whole_percent(row.public)
            )
        }
        (0, rows) => {
            format!("{} models entered. The private test is pending for all of them.", rows.len())
        }
        _ => String::new(),
    }
}

/// Highest score, whether the lead is real, the cheapest of the top group.
pub(super) fn cards(facts: &Facts<'_>, group: &RankGroup) -> Vec<Card> {
    let ranked: Vec<&RowFacts<'_>> = group.ranked().iter().map(|at| &facts.rows[*at]).collect();
    let Some(leader) = ranked.first() else { return Vec::new() };
    let Some(score) = leader.held_out else { return Vec::new() };
    let top: Vec<&RowFacts<'_>> = ranked.iter().filter(|row| row.is_top()).copied().collect();
    let first = ranked.iter().filter(|row| row.standing.is_some_and(|s| s.place == 1)).count();
    let range = score.interval.map(format::interval).unwrap_or_default();
    let shared = if first > 1 { format!("; shared by {first} models") } else { String::new() };
    let highest = Card {
        label: "Highest score".to_owned(),
        value: name(leader),
        figure: format::whole_percent(score),
        detail: format!("{} of {} solved; 95% range {range}%{shared}", score.passed, score.total),
        tone: "",
        href: format!("m/{}.html", leader.slug),
    };
    vec![
        highest,
        lead(ranked.len(), top.len(), first, score.total),
        cheapest(leader, &top, ranked.len()),
    ]
}

/// Is the lead real? `ranked` models, of them `top` in the top group and `first` on the first place.
fn lead(ranked: usize, top: usize, first: usize, prompts: u64) -> Card {
    let others = ranked - top;
    let (value, detail, tone) = match (ranked, top) {
        (1, _) => ("Only one model scored", "nothing to compare it with yet".to_owned(), ""),
        (_, 1) => {
            let who = match others {
                1 => "the other model is".to_owned(),
                2 => "both other models are".to_owned(),
                count => format!("all {count} other models are"),
            };
            ("Yes", format!("{who} significantly behind"), "yes")
        }
        _ if first > 1 => ("No", format!("{first} models share the highest score"), "no"),
        (_, 2) => ("Not yet", "1 other is within the margin of error".to_owned(), "no"),
        (_, top) => ("Not yet", format!("{} others are within the margin of error", top - 1), "no"),
    };
    let few = if prompts < TOO_FEW && ranked > 1 { "; too few prompts to say more" } else { "" };
    Card {
        label: "Is the lead real?".to_owned(),
        value: value.to_owned(),
        figure: String::new(),
        detail: format!("{detail}{few}"),
        tone,
        href: "method.html#lead".to_owned(),
    }
}

/// Of the top group the cheapest: in dollars where any of it is priced, else in tokens.
fn cheapest(leader: &RowFacts<'_>, top: &[&RowFacts<'_>], ranked: usize) -> Card {
    let group = if ranked == 1 { "" } else { " in the top group" };
    let card = |label: &str, row: &RowFacts<'_>, amount: String, detail: String| Card {
        label: format!("{label}{group}"),
        value: name(row),
        figure: amount,
        detail,
        tone: "",
        href: format!("m/{}.html", row.slug),
    };
    let beside = |row: &RowFacts<'_>, of_leader: Option<String>| match of_leader {
        _ if ranked == 1 => String::new(),
        _ if top.len() == 1 => "; alone in the top group".to_owned(),
        _ if std::ptr::eq(row, leader) => "; it is the leader too".to_owned(),
        Some(amount) => format!("; the leader: {amount}"),
        None => "; the leader’s is unknown".to_owned(),
    };
    if let Some((row, cost)) = Expense::Dollars.least(top) {
        let detail = beside(row, leader.cost_per_solved.map(format::money));
        let label = if ranked == 1 { "Cost" } else { "Cheapest" };
        return card(label, row, format::money(cost), format!("per solved prompt{detail}"));
    }
    if let Some((row, tokens)) = Expense::Tokens.least(top) {
        let detail = beside(row, leader.tokens_per_solved.map(format::amount));
        let label = if ranked == 1 { "Tokens" } else { "Fewest tokens" };
        return card(
            label,
            row,
            format::amount(tokens),
            format!("tokens per solved prompt{detail}"),
        );
    }
    Card {
        label: format!("Cheapest{group}"),
        value: "Not known".to_owned(),
        detail: "no price and no tokens are recorded".to_owned(),
        ..Card::default()
    }
}

/// What a reader may do next.
pub(super) fn next_steps(facts: &Facts<'_>, answers: &Answers<'_>, group: &RankGroup) -> Vec<Card> {
    let step = |label, detail, href| Card { label, detail, href, ..Card::default() };
    let mut steps = Vec::new();
    let best: Vec<&RowFacts<'_>> =
        group.ranked().iter().take(3).map(|at| &facts.rows[*at]).collect();
    if best.len() >= 2 {
        let all = if group.scored == best.len() { "all" } else { "the top" };
        let names: Vec<String> = best.iter().map(|row| name(row)).collect();
        let slugs: Vec<&str> = best.iter().map(|row| row.slug.as_str()).collect();
        steps.push(step(
            format!("Compare {all} {}", best.len()),
            names.join(", "),
            format!("compare.html?pick={}", slugs.join(",")),
        ));
    }
    if !answers.prompts.is_empty() {
        steps.push(step(
            "Hardest prompts".to_owned(),
            "and the answers that failed".to_owned(),
            "prompts.html".to_owned(),
        ));
    }
    if group.rows.len() > 1 {
        let detail = "record a model and open a pull request".to_owned();
        steps.push(step("Submit yours".to_owned(), detail, "submit.html".to_owned()));
    }
    steps
}

/// The call to enter a model, where nothing or one model is there to compare with.
pub(super) fn call(facts: &Facts<'_>, group: &RankGroup) -> Option<Card> {
    let label = match group.rows.len() {
        0 => "Be the first",
        1 => "Be the second",
        _ => return None,
    };
    let set = facts.public_prompts.map_or_else(
        || "the public prompts".to_owned(),
        |count| format!("the {} public prompts", format::grouped(count)),
    );
    let spent = match &spent(facts)[..] {
        [] => String::new(),
        [.., most] => format!(" The model on the board cost {} to record.", format::money(*most)),
    };
    Some(Card {
        label: label.to_owned(),
        detail: format!("Record your model on {set} and open a pull request.{spent}"),
        href: "submit.html".to_owned(),
        ..Card::default()
    })
}

/// What the public answers of each priced row cost at list prices, in US dollars, least first.
pub(super) fn spent(facts: &Facts<'_>) -> Vec<f64> {
    let cost = |row: &RowFacts<'_>| row.row.cost(row.price?);
    let mut all: Vec<f64> = facts.rows.iter().filter_map(cost).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// What must be said under the table: what the public score is worth, or that few prompts say little.
pub(super) fn table_note(facts: &Facts<'_>, group: &RankGroup) -> String {
    let rows = || group.rows.iter().map(|at| &facts.rows[*at]);
    if group.scored == 0 && !group.rows.is_empty() {
        return "Public, not ranked: public prompts can be in a model’s training data. Ranking starts with the private test.".to_owned();
    }
    if rows().any(|row| row.held_out.is_some_and(|score| score.total < TOO_FEW)) {
        return format!("Scores on fewer than {TOO_FEW} prompts say little.");
    }
    String::new()
}
