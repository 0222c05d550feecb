//! What of a held-out bundle must never be published, file by file.
//!
//! Nothing is scored here, and a file that does not read as what its name says is an error that
//! quotes nothing: a secret that cannot be read cannot be looked for.

use std::collections::HashMap;
use std::sync::Arc;

use super::completions::request_digest;
use super::prompts::{self, Prompt};
use crate::domain::Failure;
use crate::json::{Document, Node, Value};
use crate::replay::redact::Source;

/// The files of one held-out directory that hold secrets; each may be absent.
#[derive(Debug, Default)]
pub struct SecretFiles {
    /// The directory, as it is named to people.
    pub dir: String,
    /// prompts.json
    pub prompts: Option<Arc<Vec<u8>>>,
    /// completions.json
    pub completions: Option<Arc<Vec<u8>>>,
    /// judge.json
    pub judge: Option<Arc<Vec<u8>>>,
    /// trajectory.json of a lift bundle
    pub trajectory: Option<Arc<Vec<u8>>>,
}

/// One thing that must not be published.
#[derive(Debug)]
#[non_exhaustive]
pub enum Secret<'d> {
    /// A prompt with its intent and spec.
    Prompt(&'d Prompt<'d>),
    /// A line planted to be found.
    Canary(&'d str),
    /// A completion, a draft, recorded votes, a remark beside a prompt.
    Text(&'d str),
}

/// Keys of a prompt that [`Prompt`] covers, and its tier, which is public.
const PROMPT_KEYS: [&str; 5] = ["id", "request", "intent", "difficulty", "structural"];
const CANARY: &str = "canary";
/// A shorter remark beside a prompt is a label, such as who wrote it, and no secret.
const SHORTEST_REMARK: usize = 24;

/// Hands every secret of `files` to `tell`, with its file and the number of its prompt; 0 is the
/// file as a whole.
pub fn secrets(
    files: &SecretFiles,
    tell: &mut dyn FnMut(&str, usize, Secret<'_>),
) -> Result<(), Failure> {
    let mut by_id = HashMap::new();
    let mut by_digest = HashMap::new();
    if let Some(bytes) = &files.prompts {
        let source = Source::new(&files.dir, "prompts.json", true);
        let document = source.parse(bytes)?;
        for (index, prompt) in prompts::read(&document, &source)?.iter().enumerate() {
            by_id.insert(prompt.id.to_owned(), index + 1);
            by_digest.insert(request_digest(prompt.request), index + 1);
            tell(&source.file, index + 1, Secret::Prompt(prompt));
        }
        for (index, node) in document.root.array().unwrap_or_default().iter().enumerate() {
            remarks(node, &mut |secret| tell(&source.file, index + 1, secret));
        }
    }
    if let Some(bytes) = &files.completions {
        let source = Source::new(&files.dir, "completions.json", true);
        let document = source.parse_members(bytes, |part| {
            for (key, node) in part.root.object().iter().flat_map(|object| object.iter()) {
                let digest = key.rsplit(':').next().unwrap_or_default().as_bytes();
                let number =
                    <[u8; 16]>::try_from(digest).ok().and_then(|digest| by_digest.get(&digest));
                if let Some(text) = node.object().ok().and_then(|it| it.get("text")?.as_str()) {
                    tell(&source.file, number.copied().unwrap_or_default(), Secret::Text(text));
                }
            }
            canaries(&part.root, &mut |secret| tell(&source.file, 0, secret));
        })?;
        document.root.object().map_err(|mismatch| source.mismatch(&document, &mismatch))?;
    }
    if let Some(bytes) = &files.trajectory {
        let source = Source::new(&files.dir, "trajectory.json", true);
        let document = source.parse(bytes)?;
        let root = document.root.object();
        let root = root.map_err(|mismatch| source.mismatch(&document, &mismatch))?;
        for (id, drafts) in root.iter() {
            let number = by_id.get(&**id).copied().unwrap_or_default();
            for draft in drafts.array().unwrap_or_default().iter().filter_map(Node::as_str) {
                tell(&source.file, number, Secret::Text(draft));
            }
        }
        canaries(&document.root, &mut |secret| tell(&source.file, 0, secret));
    }
    if let Some(bytes) = &files.judge {
        let source = Source::new(&files.dir, "judge.json", true);
        let document = source.parse(bytes)?;
        for text in vote_texts(&document) {
            tell(&source.file, 0, Secret::Text(text));
        }
        canaries(&document.root, &mut |secret| tell(&source.file, 0, secret));
    }
    Ok(())
}

/// What a judge.json says, without the names of models that its votes may lie under: those are on the
/// board too.
fn vote_texts<'d>(document: &Document<'d>) -> Vec<&'d str> {
    let Ok(root) = document.root.object() else { return vec![document.text] };
    let members: Vec<&Node<'_>> = root.iter().map(|(_, node)| node).collect();
    if members.iter().any(|node| node.object().is_err()) {
        return vec![document.text];
    }
    let ends = members.iter().skip(1).map(|next| next.at).chain([document.text.len()]);
    let parts = members.iter().zip(ends).map(|(node, end)| &document.text[node.at..end]);
    // After the last brace comes the next name.
    parts.map(|part| part.rfind('}').map_or(part, |end| &part[..end])).collect()
}

