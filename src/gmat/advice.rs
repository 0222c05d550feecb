//! Information for the author of a script: what GMAT would most likely not accept, although the
//! rules that score a script let it pass. Nothing here changes a score, and scoring never comes
//! this way.
//!
//! It looks at the mission sequence (commands, the resources they name, the parameters they ask
//! for) and at values of fields with a closed list of words. Where a script takes names from
//! elsewhere (`#Include`, a function file) an unknown name is not reported.

use std::collections::BTreeMap;

use crate::domain::nearest;
use crate::gmat::Rule;
use crate::gmat::catalogue::{self, Kind, words};
use crate::gmat::check::unquoted;
use crate::gmat::diagnostic::{MOST_CANDIDATES, MOST_SUGGESTIONS};
use crate::gmat::outline::{Form, Path, Span, Statement, View};
use crate::gmat::reader::Reader;
use crate::gmat::tokens::{self, Name};

/// A name shorter than this is not called a misspelling of another.
const SHORTEST_SLIP: usize = 4;
/// After so many pieces of advice the rest is left out.
const MOST: usize = 2000;

/// A rule of severity info that is broken, in words.
#[derive(Debug)]
pub(super) struct Advice {
    pub(super) rule: Rule,
    pub(super) place: Span,
    pub(super) message: String,
    pub(super) suggestion: Option<String>,
}

/// Advice for the script that was read into `view`.
pub(super) fn advise(
    text: &str,
    view: &View,
    statements: &[Statement],
    skipped: &[Span],
) -> Vec<Advice> {
    let mut adviser =
        Adviser { text, view, created: BTreeMap::new(), is_open: false, advice: Vec::new() };
    let bytes = text.as_bytes();
    for statement in statements {
        adviser.collect(&tokens::names(bytes, statement.span), statement);
    }
    // What a statement with a syntax error creates is not known.
    for word in skipped.iter().flat_map(|span| words_in(text, *span)) {
        adviser.created.entry(word).or_default();
    }
    for statement in statements {
        if adviser.advice.len() >= MOST {
            break;
        }
        let names = tokens::names(bytes, statement.span);
        adviser.statement(&names, statement);
    }
    adviser.values();
    adviser.advice
}

/// The statements of `view` and of its script blocks, which the grammar does not look into.
pub(super) fn with_bodies(text: &[u8], view: &View) -> Vec<Statement> {
    let mut all = Vec::new();
    let mut bodies = view.bodies.iter().peekable();
    for statement in &view.statements {
        while let Some(body) = bodies.next_if(|body| body.end <= statement.span.end) {
            let inner = Reader::new(body.slice(text), View::default(), true).read_on().0;
            all.extend(inner.statements.iter().map(|Statement { span, .. }| {
                let span = Span { start: body.start + span.start, end: body.start + span.end };
                Statement { span, is_mission: true }
            }));
        }
        all.push(*statement);
    }
    all
}

/// The identifiers in a piece of the text.
pub(super) fn words_in(text: &str, span: Span) -> impl Iterator<Item = &str> {
    let words = span.text(text).split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
}

struct Adviser<'a> {
    text: &'a str,
    view: &'a View,
    /// Every name that a `Create` gives anywhere, with the type.
    created: BTreeMap<&'a str, &'a str>,
    /// Whether names may come from elsewhere.
    is_open: bool,
    advice: Vec<Advice>,
}

/// What may stand at a place where a resource is named.
#[derive(Clone, Copy)]
enum Wanted {
    Anything,
    /// A resource of one of these types or categories, and what people call it.
    Of(&'static [&'static str], &'static str),
}

/// Commands whose words outside braces are all names of resources.
const NAMING: [&str; 17] = [
    "ClearPlot",
    "FindEvents",
    "For",
    "If",
    "MarkPoint",
    "Optimize",
    "PenDown",
    "PenUp",
    "Report",
    "RunEstimator",
    "RunSimulator",
    "Save",
    "Set",
    "Target",
    "Toggle",
    "While",
    "Write",
];

const SPACECRAFT: Wanted = Wanted::Of(&["Spacecraft", "Formation"], "a spacecraft");
const SOLVER: Wanted = Wanted::Of(&["Solver"], "a solver");

