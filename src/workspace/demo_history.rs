//! A year of weekly runs for trying the history on: made up, the same every time, and marked so.
//!
//! Five model histories: one improves, one is flat and noisy, one regresses and recovers, one overfits
//! the public set halfway, one is withdrawn. The protocol changes midway, so every average restarts.

use crate::board::{self, Board, HeldOut, Row};
use crate::domain::{Gap, Rate, round, sha16, sha256};
use crate::ledger::{
    BoardLine, History, Instant, Line, Retraction, Rules, Run, Withdraw, insert, is_regression,
};
use crate::table::significance::SplitMix64;
use crate::workspace::demo::WITHDRAWN;

/// Weeks before the board; its own week makes them a year.
const WEEKS: i64 = 51;
/// The first week under the board's own protocol.
const BUMP: i64 = 22;
/// The weeks in which one model is down.
const FALL: std::ops::Range<i64> = 35..39;
/// The week whose run of the first model is taken out afterwards.
const RETRACTED: i64 = 42;
/// How many prompts a made-up run claims to be over.
const PROMPTS: u64 = 120;
/// The weeks that end with a board.
const BOARDS: [i64; 5] = [8, 20, 27, 36, 46];
const NOTE: &str = "illustrative: made up by `demo`";
const RULES: Rules = Rules { score_scale: 1.0, epsilon: 0.005 };

/// A made-up year.
#[derive(Debug, Default)]
pub struct DemoYear {
    /// The ledger's lines.
    pub lines: Vec<u8>,
    /// The boards they speak of: SHA-256 and bytes.
    pub boards: Vec<(String, Vec<u8>)>,
    /// Who does what in it.
    pub described: Vec<String>,
}

/// Which story a model follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Climbs,
    Wavers,
    FallsAndMends,
    LearnsByHeart,
    Leaves,
}

/// One of the five.
struct Character {
    shape: Shape,
    row: Row,
    run: Run,
}

/// The year that ends a week before `board`; `rows` are its own runs, and each series leads up to
/// one of them. A board of fewer than four scored rows has no story.
pub fn demo_year(board: &Board, rows: &[Run]) -> DemoYear {
    let mut cast: Vec<Character> = Vec::new();
    let scored: Vec<&Row> =
        board.entries.iter().filter(|row| row.held_out.rate().is_some()).collect();
    let Some(overfit) = scored.iter().copied().max_by_key(|row| row.overfit_gap) else {
        return DemoYear::default();
    };
    let others = scored.iter().copied().filter(|row| row.id() != overfit.id());
    let shapes = [Shape::Climbs, Shape::Wavers, Shape::FallsAndMends];
    let last = (Shape::LearnsByHeart, overfit);
    for (shape, row) in shapes.into_iter().zip(others).chain([last]) {
        let Some(run) = rows.iter().find(|run| run.model == row.id()) else { continue };
        cast.push(Character { shape, row: row.clone(), run: run.clone() });
    }
    let [_, second, _, _] = &cast[..] else { return DemoYear::default() };
    cast.push(leaver(second));

    let mut story = DemoYear {
        described: cast.iter().map(|of| of.shape.described(&of.row.model)).collect(),
        ..DemoYear::default()
    };
    story
        .described
        .push("half way the protocol changes, and every average starts again".to_owned());
    let mut history = History::default();
    let mut random = SplitMix64::new(7);
    for week in 0..WEEKS {
        for (index, of) in cast.iter().enumerate() {
            if let Some(run) = of.run(index, week, &mut random, &history) {
                story.line(&Line::Run(Box::new(run.clone())));
                insert(&mut history, run, RULES);
            }
        }
        let noon = format!("{}T12:00:00Z", date(&cast[0].run, week));
        if week == Shape::LAST {
            story.line(&withdrawal(&board.eval_protocol_version, &noon));
        }
        if week == RETRACTED + 1 {
            story.line(&Line::Retraction(Retraction {
                kind: "retraction",
                reason: format!("{NOTE}; scored on an old set"),
                recorded_at: noon.clone(),
                run_id: run_id(&cast[0].run, RETRACTED),
            }));
        }
        if BOARDS.contains(&week) {
            story.board(board, &cast, week, &noon);
        }
    }
    story
}

impl Shape {
    /// The last week of the one that leaves.
    const LAST: i64 = 32;

