//! What templates see: structures of final strings, one per kind of page.

mod answer;
mod baseline;
mod changes;
mod compare;
mod data;
mod entry;
mod events;
mod headline;
mod index;
mod method;
mod pack_compare;
mod packs;
mod prompt;
mod prompts;
mod row;
mod run;
mod submit;
mod trend_changes;
mod trends;
mod verify;
mod verify_page;
mod withdrawn;

pub(super) use changes::changes_page;
pub(super) use compare::compare_page;
pub(super) use data::{DataFile, data_page};
pub(super) use entry::{HistoryLine, RowHistory, entry_page};
pub(in crate::site) use events::{EventLine, epoch_words, happened};
pub(super) use index::index_pages;
pub(super) use method::method_page;
pub(super) use pack_compare::pack_compare_page;
pub(super) use packs::pack_page;
pub(super) use prompt::{inline_scripts, prompt_page};
pub(super) use prompts::prompts_page;
pub(super) use run::run_page;
pub(super) use submit::submit_page;
pub(super) use trends::{runs_sentence, trends_page};
pub(super) use verify_page::verify_page;
pub(super) use withdrawn::{Tombstone, tombstones};

use crate::site::format;

use serde::Serialize;

use crate::domain::config::{Scalar, SetHeader, SiteTexts};

use super::Inputs;
use crate::facts::{Facts, ReplayCheck, RowFacts};

/// The heading of the index unless the config has one.
const QUESTION: &str = "Which model writes working GMAT mission scripts?";

/// What all pages share.
#[derive(Debug, Serialize)]
pub(super) struct SiteView {
    pub(super) title: String,
    /// For the title of a page, alone or after the page's own; search results cut longer ones.
    long_title: String,
    short_title: String,
    /// The heading of the index.
    question: String,
    pub(super) description: String,
    /// Says that rows are made up, where some are; empty otherwise.
    illustrative: String,
    nav: Vec<Link>,
    /// The pages that are linked at the foot.
    footer: Vec<Link>,
    pub(super) date: String,
    pub(super) stamp: String,
    pub(super) protocol: String,
    judge: String,
    pub(super) board_sha: String,
    pub(super) board_short: String,
    pub(super) version: String,
    pub(super) license: String,
    links: Vec<Link>,
    /// With a slash at the end; empty if unknown.
    pub(super) base_url: String,
    /// The address of the Space on the hub, if a link or the base URL leads to one; else empty.
    space: String,
    /// The repository's address; empty if unknown.
    repository: String,
    citation: String,
    /// Whether there is a page of trends: only where runs are recorded.
    has_trends: bool,
    /// Whether there is a board; without one the trends are the first page.
    pub(super) has_board: bool,
    /// How many lines the ledger has, in words; empty where there is none.
    ledger_lines: String,
    /// The first 16 hex digits of its root.
    ledger_root: String,
    /// The file of the seal; empty without one.
    seal: String,
    /// The commitment to the held-out set of this protocol version; empty without one.
    commitment: String,
}

/// An address and its text; an empty address is shown as text alone.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Link {
    pub(super) href: String,
    pub(super) text: String,
}

/// A term and what is said of it.
#[derive(Debug, Serialize)]
pub(super) struct Term {
    name: String,
    value: String,
}

impl SiteView {
    pub(super) fn new(
        inputs: &Inputs<'_>,
        facts: &Facts<'_>,
        has_prompts: bool,
        board_sha: &str,
    ) -> Self {
        let texts = &inputs.config.site;
        let has_trends = inputs.history.models().next().is_some();
        let title = texts.title.as_deref().unwrap_or("GMAT leaderboard");
        let description = texts.description.as_deref().unwrap_or(
            "Language models that write GMAT mission scripts, ranked on a private held-out set.",
        );
        let base_url = base_url(inputs);
        let mut view = Self {
            title: format::clean(title),
            long_title: format::truncate(&format::clean(title), 58),
            short_title: format::truncate(&format::clean(title), 30),
            question: format::clean(texts.question.as_deref().unwrap_or(QUESTION)),
            description: format::clean(description),
            illustrative: illustrative(facts),
            nav: navigation(facts, has_prompts),
            footer: footer(facts, has_trends),
            date: format::date(&facts.board.generated_at),
            stamp: format::clean(&facts.board.generated_at),
            protocol: format::clean(&facts.board.eval_protocol_version),
            judge: format::clean(&facts.board.judge_model),
            board_sha: board_sha.to_owned(),
            board_short: board_sha.chars().take(12).collect(),
            version: format::clean(inputs.version),
            license: format::clean(texts.license.as_deref().unwrap_or_default()),
            links: links(texts),
            space: space(texts, &base_url).unwrap_or_default(),
            base_url,
            repository: inputs
                .config
                .repository
                .clone()
                .or_else(|| repository(texts))
                .unwrap_or_default(),
            citation: String::new(),
            has_trends,
            has_board: true,
            ledger_lines: inputs.head.map_or_else(String::new, |head| {
                format::count(usize::try_from(head.size).unwrap_or(usize::MAX), "line")
            }),
            ledger_root: inputs.head.map_or_else(String::new, |head| head.root_sha16()),
            seal: inputs.seal.first().map_or_else(String::new, |(path, _)| path.clone()),
            commitment: inputs
                .history
                .commit(&facts.board.eval_protocol_version)
                .map_or_else(String::new, |line| line.set_commitment.clone()),
        };
        view.citation = view.cite("board", &view.title, "");
        view
    }

