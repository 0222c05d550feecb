//! Lays out a board's repository, or completes one that is there.
//!
//! Never changes a file that exists, but for lines that git needs. An existing checkout keeps its
//! config where it is, so every file written here follows that.

use std::path::Path;

use serde_json::{Value, json};

use crate::domain::Failure;
use crate::fs::{StoreError, read_typed, write};
use crate::json;
use crate::workspace::config::has_config;
use crate::workspace::{demo, find_config, read_config};

/// What happened to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Laid {
    /// It is new.
    Written(String),
    /// It was there and got this many lines.
    Extended(String, usize),
    /// It was there and stays as it is.
    Kept(String),
}

const README: &str = include_str!("../../examples/scaffold/README.md");
const REFRESH: &str = include_str!("../../.github/workflows/leaderboard.yml");
const SUBMISSION: &str = include_str!("../../.github/workflows/submission.yml");
const TEMPLATE: &str = include_str!("../../.github/pull_request_template.md");
/// The one recorded bundle a new board starts with.
const EXAMPLE: &str = "steady";
const LIMIT: u64 = 1 << 20;

/// Lays out the repository at `root`; says what was done, file by file.
pub fn scaffold(root: &Path) -> Result<Vec<Laid>, Failure> {
    std::fs::create_dir_all(root).map_err(|source| StoreError::Io {
        verb: "create",
        path: root.to_owned(),
        source,
    })?;
    let mut laid = Vec::new();
    if !has_config(root, None) {
        for (path, bytes) in starter() {
            laid.push(lay(root, &path, &bytes)?);
        }
    }
    let config = read_config(root, None)?.config;
    let file = find_config(root, None)?;
    let file = file.strip_prefix(root).unwrap_or(&file).display().to_string();
    laid.push(extend(root, ".gitignore", &["/site/", "/leaderboard/.cache/"].map(str::to_owned))?);
    let mut attributes = vec!["leaderboard/** -text".to_owned(), "*.jsonl -text".to_owned()];
    for seed in &config.seeds {
        let bundles = [Some(&seed.public_bundle), seed.lift_bundle.as_ref()];
        for bundle in bundles.into_iter().flatten().map(crate::domain::config::BelowPath::as_str) {
            let line = format!("{bundle}/** -text");
            if !bundle.starts_with("leaderboard/") && !attributes.contains(&line) {
                attributes.push(line);
            }
        }
    }
    laid.push(extend(root, ".gitattributes", &attributes)?);
    for (name, text) in [("leaderboard", REFRESH), ("leaderboard-submission", SUBMISSION)] {
        let path = format!(".github/workflows/{name}.yml");
        laid.push(lay(root, &path, workflow(text, &file).as_bytes())?);
    }
    laid.push(lay(root, ".github/pull_request_template.md", TEMPLATE.as_bytes())?);
    laid.push(lay(root, "README.md", README.as_bytes())?);
    Ok(laid)
}

/// A config with one illustrative seed, and its bundle.
fn starter() -> Vec<(String, Vec<u8>)> {
    let mut config: Value = demo::config();
    config["seeds"] = json!([{
        "provider": "demo", "model": EXAMPLE, "kind": "illustrative",
        "submitted_by": "gmat-leaderboard", "public_bundle": format!("leaderboard/bundles/{EXAMPLE}"),
        "held_out_bundle": EXAMPLE,
        "about": {"name": "Steady", "organization": "Example Labs", "weights": "open",
            "parameters": "7B", "released": "2026-03", "url": "https://example.org/steady"},
    }]);
    config["judge_model"] = "demo/illustrative".into();
    config["held_out_set"] = json!({ "committed": false, "store": "a private dataset" });
    if let Some(config) = config.as_object_mut() {
        config.remove("prices");
    }
    let mut files = vec![("seeds.json".to_owned(), json::pretty(&config))];
    files.extend(
        demo::bundle(EXAMPLE)
            .into_iter()
            .map(|(name, bytes)| (format!("leaderboard/bundles/{EXAMPLE}/{name}"), bytes.to_vec())),
    );
    files
}

/// This project's own workflow as a board's repository needs it: the program comes from
/// elsewhere, and the config may lie at its other place.
fn workflow(text: &str, config: &str) -> String {
    let install = "cargo install --locked --git \"$SOURCE\" --rev \"$REVISION\" --root \"$RUNNER_TEMP/program\" gmat-leaderboard";
    let variables = "\n        env:\n          SOURCE: ${{ vars.PROGRAM_SOURCE }}\n          REVISION: ${{ vars.PROGRAM_REVISION }}";
    text.replace(
        "\n        run: cargo build --release --locked && echo \"$PWD/target/release\" >> \"$GITHUB_PATH\"",
        &format!("{variables}\n        run: {install} && echo \"$RUNNER_TEMP/program/bin\" >> \"$GITHUB_PATH\""),
    )
    .replace(
        "\n        working-directory: base\n        run: cargo build --release --locked && cp target/release/gmat-leaderboard \"$RUNNER_TEMP/\" && rm -rf target",
        &format!("{variables}\n        run: {install} && cp \"$RUNNER_TEMP/program/bin/gmat-leaderboard\" \"$RUNNER_TEMP/\""),
    )
    .replace("# No cache: what runs beside the secrets is built here, from this commit.", "# No cache: what runs beside the secrets is built here, from the commit the variable names.")
    .replace("Build the program of the base", "Build the program")
    .replace(" (docs/hosting.md)", "")
    .replace("- seeds.json", &format!("- {config}"))
    .replace("base/seeds.json", &format!("base/{config}"))
}

fn lay(root: &Path, below: &str, bytes: &[u8]) -> Result<Laid, Failure> {
    let path = root.join(below);
    if std::fs::symlink_metadata(&path).is_ok() {
        return Ok(Laid::Kept(below.to_owned()));
    }
    let parent = path.parent().unwrap_or(root);
    std::fs::create_dir_all(parent).map_err(|source| StoreError::Io {
        verb: "create",
        path: parent.to_owned(),
        source,
    })?;
    write(&path, bytes)?;
    Ok(Laid::Written(below.to_owned()))
}

/// Adds the lines that are not there yet.
fn extend(root: &Path, below: &str, lines: &[String]) -> Result<Laid, Failure> {
    let path = root.join(below);
    let old = match read_typed(&path, LIMIT) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(StoreError::Absent(_)) => {
            return lay(root, below, format!("{}\n", lines.join("\n")).as_bytes());
        }
        Err(error) => return Err(error.into()),
    };
    let missing: Vec<&str> = lines
        .iter()
        .map(String::as_str)
        .filter(|line| !old.lines().any(|known| known.trim() == *line))
        .collect();
    if missing.is_empty() {
        return Ok(Laid::Kept(below.to_owned()));
    }
    let gap = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
    write(&path, format!("{old}{gap}{}\n", missing.join("\n")).as_bytes())?;
    Ok(Laid::Extended(below.to_owned(), missing.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflows_of_a_board_do_not_build_this_project() {
        for text in [REFRESH, SUBMISSION] {
            let made = workflow(text, "leaderboard/seeds.json");
            assert!(!made.contains("cargo build"), "{made}");
            assert!(made.contains("cargo install --locked --git"), "{made}");
            assert!(made.contains("      - leaderboard/seeds.json\n"), "{made}");
            assert!(!made.contains("docs/hosting.md"), "{made}");
        }
    }
}
