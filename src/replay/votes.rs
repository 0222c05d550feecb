//! judge.json: the recorded votes, and their majority.

use std::collections::BTreeMap;

use super::bundle::BundleFiles;
use super::prompts::{self, Prompt};
use crate::domain::{Code, Failure, Finding};
use crate::json::{self, Document, Mismatch, Node, Object, Value};
use crate::replay::redact::Source;

/// The votes on one completion; `None` is a vote that could not be read.
pub type Votes = Vec<Option<bool>>;

/// Majority of the readable votes. A tie counts as a fail. `None` if no vote is readable.
pub fn majority(votes: &[Option<bool>]) -> Option<bool> {
    let yes = votes.iter().filter(|vote| **vote == Some(true)).count();
    let no = votes.iter().filter(|vote| **vote == Some(false)).count();
    (yes + no > 0).then_some(yes > no)
}

/// One vote.
pub(super) fn vote(node: &Node<'_>) -> Result<Option<bool>, Mismatch> {
    match node.value {
        Value::Bool(vote) => Ok(Some(vote)),
        Value::Null => Ok(None),
        _ => Err(node.mismatch("true, false or null")),
    }
}

/// One vote list.
pub(super) fn list(node: &Node<'_>) -> Result<Votes, Mismatch> {
    let votes = node.array().map_err(|_| node.mismatch("a list of votes"))?;
    votes.iter().map(vote).collect()
}

/// The vote lists of a judge.json, sorted by prompt id.
#[derive(Debug)]
pub(super) struct VoteLists<'d>(pub(super) Vec<(&'d str, Votes)>);

/// The vote lists of a judge.json as the prompts of the bundle have them.
#[derive(Debug)]
pub(super) struct PromptVotes<'v> {
    /// The list of each prompt; `None` without one.
    pub(super) lists: Vec<Option<&'v Votes>>,
    /// Ids of the lists that belong to no prompt, sorted.
    unknown: Vec<&'v str>,
}

impl VoteLists<'_> {
    /// Matches the lists with `prompts`.
    pub(super) fn of_prompts(&self, prompts: &[Prompt<'_>]) -> PromptVotes<'_> {
        let Self(lists) = self;
        let mut is_known = vec![false; lists.len()];
        let find = |prompt: &Prompt<'_>| {
            let at = lists.binary_search_by(|(id, _)| (*id).cmp(prompt.id)).ok()?;
            is_known[at] = true;
            Some(&lists[at].1)
        };
        let found = prompts.iter().map(find).collect();
        let unknown = lists.iter().zip(is_known).filter(|(_, is_known)| !is_known);
        PromptVotes { lists: found, unknown: unknown.map(|((id, _), _)| *id).collect() }
    }
}

/// The vote lists of `document`. judge.json is flat, or nested under the generation model's name,
/// or, as recording tools write it, under the judge's name alone.
pub(super) fn read<'d>(
    document: &'d Document<'_>,
    source: &Source,
    model: &str,
    judge_model: &str,
) -> Result<VoteLists<'d>, Failure> {
    let wrong = |mismatch: &Mismatch, code| source.coded(document, mismatch, code);
    let root = document.root.object().map_err(|mismatch| source.mismatch(document, &mismatch))?;
    let nested = root.iter().filter(|(_, node)| matches!(node.value, Value::Object(_))).count();
    let lists: &Object<'_> = if nested == 0 {
        root
    } else if nested < root.len() {
        let odd =
            root.iter().find(|(_, node)| !matches!(node.value, Value::Object(_) | Value::Array(_)));
        let (node, code) = match odd {
            Some((_, odd)) => (odd, Code::BVerdict),
            None => (&document.root, Code::BJudge),
        };
        return Err(wrong(&node.mismatch("only vote lists, or only objects of them,"), code));
    } else {
        let own = root.get(model).or_else(|| root.get(judge_model).filter(|_| root.len() == 1));
        let Some(own) = own else {
            let wanted = "an object keyed by prompt ids, the model or the judge";
            return Err(wrong(&document.root.mismatch(wanted), Code::BJudge));
        };
        own.object().map_err(|mismatch| wrong(&mismatch, Code::BJudge))?
    };
    let lists = lists.iter().map(|(id, node)| list(node).map(|votes| (&**id, votes)));
    let mut lists: Vec<_> =
        lists.collect::<Result<_, _>>().map_err(|mismatch| wrong(&mismatch, Code::BVerdict))?;
    lists.sort_unstable_by_key(|(id, _)| *id);
    Ok(VoteLists(lists))
}

/// A judge.json that accepts every answer to `files.prompts`: with it, a bundle whose votes are not
/// recorded yet scores what its structure alone would.
pub fn accept_all(files: &BundleFiles, n_votes: u64) -> Result<Vec<u8>, Failure> {
    let source = Source::new(&files.dir, "prompts.json", files.secret);
    let document = source.parse(&files.prompts)?;
    let ids = prompts::read(&document, &source)?.into_iter().map(|prompt| prompt.id);
    let yes = || (0..n_votes).map(|_| true).collect::<Vec<bool>>();
    Ok(json::pretty(&ids.map(|id| (id, yes())).collect::<BTreeMap<_, _>>()))
}

