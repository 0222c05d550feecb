//! Everything that can be checked of a published board: rebuild it and compare.
//!
//! Rows are compared as parsed JSON, not as typed rows, so that a value of the wrong kind is named
//! at its place instead of being turned away whole.

mod diff;
mod headlines;
mod not_covered;
mod plausible;
mod rows;
mod seeds;

pub use not_covered::NotCovered;

use std::collections::BTreeMap;

use crate::board::audit::diff::differences;
use crate::board::model::{Cell, HeldOut, RANKING};
use crate::board::ranking::assemble;
use crate::board::rules::CRLF;
use crate::board::{SortedSeeds, read, schema};
use crate::domain::config::Config;
use crate::domain::{Code, Finding, Rate, is_stamp};
use crate::json::{self, Document, Node};

/// What a board is compared with. Without it only the board's own form is checked.
#[derive(Debug, Clone, Copy)]
pub struct AuditInputs<'a> {
    /// The config.
    pub config: &'a Config,
    /// How it is named to people.
    pub config_file: &'a str,
    /// Its seeds, replayed.
    pub seeds: &'a SortedSeeds,
}

/// What an audit leaves out, because the user said so.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
pub struct AuditScope {
    /// Report rows without a seed as notes.
    pub allow_unseeded: bool,
    /// Accept a board without any row from the config.
    pub allow_empty: bool,
    /// A seed that is not built yet is a finding, as any other seed without a row is.
    pub every_seed: bool,
    /// The config was cut down to one seed: rules about all rows do not apply.
    pub one_row: bool,
}

/// What an audit found.
#[derive(Debug, Default)]
pub struct Audit {
    /// Findings and notes: of the whole board first, then row by row.
    pub findings: Vec<Finding>,
    /// The moment the board carries, if it says one.
    pub generated_at: Option<String>,
    /// `provider:model` of each row, in the order of the board.
    pub rows: Vec<String>,
    /// Rows re-derived from their public bundle.
    pub rows_checked: usize,
    /// Rows whose headline was re-derived too.
    pub held_out_checked: usize,
    /// Rows whose headline is published but was not re-derived.
    pub held_out_taken: usize,
}

/// Audits a board: `bytes`, and the JSON document that they are.
pub fn audit(
    bytes: &[u8],
    document: &Document<'_>,
    file: &str,
    against: Option<&AuditInputs<'_>>,
    scope: AuditScope,
) -> Audit {
    let shape = schema::check(&document.root, file);
    let mut auditor = Auditor {
        file,
        against,
        scope,
        whole: shape.header,
        rows: shape.rows,
        audit: Audit::default(),
    };
    auditor.board(document, bytes);
    let Auditor { whole, rows, mut audit, .. } = auditor;
    audit.findings = capped(whole.into_iter().chain(rows.into_iter().flatten()), file);
    audit
}

/// How many findings of one code are listed.
const LISTED: usize = 200;

/// The first findings of each code, and how many more there are.
fn capped(findings: impl Iterator<Item = Finding>, file: &str) -> Vec<Finding> {
    let mut counts: BTreeMap<(Code, bool), usize> = BTreeMap::new();
    let mut kept: Vec<Finding> = findings
        .filter(|finding| {
            let count = counts.entry((finding.code, finding.decides())).or_default();
            *count += 1;
            *count <= LISTED
        })
        .collect();
    for ((code, decides), count) in counts.into_iter().filter(|(_, count)| *count > LISTED) {
        let more = Finding::new(code, file, "", format!("and {} more like these", count - LISTED));
        kept.push(if decides { more } else { more.note() });
    }
    kept
}

struct Auditor<'a> {
    file: &'a str,
    against: Option<&'a AuditInputs<'a>>,
    scope: AuditScope,
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
        self.audit.rows =
            published.iter().map(|row| format!("{}:{}", row.provider, row.model)).collect();
        self.seeds(&mut published);
        self.tiers(&published);
        self.held_out_form(&published);
        for (index, row) in published.iter().enumerate() {
            self.row(index, row);
        }
        self.newer_version(&published);
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
        self.audit.generated_at = text("generated_at").map(str::to_owned);
        if text("generated_at").is_some_and(|stamp| !is_stamp(stamp)) {
            let what = "the timestamp is not a time in UTC such as 2026-06-18T00:00:00Z";
            self.whole.push(Finding::new(Code::EHeader, self.file, "generated_at", what));
        }
        if text("ranking").is_some_and(|ranking| ranking != RANKING) {
            let what = "`ranking` differs from the fixed sentence of every board";
            self.whole.push(Finding::new(Code::EHeader, self.file, "ranking", what));
        }
        let Some(against) = self.against else { return };
        let stamp = text("generated_at").unwrap_or_default();
        let rebuilt = assemble(against.config, &[], stamp, "").bytes();
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

    /// The bytes are the canonical spelling of what they say.
    fn spelling(&mut self, document: &Document<'_>, bytes: &[u8]) {
        let is_canon = |finding: &Finding| finding.code == Code::JCanon;
        if self.whole.iter().chain(self.rows.iter().flatten()).any(is_canon) {
            return;
        }
        let canonical = json::pretty(&document.root);
        if canonical != bytes {
            let same = canonical.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            let line = memchr::memchr_iter(b'\n', &bytes[..same]).count() + 1;
            let what = format!("line {line} is not in canonical JSON form");
            let finding = Finding::new(Code::JCanon, self.file, "", what);
            self.whole.push(if memchr::memchr(b'\r', bytes).is_some() {
                finding.help(CRLF)
            } else {
                finding
            });
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

/// A published headline, as far as it can be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Headline {
    /// A rate, on the grid or not far from it.
    Rate(Rate),
    Pending,
    /// Neither: nothing can be concluded from it; another check reports it.
    Unclear,
}

fn headline(row: &Node<'_>) -> Headline {
    let rate = || row.object().ok()?.get("held_out")?.object().ok()?.get("pass_rate");
    let number = |rate: &Node<'_>| Rate::nearest(rate.number().ok()?.as_f64());
    match rate() {
        Some(rate) if rate.is_null() => Headline::Pending,
        Some(rate) => number(rate).map_or(Headline::Unclear, Headline::Rate),
        None => Headline::Unclear,
    }
}

impl Headline {
    fn rate(self) -> Option<Rate> {
        match self {
            Self::Rate(rate) => Some(rate),
            Self::Pending | Self::Unclear => None,
        }
    }
}
