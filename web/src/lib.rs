//! The core for a browser: a board is checked against its config and public bundles, a script is
//! scored. No network, clock or file; what is passed in is all there is.
//!
//! The caller puts the bytes of each argument with [`put`], calls an operation, and reads its answer,
//! one JSON document, at [`answer`] with [`answer_len`]. Names of files are text as UTF-8. A file that
//! is absent is put as [`absent`].

mod session;
mod sketch;

use std::sync::Mutex;

use serde::Serialize;

use session::Session;

static STATE: Mutex<State> =
    Mutex::new(State { given: Vec::new(), session: None, answer: Vec::new() });

struct State {
    /// Arguments of the next operation; `None` for an absent file.
    given: Vec<Option<Vec<u8>>>,
    session: Option<Session>,
    answer: Vec<u8>,
}

/// Arguments of an operation, taken in order.
struct Given(std::vec::IntoIter<Option<Vec<u8>>>);

impl Given {
    fn file(&mut self) -> Option<Vec<u8>> {
        self.0.next().flatten()
    }

    fn bytes(&mut self) -> Vec<u8> {
        self.file().unwrap_or_default()
    }

    fn text(&mut self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }

    /// Names and bytes in turn.
    fn named(mut self) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        while !self.0.as_slice().is_empty() {
            files.push((self.text(), self.bytes()));
        }
        files
    }
}

/// Answers that are errors: the call came at the wrong time.
#[derive(Serialize)]
struct Misused {
    misused: &'static str,
}

fn operate<T: Serialize>(run: impl FnOnce(Given, &mut Option<Session>) -> Option<T>) {
    let Ok(mut state) = STATE.lock() else { return };
    let state = &mut *state;
    let given = Given(std::mem::take(&mut state.given).into_iter());
    let misused = Misused { misused: "no board is open" };
    state.answer = match run(given, &mut state.session) {
        Some(answer) => serde_json::to_vec(&answer),
        None => serde_json::to_vec(&misused),
    }
    .unwrap_or_default();
}

/// Makes room for an argument of `len` bytes and returns where the caller writes it.
#[unsafe(no_mangle)]
pub extern "C" fn put(len: usize) -> *mut u8 {
    let Ok(mut state) = STATE.lock() else { return std::ptr::null_mut() };
    state.given.push(Some(vec![0; len]));
    state.given.last_mut().and_then(Option::as_mut).map_or(std::ptr::null_mut(), Vec::as_mut_ptr)
}

/// Puts an argument that is absent.
#[unsafe(no_mangle)]
pub extern "C" fn absent() {
    if let Ok(mut state) = STATE.lock() {
        state.given.push(None);
    }
}

/// Where the last answer is.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    STATE.lock().map_or(std::ptr::null(), |state| state.answer.as_ptr())
}

/// How many bytes the last answer has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    STATE.lock().map_or(0, |state| state.answer.len())
}

/// Opens a board: name and bytes of the config, name and bytes of the board, and `provider:model` of
/// the only row to check (absent for all rows).
#[unsafe(no_mangle)]
pub extern "C" fn open() {
    operate(|mut given, session| {
        let (config_file, config) = (given.text(), given.bytes());
        let (board_file, board) = (given.text(), given.bytes());
        let only = given.file().map(|id| String::from_utf8_lossy(&id).into_owned());
        *session = None;
        Some(match Session::open(config_file, config, board_file, board, only.as_deref()) {
            Ok(opened) => {
                let told = session::Opened::Ready(opened.seeds());
                *session = Some(opened);
                told
            }
            Err(failure) => {
                let all = std::iter::once(&failure).chain(&failure.others);
                session::Opened::Unusable { failures: all.map(ToString::to_string).collect() }
            }
        })
    });
}

/// Takes ledger and seal, name below the root and bytes of each file in turn. `is_checkout` is 0 for a
/// site, which has no ledger. The answer names files that are `wanted` too.
#[unsafe(no_mangle)]
pub extern "C" fn beside(is_checkout: usize) {
    operate(|given, session| Some(session.as_mut()?.beside(given.named(), is_checkout != 0)));
}

/// Takes wanted files that are there, as [`beside`] does; can be called more than once.
#[unsafe(no_mangle)]
pub extern "C" fn others() {
    operate(|given, session| {
        session.as_mut()?.others(given.named());
        Some(())
    });
}

/// Takes the prompts.json that bundles share, before they are replayed.
#[unsafe(no_mangle)]
pub extern "C" fn share() {
    operate(|mut given, session| {
        session.as_mut()?.share(given.bytes());
        Some(())
    });
}

/// Replays the bundles of the seed at this position: prompts.json, completions.json, judge.json, then
/// prompts.json, trajectory.json, verdicts.json of its lift bundle. All three of a bundle are absent
/// where there is no such folder. Its first file is the shared one if `is_shared` is not 0.
#[unsafe(no_mangle)]
pub extern "C" fn replay(seed: usize, is_shared: usize) {
    operate(|mut given, session| {
        let public = [given.file(), given.file(), given.file()];
        let lift = [given.file(), given.file(), given.file()];
        session.as_mut()?.replay(seed, public, lift, is_shared != 0)
    });
}

/// Compares the board with what was replayed. The moment, as `2026-06-18T00:00:00Z`, is for waivers
/// that end and for a ledger that is ahead of it.
#[unsafe(no_mangle)]
pub extern "C" fn finish() {
    operate(|mut given, session| {
        let now = given.text();
        Some(session.take()?.finish(&now))
    });
}

/// Scores one script, without a judge: the prompt as an object of prompts.json (absent to lint only),
/// then the script.
#[unsafe(no_mangle)]
pub extern "C" fn score() {
    operate(|mut given, _| {
        let prompt = given.file();
        Some(sketch::score(prompt.as_deref(), &given.text()))
    });
}
