//! How a row compares with the baseline of its cohort, and what its evidence is worth, in words.
//!
//! A difference below one prompt is not an improvement: it keeps its sign and gets no color.

use serde::Serialize;

use super::row::FlagView;
use super::state_word;
use crate::domain::real;
use crate::facts::{Cohort, Compared, Grade, Reference, ReplayCheck, RowFacts};
use crate::site::format;

/// A difference, or why there is none.
#[derive(Debug, Serialize)]
pub(super) struct Delta {
    /// `+13.4`, `−6.7`, `0.0`, or a dash.
    pub(super) value: String,
    /// What a reader must know about it; why there is none.
    pub(super) note: String,
    /// `up` for an improvement of one prompt or more, `none` where there is no difference to tell.
    pub(super) tone: &'static str,
}

/// The difference between a run and its baseline as `show` words it. `size` is the number of
/// prompts behind the score, where known, and `scale` the best score there is.
pub(super) fn delta_of(
    compared: &Compared,
    size: Option<u64>,
    scale: f64,
    show: impl Fn(f64) -> String,
) -> Delta {
    let Some(delta) = compared.delta else {
        let (value, note) = (format::NONE.to_owned(), compared.reason_words().join(", "));
        return Delta { value, note: format::clean(&note), tone: "none" };
    };
    if !compared.is_comparable() {
        let note = format::clean(&compared.reason_words().join(", "));
        return Delta { value: show(delta), note, tone: "none" };
    }
    let is_small = size.is_some_and(|size| delta.abs() / scale * real(size) < 1.0 - 1e-9);
    let note = match () {
        () if compared.is_baseline => "baseline",
        () if is_small && delta.abs() > 0.0 => "under 1 prompt",
        () => "",
    };
    let tone = if delta > 0.0 && !is_small { "up" } else { "" };
    Delta { value: show(delta), note: note.to_owned(), tone }
}

/// The row's difference from its baseline.
pub(super) fn delta(row: &RowFacts<'_>) -> Delta {
    let points = |delta: f64| format::signed(delta * 100.0, 1);
    delta_of(&row.compared, row.held_out.map(|score| score.total), 1.0, points)
}

/// For a page of its own: the value with its unit, and what it is a difference from.
pub(super) fn delta_words(row: &RowFacts<'_>) -> (String, String) {
    let Delta { value, note, .. } = delta(row);
    match &row.compared.baseline {
        Some(_) if row.compared.is_baseline => {
            ("baseline".to_owned(), "others are compared with it".to_owned())
        }
        Some(baseline) if row.compared.delta.is_some() => {
            let comma = if note.is_empty() { "" } else { ", " };
            let name = format::truncate(&format::clean(&baseline.model), 60);
            let detail = format!("{name} at {:.1}%{comma}{note}", baseline.score * 100.0);
            (format!("{value} pp"), detail)
        }
        _ => (value, note),
    }
}

/// A short word, and the rest of it for those who listen.
#[derive(Debug, Serialize)]
pub(super) struct Mark {
    pub(super) word: &'static str,
    rest: &'static str,
    /// `weak`, `bad` or nothing.
    tone: &'static str,
}

/// What a reader must know before trusting the row; nothing where all is well.
pub(super) fn exceptions(row: &RowFacts<'_>) -> Vec<FlagView> {
    let flag = |word: &str, sentence: &str, bad| FlagView {
        word: word.to_owned(),
        sentence: sentence.to_owned(),
        bad,
    };
    let state = match row.state {
        ReplayCheck::Match => None,
        ReplayCheck::Mismatch => {
            Some(flag("differs", "Differs: its bundle gives another public score or hash.", true))
        }
        ReplayCheck::NotRun => {
            Some(flag("no bundle", "No bundle: its public score was not replayed.", false))
        }
    };
    let flags = row.flags.iter().map(|of| flag(of.word, &of.sentence, false));
    state.into_iter().chain(flags).collect()
}

