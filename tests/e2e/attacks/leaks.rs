//! Held-out text on its way out: refused in every disguise, and never repeated by a message.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use super::desk::{
    AT, BOARD, BUILD, CONFIG, GATED, INTENT, REQUEST, config, edit_json, insert, list, map, row,
};
use super::{Call, Case, run_all};
use crate::harness::{World, board_world, copy};

const fn leak(id: &'static str, attack: fn(&World)) -> Case {
    Case { id, call: Call::Build, exit: 1, first: ("L-TEXT", "public_set.note"), then: &[], attack }
}

/// Puts text into the note, the one field of the config that is free.
fn note(world: &World, text: &str) {
    config(world, |config| config["public_set"]["note"] = json!(text));
}

fn every(text: &str, dress: impl Fn(u8) -> String) -> String {
    text.bytes().map(dress).collect()
}

fn rot13(letter: char) -> char {
    let turn = |letter: u8, first: u8| char::from((letter - first + 13) % 26 + first);
    match letter {
        'a'..='z' => turn(letter as u8, b'a'),
        'A'..='Z' => turn(letter as u8, b'A'),
        _ => letter,
    }
}

/// Changes every prompt set of the held-out directory alike.
fn held_out(world: &World, edit: impl Fn(&mut Value)) {
    for name in ["careful", "careless", "memoriser", "steady"] {
        edit_json(world, &format!("held-out/{name}/prompts.json"), &edit);
    }
}

#[test]
fn a_gold_is_refused_in_every_disguise() {
    run_all(&[
        leak("D01", |world| note(world, REQUEST)),
        leak("D01 intent", |world| note(world, &format!("see: {INTENT} (sic)"))),
        leak("D02", |world| note(world, &REQUEST[..40])),
        leak("D03", |world| note(world, &REQUEST.to_uppercase())),
        leak("D05", |world| note(world, &BASE64_STANDARD.encode(REQUEST))),
        leak("D06", |world| note(world, &every(REQUEST, |byte| format!("{byte:02x}")))),
        leak("D07", |world| note(world, &every(REQUEST, |byte| format!("%{byte:02X}")))),
        leak("D08 entities", |world| note(world, &every(REQUEST, |byte| format!("&#{byte};")))),
        leak("D09", |world| note(world, &REQUEST.chars().rev().collect::<String>())),
        leak("D10", |world| note(world, &REQUEST.chars().map(rot13).collect::<String>())),
        leak("D11", |world| note(world, &REQUEST.replace("", "\u{200d}"))),
        leak("D14", |world| note(world, &REQUEST.replace([' ', ',', '.'], ""))),
        Case {
            first: ("L-TEXT", "held_out_set.store"),
            ..leak("D17", |world| {
                let (head, tail) = REQUEST.split_at(REQUEST.len() / 2);
                note(world, head);
                config(world, |config| config["held_out_set"]["store"] = json!(tail));
            })
        },
        leak("D18", |world| {
            held_out(world, |prompts| {
                prompts[0]["intent"] = json!("Kreisbahn, Neigung 51.6°, Höhe 400 km, fünf Umläufe");
            });
            note(world, "Kreisbahn, Neigung 51.6°, Höhe 400 km, fünf Umläufe");
        }),
        leak("D19", |world| {
            held_out(world, |prompts| {
                prompts[0]["intent"] =
                    json!("report \"altitude\"\nand \"latitude\" of the orbiter");
            });
            note(world, "report \"altitude\"\nand \"latitude\" of the orbiter");
        }),
        leak("D21", |world| note(world, "BrouwerLongSMA, BrouwerLongINC, BrouwerLongMA")),
        leak("D21 part", |world| note(world, "BrouwerLongSMA")),
        leak("D22", |world| {
            let texts: Value =
                serde_json::from_str(&world.read("held-out/careful/completions.json"))
                    .expect("JSON");
            let text = texts.as_object().expect("texts").values().next().expect("one")["text"]
                .as_str()
                .expect("text");
            note(world, text);
        }),
        leak("D23", |world| {
            let stray =
                "Fly past the moon of a planet that nobody named and report the closest approach.";
            world.write(
                "held-out/deep/stray/prompts.json",
                json!([{"id": "stray", "request": stray, "intent": "-"}]).to_string(),
            );
            note(world, stray);
        }),
        leak("an id", |world| note(world, "cytherean_ring")),
        leak("a canary", |world| {
            note(world, "gmat-leaderboard:heldout:v1:5d0c7e52-8f1b-4c3e-9a46-b7e2d1f0936a");
        }),
        Case {
            first: ("L-TEXT", "held_out_set"),
            ..leak("D17 in small parts", |world| {
                config(world, |config| {
                    config["held_out_set"]["commitment"] = json!(&REQUEST[..20]);
                    config["held_out_set"]["store"] = json!(&REQUEST[20..40]);
                });
            })
        },
        Case {
            call: Call::Args(&[
                "build",
                "--root",
                "board",
                "--held-out",
                "held-out",
                "--generated-at",
                REQUEST,
            ]),
            first: ("L-TEXT", "generated_at"),
            ..leak("J10", |_| {})
        },
        Case {
            call: Call::Gated,
            first: ("L-TEXT", "entries[0].kind"),
            then: &["E-RUN"],
            ..leak("a short gold in a row", |world| {
                row(world, 0, |row| row["kind"] = json!(INTENT));
            })
        },
        Case {
            first: ("L-TEXT", "seeds.json, judge_model"),
            then: &["E-PROTOCOL"],
            ..leak("a gold as judge", |world| {
                config(world, |config| config["judge_model"] = json!(INTENT));
            })
        },
    ]);
}

