//! GMAT scripts: what one contains and what is wrong with it. Knows nothing of prompts.
#![allow(missing_docs, unused_variables)]
pub struct Script<'a>(&'a str);
impl<'a> Script<'a> {
    pub fn parse(text: &'a str) -> Self {
        Self(text)
    }
    pub fn blocking_rules(&self) -> Vec<&'static str> {
        Vec::new()
    }
    pub fn syntax_error(&self) -> Option<()> {
        None
    }
    pub fn has_type(&self, t: &str) -> bool {
        true
    }
    pub fn has_field(&self, t: &str, f: &str) -> bool {
        true
    }
    pub fn has_command(&self, c: &str) -> bool {
        true
    }
}
