//! What can be said of headlines that were not re-derived.

use std::collections::BTreeSet;

use super::{AuditInputs, Auditor, Published};
use crate::board::audit::plausible::{Misfit, misfits};
use crate::board::model::Cell;
use crate::board::rules::USUAL_TIERS;
use crate::domain::Code;
use crate::domain::config::HeldOutTiers;
use crate::json::Node;

impl Auditor<'_> {
    /// Headlines that were not re-derived must at least be the result of counting one set.
    pub(super) fn held_out_form(&mut self, published: &[Published<'_, '_>]) {
        let cells: Vec<(usize, &Cell)> = published
            .iter()
            .enumerate()
            .filter_map(|(index, row)| Some((index, row.held_out.as_ref()?.cell()?)))
            .collect();
        let suppressed = |against: &AuditInputs<'_>| {
            against.config.held_out_tiers == HeldOutTiers::SuppressSmall
        };
        for (index, misfit) in misfits(&cells, self.against.is_none_or(suppressed)) {
            let (code, what) = match misfit {
                Misfit::Impossible => {
                    (Code::EHeldForm, "these rates are not possible for this number of prompts")
                }
                Misfit::OtherSet => (
                    Code::EHeldSet,
                    "the row has another number of held-out prompts or tiers than the other rows",
                ),
                Misfit::OtherSizes => (
                    Code::EHeldSet,
                    "these rates imply tier sizes that differ from the other rows'",
                ),
            };
            self.in_row(index, code, "held_out", what);
        }
        for (index, row) in published.iter().enumerate().filter(|(_, row)| row.held_out.is_none()) {
            // The schema check reports what is not a cell.
            if self.rows[index].iter().all(|finding| !finding.path.contains("held_out"))
                && is_cell(row.node)
            {
                self.in_row(
                    index,
                    Code::EHeldForm,
                    "held_out",
                    "the rates are not thousandths between 0 and 1",
                );
            }
        }
    }

    /// Tier names come from the public set: per-prompt results could hide in any other.
    pub(super) fn tiers(&mut self, published: &[Published<'_, '_>]) {
        let mut known: BTreeSet<&str> = USUAL_TIERS.into();
        if let Some(against) = self.against {
            for scored in &against.seeds.scored {
                known.extend(scored.tiers().chain(scored.loop_tiers()));
            }
        } else {
            let cells = published.iter().filter_map(|row| row.public.as_ref());
            known.extend(cells.flat_map(|cell| cell.by_tier.keys().map(String::as_str)));
        }
        for (index, row) in published.iter().enumerate() {
            for (cell, tiers) in [("held_out", "by_tier"), ("close_the_loop", "dry_run_agreement")]
            {
                let tiers_node = row
                    .node
                    .object()
                    .ok()
                    .and_then(|row| row.get(cell)?.object().ok()?.get(tiers)?.object().ok());
                let strange = tiers_node.map_or(0, |tiers| {
                    tiers.iter().filter(|(tier, _)| !known.contains(&***tier)).count()
                });
                if strange > 0 {
                    let what = format!("{strange} of these names are not tiers of the public set");
                    self.in_row(index, Code::LTier, &format!("{cell}.{tiers}"), what);
                }
            }
        }
    }
}

fn is_cell(row: &Node<'_>) -> bool {
    row.object().is_ok_and(|row| row.get("held_out").is_some_and(|cell| cell.object().is_ok()))
}
