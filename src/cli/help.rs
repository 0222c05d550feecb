//! The overview: commands in groups, which clap does not do by itself.

use clap::builder::StyledStr;
use clap::{Command, CommandFactory, FromArgMatches};

use super::Cli;

/// The groups in the order a newcomer meets them.
const GROUPS: &[(&str, &[&str])] = &[
    ("Board", &["build", "verify", "render", "site", "serve", "demo", "diff"]),
    ("Entry", &["eval", "freeze", "check", "lint", "init", "heldout"]),
    ("Hub", &["fetch", "publish", "doctor"]),
    ("History", &["record", "history", "weekly"]),
    ("Analysis", &["rank", "stats", "group", "trend", "compare", "export", "correlate"]),
    ("Shell", &["completions", "help", "man", "schema"]),
];

/// The command line with its overview. `-h` of every command fits 40 lines of 80 columns: it leaves out
/// options with `hide_short_help`, and notes.
pub fn command() -> Command {
    let command = Cli::command();
    let header = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let mut overview = String::new();
    for (group, names) in GROUPS {
        let known = names.iter().filter_map(|name| command.find_subcommand(name));
        for (at, known) in known.enumerate() {
            let group = if at == 0 { *group } else { "" };
            let about = known.get_about().map(ToString::to_string).unwrap_or_default();
            let name = known.get_name();
            overview +=
                &format!("{header}{group:<8}{header:#} {literal}{name:<11}{literal:#} {about}\n");
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{overview}\n{{options}}{{after-help}}"
    );
    let footer = "More: gmat-leaderboard COMMAND -h, gmat-leaderboard help TOPIC (see help -h).\n\
         What the words mean: gmat-leaderboard help terms";
    command
        .mut_subcommands(|known| brief(known, ""))
        .after_help(footer)
        .help_template(StyledStr::from(template))
}

/// Shortens what `-h` prints below the options to the examples and the names of the common options;
/// `--help` prints all of it.
fn brief(command: Command, above: &str) -> Command {
    let path = format!("{above} {}", command.get_name());
    let notes = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = notes.split("\n\n").find(|part| part.starts_with("Example"));
    let examples = examples.map(|examples| format!("{}\n\n", first_three(examples)));
    let examples = examples.unwrap_or_default();
    let short = format!(
        "{examples}Common options: --root DIR, --config FILE, --json, -q, --color WHEN.\n\
         All options and notes: gmat-leaderboard{path} --help. Words: help terms"
    );
    let command = command.after_help(short).mut_subcommands(|below| brief(below, &path));
    if notes.is_empty() { command } else { command.after_long_help(notes) }
}

/// The heading and the first three examples with their continuation lines.
fn first_three(examples: &str) -> String {
    let mut seen = 0;
    let is_kept = |line: &&str| {
        seen += usize::from(line.starts_with("  ") && !line.starts_with("   "));
        seen <= 3
    };
    examples.lines().take_while(is_kept).collect::<Vec<_>>().join("\n")
}

/// The parsed call, or what clap has to say about it.
pub fn parse(args: impl IntoIterator<Item = std::ffi::OsString>) -> Result<Cli, clap::Error> {
    let mut args: Vec<std::ffi::OsString> = args.into_iter().collect();
    // Documents also write `leaderboard build` and `leaderboard verify`.
    if args.get(1).is_some_and(|word| word == "leaderboard")
        && args.get(2).is_some_and(|word| word == "build" || word == "verify")
    {
        args.remove(1);
    }
    let matches = command().try_get_matches_from(args)?;
    Cli::from_arg_matches(&matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_stands_in_one_group() {
        let grouped: Vec<&str> =
            GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for known in Cli::command().get_subcommands().filter(|known| !known.is_hide_set()) {
            let name = known.get_name();
            assert_eq!(grouped.iter().filter(|other| **other == name).count(), 1, "{name}");
        }
    }

    #[test]
    fn leaderboard_before_build_and_verify_is_left_out() {
        let parsed = |line: &str| parse(line.split(' ').map(Into::into)).map(|cli| cli.command);
        assert!(matches!(parsed("x leaderboard build --out -"), Ok(crate::cli::Command::Build(_))));
        assert!(matches!(parsed("x leaderboard verify"), Ok(crate::cli::Command::Verify(_))));
        let ranked = parsed("x leaderboard --metric efficiency");
        assert!(matches!(ranked, Ok(crate::cli::Command::Leaderboard(_))));
    }

    /// A term of the program in a help text can be looked up.
    #[test]
    fn every_short_help_says_where_words_are_explained() {
        let known = command();
        for command in known.get_subcommands().chain([&known]) {
            let footer = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(footer.contains("help terms"), "{}", command.get_name());
        }
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn the_overview_and_the_help_of_a_command_say_the_same() {
        let overview = command();
        let mut spelt_out = command();
        spelt_out.build();
        for known in overview.get_subcommands() {
            let built = spelt_out.find_subcommand(known.get_name()).expect("the same commands");
            let about = |command: &Command| command.get_about().map(ToString::to_string);
            assert_eq!(about(built), about(known), "{}", known.get_name());
        }
    }
}
