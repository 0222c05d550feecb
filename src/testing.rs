//! Values that tests of several rooms use.

use std::collections::BTreeMap;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::FileFailurePersistence;

use crate::board::{Board, Cell, HeldOut, RANKING, Row, RowRun};
use crate::domain::{Gap, Rate};
use crate::replay::{PromptOutcome, Replay, Totals};

/// A row that passes `public` of 51 and `held_out` of 15.
pub(crate) fn row(model: &str, public: usize, held_out: Option<usize>) -> Row {
    let cell = |passed, total: usize| Cell {
        by_tier: BTreeMap::new(),
        n_prompts: total as u64,
        pass_rate: Rate::of(passed, total),
    };
    let public = cell(public, 51);
    let headline = held_out.map(|passed| cell(passed, 15));
    Row {
        close_the_loop: None,
        overfit_gap: headline.as_ref().map(|h| Gap::between(public.pass_rate, h.pass_rate)),
        held_out: headline.map_or(HeldOut::Pending, HeldOut::Scored),
        kind: "seed".to_owned(),
        model: model.to_owned(),
        provider: "demo".to_owned(),
        public,
        rank: 1,
        run: RowRun {
            judge_model: "judge".to_owned(),
            n_votes: 3,
            recorded_bundle_sha16: "00".repeat(8),
            submitted_by: "seed".to_owned(),
            tool_version: "0.1.0".to_owned(),
            verified: true,
        },
        usage: BTreeMap::from([
            ("prompt_tokens".to_owned(), 1_000_000),
            ("completion_tokens".to_owned(), 100_000),
        ]),
    }
}

/// A bundle of 51 prompts, `passed` of them passed, with `votes` votes each.
pub(crate) fn replay(passed: usize, votes: usize, texts: u32) -> Replay {
    let outcome = |at: usize| PromptOutcome {
        id: at.to_string(),
        tier: "easy".to_owned(),
        failures: Vec::new(),
        votes: vec![Some(at < passed); votes],
        judged: Some(at < passed),
    };
    let outcomes: Vec<PromptOutcome> = (0..51).map(outcome).collect();
    Replay {
        totals: Totals::count(outcomes.iter().map(PromptOutcome::judgement)),
        outcomes,
        usage: BTreeMap::new(),
        sha256: "00".repeat(32),
        prompts_sha256: String::new(),
        texts: vec![texts; 51].into(),
        has_crlf: false,
        findings: Vec::new(),
    }
}

/// A row whose prompts are all easy, as those of [`replay`].
pub(crate) fn easy_row(model: &str, public: usize, held_out: Option<usize>) -> Row {
    let mut row = row(model, public, held_out);
    row.public.by_tier = BTreeMap::from([("easy".to_owned(), row.public.pass_rate)]);
    row
}

/// A board of these rows.
pub(crate) fn board(entries: Vec<Row>) -> Board {
    Board {
        entries,
        eval_protocol_version: "1".to_owned(),
        generated_at: "2026-11-15T00:00:00Z".to_owned(),
        held_out_set: BTreeMap::new(),
        judge_model: "judge".to_owned(),
        public_set: BTreeMap::new(),
        ranking: RANKING.to_owned(),
    }
}

/// So many random cases; what fails is kept in `regressions` and tried first the next time.
pub(crate) fn proptest_config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::with_cases(cases)
    }
}

/// A seeded sequence of choices.
pub(crate) struct Draws(pub(crate) u64);

impl Draws {
    pub(crate) fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        from[usize::try_from(self.0 >> 33).unwrap_or(0) % from.len()]
    }
}
