//! Whether any file of a site repeats a text of the held-out set.

use std::borrow::Cow;

use crate::domain::{Failure, Finding};
use crate::firewall::{split_answers, unpacked};
use crate::site::{built_in, is_built_in};
use crate::workspace::scan_tree::search_answers;
use crate::workspace::{self, Workspace};

/// One finding for every place of `files` that contains a text of a held-out set, except where the
/// config or the ledger brings it: `workspace::search_workspace` reports that.
///
/// What this program and the pinned public set bring is not secret; everything else on a page is
/// searched, whoever brought it. Public answers are searched for held-out prompts only.
pub fn search_site_files<'f>(
    files: impl IntoIterator<Item = (&'f String, &'f Vec<u8>)>,
    workspace: &Workspace,
) -> Result<Vec<Finding>, Failure> {
    search(&files.into_iter().collect::<Vec<_>>(), workspace, true, built_in())
}

/// Texts of the held-out sets in the config, the ledger, the files of the repository or these
/// files of a site.
pub fn search_rendered_site(
    workspace: &Workspace,
    files: &[(String, Vec<u8>)],
) -> Result<Vec<Finding>, Failure> {
    let mut findings = workspace::search_workspace(workspace, None)?;
    let files: Vec<(&String, &Vec<u8>)> = files.iter().map(|(path, bytes)| (path, bytes)).collect();
    // Answers on pages repeat the bundles of the repository.
    findings.extend(search(&files, workspace, findings.is_empty(), built_in())?);
    Ok(findings)
}

/// Searches the pages, and the answers on them if `answers`. `own` may appear on any page.
fn search(
    files: &[(&String, &Vec<u8>)],
    workspace: &Workspace,
    answers: bool,
    own: impl Iterator<Item = &'static str>,
) -> Result<Vec<Finding>, Failure> {
    if workspace.held_out_sets()?.is_empty() {
        return Ok(Vec::new());
    }
    let files: Vec<(&String, &Vec<u8>)> =
        files.iter().copied().filter(|(_, bytes)| !is_built_in(bytes)).collect();
    let mut exempt = workspace.exempt();
    own.for_each(|text| exempt.add_text(text));
    let texts: Vec<Cow<'_, str>> = files.iter().map(|(_, bytes)| text(bytes)).collect();
    let parts: Vec<(Cow<'_, str>, Cow<'_, str>)> =
        files.iter().zip(&texts).map(|((path, _), text)| split_answers(path, text)).collect();
    let pages = files.iter().zip(&parts).map(|((path, _), (page, _))| (path.as_str(), &**page));
    let mut findings = workspace::search_pages(workspace, pages, exempt)?;
    if answers {
        let parts = files.iter().zip(&parts);
        let parts = parts.map(|((path, bytes), (_, part))| (&***path, &**part, &***bytes));
        findings.extend(search_answers(workspace, parts)?);
    }
    Ok(findings)
}

