//! The vote in what a judge wrote.

use serde_json::Value;

/// Only so much of an answer is searched; votes are short.
const LONGEST: usize = 64 << 10;

/// The `satisfies_intent` of the JSON objects in the text, wherever they are; else a bare `true` or
/// `false`. `None` if there is neither, or if the text contradicts itself.
pub fn spoken_vote(text: &str) -> Option<bool> {
    let text = text.get(..LONGEST).unwrap_or(text);
    let mut votes = text.match_indices('{').filter_map(|(at, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[at..]).into_iter::<Value>();
        values.next()?.ok()?.get("satisfies_intent")?.as_bool()
    });
    if let Some(first) = votes.next() {
        return votes.all(|vote| vote == first).then_some(first);
    }
    let is_word = |word: &str| {
        let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|other| other.eq_ignore_ascii_case(word))
    };
    match (is_word("true"), is_word("false")) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vote_is_read_from_json_or_from_one_bare_word() {
        for (text, vote) in [
            (r#"{"satisfies_intent": true}"#, Some(true)),
            (
                "Well:\n```json\n{\"reason\": \"no {x}\", \"satisfies_intent\": false}\n```",
                Some(false),
            ),
            (r#"{"a": {"satisfies_intent": true}}"#, Some(true)),
            (r#"{"satisfies_intent": true} or {"satisfies_intent": false}"#, None),
            (r#"It is not true. {"satisfies_intent": false}"#, Some(false)),
            ("True.", Some(true)),
            ("**FALSE**", Some(false)),
            ("true or false?", None),
            (r#"{"satisfies_intent": "yes"}"#, None),
            ("untrue", None),
            ("", None),
        ] {
            assert_eq!(spoken_vote(text), vote, "{text}");
        }
    }
}
