//! A set of 64-bit keys that millions of look-ups mostly leave after one bit.

use crate::firewall::rolling::scatter;

/// Hashes.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    /// Zero marks a free slot.
    slots: Vec<u64>,
    /// Eight bits a slot, set where a key may be: small enough to stay near the processor.
    filter: Vec<u8>,
    len: usize,
}

const FIRST_SLOTS: usize = 1 << 10;

impl Default for Keys {
    fn default() -> Self {
        Self::with_slots(FIRST_SLOTS)
    }
}

impl Keys {
    fn with_slots(slots: usize) -> Self {
        Self { slots: vec![0; slots], filter: vec![0; slots], len: 0 }
    }

    /// Makes room for `more` keys at once, because growing step by step moves every key again.
    pub(super) fn reserve(&mut self, more: usize) {
        let slots = ((self.len + more) / 3 * 4 + 4).next_power_of_two();
        if slots > self.slots.len() {
            let mut larger = Self::with_slots(slots);
            for key in self.slots.iter().filter(|key| **key != 0) {
                larger.insert(*key);
            }
            *self = larger;
        }
    }

    /// Adds `key`.
    pub(super) fn insert(&mut self, key: u64) {
        if self.len * 4 >= self.slots.len() * 3 {
            self.reserve(self.len);
        }
        let key = key.max(1);
        let (byte, bit) = self.bit(key);
        self.filter[byte] |= bit;
        let slot = self.slot(key);
        if self.slots[slot] == 0 {
            self.slots[slot] = key;
            self.len += 1;
        }
    }

    /// Whether `key` was added.
    #[inline]
    pub(super) fn contains(&self, key: u64) -> bool {
        let key = key.max(1);
        let (byte, bit) = self.bit(key);
        self.filter[byte] & bit != 0 && self.slots[self.slot(key)] == key
    }

    /// Where `key` is, or would be.
    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = low(scatter(key)) & mask;
        while self.slots[slot] != 0 && self.slots[slot] != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn bit(&self, key: u64) -> (usize, u8) {
        // The low bits of a key are as good as any: it is a hash.
        (low(key >> 3) & (self.filter.len() - 1), 1 << (key & 7))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only the low bits are wanted")]
fn low(hash: u64) -> usize {
    hash as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_there_through_growth_and_nothing_else() {
        let mut keys = Keys::default();
        for value in 0..5000 {
            keys.insert(scatter(value));
            keys.insert(scatter(value));
        }
        assert!(!keys.contains(0));
        keys.insert(0);
        assert!(keys.contains(0));
        for value in 0..5000 {
            assert!(keys.contains(scatter(value)));
            assert!(!keys.contains(scatter(value + 10_000)));
        }
    }
}
