//! `build`: score every seed from its bundle, rank, check, write.

use crate::board::{self, Board, Proposal, Terms, gather, propose};
use crate::cli::{Build, Common, Record};
use crate::commands::record;
use crate::domain::{Exit, Failure, stamp};
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, Workspace};
use crate::{fs, json};

pub(super) fn run(args: &Build, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let workspace = Workspace::open(&common.root, common.config.as_deref())?
        .with_held_out(args.held_out.as_deref())?;
    if args.is_to_stdout() {
        return to_stdout(args, &workspace, ui);
    }
    let Some((board, file)) = write(args, &workspace, ui)? else { return Ok(Exit::No) };
    if args.record {
        let record = Record {
            board: Some(file.path.clone()),
            held_out: args.held_out.clone(),
            ..Record::default()
        };
        return record::run_with(&record, Some((&workspace, &board, file)), common, ui);
    }
    Ok(Exit::Yes)
}

fn to_stdout(args: &Build, workspace: &Workspace, ui: Ui) -> Result<Exit, Failure> {
    if args.record {
        return Err(Failure::unusable("a board on stdout cannot be recorded")
            .at("--record")
            .help("leave `--out -` out; `record --board FILE` records a board that was written"));
    }
    let Some((_, bytes)) = score(args, workspace, "-", None, ui)? else { return Ok(Exit::No) };
    ui.pour(|out| out.write_all(&bytes))?;
    ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
    Ok(Exit::Yes)
}

/// Scores the seeds and writes the board; `None` if something speaks against it, which was printed.
pub(super) fn write(
    args: &Build,
    workspace: &Workspace,
    ui: Ui,
) -> Result<Option<(Board, BoardFile)>, Failure> {
    let path = workspace.board_path(args.out.as_deref());
    let name = path.display().to_string();
    // A file that is not a board is replaced without a comparison.
    let old = BoardFile::read(&path).and_then(|file| file.board()).ok();
    let scored = score(args, workspace, &name, old.as_ref(), ui)?;
    let Some((board, bytes)) = scored else { return Ok(None) };
    for sentence in workspace.moved_deltas(&board)? {
        ui.result(&sentence)?;
    }
    fs::write(&path, &bytes)?;
    ui.result(&format!("wrote {} row(s) to {name}", board.entries.len()))?;
    ui.note_unsearched(&workspace.config, workspace.held_out_sets()?);
    Ok(Some((board, BoardFile { path, name, bytes })))
}

/// Scores and ranks the seeds and checks the result; `None` if something speaks against it.
fn score(
    args: &Build,
    workspace: &Workspace,
    name: &str,
    old: Option<&Board>,
    ui: Ui,
) -> Result<Option<(Board, Vec<u8>)>, Failure> {
    let Workspace { config, config_file, .. } = workspace;
    if let Some(exposed) = workspace.exposed() {
        ui.findings(std::slice::from_ref(exposed))?;
        return Ok(None);
    }
    let progress = ui.progress(config.seeds.len(), "scoring");
    let results = workspace.replays(|| progress.step()).scored(config);
    drop(progress);
    let mut gathered = gather(config, config_file, results, args.skip_broken);
    gathered.findings.extend(workspace.protocol_finding()?);
    gathered.drop_withdrawn(config);
    gathered.skipped.iter().for_each(|skip| ui.note(&format!("note: {skip}")));
    if let Some(failure) = gathered.failure() {
        return Err(failure);
    }
    if let Some(failure) = gathered.strict_failure(config, config_file).filter(|_| args.strict) {
        return Err(failure);
    }

    let now = fs::moment()?;
    let generated_at = args.generated_at.clone().unwrap_or_else(|| stamp(now));
    let version = env!("CARGO_PKG_VERSION");
    let board = board::assemble(config, &gathered.scored, &generated_at, version);
    let bytes = board.bytes();
    let leaks = if workspace.held_out_sets()?.is_empty() {
        Vec::new()
    } else {
        let document = json::parse(&bytes).map_err(|error| Failure::json(name, &error))?;
        workspace::search_workspace(workspace, Some((name, &document)))?
    };
    let terms = Terms {
        config_file,
        today: &stamp(now)[..10],
        replaces: old.map(|old| (old, name)),
        keep_headlines: !workspace.scores_headlines() && !args.drop_headlines,
    };
    let proposal = propose(config, board, gathered.findings, leaks, &terms);
    ui.findings(&proposal.findings)?;
    if !proposal.is_clean() {
        return Ok(None);
    }
    if let Some(failure) = proposal.obstacle(args.allow_empty) {
        return Err(failure);
    }
    let Proposal { board, .. } = proposal;
    Ok(Some((board, bytes)))
}
