//! Every code a finding or failure can carry. Codes are stable: scripts may match on them.

use std::fmt;

use serde::{Serialize, Serializer};

use super::code_table::TABLE;

/// A rule that can be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// `E-DIFF`: a public score on the board differs from the replay of its bundle.
    EDiff,
    /// `E-USAGE`: the published usage differs from the sum over completions.json.
    EUsage,
    /// `E-LOOP`: close_the_loop differs from the replay of the lift bundle.
    ELoop,
    /// `E-RANK`: a rank differs from the recomputed one.
    ERank,
    /// `E-GAP`: overfit_gap differs from public − held_out.
    EGap,
    /// `E-HEADER`: a header value differs from the config or has an invalid form.
    EHeader,
    /// `E-RUN`: a field of a row differs from the config or has an invalid form.
    ERun,
    /// `E-HASH`: the bundle on disk is not the one the row was scored on.
    EHash,
    /// `E-HELD-FORM`: the rates of a held-out cell are not possible for its number of prompts.
    EHeldForm,
    /// `E-HELD-SET`: rows were scored on different held-out sets.
    EHeldSet,
    /// `E-HELD`: a held-out score on the board differs from the replay of its bundle.
    EHeld,
    /// `E-ROW-MISSING`: a seed whose bundle is present has no row.
    ERowMissing,
    /// `E-ROW-UNKNOWN`: a row has no seed in the config.
    ERowUnknown,
    /// `E-ROW-DUP`: two rows or two seeds name the same provider and model.
    ERowDup,
    /// `E-EMPTY`: no row was verified.
    EEmpty,
    /// `E-ORDER`: rows are not in the recomputed order.
    EOrder,
    /// `E-SCHEMA`: a value has the wrong type, or a key is missing.
    ESchema,
    /// `E-BUNDLE`: a row's bundle is missing, so the row cannot be rebuilt.
    EBundle,
    /// `E-PROTOCOL`: public set, judge or vote count changed without a new protocol version.
    EProtocol,
    /// `E-SITE`: a file of the site differs from what the board renders to.
    ESite,
    /// `E-SEAL`: the board or something it was scored from differs from what the seal covers.
    ESeal,
    /// `E-ATTEMPTS`: an entrant has used up the held-out scorings that the config allows.
    EAttempts,
    /// `E-REVEAL`: a revealed file or salt is not what was committed to.
    EReveal,
    /// `E-WAIVER`: a waiver is expired, too long, not allowed, or covers nothing.
    EWaiver,
    /// `E-SUBMISSION`: a submission changes more than its own bundle and one seed.
    ESubmission,
    /// `L-KEY`: the board has an unknown key.
    LKey,
    /// `L-STATUS`: a status differs from the fixed sentence of a pending cell.
    LStatus,
    /// `L-TIER`: a tier is not one of the public set's, or its value is not a rate.
    LTier,
    /// `L-NAME`: a provider or model name has a character or length that is not allowed.
    LName,
    /// `L-TEXT`: the output contains text of the held-out set.
    LText,
    /// `L-TREE`: the held-out directory is tracked by git, or would be.
    LTree,
    /// `L-STORE`: the repository of the held-out set is not private.
    LStore,
    /// `L-WORDS`: one field contains several rare words of a held-out prompt.
    LWords,
    /// `J-SYNTAX`: a file is not JSON.
    JSyntax,
    /// `J-CANON`: the board is not in canonical JSON form.
    JCanon,
    /// `J-DUPKEY`: a key appears twice in an object.
    JDupkey,
    /// `J-NUMBER`: NaN, Infinity, overflow, or an integer beyond 2^53.
    JNumber,
    /// `J-UTF8`: bytes that are not UTF-8.
    JUtf8,
    /// `J-BOM`: a byte order mark before the JSON.
    JBom,
    /// `J-DEPTH`: JSON nested too deep.
    JDepth,
    /// `J-SIZE`: a file is larger than the size limit.
    JSize,
    /// `B-USAGE`: a usage key or number of a completion is not allowed.
    BUsage,
    /// `B-MISSING`: a completion of this model is missing from its bundle.
    BMissing,
    /// `B-FILE`: a file of a bundle is missing or empty.
    BFile,
    /// `B-VERDICT`: a vote is not true, false or null in a list.
    BVerdict,
    /// `B-VERDICTS`: the ids in judge.json differ from the prompt ids.
    BVerdicts,
    /// `B-VOTES`: a vote list does not have n_votes votes.
    BVotes,
    /// `B-TEXT`: a completion's text is not a string.
    BText,
    /// `B-SET`: prompts.json is not the pinned public set, or differs between rows.
    BSet,
    /// `B-DUP`: a prompt id or request appears twice in a set.
    BDup,
    /// `B-DRAFT`: a prompt is still a placeholder.
    BDraft,
    /// `B-JUDGE`: judge.json is neither flat nor nested under the model or the judge.
    BJudge,
    /// `B-TWIN`: two rows share most of their completions.
    BTwin,
    /// `B-PROVIDER`: a bundle's completions are recorded for another provider.
    BProvider,
    /// `B-EXTRA`: completions of this model do not match any prompt.
    BExtra,
    /// `B-LIFT`: a lift bundle is incomplete, or shared by two rows.
    BLift,
    /// `B-INJECT`: a completion addresses the judge.
    BInject,
    /// `H-TORN`: the last line of the ledger is incomplete.
    HTorn,
    /// `H-FORM`: the ledger's bytes are not lines.
    HForm,
    /// `H-CHECKPOINT`: a checkpoint is unreadable or smaller than the one before it.
    HCheckpoint,
    /// `H-TREE`: the ledger's lines differ from those a checkpoint was made of.
    HTree,
    /// `H-LINE`: a ledger line is invalid.
    HLine,
    /// `H-ORDER`: a ledger line has an earlier time than the line before it.
    HOrder,
    /// `H-WEEKLY`: weekly.json differs from what the ledger gives.
    HWeekly,
    /// `H-BOARD`: the board, or a file in `leaderboard/boards`, differs from what the ledger recorded.
    HBoard,
    /// `H-ATTEMPT`: a scored row has no attempt in the ledger, or numbers of attempts or workflow runs have gaps.
    HAttempt,
    /// `H-BASELINE`: an official baseline is unknown, unusable, or not the only one of its cohort.
    HBaseline,
    /// `P-PATH`: a path leads out of its directory.
    PPath,
    /// `P-SPECIAL`: not a regular file.
    PSpecial,
    /// `P-SYMLINK`: the output is a symlink.
    PSymlink,
    /// `W-IO`: the file system refused.
    WIo,
}

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

    /// Parses a code; upper and lower case are equal.
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
