//! What a hub must not get out of this program, shown with servers of our own: no other program
//! is needed.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use super::{DATASET, QUICK, TOKEN};
use crate::harness::{Ran, World, finish};

const FETCH: [&str; 5] = ["fetch", "--dataset", DATASET, "--to", "cache"];
const SHA: &str = "0123456789012345678901234567890123456789";

/// A server on this machine that answers every request by `answer` and keeps what it saw.
struct Server {
    origin: String,
    seen: Arc<Mutex<Vec<String>>>,
}

impl Server {
    fn start(answer: impl Fn(&str) -> String + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let seen: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&seen);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let Ok(mut stream) = stream else { return };
                let mut head = Vec::new();
                let mut byte = [0];
                while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).unwrap_or(0) == 1 {
                    head.push(byte[0]);
                }
                let head = String::from_utf8_lossy(&head).into_owned();
                let line = head.lines().next().unwrap_or_default().to_owned();
                kept.lock().expect("kept").push(head);
                let _ = stream.write_all(answer(&line).as_bytes());
            }
        });
        Self { origin, seen }
    }

    fn seen(&self) -> Vec<String> {
        self.seen.lock().expect("seen").clone()
    }
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n{headers}\r\n{body}"
    )
}

fn info() -> String {
    answer("200 OK", "", &format!("{{\"sha\":\"{SHA}\",\"private\":true}}"))
}

fn fetch(hub: &Server) -> (World, Ran) {
    let world = World::new();
    let mut command = world.command(&FETCH);
    command.args(QUICK).args(["--retries", "1"]);
    command.env("HF_ENDPOINT", &hub.origin).env("HF_TOKEN", TOKEN);
    let ran = finish(&mut command, None);
    for output in [&ran.stdout, &ran.stderr] {
        assert!(!output.contains(TOKEN), "{output}");
    }
    (world, ran)
}

fn token_in(requests: &[String]) -> usize {
    requests.iter().filter(|request| request.contains(TOKEN)).count()
}

#[test]
fn a_token_that_is_echoed_is_not_shown() {
    let hub = Server::start(|_| {
        let headers = format!("X-Request-Id: {TOKEN}\r\nX-HF-Warning: token; {TOKEN} is old\r\n");
        let body = format!("{{\"error\":\"no access for {TOKEN}\\u001b[2J\"}}");
        answer("403 Forbidden", &headers, &body)
    });
    let (_, ran) = fetch(&hub);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("the hub says: no access for <token>[2J\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("the hub warns: token; <token> is old\n"), "{}", ran.stderr);
}

/// The helper looks for the token in everything that is printed.
#[test]
fn a_token_in_names_and_addresses_is_not_shown() {
    let (head, tail) = TOKEN.split_at(4);
    for split in ["", "\\u0001", "\\u200b", "\\u001b"] {
        let path = format!("../{head}{split}{tail}/a");
        let hub = Server::start(move |line| {
            let file =
                format!("[{{\"type\":\"file\",\"path\":\"{path}\",\"oid\":\"{SHA}\",\"size\":6}}]");
            if line.contains("/revision/") { info() } else { answer("200 OK", "", &file) }
        });
        let (_, ran) = fetch(&hub);
        assert_ne!(ran.code, 0);
        assert!(ran.stderr.contains("<token>"), "{}", ran.stderr);
        let message = format!("{{\"error\":\"no access for {head}{split}{tail}\"}}");
        let hub = Server::start(move |_| answer("403 Forbidden", "", &message));
        let (_, ran) = fetch(&hub);
        assert!(ran.stderr.contains("no access for <token>"), "{}", ran.stderr);
    }
    for to in [format!("/{TOKEN}/x"), format!("http://{TOKEN}.example.org/")] {
        let hub = Server::start(move |_| answer("302 Found", &format!("Location: {to}\r\n"), ""));
        let (_, ran) = fetch(&hub);
        assert_ne!(ran.code, 0, "{}", ran.stderr);
    }
}

#[test]
fn large_files_come_from_elsewhere_without_the_token() {
    let storage = Server::start(|_| answer("200 OK", "", "large\n"));
    let to = storage.origin.clone();
    let hub = Server::start(move |line| {
        let sha256 = "c2e37bea4f4ec61370c1210101f4fb54da3b3bd2baf67e3bc5b2c6efbae85a80";
        if line.contains("/revision/") {
            info()
        } else if line.contains("/tree/") {
            let lfs = format!("{{\"oid\":\"{sha256}\",\"size\":6,\"pointerSize\":130}}");
            let file = format!(
                "[{{\"type\":\"file\",\"path\":\"a.bin\",\"oid\":\"{SHA}\",\"size\":6,\"lfs\":{lfs}}}]"
            );
            answer("200 OK", "", &file)
        } else {
            answer("302 Found", &format!("Location: {to}/a?Signature=hidden\r\n"), "")
        }
    });
    let (world, ran) = fetch(&hub);
    // The hash of other bytes was announced, so what arrived is refused; what matters is who asked.
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    assert!(ran.stderr.contains("its hash is another one"), "{}", ran.stderr);
    assert!(!ran.both().contains("hidden"), "a signed address is a secret: {}", ran.stderr);
    assert!(!world.exists("cache/a.bin"));
    assert_eq!(storage.seen().len(), 2, "once more after a wrong body, then no more");
    assert_eq!(token_in(&storage.seen()), 0);
    assert_eq!(token_in(&hub.seen()), hub.seen().len());
}

#[test]
fn a_regular_file_is_not_asked_for_elsewhere() {
    let evil = Server::start(|_| answer("200 OK", "", "evil\n"));
    let to = evil.origin.clone();
    let hub = Server::start(move |line| {
        if line.contains("/revision/") {
            info()
        } else if line.contains("/tree/") {
            let file =
                format!("[{{\"type\":\"file\",\"path\":\"a\",\"oid\":\"{SHA}\",\"size\":6}}]");
            answer("200 OK", "", &file)
        } else {
            answer("302 Found", &format!("Location: {to}/a\r\n"), "")
        }
    });
    let (_, ran) = fetch(&hub);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("it leads to another host"), "{}", ran.stderr);
    assert!(evil.seen().is_empty());
}

#[test]
fn pages_that_lead_back_or_elsewhere_end() {
    for (path, words) in
        [("/api/datasets/gmat/heldout/tree/", "lead back"), ("/x/", "another listing")]
    {
        let evil = Server::start(|_| answer("200 OK", "", "[]"));
        let to = evil.origin.clone();
        let hub = Server::start(move |line| {
            if line.contains("/revision/") {
                return info();
            }
            let link = format!("Link: <{to}{path}{SHA}?cursor=again>; rel=\"next\"\r\n");
            answer("200 OK", &link, "[]")
        });
        let (_, ran) = fetch(&hub);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        assert!(evil.seen().is_empty());
    }
}

#[test]
fn a_circle_of_redirects_ends() {
    let hub = Server::start(|_| answer("307 Temporary Redirect", "Location: /again\r\n", ""));
    let (_, ran) = fetch(&hub);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(ran.stderr.contains("more than five times"), "{}", ran.stderr);
    assert_eq!(hub.seen().len(), 6);
}