impl<'a> Adviser<'a> {
    fn word(&self, span: Span) -> &'a str {
        span.text(self.text)
    }

    fn say(&mut self, rule: Rule, place: Span, message: String, suggestion: Option<&str>) {
        let suggestion = suggestion.map(str::to_owned);
        self.advice.push(Advice { rule, place, message, suggestion });
    }

    fn suggests(&self) -> bool {
        self.advice.len() < MOST_SUGGESTIONS
    }

    /// Notes what a statement creates.
    fn collect(&mut self, names: &[Name], statement: &Statement) {
        let start = statement.span.text(self.text);
        self.is_open |= start.starts_with("#Include") || start.starts_with("function");
        if names.first().is_none_or(|it| self.word(it.root()) != "Create" || it.number != 0) {
            return;
        }
        if let [_, kind, rest @ ..] = names {
            for name in rest {
                self.created.insert(self.word(name.root()), self.word(kind.root()));
            }
        }
    }

    fn statement(&mut self, names: &[Name], statement: &Statement) {
        let text = statement.span.text(self.text);
        if text.starts_with(['#', '[']) {
            return;
        }
        let [first, rest @ ..] = names else { return };
        // A label may stand before the head, or right behind it.
        let word = self.word(first.root());
        match word {
            "Create" | "function" | "BeginScript" | "BeginMissionSequence" | "Global" => {}
            "GMAT" => {
                if let [target, values @ ..] = rest {
                    self.assignment(target, values, statement);
                }
            }
            _ if first.after == b'=' || first.is_called() && assigns(text) => {
                self.assignment(first, rest, statement);
            }
            _ if words::is_command(word.as_bytes()) && first.steps.len() == 1 => {
                if words::is_divider(word) {
                    let message = format!("`{word}` belongs to no open block");
                    self.say(Rule::UnknownCommand, first.root(), message, None);
                } else if !first.is_called() {
                    self.command(word, rest);
                }
            }
            _ => self.unknown_command(word, first),
        }
    }

    fn unknown_command(&mut self, word: &str, head: &Name) {
        if self.created.contains_key(word) || matches!(word, "Python" | "Matlab") {
            return;
        }
        let meant = if self.suggests() { nearest(word, words::commands()) } else { None };
        if self.is_open && meant.is_none() {
            return;
        }
        let what = if head.is_called() { "command or function" } else { "command" };
        let message = format!("there is no {what} `{word}`");
        self.say(Rule::UnknownCommand, head.root(), message, meant);
    }

    /// The names in a command whose head is `command`.
    fn command(&mut self, command: &str, names: &[Name]) {
        let call: Option<(Wanted, Wanted)> = match command {
            "Propagate" => Some((Wanted::Of(&["PropSetup"], "a propagator"), SPACECRAFT)),
            "Maneuver" => Some((Wanted::Of(&["ImpulsiveBurn"], "an impulsive burn"), SPACECRAFT)),
            "BeginFiniteBurn" | "EndFiniteBurn" => {
                Some((Wanted::Of(&["FiniteBurn"], "a finite burn"), SPACECRAFT))
            }
            "BeginFileThrust" | "EndFileThrust" => {
                Some((Wanted::Of(&["ThrustHistoryFile"], "a thrust history file"), SPACECRAFT))
            }
            "Vary" | "Achieve" | "Minimize" | "NonlinearConstraint" => {
                Some((SOLVER, Wanted::Anything))
            }
            _ => None,
        };
        let first = match command {
            "Target" | "Optimize" => SOLVER,
            "Report" => Wanted::Of(&["ReportFile"], "a report file"),
            "RunSimulator" => Wanted::Of(&["Simulator"], "a simulator"),
            "RunEstimator" => Wanted::Of(&["Solver"], "an estimator"),
            "FindEvents" => Wanted::Of(&["EventLocator"], "an event locator"),
            "PenUp" | "PenDown" | "MarkPoint" | "ClearPlot" | "Toggle" => {
                Wanted::Of(&["Subscriber"], "a plot or report")
            }
            _ => Wanted::Anything,
        };
        let options = words::options(command);
        let mut option = "";
        for (number, name) in names.iter().enumerate() {
            let word = self.word(name.root());
            let is_one_word = name.steps.len() == 1;
            if name.curly > 0 {
                let is_key = matches!(name.before, b'{' | b',') && name.after == b'=';
                if is_key && is_one_word {
                    option = word;
                }
                match options {
                    Some(known) if is_key => self.option(name, word, known),
                    Some(_) => self.option_value(name, word, option),
                    // Colors and tolerances of a `Propagate`.
                    None if matches!(option, "OrbitColor" | "StopTolerance") => {}
                    None if command == "Propagate" => self.name(name, Wanted::Anything),
                    None => {}
                }
                if is_key && !is_one_word {
                    option = "";
                }
                continue;
            }
            match (command, call) {
                ("Propagate" | "Maneuver", _) if matches!(word, "BackProp" | "Synchronized") => {}
                ("Toggle", _) if matches!(word, "On" | "Off") => {}
                (_, Some((callee, _))) if name.round == 0 => self.name(name, callee),
                // An option may stand among the arguments.
                (_, Some(_)) if is_one_word && name.before == b',' && name.after == b'=' => {}
                (_, Some((_, argument))) if name.round == 1 => self.name(name, argument),
                // `Set` has an option in round brackets.
                ("Set", _) if name.round > 0 => {}
                _ if NAMING.contains(&command) => {
                    let wanted = if number == 0 { first } else { Wanted::Anything };
                    self.name(name, wanted);
                }
                _ => {}
            }
        }
    }

    fn option(&mut self, name: &Name, word: &str, known: &'static [&'static str]) {
        if name.steps.len() == 1 && !known.contains(&word) {
            let meant = nearest(word, known.iter().copied());
            let message =
                format!("there is no option `{word}` here; options: `{}`", known.join("`, `"));
            self.say(Rule::UnknownValue, name.root(), message, meant);
        }
    }

    fn option_value(&mut self, name: &Name, word: &str, option: &str) {
        if let Some(known) = words::option_values(option) {
            self.value(name.root(), word, option, known);
        } else if matches!(option, "Perturbation" | "MaxStep" | "Lower" | "Upper" | "Tolerance") {
            self.name(name, Wanted::Anything);
        }
    }

    fn value(&mut self, place: Span, word: &str, field: &str, known: &[&'static str]) {
        if known.contains(&word) {
            return;
        }
        let meant = if self.suggests() { nearest(word, known.iter().copied()) } else { None };
        let valid = known.join("`, `");
        let message = format!("`{word}` is not a valid value of `{field}`, which takes `{valid}`");
        self.say(Rule::UnknownValue, place, message, meant);
    }

    /// A name that must be that of a resource.
    fn name(&mut self, name: &Name, wanted: Wanted) {
        let word = self.word(name.root());
        if matches!(word, "true" | "false") {
            return;
        }
        if let Some(&kind) = self.created.get(word) {
            self.fits(name, word, kind, wanted);
            return self.parameter(name, kind);
        }
        let is_known = self.is_open
            || catalogue::is_predefined(word.as_bytes())
            || matches!(word, "SolarSystem" | "Python" | "Matlab")
            // Functions and the elements of arrays look alike.
            || name.is_called() && matches!(wanted, Wanted::Anything);
        if !is_known {
            let meant = self.resource_like(word, wanted);
            let message = format!("`{word}` is not created");
            self.say(Rule::UnknownName, name.root(), message, meant);
        }
    }

    fn fits(&mut self, name: &Name, word: &str, kind: &str, wanted: Wanted) {
        let Wanted::Of(kinds, called) = wanted else { return };
        if name.steps.len() > 1 || kinds.iter().any(|wanted| catalogue::accepts(wanted, kind)) {
            return;
        }
        let message = format!("{called} is expected here, and `{word}` is a {kind}");
        self.say(Rule::WrongResource, name.root(), message, None);
    }

    fn resource_like(&self, word: &str, wanted: Wanted) -> Option<&'a str> {
        // Almost any two names of one or two letters are alike.
        if !self.suggests() || word.len() < 3 {
            return None;
        }
        let fits = |kind: &str| match wanted {
            Wanted::Anything => true,
            Wanted::Of(kinds, _) => kinds.iter().any(|wanted| catalogue::accepts(wanted, kind)),
        };
        let created = self.created.iter().take(MOST_CANDIDATES);
        let fitting = created.filter(|(_, kind)| fits(kind)).map(|(name, _)| *name);
        let builtins = catalogue::builtins().map(|name| -> &'a str { name });
        nearest(word, fitting.chain(builtins.filter(|_| matches!(wanted, Wanted::Anything))))
    }

    /// The steps of a path after its root, a resource of type `kind`.
    fn parameter(&mut self, name: &Name, kind: &str) {
        let [_, between @ .., last] = name.steps.as_slice() else { return };
        let Some(id) = catalogue::resolve(kind.as_bytes()) else { return };
        let is_spacecraft = kind == "Spacecraft";
        if let ([step], true) = (between, is_spacecraft) {
            let word = self.word(*step);
            let created = self.created.get(word);
            let is_frame = created.is_none_or(|kind| {
                ["CoordinateSystem", "SpacePoint"].iter().any(|of| catalogue::accepts(of, kind))
            });
            if created.is_none() && !self.is_open && !catalogue::is_predefined(word.as_bytes()) {
                let meant = self.resource_like(word, Wanted::Anything);
                if id.field(word.as_bytes()).is_none() {
                    let message = format!("`{word}` is not created");
                    self.say(Rule::UnknownName, *step, message, meant);
                }
                return;
            }
            if !is_frame {
                return;
            }
        } else if !between.is_empty() {
            return;
        }
        let word = self.word(*last);
        let is_known = |known: &str| known == word;
        if word.len() < SHORTEST_SLIP
            || id.field(word.as_bytes()).is_some()
            || is_spacecraft && words::parameters().any(is_known)
            || self.created.contains_key(word)
        {
            return;
        }
        let parameters = words::parameters().filter(|_| is_spacecraft);
        if self.suggests()
            && let Some(meant) = nearest(word, id.field_names().chain(parameters))
        {
            let root = self.word(name.root());
            let message = format!("{kind} `{root}` has no parameter `{word}`");
            self.say(Rule::UnknownParameter, *last, message, Some(meant));
        }
    }

    /// `target = values`, anywhere.
    fn assignment(&mut self, target: &Name, values: &[Name], statement: &Statement) {
        let root = self.word(target.root());
        let kind = self.created.get(root).copied();
        if statement.is_mission || kind.is_none() {
            self.name(&Name { after: 0, ..target.clone() }, Wanted::Anything);
        } else if kind == Some("ForceModel") && target.steps.len() > 2 {
            self.force_path(target);
        }
        let Some(kind) = kind else { return };
        let holds_numbers = match target.steps.as_slice() {
            [_] => matches!(kind, "Variable" | "Array"),
            [_, field] if statement.is_mission => {
                let field = field.text(self.text).as_bytes();
                let id = catalogue::resolve(kind.as_bytes());
                matches!(id.and_then(|id| id.field(field)), Some(Kind::Real | Kind::Integer))
            }
            _ => false,
        };
        if holds_numbers {
            for name in values {
                self.name(name, Wanted::Anything);
            }
        }
    }

    fn force_path(&mut self, target: &Name) {
        let Some(&last) = target.steps.last() else { return };
        let word = self.word(last);
        if self.suggests()
            && !words::force_paths().any(|known| known == word)
            && let Some(meant) = nearest(word, words::force_paths())
        {
            let message = format!("a force model has no `{word}`");
            self.say(Rule::UnknownParameter, last, message, Some(meant));
        }
    }

    /// Values of fields in the configuration.
    fn values(&mut self) {
        let view = self.view;
        for assignment in &view.assignments {
            if self.advice.len() >= MOST {
                return;
            }
            let Some(id) = view.owner(assignment).and_then(|owner| owner.id) else { continue };
            let field = self.word(assignment.field);
            let Some(kind) = id.field(field.as_bytes()).filter(|_| assignment.path == Path::Flat)
            else {
                continue;
            };
            let value = assignment.value;
            let (place, is_name) = match value.form {
                Form::Text => (unquoted(value.span), false),
                Form::Reference => (value.span, true),
                Form::List => {
                    if kind == Kind::ObjectArray("") {
                        let from = assignment.elements_from as usize;
                        let elements = view.elements.get(from..assignment.elements_to as usize);
                        for &element in elements.unwrap_or_default() {
                            self.object(element);
                        }
                    }
                    continue;
                }
                _ => continue,
            };
            let word = self.word(place);
            match (kind, words::values(id.name(), field)) {
                (_, Some(known)) => self.value(place, word, field, known),
                (Kind::OnOff, _) => self.value(place, word, field, &["On", "Off"]),
                (Kind::Bool, _) if is_name => {
                    let is_truth = ["true", "false", "on", "off"];
                    if !is_truth.iter().any(|it| it.eq_ignore_ascii_case(word)) {
                        self.value(place, word, field, &["true", "false"]);
                    }
                }
                (Kind::Object(""), _) if is_name => self.object(place),
                _ => {}
            }
        }
    }

    /// A name in the configuration that must be that of a resource, of which type is not known.
    fn object(&mut self, place: Span) {
        let root = tokens::names(self.text.as_bytes(), place);
        if let Some(name) = root.first()
            && !matches!(self.word(name.root()), "None" | "All")
        {
            let name = Name { steps: vec![name.root()], ..name.clone() };
            self.name(&name, Wanted::Anything);
        }
    }
}

/// Whether `=` is outside brackets and strings.
fn assigns(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => depth = depth.saturating_sub(1),
            b'%' => return false,
            b'\'' => at += 1 + bytes[at + 1..].iter().position(|&b| b == b'\'').unwrap_or(0),
            b'=' if depth == 0 => {
                return bytes.get(at + 1) != Some(&b'=')
                    && at > 0
                    && !matches!(bytes[at - 1], b'~' | b'<' | b'>' | b'=');
            }
            _ => {}
        }
        at += 1;
    }
    false
}
