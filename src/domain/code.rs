//! Every code a finding or failure can carry. Codes are stable: scripts may match on them.

use std::fmt;

use serde::{Serialize, Serializer};

use super::code_table::TABLE;

/// A rule that can be broken. `code_table.rs` has the spelling and the meaning of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the table has the meaning of each")]
pub enum Code {
    EDiff,
    EUsage,
    ELoop,
    ERank,
    EGap,
    EHeader,
    ERun,
    EHash,
    EHeldForm,
    EHeldSet,
    EHeld,
    ERowMissing,
    ERowUnknown,
    ERowDup,
    EEmpty,
    EOrder,
    ESchema,
    EBundle,
    EProtocol,
    ESite,
    ESeal,
    EAttempts,
    EReveal,
    EWaiver,
    ESubmission,
    LKey,
    LStatus,
    LTier,
    LName,
    LText,
    LTree,
    LStore,
    LWords,
    JSyntax,
    JCanon,
    JDupkey,
    JNumber,
    JUtf8,
    JBom,
    JDepth,
    JSize,
    BUsage,
    BMissing,
    BFile,
    BVerdict,
    BVerdicts,
    BVotes,
    BText,
    BSet,
    BDup,
    BDraft,
    BJudge,
    BTwin,
    BProvider,
    BExtra,
    BLift,
    BInject,
    HTorn,
    HForm,
    HCheckpoint,
    HTree,
    HLine,
    HOrder,
    HWeekly,
    HBoard,
    HAttempt,
    HBaseline,
    PPath,
    PSpecial,
    PSymlink,
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
