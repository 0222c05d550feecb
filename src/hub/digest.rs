//! The hashes by which the hub names bytes: git's blob id (SHA-1) and SHA-256.
//!
//! SHA-1 here only recognises which files changed and that a body arrived whole; it protects
//! nothing against a forger. A blob id is not the SHA-1 of the bytes alone, and the `oid` of an LFS
//! file is the id of its pointer, not of its content.

pub(super) use crate::domain::sha256;
pub(super) use crate::fs::blob_id;

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

#[cfg(test)]
mod tests {
    use super::*;

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
