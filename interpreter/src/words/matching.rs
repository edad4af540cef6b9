//! Whether something written means an answer that is offered.

use super::answer::print;
use super::{Words, set_items};
use crate::machine::{Answer, AnswerKind, Machine};
use crate::program::*;
use dsl::ir::{self, Domain, Ty};

/// How something written means an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matched {
    /// All of it.
    Whole,
    /// The head of a call; these answer the questions that follow.
    Head(Vec<ir::Answer>),
}

/// Text that is the same but for blanks and quotes.
pub fn same_text(a: &str, b: &str) -> bool {
    let plain = |text: &'_ str| -> String {
        text.chars()
            .filter(|c| !c.is_whitespace() && *c != '"')
            .collect()
    };
    plain(a) == plain(b)
}

impl Words<'_> {
    /// Whether something written means an answer offered where the machine stands.
    pub fn matches(
        &self,
        machine: &Machine<'_>,
        answer: &Answer,
        written: &ir::Answer,
    ) -> Option<Matched> {
        let whole = |yes: bool| yes.then_some(Matched::Whole);
        match answer.kind {
            AnswerKind::Done => whole(is_called(written, &["done"])),
            AnswerKind::Go => whole(is_called(written, &["go_on", "go", "done"])),
            AnswerKind::Yes => {
                let name = self.yes_name(machine);
                let head = name.split('(').next().unwrap_or_default().trim();
                whole(is_called(written, &["yes"]) || same_text(&called(written), &name))
                    .or_else(|| headed(written, head))
            }
            AnswerKind::Anytime => {
                let anytime = self.program.anytime.get(answer.value as usize)?;
                headed(written, &anytime.2)
            }
            AnswerKind::Item => {
                let name = self.item_name(machine, answer.value)?;
                headed(written, name)
            }
            AnswerKind::Element => self.means_asked(machine, answer.value, written),
            AnswerKind::Part => whole(self.means_part(machine, &answer.words, written)),
            AnswerKind::Together => self.means_together(machine, &answer.words, written),
            AnswerKind::Entry => self.means_entry(machine, &answer.words, written),
            AnswerKind::Step => whole(self.means_step(machine, &answer.words, written)),
        }
    }

    /// An element alone, or as the first argument of what asks for it.
    fn means_asked(
        &self,
        machine: &Machine<'_>,
        value: i32,
        written: &ir::Answer,
    ) -> Option<Matched> {
        let ty = self.question_ty(machine)?;
        if self.means(machine, &ty, value, written) {
            return Some(Matched::Whole);
        }
        let args = self.names_asker(machine, written)?;
        let (first, rest) = args.split_first()?;
        let meant = self.means(machine, &ty, value, first);
        meant.then(|| match rest {
            [] => Matched::Whole,
            rest => Matched::Head(rest.to_vec()),
        })
    }

    /// What is chosen at once, in a row, or as the first arguments of what asks for it.
    fn means_together(
        &self,
        machine: &Machine<'_>,
        words: &[i32],
        written: &ir::Answer,
    ) -> Option<Matched> {
        let (row, rest) = match &written.kind {
            ir::AnswerKind::List(row) => (row.clone(), Vec::new()),
            _ => {
                let mut row = self.names_asker(machine, written)?;
                let rest = row.split_off(words.len().min(row.len()));
                (row, rest)
            }
        };
        let meant = |(at, one)| self.means_chosen(machine, (at, words), one);
        let all = row.len() == words.len() && row.iter().enumerate().all(meant);
        all.then_some(match rest.is_empty() {
            true => Matched::Whole,
            false => Matched::Head(rest),
        })
    }

    /// Whether something written means what is chosen for one of the questions that are answered at once; `words` for all.
    pub(crate) fn means_chosen(
        &self,
        machine: &Machine<'_>,
        (at, words): (usize, &[i32]),
        written: &ir::Answer,
    ) -> bool {
        let choice = self.choices_at(machine).get(at);
        choice
            .zip(words.get(at))
            .is_some_and(|(choice, value)| self.means(machine, &choice.ty, *value, written))
    }

    /// The value of this type that something written means; `NONE`: none.
    pub(crate) fn meant_value(&self, machine: &Machine<'_>, ty: &Ty, written: &ir::Answer) -> i32 {
        let values = match ty.required() {
            Ty::Int { .. } | Ty::Element(Domain::Int { .. }) => {
                return plain_number(written).unwrap_or(NONE);
            }
            Ty::Element(domain) => self.size(*domain),
            _ => 0,
        };
        let mut values = 0..values;
        let found = values.find(|value| self.means(machine, ty, *value, written));
        found.unwrap_or(NONE)
    }

    /// How many elements a kind of things has.
    pub(crate) fn size(&self, domain: Domain) -> i32 {
        let tiling = self.program.tiling.as_ref();
        let size = match domain {
            Domain::Table(id) => self.rules.tables[id.index()].rows.len(),
            Domain::Enum(id) => self.rules.enums[id.index()].members.len(),
            Domain::Player => self.program.players as usize,
            Domain::Cell => tiling.map_or(0, |tiling| tiling.positions as usize),
            Domain::Side => tiling.map_or(0, |tiling| tiling.directions as usize),
            Domain::Port => tiling.map_or(0, |tiling| tiling.port_side.len()),
            Domain::Action => self.rules.actions.len(),
            Domain::Part(_) | Domain::Int { .. } => 0,
        };
        size as i32
    }

    /// Whether something written means a value of this type.
    pub fn means(&self, machine: &Machine<'_>, ty: &Ty, value: i32, answer: &ir::Answer) -> bool {
        match ty.required() {
            _ if value == NONE => is_called(answer, &["none"]),
            Ty::Element(domain) => self.means_element(machine, *domain, value, answer),
            Ty::Int { .. } => match &answer.kind {
                ir::AnswerKind::Number(n) => *n == i64::from(value),
                _ => false,
            },
            _ => same_text(&called(answer), &self.scalar(ty, value)),
        }
    }

    fn means_element(
        &self,
        machine: &Machine<'_>,
        domain: Domain,
        value: i32,
        answer: &ir::Answer,
    ) -> bool {
        if let Domain::Part(table) = domain {
            return self.means_lying_part(machine, table, value, answer);
        }
        let is_position =
            domain == Domain::Cell || self.rules.tiling.is_some() && domain == self.positions();
        if is_position
            && self
                .coordinates(value)
                .is_some_and(|at| self.coordinates_in(answer, domain) == Some(at))
        {
            return true;
        }
        match domain {
            Domain::Cell => false,
            Domain::Player => match &answer.kind {
                // `player[2]`
                ir::AnswerKind::Word(text) => {
                    *text == self.seat(value) || text.parse() == Ok(value + 1)
                }
                ir::AnswerKind::Number(n) => *n == i64::from(value) + 1,
                ir::AnswerKind::Call(name, args) => {
                    name == "player"
                        && matches!(args.as_slice(), [one] if one.kind == ir::AnswerKind::Number(i64::from(value) + 1))
                }
                _ => false,
            },
            Domain::Int { .. } => match &answer.kind {
                ir::AnswerKind::Number(n) => *n == i64::from(value),
                _ => false,
            },
            _ => {
                let name = self.element(domain, value);
                match &answer.kind {
                    // A row in another table's row may be called by its own name alone.
                    ir::AnswerKind::Word(text) => {
                        *text == name
                            || name.rsplit('/').next() == Some(text.as_str())
                                && self.first_called(domain, |other| other == text).is_none()
                    }
                    // A name of digits may begin with zeros that nobody needs to write, if no other name is the same number.
                    ir::AnswerKind::Number(n) => {
                        let digits = n.to_string();
                        let same = |other: &str| other.parse() == Ok(*n);
                        name == digits
                            || same(&name)
                                && self
                                    .first_called(domain, |one| same(one) && one != name)
                                    .is_none()
                    }
                    ir::AnswerKind::Call(..) if self.rim_meant(answer) == Some((domain, value)) => {
                        true
                    }
                    // `card(201)`, `road(S05, "a")`
                    ir::AnswerKind::Call(head, args) => {
                        self.is_called_so(domain, head)
                            && joined(args).is_some_and(|key| key == name)
                    }
                    _ => false,
                }
            }
        }
    }

    /// The first element of a kind that is called so.
    fn first_called(&self, domain: Domain, so: impl Fn(&str) -> bool) -> Option<i32> {
        (0..self.size(domain)).find(|value| so(&self.element(domain, *value)))
    }

    /// Whether rows or members of this kind are written `head(…)`.
    fn is_called_so(&self, domain: Domain, head: &str) -> bool {
        match domain {
            Domain::Table(id) | Domain::Part(id) => self.rules.tables[id.index()].name == head,
            Domain::Enum(id) => self.rules.enums[id.index()].name == head,
            _ => false,
        }
    }

    /// `cell(3, -2)`, `cell[3, -2]` (whose words are `3/-2`).
    fn coordinates_in(&self, answer: &ir::Answer, domain: Domain) -> Option<(i32, i32)> {
        match &answer.kind {
            ir::AnswerKind::Call(head, args)
                if head == "cell" || self.is_called_so(domain, head) =>
            {
                match args.as_slice() {
                    [row, column] => Some((plain_number(row)?, plain_number(column)?)),
                    _ => None,
                }
            }
            ir::AnswerKind::Word(text) => {
                let (row, column) = text.split_once('/')?;
                Some((row.parse().ok()?, column.parse().ok()?))
            }
            _ => None,
        }
    }

    /// `cell[2, 2].border(e)`, `cell[2, 2].corner(ne)`: which border or corner it is.
    fn rim_meant(&self, answer: &ir::Answer) -> Option<(Domain, i32)> {
        let ir::AnswerKind::Call(name, args) = &answer.kind else {
            return None;
        };
        let tiling = self.rules.tiling.as_ref()?;
        let rim = match name.as_str() {
            "border" => tiling.borders,
            "corner" => tiling.corners,
            _ => None,
        }?;
        let [place, direction] = args.as_slice() else {
            return None;
        };
        let wanted = self.coordinates_in(place, Domain::Cell)?;
        let mut places = 0..self.size(Domain::Cell);
        let place = places.find(|at| self.coordinates(*at) == Some(wanted))?;
        let direction = written(direction)?;
        let directions = self.size(Domain::Side);
        let direction = (0..directions).find(|at| self.element(Domain::Side, *at) == direction)?;
        let grid = &self.rules.grids[rim.at.index()];
        match grid.values.get((place * directions + direction) as usize) {
            Some(ir::Value::Element(domain, row)) => Some((*domain, *row as i32)),
            _ => None,
        }
    }

    fn means_lying_part(
        &self,
        machine: &Machine<'_>,
        table: ir::TableId,
        value: i32,
        answer: &ir::Answer,
    ) -> bool {
        if let (ir::AnswerKind::Call(name, args), Some((position, at))) =
            (&answer.kind, self.part_place(table, value))
            && name == "part"
            && let [place, which] = args.as_slice()
        {
            let positions = self.positions();
            return which.kind == ir::AnswerKind::Number(i64::from(at) + 1)
                && self.means_element(machine, positions, position, place);
        }
        let tiling = self.program.tiling.as_ref();
        let parts = tiling.and_then(|t| t.parts.iter().position(|p| p.table == table));
        let row = parts.map_or(NONE, |parts| machine.row_of_part(value, parts));
        row != NONE && self.means_element(machine, Domain::Table(table), row, answer)
    }

    fn means_part(&self, machine: &Machine<'_>, words: &[i32], answer: &ir::Answer) -> bool {
        let Some((ty, shape)) = self.part_shape(machine) else {
            return false;
        };
        let element = ty.required().element().unwrap_or(Ty::INT);
        let pieces: Vec<(i32, i64)> = match shape {
            Shape::Bag { n, low } => (0..n as usize)
                .filter(|at| words.get(*at).is_some_and(|count| *count > 0))
                .map(|at| (low + at as i32, i64::from(words[at])))
                .collect(),
            Shape::Set { n, low } => set_items(words, n, low).map(|w| (w, 1)).collect(),
            Shape::List { .. } => {
                let len = words.first().copied().unwrap_or(0).max(0) as usize;
                words.iter().skip(1).take(len).map(|w| (*w, 1)).collect()
            }
            _ => return false,
        };
        let Some(given) = counted(answer) else {
            return false;
        };
        let total: i64 = pieces.iter().map(|p| p.1).sum();
        total == given.iter().map(|g| g.1).sum::<i64>()
            && pieces.iter().all(|(piece, count)| {
                let same = given
                    .iter()
                    .filter(|(one, _)| self.means(machine, &element, *piece, one));
                same.map(|g| g.1).sum::<i64>() == *count
            })
    }

    fn means_entry(
        &self,
        machine: &Machine<'_>,
        words: &[i32],
        answer: &ir::Answer,
    ) -> Option<Matched> {
        let [proc, given, args @ ..] = words else {
            return None;
        };
        let proc = self.program.procs.get(*proc as usize)?;
        if same_text(&called(answer), &proc.name) {
            return Some(Matched::Whole);
        }
        if let ProcKind::Action(action) = proc.kind
            && *given > 0
            && let ir::AnswerKind::Call(name, written) = &answer.kind
            && *name == proc.name
        {
            return self.means_given(machine, (action, *given, args), written);
        }
        // An alternative of an entry that is a menu: it is picked next.
        if proc.kind == ProcKind::Inline
            && let Some(Op::OneOf(menu)) = self.first_question(proc.entry as usize)
        {
            let items = &self.program.menus[menu as usize].items;
            let named = items
                .iter()
                .any(|item| headed(answer, &item.name).is_some());
            return named.then(|| Matched::Head(vec![answer.clone()]));
        }
        // The effect of a table's cell by the name of what it calls.
        let head = proc.name.split('(').next().unwrap_or_default().trim();
        headed(answer, head)
    }

    /// `station(washington)` where some arguments were given when the entry was made.
    fn means_given(
        &self,
        machine: &Machine<'_>,
        (action, given, words): (ir::ActionId, i32, &[i32]),
        written: &[ir::Answer],
    ) -> Option<Matched> {
        let _ = machine;
        let known = self.entry_args(action, given, words);
        let params = self.rules.actions[action.index()].params.len();
        let same = |mine: &ir::Answer, theirs: &ir::Answer| same_text(&print(mine), &print(theirs));
        // All arguments are written, or only those given, or the first of those still open.
        if written.len() == params {
            let fits = known
                .iter()
                .all(|(index, mine)| same(mine, &written[*index]));
            let rest = written.iter().enumerate();
            let rest = rest.filter(|(index, _)| !known.iter().any(|k| k.0 == *index));
            let open: Vec<ir::Answer> = rest.map(|(_, one)| one.clone()).collect();
            return fits.then_some(match open.is_empty() {
                true => Matched::Whole,
                false => Matched::Head(open),
            });
        }
        if written.len() == known.len() {
            let fits = known
                .iter()
                .zip(written)
                .all(|((_, mine), one)| same(mine, one));
            if fits {
                return Some(Matched::Whole);
            }
        }
        (1..=params - known.len())
            .contains(&written.len())
            .then(|| Matched::Head(written.to_vec()))
    }

    fn means_step(&self, machine: &Machine<'_>, words: &[i32], answer: &ir::Answer) -> bool {
        let [link, next, side, ..] = words else {
            return false;
        };
        let side_named = |side: i32| {
            written(answer).is_some_and(|text| text == self.element(Domain::Side, side))
        };
        match self.ground(machine) {
            Some(ir::NetworkGround::Links { table, nodes, .. }) => {
                self.means_element(machine, Domain::Table(*table), *link, answer)
                    || self.means_element(machine, *nodes, *next, answer)
            }
            Some(ir::NetworkGround::Joins { part, column }) => {
                self.means_element(machine, *part, *next, answer)
                    || self.node_position(*part, *next).is_some_and(|position| {
                        self.means_element(machine, self.positions(), position, answer)
                    })
                    || *column == ir::NetworkGround::NEIGHBOURS && side_named(*side)
            }
            None => false,
        }
    }

    fn node_position(&self, part: Domain, node: i32) -> Option<i32> {
        match part {
            Domain::Part(table) => self.part_place(table, node).map(|p| p.0),
            _ => None,
        }
    }
}

