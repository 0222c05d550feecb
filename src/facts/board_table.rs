//! The board itself as a table: a run per row, a topic per public prompt where its bundle is here.
//! A pending headline has no value and ranks last.

use crate::board::{Board, Cell, Row};
use crate::domain::real;
use crate::facts::{Compared, RowComparison};
use crate::table::correlate::{Agreement, Base, Method, Plan, correlate};
use crate::table::{
    Better, BuildError, Builder, Display, FacetKind, FacetValue, Layout, Measure, Policy, Reduce,
    RunId, STARTED_AT, Scope, Slot,
};

/// The difference from the baseline.
const DELTA: &str = "delta_from_baseline";
const BASELINE: &str = "baseline";
const BASELINE_RUN: &str = "baseline_run_id";
const REPRODUCIBLE: &str = "reproducible";
const COMPARABLE: &str = "comparable";
const REASONS: &str = "reasons";
/// What is shown of how a row compares, the shortest first.
const STANDING: [(&str, &str); 3] =
    [("Repro", REPRODUCIBLE), ("Comp", COMPARABLE), ("Baseline", BASELINE)];

/// What one row did on one public prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicOutcome {
    /// The prompt's id.
    pub prompt: String,
    /// Its tier.
    pub tier: String,
    /// Whether it passed.
    pub passed: bool,
}

/// How the rows of a board stand to the baselines of their cohorts.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BaselineStandings {
    /// Each row, in the order of the board; empty if nothing is known.
    pub rows: Vec<Compared>,
    /// What the differences are relative to, a line for each cohort.
    pub notes: Vec<String>,
}

