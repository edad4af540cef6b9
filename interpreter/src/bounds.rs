//! Bounds of the interpreter. All work is counted, nothing is timed, so a bound is met at the same place on every machine, with
//! any number of threads and any stack. What is told where one is met stands in `docs/language.md`; a test compares.

/// Jumps and begins of bodies one answer may come to.
pub const STEPS_PER_ANSWER_MAX: u32 = 1_000_000;
/// What a decision that resolves itself counts as: looking for its answers is no small matter.
pub const STEPS_OF_RESOLVING: u32 = 100;
/// Work one answer may come to, with all looking ahead up to the next one: an instruction, an element looked at, a formula
/// called, or some words copied count as one.
pub const WORK_PER_ANSWER_MAX: i64 = 100_000_000;
/// What a step counts as: a jump or the begin of a body, with the instructions behind it.
pub const WORK_OF_STEP: u32 = 8;
/// What an answer that is tried counts as: much is put aside for it and back.
pub const WORK_OF_TRY: u32 = 16;
/// Work one decision's looking ahead may come to; its candidates share it.
pub const LOOK_AHEAD_WORK_MAX: i64 = 4_000_000;
/// Answers one decision's looking ahead may try; its candidates share them.
pub const PROBE_ANSWERS_MAX: u32 = 10_000;
/// Of these each answer to the first question behind the one that is tried gets so many before any gets more.
pub const PROBE_FIRST_TRIES: u32 = 64;
/// Of the tries and the work that are left, a way that comes to a question to somebody else gets one part in so many.
pub const OTHERS_SHARE: u32 = 8;
/// Answers looking ahead goes one behind the other, so that it needs no more stack than any thread has.
pub const LOOK_AHEAD_DEPTH_MAX: u32 = 160;
/// Answers in one action, one behind the other, of which nobody could see whether they lead on.
pub const UNPROVED_MAX: usize = 256;
/// Ways into one action that turned out to be dead ends.
pub const DEAD_ENDS_MAX: usize = 64;
/// Of these so many before looking ahead takes account of what the player does not see.
pub const DEAD_ENDS_UNSEEN_MAX: usize = 32;
/// Answers without proof of one action that can be gone back to.
pub const MARKED_MAX: usize = 4_096;
/// `may`s that begin with one another.
pub const MAYS_MAX: u32 = 64;
/// Answers one decision may offer.
pub const ANSWERS_MAX: usize = 1 << 16;
/// Parts one question may look at.
pub const PARTS_LOOKED_AT_MAX: u32 = 1 << 19;
/// Elements of a zone of whose kinds there are more than 64, if its parts are to be listed.
pub const LARGE_PARTS_MAX: usize = 256;
/// Pieces that lie unseen in bags and are made up anew before a bot thinks.
pub const UNSEEN_MAX: i64 = 1 << 14;
/// Elements that are listed at once: for `each`, to be sorted or cut.
pub const COLLECTED_MAX: usize = 1 << 18;
/// Words the state may have.
pub const STATE_WORDS_MAX: u32 = 1 << 20;
/// Words of a container that an expression makes on the way.
pub const MADE_WORDS_MAX: usize = 1 << 14;
/// Bindings one `always`, `check`, `when` or network may have: combinations of the elements behind its `for`.
pub const BINDINGS_MAX: u64 = 1 << 18;
/// Combinations of elements that are told apart to find out which cells an expression depends on; else all count.
pub const SPREAD_MAX: usize = 1 << 18;
/// Work that may be done for what is computed when the rules are loaded.
pub const LOADING_WORK_MAX: i64 = 100_000_000;
/// Partial walks one search for a best walk may follow.
pub const WALK_STEPS_SEARCHED_MAX: u32 = 2_000_000;
/// Steps of the longest walk that is looked for where no `up to` bounds it.
pub const WALK_STEPS_MAX: u32 = 1024;
/// Cases that looking for the best walks at once may open.
pub const WALKS_CASES_MAX: u32 = 20_000;
/// Walks that are looked for at once.
pub const WALKS_AT_ONCE_MAX: usize = 64;
/// Cases that looking for one longest trail may open.
pub const TRAIL_CASES_MAX: u32 = 20_000;
/// Numbers from the least to the greatest case of a `match`, and such combinations of a look-up's keys.
pub const TABULATED_MAX: usize = 1 << 18;
/// Elements that a list or deck has room for in any case, where no bound is declared.
pub const LIST_ROOM_MAX: u32 = 64;
/// Elements that a loop has room for, where it is not known before how many there are.
pub const EACH_UNKNOWN_MAX: u32 = 256;
/// Elements of one loop.
pub const EACH_ROOM_MAX: u32 = 1 << 13;
/// Entries an agenda can hold.
pub const AGENDA_MAX: usize = 64;
/// Answers on one way, one behind the other, where ways to play on are counted.
pub const WAY_ANSWERS_MAX: usize = 1_000;
/// Different positions that are told apart while ways are counted.
pub const COUNTED_POSITIONS_MAX: u64 = 1 << 25;
/// Cells of which looking ahead from an agenda tells apart what they are wanted for; a bag counts twice.
pub const TOLD_APART_CELLS_MAX: usize = 128;
/// Words of frames and temporaries above the state's fixed part.
pub const STACK_WORDS_MAX: usize = 1 << 16;

