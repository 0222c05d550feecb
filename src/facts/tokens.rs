//! What a row's answers took: tokens, and their price. The only definition of each.

use crate::board::{Cell, Row};
use crate::domain::config::Price;
use crate::domain::real;

/// Providers count under either pair of names: input, then output.
const PAIRS: [(&str, &str); 2] =
    [("prompt_tokens", "completion_tokens"), ("input_tokens", "output_tokens")];

impl Row {
    /// Input and output tokens of generation, where the usage has both under one pair of names.
    pub fn token_split(&self) -> Option<(u64, u64)> {
        let count = |name: &str| self.usage.get(name).copied();
        PAIRS.iter().find_map(|(input, output)| count(input).zip(count(output)))
    }

    /// Tokens of generation: `total_tokens`, else input plus output.
    pub fn tokens(&self) -> Option<u64> {
        let both = || self.token_split().map(|(input, output)| input.saturating_add(output));
        self.usage.get("total_tokens").copied().or_else(both)
    }

    /// [`Self::tokens`], where any were counted: a server that does not count reports zero.
    fn counted_tokens(&self) -> Option<u64> {
        self.tokens().filter(|tokens| *tokens > 0)
    }

    /// Tokens of generation for each prompt it solves; `None` where none were counted.
    pub fn tokens_per_solved(&self) -> Option<f64> {
        self.per_solved(real(self.counted_tokens()?))
    }

    /// Public prompts it solves for each thousand tokens of generation.
    pub(crate) fn passes_per_1k_tokens(&self) -> Option<f64> {
        Some(real(self.public.passed()) * 1000.0 / real(self.counted_tokens()?))
    }

    /// What generation cost in US dollars; `None` where input and output are not separate, or no tokens
    /// were counted.
    pub fn cost(&self, price: &Price) -> Option<f64> {
        let (input, output) =
            self.token_split().filter(|(input, output)| *input > 0 || *output > 0)?;
        Some(price.cost(real(input), real(output)))
    }

    /// The cost of generation for each prompt it solves, in US dollars.
    pub fn cost_per_solved(&self, price: &Price) -> Option<f64> {
        self.per_solved(self.cost(price)?)
    }

    /// What a public prompt takes on average, divided by the row's score: the private one where
    /// there is one. `None` for a score of zero.
    fn per_solved(&self, total: f64) -> Option<f64> {
        let cell = self.held_out.cell().unwrap_or(&self.public);
        let passed = cell.passed();
        let solved = real(self.public.n_prompts) * real(passed);
        (solved > 0.0).then(|| total * real(cell.n_prompts) / solved)
    }
}

impl Cell {
    /// The count that was published as a rate; the nearest if the board is inconsistent.
    pub fn passed(&self) -> u64 {
        self.pass_rate.count_of(self.n_prompts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(usage: &str) -> Row {
        let usage = serde_json::from_str(usage).expect("counts");
        Row { usage, ..crate::testing::row("m", 1, None) }
    }

    #[test]
    fn a_server_that_counts_no_tokens_makes_no_model_free() {
        let price = Price { input: 3.0, output: 3.0, date: String::new(), source: String::new() };
        for (usage, is_known) in [
            (r#"{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}"#, false),
            (r#"{"prompt_tokens": 0, "completion_tokens": 8}"#, true),
            (r#"{"prompt_tokens": 1, "completion_tokens": 18446744073709551615}"#, true),
        ] {
            let row = row(usage);
            assert_eq!(row.tokens_per_solved().is_some(), is_known, "{usage}");
            assert_eq!(row.cost_per_solved(&price).is_some(), is_known, "{usage}");
        }
        let free = Price { input: 0.0, output: 0.0, ..price };
        let row = row(r#"{"prompt_tokens": 5, "completion_tokens": 8}"#);
        assert_eq!(row.cost_per_solved(&free), Some(0.0));
    }

    #[test]
    fn the_total_comes_first_then_one_whole_pair() {
        for (usage, tokens, split) in [
            (r#"{"total_tokens": 9, "prompt_tokens": 1, "completion_tokens": 2}"#, Some(9), true),
            (
                r#"{"prompt_tokens": 1, "completion_tokens": 2, "input_tokens": 7, "output_tokens": 7}"#,
                Some(3),
                true,
            ),
            (r#"{"input_tokens": 4, "output_tokens": 2}"#, Some(6), true),
            (r#"{"prompt_tokens": 1, "output_tokens": 2}"#, None, false),
            (r#"{"total_tokens": 5}"#, Some(5), false),
            ("{}", None, false),
        ] {
            let row = row(usage);
            assert_eq!((row.tokens(), row.token_split().is_some()), (tokens, split), "{usage}");
            let price =
                Price { input: 1.0, output: 2.0, date: String::new(), source: String::new() };
            assert_eq!(row.cost(&price).is_some(), split, "{usage}");
        }
    }
}
