//! Bytes to [`Config`], collecting every problem on the way.

use std::collections::{BTreeMap, BTreeSet};

use super::about::{https, label};
use super::{
    AttemptLimits, BelowPath, Config, Dimension, HeldOutTiers, Link, Price, Scalar, Seed,
    SetHeader, SiteTexts, Waiver,
};
use crate::domain::failure::place;
use crate::domain::{Code, Failure, Finding, day, is_model, is_provider, nearest};
use crate::json::{self, Document, Location, Mismatch, Node};

const TOP: &[&str] = &[
    "eval_protocol_version",
    "n_votes",
    "judge_model",
    "public_set",
    "held_out_set",
    "seeds",
    "require_votes",
    "waivers",
    "held_out_tiers",
    "protocol",
    "repository",
    "site",
    "prices",
    "history",
    "cohort",
    "official_baselines",
    "packs",
    "slack",
    "seal",
    "attempts",
    "webhooks",
];
const SEAL: &[&str] = &["minisign"];
const ATTEMPTS: &[&str] = &["budget", "per_entrant"];
const SEED: &[&str] = &[
    "provider",
    "model",
    "kind",
    "submitted_by",
    "public_bundle",
    "held_out_bundle",
    "lift_bundle",
    "rejudged",
    "about",
    "withdrawn",
];
const PUBLIC_SET: &[&str] = &["n_prompts", "committed", "reproducible_offline", "note", "sha256"];
const HELD_OUT_SET: &[&str] = &["committed", "store", "tiers", "commitment", "published"];
const WAIVER: &[&str] = &["code", "path", "who", "why", "until"];
const PRICE: &[&str] = &["input", "output", "date", "source"];
const SITE: &[&str] = &[
    "title",
    "question",
    "description",
    "links",
    "contact",
    "license",
    "licence",
    "base_url",
    "models",
    "datasets",
];
const LINK: &[&str] = &["text", "url"];

/// All of them.
pub(super) const KEYS: &[&[&str]] =
    &[TOP, SEED, PUBLIC_SET, HELD_OUT_SET, WAIVER, PRICE, SITE, LINK, SEAL, ATTEMPTS];

pub(super) fn config(bytes: &[u8], file: &str) -> Result<Config, Failure> {
    let document = json::parse(bytes).map_err(|error| Failure::json(file, &error))?;
    let mut reader =
        Reader { document: &document, file, failures: Vec::new(), findings: Vec::new() };
    let config = reader.config(&document.root);
    let (failures, findings) = (reader.failures, reader.findings);
    match Failure::all(failures) {
        Some(failure) => Err(failure),
        None => Ok(Config { findings, ..config }),
    }
}

/// How many problems of a config get their place; of more, only the number is shown.
const LOCATED: usize = 100;

pub(super) struct Reader<'d, 'a> {
    document: &'d Document<'a>,
    file: &'d str,
    failures: Vec<Failure>,
    findings: Vec<Finding>,
}

