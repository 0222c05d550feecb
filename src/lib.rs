//! Turns recorded evaluation bundles of language models that write GMAT mission scripts into a
//! ranked, aggregate-only board that anybody can re-derive offline, and into the static site
//! that shows it.
//!
//! Three floors: core (pure: no file, clock, network or print), edge (files, pages, HTTP) and
//! cli. A room may use rooms of its own floor or below, never above; `tests/architecture.rs`
//! holds the table.

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
pub mod fs;
mod hub;
pub mod notify;
mod serve;
mod site;
pub mod workspace;
// cli
pub mod cli;
mod commands;
pub mod ui;

#[cfg(test)]
mod testing;

use std::ffi::OsString;

use domain::Exit;
use ui::Ui;

/// Runs the program on `args` and says how it ended. Does not end the process.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match cli::parse(args) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to stdout and are a success; a wrong call is not.
            let _ = error.print();
            return if error.use_stderr() { Exit::Unusable } else { Exit::Yes };
        }
    };
    let ui = Ui::new(cli.common.color.into(), cli.common.quiet, cli.prints_data());
    commands::run(&cli, ui).unwrap_or_else(|failure| {
        ui.failure(&failure);
        failure.exit
    })
}
