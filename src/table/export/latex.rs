//! LaTeX: a table that compiles with no package.

use std::io::{self, Write};

use super::{Page, Shown};
use crate::domain::escape_latex as escape;
use crate::table::Medium;

impl Page<'_> {
    /// Writes the page as a LaTeX table.
    pub fn latex(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.columns(Medium::Page);
        let align: String =
            columns.iter().map(|c| if Self::is_number(c) { 'r' } else { 'l' }).collect();
        writeln!(out, "\\begin{{table}}\n\\centering\n\\begin{{tabular}}{{{align}}}\n\\hline")?;
        let line = |cells: Vec<String>| format!("{} \\\\\n", cells.join(" & "));
        out.write_all(line(columns.iter().map(|c| escape(&c.header)).collect()).as_bytes())?;
        writeln!(out, "\\hline")?;
        for row in self.rows() {
            let cells = columns.iter().map(|column| match self.cell(row, column) {
                Shown::Missing => "--".to_owned(),
                Shown::Number(number, display) => escape(&display.show(number)),
                Shown::Text(text) => escape(text),
            });
            out.write_all(line(cells.collect()).as_bytes())?;
        }
        let by = escape(&self.table.measure(self.ranking.measure).name);
        writeln!(
            out,
            "\\hline\n\\end{{tabular}}\n\\caption{{{}, ranked by {by} ({} of {} entries)}}\n\\end{{table}}",
            escape(&self.title),
            self.rows().len(),
            self.ranking.rows.len()
        )
    }
}
