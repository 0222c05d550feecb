//! A preview on loopback: the site from memory, made again when something it is made from changes.
//!
//! Pages on the web can ask a browser to call loopback. Only requests that name this machine are
//! answered, only with files of the site, and nothing is ever written.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::domain::Failure;

/// How often the sources are looked at.
const LOOK: Duration = Duration::from_millis(400);
/// A slow or silent client is left alone after this.
const PATIENCE: Duration = Duration::from_secs(5);
/// More than a browser ever sends as a request's head.
const HEAD_LIMIT: u64 = 16 << 10;
const RELOAD: &str = "let v;setInterval(async()=>{try{const n=await(await fetch('/__version')).text();\
                      if(v&&v!==n)location.reload();v=n}catch{}},700)";

/// A port that is listened on.
#[derive(Debug)]
pub(crate) struct Preview {
    listener: TcpListener,
    port: u16,
}

#[derive(Default)]
struct Shown {
    files: BTreeMap<String, Vec<u8>>,
    version: u64,
}

impl Preview {
    /// Listens on `port` of this machine; 0 takes a free one.
    pub(crate) fn bind(port: u16) -> Result<Self, Failure> {
        let failed = |error: std::io::Error| {
            Failure::world(format!("cannot listen on port {port}"))
                .detail(error.to_string())
                .help("choose another port; `--port 0` picks a free one")
        };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Self { listener, port })
    }

    /// Where the preview is.
    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Serves `first` and, whenever `changed` gives something, that instead. Returns only if no
    /// thread can be started to serve with.
    ///
    /// `changed` is called on this thread: it may score, and the main thread is part of the pool.
    pub(crate) fn run(
        self,
        first: Vec<(String, Vec<u8>)>,
        mut changed: impl FnMut() -> Option<Vec<(String, Vec<u8>)>>,
    ) -> Result<(), Failure> {
        let shown = Mutex::new(Shown { files: first.into_iter().collect(), version: 1 });
        std::thread::scope(|threads| {
            let serve = || {
                for stream in self.listener.incoming().flatten() {
                    let (stream, shown, port) = (Arc::new(stream), &shown, self.port);
                    let other = Arc::clone(&stream);
                    // The preview does not care about a client that went away.
                    let reply = move || drop(answer(&other, shown, port));
                    let started = std::thread::Builder::new().spawn_scoped(threads, reply);
                    if started.is_err() {
                        let _ = answer(&stream, shown, port);
                    }
                }
            };
            let started = std::thread::Builder::new().spawn_scoped(threads, serve);
            started.map_err(|error| {
                Failure::world("the preview needs a second thread, and none can be started")
                    .detail(error.to_string())
                    .help("raise the limit on processes (`ulimit -u`, a container's pids limit), or write the site with `gmat-leaderboard render`")
            })?;
            loop {
                std::thread::sleep(LOOK);
                if let Some(files) = changed() {
                    let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
                    *shown =
                        Shown { files: files.into_iter().collect(), version: shown.version + 1 };
                }
            }
        })
    }
}

fn answer(mut stream: &TcpStream, shown: &Mutex<Shown>, port: u16) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(HEAD_LIMIT)).lines();
    let request = lines.next().transpose()?.unwrap_or_default();
    let mut host = String::new();
    for line in lines {
        let line = line?;
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("host")
        {
            value.trim().clone_into(&mut host);
        }
    }
    let ours = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{port}"));
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let reply = match method {
        "GET" | "HEAD" if ours.contains(&host) => page(target, shown),
        "GET" | "HEAD" => Reply::text(403, "this preview answers only to this machine"),
        _ => Reply::text(405, "only GET"),
    };
    let head = format!(
        "HTTP/1.1 {} -\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        reply.status,
        reply.kind,
        reply.body.len()
    );
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(&reply.body)?;
    }
    stream.flush()
}

struct Reply {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Reply {
    fn text(status: u16, text: &str) -> Self {
        Self { status, kind: "text/plain; charset=utf-8", body: text.as_bytes().to_vec() }
    }
}

fn page(target: &str, shown: &Mutex<Shown>) -> Reply {
    let shown = shown.lock().unwrap_or_else(PoisonError::into_inner);
    let path = target.split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    match path {
        "__version" => return Reply::text(200, &shown.version.to_string()),
        "__reload.js" => {
            return Reply { kind: "text/javascript", ..Reply::text(200, RELOAD) };
        }
        _ => {}
    }
    let path = if path.is_empty() { "index.html" } else { path };
    // Names of files of a site are plain ASCII, so nothing needs to be decoded.
    let (status, found) = match shown.files.get(path) {
        Some(bytes) => (200, bytes),
        None => match shown.files.get("404.html") {
            Some(bytes) => (404, bytes),
            None => return Reply::text(404, "not here"),
        },
    };
    let kind = match (status, path.rsplit('.').next().unwrap_or_default()) {
        (404, _) | (_, "html") => "text/html; charset=utf-8",
        (_, "css") => "text/css; charset=utf-8",
        (_, "js") => "text/javascript; charset=utf-8",
        (_, "json") => "application/json",
        (_, "xml") => "application/xml",
        (_, "svg") => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    };
    let body = if kind.starts_with("text/html") { with_reload(found) } else { found.clone() };
    Reply { status, kind, body }
}

fn with_reload(page: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(page);
    text.replacen("</head>", "<script src=\"/__reload.js\" defer></script>\n</head>", 1)
        .into_bytes()
}
