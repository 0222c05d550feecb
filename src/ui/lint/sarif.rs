//! Diagnostics as SARIF 2.1.0, which code hosts and editors read.

use serde::Serialize;

use super::{Linted, message};
use crate::domain::percent_encode;
use crate::gmat::{Diagnostic, Position, Rule, Severity};

/// The SARIF document with the diagnostics of these files.
pub fn document(results: Vec<SarifResult>) -> impl Serialize {
    let rules = Rule::ALL.map(|rule| SarifRule {
        id: rule.name(),
        full_description: Text { text: rule.explanation().to_owned() },
        default_configuration: Configuration { level: level(rule.severity()) },
    });
    let driver = Driver {
        name: env!("CARGO_PKG_NAME"),
        version: env!("CARGO_PKG_VERSION"),
        rules: rules.into(),
    };
    Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", results }],
    }
}

impl Linted<'_> {
    /// The diagnostics of the file as SARIF results.
    pub fn sarif(&self) -> Vec<SarifResult> {
        let path = self.file.split('/').map(percent_encode).collect::<Vec<_>>().join("/");
        let uri = if path.starts_with('/') { format!("file://{path}") } else { path };
        self.diagnostics.iter().map(|diagnostic| result(diagnostic, &uri)).collect()
    }
}

fn result(diagnostic: &Diagnostic, uri: &str) -> SarifResult {
    let Position { line, column } = diagnostic.position;
    SarifResult {
        rule_id: diagnostic.rule.name(),
        rule_index: diagnostic.rule as usize,
        level: level(diagnostic.severity()),
        message: Text { text: message(diagnostic) },
        locations: [Location {
            physical_location: Physical {
                artifact_location: Artifact { uri: uri.to_owned() },
                region: Region {
                    start_line: line,
                    start_column: column,
                    end_line: line,
                    end_column: column + diagnostic.width,
                },
            },
        }],
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<SarifRule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifRule {
    id: &'static str,
    full_description: Text,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Debug, Serialize)]
struct Text {
    text: String,
}

/// One diagnostic as SARIF has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Debug, Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}
