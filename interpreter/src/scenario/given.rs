//! Putting pieces where a case wants them, so that counts stay true.
//!
//! A piece comes from what lay in the place before, the box, hidden decks from the bottom, other zones of the table, other
//! players; what lay in the place goes back to where it was at the start of the game, or to the box.

use super::plan::GivenCode;
use super::{Line, Run, Stopped};
use crate::machine::{Machine, Target};
use crate::observe::pieces;
use crate::program::*;
use crate::words::{Held, Words, print};
use dsl::ir::{AssignOp, CellOwner, DeckEnd, Domain, Given, GivenKind, Ty, number};
use dsl::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// From this rank on pieces are taken from where everybody sees them.
const IN_SIGHT: u32 = 3;

/// One slot of a cell.
type Zone = (Slot, u32);

/// Where pieces lie and come from.
#[derive(Clone, Default)]
pub(super) struct Supply {
    /// Cells between which pieces move, by the kind of their pieces.
    zones: BTreeMap<Domain, Vec<Zone>>,
    /// Where each piece lay when the game began.
    homes: BTreeMap<(Domain, i32), Vec<Zone>>,
    /// How many of each piece there were then. A kind of which none lay anywhere has no supply, and pieces without end.
    totals: BTreeMap<(Domain, i32), i64>,
    /// Pieces that were put aside.
    aside: BTreeMap<(Domain, i32), i32>,
    /// Places the case has filled since the last answer: nothing is taken from them.
    filled: BTreeSet<Zone>,
}

impl Supply {
    /// Looks at a game that has begun but not run.
    pub fn new(words: &Words<'_>, machine: &Machine<'_>) -> Supply {
        let mut supply = Supply::default();
        for slot in zone_cells(words) {
            let Some(kind) = pieces_of(words, slot) else {
                continue;
            };
            let slots = words.program.cells[slot.at()].slots;
            for index in 0..slots {
                supply.zones.entry(kind).or_default().push((slot, index));
                for (item, count) in items(&words.slot_value(machine, slot, index)) {
                    *supply.totals.entry((kind, item)).or_default() += i64::from(count);
                    let homes = supply.homes.entry((kind, item)).or_default();
                    if homes.last() != Some(&(slot, index)) {
                        homes.push((slot, index));
                    }
                }
            }
        }
        supply
    }

    /// Whether there are only so many of a piece: what lay nowhere comes into the game by a rule, as often as it likes.
    fn is_limited(&self, kind: Domain, piece: i32) -> bool {
        self.totals.contains_key(&(kind, piece))
    }

    /// Answers move pieces again: what the case filled may be taken from.
    pub fn release(&mut self) {
        self.filled.clear();
    }
}

/// Cells that pieces are moved into or out of, or that are filled from others.
fn zone_cells(words: &Words<'_>) -> BTreeSet<Slot> {
    let program = words.program;
    let mut found = BTreeSet::new();
    let cell = |place: PlaceId| program.places[place.at()].cell;
    for step in &program.moves {
        found.insert(cell(step.to));
        found.insert(match step.what {
            MoveWhat::Value { from, .. } | MoveWhat::Everything(from) => cell(from),
            MoveWhat::Drawn { of, .. } => cell(of),
        });
    }
    for (at, layout) in program.cells.iter().enumerate() {
        let feeds = [layout.refill, layout.fill];
        for source in feeds.into_iter().flatten() {
            found.insert(Slot(at as u32));
            found.insert(cell(source));
        }
        let ordered = matches!(words.rules.cells[at].ty, Ty::Deck(_) | Ty::Row(_));
        if ordered || tile_cell(words) == Some(Slot(at as u32)) {
            found.insert(Slot(at as u32));
        }
    }
    found
}

fn tile_cell(words: &Words<'_>) -> Option<Slot> {
    words.program.tiling.as_ref().and_then(|t| t.tile_cell)
}

/// The kind of pieces a cell holds.
fn pieces_of(words: &Words<'_>, slot: Slot) -> Option<Domain> {
    let ty = &words.rules.cells[slot.at()].ty;
    let element = match ty {
        Ty::Optional(inner) => (**inner).clone(),
        other => other.element()?,
    };
    match element.required() {
        Ty::Element(domain @ (Domain::Table(_) | Domain::Enum(_))) => Some(*domain),
        _ => None,
    }
}

