//! Strategies: what bots play by that rule sets have made for themselves.

use super::ProcId;

/// A strategy, line by line.
#[derive(Clone, Debug)]
pub struct StrategyCode {
    pub name: String,
    /// Where the code of an action ends, the action, and what each time it was done counts for.
    pub of_actions: Vec<(u32, ProcId, PreferenceCode)>,
    /// What a position counts for.
    pub of_positions: Vec<PreferenceCode>,
}

/// A line of a strategy.
#[derive(Clone, Copy, Debug)]
pub struct PreferenceCode {
    /// A formula of the player, of an action with its parameters.
    pub proc: ProcId,
    /// It counts against.
    pub avoid: bool,
}

impl PreferenceCode {
    /// A sum with this line's value.
    pub(crate) fn counted(&self, sum: i64, value: i32) -> i64 {
        match self.avoid {
            true => sum.saturating_sub(i64::from(value)),
            false => sum.saturating_add(i64::from(value)),
        }
    }
}