/// Adds a board; `outcomes` gives a row's public outcomes, empty if they are not known, and
/// `standings` how the rows compare.
pub fn add_board(
    builder: &mut Builder,
    board: &Board,
    outcomes: impl Fn(&Row) -> Vec<PublicOutcome>,
    standings: &BaselineStandings,
) -> Result<(), BuildError> {
    declare(builder, board, !standings.rows.is_empty())?;
    builder.layout(layout(standings));
    for (at, row) in board.entries.iter().enumerate() {
        let run = builder.run(&row.id());
        figures(builder, run, row)?;
        facets(builder, run, row, board);
        if let Some(compared) = standings.rows.get(at) {
            stand(builder, run, &RowComparison::from(compared))?;
        }
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

/// How the public rates of a board order its rows as the held-out rates do: Kendall's tau-b with
/// its interval. Pending rows are left out.
///
/// # Panics
/// Never: every board declares both measures.
pub fn public_against_held_out(board: &Board) -> Result<Agreement, BuildError> {
    let mut builder = Builder::default();
    add_board(&mut builder, board, |_| Vec::new(), &BaselineStandings::default())?;
    let table = builder.build(&Policy::default())?.table;
    let plan = Plan {
        methods: vec![Method { base: Base::TauB, top: None }],
        truth_measures: vec!["held_out".to_owned()],
        judge_measures: vec!["public".to_owned()],
        bootstrap: 1000,
        ..Plan::default()
    };
    let report = correlate(&table, &table, &plan);
    let first = report.ok().and_then(|report| report.agreements.into_iter().next());
    Ok(first.expect("one method on two measures that every board declares"))
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
fn declare(builder: &mut Builder, board: &Board, compared: bool) -> Result<(), BuildError> {
    builder.measure(given(rate("held_out", "Held-out")))?;
    builder.measure(rate("public", "Public"))?;
    builder.measure(given(rate("gap", "Gap").better(Better::Lower)))?;
    if compared {
        // Unordered, because the headline says already which row is better.
        let delta = rate(DELTA, "Δ").better(Better::Unordered).display(Display::Signed(3));
        builder.measure(given(delta))?;
    }
    builder.measure(given(rate("repair_lift", "Repair lift")))?;
    builder.measure(given(rate("base_runnable", "Runs at once")))?;
    builder.measure(given(rate("repaired_runnable", "Runs repaired")))?;
    builder.measure(count("tokens", "Tokens").better(Better::Lower))?;
    builder.measure(given(
        Measure::number("tokens_per_solved")
            .called("tokens_per_solved", "Tokens/solved")
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

fn figures(builder: &mut Builder, run: RunId, row: &Row) -> Result<(), BuildError> {
    let mut set = |name: &str, value: Option<f64>| -> Result<(), BuildError> {
        let Some(value) = value else { return Ok(()) };
        let id =
            builder.measure(Measure { topic: None, aggregate: None, ..Measure::number(name) })?;
        builder.aggregate(run, id, value.into())
    };
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
    set("tokens", row.tokens().map(real))?;
    set("prompt_tokens", row.token_split().map(|(input, _)| real(input)))?;
    set("completion_tokens", row.token_split().map(|(_, output)| real(output)))?;
    set("tokens_per_solved", row.tokens_per_solved())?;
    set("efficiency", row.passes_per_1k_tokens())
}

fn facets(builder: &mut Builder, run: RunId, row: &Row, board: &Board) {
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

/// Writes how a row compares; `comparable` and `reproducible` are words that a filter can name.
fn stand(builder: &mut Builder, run: RunId, row: &RowComparison<'_>) -> Result<(), BuildError> {
    if let Some(delta) = row.delta_from_baseline {
        let measure = Measure { topic: None, aggregate: None, ..Measure::number(DELTA) };
        let id = builder.measure(measure)?;
        builder.aggregate(run, id, delta.into())?;
    }
    let reasons = row.reasons.join(", ");
    let comparable = if row.is_comparable { "yes" } else { "no" };
    let texts = [
        (BASELINE, row.baseline_model),
        (BASELINE_RUN, row.baseline_run_id),
        (REPRODUCIBLE, Some(row.grade.as_str())),
        (COMPARABLE, Some(comparable)),
        (REASONS, Some(reasons.as_str()).filter(|reasons| !reasons.is_empty())),
    ];
    for (name, text) in texts {
        let value = text.map_or(FacetValue::Absent, FacetValue::Text);
        builder.facet(run, name, FacetKind::Text, value);
    }
    Ok(())
}

fn layout(standings: &BaselineStandings) -> Layout {
    let compared = !standings.rows.is_empty();
    let measure = |(header, name, display)| Slot::measure(header, name, display);
    let mut slots = vec![Slot::rank("Rank"), Slot::id("ID")];
    slots.extend(
        [
            ("Held-out", "held_out", Display::Fixed(3)),
            ("Public", "public", Display::Fixed(3)),
            ("Gap", "gap", Display::Fixed(3)),
        ]
        .map(measure),
    );
    // Without a baseline there is no difference and nothing to be comparable with.
    let has_baseline = standings.rows.iter().any(|standing| standing.baseline.is_some());
    if has_baseline {
        slots.push(Slot::measure("Δ", DELTA, Display::Signed(3)));
    }
    if compared {
        let shown = if has_baseline { &STANDING[..2] } else { &STANDING[..1] };
        slots.extend(shown.iter().map(|(header, facet)| Slot::facet(header, facet)));
    }
    slots.extend(
        [
            ("Lift", "repair_lift", Display::Fixed(3)),
            ("Tokens", "tokens", Display::Thousands),
            ("Tok/solved", "tokens_per_solved", Display::Fixed(0)),
        ]
        .map(measure),
    );
    if has_baseline {
        // A name is long, and the last column gives way first.
        slots.push(Slot::facet("Baseline", BASELINE));
    }
    let beside = match (compared, has_baseline) {
        (false, _) => Vec::new(),
        (true, false) => vec![STANDING[0], ("Reasons", REASONS)],
        (true, true) => STANDING.into_iter().chain([("Reasons", REASONS)]).collect(),
    };
    let (title, notes) = ("Leaderboard".to_owned(), standings.notes.clone());
    Layout { page: slots, beside, notes, title, ..Layout::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn board(text: &str) -> Board {
        let document = json::parse(text.as_bytes()).expect("JSON");
        crate::board::read(&document.root, "board.json").expect("a board")
    }

    #[test]
    fn the_committed_board_is_a_table_with_its_pending_row_last() {
        let board =
            board(include_str!("../../tests/data/world/board/leaderboard/leaderboard.json"));
        let mut builder = Builder::default();
        let outcome = |row: &Row| {
            let passed = row.model == "careful";
            vec![PublicOutcome { prompt: "p1".to_owned(), tier: "easy".to_owned(), passed }]
        };
        add_board(&mut builder, &board, outcome, &BaselineStandings::default()).expect("a board");
        let table = builder.build(&Policy::default()).expect("a table").table;
        let held_out = table.measure_named("held_out").expect("a measure");
        assert_eq!(table.main_measure(), Some(held_out));
        let ranking = table.rank(held_out, None, crate::table::Ties::Shared);
        let last = ranking.rows.last().expect("rows");
        assert_eq!((table.id(last.run), last.rank), ("demo:newcomer", None));
        // The published rate is kept, whatever the topics say.
        let public = table.measure_named("public").expect("a measure");
        let careful = table.find("demo:careful").expect("a row");
        assert_eq!(table.number(careful, public), Some(0.922));
        assert_eq!(table.topic_values(careful, public), [Some(1.0)]);
        let agreement = public_against_held_out(&board).expect("a board");
        assert_eq!(agreement.n, ranking.rows.len() - 1);
    }
}
