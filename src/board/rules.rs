//! Rules between rows: one public set, one held-out set, no copies. Also the order of the tiers.

use std::collections::BTreeMap;

use crate::board::build::ScoredCell;
use crate::board::copies::twins;
use crate::board::{SMALL_TIER, Scored};
use crate::domain::config::{Config, Scalar};
use crate::domain::{Code, Finding};
use crate::json;

/// Tiers that are known even where a small public set has no prompt of them.
pub(super) const USUAL_TIERS: [&str; 3] = ["easy", "medium", "hard"];

/// The position of a tier in a list: the usual ones first, from easy to hard.
pub fn tier_position(tier: &str) -> usize {
    USUAL_TIERS.iter().position(|known| *known == tier).unwrap_or(USUAL_TIERS.len())
}

/// What a tier's name may be.
pub(super) const TIER: &str =
    "a tier name has 1 to 40 letters, digits, spaces, dots, dashes or underscores";
/// What to do about bytes that only differ in their line ends.
pub(super) const CRLF: &str =
    "the file has CRLF line ends: check it out again with `* -text` in .gitattributes";

/// What is wrong between the rows, and notes. `config_file` is how the config is named to people.
pub(super) fn between(config: &Config, config_file: &str, scored: &[Scored]) -> Vec<Finding> {
    let mut findings = public_set(config, scored);
    findings.extend(public_count(config, config_file, scored));
    findings.extend(held_out_set(config, scored));
    findings.extend(tier_names(config, scored));
    findings.extend(twins(config, scored));
    findings
}

fn id(config: &Config, scored: &Scored) -> String {
    config.seeds[scored.seed].id()
}

fn prompts_file(config: &Config, scored: &Scored) -> String {
    config.seeds[scored.seed].public_bundle.file("prompts.json")
}

/// Every row is scored on the pinned set; without a pin, on the set of the first row.
fn public_set(config: &Config, scored: &[Scored]) -> Vec<Finding> {
    let first = || scored.first().map(|first| first.public.set.clone());
    let Some(wanted) = config.public_pin.clone().or_else(first) else { return Vec::new() };
    let which = if config.public_pin.is_some() {
        "the pinned public set"
    } else {
        "the set of the other rows"
    };
    let off = scored.iter().filter(|scored| !scored.public.set.eq_ignore_ascii_case(&wanted));
    off.map(|scored| {
        let label = if config.public_pin.is_some() { "config pin" } else { "other rows" };
        let what = format!(
            "row `{}` is scored on prompts that are not {which}; SHA-256: {label} {wanted}, file {}",
            id(config, scored),
            scored.public.set
        );
        let finding = Finding::new(Code::BSet, prompts_file(config, scored), "", what);
        if scored.has_crlf { finding.help(CRLF) } else { finding }
    })
    .collect()
}

fn public_count(config: &Config, file: &str, scored: &[Scored]) -> Option<Finding> {
    let claimed = config.public_set.get("n_prompts")?;
    // A row on another set is reported and left out here.
    let pinned = |scored: &&Scored| {
        config.public_pin.as_ref().is_none_or(|pin| scored.public.set.eq_ignore_ascii_case(pin))
    };
    let actual = scored.iter().find(pinned)?.public.cell.n_prompts;
    let same = matches!(claimed, Scalar::Integer(count) if u64::try_from(*count) == Ok(actual));
    (!same).then(|| {
        let claimed = json::pretty(claimed);
        Finding::new(
            Code::EHeader,
            file,
            "public_set.n_prompts",
            "`public_set.n_prompts` is not the number of prompts of the public set",
        )
        .sides(String::from_utf8_lossy(&claimed).trim_end(), actual.to_string())
        .help("correct `public_set.n_prompts` in the config")
    })
}

fn held_out_set(config: &Config, scored: &[Scored]) -> Vec<Finding> {
    let mut sets: BTreeMap<&str, usize> = BTreeMap::new();
    for score in scored.iter().filter_map(|scored| scored.held_out.as_ref()) {
        *sets.entry(&score.set).or_default() += 1;
    }
    let Some((usual, _)) = sets.iter().max_by_key(|(_, rows)| **rows) else { return Vec::new() };
    let off = scored
        .iter()
        .filter(|scored| scored.held_out.as_ref().is_some_and(|score| score.set != *usual));
    off.map(|scored| {
        let what = format!(
            "row `{}` was scored on another held-out set than the others",
            id(config, scored)
        );
        let path = format!("seeds[{}].held_out_bundle", scored.seed);
        let bundle = config.seeds[scored.seed].held_out_bundle.as_ref();
        let file = bundle.map(|bundle| bundle.file("prompts.json")).unwrap_or_default();
        Finding::new(Code::EHeldSet, file, path, what)
    })
    .collect()
}

/// Whether `name` can stand as a tier on a board.
pub(super) fn is_tier(name: &str) -> bool {
    (1..=40).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b' ' | b'.' | b'_' | b'-'))
}

fn tier_names(config: &Config, scored: &[Scored]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for scored in scored {
        let held = scored.held_out.iter().flat_map(ScoredCell::tiers);
        let bad = |mut tiers: Box<dyn Iterator<Item = &str> + '_>| {
            tiers.position(|tier| !is_tier(tier)).map(|number| number + 1)
        };
        let lift = config.seeds[scored.seed].lift_bundle.as_ref();
        let lift_file = lift.map(|lift| lift.file("prompts.json")).unwrap_or_default();
        for (number, file) in [
            (bad(Box::new(scored.tiers())), prompts_file(config, scored)),
            (bad(Box::new(scored.loop_tiers())), lift_file),
        ] {
            let Some(number) = number else { continue };
            let what = format!(
                "tier number {number} of row `{}` has a character or length that is not allowed",
                id(config, scored)
            );
            findings.push(Finding::new(Code::LTier, file, "", what).help(TIER));
        }
        let known =
            |tier: &str| scored.tiers().any(|known| known == tier) || USUAL_TIERS.contains(&tier);
        let strange = held.filter(|tier| !known(tier)).count();
        if strange > 0 {
            let what = format!(
                "{strange} held-out tier(s) of row `{}` are not tiers of the public set",
                id(config, scored)
            );
            findings.push(Finding::new(
                Code::LTier,
                "",
                format!("seeds[{}].held_out_bundle", scored.seed),
                what,
            ));
        }
    }
    findings.extend(small_tiers(config, scored));
    findings
}

/// A published rate of a tier of one prompt is that prompt's result.
fn small_tiers(config: &Config, scored: &[Scored]) -> Option<Finding> {
    let headlines = scored.iter().filter_map(|scored| scored.held_out.as_ref());
    let mut tiers = headlines.map(|score| (score.cell.n_prompts, score.tiers().count() as u64));
    let (prompts, count) = tiers.find(|(_, count)| *count > 0)?;
    let small = prompts < count * SMALL_TIER;
    let what = format!(
        "{prompts} held-out prompts in {count} tiers: some tier has fewer than {SMALL_TIER}"
    );
    (small && config.held_out_tiers == crate::domain::config::HeldOutTiers::AsIs).then(|| {
        Finding::new(Code::LTier, "", "held_out_tiers", what).note().help(
            "set `held_out_tiers` to \"suppress-small\" to leave small tiers out of the board",
        )
    })
}
