//! Rows side by side, and the pairs among the first of them.

use serde::Serialize;

use super::baseline::{delta_words, why};
use super::{fraction, interval, lift, rate, state_word};
use crate::facts::{Cohort, Facts, Grade, RowFacts, State};
use crate::site::format;
use crate::table::significance::{Pair, pairs};

/// Rows that can be picked.
pub(super) const PICKED_FROM: usize = 100;
/// Rows shown without a pick, and compared pair by pair.
const SHOWN: usize = 4;
const PAIRED: usize = 10;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct ComparePage {
    entries: Vec<Entry>,
    measures: Vec<Measure>,
    pairs: Vec<PairView>,
    pairs_note: String,
    note: String,
}

#[derive(Debug, Serialize)]
struct Entry {
    slug: String,
    model: String,
    provider: String,
    shown: bool,
}

#[derive(Debug, Serialize)]
struct Measure {
    name: String,
    cells: Vec<CellView>,
}

#[derive(Debug, Serialize)]
struct CellView {
    value: String,
    detail: String,
    shown: bool,
}

#[derive(Debug, Serialize)]
struct PairView {
    a: String,
    b: String,
    a_slug: String,
    b_slug: String,
    held_out: String,
    only_a: String,
    only_b: String,
    p: String,
    public: String,
}

/// The page.
pub(in crate::site) fn compare_page(facts: &Facts<'_>) -> ComparePage {
    let rows = &facts.rows[..facts.rows.len().min(PICKED_FROM)];
    let note = if facts.rows.len() > PICKED_FROM {
        format!(
            "The first {PICKED_FROM} of {}; every other model has its own page.",
            format::count(facts.rows.len(), "model")
        )
    } else {
        String::new()
    };
    let (pairs, pairs_note) = pair_views(facts);
    ComparePage {
        entries: rows
            .iter()
            .enumerate()
            .map(|(at, row)| Entry {
                slug: row.slug.clone(),
                model: row.model.clone(),
                provider: row.provider.clone(),
                shown: at < SHOWN,
            })
            .collect(),
        measures: measures(facts, rows),
        pairs,
        pairs_note,
        note,
    }
}

type Cell = (String, String);

fn measures(facts: &Facts<'_>, rows: &[RowFacts<'_>]) -> Vec<Measure> {
    let measure = |name: &str, cell: &dyn Fn(&RowFacts<'_>) -> Cell| Measure {
        name: name.to_owned(),
        cells: rows
            .iter()
            .enumerate()
            .map(|(at, row)| {
                let (value, detail) = cell(row);
                CellView { value, detail, shown: at < SHOWN }
            })
            .collect(),
    };
    let none = || (format::NONE.to_owned(), String::new());
    let mut all = vec![
        measure("Rank", &|row| {
            row.place.map_or_else(none, |p| (format::range(p.low, p.high), String::new()))
        }),
        measure("Held-out", &|row| {
            row.held_out.map_or(("pending".to_owned(), String::new()), |s| (rate(s), interval(s)))
        }),
        measure("Public", &|row| {
            let counts = fraction(row.public.counts());
            (rate(row.public), format!("{}, {counts}", interval(row.public)))
        }),
        measure("Gap, pp", &|row| {
            let Some(gap) = row.gap else { return none() };
            let mut detail = row.gap_interval.map(format::points_interval).unwrap_or_default();
            if row.is_overfit() {
                detail += ", overfit";
            }
            (format::points(gap), detail)
        }),
    ];
    if facts.has_baseline() {
        all.push(measure("Δ vs baseline", &delta_words));
    }
    for tier in facts.tiers.iter().take(12) {
        let name = format!("Public, {}", format::clean(tier));
        all.push(measure(&name, &|row| {
            let Some(rate) = row.row.public.by_tier.get(tier) else { return none() };
            (format::percent(*rate), row.public_tier(tier).map(fraction).unwrap_or_default())
        }));
    }
    all.push(measure("Repair lift, pp", &|row| lift(row).unwrap_or_else(none)));
    all.push(measure("Tokens per pass", &|row| {
        row.tokens_per_solved.map_or_else(none, |tokens| (format::amount(tokens), String::new()))
    }));
    if rows.iter().any(|row| row.cost_per_solved.is_some()) {
        all.push(measure("Cost per pass", &|row| {
            row.cost_per_solved.map_or_else(none, |cost| (format::money(cost), String::new()))
        }));
    }
    all.push(measure("Reproducible", &|row| {
        let evidence = &row.compared.evidence;
        if row.state == State::Absent {
            return ("not checked".to_owned(), state_word(row.state).to_owned());
        }
        let word = match evidence.grade {
            Grade::Full => "yes",
            Grade::Weak => "weakly",
            Grade::None => "no",
        };
        (word.to_owned(), format::clean(&evidence.words()))
    }));
    all.push(measure("Verified", &|row| {
        let word = if row.compared.evidence.verified { "yes" } else { "no" };
        (word.to_owned(), state_word(row.state).to_owned())
    }));
    if facts.has_baseline() {
        all.push(measure("Comparable", &|row| {
            let word = if row.compared.is_comparable() { "yes" } else { "no" };
            (word.to_owned(), why(&row.compared))
        }));
    }
    if facts.cohorts.len() > 1 {
        all.push(measure("Cohort", &|row| {
            let is_its = |cohort: &Cohort| cohort.id == row.compared.cohort_id;
            let table = facts.cohorts.iter().position(is_its);
            table.map_or_else(none, |at| {
                (format!("table {}", at + 1), facts.cohorts[at].words.clone())
            })
        }));
    }
    all
}

