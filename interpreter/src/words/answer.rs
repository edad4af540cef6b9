//! Answers as text: the canonical spelling.

use super::{Words, is_word, quoted, set_items};
use crate::machine::{Answer, AnswerKind, Machine};
use crate::program::*;
use dsl::ir::{self, Domain, Ty};
use dsl::source::{FileId, Span};

/// What spelled answers have for a place.
const NOWHERE: Span = Span {
    file: FileId(0),
    start: 0,
    end: 0,
};

fn make(kind: ir::AnswerKind) -> ir::Answer {
    ir::Answer {
        kind,
        span: NOWHERE,
    }
}

fn word(text: impl Into<String>) -> ir::Answer {
    make(ir::AnswerKind::Word(text.into()))
}

fn number(n: i32) -> ir::Answer {
    make(ir::AnswerKind::Number(n.into()))
}

/// An answer as it is written.
pub fn print(answer: &ir::Answer) -> String {
    let list = |answers: &[ir::Answer]| {
        let parts: Vec<String> = answers.iter().map(print).collect();
        parts.join(", ")
    };
    match &answer.kind {
        ir::AnswerKind::Word(text) => {
            let mut parts = text.split('-');
            let plain = parts.all(|part| is_word(part) || part.bytes().all(|b| b.is_ascii_digit()))
                && text.starts_with(|c: char| c.is_ascii_alphabetic());
            if plain || is_word(text) || is_call(text) {
                text.clone()
            } else {
                quoted(text)
            }
        }
        ir::AnswerKind::Number(n) => n.to_string(),
        ir::AnswerKind::Call(name, args) => format!("{name}({})", list(args)),
        ir::AnswerKind::Set(items) => format!("{{{}}}", list(items)),
        ir::AnswerKind::List(items) => format!("[{}]", list(items)),
        ir::AnswerKind::Bag(items) => {
            let parts: Vec<String> = items
                .iter()
                .map(|(kind, count)| format!("{}: {count}", print(kind)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
    }
}

/// `cash(100)`: a name and one pair of brackets behind it, so that nobody can take it for several answers.
pub(super) fn is_call(text: &str) -> bool {
    let Some((name, rest)) = text.split_once('(') else {
        return false;
    };
    let mut open = 1;
    let mut letters = rest.chars();
    for c in letters.by_ref() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            '"' => return false,
            c if c.is_control() => return false,
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
    is_word(name) && open == 0 && letters.next().is_none()
}

/// An argument of an agenda's entry.
pub(super) struct Given<'w> {
    /// Number of its parameter.
    pub index: usize,
    pub ty: &'w Ty,
    /// Of a container.
    pub shape: Option<Shape>,
    pub words: &'w [i32],
}

impl<'a> Words<'a> {
    /// The canonical spelling of an answer offered where the machine stands.
    pub fn answer(&self, machine: &Machine<'_>, answer: &Answer) -> String {
        print(&self.spell(machine, answer))
    }

    /// All answers offered, in order; equal ones are told apart.
    pub fn answers(&self, machine: &Machine<'_>) -> Vec<String> {
        let offered = machine.answers();
        (0..offered.len())
            .map(|at| self.answer(machine, &offered.get(at)))
            .collect()
    }

    /// Whether another answer of the same decision could be written in the same way.
    pub(crate) fn may_be_called_as_another(
        &self,
        machine: &Machine<'_>,
        answer: &Answer,
        text: &str,
    ) -> bool {
        let is_anytime = |name: &str| self.program.anytime.iter().any(|one| one.2 == name);
        match answer.kind {
            AnswerKind::Element => {
                let ty = self.question_ty(machine);
                text == "done"
                    || is_anytime(text)
                    || ty.is_some_and(|ty| self.shares_its_name(&ty, answer.value))
            }
            // The same entry with other arguments open, the same alternative in a menu, several links to one place.
            AnswerKind::Entry | AnswerKind::Anytime | AnswerKind::Step => true,
            AnswerKind::Together => {
                let choices = self.choices_at(machine);
                let mut chosen = choices.iter().zip(&answer.words);
                chosen.any(|(choice, value)| self.shares_its_name(&choice.ty, *value))
            }
            AnswerKind::Done
            | AnswerKind::Go
            | AnswerKind::Yes
            | AnswerKind::Item
            | AnswerKind::Part => false,
        }
    }

    /// A row that is called like another one.
    fn shares_its_name(&self, ty: &Ty, value: i32) -> bool {
        let Ty::Element(Domain::Table(table)) = ty.required() else {
            return false;
        };
        let rows = &self.rules.tables[table.index()].rows;
        let own = rows.get(usize::try_from(value).unwrap_or(usize::MAX));
        let alike = |row: &&ir::Row| own.is_some_and(|own| own.name == row.name);
        rows.iter().filter(alike).count() > 1
    }

    /// The answer as it would be written.
    pub fn spell(&self, machine: &Machine<'_>, answer: &Answer) -> ir::Answer {
        match answer.kind {
            AnswerKind::Done => word("done"),
            AnswerKind::Go => word("go_on"),
            AnswerKind::Yes => word(self.yes_name(machine)),
            AnswerKind::Anytime => word(
                self.program
                    .anytime
                    .get(answer.value as usize)
                    .map_or("?", |a| a.2.as_str()),
            ),
            AnswerKind::Item => word(self.item_name(machine, answer.value).unwrap_or("?")),
            AnswerKind::Element => match self.question_ty(machine) {
                Some(ty) => self.spell_scalar(&ty, answer.value),
                None => number(answer.value),
            },
            AnswerKind::Part => self.spell_part(machine, &answer.words),
            AnswerKind::Together => {
                let choices = self.choices_at(machine);
                let chosen = choices.iter().zip(&answer.words);
                let spelled = chosen.map(|(choice, value)| self.spell_scalar(&choice.ty, *value));
                make(ir::AnswerKind::List(spelled.collect()))
            }
            AnswerKind::Entry => self.entry(&answer.words),
            AnswerKind::Step => self.spell_step(machine, &answer.words),
        }
    }

    fn spell_scalar(&self, ty: &Ty, value: i32) -> ir::Answer {
        match ty.required() {
            _ if value == NONE => word("none"),
            Ty::Int { .. } => number(value),
            Ty::Element(domain) => self.spell_element(*domain, value),
            _ => word(self.scalar(ty, value)),
        }
    }

    fn spell_element(&self, domain: Domain, value: i32) -> ir::Answer {
        match domain {
            Domain::Int { .. } => number(value),
            Domain::Cell => match self.coordinates(value) {
                Some((row, column)) => make(ir::AnswerKind::Call(
                    "cell".into(),
                    vec![number(row), number(column)],
                )),
                None => word("nowhere"),
            },
            Domain::Part(table) => match self.part_place(table, value) {
                Some((position, at)) => make(ir::AnswerKind::Call(
                    "part".into(),
                    vec![
                        self.spell_element(self.positions(), position),
                        number(at + 1),
                    ],
                )),
                None => word("none"),
            },
            _ => {
                let name = self.element(domain, value);
                match name.parse::<i64>() {
                    // A name such as `008` is no number, it only looks like one.
                    Ok(n) if n.to_string() == name => make(ir::AnswerKind::Number(n)),
                    _ => word(name),
                }
            }
        }
    }

    fn spell_part(&self, machine: &Machine<'_>, words: &[i32]) -> ir::Answer {
        let Some((ty, shape)) = self.part_shape(machine) else {
            return word("?");
        };
        let words = words.to_vec();
        self.spell_held(&ty, &super::Held { shape, words })
    }

    fn spell_held(&self, ty: &Ty, held: &super::Held) -> ir::Answer {
        let (shape, words) = (held.shape, &held.words);
        let element = ty.required().element().unwrap_or(Ty::INT);
        match shape {
            Shape::Bag { n, low } => {
                let items = (0..n as usize)
                    .filter(|at| words.get(*at).is_some_and(|count| *count > 0))
                    .map(|at| {
                        let kind = self.spell_scalar(&element, low + at as i32);
                        (kind, i64::from(words[at]))
                    });
                make(ir::AnswerKind::Bag(items.collect()))
            }
            Shape::Set { n, low } => {
                let items = set_items(words, n, low).map(|w| self.spell_scalar(&element, w));
                make(ir::AnswerKind::Set(items.collect()))
            }
            Shape::List { deck, .. } => {
                let items = list_items(words, deck).map(|w| self.spell_scalar(&element, w));
                make(ir::AnswerKind::List(items.collect()))
            }
            _ => word("?"),
        }
    }

    /// An agenda's entry without its mode: body, given arguments, arguments.
    pub(crate) fn entry(&self, words: &[i32]) -> ir::Answer {
        let [proc, given, args @ ..] = words else {
            return word("?");
        };
        let Some(proc) = self.program.procs.get(*proc as usize) else {
            return word("?");
        };
        let ProcKind::Action(action) = proc.kind else {
            return word(proc.name.clone());
        };
        if *given <= 0 {
            return word(proc.name.clone());
        }
        let args = self.entry_args(action, *given, args);
        make(ir::AnswerKind::Call(
            proc.name.clone(),
            args.into_iter().map(|(_, arg)| arg).collect(),
        ))
    }

    /// Given arguments of an entry with the number of their parameter.
    pub(super) fn entry_args(
        &self,
        action: ir::ActionId,
        given: i32,
        words: &[i32],
    ) -> Vec<(usize, ir::Answer)> {
        let spelled = |arg: Given| match arg.shape {
            Some(shape) => {
                let words = arg.words.to_vec();
                self.spell_held(arg.ty, &super::Held { shape, words })
            }
            None => {
                let value = arg.words.first().copied().unwrap_or(NONE);
                self.spell_scalar(arg.ty, value)
            }
        };
        let args = self.given_args(action, given, words);
        args.into_iter()
            .map(|arg| (arg.index, spelled(arg)))
            .collect()
    }

    /// Arguments that were given when an entry was made.
    pub(super) fn given_args<'w>(
        &self,
        action: ir::ActionId,
        given: i32,
        words: &'w [i32],
    ) -> Vec<Given<'w>>
    where
        'a: 'w,
    {
        let action = &self.rules.actions[action.index()];
        let proc = self
            .program
            .action_procs
            .get(self.action_index(&action.name));
        let mut at = 0;
        let mut found = Vec::new();
        for (index, param) in action.params.iter().enumerate() {
            if given >> index & 1 == 0 {
                continue;
            }
            let ty = &action.code.locals[param.local.index()].ty;
            let size = proc
                .and_then(|proc| self.program.procs[proc.at()].params.get(index))
                .map_or(1, |param| param.1 as usize);
            let words = words.get(at..at + size).unwrap_or_default();
            at += size;
            let holds = ty.required().is_container();
            found.push(Given {
                index,
                ty,
                shape: holds.then(|| self.local_shape(ty, size)),
                words,
            });
        }
        found
    }

    fn action_index(&self, name: &str) -> usize {
        let actions = &self.rules.actions;
        actions.iter().position(|a| a.name == name).unwrap_or(0)
    }

    /// The shape of a container argument of so many words.
    pub(super) fn local_shape(&self, ty: &Ty, words: usize) -> Shape {
        match ty.required() {
            Ty::Set(domain) => Shape::Set {
                n: words as u32 * 32,
                low: domain_low(*domain),
            },
            Ty::Bag(domain) => Shape::Bag {
                n: words as u32,
                low: domain_low(*domain),
            },
            Ty::Row(_) => Shape::Row { n: words as u32 },
            _ => Shape::List {
                deck: matches!(ty, Ty::Deck(_)),
                cap: words.saturating_sub(1) as u32,
            },
        }
    }

    fn spell_step(&self, machine: &Machine<'_>, words: &[i32]) -> ir::Answer {
        let [link, next, ..] = words else {
            return word("?");
        };
        match self.ground(machine) {
            Some(ir::NetworkGround::Links { table, .. }) => {
                self.spell_element(Domain::Table(*table), *link)
            }
            Some(ir::NetworkGround::Joins { part, .. }) => self.spell_element(*part, *next),
            None => word("?"),
        }
    }

    pub(super) fn ground(&self, machine: &Machine<'_>) -> Option<&ir::NetworkGround> {
        self.ground_at(machine.pc)
    }

    /// What the walk goes over that takes its next step here.
    pub(super) fn ground_at(&self, pc: usize) -> Option<&ir::NetworkGround> {
        let Op::WalkPick { walk, .. } = self.program.code[pc] else {
            return None;
        };
        let network = self.program.walks[walk.at()].network as usize;
        self.rules.networks.get(network).map(|n| &n.ground)
    }
}

fn domain_low(domain: Domain) -> i32 {
    match domain {
        Domain::Int { low, .. } => low,
        _ => 0,
    }
}
