//! Words of the state: the fixed ones, those of frames, and who must be told of a write.

use super::{NodeId, Slot};

/// Stands for no version in [`Word::version`].
pub const NO_VERSION: u32 = u32::MAX;

/// All bindings of a rule that can be alive.
pub const EVERY_BINDING: u32 = u32::MAX;

/// Who must be told of a write to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Watcher {
    Rule { rule: u32, binding: u32 },
    When { when: u32, binding: u32 },
    Network { network: u32, owner: u32 },
}

/// What a write of a word of the fixed part concerns.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// A number that no other word has: the sum of words times numbers stands for the state (multilinear hashing).
    pub key: u64,
    /// Which of the machine's versions it raises, or [`NO_VERSION`].
    pub version: u32,
    /// Runs of [`Flat::watchers`].
    pub start: u32,
    /// Those before this one are told when the writing settles, the others at once.
    pub mid: u32,
    pub end: u32,
}

impl Word {
    /// Something is done about it when the writing settles.
    #[inline]
    pub fn wakes(self) -> bool {
        self.start != self.mid
    }

    /// Somebody must be told, at once or when the writing settles.
    #[inline]
    pub fn is_watched(self) -> bool {
        self.start != self.end
    }

    /// Somebody must be told at once.
    #[inline]
    pub fn touches(self) -> bool {
        self.mid != self.end
    }
}

/// Fixed words at the begin of the state.
pub mod header {
    /// The instruction at which the machine stands.
    pub const PC: usize = 0;
    /// Where the running body's frame begins.
    pub const FP: usize = 1;
    /// The end of the frames.
    pub const SP: usize = 2;
    /// Who acts.
    pub const ME: usize = 3;
    /// The start player.
    pub const STARTER: usize = 4;
    /// The game is over.
    pub const ENDED: usize = 5;
    /// The game's seed, in two words.
    pub const SEED_LOW: usize = 6;
    /// Its upper half.
    pub const SEED_HIGH: usize = 7;
    /// The label whose passes are counted until the announced end; [`NONE`](super::NONE) where no end is announced.
    pub const FINISH_LABEL: usize = 8;
    /// How many of them are left.
    pub const FINISH_LEFT: usize = 9;
    /// Bindings of `when`s whose bodies have still to run.
    pub const PENDING: usize = 10;
    /// The `when` whose body runs, plus 1, and its binding.
    pub const IN_WHEN: usize = 11;
    /// See [`IN_WHEN`].
    pub const WHEN_BINDING: usize = 15;
    /// A secret step runs.
    pub const SECRET: usize = 12;
    /// The seat whose answer led here.
    pub const CAUSE: usize = 13;
    /// Answers given so far.
    pub const ANSWERS: usize = 14;
    /// How the game has ended, or what was said since it settled last and may end it: an ending plus 1.
    pub const ENDING: usize = 16;
    /// At how many moments somebody has left the game.
    pub const MOMENT: usize = 17;
    /// What the announced end is called: an ending plus 1.
    pub const ANNOUNCED: usize = 18;
    /// Words of the header.
    pub const SIZE: usize = 19;
}

/// Positions that one `repeats` compares, each with the present one.
#[derive(Clone, Debug)]
pub struct HistoryCode {
    pub of: dsl::ir::Repeats,
    pub slots: Vec<Slot>,
    /// Formulas with their arguments.
    pub values: Vec<NodeId>,
    /// First of its words in the state.
    pub base: u32,
}

/// Words of a history in the state; the positions themselves lie beside it.
pub mod history_word {
    /// Positions counted.
    pub const COUNT: usize = 0;
    /// Something has been done in the running pass.
    pub const STIRRED: usize = 1;
    /// Stands for what was counted, so that looking ahead does not take one past for another.
    pub const TRAIL: usize = 2;
    pub const SIZE: usize = 3;
}

/// Words at the begin of each frame.
pub mod frame {
    /// Where the caller goes on.
    pub const RETURN_PC: usize = 0;
    /// The caller's frame.
    pub const CALLER: usize = 1;
    /// A bit for each parameter that the caller gave.
    pub const GIVEN: usize = 2;
    pub const ME: usize = 3;
    /// How full the queue of effects was before this body added to it.
    pub const QUEUE: usize = 4;
    pub const SIZE: usize = 5;
}
