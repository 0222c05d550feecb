//! Keys, strings and shapes that a board does not have, and what could harm a reader's screen.

use serde_json::{Value, json};

use super::desk::{BOARD, INTENT, REQUEST, board, insert, map, row, spell};
use super::{run_all, verify};

#[test]
fn the_schema_is_closed_at_every_depth() {
    run_all(&[
        verify("C01", ("L-KEY", "entries[0].run.notes"), &[], |world| {
            row(world, 0, |row| insert(&mut row["run"], "notes", json!(REQUEST)));
        }),
        verify("C02", ("L-KEY", "note"), &[], |world| {
            board(world, |board| insert(board, "note", json!(INTENT)));
        }),
        verify("C03", ("L-KEY", "entries[0].examples"), &[], |world| {
            row(world, 0, |row| insert(row, "examples", json!([REQUEST, INTENT])));
        }),
        verify("C05", ("L-KEY", "entries[0].held_out.verdicts"), &[], |world| {
            row(world, 0, |row| {
                insert(&mut row["held_out"], "verdicts", json!({"ho_05": [true, false, true]}));
            });
        }),
        verify("C06", ("L-STATUS", "entries[4].held_out.status"), &[], |world| {
            row(world, 4, |row| row["held_out"]["status"] = json!(INTENT));
        }),
        verify("C07", ("L-TIER", "entries[0].held_out.by_tier"), &["E-HELD-SET"], |world| {
            row(world, 0, |row| {
                row["held_out"]["by_tier"] =
                    json!({"cytherean_ring": 1.0, "broadband_shell_sat": 0.0});
            });
        }),
        verify("C09", ("L-NAME", "entries[0].provider"), &[], |world| {
            row(world, 0, |row| row["provider"] = json!(INTENT));
        }),
        verify("C10", ("L-KEY", "entries[0].close_the_loop.prompts"), &[], |world| {
            row(world, 0, |row| insert(&mut row["close_the_loop"], "prompts", json!([REQUEST])));
        }),
        verify("C11", ("L-TIER", "entries[0].close_the_loop.dry_run_agreement"), &[], |world| {
            row(world, 0, |row| {
                row["close_the_loop"]["dry_run_agreement"] = json!({"cytherean_ring": 1.0});
            });
        }),
        verify("C13", ("L-TIER", "entries[0].held_out.by_tier.easy"), &[], |world| {
            row(world, 0, |row| row["held_out"]["by_tier"]["easy"] = json!({"ho_01": [true]}));
        }),
        verify("C14", ("L-KEY", "entries[0].Held_Out"), &[], |world| {
            row(world, 0, |row| insert(row, "Held_Out", json!([REQUEST])));
        }),
        verify("C15", ("J-CANON", "entries[0].overfit_gap"), &[], |world| {
            let digits = format!("\"overfit_gap\": 0.055{}", "1234567890".repeat(30));
            spell(world, BOARD, "\"overfit_gap\": 0.055", &digits);
        }),
        verify("C17", ("E-SCHEMA", "entries[0].public"), &[], |world| {
            row(world, 0, |row| row["public"] = Value::Null);
        }),
        verify("C18", ("E-SCHEMA", "entries[0].held_out"), &[], |world| {
            row(world, 0, |row| row["held_out"] = json!(REQUEST));
        }),
        verify("C19", ("L-STATUS", "entries[0].held_out.status"), &[], |world| {
            row(world, 0, |row| insert(&mut row["held_out"], "status", json!(INTENT)));
        }),
    ]);
}

#[test]
fn a_key_may_be_the_secret_and_is_withheld() {
    run_all(&[
        verify("key in usage", ("E-USAGE", "entries[0].usage"), &[], |world| {
            row(world, 0, |row| insert(&mut row["usage"], INTENT, json!(1)));
        }),
        verify("key in the header", ("L-KEY", "withheld"), &[], |world| {
            board(world, |board| insert(board, INTENT, json!(1)));
        }),
        verify("key in a set", ("E-HEADER", "public_set"), &[], |world| {
            board(world, |board| insert(&mut board["public_set"], INTENT, json!(1)));
        }),
        verify(
            "tier",
            ("L-NAME", "entries[0].held_out.by_tier"),
            &["L-TIER", "E-HELD-SET"],
            |world| {
                row(world, 0, |row| insert(&mut row["held_out"]["by_tier"], INTENT, json!(1.0)));
            },
        ),
        verify("public tier", ("L-NAME", "entries[0].public.by_tier"), &[], |world| {
            row(world, 0, |row| insert(&mut row["public"]["by_tier"], INTENT, json!(1.0)));
        }),
    ]);
}

