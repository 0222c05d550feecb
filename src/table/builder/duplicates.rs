//! Cells given twice.

use std::collections::HashMap;

use super::presence::Presence;
use super::{BuildError, Builder, Duplicates, Policy};
use crate::table::cell::Cell;

impl Builder {
    pub(super) fn resolve_duplicates(&mut self, policy: &Policy) -> Result<(), BuildError> {
        if policy.duplicates == Duplicates::Keep {
            return Ok(());
        }
        self.list_repeated_aggregates();
        let mut presence = Presence::from_content(&self.content);
        let mut aggregates = std::collections::HashSet::new();
        let is_again = |cell: &Cell| {
            if cell.scope == Cell::ALL {
                !aggregates.insert((cell.run, cell.measure))
            } else {
                !presence.insert(cell)
            }
        };
        let again: Vec<usize> = {
            let mut is_again = is_again;
            let cells = self.content.cells.iter().enumerate();
            cells.filter(|(_, cell)| is_again(cell)).map(|(at, _)| at).collect()
        };
        let Some(second) = again.first().map(|at| self.content.cells[*at]) else { return Ok(()) };
        if policy.duplicates == Duplicates::Error {
            let first = self.content.cells.iter().find(|cell| key(cell) == key(&second));
            return Err(BuildError::Duplicate {
                run: self.content.ids.get(self.content.runs[second.run as usize]).to_owned(),
                topic: (second.scope != Cell::ALL)
                    .then(|| self.content.topics.get(second.scope).to_owned()),
                measure: self.content.measures[usize::from(second.measure)].name.clone(),
                lines: (first.map_or(0, |cell| cell.line), second.line),
                count: again.len(),
            });
        }
        let repeated: std::collections::HashSet<_> =
            again.iter().map(|at| key(&self.content.cells[*at])).collect();
        // Where each repeated cell is first, and what its numbers add up to.
        let mut kept: HashMap<(u32, u32, u16), (usize, f64, f64)> = HashMap::new();
        let mut out: Vec<Cell> = Vec::with_capacity(self.content.cells.len());
        for cell in &self.content.cells {
            if !repeated.contains(&key(cell)) {
                out.push(*cell);
                continue;
            }
            let number = cell.number().unwrap_or_default();
            let Some((at, sum, count)) = kept.get_mut(&key(cell)) else {
                kept.insert(key(cell), (out.len(), number, 1.0));
                out.push(*cell);
                continue;
            };
            *sum += number;
            *count += 1.0;
            match policy.duplicates {
                Duplicates::Last => out[*at] = *cell,
                Duplicates::Mean if !cell.is_text => out[*at].bits = (*sum / *count).to_bits(),
                _ => {}
            }
        }
        self.content.cells = out;
        Ok(())
    }

    /// Where an aggregate is both in its column and as a cell, makes a cell of the former, in
    /// front: it came first.
    fn list_repeated_aggregates(&mut self) {
        let content = &mut self.content;
        let mut first: Vec<Cell> = Vec::new();
        for cell in content.cells.iter().filter(|cell| cell.scope == Cell::ALL) {
            let column = &mut content.columns[usize::from(cell.measure)];
            if let Some((bits, is_text)) = column.get(cell.run) {
                first.push(Cell { line: 0, is_text, bits, ..*cell });
                column.clear(cell.run);
            }
        }
        if !first.is_empty() {
            first.append(&mut content.cells);
            content.cells = first;
        }
    }
}

fn key(cell: &Cell) -> (u32, u32, u16) {
    (cell.run, cell.scope, cell.measure)
}
