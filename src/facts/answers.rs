//! The public answers: who solves which prompt, and why not.
//!
//! Derived for pages only. A board's numbers come from the replays alone.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::board;
use crate::domain::slug_of;
use crate::facts::{Facts, ReplayCheck, Replays};
use crate::replay::{
    Asked, BundleFiles, LiftFiles, PromptOutcome, PromptText, Reason, Replay, Votes, prompt_texts,
    reasons, scripts,
};

/// Reasons kept of one answer; the script shows all of them.
const REASONS: usize = 3;

/// The answers of all rows to the public prompts.
#[derive(Debug, Default)]
pub(crate) struct Answers<'a> {
    /// Hard tiers first; in each tier the prompt that fewest rows solve comes first.
    pub(crate) prompts: Vec<PromptFacts>,
    /// The bytes of prompts.json; empty where no bundle is at hand.
    pub(crate) prompts_json: &'a [u8],
    /// In the order of [`Facts::rows`].
    rows: Vec<Option<RowAnswers<'a>>>,
    /// The texts of `prompts`, in their order.
    texts: Vec<PromptText>,
}

/// A prompt and how many rows solve it.
#[derive(Debug)]
pub(crate) struct PromptFacts {
    pub(crate) text: PromptText,
    /// The file name of its page.
    pub(crate) slug: String,
    /// The set's title, or the id turned into words.
    pub(crate) title: String,
    pub(crate) solved: usize,
    /// Why rows fail it, and how many for each cause.
    pub(crate) causes: BTreeMap<Cause, usize>,
}

/// Why an answer fails.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Cause {
    /// The judge says no.
    Judge,
    /// A message without the list of the values that are allowed, which is the same for all.
    Error(String),
}

impl Cause {
    fn from_reason(reason: &Reason) -> Self {
        match reason.rule.as_str() {
            "votes" => Self::Judge,
            _ => Self::Error(first_part(&reason.message).to_owned()),
        }
    }
}

/// A message without the list of the values that are allowed.
pub(crate) fn first_part(message: &str) -> &str {
    message.split(", which takes ").next().unwrap_or(message)
}

/// What one row answered, in the order of [`Answers::prompts`].
#[derive(Debug)]
pub(crate) struct RowAnswers<'a> {
    pub(crate) answers: Vec<PublicAnswer>,
    outcomes: Vec<&'a PromptOutcome>,
    /// The three files as committed.
    pub(crate) files: &'a BundleFiles,
    /// The files of its lift bundle, as committed.
    pub(crate) lift: Option<&'a LiftFiles>,
    asked: Asked<'a>,
}

/// One answer.
#[derive(Debug)]
pub(crate) struct PublicAnswer {
    pub(crate) passed: bool,
    pub(crate) votes: Votes,
    /// The first reasons why it fails: structure first, then the judge.
    pub(crate) reasons: Vec<Reason>,
    /// How many more there are.
    pub(crate) more: usize,
}

/// One script with everything that is wrong with it.
#[derive(Debug)]
pub(crate) struct Marked {
    pub(crate) script: String,
    pub(crate) reasons: Vec<Reason>,
}

