//! Exceptions an owner accepts, for a time. A waiver never hides a value that does not reproduce:
//! it covers codes that change no score, and notes.

use std::collections::BTreeSet;

use jiff::civil::Date;
use serde::Serialize;

use crate::domain::config::{BelowPath, Config, Seed, Waiver};
use crate::domain::{Code, Finding, day};

/// Which part of a board a run looked at: it decides what can be said about a waiver that covers
/// nothing.
#[derive(Debug)]
#[non_exhaustive]
pub enum WaiverScope<'a> {
    /// `verify` of a whole board.
    Board {
        /// `provider:model` of each row of the board.
        rows: &'a [String],
        /// Rows and bundles that were replayed, see `SortedSeeds::names_replayed`.
        read: BTreeSet<String>,
    },
    /// `build`: no published board was read.
    Build,
    /// `verify --entry`: one row of the board.
    Row(&'a Seed),
    /// `check`: a bundle that may not be a row yet. Nothing about a waiver decides its answer.
    Entry(&'a Seed),
}

/// A waiver that covers something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UsedWaiver {
    /// The waiver, as the config has it.
    #[serde(flatten)]
    pub waiver: Waiver,
    /// `provider:model` of the rows it was used for.
    pub rows: BTreeSet<String>,
}

/// Findings after the config's waivers were applied.
#[derive(Debug, Default)]
pub struct Waived {
    /// What is left; waivers that are wrong come first.
    pub findings: Vec<Finding>,
    /// The waivers that were used.
    pub used: Vec<UsedWaiver>,
}

/// Applies the waivers as of `today` (`YYYY-MM-DD`).
pub fn waive(
    config: &Config,
    config_file: &str,
    mut findings: Vec<Finding>,
    today: &str,
    scope: &WaiverScope<'_>,
) -> Waived {
    let places = Places { config, scope };
    let (mut reported, mut used) = (Vec::new(), Vec::new());
    let mut covered = vec![false; findings.len()];
    for (index, waiver) in config.waivers.iter().enumerate() {
        if let WaiverScope::Row(seed) | WaiverScope::Entry(seed) = scope
            && !names(seed, &waiver.path)
        {
            continue; // It is about a row that was not looked at.
        }
        let at = |problem: Problem| {
            let path = format!("waivers[{index}]");
            let finding = Finding::new(Code::EWaiver, config_file, path, problem.what);
            let finding = finding.help(problem.help);
            if problem.is_note || matches!(scope, WaiverScope::Entry(_)) {
                finding.note()
            } else {
                finding
            }
        };
        if let Some(problem) = places.problem(waiver).or_else(|| dates(waiver, today)) {
            reported.push(at(problem));
            continue;
        }
        let mut rows = BTreeSet::new();
        let (mut covers, mut denied) = (false, false);
        for (finding, covered) in findings.iter().zip(&mut covered) {
            if finding.code != waiver.code || !places.is_at(finding, &waiver.path) {
                continue;
            }
            if finding.decides() && !waiver.code.is_waivable() {
                denied = true;
            } else {
                (*covered, covers) = (true, true);
                rows.extend(places.rows_of(finding));
            }
        }
        if covers {
            used.push(UsedWaiver { waiver: waiver.clone(), rows });
        }
        if denied || (!covers && !can_be_note(waiver.code)) {
            reported.push(at(never(waiver.code)));
        } else if !covers {
            reported.push(at(places.unmatched(waiver)));
        }
    }
    let mut covered = covered.into_iter();
    findings.retain(|_| !covered.next().unwrap_or(false));
    findings.splice(..0, reported);
    Waived { findings, used }
}

/// What is wrong with a waiver.
struct Problem {
    what: String,
    help: String,
    is_note: bool,
}

impl Problem {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Self {
        Self { what: what.into(), help: help.into(), is_note: false }
    }
}

/// Codes of which some run makes notes, so that a waiver of one is not wrong in itself.
fn can_be_note(code: Code) -> bool {
    code.is_waivable()
        || matches!(code, Code::BUsage | Code::BMissing | Code::LWords | Code::ERowUnknown)
}

fn never(code: Code) -> Problem {
    Problem::new(
        format!("{code} cannot be waived; only B-VOTES, B-TWIN, B-INJECT and notes can"),
        "remove the waiver, and correct what is found",
    )
}

