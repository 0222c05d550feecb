//! Bundles that agree with themselves and cheat all the same. Each is built (refused), then forged
//! into a board that follows from the bundles, which `verify` must refuse for the same reason.

use serde_json::json;

use super::desk::{bundle, config, insert, list, map, public, rekey};
use super::{Call, Case, run_all};
use crate::harness::{World, board_world};

const fn both(
    id: &'static str,
    exit: i32,
    first: (&'static str, &'static str),
    then: &'static [&'static str],
    attack: fn(&World),
) -> Case {
    Case { id, call: Call::Both, exit, first, then, attack }
}

#[test]
fn another_public_set_is_refused() {
    const AT: (&str, &str) = ("B-SET", "careful/prompts.json");
    run_all(&[
        both("H02", 1, AT, &[], |world| {
            bundle(world, "careful", "prompts.json", |prompts| {
                list(prompts).iter_mut().for_each(|prompt| prompt["structural"] = json!({}));
            });
        }),
        both("H03", 1, AT, &["B-DUP"], |world| {
            bundle(world, "careful", "prompts.json", |prompts| {
                let easy = prompts[0].clone();
                list(prompts).extend(std::iter::repeat_n(easy, 200));
            });
        }),
        both("H04", 1, AT, &["B-DUP", "B-VERDICTS"], |world| {
            bundle(world, "careful", "prompts.json", |prompts| {
                let mut again = prompts[0].clone();
                again["id"] = json!("another_name");
                list(prompts).push(again);
            });
        }),
        both("H27", 1, AT, &["B-EXTRA", "B-VERDICTS"], |world| {
            bundle(world, "careful", "prompts.json", |prompts| list(prompts).truncate(20));
        }),
        both("H28", 1, AT, &[], |world| {
            bundle(world, "careful", "prompts.json", |prompts| {
                list(prompts).iter_mut().for_each(|prompt| prompt["intent"] = json!("any script"));
            });
        }),
        Case {
            call: Call::Verify,
            ..both("H22", 1, AT, &[], |world| {
                let (prompts, texts) =
                    (public("careful", "prompts.json"), public("careful", "completions.json"));
                let moved = world.read(&prompts).trim_end().to_owned();
                world.write(&texts, format!("\n{}", world.read(&texts)));
                world.write(&prompts, moved);
            })
        },
        both("no pin", 1, ("B-SET", "careless/prompts.json"), &[], |world| {
            config(world, |config| {
                map(&mut config["public_set"]).remove("sha256");
            });
            bundle(world, "careless", "prompts.json", |prompts| {
                prompts[0]["intent"] = json!("any script");
            });
        }),
    ]);
}

#[test]
fn votes_and_completions_belong_to_the_prompts_and_to_the_seed() {
    run_all(&[
        both("H08", 2, ("B-JUDGE", "careful/judge.json"), &[], |world| {
            bundle(world, "careful", "judge.json", |votes| {
                let mut all: serde_json::Value = votes.clone();
                map(&mut all).values_mut().for_each(|votes| *votes = json!([true, true, true]));
                insert(votes, "careful", all);
            });
        }),
        both("H08 a stranger's name", 2, ("B-JUDGE", "careful/judge.json"), &[], |world| {
            bundle(world, "careful", "judge.json", |votes| {
                *votes = json!({"somebody": votes.clone()});
            });
        }),
        both("H10", 1, ("B-VERDICTS", "careful/judge.json"), &[], |world| {
            bundle(world, "careful", "judge.json", |votes| {
                let half: Vec<String> = map(votes).keys().step_by(2).cloned().collect();
                half.iter().for_each(|id| {
                    map(votes).remove(id);
                });
            });
        }),
        both("H11", 1, ("B-VERDICTS", "careful/judge.json"), &[], |world| {
            bundle(world, "careful", "judge.json", |votes| {
                insert(votes, "stranger", json!([true, true, true]));
            });
        }),
        both("H12 short", 1, ("B-VOTES", "careful/judge.json"), &[], |world| {
            bundle(world, "careful", "judge.json", |votes| {
                votes["backward_four_hours"] = json!([true]);
            });
        }),
        both("H12 long", 1, ("B-VOTES", "careful/judge.json"), &[], |world| {
            bundle(world, "careful", "judge.json", |votes| {
                votes["backward_four_hours"] = json!([true, true, true, true]);
            });
        }),
        both("H14", 1, ("B-MISSING", "careful/completions.json"), &[], |world| {
            rekey(world, &public("careful", "completions.json"), "demo:steady");
        }),
        both("H16", 1, ("B-PROVIDER", "careful/completions.json"), &[], |world| {
            rekey(world, &public("careful", "completions.json"), "anthropic:careful");
        }),
        both("H18", 1, ("B-MISSING", "careful/completions.json"), &[], |world| {
            rekey(world, &public("careful", "completions.json"), "mistral:careful");
        }),
        both("H20", 1, ("B-EXTRA", "careful/completions.json"), &[], |world| {
            bundle(world, "careful", "completions.json", |texts| {
                insert(
                    texts,
                    "demo:careful:0123456789abcdef",
                    json!({"text": "", "usage": {"total_tokens": 1_000_000_000}}),
                );
            });
        }),
        both("H24", 1, ("B-LIFT", "seeds[3].lift_bundle"), &[], |world| {
            config(world, |config| {
                config["seeds"][0]["lift_bundle"] = json!("leaderboard/bundles/careless-lift");
            });
        }),
        both("H26", 2, ("B-LIFT", "careful-lift/verdicts.json"), &[], |world| {
            bundle(world, "careful-lift", "verdicts.json", |verdicts| {
                map(verdicts)
                    .remove("51d4128ef20b3eea0ac77eab84a603954f0b49721a29acc4d2521bbd1a6394fc")
                    .expect("there");
            });
        }),
        both("H26 no draft", 2, ("B-LIFT", "careful-lift/trajectory.json"), &[], |world| {
            bundle(world, "careful-lift", "trajectory.json", |drafts| {
                map(drafts).remove("weather_polar_day").expect("there");
            });
        }),
        both("H30", 1, ("E-HEADER", "eval_protocol_version"), &[], |world| {
            config(world, |config| config["eval_protocol_version"] = json!({"v": 1}));
        }),
        both("D15", 1, ("L-KEY", "public_set.note"), &[], |world| {
            config(world, |config| config["public_set"]["note"] = json!([82, 97, 105, 115, 101]));
        }),
    ]);
}

/// H15: a copy does not prove anything, but it is reported.
#[test]
fn a_copied_bundle_is_noted() {
    let world = board_world();
    std::fs::copy(
        world.path(&public("memoriser", "completions.json")),
        world.path(&public("careful", "completions.json")),
    )
    .expect("copied");
    rekey(&world, &public("careful", "completions.json"), "demo:careful");
    let ran = world.run(&super::desk::BUILD);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains(
            "note[B-TWIN]: rows `demo:careful` and `demo:memoriser` share 51 of 51 completions"
        ),
        "{}",
        ran.stderr
    );
    assert_eq!(world.run(&super::desk::VERIFY).code, 0);
}
