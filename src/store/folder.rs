//! Reading a whole directory of small files, such as a rendered site.

use std::collections::BTreeMap;
use std::path::Path;

use super::{Store, StoreError};

/// Every file below `dir` with its bytes, by its path with slashes. Symlinks and special files are
/// refused, and so are more than `limit` bytes in all.
pub fn read_folder(dir: &Path, limit: u64) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let store = Store::open(dir)?;
    let mut files = BTreeMap::new();
    let mut left = limit;
    for entry in walkdir::WalkDir::new(dir).min_depth(1).follow_links(false).sort_by_file_name() {
        let entry = entry.map_err(|error| {
            let path = error.path().unwrap_or(dir).to_owned();
            let source = error.into_io_error().unwrap_or_else(|| std::io::ErrorKind::Other.into());
            StoreError::Io { verb: "read", path, source }
        })?;
        let path = entry.path();
        if entry.path_is_symlink() {
            return Err(StoreError::OutputLink(path.to_owned()));
        }
        if entry.file_type().is_dir() {
            continue;
        }
        let below = path.strip_prefix(dir).unwrap_or(path);
        let Some(name) = below.to_str() else {
            let source = std::io::Error::other("its name is not UTF-8");
            return Err(StoreError::Io { verb: "read", path: path.to_owned(), source });
        };
        let bytes = store.read(below, left)?;
        left -= bytes.len() as u64;
        files.insert(name.to_owned(), bytes);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_read_whole_or_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(dir.path().join("a")).expect("made");
        std::fs::write(dir.path().join("a/b.txt"), "12").expect("written");
        std::fs::write(dir.path().join("c"), "345").expect("written");
        let files = read_folder(dir.path(), 5).expect("read");
        assert_eq!(files["a/b.txt"], b"12");
        assert_eq!(files.keys().collect::<Vec<_>>(), ["a/b.txt", "c"]);
        assert!(matches!(read_folder(dir.path(), 4), Err(StoreError::TooLarge { .. })));
        std::os::unix::fs::symlink("c", dir.path().join("d")).expect("linked");
        assert!(matches!(read_folder(dir.path(), 99), Err(StoreError::OutputLink(_))));
        assert!(matches!(read_folder(&dir.path().join("x"), 9), Err(StoreError::Absent(_))));
    }
}
