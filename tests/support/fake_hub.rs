//! A strict stand-in for the hub on this machine: the hub, its file storage, and a host that nobody
//! should talk to, over the repositories below a folder (`datasets/OWNER/NAME/main/…`, `spaces/…`).
//! `settings.json` beside `main` says `private` and `sdk`; `extra_tree.json` adds entries to listings.
//!
//! A request that the real hub would refuse, or that a careful client does not send, is answered
//! with 400 and named at the end.
//!
//! A fault is `METHOD PATTERN=ACTION,…`: each request whose `ORIGIN:PATH?QUERY` has the pattern meets
//! the next action, until there are none left. `.*` in a pattern stands for anything; `503x2` is twice.
//!
//! | action | what happens |
//! |---|---|
//! | `503`, `429:retry-after=N`, `429:ratelimit=N`, `html503` | an error instead of the answer |
//! | `redirect:URL` | 302; `{EVIL}` is the other host |
//! | `stall:MS`, `reset` | no answer for so long, or never |
//! | `late500`, `lost`, `badjson`, `truncate:N`, `slow:MS:BYTES`, `corrupt`, `oversize:N` | the work is done, the answer is spoiled |

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::percent_decode_str;
use serde_json::{Value, json};
use sha2::Digest;

/// The names of the three servers in a fault, in the order of [`State::origins`].
const ORIGINS: [&str; 3] = ["hub", "cdn", "evil"];
const LFS: &str = "application/vnd.git-lfs+json";
const COLORS: [&str; 8] = ["red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"];
const MOVED: &str =
    "The branch was updated since you opened this page. Please refresh and try again.";

/// Three running servers; they end with the process.
pub struct FakeHub {
    pub endpoint: String,
    state: Arc<Mutex<State>>,
}

/// What the servers saw.
pub struct HubLog {
    /// `n`, `origin`, `method`, `path`, `headers` and `body` of every request.
    pub requests: Vec<Value>,
    pub violations: Vec<String>,
    /// Faults that no request met.
    pub unmet: Vec<String>,
}

