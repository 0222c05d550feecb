//! Held-out prompts as search patterns, for files that are published as they are: public bundles,
//! docs, everything in the repository.
//!
//! One model answers both sets alike, so held-out answers are not looked for here: public answers
//! share long stretches with them. What must not be there is a request, an intent, a canary, the
//! digest of a request, or several ids.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::domain::{Code, Finding};
use crate::firewall::Exempt;
use crate::firewall::Origin;
use crate::firewall::keys::Keys;
use crate::firewall::normalise::fold;
use crate::firewall::rolling::{Roller, SPAN};
use crate::json::{Node, Value};
use crate::replay::{Prompt, request_digest};

/// One held-out id may be an ordinary word; two in one file are not a coincidence.
const TELLING_IDS: usize = 2;
/// Length of a request's digest in the keys of completions.json.
const DIGEST: usize = 16;
/// What to do about a held-out text in the repository.
pub const REMEDY: &str = "remove it before it is committed; if it was pushed, the held-out set is no longer private: retire it";

/// The held-out prompts to look for.
#[derive(Debug, Default)]
pub struct Requests {
    patterns: Vec<Pattern>,
    spans: Keys,
    by_span: HashMap<u64, Vec<usize>>,
    digests: HashMap<String, usize>,
    ids: HashMap<String, usize>,
}

#[derive(Debug)]
struct Pattern {
    file: String,
    number: usize,
    /// How many different spans the text has.
    spans: usize,
}

impl Requests {
    /// Adds a prompt. What `exempt` holds is public, and so is an id that `public_ids` has.
    pub fn add_prompt(
        &mut self,
        origin: &Origin<'_>,
        prompt: &Prompt<'_>,
        exempt: &Exempt,
        public_ids: &HashSet<String>,
    ) {
        self.add_text(origin, prompt.intent, exempt);
        let Some(pattern) = self.add_text(origin, prompt.request, exempt) else { return };
        let digest = String::from_utf8_lossy(&request_digest(prompt.request)).into_owned();
        self.digests.insert(digest, pattern);
        if !public_ids.contains(prompt.id) {
            self.ids.insert(prompt.id.to_owned(), pattern);
        }
    }

    /// Adds a canary. Everything up to its last colon is its public half.
    pub fn add_canary(&mut self, origin: &Origin<'_>, canary: &str, exempt: &Exempt) {
        self.add_text(origin, canary.rsplit(':').next().unwrap_or(canary), exempt);
    }

    /// The index of the new pattern; `None` if the text is public, or too short to look for.
    fn add_text(&mut self, origin: &Origin<'_>, text: &str, exempt: &Exempt) -> Option<usize> {
        let mut hashes = HashSet::new();
        let (mut roller, mut span) = (Roller::new(), Span::default());
        fold(text, |character| {
            if let (Some(key), Some(hash)) = (roller.push(character), span.push(character))
                && roller.is_telling()
                && !exempt.parts.contains(key.hash)
            {
                hashes.insert(hash);
            }
        });
        if hashes.is_empty() {
            return None;
        }
        let index = self.patterns.len();
        let (file, spans) = (origin.file.to_owned(), hashes.len());
        self.patterns.push(Pattern { file, number: origin.number, spans });
        for hash in hashes {
            self.spans.insert(hash);
            self.by_span.entry(hash).or_default().push(index);
        }
        Some(index)
    }

    /// What `text`, the contents of `file`, has of the held-out prompts; `root` is the same
    /// contents if they are JSON.
    pub fn findings(&self, file: &str, text: &str, root: Option<&Node<'_>>) -> Option<Finding> {
        let mut found: BTreeMap<(&str, usize), &str> = BTreeMap::new();
        let mut name = |index: usize, what: &'static str| {
            let pattern = &self.patterns[index];
            found.entry((&pattern.file, pattern.number)).or_insert(what);
        };
        // JSON is searched as its strings: an escape such as `\n` is not part of the text.
        let strings = root.map_or_else(|| vec![text], strings);
        for index in self.half_in(&strings) {
            name(index, "text");
        }
        for run in text.split(|c: char| !c.is_ascii_hexdigit()).filter(|run| run.len() == DIGEST) {
            if let Some(index) = self.digests.get(run) {
                name(*index, "the request digest");
            }
        }
        let ids: BTreeMap<&str, usize> = match root {
            Some(_) => strings.iter().filter_map(|id| Some((*id, *self.ids.get(*id)?))).collect(),
            None => BTreeMap::new(),
        };
        if ids.len() >= TELLING_IDS {
            for index in ids.into_values() {
                name(index, "the id");
            }
        }
        let more = match found.len() {
            0 | 1 => String::new(),
            count => format!(", and {} more of the held-out set", count - 1),
        };
        let ((source, number), what) = found.into_iter().next()?;
        let origin = match number {
            0 => format!("`{source}`"),
            number => format!("held-out prompt {number} of `{source}`"),
        };
        let what = format!("contains {what} of {origin}{more}");
        Some(Finding::new(Code::LText, file, "", what).help(REMEDY))
    }

    /// Patterns of which at least half is in `texts`: a phrase that a public answer shares with a
    /// request by chance is shorter.
    fn half_in(&self, texts: &[&str]) -> Vec<usize> {
        let mut seen: HashSet<u64> = HashSet::new();
        for text in texts {
            let mut span = Span::default();
            fold(text, |character| {
                if let Some(hash) = span.push(character)
                    && self.spans.contains(hash)
                {
                    seen.insert(hash);
                }
            });
        }
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for index in seen.iter().filter_map(|hash| self.by_span.get(hash)).flatten() {
            *counts.entry(*index).or_default() += 1;
        }
        counts.retain(|index, count| *count * 2 >= self.patterns[*index].spans);
        counts.into_keys().collect()
    }
}

