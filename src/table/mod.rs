//! One vocabulary for every source of measures, and what can be asked of it.
//!
//! Everything is a cell: (run, scope, measure) → value, where the scope is a topic or all of them.
//! A [`Builder`] checks, casts and aggregates; a [`Table`] is what comes out and never changes.
//! Takes values and gives values: no source, no file, no clock.
//!
//! A missing value has no cell and is never 0; and a difference between two rows is not yet a finding:
//! [`significance`] says whether it may be one.
//!
//! | verb | here |
//! |---|---|
//! | add, merge | [`Builder::add`], [`Builder::add_records`], [`Builder::merge`] |
//! | judge | [`Judge`] |
//! | select, remove | [`Table::select`], [`Table::remove`] |
//! | rank | [`Table::rank`] |
//! | stats | [`Summary::of`] |
//! | trend | [`Table::trend`] |
//! | group | [`Table::group`] |
//! | compare | [`Table::compare`] |
//! | export | [`Page`] |
//! | correlate | [`correlate::correlate`] |

mod builder;
mod cell;
mod compare;
pub mod correlate;
mod discrepancy;
mod export;
mod facets;
mod failure;
mod group;
mod interner;
mod judge;
mod layout;
mod measure;
mod moment;
mod ranges;
mod rank;
mod select;
pub mod significance;
mod sparse_column;
mod summary;
#[expect(clippy::module_inception, reason = "the file holds the type `Table`")]
mod table;
mod trend;
mod value;

pub(crate) use crate::domain::harmless;
pub use builder::{
    Aggregates, BuildError, Builder, Built, Duplicates, Expect, Hole, HoleList, Holes, Policy,
};
pub use cell::{CellRef, MeasureId, RunId, Scope, TopicId};
pub use compare::{Comparison, Duel, Side};
pub use discrepancy::Discrepancy;
pub use export::{Column, MISSING, Page, Shown};
pub use facets::{Facet, FacetKind, FacetValue};
pub use group::{Group, UNKNOWN};
pub(crate) use interner::Names;
pub use judge::Judge;
pub use layout::{Key, Layout, Medium, Slot};
pub use measure::{Better, Display, Measure, MeasureError, Reduce, lower_by_name};
pub use moment::Moment;
pub use rank::{Order, RankRow, Ranking, Ties};
pub(crate) use select::STARTED_AT;
pub use select::{Compare, Condition, ConditionError, Select, SelectError, Unmatched};
pub use summary::{Summary, mean};
pub use table::{NameError, Table};
pub use trend::{Clock, Trend, TrendPoint};
pub use value::{Kind, Value};
pub(crate) use value::{json_number, parse_number, spell_number, spell_plain};
