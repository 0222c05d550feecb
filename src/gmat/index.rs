//! Finding a declared name again: the fast hash the tables share, and the index of declarations.
//!
//! The index is sorted by hash and then by name, so a search takes a logarithm of steps whatever
//! names a script declares; a hash table could be made slow by names chosen to collide.
//!
//! A name may be declared twice. The last declaration says what the resource is, the first one says
//! what later ones duplicate.

use crate::gmat::outline::{Declaration, Span};

/// A quick hash of a short name; equal names have equal hashes, and nothing else is promised.
pub(super) const fn hash(name: &[u8], seed: u64) -> u64 {
    const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;
    let (long, short) =
        ((name.first_chunk(), name.last_chunk()), (name.first_chunk(), name.last_chunk()));
    let (head, tail) = if let (Some(head), Some(tail)) = long {
        (u64::from_le_bytes(*head), u64::from_le_bytes(*tail))
    } else if let (Some(head), Some(tail)) = short {
        (u32::from_le_bytes(*head) as u64, u32::from_le_bytes(*tail) as u64)
    } else {
        let mut short = 0;
        let mut at = 0;
        while at < name.len() {
            short = short << 8 | name[at] as u64;
            at += 1;
        }
        (short, 0)
    };
    let mixed = (head ^ seed.wrapping_mul(SPREAD)).wrapping_mul(SPREAD);
    let mixed = mixed ^ mixed >> 32 ^ tail.rotate_left(17) ^ (name.len() as u64) << 56;
    let mixed = mixed.wrapping_mul(SPREAD);
    mixed ^ mixed >> 29
}

/// The first bytes of a name as a number: names that differ in it are ordered by it.
#[inline]
pub(super) fn prefix(text: &[u8], name: Span) -> u64 {
    let rest = text.get(name.start as usize..).unwrap_or_default();
    let length = name.end.saturating_sub(name.start).min(8);
    let head = rest.first_chunk().copied().unwrap_or_else(|| {
        let mut padded = [0; 8];
        padded[..rest.len()].copy_from_slice(rest);
        padded
    });
    // What is behind a short name is none of it.
    u64::from_be_bytes(head) & !u64::MAX.checked_shr(8 * length).unwrap_or_default()
}

/// The declared names of one script.
#[derive(Debug, Default)]
pub(super) struct Names {
    sorted: Vec<(u64, u32)>,
}

impl Names {
    /// Forgets everything and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.sorted.clear();
    }

    /// Takes the declarations of a script in place of those before, sorted by name.
    pub(super) fn sort(&mut self, text: &[u8], declarations: &[Declaration]) {
        self.clear();
        let key = |declaration: &Declaration| hash(declaration.name.slice(text), 0);
        self.sorted.extend(declarations.iter().map(key).zip(0..));
        self.sorted.sort_unstable_by(|a, b| {
            a.0.cmp(&b.0)
                .then_with(|| name(text, declarations, *a).cmp(name(text, declarations, *b)))
                .then(a.1.cmp(&b.1))
        });
    }

    /// The number of the declaration that `wanted` now stands for: the last one of that name.
    pub(super) fn find(
        &self,
        text: &[u8],
        declarations: &[Declaration],
        wanted: &[u8],
    ) -> Option<u32> {
        let key = hash(wanted, 0);
        let after = self.sorted.partition_point(|&entry| {
            entry.0 < key || entry.0 == key && name(text, declarations, entry) <= wanted
        });
        let entry = *self.sorted.get(after.checked_sub(1)?)?;
        (entry.0 == key && name(text, declarations, entry) == wanted).then_some(entry.1)
    }

    /// Each declaration that repeats an earlier name, with the first declaration of that name.
    pub(super) fn repeats<'a>(
        &'a self,
        text: &'a [u8],
        declarations: &'a [Declaration],
    ) -> impl Iterator<Item = (u32, u32)> + 'a {
        let mut first = 0;
        self.sorted.iter().enumerate().filter_map(move |(at, &entry)| {
            let head = self.sorted[first];
            let repeats = at > first
                && head.0 == entry.0
                && name(text, declarations, head) == name(text, declarations, entry);
            if !repeats {
                first = at;
            }
            repeats.then_some((entry.1, head.1))
        })
    }

    /// Marks the last declaration of every name.
    pub(super) fn mark_last(&self, text: &[u8], declarations: &mut [Declaration]) {
        for (at, &entry) in self.sorted.iter().enumerate() {
            let taken = self.sorted.get(at + 1).is_some_and(|&next| {
                next.0 == entry.0
                    && name(text, declarations, next) == name(text, declarations, entry)
            });
            if let Some(declaration) = declarations.get_mut(entry.1 as usize) {
                declaration.is_current = !taken;
            }
        }
    }
}

fn name<'a>(text: &'a [u8], declarations: &[Declaration], entry: (u64, u32)) -> &'a [u8] {
    declarations.get(entry.1 as usize).map_or(Span::EMPTY, |d| d.name).slice(text)
}
