//! The example workspace that ships inside the program: this repository's own board, and a
//! held-out set to score it on.
//!
//! Models, organizations, answers, votes and prices are made up. Each row mixes the answers of five
//! styles that were written for this project, so every bundle replays like a recorded one.

use std::collections::BTreeMap;
use std::path::Path;

use include_dir::{Dir, include_dir};
use serde::Serialize;
use serde_json::{Value, json};

use crate::domain::Failure;
use crate::fs::hook::{self, Call};
use crate::fs::{self, StoreError};
use crate::table::significance::SplitMix64;

static ANSWERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/examples/answers");
static CONFIG: &str = include_str!("../../seeds.json");

/// Whether this is the prompts.json of the example's held-out set, which is not secret: the program
/// and its repository have it.
pub(super) fn is_example_set(prompts: &[u8]) -> bool {
    let file = |style: &str| ANSWERS.get_file(format!("held-out/{style}/prompts.json"));
    STYLES.iter().filter_map(|style| file(style)).any(|file| file.contents() == prompts)
}

/// More rows than this show nothing new and fill the disk: each takes 250 kB.
pub const MAX_ROWS: usize = 10_000;

/// The styles of answers. The last one has no held-out answers.
const STYLES: [&str; 5] = ["careful", "steady", "careless", "memoriser", "newcomer"];

/// What a row takes from each style, in percent.
struct Recipe {
    public: [usize; 5],
    held_out: [usize; 5],
    /// The style whose repair attempts it has.
    lift: Option<&'static str>,
}

const fn recipe(public: [usize; 5], held_out: [usize; 5]) -> Recipe {
    Recipe { public, held_out, lift: None }
}

/// Those of the seeds in the config, in its order: the leader, an overfit row, one that is judged
/// by itself, one that is pending, one that is self-recorded, one without a price, and others.
const RECIPES: [Recipe; 10] = [
    Recipe { lift: Some("careful"), ..recipe([88, 12, 0, 0, 0], [95, 5, 0, 0, 0]) },
    recipe([4, 0, 0, 96, 0], [0, 0, 15, 85, 0]),
    recipe([15, 75, 0, 0, 10], [0, 85, 15, 0, 0]),
    recipe([45, 0, 0, 0, 55], [0; 5]),
    Recipe { lift: Some("careless"), ..recipe([0, 15, 70, 0, 15], [0, 20, 80, 0, 0]) },
    recipe([30, 50, 0, 0, 20], [55, 45, 0, 0, 0]),
    recipe([70, 30, 0, 0, 0], [75, 25, 0, 0, 0]),
    recipe([40, 60, 0, 0, 0], [45, 55, 0, 0, 0]),
    recipe([20, 70, 10, 0, 0], [20, 80, 0, 0, 0]),
    recipe([0, 60, 30, 0, 10], [0, 55, 45, 0, 0]),
];
/// Where the pending row is; it is the only row of a board of one.
const PENDING: usize = 3;
/// A file in a demo that was begun and not finished.
const UNFINISHED: &str = ".gmat-leaderboard-unfinished";
/// What git ignores in a board's repository: pages, cache, and what a killed run leaves.
pub(super) const IGNORED: [&str; 3] = ["/site/", "/leaderboard/.cache/", ".gmat-leaderboard-*"];
/// The row that is no longer on the board: `provider` and `model`.
pub(super) const WITHDRAWN: (&str, &str) = ("demo", "tinfoil/quarry-1");

/// Unpacks the workspace with `rows` rows, all of the config's if `None`, into `dir`, which must be
/// absent or empty: `board/` is what a repository would hold, `held-out/` what stays private.
pub fn unpack_demo(dir: &Path, rows: Option<usize>) -> Result<(), Failure> {
    if is_unfinished_demo(dir) {
        discard_demo(dir)?;
    }
    let taken = std::fs::read_dir(dir).is_ok_and(|mut entries| entries.next().is_some());
    if taken || dir.is_file() {
        return Err(Failure::unusable("the directory for the demo is not empty")
            .at(dir.display().to_string())
            .help(format!(
                "to look at the demo that is there, run `gmat-leaderboard serve --root {}/board`; for a new one, remove the directory or name another: `gmat-leaderboard demo DIR`",
                dir.display()
            )));
    }
    // A board of one pending row has no held-out bundle, but a directory for them.
    let private = dir.join("held-out");
    let is_new = !dir.exists();
    put(&dir.join(UNFINISHED), b"").inspect_err(|_| {
        if is_new {
            let _ = std::fs::remove_dir(dir);
        }
    })?;
    fs::make_directory(&private)?;
    // The directory may be in a repository.
    put(&dir.join(".gitignore"), b"/held-out/\n")?;
    let mut config: Value = config();
    let own = config["seeds"].as_array().cloned().unwrap_or_default();
    let mut seeds: Vec<Value> = Vec::new();
    let (public, held_out) = (read_styles("public"), read_styles("held-out"));
    for number in 0..rows.unwrap_or(own.len()) {
        let at = if rows == Some(1) { PENDING } else { number };
        let mut random = SplitMix64::new(at as u64);
        let (seed, recipe) = if let (Some(seed), Some(recipe)) = (own.get(at), RECIPES.get(at)) {
            (seed.clone(), recipe)
        } else {
            let (seed, price) = invented(number, &mut random);
            let id = format!("demo:{}", seed["model"].as_str().unwrap_or_default());
            if let Some(price) = price {
                config["prices"][id] = price;
            }
            (seed, &invented_recipe(number, &mut random))
        };
        let model = seed["model"].as_str().unwrap_or_default();
        let path = |key: &str| seed[key].as_str().unwrap_or_default();
        let board = dir.join("board");
        Bundle::mix(&public, &recipe.public, model, &mut random)
            .put(&board.join(path("public_bundle")))?;
        if !path("held_out_bundle").is_empty() {
            Bundle::mix(&held_out, &recipe.held_out, model, &mut random)
                .put(&private.join(path("held_out_bundle")))?;
        }
        if let Some(style) = recipe.lift {
            for (name, bytes) in bundle(&format!("{style}-lift")) {
                put(&board.join(path("lift_bundle")).join(name), bytes)?;
            }
        }
        seeds.push(seed);
    }
    let path = dir.join("board/seeds.json");
    if rows.is_none() {
        put(&path, CONFIG.as_bytes())?;
    } else {
        keep_prices(&mut config, &seeds);
        config["seeds"] = seeds.into();
        put(&path, &pretty(&config))?;
    }
    let ignored = [IGNORED.join("\n"), String::new()].join("\n");
    put(&dir.join("board/.gitignore"), ignored.as_bytes())
}

