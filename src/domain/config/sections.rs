//! The smaller sections: exceptions, prices, texts of the site.

use serde::Serialize;

use crate::domain::Code;

/// An exception an owner accepts, for a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Waiver {
    /// The finding it accepts.
    pub code: Code,
    /// Where: the path of one bundle as its seed has it, or `provider:model` of one row.
    pub path: String,
    /// Who accepts it.
    pub who: String,
    /// Why.
    pub why: String,
    /// The last day it holds, `YYYY-MM-DD`.
    pub until: String,
}

/// Whether held-out rates of tiers with fewer than five prompts are published.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum HeldOutTiers {
    /// As the reference does.
    #[default]
    AsIs,
    /// Tiers below five prompts are left out.
    SuppressSmall,
}

/// What a model costs, per million tokens.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Price {
    /// Price of a million input tokens.
    pub input: f64,
    /// Price of a million output tokens.
    pub output: f64,
    /// The day the price was read, `YYYY-MM-DD`.
    pub date: String,
    /// Where it was read.
    pub source: String,
}

impl Price {
    /// What so many input and output tokens cost, in US dollars.
    pub(crate) fn cost(&self, input: f64, output: f64) -> f64 {
        (input * self.input + output * self.output) / 1e6
    }
}

/// A link with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Link {
    /// What it says.
    pub text: String,
    /// Where it leads.
    pub url: String,
}

/// Texts of the site and the Space card.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SiteTexts {
    /// The board's name.
    pub title: Option<String>,
    /// One or two sentences below it.
    pub description: Option<String>,
    /// Links in the foot of each page.
    pub links: Vec<Link>,
    /// Where to write.
    pub contact: Option<String>,
    /// The question that the board answers, shown as its heading.
    pub question: Option<String>,
    /// License of the data, as an SPDX id; written `license` or `licence`.
    pub license: Option<String>,
    /// Where the site will live; needed for the feed and the sitemap.
    pub base_url: Option<String>,
    /// Models named on the Space card.
    pub models: Vec<String>,
    /// Datasets named on the Space card.
    pub datasets: Vec<String>,
}

/// How often the held-out set may be scored under one protocol version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AttemptLimits {
    /// How many scorings the set is good for in all; shown, not enforced.
    pub budget: Option<u64>,
    /// How many scorings one entrant gets; `build` refuses more.
    pub per_entrant: Option<u64>,
}
