//! Plain columns for a terminal, aligned, without lines.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::ui::escape;
use crate::ui::grid::{Grid, not_fitting, room};

/// The shortest that notes and ids are cut to on a narrow terminal.
const LEAST_NOTE: usize = 16;
const LEAST_ID: usize = 8;

/// Sets `rows` under `heads`; a head that starts with `>` is aligned to the right. On a terminal,
/// notes are cut and columns dropped until it fits; the first two columns, the run and the notes stay.
pub(super) fn columns(heads: &[&str], rows: &[Vec<String>]) -> String {
    let heads: Vec<(&str, bool)> =
        heads.iter().map(|head| (head.trim_start_matches('>'), head.starts_with('>'))).collect();
    let mut grid = Grid::new(&heads);
    grid.rows =
        rows.iter().map(|row| row.iter().map(|text| escape(text).into()).collect()).collect();
    let room = room();
    let last = heads.len() - 1;
    if !heads[last].1 {
        grid.squeeze(room, last, LEAST_NOTE);
    }
    let is_kept = |(at, (head, _)): (usize, &(&str, bool))| at < 2 || at == last || *head == "run";
    let dropped = grid.fit(room, heads.iter().enumerate().map(is_kept).collect());
    let widest = (0..grid.header.len()).max_by_key(|at| grid.column_width(*at)).unwrap_or(0);
    grid.squeeze(room, widest, LEAST_ID);

    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    for row in std::iter::once(grid.header).chain(grid.rows) {
        table.add_row(row.into_iter().zip(&grid.right).map(|(text, right)| {
            let alignment = if *right { CellAlignment::Right } else { CellAlignment::Left };
            Cell::new(text).set_alignment(alignment)
        }));
    }
    // Each cell is padded on both sides; the first one's padding would indent the table.
    let line = |line: String| format!("{}\n", line.strip_prefix(' ').unwrap_or(&line).trim_end());
    table.lines().map(line).collect::<String>() + &not_fitting(dropped, "--json")
}
