//! One more seed, the held-out bundle of one, or the pin of the public set, in a config that people wrote: every other byte stays
//! as it is.

use serde::Serialize;
use serde_json::ser::PrettyFormatter;

use super::{BelowPath, Config, Seed};
use crate::domain::{Code, Failure, Hint};
use crate::json;

impl Config {
    /// The bytes of a config with `seed` at the end of its seeds; `file` is how it is named to
    /// people. A `provider:model` that is there already is refused, unless `seed` is it with a
    /// held-out bundle that it lacks.
    pub fn add_seed(bytes: &[u8], file: &str, seed: &Seed) -> Result<Vec<u8>, Failure> {
        let before = Self::parse(bytes, file)?;
        if let Some(index) = before.seeds.iter().position(|other| other.id() == seed.id()) {
            let without = Seed { held_out_bundle: None, ..seed.clone() };
            if seed.held_out_bundle.is_some() && before.seeds[index] == without {
                return Self::name_held_out(bytes, file, &before, index, seed);
            }
            let what = format!("the config lists `{}` already", seed.id());
            return Err(Failure::unusable(what)
                .code(Code::ERowDup)
                .at(format!("{file}, seeds[{index}]"))
                .hint(Hint::EntryListed));
        }
        let document = json::parse(bytes).map_err(|error| Failure::json(file, &error))?;
        let root = document
            .root
            .object()
            .map_err(|mismatch| Failure::schema(file, &document.locate(mismatch.at), &mismatch))?;
        let text = match root.get("seeds") {
            Some(seeds) => json::append(document.text, seeds.at, |unit| spell(seed, unit)),
            None => json::append(document.text, document.root.at, |unit| match unit {
                None => format!("\"seeds\": [{}]", spell(seed, None)),
                Some(unit) => {
                    let lines = spell(seed, Some(unit)).replace('\n', &format!("\n{unit}"));
                    format!("\"seeds\": [\n{unit}{lines}\n]")
                }
            }),
        };
        let after = Self::parse(text.as_bytes(), file)?;
        let (last, others) = after.seeds.split_last().unzip();
        if last == Some(seed) && others == Some(&before.seeds[..]) {
            Ok(text.into_bytes())
        } else {
            let what = format!("`{}` cannot be added to the config as it is laid out", seed.id());
            Err(Failure::unusable(what).at(file).help("paste the entry by hand"))
        }
    }

    /// The bytes of a config whose seed at `index` names the held-out bundle of `seed`.
    fn name_held_out(
        bytes: &[u8],
        file: &str,
        before: &Self,
        index: usize,
        seed: &Seed,
    ) -> Result<Vec<u8>, Failure> {
        let document = json::parse(bytes).map_err(|error| Failure::json(file, &error))?;
        let folder = seed.held_out_bundle.as_ref().map_or("", BelowPath::as_str);
        let member = format!("\"held_out_bundle\": {}", serde_json::Value::from(folder));
        let seeds = document.root.object().ok().and_then(|root| root.get("seeds"));
        let listed = seeds.and_then(|seeds| seeds.array().ok()?.get(index));
        let text = listed.map(|listed| json::append(document.text, listed.at, |_| member.clone()));
        let mut expected = before.seeds.clone();
        expected[index] = seed.clone();
        match text {
            Some(text) if Self::parse(text.as_bytes(), file)?.seeds == expected => {
                Ok(text.into_bytes())
            }
            _ => Err(Failure::unusable("the seed cannot be changed as the config is laid out")
                .at(format!("{file}, seeds[{index}]"))
                .help(format!("write by hand: {member}"))),
        }
    }

    /// The bytes of a config with `history.score_scale` set to `scale`, or `None` if it is that
    /// already. Refuses a config that sets another one.
    pub fn set_score_scale(
        bytes: &[u8],
        file: &str,
        scale: f64,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let before = Self::parse(bytes, file)?.history.score_scale;
        let document = json::parse(bytes).map_err(|error| Failure::json(file, &error))?;
        let history = document.root.object().ok().and_then(|root| root.get("history"));
        let is_set = history
            .and_then(|history| history.object().ok())
            .is_some_and(|history| history.get("score_scale").is_some());
        if is_set && (before - scale).abs() < f64::EPSILON {
            return Ok(None);
        }
        if is_set {
            return Err(Failure::unusable(format!(
                "scale {scale} contradicts `history.score_scale` ({before})"
            ))
            .at(file)
            .hint(Hint::ScaleIsSet));
        }
        let member = format!("\"score_scale\": {scale}");
        let text = match history {
            Some(history) => json::append(document.text, history.at, |_| member.clone()),
            None => json::append(document.text, document.root.at, |_| {
                format!("\"history\": {{{member}}}")
            }),
        };
        Self::parse(text.as_bytes(), file)?;
        Ok(Some(text.into_bytes()))
    }
}

