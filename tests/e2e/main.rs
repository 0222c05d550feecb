//! The real binary, in a directory of its own, with a bare environment: exact output, exit code, files.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "the harness serves every theme; each uses a part of it"
)]

mod board;
mod harness;
mod hub;
mod ledger;
mod lint;
mod review;
mod scaffold;
mod shell;
mod slack;
