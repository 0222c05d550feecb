//! How a row stands to the baseline of its cohort, in words.

use crate::ledger::{Compared, Grade, Source};
use crate::site::facts::RowFacts;
use crate::site::words;

/// The difference and what it is a difference from; or why there is none.
pub(super) fn delta(row: &RowFacts<'_>) -> (String, String) {
    let none = |why: &str| (words::NONE.to_owned(), why.to_owned());
    let Some(compared) = &row.compared else { return none("no baseline can be chosen") };
    if compared.is_baseline {
        return ("baseline".to_owned(), "others are compared with it".to_owned());
    }
    match (compared.delta, &compared.baseline) {
        (Some(delta), Some(baseline)) => {
            let rule = match baseline.source {
                Source::Official => "official",
                Source::Earliest => "earliest",
            };
            let detail = format!("{rule} baseline {:.1}%", baseline.score * 100.0);
            (format!("{} pp", words::signed(delta * 100.0, 1)), detail)
        }
        _ => none(&why(compared)),
    }
}

/// What may be said of the row's evidence and of comparing it.
pub(super) fn badges(row: &RowFacts<'_>) -> Vec<String> {
    let Some(compared) = &row.compared else { return Vec::new() };
    let problems = compared.evidence.problems.join(", ");
    let reproducible = match compared.evidence.grade {
        Grade::Full => "Reproducible".to_owned(),
        Grade::Weak => format!("Reproducible, weakly: {}", words::clean(&problems)),
        Grade::None => format!("Not reproducible: {}", words::clean(&problems)),
    };
    let verified = if compared.evidence.verified { "Verified" } else { "Not verified here" };
    let comparable = if compared.is_comparable() {
        "Comparable".to_owned()
    } else {
        format!("Not comparable: {}", why(compared))
    };
    vec![reproducible, verified.to_owned(), comparable]
}

/// The reasons in plain words.
fn why(compared: &Compared) -> String {
    let word = |reason: &String| match reason.split_once(':') {
        Some(("unknown", what)) => format!("{} is not known here", what.replace('_', " ")),
        _ => match reason.as_str() {
            "no_baseline" => "its cohort has no baseline yet".to_owned(),
            "no_score" => "no held-out score yet".to_owned(),
            "not_completed" => "the run did not complete".to_owned(),
            other => words::clean(other),
        },
    };
    words::list(&compared.reasons.iter().map(word).collect::<Vec<_>>())
}
