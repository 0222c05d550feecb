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
