//! A short run of the fuzz targets: every reader gets committed files, whole and mutated.

use std::path::Path;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

#[path = "../fuzz/readers.rs"]
mod readers;

/// Files of the repository that a reader may start from.
fn seeds(ends: &[&str]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for dir in ["fuzz/seeds", "tests/data", "examples", "leaderboard", "seeds.json"] {
        for entry in walkdir::WalkDir::new(root.join(dir)).sort_by_file_name() {
            let path = entry.expect("walked").into_path();
            let is_small = path.metadata().is_ok_and(|it| it.is_file() && it.len() < 20_000);
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if !is_small || !ends.iter().any(|end| name.ends_with(end)) {
                continue;
            }
            let mut bytes = std::fs::read(&path).expect("readable");
            // A bundle is three files with a zero byte between them.
            for other in
                ["completions.json", "judge.json"].iter().filter(|_| ends == ["prompts.json"])
            {
                bytes.push(0);
                bytes.extend(std::fs::read(path.with_file_name(other)).unwrap_or_default());
            }
            files.push(bytes);
        }
    }
    files
}

/// Up to four edits: a byte changed, a part removed, repeated or exchanged for a troublesome text.
fn mutated(mut bytes: Vec<u8>, edits: &[(u16, u16, u8)]) -> Vec<u8> {
    const TEXTS: [&[u8]; 12] = [
        b"\"",
        b"{",
        b"[[[[",
        b"}",
        b"\\u0000",
        b"1e999",
        b"-0",
        b"\xff\xfe",
        b"\n",
        b"NaN",
        b"null",
        b"99999999999999999999",
    ];
    for (at, length, kind) in edits {
        let at = usize::from(*at) % (bytes.len() + 1);
        let end = (at + usize::from(*length) % 64).min(bytes.len());
        let part = bytes[at..end].to_vec();
        match kind % 4 {
            0 if at < bytes.len() => bytes[at] = *kind,
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..at, part.repeat(3))),
            _ => {
                let text = TEXTS[usize::from(*kind) % TEXTS.len()];
                drop(bytes.splice(at..end, text.iter().copied()));
            }
        }
    }
    bytes
}

#[test]
fn no_reader_panics() {
    for (_, ends, read) in readers::READERS {
        let seeds = seeds(ends);
        let count = seeds.len();
        for bytes in &seeds {
            read(bytes);
        }
        let mut random = TestRunner::deterministic();
        let edits = prop::collection::vec(any::<(u16, u16, u8)>(), 1..5);
        for round in 0..200 {
            let edits = edits.new_tree(&mut random).expect("edits").current();
            let seed = if count == 0 { Vec::new() } else { seeds[round % count].clone() };
            read(&mutated(seed, &edits));
        }
    }
}
