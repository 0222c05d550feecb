//! Patterns that make prose hard to read, counted: no part may have more of them than it has now.

use std::path::Path;

/// A pattern, and how often it may be in src, in docs with README and CONTRIBUTING, in templates, and
/// in tests. Lower a number when you remove one. What is left: plain uses
/// such as "stands for" and "The same input gives the same bytes", and names of test users (`nobody`).
const PATTERNS: [(&str, [usize; 4]); 10] = [
    ("newcomer gets wrong", [0, 0, 0, 0]),
    (" is no ", [3, 1, 0, 0]),
    (" are no ", [0, 0, 0, 0]),
    ("for ever", [0, 0, 0, 0]),
    ("told", [0, 0, 0, 0]),
    ("tells", [0, 0, 0, 2]),
    ("spelt", [0, 0, 0, 3]),
    ("stands", [8, 0, 0, 4]),
    ("nobody", [3, 0, 1, 21]),
    ("The same", [5, 10, 3, 7]),
];

/// How often `word` is in `text`, as words of their own.
fn count(text: &str, word: &str) -> usize {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let own = |at: usize| {
        let (before, after) = (&text[..at], &text[at + word.len()..]);
        if word.starts_with(' ') {
            // "There is no key" and "it is no longer served" are plain.
            !before.ends_with("here") && !after.starts_with("longer")
        } else {
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        }
    };
    text.match_indices(word).filter(|(at, _)| own(*at)).count()
}

fn texts(below: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = String::new();
    for entry in below.iter().flat_map(|below| walkdir::WalkDir::new(root.join(below))) {
        let entry = entry.expect("walked");
        let end = entry.path().extension().and_then(|end| end.to_str());
        let is_own = !entry.path().ends_with("voice.rs");
        if is_own && end.is_some_and(|end| ["md", "rs", "html", "yml"].contains(&end)) {
            all += &std::fs::read_to_string(entry.path()).expect("text");
        }
    }
    all
}

#[test]
fn prose_has_no_more_of_the_patterns_than_it_had() {
    let parts = [
        ("src", texts(&["src"])),
        ("docs", texts(&["docs", "README.md", "CONTRIBUTING.md"])),
        ("templates", texts(&["templates"])),
        ("tests", texts(&["tests"])),
    ];
    let mut wrong = Vec::new();
    for (pattern, most) in PATTERNS {
        for ((part, text), most) in parts.iter().zip(most) {
            let found = count(text, pattern);
            if found > most {
                wrong
                    .push(format!("{part} has {found} of {pattern:?}, at most {most} are allowed"));
            }
        }
    }
    assert!(wrong.is_empty(), "write it plainly (CONTRIBUTING.md):\n{}", wrong.join("\n"));
    assert_eq!(count("told untold told_x a told", "told"), 2);
}
