//! Lays out a board's repository, or completes one that is there.
//!
//! Never changes a file that exists, but for lines that git needs. An existing checkout keeps its
//! config where it is, so every file written here follows that.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use walkdir::WalkDir;

use crate::domain::Failure;
use crate::fs::{StoreError, make_directory, read_typed, remove, write};
use crate::json;
use crate::workspace::config::has_config;
use crate::workspace::{demo, find_config, make_prompt_drafts, read_config};

/// What happened to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScaffoldedFile {
    /// It is new.
    Written(String),
    /// It was there and got this many lines.
    Extended(String, usize),
    /// It was there and stays as it is.
    Kept(String),
    /// It was there under an earlier name and is removed.
    Removed(String),
}

/// Where a board's workflows get the program; what is `None` stays as the workflows have it, and is
/// empty in new ones.
#[derive(Debug, Clone, Copy, Default)]
pub struct ProgramPin<'p> {
    /// The git address.
    pub source: Option<&'p str>,
    /// The commit.
    pub revision: Option<&'p str>,
}

const README: &str = include_str!("../../examples/scaffold/README.md");
const REFRESH: &str = include_str!("../../.github/workflows/leaderboard.yml");
const SUBMISSION: &str = include_str!("../../.github/workflows/submission.yml");
const RECORD: &str = include_str!("../../.github/workflows/record.yml");
const TEMPLATE: &str = include_str!("../../.github/pull_request_template.md");
/// The one recorded bundle a new board starts with.
const EXAMPLE: &str = "steady";
const LIMIT: u64 = 1 << 20;
/// The public set of a board that has no bundle yet.
pub const PUBLIC_DRAFT: &str = "leaderboard/prompts.json";
const WORKFLOWS: [(&str, &str); 3] = [
    (".github/workflows/leaderboard.yml", REFRESH),
    (".github/workflows/record.yml", RECORD),
    (".github/workflows/submission.yml", SUBMISSION),
];
/// The folders of a board's repository.
const FOLDERS: [&str; 2] = ["leaderboard", ".github"];
/// The name of `submission.yml` in boards of version 0.1.
const OLD_SUBMISSION: &str = ".github/workflows/leaderboard-submission.yml";

/// Lays out the repository at `root`; says what was done, file by file. With `upgrade`, workflows
/// that exist are replaced. With `prompts`, the public set is that many placeholders instead of the
/// example.
pub fn scaffold(
    root: &Path,
    program: ProgramPin<'_>,
    upgrade: bool,
    prompts: Option<u16>,
) -> Result<Vec<ScaffoldedFile>, Failure> {
    let mut laid = Vec::new();
    let is_absent = !root.exists();
    let new: Vec<_> = FOLDERS.iter().map(|it| root.join(it)).filter(|it| !it.exists()).collect();
    let done = lay_all(root, program, upgrade, prompts, &mut laid);
    if done.is_err() {
        take_back(root, &laid, &new);
        if is_absent {
            let _ = std::fs::remove_dir(root);
        }
    }
    done.map(|()| laid)
}

/// Removes the files that are new, and what is empty of the folders that are new: what failed is
/// reported, so what cannot be removed is not.
fn take_back(root: &Path, laid: &[ScaffoldedFile], new: &[PathBuf]) {
    for file in laid {
        if let ScaffoldedFile::Written(below) = file {
            let _ = std::fs::remove_file(root.join(below));
        }
    }
    for folder in new.iter().flat_map(|folder| WalkDir::new(folder).contents_first(true)).flatten()
    {
        let _ = std::fs::remove_dir(folder.path());
    }
}

