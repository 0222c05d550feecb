//! Files as other programs write them: the table each gives, or the refusal.

use std::path::Path;
use std::process::Stdio;

use gmat_leaderboard::table::significance::SplitMix64;

use crate::harness::{Ran, World, copy, finish};

fn world() -> World {
    let world = World::new();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/corpus"), &world.path("c"));
    world
}

/// The measure ranked by, and each run with its value.
fn ranked(ran: &Ran) -> (String, Vec<(String, Option<f64>)>) {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let page: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let by = page["metric"].as_str().expect("a measure").to_owned();
    let entries = page["entries"].as_array().expect("entries");
    let row = |entry: &serde_json::Value| {
        let id = entry["id"].as_str().or(entry["entry_id"].as_str()).expect("an id");
        let value = entry[&by].as_f64().or_else(|| entry[format!("avg_{by}")].as_f64());
        (id.to_owned(), value)
    };
    let rows = entries.iter().map(row).collect();
    (by, rows)
}

/// A file, the measure it is ranked by, and its runs in order.
type Expected = (&'static str, &'static str, &'static [(&'static str, f64)]);

#[test]
fn each_file_gives_its_table() {
    let world = world();
    let table: &[Expected] = &[
        ("trec_eval/output.eval", "map", &[("bm25", 0.6667)]),
        ("ir_measures/dense.txt", "AP", &[("dense", 0.6667)]),
        ("ir_measures/dense.jsonl", "AP", &[("dense", 0.666_666_666_666_666_6)]),
        ("cells/boolean.jsonl", "solved", &[("a", 0.5)]),
        ("inspect", "accuracy", &[("mockllm/model@2026-05-14T12:00:00+00:00", 0.5)]),
        (
            "lm_eval",
            "acc",
            &[
                ("fictional/large@2026-11-17T09:51:51Z", 0.375),
                ("fictional/small@2026-11-17T09:50:58Z", 0.375),
                ("fictional/small@2026-11-17T09:51:21Z", 0.25),
            ],
        ),
        (
            "lighteval",
            "em",
            &[
                ("fictional/large@2026-05-14T13:00:00.000001", 0.5),
                ("fictional/small@2026-05-14T12:00:00.000001", 0.25),
            ],
        ),
        (
            "promptfoo",
            "pass",
            &[
                ("fictional:large@2026-05-14T12:00:00.000Z", 1.0),
                ("fictional:small@2026-05-14T12:00:00.000Z", 0.5),
            ],
        ),
        ("openai_evals/log.jsonl", "accuracy", &[("fictional-1@2026-05-14T12:00:00.000000", 0.75)]),
        ("wandb/export.csv", "eval/accuracy", &[("calm-sun-2", 0.75), ("calm-sun-1", 0.5)]),
        ("tables/semicolon.csv", "accuracy", &[("B", 0.75), ("A", 0.5)]),
        ("tables/tabs.tsv", "accuracy", &[("B", 0.75), ("A", 0.5)]),
        ("tables/packed.csv.gz", "accuracy", &[("B", 0.75), ("A", 0.5)]),
        (
            "rlm_code",
            "reward",
            &[
                ("run_20261117_095745_547322", 2.6),
                ("bench_20261117_095745_501287", 1.25),
                ("bench_20261117_095745_537325", 1.0),
                ("bench_20261117_095745_513070", 0.45),
            ],
        ),
        (
            "rlm_code/rlm/observability/runs.jsonl",
            "reward",
            &[
                ("run_20261117_095745_547322", 2.6),
                ("run_20261117_095745_501832", 1.8),
                ("run_20261117_095745_524700", 1.5),
                ("run_20261117_095745_505775", 0.7),
                ("run_20261117_095745_513818", -0.6),
            ],
        ),
        // rlm-code cuts the ids of entries, so that these eight have two; the whole ids count.
        (
            "rlm_code/leaderboard.json",
            "avg_reward",
            &[
                ("run_20261117_095745_547322", 2.6),
                ("run_20261117_095745_501832", 1.8),
                ("run_20261117_095745_524700", 1.5),
                ("bench_20261117_095745_501287", 1.25),
                ("bench_20261117_095745_537325", 1.0),
                ("run_20261117_095745_505775", 0.7),
                ("bench_20261117_095745_513070", 0.45),
                ("run_20261117_095745_513818", -0.6),
            ],
        ),
        ("own/history.jsonl", "score", &[("r1", 0.5)]),
    ];
    for (file, by, rows) in table {
        let ran = world.run(&["rank", &format!("c/{file}"), "--json"]);
        let rows = rows.iter().map(|(id, value)| ((*id).to_owned(), Some(*value))).collect();
        assert_eq!(ranked(&ran), ((*by).to_owned(), rows), "{file}: {}", ran.stderr);
    }
}

