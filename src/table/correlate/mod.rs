//! Measures how well a judge's scores agree with the truth's. Ties are numeric equality: −0.0 equals 0.0.

mod agreement;
mod coefficient;
mod export;
mod kendall;
mod method;
mod mutual;
mod scatter;

pub use agreement::{Agreement, Dropped, Missing, Plan, Report, correlate, shared_topics};
pub use coefficient::{Undefined, coefficient, upstream_coefficient};
pub(crate) use coefficient::{finite_pairs, pandas_spearman};
pub(crate) use export::ranks_json;
pub use export::{Judged, csv, json, jsonl, latex, markdown, wide};
pub use method::{Base, Method, MethodError};
pub use mutual::{Mutual, Topics, mutual};
pub use scatter::{Scatter, svg};
