//! What must not leave with a site, whatever else is checked: another board than the verified
//! one, and a copy of a held-out file.

use std::collections::BTreeSet;

use super::SiteFiles;
use super::digest::sha256;
use crate::domain::{Code, Finding};

/// The board as a site carries it.
const BOARD: &str = "leaderboard.json";

/// A finding if the site carries another board than `board`.
pub(crate) fn other_board(files: &SiteFiles, board: &[u8]) -> Option<Finding> {
    files.get(BOARD).filter(|bytes| *bytes != board).map(|_| {
        let what = "the board in the site is not the board that was verified";
        Finding::new(Code::EDiff, BOARD, "", what).help("render the site again from this board")
    })
}

/// A finding for every file of the site that is a held-out file, whose SHA-256 are `private`.
pub(crate) fn held_out_files(files: &SiteFiles, private: &BTreeSet<String>) -> Vec<Finding> {
    let leaks = files.iter().filter(|(_, bytes)| private.contains(&sha256(bytes)));
    let finding = |path: &String| {
        Finding::new(Code::LText, path, "", format!("`{path}` is a file of the held-out set"))
    };
    leaks.map(|(path, _)| finding(path)).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::fs::Store;
    use crate::workspace::HeldOutSet;

    #[test]
    fn another_board_and_a_held_out_file_stay_here() {
        let files: SiteFiles = [("leaderboard.json", "{}"), ("a.json", "gold"), ("b.txt", "")]
            .into_iter()
            .map(|(path, text)| (path.to_owned(), text.as_bytes().to_vec()))
            .collect();
        assert!(other_board(&files, b"{}").is_none());
        assert!(other_board(&files, b"{ }").is_some());
        let dir = tempfile::tempdir().expect("a directory");
        std::fs::write(dir.path().join("prompts.json"), "gold").expect("written");
        std::fs::write(dir.path().join("empty"), "").expect("written");
        let store = Arc::new(Store::open(dir.path()).expect("opened"));
        let private = HeldOutSet::open(store).and_then(|set| set.digests()).expect("read");
        let findings = held_out_files(&files, &private);
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].file, "a.json");
    }
}