impl Config {
    /// The bytes of a config whose `public_set` has this SHA-256 and number of prompts; `file` is how
    /// it is named to people.
    pub fn pin_public_set(
        bytes: &[u8],
        file: &str,
        sha256: &str,
        n_prompts: usize,
    ) -> Result<Vec<u8>, Failure> {
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        Self::parse(bytes, file)?;
        let members = [("n_prompts", n_prompts.to_string()), ("sha256", format!("\"{sha256}\""))];
        for (key, value) in members {
            let document =
                json::parse(text.as_bytes()).map_err(|error| Failure::json(file, &error))?;
            let root = document.root.object().ok();
            let set = root.and_then(|root| root.get("public_set"));
            let known = set.and_then(|set| set.object().ok()?.get(key));
            let member = |_: Option<&str>| format!("\"{key}\": {value}");
            text = match (set, known) {
                (_, Some(known)) => json::replace(document.text, known.at, &value),
                (Some(set), None) => json::append(document.text, set.at, member),
                (None, None) => json::append(document.text, document.root.at, |unit| {
                    format!("\"public_set\": {{ {} }}", member(unit))
                }),
            };
        }
        let pinned = Self::parse(text.as_bytes(), file)?.public_pin;
        if pinned.as_deref() == Some(sha256) {
            return Ok(text.into_bytes());
        }
        Err(Failure::unusable("the pin cannot be written to the config as it is laid out")
            .at(file)
            .help(format!("set it by hand: \"public_set\": {{\"n_prompts\": {n_prompts}, \"sha256\": \"{sha256}\"}}")))
    }
}

