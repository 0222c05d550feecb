//! Which reader a file wants, from its name and its first bytes.

use super::cells;
use crate::json::{Limits, Node, parse_with};

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The board.
    Board,
    /// One benchmark of rlm-code.
    RlmBenchmark,
    /// Runs of rlm-code, one a line.
    RlmRuns,
    /// A LightEval results file.
    LightEval,
    /// An lm-evaluation-harness results file.
    LmEval,
    /// A log of Inspect, which is not read.
    Inspect,
    /// CSV with a header.
    Csv,
    /// JSON lines of any keys.
    Jsonl,
    /// One cell per line.
    Cells(cells::Format),
}

/// What is read, for messages.
pub const SUPPORTED: &str = "a board, an rlm-code workdir, benchmark or runs.jsonl, a LightEval or \
    lm-evaluation-harness results file, CSV with a header, JSON lines, or cells \
    (trec_eval, tot, ir_measures, rag4reports, ranking, jsonl)";

/// How much of a file [`sniff`] wants to see at first.
pub const HEAD: usize = 64 << 10;

/// What a look at a file's beginning says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    /// This it is.
    Known(Source),
    /// One JSON document, which [`sniff_document`] tells apart by its keys.
    Document,
    /// None of ours.
    Unknown,
}

/// Looks at the first bytes of a file called `name`; `whole` if there are no more.
pub fn sniff(name: &str, head: &[u8], whole: bool, all_topic: &str) -> Sniffed {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    if head.starts_with(b"PK\x03\x04") {
        return Sniffed::Known(Source::Inspect);
    }
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    let mut lines: Vec<&str> = text.lines().collect();
    if !whole && lines.len() > 1 {
        lines.pop(); // cut off somewhere
    }
    let Some(first) = lines.iter().find(|line| !line.trim().is_empty()) else {
        return Sniffed::Unknown;
    };
    if first.trim_start().starts_with(['{', '[']) {
        return sniff_lines(
            first,
            lines.iter().filter(|line| !line.trim().is_empty()).count(),
            whole,
        );
    }
    let has = |ending: &str| name.to_lowercase().ends_with(ending);
    let detected = cells::detect(lines.iter().copied());
    if has(".csv") || (first.contains(',') && !(3..=6).contains(&detected.columns)) {
        return Sniffed::Known(Source::Csv);
    }
    let guess = cells::guess_by_topics(lines.iter().copied(), |field| field == all_topic);
    match guess.filter(|_| detected.columns == 4).or_else(|| detected.possible.first().copied()) {
        Some(format) => Sniffed::Known(Source::Cells(format)),
        None if first.contains(',') => Sniffed::Known(Source::Csv),
        None => Sniffed::Unknown,
    }
}

/// JSON: a document over many lines, or an object on each line.
fn sniff_lines(first: &str, lines: usize, whole: bool) -> Sniffed {
    let limits = Limits { depth: 64, lenient_numbers: true };
    let Ok(document) = parse_with(first.trim().as_bytes(), limits) else {
        return Sniffed::Document;
    };
    if let Some(source) = known_document(&document.root) {
        return Sniffed::Known(source);
    }
    let has = |key: &str| document.root.object().ok().and_then(|o| o.get(key)).is_some();
    match () {
        () if lines <= 1 && whole && !has("run_id") && !has("measure") => Sniffed::Document,
        () if has("topic_id") && has("measure") && has("value") => {
            Sniffed::Known(Source::Cells(cells::Format::Jsonl))
        }
        () if has("run_id") && (has("total_reward") || has("steps") || has("usage_summary")) => {
            Sniffed::Known(Source::RlmRuns)
        }
        () => Sniffed::Known(Source::Jsonl),
    }
}

/// What a whole JSON document is, by its keys.
pub fn sniff_document(root: &Node<'_>) -> Option<Source> {
    known_document(root)
}

fn known_document(root: &Node<'_>) -> Option<Source> {
    let object = root.object().ok()?;
    let has = |key: &str| object.get(key).is_some();
    match () {
        () if has("entries") && has("eval_protocol_version") => Some(Source::Board),
        () if has("config_general") && has("results") => Some(Source::LightEval),
        () if has("eval") && has("status") && has("version") => Some(Source::Inspect),
        () if has("benchmark_id") || has("case_results") => Some(Source::RlmBenchmark),
        () if has("results")
            && [
                "configs",
                "versions",
                "n-shot",
                "higher_is_better",
                "lm_eval_version",
                "config",
            ]
            .iter()
            .any(|key| has(key)) =>
        {
            Some(Source::LmEval)
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str, text: &str) -> Sniffed {
        sniff(name, text.as_bytes(), true, "all")
    }

    #[test]
    fn each_kind_is_known_by_its_beginning() {
        for (text, source) in [
            ("{\"entries\":[],\"eval_protocol_version\":\"1\"}", Source::Board),
            ("{\"config_general\":{},\"results\":{}}", Source::LightEval),
            ("{\"results\":{},\"versions\":{}}", Source::LmEval),
            ("{\"version\":2,\"status\":\"success\",\"eval\":{}}", Source::Inspect),
            ("{\"benchmark_id\":\"b\"}", Source::RlmBenchmark),
            ("{\"run_id\":\"a\",\"steps\":1}\n", Source::RlmRuns),
            ("{\"a\":1}\n{\"a\":2}\n", Source::Jsonl),
            (
                "{\"run_id\":1,\"topic_id\":1,\"measure\":\"m\",\"value\":1}",
                Source::Cells(cells::Format::Jsonl),
            ),
            ("run,score\na,1\n", Source::Csv),
            ("a m all 1\n", Source::Cells(cells::Format::Tot)),
            ("a all m 1\n", Source::Cells(cells::Format::IrMeasures)),
            ("all a m 1\n", Source::Cells(cells::Format::Rag4Reports)),
            ("m t1 1\n", Source::Cells(cells::Format::TrecEval)),
            ("PK\u{3}\u{4}", Source::Inspect),
        ] {
            assert_eq!(known("f", text), Sniffed::Known(source), "{text}");
        }
        assert_eq!(known("f", "{\n \"a\": 1\n}"), Sniffed::Document);
        assert_eq!(known("f", "hello"), Sniffed::Unknown);
        assert_eq!(known("f", ""), Sniffed::Unknown);
    }
}
