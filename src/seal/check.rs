//! Compares a board, and what it was scored from, with its seal.

use super::{Seal, Tool};
use crate::board::NotCovered;
use crate::domain::config::Config;
use crate::domain::{Code, Failure, Finding};
use crate::json;
use crate::ledger::{self, Checkpoint};

/// A board and its config, as they are now.
#[derive(Debug, Clone, Copy)]
pub struct Sealable<'b> {
    /// The board's bytes.
    pub board: &'b [u8],
    /// How the board is named to people.
    pub board_file: &'b str,
    /// The config.
    pub config: &'b Config,
    /// The bytes of the config.
    pub config_bytes: &'b [u8],
    /// How the config is named to people.
    pub config_file: &'b str,
}

/// A seal and the files beside it, as far as they are there.
#[derive(Debug, Clone, Copy)]
pub struct SealFiles<'f> {
    /// How the seal is named to people.
    pub file: &'f str,
    /// The seal.
    pub seal: &'f [u8],
    /// What is wrong with its signature.
    pub unsigned: Option<&'f Finding>,
    /// `history.jsonl`.
    pub history: Option<&'f [u8]>,
}

/// The SHA-256 of a file below the root; `None` if the file is absent.
pub type DigestOf<'d> = &'d mut dyn FnMut(&str) -> Result<Option<String>, Failure>;

/// A seal that was found, and what about it was checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Its number.
    pub serial: u64,
    /// Its file.
    pub file: String,
    /// Whether it is signed with the key that the config pins.
    pub is_signed: bool,
    /// Whether the config pins a key.
    pub has_key: bool,
    /// Whether the sealed ledger is at hand; true if none was sealed.
    pub has_ledger: bool,
    /// `owner/name` on GitHub, where the board's repository is there.
    pub repository: Option<String>,
}

impl Sealed {
    /// What is not checked of a board with this seal, or without one that was read.
    pub fn not_covered(seal: &Result<Self, NotCovered>) -> Vec<NotCovered> {
        let seal = match seal {
            Ok(seal) => seal,
            Err(gap) => return vec![gap.clone()],
        };
        let mut all = Vec::new();
        if !seal.has_ledger {
            all.push(NotCovered::new("ledger", "sealed, but not at hand"));
        }
        if !seal.has_key {
            all.push(NotCovered::new("signature", "the config pins no key"));
        }
        if let Some(repository) = &seal.repository {
            let why = format!("run `gh attestation verify {} --repo {repository}`", seal.file);
            all.push(NotCovered { what: "attestation", rows: None, why: why.into() });
        }
        all
    }
}

/// A finding if the config pins a key and the board has no seal.
pub fn missing_seal(config: &Config, file: &str) -> Option<Finding> {
    config.seal_key.as_ref().map(|_| {
        let what = "the config pins a key, but the board has no seal";
        Finding::new(Code::ESeal, file, "", what)
    })
}

/// A finding if the config pins a key and there is no signature.
pub fn missing_signature(config: &Config, seal: &str) -> Option<Finding> {
    config.seal_key.as_ref().map(|_| {
        let what = "the seal is not signed, although the config pins a key";
        let help = format!("sign it: `minisign -Sm {seal}`");
        Finding::new(Code::ESeal, format!("{seal}.minisig"), "", what).help(help)
    })
}

impl SealFiles<'_> {
    /// Compares the seal with what is there now and with the ledger. Also returns the seal, or why it
    /// was not compared.
    pub fn check(
        &self,
        now: &Sealable<'_>,
        digest: DigestOf<'_>,
    ) -> Result<(Vec<Finding>, Result<Sealed, NotCovered>), Failure> {
        let config = now.config;
        let mut findings: Vec<Finding> = self.unsigned.cloned().into_iter().collect();
        let is_signed = config.seal_key.is_some() && findings.is_empty();
        let seal = match Seal::read(self.seal, self.file) {
            Ok(seal) => seal,
            Err(finding) => {
                findings.push(finding);
                return Ok((findings, Err(NotCovered::new("seal", "cannot be read"))));
            }
        };
        let current = now.seal(Some(&seal), digest)?;
        findings.extend(seal.compare(&current, now.board_file, now.config_file));
        if let Some((sealed, history)) = seal.ledger.as_ref().zip(self.history) {
            let checkpoint = Checkpoint::of_words(&sealed.size.to_string(), &sealed.root);
            if ledger::audit(history, &[checkpoint]).is_err() {
                let what = format!(
                    "the first {} lines of the ledger are not the sealed ones",
                    sealed.size
                );
                findings.push(Finding::new(Code::ESeal, "leaderboard/history.jsonl", "", what));
            }
        }
        let sealed = Sealed {
            serial: seal.serial,
            file: self.file.to_owned(),
            is_signed,
            has_key: config.seal_key.is_some(),
            has_ledger: seal.ledger.is_none() || self.history.is_some(),
            repository: github(config),
        };
        Ok((findings, Ok(sealed)))
    }
}

impl Sealable<'_> {
    /// The seal that board, config and files give now; files that `sealed` names are looked up too.
    pub fn seal(&self, sealed: Option<&Seal>, digest: DigestOf<'_>) -> Result<Seal, Failure> {
        let document = json::parse(self.config_bytes)
            .map_err(|error| Failure::json(self.config_file, &error))?;
        let tool = Tool {
            name: env!("CARGO_PKG_NAME").to_owned(),
            sha256: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let mut seal = Seal::new(self.board, self.config_bytes, &document, tool);
        seal.public_set_sha256.clone_from(&self.config.public_pin);
        let named = sealed.into_iter().flat_map(|seal| seal.files.keys().cloned());
        for path in inputs(self.config).into_iter().chain(named) {
            if let Some(sha256) = digest(&path)? {
                seal.files.insert(path, sha256);
            }
        }
        Ok(seal)
    }
}

/// Every file that a board can be scored from, below the root.
pub fn inputs(config: &Config) -> Vec<String> {
    let mut paths = Vec::new();
    for seed in &config.seeds {
        let public = ["prompts.json", "completions.json", "judge.json", "run.json"];
        paths.extend(public.map(|name| seed.public_bundle.file(name)));
        if let Some(lift) = &seed.lift_bundle {
            paths.extend(
                ["prompts.json", "trajectory.json", "verdicts.json"].map(|name| lift.file(name)),
            );
        }
    }
    if let Some(protocol) = &config.protocol {
        let texts = [&protocol.system, &protocol.request, &protocol.judge];
        paths.extend(
            texts.into_iter().filter_map(|text| text.file.as_ref()).map(ToString::to_string),
        );
    }
    paths
}

/// `owner/name` if the board's repository is on GitHub.
fn github(config: &Config) -> Option<String> {
    let path = config.repository.as_deref()?.strip_prefix("https://github.com/")?;
    let path = path.trim_end_matches('/').trim_end_matches(".git");
    (path.split('/').count() == 2).then(|| path.to_owned())
}
