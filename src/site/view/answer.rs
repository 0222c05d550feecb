//! One answer in words: why it fails, how the judge voted, and its script with the linter's marks.

use serde::Serialize;

use crate::domain::capital;
use crate::facts::{Marked, PublicAnswer, RowFacts, first_part};
use crate::replay::{Reason, majority};
use crate::site::format;

/// Lines of a script on a page; more are in the bundle.
const LINES: usize = 300;
/// Characters of a line.
const LINE: usize = 400;
/// Characters of a reason.
const REASON: usize = 160;
/// Notes under a script's lines.
const NOTES: usize = 40;

/// A piece of a sentence; code is what the script or the prompt says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Part {
    code: bool,
    text: String,
}

/// A script as a page shows it.
#[derive(Debug, Serialize)]
pub(super) struct ScriptView {
    lines: Vec<LineView>,
    /// What is not shown of it; empty if nothing.
    rest: String,
}

#[derive(Debug, Serialize)]
struct LineView {
    before: String,
    /// What the linter means; empty where it means nothing.
    marked: String,
    after: String,
    notes: Vec<Vec<Part>>,
}

impl Part {
    pub(super) fn plain(text: String) -> Self {
        Self { code: false, text }
    }
}

/// `text` with what is between backticks as code.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let text = format::truncate(&format::clean(text), REASON);
    let pieces = text.split('`').enumerate();
    pieces
        .filter(|(_, text)| !text.is_empty())
        .map(|(at, text)| Part { code: at % 2 == 1, text: text.to_owned() })
        .collect()
}

/// Why an answer fails, in one line: `Line 16: …; 1 of 3 votes yes`. Empty if it does not.
pub(super) fn why(answer: &PublicAnswer) -> Vec<Part> {
    parts(&why_text(answer))
}

/// The sentence as text, with backticks around code.
pub(super) fn why_text(answer: &PublicAnswer) -> String {
    let mut said: Vec<String> =
        answer.reasons.iter().map(|reason| in_words(reason, &answer.votes)).collect();
    if answer.more > 0 {
        said.push(format!("{} more", answer.more));
    }
    said.join("; ")
}

/// One reason, short.
fn in_words(reason: &Reason, votes: &[Option<bool>]) -> String {
    let message = first_part(&reason.message);
    match (reason.line, &*reason.rule) {
        (Some(line), _) => format!("Line {line}: {message}"),
        (None, "votes") => {
            let count = |wanted| votes.iter().filter(|vote| **vote == Some(wanted)).count();
            match (count(true), count(false)) {
                (0, 0) => format!("Judge: {message}"),
                (yes, no) if yes == no => format!("Judge: a tie, {yes} yes and {no} no"),
                (_, no) => format!("Judge: {no} of {} votes no", votes.len()),
            }
        }
        (None, _) => capital(message),
    }
}

/// `●●○`, and in words.
pub(super) fn votes(votes: &[Option<bool>]) -> (String, String) {
    let dots = votes.iter().map(|vote| match vote {
        Some(true) => '●',
        Some(false) => '○',
        None => '–',
    });
    let yes = votes.iter().filter(|vote| **vote == Some(true)).count();
    let words = match votes.len() {
        0 => "no vote is recorded".to_owned(),
        all => format!("{yes} of {all} votes yes"),
    };
    (dots.collect(), words)
}

/// What decided about an answer, as a heading, and what that means.
pub(super) fn verdict(answer: &PublicAnswer) -> (String, String) {
    let is_judged = majority(&answer.votes) == Some(true);
    let all = answer.reasons.len() + answer.more;
    let errors = format::count(all - usize::from(!answer.passed && !is_judged), "error");
    let (heading, meaning) = match (answer.passed, is_judged, all) {
        (true, ..) => (
            "Solved".to_owned(),
            "It has everything that is required, and most votes say that it does what was asked.",
        ),
        (false, true, _) => (
            format!("{errors}: failed, although the judge says yes"),
            "A script must meet the rules and convince the judge. This one only convinces the judge.",
        ),
        (false, false, ..=1) => (
            "No error: failed, because the judge does not say yes".to_owned(),
            "It meets the rules, but the votes do not say that it does what was asked.",
        ),
        (false, false, _) => (
            format!("{errors}, and the judge does not say yes"),
            "A script must meet the rules and convince the judge. This one does neither.",
        ),
    };
    (heading, meaning.to_owned())
}

/// The script with every diagnostic under the line it is about.
pub(super) fn script(marked: &Marked) -> ScriptView {
    let text = marked.script.strip_prefix('\u{feff}').unwrap_or(&marked.script);
    let all = text.trim_end_matches(['\n', '\r']);
    let mut left = NOTES;
    let mut lines: Vec<LineView> = Vec::new();
    for (at, line) in all.split('\n').take(LINES).enumerate() {
        let here = |reason: &&Reason| reason.line == Some(at + 1);
        let reasons: Vec<&Reason> = marked.reasons.iter().filter(here).take(left).collect();
        left -= reasons.len();
        let line = line.trim_end_matches('\r');
        let characters: Vec<char> = line.chars().take(LINE).collect();
        let piece = |from: usize, to: usize| {
            let (from, to) = (from.min(characters.len()), to.min(characters.len()));
            tabbed(&characters[from..to.max(from)].iter().collect::<String>())
        };
        let first = reasons.first().map(|reason| (reason.column.unwrap_or(1) - 1, reason.width));
        let (from, width) = first.unwrap_or((characters.len(), 0));
        let note = |reason: &&Reason| {
            let meant = reason.suggestion.as_ref();
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
            parts(&capital(&format!("{}{meant}", reason.message)))
        };
        lines.push(LineView {
            before: piece(0, from),
            marked: piece(from, from + width),
            after: piece(from + width, characters.len()),
            notes: reasons.iter().map(note).collect(),
        });
    }
    let count = memchr::memchr_iter(b'\n', all.as_bytes()).count() + 1;
    let rest = match count.saturating_sub(LINES) {
        0 => String::new(),
        more => format!("{} more in the bundle.", format::count(more, "line")),
    };
    if text.is_empty() {
        return ScriptView { lines: Vec::new(), rest: "No answer is recorded.".to_owned() };
    }
    ScriptView { lines, rest }
}

