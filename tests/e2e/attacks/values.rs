//! Tampered values and rows of the board.

use serde_json::json;

use super::desk::{board, bundle, config, forge, insert, list, map, rekey, row};
use super::{Call, Case, run_all, verify};
use crate::harness::copy;

pub(super) const VALUES: &[Case] = &[
    verify("A01", ("E-DIFF", "entries[0].public.pass_rate"), &[], |world| {
        row(world, 0, |row| row["public"]["pass_rate"] = json!(0.923));
    }),
    verify("A02", ("E-DIFF", "entries[0].public.pass_rate"), &[], |world| {
        row(world, 0, |row| row["public"]["pass_rate"] = json!(0.922_000_000_1));
    }),
    verify("A04", ("E-DIFF", "entries[0].public.by_tier.expert"), &[], |world| {
        row(world, 0, |row| insert(&mut row["public"]["by_tier"], "expert", json!(1.0)));
    }),
    verify("A05", ("E-DIFF", "entries[0].public.n_prompts"), &[], |world| {
        row(world, 0, |row| row["public"]["n_prompts"] = json!(52));
    }),
    verify("A06", ("E-DIFF", "entries[0].public.n_prompts"), &[], |world| {
        row(world, 0, |row| row["public"]["n_prompts"] = json!(51.0));
    }),
    verify("A08", ("E-USAGE", "entries[0].usage.judge_calls"), &[], |world| {
        row(world, 0, |row| row["usage"]["judge_calls"] = json!(459));
    }),
    verify("A09", ("E-LOOP", "entries[0].close_the_loop.repair_lift"), &[], |world| {
        row(world, 0, |row| row["close_the_loop"]["repair_lift"] = json!(0.9));
    }),
    verify("A10", ("E-LOOP", "entries[0].close_the_loop.dry_run_agreement.hard"), &[], |world| {
        row(world, 0, |row| {
            row["close_the_loop"]["dry_run_agreement"]["hard"] = json!(1.0);
        });
    }),
    verify("A12", ("E-RANK", "entries[1].rank"), &[], |world| {
        row(world, 1, |row| row["rank"] = json!(1));
    }),
    verify("A13", ("E-GAP", "entries[0].overfit_gap"), &[], |world| {
        row(world, 0, |row| row["overfit_gap"] = json!(-0.055));
    }),
    verify("A14 form", ("E-RUN", "entries[0].run.tool_version"), &[], |world| {
        row(world, 0, |row| row["run"]["tool_version"] = json!("the newest"));
    }),
    verify("A16", ("E-RUN", "entries[0].run.n_votes"), &[], |world| {
        row(world, 0, |row| row["run"]["n_votes"] = json!(9));
    }),
    verify("A17", ("E-HASH", "entries[0].run.recorded_bundle_sha16"), &[], |world| {
        row(world, 0, |row| row["run"]["recorded_bundle_sha16"] = json!("211db269f6648cfb"));
    }),
    verify("A18", ("E-HASH", "entries[0].run.recorded_bundle_sha16"), &[], |world| {
        row(world, 0, |row| row["run"]["recorded_bundle_sha16"] = json!("5042bccf"));
    }),
    verify("A20", ("E-HELD-FORM", "entries[0].held_out"), &[], |world| {
        row(world, 0, |row| row["held_out"]["by_tier"]["hard"] = json!(1.0));
    }),
    verify("A21", ("E-HELD-SET", "entries[0].held_out"), &[], |world| {
        row(world, 0, |row| row["held_out"]["n_prompts"] = json!(1500));
    }),
    verify("A22", ("E-HELD-FORM", "entries[0].held_out"), &["E-GAP"], |world| {
        row(world, 0, |row| row["held_out"]["pass_rate"] = json!(0.87));
    }),
    verify("A25", ("E-HEADER", "generated_at"), &[], |world| {
        board(world, |board| board["generated_at"] = json!("2099-13-45"));
    }),
    verify("A26", ("E-HEADER", "eval_protocol_version"), &[], |world| {
        board(world, |board| board["eval_protocol_version"] = json!("2"));
    }),
    verify("A28", ("E-HEADER", "public_set.n_prompts"), &[], |world| {
        board(world, |board| board["public_set"]["n_prompts"] = json!(500));
    }),
    verify("A29", ("E-HEADER", "ranking"), &[], |world| {
        board(world, |board| board["ranking"] = json!("public.pass_rate desc"));
    }),
    verify("A30", ("E-RUN", "entries[0].run.verified"), &[], |world| {
        row(world, 0, |row| row["run"]["verified"] = json!("yes, by NASA"));
    }),
    verify("A32", ("E-RUN", "entries[0].provider"), &[], |world| {
        row(world, 0, |row| row["provider"] = json!("anthropic"));
    }),
    verify("A33", ("E-RUN", "entries[0].kind"), &[], |world| {
        row(world, 0, |row| row["kind"] = json!("seed"));
    }),
    verify("A34", ("E-HELD-FORM", "entries[0].held_out"), &[], |world| {
        row(world, 0, |row| row["held_out"]["pass_rate"] = json!(1.7));
    }),
    verify("A36", ("E-HEADER", "held_out_set.committed"), &[], |world| {
        board(world, |board| board["held_out_set"]["committed"] = json!(true));
    }),
    Case {
        call: Call::Gated,
        ..verify("A24 gated", ("E-HELD", "entries[3].held_out"), &["E-GAP"], |world| {
            row(world, 3, |row| {
                row["held_out"] = json!({"pass_rate": null, "status": gmat_leaderboard::internals::board::PENDING});
                row["overfit_gap"] = json!(null);
            });
        })
    },
];

