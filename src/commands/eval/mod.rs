//! `eval`: asks a model every prompt, asks the judge about each answer, and writes a bundle.

mod ask;
mod plan;
mod record;

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::json;

use crate::cli::{Common, Eval, Format};
use crate::commands::freeze;
use crate::domain::{Exit, Failure, sha256, slug, split_name};
use crate::fs::{self, BUNDLE_FILE_LIMIT, StoreError};
use crate::json;
use crate::ledger::{Exposure, Line};
use crate::replay::{
    self, Frozen, Prompt, PromptOutcome, Reason, Recording, failures, majority, reasons,
};
use crate::ui::{EvalLeft, Ui};
use crate::workspace::{self, EvalJournal, LedgerSession, NewLines, Place, Workspace};

use ask::{Asker, EvalWorkers, Outcome};
use plan::Plan;

pub(super) fn run(args: &Eval, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let workspace = Workspace::open_if_any(&common.root, common.config.as_deref())?;
    let plan = Plan::new(args, workspace.as_ref())?;
    if args.show_protocol {
        ui.protocol(&plan.protocol, common.json)?;
        return Ok(Exit::Yes);
    }
    let (name, model, judge) = plan.askers(args)?;
    let prompts = plan::prompts(args, workspace.as_ref())?;
    let document =
        json::parse(&prompts.bytes).map_err(|error| Failure::json(&prompts.dir, &error))?;
    let mut asked = replay::read_prompts(&document, &prompts.dir, plan.secret)?;
    asked.truncate(usize::try_from(args.limit.unwrap_or(u64::MAX)).unwrap_or(usize::MAX));

    let (provider, id) = split_name(&name).unwrap_or_default();
    let file = format!("{}{}", if plan.secret { "held-out--" } else { "" }, slug(provider, id));
    let (journal, bytes) = EvalJournal::open(&common.root, &file, args.restart)?;
    let shown = journal.path.display().to_string();
    let records = record::parse(&bytes, &shown)?;
    let answers = if args.votes_only { Some(answers(args, &name, &asked)?) } else { None };
    let mut drive = EvalWorkers::new(args, ui, &plan.protocol, (journal, records));
    (drive.model, drive.judge, drive.answers) = (model, judge, answers);
    (drive.n_votes, drive.secret) = (plan.config.n_votes, plan.secret);
    let left = drive.left(&asked);
    if args.dry_run {
        return ui.eval_dry_run(&left).map(|()| Exit::Yes);
    }
    if args.pin {
        // What would be refused in the end is refused before anybody is asked.
        freeze::pin(&prompts.bytes, common)?;
    }
    if left.iter().any(|left| left.calls > 0) {
        if let Some(to) = &args.to {
            let is_asked = |asker: &Asker| left.iter().any(|it| it.calls > 0 && it.id == asker.id);
            vacant(to, drive.model.as_ref().is_some_and(is_asked))?;
        }
        if let Some(to) = args.to.as_deref().filter(|_| plan.secret) {
            if let Some(finding) = fs::exposure(to)?.finding(to) {
                ui.findings(&[finding])?;
                return Ok(Exit::No);
            }
            expose(args, workspace.as_ref(), &drive, &left)?;
        }
    }
    for asker in [&drive.model, &drive.judge].into_iter().flatten() {
        ui.note(&format!("asking {} at {}", asker.id, asker.client.service.origin()));
    }
    ui.note(&format!("protocol sha256 {}", plan.protocol.sha256()));
    let each =
        u64::from(drive.model.is_some()) + if drive.judge.is_some() { drive.n_votes } else { 0 };
    let calls = each * asked.len() as u64;
    let known = calls.saturating_sub(left.iter().map(|left| left.calls).sum());
    ui.eval_start(&shown, known, calls);
    let outcomes = drive.run(&asked)?;
    ui.eval_counts(&record::count(&outcomes))?;
    let Some(to) = &args.to else {
        let rows: Vec<_> =
            asked.iter().zip(&outcomes).map(|(prompt, it)| first_look(prompt, it)).collect();
        return ui.eval_first_look(&rows).map(|()| Exit::Yes);
    };
    let frozen = frozen(args, &name, &prompts.bytes, &asked, &outcomes, plan.secret)?;
    let to = freeze::Destination { to, secret: plan.secret, pin: args.pin, format: Format::Human };
    let exit = freeze::finish(&to, &name, frozen, common, ui)?;
    let to = to.to;
    if exit == Exit::Yes || !plan.secret {
        let set = sha256(&prompts.bytes);
        let run = record::run_file(&drive, &plan, (&name, &set), &asked, &outcomes, existing(to));
        let path = to.join("run.json");
        fs::write(&path, &json::pretty(&run))?;
        ui.result(&format!("wrote {}: how this was recorded", path.display()))?;
    }
    if exit == Exit::Yes && !plan.secret {
        let is_listed = plan.config.seeds.iter().any(|seed| seed.id() == name);
        ui.eval_next(to, args.answers_only, is_listed, &plan.config.judge_model)?;
    }
    Ok(exit)
}

/// Refuses a directory that holds what is about to be asked for.
fn vacant(to: &Path, answers: bool) -> Result<(), Failure> {
    let file = if answers { "completions.json" } else { "judge.json" };
    if to.join(file).exists() {
        return Err(StoreError::Occupied { dir: to.to_owned(), file: file.to_owned() }.into());
    }
    Ok(())
}

