//! Every reader of bytes that other people or programs wrote. None may panic, hang or take much memory.
//!
//! `scripts/fuzz` runs each under libFuzzer for minutes; `tests/fuzz.rs` gives each a few hundred mutated
//! files in the test suite.

use gmat_leaderboard::gmat::Script;
use gmat_leaderboard::internals::domain::config::Config;
use gmat_leaderboard::internals::import::cells::{Format, Lines, Raw};
use gmat_leaderboard::internals::import::{
    self, Tally, exported, inspect, lighteval, lm_eval, openai_evals, promptfoo, records,
    result_file, rlm_code,
};
use gmat_leaderboard::internals::json;
use gmat_leaderboard::internals::ledger::{self, Checkpoint, Limit, LineError, read_records};
use gmat_leaderboard::internals::replay::{self, RunFile};
use gmat_leaderboard::internals::seal::{Salt, Seal};
use gmat_leaderboard::internals::{notify, outside};
use gmat_leaderboard::table::Builder;
use gmat_leaderboard::{Asked, Board, BundleFiles, score_files};

/// A reader: its name, how the files end that it starts from, and the function.
pub(crate) type Reader = (&'static str, &'static [&'static str], fn(&[u8]));

/// All readers.
pub(crate) const READERS: &[Reader] = &[
    ("json", &["json", "jsonl"], parse_json),
    ("gmat", &["script", "gmat"], parse_gmat),
    ("board", &["leaderboard.json"], parse_board),
    ("config", &["seeds.json"], parse_config),
    ("bundle", &["prompts.json"], replay_bundle),
    ("answers", &["jsonl", "completions.json"], freeze_answers),
    ("run-file", &["run.json"], parse_run_file),
    ("ledger", &["history.jsonl"], parse_ledger),
    ("records", &["jsonl", "json"], parse_records),
    ("checkpoint", &["checkpoint", "checkpoints.txt"], parse_checkpoint),
    ("seal", &["seal.json"], parse_seal),
    ("minisign", &["minisig"], check_signature),
    ("hub", &["hub"], read_hub),
    ("provider", &["reply"], read_provider),
    ("template", &["html"], render_template),
    ("results", &["json"], import_json),
    ("tables", &["csv", "tsv", "jsonl"], import_tables),
    ("rlm-code", &["jsonl", "json"], import_rlm_code),
    ("cells", &["txt", "tot", "qrels", "trec_eval"], import_cells),
];

fn parse_json(bytes: &[u8]) {
    if let Ok(document) = json::parse(bytes) {
        let _ = document.root.object();
    }
    let _ = json::parse_with(bytes, json::Limits { depth: 64, lenient_numbers: true });
}

fn parse_gmat(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let script = Script::parse(&text);
    let _ = script.diagnostics();
    let _ = replay::extract(&text);
    let _ = replay::without_comments(&text);
    let _ = replay::spoken_vote(&text);
    let _ = replay::speaks_to_judge(&text);
}

fn parse_board(bytes: &[u8]) {
    let _ = Board::from_slice(bytes);
}

fn parse_config(bytes: &[u8]) {
    let _ = Config::parse(bytes, "seeds.json");
}

/// The three files of a bundle follow each other, with a zero byte between them.
fn replay_bundle(bytes: &[u8]) {
    let mut parts = bytes.splitn(3, |byte| *byte == 0).map(<[u8]>::to_vec);
    let mut part = || parts.next().unwrap_or_default();
    let files = BundleFiles {
        dir: "bundle".to_owned(),
        secret: bytes.len().is_multiple_of(2),
        prompts: part().into(),
        completions: part(),
        judge: part(),
    };
    let asked = Asked {
        provider: "recorded",
        model: "m",
        judge_model: "j",
        n_votes: 3,
        require_votes: true,
    };
    let _ = score_files(&files, &asked);
    let _ = replay::examine(&files, &asked);
}

fn freeze_answers(bytes: &[u8]) {
    const PROMPTS: &[u8] =
        br#"[{"id":"a","request":"r","intent":"i","difficulty":"easy","structural":{}}]"#;
    let recording = |file, bytes| replay::Recording { file, bytes };
    let _ = replay::freeze(
        "p:m",
        recording("prompts", PROMPTS),
        recording("answers", bytes),
        Some(recording("votes", bytes)),
        false,
    );
    let _ = replay::extract_all(bytes);
}

fn parse_run_file(bytes: &[u8]) {
    let _ = RunFile::parse(bytes);
}

fn parse_ledger(bytes: &[u8]) {
    let parsed = ledger::read(bytes);
    if let Ok((history, _)) = parsed.usable() {
        let _ = ledger::weekly_bytes(&history);
    }
    for line in bytes.split(|byte| *byte == b'\n') {
        let _: Result<_, LineError> = ledger::Line::read(line);
    }
}

fn parse_records(bytes: &[u8]) {
    let _ = notify::read_unsent(bytes);
    let _ = read_records("runs.jsonl", bytes, &Limit { score_scale: 1.0, config: None }, &|| ());
}

fn parse_checkpoint(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = Checkpoint::parse(&text);
    let _ = text.lines().filter_map(Checkpoint::parse_record).count();
}

fn parse_seal(bytes: &[u8]) {
    let _ = Seal::read(bytes, "seal.json");
    let _ = Salt::parse(bytes);
}

/// A signature over the sealed test file; the text is also tried as a key.
fn check_signature(bytes: &[u8]) {
    const KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
    let _ = outside::minisign(KEY, b"test", bytes);
    let _ = outside::minisign(&String::from_utf8_lossy(bytes), b"test", bytes);
}

fn read_hub(bytes: &[u8]) {
    outside::hub_answers(bytes);
}

fn read_provider(bytes: &[u8]) {
    outside::provider_answers(bytes);
}

fn render_template(bytes: &[u8]) {
    outside::template(bytes);
}

fn import_rlm_code(bytes: &[u8]) {
    for compat in [false, true] {
        let mut builder = Builder::default();
        let options = rlm_code::Options { compat, keep_benchmark_runs: compat };
        let Ok(mut loader) = rlm_code::Loader::new(&mut builder, options) else { return };
        loader.benchmark("b.json", bytes);
        for (line, bytes) in bytes.split(|byte| *byte == b'\n').enumerate() {
            loader.run_line("runs.jsonl", line + 1, bytes);
        }
        let _ = loader.finish();
    }
}

fn import_json(bytes: &[u8]) {
    let _ = import::sniff("results.json", bytes, None, "all");
    let mut tally = Tally::default();
    let _ = result_file::read("f.json", bytes);
    let _ = lm_eval::read("f.json", bytes, &mut tally);
    let _ = lighteval::read("f.json", bytes, &mut tally);
    let _ = openai_evals::read("f.jsonl", bytes, &mut tally);
    let _ = inspect::read("f.json", bytes, &mut tally);
    let _ = promptfoo::read("f.json", bytes, &mut tally);
    let _ = exported::read(&mut Builder::default(), "f.json", bytes);
}

fn import_tables(bytes: &[u8]) {
    let _ = records::read_csv(&mut Builder::default(), "f.csv", bytes, records::Given::default());
    let _ =
        records::read_jsonl(&mut Builder::default(), "f.jsonl", bytes, records::Given::default());
}

fn import_cells(bytes: &[u8]) {
    for format in Format::ALL {
        for header in [false, true] {
            let lines = Lines { format, header, all_topic: "all", strict_blanks: header };
            let _ = Raw::default().read(lines, "f.txt", None, bytes);
        }
    }
}
