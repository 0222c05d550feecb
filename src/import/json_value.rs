//! Values of foreign JSON: looked up by path, and written again as they were.

use crate::json::{Node, Value};
use crate::table::Better;

/// The value at a path of keys.
pub(super) fn member<'n, 'a>(node: &'n Node<'a>, path: &[&str]) -> Option<&'n Node<'a>> {
    path.iter().try_fold(node, |node, key| node.object().ok()?.get(key))
}

/// Whether a foreign name may be shown and stored: not empty, not huge, no control characters.
pub(super) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 300 && !name.chars().any(char::is_control)
}

/// The text at a path of keys, if it may be shown and stored.
pub(super) fn plain_text<'n>(node: &'n Node<'_>, path: &[&str]) -> Option<&'n str> {
    member(node, path)?.as_str().filter(|text| is_plain_name(text))
}

/// The direction that a value of `higher_is_better` says.
pub(super) fn better(higher: Option<&Node<'_>>) -> Option<Better> {
    match higher?.value {
        Value::Bool(true) => Some(Better::Higher),
        Value::Bool(false) => Some(Better::Lower),
        _ => None,
    }
}

/// The value as JSON without spaces, its numbers as written.
pub(super) fn compact(node: &Node<'_>) -> String {
    let quote = |text: &str| serde_json::to_string(text).unwrap_or_default();
    match &node.value {
        Value::Bool(value) => value.to_string(),
        Value::Number(number) if number.as_f64().is_finite() => number.as_str().to_owned(),
        Value::Null | Value::Number(_) => "null".to_owned(),
        Value::String(text) => quote(text),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(compact).collect::<Vec<_>>().join(","))
        }
        Value::Object(object) => {
            let member = |(key, node): (_, _)| format!("{}:{}", quote(key), compact(node));
            let members: Vec<String> =
                object.iter().map(|(key, node)| member((key.as_ref(), node))).collect();
            format!("{{{}}}", members.join(","))
        }
    }
}
