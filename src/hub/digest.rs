//! The hashes by which the hub names bytes: git's blob id (SHA-1) and SHA-256.
//!
//! SHA-1 here only recognises which files changed and that a body arrived whole; it protects
//! nothing against a forger. What a newcomer gets wrong: a blob id is not the SHA-1 of the bytes
//! alone, and the `oid` of an LFS file is the id of its pointer, not of its content.

use sha2::{Digest, Sha256};

/// What the hub says the bytes of a file hash to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hash {
    /// Git's id of a regular file.
    Blob(String),
    /// SHA-256 of a file in large-file storage.
    Sha256(String),
}

impl Hash {
    /// Whether `bytes` are what was named.
    pub(super) fn is_of(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Blob(id) => *id == blob_id(bytes),
            Self::Sha256(hash) => *hash == sha256(bytes),
        }
    }

    /// The key and the hex digits, as the manifest keeps them.
    pub(super) fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Blob(id) => ("blob", id),
            Self::Sha256(hash) => ("sha256", hash),
        }
    }
}

/// SHA-256 in lower-case hex.
pub(super) fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Git's id of a file with these bytes, in lower-case hex.
pub(super) fn blob_id(bytes: &[u8]) -> String {
    let mut message = format!("blob {}\0", bytes.len()).into_bytes();
    message.extend_from_slice(bytes);
    hex::encode(sha1(message))
}

/// SHA-1 as in FIPS 180-4.
#[expect(clippy::many_single_char_names, reason = "the letters of the standard")]
fn sha1(mut message: Vec<u8>) -> [u8; 20] {
    let bits = (message.len() as u64) * 8;
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend_from_slice(&bits.to_be_bytes());
    let mut state: [u32; 5] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    for block in message.chunks_exact(64) {
        let mut words = [0_u32; 80];
        for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
            *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        }
        for t in 16..80 {
            words[t] = (words[t - 3] ^ words[t - 8] ^ words[t - 14] ^ words[t - 16]).rotate_left(1);
        }
        let mut turned = state;
        for (t, word) in words.iter().enumerate() {
            let [a, b, c, d, e] = turned;
            let (mixed, constant) = match t {
                0..20 => ((b & c) | (!b & d), 0x5a82_7999),
                20..40 => (b ^ c ^ d, 0x6ed9_eba1),
                40..60 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
                _ => (b ^ c ^ d, 0xca62_c1d6_u32),
            };
            let next = a
                .rotate_left(5)
                .wrapping_add(mixed)
                .wrapping_add(e)
                .wrapping_add(constant)
                .wrapping_add(*word);
            turned = [next, a, b.rotate_left(30), c, d];
        }
        for (sum, part) in state.iter_mut().zip(turned) {
            *sum = sum.wrapping_add(part);
        }
    }
    let mut digest = [0; 20];
    for (bytes, word) in digest.chunks_exact_mut(4).zip(state) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha1_gives_the_published_vectors() {
        let digest = |text: &str| hex::encode(sha1(text.into()));
        assert_eq!(digest(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(digest("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(
            digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        );
        assert_eq!(digest(&"a".repeat(1_000_000)), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
    }

    #[test]
    fn blob_ids_are_git_s_own() {
        // `git hash-object --stdin`
        assert_eq!(blob_id(b""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(blob_id(b"hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
        // Lengths around the block border.
        for length in 50..70 {
            assert_eq!(blob_id(&vec![b'x'; length]).len(), 40);
        }
    }
}
