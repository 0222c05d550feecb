//! Facts derived from board, config and replays: counts, intervals, places, flags with their texts.

mod answers;
mod baseline;
mod baseline_error;
mod baseline_wire;
mod board_comparison;
mod board_runs;
pub mod board_table;
mod cohort_id;
mod cohorts;
mod copies;
mod expense;
mod grade;
mod names;
mod order;
mod pack_baseline;
mod pack_run;
mod packs;
mod replays;
mod run_changes;
mod series;
mod tokens;
mod top_group;
mod trends;
mod weekly;

pub(crate) use crate::table::significance::Score;
pub(crate) use answers::{
    Answers, Cause, Marked, PromptFacts, PublicAnswer, RowAnswers, first_part,
};
pub use baseline::{
    Baseline, BaselineComparison, BaselineSource, Compared, PackView, RowComparison, RunToCompare,
    compare, moved_deltas,
};
pub use baseline_error::{BaselineError, baseline_failure};
pub use board_comparison::board_comparison;
pub use board_runs::{
    BOARD_PACK, BundleFacts, board_line, board_runs, bundle_facts, public_set, row_traits,
};
pub(crate) use board_table::{
    BaselineStandings, PublicOutcome, add_board, public_against_held_out,
};
pub use cohort_id::{ScoringConditions, cohort_id, cohort_key, differing};
pub(crate) use cohorts::{Cohort, Reference};
pub(crate) use expense::{Expense, frontier};
pub use grade::{Evidence, Grade, HASH_FIELDS, Mode, Proofs, ReplayCheck, grade};
pub use order::RankRange;
pub use pack_baseline::{
    AllCompared, baseline_findings, compare_all, pack_comparison, pack_dimensions,
};
pub use pack_run::{RunTerms, RunTime, as_recorded, pack_run};
pub(crate) use packs::{PackFacts, PackRunFacts, TaskFacts};
pub use replays::{Replays, RowReplay};
pub(crate) use run_changes::{Earlier, FlagChange, RunChange, is_significant};
pub(crate) use series::{Point, Segment, counted_score, monday, week_named};
pub(crate) use top_group::{RankGroup, Standing, pair_test, places};
pub(crate) use trends::{LedgerTrends, ModelSeries, WINDOW};
pub use weekly::{ModelReport, WeekReport, week_reports};

use std::collections::{BTreeMap, BTreeSet};

use crate::board::{self, Board, Cell, Row};
use crate::domain::config::{About, Config, Price, Scalar, Seed};
use crate::domain::{Gap, Rate, clean, slug};
use crate::facts::cohorts::{Comparisons, Member, cohorts};
use crate::facts::packs::packs;
use crate::ledger::History;
use crate::replay::{LiftCounts, Replay, RunFile};
use crate::table::significance::{Interval, newcombe};

/// Fewer prompts than this say nothing about one model.
pub(crate) const TOO_FEW: u64 = 10;

impl Score {
    pub(crate) fn from_cell(cell: &Cell) -> Self {
        Self::from_rate(cell.pass_rate, cell.n_prompts)
    }
}

/// Something a reader must see beside a row.
#[derive(Debug, Clone)]
pub(crate) struct Flag {
    /// Two or three words for the table.
    pub(crate) word: &'static str,
    /// The whole sentence.
    pub(crate) sentence: String,
}

