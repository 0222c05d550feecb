//! What is a script and what is not.

use gmat_leaderboard::gmat::Script;

fn clean(scripts: &[&str]) {
    for text in scripts {
        assert_eq!(Script::parse(text).syntax_error(), None, "{text:?}");
    }
}

fn broken(scripts: &[&str]) {
    for text in scripts {
        let script = Script::parse(text);
        assert!(script.has_syntax_error(), "{text:?}");
        assert_eq!(script.blocking_rules(), ["syntax-error"], "{text:?}");
        assert!(script.types().is_empty() && script.commands().is_empty(), "{text:?}");
    }
}

#[test]
fn nothing_is_a_script() {
    clean(&[
        "",
        " \t\r\n\u{B}\u{C}",
        "% only this",
        "\u{FEFF}",
        "\u{FEFF}Stop",
        "\n\n% a\n\n% b\n",
    ]);
    broken(&["\u{FEFF}\u{FEFF}", "Stop \u{FEFF}", "\u{A0}", "\u{2028}Stop"]);
}

#[test]
fn a_statement_ends_at_a_semicolon_a_line_end_or_the_end() {
    clean(&["Stop;Go", "Stop;;; ;\n;Go", "Stop % c\n;Go", "Stop\r\nGo\r\n", "Stop Go", "Stop\rGo"]);
    broken(&[";", "\n;", "% c\n;", "Stop; % c\n;", "a = (1) b = 2", "a = 1\rb = 2", "Stop, Go"]);
}

#[test]
fn vertical_tabs_and_form_feeds_are_blanks_but_hide_the_end_of_a_statement() {
    clean(&["Stop\u{B}Go", "Stop\u{C}\nGo", "\u{C}Stop"]);
    broken(&[
        "a = 1\u{B}",
        "a = 1\u{C}\nb = 2",
        "Stop\u{B}",
        "function F\u{C}",
        "#Include 'a'\u{B}\n",
    ]);
    broken(&[
        "Create T a\u{B}\n",
        "Target T\u{C}\nEndTarget",
        "Target T ...\n;EndTarget",
        "BeginScript\nEndScript\u{C}",
    ]);
}

#[test]
fn a_continuation_joins_lines_and_must_be_followed_by_one() {
    clean(&[
        "Stop ...\nGo",
        "Stop ... \t\r\n\n\nGo",
        "a = b + ...\n c",
        "S. ...\nX = 1",
        "S....\nX = 1",
    ]);
    clean(&["...\nStop", "Stop\n...\n% c", "a = [1 ...\n 2]", "a = b...\n + c"]);
    broken(&[
        "Stop ...\n",
        "Stop ...",
        "...\n",
        "Stop\n...\n \n",
        "% c\n...\n",
        "Stop ... % c\nGo",
    ]);
    broken(&["a = b ...\n + c", "a = 3...\n + 1", "S.....\nX = 1", "a = [1 2...\n 3]"]);
}

#[test]
fn a_line_end_is_a_blank_where_no_statement_can_end() {
    clean(&[
        "Create\nSpacecraft\nSat",
        "a =\n5",
        "GMAT\na\n=\n5",
        "S.\nX = 1",
        "'l'\nStop",
        "[a]\n=\nF",
    ]);
    clean(&[
        "If\na\nEndIf",
        "For i\n=\n1\n:\n3\nEndFor",
        "a = {\n1\n}",
        "f(\n1\n)",
        "Target\nDC\nEndTarget",
    ]);
    broken(&[
        "a\n= 5",
        "S\n.X = 1",
        "f\n(1)",
        "For i = 1:2\n:3\nEndFor",
        "Target DC\n{}\nEndTarget",
    ]);
}

#[test]
fn numbers_take_as_much_as_they_can() {
    clean(&["a = 5.", "a = .5", "a = 5.e-3", "a = 1E+07", "F 1a 2b", "F 5.5.5", "a = - -+5"]);
    broken(&["a = 1e", "a = 1.2.3", "a = 0x1", "a = 5b", "a = 1..2", "1a = 2"]);
}

