//! How the sources of an analysis are read, from its arguments.

use crate::fs;
use crate::workspace;
use std::collections::BTreeMap;
use std::path::Path;

use crate::cli::{Common, Input};
use crate::domain::Failure;
use crate::domain::config::Price;
use crate::import::rlm_code;
use crate::table::Measure;
use crate::workspace::Intake;

/// How the sources are read.
pub(super) fn intake(input: &Input, common: &Common) -> Result<Intake, Failure> {
    let mut measures = input.measures.clone();
    for line in input.spec.as_deref().map(lines).transpose()?.unwrap_or_default() {
        measures.push(line.parse::<Measure>()?);
    }
    Ok(Intake {
        from: input.from.source(),
        rlm: rlm_code::Options {
            compat: input.is_rlm_compat(),
            keep_benchmark_runs: input.keep_benchmark_runs,
        },
        prices: prices(common),
        measures,
        closed: input.spec.is_some(),
        latest: input.latest,
        all_topic: input.all_topic.clone(),
        header: input.header.then_some(true),
        root: common.root.clone(),
        config: common.config.clone(),
    })
}

/// The list prices of the config; none where there is no config that can be read.
fn prices(common: &Common) -> BTreeMap<String, Price> {
    let config = workspace::read_config_or_default(&common.root, common.config.as_deref());
    config.map(|(config, _)| config.prices).unwrap_or_default()
}

/// The lines of a file that are neither empty nor comments.
pub(super) fn lines(path: &Path) -> Result<Vec<String>, Failure> {
    let bytes = fs::read_typed(path, fs::OWN_FILE_LIMIT)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::unusable(format!("`{}` is not UTF-8", path.display())))?;
    let useful = |line: &&str| !line.is_empty() && !line.starts_with('#');
    Ok(text.lines().map(str::trim).filter(useful).map(str::to_owned).collect())
}
