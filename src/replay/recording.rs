//! Recorded answers and votes, one JSON object a line, read against the prompts.
//!
//! Collects every problem with its line. A line that is wrong in one point still names its prompt,
//! so that the prompt is not reported as missing as well.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::domain::{Code, Failure, nearest};
use crate::json::{self, Document, Mismatch, Node};
use crate::replay::{Prompt, Recording, Votes, usage, votes};

/// After so many problems no more ids are suggested: they cost more than they help.
const MOST_SUGGESTIONS: usize = 100;

/// One answer, as completions.json holds it.
#[derive(Serialize)]
pub(super) struct Completion<'d> {
    text: &'d str,
    #[serde(skip_serializing_if = "Option::is_none")]
    usage: Option<&'d Node<'d>>,
}

/// One line that is an object.
pub(super) struct Line<'d> {
    number: usize,
    document: Document<'d>,
}

/// Names that other tools give the text of an answer.
const TEXT_ALIASES: [&str; 7] =
    ["answer", "completion", "content", "generation", "output", "response", "script"];

const OTHER_ID: &str = "ids are those of the prompts file";

/// The lines that hold anything; those that are not JSON become problems.
pub(super) fn lines<'d>(
    recording: Recording<'d>,
    secret: bool,
    problems: &mut Vec<Failure>,
) -> Vec<Line<'d>> {
    let mut lines = Vec::new();
    if let Some(problem) = one_document(recording) {
        problems.push(problem);
        return lines;
    }
    for (index, bytes) in recording.bytes.split(|byte| *byte == b'\n').enumerate() {
        if bytes.trim_ascii().is_empty() {
            continue;
        }
        match json::parse(bytes) {
            Ok(document) => lines.push(Line { number: index + 1, document }),
            Err(mut error) => {
                error.location.line = index + 1;
                let mut problem = Failure::json(recording.file, &error);
                if secret {
                    problem.details.clear();
                }
                problems.push(problem.help("each line must be one complete JSON object"));
            }
        }
    }
    lines
}

/// The problem of a file that holds one JSON array or map instead of one object a line.
fn one_document(recording: Recording<'_>) -> Option<Failure> {
    let names_prompt = |document: &Document<'_>| {
        let object = document.root.object();
        object.is_ok_and(|object| object.get("id").or(object.get("request")).is_some())
    };
    let mut held = recording.bytes.split(|byte| *byte == b'\n');
    let first = held.find(|line| !line.trim_ascii().is_empty())?;
    if json::parse(first).is_ok_and(|document| names_prompt(&document)) {
        return None;
    }
    let document = json::parse(recording.bytes).ok().filter(|whole| !names_prompt(whole))?;
    let file = recording.file;
    let (what, way) = if document.root.array().is_ok() {
        ("a JSON array", format!("`jq -c '.[]' {file} > lines.jsonl` converts it"))
    } else if document.root.object().is_ok_and(|object| object.iter().next().is_some()) {
        ("a JSON object", "write one line per prompt, each with its `id`".to_owned())
    } else {
        return None;
    };
    let what = format!("`{file}` holds {what}; expected one JSON object per line");
    Some(Failure::unusable(what).code(Code::ESchema).at(file).help(way))
}

/// Reads the lines of one file against the prompts and collects what is wrong.
pub(super) struct Reader<'r, 'd> {
    file: &'r str,
    prompts: &'r [Prompt<'d>],
    by_id: HashMap<&'d str, &'r Prompt<'d>>,
    by_request: HashMap<&'d str, &'r Prompt<'d>>,
    /// Ids of the prompts that a line names, be it good or not.
    named: HashSet<&'d str>,
    /// Held-out: messages quote nothing of the lines and call prompts by their number.
    secret: bool,
    problems: &'r mut Vec<Failure>,
}

