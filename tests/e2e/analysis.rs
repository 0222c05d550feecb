//! `rank`, `stats`, `group`, `trend`, `compare`, `export` on every source.

use crate::harness::{Ran, World};

/// Two benchmarks, one of them holding a run that runs.jsonl repeats, and some lines that are wrong.
fn workdir() -> World {
    let world = World::new();
    let case = |id: &str, run: &str, reward: f64, done: bool| {
        format!(
            r#"{{"case_id":"{id}","run_id":"{run}","environment":"dspy","completed":{done},"total_reward":{reward},
            "steps":2,"started_at":"2026-05-01T08:00:00Z","finished_at":"2026-05-01T08:00:30Z","usage":{{"prompt_tokens":300,"completion_tokens":100}}}}"#
        )
    };
    let bench = |id: &str, model: &str, day: u8, reward: f64, cases: [String; 2]| {
        format!(
            r#"{{"benchmark_id":"{id}","model":"{model}","preset":"quick","started_at":"2026-05-0{day}T08:00:00Z","tags":["ci"],
            "total_cases":2,"completed_cases":1,"avg_reward":{reward},"avg_steps":2,"case_results":[{}]}}"#,
            cases.join(",")
        )
    };
    world.write(
        ".rlm_code/rlm/benchmarks/a.json",
        bench(
            "bench_aaaa_1",
            "m|one",
            2,
            0.75,
            [case("c1", "r1", 1.0, true), case("c2", "r2", 0.5, false)],
        ),
    );
    world.write(
        ".rlm_code/rlm/benchmarks/b.json",
        bench(
            "bench_bbbb_2",
            "=m_two",
            1,
            0.5,
            [case("c1", "r3", 0.5, true), case("c2", "r4", 0.5, false)],
        ),
    );
    world.write(".rlm_code/rlm/benchmarks/broken.json", "{\"benchmark_id\": ");
    world.write(
        ".rlm_code/rlm/observability/runs.jsonl",
        "{\"run_id\":\"r1\",\"total_reward\":1,\"steps\":2}\n\
         {\"run_id\":\"solo\",\"environment\":\"generic\",\"total_reward\":0.75,\"steps\":9,\"completed\":true,\"started_at\":\"2026-05-03T08:00:00+02:00\"}\n\
         [1,2]\n",
    );
    world
}

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

#[test]
fn rank_alone_shows_the_workdir_and_says_what_it_left_out() {
    let ran = ok(workdir().run(&["rank"]));
    assert_eq!(
        ran.stdout,
        "\
RLM Leaderboard (by reward)

Rank  ID            Environment  Model   Reward ↑  Done ↑  Steps ↓  Tokens ↓  Rew/1k tok ↑
───────────────────────────────────────────────────────────────────────────────────────────
  1=  bench_aaaa_1  dspy         m|one      0.750     50%      2.0       800         0.938
  1=  solo          generic      –          0.750    100%      9.0         –             –
   3  bench_bbbb_2  dspy         =m_two     0.500     50%      2.0       800         0.625

3 of 3 runs · mean 0.667 · = ties
"
    );
    assert_eq!(
        ran.stderr,
        "\
reading .rlm_code
note: .rlm_code/rlm/benchmarks/broken.json:1:18: not JSON: expected a JSON value
note: .rlm_code/rlm/observability/runs.jsonl:3: the line holds an array, not an object
note: runs.jsonl: 1 run was left out because a benchmark holds it; `--keep-benchmark-runs` keeps such runs
loaded 3, skipped 3
"
    );
}

#[test]
fn the_seeds_own_flags_work_and_missing_ranks_last() {
    let ran = ok(workdir().run(&[
        "leaderboard",
        ".rlm_code",
        "--metric",
        "tokens",
        "-q",
        "--format",
        "csv",
    ]));
    assert_eq!(
        ran.stdout,
        "rank,entry_id,environment,model,preset,avg_reward,completion_rate,avg_steps,total_tokens,efficiency,timestamp\r\n\
         1,bench_aaaa_1,dspy,m|one,quick,0.75,0.5,2,800,0.9375,2026-05-02T08:00:00Z\r\n\
         1,bench_bbbb_2,dspy,'=m_two,quick,0.5,0.5,2,800,0.625,2026-05-01T08:00:00Z\r\n\
         ,solo,generic,,,0.75,1,9,,,2026-05-03T08:00:00+02:00\r\n"
    );
}

