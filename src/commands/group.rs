//! `group`: the figures of a measure for each value of a facet.

use crate::cli::{Common, GroupArgs};
use crate::compat::rlm_code::{GroupsByValue, Upstream, UpstreamError};
use crate::domain::{Exit, Failure};
use crate::table::Select;
use crate::ui::Ui;
use crate::workspace::main_measure;

pub(super) fn run(args: &GroupArgs, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let GroupArgs { sources, on, by, input, filter } = args;
    let analysis = input.analysis(sources, common);
    let ready = analysis.ready(&filter.runs(), Select::default(), None, &|it| ui.remark(it))?;
    let by = main_measure(&ready.table, by.as_deref())?;
    let name = &ready.table.measure(by).name;
    let groups = if analysis.is_rlm_compat() {
        let groups = Upstream::new(&ready.table, ready.total).group(on, name);
        let groups = groups.map_err(|error| match error {
            UpstreamError::Name(error) => error.into(),
            error @ UpstreamError::ListField(_) => Failure::unusable(error.to_string()),
        })?;
        if common.json {
            ui.json(&GroupsByValue::new(&groups))?;
            return Ok(Exit::Yes);
        }
        groups
    } else {
        ready.table.group(on, by)?
    };
    ui.groups(on, name, &groups, common.json)?;
    Ok(Exit::Yes)
}
