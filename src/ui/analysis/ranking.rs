//! A ranking on a terminal.

use super::super::table::{CellColor, Grid, lit, not_fitting, room};
use super::super::{Ui, count};
use super::{clean, notes};
use crate::compat::rlm_code::Styled;
use crate::domain::truncate;
use crate::table::{Column, MISSING, Medium, Page, RankRow, Shown};

/// How long an id and a name may be, the roomiest first.
const LENGTHS: [(usize, usize); 5] = [(WHOLE, WHOLE), (WHOLE, 15), (WHOLE, 9), (36, 9), (24, 9)];
const WHOLE: usize = usize::MAX;

impl Ui {
    /// A ranking as a table with a title and a caption.
    pub fn page(self, page: &Page<'_>) -> String {
        let columns = page.columns(Medium::Page);
        let short = page.table.short_ids(8);
        let grid_with = |lengths: (usize, usize)| Grid {
            header: columns.iter().map(|column| clean(&column.header)).collect(),
            right: columns.iter().map(Page::is_number).collect(),
            rows: page
                .rows()
                .iter()
                .map(|row| {
                    let unique = short[row.run.index()];
                    columns.iter().map(|column| cell(page, row, column, unique, lengths)).collect()
                })
                .collect(),
        };
        // Names are cut first, then long ids; then the last columns go.
        let room = room();
        let fits = |grid: &Grid| grid.width() <= room;
        let mut grid = LENGTHS
            .into_iter()
            .map(grid_with)
            .find(fits)
            .unwrap_or_else(|| grid_with(LENGTHS[LENGTHS.len() - 1]));
        let by: Vec<&str> =
            page.measures().map(|id| page.table.measure(id).name.as_str()).collect();
        // Rank and id stay, and so does what the ranking is about.
        let is_kept = |(at, c): (usize, &Column)| {
            at < 2 || page.measure(c).is_some_and(|name| by.contains(&name))
        };
        let dropped = grid.fit(room, columns.iter().enumerate().map(is_kept).collect());
        if grid.header.len() > 1 {
            grid.squeeze(room, 1, 8);
        }
        let mut text = format!(
            "{} (by {})\n\n{}\n",
            clean(&page.title),
            clean(&by.join(", then ")),
            grid.draw()
        );
        text += &caption(page, dropped);
        text += &notes(page.table, "");
        text
    }

    /// Upstream's table.
    pub fn styled(self, table: &Styled) -> String {
        let light = |color: &str| match color {
            "green" => CellColor::Good,
            "yellow" => CellColor::Fair,
            _ => CellColor::Bad,
        };
        let mut grid = Grid::new(&table.columns.map(|(header, _, side)| (header, side == "right")));
        grid.rows = table
            .rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|cell| match cell.color {
                        Some(color) => lit(&clean(&cell.text), light(color)),
                        None => clean(&cell.text),
                    })
                    .collect()
            })
            .collect();
        format!("{}\n\n{}\n{}\n", clean(&table.title), grid.draw(), clean(&table.caption))
    }
}

fn cell(
    page: &Page<'_>,
    row: &RankRow,
    column: &Column<'_>,
    unique: usize,
    (id_length, name_length): (usize, usize),
) -> String {
    match page.cell(row, column) {
        Shown::Missing => MISSING.to_owned(),
        Shown::Text(text) if Page::is_id(column) => {
            let text = clean(text);
            // Long ids are cut where they are still unique.
            if text.chars().count() <= id_length {
                text
            } else {
                truncate(&text, unique.max(id_length - 1) + 1)
            }
        }
        Shown::Text(text) => truncate(&clean(text), name_length),
        Shown::Number(number, display) => {
            let text = display.show(number);
            match page.measure(column) {
                None if row.tied => format!("{text}="),
                Some("reward") => lit(&text, threshold(number, 0.7, 0.4)),
                Some("completion_rate") => lit(&text, threshold(number, 0.8, 0.5)),
                _ => text,
            }
        }
    }
}

fn threshold(number: f64, good: f64, fair: f64) -> CellColor {
    match number {
        number if number >= good => CellColor::Good,
        number if number >= fair => CellColor::Fair,
        _ => CellColor::Bad,
    }
}

fn caption(page: &Page<'_>, dropped: usize) -> String {
    let (shown, matching) = (page.rows().len(), page.ranking.rows.len());
    let mut parts = vec![format!("{shown} of {}", count(matching, "run"))];
    if page.total != matching {
        parts.push(format!("{} before filters", page.total));
    }
    let (all, part) = page.figures();
    let display = page.table.measure(page.ranking.measure).display;
    if let Some(all) = all {
        parts.push(format!("mean {}", display.show(all.mean)));
        if matching > all.count {
            parts.push(format!("{} without a value", matching - all.count));
        }
    }
    if let Some(part) = part {
        parts.push(format!("mean of those shown {}", display.show(part.mean)));
    }
    if page.rows().iter().any(|row| row.tied) {
        parts.push("= ties".to_owned());
    }
    let mut text = parts.join(" · ") + "\n";
    text += &not_fitting(dropped, "--to csv");
    text
}
