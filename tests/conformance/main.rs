//! Golden cases of real systems: one module per folder under `GMAT_CONFORMANCE`. Any other folder of
//! the same shape works the same. Without the variable each test says that it was skipped.

#![expect(clippy::print_stderr, reason = "a test says what it compared or skipped")]

mod board;
mod correlate;
mod entry;
mod gmat;
mod ledger;
mod measures;
mod rank;
mod slips;
mod stats;

#[path = "../support/need.rs"]
mod need;

use std::path::{Path, PathBuf};

use need::skip;

/// The folder `name` below `GMAT_CONFORMANCE`, or `None` after saying why not.
fn folder(name: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("GMAT_CONFORMANCE") else {
        skip("conformance", "GMAT_CONFORMANCE is not set");
        return None;
    };
    let folder = PathBuf::from(root).join(name);
    if !folder.is_dir() {
        skip("conformance", &format!("GMAT_CONFORMANCE has no {name}"));
        return None;
    }
    Some(folder)
}

/// The files of a folder with this extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

/// Whether two JSON values agree, numbers to 1e-9; `NaN` and `Infinity` are texts in goldens.
fn same(ours: &serde_json::Value, golden: &serde_json::Value, place: &str) {
    use serde_json::Value;
    match (ours, golden) {
        (Value::Number(a), Value::Number(b)) => {
            let (a, b) = (a.as_f64().expect("a double"), b.as_f64().expect("a double"));
            let close = (a - b).abs() <= 1e-9 * b.abs().max(1.0);
            assert!(close, "{place}: ours {a}, golden {b}");
        }
        (Value::Array(a), Value::Array(b)) => {
            assert_eq!(a.len(), b.len(), "{place}: ours {ours}, golden {golden}");
            for (at, (a, b)) in a.iter().zip(b).enumerate() {
                same(a, b, &format!("{place}[{at}]"));
            }
        }
        (Value::Object(a), Value::Object(b)) => {
            let keys = |map: &serde_json::Map<String, Value>| {
                map.keys().cloned().collect::<std::collections::BTreeSet<_>>()
            };
            assert_eq!(keys(a), keys(b), "{place}: ours {ours}, golden {golden}");
            for (key, b) in b {
                same(&a[key], b, &format!("{place}.{key}"));
            }
        }
        _ => assert_eq!(ours, golden, "{place}"),
    }
}

#[test]
fn what_is_required_and_absent_is_a_failure() {
    let run = |required: &str| {
        let test = std::env::current_exe().expect("this program");
        let mut command = std::process::Command::new(test);
        command.args(["--exact", "gmat::gmat_scripts_get_the_recorded_verdict", "--nocapture"]);
        command.env_remove("GMAT_CONFORMANCE").env("GMAT_REQUIRE", required);
        let output = command.output().expect("it runs");
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8_lossy(&text).into_owned())
    };
    let (passes, text) = run("");
    assert!(passes && text.contains("skipped: conformance: GMAT_CONFORMANCE"), "{text}");
    assert!(run("chromium,hub").0);
    let (passes, text) = run("chromium, conformance");
    assert!(!passes && text.contains("GMAT_REQUIRE wants it: GMAT_CONFORMANCE"), "{text}");
    let (passes, text) = run("chromiun");
    assert!(!passes && text.contains("GMAT_REQUIRE names `chromiun`"), "{text}");
}
