//! Telling Slack: a server on this machine that behaves, and one that does not.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::harness::{Ran, World, finish};

const NOW: &str = "2026-05-14T13:00:00Z";
const CANARY: &str = "CANARY0123456789";

/// What the server answers to one connection.
#[derive(Clone, Copy)]
enum Answer {
    /// A status, extra headers, a body.
    Reply(&'static str, &'static str, &'static str),
    /// Half a reply, then nothing.
    Cut,
    /// Nothing at all for longer than anybody waits.
    Slow,
}

const OK: Answer = Answer::Reply("200 OK", "", "ok");

/// Answers each connection with the next answer, and hands over each body it was sent.
fn server(answers: Vec<Answer>) -> (String, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let base = format!("http://{}", listener.local_addr().expect("an address"));
    let (bodies, received) = channel();
    std::thread::spawn(move || {
        for answer in answers {
            let Ok((mut stream, _)) = listener.accept() else { return };
            let _ = bodies.send(request(&mut stream));
            match answer {
                Answer::Reply(status, headers, body) => {
                    let _ = write!(
                        stream,
                        "HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
                        body.len()
                    );
                }
                Answer::Cut => {
                    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Le");
                }
                Answer::Slow => std::thread::sleep(Duration::from_secs(6)),
            }
        }
    });
    (base, received)
}

/// The body of one request.
fn request(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let read = stream.read(&mut chunk).unwrap_or(0);
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .filter_map(|line| line.split_once(':'))
                .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
                .and_then(|(_, length)| length.trim().parse::<usize>().ok())
                .unwrap_or(0);
            if body.len() >= length || read == 0 {
                return body.to_owned();
            }
        }
        if read == 0 {
            return text.into_owned();
        }
    }
}

