//! The page of one row: the result as a sentence, its answers, its history and its evidence.

use serde::Serialize;

use super::answer::{Part, ScriptView, name, organization, script, why};
use super::baseline::{Badge, EvidenceLine, badges, standing};
use super::prompts::{tier_name, title};
use super::row::{Range, range};
use super::verify::{Report, Verify, report, verify};
use super::{Link, SiteView, Term, lift, of_all};
use crate::domain::real;
use crate::facts::{Answers, Facts, ReplayCheck, RowAnswers, RowFacts, Score, tier_rate};
use crate::site::chart::Runs;
use crate::site::format;

/// Rows of the top group that are shown beside this one.
const TOP: usize = 8;
/// Failing prompts shown at once; the others are folded.
const FAILED: usize = 5;
/// Letters of a request; the prompt's page has them all.
const REQUEST: usize = 240;

#[derive(Debug, Serialize)]
pub(in crate::site) struct EntryPage {
    title: String,
    name: String,
    organization: String,
    slug: String,
    /// What is known about the model: weights, size, release.
    about: Vec<Link>,
    sentence: String,
    flags: Vec<String>,
    figures: Vec<Figure>,
    top: Option<TopGroup>,
    tiers: Vec<Tier>,
    private_tiers: bool,
    tier_note: String,
    strip: Option<Strip>,
    failed: Option<Failed>,
    history: Vec<HistoryLine>,
    drawn: Option<Runs>,
    runs: String,
    reproduced: String,
    verify: Verify,
    evidence: Vec<Term>,
    badges: Vec<Badge>,
    standing: Vec<EvidenceLine>,
    repair: Option<Repair>,
    usage: Vec<Term>,
    cost_note: String,
    has_bundle: bool,
    /// The prompts of its bundle: those of the board, unless it has its own.
    prompts: String,
    /// Public prompts solved, as published.
    public_solved: String,
    pickable: bool,
    citation: String,
    report: Report,
}

#[derive(Debug, Serialize)]
struct Figure {
    label: &'static str,
    value: String,
    detail: String,
    /// `no` for what a reader must not miss.
    tone: &'static str,
}

/// The row among the top group.
#[derive(Debug, Serialize)]
struct TopGroup {
    rows: Vec<TopRow>,
    note: String,
}

#[derive(Debug, Serialize)]
struct TopRow {
    place: String,
    name: String,
    slug: String,
    score: String,
    range: Range,
    /// `top` or nothing, for the color of the bar.
    class: &'static str,
    own: bool,
}

#[derive(Debug, Serialize)]
struct Tier {
    name: String,
    /// `18 of 20`, or the rate where the counts are not known.
    solved: String,
    range: Range,
    private: String,
}

/// Every prompt as a cell.
#[derive(Debug, Serialize)]
pub(super) struct Strip {
    heading: String,
    tiers: Vec<StripTier>,
}

#[derive(Debug, Serialize)]
struct StripTier {
    name: String,
    solved: String,
    cells: Vec<Cell>,
}

#[derive(Debug, Serialize)]
struct Cell {
    slug: String,
    title: String,
    solved: bool,
}

/// The answers that failed, first those to prompts that most others solve.
#[derive(Debug, Serialize)]
pub(super) struct Failed {
    heading: String,
    first: Vec<FailedAnswer>,
    more: Vec<FailedAnswer>,
    more_label: String,
}

#[derive(Debug, Serialize)]
struct FailedAnswer {
    slug: String,
    title: String,
    tier: String,
    why: Vec<Part>,
    request: String,
    solved_by: String,
    script: ScriptView,
}

#[derive(Debug, Serialize)]
struct Repair {
    value: String,
    counts: String,
    agreement: Vec<Term>,
}

/// What is known of a row over time.
#[derive(Debug, Default)]
pub(in crate::site) struct RowHistory {
    /// The row on each board, newest first.
    pub(in crate::site) lines: Vec<HistoryLine>,
    /// Its scores, drawn.
    pub(in crate::site) drawn: Option<Runs>,
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
    pub(in crate::site) place: String,
}

