//! The page of one row: its figures, how to check them, what a reader must know, and how to cite.

use crate::site::format;
use serde::Serialize;

use crate::facts::{Facts, RowFacts, State};
use crate::site::chart::{Bars, Steps, held_out_tier, score_card, tier_rows};
use crate::table::significance::wilson;

use super::baseline::{Badge, Said, badges, delta_words, standing};
use super::compare::PICKED_FROM;
use super::verify::{Report, Verify, report, verify};
use super::{Link, SiteView, Term, fraction, interval, lift, rate};

/// Failing prompts shown; more are in the bundle.
const FAILURES: usize = 100;
/// Names of rows that cannot be told from this one.
const TIED_NAMES: usize = 6;

/// The page.
#[derive(Debug, Serialize)]
pub(in crate::site) struct EntryPage {
    title: String,
    model: String,
    provider: String,
    slug: String,
    status: String,
    flags: Vec<String>,
    badges: Vec<Badge>,
    figures: Vec<Figure>,
    card: Bars,
    verify: Verify,
    standing: Vec<Said>,
    has_baseline: bool,
    tier_chart: Option<Bars>,
    tiers: Vec<Tier>,
    held_out_tiers: bool,
    tier_note: String,
    lift: Option<Repair>,
    usage: Vec<Term>,
    cost_note: String,
    failures: Vec<Failed>,
    failures_label: String,
    history: Vec<HistoryLine>,
    steps: Option<Steps>,
    runs: String,
    provenance: Vec<Term>,
    tied: String,
    above: Vec<Link>,
    below: Vec<Link>,
    pickable: bool,
    citation: String,
    report: Report,
}

#[derive(Debug, Serialize)]
struct Figure {
    name: &'static str,
    value: String,
    detail: String,
    word: &'static str,
}

#[derive(Debug, Serialize)]
struct Tier {
    name: String,
    public: String,
    public_count: String,
    public_interval: String,
    held_out: String,
    held_out_interval: String,
}

#[derive(Debug, Serialize)]
struct Repair {
    value: String,
    counts: String,
    agreement: Vec<Term>,
}

#[derive(Debug, Serialize)]
struct Failed {
    id: String,
    tier: String,
    why: String,
}

/// What is known of a row over time.
#[derive(Debug, Default)]
pub(in crate::site) struct RowHistory {
    /// The row on each board, newest first.
    pub(in crate::site) lines: Vec<HistoryLine>,
    /// The same, drawn.
    pub(in crate::site) steps: Option<Steps>,
    /// What its recorded runs come to; empty if there is none.
    pub(in crate::site) runs: String,
}

/// The row on one board.
#[derive(Debug, Serialize)]
pub(in crate::site) struct HistoryLine {
    pub(in crate::site) date: String,
    pub(in crate::site) board: String,
    pub(in crate::site) protocol: String,
    pub(in crate::site) held_out: String,
    pub(in crate::site) public: String,
    pub(in crate::site) order: String,
}

/// The page of the row at `at`.
pub(in crate::site) fn entry_page(
    site: &SiteView,
    facts: &Facts<'_>,
    at: usize,
    history: RowHistory,
) -> EntryPage {
    let row = &facts.rows[at];
    let (failures, failures_label) = failures(row);
    EntryPage {
        title: format::truncate(&row.model, 36),
        model: row.model.clone(),
        provider: row.provider.clone(),
        slug: row.slug.clone(),
        status: status(site, row),
        flags: row.flags.iter().map(|flag| flag.sentence.clone()).collect(),
        badges: badges(row),
        figures: figures(row),
        card: score_card(row),
        verify: verify(site, row),
        standing: standing(row, facts.cohort(row)),
        has_baseline: row.compared.baseline.is_some(),
        tier_chart: tier_rows(facts, row),
        tiers: tiers(facts, row),
        held_out_tiers: facts.held_out_tiers.is_some() && row.held_out.is_some(),
        tier_note: tier_note(facts, row),
        lift: repair(row),
        usage: usage(row),
        cost_note: cost_note(row),
        failures,
        failures_label,
        history: history.lines,
        steps: history.steps,
        runs: history.runs,
        provenance: provenance(row),
        tied: tied(facts, at),
        above: neighbours(facts, at.saturating_sub(3)..at),
        below: neighbours(facts, at + 1..at + 4),
        pickable: at < PICKED_FROM,
        citation: site.cite(
            "row",
            &format!("{} on {}", row.row.model, site.title),
            &format!("Row {}. ", format::bibtex(&row.row.id())),
        ),
        report: report(site, row),
    }
}

