//! The repair loop, replayed: what the first draft was worth, and what the last.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use super::extract::extract;
use super::prompts::{self, Prompt};
use super::structural::failures;
use super::votes::{self, majority};
use crate::domain::{Code, Failure};
use crate::gmat::Script;
use crate::json::{Document, Mismatch, Node};
use crate::replay::redact::Source;

/// How many repairs the loop may spend.
const BUDGET: usize = 2;

/// The three files of a lift bundle.
#[derive(Debug)]
pub struct LiftFiles {
    /// The directory, as it is named to people.
    pub dir: String,
    /// prompts.json
    pub prompts: Vec<u8>,
    /// trajectory.json
    pub trajectory: Vec<u8>,
    /// verdicts.json
    pub verdicts: Vec<u8>,
}

/// A replayed lift bundle, prompt by prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lift {
    /// One row per prompt, in the order of prompts.json.
    pub rows: Vec<LiftRow>,
    /// SHA-256 over the three files, in lower-case hex.
    pub sha256: String,
}

/// The repair loop in prompts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LiftCounts {
    /// First drafts that run.
    pub base: usize,
    /// Last drafts that run.
    pub repaired: usize,
    /// Prompts of the lift bundle.
    pub prompts: usize,
    /// By tier: dry runs that agree, of first drafts that pass on paper.
    pub agreement: BTreeMap<String, (usize, usize)>,
}

impl Lift {
    /// How many first and last drafts run.
    pub fn counts(&self) -> LiftCounts {
        let mut counts = LiftCounts { prompts: self.rows.len(), ..LiftCounts::default() };
        for row in &self.rows {
            counts.base += usize::from(row.base.is_runnable());
            counts.repaired += usize::from(row.repaired.is_runnable());
            let (agree, of) = counts.agreement.entry(row.tier.clone()).or_default();
            *agree += usize::from(row.base.is_runnable());
            *of += usize::from(row.base.passes_on_paper);
        }
        counts
    }
}

/// One prompt's way through the loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiftRow {
    /// The prompt's id.
    pub id: String,
    /// Its difficulty class.
    pub tier: String,
    /// The first draft.
    pub base: Draft,
    /// The last draft.
    pub repaired: Draft,
    /// Repairs spent.
    pub retries: usize,
    /// Why the loop stopped.
    pub stop: StopReason,
}

/// What one draft was worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draft {
    /// Structurally fine and the judge convinced.
    pub passes_on_paper: bool,
    /// The dry run's word; `None` if lint kept it from running.
    pub dry_run: Option<bool>,
}

impl Draft {
    /// Passes on paper and runs.
    pub fn is_runnable(self) -> bool {
        self.passes_on_paper && self.dry_run == Some(true)
    }
}

/// Why the loop stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The draft ran.
    Clean,
    /// The draft repeats the one before.
    NoProgress,
    /// The draft repeats an older one.
    Oscillation,
    /// All repairs were spent.
    Budget,
}

type ScriptHash = [u8; 32];

#[derive(Debug, Clone, Default)]
struct Recorded {
    dry_run_ok: bool,
    judged: Option<bool>,
}

/// Replays a lift bundle.
pub fn lift(files: &LiftFiles) -> Result<Lift, Failure> {
    let [prompt_file, trajectory_file, verdict_file] =
        ["prompts.json", "trajectory.json", "verdicts.json"]
            .map(|name| Source::new(&files.dir, name, false));
    let prompt_document = prompt_file.parse(&files.prompts)?;
    let prompts = prompts::read(&prompt_document, &prompt_file)?;
    let trajectory = trajectory_file.parse(&files.trajectory)?;
    let verdict_document = verdict_file.parse(&files.verdicts)?;
    let recorded = verdicts(&verdict_document, &verdict_file)?;
    let rows = prompts
        .iter()
        .map(|prompt| {
            row(prompt, &drafts(prompt, &trajectory, &trajectory_file)?, &recorded, &verdict_file)
        })
        .collect::<Result<_, Failure>>()?;
    let mut digest = Sha256::new();
    for bytes in [&files.prompts, &files.trajectory, &files.verdicts] {
        digest.update(bytes);
    }
    Ok(Lift { rows, sha256: hex::encode(digest.finalize()) })
}

