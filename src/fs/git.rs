//! Asks git whether a directory is safe from ever being committed.
//!
//! Never trusts the environment, the user's own ignore rules or a failing git: a question that git
//! does not answer is an error, not a yes. `git check-ignore DIR` says "not ignored" for a
//! directory that does not exist yet, so it is asked about files inside it, and it says nothing
//! about files that were added by force, so the index is asked as well.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use sha1::{Digest, Sha1};

use crate::domain::{Code, Finding};
use crate::fs::StoreError;

/// Whether the files of a directory can end up in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitExposure {
    /// The directory is in no work tree.
    Outside,
    /// Every work tree around it ignores whatever is put there, and has none of it.
    Ignored,
    /// Files of it are in the index of a repository.
    Tracked {
        /// Root of the work tree.
        repository: PathBuf,
        /// The first such file, from the root of the work tree.
        example: PathBuf,
    },
    /// The next `git add` would take files of it.
    WouldBeTracked {
        /// Root of the work tree.
        repository: PathBuf,
    },
}

impl GitExposure {
    /// What is wrong with keeping held-out files in `dir`, if anything is. Never names a file.
    pub fn finding(&self, dir: &Path) -> Option<Finding> {
        let what = match self {
            Self::Outside | Self::Ignored => return None,
            Self::Tracked { .. } => "the held-out directory is tracked by git",
            Self::WouldBeTracked { .. } => "git would track the held-out directory",
        };
        Some(Finding::new(Code::LTree, dir.display().to_string(), "", what))
    }
}

/// What a held-out directory holds: a rule that spares one of these names does not protect it.
const PROBES: [&str; 6] = [
    "gmat-leaderboard-probe",
    "prompts.json",
    "completions.json",
    "judge.json",
    "bundle/prompts.json",
    "bundle/gmat-leaderboard-probe",
];

/// Whether files in `dir`, which need not exist yet, can end up in a commit.
///
/// Symlinks are followed first: what counts is where the bytes lie. Every work tree around that
/// place is asked, because an outer one may have had the files before the inner one was made.
pub fn exposure(dir: &Path) -> Result<GitExposure, StoreError> {
    let place = physical(dir)?;
    let is_root = |root: &&Path| std::fs::symlink_metadata(root.join(".git")).is_ok();
    let mut answer = GitExposure::Outside;
    for root in place.ancestors().filter(is_root) {
        let tree = WorkTree { root, inside: below(&place, root) };
        if let Some(example) = tree.tracked()? {
            return Ok(GitExposure::Tracked { repository: root.to_owned(), example });
        }
        // Git takes no new file out of a repository inside its own, so only the innermost one can.
        if answer == GitExposure::Outside {
            if !tree.ignores_everything()? {
                return Ok(GitExposure::WouldBeTracked { repository: root.to_owned() });
            }
            answer = GitExposure::Ignored;
        }
    }
    Ok(answer)
}

/// The files below `dir` that git tracks or would track, in the innermost repository around it;
/// `None` where there is no repository.
pub(crate) fn tracked_files(dir: &Path) -> Result<Option<Vec<PathBuf>>, StoreError> {
    let place = physical(dir)?;
    let is_root = |root: &&Path| std::fs::symlink_metadata(root.join(".git")).is_ok();
    let Some(root) = place.ancestors().find(is_root) else { return Ok(None) };
    let tree = WorkTree { root, inside: below(&place, root) };
    let list = ["--literal-pathspecs", "ls-files", "-z"];
    let new = ["--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard"];
    let mut files: Vec<PathBuf> = Vec::new();
    for arguments in [&list[..], &new] {
        let answer = tree.ask(arguments, true, &[], &[0])?;
        files.extend(names(&answer).map(|name| root.join(name)));
    }
    Ok(Some(files))
}