/// A file as text. A picture is searched as the text it may carry, packed or not.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.into();
    }
    let packed = unpacked(bytes);
    let parts = [bytes].into_iter().chain(packed.iter().map(Vec::as_slice));
    let parts: Vec<Cow<'_, str>> = parts.map(String::from_utf8_lossy).collect();
    parts.join("\n").into()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::board::Board;
    use crate::replay::request_digest;
    use crate::testing::Draws;
    use crate::workspace::{BoardFile, ReplayDetail, Request, render_site};

    /// Requests of both sets come from the same phrases, as those of one author do.
    fn request(draws: &mut Draws) -> String {
        let craft = draws.pick(&["Aster", "Boreal", "Cygnet", "Dorado", "Egret", "Falcon"]);
        let orbit = draws.pick(&["a circular orbit of", "a polar orbit of", "an orbit of"]);
        let size = draws.pick(&["6878", "7000", "7191", "8000", "26560", "42164", "12000"]);
        let task = draws.pick(&["propagate it for", "report the altitude after", "coast for"]);
        let time = draws.pick(&["two hours", "six hours", "one day", "three days", "a week"]);
        format!("Put the spacecraft {craft} in {orbit} {size} km and {task} {time}")
    }

    /// What one model answers to any request: the same script, with the request in a comment and
    /// sometimes the same mistakes.
    fn answer(request: &str, draws: &mut Draws) -> String {
        let slip =
            draws.pick(&["", "OneVeryLongSpacecraftName.Aera = 12\n", "Create Satelite Two\n"]);
        format!(
            "% {request}\nCreate Spacecraft OneVeryLongSpacecraftName\n\
             OneVeryLongSpacecraftName.DateFormat = UTCGregorian\n{slip}\
             Create Propagator TheDefaultPropagatorOfThisModel\nBeginMissionSequence\n\
             Propagate TheDefaultPropagatorOfThisModel(OneVeryLongSpacecraftName)\n"
        )
    }

    fn write_bundle(dir: &Path, set: &str, requests: &[String], draws: &mut Draws) {
        std::fs::create_dir_all(dir).expect("made");
        let write = |name: &str, value: serde_json::Value| {
            std::fs::write(dir.join(name), value.to_string()).expect("written");
        };
        let id = |at: usize| format!("{set}_prompt_{at}");
        let prompts: Vec<_> = requests
            .iter()
            .enumerate()
            .map(|(at, request)| serde_json::json!({"id": id(at), "request": request, "intent": format!("The intent: {request}")}))
            .collect();
        write("prompts.json", prompts.into());
        let answers: serde_json::Map<String, serde_json::Value> = requests
            .iter()
            .map(|request| {
                let digest = request_digest(request);
                let key = format!("demo:m:{}", String::from_utf8_lossy(&digest));
                (key, serde_json::json!({"text": answer(request, draws)}))
            })
            .collect();
        write("completions.json", answers.into());
        let vote = draws.pick(&["yes", "no"]) == "yes";
        let votes = (0..requests.len()).map(|at| (id(at), serde_json::json!([vote, true, vote])));
        write("judge.json", serde_json::Value::Object(votes.collect()));
    }

    /// A board of one model that answered both sets, with the requests of each.
    fn world(dir: &Path, seed: u64) -> [Vec<String>; 2] {
        let draws = &mut Draws(seed * 7919 + 1);
        let mut all: Vec<String> = Vec::new();
        while all.len() < 5 {
            let request = request(draws);
            if !all.contains(&request) {
                all.push(request);
            }
        }
        let secret = all.split_off(3);
        write_bundle(&dir.join("board/bundles/m"), "public", &all, draws);
        write_bundle(&dir.join("held-out/m"), "private", &secret, draws);
        let config = serde_json::json!({
            "eval_protocol_version": "1", "n_votes": 3, "judge_model": "judge/one",
            "public_set": {"n_prompts": 3}, "held_out_set": {"committed": false},
            "seeds": [{"provider": "demo", "model": "m", "kind": "seed", "submitted_by": "seed",
                "public_bundle": "bundles/m", "held_out_bundle": "m"}],
        });
        std::fs::write(dir.join("board/seeds.json"), config.to_string()).expect("written");
        [all, secret]
    }

    fn open(dir: &Path) -> Workspace {
        let root = dir.join("board");
        let workspace =
            Workspace::open(&root, None).expect("a workspace").keeping(ReplayDetail::Files);
        workspace.with_held_out(Some(&dir.join("held-out"))).expect("a held-out set")
    }

    /// The files of the site, but those that are the same whatever the answers are.
    fn rendered(dir: &Path) -> Vec<(String, Vec<u8>)> {
        let root = dir.join("board").display().to_string();
        let board = dir.join("board.json").display().to_string();
        let args = ["gmat-leaderboard", "build", "-q", "--root", &root, "--out", &board];
        let exit = crate::run(args.map(std::ffi::OsString::from));
        assert_eq!(exit, crate::domain::Exit::Yes);
        let file = BoardFile::read(Path::new(&board)).expect("a board");
        let board: Board = file.board().expect("a board");
        let made =
            render_site(&open(dir), &board, &file.bytes, &Request::default()).expect("a site");
        let varies = |path: &str| {
            ["p/", "m/", "bundles/", "prompts", "index", "v1/"]
                .iter()
                .any(|it| path.starts_with(it))
        };
        made.files.into_iter().filter(|(path, _)| varies(path)).collect()
    }

    fn found(dir: &Path, files: &[(String, Vec<u8>)]) -> Vec<String> {
        let files: Vec<_> = files.iter().map(|(path, bytes)| (path, bytes)).collect();
        let searched = search(&files, &open(dir), true, std::iter::empty());
        let findings = searched.expect("searched");
        findings.into_iter().map(|it| format!("{} {}", it.file, it.what)).collect()
    }

    #[test]
    fn honest_worlds_of_one_model_on_both_sets_give_no_alarm() {
        for seed in 0..200 {
            let dir = tempfile::tempdir().expect("a directory");
            world(dir.path(), seed);
            let files = rendered(dir.path());
            assert!(files.iter().any(|(path, _)| path.starts_with("p/")), "answers are shown");
            assert_eq!(found(dir.path(), &files), Vec::<String>::new(), "world {seed}");
        }
    }

    #[test]
    fn held_out_prompts_and_files_are_found_in_published_answers() {
        let dir = tempfile::tempdir().expect("a directory");
        let [_, secret] = world(dir.path(), 1);
        let honest = rendered(dir.path());
        let planted = |path: &str, bytes: Vec<u8>| {
            let mut files = honest.clone();
            files.push((path.to_owned(), bytes));
            found(dir.path(), &files)
        };
        let held = |name: &str| {
            std::fs::read(dir.path().join("held-out/m").join(name)).expect("a held-out file")
        };
        for name in ["prompts.json", "completions.json", "judge.json"] {
            let said = planted(&format!("bundles/x/{name}"), held(name));
            assert_eq!(said.len(), 1, "{name}: {said:?}");
            assert!(said[0].contains("is a copy of the held-out file"), "{name}: {said:?}");
            // With one more byte it is not a copy any more, but it still contains the text.
            let said = planted(&format!("bundles/x/{name}"), [held(name), b"\n".to_vec()].concat());
            assert_eq!(said.len(), 1, "{name}: {said:?}");
        }
        let page = |text: &str| format!("<main>\n<!-- answers -->\n{text}\n<!-- /answers -->\n");
        let request = &secret[0];
        let in_answer = page(&format!("<ol class=\"script\"><li>% {request}</li></ol>"));
        for (path, text) in [
            ("p/x.html", in_answer.clone()),
            ("m/x.html", in_answer),
            ("p/y.html", page("<li>private_prompt_1</li>")),
            ("bundles/x/completions.json", format!("{{\"a\": \"{}\"}}", request.to_uppercase())),
        ] {
            let said = planted(path, text.into_bytes());
            assert_eq!(said.len(), 1, "{path}: {said:?}");
            assert!(said[0].contains("of held-out prompt "), "{path}: {said:?}");
        }
        // An answer to a held-out prompt may appear among answers, and nowhere else.
        let answers: serde_json::Value =
            serde_json::from_slice(&held("completions.json")).expect("JSON");
        let texts = answers.as_object().expect("answers").values();
        let script = texts.map(|it| it["text"].as_str().expect("text")).next().expect("one");
        let code =
            script.lines().filter(|line| !line.starts_with('%')).collect::<Vec<_>>().join("\n");
        assert_eq!(planted("p/x.html", page(&code).into_bytes()), Vec::<String>::new());
        assert!(!planted("x.html", code.into_bytes()).is_empty());
    }
}
