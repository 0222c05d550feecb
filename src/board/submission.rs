//! What a pull request of an entrant may change: one bundle of its own and one seed, which is added,
//! updated or withdrawn.
//!
//! Everything else in the request is the entrant's, the config included. So the rules compare with
//! the base and take nothing from the head on trust.

use crate::domain::config::{Config, Seed};
use crate::domain::{Code, Finding, FindingHint};
use crate::json::{Document, Object};

/// One file that differs between base and head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileChange {
    /// Its path from the root, with slashes.
    pub path: String,
    /// Whether only the head has it, as a regular file.
    pub is_added: bool,
}

/// A config with the text it was read from.
#[derive(Debug, Clone, Copy)]
pub struct ConfigText<'c> {
    /// How it is named.
    pub file: &'c str,
    /// The text.
    pub document: &'c Document<'c>,
    /// What it says.
    pub config: &'c Config,
}

/// Where entrants' bundles live.
const BUNDLES: &str = "leaderboard/bundles/";
/// The files of a bundle. A `.gitattributes` or a program beside them would act on others.
const FILES: &[&str] = &["prompts.json", "completions.json", "judge.json", "run.json"];
/// The files of a lift bundle.
const LIFT_FILES: &[&str] = &["prompts.json", "trajectory.json", "verdicts.json"];

/// What an acceptable pull request does, and the seed in question as the request has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Submission<'h> {
    /// It enters a model: one seed and its bundle are added.
    Entry(&'h Seed),
    /// It gives an entry another bundle; the old one stays.
    Update(&'h Seed),
    /// It withdraws an entry; nothing else is changed.
    Withdrawal(&'h Seed),
}

impl<'h> Submission<'h> {
    /// The seed that is added or changed.
    pub fn seed(self) -> &'h Seed {
        match self {
            Self::Entry(seed) | Self::Update(seed) | Self::Withdrawal(seed) => seed,
        }
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Entry(_) => "entry",
            Self::Update(_) => "update",
            Self::Withdrawal(_) => "withdrawal",
        }
    }

    /// The bundle that it adds.
    pub fn bundle(self) -> Option<&'h str> {
        match self {
            Self::Entry(seed) | Self::Update(seed) => Some(seed.public_bundle.as_str()),
            Self::Withdrawal(_) => None,
        }
    }
}

/// What the pull request does, or what it may not do.
pub fn submission<'h>(
    base: &ConfigText<'_>,
    head: &ConfigText<'h>,
    changes: &[FileChange],
) -> Result<Submission<'h>, Vec<Finding>> {
    let file = head.file;
    let finding = |place: &str, what: String| Finding::new(Code::ESubmission, place, "", what);
    let mut findings = other_keys(base, head);
    let is_new = |seed: &&Seed| !base.config.seeds.contains(seed);
    let added: Vec<&'h Seed> = head.config.seeds.iter().filter(is_new).collect();
    let is_gone = |seed: &&Seed| !head.config.seeds.contains(seed);
    let gone: Vec<&Seed> = base.config.seeds.iter().filter(is_gone).collect();
    let submission = match (&added[..], &gone[..]) {
        ([seed], []) => {
            findings.extend(seed_rules(seed, None).map(|what| finding(file, what)));
            Some(Submission::Entry(seed))
        }
        ([seed], [old]) if old.id() == seed.id() => {
            let (submission, wrong) = change(seed, old);
            findings.extend(wrong.into_iter().map(|what| finding(file, what)));
            Some(submission)
        }
        _ => {
            let what = format!(
                "a pull request of an entrant adds or changes one seed; this one adds or changes {} and removes or changes {}",
                added.len(),
                gone.len()
            );
            findings.push(finding(file, what));
            None
        }
    };
    let mut own = Vec::new();
    if let Some(Submission::Entry(seed) | Submission::Update(seed)) = submission {
        let bundles = [(Some(&seed.public_bundle), FILES), (seed.lift_bundle.as_ref(), LIFT_FILES)];
        let bundles = bundles.into_iter().filter_map(|(bundle, names)| Some((bundle?, names)));
        own.extend(bundles.map(|(bundle, names)| (format!("{}/", bundle.as_str()), names)));
    }
    // Without votes `check` still scores structure, and every later step fails with less to say.
    if let Some(votes) =
        submission.and_then(Submission::bundle).map(|it| format!("{it}/judge.json"))
        && !changes.iter().any(|change| change.path == votes)
    {
        let what = "the bundle has no judge.json, so its answers cannot be scored";
        let help = "record the votes of the judge";
        findings.push(finding(&votes, what.to_owned()).help(help).hint(FindingHint::NoVotes));
    }
    for change in changes.iter().filter(|change| change.path != file) {
        let inside = own
            .iter()
            .filter(|_| change.path.starts_with(BUNDLES))
            .find_map(|(bundle, names)| Some((change.path.strip_prefix(bundle.as_str())?, names)));
        let Some((name, names)) = inside else {
            let what = "a submission changes its own bundle and one seed, nothing else".to_owned();
            findings.push(finding(&change.path, what));
            continue;
        };
        if !names.contains(&name) {
            let what = format!("a bundle has no such file; its files are {}", names.join(", "));
            findings.push(finding(&change.path, what));
        } else if !change.is_added {
            let what = "a submission adds files; it does not change or remove any".to_owned();
            findings.push(finding(&change.path, what));
        }
    }
    match submission {
        Some(submission) if findings.is_empty() => Ok(submission),
        _ => Err(findings),
    }
}

