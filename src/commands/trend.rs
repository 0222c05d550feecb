//! `trend`: a measure over time with a moving mean.

use super::analysis::{main_measure, ready};
use crate::cli::{Common, TrendArgs};
use crate::domain::{Exit, Failure};
use crate::table::{Clock, Select};
use crate::ui::Ui;

pub(super) fn run(args: &TrendArgs, common: &Common, ui: Ui) -> Result<Exit, Failure> {
    let TrendArgs { sources, by, window, input, filter } = args;
    let ready = ready(sources, input, filter, Select::default(), None, common, ui)?;
    let by = main_measure(&ready.table, by.as_deref())?;
    if input.is_rlm_compat() && common.json {
        return super::upstream::trend(&ready, by, *window, ui);
    }
    let clock = if input.is_rlm_compat() { Clock::Texts } else { Clock::Instants };
    let trend = ready.table.trend(by, *window, clock);
    ui.trend(&ready.table, by, &trend, common.json)?;
    Ok(Exit::Yes)
}
