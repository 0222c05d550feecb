//! Every code a finding or failure can carry. Codes are stable: scripts may match on them.

use std::fmt;

use serde::{Serialize, Serializer};

/// A rule that can be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// `E-DIFF`: a published public cell is not what its bundle replays to.
    EDiff,
    /// `E-USAGE`: published usage is not what completions.json adds up to.
    EUsage,
    /// `E-LOOP`: close_the_loop is not what the lift bundle replays to.
    ELoop,
    /// `E-RANK`: a rank is not the recomputed one.
    ERank,
    /// `E-GAP`: overfit_gap is not public − held_out.
    EGap,
    /// `E-HEADER`: a header value differs from the config or is not of its form.
    EHeader,
    /// `E-RUN`: a row's own facts differ from the config or are not of their form.
    ERun,
    /// `E-HASH`: the bundle on disk is not the one the row was scored on.
    EHash,
    /// `E-HELD-FORM`: a held-out cell cannot be the result of counting prompts.
    EHeldForm,
    /// `E-HELD-SET`: rows were scored on different held-out sets.
    EHeldSet,
    /// `E-HELD`: a published held-out cell is not what its bundle replays to.
    EHeld,
    /// `E-ROW-MISSING`: a seed whose bundle is present has no row.
    ERowMissing,
    /// `E-ROW-UNKNOWN`: a row belongs to no seed of the config.
    ERowUnknown,
    /// `E-ROW-DUP`: two rows or two seeds name the same provider and model.
    ERowDup,
    /// `E-EMPTY`: no row was verified.
    EEmpty,
    /// `E-ORDER`: rows are not in the recomputed order.
    EOrder,
    /// `E-SCHEMA`: a value is not of its type, or a key is missing.
    ESchema,
    /// `E-BUNDLE`: a row's bundle is not there, so the row cannot be re-derived.
    EBundle,
    /// `E-PROTOCOL`: public set, judge or vote count changed under one protocol version.
    EProtocol,
    /// `E-SITE`: a file of the site is not what the board renders to.
    ESite,
    /// `E-WAIVER`: a waiver is expired, too long, not allowed, or covers nothing.
    EWaiver,
    /// `E-SUBMISSION`: a submission changes more than its own bundle and one seed.
    ESubmission,
    /// `L-KEY`: a key stands where the closed schema has none.
    LKey,
    /// `L-STATUS`: a status is not the one fixed sentence of a pending cell.
    LStatus,
    /// `L-TIER`: a tier is not one of the public set's, or its value is not a rate.
    LTier,
    /// `L-NAME`: a provider or model name leaves its alphabet or length.
    LName,
    /// `L-TEXT`: text of the held-out set stands in the output.
    LText,
    /// `L-TREE`: the held-out directory is tracked by git, or would be.
    LTree,
    /// `L-STORE`: the repository of the held-out set is not private.
    LStore,
    /// `L-WORDS`: rare words of one held-out prompt stand together in one field.
    LWords,
    /// `J-SYNTAX`: a file is not JSON.
    JSyntax,
    /// `J-CANON`: the board's bytes are not the canonical ones.
    JCanon,
    /// `J-DUPKEY`: a key stands twice in one object.
    JDupkey,
    /// `J-NUMBER`: NaN, Infinity, overflow, or an integer beyond 2^53.
    JNumber,
    /// `J-UTF8`: bytes that are not UTF-8.
    JUtf8,
    /// `J-BOM`: a byte order mark before the JSON.
    JBom,
    /// `J-DEPTH`: JSON nested too deep.
    JDepth,
    /// `J-SIZE`: a file above the size limit.
    JSize,
    /// `B-USAGE`: a usage key or number of a completion is outside its bounds.
    BUsage,
    /// `B-MISSING`: a completion of this model is missing from its bundle.
    BMissing,
    /// `B-FILE`: a bundle directory lacks one of its files, or it is empty.
    BFile,
    /// `B-VERDICT`: a vote is not true, false or null in a list.
    BVerdict,
    /// `B-VERDICTS`: judge.json does not cover exactly the prompt ids.
    BVerdicts,
    /// `B-VOTES`: a vote list is not as long as n_votes.
    BVotes,
    /// `B-TEXT`: a completion's text is not a string.
    BText,
    /// `B-SET`: prompts.json is not the pinned public set, or differs between rows.
    BSet,
    /// `B-DUP`: a prompt id or request stands twice in one set.
    BDup,
    /// `B-DRAFT`: a prompt is still a placeholder.
    BDraft,
    /// `B-JUDGE`: judge.json is neither flat nor nested under the model or the judge.
    BJudge,
    /// `B-TWIN`: two rows share most of their completions.
    BTwin,
    /// `B-PROVIDER`: a bundle's completions are recorded for another provider.
    BProvider,
    /// `B-EXTRA`: completions of this model match no prompt.
    BExtra,
    /// `B-LIFT`: a lift bundle is incomplete, or shared by two rows.
    BLift,
    /// `B-INJECT`: a completion speaks to the judge.
    BInject,
    /// `H-TORN`: the last line of the ledger was not finished.
    HTorn,
    /// `H-FORM`: the ledger's bytes are not lines.
    HForm,
    /// `H-CHECKPOINT`: a checkpoint is unreadable or smaller than the one before it.
    HCheckpoint,
    /// `H-TREE`: the ledger's lines are not the ones a checkpoint was taken of.
    HTree,
    /// `H-LINE`: a ledger line is invalid.
    HLine,
    /// `H-ORDER`: a line of the ledger was recorded before the line above it.
    HOrder,
    /// `H-WEEKLY`: weekly.json is not what the ledger derives to.
    HWeekly,
    /// `H-BOARD`: the board, or a file in `leaderboard/boards`, is not what the ledger recorded.
    HBoard,
    /// `H-ATTEMPT`: attempt or workflow run numbers in the ledger have gaps.
    HAttempt,
    /// `H-BASELINE`: an official baseline is unknown, unusable or one of two.
    HBaseline,
    /// `P-PATH`: a path leaves the directory it must stay in.
    PPath,
    /// `P-SPECIAL`: not a regular file.
    PSpecial,
    /// `P-SYMLINK`: the output is a symlink.
    PSymlink,
    /// `W-IO`: the file system refused.
    WIo,
}

