//! The only place that asks the time.

use jiff::Timestamp;

use crate::domain::Failure;

/// What "now" means: `SOURCE_DATE_EPOCH` where it is set, so that a build can be repeated.
pub fn moment() -> Result<Timestamp, Failure> {
    Ok(source_date_epoch()?.unwrap_or_else(now))
}

/// This moment, to the second.
fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now)
}

/// The moment `SOURCE_DATE_EPOCH` names, if it is set: for builds that must be repeatable.
fn source_date_epoch() -> Result<Option<Timestamp>, Failure> {
    let Some(text) = std::env::var_os("SOURCE_DATE_EPOCH") else { return Ok(None) };
    text.to_str()
        .and_then(|text| text.parse().ok())
        .and_then(|second| Timestamp::from_second(second).ok())
        .map(Some)
        .ok_or_else(|| {
            Failure::unusable("the environment variable `SOURCE_DATE_EPOCH` is not a number of seconds")
                .help("unset it, or set it to seconds since 1970: `SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)`")
        })
}
