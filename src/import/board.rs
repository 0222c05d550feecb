//! The board itself as a table: a run per row, a topic per public prompt where its bundle is here.
//!
//! What a newcomer gets wrong: a pending headline has no value. It ranks last, and nothing else
//! is said about it.

use crate::board::{Board, Cell, Row};
use crate::table::{
    Better, BuildError, Builder, Display, FacetKind, FacetValue, Key, Layout, Measure, Reduce, Run,
    STARTED_AT, Scope, Slot,
};

/// What one row did on one public prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The prompt's id.
    pub prompt: String,
    /// Its tier.
    pub tier: String,
    /// Whether it passed.
    pub passed: bool,
}

/// Adds a board; `outcomes` gives a row's public outcomes, empty if they are not known.
pub fn add(
    builder: &mut Builder,
    board: &Board,
    outcomes: impl Fn(&Row) -> Vec<Outcome>,
) -> Result<(), BuildError> {
    declare(builder, board)?;
    builder.layout(layout());
    for row in &board.entries {
        let run = builder.run(&row.id());
        figures(builder, run, row)?;
        facets(builder, run, row, board);
        let public = builder.measure(rate("public", "Public"))?;
        for outcome in outcomes(row) {
            let topic = builder.topic(&outcome.prompt);
            builder.topic_facet(topic, "tier", &outcome.tier);
            let passed = f64::from(u8::from(outcome.passed));
            builder.cell(run, Scope::Topic(topic), public, passed.into(), 0)?;
        }
    }
    Ok(())
}

fn rate(name: &str, label: &str) -> Measure {
    Measure::number(name).called(name, label).display(Display::Fixed(3))
}

fn given(measure: Measure) -> Measure {
    measure.reduce(Reduce::Given).aggregate_only()
}

fn count(name: &str, label: &str) -> Measure {
    given(Measure::number(name).called(name, label).display(Display::Thousands))
}

/// In the order a reader wants: the headline first.
fn declare(builder: &mut Builder, board: &Board) -> Result<(), BuildError> {
    builder.measure(given(rate("held_out", "Held-out")))?;
    builder.measure(rate("public", "Public"))?;
    builder.measure(given(rate("gap", "Gap").better(Better::Lower)))?;
    builder.measure(given(rate("repair_lift", "Repair lift")))?;
    builder.measure(given(rate("base_runnable", "Runs at once")))?;
    builder.measure(given(rate("repaired_runnable", "Runs repaired")))?;
    builder.measure(count("tokens", "Tokens").better(Better::Lower))?;
    builder.measure(given(
        Measure::number("tokens_per_pass")
            .called("tokens_per_pass", "Tokens/pass")
            .better(Better::Lower)
            .display(Display::Fixed(1)),
    ))?;
    builder.measure(given(
        Measure::number("efficiency")
            .called("efficiency", "Passes/1k tok")
            .display(Display::Fixed(3)),
    ))?;
    for name in ["public_n", "held_out_n", "prompt_tokens", "completion_tokens"] {
        builder.measure(count(name, name).better(Better::Unordered))?;
    }
    for row in &board.entries {
        for (set, cell) in cells(row) {
            for tier in cell.by_tier.keys() {
                let name = format!("{set}_{tier}");
                builder.measure(given(rate(&name, &name)))?;
            }
        }
    }
    Ok(())
}

fn cells(row: &Row) -> impl Iterator<Item = (&'static str, &Cell)> {
    [("public", Some(&row.public)), ("held_out", row.held_out.cell())]
        .into_iter()
        .filter_map(|(set, cell)| Some((set, cell?)))
}

fn figures(builder: &mut Builder, run: Run, row: &Row) -> Result<(), BuildError> {
    let mut set = |name: &str, value: Option<f64>| -> Result<(), BuildError> {
        let Some(value) = value else { return Ok(()) };
        let id =
            builder.measure(Measure { topic: None, aggregate: None, ..Measure::number(name) })?;
        builder.aggregate(run, id, value.into())
    };
    let real = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    for (name, cell) in cells(row) {
        set(name, Some(cell.pass_rate.value()))?;
        set(&format!("{name}_n"), Some(real(cell.n_prompts)))?;
        for (tier, rate) in &cell.by_tier {
            set(&format!("{name}_{tier}"), Some(rate.value()))?;
        }
    }
    set("gap", row.overfit_gap.map(crate::domain::Gap::value))?;
    let lift = row.close_the_loop.as_ref();
    set("repair_lift", lift.map(|lift| lift.repair_lift.value()))?;
    set("base_runnable", lift.map(|lift| lift.base_runnable.value()))?;
    set("repaired_runnable", lift.map(|lift| lift.repaired_runnable.value()))?;
    let usage = |key: &str| row.usage.get(key).copied().map(real);
    let tokens = usage("total_tokens");
    set("tokens", tokens)?;
    set("prompt_tokens", usage("prompt_tokens"))?;
    set("completion_tokens", usage("completion_tokens"))?;
    // The published rate is rounded; the number of passes behind it is a whole number.
    let passes = (row.public.pass_rate.value() * real(row.public.n_prompts)).round();
    let some = |above: f64, below: f64| (below > 0.0).then(|| above / below);
    set("tokens_per_pass", tokens.and_then(|tokens| some(tokens, passes)))?;
    set("efficiency", tokens.and_then(|tokens| some(passes * 1000.0, tokens)))
}

fn facets(builder: &mut Builder, run: Run, row: &Row, board: &Board) {
    let votes = row.run.n_votes.to_string();
    for (name, text) in [
        ("model", row.model.as_str()),
        ("provider", &row.provider),
        ("kind", &row.kind),
        ("submitted_by", &row.run.submitted_by),
        ("judge_model", &row.run.judge_model),
        ("n_votes", &votes),
        ("tool_version", &row.run.tool_version),
        ("recorded_bundle_sha16", &row.run.recorded_bundle_sha16),
        ("eval_protocol_version", &board.eval_protocol_version),
        (STARTED_AT, &board.generated_at),
    ] {
        builder.facet(run, name, FacetKind::Text, FacetValue::Text(text));
    }
}

fn layout() -> Layout {
    let page = [
        ("Held-out", "held_out", Display::Fixed(3)),
        ("Public", "public", Display::Fixed(3)),
        ("Gap", "gap", Display::Fixed(3)),
        ("Lift", "repair_lift", Display::Fixed(3)),
        ("Tokens", "tokens", Display::Thousands),
        ("Tok/pass", "tokens_per_pass", Display::Fixed(0)),
    ];
    let mut slots =
        vec![Slot::rank("Rank"), Slot { header: "ID".to_owned(), key: Key::Id, display: None }];
    slots.extend(page.map(|(header, name, display)| Slot::measure(header, name, display)));
    Layout { page: slots, title: "Leaderboard".to_owned(), ..Layout::default() }
}