/// The seed as it is in a config, spread over lines with `unit`, or on one line.
fn spell(seed: &Seed, unit: Option<&str>) -> String {
    let Some(unit) = unit else { return serde_json::to_string(seed).unwrap_or_default() };
    let mut out = Vec::new();
    let formatter = PrettyFormatter::with_indent(unit.as_bytes());
    let _ = seed.serialize(&mut serde_json::Serializer::with_formatter(&mut out, formatter));
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seed(model: &str) -> Seed {
        Seed {
            provider: "demo".into(),
            model: model.into(),
            kind: "entry".into(),
            submitted_by: Seed::SUBMITTER.into(),
            public_bundle: BelowPath::parse("leaderboard/bundles/x").expect("a path"),
            held_out_bundle: None,
            lift_bundle: None,
            rejudged: false,
            about: None,
            withdrawn: None,
        }
    }

    fn added(text: &str) -> String {
        let bytes = Config::add_seed(text.as_bytes(), "seeds.json", &seed("m")).expect("added");
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn the_scale_is_set_once_and_every_other_byte_stays() {
        let set = |text: &str| {
            let bytes = Config::set_score_scale(text.as_bytes(), "seeds.json", 5.0);
            bytes.map(|bytes| bytes.map(|bytes| String::from_utf8(bytes).expect("text")))
        };
        for (before, after) in [
            ("{}", "{\"history\": {\"score_scale\": 5}}"),
            (
                "{\n  \"seeds\": []\n}\n",
                "{\n  \"seeds\": [],\n  \"history\": {\"score_scale\": 5}\n}\n",
            ),
            (
                "{\"history\": {\"decimals\": 2}}",
                "{\"history\": {\"decimals\": 2, \"score_scale\": 5}}",
            ),
        ] {
            assert_eq!(set(before).expect("set").as_deref(), Some(after));
            assert_eq!(set(after).expect("known"), None);
        }
        let refused = set("{\"history\": {\"score_scale\": 10}}").expect_err("another scale");
        assert_eq!(refused.what, "scale 5 contradicts `history.score_scale` (10)");
    }

    #[test]
    fn a_config_without_seeds_gets_them() {
        assert_eq!(
            added("{}"),
            "{\"seeds\": [{\"provider\":\"demo\",\"model\":\"m\",\"kind\":\"entry\",\"public_bundle\":\"leaderboard/bundles/x\"}]}"
        );
        assert_eq!(
            added("{\n  \"n_votes\": 3\n}\n"),
            "{\n  \"n_votes\": 3,\n  \"seeds\": [\n    {\n      \"provider\": \"demo\",\n      \"model\": \"m\",\n      \
             \"kind\": \"entry\",\n      \"public_bundle\": \"leaderboard/bundles/x\"\n    }\n  ]\n}\n"
        );
    }

    #[test]
    fn a_pin_is_set_or_replaced_and_nothing_else_moves() {
        let (old, new) = ("0".repeat(64), "a".repeat(64));
        let pinned = |text: &str| {
            let bytes = Config::pin_public_set(text.as_bytes(), "seeds.json", &new, 20);
            String::from_utf8(bytes.expect("pinned")).expect("text")
        };
        for (before, after) in [
            ("{}", format!("{{\"public_set\": {{ \"n_prompts\": 20, \"sha256\": \"{new}\" }}}}")),
            (
                "{\n  \"public_set\": {\n    \"note\": \"n\"\n  },\n  \"seeds\": []\n}\n",
                format!(
                    "{{\n  \"public_set\": {{\n    \"note\": \"n\",\n    \"n_prompts\": 20,\n    \"sha256\": \"{new}\"\n  }},\n  \"seeds\": []\n}}\n"
                ),
            ),
            (
                &*format!("{{\"public_set\": {{\"sha256\":  \"{old}\" , \"n_prompts\":51}}}}"),
                format!("{{\"public_set\": {{\"sha256\":  \"{new}\" , \"n_prompts\":20}}}}"),
            ),
        ] {
            assert_eq!(pinned(before), after);
        }
    }

    #[test]
    fn a_seed_that_is_there_is_refused_with_its_place() {
        let once = added("{\"seeds\": []}");
        let failure = Config::add_seed(once.as_bytes(), "seeds.json", &seed("m"));
        let failure = failure.expect_err("refused");
        assert_eq!(failure.place.as_deref(), Some("seeds.json, seeds[0]"));
        assert!(Config::add_seed(once.as_bytes(), "seeds.json", &seed("M")).is_ok());
    }

    /// A config in somebody's own hand: key order, blanks and line ends vary.
    fn handwritten() -> impl Strategy<Value = String> {
        let blank = "[ \t]{0,3}(\r?\n[ \t]{0,4}){0,2}";
        let seed = (blank, blank, "[a-z]{2,8}").prop_map(|(a, b, model)| {
            format!(
                "{{{a}\"model\":{b}\"{model}\", \"public_bundle\": \"b/]}}\\u007b{model}\"{a}}}"
            )
        });
        let seeds =
            (proptest::collection::vec(seed, 0..4), blank, blank).prop_map(|(seeds, a, b)| {
                format!("\"seeds\":{a}[{b}{}{a}]", seeds.join(&format!("{a},{b}")))
            });
        (proptest::option::of(seeds), blank, blank, any::<bool>(), any::<bool>()).prop_map(
            |(seeds, a, b, more, first)| {
                let mut members: Vec<String> = seeds.into_iter().collect();
                if more {
                    let at = if first { 0 } else { members.len() };
                    members.insert(at, format!("\"x-note\":{b}[\"]\", {{\"seeds\": [1]}}]"));
                }
                format!("{a}{{{b}{}{a}}}{b}", members.join(&format!("{b},{a}")))
            },
        )
    }

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

        #[test]
        fn every_byte_of_the_file_stays_and_only_the_seed_comes(text in handwritten()) {
            let before = Config::parse(text.as_bytes(), "f").expect("a config");
            let after = added(&text);
            let same = text.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
            let length = after.len() - text.len();
            // The addition may begin with bytes that also follow it, so any split up to there will do.
            prop_assert!((0..=same).any(|at| after.as_bytes()[at + length..] == text.as_bytes()[at..]));
            let seeds = Config::parse(after.as_bytes(), "f").expect("still a config").seeds;
            prop_assert_eq!(&seeds[..before.seeds.len()], &before.seeds[..]);
            prop_assert_eq!(&seeds[before.seeds.len()..], &[seed("m")]);
        }
    }
}
