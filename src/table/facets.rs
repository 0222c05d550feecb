//! What is known about a run or a topic besides its measures: model, tier, time, tags.

use std::num::NonZeroU32;

use super::sparse_column::SparseColumn;
use crate::table::Names;

/// What the texts of a facet are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FacetKind {
    /// A text.
    Text,
    /// A list of texts, held as JSON.
    List,
    /// Any JSON.
    Json,
}

/// One facet's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FacetValue<'a> {
    /// The source does not say.
    Absent,
    /// The source says that there is none.
    Null,
    /// The source says this.
    Text(&'a str),
}

impl<'a> FacetValue<'a> {
    /// The text, if the source gives one that is not empty.
    pub fn known(self) -> Option<&'a str> {
        match self {
            Self::Text(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }
}

/// One facet of all rows, each text once.
#[derive(Debug, Clone)]
pub struct Facet {
    /// What it is called.
    pub name: String,
    /// What its texts are.
    pub kind: FacetKind,
    /// 1 is null, otherwise the number of the text plus two.
    rows: SparseColumn<NonZeroU32>,
    texts: Names,
}

impl Facet {
    pub(super) fn new(name: &str, kind: FacetKind) -> Self {
        Self { name: name.to_owned(), kind, rows: SparseColumn::default(), texts: Names::default() }
    }

    /// The value of a row.
    pub fn get(&self, row: u32) -> FacetValue<'_> {
        match self.rows.get(row).map(NonZeroU32::get) {
            None => FacetValue::Absent,
            Some(1) => FacetValue::Null,
            Some(number) => FacetValue::Text(self.texts.get(number - 2)),
        }
    }

    pub(super) fn set(&mut self, row: u32, value: FacetValue<'_>) {
        let number = match value {
            FacetValue::Absent => 0,
            FacetValue::Null => 1,
            FacetValue::Text(text) => self.texts.intern(text) + 2,
        };
        match NonZeroU32::new(number) {
            Some(number) => self.rows.set(row, number),
            None => self.rows.clear(row),
        }
    }

    /// The texts of a list facet.
    pub fn list(&self, row: u32) -> Vec<String> {
        match (self.kind, self.get(row)) {
            (FacetKind::List, FacetValue::Text(text)) => {
                serde_json::from_str(text).unwrap_or_default()
            }
            (_, FacetValue::Text(text)) => vec![text.to_owned()],
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absent_null_and_empty_are_three_things() {
        let mut facet = Facet::new("model", FacetKind::Text);
        facet.set(2, FacetValue::Text(""));
        facet.set(1, FacetValue::Null);
        assert_eq!(facet.get(0), FacetValue::Absent);
        assert_eq!(facet.get(1), FacetValue::Null);
        assert_eq!(facet.get(2), FacetValue::Text(""));
        assert_eq!(facet.get(99), FacetValue::Absent);
        assert_eq!(facet.get(2).known(), None);
        let mut tags = Facet::new("tags", FacetKind::List);
        tags.set(0, FacetValue::Text(r#"["a","b"]"#));
        assert_eq!(tags.list(0), ["a", "b"]);
        assert_eq!(tags.list(5), Vec::<String>::new());
    }
}
