//! The card a channel sees: what ran, how it scored, whether anybody must look.
//!
//! Pure: a run, what is derived for it, and the config's scale in, the payload out.
//! `& < >` are escaped in `text` and mrkdwn, but not in a plain_text header.

use serde_json::{Value, json};

use crate::domain::config::WebhookKind;
use crate::domain::{signed, truncate};
use crate::facts::{ModelReport, WeekReport};
use crate::ledger::{Derived, NoDelta, Run};

/// Slack answers 400 to a longer header.
const HEADER_LIMIT: usize = 150;
/// Slack answers 400 to a longer section.
const SECTION_LIMIT: usize = 3000;
/// Discord answers 400 to a longer message.
const DISCORD_LIMIT: usize = 2000;
/// Mattermost cuts a longer post in two.
const TEXT_LIMIT: usize = 4000;

/// How numbers are shown and judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    /// The largest score.
    pub score_scale: f64,
    /// Decimals of a score.
    pub decimals: usize,
    /// A smaller drop does not count.
    pub epsilon: f64,
}

/// The payload for `run` in the words of `kind`; `report_url` is used where the run brings none of
/// its own.
pub(super) fn payload(
    kind: WebhookKind,
    run: &Run,
    derived: &Derived,
    scale: &Scale,
    report_url: Option<&str>,
) -> Value {
    let header = format!("Model quality run: {} @ {} UTC", run.model, run.at.minute());
    let mut lines = vec![
        aggregate(run, derived, scale),
        hallucinations(run),
        format!("Regression: {}", if run.regression_detected { "DETECTED ✗" } else { "None ✓" }),
    ];
    lines.extend(derived.trend.ok().map(|trend| format!("Trend: {}", trend.as_str())));
    lines.extend(derived.notes.iter().cloned());
    lines.extend(run.notes.clone());
    let url = run.report_url.as_deref().or(report_url);
    let facts = json!({
        "event": "run",
        "run_id": run.run_id,
        "model": run.model,
        "run_at": run.at.minute(),
        "aggregate_score": run.aggregate_score,
        "score_delta": derived.score_delta.ok(),
        "regression_detected": run.regression_detected,
    });
    message(kind, &header, &[lines.join("\n")], url, facts)
}

/// The payload for a week in the words of `kind`: all models together, then each.
pub fn digest(
    kind: WebhookKind,
    week: &WeekReport,
    scale: &Scale,
    report_url: Option<&str>,
) -> Value {
    let summary = &week.summary;
    let header = format!("Model quality, week {}", summary.week);
    let decimals = scale.decimals;
    let since = match (week.avg_aggregate_score_delta, week.previous_week) {
        (Some(delta), Some(previous)) => format!(" ({} vs {previous})", signed(delta, decimals)),
        _ => String::new(),
    };
    let average = match summary.avg_aggregate_score {
        Some(average) => format!("{average:.decimals$} / {:.decimals$}{since}", scale.score_scale),
        None => "n/a".to_owned(),
    };
    let mark = |is_fine: bool| if is_fine { '✓' } else { '✗' };
    let incidents = summary.hallucination_incidents;
    let (opened, open) = (summary.regressions_detected, summary.regressions_open);
    let totals = [
        format!("Average of {} run(s): {average}", summary.scored_run_count),
        format!("Hallucination incidents: {incidents} {}", mark(incidents == 0)),
        format!(
            "Regressions: {opened} opened, {} resolved, {open} open {}",
            summary.regressions_resolved,
            mark(opened == 0 && open == 0)
        ),
    ];
    let models: Vec<String> = week.models.iter().map(|of| model_line(of, decimals)).collect();
    let facts = json!({
        "event": "week",
        "week": summary.week.to_string(),
        "avg_aggregate_score": summary.avg_aggregate_score,
        "regressions_open": open,
    });
    message(kind, &header, &[totals.join("\n"), models.join("\n")], report_url, facts)
}

/// `• p:m: 4.2 (+0.1, within noise); REGRESSION`.
fn model_line(of: &ModelReport, decimals: usize) -> String {
    let score =
        of.avg_aggregate_score.map_or("n/a".to_owned(), |score| format!("{score:.decimals$}"));
    let change = of.score_delta.map(|delta| {
        let noise = match of.within_noise {
            Some(true) => ", within noise",
            Some(false) => ", significant",
            None => "",
        };
        format!(" ({}{noise})", signed(delta, decimals))
    });
    let mut line = format!("• {}: {score}{}", of.model, change.unwrap_or_default());
    if of.in_regression {
        line += "; REGRESSION ✗";
    } else if !of.regressions_resolved.is_empty() {
        line += "; regression resolved ✓";
    }
    line + &of.trade_off.as_ref().map(|of| format!("; {}", of.describe())).unwrap_or_default()
}

