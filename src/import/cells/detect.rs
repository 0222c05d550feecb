//! Which format a file is in, from its first lines.

use super::format::Format;
use crate::table::parse_number;

/// Words that name a column in a header line.
const HEADER_WORDS: [&str; 14] = [
    "run_id",
    "runtag",
    "run",
    "runid",
    "system",
    "topic_id",
    "request_id",
    "query_id",
    "narrative_id",
    "topicid",
    "queryid",
    "metric",
    "measure",
    "eval_metric",
];
/// How many lines are looked at.
const LOOK: usize = 20;

/// What a file may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    /// The formats its columns fit, likelier first.
    pub possible: Vec<Format>,
    /// Whether the first line names the columns.
    pub has_header: bool,
    /// How many columns most lines have; 0 for JSON lines and empty files.
    pub columns: usize,
}

/// Looks at the first lines that are neither empty nor comments.
pub fn detect<'l>(lines: impl IntoIterator<Item = &'l str>) -> Detected {
    let lines: Vec<&str> = lines
        .into_iter()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .take(LOOK)
        .collect();
    let Some(first) = lines.first() else {
        return Detected { possible: Vec::new(), has_header: false, columns: 0 };
    };
    if first.starts_with('{') {
        return Detected { possible: vec![Format::Jsonl], has_header: false, columns: 0 };
    }
    let fields: Vec<&str> = first.split_whitespace().collect();
    let has_header = fields.last().is_some_and(|last| parse_number(last).is_none())
        && fields.iter().any(|field| HEADER_WORDS.contains(&field.to_lowercase().as_str()));
    let counts: Vec<usize> = lines.iter().map(|line| line.split_whitespace().count()).collect();
    let columns = modal(&counts);
    let possible = match columns {
        3 => vec![Format::TrecEval],
        4 => vec![Format::Tot, Format::IrMeasures],
        6 => vec![Format::Ranking],
        _ => Vec::new(),
    };
    Detected { possible, has_header, columns }
}

/// The most frequent count; of several the one seen first.
fn modal(counts: &[usize]) -> usize {
    let frequency = |count: usize| counts.iter().filter(|other| **other == count).count();
    let mut best = 0;
    for &count in counts {
        if best == 0 || frequency(count) > frequency(best) {
            best = count;
        }
    }
    best
}

/// Which of the four-column formats it is: the column that names one topic again and again for
/// different runs is the topic's. `is_topic` knows topics where somebody does, such as the
/// aggregate's name.
pub fn guess_by_topics<'l>(
    lines: impl IntoIterator<Item = &'l str>,
    is_topic: impl Fn(&str) -> bool,
) -> Option<Format> {
    let mut hits = [0usize; 3];
    for line in lines {
        let fields: Vec<&str> = line.split_whitespace().collect();
        if fields.len() == 4 {
            for (hit, field) in hits.iter_mut().zip(&fields) {
                *hit += usize::from(is_topic(field));
            }
        }
    }
    let best = hits.iter().copied().max().filter(|best| *best > 0)?;
    let mut columns = (0..3).filter(|column| hits[*column] == best);
    match (columns.next(), columns.next()) {
        (Some(0), None) => Some(Format::Rag4Reports),
        (Some(1), None) => Some(Format::IrMeasures),
        (Some(2), None) => Some(Format::Tot),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_decide_and_topics_break_the_tie() {
        assert_eq!(detect(["ndcg t1 0.5"]).possible, [Format::TrecEval]);
        assert_eq!(detect(["t1 Q0 a 1 0.5 m"]).possible, [Format::Ranking]);
        assert_eq!(detect(["{\"run_id\":1}"]).possible, [Format::Jsonl]);
        assert_eq!(detect(["a b"]).possible, []);
        assert!(detect(["run topic measure value", "a t m 1"]).has_header);
        let all = |field: &str| field == "all";
        assert_eq!(guess_by_topics(["a m all 1", "b m all 2"], all), Some(Format::Tot));
        assert_eq!(guess_by_topics(["a all m 1"], all), Some(Format::IrMeasures));
        assert_eq!(guess_by_topics(["all a m 1"], all), Some(Format::Rag4Reports));
        assert_eq!(guess_by_topics(["a t m 1"], all), None);
    }
}
