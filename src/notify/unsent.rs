//! Cards that could not be sent, one JSON object a line. A line names the run and the channel; the
//! card is made again from the ledger when it is sent, and an address is never written.

use serde::Serialize;

use crate::json;

/// A card that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unsent {
    /// The name of the channel it goes to.
    pub channel: String,
    /// Of which run.
    pub run_id: String,
    /// When it was first tried.
    pub since: String,
}

/// Reads the lines; an error is the number of the line that is not one.
pub fn read_unsent(bytes: &[u8]) -> Result<Vec<Unsent>, usize> {
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    lines.map(|(index, line)| read(line).ok_or(index + 1)).collect()
}

fn read(line: &[u8]) -> Option<Unsent> {
    let document = json::parse(line).ok()?;
    let text = |key| document.root.required(key).ok()?.as_str().map(str::to_owned);
    Some(Unsent { channel: text("channel")?, run_id: text("run_id")?, since: text("since")? })
}

/// The lines of `unsent`.
pub fn unsent_bytes(unsent: &[Unsent]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for card in unsent {
        bytes.extend(serde_json::to_vec(card).unwrap_or_default());
        bytes.push(b'\n');
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_cards_are_read_back_and_a_damaged_line_is_numbered() {
        let cards = ["quality", "on-call"].map(|channel| Unsent {
            channel: channel.to_owned(),
            run_id: "r \"1\"\n".to_owned(),
            since: "2026-05-14T13:00:00Z".to_owned(),
        });
        let bytes = unsent_bytes(&cards);
        assert_eq!(read_unsent(&bytes), Ok(cards.to_vec()));
        assert_eq!(read_unsent(b""), Ok(Vec::new()));
        let spoilt = [&bytes[..], b"{}\n"].concat();
        assert_eq!(read_unsent(&spoilt), Err(3));
    }
}
