//! The columns of the run leaderboard, as its documentation lists them.

use crate::table::{Display, Key, Layout, STARTED_AT, Slot};

pub(crate) fn layout() -> Layout {
    let id_where = |header: &str, is: &str| Slot {
        header: header.to_owned(),
        key: Key::IdWhere { facet: "kind".to_owned(), is: is.to_owned() },
        display: None,
    };
    let same = |name: &str| Slot::facet(name, name);
    let plain = |field: &str, name: &str| Slot::measure(field, name, Display::Plain);
    let whole = |field: &str, name: &str| Slot::measure(field, name, Display::Thousands);
    let json = vec![
        Slot::rank("rank"),
        Slot::id("entry_id"),
        id_where("benchmark_id", "benchmark"),
        id_where("run_id", "run"),
        same("environment"),
        same("model"),
        same("preset"),
        same(STARTED_AT),
        same("description"),
        plain("avg_reward", "reward"),
        plain("completion_rate", "completion_rate"),
        whole("total_cases", "cases"),
        whole("completed_cases", "completed_cases"),
        plain("avg_steps", "steps"),
        whole("total_tokens", "tokens"),
        whole("prompt_tokens", "prompt_tokens"),
        whole("completion_tokens", "completion_tokens"),
        plain("estimated_cost", "cost"),
        plain("duration_seconds", "duration"),
        plain("efficiency", "efficiency"),
        plain("tokens_per_step", "tokens_per_step"),
        same("source_path"),
        same("tags"),
        same("metadata"),
    ];
    let csv = vec![
        Slot::rank("rank"),
        Slot::id("entry_id"),
        same("environment"),
        same("model"),
        same("preset"),
        Slot::measure("avg_reward", "reward", Display::Fixed(4)),
        Slot::measure("completion_rate", "completion_rate", Display::Percent(2)),
        Slot::measure("avg_steps", "steps", Display::Fixed(2)),
        plain("total_tokens", "tokens"),
        Slot::measure("efficiency", "efficiency", Display::Fixed(4)),
        same(STARTED_AT),
    ];
    let page = vec![
        Slot::rank("Rank"),
        Slot::id("ID"),
        Slot::facet("Environment", "environment"),
        Slot::facet("Model", "model"),
        Slot::measure("Reward", "reward", Display::Fixed(3)),
        Slot::measure("Done", "completion_rate", Display::Percent(0)),
        Slot::measure("Steps", "steps", Display::Fixed(1)),
        Slot::measure("Tokens", "tokens", Display::Thousands),
        Slot::measure("Rew/1k tok", "efficiency", Display::Fixed(3)),
    ];
    Layout { json, csv, page, title: "RLM Leaderboard".to_owned(), ..Layout::default() }
}
