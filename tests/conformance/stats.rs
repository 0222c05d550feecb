//! Intervals and exact tests against scipy, statsmodels and numpy.

use gmat_leaderboard::table::significance as ours;
use serde_json::Value;

fn integer(value: &Value) -> u64 {
    value.as_u64().expect("a count")
}

fn close(ours: f64, golden: &Value, what: &str) {
    let golden = golden.as_f64().expect("a number");
    assert!((ours - golden).abs() <= 1e-12, "{what}: ours {ours}, golden {golden}");
}

fn list<'a>(golden: &'a Value, key: &str, count: &mut usize) -> &'a [Value] {
    let list = golden[key].as_array().unwrap_or_else(|| panic!("{key} is a list"));
    *count += list.len();
    list
}

#[test]
fn stats() {
    let Some(folder) = super::folder("stats") else { return };
    let text = std::fs::read(folder.join("stats_golden.json")).expect("the goldens");
    let golden: Value = serde_json::from_slice(&text).expect("JSON");
    let mut count = 0;
    for case in list(&golden, "wilson95", &mut count) {
        let (k, n) = (integer(&case["k"]), integer(&case["n"]));
        let Some(interval) = ours::wilson(k, n) else {
            assert_eq!(n, 0, "wilson {k}/{n}");
            continue;
        };
        close(interval.low, &case["lo"], &format!("wilson {k}/{n} low"));
        close(interval.high, &case["hi"], &format!("wilson {k}/{n} high"));
    }
    for case in list(&golden, "mcnemar_exact", &mut count) {
        let (b, c) = (integer(&case["b"]), integer(&case["c"]));
        close(ours::mcnemar(b, c), &case["p"], &format!("mcnemar {b},{c}"));
    }
    for case in list(&golden, "mcnemar_needs", &mut count) {
        let n = integer(&case["n_discordant"]);
        let minor = (0..=n / 2).rev().find(|minor| ours::mcnemar(*minor, n - minor) <= ours::ALPHA);
        assert_eq!(minor, case["max_minor"].as_u64(), "{n} discordant");
    }
    for case in list(&golden, "multiple", &mut count) {
        let numbers = |key: &str| case[key].as_array().expect("a list").clone();
        let p: Vec<f64> = numbers("p").iter().map(|p| p.as_f64().expect("a number")).collect();
        for (ours, golden) in ours::holm(&p).into_iter().zip(numbers("holm")) {
            close(ours, &golden, &format!("holm {p:?}"));
        }
    }
    for case in list(&golden, "gap_newcombe95", &mut count) {
        let side = |k: &str, n: &str| (integer(&case[k]), integer(&case[n]));
        let interval = ours::newcombe(side("k1", "n1"), side("k2", "n2")).expect("prompts");
        close(interval.low, &case["lo"], &format!("newcombe {case}"));
        close(interval.high, &case["hi"], &format!("newcombe {case}"));
    }
    for case in list(&golden, "marginal_only", &mut count) {
        let (n, k1, k2) = (integer(&case["n"]), integer(&case["k1"]), integer(&case["k2"]));
        close(ours::fisher((k1, n), (k2, n)), &case["fisher_p"], &format!("fisher {case}"));
        close(ours::best_case_mcnemar(k1, k2), &case["best_case_mcnemar_p"], "best case");
    }
    for case in list(&golden, "power_pairs_80", &mut count) {
        let share = |key: &str| case[key].as_f64().expect("a number");
        close(
            ours::prompts_needed(share("p10"), share("p01")).expect("a difference"),
            &case["n"],
            "power",
        );
    }
    for case in list(&golden, "rank_bootstrap", &mut count) {
        bootstrap(case);
    }
    eprintln!("stats: {count} golden values compared");
}

fn bootstrap(case: &Value) {
    let rows: Vec<Vec<bool>> = case["bits"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|bits| bits.as_str().expect("text").bytes().map(|bit| bit == b'1').collect())
        .collect();
    let replicates = usize::try_from(integer(&case["B"])).expect("small");
    let intervals = ours::rank_bootstrap(&rows, replicates, integer(&case["seed"]));
    let pairs = ours::pairs(&rows);
    let ranks = ours::stat_ranks(rows.len(), &pairs);
    for (index, interval) in intervals.iter().enumerate() {
        assert_eq!(serde_json::json!([interval.low, interval.high]), case["rank_interval"][index]);
        close(interval.first, &case["p_first"][index], "share of first places");
        assert_eq!(ranks[index] as u64, integer(&case["stat_rank"][index]));
    }
    for (pair, golden) in pairs.iter().zip(case["pairs"].as_array().expect("a list")) {
        assert_eq!(
            (pair.only_a, pair.only_b),
            (integer(&golden["only_a"]), integer(&golden["only_b"]))
        );
        close(pair.p, &golden["p"], "p");
        close(pair.p_holm, &golden["p_holm"], "corrected p");
        let winner = pair.winner().map(|index| case["names"][index].clone()).unwrap_or_default();
        assert_eq!(winner, golden["winner"]);
    }
}
