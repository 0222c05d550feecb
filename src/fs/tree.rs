//! Whole directories of files: read for overrides and comparison, written staged and swapped, so
//! that a killed run leaves the old directory or the new one.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use fs_err as fs;
use rustix::fs::{CWD, RenameFlags};
use walkdir::WalkDir;

use crate::domain::{Code, Failure, Finding};
use crate::fs::hook::{self, Call};
use crate::fs::{StoreError, read_typed, stage, sync_directory};

/// The list every written directory carries; what it names may be replaced.
const LIST: &str = "SHA256SUMS";

/// Every regular file below `dir`, by path with `/`. Links are refused, and so are more than
/// `limit` bytes in all.
pub fn read_tree(dir: &Path, limit: u64) -> Result<BTreeMap<String, Vec<u8>>, StoreError> {
    let mut files = BTreeMap::new();
    let mut left = limit;
    for path in walk(dir)? {
        // What a killed run left unfinished is not part of the directory.
        if path.file_name().is_some_and(|name| stage::is_staged(&name.to_string_lossy())) {
            continue;
        }
        let bytes = read_typed(&path, left)?;
        left -= bytes.len() as u64;
        files.insert(below(dir, &path)?, bytes);
    }
    Ok(files)
}

/// Every regular file below `dir`, sorted. Links and special files are left out.
pub(crate) fn walk_files(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    hook::call(Call::Walk, dir)?;
    let mut paths = Vec::new();
    for entry in WalkDir::new(dir).follow_links(false).sort_by_file_name() {
        let entry = entry.map_err(|error| walk_error(dir, error))?;
        if entry.file_type().is_file() {
            paths.push(entry.into_path());
        }
    }
    Ok(paths)
}

pub(crate) fn walk_error(dir: &Path, error: walkdir::Error) -> StoreError {
    let path = error.path().unwrap_or(dir).to_owned();
    let source = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
    StoreError::Io { verb: "read", path, source }
}

/// Every file below `dir`, sorted.
fn walk(dir: &Path) -> Result<Vec<PathBuf>, StoreError> {
    if !dir.exists() {
        return Err(StoreError::Absent(dir.to_owned()));
    }
    let mut paths = Vec::new();
    for entry in WalkDir::new(dir).sort_by_file_name() {
        let entry = entry.map_err(|error| walk_error(dir, error))?;
        let kind = entry.file_type();
        if kind.is_file() {
            paths.push(entry.into_path());
        } else if !kind.is_dir() {
            return Err(StoreError::Special {
                path: entry.into_path(),
                kind: "a link or a device",
            });
        }
    }
    Ok(paths)
}

fn below(dir: &Path, path: &Path) -> Result<String, StoreError> {
    path.strip_prefix(dir).ok().and_then(Path::to_str).map(str::to_owned).ok_or_else(|| {
        let source = io::Error::other("its name is not UTF-8");
        StoreError::Io { verb: "read", path: path.to_owned(), source }
    })
}

/// What of the directory `dir`, which holds `there`, differs from `files`: one finding per file.
pub fn compare_tree(
    dir: &Path,
    there: &BTreeMap<String, Vec<u8>>,
    files: &[(String, Vec<u8>)],
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut differs = |path: &str, what: &str| {
        let file = dir.join(path).display().to_string();
        findings.push(Finding::new(Code::ESite, file, "", format!("`{path}` {what}")));
    };
    for (path, bytes) in files {
        match there.get(path) {
            None => differs(path, "is missing"),
            Some(found) if found != bytes => differs(path, "differs from what is rendered"),
            Some(_) => {}
        }
    }
    let rendered: BTreeSet<&String> = files.iter().map(|(path, _)| path).collect();
    for path in there.keys().filter(|path| !rendered.contains(path)) {
        differs(path, "is not part of the site");
    }
    findings.sort();
    findings
}

/// A value that differs between one state of `paths` (files, or directories with all below) from another.
pub fn fingerprint(paths: &[PathBuf]) -> Vec<(PathBuf, u64, Option<SystemTime>)> {
    let files = paths.iter().flat_map(|path| WalkDir::new(path).sort_by_file_name());
    files
        .flatten()
        .map(|entry| {
            let metadata = entry.metadata().ok();
            let changed = metadata.as_ref().and_then(|metadata| metadata.modified().ok());
            (entry.into_path(), metadata.map_or(0, |metadata| metadata.len()), changed)
        })
        .collect()
}

