//! Checks a row against its bundle; without a bundle, checks that its own values agree.

use std::collections::BTreeSet;

use super::{Auditor, Headline, Published, headline};
use crate::board::audit::diff::{ABSENT, Difference, differences, show};
use crate::board::audit::plausible::misfits;
use crate::board::build::Scored;
use crate::board::model::{HeldOut, Row};
use crate::board::rules::CRLF;
use crate::domain::{Code, Finding, Gap, is_version};
use crate::json::{self, Node};

impl Auditor<'_> {
    pub(super) fn row(&mut self, index: usize, row: &Published<'_, '_>) {
        let version = text_at(row.node, "run", "tool_version");
        if version.is_some_and(|version| !is_version(version)) {
            self.in_row(index, Code::ERun, "run.tool_version", "`tool_version` is not a version");
        }
        let scored = self.against.zip(row.seed).map(|(against, seed)| {
            let scored = against.seeds.scored.iter().find(|scored| scored.seed == seed);
            let version = version.unwrap_or_default();
            (seed, scored.map(|scored| (scored, scored.row(against.config, 0, version))))
        });
        match scored {
            Some((_, Some((scored, rebuilt)))) => self.rebuilt_row(index, row, scored, rebuilt),
            Some((seed, None)) => self.unreadable_row(index, seed),
            None => self.lone_row(index, row),
        }
    }

    /// A note if a newer program than this one scored rows: it may know rules that this one does not.
    pub(super) fn newer_version(&mut self, rows: &[Published<'_, '_>]) {
        let own = env!("CARGO_PKG_VERSION");
        let newer: Vec<(usize, &str)> = rows
            .iter()
            .enumerate()
            .filter_map(|(index, row)| Some((index, text_at(row.node, "run", "tool_version")?)))
            .filter(|(_, version)| numbers(version) > numbers(own))
            .collect();
        if let Some((first, version)) = newer.first() {
            let what = format!(
                "{} row(s) were scored by a newer program, such as {version}; this is {own}",
                newer.len()
            );
            let path = format!("entries[{first}].run.tool_version");
            let help = "if something differs, check it with that version";
            self.whole.push(Finding::new(Code::ERun, self.file, path, what).note().help(help));
        }
    }

    fn unreadable_row(&mut self, index: usize, seed: usize) {
        let Some(against) = self.against else { return };
        if against.seeds.absent.contains(&seed) {
            let bundle = &against.config.seeds[seed].public_bundle;
            let what = format!("the bundle `{bundle}` is missing, so the row cannot be rebuilt");
            self.in_row(index, Code::EBundle, "run.recorded_bundle_sha16", what);
        }
    }

    fn rebuilt_row(
        &mut self,
        index: usize,
        row: &Published<'_, '_>,
        scored: &Scored,
        mut rebuilt: Row,
    ) {
        let rescored = scored.held_out.is_some();
        if !rescored {
            rebuilt.held_out = row.held_out.clone().unwrap_or(HeldOut::Pending);
        }
        let published = headline(row.node);
        let headline = if rescored { rebuilt.held_out.rate() } else { published.rate() };
        rebuilt.overfit_gap =
            headline.map(|headline| Gap::between(rebuilt.public.pass_rate, headline));
        let bytes = json::pretty(&rebuilt);
        let Ok(rebuilt_node) = json::parse(&bytes) else { return };
        let strange: BTreeSet<String> =
            self.rows[index].iter().map(|finding| finding.path.clone()).collect();
        let mut differences = differences(row.node, &rebuilt_node.root);
        differences.sort_by_key(|difference| consequence(&difference.path));
        for difference in differences {
            let path = format!("entries[{index}].{}", difference.path);
            let reported = strange
                .iter()
                .any(|reported| path == *reported || path.starts_with(&format!("{reported}.")));
            let own_held_out = difference.path.starts_with("held_out") && !rescored;
            let no_gap =
                difference.path == "overfit_gap" && !rescored && published == Headline::Unclear;
            if difference.path != "rank" && !reported && !own_held_out && !no_gap {
                self.difference(index, &rebuilt, &difference, scored);
            }
        }
        self.audit.rows_checked += 1;
        self.audit.held_out_checked += usize::from(rescored);
        let taken =
            !rescored && row.held_out.as_ref().is_some_and(|cell| *cell != HeldOut::Pending);
        self.audit.held_out_taken += usize::from(taken);
    }

    fn difference(&mut self, index: usize, row: &Row, difference: &Difference, scored: &Scored) {
        let Difference { path, published, rebuilt } = difference;
        // A held-out tier that is not published is not named either.
        let path = match path.strip_prefix("held_out.by_tier.") {
            Some(_) if published == ABSENT => "held_out.by_tier",
            _ => path.as_str(),
        };
        let first = path.split(['.', '[']).next().unwrap_or_default();
        let (code, what) = match (first, path) {
            ("public", _) => (Code::EDiff, format!("row `{}` does not reproduce", row.id())),
            ("usage", _) => (
                Code::EUsage,
                format!("usage of row `{}` differs from the sum over its bundle", row.id()),
            ),
            ("close_the_loop", _) => {
                (Code::ELoop, format!("close_the_loop of row `{}` does not reproduce", row.id()))
            }
            ("overfit_gap", _) => (
                Code::EGap,
                format!("the gap of row `{}` differs from public − held-out", row.id()),
            ),
            ("held_out", _) => {
                (Code::EHeld, format!("the headline of row `{}` does not reproduce", row.id()))
            }
            (_, "run.recorded_bundle_sha16") => (
                Code::EHash,
                format!("row `{}` was scored on another bundle than the one on disk", row.id()),
            ),
            _ => (Code::ERun, format!("row `{}` differs from the config at `{path}`", row.id())),
        };
        let finding = self.in_row(index, code, path, what);
        finding.published = Some(published.clone());
        finding.rebuilt = Some(rebuilt.clone());
        if code == Code::EHash && scored.has_crlf {
            finding.help = CRLF.into();
        }
    }

    /// What a row says about itself, when there is nothing to rebuild it from.
    fn lone_row(&mut self, index: usize, row: &Published<'_, '_>) {
        let member = |key: &str| row.node.object().ok().and_then(|row| row.get(key));
        let public = row.public.as_ref().map(|cell| cell.pass_rate);
        let headline = headline(row.node);
        let gap =
            public.zip(headline.rate()).map(|(anchor, headline)| Gap::between(anchor, headline));
        if let (Some(published), Some(_)) = (member("overfit_gap"), public)
            && headline != Headline::Unclear
        {
            let rebuilt = gap.map_or_else(|| "null".to_owned(), |gap| gap.to_string());
            let shown = show(published);
            if shown != rebuilt
                && self.rows[index].iter().all(|finding| !finding.path.ends_with("overfit_gap"))
            {
                let finding = self.in_row(
                    index,
                    Code::EGap,
                    "overfit_gap",
                    "the gap differs from public − held-out",
                );
                (finding.published, finding.rebuilt) = (Some(shown), Some(rebuilt));
            }
        }
        if let Some(cell) = row.public.as_ref()
            && !misfits(&[(index, cell)], false).is_empty()
        {
            self.in_row(
                index,
                Code::EDiff,
                "public",
                "these rates are not possible for this number of prompts",
            );
        }
        if row.public.is_none()
            && member("public").is_some_and(|cell| cell.object().is_ok())
            && self.rows[index].iter().all(|finding| !finding.path.contains("public"))
        {
            self.in_row(
                index,
                Code::EDiff,
                "public",
                "the rates are not thousandths between 0 and 1",
            );
        }
        let sha16 = text_at(row.node, "run", "recorded_bundle_sha16");
        let is_hex = |text: &str| {
            text.len() == 16 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        if sha16.is_some_and(|text| !is_hex(text)) {
            self.in_row(
                index,
                Code::EHash,
                "run.recorded_bundle_sha16",
                "expected 16 lower-case hex digits",
            );
        }
        let verified =
            member("run").and_then(|run| run.object().ok()?.get("verified")?.boolean().ok());
        if verified == Some(false) {
            self.in_row(
                index,
                Code::ERun,
                "run.verified",
                "`verified` is always true in a built row",
            );
        }
    }
}

/// How far down the chain of causes a difference is: another bundle changes the rates, and
/// the rates change the gap.
fn consequence(path: &str) -> u8 {
    match path {
        "run.recorded_bundle_sha16" => 0,
        "overfit_gap" => 2,
        _ => 1,
    }
}

/// Major, minor and patch; a part that is not a number counts as 0.
fn numbers(version: &str) -> [u64; 3] {
    let mut parts = version.split(['.', '-', '+']).map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

fn text_at<'n>(row: &'n Node<'_>, object: &str, key: &str) -> Option<&'n str> {
    row.object().ok()?.get(object)?.object().ok()?.get(key)?.as_str()
}