    /// What `model` does.
    fn described(self, model: &str) -> String {
        let does = match self {
            Self::Climbs => "climbs and takes the lead",
            Self::Wavers => "wavers and stays where it is",
            Self::FallsAndMends => "falls, and recovers four weeks later",
            Self::LearnsByHeart => {
                "comes late and learns the public set by heart; its last regression stays open"
            }
            Self::Leaves => "is withdrawn",
        };
        format!("`{model}` {does}")
    }

    /// Whether it has a run in `week`.
    fn is_there(self, week: i64) -> bool {
        match self {
            Self::LearnsByHeart => week >= 26,
            Self::Leaves => week <= Self::LAST,
            _ => true,
        }
    }

    /// How far the score of `week` is from where it ends, and how far it may stray, in thousandths.
    fn course(self, week: i64) -> (f64, usize) {
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let left = (WEEKS - week) as f64;
        match self {
            Self::Climbs if week < BUMP => (-0.3 - 0.003 * left, 5),
            Self::Climbs => (-0.0133 * left, 5),
            Self::Wavers => (0.0, 24),
            Self::FallsAndMends if FALL.contains(&week) => (-0.15, 8),
            Self::FallsAndMends => (0.0006 * left, 8),
            Self::LearnsByHeart => (0.075 + 0.0139 * left, 6),
            Self::Leaves => (-0.002 * left, 9),
        }
    }
}

impl Character {
    /// Where the score of `week` would be without noise.
    fn expected(&self, week: i64) -> f64 {
        // The older protocol was easier.
        let easier = if week < BUMP { 0.06 } else { 0.0 };
        self.run.aggregate_score.unwrap_or_default() + self.shape.course(week).0 + easier
    }

    /// The public score of `week`: who learns by heart gains there what is lost elsewhere.
    fn public(&self, week: i64) -> f64 {
        let end = self.run.dataset_scores.get("public").copied().unwrap_or_default();
        let (change, _) = self.shape.course(week);
        end + if self.shape == Shape::LearnsByHeart { -0.6 * change } else { change }
    }

    /// Whether the script has all its parts moves half as much as whether it is right.
    fn structural(&self, week: i64) -> f64 {
        let end = self.run.rubric_scores.get("structural").copied().unwrap_or_default();
        end + self.shape.course(week).0 / 2.0
    }

    fn run(
        &self,
        index: usize,
        week: i64,
        random: &mut SplitMix64,
        history: &History,
    ) -> Option<Run> {
        let (_, stray) = self.shape.course(week);
        #[expect(clippy::cast_precision_loss, reason = "small numbers")]
        let (noise, left, order) = (
            (random.below(2 * stray + 1) as f64 - stray as f64) / 1000.0,
            (WEEKS - week) as f64 / WEEKS as f64,
            index as f64,
        );
        if !self.shape.is_there(week) {
            return None;
        }
        let score = of_prompts(self.expected(week) + noise);
        // Each is a little dearer and slower than the one before it; the one that falls is slow too.
        let is_down = self.shape == Shape::FallsAndMends && FALL.contains(&week);
        let slow = if is_down { 900.0 } else { 0.0 };
        let latency = 900.0 + 260.0 * order + 500.0 * left + 4000.0 * noise + slow;
        let cost = (0.0012 + 0.0007 * order) * (1.0 + 0.6 * left);
        let run_at = format!("{}T0{index}:00:00Z", date(&self.run, week));
        let is_unscored = self.shape == Shape::Wavers && week == 15;
        let is_old = week < BUMP;
        let mut run = Run {
            aggregate_score: Some(score).filter(|_| !is_unscored),
            cost_per_message_usd: Some(round(cost, 6)),
            dataset_scores: [("held_out", score), ("public", of_prompts(self.public(week)))]
                .map(|(name, score)| (name.to_owned(), score))
                .into(),
            eval_protocol_version: if is_old {
                Some("0".into())
            } else {
                self.run.eval_protocol_version.clone()
            },
            hallucination_rate: Some(if is_down { 0.06 } else { 0.0 }),
            latency_p95_ms: Some(round(latency, 0)),
            n_prompts: Some(PROMPTS),
            notes: Some(NOTE.into()),
            recorded_at: Some(run_at.clone()),
            rubric_scores: [("structural".to_owned(), of_prompts(self.structural(week)))].into(),
            run_id: run_id(&self.run, week),
            conditions_id: if is_old {
                Some("0000000000000000".into())
            } else {
                self.run.conditions_id.clone()
            },
            at: Instant::parse(&run_at)?,
            run_at,
            ..self.run.clone()
        };
        // Flagged while it lasts, not only on the first bad run.
        run.regression_detected = is_down || is_regression(history, &run, RULES, Some(0.06));
        Some(run)
    }

