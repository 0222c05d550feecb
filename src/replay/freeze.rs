//! A bundle's three files from recorded answers and votes: same input, same bytes.
//!
//! Strict: every line must name a prompt that exists, once, and every prompt must be named.
//! Nothing is mended here. A text in a Markdown fence stays in its fence and
//! is scored so, because that is what the model answered.

use std::collections::{BTreeMap, HashMap};

use super::bundle::{Asked, BundleFiles, replay};
use super::completions::request_digest;
use super::prompts::{self, Prompt};
use super::votes::{self, Votes};
use crate::domain::Failure;
use crate::json;
use crate::replay::recording::{Completion, Reader, lines};
use crate::replay::redact::Source;

/// A recording, and how its file is named to people.
#[derive(Debug, Clone, Copy)]
pub struct Recording<'a> {
    /// The file.
    pub file: &'a str,
    /// What is in it.
    pub bytes: &'a [u8],
}

/// The files of a bundle, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frozen {
    /// prompts.json, byte for byte as it came.
    pub prompts: Vec<u8>,
    /// completions.json
    pub completions: Vec<u8>,
    /// judge.json, flat; `None` if no votes are recorded yet.
    pub judge: Option<Vec<u8>>,
}

/// Makes a bundle of `provider:model` from prompts.json and one or two files of JSON lines. The failure
/// carries every problem, each with its line. If `secret`, the files belong to the held-out set, and
/// no problem quotes them.
pub fn freeze(
    name: &str,
    prompts: Recording<'_>,
    completions: Recording<'_>,
    votes: Option<Recording<'_>>,
    secret: bool,
) -> Result<Frozen, Failure> {
    let [prompts, completions] = [prompts, completions].map(without_mark);
    let source = Source { file: prompts.file.to_owned(), secret };
    let document = source.parse(prompts.bytes)?;
    let known = prompts::read(&document, &source)?;
    let mut problems: Vec<Failure> = prompts::duplicates(&known, &source)
        .into_iter()
        .map(|twice| {
            let place = twice.place();
            Failure::unusable(twice.what).code(twice.code).at(place)
        })
        .collect();

    let answer_lines = lines(completions, secret, &mut problems);
    let mut reader = Reader::new(completions.file, &known, secret, &mut problems);
    let mut answers: HashMap<&str, Completion<'_>> = HashMap::with_capacity(known.len());
    for line in &answer_lines {
        if let Some((id, completion)) = reader.answer(line)
            && answers.insert(id, completion).is_some()
        {
            reader.again(line, id);
        }
    }
    reader.missing("there is no answer for prompt");

    let judge = votes.map(without_mark).map(|votes| {
        let vote_lines = lines(votes, secret, &mut problems);
        let mut reader = Reader::new(votes.file, &known, secret, &mut problems);
        let ballots = reader.ballots(&vote_lines);
        reader.missing("there are no votes for prompt");
        json::pretty(&ballots)
    });

    if let Some(failure) = Failure::all(problems) {
        return Err(failure);
    }
    let key = |prompt: &Prompt<'_>| {
        format!("{name}:{}", String::from_utf8_lossy(&request_digest(prompt.request)))
    };
    let completions: BTreeMap<String, &Completion<'_>> =
        known.iter().map(|prompt| (key(prompt), &answers[prompt.id])).collect();
    Ok(Frozen { prompts: prompts.bytes.to_vec(), completions: json::pretty(&completions), judge })
}