fn lay_all(
    root: &Path,
    program: ProgramPin<'_>,
    upgrade: bool,
    prompts: Option<u16>,
    laid: &mut Vec<ScaffoldedFile>,
) -> Result<(), Failure> {
    make_directory(root)?;
    let is_new = !has_config(root, None);
    if let Some(count) = prompts {
        let drafts = json::pretty(&make_prompt_drafts(count.into(), &example_tiers(), None));
        laid.push(lay(root, PUBLIC_DRAFT, &drafts)?);
    }
    if is_new {
        // The config last: a folder that has one is not new for the next call.
        for (path, bytes) in prompts.map_or_else(starter, |count| vec![own_config(count)]) {
            laid.push(lay(root, &path, &bytes)?);
        }
    }
    let config = read_config(root, None)?.config;
    let file = find_config(root, None)?;
    let file = file.strip_prefix(root).unwrap_or(&file).display().to_string();
    laid.push(extend(root, ".gitignore", &demo::IGNORED.map(str::to_owned))?);
    let seeds = config.seeds.iter();
    let mut elsewhere: Vec<String> = seeds
        .flat_map(|seed| [Some(&seed.public_bundle), seed.lift_bundle.as_ref()])
        .flatten()
        .map(|bundle| format!("{}/**", bundle.as_str()))
        .filter(|bundle| !bundle.starts_with("leaderboard/"))
        .collect();
    elsewhere.sort();
    elsewhere.dedup();
    let mut attributes = vec!["leaderboard/** -text".to_owned(), "*.jsonl -text".to_owned()];
    attributes.extend(elsewhere.iter().map(|bundle| format!("{bundle} -text")));
    laid.push(extend(root, ".gitattributes", &attributes)?);
    for (path, text) in WORKFLOWS {
        let was = if path.ends_with("/submission.yml") && exists(root, OLD_SUBMISSION) {
            OLD_SUBMISSION
        } else {
            path
        };
        if exists(root, was) && !upgrade {
            laid.push(ScaffoldedFile::Kept(was.to_owned()));
            continue;
        }
        let old = match read_typed(&root.join(was), LIMIT) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(StoreError::Absent(_)) => String::new(),
            Err(error) => return Err(error.into()),
        };
        let program = ProgramPin {
            source: program.source.or_else(|| value_of(&old, "SOURCE")),
            revision: program.revision.or_else(|| value_of(&old, "REVISION")),
        };
        laid.push(put(root, path, workflow(text, &file, &elsewhere, program).as_bytes())?);
        if was != path {
            remove(&root.join(was))?;
            laid.push(ScaffoldedFile::Removed(was.to_owned()));
        }
    }
    laid.push(lay(root, ".github/pull_request_template.md", TEMPLATE.as_bytes())?);
    // Only a board with the example has its paragraph.
    let is_example = config.seeds.iter().any(|seed| seed.id() == format!("demo:{EXAMPLE}"));
    let readme = if is_example {
        README.to_owned()
    } else {
        README
            .split("\n\n")
            .filter(|part| !part.contains("demo:steady"))
            .collect::<Vec<_>>()
            .join("\n\n")
    };
    laid.push(lay(
        root,
        "README.md",
        readme.replace("`seeds.json`", &format!("`{file}`")).as_bytes(),
    )?);
    Ok(())
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
    let mut files: Vec<_> = demo::bundle(EXAMPLE)
        .into_iter()
        .map(|(name, bytes)| (format!("leaderboard/bundles/{EXAMPLE}/{name}"), bytes.to_vec()))
        .collect();
    files.push(("seeds.json".to_owned(), json::pretty(&config)));
    files
}

/// A config without a row, for a public set of one's own.
fn own_config(n_prompts: u16) -> (String, Vec<u8>) {
    let config = json!({
        "eval_protocol_version": "1",
        "n_votes": 3,
        "judge_model": "openai/gpt-4.1-mini",
        "require_votes": true,
        "public_set": {"n_prompts": n_prompts, "committed": true, "reproducible_offline": true},
        "held_out_set": {"committed": false, "store": "a private dataset"},
        "seeds": [],
    });
    ("seeds.json".to_owned(), json::pretty(&config))
}

/// The tiers of the example, whose proportion a new set takes.
fn example_tiers() -> BTreeMap<String, usize> {
    let bundle = demo::bundle(EXAMPLE);
    let prompts = bundle.iter().find(|(name, _)| *name == "prompts.json");
    let prompts: Vec<Value> =
        prompts.and_then(|(_, bytes)| serde_json::from_slice(bytes).ok()).unwrap_or_default();
    let mut tiers = BTreeMap::new();
    for prompt in &prompts {
        *tiers.entry(prompt["difficulty"].as_str().unwrap_or("easy").to_owned()).or_insert(0) += 1;
    }
    tiers
}

