//! The three wire formats: Chat Completions, Messages, and ollama's chat.

use serde_json::{Map, Value, json};

use super::provider::Provider;
use crate::domain::config::Sampling;

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'q> {
    pub(crate) system: Option<&'q str>,
    pub(crate) user: &'q str,
    pub(crate) sampling: &'q Sampling,
}

/// What it answered.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct ModelReply {
    /// The text; empty if there is none.
    pub(crate) text: String,
    /// The model as the provider names it.
    pub(crate) model: Option<String>,
    /// Why the text ends, in the provider's word.
    pub(crate) finish: Option<String>,
    /// Input and output tokens.
    pub(crate) tokens: Option<(u64, u64)>,
    /// The provider's own usage object.
    pub(crate) usage: Value,
}

impl ModelReply {
    /// The provider refused the question or the answer by its content.
    pub(super) fn filtered() -> Self {
        Self { finish: Some("content_filter".to_owned()), ..Self::default() }
    }
}

/// The body of a request; keys are sorted, so equal questions have equal bytes.
pub(super) fn body(provider: Provider, model: &str, question: &Question<'_>) -> Vec<u8> {
    let Question { system, user, sampling } = question;
    let message = |role: &str, content: &str| json!({"role": role, "content": content});
    let mut settings = Map::new();
    let mut set = |key: &str, value: Option<Value>| {
        settings.extend(value.map(|value| (key.to_owned(), value)));
    };
    let is_ollama = provider == Provider::Ollama;
    set("temperature", sampling.temperature.map(Value::from));
    set("top_p", sampling.top_p.map(Value::from));
    let most = if is_ollama { "num_predict" } else { "max_tokens" };
    set(most, sampling.max_tokens.map(Value::from));
    // The Messages API has no seed.
    set("seed", sampling.seed.filter(|_| provider != Provider::Anthropic).map(Value::from));
    let mut body = Map::new();
    let mut messages = Vec::new();
    match (provider, system) {
        (Provider::Anthropic, Some(system)) => {
            body.insert("system".to_owned(), Value::from(*system));
        }
        (_, Some(system)) => messages.push(message("system", system)),
        (_, None) => {}
    }
    messages.push(message("user", user));
    body.insert("model".to_owned(), Value::from(model));
    body.insert("messages".to_owned(), Value::from(messages));
    if is_ollama {
        body.insert("stream".to_owned(), Value::Bool(false));
        body.insert("options".to_owned(), Value::Object(settings));
    } else {
        body.extend(settings);
    }
    Value::Object(body).to_string().into_bytes()
}

/// Reads an answer; an error says what is wrong with it.
pub(super) fn reply(provider: Provider, bytes: &[u8]) -> Result<ModelReply, String> {
    let value: Value = serde_json::from_slice(bytes).map_err(|_| {
        let start: String = String::from_utf8_lossy(bytes).chars().take(60).collect();
        format!("it is not JSON: {start}")
    })?;
    let word = |value: &Value| value.as_str().map(str::to_owned);
    let (text, finish, counts) = match provider {
        Provider::Github | Provider::Openai => {
            let choice = &value["choices"][0];
            let message = choice["message"].as_object().ok_or("it has no `choices[0].message`")?;
            let content = message.get("content").unwrap_or(&Value::Null);
            let refused = message.get("refusal").is_some_and(Value::is_string);
            let finish =
                if refused { Some("refusal".to_owned()) } else { word(&choice["finish_reason"]) };
            (text(content)?, finish, ("prompt_tokens", "completion_tokens"))
        }
        Provider::Anthropic => {
            if !value["content"].is_array() {
                return Err("it has no `content`".to_owned());
            }
            (
                text(&value["content"])?,
                word(&value["stop_reason"]),
                ("input_tokens", "output_tokens"),
            )
        }
        Provider::Ollama => {
            let message = value["message"].as_object().ok_or("it has no `message`")?;
            let content = message.get("content").unwrap_or(&Value::Null);
            (text(content)?, word(&value["done_reason"]), ("prompt_eval_count", "eval_count"))
        }
    };
    let usage = match provider {
        Provider::Ollama => {
            let counts = value.as_object().into_iter().flatten();
            Value::Object(
                counts.filter(|(_, it)| it.is_u64()).map(|(k, v)| (k.clone(), v.clone())).collect(),
            )
        }
        _ => value["usage"].clone(),
    };
    let count = |key: &str| usage[key].as_u64().filter(|count| *count < 1 << 40);
    let tokens = count(counts.0).zip(count(counts.1));
    Ok(ModelReply { text, model: word(&value["model"]), finish, tokens, usage: bounded(usage) })
}