/// Pieces in order, each with how many of it there are.
type Pieces = Vec<(i32, i32)>;

/// Pieces in a zone, gaps apart.
fn items(held: &Held) -> Pieces {
    let mut items = pieces(held.shape, &held.words);
    items.retain(|(piece, _)| *piece != NONE);
    items
}

/// Takes up to so many of a piece out of these; how many there were.
fn take_out(pieces: &mut Pieces, piece: i32, count: i32) -> i32 {
    let mut left = count;
    for (_, there) in pieces.iter_mut().filter(|(other, _)| *other == piece) {
        let taken = left.min(*there);
        *there -= taken;
        left -= taken;
    }
    pieces.retain(|(_, there)| *there > 0);
    count - left
}

impl Run<'_> {
    pub(super) fn give(&mut self, given: &Given, code: &GivenCode) -> Result<(), Stopped> {
        let span = given.span;
        if let GivenKind::Random(outcomes) = &given.kind {
            return self.fix_throws(outcomes);
        }
        let Some(value) = code.value else {
            return Ok(());
        };
        let value = self
            .machine
            .ask(value, self.plan.frame_words)
            .map_err(|none| self.no_value(none, span))?;
        let Some(place) = code.place else {
            self.machine.set(header::STARTER, value.word());
            return Ok(());
        };
        let target = self
            .machine
            .in_frame(self.plan.frame_words, |machine| machine.target(place));
        let target = self
            .machine
            .no_value(target)
            .map_err(|none| self.no_value(none, span))?;
        let Some(target) = target else {
            return Err(Stopped::at(span, "there is no such place"));
        };
        let begun = self.machine.position().0 != self.begin();
        self.stays(target, begun, span)?;
        self.machine.set_trace(false);
        match &given.kind {
            GivenKind::Set { op, .. } => self.put_there(target, *op, &value, span)?,
            GivenKind::Top { .. } => self.put_on_top(target, &value, span)?,
            GivenKind::Starter(_) | GivenKind::Random(_) => {}
        }
        if begun {
            self.machine.settle_silently();
            self.machine.set_trace(true);
        }
        Ok(())
    }

    /// A cell of a step or an action is made new when that begins: what is put there before would be lost, unless chance puts
    /// it there and is told here what to put.
    fn stays(&self, target: Target, begun: bool, span: Span) -> Result<(), Stopped> {
        let (program, rules) = (self.words.program, self.words.rules);
        let (runs, owner) = match rules.cells[target.slot.at()].owner {
            CellOwner::Game | CellOwner::Each(_) => return Ok(()),
            CellOwner::Step(label) => {
                let passes = program.label_words[label.index()];
                let runs = self.machine.word(passes + 1) != 0;
                (runs, &rules.labels[label.index()].name)
            }
            CellOwner::Action(action) => {
                let proc = program.action_procs[action.index()];
                (
                    self.machine.is_running(proc),
                    &rules.actions[action.index()].name,
                )
            }
        };
        let is_rolled = || {
            let mut rolls = (0..program.code.len()).filter_map(|pc| program.rolls_into(pc));
            rolls.any(|(place, _)| program.places[place.at()].cell == target.slot)
        };
        if runs || !begun && is_rolled() {
            return Ok(());
        }
        let name = self
            .words
            .cell_slot(target.slot, self.machine.number(target));
        let message = format!(
            "`{owner}` does not run here: its `{name}` is made new when it begins, and this would be lost"
        );
        Err(Stopped::at(span, message))
    }

    /// `random = [3, 5]`: each is kept as the value it is for each `random(…)` of the rules.
    fn fix_throws(&mut self, outcomes: &[dsl::ir::Answer]) -> Result<(), Stopped> {
        let types = &self.words.program.stream_types;
        for outcome in outcomes {
            let by_stream: Vec<i32> = types
                .iter()
                .map(|ty| self.words.meant_value(&self.machine, ty, outcome))
                .collect();
            if by_stream.iter().all(|value| *value == NONE) {
                let message = format!("`{}` is nothing that chance decides", print(outcome));
                return Err(Stopped::at(outcome.span, message));
            }
            self.machine.fix_throw(by_stream);
        }
        Ok(())
    }

    /// The first instruction: nothing has run.
    fn begin(&self) -> usize {
        let program = self.words.program;
        program.procs[program.flow.at()].entry as usize
    }

    fn put_there(
        &mut self,
        target: Target,
        op: AssignOp,
        value: &Held,
        span: Span,
    ) -> Result<(), Stopped> {
        let zone = (target.slot, self.machine.number(target));
        let pieces = pieces_of(&self.words, target.slot);
        let supplied = pieces.filter(|kind| {
            let zones = self.supply.zones.get(kind);
            zones.is_some_and(|zones| zones.contains(&zone))
        });
        let ty = &self.words.rules.cells[target.slot.at()].ty;
        let number = target.shape == Shape::Scalar && pieces.is_none();
        if number {
            return self.put_scalar(target, op, value.word(), span);
        }
        self.no_count_below_zero(value, ty, span)?;
        let before = self.content(target);
        let mut wanted = wanted(op, &before, value).map_err(|piece| {
            let name = self.piece_name(ty, piece);
            Stopped::at(span, format!("there are not so many `{name}` to take away"))
        })?;
        if let Ty::Deck(_) = ty {
            // The first one is drawn first: it lies on top, which is the end.
            if op == AssignOp::Set && matches!(value.shape, Shape::List { deck: false, .. }) {
                wanted.reverse();
            }
        }
        let mut spare = before;
        self.supply.filled.insert(zone);
        self.empty(target);
        if let Some(kind) = supplied {
            self.take_from_spare_or_supply((kind, &wanted), &mut spare, target, span)?;
        }
        self.fill(target, &wanted, value, span)?;
        if let Some(kind) = supplied {
            for piece in spare {
                self.send_home(kind, piece);
            }
        }
        Ok(())
    }

    fn put_scalar(
        &mut self,
        target: Target,
        op: AssignOp,
        value: i32,
        span: Span,
    ) -> Result<(), Stopped> {
        let before = self.machine.word(target.word as u32);
        let new = match op {
            AssignOp::Set => Some(value),
            AssignOp::Add => number::add(before, value).ok(),
            AssignOp::Subtract => number::subtract(before, value).ok(),
        };
        let layout = &self.words.program.cells[target.slot.at()];
        let low = self.machine.bound(layout.low, target);
        let high = self.machine.bound(layout.high, target);
        let fits = |new: i32| new == NONE || (low..=high).contains(&new);
        match new.filter(|new| fits(*new)) {
            Some(new) => {
                self.machine.set(target.word, new);
                if self.machine.position().0 == self.begin() {
                    self.machine.fix_cell(target.word, new);
                }
                Ok(())
            }
            None => {
                let name = self
                    .words
                    .cell_slot(target.slot, self.machine.number(target));
                let message = format!("`{name}` cannot be {}", new.unwrap_or(value));
                Err(Stopped::at(span, message))
            }
        }
    }

    /// What lies in a place now.
    fn content(&self, target: Target) -> Pieces {
        let size = target.shape.words();
        let words = (target.word..target.word + size)
            .map(|at| self.machine.word(at as u32))
            .collect();
        items(&Held {
            shape: target.shape,
            words,
        })
    }

    fn empty(&mut self, target: Target) {
        match target.shape {
            Shape::Scalar => self.machine.set(target.word, NONE),
            _ => self.machine.clear_zone(target),
        }
    }

    fn fill(
        &mut self,
        target: Target,
        wanted: &[(i32, i32)],
        value: &Held,
        span: Span,
    ) -> Result<(), Stopped> {
        let size: i64 = wanted.iter().map(|(_, count)| i64::from(*count)).sum();
        if let Shape::Row { n } = target.shape
            && size > i64::from(n)
        {
            let name = self
                .words
                .cell_slot(target.slot, self.machine.number(target));
            let message = format!("`{name}` would hold {size}: at most {n}");
            return Err(Stopped::at(span, message));
        }
        if let (Shape::Row { n }, Shape::List { .. } | Shape::Row { .. }) =
            (target.shape, value.shape)
        {
            // Gaps stay where they are written.
            let skip = usize::from(matches!(value.shape, Shape::List { .. }));
            let len = match value.shape {
                Shape::List { .. } => value.words.first().copied().unwrap_or(0).max(0) as usize,
                _ => value.words.len(),
            };
            let places = value.words.iter().skip(skip).take(len.min(n as usize));
            for (at, item) in places.enumerate() {
                self.machine.set(target.word + at, *item);
            }
            return Ok(());
        }
        for (item, count) in wanted {
            self.machine.put(target, *item, *count, DeckEnd::Default);
        }
        let put = self.machine.no_value(());
        put.map_err(|none| self.no_value(none, span))
    }

    // ---------------------------------------------------------------------------------------------- pieces

    fn take_from_spare_or_supply(
        &mut self,
        (kind, wanted): (Domain, &[(i32, i32)]),
        spare: &mut Pieces,
        target: Target,
        span: Span,
    ) -> Result<(), Stopped> {
        for (piece, count) in wanted {
            let more = count - take_out(spare, *piece, *count);
            if !self.take_from_supply(kind, (*piece, more), target) {
                return Err(self.too_many((kind, *piece), wanted, span));
            }
        }
        // Back in order of the rows, so that nothing depends on how it was taken.
        spare.sort_unstable();
        Ok(())
    }

    /// More of a piece than the game has, or than the case has left.
    fn too_many(&self, (kind, piece): (Domain, i32), wanted: &[(i32, i32)], span: Span) -> Stopped {
        let name = self.words.element(kind, piece);
        let same = wanted.iter().filter(|(one, _)| *one == piece);
        let count: i64 = same.map(|(_, count)| i64::from(*count)).sum();
        let total = self.supply.totals.get(&(kind, piece)).copied().unwrap_or(0);
        let message = if count > total {
            format!("{count} `{name}` cannot lie here: the game has {total} of them")
        } else {
            format!(
                "no `{name}` is left for this: the game has {total} of them, and this case has put them elsewhere"
            )
        };
        Stopped::at(span, message)
    }

    fn no_count_below_zero(&self, value: &Held, ty: &Ty, span: Span) -> Result<(), Stopped> {
        let Shape::Bag { low, .. } = value.shape else {
            return Ok(());
        };
        match value.words.iter().position(|count| *count < 0) {
            Some(at) => {
                let name = self.piece_name(ty, low + at as i32);
                let message = format!("`{name}` cannot be there {} times", value.words[at]);
                Err(Stopped::at(span, message))
            }
            None => Ok(()),
        }
    }

    fn piece_name(&self, ty: &Ty, piece: i32) -> String {
        let element = ty.required().element();
        element.map_or_else(|| piece.to_string(), |ty| self.words.scalar(&ty, piece))
    }

    /// Takes so many of a piece out of the supply; if the kind has none they were in the box all along. Whether there were
    /// enough.
    fn take_from_supply(&mut self, kind: Domain, (piece, count): (i32, i32), to: Target) -> bool {
        let mut left = count;
        if let Some(aside) = self.supply.aside.get_mut(&(kind, piece)) {
            let taken = left.min(*aside);
            *aside -= taken;
            left -= taken;
        }
        if left == 0 {
            return true;
        }
        let zones = self.supply.zones.get(&kind).cloned().unwrap_or_default();
        let here = |zone: &Zone| {
            let layout = &self.words.program.cells[zone.0.at()];
            let first = layout.base + zone.1 * layout.words;
            let range = first as usize..(first + layout.words) as usize;
            range.contains(&to.word)
        };
        let mut sources: Vec<(u32, Zone)> = zones
            .into_iter()
            .filter(|zone| !self.supply.filled.contains(zone) && !here(zone))
            .map(|zone| (self.rank(zone.0), zone))
            .collect();
        sources.sort_by_key(|(rank, _)| *rank);
        for (rank, zone) in sources {
            let taken = self.take_from(zone, (piece, left));
            if taken > 0 && rank >= IN_SIGHT {
                self.tell_taken((kind, piece, taken), zone, to);
            }
            left -= taken;
        }
        left == 0 || !self.supply.is_limited(kind, piece)
    }

    /// What was seen before lies there no more: the log says so.
    fn tell_taken(&mut self, (kind, piece, taken): (Domain, i32, i32), from: Zone, to: Target) {
        let piece = self.words.element(kind, piece);
        let way = format!(
            "from {} to {}",
            self.words.cell_slot(from.0, from.1),
            self.words.cell_slot(to.slot, self.machine.number(to)),
        );
        self.note();
        match self.log.last_mut() {
            Some(Line::Given(count, last, same)) if *last == piece && *same == way => {
                *count += taken;
            }
            _ => self.log.push(Line::Given(taken, piece, way)),
        }
    }

    /// Hidden decks first, then what lies on the table, players' zones last.
    fn rank(&self, slot: Slot) -> u32 {
        let cell = &self.words.rules.cells[slot.at()];
        let deck = matches!(cell.ty, Ty::Deck(_));
        let hidden = cell.visibility.hidden || cell.visibility.top;
        let game = cell.owner != CellOwner::Each(Domain::Player);
        let boxed = cell.name == "box";
        match (boxed, deck && hidden, deck, game) {
            (true, ..) => 0,
            (_, true, _, _) => 1,
            (_, _, true, _) => 2,
            (_, _, _, true) if tile_cell(&self.words) != Some(slot) => 3,
            (_, _, _, true) => 5,
            _ => 4,
        }
    }

    fn zone_target(&self, zone: Zone) -> Target {
        let layout = &self.words.program.cells[zone.0.at()];
        Target {
            word: (layout.base + zone.1 * layout.words) as usize,
            slot: zone.0,
            shape: layout.shape,
        }
    }

    /// Takes up to so many of a piece out of a zone, of a list from the bottom; how many there were.
    fn take_from(&mut self, zone: Zone, (piece, count): (i32, i32)) -> i32 {
        let target = self.zone_target(zone);
        let taken = take_out(&mut self.content(target), piece, count);
        if let Shape::List { .. } = target.shape {
            for _ in 0..taken {
                let len = self.machine.word(target.word as u32);
                let found = (1..=len as usize)
                    .find(|at| self.machine.word((target.word + at) as u32) == piece);
                if let Some(found) = found {
                    self.machine.remove_item(target.word, found);
                }
            }
        } else if taken > 0 {
            self.machine.take(target, piece, taken);
            self.machine.forget_halt();
        }
        taken
    }

    /// Where they lay when the game began, unless the case has filled that place; then aside, as what has no room there.
    fn send_home(&mut self, kind: Domain, (piece, count): (i32, i32)) {
        let homes = self.supply.homes.get(&(kind, piece));
        let home = homes.and_then(|homes| {
            let mut open = homes
                .iter()
                .filter(|zone| !self.supply.filled.contains(zone));
            open.next().copied()
        });
        let Some(home) = home else {
            *self.supply.aside.entry((kind, piece)).or_default() += count;
            return;
        };
        let target = self.zone_target(home);
        let mut left = count;
        // A bag takes any number at once, or none of them.
        let mut at_once = match target.shape {
            Shape::Bag { .. } => count,
            _ => 1,
        };
        while at_once > 0 && left > 0 {
            let part = at_once.min(left);
            self.machine.put(target, piece, part, DeckEnd::Bottom);
            match self.machine.no_value(()) {
                Ok(()) => left -= part,
                Err(_) => at_once /= 2,
            }
        }
        *self.supply.aside.entry((kind, piece)).or_default() += left;
    }

    /// `deck.top = [a, b]`: these come first, the rest stays as it lies.
    fn put_on_top(&mut self, deck: Target, cards: &Held, span: Span) -> Result<(), Stopped> {
        let kind = pieces_of(&self.words, deck.slot);
        let all = items(cards);
        let zone = (deck.slot, self.machine.number(deck));
        for (card, count) in all.iter().rev() {
            let more = count - self.take_from(zone, (*card, *count));
            if let Some(kind) = kind
                && !self.take_from_supply(kind, (*card, more), deck)
            {
                return Err(self.too_many((kind, *card), &all, span));
            }
        }
        for (card, count) in all.into_iter().rev() {
            self.machine.put(deck, card, count, DeckEnd::Default);
        }
        let put = self.machine.no_value(());
        put.map_err(|none| self.no_value(none, span))
    }
}

/// What a place should hold afterwards; the piece that should be taken away and is not there.
fn wanted(op: AssignOp, before: &[(i32, i32)], value: &Held) -> Result<Pieces, i32> {
    let given = items(value);
    if op == AssignOp::Set {
        return Ok(given);
    }
    let mut all = before.to_vec();
    for (piece, count) in given {
        if op == AssignOp::Add {
            all.push((piece, count));
        } else if take_out(&mut all, piece, count) < count {
            return Err(piece);
        }
    }
    Ok(all)
}
