//! Interned names: each text once, in one buffer, found by its number. A million run ids cost
//! their letters and a dozen bytes each.
//!
//! Numbers are given in the order of first sight; iteration follows that order and never the hash.

use std::hash::{BuildHasher, RandomState};

/// Texts, each stored once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    text: String,
    ends: Vec<usize>,
    /// Open addressing; 0 is empty, otherwise the number plus one.
    slots: Vec<u32>,
    hasher: RandomState,
}

impl Names {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }
    /// The text with this number; empty if there is no such number.
    pub(crate) fn get(&self, number: u32) -> &str {
        let at = number as usize;
        let end = self.ends.get(at).copied().unwrap_or(0);
        let start =
            at.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        self.text.get(start..end).unwrap_or_default()
    }

    /// The number of `name`, if it is known.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        self.slots[self.slot(name)].checked_sub(1)
    }

    /// The number of `name`, which is remembered.
    pub(crate) fn intern(&mut self, name: &str) -> u32 {
        if (self.ends.len() + 1) * 4 > self.slots.len() * 3 {
            self.grow();
        }
        let slot = self.slot(name);
        if let Some(number) = self.slots[slot].checked_sub(1) {
            return number;
        }
        let number = u32::try_from(self.ends.len()).unwrap_or(u32::MAX - 1);
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.slots[slot] = number + 1;
        number
    }

    /// The texts in the order of first sight.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|number| self.get(u32::try_from(number).unwrap_or(u32::MAX)))
    }

    /// The slot that holds `name`, or the empty one where it belongs.
    fn slot(&self, name: &str) -> usize {
        let mask = self.slots.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "the mask keeps the low bits only")]
        let mut at = self.hasher.hash_one(name) as usize & mask;
        while let Some(number) = self.slots[at].checked_sub(1) {
            if self.get(number) == name {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        self.slots = vec![0; (self.slots.len() * 2).max(16)];
        for number in 0..u32::try_from(self.ends.len()).unwrap_or(u32::MAX) {
            let slot = self.slot(self.get(number));
            self.slots[slot] = number + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_number() {
        let mut names = Names::default();
        assert_eq!((names.find("a"), names.len() == 0), (None, true));
        let numbers: Vec<u32> = (0..1000).map(|i| names.intern(&format!("run-{i}"))).collect();
        assert_eq!(numbers, (0..1000).collect::<Vec<u32>>());
        assert_eq!(names.intern("run-7"), 7);
        assert_eq!(names.intern(""), 1000);
        assert_eq!((names.get(7), names.get(1000), names.get(5000)), ("run-7", "", ""));
        assert_eq!((names.find("run-999"), names.find("run-1000")), (Some(999), None));
        assert_eq!(names.iter().nth(3), Some("run-3"));
    }
}
