//! Questions about a state from outside the rules, answered as far as a seat can see.

use crate::Program;
use crate::lower::LowerError;
use crate::lower::append::{Appended, Extra, append};
use crate::machine::look::NoValue;
use crate::machine::{Fault, Halt, Loc, Machine};
use crate::observe::{Observation, Observer, Seen};
use crate::program::{BinderId, NONE, Node, NodeId, Shape, Slot};
use crate::state::State;
use crate::words::{Held, Words};
use dsl::bounds::SHOWN_MAX;
use dsl::ir::{Binder, Code, Domain, Expr, RuleSet, TableId, Ty};
use dsl::source::SourceSet;
use std::collections::BTreeMap;

/// An expression added to a program. Its parameters are the first locals of its code.
#[derive(Clone, Debug)]
pub struct Question {
    /// What the expression comes to.
    pub ty: Ty,
    node: NodeId,
    frame: Frame,
}

/// Names to go through, each depending on those before it.
#[derive(Clone, Debug)]
pub struct Loop {
    binders: Vec<(BinderId, u32)>,
    frame: Frame,
}

#[derive(Clone, Debug)]
struct Frame {
    /// Offsets of the parameters.
    parameters: Vec<u32>,
    words: u32,
}

impl Frame {
    fn new(appended: &Appended, parameters: usize) -> Frame {
        Frame {
            parameters: appended.locals.iter().copied().take(parameters).collect(),
            words: appended.frame_words,
        }
    }
}

impl Question {
    /// Adds an expression whose first `parameters` locals are given with each question. States of the program before fit it.
    ///
    /// # Errors
    /// If it asks for chance or histories.
    pub fn new(
        rules: &RuleSet,
        program: &mut Program,
        (expr, code): &(Expr, Code),
        parameters: usize,
    ) -> Result<Question, LowerError> {
        let extra = Extra {
            exprs: vec![expr],
            ..Extra::default()
        };
        let appended = append(rules, program, code, &extra)?;
        Ok(Question {
            ty: expr.ty.clone(),
            node: appended.exprs[0],
            frame: Frame::new(&appended, parameters),
        })
    }

    /// Whether it holds where a machine stands, all being open; where it has no value it does not.
    ///
    /// # Errors
    /// The rules cannot go on in it.
    pub(crate) fn holds(&self, machine: &mut Machine<'_>) -> Result<bool, Fault> {
        machine.halt = Halt::No;
        let value = machine.in_frame(self.frame.words, |machine| machine.ev(self.node));
        match machine.no_value(value) {
            Ok(value) => Ok(value == 1),
            Err(NoValue::Missing(_) | NoValue::Unseen) => Ok(false),
            Err(NoValue::Fault(span, message)) => Err(Fault {
                span,
                message,
                unmet: None,
                rule: None,
            }),
        }
    }
}

impl Loop {
    /// Adds names to go through; parameters as for [`Question::new`].
    ///
    /// # Errors
    /// If they ask for chance or histories.
    pub fn new(
        rules: &RuleSet,
        program: &mut Program,
        (binders, code): &(Vec<Binder>, Code),
        parameters: usize,
    ) -> Result<Loop, LowerError> {
        let extra = Extra {
            binders: binders.iter().collect(),
            ..Extra::default()
        };
        let appended = append(rules, program, code, &extra)?;
        let locals = binders
            .iter()
            .map(|binder| appended.locals[binder.local.index()]);
        Ok(Loop {
            binders: appended.binders.iter().copied().zip(locals).collect(),
            frame: Frame::new(&appended, parameters),
        })
    }
}

/// Whose eyes a state is looked at with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eyes {
    /// Everything is open.
    Open,
    /// A seat, or somebody who has none.
    Of(Option<u32>),
}

/// A zone: which slot of which cell, and what is seen of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    /// The cell that it is.
    pub cell: Slot,
    /// Which of the cell's slots: 0 where it has no index.
    pub slot: u32,
    /// What the viewer sees of it.
    pub seen: Seen,
}

/// A state as somebody sees it.
pub struct View<'a> {
    /// The words of the rules, for values and names.
    pub words: Words<'a>,
    machine: Machine<'a>,
    /// None: everything is open.
    observation: Option<Observation>,
}

