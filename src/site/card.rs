//! README.md: the card that configures a Hugging Face Space.
//!
//! The Hub reads the block on top as YAML, where a title with a colon breaks everything. Every
//! foreign text is written as a JSON string, which YAML reads as it is.

use crate::domain::config::Config;
use crate::site::format;

use super::view::SiteView;

/// The card.
pub(super) fn card(site: &SiteView, config: &Config) -> Vec<u8> {
    let quoted = |text: &str| serde_json::to_string(text).unwrap_or_default();
    let first = site.description.split_inclusive(". ").next().unwrap_or_default();
    let short = up_to_a_word(first.trim(), 60);
    let mut head = vec![
        "---".to_owned(),
        format!("title: {}", quoted(&site.title)),
        "emoji: 🛰️".to_owned(),
        "colorFrom: indigo".to_owned(),
        "colorTo: blue".to_owned(),
        "sdk: static".to_owned(),
        "app_file: index.html".to_owned(),
        "pinned: false".to_owned(),
        "header: mini".to_owned(),
        "fullWidth: true".to_owned(),
        format!("short_description: {}", quoted(&short)),
    ];
    if !site.license.is_empty() {
        head.push(format!("license: {}", quoted(&site.license.to_lowercase())));
    }
    if !site.base_url.is_empty() {
        head.push(format!("thumbnail: {}", quoted(&format!("{}og.png", site.base_url))));
    }
    for (name, list) in [("models", &config.site.models), ("datasets", &config.site.datasets)] {
        if !list.is_empty() {
            head.push(format!("{name}:"));
            head.extend(list.iter().map(|item| format!("  - {}", quoted(&format::clean(item)))));
        }
    }
    head.push("tags:".to_owned());
    let tags = ["leaderboard", "submission:manual", "test:private", "judge:auto", "eval:code"];
    // The others say how a board of this program is made; a ledger holds anybody's runs.
    let tags = if site.has_board { &tags[..] } else { &tags[..1] };
    head.extend(tags.iter().map(|tag| format!("  - {}", quoted(tag))));
    head.push("---".to_owned());
    if !site.has_board {
        let body = format!(
            "\n# {}\n\n{}\n\nLast run: {}.\n\nThis Space is a static site made by gmat-leaderboard {} \
             from a ledger of recorded runs, which `v1/history.json` holds as data; every file is \
             listed in `SHA256SUMS`.\n",
            markdown(&site.title),
            markdown(&site.description),
            site.date,
            markdown(&site.version),
        );
        return format!("{}\n{body}", head.join("\n")).into_bytes();
    }
    let body = format!(
        "\n# {}\n\n{}\n\nBoard of {}, protocol {}, SHA-256 `{}`.\n\n\
         This Space is a static site made by gmat-leaderboard {} from `leaderboard.json`; \
         every file is listed in `SHA256SUMS` and can be made again with `gmat-leaderboard render --check`.\n",
        markdown(&site.title),
        markdown(&site.description),
        site.date,
        markdown(&site.protocol),
        site.board_sha,
        markdown(&site.version),
    );
    format!("{}\n{body}", head.join("\n")).into_bytes()
}

/// The first words of `text` that fit into `length` characters; the hub cuts longer texts in words.
fn up_to_a_word(text: &str, length: usize) -> String {
    if text.chars().count() <= length {
        return text.to_owned();
    }
    let cut: String = text.chars().take(length + 1).collect();
    // The last word may be cut, unless a space follows it.
    let words = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format::truncate(words.trim_end_matches([',', ';', ':', '–', '-', ' ']), length)
}

/// Text that Markdown and the HTML inside it leave alone.
fn markdown(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '#' | '|' | '!' | '~' => {
                out.extend(['\\', c]);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_description_ends_with_a_word() {
        assert_eq!(up_to_a_word("Models that write scripts.", 60), "Models that write scripts.");
        let long =
            "Language models that write GMAT mission scripts, ranked on a private held-out set.";
        assert_eq!(
            up_to_a_word(long, 60),
            "Language models that write GMAT mission scripts, ranked on a"
        );
        assert_eq!(up_to_a_word(long, 48), "Language models that write GMAT mission scripts");
        assert_eq!(up_to_a_word(&"x".repeat(80), 60).chars().count(), 60);
    }
}