/// Code, its spelling, what it means, what to do.
const TABLE: &[(Code, &str, &str, &str)] = &[
    (
        Code::EDiff,
        "E-DIFF",
        "a published public cell is not what its bundle replays to",
        "the bundle or the board changed since it was built; `gmat-leaderboard build --out -` prints what the bundles give and changes nothing",
    ),
    (
        Code::EUsage,
        "E-USAGE",
        "published usage is not what completions.json adds up to",
        "`gmat-leaderboard build --out -` prints what the bundles give and changes nothing",
    ),
    (
        Code::ELoop,
        "E-LOOP",
        "close_the_loop is not what the lift bundle replays to",
        "`gmat-leaderboard build --out -` prints what the bundles give and changes nothing",
    ),
    (
        Code::ERank,
        "E-RANK",
        "a rank is not the recomputed one",
        "ranks are 1, 2, 3 … by position; do not trust the order of this board",
    ),
    (
        Code::EGap,
        "E-GAP",
        "overfit_gap is not public − held_out",
        "the gap is the difference of the published rates",
    ),
    (
        Code::EHeader,
        "E-HEADER",
        "a header value differs from the config or is not of its form",
        "the header comes from the config: the config or the board changed since it was built",
    ),
    (
        Code::ERun,
        "E-RUN",
        "a row's own facts differ from the config or are not of their form",
        "provider, kind, submitted_by and run come from the config: the config or the board changed since it was built",
    ),
    (
        Code::EHash,
        "E-HASH",
        "the bundle on disk is not the one the row was scored on",
        "restore the bundle from the commit that added the row: `git log -- <bundle>`",
    ),
    (
        Code::EHeldForm,
        "E-HELD-FORM",
        "a held-out cell cannot be the result of counting prompts",
        "no counting of prompts gives this cell; a maintainer has to score the row again",
    ),
    (
        Code::EHeldSet,
        "E-HELD-SET",
        "rows were scored on different held-out sets",
        "score every row on one held-out set, or raise eval_protocol_version",
    ),
    (
        Code::EHeld,
        "E-HELD",
        "a published held-out cell is not what its bundle replays to",
        "the held-out bundle or the board changed; a maintainer has to score the row again",
    ),
    (
        Code::ERowMissing,
        "E-ROW-MISSING",
        "a seed whose bundle is present has no row",
        "a row was removed, or the board was not built since the seed came; `git log -- leaderboard/leaderboard.json` shows which",
    ),
    (
        Code::ERowUnknown,
        "E-ROW-UNKNOWN",
        "a row belongs to no seed of the config",
        "add the seed, remove the row, or `--allow-unseeded` to accept rows nobody re-derived",
    ),
    (
        Code::ERowDup,
        "E-ROW-DUP",
        "two rows or two seeds name the same provider and model",
        "keep one of them",
    ),
    (
        Code::EEmpty,
        "E-EMPTY",
        "no row was verified",
        "nothing verified is not success; check `--config` and `--root`, or pass `--allow-empty`",
    ),
    (
        Code::EOrder,
        "E-ORDER",
        "rows are not in the recomputed order",
        "scored rows come first, by headline, then by name; do not trust the order of this board",
    ),
    (
        Code::ESchema,
        "E-SCHEMA",
        "a value is not of its type, or a key is missing",
        "see the JSON Schema: `gmat-leaderboard schema board`",
    ),
    (
        Code::EBundle,
        "E-BUNDLE",
        "a row's bundle is not there, so the row cannot be re-derived",
        "check `--root`; bundles live below it at the paths the config names",
    ),
    (
        Code::EProtocol,
        "E-PROTOCOL",
        "public set, judge or vote count changed under one protocol version",
        "raise `eval_protocol_version` in the config: rows compare only within a version",
    ),
    (
        Code::ESite,
        "E-SITE",
        "a file of the site is not what the board renders to",
        "the site, the board, a bundle, the config or the program changed since it was rendered; `gmat-leaderboard render --out DIR` writes a fresh one beside it",
    ),
    (
        Code::EWaiver,
        "E-WAIVER",
        "a waiver has expired, runs longer than a year, names a code or place that cannot be waived, or covers nothing that was found",
        "remove the waiver, or correct it: B-VOTES, B-TWIN, B-INJECT and notes can be waived, for one bundle or row, for at most a year",
    ),
    (
        Code::ESubmission,
        "E-SUBMISSION",
        "a submission changes more than its own bundle and one seed",
        "keep `leaderboard/bundles/<name>/` and one seed with `kind: entry`; put the rest into another pull request",
    ),
    (
        Code::LKey,
        "L-KEY",
        "a key stands where the closed schema has none",
        "do not publish this board; a held-out gold may already be in it",
    ),
    (
        Code::LStatus,
        "L-STATUS",
        "a status is not the one fixed sentence of a pending cell",
        "do not publish this board; a held-out text can hide in a status",
    ),
    (
        Code::LTier,
        "L-TIER",
        "a tier is not one of the public set's, or its value is not a rate",
        "do not publish this board; per-prompt results can hide in tier names",
    ),
    (
        Code::LName,
        "L-NAME",
        "a provider or model name leaves its alphabet or length",
        "provider: [a-z0-9][a-z0-9._-]{0,40}; model: [A-Za-z0-9._:/+@-]{1,100}",
    ),
    (
        Code::LText,
        "L-TEXT",
        "text of the held-out set stands in the output",
        "remove the text from the named field; nothing was written",
    ),
    (
        Code::LTree,
        "L-TREE",
        "the held-out directory is tracked by git, or would be",
        "move it out of the work tree, or ignore it: `echo /leaderboard/.cache/ >> .gitignore`",
    ),
    (
        Code::LStore,
        "L-STORE",
        "the repository of the held-out set is not private",
        "make it private at once and treat the set as read; `--allow-public-store` is for a graduated set",
    ),
    (
        Code::LWords,
        "L-WORDS",
        "rare words of one held-out prompt stand together in one field",
        "read the field; it may paraphrase a held-out prompt",
    ),
    (
        Code::JSyntax,
        "J-SYNTAX",
        "a file is not JSON",
        "correct the file at this place, or write it again with the program that made it",
    ),
    (
        Code::JCanon,
        "J-CANON",
        "the board's bytes are not the canonical ones",
        "restore the file from git; do not reformat it",
    ),
    (
        Code::JDupkey,
        "J-DUPKEY",
        "a key stands twice in one object",
        "keep one of the two; most readers silently take the last",
    ),
    (
        Code::JNumber,
        "J-NUMBER",
        "NaN, Infinity, overflow, or an integer beyond 2^53",
        "write a finite number that a double can hold",
    ),
    (Code::JUtf8, "J-UTF8", "bytes that are not UTF-8", "save the file as UTF-8"),
    (
        Code::JBom,
        "J-BOM",
        "a byte order mark before the JSON",
        "save the file as UTF-8 without a byte order mark",
    ),
    (
        Code::JDepth,
        "J-DEPTH",
        "JSON nested too deep",
        "no file of a bundle or board nests that deep; regenerate it",
    ),
    (
        Code::JSize,
        "J-SIZE",
        "a file above the size limit",
        "files of a bundle stay below 64 MiB; split the set or drop what does not belong",
    ),
    (
        Code::BUsage,
        "B-USAGE",
        "a usage key or number of a completion is outside its bounds",
        "usage keys are lower-case words, numbers lie in 0..2^53, derived counts are never given",
    ),
    (
        Code::BMissing,
        "B-MISSING",
        "a completion of this model is missing from its bundle",
        "record the missing completions, or `build --skip-broken` to leave the row out",
    ),
    (
        Code::BFile,
        "B-FILE",
        "a bundle directory lacks one of its files, or it is empty",
        "a bundle has prompts.json, completions.json and judge.json; a lift bundle prompts.json, trajectory.json and verdicts.json",
    ),
    (
        Code::BVerdict,
        "B-VERDICT",
        "a vote is not true, false or null in a list",
        "record votes as lists of true, false or null",
    ),
    (
        Code::BVerdicts,
        "B-VERDICTS",
        "judge.json does not cover exactly the prompt ids",
        "record one vote list for every prompt id, and none for others",
    ),
    (
        Code::BVotes,
        "B-VOTES",
        "a vote list is not as long as n_votes",
        "record n_votes votes a prompt; null counts as recorded",
    ),
    (Code::BText, "B-TEXT", "a completion's text is not a string", "record the text as a string"),
    (
        Code::BSet,
        "B-SET",
        "prompts.json is not the pinned public set, or differs between rows",
        "restore prompts.json; a new public set needs a new `public_set.sha256` and eval_protocol_version",
    ),
    (
        Code::BDup,
        "B-DUP",
        "a prompt id or request stands twice in one set",
        "ids and requests are unique within a set",
    ),
    (
        Code::BDraft,
        "B-DRAFT",
        "a prompt is still a placeholder that `heldout new` wrote",
        "write the request and the intent of every prompt; placeholders start with `REPLACE:`",
    ),
    (
        Code::BJudge,
        "B-JUDGE",
        "judge.json is neither flat nor nested under the model or the judge",
        "use `{prompt_id: [votes]}`, or nest it under exactly one of the two names",
    ),
    (
        Code::BTwin,
        "B-TWIN",
        "two rows share most of their completions",
        "look at both bundles; one may be a copy",
    ),
    (
        Code::BProvider,
        "B-PROVIDER",
        "a bundle's completions are recorded for another provider",
        "re-record for the seed's provider, or correct the seed",
    ),
    (
        Code::BExtra,
        "B-EXTRA",
        "completions of this model match no prompt",
        "remove them; they would count into usage",
    ),
    (
        Code::BLift,
        "B-LIFT",
        "a lift bundle is incomplete, or shared by two rows",
        "a lift bundle belongs to one row and holds a dry run for every draft that is not lint-blocked",
    ),
    (
        Code::BInject,
        "B-INJECT",
        "a completion speaks to the judge",
        "read the completion; a comment that addresses the judge is not part of a mission",
    ),
    (
        Code::HTorn,
        "H-TORN",
        "the last line of the ledger was not finished",
        "a run was cut off while writing; `gmat-leaderboard record --repair` drops the unfinished line",
    ),
    (
        Code::HForm,
        "H-FORM",
        "the ledger's bytes are not lines",
        "restore the file: `git checkout -- leaderboard/history.jsonl`; keep `*.jsonl -text` in .gitattributes",
    ),
    (
        Code::HCheckpoint,
        "H-CHECKPOINT",
        "a checkpoint is unreadable or smaller than the one before it",
        "checkpoints are append-only; find the edit: `git log -p -- leaderboard/history.checkpoints`",
    ),
    (
        Code::HTree,
        "H-TREE",
        "the ledger's lines are not the ones a checkpoint was taken of",
        "lines are only ever appended: `git log -p -- leaderboard/history.jsonl` shows who changed one",
    ),
    (
        Code::HLine,
        "H-LINE",
        "a ledger line is invalid",
        "restore the line from git; to correct a run, record a new one and retract this one",
    ),
    (
        Code::HOrder,
        "H-ORDER",
        "a line of the ledger was recorded before the line above it",
        "lines are appended in the order of time; a line that was moved or slipped in shows here",
    ),
    (
        Code::HWeekly,
        "H-WEEKLY",
        "weekly.json is not what the ledger derives to",
        "`gmat-leaderboard weekly --write` writes it, `gmat-leaderboard render` updates the site; past weeks change when a run is rescored, retracted or recorded late",
    ),
    (
        Code::HBoard,
        "H-BOARD",
        "the board, or a file in `leaderboard/boards`, is not what the ledger recorded",
        "`gmat-leaderboard record --board leaderboard/leaderboard.json` records it",
    ),
    (
        Code::HAttempt,
        "H-ATTEMPT",
        "attempt or workflow run numbers in the ledger have gaps",
        "each scoring of the held-out set appends an `attempt` line before its number is shown; look the missing runs up in the workflow's history",
    ),
    (
        Code::HBaseline,
        "H-BASELINE",
        "an official baseline is unknown, unusable or one of two",
        "`official_baselines` names completed, scored runs by id, or rows of the board as provider:model; at most one per cohort",
    ),
    (
        Code::PPath,
        "P-PATH",
        "a path leaves the directory it must stay in",
        "use a relative path without `..`, and no symlink that leads out",
    ),
    (Code::PSpecial, "P-SPECIAL", "not a regular file", "only regular files are read"),
    (
        Code::PSymlink,
        "P-SYMLINK",
        "the output is a symlink",
        "write to the real file, or remove the link",
    ),
    (Code::WIo, "W-IO", "the file system refused", "see the system's words; nothing was changed"),
];

