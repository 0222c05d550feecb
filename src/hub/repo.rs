//! The calls that read a repository, and the typed answers.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::HubError;
use super::answer::Answer;
use super::client::{Call, Client, Method};
use super::digest::Hash;
use crate::domain::percent_encode;
use crate::json::{Mismatch, Node};

/// `owner/name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepoId {
    /// The account or organisation.
    pub owner: String,
    /// The repository.
    pub name: String,
}

/// What a repository is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RepoKind {
    /// Files.
    Dataset,
    /// A page.
    Space,
}

/// A repository at a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Info {
    /// The commit, 40 hex digits.
    pub sha: String,
    /// Whether only its members see it. Absent counts as no.
    pub private: bool,
    /// What runs a Space; empty for a dataset.
    pub sdk: String,
}

/// A file of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RemoteFile {
    pub(super) path: String,
    pub(super) size: u64,
    pub(super) hash: Hash,
}

/// What a listing may be at most.
const PAGES: usize = 100;
const FILES: usize = 20_000;
const JSON_LIMIT: u64 = 16 << 20;

impl FromStr for RepoId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let good = |part: &str| {
            (1..=96).contains(&part.len())
                && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte))
                && part.as_bytes()[0].is_ascii_alphanumeric()
                && !part.contains("..")
        };
        match text.split_once('/') {
            Some((owner, name)) if good(owner) && good(name) => {
                Ok(Self { owner: owner.to_owned(), name: name.to_owned() })
            }
            _ => Err("a repository is `owner/name`: letters, digits, `-`, `_` and `.`".to_owned()),
        }
    }
}

impl fmt::Display for RepoId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.owner, self.name)
    }
}

impl RepoKind {
    /// As addresses write it.
    pub(super) fn plural(self) -> &'static str {
        match self {
            Self::Dataset => "datasets",
            Self::Space => "spaces",
        }
    }
}

impl Client<'_> {
    /// The repository at `revision`.
    pub(crate) fn info(
        &self,
        kind: RepoKind,
        id: &RepoId,
        revision: &str,
    ) -> Result<Info, HubError> {
        let revision = percent_encode(revision);
        let target = format!("/api/{}/{id}/revision/{revision}", kind.plural());
        self.patiently(|| self.get_json(&target)?.json(info))
    }

    /// Every file of the repository at the commit `sha`, sorted by path.
    pub(super) fn files(
        &self,
        kind: RepoKind,
        id: &RepoId,
        sha: &str,
    ) -> Result<Vec<RemoteFile>, HubError> {
        let path = format!("/api/{}/{id}/tree/{sha}", kind.plural());
        let mut query = "recursive=true&expand=false".to_owned();
        let mut seen = BTreeSet::new();
        let mut files = Vec::new();
        while seen.insert(query.clone()) {
            if seen.len() > PAGES {
                let what = format!("more than {PAGES} pages of files");
                return Err(HubError::TooMuch { what, limit: format!("{PAGES} pages") });
            }
            let target = format!("{path}?{query}");
            let (page, next) = self.patiently(|| {
                let answer = self.get_json(&target)?;
                Ok((answer.json(tree_page)?, answer.header("link").and_then(next_page)))
            })?;
            files.extend(page);
            if files.len() > FILES {
                let what = format!("more than {FILES} files");
                return Err(HubError::TooMuch { what, limit: FILES.to_string() });
            }
            let Some((next_path, next_query)) = next else {
                files.sort_by(|a: &RemoteFile, b| a.path.cmp(&b.path));
                return Ok(files);
            };
            // Only the query is taken from the link, so it cannot lead anywhere else.
            if next_path != path {
                let what = format!("its next page is another listing, `{next_path}`");
                return Err(HubError::Answer { url: self.endpoint().url(path).to_string(), what });
            }
            query = next_query;
        }
        let what = "its pages lead back to one that was read".to_owned();
        Err(HubError::Answer { url: self.endpoint().url(path).to_string(), what })
    }

    /// The bytes of `file` at the commit `sha`, checked against the listing.
    pub(super) fn file(
        &self,
        kind: RepoKind,
        id: &RepoId,
        sha: &str,
        file: &RemoteFile,
    ) -> Result<Vec<u8>, HubError> {
        if file.size == 0 && file.hash.is_of(&[]) {
            return Ok(Vec::new());
        }
        let path = encode_path(&file.path);
        let target = format!("/{}/{id}/resolve/{sha}/{path}", kind.plural());
        // Only large-file storage lives elsewhere.
        let stays = matches!(file.hash, Hash::Blob(_));
        self.patiently(|| {
            let bytes = self.get(self.endpoint().url(&*target), stays, file.size)?.body;
            let differs = |what| HubError::Differs { path: file.path.clone(), what };
            match bytes.len() as u64 {
                long if long > file.size => {
                    return Err(differs(format!("more than its {} bytes", file.size)));
                }
                short if short < file.size => {
                    return Err(differs(format!("{short} of {} bytes", file.size)));
                }
                _ => {}
            }
            if !file.hash.is_of(&bytes) {
                return Err(differs("its hash is another one".to_owned()));
            }
            Ok(bytes)
        })
    }

    /// Who the token belongs to, and its role. The hub limits this call strictly.
    pub(crate) fn who(&self) -> Result<(String, String), HubError> {
        self.patiently(|| self.get_json("/api/whoami-v2")?.json(who))
    }

    fn get_json(&self, target: &str) -> Result<Answer, HubError> {
        whole(self.get(self.endpoint().url(target), true, JSON_LIMIT)?)
    }

    /// Posts to the endpoint and gives the answer, once.
    pub(super) fn post(
        &self,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Answer, HubError> {
        let url = self.endpoint().url(target);
        whole(self.put(&Call { method: Method::Post, url, headers, body, limit: JSON_LIMIT })?)
    }
}

