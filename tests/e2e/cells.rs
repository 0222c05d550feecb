//! Files of cells: convert, merge, filter, check; and judges against the truth.

use std::os::unix::process::CommandExt;

use crate::harness::{NOBODY, Ran, World};

fn ok(ran: Ran) -> Ran {
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

/// Four runs, two topics: what is true, a judge that nearly agrees, and one that lacks a run.
fn world() -> World {
    let world = World::new();
    let file = |values: &[(&str, f64, f64)]| {
        let mut text = String::new();
        for (run, one, two) in values {
            text += &format!("{run}\tndcg\tt1\t{one}\n{run}\tndcg\tt2\t{two}\n");
        }
        text
    };
    world.write(
        "truth.tot",
        file(&[("a", 0.9, 0.7), ("b", 0.6, 0.6), ("c", 0.5, 0.3), ("d", 0.1, 0.3)]),
    );
    world.write(
        "near.tot",
        file(&[("a", 0.8, 0.8), ("b", 0.3, 0.3), ("c", 0.5, 0.5), ("d", 0.1, 0.1)]),
    );
    world.write(
        "short.tot",
        file(&[("a", 0.8, 0.8), ("b", 0.3, 0.3), ("d", 0.1, 0.1), ("new", 0.1, 0.1)]),
    );
    world
}

#[test]
fn a_judge_is_held_against_the_truth() {
    let world = world();
    let ran = ok(world.run(&[
        "correlate",
        "truth.tot",
        "near.tot",
        "short.tot",
        "--truth-from",
        "tot",
        "--judge-from",
        "tot",
        "--method",
        "tau-b,spearman@3",
    ]));
    assert_eq!(
        ran.stdout,
        "\
Truth  Measure  Method                       near.tot                 short.tot
────────────────────────────────────────────────────────────────────────────────
ndcg   ndcg     tau-b       0.667 [-1.00, 1.00] (n 4)  1.000 [1.00, 1.00] (n 3)
ndcg   ndcg     spearman@3  0.500 [-1.00, 1.00] (n 3)  1.000 [1.00, 1.00] (n 3)
"
    );
    assert!(
        ran.stderr.contains(
            "near.tot: aggregates recomputed over 2 shared topics (truth has 2, judge 2)\n"
        ),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("short.tot: 3 shared runs; 1 only in the truth: `c`; 1 only in the judge: `new`; left out\n"),
        "{}",
        ran.stderr
    );
    // The same draws on every machine.
    let again = ok(world.run(&[
        "evaluate",
        "truth.tot",
        "near.tot",
        "--truth-format",
        "tot",
        "--eval-format",
        "tot",
        "--correlation",
        "kendall",
        "-q",
        "--to",
        "csv",
    ]));
    assert_eq!(
        again.stdout.lines().nth(1).map(|line| line
            .split(',')
            .take(5)
            .collect::<Vec<_>>()
            .join(",")),
        Some("near.tot,ndcg,ndcg,tau-b,0.6666666666666666".to_owned())
    );
}

#[test]
fn undefined_says_why_and_error_refuses() {
    let world = world();
    world.write("flat.tot", "a\tndcg\tt1\t1\nb\tndcg\tt1\t1\nc\tndcg\tt1\t1\nd\tndcg\tt1\t1\n");
    let tot =
        ["--truth-from", "tot", "--judge-from", "tot", "--method", "tau-b", "--bootstrap", "0"];
    let run = |more: &[&str]| {
        let mut args = vec!["correlate", "truth.tot"];
        args.extend(more);
        args.extend(tot);
        world.run(&args)
    };
    let ran = ok(run(&["flat.tot"]));
    assert!(ran.stdout.ends_with("ndcg   ndcg     tau-b    – (n 4)\n"), "{}", ran.stdout);
    assert!(ran.stderr.ends_with("note: flat.tot: tau-b of ndcg and ndcg is undefined: the judge gives every run the same value\n"), "{}", ran.stderr);
    for runs in [&["--runs", "all"][..], &["--runs", "shared"], &[]] {
        let ran = run(&[&["short.tot", "--on-missing", "error"], runs].concat());
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("error: `short.tot` and the truth have different runs\n  1 runs only in the truth: `c`\n  1 runs only in the judge: `new`\n"), "{}", ran.stderr);
    }
    let ran = run(&["flat.tot", "--on-missing", "error"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("error: `flat.tot` and the truth have different topics\n  1 topics only in the truth: `t2`\n"), "{}", ran.stderr);
    // Fill counts 0 for `c`, with and without `--runs all`.
    for runs in [&["--runs", "all"][..], &[]] {
        let ran = ok(run(&[&["short.tot", "--on-missing", "fill"], runs].concat()));
        assert!(ran.stdout.contains("(n 4)"), "{}", ran.stdout);
    }
    let ran = ok(run(&["near.tot", "--svg", "ranks.svg", "-q"]));
    assert!(ran.stdout.contains("0.667 (n 4)"), "{}", ran.stdout);
    assert!(world.read("ranks.svg").contains("<title>b: 2 in truth, 3 by near.tot</title>"));
    // As the older program answers: NaN is null.
    let ran = ok(run(&["flat.tot", "--compat", "autojudge-evaluate", "--aggregates", "recompute"]));
    assert_eq!(
        ran.stdout,
        "{\"Judge\":\"flat.tot\",\"TruthMeasure\":\"ndcg\",\"EvalMeasure\":\"ndcg\",\"kendall\":null}\n"
    );
}

#[test]
fn zeros_of_both_signs_tie() {
    let world = World::new();
    world.write("t.tot", "a m all 1\nb m all 0.0\nc m all -0.0\nd m all 0.0\ne m all -1\n");
    world.write("j.tot", "a m all -0.0\nb m all 0.0\nc m all 2\nd m all -0.0\ne m all -3\n");
    let plain = world.read("t.tot").replace("-0.0", "0.0");
    world.write("t0.tot", plain);
    let plain = world.read("j.tot").replace("-0.0", "0.0");
    world.write("j0.tot", plain);
    let methods = "tau-b,tau-a,tau-ap-b,tau-gap,spearman,pearson,tau-b@3,tau-ap-b@3,tau-gap@4";
    let answer = |truth: &str, judge: &str| {
        let args =
            ["correlate", truth, judge, "--from", "tot", "--method", methods, "--to", "csv", "-q"];
        ok(world.run(&args)).stdout.replace("j0.tot", "j.tot")
    };
    let mixed = answer("t.tot", "j.tot");
    assert_eq!(mixed, answer("t0.tot", "j0.tot"));
    // What scipy 1.17.1 and autojudge-evaluate 1.1.0 give.
    for (method, value) in [
        ("tau-b", 0.428_571_428_571),
        ("tau-a", 0.3),
        ("tau-ap-b", -0.5),
        ("tau-gap", 0.5),
        ("spearman", 0.5),
        ("pearson", 0.592_927_061_282),
        ("tau-ap-b@3", -1.0),
        ("tau-gap@4", 0.333_333_333_333),
    ] {
        let start = format!("j.tot,m,m,{method},");
        let line = mixed.lines().find_map(|line| line.strip_prefix(&start)).expect("a line");
        let found: f64 = line.split(',').next().expect("a value").parse().expect("a number");
        assert!((found - value).abs() < 1e-9, "{method}: {found}");
    }
}

#[test]
fn the_keys_order_and_formats_of_autojudge_evaluate() {
    let world = world();
    let run = |more: &[&str]| {
        let mut args = vec!["correlate", "truth.tot", "near.tot", "--from", "tot", "-q"];
        args.extend(["--compat", "autojudge-evaluate", "--aggregates", "recompute"]);
        args.extend(more);
        world.run(&args)
    };
    let ran = ok(run(&[]));
    assert_eq!(
        ran.stdout,
        "{\"Judge\":\"near.tot\",\"TruthMeasure\":\"ndcg\",\"EvalMeasure\":\"ndcg\",\"kendall\":0.6666666667,\
         \"pearson\":0.8214416322,\"spearman\":0.8,\"tauap_b\":0.6666666667,\"tau_gap\":0.6666666667,\"kendall@10\":0.6666666667}\n"
    );
    let ran = ok(run(&["--to", "csv", "--method", "tau_gap,kendall@3"]));
    assert_eq!(
        ran.stdout,
        "Judge,TruthMeasure,EvalMeasure,tau_gap,kendall@3\r\nnear.tot,ndcg,ndcg,0.6666666667,0.3333333333\r\n"
    );
    let ran = ok(run(&["--to", "table", "--method", "kendall"]));
    assert_eq!(
        ran.stdout,
        "\
Judge     TruthMeasure  EvalMeasure   kendall
──────────────────────────────────────────────
near.tot  ndcg          ndcg         0.666667
"
    );
    for (more, what) in [
        (&["--method", "tau-a"][..], "autojudge-evaluate does not have the method `tau-a`"),
        (&["--to", "latex"], "`--compat autojudge-evaluate` does not write this format"),
    ] {
        let ran = run(more);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(what), "{}", ran.stderr);
    }
    // Its default refuses runs that only one side has, unless an @k narrows them.
    let args =
        ["correlate", "truth.tot", "short.tot", "--from", "tot", "--aggregates", "recompute"];
    let compat = ["--compat", "autojudge-evaluate", "--method", "kendall"];
    let ran = world.run(&[&args[..], &compat].concat());
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(ran.stderr.contains("the judge lacks `c`; the truth lacks `new`"), "{}", ran.stderr);
}

