//! The Merkle tree of RFC 6962 over the exact bytes of the ledger's lines.
//!
//! A leaf is the line as it lies in the file, without its newline. Nothing is parsed or serialized again
//! before hashing, so reformatting a line is an edit.

use sha2::{Digest, Sha256};

/// A node of the tree.
pub type Hash = [u8; 32];

/// The complete subtrees to the left of the next leaf: enough to go on and to give the root.
#[derive(Debug, Clone, Default)]
pub struct Frontier {
    size: u64,
    /// Largest subtree first.
    subtrees: Vec<Hash>,
}

impl Frontier {
    /// Adds a leaf.
    pub fn push(&mut self, leaf: &[u8]) {
        // The prefixes stop a node being passed off as a leaf.
        let mut hash = digest(&[&[0], leaf]);
        let mut before = self.size;
        while before & 1 == 1 {
            let Some(left) = self.subtrees.pop() else { break };
            hash = digest(&[&[1], &left, &hash]);
            before >>= 1;
        }
        self.subtrees.push(hash);
        self.size += 1;
    }

    /// How many leaves there are.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The root over all leaves so far.
    pub fn root(&self) -> Hash {
        let mut subtrees = self.subtrees.iter().rev();
        let Some(&smallest) = subtrees.next() else { return digest(&[]) };
        subtrees.fold(smallest, |right, left| digest(&[&[1], left, &right]))
    }
}

impl<L: AsRef<[u8]>> FromIterator<L> for Frontier {
    fn from_iter<I: IntoIterator<Item = L>>(leaves: I) -> Self {
        let mut frontier = Self::default();
        leaves.into_iter().for_each(|leaf| frontier.push(leaf.as_ref()));
        frontier
    }
}

fn digest(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, word for word.
    fn recursive(leaves: &[Vec<u8>]) -> Hash {
        match leaves {
            [] => digest(&[]),
            [leaf] => digest(&[&[0], leaf]),
            _ => {
                let mut split = 1;
                while split * 2 < leaves.len() {
                    split *= 2;
                }
                let (left, right) = leaves.split_at(split);
                digest(&[&[1], &recursive(left), &recursive(right)])
            }
        }
    }

    #[test]
    fn the_frontier_gives_the_root_of_the_definition() {
        let leaves: Vec<Vec<u8>> = (0..300_u16).map(|n| n.to_be_bytes().to_vec()).collect();
        let mut frontier = Frontier::default();
        for size in 0..=leaves.len() {
            assert_eq!(frontier.root(), recursive(&leaves[..size]), "{size}");
            if let Some(leaf) = leaves.get(size) {
                frontier.push(leaf);
            }
        }
        assert_eq!(frontier.size(), 300);
    }
}
