//! Exceptions an owner accepts: named, reasoned, dated, never for a leak.

use crate::domain::config::{Config, Waiver};
use crate::domain::{Code, Finding};

/// Findings after the config's waivers were applied.
#[derive(Debug, Default)]
pub struct Waived {
    /// What is left, expired waivers included.
    pub findings: Vec<Finding>,
    /// The waivers that were used.
    pub used: Vec<Waiver>,
}

/// Applies the waivers as of `today` (`YYYY-MM-DD`). A waived finding becomes nothing; an expired
/// waiver, or one for a leak, becomes a finding.
pub fn waive(config: &Config, config_file: &str, findings: Vec<Finding>, today: &str) -> Waived {
    let mut waived = Waived::default();
    let mut good = Vec::new();
    for (index, waiver) in config.waivers.iter().enumerate() {
        let refuse = |what: String| {
            Finding::new(Code::EWaiver, config_file, format!("waivers[{index}]"), what)
        };
        if waiver.code.is_leak() {
            waived
                .findings
                .push(refuse(format!("{} cannot be waived: it is about leaking", waiver.code)));
        } else if waiver.until.as_str() < today {
            waived
                .findings
                .push(refuse(format!("the waiver of {} ended on {}", waiver.code, waiver.until)));
        } else {
            good.push(waiver);
        }
    }
    for finding in findings {
        let covers = |waiver: &&&Waiver| {
            waiver.code == finding.code
                && (finding.path.starts_with(&waiver.path)
                    || finding.file.starts_with(&waiver.path))
        };
        match good.iter().find(covers) {
            None => waived.findings.push(finding),
            Some(by) if waived.used.contains(by) => {}
            Some(by) => waived.used.push((*by).clone()),
        }
    }
    waived
}
