//! How a command ends.

use std::process::ExitCode;

/// The four ways a command can end, and the exit codes users may rely on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Exit {
    /// Done, and the answer is yes: 0.
    Yes,
    /// Done, and the answer is no (a finding, a leak, drift, a regression): 1.
    No,
    /// The call or the input is unusable: 2.
    Unusable,
    /// Disk or network failure; trying again may help: 3.
    World,
}

impl Exit {
    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Self::Yes => 0,
            Self::No => 1,
            Self::Unusable => 2,
            Self::World => 3,
        }
    }

    /// The answer as `--json` writes it.
    pub fn answer(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::Unusable | Self::World => "unusable",
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
