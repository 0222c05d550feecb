//! `site`: build, verify and render in one go.

use crate::board::HeldOut;
use crate::cli::{Build, Common, Render, Site, Verify};
use crate::commands::{build, render, verify};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace;

pub(super) fn run(args: &Site, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let there = workspace::previous_board(&workspace::board_path(&common.root, None));
    let scored = there.map_or(0, |board| {
        board.entries.iter().filter(|row| row.held_out != HeldOut::Pending).count()
    });
    let is_kept = scored > 0 && args.held_out.is_none();
    if is_kept {
        ui.result(&format!(
            "kept the board: without --held-out its {scored} headline(s) would turn back to pending"
        ))?;
    } else {
        let (held_out, generated_at) = (args.held_out.clone(), args.generated_at.clone());
        let built = build::run(&Build { held_out, generated_at, ..Build::default() }, common, ui)?;
        if built != Exit::Yes {
            return Ok(built);
        }
    }
    let held_out = args.held_out.clone();
    let verified = verify::run(&Verify { held_out, ..Verify::default() }, common, ui)?;
    if verified != Exit::Yes {
        return Ok(verified);
    }
    let (out, held_out) = (args.out.clone(), args.held_out.clone());
    let is_search_told = !is_kept;
    let render = Render { out, held_out, is_search_told, open: args.open, ..Render::default() };
    render::run(&render, common, ui)
}