    /// For a site that shows a ledger alone; its first page are the trends.
    pub(super) fn of_ledger(mut self, facts: &Facts<'_>, texts: &SiteTexts) -> Self {
        if texts.title.is_none() {
            for title in [&mut self.title, &mut self.long_title, &mut self.short_title] {
                "Model quality".clone_into(title);
            }
        }
        if texts.description.is_none() {
            "Recorded scores of language models, week by week.".clone_into(&mut self.description);
        }
        let mut pages = vec![("index.html".to_owned(), "Trends")];
        pages.push(("changes.html".to_owned(), "Changes"));
        let pack = facts.packs.first().map(|pack| (format!("packs/{}.html", pack.slug), "Packs"));
        pages.extend(pack);
        let link = |(href, text): (String, &str)| Link { href, text: text.to_owned() };
        self.nav = pages.into_iter().map(link).collect();
        self.footer =
            vec![Link { href: "v1/history.json".to_owned(), text: "All data as JSON".to_owned() }];
        (self.has_trends, self.has_board) = (false, false);
        self
    }

    /// BibTeX of the board, or of one row of it.
    fn cite(&self, key: &str, title: &str, note: &str) -> String {
        let year: String = self.stamp.chars().take(4).collect();
        let mut lines = vec![
            format!("@misc{{gmat-{key}-{},", self.board_short),
            format!("  title = {{{{{}}}}},", format::bibtex(title)),
            format!("  year  = {{{}}},", format::bibtex(&year)),
            format!(
                "  note  = {{{note}Board of {}, protocol {}, SHA-256 {}}},",
                self.date,
                format::bibtex(&self.protocol),
                self.board_sha
            ),
        ];
        if !self.base_url.is_empty() {
            lines.push(format!("  url   = {{{}}},", self.base_url));
        }
        lines.push("}".to_owned());
        lines.join("\n")
    }
}

/// The banner of a board with made-up rows.
fn illustrative(facts: &Facts<'_>) -> String {
    let made_up = facts.made_up();
    match made_up {
        0 => String::new(),
        _ if made_up == facts.rows.len() => {
            "This board is made up: its models, answers, votes and prices were invented to show how a board works."
                .to_owned()
        }
        _ => format!(
            "{} on this board {} made up to show how a board works.",
            format::count(made_up, "model"),
            if made_up == 1 { "is" } else { "are" }
        ),
    }
}

/// The five links of the bar; those that have nothing to show yet are left out.
fn navigation(facts: &Facts<'_>, has_prompts: bool) -> Vec<Link> {
    let mut pages = vec![("index.html", "Leaderboard")];
    if facts.rank_groups.iter().any(|group| group.scored > 1) {
        pages.push(("compare.html", "Compare"));
    }
    if has_prompts {
        pages.push(("prompts.html", "Prompts"));
    }
    pages.extend([("method.html", "Method"), ("submit.html", "Submit")]);
    pages.into_iter().map(|(href, text)| Link { href: href.into(), text: text.into() }).collect()
}

