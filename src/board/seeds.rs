//! What became of the seeds, sorted into rows, notes, findings and failures.

use std::collections::BTreeSet;

use crate::board::Scored;
use crate::board::rules::between;
use crate::domain::config::{BelowPath, Config};
use crate::domain::{Code, Failure, Finding, Hint};

/// What became of one seed.
#[derive(Debug)]
#[non_exhaustive]
pub enum SeedResult {
    /// It has a row.
    Scored(Scored),
    /// Its public bundle is not there.
    Absent,
    /// A bundle could not be read.
    Failed(Failure),
}

/// The seeds, sorted by what their bundles gave.
#[derive(Debug, Default)]
pub struct SortedSeeds {
    /// Seeds that have a row, in the order of the config.
    pub scored: Vec<Scored>,
    /// Seeds without a row, as the sentences users of the reference know.
    pub skipped: Vec<String>,
    /// Positions of the seeds whose public bundle is not there.
    pub absent: Vec<usize>,
    /// Findings of config, bundles, and between rows; notes too.
    pub findings: Vec<Finding>,
    /// Bundles that could not be read.
    pub failures: Vec<Failure>,
}

/// Sorts the results, which come in the order of the config. With `skip_broken`, a seed whose
/// bundle is broken loses its row instead of stopping the build.
pub fn sort_seeds(
    config: &Config,
    config_file: &str,
    results: Vec<SeedResult>,
    skip_broken: bool,
) -> SortedSeeds {
    let mut seeds = SortedSeeds { findings: config.findings.clone(), ..SortedSeeds::default() };
    let row = |(index, result): (usize, SeedResult)| {
        let seed = &config.seeds[index];
        match result {
            SeedResult::Absent => {
                seeds.absent.push(index);
                seeds.skipped.push(format!(
                    "skip {}: no recorded public bundle at {}",
                    seed.model, seed.public_bundle
                ));
            }
            SeedResult::Failed(failure) if skip_broken => {
                seeds.skipped.push(format!("skip {}: {}", seed.model, failure.what));
            }
            SeedResult::Failed(failure) => seeds.failures.push(failure),
            SeedResult::Scored(scored) => {
                match scored.findings.iter().find(|finding| finding.decides()) {
                    Some(finding) if skip_broken => {
                        seeds.skipped.push(format!("skip {}: {}", seed.model, finding.what));
                    }
                    _ => return Some(scored),
                }
            }
        }
        None
    };
    seeds.scored = results.into_iter().enumerate().filter_map(row).collect();
    // A wrong set of prompts is reported before the missing and extra answers that it causes.
    seeds.findings.extend(between(config, config_file, &seeds.scored));
    for scored in &mut seeds.scored {
        seeds.findings.append(&mut scored.findings);
    }
    seeds
}

impl SortedSeeds {
    /// Names of what was replayed: rows as `provider:model`, bundles as the config has them.
    pub fn names_replayed(&self, config: &Config) -> BTreeSet<String> {
        let names = |scored: &Scored| {
            let seed = &config.seeds[scored.seed];
            let held_out = seed.held_out_bundle.as_ref().filter(|_| scored.held_out.is_some());
            let bundles = [Some(&seed.public_bundle), seed.lift_bundle.as_ref(), held_out];
            let bundles = bundles.into_iter().flatten().map(BelowPath::to_string);
            bundles.chain([seed.id()]).collect::<Vec<_>>()
        };
        self.scored.iter().flat_map(names).collect()
    }

    /// Takes the rows of withdrawn seeds off the board to be.
    pub fn drop_withdrawn(&mut self, config: &Config) {
        // The reason was not searched for held-out texts yet, so it is not repeated.
        let withdrawn = config.seeds.iter().filter(|seed| seed.withdrawn.is_some());
        self.skipped.extend(withdrawn.map(|seed| format!("skip {}: withdrawn", seed.model)));
        self.scored.retain(|scored| config.seeds[scored.seed].withdrawn.is_none());
    }

    /// The failures as one, or `None`.
    pub fn failure(&mut self) -> Option<Failure> {
        Failure::all(std::mem::take(&mut self.failures))
    }

    /// The failure that `--strict` makes of absent bundles.
    pub fn strict_failure(&self, config: &Config, config_file: &str) -> Option<Failure> {
        let failure = |index: &usize| {
            let bundle = &config.seeds[*index].public_bundle;
            Failure::unusable(format!("no recorded public bundle at `{bundle}`"))
                .code(Code::EBundle)
                .at(format!("{config_file}, seeds[{index}].public_bundle"))
                .hint(Hint::AbsentBundle)
        };
        Failure::all(self.absent.iter().map(failure).collect())
    }
}
