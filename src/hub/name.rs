//! Which names from a hub may become files here. The whole listing is judged before the first
//! byte is asked for.
//!
//! A name that is fine on this machine may be two names, or no name, on a colleague's; those are
//! refused too.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

/// Our own files in a fetched directory start with this.
pub(super) const OWN_PREFIX: &str = ".gmat-leaderboard";

/// Why a name is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadName {
    /// The name as the hub gave it.
    pub name: String,
    /// What is wrong with it.
    pub why: &'static str,
}

/// What Windows keeps for itself, whatever the extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// Every problem of a listing of files.
pub(super) fn problems<'n>(names: impl Iterator<Item = &'n str> + Clone) -> Vec<BadName> {
    let bad = |name: &str, why| BadName { name: name.to_owned(), why };
    let mut problems: Vec<BadName> =
        names.clone().filter_map(|name| problem(name).map(|why| bad(name, why))).collect();
    // Folded name of every file and folder: how it is written, and whether it is a file.
    let mut seen: BTreeMap<String, (&str, bool)> = BTreeMap::new();
    for name in names {
        let folders = name.match_indices('/').map(|(at, _)| (&name[..at], false));
        for (part, is_file) in folders.chain([(name, true)]) {
            match seen.insert(folded(part), (part, is_file)) {
                Some((_, was_file)) if was_file != is_file => {
                    problems.push(bad(name, "it is a file and a folder"));
                }
                Some((known, _)) if known != part => {
                    problems.push(bad(name, "it differs from another only in case or form"));
                }
                Some(_) if is_file => problems.push(bad(name, "it appears twice in the listing")),
                _ => {}
            }
        }
    }
    problems
}

/// What is wrong with one name, taken for itself.
pub(super) fn problem(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("it is empty");
    }
    if name.len() > 1024 {
        return Some("it is longer than 1024 bytes");
    }
    if name.contains('\\') || name.contains(':') {
        return Some("it has a backslash or a colon");
    }
    if name.chars().any(char::is_control) {
        return Some("it has a control character");
    }
    if folded(name).starts_with(OWN_PREFIX) {
        return Some("it is reserved for this program's own files");
    }
    name.split('/').find_map(|segment| match segment {
        "" => Some("it is absolute or has an empty part"),
        "." | ".." => Some("it has a part `.` or `..`"),
        _ if folded(segment) == ".git" => Some("it has a part `.git`"),
        _ if segment.len() > 255 => Some("it has a part longer than 255 bytes"),
        _ if segment.ends_with(['.', ' ']) => Some("it has a part that ends in a dot or space"),
        _ if is_device(segment) => Some("it has a part that some systems reserve"),
        _ => None,
    })
}

fn is_device(segment: &str) -> bool {
    let folded = folded(segment);
    let stem = folded.split('.').next().unwrap_or_default().trim_end();
    let numbered = |kind| {
        stem.strip_prefix(kind).is_some_and(|digit: &str| {
            digit.len() == 1 && digit.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    DEVICES.contains(&stem) || numbered("com") || numbered("lpt")
}

fn folded(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hostile_names_are_refused() {
        for bad in [
            "",
            "/etc/passwd",
            "../evil",
            "a/../b",
            "a/./b",
            "a//b",
            "a/",
            "c:evil",
            "a\\b",
            "a\0b",
            "a\nb",
            "\u{85}",
            ".git/config",
            "x/.GIT/y",
            "a.",
            "a ",
            "x /y",
            "con",
            "NUL.txt",
            "a/com1",
            "lpt9.json",
            ".gmat-leaderboard-fetch.json",
            ".GMAT-leaderboard-x/y",
            &"x".repeat(256),
            &"x/".repeat(600),
        ] {
            assert!(problem(bad).is_some(), "{bad:?}");
        }
    }

    #[test]
    fn ordinary_names_are_taken() {
        for good in [
            "README.md",
            ".gitattributes",
            "a b+c%25.txt",
            "é/衛",
            "deep/1/2/3/4/leaf.txt",
            "console.txt",
            "com10",
            "..a",
            "...b",
            "openai__gpt-4.1-mini/judge.json",
            ".github/x",
        ] {
            assert_eq!(problem(good), None, "{good:?}");
        }
    }

    #[test]
    fn names_that_collide_are_refused() {
        let problems = |names: &[&'static str]| problems(names.iter().copied()).len();
        assert_eq!(problems(&["a/b", "a/c", "b"]), 0);
        assert_eq!(problems(&["a", "a"]), 1);
        assert_eq!(problems(&["a", "A"]), 1);
        assert_eq!(problems(&["x/a", "X/b"]), 1);
        assert_eq!(problems(&["a", "a/b"]), 1);
        assert_eq!(problems(&["a/b", "a"]), 1);
        assert_eq!(problems(&["\u{e9}", "e\u{301}"]), 1);
        assert_eq!(problems(&["ﬁ", "fi"]), 1);
    }

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

        #[test]
        fn a_name_that_is_taken_stays_below_its_folder(name in "(\\PC|[./\\\\ a:~]){0,12}") {
            if problem(&name).is_none() {
                let path = std::path::Path::new(&name);
                let plain = |part| matches!(part, std::path::Component::Normal(_));
                prop_assert!(path.components().all(plain));
                prop_assert_eq!(path.components().count(), name.split('/').count());
            }
        }
    }
}
