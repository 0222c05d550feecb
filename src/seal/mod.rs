//! The seal of a board: what the board and everything it was scored from looked like.
//!
//! The seal lies beside the board as `leaderboard.seal.json`, so that the board's own bytes stay
//! as they are. It is canonical JSON, so it has one spelling that can be signed.

mod check;
mod commitment;

use std::collections::BTreeMap;

use serde::Serialize;

pub use check::{DigestOf, SealFiles, Sealable, Sealed, inputs, missing_seal, missing_signature};
pub use commitment::{Salt, commitment, manifest};

use crate::domain::{Code, Finding, FindingHint, sha256};
use crate::json::{self, Document, Node, Object};

/// The value of `format`; changes if the meaning of a key does.
const FORMAT: &str = "gmat-leaderboard seal v1";

/// Keys of the config that enter a score or the order of rows.
const SEALED_KEYS: [&str; 10] = [
    "cohort",
    "eval_protocol_version",
    "held_out_set",
    "held_out_tiers",
    "judge_model",
    "n_votes",
    "official_baselines",
    "protocol",
    "public_set",
    "require_votes",
];

/// Keys of a seed that can change under a seal.
const FREE_SEED_KEYS: [&str; 2] = ["about", "withdrawn"];

type Digests = BTreeMap<String, String>;

/// What is sealed. Digests are SHA-256 in lower-case hex; keys are sorted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Seal {
    /// The board's bytes.
    pub board_sha256: String,
    /// Each key of the config that enters a score, as canonical JSON.
    pub config_keys: Digests,
    /// Each seed by `provider:model`, as canonical JSON without what can change later.
    pub config_seeds: Digests,
    /// The config's bytes.
    pub config_sha256: String,
    /// Files of bundles, lift bundles and protocol texts, by path below the root.
    pub files: Digests,
    /// Always the same text.
    pub format: String,
    /// The commitments to the held-out set and to the rows' held-out bundles.
    pub held_out: Option<SealedHeldOut>,
    /// The ledger, if there is one.
    pub ledger: Option<SealedLedger>,
    /// The seal before this one.
    pub prev_seal_sha256: Option<String>,
    /// The prompts.json that the config pins.
    pub public_set_sha256: Option<String>,
    /// 1, 2, 3 …
    pub serial: u64,
    /// The program that wrote the seal.
    pub tool: Tool,
}

/// The commitments of one protocol version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SealedHeldOut {
    /// The protocol version.
    pub protocol: String,
    /// The last attempt of each row on the board.
    pub rows: Vec<SealedRow>,
    /// The commitment to the set.
    pub set_commitment: String,
}

/// The commitment to one row's held-out bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SealedRow {
    /// The attempt's number.
    pub attempt: u64,
    /// The model.
    pub model: String,
    /// Who serves the model.
    pub provider: String,
    /// The commitment; null if it was scored without a salt.
    pub row_commitment: Option<String>,
}

/// Size and root of the ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SealedLedger {
    /// The root over the lines (RFC 6962), in base64.
    pub root: String,
    /// How many lines.
    pub size: u64,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its executable; null if it cannot be read.
    pub sha256: Option<String>,
    /// Its version.
    pub version: String,
}

impl Seal {
    /// The seal of a board and a config. Files, ledger and commitments are added by the caller.
    pub fn new(board: &[u8], config: &[u8], document: &Document<'_>, tool: Tool) -> Self {
        let (config_keys, config_seeds) = digests(&document.root);
        Self {
            board_sha256: sha256(board),
            config_keys,
            config_seeds,
            config_sha256: sha256(config),
            files: Digests::new(),
            format: FORMAT.to_owned(),
            held_out: None,
            ledger: None,
            prev_seal_sha256: None,
            public_set_sha256: None,
            serial: 1,
            tool,
        }
    }

    /// The canonical bytes.
    pub fn bytes(&self) -> Vec<u8> {
        json::pretty(self)
    }

    /// Reads a seal; the finding says why `bytes` are not one.
    pub fn read(bytes: &[u8], file: &str) -> Result<Self, Finding> {
        let finding = |what: String| {
            let help = "restore the file, or have a maintainer seal again";
            Finding::new(Code::ESeal, file, "", what).help(help).hint(FindingHint::UnreadableSeal)
        };
        let document = json::parse(bytes)
            .map_err(|error| finding(format!("the seal cannot be parsed: {error}")))?;
        let seal = Self::of_node(&document.root).ok_or_else(|| {
            finding("a key of the seal is missing or has a wrong value".to_owned())
        })?;
        if seal.format != FORMAT {
            return Err(finding(format!("unknown seal format; this program knows `{FORMAT}`")));
        }
        if seal.bytes() != bytes {
            return Err(finding("the seal is not in canonical JSON form".to_owned()));
        }
        Ok(seal)
    }

