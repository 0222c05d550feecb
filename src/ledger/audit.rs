//! Whether the ledger's bytes are the ones its checkpoints pinned. Looks at bytes only; what the
//! lines say is checked in [`mod@crate::ledger::check`].

use super::checkpoint::Checkpoint;
use super::merkle::{Frontier, Hash};

/// A ledger whose bytes are in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchored {
    /// Size and root now.
    pub head: Checkpoint,
    /// Lines after the last checkpoint, which nothing pins yet.
    pub unanchored_lines: u64,
}

/// Why the bytes are not in order. The number is the checkpoint's, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Tampering {
    /// The last line was not finished.
    #[error("no_final_newline")]
    NoFinalNewline,
    /// A line is empty.
    #[error("empty_line")]
    EmptyLine,
    /// A line holds a carriage return.
    #[error("carriage_return")]
    CarriageReturn,
    /// A checkpoint is not one of this log.
    #[error("bad_checkpoint:{0}")]
    BadCheckpoint(usize),
    /// A checkpoint is smaller than the one before it.
    #[error("checkpoint_shrinks:{0}")]
    CheckpointShrinks(usize),
    /// The ledger has fewer lines than the checkpoint says.
    #[error("truncated:{0}")]
    Truncated(usize),
    /// The lines are not the ones the checkpoint was taken of.
    #[error("root_mismatch:{0}")]
    RootMismatch(usize),
}

/// The lines of a ledger, without their newlines.
pub fn split_lines(history: &[u8]) -> Result<Vec<&[u8]>, Tampering> {
    if history.is_empty() {
        return Ok(Vec::new());
    }
    let body = history.strip_suffix(b"\n").ok_or(Tampering::NoFinalNewline)?;
    let lines: Vec<&[u8]> = body.split(|byte| *byte == b'\n').collect();
    for line in &lines {
        if line.is_empty() {
            return Err(Tampering::EmptyLine);
        }
        if memchr::memchr(b'\r', line).is_some() {
            return Err(Tampering::CarriageReturn);
        }
    }
    Ok(lines)
}

/// Size and root of `history`.
pub fn head(history: &[u8]) -> Result<Checkpoint, Tampering> {
    Ok(Checkpoint::from_frontier(&split_lines(history)?.into_iter().collect()))
}

/// Compares `history` with `checkpoints`, oldest first; `None` stands for one that is unreadable.
pub fn audit(history: &[u8], checkpoints: &[Option<Checkpoint>]) -> Result<Anchored, Tampering> {
    let lines = split_lines(history)?;
    let mut wanted: Vec<u64> = checkpoints.iter().flatten().map(|point| point.size).collect();
    wanted.sort_unstable();
    let mut frontier = Frontier::default();
    // By size, which only grows.
    let mut roots: Vec<(u64, Hash)> = Vec::new();
    let mut keep_root = |frontier: &Frontier| {
        if wanted.binary_search(&frontier.size()).is_ok() {
            roots.push((frontier.size(), frontier.root()));
        }
    };
    keep_root(&frontier);
    for line in &lines {
        frontier.push(line);
        keep_root(&frontier);
    }
    let mut anchored = 0;
    for (index, checkpoint) in checkpoints.iter().enumerate() {
        let checkpoint = checkpoint.as_ref().ok_or(Tampering::BadCheckpoint(index))?;
        if checkpoint.size < anchored {
            return Err(Tampering::CheckpointShrinks(index));
        }
        let at = roots.binary_search_by_key(&checkpoint.size, |(size, _)| *size);
        let (_, root) = roots[at.map_err(|_| Tampering::Truncated(index))?];
        if root != checkpoint.root {
            return Err(Tampering::RootMismatch(index));
        }
        anchored = checkpoint.size;
    }
    let head = Checkpoint::from_frontier(&frontier);
    Ok(Anchored { head, unanchored_lines: head.size - anchored })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(lines: usize) -> Vec<Vec<u8>> {
        (0..lines).map(|n| format!("{{\"run_id\":\"r{n}\"}}").into_bytes()).collect()
    }

    fn bytes(lines: &[Vec<u8>]) -> Vec<u8> {
        lines.iter().flat_map(|line| [line.as_slice(), b"\n"].concat()).collect()
    }

    #[test]
    fn any_change_to_an_anchored_line_is_caught() {
        const LINES: usize = 200;
        let good = ledger(LINES);
        let checkpoint = Checkpoint::from_frontier(&good.iter().collect());
        let checkpoints = [Some(checkpoint)];
        let caught = |lines: &[Vec<u8>]| audit(&bytes(lines), &checkpoints).is_err();
        assert!(!caught(&good));
        for at in 0..LINES {
            let mut flipped = good.clone();
            flipped[at][2] ^= 1;
            let mut deleted = good.clone();
            deleted.remove(at);
            let mut inserted = good.clone();
            inserted.insert(at, b"{}".to_vec());
            let mut swapped = good.clone();
            swapped.swap(at, (at + 1) % LINES);
            let truncated = &good[..at];
            for (what, lines) in [
                ("flipped", flipped.as_slice()),
                ("deleted", &deleted),
                ("inserted", &inserted),
                ("swapped", &swapped),
                ("truncated", truncated),
            ] {
                assert!(caught(lines), "line {at} {what}");
            }
            let cut = bytes(&good);
            let end = bytes(&good[..=at]).len() - 3;
            assert!(audit(&cut[..end], &checkpoints).is_err(), "cut inside line {at}");
        }
    }

    #[test]
    fn lines_after_the_last_checkpoint_are_counted_not_condemned() {
        let lines = ledger(7);
        let checkpoint = Checkpoint::from_frontier(&lines[..5].iter().collect());
        let anchored = audit(&bytes(&lines), &[Some(checkpoint)]).expect("good");
        assert_eq!((anchored.head.size, anchored.unanchored_lines), (7, 2));
    }
}
