//! A board from its bytes, for everything that shows or compares boards.

use std::collections::BTreeMap;

use super::model::{Board, Cell, HeldOut, Loop, Row, RowRun};
use super::schema;
use crate::domain::config::{Scalar, SetHeader};
use crate::domain::{Code, Failure, Finding, Gap, Rate};
use crate::json::{self, Node, Object};

/// How many findings the failure quotes of a file that is not a board.
const QUOTED: usize = 10;

impl Board {
    /// Parses a published board, `leaderboard.json`. The failure names the first keys that are wrong.
    pub fn from_slice(bytes: &[u8]) -> Result<Self, Failure> {
        let file = "leaderboard.json";
        let document = json::parse(bytes).map_err(|error| Failure::json(file, &error))?;
        Self::from_node(&document.root, file)
    }

    /// Converts the root of a JSON document; `file` is its name in messages.
    pub(crate) fn from_node(root: &Node<'_>, file: &str) -> Result<Self, Failure> {
        read(root, file).map_err(|findings| {
            let failure = Failure::unusable(format!("`{file}` is not a board")).at(file);
            findings.iter().take(QUOTED).fold(failure, |failure, finding| {
                failure.detail(format!("{}: {}", finding.path, finding.what))
            })
        })
    }
}

/// The typed board, or every finding that keeps it from being one. Names are not judged here: a
/// board whose names `verify` refuses can still be read and shown.
pub fn read(root: &Node<'_>, file: &str) -> Result<Board, Vec<Finding>> {
    let shape = schema::check(root, file);
    let mut reader =
        Reader::new(file, shape.header.into_iter().chain(shape.rows.into_iter().flatten()));
    if !reader.findings.is_empty() {
        return Err(reader.findings);
    }
    let board = root.object().ok().and_then(|header| reader.board(header));
    match board {
        Some(board) if reader.findings.is_empty() => Ok(board),
        _ => Err(reader.findings),
    }
}

struct Reader<'f> {
    file: &'f str,
    findings: Vec<Finding>,
}

fn text(object: &Object<'_>, key: &str) -> Option<String> {
    object.get(key)?.as_str().map(str::to_owned)
}

/// The rate that `node` spells exactly.
pub(super) fn rate(node: &Node<'_>) -> Option<Rate> {
    Rate::exact(node.number().ok()?.as_f64())
}

/// The cell that `node` spells exactly.
pub(super) fn cell(node: &Node<'_>) -> Option<Cell> {
    let cell = node.object().ok()?;
    let tiers = cell.get("by_tier")?.object().ok()?;
    Some(Cell {
        by_tier: tiers
            .iter()
            .map(|(tier, node)| Some((tier.to_string(), rate(node)?)))
            .collect::<Option<_>>()?,
        n_prompts: cell.get("n_prompts")?.count().ok()?,
        pass_rate: rate(cell.get("pass_rate")?)?,
    })
}

/// The held-out cell that `node` spells exactly.
pub(super) fn held_out(node: &Node<'_>) -> Option<HeldOut> {
    if node.object().ok()?.get("pass_rate")?.is_null() {
        Some(HeldOut::Pending)
    } else {
        cell(node).map(HeldOut::Scored)
    }
}

impl<'f> Reader<'f> {
    /// Starts with what the schema says.
    fn new(file: &'f str, shape: impl IntoIterator<Item = Finding>) -> Self {
        let matters = |finding: &Finding| !matches!(finding.code, Code::LName | Code::JCanon);
        Self { file, findings: shape.into_iter().filter(matters).collect() }
    }

    fn need<T>(&mut self, value: Option<T>, path: &str, wanted: &str) -> Option<T> {
        if value.is_none() {
            let what = format!("expected {wanted}");
            self.findings.push(Finding::new(Code::ESchema, self.file, path, what));
        }
        value
    }

    fn board(&mut self, header: &Object<'_>) -> Option<Board> {
        let mut rows = Vec::new();
        for (index, row) in header.get("entries")?.array().ok()?.iter().enumerate() {
            rows.push(self.row(row.object().ok()?, &format!("entries[{index}]")));
        }
        Some(Board {
            entries: rows.into_iter().collect::<Option<_>>()?,
            eval_protocol_version: text(header, "eval_protocol_version")?,
            generated_at: text(header, "generated_at")?,
            held_out_set: set_header(header.get("held_out_set")?)?,
            judge_model: text(header, "judge_model")?,
            public_set: set_header(header.get("public_set")?)?,
            ranking: text(header, "ranking")?,
        })
    }

