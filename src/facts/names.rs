//! What pages call a model: harmless to show, and unlike every other name.

use std::collections::{BTreeMap, BTreeSet};

use crate::board::Row;
use crate::domain::clean;
use crate::domain::config::About;
use crate::facts::{Facts, RowFacts};

/// Name and organization: those of `about`, else the model's parts after and before its last slash;
/// a model without a slash belongs to its provider.
pub(super) fn names(row: &Row, about: Option<&About>) -> (String, String) {
    let (owner, model) = row.model.rsplit_once('/').unwrap_or((&row.provider, &row.model));
    let name = about.and_then(|about| about.name.as_deref()).unwrap_or(model);
    let organization = about.and_then(|about| about.organization.as_deref()).unwrap_or(owner);
    (clean(name), clean(organization))
}

/// Rows of one name get their provider behind it, or the whole id if that is not enough.
pub(super) fn tell_apart(rows: &mut [RowFacts<'_>]) {
    for with in [
        |row: &RowFacts<'_>| format!("{} ({})", row.name, row.provider),
        |row: &RowFacts<'_>| clean(&row.row.id()),
    ] {
        let mut uses: BTreeMap<String, usize> = BTreeMap::new();
        for row in &*rows {
            *uses.entry(row.name.clone()).or_default() += 1;
        }
        for row in rows.iter_mut().filter(|row| uses[&row.name] > 1) {
            row.name = with(row);
        }
    }
}

impl Facts<'_> {
    /// What pages call the rows and the `others`, which are ids, each with the name the config gives it
    /// or an empty one. A model that is not on the board goes by its name without the provider, or by
    /// its whole id where another has that name.
    pub(crate) fn model_names<'m>(
        &self,
        others: impl Iterator<Item = (&'m String, &'m String)>,
    ) -> BTreeMap<String, String> {
        let name = |(id, given): (&'m String, &'m String)| {
            let short = id.split_once(':').map_or(id.as_str(), |(_, model)| model);
            (id.clone(), if given.is_empty() { clean(short) } else { given.clone() })
        };
        let others: Vec<(String, String)> = others.map(name).collect();
        let rows: Vec<(String, String)> =
            self.rows.iter().map(|row| (row.row.id(), row.name.clone())).collect();
        let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (id, name) in others.iter().chain(&rows) {
            uses.entry(name).or_default().insert(id);
        }
        let unlike = |(id, name): &(String, String)| {
            let name = if uses[name.as_str()].len() > 1 { clean(id) } else { name.clone() };
            (id.clone(), name)
        };
        others.iter().map(unlike).chain(rows.iter().cloned()).collect()
    }
}