impl<'a> Answers<'a> {
    /// The answers of the rows whose bundle reproduces them and has the board's public set: the
    /// pinned one, or else the one that most rows have. A withdrawn row has none. `evidence` is in the order of the board.
    pub(crate) fn derive(facts: &Facts<'a>, evidence: &Replays<'a>, pin: Option<&str>) -> Self {
        let by_id: BTreeMap<String, (&'a BundleFiles, Asked<'a>)> = facts
            .board
            .entries
            .iter()
            .zip(&evidence.rows)
            .filter_map(|(row, known)| Some((row.id(), known.files?)))
            .collect();
        let lifts: BTreeMap<String, &'a LiftFiles> = facts
            .board
            .entries
            .iter()
            .zip(&evidence.rows)
            .filter_map(|(row, known)| Some((row.id(), known.lift_files?)))
            .collect();
        let known: Vec<Option<(&'a Replay, &'a BundleFiles, Asked<'a>)>> = facts
            .rows
            .iter()
            .map(|row| {
                let replay = row.replay.filter(|_| row.state == ReplayCheck::Match)?;
                if row.seed.is_some_and(|seed| seed.withdrawn.is_some()) {
                    return None;
                }
                let (files, asked) = *by_id.get(&row.row.id())?;
                Some((replay, files, asked))
            })
            .collect();
        let mut sets: BTreeMap<&str, usize> = BTreeMap::new();
        for (replay, _, _) in known.iter().flatten() {
            *sets.entry(&replay.prompts_sha256).or_default() += 1;
        }
        let most = sets.iter().max_by_key(|(sha, rows)| (**rows, Reverse(**sha)));
        let set = pin.filter(|pin| sets.contains_key(pin)).or(most.map(|(sha, _)| *sha));
        let has_set = |replay: &Replay| set == Some(&replay.prompts_sha256);
        let first = known.iter().flatten().find(|(replay, _, _)| has_set(replay));
        let Some((_, files, _)) = first else { return Self::default() };
        let texts = prompt_texts(files);

        let outcomes = known.iter().map(|row| row.filter(|(replay, _, _)| has_set(replay)));
        let rows: Vec<Option<(&'a Replay, &'a BundleFiles, Asked<'a>)>> = outcomes.collect();
        let solved = |at: usize| {
            let passes =
                |replay: &Replay| replay.outcomes.get(at).is_some_and(PromptOutcome::passed);
            rows.iter().flatten().filter(|(replay, _, _)| passes(replay)).count()
        };
        let mut order: Vec<(usize, usize)> = (0..texts.len()).map(|at| (at, solved(at))).collect();
        order.sort_by(|&(a, a_solved), &(b, b_solved)| {
            let tier = |at: usize| tier_order(&texts[at].tier);
            tier(a).cmp(&tier(b)).then(a_solved.cmp(&b_solved)).then(a.cmp(&b))
        });
        let texts: Vec<PromptText> = order.iter().map(|(at, _)| texts[*at].clone()).collect();
        let mut causes = vec![BTreeMap::new(); texts.len()];
        let rows = rows.into_iter().zip(&facts.rows).map(|(row, known)| {
            let (replay, files, asked) = row?;
            let lift = lifts.get(&known.row.id()).copied();
            let outcomes: Option<Vec<&PromptOutcome>> =
                order.iter().map(|(at, _)| replay.outcomes.get(*at)).collect();
            Some(RowAnswers {
                lift,
                ..RowAnswers::new(outcomes?, files, asked, &texts, &mut causes)
            })
        });
        let rows = rows.collect();
        let mut slugs: BTreeMap<String, usize> = BTreeMap::new();
        let prompts = texts.iter().zip(&order).zip(causes).map(|((text, (_, solved)), causes)| {
            let mut slug = slug_of(&text.id);
            let uses = slugs.entry(slug.clone()).or_default();
            *uses += 1;
            if *uses > 1 {
                slug = format!("{slug}-{uses}");
            }
            PromptFacts {
                title: text.title.clone().unwrap_or_else(|| title_of(&text.id)),
                text: text.clone(),
                slug,
                solved: *solved,
                causes,
            }
        });
        Self { prompts: prompts.collect(), prompts_json: &files.prompts, rows, texts }
    }

    /// What the row at `at` of [`Facts::rows`] answered.
    pub(crate) fn row(&self, at: usize) -> Option<&RowAnswers<'a>> {
        self.rows.get(at)?.as_ref()
    }

    /// The rows with answers, each with its position in [`Facts::rows`].
    pub(crate) fn rows(&self) -> impl Iterator<Item = (usize, &RowAnswers<'a>)> {
        (0..self.rows.len()).filter_map(|at| Some((at, self.row(at)?)))
    }

    /// The tiers from hard to easy, each with the positions of its prompts.
    pub(crate) fn tiers(&self) -> Vec<(&str, std::ops::Range<usize>)> {
        let mut tiers: Vec<(&str, std::ops::Range<usize>)> = Vec::new();
        for (at, prompt) in self.prompts.iter().enumerate() {
            match tiers.last_mut() {
                Some((tier, range)) if *tier == prompt.text.tier => range.end = at + 1,
                _ => tiers.push((&prompt.text.tier, at..at + 1)),
            }
        }
        tiers
    }

    /// The scripts of a row with their marks, in the order of the prompts. Read from the bundle on
    /// each call, so that a thousand rows are not in memory at once.
    pub(crate) fn scripts(&self, row: &RowAnswers<'_>) -> Vec<Marked> {
        let scripts = scripts(row.files, &row.asked, &self.texts).into_iter();
        let marked = |(script, outcome): (Option<String>, &&PromptOutcome)| {
            let script = script.unwrap_or_default();
            Marked { reasons: reasons(outcome, &script), script }
        };
        scripts.zip(&row.outcomes).map(marked).collect()
    }
}

impl<'a> RowAnswers<'a> {
    fn new(
        outcomes: Vec<&'a PromptOutcome>,
        files: &'a BundleFiles,
        asked: Asked<'a>,
        texts: &[PromptText],
        causes: &mut [BTreeMap<Cause, usize>],
    ) -> Self {
        let scripts = scripts(files, &asked, texts);
        let answer = |((outcome, script), causes): ((&&PromptOutcome, _), &mut BTreeMap<_, _>)| {
            let script: Option<String> = script;
            let passed = outcome.passed();
            let mut reasons = if passed {
                Vec::new()
            } else {
                reasons(outcome, script.as_deref().unwrap_or_default())
            };
            let own: BTreeSet<Cause> = reasons.iter().map(Cause::from_reason).collect();
            for cause in own {
                *causes.entry(cause).or_default() += 1;
            }
            let more = reasons.len().saturating_sub(REASONS);
            reasons.truncate(REASONS);
            PublicAnswer { passed, votes: outcome.votes.clone(), reasons, more }
        };
        let answers = outcomes.iter().zip(scripts).zip(causes).map(answer).collect();
        Self { answers, outcomes, files, lift: None, asked }
    }

