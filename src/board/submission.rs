//! What a pull request that enters a model may change: one bundle of its own and one seed.
//!
//! Everything else in the request is the entrant's, the config included. So the rules compare with
//! the base and take nothing from the head on trust.

use crate::domain::config::{Config, Seed};
use crate::domain::{Code, Finding};
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

/// The seed that a submission adds, or what it may not do.
pub fn submission<'h>(
    base: &ConfigText<'_>,
    head: &ConfigText<'h>,
    changes: &[FileChange],
) -> Result<&'h Seed, Vec<Finding>> {
    let file = head.file;
    let finding = |place: &str, what: String| Finding::new(Code::ESubmission, place, "", what);
    let mut findings = other_keys(base, head);
    let added: Vec<&Seed> =
        head.config.seeds.iter().filter(|seed| !base.config.seeds.contains(seed)).collect();
    let gone = base.config.seeds.iter().filter(|seed| !head.config.seeds.contains(seed)).count();
    if gone > 0 {
        findings.push(finding(file, format!("{gone} seed(s) of the base are changed or removed")));
    }
    let seed = if let [seed] = added[..] { Some(seed) } else { None };
    if seed.is_none() {
        let what = format!("a submission adds one seed, this one {}", added.len());
        findings.push(finding(file, what));
    }
    let mut own = Vec::new();
    if let Some(seed) = seed {
        findings.extend(seed_rules(seed).map(|what| finding(file, what)));
        let bundles = [Some(&seed.public_bundle), seed.lift_bundle.as_ref()];
        own.extend(bundles.into_iter().flatten().map(|bundle| format!("{}/", bundle.as_str())));
    }
    for change in changes.iter().filter(|change| change.path != file) {
        let is_own = change.path.starts_with(BUNDLES)
            && own.iter().any(|bundle| change.path.starts_with(bundle.as_str()));
        if !is_own {
            let what = "a submission changes its own bundle and one seed, nothing else".to_owned();
            findings.push(finding(&change.path, what));
        } else if !change.is_added {
            let what = "a submission adds files; it does not change or remove any".to_owned();
            findings.push(finding(&change.path, what));
        }
    }
    match seed {
        Some(seed) if findings.is_empty() => Ok(seed),
        _ => Err(findings),
    }
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

fn seed_rules(seed: &Seed) -> impl Iterator<Item = String> {
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
            seed.held_out_bundle.is_some(),
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
        let parse = |text: &'static str| json::parse(text.as_bytes()).expect("JSON");
        let head: &'static str = Box::leak(head.to_owned().into_boxed_str());
        let (base, head) = (parse(BASE), parse(head));
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
            .map(Seed::id)
            .map_err(|findings| findings.into_iter().map(|it| it.what).collect())
    }

    fn head(extra: &str, rest: &str) -> String {
        BASE.replace(
            "old\"}]}",
            &format!("old\"}}, {{\"provider\": \"p\", \"model\": \"new\", {extra}}}]{rest}}}"),
        )
    }

    const ENTERS: &str = r#""kind": "entry", "public_bundle": "leaderboard/bundles/new""#;

    #[test]
    fn a_bundle_and_a_seed_are_a_submission() {
        let changes = [("seeds.json", false), ("leaderboard/bundles/new/prompts.json", true)];
        assert_eq!(judged(&head(ENTERS, ""), &changes), Ok("p:new".to_owned()));
    }

    #[test]
    fn everything_else_is_refused() {
        type Case<'c> = (String, &'c [(&'c str, bool)], &'c str);
        let new = [("leaderboard/bundles/new/judge.json", true)];
        let cases: [Case<'_>; 10] = [
            (BASE.to_owned(), &new, "adds one seed, this one 0"),
            (head(&ENTERS.replace("entry", "seed"), ""), &new, "is `seed`, not `entry`"),
            (head(&format!("{ENTERS}, \"held_out_bundle\": \"x\""), ""), &new, "held-out bundle"),
            (head(&format!("{ENTERS}, \"rejudged\": true"), ""), &new, "`rejudged`"),
            (head(&ENTERS.replace("bundles/new", "bundles/a/b"), ""), &new, "<one name>"),
            (head(ENTERS, ", \"require_votes\": false"), &new, "`require_votes`"),
            (head(ENTERS, "").replace("\"n_votes\": 3", "\"n_votes\": 1"), &new, "`n_votes`"),
            (head(ENTERS, "").replace("\"old\"", "\"older\""), &new, "changed or removed"),
            (head(ENTERS, ""), &[(".github/workflows/x.yml", true)], "nothing else"),
            (head(ENTERS, ""), &[("leaderboard/bundles/new/x", false)], "does not change"),
        ];
        for (head, changes, words) in cases {
            let findings = judged(&head, changes).expect_err(words);
            assert!(findings.iter().any(|it| it.contains(words)), "{words}: {findings:?}");
        }
        let near = [("leaderboard/bundles/newer/x", true)];
        assert!(judged(&head(ENTERS, ""), &near).is_err(), "a name that only starts alike");
    }
}
