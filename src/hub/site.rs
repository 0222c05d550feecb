//! A published site in: from a Space, or from any address whose SHA256SUMS lists its files.
//!
//! What arrives is written as it is. Whether it is what it should be is for `verify --published`.

use std::path::Path;

use super::client::{Client, HubEvent};
use super::digest::sha256;
use super::fetch::{FetchedFiles, in_parallel, within_limits};
use super::repo::{RepoId, RepoKind, encode_path};
use super::url::Url;
use super::{HubError, name};
use crate::fs::{BUNDLE_FILE_LIMIT, Mirror};

/// The list of a site's files.
const SUMS: &str = "SHA256SUMS";

/// Downloads the files of a Space into `to`, which must be empty or absent.
pub(crate) fn fetch_space(
    client: &Client<'_>,
    space: &RepoId,
    to: &Path,
    jobs: usize,
) -> Result<FetchedFiles, HubError> {
    let info = client.info(RepoKind::Space, space, "main")?;
    let files = client.files(RepoKind::Space, space, &info.sha)?;
    within_limits(&files)?;
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let mirror = place(to, &paths)?;
    client.tell(HubEvent::Files(files.len()));
    in_parallel(jobs, &files, |file| {
        let bytes = client.file(RepoKind::Space, space, &info.sha, file)?;
        mirror.put(&file.path, &bytes)?;
        client.tell(HubEvent::FileDone);
        Ok(())
    })?;
    let bytes = files.iter().map(|file| file.size).sum();
    Ok(moved(info.sha, bytes, paths))
}

/// Downloads the site at the address `base` into `to`, which must be empty or absent. A listed file
/// that is not there is left out.
pub(crate) fn fetch_site(
    client: &Client<'_>,
    base: &str,
    to: &Path,
    jobs: usize,
) -> Result<FetchedFiles, HubError> {
    let base = base.trim_end_matches('/');
    let get = |path: &str| {
        let url = Url::parse(&format!("{base}/{}", encode_path(path))).map_err(|why| {
            HubError::Unusable {
                what: format!("`{base}` is not a usable address: {why}"),
                help: HELP,
            }
        })?;
        client.patiently(|| {
            let answer = client.get(url.clone(), true, BUNDLE_FILE_LIMIT)?;
            if answer.body.len() as u64 > BUNDLE_FILE_LIMIT {
                let limit = format!("{BUNDLE_FILE_LIMIT} bytes");
                return Err(HubError::TooMuch { what: format!("`{path}`"), limit });
            }
            Ok(answer.body)
        })
    };
    let sums = get(SUMS)?;
    let text = String::from_utf8_lossy(&sums);
    let listed = text.lines().filter_map(|line| Some(line.split_once("  ")?.1.to_owned()));
    let mut paths: Vec<String> = listed.chain([SUMS.to_owned()]).collect();
    paths.sort();
    let mirror = place(to, &paths)?;
    client.tell(HubEvent::Files(paths.len()));
    let bytes = std::sync::atomic::AtomicU64::new(0);
    in_parallel(jobs, &paths, |path| {
        match get(path) {
            Err(error) if error.status() == Some(404) => {}
            body => {
                let body = body?;
                bytes.fetch_add(body.len() as u64, std::sync::atomic::Ordering::Relaxed);
                mirror.put(path, &body)?;
            }
        }
        client.tell(HubEvent::FileDone);
        Ok(())
    })?;
    Ok(moved(sha256(&sums), bytes.into_inner(), paths))
}

const HELP: &str = "pass a Space as owner/name, or the https address that the site is served at";

/// The directory, if it is empty and every name is fit for it.
fn place(to: &Path, paths: &[String]) -> Result<Mirror, HubError> {
    if std::fs::read_dir(to).is_ok_and(|mut dir| dir.next().is_some()) {
        return Err(HubError::Unusable {
            what: format!("`{}` is not empty", to.display()),
            help: "choose a new directory for --to",
        });
    }
    let problems = name::problems(paths.iter().map(String::as_str));
    if problems.is_empty() { Ok(Mirror::open(to)?) } else { Err(HubError::Names(problems)) }
}

fn moved(revision: String, bytes: u64, downloaded: Vec<String>) -> FetchedFiles {
    FetchedFiles { revision, files: downloaded.len(), bytes, downloaded, removed: Vec::new() }
}
