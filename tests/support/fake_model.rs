//! A stand-in for model providers on this machine: Chat Completions, Messages and ollama's chat.
//!
//! It answers each request with a script or a vote that depends on the request alone, so that two
//! runs get the same answers. Faults are scripted; each is used once, in order.

use std::collections::{BTreeMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Request {
    pub method: String,
    pub path: String,
    pub headers: BTreeMap<String, String>,
    pub body: Value,
}

impl Request {
    /// Whether a judge is asked.
    pub fn is_vote(&self) -> bool {
        self.body["messages"].to_string().contains("satisfies_intent")
    }
}

#[derive(Default)]
struct State {
    requests: Vec<Request>,
    /// Requests that were answered with 200, as text.
    answered: Vec<String>,
    faults: VecDeque<String>,
    pause: Duration,
}

/// A running stand-in.
pub struct FakeModel {
    pub origin: String,
    state: Arc<Mutex<State>>,
}

const SCRIPT: &str = "% a comment\nCreate Spacecraft Sat;\nSat.SMA = 7000;\nCreate Propagator Prop;\n\
    Create ReportFile R;\nBeginMissionSequence;\nPropagate Prop(Sat) {Sat.ElapsedDays = 1};";

impl FakeModel {
    /// `faults`: `401`, `429:2` (Retry-After), `429:date`, `html`, `html503`, `cut`, `endless`,
    /// `garbage`, `null`, `two`, `redirect:URL`, `drip`, `echo`, `reset`, `length`, `filter`, `say:TEXT`.
    pub fn start(faults: &[&str]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let faults = faults.iter().map(|it| (*it).to_owned()).collect();
        let state = Arc::new(Mutex::new(State { faults, ..State::default() }));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let state = Arc::clone(&shared);
                std::thread::spawn(move || serve(client, &state));
            }
        });
        Self { origin, state }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits so long before each answer.
    pub fn pause(&self, pause: Duration) {
        self.lock().pause = pause;
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Request> {
        self.lock().requests.clone()
    }

    /// Forgets the requests so far.
    pub fn forget(&self) {
        let mut state = self.lock();
        state.requests.clear();
        state.answered.clear();
    }

    /// How many faults were not used.
    pub fn faults_left(&self) -> usize {
        self.lock().faults.len()
    }

    /// Bodies of requests that were answered, as text.
    pub fn answered(&self) -> Vec<String> {
        self.lock().answered.clone()
    }
}

fn serve(mut client: TcpStream, state: &Mutex<State>) -> Option<()> {
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let mut from = BufReader::new(client.try_clone().ok()?);
    // Connections are kept alive, as a real server keeps them.
    loop {
        let request = read(&mut from)?;
        let (fault, pause) = {
            let mut state = lock();
            state.requests.push(request.clone());
            let is_question = request.method == "POST";
            let fault = if is_question { state.faults.pop_front() } else { None };
            (fault.unwrap_or_default(), state.pause)
        };
        std::thread::sleep(pause);
        let (status, headers, body) = answer(&request, &fault);
        let length = match fault.as_str() {
            "cut" => body.len() + 100,
            "endless" => 1 << 40,
            _ => body.len(),
        };
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n"
        );
        if fault == "reset" {
            return None;
        }
        if status == 200 {
            lock().answered.push(request.body.to_string());
        }
        client.write_all(head.as_bytes()).ok()?;
        match fault.as_str() {
            "endless" => loop {
                client.write_all(&[b' '; 1 << 14]).ok()?;
            },
            "drip" => {
                for byte in body {
                    client.write_all(&[byte]).ok()?;
                    std::thread::sleep(Duration::from_millis(50));
                }
            }
            "cut" => {
                client.write_all(&body).ok()?;
                return None;
            }
            _ => client.write_all(&body).ok()?,
        }
    }
}

fn read(from: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    from.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let mut words = line.split(' ').map(str::to_owned);
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        from.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    let body = serde_json::from_slice(&body).unwrap_or_default();
    Some(Request { method, path, headers, body })
}