/// The answers in `--to`, by prompt id.
fn answers(
    args: &Eval,
    name: &str,
    prompts: &[Prompt<'_>],
) -> Result<BTreeMap<String, String>, Failure> {
    let path = args.to.as_deref().unwrap_or(Path::new("")).join("completions.json");
    let bytes = fs::read_typed(&path, BUNDLE_FILE_LIMIT)?;
    let shown = path.display().to_string();
    let document = json::parse(&bytes).map_err(|error| Failure::json(&shown, &error))?;
    let text = |prompt: &Prompt<'_>| {
        let digest = replay::request_digest(prompt.request);
        let key = format!("{name}:{}", String::from_utf8_lossy(&digest));
        let text = document.root.object().ok()?.get(&key)?.object().ok()?.get("text")?.as_str()?;
        Some((prompt.id.to_owned(), text.to_owned()))
    };
    let answers: BTreeMap<String, String> = prompts.iter().filter_map(text).collect();
    if answers.len() < prompts.len() {
        let missing = prompts.len() - answers.len();
        return Err(Failure::unusable(format!("{missing} prompt(s) have no answer of `{name}`"))
            .at(shown)
            .help("record them first: `eval --answers-only`"));
    }
    Ok(answers)
}

/// Records in the ledger who is about to see the private set.
fn expose(
    args: &Eval,
    workspace: Option<&Workspace>,
    drive: &EvalWorkers<'_>,
    left: &[EvalLeft],
) -> Result<(), Failure> {
    let Some(workspace) = workspace else {
        return Err(Failure::unusable("the private set can only be asked for a board")
            .help("pass `--root DIR` of the board, whose ledger records it"));
    };
    let askers = [&drive.model, &drive.judge].into_iter().flatten();
    let askers: Vec<&Asker> =
        askers.filter(|asker| left.iter().any(|it| it.calls > 0 && it.id == asker.id)).collect();
    for asker in &askers {
        let (provider, _) = split_name(&asker.id).unwrap_or_default();
        if !args.expose_to.iter().any(|name| name == provider) {
            return Err(Failure::unusable(format!("`{provider}` would see the private set"))
                .at("--expose-to")
                .help(format!("if that is intended, pass `--expose-to {provider}`")));
        }
    }
    let mut session = LedgerSession::writing(Place::Workspace(workspace), None)?;
    let (workflow_run, workflow_url) = workspace::workflow();
    let protocol = &session.config.eval_protocol_version;
    let commit = session.history.commit(protocol).map(|line| line.set_commitment.clone());
    let mut lines = Vec::new();
    for asker in askers {
        let (provider, model) = split_name(&asker.id).unwrap_or_default();
        let line = Line::Exposure(Exposure {
            kind: "exposure",
            model: model.to_owned(),
            protocol: session.config.eval_protocol_version.clone(),
            provider: provider.to_owned(),
            recorded_at: session.now.clone(),
            set_commitment: commit.clone(),
            workflow_run,
            workflow_url: workflow_url.clone(),
        });
        lines.extend(line.bytes().unwrap_or_default());
    }
    let appended = session.append(&NewLines { lines: &lines, boards: &[] })?;
    match appended.weeks {
        Some(_) => Ok(()),
        None => {
            Err(Failure::unusable("the exposure cannot be recorded: the line has a held-out text"))
        }
    }
}

/// The files of the bundle, by the same rules as `freeze`.
fn frozen(
    args: &Eval,
    name: &str,
    prompts: &[u8],
    asked: &[Prompt<'_>],
    outcomes: &[Outcome],
    secret: bool,
) -> Result<Frozen, Failure> {
    let (mut answers, mut votes) = (String::new(), String::new());
    for (prompt, outcome) in asked.iter().zip(outcomes) {
        let mut line = json!({"id": prompt.id, "text": outcome.script});
        if let Some((input, output)) = outcome.answer.as_ref().and_then(|answer| answer.tokens) {
            line["usage"] = json!({"prompt_tokens": input, "completion_tokens": output});
        }
        answers += &format!("{line}\n");
        votes += &format!("{}\n", json!({"id": prompt.id, "votes": outcome.ballot()}));
    }
    let recording = |file, bytes| Recording { file, bytes };
    let votes = (!args.answers_only).then(|| recording("the votes", votes.as_bytes()));
    let answers = recording("the answers", answers.as_bytes());
    let frozen = replay::freeze(name, recording("prompts.json", prompts), answers, votes, secret)?;
    if !args.votes_only {
        return Ok(frozen);
    }
    // The answers stay as they are, byte for byte.
    let path = args.to.as_deref().unwrap_or(Path::new("")).join("completions.json");
    Ok(Frozen { completions: fs::read_typed(&path, BUNDLE_FILE_LIMIT)?, ..frozen })
}

/// The run.json that is there.
fn existing(to: &Path) -> Option<Vec<u8>> {
    fs::read_typed(&to.join("run.json"), BUNDLE_FILE_LIMIT).ok()
}

/// A prompt and why it fails; no reason if it passes.
fn first_look(prompt: &Prompt<'_>, outcome: &Outcome) -> (String, Vec<Reason>) {
    let votes = outcome.ballot();
    // Without a judge the answers are looked at alone.
    let judged = if votes.is_empty() { Some(true) } else { majority(&votes) };
    let failures = failures(&outcome.script, &prompt.spec);
    let id = prompt.id.to_owned();
    let of = PromptOutcome { id: id.clone(), tier: String::new(), failures, votes, judged };
    (id, reasons(&of, &outcome.script))
}
