//! One bundle before it becomes a row: what it scores, why prompts fail, what a maintainer would
//! object to.
//!
//! A low score is not a finding. Findings are about form; a well-formed bundle passes even
//! if it fails every prompt.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::board::rules::{between, tier_position};
use crate::board::summary::FailureSummary;
use crate::board::{Scored, SeedResult, UsedWaiver, WaiverScope, score, waive};
use crate::domain::config::{BelowPath, Config, Seed};
use crate::domain::{
    Code, Failure, Finding, FindingHint, Hint, Rate, is_model, is_provider, name_fault, nearest,
    split_name,
};
use crate::replay::{Examined, Failing, ParsedBundle};
use crate::table::significance::{Interval, Score};

/// A bundle that wants to be a row.
#[derive(Debug)]
pub struct Candidate {
    /// The seed it would be, or is.
    pub seed: Seed,
    /// Its position in the config, if it is there already.
    pub listed: Option<usize>,
    /// The bundle that the config lists for it, if that is another one.
    pub other_bundle: Option<BelowPath>,
    /// Whether the bundle lies where the seed says.
    pub in_place: bool,
    /// Whether votes are recorded; without them only the structure of the answers is checked.
    pub has_votes: bool,
}

/// What a check shows.
#[derive(Debug)]
pub struct Checked {
    /// The bundle's seed.
    pub candidate: Candidate,
    /// How many prompts pass.
    pub passed: usize,
    /// How many prompts there are.
    pub total: usize,
    /// The score of each tier.
    pub tiers: Vec<TierScore>,
    /// The prompts that fail, with reasons.
    pub failing: Vec<Failing>,
    /// Ids of the prompts that pass.
    pub passing: Vec<String>,
    /// Why prompts fail, counted.
    pub summary: FailureSummary,
    /// Ids of the prompts whose completion holds a Markdown fence.
    pub fenced: Vec<String>,
    /// What speaks against the bundle, and notes.
    pub findings: Vec<Finding>,
    /// Waivers that were used.
    pub waivers: Vec<UsedWaiver>,
}

/// One tier's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TierScore {
    /// The tier.
    pub tier: String,
    /// How many of its prompts pass.
    pub passed: usize,
    /// How many it has.
    pub n: usize,
    /// The rate, as a board would publish it.
    pub rate: Rate,
    /// Its 95 % interval; absent without prompts.
    pub interval: Option<Interval>,
}

/// The `provider:model` to check: the one typed, else the only one of the models `recorded` in the
/// bundle `dir`.
pub fn name_of(
    dir: &str,
    typed: Option<&str>,
    recorded: impl FnOnce() -> Result<BTreeMap<String, usize>, Failure>,
) -> Result<String, Failure> {
    if let Some(typed) = typed {
        return whole_name(typed).map(str::to_owned);
    }
    let recorded = recorded()?;
    let place = format!("{dir}/completions.json");
    match recorded.keys().next() {
        None => {
            Err(Failure::unusable("completions.json has no key of the form provider:model:digest")
                .at(place)
                .hint(Hint::UnnamedCompletions))
        }
        Some(only) if recorded.len() == 1 => Ok(only.clone()),
        Some(first) => {
            let what = format!("the bundle holds completions of {} models", recorded.len());
            let failure = Failure::unusable(what).at(place);
            let reported = recorded.iter().fold(failure, |failure, (name, count)| {
                failure.detail(format!("{name} ({count})"))
            });
            Err(reported.hint(Hint::SeveralModels(first.clone())))
        }
    }
}

/// `typed` as it is, if a bundle can be recorded under it.
pub fn whole_name(typed: &str) -> Result<&str, Failure> {
    let Some(fault) = name_fault(typed) else { return Ok(typed) };
    let failure = Failure::unusable(format!("`{typed}` is not a valid provider:model; {fault}"));
    let help =
        format!("write provider:model, as in github:openai/gpt-4.1-mini; {}", Code::LName.help());
    Err(failure.code(Code::LName).help(help))
}

