//! `build`: score every seed from its bundle, rank, check, write.

use crate::board::{Terms, gather, propose};
use crate::cli::{Build, Common, Record};
use crate::commands::{baselines, record, search};
use crate::domain::{Exit, Failure, stamp};
use crate::fs;
use crate::ui::Ui;
use crate::workspace;
use crate::workspace::{HeldOutSets, Workspace};

pub(super) fn run(args: &Build, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?;
    let Workspace { store, config, config_file } = &workspace;
    let typed = args.held_out.as_deref();
    let held_out = typed.map(|dir| workspace.open_held_out(dir)).transpose()?;
    if let Some((_, Some(exposed))) = &held_out {
        ui.findings(std::slice::from_ref(exposed))?;
        return Ok(Exit::No);
    }
    let held_out = held_out.map(|(held_out, _)| held_out);
    let sets = HeldOutSets::at_hand(&common.root, typed)?;

    let to_stdout = args.is_to_stdout();
    if to_stdout && args.record {
        return Err(Failure::unusable("a board on stdout cannot be recorded")
            .at("--record")
            .help("leave `--out -` out; `record --board FILE` records a board that was written"));
    }
    let path = workspace.board_path(args.out.as_deref());
    let file = path.display().to_string();
    // Read before scoring: what they take is free again when the rows need the room.
    let old = if to_stdout { None } else { workspace::previous_ground(&path) };
    let earlier = if to_stdout { None } else { baselines::earlier(&workspace) };

    let progress = ui.progress(config.seeds.len(), "scoring");
    let results = workspace::score_all(store, held_out.as_ref(), config, || progress.step());
    drop(progress);
    let mut gathered = gather(config, config_file, results, args.skip_broken);
    gathered.skipped.iter().for_each(|skip| ui.note(&format!("note: {skip}")));
    if let Some(failure) = gathered.failure() {
        return Err(failure);
    }
    if let Some(failure) = gathered.strict_failure(config, config_file).filter(|_| args.strict) {
        return Err(failure);
    }

    let now = fs::moment()?;
    let generated_at = args.generated_at.clone().unwrap_or_else(|| stamp(now));
    let terms = Terms {
        config_file,
        generated_at: &generated_at,
        tool_version: env!("CARGO_PKG_VERSION"),
        today: &stamp(now)[..10],
        replaces: old.as_ref().map(|old| (old, file.as_str())),
        keep_headlines: held_out.is_none() && !args.drop_headlines,
    };
    let proposal = propose(config, gathered, &terms, |board| {
        if sets.is_empty() {
            return Ok(Vec::new());
        }
        workspace::search_workspace(&workspace, &sets, Some((&file, &board.bytes())))
    })?;
    ui.findings(&proposal.findings)?;
    if !proposal.is_clean() {
        return Ok(Exit::No);
    }
    if let Some(failure) = proposal.obstacle(args.allow_empty) {
        return Err(failure);
    }
    if to_stdout {
        ui.pour(|out| proposal.board.write(out))?;
        search::note_unsearched(config, &sets, ui);
        return Ok(Exit::Yes);
    }
    if let Some(earlier) = &earlier {
        baselines::settle(&workspace, earlier, &proposal.board.whole(), ui)?;
    }
    fs::write_with(&path, |out| proposal.board.write(out))?;
    ui.result(&format!("wrote {} row(s) to {file}", proposal.board.entries.len()))?;
    search::note_unsearched(config, &sets, ui);
    if args.record {
        let (board, held_out) = (Some(path), args.held_out.clone());
        let is_search_told = true;
        let record = Record { board, held_out, is_search_told, ..Record::default() };
        return record::run(&record, common, ui);
    }
    Ok(Exit::Yes)
}