/// A message in the words of `kind`; `facts` are for programs.
fn message(
    kind: WebhookKind,
    header: &str,
    sections: &[String],
    url: Option<&str>,
    mut facts: Value,
) -> Value {
    let body = sections.join("\n");
    match kind {
        WebhookKind::Mattermost => json!({"text": markdown(header, &body, url, TEXT_LIMIT)}),
        WebhookKind::Discord => json!({
            "content": markdown(header, &body, url, DISCORD_LIMIT),
            "allowed_mentions": {"parse": []},
        }),
        WebhookKind::Json => {
            facts["format"] = 1.into();
            facts["report_url"] = url.into();
            facts["text"] = format!("{header}\n{body}").into();
            facts
        }
        _ => slack(header, sections, url),
    }
}

/// Markdown in which nothing of the run is formatted or mentions anybody.
fn markdown(header: &str, body: &str, url: Option<&str>, limit: usize) -> String {
    let plain = |text: &str| {
        text.chars().fold(String::new(), |mut out, character| {
            if "\\`*_~[]<>|".contains(character) {
                out.push('\\');
            }
            out.push(character);
            if character == '@' {
                out.push('\u{200b}');
            }
            out
        })
    };
    let link = url.map(|url| format!("\n[View full report](<{url}>)")).unwrap_or_default();
    let text = format!("**{}**\n{}", plain(header), plain(body));
    format!("{}{link}", truncate(&text, limit.saturating_sub(link.chars().count())))
}

fn slack(header: &str, sections: &[String], url: Option<&str>) -> Value {
    let mut blocks = vec![json!({"type": "header",
        "text": {"type": "plain_text", "text": truncate(header, HEADER_LIMIT), "emoji": false}})];
    blocks.extend(sections.iter().map(|text| {
        let text = escape_within(text, SECTION_LIMIT);
        json!({"type": "section", "text": {"type": "mrkdwn", "text": text}})
    }));
    if let Some(url) = url {
        let link = format!("<{url}|View full report>");
        blocks.push(json!({"type": "context", "elements": [{"type": "mrkdwn", "text": link}]}));
    }
    let text = escape_within(&format!("{header}\n{}", sections.join("\n")), usize::MAX);
    json!({"text": text, "blocks": blocks, "unfurl_links": false})
}

fn aggregate(run: &Run, derived: &Derived, scale: &Scale) -> String {
    let Some(score) = run.aggregate_score else { return "Aggregate: n/a ✗".into() };
    let decimals = scale.decimals;
    let (change, is_fine) = match derived.score_delta {
        Ok(delta) => {
            let shown = crate::domain::round(delta, decimals);
            (format!("{shown:+.decimals$} vs prev"), delta >= -scale.epsilon)
        }
        Err(NoDelta::FirstRun) => ("first run".into(), true),
        Err(NoDelta::EpochStart) => ("new protocol".into(), true),
        Err(NoDelta::PrevNoScore | NoDelta::NoScore) => ("prev n/a".into(), true),
    };
    let mark = if is_fine { '✓' } else { '✗' };
    format!("Aggregate: {score:.decimals$} / {:.decimals$} ({change}) {mark}", scale.score_scale)
}

fn hallucinations(run: &Run) -> String {
    let (shown, none) = match (run.hallucination_count, run.hallucination_rate) {
        (Some(count), _) => (count.to_string(), count == 0),
        (None, Some(rate)) if rate > 0.0 => (format!("{:.2}%", rate * 100.0), false),
        (None, Some(_)) => ("0".into(), true),
        (None, None) => ("n/a".into(), false),
    };
    format!("Hallucinations: {shown} {}", if none { '✓' } else { '✗' })
}

/// `text` with `& < >` escaped, cut so that no entity is torn.
fn escape_within(text: &str, limit: usize) -> String {
    let mut out = String::with_capacity(text.len());
    let mut used = 0;
    for character in text.chars() {
        let escaped = match character {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            _ => "",
        };
        used += escaped.len().max(1);
        if used >= limit {
            out.push('…');
            break;
        }
        if escaped.is_empty() { out.push(character) } else { out.push_str(escaped) }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_never_tears_an_entity() {
        assert_eq!(escape_within("a<b&c>d", usize::MAX), "a&lt;b&amp;c&gt;d");
        assert_eq!(escape_within("aaa<b", 7), "aaa…");
        let long = escape_within(&"<".repeat(4000), SECTION_LIMIT);
        assert!(long.chars().count() <= SECTION_LIMIT && long.ends_with("&lt;…"));
    }
}
