//! Values outside brackets: operands, operators between them, and what form the whole has.
//!
//! Precedence is not looked at: it changes neither whether a script is clean nor what the rules
//! ask. `-5` is a number, `-x` and `(5)` are expressions, and the rules never complain about an
//! expression.

use super::fault::{Expected, Parsed};
use super::reader::Reader;
use crate::gmat::bytes::{is_digit, starts_word};
use crate::gmat::outline::{Form, Span, Value};

/// An operand, and whether the statement ended after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    form: Form,
    end: usize,
    ended: bool,
}

impl Reader<'_> {
    /// Takes the value that starts here; says whether the statement ended after it.
    pub(super) fn value(&mut self, ends: bool) -> Parsed<(Value, bool)> {
        let start = self.cursor.at;
        let operand = self.operand_outside(ends)?;
        self.rest_of_value(start, operand, ends)
    }

    /// Takes the condition whose first operand is the string from `start` to here, and after which
    /// the statement did not end.
    pub(super) fn value_after_string(&mut self, start: usize) -> Parsed<(Value, bool)> {
        let operand = Operand { form: Form::Text, end: self.cursor.at, ended: false };
        self.rest_of_value(start, operand, true)
    }

    fn rest_of_value(
        &mut self,
        start: usize,
        mut operand: Operand,
        ends: bool,
    ) -> Parsed<(Value, bool)> {
        while !operand.ended && self.cursor.operator() {
            self.cursor.skip_layout();
            operand = Operand { form: Form::Expression, ..self.operand_outside(ends)? };
        }
        let span = Span::new(start, operand.end);
        Ok((Value { span, form: operand.form }, operand.ended))
    }

    fn operand_outside(&mut self, ends: bool) -> Parsed<Operand> {
        let form = match self.cursor.peek() {
            byte if starts_word(byte) => return self.reference_operand(ends),
            b'+' | b'-' => return self.signed_operand(ends),
            b'\'' => {
                self.string()?;
                Form::Text
            }
            b'(' => {
                self.group()?;
                Form::Expression
            }
            b'{' => {
                self.bracket()?;
                Form::List
            }
            b'[' => {
                self.bracket()?;
                Form::Array
            }
            _ => {
                self.number(Expected::Value)?;
                Form::Number
            }
        };
        let end = self.cursor.at;
        Ok(Operand { form, end, ended: self.step(ends) })
    }

    fn reference_operand(&mut self, ends: bool) -> Parsed<Operand> {
        let reference = self.reference(ends)?;
        let form = if reference.is_call {
            Form::Expression
        } else if matches!(reference.span().slice(self.cursor.bytes()), b"true" | b"false") {
            Form::Truth
        } else {
            Form::Reference
        };
        Ok(Operand { form, end: reference.end, ended: reference.ended() })
    }

    /// Takes signs and what they apply to.
    pub(super) fn signed_operand(&mut self, ends: bool) -> Parsed<Operand> {
        while matches!(self.cursor.peek(), b'+' | b'-') {
            self.cursor.at += 1;
            self.cursor.skip_layout();
        }
        let form = match self.cursor.peek() {
            byte if starts_word(byte) => {
                let operand = self.reference_operand(ends)?;
                return Ok(Operand { form: Form::Expression, ..operand });
            }
            b'(' => {
                self.group()?;
                Form::Expression
            }
            byte if is_digit(byte) || byte == b'.' => {
                self.number(Expected::SignedValue)?;
                Form::Number
            }
            _ => return self.fault(Expected::SignedValue),
        };
        let end = self.cursor.at;
        Ok(Operand { form, end, ended: self.step(ends) })
    }

    /// Takes the arguments of a command, to the end of the statement.
    pub(super) fn command_arguments(&mut self) -> Parsed<()> {
        loop {
            let ended = match self.cursor.peek() {
                byte if starts_word(byte) => self.reference(true)?.ended(),
                b'+' | b'-' => self.signed_operand(true)?.ended,
                b'\'' => {
                    self.string()?;
                    self.ends_here()
                }
                b'{' => {
                    self.bracket()?;
                    self.ends_here()
                }
                _ => {
                    self.number(Expected::CommandArgument)?;
                    self.ends_here()
                }
            };
            if ended {
                return Ok(());
            }
        }
    }
}
