//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    gmat_leaderboard::run(std::env::args_os()).into()
}
