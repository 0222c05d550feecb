//! The real binary, in a directory of its own, with a bare environment: exact output, exit code, files.

#![allow(
    clippy::print_stderr,
    dead_code,
    unreachable_pub,
    reason = "the harness serves every theme; each uses a part of it"
)]

mod analysis;
mod answers;
mod attacks;
mod board;
mod boards;
mod browser;
mod bundles;
mod cells;
mod check;
mod corpus;
mod docs;
mod equivalents;
mod eval;
mod faults;
mod firewall;
mod freeze;
mod harness;
mod help;
mod hints;
mod honest;
mod hub;
mod ledger;
mod lint;
mod module;
mod packs;
mod recorded_board;
mod recount;
mod reference;
mod review;
mod scaffold;
mod schemas;
mod shell;
mod site;
mod slack;
mod snapshots;
mod sql;
mod standing;
mod story;
mod streams;
mod terminal;
mod threads;
mod trust;
mod verdict;
mod voice;
mod words;

#[path = "../support/fake_hub.rs"]
mod fake_hub;
#[path = "../support/fake_model.rs"]
mod fake_model;
#[path = "../support/need.rs"]
mod need;
