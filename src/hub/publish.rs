//! Uploads a site: compares it with the Space and sends the difference as one commit.
//!
//! The files come as bytes that were checked by the caller; nothing here reads a file. There is
//! one commit or none, always on top of the head it was planned against.
//! A commit whose answer is lost may have landed. It is never sent again before the head
//! has been read again.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use serde_json::json;

use super::client::Client;
use super::digest::sha256;
use super::fetch::in_parallel;
use super::repo::{Info, RemoteFile, RepoId, RepoKind, hex_digits};
use super::{BadName, HubError, name, upload};

/// The files of a site by path.
pub(crate) type SiteFiles = BTreeMap<String, Vec<u8>>;

/// What to publish, and how.
#[derive(Debug)]
pub(crate) struct Publish<'p> {
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
pub(crate) enum Visibility {
    /// Everybody.
    Public,
    /// Its members.
    Private,
}

/// What was published, or would be.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Published {
    /// The head of the Space; empty if a dry run found none.
    pub revision: String,
    /// Whether a commit was made.
    pub committed: bool,
    /// Paths that were added or replaced.
    pub changed: Vec<String>,
    /// Paths that were deleted.
    pub deleted: Vec<String>,
    /// Paths that the Space has already.
    pub unchanged: usize,
    /// Files that were sent, downloaded again and compared.
    pub read_back: usize,
}

/// What differs between the files and a Space.
#[derive(Debug, PartialEq, Eq)]
struct Changes<'f> {
    add: BTreeMap<&'f str, &'f [u8]>,
    delete: Vec<String>,
    unchanged: usize,
}

/// The most bytes a site may have, recorded answers of a thousand rows included.
pub(crate) const SITE_LIMIT: u64 = crate::fs::SITE_LIMIT;
/// How often the whole is planned again because the head moved, and a commit sent again.
const TRIES: u32 = 3;
/// How many files are read back at once.
const READERS: usize = 8;
const NDJSON: &[(&str, &str)] = &[("content-type", "application/x-ndjson")];
/// What the hub keeps for itself: never deleted.
const KEPT: &str = ".gitattributes";

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
            read_back: 0,
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
                let content = BASE64_STANDARD.encode(bytes);
                json!({ "key": "file",
                    "value": { "path": path, "content": content, "encoding": "base64" } })
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
    pub(crate) fn run(&self, client: &Client<'_>) -> Result<Published, HubError> {
        check(self.files)?;
        if let (Some(visibility), false) = (self.create, self.dry_run) {
            upload::create(client, self.space, visibility)?;
        }
        let mut ignored = BTreeSet::new();
        for _ in 0..TRIES {
            let info = match self.head(client) {
                Err(error) if self.would_create(&error) => {
                    let changes = Changes::between(self.files, &[], &ignored);
                    return Ok(changes.published(String::new(), false));
                }
                info => info?,
            };
            let remote = client.files(RepoKind::Space, self.space, &info.sha)?;
            let changes = Changes::between(self.files, &remote, &ignored);
            if changes.is_empty() || self.dry_run {
                return Ok(changes.published(info.sha, false));
            }
            match self.attempt(client, &info.sha, changes, &mut ignored)? {
                Attempt::Done(published) => return self.read_back(client, published, &ignored),
                Attempt::Moved => {}
            }
        }
        Err(HubError::Busy)
    }

    /// Compares every file of the Space after the commit with what it shall hold, by the hash that
    /// the hub lists; those that were sent are downloaded and compared too.
    fn read_back(
        &self,
        client: &Client<'_>,
        mut published: Published,
        ignored: &BTreeSet<String>,
    ) -> Result<Published, HubError> {
        let remote = client.files(RepoKind::Space, self.space, &published.revision)?;
        let left = Changes::between(self.files, &remote, ignored);
        let other = left.add.keys().map(|path| (*path).to_owned()).chain(left.delete).next();
        if let Some(path) = other {
            return Err(HubError::Unpublished { path, revision: published.revision });
        }
        let sent: Vec<&RemoteFile> =
            remote.iter().filter(|file| published.changed.contains(&file.path)).collect();
        in_parallel(READERS, &sent, |file| {
            client.file(RepoKind::Space, self.space, &published.revision, file).map(drop)
        })?;
        published.read_back = sent.len();
        Ok(published)
    }

    /// Whether this is a dry run that would make the Space, which is not there yet.
    fn would_create(&self, error: &HubError) -> bool {
        self.dry_run && self.create.is_some() && error.status() == Some(404)
    }

    fn head(&self, client: &Client<'_>) -> Result<Info, HubError> {
        let info = client.info(RepoKind::Space, self.space, "main")?;
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
            upload::validate_card(client, card)?;
        }
        let asked = upload::ask(client, self.space, &changes.add)?;
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
        upload::store(client, self.space, large.iter().map(|path| changes.add[path]))?;
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
            let sent = client.post(&target, NDJSON, commit);
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
                let remote = client.files(RepoKind::Space, self.space, &now)?;
                if Changes::between(self.files, &remote, ignored).is_empty() {
                    return Ok(Attempt::Done(changes.published(now, true)));
                }
                return Ok(Attempt::Moved);
            }
            last = Some(error);
        }
        Err(last.unwrap_or(HubError::Busy))
    }
}

/// What browsers and the hub read, and nothing that could be a bundle or a program.
const EXTENSIONS: [&str; 20] = [
    "css",
    "csv",
    "gif",
    "html",
    "ico",
    "jpg",
    "js",
    "json",
    "jsonl",
    "md",
    "png",
    "svg",
    "txt",
    "webmanifest",
    "webp",
    "woff2",
    "xml",
    "map",
    "checkpoints",
    "tex",
];

/// Why a path has no place in a site.
fn unfit(path: &str) -> Option<&'static str> {
    if path.split('/').any(|part| part.starts_with('.')) {
        return Some("hidden files are not allowed in a site");
    }
    if path == "SHA256SUMS" {
        return None;
    }
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    (!EXTENSIONS.contains(&extension)).then_some("this file type is not allowed in a site")
}

/// What a site may be made of.
fn check(files: &SiteFiles) -> Result<(), HubError> {
    let mut problems = name::problems(files.keys().map(String::as_str));
    let unfit = |path: &String| unfit(path).map(|why| BadName { name: path.clone(), why });
    problems.extend(files.keys().filter_map(unfit));
    if !problems.is_empty() {
        return Err(HubError::SiteNames(problems));
    }
    let unusable = |what: String, help| Err(HubError::Unusable { what, help });
    if !files.contains_key("index.html") || !files.contains_key("README.md") {
        return unusable(
            "the site lacks `index.html` or `README.md`, the page and the card of a Space".into(),
            "write it with `gmat-leaderboard render` and name its directory",
        );
    }
    let total: u64 = files.values().map(|bytes| bytes.len() as u64).sum();
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
            Err(HubError::SiteNames(_))
        ));
    }
}