fn record(base: &str, flag: bool, more: &[&str]) -> (Ran, World) {
    let world = World::new();
    world.write("seeds.json", r#"{"history": {"score_scale": 5.0}, "slack": {"report_url": "https://example.org/report/1"}}"#);
    world.write(
        "run.json",
        format!(
            r#"{{"run_id":"r2","run_at":"2026-05-14T12:00:00Z","model":"claude-sonnet-4-5","aggregate_score":4.2,"hallucination_rate":0.0,"regression_detected":{flag}}}"#
        ),
    );
    let args =
        [&["record", "run.json", "--notify", "--json", "--now", NOW, "--slack-base", base], more];
    let mut command = world.command(&args.concat());
    for variable in ["GMAT_SLACK_WEBHOOK_QUALITY", "GMAT_SLACK_WEBHOOK_ONCALL"] {
        command.env(variable, format!("{base}/services/T0/B0/{CANARY}"));
    }
    let ran = finish(&mut command, None);
    assert!(!ran.both().contains(CANARY), "{ran:?}");
    assert!(!world.read("leaderboard/history.jsonl").contains(CANARY));
    assert_eq!(world.read("leaderboard/history.jsonl").lines().count(), 1);
    (ran, world)
}

fn notified(ran: &Ran) -> bool {
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    answer["slackNotified"].as_bool().expect("a flag")
}

#[test]
fn a_new_run_is_posted_once_and_a_known_one_not_at_all() {
    let (base, received) = server(vec![OK]);
    let (ran, world) = record(&base, false, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(notified(&ran));
    let card: serde_json::Value =
        serde_json::from_str(&received.recv().expect("a post")).expect("JSON");
    assert_eq!(
        card["text"],
        "Model quality run: claude-sonnet-4-5 @ 2026-05-14 12:00 UTC\nAggregate: 4.2 / 5.0 (first run) ✓\nHallucinations: 0 ✓\nRegression: None ✓"
    );
    let again = world.run(&["record", "run.json", "--notify", "--json", "--now", NOW]);
    assert_eq!((again.code, notified(&again)), (0, false));
    assert!(received.recv().is_err(), "nothing more is sent");
}

#[test]
fn a_regression_is_posted_to_both_channels() {
    let (base, received) = server(vec![OK, OK]);
    let (ran, _) = record(&base, true, &["--fail-on-regression"]);
    assert_eq!(ran.code, 1);
    assert!(notified(&ran));
    let posts: Vec<String> = received.iter().collect();
    assert_eq!(posts.len(), 2);
    assert_eq!(posts[0], posts[1]);
    assert!(posts[0].contains("Regression: DETECTED ✗"), "{}", posts[0]);
}

#[test]
fn a_server_that_stumbles_is_tried_again() {
    let busy = Answer::Reply("429 Too Many Requests", "Retry-After: 1\r\n", "rate_limited");
    let (base, received) =
        server(vec![busy, Answer::Reply("500 Internal Server Error", "", "oops"), OK]);
    let (ran, _) = record(&base, false, &[]);
    assert!(notified(&ran), "{}", ran.stderr);
    assert_eq!(received.iter().count(), 3);
}

#[test]
fn a_server_that_refuses_leaves_the_run_recorded() {
    let evil = Answer::Reply("302 Found", "Location: http://127.0.0.1:9/CANARY\r\n", "");
    for (answers, why, posts) in [
        (vec![Answer::Reply("404 Not Found", "", "no_service")], "http 404 no_service", 1),
        (vec![evil], "http 302", 1),
        (vec![Answer::Reply("200 OK", "", "<b>hello</b>")], "http 200", 1),
        (vec![Answer::Reply("429 Too Many Requests", "Retry-After: 3600\r\n", "")], "http 429", 1),
        (vec![Answer::Cut, Answer::Cut, Answer::Cut], "connection", 3),
    ] {
        let (base, received) = server(answers);
        let (ran, _) = record(&base, false, &[]);
        assert_eq!((ran.code, notified(&ran)), (0, false), "{why}");
        let words = format!(
            "warning: could not post `r2` to the quality channel: {why}\n\
             help: check GMAT_SLACK_WEBHOOK_QUALITY; the card is kept, and the next `record --notify` or `record --notify-only` sends it\n"
        );
        assert!(ran.stderr.starts_with(&words), "{}", ran.stderr);
        assert_eq!(received.iter().count(), posts, "{why}");
    }
    let (base, _received) = server(vec![Answer::Reply("410 Gone", "", "channel_is_archived")]);
    let (ran, _) = record(&base, false, &["--require-notify"]);
    assert_eq!(ran.code, 3);
}

const UNSENT: &str = "leaderboard/.cache/unsent.jsonl";

/// `record` in a world of an earlier call, with addresses at `base`.
fn call(world: &World, base: &str, args: &[&str]) -> Ran {
    let mut command = world.command(&[&["record", "--slack-base", base], args].concat());
    for variable in ["GMAT_SLACK_WEBHOOK_QUALITY", "GMAT_SLACK_WEBHOOK_ONCALL"] {
        command.env(variable, format!("{base}/services/T0/B0/{CANARY}"));
    }
    finish(&mut command, None)
}

#[test]
fn cards_that_could_not_be_sent_are_sent_by_the_next_call() {
    let gone = Answer::Reply("410 Gone", "", "channel_is_archived");
    let (base, _received) = server(vec![gone, gone]);
    let (ran, world) = record(&base, true, &["--require-notify"]);
    assert_eq!((ran.code, notified(&ran)), (3, false));
    let waiting = world.read(UNSENT);
    assert_eq!(
        waiting,
        "{\"channel\":\"quality\",\"run_id\":\"r2\",\"since\":\"2026-05-14T13:00:00Z\"}\n\
         {\"channel\":\"on-call\",\"run_id\":\"r2\",\"since\":\"2026-05-14T13:00:00Z\"}\n"
    );
    assert!(!waiting.contains(CANARY) && !waiting.contains("127.0.0.1"));
    // While a card waits, --require-notify fails, whatever else the call does.
    let ran = world.run(&["record", "run.json", "--require-notify"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("warning: 2 card(s) are unsent"), "{}", ran.stderr);
    // The same call again: the run is known, the cards go out; one channel still fails.
    let (base, received) = server(vec![OK, gone]);
    let ran = call(&world, &base, &["run.json", "--notify", "--require-notify", "--json"]);
    assert_eq!((ran.code, notified(&ran)), (3, false), "{}", ran.stderr);
    assert_eq!(received.iter().count(), 2);
    assert_eq!(world.read(UNSENT).lines().count(), 1);
    let (base, received) = server(vec![OK]);
    let ran = call(&world, &base, &["--notify-only", "--require-notify"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("posted `r2` to the on-call channel"), "{}", ran.stdout);
    assert!(received.recv().expect("a card").contains("DETECTED"));
    assert!(!world.exists(UNSENT));
    let ran = call(&world, &base, &["--notify-only", "--require-notify"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "there are no unsent cards\n"));
}

#[test]
fn a_card_of_a_retracted_run_is_dropped_and_a_damaged_list_is_named() {
    let (base, _received) = server(vec![Answer::Reply("404 Not Found", "", "no_service")]);
    let (_, world) = record(&base, false, &[]);
    assert_eq!(world.run(&["history", "retract", "r2", "--reason", "wrong"]).code, 0);
    let ran = call(&world, &base, &["--notify-only", "--require-notify"]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (0, "there are no unsent cards\n", "note: dropped the card about `r2`: retracted: wrong\n")
    );
    world.write(UNSENT, "{}\n");
    let ran = call(&world, &base, &["run.json", "--notify"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.starts_with(
            "error: not an unsent card\n  --> leaderboard/.cache/unsent.jsonl, line 1\n"
        ),
        "{}",
        ran.stderr
    );
}

#[test]
fn webhooks_of_the_config_get_the_card_in_their_own_words() {
    let created = Answer::Reply("201 Created", "", "{}");
    let (base, received) = server(vec![OK, Answer::Reply("204 No Content", "", ""), created]);
    let world = World::new();
    world.write(
        "seeds.json",
        r#"{"slack": {"report_url": "https://example.org/r"}, "webhooks": [
            {"name": "team", "kind": "mattermost", "env": "TEAM_HOOK"},
            {"name": "chat", "kind": "discord", "env": "CHAT_HOOK"},
            {"name": "bus", "kind": "json", "env": "BUS_HOOK"},
            {"name": "gone", "kind": "slack", "env": "GONE_HOOK"}]}"#,
    );
    world.write(
        "run.json",
        r#"{"run_id":"r1","run_at":"2026-05-14T12:00:00Z","model":"@all_x","aggregate_score":0.5}"#,
    );
    let call = ["record", "run.json", "--notify", "--now", NOW, "--slack-base", &base];
    let mut command = world.command(&call);
    for variable in ["TEAM_HOOK", "CHAT_HOOK", "BUS_HOOK"] {
        command.env(variable, format!("{base}/hooks/{CANARY}"));
    }
    let ran = finish(&mut command, None);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!ran.both().contains(CANARY));
    let cards: Vec<serde_json::Value> =
        received.iter().map(|body| serde_json::from_str(&body).expect("JSON")).collect();
    let text = "**Model quality run: @\u{200b}all\\_x @\u{200b} 2026-05-14 12:00 UTC**\n\
        Aggregate: 0.500 / 1.000 (first run) ✓\nHallucinations: n/a ✗\nRegression: None ✓\n\
        [View full report](<https://example.org/r>)";
    assert_eq!(cards[0], serde_json::json!({ "text": text }));
    assert_eq!(cards[1]["content"], text);
    assert_eq!(cards[1]["allowed_mentions"]["parse"], serde_json::json!([]));
    assert_eq!((&cards[2]["run_id"], &cards[2]["aggregate_score"]), (&"r1".into(), &0.5.into()));
    // The one without an address waits under its name; the two Slack channels are not asked for.
    assert!(ran.stderr.contains("could not post `r1` to the gone channel: not_configured"));
    assert!(!ran.stderr.contains("quality"), "{}", ran.stderr);
    assert_eq!(
        world.read(UNSENT),
        "{\"channel\":\"gone\",\"run_id\":\"r1\",\"since\":\"2026-05-14T13:00:00Z\"}\n"
    );
    world.write("seeds.json", "{}");
    let ran = world.run(&["record", "--notify-only", "--require-notify"]);
    assert_eq!(
        (ran.code, ran.stderr.as_str()),
        (0, "note: dropped the card about `r1`: there is no channel `gone` any more\n")
    );
}

#[test]
fn a_server_that_says_nothing_is_given_up_in_time() {
    let (base, _received) = server(vec![Answer::Slow, OK]);
    let started = std::time::Instant::now();
    let (ran, _) = record(&base, false, &[]);
    assert!(notified(&ran), "{}", ran.stderr);
    // Two times, not three: a run is recorded long before.
    let (base, received) = server(vec![Answer::Slow, Answer::Slow, OK]);
    let (ran, _) = record(&base, false, &[]);
    assert!(!notified(&ran), "{}", ran.stderr);
    assert!(received.try_iter().count() < 3);
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn an_answer_that_is_too_long_is_one_post() {
    let long: &'static str = Box::leak("x".repeat(1 << 20).into_boxed_str());
    let (base, received) = server(vec![Answer::Reply("200 OK", "", long), OK, OK]);
    let (ran, _) = record(&base, false, &[]);
    assert!(!notified(&ran), "{}", ran.stderr);
    assert_eq!(received.try_iter().count(), 1);
    assert!(ran.stderr.contains(": http 200\n"), "{}", ran.stderr);
}

#[test]
fn nothing_is_sent_dry_unconfigured_or_to_a_stranger() {
    let world = World::new();
    world.write(
        "run.json",
        r#"{"run_id":"r1","run_at":"2026-05-14T12:00:00Z","model":"m","aggregate_score":0.5}"#,
    );
    let dry = world.run(&["record", "run.json", "--notify", "--dry-run", "--now", NOW]);
    assert_eq!(dry.code, 0);
    assert!(
        dry.stdout.contains("{\"channel\":\"quality\",\"payload\":{\"blocks\":"),
        "{}",
        dry.stdout
    );
    assert!(!world.exists("leaderboard/history.jsonl"));
    let mut command = world.command(&["record", "run.json", "--notify", "--now", NOW]);
    let stranger = format!("https://evil.example/{CANARY}");
    let ran = finish(command.env("GMAT_SLACK_WEBHOOK_QUALITY", stranger), None);
    assert_eq!(ran.code, 0);
    let refused = "could not post `r1` to the quality channel: bad_url\n\
        help: check GMAT_SLACK_WEBHOOK_QUALITY, which must start with https://hooks.slack.com/ or ";
    assert!(ran.stderr.contains(refused), "{}", ran.stderr);
    assert!(!ran.both().contains(CANARY));
    let ran = world.run(&["record", "--notify-only", "r1", "--require-notify"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.stderr.contains("could not post `r1` to the quality channel: not_configured"),
        "{}",
        ran.stderr
    );
    world.write(
        "old.json",
        r#"{"run_id":"r0","run_at":"2026-05-01T12:00:00Z","model":"m","aggregate_score":0.5}"#,
    );
    std::fs::remove_file(world.path(UNSENT)).expect("the card of r1 waits");
    let ran = world.run(&["record", "old.json", "--notify", "--require-notify", "--now", NOW]);
    assert_eq!(
        (ran.code, ran.stderr.contains("could not post")),
        (0, false),
        "a backfill is silent"
    );
}
