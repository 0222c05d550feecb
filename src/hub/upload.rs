//! What goes before a commit: making the Space, asking how files are wanted, large-file storage.
//!
//! A site is text and never needs the storage; a picture that a user adds does. Only whole uploads
//! are made; a hub that wants a file in parts gets none.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::json;

use super::HubError;
#[cfg(not(sealed))]
use super::answer::Answer;
use super::client::{Call, Client, HubEvent, Method};
use super::digest::sha256;
use super::publish::Visibility;
use super::repo::{RepoId, hex_digits};
use super::url::Url;
use crate::json::{Mismatch, Node};

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];
const LFS: &[(&str, &str)] =
    &[("content-type", "application/vnd.git-lfs+json"), ("accept", "application/vnd.git-lfs+json")];
/// The hub takes so many files in one question.
const PREUPLOAD: usize = 256;

/// Asks how the hub wants to have `files`.
pub(super) fn ask(
    client: &Client<'_>,
    space: &RepoId,
    files: &BTreeMap<&str, &[u8]>,
) -> Result<Asked, HubError> {
    let target = format!("/api/spaces/{space}/preupload/main");
    let mut all = Asked::default();
    let paths: Vec<&str> = files.keys().copied().collect();
    for paths in paths.chunks(PREUPLOAD) {
        let list: Vec<_> = paths
            .iter()
            .map(|path| {
                let bytes = files[path];
                let sample = BASE64_STANDARD.encode(&bytes[..bytes.len().min(512)]);
                json!({ "path": path, "sample": sample, "size": bytes.len() })
            })
            .collect();
        let body = json!({ "files": list }).to_string();
        client
            .patiently(|| {
                let answer = client.post(&target, JSON, body.as_bytes())?;
                answer.json(Asked::read)
            })
            .and_then(|asked| all.add(asked, paths, files))?;
    }
    Ok(all)
}

/// Brings bytes into large-file storage, where the hub wants them there.
pub(super) fn store<'b>(
    client: &Client<'_>,
    space: &RepoId,
    files: impl Iterator<Item = &'b [u8]>,
) -> Result<(), HubError> {
    let objects: BTreeMap<String, &[u8]> = files.map(|bytes| (sha256(bytes), bytes)).collect();
    if objects.is_empty() {
        return Ok(());
    }
    client.tell(HubEvent::Files(objects.len()));
    let target = format!("/spaces/{space}.git/info/lfs/objects/batch");
    let list: Vec<_> =
        objects.iter().map(|(oid, bytes)| json!({ "oid": oid, "size": bytes.len() })).collect();
    let body = json!({
        "operation": "upload",
        "transfers": ["basic"],
        "objects": list,
        "hash_algo": "sha256",
        "ref": { "name": "main" },
    })
    .to_string();
    // From the question on: a signed address that has run out is asked for again.
    client.patiently(|| {
        let batch = client.post(&target, LFS, body.as_bytes())?.json(batch)?;
        for object in batch {
            let Some(bytes) = objects.get(&object.oid) else { continue };
            object.run(client, bytes)?;
        }
        Ok(())
    })
}

fn batch(root: &Node<'_>) -> Result<Vec<Object>, Mismatch> {
    root.required("objects")?.array()?.iter().map(Object::read).collect()
}

#[cfg(not(sealed))]
pub(super) fn try_answer(answer: &Answer) {
    let _ = answer.json(Asked::read);
    let _ = answer.json(batch);
}

/// What the hub says about files before they come.
#[derive(Default)]
pub(super) struct Asked {
    /// The head it answers for, if it says so.
    pub(super) head: Option<String>,
    /// Paths that go to large-file storage first.
    pub(super) large: BTreeSet<String>,
    /// Paths that it will not take.
    pub(super) ignored: BTreeSet<String>,
    known: BTreeSet<String>,
}

impl Asked {
    fn read(root: &Node<'_>) -> Result<Self, Mismatch> {
        let mut asked = Self::default();
        let object = root.object()?;
        asked.head = object.get("commitOid").and_then(Node::as_str).map(str::to_owned);
        for file in root.required("files")?.array()? {
            let path = file.required("path")?.text()?.to_string();
            let mode = file.required("uploadMode")?;
            match &**mode.text()? {
                "regular" => {}
                "lfs" => {
                    asked.large.insert(path.clone());
                }
                _ => return Err(mode.mismatch("`regular` or `lfs`")),
            }
            if file.object()?.get("shouldIgnore").is_some_and(|it| it.boolean() == Ok(true)) {
                asked.ignored.insert(path.clone());
            }
            asked.known.insert(path);
        }
        Ok(asked)
    }

