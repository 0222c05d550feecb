//! `build`: score every seed from its bundle, rank, check, write.

use std::fs::File;
use std::path::Path;

use crate::board::{self, AuditScope, Board, HeldOut, Proposal, Terms, propose, sort_seeds};
use crate::cli::{Build, Common, Format, Record};
use crate::commands::{record, verify};
use crate::domain::{Code, Exit, Failure, stamp};
use crate::ui::Ui;
use crate::workspace::{self, BoardFile, Workspace};
use crate::{fs, json};

pub(super) fn run(args: &Build, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let out = args.out.as_deref();
    let _lock = if args.is_to_stdout() { None } else { lock(&common.root, out, ui) };
    let workspace = Workspace::open(&common.root, common.config.as_deref())?
        .with_held_out(args.held_out.as_deref())?;
    if args.is_to_stdout() {
        return to_stdout(args, &workspace, ui);
    }
    let may_keep = args.seal && !workspace.scores_headlines() && !args.drop_headlines;
    let kept = if may_keep { kept(&workspace, out, ui)? } else { None };
    let (board, file) = if let Some((board, file)) = kept {
        if !is_verified(&workspace, &board, &file, ui)? {
            return Ok(Exit::No);
        }
        (board, file)
    } else {
        let Some(written) = write(args, &workspace, ui)? else { return Ok(Exit::No) };
        written
    };
    let path = file.path.clone();
    let to_seal = args.seal.then(|| file.clone());
    if args.record {
        let record = Record {
            board: Some(path.clone()),
            held_out: args.held_out.clone(),
            ..Record::default()
        };
        let exit = record::run_with(&record, Some((&workspace, &board, file)), common, ui)?;
        if exit != Exit::Yes {
            return Ok(exit);
        }
    }
    // Sealed last: the seal covers the line that was recorded.
    if let Some(file) = &to_seal {
        seal(&workspace, file, ui)?;
    } else if workspace::seal_path(&path).exists() {
        ui.note("note: the seal does not cover this board; `build --seal` seals it");
    }
    Ok(Exit::Yes)
}

/// Makes other builds of the board wait until the result is dropped; called before anything is read. A
/// board that another build wrote meanwhile would be replaced without having been compared, or
/// recorded in the wrong order.
pub(super) fn lock(root: &Path, out: Option<&Path>, ui: Ui) -> Option<File> {
    let path = workspace::board_path(root, out);
    let directory = path.parent()?;
    let wait = || ui.note(&format!("note: waiting for another build in {}", directory.display()));
    fs::lock_directory(directory, wait)
}

/// The board that is there, if it has headlines that a build without a held-out set would lose.
pub(super) fn kept(
    workspace: &Workspace,
    out: Option<&Path>,
    ui: Ui,
) -> Result<Option<(Board, BoardFile)>, Failure> {
    let Some((board, file)) = existing_board(&workspace.board_path(out))? else { return Ok(None) };
    let scored = board.entries.iter().filter(|row| row.held_out != HeldOut::Pending).count();
    if scored == 0 {
        return Ok(None);
    }
    ui.result(&format!(
        "kept the board: without --held-out its {scored} headline(s) would turn back to pending"
    ))?;
    Ok(Some((board, file)))
}

/// The board at `path`. A file that is not a board counts as none, and is replaced without a
/// comparison; one that the disk does not give is a failure, because its headlines are at stake.
fn existing_board(path: &Path) -> Result<Option<(Board, BoardFile)>, Failure> {
    match BoardFile::read(path).and_then(|file| file.board().map(|board| (board, file))) {
        Err(failure) if failure.exit == Exit::World => Err(failure),
        there => Ok(there.ok()),
    }
}

/// Whether a board that is about to be sealed verifies; says what is wrong with it.
fn is_verified(
    workspace: &Workspace,
    board: &Board,
    file: &BoardFile,
    ui: Ui,
) -> Result<bool, Failure> {
    let (document, scope) = (file.document()?, AuditScope::default());
    let mut verdict = verify::audited(workspace, file, &document, Some(board), scope, ui)?;
    // What differs from the old seal is what the new one is for.
    verdict.verified.audit.findings.retain(|finding| finding.code != Code::ESeal);
    let is_good = verdict.exit() == Exit::Yes;
    if !is_good {
        ui.verdict(&verdict, Format::Human)?;
    }
    Ok(is_good)
}

fn seal(workspace: &Workspace, board: &BoardFile, ui: Ui) -> Result<(), Failure> {
    let (serial, path) = workspace.write_seal(board)?;
    ui.result(&format!("sealed as number {serial}: {}", path.display()))?;
    if workspace.config.seal_key.is_some() {
        ui.note(&format!("sign it now: minisign -Sm {}", path.display()));
    }
    Ok(())
}

fn to_stdout(args: &Build, workspace: &Workspace, ui: Ui) -> Result<Exit, Failure> {
    if args.record || args.seal {
        let (flag, done) =
            if args.record { ("--record", "recorded") } else { ("--seal", "sealed") };
        return Err(Failure::unusable(format!("a board on stdout cannot be {done}"))
            .at(flag)
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
    let old = existing_board(&path)?.map(|(board, _)| board);
    let scored = score(args, workspace, &name, old.as_ref(), ui)?;
    let Some((board, bytes)) = scored else { return Ok(None) };
    let moved = workspace.moved_deltas(&board)?;
    // With `--record`, recording it says this.
    for sentence in moved.iter().filter(|_| !args.record) {
        ui.result(sentence)?;
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
    let mut seeds = sort_seeds(config, config_file, results, args.skip_broken);
    seeds.findings.extend(workspace.protocol_finding()?);
    seeds.drop_withdrawn(config);
    seeds.skipped.iter().for_each(|skip| ui.note(&format!("note: {skip}")));
    if let Some(failure) = seeds.failure() {
        return Err(failure);
    }
    if let Some(failure) = seeds.strict_failure(config, config_file).filter(|_| args.strict) {
        return Err(failure);
    }

    let now = fs::moment()?;
    let generated_at = args.generated_at.clone().unwrap_or_else(|| stamp(now));
    let version = env!("CARGO_PKG_VERSION");
    let board = board::assemble(config, &seeds.scored, &generated_at, version);
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
    let proposal = propose(config, board, seeds.findings, leaks, &terms);
    ui.findings(&proposal.findings)?;
    if !proposal.is_clean() {
        return Ok(None);
    }
    if let Some(failure) = proposal.obstacle(args.allow_empty) {
        return Err(failure);
    }
    let Proposal { board, .. } = proposal;
    let findings = workspace.log_attempts(&board)?;
    if !findings.is_empty() {
        ui.findings(&findings)?;
        return Ok(None);
    }
    Ok(Some((board, bytes)))
}
