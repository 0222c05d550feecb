//! Templates and static files: built in, and replaced file by file by what the user brings.
//!
//! An override that replaces nothing is a slip of the pen and an error, because a page that
//! silently ignores it would look right.

use std::borrow::Cow;
use std::collections::BTreeMap;

use include_dir::{Dir, include_dir};
use serde::Serialize;

use super::SiteError;
use crate::domain::sha256;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
static STATIC: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/static");

/// Static files below this folder are the user's own and are copied as they are.
const EXTRA: &str = "extra/";

/// The core compiled to WebAssembly, as text; `scripts/wasm` makes it.
const MODULE: &str = "module.js";
/// What runs it.
const CALLER: &str = "derive.js";

/// The core compiled for browsers, as it is published.
#[derive(Debug, Serialize)]
pub(super) struct Module {
    /// Its path.
    pub(super) file: String,
    /// What a reader loads, in words.
    pub(super) size: String,
    /// SHA-256 of the file, as in SHA256SUMS.
    pub(super) sha256: String,
}

/// Whether `bytes` are a built-in file as it is. It is known, so it is not searched.
pub(crate) fn is_built_in(bytes: &[u8]) -> bool {
    names(&STATIC).iter().filter_map(|name| STATIC.get_file(name)).any(|it| it.contents() == bytes)
}

/// Files by path below the folder they were read from.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// What a user brings in place of built-in files.
#[derive(Debug, Clone, Default)]
pub(crate) struct Overrides {
    /// Templates.
    pub templates: Files,
    /// Stylesheet, scripts, icon, and anything below `extra/`.
    pub statics: Files,
}

/// Every built-in text.
pub(crate) fn built_in() -> impl Iterator<Item = &'static str> {
    let files = [&TEMPLATES, &STATIC].into_iter().flat_map(|dir| {
        names(dir)
            .into_iter()
            .filter(|name| name != MODULE)
            .filter_map(|name| dir.get_file(name).map(include_dir::File::contents))
    });
    files.filter_map(|bytes| std::str::from_utf8(bytes).ok())
}

/// The JSON Schema `name`, such as `leaderboard`, as every site has it.
pub(crate) fn schema(name: &str) -> &'static str {
    let file = STATIC.get_file(format!("schema/{name}.schema.json"));
    file.and_then(include_dir::File::contents_utf8).unwrap_or_default()
}

/// Built-in files with the overrides laid over them.
#[derive(Debug)]
pub(super) struct Assets<'a> {
    overrides: &'a Overrides,
    /// Static file to the name it is published under.
    published: BTreeMap<String, String>,
}

impl<'a> Assets<'a> {
    pub(super) fn load(overrides: &'a Overrides) -> Result<Self, SiteError> {
        let check = |files: &Files, dir: &Dir<'_>, kind: &'static str, free: &str| {
            let stray =
                files.keys().find(|name| dir.get_file(name).is_none() && !name.starts_with(free));
            stray.map_or(Ok(()), |name| {
                let known = names(dir);
                Err(SiteError::UnknownOverride { name: name.clone(), kind, known })
            })
        };
        check(&overrides.templates, &TEMPLATES, "template", "\0")?;
        check(&overrides.statics, &STATIC, "static file", EXTRA)?;
        let mut assets = Self { overrides, published: BTreeMap::new() };
        let extra = overrides.statics.keys().filter(|name| name.starts_with(EXTRA)).cloned();
        for name in names(&STATIC).into_iter().chain(extra) {
            let published = assets.published_as(&name);
            assets.published.insert(name, published);
        }
        Ok(assets)
    }

    /// The text of a template, and whether the user brought it.
    pub(super) fn template(&self, name: &str) -> Result<Option<(Cow<'_, str>, bool)>, SiteError> {
        let bytes = match self.overrides.templates.get(name) {
            Some(bytes) => Some((bytes.as_slice(), true)),
            None => TEMPLATES.get_file(name).map(|file| (file.contents(), false)),
        };
        let Some((bytes, overridden)) = bytes else { return Ok(None) };
        let text = std::str::from_utf8(bytes).map_err(|_| SiteError::NotText(name.to_owned()))?;
        Ok(Some((Cow::Borrowed(text), overridden)))
    }

    /// The names of all templates.
    pub(super) fn templates() -> Vec<String> {
        names(&TEMPLATES)
    }

    /// The published name of each static file.
    pub(super) fn published(&self) -> &BTreeMap<String, String> {
        &self.published
    }

    /// The static files as they are published; the module and its caller only where a page runs them.
    pub(super) fn files(&self, runs: bool) -> impl Iterator<Item = (String, Vec<u8>)> + '_ {
        let published = self.published.iter();
        published
            .filter(move |(name, _)| runs || ![MODULE, CALLER].contains(&name.as_str()))
            .map(|(name, published)| (published.clone(), self.bytes(name).to_vec()))
    }

    /// The core compiled for browsers.
    pub(super) fn module(&self) -> Module {
        let bytes = self.bytes(MODULE);
        // Base64 text of the compressed module, between two quotes.
        let packed = bytes.len() * 3 / 4;
        Module {
            file: self.published.get(MODULE).cloned().unwrap_or_default(),
            size: format!("{} kB", packed.div_ceil(1000)),
            sha256: sha256(bytes),
        }
    }

    fn bytes(&self, name: &str) -> &[u8] {
        match self.overrides.statics.get(name) {
            Some(bytes) => bytes,
            None => STATIC.get_file(name).map_or(&[], include_dir::File::contents),
        }
    }

    /// Stylesheet and scripts carry their hash in the name, so a cache never mixes two versions.
    fn published_as(&self, name: &str) -> String {
        match name.rsplit_once('.') {
            Some((stem, extension @ ("css" | "js"))) if !name.starts_with(EXTRA) => {
                format!("{stem}.{}.{extension}", &sha256(self.bytes(name))[..8])
            }
            _ => name.to_owned(),
        }
    }
}

fn names(dir: &Dir<'_>) -> Vec<String> {
    let mut names: Vec<String> = dir
        .files()
        .map(|file| file.path().to_string_lossy().replace('\\', "/"))
        .chain(dir.dirs().flat_map(names))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_template_switches_escaping_off() {
        for name in names(&TEMPLATES) {
            let text = TEMPLATES.get_file(&name).and_then(include_dir::File::contents_utf8);
            let text = text.unwrap_or_else(|| panic!("{name} is text"));
            for word in ["|safe", "| safe", "autoescape", "onclick", "style=", "javascript:"] {
                assert!(!text.contains(word), "{name} says {word}");
            }
        }
    }

    #[test]
    fn an_override_changes_the_published_name_of_its_stylesheet() {
        let statics = Files::from([("board.css".to_owned(), b"x".to_vec())]);
        let overrides = Overrides { statics, ..Overrides::default() };
        let (own, built_in) = (Assets::load(&overrides).expect("assets"), Overrides::default());
        let built_in = Assets::load(&built_in).expect("assets");
        assert_ne!(own.published()["board.css"], built_in.published()["board.css"]);
        assert_eq!(own.published()["pin.js"], built_in.published()["pin.js"]);
    }
}