/// What is in a prompt's object beside the prompt.
fn remarks(prompt: &Node<'_>, tell: &mut dyn FnMut(Secret<'_>)) {
    let Ok(object) = prompt.object() else { return };
    for (key, node) in object.iter().filter(|(key, _)| !PROMPT_KEYS.contains(&&***key)) {
        if key == CANARY {
            node.as_str().into_iter().for_each(|canary| tell(Secret::Canary(canary)));
        } else {
            each_string(node, &mut |text| {
                if text.len() >= SHORTEST_REMARK {
                    tell(Secret::Text(text));
                }
            });
        }
    }
}

/// Every canary at any depth.
fn canaries(node: &Node<'_>, tell: &mut dyn FnMut(Secret<'_>)) {
    match &node.value {
        Value::Array(items) => items.iter().for_each(|item| canaries(item, tell)),
        Value::Object(members) => {
            for (key, member) in members.iter() {
                match member.as_str() {
                    Some(canary) if key == CANARY => tell(Secret::Canary(canary)),
                    _ => canaries(member, tell),
                }
            }
        }
        _ => {}
    }
}

fn each_string(node: &Node<'_>, tell: &mut dyn FnMut(&str)) {
    match &node.value {
        Value::String(text) => tell(text),
        Value::Array(items) => items.iter().for_each(|item| each_string(item, tell)),
        Value::Object(members) => members.iter().for_each(|(_, member)| each_string(member, tell)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reported(files: &SecretFiles) -> Vec<String> {
        let mut reported = Vec::new();
        let tell = &mut |file: &str, number: usize, secret: Secret<'_>| {
            reported.push(match secret {
                Secret::Prompt(prompt) => format!("{file} {number} prompt {}", prompt.id),
                Secret::Canary(canary) => format!("{file} {number} canary {canary}"),
                Secret::Text(text) => format!("{file} {number} text {text}"),
            });
        };
        secrets(files, tell).expect("readable");
        reported
    }

    #[test]
    fn every_file_gives_its_secrets_with_the_number_of_the_prompt() {
        let digest = String::from_utf8(request_digest("second").to_vec()).expect("ASCII");
        let prompts = r#"[{"id":"a","request":"first","intent":"","canary":"c:1"},
            {"id":"b","request":"second","intent":"","by":"me","hint":["a remark of more than 24 letters"]}]"#;
        let files = SecretFiles {
            dir: "held/m".into(),
            prompts: Some(Arc::new(prompts.into())),
            completions: Some(Arc::new(
                format!(
                    r#"{{"demo:m:{digest}":{{"text":"B"}},"x":{{"text":"X"}},"canary":"c:2"}}"#
                )
                .into(),
            )),
            judge: Some(Arc::new(br#"{"a":[true]}"#.to_vec())),
            trajectory: Some(Arc::new(br#"{"a":["one","two"]}"#.to_vec())),
        };
        let expected = [
            "held/m/prompts.json 1 prompt a",
            "held/m/prompts.json 2 prompt b",
            "held/m/prompts.json 1 canary c:1",
            "held/m/prompts.json 2 text a remark of more than 24 letters",
            "held/m/completions.json 2 text B",
            "held/m/completions.json 0 text X",
            "held/m/completions.json 0 canary c:2",
            "held/m/trajectory.json 1 text one",
            "held/m/trajectory.json 1 text two",
            "held/m/judge.json 0 text {\"a\":[true]}",
        ];
        assert_eq!(reported(&files), expected);
    }

    #[test]
    fn votes_are_secret_and_the_names_of_models_are_not() {
        for (judge, texts) in [
            (r#"{"a": [true], "b": []}"#, &[r#"{"a": [true], "b": []}"#][..]),
            (r#"{"demo/m{1}": {"a": [true]}}"#, &[r#"{"a": [true]}"#]),
            (r#"{"m": {"a": [true]}, "n": {"b": []}}"#, &[r#"{"a": [true]"#, r#"{"b": []}"#]),
            (r#"{"m": {"a": [true]}, "b": []}"#, &[r#"{"m": {"a": [true]}, "b": []}"#]),
            (r#"[{"a": true}]"#, &[r#"[{"a": true}]"#]),
            ("{}", &[]),
        ] {
            let judge = Some(Arc::new(judge.into()));
            let files = SecretFiles { dir: "held/m".into(), judge, ..SecretFiles::default() };
            let texts = texts.iter().map(|text| format!("held/m/judge.json 0 text {text}"));
            assert_eq!(reported(&files), texts.collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_unreadable_file_is_an_error_that_quotes_nothing() {
        for bytes in ["[{\"sesame\": 1}]", "{\"sesame\": NaN}", "\"sesame\"", ""] {
            for which in 0..2 {
                let mut files = SecretFiles { dir: "held/m".into(), ..SecretFiles::default() };
                let slot = if which == 0 { &mut files.prompts } else { &mut files.trajectory };
                *slot = Some(Arc::new(bytes.into()));
                let failure = secrets(&files, &mut |_, _, _| {}).expect_err(bytes);
                assert!(!format!("{failure:?}").contains("sesame"), "{failure:?}");
            }
        }
    }
}
