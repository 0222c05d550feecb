//! Turns recorded evaluation bundles of language models that write GMAT mission scripts into a
//! ranked, aggregate-only board that anybody can re-derive offline, and into the static site
//! that shows it.
//!
//! # For other programs
//!
//! Three things can be done without the command line. **Verify** a checkout of a board: replay every
//! recorded bundle, compare each row with the published one, search for held-out texts.
//!
//! ```no_run
//! let verdict = gmat_leaderboard::verify("path/to/checkout".as_ref())?;
//! let wrong: Vec<&str> =
//!     verdict.findings().iter().filter(|it| it.decides()).map(|it| it.what.as_str()).collect();
//! assert!(wrong.is_empty(), "{wrong:?}");
//! # Ok::<(), gmat_leaderboard::Failure>(())
//! ```
//!
//! **Score** one bundle, with no model, judge or network ([`score_bundle`] reads it from a directory,
//! [`score_files`] takes the bytes):
//!
//! ```no_run
//! let dir = "leaderboard/bundles/github__openai__gpt-4.1-mini".as_ref();
//! let replay = gmat_leaderboard::score_bundle(dir, "github:openai/gpt-4.1-mini")?;
//! let (passed, total) = replay.counts();
//! assert!(passed <= total && replay.rate().value() <= 1.0);
//! # Ok::<(), gmat_leaderboard::Failure>(())
//! ```
//!
//! **Analyze**: [`Board::from_slice`] reads a published board, [`gmat`] parses and lints a GMAT script,
//! [`table`] ranks, compares and correlates runs of any benchmark, and [`load`] reads them from files.
//!
//! ```
//! use gmat_leaderboard::gmat::Script;
//!
//! let script = Script::parse("Create Spacecraft Sat;\nSat.DriMass = 850;\n");
//! let found: Vec<String> = script.diagnostics().iter().map(|it| it.rule.name().to_owned()).collect();
//! assert_eq!(found, ["unused-resource", "unknown-field"]);
//! ```
//!
//! `examples/` has a program for each: `verify.rs`, `score.rs` and `judge.rs`.
//!
//! The feature `cli` (on by default) adds everything that touches files, network or terminal. Without
//! it (`default-features = false`) the crate takes bytes and returns values, and [`verify`],
//! [`score_bundle`], [`load`] and [`run`] are absent.
//!
//! # For people who change it
//!
//! Three floors: core (pure: no file, clock, network or print), edge (files, pages, HTTP) and
//! cli. No room uses a room of a floor above its own; `tests/architecture.rs` lists what each may
//! use, and `docs/architecture.md` says what is where.

#![cfg_attr(
    not(feature = "cli"),
    expect(
        dead_code,
        unused_imports,
        reason = "what only the program uses is part of the core too"
    )
)]

pub mod gmat;
pub mod table;

#[cfg(not(sealed))]
#[doc(hidden)]
pub mod internals;
#[cfg(sealed)]
mod internals;
use internals::{board, compat, domain, facts, firewall, import, json, ledger, replay, seal};
#[cfg(feature = "cli")]
use internals::{cli, fs, notify, ui, workspace};

#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "cli")]
mod hub;
#[cfg(feature = "cli")]
mod models;
#[cfg(feature = "cli")]
mod serve;
#[cfg(feature = "cli")]
mod site;

pub use board::{Board, Cell, HeldOut, Loop, Row, RowRun};
pub use domain::config::{Scalar, SetHeader};
pub use domain::{Code, Exit, Failure, Finding, Gap, Rate, Severity};
pub use import::cells::{Format as CellFormat, WriteError, write as write_cells};
pub use replay::{Asked, BundleFiles, PromptOutcome, Replay};
#[cfg(feature = "cli")]
pub use workspace::{Verdict, load, score_bundle, verify};

#[cfg(test)]
mod testing;

/// Scores a bundle from the bytes of its files. A failure means that they cannot be read; what can be
/// read but is wrong is in [`Replay::findings`].
pub fn score_files(files: &BundleFiles, asked: &Asked<'_>) -> Result<Replay, Failure> {
    replay::replay(files, asked, None)
}

/// Runs the program on `args` and says how it ended. Does not end the process.
#[cfg(feature = "cli")]
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>) -> Exit {
    let cli = match cli::parse(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout and are a success; a wrong call is not.
            let _ = error.print();
            return if error.use_stderr() { Exit::Unusable } else { Exit::Yes };
        }
    };
    let ui = ui::Ui::new(cli.common.color.into(), cli.common.quiet, cli.prints_data());
    commands::run(&cli, ui).unwrap_or_else(|failure| {
        ui.failure(&failure);
        failure.exit
    })
}