struct State {
    root: PathBuf,
    origins: [String; 3],
    /// Token and role: `write`, `read` or `none`.
    tokens: Vec<(String, &'static str)>,
    page_size: usize,
    /// Whether pages link to the other host.
    links_away: bool,
    faults: Vec<Fault>,
    repositories: BTreeMap<String, Repository>,
    objects: BTreeMap<String, Vec<u8>>,
    /// Large files that may be uploaded, with their sizes.
    announced: BTreeMap<String, u64>,
    seen: HubLog,
}

struct Fault {
    method: String,
    pattern: String,
    actions: Vec<String>,
}

#[derive(Default)]
struct Repository {
    private: bool,
    sdk: Value,
    extra: Vec<Value>,
    commits: Vec<Commit>,
    /// Files that were asked about: whether they go to large-file storage, and their first bytes.
    asked: BTreeMap<String, (bool, Vec<u8>)>,
}

#[derive(Clone)]
struct Commit {
    oid: String,
    tree: String,
    files: BTreeMap<String, File>,
}

#[derive(Clone, PartialEq)]
struct File {
    bytes: Vec<u8>,
    is_large: bool,
}

struct Request {
    method: String,
    path: String,
    query: BTreeMap<String, String>,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

/// An answer that ends the work early.
type Routed = Result<Answer, Answer>;

impl FakeHub {
    /// Serves the repositories below `root`. `options` are `--fault FAULT`, `--page-size N` and
    /// `--link-origin EVIL`.
    pub fn start(root: PathBuf, tokens: &[(&str, &'static str)], options: &[&str]) -> Self {
        let listeners = ORIGINS.map(|_| TcpListener::bind("127.0.0.1:0").expect("a port"));
        let origin = |at: &TcpListener| format!("http://{}", at.local_addr().expect("an address"));
        let origins = [0, 1, 2].map(|at| origin(&listeners[at]));
        let endpoint = origins[0].clone();
        let (mut page_size, mut links_away, mut faults) = (1000, false, Vec::new());
        for option in options.chunks(2) {
            match option {
                ["--fault", fault] => faults.push(Fault::parse(fault)),
                ["--page-size", size] => page_size = size.parse().expect("a number"),
                ["--link-origin", "EVIL"] => links_away = true,
                other => panic!("unknown option {other:?}"),
            }
        }
        let tokens = tokens.iter().map(|(token, role)| ((*token).to_owned(), *role)).collect();
        let seen = HubLog { requests: Vec::new(), violations: Vec::new(), unmet: Vec::new() };
        let mut state = State {
            root,
            origins,
            tokens,
            page_size,
            links_away,
            faults,
            repositories: BTreeMap::new(),
            objects: BTreeMap::new(),
            announced: BTreeMap::new(),
            seen,
        };
        state.load();
        let state = Arc::new(Mutex::new(state));
        for (origin, listener) in listeners.into_iter().enumerate() {
            let state = Arc::clone(&state);
            std::thread::spawn(move || {
                for client in listener.incoming().flatten() {
                    let state = Arc::clone(&state);
                    std::thread::spawn(move || serve(client, origin, &state));
                }
            });
        }
        Self { endpoint, state }
    }

    /// What was seen so far.
    pub fn seen(&self) -> HubLog {
        let state = lock(&self.state);
        let unmet = state.faults.iter().filter(|fault| !fault.actions.is_empty());
        HubLog {
            requests: state.seen.requests.clone(),
            violations: state.seen.violations.clone(),
            unmet: unmet.map(|fault| fault.pattern.clone()).collect(),
        }
    }
}

fn lock(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn sha1(bytes: &[u8]) -> String {
    hex::encode(sha1::Sha1::digest(bytes))
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(sha2::Sha256::digest(bytes))
}

fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

impl Fault {
    fn parse(text: &str) -> Self {
        let (method, rest) = text.split_once(' ').expect("a method");
        let (pattern, list) = rest.split_once('=').expect("actions");
        let mut actions = Vec::new();
        for action in list.split(',') {
            let repeated = action.rsplit_once('x').and_then(|(it, n)| Some((it, n.parse().ok()?)));
            let (action, times) = repeated.unwrap_or((action, 1));
            actions.extend(std::iter::repeat_n(action.to_owned(), times));
        }
        Self { method: method.to_owned(), pattern: pattern.to_owned(), actions }
    }

    /// Whether the parts of the pattern stand in `place`, in their order.
    fn matches(&self, method: &str, place: &str) -> bool {
        let mut rest = Some(place);
        for part in self.pattern.split(".*") {
            rest = rest.and_then(|rest| Some(rest.split_once(part)?.1));
        }
        self.method == method && rest.is_some()
    }
}

/// Reads one request, answers it and ends the connection.
fn serve(mut client: TcpStream, origin: usize, state: &Mutex<State>) -> Option<()> {
    let request = Request::read(&client)?;
    let fault = lock(state).next_fault(origin, &request);
    let (action, value) = fault.split_once(':').unwrap_or((&fault, ""));
    let number = |text: &str| text.parse::<usize>().expect("a number");
    if action == "stall" {
        std::thread::sleep(Duration::from_millis(value.parse().expect("a number")));
    }
    let is_early = ["reset", "redirect", "html503"].contains(&action) || is_status(action);
    let mut answer = lock(state).answer(origin, &request, !is_early);
    match action {
        "reset" | "lost" => return None,
        "redirect" => {
            let location = value.replace("{EVIL}", &lock(state).origins[2]);
            answer =
                Answer { status: 302, headers: vec![("Location", location)], body: Vec::new() };
        }
        "html503" => answer = Answer::new(503, b"<html><body>503</body></html>"),
        "late500" => answer = refusal(500, "Internal Error", ""),
        "badjson" => answer = Answer::new(200, b"<!doctype html><p>captive portal</p>"),
        "corrupt" => answer.body[0] ^= 1,
        "oversize" => answer.body.resize(answer.body.len() + number(value), b'#'),
        status if is_status(status) => {
            answer = refusal(status.parse().expect("a status"), "Fault", "");
            match value.split_once('=') {
                Some(("retry-after", wait)) => answer.headers.push(("Retry-After", wait.into())),
                Some((_, wait)) => {
                    answer.headers.push(("RateLimit", format!("\"api\";r=0;t={wait}")));
                }
                None => {}
            }
        }
        _ => {}
    }
    let Answer { status, headers, mut body } = answer;
    let mut head = format!("HTTP/1.1 {status} Answer\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    client.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).ok()?;
    if action == "truncate" {
        body.truncate(number(value));
    }
    let (pause, step) = match (action, value.split_once(':')) {
        ("slow", Some((pause, step))) => (number(pause), number(step)),
        _ => (0, usize::MAX),
    };
    for part in body.chunks(step) {
        client.write_all(part).ok()?;
        std::thread::sleep(Duration::from_millis(pause as u64));
    }
    Some(())
}

fn is_status(action: &str) -> bool {
    action.len() == 3 && action.bytes().all(|byte| byte.is_ascii_digit())
}

impl Request {
    /// `None` if the client went away before the request was whole.
    fn read(client: &TcpStream) -> Option<Self> {
        let mut from = BufReader::new(client);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line).ok().filter(|read| *read > 0)?;
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let mut words = lines.first()?.split(' ').map(str::to_owned);
        let (method, target) = (words.next()?, words.next()?);
        let (path, query) = target.split_once('?').unwrap_or((&target, ""));
        let pair = |pair: &str| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(key), decode(value))
        };
        let query = query.split('&').filter(|it| !it.is_empty()).map(pair).collect();
        let header = |line: &String| {
            let (name, value) = line.split_once(':')?;
            Some((name.to_ascii_lowercase(), value.trim().to_owned()))
        };
        let headers: Vec<(String, String)> = lines[1..].iter().filter_map(header).collect();
        let path = path.to_owned();
        let mut request = Self { method, path, query, headers, body: Vec::new() };
        let length = request.header("content-length").parse().unwrap_or(0);
        request.body.resize(length, 0);
        from.read_exact(&mut request.body).ok()?;
        Some(request)
    }

    fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// Lines of JSON, one JSON value, or size and hash.
    fn described_body(&self) -> Value {
        let lines = || self.body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let parsed = lines().map(serde_json::from_slice).collect::<Result<Vec<Value>, _>>();
        match parsed {
            _ if self.body.is_empty() => Value::Null,
            Ok(lines) if self.header("content-type").contains("ndjson") => json!({"ndjson": lines}),
            Ok(lines) if self.header("content-type").contains("json") => json!({"json": lines[0]}),
            _ => json!({"sha256": sha256(&self.body), "bytes": self.body.len()}),
        }
    }
}

impl Answer {
    fn new(status: u16, body: &[u8]) -> Self {
        Self { status, headers: Vec::new(), body: body.to_vec() }
    }

