//! Digests in hex, whole and short.

use sha2::{Digest, Sha256};

/// SHA-256 in lower-case hex.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// The first 16 hex digits of the SHA-256 of `bytes`.
pub fn sha16(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes)[..8])
}