/// What a changed seed does, and what it may not do.
fn change<'h>(seed: &'h Seed, old: &Seed) -> (Submission<'h>, Vec<String>) {
    let id = seed.id();
    let mut wrong = Vec::new();
    if old.kind != Seed::ENTRY {
        wrong.push(format!("the seed `{id}` is not an entry; only a maintainer may change it"));
    }
    if seed.withdrawn.is_some() && old.withdrawn.is_none() {
        if (Seed { withdrawn: None, ..seed.clone() }) != *old {
            wrong.push(format!("a withdrawal of `{id}` adds `withdrawn` and changes nothing else"));
        }
        return (Submission::Withdrawal(seed), wrong);
    }
    let expected = Seed {
        public_bundle: seed.public_bundle.clone(),
        lift_bundle: seed.lift_bundle.clone(),
        // It was said of the votes of the replaced bundle.
        rejudged: false,
        ..old.clone()
    };
    if *seed != expected {
        wrong.push(format!(
            "an update of `{id}` changes `public_bundle` and `lift_bundle` and removes `rejudged`, nothing else"
        ));
    } else if seed.public_bundle == old.public_bundle {
        wrong.push(format!("an update of `{id}` names a new folder in `public_bundle`"));
    }
    wrong.extend(seed_rules(seed, Some(old)));
    (Submission::Update(seed), wrong)
}

/// Everything in the config but the seeds stays as it is.
fn other_keys(base: &ConfigText<'_>, head: &ConfigText<'_>) -> Vec<Finding> {
    let members = |text: &ConfigText<'_>| -> Vec<(String, String)> {
        let object = text.document.root.object().ok();
        object
            .into_iter()
            .flat_map(Object::iter)
            .filter(|(key, _)| *key != "seeds")
            .map(|(key, value)| (key.to_string(), serde_json::to_string(value).unwrap_or_default()))
            .collect()
    };
    let (old, new) = (members(base), members(head));
    let differs = old.iter().filter(|member| !new.contains(member));
    let comes = new.iter().filter(|(key, _)| !old.iter().any(|(known, _)| known == key));
    differs
        .chain(comes)
        .map(|(key, _)| {
            let what = format!("`{key}` of the config is changed; a submission adds a seed only");
            Finding::new(Code::ESubmission, head.file, key, what)
        })
        .collect()
}

