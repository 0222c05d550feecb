//! The seal beside a board: made from what is on disk, and compared with it.

use std::path::{Path, PathBuf};

use minisign_verify::{PublicKey, Signature};

use crate::board::{Board, HeldOut, NotCovered};
use crate::domain::{Code, Failure, Finding, sha256};
use crate::fs::{self, BUNDLE_FILE_LIMIT, OWN_FILE_LIMIT, StoreError};
use crate::ledger::{self, History};
use crate::seal::{
    Seal, SealFiles, Sealable, Sealed, SealedHeldOut, SealedLedger, SealedRow, missing_seal,
    missing_signature,
};
use crate::workspace::{BoardFile, LedgerDir, Workspace};

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
                let found = missing_seal(&self.config, &file);
                return Ok((found.into_iter().collect(), Err(NotCovered::UNSEALED)));
            }
            bytes => bytes?,
        };
        let unsigned = self.unsigned(&file, &bytes)?;
        let history = self.ledger()?.history_bytes();
        let files = SealFiles { file: &file, seal: &bytes, unsigned: unsigned.as_ref(), history };
        files.check(&self.sealable(&board.bytes, &board.name), &mut |path| self.digest(path))
    }

    /// What is wrong with the signature of the seal; nothing if the config pins no key.
    fn unsigned(&self, file: &str, seal: &[u8]) -> Result<Option<Finding>, Failure> {
        let Some(key) = &self.config.seal_key else { return Ok(None) };
        let signature_file = format!("{file}.minisig");
        let signature = match fs::read_typed(Path::new(&signature_file), OWN_FILE_LIMIT) {
            Err(StoreError::Absent(_)) => return Ok(missing_signature(&self.config, file)),
            signature => signature?,
        };
        let wrong = wrong_signature(key, seal, &signature);
        Ok(wrong.map(|what| Finding::new(Code::ESeal, signature_file, "", what)))
    }

    fn sealable<'b>(&'b self, board: &'b [u8], board_file: &'b str) -> Sealable<'b> {
        let Self { config, config_file, config_bytes, .. } = self;
        Sealable { board, board_file, config, config_bytes, config_file }
    }

    /// The SHA-256 of a file below the root. A file that the disk does not give is not a file that is
    /// absent.
    fn digest(&self, path: &str) -> Result<Option<String>, Failure> {
        match self.store.read_kept(path, BUNDLE_FILE_LIMIT) {
            Ok(bytes) => Ok(Some(sha256(&*bytes))),
            Err(error @ StoreError::Io { .. }) => Err(error.into()),
            Err(_) => Ok(None),
        }
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
        let now = self.sealable(&board.bytes, &board.name);
        let mut seal = now.seal(None, &mut |path| self.digest(path))?;
        // Not the ledger as it was read: a line may have been recorded since.
        let history = LedgerDir::below(self.store.root()).history()?;
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
