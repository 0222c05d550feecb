//! Any text in, an answer out; and the answers fit together.

use gmat_leaderboard::gmat::{Rule, Script};
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

/// Pieces that mean something to the grammar, so that random texts reach its corners.
const PIECES: &[&str] = &[
    "Create",
    "Spacecraft",
    "Sat",
    "Sat.SMA",
    "Sat.Tanks",
    "Sat.Bogus",
    "GMAT",
    "If",
    "Else",
    "EndIf",
    "For",
    "EndFor",
    "While",
    "EndWhile",
    "Target",
    "EndTarget",
    "BeginMissionSequence",
    "BeginScript",
    "EndScript",
    "function",
    "#Include",
    "Propagate",
    "true",
    "=",
    "==",
    "~=",
    "+",
    "-",
    "*",
    "/",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    ".",
    "...",
    "...\n",
    "\n",
    "\r\n",
    "\r",
    " ",
    "\t",
    "\u{B}",
    "% c\n",
    "%",
    "% gmat-script: disable-line=unknown-field\n",
    "'a'",
    "''",
    "'",
    "5",
    ".5",
    "1e5",
    "é",
    "\u{FEFF}",
    "\0",
    "\u{A0}",
    "\\",
];

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec((prop::sample::select(PIECES), prop::bool::weighted(0.7)), 0..40)
        .prop_map(|parts| {
            parts.iter().fold(String::new(), |mut text, (piece, spaced)| {
                text.push_str(piece);
                if *spaced {
                    text.push(' ');
                }
                text
            })
        })
}

/// Everything that holds for every text.
fn holds(text: &str) {
    let script = Script::parse(text);
    let diagnostics = script.diagnostics();
    let blocking: Vec<_> = Rule::ALL
        .into_iter()
        .filter(|rule| rule.is_blocking() && diagnostics.iter().any(|d| d.rule == *rule))
        .map(Rule::name)
        .collect();
    if script.has_syntax_error() {
        // `diagnostics` goes on after the error; the score does not.
        assert_eq!(script.blocking_rules(), ["syntax-error"]);
        assert!(blocking.contains(&"syntax-error"));
    } else {
        assert_eq!(blocking, script.blocking_rules());
    }
    assert!(diagnostics.is_sorted_by_key(|d| (d.position, d.rule)));
    let lines = text.split('\n').count();
    for diagnostic in &diagnostics {
        assert!((1..=lines).contains(&diagnostic.position.line));
        assert!(diagnostic.position.column >= 1 && diagnostic.width >= 1);
        assert!(!diagnostic.message.is_empty());
    }
    if script.has_syntax_error() {
        assert!(script.types().is_empty() && script.fields().is_empty());
        assert!(script.commands().is_empty());
    }
    let types = script.types();
    assert!(types.is_sorted() && types.iter().all(|kind| script.has_type(kind)));
    let fields = script.fields();
    assert_eq!(fields.iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), types);
    for (kind, paths) in &fields {
        assert!(paths.is_sorted() && paths.iter().all(|path| script.has_field(kind, path)));
    }
    let commands = script.commands();
    assert!(commands.is_sorted() && commands.iter().all(|word| script.has_command(word)));
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_text_gets_an_answer(text in any::<String>()) {
        holds(&text);
    }

    #[test]
    fn any_bytes_made_text_get_an_answer(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        holds(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_row_of_pieces_gets_an_answer(text in pieces()) {
        holds(&text);
    }

    #[test]
    fn blank_lines_and_comments_before_a_script_change_no_verdict(text in pieces()) {
        let plain = Script::parse(&text);
        let text = format!("\n% c\n\n{}", text.strip_prefix('\u{FEFF}').unwrap_or(&text));
        let moved = Script::parse(&text);
        prop_assert_eq!(plain.blocking_rules(), moved.blocking_rules());
        prop_assert_eq!(plain.commands(), moved.commands());
        prop_assert_eq!(plain.fields(), moved.fields());
    }

    #[test]
    fn carriage_returns_before_line_ends_change_no_verdict_of_ordinary_scripts(
        statements in prop::collection::vec(
            prop::sample::select(vec!["Create Spacecraft Sat", "Sat.SMA = 1", "If a", "EndIf", "F a % c", "x = {1,"]),
            0..12,
        )
    ) {
        let unix = statements.join("\n");
        let dos = statements.join("\r\n");
        let (unix, dos) = (Script::parse(&unix), Script::parse(&dos));
        prop_assert_eq!(unix.blocking_rules(), dos.blocking_rules());
        prop_assert_eq!(unix.commands(), dos.commands());
    }
}
