//! The ledger as an SQL script for PostgreSQL, SQLite or DuckDB.
//!
//! The script is one transaction and can be loaded again and again: a run that the database has
//! keeps its values, and only `superseded_by` and `retracted_at` follow the ledger. What is derived
//! (weeks, regressions, rows of boards) is replaced. The same ledger gives the same bytes.

use std::collections::BTreeMap;

use super::events::episodes;
use super::history::History;
use super::instant::Instant;
use super::line::BoardLine;
use super::record::row_id;
use super::run::Run;
use super::weeks::weeks;
use crate::board::{Board, HeldOut, Row};
use crate::domain::{Gap, escape};

/// Which database reads the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// PostgreSQL 12 or newer.
    Postgres,
    /// SQLite 3.28 or newer.
    Sqlite,
    /// DuckDB.
    Duckdb,
}

/// Rows of one INSERT.
const BATCH: usize = 200;

/// What the script holds.
#[derive(Debug, Clone, Copy)]
pub struct SqlContents<'l> {
    /// Everything recorded.
    pub history: &'l History,
    /// What the database has already; runs that are the same there are left out.
    pub since: Option<&'l History>,
    /// The recorded boards.
    pub boards: &'l [(BoardLine, Board)],
}

/// The script; `epsilon` is the smallest change of the average that counts.
pub fn sql(contents: SqlContents<'_>, dialect: Dialect, epsilon: f64) -> String {
    let SqlContents { history, since, boards } = contents;
    let mut script = String::from("-- Written by `gmat-leaderboard history sql`.\n");
    if dialect == Dialect::Postgres {
        script += "SET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\n";
    }
    script += "BEGIN;\n\n";
    script += &dialect.fill(TABLES, epsilon);
    let runs = history.recorded().iter().filter_map(|run| {
        let row = run_row(history, run, dialect);
        let old = since.and_then(|old| Some(run_row(old, old.run(&run.run_id)?, dialect)));
        (old.as_ref() != Some(&row)).then_some(row)
    });
    insert(
        &mut script,
        "eval_leaderboard",
        runs,
        "\nON CONFLICT (run_id) DO UPDATE SET superseded_by = excluded.superseded_by, retracted_at = excluded.retracted_at",
    );
    let weeks = weeks(history).into_iter().map(|week| {
        vec![
            dialect.text(&week.week.to_string()),
            number(week.avg_aggregate_score),
            number(week.best_run_score),
            number(week.worst_run_score),
            week.hallucination_incidents.to_string(),
            week.regressions_detected.to_string(),
            week.regressions_resolved.to_string(),
            week.regressions_open.to_string(),
            week.run_count.to_string(),
            week.scored_run_count.to_string(),
        ]
    });
    insert(&mut script, "weekly_quality_summary", weeks, "");
    let episodes = episodes(history).into_iter().map(|(opened, resolved)| {
        vec![
            dialect.text(&opened.model),
            dialect.text(&opened.run_id),
            dialect.time(opened.at),
            resolved.map_or_else(null, |run| dialect.text(&run.run_id)),
            resolved.map_or_else(null, |run| dialect.time(run.at)),
        ]
    });
    insert(&mut script, "eval_regressions", episodes, "");
    let rows = boards.iter().flat_map(|(line, board)| {
        board.entries.iter().map(|row| board_row(line, row, dialect)).collect::<Vec<_>>()
    });
    insert(&mut script, "board_rows", rows, "");
    script += "\nCOMMIT;\n";
    script
}

fn run_row(history: &History, run: &Run, dialect: Dialect) -> Vec<String> {
    let text = |value: Option<&str>| value.map_or_else(null, |value| dialect.text(value));
    let moment = |value: &str| Instant::parse(value).map_or_else(null, |at| dialect.time(at));
    // A retraction without a readable time still excludes its run.
    let retracted = history
        .retraction(&run.run_id)
        .map(|line| dialect.time(Instant::parse(&line.recorded_at).unwrap_or(run.at)));
    vec![
        dialect.text(&row_id(&run.run_id)),
        dialect.text(&run.run_id),
        dialect.time(run.at),
        run.at.nanosecond().to_string(),
        dialect.text(&run.model),
        number(run.aggregate_score),
        number(run.hallucination_rate),
        number(run.latency_p95_ms),
        number(run.cost_per_message_usd),
        run.regression_detected.to_string().to_uppercase(),
        dialect.parts(&run.dataset_scores),
        dialect.parts(&run.rubric_scores),
        run.recorded_at.as_deref().map_or_else(null, moment),
        text(run.eval_protocol_version.as_deref()),
        text(run.conditions_id.as_deref()),
        run.n_prompts.map_or_else(null, |count| count.to_string()),
        text(run.notes.as_deref()),
        text(run.report_url.as_deref()),
        text(history.superseded_by(&run.run_id).map(|by| by.run_id.as_str())),
        retracted.unwrap_or_else(null),
    ]
}

