//! `demo`: the whole walk on an example workspace, so that a newcomer sees it before reading.

use crate::cli::{Build, Common, Demo, Verify};
use crate::commands::{build, verify};
use crate::domain::{Exit, Failure};
use crate::store::example;
use crate::ui::Ui;

pub(super) fn run(args: &Demo, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let Some(rows) = args.entries
        && !(1..=example::MAX_SYNTHETIC_ROWS).contains(&rows)
    {
        let what =
            format!("a demo board has 1 to {} rows, not {rows}", example::MAX_SYNTHETIC_ROWS);
        return Err(Failure::unusable(what).at("--entries"));
    }
    example::unpack(&args.dir)?;
    if let Some(rows) = args.entries {
        example::synthesise(&args.dir, rows)?;
    }
    if args.leak {
        example::leak(&args.dir)?;
    }
    let shown = args.dir.display();
    let (root, held_out) = (args.dir.join("board"), args.dir.join("held-out"));
    let inside = Common { root, config: None, ..common.clone() };
    ui.say(&format!(
        "unpacked an example board to {shown}: its texts are illustrative, no model produced them"
    ));

    ui.say(&format!("\n$ gmat-leaderboard build --root {shown}/board --held-out {shown}/held-out"));
    let built = build::run(&Build { held_out: Some(held_out), ..Build::default() }, &inside, ui)?;
    if args.leak {
        ui.say(&format!(
            "\nbuild ended with exit code {}: a held-out request stands in public_set.note of seeds.json,\n\
             and nothing was written. Without --leak the same board is built.",
            built.code()
        ));
        return Ok(Exit::Yes);
    }
    ui.say(&format!("\n$ gmat-leaderboard verify --root {shown}/board"));
    let verified = verify::run(&Verify::default(), &inside, ui)?;
    ui.say(&format!(
        "\n`memoriser` has the best public score and falls on the held-out set: that is the gap to look at in\n\
         {shown}/board/leaderboard/leaderboard.json"
    ));
    Ok(built.max(verified))
}