    fn add(
        &mut self,
        other: Self,
        paths: &[&str],
        files: &BTreeMap<&str, &[u8]>,
    ) -> Result<(), HubError> {
        if let Some(missing) = paths.iter().find(|path| !other.known.contains(**path)) {
            let what = format!("the hub did not say how to upload `{missing}`");
            return Err(HubError::Unusable { what, help: "try again; report it if it persists" });
        }
        self.head = other.head.or(self.head.take());
        // Large-file storage cannot hold an empty file.
        let is_full = |path: &String| files.get(path.as_str()).is_some_and(|it| !it.is_empty());
        self.large.extend(other.large.into_iter().filter(is_full));
        self.ignored.extend(other.ignored);
        Ok(())
    }
}

/// One object of a batch answer.
struct Object {
    oid: String,
    upload: Option<String>,
    is_in_parts: bool,
    verify: Option<String>,
    error: Option<String>,
}

impl Object {
    fn read(node: &Node<'_>) -> Result<Self, Mismatch> {
        let object = node.object()?;
        let action = |name| object.get("actions").and_then(|it| it.object().ok()?.get(name));
        let href = |name| action(name).and_then(|it| it.object().ok()?.get("href")?.as_str());
        let is_in_parts = action("upload")
            .and_then(|it| it.object().ok()?.get("header")?.object().ok()?.get("chunk_size"))
            .is_some();
        let error = object.get("error").and_then(|it| it.object().ok()?.get("message")?.as_str());
        Ok(Self {
            oid: hex_digits(node.required("oid")?, 64)?,
            upload: href("upload").map(str::to_owned),
            is_in_parts,
            verify: href("verify").map(str::to_owned),
            error: error.map(str::to_owned),
        })
    }

    fn run(&self, client: &Client<'_>, bytes: &[u8]) -> Result<(), HubError> {
        let unusable = |what: String| HubError::Unusable {
            what,
            help: "a site is text; leave the binary file out of it",
        };
        if self.error.is_some() || self.is_in_parts {
            let why = if self.is_in_parts { "in parts" } else { "not at all" };
            let size = bytes.len();
            return Err(unusable(format!("the hub takes a binary file of {size} bytes {why}")));
        }
        // Without an address the hub has the bytes already.
        let Some(href) = &self.upload else { return Ok(()) };
        let url = address(client, href)?;
        client.put(&Call {
            method: Method::Put,
            url,
            headers: &[],
            body: bytes,
            limit: 1 << 20,
        })?;
        if let Some(href) = &self.verify {
            let url = address(client, href)?;
            if url.origin != *client.endpoint().origin() {
                let why = "the upload would be checked on another host";
                return Err(HubError::Redirect { from: url.to_string(), why });
            }
            let body = json!({ "oid": self.oid, "size": bytes.len() }).to_string();
            let (headers, body) = (JSON, body.as_bytes());
            client.put(&Call { method: Method::Post, url, headers, body, limit: 1 << 20 })?;
        }
        client.tell(HubEvent::FileDone);
        Ok(())
    }
}

/// The address behind an `href`; a mirror hands out those of the hub it mirrors.
fn address(client: &Client<'_>, href: &str) -> Result<Url, HubError> {
    let own = client.endpoint().to_string();
    let href = match href.strip_prefix(super::Endpoint::DEFAULT) {
        Some(rest) if rest.starts_with('/') => format!("{own}{rest}"),
        _ => href.to_owned(),
    };
    Url::parse(&href).map_err(|why| HubError::Redirect { from: own, why })
}

/// Has the hub read the card before a commit depends on it.
pub(super) fn validate_card(client: &Client<'_>, card: &[u8]) -> Result<(), HubError> {
    let Ok(content) = std::str::from_utf8(card) else {
        let what = "`README.md` of the site is not UTF-8".to_owned();
        return Err(HubError::Unusable { what, help: "it is the Space's card; write it as text" });
    };
    let body = json!({ "content": content, "repoType": "space" }).to_string();
    client.patiently(|| client.post("/api/validate-yaml", JSON, body.as_bytes())).map(|_| ())
}

/// Makes the Space, static, unless it is there.
pub(super) fn create(
    client: &Client<'_>,
    space: &RepoId,
    visibility: Visibility,
) -> Result<(), HubError> {
    let mut body = json!({
        "name": space.name,
        "organization": space.owner,
        "type": "space",
        "sdk": "static",
    });
    if visibility == Visibility::Private {
        body["visibility"] = "private".into();
    }
    let body = body.to_string();
    match client.patiently(|| client.post("/api/repos/create", JSON, body.as_bytes())) {
        // It is there already, or an answer was lost and it is there now.
        Err(error) if error.status() == Some(409) => Ok(()),
        other => other.map(|_| ()),
    }
}