#[test]
fn strings_stay_on_their_line_and_know_no_escapes() {
    clean(&["a = 'b'", "a = '%;('", "a = '\r'", "a = '\u{4E2D}'", "a = {''}", "F 'a''b'"]);
    broken(&["a = 'b", "a = 'b\nc'", "a = 'b' 'c'", "a = \"b\"", "F \"b\""]);
}

#[test]
fn a_dot_after_a_reference_is_a_member_and_elsewhere_starts_a_number() {
    clean(&[
        "a = [b .5]",
        "a = {1 .5}",
        "a = {(b) .5}",
        "F 'x' .5",
        "F 5 .5",
        "a = S.5b",
        "S.3D = 1",
    ]);
    broken(&[
        "F b .5",
        "a = {b .5}",
        "a = {f(1) .5}",
        "a = [-b .5]",
        "S.5 = 1",
        "S..X = 1",
        "a = (b).c",
    ]);
}

#[test]
fn a_raw_value_is_taken_only_after_an_assignment_or_in_an_argument() {
    clean(&[
        "a = ../b/c.txt",
        "a = C:\\x",
        "a = 19 Aug 2015 00:00:00",
        "a = b c % d",
        "a = ''",
        "f(b c, d/e)",
    ]);
    clean(&["a = b 'x, y' c d", "a = @b c", "f(a:b)", "a = b/c(1)"]);
    broken(&[
        "a = b c (d)",
        "a = b c, d",
        "a = {b:c}",
        "a = f(''\n)b",
        "f('')",
        "a = ...\n b c",
        "a = % d\n b c",
    ]);
    broken(&["a = @b", "f(a b\n + c)", "f(a; b)", "a = b c d\n + e"]);
}

#[test]
fn brackets_have_a_grammar_each() {
    clean(&[
        "a = {}",
        "a = {,,}",
        "a = {b c, d = 1 e.f(2) = 3}",
        "a = [1 -2; 'x', b]",
        "a = []",
        "a = (b)",
    ]);
    clean(&[
        "f()",
        "f(a, b = 2, {c}, [1], (d))",
        "f(g(h(i)))",
        "a = [-(1) -f(2)]",
        "a = {[1] {2}}",
    ]);
    broken(&[
        "a = {b;c}",
        "a = {b = c = d}",
        "a = {'x' = 1}",
        "a = {b + c = 1}",
        "a = [1,]",
        "a = [;1]",
    ]);
    broken(&[
        "a = [b.c]",
        "a = [f(1)]",
        "a = [[1]]",
        "a = [1*2]",
        "a = [(1)]",
        "a = ()",
        "a = (b c)",
    ]);
    broken(&[
        "f(1,)",
        "f(,1)",
        "f(1 2, {}) = ",
        "f({} {})",
        "a = {b",
        "a = b}",
        "a = (b]",
        "a = -{b}",
        "a = -'b'",
    ]);
}

#[test]
fn a_command_takes_arguments_without_commas() {
    clean(&["F a.b(1) -c +d 'e' {f} 5", "F a+b", "F (a)", "'l' F", "F 'l' a", "S.F 1", "f (1) 2"]);
    broken(&["F a, b", "F a*b", "F [1]", "F 5 (a)", "'l'", "'l' 'm' F", "F a = 1", "'l' [a] = F"]);
}

#[test]
fn a_declaration_needs_a_type_and_a_name() {
    clean(&[
        "Create T a b,c , d",
        "Create T a,",
        "Create T a[1,2] b[3]",
        "Create If Else",
        "Create T % c\n a",
    ]);
    broken(&[
        "Create",
        "Create T",
        "Create T, a",
        "Create T a,,b",
        "Create T a.b",
        "Create T a = 1",
    ]);
    broken(&[
        "Create T a[]",
        "Create T a[n]",
        "Create T a[1 2]",
        "Create T 'a'",
        "GMAT Create T a",
    ]);
}