/// A string, null, or a list of parts of which those of type `text` count.
fn text(content: &Value) -> Result<String, String> {
    match content {
        Value::Null => Ok(String::new()),
        Value::String(text) => Ok(text.clone()),
        Value::Array(parts) => {
            let texts = parts.iter().filter(|part| part["type"] == "text");
            Ok(texts.filter_map(|part| part["text"].as_str()).collect())
        }
        _ => Err("its content is not a text".to_owned()),
    }
}

/// Usage objects are small; anything else is not kept.
fn bounded(usage: Value) -> Value {
    if usage.is_object() && usage.to_string().len() <= 4096 { usage } else { Value::Null }
}

/// Whether an error says that the provider's filter stopped the question.
pub(super) fn is_filtered(bytes: &[u8]) -> bool {
    let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
    value["error"]["code"] == "content_filter"
}

/// The names in a list of models.
pub(super) fn names(bytes: &[u8]) -> Vec<String> {
    let value: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let lists = [&value, &value["data"], &value["models"]];
    let models = lists.into_iter().filter_map(Value::as_array).flatten();
    models.filter_map(|it| it["id"].as_str().or(it["name"].as_str()).map(str::to_owned)).collect()
}

/// Reads `bytes` as the answer of every provider. Nothing is kept: it must not panic.
#[cfg(not(sealed))]
pub fn try_replies(bytes: &[u8]) {
    for provider in [Provider::Github, Provider::Openai, Provider::Anthropic, Provider::Ollama] {
        let _ = reply(provider, bytes);
    }
    let _ = (is_filtered(bytes), names(bytes));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_its_own_body() {
        let sampling = Sampling {
            max_tokens: Some(9),
            temperature: Some(0.5),
            seed: Some(1),
            ..Sampling::default()
        };
        let question = Question { system: Some("s"), user: "u", sampling: &sampling };
        let of = |provider| String::from_utf8(body(provider, "m", &question)).expect("text");
        let chat = r#"{"max_tokens":9,"messages":[{"content":"s","role":"system"},{"content":"u","role":"user"}],"model":"m","seed":1,"temperature":0.5}"#;
        assert_eq!(of(Provider::Openai), chat);
        assert_eq!(of(Provider::Github), chat);
        assert_eq!(
            of(Provider::Anthropic),
            r#"{"max_tokens":9,"messages":[{"content":"u","role":"user"}],"model":"m","system":"s","temperature":0.5}"#
        );
        assert_eq!(
            of(Provider::Ollama),
            r#"{"messages":[{"content":"s","role":"system"},{"content":"u","role":"user"}],"model":"m","options":{"num_predict":9,"seed":1,"temperature":0.5},"stream":false}"#
        );
    }

    #[test]
    fn answers_are_read_as_they_are_and_anything_else_is_named() {
        let chat = r#"{"choices":[{"message":{"content":null},"finish_reason":"stop"},{"message":{"content":"b"}}],"model":"m-1","usage":{"prompt_tokens":3,"completion_tokens":4,"details":{"x":1}}}"#;
        let read = reply(Provider::Openai, chat.as_bytes()).expect("an answer");
        assert_eq!((read.text.as_str(), read.tokens), ("", Some((3, 4))));
        assert_eq!(read.usage["details"]["x"], 1);
        let messages = r#"{"content":[{"type":"thinking","thinking":"t"},{"type":"text","text":"a"},{"type":"text","text":"b"}],"stop_reason":"max_tokens","usage":{"input_tokens":1,"output_tokens":2}}"#;
        let read = reply(Provider::Anthropic, messages.as_bytes()).expect("an answer");
        assert_eq!((read.text.as_str(), read.finish.as_deref()), ("ab", Some("max_tokens")));
        let ollama = r#"{"message":{"content":"x"},"done_reason":"length","prompt_eval_count":5,"eval_count":6,"done":true}"#;
        let read = reply(Provider::Ollama, ollama.as_bytes()).expect("an answer");
        assert_eq!(
            (read.tokens, read.usage),
            (Some((5, 6)), json!({"prompt_eval_count": 5, "eval_count": 6}))
        );
        for (provider, bad) in [
            (Provider::Openai, "<html>"),
            (Provider::Openai, "{}"),
            (Provider::Openai, r#"{"choices":[]}"#),
            (Provider::Openai, r#"{"choices":[{"message":{"content":7}}]}"#),
            (Provider::Anthropic, r#"{"content":"a"}"#),
            (Provider::Ollama, r#"{"message":"a"}"#),
        ] {
            assert!(reply(provider, bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
