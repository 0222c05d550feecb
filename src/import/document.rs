//! JSON files of other programs.

use super::ImportError;
use crate::json::{Document, Limits, parse_with};

/// Other programs write `NaN` and `Infinity`.
pub(super) const LIMITS: Limits = Limits { depth: 64, lenient_numbers: true };

/// `bytes` after the byte order mark, if they start with one.
pub(super) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The one JSON document in `file`.
pub fn document<'t>(file: &str, bytes: &'t [u8]) -> Result<Document<'t>, ImportError> {
    parse_with(without_bom(bytes), LIMITS)
        .map_err(|error| ImportError::Json { file: file.to_owned(), error })
}
