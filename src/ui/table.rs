//! Tables on a terminal: the only place that aligns columns.
//!
//! Colours travel through the layout as invisible marks of no width and become escapes at the
//! end; foreign text cannot hold such a mark, because [`escape`](super::escape) spells it out.

use std::io::IsTerminal;

use anstyle::{AnsiColor, Style};
use comfy_table::{
    Cell, CellAlignment, ContentArrangement, ContentLineStyle, LineStyle, Table as Drawn,
    TableStyle, presets,
};

use crate::domain::{escape, truncate};

/// A colour of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CellColor {
    Good,
    Fair,
    Bad,
    Bold,
}

const MARKS: [(CellColor, char, Style); 4] = [
    (CellColor::Good, '\u{2061}', AnsiColor::Green.on_default()),
    (CellColor::Fair, '\u{2062}', AnsiColor::Yellow.on_default()),
    (CellColor::Bad, '\u{2063}', AnsiColor::Red.on_default()),
    (CellColor::Bold, '\u{206a}', Style::new().bold()),
];
/// Nothing but one line under the header.
const STYLE: TableStyle = TableStyle::new()
    .header_lines(ContentLineStyle::none().junction(' '))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .content_lines(ContentLineStyle::none().junction(' '));
const END: char = '\u{2064}';

/// The shortest that notes and ids are cut to on a narrow terminal.
const LEAST_NOTE: usize = 16;
const LEAST_ID: usize = 8;

/// `text`, which is escaped already, in a colour.
pub(super) fn lit(text: &str, light: CellColor) -> String {
    let mark = MARKS.iter().find(|(known, ..)| *known == light).map_or(END, |(_, mark, _)| *mark);
    format!("{mark}{text}{END}")
}

/// A header and rows, every text escaped already; `right` says which columns hold numbers.
pub(super) struct Grid {
    pub(super) header: Vec<String>,
    pub(super) right: Vec<bool>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Grid {
    pub(super) fn new(columns: &[(&str, bool)]) -> Self {
        Self {
            header: columns.iter().map(|(header, _)| (*header).to_owned()).collect(),
            right: columns.iter().map(|(_, right)| *right).collect(),
            rows: Vec::new(),
        }
    }

    /// How many letters wide it is drawn.
    pub(super) fn width(&self) -> usize {
        let columns = 0..self.header.len();
        columns.map(|at| self.column_width(at) + 2).sum::<usize>().saturating_sub(1)
    }

    pub(super) fn column_width(&self, at: usize) -> usize {
        let length = |text: &String| text.chars().filter(|c| !is_mark(*c)).count();
        let cells = self.rows.iter().filter_map(|row| row.get(at)).map(length);
        cells.max().unwrap_or(0).max(length(&self.header[at]))
    }

    /// Drops a column.
    pub(super) fn remove(&mut self, at: usize) {
        self.header.remove(at);
        self.right.remove(at);
        for row in &mut self.rows {
            row.remove(at);
        }
    }

    /// Drops columns from the right until the table fits into `room`, except those that are
    /// `kept`; says how many.
    pub(super) fn fit(&mut self, room: usize, mut kept: Vec<bool>) -> usize {
        let mut dropped = 0;
        while self.width() > room {
            let Some(at) = kept.iter().rposition(|kept| !kept) else { break };
            self.remove(at);
            kept.remove(at);
            dropped += 1;
        }
        dropped
    }

    /// Cuts the texts of one column until the table fits into `room`, but not below `least`.
    pub(super) fn squeeze(&mut self, room: usize, at: usize, least: usize) {
        let too_wide = self.width().saturating_sub(room);
        let longest = self.column_width(at).saturating_sub(too_wide).max(least);
        self.shorten(room, &[(at, longest)]);
    }

    /// Cuts the texts of columns to a length each, if the table is wider than `room`.
    pub(super) fn shorten(&mut self, room: usize, lengths: &[(usize, usize)]) {
        if self.width() <= room {
            return;
        }
        for row in &mut self.rows {
            for (at, length) in lengths {
                row[*at] = truncate(&row[*at], *length);
            }
        }
    }

    /// The table as aligned columns, without lines.
    fn lines(self) -> String {
        let mut drawn = Drawn::new();
        drawn.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        for row in std::iter::once(self.header).chain(self.rows) {
            drawn.add_row(row.into_iter().zip(&self.right).map(|(text, right)| {
                let alignment = if *right { CellAlignment::Right } else { CellAlignment::Left };
                Cell::new(text).set_alignment(alignment)
            }));
        }
        // Each cell is padded on both sides; the first one's padding would indent the table.
        let line =
            |line: String| format!("{}\n", line.strip_prefix(' ').unwrap_or(&line).trim_end());
        drawn.lines().map(line).collect()
    }

    /// The table, with one line under the header.
    pub(super) fn draw(&self) -> String {
        let mut drawn = Drawn::new();
        drawn.load_style(STYLE).set_content_arrangement(ContentArrangement::Disabled);
        drawn.set_header(self.header.iter().map(|header| lit(header, CellColor::Bold)));
        for row in &self.rows {
            drawn.add_row(row);
        }
        for (at, right) in self.right.iter().enumerate() {
            if let Some(column) = drawn.column_mut(at) {
                let alignment = if *right { CellAlignment::Right } else { CellAlignment::Left };
                column.set_cell_alignment(alignment);
                column.set_padding((0, 1));
            }
        }
        let mut text = String::new();
        for line in drawn.to_string().lines() {
            text += line.trim_end();
            text.push('\n');
        }
        colour(&text)
    }
}

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

    grid.lines() + &not_fitting(dropped, "--json")
}

/// The line under a table that lost `dropped` columns; `whole` prints all of them.
pub(super) fn not_fitting(dropped: usize, whole: &str) -> String {
    match dropped {
        0 => String::new(),
        1 => format!("1 column does not fit; `{whole}` prints all\n"),
        _ => format!("{dropped} columns do not fit; `{whole}` prints all\n"),
    }
}

fn is_mark(character: char) -> bool {
    character == END || MARKS.iter().any(|(_, mark, _)| *mark == character)
}

fn colour(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match MARKS.iter().find(|(_, mark, _)| *mark == character) {
            Some((.., style)) => out += &style.to_string(),
            None if character == END => out += &anstyle::Reset.to_string(),
            None => out.push(character),
        }
    }
    out
}

/// How many columns a table on stdout may take: as many as the terminal has; no limit where stdout
/// is not a terminal. A terminal that does not say counts as 80 wide.
pub(super) fn room() -> usize {
    let stdout = std::io::stdout();
    match terminal_size::terminal_size_of(&stdout) {
        Some((terminal_size::Width(columns), _)) => usize::from(columns),
        None if stdout.is_terminal() => 80,
        None => usize::MAX,
    }
}