/// Answers a game of bots may take, those that answered themselves included.
pub const PLAYOUT_ANSWERS_MAX: u32 = 20_000;
/// Answers that the set-up of a scenario may take.
pub const SET_UP_ANSWERS_MAX: usize = 10_000;
/// Answers of one `until` of a scenario.
pub const UNTIL_ANSWERS_MAX: usize = 2_000;

/// All of them by name, for the reference.
pub const ALL: &[(&str, i64)] = &[
    ("STEPS_PER_ANSWER_MAX", STEPS_PER_ANSWER_MAX as i64),
    ("WORK_PER_ANSWER_MAX", WORK_PER_ANSWER_MAX),
    ("LOOK_AHEAD_WORK_MAX", LOOK_AHEAD_WORK_MAX),
    ("PROBE_ANSWERS_MAX", PROBE_ANSWERS_MAX as i64),
    ("OTHERS_SHARE", OTHERS_SHARE as i64),
    ("LOOK_AHEAD_DEPTH_MAX", LOOK_AHEAD_DEPTH_MAX as i64),
    ("UNPROVED_MAX", UNPROVED_MAX as i64),
    ("DEAD_ENDS_MAX", DEAD_ENDS_MAX as i64),
    ("DEAD_ENDS_UNSEEN_MAX", DEAD_ENDS_UNSEEN_MAX as i64),
    ("MARKED_MAX", MARKED_MAX as i64),
    ("MAYS_MAX", MAYS_MAX as i64),
    ("ANSWERS_MAX", ANSWERS_MAX as i64),
    ("PARTS_LOOKED_AT_MAX", PARTS_LOOKED_AT_MAX as i64),
    ("LARGE_PARTS_MAX", LARGE_PARTS_MAX as i64),
    ("UNSEEN_MAX", UNSEEN_MAX),
    ("COLLECTED_MAX", COLLECTED_MAX as i64),
    ("STATE_WORDS_MAX", STATE_WORDS_MAX as i64),
    ("MADE_WORDS_MAX", MADE_WORDS_MAX as i64),
    ("BINDINGS_MAX", BINDINGS_MAX as i64),
    ("SPREAD_MAX", SPREAD_MAX as i64),
    ("LOADING_WORK_MAX", LOADING_WORK_MAX),
    ("WALK_STEPS_SEARCHED_MAX", WALK_STEPS_SEARCHED_MAX as i64),
    ("WALK_STEPS_MAX", WALK_STEPS_MAX as i64),
    ("WALKS_CASES_MAX", WALKS_CASES_MAX as i64),
    ("WALKS_AT_ONCE_MAX", WALKS_AT_ONCE_MAX as i64),
    ("TRAIL_CASES_MAX", TRAIL_CASES_MAX as i64),
    ("TABULATED_MAX", TABULATED_MAX as i64),
    ("LIST_ROOM_MAX", LIST_ROOM_MAX as i64),
    ("EACH_UNKNOWN_MAX", EACH_UNKNOWN_MAX as i64),
    ("EACH_ROOM_MAX", EACH_ROOM_MAX as i64),
    ("AGENDA_MAX", AGENDA_MAX as i64),
    ("WAY_ANSWERS_MAX", WAY_ANSWERS_MAX as i64),
    ("COUNTED_POSITIONS_MAX", COUNTED_POSITIONS_MAX as i64),
    ("TOLD_APART_CELLS_MAX", TOLD_APART_CELLS_MAX as i64),
    ("STACK_WORDS_MAX", STACK_WORDS_MAX as i64),
    ("PLAYOUT_ANSWERS_MAX", PLAYOUT_ANSWERS_MAX as i64),
    ("SET_UP_ANSWERS_MAX", SET_UP_ANSWERS_MAX as i64),
    ("UNTIL_ANSWERS_MAX", UNTIL_ANSWERS_MAX as i64),
];