/// The candidate `name` with its bundle at `below`, if that is below the root. Takes its seed out of
/// the config if it is there, so that what is left are the other rows.
pub fn take_candidate(
    config: &mut Config,
    name: &str,
    below: Option<&BelowPath>,
    submitted_by: Option<&str>,
) -> Candidate {
    let in_place = below.is_some();
    let (provider, model) = split_name(name).unwrap_or((Seed::RECORDED, name));
    let is_it = |seed: &Seed| {
        // A seed without a provider is the same row if it names the same bundle.
        let unnamed = seed.provider == Seed::RECORDED && Some(&seed.public_bundle) == below;
        seed.model == model && (seed.provider == provider || unnamed)
    };
    let listed = config.seeds.iter().position(is_it);
    let mut seed = if let Some(index) = listed {
        config.seeds.remove(index)
    } else {
        Seed {
            provider: provider.to_owned(),
            model: model.to_owned(),
            kind: Seed::ENTRY.into(),
            submitted_by: submitted_by.unwrap_or(Seed::SUBMITTER).to_owned(),
            public_bundle: usual_place(provider, model),
            held_out_bundle: None,
            lift_bundle: None,
            rejudged: false,
            about: None,
            withdrawn: None,
        }
    };
    let other = listed.map(|_| seed.public_bundle.clone()).filter(|known| Some(known) != below);
    if let Some(below) = below {
        seed.public_bundle = below.clone();
    }
    // The votes that a maintainer made again are those of the listed bundle.
    seed.rejudged &= other.is_none();
    Candidate { seed, listed, other_bundle: other, in_place, has_votes: true }
}

/// Where a bundle of this name would usually be put.
fn usual_place(provider: &str, model: &str) -> BelowPath {
    let plain = |c: char| if c.is_ascii_alphanumeric() || "._+@-".contains(c) { c } else { '-' };
    let name: String = model.replace('/', "__").chars().map(plain).collect();
    let provider: String = provider.chars().map(plain).collect();
    BelowPath::parse(&format!("leaderboard/bundles/{provider}__{name}"))
        .expect("plain characters make a plain path")
}

