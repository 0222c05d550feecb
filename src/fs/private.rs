//! New files that only this user may read.

use std::collections::BTreeMap;
use std::fs::{DirBuilder, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use crate::domain::Failure;
use crate::fs::hook::{self, Call};
use crate::fs::{BUNDLE_FILE_LIMIT, StoreError, read_typed, stage, sync_directory};
use crate::json;

/// Creates `path` and its directories for this user alone, whole or not at all; an existing file is
/// never touched.
pub fn create_private(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::AlreadyExists => StoreError::Exists(path.to_owned()),
        _ => StoreError::Io { verb: "create", path: path.to_owned(), source },
    };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or(Path::new("."));
    make_private(directory).map_err(failed)?;
    // A file beside the target, which only this user can read, linked into place when it is complete.
    let mut staged = stage::file(directory, 0o600).map_err(failed)?;
    hook::step(Call::Write, path).and_then(|()| staged.write_all(bytes)).map_err(failed)?;
    hook::step(Call::Sync, path).and_then(|()| staged.as_file().sync_all()).map_err(failed)?;
    hook::step(Call::Rename, path).map_err(failed)?;
    staged.persist_noclobber(path).map_err(|error| failed(error.error))?;
    sync_directory(directory);
    Ok(())
}

/// Creates `directory` and those above it for this user alone, where they are absent.
pub(crate) fn make_private(directory: &Path) -> io::Result<()> {
    hook::step(Call::Create, directory)?;
    DirBuilder::new().recursive(true).mode(0o700).create(directory)
}

/// How many prompts of each tier the prompts.json at `path` has. Names no prompt in its errors.
pub fn prompt_tiers(path: &Path) -> Result<BTreeMap<String, usize>, Failure> {
    let file = path.display().to_string();
    let bytes = read_typed(path, BUNDLE_FILE_LIMIT)?;
    let document = json::parse(&bytes).map_err(|error| Failure::json(&file, &error))?;
    let mut tiers = BTreeMap::new();
    let read = document.root.array().and_then(|prompts| {
        for prompt in prompts {
            let tier = match prompt.object()?.get("difficulty") {
                Some(tier) => tier.text()?.to_string(),
                None => "easy".to_owned(),
            };
            *tiers.entry(tier).or_insert(0) += 1;
        }
        Ok(())
    });
    read.map_err(|mismatch| Failure::schema(&file, &document.locate(mismatch.at), &mismatch))?;
    if tiers.is_empty() {
        return Err(Failure::unusable("the set to mirror has no prompts").at(file));
    }
    Ok(tiers)
}

/// Random bytes from the system's own source.
pub fn random_bytes<const N: usize>() -> Result<[u8; N], StoreError> {
    let source = Path::new("/dev/urandom");
    let mut bytes = [0; N];
    File::open(source)
        .and_then(|mut file| file.read_exact(&mut bytes))
        .map_err(|error| StoreError::Io { verb: "read", path: source.to_owned(), source: error })?;
    Ok(bytes)
}

/// A random UUID (version 4).
pub fn random_uuid() -> Result<String, StoreError> {
    let mut bytes = random_bytes::<16>()?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let text = hex::encode(bytes);
    Ok(format!(
        "{}-{}-{}-{}-{}",
        &text[..8],
        &text[8..12],
        &text[12..16],
        &text[16..20],
        &text[20..]
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_private_file_is_new_and_only_ours() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a/b.json");
        create_private(&path, b"{}").expect("created");
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert!(matches!(create_private(&path, b"x"), Err(StoreError::Exists(_))));
        assert_eq!(std::fs::read(&path).expect("there"), b"{}");
        let files = std::fs::read_dir(dir.path().join("a")).expect("a directory").count();
        assert_eq!(files, 1, "no file is left beside it");
    }

    #[test]
    fn uuids_have_their_form_and_differ() {
        let (one, other) = (random_uuid().expect("one"), random_uuid().expect("another"));
        assert_ne!(one, other);
        assert_eq!(one.len(), 36);
        assert_eq!(one.as_bytes()[14], b'4');
        assert!(b"89ab".contains(&one.as_bytes()[19]));
    }
}
