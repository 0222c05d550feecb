//! `lint --jsonl`: one verdict for each line of standard input.

use crate::domain::{Exit, Failure};
use crate::fs::{SCRIPT_LIMIT, StdinLines};
use crate::gmat::{Memory, Script};
use crate::json;
use crate::ui::{Ui, verdict};

/// Answers are sent when they take this many bytes, or no further line has arrived.
const SEND_AT: usize = 64 << 10;

/// Answers each line of standard input with one line, as the lines arrive.
pub(super) fn run(ui: Ui) -> Result<Exit, Failure> {
    let mut input = StdinLines::new(2 * SCRIPT_LIMIT);
    let (mut line, mut out) = (Vec::new(), Vec::new());
    let mut memory = Memory::default();
    while input.next_into(&mut line)? {
        answer(&line, &mut memory, &mut out);
        if !input.has_next() || out.len() >= SEND_AT {
            if !ui.stream(&out)? {
                break;
            }
            out.clear();
        }
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
