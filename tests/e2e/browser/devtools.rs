//! Chromium over the DevTools pipe: two named pipes, messages ended by a zero byte.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A running browser; ended and cleaned up when dropped.
pub struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    next: u64,
    events: Vec<Value>,
    /// The browser's name for the storage that tabs use.
    context: Value,
    _profile: tempfile::TempDir,
}

/// One tab.
pub struct Page<'b> {
    browser: &'b mut Browser,
    session: String,
    target: String,
}

fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .flat_map(|dir| NAMES.map(|name| dir.join(name)))
        .find(|file| file.is_file())
}

impl Browser {
    /// Starts Chromium; `None` if there is none on PATH.
    pub fn start() -> Option<Self> {
        let chromium = chromium()?;
        let profile =
            tempfile::Builder::new().prefix("gmat-lb-chromium-").tempdir().expect("a profile");
        let (to, from) = (profile.path().join("to"), profile.path().join("from"));
        for pipe in [&to, &from] {
            let mode = rustix::fs::Mode::from_raw_mode(0o600);
            rustix::fs::mknodat(rustix::fs::CWD, pipe, rustix::fs::FileType::Fifo, mode, 0)
                .expect("a pipe");
        }
        // The browser reads from descriptor 3 and writes to 4; a shell can arrange that.
        let child = Command::new("sh")
            .arg("-c")
            .arg("exec \"$0\" \"$@\" 3<\"$GMAT_TO\" 4>\"$GMAT_FROM\"")
            .arg(chromium)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args(["--disable-default-apps", "--disable-dev-shm-usage", "--hide-scrollbars"])
            .args([
                "--remote-debugging-pipe",
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
            ])
            .arg(format!("--user-data-dir={}", profile.path().join("profile").display()))
            .env("GMAT_TO", &to)
            .env("GMAT_FROM", &from)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromium starts");
        let to = File::options().write(true).open(to).expect("the pipe to the browser");
        let from = BufReader::new(File::open(from).expect("the pipe from the browser"));
        let (events, context) = (Vec::new(), Value::Null);
        Some(Self { child, to, from, next: 0, events, context, _profile: profile })
    }

    /// Forgets what the tabs so far have stored.
    pub fn new_profile(&mut self) {
        if !self.context.is_null() {
            let old = json!({"browserContextId": self.context});
            self.call(None, "Target.disposeBrowserContext", &old);
        }
        let mut made = self.call(None, "Target.createBrowserContext", &json!({}));
        self.context = made["browserContextId"].take();
    }

