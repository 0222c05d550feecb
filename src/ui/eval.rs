//! What `eval` prints.

use super::{Ui, escape};
use crate::domain::Failure;
use crate::domain::config::{Protocol, ProtocolText};

impl Ui {
    /// Prints the protocol; as JSON, just the bytes that its SHA-256 is made of.
    pub fn protocol(self, protocol: &Protocol, json: bool) -> Result<(), Failure> {
        if json {
            return self.pour(|out| out.write_all(&protocol.document()));
        }
        let part = |name: &str, text: &ProtocolText| {
            let from = match &text.file {
                Some(file) => file.to_string(),
                None => "shipped with the program".to_owned(),
            };
            let lines: Vec<_> = text.as_str().lines().map(escape).collect();
            format!("\n--- {name} ({})\n{}\n", escape(&from), lines.join("\n"))
        };
        self.out(format!(
            "protocol sha256: {}\ngeneration: {}\njudging: {}\n{}{}{}",
            protocol.sha256(),
            protocol.generation.words().join(", "),
            protocol.judging.words().join(", "),
            part("system", &protocol.system),
            part("request", &protocol.request),
            part("judge", &protocol.judge),
        ))
    }
}