/// This project's own workflow as a board's repository needs it: the program comes from
/// elsewhere, and config and bundles may lie at their other places.
fn workflow(text: &str, config: &str, elsewhere: &[String], program: ProgramPin<'_>) -> String {
    let build = |path: &str| {
        format!(
            r#"        run: |
          CARGO_TARGET_DIR="$RUNNER_TEMP/target" cargo install --locked --path {path} --root "$RUNNER_TEMP/program"
"#
        )
    };
    let install = format!(
        r#"        env:
          SOURCE: "{}"
          REVISION: "{}"
        run: |
          if [ -z "$SOURCE" ] || [ -z "$REVISION" ]; then
            echo "::error::this workflow does not say where the program comes from; run: gmat-leaderboard init --upgrade --source URL --revision COMMIT"
            exit 1
          fi
          cargo install --locked --git "$SOURCE" --rev "$REVISION" --root "$RUNNER_TEMP/program" gmat-leaderboard
"#,
        program.source.unwrap_or_default(),
        program.revision.unwrap_or_default()
    );
    let bundles = "      - leaderboard/bundles/**\n";
    let more: String = elsewhere.iter().map(|bundle| format!("      - {bundle}\n")).collect();
    text.replace(&build("."), &install)
        .replace(&build("base"), &install)
        .replace("is built here, from this commit.", "is built here, from the commit REVISION.")
        .replace("with the program of the base branch,", "with the program of the commit REVISION,")
        .replace("Build the program of the base", "Build the program")
        .replace(" (docs/hosting.md)", "")
        .replace("- seeds.json", &format!("- {config}"))
        .replace("CONFIG: seeds.json", &format!("CONFIG: {config}"))
        .replace(bundles, &format!("{bundles}{more}"))
}

/// Whether the gated workflow below `root` says where the program comes from, if there is one.
pub fn names_program(root: &Path) -> bool {
    let text = read_typed(&root.join(WORKFLOWS[0].0), LIMIT).unwrap_or_default();
    value_of(&String::from_utf8_lossy(&text), "SOURCE") != Some("")
}

/// The value of a variable that `workflow` wrote.
fn value_of<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let value =
        text.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(": \""))?;
    value.strip_suffix('"')
}

fn exists(root: &Path, below: &str) -> bool {
    std::fs::symlink_metadata(root.join(below)).is_ok()
}

fn lay(root: &Path, below: &str, bytes: &[u8]) -> Result<ScaffoldedFile, Failure> {
    if exists(root, below) {
        return Ok(ScaffoldedFile::Kept(below.to_owned()));
    }
    put(root, below, bytes)
}

fn put(root: &Path, below: &str, bytes: &[u8]) -> Result<ScaffoldedFile, Failure> {
    let path = root.join(below);
    let parent = path.parent().unwrap_or(root);
    make_directory(parent)?;
    write(&path, bytes)?;
    Ok(ScaffoldedFile::Written(below.to_owned()))
}

/// Adds the lines that are not there yet.
fn extend(root: &Path, below: &str, lines: &[String]) -> Result<ScaffoldedFile, Failure> {
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
        return Ok(ScaffoldedFile::Kept(below.to_owned()));
    }
    let gap = if old.is_empty() || old.ends_with('\n') { "" } else { "\n" };
    write(&path, format!("{old}{gap}{}\n", missing.join("\n")).as_bytes())?;
    Ok(ScaffoldedFile::Extended(below.to_owned(), missing.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workflows_of_a_board_do_not_build_this_project() {
        let program =
            ProgramPin { source: Some("https://example.org/p"), revision: Some("c0ffee") };
        for (_, text) in WORKFLOWS {
            let made = workflow(text, "leaderboard/seeds.json", &[], program);
            assert!(!made.contains("--path"), "{made}");
            assert!(made.contains("cargo install --locked --git"), "{made}");
            assert_eq!(made.contains(" leaderboard/seeds.json\n"), text != RECORD, "{made}");
            assert!(!made.contains(" seeds.json\n"), "{made}");
            assert!(!made.contains("docs/hosting.md"), "{made}");
            assert_eq!(value_of(&made, "SOURCE"), program.source);
            assert_eq!(value_of(&made, "REVISION"), program.revision);
        }
    }

    #[test]
    fn what_runs_on_pull_requests_needs_no_variable_and_always_runs() {
        for forbidden in ["vars.", "secrets.", "paths:"] {
            assert!(!SUBMISSION.contains(forbidden), "{forbidden}");
        }
    }
}
