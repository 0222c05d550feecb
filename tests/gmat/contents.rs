//! What a clean script contains: types, fields, commands.

use gmat_leaderboard::gmat::Script;

fn commands(body: &str) -> Vec<String> {
    let text = format!("BeginMissionSequence\n{body}");
    let script = Script::parse(&text);
    assert_eq!(script.syntax_error(), None, "{body:?}");
    script.commands().into_iter().map(str::to_owned).collect()
}

#[test]
fn the_last_declaration_of_a_name_says_what_it_is() {
    let script = Script::parse("Create Spacecraft a b\nCreate Array a\na.SMA = 1\nb.X = 2");
    assert_eq!(script.types(), ["Array", "Spacecraft"]);
    assert_eq!(script.fields(), [("Array", vec!["SMA"]), ("Spacecraft", vec!["X"])]);
    let script = Script::parse("Create Spacecraft a\nCreate Array a");
    assert_eq!(script.types(), ["Array"]);
    assert!(!script.has_type("Spacecraft") && script.has_type("Array"));
}

#[test]
fn only_the_top_of_the_configuration_declares_and_sets() {
    let text = "If a\nCreate Spacecraft S\nEndIf\nCreate Array A\nIf a\nA.X = 1\nEndIf\n\
                BeginMissionSequence\nCreate String T\nA.Y = 1";
    let script = Script::parse(text);
    assert_eq!(script.types(), ["Array"]);
    assert_eq!(script.fields(), [("Array", vec![])]);
}

#[test]
fn a_marker_inside_a_block_begins_nothing() {
    let script = Script::parse("If a\nBeginMissionSequence\nStop\nEndIf\nGo\nCreate Array A");
    assert_eq!((script.types(), script.commands()), (vec!["Array"], vec![]));
}

#[test]
fn a_path_is_its_fields_without_layout_and_arguments() {
    let text = "S.A = 1\nS . B = 1\nS(1).C.D = 1\nS.E(1).F = 1\nS.G. % c\n H ...\n .I = 1\nS.J(1) = 1\nS = 1\n\
                GMAT S.K.L = 1\n'l' S.M = 1\nNo.N = 1\nCreate Spacecraft S\nS.A = 2";
    let script = Script::parse(text);
    let paths = vec!["A", "B", "C.D", "E.F", "G.H.I", "K.L", "M"];
    assert_eq!(script.fields(), [("Spacecraft", paths.clone())]);
    for path in paths {
        assert!(script.has_field("Spacecraft", path), "{path}");
    }
    assert!(!script.has_field("Spacecraft", "J") && !script.has_field("Spacecraft", "E"));
    assert!(!script.has_field("Array", "A"));
}

#[test]
fn a_command_is_listed_under_the_text_of_its_head() {
    assert_eq!(commands("F a b\n'l' G\nH 'l'\nA.B 1"), ["A.B", "F", "G", "H"]);
    assert_eq!(commands("F ( a,% c\n b ) x"), ["F ( a,% c\n b )"]);
    assert_eq!(commands("EndIf\nElse x"), ["Else", "EndIf"]);
}

#[test]
fn other_statements_are_listed_under_fixed_words() {
    assert_eq!(
        commands("x = 1\nGMAT x = 1\n[a] = F\nBeginScript\nEndScript\n#Include 'a'"),
        ["#Include", "BeginScript", "GMAT", "assignment_command", "function_call_command"]
    );
    assert!(commands("Create Array A\nfunction F\nBeginMissionSequence\n% c").is_empty());
    assert_eq!(
        commands("If a\nCreate Array A\nfunction F\nBeginMissionSequence\n% c\nEndIf"),
        ["Create", "If", "begin_mission_sequence", "comment", "function"]
    );
}

#[test]
fn blocks_are_looked_into_but_not_under_else() {
    let text = "If a\n While b\n  A\n EndWhile\nElse\n If c\n  B\n EndIf\n C\nEndIf\n\
                For i = 1:2\n Target T\n  Optimize O\n   D\n  EndOptimize\n EndTarget\nEndFor\nE";
    assert_eq!(commands(text), ["A", "D", "E", "For", "If", "Optimize", "Target", "While"]);
}

#[test]
fn a_comment_counts_when_it_is_directly_in_a_block() {
    for body in [
        "If a\n% c\nEndIf",
        "If a\nS\n% c\nElse\nEndIf",
        "If a; % c\nEndIf",
        "If a\nS; % c\nEndIf",
        "If % c\n a\nEndIf",
        "If a ...\n% c\nEndIf",
        "If a\nS ...\n% c\nEndIf",
        "If a\nElse\n% c\nEndIf",
        "If a\nElse\nS\n% c\nEndIf",
        "For % c\n 'l' i = 1:2\nEndFor",
        "For i % c\n = 1:2\nEndFor",
        "For i = % c\n 1:2\nEndFor",
        "Target 'l' % c\n T\nEndTarget",
        "If a\nIf b\nEndIf ...\n% c\nEndIf",
    ] {
        assert!(commands(body).contains(&"comment".to_owned()), "{body:?}");
    }
    for body in [
        "% c\nS % c\n% c",
        "If a % c\nS % c\nEndIf % c",
        "If a\nElse % c\nEndIf",
        "If a\nElse; % c\nS\nEndIf",
        "If a\nElse\n% c\nS\nEndIf",
        "If a\nElse ...\n% c\nEndIf",
        "If a\nElse\nIf b\n% c\nEndIf\nEndIf",
        "If a + % c\n b\nEndIf",
        "If (a % c\n)\nEndIf",
        "For i % c\n .x = 1:2\nEndFor",
        "For i = 1 % c\n : 2\nEndFor",
        "If a\nF(1, % c\n 2)\nx = % c\n 1\nCreate % c\n T a\nEndIf",
        "S ...\n% c\n",
        "If a\nEndIf ...\n% c\n",
        "BeginScript\n% c\nEndScript",
    ] {
        assert!(!commands(body).contains(&"comment".to_owned()), "{body:?}");
    }
}