/// The untracked files below `root` that git ignores, relative to it; none if `root` is not itself the
/// root of a work tree: a repository around it may ignore all of it.
pub(crate) fn ignored_files(root: &Path) -> Result<HashSet<PathBuf>, StoreError> {
    let place = physical(root)?;
    if std::fs::symlink_metadata(place.join(".git")).is_err() {
        return Ok(HashSet::new());
    }
    let tree = WorkTree { root: &place, inside: PathBuf::from(".") };
    let list =
        ["--literal-pathspecs", "ls-files", "-z", "--others", "--ignored", "--exclude-standard"];
    Ok(names(&tree.ask(&list, true, &[], &[0])?).map(PathBuf::from).collect())
}

/// The bytes of `file` in the last commit of the innermost repository around it; `None` where there
/// is no repository, no commit, or no such file in it.
pub fn committed(file: &Path) -> Option<Vec<u8>> {
    let place = physical(file).ok()?;
    let is_root = |root: &&Path| std::fs::symlink_metadata(root.join(".git")).is_ok();
    let root = place.ancestors().find(is_root)?;
    let tree = WorkTree { root, inside: below(&place, root) };
    let name = format!("HEAD:{}", tree.inside.to_str()?);
    tree.ask(&["show", "--no-textconv", &name], false, &[], &[0]).ok()
}

/// Writes the files of `revision`, a commit or branch of the innermost repository around `root`, below
/// `to`, and returns what corresponds to `root` there; `None` where there is no repository, or it does
/// not have that revision. The repository, its index and its work tree are not changed.
pub(crate) fn export(
    root: &Path,
    revision: &str,
    to: &Path,
) -> Result<Option<PathBuf>, StoreError> {
    let place = physical(root)?;
    let is_root = |root: &&Path| std::fs::symlink_metadata(root.join(".git")).is_ok();
    let Some(top) = place.ancestors().find(is_root) else { return Ok(None) };
    let tree = WorkTree { root: top, inside: below(&place, top) };
    let commit = format!("{revision}^{{commit}}");
    let known = tree.ask(&["rev-parse", "--verify", "--quiet", &commit], false, &[], &[0, 1])?;
    let id = String::from_utf8_lossy(&known).trim().to_owned();
    if revision.starts_with('-') || id.is_empty() {
        return Ok(None);
    }
    // An index of its own, so that what the user has staged stays.
    let index = to.join("index");
    let files = to.join("files");
    let prefix = format!("--prefix={}/", files.display());
    for arguments in [["read-tree", id.as_str()], ["checkout-index", "--all"]] {
        let mut git = tree.command();
        git.env("GIT_INDEX_FILE", &index).args(arguments);
        if arguments[0] == "checkout-index" {
            git.arg(&prefix);
        }
        tree.run(git, &[], &[0])?;
    }
    Ok(Some(files.join(&tree.inside)))
}

/// Git's id of a file with these bytes, in lower-case hex.
pub(crate) fn blob_id(bytes: &[u8]) -> String {
    let header = format!("blob {}\0", bytes.len());
    hex::encode(Sha1::new().chain_update(header).chain_update(bytes).finalize())
}

/// Those of the blobs `ids` that a commit of the innermost repository around `dir` has; none where
/// there is no repository. Only commits count: what was merely staged goes nowhere.
pub(crate) fn committed_blobs<'n>(
    dir: &Path,
    ids: impl IntoIterator<Item = &'n String>,
) -> Result<Vec<String>, StoreError> {
    let place = physical(dir)?;
    let is_root = |root: &&Path| std::fs::symlink_metadata(root.join(".git")).is_ok();
    let Some(root) = place.ancestors().find(is_root) else { return Ok(Vec::new()) };
    let tree = WorkTree { root, inside: below(&place, root) };
    let asked: String = ids.into_iter().map(|id| format!("{id}\n")).collect();
    let check = ["cat-file", "--batch-check=%(objectname) %(objecttype)"];
    let answer =
        String::from_utf8_lossy(&tree.ask(&check, false, asked.as_bytes(), &[0])?).into_owned();
    let mut there: Vec<String> =
        answer.lines().filter_map(|line| Some(line.strip_suffix(" blob")?.to_owned())).collect();
    // Almost never: then every commit is walked.
    if !there.is_empty() {
        let all = ["rev-list", "--objects", "--no-object-names", "--all"];
        let commits = String::from_utf8_lossy(&tree.ask(&all, false, &[], &[0])?).into_owned();
        let commits: HashSet<&str> = commits.lines().collect();
        there.retain(|id| commits.contains(&**id));
    }
    Ok(there)
}

