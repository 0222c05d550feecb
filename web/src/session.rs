//! One board, checked as `verify` checks it, with files that the caller brings.

use std::collections::{BTreeMap, BTreeSet};

use gmat_leaderboard::internals::board::{
    self, AuditScope, NotCovered, SeedResult, Verification, Verified,
};
use gmat_leaderboard::internals::domain::config::{BelowPath, Config};
use gmat_leaderboard::internals::domain::{Exit, parse_document, sha256, slug};
use gmat_leaderboard::internals::hints;
use gmat_leaderboard::internals::json;
use gmat_leaderboard::internals::ledger::{self, BoardToVerify, LedgerAndBoards, LedgerBytes};
use gmat_leaderboard::internals::replay::{self, BundleFiles, LiftFiles, PromptSet, absent_file};
use gmat_leaderboard::internals::seal::{
    Seal, SealFiles, Sealable, Sealed, inputs, missing_seal, missing_signature,
};
use gmat_leaderboard::{Code, Failure, Finding};
use serde::Serialize;

const LEDGER: &str = "leaderboard/history.jsonl";
const CHECKPOINTS: &str = "leaderboard/history.checkpoints";
const WEEKLY: &str = "leaderboard/weekly.json";
const SEAL: &str = "leaderboard/leaderboard.seal.json";
const SIGNATURE: &str = "leaderboard/leaderboard.seal.json.minisig";
const BOARDS: &str = "leaderboard/boards/";

const PUBLIC: [&str; 3] = ["prompts.json", "completions.json", "judge.json"];
const LIFT: [&str; 3] = ["prompts.json", "trajectory.json", "verdicts.json"];

