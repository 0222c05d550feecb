//! LaTeX: a table that compiles with no package.

use std::io::{self, Write};

use super::{Page, Shown, one_line};
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

/// Text that LaTeX sets as it is.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '↑' => out.push_str("$\\uparrow$"),
            '↓' => out.push_str("$\\downarrow$"),
            '–' => out.push_str("--"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                out.push('\\');
                out.push(character);
            }
            character => out.push(character),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_cannot_break_a_table() {
        assert_eq!(
            super::escape("a_b&c|50%\\x{}"),
            "a\\_b\\&c\\textbar{}50\\%\\textbackslash{}x\\{\\}"
        );
    }
}