/// The page of the row at `at`.
pub(in crate::site) fn entry_page(
    site: &SiteView,
    facts: &Facts<'_>,
    answers: &Answers<'_>,
    at: usize,
    history: RowHistory,
) -> EntryPage {
    let row = &facts.rows[at];
    let answered = answers.row(at);
    EntryPage {
        title: format::truncate(&row.name, 36),
        name: row.name.clone(),
        organization: organization(row),
        slug: row.slug.clone(),
        about: about(row),
        sentence: sentence(row),
        flags: row.flags.iter().map(|flag| flag.sentence.clone()).collect(),
        figures: figures(row),
        top: top_group(facts, row),
        tiers: tiers(facts, row),
        private_tiers: facts.held_out_tiers.is_some() && row.held_out.is_some(),
        tier_note: tier_note(facts, row),
        strip: answered.map(|answered| strip(answers, answered)),
        failed: answered.and_then(|answered| failed(answers, answered)),
        history: history.lines,
        drawn: history.drawn,
        runs: history.runs,
        reproduced: match row.state {
            ReplayCheck::Match => {
                format!("public score reproduced from the committed answers on {}", site.date)
            }
            ReplayCheck::Mismatch => {
                "the bundle in the repository does not give this row".to_owned()
            }
            ReplayCheck::NotRun => "the bundle was not at hand when this page was made".to_owned(),
        },
        verify: verify(site, row),
        evidence: evidence(row),
        badges: badges(row),
        standing: standing(row, facts.cohort(row)),
        repair: repair(row),
        usage: usage(row),
        cost_note: cost_note(row),
        has_bundle: answered.is_some(),
        prompts: match answered {
            Some(answered) if **answered.files.prompts != *answers.prompts_json => {
                format!("bundles/{}/prompts.json", row.slug)
            }
            _ => "prompts.json".to_owned(),
        },
        public_solved: of_all(row.public.counts()),
        pickable: facts.rows.len() > 1,
        citation: site.cite(
            "row",
            &format!("{} on {}", row.row.model, site.title),
            &format!("Row {}. ", format::bibtex(&row.row.id())),
        ),
        report: report(site, row),
    }
}

fn about(row: &RowFacts<'_>) -> Vec<Link> {
    let plain = |text: String| Link { href: String::new(), text };
    let mut all = vec![plain(row.organization.clone())];
    let Some(about) = row.about else { return all };
    all.extend(about.weights.map(|weights| plain(format!("{} weights", weights.as_str()))));
    all.extend(
        about
            .parameters
            .as_deref()
            .map(|text| plain(format!("{} parameters", format::clean(text)))),
    );
    all.extend(
        about.released.as_deref().map(|day| plain(format!("released {}", format::date(day)))),
    );
    let url = about.url.as_deref().and_then(format::address);
    all.extend(url.map(|url| Link { href: url.to_owned(), text: "model card ↗".to_owned() }));
    all
}

/// The result as a sentence: place, counts, range, cost.
fn sentence(row: &RowFacts<'_>) -> String {
    let solved = |score: Score, set: &str| {
        let (passed, total) = score.counts();
        let interval = score.interval.map(|it| format!(", {}", format::interval(it)));
        let share = format::whole_percent(score);
        format!(
            "{passed} of {total} {set} prompts solved ({share}{})",
            interval.unwrap_or_default()
        )
    };
    let cost =
        row.cost_per_solved.map(|cost| format!(" {} per solved prompt.", format::money(cost)));
    let cost = cost.unwrap_or_default();
    let (Some(score), Some(standing)) = (row.held_out, row.standing) else {
        return format!(
            "Public, not ranked: {}. The private test is pending.{cost}",
            solved(row.public, "public")
        );
    };
    let place = match (standing.ranked, standing.is_top) {
        (1, _) => "The only model scored".to_owned(),
        (ranked, true) => {
            format!("{} of {ranked}, in the top group", format::ordinal(standing.place))
        }
        (ranked, false) => {
            format!("{} of {ranked}, significantly behind #1", format::ordinal(standing.place))
        }
    };
    format!("{place}: {}.{cost}", solved(score, "private"))
}

