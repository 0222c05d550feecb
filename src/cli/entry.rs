//! Commands for entrants: from recorded answers to a pull request.

use std::path::PathBuf;

use clap::Args;

use super::Format;

// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard check leaderboard/bundles/acme__m1
  gmat-leaderboard check my-bundle --model acme:m1
  gmat-leaderboard check leaderboard/bundles/acme__m1 --prompt weather_polar_day
  gmat-leaderboard check leaderboard/bundles/acme__m1 --submitted-by acme --add
  gmat-leaderboard check --pull-request main-checkout --root their-checkout --format github

Works without a config too, then with 3 votes a prompt and no pinned public set.

Without judge.json only the structure of the answers is checked: the result is the score if the
judge accepted every answer, and --add is refused.

With --pull-request, two checkouts are compared. The request does one thing with one seed of kind
`entry`: it adds the seed with its bundle, gives it a new bundle, or marks it `withdrawn`. It adds
files only below leaderboard/bundles/<name>/ and changes nothing else. Untracked files that git
ignores are left out. Nothing is scored; the path of the new bundle, if there is one, is printed,
to be checked next.

Exit code: 0 the bundle is good, whatever it scores, or the request is; 1 a finding; 2 it could not
be checked.")]
pub struct Check {
    /// Bundle directory
    ///
    /// It has prompts.json, completions.json and, once there are votes, judge.json
    pub bundle: Option<PathBuf>,
    /// Model to score, if the bundle has several
    #[arg(long, value_name = "PROVIDER:MODEL")]
    pub model: Option<String>,
    /// Name of the submitter, for the entry in the config
    #[arg(help_heading = "Add the entry", long, value_name = "NAME")]
    pub submitted_by: Option<String>,
    /// Add the entry to the config if the bundle has no findings
    #[arg(help_heading = "Add the entry", long)]
    pub add: bool,
    /// For maintainers: the held-out bundle that the entry names, below the held-out directory
    ///
    /// An entry that is listed already gets it, if it names none yet
    #[arg(
        help_heading = "Add the entry",
        hide_short_help = true,
        long,
        value_name = "PATH",
        requires = "add"
    )]
    pub held_out_bundle: Option<String>,
    /// Check that the pull request in --root changes one entry of BASE
    ///
    /// BASE is the branch it is to be merged into: its name, or a directory with a checkout of it.
    /// The request adds, updates or withdraws one entry and changes nothing else
    #[arg(
        help_heading = "Check a pull request",
        long,
        value_name = "BASE",
        alias = "base",
        conflicts_with_all = ["bundle", "model", "submitted_by", "add", "held_out_bundle", "verbose", "prompt"]
    )]
    pub pull_request: Option<PathBuf>,
    /// List every failing prompt with its reasons, not only the summary
    #[arg(help_heading = "Output", short, long)]
    pub verbose: bool,
    /// List only this prompt, with its script; repeatable
    ///
    /// Shows its reasons, its votes and the recorded script with line numbers, marked where the
    /// linter reports something (human format only)
    #[arg(help_heading = "Output", long, value_name = "ID")]
    pub prompt: Vec<String>,
    /// Output format of the result
    #[arg(help_heading = "Output", long, value_enum, default_value = "human")]
    pub format: Format,
}

// Arguments of `freeze`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  gmat-leaderboard freeze --model acme:m1 --completions answers.jsonl \\
      --prompts leaderboard/bundles/other/prompts.json --votes votes.jsonl \\
      --to leaderboard/bundles/acme__m1
  gmat-leaderboard freeze --from recorded/ --to leaderboard/bundles/acme__m1
  gmat-leaderboard freeze --held-out --model acme:m1 \\
      --prompts heldout/prompts.json --completions answers.jsonl \\
      --votes votes.jsonl --to leaderboard/.cache/heldout/acme__m1
  gmat-leaderboard freeze --pin --model acme:m1 \\
      --prompts leaderboard/prompts.json --completions answers.jsonl \\
      --votes votes.jsonl --to leaderboard/bundles/acme__m1

A line of answers: {\"id\": …, \"text\": …, \"usage\": {…}}
  \"request\" can replace \"id\"; usage is optional.
A line of votes: {\"id\": …, \"votes\": [true, false, null]}
  or {\"id\": …, \"vote\": true} for each vote, in order.
The same input gives the same bytes, whatever the order of the lines.

A model that gave no answer has an empty text: {\"id\": …, \"text\": \"\"}.

Exit code: that of `check` on the new bundle; 2 if nothing was written.")]
pub struct Freeze {
    /// Model that gave the answers, as provider:model
    #[arg(long, value_name = "PROVIDER:MODEL", required_unless_present = "from")]
    pub model: Option<String>,
    /// The prompts.json of the set, copied byte for byte
    #[arg(help_heading = "Input", long, value_name = "FILE", required_unless_present = "from")]
    pub prompts: Option<PathBuf>,
    /// Recorded answers, one JSON object per line
    #[arg(help_heading = "Input", long, value_name = "FILE", required_unless_present = "from")]
    pub completions: Option<PathBuf>,
    /// Recorded votes, one JSON object per line
    ///
    /// Without them the bundle has no judge.json and is incomplete
    #[arg(help_heading = "Input", long, value_name = "FILE")]
    pub votes: Option<PathBuf>,
    /// Convert a recorded bundle instead: copy it and flatten its votes
    #[arg(help_heading = "Input", long, value_name = "DIR", conflicts_with_all = ["prompts", "completions", "votes"])]
    pub from: Option<PathBuf>,
    /// Write the bundle to this directory
    ///
    /// It must be absent, empty, or lack only judge.json
    #[arg(help_heading = "Output", long, value_name = "DIR")]
    pub to: PathBuf,
    /// Take each script out of its code block
    ///
    /// Takes the block tagged gmat or script, else the first
    #[arg(help_heading = "Input", long)]
    pub extract: bool,
    /// Write a bundle of the held-out set
    ///
    /// Only to a directory that git does not track; it is not compared with the public set
    #[arg(help_heading = "Which set", long)]
    pub held_out: bool,
    /// Pin this public set in the config, by SHA-256 and size
    ///
    /// For maintainers of a new board
    #[arg(help_heading = "Which set", long, conflicts_with = "held_out")]
    pub pin: bool,
    /// Output format of the check
    #[arg(help_heading = "Output", long, value_enum, default_value = "human")]
    pub format: Format,
}
