//! What a file is, from its name and its content.
//!
//! Two rules: a file is what it says it is, and where two readings are possible neither is taken.

use super::cells::{self, Format};
use super::document::{LIMITS, without_bom};
use super::foreign::Foreign;
use super::json_value::member;
use crate::json::{Node, Object, parse_with};
use crate::table::parse_number;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The board.
    Board,
    /// The ledger of this program, `history.jsonl`.
    Ledger,
    /// JSON that an analysis command of this program wrote.
    Export,
    /// One benchmark of rlm-code.
    RlmBenchmark,
    /// Runs of rlm-code, one a line.
    RlmRuns,
    /// A LightEval results file.
    LightEval,
    /// An lm-evaluation-harness results file.
    LmEval,
    /// An Inspect log as JSON.
    Inspect,
    /// Results of promptfoo, as one document or as JSON lines.
    Promptfoo,
    /// A log of OpenAI evals.
    OpenAiEvals,
    /// Comma-, semicolon- or tab-separated values with a header.
    Csv,
    /// JSON lines of any keys.
    Jsonl,
    /// One cell per line.
    Cells(Format),
}

impl Source {
    /// What it is called in messages, with an article.
    pub fn name(self) -> &'static str {
        match self {
            Self::Board => "a board",
            Self::Ledger => "a ledger (history.jsonl)",
            Self::Export => "JSON of an analysis command",
            Self::RlmBenchmark => "an rlm-code benchmark",
            Self::RlmRuns => "an rlm-code runs.jsonl",
            Self::LightEval => "a LightEval results file",
            Self::LmEval => "an lm-evaluation-harness results file",
            Self::Inspect => "an Inspect log",
            Self::Promptfoo => "a promptfoo results file",
            Self::OpenAiEvals => "an OpenAI evals log",
            Self::Csv => "a CSV file",
            Self::Jsonl => "a file of JSON lines",
            Self::Cells(_) => "a file of cells",
        }
    }
}

/// What is read, for messages.
pub const SUPPORTED: &str = "a board, a ledger, JSON of `rank`, an rlm-code workdir, benchmark or runs.jsonl, results of \
    LightEval, lm-evaluation-harness, Inspect (JSON), promptfoo or OpenAI evals, CSV or TSV with a \
    header, JSON lines, or cells (trec_eval, ir_measures_q, tot, ir_measures, rag4reports, ranking, \
    jsonl)";

/// How much of the beginning and of the end of a file [`sniff`] wants to see.
pub const HEAD: usize = 64 << 10;

/// What a look at a file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sniffed {
    /// This it is.
    Known(Source),
    /// One JSON document, which [`sniff_document`] recognizes by its keys.
    Document,
    /// Recognised, and not read.
    Foreign(Foreign),
    /// Columns that fit several formats.
    Unclear(&'static [Format]),
    /// None of ours.
    Unknown,
}

/// Looks at the beginning of a file called `name`, and at its end unless the beginning is all.
pub fn sniff(name: &str, head: &[u8], tail: Option<&[u8]>, all_topic: &str) -> Sniffed {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    // What the file's ending says; the whole name if it has none.
    let ending = name.rsplit('.').next().unwrap_or(name);
    if let Some(foreign) = container(ending, head) {
        return Sniffed::Foreign(foreign);
    }
    let head = without_bom(head);
    let text = String::from_utf8_lossy(head);
    let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if tail.is_some() && lines.len() > 1 {
        lines.pop(); // cut off somewhere
    }
    let Some(first) = lines.first().copied() else { return Sniffed::Unknown };
    if first.trim_start().starts_with(['{', '[']) {
        return sniff_json(ending, first.trim(), lines.len(), tail.is_none());
    }
    if first == "---" && text.contains("\nmodel-index:") {
        return Sniffed::Foreign(Foreign::ModelCard);
    }
    // The end of a long file shows where it keeps its aggregates.
    let end = tail.map(String::from_utf8_lossy);
    lines.extend(end.iter().flat_map(|end| end.lines().skip(1)));
    let columns = columns(ending, &lines, all_topic);
    match columns {
        Sniffed::Known(_) if ending != "csv" => columns,
        _ if ending == "csv" || is_table(ending, &lines) => Sniffed::Known(Source::Csv),
        _ => columns,
    }
}

