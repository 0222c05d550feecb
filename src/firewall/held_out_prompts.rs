//! Held-out prompts as search patterns, for files that are published as they are: public bundles,
//! docs, everything in the repository.
//!
//! One model answers both sets alike, so held-out answers are not looked for here: public answers
//! share long stretches with them. What must not be there is a request, an intent, a canary, the
//! digest of a request, or several ids.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::domain::{Code, Finding};
use crate::firewall::Origin;
use crate::firewall::normalise::{folded, folded_file};
use crate::firewall::rolling::{GRAMS_OF_SPAN, Grams, KeyMap, Keys, Roller, Sieve, candidates};
use crate::firewall::runs::runs;
use crate::json;
use crate::replay::{Prompt, request_digest};

/// One held-out id may be an ordinary word; two in one file are not a coincidence.
const TELLING_IDS: usize = 2;
/// An id of several words or with a digit that is at least this long is not an ordinary word.
const TELLING_ID: usize = 10;
/// Length of a request's digest in the keys of completions.json.
const DIGEST: usize = 16;
/// What to do about a held-out text in the repository.
pub const REMEDY: &str = "remove it before it is committed; if it was pushed, the held-out set is no longer private: retire it";

/// The held-out prompts to look for.
#[derive(Debug, Default)]
pub struct HeldOutPrompts {
    /// Spans that the public set has too.
    public: Keys,
    public_ids: HashSet<String>,
    patterns: Vec<Pattern>,
    by_span: KeyMap<Vec<usize>>,
    sieve: Sieve,
    /// Short runs inside of the spans in `by_span`.
    grams: Sieve,
    digests: HashMap<Vec<u8>, usize>,
    /// As JSON spells them between quotes; whether one alone is enough.
    ids: HashMap<Vec<u8>, (usize, bool)>,
    /// Shortest and longest of them.
    id_lengths: Option<(usize, usize)>,
}

#[derive(Debug)]
struct Pattern {
    file: String,
    number: usize,
    /// How many different spans the text has.
    spans: usize,
}

