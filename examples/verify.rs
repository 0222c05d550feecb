//! Verifies the board of a checkout and prints what was found.
//!
//! Run it: `cargo run --example verify -- DIR`; without `DIR` it verifies this repository's board.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use gmat_leaderboard::{Exit, Failure};

fn main() -> Result<ExitCode, Failure> {
    let root = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("."), PathBuf::from);
    let verdict = gmat_leaderboard::verify(&root)?;
    let mut out = std::io::stdout().lock();
    for finding in verdict.findings() {
        let kind = if finding.decides() { "finding" } else { "note" };
        let _ = writeln!(
            out,
            "{kind}[{}] {}, {}: {}",
            finding.code, finding.file, finding.path, finding.what
        );
    }
    for failure in verdict.failures() {
        let _ = writeln!(out, "not readable: {failure}");
    }
    let answer = if verdict.exit() == Exit::Yes { "verified" } else { "not verified" };
    let _ = writeln!(out, "{answer}: {} row(s) rebuilt from their bundles", verdict.rows_checked());
    Ok(verdict.exit().into())
}