/// Harmless, with its tabs.
fn tabbed(text: &str) -> String {
    text.split('\t').map(format::clean).collect::<Vec<_>>().join("\t")
}

/// What pages call a row.
pub(super) fn name(row: &RowFacts<'_>) -> String {
    format::truncate(&row.name, 60)
}

/// Who made it; empty if the name says it.
pub(super) fn organization(row: &RowFacts<'_>) -> String {
    format::truncate(row.organization_shown().unwrap_or_default(), 30)
}

/// Its place, shared by equal counts; a dash for a row that is not ranked.
pub(super) fn place(row: &RowFacts<'_>) -> String {
    row.standing.map_or_else(|| format::NONE.to_owned(), |standing| standing.place.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::Votes;

    fn text(parts: &[Part]) -> String {
        parts
            .iter()
            .map(|part| if part.code { format!("<{}>", part.text) } else { part.text.clone() })
            .collect()
    }

    fn lint(line: usize, column: usize, width: usize, message: &str) -> Reason {
        Reason {
            rule: "enum-violation".to_owned(),
            line: Some(line),
            column: Some(column),
            width,
            message: message.to_owned(),
            suggestion: Some("Spherical".to_owned()),
        }
    }

    #[test]
    fn reasons_are_words_and_marks_stand_under_their_lines() {
        let reasons = vec![lint(
            2,
            15,
            10,
            "`Cannonball` is not a valid value of `SRPModel`, which takes `Spherical`",
        )];
        let answer = PublicAnswer { passed: false, votes: Votes::new(), reasons, more: 2 };
        assert_eq!(
            text(&why(&answer)),
            "Line 2: <Cannonball> is not a valid value of <SRPModel>; 2 more"
        );
        let script_text = "Create ForceModel FM;\nFM.SRPModel = Cannonball;\r\n\tStop\u{202e}<b>\n";
        let marked = Marked { script: script_text.to_owned(), reasons: answer.reasons };
        let view = script(&marked);
        let lines: Vec<(&str, &str, &str, usize)> = view
            .lines
            .iter()
            .map(|line| (&*line.before, &*line.marked, &*line.after, line.notes.len()))
            .collect();
        let expected = [
            ("Create ForceModel FM;", "", "", 0),
            ("FM.SRPModel = ", "Cannonball", ";", 1),
            ("\tStop\\u{202e}<b>", "", "", 0),
        ];
        assert_eq!(lines, expected);
        assert!(text(&view.lines[1].notes[0]).ends_with("did you mean <Spherical>?"));
        // A place that is not in the script marks nothing and breaks nothing.
        let odd = Marked {
            script: "x".to_owned(),
            reasons: vec![lint(1, 9, 3, "odd"), lint(7, 1, 1, "off")],
        };
        assert_eq!(script(&odd).lines.len(), 1);
        assert_eq!(
            script(&Marked { script: String::new(), reasons: Vec::new() }).rest,
            "No answer is recorded."
        );
    }

    #[test]
    fn a_verdict_counts_errors_without_the_votes() {
        let yes = [Some(true), Some(true), Some(false)].into_iter().collect::<Votes>();
        let no = [Some(false), Some(false), Some(true)].into_iter().collect::<Votes>();
        let judge = Reason { rule: "votes".to_owned(), line: None, ..lint(1, 1, 1, "no") };
        let answer = |passed, votes: &Votes, reasons, more| PublicAnswer {
            passed,
            votes: votes.clone(),
            reasons,
            more,
        };
        let heading = |answer: &PublicAnswer| verdict(answer).0;
        assert_eq!(heading(&answer(true, &yes, vec![], 0)), "Solved");
        let two = vec![lint(1, 1, 1, "a"), lint(2, 1, 1, "b")];
        assert_eq!(
            heading(&answer(false, &yes, two.clone(), 0)),
            "2 errors: failed, although the judge says yes"
        );
        assert_eq!(
            heading(&answer(false, &no, two, 2)),
            "3 errors, and the judge does not say yes"
        );
        assert_eq!(
            heading(&answer(false, &no, vec![judge], 0)),
            "No error: failed, because the judge does not say yes"
        );
    }

    #[test]
    fn votes_are_dots_and_words() {
        assert_eq!(
            votes(&[Some(true), Some(false), None]),
            ("●○–".into(), "1 of 3 votes yes".into())
        );
        assert_eq!(votes(&[]).1, "no vote is recorded");
    }
}