/// Files known by their first bytes.
fn container(ending: &str, head: &[u8]) -> Option<Foreign> {
    let holds = |bytes: &[u8]| memchr::memmem::find(head, bytes).is_some();
    match head {
        [b'P', b'K', 3, 4, ..]
            if ending == "eval" || holds(b"_journal/") || holds(b"header.json") =>
        {
            Some(Foreign::InspectArchive)
        }
        [b'P', b'K', 3 | 5, 4 | 6, ..] => Some(Foreign::Zip),
        [b'P', b'A', b'R', b'1', ..] => Some(Foreign::Parquet),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Foreign::Zstd),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Some(Foreign::Utf16),
        _ => None,
    }
}

/// Whether a line of names is above values that a comma, semicolon or tab separates.
fn is_table(ending: &str, lines: &[&str]) -> bool {
    let Some(first) = lines.first() else { return false };
    let is_number = |field: &str| parse_number(field.trim().trim_matches('"')).is_some();
    if first.contains('\t') {
        let fields = |line: &str| line.split('\t').any(is_number);
        let header =
            !fields(first) && first.split('\t').filter(|f| !f.trim().is_empty()).count() > 1;
        return header && (ending == "tsv" || lines.iter().skip(1).any(|line| fields(line)));
    }
    first.contains([',', ';'])
}

/// JSON: a document over many lines, or an object on each line.
fn sniff_json(ending: &str, first: &str, lines: usize, whole: bool) -> Sniffed {
    let Ok(document) = parse_with(first.as_bytes(), LIMITS) else {
        return Sniffed::Document;
    };
    let root = &document.root;
    if let known @ (Sniffed::Known(_) | Sniffed::Foreign(_)) = sniff_document(root) {
        return known;
    }
    let Ok(object) = root.object() else { return Sniffed::Document };
    let has = |key: &str| object.get(key).is_some();
    if let Some(sniffed) = line_kind(object) {
        return sniffed;
    }
    if lines <= 1 && whole && !has("run_id") && !has("measure") && ending != "jsonl" {
        return Sniffed::Document;
    }
    Sniffed::Known(Source::Jsonl)
}

/// What a line of JSON says of the file it starts.
fn line_kind(object: &Object<'_>) -> Option<Sniffed> {
    const LEDGER_KINDS: [&str; 9] = [
        "board",
        "retraction",
        "rescore",
        "withdraw",
        "attempt",
        "exposure",
        "commit",
        "reveal",
        "graduate",
    ];
    let has = |key: &str| object.get(key).is_some();
    let text = |key: &str| object.get(key).and_then(Node::as_str);
    let inside =
        |key: &str, inner: &str| object.get(key).and_then(|node| member(node, &[inner])).is_some();
    let known = |source| Some(Sniffed::Known(source));
    match () {
        () if has("recorded_at")
            && (has("run_at") || text("kind").is_some_and(|kind| LEDGER_KINDS.contains(&kind))) =>
        {
            known(Source::Ledger)
        }
        () if has("doc_id") && (has("resps") || has("filtered_resps") || has("doc_hash")) => {
            Some(Sniffed::Foreign(Foreign::LmEvalSamples))
        }
        () if has("run_id") && has("step") && has("action") && has("reward") => {
            Some(Sniffed::Foreign(Foreign::RlmSteps))
        }
        () if inside("spec", "completion_fns") || inside("spec", "eval_name") => {
            known(Source::OpenAiEvals)
        }
        () if has("final_report") || (has("event_id") && has("data") && has("type")) => {
            known(Source::OpenAiEvals)
        }
        () if has("testIdx") && has("promptIdx") && has("success") => known(Source::Promptfoo),
        () if has("topic_id") && has("measure") && has("value") => {
            known(Source::Cells(Format::Jsonl))
        }
        () if has("measure") && has("value") && !has("run_id") => {
            known(Source::Cells(Format::IrMeasuresQ))
        }
        () if has("run_id") && (has("total_reward") || has("steps") || has("usage_summary")) => {
            known(Source::RlmRuns)
        }
        () => None,
    }
}

