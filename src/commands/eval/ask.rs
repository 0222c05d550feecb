//! Asks every prompt: several at a time, politely, within bounds, and never twice.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::record::Record;
use crate::cli::{Eval, EvalBounds};
use crate::domain::config::{Price, Protocol, Sampling};
use crate::domain::{Failure, nearest, real, stamp};
use crate::fs;
use crate::models::{ModelClient, ModelError, ModelRetry, Question};
use crate::replay::{Prompt, extract, failures, majority, spoken_vote, without_comments};
use crate::ui::{EvalLeft, EvalProgress, Ui};
use crate::workspace::EvalJournal;

/// A model that is asked.
pub(super) struct Asker {
    pub(super) client: ModelClient,
    /// `provider:model`, as the row or the judge is named.
    pub(super) id: String,
    pub(super) price: Option<Price>,
    pub(super) pace: Arc<RateLimiter>,
}

/// One prompt, answered and judged.
#[derive(Debug, Clone, Default)]
pub(super) struct Outcome {
    /// Absent if the answer was recorded before.
    pub(super) answer: Option<Record>,
    /// What is scored.
    pub(super) script: String,
    /// The replies to each vote: one, or two if the first could not be read.
    pub(super) votes: Vec<Vec<Record>>,
}

impl Outcome {
    /// The votes as a bundle has them.
    pub(super) fn ballot(&self) -> Vec<Option<bool>> {
        self.votes.iter().map(|tries| tries.last().and_then(|it| spoken_vote(&it.text))).collect()
    }
}

/// The run was stopped; why is in [`EvalWorkers::halt`].
struct Stopped;

/// Everything the workers share.
pub(super) struct EvalWorkers<'d> {
    pub(super) model: Option<Asker>,
    pub(super) judge: Option<Asker>,
    pub(super) protocol: &'d Protocol,
    pub(super) n_votes: u64,
    /// Whether the private set is asked.
    pub(super) secret: bool,
    /// Answers that were recorded before, by prompt id.
    pub(super) answers: Option<BTreeMap<String, String>>,
    pub(super) journal: EvalJournal,
    /// What the journal holds, by key.
    pub(super) records: Mutex<HashMap<String, Record>>,
    bounds: &'d EvalBounds,
    ui: Ui,
    is_stopped: AtomicBool,
    halt: Mutex<Option<Failure>>,
    calls: AtomicU64,
    /// Dollars that calls under way may cost.
    reserved: Mutex<f64>,
    /// Whether a provider has answered in this run.
    has_answer: AtomicBool,
}

/// Sends no more than so many requests a minute, and none while a provider asks to wait.
pub(super) struct RateLimiter {
    gap: Duration,
    next: Mutex<Instant>,
}

impl RateLimiter {
    pub(super) fn new(rpm: Option<u32>) -> Self {
        let gap = rpm.map_or(Duration::ZERO, |rpm| Duration::from_secs(60) / rpm);
        Self { gap, next: Mutex::new(Instant::now()) }
    }

    /// How long to wait for the next turn, which is taken.
    fn turn(&self) -> Duration {
        let now = Instant::now();
        let mut next = lock(&self.next);
        let turn = now.max(*next);
        *next = turn + self.gap;
        turn - now
    }