#[test]
fn keywords_are_names_where_no_statement_starts_with_them() {
    clean(&["F If Create GMAT", "S.If = 1", "EndIf", "Else", "EndIf = 5", "EndScript x", "'l' If"]);
    clean(&["If a\nWhile b\nEndIf\nElse\nEndWhile\nEndIf", "If a\nElse\nElse\nEndIf"]);
    broken(&[
        "If = 1",
        "Create.x = 1",
        "GMAT",
        "GMAT a",
        "For",
        "While",
        "Target",
        "function",
        "If.a = 1",
    ]);
}

#[test]
fn blocks_open_and_close() {
    clean(&[
        "If a == 1; EndIf",
        "While (a)\nEndWhile;",
        "For 'l' i(1) = -a:b+1:c\nEndFor",
        "Optimize O {x = 1}\nEndOptimize",
    ]);
    clean(&["If 'l' 'a' == b\nEndIf", "If 'a' == b\nEndIf", "If 'a'\nEndIf", "If 'l' - b\nEndIf"]);
    broken(&[
        "If a",
        "If a\nEndWhile",
        "If a b\nEndIf",
        "If a = b\nEndIf",
        "If a\nEndIf x",
        "If 'l' - 'b'\nEndIf",
    ]);
    broken(&[
        "For i = 1\nEndFor",
        "For i = 1:2:3:4\nEndFor",
        "For 5 = 1:2\nEndFor",
        "Target 5\nEndTarget",
        "Target D x\nEndTarget",
    ]);
}

#[test]
fn a_script_block_is_opaque_up_to_its_closing_line() {
    clean(&[
        "BeginScript\n ( ' {\nEndScript",
        "BeginScript EndScript",
        "BeginScript\nEndScripts\n\tEndScript;Stop",
    ]);
    clean(&["BeginScript\nEndScript.x\nEndScript", "BeginScript % c\nEndScript"]);
    broken(&[
        "BeginScript",
        "BeginScript\n",
        "BeginScript x EndScript",
        "BeginScript\nEndScript x",
        "BeginScript\n% EndScript",
    ]);
}

#[test]
fn includes_functions_and_calls_with_outputs_have_their_forms() {
    clean(&[
        "#Include 'a'",
        "#Include'a';",
        "function F",
        "function [a, b] = F(c, d)",
        "function F()",
        "[] = F",
        "[a] = b.F(1)",
    ]);
    broken(&[
        "#include 'a'",
        "# Include 'a'",
        "#Include a",
        "function F(a b)",
        "function a.b",
        "function F\n(a)",
    ]);
    broken(&[
        "[a b] = F",
        "[a,] = F",
        "[a.b] = F",
        "[a] = 5",
        "[a] = F b",
        "[a] F",
        "GMAT [a] = F",
    ]);
}

#[test]
fn a_nul_anywhere_breaks_a_script() {
    broken(&["\0", "Stop\0", "% \0\nStop", "a = 'b\0'", "BeginScript\n\0\nEndScript", "a = b c\0"]);
}

#[test]
fn the_place_of_a_fault_is_a_line_and_a_character() {
    for (text, line, column, message) in [
        ("a = (1", 1, 7, "expected an operator or `)`, found the end of the script"),
        ("Stop\r\n% é\r\n'é' ; x", 3, 5, "expected a statement, found `;`"),
        ("\u{FEFF}é", 1, 1, "expected a statement, found `é`"),
        (
            "If a\nStop\n",
            3,
            1,
            "expected `EndIf` for the `If` on line 1, found the end of the script",
        ),
        ("% ok\n% a\0b", 2, 4, "expected no NUL character anywhere, found `\0`"),
        (
            "Stop ,\0",
            1,
            6,
            "expected an argument of the command or the end of the statement, found `,`",
        ),
        ("a = 1)b", 1, 6, "expected the end of the statement, found `)`"),
        (
            "Stop\n...\n\n",
            3,
            1,
            "expected a line after the continuation `...`, found the end of the line",
        ),
    ] {
        let error = Script::parse(text).syntax_error().expect(text);
        let found = (error.position.line, error.position.column, error.message.as_str());
        assert_eq!(found, (line, column, message), "{text:?}");
    }
}