/// D13: re-ordered words prove nothing, but somebody should look.
#[test]
fn reordered_words_are_noted() {
    let world = board_world();
    let mut words: Vec<&str> = REQUEST.split(' ').collect();
    words.reverse();
    note(&world, &words.join(" "));
    let ran = world.run(&BUILD);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("note[L-WORDS]: contains rare words of held-out prompt 1 of"),
        "{}",
        ran.stderr
    );
}

/// D27: a secret of one letter would be everywhere.
#[test]
fn a_short_secret_blocks_nothing() {
    let world = board_world();
    held_out(&world, |prompts| prompts[0]["intent"] = json!("e"));
    let ran = world.run(&BUILD);
    assert_eq!(
        (ran.code, ran.stdout.as_str()),
        (0, "wrote 5 row(s) to board/leaderboard/leaderboard.json\n")
    );
}

/// A word that stands in every string of the held-out set of the canary test, and nowhere else.
const CANARY: &str = "zqxj";
const SENTENCE: &str = "zqxj flies a canary over the crater rim at 4321 km";

/// Every string of the held-out files carries the canary.
fn canary_world() -> World {
    let world = board_world();
    for name in ["careful", "careless", "memoriser", "steady"] {
        edit_json(&world, &format!("held-out/{name}/prompts.json"), |prompts| {
            for prompt in list(prompts) {
                let id = format!("{CANARY}_{}", prompt["id"].as_str().expect("an id"));
                prompt["id"] = json!(id);
                prompt["intent"] = json!(format!("{SENTENCE}, {id}"));
            }
        });
        edit_json(&world, &format!("held-out/{name}/judge.json"), |votes| {
            let old = std::mem::take(map(votes));
            old.into_iter().for_each(|(id, list)| insert(votes, &format!("{CANARY}_{id}"), list));
        });
        edit_json(&world, &format!("held-out/{name}/completions.json"), |texts| {
            for text in map(texts).values_mut() {
                text["text"] =
                    json!(format!("% {SENTENCE}\n{}", text["text"].as_str().expect("text")));
            }
        });
    }
    world
}