    fn receive(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).expect("the browser speaks");
        message.pop();
        serde_json::from_slice(&message)
            .unwrap_or_else(|error| panic!("the browser ended: {error}"))
    }

    fn call(&mut self, session: Option<&str>, method: &str, params: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        let mut message = json!({"id": id, "method": method, "params": params});
        if let Some(session) = session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).expect("the browser listens");
        loop {
            let mut message = self.receive();
            if message["id"] == json!(id) {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    /// A new tab of `width` pixels; below 600 it is a phone.
    pub fn page(&mut self, width: u32) -> Page<'_> {
        let blank = json!({"url": "about:blank", "browserContextId": self.context});
        let target = self.call(None, "Target.createTarget", &blank);
        let target = target["targetId"].as_str().expect("a target").to_owned();
        let attached =
            self.call(None, "Target.attachToTarget", &json!({"targetId": target, "flatten": true}));
        let session = attached["sessionId"].as_str().expect("a session").to_owned();
        self.events.clear();
        let mut page = Page { browser: self, session, target };
        for domain in ["Page", "Runtime", "Log", "Network"] {
            page.call(&format!("{domain}.enable"), &json!({}));
        }
        let phone = width < 600;
        page.call(
            "Emulation.setDeviceMetricsOverride",
            &json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": phone}),
        );
        page
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page<'_> {
    pub fn call(&mut self, method: &str, params: &Value) -> Value {
        let session = self.session.clone();
        self.browser.call(Some(&session), method, params)
    }

    pub fn without_scripts(&mut self) {
        self.call("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
    }

    pub fn scheme(&mut self, scheme: &str) {
        let feature = json!({"name": "prefers-color-scheme", "value": scheme});
        self.call("Emulation.setEmulatedMedia", &json!({"features": [feature]}));
    }

    /// Goes to `url` and waits until it is loaded.
    pub fn go(&mut self, url: &str) {
        let loaded = self.count("Page.loadEventFired");
        self.call("Page.navigate", &json!({"url": url}));
        self.wait_for_load(loaded);
    }

    fn count(&self, method: &str) -> usize {
        self.browser.events.iter().filter(|event| event["method"] == method).count()
    }

    fn wait_for_load(&mut self, before: usize) {
        while self.count("Page.loadEventFired") <= before {
            let event = self.browser.receive();
            self.browser.events.push(event);
        }
    }

    /// What sticks out if the page is wider than `width` pixels; empty if nothing does.
    pub fn overflow(&mut self, width: u32) -> String {
        let wide = "document.documentElement.scrollWidth";
        let culprits = "[...document.querySelectorAll('body *')]\
            .filter((e) => e.getBoundingClientRect().right > WIDTH)\
            .map((e) => e.outerHTML.slice(0, 80)).join('\\n')";
        let question = format!("{wide} > {width} ? {wide} + ' px: ' + {culprits} : ''");
        let answer = self.eval(&question.replace("WIDTH", &width.to_string()));
        answer.as_str().expect("words").to_owned()
    }

    /// What `expression` is worth on the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut result = self.call("Runtime.evaluate", &params);
        assert!(result.get("exceptionDetails").is_none(), "{expression}: {result}");
        result["result"]["value"].take()
    }

    /// Presses a key on what has the focus.
    pub fn press(&mut self, key: &str, text: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut event =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": 13});
            if kind == "keyDown" {
                event["text"] = json!(text);
            }
            self.call("Input.dispatchKeyEvent", &event);
        }
    }

    /// Presses a key that leads to another page, and waits until that is loaded.
    pub fn press_and_wait(&mut self, key: &str, text: &str) {
        let loaded = self.count("Page.loadEventFired");
        self.press(key, text);
        self.wait_for_load(loaded);
    }

    /// Everything the page said or tried that it must not: console, exceptions, dialogs, requests
    /// to anywhere but itself.
    pub fn complaints(&mut self) -> Vec<String> {
        // A late word still counts; the answer to the question comes after all before it.
        std::thread::sleep(std::time::Duration::from_millis(50));
        self.eval("1");
        let bad = |event: &&Value| {
            let url = event["params"]["request"]["url"].as_str().unwrap_or_default();
            match event["method"].as_str().unwrap_or_default() {
                "Runtime.consoleAPICalled"
                | "Runtime.exceptionThrown"
                | "Log.entryAdded"
                | "Page.javascriptDialogOpening" => true,
                "Network.requestWillBeSent" => !["file://", "http://127.0.0.1:", "data:", "blob:"]
                    .iter()
                    .any(|ours| url.starts_with(ours)),
                _ => false,
            }
        };
        self.browser.events.iter().filter(bad).map(ToString::to_string).collect()
    }

    /// The addresses asked for so far, but those that are data themselves.
    pub fn requested(&self) -> Vec<String> {
        let sent = |event: &&Value| event["method"] == "Network.requestWillBeSent";
        let urls = self.browser.events.iter().filter(sent).filter_map(|event| {
            event["params"]["request"]["url"].as_str().filter(|url| !url.starts_with("data:"))
        });
        urls.map(str::to_owned).collect()
    }

    /// Closes the tab.
    pub fn close(self) {
        let target = self.target.clone();
        self.browser.call(None, "Target.closeTarget", &json!({"targetId": target}));
    }
}
