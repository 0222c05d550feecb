//! What differs between two checkouts of one repository, by content.

use std::collections::BTreeMap;
use std::fs::FileType;
use std::path::Path;

use walkdir::WalkDir;

use crate::board::FileChange;
use crate::fs::{OWN_FILE_LIMIT, Store, StoreError, ignored_files, walk_error};

/// Every file that `base` and `head` do not have alike, sorted; `.git` at the top and
/// the files that git ignores are left out.
pub fn differing_files(base: &Path, head: &Path) -> Result<Vec<FileChange>, StoreError> {
    let (old, new) = (files(base)?, files(head)?);
    let (base, head) = (Store::open(base)?, Store::open(head)?);
    let mut changes = Vec::new();
    for path in old.keys().filter(|path| !new.contains_key(*path)) {
        changes.push(FileChange { path: path.clone(), is_added: false });
    }
    for (path, kind) in &new {
        let is_same = match old.get(path) {
            // Links and devices are never alike: what they lead to is not part of the checkout.
            Some(other) if kind.is_file() && other.is_file() => {
                base.read(path, OWN_FILE_LIMIT)? == head.read(path, OWN_FILE_LIMIT)?
            }
            _ => false,
        };
        if !is_same {
            let is_added = kind.is_file() && !old.contains_key(path);
            changes.push(FileChange { path: path.clone(), is_added });
        }
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(changes)
}

fn files(root: &Path) -> Result<BTreeMap<String, FileType>, StoreError> {
    let mut files = BTreeMap::new();
    let ignored = ignored_files(root)?;
    let walk = WalkDir::new(root).min_depth(1).follow_links(false);
    let is_git = |entry: &walkdir::DirEntry| entry.depth() == 1 && entry.file_name() == ".git";
    for entry in walk.into_iter().filter_entry(|entry| !is_git(entry)) {
        let entry = entry.map_err(|error| walk_error(root, error))?;
        let below = entry.path().strip_prefix(root).unwrap_or(entry.path());
        if !entry.file_type().is_dir() && !ignored.contains(below) {
            files.insert(below.to_string_lossy().into_owned(), entry.file_type());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_added_and_removed_files_are_found() {
        let (base, head) = (tempfile::tempdir().expect("one"), tempfile::tempdir().expect("two"));
        for (dir, name, text) in [
            (&base, "same", "1"),
            (&head, "same", "1"),
            (&base, "edited", "1"),
            (&head, "edited", "2"),
            (&base, "gone", ""),
            (&head, "new", ""),
        ] {
            std::fs::write(dir.path().join(name), text).expect("written");
        }
        let git = std::process::Command::new("git").args(["init", "-q"]).arg(head.path()).status();
        assert!(git.expect("git is there").success());
        std::os::unix::fs::symlink("/etc/passwd", head.path().join("link")).expect("linked");
        let changes = differing_files(base.path(), head.path()).expect("compared");
        let reported: Vec<_> = changes.iter().map(|it| (it.path.as_str(), it.is_added)).collect();
        assert_eq!(reported, [("edited", false), ("gone", false), ("link", false), ("new", true)]);
    }
}