#[test]
fn a_tampered_value_is_found_at_its_place() {
    run_all(VALUES);
}

pub(super) const ROWS: &[Case] = &[
    verify("B01", ("E-ROW-MISSING", "seeds[1]"), &["E-RANK"], |world| {
        board(world, |board| {
            list(&mut board["entries"]).remove(1);
        });
    }),
    verify("B02", ("E-ROW-UNKNOWN", "entries[0]"), &["E-RANK"], |world| {
        board(world, |board| {
            let mut stranger = board["entries"][0].clone();
            stranger["model"] = json!("acme/winner");
            stranger["held_out"] = json!({"by_tier": {"easy": 1.0, "hard": 1.0, "medium": 1.0}, "n_prompts": 15, "pass_rate": 1.0});
            stranger["overfit_gap"] = json!(-0.078);
            list(&mut board["entries"]).insert(0, stranger);
        });
    }),
    verify("B04", ("E-ROW-DUP", "entries[1]"), &["E-RANK"], |world| {
        board(world, |board| {
            let first = board["entries"][0].clone();
            list(&mut board["entries"]).insert(0, first);
        });
    }),
    verify("B05", ("E-ROW-UNKNOWN", "entries[0]"), &["E-ROW-MISSING", "L-NAME"], |world| {
        row(world, 0, |row| {
            row["model"] = json!("c\u{430}reful");
            row["public"] = json!({"by_tier": {"easy": 1.0, "hard": 1.0, "medium": 1.0}, "n_prompts": 51, "pass_rate": 1.0});
            row["overfit_gap"] = json!(0.133);
        });
    }),
    verify("B06", ("E-EMPTY", "entries"), &["E-ROW-MISSING"], |world| {
        board(world, |board| board["entries"] = json!([]));
    }),
    verify("B08", ("E-ORDER", "entries[0]"), &["E-RANK"], |world| {
        board(world, |board| {
            let rows = list(&mut board["entries"]);
            rows.sort_by(|a, b| {
                let rate =
                    |row: &serde_json::Value| row["public"]["pass_rate"].as_f64().expect("a rate");
                rate(b).total_cmp(&rate(a))
            });
            for (position, row) in rows.iter_mut().enumerate() {
                row["rank"] = json!(position + 1);
            }
        });
    }),
    verify("B09", ("E-EMPTY", "entries"), &["E-ROW-UNKNOWN"], |world| {
        config(world, |config| config["seeds"] = json!([]));
    }),
    verify("B10", ("E-ROW-MISSING", "seeds[5]"), &[], |world| {
        let bundles = world.path("board/leaderboard/bundles");
        copy(&bundles.join("newcomer"), &bundles.join("late"));
        rekey(world, "board/leaderboard/bundles/late/completions.json", "demo:late");
        config(world, |config| {
            list(&mut config["seeds"]).push(json!({
                "provider": "demo", "model": "late", "public_bundle": "leaderboard/bundles/late",
            }));
        });
    }),
];

#[test]
fn rows_are_those_of_the_seeds_in_their_order() {
    run_all(ROWS);
}

pub(super) const TOUCHED_BUNDLES: &[Case] = &[
    verify("H06 touched", ("E-HASH", "entries[0].run"), &["E-DIFF", "E-GAP"], |world| {
        bundle(world, "careful", "judge.json", |votes| {
            map(votes).values_mut().for_each(|votes| *votes = json!([true, true, true]));
        });
    }),
    verify("H23", ("E-LOOP", "entries[0].close_the_loop"), &[], |world| {
        bundle(world, "careful-lift", "verdicts.json", |verdicts| {
            map(verdicts).values_mut().for_each(|entry| entry["dry_run"]["ok"] = json!(true));
        });
    }),
    Case {
        call: Call::Gated,
        ..verify("E-HELD", ("E-HELD", "entries[0].held_out"), &[], |world| {
            forge(world);
            row(world, 0, |row| {
                row["held_out"]["by_tier"] = json!({"easy": 1.0, "hard": 0.8, "medium": 0.8});
            });
        })
    },
];

#[test]
fn a_bundle_that_was_touched_is_not_the_one_that_was_scored() {
    run_all(TOUCHED_BUNDLES);
}