/// Whether a demo was begun in `dir` and not finished.
pub fn is_unfinished_demo(dir: &Path) -> bool {
    dir.join(UNFINISHED).is_file()
}

/// Marks a demo that was unpacked as complete.
pub fn finish_demo(dir: &Path) -> Result<(), Failure> {
    Ok(fs::remove(&dir.join(UNFINISHED))?)
}

/// Removes what an unfinished demo put into `dir`, which was absent or empty before.
pub fn discard_demo(dir: &Path) -> Result<(), Failure> {
    for name in ["board", "held-out"] {
        let path = dir.join(name);
        if path.is_dir() {
            let failed = |source| StoreError::Io { verb: "remove", path: path.clone(), source };
            std::fs::remove_dir_all(&path).map_err(failed)?;
        }
    }
    // The mark goes last.
    for name in [".gitignore", UNFINISHED] {
        fs::remove(&dir.join(name))?;
    }
    // One that is not empty, or is the working directory, stays.
    let _ = std::fs::remove_dir(dir);
    Ok(())
}

/// Drops the prices of rows that are not on the board.
fn keep_prices(config: &mut Value, seeds: &[Value]) {
    let is_priced =
        |id: &str| seeds.iter().any(|seed| id.strip_prefix("demo:") == seed["model"].as_str());
    if let Some(prices) = config["prices"].as_object_mut() {
        prices.retain(|id, _| is_priced(id));
    }
}

/// A seed beyond those of the config, and its price if it has one. Every state that a page shows
/// comes back at its own interval.
fn invented(number: usize, random: &mut SplitMix64) -> (Value, Option<Value>) {
    const MAKERS: [(&str, &str); 6] = [
        ("cardboard", "Cardboard Labs"),
        ("paper-rocket", "Paper Rocket"),
        ("nowhere", "Nowhere Institute"),
        ("imaginary", "Imaginary AI"),
        ("tinfoil", "Tinfoil Compute"),
        ("make-believe", "Make-Believe Club"),
    ];
    const BIRDS: [&str; 8] =
        ["Kite", "Plover", "Heron", "Sandpiper", "Wren", "Albatross", "Tern", "Oystercatcher"];
    let (maker, organization) = MAKERS[random.below(MAKERS.len())];
    let bird = BIRDS[random.below(BIRDS.len())];
    let size = [3, 8, 14, 32, 70][random.below(5)];
    let slug = format!("{}-{number}", bird.to_lowercase());
    let name = match number % 13 {
        5 => format!("{} {number}", &bird[..1]),
        2 => {
            let long = format!(
                "{bird} {number} {size}B Mixture Instruct with Long Context, Tools and Vision"
            );
            long.chars().take(60).collect::<String>().trim().to_owned()
        }
        _ => format!("{bird} {number}"),
    };
    // Four characters at least.
    let name = format!("{name:0<4}");
    let kind = if number % 11 == 5 { "entry" } else { "illustrative" };
    let mut seed = json!({
        "provider": "demo", "model": format!("{maker}/{slug}"), "kind": kind,
        "submitted_by": "gmat-leaderboard", "public_bundle": format!("leaderboard/bundles/{slug}"),
    });
    if number % 7 != 6 {
        seed["held_out_bundle"] = slug.into();
    }
    if number % 9 != 4 {
        seed["about"] = json!({"name": name, "organization": organization});
        match number % 4 {
            0 | 1 => {
                seed["about"]["weights"] = "open".into();
                seed["about"]["parameters"] = format!("{size}B").into();
            }
            2 => seed["about"]["weights"] = "closed".into(),
            _ => {}
        }
        if number % 3 != 2 {
            seed["about"]["released"] =
                format!("{}-{:02}", 2024 + number % 3, 1 + number % 12).into();
        }
    }
    let price = (number % 5 != 3).then(|| {
        let input = f64::from(u32::try_from(size).unwrap_or_default()) / 40.0;
        json!({"input": input, "output": input * 3.0, "date": "2026-11-01", "source": "made up for this example"})
    });
    (seed, price)
}

