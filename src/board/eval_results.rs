//! Scores of open-weights models as Hugging Face reads them from the folder `.eval_results` of a
//! model's repository.

use super::model::{Board, Cell};
use crate::domain::config::{Config, Weights};
use crate::domain::slug;

/// The scores of one model.
#[derive(Debug, PartialEq, Eq)]
pub struct EvalResults {
    /// `provider:model`.
    pub id: String,
    /// A name for the file.
    pub file: String,
    /// The model's repository on the hub, where the seed's `about.url` names one.
    pub repository: Option<String>,
    /// The YAML.
    pub text: String,
}

/// The scores of every row of `board` whose weights the config calls open. Illustrative rows are
/// left out. `dataset` is the benchmark's dataset on the hub, at `revision` if that is known.
pub fn eval_results(
    board: &Board,
    config: &Config,
    dataset: &str,
    revision: Option<&str>,
) -> Vec<EvalResults> {
    let mut results = Vec::new();
    for row in board.entries.iter().filter(|row| row.kind != "illustrative") {
        let id = row.id();
        let seed = config.seeds.iter().find(|seed| seed.id() == id);
        let Some(about) = seed
            .and_then(|seed| seed.about.as_ref())
            .filter(|about| about.weights == Some(Weights::Open))
        else {
            continue;
        };
        let slug = slug(&row.provider, &row.model);
        let base = config.site.base_url.as_ref();
        let page = base.map(|base| format!("{}/m/{slug}.html", base.trim_end_matches('/')));
        let source = page.or_else(|| config.repository.clone());
        let entry = |task: &str, cell: &Cell| {
            let revision = revision.map(|it| format!("    revision: {}\n", quoted(it)));
            let source = source.as_ref().map(|url| {
                let name = config.site.title.as_deref().unwrap_or("gmat-leaderboard");
                format!("  source:\n    url: {}\n    name: {}\n", quoted(url), quoted(name))
            });
            let notes = format!(
                "{} prompts, protocol {}, judged by {}",
                cell.n_prompts, board.eval_protocol_version, board.judge_model
            );
            format!(
                "- dataset:\n    id: {}\n    task_id: {}\n{}  value: {}\n  date: {}\n{}  notes: {}\n",
                quoted(dataset),
                quoted(task),
                revision.unwrap_or_default(),
                serde_json::to_string(&cell.pass_rate).unwrap_or_default(),
                quoted(board.generated_at.get(..10).unwrap_or_default()),
                source.unwrap_or_default(),
                quoted(&notes)
            )
        };
        let private = row.held_out.cell().map(|cell| entry("private", cell));
        let text = private.unwrap_or_default() + &entry("public", &row.public);
        let repository = about.url.as_deref().and_then(on_hub).map(str::to_owned);
        results.push(EvalResults { id, file: format!("{slug}.yaml"), repository, text });
    }
    results
}

/// `owner/name` of a model's page on the hub.
fn on_hub(url: &str) -> Option<&str> {
    let path = url.strip_prefix("https://huggingface.co/")?.trim_end_matches('/');
    let good = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|it| it.is_ascii_alphanumeric() || b"._-".contains(&it))
    };
    path.split_once('/').filter(|(owner, name)| good(owner) && good(name)).map(|_| path)
}

/// A string that YAML reads as it is: JSON is YAML.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}
