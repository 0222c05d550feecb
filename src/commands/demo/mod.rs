//! `demo`: the whole walk on an example workspace, so that a newcomer sees it before reading.

mod history;

use crate::cli::{Build, Common, Demo, Render, Verify};
use crate::commands::{build, render, verify};
use crate::domain::{Exit, Failure};
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, ReplayDetail, Workspace};

pub(super) fn run(args: &Demo, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if let Some(rows) = args.entries
        && !(1..=workspace::MAX_ROWS).contains(&rows)
    {
        let what = format!("a demo board has 1 to {} rows, not {rows}", workspace::MAX_ROWS);
        return Err(Failure::unusable(what).at("--entries"));
    }
    let mut done =
        workspace::unpack_demo(&args.dir, args.entries).and_then(|()| walk(args, common, ui));
    if matches!(done, Ok(Exit::Yes)) {
        done = workspace::finish_demo(&args.dir).map(|()| Exit::Yes);
    }
    if !matches!(done, Ok(Exit::Yes)) && workspace::is_unfinished_demo(&args.dir) {
        // What failed first is what the user wants to know.
        let _ = workspace::discard_demo(&args.dir);
    }
    done
}

fn walk(args: &Demo, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    if args.leak {
        workspace::plant_leak(&args.dir)?;
    }
    let shown = args.dir.display();
    let (root, held_out) = (args.dir.join("board"), args.dir.join("held-out"));
    let inside = Common { root, config: None, ..common.clone() };
    let tell = |lines: &[String]| lines.iter().try_for_each(|line| ui.result(line));
    tell(&[
        format!("unpacked an example board to {shown}"),
        "its models, answers, votes and prices are made up".into(),
        String::new(),
        format!("$ gmat-leaderboard build --root {shown}/board --held-out {shown}/held-out"),
    ])?;
    let built = build::run(&Build { held_out: Some(held_out), ..Build::default() }, &inside, ui)?;
    if args.leak {
        tell(&[
            String::new(),
            format!("build ended with exit code {}, and nothing was written:", built.code()),
            "a held-out request is in `public_set.note` of the config".into(),
        ])?;
        return Ok(Exit::Yes);
    }
    if args.history {
        history::write(&inside, ui)?;
    } else {
        history::withdraw(&inside)?;
    }
    tell(&[String::new(), format!("$ gmat-leaderboard verify --root {shown}/board")])?;
    let verified = verify::run(&Verify::default(), &inside, ui)?;
    tell(&[String::new(), format!("$ gmat-leaderboard render --root {shown}/board")])?;
    let workspace = Workspace::open(&inside.root, None)?.keeping(ReplayDetail::Files);
    let file = BoardFile::read(&workspace.board_path(None))?;
    let render = Render { open: args.open, ..Render::default() };
    let rendered = render::render(&render, &workspace, &file.board()?, &file.bytes, ui)?;
    if args.history {
        tell(&[format!("open {shown}/board/site/trends.html for the year")])?;
    }
    if args.entries != Some(1) {
        tell(&[
            String::new(),
            "`Cram 1` has the best public score and fails on the held-out set: look at its gap"
                .into(),
        ])?;
    }
    Ok(built.max(verified).max(rendered))
}
