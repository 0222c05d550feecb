//! `group`: the figures of a measure for each value of a facet.

use crate::cli::{Common, GroupArgs};
use crate::compat::rlm_code::{GroupsByValue, Upstream, UpstreamError};
use crate::domain::{Exit, Failure};
use crate::table::{Group, NameError, Select};
use crate::ui::Ui;
use crate::workspace::{main_measure, main_measures};

pub(super) fn run(args: &GroupArgs, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let GroupArgs { on, by, given } = args;
    let analysis = given.analysis(common);
    let work = ui.working();
    let ready = analysis.ready(&given.filter(), Select::default(), None, &|it| work.remark(it))?;
    let table = &ready.table;
    if analysis.is_rlm_compat() {
        let name = &table.measure(main_measure(table, by, "rlm-code's aggregation")?).name;
        let groups = Upstream::new(table, ready.total).group(on, name);
        let groups = groups.map_err(|error| match error {
            UpstreamError::Name(error) => error.into(),
            error @ UpstreamError::ListField(_) => Failure::unusable(error.to_string()),
        })?;
        drop(work);
        if common.json {
            ui.json(&GroupsByValue::new(&groups))?;
        } else {
            ui.groups(on, &[(name, groups)], common.json)?;
        }
        return Ok(Exit::Yes);
    }
    let measures = main_measures(table, by)?;
    let groups: Vec<(&str, Vec<Group>)> = measures
        .into_iter()
        .map(|by| Ok((table.measure(by).name.as_str(), table.group(on, by)?)))
        .collect::<Result<_, NameError>>()?;
    drop(work);
    ui.groups(on, &groups, common.json)?;
    Ok(Exit::Yes)
}
