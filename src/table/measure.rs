//! What is measured: the name, its direction, and how topics make an aggregate.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use super::value::Kind;

/// Which direction is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Better {
    /// More is better.
    Higher,
    /// Less is better.
    Lower,
    /// Neither: never coloured, ranked only when asked for by name.
    Unordered,
}

impl Better {
    /// The arrow beside a header.
    pub fn arrow(self) -> &'static str {
        match self {
            Self::Higher => " ↑",
            Self::Lower => " ↓",
            Self::Unordered => "",
        }
    }
}

/// How the values of a run's topics make its aggregate.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Reduce {
    /// Their mean; of 0 and 1 this is a rate.
    Mean,
    /// Their sum.
    Sum,
    /// The first one seen: what a text does.
    First,
    /// Only the source knows; it cannot be recomputed.
    Given,
    /// `of × scale ÷ per`, from other aggregates of the run; `per` absent means 1.
    Ratio {
        /// The measure above the line.
        of: String,
        /// The measure below the line.
        per: Option<String>,
        /// The factor.
        scale: f64,
    },
}

/// How a value is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Display {
    /// The shortest digits that round-trip.
    Plain,
    /// So many decimals.
    Fixed(usize),
    /// So many decimals, and a sign unless it is zero.
    Signed(usize),
    /// Times 100, with so many decimals and a `%`.
    Percent(usize),
    /// A whole number with commas.
    Thousands,
}

impl Display {
    /// The text of `number`; halves go to even, as the exact binary value says.
    pub fn show(self, number: f64) -> String {
        match self {
            _ if !number.is_finite() => super::value::spell_number(number),
            Self::Plain => plain(number),
            Self::Fixed(decimals) => format!("{number:.decimals$}"),
            Self::Signed(decimals) => {
                let text = format!("{number:+.decimals$}");
                let is_zero = text.bytes().all(|byte| matches!(byte, b'+' | b'-' | b'0' | b'.'));
                if is_zero { text[1..].to_owned() } else { text }
            }
            Self::Percent(decimals) => format!("{:.decimals$}%", number * 100.0),
            Self::Thousands => thousands(number),
        }
    }
}

/// `4` rather than `4.0`, and at most six decimals: for people.
fn plain(number: f64) -> String {
    let short = format!("{number}");
    let fixed = format!("{number:.6}");
    let fixed = fixed.trim_end_matches('0').trim_end_matches('.');
    if short.len() <= fixed.len() || (number != 0.0 && number.abs() < 1e-6) {
        short
    } else {
        fixed.to_owned()
    }
}

fn thousands(number: f64) -> String {
    let digits = format!("{:.0}", number.abs());
    let mut out = String::with_capacity(digits.len() * 4 / 3 + 1);
    if number < 0.0 && digits != "0" {
        out.push('-');
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// One measure of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// What it is called.
    pub name: String,
    /// What exports call it, where that is another word.
    pub field: Option<String>,
    /// The header of its column, where that is another word.
    pub label: Option<String>,
    /// What it is per topic; `None` if it never occurs per topic.
    pub topic: Option<Kind>,
    /// What it is as an aggregate; `None` if it never occurs as one.
    pub aggregate: Option<Kind>,
    /// The better direction.
    pub better: Better,
    /// How topics make the aggregate.
    pub reduce: Reduce,
    /// How it is shown.
    pub display: Display,
}

impl Measure {
    /// A number, per topic and as an aggregate, that is better higher and averaged.
    pub fn number(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            field: None,
            label: None,
            topic: Some(Kind::Number),
            aggregate: Some(Kind::Number),
            better: Better::Higher,
            reduce: Reduce::Mean,
            display: Display::Plain,
        }
    }

    /// A text, whose aggregate is its first value.
    pub fn text(name: impl Into<String>) -> Self {
        Self {
            topic: Some(Kind::Text),
            aggregate: Some(Kind::Text),
            better: Better::Unordered,
            reduce: Reduce::First,
            ..Self::number(name)
        }
    }

    /// The measure with another direction.
    #[must_use]
    pub fn better(mut self, better: Better) -> Self {
        self.better = better;
        self
    }

    /// The measure with another reduction.
    #[must_use]
    pub fn reduce(mut self, reduce: Reduce) -> Self {
        self.reduce = reduce;
        self
    }

    /// The measure, shown in another way.
    #[must_use]
    pub fn display(mut self, display: Display) -> Self {
        self.display = display;
        self
    }

    /// The measure with another word in exports and another in headers.
    #[must_use]
    pub fn called(mut self, field: &str, label: &str) -> Self {
        self.field = Some(field.to_owned());
        self.label = Some(label.to_owned());
        self
    }

    /// The measure, which never occurs per topic.
    #[must_use]
    pub fn aggregate_only(mut self) -> Self {
        self.topic = None;
        self
    }

    /// The name in exports.
    pub fn field(&self) -> &str {
        self.field.as_deref().unwrap_or(&self.name)
    }

    /// The header of its column.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }
}

/// Words that make a measure better the lower it is, unless its source says otherwise.
const LOWER_WORDS: [&str; 17] = [
    "latency",
    "cost",
    "costs",
    "loss",
    "error",
    "errors",
    "tokens",
    "duration",
    "runtime",
    "time",
    "seconds",
    "perplexity",
    "ppl",
    "ms",
    "usd",
    "hallucination",
    "hallucinations",
];