/// What a whole JSON document is, by its keys.
pub fn sniff_document(root: &Node<'_>) -> Sniffed {
    if let Ok([first, ..]) = root.array() {
        // Only HELM's lists are known: each statistic has a name, a count and a sum.
        let has = |path: &[&str]| member(first, path).is_some();
        return if has(&["name", "name"]) && has(&["count"]) && has(&["sum"]) {
            Sniffed::Foreign(Foreign::Helm)
        } else if super::exported::is_export(root) {
            Sniffed::Known(Source::Export)
        } else {
            Sniffed::Unknown
        };
    }
    if super::exported::is_export(root) {
        return Sniffed::Known(Source::Export);
    }
    let Ok(object) = root.object() else { return Sniffed::Unknown };
    let has = |key: &str| object.get(key).is_some();
    let inside = |path: &[&str]| member(root, path);
    let known = Sniffed::Known;
    match () {
        () if has("entries") && has("eval_protocol_version") => known(Source::Board),
        () if has("config_general") && has("results") => known(Source::LightEval),
        () if has("eval") && has("status") && has("version") => known(Source::Inspect),
        () if has("benchmark_id") || has("case_results") => known(Source::RlmBenchmark),
        () if inside(&["results", "results"]).is_some_and(|node| node.array().is_ok())
            || inside(&["results", "stats", "successes"]).is_some() =>
        {
            known(Source::Promptfoo)
        }
        () if has("results")
            && (["configs", "versions", "n-shot", "higher_is_better", "lm_eval_version"]
                .iter()
                .any(|key| has(key))
                || inside(&["config", "model_args"]).is_some()) =>
        {
            known(Source::LmEval)
        }
        () if has("mteb_version") || (has("dataset_revision") && has("scores")) => {
            Sniffed::Foreign(Foreign::Mteb)
        }
        () if has("resolved_ids") || has("resolved_instances") => {
            Sniffed::Foreign(Foreign::SweBench)
        }
        () if has("testCases") && (has("metricsScores") || has("testPassed")) => {
            Sniffed::Foreign(Foreign::DeepEval)
        }
        () if has("adapter_spec") && has("scenario_spec") => Sniffed::Foreign(Foreign::Helm),
        () => Sniffed::Unknown,
    }
}

/// White-space separated columns: which format of cells, or which file that is none.
fn columns(ending: &str, lines: &[&str], all_topic: &str) -> Sniffed {
    let detected = cells::detect(lines.iter().copied());
    let skip = usize::from(detected.has_header);
    let rows: Vec<Vec<&str>> = lines
        .iter()
        .skip(skip)
        .map(|line| line.split_whitespace().collect())
        .filter(|fields: &Vec<&str>| fields.len() == detected.columns)
        .collect();
    let numeric = |column: usize| rows.iter().any(|row| parse_number(row[column]).is_some());
    let value = match detected.columns {
        3 => 2,
        4 => 3,
        6 => 4,
        _ => return Sniffed::Unknown,
    };
    if rows.is_empty() || !numeric(value) {
        return Sniffed::Unknown;
    }
    let said = Format::ALL
        .into_iter()
        .find(|format| ending == format.name() && format.column_count() == Some(detected.columns));
    if let Some(format) = said {
        return Sniffed::Known(Source::Cells(format));
    }
    let header = detected.has_header.then(|| lines[0]).and_then(of_header);
    if let Some(format) = header {
        return Sniffed::Known(Source::Cells(format));
    }
    match detected.columns {
        3 => three(&rows, all_topic),
        4 => four(ending, lines, &rows, all_topic),
        _ => six(ending, &rows),
    }
}

