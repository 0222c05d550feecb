//! Upstream's terminal table as content and styles; drawing it is not this room's work.

use super::{Upstream, cut};
use crate::table::{Display, Key, NameError};

/// A cell and the colour it insists on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyledCell {
    /// The text.
    pub text: String,
    /// A colour that wins over the column's.
    pub color: Option<&'static str>,
}

/// A table with its styles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Styled {
    /// Above it.
    pub title: String,
    /// Below it.
    pub caption: String,
    /// Header, colour and alignment of each column.
    pub columns: [(&'static str, &'static str, &'static str); 9],
    /// The rows.
    pub rows: Vec<Vec<StyledCell>>,
}

const COLUMNS: [(&str, &str, &str); 9] = [
    ("Rank", "cyan", "right"),
    ("ID", "white", "left"),
    ("Environment", "magenta", "left"),
    ("Model", "blue", "left"),
    ("Reward", "green", "right"),
    ("Completion", "yellow", "right"),
    ("Steps", "white", "right"),
    ("Tokens", "white", "right"),
    ("Efficiency", "cyan", "right"),
];

/// Green from `good`, yellow from `fair`, else red.
fn light(value: f64, good: f64, fair: f64) -> &'static str {
    match value {
        value if value >= good => "green",
        value if value >= fair => "yellow",
        _ => "red",
    }
}

impl Upstream<'_> {
    /// The table upstream shows.
    pub fn styled(
        self,
        metric: &str,
        limit: Option<i64>,
        title: &str,
    ) -> Result<Styled, NameError> {
        let page = self.rank(metric, None, limit)?;
        let rows = page.rows.iter().map(|row| {
            let plain = |text: &str| StyledCell { text: text.to_owned(), color: None };
            let measure = |name: &str| Key::Measure(name.to_owned());
            let show = |name: &str, display| self.show(row, &measure(name), display);
            let named = |name: &str| {
                let text = self.text(row, name).filter(|text| !text.is_empty());
                plain(text.map_or("-", |text| cut(text, 15)))
            };
            let lit = |name: &str, display, good, fair| StyledCell {
                text: show(name, display),
                color: Some(light(self.number(row.run, &measure(name)), good, fair)),
            };
            vec![
                plain(&row.rank.unwrap_or_default().to_string()),
                plain(cut(self.table.id(row.run), 12)),
                named("environment"),
                named("model"),
                lit("reward", Display::Fixed(3), 0.7, 0.4),
                lit("completion_rate", Display::Percent(0), 0.8, 0.5),
                plain(&show("steps", Display::Fixed(1))),
                plain(&show("tokens", Display::Thousands)),
                plain(&show("efficiency", Display::Fixed(3))),
            ]
        });
        Ok(Styled {
            title: format!("{title} (by {})", page.metric),
            caption: format!(
                "Showing {}/{} entries | Mean: {:.3}",
                page.rows.len(),
                page.filtered,
                page.statistics.mean
            ),
            columns: COLUMNS,
            rows: rows.collect(),
        })
    }
}
