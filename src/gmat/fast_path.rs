//! The plain forms that most targets and values have: short ways through the grammar.
//!
//! Each takes what it fully understands or leaves the cursor where it was, and then the grammar
//! proper reads the same text. Nothing is decided here. Without this file every script has the same
//! verdict, only later.

use crate::gmat::bytes::starts_word;
use crate::gmat::outline::{Form, Span, Value};
use crate::gmat::reader::Reader;

impl Reader<'_> {
    /// Takes `.Field =` and gives the field: most targets are written so, and need none of the
    /// questions that other references raise. Otherwise the cursor stays.
    #[inline]
    pub(super) fn plain_field(&mut self) -> Option<Span> {
        let before = self.cursor.at;
        if !self.cursor.is_at_member() {
            return None;
        }
        self.cursor.at += 1;
        self.cursor.word();
        let field = Span::new(before + 1, self.cursor.at);
        while self.cursor.eat(b' ') {}
        if self.cursor.equals() {
            return Some(field);
        }
        self.cursor.at = before;
        None
    }

    /// Takes a value that is one name or one number with the end of the statement right behind it:
    /// most are, and need none of the questions that other values raise. Otherwise the cursor
    /// stays.
    pub(super) fn lone_value(&mut self) -> Option<Value> {
        let before = self.cursor.at;
        self.cursor.eat(b' ');
        let start = self.cursor.at;
        let form = if starts_word(self.cursor.peek()) {
            match self.cursor.word() {
                b"true" | b"false" => Form::Truth,
                _ => Form::Reference,
            }
        } else {
            self.cursor.eat(b'-');
            if self.cursor.number() { Form::Number } else { Form::Expression }
        };
        let end = self.cursor.at;
        if form == Form::Expression || !matches!(self.cursor.peek(), b';' | b'\n') {
            self.cursor.at = before;
            return None;
        }
        if form != Form::Number {
            self.note_use(start, end);
        }
        self.cursor.terminator();
        Some(Value { span: Span::new(start, end), form })
    }
}

#[cfg(test)]
mod tests {
    use crate::gmat::Script;

    /// A tab before `=` and before the end of the statement keeps a text off the short ways.
    #[test]
    fn the_short_ways_see_what_the_grammar_sees() {
        let values = ["7000", "-7.5e3", "Keplerian", "true", "'text'", "{A, B}", "a.b", "1 2", ""];
        let targets = ["Sat.SMA", "Sat.F1.F2", "Sat.9a", "Sat.9", "Sat._x", "Sat.a(1)", "Sat"];
        for prefix in ["", "GMAT "] {
            for section in ["", "BeginMissionSequence\n"] {
                for target in targets {
                    for value in values {
                        let text = |before: &str, after: &str| {
                            let statement = format!("{prefix}{target}{before}= {value}{after}\n");
                            format!("Create Spacecraft Sat\n{section}{statement}Report R\n")
                        };
                        let (short, long) = (text(" ", ";"), text("\t", "\t;"));
                        let (short, long) = (Script::parse(&short), Script::parse(&long));
                        let seen = |script: &Script<'_>| {
                            let fields = format!("{:?}", script.fields());
                            (script.blocking_rules(), fields, format!("{:?}", script.commands()))
                        };
                        assert_eq!(seen(&short), seen(&long), "{prefix}{target} = {value}");
                    }
                }
            }
        }
    }
}
