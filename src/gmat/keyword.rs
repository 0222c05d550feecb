//! The words the grammar knows, and the words a statement is listed under.
//!
//! A keyword here is what `commands` shows for a statement without a head of its own. The set is a
//! few bits; it never grows with the script.
//!
//! Some entries (`assignment_command`, `comment`) are not words of the language at all. They are
//! listed all the same, because prompts are checked against this list.

/// A statement that is listed under a fixed word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Keyword {
    Include,
    BeginScript,
    Create,
    For,
    Gmat,
    If,
    Optimize,
    Target,
    While,
    Assignment,
    BeginMissionSequence,
    Comment,
    Function,
    OutputCall,
}

impl Keyword {
    /// Every keyword, sorted by its word.
    const ALL: [Self; 14] = [
        Self::Include,
        Self::BeginScript,
        Self::Create,
        Self::For,
        Self::Gmat,
        Self::If,
        Self::Optimize,
        Self::Target,
        Self::While,
        Self::Assignment,
        Self::BeginMissionSequence,
        Self::Comment,
        Self::Function,
        Self::OutputCall,
    ];

    /// The word a statement of this kind is listed under.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Include => "#Include",
            Self::BeginScript => "BeginScript",
            Self::Create => "Create",
            Self::For => "For",
            Self::Gmat => "GMAT",
            Self::If => "If",
            Self::Optimize => "Optimize",
            Self::Target => "Target",
            Self::While => "While",
            Self::Assignment => "assignment_command",
            Self::BeginMissionSequence => "begin_mission_sequence",
            Self::Comment => "comment",
            Self::Function => "function",
            Self::OutputCall => "function_call_command",
        }
    }
}

/// A set of keywords.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Keywords(u16);

impl Keywords {
    pub(super) fn insert(&mut self, keyword: Keyword) {
        self.0 |= 1 << keyword as u8;
    }

    /// The words of the set, sorted.
    pub(super) fn words(self) -> impl Iterator<Item = &'static str> {
        Keyword::ALL.into_iter().filter(move |&k| self.0 & 1 << k as u8 != 0).map(Keyword::word)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_a_set_come_sorted_and_once() {
        let mut set = Keywords::default();
        for keyword in Keyword::ALL.into_iter().rev().chain(Keyword::ALL) {
            set.insert(keyword);
        }
        let words: Vec<_> = set.words().collect();
        assert_eq!(words.len(), 14);
        assert!(words.is_sorted());
    }
}