fn answer(request: &Request, fault: &str) -> (u16, String, Vec<u8>) {
    let (action, value) = fault.split_once(':').unwrap_or((fault, ""));
    let error = |status: u16, message: &str| {
        (status, String::new(), json!({"error": {"message": message}}).to_string().into_bytes())
    };
    let names = ["m-1", "gpt-4.1-mini", "demo/illustrative"];
    if request.method == "GET" {
        let models: Vec<Value> = names.iter().map(|id| json!({"id": id, "name": id})).collect();
        return (
            200,
            String::new(),
            json!({"data": models, "models": models}).to_string().into_bytes(),
        );
    }
    match action {
        "401" => return error(401, "bad key KEY-ECHO").echoing(request),
        "429" | "500" | "529" | "404" | "400" | "422" => {
            let (status, headers, body) = error(action.parse().expect("a status"), "in trouble");
            let wait = match value {
                "" => String::new(),
                "date" => "retry-after: Wed, 21 Oct 2015 07:28:00 GMT\r\n".to_owned(),
                wait => format!("retry-after: {wait}\r\n"),
            };
            return (status, headers + &wait, body);
        }
        "html" => return (200, String::new(), b"<html>captive portal</html>".to_vec()),
        "html503" => return (503, String::new(), b"<html>503</html>".to_vec()),
        "garbage" => return (200, String::new(), b"{\"choices\": [{\"mess".to_vec()),
        "redirect" => return (302, format!("location: {value}\r\n"), Vec::new()),
        "filter" => {
            let body = json!({"error": {"code": "content_filter", "message": "no"}});
            return (400, String::new(), body.to_string().into_bytes());
        }
        _ => {}
    }
    let mut hasher = DefaultHasher::new();
    request.body["messages"].to_string().hash(&mut hasher);
    let draw = hasher.finish();
    let text = match action {
        "null" => Value::Null,
        "say" => Value::from(value),
        "echo" => Value::from(format!("{:?}", request.headers)),
        _ if request.is_vote() => Value::from(match draw % 4 {
            0 => "```json\n{\"reason\": \"r\", \"satisfies_intent\": false}\n```",
            1 => "true",
            _ => "{\"satisfies_intent\": true}",
        }),
        _ if draw.is_multiple_of(3) => Value::from(SCRIPT),
        _ => Value::from(format!("Here it is:\n```gmat\n{SCRIPT}\n% {}\n```\nEnjoy.", draw % 97)),
    };
    let cut = action == "length";
    let (input, output) = (draw % 1000 + 1, draw % 100 + 1);
    let model = &request.body["model"];
    let body = if request.path.ends_with("/messages") {
        let blocks =
            if text.is_null() { json!([]) } else { json!([{"type": "text", "text": text}]) };
        json!({"id": "x", "type": "message", "role": "assistant", "model": model, "content": blocks,
            "stop_reason": if cut { "max_tokens" } else { "end_turn" },
            "usage": {"input_tokens": input, "output_tokens": output}})
    } else if request.path.ends_with("/api/chat") {
        json!({"model": model, "message": {"role": "assistant", "content": text}, "done": true,
            "done_reason": if cut { "length" } else { "stop" },
            "prompt_eval_count": input, "eval_count": output, "total_duration": 5})
    } else {
        let choice = json!({"index": 0, "message": {"role": "assistant", "content": text},
            "finish_reason": if cut { "length" } else { "stop" }});
        let other = json!({"index": 1, "message": {"role": "assistant", "content": "other"}});
        let choices = if action == "two" { json!([choice, other]) } else { json!([choice]) };
        json!({"id": "x", "object": "chat.completion", "model": model, "choices": choices,
            "usage": {"prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output}})
    };
    (200, String::new(), body.to_string().into_bytes())
}

trait Echoing {
    fn echoing(self, request: &Request) -> Self;
}

impl Echoing for (u16, String, Vec<u8>) {
    /// Repeats the key, as careless servers do.
    fn echoing(self, request: &Request) -> Self {
        let key = request.headers.get("authorization").or(request.headers.get("x-api-key"));
        let key = key.map_or("", |it| it.trim_start_matches("Bearer "));
        let text = String::from_utf8(self.2).expect("text").replace("KEY-ECHO", key);
        (self.0, self.1, text.into_bytes())
    }
}
