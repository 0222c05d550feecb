//! The bytes of a source, unpacked if it is gzip, and what kind of file it is.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use crate::domain::Failure;
use crate::fs::{StoreError, read_typed};
use crate::import::{HEAD, Sniffed, Source, document, lighteval, sniff, sniff_document};
use crate::workspace::SourceOptions;
use crate::workspace::sources::{io_error, shown};

/// The first bytes of gzip.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// What a gzip file may unpack to: a few kilobytes of it can say gigabytes.
const UNPACKED_LIMIT: u64 = 256 << 20;

/// Reads a source whole; `limit` is that of the bytes as read.
pub(super) fn read_source(path: &Path, limit: u64) -> Result<Vec<u8>, Failure> {
    let bytes = read_typed(path, limit)?;
    if !bytes.starts_with(&GZIP) {
        return Ok(bytes);
    }
    let limit = limit.min(UNPACKED_LIMIT);
    let mut unpacked = Vec::new();
    let read = MultiGzDecoder::new(bytes.as_slice()).take(limit + 1).read_to_end(&mut unpacked);
    read.map_err(|error| broken(path, &error))?;
    if unpacked.len() as u64 > limit {
        let name = shown(path);
        return Err(Failure::unusable(format!("`{name}` unpacks to more than {limit} bytes"))
            .at(name)
            .help("unpack it first, or split it"));
    }
    Ok(unpacked)
}

fn broken(path: &Path, error: &io::Error) -> Failure {
    let name = shown(path);
    Failure::unusable(format!("`{name}` is not valid gzip")).at(name).detail(error.to_string())
}

/// Reads a source line by line.
pub(super) fn open_lines(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    let failed = |error| io_error(path, error);
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path).map_err(failed)?);
    if reader.fill_buf().map_err(failed)?.starts_with(&GZIP) {
        let unpacked = MultiGzDecoder::new(reader).take(UNPACKED_LIMIT);
        return Ok(Box::new(BufReader::with_capacity(1 << 20, unpacked)));
    }
    Ok(Box::new(reader))
}

/// The kind of one file; never [`Sniffed::Document`].
pub(super) fn kind(path: &Path, source_options: &SourceOptions) -> Result<Sniffed, Failure> {
    let is_json = || {
        let name = shown(path).to_lowercase();
        name.strip_suffix(".gz").unwrap_or(&name).rsplit('.').next() == Some("json")
    };
    match source_options.from {
        // The user names the program; the ending says which of its two files it is.
        Some(Source::RlmRuns) if is_json() => return Ok(Sniffed::Known(Source::RlmBenchmark)),
        Some(from) => return Ok(Sniffed::Known(from)),
        None => {}
    }
    let failed = |error| io_error(path, error);
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { "a directory" } else { "something else" };
        return Err(StoreError::Special { path: path.to_owned(), kind }.into());
    }
    let mut file = File::open(path).map_err(failed)?;
    let mut head = Vec::new();
    (&mut file).take(HEAD as u64).read_to_end(&mut head).map_err(failed)?;
    let mut tail = None;
    if head.starts_with(&GZIP) {
        let mut unpacked = read_source(path, UNPACKED_LIMIT)?;
        if unpacked.len() > HEAD {
            tail = Some(unpacked[unpacked.len() - HEAD..].to_vec());
            unpacked.truncate(HEAD);
        }
        head = unpacked;
    } else if metadata.len() > head.len() as u64 {
        let mut end = Vec::new();
        let from = metadata.len().saturating_sub(HEAD as u64);
        file.seek(SeekFrom::Start(from)).map_err(failed)?;
        file.take(HEAD as u64).read_to_end(&mut end).map_err(failed)?;
        tail = Some(end);
    }
    match sniff(&shown(path), &head, tail.as_deref(), &source_options.all_topic) {
        Sniffed::Document => {
            let bytes = read_source(path, lighteval::SIZE_LIMIT)?;
            Ok(sniff_document(&document(&shown(path), &bytes)?.root))
        }
        sniffed => Ok(sniffed),
    }
}
