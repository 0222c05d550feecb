//! Puts one more item into a text that people wrote, and leaves every byte of theirs as it is.
//!
//! The new item takes on the indentation and the line ends of its neighbours.
//! Parsing and printing again would be simpler and would reformat the whole file.

/// `text`, which is JSON, with `item` at the end of the array or object whose bracket opens at
/// `at`. `item` is asked for its own text with an indentation unit, or on one line for `None`.
pub fn append(text: &str, at: usize, item: impl Fn(Option<&str>) -> String) -> String {
    let inner = &text[at + 1..closing(text, at)];
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let spread = |prefix: &str| {
        let lines = item(Some(&unit(text))).replace('\n', &format!("{newline}{prefix}"));
        format!("{newline}{prefix}{lines}")
    };
    let content = inner.trim_end_matches(is_blank).len();
    let gap = &inner[..inner.len() - inner.trim_start_matches(is_blank).len()];
    let addition = if content == 0 {
        // An empty container shows no style of its own; the line it is on does.
        let line = &text[text[..at].rfind('\n').map_or(0, |newline| newline + 1)..at];
        let outer = &line[..line.len() - line.trim_start_matches(is_blank).len()];
        match (text.trim_matches(is_blank).contains('\n'), gap.contains('\n')) {
            (false, _) => item(None),
            (true, true) => spread(&format!("{outer}{}", unit(text))),
            (true, false) => {
                spread(&format!("{outer}{}", unit(text))) + &format!("{newline}{outer}")
            }
        }
    } else {
        match gap.rfind('\n') {
            Some(last) => format!(",{}", spread(&gap[last + 1..])),
            None => format!(", {}", item(None)),
        }
    };
    let (before, after) = text.split_at(at + 1 + content);
    format!("{before}{addition}{after}")
}

/// `text`, which is JSON, with the value that starts at `at` replaced by `value`.
pub fn replace(text: &str, at: usize, value: &str) -> String {
    let rest = &text[at..];
    let length = match rest.as_bytes().first() {
        Some(b'{' | b'[') => closing(text, at) + 1 - at,
        Some(b'"') => {
            let mut escaped = false;
            let end = rest[1..].find(|character| {
                let ends = character == '"' && !escaped;
                escaped = character == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        }
        _ => rest.find(|c| is_blank(c) || ",]}".contains(c)).unwrap_or(rest.len()),
    };
    format!("{}{value}{}", &text[..at], &rest[length..])
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// The indentation of the first indented line that holds anything.
fn unit(text: &str) -> String {
    let indentation =
        |line: &str| -> String { line.chars().take_while(|c| *c == ' ' || *c == '\t').collect() };
    text.lines()
        .filter(|line| !line.trim_matches(is_blank).is_empty())
        .map(indentation)
        .find(|blanks| !blanks.is_empty())
        .unwrap_or_else(|| "  ".to_owned())
}

/// Where the bracket that opens at `at` closes; the end of the text if nothing closes it.
fn closing(text: &str, at: usize) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for (offset, byte) in text.bytes().enumerate().skip(at) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth == 1 => return offset,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(unit: Option<&str>) -> String {
        unit.map_or("{\"n\":1}".to_owned(), |unit| format!("{{\n{unit}\"n\": 1\n}}"))
    }

    #[test]
    fn an_item_takes_on_the_style_of_its_neighbours() {
        for (text, wanted) in [
            ("[]", "[{\"n\":1}]"),
            ("[ ]\n", "[{\"n\":1} ]\n"),
            ("[3, \"]\\\"\"]", "[3, \"]\\\"\", {\"n\":1}]"),
            ("[\n  3\n]\n", "[\n  3,\n  {\n    \"n\": 1\n  }\n]\n"),
            ("[\n\n\t{}\n\n]", "[\n\n\t{},\n\t{\n\t\t\"n\": 1\n\t}\n\n]"),
            ("[\r\n    3\r\n]", "[\r\n    3,\r\n    {\r\n        \"n\": 1\r\n    }\r\n]"),
            ("[\n]", "[\n  {\n    \"n\": 1\n  }\n]"),
        ] {
            assert_eq!(append(text, 0, item), wanted, "{text:?}");
        }
        for (text, at, wanted) in [
            (r#"{"a": "x\\\"}", "b": 1}"#, 6, r#"{"a": 7, "b": 1}"#),
            (r#"{"a": {"b": "}"}, "c": 1}"#, 6, r#"{"a": 7, "c": 1}"#),
            ("[12 , 3]", 1, "[7 , 3]"),
            ("[true]", 1, "[7]"),
        ] {
            assert_eq!(replace(text, at, "7"), wanted, "{text}");
        }
        let nested = "{\n   \"a\": [],\n   \"b\": 2\n}";
        assert_eq!(
            append(nested, 10, item),
            "{\n   \"a\": [\n      {\n         \"n\": 1\n      }\n   ],\n   \"b\": 2\n}"
        );
    }
}