/// What may be said of a run in a table; what cannot be said is left out.
pub(super) fn marks_of(compared: &Compared) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut mark = |word, rest, tone| marks.push(Mark { word, rest, tone });
    match compared.evidence.grade {
        Grade::Full => mark("Repro", "ducible", ""),
        Grade::Weak => mark("Weak", "ly reproducible", "weak"),
        Grade::None => {}
    }
    if compared.evidence.verified {
        mark("Verified", "", "");
    }
    if compared.is_comparable() {
        mark("Comp", "arable", "");
    }
    marks
}

/// A badge at the head of a row's page.
#[derive(Debug, Serialize)]
pub(super) struct Badge {
    text: String,
    /// `weak`, `bad`, `not` or nothing.
    tone: &'static str,
}

impl Badge {
    /// Without the reason.
    pub(super) fn short(&self) -> &str {
        self.text.split(':').next().unwrap_or_default()
    }
}

/// What may be said of the evidence of a pack's run and of comparing it.
pub(super) fn run_badges(compared: &Compared) -> Vec<Badge> {
    let mut badges = vec![reproducible(compared)];
    badges.extend(comparable(compared));
    badges
}

fn reproducible(compared: &Compared) -> Badge {
    let problems = format::clean(&compared.evidence.describe());
    let (text, tone) = match compared.evidence.grade {
        Grade::Full => ("Reproducible".to_owned(), ""),
        Grade::Weak => (format!("Reproducible (weak): {problems}"), "weak"),
        Grade::None => (format!("Not reproducible: {problems}"), "bad"),
    };
    Badge { text, tone }
}

/// What may be said of the row's evidence and of comparing it, and why not where it may not.
pub(super) fn badges(row: &RowFacts<'_>) -> Vec<Badge> {
    let compared = &row.compared;
    let badge = |text: String, tone| Badge { text, tone };
    if row.state == ReplayCheck::NotRun {
        let mut badges = vec![badge("Not checked: its bundle is not here".to_owned(), "not")];
        badges.extend(comparable(compared));
        return badges;
    }
    let verified = if compared.evidence.verified {
        badge("Verified".to_owned(), "")
    } else {
        badge("Not verified here".to_owned(), "not")
    };
    let mut badges = vec![reproducible(compared), verified];
    badges.extend(comparable(compared));
    badges
}

/// Without a baseline there is nothing to be comparable with, and nothing is said.
fn comparable(compared: &Compared) -> Option<Badge> {
    if compared.is_comparable() {
        return Some(Badge { text: "Comparable".to_owned(), tone: "" });
    }
    let text = format!("Not comparable: {}", why(compared));
    (!lacks_baseline(compared)).then_some(Badge { text, tone: "not" })
}

fn lacks_baseline(compared: &Compared) -> bool {
    compared.cohort_id.is_some() && compared.baseline.is_none()
}

/// Why it is not comparable, in plain words.
pub(super) fn why(compared: &Compared) -> String {
    format::clean(&format::list(&compared.reason_words()))
}

/// What a table of one cohort is relative to.
#[derive(Debug, Serialize)]
pub(super) struct Baseline {
    pub(super) model: String,
    pub(super) href: String,
    pub(super) score: String,
    pub(super) run: String,
    pub(super) rule: &'static str,
}

/// The baseline of a cohort; `below` leads to the pages of the rows.
pub(super) fn baseline(cohort: &Cohort, below: &str) -> Option<Baseline> {
    cohort.reference.as_ref().map(|reference| Baseline {
        model: reference.model.clone(),
        href: page(reference, below),
        score: format!("{:.1}%", reference.score * 100.0),
        run: reference.run_id.clone(),
        rule: reference.source.label(),
    })
}

fn page(reference: &Reference, below: &str) -> String {
    match reference.slug.as_str() {
        "" => String::new(),
        slug => format!("{below}{slug}.html"),
    }
}

/// One thing that is said about a row's evidence or cohort.
#[derive(Debug, Serialize)]
pub(super) struct EvidenceLine {
    name: &'static str,
    value: String,
    detail: String,
    /// Where the value leads; empty if nowhere.
    href: String,
}

