//! prompts.json: what is asked, and what a script that answers must contain.

use std::collections::HashSet;

use crate::domain::{Code, Failure, Finding};
use crate::json::{Document, Mismatch, Node};
use crate::replay::redact::Source;

/// One prompt.
#[derive(Debug, Clone)]
pub struct Prompt<'d> {
    /// Its name within the set.
    pub id: &'d str,
    /// What the model is asked.
    pub request: &'d str,
    /// What the judge compares with.
    pub intent: &'d str,
    /// Its difficulty class.
    pub tier: &'d str,
    /// What a script must contain.
    pub spec: Spec<'d>,
}

/// What a script must contain.
#[derive(Debug, Clone, Default)]
pub struct Spec<'d> {
    /// Resource types.
    pub types: Vec<&'d str>,
    /// Fields by resource type, in file order.
    pub fields: Vec<(&'d str, Vec<&'d str>)>,
    /// Commands.
    pub commands: Vec<&'d str>,
}

/// How the texts of a prompt start that `init --prompts` or `heldout new` laid out.
const PLACEHOLDER: &str = "REPLACE:";
/// The tier of a prompt that names none.
const DEFAULT_TIER: &str = "easy";

/// The prompts of `document`, which is the prompts.json in `dir`. Refuses repeated ids and
/// requests, and placeholders. If `secret`, no message quotes it.
pub fn read_prompts<'d>(
    document: &'d Document<'_>,
    dir: &str,
    secret: bool,
) -> Result<Vec<Prompt<'d>>, Failure> {
    let source = Source::new(dir, "prompts.json", secret);
    let prompts = read(document, &source)?;
    let wrong = duplicates(&prompts, &source).into_iter().chain(placeholders(&prompts, &source));
    let failures = wrong.map(|it| {
        let place = it.place();
        Failure::unusable(it.what).code(it.code).at(place).help(it.help)
    });
    Failure::all(failures.collect()).map_or(Ok(prompts), Err)
}

pub(super) fn read<'d>(
    document: &'d Document<'_>,
    source: &Source,
) -> Result<Vec<Prompt<'d>>, Failure> {
    let prompts = document.root.array().and_then(|items| items.iter().map(prompt).collect());
    prompts.map_err(|mismatch| source.mismatch(document, &mismatch))
}

fn prompt<'d>(node: &'d Node<'_>) -> Result<Prompt<'d>, Mismatch> {
    let text = |key| node.required(key).and_then(string);
    let object = node.object()?;
    Ok(Prompt {
        id: text("id")?,
        request: text("request")?,
        intent: text("intent")?,
        tier: object.get("difficulty").map_or(Ok(DEFAULT_TIER), string)?,
        spec: object.get("structural").map_or_else(|| Ok(Spec::default()), spec)?,
    })
}

fn spec<'d>(node: &'d Node<'_>) -> Result<Spec<'d>, Mismatch> {
    let object = node.object()?;
    let list = |key| object.get(key).map_or_else(|| Ok(Vec::new()), strings);
    let fields = match object.get("required_fields") {
        None => Vec::new(),
        Some(fields) => fields
            .object()?
            .iter()
            .map(|(of, fields)| Ok((&**of, strings(fields)?)))
            .collect::<Result<_, Mismatch>>()?,
    };
    Ok(Spec { types: list("required_types")?, fields, commands: list("required_commands")? })
}

fn string<'d>(node: &'d Node<'_>) -> Result<&'d str, Mismatch> {
    node.text().map(|text| &**text)
}

fn strings<'d>(node: &'d Node<'_>) -> Result<Vec<&'d str>, Mismatch> {
    node.array()?.iter().map(string).collect()
}

/// Ids and requests are unique within a set: a prompt that counts twice weighs twice.
pub(super) fn duplicates(prompts: &[Prompt<'_>], source: &Source) -> Vec<Finding> {
    let mut ids = HashSet::with_capacity(prompts.len());
    let mut requests = HashSet::with_capacity(prompts.len());
    let mut findings = Vec::new();
    for (index, prompt) in prompts.iter().enumerate() {
        let path = || format!("[{index}]");
        let number = index + 1;
        if !ids.insert(prompt.id) {
            let what = format!("prompt number {number} repeats an id");
            let subject = format!(", `{}`", prompt.id);
            findings.push(source.finding(Code::BDup, &path(), what, &subject));
        }
        if !requests.insert(prompt.request) {
            let what = format!("prompt number {number} repeats a request");
            findings.push(source.finding(Code::BDup, &path(), what, ""));
        }
    }
    findings
}

/// What `init --prompts` and `heldout new` write in place of a request and an intent.
pub(super) fn placeholders(prompts: &[Prompt<'_>], source: &Source) -> Option<Finding> {
    let is_draft = |prompt: &&Prompt<'_>| {
        [prompt.request, prompt.intent].iter().any(|text| text.starts_with(PLACEHOLDER))
    };
    let count = prompts.iter().filter(is_draft).count();
    let what = format!("{count} of {} prompts are still placeholders", prompts.len());
    (count > 0).then(|| source.finding(Code::BDraft, "", what, ""))
}
