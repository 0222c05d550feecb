//! What must not leave with a site, whatever else is checked: another board than the verified
//! one, and a file of the held-out set as it lies there.

use std::collections::BTreeSet;
use std::path::Path;

use super::digest::sha256;
use super::fetch::TOTAL_LIMIT;
use super::{HubError, SiteFiles};
use crate::domain::{Code, Finding};
use crate::fs;

/// The board as a site carries it.
const BOARD: &str = "leaderboard.json";

/// A finding if the site carries another board than `board`.
pub(crate) fn other_board(files: &SiteFiles, board: &[u8]) -> Option<Finding> {
    files.get(BOARD).filter(|bytes| *bytes != board).map(|_| {
        let what = "the board in the site is not the board that was verified";
        Finding::new(Code::EDiff, BOARD, "", what).help("render the site again from this board")
    })
}

/// A finding for every file of the site that is a file of the held-out directory.
pub(crate) fn held_out_files(files: &SiteFiles, held_out: &Path) -> Result<Vec<Finding>, HubError> {
    let private: BTreeSet<String> = fs::read_tree(held_out, TOTAL_LIMIT)?
        .values()
        .filter(|bytes| !bytes.is_empty())
        .map(|bytes| sha256(bytes))
        .collect();
    let leaks = files.iter().filter(|(_, bytes)| private.contains(&sha256(bytes)));
    let finding = |path: &String| {
        Finding::new(Code::LText, path, "", format!("`{path}` is a file of the held-out set"))
    };
    Ok(leaks.map(|(path, _)| finding(path)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let findings = held_out_files(&files, dir.path()).expect("compared");
        assert_eq!(findings.len(), 1);
        assert_eq!(findings[0].file, "a.json");
    }
}
