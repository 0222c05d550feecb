//! Beside the official SDKs: we send what they send. Against a real proxy: the whole way of an entrant.
//!
//! `GMAT_EVAL_PYTHON` names a python with the packages `openai` and `anthropic`, `GMAT_LITELLM` the program
//! `litellm` of the package `litellm[proxy]`; `scripts/peers eval` installs them.

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{CALL, FULL, KEY, TO, bundle, command, run, small};
use crate::fake_model::{FakeModel, Request};
use crate::harness::{World, board_world, copy, finish};
use crate::need::skip;

/// Asks once, with the texts and settings of the arguments.
const OPENAI: &str = "import sys\nfrom openai import OpenAI\n\
    OpenAI(max_retries=0).chat.completions.create(model='m-1', temperature=0.0, max_tokens=4096, \
    messages=[{'role': 'system', 'content': sys.argv[1]}, {'role': 'user', 'content': sys.argv[2]}])";
const ANTHROPIC: &str = "import sys\nfrom anthropic import Anthropic\n\
    Anthropic(max_retries=0).messages.create(model='m-1', extra_body={'temperature': 0.0}, \
    max_tokens=4096, system=sys.argv[1], messages=[{'role': 'user', 'content': sys.argv[2]}])";

fn named_by(variable: &str) -> Option<PathBuf> {
    let program = std::env::var_os(variable).map(PathBuf::from);
    if program.is_none() {
        skip("reference", &format!("{variable} is not set"));
    }
    program
}

#[test]
fn our_requests_are_those_of_the_official_sdks() {
    let Some(python) = named_by("GMAT_EVAL_PYTHON") else { return };
    for (provider, code, headers) in [
        ("openai", OPENAI, &["authorization", "content-type"][..]),
        ("anthropic", ANTHROPIC, &["x-api-key", "anthropic-version", "content-type"]),
    ] {
        let (model, world) = (FakeModel::start(&[]), small());
        let name = format!("{provider}:m-1");
        let call = [
            "eval",
            "--model",
            &name,
            "--answers-only",
            "--limit",
            "1",
            "--prompts",
            "prompts.json",
        ];
        let ran = run(&model, &world, &[&call]);
        assert_eq!(ran.code, 0, "{}", ran.both());
        let ours: Request = model.requests().remove(0);
        let texts = ours.body["messages"].as_array().expect("messages");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let system = ours.body.get("system").unwrap_or(&texts[0]["content"]);
        let user = &texts.last().expect("a message")["content"];
        model.forget();
        let mut sdk = Command::new(&python);
        sdk.args(["-c", code, &text(system), &text(user)]).env_clear().env("HOME", world.path(""));
        sdk.env("OPENAI_BASE_URL", format!("{}/v1", model.origin)).env("OPENAI_API_KEY", KEY);
        sdk.env("ANTHROPIC_BASE_URL", &model.origin).env("ANTHROPIC_API_KEY", KEY);
        let ran = finish(&mut sdk, None);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let theirs: Request = model.requests().remove(0);
        assert_eq!((&ours.method, &ours.path), (&theirs.method, &theirs.path), "{provider}");
        for header in headers {
            assert_eq!(
                ours.headers.get(*header),
                theirs.headers.get(*header),
                "{provider}: {header}"
            );
        }
        assert_eq!(ours.body, theirs.body, "{provider}");
    }
}

/// A LiteLLM proxy, ended with the test.
struct Proxy {
    child: Child,
    origin: String,
}

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Proxy {
    fn start(program: &Path, world: &World) -> Self {
        let entry = |name: &str, answer: &str| {
            format!(
                "  - model_name: {name}\n    litellm_params:\n      model: openai/x\n      api_key: none\n      mock_response: {}\n",
                serde_json::to_string(answer).expect("text")
            )
        };
        let script = "Sure:\n```gmat\n% a comment\nCreate Spacecraft Sat;\nSat.SMA = 7000;\n```\n";
        let vote = "{\"satisfies_intent\": true}";
        let models = entry("m-1", script) + &entry("demo/illustrative", vote);
        world.write("proxy.yaml", format!("model_list:\n{models}"));
        let port =
            TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
        let mut proxy = Command::new(program);
        proxy.args(["--config", "proxy.yaml", "--host", "127.0.0.1", "--port", &port.to_string()]);
        proxy.current_dir(world.path("")).env("LITELLM_LOCAL_MODEL_COST_MAP", "True");
        proxy.env("LITELLM_MASTER_KEY", KEY);
        proxy.env("HOME", world.path("")).stdout(Stdio::null()).stderr(Stdio::null());
        let child = proxy.spawn().expect("litellm starts");
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(120), "the proxy does not answer");
            std::thread::sleep(Duration::from_millis(200));
        }
        Self { child, origin: format!("http://127.0.0.1:{port}") }
    }

    fn command(&self, world: &World, args: &[&[&str]]) -> Command {
        // The stand-in gives the key; its addresses are replaced.
        let mut command = command(&FakeModel::start(&[]), world, args);
        command.env("OPENAI_BASE_URL", format!("{}/v1", self.origin));
        command.env("ANTHROPIC_BASE_URL", &self.origin);
        command
    }
}

#[test]
fn an_entrant_gets_through_a_real_proxy_although_the_run_is_killed_three_times() {
    let Some(litellm) = named_by("GMAT_LITELLM") else { return };
    let (world, whole) = (board_world(), board_world());
    copy(&world.path("board"), &world.path("base"));
    let proxy = Proxy::start(&litellm, &world);
    let ran = finish(&mut proxy.command(&whole, &[&CALL, &FULL]), None);
    assert_eq!(ran.code, 0, "{}", ran.both());
    for pause in [300, 600, 900] {
        let mut call = proxy.command(&world, &[&CALL, &FULL]);
        let mut child =
            call.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().expect("killed");
        child.wait().expect("gone");
    }
    let ran = finish(&mut proxy.command(&world, &[&CALL, &FULL]), None);
    assert_eq!(ran.code, 0, "{}", ran.both());
    assert!(ran.stdout.contains("51 of 51 answers had text around a code block"), "{}", ran.stdout);
    assert_eq!(bundle(&world, TO), bundle(&whole, TO));
    for call in [
        &["check", "--root", "board", TO, "--submitted-by", "me", "--add"][..],
        &["build", "--root", "board", "--held-out", "held-out"],
    ] {
        let ran = world.run(call);
        assert_eq!(ran.code, 0, "{call:?}: {}", ran.both());
    }
    assert!(world.read("board/leaderboard/leaderboard.json").contains("\"m-1\""));
    // The proxy also serves the Messages API.
    let small = small();
    let call = [
        "eval",
        "--model",
        "anthropic:m-1",
        "--answers-only",
        "--limit",
        "2",
        "--prompts",
        "prompts.json",
    ];
    let ran = finish(&mut proxy.command(&small, &[&call]), None);
    assert_eq!(ran.code, 0, "{}", ran.both());
}