    fn json(value: &Value) -> Self {
        Self::new(200, value.to_string().as_bytes())
    }
}

fn refusal(status: u16, message: &str, code: &str) -> Answer {
    let mut answer = Answer::new(status, json!({"error": message}).to_string().as_bytes());
    answer.headers.push(("X-Error-Message", message.to_owned()));
    if !code.is_empty() {
        answer.headers.push(("X-Error-Code", code.to_owned()));
    }
    answer
}

impl File {
    fn new(path: &str, bytes: Vec<u8>) -> Self {
        let is_large = is_large(path, &bytes);
        Self { bytes, is_large }
    }

    fn pointer(&self) -> String {
        let (hash, size) = (sha256(&self.bytes), self.bytes.len());
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{hash}\nsize {size}\n")
    }

    /// The id of the blob that git has.
    fn oid(&self) -> String {
        let pointer = self.pointer();
        let blob = if self.is_large { pointer.as_bytes() } else { &self.bytes };
        sha1(&[format!("blob {}\0", blob.len()).as_bytes(), blob].concat())
    }

    fn listed(&self, path: &str) -> Value {
        let size = self.bytes.len();
        let mut entry = json!({"type": "file", "oid": self.oid(), "size": size, "path": path});
        if self.is_large {
            let oid = sha256(&self.bytes);
            entry["lfs"] = json!({"oid": oid, "size": size, "pointerSize": self.pointer().len()});
        }
        entry
    }
}

/// Whether the hub stores a file that begins so as a large one.
fn is_large(path: &str, start: &[u8]) -> bool {
    let by_name = [".bin", ".zst", ".gz", ".zip"].iter().any(|end| path.ends_with(end));
    !start.is_empty() && (by_name || start[..start.len().min(512)].contains(&0))
}

impl Repository {
    fn head(&self) -> &Commit {
        self.commits.last().expect("the first commit")
    }

    /// Adds a commit unless the head has these files.
    fn commit(&mut self, id: &str, files: BTreeMap<String, File>) {
        let listing: Vec<(&String, String)> =
            files.iter().map(|(path, file)| (path, file.oid())).collect();
        let tree = sha1(format!("{listing:?}").as_bytes());
        match self.commits.last_mut() {
            Some(head) if head.tree == tree => head.files = files,
            last => {
                let parent = last.map_or(String::new(), |head| head.oid.clone());
                let oid = sha1(format!("{id} {parent} {tree}").as_bytes());
                self.commits.push(Commit { oid, tree, files });
            }
        }
    }

    /// Writes the branch and the list of commits, for the tests and for the next start.
    fn write(&self, dir: &Path) {
        let main = dir.join("main");
        let _ = fs::remove_dir_all(&main);
        for (path, file) in &self.head().files {
            let path = main.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
            fs::write(path, &file.bytes).expect("written");
        }
        let commit = |commit: &Commit| json!({"oid": commit.oid, "tree": commit.tree});
        let commits: Vec<Value> = self.commits.iter().map(commit).collect();
        let text = json!({"commits": commits}).to_string();
        fs::write(dir.join("repo.json"), text).expect("written");
    }