/// The other pages that this site has, for the footer.
fn footer(facts: &Facts<'_>, has_trends: bool) -> Vec<Link> {
    let mut pages = Vec::new();
    if has_trends {
        pages.push(("trends.html", "Trends"));
    }
    pages.extend([("changes.html", "Changes"), ("verify.html", "Verify"), ("data.html", "Data")]);
    // The first pack, which leads to the others.
    let pack = facts.packs.first().map(|pack| format!("packs/{}.html", pack.slug));
    pages.extend(pack.as_deref().map(|href| (href, "Packs")));
    pages.into_iter().map(|(href, text)| Link { href: href.into(), text: text.into() }).collect()
}

/// `--base-url`, else the config's, with a slash at the end; empty if there is none.
fn base_url(inputs: &Inputs<'_>) -> String {
    let url = inputs.base_url.or(inputs.config.site.base_url.as_deref());
    url.and_then(format::address)
        .map(|url| format!("{}/", url.trim_end_matches('/')))
        .unwrap_or_default()
}

fn links(texts: &SiteTexts) -> Vec<Link> {
    let link = |text: &str, url: &str| Link {
        href: format::address(url).unwrap_or_default().to_owned(),
        text: format::clean(text),
    };
    let contact = texts.contact.as_deref().map(|contact| {
        let url = if contact.contains('@') && !contact.contains([':', '/', ' ']) {
            format!("mailto:{contact}")
        } else {
            contact.to_owned()
        };
        link(if format::address(&url).is_some() { "Contact" } else { contact }, &url)
    });
    texts.links.iter().map(|l| link(&l.text, &l.url)).chain(contact).collect()
}

/// The first address of a Space, `https://huggingface.co/spaces/owner/name`.
fn space(texts: &SiteTexts, base_url: &str) -> Option<String> {
    let urls = texts.links.iter().map(|link| link.url.as_str()).chain([base_url]);
    urls.filter_map(format::address).find_map(|url| {
        let path = url.strip_prefix("https://huggingface.co/spaces/")?;
        let mut parts = path.split(['/', '?', '#']).filter(|part| !part.is_empty());
        Some(format!("https://huggingface.co/spaces/{}/{}", parts.next()?, parts.next()?))
    })
}

/// The first link that leads to a repository on a known host: `https://host/owner/name`.
fn repository(texts: &SiteTexts) -> Option<String> {
    let urls = texts.links.iter().map(|link| link.url.as_str()).chain(texts.contact.as_deref());
    urls.filter_map(format::address).find_map(|url| {
        let path = url.strip_prefix("https://github.com/")?;
        let mut parts = path.split(['/', '?', '#']);
        let (owner, name) = (parts.next()?, parts.next()?);
        (!owner.is_empty() && !name.is_empty())
            .then(|| format!("https://github.com/{owner}/{}", name.trim_end_matches(".git")))
    })
}

/// `41 of 51`
fn of_all((passed, total): (u64, u64)) -> String {
    format!("{passed} of {total}")
}

/// `41/51`
fn fraction((passed, total): (u64, u64)) -> String {
    format!("{passed}/{total}")
}

/// The word for a row's state.
fn state_word(state: ReplayCheck) -> &'static str {
    match state {
        ReplayCheck::Match => "replayed",
        ReplayCheck::Mismatch => "differs",
        ReplayCheck::NotRun => "no bundle",
    }
}

/// `+50.0 pp`, with counts if known.
fn lift(row: &RowFacts<'_>) -> Option<(String, String)> {
    let repair = row.row.close_the_loop.as_ref()?;
    let counts = row.lift.map_or_else(
        || {
            let (base, repaired) = (repair.base_runnable, repair.repaired_runnable);
            format!("{} → {}", format::percent(base), format::percent(repaired))
        },
        |lift| format!("{}/{n} → {}/{n}", lift.base, lift.repaired, n = lift.prompts),
    );
    Some((format::points(repair.repair_lift), counts))
}

/// The blocks of the header that describe a prompt set.
fn terms(header: &SetHeader) -> Vec<Term> {
    let value = |scalar: &Scalar| match scalar {
        Scalar::Text(text) => format::clean(text),
        Scalar::Bool(value) => if *value { "yes" } else { "no" }.to_owned(),
        Scalar::Integer(number) => number.to_string(),
        Scalar::Real(number) => number.to_string(),
        Scalar::Counts(counts) => counts
            .iter()
            .map(|(tier, count)| format!("{} {count}", format::clean(tier)))
            .collect::<Vec<_>>()
            .join(", "),
    };
    header
        .iter()
        .map(|(name, scalar)| Term {
            name: format::clean(name).replace('_', " "),
            value: value(scalar),
        })
        .collect()
}
