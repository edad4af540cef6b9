//! A game's state: one block of words, and what may have to be taken back.

use crate::machine::{History, Marks, Struck};

/// Everything that changes in a game, at a decision or at the end. Comparing and hashing are one pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) words: Vec<i32>,
    /// Answers of the running action that were offered without proof, and those of them that led nowhere.
    pub(crate) marked: Marks,
    pub(crate) struck: Struck,
    /// Positions that `repeats` compares.
    pub(crate) histories: Vec<History>,
}

impl State {
    /// An empty one, to be saved into.
    pub fn new() -> State {
        State::default()
    }

    /// The same without what may have to be taken back, which tells more than one may see.
    pub(crate) fn without_past(&self) -> State {
        State {
            words: self.words.clone(),
            histories: self.histories.clone(),
            ..State::default()
        }
    }

    /// The words, for storing; they mean something only to the program that made them.
    pub fn words(&self) -> &[i32] {
        &self.words
    }

    /// The seat that is asked.
    pub(crate) fn seat(&self) -> u32 {
        self.words[crate::program::header::ME] as u32
    }

    /// A step runs in which all answer secretly.
    pub(crate) fn is_secret(&self) -> bool {
        self.words[crate::program::header::SECRET] != 0
    }

    /// The same as if no step ran in which all answer secretly.
    pub(crate) fn laid_open(&self) -> State {
        let mut open = self.without_past();
        open.words[crate::program::header::SECRET] = 0;
        open
    }

    /// Answers that led here, those that answered themselves included.
    pub(crate) fn answers(&self) -> u32 {
        self.words[crate::program::header::ANSWERS] as u32
    }
}