/// What of a new directory must survive a power cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// Each file: it cannot be made again.
    Each,
    /// Nothing: it can be rendered again.
    Nothing,
}

/// Replaces the directory `dir` with `files`, whole or not at all.
///
/// A directory is replaced only if everything in it was written here before: a file that its own
/// list does not name is somebody's, and stays. Files that cannot be made again need [`Sync::Each`].
pub fn write_tree(dir: &Path, files: &[(String, Vec<u8>)], sync: Sync) -> Result<(), Failure> {
    let exists = match std::fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_symlink() => {
            return Err(StoreError::OutputLink(dir.to_owned()).into());
        }
        Ok(metadata) if !metadata.is_dir() => {
            return Err(Failure::unusable(format!("`{}` is a file", dir.display()))
                .help("name a directory for the site: `--out site/`"));
        }
        Ok(_) => {
            refuse_strangers(dir)?;
            true
        }
        Err(_) => false,
    };
    dir.file_name().ok_or_else(|| {
        Failure::unusable(format!("`{}` cannot be replaced by a site", dir.display()))
            .help("name a directory of its own for the site: `--out site/`")
    })?;
    let parent = match dir.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let (stage, _lock) = stage::directory(parent).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => StoreError::NoDirectory(dir.to_owned()),
        _ => StoreError::Io { verb: "write", path: dir.to_owned(), source },
    })?;
    fill(stage.path(), files, sync)?;
    swap(stage.path(), dir, exists)?;
    // What is left at the stage is the old directory, or nothing.
    let _ = hook::step(Call::Remove, dir).and_then(|()| stage.close());
    sync_directory(parent);
    Ok(())
}

fn refuse_strangers(dir: &Path) -> Result<(), Failure> {
    let list = std::fs::read_to_string(dir.join(LIST)).unwrap_or_default();
    let ours: BTreeSet<&str> = list.lines().filter_map(|line| line.split("  ").nth(1)).collect();
    let paths = walk(dir)?;
    let own = |path: &Path| {
        below(dir, path).is_ok_and(|path| path == LIST || ours.contains(path.as_str()))
    };
    let stranger = paths.iter().find(|path| !own(path));
    match stranger {
        None => Ok(()),
        Some(path) => Err(Failure::unusable(format!(
            "`{}` contains a file that is not part of a site",
            dir.display()
        ))
        .at(path.display().to_string())
        .detail("the whole directory would be replaced")
        .help("move the file away, or name another directory: `--out DIR`")),
    }
}

fn fill(stage: &Path, files: &[(String, Vec<u8>)], sync: Sync) -> Result<(), StoreError> {
    let mut made: BTreeSet<PathBuf> = BTreeSet::new();
    for (path, bytes) in files {
        let path = stage.join(path);
        let failed = |source| StoreError::Io { verb: "write", path: path.clone(), source };
        if let Some(parent) = path.parent().filter(|parent| !made.contains(*parent)) {
            hook::step(Call::Create, parent).map_err(failed)?;
            fs::create_dir_all(parent).map_err(failed)?;
            made.insert(parent.to_owned());
        }
        hook::step(Call::Write, &path).map_err(failed)?;
        let mut file = std::fs::File::create(&path).map_err(failed)?;
        file.write_all(bytes).map_err(failed)?;
        if sync == Sync::Each {
            hook::step(Call::Sync, &path).and_then(|()| file.sync_all()).map_err(failed)?;
        }
    }
    if sync == Sync::Each {
        for directory in &made {
            sync_directory(directory);
        }
    }
    Ok(())
}

fn swap(stage: &Path, dir: &Path, exists: bool) -> Result<(), StoreError> {
    let failed = |source| StoreError::Io { verb: "replace", path: dir.to_owned(), source };
    hook::step(Call::Rename, dir).map_err(failed)?;
    if !exists {
        return std::fs::rename(stage, dir).map_err(failed);
    }
    // One step where the system can exchange two names, else the old one steps aside.
    if rustix::fs::renameat_with(CWD, stage, CWD, dir, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    let aside = stage.with_extension("old");
    std::fs::rename(dir, &aside).map_err(failed)?;
    std::fs::rename(stage, dir).map_err(failed)?;
    let _ = std::fs::remove_dir_all(aside);
    Ok(())
}
