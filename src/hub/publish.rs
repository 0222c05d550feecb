//! A site out: what differs from the Space, and one commit that mends it.
//!
//! The files come as bytes that were checked by the caller; nothing here reads a file. There is
//! one commit or none, always on top of the head it was planned against. What a newcomer gets
//! wrong: a commit whose answer is lost may have landed. It is never sent again before the head
//! has been read again.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::json;

use super::client::{Call, Client, Event, Method};
use super::digest::sha256;
use super::encode::base64;
use super::repo::{Info, Kind, RemoteFile, RepoId, hex_digits};
use super::url::Url;
use super::{HubError, name};
use crate::json::Node;

/// The files of a site by path.
pub type SiteFiles = BTreeMap<String, Vec<u8>>;

/// What to publish, and how.
#[derive(Debug)]
pub struct Publish<'p> {
    /// The Space.
    pub space: &'p RepoId,
    /// Everything it shall hold.
    pub files: &'p SiteFiles,
    /// The commit's first line.
    pub summary: &'p str,
    /// Make the Space if it is not there.
    pub create: Option<Visibility>,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// Who sees a Space that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Everybody.
    Public,
    /// Its members.
    Private,
}

/// What was published, or would be.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Published {
    /// The head of the Space.
    pub revision: String,
    /// Whether a commit was made.
    pub committed: bool,
    /// Paths that were added or replaced.
    pub changed: Vec<String>,
    /// Paths that were deleted.
    pub deleted: Vec<String>,
    /// Paths that the Space has already.
    pub unchanged: usize,
}

/// What differs between the files and a Space.
#[derive(Debug, PartialEq, Eq)]
struct Changes<'f> {
    add: BTreeMap<&'f str, &'f [u8]>,
    delete: Vec<String>,
    unchanged: usize,
}

/// A site is text; this is far more than one of any size needs, and below what the hub takes.
const SITE_LIMIT: usize = 20 << 20;
/// The hub takes so many files in one question.
const PREUPLOAD: usize = 256;
/// How often the whole is planned again because the head moved, and a commit sent again.
const TRIES: u32 = 3;
/// What the hub keeps for itself: never deleted.
const KEPT: &str = ".gitattributes";
pub(super) const LFS_TYPE: &str = "application/vnd.git-lfs+json";
const JSON_TYPE: &str = "application/json";

impl<'f> Changes<'f> {
    fn between(files: &'f SiteFiles, remote: &[RemoteFile], ignored: &BTreeSet<String>) -> Self {
        let there: BTreeMap<&str, &RemoteFile> =
            remote.iter().map(|file| (file.path.as_str(), file)).collect();
        let is_same =
            |path: &str, bytes: &[u8]| there.get(path).is_some_and(|it| it.hash.is_of(bytes));
        let add: BTreeMap<&str, &[u8]> = files
            .iter()
            .filter(|(path, bytes)| !is_same(path, bytes) && !ignored.contains(*path))
            .map(|(path, bytes)| (path.as_str(), bytes.as_slice()))
            .collect();
        let stale = |path: &&str| !files.contains_key(*path) && *path != KEPT;
        let delete = there.keys().copied().filter(stale).map(str::to_owned).collect();
        let unchanged = files.len() - add.len();
        Self { add, delete, unchanged }
    }

    fn is_empty(&self) -> bool {
        self.add.is_empty() && self.delete.is_empty()
    }

    fn published(&self, revision: String, committed: bool) -> Published {
        Published {
            revision,
            committed,
            changed: self.add.keys().map(|path| (*path).to_owned()).collect(),
            deleted: self.delete.clone(),
            unchanged: self.unchanged,
        }
    }

    /// The commit as the hub reads it: one JSON object a line, deletions first.
    fn commit(&self, summary: &str, parent: &str, large: &BTreeSet<&str>) -> Vec<u8> {
        let header = json!({ "summary": summary, "description": "", "parentCommit": parent });
        let mut lines = vec![json!({ "key": "header", "value": header })];
        lines.extend(
            self.delete
                .iter()
                .map(|path| json!({ "key": "deletedFile", "value": { "path": path } })),
        );
        lines.extend(self.add.iter().map(|(path, bytes)| {
            if large.contains(path) {
                let (oid, size) = (sha256(bytes), bytes.len());
                json!({ "key": "lfsFile",
                    "value": { "path": path, "algo": "sha256", "oid": oid, "size": size } })
            } else {
                json!({ "key": "file",
                    "value": { "path": path, "content": base64(bytes), "encoding": "base64" } })
            }
        }));
        lines.iter().flat_map(|line| format!("{line}\n").into_bytes()).collect()
    }
}

/// How an attempt on one head ended.
enum Attempt {
    Done(Published),
    /// The head moved; plan again.
    Moved,
}

