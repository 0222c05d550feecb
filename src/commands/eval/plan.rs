//! Who is asked what, from the arguments, the config and the environment.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::ask::{Asker, RateLimiter};
use crate::board;
use crate::cli::{Eval, Setting};
use crate::commands::check;
use crate::domain::config::{Config, Protocol, Seed};
use crate::domain::{Failure, nearest, split_name};
use crate::fs::{self, BUNDLE_FILE_LIMIT};
use crate::models::{ModelClient, Provider, Service};
use crate::replay::{self, BundleFiles};
use crate::workspace::{self, PUBLIC_DRAFT, Workspace};

/// What holds for the whole run.
pub(super) struct Plan {
    pub(super) config: Config,
    /// The protocol, without the settings that are left out.
    pub(super) protocol: Protocol,
    /// Whether the private set is asked.
    pub(super) secret: bool,
}

/// A prompts.json and the directory it is named by.
pub(super) struct PromptFile {
    pub(super) bytes: Vec<u8>,
    pub(super) dir: String,
}

impl Plan {
    pub(super) fn new(args: &Eval, workspace: Option<&Workspace>) -> Result<Self, Failure> {
        let (config, _) = check::terms(workspace)?;
        let mut protocol = config.protocol.clone().unwrap_or_default();
        let generation = &mut protocol.generation;
        for setting in &args.omit {
            match setting {
                Setting::Temperature => generation.temperature = None,
                Setting::MaxTokens => generation.max_tokens = None,
                Setting::TopP => generation.top_p = None,
                Setting::Seed => generation.seed = None,
            }
        }
        Ok(Self { config, protocol, secret: args.held_out.is_some() })
    }

    /// The name of the row, the model to ask and the judge to ask.
    pub(super) fn askers(
        &self,
        args: &Eval,
    ) -> Result<(String, Option<Asker>, Option<Asker>), Failure> {
        if args.model.is_none() && !args.votes_only {
            return Err(not_named("--model", "name the model to ask"));
        }
        if args.base_url.is_some() && args.as_name.is_none() {
            return Err(Failure::unusable("a model on a server of your own has no name yet")
                .at("--base-url")
                .help("pass `--as PROVIDER:MODEL`, the name of its row: the first part is any name of yours, such as `acme:my-model`"));
        }
        if args.judge.is_none() && !args.answers_only {
            let help = format!(
                "name the judge, which is `{}` for this board, or pass `--answers-only`",
                self.config.judge_model
            );
            return Err(not_named("--judge", &help));
        }
        if args.to.is_none() && args.limit.is_none() && !args.dry_run {
            return Err(Failure::unusable("there is no directory for the bundle")
                .at("--to")
                .help("pass `--to leaderboard/bundles/NAME`, or `--limit 3` for a first look"));
        }
        let bounds = &args.bounds;
        let timeout = Duration::from_secs(bounds.timeout);
        let asker = |typed: &str, id: &str, base: Option<&str>, at| -> Result<Asker, Failure> {
            let (provider, model) = provider_of(typed, at)?;
            if provider == Provider::Anthropic && args.omit.contains(&Setting::MaxTokens) {
                return Err(Failure::unusable("`anthropic` requires max_tokens").at("--omit"));
            }
            let base = base.map(|base| {
                (base, if at == "--model" { "--base-url" } else { "--judge-base-url" })
            });
            let service = provider.service(base, !args.dry_run);
            let service = service.map_err(|failure| match &failure.place {
                Some(_) => failure,
                None => failure.at(at),
            })?;
            let client = ModelClient::new(service, model, timeout);
            let price = self.config.prices.get(id).cloned();
            if price.is_none() && bounds.max_usd.is_some() {
                return Err(Failure::unusable(format!("the config has no price for `{id}`"))
                    .at("--max-usd")
                    .help("add it to `prices`, or bound the run with `--max-calls`"));
            }
            Ok(Asker {
                client,
                id: id.to_owned(),
                price,
                pace: Arc::new(RateLimiter::new(bounds.rpm)),
            })
        };
        let name = match (&args.as_name, &args.model) {
            (Some(name), _) | (None, Some(name)) => board::whole_name(name)?.to_owned(),
            (None, None) => recorded_name(args)?,
        };
        let model = args.model.as_deref().filter(|_| !args.votes_only);
        let model = model.map(|typed| asker(typed, &name, args.base_url.as_deref(), "--model"));
        let judge = args.judge.as_deref().map(|typed| {
            let (_, model) = provider_of(typed, "--judge")?;
            if model != self.config.judge_model && args.limit.is_none() {
                let wanted = &self.config.judge_model;
                let what = format!("the judge of this board is `{wanted}`, not `{model}`");
                return Err(Failure::unusable(what)
                    .at("--judge")
                    .help("name the board's judge, or set `judge_model` in the config of a new board; `--limit` takes any judge"));
            }
            asker(typed, typed, args.judge_base_url.as_deref(), "--judge")
        });
        let (model, mut judge) = (model.transpose()?, judge.transpose()?);
        if let (Some(model), Some(judge)) = (&model, &mut judge) {
            let (ours, theirs) = (&model.client.service, &judge.client.service);
            if ours.origin() == theirs.origin() {
                // One provider has one limit, whoever is asked there.
                judge.pace = Arc::clone(&model.pace);
            } else if ours.provider == theirs.provider && ours.has_key() && !args.dry_run {
                return Err(one_key_for_two(ours, theirs));
            }
        }
        Ok((name, model, judge))
    }
}