    fn read(dir: &Path, id: &str) -> Self {
        let json = |name: &str| fs::read(dir.join(name)).ok().map(|bytes| parse(&bytes));
        let settings = json("settings.json").unwrap_or_default();
        let private = settings["private"].as_bool().unwrap_or(id.starts_with("datasets/"));
        let extra = json("extra_tree.json").and_then(|it| it.as_array().cloned());
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let old = |commit: &Value| Commit {
            oid: text(&commit["oid"]),
            tree: text(&commit["tree"]),
            files: BTreeMap::new(),
        };
        let commits = json("repo.json").unwrap_or_default()["commits"]
            .as_array()
            .map(|commits| commits.iter().map(old).collect());
        let mut files = BTreeMap::new();
        let main = dir.join("main");
        for entry in walkdir::WalkDir::new(&main).into_iter().flatten() {
            if entry.file_type().is_file() {
                let path = entry.path().strip_prefix(&main).expect("below");
                let path = path.to_str().expect("UTF-8").to_owned();
                let file = File::new(&path, fs::read(entry.path()).expect("readable"));
                files.insert(path, file);
            }
        }
        let mut repository = Self {
            private,
            sdk: settings["sdk"].clone(),
            extra: extra.unwrap_or_default(),
            commits: commits.unwrap_or_default(),
            asked: BTreeMap::new(),
        };
        repository.commit(id, files);
        repository.write(dir);
        repository
    }
}

fn parse(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

/// What is wrong with the card of a Space.
fn card_errors(card: &str) -> Vec<String> {
    let Some((yaml, _)) = card.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---"))
    else {
        return vec!["README.md has no YAML block".to_owned()];
    };
    let value = |key: &str| {
        let line = yaml.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        line.map(str::trim)
    };
    let mut errors = Vec::new();
    if !matches!(value("sdk"), Some("static" | "gradio" | "docker")) {
        errors.push("\"sdk\" must be one of [docker, gradio, static]".to_owned());
    }
    for key in ["colorFrom", "colorTo"] {
        if value(key).is_some_and(|color| !COLORS.contains(&color)) {
            errors.push(format!("\"{key}\" must be one of {COLORS:?}"));
        }
    }
    errors
}

impl State {
    fn load(&mut self) {
        for kind in ["datasets", "spaces"] {
            let entries = walkdir::WalkDir::new(self.root.join(kind)).min_depth(2).max_depth(2);
            for entry in entries.into_iter().flatten() {
                let id = entry.path().strip_prefix(&self.root).expect("below");
                let id = id.to_str().expect("UTF-8").to_owned();
                let repository = Repository::read(entry.path(), &id);
                self.repositories.insert(id, repository);
            }
        }
    }

    fn next_fault(&mut self, origin: usize, request: &Request) -> String {
        let place = format!("{}:{}", ORIGINS[origin], request.path);
        let met = self
            .faults
            .iter_mut()
            .find(|fault| !fault.actions.is_empty() && fault.matches(&request.method, &place));
        met.map_or_else(String::new, |fault| fault.actions.remove(0))
    }

    /// Checks and records the request, and does what it asks if `works`.
    fn answer(&mut self, origin: usize, request: &Request, works: bool) -> Answer {
        let mut bad = self.broken_rules(origin, request);
        let n = self.seen.requests.len() + 1;
        let headers: BTreeMap<&String, &String> =
            request.headers.iter().map(|(key, value)| (key, value)).collect();
        self.seen.requests.push(json!({
            "n": n, "origin": ORIGINS[origin], "method": request.method, "path": request.path,
            "headers": headers, "body": request.described_body(),
        }));
        let routed =
            if works { self.route(origin, request, &mut bad) } else { Err(Answer::new(500, b"")) };
        let answer = routed.unwrap_or_else(|refused| refused);
        let reported =
            bad.iter().map(|it| format!("#{n} {} {}: {it}", request.method, request.path));
        self.seen.violations.extend(reported);
        if bad.is_empty() { answer } else { refusal(400, &bad.join("; "), "") }
    }

    /// The rules that hold for every request.
    fn broken_rules(&self, origin: usize, request: &Request) -> Vec<String> {
        let mut bad = Vec::new();
        let mut check = |holds: bool, what: &str| {
            if !holds {
                bad.push(what.to_owned());
            }
        };
        let Request { method, path, query, headers, body } = request;
        let authorization = || headers.iter().filter(|(name, _)| name == "authorization");
        check(origin != 2, "a request to a host that nobody should talk to");
        check(origin == 0 || authorization().count() == 0, "credentials for another host");
        check(authorization().count() < 2, "two sets of credentials");
        check(authorization().all(|(_, value)| value.starts_with("Bearer ")), "not a bearer token");
        for (token, _) in &self.tokens {
            let others = headers.iter().filter(|(name, _)| name != "authorization");
            let elsewhere =
                others.map(|(_, value)| value.as_str()).chain(query.values().map(String::as_str));
            let text = String::from_utf8_lossy(body);
            let mut places = elsewhere.chain([path.as_str(), &*text]);
            check(
                !places.any(|place| place.contains(token.as_str())),
                "the token is not only in its header",
            );
        }
        check(!request.header("user-agent").is_empty(), "no User-Agent");
        check(request.header("cookie").is_empty(), "a cookie");
        check(request.header("transfer-encoding").is_empty(), "a body of unknown length");
        check(self.origins[origin].ends_with(request.header("host")), "another Host");
        check(method != "GET" || body.is_empty(), "a GET with a body");
        check(!path.contains("//") && !decode(path).contains("/.."), "a path that is not normal");
        bad
    }

    fn route(&mut self, origin: usize, request: &Request, bad: &mut Vec<String>) -> Routed {
        let parts: Vec<&str> = request.path.trim_start_matches('/').split('/').collect();
        match (ORIGINS[origin], &*request.method, parts.as_slice()) {
            ("hub", "GET", ["api", "whoami-v2"]) => {
                let role =
                    self.role(request)?.ok_or_else(|| refusal(401, "Invalid username", ""))?;
                let auth = json!({"accessToken": {"displayName": "ci", "role": role}});
                Ok(Answer::json(&json!({"type": "user", "name": "user", "auth": auth})))
            }
            ("hub", "POST", ["api", "repos", "create"]) => self.create(request, bad),
            ("hub", "POST", ["api", "validate-yaml"]) => {
                let body = json_body(request, "application/json", &["content", "repoType"], bad)?;
                let errors = card_errors(body["content"].as_str().unwrap_or_default());
                let errors: Vec<Value> = errors.iter().map(|it| json!({"message": it})).collect();
                let status = if errors.is_empty() { 200 } else { 400 };
                Ok(Answer { status, ..Answer::json(&json!({"errors": errors, "warnings": []})) })
            }
            ("hub", "GET", ["api", "resolve-cache", kind, owner, name, oid, path @ ..]) => {
                let id = format!("{kind}/{owner}/{name}");
                let commit = commit(self.repository(request, &id, false)?, oid, true, bad)?;
                file(commit, path).map(|file| Answer::new(200, &file.bytes))
            }
            ("hub", "GET", ["api", kind, owner, name, "revision", revision]) => {
                let id = format!("{kind}/{owner}/{name}");
                let repository = self.repository(request, &id, false)?;
                let sha = &commit(repository, revision, false, bad)?.oid;
                let (private, sdk) = (repository.private, &repository.sdk);
                Ok(Answer::json(&json!({"id": id, "sha": sha, "private": private, "sdk": sdk})))
            }
            ("hub", "GET", ["api", kind, owner, name, "tree", revision]) => {
                self.tree(request, &format!("{kind}/{owner}/{name}"), revision, bad)
            }
            ("hub", "POST", ["api", kind, owner, name, "preupload", "main"]) => {
                self.preupload(request, &format!("{kind}/{owner}/{name}"), bad)
            }
            ("hub", "POST", ["api", kind, owner, name, "commit", "main"]) => {
                self.commit(request, &format!("{kind}/{owner}/{name}"), bad)
            }
            ("hub", "GET", [kind, owner, name, "resolve", revision, path @ ..]) => {
                let storage = self.origins[1].clone();
                let id = format!("{kind}/{owner}/{name}");
                let commit = commit(self.repository(request, &id, false)?, revision, true, bad)?;
                let found = file(commit, path)?;
                let (status, location) = if found.is_large {
                    let hash = sha256(&found.bytes);
                    (302, format!("{storage}/repos/{hash}?Signature=fake"))
                } else {
                    (307, format!("/api/resolve-cache/{id}/{}/{}", commit.oid, path.join("/")))
                };
                let headers = vec![("Location", location), ("X-Repo-Commit", commit.oid.clone())];
                Ok(Answer { status, headers, body: Vec::new() })
            }
            ("hub", "POST", [kind, owner, name, "info", "lfs", "objects", what]) => {
                let id = format!("{kind}/{owner}/{}", name.trim_end_matches(".git"));
                self.large_files(request, &id, what, bad)
            }
            ("cdn", "GET", ["repos", hash]) => {
                signed(request, bad);
                let all = self.repositories.values().flat_map(|it| it.head().files.values());
                let mut large = all.filter(|file| file.is_large && sha256(&file.bytes) == *hash);
                let found = large.next().ok_or_else(|| Answer::new(404, b"<Error/>"))?;
                Ok(Answer::new(200, &found.bytes))
            }
            ("cdn", "PUT", ["upload", hash]) => {
                signed(request, bad);
                let size = self.announced.get(*hash).copied();
                if size != Some(request.body.len() as u64) || sha256(&request.body) != *hash {
                    bad.push("bytes that were not announced".to_owned());
                }
                self.objects.insert((*hash).to_owned(), request.body.clone());
                Ok(Answer::new(200, b""))
            }
            _ => {
                bad.push("unknown address or method".to_owned());
                Err(refusal(404, "Not found", ""))
            }
        }
    }

    /// The role of the request's token; `None` without one.
    fn role(&self, request: &Request) -> Result<Option<&'static str>, Answer> {
        let Some(token) = request.header("authorization").strip_prefix("Bearer ") else {
            return Ok(None);
        };
        let known = self.tokens.iter().find(|(it, _)| it == token).map(|(_, role)| *role);
        known
            .map(Some)
            .ok_or_else(|| refusal(401, "Invalid credentials in Authorization header", ""))
    }

    /// The repository, if the request may read it, or write to it.
    fn repository(
        &mut self,
        request: &Request,
        id: &str,
        writes: bool,
    ) -> Result<&mut Repository, Answer> {
        let role = self.role(request)?;
        let status = if role.is_none() { 401 } else { 404 };
        let hidden = || refusal(status, "Repository not found", "RepoNotFound");
        let repository = self.repositories.get_mut(id).ok_or_else(hidden)?;
        if repository.private && matches!(role, None | Some("none")) {
            return Err(hidden());
        }
        if writes && role != Some("write") {
            let message = "Forbidden: you must use a write token to upload to a repository.";
            return Err(refusal(403, message, ""));
        }
        Ok(repository)
    }

    fn create(&mut self, request: &Request, bad: &mut Vec<String>) -> Routed {
        let keys = ["name", "organization", "type", "sdk", "visibility"];
        let body = json_body(request, "application/json", &keys, bad)?;
        let text = |key: &str| body[key].as_str().unwrap_or_default().to_owned();
        if self.role(request)? != Some("write") {
            return Err(refusal(403, "You don't have the rights to create a space", ""));
        }
        if text("type") != "space" || text("sdk") != "static" {
            bad.push("not a static Space".to_owned());
        }
        let id = format!("spaces/{}/{}", text("organization"), text("name"));
        if self.repositories.contains_key(&id) {
            return Err(refusal(409, "You already created this space repo", ""));
        }
        let dir = self.root.join(&id);
        fs::create_dir_all(dir.join("main")).expect("directories");
        let private = text("visibility") == "private";
        let settings = json!({"private": private, "sdk": text("sdk")}).to_string();
        for (name, text) in [
            ("settings.json", &*settings),
            ("main/.gitattributes", "*.bin filter=lfs\n"),
            ("main/README.md", "---\nsdk: static\n---\n"),
            ("main/index.html", "<!doctype html>\n<title>My static Space</title>\n"),
            ("main/style.css", "body {}\n"),
        ] {
            fs::write(dir.join(name), text).expect("written");
        }
        self.repositories.insert(id.clone(), Repository::read(&dir, &id));
        Ok(Answer::json(&json!({"name": id})))
    }

    fn tree(
        &mut self,
        request: &Request,
        id: &str,
        revision: &str,
        bad: &mut Vec<String>,
    ) -> Routed {
        let (page_size, links_away) = (self.page_size, self.links_away);
        let origin = self.origins[if links_away { 2 } else { 0 }].clone();
        let repository = self.repository(request, id, false)?;
        let commit = commit(repository, revision, true, bad)?;
        let query = &request.query;
        let known = ["recursive", "expand", "cursor", "limit"];
        if query.keys().any(|key| !known.contains(&key.as_str())) {
            bad.push("an unknown parameter".to_owned());
        }
        if query.get("recursive").map(String::as_str) != Some("true") {
            bad.push("a listing of one folder".to_owned());
        }
        let mut entries = Vec::new();
        let mut folders = BTreeSet::new();
        for (path, file) in &commit.files {
            for (at, _) in path.match_indices('/') {
                if folders.insert(&path[..at]) {
                    let oid = sha1(&path.as_bytes()[..at]);
                    entries.push(
                        json!({"type": "directory", "oid": oid, "size": 0, "path": path[..at]}),
                    );
                }
            }
            entries.push(file.listed(path));
        }
        entries.extend(repository.extra.iter().cloned());
        let start: usize = query.get("cursor").map_or(0, |it| it.parse().unwrap_or(usize::MAX));
        if start > entries.len() {
            bad.push("a cursor that was not given".to_owned());
            return Err(refusal(400, "Invalid cursor", ""));
        }
        let end = entries.len().min(start + page_size);
        let mut answer = Answer::json(&json!(entries[start..end]));
        if end < entries.len() {
            let path = &request.path;
            let next = format!(
                "{origin}{path}?recursive=true&expand=false&limit={page_size}&cursor={end}"
            );
            answer.headers.push(("Link", format!("<{next}>; rel=\"next\"")));
        }
        Ok(answer)
    }

    fn preupload(&mut self, request: &Request, id: &str, bad: &mut Vec<String>) -> Routed {
        let repository = self.repository(request, id, true)?;
        let body = json_body(request, "application/json", &["files"], bad)?;
        let mut files = Vec::new();
        for file in body["files"].as_array().into_iter().flatten() {
            only_keys(file, &["path", "sample", "size"], bad);
            let path = file["path"].as_str().unwrap_or_default();
            let sample = BASE64_STANDARD.decode(file["sample"].as_str().unwrap_or("?"));
            let sample = sample.unwrap_or_default();
            if sample.len() as u64 != file["size"].as_u64().unwrap_or(u64::MAX).min(512) {
                bad.push(format!("the sample of `{path}` is not its first 512 bytes"));
            }
            bad.extend(unsafe_path(path));
            let is_large = is_large(path, &sample);
            let mode = if is_large { "lfs" } else { "regular" };
            files.push(json!({"path": path, "uploadMode": mode, "shouldIgnore": false}));
            repository.asked.insert(path.to_owned(), (is_large, sample));
        }
        if files.len() > 256 {
            bad.push("more than 256 files in one question".to_owned());
        }
        Ok(Answer::json(&json!({"files": files, "commitOid": repository.head().oid})))
    }

    fn large_files(
        &mut self,
        request: &Request,
        id: &str,
        what: &str,
        bad: &mut Vec<String>,
    ) -> Routed {
        self.repository(request, id, true)?;
        if what == "verify" {
            let body = json_body(request, "application/json", &["oid", "size"], bad)?;
            let stored = self.objects.get(body["oid"].as_str().unwrap_or_default());
            if stored.map(|bytes| bytes.len() as u64) != body["size"].as_u64() {
                bad.push("a check of bytes that were not uploaded".to_owned());
            }
            return Ok(Answer::json(&json!({"success": true})));
        }
        let keys = ["operation", "transfers", "objects", "hash_algo", "ref"];
        let body = json_body(request, LFS, &keys, bad)?;
        let is_upload = body["operation"] == "upload" && body["hash_algo"] == "sha256";
        if !is_upload || body["ref"]["name"] != "main" || request.header("accept") != LFS {
            bad.push("not the question of an upload to main".to_owned());
        }
        let mut objects = Vec::new();
        for object in body["objects"].as_array().into_iter().flatten() {
            only_keys(object, &["oid", "size"], bad);
            let oid = object["oid"].as_str().unwrap_or_default();
            let mut entry = object.clone();
            if !self.objects.contains_key(oid) {
                self.announced.insert(oid.to_owned(), object["size"].as_u64().unwrap_or_default());
                let upload = format!("{}/upload/{oid}?Signature=fake", self.origins[1]);
                let verify = format!("{}/{id}.git/info/lfs/objects/verify", self.origins[0]);
                entry["actions"] = json!({"upload": {"href": upload}, "verify": {"href": verify}});
            }
            objects.push(entry);
        }
        Ok(Answer::json(&json!({"transfer": "basic", "objects": objects})))
    }

    fn commit(&mut self, request: &Request, id: &str, bad: &mut Vec<String>) -> Routed {
        let objects = self.objects.clone();
        let dir = self.root.join(id);
        let repository = self.repository(request, id, true)?;
        let lines = request.described_body()["ndjson"].as_array().cloned().unwrap_or_default();
        let Some((header, operations)) =
            lines.split_first().filter(|(it, _)| it["key"] == "header")
        else {
            bad.push("the body does not begin with a header".to_owned());
            return Err(refusal(400, "Missing header", ""));
        };
        only_keys(&header["value"], &["summary", "description", "parentCommit"], bad);
        if header["value"]["summary"].as_str().unwrap_or_default().is_empty() {
            bad.push("an empty summary".to_owned());
        }
        // Without the parent, another's commit would be overwritten.
        let Some(parent) = header["value"]["parentCommit"].as_str() else {
            bad.push("no parent".to_owned());
            return Err(refusal(400, "No parent", ""));
        };
        if parent != repository.head().oid {
            return Err(refusal(412, MOVED, ""));
        }
        let mut files = repository.head().files.clone();
        let mut touched = BTreeSet::new();
        for line in operations {
            let value = &line["value"];
            let path = value["path"].as_str().unwrap_or_default();
            bad.extend(unsafe_path(path));
            if !touched.insert(path) {
                bad.push(format!("`{path}` twice"));
            }
            let asked = repository.asked.remove(path);
            match line["key"].as_str() {
                Some("file") => {
                    only_keys(value, &["path", "content", "encoding"], bad);
                    let bytes = BASE64_STANDARD.decode(value["content"].as_str().unwrap_or("?"));
                    let bytes = bytes.unwrap_or_default();
                    let sample = bytes[..bytes.len().min(512)].to_vec();
                    if asked != Some((false, sample)) {
                        bad.push(format!("`{path}` is not what the hub was asked about"));
                    }
                    let file = File { bytes, is_large: false };
                    if files.insert(path.to_owned(), file.clone()) == Some(file) {
                        bad.push(format!("`{path}` did not change"));
                    }
                }
                Some("lfsFile") => {
                    only_keys(value, &["path", "algo", "oid", "size"], bad);
                    let bytes = objects.get(value["oid"].as_str().unwrap_or_default()).cloned();
                    if !asked.is_some_and(|(is_large, _)| is_large) || bytes.is_none() {
                        bad.push(format!("`{path}` was not uploaded as a large file"));
                    }
                    let bytes = bytes.unwrap_or_default();
                    files.insert(path.to_owned(), File { bytes, is_large: true });
                }
                Some("deletedFile") => {
                    if files.remove(path).is_none() || path == ".gitattributes" {
                        bad.push(format!("`{path}` cannot be deleted"));
                    }
                }
                _ => bad.push(format!("an unknown line: {line}")),
            }
        }
        let card = files.get("README.md").map(|file| String::from_utf8_lossy(&file.bytes));
        let errors = card.map(|card| card_errors(&card)).unwrap_or_default();
        if !errors.is_empty() {
            return Err(refusal(400, &errors.join("; "), ""));
        }
        if files == repository.head().files {
            bad.push("a commit that changes nothing".to_owned());
        }
        if bad.is_empty() {
            repository.commit(id, files);
            repository.write(&dir);
        }
        let oid = repository.head().oid.clone();
        let url = format!("{}/{id}/commit/{oid}", self.origins[0]);
        Ok(Answer::json(&json!({"success": true, "commitOid": oid, "commitUrl": url})))
    }
}

/// The commit that `revision` names; with `pinned`, only a commit's own id is good.
fn commit<'r>(
    repository: &'r Repository,
    revision: &str,
    pinned: bool,
    bad: &mut Vec<String>,
) -> Result<&'r Commit, Answer> {
    let revision = decode(revision);
    if pinned && revision.len() != 40 {
        bad.push(format!("`{revision}` is not the id of a commit"));
    }
    if revision == "main" {
        return Ok(repository.head());
    }
    let found = repository.commits.iter().find(|commit| commit.oid == revision);
    found.ok_or_else(|| refusal(404, "Invalid rev id", "RevisionNotFound"))
}

fn file<'c>(commit: &'c Commit, path: &[&str]) -> Result<&'c File, Answer> {
    let path = decode(&path.join("/"));
    commit.files.get(&path).ok_or_else(|| refusal(404, "Entry not found", "EntryNotFound"))
}