fn board_row(line: &BoardLine, row: &Row, dialect: Dialect) -> Vec<String> {
    let (rate, prompts) = match &row.held_out {
        HeldOut::Scored(cell) => (Some(cell.pass_rate.value()), cell.n_prompts.to_string()),
        HeldOut::Pending => (None, null()),
    };
    vec![
        line.serial.to_string(),
        dialect.text(&line.board_sha256),
        Instant::parse(&line.generated_at).map_or_else(null, |at| dialect.time(at)),
        dialect.text(&line.protocol),
        row.rank.to_string(),
        dialect.text(&row.id()),
        number(rate),
        prompts,
        number(Some(row.public.pass_rate.value())),
        row.public.n_prompts.to_string(),
        number(row.overfit_gap.map(Gap::value)),
    ]
}

fn insert(script: &mut String, table: &str, rows: impl Iterator<Item = Vec<String>>, end: &str) {
    let rows: Vec<String> = rows.map(|cells| format!("({})", cells.join(", "))).collect();
    for rows in rows.chunks(BATCH) {
        *script += &format!("INSERT INTO {table} VALUES\n{}{end};\n", rows.join(",\n"));
    }
}

fn null() -> String {
    "NULL".to_owned()
}

/// The shortest digits that give the same double; a whole number has no `.0`.
fn number(value: Option<f64>) -> String {
    let digits = value.and_then(serde_json::Number::from_f64).map(|number| number.to_string());
    digits.map_or_else(null, |digits| digits.trim_end_matches(".0").to_owned())
}

impl Dialect {
    /// The only place where text becomes SQL. Control characters are written as hex: `sqlite3`
    /// changes line ends inside a literal, and a terminal may show the script. PostgreSQL has no
    /// NUL in a text, so U+FFFD replaces it.
    fn text(self, text: &str) -> String {
        let text = text.replace('\0', "\u{fffd}");
        if !text.contains(char::is_control) && escape(&text) == text {
            return format!("'{}'", text.replace('\'', "''"));
        }
        let hex = hex::encode(text);
        match self {
            Self::Postgres => format!("convert_from(decode('{hex}', 'hex'), 'UTF8')"),
            Self::Sqlite => format!("CAST(x'{hex}' AS TEXT)"),
            Self::Duckdb => format!("decode(unhex('{hex}'))"),
        }
    }

    fn time(self, at: Instant) -> String {
        self.text(&at.microsecond())
    }

    fn parts(self, parts: &BTreeMap<String, f64>) -> String {
        let part = |(name, score): (&String, &f64)| {
            format!("{}: {}", serde_json::json!(name), number(Some(*score)))
        };
        let parts: Vec<String> = parts.iter().map(part).collect();
        self.text(&format!("{{{}}}", parts.join(", ")))
    }

    /// Writes the words that differ between the databases into `template`.
    fn fill(self, template: &str, epsilon: f64) -> String {
        let (uuid, time, json) = match self {
            Self::Postgres => ("UUID", "TIMESTAMPTZ", "JSONB"),
            Self::Sqlite => ("TEXT", "TEXT", "JSON"),
            Self::Duckdb => ("UUID", "TIMESTAMPTZ", "JSON"),
        };
        let (order, exact) = match self {
            Self::Postgres => ("run_id COLLATE \"C\"", "NUMERIC"),
            _ => ("run_id", "DOUBLE PRECISION"),
        };
        let mut filled = template.to_owned();
        for (word, value) in [
            ("{uuid}", uuid),
            ("{time}", time),
            ("{json}", json),
            ("{order}", order),
            ("{exact}", exact),
            ("{epsilon}", &number(Some(epsilon))),
        ] {
            filled = filled.replace(word, value);
        }
        if self != Self::Sqlite {
            return filled.replace("CREATE VIEW", "CREATE OR REPLACE VIEW");
        }
        ["eval_leaderboard_trend", "eval_leaderboard_current"].iter().fold(filled, |text, view| {
            let create = format!("CREATE VIEW {view} ");
            text.replace(&create, &format!("DROP VIEW IF EXISTS {view};\n{create}"))
        })
    }
}

const TABLES: &str = "\
-- One row per run. `run_id` is TEXT because not every runner has UUIDs, and numbers are doubles:
-- NUMERIC(3,2) would store 0.804 as 0.80. `run_at_ns` (nanoseconds since 1970) orders runs that
-- {time} cannot tell apart.
CREATE TABLE IF NOT EXISTS eval_leaderboard (
  id {uuid} PRIMARY KEY,
  run_id TEXT UNIQUE NOT NULL,
  run_at {time} NOT NULL,
  run_at_ns BIGINT NOT NULL,
  model TEXT NOT NULL,
  aggregate_score DOUBLE PRECISION,
  hallucination_rate DOUBLE PRECISION,
  latency_p95_ms DOUBLE PRECISION,
  cost_per_message_usd DOUBLE PRECISION,
  regression_detected BOOLEAN NOT NULL DEFAULT FALSE,
  dataset_scores {json},
  rubric_scores {json},
  created_at {time},
  eval_protocol_version TEXT,
  weights_sha16 TEXT,
  n_prompts BIGINT,
  notes TEXT,
  report_url TEXT,
  superseded_by TEXT,
  retracted_at {time}
);
CREATE INDEX IF NOT EXISTS eval_leaderboard_model_run_at ON eval_leaderboard (model, run_at DESC);