    /// Unknown keys are seen later: the seal would be written without them.
    fn of_node(root: &Node<'_>) -> Option<Self> {
        let seal = root.object().ok()?;
        let held_out = |node: &Node<'_>| {
            let part = node.object().ok()?;
            let rows = part.get("rows")?.array().ok()?.iter().map(|row| {
                let row = row.object().ok()?;
                Some(SealedRow {
                    attempt: row.get("attempt")?.count().ok()?,
                    model: text(row, "model")?,
                    provider: text(row, "provider")?,
                    row_commitment: nullable(row.get("row_commitment")?, plain)?,
                })
            });
            Some(SealedHeldOut {
                protocol: text(part, "protocol")?,
                rows: rows.collect::<Option<_>>()?,
                set_commitment: text(part, "set_commitment")?,
            })
        };
        let ledger = |node: &Node<'_>| {
            let part = node.object().ok()?;
            Some(SealedLedger { root: text(part, "root")?, size: part.get("size")?.count().ok()? })
        };
        let tool = seal.get("tool")?.object().ok()?;
        Some(Self {
            board_sha256: text(seal, "board_sha256")?,
            config_keys: texts(seal, "config_keys")?,
            config_seeds: texts(seal, "config_seeds")?,
            config_sha256: text(seal, "config_sha256")?,
            files: texts(seal, "files")?,
            format: text(seal, "format")?,
            held_out: nullable(seal.get("held_out")?, held_out)?,
            ledger: nullable(seal.get("ledger")?, ledger)?,
            prev_seal_sha256: nullable(seal.get("prev_seal_sha256")?, plain)?,
            public_set_sha256: nullable(seal.get("public_set_sha256")?, plain)?,
            serial: seal.get("serial")?.count().ok()?,
            tool: Tool {
                name: text(tool, "name")?,
                sha256: nullable(tool.get("sha256")?, plain)?,
                version: text(tool, "version")?,
            },
        })
    }

    /// What is different `now`, which must have a digest for each sealed file that is still there.
    /// What may change under a seal is a note.
    pub fn compare(&self, now: &Self, board: &str, config: &str) -> Vec<Finding> {
        let changed =
            |file: &str, path: &str, what: String| Finding::new(Code::ESeal, file, path, what);
        let mut found = Vec::new();
        if self.board_sha256 != now.board_sha256 {
            let what = format!("the board is not the one of seal number {}", self.serial);
            let finding = changed(board, "", what);
            found.push(finding.sides(&now.board_sha256, &self.board_sha256));
        }
        let keys = self.config_keys.keys().chain(now.config_keys.keys());
        for key in keys.collect::<std::collections::BTreeSet<_>>() {
            if self.config_keys.get(key) != now.config_keys.get(key) {
                found.push(changed(
                    config,
                    key,
                    format!("`{key}` changed since the board was sealed"),
                ));
            }
        }
        for (seed, digest) in &self.config_seeds {
            match now.config_seeds.get(seed) {
                Some(now) if now == digest => {}
                Some(_) => {
                    let what = format!("the seed `{seed}` changed since the board was sealed");
                    found.push(changed(config, "seeds", what));
                }
                None => {
                    let what = format!("the seed `{seed}` was sealed and is gone");
                    found.push(changed(config, "seeds", what));
                }
            }
        }
        if self.public_set_sha256 != now.public_set_sha256 {
            let what = "the public set is not the sealed one".to_owned();
            found.push(changed(config, "public_set.sha256", what));
        }
        for (file, digest) in &self.files {
            match now.files.get(file) {
                Some(now) if now == digest => {}
                Some(_) => {
                    found.push(changed(
                        file,
                        "",
                        "the file changed since the board was sealed".to_owned(),
                    ));
                }
                None => found.push(changed(file, "", "the file was sealed and is gone".to_owned())),
            }
        }
        let has_changed = !found.is_empty();
        let new_seeds =
            now.config_seeds.keys().filter(|seed| !self.config_seeds.contains_key(*seed));
        let new_files = now.files.keys().filter(|file| !self.files.contains_key(*file));
        let mut new: Vec<String> = new_seeds.map(|seed| format!("seed `{seed}`")).collect();
        let files = new_files.count();
        if files > 0 {
            new.push(format!("{files} file(s)"));
        }
        if new.is_empty() && !has_changed && self.config_sha256 != now.config_sha256 {
            new.push("keys of the config that do not enter a score".to_owned());
        }
        if !new.is_empty() {
            let what = format!("not sealed yet: {}", new.join(", "));
            let help = "the next seal covers it";
            found.push(changed(config, "", what).note().help(help).hint(FindingHint::NotSealedYet));
        }
        found
    }
}

fn plain(node: &Node<'_>) -> Option<String> {
    node.as_str().map(str::to_owned)
}

fn text(object: &Object<'_>, key: &str) -> Option<String> {
    plain(object.get(key)?)
}

fn texts(object: &Object<'_>, key: &str) -> Option<Digests> {
    let members = object.get(key)?.object().ok()?.iter();
    members.map(|(key, value)| Some((key.to_string(), plain(value)?))).collect()
}

/// `Some(None)` for null; `None` if the value is wrong.
#[expect(clippy::option_option, reason = "a wrong value is not an absent one")]
fn nullable<T>(node: &Node<'_>, read: impl Fn(&Node<'_>) -> Option<T>) -> Option<Option<T>> {
    if node.is_null() { Some(None) } else { read(node).map(Some) }
}

