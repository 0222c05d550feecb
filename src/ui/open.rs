//! Opens an address in the user's browser, if the system knows how.

use std::process::{Command, Stdio};

use super::Ui;

/// What systems call it.
const OPENERS: [&str; 3] = ["xdg-open", "open", "wslview"];

impl Ui {
    /// Opens `address` in a browser. Not a failure if there is none: the address was printed.
    pub fn open(self, address: &str) {
        let opened = OPENERS.iter().any(|opener| {
            let quiet = Stdio::null;
            Command::new(opener)
                .arg(address)
                .stdin(quiet())
                .stdout(quiet())
                .stderr(quiet())
                .spawn()
                .is_ok()
        });
        if !opened {
            self.note("note: no browser could be started");
        }
    }
}
