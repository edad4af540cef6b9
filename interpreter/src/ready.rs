//! A rule set made ready for a number of players: its flat form, and what the machine and others make of that once.

use crate::lower::append::Kept;
use crate::machine::form::Form;
use crate::observe::{Copied, Locals, copies};
use crate::program::{Flat, Op};
use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

/// See the module. Made by [`crate::lower`], read-only afterwards.
#[derive(Clone, Debug)]
pub struct Program {
    pub(crate) flat: Flat,
    /// How each node is evaluated.
    pub(crate) forms: Vec<Form>,
    /// How far what locals hold may be seen: found when it is first asked for.
    secrets: OnceLock<Locals>,
    /// Which slots show what lies in others: found when somebody first thinks of what he does not see.
    copies: OnceLock<Vec<Copied>>,
    /// What lowering knows of tables, for expressions added later.
    pub(crate) kept: Kept,
}

/// What is to be answered at an instruction, as the rules call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked<'p> {
    /// One of these items of a menu.
    OneOf(Vec<&'p str>),
    /// An element, or parts of something, for a choice or a parameter of this name.
    Choice(&'p str),
    /// Something without a name: whether to do it, where to go on, what of an agenda comes next.
    Other,
}

impl Program {
    /// What is to be answered where a machine stands ([`Machine::position`](crate::Machine::position)).
    pub fn asked(&self, pc: usize) -> Asked<'_> {
        match self.code.get(pc) {
            Some(Op::OneOf(menu)) => {
                let items = &self.menus[*menu as usize].items;
                Asked::OneOf(items.iter().map(|item| item.name.as_str()).collect())
            }
            Some(Op::Choose(choice) | Op::Param { choice, .. }) => {
                Asked::Choice(&self.choices[*choice as usize].name)
            }
            _ => Asked::Other,
        }
    }

    pub(crate) fn new(flat: Flat) -> Program {
        Program {
            flat,
            forms: Vec::new(),
            secrets: OnceLock::new(),
            copies: OnceLock::new(),
            kept: Kept::default(),
        }
    }

    /// How far what locals hold may be seen.
    pub(crate) fn secrets(&self) -> &Locals {
        self.secrets.get_or_init(|| Locals::of(self))
    }

    /// Which slots show what lies in others that some cannot see.
    pub(crate) fn copies(&self) -> &[Copied] {
        self.copies.get_or_init(|| copies(self))
    }
}

impl Deref for Program {
    type Target = Flat;

    #[inline]
    fn deref(&self) -> &Flat {
        &self.flat
    }
}

impl DerefMut for Program {
    fn deref_mut(&mut self) -> &mut Flat {
        &mut self.flat
    }
}