/// Everything known of one row.
#[derive(Debug)]
pub(crate) struct RowFacts<'a> {
    pub(crate) row: &'a Row,
    pub(crate) seed: Option<&'a Seed>,
    pub(crate) replay: Option<&'a Replay>,
    pub(crate) lift: Option<&'a LiftCounts>,
    /// How it was recorded, where that is known.
    pub(crate) run_file: Option<&'a RunFile>,
    pub(crate) slug: String,
    /// The model, harmless to show.
    pub(crate) model: String,
    /// The provider, harmless to show.
    pub(crate) provider: String,
    /// What pages call the model: unique on the board, harmless to show.
    pub(crate) name: String,
    /// Who made it, harmless to show; see [`Self::organization_shown`].
    pub(crate) organization: String,
    pub(crate) about: Option<&'a About>,
    pub(crate) public: Score,
    pub(crate) held_out: Option<Score>,
    pub(crate) gap: Option<Gap>,
    pub(crate) gap_interval: Option<Interval>,
    /// The places it may hold among the rows it is ranked with.
    pub(crate) place: Option<RankRange>,
    /// Its place and group; absent until it is scored.
    pub(crate) standing: Option<Standing>,
    /// Whether the committed bundle gives what the row says.
    pub(crate) state: ReplayCheck,
    pub(crate) flags: Vec<Flag>,
    /// How often its held-out bundle was scored under this protocol version; 0 where the ledger
    /// does not say.
    pub(crate) attempts: u64,
    pub(crate) tokens_per_solved: Option<f64>,
    pub(crate) price: Option<&'a Price>,
    /// In US dollars.
    pub(crate) cost_per_solved: Option<f64>,
    /// The row within its cohort.
    pub(crate) compared: Compared,
}

impl RowFacts<'_> {
    /// The word may be used only when the interval of the gap lies above zero.
    pub(crate) fn is_overfit(&self) -> bool {
        self.gap_interval.is_some_and(|interval| interval.low > 0.0)
    }

    /// Whether the judge is the model that is judged.
    pub(crate) fn is_self_judged(&self) -> bool {
        is_self_judged(self.row)
    }

    /// Whether it is in the top group of the rows it is ranked with.
    pub(crate) fn is_top(&self) -> bool {
        self.standing.is_some_and(|standing| standing.is_top)
    }

    /// The organization to show beside the name; `None` if the name starts with it.
    pub(crate) fn organization_shown(&self) -> Option<&str> {
        let (name, organization) = (self.name.to_lowercase(), self.organization.to_lowercase());
        let rest = name.strip_prefix(&organization);
        let repeats = rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        Some(&*self.organization).filter(|_| !repeats)
    }

    /// The words of its flags, each once.
    pub(crate) fn flag_words(&self) -> Vec<&'static str> {
        let mut words: Vec<&'static str> = self.flags.iter().map(|flag| flag.word).collect();
        words.dedup();
        words
    }

    /// The score of a public tier, where the bundle is here.
    pub(crate) fn public_tier(&self, tier: &str) -> Option<Score> {
        let replay = self.replay.filter(|_| self.state == ReplayCheck::Match)?;
        let (passed, total) = *replay.tier_counts().get(tier)?;
        Some(Score::from_counts(passed as u64, total as u64))
    }
}

/// Everything known of a board.
#[derive(Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) board: &'a Board,
    pub(crate) rows: Vec<RowFacts<'a>>,
    /// How many rows are ranked; they come first.
    pub(crate) scored: usize,
    /// The rows by what they are ranked with, the largest group first.
    pub(crate) rank_groups: Vec<RankGroup>,
    /// Public tiers: easy, medium, hard, then the others by name.
    pub(crate) tiers: Vec<String>,
    /// Sizes of the held-out tiers, if published and none too small to show.
    pub(crate) held_out_tiers: Option<&'a BTreeMap<String, u64>>,
    /// The one number of public prompts of all rows, if it is one.
    pub(crate) public_prompts: Option<u64>,
    /// The one number of held-out prompts of all ranked rows, if it is one.
    pub(crate) held_out_prompts: Option<u64>,
    /// The rows by what they may be compared with; each cohort has a table of its own.
    pub(crate) cohorts: Vec<Cohort>,
    /// The one baseline of the whole board.
    pub(crate) baseline: Option<Baseline>,
    /// Results of other programs that were recorded.
    pub(crate) packs: Vec<PackFacts<'a>>,
}