-- Derived from the ledger and replaced by each load.
CREATE TABLE IF NOT EXISTS weekly_quality_summary (
  week TEXT NOT NULL,
  avg_aggregate_score DOUBLE PRECISION,
  best_run_score DOUBLE PRECISION,
  worst_run_score DOUBLE PRECISION,
  hallucination_incidents BIGINT NOT NULL,
  regressions_detected BIGINT NOT NULL,
  regressions_resolved BIGINT NOT NULL,
  regressions_open BIGINT NOT NULL,
  run_count BIGINT NOT NULL,
  scored_run_count BIGINT NOT NULL
);
DELETE FROM weekly_quality_summary;

-- Derived as well. A regression lasts until the model's first run without the flag.
CREATE TABLE IF NOT EXISTS eval_regressions (
  model TEXT NOT NULL,
  opened_run_id TEXT NOT NULL,
  opened_at {time} NOT NULL,
  resolved_run_id TEXT,
  resolved_at {time}
);
DELETE FROM eval_regressions;

-- Derived as well: every row of every recorded board, so that a dashboard can draw its history.
-- `score` is NULL while the private test is pending.
CREATE TABLE IF NOT EXISTS board_rows (
  board BIGINT NOT NULL,
  board_sha256 TEXT NOT NULL,
  generated_at {time},
  eval_protocol_version TEXT NOT NULL,
  place BIGINT NOT NULL,
  model TEXT NOT NULL,
  score DOUBLE PRECISION,
  n_prompts BIGINT,
  public_score DOUBLE PRECISION NOT NULL,
  public_n_prompts BIGINT NOT NULL,
  gap DOUBLE PRECISION
);
DELETE FROM board_rows;

-- The runs that count.
CREATE VIEW eval_leaderboard_current AS
SELECT * FROM eval_leaderboard WHERE superseded_by IS NULL AND retracted_at IS NULL;

-- What each run changed, and the average of the last three scores. Only runs of one model under one
-- protocol and one set of weights compare.
CREATE VIEW eval_leaderboard_trend AS
WITH runs AS (
  SELECT run_id, run_at, run_at_ns, model, aggregate_score, hallucination_rate,
    COALESCE(eval_protocol_version, '') || '/' || COALESCE(weights_sha16, '') AS epoch
  FROM eval_leaderboard_current
), scored AS (
  SELECT run_id, model, epoch, run_at_ns,
    COUNT(*) OVER (PARTITION BY model, epoch ORDER BY run_at_ns, {order}) AS scores,
    AVG(aggregate_score) OVER (PARTITION BY model, epoch ORDER BY run_at_ns, {order}
      ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS average
  FROM runs WHERE aggregate_score IS NOT NULL
), moved AS (
  SELECT run_id, scores, average, ROUND(CAST(average
    - LAG(average) OVER (PARTITION BY model, epoch ORDER BY run_at_ns, {order}) AS {exact}), 6) AS moved
  FROM scored
), compared AS (
  SELECT runs.*,
    LAG(run_id) OVER (PARTITION BY model, epoch ORDER BY run_at_ns, {order}) AS previous_run_id,
    aggregate_score - LAG(aggregate_score)
      OVER (PARTITION BY model, epoch ORDER BY run_at_ns, {order}) AS score_delta,
    hallucination_rate - LAG(hallucination_rate)
      OVER (PARTITION BY model, epoch ORDER BY run_at_ns, {order}) AS hallucination_delta
  FROM runs
)
SELECT compared.run_id, run_at, run_at_ns, model, epoch, aggregate_score, previous_run_id,
  CAST(ROUND(CAST(score_delta AS {exact}), 6) AS DOUBLE PRECISION) AS score_delta,
  hallucination_rate,
  CAST(ROUND(CAST(hallucination_delta AS {exact}), 6) AS DOUBLE PRECISION) AS hallucination_delta,
  CAST(ROUND(CAST(average AS {exact}), 6) AS DOUBLE PRECISION) AS moving_average,
  CASE WHEN scores IS NULL OR scores < 3 THEN NULL
    WHEN moved > {epsilon} THEN 'improving'
    WHEN moved < -{epsilon} THEN 'declining'
    ELSE 'stable' END AS trend
FROM compared LEFT JOIN moved ON moved.run_id = compared.run_id;

";
