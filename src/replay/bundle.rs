//! A static bundle, replayed: each prompt's completion, structure and votes.

use std::sync::Arc;

use sha2::Digest;

use super::outcome::{Judgement, PromptOutcome, Replay, Totals};
use super::prompts;
use super::votes::{self, majority};
use crate::domain::{Code, Failure, Finding};
use crate::json::Document;
use crate::replay::PromptSet;
use crate::replay::redact::Source;
use crate::replay::score::{Grade, ScoredAnswers};

/// The three files of a static bundle.
#[derive(Debug)]
pub struct BundleFiles {
    /// The directory, as it is named to people.
    pub dir: String,
    /// Whether it belongs to the held-out set: messages then quote nothing.
    pub secret: bool,
    /// prompts.json, which most bundles of a board share
    pub prompts: Arc<Vec<u8>>,
    /// completions.json
    pub completions: Vec<u8>,
    /// judge.json
    pub judge: Vec<u8>,
}

/// The bundle in `dir` lacks one of its files.
pub fn absent_file(dir: &str, file: &str) -> Failure {
    let failure = Failure::unusable(format!("bundle `{dir}` has no `{file}`"));
    failure.code(Code::BFile).at(format!("{dir}/{file}"))
}

/// What is asked of a bundle.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// The provider; `recorded` means any known one.
    pub provider: &'a str,
    /// The model.
    pub model: &'a str,
    /// Who judged.
    pub judge_model: &'a str,
    /// Votes per prompt.
    pub n_votes: u64,
    /// Whether a short vote list is a finding rather than a note.
    pub require_votes: bool,
}

/// Replays the bundle; `common` are prompts that it probably has. A failure means it cannot be
/// read; what can be read but is wrong is in the replay's findings.
pub fn replay(
    files: &BundleFiles,
    asked: &Asked<'_>,
    common: Option<&PromptSet<'_>>,
) -> Result<Replay, Failure> {
    let read = common.filter(|set| set.is_of(&files.prompts));
    replay_parsed(files, None, asked, read)
}

/// As [`replay`], with its counts alone: a thousand bundles of outcomes are too much to hold.
pub(crate) fn replay_counts(
    files: &BundleFiles,
    asked: &Asked<'_>,
    common: Option<&PromptSet<'_>>,
) -> Result<Replay, Failure> {
    let read = common.filter(|set| set.is_of(&files.prompts));
    replay_bundle(files, None, asked, read, false)
}

/// Replays the bundle; `completions` is its completions.json if that was parsed before, and `read` its
/// prompts.json if that was read before: then `files.prompts` is not looked at.
pub fn replay_parsed(
    files: &BundleFiles,
    completions: Option<&Document<'_>>,
    asked: &Asked<'_>,
    read: Option<&PromptSet<'_>>,
) -> Result<Replay, Failure> {
    replay_bundle(files, completions, asked, read, true)
}

fn replay_bundle(
    files: &BundleFiles,
    completions: Option<&Document<'_>>,
    asked: &Asked<'_>,
    read: Option<&PromptSet<'_>>,
    with_outcomes: bool,
) -> Result<Replay, Failure> {
    let source = |name| Source::new(&files.dir, name, files.secret);
    let (prompt_file, text_file, judge_file) =
        (source("prompts.json"), source("completions.json"), source("judge.json"));
    let (document, own);
    let set = if let Some(set) = read {
        Ok(set)
    } else {
        document = prompt_file.parse(&files.prompts)?;
        own = PromptSet::read(&document, &prompt_file);
        own.as_ref().map_err(Clone::clone)
    };
    let mut answers = ScoredAnswers::new(set.as_ref().ok().copied(), &text_file, asked);
    let parsed;
    let rest = if let Some(document) = completions {
        answers.take(document);
        document
    } else {
        parsed = text_file.parse_members(&files.completions, |part| answers.take(part))?;
        &parsed
    };
    let judge_document = judge_file.parse(&files.judge)?;
    // Only now that all three are known to be JSON does it matter what they say.
    let set = set?;
    rest.root.object().map_err(|mismatch| text_file.mismatch(rest, &mismatch))?;
    answers.failure.take().map_or(Ok(()), Err)?;
    let vote_lists = votes::read(&judge_document, &judge_file, asked.model, asked.judge_model)?;
    let votes = vote_lists.of_prompts(&set.prompts);
    answers.usage_failure.take().map_or(Ok(()), Err)?;

    let matching = answers.matching();
    let (usage, unusual) = answers.usage.sum(&text_file, asked.n_votes);
    let mut findings: Vec<Finding> = unusual.into_iter().collect();
    findings.extend(set.duplicates(&prompt_file));
    findings.extend(prompts::placeholders(&set.prompts, &prompt_file));
    findings.extend(votes::coverage(
        &set.prompts,
        &votes,
        &judge_file,
        asked.n_votes,
        asked.require_votes,
    ));
    findings.extend(matching);

    let grades: Vec<Grade> =
        answers.grades.into_iter().map(|grade| grade.unwrap_or_else(Grade::missing)).collect();
    let texts = grades.iter().map(|grade| grade.text).collect();
    let results = || set.prompts.iter().zip(&votes.lists).zip(&grades);
    let totals = Totals::count(results().map(|((prompt, votes), grade)| Judgement {
        tier: prompt.tier,
        is_fine: grade.failures.is_empty(),
        judged: majority(votes.map_or(&[], Vec::as_slice)),
        votes: votes.map_or(0, Vec::len),
    }));
    let outcomes = results().filter(|_| with_outcomes).map(|((prompt, votes), grade)| {
        let votes = votes.cloned().unwrap_or_default();
        PromptOutcome {
            id: prompt.id.to_owned(),
            tier: prompt.tier.to_owned(),
            failures: grade.failures.clone(),
            judged: majority(&votes),
            votes,
        }
    });
    let outcomes = outcomes.collect();

    // The bundle's digest starts with prompts.json, so that file's own digest comes with it.
    let mut digest = set.digest.clone();
    let prompts_digest = digest.clone().finalize();
    // A board shows the counts of a held-out bundle, and never its hash.
    let sha256 = (with_outcomes || !files.secret).then(|| {
        digest.update(&files.completions);
        digest.update(&files.judge);
        hex::encode(digest.finalize())
    });
    Ok(Replay {
        totals,
        outcomes,
        usage,
        sha256: sha256.unwrap_or_default(),
        prompts_sha256: hex::encode(prompts_digest),
        texts,
        has_crlf: set.has_crlf
            || [&files.completions, &files.judge]
                .iter()
                .any(|it| memchr::memchr(b'\r', it).is_some()),
        findings,
    })
}
