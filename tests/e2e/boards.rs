//! Boards and workspaces to render, made without bundles.

use serde_json::{Value, json};

use crate::harness::{World, board_world};

const PENDING: &str = "pending: scored in gated CI against the never-committed held-out set";
const RANKING: &str =
    "held_out.pass_rate desc - the headline; public shown alongside as the anchor";

/// What a board is made of.
pub struct Shape<'a> {
    /// Rows; names beyond `names` are made up.
    pub rows: usize,
    /// Models of the first rows.
    pub names: &'a [&'a str],
    /// Public tiers.
    pub tiers: usize,
}

impl Default for Shape<'_> {
    fn default() -> Self {
        Self { rows: 5, names: &[], tiers: 3 }
    }
}

fn rate(passed: usize, total: usize) -> f64 {
    let real = |count| f64::from(u32::try_from(count).expect("a count"));
    (real(passed) / real(total) * 1000.0).round() / 1000.0
}

/// The board; every seventh row is pending.
pub fn board(shape: &Shape<'_>) -> Value {
    let tiers: Vec<String> = match shape.tiers {
        3 => ["easy", "medium", "hard"].map(str::to_owned).to_vec(),
        n => (0..n).map(|tier| format!("tier-{tier}")).collect(),
    };
    let mut rows: Vec<Value> = (0..shape.rows)
        .map(|at| {
            let model = shape.names.get(at).map_or_else(
                || format!("vendor-{}/model-{at}", at % 9),
                |name| (*name).to_owned(),
            );
            let (public, held_out) = (12 + at * 7 % 40, 5 + at * 37 % 113);
            let by_tier = |rate: f64| -> Value {
                tiers.iter().map(|tier| (tier.clone(), json!(rate))).collect::<serde_json::Map<_, _>>().into()
            };
            let provider = ["github", "openai", "local"][at % 3];
            let pending = at % 7 == 6;
            let gap = ((rate(public, 51) - rate(held_out, 120)) * 1000.0).round() / 1000.0;
            json!({
                "close_the_loop": null,
                "held_out": if pending {
                    json!({"pass_rate": null, "status": PENDING})
                } else {
                    json!({"by_tier": by_tier(rate(held_out, 120)), "n_prompts": 120, "pass_rate": rate(held_out, 120)})
                },
                "kind": if at % 4 == 3 { "self-recorded" } else { "seed" },
                "model": model,
                "overfit_gap": if pending { Value::Null } else { json!(gap) },
                "provider": provider,
                "public": {"by_tier": by_tier(rate(public, 51)), "n_prompts": 51, "pass_rate": rate(public, 51)},
                "rank": 0,
                "run": {
                    "judge_model": "judge/one", "n_votes": 3, "recorded_bundle_sha16": format!("{at:016x}"),
                    "submitted_by": "seed", "tool_version": "0.1.0", "verified": true
                },
                "usage": {"completion_tokens": 9_000 + at * 10, "prompt_tokens": 130_000 + at * 1_000, "generation_calls": 51, "judge_calls": 153}
            })
        })
        .collect();
    let headline = |row: &Value| row["held_out"]["pass_rate"].as_f64().unwrap_or(-1.0);
    rows.sort_by(|a, b| {
        headline(b)
            .total_cmp(&headline(a))
            .then_with(|| a["model"].as_str().cmp(&b["model"].as_str()))
    });
    for (at, row) in rows.iter_mut().enumerate() {
        row["rank"] = json!(at + 1);
    }
    json!({
        "entries": rows, "eval_protocol_version": "2", "generated_at": "2026-11-15T00:00:00Z",
        "held_out_set": {"committed": false}, "judge_model": "judge/one",
        "public_set": {"committed": true, "n_prompts": 51}, "ranking": RANKING
    })
}

/// A config that goes with it.
pub fn config() -> Value {
    json!({
        "eval_protocol_version": "2", "n_votes": 3, "judge_model": "judge/one", "seeds": [],
        "public_set": {"committed": true, "n_prompts": 51}, "held_out_set": {"committed": false},
        "site": {
            "title": "Test board", "description": "A board for tests.", "licence": "CC-BY-4.0",
            "links": [{"text": "Source", "url": "https://github.com/example/board"}]
        }
    })
}

/// A world with a board of `shape` and a config.
pub fn world(shape: &Shape<'_>) -> World {
    let world = World::new();
    world.write("seeds.json", config().to_string());
    write_board(&world, &board(shape));
    world
}

pub fn write_board(world: &World, board: &Value) {
    let text = serde_json::to_string_pretty(board).expect("JSON");
    world.write("leaderboard/leaderboard.json", format!("{text}\n"));
}

/// The same with a site rendered to `site/`.
pub fn site(shape: &Shape<'_>) -> World {
    let world = world(shape);
    let ran = world.run(&["render", "-q"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    world
}

/// The frozen board below `board/`, with two rows that another judge judged.
pub fn two_cohorts() -> World {
    let world = board_world();
    edit_board(&world, |row| {
        if ["memoriser", "newcomer"].map(Some).contains(&row["model"].as_str()) {
            row["run"]["judge_model"] = json!("other/strict");
            row["run"]["n_votes"] = json!(1);
        }
    });
    world
}

/// The same with an official baseline in each cohort.
pub fn two_cohorts_with_baselines() -> World {
    let world = two_cohorts();
    let named = "{\"official_baselines\": [\"demo:careful\", \"demo:memoriser\"],";
    world.write("board/seeds.json", world.read("board/seeds.json").replacen('{', named, 1));
    world
}

/// Changes every row of the board below `board/`.
pub fn edit_board(world: &World, edit: impl Fn(&mut Value)) {
    let file = "board/leaderboard/leaderboard.json";
    let mut board: Value = serde_json::from_str(&world.read(file)).expect("JSON");
    for row in board["entries"].as_array_mut().expect("rows") {
        edit(row);
    }
    world.write(file, serde_json::to_string_pretty(&board).expect("JSON") + "\n");
}