/// K20: whatever is wrong with the held-out files, or wherever they leak to, nothing of them is
/// said, written or left behind.
#[test]
fn no_message_and_no_file_repeats_the_held_out_set() {
    type Break = (&'static str, fn(&World));
    const PROMPTS: &str = "held-out/careful/prompts.json";
    const TEXTS: &str = "held-out/careful/completions.json";
    const JUDGE: &str = "held-out/careful/judge.json";
    let breaks: &[Break] = &[
        ("nothing", |_| {}),
        ("syntax", |world| world.write(JUDGE, "{\"zqxj\": zqxj}")),
        ("duplicate key", |world| world.write(JUDGE, "{\"zqxj\": [true], \"zqxj\": [true]}")),
        ("number", |world| world.write(JUDGE, "{\"zqxj\": [NaN]}")),
        ("no UTF-8", |world| world.write(JUDGE, b"{\"zqxj\": \"\xff\"}")),
        ("a vote", |world| edit_json(world, JUDGE, |votes| insert(votes, "zqxj", json!(["zqxj"])))),
        ("a stranger's votes", |world| {
            edit_json(world, JUDGE, |votes| insert(votes, "zqxj", json!([true])));
        }),
        ("nested", |world| {
            edit_json(world, JUDGE, |votes| *votes = json!({"zqxj": votes.clone()}));
        }),
        ("no votes", |world| world.write(JUDGE, "{}")),
        ("long votes", |world| {
            edit_json(world, JUDGE, |votes| {
                map(votes).values_mut().for_each(|votes| *votes = json!([true, true, true, true]));
            });
        }),
        ("a prompt", |world| {
            edit_json(world, PROMPTS, |prompts| {
                map(&mut prompts[0]).remove("request");
            });
        }),
        ("a tier", |world| {
            edit_json(world, PROMPTS, |prompts| prompts[0]["difficulty"] = json!(CANARY));
        }),
        ("a spec", |world| {
            edit_json(world, PROMPTS, |prompts| {
                prompts[0]["structural"]["required_types"] = json!(SENTENCE);
            });
        }),
        ("a repeated prompt", |world| {
            edit_json(world, PROMPTS, |prompts| {
                let first = prompts[0].clone();
                list(prompts).push(first);
            });
        }),
        ("a text", |world| {
            edit_json(world, TEXTS, |texts| {
                map(texts).values_mut().for_each(|text| text["text"] = json!([SENTENCE]));
            });
        }),
        ("a usage key", |world| {
            edit_json(world, TEXTS, |texts| {
                map(texts).values_mut().for_each(|text| text["usage"] = json!({SENTENCE: 1}));
            });
        }),
        ("a plain usage key", |world| {
            edit_json(world, TEXTS, |texts| {
                map(texts).values_mut().for_each(|text| text["usage"] = json!({"zqxj": 1}));
            });
        }),
        ("an extra text", |world| {
            edit_json(world, TEXTS, |texts| {
                insert(texts, "demo:careful:zqxj", json!({"text": SENTENCE}));
            });
        }),
        ("a missing text", |world| world.write(TEXTS, "{}")),
        ("a leak in the note", |world| note(world, SENTENCE)),
        ("a leak as the judge", |world| {
            config(world, |config| config["judge_model"] = json!(SENTENCE));
        }),
        ("a leak as the version", |world| {
            config(world, |config| config["eval_protocol_version"] = json!(SENTENCE));
        }),
        ("a leak as a key", |world| {
            config(world, |config| insert(&mut config["held_out_set"], SENTENCE, json!(1)));
        }),
        ("a leak as a name", |world| {
            config(world, |config| config["seeds"][0]["model"] = json!(SENTENCE));
        }),
        ("a leak as a provider", |world| {
            config(world, |config| config["seeds"][0]["provider"] = json!(SENTENCE));
        }),
        ("a leak as a kind", |world| {
            config(world, |config| config["seeds"][0]["kind"] = json!(SENTENCE));
        }),
        ("a leak as a submitter", |world| {
            config(world, |config| config["seeds"][0]["submitted_by"] = json!(SENTENCE));
        }),
        ("a leak in the board", |world| {
            edit_json(world, BOARD, |board| {
                insert(board, SENTENCE, json!(SENTENCE));
                for key in ["judge_model", "generated_at", "ranking"] {
                    board[key] = json!(SENTENCE);
                }
                let row = &mut board["entries"][0];
                for key in ["kind", "provider"] {
                    row[key] = json!(SENTENCE);
                }
                row["run"]["submitted_by"] = json!(SENTENCE);
                row["run"]["recorded_bundle_sha16"] = json!(SENTENCE);
                insert(&mut row["usage"], SENTENCE, json!(1));
                insert(&mut row["public"]["by_tier"], SENTENCE, json!(1.0));
            });
        }),
    ];
    let json = [&GATED[..], &["--json"]].concat();
    let mut repeated = Vec::new();
    let prepared = canary_world();
    for (name, damage) in breaks {
        let world = World::new();
        copy(&prepared.path(""), &world.path(""));
        damage(&world);
        let tampered = world.read(BOARD);
        for args in [
            &GATED[..],
            &json,
            &BUILD[..],
            &[
                "build",
                "--root",
                "board",
                "--held-out",
                "held-out",
                "--out",
                "-",
                "--generated-at",
                AT,
            ],
        ] {
            let ran = world.run(args);
            let both = format!("{}{}", ran.stdout, ran.stderr);
            let lines = both.lines().filter(|line| line.contains(CANARY));
            repeated.extend(lines.map(|line| format!("{name}: {} said {line}", args[0])));
        }
        for entry in walkdir::WalkDir::new(world.path("")) {
            let entry = entry.expect("walked");
            let below =
                entry.path().strip_prefix(world.path("")).expect("below").display().to_string();
            let own = below.starts_with("held-out") || below == CONFIG;
            if own || !entry.file_type().is_file() || (below == BOARD && tampered.contains(CANARY))
            {
                continue;
            }
            let text =
                String::from_utf8_lossy(&std::fs::read(entry.path()).expect("read")).into_owned();
            repeated.extend(text.contains(CANARY).then(|| format!("{name}: {below} holds it")));
        }
    }
    assert!(repeated.is_empty(), "{}", repeated.join("\n"));
}
