//! Writing: beside the target, then renamed into place. A killed run leaves the old or the new.

use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

use crate::fs::hook::{self, Call};
use crate::fs::{StoreError, stage};

/// How much is gathered before the system is asked to write.
const BUFFER: usize = 16 << 10;

/// Replaces `path` with `bytes`, whole or not at all.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    write_with(path, |out| out.write_all(bytes))
}

/// Creates the directory `path` and those above it, where they are absent.
pub fn make_directory(path: &Path) -> Result<(), StoreError> {
    let failed = |source| StoreError::Io { verb: "create", path: path.to_owned(), source };
    hook::step(Call::Create, path).and_then(|()| std::fs::create_dir_all(path)).map_err(failed)
}

/// Removes the file at `path`, if it is there.
pub fn remove(path: &Path) -> Result<(), StoreError> {
    match hook::step(Call::Remove, path).and_then(|()| std::fs::remove_file(path)) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => {
            Err(StoreError::Io { verb: "remove", path: path.to_owned(), source })
        }
        _ => Ok(()),
    }
}

/// Makes the names in `directory` survive a power cut. Where a directory cannot be synced they are
/// there anyway.
pub(crate) fn sync_directory(directory: &Path) {
    let synced = hook::step(Call::Sync, directory)
        .and_then(|()| std::fs::File::open(directory))
        .and_then(|directory| directory.sync_all());
    let _ = synced;
}

/// Replaces `path` with what `fill` writes, whole or not at all.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), StoreError> {
    let failed = |source| StoreError::Io { verb: "write", path: path.to_owned(), source };
    match std::fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => {
            return Err(StoreError::OutputLink(path.to_owned()));
        }
        Ok(metadata) if metadata.is_dir() => {
            return Err(StoreError::Special { path: path.to_owned(), kind: "a directory" });
        }
        // A device takes bytes as they come; renaming over it would destroy it.
        Ok(metadata) if metadata.file_type().is_char_device() => {
            let device = std::fs::OpenOptions::new().write(true).open(path).map_err(failed)?;
            let mut device = BufWriter::new(device);
            return fill(&mut device).and_then(|()| device.flush()).map_err(failed);
        }
        Ok(metadata) if !metadata.is_file() => {
            return Err(StoreError::Special { path: path.to_owned(), kind: "a special file" });
        }
        _ => {}
    }
    let directory = match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
        Some(parent) => parent,
        None => return Err(StoreError::NoDirectory(path.to_owned())),
    };
    // The umask decides about the mode, as for any new file.
    let mut staged = stage::file(directory, 0o666).map_err(|source| match source.kind() {
        io::ErrorKind::NotFound => StoreError::NoDirectory(path.to_owned()),
        _ => failed(source),
    })?;
    hook::step(Call::Write, path).map_err(failed)?;
    let mut buffered = BufWriter::with_capacity(BUFFER, staged.as_file_mut());
    fill(&mut buffered).and_then(|()| buffered.flush()).map_err(failed)?;
    drop(buffered);
    hook::step(Call::Sync, path).and_then(|()| staged.as_file().sync_all()).map_err(failed)?;
    hook::step(Call::Rename, path).map_err(failed)?;
    staged.persist(path).map_err(|error| failed(error.error))?;
    sync_directory(directory);
    Ok(())
}