fn whole(answer: Answer) -> Result<Answer, HubError> {
    if answer.body.len() as u64 > JSON_LIMIT {
        let what = format!("it is longer than {JSON_LIMIT} bytes");
        return Err(HubError::Answer { url: answer.url.to_string(), what });
    }
    Ok(answer)
}

fn who(root: &Node<'_>) -> Result<(String, String), Mismatch> {
    let role = root
        .object()?
        .get("auth")
        .and_then(|auth| auth.object().ok()?.get("accessToken"))
        .and_then(|token| token.object().ok()?.get("role")?.as_str());
    let role = role.unwrap_or("unknown").to_owned();
    Ok((root.required("name")?.text()?.to_string(), role))
}

fn info(root: &Node<'_>) -> Result<Info, Mismatch> {
    let object = root.object()?;
    let private = object.get("private").is_some_and(|node| node.boolean() == Ok(true));
    let sdk = object.get("sdk").and_then(Node::as_str).unwrap_or_default().to_owned();
    Ok(Info { sha: hex_digits(root.required("sha")?, 40)?, private, sdk })
}

fn tree_page(root: &Node<'_>) -> Result<Vec<RemoteFile>, Mismatch> {
    let mut files = Vec::new();
    for entry in root.array()? {
        let kind = entry.required("type")?;
        match &**kind.text()? {
            "file" => files.push(remote_file(entry)?),
            "directory" => {}
            _ => return Err(kind.mismatch("`file` or `directory`")),
        }
    }
    Ok(files)
}

fn remote_file(entry: &Node<'_>) -> Result<RemoteFile, Mismatch> {
    let path = entry.required("path")?.text()?.to_string();
    match entry.object()?.get("lfs").filter(|lfs| !lfs.is_null()) {
        Some(lfs) => Ok(RemoteFile {
            path,
            size: lfs.required("size")?.count()?,
            hash: Hash::Sha256(hex_digits(lfs.required("oid")?, 64)?),
        }),
        None => Ok(RemoteFile {
            path,
            size: entry.required("size")?.count()?,
            hash: Hash::Blob(hex_digits(entry.required("oid")?, 40)?),
        }),
    }
}

pub(super) fn hex_digits(node: &Node<'_>, length: usize) -> Result<String, Mismatch> {
    let text = node.text()?;
    let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if text.len() == length && text.bytes().all(is_hex) {
        return Ok(text.to_string());
    }
    Err(node.mismatch(format!("{length} hex digits")))
}

/// Path and query of `Link: <URL>; rel="next"`.
fn next_page(link: &str) -> Option<(String, String)> {
    let next = link.split(',').find(|part| {
        part.split(';').skip(1).any(|field| matches!(field.trim(), "rel=\"next\"" | "rel=next"))
    })?;
    let address = next.trim().strip_prefix('<')?.split('>').next()?;
    let rest = match address.split_once("://") {
        Some((_, rest)) => rest.split_at(rest.find('/')?).1,
        None => address,
    };
    let (path, query) = rest.split_once('?')?;
    if !query.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#') {
        return None;
    }
    Some((path.to_owned(), query.to_owned()))
}

/// A path with each segment percent-encoded and the slashes kept.
pub(super) fn encode_path(path: &str) -> String {
    path.split('/').map(percent_encode).collect::<Vec<_>>().join("/")
}

#[cfg(not(sealed))]
pub(super) fn try_answer(answer: &Answer) {
    let _ = answer.json(info);
    let _ = answer.json(tree_page);
    let _ = answer.header("link").and_then(next_page);
    let _ = answer.json(who);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_encoded_as_the_hub_s_own_client_does() {
        assert_eq!(encode_path("notes/a b+c%25.txt"), "notes/a%20b%2Bc%2525.txt");
        assert_eq!(encode_path("é/~x"), "%C3%A9/~x");
    }

    #[test]
    fn a_repository_is_an_owner_and_a_name() {
        for good in ["gmat/heldout", "A.b-c/d_e", "1/2"] {
            assert_eq!(good.parse::<RepoId>().expect(good).to_string(), good);
        }
        for bad in ["", "a", "a/", "/b", "a/b/c", "a/../b", "../b", "a b/c", "a/é", "-a/b"] {
            assert!(bad.parse::<RepoId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_next_page_gives_its_path_and_query_and_no_host() {
        let page = |link| next_page(link).map(|(path, query)| format!("{path} {query}"));
        assert_eq!(page("<https://evil/api/x?c=1>; rel=\"next\"").as_deref(), Some("/api/x c=1"));
        assert_eq!(page("</api/x?c=1>; rel=\"next\"").as_deref(), Some("/api/x c=1"));
        assert_eq!(page("<https://h/a>; rel=\"prev\""), None);
        assert_eq!(page("<https://h>; rel=\"next\""), None);
        assert_eq!(page("nonsense; rel=\"next\""), None);
    }
}
