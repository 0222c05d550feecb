//! A static bundle, replayed: each prompt's completion, structure and votes.

use sha2::{Digest, Sha256};

use super::completions::{self, Completions, request_digest};
use super::outcome::{Outcome, Replay};
use super::prompts::{self, Prompt};
use super::source::Source;
use super::structural::failures;
use super::usage;
use super::votes::{self, majority};
use crate::domain::{Code, Failure, Finding};

/// The three files of a static bundle.
#[derive(Debug)]
pub struct BundleFiles {
    /// The directory, as it is named to people.
    pub dir: String,
    /// Whether it belongs to the held-out set: messages then quote nothing.
    pub secret: bool,
    /// prompts.json
    pub prompts: Vec<u8>,
    /// completions.json
    pub completions: Vec<u8>,
    /// judge.json
    pub judge: Vec<u8>,
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

/// Replays the bundle. A failure means it cannot be read; what can be read but is wrong stands in
/// the replay's findings.
pub fn replay(files: &BundleFiles, asked: &Asked<'_>) -> Result<Replay, Failure> {
    let source = |name| Source::new(&files.dir, name, files.secret);
    let (prompt_file, text_file, judge_file) =
        (source("prompts.json"), source("completions.json"), source("judge.json"));
    let prompt_document = prompt_file.parse(&files.prompts)?;
    let text_document = text_file.parse(&files.completions)?;
    let judge_document = judge_file.parse(&files.judge)?;

    let prompts = prompts::read(&prompt_document, &prompt_file)?;
    let texts = completions::read(&text_document, &text_file, asked)?;
    let votes = votes::read(&judge_document, &judge_file, asked.model, asked.judge_model)?;
    let (usage, mut findings) = usage::sum(&texts, &text_document, &text_file, asked.n_votes)?;

    let digests: Vec<[u8; 16]> =
        prompts.iter().map(|prompt| request_digest(prompt.request)).collect();
    findings.extend(prompts::duplicates(&prompts, &prompt_file));
    findings.extend(votes::coverage(
        &prompts,
        &votes,
        &judge_file,
        asked.n_votes,
        asked.require_votes,
    ));
    findings.extend(matching(&texts, &digests, &text_file, asked));

    let score = |(prompt, digest): (&Prompt<'_>, &[u8; 16])| {
        let text = texts.get(digest).map(|completion| completion.text);
        let votes = votes.get(prompt.id).cloned().unwrap_or_default();
        let outcome = Outcome {
            id: prompt.id.to_owned(),
            tier: prompt.tier.to_owned(),
            failures: text.map_or_else(
                || vec!["missing-completion".to_owned()],
                |text| failures(text, &prompt.spec),
            ),
            judged: majority(&votes),
            votes,
        };
        (outcome, fingerprint(text.unwrap_or_default()))
    };
    let (outcomes, texts) = prompts.iter().zip(&digests).map(score).unzip();

    // The bundle's digest starts with prompts.json, so that file's own digest comes with it.
    let mut digest = Sha256::new_with_prefix(&files.prompts);
    let prompts_digest = digest.clone().finalize();
    digest.update(&files.completions);
    digest.update(&files.judge);
    let all = [&files.prompts, &files.completions, &files.judge];
    Ok(Replay {
        outcomes,
        usage,
        sha256: hex::encode(digest.finalize()),
        prompts_sha256: hex::encode(prompts_digest),
        texts,
        has_crlf: all.iter().any(|bytes| memchr::memchr(b'\r', bytes).is_some()),
        findings,
    })
}

/// Every prompt has a completion of this provider and model, and every such completion a prompt.
fn matching(
    texts: &Completions<'_>,
    digests: &[[u8; 16]],
    source: &Source,
    asked: &Asked<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let name = format!("{}:{}", asked.provider, asked.model);
    let missing = digests.iter().filter(|digest| texts.get(digest).is_none()).count();
    if missing > 0 && texts.all.is_empty() && texts.of_other_provider > 0 {
        let what = format!(
            "no completion is recorded for `{name}`, but {} for the model under another provider",
            texts.of_other_provider
        );
        findings.push(source.finding(Code::BProvider, "", what, ""));
    } else if missing > 0 {
        let what = format!("{missing} of {} prompts have no completion of `{name}`", digests.len());
        findings.push(source.finding(Code::BMissing, "", what, ""));
    }
    let known: std::collections::HashSet<&[u8]> =
        digests.iter().map(<[u8; 16]>::as_slice).collect();
    let extra = texts.all.iter().filter(|(digest, _)| !known.contains(digest.as_bytes()));
    if let Some((first, _)) = extra.clone().next() {
        let what = format!("{} completion(s) of `{name}` answer no prompt", extra.count());
        findings.push(source.finding(
            Code::BExtra,
            "",
            what,
            &format!(", the first has digest {first}"),
        ));
    }
    findings
}

/// A short digest that tells copies apart from the rest: fast, the same on every machine, and no
/// more than a hint, so it need not resist anybody.
fn fingerprint(text: &str) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut chunks = text.as_bytes().chunks_exact(8);
    let mut hash = text.len() as u64;
    for chunk in &mut chunks {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        hash = (hash.rotate_left(29) ^ word).wrapping_mul(MIX);
    }
    for byte in chunks.remainder() {
        hash = (hash.rotate_left(7) ^ u64::from(*byte)).wrapping_mul(MIX);
    }
    hash ^ (hash >> 31)
}