#[test]
fn nothing_to_correlate_is_an_error_that_says_why() {
    let world = world();
    world.write("runs.tot", "x ndcg t1 1\ny ndcg t1 2\nz ndcg t1 3\n");
    world.write("topics.tot", "a ndcg t8 1\nb ndcg t9 2\nc ndcg t9 3\n");
    world.write("words.tot", "a label t1 good\nb label t1 bad\nc label t1 good\n");
    for (more, why) in [
        (&["runs.tot"][..], "error: `runs.tot` and the truth share no run\n"),
        (&["topics.tot"], "error: `topics.tot` and the truth share no topic\n"),
        (&["words.tot"], "the judge has no numeric measure\n"),
        (
            &["near.tot", "--aggregates", "keep"],
            "the judge has no aggregate rows, and `--aggregates keep` computes none\n",
        ),
        (
            &["near.tot", "--aggregates", "keep", "--judge-measure", "ndcg"],
            "the judge has no aggregate rows, and `--aggregates keep` computes none\n",
        ),
        (
            &[
                "near.tot",
                "--aggregates",
                "keep",
                "--compat",
                "autojudge-evaluate",
                "--on-missing",
                "skip",
            ],
            "error: no measure has a numeric aggregate on both sides\n",
        ),
    ] {
        for to in ["table", "json", "csv"] {
            let mut args = vec!["correlate", "truth.tot", "--from", "tot", "--to", to];
            args.extend(more);
            let ran = world.run(&args);
            assert_eq!(ran.code, 2, "{more:?}: {}{}", ran.stdout, ran.stderr);
            assert!(ran.stderr.contains(why), "{more:?}: {}", ran.stderr);
            assert_eq!(ran.stdout, "");
        }
    }
    // A judge that works does not hide one that does not.
    let ran = world.run(&["correlate", "truth.tot", "near.tot", "runs.tot", "--from", "tot"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
}

#[test]
fn correlate_writes_every_format_that_its_help_lists() {
    let world = World::new();
    let cells = "a m t1 0.1\na m t2 0.2\nb m t1 0.4\nb m t2 0.3\nc m t1 0.7\nc m t2 0.9\n";
    world.write("truth.tot", cells);
    let help = world.run(&["correlate", "-h"]).stdout;
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let of_format = words.split("Output format").nth(1).expect("`--to` is in the help");
    let listed = of_format.split("possible values: ").nth(1).expect("its values");
    let listed: Vec<&str> = listed.split(']').next().expect("their end").split(", ").collect();
    assert_eq!(listed, ["table", "json", "jsonl", "csv", "markdown", "latex"]);
    for to in listed {
        let ran = world.run(&["correlate", "truth.tot", "--from", "tot", "--to", to, "-q"]);
        assert_eq!(ran.code, 0, "{to}: {}", ran.both());
        assert_ne!(ran.stdout, "", "{to}");
    }
}

#[test]
fn from_sets_both_sides_and_each_side_overrides_it() {
    let world = world();
    world.write("near.irm", "a t1 ndcg 0.8\nb t1 ndcg 0.3\nc t1 ndcg 0.5\nd t1 ndcg 0.1\n");
    let run = |more: &[&str]| {
        let mut args = vec!["correlate", "truth.tot", "-q", "--method", "tau-b", "--to", "csv"];
        args.extend(more);
        ok(world.run(&args)).stdout
    };
    let both = run(&["near.tot", "--from", "tot"]);
    assert_eq!(both, run(&["near.tot", "--truth-from", "tot", "--judge-from", "tot"]));
    let one = run(&["near.irm", "--from", "tot", "--judge-from", "ir_measures"]);
    assert!(one.contains("near.irm,ndcg,ndcg,tau-b,0.6666666666666666,"), "{one}");
}

#[test]
fn cells_are_merged_filtered_and_converted() {
    let world = World::new();
    world.write("a.txt", "x t1 m 0.5\nx t2 m 1\nx all m 0.9\n");
    world.write("b.txt", "y t1 m 0.25\ny all m 0.25\n");
    let ran =
        ok(world.run(&["export", "a.txt", "b.txt", "-q", "--from", "ir_measures", "--to", "tot"]));
    assert_eq!(
        ran.stdout,
        "x\tm\tt1\t0.5\nx\tm\tt2\t1.0\ny\tm\tt1\t0.25\nx\tm\tall\t0.75\ny\tm\tall\t0.25\n"
    );
    // One file is converted as it is.
    let ran = ok(world.run(&["export", "a.txt", "-q", "--from", "ir_measures", "--to", "tot"]));
    assert!(ran.stdout.ends_with("x\tm\tall\t0.9\n"), "{}", ran.stdout);
    let ran = ok(world.run(&[
        "export",
        "a.txt",
        "-q",
        "--from",
        "ir_measures",
        "--to",
        "jsonl",
        "--only-topics",
        "t1",
    ]));
    assert_eq!(
        ran.stdout,
        "{\"run_id\": \"x\", \"topic_id\": \"t1\", \"measure\": \"m\", \"value\": 0.5}\n{\"run_id\": \"x\", \"topic_id\": \"all\", \"measure\": \"m\", \"value\": 0.5}\n"
    );
    let ran = world.run(&[
        "export",
        "a.txt",
        "b.txt",
        "-q",
        "--from",
        "ir_measures",
        "--to",
        "trec_eval",
    ]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: a trec_eval file holds one run, and the table has 2\nhelp: `--output DIR/` writes one file per run; `--to tot` holds them all\n"
    );
    ok(world.run(&[
        "export",
        "a.txt",
        "b.txt",
        "-q",
        "--from",
        "ir_measures",
        "--to",
        "trec_eval",
        "--aggregates",
        "keep",
        "-o",
        "made/runs/",
    ]));
    assert_eq!(world.read("made/runs/x"), "m\tt1\t0.5\nm\tt2\t1.0\nm\tall\t0.9\n");
    let ran = ok(world.run(&["rank", "made/runs", "-q", "--json"]));
    assert!(ran.stdout.contains("\"id\": \"x\", \"m\": 0.9"), "{}", ran.stdout);
}

#[test]
fn given_aggregates_are_checked_and_holes_are_a_choice() {
    let world = World::new();
    world.write(
        "f.tot",
        "x\tm\tt1\t0.5\nx\tm\tt2\t1\nx\tm\tall\t0.9\ny\tm\tt1\t0.25\ny\tm\tall\t0.25\n",
    );
    let ran = world.run(&["stats", "f.tot", "-q", "--check"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stdout,
        "\
Measure  Run     Given  Recomputed  Difference
───────────────────────────────────────────────
m        x    0.900000    0.750000    0.150000
"
    );
    let value = |more: &[&str]| {
        let mut args =
            vec!["rank", "f.tot", "-q", "--json", "--aggregates", "recompute", "--id", "y"];
        args.extend(more);
        let ran = world.run(&args);
        let page: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        page["entries"][0]["m"].as_f64().ok_or(ran.stderr)
    };
    assert_eq!(value(&["--on-missing", "skip"]), Ok(0.25));
    assert_eq!(value(&["--on-missing", "fix-aggregate"]), Ok(0.125));
    assert_eq!(value(&["--on-missing", "fill"]), Ok(0.125));
    assert_eq!(
        value(&["--on-missing", "error"]),
        Err("error: 1 value is missing: run `y` on topic `t2` (`m`)\nhelp: `--on-missing fill` adds zeros, `fix-aggregate` counts them in the aggregate, `skip` averages what is there\n".to_owned())
    );
    let ran = ok(world.run(&["rank", "f.tot"]));
    assert!(
        ran.stderr.starts_with("note: 1 value is missing: run `y` on topic `t2` (`m`)\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        ok(world.run(&["stats", "f.tot", "-q", "--per-run", "--by", "m"])).stdout,
        "\
Run  Measure    n  Mean  Median   Std dev   Min   Max
──────────────────────────────────────────────────────
x    m          2  0.75    0.75  0.353553   0.5     1
y    m        1/2  0.25    0.25         0  0.25  0.25
"
    );
}

#[test]
fn every_fault_of_a_line_has_its_place_and_what_was_expected() {
    let world = World::new();
    let fault = |text: &str, from: &str, more: &[&str]| {
        world.write("f", text);
        let mut args = vec!["rank", "f", "-q", "--from", from];
        args.extend(more);
        let ran = world.run(&args);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        ran.stderr
    };
    assert_eq!(
        fault("a m t1 0.5\na m t2\n", "tot", &[]),
        "error: the line has 3 columns, tot has 4: `a m t2`\n  --> f:2\n  expected `run measure topic value`\n"
    );
    assert_eq!(
        fault("{\"run_id\":\"a\",\"topic_id\":1,\"measure\":\"m\"}\n", "jsonl", &[]),
        "error: the key `value` is missing\n  --> f:1\n  expected `{\"run_id\": …, \"topic_id\": …, \"measure\": …, \"value\": …}`\n"
    );
    assert_eq!(
        fault("a m t1 0.5\na m t1 0.7\n", "tot", &[]),
        "error: measure `m` of run `a` on topic `t1` is given twice\n  lines 1 and 2\nhelp: `--duplicates first`, `last` or `mean` says which one counts\n"
    );
    world.write("spec", "# the measures\nn\n");
    assert_eq!(
        fault("a m t1 0.5\n", "tot", &["--spec", "spec"]),
        "error: unknown measure `m`\n  --> f:1\n"
    );
    world.write("spec", "m:number\n");
    assert_eq!(
        fault("a m t1 high\n", "tot", &["--spec", "spec"]),
        "error: `high` is not a number, in measure `m` of run `a`\n  --> f:1\nhelp: a measure is a number or a text throughout; declare it as text with `--spec`\n"
    );
}

#[test]
fn the_judge_programs_own_writing_can_be_asked_for() {
    let world = World::new();
    world.write("f.txt", "a m t1 007\na m all 1\nb m t1 0.5\n");
    let export = |program: &str| {
        ok(world
            .run(&["export", "f.txt", "-q", "--from", "tot", "--to", "tot", "--compat", program]))
        .stdout
    };
    assert_eq!(export("autojudge-base"), "a\tm\tt1\t007\na\tm\tall\t1\nb\tm\tt1\t0.5\n");
    assert_eq!(export("autojudge-evaluate"), "a\tm\tt1\t7.0\nb\tm\tt1\t0.5\na\tm\tall\t1.0\n");
    assert_eq!(export("autojudge-design"), "a\tm\tt1\t7.0\nb\tm\tt1\t0.5\na\tm\tall\t1.0\n");
}

/// Every cell that `export` writes, without its notes.
fn exported(world: &World, args: &[&str]) -> (String, String) {
    let mut all = vec!["export", "--to", "tot"];
    all.extend(args);
    let ran = ok(world.run(&all));
    (ran.stdout, ran.stderr)
}

#[test]
fn filters_recompute_and_a_missing_topic_counts_as_zero() {
    let world = World::new();
    // The file's own aggregates are wrong on purpose; `num` has none per topic, `given` no topics.
    world.write(
        "f.tot",
        "run1 m t1 0.4\nrun1 m t2 0.8\nrun1 m t3 0.9\nrun1 m all 0.99\nrun1 num all 3\n\
         run2 m t1 0.6\nrun2 m t3 0.9\nrun2 m all 0.99\ngiven m all 0.5\n",
    );
    let (cells, notes) = exported(&world, &["f.tot", "--only-topics", "t1,t2,all"]);
    assert_eq!(
        cells,
        "run1\tm\tt1\t0.4\nrun1\tm\tt2\t0.8\nrun2\tm\tt1\t0.6\n\
         run1\tm\tall\t0.6000000000000001\nrun2\tm\tall\t0.3\ngiven\tm\tall\t0.5\n"
    );
    assert_eq!(
        notes,
        "note: 1 value is missing: run `run2` on topic `t2` (`m`); counted as 0 in the aggregates\n\
         note: measure `num` has no value per topic, so its aggregates cannot be recomputed and are left out\n"
    );
    let (cells, notes) = exported(&world, &["f.tot", "--only-runs", "run2,runs"]);
    assert!(cells.ends_with("run2\tm\tall\t0.5\n"), "{cells}");
    assert!(notes.starts_with("note: no run is called `runs`; nearest: `run1`\n"), "{notes}");
    // What the user asks for wins.
    let (cells, _) = exported(&world, &["f.tot", "--only-runs", "run2", "--on-missing", "skip"]);
    assert!(cells.ends_with("run2\tm\tall\t0.75\n"), "{cells}");
    let (cells, _) = exported(&world, &["f.tot", "--only-runs", "run2", "--aggregates", "keep"]);
    assert!(cells.ends_with("run2\tm\tall\t0.99\n"), "{cells}");
    // `all` alone is not a filter.
    let (cells, _) = exported(&world, &["f.tot", "--only-topics", "all"]);
    assert!(cells.contains("run1\tm\tall\t0.99\n"), "{cells}");
    let (_, notes) = exported(&world, &["f.tot", "--only-measures", "m"]);
    assert_eq!(notes.matches("missing").count(), 1, "{notes}");
}

#[test]
fn a_run_must_have_what_the_spec_names() {
    let world = World::new();
    world.write("spec", "m\nn\n");
    world.write("f.tot", "a m all 1\na n all 2\nb m all 1\n");
    let run = |more: &[&str]| {
        let mut args = vec!["rank", "f.tot", "-q", "--spec", "spec"];
        args.extend(more);
        world.run(&args)
    };
    ok(run(&[]));
    let ran = run(&["--on-missing", "error"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.stderr,
        "error: run `b` has no value of measure `n`\nhelp: take the measure out of `--spec`, or leave out `--on-missing error`\n"
    );
    world.write("f.tot", "a m all 1\na n all 2\n");
    ok(run(&["--on-missing", "error"]));
}

#[test]
fn one_name_of_two_kinds_can_be_read_as_text() {
    let world = World::new();
    world.write("b.tot", "a m t1 1\na m all 1\n");
    world.write("k.tot", "b m t1 good\nb m all good\n");
    let ran = world.run(&["export", "b.tot", "k.tot", "-q", "--from", "tot", "--to", "tot"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("list the measures in `--spec FILE`, this one as `NAME:text`"),
        "{}",
        ran.stderr
    );
    world.write("spec", "m:text\n");
    let (cells, _) = exported(&world, &["b.tot", "k.tot", "-q", "--from", "tot", "--spec", "spec"]);
    assert!(cells.starts_with("a\tm\tt1\t1\nb\tm\tt1\tgood\n"), "{cells}");
}

/// Runs the binary with at most `megabytes` of address space, as `NOBODY` where that is possible:
/// root is exempt from limits.
fn limited(world: &World, megabytes: u64, args: &[&str]) -> Ran {
    let shell = format!("ulimit -v {} && exec \"$0\" \"$@\"", megabytes * 1024);
    let mut command = std::process::Command::new("sh");
    command.arg("-c").arg(shell).arg(env!("CARGO_BIN_EXE_gmat-leaderboard")).args(args);
    command.current_dir(world.path("")).env_clear().env("HOME", world.path(""));
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    if world.give_to_nobody() {
        command.uid(NOBODY).gid(NOBODY);
    }
    crate::harness::finish(&mut command, None)
}

#[test]
fn a_small_file_never_takes_gigabytes() {
    let world = World::new();
    let lines =
        |count: usize, line: &dyn Fn(usize) -> String| -> String { (0..count).map(line).collect() };
    // 25 million holes in 66 kB.
    world.write("holes.trec_eval", lines(5000, &|i| format!("m{i} t{i} 1\n")) + "m0 all 1\n");
    // Each measure in one run only; 49 million places, just allowed.
    world.write("sparse.tot", lines(7000, &|i| format!("r{i} m{i} all 1\n")));
    // 2 MB, each line a run, a topic and a measure of its own.
    world.write(
        "big.tot",
        lines(95_000, &|i| format!("r{i} m{} t{i} 1\n", i % 60_000)) + "r0 m0 all 1\n",
    );
    world.write(
        "few.tot",
        lines(95_000, &|i| format!("r{} m{} t{i} 1\n", i % 700, i % 60_000)) + "r0 m0 all 1\n",
    );
    let reported = |args: &[&str], code: i32, words: &str| {
        let ran = limited(&world, 500, args);
        let head: String = ran.stderr.chars().take(600).collect();
        assert_eq!(ran.code, code, "{args:?}: {head}");
        assert!(ran.stderr.contains(words), "{args:?}: {head}");
    };
    let holes = ["holes.trec_eval", "--from", "trec_eval"];
    let with = |verb: &'static str, file: &[&'static str], more: &[&'static str]| {
        [&[verb], file, more].concat()
    };
    reported(
        &with("rank", &holes, &[]),
        0,
        "24995000 values are missing: run `holes` on topic `t0`",
    );
    reported(&with("export", &holes, &["--to", "tot"]), 0, "and 4990 more");
    reported(
        &with("rank", &holes, &["--on-missing", "fill"]),
        2,
        "24995000 values are missing, more than the 10000000 that can be filled in",
    );
    reported(&with("rank", &holes, &["--on-missing", "fix-aggregate"]), 0, "counted as 0");
    reported(&with("stats", &holes, &["--per-run"]), 0, "values are missing");
    reported(&with("rank", &["sparse.tot", "--from", "tot"], &[]), 0, "");
    reported(
        &with("rank", &["big.tot", "--from", "tot"], &[]),
        2,
        "95000 runs × 60000 columns are more than the 50000000 places",
    );
    reported(&with("rank", &["few.tot", "--from", "tot"], &[]), 0, "values are missing");
}

#[test]
fn the_line_that_names_a_run_is_not_a_measure() {
    let world = World::new();
    world.write("a.eval", "runid all bm25\nmap 301 0.5\nmap all 0.5\n");
    let ran = world.run(&["export", "a.eval", "--from", "trec_eval", "--to", "tot"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout, "bm25\tmap\t301\t0.5\nbm25\tmap\tall\t0.5\n");
}

/// Text on its way into a document cannot turn what follows it around, or command a terminal.
#[test]
fn names_that_are_not_seen_are_written_as_escapes() {
    let world = World::new();
    let name = "a\u{1b}[2J\u{9b}m\u{202e}b\u{2066}c\u{200b}";
    world.write("cells.csv", format!("run,measure,topic,value\n{name},m,all,0.5\n"));
    for format in ["json", "markdown", "latex", "svg"] {
        let ran = world.run(&["export", "cells.csv", "--to", format]);
        assert_eq!(ran.code, 0, "{format}: {}", ran.both());
        let is_raw =
            |it: char| it != '\n' && it.is_control() || "\u{202e}\u{2066}\u{200b}".contains(it);
        assert!(!ran.stdout.contains(is_raw), "{format}: {:?}", ran.stdout);
    }
    let ran = world.run(&["export", "cells.csv", "--to", "json"]);
    let page: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!(page["entries"][0]["id"], name, "nothing is lost");
}
