//! The closed schema, at every depth: the keys of a board and the type of each value.
//!
//! This is the second half of the firewall: what the schema does not name cannot be published. A
//! strange key or string may itself be the secret, so neither is ever echoed unless it is a short
//! plain word.

use super::model::{PENDING, RANKING};
use crate::board::rules::{TIER, USUAL_TIERS, is_tier};
use crate::domain::config::Config;
use crate::domain::{Code, Finding, is_model, is_provider};
use crate::firewall::Exempt;
use crate::json::{Node, Object, Value};

const HEADER: &[&str] = &[
    "entries",
    "eval_protocol_version",
    "generated_at",
    "held_out_set",
    "judge_model",
    "public_set",
    "ranking",
];
const ROW: &[&str] = &[
    "close_the_loop",
    "held_out",
    "kind",
    "model",
    "overfit_gap",
    "provider",
    "public",
    "rank",
    "run",
    "usage",
];
const CELL: &[&str] = &["by_tier", "n_prompts", "pass_rate"];
const LOOP: &[&str] = &["base_runnable", "dry_run_agreement", "repair_lift", "repaired_runnable"];
const RUN: &[&str] = &[
    "judge_model",
    "n_votes",
    "recorded_bundle_sha16",
    "submitted_by",
    "tool_version",
    "verified",
];

/// Every word the schema itself brings: keys, those of the header blocks too, and the two constant
/// sentences.
fn own_words() -> impl Iterator<Item = &'static str> {
    const SETS: &[&str] = &[
        "commitment",
        "committed",
        "n_prompts",
        "note",
        "published",
        "reproducible_offline",
        "sha256",
        "store",
        "tiers",
    ];
    let others = [PENDING, RANKING, "status"];
    [HEADER, ROW, CELL, LOOP, RUN, SETS].into_iter().flatten().copied().chain(others)
}

/// What is public on a board of `config` and in the config itself: the words of both schemas,
/// tiers, providers and kinds.
pub fn exempt(config: &Config) -> Exempt {
    let mut fields: Vec<&str> = own_words().chain(USUAL_TIERS).chain(Config::keys()).collect();
    fields.extend(config.seeds.iter().flat_map(|seed| [&*seed.provider, &*seed.kind]));
    Exempt::new(fields)
}

/// What breaks the schema, in the order of the file's rows.
#[derive(Debug, Default)]
pub(super) struct Shape {
    /// Findings without a row.
    pub(super) header: Vec<Finding>,
    /// Findings by row.
    pub(super) rows: Vec<Vec<Finding>>,
}

/// Checks the shape of a whole board.
pub(super) fn check(root: &Node<'_>, file: &str) -> Shape {
    let mut checker = Checker { file, findings: Vec::new() };
    let mut shape = Shape::default();
    if let Some(header) = checker.closed(root, "", HEADER) {
        for key in ["eval_protocol_version", "generated_at", "judge_model", "ranking"] {
            checker.text(header, "", key);
        }
        for key in ["held_out_set", "public_set"] {
            checker.set_header(header, key);
        }
        let rows = header.get("entries").map(Node::array);
        if let Some(Err(_)) = rows {
            checker.wrong("entries", "an array of rows");
        }
        shape.header = std::mem::take(&mut checker.findings);
        for (index, row) in rows.into_iter().flatten().flatten().enumerate() {
            checker.row(row, &format!("entries[{index}]"));
            shape.rows.push(std::mem::take(&mut checker.findings));
        }
    } else {
        shape.header = checker.findings;
    }
    shape
}

struct Checker<'f> {
    file: &'f str,
    findings: Vec<Finding>,
}

/// `path.key`, or the key alone at the root. A key that is not a short plain word is redacted.
pub(super) fn join(path: &str, key: &str) -> String {
    let plain = key.len() <= 40
        && !key.is_empty()
        && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    match (path, plain) {
        ("", true) => key.to_owned(),
        ("", false) => "[a key that is withheld]".to_owned(),
        (path, true) => format!("{path}.{key}"),
        (path, false) => format!("{path}[a key that is withheld]"),
    }
}

