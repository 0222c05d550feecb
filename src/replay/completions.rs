//! completions.json: which recorded text answers which prompt.

use std::collections::{BTreeMap, HashMap};

use sha2::{Digest, Sha256};

use super::{Asked, BundleFiles};
use crate::domain::config::Seed;
use crate::domain::{Code, Failure};
use crate::json::{Document, Mismatch, Node, Object};
use crate::replay::redact::Source;

/// The providers a seed without one may have been recorded under, in the order they are tried.
const KNOWN_PROVIDERS: [&str; 4] = ["github", "anthropic", "openai", "ollama"];

/// First 16 hex digits of SHA-256 of the request: how a completion names its prompt.
pub fn request_digest(request: &str) -> [u8; 16] {
    let digest = Sha256::digest(request.as_bytes());
    let digit = |index: usize| {
        b"0123456789abcdef"[usize::from(digest[index / 2] >> (4 * (1 - index % 2)) & 15)]
    };
    std::array::from_fn(digit)
}

/// One recorded completion of the model that is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Completion<'d> {
    /// Names the prompt it answers.
    pub(super) digest: &'d str,
    /// The text, scored as it is.
    pub(super) text: &'d str,
    /// The usage block, if recorded.
    pub(super) usage: Option<&'d Object<'d>>,
    /// Where it starts in the file.
    pub(super) at: usize,
    /// Which try its provider was; the first that has a completion is taken.
    pub(super) preference: usize,
}

/// Whose completion a member of completions.json is.
pub(super) enum Member<'d> {
    /// One that is asked for.
    Own(Completion<'d>),
    /// One of the model, under another known provider.
    OfOtherProvider,
    /// None of the model.
    Foreign,
}

/// Provider, model and digest of a key: the provider precedes the first colon, the digest follows
/// the last, and the model between them may hold colons of its own.
fn parts(key: &str) -> Option<(&str, &str, &str)> {
    let (name, digest) = key.rsplit_once(':')?;
    let (provider, model) = name.split_once(':')?;
    Some((provider, model, digest))
}

/// How many completions of each `provider:model` the bundle has recorded.
pub fn recorded_models(files: &BundleFiles) -> Result<BTreeMap<String, usize>, Failure> {
    let source = Source::new(&files.dir, "completions.json", files.secret);
    models(&source.parse(&files.completions)?, &source)
}

/// How many completions of each `provider:model` are in `document`, which is completions.json.
pub(super) fn models(
    document: &Document<'_>,
    source: &Source,
) -> Result<BTreeMap<String, usize>, Failure> {
    let root = document.root.object().map_err(|mismatch| source.mismatch(document, &mismatch))?;
    let mut models = BTreeMap::new();
    for (provider, model, _) in root.iter().filter_map(|(key, _)| parts(key)) {
        *models.entry(format!("{provider}:{model}")).or_default() += 1;
    }
    Ok(models)
}

/// What the member `key` is to those who ask.
pub(super) fn read<'d>(
    key: &'d str,
    node: &'d Node<'d>,
    asked: &Asked<'_>,
) -> Result<Member<'d>, (Mismatch, Code)> {
    let Some((provider, _, digest)) = parts(key).filter(|(_, model, _)| *model == asked.model)
    else {
        return Ok(Member::Foreign);
    };
    let Some(preference) = asked.preference(provider) else {
        let is_known = KNOWN_PROVIDERS.contains(&provider);
        return Ok(if is_known { Member::OfOtherProvider } else { Member::Foreign });
    };
    let schema = |mismatch| (mismatch, Code::ESchema);
    let object = node.object().map_err(schema)?;
    let text = node.required("text").map_err(schema)?;
    let text = text.as_str().ok_or_else(|| (text.mismatch("a string"), Code::BText))?;
    let usage = object.get("usage").filter(|usage| !usage.is_null());
    let usage = usage.map(Node::object).transpose().map_err(schema)?;
    Ok(Member::Own(Completion { digest, text, usage, at: node.at, preference }))
}

/// The completions of `document` that answer prompts, by digest.
pub(super) fn by_digest<'d>(
    document: &'d Document<'d>,
    source: &Source,
    asked: &Asked<'_>,
) -> Result<HashMap<&'d [u8], Completion<'d>>, Failure> {
    let root = document.root.object().map_err(|mismatch| source.mismatch(document, &mismatch))?;
    let mut completions = HashMap::with_capacity(root.len());
    for (key, node) in root.iter() {
        let member = read(key, node, asked)
            .map_err(|(mismatch, code)| source.coded(document, &mismatch, code))?;
        let Member::Own(completion) = member else { continue };
        let slot = completions.entry(completion.digest.as_bytes()).or_insert(completion);
        if completion.preference < slot.preference {
            *slot = completion;
        }
    }
    Ok(completions)
}

impl Asked<'_> {
    /// Which try this provider is; `None` if it is never tried.
    fn preference(&self, provider: &str) -> Option<usize> {
        if self.provider == Seed::RECORDED {
            KNOWN_PROVIDERS.iter().position(|known| *known == provider)
        } else {
            (provider == self.provider).then_some(0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_may_hold_slashes_and_colons() {
        assert_eq!(parts("ollama:llama3:8b:00ff"), Some(("ollama", "llama3:8b", "00ff")));
        assert_eq!(parts("github:openai/gpt:00ff"), Some(("github", "openai/gpt", "00ff")));
        assert_eq!(parts("openai:00ff"), None);
        assert_eq!(parts("plain"), None);
    }

    #[test]
    fn a_request_is_named_by_sixteen_digits_of_its_digest() {
        assert_eq!(&request_digest("abc"), b"ba7816bf8f01cfea");
    }
}
