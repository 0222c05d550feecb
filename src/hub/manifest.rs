//! What a fetched directory holds, as this program left it.
//!
//! Written before the first download with everything that may come to lie there, and again at the
//! end. So after any kill the next run knows which files are its own; all others are the user's.

use std::collections::BTreeMap;

use super::HubError;
use super::digest::Hash;
use super::repo::{RemoteFile, hex_digits};
use crate::fs::MirrorEntry;
use crate::json::{self, Mismatch, Node};

/// The manifest's name in the directory.
pub(super) const MANIFEST: &str = ".gmat-leaderboard-fetch.json";
pub(super) const LIMIT: u64 = 16 << 20;

/// Whose files lie in a directory, and which.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    /// Endpoint and `owner/name`.
    pub(super) source: String,
    /// The commit.
    pub(super) revision: String,
    /// Whether every file arrived and every stale one is gone.
    pub(super) complete: bool,
    pub(super) files: Vec<RemoteFile>,
}

impl Manifest {
    pub(super) fn read(found: MirrorEntry) -> Result<Option<Self>, HubError> {
        let bytes = match found {
            MirrorEntry::Nothing => return Ok(None),
            MirrorEntry::File(bytes) => bytes,
            MirrorEntry::Other => return Err(damaged()),
        };
        let document = json::parse(&bytes).map_err(|_| damaged())?;
        manifest(&document.root).map(Some).map_err(|_| damaged())
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let files: Vec<_> = self.files.iter().map(file_value).collect();
        json::pretty(&serde_json::json!({
            "format": 1,
            "source": self.source,
            "revision": self.revision,
            "complete": self.complete,
            "files": files,
        }))
    }

    /// The manifest before the first file moves: only the owner of the files is certain.
    pub(super) fn pending(&self, before: Option<&Self>) -> Self {
        let old = before.into_iter().flat_map(|manifest| &manifest.files);
        let union: BTreeMap<&str, &RemoteFile> =
            old.chain(&self.files).map(|file| (file.path.as_str(), file)).collect();
        let files = union.into_values().cloned().collect();
        Self { complete: false, files, ..self.clone() }
    }
}

fn file_value(file: &RemoteFile) -> serde_json::Value {
    let (key, hash) = file.hash.parts();
    serde_json::json!({ "path": file.path, "size": file.size, key: hash })
}

fn damaged() -> HubError {
    HubError::Unusable {
        what: format!("`{MANIFEST}` is damaged, so it is unknown which files fetch wrote"),
        help: "choose another --to, or move the directory away and fetch again",
    }
}

fn manifest(root: &Node<'_>) -> Result<Manifest, Mismatch> {
    let format = root.required("format")?;
    if format.count()? != 1 {
        return Err(format.mismatch("1"));
    }
    let file = |node: &Node<'_>| {
        let object = node.object()?;
        let hash = match (object.get("blob"), object.get("sha256")) {
            (Some(blob), _) => Hash::Blob(hex_digits(blob, 40)?),
            (None, Some(hash)) => Hash::Sha256(hex_digits(hash, 64)?),
            (None, None) => return Err(node.mismatch("a file with its hash")),
        };
        let path = node.required("path")?;
        if super::name::problem(path.text()?).is_some() {
            return Err(path.mismatch("a path below the directory"));
        }
        let path = path.text()?.to_string();
        Ok(RemoteFile { path, size: node.required("size")?.count()?, hash })
    };
    Ok(Manifest {
        source: root.required("source")?.text()?.to_string(),
        revision: hex_digits(root.required("revision")?, 40)?,
        complete: root.required("complete")?.boolean()?,
        files: root.required("files")?.array()?.iter().map(file).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, hash: Hash) -> RemoteFile {
        RemoteFile { path: path.to_owned(), size: 3, hash }
    }

    fn example() -> Manifest {
        Manifest {
            source: "https://hub.example gmat/heldout".to_owned(),
            revision: "0".repeat(40),
            complete: true,
            files: vec![
                file("a/b", Hash::Blob("1".repeat(40))),
                file("c", Hash::Sha256("2".repeat(64))),
            ],
        }
    }

    #[test]
    fn a_manifest_is_read_back_as_written() {
        let manifest = example();
        let read =
            Manifest::read(MirrorEntry::File(manifest.bytes())).expect("fine").expect("there");
        assert_eq!(read, manifest);
        assert!(Manifest::read(MirrorEntry::Nothing).expect("fine").is_none());
    }

    #[test]
    fn a_damaged_manifest_is_refused() {
        let text = String::from_utf8(example().bytes()).expect("text");
        for bad in [
            String::new(),
            text.replace("a/b", "../b"),
            text.replace("\"format\": 1", "\"format\": 2"),
            text.replace("222", "xyz"),
            text[..text.len() / 2].to_owned(),
        ] {
            let read = Manifest::read(MirrorEntry::File(bad.clone().into_bytes()));
            assert!(matches!(read, Err(HubError::Unusable { .. })), "{bad}");
        }
        assert!(Manifest::read(MirrorEntry::Other).is_err());
    }

    #[test]
    fn a_pending_manifest_claims_old_and_new_files() {
        let old = Manifest { files: vec![file("gone", Hash::Blob("3".repeat(40)))], ..example() };
        let pending = example().pending(Some(&old));
        let paths: Vec<&str> = pending.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a/b", "c", "gone"]);
        assert!(!pending.complete);
    }
}
