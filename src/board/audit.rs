//! Everything that can be checked of a published board: rebuild it and compare.
//!
//! What a newcomer gets wrong: rows are compared as parsed JSON, not as typed rows, so that a
//! value of the wrong kind is named at its place instead of being turned away whole.

use std::collections::{BTreeMap, BTreeSet};

use super::build::{Scored, assemble};
use super::differ::{Difference, differences, show};
use super::form::{Misfit, misfits};
use super::gather::Gathered;
use super::model::{Cell, HeldOut, RANKING, Row};
use super::read;
use super::schema;
use super::sets::USUAL_TIERS;
use crate::domain::config::{Config, HeldOutTiers};
use crate::domain::{Code, Failure, Finding, Gap, Rate, is_stamp, is_version};
use crate::json::{self, Document, Node, Value};

/// What a board is compared with. Without it only the board's own form is checked.
#[derive(Debug, Clone, Copy)]
pub struct Against<'a> {
    /// The config.
    pub config: &'a Config,
    /// How it is named to people.
    pub config_file: &'a str,
    /// Its seeds, replayed.
    pub gathered: &'a Gathered,
}

/// What an audit leaves out, because the user said so.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scope {
    /// Rows without a seed are no finding.
    pub allow_unseeded: bool,
    /// A board none of whose rows has a seed is no finding.
    pub allow_empty: bool,
    /// The config was cut down to one seed: rules about all rows do not apply.
    pub one_row: bool,
}

/// What an audit found.
#[derive(Debug, Default)]
pub struct Audit {
    /// Findings and notes: of the whole board first, then row by row.
    pub findings: Vec<Finding>,
    /// Rows re-derived from their public bundle.
    pub rows_checked: usize,
    /// Rows whose headline was re-derived too.
    pub held_out_checked: usize,
    /// Rows whose headline is published but was not re-derived.
    pub held_out_taken: usize,
}

/// Audits the bytes of a board; a failure means they are not JSON at all.
pub fn audit(
    bytes: &[u8],
    file: &str,
    against: Option<&Against<'_>>,
    scope: Scope,
) -> Result<Audit, Failure> {
    let document = json::parse(bytes).map_err(|error| Failure::json(file, &error))?;
    let shape = schema::check(&document.root, file);
    let mut auditor = Auditor {
        file,
        against,
        scope,
        whole: shape.header,
        rows: shape.rows,
        audit: Audit::default(),
    };
    auditor.board(&document, bytes);
    let Auditor { whole, rows, mut audit, .. } = auditor;
    audit.findings = whole.into_iter().chain(rows.into_iter().flatten()).collect();
    Ok(audit)
}

struct Auditor<'a> {
    file: &'a str,
    against: Option<&'a Against<'a>>,
    scope: Scope,
    whole: Vec<Finding>,
    rows: Vec<Vec<Finding>>,
    audit: Audit,
}

/// A published row, as far as it can be understood.
struct Published<'n, 'a> {
    node: &'n Node<'a>,
    provider: &'n str,
    model: &'n str,
    held_out: Option<HeldOut>,
    public: Option<Cell>,
    seed: Option<usize>,
}