impl<'a> Facts<'a> {
    pub(crate) fn derive(
        board: &'a Board,
        config: &'a Config,
        evidence: &'a Replays<'a>,
        history: &'a History,
    ) -> Result<Self, Vec<BaselineError>> {
        let mut comparisons = Comparisons::compare(board, config, evidence, history)?;
        let seeds: BTreeMap<String, &Seed> =
            config.seeds.iter().map(|seed| (seed.id(), seed)).collect();
        let mut slugs: BTreeMap<String, usize> = BTreeMap::new();
        let mut rows: Vec<RowFacts<'a>> = Vec::with_capacity(board.entries.len());
        for (at, row) in board.entries.iter().enumerate() {
            let known = evidence.rows.get(at);
            let replay = known.and_then(|known| known.public);
            let mut slug = slug(&row.provider, &row.model);
            let uses = slugs.entry(slug.clone()).or_default();
            *uses += 1;
            if *uses > 1 {
                slug = format!("{slug}-{uses}");
            }
            let id = row.id();
            let public = Score::from_cell(&row.public);
            let held_out = row.held_out.cell().map(Score::from_cell);
            let price = config.prices.get(&id);
            let seed = seeds.get(&id).copied();
            let about = seed.and_then(|seed| seed.about.as_ref());
            let (name, organization) = names::names(row, about);
            let protocol = &board.eval_protocol_version;
            let last = history.last_attempt(protocol, &row.provider, &row.model);
            let attempts = last.map_or(0, |line| line.attempt);
            rows.push(RowFacts {
                row,
                seed,
                replay,
                lift: known.and_then(|known| known.lift.as_ref()),
                run_file: known.and_then(|known| known.run),
                slug,
                model: clean(&row.model),
                provider: clean(&row.provider),
                name,
                organization,
                about,
                public,
                held_out,
                gap: row.overfit_gap,
                gap_interval: held_out
                    .and_then(|held_out| newcombe(public.counts(), held_out.counts())),
                place: None,
                standing: None,
                state: ReplayCheck::between(row, replay),
                flags: flags(row, seed, replay, attempts),
                attempts,
                tokens_per_solved: row.tokens_per_solved(),
                price,
                compared: comparisons.take(&id),
                cost_per_solved: price.and_then(|price| row.cost_per_solved(price)),
            });
        }
        copies::flag(&mut rows);
        names::tell_apart(&mut rows);
        // A board that verify refuses may be out of order or hold a pending row above a ranked
        // one; a page never does.
        rows.sort_by(|a, b| {
            let rate = |row: &RowFacts<'_>| row.held_out.map(|score| score.rate);
            rate(b).cmp(&rate(a)).then_with(|| a.row.model.cmp(&b.row.model))
        });
        let counts: Vec<(u64, u64)> =
            rows.iter().filter_map(|row| row.held_out.map(Score::counts)).collect();
        let scored = counts.len();
        let rank_groups = top_group::rank(&mut rows);
        let (tiers, held_out_tiers) = (tiers(board), held_out_tiers(board));
        let public_prompts = same(rows.iter().map(|row| row.public.total));
        let held_out_prompts = same(counts.iter().map(|(_, total)| *total));
        let baseline = comparisons.board.take();
        let members = rows.iter().map(|row| Member {
            compared: &row.compared,
            name: &row.model,
            slug: &row.slug,
        });
        let traits = |at: usize| {
            let row: &RowFacts<'_> = &rows[at];
            let prompts = row.replay.map(|replay| replay.prompts_sha256.as_str());
            let prompts = prompts.or(comparisons.public_set.as_deref());
            let protocol = row.run_file.and_then(|run| run.protocol_sha256.as_deref());
            row_traits(board, row.row, (prompts, protocol), config)
        };
        let cohorts = cohorts(members, traits, &config.board_dimensions(), baseline.as_ref());
        let packs = packs(config, history, &comparisons.names)?;
        Ok(Self {
            board,
            rows,
            scored,
            rank_groups,
            tiers,
            held_out_tiers,
            public_prompts,
            held_out_prompts,
            cohorts,
            baseline,
            packs,
        })
    }