fn signed(request: &Request, bad: &mut Vec<String>) {
    if request.query.get("Signature").map(String::as_str) != Some("fake") {
        bad.push("an address without its signature".to_owned());
    }
}

fn unsafe_path(path: &str) -> Option<String> {
    let is_unsafe = |part: &str| matches!(part, "" | "." | ".." | ".git");
    let is_bad = path.split('/').any(is_unsafe) || path.contains(['\\', '\0']);
    is_bad.then(|| format!("`{path}` is not a path of a file"))
}

fn only_keys(value: &Value, known: &[&str], bad: &mut Vec<String>) {
    let keys = value.as_object().into_iter().flat_map(serde_json::Map::keys);
    bad.extend(keys.filter(|key| !known.contains(&key.as_str())).map(|key| format!("key `{key}`")));
}

/// The body as JSON of this type, an object with no other keys.
fn json_body(
    request: &Request,
    kind: &str,
    keys: &[&str],
    bad: &mut Vec<String>,
) -> Result<Value, Answer> {
    if request.header("content-type") != kind {
        bad.push(format!("the body is not {kind}"));
    }
    let body: Option<Value> = serde_json::from_slice(&request.body).ok();
    let body = body.filter(Value::is_object).ok_or_else(|| {
        bad.push("the body is not a JSON object".to_owned());
        refusal(400, "Invalid JSON", "")
    })?;
    only_keys(&body, keys, bad);
    Ok(body)
}