/// A key belongs to one server: it is never sent to another one.
fn one_key_for_two(model: &Service, judge: &Service) -> Failure {
    let variable = model.provider.key_variable().unwrap_or_default();
    let (model, judge) = (model.origin(), judge.origin());
    Failure::unusable(format!("{variable} would go to two servers, {model} and {judge}"))
        .at("--judge")
        .help("if the judge is on the model's server, pass `--judge-base-url` too; else make two calls, each with its own key: `--answers-only`, then `--votes-only`")
}

/// The prompts to ask.
pub(super) fn prompts(args: &Eval, workspace: Option<&Workspace>) -> Result<PromptFile, Failure> {
    let read = |file: &Path| -> Result<PromptFile, Failure> {
        let dir = file.parent().unwrap_or(Path::new("")).display().to_string();
        Ok(PromptFile { bytes: fs::read_typed(file, BUNDLE_FILE_LIMIT)?, dir })
    };
    if let Some(dir) = &args.held_out {
        return read(&workspace::held_out_prompts(dir)?);
    }
    if let Some(to) = args.to.as_ref().filter(|_| args.votes_only) {
        return read(&to.join("prompts.json"));
    }
    if let Some(file) = &args.prompts {
        return read(file);
    }
    let board = workspace.and_then(|workspace| {
        if let Some(pinned) = workspace.pinned_prompts() {
            let bytes = pinned.as_bytes().to_vec();
            return Some(Ok(PromptFile { bytes, dir: "the public set".to_owned() }));
        }
        let root = workspace.store.root();
        let draft = || Some(root.join(PUBLIC_DRAFT)).filter(|file| file.is_file());
        let of_seed = |seed: &Seed| workspace.store.path(&seed.public_bundle).join("prompts.json");
        Some(read(&workspace.config.seeds.first().map(of_seed).or_else(draft)?))
    });
    board.unwrap_or_else(|| {
        Err(Failure::unusable("there is no public set here")
            .help("run it in a clone of the board, pass `--root DIR`, or `--prompts FILE`"))
    })
}

/// Provider and model of what was typed.
fn provider_of<'t>(typed: &'t str, at: &'static str) -> Result<(Provider, &'t str), Failure> {
    let found = split_name(typed).and_then(|(name, model)| Some((Provider::parse(name)?, model)));
    found.ok_or_else(|| {
        let names = Provider::ALL.map(Provider::as_str);
        let typed_name = typed.split(':').next().unwrap_or_default();
        let failure = Failure::unusable(format!("`{typed}` does not name a provider that can be asked"));
        let help = match nearest(typed_name, names) {
            Some(near) => format!("did you mean `{near}:…`?"),
            None => format!(
                "write provider:model with one of {}; any server with an OpenAI-compatible API is `openai` with `--base-url`",
                names.join(", ")
            ),
        };
        failure.at(at).help(help)
    })
}

fn not_named(at: &'static str, help: &str) -> Failure {
    let with_key = Provider::ALL.into_iter().filter_map(|provider| match provider.key_variable() {
        Some(variable) => Some(format!("{} ({variable} is set)", provider.as_str())),
        None => {
            provider.variables().is_empty().then(|| format!("{} (needs no key)", provider.as_str()))
        }
    });
    let with_key: Vec<String> = with_key.collect();
    let what = if at == "--model" { "no model was given" } else { "no judge was given" };
    Failure::unusable(what)
        .at(at)
        .detail(format!("providers that can be asked from here: {}", with_key.join(", ")))
        .help(help)
}

/// Whose answers lie in `--to`.
fn recorded_name(args: &Eval) -> Result<String, Failure> {
    let dir = args.to.as_deref().unwrap_or(Path::new(""));
    let completions = fs::read_typed(&dir.join("completions.json"), BUNDLE_FILE_LIMIT)?;
    let dir = dir.display().to_string();
    let (prompts, judge) = Default::default();
    let files = BundleFiles { dir: dir.clone(), secret: false, prompts, completions, judge };
    board::name_of(&dir, None, || replay::recorded_models(&files))
}
