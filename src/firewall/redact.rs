//! Once the values are known to contain held-out text, none of them is quoted.
//!
//! A name, a key or a version can be the text as well as any other string, so whatever is not a plain
//! word goes, wherever a finding carries it.

use crate::domain::Finding;

/// The leaks first, then the other findings, which quote nothing any more where text leaks. With
/// the held-out set at hand (`is_gated`) they quote plain words only: a sentence in the config may
/// be one of its texts, although the board does not hold it.
pub fn leaks_first(
    leaks: Vec<Finding>,
    mut findings: Vec<Finding>,
    is_gated: bool,
) -> Vec<Finding> {
    let is_leaking = leaks.iter().any(Finding::decides);
    if is_leaking || is_gated {
        for finding in &mut findings {
            withhold(finding, is_leaking);
        }
    }
    findings.splice(..0, leaks);
    findings
}

fn withhold(finding: &mut Finding, is_leaking: bool) {
    let is_number = |shown: &str| shown.parse::<f64>().is_ok();
    let is_harmless = |shown: &String| {
        is_number(shown) || (!is_leaking && is_plain(shown.trim_matches(['"', '`'])))
    };
    for side in [&mut finding.published, &mut finding.rebuilt] {
        *side = side.take().filter(is_harmless);
    }
    // What is quoted is between backticks: every second part.
    let parts = finding.what.split('`').enumerate();
    let parts: Vec<&str> = parts
        .map(|(index, part)| if index % 2 == 0 || is_plain(part) { part } else { "withheld" })
        .collect();
    finding.what = parts.join("`");
    if let Some(odd) = finding.path.find(|c| !is_plain_character(c)) {
        let parent = finding.path[..odd].rfind('.').unwrap_or_default();
        finding.path.truncate(parent);
    }
}

fn is_plain(text: &str) -> bool {
    text.len() <= 100 && text.chars().all(is_plain_character)
}

fn is_plain_character(character: char) -> bool {
    character.is_ascii_alphanumeric() || "._:/+@-[]".contains(character)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Code;

    #[test]
    fn values_are_quoted_until_text_leaks() {
        let finding = |what: &str, path: &str| Finding::new(Code::ERun, "b", path, what);
        let text = finding("row `m:the gold` differs at `kind`", "entries[0].usage.the gold");
        let text = text.sides("\"a gold\"", "\"seed\"");
        let number = Finding::new(Code::ERank, "b", "rank", "x").sides("1", "2");
        let leak = Finding::new(Code::LText, "b", "kind", "x");
        let words = Finding::new(Code::LWords, "b", "kind", "x").note();
        let reported = |leak: &Finding, is_gated| {
            leaks_first(vec![leak.clone()], vec![text.clone(), number.clone()], is_gated)
        };
        assert_eq!(reported(&words, false), [words.clone(), text.clone(), number.clone()]);
        let bare = finding("row `withheld` differs at `kind`", "entries[0].usage");
        assert_eq!(reported(&leak, false), [leak.clone(), bare.clone(), number.clone()]);
        let gated = Finding { rebuilt: Some("\"seed\"".into()), ..bare };
        assert_eq!(reported(&words, true), [words.clone(), gated, number.clone()]);
    }
}
