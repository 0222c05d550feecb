//! The rows of a board, and what its bundles and ledger add to them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{LoadedSources, SourceOptions, shown};
use crate::board::{Board, Row};
use crate::domain::{Exit, Failure};
use crate::facts::{
    self, Baseline, BaselineError, BaselineStandings, Compared, PublicOutcome, ReplayCheck,
};
use crate::import::Note;
use crate::replay::Replay;
use crate::workspace::{BoardFile, ReplayDetail, Workspace, board_path};

pub(super) fn board_of(
    path: &Path,
    source_options: &SourceOptions,
    loaded: &mut LoadedSources,
) -> Result<(), Failure> {
    let board = BoardFile::read(path)?.board()?;
    // Only the root's own board has its bundles beside it.
    let workspace = if board_path(&source_options.root, None) == *path
        || shown(path) == shown(&board_path(&source_options.root, None))
    {
        match Workspace::open(&source_options.root, source_options.config.as_deref()) {
            Ok(workspace) => Some(workspace.keeping(ReplayDetail::Outcomes)),
            Err(failure) if failure.exit == Exit::World => return Err(failure),
            Err(_) => None,
        }
    } else {
        None
    };
    let evidence = workspace.as_ref().map(|it| it.replays(|| ()).of_rows(&it.config, &board).0);
    let standings = match workspace.as_ref().zip(evidence.as_ref()) {
        Some((workspace, evidence)) => standings(workspace, &board, evidence)?,
        None => BaselineStandings::default(),
    };
    let outcomes: BTreeMap<String, Vec<PublicOutcome>> = evidence
        .iter()
        .flat_map(|evidence| board.entries.iter().zip(&evidence.rows))
        .filter_map(|(row, known)| Some((row.id(), public_outcomes(row, known.public?)?)))
        .collect();
    let absent = board.entries.len() - outcomes.len();
    if workspace.is_some() && absent > 0 {
        let what = format!("{absent} of {} rows have no public bundle here", board.entries.len());
        loaded.tally.notes.push(Note::file(&shown(path), what));
    }
    let of_row = |row: &Row| outcomes.get(&row.id()).cloned().unwrap_or_default();
    crate::facts::add_board(&mut loaded.builder, &board, of_row, &standings)?;
    loaded.tally.loaded += board.entries.len();
    Ok(())
}

/// What a row's public bundle replays to, if it is the one the row was scored on.
fn public_outcomes(row: &Row, replay: &Replay) -> Option<Vec<PublicOutcome>> {
    if ReplayCheck::between(row, Some(replay)) != ReplayCheck::Match {
        return None;
    }
    let outcome = |outcome: &crate::replay::PromptOutcome| PublicOutcome {
        prompt: outcome.id.clone(),
        tier: outcome.tier.clone(),
        passed: outcome.passed(),
    };
    Some(replay.outcomes.iter().map(outcome).collect())
}

/// How the rows stand to the baselines of their cohorts; nothing where official baselines do not
/// hold, and the reason.
fn standings(
    workspace: &Workspace,
    board: &Board,
    evidence: &facts::Replays<'_>,
) -> Result<BaselineStandings, Failure> {
    let history = workspace.ledger()?.history()?;
    let facts = facts::bundle_facts(board, evidence);
    let compared = facts::board_comparison(board, &facts, &workspace.config, history);
    let (comparison, ids) = match compared {
        Ok(compared) => compared,
        Err(errors) => {
            let errors: Vec<String> = errors.iter().map(BaselineError::message).collect();
            let notes = vec![format!("No Δ: {}", errors.join("; "))];
            return Ok(BaselineStandings { rows: Vec::new(), notes });
        }
    };
    let compared = |row: &Row| comparison.runs.get(ids.get(&row.id())?).cloned();
    let rows: Vec<Compared> = board.entries.iter().filter_map(compared).collect();
    let baselines: BTreeSet<String> =
        rows.iter().filter_map(|row| row.baseline.as_ref()).map(Baseline::describe).collect();
    Ok(BaselineStandings { rows, notes: baselines.into_iter().collect() })
}