fn drafts<'d>(
    prompt: &Prompt<'_>,
    trajectory: &'d Document<'_>,
    source: &Source,
) -> Result<Vec<&'d str>, Failure> {
    let mismatch = |mismatch: Mismatch| source.mismatch(trajectory, &mismatch);
    let drafts = trajectory.root.object().map_err(mismatch)?.get(prompt.id).ok_or_else(|| {
        Failure::unusable(format!("no draft is recorded for the prompt `{}`", prompt.id))
            .code(Code::BLift)
            .at(&*source.file)
    })?;
    let texts = drafts.array().and_then(|drafts| {
        drafts.iter().map(|draft| draft.text().map(|text| &**text)).collect::<Result<Vec<_>, _>>()
    });
    let texts = texts.map_err(mismatch)?;
    if texts.is_empty() {
        let empty =
            Mismatch { at: drafts.at, wanted: "at least one draft".into(), found: "an empty list" };
        return Err(source.coded(trajectory, &empty, Code::BLift));
    }
    Ok(texts)
}

fn verdicts(
    document: &Document<'_>,
    source: &Source,
) -> Result<HashMap<ScriptHash, Recorded>, Failure> {
    let mismatch = |mismatch: Mismatch| source.mismatch(document, &mismatch);
    let root = document.root.object().map_err(mismatch)?;
    let mut recorded = HashMap::with_capacity(root.len());
    for (hash, node) in root.iter() {
        let entry = node.object().map_err(mismatch)?;
        let ok = match entry.get("dry_run") {
            None => false,
            Some(dry_run) => {
                let dry_run = dry_run.object().map_err(mismatch)?;
                dry_run.get("ok").map_or(Ok(false), Node::boolean).map_err(mismatch)?
            }
        };
        let votes = entry.get("judge").map_or_else(|| Ok(Vec::new()), votes::list);
        let votes = votes.map_err(|wrong| source.coded(document, &wrong, Code::BVerdict))?;
        // A key that is not a digest does not belong to a draft: it is never looked up.
        let mut key = ScriptHash::default();
        if hash.bytes().all(|byte| !byte.is_ascii_uppercase())
            && hex::decode_to_slice(&**hash, &mut key).is_ok()
        {
            recorded.insert(key, Recorded { dry_run_ok: ok, judged: majority(&votes) });
        }
    }
    Ok(recorded)
}

struct Attempt<'d> {
    script: &'d str,
    hash: ScriptHash,
    dry_run: Option<bool>,
}

fn row(
    prompt: &Prompt<'_>,
    drafts: &[&str],
    recorded: &HashMap<ScriptHash, Recorded>,
    verdict_file: &Source,
) -> Result<LiftRow, Failure> {
    let mut attempts: Vec<Attempt<'_>> = Vec::new();
    let stop = loop {
        let round = attempts.len();
        let script = extract(drafts[round.min(drafts.len() - 1)]);
        let hash: ScriptHash = Sha256::digest(script.as_bytes()).into();
        let blocked = !Script::parse(script).blocking_rules().is_empty();
        let dry_run =
            if blocked { None } else { Some(dry_run(prompt, &hash, recorded, verdict_file)?) };
        let repeats = attempts.iter().rposition(|earlier| earlier.hash == hash);
        attempts.push(Attempt { script, hash, dry_run });
        match repeats {
            _ if dry_run == Some(true) => break StopReason::Clean,
            Some(earlier) if earlier + 1 == round => break StopReason::NoProgress,
            Some(_) => break StopReason::Oscillation,
            None if round == BUDGET => break StopReason::Budget,
            None => {}
        }
    };
    let score = |attempt: &Attempt<'_>| {
        let judged = recorded.get(&attempt.hash).and_then(|recorded| recorded.judged);
        let fine = failures(attempt.script, &prompt.spec).is_empty();
        Draft { passes_on_paper: fine && judged == Some(true), dry_run: attempt.dry_run }
    };
    let base = score(&attempts[0]);
    let repaired = score(&attempts[attempts.len() - 1]);
    let (id, tier) = (prompt.id.to_owned(), prompt.tier.to_owned());
    Ok(LiftRow { id, tier, base, repaired, retries: attempts.len() - 1, stop })
}

fn dry_run(
    prompt: &Prompt<'_>,
    hash: &ScriptHash,
    recorded: &HashMap<ScriptHash, Recorded>,
    source: &Source,
) -> Result<bool, Failure> {
    recorded.get(hash).map(|recorded| recorded.dry_run_ok).ok_or_else(|| {
        Failure::unusable(format!("a draft of the prompt `{}` has no recorded dry run", prompt.id))
            .code(Code::BLift)
            .at(&*source.file)
            .detail(format!("looked for the key `{}`", hex::encode(hash)))
    })
}