#[test]
fn names_cannot_harm_a_screen() {
    const MISSING: &[&str] = &["E-ROW-MISSING", "E-ROW-UNKNOWN"];
    run_all(&[
        verify("I01", ("L-NAME", "entries[0].model"), MISSING, |world| {
            row(world, 0, |row| row["model"] = json!("<script>alert(1)</script>"));
        }),
        verify("I02", ("L-NAME", "entries[0].model"), MISSING, |world| {
            row(world, 0, |row| row["model"] = json!("\u{1b}[2J\u{1b}]0;x\u{7}"));
        }),
        verify("I04", ("L-NAME", "entries[0].model"), MISSING, |world| {
            row(world, 0, |row| row["model"] = json!("=HYPERLINK(\"http://evil\",\"x\")"));
        }),
        verify("I05", ("L-NAME", "entries[0].model"), MISSING, |world| {
            row(world, 0, |row| row["model"] = json!("[x](javascript:alert(1)) | a |"));
        }),
        verify("I06", ("L-NAME", "entries[0].model"), MISSING, |world| {
            row(world, 0, |row| row["model"] = json!("care\u{202e}ful"));
        }),
        verify("I08", ("L-NAME", "entries[0].model"), MISSING, |world| {
            row(world, 0, |row| row["model"] = json!("m".repeat(1 << 20)));
        }),
        verify(
            "I09",
            ("L-NAME", "entries[0].held_out.by_tier"),
            &["L-TIER", "E-HELD-SET"],
            |world| {
                row(world, 0, |row| {
                    let tiers = map(&mut row["held_out"]["by_tier"]);
                    let rate = tiers.remove("easy").expect("a tier");
                    tiers.insert("<img src=x onerror=alert(1)>".into(), rate);
                });
            },
        ),
        verify("I10", ("L-KEY", "__proto__"), &[], |world| {
            board(world, |board| insert(board, "__proto__", json!({"a": 1})));
        }),
    ]);
}

/// Whatever a board says, a terminal is only ever sent plain text.
#[test]
fn no_control_character_of_a_board_reaches_the_terminal() {
    let hostile = "\u{1b}[2J\u{1b}]0;x\u{7}\u{202e}\n::error::x";
    for format in ["human", "json", "github"] {
        let world = crate::harness::board_world();
        board(&world, |board| {
            board["judge_model"] = json!(hostile);
            board["generated_at"] = json!(hostile);
            insert(&mut board["public_set"], hostile, json!(hostile));
            let row = &mut board["entries"][0];
            for key in ["model", "provider", "kind"] {
                row[key] = json!(hostile);
            }
            row["run"]["submitted_by"] = json!(hostile);
            insert(&mut row["usage"], hostile, json!(1));
            insert(&mut row["held_out"]["by_tier"], hostile, json!(1.0));
        });
        let ran = world.run(&["verify", "--root", "board", "--format", format]);
        assert_eq!(ran.code, 1);
        let both = format!("{}{}", ran.stdout, ran.stderr);
        let bad = both.chars().find(|c| (c.is_control() && *c != '\n') || *c == '\u{202e}');
        assert_eq!(bad, None, "{format}: {both}");
        assert!(!both.contains("\n::error::x"), "{format}: {both}");
    }
}

/// A board of nothing but strange keys is refused without listing them all.
#[test]
fn findings_of_one_code_are_listed_up_to_a_number() {
    let world = crate::harness::board_world();
    super::desk::board(&world, |board| {
        for n in 0..1000 {
            super::desk::insert(board, &format!("stranger{n}"), serde_json::json!(0));
        }
        board["entries"][0]["public"]["pass_rate"] = serde_json::json!(0.999);
    });
    let ran = world.run(&super::desk::VERIFY);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("finding[L-KEY]").count(), 201);
    assert!(ran.stdout.contains("finding[L-KEY]: and 800 more like these\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("finding[E-DIFF]"), "other codes have a list of their own");
    let ran = world.run(&[&super::desk::VERIFY[..], &["--json"]].concat());
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let codes = answer["findings"].as_array().expect("findings").iter();
    assert_eq!(codes.filter(|it| it["code"] == "L-KEY").count(), 201);
}
