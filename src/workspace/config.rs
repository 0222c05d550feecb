//! Where the config is, and its bytes.

use std::path::{Path, PathBuf};

use crate::domain::config::Config;
use crate::domain::{Code, Failure};
use crate::fs::{OWN_FILE_LIMIT, Store, read_typed};

/// Where a config may lie below the root, this program's place first.
pub(super) const PLACES: [&str; 2] = ["seeds.json", "leaderboard/seeds.json"];

/// Size limit of one text of the protocol.
const PROTOCOL_LIMIT: u64 = 64 << 10;

/// Whether there is a config to read: one was typed, or one lies below the root.
pub(super) fn has_config(root: &Path, typed: Option<&Path>) -> bool {
    typed.is_some() || PLACES.iter().any(|place| root.join(place).exists())
}

/// The config's path: the one typed, else the one place below the root where it is.
pub fn find_config(root: &Path, typed: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(typed) = typed {
        return Ok(typed.to_owned());
    }
    let there: Vec<PathBuf> =
        PLACES.iter().map(|place| root.join(place)).filter(|path| path.exists()).collect();
    match there.as_slice() {
        [one] => Ok(one.clone()),
        [] => Err(Failure::unusable("there is no config")
            .at(root.display().to_string())
            .detail(format!("looked for `{}` and `{}`", PLACES[0], PLACES[1]))
            .help("pass `--config FILE`, or `--root DIR` if the board is elsewhere")),
        _ => Err(Failure::unusable("there are two configs")
            .at(root.display().to_string())
            .detail(format!("both `{}` and `{}` exist", PLACES[0], PLACES[1]))
            .help("keep one of them, or pass `--config FILE`")),
    }
}

/// A config from disk.
#[derive(Debug)]
pub struct ConfigFile {
    /// The config.
    pub config: Config,
    /// How its file is named to people.
    pub name: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
}

/// Reads the config.
pub fn read_config(root: &Path, typed: Option<&Path>) -> Result<ConfigFile, Failure> {
    let path = find_config(root, typed)?;
    let name = path.strip_prefix("./").unwrap_or(&path).display().to_string();
    let bytes = read_typed(&path, OWN_FILE_LIMIT)?;
    let mut config = Config::parse(&bytes, &name)?;
    if let Some(protocol) = &mut config.protocol {
        let store = Store::open(root)?;
        protocol.load(|file| {
            let bytes = store.read(file, PROTOCOL_LIMIT)?;
            String::from_utf8(bytes).map_err(|_| {
                Failure::unusable("a protocol text is not UTF-8")
                    .code(Code::JUtf8)
                    .at(file.as_str())
            })
        })?;
    }
    Ok(ConfigFile { config, name, bytes })
}

/// The config and its name; the defaults and no name where there is no config, since runs can be
/// recorded without a board.
pub fn read_config_or_default(
    root: &Path,
    typed: Option<&Path>,
) -> Result<(Config, Option<String>), Failure> {
    if has_config(root, typed) {
        let ConfigFile { config, name, .. } = read_config(root, typed)?;
        return Ok((config, Some(name)));
    }
    Ok((Config::parse(b"{}", PLACES[0])?, None))
}
