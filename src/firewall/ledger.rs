//! Extracts the texts of a ledger so that they can be searched for held-out prompts.
//!
//! Most of a ledger is numbers and names that repeat: each text is given once, on the line where
//! it is first, so that a place found here is a place in the file.

use std::collections::HashSet;

use crate::json::{self, Node, Value};

/// Every text of `history`, unescaped, once; as many lines as the ledger has.
pub fn unescaped_ledger(history: &str) -> String {
    let mut seen = HashSet::new();
    let mut out = String::new();
    for line in history.lines() {
        match json::parse(line.as_bytes()) {
            Ok(document) => collect(&document.root, &mut |text| {
                if !seen.contains(text) {
                    seen.insert(text.to_owned());
                    out.extend(
                        text.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }),
                    );
                    out.push(' ');
                }
            }),
            // Not a line of this program: looked at as it is.
            Err(_) => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

fn collect(node: &Node<'_>, tell: &mut impl FnMut(&str)) {
    match &node.value {
        Value::String(text) => tell(text),
        Value::Array(items) => items.iter().for_each(|item| collect(item, tell)),
        Value::Object(object) => {
            for (key, value) in object.iter() {
                tell(key);
                collect(value, tell);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_stands_once_on_its_first_line_and_escapes_are_undone() {
        let history = "{\"a\":\"x\",\"n\":1}\n{\"a\":\"x\",\"b\":[\"\\u0079\\nz\"]}\nno json\n";
        assert_eq!(unescaped_ledger(history), "a x n \nb y z \nno json\n");
    }
}