/// What is written, without the quotes around all of it.
fn called(answer: &ir::Answer) -> String {
    written(answer).unwrap_or_else(|| print(answer))
}

/// The words of an answer that has no name: it is called by what is written.
fn written(answer: &ir::Answer) -> Option<String> {
    match &answer.kind {
        ir::AnswerKind::Word(text) => Some(text.clone()),
        ir::AnswerKind::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

fn is_called(answer: &ir::Answer, names: &[&str]) -> bool {
    matches!(&answer.kind, ir::AnswerKind::Word(text) if names.contains(&text.as_str()))
}

/// A name alone, or a call of it.
pub(super) fn headed(answer: &ir::Answer, name: &str) -> Option<Matched> {
    match &answer.kind {
        ir::AnswerKind::Word(text) if text == name => Some(Matched::Whole),
        ir::AnswerKind::Call(head, args) if head == name => Some(Matched::Head(args.clone())),
        _ => None,
    }
}

fn plain_number(answer: &ir::Answer) -> Option<i32> {
    match answer.kind {
        ir::AnswerKind::Number(n) => i32::try_from(n).ok(),
        _ => None,
    }
}

/// The name of a row by its key columns.
fn joined(args: &[ir::Answer]) -> Option<String> {
    let parts: Option<Vec<String>> = args.iter().map(written).collect();
    Some(parts?.join("/"))
}

/// A set or bag as pieces with their number; one piece may stand without braces.
fn counted(answer: &ir::Answer) -> Option<Vec<(ir::Answer, i64)>> {
    Some(match &answer.kind {
        ir::AnswerKind::Set(items) | ir::AnswerKind::List(items) => {
            items.iter().map(|one| (one.clone(), 1)).collect()
        }
        ir::AnswerKind::Bag(items) => items.iter().filter(|item| item.1 != 0).cloned().collect(),
        ir::AnswerKind::Word(text) if text == "none" => Vec::new(),
        ir::AnswerKind::Word(_) | ir::AnswerKind::Number(_) => vec![(answer.clone(), 1)],
        ir::AnswerKind::Call(..) => return None,
    })
}