/// The whole story of a row: what it can be checked by, whom it compares with, and the result.
pub(super) fn standing(row: &RowFacts<'_>, cohort: Option<&Cohort>) -> Vec<EvidenceLine> {
    let compared = &row.compared;
    let say = |name, value: &str, detail: String| EvidenceLine {
        name,
        value: value.to_owned(),
        detail,
        href: String::new(),
    };
    let problems = || format::clean(&compared.evidence.describe());
    let mut said = vec![
        match compared.evidence.grade {
            Grade::None if row.state == ReplayCheck::NotRun => {
                say("Reproducible", "not checked", "its bundle is not here".to_owned())
            }
            Grade::Full => say("Reproducible", "yes", "the hash of its bundle pins it".to_owned()),
            Grade::Weak => say("Reproducible", "weakly", problems()),
            Grade::None => say("Reproducible", "no", problems()),
        },
        if compared.evidence.verified {
            let why = "the bundle was replayed for this page and gives the published numbers";
            say("Verified", "yes", why.to_owned())
        } else {
            say("Verified", "no", format!("bundle: {}", state_word(row.state)))
        },
    ];
    if compared.is_comparable() {
        let why = "it has a score, and its cohort has a baseline";
        said.push(say("Comparable", "yes", why.to_owned()));
    } else if !lacks_baseline(compared) {
        said.push(say("Comparable", "no", why(compared)));
    }
    let Some(cohort) = cohort else { return said };
    let id = cohort.id.as_ref().map(|id| format!("cohort {id}"));
    let none = || "none: something about it is unknown".to_owned();
    said.push(say("Cohort", &cohort.words, id.unwrap_or_else(none)));
    if let Some(reference) = &cohort.reference {
        said.push(EvidenceLine {
            name: "Baseline",
            value: reference.id.clone(),
            detail: format!(
                "{:.1}%, the {} run of the cohort, run {}",
                reference.score * 100.0,
                reference.source.label(),
                reference.run_id
            ),
            href: page(reference, ""),
        });
    }
    if compared.baseline.is_none() {
        return said;
    }
    let Delta { value, note, .. } = delta(row);
    let one = row.held_out.filter(|_| compared.delta.is_some()).map(|score| score.total);
    let one = one.filter(|size| *size > 0).map(|size| 100.0 / real(size));
    let unit = if compared.delta.is_some() { " pp" } else { "" };
    let parts = [
        (!note.is_empty()).then_some(note),
        one.map(|one| format!("one held-out prompt is {one:.1} pp")),
    ];
    let detail = parts.into_iter().flatten().collect::<Vec<_>>().join("; ");
    said.push(say("Difference", &format!("{value}{unit}"), detail));
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(delta: Option<f64>, prompts: u64) -> (String, String, &'static str) {
        let reasons = if delta.is_some() { Vec::new() } else { vec!["no_baseline".to_owned()] };
        let compared = Compared { reasons, delta, ..Compared::alone("") };
        let points = |delta: f64| format::signed(delta * 100.0, 1);
        let Delta { value, note, tone } = delta_of(&compared, Some(prompts), 1.0, points);
        (value, note, tone)
    }

    #[test]
    fn less_than_one_prompt_is_no_improvement() {
        let of = |value: &str, note: &str, tone| (value.to_owned(), note.to_owned(), tone);
        assert_eq!(shown(Some(0.02), 50), of("+2.0", "", "up"));
        assert_eq!(shown(Some(0.019), 51), of("+1.9", "under 1 prompt", ""));
        assert_eq!(shown(Some(-0.019), 51), of("\u{2212}1.9", "under 1 prompt", ""));
        assert_eq!(shown(Some(-0.2), 51), of("\u{2212}20.0", "", ""));
        assert_eq!(shown(Some(0.0), 51), of("0.0", "", ""));
        assert_eq!(shown(None, 51), of("–", "no baseline yet", "none"));
    }
}
