//! `lint --jsonl`: one verdict for each line of standard input.

use crate::domain::{Exit, Failure};
use crate::fs::{Arriving, SCRIPT_LIMIT};
use crate::gmat::{Memory, Script};
use crate::json;
use crate::ui::{Ui, verdict};

/// Answers each line of standard input with one line, as the lines arrive.
pub(super) fn run(ui: Ui) -> Result<Exit, Failure> {
    let mut input = Arriving::new(2 * SCRIPT_LIMIT);
    let mut out = Vec::new();
    let mut memory = Memory::default();
    while let Some(lines) = input.lines()? {
        let mut from = 0;
        for end in memchr::memchr_iter(b'\n', lines).chain([lines.len()]) {
            if from < lines.len() {
                answer(&lines[from..end], &mut memory, &mut out);
            }
            from = end + 1;
        }
        if !ui.stream(&out)? {
            break;
        }
        out.clear();
    }
    Ok(Exit::Yes)
}

fn answer(line: &[u8], memory: &mut Memory, out: &mut Vec<u8>) {
    let document = match json::parse(line) {
        Ok(document) => document,
        Err(_) if line.trim_ascii().is_empty() => return verdict::error("the line is empty", out),
        Err(error) => return verdict::error(&error.to_string(), out),
    };
    match document.root.required("script").and_then(|script| script.text()) {
        Ok(text) => {
            let script = Script::parse_in(text, std::mem::take(memory));
            verdict::verdict(&script, out);
            *memory = script.into_memory();
        }
        Err(mismatch) => verdict::error(&mismatch.to_string(), out),
    }
}
