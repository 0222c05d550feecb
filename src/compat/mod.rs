//! The answers of other programs, reproduced to the byte, behind `--compat PROGRAM`.
//!
//! - [`rlm_code`]: the run leaderboard of rlm-code: its pages, exports, trends and statistics.
//! - [`autojudge`]: three generations of one judge program (autojudge-base, the published design,
//!   autojudge-evaluate): how each loads, filters, writes and correlates files of cells.
//!
//! The quirks in here are those programs' own and are held by the conformance cases; the rest of
//! the crate does not depend on them. If you are new to the code, you can ignore this module.

pub mod autojudge;
pub mod rlm_code;

use autojudge::JudgeProgram;

use crate::table::Holes;

/// A program whose answers can be asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    /// rlm-code's leaderboard.
    RlmCode,
    /// The judge leaderboard as designed.
    AutojudgeDesign,
    /// autojudge-base.
    AutojudgeBase,
    /// autojudge-evaluate.
    AutojudgeEvaluate,
}

impl Program {
    /// How it reads files of cells; `None` if it reads none. `recompute` drops the aggregates that
    /// are given, `holes` is what the user wants done about them.
    pub fn judge(self, recompute: bool, holes: Option<Holes>) -> Option<JudgeProgram> {
        match self {
            Self::RlmCode => None,
            Self::AutojudgeBase => Some(JudgeProgram::Base),
            Self::AutojudgeEvaluate => Some(JudgeProgram::Evaluate { recompute }),
            Self::AutojudgeDesign => {
                // Its own default fails on a hole.
                let holes = holes.unwrap_or(Holes::Error);
                Some(JudgeProgram::Design { drop_aggregate: recompute, holes })
            }
        }
    }
}
