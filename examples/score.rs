//! Scores one recorded bundle and compares the rate with the published one.
//!
//! Run it: `cargo run --example score -- BUNDLE provider:model BOARD`; without arguments it scores a
//! bundle of this repository.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use gmat_leaderboard::{Board, score_bundle};

fn main() -> Result<(), Box<dyn Error>> {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    let (bundle, name, board) = match typed[..] {
        [] => (
            "leaderboard/bundles/arbiter-2",
            "demo:pretend/arbiter-2",
            "leaderboard/leaderboard.json",
        ),
        [bundle, name, board] => (bundle, name, board),
        _ => return Err("expected no arguments, or BUNDLE provider:model BOARD".into()),
    };
    let replay = score_bundle(Path::new(bundle), name)?;
    let (passed, total) = replay.counts();
    let mut out = std::io::stdout().lock();
    writeln!(out, "{name}: {passed} of {total} prompts pass, rate {}", replay.rate())?;
    for (tier, (passed, total)) in replay.tier_counts() {
        writeln!(out, "  {tier}: {passed} of {total}")?;
    }
    for outcome in replay.outcomes.iter().filter(|outcome| !outcome.passed()) {
        let judge = (outcome.judged != Some(true)).then(|| "judge".to_owned());
        let why: Vec<String> = outcome.failures.iter().cloned().chain(judge).collect();
        writeln!(out, "  failed {}: {}", outcome.id, why.join(", "))?;
    }

    let board = Board::from_slice(&std::fs::read(board)?)?;
    let row =
        board.entries.iter().find(|row| row.id() == name).ok_or("the board has no such row")?;
    if row.public.pass_rate != replay.rate() {
        return Err(format!("the board says {}", row.public.pass_rate).into());
    }
    writeln!(out, "as published")?;
    Ok(())
}