fn invented_recipe(number: usize, random: &mut SplitMix64) -> Recipe {
    if number % 10 == 6 {
        return recipe([10, 0, 0, 90, 0], [0, 0, 30, 70, 0]);
    }
    // Each row leans on one style, so that the rows differ.
    let (style, lean) = (random.below(3), random.below(101));
    let mut shares = [(100 - lean) / 3; 5];
    (shares[3], shares[4]) = (0, 0);
    shares[style] += 100 - shares.iter().sum::<usize>();
    recipe(shares, shares)
}

/// The example's config.
pub(super) fn config() -> Value {
    embedded(CONFIG.as_bytes())
}

/// The files of one style's public answers, or of its repair attempts.
pub(super) fn bundle(name: &str) -> Vec<(&'static str, &'static [u8])> {
    let files = ANSWERS.get_dir(format!("public/{name}")).into_iter().flat_map(Dir::files);
    let named = files.map(|file| (file.path().file_name(), file.contents()));
    named.filter_map(|(name, bytes)| Some((name?.to_str()?, bytes))).collect()
}

/// The directory was empty and can be unpacked again, so files are not synced one by one.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if let Some(parent) = path.parent() {
        fs::make_directory(parent)?;
    }
    let written = hook::step(Call::Write, path).and_then(|()| std::fs::write(path, bytes));
    Ok(written.map_err(|source| StoreError::Io { verb: "write", path: path.to_owned(), source })?)
}

/// Puts the request of the first held-out prompt into the config of an unpacked workspace: the
/// kind of slip the firewall is there for.
pub fn plant_leak(dir: &Path) -> Result<(), Failure> {
    let path = dir.join("board/seeds.json");
    let bytes = std::fs::read(&path).map_err(|source| StoreError::Io {
        verb: "read",
        path: path.clone(),
        source,
    })?;
    let mut config: Value = embedded(&bytes);
    let prompts: Value = file("held-out/careful/prompts.json");
    let gold = prompts[0]["request"].as_str().unwrap_or_default();
    config["public_set"]["note"] = format!("as we all know: {gold}").into();
    put(&path, &pretty(&config))
}

/// The files of a bundle; completions by the digest of the request while they are mixed.
#[derive(Default)]
struct Bundle {
    prompts: &'static [u8],
    completions: BTreeMap<String, Value>,
    votes: BTreeMap<String, Value>,
}

/// The answers of all styles to one set.
fn read_styles(set: &str) -> Vec<Bundle> {
    let styles = STYLES.iter().filter(|style| ANSWERS.get_dir(format!("{set}/{style}")).is_some());
    styles
        .map(|style| {
            let path = |name: &str| format!("{set}/{style}/{name}.json");
            let completions: BTreeMap<String, Value> = file(&path("completions"));
            let digest = |key: &str| key.rsplit(':').next().unwrap_or_default().to_owned();
            Bundle {
                prompts: contents(&path("prompts")),
                completions: completions
                    .into_iter()
                    .map(|(key, text)| (digest(&key), text))
                    .collect(),
                votes: file(&path("judge")),
            }
        })
        .collect()
}

impl Bundle {
    /// Takes the answer to every prompt, with its votes, from a style drawn by the `shares`.
    fn mix(styles: &[Self], shares: &[usize], model: &str, random: &mut SplitMix64) -> Self {
        let prompts: Vec<Value> = embedded(styles[0].prompts);
        let mut mixed = Self { prompts: styles[0].prompts, ..Self::default() };
        for prompt in &prompts {
            let digest =
                crate::replay::request_digest(prompt["request"].as_str().unwrap_or_default());
            let digest = String::from_utf8_lossy(&digest);
            let mut left = random.below(100);
            let style = styles.iter().zip(shares).find_map(|(style, share)| {
                let is_it = left < *share;
                left = left.saturating_sub(*share);
                is_it.then_some(style)
            });
            let style = style.unwrap_or(&styles[0]);
            let id = prompt["id"].as_str().unwrap_or_default();
            let text = style.completions.get(&*digest).cloned();
            mixed.completions.extend(text.map(|text| (format!("demo:{model}:{digest}"), text)));
            mixed.votes.extend(style.votes.get(id).map(|votes| (id.to_owned(), votes.clone())));
        }
        mixed
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

fn contents(path: &str) -> &'static [u8] {
    ANSWERS.get_file(path).map(include_dir::File::contents).unwrap_or_default()
}

fn file<T: serde::de::DeserializeOwned>(path: &str) -> T {
    embedded(contents(path))
}

fn embedded<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> T {
    serde_json::from_slice(bytes).expect("the embedded example is JSON; a test unpacks it")
}
