//! Plain columns for a terminal, aligned, without lines.

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::ui::escape;

/// Sets `rows` under `heads`; a head that starts with `>` is aligned to the right.
pub(super) fn columns(heads: &[&str], rows: Vec<Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    let right: Vec<bool> = heads.iter().map(|head| head.starts_with('>')).collect();
    let cell = |(index, text): (usize, String)| {
        let alignment = if right[index] { CellAlignment::Right } else { CellAlignment::Left };
        Cell::new(escape(&text)).set_alignment(alignment)
    };
    let head = heads.iter().map(|head| head.trim_start_matches('>').to_owned());
    table.add_row(head.enumerate().map(cell));
    for row in rows {
        table.add_row(row.into_iter().enumerate().map(cell));
    }
    // Each cell is padded on both sides; the first one's padding would indent the table.
    let line = |line: String| format!("{}\n", line.strip_prefix(' ').unwrap_or(&line).trim_end());
    table.lines().map(line).collect()
}
