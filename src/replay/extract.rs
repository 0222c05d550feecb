//! The script inside what a chat model wrote around it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::json;

/// completions.json with the script of each answer alone, how many answers that changed, and how
/// many there are. Bytes that are not such a file are returned as they are.
pub fn extract_all(completions: &[u8]) -> (Vec<u8>, usize, usize) {
    let Ok(mut answers) = serde_json::from_slice::<BTreeMap<String, Value>>(completions) else {
        return (completions.to_vec(), 0, 0);
    };
    let mut changed = 0;
    for answer in answers.values_mut() {
        let Some(text) = answer["text"].as_str() else { continue };
        let script = extract(text);
        if script != text {
            changed += 1;
            answer["text"] = Value::from(script);
        }
    }
    (json::pretty(&answers), changed, answers.len())
}

/// The body of the fenced block tagged `script` or `gmat`, else of the first block, trimmed; the
/// text as it is if there is no block.
pub fn extract(text: &str) -> &str {
    let blocks = blocks(text);
    let tagged = blocks
        .iter()
        .find(|(tag, _)| matches!(trim(tag).to_lowercase().as_str(), "script" | "gmat"));
    match tagged.or(blocks.first()) {
        Some((_, body)) => trim(body),
        None => text,
    }
}

/// All `(tag, body)` of fences ```` ```TAG⏎BODY[⏎]``` ````, leftmost and shortest first.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    const FENCE: &str = "```";
    let mut blocks = Vec::new();
    let mut from = 0;
    while let Some(found) = text[from..].find(FENCE) {
        let tag_start = from + found + FENCE.len();
        let rest = &text[tag_start..];
        let tag_length = rest.find(['\n', '`']).filter(|end| rest[*end..].starts_with('\n'));
        let closed = tag_length.and_then(|length| {
            let body_start = tag_start + length + 1;
            text[body_start..].find(FENCE).map(|end| (length, body_start, body_start + end))
        });
        match closed {
            Some((length, body_start, body_end)) => {
                let body = &text[body_start..body_end];
                blocks.push((&rest[..length], body.strip_suffix('\n').unwrap_or(body)));
                from = body_end + FENCE.len();
            }
            // The fence may start one backtick later: ```` is three and one.
            None => from += found + 1,
        }
    }
    blocks
}

/// Trims what Python's `str.strip` trims: Unicode white space and the four separators 1C to 1F.
fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_taken_out_of_its_fence() {
        for (text, script) in [
            ("Create Spacecraft S", "Create Spacecraft S"),
            ("  as it is \n", "  as it is \n"),
            ("Here:\n```\nStop\n```\n", "Stop"),
            ("```python\nno\n```\nand\n``` GMAT \nStop\n\n```", "Stop"),
            ("```a\none```\n```b\ntwo```", "one"),
            ("```script\nStop", "```script\nStop"),
            ("````\nStop\n```", "Stop"),
            ("```x`\n```\nStop\n```", "Stop"),
            ("```\n```", ""),
        ] {
            assert_eq!(extract(text), script, "{text:?}");
        }
    }
}