/// Checks the bundle of `candidate`, in `dir`, beside the rows of the `others`, which are scored by `config`.
pub fn check(
    mut config: Config,
    config_file: &str,
    (dir, bundle): (&str, &ParsedBundle<'_>),
    candidate: Candidate,
    others: Vec<SeedResult>,
    today: &str,
) -> Result<Checked, Failure> {
    let examined = bundle.examine(&config.asked(&candidate.seed))?;
    let Examined { replay, mut failing, fenced } = examined;
    if !candidate.has_votes {
        // The bundle has no votes: those of the replay are assumed and not shown.
        for prompt in &mut failing {
            prompt.votes.clear();
        }
    }
    let passing = replay.outcomes.iter().filter(|outcome| outcome.passed());
    let passing = passing.map(|outcome| outcome.id.clone()).collect();
    let summary = FailureSummary::of(&failing, &fenced);
    let (passed, total) = replay.counts();
    let tiers = tiers(&replay.tier_counts());
    let mut findings = names(&candidate.seed);
    findings.extend(other_models(dir, &bundle.models()?, &candidate.seed));

    // Last of all rows, so that a rule between rows names this one.
    config.seeds.push(candidate.seed.clone());
    let mut rows: Vec<Scored> = others
        .into_iter()
        .filter_map(|result| match result {
            SeedResult::Scored(scored) => Some(scored),
            SeedResult::Absent | SeedResult::Failed(_) => None,
        })
        .collect();
    let mut own = score(&config, config.seeds.len() - 1, &replay, None, None);
    findings.append(&mut own.findings);
    rows.push(own);
    // Waivers name the bundle where the seed has it; the finding names the file.
    let place = candidate.seed.public_bundle.to_string();
    for finding in &mut findings {
        moved(finding, dir, &place);
    }
    let is_own = |finding: &Finding| finding.file.starts_with(&format!("{place}/"));
    findings.extend(between(&config, config_file, &rows).into_iter().filter(is_own));
    let scope = WaiverScope::Entry(&candidate.seed);
    let mut waived = waive(&config, config_file, findings, today, &scope);
    for finding in &mut waived.findings {
        moved(finding, &place, dir);
    }
    waived.findings.sort();
    let (findings, waivers) = (waived.findings, waived.used);
    Ok(Checked {
        candidate,
        passed,
        total,
        tiers,
        failing,
        passing,
        summary,
        fenced,
        findings,
        waivers,
    })
}

/// Names the file of a finding below `to` where it is named below `from`.
fn moved(finding: &mut Finding, from: &str, to: &str) {
    if let Some(file) = finding.file.strip_prefix(from).filter(|rest| rest.starts_with('/')) {
        finding.file = format!("{to}{file}");
    }
}

fn tiers(counts: &BTreeMap<&str, (usize, usize)>) -> Vec<TierScore> {
    let mut tiers: Vec<TierScore> = counts
        .iter()
        .map(|(tier, (passed, n))| {
            let Score { rate, interval, .. } = Score::from_counts(*passed as u64, *n as u64);
            TierScore { tier: (*tier).to_owned(), passed: *passed, n: *n, rate, interval }
        })
        .collect();
    tiers.sort_by_key(|score| tier_position(&score.tier));
    tiers
}

/// Names that a board would refuse.
fn names(seed: &Seed) -> Vec<Finding> {
    let wrong = |key: &str, value: &str| {
        let shown: String = value.chars().take(40).collect();
        let what = format!("{key} `{shown}` has a character or length that is not allowed");
        Finding::new(Code::LName, "", key, what)
    };
    let provider = (!is_provider(&seed.provider)).then(|| wrong("provider", &seed.provider));
    let model = (!is_model(&seed.model)).then(|| wrong("model", &seed.model));
    provider.into_iter().chain(model).collect()
}

/// Says what is recorded where nothing is recorded for the model that was asked for.
fn other_models(dir: &str, recorded: &BTreeMap<String, usize>, seed: &Seed) -> Option<Finding> {
    let name = seed.id();
    if seed.provider == Seed::RECORDED || recorded.contains_key(&name) || recorded.is_empty() {
        return None;
    }
    let near = nearest(&name, recorded.keys().map(String::as_str));
    let near = near.or(recorded.keys().next().map(String::as_str)).unwrap_or_default();
    let what =
        format!("no completion of `{name}` is recorded, only of {} other model(s)", recorded.len());
    let finding = Finding::new(Code::BMissing, format!("{dir}/completions.json"), "", what);
    let hint = FindingHint::OtherModel(near.to_owned());
    Some(finding.note().help(format!("the bundle has completions of `{near}`")).hint(hint))
}

impl Checked {
    /// The score over all prompts.
    pub(crate) fn score(&self) -> Score {
        Score::from_counts(self.passed as u64, self.total as u64)
    }

    /// Whether nothing speaks against the bundle.
    pub fn is_clean(&self) -> bool {
        !self.findings.iter().any(Finding::decides)
    }

    /// Whether only the entrant recorded the votes.
    pub fn is_self_reported(&self) -> bool {
        Seed::is_self_recorded(&self.candidate.seed.kind, Some(&self.candidate.seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_come_in_the_order_people_expect() {
        let counts = [("alpha", (0, 1)), ("easy", (1, 2)), ("hard", (0, 3)), ("medium", (4, 4))];
        let names: Vec<String> =
            tiers(&counts.into_iter().collect()).into_iter().map(|score| score.tier).collect();
        assert_eq!(names, ["easy", "medium", "hard", "alpha"]);
    }

    #[test]
    fn a_bundle_from_elsewhere_gets_a_plain_place() {
        for (provider, model, place) in [
            ("github", "openai/gpt-4.1-mini", "leaderboard/bundles/github__openai__gpt-4.1-mini"),
            ("ollama", "llama3:8b", "leaderboard/bundles/ollama__llama3-8b"),
            ("../x", "\u{1b}[2J/..", "leaderboard/bundles/..-x__--2J__.."),
        ] {
            assert_eq!(usual_place(provider, model).as_str(), place);
        }
    }

    #[test]
    fn the_seed_that_is_listed_is_taken_out_of_the_others() {
        let text = br#"{"seeds": [{"provider": "p", "model": "m", "kind": "seed", "public_bundle": "a"}]}"#;
        let mut config = Config::parse(text, "f").expect("a config");
        let below = BelowPath::parse("b").expect("a path");
        let candidate = take_candidate(&mut config, "p:m", Some(&below), None);
        assert!(config.seeds.is_empty());
        assert_eq!((candidate.listed, &*candidate.seed.kind), (Some(0), "seed"));
        assert_eq!(candidate.seed.public_bundle.as_str(), "b");

        let text = br#"{"seeds": [{"provider": "p", "model": "m", "kind": "entry", "rejudged": true, "public_bundle": "b"}]}"#;
        let config = Config::parse(text, "f").expect("a config");
        for (bundle, is_self_recorded) in [("b", false), ("c", true)] {
            let below = BelowPath::parse(bundle).expect("a path");
            let seed = take_candidate(&mut config.clone(), "p:m", Some(&below), None).seed;
            assert_eq!(Seed::is_self_recorded(&seed.kind, Some(&seed)), is_self_recorded);
        }

        let text = br#"{"seeds": [{"model": "m", "public_bundle": "b"}]}"#;
        let mut config = Config::parse(text, "f").expect("a config");
        assert_eq!(take_candidate(&mut config.clone(), "p:m", None, None).listed, None);
        assert_eq!(take_candidate(&mut config, "p:m", Some(&below), None).listed, Some(0));
    }
}
