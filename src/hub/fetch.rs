//! Downloads a private dataset: lists it, compares it with the local copy, transfers what differs.
//!
//! Nothing is written before the whole listing is known and every name in it is valid. Nothing is
//! removed before everything has arrived. Only files that this program wrote are replaced. A fetch
//! can be killed at any moment, so the files on disk are compared each time; the manifest only says
//! which of them are its own.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::client::{Client, HubEvent};
use super::manifest::{LIMIT, MANIFEST, Manifest};
use super::repo::{RemoteFile, RepoId, RepoKind};
use super::{HubError, name};
use crate::domain::{Code, Finding};
use crate::fs::{self, BUNDLE_FILE_LIMIT, Mirror, MirrorEntry};

/// What to fetch, and how.
#[derive(Debug)]
pub(crate) struct Fetch<'f> {
    /// The dataset.
    pub dataset: &'f RepoId,
    /// A branch, tag or commit.
    pub revision: &'f str,
    /// The directory its files go to.
    pub to: &'f Path,
    /// Whether a dataset that anybody can read will do.
    pub allow_public: bool,
    /// Only say what would be done.
    pub dry_run: bool,
    /// How many files are downloaded at once.
    pub jobs: usize,
}

/// How a fetch ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Fetched {
    /// The directory holds the dataset, or would.
    Done(FetchedFiles),
    /// It must not: the dataset or the directory is exposed. Nothing was downloaded.
    Exposed(Finding),
}

/// What moved, or would.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct FetchedFiles {
    /// The commit.
    pub revision: String,
    /// Files of the dataset.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Paths that were downloaded.
    pub downloaded: Vec<String>,
    /// Paths that vanished from the dataset and were removed here.
    pub removed: Vec<String>,
}

/// The most a dataset may hold in all.
pub(super) const TOTAL_LIMIT: u64 = 2 << 30;

impl Fetch<'_> {
    /// Brings the directory to the state of the dataset.
    pub(crate) fn run(&self, client: &Client<'_>) -> Result<Fetched, HubError> {
        if let Some(finding) = fs::exposure(self.to)?.finding(self.to) {
            return Ok(Fetched::Exposed(finding));
        }
        let info = client.info(RepoKind::Dataset, self.dataset, self.revision)?;
        if !info.private && !self.allow_public {
            let what = format!("the dataset `{}` is not private", self.dataset);
            let place = format!("{}/datasets/{}", client.endpoint(), self.dataset);
            return Ok(Fetched::Exposed(Finding::new(Code::LStore, place, "", what)));
        }
        if self.dry_run {
            let look = |path: &str, limit| fs::find_below(self.to, path, limit);
            let plan = self.plan(client, info.sha, &look)?;
            return Ok(Fetched::Done(plan.moved()));
        }
        let mirror = Mirror::open(self.to)?;
        let look = |path: &str, limit| mirror.find(path, limit);
        let plan = self.plan(client, info.sha, &look)?;
        self.execute(client, &mirror, &plan)?;
        Ok(Fetched::Done(plan.moved()))
    }

    fn plan(
        &self,
        client: &Client<'_>,
        sha: String,
        look: &impl Fn(&str, u64) -> Result<MirrorEntry, fs::StoreError>,
    ) -> Result<Plan, HubError> {
        let before = Manifest::read(look(MANIFEST, LIMIT)?)?;
        let source = self.dataset.to_string();
        if let Some(other) = before.as_ref().filter(|before| before.source != source) {
            return Err(HubError::Unusable {
                what: format!("`{}` holds the dataset `{}`", self.to.display(), other.source),
                help: "choose another --to for this dataset",
            });
        }
        if let Some(before) = before.as_ref().filter(|it| it.complete && it.revision == sha) {
            let is_there =
                |file: &RemoteFile| look(&file.path, file.size).is_ok_and(|it| is_copy(&it, file));
            if before.files.iter().all(is_there) {
                return Ok(Plan::nothing(before.clone()));
            }
        }
        let files = client.files(RepoKind::Dataset, self.dataset, &sha)?;
        let problems = name::problems(files.iter().map(|file| file.path.as_str()));
        if !problems.is_empty() {
            return Err(HubError::Names(problems));
        }
        within_limits(&files)?;
        let after = Manifest { source, revision: sha, complete: true, files };
        Plan::new(before, after, |file| Ok(look(&file.path, file.size)?))
    }

    fn execute(&self, client: &Client<'_>, mirror: &Mirror, plan: &Plan) -> Result<(), HubError> {
        if plan.is_settled {
            return Ok(());
        }
        mirror.put(MANIFEST, &plan.after.pending(plan.before.as_ref()).bytes())?;
        for path in plan.removed.iter().filter(|path| plan.is_in_the_way(path)) {
            mirror.remove(path)?;
        }
        client.tell(HubEvent::Files(plan.download.len()));
        self.download(client, mirror, plan)?;
        for path in &plan.removed {
            mirror.remove(path)?;
        }
        mirror.put(MANIFEST, &plan.after.bytes())?;
        Ok(())
    }

    fn download(&self, client: &Client<'_>, mirror: &Mirror, plan: &Plan) -> Result<(), HubError> {
        in_parallel(self.jobs, &plan.download, |&index| {
            let file = &plan.after.files[index];
            let revision = &plan.after.revision;
            let bytes = client.file(RepoKind::Dataset, self.dataset, revision, file)?;
            mirror.put(&file.path, &bytes)?;
            client.tell(HubEvent::FileDone);
            Ok(())
        })
    }
}