/// The version of the git that is asked, if there is one.
pub fn git_version() -> Option<String> {
    let output = Command::new("git").arg("--version").stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().trim_start_matches("git ").to_owned())
}

/// `dir` with every symlink resolved; the part that does not exist yet is kept as it is.
fn physical(dir: &Path) -> Result<PathBuf, StoreError> {
    let failed = |source| StoreError::Io { verb: "resolve", path: dir.to_owned(), source };
    let absolute = std::path::absolute(dir).map_err(failed)?;
    let mut missing: Vec<&OsStr> = Vec::new();
    let mut there = absolute.as_path();
    loop {
        match std::fs::canonicalize(there) {
            Ok(mut place) => {
                place.extend(missing.iter().rev());
                return Ok(place);
            }
            // A dangling symlink exists, so what it would become is unknown.
            Err(error)
                if error.kind() == io::ErrorKind::NotFound
                    && std::fs::symlink_metadata(there).is_err() => {}
            Err(error) => return Err(failed(error)),
        }
        match (there.components().next_back(), there.parent()) {
            (Some(Component::Normal(name)), Some(parent)) => {
                missing.push(name);
                there = parent;
            }
            _ => return Err(StoreError::Leaves(dir.to_owned())),
        }
    }
}

/// `place` as seen from `root`; `./` keeps a name from being read as an option or a pattern.
fn below(place: &Path, root: &Path) -> PathBuf {
    Path::new(".").join(place.strip_prefix(root).unwrap_or(place))
}

struct WorkTree<'p> {
    root: &'p Path,
    inside: PathBuf,
}

impl WorkTree<'_> {
    /// The first file of the directory that is in the index.
    fn tracked(&self) -> Result<Option<PathBuf>, StoreError> {
        let answer = self.ask(&["--literal-pathspecs", "ls-files", "-z"], true, &[], &[0])?;
        Ok(names(&answer).next().map(PathBuf::from))
    }

    /// Whether no file of the directory, there or to come, would be taken by `git add`.
    fn ignores_everything(&self) -> Result<bool, StoreError> {
        let mut probes = Vec::new();
        for probe in PROBES {
            probes.extend_from_slice(self.inside.join(probe).as_os_str().as_bytes());
            probes.push(0);
        }
        // 1 means that none is ignored.
        let ignored = self.ask(&["check-ignore", "-z", "--stdin"], false, &probes, &[0, 1])?;
        let others = ["--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard"];
        let spared = self.ask(&others, true, &[], &[0])?;
        Ok(names(&ignored).count() == PROBES.len() && spared.is_empty())
    }

    /// Runs git with `arguments` on this work tree.
    fn ask(
        &self,
        arguments: &[&str],
        names_directory: bool,
        stdin: &[u8],
        good: &[i32],
    ) -> Result<Vec<u8>, StoreError> {
        let mut git = self.command();
        git.args(arguments);
        if names_directory {
            git.arg("--").arg(&self.inside);
        }
        self.run(git, stdin, good)
    }

    /// A git for this work tree and no other, deaf to everything but the repository itself.
    fn command(&self) -> Command {
        let mut git = Command::new("git");
        git.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        // Rules that only this user has do not protect the repository; without them, and without
        // the system's, the answer is the same on every machine.
        git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
        git.env("GIT_OPTIONAL_LOCKS", "0").env("LC_ALL", "C");
        // Naming both directories keeps git from looking for another repository, and from refusing
        // one that another user owns; no program that such a repository names is run.
        let mut git_dir = OsString::from("--git-dir=");
        git_dir.push(self.root.join(".git"));
        let mut work_tree = OsString::from("--work-tree=");
        work_tree.push(self.root);
        git.args([git_dir, work_tree]);
        git.args(["-c", "safe.directory=*", "-c", "core.fsmonitor=false"]);
        git.current_dir(self.root);
        git
    }

    fn run(&self, mut git: Command, stdin: &[u8], good: &[i32]) -> Result<Vec<u8>, StoreError> {
        let failed = |source: io::Error| match source.kind() {
            io::ErrorKind::NotFound => StoreError::NoGit(self.root.to_owned()),
            _ => StoreError::Io { verb: "run git in", path: self.root.to_owned(), source },
        };
        git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = git.spawn().map_err(failed)?;
        if let Some(mut pipe) = child.stdin.take() {
            // A git that ends early says why; the broken pipe would hide it.
            let _ = pipe.write_all(stdin);
        }
        let output = child.wait_with_output().map_err(failed)?;
        if output.status.code().is_some_and(|code| good.contains(&code)) {
            return Ok(output.stdout);
        }
        Err(StoreError::GitRefused {
            repository: self.root.to_owned(),
            words: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        })
    }
}

