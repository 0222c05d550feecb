//! What `help` says about concepts.

/// A concept: its name, and the text.
pub const TOPICS: &[(&str, &str)] = &[
    (
        "bundle",
        "A bundle is a directory with the recorded answers of one model:

  prompts.json      what the model was asked, and what a script must contain
  completions.json  its answers, with token counts where they are known
  judge.json        the judge's votes on each answer
  run.json          how `eval` recorded it (optional, not scored)

Scoring replays a bundle: no model runs and no judge is asked. A prompt passes if the script has no
blocking lint finding, contains what the prompt requires, and most votes are yes. The SHA-256 of the
files is on the board, so a bundle cannot be exchanged later.

See: gmat-leaderboard help eval, freeze, check
",
    ),
    (
        "cohorts",
        "Two scores are comparable if the same things were measured in the same way: protocol version,
public set, judge, number of votes, scoring mode. Runs that share all of them are a cohort. Rows of
different judges are ranked on pages of their own. A difference (Δ) is shown only within a cohort,
relative to its baseline: the official one of the config, else the earliest run.

See: docs/comparability.md
",
    ),
    (
        "exit-codes",
        "  0  yes: done, or nothing was found
  1  no: a finding, such as a score that does not reproduce
  2  the call or the input is unusable; the message says where and what to do
  3  network or disk failure; trying again may help

Results and findings are on stdout; notes, warnings, progress and errors on stderr. With --json stdout
holds nothing but JSON.
",
    ),
    (
        "held-out",
        "The held-out set is the private test: prompts that are never published, so that no model can have
learned them. Its score ranks; the public score is shown beside it. A model that is much better on the
public prompts is marked as likely overfit.

The set is in a private dataset and in leaderboard/.cache/ while it is scored; git ignores that folder.
Whenever the set is at hand, everything that is written or sent is searched for its texts first.
`verify` cannot re-derive these scores without the set. `heldout commit` fixes them in advance, and
`heldout reveal` lets everybody check them when the set retires.

See: gmat-leaderboard help heldout, docs/threat-model.md
",
    ),
    (
        "protocol",
        "The protocol is how models are asked: the system text, the request text, the judge's text, and the
settings of both (temperature, token limit). It is part of the board, and its SHA-256 is in the run.json
of every bundle that `eval` records. Print it with `gmat-leaderboard eval --show-protocol`.

eval_protocol_version in the config names the version. Scores of different versions are never compared:
a new public set, held-out set, judge or number of votes needs a new version.
",
    ),
];

/// The terms of this program: each with its meaning. `help terms` and docs/glossary.md print them.
pub const TERMS: &[(&str, &str)] = &[
    (
        "aggregate-only",
        "A board that holds rates and counts, and no prompt and no answer. `verify` checks the form of every key.",
    ),
    (
        "attempt",
        "One scoring of a model on the held-out set. It is recorded in the ledger before the number is shown.",
    ),
    (
        "baseline",
        "The run that others of its cohort are compared with: the official one of the config, else the earliest.",
    ),
    (
        "board",
        "leaderboard.json: the ranked rows of one protocol version. It holds numbers, never a prompt or an answer.",
    ),
    ("bundle", "A directory with the recorded prompts, answers and judge votes of one model."),
    (
        "checkpoint",
        "Size and hash of the ledger at one time. It shows whether earlier lines were changed later.",
    ),
    ("cohort", "Runs that were measured in the same way, so that their scores can be compared."),
    (
        "commitment",
        "A hash of the held-out set, put into the ledger before the set is scored, so that it cannot be exchanged unnoticed.",
    ),
    ("entry", "A row whose answers and votes were recorded by whoever submitted it."),
    (
        "epoch",
        "Protocol version and weights of a run. Changes over time are computed within one epoch.",
    ),
    (
        "finding",
        "Something that is wrong, with a code, a place and what to do. Findings lead to exit code 1.",
    ),
    ("firewall", "The search of everything that is written or sent for texts of the held-out set."),
    ("freeze", "To make a bundle from recorded answers and votes."),
    ("gap", "Public score minus held-out score. On pages: public − private."),
    (
        "headline",
        "The held-out score of a row, which ranks it. It is pending until a maintainer scores it.",
    ),
    (
        "held-out set",
        "The private test: prompts that are never published. On pages it is called the private test.",
    ),
    ("judge", "A language model that votes on whether a script does what was asked."),
    ("ledger", "history.jsonl: an append-only list of runs, boards and corrections."),
    (
        "overfit",
        "Better on public prompts than on private ones by more than chance. On pages: likely overfit.",
    ),
    (
        "pack",
        "A named list of tasks of another benchmark whose results are recorded in the ledger.",
    ),
    ("protocol", "How models and the judge are asked: the texts and the settings."),
    (
        "protocol version",
        "A name for everything that must stay equal for scores to be compared; eval_protocol_version in the config.",
    ),
    (
        "public set",
        "The prompts that everybody can read. Scores on them can be re-derived by anybody.",
    ),
    (
        "regression",
        "A run whose score fell, or whose measure rose, by more than a limit of the config. An alarm, not a test of significance.",
    ),
    ("replay", "To score a bundle. No model runs, no judge is asked, no network is used."),
    (
        "reveal",
        "To publish a retired held-out set, so that everybody can check it against its commitment.",
    ),
    ("row", "One model on the board."),
    (
        "run",
        "One recorded score of one model at one time, a line of the ledger. In analysis: one row of a result file.",
    ),
    (
        "seal",
        "A file beside the board with the SHA-256 of the board and of everything it was scored from.",
    ),
    ("seed", "An element of `seeds` in the config: a model to score, with its bundles."),
    ("tier", "The difficulty of a prompt: easy, medium or hard."),
    ("top group", "The models that are not significantly behind the leader."),
    (
        "vote",
        "What a judge says about one answer: yes, no, or null if it could not be read. The majority decides.",
    ),
    ("waiver", "An exception from a finding, in the config, with a name, a reason and a last day."),
];
