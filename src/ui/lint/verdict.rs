//! The answer to one line of `lint --jsonl`, as one line of JSON.
//!
//! Written by hand because it is written half a million times; the keys and their order are fixed.

use crate::gmat::Script;

/// Appends the verdict on `script` to `out`, with a line end.
pub fn verdict(script: &Script<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"syntax_error\":");
    let broken = script.has_syntax_error();
    out.extend_from_slice(if broken { b"true" } else { b"false" });
    out.extend_from_slice(b",\"blocking_rules\":");
    list(script.blocking_rules(), out, name);
    let types = script.types();
    out.extend_from_slice(b",\"types\":");
    list(types.iter().copied(), out, name);
    out.extend_from_slice(b",\"fields\":{");
    let fields = script.set_fields(&types);
    let mut fields = fields.iter().peekable();
    for (number, kind) in (0..).zip(types) {
        if number > 0 {
            out.push(b',');
        }
        name(kind, out);
        out.push(b':');
        let own = std::iter::from_fn(|| fields.next_if(|&&(of, _)| of == number));
        list(own.map(|&(_, path)| path), out, name);
    }
    out.extend_from_slice(b"},\"commands\":");
    list(script.commands(), out, string);
    out.extend_from_slice(b"}\n");
}

/// Appends the answer to a line that holds no script.
pub fn error(message: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"error\":");
    string(message, out);
    out.extend_from_slice(b"}\n");
}

fn list<'a>(
    items: impl IntoIterator<Item = &'a str>,
    out: &mut Vec<u8>,
    write: fn(&str, &mut Vec<u8>),
) {
    out.push(b'[');
    for (number, item) in items.into_iter().enumerate() {
        if number > 0 {
            out.push(b',');
        }
        write(item, out);
    }
    out.push(b']');
}

/// A type, a path or a rule: letters, digits, `_`, `.` and `-`, which JSON takes as they are.
fn name(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

fn string(text: &str, out: &mut Vec<u8>) {
    let plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
    if text.bytes().all(plain) {
        return name(text, out);
    }
    // Writing to memory cannot fail, and a string can always be written.
    let _ = serde_json::to_writer(out, text);
}