    fn hold(&self, pause: Duration) {
        let mut next = lock(&self.next);
        *next = (*next).max(Instant::now() + pause);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Which vote on which prompt: two prompts may give the judge the same text.
fn vote_turn(prompt: &Prompt<'_>, vote: u64) -> String {
    format!("{} vote {vote}", prompt.id)
}

impl Asker {
    /// The key of one question in the journal: the same question has the same key.
    fn key(&self, body: &[u8], turn: &str) -> String {
        use sha2::{Digest, Sha256};
        let digest = Sha256::new().chain_update(&self.id).chain_update([0]).chain_update(turn);
        hex::encode(&digest.chain_update([0]).chain_update(body).finalize()[..16])
    }

    pub(super) fn cost(&self, (input, output): (u64, u64)) -> f64 {
        self.price.as_ref().map_or(0.0, |price| price.cost(real(input), real(output)))
    }
}

impl<'d> EvalWorkers<'d> {
    /// What the arguments say; the rest is filled in.
    pub(super) fn new(
        args: &'d Eval,
        ui: Ui,
        protocol: &'d Protocol,
        (journal, records): (EvalJournal, HashMap<String, Record>),
    ) -> Self {
        Self {
            model: None,
            judge: None,
            protocol,
            n_votes: 0,
            secret: false,
            answers: None,
            journal,
            records: Mutex::new(records),
            bounds: &args.bounds,
            ui,
            is_stopped: AtomicBool::new(false),
            halt: Mutex::default(),
            calls: AtomicU64::new(0),
            reserved: Mutex::new(0.0),
            has_answer: AtomicBool::new(false),
        }
    }

    /// Runs the prompts; an error says why it stopped early.
    pub(super) fn run(&self, prompts: &[Prompt<'_>]) -> Result<Vec<Outcome>, Failure> {
        let progress = EvalProgress::new(self.ui, prompts.len());
        let outcomes: Mutex<BTreeMap<usize, Outcome>> = Mutex::default();
        let next = AtomicUsize::new(0);
        let work = || {
            while !self.is_stopped.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(prompt) = prompts.get(at) else { break };
                let Ok(outcome) = self.prompt(prompt, &progress) else { break };
                let is_solved = failures(&outcome.script, &prompt.spec).is_empty()
                    && (self.judge.is_none() || majority(&outcome.ballot()) == Some(true));
                lock(&outcomes).insert(at, outcome);
                let (tokens, dollars) = self.spent();
                progress.done(is_solved, tokens, dollars);
            }
        };
        let jobs = usize::from(self.bounds.jobs).min(prompts.len());
        std::thread::scope(|scope| {
            for _ in 1..jobs {
                // Where no thread can be started, the others do the work.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        drop(progress);
        if let Some(failure) = lock(&self.halt).take() {
            let done = lock(&outcomes).len();
            let kept = format!(
                "{done} of {} prompts are done; every answer so far is in {}",
                prompts.len(),
                self.journal.path.display()
            );
            return Err(failure.detail(kept));
        }
        Ok(outcomes.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect())
    }

    fn prompt(&self, prompt: &Prompt<'_>, progress: &EvalProgress) -> Result<Outcome, Stopped> {
        let recorded = self.answers.as_ref().and_then(|answers| answers.get(prompt.id).cloned());
        let (answer, script) = match (&self.model, recorded) {
            (Some(model), None) => {
                let body = self.question(model, prompt);
                let settings = &self.protocol.generation;
                let record = self.ask(model, &body, ("answer", settings), progress)?;
                let script = extract(&record.text).to_owned();
                (Some(record), script)
            }
            (_, recorded) => (None, recorded.unwrap_or_default()),
        };
        let mut votes = Vec::new();
        for vote in 0..self.n_votes {
            let Some(judge) = &self.judge else { break };
            let body = self.judging(judge, prompt, &script);
            let settings = &self.protocol.judging;
            let turn = vote_turn(prompt, vote);
            let mut tries = vec![self.ask(judge, &body, (&turn, settings), progress)?];
            if spoken_vote(&tries[0].text).is_none() {
                let again = format!("{turn} again");
                tries.push(self.ask(judge, &body, (&again, settings), progress)?);
            }
            votes.push(tries);
        }
        Ok(Outcome { answer, script, votes })
    }

    /// The body that asks `model` for a script.
    fn question(&self, model: &Asker, prompt: &Prompt<'_>) -> Vec<u8> {
        let Protocol { system, request, generation, .. } = self.protocol;
        let values = [("request", prompt.request)];
        let (system, user) = (system.fill(&values), request.fill(&values));
        let system = Some(system.as_str()).filter(|system| !system.is_empty());
        model.client.body(&Question { system, user: &user, sampling: generation })
    }

    /// The body that asks `judge` about a script.
    fn judging(&self, judge: &Asker, prompt: &Prompt<'_>, script: &str) -> Vec<u8> {
        let script = without_comments(script);
        let user = self.protocol.judge.fill(&[("intent", prompt.intent), ("script", &script)]);
        judge.client.body(&Question { system: None, user: &user, sampling: &self.protocol.judging })
    }

    /// The answer from the journal, else from the provider, by way of the journal.
    fn ask(
        &self,
        asker: &Asker,
        body: &[u8],
        (turn, settings): (&str, &Sampling),
        progress: &EvalProgress,
    ) -> Result<Record, Stopped> {
        let key = asker.key(body, turn);
        if let Some(known) = lock(&self.records).get(&key) {
            return Ok(known.clone());
        }
        let most = asker.cost((body.len() as u64 / 3, settings.max_tokens.unwrap_or(8192)));
        let (mut tries, mut waited) = (0, Duration::ZERO);
        loop {
            self.pause(asker.pace.turn())?;
            self.take(most)?;
            let asked = asker.client.ask(body);
            *lock(&self.reserved) -= most;
            let error = match asked {
                Ok(reply) => {
                    self.has_answer.store(true, Ordering::Relaxed);
                    let at = fs::moment().map(stamp).unwrap_or_default();
                    let record = Record::new(&key, asker, at, tries, reply);
                    if let Err(error) = self.journal.append(&record.line()) {
                        return Err(self.stop(error.into()));
                    }
                    lock(&self.records).insert(key, record.clone());
                    return Ok(record);
                }
                // A provider may repeat the question, which is secret.
                Err(error) => {
                    if self.secret {
                        error.without_words()
                    } else {
                        error
                    }
                }
            };
            let wait = self.rest(asker, &error, tries, waited)?;
            progress.note(&format!(
                "{}: {}; trying again in {:.0} s",
                asker.id,
                error.message(),
                wait.as_secs_f64().ceil()
            ));
            waited += wait;
            tries += 1;
            self.pause(wait)?;
        }
    }

    /// How long to wait before the same call is made again.
    fn rest(
        &self,
        asker: &Asker,
        error: &ModelError,
        tries: u32,
        waited: Duration,
    ) -> Result<Duration, Stopped> {
        let origin = asker.client.service.origin();
        let service = &asker.client.service;
        let failure = || error.failure(&origin, service.provider.variables(), service.has_key());
        let ModelRetry::Later(asked) = error.again() else {
            let failure = failure();
            let is_unknown = matches!(error, ModelError::Refused { status: 404, .. });
            let names = if is_unknown { asker.client.models() } else { Vec::new() };
            let near = nearest(&asker.client.model, names.iter().map(String::as_str));
            return Err(self.stop(match near {
                Some(near) => failure.help(format!("did you mean `{near}`?")),
                None => failure,
            }));
        };
        let patience = Duration::from_secs(self.bounds.patience);
        let wait = asked.unwrap_or_else(|| self.backoff(tries));
        if wait + waited > patience {
            let failure = failure();
            let (Some(_), Ok(now)) = (asked, fs::moment()) else { return Err(self.stop(failure)) };
            let when = now.checked_add(wait).map(stamp).unwrap_or_default();
            let seconds = wait.as_secs();
            return Err(self.stop(failure.help(format!(
                "it asks to wait {seconds} s: run the same command again after {when}, or pass `--patience {}`",
                seconds + 1
            ))));
        }
        // A server that is not there will not come up by itself.
        let is_first = !self.has_answer.load(Ordering::Relaxed);
        if tries >= 2 && is_first && matches!(error, ModelError::Transport(_)) {
            return Err(
                self.stop(failure().help("is the server running, and is the address right?"))
            );
        }
        if asked.is_some() {
            asker.pace.hold(wait);
        }
        Ok(wait)
    }

    /// Doubles up to 64 times the first pause; workers that failed together do not come back together.
    fn backoff(&self, tries: u32) -> Duration {
        let pause = Duration::from_millis(self.bounds.retry_pause) * 2_u32.pow(tries.min(6));
        let jitter = u32::try_from(RandomState::new().hash_one(tries) % 256).unwrap_or_default();
        pause + pause * jitter / 512
    }

    /// Takes one call from the budget.
    fn take(&self, most: f64) -> Result<(), Stopped> {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        if let Some(max) = self.bounds.max_calls.filter(|max| calls >= *max) {
            let failure = Failure::world(format!("stopped after {max} calls")).at("--max-calls");
            return Err(self.stop(failure.help("run the same command again to go on")));
        }
        let (_, spent) = self.spent();
        let mut reserved = lock(&self.reserved);
        if let Some(max) = self.bounds.max_usd.filter(|max| spent + *reserved + most > *max) {
            let what = format!("stopped at ${spent:.4}: the next call could pass ${max:.4}");
            let failure = Failure::world(what).at("--max-usd");
            return Err(
                self.stop(failure.help("run the same command with a higher limit to go on"))
            );
        }
        *reserved += most;
        Ok(())
    }

    /// Tokens and dollars of everything in the journal.
    fn spent(&self) -> (u64, f64) {
        let records = lock(&self.records);
        let mut spent = (0, 0.0);
        for record in records.values() {
            let Some(tokens) = record.tokens else { continue };
            let askers = [&self.model, &self.judge].into_iter().flatten();
            spent.0 += tokens.0 + tokens.1;
            spent.1 +=
                askers.filter(|it| it.id == record.by).map(|it| it.cost(tokens)).sum::<f64>();
        }
        spent
    }

    /// Sleeps, but not after the run was stopped.
    fn pause(&self, pause: Duration) -> Result<(), Stopped> {
        let until = Instant::now() + pause;
        loop {
            if self.is_stopped.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(Duration::from_millis(100)));
        }
    }

    /// Stops the run; the first reason counts.
    fn stop(&self, why: Failure) -> Stopped {
        lock(&self.halt).get_or_insert(why);
        self.is_stopped.store(true, Ordering::Relaxed);
        Stopped
    }

    /// What is still to be asked: of the model, then of the judge.
    pub(super) fn left(&self, prompts: &[Prompt<'_>]) -> Vec<EvalLeft> {
        /// A script of unknown length is taken to be so long.
        const SCRIPT: usize = 2400;
        let of = |asker: &Option<Asker>, sampling: &Sampling| {
            let most = sampling.max_tokens.unwrap_or(8192);
            let price = asker.as_ref().and_then(|it| it.price.clone());
            let id = asker.as_ref().map(|it| it.id.clone()).unwrap_or_default();
            (EvalLeft { id, calls: 0, input: 0, output: 0, price }, most)
        };
        let Protocol { generation, judging, .. } = self.protocol;
        let (mut model, most) = of(&self.model, generation);
        let (mut judge, judge_most) = of(&self.judge, judging);
        let records = lock(&self.records);
        let count = |left: &mut EvalLeft, bytes: usize, most: u64| {
            left.calls += 1;
            left.input += bytes as u64 / 4;
            left.output += most;
        };
        for prompt in prompts {
            let mut script = self.answers.as_ref().and_then(|it| it.get(prompt.id).cloned());
            if let Some(asker) = &self.model {
                let body = self.question(asker, prompt);
                let known = records.get(&asker.key(&body, "answer"));
                script = known.map(|record| extract(&record.text).to_owned());
                if known.is_none() {
                    count(&mut model, body.len(), most);
                }
            }
            let Some(asker) = &self.judge else { continue };
            let body = self.judging(asker, prompt, script.as_deref().unwrap_or_default());
            let known =
                |turn: String| script.is_some() && records.contains_key(&asker.key(&body, &turn));
            for _ in (0..self.n_votes).filter(|vote| !known(vote_turn(prompt, *vote))) {
                let more = if script.is_some() { 0 } else { SCRIPT };
                count(&mut judge, body.len() + more, judge_most);
            }
        }
        let is_asked = [self.model.is_some(), self.judge.is_some()];
        [model, judge].into_iter().zip(is_asked).filter(|(_, it)| *it).map(|(it, _)| it).collect()
    }
}
