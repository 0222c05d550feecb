//! `help`: what a command or a concept is.

use crate::cli::{self, Help, TERMS, TOPICS};
use crate::domain::{Exit, Failure, nearest};
use crate::ui::Ui;

pub(super) fn run(args: &Help, ui: Ui) -> Result<Exit, Failure> {
    let mut command = cli::command();
    command.build();
    let mut named = &mut command;
    if args.of == ["terms"] {
        let terms = TERMS.iter().map(|(term, meaning)| format!("{term}\n    {meaning}\n"));
        ui.out(terms.collect::<String>())?;
        return Ok(Exit::Yes);
    }
    for (at, word) in args.of.iter().enumerate() {
        if let Some((_, text)) = TOPICS.iter().find(|(name, _)| at == 0 && name == word) {
            ui.out(*text)?;
            return Ok(Exit::Yes);
        }
        if let Some((_, meaning)) = TERMS.iter().find(|(term, _)| *term == args.of.join(" "))
            && named.find_subcommand(word).is_none()
        {
            ui.out(format!("{meaning}\n"))?;
            return Ok(Exit::Yes);
        }
        let commands = named.get_subcommands().map(|it| it.get_name().to_owned());
        let terms = TERMS.iter().map(|(term, _)| (*term).to_owned());
        let known: Vec<String> = if at == 0 {
            commands.chain(topics().map(str::to_owned)).chain(terms).collect()
        } else {
            commands.collect()
        };
        named = named.find_subcommand_mut(word).ok_or_else(|| {
            let near = nearest(word, known.iter().map(String::as_str));
            Failure::unusable(format!("unknown command or topic `{word}`"))
                .meant(near, "`gmat-leaderboard help` lists all")
        })?;
    }
    ui.out(named.render_long_help().ansi().to_string())?;
    if args.of.is_empty() {
        ui.out(format!("\nTopics: {}\n", topics().collect::<Vec<_>>().join(", ")))?;
    }
    Ok(Exit::Yes)
}

/// What can be explained beside commands.
fn topics() -> impl Iterator<Item = &'static str> {
    TOPICS.iter().map(|(name, _)| *name).chain(["terms"])
}
