//! What a judge is to a table: responses and topics in, a table out.

use super::Table;

/// Scores responses. A judge declares its measures in a [`Builder`](super::Builder), adds a row for
/// each response, and names the topics it was asked about when it builds; `examples/judge.rs` is one.
pub trait Judge {
    /// What one run answered on one topic.
    type Response;
    /// What was asked.
    type Topic;
    /// Why responses cannot be judged.
    type Error;

    /// Judges `responses` to `topics`.
    fn judge(
        &self,
        responses: &[Self::Response],
        topics: &[Self::Topic],
    ) -> Result<Table, Self::Error>;
}
