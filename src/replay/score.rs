//! The completions of a bundle as they are met: each is scored on the prompts it answers, and then
//! forgotten.
//!
//! The first completion of a prompt is not always the one that counts. A seed without a provider
//! prefers some providers to others, whatever comes first in the file.

use crate::domain::{Code, Failure, Finding};
use crate::gmat::Memory;
use crate::json::{Document, Object};
use crate::replay::completions::{self, Completion, Member};
use crate::replay::redact::Source;
use crate::replay::structural::failures_in;
use crate::replay::usage::Usage;
use crate::replay::{Asked, PromptSet};

/// What is known about the completions seen so far.
#[derive(Debug)]
pub(super) struct ScoredAnswers<'a> {
    source: &'a Source,
    asked: &'a Asked<'a>,
    /// What can be answered; nothing if the prompts cannot be read.
    set: Option<&'a PromptSet<'a>>,
    /// The grade of each prompt's completion; `None` without one.
    pub(super) grades: Vec<Option<Grade>>,
    /// What the completions used.
    pub(super) usage: Usage,
    /// The first usage that cannot be summed.
    pub(super) usage_failure: Option<Failure>,
    /// The first completion that cannot be read.
    pub(super) failure: Option<Failure>,
    /// Buffers, used for each script again.
    memory: Memory,
    /// How many are recorded for the model under another known provider.
    of_other_provider: usize,
    /// How many answer no prompt, and the digest of the first.
    extra: (usize, String),
}

/// What the completion of a prompt is worth.
#[derive(Debug)]
pub(super) struct Grade {
    /// What is structurally missing or wrong.
    pub(super) failures: Vec<String>,
    /// A short digest of the text.
    pub(super) text: u32,
    preference: usize,
}

impl<'a> ScoredAnswers<'a> {
    pub(super) fn new(
        set: Option<&'a PromptSet<'a>>,
        source: &'a Source,
        asked: &'a Asked<'a>,
    ) -> Self {
        let prompts = set.map_or(&[][..], |set| &set.prompts);
        Self {
            source,
            asked,
            set,
            grades: prompts.iter().map(|_| None).collect(),
            usage: Usage::default(),
            usage_failure: None,
            failure: None,
            memory: Memory::default(),
            of_other_provider: 0,
            extra: (0, String::new()),
        }
    }

    /// Scores the completions in `document`, which is completions.json or a part of it.
    pub(super) fn take(&mut self, document: &Document<'_>) {
        for (key, node) in document.root.object().into_iter().flat_map(Object::iter) {
            match completions::read(key, node, self.asked) {
                Ok(Member::Own(completion)) => self.add(document, &completion),
                Ok(Member::OfOtherProvider) => self.of_other_provider += 1,
                Ok(Member::Foreign) => {}
                Err((mismatch, code)) => {
                    let failure = || self.source.coded(document, &mismatch, code);
                    self.failure.get_or_insert_with(failure);
                }
            }
        }
    }

    fn add(&mut self, document: &Document<'_>, completion: &Completion<'_>) {
        if let Err(mismatch) = self.usage.add(completion) {
            let failure = || self.source.coded(document, &mismatch, Code::BUsage);
            self.usage_failure.get_or_insert_with(failure);
        }
        let (prompts, requests) =
            self.set.map_or((&[][..], &[][..]), |set| (&set.prompts, &set.requests));
        // No request has a digest of another length.
        let digest = <[u8; 16]>::try_from(completion.digest.as_bytes()).unwrap_or_default();
        let first = requests.partition_point(|(request, _)| *request < digest);
        let answered = requests[first..].iter().take_while(|(request, _)| *request == digest);
        let mut is_extra = true;
        for (_, at) in answered {
            is_extra = false;
            let slot = &mut self.grades[*at];
            if slot.as_ref().is_none_or(|grade| completion.preference < grade.preference) {
                *slot = Some(Grade {
                    failures: failures_in(completion.text, &prompts[*at].spec, &mut self.memory),
                    text: fingerprint(completion.text),
                    preference: completion.preference,
                });
            }
        }
        if is_extra {
            if self.extra.0 == 0 {
                completion.digest.clone_into(&mut self.extra.1);
            }
            self.extra.0 += 1;
        }
    }

    /// Every prompt has a completion of this provider and model, and every such completion a prompt.
    pub(super) fn matching(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let name = format!("{}:{}", self.asked.provider, self.asked.model);
        let missing = self.grades.iter().filter(|grade| grade.is_none()).count();
        if missing > 0 && self.usage.calls() == 0 && self.of_other_provider > 0 {
            let what = format!(
                "no completion is recorded for `{name}`, but {} for the model under another provider",
                self.of_other_provider
            );
            findings.push(self.source.finding(Code::BProvider, "", what, ""));
        } else if missing > 0 {
            let total = self.grades.len();
            let what = format!("{missing} of {total} prompts have no completion of `{name}`");
            findings.push(self.source.finding(Code::BMissing, "", what, ""));
        }
        if let (count @ 1.., first) = &self.extra {
            let what = format!("{count} completion(s) of `{name}` do not match any prompt");
            let subject = format!(", the first has digest {first}");
            findings.push(self.source.finding(Code::BExtra, "", what, &subject));
        }
        findings
    }
}

impl Grade {
    /// Of a prompt without a completion.
    pub(super) fn missing() -> Self {
        let failures = vec!["missing-completion".to_owned()];
        Self { failures, text: fingerprint(""), preference: 0 }
    }
}

/// A short digest that finds copies: fast, the same on every machine, and no
/// more than a hint, so it need not resist anybody.
fn fingerprint(text: &str) -> u32 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    // Two at once, because each step waits for the one before.
    let mut halves = [text.len() as u64, 0];
    let (pairs, rest) = text.as_bytes().as_chunks::<16>();
    for pair in pairs {
        for (half, word) in halves.iter_mut().zip(pair.as_chunks::<8>().0) {
            *half = (half.rotate_left(29) ^ u64::from_le_bytes(*word)).wrapping_mul(MIX);
        }
    }
    let mut hash = halves[0] ^ halves[1].rotate_left(32);
    for byte in rest {
        hash = (hash.rotate_left(7) ^ u64::from(*byte)).wrapping_mul(MIX);
    }
    u32::try_from((hash ^ (hash >> 31)) >> 32).expect("the upper half")
}