fn status(site: &SiteView, row: &RowFacts<'_>) -> String {
    let public = match row.state {
        State::Replayed => {
            "Public score replayed from the committed bundle when this page was made"
        }
        State::Differs => "The bundle in this repository does not give the published row",
        State::Absent => "Public bundle not in this repository, so not replayed for this page",
    };
    let held_out = match row.held_out {
        Some(_) => "held-out scored in a gated run",
        None => "held-out not scored yet",
    };
    format!("{public}; {held_out}. Board of {}.", site.date)
}

fn figures(row: &RowFacts<'_>) -> Vec<Figure> {
    let of = |score: crate::facts::Score| {
        format!("95% interval {}, {} prompts", interval(score), fraction(score.counts()))
    };
    let mut figures = vec![
        Figure {
            name: "Rank",
            value: row
                .place
                .map_or_else(|| "not ranked".to_owned(), |p| format::range(p.low, p.high)),
            detail: match row.place {
                Some(place) if place.low < place.high => "all places it may hold at 95%".to_owned(),
                Some(_) => "told apart from every other at 95%".to_owned(),
                None => "needs a held-out score".to_owned(),
            },
            word: "",
        },
        Figure {
            name: "Held-out",
            value: row.held_out.map_or_else(|| "pending".to_owned(), rate),
            detail: row.held_out.map_or_else(|| "scored in a gated run".to_owned(), of),
            word: "",
        },
        Figure { name: "Public", value: rate(row.public), detail: of(row.public), word: "" },
        Figure {
            name: "Gap",
            value: row.gap.map_or_else(
                || format::NONE.to_owned(),
                |gap| format!("{} pp", format::points(gap)),
            ),
            detail: row.gap_interval.map_or_else(
                || "public minus held-out".to_owned(),
                |gap| format!("95% interval {}", format::points_interval(gap)),
            ),
            word: if row.is_overfit() { "overfit" } else { "" },
        },
    ];
    if row.compared.baseline.is_some() {
        let (value, detail) = delta_words(row);
        figures.push(Figure { name: "Δ vs baseline", value, detail, word: "" });
    }
    if let Some(tokens) = row.tokens_per_solved {
        figures.push(Figure {
            name: "Tokens per pass",
            value: format::amount(tokens),
            detail: row.cost_per_solved.map_or_else(
                || "generation only, judge apart".to_owned(),
                |cost| format!("{} per pass at list price", format::money(cost)),
            ),
            word: "",
        });
    }
    figures
}

fn tiers(facts: &Facts<'_>, row: &RowFacts<'_>) -> Vec<Tier> {
    let none = || format::NONE.to_owned();
    facts
        .tiers
        .iter()
        .map(|tier| {
            let counts = row.public_tier(tier);
            let held_out = held_out_tier(facts, row, tier);
            Tier {
                name: format::clean(tier),
                public: row
                    .row
                    .public
                    .by_tier
                    .get(tier)
                    .copied()
                    .map_or_else(none, format::percent),
                public_count: counts.map_or_else(none, fraction),
                public_interval: counts
                    .and_then(|(passed, total)| wilson(passed, total))
                    .map_or_else(none, format::interval),
                held_out: held_out.map_or_else(none, |(rate, _)| format::percent(rate)),
                held_out_interval: held_out
                    .and_then(|(_, interval)| interval)
                    .map_or_else(none, format::interval),
            }
        })
        .collect()
}

fn tier_note(facts: &Facts<'_>, row: &RowFacts<'_>) -> String {
    let mut notes = Vec::new();
    if row.held_out.is_some() && facts.held_out_tiers.is_none() {
        notes.push("Held-out tiers are not shown: they could be too small to hide single prompts.");
    }
    if row.state != State::Replayed {
        notes.push("Without the bundle the number of prompts in each tier is not known here.");
    }
    notes.join(" ")
}

fn repair(row: &RowFacts<'_>) -> Option<Repair> {
    let (value, counts) = lift(row)?;
    let agreement = &row.row.close_the_loop.as_ref()?.dry_run_agreement;
    let agreement = agreement
        .iter()
        .map(|(tier, rate)| {
            let counts = row.lift.and_then(|lift| lift.agreement.get(tier));
            let value = match (rate, counts) {
                (None, _) => "no first draft passes on paper".to_owned(),
                (Some(_), Some((agree, of))) => format!("{agree} of {of}"),
                (Some(rate), None) => format::percent(*rate),
            };
            Term { name: format::clean(tier), value }
        })
        .collect();
    Some(Repair { value: format!("{value} pp"), counts, agreement })
}

