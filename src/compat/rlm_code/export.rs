//! Upstream's JSON, CSV and Markdown.

use serde::Serialize;

use super::{Entry, Page, Statistics, Upstream, cut};
use crate::import::rlm_code::layout;
use crate::json::pretty;
use crate::table::{Display, FacetValue, Key, NameError, RankRow, STARTED_AT, Slot};

#[derive(Serialize)]
struct Export<'t> {
    exported_at: &'t str,
    metric: &'t str,
    order: &'static str,
    total_entries: usize,
    filtered_entries: usize,
    statistics: Statistics,
    entries: Vec<Entry<'t>>,
}

impl<'t> Upstream<'t> {
    /// The whole document, or the bare list of entries without `exported_at`.
    pub fn json(
        self,
        metric: &str,
        limit: Option<i64>,
        exported_at: Option<&str>,
    ) -> Result<Vec<u8>, NameError> {
        let page = self.rank(metric, None, limit)?;
        let entries: Vec<Entry<'_>> = page.rows.iter().map(|row| self.entry(row.run)).collect();
        let mut bytes = match exported_at {
            None => pretty(&entries),
            Some(exported_at) => pretty(&Export {
                exported_at,
                metric: &page.metric,
                order: page.order.word(),
                total_entries: self.total,
                filtered_entries: page.filtered,
                statistics: page.statistics,
                entries,
            }),
        };
        bytes.pop();
        Ok(bytes)
    }

    /// CSV; `None` if no entry matches, because upstream then writes no file.
    pub fn csv(self, metric: &str, limit: Option<i64>) -> Result<Option<Vec<u8>>, NameError> {
        let page = self.rank(metric, None, limit)?;
        if page.rows.is_empty() {
            return Ok(None);
        }
        let columns = layout().csv;
        let mut writer =
            csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
        // Writing to memory cannot fail.
        let _ = writer.write_record(columns.iter().map(|slot| slot.header.as_str()));
        for row in &page.rows {
            let cell = |slot: &Slot| match &slot.key {
                Key::Rank => row.rank.unwrap_or_default().to_string(),
                Key::Id => cut(self.table.id(row.run), 16).to_owned(),
                Key::Facet(name) if name == STARTED_AT => {
                    cut(self.text(row, name).unwrap_or_default(), 19).to_owned()
                }
                Key::Facet(name) => self.text(row, name).unwrap_or_default().to_owned(),
                key => self.show(row, key, slot.display.unwrap_or(Display::Plain)),
            };
            let _ = writer.write_record(columns.iter().map(cell));
        }
        Ok(Some(writer.into_inner().unwrap_or_default()))
    }

    /// Markdown, without a newline at the end.
    pub fn markdown(
        self,
        metric: &str,
        limit: Option<i64>,
        title: &str,
    ) -> Result<String, NameError> {
        let page = self.rank(metric, None, limit)?;
        let Page { metric, filtered, statistics: s, rows, .. } = &page;
        let mut text = format!(
            "# {title}\n\n**Ranked by**: {metric} | **Entries**: {filtered}/{}\n\n\
             | Rank | ID | Environment | Reward | Completion | Steps | Tokens | Efficiency |\n\
             |------|-----|-------------|--------|------------|-------|--------|------------|\n",
            self.total
        );
        for row in rows {
            let show =
                |name: &str, display| self.show(row, &Key::Measure(name.to_owned()), display);
            text += &format!(
                "| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                row.rank.unwrap_or_default(),
                cut(self.table.id(row.run), 8),
                self.text(row, "environment").unwrap_or("None"),
                show("reward", Display::Fixed(3)),
                show("completion_rate", Display::Percent(0)),
                show("steps", Display::Fixed(1)),
                show("tokens", Display::Thousands),
                show("efficiency", Display::Fixed(3)),
            );
        }
        text += &format!(
            "\n## Statistics\n\n- **Mean**: {:.4}\n- **Median**: {:.4}\n- **Std Dev**: {:.4}\n- **Range**: {:.4} - {:.4}",
            s.mean, s.median, s.std_dev, s.min, s.max
        );
        Ok(text)
    }

    /// A facet; `None` for null, empty for absent.
    pub(super) fn text(self, row: &RankRow, name: &str) -> Option<&'t str> {
        match self.table.facet(row.run, name) {
            FacetValue::Absent => Some(""),
            FacetValue::Null => None,
            FacetValue::Text(text) => Some(text),
        }
    }

    pub(super) fn show(self, row: &RankRow, key: &Key, display: Display) -> String {
        let number = self.number(row.run, key);
        match display {
            Display::Plain => format!("{number:.0}"),
            display => display.show(number),
        }
    }
}
