//! The two header blocks that are copied into the board as they are.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::json::{Node, Value};

/// One header block: plain values, keys sorted.
pub type SetHeader = BTreeMap<String, Scalar>;

/// What a header block may hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Scalar {
    /// A string.
    Text(String),
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// Any other number.
    Real(f64),
    /// Counts by tier, only as `held_out_set.tiers`.
    Counts(BTreeMap<String, u64>),
}

impl Scalar {
    /// The value of `node`; `None` for null, an array or an object.
    pub(crate) fn read(node: &Node<'_>) -> Option<Self> {
        match &node.value {
            Value::String(text) => Some(Self::Text(text.clone().into_owned())),
            Value::Bool(value) => Some(Self::Bool(*value)),
            Value::Number(number) => Some(match number.as_i64() {
                Some(integer) => Self::Integer(integer),
                None => Self::Real(number.as_f64()),
            }),
            Value::Null | Value::Array(_) | Value::Object(_) => None,
        }
    }

    /// The counts of `node`, if it is an object of whole numbers.
    pub(crate) fn counts(node: &Node<'_>) -> Option<Self> {
        let object = node.object().ok()?;
        let counts: Option<BTreeMap<String, u64>> = object
            .iter()
            .map(|(tier, count)| Some((tier.to_string(), count.count().ok()?)))
            .collect();
        counts.map(Self::Counts)
    }
}
