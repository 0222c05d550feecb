//! The rooms that are not part of the library's interface. The crate uses them as `crate::<room>`; the
//! project's tests, benches and fuzz targets and `web/` use them here. Nothing in them is promised to other
//! programs.
//!
//! With `--cfg sealed` this module is private, so that the compiler reports code that neither the
//! program nor the library's interface uses; `scripts/test` does that.

// core
#[path = "board/mod.rs"]
pub mod board;
#[path = "compat/mod.rs"]
pub mod compat;
#[path = "domain/mod.rs"]
pub mod domain;
#[path = "facts/mod.rs"]
pub mod facts;
#[path = "firewall/mod.rs"]
pub mod firewall;
#[path = "import/mod.rs"]
pub mod import;
#[path = "json/mod.rs"]
pub mod json;
#[path = "ledger/mod.rs"]
pub mod ledger;
#[path = "replay/mod.rs"]
pub mod replay;
#[path = "seal/mod.rs"]
pub mod seal;
// edge
#[cfg(feature = "cli")]
#[path = "fs/mod.rs"]
pub mod fs;
#[cfg(feature = "cli")]
#[path = "notify/mod.rs"]
pub mod notify;
#[cfg(feature = "cli")]
#[path = "workspace/mod.rs"]
pub mod workspace;
// cli
#[cfg(feature = "cli")]
#[path = "cli/mod.rs"]
pub mod cli;
/// The words of hints alone, for `web/`, which shows findings as the program does.
#[cfg(not(feature = "cli"))]
#[path = "ui/hints.rs"]
pub mod hints;
#[cfg(feature = "cli")]
#[path = "ui/mod.rs"]
pub mod ui;

/// The readers of outside bytes in rooms that only the program uses; the fuzz targets call them.
#[cfg(all(feature = "cli", not(sealed)))]
pub mod outside {
    /// Answers of a hub: listings, errors, headers, redirects, file names.
    pub use crate::hub::try_answers as hub_answers;
    /// Answers of model providers.
    pub use crate::models::try_replies as provider_answers;
    /// A template that the user brings.
    pub use crate::site::try_template as template;
    /// A minisign signature.
    pub use crate::workspace::wrong_signature as minisign;
}
