//! Runs side by side.

use serde_json::{Map, Value, json};

use super::super::Ui;
use super::super::table::{CellColor, Grid, lit, room};
use super::{clean, notes};
use crate::domain::{Failure, truncate};
use crate::table::{Comparison, Duel, MISSING, MeasureId, RunId, Table, json_number};

impl Ui {
    /// A column per run, a row per measure; then topic by topic.
    pub fn comparison(
        self,
        table: &Table,
        comparison: &Comparison,
        fallen: &[(MeasureId, RunId, f64)],
        json: bool,
    ) -> Result<(), Failure> {
        if json {
            self.json(&to_json(table, comparison, fallen))?;
            return self.fallen(table, comparison, fallen);
        }
        let wide = match room() {
            usize::MAX => usize::MAX,
            room => (room.saturating_sub(20) / comparison.runs.len().max(1)).max(10),
        };
        let ids: Vec<String> =
            comparison.runs.iter().map(|run| truncate(&clean(table.id(*run)), wide)).collect();
        let mut columns = vec![("Measure", false)];
        columns.extend(ids.iter().map(|id| (id.as_str(), true)));
        let mut grid = Grid::new(&columns);
        for side in &comparison.sides {
            let measure = table.measure(side.measure);
            let mut row = vec![clean(measure.label()) + measure.better.arrow()];
            for (at, value) in side.values.iter().enumerate() {
                let text = value.map_or(MISSING.to_owned(), |value| measure.display.show(value));
                let best = side.best.contains(&at) && side.best.len() < side.values.len();
                row.push(if best { lit(&text, CellColor::Good) } else { text });
            }
            grid.rows.push(row);
        }
        for (header, facet) in beside(table) {
            let known = |run: &RunId| table.facet(*run, facet).known();
            if comparison.runs.iter().any(|run| known(run).is_some()) {
                let cells = comparison.runs.iter().map(|run| match known(run) {
                    Some(text) => truncate(&clean(text), wide),
                    None => MISSING.to_owned(),
                });
                grid.rows.push(std::iter::once((*header).to_owned()).chain(cells).collect());
            }
        }
        let mut text = grid.draw() + &notes(table, "\n");
        for duel in &comparison.duels {
            text += &format!("\n{}\n", duel_line(duel, comparison.duels.len() > 1));
        }
        self.out(text)?;
        self.fallen(table, comparison, fallen)
    }

    fn fallen(
        self,
        table: &Table,
        comparison: &Comparison,
        fallen: &[(MeasureId, RunId, f64)],
    ) -> Result<(), Failure> {
        let base = table.id(comparison.runs[0]);
        fallen.iter().try_for_each(|(measure, run, drop)| {
            let (id, name) = (table.id(*run), &table.measure(*measure).name);
            self.result(&format!("`{id}` is worse than `{base}` by {drop:.4} on `{name}`"))
        })
    }
}

/// What the source wants said of its runs besides measures.
fn beside(table: &Table) -> &[(&'static str, &'static str)] {
    table.layout().map(|layout| layout.beside.as_slice()).unwrap_or_default()
}

fn duel_line(duel: &Duel, several: bool) -> String {
    let n = duel.wins + duel.losses + duel.ties;
    let plural = if n == 1 { "topic" } else { "topics" };
    let mut text = format!(
        "{}: {} against {} on {n} shared {plural}: {} better, {} worse, {} equal; exact p = {:.4}",
        clean(&duel.measure),
        clean(&duel.a),
        clean(&duel.b),
        duel.wins,
        duel.losses,
        duel.ties,
        duel.p
    );
    if several {
        text += &format!(" (corrected {:.4})", duel.p_holm);
    }
    let is_small = |p: f64| p <= crate::table::significance::ALPHA;
    text += match (is_small(duel.p), is_small(duel.p_holm)) {
        (_, true) => "; significant",
        (true, false) => {
            "; not significant once corrected for the number of tests (`--by MEASURE` makes fewer)"
        }
        (false, false) => "; not significant",
    };
    text += &match duel.detects {
        // The correction asks for more.
        Some(_) if several => String::new(),
        Some(share) => format!(
            "; if no topic is lost, a lead of {:.1} % on {n} topics is significant",
            share * 100.0
        ),
        None if n == 1 => "; 1 topic is too few for a significant lead".to_owned(),
        None => format!("; {n} topics are too few for a significant lead"),
    };
    if duel.unshared > 0 {
        text += &format!("; {} topics only one of them has", duel.unshared);
    }
    text
}

fn to_json(table: &Table, comparison: &Comparison, fallen: &[(MeasureId, RunId, f64)]) -> Value {
    let mut runs = Map::new();
    for (at, run) in comparison.runs.iter().enumerate() {
        let values: Map<String, Value> = comparison
            .sides
            .iter()
            .map(|side| {
                (table.measure(side.measure).name.clone(), json!(side.values[at].map(json_number)))
            })
            .collect();
        let mut of_run = json!({ "metrics": values });
        for (_, facet) in beside(table) {
            of_run[*facet] = json!(table.facet(*run, facet).known());
        }
        runs.insert(table.id(*run).to_owned(), of_run);
    }
    let drops: Vec<Value> = fallen
        .iter()
        .map(|(measure, run, drop)| {
            json!({"run": table.id(*run), "measure": table.measure(*measure).name, "drop": drop})
        })
        .collect();
    json!({"runs": runs, "duels": comparison.duels, "drops": drops})
}