fn figures(row: &RowFacts<'_>) -> Vec<Figure> {
    let figure = |label, value, detail| Figure { label, value, detail, tone: "" };
    let interval = |score: Score| {
        score.interval.map_or_else(String::new, |it| format!("95% range {}", format::interval(it)))
    };
    let none = || format::NONE.to_owned();
    let score = match row.held_out {
        Some(score) => figure("Score, private", format::whole_percent(score), interval(score)),
        None => figure(
            "Score, public",
            format::whole_percent(row.public),
            format!("{}, not ranked", interval(row.public)),
        ),
    };
    let cost = figure(
        "Cost per solved",
        row.cost_per_solved.map_or_else(none, format::money),
        match row.price {
            Some(price) if row.cost_per_solved.is_some() => {
                format!("prices of {}", format::date(&price.date))
            }
            Some(_) => "input and output tokens are not counted separately".to_owned(),
            None => "no price is known".to_owned(),
        },
    );
    let tokens = figure(
        "Tokens per solved",
        row.tokens_per_solved.map_or_else(none, format::amount),
        row.row.tokens().map_or_else(
            || "no usage was recorded".to_owned(),
            |tokens| {
                let prompts = format::grouped(row.public.total);
                format!("{} for {prompts} prompts", format::amount(real(tokens)))
            },
        ),
    );
    let gap = match (row.gap, row.gap_interval) {
        (Some(gap), Some(interval)) => Figure {
            label: "Public − private",
            value: format!("{} points", format::signed(gap.value() * 100.0, 0)),
            detail: format!(
                "{}: {}",
                format::points_interval(interval),
                if row.is_overfit() { "likely overfit" } else { "no sign of overfitting" }
            ),
            tone: if row.is_overfit() { "no" } else { "" },
        },
        _ => figure("Private test", "pending".to_owned(), "scored in a gated run".to_owned()),
    };
    vec![score, cost, tokens, gap]
}

/// The ranges of the top group with this row among or below them; nothing for a row without rank.
fn top_group(facts: &Facts<'_>, row: &RowFacts<'_>) -> Option<TopGroup> {
    let standing = row.standing.filter(|standing| standing.ranked > 1)?;
    let group = facts
        .rank_groups
        .iter()
        .find(|group| group.rows.iter().any(|at| facts.rows[*at].slug == row.slug))?;
    let rows = || group.ranked().iter().map(|at| &facts.rows[*at]);
    let is_own = |other: &RowFacts<'_>| other.slug == row.slug;
    let all = rows().filter(|row| row.is_top()).count();
    let mut shown: Vec<&RowFacts<'_>> = rows().filter(|row| row.is_top()).take(TOP).collect();
    if !shown.iter().any(|other| is_own(other)) {
        shown.truncate(TOP - 1);
        shown.push(row);
    }
    let hidden = all - shown.iter().filter(|row| row.is_top()).count();
    let more = match hidden {
        0 => String::new(),
        hidden => format!("{hidden} more in the top group. "),
    };
    let place = row.place.map(|place| {
        let range = format::range(place.low, place.high);
        format!("Place {range} of {} when all pairs are compared at once.", standing.ranked)
    });
    let line = |other: &&RowFacts<'_>| {
        let standing = other.standing?;
        let score = other.held_out?;
        Some(TopRow {
            place: standing.place.to_string(),
            name: name(other),
            slug: other.slug.clone(),
            score: format::whole_percent(score),
            range: range(score),
            class: if standing.is_top { "top" } else { "" },
            own: is_own(other),
        })
    };
    let rows = shown.iter().filter_map(line).collect();
    Some(TopGroup { rows, note: format!("{more}{}", place.unwrap_or_default()) })
}

fn tiers(facts: &Facts<'_>, row: &RowFacts<'_>) -> Vec<Tier> {
    let tier = |tier: &String| {
        let score = row.public_tier(tier);
        let private = held_out_tier(facts, row, tier).map(|score| {
            let interval = score.interval.map(|it| format!(", {}", format::interval(it)));
            format!("{}{}", format::percent(score.rate), interval.unwrap_or_default())
        });
        let rate = tier_rate(&row.row.public, tier);
        Tier {
            name: tier_name(tier),
            solved: match (score.map(Score::counts), rate) {
                (Some((passed, total)), _) => format!("{passed} of {total}"),
                (None, Some(rate)) => format::percent(rate),
                (None, None) => format::NONE.to_owned(),
            },
            range: score.map(range).unwrap_or_default(),
            private: private.unwrap_or_default(),
        }
    };
    facts.tiers.iter().map(tier).collect()
}

/// The score of a held-out tier, if it may be shown.
fn held_out_tier(facts: &Facts<'_>, row: &RowFacts<'_>, tier: &str) -> Option<Score> {
    let size = *facts.held_out_tiers.as_ref()?.get(tier)?;
    Some(Score::from_rate(tier_rate(row.row.held_out.cell()?, tier)?, size))
}

fn tier_note(facts: &Facts<'_>, row: &RowFacts<'_>) -> String {
    let mut notes = Vec::new();
    if row.held_out.is_some() && facts.held_out_tiers.is_none() {
        notes.push(
            "Private prompts are not split by tier: the parts would be too small to stay private.",
        );
    }
    if row.state != ReplayCheck::Match {
        notes.push("Without the bundle the number of prompts in each tier is not known here.");
    }
    notes.join(" ")
}

