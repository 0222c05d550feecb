//! `man`: the manual page.

use clap::CommandFactory;

use crate::cli::Cli;
use crate::domain::{Exit, Failure};
use crate::ui::Ui;

pub(super) fn run(ui: Ui) -> Result<Exit, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(|error| {
        Failure::world("the manual page could not be made").detail(error.to_string())
    })?;
    ui.out(page)?;
    Ok(Exit::Yes)
}