impl HeldOutPrompts {
    /// Nothing to look for yet; `public` are the prompts.json of the public set. What they have
    /// too is not a secret.
    pub fn new<'p>(public: impl IntoIterator<Item = &'p str>) -> Self {
        let public: Vec<&str> = public.into_iter().collect();
        // Held-out prompts are about as many as public ones.
        let sieve = || Sieve::of_text(public.iter().map(|text| text.len()).sum());
        let mut held_out = Self { sieve: sieve(), grams: sieve(), ..Self::default() };
        for text in public {
            let mut roller = Roller::new();
            let keys = folded_file(text, true);
            held_out.public.extend(keys.chars().filter_map(|it| Some(roller.push(it)?.hash)));
            let document = json::parse(text.as_bytes()).ok();
            let prompts = document.as_ref().and_then(|document| document.root.array().ok());
            for prompt in prompts.into_iter().flatten() {
                let id = prompt.object().ok().and_then(|prompt| prompt.get("id"));
                held_out.public_ids.extend(id.and_then(|id| id.as_str()).map(str::to_owned));
            }
        }
        held_out
    }

    /// Adds a prompt.
    pub fn add_prompt(&mut self, origin: &Origin<'_>, prompt: &Prompt<'_>) {
        self.add_text(origin, prompt.intent);
        let Some(pattern) = self.add_text(origin, prompt.request) else { return };
        self.digests.insert(request_digest(prompt.request).to_vec(), pattern);
        if !self.public_ids.contains(prompt.id) {
            let quoted = json::pretty(&prompt.id);
            let escaped = quoted.trim_ascii().to_vec();
            let plain = prompt.id.as_bytes().to_vec();
            let is_word = |c: char| c.is_alphabetic();
            let is_telling = prompt.id.len() >= TELLING_ID && !prompt.id.chars().all(is_word);
            for id in [plain, escaped[1..escaped.len() - 1].to_vec()] {
                let (least, most) = self.id_lengths.unwrap_or((id.len(), id.len()));
                self.id_lengths = Some((least.min(id.len()), most.max(id.len())));
                self.ids.insert(id, (pattern, is_telling));
            }
        }
    }

    /// Adds a canary. Everything up to its last colon is its public half.
    pub fn add_canary(&mut self, origin: &Origin<'_>, canary: &str) {
        self.add_text(origin, canary.rsplit(':').next().unwrap_or(canary));
    }

    /// The index of the new pattern; `None` if the text is public, or too short to look for.
    fn add_text(&mut self, origin: &Origin<'_>, text: &str) -> Option<usize> {
        let mut hashes = Keys::default();
        let (mut roller, mut grams) = (Roller::new(), Grams::default());
        let (mut short_runs, mut added) = (Vec::new(), 0);
        for character in folded(text).chars() {
            short_runs.push(grams.push(character));
            if let Some(key) = roller.push(character)
                && roller.is_telling()
                && !self.public.contains(&key.hash)
            {
                hashes.insert(key.hash);
                let inside = added.max(short_runs.len() - GRAMS_OF_SPAN);
                short_runs[inside..].iter().flatten().for_each(|gram| self.grams.add(*gram));
                added = short_runs.len();
            }
        }
        if hashes.is_empty() {
            return None;
        }
        let index = self.patterns.len();
        let (file, spans) = (origin.file.to_owned(), hashes.len());
        self.patterns.push(Pattern { file, number: origin.number, spans });
        for hash in hashes {
            self.sieve.add(hash);
            self.by_span.entry(hash).or_default().push(index);
        }
        Some(index)
    }

    /// What `text`, which is in `file`, has of the held-out prompts.
    pub fn finding(&self, file: &str, text: &str) -> Option<Finding> {
        let mut found: BTreeMap<(&str, usize), &str> = BTreeMap::new();
        let mut name = |index: usize, what: &'static str| {
            let pattern = &self.patterns[index];
            found.entry((&pattern.file, pattern.number)).or_insert(what);
        };
        let bytes = text.as_bytes();
        let format = Format::from_start(bytes);
        for index in self.half_in(text, format) {
            name(index, "text");
        }
        for index in digests(bytes).filter_map(|digest| self.digests.get(digest)) {
            name(*index, "the request digest");
        }
        let ids = self.ids_in(bytes, format);
        if ids.len() >= TELLING_IDS || ids.iter().any(|(_, is_telling)| *is_telling) {
            for (index, _) in ids {
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

    /// Patterns of which at least half is in `text`: a phrase that a public answer shares with a
    /// request by chance is shorter.
    fn half_in(&self, text: &str, format: Format) -> Vec<usize> {
        let mut seen = Keys::default();
        let mut look = |text: &str, is_json: bool| {
            let normal = folded_file(text, is_json);
            for stretch in candidates(&normal, &self.grams) {
                let mut roller = Roller::new();
                for key in normal[stretch].chars().filter_map(|it| roller.push(it)) {
                    if self.sieve.may_have(key.hash) && self.by_span.contains_key(&key.hash) {
                        seen.insert(key.hash);
                    }
                }
            }
        };
        look(text, format == Format::Json);
        // Between tags too: a line of a script is an element of its own.
        if format == Format::Html {
            look(&without_tags(text), false);
        }
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for index in seen.iter().filter_map(|hash| self.by_span.get(hash)).flatten() {
            *counts.entry(*index).or_default() += 1;
        }
        counts.retain(|index, count| *count * 2 >= self.patterns[*index].spans);
        counts.into_keys().collect()
    }

    /// The prompts whose ids are whole fields: what lies between two quotes of a JSON file, or
    /// between the tags of a page.
    fn ids_in(&self, bytes: &[u8], format: Format) -> HashSet<(usize, bool)> {
        let mut found = HashSet::new();
        let [open, close] = match format {
            Format::Json => [b'"'; 2],
            Format::Html => [b'<', b'>'],
            Format::Other => return found,
        };
        let Some((least, most)) = self.id_lengths else { return found };
        let mut start = 0;
        for quote in memchr::memchr3_iter(b'"', open, close, bytes) {
            if (least..=most).contains(&(quote - start)) {
                found.extend(self.ids.get(&bytes[start..quote]));
            }
            start = quote + 1;
        }
        found
    }
}

/// How fields are set apart in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Html,
    Other,
}

impl Format {
    fn from_start(bytes: &[u8]) -> Self {
        match bytes.trim_ascii_start().first() {
            Some(b'{' | b'[' | b'"') => Self::Json,
            Some(b'<') => Self::Html,
            _ => Self::Other,
        }
    }
}

/// What a reader of the page sees.
fn without_tags(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    for part in page.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, shown)| shown));
    }
    let escapes = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")];
    escapes.iter().fold(text, |text, (escape, shown)| text.replace(escape, shown))
}