    /// Whether the row solves each prompt, in the order of [`Answers::prompts`].
    pub(crate) fn passes(&self) -> impl Iterator<Item = bool> {
        self.answers.iter().map(|answer| answer.passed)
    }

    /// Solved and total of a range of prompts, such as a tier.
    pub(crate) fn counts(&self, range: std::ops::Range<usize>) -> (u64, u64) {
        let total = range.len() as u64;
        let passes = self.passes().skip(range.start).take(range.len());
        (passes.filter(|passes| *passes).count() as u64, total)
    }
}

/// Hard, medium, easy, then the others by name.
fn tier_order(tier: &str) -> (usize, &str) {
    let position = board::tier_position(tier);
    let unusual = board::tier_position("");
    if position == unusual { (unusual, tier) } else { (unusual - 1 - position, "") }
}

/// `weather_polar_day` as `Weather polar day`.
fn title_of(id: &str) -> String {
    let text = id.replace(['_', '-'], " ");
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => id.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_run_from_hard_to_easy_and_ids_become_words() {
        let mut tiers = ["easy", "b", "hard", "a", "medium"];
        tiers.sort_by_key(|tier| (tier_order(tier).0, tier_order(tier).1.to_owned()));
        assert_eq!(tiers, ["hard", "medium", "easy", "a", "b"]);
        assert_eq!(title_of("weather_polar-day"), "Weather polar day");
        assert_eq!(title_of("_"), "_");
    }
}