/// The names of a `-z` answer.
fn names(answer: &[u8]) -> impl Iterator<Item = OsString> {
    let names = answer.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| OsString::from_vec(name.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(dir: &Path, arguments: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "init.defaultBranch=main", "-c", "user.name=t", "-c", "user.email=t@t"])
            .args(arguments)
            .current_dir(dir)
            .env_remove("GIT_DIR")
            .output()
            .expect("git is there");
        assert!(output.status.success(), "{arguments:?}: {output:?}");
    }

    fn put(root: &Path, below: &str, text: &str) {
        let path = root.join(below);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        std::fs::write(path, text).expect("written");
    }

    fn world() -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().expect("a directory");
        let root = dir.path().canonicalize().expect("a real path");
        (dir, root)
    }

    fn repository(ignore: &str) -> (tempfile::TempDir, PathBuf) {
        let (dir, root) = world();
        git(&root, &["init", "-q"]);
        put(&root, ".gitignore", ignore);
        (dir, root)
    }

    fn would_be_tracked(root: &Path) -> GitExposure {
        GitExposure::WouldBeTracked { repository: root.to_owned() }
    }

    #[test]
    fn a_directory_in_no_work_tree_is_outside() {
        let (_dir, root) = world();
        assert_eq!(exposure(&root.join("not/there/yet")).expect("an answer"), GitExposure::Outside);
    }

    #[test]
    fn an_ignored_directory_is_safe_before_and_after_it_exists() {
        let (_dir, root) = repository("/cache/\n");
        let cache = root.join("cache/held-out");
        assert_eq!(exposure(&cache).expect("an answer"), GitExposure::Ignored);
        put(&root, "cache/held-out/prompts.json", "{}");
        assert_eq!(exposure(&cache).expect("an answer"), GitExposure::Ignored);
        std::fs::create_dir(root.join("a")).expect("made");
        assert_eq!(exposure(&root.join("a/../cache/x")).expect("an answer"), GitExposure::Ignored);
        let lost = exposure(&root.join("none/../cache"));
        assert!(matches!(lost, Err(StoreError::Leaves(_))), "{lost:?}");
    }

    #[test]
    fn a_directory_that_git_would_take_is_refused() {
        let (_dir, root) = repository("/cache/\n");
        assert_eq!(exposure(&root.join("held")).expect("an answer"), would_be_tracked(&root));
        assert_eq!(exposure(&root).expect("an answer"), would_be_tracked(&root));
        std::fs::create_dir(root.join("cache")).expect("made");
        assert_eq!(exposure(&root.join("cache/../held")).expect("one"), would_be_tracked(&root));
    }

    #[test]
    fn a_rule_that_spares_some_files_does_not_protect() {
        let (_dir, root) = repository("*.json\n");
        assert_eq!(exposure(&root.join("held")).expect("an answer"), would_be_tracked(&root));
        let (_dir, root) = repository("/held/*\n!/held/gold.txt\n");
        assert_eq!(exposure(&root.join("held")).expect("an answer"), GitExposure::Ignored);
        put(&root, "held/gold.txt", "gold");
        assert_eq!(exposure(&root.join("held")).expect("an answer"), would_be_tracked(&root));
    }

    #[test]
    fn a_file_added_by_force_is_tracked_although_ignored() {
        let (_dir, root) = repository("/cache/\n");
        put(&root, "cache/x/gold.json", "{}");
        git(&root, &["add", "-f", "cache/x/gold.json"]);
        let tracked = GitExposure::Tracked {
            repository: root.clone(),
            example: PathBuf::from("cache/x/gold.json"),
        };
        assert_eq!(exposure(&root.join("cache")).expect("an answer"), tracked);
        assert_eq!(exposure(&root.join("cache/x")).expect("an answer"), tracked);
        assert_eq!(exposure(&root.join("cache/y")).expect("an answer"), GitExposure::Ignored);
    }

    #[test]
    fn the_innermost_repository_decides_what_is_ignored() {
        let (_dir, root) = repository("");
        put(&root, "inner/.gitignore", "/cache/\n");
        git(&root.join("inner"), &["init", "-q"]);
        let cache = root.join("inner/cache");
        assert_eq!(exposure(&cache).expect("an answer"), GitExposure::Ignored);
        put(&root, "inner/.gitignore", "");
        assert_eq!(exposure(&cache).expect("an answer"), would_be_tracked(&root.join("inner")));
    }

    #[test]
    fn what_the_outer_repository_had_before_is_still_tracked() {
        let (_dir, root) = repository("");
        put(&root, "inner/cache/gold.json", "{}");
        git(&root, &["add", "inner"]);
        put(&root, "inner/.gitignore", "/cache/\n");
        git(&root.join("inner"), &["init", "-q"]);
        let tracked = GitExposure::Tracked {
            repository: root.clone(),
            example: PathBuf::from("inner/cache/gold.json"),
        };
        assert_eq!(exposure(&root.join("inner/cache")).expect("an answer"), tracked);
    }

    #[test]
    fn a_submodule_is_no_obstacle() {
        let (_dir, root) = repository("");
        put(&root, "inner/.gitignore", "/cache/\n");
        git(&root.join("inner"), &["init", "-q"]);
        git(&root.join("inner"), &["add", "."]);
        git(&root.join("inner"), &["commit", "-q", "-m", "start"]);
        git(&root, &["add", "inner"]);
        assert_eq!(exposure(&root.join("inner/cache")).expect("an answer"), GitExposure::Ignored);
    }

    #[test]
    fn a_symlink_counts_as_where_it_leads() {
        let (_dir, root) = repository("/cache/\n/link\n");
        std::fs::create_dir(root.join("open")).expect("made");
        std::fs::create_dir(root.join("cache")).expect("made");
        std::os::unix::fs::symlink(root.join("open"), root.join("cache/link")).expect("linked");
        assert_eq!(exposure(&root.join("cache/link")).expect("one"), would_be_tracked(&root));
        let (_elsewhere, outside) = world();
        std::os::unix::fs::symlink(root.join("cache"), outside.join("in")).expect("linked");
        assert_eq!(exposure(&outside.join("in/new")).expect("an answer"), GitExposure::Ignored);
        std::os::unix::fs::symlink(root.join("gone"), outside.join("dangling")).expect("linked");
        assert!(matches!(exposure(&outside.join("dangling")), Err(StoreError::Io { .. })));
    }

    #[test]
    fn a_broken_repository_is_an_error_and_not_a_yes() {
        let (_dir, root) = world();
        std::fs::create_dir(root.join(".git")).expect("made");
        let error = exposure(&root.join("held")).expect_err("git refuses");
        assert!(matches!(error, StoreError::GitRefused { .. }), "{error}");
    }

    #[test]
    fn names_that_look_like_patterns_are_taken_literally() {
        let (_dir, root) = repository("/x*/\n");
        put(&root, "xa/b.json", "{}");
        git(&root, &["add", "-f", "xa/b.json"]);
        assert_eq!(exposure(&root.join("x*")).expect("an answer"), GitExposure::Ignored);
        let odd = root.join(":(glob)**");
        assert_eq!(exposure(&odd).expect("an answer"), would_be_tracked(&root));
    }
}
