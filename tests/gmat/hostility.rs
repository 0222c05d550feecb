//! Input that was made to hurt: nesting, length, repetition. All of it is answered, in linear time.

use std::time::{Duration, Instant};

use gmat_leaderboard::gmat::Script;

/// Far more than any of these takes, far less than time that grows with the square would.
const PATIENCE: Duration = Duration::from_secs(30);

fn answers_soon(what: &str, text: &str) {
    let start = Instant::now();
    let script = Script::parse(text);
    let answer = (script.blocking_rules(), script.fields().len(), script.commands().len());
    let diagnostics = script.diagnostics().len();
    let took = start.elapsed();
    assert!(
        took < PATIENCE,
        "{what}: {took:?} for {} bytes: {answer:?}, {diagnostics}",
        text.len()
    );
}

#[test]
fn a_million_nested_brackets_do_not_overflow_the_stack() {
    const DEEP: usize = 1_000_000;
    for (open, close) in
        [("(", ")"), ("{", "}"), ("f(", ")"), ("-(", ")"), ("{f(", ")}"), ("[-f(", ")]")]
    {
        let text = format!("x = {}1{}", open.repeat(DEEP), close.repeat(DEEP));
        assert!(!Script::parse(&text).has_syntax_error(), "{open}");
        let text = format!("x = {}", open.repeat(DEEP));
        assert!(Script::parse(&text).has_syntax_error(), "{open}");
    }
    for piece in ["[", "-", "a.", "1+", "x(1)", "a ", "'l' ", "..."] {
        answers_soon(piece, &format!("x = {}", piece.repeat(DEEP / 4)));
        answers_soon(piece, &piece.repeat(DEEP / 4));
    }
}

#[test]
fn a_hundred_thousand_nested_blocks_do_not_overflow_the_stack() {
    const DEEP: usize = 100_000;
    let text =
        format!("BeginMissionSequence\n{}F\n{}", "If a\n".repeat(DEEP), "EndIf\n".repeat(DEEP));
    assert_eq!(Script::parse(&text).commands(), ["F", "If"]);
    assert!(Script::parse(&"If a\n".repeat(DEEP)).has_syntax_error());
    let text = format!("{}{}", "If a\nElse\n".repeat(DEEP), "EndIf\n".repeat(DEEP));
    assert!(!Script::parse(&text).has_syntax_error());
    assert!(!Script::parse(&"EndIf\n".repeat(DEEP)).has_syntax_error());
}

#[test]
fn shapes_that_invite_reading_twice_are_read_in_linear_time() {
    const MANY: usize = 200_000;
    let repeat = |piece: &str| piece.repeat(MANY);
    for (what, text) in [
        ("empty strings as arguments", format!("f({}(", repeat("'',"))),
        ("arguments that look raw", format!("f({}(", repeat("a b,"))),
        ("quotes in a value", format!("x = {}", repeat("'a ' "))),
        ("one quote after the other", format!("x = {}", repeat("'"))),
        ("calls in calls of words", format!("x = {}", repeat("a b(c, "))),
        ("continuations", repeat(" ...\n")),
        ("almost continuations", format!("x = a{}", repeat("... "))),
        ("dots", repeat(".")),
        ("blanks", repeat(" \t\r\n\u{B}")),
        ("blanks after a word", format!("Stop{}", repeat(" "))),
        ("semicolons", format!("Stop{}", repeat(";"))),
        ("comments", repeat("% a\n")),
        ("comment starts", repeat("%")),
        ("continued comments", format!("x = {{{}}}", repeat("...\n% c\n"))),
        ("one long name", repeat("a")),
        ("one long number", format!("x = {}", repeat("5"))),
        ("one long string", format!("x = '{}", repeat("a"))),
        ("a block that never ends", format!("BeginScript\n{}", repeat("EndScriptx\n"))),
        ("indented lines of a block", format!("BeginScript\n{}EndScript", repeat("  \n"))),
        ("statements on one line", repeat("x = 1;")),
        ("characters of four bytes", format!("% {}\n\u{1F680}", repeat("\u{1F680}"))),
    ] {
        answers_soon(what, &text);
    }
}

#[test]
fn many_names_findings_and_directives_are_handled_in_linear_time() {
    const MANY: usize = 50_000;
    let numbered = |piece: &str| -> String {
        (0..MANY).map(|number| piece.replace('#', &number.to_string())).collect()
    };
    let repeat = |piece: &str| piece.repeat(MANY);
    let head = "Create Spacecraft S\n";
    for (what, text) in [
        ("declarations", numbered("Create Array A#\n")),
        ("one name again and again", repeat("Create Array A\n")),
        ("every name twice", numbered("Create Array A#\n").repeat(2)),
        ("unknown types", numbered("Create Widget# W#\n")),
        ("unknown fields", format!("{head}{}", numbered("S.Bogus# = 1\n"))),
        ("unknown fields on one line", format!("{head}{}", numbered("S.Bogus# = 1;"))),
        ("fields of many resources", numbered("Create Array A#\nA#.X = 1\n")),
        ("undeclared names", format!("{head}S.Tanks = {{{}}}", numbered("T# "))),
        (
            "declared and near",
            format!("{head}{}{}", numbered("Create ChemicalTank T#\n"), numbered("S.Tanks = U#\n")),
        ),
        (
            "silenced lines",
            format!("{head}{}", repeat("S.Bogus = 1 % gmat-script: disable-line=unknown-field\n")),
        ),
        ("directives in one line", format!("{head}S.Bogus = 1 %{}", repeat(" gmat-script: "))),
        (
            "directives to the end",
            format!("{head}S.Bogus = 1\n{}", repeat("% gmat-script: disable=bogus\n")),
        ),
        (
            "a list of rules",
            format!("{head}S.Bogus = 1 % gmat-script: disable={}", repeat("bogus,")),
        ),
        (
            "blanks before a directive",
            format!("{head}S.Bogus = 1 %{}gmat-script: disable", repeat("\u{2003}")),
        ),
        ("commands", format!("BeginMissionSequence\n{}", numbered("Do# it\n"))),
        (
            "uses",
            format!(
                "{}BeginMissionSequence\n{}",
                numbered("Create Array A#\n"),
                numbered("F(A#).x\n")
            ),
        ),
        (
            "words of a block",
            format!("{}BeginScript\n{}\nEndScript", numbered("Create Array A#\n"), numbered("A# ")),
        ),
    ] {
        answers_soon(what, &text);
    }
}

#[test]
fn a_long_ordinary_script_is_read_in_linear_time() {
    let body = "Sat.SMA = 7000;\nSat.CoordinateSystem = EarthMJ2000Eq; % frame\nGMAT Sat.DateFormat = 'UTCGregorian'\n";
    let text = format!("Create Spacecraft Sat\n{}", body.repeat((20 << 20) / body.len()));
    let start = Instant::now();
    let script = Script::parse(&text);
    assert!(script.blocking_rules().is_empty());
    assert!(start.elapsed() < PATIENCE, "{:?} for {} bytes", start.elapsed(), text.len());
}
