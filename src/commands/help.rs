//! `help`: what a command or a concept is.

use crate::cli::{self, Help, TOPICS};
use crate::domain::{Exit, Failure, nearest};
use crate::ui::Ui;

pub(super) fn run(args: &Help, ui: Ui) -> Result<Exit, Failure> {
    let mut command = cli::command();
    command.build();
    let mut named = &mut command;
    for (at, word) in args.of.iter().enumerate() {
        if let Some((_, text)) = TOPICS.iter().find(|(name, _)| at == 0 && name == word) {
            ui.out(*text)?;
            return Ok(Exit::Yes);
        }
        let commands = named.get_subcommands().map(|it| it.get_name().to_owned());
        let known: Vec<String> = if at == 0 {
            commands.chain(TOPICS.iter().map(|(name, _)| (*name).to_owned())).collect()
        } else {
            commands.collect()
        };
        named = named.find_subcommand_mut(word).ok_or_else(|| {
            let near = nearest(word, known.iter().map(String::as_str));
            Failure::unusable(format!("unknown command or topic `{word}`")).help(match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "`gmat-leaderboard help` lists all".to_owned(),
            })
        })?;
    }
    ui.out(named.render_long_help().ansi().to_string())?;
    if args.of.is_empty() {
        let names: Vec<&str> = TOPICS.iter().map(|(name, _)| *name).collect();
        ui.out(format!("\nTopics: {}\n", names.join(", ")))?;
    }
    Ok(Exit::Yes)
}