/// What a seed of an entrant may not say; `old` is the same seed before an update.
fn seed_rules(seed: &Seed, old: Option<&Seed>) -> impl Iterator<Item = String> {
    let bundle = seed.public_bundle.as_str();
    let is_slug = |path: &str| {
        path.strip_prefix(BUNDLES).is_some_and(|slug| !slug.is_empty() && !slug.contains('/'))
    };
    let lift = seed.lift_bundle.as_ref().map(crate::domain::config::BelowPath::as_str);
    let lift_is_own = lift.is_none_or(|lift| {
        is_slug(lift) || lift.strip_prefix(bundle).is_some_and(|rest| rest.starts_with('/'))
    });
    let id = seed.id();
    [
        (
            seed.kind != Seed::ENTRY,
            format!("`kind` of the seed `{id}` is `{}`, not `{}`", seed.kind, Seed::ENTRY),
        ),
        (
            seed.held_out_bundle != old.and_then(|old| old.held_out_bundle.clone()),
            format!("the seed `{id}` names a held-out bundle; only a maintainer may"),
        ),
        (seed.rejudged, format!("the seed `{id}` sets `rejudged`; only a maintainer may")),
        (
            !is_slug(bundle),
            format!("the bundle of `{id}` is `{bundle}`, not `{BUNDLES}<one name>`"),
        ),
        (!lift_is_own, format!("the lift bundle of `{id}` is not below `{BUNDLES}`")),
    ]
    .into_iter()
    .filter_map(|(is_wrong, what)| is_wrong.then_some(what))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    const BASE: &str = r#"{"n_votes": 3, "seeds": [
        {"provider": "p", "model": "old", "public_bundle": "leaderboard/bundles/old"}]}"#;

    fn judged(head: &str, changes: &[(&str, bool)]) -> Result<String, Vec<String>> {
        judged_against(BASE, head, changes)
    }

    fn judged_against(
        base: &str,
        head: &str,
        changes: &[(&str, bool)],
    ) -> Result<String, Vec<String>> {
        let parse = |text: &str| -> Document<'static> {
            let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
            json::parse(text.as_bytes()).expect("JSON")
        };
        let (base, head) = (parse(base), parse(head));
        let config = |document: &Document<'_>| {
            Config::parse(document.text.as_bytes(), "seeds.json").expect("a config")
        };
        let (old, new) = (config(&base), config(&head));
        let changes: Vec<FileChange> = changes
            .iter()
            .map(|(path, is_added)| FileChange { path: (*path).to_owned(), is_added: *is_added })
            .collect();
        let text = |document, config| ConfigText { file: "seeds.json", document, config };
        submission(&text(&base, &old), &text(&head, &new), &changes)
            .map(|it| format!("{} {}", it.name(), it.seed().id()))
            .map_err(|findings| findings.into_iter().map(|it| it.what).collect())
    }

    fn head(extra: &str, rest: &str) -> String {
        BASE.replace(
            "old\"}]}",
            &format!("old\"}}, {{\"provider\": \"p\", \"model\": \"new\", {extra}}}]{rest}}}"),
        )
    }

    /// A head, its changed files, and words of a finding.
    type Case<'c> = (String, &'c [(&'c str, bool)], &'c str);

    const ENTERS: &str = r#""kind": "entry", "public_bundle": "leaderboard/bundles/new""#;

    #[test]
    fn a_bundle_and_a_seed_are_a_submission() {
        let changes = [("seeds.json", false), ("leaderboard/bundles/new/judge.json", true)];
        assert_eq!(judged(&head(ENTERS, ""), &changes), Ok("entry p:new".to_owned()));
        let unjudged = [("leaderboard/bundles/new/prompts.json", true)];
        let findings = judged(&head(ENTERS, ""), &unjudged).expect_err("without votes");
        assert!(findings[0].contains("has no judge.json"), "{findings:?}");
    }

    #[test]
    fn everything_else_is_refused() {
        let new = [("leaderboard/bundles/new/judge.json", true)];
        let cases: [Case<'_>; 13] = [
            (BASE.to_owned(), &new, "adds or changes one seed; this one adds or changes 0"),
            (head(&ENTERS.replace("entry", "seed"), ""), &new, "is `seed`, not `entry`"),
            (head(&format!("{ENTERS}, \"held_out_bundle\": \"x\""), ""), &new, "held-out bundle"),
            (head(&format!("{ENTERS}, \"rejudged\": true"), ""), &new, "`rejudged`"),
            (head(&ENTERS.replace("bundles/new", "bundles/a/b"), ""), &new, "<one name>"),
            (head(ENTERS, ", \"require_votes\": false"), &new, "`require_votes`"),
            (head(ENTERS, "").replace("\"n_votes\": 3", "\"n_votes\": 1"), &new, "`n_votes`"),
            (head(ENTERS, "").replace("\"old\"", "\"older\""), &new, "removes or changes 1"),
            (head(ENTERS, ""), &[(".github/workflows/x.yml", true)], "nothing else"),
            (head(ENTERS, ""), &[("leaderboard/bundles/new/run.json", false)], "does not change"),
            (head(ENTERS, ""), &[("leaderboard/bundles/new/.gitattributes", true)], "no such file"),
            (head(ENTERS, ""), &[("leaderboard/bundles/new/x/run.json", true)], "no such file"),
            (head(ENTERS, ""), &[("leaderboard/bundles/new/verdicts.json", true)], "no such file"),
        ];
        for (head, changes, words) in cases {
            let findings = judged(&head, changes).expect_err(words);
            assert!(findings.iter().any(|it| it.contains(words)), "{words}: {findings:?}");
        }
        let near = [new[0], ("leaderboard/bundles/newer/x", true)];
        assert!(judged(&head(ENTERS, ""), &near).is_err(), "a name that only starts alike");
    }

    const LISTED: &str =
        r#"{"provider": "p", "model": "old", "public_bundle": "leaderboard/bundles/old"}"#;

    /// The request that turns the listed seed, an entry that was scored, into `seed`.
    fn changed(seed: &str, changes: &[(&str, bool)]) -> Result<String, Vec<String>> {
        let entry = LISTED.replace(
            "\"public",
            "\"kind\": \"entry\", \"held_out_bundle\": \"h\", \"rejudged\": true, \"public",
        );
        let base = BASE.replace(LISTED, &entry);
        assert_ne!(base, BASE);
        let head = base.replace(&entry, seed);
        judged_against(&base, &head, changes)
    }

    #[test]
    fn an_entry_can_be_updated_and_withdrawn_by_its_seed_alone() {
        let seed = |rest: &str| {
            format!(
                r#"{{"provider": "p", "model": "old", "kind": "entry", "held_out_bundle": "h", {rest}}}"#
            )
        };
        let old = r#""rejudged": true, "public_bundle": "leaderboard/bundles/old""#;
        let fresh = r#""public_bundle": "leaderboard/bundles/old-2""#;
        let withdrawn = r#", "withdrawn": {"reason": "The model is gone."}"#;
        let files = [("leaderboard/bundles/old-2/judge.json", true)];
        let update = changed(&seed(fresh), &files);
        assert_eq!(update, Ok("update p:old".to_owned()));
        let withdrawal = changed(&seed(&format!("{old}{withdrawn}")), &[]);
        assert_eq!(withdrawal, Ok("withdrawal p:old".to_owned()));
        let cases: [Case<'_>; 7] = [
            (seed(&format!("{old}{withdrawn}")), &files, "nothing else"),
            (seed(&format!("{fresh}{withdrawn}")), &[], "changes nothing else"),
            (seed(&format!("\"rejudged\": true, {fresh}")), &files, "removes `rejudged`"),
            (seed(fresh).replace("\"h\"", "\"other\""), &files, "held-out bundle"),
            (seed(&old.replace("\"rejudged\": true, ", "")), &[], "names a new folder"),
            (seed(fresh), &[("leaderboard/bundles/old/judge.json", false)], "nothing else"),
            (seed(fresh).replace("entry", "seed"), &files, "is `seed`, not `entry`"),
        ];
        for (seed, changes, words) in cases {
            let findings = changed(&seed, changes).expect_err(words);
            assert!(findings.iter().any(|it| it.contains(words)), "{words}: {findings:?}");
        }
        // A row of the maintainers.
        let other = LISTED.replace('}', withdrawn) + "}";
        let findings = judged(&BASE.replace(LISTED, &other), &[]).expect_err("refused");
        assert!(findings[0].contains("only a maintainer"), "{findings:?}");
    }
}