/// The digests of the sealed keys, and of the seeds.
fn digests(root: &Node<'_>) -> (Digests, Digests) {
    let (mut keys, mut seeds) = (Digests::new(), Digests::new());
    let Ok(config) = root.object() else { return (keys, seeds) };
    for key in SEALED_KEYS {
        if let Some(value) = config.get(key) {
            keys.insert(key.to_owned(), sha256(json::pretty(value)));
        }
    }
    let list = config.get("seeds").and_then(|seeds| seeds.array().ok()).unwrap_or_default();
    for seed in list {
        let Ok(seed) = seed.object() else { continue };
        let name = |key| seed.get(key).and_then(Node::as_str);
        let id = format!(
            "{}:{}",
            name("provider").unwrap_or(crate::domain::config::Seed::RECORDED),
            name("model").unwrap_or_default()
        );
        let kept: BTreeMap<&str, &Node<'_>> = seed
            .iter()
            .map(|(key, value)| (&**key, value))
            .filter(|(key, _)| !FREE_SEED_KEYS.contains(key) && !key.starts_with("x-"))
            .collect();
        seeds.insert(id, sha256(json::pretty(&kept)));
    }
    (keys, seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = r#"{"eval_protocol_version": "1", "site": {"title": "t"}, "seeds": [
        {"model": "a", "provider": "p", "public_bundle": "a"}]}"#;

    fn seal(config: &str) -> Seal {
        let document = json::parse(config.as_bytes()).expect("JSON");
        let tool = Tool { name: "t".into(), sha256: None, version: "0".into() };
        let mut seal = Seal::new(b"board", config.as_bytes(), &document, tool);
        seal.files.insert("a/judge.json".into(), sha256(b"votes"));
        seal
    }

    fn found(now: &Seal) -> Vec<(bool, String)> {
        let found = seal(CONFIG).compare(now, "board.json", "seeds.json");
        found.into_iter().map(|finding| (finding.decides(), finding.what)).collect()
    }

    #[test]
    fn a_seal_is_read_back_from_its_own_bytes_and_no_others() {
        let bytes = seal(CONFIG).bytes();
        assert_eq!(Seal::read(&bytes, "s"), Ok(seal(CONFIG)));
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1;
            assert_ne!(Seal::read(&flipped, "s").ok(), Some(seal(CONFIG)), "byte {at}");
        }
        let text = String::from_utf8(bytes).expect("text");
        let spaced = Seal::read(text.replace(": 1,", ":  1,").as_bytes(), "s").expect_err("spaced");
        assert_eq!(spaced.what, "the seal is not in canonical JSON form");
        let newer = Seal::read(text.replace("seal v1", "seal v2").as_bytes(), "s").expect_err("v2");
        assert!(newer.what.starts_with("unknown seal format"), "{}", newer.what);
    }

    #[test]
    fn what_enters_a_score_is_a_finding_and_the_rest_a_note() {
        assert_eq!(found(&seal(CONFIG)), []);
        let yes = |what: &str| vec![(true, what.to_owned())];
        let note = |what: &str| vec![(false, format!("not sealed yet: {what}"))];
        let edit = |from: &str, to: &str| {
            assert!(CONFIG.contains(from), "{from}");
            found(&seal(&CONFIG.replace(from, to)))
        };
        let other_board = Seal { board_sha256: sha256(b"other"), ..seal(CONFIG) };
        assert_eq!(found(&other_board), yes("the board is not the one of seal number 1"));
        assert_eq!(
            edit(r#"sion": "1""#, r#"sion": "2""#),
            yes("`eval_protocol_version` changed since the board was sealed")
        );
        assert_eq!(
            edit(r#""site""#, r#""n_votes": 3, "site""#),
            yes("`n_votes` changed since the board was sealed")
        );
        assert_eq!(
            edit(r#"bundle": "a""#, r#"bundle": "b""#),
            yes("the seed `p:a` changed since the board was sealed")
        );
        let gone = edit(r#""model": "a""#, r#""model": "z""#);
        assert_eq!(gone[0].1, "the seed `p:a` was sealed and is gone");
        assert_eq!(gone[1], note("seed `p:z`")[0]);
        assert_eq!(
            edit(r#""title": "t""#, r#""title": "u""#),
            note("keys of the config that do not enter a score")
        );
        assert_eq!(
            edit(r#""public_bundle": "a""#, r#""public_bundle": "a", "about": {"name": "A"}"#),
            note("keys of the config that do not enter a score")
        );
        let mut files = seal(CONFIG);
        files.files.insert("b/judge.json".into(), sha256(b"new"));
        assert_eq!(found(&files), note("1 file(s)"));
        files.files = BTreeMap::from([("a/judge.json".into(), sha256(b"Votes"))]);
        assert_eq!(found(&files), yes("the file changed since the board was sealed"));
        files.files.clear();
        assert_eq!(found(&files), yes("the file was sealed and is gone"));
    }
}
