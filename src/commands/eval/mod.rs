//! `eval`: asks a model every prompt, asks the judge about each answer, and writes a bundle.

use crate::cli::{Common, Eval};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace::read_config_or_default;

pub(super) fn run(args: &Eval, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let (config, _) = read_config_or_default(&common.root, common.config.as_deref())?;
    let protocol = config.protocol.unwrap_or_default();
    if args.show_protocol {
        ui.protocol(&protocol, common.json)?;
    }
    Ok(Exit::Yes)
}
