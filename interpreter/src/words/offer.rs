//! Answers as people read them.

use super::speech::Chosen;
use super::{Held, Words};
use crate::machine::{Answer, AnswerKind, Machine};
use crate::program::*;
use dsl::ir::{
    self, ActionId, CellOwner, DeedId, Domain, NetworkGround, Numbered, Phrase, PhrasePart, Saying,
    Ty,
};
use std::collections::BTreeMap;

/// An answer in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offer {
    /// No two of a decision are alike.
    pub text: String,
    /// What one must know of it.
    pub details: String,
}

impl Words<'_> {
    /// All answers offered, in words.
    pub fn offers(&self, machine: &Machine<'_>) -> Vec<Offer> {
        let offered = machine.answers();
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let offers = (0..offered.len()).map(|at| {
            let answer = (offered.kind(at), offered.value(at), offered.words(at));
            let mut offer = self.offer(machine, answer);
            let before = seen.entry(offer.text.clone()).or_default();
            *before += 1;
            if *before > 1 {
                offer.text = format!("{} #{before}", offer.text);
            }
            offer
        });
        offers.collect()
    }

    /// An answer to what is asked, offered or not.
    pub fn offer_of(&self, machine: &Machine<'_>, answer: &Answer) -> Offer {
        self.offer(machine, (answer.kind, answer.value, &answer.words))
    }

    fn offer(
        &self,
        machine: &Machine<'_>,
        (kind, value, words): (AnswerKind, i32, &[i32]),
    ) -> Offer {
        let asked = machine.asked_pc();
        let plain = |text: String| Offer {
            text,
            details: String::new(),
        };
        match kind {
            AnswerKind::Done => plain(self.decline_here(machine)),
            AnswerKind::Yes => plain(match self.begun(machine.pc) {
                Some(deed) => self.begun_called_of(machine, deed, None),
                None => {
                    let effect = self.effect_run_called(machine);
                    effect.unwrap_or_else(|| self.say(Saying::Yes, &[]))
                }
            }),
            AnswerKind::Element => {
                let choice = self.choice_of(asked);
                let Some(choice) = choice else {
                    return plain(value.to_string());
                };
                let deed = self.speech().asked.get(&choice.span).copied();
                Offer {
                    text: self.said_of(choice, value),
                    details: match self.lies_at(machine, choice, value, deed) {
                        Some(piece) => piece,
                        None => self.details_of(machine, &choice.ty, value, deed),
                    },
                }
            }
            AnswerKind::Together => {
                let choice = self.choice_of(asked);
                let deed = choice.and_then(|choice| self.speech().asked.get(&choice.span).copied());
                let details = self.chosen_at(asked, (kind, value, words));
                let details = details
                    .iter()
                    .take(1)
                    .map(|chosen| self.details_of(machine, &chosen.ty, chosen.held.word(), deed));
                Offer {
                    details: details.collect(),
                    text: self.answer_at(asked, (kind, value, words)),
                }
            }
            AnswerKind::Item => plain(match self.deed_at(asked, kind, value) {
                // Behind a `may` its frame has not been entered yet.
                Some(deed) if asked == machine.pc => {
                    self.begun_called_of(machine, deed, Some(value))
                }
                _ => self.answer_at(asked, (kind, value, words)),
            }),
            AnswerKind::Part
            | AnswerKind::Anytime
            | AnswerKind::Entry
            | AnswerKind::Go
            | AnswerKind::Step => plain(self.answer_at(asked, (kind, value, words))),
        }
    }

    /// What lies at the place of a row that a number stands for, as far as all see it.
    fn lies_at(
        &self,
        machine: &Machine<'_>,
        choice: &ChoiceOp,
        value: i32,
        deed: Option<DeedId>,
    ) -> Option<String> {
        let Some(Numbered::Place(cell)) = self.speech().numbered.get(&choice.span) else {
            return None;
        };
        let slot = Slot(cell.0);
        let layout = &self.program.cells[slot.at()];
        let Shape::Row { .. } = layout.shape else {
            return None;
        };
        if !layout.is_open() || !layout.dims.is_empty() {
            return None;
        }
        let at = usize::try_from(value.checked_sub(1)?).ok()?;
        let held = self.slot_value(machine, slot, 0);
        let piece = *held.words.get(at).filter(|piece| **piece != NONE)?;
        let ty = self.rules.cells[slot.at()].ty.required().element()?;
        let name = self.said(&ty, piece);
        let details = self.details_of(machine, &ty, piece, deed);
        Some(match details.is_empty() {
            true => name,
            false => format!("{name}, {details}"),
        })
    }

    /// What one must know of an element where it is chosen: of a row, and what lies there that the deed looks at.
    fn details_of(
        &self,
        machine: &Machine<'_>,
        ty: &Ty,
        value: i32,
        deed: Option<DeedId>,
    ) -> String {
        let Ty::Element(domain) = *ty.required() else {
            return String::new();
        };
        let of_row = match domain {
            Domain::Table(table) => self.details(table, value, deed),
            Domain::Enum(_)
            | Domain::Player
            | Domain::Cell
            | Domain::Side
            | Domain::Port
            | Domain::Action
            | Domain::Part(_)
            | Domain::Int { .. } => String::new(),
        };
        let holds = self.holds(machine, domain, value, deed);
        let parts = [of_row].into_iter().chain(holds);
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    /// What is in the cells of an element that a deed reads, as far as all see it.
    fn holds(
        &self,
        machine: &Machine<'_>,
        domain: Domain,
        value: i32,
        deed: Option<DeedId>,
    ) -> Vec<String> {
        let deed = deed.and_then(|deed| self.speech().deeds.get(deed.index()));
        let Some(deed) = deed else { return Vec::new() };
        let me = machine.seat() as i32;
        let cells = deed.looks.iter().filter(|cell| {
            let declared = &self.rules.cells[cell.index()];
            let layout = &self.program.cells[cell.index()];
            declared.owner == CellOwner::Each(domain)
                && declared.indices.is_empty()
                && layout.shape == Shape::Scalar
                && layout.is_open()
        });
        let told = cells.filter_map(|cell| {
            let slot = Slot(cell.0);
            let (low, ..) = *self.program.cells[slot.at()].dims.first()?;
            let index = u32::try_from(value - low).ok()?;
            let held = self.slot_value(machine, slot, index);
            let ty = &self.rules.cells[slot.at()].ty;
            let noun = self.cell_noun(slot)?;
            if self.is_empty(slot, &held.words) {
                return None;
            }
            match ty.required() {
                Ty::Element(Domain::Player) if held.word() == me => None,
                Ty::Element(Domain::Player) => {
                    Some(format!("{} {}", noun.one, self.in_words(ty, &held)))
                }
                Ty::Int { .. } => Some(noun.amount(i64::from(held.word()))),
                Ty::Bool => Some(noun.one.clone()),
                _ => Some(self.in_words(ty, &held)),
            }
        });
        told.collect()
    }

    /// An answer to what the instruction asks, in words; of `done` and `yes` what they say alone.
    pub(super) fn answer_at(
        &self,
        asked: usize,
        (kind, value, words): (AnswerKind, i32, &[i32]),
    ) -> String {
        match kind {
            AnswerKind::Done => self.decline(asked),
            AnswerKind::Yes => self.say(Saying::Yes, &[]),
            AnswerKind::Go => self.say(Saying::GoOn, &[]),
            AnswerKind::Element | AnswerKind::Part => {
                match self.chosen_at(asked, (kind, value, words)).first() {
                    Some(chosen) => self.chosen_in_words(asked, chosen),
                    None => value.to_string(),
                }
            }
            AnswerKind::Together => {
                self.together(asked, &self.chosen_at(asked, (kind, value, words)))
            }
            AnswerKind::Item | AnswerKind::Anytime => match self.deed_at(asked, kind, value) {
                Some(deed) => self.speech().deeds[deed.index()].name.clone(),
                None => self.item_text(asked, value),
            },
            AnswerKind::Entry => self.entry_in_words(words),
            AnswerKind::Step => self.step_in_words(asked, words),
        }
    }

    /// Pieces of which there is one each are told with what one must know of them.
    fn chosen_in_words(&self, asked: usize, chosen: &Chosen) -> String {
        let deed = self.choice_of(asked);
        let deed = deed.and_then(|choice| self.speech().asked.get(&choice.span).copied());
        let Some(Ty::Element(Domain::Table(table))) = chosen.ty.required().element() else {
            return self.in_words(&chosen.ty, &chosen.held);
        };
        if self.rules.tables[table.index()].copies.is_some() {
            return self.in_words(&chosen.ty, &chosen.held);
        }
        let pieces = self.pieces(&chosen.held);
        let told = pieces.into_iter().map(|(piece, count)| {
            let name = self.called(Domain::Table(table), piece);
            let details = self.details(table, piece, deed);
            let name = match count {
                1 => name,
                count => format!("{count} {name}"),
            };
            match details.is_empty() {
                true => name,
                false => self.say(Saying::Called, &[("what", &name), ("name", &details)]),
            }
        });
        let told: Vec<String> = told.collect();
        match told.is_empty() {
            true => self.say(Saying::Nothing, &[]),
            false => self.list(&told),
        }
    }

    /// Pieces of a container with their number, in order.
    pub(super) fn pieces(&self, held: &Held) -> Vec<(i32, i32)> {
        match held.shape {
            Shape::Bag { n, low } => {
                let counts = held.words.iter().take(n as usize).zip(low..);
                let counts = counts.filter(|(count, _)| **count > 0);
                counts.map(|(count, piece)| (piece, *count)).collect()
            }
            Shape::Set { n, low } => super::set_items(&held.words, n, low)
                .map(|piece| (piece, 1))
                .collect(),
            Shape::List { .. } => {
                let len = held.words.first().copied().unwrap_or(0).max(0) as usize;
                let items = held.words.iter().skip(1).take(len);
                items.map(|piece| (*piece, 1)).collect()
            }
            Shape::Row { n } => {
                let items = held.words.iter().take(n as usize);
                items
                    .filter(|piece| **piece != NONE)
                    .map(|piece| (*piece, 1))
                    .collect()
            }
            Shape::Scalar => vec![(held.word(), 1)],
            Shape::Agenda { .. } => Vec::new(),
        }
    }

    /// What is chosen at once, as the sentence of its deed has it: `e2–e4`; else one behind the other.
    fn together(&self, asked: usize, chosen: &[Chosen]) -> String {
        let deed = self.choice_of(asked);
        let deed = deed.and_then(|choice| self.speech().asked.get(&choice.span));
        let deed = deed.map(|deed| &self.speech().deeds[deed.index()]);
        let phrase = deed.and_then(|deed| deed.asks.as_ref().or(deed.tells.as_ref()));
        let between = phrase.and_then(|phrase| {
            let is_chosen = |part: &PhrasePart| match part {
                PhrasePart::Text(_) => false,
                PhrasePart::Hole { name, .. } => chosen.iter().any(|one| one.name == *name),
            };
            let from = phrase.parts.iter().position(is_chosen)?;
            let to = phrase.parts.iter().rposition(is_chosen)?;
            let parts = phrase.parts[from..=to].to_vec();
            let holes = parts.iter().filter(|part| is_chosen(part)).count();
            (holes == chosen.len()).then_some(Phrase { parts })
        });
        match between.and_then(|phrase| self.phrase(&phrase, chosen)) {
            Some(text) => text,
            None => {
                let all = self.choices_asked(asked).iter().zip(chosen);
                let all = all.map(|(choice, one)| self.said_of(choice, one.held.word()));
                all.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// What is chosen with an answer, each under its name.
    pub(super) fn chosen_at(
        &self,
        asked: usize,
        (kind, value, words): (AnswerKind, i32, &[i32]),
    ) -> Vec<Chosen> {
        let Some(choice) = self.choice_of(asked) else {
            return Vec::new();
        };
        let one = |choice: &ChoiceOp, held: Held| Chosen {
            name: choice.name.clone(),
            ty: choice.ty.clone(),
            held,
        };
        let scalar = |value: i32| Held {
            shape: Shape::Scalar,
            words: vec![value],
        };
        match kind {
            AnswerKind::Element => vec![one(choice, scalar(value))],
            AnswerKind::Part => {
                let held = Held {
                    shape: self.program.binders[choice.binder.at()].shape,
                    words: words.to_vec(),
                };
                vec![one(choice, held)]
            }
            AnswerKind::Together => {
                let all = self.choices_asked(asked).iter().zip(words);
                all.map(|(choice, word)| one(choice, scalar(*word)))
                    .collect()
            }
            AnswerKind::Item
            | AnswerKind::Done
            | AnswerKind::Yes
            | AnswerKind::Anytime
            | AnswerKind::Entry
            | AnswerKind::Go
            | AnswerKind::Step => Vec::new(),
        }
    }

    /// The choices of all questions that are answered at once with that of an instruction.
    fn choices_asked(&self, asked: usize) -> &[ChoiceOp] {
        match self.program.code[asked] {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                let first = choice as usize;
                let count = self.program.choices[first].at_once as usize;
                &self.program.choices[first..first + count]
            }
            _ => &[],
        }
    }

    pub(super) fn choice_of(&self, asked: usize) -> Option<&ChoiceOp> {
        match self.program.code[asked] {
            Op::Choose(choice) | Op::Param { choice, .. } => {
                self.program.choices.get(choice as usize)
            }
            _ => None,
        }
    }

    /// What an answer begins.
    pub(super) fn deed_at(&self, asked: usize, kind: AnswerKind, value: i32) -> Option<DeedId> {
        let at = usize::try_from(value).ok()?;
        match kind {
            AnswerKind::Item => {
                let Op::OneOf(menu) = self.program.code[asked] else {
                    return None;
                };
                let item = self.program.menus[menu as usize].items.get(at)?;
                self.speech().begun.get(&item.span).copied()
            }
            AnswerKind::Anytime => {
                let name = &self.program.anytime.get(at)?.2;
                let action = self
                    .rules
                    .actions
                    .iter()
                    .position(|one| one.name == *name)?;
                Some(DeedId::of(ActionId(action as u32)))
            }
            AnswerKind::Element
            | AnswerKind::Part
            | AnswerKind::Together
            | AnswerKind::Done
            | AnswerKind::Yes
            | AnswerKind::Entry
            | AnswerKind::Go
            | AnswerKind::Step => None,
        }
    }

    /// What a `may` begins.
    pub(super) fn begun(&self, pc: usize) -> Option<DeedId> {
        let span = self.program.op_spans.get(pc)?;
        let deed = self.speech().begun.get(span).copied()?;
        (!self.speech().deeds[deed.index()].name.is_empty()).then_some(deed)
    }

    fn item_text(&self, asked: usize, value: i32) -> String {
        let Op::OneOf(menu) = self.program.code[asked] else {
            return value.to_string();
        };
        let items = &self.program.menus[menu as usize].items;
        let item = usize::try_from(value).ok().and_then(|at| items.get(at));
        item.map_or_else(
            || value.to_string(),
            |item| super::speech::plain(&item.name),
        )
    }

    /// The same where the machine stands, with what is given to what is declined.
    fn decline_here(&self, machine: &Machine<'_>) -> String {
        let said = self.decline(machine.pc);
        let Some(deed) = self.begun(machine.pc) else {
            return said;
        };
        let decline = |deed: &str| self.say(Saying::Decline, &[("deed", deed)]);
        match said == decline(&self.speech().deeds[deed.index()].name) {
            true => decline(&self.begun_called_of(machine, deed, None)),
            false => said,
        }
    }

    /// A `may` of which nothing says what it does.
    pub(super) fn declines_nothing(&self, pc: usize) -> bool {
        matches!(self.program.code[pc], Op::May { .. }) && self.begun(pc).is_none()
    }

    /// What `done` says: that one does not do it, or does no more.
    pub(super) fn decline(&self, pc: usize) -> String {
        let span = self.program.op_spans.get(pc);
        let deed = self
            .begun(pc)
            .map(|deed| &self.speech().deeds[deed.index()]);
        let is_again = span.is_some_and(|span| self.speech().repeated.contains(span));
        match (self.program.code[pc], deed) {
            (Op::WalkPick { .. }, _) => self.say(Saying::StopHere, &[]),
            (
                _,
                Some(ir::Deed {
                    declined: Some(said),
                    ..
                }),
            ) => said.clone(),
            (Op::May { .. }, _) if is_again => self.say(Saying::Enough, &[]),
            (Op::May { .. }, Some(deed)) => self.say(Saying::Decline, &[("deed", &deed.name)]),
            (Op::May { .. }, None) => self.say(Saying::No, &[]),
            _ => self.say(Saying::Enough, &[]),
        }
    }

    /// The deed of which `done` says that one does not do it, where the rules have no words of their own for that.
    pub(super) fn left_undone(&self, pc: usize) -> Option<&str> {
        let deed = self.begun(pc)?;
        let name = self.speech().deeds[deed.index()].name.as_str();
        let said = self.say(Saying::Decline, &[("deed", name)]);
        (self.decline(pc) == said).then_some(name)
    }

    fn entry_in_words(&self, words: &[i32]) -> String {
        let [proc, given, args @ ..] = words else {
            return String::new();
        };
        let Some(proc) = self.program.procs.get(*proc as usize) else {
            return String::new();
        };
        match proc.kind {
            ProcKind::Action(action) => {
                let params = self.rules.actions[action.index()].params.len();
                let mut values = vec![None; params];
                for arg in self.given_args(action, *given, args) {
                    let held = Held {
                        shape: arg.shape.unwrap_or(Shape::Scalar),
                        words: arg.words.to_vec(),
                    };
                    if let Some(slot) = values.get_mut(arg.index) {
                        *slot = Some(self.in_words(arg.ty, &held));
                    }
                }
                self.deed_with(action, &values)
            }
            ProcKind::Effect => {
                let effects = self.rules.effects.iter();
                let mut named = effects.zip(0..).filter(|(one, _)| one.text == proc.name);
                match named.next() {
                    Some((_, at)) => self.effect_called(at),
                    None => super::speech::plain(&proc.name),
                }
            }
            ProcKind::Inline => match self.first_question(proc.entry as usize) {
                Some(Op::OneOf(menu)) => {
                    let items = self.program.menus[menu as usize].items.iter();
                    let items = items.map(|item| match self.speech().begun.get(&item.span) {
                        Some(deed) => self.speech().deeds[deed.index()].name.clone(),
                        None => super::speech::plain(&item.name),
                    });
                    let items: Vec<String> = items.collect();
                    super::listed(&items, &self.say(Saying::Or, &[]))
                }
                _ => super::speech::plain(&proc.name),
            },
            ProcKind::When | ProcKind::Flow | ProcKind::Formula => super::speech::plain(&proc.name),
        }
    }

    fn effect_called(&self, effect: i32) -> String {
        self.said(&Ty::Effect(None), effect)
    }

    fn step_in_words(&self, asked: usize, words: &[i32]) -> String {
        let [link, next, ..] = words else {
            return String::new();
        };
        match self.ground_at(asked) {
            Some(NetworkGround::Links { table, nodes, .. }) => {
                let place = self.called(*nodes, *next);
                let link = self.called(Domain::Table(*table), *link);
                match link.contains(&place) {
                    true => self.say(Saying::To, &[("place", &place)]),
                    false => self.say(Saying::ToBy, &[("place", &place), ("link", &link)]),
                }
            }
            Some(NetworkGround::Joins { part, .. }) => {
                let place = self.called(*part, *next);
                self.say(Saying::To, &[("place", &place)])
            }
            None => String::new(),
        }
    }
}
