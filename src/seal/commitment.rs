//! Commitments: a hash that fixes files now and can be opened later with its salt.

use sha2::{Digest, Sha256};

use crate::domain::sha256;

/// What every commitment starts with.
const PREFIX: &[u8] = b"gmat-leaderboard commitment v1\n";

/// 32 secret bytes. Never printed; written only to files of the private store and of a reveal.
#[derive(Clone, PartialEq, Eq)]
pub struct Salt([u8; 32]);

impl std::fmt::Debug for Salt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Salt(..)")
    }
}

impl Salt {
    /// Exactly these 32 bytes.
    pub fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Reads 64 lower-case hex digits and one newline, as [`Self::text`] writes them.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let digits = text.strip_suffix(b"\n")?;
        let salt = Self(hex::decode(digits).ok()?.try_into().ok()?);
        (salt.hex().as_bytes() == digits).then_some(salt)
    }

    /// 64 hex digits.
    pub fn hex(&self) -> String {
        hex::encode(self.0)
    }

    /// 64 hex digits and a newline.
    pub fn text(&self) -> String {
        format!("{}\n", self.hex())
    }

    /// The salt called `label`, derived from this one, which is the master.
    #[must_use]
    pub fn derive(&self, label: &str) -> Self {
        Self(hmac(&self.0, &[b"salt v1\n", label.as_bytes()]))
    }
}

/// The lines that `sha256sum` prints for `files`, sorted by path.
pub fn manifest<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> String {
    let mut files: Vec<(&str, &[u8])> = files.into_iter().collect();
    files.sort_unstable_by_key(|(path, _)| *path);
    files.iter().map(|(path, bytes)| format!("{}  {path}\n", sha256(bytes))).collect()
}

/// The commitment to the files of `manifest`, 64 hex digits.
pub fn commitment(salt: &Salt, manifest: &str) -> String {
    let hash = Sha256::new().chain_update(PREFIX).chain_update(salt.0);
    hex::encode(hash.chain_update(manifest).finalize())
}

/// HMAC-SHA256 (RFC 2104) with a key of one hash length.
fn hmac(key: &[u8; 32], message: &[&[u8]]) -> [u8; 32] {
    let pad = |byte: u8| {
        let mut block = [byte; 64];
        block.iter_mut().zip(key).for_each(|(block, key)| *block ^= key);
        block
    };
    let mut inner = Sha256::new().chain_update(pad(0x36));
    for part in message {
        inner.update(part);
    }
    let outer = Sha256::new().chain_update(pad(0x5c)).chain_update(inner.finalize());
    outer.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [(&str, &[u8]); 3] = [
        (
            "prompts.json",
            b"[{\"id\":\"ho_01\",\"request\":\"r\",\"intent\":\"i\",\"difficulty\":\"easy\",\"structural\":{}}]\n",
        ),
        ("demo__a/completions.json", b"{}\n"),
        ("demo__a/judge.json", b"{\"ho_01\":[true,true,false]}\n"),
    ];

    fn counting() -> Salt {
        Salt(std::array::from_fn(|at| u8::try_from(at).expect("below 32")))
    }

    /// From the holdout vectors: salt 00 01 … 1f and three files.
    #[test]
    fn a_commitment_has_the_bytes_of_its_vector() {
        assert_eq!(
            commitment(&counting(), &manifest(FILES)),
            "33e112ec55cb8cc27c2a5968c02c7be1b7c0e9889e8311419335d2ef2c43211b"
        );
        assert_eq!(
            commitment(&Salt([0; 32]), ""),
            "59c32d0daece81b3f8142f522f8248926eb63bf0bc49968baf2591775df8efa5"
        );
    }

    #[test]
    fn one_flipped_bit_in_a_file_a_path_or_the_salt_gives_another_commitment() {
        let first = commitment(&counting(), &manifest(FILES));
        for bit in 0..256 {
            let mut salt = counting();
            salt.0[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(commitment(&salt, &manifest(FILES)), first);
        }
        for (index, (path, bytes)) in FILES.iter().enumerate() {
            for bit in 0..bytes.len() * 8 {
                let mut flipped = bytes.to_vec();
                flipped[bit / 8] ^= 1 << (bit % 8);
                let mut files = FILES;
                files[index] = (path, &flipped);
                assert_ne!(commitment(&counting(), &manifest(files)), first);
            }
            let renamed = format!("{path}x");
            let mut files = FILES;
            files[index] = (&renamed, bytes);
            assert_ne!(commitment(&counting(), &manifest(files)), first);
        }
    }

    #[test]
    fn a_salt_has_one_spelling_of_64_digits() {
        let text = counting().text();
        assert_eq!(Salt::parse(text.as_bytes()), Some(counting()));
        for wrong in [&text[2..], text.trim_end(), &text.to_uppercase(), &format!("{text}\n"), ""] {
            assert_eq!(Salt::parse(wrong.as_bytes()), None, "{wrong:?}");
        }
        assert_eq!(format!("{:?}", counting()), "Salt(..)");
    }

    /// RFC 4231, test case 3, has a shorter key; padded with zeros it is the same HMAC key.
    #[test]
    fn salts_are_derived_with_hmac_sha256() {
        let mut key = [0; 32];
        key[..20].fill(0xaa);
        assert_eq!(
            hex::encode(hmac(&key, &[&[0xdd; 50]])),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        );
        assert_ne!(counting().derive("a"), counting().derive("b"));
    }
}
