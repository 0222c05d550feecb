//! The texts of a public bundle, for pages: what was asked, what is required, what the model wrote.

use super::completions::{self, request_digest};
use super::prompts;
use super::{Asked, BundleFiles};
use crate::replay::redact::Source;

/// A prompt as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptText {
    /// Its name within the set.
    pub id: String,
    /// Its title, where the set has one.
    pub title: Option<String>,
    /// What the model is asked.
    pub request: String,
    /// What the judge compares with.
    pub intent: String,
    /// Its difficulty class.
    pub tier: String,
    /// Resource types that a script must create.
    pub types: Vec<String>,
    /// Fields that a script must set, as `Type.Field`.
    pub fields: Vec<String>,
    /// Commands that a script must have.
    pub commands: Vec<String>,
}

/// The prompts of the bundle in the order of prompts.json; none if they cannot be read.
pub fn prompt_texts(files: &BundleFiles) -> Vec<PromptText> {
    let source = Source::new(&files.dir, "prompts.json", files.secret);
    let Ok(document) = source.parse(&files.prompts) else { return Vec::new() };
    let nodes = document.root.array().unwrap_or_default();
    let titles = nodes.iter().map(|node| node.object().ok()?.get("title")?.as_str());
    let prompts = prompts::read(&document, &source).unwrap_or_default();
    let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    prompts
        .iter()
        .zip(titles)
        .map(|(prompt, title)| PromptText {
            id: prompt.id.to_owned(),
            title: title.map(str::to_owned),
            request: prompt.request.to_owned(),
            intent: prompt.intent.to_owned(),
            tier: prompt.tier.to_owned(),
            types: owned(&prompt.spec.types),
            fields: prompt
                .spec
                .fields
                .iter()
                .flat_map(|(of, fields)| fields.iter().map(move |field| format!("{of}.{field}")))
                .collect(),
            commands: owned(&prompt.spec.commands),
        })
        .collect()
}

/// The completion of each of these prompts, as it was scored; `None` where there is none.
pub fn scripts(
    files: &BundleFiles,
    asked: &Asked<'_>,
    prompts: &[PromptText],
) -> Vec<Option<String>> {
    let source = Source::new(&files.dir, "completions.json", files.secret);
    let Ok(document) = source.parse(&files.completions) else { return vec![None; prompts.len()] };
    let texts = completions::by_digest(&document, &source, asked).unwrap_or_default();
    let script = |prompt: &PromptText| {
        let completion = texts.get(request_digest(&prompt.request).as_slice());
        completion.map(|completion| completion.text.to_owned())
    };
    prompts.iter().map(script).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_and_scripts_are_what_the_files_say() {
        let files = BundleFiles {
            dir: "d".into(),
            secret: false,
            prompts: br#"[{"id": "a", "request": "abc", "intent": "i", "title": "A title",
                "structural": {"required_types": ["Spacecraft"],
                "required_fields": {"Spacecraft": ["SMA", "ECC"]}, "required_commands": ["Stop"]}},
                {"id": "b", "request": "b", "intent": "j", "difficulty": "hard"}]"#
                .to_vec()
                .into(),
            completions: br#"{"p:m:ba7816bf8f01cfea": {"text": "Stop\n"}, "p:n:00": {"text": ""}}"#
                .to_vec(),
            judge: Vec::new(),
        };
        let prompts = prompt_texts(&files);
        assert_eq!(prompts[0].title.as_deref(), Some("A title"));
        assert_eq!(prompts[0].fields, ["Spacecraft.SMA", "Spacecraft.ECC"]);
        assert_eq!((&*prompts[1].tier, prompts[1].title.as_deref()), ("hard", None));
        let asked =
            Asked { provider: "p", model: "m", judge_model: "j", n_votes: 3, require_votes: false };
        assert_eq!(scripts(&files, &asked, &prompts), [Some("Stop\n".to_owned()), None]);
    }
}
