//! Turns recorded evaluation bundles of language models that write GMAT mission scripts into a
//! ranked, aggregate-only board that anybody can re-derive offline, and into the static site
//! that shows it.
//!
//! Three floors: core (pure: no file, clock, network or print), edge (files, pages, HTTP) and
//! cli. A room may use rooms of its own floor or below, never above; `tests/architecture.rs`
//! has the table, and `docs/architecture.md` says what is where.
//!
//! Edge and cli are behind the feature `cli`, which is on by default. Without it
//! (`default-features = false`) the core is built alone, for other programs:
//!
//! ```
//! use gmat_leaderboard::gmat::Script;
//!
//! let script = Script::parse("Create Spacecraft Sat;\nSat.DriMass = 850;\n");
//! let found: Vec<String> = script.diagnostics().iter().map(|it| it.rule.name().to_owned()).collect();
//! assert_eq!(found, ["unused-resource", "unknown-field"]);
//! ```

#![cfg_attr(
    not(feature = "cli"),
    expect(dead_code, unused_imports, reason = "facts that only pages show are not exported yet")
)]

// core
pub mod board;
pub mod compat;
pub mod domain;
pub mod facts;
pub mod firewall;
pub mod gmat;
pub mod import;
pub mod json;
pub mod ledger;
pub mod replay;
pub mod table;
// edge
#[cfg(feature = "cli")]
pub mod fs;
#[cfg(feature = "cli")]
mod hub;
#[cfg(feature = "cli")]
pub mod notify;
#[cfg(feature = "cli")]
mod serve;
#[cfg(feature = "cli")]
mod site;
#[cfg(feature = "cli")]
pub mod workspace;
// cli
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
mod commands;
#[cfg(feature = "cli")]
pub mod ui;

#[cfg(test)]
mod testing;

/// Runs the program on `args` and says how it ended. Does not end the process.
#[cfg(feature = "cli")]
pub fn run(args: impl IntoIterator<Item = std::ffi::OsString>) -> domain::Exit {
    use domain::Exit;

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
