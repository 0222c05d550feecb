//! How to check a row, and how to say that it is wrong.

use serde::Serialize;

use crate::board::NotCovered;
use crate::domain::percent_encode;
use crate::facts::{ReplayCheck, RowFacts};
use crate::site::format;

use super::{SiteView, fraction, state_word};

/// The block “Verify this row”.
#[derive(Debug, Serialize)]
pub(super) struct Verify {
    word: &'static str,
    sentence: String,
    hash: String,
    hash_note: String,
    clone: String,
    command: String,
    expect: String,
    by_hand: String,
    held_out: String,
}

/// Where a reader says that something is wrong.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    href: String,
    text: String,
}

/// What is known of the row, and the commands that show it.
pub(super) fn verify(site: &SiteView, row: &RowFacts<'_>) -> Verify {
    let id = row.row.id();
    let published = format::clean(&row.row.run.recorded_bundle_sha16);
    let full =
        row.replay.filter(|_| row.state == ReplayCheck::Match).map(|replay| replay.sha256.clone());
    let count = fraction(row.public.counts());
    let by_hand = row.seed.map(|seed| {
        let file = |name: &str| format::shell(&seed.public_bundle.file(name));
        let files = ["prompts.json", "completions.json", "judge.json"].map(file);
        format!("cat {} | sha256sum", files.join(" "))
    });
    Verify {
        word: state_word(row.state),
        sentence: match row.state {
            ReplayCheck::Match => format!("The bundle in the repository gives public {count} = {}, as published.", format::percent(row.public.rate)),
            ReplayCheck::Mismatch => "The bundle in the repository gives another rate or another hash than published. Do not rely on this row.".to_owned(),
            ReplayCheck::NotRun => format!("Published: public {count} = {}. The bundle is not in the repository this page was made from, so the row cannot be replayed from it.", format::percent(row.public.rate)),
        },
        hash_note: if full.is_some() {
            "SHA-256 of the bundle: prompts.json, completions.json and judge.json, one after the other".to_owned()
        } else {
            "first 16 digits of the SHA-256 of the bundle, as published".to_owned()
        },
        hash: full.unwrap_or(published),
        clone: if site.repository.is_empty() { String::new() } else { format!("git clone {}", format::shell(&site.repository)) },
        command: if row.state == ReplayCheck::NotRun {
            String::new()
        } else {
            format!("gmat-leaderboard verify --entry {}", format::shell(&id))
        },
        expect: if row.state == ReplayCheck::Match {
            let headline = match row.held_out {
                Some(_) => "1 held-out headline (checked for form only: no held-out bundle at hand); ",
                None => "",
            };
            let seal = NotCovered::SEAL_OF_BOARD;
            format!(
                "verified: 1 public row(s) reproduce; board is aggregate-only\nnot covered: {headline}{seal}"
            )
        } else {
            String::new()
        },
        by_hand: by_hand.map(|command| format::clean(&command)).unwrap_or_default(),
        held_out: match row.held_out {
            Some(score) => {
                let attempts = match row.attempts {
                    0 => String::new(),
                    1 => " The ledger has one scoring of it.".to_owned(),
                    more => format!(" The ledger has {more} scorings of it; this is the last."),
                };
                format!(
                    "the held-out {}. Its prompts are private, so only the maintainers can replay it. What you can check: it is an aggregate of {} prompts, and its gap and rank follow from it.{attempts}",
                    format::percent(score.rate), score.total
                )
            }
            None => "the held-out score, which is still pending.".to_owned(),
        },
    }
}

/// A prefilled issue, or the text to send where no tracker is known.
pub(super) fn report(site: &SiteView, row: &RowFacts<'_>) -> Report {
    let id = format::clean(&row.row.id());
    let text = format!(
        "Row: {id}\nBoard: SHA-256 {}\nCommand: gmat-leaderboard verify --entry {}\n\nWhat is wrong:\n",
        site.board_sha,
        format::shell(&row.row.id())
    );
    let title = percent_encode(&format!("Row {}", format::truncate(&id, 120)));
    let body = percent_encode(&format::truncate(&text, 1500));
    let mail = site.links.iter().find(|link| link.href.starts_with("mailto:"));
    let href = match (site.repository.as_str(), mail) {
        ("", None) => String::new(),
        ("", Some(mail)) => format!("{}?subject={title}&body={body}", mail.href),
        (repository, _) => format!("{repository}/issues/new?title={title}&body={body}"),
    };
    Report { href, text }
}
