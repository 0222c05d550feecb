//! `history sql` in SQLite, through Python's standard library. `scripts/peers databases` does the
//! same with PostgreSQL and DuckDB.

use std::process::Command;

use crate::harness::World;
use crate::need::skip;

#[test]
fn sqlite_gives_the_numbers_of_the_program_for_random_ledgers() {
    let world = World::new();
    let check = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/peers.d/databases.py");
    let mut python = Command::new("python3");
    python.args([check, "sqlite"]).current_dir(world.path(""));
    python.env("PYTHONDONTWRITEBYTECODE", "1");
    python.env("GMAT_PEERS_BINARY", env!("CARGO_BIN_EXE_gmat-leaderboard"));
    let Ok(done) = python.output() else {
        return skip("sqlite", "python3 is not on PATH");
    };
    let (said, errors) =
        (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    if errors.contains("No module named '_sqlite3'") {
        return skip("sqlite", "python3 was built without sqlite3");
    }
    assert!(done.status.success(), "{said}{errors}");
}

#[test]
fn a_hostile_name_is_one_literal_in_every_dialect() {
    let world = World::new();
    let run = r#"{"run_id":"o'1","run_at":"2026-05-14T12:00:00Z","model":"'; DROP TABLE x; --","notes":"a\r\nb\u0000"}"#;
    world.write("run.json", run);
    assert_eq!(world.run(&["record", "run.json", "--now", "2026-05-14T13:00:00Z"]).code, 0);
    for (dialect, notes, time) in [
        ("postgres", "convert_from(decode('610d0a62efbfbd', 'hex'), 'UTF8')", "TIMESTAMPTZ"),
        ("sqlite", "CAST(x'610d0a62efbfbd' AS TEXT)", "TEXT"),
        ("duckdb", "decode(unhex('610d0a62efbfbd'))", "TIMESTAMPTZ"),
    ] {
        let ran = world.run(&["history", "sql", "--dialect", dialect]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.contains(&format!("run_at {time} NOT NULL")), "{}", ran.stdout);
        let row = format!(
            "('7c4d0a5f', 'o''1', '2026-05-14 12:00:00.000000+00:00', 1778760000000000000, '''; DROP TABLE x; --', NULL, NULL, NULL, NULL, FALSE, '{{}}', '{{}}', '2026-05-14 13:00:00.000000+00:00', NULL, NULL, NULL, {notes}, NULL, NULL, NULL)"
        );
        let found = ran.stdout.lines().find(|line| line.starts_with("('")).expect("a row");
        assert_eq!(
            found.split_once(',').map(|(_, rest)| rest),
            row.split_once(',').map(|(_, rest)| rest)
        );
        assert!(ran.stdout.ends_with("COMMIT;\n"));
    }
    let ran = world.run(&["history", "sql", "--since-checkpoint", "7"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("no checkpoint has the size 7"), "{}", ran.stderr);
    assert_eq!(world.run(&["history", "checkpoint"]).code, 0);
    let ran = world.run(&["history", "sql", "--since-checkpoint", "1"]);
    assert!(
        ran.code == 0 && !ran.stdout.contains("INSERT INTO eval_leaderboard"),
        "{}",
        ran.stderr
    );
    assert_eq!(
        world.run(&["history", "sql"]).stdout,
        world.run(&["history", "sql", "--dialect", "postgres"]).stdout
    );
}
