//! Every difference between a published value and the rebuilt one, by path.

use crate::board::schema::join;
use crate::json::{Node, Value};

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// Path below the compared value, such as `public.by_tier.easy`.
    pub(super) path: String,
    /// What is published.
    pub(super) published: String,
    /// What was rebuilt.
    pub(super) rebuilt: String,
}

/// Shown for a value that one side does not have.
pub(super) const ABSENT: &str = "nothing";
/// A longer string is counted, not quoted: it may be what must not be shown.
const QUOTABLE: usize = 72;

/// Compares values, not spellings: `0.5` and `0.50` are the same, `51` and `51.0` are not.
pub(super) fn differences(published: &Node<'_>, rebuilt: &Node<'_>) -> Vec<Difference> {
    let mut found = Vec::new();
    compare(published, rebuilt, "", &mut found);
    found
}

fn compare(published: &Node<'_>, rebuilt: &Node<'_>, path: &str, found: &mut Vec<Difference>) {
    match (&published.value, &rebuilt.value) {
        (Value::Object(ours), Value::Object(theirs)) => {
            let below =
                |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            for (key, value) in theirs.iter() {
                match ours.get(key) {
                    Some(other) => compare(other, value, &below(key), found),
                    None => found.push(difference(&below(key), None, Some(value))),
                }
            }
            for (key, value) in ours.iter().filter(|(key, _)| theirs.get(key).is_none()) {
                found.push(difference(&join(path, key), Some(value), None));
            }
        }
        (Value::Number(a), Value::Number(b)) => {
            let same =
                a.is_integer() == b.is_integer() && a.as_f64().to_bits() == b.as_f64().to_bits();
            if !same {
                found.push(difference(path, Some(published), Some(rebuilt)));
            }
        }
        (a, b) if a == b => {}
        _ => found.push(difference(path, Some(published), Some(rebuilt))),
    }
}

fn difference(path: &str, published: Option<&Node<'_>>, rebuilt: Option<&Node<'_>>) -> Difference {
    let shown = |node: Option<&Node<'_>>| node.map_or_else(|| ABSENT.to_owned(), show);
    Difference { path: path.to_owned(), published: shown(published), rebuilt: shown(rebuilt) }
}

/// A value in few words.
pub(super) fn show(node: &Node<'_>) -> String {
    match &node.value {
        Value::Number(number) if number.as_str().len() > QUOTABLE => {
            format!("a number of {} digits", number.as_str().len())
        }
        Value::Number(number) => number.as_str().to_owned(),
        Value::String(text) if text.chars().count() > QUOTABLE => {
            format!("a string of {} characters", text.chars().count())
        }
        Value::Array(items) => format!("an array of {}", items.len()),
        Value::Object(object) => format!("an object of {} keys", object.len()),
        Value::String(text) => serde_json::to_string(text).unwrap_or_default(),
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
    }
}