/// The mean of three topics is what autojudge-base wrote in the row `all`.
#[test]
fn every_layout_of_autojudge_gives_the_same_table() {
    let world = world();
    for file in [
        "base-tot.txt",
        "base-ir_measures.txt",
        "base-rag4reports.txt",
        "base.jsonl",
        "evaluate-tot.txt",
        "evaluate-ir_measures.txt",
        "evaluate-ranking.txt",
        "evaluate.jsonl",
        "trec_eval",
    ] {
        let ran = world.run(&["rank", &format!("c/autojudge/{file}"), "--json"]);
        let rows = [("fictional-large", 1.75 / 3.0), ("fictional-small", 0.25)];
        let rows = rows.map(|(id, value)| (id.to_owned(), Some(value))).to_vec();
        assert_eq!(ranked(&ran), ("GRADE".to_owned(), rows), "{file}: {}", ran.stderr);
        let page: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        assert_eq!(page["entries"][0]["NUGGETS"].as_f64(), Some(8.0 / 3.0), "{file}");
    }
}

#[test]
fn each_other_file_is_refused_by_name_with_a_way() {
    let world = world();
    let log = "inspect_eval/2026-05-14T12-00-00-00-00_arith_VH6UcYrtcRB3qeqQVVQbzP.eval";
    std::fs::copy(world.path(&format!("c/{log}")), world.path("c/log.zip")).expect("copied");
    for (file, what, help) in [
        ("trec/bm25.run", "is a TREC run file", "trec_eval -q"),
        ("trec/six-columns.txt", "is a TREC run file or a file of cells", "--from ranking"),
        ("trec/qrels.txt", "is a file of relevance judgments (qrels)", "ir_measures -q"),
        ("cells/no-all.txt", "can be read in three ways", "--from"),
        ("cells/three.txt", "can be read in two ways", "--from"),
        (
            "lm_eval/fictional__large/samples_toy_arith_2026-11-17T09-51-52.001937.jsonl",
            "is a log of samples of lm-evaluation-harness",
            "results_*.json",
        ),
        (
            "rlm_code/rlm/observability/steps/run_20261117_095745_547322.jsonl",
            "is a log of steps of rlm-code",
            "runs.jsonl",
        ),
        (
            "rlm_code/rlm/runs/run_20261117_095745_547322.jsonl",
            "is a log of steps of rlm-code",
            "runs.jsonl",
        ),
        ("autojudge/measures.yml", "has an unsupported format", "--from"),
        (log, "is an Inspect log in the .eval format", "inspect log convert --to json"),
        ("log.zip", "is an Inspect log in the .eval format", "inspect log convert --to json"),
        ("helm/stats.json", "is a HELM results file", "write a CSV"),
        ("mteb/Banking77Classification.json", "is an MTEB results file", "write a CSV"),
        ("swe_bench/report.json", "is a SWE-bench report", "write a CSV"),
        ("deepeval/test_run.json", "is a DeepEval test run", "write a CSV"),
        ("model_card/README.md", "is a model card", "write a CSV"),
    ] {
        let ran = world.run(&["rank", &format!("c/{file}")]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{file}: {}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error: `c/{file}` {what}")), "{}", ran.stderr);
        let last = ran.stderr.lines().last().unwrap_or_default();
        assert!(last.starts_with("help: ") && last.contains(help), "{}", ran.stderr);
    }
    let ran = world.run(&["rank", "c/cells/no-all.txt", "--from", "ir_measures", "--json"]);
    assert_eq!(ranked(&ran).0, "helpfulness");
}

#[test]
fn a_directory_is_read_whole_and_latest_keeps_one_of_each_model() {
    let world = world();
    let ran = world.run(&["rank", "c/lm_eval", "--latest", "--json"]);
    let ids: Vec<String> = ranked(&ran).1.into_iter().map(|(id, _)| id).collect();
    assert_eq!(
        ids,
        ["fictional/large@2026-11-17T09:51:51Z", "fictional/small@2026-11-17T09:51:21Z"]
    );
    assert!(
        ran.stderr.contains("left out: `fictional/small` has a newer result"),
        "{}",
        ran.stderr
    );
    // A file that cannot be read is named and hides no other.
    world.write("c/lm_eval/fictional__small/results_broken.json", "{\"results\": ");
    world.write("c/lm_eval/notes.txt", "three words here\n");
    let ran = world.run(&["rank", "c/lm_eval", "--json"]);
    assert_eq!(ranked(&ran).1.len(), 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("results_broken.json"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("c/lm_eval/notes.txt: has an unsupported format"),
        "{}",
        ran.stderr
    );
    let ran = world.run(&["rank", "c/mteb"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("is an MTEB results file"), "{}", ran.stderr);
}

#[test]
fn costs_are_better_lower_and_a_direction_keeps_other_columns() {
    let world = world();
    let ran = world.run(&["rank", "c/wandb/export.csv"]);
    let header = ran.stdout.lines().nth(2).unwrap_or_default();
    for name in ["eval/accuracy ↑", "Runtime ↓", "train/loss ↓"] {
        assert!(header.contains(name), "{header}");
    }
    assert!(
        ran.stderr.contains(
            "measures: `Runtime`, `train/loss`: assuming that lower is better, because of the name"
        ),
        "{}",
        ran.stderr
    );
    let ran = world.run(&["rank", "c/wandb/export.csv", "--measure", "Runtime:higher"]);
    let header = ran.stdout.lines().nth(2).unwrap_or_default();
    assert!(header.contains("Runtime ↑") && header.contains("train/loss ↓"), "{header}");
    let ran = world.run(&["rank", "c/wandb/export.csv", "--measure", "Runtme:higher"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.ends_with("help: did you mean `Runtime`?\n"), "{}", ran.stderr);
    let ran = world.run(&["rank", "c/tables/tabs.tsv", "--model", "A", "--json"]);
    assert_eq!(ranked(&ran).1, [("A".to_owned(), Some(0.5))]);
}

#[test]
fn a_source_named_twice_is_read_once() {
    let world = world();
    for sources in [["c/lighteval", "c/lighteval"], ["c/lighteval", "./c/lighteval/"]] {
        let ran = world.run(&["rank", sources[0], sources[1], "--json"]);
        assert_eq!(ranked(&ran).1.len(), 2, "{}", ran.stderr);
        assert!(
            ran.stderr.contains("2 files are named twice; each is read once"),
            "{}",
            ran.stderr
        );
    }
    let case = r#"{"case_id":"c1","run_id":"r1","total_reward":1}"#;
    world.write(
        "w/benchmarks/b.json",
        format!(r#"{{"benchmark_id":"b","avg_reward":1,"case_results":[{case}]}}"#),
    );
    world.write("w/runs.jsonl", "{\"run_id\":\"r1\",\"total_reward\":1,\"steps\":1}\n");
    for sources in [["w/benchmarks", "w/runs.jsonl"], ["w/runs.jsonl", "w/benchmarks"]] {
        let ran = world.run(&["rank", sources[0], sources[1], "--json"]);
        assert_eq!(ranked(&ran).1.len(), 1, "{}", ran.stderr);
    }
}

#[test]
fn compare_takes_paths_as_sources() {
    let world = world();
    let ran = world.run(&["compare", "A", "B", "c/tables/tabs.tsv", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = world.run(&["compare", "c/lighteval", "-q"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = world.run(&["compare", "c/trec_eval/output.eval"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("`compare` takes 2 to 50 runs, and this names 1"),
        "{}",
        ran.stderr
    );
}

#[test]
fn sums_and_geometric_means_are_no_discrepancy() {
    let ran = world().run(&["stats", "c/trec_eval/output.eval", "--check"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_cost_is_recorded_or_listed_or_empty() {
    let world = World::new();
    world.write(
        "runs.jsonl",
        concat!(
            r#"{"run_id": "r1", "model": "fictional-small", "total_reward": 0.5, "steps": 2, "timestamp": "2026-05-14T12:00:00+00:00", "usage_summary": {"prompt_tokens": 1000, "completion_tokens": 100}}"#,
            "\n",
            r#"{"run_id": "r2", "model": "fictional-large", "total_reward": 0.75, "steps": 3, "estimated_cost": 0.5}"#,
            "\n",
        ),
    );
    let cost = |args: &[&str]| {
        let mut all = vec!["rank", "runs.jsonl", "-q", "--json"];
        all.extend(args);
        let ran = world.run(&all);
        let page: serde_json::Value = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
        let of = |at: usize| page["entries"][at]["estimated_cost"].as_f64();
        assert_eq!(page["entries"][1]["timestamp"], "2026-05-14T12:00:00+00:00");
        (of(0), of(1))
    };
    assert_eq!(cost(&[]), (Some(0.5), None));
    world.write(
        "seeds.json",
        r#"{"prices": {"fictional:fictional-small": {"input": 1, "output": 10, "date": "2026-01-01", "source": "a list"}}}"#,
    );
    assert_eq!(cost(&[]), (Some(0.5), Some(0.002)));
}

#[test]
fn the_alias_reads_the_workdir_and_every_default_is_named() {
    let world = World::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy(&root.join("leaderboard"), &world.path("leaderboard"));
    world.write(
        ".rlm_code/observability/runs.jsonl",
        "{\"run_id\":\"r1\",\"total_reward\":1,\"steps\":1}\n",
    );
    let ran = world.run(&["leaderboard", "--metric", "reward", "--json"]);
    assert_eq!(ranked(&ran).1, [("r1".to_owned(), Some(1.0))]);
    assert!(ran.stderr.starts_with("reading .rlm_code\n"), "{}", ran.stderr);
    let ran = world.run(&["rank"]);
    assert!(ran.stderr.starts_with("reading leaderboard/leaderboard.json\n"), "{}", ran.stderr);
}

#[test]
fn packs_take_lm_eval_and_inspect_and_name_what_they_do_not_accept() {
    let world = world();
    world.write(
        "seeds.json",
        r#"{"packs": [{"id": "lm", "tasks": ["toy_arith"], "primary_metric": "acc", "scoring_mode": "deterministic"},
            {"id": "in", "tasks": ["arith", "arith2"], "primary_metric": "accuracy", "scoring_mode": "deterministic"}],
            "official_baselines": ["fictional/large"]}"#,
    );
    let file = "c/lm_eval/fictional__large/results_2026-11-17T09-51-52.001937.json";
    for (from, pack) in [(file, "lm"), ("c/inspect", "in")] {
        let ran = world.run(&["record", from, "--pack", pack, "--backend", "vllm"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let ran = world.run(&["history", "--pack", pack, "--json"]);
        let rows: Vec<serde_json::Value> = serde_json::from_str(&ran.stdout).expect(&ran.stderr);
        assert_eq!((rows.len(), &rows[0]["backend"]), (1, &"vllm".into()), "{rows:?}");
        let (score, at, id, rule) = match pack {
            "lm" => (0.375, "2026-11-17T09:51:51Z", "lm-eval-", "official"),
            _ => (0.5, "2026-05-14T12:00:00+00:00", "inspect-", "earliest"),
        };
        assert_eq!((&rows[0]["score"], &rows[0]["run_at"]), (&score.into(), &at.into()));
        assert!(rows[0]["run_id"].as_str().is_some_and(|run| run.starts_with(id)), "{rows:?}");
        assert_eq!(rows[0]["compared"]["baseline_source"], rule);
        assert_eq!(rows[0]["compared"]["grade"], "none");
    }
    let ran = world.run(&["record", "c/mteb/Banking77Classification.json", "--pack", "lm"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("is an MTEB results file, which packs do not accept"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("help: packs accept finished results of"), "{}", ran.stderr);
}

/// Bytes with some of them changed, removed, repeated or inserted.
fn mutated(bytes: &[u8], random: &mut SplitMix64) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len().max(1));
        let end = (at + random.below(40)).min(bytes.len());
        match random.below(5) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].repeat(1 + random.below(50));
                bytes.splice(at..at, part);
            }
            3 => {
                let odd: [&[u8]; 6] = [b"\"", b"[[[[", b"\xff\xfe", b"1e999", b"\n\t ", b"{}"];
                bytes.splice(at..at, odd[random.below(odd.len())].iter().copied());
            }
            _ => {
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = u8::try_from(random.below(256)).unwrap_or_default();
                }
            }
        }
    }
    bytes
}

#[test]
fn mutated_files_never_panic_and_never_take_much_memory() {
    let world = world();
    let mut files: Vec<_> = walkdir::WalkDir::new(world.path("c"))
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_file())
        .map(walkdir::DirEntry::into_path)
        .collect();
    files.sort();
    let mut random = SplitMix64::new(7);
    for path in files {
        let bytes = std::fs::read(&path).expect("readable");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        for _ in 0..4 {
            world.write(&name, mutated(&bytes, &mut random));
            let mut command = std::process::Command::new("sh");
            command
                .args(["-c", "ulimit -v 500000; exec \"$0\" \"$@\""])
                .args([env!("CARGO_BIN_EXE_gmat-leaderboard"), "rank", &name, "-q", "--json"])
                .current_dir(world.path("."))
                .stdin(Stdio::null());
            let ran = finish(&mut command, None);
            assert!(matches!(ran.code, 0 | 2), "{name}: {} {}", ran.code, ran.stderr);
        }
    }
}

#[test]
fn a_few_bytes_of_gzip_do_not_become_gigabytes() {
    let world = World::new();
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    let zeros = vec![b'1'; 1 << 20];
    for _ in 0..300 {
        std::io::Write::write_all(&mut packed, &zeros).expect("packed");
    }
    world.write("bomb.csv.gz", packed.finish().expect("packed"));
    let ran = world.run(&["rank", "bomb.csv.gz"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("unpacks to more than"), "{}", ran.stderr);
}
