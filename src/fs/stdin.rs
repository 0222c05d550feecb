//! Standard input: whole, or line by line.

use std::io::{self, BufRead, BufReader, Read, StdinLock};
use std::path::PathBuf;

use crate::fs::StoreError;

/// Reads standard input to its end.
pub fn read_stdin(limit: u64) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(limit + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > limit { Err(too_large(bytes.len(), limit)) } else { Ok(bytes) }
}

/// The lines of standard input.
pub struct StdinLines {
    input: BufReader<StdinLock<'static>>,
    limit: u64,
}

impl StdinLines {
    /// Starts reading; a line longer than `limit` bytes is refused.
    pub fn new(limit: u64) -> Self {
        Self { input: BufReader::with_capacity(64 << 10, io::stdin().lock()), limit }
    }

    /// Puts the next line into `line`, without its line feed; `false` at the end.
    pub fn next_into(&mut self, line: &mut Vec<u8>) -> Result<bool, StoreError> {
        line.clear();
        let mut input = self.input.by_ref().take(self.limit + 1);
        let read = input.read_until(b'\n', line).map_err(failed)?;
        if line.pop_if(|last| *last == b'\n').is_none() && line.len() as u64 > self.limit {
            return Err(too_large(line.len(), self.limit));
        }
        Ok(read > 0)
    }

    /// Whether the next line has already arrived. If not, [`Self::next_into`] may wait: whoever
    /// answers line by line sends the answers first.
    pub fn has_next(&self) -> bool {
        self.input.buffer().contains(&b'\n')
    }
}

fn failed(source: io::Error) -> StoreError {
    StoreError::Io { verb: "read", path: PathBuf::from("-"), source }
}

fn too_large(size: usize, limit: u64) -> StoreError {
    StoreError::TooLarge { path: PathBuf::from("-"), size: size as u64, limit }
}
