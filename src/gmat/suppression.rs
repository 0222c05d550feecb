//! Directives in comments that silence rules: `% gmat-script: disable-line=unknown-field`.
//!
//! A directive is found in the plain text, line by line, and not in the comments of the grammar:
//! a `%` inside a string or a script block starts one too. Only the first of a line counts.
//!
//! `disable` works from its line to the end of the script, and everything that merely starts with
//! it (`disable-lines`, `disable unknown-field`) is `disable` for all rules.

use memchr::{memchr, memmem, memrchr};

use super::rule::{Rule, RuleSet};
use super::unicode::{is_blank, is_word};

const MARK: &str = "gmat-script:";

/// What the directives of a script silence.
#[derive(Debug)]
pub(super) struct Suppressions {
    /// For each rule, the offset from which it is silent.
    from: [usize; Rule::ALL.len()],
    /// The lines with rules of their own: start, end and rules, in order.
    lines: Vec<(usize, usize, RuleSet)>,
}

impl Suppressions {
    /// Reads the directives of `text`.
    pub(super) fn parse(text: &str) -> Self {
        let mut found = Self { from: [usize::MAX; Rule::ALL.len()], lines: Vec::new() };
        let bytes = text.as_bytes();
        let finder = memmem::Finder::new(MARK);
        let mut at = 0;
        while let Some(next) = finder.find(&bytes[at..]) {
            let mark = at + next;
            at = mark + MARK.len();
            let Some(directive) = directive(&text[..mark], &text[at..]) else { continue };
            let start = memrchr(b'\n', &bytes[..mark]).map_or(0, |end| end + 1);
            let end = memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |length| at + length);
            if directive.line_only {
                found.lines.push((start, end, directive.rules));
            } else {
                for rule in directive.rules.iter() {
                    let from = &mut found.from[rule as usize];
                    *from = start.min(*from);
                }
            }
            at = end;
        }
        found
    }

    /// Whether a finding of `rule` at the offset `at` is silenced.
    pub(super) fn silence(&self, rule: Rule, at: usize) -> bool {
        if self.from[rule as usize] <= at {
            return true;
        }
        let next = self.lines.partition_point(|&(start, ..)| start <= at);
        next.checked_sub(1)
            .and_then(|last| self.lines.get(last))
            .is_some_and(|&(_, end, rules)| at <= end && rules.contains(rule))
    }
}

struct Directive {
    line_only: bool,
    rules: RuleSet,
}

/// The directive whose mark is between `before` and `after`, if there is one.
fn directive(before: &str, after: &str) -> Option<Directive> {
    // A line end is a blank to the eye but not here: the directive is on one line.
    let on_line = |c: char| c != '\n' && is_blank(c);
    before.trim_end_matches(on_line).strip_suffix('%')?;
    let after = after.trim_start_matches(on_line).strip_prefix("disable")?;
    let ends_word = |text: &&str| !text.starts_with(is_word);
    let (line_only, after) = match after.strip_prefix("-line").filter(ends_word) {
        Some(rest) => (true, rest),
        None => (false, Some(after).filter(ends_word)?),
    };
    let list = after.trim_start_matches(on_line).strip_prefix('=').unwrap_or_default();
    let in_list = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | '-') || on_line(c);
    let list = &list[..list.find(|c| !in_list(c)).unwrap_or(list.len())];
    let mut rules = RuleSet::default();
    let mut names = list.split(',').map(|name| name.trim_matches(is_blank)).peekable();
    let mut is_empty = true;
    for name in names.by_ref().filter(|name| !name.is_empty()) {
        is_empty = false;
        if let Some(rule) = Rule::named(name) {
            rules.insert(rule);
        }
    }
    Some(Directive { line_only, rules: if is_empty { RuleSet::ALL } else { rules } })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn silent(text: &str, line: usize) -> bool {
        let at = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        Suppressions::parse(text).silence(Rule::UnknownField, at)
    }

    #[test]
    fn disable_works_from_its_line_to_the_end() {
        let text = "a\nb % gmat-script: disable\nc\n";
        assert!(!silent(text, 1) && silent(text, 2) && silent(text, 3));
    }

    #[test]
    fn disable_line_works_on_its_line_only() {
        let text = "a\nb % gmat-script: disable-line\nc\n";
        assert!(!silent(text, 1) && silent(text, 2) && !silent(text, 3));
    }

    #[test]
    fn a_list_names_the_rules_it_silences_and_strange_names_are_harmless() {
        for (directive, expected) in [
            ("% gmat-script: disable=unknown-field", true),
            ("%gmat-script:disable = type-mismatch , unknown-field", true),
            ("% gmat-script: disable=type-mismatch", false),
            ("% gmat-script: disable=unknown-field and more", false),
            ("% gmat-script: disable=unknown-field; and more", true),
            ("% gmat-script: disable=", true),
            ("% gmat-script: disable= , ,", true),
            ("% gmat-script: disable=!", true),
            ("% gmat-script: disable-lines", true),
            ("% gmat-script: disable-lines=type-mismatch", true),
            ("% gmat-script: disabled", false),
            ("% gmat-script: disable_", false),
            ("% gmat-script: disableé", false),
            ("% gmat-script:\u{A0}disable", true),
            ("%\u{2003}gmat-script: disable", true),
            ("% gmat-script : disable", false),
            ("% Gmat-script: disable", false),
            ("gmat-script: disable", false),
            ("% see gmat-script: disable", false),
            ("'% gmat-script: disable'", true),
            ("gmat-script: % gmat-script: disable", true),
            ("% gmat-script: disable=type-mismatch % gmat-script: disable", false),
        ] {
            assert_eq!(silent(&format!("{directive}\nx\n"), 2), expected, "{directive}");
        }
    }

    #[test]
    fn a_directive_does_not_reach_over_a_line_end() {
        assert!(!silent("%\ngmat-script: disable\nx", 3));
        assert!(!silent("% gmat-script:\ndisable\nx", 3));
    }
}
