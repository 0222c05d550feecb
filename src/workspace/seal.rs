//! The seal beside a board: made from what is on disk, compared with it, and its signature checked.

use std::path::{Path, PathBuf};

use minisign_verify::{PublicKey, Signature};

use crate::board::{Board, HeldOut, NotCovered};
use crate::domain::config::Config;
use crate::domain::{Code, Failure, Finding};
use crate::fs::{self, BUNDLE_FILE_LIMIT, OWN_FILE_LIMIT, StoreError};
use crate::json;
use crate::ledger::{self, Checkpoint, History};
use crate::seal::{Seal, SealedHeldOut, SealedLedger, SealedRow, Tool, sha256};
use crate::workspace::{BoardFile, LedgerDir, Workspace};

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

/// Where the seal of the board at `board` is.
pub fn seal_path(board: &Path) -> PathBuf {
    board.with_extension("seal.json")
}

impl Workspace {
    /// Compares the board and what it was scored from with its seal. Without a seal there is
    /// nothing to compare, unless the config pins a key or the user named the file.
    /// Returns what is wrong, and the seal or why it was not compared.
    pub(super) fn check_seal(
        &self,
        board: &BoardFile,
    ) -> Result<(Vec<Finding>, Result<Sealed, NotCovered>), Failure> {
        let path = self.seal.clone().unwrap_or_else(|| seal_path(&board.path));
        let file = path.display().to_string();
        let bytes = match fs::read_typed(&path, OWN_FILE_LIMIT) {
            Err(StoreError::Absent(_)) if self.seal.is_none() => {
                let found = self.config.seal_key.as_ref().map(|_| {
                    let what = "the config pins a key, but the board has no seal";
                    Finding::new(Code::ESeal, file, "", what)
                });
                return Ok((found.into_iter().collect(), Err(NotCovered::UNSEALED)));
            }
            bytes => bytes?,
        };
        let mut found = self.signature(&path, &bytes)?;
        let is_signed = self.config.seal_key.is_some() && found.is_none();
        let seal = match Seal::read(&bytes, &file) {
            Ok(seal) => seal,
            Err(finding) => {
                let gap = NotCovered::new("seal", "cannot be read");
                return Ok((found.into_iter().chain([finding]).collect(), Err(gap)));
            }
        };
        let now = self.seal_of(&board.bytes, Some(&seal))?;
        let mut findings: Vec<Finding> = found.take().into_iter().collect();
        findings.extend(seal.compare(&now, &board.name, &self.config_file));
        let history = LedgerDir::below(self.store.root()).optional("history.jsonl")?;
        if let Some((sealed, history)) = seal.ledger.as_ref().zip(history.as_ref()) {
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
            file,
            is_signed,
            has_key: self.config.seal_key.is_some(),
            has_ledger: seal.ledger.is_none() || history.is_some(),
            repository: github(&self.config),
        };
        Ok((findings, Ok(sealed)))
    }

    /// Seals `board`; returns the seal's number and file. If nothing changed, the seal that is
    /// there stays.
    pub fn write_seal(&self, board: &BoardFile) -> Result<(u64, PathBuf), Failure> {
        let path = seal_path(&board.path);
        let file = path.display().to_string();
        let old = match fs::read_typed(&path, OWN_FILE_LIMIT) {
            Err(StoreError::Absent(_)) => None,
            bytes => Some(bytes?),
        };
        let mut seal = self.seal_of(&board.bytes, None)?;
        let history = LedgerDir::below(self.store.root()).optional("history.jsonl")?;
        if let Some(history) = &history {
            let (lines, _) = ledger::read(history).usable()?;
            if let Ok(head) = ledger::head(history) {
                seal.ledger = Some(SealedLedger { root: head.root_base64(), size: head.size });
            }
            seal.held_out = held_out(&lines, &board.board()?);
        }
        seal.tool.sha256 =
            std::env::current_exe().and_then(std::fs::read).ok().map(|program| sha256(&program));
        if let Some(bytes) = &old {
            let before = Seal::read(bytes, &file).map_err(|finding| {
                Failure::unusable(finding.what).at(&*file).help(
                    "restore the last seal, so that the new one can follow it; `git log` has it",
                )
            })?;
            let Seal { serial, prev_seal_sha256, .. } = &before;
            let same = Seal {
                serial: *serial,
                prev_seal_sha256: prev_seal_sha256.clone(),
                ..seal.clone()
            };
            if same == before {
                return Ok((*serial, path));
            }
            seal.serial = serial + 1;
            seal.prev_seal_sha256 = Some(sha256(bytes));
        }
        fs::write(&path, &seal.bytes())?;
        Ok((seal.serial, path))
    }

