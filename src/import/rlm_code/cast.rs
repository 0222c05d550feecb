//! Python's `int()`, `float()` and `bool()` over JSON values, because upstream applies them.

use crate::json::{Node, Value};
use crate::table::{FacetValue, parse_number};

/// Why a value was refused.
pub(super) type Refused = String;

fn refused(node: &Node<'_>, key: &str, wanted: &str) -> Refused {
    format!("`{key}` is {}, not {wanted}", node.kind())
}

/// `float(value)`; absent is `None`. Upstream refuses `null`; here it is absent unless `compat`.
pub(super) fn float(object: &Node<'_>, key: &str, compat: bool) -> Result<Option<f64>, Refused> {
    let Some(node) = object.object().ok().and_then(|object| object.get(key)) else {
        return Ok(None);
    };
    match &node.value {
        Value::Number(number) => Ok(Some(number.as_f64())),
        Value::Bool(value) => Ok(Some(f64::from(u8::from(*value)))),
        Value::String(text) => parse_number(text)
            .map(Some)
            .ok_or_else(|| format!("`{key}` is the text `{}`, not a number", cut(text))),
        Value::Null if !compat => Ok(None),
        _ => Err(refused(node, key, "a number")),
    }
}

/// `int(value)`: fractions are cut off, texts must be whole numbers.
pub(super) fn int(object: &Node<'_>, key: &str, compat: bool) -> Result<Option<f64>, Refused> {
    let Some(node) = object.object().ok().and_then(|object| object.get(key)) else {
        return Ok(None);
    };
    if let Value::String(text) = &node.value {
        let whole = parse_number(text).filter(|_| !text.contains(['.', 'e', 'E', 'n', 'N']));
        return whole
            .map(Some)
            .ok_or_else(|| format!("`{key}` is the text `{}`, not a whole number", cut(text)));
    }
    match float(object, key, compat)? {
        Some(number) if !number.is_finite() => Err(format!("`{key}` is not a finite number")),
        number => Ok(number.map(f64::trunc)),
    }
}

/// Whether Python calls the value true; under our own reading the texts `false`, `no` and `0` are
/// false as well.
pub(super) fn truth(node: &Node<'_>, compat: bool) -> bool {
    match &node.value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != 0.0,
        Value::String(text) if compat => !text.is_empty(),
        Value::String(text) => !matches!(text.as_ref(), "" | "false" | "False" | "no" | "0"),
        Value::Array(items) => !items.is_empty(),
        Value::Object(object) => !object.is_empty(),
    }
}

/// A text of `object`; numbers and lists count as absent.
pub(super) fn text<'n>(object: &'n Node<'_>, key: &str) -> FacetValue<'n> {
    match object.object().ok().and_then(|object| object.get(key)).map(|node| &node.value) {
        Some(Value::String(text)) => FacetValue::Text(text),
        Some(Value::Null) => FacetValue::Null,
        _ => FacetValue::Absent,
    }
}

/// When a run started; newer files call it `timestamp`, which upstream's leaderboard does not read.
pub(super) fn started_at<'n>(object: &'n Node<'_>, compat: bool) -> FacetValue<'n> {
    match text(object, "started_at") {
        FacetValue::Absent if !compat => text(object, "timestamp"),
        at => at,
    }
}

fn cut(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Seconds from `started_at` to `finished_at`; `None` if either is not a time or only one has a zone.
pub(super) fn seconds(object: &Node<'_>) -> Option<f64> {
    let at = |key| text(object, key).known().and_then(crate::table::Moment::parse);
    at("started_at")?.seconds_to(at("finished_at")?)
}

/// Tokens of one usage object.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tokens {
    pub(super) total: Option<f64>,
    pub(super) prompt: Option<f64>,
    pub(super) completion: Option<f64>,
}

impl Tokens {
    /// Reads a usage object. Without `total_tokens` the parts are added up, unless `compat`:
    /// upstream's own files hold only the parts.
    pub(super) fn read(usage: &Node<'_>, compat: bool) -> Result<Self, Refused> {
        let prompt = int(usage, "prompt_tokens", compat)?;
        let completion = int(usage, "completion_tokens", compat)?;
        let parts = match (prompt, completion) {
            (None, None) => None,
            (prompt, completion) => Some(prompt.unwrap_or(0.0) + completion.unwrap_or(0.0)),
        };
        let total = int(usage, "total_tokens", compat)?;
        Ok(Self { total: if compat { total } else { total.or(parts) }, prompt, completion })
    }

    pub(super) fn add(&mut self, other: Self) {
        for (sum, more) in [
            (&mut self.total, other.total),
            (&mut self.prompt, other.prompt),
            (&mut self.completion, other.completion),
        ] {
            if let Some(more) = more {
                *sum = Some(sum.unwrap_or(0.0) + more);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Limits, parse_with};

    fn with(json: &str, check: impl Fn(&Node<'_>)) {
        let limits = Limits { lenient_numbers: true, ..Limits::default() };
        check(&parse_with(json.as_bytes(), limits).expect("JSON").root);
    }

    #[test]
    fn numbers_are_cast_as_python_casts_them() {
        with(
            r#"{"a":"5","b":5.9,"c":null,"d":"5.5","e":true,"f":"high","g":[],"h":NaN}"#,
            |node| {
                assert_eq!(int(node, "a", true), Ok(Some(5.0)));
                assert_eq!(int(node, "b", true), Ok(Some(5.0)));
                assert_eq!(int(node, "e", true), Ok(Some(1.0)));
                assert_eq!(int(node, "z", true), Ok(None));
                assert_eq!(int(node, "c", false), Ok(None));
                for key in ["c", "d", "f", "g", "h"] {
                    assert!(int(node, key, true).is_err(), "{key}");
                }
                assert_eq!(float(node, "d", true), Ok(Some(5.5)));
                assert_eq!(
                    float(node, "f", true),
                    Err("`f` is the text `high`, not a number".to_owned())
                );
            },
        );
    }

    #[test]
    fn the_text_false_is_true_only_to_upstream() {
        with(r#"{"a":"false","b":[],"c":0,"d":"yes"}"#, |node| {
            let truth = |key: &str, compat| {
                node.object().ok().and_then(|o| o.get(key)).is_some_and(|n| truth(n, compat))
            };
            assert!(truth("a", true) && !truth("a", false));
            assert!(!truth("b", true) && !truth("c", true) && truth("d", false));
        });
    }
}