impl Code {
    /// All codes, in declaration order.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> &'static (Self, &'static str, &'static str, &'static str) {
        // The table is in declaration order (tested), so the discriminant is the index.
        &TABLE[self as usize]
    }

    /// The spelling, such as `E-DIFF`.
    pub fn as_str(self) -> &'static str {
        self.row().1
    }

    /// What the code means, in one sentence.
    pub fn meaning(self) -> &'static str {
        self.row().2
    }

    /// What to do about it.
    pub fn help(self) -> &'static str {
        self.row().3
    }

    /// The code spelt `text`, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::all().find(|code| code.as_str().eq_ignore_ascii_case(text))
    }

    /// Whether a finding of this code can be waived: it changes no score. Notes of any code can.
    pub(crate) fn is_waivable(self) -> bool {
        matches!(self, Self::BVotes | Self::BTwin | Self::BInject)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_declaration_order_and_complete() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, index, "{}", row.1);
        }
        assert_eq!(TABLE.len(), Code::WIo as usize + 1);
    }

    #[test]
    fn a_code_is_found_by_its_spelling() {
        for code in Code::all() {
            assert_eq!(Code::parse(&code.as_str().to_lowercase()), Some(code));
        }
        assert_eq!(Code::parse("E-NOPE"), None);
    }
}
