//! Whether a judge orders runs as the truth does.
//!
//! What a newcomer gets wrong: there are several taus, and ties decide between them. The name in
//! a column says which one it is; where none is defined, the reason stands instead of a number.

mod agree;
mod coefficient;
mod export;
mod kendall;
mod method;
mod mutual;
mod scatter;

pub use agree::{Agreement, Dropped, Missing, Plan, Report, correlate, shared_topics};
pub use coefficient::{Undefined, average_ranks, coefficient, upstream_coefficient};
pub use export::{Judged, csv, json, latex, markdown, wide};
pub use method::{Base, Method, MethodError};
pub use mutual::{Mutual, mutual};
pub use scatter::{Scatter, svg};
