//! `badge/<slug>.svg`: the score of one row as a small picture for other pages.

use crate::domain::escape;
use crate::facts::RowFacts;
use crate::site::format;

const LABEL: &str = "GMAT scripts";

/// The badge of `row`: place and private score, or the public score while that is pending.
pub(super) fn badge(row: &RowFacts<'_>) -> Vec<u8> {
    let (value, color) = match (row.standing, row.held_out) {
        (Some(standing), Some(score)) => {
            let color = if standing.is_top { "#1f5fd0" } else { "#5b6673" };
            (format!("#{} · {}", standing.place, format::whole_percent(score)), color)
        }
        _ => (format!("public {}", format::whole_percent(row.public)), "#5b6673"),
    };
    // About seven units a letter; `textLength` makes every font fit.
    let width = |text: &str| 7 * text.chars().count() + 14;
    let (left, right) = (width(LABEL), width(&value));
    let all = left + right;
    let name = escape(&row.name).replace('&', "&amp;").replace('<', "&lt;");
    let text = |at: usize, wide: usize, text: &str| {
        format!(
            r##"<text x="{}" y="14" textLength="{}" fill="#fff">{text}</text>"##,
            at + 7,
            wide - 14
        )
    };
    format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{all}" height="20" role="img"><title>{name}: {value}</title><g font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><rect width="{all}" height="20" rx="4" fill="#12161c"/><path d="M{left} 0h{} a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4H{left}z" fill="{color}"/>{}{}</g></svg>
"##,
        right - 4,
        text(0, left, LABEL),
        text(left, right, &value),
    )
    .into_bytes()
}