impl Auditor<'_> {
    fn board(&mut self, document: &Document<'_>, bytes: &[u8]) {
        let Some(rows) =
            document.root.object().ok().and_then(|header| header.get("entries")?.array().ok())
        else {
            return;
        };
        self.header(&document.root);
        let mut published: Vec<Published<'_, '_>> = rows.iter().map(understand).collect();
        self.seeds(&mut published);
        self.held_out_form(&published);
        self.tiers(&published);
        for (index, row) in published.iter().enumerate() {
            self.row(index, row);
        }
        self.order(&published);
        self.spelling(document, bytes);
    }

    fn in_row(
        &mut self,
        index: usize,
        code: Code,
        path: &str,
        what: impl Into<String>,
    ) -> &mut Finding {
        let finding = Finding::new(code, self.file, format!("entries[{index}].{path}"), what);
        self.rows[index].push(finding);
        self.rows[index].last_mut().expect("just pushed")
    }

    fn header(&mut self, root: &Node<'_>) {
        let Ok(header) = root.object() else { return };
        let text = |key: &str| header.get(key).and_then(Node::as_str);
        if text("generated_at").is_some_and(|stamp| !is_stamp(stamp)) {
            let what = "the stamp is not a moment in UTC such as 2026-06-18T00:00:00Z";
            self.whole.push(Finding::new(Code::EHeader, self.file, "generated_at", what));
        }
        if text("ranking").is_some_and(|ranking| ranking != RANKING) {
            let what = "`ranking` is not the sentence every board carries";
            self.whole.push(Finding::new(Code::EHeader, self.file, "ranking", what));
        }
        let Some(against) = self.against else { return };
        let rebuilt =
            assemble(against.config, Vec::new(), text("generated_at").unwrap_or_default()).bytes();
        let Ok(rebuilt) = json::parse(&rebuilt) else { return };
        for key in ["eval_protocol_version", "judge_model", "public_set", "held_out_set"] {
            let ours = header.get(key);
            let theirs = rebuilt.root.object().ok().and_then(|rebuilt| rebuilt.get(key));
            for difference in ours.zip(theirs).map(|(a, b)| differences(a, b)).unwrap_or_default() {
                let path =
                    [key, &difference.path].join(if difference.path.is_empty() { "" } else { "." });
                let what = format!("the header differs from the config at `{path}`");
                let finding = Finding::new(Code::EHeader, self.file, path, what);
                self.whole.push(finding.sides(difference.published, difference.rebuilt));
            }
        }
    }

    /// Which seed each row belongs to; rows nobody asked for, rows that are there twice, and seeds
    /// that have no row.
    fn seeds(&mut self, published: &mut [Published<'_, '_>]) {
        let Some(against) = self.against else { return self.duplicates(published) };
        let seeds = &against.config.seeds;
        let mut free: BTreeSet<usize> = (0..seeds.len()).collect();
        for row in published.iter_mut() {
            let own = seeds
                .iter()
                .position(|seed| seed.provider == row.provider && seed.model == row.model);
            row.seed = own;
            own.inspect(|own| {
                free.remove(own);
            });
        }
        // A row whose provider alone differs is that seed's row with a wrong provider.
        for row in published.iter_mut().filter(|row| row.seed.is_none()) {
            let mut same = free.iter().copied().filter(|seed| seeds[*seed].model == row.model);
            if let (Some(only), None) = (same.next(), same.next()) {
                row.seed = Some(only);
                free.remove(&only);
            }
        }
        self.duplicates(published);
        if self.scope.one_row {
            return;
        }
        if published.iter().all(|row| row.seed.is_none()) && !self.scope.allow_empty {
            let what =
                format!("none of the {} row(s) belongs to a seed of the config", published.len());
            self.whole.push(Finding::new(Code::EEmpty, self.file, "entries", what));
        }
        for scored in against.gathered.scored.iter().filter(|scored| free.contains(&scored.seed)) {
            let what = format!("seed `{}` has a bundle but no row", scored.row.id());
            let path = format!("seeds[{}]", scored.seed);
            self.whole.push(Finding::new(Code::ERowMissing, against.config_file, path, what));
        }
        for (index, row) in published.iter().enumerate().filter(|(_, row)| row.seed.is_none()) {
            let path = format!("entries[{index}]");
            let finding = Finding::new(
                Code::ERowUnknown,
                self.file,
                path,
                "the row belongs to no seed of the config",
            );
            let finding = if self.scope.allow_unseeded { finding.note() } else { finding };
            // A name in a foreign alphabet is a stranger first; markup and control characters are
            // told as what they are first.
            let letters = row.model.chars().all(|c| c.is_alphanumeric() || "._:/+@-".contains(c));
            if letters {
                self.rows[index].insert(0, finding);
            } else {
                self.rows[index].push(finding);
            }
        }
    }

    fn duplicates(&mut self, published: &[Published<'_, '_>]) {
        let mut seen = BTreeMap::new();
        for (index, row) in published.iter().enumerate() {
            if let Some(first) = seen.insert((row.provider, row.model), index) {
                let what = format!("the row repeats provider and model of entries[{first}]");
                self.rows[index].push(Finding::new(
                    Code::ERowDup,
                    self.file,
                    format!("entries[{index}]"),
                    what,
                ));
            }
        }
    }

    /// Headlines that were not re-derived must at least be the result of counting one set.
    fn held_out_form(&mut self, published: &[Published<'_, '_>]) {
        let cells: Vec<(usize, &Cell)> = published
            .iter()
            .enumerate()
            .filter_map(|(index, row)| Some((index, row.held_out.as_ref()?.cell()?)))
            .collect();
        let suppressed =
            |against: &Against<'_>| against.config.held_out_tiers == HeldOutTiers::SuppressSmall;
        for (index, misfit) in misfits(&cells, self.against.is_none_or(suppressed)) {
            let (code, what) = match misfit {
                Misfit::Impossible => (Code::EHeldForm, "no counts of prompts give these rates"),
                Misfit::OtherSet => {
                    (Code::EHeldSet, "the row has another number of held-out prompts or tiers")
                }
                Misfit::OtherSizes => {
                    (Code::EHeldSet, "these rates need other tier sizes than the other rows have")
                }
            };
            self.in_row(index, code, "held_out", what);
        }
        for (index, row) in published.iter().enumerate().filter(|(_, row)| row.held_out.is_none()) {
            // What is not even a cell was told by the schema.
            if self.rows[index].iter().all(|finding| !finding.path.contains("held_out"))
                && is_cell(row.node)
            {
                self.in_row(
                    index,
                    Code::EHeldForm,
                    "held_out",
                    "the rates are not thousandths between 0 and 1",
                );
            }
        }
    }

    /// Tier names come from the public set: per-prompt results could hide in any other.
    fn tiers(&mut self, published: &[Published<'_, '_>]) {
        let mut known: BTreeSet<&str> = USUAL_TIERS.into();
        match self.against {
            Some(against) => {
                for scored in &against.gathered.scored {
                    let loops = scored.row.close_the_loop.iter();
                    known.extend(scored.tiers.keys().map(String::as_str));
                    known.extend(
                        loops.flat_map(|cell| cell.dry_run_agreement.keys().map(String::as_str)),
                    );
                }
            }
            None => {
                let cells = published.iter().filter_map(|row| row.public.as_ref());
                known.extend(cells.flat_map(|cell| cell.by_tier.keys().map(String::as_str)));
            }
        }
        for (index, row) in published.iter().enumerate() {
            for (cell, tiers) in [("held_out", "by_tier"), ("close_the_loop", "dry_run_agreement")]
            {
                let tiers_node = row
                    .node
                    .object()
                    .ok()
                    .and_then(|row| row.get(cell)?.object().ok()?.get(tiers)?.object().ok());
                let strange = tiers_node.map_or(0, |tiers| {
                    tiers.iter().filter(|(tier, _)| !known.contains(&***tier)).count()
                });
                if strange > 0 {
                    let what = format!("{strange} of these names are not tiers of the public set");
                    self.in_row(index, Code::LTier, &format!("{cell}.{tiers}"), what);
                }
            }
        }
    }

    fn row(&mut self, index: usize, row: &Published<'_, '_>) {
        let version = text_at(row.node, "run", "tool_version");
        if version.is_some_and(|version| !is_version(version)) {
            self.in_row(index, Code::ERun, "run.tool_version", "`tool_version` is not a version");
        }
        let scored = self.against.zip(row.seed).map(|(against, seed)| {
            (seed, against.gathered.scored.iter().find(|scored| scored.seed == seed))
        });
        match scored {
            Some((_, Some(scored))) => {
                self.rebuilt_row(index, row, scored, version.unwrap_or_default());
            }
            Some((seed, None)) => self.unreadable_row(index, seed),
            None => self.lone_row(index, row),
        }
    }

    fn unreadable_row(&mut self, index: usize, seed: usize) {
        let Some(against) = self.against else { return };
        if against.gathered.absent.contains(&seed) {
            let bundle = &against.config.seeds[seed].public_bundle;
            let what =
                format!("the bundle `{bundle}` is not there, so the row cannot be re-derived");
            self.in_row(index, Code::EBundle, "run.recorded_bundle_sha16", what);
        }
    }

    fn rebuilt_row(
        &mut self,
        index: usize,
        row: &Published<'_, '_>,
        scored: &Scored,
        version: &str,
    ) {
        let mut rebuilt = scored.row.clone();
        version.clone_into(&mut rebuilt.run.tool_version);
        let rescored = scored.held_out_set.is_some();
        if !rescored {
            rebuilt.held_out = row.held_out.clone().unwrap_or(HeldOut::Pending);
        }
        let headline = if rescored { rebuilt.held_out.rate() } else { headline(row.node) };
        rebuilt.overfit_gap =
            headline.map(|headline| Gap::between(rebuilt.public.pass_rate, headline));
        let bytes = json::pretty(&rebuilt);
        let Ok(rebuilt_node) = json::parse(&bytes) else { return };
        let strange: BTreeSet<String> =
            self.rows[index].iter().map(|finding| finding.path.clone()).collect();
        for difference in differences(row.node, &rebuilt_node.root) {
            let path = format!("entries[{index}].{}", difference.path);
            let told =
                strange.iter().any(|told| path == *told || path.starts_with(&format!("{told}.")));
            let own_held_out = difference.path.starts_with("held_out") && !rescored;
            if difference.path != "rank" && !told && !own_held_out {
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
        let first = path.split('.').next().unwrap_or_default();
        let (code, what) = match (first, path.as_str()) {
            ("public", _) => (Code::EDiff, format!("row `{}` does not reproduce", row.id())),
            ("usage", _) => (
                Code::EUsage,
                format!("usage of row `{}` is not what its bundle adds up to", row.id()),
            ),
            ("close_the_loop", _) => {
                (Code::ELoop, format!("close_the_loop of row `{}` does not reproduce", row.id()))
            }
            ("overfit_gap", _) => {
                (Code::EGap, format!("the gap of row `{}` is not anchor − headline", row.id()))
            }
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
            finding.help = "the bundle has CRLF line ends: check it out again with `* -text` in .gitattributes".into();
        }
    }

    /// What a row says about itself, when there is nothing to rebuild it from.
    fn lone_row(&mut self, index: usize, row: &Published<'_, '_>) {
        let member = |key: &str| row.node.object().ok().and_then(|row| row.get(key));
        let public = row.public.as_ref().map(|cell| cell.pass_rate);
        let gap =
            public.zip(headline(row.node)).map(|(anchor, headline)| Gap::between(anchor, headline));
        if let (Some(published), Some(_)) = (member("overfit_gap"), public) {
            let rebuilt = gap.map_or_else(|| "null".to_owned(), |gap| gap.to_string());
            let shown = show(published);
            if shown != rebuilt
                && self.rows[index].iter().all(|finding| !finding.path.ends_with("overfit_gap"))
            {
                let finding = self.in_row(
                    index,
                    Code::EGap,
                    "overfit_gap",
                    "the gap is not anchor − headline",
                );
                (finding.published, finding.rebuilt) = (Some(shown), Some(rebuilt));
            }
        }
        if let Some(cell) = row.public.as_ref()
            && !misfits(&[(index, cell)], false).is_empty()
        {
            self.in_row(index, Code::EDiff, "public", "no counts of prompts give these rates");
        }
        if row.public.is_none()
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
                "a sha16 is 16 lower-case hex digits",
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

    /// Rows are in the recomputed order and carry their position.
    fn order(&mut self, published: &[Published<'_, '_>]) {
        if self.scope.one_row {
            return;
        }
        let mut order: Vec<usize> = (0..published.len()).collect();
        let key = |index: &usize| {
            let row = &published[*index];
            (std::cmp::Reverse(headline(row.node)), row.model, row.seed.unwrap_or(usize::MAX))
        };
        order.sort_by(|a, b| key(a).cmp(&key(b)));
        if let Some(position) =
            order.iter().enumerate().position(|(position, index)| position != *index)
        {
            let what = "rows are not in the order of their headlines, then their names";
            let finding =
                Finding::new(Code::EOrder, self.file, format!("entries[{position}]"), what);
            let name = |index: usize| {
                format!("`{}`", published[index].model.chars().take(40).collect::<String>())
            };
            self.whole.push(finding.sides(name(position), name(order[position])));
        }
        for (position, index) in order.into_iter().enumerate() {
            let rank = published[index].node.object().ok().and_then(|row| row.get("rank"));
            let Some(Node { value: Value::Number(number), .. }) = rank else { continue };
            let expected = position as u64 + 1;
            if number.as_u64() != Some(expected) {
                let published = number.as_str().chars().take(24).collect::<String>();
                let finding =
                    self.in_row(index, Code::ERank, "rank", "the rank is not the row's position");
                (finding.published, finding.rebuilt) =
                    (Some(published), Some(expected.to_string()));
            }
        }
    }

    /// The bytes are the canonical spelling of what they say.
    fn spelling(&mut self, document: &Document<'_>, bytes: &[u8]) {
        let told = |finding: &Finding| finding.code == Code::JCanon;
        if self.whole.iter().chain(self.rows.iter().flatten()).any(told) {
            return;
        }
        let canonical = json::pretty(&document.root);
        if canonical != bytes {
            let same = canonical.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            let line = memchr::memchr_iter(b'\n', &bytes[..same]).count() + 1;
            let what = format!("line {line} is not spelt as the canonical bytes spell it");
            self.whole.push(Finding::new(Code::JCanon, self.file, "", what));
        }
    }
}

fn understand<'n, 'a>(node: &'n Node<'a>) -> Published<'n, 'a> {
    let object = node.object().ok();
    let text = |key: &str| object.and_then(|row| row.get(key)?.as_str()).unwrap_or_default();
    Published {
        node,
        provider: text("provider"),
        model: text("model"),
        held_out: object.and_then(|row| read::held_out(row.get("held_out")?)),
        public: object.and_then(|row| read::cell(row.get("public")?)),
        seed: None,
    }
}

/// The published headline, on the grid or not far from it.
fn headline(row: &Node<'_>) -> Option<Rate> {
    let rate = row.object().ok()?.get("held_out")?.object().ok()?.get("pass_rate")?;
    Rate::nearest(rate.number().ok()?.as_f64())
}

fn is_cell(row: &Node<'_>) -> bool {
    row.object().is_ok_and(|row| row.get("held_out").is_some_and(|cell| cell.object().is_ok()))
}

fn text_at<'n>(row: &'n Node<'_>, object: &str, key: &str) -> Option<&'n str> {
    row.object().ok()?.get(object)?.object().ok()?.get(key)?.as_str()
}
