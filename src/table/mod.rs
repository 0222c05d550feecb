//! One vocabulary for every source of measures, and what can be asked of it.
//!
//! Takes values and gives values: no source, no file, no clock. What a newcomer gets wrong: a
//! difference between two rows is not yet a finding; [`significance`] says whether it may be one.

pub mod significance;