    fn row(&mut self, row: &Object<'_>, path: &str) -> Option<Row> {
        let place = |key: &str| format!("{path}.{key}");
        let public = self.need(
            row.get("public").and_then(cell),
            &place("public"),
            "a cell of rates in thousandths",
        );
        let wanted = "a pending cell, or rates in thousandths";
        let held_out =
            self.need(row.get("held_out").and_then(held_out), &place("held_out"), wanted);
        let loop_node = row.get("close_the_loop").filter(|node| !node.is_null());
        let close_the_loop = match loop_node {
            None => None,
            Some(node) => Some(self.need(
                close_the_loop(node),
                &place("close_the_loop"),
                "rates in thousandths",
            )?),
        };
        let gap_node = row.get("overfit_gap").filter(|node| !node.is_null());
        let overfit_gap = match gap_node {
            None => None,
            Some(node) => {
                let gap = node.number().ok().and_then(|number| Gap::exact(number.as_f64()));
                Some(self.need(gap, &place("overfit_gap"), "a difference in thousandths")?)
            }
        };
        let rank = row.get("rank").and_then(|rank| rank.count().ok());
        let run = row.get("run").and_then(run);
        let usage = row.get("usage").and_then(counts);
        Some(Row {
            close_the_loop,
            held_out: held_out?,
            kind: text(row, "kind")?,
            model: text(row, "model")?,
            overfit_gap,
            provider: text(row, "provider")?,
            public: public?,
            rank: self.need(rank, &place("rank"), "a whole number")?,
            run: self.need(run, &place("run"), "a whole number of votes")?,
            usage: self.need(usage, &place("usage"), "an object of whole numbers")?,
        })
    }
}

fn counts(node: &Node<'_>) -> Option<BTreeMap<String, u64>> {
    let object = node.object().ok()?;
    object.iter().map(|(key, count)| Some((key.to_string(), count.count().ok()?))).collect()
}

fn close_the_loop(node: &Node<'_>) -> Option<Loop> {
    let cell = node.object().ok()?;
    let tiers = cell.get("dry_run_agreement")?.object().ok()?;
    let agreement =
        |node: &Node<'_>| if node.is_null() { Some(None) } else { rate(node).map(Some) };
    Some(Loop {
        base_runnable: rate(cell.get("base_runnable")?)?,
        dry_run_agreement: tiers
            .iter()
            .map(|(tier, node)| Some((tier.to_string(), agreement(node)?)))
            .collect::<Option<_>>()?,
        repair_lift: Gap::exact(cell.get("repair_lift")?.number().ok()?.as_f64())?,
        repaired_runnable: rate(cell.get("repaired_runnable")?)?,
    })
}

fn run(node: &Node<'_>) -> Option<RowRun> {
    let run = node.object().ok()?;
    Some(RowRun {
        judge_model: text(run, "judge_model")?,
        n_votes: run.get("n_votes")?.count().ok()?,
        recorded_bundle_sha16: text(run, "recorded_bundle_sha16")?,
        submitted_by: text(run, "submitted_by")?,
        tool_version: text(run, "tool_version")?,
        verified: run.get("verified")?.boolean().ok()?,
    })
}

fn set_header(node: &Node<'_>) -> Option<SetHeader> {
    let value = |node: &Node<'_>| Scalar::read(node).or_else(|| Scalar::counts(node));
    node.object().ok()?.iter().map(|(key, node)| Some((key.to_string(), value(node)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_from_bytes_is_equal_to_the_one_written_and_a_wrong_one_is_refused_by_key() {
        let board = crate::testing::board(vec![crate::testing::row("m", 40, Some(9))]);
        assert_eq!(Board::from_slice(&board.bytes()), Ok(board.clone()));
        let wrong =
            String::from_utf8(board.bytes()).expect("UTF-8").replacen("\"rank\"", "\"rnak\"", 1);
        let failure = Board::from_slice(wrong.as_bytes()).expect_err("an unknown key");
        assert_eq!(failure.what, "`leaderboard.json` is not a board");
        assert!(
            failure.details.iter().any(|line| line.starts_with("entries[0].rnak: ")),
            "{failure:?}"
        );
        let failure = Board::from_slice(b"{").expect_err("cut off");
        assert_eq!(failure.code, Some(Code::JSyntax));
    }
}
