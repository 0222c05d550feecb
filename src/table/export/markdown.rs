//! Markdown: a title, a table, the figures.

use std::io::{self, Write};

use super::{MISSING, Page, Shown};
use crate::domain::escape_markdown as escape;
use crate::table::Medium;

impl Page<'_> {
    /// Writes the page as Markdown.
    pub fn markdown(&self, out: &mut dyn Write) -> io::Result<()> {
        let columns = self.columns(Medium::Page);
        let by = escape(&self.table.measure(self.ranking.measure).name);
        writeln!(out, "# {}\n", escape(&self.title))?;
        writeln!(
            out,
            "**Ranked by**: {by} | **Entries**: {}/{}\n",
            self.ranking.rows.len(),
            self.total
        )?;
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        out.write_all(line(columns.iter().map(|c| escape(&c.header)).collect()).as_bytes())?;
        let rule = |column: &_| (if Self::is_number(column) { "---:" } else { "---" }).to_owned();
        out.write_all(line(columns.iter().map(rule).collect()).as_bytes())?;
        for row in self.rows() {
            let cells = columns.iter().map(|column| match self.cell(row, column) {
                Shown::Missing => MISSING.to_owned(),
                Shown::Number(number, display) => display.show(number),
                Shown::Text(text) => escape(text),
            });
            out.write_all(line(cells.collect()).as_bytes())?;
        }
        writeln!(out, "\n## Statistics\n")?;
        let (all, page) = self.figures();
        match all {
            None => writeln!(out, "No run has a value.")?,
            Some(s) => writeln!(
                out,
                "- **Mean**: {:.4}\n- **Median**: {:.4}\n- **Std Dev**: {:.4}\n- **Range**: {:.4} - {:.4}",
                s.mean, s.median, s.std_dev, s.min, s.max
            )?,
        }
        if let Some(page) = page {
            writeln!(out, "- **Mean of the {} shown**: {:.4}", page.count, page.mean)?;
        }
        Ok(())
    }
}