/// The rolling hash of the last [`SPAN`] characters. Simpler than [`Roller`], because a file of the
/// repository is not searched for disguises, and there may be many of them.
#[derive(Default)]
struct Span {
    window: [u64; SPAN],
    next: usize,
    count: usize,
    hash: u64,
}

impl Span {
    const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
    /// What a character weighs when it leaves the window.
    const LAST: u64 = {
        let (mut power, mut left) = (1_u64, SPAN);
        while left > 0 {
            power = power.wrapping_mul(Self::BASE);
            left -= 1;
        }
        power
    };

    fn push(&mut self, character: char) -> Option<u64> {
        // Zero for a character that never was, so that the first ones leave nothing behind.
        let new = u64::from(character) + 1;
        let old = std::mem::replace(&mut self.window[self.next], new);
        self.next = if self.next + 1 == SPAN { 0 } else { self.next + 1 };
        self.count += 1;
        self.hash = self
            .hash
            .wrapping_mul(Self::BASE)
            .wrapping_add(new)
            .wrapping_sub(old.wrapping_mul(Self::LAST));
        (self.count >= SPAN).then_some(self.hash)
    }
}

/// Every string and key of a document.
fn strings<'n>(root: &'n Node<'_>) -> Vec<&'n str> {
    let mut found: Vec<&str> = Vec::new();
    let mut nodes = vec![root];
    while let Some(node) = nodes.pop() {
        match &node.value {
            Value::String(text) => found.push(text),
            Value::Array(items) => nodes.extend(items),
            Value::Object(object) => {
                for (key, value) in object.iter() {
                    found.push(key);
                    nodes.push(value);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;
    use crate::replay::Spec;

    /// A seeded sequence of choices.
    struct Draws(u64);

    impl Draws {
        fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            from[usize::try_from(self.0 >> 33).unwrap_or(0) % from.len()]
        }
    }

    /// Requests of both sets come from the same phrases, as those of one author do.
    fn request(draws: &mut Draws) -> String {
        let start = ["Create a spacecraft called", "Set up the satellite", "Model the probe"];
        let name = ["Aster", "Boreal", "Cygnet", "Dorado", "Egret", "Falcon", "Gannet", "Heron"];
        let orbit = ["in a circular orbit of", "in a polar orbit of", "with a semimajor axis of"];
        let size = ["6878", "7000", "7191", "7350", "8000", "26560", "42164", "12000"];
        let task = ["propagate it for", "coast to apoapsis after", "report the altitude after"];
        let time = ["two hours", "six hours", "one day", "three days", "a week", "ten orbits"];
        let words = [start, orbit, task].map(|from| draws.pick(&from).to_owned());
        let [name, size, time] = [&name[..], &size, &time].map(|from| draws.pick(from).to_owned());
        format!("{} {name} {} {size} km and {} {time}", words[0], words[1], words[2])
    }

    /// What one model answers to any request: the same boilerplate, with the request as a comment.
    fn answer(request: &str) -> String {
        format!(
            "% {request}\nCreate Spacecraft Sat\nCreate Propagator Prop\nBeginMissionSequence\n"
        )
    }

    fn prompt<'t>(id: &'t str, request: &'t str) -> Prompt<'t> {
        Prompt { id, request, intent: "Propagate it", tier: "easy", spec: Spec::default() }
    }

    #[test]
    fn honest_worlds_give_no_alarm_and_a_request_in_an_answer_is_found() {
        let origin = Origin { file: "held/m/prompts.json", number: 1 };
        for seed in 0..200 {
            let mut draws = Draws(seed * 7919 + 1);
            let public: Vec<String> = (0..10).map(|_| request(&mut draws)).collect();
            let secret = loop {
                let secret = request(&mut draws);
                if !public.contains(&secret) {
                    break secret;
                }
            };
            let mut exempt = Exempt::default();
            for request in &public {
                exempt.add_text(request);
            }
            let mut requests = Requests::default();
            let ids = HashSet::from(["p1".to_owned()]);
            requests.add_prompt(&origin, &prompt("h1", &secret), &exempt, &ids);
            let recording = |asked: &[String]| {
                let texts: Vec<String> = asked.iter().map(|request| answer(request)).collect();
                serde_json::to_string(&texts).expect("JSON")
            };
            let look = |text: &str| {
                let document = json::parse(text.as_bytes()).expect("JSON");
                requests.findings("bundles/m/completions.json", text, Some(&document.root))
            };
            assert_eq!(look(&recording(&public)), None, "world {seed}");
            let leaked = [&public[..], std::slice::from_ref(&secret)].concat();
            // A secret whose every span is public cannot be told from the public requests.
            assert_eq!(look(&recording(&leaked)).is_some(), !requests.patterns.is_empty());
        }
    }

    #[test]
    fn one_id_may_be_a_word_and_two_are_found() {
        let mut requests = Requests::default();
        let texts: Vec<String> = (0..2).map(|seed| request(&mut Draws(seed + 5))).collect();
        for (number, text) in texts.iter().enumerate() {
            let origin = Origin { file: "held/m/prompts.json", number: number + 1 };
            let id = ["coast", "burn-late"][number];
            requests.add_prompt(&origin, &prompt(id, text), &Exempt::default(), &HashSet::new());
        }
        let look = |text: &str| {
            let document = json::parse(text.as_bytes()).expect("JSON");
            requests.findings("x.json", text, Some(&document.root))
        };
        assert_eq!(look(r#"{"verb": "coast"}"#), None);
        let found = look(r#"{"coast": 1, "other": "burn-late"}"#).expect("found");
        let what = "contains the id of held-out prompt 1 of `held/m/prompts.json`, and 1 more of the held-out set";
        assert_eq!(found.what, what);
    }
}
