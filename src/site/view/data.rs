//! The page Data: what can be downloaded.

use serde::Serialize;

use super::Link;
use crate::facts::{Facts, PackFacts};
use crate::site::format;

/// A file to download.
#[derive(Debug, Serialize)]
pub(in crate::site) struct DataFile {
    pub(in crate::site) path: String,
    pub(in crate::site) what: &'static str,
    pub(in crate::site) bytes: String,
    pub(in crate::site) sha256: String,
}

/// Downloads.
#[derive(Debug, Serialize)]
pub(in crate::site) struct DataPage {
    files: Vec<DataFile>,
    example: String,
    /// The badge of the first row; empty without rows.
    badge: String,
    packs: Vec<Link>,
}

/// What can be downloaded.
pub(in crate::site) fn data_page(files: Vec<DataFile>, facts: &Facts<'_>) -> DataPage {
    let example = facts.rows.first().map(|row| format!("v1/entries/{}.json", row.slug));
    let pack = |pack: &PackFacts<'_>| Link {
        href: format!("v1/packs/{}.json", pack.slug),
        text: format::clean(pack.id),
    };
    let packs = facts.packs.iter().map(pack).collect();
    let badge = facts.rows.first().map(|row| format!("badge/{}.svg", row.slug));
    DataPage {
        files,
        example: example.unwrap_or_default(),
        badge: badge.unwrap_or_default(),
        packs,
    }
}