/// A board that is being checked.
pub(crate) struct Session {
    config: Config,
    config_bytes: Vec<u8>,
    config_file: String,
    board: Vec<u8>,
    board_file: String,
    one_row: bool,
    results: Vec<SeedResult>,
    /// Notes about completions that speak to the judge, where a waiver is about them.
    injections: Vec<Finding>,
    /// A prompts.json that more bundles have, and what was read from it.
    common: Option<(Vec<u8>, Option<PromptSet<'static>>)>,
    /// Ledger, copies of boards and seal, by path below the root.
    beside: BTreeMap<String, Vec<u8>>,
    /// The seal, if there is one that can be read.
    seal: Option<Seal>,
    /// SHA-256 of the files that a seal is about, by path below the root.
    digests: BTreeMap<String, String>,
    /// Whether the files are those of a checkout: what is not there is absent, not just not at hand.
    is_checkout: bool,
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

/// Files that the checks need beyond bundles, ledger and seal, by path below the root.
#[derive(Serialize)]
pub(crate) struct Wanted {
    wanted: Vec<String>,
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
#[derive(Serialize, Default)]
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

impl Session {
    pub(crate) fn open(
        config_file: String,
        config_bytes: Vec<u8>,
        board_file: String,
        board: Vec<u8>,
        only: Option<&str>,
    ) -> Result<Self, Failure> {
        let mut config = Config::parse(&config_bytes, &config_file)?;
        if let Some(only) = only {
            config.seeds.retain(|seed| seed.id() == only);
        }
        parse_document(&board, &board_file)?;
        Ok(Self {
            results: config.seeds.iter().map(|_| SeedResult::Absent).collect(),
            one_row: only.is_some(),
            config,
            config_bytes,
            config_file,
            board,
            board_file,
            injections: Vec::new(),
            common: None,
            beside: BTreeMap::new(),
            seal: None,
            digests: BTreeMap::new(),
            is_checkout: false,
        })
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

    /// Takes ledger and seal; returns what else is needed of a checkout, for [`Self::others`].
    pub(crate) fn beside(&mut self, files: Vec<(String, Vec<u8>)>, is_checkout: bool) -> Wanted {
        self.is_checkout = is_checkout;
        self.beside.extend(files);
        let mut wanted: Vec<String> = Vec::new();
        if self.one_row {
            return Wanted { wanted };
        }
        self.seal = self.beside.get(SEAL).and_then(|bytes| Seal::read(bytes, SEAL).ok());
        if is_checkout {
            if let Some(seal) = &self.seal {
                let replayed = self.replayed();
                let named = seal.files.keys().cloned();
                wanted.extend(inputs(&self.config).into_iter().chain(named));
                wanted.retain(|path| !replayed.contains(path));
            }
        }
        Wanted { wanted }
    }

    /// Takes files that were wanted. Only their digests are kept.
    pub(crate) fn others(&mut self, files: Vec<(String, Vec<u8>)>) {
        self.digests.extend(files.into_iter().map(|(path, bytes)| (path, sha256(&bytes))));
    }

    /// The files that are passed to [`Self::replay`].
    fn replayed(&self) -> BTreeSet<String> {
        let seeds = self.config.seeds.iter();
        let files = |(dir, names): (&BelowPath, [&str; 3])| names.map(|name| dir.file(name));
        let lifts = seeds.clone().filter_map(|seed| Some((seed.lift_bundle.as_ref()?, LIFT)));
        seeds.map(|seed| (&seed.public_bundle, PUBLIC)).chain(lifts).flat_map(files).collect()
    }

    /// Takes the prompts.json that bundles share.
    pub(crate) fn share(&mut self, prompts: Vec<u8>) {
        // Never freed: a board has one of them.
        let kept: &'static [u8] = Box::leak(prompts.clone().into_boxed_slice());
        let document = json::parse(kept).ok().map(|it| &*Box::leak(Box::new(it)));
        self.common = Some((prompts, document.and_then(PromptSet::unnamed)));
    }

    /// Replays a seed and keeps its score; `None` if there is no such seed. With `is_shared`,
    /// prompts.json is the shared one.
    pub(crate) fn replay(
        &mut self,
        index: usize,
        mut public: [Option<Vec<u8>>; 3],
        lift: [Option<Vec<u8>>; 3],
        is_shared: bool,
    ) -> Option<Replayed> {
        if is_shared {
            public[0] = self.common.as_ref().map(|(bytes, _)| bytes.clone());
        } else if let (None, Some(prompts)) = (&self.common, &public[0]) {
            self.share(prompts.clone());
        }
        let seed = self.config.seeds.get(index)?;
        let mut told = Replayed::default();
        let asked = self.config.asked(seed);
        let dir = seed.public_bundle.as_str();
        if self.seal.is_some() {
            let lift_dir = seed.lift_bundle.as_ref();
            let lifts = lift_dir.map(|dir| (dir, LIFT, &lift));
            for (dir, names, files) in
                [Some((&seed.public_bundle, PUBLIC, &public)), lifts].into_iter().flatten()
            {
                let there =
                    names.iter().zip(files).filter_map(|(name, file)| Some((name, file.as_ref()?)));
                self.digests.extend(there.map(|(name, bytes)| (dir.file(name), sha256(bytes))));
            }
        }
        if public.iter().all(Option::is_none) {
            return Some(told);
        }
        let set = self.common.as_ref().and_then(|(_, set)| set.as_ref());
        let scored = whole(dir, PUBLIC, public).and_then(|[prompts, completions, judge]| {
            let (dir, prompts) = (dir.into(), prompts.into());
            let files = BundleFiles { dir, secret: false, prompts, completions, judge };
            // The shared bytes need no comparison with those that `set` was read from.
            let public = if is_shared {
                replay::replay_parsed(&files, None, &asked, set)?
            } else {
                replay::replay(&files, &asked, set)?
            };
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
                    let [prompts, trajectory, verdicts] = whole(dir.as_str(), LIFT, lift)?;
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

    /// As `verify` without a held-out set.
    pub(crate) fn finish(self, now: &str) -> Verdict {
        self.concluded(now).unwrap_or_else(|failure| Verdict {
            answer: Exit::Unusable.answer(),
            failures: vec![failure.to_string()],
            ..Verdict::default()
        })
    }

    fn concluded(mut self, now: &str) -> Result<Verdict, Failure> {
        let results = std::mem::take(&mut self.results);
        let injections = std::mem::take(&mut self.injections);
        let Self { config, config_file, board, board_file, one_row, .. } = &self;
        let document = parse_document(board, board_file)?;
        let scope = AuditScope { one_row: *one_row, ..AuditScope::default() };
        let of_board = (&**board, &document, &**board_file);
        let mut verification = Verification::new((config, config_file), results, of_board, scope);

        let copies = self.beside.iter().filter_map(|(path, bytes)| {
            Some((path.strip_prefix(BOARDS)?.to_owned(), bytes.clone()))
        });
        let boards = copies.collect();
        let history = self.beside.get(LEDGER).map(Vec::as_slice);
        let parsed = ledger::read(history.unwrap_or_default());
        let dir = board_file.trim_end_matches("leaderboard.json");
        let kept = LedgerAndBoards {
            files: LedgerBytes {
                history: history.unwrap_or_default(),
                checkpoints: self.beside.get(CHECKPOINTS).map(Vec::as_slice),
                weekly: self.beside.get(WEEKLY).map(Vec::as_slice),
                ..LedgerBytes::default()
            },
            parsed: &parsed,
            boards: &boards,
            dir: &format!("{dir}boards"),
        };
        let Ok(()) = verification
            .allow_not_built_yet(|| Ok::<_, std::convert::Infallible>(kept.rows_ever_named()));
        let (mut others, mut seal) = (Vec::new(), Err(NotCovered::SEAL_OF_BOARD));
        let mut not_covered: Vec<NotCovered> =
            verification.audit().headlines_not_covered().into_iter().collect();
        if !one_row {
            let typed = board::read(&document.root, board_file).ok();
            if self.is_checkout {
                let claim = BoardToVerify {
                    bytes: board,
                    file: board_file,
                    generated_at: verification.audit().generated_at.as_deref(),
                    board: typed.as_ref(),
                    config,
                    config_file,
                    now,
                };
                let (found, gaps) = kept.verify(&claim);
                others = found;
                not_covered.extend(gaps);
            }
            let (unlike, found) = self.check_seal(history)?;
            others.extend(unlike);
            seal = found;
        }
        not_covered.extend(Sealed::not_covered(&seal));
        // Its code would be a tenth of the module.
        if config.seal_key.is_some() && self.beside.contains_key(SIGNATURE) && !one_row {
            not_covered.push(NotCovered::new("signature", "checked by the command line only"));
        }
        if !one_row {
            let by_program = "checked by the command line only";
            let unpublished = "not published with a site; drop a clone";
            let is_open = |seal: &Seal| seal.files.keys().any(|it| !self.digests.contains_key(it));
            let is_open = !self.is_checkout && self.seal.as_ref().is_some_and(is_open);
            let is_named = !self.is_checkout && seal.map_or(true, |seal| seal.has_ledger);
            let others = [
                (is_open, "some sealed files", unpublished),
                (!config.official_baselines.is_empty(), "official baselines", by_program),
                (is_named, "ledger", unpublished),
            ];
            let others = others.into_iter().filter(|(applies, ..)| *applies);
            not_covered.extend(others.map(|(_, what, why)| NotCovered::new(what, why)));
        }
        if config.seeds.iter().any(|seed| seed.held_out_bundle.is_some()) {
            let why = "not searched for: no held-out set at hand";
            not_covered.push(NotCovered::new("held-out texts", why));
        }

        let all = verification.take_findings(injections, others);
        let verified = verification.conclude(all, now.get(..10).unwrap_or(now));
        let answer = verified.exit().answer();
        let Verified { audit, waivers, failures, skipped } = verified;
        let (findings, notes): (Vec<_>, Vec<_>) =
            audit.findings.iter().map(hints::worded).partition(Finding::decides);
        let not_covered: Vec<NotCovered> = not_covered.into_iter().map(hints::gap).collect();
        let words: Vec<String> = not_covered.iter().map(ToString::to_string).collect();
        Ok(Verdict {
            answer,
            rows_checked: audit.rows_checked,
            rows: audit.rows,
            findings,
            notes,
            skipped,
            failures: failures.iter().map(ToString::to_string).collect(),
            waivers: waivers
                .iter()
                .map(|it| format!("{} {}", it.waiver.code, it.waiver.path))
                .collect(),
            uncovered: format!("not covered: {}", words.join("; ")),
            not_covered,
        })
    }

    /// Compares the seal with what is here.
    fn check_seal(
        &self,
        history: Option<&[u8]>,
    ) -> Result<(Vec<Finding>, Result<Sealed, NotCovered>), Failure> {
        let Self { config, config_bytes, config_file, board, board_file, .. } = self;
        let file = format!("{}.seal.json", board_file.trim_end_matches(".json"));
        let Some(seal) = self.beside.get(SEAL) else {
            let found = missing_seal(config, &file);
            return Ok((found.into_iter().collect(), Err(NotCovered::UNSEALED)));
        };
        let is_signed = self.beside.contains_key(SIGNATURE);
        let unsigned = missing_signature(config, &file).filter(|_| !is_signed);
        let files = SealFiles { file: &file, seal, unsigned: unsigned.as_ref(), history };
        let now = Sealable { board, board_file, config, config_bytes, config_file };
        // Not all that is sealed is published with a site.
        let unpublished = self.seal.as_ref().filter(|_| !self.is_checkout);
        files.check(&now, &mut |path| {
            let sealed = || unpublished?.files.get(path);
            Ok(self.digests.get(path).or_else(sealed).cloned())
        })
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
