//! The sentences above the table: who leads, and what the numbers rest on. They claim no more than
//! the numbers do.

use crate::facts::{Cohort, Facts, RowFacts, TOO_FEW};
use crate::site::format;

/// Who leads, in one sentence that claims no more than the numbers do.
pub(super) fn verdict(facts: &Facts<'_>) -> String {
    let protocol = format::clean(&facts.board.eval_protocol_version);
    let tied: Vec<&RowFacts<'_>> = not_beaten(facts);
    let top = facts.ranked().first().and_then(|row| row.held_out).map(|score| score.rate);
    let (leaders, others): (Vec<&RowFacts<'_>>, Vec<&RowFacts<'_>>) =
        tied.iter().partition(|row| row.held_out.map(|score| score.rate) == top);
    let have = if leaders.len() == 1 { "has" } else { "share" };
    match (facts.rows.len(), facts.scored) {
        (0, _) => format!("No entry has been scored under protocol {protocol} yet"),
        (_, 0) => "No model has a held-out score yet, so nothing is ranked".to_owned(),
        (_, 1) => {
            format!("{} is the only model with a held-out score so far", names(&leaders))
        }
        // Tests between rows of two cohorts would compare what does not compare.
        _ if has_several_cohorts(facts) => format!(
            "{} {have} the highest held-out rate of all; only models in one table compare",
            names(&leaders)
        ),
        (_, scored) if tied.len() == scored => format!(
            "{} {have} the highest held-out rate, but none of the {scored} ranked models is shown to be better than another",
            names(&leaders)
        ),
        _ if others.is_empty() && leaders.len() == 1 => {
            format!("{} leads: better than every other ranked model at 95%", names(&leaders))
        }
        _ if others.is_empty() => {
            format!(
                "{} share the lead: better than every other ranked model at 95%",
                names(&leaders)
            )
        }
        _ => {
            let others =
                if others.len() > 2 { format!("{} others", others.len()) } else { names(&others) };
            format!(
                "{} {have} the highest held-out rate; {others} cannot be told apart from it at 95%",
                names(&leaders)
            )
        }
    }
}

/// Whether ranked rows stand in more than one table.
fn has_several_cohorts(facts: &Facts<'_>) -> bool {
    let is_ranked = |cohort: &&Cohort| cohort.rows.iter().any(|row| *row < facts.scored);
    facts.cohorts.iter().filter(is_ranked).count() > 1
}

/// The ranked rows that no row is shown to be above.
fn not_beaten<'f, 'a>(facts: &'f Facts<'a>) -> Vec<&'f RowFacts<'a>> {
    facts.ranked().iter().filter(|row| row.place.is_some_and(|place| place.low == 1)).collect()
}

fn names(rows: &[&RowFacts<'_>]) -> String {
    let mut names: Vec<String> =
        rows.iter().take(3).map(|row| format::truncate(&row.model, 40)).collect();
    if rows.len() > 3 {
        names.push(format!("{} more", rows.len() - 3));
    }
    format::list(&names)
}

/// In a tie the expense decides.
pub(super) fn frugal(facts: &Facts<'_>) -> String {
    if has_several_cohorts(facts) {
        return String::new();
    }
    let first = not_beaten(facts);
    let known: Vec<(&RowFacts<'_>, f64)> =
        first.iter().filter_map(|row| row.tokens.map(|tokens| (*row, tokens))).collect();
    if first.len() < 2 || known.len() < first.len() {
        return String::new();
    }
    known
        .into_iter()
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(row, tokens)| {
            let name = format::truncate(&row.model, 40);
            format!("Fewest tokens among them: {name}, {} per pass.", format::amount(tokens))
        })
        .unwrap_or_default()
}

/// What the numbers of a cohort's table rest on.
pub(super) fn caption(facts: &Facts<'_>, cohort: &Cohort) -> String {
    let size = match facts.held_out_prompts {
        Some(prompts) => format!("of {prompts} prompts "),
        None => String::new(),
    };
    if !cohort.heading.is_empty() && facts.cohorts.first().map(|c| &c.id) != Some(&cohort.id) {
        return format!("Under {}; ranks are those of the whole board.", cohort.words);
    }
    if !cohort.heading.is_empty() {
        return format!(
            "Ranked on a private held-out set {size}under {}; ranks are those of the whole board. Intervals are 95%; rows in one group cannot be told apart.",
            cohort.words
        );
    }
    format!(
        "Ranked on a private held-out set {size}under protocol {}, judged by {}. Intervals are 95%; rows in one group cannot be told apart.",
        format::clean(&facts.board.eval_protocol_version),
        format::clean(&facts.board.judge_model)
    )
}

/// Why this table has no Δ although another one has; empty if it has, or if no table has.
pub(super) fn no_delta(facts: &Facts<'_>, cohort: &Cohort) -> &'static str {
    match (&cohort.reference, &cohort.id) {
        _ if !facts.has_baseline() || cohort.rows.is_empty() => "",
        (Some(_), _) => "",
        (None, Some(_)) => "No Δ here: these rows have no baseline.",
        (None, None) => "No Δ here: how these rows were scored is not fully known.",
    }
}

pub(super) fn note(facts: &Facts<'_>) -> String {
    if facts.rows.iter().any(|row| {
        row.public.total < TOO_FEW || row.held_out.is_some_and(|score| score.total < TOO_FEW)
    }) {
        format!("A rate in brackets rests on fewer than {TOO_FEW} prompts: too few to say.")
    } else {
        String::new()
    }
}