fn usage(row: &RowFacts<'_>) -> Vec<Term> {
    let (usage, split) = (&row.row.usage, row.row.token_split());
    let named = |name: &str, value: Option<u64>| {
        value.map(|value| Term { name: name.to_owned(), value: format::grouped(value) })
    };
    [
        named("Generation calls", usage.get("generation_calls").copied()),
        named("Prompt tokens", split.map(|(input, _)| input)),
        named("Completion tokens", split.map(|(_, output)| output)),
        named("Total tokens", row.row.tokens()),
        named("Judge calls", usage.get("judge_calls").copied()),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn cost_note(row: &RowFacts<'_>) -> String {
    match (row.price, row.cost_per_solved) {
        (Some(price), Some(cost)) => format!(
            "{} per passed prompt at list prices of {} (${} in, ${} out per million tokens; {}).",
            format::money(cost),
            format::clean(&price.date),
            price.input,
            price.output,
            format::clean(&price.source)
        ),
        _ => "No dated list price is on record for this model, so no cost is given.".to_owned(),
    }
}

fn failures(row: &RowFacts<'_>) -> (Vec<Failed>, String) {
    let Some(replay) = row.replay else { return (Vec::new(), String::new()) };
    let failing: Vec<Failed> = replay
        .outcomes
        .iter()
        .filter(|outcome| !outcome.passed())
        .map(|outcome| {
            let mut why: Vec<String> = outcome.failures.iter().map(|f| format::clean(f)).collect();
            match outcome.judged {
                Some(true) => {}
                Some(false) => why.push("judge: no".to_owned()),
                None => why.push("judge: no readable vote".to_owned()),
            }
            Failed {
                id: format::clean(&outcome.id),
                tier: format::clean(&outcome.tier),
                why: format::truncate(&why.join(", "), 300),
            }
        })
        .collect();
    let label = format::count(failing.len(), "failing public prompt");
    (failing.into_iter().take(FAILURES).collect(), label)
}

fn provenance(row: &RowFacts<'_>) -> Vec<Term> {
    let run = &row.row.run;
    let term = |name: &str, value: String| Term { name: name.to_owned(), value };
    let mut terms = vec![
        term("Entry", format::clean(&row.row.id())),
        term("Kind", format::clean(&row.row.kind)),
        term("Submitted by", format::clean(&run.submitted_by)),
        term("Judge", format::clean(&run.judge_model)),
        term("Votes per prompt", run.n_votes.to_string()),
        term("Scored by version", format::clean(&run.tool_version)),
    ];
    if let Some(seed) = row.seed {
        terms.push(term("Bundle", format::clean(seed.public_bundle.as_str())));
    }
    terms
}

/// Who cannot be told from this row: in order, the rows within its range of places.
fn tied(facts: &Facts<'_>, at: usize) -> String {
    let (Some(place), Some(_)) = (facts.rows[at].place, facts.held_out_prompts) else {
        return String::new();
    };
    let others = place.high - place.low;
    if others == 0 {
        return "Told apart from every other ranked model at 95%.".to_owned();
    }
    // Outward from the row, so that a board of thousands is not sorted for each of its pages.
    let within = |other: &usize| (place.low - 1..place.high.min(facts.scored)).contains(other);
    let outward = (1..=TIED_NAMES).flat_map(|step| [at.checked_sub(step), Some(at + step)]);
    let near = outward.flatten().filter(within).take(TIED_NAMES);
    let mut names: Vec<String> =
        near.map(|other| format::truncate(&facts.rows[other].model, 60)).collect();
    if others > names.len() {
        names.push(format!("{} more", format::grouped((others - names.len()) as u64)));
    }
    format!("Not separable at 95% from {}.", format::list(&names))
}

fn neighbours(facts: &Facts<'_>, range: std::ops::Range<usize>) -> Vec<Link> {
    let rows = facts.rows.get(range.start..range.end.min(facts.rows.len())).unwrap_or_default();
    rows.iter()
        .map(|row| Link { href: format!("{}.html", row.slug), text: row.model.clone() })
        .collect()
}