/// Votes cover exactly the prompts, and each list has the length the protocol asks for.
pub(super) fn coverage(
    prompts: &[Prompt<'_>],
    votes: &PromptVotes<'_>,
    source: &Source,
    n_votes: u64,
    require_votes: bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lists = || prompts.iter().zip(&votes.lists);
    let missing: Vec<&str> =
        lists().filter(|(_, list)| list.is_none()).map(|(prompt, _)| prompt.id).collect();
    if let Some(first) = missing.first() {
        let what = format!("{} prompt(s) have no vote list", missing.len());
        findings.push(source.finding(
            Code::BVerdicts,
            "",
            what,
            &format!(", the first is `{first}`"),
        ));
    }
    if let Some(first) = votes.unknown.first() {
        let what = format!("{} vote list(s) do not match any prompt", votes.unknown.len());
        findings.push(source.finding(
            Code::BVerdicts,
            "",
            what,
            &format!(", the first is `{first}`"),
        ));
    }
    let listed = lists().filter_map(|(prompt, list)| Some((prompt.id, (*list)?.len() as u64)));
    let short: Vec<(&str, u64)> = listed.clone().filter(|(_, length)| *length < n_votes).collect();
    if let Some((first, _)) = short.first() {
        let fewest = short.iter().map(|(_, length)| *length).min().unwrap_or_default();
        let what = format!(
            "{} of {} vote lists record fewer than {n_votes} votes, the shortest {fewest}",
            short.len(),
            prompts.len()
        );
        let finding = source.finding(Code::BVotes, first, what, "");
        findings.push(if require_votes { finding } else { finding.note() });
    }
    // A pass that unreadable votes hide behind: two nulls and one yes are a majority of the readable ones.
    let yes = |votes: &Votes| votes.iter().filter(|vote| **vote == Some(true)).count() as u64;
    let weak = lists().filter(|(_, list)| {
        list.is_some_and(|votes| {
            let is_whole = votes.len() as u64 >= n_votes;
            is_whole && majority(votes) == Some(true) && yes(votes) * 2 <= n_votes
        })
    });
    if require_votes && let Some((first, _)) = weak.clone().next() {
        let what = format!(
            "{} prompt(s) pass on fewer yes votes than a majority of {n_votes}",
            weak.count()
        );
        findings.push(source.finding(Code::BVotes, first.id, what, ""));
    }
    let long = listed.filter(|(_, length)| *length > n_votes);
    if let Some((first, length)) = long.clone().next() {
        let what = format!(
            "{} vote list(s) are longer than {n_votes}, the first has {length}",
            long.count()
        );
        findings.push(source.finding(Code::BVotes, first, what, ""));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tie_fails_and_nothing_readable_is_no_verdict() {
        let (yes, no, odd) = (Some(true), Some(false), None);
        for (votes, verdict) in [
            (vec![yes, yes, no], Some(true)),
            (vec![yes, no], Some(false)),
            (vec![yes, no, odd], Some(false)),
            (vec![yes, odd, odd], Some(true)),
            (vec![odd, odd], None),
            (vec![], None),
        ] {
            assert_eq!(majority(&votes), verdict, "{votes:?}");
        }
    }

    #[test]
    fn lists_go_to_every_prompt_of_their_id() {
        let prompts =
            br#"[{"id":"b","request":"1","intent":""}, {"id":"a","request":"2","intent":""},
            {"id":"b","request":"3","intent":""}]"#;
        let votes = br#"{"d": [], "b": [true], "c": [null]}"#;
        let [prompts, votes] = [&prompts[..], votes].map(|json| json::parse(json).expect("JSON"));
        let source = Source::new("b", "judge.json", false);
        let prompts = prompts::read(&prompts, &source).expect("prompts");
        let lists = read(&votes, &source, "m", "j").expect("votes");
        let found = lists.of_prompts(&prompts);
        let own = vec![Some(true)];
        assert_eq!(found.lists, [Some(&own), None, Some(&own)]);
        assert_eq!(found.unknown, ["c", "d"]);
    }

    #[test]
    fn with_require_votes_a_pass_needs_a_majority_of_all_votes() {
        let json =
            br#"[{"id":"a","request":"r","intent":"i","difficulty":"easy","structural":{}}]"#;
        let document = json::parse(json).expect("JSON");
        let source = Source::new("b", "prompts.json", false);
        let prompts = prompts::read(&document, &source).expect("prompts");
        let (yes, no, odd) = (Some(true), Some(false), None);
        let found = |votes: Vec<Option<bool>>, required| {
            let lists = VoteLists(vec![("a", votes)]);
            let findings = coverage(&prompts, &lists.of_prompts(&prompts), &source, 3, required);
            findings.into_iter().map(|finding| finding.what).collect::<Vec<_>>()
        };
        let weak = ["1 prompt(s) pass on fewer yes votes than a majority of 3"];
        assert_eq!(found(vec![yes, odd, odd], true), weak);
        assert_eq!(found(vec![yes, odd, odd], false), [""; 0]);
        for good in
            [vec![yes, yes, odd], vec![no, odd, odd], vec![odd, odd, odd], vec![yes, no, odd]]
        {
            assert_eq!(found(good, true), [""; 0]);
        }
    }
}
