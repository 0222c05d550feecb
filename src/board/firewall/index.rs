//! From key to place: a table of 64-bit keys that a million look-ups mostly leave after one bit.

use super::shingle::scatter;

/// Keys and a number for each; the first number given stays.
#[derive(Debug, Clone)]
pub(super) struct Index {
    /// Zero marks a free slot.
    keys: Vec<u64>,
    values: Vec<u32>,
    /// Eight bits a slot, set where a key may be: small enough to stay near the processor.
    filter: Vec<u8>,
    len: usize,
}

const FIRST_SLOTS: usize = 1 << 10;

impl Default for Index {
    fn default() -> Self {
        Self::with_slots(FIRST_SLOTS)
    }
}

impl Index {
    fn with_slots(slots: usize) -> Self {
        Self { keys: vec![0; slots], values: vec![0; slots], filter: vec![0; slots], len: 0 }
    }

    /// Adds `key` unless it is there.
    pub(super) fn insert(&mut self, key: u64, value: u32) {
        if self.len * 4 >= self.keys.len() * 3 {
            let mut larger = Self::with_slots(self.keys.len() * 2);
            for (key, value) in self.keys.iter().zip(&self.values).filter(|(key, _)| **key != 0) {
                larger.insert(*key, *value);
            }
            *self = larger;
        }
        let key = key.max(1);
        let (byte, bit) = self.bit(key);
        self.filter[byte] |= bit;
        let slot = self.slot(key);
        if self.keys[slot] == 0 {
            self.keys[slot] = key;
            self.values[slot] = value;
            self.len += 1;
        }
    }

    /// The number of `key`.
    pub(super) fn get(&self, key: u64) -> Option<u32> {
        let key = key.max(1);
        let (byte, bit) = self.bit(key);
        if self.filter[byte] & bit == 0 {
            return None;
        }
        let slot = self.slot(key);
        (self.keys[slot] == key).then(|| self.values[slot])
    }

    /// Where `key` is, or would be.
    fn slot(&self, key: u64) -> usize {
        let mask = self.keys.len() - 1;
        let mut slot = low(scatter(key)) & mask;
        while self.keys[slot] != 0 && self.keys[slot] != key {
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
    fn the_first_value_of_a_key_stays_through_growth() {
        let mut index = Index::default();
        for value in 0..5000_u32 {
            index.insert(scatter(u64::from(value)), value);
            index.insert(scatter(u64::from(value)), 0);
        }
        index.insert(0, 7);
        for value in 0..5000_u32 {
            assert_eq!(index.get(scatter(u64::from(value))), Some(value));
            assert_eq!(index.get(scatter(u64::from(value) + 10_000)), None);
        }
        assert_eq!(index.get(0), Some(7));
    }
}
