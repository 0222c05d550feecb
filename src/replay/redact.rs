//! Where bytes came from, and how much of them a message may show.

use crate::domain::{Code, Failure, Finding};
use crate::json::{self, Document, JsonError, Mismatch};

/// One file of a bundle while it is read.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The file, as it is named to people.
    pub(super) file: String,
    /// Held-out: messages never quote content, not even a key.
    pub(super) secret: bool,
}

/// What a message about a held-out file says instead of its place.
const WITHHELD: &str = "the location is not shown: the file belongs to the held-out set";

impl Source {
    pub(super) fn new(dir: &str, file: &str, secret: bool) -> Self {
        Self { file: format!("{dir}/{file}"), secret }
    }

    /// Parses the file; an empty one is a bundle without that file.
    pub(super) fn parse<'b>(&self, bytes: &'b [u8]) -> Result<Document<'b>, Failure> {
        self.parsed(bytes, json::parse(bytes))
    }

    /// Reads a large object, whose members `take` gets one by one.
    pub(super) fn parse_members<'b>(
        &self,
        bytes: &'b [u8],
        take: impl FnMut(&Document<'b>),
    ) -> Result<Document<'b>, Failure> {
        self.parsed(bytes, json::parse_members(bytes, take))
    }

    fn parsed<'b>(
        &self,
        bytes: &[u8],
        document: Result<Document<'b>, JsonError>,
    ) -> Result<Document<'b>, Failure> {
        if bytes.is_empty() {
            let failure = Failure::unusable(format!("`{}` is empty", self.file));
            return Err(failure.code(Code::BFile).at(&*self.file));
        }
        document.map_err(|error| self.withhold(Failure::json(&self.file, &error)))
    }

    /// A value of another type than wanted.
    pub(super) fn mismatch(&self, document: &Document<'_>, mismatch: &Mismatch) -> Failure {
        self.withhold(Failure::schema(&self.file, &document.locate(mismatch.at), mismatch))
    }

    /// Like [`Source::mismatch`], with `code` instead of `E-SCHEMA`.
    pub(super) fn coded(
        &self,
        document: &Document<'_>,
        mismatch: &Mismatch,
        code: Code,
    ) -> Failure {
        self.mismatch(document, mismatch).code(code)
    }

    /// A finding about the file; `subject` names things and is dropped for a held-out file.
    pub(super) fn finding(&self, code: Code, path: &str, what: String, subject: &str) -> Finding {
        if self.secret {
            Finding::new(code, &*self.file, "", what)
        } else {
            Finding::new(code, &*self.file, path, format!("{what}{subject}"))
        }
    }

    fn withhold(&self, failure: Failure) -> Failure {
        if !self.secret {
            return failure;
        }
        Failure { place: Some(self.file.clone()), details: vec![WITHHELD.into()], ..failure }
    }
}
