//! A relay before the stand-in, for the one fault it has no name for: the commit lands, and the
//! answer says that it failed.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::FakeHub;

const FAILED: &[u8] = b"HTTP/1.1 500 Internal Server Error\r\nContent-Length: 26\r\n\r\n\
    {\"error\":\"Internal Error\"}";

/// Passes everything on, but the answers to the first commits.
pub struct Relay {
    pub endpoint: String,
    /// How many more answers to a commit are replaced.
    lies: Arc<AtomicU32>,
}

impl Relay {
    pub fn start(hub: &FakeHub, lies: u32) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("an address"));
        let behind = hub.endpoint.strip_prefix("http://").expect("http").to_owned();
        let lies = Arc::new(AtomicU32::new(lies));
        let left = Arc::clone(&lies);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let (behind, left) = (behind.clone(), Arc::clone(&left));
                std::thread::spawn(move || pass(client, &behind, &left));
            }
        });
        Self { endpoint, lies }
    }

    /// How many answers are still to be replaced.
    pub fn lies_left(&self) -> u32 {
        self.lies.load(Ordering::SeqCst)
    }
}

/// Serves one connection until either side ends it.
fn pass(client: TcpStream, behind: &str, lies: &AtomicU32) -> Option<()> {
    let mut hub = TcpStream::connect(behind).ok()?;
    let mut answers = BufReader::new(hub.try_clone().ok()?);
    let mut asked = BufReader::new(client.try_clone().ok()?);
    let mut client = client;
    loop {
        let (head, body) = message(&mut asked, |line| {
            if line.to_ascii_lowercase().starts_with("host:") {
                format!("Host: {behind}\r\n")
            } else {
                line
            }
        })?;
        hub.write_all(head.as_bytes()).and_then(|()| hub.write_all(&body)).ok()?;
        let (answer, content) = message(&mut answers, |line| line)?;
        let is_commit = head.starts_with("POST ") && head.contains("/commit/");
        let lie = is_commit
            && lies
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |it| it.checked_sub(1))
                .is_ok();
        if lie {
            assert!(answer.starts_with("HTTP/1.1 200 "), "the commit landed: {answer}");
            client.write_all(FAILED).ok()?;
        } else {
            client.write_all(answer.as_bytes()).and_then(|()| client.write_all(&content)).ok()?;
        }
    }
}

/// The head, each line as `edit` gives it back, and the body of the next request or answer.
fn message(from: &mut impl BufRead, edit: impl Fn(String) -> String) -> Option<(String, Vec<u8>)> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if from.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        let is_last = line == "\r\n";
        head.push_str(&edit(line));
        if is_last {
            break;
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    Some((head, body))
}