/// Without the byte order mark that some editors put at the start of a file.
fn without_mark(recording: Recording<'_>) -> Recording<'_> {
    let bytes = recording.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(recording.bytes);
    Recording { bytes, ..recording }
}

/// Rewrites the bundle with a flat judge.json, whatever accepted form it was recorded in. The other
/// two files stay as they are, byte for byte.
pub fn flatten(files: BundleFiles, asked: &Asked<'_>) -> Result<Frozen, Failure> {
    replay(&files, asked, None)?;
    let source = Source::new(&files.dir, "judge.json", files.secret);
    let document = source.parse(&files.judge)?;
    let votes = votes::read(&document, &source, asked.model, asked.judge_model)?;
    let votes: BTreeMap<&str, Votes> = votes.0.into_iter().collect();
    let judge = json::pretty(&votes);
    let prompts = files.prompts.to_vec();
    Ok(Frozen { prompts, completions: files.completions, judge: Some(judge) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::Code;

    const PROMPTS: &str = r#"[{"id": "b", "request": "abc", "intent": ""}, {"id": "a", "request": "x", "intent": ""}]"#;

    fn frozen(completions: &str, votes: &str) -> Result<Frozen, Failure> {
        let recording = |file, text: &'static str| Recording { file, bytes: text.as_bytes() };
        let prompts = recording("p.json", PROMPTS);
        freeze(
            "p:m",
            prompts,
            Recording { file: "c", bytes: completions.as_bytes() },
            Some(Recording { file: "v", bytes: votes.as_bytes() }),
            false,
        )
    }

    fn problems(completions: &str, votes: &str) -> Vec<String> {
        let failure = frozen(completions, votes).expect_err("refused");
        let reported = |failure: &Failure| {
            format!("{}: {}", failure.place.clone().unwrap_or_default(), failure.what)
        };
        std::iter::once(&failure).chain(&failure.others).map(reported).collect()
    }

    const VOTES: &str = "{\"id\":\"a\",\"votes\":[true]}\n{\"id\":\"b\",\"votes\":[]}\n";
    const TEXTS: &str = "{\"id\":\"a\",\"text\":\"A\"}\n{\"id\":\"b\",\"text\":\"B\"}\n";

    #[test]
    fn lines_in_any_order_give_the_same_canonical_bytes() {
        let one = frozen(
            "{\"request\":\"abc\",\"text\":\"\u{e9}\",\"usage\":{\"b_tokens\":2.0,\"a\":1}}\r\n\n{\"id\":\"a\",\"text\":\"\"}",
            "{\"id\":\"b\",\"vote\":true}\n{\"id\":\"a\",\"votes\":[]}\n{\"id\":\"b\",\"vote\":null}\n",
        )
        .expect("good");
        assert_eq!(one.prompts, PROMPTS.as_bytes());
        assert_eq!(
            String::from_utf8_lossy(&one.completions),
            "{\n  \"p:m:2d711642b726b044\": {\n    \"text\": \"\"\n  },\n  \
             \"p:m:ba7816bf8f01cfea\": {\n    \"text\": \"\\u00e9\",\n    \"usage\": {\n      \"a\": 1,\n      \"b_tokens\": 2.0\n    }\n  }\n}\n"
        );
        assert_eq!(
            String::from_utf8_lossy(one.judge.as_deref().expect("votes")),
            "{\n  \"a\": [],\n  \"b\": [\n    true,\n    null\n  ]\n}\n"
        );
        let other = frozen(
            "{\"text\":\"\",\"id\":\"a\"}\n{\"usage\":{\"a\":1,\"b_tokens\":2.0},\"id\":\"b\",\"request\":\"abc\",\"text\":\"\\u00e9\"}",
            "{\"votes\":[true,null],\"id\":\"b\"}\n{\"id\":\"a\",\"votes\":[]}",
        );
        assert_eq!(other.expect("good"), one);
    }

    #[test]
    fn every_problem_of_both_files_is_told_with_its_line() {
        assert_eq!(
            problems(
                "{\"id\":\"a\",\"text\":7}\n[]\n{\"id\":\"c\",\"text\":\"\"}\n{oops\n{\"id\":\"b\",\"request\":\"x\",\"text\":\"\"}\n{\"text\":\"\",\"usag\":{}}",
                "{\"id\":\"a\",\"votes\":[1]}\n{\"id\":\"b\"}\n{\"id\":\"b\",\"vote\":true}\n{\"id\":\"b\",\"votes\":[true]}",
            ),
            [
                "c:4:2: `c` is not acceptable JSON",
                "c:1:18, text: invalid value in `c`: expected a string, found a number",
                "c:2:1: invalid value in `c`: expected an object, found an array",
                "c:3: there is no prompt `c`",
                "c:5: `id` and `request` name different prompts; one is `a`",
                "c:6: unknown key `usag`",
                "c:6: a line does not name its prompt",
                "c: there is no answer for prompt `b`",
                "v:1:20, votes[0]: invalid value in `v`: expected true, false or null, found a number",
                "v:2: a line needs exactly one of `votes` and `vote`",
                "v:4: prompt `b` has an earlier line",
            ]
        );
    }

    #[test]
    fn an_answer_under_another_key_or_null_is_told_what_to_do() {
        let completions = "{\"id\":\"a\",\"completion\":\"A\"}\n{\"id\":\"b\",\"text\":null}\n";
        let failure = frozen(completions, VOTES).expect_err("refused");
        let reported =
            |failure: &Failure| (failure.what.clone(), failure.help.clone().expect("help"));
        assert_eq!(
            reported(&failure),
            ("unknown key `completion`".into(), "did you mean `text`?".into())
        );
        assert_eq!(failure.others.len(), 1, "{:?}", failure.others);
        let (what, help) = reported(&failure.others[0]);
        assert_eq!(what, "`text` is null");
        assert!(help.contains("\"text\": \"\""), "{help}");
    }

    #[test]
    fn an_array_or_a_map_is_called_one_and_a_byte_order_mark_does_not_matter() {
        for (text, what) in [
            ("[\n{\"id\":\"a\",\"text\":\"A\"},\n{\"id\":\"b\",\"text\":\"B\"}\n]", "an array"),
            ("{\n\"a\": \"A\",\n\"b\": \"B\"\n}", "an object"),
        ] {
            let failure = frozen(text, VOTES).expect_err("refused");
            let what = what.replace("an ", "a JSON ");
            assert_eq!(
                failure.what,
                format!("`c` holds {what}; expected one JSON object per line")
            );
        }
        let marked = frozen(&format!("\u{feff}{TEXTS}"), &format!("\u{feff}{VOTES}"));
        assert_eq!(marked.expect("good"), frozen(TEXTS, VOTES).expect("good"));
    }

    #[test]
    fn a_prompt_answered_twice_and_an_odd_usage_are_refused() {
        assert_eq!(
            problems(
                &format!(
                    "{TEXTS}{}",
                    "{\"id\":\"a\",\"text\":\"A\",\"usage\":{\"judge_calls\":1,\"n\":-1}}"
                ),
                VOTES
            ),
            [
                "c:3:45, usage.judge_calls: invalid value in `c`: expected a lower-case usage key that is not derived, found another key",
                "c:3:51, usage.n: invalid value in `c`: expected an integer from 0 to 2^53, found another number",
                "c:3: prompt `a` has an earlier line",
            ]
        );
        assert!(frozen(TEXTS, VOTES).is_ok());
    }

    #[test]
    fn every_prompt_must_be_named() {
        assert_eq!(
            problems("", "{\"id\":\"a\",\"votes\":[]}"),
            [
                "c: there is no answer for prompt `b`",
                "c: there is no answer for prompt `a`",
                "v: there are no votes for prompt `b`",
            ]
        );
    }

    /// A line that is right, nearly right, or nothing of the kind.
    fn any_line() -> impl Strategy<Value = String> {
        let key = prop_oneof![
            Just("id"),
            Just("request"),
            Just("text"),
            Just("usage"),
            Just("vote"),
            Just("votes"),
            Just("x")
        ];
        let value = prop_oneof![
            Just("\"a\"".to_owned()),
            Just("\"b\"".to_owned()),
            Just("\"abc\"".to_owned()),
            Just("[true,null]".to_owned()),
            Just("{\"t\":1}".to_owned()),
            Just("null".to_owned()),
            "[0-9e.-]{0,4}",
            "\\PC{0,6}",
        ];
        let pairs = proptest::collection::btree_map(key, value, 0..4);
        pairs.prop_map(|pairs| {
            let members: Vec<String> =
                pairs.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
            format!("{{{}}}", members.join(","))
        })
    }

    proptest! {
        #![proptest_config(crate::testing::proptest_config(256))]

        #[test]
        fn whatever_is_frozen_replays_and_the_rest_is_refused(
            texts in proptest::collection::vec(any_line(), 0..5),
            votes in proptest::collection::vec(any_line(), 0..5),
            good in any::<bool>(),
        ) {
            let (texts, votes) = (texts.join("\n"), votes.join("\n"));
            let result = if good { frozen(TEXTS, VOTES) } else { frozen(&texts, &votes) };
            if let Ok(frozen) = result {
                let Frozen { prompts, completions, judge } = frozen;
                let (prompts, judge) = (prompts.into(), judge.expect("votes"));
                let files = BundleFiles { dir: "d".into(), secret: false, prompts, completions, judge };
                let asked = Asked { provider: "p", model: "m", judge_model: "j", n_votes: 3, require_votes: false };
                let replay = replay(&files, &asked, None).expect("readable");
                prop_assert!(replay.findings.iter().all(|finding| !matches!(finding.code, Code::BMissing | Code::BVerdicts | Code::BExtra)));
            }
        }

        #[test]
        fn the_order_of_lines_does_not_matter(
            mut answers in Just([("a", "x"), ("b", "y\u{1f6f0}")].to_vec()).prop_shuffle(),
            votes in Just(["a", "b"].to_vec()).prop_shuffle(),
            blank in "[ \t\r\n]{0,4}",
        ) {
            let text = |(id, text): &(&str, &str)| format!("{{\"id\":\"{id}\",\"text\":\"{text}\"}}");
            let list = |id: &&str| format!("{{\"id\":\"{id}\",\"votes\":[true]}}");
            let join = |lines: Vec<String>| lines.join(&format!("\n{blank}"));
            let shuffled = frozen(
                &join(answers.iter().map(text).collect()),
                &join(votes.iter().map(list).collect()),
            );
            answers.sort_unstable();
            let sorted = frozen(
                &answers.iter().map(text).collect::<Vec<_>>().join("\n"),
                "{\"id\":\"b\",\"votes\":[true]}\n{\"id\":\"a\",\"vote\":true}",
            );
            prop_assert_eq!(shuffled.expect("good"), sorted.expect("good"));
        }
    }
}