/// The format whose columns a header names in order.
fn of_header(line: &str) -> Option<Format> {
    let role = |word: &str| match word.to_lowercase().as_str() {
        "run_id" | "runtag" | "run" | "runid" | "system" => Some('r'),
        "topic_id" | "request_id" | "query_id" | "narrative_id" | "topicid" | "queryid"
        | "topic" | "query" | "qid" => Some('t'),
        "metric" | "measure" | "eval_metric" => Some('m'),
        "value" | "score" => Some('v'),
        _ => None,
    };
    let roles: Option<String> = line.split_whitespace().map(role).collect();
    match roles?.as_str() {
        "mtv" => Some(Format::TrecEval),
        "tmv" => Some(Format::IrMeasuresQ),
        "rmtv" => Some(Format::Tot),
        "rtmv" => Some(Format::IrMeasures),
        "trmv" => Some(Format::Rag4Reports),
        _ => None,
    }
}

/// `measure topic value` or `topic measure value`.
fn three(rows: &[Vec<&str>], all_topic: &str) -> Sniffed {
    let any = |column: usize, is: &dyn Fn(&str) -> bool| rows.iter().any(|row| is(row[column]));
    for is in [&(|field: &str| field == all_topic) as &dyn Fn(&str) -> bool, &is_topic_word] {
        match (any(0, is), any(1, is)) {
            (true, false) => return Sniffed::Known(Source::Cells(Format::IrMeasuresQ)),
            (false, true) => return Sniffed::Known(Source::Cells(Format::TrecEval)),
            _ => {}
        }
    }
    match (any(0, &is_measure_word), any(1, &is_measure_word)) {
        (true, false) => Sniffed::Known(Source::Cells(Format::TrecEval)),
        (false, true) => Sniffed::Known(Source::Cells(Format::IrMeasuresQ)),
        _ => Sniffed::Unclear(&[Format::TrecEval, Format::IrMeasuresQ]),
    }
}

fn four(ending: &str, lines: &[&str], rows: &[Vec<&str>], all_topic: &str) -> Sniffed {
    let every = |column: usize, is: &dyn Fn(&str) -> bool| rows.iter().all(|row| is(row[column]));
    let is_grade = |field: &str| field.parse::<i32>().is_ok();
    let guess = cells::guess_by_topics(lines.iter().copied(), |field| field == all_topic);
    if let Some(format) = guess {
        return Sniffed::Known(Source::Cells(format));
    }
    let said = ending == "qrels" || ending == "qrel";
    if every(3, &is_grade) && (said || every(1, &|field| matches!(field, "0" | "Q0"))) {
        return Sniffed::Foreign(Foreign::Qrels);
    }
    if every(1, &is_measure_word) && !every(2, &is_measure_word) {
        return Sniffed::Known(Source::Cells(Format::Tot));
    }
    Sniffed::Unclear(&[Format::Tot, Format::IrMeasures, Format::Rag4Reports])
}

fn six(ending: &str, rows: &[Vec<&str>]) -> Sniffed {
    let every = |column: usize, is: &dyn Fn(&str) -> bool| rows.iter().all(|row| is(row[column]));
    if !every(3, &|field| field.parse::<i64>().is_ok()) {
        return Sniffed::Unknown;
    }
    // Cells have no rank, so their writers put 0 there.
    if every(3, &|field| field == "0") {
        return Sniffed::Known(Source::Cells(Format::Ranking));
    }
    let said = ending == "run";
    Sniffed::Foreign(if said { Foreign::RunFile } else { Foreign::SixColumns })
}