    /// Its row on the board of `week`.
    fn row(&self, week: i64) -> Row {
        let held_out = self.row.held_out.cell().map_or(1, |cell| cell.n_prompts);
        let cell = |rate: f64, n_prompts: u64| board::Cell {
            by_tier: std::collections::BTreeMap::new(),
            n_prompts,
            pass_rate: rate_of(rate, n_prompts),
        };
        let (public, headline) = (
            cell(self.public(week), self.row.public.n_prompts),
            cell(self.expected(week), held_out),
        );
        let bundle = sha16(format!("{NOTE}\n{}\n{week}", self.run.model).as_bytes());
        Row {
            close_the_loop: None,
            overfit_gap: Some(Gap::between(public.pass_rate, headline.pass_rate)),
            held_out: HeldOut::Scored(headline),
            public,
            run: board::RowRun { recorded_bundle_sha16: bundle, ..self.row.run.clone() },
            ..self.row.clone()
        }
    }
}

impl DemoYear {
    fn line(&mut self, line: &Line) {
        self.lines.extend(line.bytes().unwrap_or_default());
    }

    fn board(&mut self, now: &Board, cast: &[Character], week: i64, noon: &str) {
        let mut entries: Vec<Row> =
            cast.iter().filter(|of| of.shape.is_there(week)).map(|of| of.row(week)).collect();
        entries.sort_by(|a, b| {
            b.held_out.rate().cmp(&a.held_out.rate()).then_with(|| a.model.cmp(&b.model))
        });
        for (row, rank) in entries.iter_mut().zip(1..) {
            row.rank = rank;
        }
        let protocol = if week < BUMP { "0" } else { &now.eval_protocol_version };
        let board = Board {
            entries,
            eval_protocol_version: protocol.to_owned(),
            generated_at: noon.to_owned(),
            ..now.clone()
        };
        let bytes = board.bytes();
        let board_sha256 = sha256(&bytes);
        self.line(&Line::Board(BoardLine {
            board_sha256: board_sha256.clone(),
            generated_at: noon.to_owned(),
            kind: "board",
            protocol: protocol.to_owned(),
            protocol_sha256: None,
            recorded_at: noon.to_owned(),
            rows: board.entries.len() as u64,
            serial: self.boards.len() as u64 + 1,
        }));
        self.boards.push((board_sha256, bytes));
    }
}

/// A model that is on no board any more, scored much like `other`.
fn leaver(other: &Character) -> Character {
    let row = Row { model: WITHDRAWN.1.to_owned(), ..other.row.clone() };
    let mut run = Run { model: row.id(), ..other.run.clone() };
    run.aggregate_score = run.aggregate_score.map(|score| score - 0.08);
    if let Some(public) = run.dataset_scores.get_mut("public") {
        *public -= 0.06;
    }
    Character { shape: Shape::Leaves, row, run }
}

/// The line that takes the withdrawn row off a demo board without a story.
pub fn demo_withdrawal(board: &Board) -> Line {
    withdrawal(&board.eval_protocol_version, &board.generated_at)
}

fn withdrawal(protocol: &str, recorded_at: &str) -> Line {
    let (provider, model) = WITHDRAWN;
    Line::Withdraw(Withdraw {
        kind: "withdraw",
        model: model.to_owned(),
        protocol: protocol.to_owned(),
        provider: provider.to_owned(),
        reason: format!("{NOTE}; its authors asked for it"),
        recorded_at: recorded_at.to_owned(),
    })
}

fn date(run: &Run, week: i64) -> String {
    Instant::of_day(run.at.day() - 7 * (WEEKS - week)).date()
}

fn run_id(run: &Run, week: i64) -> String {
    let name = run.model.rsplit([':', '/']).next().unwrap_or_default();
    format!("demo-{name}-{week:02}")
}

/// The nearest score that so many prompts can give.
fn of_prompts(score: f64) -> f64 {
    rate_of(score, PROMPTS).value()
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a few prompts"
)]
fn rate_of(share: f64, prompts: u64) -> Rate {
    let passed = (share.clamp(0.0, 1.0) * prompts as f64).round() as usize;
    Rate::of(passed, prompts as usize)
}