/// The days a waiver may run: from today to a year ahead.
fn dates(waiver: &Waiver, today: &str) -> Option<Problem> {
    let Waiver { code, until, .. } = waiver;
    let (Some(today), Some(end)) = (day(today), day(until)) else {
        let help = "write `until` as a date, such as 2027-01-31";
        return Some(Problem::new(format!("the waiver of {code} has no valid `until` date"), help));
    };
    // A year after 29 February ends on the 28th.
    let later = |day| Date::new(today.year().saturating_add(1), today.month(), day);
    let limit = later(today.day()).or_else(|_| later(28)).unwrap_or(Date::MAX);
    if end < today {
        let help = "remove the waiver, or renew its `until` with a reason";
        return Some(Problem::new(format!("the waiver of {code} ended on {until}"), help));
    }
    (end > limit).then(|| {
        let what = format!("the waiver of {code} runs until {until}, more than a year from today");
        let (year, month, day) = (limit.year(), limit.month(), limit.day());
        Problem::new(what, format!("set `until` to {year:04}-{month:02}-{day:02} or earlier"))
    })
}

/// The seeds that a waiver of `code` names, by their row or one of their bundles.
pub fn waived_seeds(config: &Config, code: Code) -> impl Iterator<Item = &Seed> {
    let waivers = move || config.waivers.iter().filter(move |waiver| waiver.code == code);
    config.seeds.iter().filter(move |seed| waivers().any(|waiver| names(seed, &waiver.path)))
}

/// Whether `path` names the row of `seed` or one of its bundles. Names are compared whole.
fn names(seed: &Seed, path: &str) -> bool {
    let mut bundles = bundles(seed);
    seed.id() == path || bundles.any(|bundle| bundle.as_str() == path)
}

fn bundles(seed: &Seed) -> impl Iterator<Item = &BelowPath> {
    let more = [seed.lift_bundle.as_ref(), seed.held_out_bundle.as_ref()];
    more.into_iter().flatten().chain([&seed.public_bundle])
}

/// Which rows and bundles findings are about.
struct Places<'a> {
    config: &'a Config,
    scope: &'a WaiverScope<'a>,
}

impl Places<'_> {
    fn rows(&self) -> &[String] {
        match self.scope {
            WaiverScope::Board { rows, .. } => rows,
            _ => &[],
        }
    }

    fn problem(&self, waiver: &Waiver) -> Option<Problem> {
        let path = waiver.path.as_str();
        let known = self.config.seeds.iter().any(|seed| names(seed, path))
            || self.rows().iter().any(|row| row == path);
        (!known).then(|| {
            let help = "write the path of one bundle as its seed has it, or `provider:model`";
            let problem = Problem::new("`path` of the waiver is not a bundle or a row", help);
            // A row of the published board without a seed may be meant; `build` does not read it.
            Problem {
                is_note: matches!(self.scope, WaiverScope::Build) && !path.is_empty(),
                ..problem
            }
        })
    }

    fn unmatched(&self, waiver: &Waiver) -> Problem {
        let code = waiver.code;
        let what = format!("the waiver of {code} covers nothing that was found");
        let was_read = match self.scope {
            WaiverScope::Board { read, .. } => read.contains(&waiver.path),
            _ => false,
        };
        // L-WORDS needs the held-out set.
        let is_note = !was_read || code == Code::LWords;
        Problem { is_note, ..Problem::new(what, "remove the waiver if it is not needed any more") }
    }

    /// Seeds that `finding` is about.
    fn seeds_of(&self, finding: &Finding) -> Vec<&Seed> {
        let seeds = &self.config.seeds;
        if let Some(index) = index(&finding.path, "seeds[") {
            return seeds.get(index).into_iter().collect();
        }
        if let Some(row) = index(&finding.path, "entries[").and_then(|at| self.rows().get(at)) {
            return seeds.iter().filter(|seed| seed.id() == *row).collect();
        }
        let file = finding.file.as_str();
        let open = |seed: &&Seed| {
            let lift = seed.lift_bundle.as_ref();
            [Some(&seed.public_bundle), lift].into_iter().flatten().any(|it| is_below(file, it))
        };
        let of_public: Vec<&Seed> = seeds.iter().filter(open).collect();
        if !of_public.is_empty() {
            return of_public;
        }
        let held = |seed: &&Seed| seed.held_out_bundle.as_ref().is_some_and(|it| ends_in(file, it));
        seeds.iter().filter(held).collect()
    }

    fn rows_of(&self, finding: &Finding) -> BTreeSet<String> {
        let row = index(&finding.path, "entries[").and_then(|at| self.rows().get(at));
        let seeds = self.seeds_of(finding).into_iter().map(Seed::id);
        row.cloned().into_iter().chain(seeds).collect()
    }

    /// Whether `finding` is about the row or bundle that `path` names.
    fn is_at(&self, finding: &Finding, path: &str) -> bool {
        if self.rows_of(finding).contains(path) {
            return true;
        }
        let file = finding.file.as_str();
        self.seeds_of(finding).iter().any(|seed| {
            let held = seed.held_out_bundle.as_ref();
            let open = [Some(&seed.public_bundle), seed.lift_bundle.as_ref()];
            let mut open = open.into_iter().flatten().filter(|it| it.as_str() == path);
            let is_public = file.is_empty() || index(&finding.path, "entries[").is_some();
            open.any(|it| is_public || is_below(file, it))
                || held.is_some_and(|it| it.as_str() == path && ends_in(file, it))
        })
    }
}