impl Publish<'_> {
    /// Brings the Space to the state of the files, by one commit or none.
    pub fn run(&self, client: &Client<'_>) -> Result<Published, HubError> {
        check(self.files)?;
        if let (Some(visibility), false) = (self.create, self.dry_run) {
            create(client, self.space, visibility)?;
        }
        let mut ignored = BTreeSet::new();
        for _ in 0..TRIES {
            let info = self.head(client)?;
            let remote = client.files(Kind::Space, self.space, &info.sha)?;
            let changes = Changes::between(self.files, &remote, &ignored);
            if changes.is_empty() || self.dry_run {
                return Ok(changes.published(info.sha, false));
            }
            match self.attempt(client, &info.sha, changes, &mut ignored)? {
                Attempt::Done(published) => return Ok(published),
                Attempt::Moved => {}
            }
        }
        Err(HubError::Busy)
    }

    fn head(&self, client: &Client<'_>) -> Result<Info, HubError> {
        let info = client.info(Kind::Space, self.space, "main")?;
        if info.sdk != "static" {
            return Err(HubError::Unusable {
                what: format!("the Space `{}` is `{}`, not `static`", self.space, info.sdk),
                help: "name a static Space, or make one: `publish --create --space owner/name`",
            });
        }
        Ok(info)
    }

    fn attempt(
        &self,
        client: &Client<'_>,
        head: &str,
        mut changes: Changes<'_>,
        ignored: &mut BTreeSet<String>,
    ) -> Result<Attempt, HubError> {
        if let Some(card) = changes.add.get("README.md") {
            validate_card(client, card)?;
        }
        let asked = self.preupload(client, &changes)?;
        if asked.head.is_some_and(|now| now != head) {
            return Ok(Attempt::Moved);
        }
        ignored.extend(asked.ignored);
        changes.add.retain(|path, _| !ignored.contains(*path));
        if changes.is_empty() {
            return Ok(Attempt::Done(changes.published(head.to_owned(), false)));
        }
        let large: BTreeSet<&str> =
            changes.add.keys().copied().filter(|path| asked.large.contains(*path)).collect();
        self.upload(client, large.iter().map(|path| changes.add[path]))?;
        let commit = changes.commit(self.summary, head, &large);
        self.commit(client, head, &commit, &changes, ignored)
    }

    /// Sends the commit. What became of an uncertain one is read from the Space.
    fn commit(
        &self,
        client: &Client<'_>,
        head: &str,
        commit: &[u8],
        changes: &Changes<'_>,
        ignored: &BTreeSet<String>,
    ) -> Result<Attempt, HubError> {
        let target = format!("/api/spaces/{}/commit/main", self.space);
        let mut last = None;
        for tries in 0..TRIES {
            let sent = client.post(&target, "application/x-ndjson", commit);
            let error = match sent
                .and_then(|answer| answer.json(|root| hex_digits(root.required("commitOid")?, 40)))
            {
                Ok(revision) => return Ok(Attempt::Done(changes.published(revision, true))),
                Err(error) => error,
            };
            if error.status() == Some(412) {
                return Ok(Attempt::Moved);
            }
            if !client.rest(tries, &error) {
                return Err(error);
            }
            let now = self.head(client)?.sha;
            if now != head {
                let remote = client.files(Kind::Space, self.space, &now)?;
                if Changes::between(self.files, &remote, ignored).is_empty() {
                    return Ok(Attempt::Done(changes.published(now, true)));
                }
                return Ok(Attempt::Moved);
            }
            last = Some(error);
        }
        Err(last.unwrap_or(HubError::Busy))
    }

    fn preupload(&self, client: &Client<'_>, changes: &Changes<'_>) -> Result<Asked, HubError> {
        let target = format!("/api/spaces/{}/preupload/main", self.space);
        let mut all = Asked::default();
        let paths: Vec<&str> = changes.add.keys().copied().collect();
        for paths in paths.chunks(PREUPLOAD) {
            let files: Vec<_> = paths
                .iter()
                .map(|path| {
                    let bytes = changes.add[path];
                    let sample = base64(&bytes[..bytes.len().min(512)]);
                    json!({ "path": path, "sample": sample, "size": bytes.len() })
                })
                .collect();
            let body = json!({ "files": files }).to_string();
            client
                .patiently(|| {
                    let answer = client.post(&target, JSON_TYPE, body.as_bytes())?;
                    answer.json(Asked::read)
                })
                .and_then(|asked| all.add(asked, paths, &changes.add))?;
        }
        Ok(all)
    }

    /// Brings bytes into large-file storage, where the hub wants them there.
    fn upload<'b>(
        &self,
        client: &Client<'_>,
        files: impl Iterator<Item = &'b [u8]>,
    ) -> Result<(), HubError> {
        let objects: BTreeMap<String, &[u8]> = files.map(|bytes| (sha256(bytes), bytes)).collect();
        if objects.is_empty() {
            return Ok(());
        }
        client.tell(Event::Files(objects.len()));
        let target = format!("/spaces/{}.git/info/lfs/objects/batch", self.space);
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
            let batch = client.post(&target, LFS_TYPE, body.as_bytes())?.json(|root| {
                root.required("objects")?
                    .array()?
                    .iter()
                    .map(Upload::read)
                    .collect::<Result<Vec<_>, _>>()
            })?;
            for upload in batch {
                let Some(bytes) = objects.get(&upload.oid) else { continue };
                upload.run(client, bytes)?;
            }
            Ok(())
        })
    }
}

