//! Statements: assignments, commands, declarations and blocks, one after the other.
//!
//! This is where a reading notes what the script declares, sets and commands. It judges nothing:
//! an unknown type is noted like a known one.
//!
//! Keywords are keywords only at the start of a statement, and `GMAT` before a target changes how
//! its line ends are read (`x⏎= 5` is a command and a fault, `GMAT x⏎= 5` is an assignment).

use super::block::{Block, BlockKind};
use super::catalogue;
use super::fault::{Expected, Fault, Parsed};
use super::keyword::Keyword;
use super::reader::{Reader, Reference, Section};
use crate::gmat::bytes::starts_word;
use crate::gmat::outline::{Assignment, Declaration, Form, Path, Span, Statement, Value, View};

const INCLUDE: &[u8] = b"#Include";
const END_SCRIPT: &[u8] = b"EndScript";

impl Reader<'_> {
    /// Reads statements to the end of the script.
    pub(super) fn statements(&mut self) -> Parsed<()> {
        loop {
            let comment = self.cursor.skip_layout();
            let start = self.cursor.at;
            self.statement_at = start;
            let byte = self.cursor.peek();
            if starts_word(byte) {
                let word = self.cursor.word();
                if let Some(&block) = self.blocks.last()
                    && self.block_word(block, word, comment)?
                {
                    continue;
                }
                self.note_comment(comment);
                self.worded(start, word)?;
                self.note_statement(start);
                continue;
            }
            self.note_comment(comment);
            match byte {
                b'\'' => self.labelled()?,
                b'[' => self.output_call()?,
                b'#' => self.include()?,
                _ if !self.cursor.is_at_end() => return self.fault(Expected::Statement),
                _ => return self.end(),
            }
            self.note_statement(start);
        }
    }

    fn note_statement(&mut self, start: usize) {
        if self.wants_uses {
            let span = Span::new(start, self.cursor.at);
            let is_mission = self.section == Section::Mission;
            self.view.statements.push(Statement { span, is_mission });
        }
    }

    /// The end of the script: no block may be open, and no continuation may promise more.
    fn end(&self) -> Parsed<()> {
        if let Some(block) = self.blocks.last() {
            return self.fault(Expected::ClosedBlock(block.kind, block.opened));
        }
        match self.cursor.broken_continuation() {
            Some(at) => Err(Fault { at, expected: Expected::ContinuedLine }),
            None => Ok(()),
        }
    }

    /// Takes `word` if it closes the innermost `block` or is its `Else`.
    fn block_word(&mut self, block: Block, word: &[u8], comment: bool) -> Parsed<bool> {
        if block.kind.is_closed_by(word) {
            // The comment before the closing word belongs to the block, also at the end of an
            // `Else` part, where no other comment counts.
            self.listing = block.listed;
            self.note_comment(comment);
            self.blocks.pop();
        } else if block.kind == BlockKind::If && !block.otherwise && word == b"Else" {
            self.note_comment(comment);
            self.listing = false;
            if let Some(block) = self.blocks.last_mut() {
                block.otherwise = true;
            }
        } else if self.closes_early && self.closes_outer(word) {
            self.cursor.at = self.statement_at;
            return self.fault(Expected::ClosedBlock(block.kind, block.opened));
        } else {
            return Ok(false);
        }
        self.end_statement()?;
        Ok(true)
    }

    /// Whether `word` closes one of the open blocks, as far as they are looked at.
    fn closes_outer(&self, word: &[u8]) -> bool {
        word.starts_with(b"End")
            && self.blocks.iter().rev().take(1000).any(|outer| outer.kind.is_closed_by(word))
    }

    /// A statement that starts with the identifier `word`.
    fn worded(&mut self, start: usize, word: &[u8]) -> Parsed<()> {
        match word {
            b"GMAT" => self.prefixed(),
            b"Create" => self.create(),
            b"BeginMissionSequence" => self.marker(),
            b"If" => self.conditional(BlockKind::If),
            b"While" => self.conditional(BlockKind::While),
            b"For" => self.counted(),
            b"Target" => self.solved(BlockKind::Target),
            b"Optimize" => self.solved(BlockKind::Optimize),
            b"BeginScript" => self.script(),
            b"function" => self.function(),
            _ => self.headed(start),
        }
    }

    /// Lists a statement under its keyword; some kinds count only inside a block.
    pub(super) fn list(&mut self, keyword: Keyword) {
        let only_in_blocks =
            matches!(keyword, Keyword::Create | Keyword::Function | Keyword::BeginMissionSequence);
        if self.listing && !(only_in_blocks && self.blocks.is_empty()) {
            self.view.keywords.insert(keyword);
        }
    }

    /// Whether a statement here belongs to the configuration: nested ones never do.
    fn configures(&self) -> bool {
        self.section == Section::Configuration && self.blocks.is_empty()
    }

    fn labelled(&mut self) -> Parsed<()> {
        self.string()?;
        self.cursor.skip_layout();
        if !starts_word(self.cursor.peek()) {
            return self.fault(Expected::Statement);
        }
        let start = self.cursor.at;
        self.cursor.word();
        self.headed(start)
    }

    /// An assignment or a command whose first identifier, from `start` to here, is already read.
    fn headed(&mut self, start: usize) -> Parsed<()> {
        let (uses, root_end) = (self.view.uses.len(), self.cursor.at);
        if let Some(field) = self.plain_field() {
            self.list(Keyword::Assignment);
            return self.plain_assignment(Span::new(start, root_end), field);
        }
        let head = self.reference_from(start, true)?;
        if !head.ended() && self.cursor.equals() {
            self.list(Keyword::Assignment);
            return self.assignment(&head, uses);
        }
        if self.listing {
            self.view.heads.push(head.span());
        }
        if head.ended() { Ok(()) } else { self.command_arguments() }
    }

    fn prefixed(&mut self) -> Parsed<()> {
        self.list(Keyword::Gmat);
        self.cursor.skip_layout();
        if self.cursor.peek() == b'\'' {
            self.string()?;
            self.cursor.skip_layout();
        }
        if !starts_word(self.cursor.peek()) {
            return self.fault(Expected::AssignmentTarget);
        }
        let uses = self.view.uses.len();
        let start = self.cursor.at;
        self.cursor.word();
        let root_end = self.cursor.at;
        if let Some(field) = self.plain_field() {
            return self.plain_assignment(Span::new(start, root_end), field);
        }
        let target = self.reference_from(start, false)?;
        if !self.cursor.equals() {
            return self.fault(Expected::Equals);
        }
        self.assignment(&target, uses)
    }

    /// The value of an assignment; `uses` is how many had been noted before its target.
    fn assignment(&mut self, target: &Reference, uses: usize) -> Parsed<()> {
        if self.wants_uses && self.section == Section::Configuration {
            // In the configuration a target is a resource that describes itself, which does not count as a use.
            self.view.uses.truncate(uses);
        }
        if !self.configures() || target.is_call || target.fields == 0 {
            return self.assigned_value().map(drop);
        }
        let path = self.path(target);
        self.field_value(target.root(), target.last_field, path)
    }

    /// The value of an assignment to one field of the resource `root`.
    fn plain_assignment(&mut self, root: Span, field: Span) -> Parsed<()> {
        if self.section == Section::Mission {
            self.note_use(root.start as usize, root.end as usize);
        }
        if !self.configures() {
            return self.assigned_value().map(drop);
        }
        self.field_value(root, field, Path::Flat)
    }

    /// The value of an assignment that sets a field in the configuration.
    fn field_value(&mut self, root: Span, field: Span, path: Path) -> Parsed<()> {
        let before = self.view.elements.len();
        self.wants_elements = path == Path::Flat;
        let value = self.assigned_value()?;
        self.wants_elements = false;
        if value.form != Form::List {
            self.view.elements.truncate(before);
        }
        let elements = Span::new(before, self.view.elements.len());
        self.view.assignments.push(Assignment {
            root,
            owner: None,
            field,
            path,
            value,
            elements_from: elements.start,
            elements_to: elements.end,
        });
        Ok(())
    }

    fn assigned_value(&mut self) -> Parsed<Value> {
        if let Some(value) = self.lone_value() {
            return Ok(value);
        }
        let start = self.cursor.at;
        if self.raw_value() {
            let span = Span::new(start, self.cursor.at);
            self.end_statement()?;
            return Ok(Value { span, form: Form::Expression });
        }
        self.cursor.skip_layout();
        let (value, ended) = self.value(true)?;
        if ended { Ok(value) } else { self.fault(Expected::StatementEnd) }
    }

    /// How the path of a target is kept.
    fn path(&mut self, target: &Reference) -> Path {
        if target.fields == 1 {
            return Path::Flat;
        }
        if !target.is_loose {
            return Path::Plain(Span { start: target.first_field.start, ..target.last_field });
        }
        // Rare: the target is read again to learn all its fields.
        let text = self.cursor.bytes().get(target.start..target.end).unwrap_or_default();
        let mut again = Reader::new(text, View::default(), false);
        again.steps = Some(Vec::new());
        let _ = again.reference(false);
        let mut joined = String::new();
        for step in again.steps.iter().flatten() {
            if !joined.is_empty() {
                joined.push('.');
            }
            joined.extend(step.slice(text).iter().map(|&byte| char::from(byte)));
        }
        let number = Span::new(self.view.joined_paths.len(), 0).start;
        self.view.joined_paths.push(joined);
        Path::Spelt(number)
    }

    fn create(&mut self) -> Parsed<()> {
        self.list(Keyword::Create);
        self.cursor.skip_layout();
        let from = self.cursor.at;
        if !starts_word(self.cursor.peek()) {
            return self.fault(Expected::TypeName);
        }
        self.cursor.word();
        let kind = Span::new(from, self.cursor.at);
        self.cursor.skip_layout();
        let declares = self.configures();
        let id = if declares { catalogue::resolve(kind.slice(self.cursor.bytes())) } else { None };
        loop {
            let from = self.cursor.at;
            if !starts_word(self.cursor.peek()) {
                return self.fault(Expected::ResourceName);
            }
            self.cursor.word();
            if declares {
                let name = Span::new(from, self.cursor.at);
                self.view.declarations.push(Declaration { kind, name, id, is_current: true });
            }
            if self.ends_here() || self.after_name()? {
                return Ok(());
            }
        }
    }

    /// The array size and the comma that may follow a created name; says whether the statement
    /// ended.
    fn after_name(&mut self) -> Parsed<bool> {
        if self.cursor.eat(b'[') {
            loop {
                self.cursor.skip_layout();
                self.number(Expected::ArraySize)?;
                self.cursor.skip_layout();
                if self.cursor.eat(b']') {
                    break;
                }
                if !self.cursor.eat(b',') {
                    return self.fault(Expected::ArraySize);
                }
            }
            if self.ends_here() {
                return Ok(true);
            }
        }
        Ok(self.cursor.eat(b',') && self.ends_here())
    }

    fn marker(&mut self) -> Parsed<()> {
        self.list(Keyword::BeginMissionSequence);
        if self.configures() {
            self.section = Section::Mission;
            self.listing = true;
        }
        self.end_statement()
    }

    fn script(&mut self) -> Parsed<()> {
        self.list(Keyword::BeginScript);
        let opened = self.cursor.at;
        let Some((from, to)) = self.cursor.script_body() else {
            self.cursor.at = self.cursor.bytes().len();
            return self.fault(Expected::ClosedScript(opened));
        };
        if self.wants_uses {
            self.view.bodies.push(Span::new(from, to));
        }
        self.cursor.at += END_SCRIPT.len();
        self.end_statement()
    }

    fn include(&mut self) -> Parsed<()> {
        let rest = self.cursor.bytes().get(self.cursor.at..).unwrap_or_default();
        if !rest.starts_with(INCLUDE) {
            return self.fault(Expected::Statement);
        }
        self.list(Keyword::Include);
        self.cursor.at += INCLUDE.len();
        self.cursor.skip_layout();
        if self.cursor.peek() != b'\'' {
            return self.fault(Expected::IncludePath);
        }
        self.string()?;
        self.end_statement()
    }

    fn output_call(&mut self) -> Parsed<()> {
        self.list(Keyword::OutputCall);
        self.name_list(b']')?;
        self.output_equals()?;
        if !starts_word(self.cursor.peek()) {
            return self.fault(Expected::Callee);
        }
        if self.reference(true)?.ended() { Ok(()) } else { self.fault(Expected::StatementEnd) }
    }

    fn output_equals(&mut self) -> Parsed<()> {
        self.cursor.skip_layout();
        if !self.cursor.equals() {
            return self.fault(Expected::Equals);
        }
        self.cursor.skip_layout();
        Ok(())
    }

    fn function(&mut self) -> Parsed<()> {
        self.list(Keyword::Function);
        self.cursor.skip_layout();
        if self.cursor.peek() == b'[' {
            self.name_list(b']')?;
            self.output_equals()?;
        }
        self.name(Expected::Callee)?;
        if self.ends_here() {
            return Ok(());
        }
        if self.cursor.peek() != b'(' {
            return self.fault(Expected::StatementEnd);
        }
        self.name_list(b')')?;
        self.end_statement()
    }

    fn name(&mut self, expected: Expected) -> Parsed<()> {
        let from = self.cursor.at;
        if !starts_word(self.cursor.peek()) {
            return self.fault(expected);
        }
        self.cursor.word();
        self.note_use(from, self.cursor.at);
        Ok(())
    }

    /// Takes a bracketed list of names with commas between them.
    fn name_list(&mut self, close: u8) -> Parsed<()> {
        self.cursor.at += 1;
        self.cursor.skip_layout();
        if self.cursor.eat(close) {
            return Ok(());
        }
        loop {
            self.name(Expected::Name)?;
            self.cursor.skip_layout();
            if self.cursor.eat(close) {
                return Ok(());
            }
            if !self.cursor.eat(b',') {
                return self.fault(Expected::NameListEnd);
            }
            self.cursor.skip_layout();
        }
    }
}