/// Whether a measure of this name is taken to be better the lower it is: one of its words is
/// `latency`, `cost`, `loss`, … A rate per second or a throughput is not.
///
/// ```
/// use gmat_leaderboard::table::lower_by_name;
///
/// assert!(lower_by_name("latency_ms") && lower_by_name("evalLoss"));
/// assert!(!lower_by_name("tokens_per_second") && !lower_by_name("lossless"));
/// ```
pub fn lower_by_name(name: &str) -> bool {
    let words = split_words(name);
    let is = |word: &String, known: &str| word == known;
    let per_second = words
        .windows(2)
        .any(|pair| is(&pair[0], "per") && matches!(pair[1].as_str(), "second" | "sec" | "s"));
    if per_second || words.iter().any(|word| is(word, "throughput")) {
        return false;
    }
    words.iter().any(|word| LOWER_WORDS.contains(&word.as_str()))
}

/// The words of a name, lower case: `evalLoss`, `eval_loss` and `eval/loss` are two words each.
fn split_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let starts = !letter.is_alphanumeric() || (letter.is_uppercase() && before.is_lowercase());
        if starts && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_alphanumeric()) {
            word.extend(letter.to_lowercase());
        }
        before = letter;
    }
    words
}

/// Why a measure could not be read from `name:higher:mean`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` does not describe a measure: {part}")]
pub struct MeasureError {
    /// What was given.
    pub text: String,
    /// Which part is wrong.
    pub part: &'static str,
}

impl FromStr for Measure {
    type Err = MeasureError;

    /// `name[:number|text][:higher|lower|unordered][:mean|sum|first|given]`, in any order after
    /// the name, which may itself hold colons before the last known word. Without a direction the
    /// name decides ([`lower_by_name`]).
    fn from_str(text: &str) -> Result<Self, MeasureError> {
        let (mut better, mut reduce, mut is_text) = (None, None, false);
        let mut rest = text;
        while let Some((front, word)) = rest.rsplit_once(':') {
            match word {
                "number" | "float" => {}
                "text" | "str" => is_text = true,
                "bool" | "int" => {
                    let part =
                        "a measure is number or text; use number with 1 and 0 for yes and no";
                    return Err(MeasureError { text: text.to_owned(), part });
                }
                "higher" => better = Some(Better::Higher),
                "lower" => better = Some(Better::Lower),
                "unordered" => better = Some(Better::Unordered),
                "mean" => reduce = Some(Reduce::Mean),
                "sum" => reduce = Some(Reduce::Sum),
                "first" => reduce = Some(Reduce::First),
                "given" => reduce = Some(Reduce::Given),
                _ => break,
            }
            rest = front;
        }
        if rest.is_empty() {
            return Err(MeasureError { text: text.to_owned(), part: "the name is empty" });
        }
        let measure = if is_text { Self::text(rest) } else { Self::number(rest) };
        let by_name = if !is_text && lower_by_name(rest) { Better::Lower } else { measure.better };
        let better = better.unwrap_or(by_name);
        let reduce = reduce.unwrap_or_else(|| measure.reduce.clone());
        Ok(Self { better, reduce, ..measure })
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_names_direction_and_reduction() {
        let measure: Measure = "loss:lower:sum".parse().expect("a measure");
        assert_eq!((measure.name.as_str(), measure.better), ("loss", Better::Lower));
        assert_eq!(measure.reduce, Reduce::Sum);
        let measure: Measure = "mmlu:anatomy".parse().expect("a measure");
        assert_eq!(measure.name, "mmlu:anatomy");
        let measure: Measure = "verdict:text".parse().expect("a measure");
        assert_eq!((measure.topic, measure.reduce), (Some(Kind::Text), Reduce::First));
        assert!(":higher".parse::<Measure>().is_err());
        assert!("ok:bool".parse::<Measure>().is_err());
    }

    #[test]
    fn a_name_that_says_cost_is_better_lower() {
        let lower = [
            "latency",
            "latency_ms",
            "p95-latency",
            "cost_per_message_usd",
            "eval/loss",
            "evalLoss",
            "word_perplexity",
            "Runtime",
            "total_tokens",
            "hallucination_rate",
            "error_rate",
            "time_to_first_token",
            "wall.seconds",
            "duration",
        ];
        for name in lower {
            assert!(lower_by_name(name), "{name}");
        }
        let higher = [
            "acc",
            "tokens_per_second",
            "throughput_tokens",
            "lossless",
            "timeliness",
            "accuracy",
            "costume",
            "errorless",
            "msmarco",
            "requests/per/second",
            "",
        ];
        for name in higher {
            assert!(!lower_by_name(name), "{name}");
        }
        let given: Measure = "latency:higher".parse().expect("a measure");
        assert_eq!(given.better, Better::Higher);
        let named: Measure = "latency".parse().expect("a measure");
        assert_eq!(named.better, Better::Lower);
    }

    #[test]
    fn numbers_are_shown_for_people() {
        assert_eq!(Display::Thousands.show(1_234_567.0), "1,234,567");
        assert_eq!(Display::Thousands.show(-999.6), "-1,000");
        assert_eq!(Display::Percent(0).show(0.125), "12%");
        assert_eq!(Display::Fixed(1).show(4.25), "4.2");
        assert_eq!(Display::Plain.show(4.0), "4");
        assert_eq!(Display::Plain.show(0.123_456_789), "0.123457");
        assert_eq!(Display::Plain.show(1e-9), "0.000000001");
        assert_eq!(Display::Fixed(2).show(f64::NAN), "nan");
    }
}
