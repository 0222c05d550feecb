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
pub fn waive(
    config: &Config,
    config_file: &str,
    mut findings: Vec<Finding>,
    today: &str,
) -> Waived {
    let (mut refused, mut used) = (Vec::new(), Vec::new());
    let mut good = Vec::new();
    for (index, waiver) in config.waivers.iter().enumerate() {
        let refuse = |what: String| {
            Finding::new(Code::EWaiver, config_file, format!("waivers[{index}]"), what)
        };
        if waiver.code.is_leak() {
            refused.push(refuse(format!("{} cannot be waived: it is about leaking", waiver.code)));
        } else if waiver.until.as_str() < today {
            refused
                .push(refuse(format!("the waiver of {} ended on {}", waiver.code, waiver.until)));
        } else {
            good.push(waiver);
        }
    }
    // In place: there may be a note for every row.
    findings.retain(|finding| {
        let covers = |waiver: &&&Waiver| {
            waiver.code == finding.code
                && (finding.path.starts_with(&waiver.path)
                    || finding.file.starts_with(&waiver.path))
        };
        let waiver = good.iter().find(covers);
        used.extend(waiver.filter(|by| !used.contains(**by)).map(|by| (*by).clone()));
        waiver.is_none()
    });
    findings.splice(..0, refused);
    Waived { findings, used }
}
