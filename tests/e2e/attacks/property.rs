//! What holds of every board: it verifies as built, and no longer once anything in it is changed.

use std::sync::OnceLock;

use gmat_leaderboard::internals::board::{
    self, AuditInputs, AuditScope, Scored, SeedResult, SortedSeeds, assemble, audit, sort_seeds,
};
use gmat_leaderboard::internals::domain::Finding;
use gmat_leaderboard::internals::domain::config::Config;
use gmat_leaderboard::internals::fs::Store;
use gmat_leaderboard::internals::json;
use gmat_leaderboard::internals::replay::{self, BundleFiles};
use gmat_leaderboard::internals::workspace::{
    ConfigFile, ReplayDetail, SeedReplays, read_config, static_bundle,
};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use serde_json::{Map, Value};

use super::desk::AT;
use crate::harness::frozen;

/// The frozen board with what it is compared with.
struct Own {
    config: Config,
    seeds: SortedSeeds,
    board: Value,
}

fn own() -> &'static Own {
    static OWN: OnceLock<Own> = OnceLock::new();
    OWN.get_or_init(|| {
        let root = frozen().join("board");
        let ConfigFile { config, name, .. } = read_config(&root, None).expect("a config");
        let store = Store::open(&root).expect("a root");
        let replays =
            SeedReplays::replay(&store, None, &config, ReplayDetail::Counts, false, || {});
        let seeds = sort_seeds(&config, &name, replays.scored(&config), false);
        let bytes = std::fs::read(root.join("leaderboard/leaderboard.json")).expect("a board");
        Own { config, seeds, board: serde_json::from_slice(&bytes).expect("JSON") }
    })
}

/// What `verify` finds in these bytes.
fn findings(bytes: &[u8], config: &Config, seeds: &SortedSeeds) -> Vec<Finding> {
    let against = AuditInputs { config, config_file: "seeds.json", seeds };
    let document = json::parse(bytes).expect("JSON");
    let audit = audit(bytes, &document, "board.json", Some(&against), AuditScope::default());
    let all = audit.findings.into_iter().chain(seeds.findings.clone());
    all.filter(Finding::decides).collect()
}

fn is_refused(board: &Value) -> bool {
    let Own { config, seeds, .. } = own();
    !findings(&json::pretty(board), config, seeds).is_empty()
}

/// The JSON pointers of all objects, or of all leaves.
fn pointers(value: &Value, objects: bool) -> Vec<String> {
    let mut found = Vec::new();
    walk(value, String::new(), objects, &mut found);
    found
}

fn walk(value: &Value, at: String, objects: bool, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(key, value)| walk(value, format!("{at}/{key}"), objects, found));
            found.extend(objects.then_some(at));
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(index, item)| walk(item, format!("{at}/{index}"), objects, found)),
        _ => found.extend((!objects).then_some(at)),
    }
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-2000_i64..200_000).prop_map(Value::from),
        (-1000_i32..=1500).prop_map(|thousandths| Value::from(f64::from(thousandths) / 1000.0)),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::from),
        "[ -~]{0,20}".prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,6}", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

fn settings(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    }
}

#[test]
fn the_committed_board_is_not_refused() {
    assert!(!is_refused(&own().board));
}

/// Votes on every prompt of a set, drawn from `bits`.
fn votes(prompts: &[u8], bits: &mut impl Iterator<Item = bool>) -> Vec<u8> {
    let prompts: Value = serde_json::from_slice(prompts).expect("prompts");
    let mut lists = Map::new();
    for prompt in prompts.as_array().expect("a set") {
        let three: Vec<bool> = bits.by_ref().take(3).collect();
        lists.insert(prompt["id"].as_str().expect("an id").to_owned(), three.into());
    }
    json::pretty(&lists)
}

/// All seeds scored with votes drawn from `seed`: with their held-out bundles, and without.
fn scored(config: &Config, seed: u64) -> (Vec<Scored>, Vec<Scored>) {
    let public = Store::open(&frozen().join("board")).expect("a root");
    let held_out = Store::open(&frozen().join("held-out")).expect("held-out bundles");
    let mut state = seed | 1;
    let mut bits = std::iter::from_fn(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        Some(state % 5 > 1)
    });
    let mut replayed = |store: &Store, dir: &_, secret, index: usize| {
        let files = static_bundle(store, dir, secret).expect("read")?;
        let judge = votes(&files.prompts, &mut bits);
        let asked = config.asked(&config.seeds[index]);
        Some(replay::replay(&BundleFiles { judge, ..files }, &asked, None).expect("replayed"))
    };
    let one = |index: usize| {
        let seed = &config.seeds[index];
        let anchor = replayed(&public, &seed.public_bundle, false, index).expect("there");
        let bundle = seed.held_out_bundle.as_ref().expect("named");
        let headline = replayed(&held_out, bundle, true, index);
        let alone = board::score(config, index, &anchor, None, None);
        (board::score(config, index, &anchor, headline.as_ref(), None), alone)
    };
    (0..config.seeds.len()).map(one).unzip()
}

fn seeds(config: &Config, scored: Vec<Scored>) -> SortedSeeds {
    let results = scored.into_iter().map(SeedResult::Scored).collect();
    sort_seeds(config, "seeds.json", results, false)
}

proptest! {
    #![proptest_config(settings(400))]

    #[test]
    fn a_key_added_anywhere_is_refused(
        place in any::<prop::sample::Index>(),
        key in prop_oneof!["[a-z_]{1,12}", any::<String>()],
        value in value(),
    ) {
        let mut board = own().board.clone();
        let objects = pointers(&board, true);
        let pointer: &String = place.get(&objects);
        let object = board.pointer_mut(pointer).expect("there").as_object_mut();
        let before = object.expect("an object").insert(key, value);
        prop_assume!(before.is_none());
        prop_assert!(is_refused(&board));
    }

    #[test]
    fn a_leaf_changed_anywhere_is_refused(place in any::<prop::sample::Index>(), value in leaf()) {
        let mut board = own().board.clone();
        let leaves = pointers(&board, false);
        let pointer: &String = place.get(&leaves);
        let leaf = board.pointer_mut(pointer).expect("there");
        prop_assume!(*leaf != value);
        *leaf = value;
        // What no bundle determines: the stamp, the version, and headlines within their own form.
        let free = pointer == "/generated_at"
            || pointer.ends_with("/run/tool_version")
            || pointer.contains("/held_out/by_tier/");
        prop_assert!(free || is_refused(&board), "{pointer}");
    }
}

proptest! {
    #![proptest_config(settings(12))]

    #[test]
    fn every_built_board_verifies(seed in any::<u64>()) {
        let config = &own().config;
        let (scored, alone) = scored(config, seed);
        let bytes = assemble(config, &scored, AT, "0.1.0").bytes();
        for seeds in [seeds(config, scored), seeds(config, alone)] {
            let findings = findings(&bytes, config, &seeds);
            prop_assert!(findings.is_empty(), "{findings:#?}");
        }
    }
}
