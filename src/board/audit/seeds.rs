//! Which seed each row belongs to, and the order of the rows.

use std::collections::{BTreeMap, BTreeSet};

use super::{Auditor, Headline, Published, headline};
use crate::domain::{Code, Finding};
use crate::json::{Node, Value};

impl Auditor<'_> {
    /// Which seed each row belongs to; rows without a seed, rows that are there twice, and seeds
    /// that have no row.
    pub(super) fn seeds(&mut self, published: &mut [Published<'_, '_>]) {
        let Some(against) = self.against else { return self.duplicates(published) };
        let seeds = &against.config.seeds;
        let mut free: BTreeSet<usize> = (0..seeds.len()).collect();
        for row in published.iter_mut() {
            let own = seeds
                .iter()
                .position(|seed| seed.provider == row.provider && seed.model == row.model);
            row.seed = own;
            own.inspect(|own| {
                free.remove(own);
            });
        }
        // A row whose provider alone differs is that seed's row with a wrong provider.
        for row in published.iter_mut().filter(|row| row.seed.is_none()) {
            let mut same = free.iter().copied().filter(|seed| seeds[*seed].model == row.model);
            if let (Some(only), None) = (same.next(), same.next()) {
                row.seed = Some(only);
                free.remove(&only);
            }
        }
        self.duplicates(published);
        if self.scope.one_row {
            return;
        }
        if published.iter().all(|row| row.seed.is_none()) && !self.scope.allow_empty {
            let what = format!("none of the {} row(s) has a seed in the config", published.len());
            self.whole.push(Finding::new(Code::EEmpty, self.file, "entries", what));
        }
        let is_wanted = |seed: usize| free.contains(&seed) && seeds[seed].withdrawn.is_none();
        for scored in against.seeds.scored.iter().filter(|scored| is_wanted(scored.seed)) {
            let what = format!(
                "seed `{}` has a bundle but no row",
                against.config.seeds[scored.seed].id()
            );
            let path = format!("seeds[{}]", scored.seed);
            self.whole.push(Finding::new(Code::ERowMissing, against.config_file, path, what));
        }
        // The schema check reports a row without a name.
        let named = |row: &Published<'_, '_>| row.seed.is_none() && !row.model.is_empty();
        for (index, row) in published.iter().enumerate().filter(|(_, row)| named(row)) {
            let path = format!("entries[{index}]");
            let finding = Finding::new(
                Code::ERowUnknown,
                self.file,
                path,
                "the row has no seed in the config",
            );
            let finding = if self.scope.allow_unseeded { finding.note() } else { finding };
            // A name in a foreign alphabet is a stranger first; markup, control characters and
            // names of any length are reported as such first.
            let letters = |c: char| c.is_alphanumeric() || "._:/+@-".contains(c);
            if row.model.len() <= 200 && row.model.chars().all(letters) {
                self.rows[index].insert(0, finding);
            } else {
                self.rows[index].push(finding);
            }
        }
    }

    fn duplicates(&mut self, published: &[Published<'_, '_>]) {
        let mut seen = BTreeMap::new();
        for (index, row) in published.iter().enumerate() {
            if let Some(first) = seen.insert((row.provider, row.model), index) {
                let what = format!("the row repeats provider and model of entries[{first}]");
                self.rows[index].push(Finding::new(
                    Code::ERowDup,
                    self.file,
                    format!("entries[{index}]"),
                    what,
                ));
            }
        }
    }

    /// Rows are in the recomputed order and carry their position.
    pub(super) fn order(&mut self, published: &[Published<'_, '_>]) {
        if self.scope.one_row {
            return;
        }
        let mut order: Vec<usize> = (0..published.len()).collect();
        let key = |index: &usize| {
            let row = &published[*index];
            let rate = headline(row.node).rate();
            (std::cmp::Reverse(rate), row.model, row.seed.unwrap_or(usize::MAX))
        };
        // A row whose headline is unclear keeps its place: its neighbours did nothing wrong.
        let clear: Vec<usize> = (0..published.len())
            .filter(|index| headline(published[*index].node) != Headline::Unclear)
            .collect();
        let mut sorted = clear.clone();
        sorted.sort_by(|a, b| key(a).cmp(&key(b)));
        for (place, index) in clear.into_iter().zip(sorted) {
            order[place] = index;
        }
        if let Some(position) =
            order.iter().enumerate().position(|(position, index)| position != *index)
        {
            let what = "rows are not in the order of their headlines, then their names";
            let finding =
                Finding::new(Code::EOrder, self.file, format!("entries[{position}]"), what);
            let name = |index: usize| {
                format!("`{}`", published[index].model.chars().take(40).collect::<String>())
            };
            self.whole.push(finding.sides(name(position), name(order[position])));
        }
        for (position, index) in order.into_iter().enumerate() {
            let rank = published[index].node.object().ok().and_then(|row| row.get("rank"));
            let Some(Node { value: Value::Number(number), .. }) = rank else { continue };
            let expected = position as u64 + 1;
            if number.as_u64() != Some(expected) {
                let published = number.as_str().chars().take(24).collect::<String>();
                let finding =
                    self.in_row(index, Code::ERank, "rank", "the rank is not the row's position");
                (finding.published, finding.rebuilt) =
                    (Some(published), Some(expected.to_string()));
            }
        }
    }
}