    /// How many rows are made up to show how a board works: illustrative ones, and whatever their
    /// provider has beside them, because the example board shows other kinds too.
    pub(crate) fn made_up(&self) -> usize {
        let is_marked = |row: &&RowFacts<'_>| row.row.kind == "illustrative";
        let providers: BTreeSet<&str> =
            self.rows.iter().filter(is_marked).map(|row| row.provider.as_str()).collect();
        self.rows.iter().filter(|row| providers.contains(&*row.provider)).count()
    }

    /// Whether any row has a baseline to be compared with; without one no page speaks of Δ.
    pub(crate) fn has_baseline(&self) -> bool {
        self.cohorts.iter().any(|cohort| cohort.reference.is_some())
    }

    /// The cohort that `row` is in.
    pub(crate) fn cohort(&self, row: &RowFacts<'_>) -> Option<&Cohort> {
        self.cohorts.iter().find(|cohort| cohort.id == row.compared.cohort_id)
    }

    /// The ranked rows.
    pub(crate) fn ranked(&self) -> &[RowFacts<'a>] {
        &self.rows[..self.scored]
    }
}

fn same(mut numbers: impl Iterator<Item = u64>) -> Option<u64> {
    let first = numbers.next()?;
    numbers.all(|number| number == first).then_some(first)
}

fn is_self_judged(row: &Row) -> bool {
    row.model == row.run.judge_model
}

fn flags(row: &Row, seed: Option<&Seed>, replay: Option<&Replay>, attempts: u64) -> Vec<Flag> {
    let mut flags = Vec::new();
    let mut flag = |word, sentence: String| flags.push(Flag { word, sentence });
    if row.kind == "illustrative" {
        flag(
            "illustrative",
            "Illustrative: written to show how a board works; not the recorded output of any model.".to_owned(),
        );
    }
    if Seed::is_self_recorded(&row.kind, seed) {
        flag(
            "self-recorded",
            "Self-recorded: answers and votes come from the entrant; the maintainers have not judged them again."
                .to_owned(),
        );
    }
    if is_self_judged(row) {
        flag(
            "judged by itself",
            "Judged by itself: the judge is the model that is judged.".to_owned(),
        );
    }
    let claimed = row.run.n_votes;
    let fewest = replay.and_then(|replay| replay.totals.fewest_votes).map(|votes| votes as u64);
    if let Some(fewest) = fewest.filter(|fewest| *fewest < claimed) {
        flag(
            "votes missing",
            format!(
                "Votes missing: the bundle records as few as {fewest} of {claimed} votes on a prompt."
            ),
        );
    }
    if attempts > 1 {
        flag(
            "several attempts",
            format!(
                "Several attempts: the private test was scored {attempts} times; the last score is shown."
            ),
        );
    }
    flags
}

fn tiers(board: &Board) -> Vec<String> {
    let mut names: Vec<&String> =
        board.entries.iter().flat_map(|row| row.public.by_tier.keys()).collect();
    names.sort();
    names.dedup();
    names.sort_by_key(|name| board::tier_position(name));
    names.into_iter().cloned().collect()
}

/// The sizes of the held-out tiers, where tiers may be shown: the header has the size of every tier,
/// and none is small.
fn held_out_tiers(board: &Board) -> Option<&BTreeMap<String, u64>> {
    let Some(Scalar::Counts(sizes)) = board.held_out_set.get("tiers") else { return None };
    let cells = board.entries.iter().filter_map(|row| row.held_out.cell());
    let mut tiers = cells.flat_map(|cell| cell.by_tier.keys());
    let is_large = sizes.values().all(|size| *size >= board::SMALL_TIER);
    (is_large && tiers.all(|tier| sizes.contains_key(tier))).then_some(sizes)
}

/// The rate of a tier in `cell`.
pub(crate) fn tier_rate(cell: &Cell, tier: &str) -> Option<Rate> {
    cell.by_tier.get(tier).copied()
}

#[cfg(test)]
mod tests;
