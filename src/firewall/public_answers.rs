//! Which part of a site shows public answers. One model answers both sets alike, so that part is
//! not searched for held-out answers, only for what [`HeldOutPrompts`](crate::firewall::HeldOutPrompts) knows.

use std::borrow::Cow;

/// Encloses, in a template, what shows public prompts and answers. Texts on a page are escaped, so
/// that no answer can write it.
const MARKS: [&str; 2] = ["<!-- answers -->", "<!-- /answers -->"];

/// The parts of a file of a site: everything but public answers, and these alone. Each keeps its
/// lines where they are; a part that is not there is empty.
pub fn split_answers<'t>(path: &str, text: &'t str) -> (Cow<'t, str>, Cow<'t, str>) {
    if path == "prompts.json" || path.starts_with("bundles/") {
        return ("".into(), text.into());
    }
    if path.strip_suffix(".html").is_none() || !text.contains(MARKS[0]) {
        return (text.into(), "".into());
    }
    let lines = |text: &str| "\n".repeat(memchr::memchr_iter(b'\n', text.as_bytes()).count());
    let (mut other, mut answers) = (String::new(), String::new());
    let mut rest = text;
    for turn in 0.. {
        let (part, after) = rest.split_once(MARKS[turn % 2]).unwrap_or((rest, ""));
        let (kept, blank) =
            if turn % 2 == 0 { (&mut other, &mut answers) } else { (&mut answers, &mut other) };
        kept.push_str(part);
        blank.push_str(&lines(part));
        rest = after;
        if rest.is_empty() {
            break;
        }
    }
    (other.into(), answers.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_marked_is_taken_for_answers() {
        let page =
            "a\n<!-- answers -->\nb\n<!-- /answers -->\nc\n<!-- answers -->d<!-- /answers -->";
        let (other, answers) = split_answers("m/x.html", page);
        assert_eq!((&*other, &*answers), ("a\n\n\n\nc\n", "\n\nb\n\n\nd"));
        assert_eq!(split_answers("bundles/x/judge.json", page), ("".into(), page.into()));
        assert_eq!(split_answers("feed.xml", page), (page.into(), "".into()));
        // An end that is missing hides nothing from the other search but what follows the start.
        let (other, answers) = split_answers("index.html", "a<!-- answers -->b");
        assert_eq!((&*other, &*answers), ("a", "b"));
    }
}