#[test]
fn what_a_careful_client_does_not_send_is_refused() {
    let folder = tempfile::tempdir().expect("a directory");
    let main = folder.path().join("datasets/o/d/main");
    fs::create_dir_all(&main).expect("made");
    fs::write(main.join("a.txt"), "a\n").expect("written");
    let hub = FakeHub::start(folder.path().to_owned(), &[("hf_x", "write")], &[]);
    let origins = lock(&hub.state).origins.clone();
    let ask = |origin: usize, line: &str, headers: &str| {
        let host = origins[origin].trim_start_matches("http://");
        let mut stream = TcpStream::connect(host).expect("connected");
        let agent = format!("{line} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: t\r\n{headers}\r\n");
        stream.write_all(agent.as_bytes()).expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer[9..12].to_owned()
    };
    let token = "Authorization: Bearer hf_x\r\n";
    let revision = "GET /api/datasets/o/d/revision/main";
    assert_eq!(ask(0, revision, token), "200");
    assert_eq!(hub.seen().violations, [""; 0]);
    for (origin, line, headers) in [
        (0, "GET /api/datasets/o/d/tree/main?recursive=true", token),
        (0, &*format!("{revision}?token=hf_x"), token),
        (0, "GET /api/nothing", token),
        (0, revision, "Cookie: a=b\r\n"),
        (1, &*format!("GET /repos/{}", sha256(b"a\n")), ""),
        (1, "GET /repos/x?Signature=fake", token),
        (2, "GET /", ""),
    ] {
        let before = hub.seen().violations.len();
        assert_eq!(ask(origin, line, headers), "400", "{line}");
        assert!(hub.seen().violations.len() > before, "{line}");
    }
}
