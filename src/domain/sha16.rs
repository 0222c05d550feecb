//! Short digests, as ids and in published rows.

use sha2::{Digest, Sha256};

/// The first 16 hex digits of the SHA-256 of `bytes`.
pub fn sha16(bytes: &[u8]) -> String {
    hex::encode(&Sha256::digest(bytes)[..8])
}