fn pair_views(facts: &Facts<'_>) -> (Vec<PairView>, String) {
    let rows = &facts.rows[..facts.rows.len().min(PAIRED)];
    let set = rows.iter().find_map(|row| row.replay).map(|replay| replay.prompts_sha256.as_str());
    // Paired tests need the same prompts in the same order.
    let usable: Vec<usize> = (0..rows.len())
        .filter(|&at| rows[at].state == State::Replayed)
        .filter(|&at| rows[at].replay.map(|replay| replay.prompts_sha256.as_str()) == set)
        .collect();
    let outcomes: Vec<Vec<bool>> = usable
        .iter()
        .filter_map(|&at| rows[at].replay)
        .map(|replay| replay.outcomes.iter().map(crate::replay::PromptOutcome::passed).collect())
        .collect();
    let tested: Vec<Pair> = pairs(&outcomes);
    let mut views = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        for (other_at, other) in rows.iter().enumerate().skip(at + 1) {
            let public =
                tested.iter().find(|pair| (usable[pair.a], usable[pair.b]) == (at, other_at));
            views.push(pair_view(facts, (row, other), public, |index| usable[index] == at));
        }
    }
    let note = match (views.len(), tested.len()) {
        (0, _) => String::new(),
        (_, 0) => {
            "The public bundles are not in this repository, so public results cannot be paired."
                .to_owned()
        }
        (_, tested) => format!(
            "Public: exact McNemar test on the shared prompts, p corrected by Holm over {}. Held-out: from the published counts, corrected over all pairs of the board.",
            format::count(tested, "pair")
        ),
    };
    (views, note)
}

fn pair_view(
    facts: &Facts<'_>,
    (a, b): (&RowFacts<'_>, &RowFacts<'_>),
    public: Option<&Pair>,
    is_a: impl Fn(usize) -> bool,
) -> PairView {
    let better = |name: &str| format!("{name} is better");
    let apart = "not comparable: different cohorts";
    // Of rows that both say how they were scored it is known that they differ.
    let is_apart = a.compared.cohort_id != b.compared.cohort_id
        && a.compared.cohort_id.is_some()
        && b.compared.cohort_id.is_some();
    let public = public.filter(|_| !is_apart);
    let held_out = match (a.held_out, b.held_out) {
        _ if is_apart => apart.to_owned(),
        (Some(x), Some(y)) if facts.order.is_above(x.counts(), y.counts()) => better(&a.model),
        (Some(x), Some(y)) if facts.order.is_above(y.counts(), x.counts()) => better(&b.model),
        (Some(_), Some(_)) => "not separable".to_owned(),
        _ => "pending".to_owned(),
    };
    let none = || format::NONE.to_owned();
    PairView {
        a: a.model.clone(),
        b: b.model.clone(),
        a_slug: a.slug.clone(),
        b_slug: b.slug.clone(),
        held_out,
        only_a: public.map_or_else(none, |pair| pair.only_a.to_string()),
        only_b: public.map_or_else(none, |pair| pair.only_b.to_string()),
        p: public.map_or_else(none, |pair| p_value(pair.p_holm)),
        public: public.map_or_else(none, |pair| match pair.winner() {
            None => "not separable".to_owned(),
            Some(winner) if is_a(winner) => better(&a.model),
            Some(_) => better(&b.model),
        }),
    }
}

/// Three decimals, or that it is below them.
fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}
