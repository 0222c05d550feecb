//! One board, checked as `verify` checks it, with files that the caller brings.

use gmat_leaderboard::internals::board::{
    self, Against, AuditScope, NotCovered, Reach, SeedResult, audit, gather, waive,
};
use gmat_leaderboard::internals::domain::config::{BelowPath, Config};
use gmat_leaderboard::internals::domain::{parse_document, slug};
use gmat_leaderboard::internals::replay::{self, BundleFiles, LiftFiles, absent_file};
use gmat_leaderboard::{Code, Failure, Finding};
use serde::Serialize;

/// A board that is being checked.
pub(crate) struct Session {
    config: Config,
    config_file: String,
    board: Vec<u8>,
    board_file: String,
    one_row: bool,
    results: Vec<SeedResult>,
    /// Notes about completions that speak to the judge, where a waiver is about them.
    injections: Vec<Finding>,
}

#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum Opened {
    Ready(Seeds),
    Unusable { failures: Vec<String> },
}

#[derive(Serialize)]
pub(crate) struct Seeds {
    seeds: Vec<SeedTold>,
}

/// Where the files of a seed are.
#[derive(Serialize)]
struct SeedTold {
    id: String,
    slug: String,
    public: String,
    lift: Option<String>,
}

/// What one replay shows.
#[derive(Serialize, Default)]
pub(crate) struct Replayed {
    sha256: Option<String>,
    passed: usize,
    total: usize,
    failures: Vec<String>,
}

/// The answer, with the keys of `verify --json`.
#[derive(Serialize)]
pub(crate) struct Verdict {
    answer: &'static str,
    rows_checked: usize,
    /// `provider:model` of each row, in the order of the board.
    rows: Vec<String>,
    findings: Vec<Finding>,
    notes: Vec<Finding>,
    skipped: Vec<String>,
    failures: Vec<String>,
    /// Waivers that were used, as `CODE path`.
    waivers: Vec<String>,
    not_covered: Vec<NotCovered>,
    /// The last line that the command line prints.
    uncovered: String,
}

impl Verdict {
    fn unusable(failure: &Failure) -> Self {
        Self {
            answer: "unusable",
            rows_checked: 0,
            rows: Vec::new(),
            findings: Vec::new(),
            notes: Vec::new(),
            skipped: Vec::new(),
            failures: vec![failure.to_string()],
            waivers: Vec::new(),
            not_covered: Vec::new(),
            uncovered: String::new(),
        }
    }
}

impl Session {
    pub(crate) fn open(
        config_file: String,
        config: &[u8],
        board_file: String,
        board: Vec<u8>,
        only: Option<&str>,
    ) -> Result<Self, Failure> {
        let mut config = Config::parse(config, &config_file)?;
        if let Some(only) = only {
            config.seeds.retain(|seed| seed.id() == only);
        }
        parse_document(&board, &board_file)?;
        let results = config.seeds.iter().map(|_| SeedResult::Absent).collect();
        let (one_row, injections) = (only.is_some(), Vec::new());
        Ok(Self { config, config_file, board, board_file, one_row, results, injections })
    }

    pub(crate) fn seeds(&self) -> Seeds {
        let seeds = self.config.seeds.iter().map(|seed| SeedTold {
            id: seed.id(),
            slug: slug(&seed.provider, &seed.model),
            public: seed.public_bundle.to_string(),
            lift: seed.lift_bundle.as_ref().map(BelowPath::to_string),
        });
        Seeds { seeds: seeds.collect() }
    }

