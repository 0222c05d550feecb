//! What pins the ledger: its size and root at a moment, as text.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;

use super::merkle::{Frontier, Hash};
use crate::domain::is_stamp;

/// Says which log a checkpoint is of; changes if the format does.
pub const ORIGIN: &str = "gmat-leaderboard/history";

/// Size and root of a ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkpoint {
    /// How many lines.
    pub size: u64,
    /// The root over them.
    pub root: Hash,
}

impl Checkpoint {
    /// The checkpoint of everything in `frontier`.
    pub fn from_frontier(frontier: &Frontier) -> Self {
        Self { size: frontier.size(), root: frontier.root() }
    }

    /// Reads the three-line form: origin, size, root.
    pub fn parse(text: &str) -> Option<Self> {
        let mut lines = text.strip_suffix('\n')?.split('\n');
        let (origin, size, root) = (lines.next()?, lines.next()?, lines.next()?);
        (origin == ORIGIN && lines.next().is_none()).then(|| Self::of_words(size, root))?
    }

    /// Reads a line of `history.checkpoints`: time, size, root.
    pub fn parse_record(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (time, size, root) = (words.next()?, words.next()?, words.next()?);
        let is_record = is_stamp(time) && words.next().is_none();
        is_record.then(|| Self::of_words(size, root))?
    }

    /// The checkpoint of this size and root, as they are written.
    pub fn of_words(size: &str, root: &str) -> Option<Self> {
        let number: u64 = size.parse().ok()?;
        // One spelling only: `+7` and `007` are somebody's edit.
        (number.to_string() == size)
            .then(|| Some(Self { size: number, root: decode_root(root)? }))?
    }

    /// The three-line form.
    pub fn text(&self) -> String {
        format!("{ORIGIN}\n{}\n{}\n", self.size, self.root_base64())
    }

    /// A line of `history.checkpoints`, with its newline.
    pub fn record(&self, time: &str) -> String {
        format!("{time} {} {}\n", self.size, self.root_base64())
    }

    /// The root in base64.
    pub fn root_base64(&self) -> String {
        BASE64_STANDARD.encode(self.root)
    }

    /// The root's first 16 hex digits, for a page or a card.
    pub fn root_sha16(&self) -> String {
        hex::encode(&self.root[..8])
    }
}

/// Decodes only canonical base64, so that a root has one spelling.
fn decode_root(text: &str) -> Option<Hash> {
    BASE64_STANDARD.decode(text).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checkpoint_has_one_spelling() {
        let empty = Checkpoint::from_frontier(&Frontier::default());
        let text = "gmat-leaderboard/history\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n";
        assert_eq!(empty.text(), text);
        assert_eq!(Checkpoint::parse(text), Some(empty));
        for bad in [
            text.replace("\n0\n", "\n00\n"),
            text.replace("\n0\n", "\n+0\n"),
            text.replace("FU=", "FV="),
            text.replace("FU=", "F"),
            text.replace("gmat", "other"),
            text.trim_end().to_owned(),
            format!("{text}\n"),
            text.replace('\n', "\r\n"),
            String::new(),
        ] {
            assert_eq!(Checkpoint::parse(&bad), None, "{bad:?}");
        }
        let record = empty.record("2026-05-04T12:00:00Z");
        assert_eq!(Checkpoint::parse_record(record.trim_end()), Some(empty));
        assert_eq!(Checkpoint::parse_record("yesterday 0 47DE="), None);
    }

    #[test]
    fn every_root_survives_base64() {
        for seed in 0..=255_u8 {
            let frontier: Frontier = [[seed]].iter().collect();
            let checkpoint = Checkpoint::from_frontier(&frontier);
            assert_eq!(Checkpoint::parse(&checkpoint.text()), Some(checkpoint));
        }
    }
}
