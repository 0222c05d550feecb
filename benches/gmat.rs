//! How fast scripts are read and checked, on one thread: `cargo bench --bench gmat`.
//!
//! Real scripts come from the folder `gmat` below `GMAT_CONFORMANCE`; without it a made-up one is
//! used, and said so.

#![expect(clippy::print_stdout, reason = "a benchmark prints its result")]

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use gmat_leaderboard::gmat::Script;
use gmat_leaderboard::internals::ui::verdict;

const ROUNDS: usize = 9;
const LEAST: Duration = Duration::from_millis(200);

fn main() {
    let scripts = scripts();
    let bytes: usize = scripts.iter().map(String::len).sum();
    println!("{} scripts, {bytes} bytes", scripts.len());
    measure("parse and check", &scripts, bytes, |text| {
        black_box(Script::parse(text).blocking_rules());
    });
    measure("and ask for a type, a field and a command", &scripts, bytes, |text| {
        let script = Script::parse(text);
        black_box(script.blocking_rules());
        black_box(script.has_type("Spacecraft") && script.has_field("Spacecraft", "SMA"));
        black_box(script.has_command("Propagate"));
    });
    let mut out = Vec::new();
    measure("and write the whole verdict as JSON", &scripts, bytes, |text| {
        out.clear();
        verdict::verdict(&Script::parse(text), &mut out);
        black_box(&out);
    });
    measure("and describe every diagnostic", &scripts, bytes, |text| {
        black_box(Script::parse(text).diagnostics());
    });
}

/// The best of some rounds: what the machine can do when nobody disturbs it.
fn measure(what: &str, scripts: &[String], bytes: usize, mut work: impl FnMut(&str)) {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let mut passes = 0;
        while start.elapsed() < LEAST {
            for text in scripts {
                work(text);
            }
            passes += 1;
        }
        best = best.min(start.elapsed().as_secs_f64() / f64::from(passes));
    }
    #[expect(clippy::cast_precision_loss, reason = "rounded for a person")]
    let (rate, speed) = (scripts.len() as f64 / best, bytes as f64 / best / 1e6);
    println!("{what:45} {rate:10.0} scripts/s {speed:8.1} MB/s");
}

fn scripts() -> Vec<String> {
    let mut found = Vec::new();
    if let Some(root) = std::env::var_os("GMAT_CONFORMANCE")
        && let Ok(folder) = std::fs::read_dir(Path::new(&root).join("gmat"))
    {
        for entry in folder.flatten().filter(|e| e.path().extension().is_some_and(|x| x == "jsonl"))
        {
            for line in std::fs::read_to_string(entry.path()).unwrap_or_default().lines() {
                let case: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
                found.extend(case["script"].as_str().map(str::to_owned));
            }
        }
    }
    if found.is_empty() {
        println!("GMAT_CONFORMANCE holds no scripts: a made-up one is used");
        let fields = "Sat.SMA = 7000;\nSat.DateFormat = UTCGregorian;\n".repeat(20);
        found = vec![format!("Create Spacecraft Sat;\n{fields}BeginMissionSequence\nStop\n"); 1000];
    }
    found
}
