//! The example workspace that ships inside the program: this repository's own board, and a
//! held-out set to score it on.
//!
//! Its texts were written for this project; nothing here was produced by a model under test.

use std::collections::BTreeMap;
use std::path::Path;

use include_dir::{Dir, DirEntry, include_dir};
use serde::Serialize;
use serde_json::{Value, json};

use crate::domain::Failure;
use crate::fs::StoreError;
use crate::table::significance::SplitMix64;

static BUNDLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/leaderboard/bundles");
static HELD_OUT: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/examples/held-out");
static CONFIG: &str = include_str!("../../seeds.json");

/// More synthetic rows than this say nothing new and fill the disk: each takes 200 kB.
pub const MAX_SYNTHETIC_ROWS: usize = 10_000;

/// Unpacks the workspace into `dir`, which must be absent or empty: `board/` is what a repository
/// would hold, `held-out/` what stays private.
pub fn unpack(dir: &Path) -> Result<(), Failure> {
    let taken = std::fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some());
    if taken || dir.is_file() {
        return Err(Failure::unusable("the directory for the demo is not empty")
            .at(dir.display().to_string())
            .help(format!(
                "to look at the demo that is there, run `gmat-leaderboard serve --root {}/board`; for a new one, remove the directory or name another: `gmat-leaderboard demo DIR`",
                dir.display()
            )));
    }
    let files = |embedded: &'static Dir<'_>, below: &str| copy(embedded, &dir.join(below));
    files(&BUNDLES, "board/leaderboard/bundles")?;
    files(&HELD_OUT, "held-out")?;
    put(&dir.join("board/seeds.json"), CONFIG.as_bytes())?;
    put(&dir.join("board/.gitignore"), b"/site/\n/leaderboard/.cache/\n")
}

/// The example's config.
pub(super) fn config() -> Value {
    embedded(CONFIG.as_bytes())
}

/// The files of one of the example's public bundles.
pub(super) fn bundle(name: &str) -> Vec<(&'static str, &'static [u8])> {
    let files = BUNDLES.get_dir(name).into_iter().flat_map(Dir::files);
    let named = files.map(|file| (file.path().file_name(), file.contents()));
    named.filter_map(|(name, bytes)| Some((name?.to_str()?, bytes))).collect()
}

fn copy(embedded: &Dir<'_>, to: &Path) -> Result<(), Failure> {
    for entry in embedded.entries() {
        match entry {
            DirEntry::Dir(dir) => copy(dir, &to.join(dir.path().file_name().unwrap_or_default()))?,
            DirEntry::File(file) => {
                put(&to.join(file.path().file_name().unwrap_or_default()), file.contents())?;
            }
        }
    }
    Ok(())
}

/// The directory was empty and can be unpacked again, so files are not synced one by one.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let failed = |verb, path: &Path, source| StoreError::Io { verb, path: path.to_owned(), source };
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|source| failed("create", parent, source))?;
    }
    Ok(std::fs::write(path, bytes).map_err(|source| failed("write", path, source))?)
}

/// Puts the request of the first held-out prompt into the config of an unpacked workspace: the
/// kind of slip the firewall is there for.
pub fn leak(dir: &Path) -> Result<(), Failure> {
    let mut config: Value = embedded(CONFIG.as_bytes());
    let prompts: Value = file(&HELD_OUT, "careful/prompts.json");
    let gold = prompts[0]["request"].as_str().unwrap_or_default();
    config["public_set"]["note"] = format!("as we all know: {gold}").into();
    put(&dir.join("board/seeds.json"), &pretty(&config))
}

/// Adds synthetic rows to an unpacked workspace until it has `rows`. Each is a mixture of the
/// recorded rows, prompt by prompt, so its bundles replay like any other.
pub fn synthesise(dir: &Path, rows: usize) -> Result<(), Failure> {
    let mut config: Value = embedded(CONFIG.as_bytes());
    let models = ["careful", "steady", "memoriser", "careless"];
    let public: Vec<Recorded> =
        models.iter().map(|model| Recorded::read(&BUNDLES, model)).collect();
    let held_out: Vec<Recorded> =
        models.iter().map(|model| Recorded::read(&HELD_OUT, model)).collect();
    let mut seeds = config["seeds"].as_array().cloned().unwrap_or_default();
    let mut random = SplitMix64::new(7);
    for number in seeds.len() + 1..=rows {
        let model = format!("synthetic-{number:04}");
        // Each row leans on one of the recorded ones, so that the rows differ.
        let (favourite, lean) = (random.below(4), random.below(101));
        let source = |random: &mut SplitMix64| {
            if random.below(100) < lean { favourite } else { random.below(4) }
        };
        let bundle = format!("leaderboard/bundles/{model}");
        Recorded::mix(&public, &model, || source(&mut random))
            .put(&dir.join("board").join(&bundle))?;
        let scored = number % 7 != 0;
        if scored {
            Recorded::mix(&held_out, &model, || source(&mut random))
                .put(&dir.join("held-out").join(&model))?;
        }
        seeds.push(json!({
            "provider": "demo", "model": model, "kind": "illustrative", "submitted_by": "gmat-leaderboard",
            "public_bundle": bundle, "held_out_bundle": model,
        }));
    }
    seeds.truncate(rows);
    config["seeds"] = seeds.into();
    put(&dir.join("board/seeds.json"), &pretty(&config))
}

/// The files of one recorded bundle.
struct Recorded {
    prompts: &'static [u8],
    completions: BTreeMap<String, Value>,
    votes: BTreeMap<String, Value>,
}

impl Recorded {
    fn read(bundles: &'static Dir<'_>, model: &str) -> Self {
        let path = format!("{model}/prompts.json");
        Self {
            prompts: bundles.get_file(path).map(include_dir::File::contents).unwrap_or_default(),
            completions: file(bundles, &format!("{model}/completions.json")),
            votes: file(bundles, &format!("{model}/judge.json")),
        }
    }

    /// For every prompt the completion and the votes of the recorded row that `source` names.
    fn mix(recorded: &[Self], model: &str, mut source: impl FnMut() -> usize) -> Self {
        let prompts: Vec<Value> = embedded(recorded[0].prompts);
        let (mut completions, mut votes) = (BTreeMap::new(), BTreeMap::new());
        for prompt in &prompts {
            let digest =
                crate::replay::request_digest(prompt["request"].as_str().unwrap_or_default());
            let digest = String::from_utf8_lossy(&digest);
            let from = &recorded[source()];
            let id = prompt["id"].as_str().unwrap_or_default();
            let found = from.completions.iter().find(|(key, _)| key.ends_with(&*digest));
            completions
                .extend(found.map(|(_, text)| (format!("demo:{model}:{digest}"), text.clone())));
            votes.extend(from.votes.get(id).map(|list| (id.to_owned(), list.clone())));
        }
        Self { prompts: recorded[0].prompts, completions, votes }
    }

    fn put(&self, dir: &Path) -> Result<(), Failure> {
        put(&dir.join("prompts.json"), self.prompts)?;
        put(&dir.join("completions.json"), &crate::json::pretty(&self.completions))?;
        put(&dir.join("judge.json"), &crate::json::pretty(&self.votes))
    }
}

fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}

fn file<T: serde::de::DeserializeOwned>(dir: &Dir<'_>, path: &str) -> T {
    embedded(dir.get_file(path).map(include_dir::File::contents).unwrap_or_default())
}

fn embedded<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> T {
    serde_json::from_slice(bytes).expect("the embedded example is JSON; a test unpacks it")
}
