//! The strings of a board, and the orders in which a split secret can be read back.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::firewall::rolling::scatter;
use crate::json::{Node, Value};

/// Every string and key of a document.
#[derive(Debug, Default)]
pub(super) struct Strings<'a> {
    /// Each different string once, with the offsets of all its occurrences.
    pub(super) distinct: Vec<(&'a str, Vec<usize>)>,
    by_text: HashMap<&'a str, usize>,
    /// Values in document order.
    values: Vec<usize>,
    /// Values of the same key in all rows, in document order.
    columns: BTreeMap<u64, Vec<usize>>,
    /// Different values outside rows.
    header: Vec<usize>,
}

/// Pairs of header fields are tried up to this many fields: far more than a board has.
const MOST_HEADER_FIELDS: usize = 40;

impl<'a> Strings<'a> {
    pub(super) fn below(root: &'a Node<'_>) -> Self {
        let mut strings = Self::default();
        strings.gather(root, 0, false);
        let mut seen = HashSet::new();
        strings.header.retain(|string| seen.insert(*string));
        strings.header.truncate(MOST_HEADER_FIELDS);
        for column in strings.columns.values_mut() {
            column.dedup();
        }
        strings
    }

    fn gather(&mut self, node: &'a Node<'_>, column: u64, in_row: bool) {
        match &node.value {
            Value::String(text) => {
                let string = self.add(text, node.at);
                self.values.push(string);
                if in_row {
                    self.columns.entry(column).or_default().push(string);
                } else {
                    self.header.push(string);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.gather(item, column, true);
                }
            }
            Value::Object(members) => {
                for (key, member) in members.iter() {
                    let string = self.add(key, member.at);
                    self.gather(member, scatter(column ^ scatter(string as u64)), in_row);
                }
            }
            _ => {}
        }
    }

    fn add(&mut self, text: &'a str, at: usize) -> usize {
        let next = self.distinct.len();
        let string = *self.by_text.entry(text).or_insert(next);
        if string == next {
            self.distinct.push((text, Vec::new()));
        }
        self.distinct[string].1.push(at);
        string
    }

    /// The orders a reader would try: all values as they come, down each column, and any two
    /// fields of the header.
    pub(super) fn sequences(&self) -> impl Iterator<Item = Vec<usize>> {
        let pairs = self.header.iter().flat_map(|one| {
            let others = self.header.iter().filter(move |other| *other != one);
            others.map(|other| vec![*one, *other])
        });
        let columns = self.columns.values().filter(|column| column.len() > 1).cloned();
        pairs.chain(columns).chain([self.values.clone()])
    }
}