    /// Replays a seed and keeps its score; `None` if there is no such seed.
    pub(crate) fn replay(
        &mut self,
        index: usize,
        public: [Option<Vec<u8>>; 3],
        lift: [Option<Vec<u8>>; 3],
    ) -> Option<Replayed> {
        let seed = self.config.seeds.get(index)?;
        let mut told = Replayed::default();
        if public.iter().all(Option::is_none) {
            return Some(told);
        }
        let asked = self.config.asked(seed);
        let dir = seed.public_bundle.as_str();
        let scored = whole(dir, ["prompts.json", "completions.json", "judge.json"], public)
            .and_then(|[prompts, completions, judge]| {
                let files =
                    BundleFiles { dir: dir.into(), secret: false, prompts, completions, judge };
                let public = replay::replay(&files, &asked, None)?;
                (told.passed, told.total) = public.counts();
                told.sha256 = Some(public.sha256.clone());
                if board::waived_seeds(&self.config, Code::BInject).any(|it| it.id() == seed.id())
                    && let Ok(examined) = replay::examine(&files, &asked)
                {
                    let found = examined.replay.findings.into_iter();
                    self.injections.extend(found.filter(|it| it.code == Code::BInject));
                }
                drop(files);
                let lift = match &seed.lift_bundle {
                    None => None,
                    Some(dir) => {
                        let names = ["prompts.json", "trajectory.json", "verdicts.json"];
                        let [prompts, trajectory, verdicts] = whole(dir.as_str(), names, lift)?;
                        let dir = dir.to_string();
                        Some(replay::lift(&LiftFiles { dir, prompts, trajectory, verdicts })?)
                    }
                };
                Ok(board::score(&self.config, index, &public, None, lift.as_ref()))
            });
        self.results[index] = match scored {
            Ok(scored) => SeedResult::Scored(scored),
            Err(failure) => {
                told.failures.push(failure.to_string());
                SeedResult::Failed(failure)
            }
        };
        Some(told)
    }

    /// As `verify` without a held-out set, a ledger and a seal.
    pub(crate) fn finish(self, today: &str) -> Verdict {
        let Self { config, config_file, board, board_file, one_row, results, injections } = self;
        let document = match parse_document(&board, &board_file) {
            Ok(document) => document,
            Err(failure) => return Verdict::unusable(&failure),
        };
        let gathered = gather(&config, &config_file, results, false);
        let against = Against { config: &config, config_file: &config_file, gathered: &gathered };
        let scope = AuditScope { one_row, ..AuditScope::default() };
        let mut audit = audit(&board, &document, &board_file, Some(&against), scope);
        let read = gathered.read(&config);
        let own = std::mem::take(&mut audit.findings);
        let all = gathered.findings.into_iter().chain(injections).chain(own).collect();
        let rows = audit.rows.clone();
        let reach = match config.seeds.first().filter(|_| one_row) {
            Some(seed) => Reach::Row(seed),
            None => Reach::Board { rows: &audit.rows, read },
        };
        let waived = waive(&config, &config_file, all, today, &reach);
        let (findings, notes): (Vec<_>, Vec<_>) =
            waived.findings.into_iter().partition(Finding::decides);
        let failures: Vec<String> =
            gathered.failures.iter().map(|(_, failure)| failure.to_string()).collect();
        let mut not_covered: Vec<NotCovered> = audit.headlines_not_covered().into_iter().collect();
        if !one_row {
            not_covered.push(NotCovered::new(
                "ledger, seal and official baselines",
                "checked by the command line only",
            ));
        }
        not_covered.push(NotCovered::UNSIGNED);
        let words: Vec<String> = not_covered.iter().map(ToString::to_string).collect();
        Verdict {
            answer: match (failures.is_empty(), findings.is_empty()) {
                (false, _) => "unusable",
                (true, false) => "no",
                (true, true) => "yes",
            },
            rows_checked: audit.rows_checked,
            rows,
            findings,
            notes,
            skipped: gathered.skipped,
            failures,
            waivers: waived
                .used
                .iter()
                .map(|it| format!("{} {}", it.waiver.code, it.waiver.path))
                .collect(),
            uncovered: format!("not covered: {}", words.join("; ")),
            not_covered,
        }
    }
}

/// The three files of the bundle in `dir`; a failure names the first that is absent.
fn whole(
    dir: &str,
    names: [&str; 3],
    files: [Option<Vec<u8>>; 3],
) -> Result<[Vec<u8>; 3], Failure> {
    let [first, second, third] = files;
    let file = |bytes: Option<Vec<u8>>, at: usize| bytes.ok_or_else(|| absent_file(dir, names[at]));
    Ok([file(first, 0)?, file(second, 1)?, file(third, 2)?])
}