/// Words that only a topic column of a summary holds, whatever `--all-topic` says.
fn is_topic_word(field: &str) -> bool {
    field == cells::ALL || matches!(field, "amean" | "gmean")
}

/// Whether a word is a measure of trec_eval or ir_measures: `P_5`, `ndcg_cut_10`, `AP(rel=2)@100`.
fn is_measure_word(field: &str) -> bool {
    const MEASURES: [&str; 34] = [
        "map", "gm", "ndcg", "p", "recall", "rprec", "recip", "rr", "ap", "bpref", "num", "iprec",
        "success", "set", "11pt", "err", "rbp", "judged", "runid", "infap", "utility", "r", "nerr",
        "nerr8", "nerr9", "nerr10", "sdcg", "compat", "setp", "setr", "setf", "numret", "numq",
        "numrel",
    ];
    let base = field.split(['@', '_', '(']).next().unwrap_or(field).to_lowercase();
    // A one-letter word is a measure only with its cutoff.
    (base.len() > 1 || base.len() < field.len()) && MEASURES.contains(&base.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(name: &str, text: &str) -> Sniffed {
        sniff(name, text.as_bytes(), None, "all")
    }

    #[test]
    fn each_kind_is_known_by_its_content() {
        let cells = Source::Cells;
        for (text, source) in [
            ("{\"entries\":[],\"eval_protocol_version\":\"1\"}", Source::Board),
            ("{\"config_general\":{},\"results\":{}}", Source::LightEval),
            ("{\"results\":{},\"versions\":{}}", Source::LmEval),
            ("{\"version\":2,\"status\":\"success\",\"eval\":{}}", Source::Inspect),
            ("{\"evalId\":\"e\",\"config\":{},\"results\":{\"results\":[]}}", Source::Promptfoo),
            ("{\"promptIdx\":0,\"testIdx\":0,\"success\":true}\n", Source::Promptfoo),
            ("{\"spec\":{\"eval_name\":\"e\"}}\n{\"final_report\":{}}\n", Source::OpenAiEvals),
            ("{\"benchmark_id\":\"b\"}", Source::RlmBenchmark),
            ("{\"metric\":\"m\",\"order\":\"asc\",\"entries\":[]}", Source::Export),
            ("[{\"id\":\"a\",\"m\":1}]", Source::Export),
            ("{\"runs\":{},\"duels\":[],\"drops\":[]}", Source::Export),
            ("{\"run_id\":\"a\",\"steps\":1}\n", Source::RlmRuns),
            ("{\"kind\":\"board\",\"recorded_at\":\"t\"}\n", Source::Ledger),
            ("{\"recorded_at\":\"t\",\"run_at\":\"t\",\"run_id\":\"r\"}\n", Source::Ledger),
            ("{\"a\":1}\n{\"a\":2}\n", Source::Jsonl),
            ("{\"run_id\":1,\"topic_id\":1,\"measure\":\"m\",\"value\":1}", cells(Format::Jsonl)),
            ("{\"query_id\":\"1\",\"measure\":\"AP\",\"value\":1}\n", cells(Format::IrMeasuresQ)),
            ("run,score\na,1\n", Source::Csv),
            ("model name,a b,c d\nx,1 2,3\n", Source::Csv),
            ("run;score\na;0,5\n", Source::Csv),
            ("run\tacc\tloss\na\t1\t2\n", Source::Csv),
            ("a m all 1\n", cells(Format::Tot)),
            ("a all m 1\n", cells(Format::IrMeasures)),
            ("all a m 1\n", cells(Format::Rag4Reports)),
            ("a map t1 1\na ndcg t1 1\n", cells(Format::Tot)),
            ("run measure topic value\na x t1 1\n", cells(Format::Tot)),
            ("m all 1\n", cells(Format::TrecEval)),
            ("runid all bm25\nmap 301 0.5\n", cells(Format::TrecEval)),
            ("ndcg_cut_10 301 0.5\n", cells(Format::TrecEval)),
            ("301 AP 0.5\nall AP 0.5\n", cells(Format::IrMeasuresQ)),
            ("301\tnDCG@10\t0.5\n", cells(Format::IrMeasuresQ)),
            ("t1 Q0 a 0 0.5 m\n", cells(Format::Ranking)),
        ] {
            assert_eq!(look("f", text), Sniffed::Known(source), "{text}");
        }
        assert_eq!(look("f", "{\n \"a\": 1\n}"), Sniffed::Document);
        assert_eq!(look("f.jsonl", "{\"a\": 1}\n"), Sniffed::Known(Source::Jsonl));
        assert_eq!(look("f.tot", "a b c 1\n"), Sniffed::Known(Source::Cells(Format::Tot)));
        for text in ["hello", "", "three words here", "\n\n"] {
            assert_eq!(look("f", text), Sniffed::Unknown, "{text}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_not_read() {
        for (text, formats) in [
            ("a b 0.5\n", [Format::TrecEval, Format::IrMeasuresQ].as_slice()),
            ("a t m 1\n", &[Format::Tot, Format::IrMeasures, Format::Rag4Reports]),
        ] {
            assert_eq!(look("f", text), Sniffed::Unclear(formats), "{text}");
        }
        assert_eq!(look("f", "t1 Q0 d1 1 9.5 bm25\n"), Sniffed::Foreign(Foreign::SixColumns));
    }

    #[test]
    fn the_end_of_a_long_file_is_looked_at() {
        let long = |end: &str| sniff("f", b"a b 0.5\na c 0.5\na", Some(end.as_bytes()), "all");
        let cells = |format| Sniffed::Known(Source::Cells(format));
        assert_eq!(long("z 0.1\nall b 0.5\n"), cells(Format::IrMeasuresQ));
        assert_eq!(long("z 0.1\nb all 0.5\n"), cells(Format::TrecEval));
    }

    #[test]
    fn files_without_measures_are_named() {
        for (name, text, foreign) in [
            ("x.run", "t1 Q0 d1 1 9.5 bm25\n", Foreign::RunFile),
            ("x", "301 0 d1 1\n301 0 d2 0\n", Foreign::Qrels),
            ("x.qrels", "301 1 d1 1\n301 2 d2 0\n", Foreign::Qrels),
            ("x.jsonl", "{\"doc_id\":0,\"doc\":{},\"resps\":[]}\n", Foreign::LmEvalSamples),
            (
                "x.jsonl",
                "{\"run_id\":\"r\",\"step\":1,\"action\":\"final\",\"reward\":1}\n",
                Foreign::RlmSteps,
            ),
            ("x.eval", "PK\u{3}\u{4}", Foreign::InspectArchive),
            ("x", "PK\u{3}\u{4}_journal/start.json", Foreign::InspectArchive),
            ("x", "PK\u{3}\u{4}", Foreign::Zip),
            ("x", "PAR1", Foreign::Parquet),
            ("x.md", "---\nmodel-index:\n- name: m\n---\n", Foreign::ModelCard),
            ("x", "{\"mteb_version\":\"1\",\"scores\":{}}", Foreign::Mteb),
            ("x", "{\"resolved_ids\":[],\"total_instances\":1}", Foreign::SweBench),
            ("x", "{\"testCases\":[],\"metricsScores\":[]}", Foreign::DeepEval),
            ("x", "[{\"name\":{\"name\":\"em\"},\"count\":1,\"sum\":1}]", Foreign::Helm),
        ] {
            assert_eq!(look(name, text), Sniffed::Foreign(foreign), "{text}");
        }
        assert_eq!(sniff("x", b"\xff\xfea\0", None, "all"), Sniffed::Foreign(Foreign::Utf16));
    }
}