impl<'a> View<'a> {
    /// The state is one of the program, or of the program that questions were added to.
    pub fn new(rules: &'a RuleSet, program: &'a Program, state: &State, eyes: Eyes) -> View<'a> {
        let mut machine = Machine::new(program);
        let observation = match eyes {
            Eyes::Open => None,
            Eyes::Of(seat) => {
                let observer = Observer::new(program);
                let observation = observer.observe(state, seat);
                machine.restore(&observer.veiled(state, &observation));
                Some(observation)
            }
        };
        if observation.is_none() {
            machine.restore(state);
        }
        View {
            words: Words::new(rules, program),
            machine,
            observation,
        }
    }

    /// With the texts, so that reasons name places.
    pub fn with_sources(mut self, sources: &'a SourceSet) -> View<'a> {
        self.words = self.words.with_sources(sources);
        self
    }

    /// Whose eyes it is seen with; none: everybody's, or nobody's.
    pub fn viewer(&self) -> Option<u32> {
        self.observation.as_ref().and_then(|seen| seen.seat)
    }

    /// The seat that is asked; none when the game is over.
    pub fn asked(&self) -> Option<u32> {
        (!self.machine.is_over()).then(|| self.machine.seat())
    }

    /// How the game has ended, in a sentence; none while it goes on.
    pub fn ending(&mut self) -> Option<String> {
        (self.machine.is_over()).then(|| self.words.end(&mut self.machine))
    }

    /// The value; none if it is not seen, or if something in it is none.
    pub fn value(&mut self, question: &Question, arguments: &[i32]) -> Option<Held> {
        self.held(question, arguments).ok()
    }

    /// Whether there is no value because something in it is none, not because it is not seen.
    pub fn is_missing(&mut self, question: &Question, arguments: &[i32]) -> bool {
        matches!(self.held(question, arguments), Err(NoValue::Missing(_)))
    }

    /// The value in words.
    ///
    /// # Errors
    /// Why there is none, in a sentence.
    pub fn text(&mut self, question: &Question, arguments: &[i32]) -> Result<String, String> {
        match self.held(question, arguments) {
            Ok(held) => Ok(self.words.value(&question.ty, &held)),
            Err(none) => Err(self.words.no_value(&none)),
        }
    }

    fn held(&mut self, question: &Question, arguments: &[i32]) -> Result<Held, NoValue> {
        let node = question.node;
        self.ask(&question.frame, arguments, |machine| {
            machine.held_or_halt(node)
        })
    }

    /// What the names can stand for together, in order, each as the words of the names; no more than a board shows.
    pub fn each(&mut self, names: &Loop, arguments: &[i32]) -> Vec<Vec<i32>> {
        let found = self.ask(&names.frame, arguments, |machine| {
            let mut found = Vec::new();
            each(machine, &names.binders, &mut Vec::new(), &mut found);
            found
        });
        found.unwrap_or_default()
    }

    /// The zone an expression names; none if it is the value of no cell.
    pub fn zone(&mut self, question: &Question, arguments: &[i32]) -> Option<Zone> {
        let (cell, slot) = match self.machine.p.shapes[question.node.at()] {
            Shape::Scalar => return None,
            _ => self.place(question, arguments)?,
        };
        let seen = match &self.observation {
            Some(observation) => observation.cells[cell.at()][slot as usize].clone(),
            None => {
                let layout = &self.machine.p.cells[cell.at()];
                let base = (layout.base + slot * layout.words) as usize;
                Seen::Open(self.machine.m[base..base + layout.words as usize].to_vec())
            }
        };
        Some(Zone { cell, slot, seen })
    }

    /// The cell, and which of its slots, whose value an expression is; none if it is that of no cell.
    pub fn place(&mut self, question: &Question, arguments: &[i32]) -> Option<(Slot, u32)> {
        let node = question.node;
        let place = |machine: &mut Machine<'_>| {
            let program = machine.p;
            match program.nodes[node.at()] {
                Node::Cell(slot, indices) => machine.slot_word(slot, indices),
                _ if program.shapes[node.at()] == Shape::Scalar => None,
                _ => match machine.loc(node) {
                    Loc::State(word) => Some(word),
                    _ => None,
                },
            }
        };
        let word = self.ask(&question.frame, arguments, place).ok()??;
        let (cell, slot, _) = self.words.cell_of(u32::try_from(word).ok()?)?;
        Some((cell, slot))
    }

    /// The rows of a table that lie in cells of the state, by their words, and how many of each.
    pub fn lying(&self, table: TableId) -> BTreeMap<i32, u32> {
        let mut found = BTreeMap::new();
        for (slot, index) in self.words.slots() {
            let ty = self.words.rules.cells[slot.at()].ty.required();
            let one = ty.element().unwrap_or_else(|| ty.clone());
            if *one.required() != Ty::Element(Domain::Table(table)) {
                continue;
            }
            let held = self.words.slot_value(&self.machine, slot, index);
            for (piece, count) in self.pieces(&held) {
                if piece >= 0 {
                    *found.entry(piece).or_insert(0) += u32::try_from(count).unwrap_or(0);
                }
            }
        }
        found
    }

    /// The pieces of a value in order, each with how many of it lie there; gaps of a row are [`NONE`].
    pub fn pieces(&self, held: &Held) -> Vec<(i32, i32)> {
        crate::observe::pieces(held.shape, &held.words)
    }

    /// The pieces of a zone as far as they are seen, [`crate::program::UNKNOWN`] for the others; the uppermost comes last.
    pub fn pieces_of(&self, zone: &Zone) -> Vec<(i32, i32)> {
        let unseen = |count: i32| match count {
            ..=0 => Vec::new(),
            _ => vec![(crate::program::UNKNOWN, count)],
        };
        match &zone.seen {
            Seen::Open(words) => {
                crate::observe::pieces(self.machine.p.cells[zone.cell.at()].shape, words)
            }
            Seen::Shown(pieces) => pieces.clone(),
            Seen::Top { size, top } => {
                let mut pieces = unseen(*size - i32::from(top.is_some()));
                pieces.extend(top.map(|top| (top, 1)));
                pieces
            }
            Seen::Size(size) => unseen(*size),
            Seen::Nothing => Vec::new(),
        }
    }

    /// The row that a part on the tiling is.
    pub fn row_of_part(&self, table: TableId, part: i32) -> i32 {
        let parts = self.machine.tiling(|tiling| {
            let mut parts = tiling.parts.iter();
            parts.position(|part| part.table == table)
        });
        parts.map_or(NONE, |parts| self.machine.row_of_part(part, parts))
    }

    fn ask<T>(
        &mut self,
        frame: &Frame,
        arguments: &[i32],
        run: impl FnOnce(&mut Machine<'a>) -> T,
    ) -> Result<T, NoValue> {
        let machine = &mut self.machine;
        machine.halt = Halt::No;
        let inside = |machine: &mut Machine<'a>| {
            machine.in_frame(frame.words, |machine| {
                for (offset, word) in frame.parameters.iter().zip(arguments) {
                    let at = machine.fp + *offset as usize;
                    machine.m[at] = *word;
                }
                let value = run(machine);
                machine.no_value(value)
            })
        };
        // Looking ahead, what is unseen is not mistaken for something that is not there.
        match self.observation {
            None => inside(machine),
            Some(_) => machine.ahead(inside),
        }
    }
}

/// False once there are enough.
fn each(
    machine: &mut Machine<'_>,
    binders: &[(BinderId, u32)],
    before: &mut Vec<i32>,
    found: &mut Vec<Vec<i32>>,
) -> bool {
    let Some(((binder, local), rest)) = binders.split_first() else {
        found.push(before.clone());
        return found.len() < SHOWN_MAX;
    };
    let mut going = true;
    machine.scan(*binder, |machine, value, count| {
        before.push(value);
        for _ in 0..count {
            machine.m[machine.fp + *local as usize] = value;
            going = going && each(machine, rest, before, found);
            if !going {
                break;
            }
        }
        before.pop();
        going
    });
    going
}