/// Every prompt as a cell: tiers from easy to hard, the easiest prompt first in each.
pub(super) fn strip(answers: &Answers<'_>, answered: &RowAnswers<'_>) -> Strip {
    let counts = |(solved, total): (u64, u64)| format!("{solved} of {total}");
    let tiers = answers.tiers().into_iter().rev().map(|(tier, range)| StripTier {
        name: tier_name(tier),
        solved: counts(answered.counts(range.clone())),
        cells: range
            .rev()
            .map(|at| Cell {
                slug: answers.prompts[at].slug.clone(),
                title: title(&answers.prompts[at]),
                solved: answered.answers[at].passed,
            })
            .collect(),
    });
    let tiers = tiers.collect();
    let all = counts(answered.counts(0..answers.prompts.len()));
    Strip { heading: format!("{all} public prompts solved"), tiers }
}

pub(super) fn failed(answers: &Answers<'_>, answered: &RowAnswers<'_>) -> Option<Failed> {
    let models = answers.rows().count();
    let mut failing: Vec<usize> =
        (0..answers.prompts.len()).filter(|at| !answered.answers[*at].passed).collect();
    // Those that most others solve surprise most.
    failing.sort_by_key(|at| std::cmp::Reverse(answers.prompts[*at].solved));
    if failing.is_empty() {
        return None;
    }
    let scripts = answers.scripts(answered);
    let line = |at: &usize| {
        let prompt = &answers.prompts[*at];
        FailedAnswer {
            slug: prompt.slug.clone(),
            title: title(prompt),
            tier: format::clean(&prompt.text.tier),
            why: why(&answered.answers[*at]),
            request: format::truncate(&format::clean(&prompt.text.request), REQUEST),
            solved_by: if models > 1 {
                format!("{} of {models}", prompt.solved)
            } else {
                String::new()
            },
            script: script(&scripts[*at]),
        }
    };
    let shown = failing.len().min(FAILED);
    Some(Failed {
        heading: match failing.len() {
            1 => "1 answer that failed, and why".to_owned(),
            count => format!("{count} answers that failed, and why"),
        },
        first: failing[..shown].iter().map(line).collect(),
        more: failing[shown..].iter().map(line).collect(),
        more_label: format!("{} more failing prompts", failing.len() - shown),
    })
}

fn evidence(row: &RowFacts<'_>) -> Vec<Term> {
    let run = &row.row.run;
    let term = |name: &str, value: String| Term { name: name.to_owned(), value };
    let (passed, total) = row.public.counts();
    let bundle = row.seed.map(|seed| format::clean(seed.public_bundle.as_str()));
    let public = match (row.state, bundle) {
        (ReplayCheck::Match, Some(bundle)) => {
            format!("{passed} of {total}, replayed from {bundle}/")
        }
        (ReplayCheck::Mismatch, _) => {
            format!("{passed} of {total} as published; the bundle gives another result")
        }
        _ => format!("{passed} of {total} as published; the bundle is not at hand"),
    };
    let private = row.held_out.map_or_else(
        || "pending".to_owned(),
        |score| {
            let (passed, total) = score.counts();
            format!("{passed} of {total}, scored in a gated run; only maintainers can replay it")
        },
    );
    let judge = format::clean(&run.judge_model);
    let recorded = row.run_file.and_then(|run| run.recorded_at.as_ref());
    let recorded =
        recorded.map(|at| term("Recorded", format!("{}, by run.json", format::date(at))));
    let mut terms = vec![
        term("Entry", format::clean(&row.row.id())),
        term("Public", public),
        term("Private", private),
        term(
            "Judge",
            format!(
                "{judge}, {} per prompt",
                format::count(usize::try_from(run.n_votes).unwrap_or(0), "vote")
            ),
        ),
        term("Kind", format::clean(&row.row.kind)),
        term("Submitted by", format::clean(&run.submitted_by)),
        term("Scored by version", format::clean(&run.tool_version)),
    ];
    terms.extend(recorded);
    terms
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
            Term { name: format!("Dry run agrees, {}", format::clean(tier)), value }
        })
        .collect();
    Some(Repair { value: format!("{value} points"), counts, agreement })
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
        (Some(price), Some(_)) => format!(
            "List prices of {}: ${} for a million input tokens, ${} for a million output tokens ({}). The judge is not counted.",
            format::date(&price.date),
            price.input,
            price.output,
            format::clean(&price.source)
        ),
        _ => "No dated list price is on record for this model, so no cost is given.".to_owned(),
    }
}