impl<'r, 'd> Reader<'r, 'd> {
    pub(super) fn new(
        file: &'r str,
        prompts: &'r [Prompt<'d>],
        secret: bool,
        problems: &'r mut Vec<Failure>,
    ) -> Self {
        let by_id = prompts.iter().map(|prompt| (prompt.id, prompt)).collect();
        let by_request = prompts.iter().map(|prompt| (prompt.request, prompt)).collect();
        Self { file, prompts, by_id, by_request, named: HashSet::new(), secret, problems }
    }

    fn place(&self, line: &Line<'_>) -> String {
        format!("{}:{}", self.file, line.number)
    }

    /// A prompt as messages call it.
    fn called(&self, id: &str) -> String {
        let at = self.prompts.iter().position(|prompt| prompt.id == id);
        match at.filter(|_| self.secret) {
            Some(at) => format!("number {}", at + 1),
            None => format!("`{id}`"),
        }
    }

    fn wrong(&mut self, line: &Line<'_>, mismatch: &Mismatch, code: Code) {
        let mut location = line.document.locate(mismatch.at);
        location.line = line.number;
        let mut problem = Failure::schema(self.file, &location, mismatch).code(code);
        if self.secret {
            problem = problem.at(self.place(line));
        }
        self.problems.push(problem);
    }

    fn keep<T>(&mut self, line: &Line<'_>, result: Result<T, Mismatch>, code: Code) -> Option<T> {
        result.map_err(|mismatch| self.wrong(line, &mismatch, code)).ok()
    }

    pub(super) fn again(&mut self, line: &Line<'_>, id: &str) {
        let name = self.called(id);
        let problem = Failure::unusable(format!("prompt {name} has an earlier line"));
        self.problems.push(problem.at(self.place(line)).help("keep one line per prompt"));
    }

    pub(super) fn missing(&mut self, what: &str) {
        for prompt in self.prompts.iter().filter(|prompt| !self.named.contains(prompt.id)) {
            let problem = Failure::unusable(format!("{what} {}", self.called(prompt.id)));
            self.problems.push(problem.at(self.file).help("record it, and add its line"));
        }
    }

    /// Keys beyond those known are refused: a misspelt `usage` must not be lost in silence.
    fn known_keys(&mut self, line: &Line<'_>, known: &[&'static str]) -> Option<()> {
        let object = self.keep(line, line.document.root.object(), Code::ESchema)?;
        for (key, _) in object.iter().filter(|(key, _)| !known.contains(&&***key)) {
            let is_text = known.contains(&"text") && TEXT_ALIASES.contains(&&**key);
            let near = is_text.then_some("text").or_else(|| nearest(key, known.iter().copied()));
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("remove it; allowed: {}", known.join(", ")),
            };
            let key = if self.secret { String::new() } else { format!(" `{key}`") };
            let problem = Failure::unusable(format!("unknown key{key}"));
            self.problems.push(problem.code(Code::ESchema).at(self.place(line)).help(help));
        }
        Some(())
    }

    /// The prompt a line is about: by `id`, by `request`, or by both if they agree.
    fn prompt(&mut self, line: &Line<'_>) -> Option<&'r Prompt<'d>> {
        let object = line.document.root.object().ok()?;
        let mut found: Option<&'r Prompt<'d>> = None;
        for (key, is_id) in [("id", true), ("request", false)] {
            let Some(node) = object.get(key) else { continue };
            let text = self.keep(line, node.text(), Code::ESchema)?;
            let prompts = if is_id { &self.by_id } else { &self.by_request };
            let Some(&prompt) = prompts.get(&**text) else {
                let problem = if is_id && self.secret {
                    Failure::unusable("no prompt has this id").help(OTHER_ID)
                } else if is_id {
                    Failure::unusable(format!("there is no prompt `{text}`"))
                        .help(self.id_like(text))
                } else {
                    Failure::unusable("no prompt has this request")
                        .help("requests match byte for byte; or name the prompt by `id`")
                };
                self.problems.push(problem.at(self.place(line)));
                return None;
            };
            if found.is_some_and(|found| found.id != prompt.id) {
                let one = self.called(prompt.id);
                let what = format!("`id` and `request` name different prompts; one is {one}");
                self.problems.push(Failure::unusable(what).at(self.place(line)));
                return None;
            }
            found = Some(prompt);
        }
        if let Some(prompt) = found {
            self.named.insert(prompt.id);
        } else {
            let problem = Failure::unusable("a line does not name its prompt").at(self.place(line));
            self.problems.push(problem.help("name it by `id`"));
        }
        found
    }

    fn id_like(&self, text: &str) -> String {
        let may_search = self.problems.len() < MOST_SUGGESTIONS;
        let near = may_search.then(|| nearest(text, self.prompts.iter().map(|prompt| prompt.id)));
        match near.flatten() {
            Some(near) => format!("did you mean `{near}`?"),
            None => OTHER_ID.to_owned(),
        }
    }

    pub(super) fn answer<'l>(&mut self, line: &'l Line<'l>) -> Option<(&'d str, Completion<'l>)> {
        self.known_keys(line, &["id", "request", "text", "usage"])?;
        let prompt = self.prompt(line);
        let root = &line.document.root;
        let object = root.object().ok()?;
        let text = match object.get("text") {
            Some(text) if !text.is_null() => self.keep(line, text.text(), Code::BText),
            found => {
                // An unknown key that probably is the text was reported already.
                let renamed = object.iter().any(|(key, _)| TEXT_ALIASES.contains(&&**key));
                if found.is_some() || !renamed {
                    let what = if found.is_some() { "`text` is null" } else { "`text` is missing" };
                    let problem = Failure::unusable(what).code(Code::BText).at(self.place(line));
                    self.problems.push(
                        problem.help(
                            "if the model gave no answer, record an empty one: \"text\": \"\"",
                        ),
                    );
                }
                None
            }
        };
        let usage = object.get("usage").filter(|usage| !usage.is_null());
        if let Some(usage) = usage {
            let members = self.keep(line, usage.object(), Code::BUsage)?;
            for (key, count) in members.iter() {
                self.keep(line, usage::recorded(key, count), Code::BUsage);
            }
        }
        Some((prompt?.id, Completion { text: text?, usage }))
    }

    /// The vote lists: whole ones, or put together from lines of one vote, in their order.
    pub(super) fn ballots(&mut self, lines: &[Line<'_>]) -> BTreeMap<&'d str, Votes> {
        let mut ballots: BTreeMap<&'d str, (Votes, bool)> = BTreeMap::new();
        for line in lines {
            let Some((id, votes, whole)) = self.ballot(line) else { continue };
            match ballots.get_mut(id) {
                None => {
                    ballots.insert(id, (votes, whole));
                }
                Some((earlier, false)) if !whole => earlier.extend(votes),
                Some(_) => self.again(line, id),
            }
        }
        ballots.into_iter().map(|(id, (votes, _))| (id, votes)).collect()
    }

    fn ballot(&mut self, line: &Line<'_>) -> Option<(&'d str, Votes, bool)> {
        self.known_keys(line, &["id", "vote", "votes"])?;
        let prompt = self.prompt(line);
        let object = line.document.root.object().ok()?;
        let (votes, whole) = match (object.get("votes"), object.get("vote")) {
            (Some(list), None) => (votes::list(list), true),
            (None, Some(vote)) => (votes::vote(vote).map(|vote| vec![vote]), false),
            _ => {
                let problem = Failure::unusable("a line needs exactly one of `votes` and `vote`");
                self.problems.push(problem.code(Code::BVerdict).at(self.place(line)));
                return None;
            }
        };
        let votes = self.keep(line, votes, Code::BVerdict)?;
        Some((prompt?.id, votes, whole))
    }
}
