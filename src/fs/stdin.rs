//! Standard input: whole, or as its lines arrive.

use std::io::{self, Read, StdinLock};
use std::path::PathBuf;

use crate::fs::StoreError;

/// How much is asked for at once.
const CHUNK: usize = 64 << 10;

/// Reads standard input to its end.
pub fn read_stdin(limit: u64) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit { Err(too_large(bytes.len(), limit)) } else { Ok(bytes) }
}

/// The lines of standard input, as many at a time as have arrived.
pub struct Arriving {
    input: StdinLock<'static>,
    limit: u64,
    /// What has been read: `handed` bytes were given out, those before `filled` are still to come.
    buffer: Vec<u8>,
    handed: usize,
    filled: usize,
    /// Up to here there is no line end.
    searched: usize,
    ended: bool,
}

impl Arriving {
    /// Starts reading; a line longer than `limit` bytes is refused.
    pub fn new(limit: u64) -> Self {
        let input = io::stdin().lock();
        let buffer = vec![0; 2 * CHUNK];
        Self { input, limit, buffer, handed: 0, filled: 0, searched: 0, ended: false }
    }

    /// Waits for the next lines and gives all that are whole, with their line ends; the last one
    /// of all may lack it. `None` at the end.
    ///
    /// Whoever answers line by line has to send the answers before asking again: this may wait.
    pub fn lines(&mut self) -> Result<Option<&[u8]>, StoreError> {
        while !self.ended {
            self.make_room();
            let read = match self.input.read(&mut self.buffer[self.filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(failed)?,
            };
            self.ended = read == 0;
            self.filled += read;
            let fresh = &self.buffer[self.searched..self.filled];
            let whole = memchr::memrchr(b'\n', fresh).map(|at| self.searched + at + 1);
            self.searched = self.filled;
            if let Some(end) = whole.or(self.ended.then_some(self.filled)) {
                let from = std::mem::replace(&mut self.handed, end);
                if from < end {
                    return Ok(Some(&self.buffer[from..end]));
                }
            } else if (self.filled - self.handed) as u64 > self.limit {
                return Err(too_large(self.filled - self.handed, self.limit));
            }
        }
        Ok(None)
    }

    /// Moves what was not handed out to the front and sees that a chunk fits behind it.
    fn make_room(&mut self) {
        if self.buffer.len() - self.filled < CHUNK && self.handed > 0 {
            self.buffer.copy_within(self.handed..self.filled, 0);
            self.filled -= self.handed;
            self.searched -= self.handed;
            self.handed = 0;
        }
        if self.buffer.len() - self.filled < CHUNK {
            self.buffer.resize(2 * self.buffer.len(), 0);
        }
    }
}

fn failed(source: io::Error) -> StoreError {
    StoreError::Io { verb: "read", path: PathBuf::from("-"), source }
}

fn too_large(size: usize, limit: u64) -> StoreError {
    StoreError::TooLarge { path: PathBuf::from("-"), size: size as u64, limit }
}