impl Checker<'_> {
    fn push(&mut self, code: Code, path: &str, what: impl Into<String>) {
        self.findings.push(Finding::new(code, self.file, path, what));
    }

    fn wrong(&mut self, path: &str, wanted: &str) {
        self.push(Code::ESchema, path, format!("expected {wanted}"));
    }

    /// The object at `path` if it is one; reports strange and missing keys.
    fn closed<'n, 'a>(
        &mut self,
        node: &'n Node<'a>,
        path: &str,
        keys: &[&str],
    ) -> Option<&'n Object<'a>> {
        let Ok(object) = node.object() else {
            self.wrong(path, "an object");
            return None;
        };
        for (key, _) in object.iter().filter(|(key, _)| !keys.contains(&&***key)) {
            let what = "unknown key";
            self.findings.push(
                Finding::new(Code::LKey, self.file, join(path, key), what).help(format!(
                    "{}. Allowed keys: {}",
                    Code::LKey.help(),
                    keys.join(", ")
                )),
            );
        }
        for key in keys.iter().filter(|key| object.get(key).is_none()) {
            self.push(Code::ESchema, path, format!("the key `{key}` is missing"));
        }
        Some(object)
    }

    fn text(&mut self, object: &Object<'_>, path: &str, key: &str) {
        if object.get(key).is_some_and(|node| node.as_str().is_none()) {
            self.wrong(&join(path, key), "a string");
        }
    }

    fn numbers(&mut self, object: &Object<'_>, path: &str, keys: &[&str]) {
        for key in keys {
            if let Some(node) = object.get(key) {
                self.number(node, &join(path, key), Code::ESchema);
            }
        }
    }

    /// A number in its canonical spelling: text can hide in surplus digits.
    fn number(&mut self, node: &Node<'_>, path: &str, code: Code) {
        match node.value {
            Value::Number(number) if number.is_canonical() => {}
            Value::Number(_) => {
                self.push(Code::JCanon, path, "the number is not in its shortest form");
            }
            _ => self.push(code, path, "expected a number"),
        }
    }

    fn set_header(&mut self, header: &Object<'_>, key: &str) {
        let Some(node) = header.get(key) else { return };
        let Ok(set) = node.object() else { return self.wrong(key, "an object") };
        for (name, node) in set.iter() {
            let path = join(key, name);
            match &node.value {
                Value::Object(tiers) if (key, &**name) == ("held_out_set", "tiers") => {
                    for (tier, count) in tiers.iter() {
                        self.number(count, &join(&path, tier), Code::ESchema);
                    }
                }
                Value::Array(_) | Value::Object(_) | Value::Null => {
                    self.push(
                        Code::LKey,
                        &path,
                        "a header can only hold strings, numbers and booleans only",
                    );
                }
                Value::Number(_) => self.number(node, &path, Code::ESchema),
                Value::Bool(_) | Value::String(_) => {}
            }
        }
    }

    fn row(&mut self, node: &Node<'_>, path: &str) {
        let Some(row) = self.closed(node, path, ROW) else { return };
        self.name(row, path, "provider", is_provider);
        self.name(row, path, "model", is_model);
        self.text(row, path, "kind");
        self.numbers(row, path, &["rank"]);
        if let Some(gap) = row.get("overfit_gap").filter(|gap| !gap.is_null()) {
            self.number(gap, &join(path, "overfit_gap"), Code::ESchema);
        }
        if let Some(public) = row.get("public") {
            self.cell(public, &join(path, "public"));
        }
        if let Some(held_out) = row.get("held_out") {
            self.held_out(held_out, &join(path, "held_out"));
        }
        if let Some(cell) = row.get("close_the_loop").filter(|cell| !cell.is_null()) {
            self.close_the_loop(cell, &join(path, "close_the_loop"));
        }
        if let Some(usage) = row.get("usage") {
            let path = join(path, "usage");
            match usage.object() {
                Ok(usage) => usage
                    .iter()
                    .for_each(|(key, n)| self.number(n, &join(&path, key), Code::ESchema)),
                Err(_) => self.wrong(&path, "an object of counts"),
            }
        }
        if let Some(run) = row.get("run") {
            self.run(run, &join(path, "run"));
        }
    }

    fn name(&mut self, row: &Object<'_>, path: &str, key: &str, good: fn(&str) -> bool) {
        match row.get(key).map(Node::as_str) {
            Some(None) => self.wrong(&join(path, key), "a string"),
            Some(Some(name)) if !good(name) => {
                self.push(
                    Code::LName,
                    &join(path, key),
                    format!("the {key} has a character or length that is not allowed"),
                );
            }
            _ => {}
        }
    }

    fn cell(&mut self, node: &Node<'_>, path: &str) {
        let Some(cell) = self.closed(node, path, CELL) else { return };
        self.numbers(cell, path, &["n_prompts", "pass_rate"]);
        if let Some(tiers) = cell.get("by_tier") {
            self.tiers(tiers, &join(path, "by_tier"), false);
        }
    }

    fn tiers(&mut self, node: &Node<'_>, path: &str, nullable: bool) {
        let Ok(tiers) = node.object() else {
            return self.wrong(path, "an object of rates by tier");
        };
        for (number, (tier, rate)) in tiers.iter().enumerate() {
            let place = join(path, tier);
            if !is_tier(tier) {
                let what = format!(
                    "tier number {} has a character or length that is not allowed",
                    number + 1
                );
                self.findings.push(Finding::new(Code::LName, self.file, &*place, what).help(TIER));
            }
            if !(nullable && rate.is_null()) {
                self.number(rate, &place, Code::LTier);
            }
        }
    }

    fn held_out(&mut self, node: &Node<'_>, path: &str) {
        let pending =
            node.object().is_ok_and(|cell| cell.get("pass_rate").is_some_and(Node::is_null));
        if !pending {
            let status = node.object().is_ok_and(|cell| cell.get("status").is_some());
            if status {
                self.push(
                    Code::LStatus,
                    &join(path, "status"),
                    "a scored cell must not have a status",
                );
            }
            let before = self.findings.len();
            self.cell(node, path);
            if status {
                // The same key is reported once.
                let strange = join(path, "status");
                let tail = self.findings.split_off(before);
                self.findings
                    .extend(tail.into_iter().filter(|f| f.code != Code::LKey || f.path != strange));
            }
            return;
        }
        if let Some(cell) = self.closed(node, path, &["pass_rate", "status"])
            && cell.get("status").is_some_and(|status| status.as_str() != Some(PENDING))
        {
            self.push(
                Code::LStatus,
                &join(path, "status"),
                "the status differs from the fixed sentence of a pending cell",
            );
        }
    }

    fn close_the_loop(&mut self, node: &Node<'_>, path: &str) {
        let Some(cell) = self.closed(node, path, LOOP) else { return };
        self.numbers(cell, path, &["base_runnable", "repair_lift", "repaired_runnable"]);
        if let Some(tiers) = cell.get("dry_run_agreement") {
            self.tiers(tiers, &join(path, "dry_run_agreement"), true);
        }
    }

    fn run(&mut self, node: &Node<'_>, path: &str) {
        let Some(run) = self.closed(node, path, RUN) else { return };
        for key in ["judge_model", "recorded_bundle_sha16", "submitted_by", "tool_version"] {
            self.text(run, path, key);
        }
        self.numbers(run, path, &["n_votes"]);
        if run.get("verified").is_some_and(|verified| verified.boolean().is_err()) {
            self.push(Code::ERun, &join(path, "verified"), "`verified` must be true or false");
        }
    }
}
