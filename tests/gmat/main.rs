//! The GMAT scorer through its public door: grammar, contents, rules, hostile input, any input.

mod contents;
mod grammar;
mod hostility;
mod property;
mod rules;