#[test]
fn filters_take_what_they_say_and_statistics_are_of_what_matches() {
    let world = workdir();
    let ids = |args: &[&str]| -> Vec<String> {
        let mut all = vec!["rank", "-q", "--json"];
        all.extend(args);
        let ran = ok(world.run(&all));
        let page: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let entries = page["entries"].as_array().expect("entries");
        entries.iter().map(|e| e["entry_id"].as_str().expect("an id").to_owned()).collect()
    };
    assert_eq!(ids(&["--environment", "generic"]), ["solo"]);
    assert_eq!(ids(&["--model", "m|one", "--model", "=m_two"]), ["bench_aaaa_1", "bench_bbbb_2"]);
    assert_eq!(ids(&["--model", "m|one,=m_two"]), ["bench_aaaa_1", "bench_bbbb_2"]);
    assert_eq!(ids(&["--environment", "generic,nowhere"]), ["solo"]);
    assert_eq!(ids(&["--without", "bench_a,solo"]), ["bench_bbbb_2"]);
    assert_eq!(ids(&["--where", "reward>=0.5", "--where", "steps>2"]), ["solo"]);
    let ran = ok(world.run(&["rank", "--environment", "generic,dspi"]));
    assert!(
        ran.stderr.ends_with("note: no run has environment `dspi`; nearest: `dspy`\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(ids(&["--tag", "ci", "--min-reward", "0.6"]), ["bench_aaaa_1"]);
    assert_eq!(ids(&["--max-reward", "0.5"]), ["bench_bbbb_2"]);
    assert_eq!(ids(&["--min-completion-rate", "0.9"]), ["solo"]);
    assert_eq!(ids(&["--min-cases", "2", "--preset", "quick"]), ["bench_aaaa_1", "bench_bbbb_2"]);
    assert_eq!(ids(&["--since", "2026-05-02", "--until", "2026-05-02"]), ["bench_aaaa_1"]);
    assert_eq!(ids(&["--where", "steps>2"]), ["solo"]);
    assert_eq!(ids(&["--where", "model=m|one"]), ["bench_aaaa_1"]);
    assert_eq!(ids(&["--without", "bench_a", "--without", "solo"]), ["bench_bbbb_2"]);
    assert_eq!(ids(&["--id", "bench"]), ["bench_aaaa_1", "bench_bbbb_2"]);
    let ran = ok(world.run(&["rank", "-q", "--json", "--limit", "1"]));
    let page: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(page["statistics"]["count"], 3);
    assert_eq!(page["shown_statistics"]["count"], 1);
    assert_eq!(page["entries"][0]["benchmark_id"], "bench_aaaa_1");
    assert_eq!(page["entries"][0]["tags"][0], "ci");
    assert_eq!(page["entries"][0]["total_tokens"], 800);
}

#[test]
fn stats_group_and_trend_answer_in_words_and_json() {
    let world = workdir();
    assert_eq!(
        ok(world.run(&["stats", "-q", "--by", "reward,tokens"])).stdout,
        "\
Measure    n      Mean  Median   Std dev  Min   Max
────────────────────────────────────────────────────
reward     3  0.666667    0.75  0.144338  0.5  0.75
tokens   2/3       800     800         0  800   800
"
    );
    assert_eq!(ok(world.run(&["stats", "-q", "--values", "model"])).stdout, "=m_two\nm|one\n");
    let ran = ok(world.run(&["stats", "-q", "--json", "--by", "cost", "--environment", "nowhere"]));
    assert_eq!(ran.stdout, "[{\"count\":0,\"measure\":\"cost\"}]\n");
    assert_eq!(
        ok(world.run(&["group", "-q", "--on", "environment"])).stdout,
        "\
reward by environment

environment  Runs   Mean  Median   Std dev   Min   Max
───────────────────────────────────────────────────────
dspy            2  0.625   0.625  0.176777   0.5  0.75
generic         1   0.75    0.75         0  0.75  0.75
"
    );
    assert_eq!(
        ok(world.run(&["trend", "-q", "--window", "2"])).stdout,
        "\
Time                       ID            reward  Moving mean
─────────────────────────────────────────────────────────────
2026-05-01T08:00:00Z       bench_bbbb_2     0.5          0.5
2026-05-02T08:00:00Z       bench_aaaa_1    0.75        0.625
2026-05-03T08:00:00+02:00  solo            0.75         0.75
"
    );
}

#[test]
fn compare_shows_topics_and_the_gate_fails_on_a_drop() {
    let world = workdir();
    let ran = ok(world.run(&["compare", "bench_a", "bench_b", "-q", "--by", "reward"]));
    assert_eq!(
        ran.stdout,
        "\
Measure   bench_aaaa_1  bench_bbbb_2
─────────────────────────────────────
Reward ↑         0.750         0.500

reward: bench_aaaa_1 against bench_bbbb_2 on 2 shared topics: 1 better, 0 worse, 1 equal; exact p = 1.0000; not significant; 2 topics are too few for a significant lead
"
    );
    let gate = |drop: &str| {
        world.run(&["compare", "bench_a", "bench_b", "--by", "reward", "--fail-on-drop", drop])
    };
    assert_eq!(gate("0.3").code, 0);
    let ran = gate("0.2");
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.ends_with("`bench_bbbb_2` is worse than `bench_aaaa_1` by 0.2500 on `reward`\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn names_and_measures_that_do_not_exist_get_an_answer() {
    let world = workdir();
    let fail = |args: &[&str], words: &str| {
        let ran = world.run(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        assert!(ran.stderr.ends_with(words), "{}", ran.stderr);
    };
    fail(
        &["rank", "-q", "--by", "rewrad"],
        "error: the table has no measure `rewrad`\n  it has: `reward`, `completion_rate`, `steps`, `tokens`, `cost`, `duration`, `efficiency`, `cases`, `completed_cases`, `prompt_tokens`, `completion_tokens`, `tokens_per_step`\nhelp: did you mean `reward`?\n",
    );
    fail(
        &["compare", "bench", "solo", "-q"],
        "error: `bench` is the start of 2 run ids\n  among them: `bench_aaaa_1`, `bench_bbbb_2`\nhelp: give more letters, or the whole id\n",
    );
    fail(
        &["rank", "-q", "--where", "reward"],
        "error: invalid value 'reward' for '--where <CONDITION>': `reward` is not a condition\n\nFor more information, try '--help'.\n",
    );
    fail(
        &["rank", "-q", "--since", "yesterday"],
        "error: `yesterday` is not a day or a time\nhelp: write it as 2026-01-31 or 2026-01-31T12:00:00Z\n",
    );
    fail(
        &["rank", "nowhere.csv"],
        "error: `nowhere.csv` does not exist\nhelp: check the path; relative paths start at the working directory\n",
    );
}

#[test]
fn markdown_and_latex_survive_strange_names() {
    let world = workdir();
    let ran = ok(world.run(&[
        "export",
        ".rlm_code",
        "-q",
        "--to",
        "markdown",
        "--title",
        "A|B",
        "--limit",
        "1",
    ]));
    assert_eq!(
        ran.stdout,
        "\
# A\\|B

**Ranked by**: reward | **Entries**: 3/3

| Rank | ID | Environment | Model | Reward ↑ | Done ↑ | Steps ↓ | Tokens ↓ | Rew/1k tok ↑ |
| ---: | --- | --- | --- | ---: | ---: | ---: | ---: | ---: |
| 1 | bench\\_aaaa\\_1 | dspy | m\\|one | 0.750 | 50% | 2.0 | 800 | 0.938 |

## Statistics

- **Mean**: 0.6667
- **Median**: 0.7500
- **Std Dev**: 0.1443
- **Range**: 0.5000 - 0.7500
- **Mean of the 1 shown**: 0.7500
"
    );
    let ran = ok(world.run(&["export", ".rlm_code", "-q", "--to", "latex", "-o", "t.tex"]));
    assert_eq!(ran.stdout, "");
    let tex = world.read("t.tex");
    assert!(tex.contains("1 & bench\\_aaaa\\_1 & dspy & m\\textbar{}one & 0.750 & 50\\% & 2.0 & 800 & 0.938 \\\\\n"), "{tex}");
}

#[test]
fn upstreams_own_answers_can_be_asked_for() {
    let world = workdir();
    // Its leaderboard reads this file, not the one its runner writes.
    let runs = world.read(".rlm_code/rlm/observability/runs.jsonl");
    world.write(".rlm_code/observability/runs.jsonl", runs);
    let ran = ok(world.run(&[
        "rank",
        ".rlm_code",
        "-q",
        "--compat",
        "rlm-code",
        "--by",
        "tokens",
        "--to",
        "csv",
    ]));
    // The missing is 0 and wins; ids are cut to 16; ties keep the order of loading.
    assert_eq!(
        ran.stdout,
        "rank,entry_id,environment,model,preset,avg_reward,completion_rate,avg_steps,total_tokens,efficiency,timestamp\r\n\
         1,bench_aaaa_1,dspy,m|one,quick,0.7500,50.00%,2.00,0,0.0000,2026-05-02T08:00:00\r\n\
         2,bench_bbbb_2,dspy,=m_two,quick,0.5000,50.00%,2.00,0,0.0000,2026-05-01T08:00:00\r\n\
         3,r1,,,,1.0000,0.00%,2.00,0,0.0000,\r\n\
         4,solo,generic,,,0.7500,100.00%,9.00,0,0.0000,2026-05-03T08:00:00\r\n"
    );
}

#[test]
fn any_csv_is_a_table_and_its_faults_are_named() {
    let world = World::new();
    world.write("r.csv", "model,task,acc,loss\na,t1,0.5,2\na,t2,0.7,1\nb,t1,0.9\nb,t2,0.9,3\n");
    let ran = ok(world.run(&[
        "rank",
        "r.csv",
        "--by",
        "loss",
        "--measure",
        "loss:lower",
        "--measure",
        "acc",
    ]));
    assert_eq!(
        ran.stdout,
        "\
Leaderboard (by loss)

Rank  ID  loss ↓  acc ↑
────────────────────────
   1  a      1.5    0.6
   2  b        3    0.9

2 of 2 runs · mean 2.25
"
    );
    assert_eq!(
        ran.stderr,
        "note: r.csv:4: the line has 3 fields, the header 4\nloaded 3, skipped 1\n"
    );
    world.write("dup.csv", "run,acc\na,1\na,2\n");
    let ran = world.run(&["rank", "dup.csv", "-q"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: measure `acc` of run `a` is given twice\n  lines 2 and 3\nhelp: `--duplicates first`, `last` or `mean` says which one counts\n"
    );
    let ran = ok(world.run(&["rank", "dup.csv", "-q", "--json", "--duplicates", "mean"]));
    assert!(ran.stdout.contains("\"acc\": 1.5"), "{}", ran.stdout);
}

#[test]
fn a_log_of_inspect_without_a_model_is_refused() {
    let world = World::new();
    world.write("log.json", "{\"version\": 2, \"status\": \"success\", \"eval\": {}}");
    let ran = world.run(&["rank", "log.json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: `log.json` is not an Inspect log that can be read\n  --> log.json\n  it has no `eval.model`\n"
    );
}

/// Copies a directory of the repository into the world.
fn copy(world: &World, below: &str) {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for entry in walkdir::WalkDir::new(root.join(below)).sort_by_file_name() {
        let entry = entry.expect("readable");
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(root).expect("below the root");
            world.write(&name.to_string_lossy(), std::fs::read(entry.path()).expect("readable"));
        }
    }
}

/// The words of a line as a shell would pass them, up to a redirection or a comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.is_empty() && !rest.starts_with("  ") {
        rest = rest.trim_start();
        let (word, more) = match rest.strip_prefix('\'') {
            Some(quoted) => quoted.split_once('\'').expect("a closing quote"),
            None => rest.split_at(rest.find(' ').unwrap_or(rest.len())),
        };
        if word == ">" {
            break;
        }
        words.push(word.to_owned());
        rest = more;
    }
    words
}

#[test]
fn every_example_of_the_help_runs() {
    let world = workdir();
    copy(&world, "leaderboard");
    copy(&world, "seeds.json");
    let cells = "a\tm\tt1\t0.9\na\tm\tt2\t0.8\nb\tm\tt1\t0.5\nb\tm\tt2\t0.6\nc\tm\tt1\t0.2\nc\tm\tt2\t0.1\n\
                 a\tm\tall\t0.85\nb\tm\tall\t0.55\nc\tm\tall\t0.15\n";
    for file in ["a.tot", "truth.tot", "judge_a.tot", "judge_b.tot", "judges/j.tot"] {
        world.write(file, cells);
    }
    world.write(
        "b.tot",
        cells.replace("a\tm", "x\tm").replace("b\tm", "y\tm").replace("c\tm", "z\tm"),
    );
    world.write(
        "leaderboard/history.jsonl",
        "{\"aggregate_score\":0.5,\"kind\":\"run\",\"model\":\"demo:a\",\"recorded_at\":\"2026-05-09T00:00:00Z\",\"regression_detected\":false,\"run_at\":\"2026-05-01T00:00:00Z\",\"run_id\":\"r1\"}\n",
    );
    world.write("board.json", world.read("leaderboard/leaderboard.json"));
    world.write("results.csv", "model,loss\none,2.5\ntwo,1.5\n");
    world.write("runs.csv", "run,acc\nmain,0.8\nnew,0.79\n");
    world.write("runs.jsonl", "{\"run_id\":\"r\",\"total_reward\":1,\"steps\":2,\"usage_summary\":{\"total_tokens\":10}}\n");
    world.write(
        "results/results_2026-05-14T12-00-00.json",
        r#"{"config_general":{"model_name":"m"},"results":{"t|0":{"acc":0.5}}}"#,
    );
    for command in ["rank", "stats", "group", "trend", "compare", "export", "correlate"] {
        let help = ok(world.run(&[command, "--help"])).stdout.replace("\\\n", " ");
        let examples: Vec<&str> = help
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("gmat-leaderboard "))
            .filter(|line| !line.starts_with(&format!("{command} [")))
            .collect();
        assert!(examples.len() >= 3, "{command} has {} examples", examples.len());
        for example in examples {
            let mut args = words(example);
            // Names of the workdir above stand for those of the help.
            for arg in &mut args {
                *arg = match arg.as_str() {
                    "bench_20250501" => "bench_a".to_owned(),
                    "bench_20250504" => "bench_b".to_owned(),
                    "judges/*.tot" => "judges/j.tot".to_owned(),
                    _ => std::mem::take(arg),
                };
            }
            let ran = world.run(&args.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(ran.code, 0, "{example}: {}", ran.stderr);
        }
    }
}

#[test]
fn a_table_in_a_file_has_no_colours_and_data_is_never_changed() {
    let world = World::new();
    world.write("e.csv", "run,reward\na\u{1b}[31m,1\n");
    ok(world.run(&["rank", "e.csv", "-q", "--color", "always", "-o", "t.txt"]));
    assert!(!world.read("t.txt").contains('\u{1b}'), "{}", world.read("t.txt"));
    assert!(world.read("t.txt").contains("a\\u{1b}[31m"), "{}", world.read("t.txt"));
    let ran = ok(world.run(&["export", "e.csv", "-q", "--to", "csv"]));
    assert_eq!(ran.stdout, "rank,id,reward\r\n1,a\u{1b}[31m,1\r\n");
}

/// The shapes and numbers of rlm-code 0.1.13; `scripts/peers rlm-code` compares with the package.
#[test]
fn compat_rlm_code_reads_and_answers_as_rlm_code_does() {
    let world = World::new();
    let benchmark = |id: &str, reward: f64, day: u32| {
        format!(
            r#"{{"benchmark_id":"{id}","avg_reward":{reward},"avg_steps":2,"total_cases":1,"completed_cases":1,
            "started_at":"2026-01-0{day}T00:00:00Z","case_results":[{{"usage":{{"total_tokens":1000}}}}]}}"#
        )
    };
    let id = |n: u32| format!("bench_2026_01_0{n}_nightly");
    for (n, reward) in [(1, 0.1), (2, 0.2), (3, 0.6)] {
        world.write(&format!("w/rlm/benchmarks/b{n}.json"), benchmark(&id(n), reward, n));
    }
    world.write(
        "w/rlm/observability/runs.jsonl",
        "{\"run_id\":\"r1\",\"total_reward\":1,\"steps\":1}\n",
    );
    let run = |args: &[&str]| {
        let ran = world.run(&[args, &["--compat", "rlm-code", "--json"]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        (serde_json::from_str::<serde_json::Value>(&ran.stdout).expect("JSON"), ran.stderr)
    };
    let (ranked, said) = run(&["rank", "w"]);
    assert_eq!(ranked.as_array().map(Vec::len), Some(3));
    assert!(said.contains("rlm-code's leaderboard does not read this file"), "{said}");
    let (trend, _) = run(&["trend", "w", "--window", "2"]);
    assert_eq!(trend[2]["entry_id"], "bench_2026_01_03");
    assert_eq!(trend[2]["moving_avg"], 0.4);
    assert_eq!(trend[2].as_object().map(serde_json::Map::len), Some(4));
    let (compared, _) =
        run(&["compare", "bench_2026_01_03", "nobody", "--source", "w", "--by", "reward,tokens"]);
    assert_eq!(compared.as_object().map(serde_json::Map::len), Some(1));
    let one = &compared["bench_2026_01_03"];
    assert_eq!(one["metrics"], serde_json::json!({"reward": 0.6, "tokens": 1000.0}));
    assert_eq!(one["entry"]["benchmark_id"], id(3));
    let (stats, _) = run(&["stats", "w", "--by", "reward"]);
    // Python: sum([0.1, 0.2, 0.6]) and statistics.stdev of it.
    assert_eq!(stats[0]["sum"], 0.1 + 0.2 + 0.6);
    assert_eq!(stats[0]["std_dev"], 0.264_575_131_106_459);
}

#[test]
fn what_rank_writes_can_be_read_again() {
    let world = workdir();
    world.write("big.csv", "run,tokens,acc\na,11651,0.1234567890123\nb,1477.5,1e-9\n=c,-3,nan\n");
    let rank = |source: &str, to: &str| ok(world.run(&["rank", source, "-q", "--to", to])).stdout;
    let csv = rank("big.csv", "csv");
    assert!(csv.contains("1,a,0.1234567890123,11651\r\n"), "{csv}");
    for (to, file) in [("csv", "again.csv"), ("json", "again.json")] {
        world.write(file, rank("big.csv", to));
        assert_eq!(rank(file, "csv"), csv, "{to}");
    }
    // Names, directions and all columns come back from JSON.
    world.write("rlm.json", rank(".rlm_code", "json"));
    assert_eq!(rank("rlm.json", "csv").lines().count(), 4);
    let by = ["rank", "rlm.json", "-q", "--by", "tokens", "--json"];
    let page: serde_json::Value = serde_json::from_str(&ok(world.run(&by)).stdout).expect("JSON");
    assert_eq!((&page["order"], &page["metric"]), (&"asc".into(), &"tokens".into()));
    assert_eq!(page["entries"][0]["tokens"].as_f64(), Some(800.0));
}

#[test]
fn figures_of_other_commands_are_flat_records() {
    let world = workdir();
    let value = |args: &[&str], id: &str, measure: &str| {
        let mut all = args.to_vec();
        all.extend(["-q", "--json"]);
        world.write("figures.json", ok(world.run(&all)).stdout);
        let ran = ok(world.run(&[
            "rank",
            "figures.json",
            "-q",
            "--json",
            "--limit",
            "0",
            "--by",
            measure,
        ]));
        let page: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
        let entries = page["entries"].as_array().expect("entries").clone();
        let entry = entries.into_iter().find(|entry| entry["id"] == id);
        entry.unwrap_or_else(|| panic!("no {id}: {}", ran.stdout))[measure]
            .as_f64()
            .expect("a number")
    };
    let close = |a: f64, b: f64| (a - b).abs() < 1e-12;
    assert!(close(value(&["stats"], "reward", "mean"), 2.0 / 3.0));
    assert!(close(value(&["group", "--on", "environment"], "dspy", "max"), 0.75));
    assert!(close(value(&["trend", "--window", "2"], "bench_aaaa_1", "moving_avg"), 0.625));
    assert!(close(value(&["compare", "bench_a", "bench_b"], "bench_bbbb_2", "reward"), 0.5));
}

#[test]
fn each_model_of_a_table_has_its_own_trend() {
    let world = World::new();
    let rows =
        "run,model,timestamp,acc\nr1,a,2026-05-01,0.2\nr2,b,2026-05-02,0.9\nr3,a,2026-05-03,0.4\n";
    world.write("runs.csv", rows);
    let ran = ok(world.run(&["trend", "runs.csv", "-q", "--by", "acc"]));
    assert_eq!(
        ran.stdout,
        "\
Model  Time        ID  acc  Moving mean
────────────────────────────────────────
a      2026-05-01  r1  0.2          0.2
a      2026-05-03  r3  0.4          0.3
b      2026-05-02  r2  0.9          0.9
"
    );
    let ran = ok(world.run(&["trend", "runs.csv", "-q", "--by", "acc", "--model", "a"]));
    assert!(!ran.stdout.contains("Model"), "{}", ran.stdout);
    let ran = ok(world.run(&["trend", "runs.csv", "-q", "--by", "acc", "--json"]));
    assert!(ran.stdout.contains("\"model\":\"b\""), "{}", ran.stdout);
}

#[test]
fn a_board_has_a_trend_only_through_its_ledger() {
    let world = World::new();
    copy(&world, "leaderboard");
    copy(&world, "seeds.json");
    std::fs::remove_file(world.path("leaderboard/history.jsonl")).ok();
    let ran = world.run(&["trend", "-q"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(
        ran.stderr.starts_with("error: a board has no trend: all its rows have the same time\n"),
        "{}",
        ran.stderr
    );
    let run = |id: &str, model: &str, day: u8, score: f64, latency: f64| {
        format!(
            "{{\"aggregate_score\":{score},\"kind\":\"run\",\"latency_p95_ms\":{latency},\"model\":\"{model}\",\"recorded_at\":\"2026-05-09T00:00:00Z\",\"regression_detected\":false,\"run_at\":\"2026-05-0{day}T00:00:00Z\",\"run_id\":\"{id}\"}}\n"
        )
    };
    let lines = run("r1", "demo:a", 1, 0.2, 90.0)
        + &run("r2", "demo:b", 2, 0.9, 50.0)
        + &run("r3", "demo:a", 3, 0.4, 70.0);
    world.write("leaderboard/history.jsonl", lines);
    let ran = ok(world.run(&["trend", "-q"]));
    assert_eq!(
        ran.stdout,
        "\
Model   Time                  ID  score  Moving mean
─────────────────────────────────────────────────────
demo:a  2026-05-01T00:00:00Z  r1    0.2          0.2
demo:a  2026-05-03T00:00:00Z  r3    0.4          0.3
demo:b  2026-05-02T00:00:00Z  r2    0.9          0.9
"
    );
    // The ledger is a source of every analysis.
    let ran = ok(world.run(&[
        "rank",
        "leaderboard/history.jsonl",
        "-q",
        "--by",
        "latency_p95_ms",
        "--to",
        "csv",
    ]));
    assert!(ran.stdout.contains("\r\n1,r2,"), "{}", ran.stdout);
    for args in [
        vec!["stats", "leaderboard/history.jsonl", "--from", "ledger"],
        vec!["group", "leaderboard/history.jsonl", "--on", "model"],
        vec!["compare", "r1", "r3", "--source", "leaderboard/history.jsonl"],
    ] {
        ok(world.run(&args));
    }
}