impl<'a> Reader<'_, 'a> {
    fn config(&mut self, root: &Node<'a>) -> Config {
        self.known_keys(root, TOP);
        let config = Config {
            eval_protocol_version: self.protocol_version(root),
            n_votes: self.optional(root, "n_votes", votes).unwrap_or(3),
            judge_model: self
                .text(root, "judge_model")
                .unwrap_or_else(|| "openai/gpt-4.1-mini".into()),
            public_set: self.set_header(root, "public_set", PUBLIC_SET),
            held_out_set: self.set_header(root, "held_out_set", HELD_OUT_SET),
            public_pin: root
                .object()
                .ok()
                .and_then(|root| root.get("public_set"))
                .and_then(|set| self.optional(set, "sha256", sha256)),
            held_out_published: self.published(root),
            seeds: self.list(root, "seeds", Self::seed),
            require_votes: self.optional(root, "require_votes", Node::boolean).unwrap_or(false),
            waivers: self.list(root, "waivers", Self::waiver),
            held_out_tiers: self
                .optional(root, "held_out_tiers", held_out_tiers)
                .unwrap_or_default(),
            repository: self.optional(root, "repository", https),
            site: self.section(root, "site", Self::site).unwrap_or_default(),
            protocol: self.section(root, "protocol", Self::protocol),
            prices: self.section(root, "prices", Self::prices).unwrap_or_default(),
            history: self.section(root, "history", Self::history).unwrap_or_default(),
            cohort_dimensions: self
                .section(root, "cohort", Self::cohort)
                .filter(|dimensions| !dimensions.is_empty())
                .unwrap_or_else(|| Dimension::DEFAULT.to_vec()),
            official_baselines: self.list(root, "official_baselines", Self::word),
            packs: self.list(root, "packs", Self::pack),
            slack_report_url: self.section(root, "slack", Self::slack_report_url).flatten(),
            attempts: self.section(root, "attempts", Self::attempts).unwrap_or_default(),
            seal_key: self.section(root, "seal", Self::seal_key).flatten(),
            webhooks: self.list(root, "webhooks", Self::webhook),
            findings: Vec::new(),
        };
        self.uniqueness(&config.seeds);
        config
    }

    fn place(&self, at: usize) -> String {
        place(self.file, &self.locate(at))
    }

    /// Where `at` is. A search from the start for each, so only the first problems are located.
    fn locate(&self, at: usize) -> Location {
        if self.failures.len() + self.findings.len() < LOCATED {
            return self.document.locate(at);
        }
        Location { line: 1, column: 1, path: String::new() }
    }

    fn wrong(&mut self, mismatch: &Mismatch) {
        let failure = Failure::schema(self.file, &self.locate(mismatch.at), mismatch);
        self.failures.push(failure.help("docs/reference/config.md has the table of keys"));
    }

    pub(super) fn keep<T>(&mut self, result: Result<T, Mismatch>) -> Option<T> {
        result.map_err(|mismatch| self.wrong(&mismatch)).ok()
    }

    pub(super) fn optional<'n, T>(
        &mut self,
        node: &'n Node<'a>,
        key: &str,
        read: impl FnOnce(&'n Node<'a>) -> Result<T, Mismatch>,
    ) -> Option<T> {
        let member = node.object().ok()?.get(key)?;
        self.keep(read(member))
    }

    pub(super) fn text(&mut self, node: &Node<'a>, key: &str) -> Option<String> {
        self.optional(node, key, |member| member.text().map(|text| text.clone().into_owned()))
    }

    fn text_or(&mut self, node: &Node<'a>, key: &str, default: &str) -> String {
        self.text(node, key).unwrap_or_else(|| default.to_owned())
    }

    pub(super) fn required_text(&mut self, node: &Node<'a>, key: &'static str) -> Option<String> {
        let member = node.required(key);
        let text = member.and_then(|member| member.text().map(|text| text.clone().into_owned()));
        self.keep(text)
    }

    fn word(&mut self, item: &Node<'a>) -> Option<String> {
        self.keep(item.text().map(|text| text.clone().into_owned()))
    }

    pub(super) fn section<T>(
        &mut self,
        node: &Node<'a>,
        key: &str,
        read: impl FnOnce(&mut Self, &Node<'a>) -> T,
    ) -> Option<T> {
        let member = node.object().ok()?.get(key)?;
        self.keep(member.object().map(|_| ()))?;
        Some(read(self, member))
    }

    pub(super) fn list<T>(
        &mut self,
        node: &Node<'a>,
        key: &str,
        read: impl Fn(&mut Self, &Node<'a>) -> Option<T>,
    ) -> Vec<T> {
        let Some(member) = node.object().ok().and_then(|object| object.get(key)) else {
            return Vec::new();
        };
        let Some(items) = self.keep(member.array()) else { return Vec::new() };
        let mut list = Vec::with_capacity(items.len());
        list.extend(items.iter().filter_map(|item| read(self, item)));
        list
    }

    /// An unknown key is an error with the nearest known name, except below `x-`.
    pub(super) fn known_keys(&mut self, node: &Node<'a>, known: &[&'static str]) {
        let Some(object) = self.keep(node.object()) else { return };
        for (key, member) in object.iter().filter(|(key, _)| !key.starts_with("x-")) {
            if known.contains(&&**key) {
                continue;
            }
            let help = match nearest(key, known.iter().copied()) {
                Some(known) => format!("did you mean `{known}`? Keys of your own start with `x-`"),
                None => format!(
                    "known keys here: {}; keys of your own start with `x-`",
                    known.join(", ")
                ),
            };
            let failure = Failure::unusable(format!("unknown config key `{key}`"));
            self.failures.push(failure.code(Code::ESchema).at(self.place(member.at)).help(help));
        }
    }

    fn protocol_version(&mut self, root: &Node<'a>) -> String {
        let Some(node) = root.object().ok().and_then(|root| root.get("eval_protocol_version"))
        else {
            return "1".into();
        };
        match Scalar::read(node) {
            Some(Scalar::Text(text)) => text,
            Some(Scalar::Integer(_) | Scalar::Real(_)) => {
                node.number().map(|number| number.as_str().to_owned()).unwrap_or_default()
            }
            _ => {
                let what = format!("`eval_protocol_version` is {}, not a string", node.kind());
                self.finding(Code::EHeader, "eval_protocol_version", what);
                "1".into()
            }
        }
    }

    fn finding(&mut self, code: Code, path: impl Into<String>, what: String) {
        self.findings.push(Finding::new(code, self.file, path, what));
    }

    fn set_header(
        &mut self,
        root: &Node<'a>,
        name: &'static str,
        known: &[&'static str],
    ) -> SetHeader {
        let mut header = SetHeader::new();
        let Some(node) = root.object().ok().and_then(|root| root.get(name)) else { return header };
        let Some(object) = self.keep(node.object()) else { return header };
        for (key, member) in object.iter() {
            let path = format!("{name}.{key}");
            let value = match (name, &**key) {
                ("held_out_set", "tiers") => Scalar::counts(member),
                _ => Scalar::read(member),
            };
            let Some(value) = value else {
                let what = format!(
                    "`{path}` is {}; a header can only hold strings, numbers and booleans",
                    member.kind()
                );
                self.finding(Code::LKey, path, what);
                continue;
            };
            if !known.contains(&&**key) {
                let what =
                    format!("`{path}` is not a known key; it is copied into the board as it is");
                let help = "remove it unless readers of the board need it";
                self.findings
                    .push(Finding::new(Code::EHeader, self.file, path, what).note().help(help));
            }
            header.insert(key.to_string(), value);
        }
        header
    }

    fn published(&mut self, root: &Node<'a>) -> Option<BelowPath> {
        let set = root.object().ok()?.get("held_out_set")?;
        let node = set.object().ok()?.get("published")?;
        let path = self.below(node)?;
        let is_cache = |part: &str| part == ".cache" || part == ".git";
        if path.as_str().split('/').any(is_cache) {
            let what = "`held_out_set.published` names a directory for files that stay private";
            let failure = Failure::unusable(what).code(Code::PPath).at(self.place(node.at));
            let help = "name the folder of a set that everybody may read, such as `retired-set`";
            self.failures.push(failure.help(help));
            return None;
        }
        Some(path)
    }

    fn seed(&mut self, node: &Node<'a>) -> Option<Seed> {
        self.known_keys(node, SEED);
        node.object().ok()?;
        let model = self.required_text(node, "model");
        let bundle =
            self.keep(node.required("public_bundle")).and_then(|member| self.below(member));
        let provider = self.text(node, "provider").unwrap_or_else(|| Seed::RECORDED.into());
        let seed = Seed {
            kind: self.kind(node),
            submitted_by: self.text_or(node, "submitted_by", Seed::SUBMITTER),
            held_out_bundle: self.optional_below(node, "held_out_bundle"),
            lift_bundle: self.optional_below(node, "lift_bundle"),
            rejudged: self.optional(node, "rejudged", Node::boolean).unwrap_or(false),
            about: self.section(node, "about", Self::about),
            withdrawn: self.section(node, "withdrawn", Self::withdrawn).flatten(),
            provider,
            model: model?,
            public_bundle: bundle?,
        };
        for (key, good) in
            [("provider", is_provider(&seed.provider)), ("model", is_model(&seed.model))]
        {
            if !good {
                let path = self.locate(node.at).path;
                let what = format!("the {key} has a character or length that is not allowed");
                self.finding(Code::LName, format!("{path}.{key}"), what);
            }
        }
        Some(seed)
    }

    /// One word: it is shown on pages, in CSV files and as a filter.
    fn kind(&mut self, node: &Node<'a>) -> String {
        let kind = self.text_or(node, "kind", Seed::KIND);
        let mut letters = kind.bytes();
        let is_word = letters.next().is_some_and(|first| first.is_ascii_lowercase())
            && letters.all(|letter| letter.is_ascii_lowercase() || letter == b'-')
            && kind.len() <= 24;
        if !is_word && let Some(member) = node.object().ok().and_then(|seed| seed.get("kind")) {
            let wanted =
                "one word of 1 to 24 lower-case letters and hyphens, such as \"seed\" or \"entry\"";
            self.wrong(&member.mismatch(wanted));
        }
        kind
    }

    pub(super) fn optional_below(&mut self, node: &Node<'a>, key: &str) -> Option<BelowPath> {
        let member = node.object().ok()?.get(key)?;
        if member.is_null() { None } else { self.below(member) }
    }

    fn below(&mut self, node: &Node<'a>) -> Option<BelowPath> {
        let text = self.keep(node.text())?;
        let path = BelowPath::parse(text);
        if path.is_none() {
            let failure =
                Failure::unusable(format!("the path `{text}` leads out of its directory"));
            self.failures.push(failure.code(Code::PPath).at(self.place(node.at)));
        }
        path
    }

    fn uniqueness(&mut self, seeds: &[Seed]) {
        let mut ids = BTreeSet::new();
        let mut lifts: BTreeMap<&BelowPath, usize> = BTreeMap::new();
        for (index, seed) in seeds.iter().enumerate() {
            if !ids.insert((&seed.provider, &seed.model)) {
                let what = format!("two seeds name `{}`", seed.id());
                self.finding(Code::ERowDup, format!("seeds[{index}]"), what);
            }
            if let Some(lift) = &seed.lift_bundle {
                if let Some(other) = lifts.get(lift) {
                    let what =
                        format!("seeds[{other}] and seeds[{index}] name one lift bundle `{lift}`");
                    let path = format!("seeds[{index}].lift_bundle");
                    self.finding(Code::BLift, path, what);
                } else {
                    lifts.insert(lift, index);
                }
            }
        }
    }

    fn waiver(&mut self, node: &Node<'a>) -> Option<Waiver> {
        self.known_keys(node, WAIVER);
        let code = self.keep(node.required("code").and_then(|code| {
            let known = code.text().ok().and_then(|text| Code::parse(text));
            known.ok_or_else(|| code.mismatch("a finding code such as \"B-VOTES\""))
        }));
        let until = self.keep(node.required("until").and_then(|until| {
            let date = until.text().ok().filter(|text| day(text).is_some());
            date.map(|date| date.clone().into_owned())
                .ok_or_else(|| until.mismatch("a date such as \"2027-01-31\""))
        }));
        let (path, who, why) = (
            self.required_text(node, "path"),
            self.required_text(node, "who"),
            self.required_text(node, "why"),
        );
        Some(Waiver { code: code?, path: path?, who: who?, why: why?, until: until? })
    }

    fn seal_key(&mut self, node: &Node<'a>) -> Option<String> {
        self.known_keys(node, SEAL);
        self.optional(node, "minisign", |key| {
            // 42 bytes that start with `Ed`, in base64: what minisign prints as the public key.
            let is_base64 = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/');
            let good = |text: &&str| {
                text.len() == 56 && text.starts_with("RW") && text.bytes().all(is_base64)
            };
            let wanted = "a minisign public key: 56 characters that start with \"RW\"";
            key.as_str().filter(good).map(str::to_owned).ok_or_else(|| key.mismatch(wanted))
        })
    }

    fn attempts(&mut self, node: &Node<'a>) -> AttemptLimits {
        self.known_keys(node, ATTEMPTS);
        AttemptLimits {
            budget: self.optional(node, "budget", limit),
            per_entrant: self.optional(node, "per_entrant", limit),
        }
    }

    fn prices(&mut self, node: &Node<'a>) -> BTreeMap<String, Price> {
        let Ok(object) = node.object() else { return BTreeMap::new() };
        let mut prices = BTreeMap::new();
        for (id, entry) in object.iter() {
            self.known_keys(entry, PRICE);
            let amount = |key| entry.required(key).and_then(price);
            let (input, output) = (self.keep(amount("input")), self.keep(amount("output")));
            let (date, source) =
                (self.required_text(entry, "date"), self.required_text(entry, "source"));
            if let (Some(input), Some(output), Some(date), Some(source)) =
                (input, output, date, source)
            {
                prices.insert(id.to_string(), Price { input, output, date, source });
            }
        }
        prices
    }

    /// `license`; `licence` is the older spelling.
    fn license(&mut self, node: &Node<'a>) -> Option<String> {
        let (license, older) = (self.text(node, "license"), self.text(node, "licence"));
        if license.is_some() && older.is_some() {
            let what = "`site` has both `license` and `licence`, two spellings of one key";
            let failure = Failure::unusable(what).code(Code::ESchema).at(self.place(node.at));
            self.failures.push(failure.help("keep `license`"));
        }
        license.or(older)
    }

    fn site(&mut self, node: &Node<'a>) -> SiteTexts {
        self.known_keys(node, SITE);
        SiteTexts {
            title: self.text(node, "title"),
            question: self.optional(node, "question", |question| label(question, 120)),
            description: self.text(node, "description"),
            links: self.list(node, "links", |reader, link| {
                reader.known_keys(link, LINK);
                let (text, url) =
                    (reader.required_text(link, "text"), reader.required_text(link, "url"));
                Some(Link { text: text?, url: url? })
            }),
            contact: self.text(node, "contact"),
            license: self.license(node),
            base_url: self.text(node, "base_url"),
            models: self.list(node, "models", Self::word),
            datasets: self.list(node, "datasets", Self::word),
        }
    }
}

fn votes(node: &Node<'_>) -> Result<u64, Mismatch> {
    let count = node.count().ok().filter(|count| (1..=1000).contains(count));
    count.ok_or_else(|| node.mismatch("a whole number of votes from 1 to 1000"))
}

fn limit(node: &Node<'_>) -> Result<u64, Mismatch> {
    let count = node.count().ok().filter(|count| *count > 0);
    count.ok_or_else(|| node.mismatch("a whole number from 1"))
}

fn sha256(node: &Node<'_>) -> Result<String, Mismatch> {
    let hex = |text: &str| {
        text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let pin = node.as_str().filter(|text| hex(text));
    pin.map(str::to_owned).ok_or_else(|| node.mismatch("64 lower-case hexadecimal digits"))
}

fn price(node: &Node<'_>) -> Result<f64, Mismatch> {
    let amount = node.number()?.as_f64();
    if amount >= 0.0 { Ok(amount) } else { Err(node.mismatch("a price of 0 or more")) }
}

fn held_out_tiers(node: &Node<'_>) -> Result<HeldOutTiers, Mismatch> {
    match node.as_str() {
        Some("as-is") => Ok(HeldOutTiers::AsIs),
        Some("suppress-small") => Ok(HeldOutTiers::SuppressSmall),
        _ => Err(node.mismatch("\"as-is\" or \"suppress-small\"")),
    }
}
