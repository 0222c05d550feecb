//! What a test needs beyond cargo: a test without it is skipped and says so, or fails if the
//! variable `GMAT_REQUIRE` names the thing.

/// What `GMAT_REQUIRE` may name, separated by commas.
const THINGS: [&str; 10] = [
    "conformance",
    "chromium",
    "hub",
    "tools",
    "reference",
    "shells",
    "root",
    "linux",
    "sqlite",
    "node",
];

/// Says that the running test is skipped because `thing` is not there. `scripts/test` counts these
/// lines.
pub(crate) fn skip(thing: &str, why: &str) {
    let required = std::env::var("GMAT_REQUIRE").unwrap_or_default();
    for name in required.split(',').map(str::trim).filter(|name| !name.is_empty()) {
        assert!(THINGS.contains(&name), "GMAT_REQUIRE names `{name}`; it can be one of {THINGS:?}");
        assert_ne!(name, thing, "GMAT_REQUIRE wants it: {why}");
    }
    assert!(THINGS.contains(&thing), "{thing}");
    eprintln!("skipped: {thing}: {why}");
}