    /// The seal that board, config and files give now; files that `sealed` names are looked up too.
    fn seal_of(&self, board: &[u8], sealed: Option<&Seal>) -> Result<Seal, Failure> {
        let Self { config, config_file, config_bytes, .. } = self;
        let document =
            json::parse(config_bytes).map_err(|error| Failure::json(config_file, &error))?;
        let tool = Tool {
            name: env!("CARGO_PKG_NAME").to_owned(),
            sha256: None,
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let mut seal = Seal::new(board, config_bytes, &document, tool);
        seal.public_set_sha256.clone_from(&config.public_pin);
        let named = sealed.into_iter().flat_map(|seal| seal.files.keys().cloned());
        for path in inputs(config).into_iter().chain(named) {
            match self.store.read(&path, BUNDLE_FILE_LIMIT) {
                Ok(bytes) => drop(seal.files.insert(path, sha256(&bytes))),
                // A file that the disk does not give is not a file that is absent.
                Err(error @ StoreError::Io { .. }) => return Err(error.into()),
                Err(_) => {}
            }
        }
        Ok(seal)
    }

    /// What is wrong with the signature of the seal; nothing if the config pins no key.
    fn signature(&self, path: &Path, seal: &[u8]) -> Result<Option<Finding>, Failure> {
        let Some(key) = &self.config.seal_key else { return Ok(None) };
        let file = format!("{}.minisig", path.display());
        let signature = match fs::read_typed(Path::new(&file), OWN_FILE_LIMIT) {
            Err(StoreError::Absent(_)) => {
                let what = "the seal is not signed, although the config pins a key";
                let help = format!("sign it: `minisign -Sm {}`", path.display());
                return Ok(Some(Finding::new(Code::ESeal, file, "", what).help(help)));
            }
            signature => signature?,
        };
        let wrong = wrong_signature(key, seal, &signature);
        Ok(wrong.map(|what| Finding::new(Code::ESeal, file, "", what)))
    }
}

/// What is wrong with a minisign signature.
pub fn wrong_signature(key: &str, bytes: &[u8], signature: &[u8]) -> Option<&'static str> {
    let Ok(key) = PublicKey::from_base64(key) else {
        return Some("the key that the config pins is not a minisign public key");
    };
    let signature = std::str::from_utf8(signature).ok();
    let Some(signature) = signature.and_then(|text| Signature::decode(text).ok()) else {
        return Some("the signature is not a minisign signature");
    };
    let is_good = key.verify(bytes, &signature, false).is_ok();
    (!is_good).then_some("the signature is not one of the pinned key over this seal")
}

/// Every file that a board can be scored from, below the root.
fn inputs(config: &Config) -> Vec<String> {
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

/// The commitments behind the scored rows of `board`; `None` without one to the set.
fn held_out(history: &History, board: &Board) -> Option<SealedHeldOut> {
    let protocol = &board.eval_protocol_version;
    let commit = history.commit(protocol)?;
    let scored = board.entries.iter().filter(|row| matches!(row.held_out, HeldOut::Scored(_)));
    let last = |row: &crate::board::Row| {
        let attempt = history.last_attempt(protocol, &row.provider, &row.model)?;
        Some(SealedRow {
            attempt: attempt.attempt,
            model: row.model.clone(),
            provider: row.provider.clone(),
            row_commitment: attempt.row_commitment.clone(),
        })
    };
    Some(SealedHeldOut {
        protocol: protocol.clone(),
        rows: scored.filter_map(last).collect(),
        set_commitment: commit.set_commitment.clone(),
    })
}

/// `owner/name` if the board's repository is on GitHub.
fn github(config: &Config) -> Option<String> {
    let path = config.repository.as_deref()?.strip_prefix("https://github.com/")?;
    let path = path.trim_end_matches('/').trim_end_matches(".git");
    (path.split('/').count() == 2).then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Key and signature over `test`, from the documentation of minisign-verify.
    const KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";
    const SIGNATURE: &str = "untrusted comment: signature from minisign secret key
RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=
trusted comment: timestamp:1556193335\tfile:test
y/rUw2y8/hOUYjZU71eHp/Wo1KZ40fGy2VJEDl34XMJM+TX48Ss/17u3IvIfbVR1FkZZSNCisQbuQY+bHwhEBg==";

    #[test]
    fn a_signature_holds_for_its_bytes_its_key_and_its_comment_only() {
        let wrong = |key: &str, bytes: &[u8], signature: &str| {
            wrong_signature(key, bytes, signature.as_bytes())
        };
        assert_eq!(wrong(KEY, b"test", SIGNATURE), None);
        let other = Some("the signature is not one of the pinned key over this seal");
        assert_eq!(wrong(KEY, b"tesT", SIGNATURE), other);
        assert_eq!(wrong(KEY, b"test", &SIGNATURE.replace("file:test", "file:tesT")), other);
        assert_eq!(wrong(&KEY.replace("FO3", "FO2"), b"test", SIGNATURE), other);
        assert_eq!(
            wrong("RWQf", b"test", SIGNATURE),
            Some("the key that the config pins is not a minisign public key")
        );
        assert_eq!(wrong(KEY, b"test", "hello"), Some("the signature is not a minisign signature"));
    }
}