/// Every run of exactly [`DIGEST`] hexadecimal digits.
fn digests(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    runs(bytes, DIGEST, |byte| byte.is_ascii_hexdigit()).filter(|run| run.len() == DIGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::firewall::rolling::rot13;
    use crate::replay::Spec;
    use crate::testing::Draws;

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
            let mut prompts = HeldOutPrompts::new(public.iter().map(String::as_str));
            prompts.add_prompt(&origin, &prompt("h1", &secret));
            let recording = |asked: &[String]| {
                let texts: Vec<String> = asked.iter().map(|request| answer(request)).collect();
                serde_json::to_string(&texts).expect("JSON")
            };
            let look = |text: &str| prompts.finding("bundles/m/completions.json", text);
            assert_eq!(look(&recording(&public)), None, "world {seed}");
            let leaked = [&public[..], std::slice::from_ref(&secret)].concat();
            // A secret whose every span is public cannot be distinguished from the public requests.
            assert_eq!(look(&recording(&leaked)).is_some(), !prompts.patterns.is_empty());
        }
    }

    #[test]
    fn one_id_may_be_a_word_and_two_are_found() {
        let mut prompts = HeldOutPrompts::new([]);
        let texts: Vec<String> = (0..2).map(|seed| request(&mut Draws(seed + 5))).collect();
        for (number, text) in texts.iter().enumerate() {
            let origin = Origin { file: "held/m/prompts.json", number: number + 1 };
            let id = ["coast", "brûlage"][number];
            prompts.add_prompt(&origin, &prompt(id, text));
        }
        let look = |text: &str| prompts.finding("x.json", text);
        assert_eq!(look(r#"{"verb": "coast"}"#), None);
        assert_eq!(look(r#"{"coast": 1, "not": "a br\u00fblage"}"#), None);
        assert_eq!(look("the words \"coast\" and \"brûlage\" outside of JSON"), None);
        assert_eq!(look("<b>coast</b> and a brûlage on a page"), None);
        assert!(look("<b>coast</b> <a title=\"brûlage\">").is_some());
        let plain = look(r#"{"coast": 1, "other": "brûlage"}"#);
        let found = look(r#"{"coast": 1, "other": "br\u00fblage"}"#).expect("found");
        assert_eq!(plain.as_ref(), Some(&found));
        let what = "contains the id of held-out prompt 1 of `held/m/prompts.json`, and 1 more of the held-out set";
        assert_eq!(found.what, what);
    }

    #[test]
    fn a_long_id_of_several_words_is_enough() {
        let mut prompts = HeldOutPrompts::new([]);
        let text = request(&mut Draws(5));
        let origin = Origin { file: "held/m/prompts.json", number: 1 };
        prompts.add_prompt(&origin, &prompt("coast_to_apoapsis", &text));
        let look = |text: &str| prompts.finding("x", text);
        assert!(look(r#"{"coast_to_apoapsis": [true]}"#).is_some());
        assert!(look("<li>coast_to_apoapsis</li>").is_some());
        assert_eq!(look(r#"{"verb": "not coast_to_apoapsis alone"}"#), None);
    }

    #[test]
    fn a_request_is_found_reversed_and_with_shifted_letters() {
        let mut prompts = HeldOutPrompts::new([]);
        let text = "Raise the probe's perigee by 300 km with two burns and report it";
        let origin = Origin { file: "held/m/prompts.json", number: 1 };
        prompts.add_prompt(&origin, &prompt("x", text));
        let reversed: String = text.chars().rev().collect();
        let shifted: String = text.chars().map(rot13).collect();
        for disguised in [&reversed, &shifted] {
            assert!(prompts.finding("notes.txt", disguised).is_some(), "{disguised}");
        }
        assert_eq!(prompts.finding("notes.txt", "Lower the probe's perigee instead"), None);
    }

    #[test]
    fn a_request_is_found_between_the_tags_of_a_page() {
        let mut prompts = HeldOutPrompts::new([]);
        let text = "Raise the probe's perigee by 300 km with \"two\" burns & report it";
        let origin = Origin { file: "held/m/prompts.json", number: 1 };
        prompts.add_prompt(&origin, &prompt("x", text));
        let tagged: String = text
            .replace('&', "&amp;")
            .replace('\'', "&#39;")
            .replace('"', "&quot;")
            .split_inclusive(' ')
            .map(|word| format!("<li>{word}</li>"))
            .collect();
        assert!(prompts.finding("p/x.html", &tagged).is_some(), "{tagged}");
    }

    #[test]
    fn a_run_of_sixteen_digits_is_found_wherever_it_lies() {
        let runs = |text: &str| -> Vec<String> {
            digests(text.as_bytes()).map(|run| String::from_utf8_lossy(run).into()).collect()
        };
        let run = "0123456789abcdeF";
        for before in 0..40 {
            let text = format!("{}{run}{}", "x".repeat(before), "-".repeat(before % 3));
            assert_eq!(runs(&text), [run.to_owned()], "{text}");
        }
        assert_eq!(runs(&format!("a:{run}:{run}\"")), [run; 2].map(str::to_owned));
        for other in ["0123456789abcde", "00123456789abcdef", ""] {
            assert_eq!(runs(other), Vec::<String>::new(), "{other}");
        }
    }
}