/// The number in `entries[3].public` for `entries[`.
fn index(path: &str, list: &str) -> Option<usize> {
    path.strip_prefix(list)?.split_once(']')?.0.parse().ok()
}

fn is_below(file: &str, dir: &BelowPath) -> bool {
    file.strip_prefix(dir.as_str()).is_some_and(|rest| rest.starts_with('/'))
}

/// Whether `file` is one of the files of the held-out bundle `dir`, wherever that lies.
fn ends_in(file: &str, dir: &BelowPath) -> bool {
    let Some((folder, _)) = file.rsplit_once('/') else { return false };
    let above = folder.strip_suffix(dir.as_str());
    above.is_some_and(|above| above.is_empty() || above.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: &str = "2026-11-17";
    const BUNDLE: &str = "leaderboard/bundles/a";

    fn config(waivers: &str) -> Config {
        let text = format!(
            r#"{{"seeds": [
                {{"provider": "p", "model": "a", "public_bundle": "{BUNDLE}", "held_out_bundle": "a"}},
                {{"provider": "p", "model": "ab", "public_bundle": "{BUNDLE}b"}}],
               "waivers": {waivers}}}"#
        );
        Config::parse(text.as_bytes(), "seeds.json").expect("a config")
    }

    fn waiver(code: Code, path: &str, until: &str) -> String {
        format!(
            r#"[{{"code": "{code}", "path": "{path}", "who": "x", "why": "y", "until": "{until}"}}]"#
        )
    }

    fn applied(waivers: &str, findings: &[Finding], scope: &WaiverScope<'_>) -> Waived {
        waive(&config(waivers), "seeds.json", findings.to_vec(), TODAY, scope)
    }

    fn board(rows: &[String]) -> WaiverScope<'_> {
        let read = ["p:a", "p:ab", BUNDLE, "leaderboard/bundles/ab"];
        WaiverScope::Board { rows, read: read.map(str::to_owned).into() }
    }

    fn codes(waived: &Waived) -> Vec<(Code, bool)> {
        waived.findings.iter().map(|finding| (finding.code, finding.decides())).collect()
    }

    /// Findings of `code` at every place one can be.
    fn everywhere(code: Code) -> Vec<Finding> {
        [
            ("leaderboard/leaderboard.json", "entries[0].public.pass_rate"),
            ("leaderboard/leaderboard.json", "entries[0]"),
            ("leaderboard/leaderboard.json", "public_set"),
            ("seeds.json", "seeds[0]"),
            ("seeds.json", "waivers[0]"),
            ("leaderboard/bundles/a/judge.json", ""),
            ("leaderboard/bundles/ab/judge.json", ""),
            ("held-out/a/judge.json", ""),
            ("", ""),
        ]
        .map(|(file, path)| Finding::new(code, file, path, "wrong"))
        .into()
    }

    #[test]
    fn no_waiver_takes_a_finding_away_that_could_hide_a_false_score() {
        let rows = ["p:a".to_owned(), "p:ab".to_owned()];
        let paths = [
            "",
            "p:a",
            "p:ab",
            "p:",
            "p",
            BUNDLE,
            "leaderboard/bundles/ab",
            "leaderboard",
            "a",
            "leaderboard/leaderboard.json",
            "entries[0]",
            "entries",
            "seeds.json",
            "seeds[0]",
        ];
        for code in Code::all().filter(|code| !code.is_waivable()) {
            for path in paths {
                let config = waiver(code, path, "2027-11-17");
                for scope in [board(&rows), WaiverScope::Build] {
                    let waived = applied(&config, &everywhere(code), &scope);
                    let left = waived.findings.iter().filter(|finding| finding.what == "wrong");
                    assert_eq!(left.count(), everywhere(code).len(), "{code} at `{path}`");
                    assert!(waived.used.is_empty(), "{code} at `{path}`");
                    assert_eq!(waived.findings[0].code, Code::EWaiver, "{code} at `{path}`");
                }
            }
        }
    }

    #[test]
    fn names_are_compared_whole() {
        let rows = ["p:a".to_owned(), "p:ab".to_owned()];
        for (path, left) in [(BUNDLE, 1), ("p:a", 1), ("p:ab", 1), ("leaderboard/bundles", 2)] {
            let findings = [BUNDLE, "leaderboard/bundles/ab"]
                .map(|dir| Finding::new(Code::BVotes, format!("{dir}/judge.json"), "", "short"));
            let waived =
                applied(&waiver(Code::BVotes, path, "2027-01-31"), &findings, &board(&rows));
            let short = waived.findings.iter().filter(|finding| finding.what == "short");
            assert_eq!(short.count(), left, "{path}");
        }
    }

    #[test]
    fn a_row_covers_its_held_out_bundle_and_its_public_bundle_does_not() {
        let rows = ["p:a".to_owned(), "p:ab".to_owned()];
        let findings = [Finding::new(Code::BVotes, "held-out/a/judge.json", "", "short")];
        for (path, is_waived) in [("p:a", true), ("a", true), (BUNDLE, false), ("p:ab", false)] {
            let waivers = waiver(Code::BVotes, path, "2027-01-31");
            let waived = applied(&waivers, &findings, &board(&rows));
            assert_eq!(waived.used.len(), usize::from(is_waived), "{path}");
        }
    }

    #[test]
    fn a_waiver_runs_a_year_at_most() {
        let rows = [];
        let findings = [Finding::new(Code::BVotes, format!("{BUNDLE}/judge.json"), "", "short")];
        for (until, is_waived) in [
            ("2026-11-16", false),
            ("2026-11-17", true),
            ("2027-11-17", true),
            ("2027-11-18", false),
            ("2999-01-31", false),
        ] {
            let waivers = waiver(Code::BVotes, BUNDLE, until);
            let waived = applied(&waivers, &findings, &board(&rows));
            let wanted = if is_waived { vec![] } else { vec![Code::EWaiver, Code::BVotes] };
            let codes: Vec<Code> = waived.findings.iter().map(|finding| finding.code).collect();
            assert_eq!(codes, wanted, "{until}");
        }
    }

    #[test]
    fn a_note_can_be_waived_whatever_its_code() {
        let rows = ["p:a".to_owned()];
        let note = Finding::new(Code::BUsage, format!("{BUNDLE}/completions.json"), "", "x").note();
        let waivers = waiver(Code::BUsage, "p:a", "2027-01-31");
        let waived = applied(&waivers, &[note], &board(&rows));
        assert_eq!((codes(&waived), waived.used.len()), (vec![], 1));
        assert_eq!(waived.used[0].rows, BTreeSet::from(["p:a".to_owned()]));
    }

    #[test]
    fn a_waiver_that_covers_nothing_decides_only_where_its_place_was_read() {
        let rows = ["p:a".to_owned(), "p:ab".to_owned()];
        let config = config("[]");
        let (a, ab) = (&config.seeds[0], &config.seeds[1]);
        let waivers = waiver(Code::BVotes, BUNDLE, "2027-01-31");
        let unread = WaiverScope::Board { rows: &rows, read: BTreeSet::new() };
        for (scope, wanted) in [
            (board(&rows), vec![(Code::EWaiver, true)]),
            (unread, vec![(Code::EWaiver, false)]),
            (WaiverScope::Build, vec![(Code::EWaiver, false)]),
            (WaiverScope::Row(a), vec![(Code::EWaiver, false)]),
            (WaiverScope::Entry(a), vec![(Code::EWaiver, false)]),
            (WaiverScope::Row(ab), vec![]),
            (WaiverScope::Entry(ab), vec![]),
        ] {
            assert_eq!(codes(&applied(&waivers, &[], &scope)), wanted, "{scope:?}");
        }
    }

    #[test]
    fn an_entrant_sees_only_waivers_that_are_wrong() {
        let config = config("[]");
        let waivers = waiver(Code::EDiff, BUNDLE, "2020-01-31");
        let reported = codes(&applied(&waivers, &[], &WaiverScope::Entry(&config.seeds[0])));
        assert_eq!(reported, [(Code::EWaiver, false)]);
        let reported = codes(&applied(&waivers, &[], &WaiverScope::Row(&config.seeds[0])));
        assert_eq!(reported, [(Code::EWaiver, true)]);
    }
}