/// Does `work` on each item with `jobs` threads, or as many as can be started; the first failure
/// stops them all.
pub(super) fn in_parallel<T: Sync>(
    jobs: usize,
    items: &[T],
    work: impl Fn(&T) -> Result<(), HubError> + Sync,
) -> Result<(), HubError> {
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<HubError>> = Mutex::default();
    let run = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(error) = work(item) {
                let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                failure.get_or_insert(error);
                next.store(items.len(), Ordering::Relaxed);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs.min(items.len()) {
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}

/// What has to happen to a directory.
#[derive(Debug)]
struct Plan {
    before: Option<Manifest>,
    after: Manifest,
    /// Indices into the files of `after`.
    download: Vec<usize>,
    removed: Vec<String>,
    /// Nothing has to happen at all.
    is_settled: bool,
}

impl Plan {
    fn nothing(manifest: Manifest) -> Self {
        let (download, removed) = (Vec::new(), Vec::new());
        Self { before: None, after: manifest, download, removed, is_settled: true }
    }

    /// Compares what lies there with what should. Pure but for `look`.
    fn new(
        before: Option<Manifest>,
        after: Manifest,
        look: impl Fn(&RemoteFile) -> Result<MirrorEntry, HubError>,
    ) -> Result<Self, HubError> {
        let own: BTreeSet<&str> =
            before.iter().flat_map(|it| &it.files).map(|file| file.path.as_str()).collect();
        let wanted: BTreeSet<&str> = after.files.iter().map(|file| file.path.as_str()).collect();
        let removed: Vec<String> = own.difference(&wanted).map(|path| (*path).to_owned()).collect();
        let mut download = Vec::new();
        let mut foreign = Vec::new();
        for (index, file) in after.files.iter().enumerate() {
            let found = look(file)?;
            if is_copy(&found, file) {
                continue;
            }
            let makes_room = removed.iter().any(|path| is_above_or_below(path, &file.path));
            if found != MirrorEntry::Nothing && !own.contains(&*file.path) && !makes_room {
                foreign.push(file.path.as_str());
            }
            download.push(index);
        }
        if let Some(first) = foreign.first() {
            let what = match foreign.len() {
                1 => format!("the dataset would replace `{first}`, which fetch did not write"),
                count => format!(
                    "the dataset would replace {count} files that fetch did not write, the first `{first}`"
                ),
            };
            let help = "move what is there away, or choose another --to; nothing was changed";
            return Err(HubError::Unusable { what, help });
        }
        Ok(Self { before, after, download, removed, is_settled: false })
    }

    /// Whether a vanished file is where a folder has to be, or the other way round.
    fn is_in_the_way(&self, path: &str) -> bool {
        self.after.files.iter().any(|file| is_above_or_below(path, &file.path))
    }

    fn moved(&self) -> FetchedFiles {
        let files = &self.after.files;
        FetchedFiles {
            revision: self.after.revision.clone(),
            files: files.len(),
            bytes: files.iter().map(|file| file.size).sum(),
            downloaded: self.download.iter().map(|&index| files[index].path.clone()).collect(),
            removed: self.removed.clone(),
        }
    }
}

fn is_copy(found: &MirrorEntry, file: &RemoteFile) -> bool {
    matches!(found, MirrorEntry::File(bytes) if bytes.len() as u64 == file.size && file.hash.is_of(bytes))
}

fn is_above_or_below(one: &str, other: &str) -> bool {
    let is_above = |above: &str, below: &str| {
        below.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
    };
    is_above(one, other) || is_above(other, one)
}

pub(super) fn within_limits(files: &[RemoteFile]) -> Result<(), HubError> {
    let large = files.iter().find(|file| file.size > BUNDLE_FILE_LIMIT);
    if let Some(RemoteFile { path, size, .. }) = large {
        let what = format!("the file `{path}` of {size} bytes");
        return Err(HubError::TooMuch { what, limit: format!("{BUNDLE_FILE_LIMIT} bytes") });
    }
    let total = files.iter().map(|file| file.size).sum::<u64>();
    if total > TOTAL_LIMIT {
        let what = format!("{total} bytes in all");
        return Err(HubError::TooMuch { what, limit: format!("{TOTAL_LIMIT} bytes") });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::digest::{Hash, blob_id};

    fn file(path: &str, bytes: &[u8]) -> RemoteFile {
        let hash = Hash::Blob(blob_id(bytes));
        RemoteFile { path: path.to_owned(), size: bytes.len() as u64, hash }
    }

    fn manifest(files: Vec<RemoteFile>) -> Manifest {
        let (source, revision) = ("o/n".to_owned(), "0".repeat(40));
        Manifest { source, revision, complete: true, files }
    }

    #[test]
    fn only_what_differs_moves_and_what_vanished_goes() {
        let before = manifest(vec![file("same", b"1"), file("old", b"2"), file("edited", b"3")]);
        let after = manifest(vec![file("edited", b"3"), file("new", b"4"), file("same", b"1")]);
        let plan = Plan::new(Some(before), after, |file| {
            Ok(match &*file.path {
                "same" => MirrorEntry::File(b"1".to_vec()),
                "edited" => MirrorEntry::File(b"by hand".to_vec()),
                _ => MirrorEntry::Nothing,
            })
        });
        let moved = plan.expect("a plan").moved();
        assert_eq!(moved.downloaded, ["edited", "new"]);
        assert_eq!(moved.removed, ["old"]);
    }

    #[test]
    fn a_file_of_the_user_s_is_never_replaced() {
        let plan = |found: fn() -> MirrorEntry| {
            Plan::new(None, manifest(vec![file("a", b"theirs")]), move |_| Ok(found()))
        };
        assert!(plan(|| MirrorEntry::File(b"mine".to_vec())).is_err());
        assert!(plan(|| MirrorEntry::Other).is_err());
        let same = plan(|| MirrorEntry::File(b"theirs".to_vec())).expect("equal bytes are kept");
        assert!(same.download.is_empty());
    }

    #[test]
    fn a_file_that_became_a_folder_makes_room() {
        let before = manifest(vec![file("a", b"1"), file("b/c", b"2")]);
        let after = manifest(vec![file("a/x", b"1"), file("b", b"2")]);
        let plan = Plan::new(Some(before), after, |_| Ok(MirrorEntry::Other)).expect("a plan");
        assert!(plan.removed.iter().all(|path| plan.is_in_the_way(path)));
        assert_eq!(plan.removed, ["a", "b/c"]);
        assert!(!is_above_or_below("a", "ab"));
    }

    #[test]
    fn too_much_is_refused_before_the_first_byte() {
        let huge = RemoteFile { size: BUNDLE_FILE_LIMIT + 1, ..file("a", b"") };
        assert!(matches!(within_limits(&[huge]), Err(HubError::TooMuch { .. })));
        let many = vec![RemoteFile { size: BUNDLE_FILE_LIMIT, ..file("a", b"") }; 33];
        assert!(matches!(within_limits(&many), Err(HubError::TooMuch { .. })));
    }
}