/// What the hub says about files before they come.
#[derive(Default)]
struct Asked {
    head: Option<String>,
    large: BTreeSet<String>,
    ignored: BTreeSet<String>,
    known: BTreeSet<String>,
}

impl Asked {
    fn read(root: &Node<'_>) -> Result<Self, crate::json::Mismatch> {
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
            let what = format!("the hub does not say how to take `{missing}`");
            return Err(HubError::Unusable { what, help: "run it again; report it if it stays" });
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
struct Upload {
    oid: String,
    upload: Option<String>,
    is_in_parts: bool,
    verify: Option<String>,
    error: Option<String>,
}

impl Upload {
    fn read(node: &Node<'_>) -> Result<Self, crate::json::Mismatch> {
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
                let why = "the check of an upload is elsewhere";
                return Err(HubError::Redirect { from: url.to_string(), why });
            }
            let body = json!({ "oid": self.oid, "size": bytes.len() }).to_string();
            let (headers, body) = (&[("content-type", JSON_TYPE)], body.as_bytes());
            client.put(&Call { method: Method::Post, url, headers, body, limit: 1 << 20 })?;
        }
        client.tell(Event::FileDone);
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

fn validate_card(client: &Client<'_>, card: &[u8]) -> Result<(), HubError> {
    let Ok(content) = std::str::from_utf8(card) else {
        let what = "`README.md` of the site is not UTF-8".to_owned();
        return Err(HubError::Unusable { what, help: "it is the Space's card; write it as text" });
    };
    let body = json!({ "content": content, "repoType": "space" }).to_string();
    client.patiently(|| client.post("/api/validate-yaml", JSON_TYPE, body.as_bytes())).map(|_| ())
}

fn create(client: &Client<'_>, space: &RepoId, visibility: Visibility) -> Result<(), HubError> {
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
    match client.patiently(|| client.post("/api/repos/create", JSON_TYPE, body.as_bytes())) {
        // It is there already, or an answer was lost and it is there now.
        Err(error) if error.status() == Some(409) => Ok(()),
        other => other.map(|_| ()),
    }
}

/// What a site may be made of.
fn check(files: &SiteFiles) -> Result<(), HubError> {
    let problems = name::problems(files.keys().map(String::as_str));
    if !problems.is_empty() {
        return Err(HubError::Names(problems));
    }
    let unusable = |what: String, help| Err(HubError::Unusable { what, help });
    if !files.contains_key("index.html") || !files.contains_key("README.md") {
        return unusable(
            "the site lacks `index.html` or `README.md`, the page and the card of a Space".into(),
            "write it with `gmat-leaderboard render` and name its directory",
        );
    }
    let total: usize = files.values().map(Vec::len).sum();
    if total > SITE_LIMIT {
        let what = format!("the site has {total} bytes, above the limit of {SITE_LIMIT}");
        return unusable(what, "leave large files out; link to them instead");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::digest::{Hash, blob_id};

    fn site(files: &[(&str, &str)]) -> SiteFiles {
        files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect()
    }

    fn remote(path: &str, text: &str) -> RemoteFile {
        let hash = Hash::Blob(blob_id(text.as_bytes()));
        RemoteFile { path: path.to_owned(), size: text.len() as u64, hash }
    }

    #[test]
    fn only_differences_are_sent_and_the_hub_s_own_file_stays() {
        let files = site(&[("a", "1"), ("b", "2"), ("c", "3")]);
        let remote =
            [remote(".gitattributes", "x"), remote("a", "1"), remote("b", "old"), remote("z", "")];
        let changes = Changes::between(&files, &remote, &BTreeSet::new());
        assert_eq!(changes.add.keys().copied().collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(changes.delete, ["z"]);
        assert_eq!(changes.unchanged, 1);
        let ignored = BTreeSet::from(["b".to_owned(), "c".to_owned()]);
        assert!(Changes::between(&files, &remote[..3], &ignored).is_empty());
    }

    #[test]
    fn the_commit_is_one_line_an_operation_with_its_parent() {
        let files = site(&[("index.html", "<p>"), ("logo.png", "x")]);
        let changes = Changes::between(&files, &[remote("old", "")], &BTreeSet::new());
        let commit = changes.commit("Publish board", "abc", &BTreeSet::from(["logo.png"]));
        let text = String::from_utf8(commit).expect("text");
        let keys: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert!(text.ends_with('\n'));
        assert_eq!(keys[0]["value"]["parentCommit"], "abc");
        assert_eq!(keys[1], json!({"key": "deletedFile", "value": {"path": "old"}}));
        assert_eq!(keys[2]["value"]["content"], "PHA+");
        assert_eq!(keys[3]["value"]["oid"], sha256(b"x"));
    }

    #[test]
    fn a_site_without_its_page_or_with_odd_names_is_refused() {
        let good = [("index.html", ""), ("README.md", "")];
        assert!(check(&site(&good)).is_ok());
        assert!(check(&site(&good[..1])).is_err());
        assert!(matches!(
            check(&site(&[good[0], good[1], ("a/../b", "")])),
            Err(HubError::Names(_))
        ));
    }
}
