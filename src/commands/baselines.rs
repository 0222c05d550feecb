//! Official baselines: whether they hold, and which deltas move when they change.

use crate::facts;
use crate::fs;
use crate::workspace;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::board::{self, Board, Row};
use crate::domain::config::Config;
use crate::domain::{Code, Failure, Finding};
use crate::facts::{Baseline, BaselineError, BundleFacts};
use crate::hub::Check;
use crate::json;
use crate::ledger::{self, History};
use crate::ui::Ui;
use crate::workspace::{LedgerDir, Workspace};

/// The config in the last commit, or else the one there is. `None` where neither names official
/// baselines: there is nothing to settle then.
pub(super) fn earlier(workspace: &Workspace) -> Option<Config> {
    let Workspace { config, config_file, .. } = workspace;
    let committed = fs::committed(Path::new(config_file));
    let committed = committed.and_then(|bytes| Config::parse(&bytes, config_file).ok());
    let names_any = |config: &Config| !config.official_baselines.is_empty();
    match committed {
        Some(old) => (names_any(config) || names_any(&old)).then_some(old),
        None => names_any(config).then(|| config.clone()),
    }
}

/// Checks the official baselines of the config against the ledger and `board`, and tells every
/// delta that moved since the [`earlier`] config.
pub(super) fn settle(
    workspace: &Workspace,
    old: &Config,
    board: &Board,
    ui: Ui,
) -> Result<(), Failure> {
    let Workspace { config, .. } = workspace;
    let (history, facts) = known(workspace, board)?;
    let new = facts::compare_all(board, &facts, config, &history).map_err(unusable)?;
    if old.official_baselines != config.official_baselines
        && let Ok(old) = facts::compare_all(board, &facts, old, &history)
    {
        let of_board = |run_id: &str| new.models.get(run_id).cloned();
        let recorded = |run_id: &str| history.run(run_id).map(|run| run.model.clone());
        let model = |run_id: &str| of_board(run_id).or_else(|| recorded(run_id));
        tell(&facts::moved(&old.rows, &new.rows), model, ui)?;
        tell(&facts::moved(&old.packs, &new.packs), model, ui)?;
    }
    Ok(())
}

/// What is wrong with the official baselines of the config; nothing where `bytes` are not a board.
pub(super) fn findings(workspace: &Workspace, bytes: &[u8]) -> Result<Vec<Finding>, Failure> {
    let Workspace { config, config_file, .. } = workspace;
    if config.official_baselines.is_empty() {
        return Ok(Vec::new());
    }
    let board = json::parse(bytes).ok().and_then(|json| board::read(&json.root, "").ok());
    let Some(board) = board else { return Ok(Vec::new()) };
    let (history, facts) = known(workspace, &board)?;
    let errors = facts::compare_all(&board, &facts, config, &history).err().unwrap_or_default();
    let finding = |error: BaselineError| {
        Finding::new(Code::HBaseline, config_file, "official_baselines", error.words())
    };
    Ok(errors.into_iter().map(finding).collect())
}

/// What `doctor` says about the baseline of the board; nothing where there is no board.
pub(super) fn checkup(workspace: &Workspace, board: &Board) -> Result<Option<Check>, Failure> {
    let (history, facts) = known(workspace, board)?;
    let compared = facts::board_comparison(board, &facts, &workspace.config, &history);
    let (comparison, ids) = match compared {
        Ok(compared) => compared,
        Err(errors) => return Ok(Some(Check::failed(BASELINE, unusable(errors)))),
    };
    let rows = || board.entries.iter().filter_map(|row| comparison.runs.get(ids.get(&row.id())?));
    let baselines: BTreeSet<String> =
        rows().filter_map(|row| row.baseline.as_ref()).map(Baseline::words).collect();
    let scored: Vec<&Row> =
        board.entries.iter().filter(|row| row.held_out.rate().is_some()).collect();
    let is_without = rows().any(|row| row.baseline.is_none() && row.cohort_id.is_some());
    Ok(match scored[..] {
        [first, _, ..] if is_without && baselines.is_empty() => {
            let what = "none, so no Δ is shown: no single recorded run is earlier than the board";
            let help = format!(
                "to show Δ, name a row in the config: \"official_baselines\": [\"{}\"]",
                first.id()
            );
            Some(Check { help, ..Check::well(BASELINE, what) })
        }
        _ if baselines.is_empty() => None,
        _ => Some(Check::well(BASELINE, baselines.into_iter().collect::<Vec<_>>().join("; "))),
    })
}

const BASELINE: &str = "baseline";

type Facts = BTreeMap<String, BundleFacts>;

fn known(workspace: &Workspace, board: &Board) -> Result<(History, Facts), Failure> {
    let history = LedgerDir::below(workspace.store.root()).history()?;
    let (history, _) = ledger::read(&history).usable()?;
    let (evidence, _) = workspace::evidence(&workspace.store, &workspace.config, board);
    Ok((history, facts::row_facts(board, &evidence)))
}

fn tell(
    moved: &[(String, Option<f64>, Option<f64>)],
    model: impl Fn(&str) -> Option<String>,
    ui: Ui,
) -> Result<(), Failure> {
    let word = |delta: &Option<f64>| delta.map_or("–".to_owned(), |delta| format!("{delta:+.3}"));
    for (run_id, old, new) in moved {
        let model = model(run_id).unwrap_or_else(|| "a run that is not recorded".to_owned());
        ui.result(&format!("baseline: Δ of {model} {} → {} (run {run_id})", word(old), word(new)))?;
    }
    Ok(())
}

/// The failure that official baselines which do not hold make.
pub(super) fn unusable(errors: Vec<BaselineError>) -> Failure {
    let failures = errors.into_iter().map(Failure::from);
    Failure::all(failures.collect()).unwrap_or_else(|| Failure::unusable("no baseline"))
}
