//! Finds what can be counted of a state for a seat: what lies in its cells, what formulas say of it, its score, and the same of
//! the others as far as all may see it.

mod ends;

use super::Lower;
use super::cells::domains_of;
use crate::observe::{Reach, reach_of_formula};
use crate::program::*;
use dsl::ir::{self, Domain, Ty};

/// Slots of a cell, values and kinds that are counted one by one; of more only the sum is.
const SLOTS_MAX: usize = 40;
/// Places of which it is told whose each is.
const PLACES_MAX: usize = 130;
/// Columns of one table that are added up.
const COLUMNS_MAX: usize = 6;

/// A cell as it is counted.
struct Counting<'c> {
    name: &'c str,
    shape: Shape,
    /// Of the first seat: what a slot is called, and its first word.
    slots: Vec<(String, u32)>,
    step: u32,
    /// Each seat has its own.
    owned: bool,
    /// The seat may see what lies in its own, or in what is nobody's; and in those of others.
    seen: (bool, bool),
}

impl Counting<'_> {
    fn words(&self) -> Vec<u32> {
        self.slots.iter().map(|(_, word)| *word).collect()
    }
}

impl Lower<'_> {
    /// Fills [`Flat::features`].
    pub(super) fn features(&mut self) {
        let mut found = Vec::new();
        for at in 0..self.rules.cells.len() {
            self.of_cell(at, &mut found);
        }
        self.of_pairs(&mut found);
        self.of_formulas(&mut found);
        for (name, what) in [
            ("asked", Counted::Asked),
            ("begins", Counted::Starter),
            ("finishing", Counted::Finishing),
        ] {
            found.push(own(name.to_owned(), what));
        }
        let mut names = std::collections::BTreeSet::new();
        found.retain(|feature| names.insert(feature.name.clone()));
        self.program.features = found;
    }

    fn of_cell(&self, at: usize, found: &mut Vec<Feature>) {
        let cell = &self.rules.cells[at];
        let layout = &self.program.cells[at];
        if layout.passing {
            return;
        }
        let counting = self.counting(cell, layout);
        match (cell.ty.required(), layout.shape) {
            (_, Shape::Agenda { .. }) => {}
            (Ty::Int { .. } | Ty::Bool, Shape::Scalar) => {
                let numbers = |words, step| Counted::Numbers { words, step };
                self.each_and_all(&counting, "", numbers, found);
            }
            (Ty::Element(Domain::Player), Shape::Scalar) => {
                self.of_holders(cell, &counting, found);
            }
            (Ty::Element(domain), Shape::Scalar) => {
                self.of_values(&counting, *domain, layout.optional, found);
            }
            (_, Shape::Scalar) => {}
            (ty, shape) => self.of_container(&counting, ty, shape, found),
        }
    }

    fn counting<'c>(&self, cell: &ir::Cell, layout: &'c CellLayout) -> Counting<'c> {
        let domains = domains_of(cell);
        let mut slots = Vec::new();
        for slot in 0..layout.slots {
            let mut name = Vec::new();
            let mut first_seat = true;
            for (dim, (low, n, stride)) in layout.dims.iter().enumerate() {
                let index = slot / stride % n;
                if layout.owner == Some(dim) {
                    first_seat &= index == 0;
                } else {
                    name.push(self.element_name(domains[dim], low + index as i32));
                }
            }
            if first_seat {
                slots.push((name.join(", "), layout.base + slot * layout.words));
            }
        }
        let step = layout.owner.map(|at| layout.dims[at].2 * layout.words);
        let open = layout.is_open();
        Counting {
            name: layout.name.strip_prefix("player.").unwrap_or(&layout.name),
            shape: layout.shape,
            slots,
            step: step.unwrap_or(0),
            owned: step.is_some(),
            seen: match step {
                Some(_) => (layout.is_open_to_owner(), layout.is_open_to_player(false)),
                None => (open, false),
            },
        }
    }

    /// Every slot alone, if they are not too many, and all together.
    fn each_and_all(
        &self,
        counting: &Counting<'_>,
        suffix: &str,
        what: impl Fn(Vec<u32>, u32) -> Counted,
        found: &mut Vec<Feature>,
    ) {
        let step = counting.step;
        if (2..=SLOTS_MAX).contains(&counting.slots.len()) {
            for (slot, word) in &counting.slots {
                let name = format!("{}[{slot}]{suffix}", counting.name);
                let first = found.len();
                seen(counting, name, what(vec![*word], step), found);
                are_details(&mut found[first..]);
            }
        }
        let name = format!("{}{suffix}", counting.name);
        seen(counting, name, what(counting.words(), step), found);
    }

    /// Cells that name a player: whose each is, and what the rows come to that a seat has.
    fn of_holders(&self, cell: &ir::Cell, counting: &Counting<'_>, found: &mut Vec<Feature>) {
        if counting.owned || !counting.seen.0 {
            return;
        }
        let words = counting.words();
        if words.len() <= PLACES_MAX {
            for (slot, word) in &counting.slots {
                let name = format!("{}[{slot}]", counting.name);
                let mut holder = own(name, Counted::Holder(*word));
                are_details(std::slice::from_mut(&mut holder));
                found.push(holder);
            }
        }
        let mut held = |suffix: String, column: Option<u32>| {
            let words = words.clone();
            let what = Counted::Held { words, column };
            both(format!("{}{suffix}", counting.name), what, found);
        };
        held(String::new(), None);
        if let [Domain::Table(table)] = domains_of(cell)[..] {
            for (column, base) in self.number_columns(table) {
                held(format!(": {column}"), Some(base));
            }
        }
    }

    fn of_values(
        &self,
        counting: &Counting<'_>,
        domain: Domain,
        optional: bool,
        found: &mut Vec<Feature>,
    ) {
        let step = counting.step;
        let (low, n) = self.domain(domain);
        if n as usize <= SLOTS_MAX {
            for value in low..low + n as i32 {
                let name = format!("{} = {}", counting.name, self.element_name(domain, value));
                let words = counting.words();
                seen(counting, name, Counted::Value { words, step, value }, found);
            }
        }
        if optional {
            let words = counting.words();
            let name = counting.name.to_owned();
            seen(counting, name, Counted::There { words, step }, found);
        }
    }

    fn of_container(
        &self,
        counting: &Counting<'_>,
        ty: &Ty,
        shape: Shape,
        found: &mut Vec<Feature>,
    ) {
        let step = counting.step;
        // How much lies there everybody knows.
        let sizes = Counting {
            slots: counting.slots.clone(),
            seen: (true, true),
            ..*counting
        };
        let size = |words, step| Counted::Size { words, step, shape };
        self.each_and_all(&sizes, ".size", size, found);
        let holds = match ty {
            Ty::Set(domain) | Ty::Bag(domain) | Ty::Deck(domain) | Ty::Row(domain) => *domain,
            Ty::List(item) => match **item {
                Ty::Element(domain) => domain,
                _ => return,
            },
            _ => return,
        };
        if let (Domain::Player, Shape::Bag { .. }, false, true) =
            (holds, shape, counting.owned, counting.seen.0)
        {
            let words = counting.words();
            let what = Counted::Numbers { words, step: 1 };
            both(format!("{} of a player", counting.name), what, found);
            return;
        }
        let kinds = match shape {
            Shape::Set { n, low } | Shape::Bag { n, low } if n as usize <= SLOTS_MAX => {
                low..low + n as i32
            }
            _ => 0..0,
        };
        let first = found.len();
        for (at, kind) in (0..).zip(kinds) {
            let words = counting.words();
            let what = match shape {
                Shape::Set { .. } => Counted::Member {
                    words,
                    step,
                    bit: at,
                },
                _ => Counted::Numbers {
                    words: words.iter().map(|word| word + at).collect(),
                    step,
                },
            };
            let name = format!("{}.{}", counting.name, self.element_name(holds, kind));
            seen(counting, name, what, found);
        }
        are_details(&mut found[first..]);
        if let Domain::Table(table) = holds {
            self.of_ends(counting, table, found);
            for (column, base) in self.number_columns(table) {
                let what = Counted::Column {
                    words: counting.words(),
                    step,
                    shape: counting.shape,
                    column: base,
                };
                seen(
                    counting,
                    format!("{}: {column}", counting.name),
                    what,
                    found,
                );
            }
        }
    }

    /// Places that name a player and also hold something: what it is of each seat.
    fn of_pairs(&self, found: &mut Vec<Feature>) {
        let open = |at: usize| {
            let layout = &self.program.cells[at];
            let plain = layout.is_open() && layout.owner.is_none() && !layout.passing;
            plain && layout.shape == Shape::Scalar && !layout.dims.is_empty()
        };
        let cells: Vec<usize> = (0..self.rules.cells.len()).filter(|at| open(*at)).collect();
        for holder in &cells {
            for thing in &cells {
                let (a, b) = (&self.rules.cells[*holder], &self.rules.cells[*thing]);
                let same = domains_of(a) == domains_of(b);
                let (Ty::Element(Domain::Player), Ty::Element(domain)) =
                    (a.ty.required(), b.ty.required())
                else {
                    continue;
                };
                let (low, n) = self.domain(*domain);
                if !same || *domain == Domain::Player || n as usize > SLOTS_MAX {
                    continue;
                }
                let words = |at: usize| {
                    let layout = &self.program.cells[at];
                    (0..layout.slots).map(|slot| layout.word(slot) as u32)
                };
                for value in low..low + n as i32 {
                    let what = Counted::HeldWith {
                        words: words(*holder).collect(),
                        others: words(*thing).collect(),
                        value,
                    };
                    let (name, element) = (
                        &self.program.cells[*thing].name,
                        self.element_name(*domain, value),
                    );
                    both(format!("{name} = {element} of a player"), what, found);
                }
            }
        }
    }

    fn of_formulas(&self, found: &mut Vec<Feature>) {
        let program = &self.program;
        let mut add =
            |name: &str, proc: ProcId, what: Counted| match reach_of_formula(program, proc) {
                Reach::All if matches!(what, Counted::Global(_)) => {
                    found.push(own(name.to_owned(), what));
                }
                Reach::All => both(name.to_owned(), what, found),
                Reach::Own => found.push(own(name.to_owned(), what)),
                Reach::Nobody => {}
            };
        for (at, formula) in self.rules.formulas.iter().enumerate() {
            let proc = program.formula_procs[at];
            let number = matches!(formula.ty, Ty::Int { .. } | Ty::Bool);
            if !number || formula.name.contains('#') {
                continue;
            }
            match (formula.owner, formula.params.len()) {
                (Some(Domain::Player), 1) => {
                    let name = formula.name.strip_prefix("player.");
                    let name = name.unwrap_or(&formula.name);
                    add(name, proc, Counted::Formula(proc));
                }
                (None, 0) => add(&formula.name, proc, Counted::Global(proc)),
                _ => {}
            }
        }
        for (at, line) in self.rules.scores.iter().enumerate() {
            let name = format!("score: {}", line.name);
            add(
                &name,
                program.score_procs[at],
                Counted::ScoreLine(at as u32),
            );
        }
        // Whoever wrote the rules says so what a position is worth looking at for.
        for strategy in &program.strategies {
            for (number, line) in (1..).zip(&strategy.of_positions) {
                let name = format!("{} {number}", strategy.name);
                add(&name, line.proc, Counted::Formula(line.proc));
            }
        }
        let reaches = program.score_procs.iter().chain(program.win_procs.first());
        let reach = reaches.map(|proc| reach_of_formula(program, *proc)).max();
        match reach {
            Some(Reach::All) => both("score".to_owned(), Counted::Score, found),
            Some(Reach::Own) => found.push(own("score".to_owned(), Counted::Score)),
            Some(Reach::Nobody) | None => {}
        }
    }

    /// Columns of numbers that differ, each with its first constant.
    fn number_columns(&self, table: ir::TableId) -> Vec<(&str, u32)> {
        let own = &self.rules.tables[table.index()];
        let columns = own.columns.iter().enumerate();
        let numbers = columns.filter(|(at, column)| {
            let mut values = own.rows.iter().map(|row| &row.values[*at]);
            let first = values.next();
            matches!(column.ty.required(), Ty::Int { .. })
                && values.any(|value| Some(value) != first)
        });
        let place = |at: usize| self.columns[table.index()][at].base;
        let numbers = numbers.map(|(at, column)| (column.name.as_str(), place(at)));
        numbers.take(COLUMNS_MAX).collect()
    }

    fn element_name(&self, domain: Domain, word: i32) -> String {
        let at = word as usize;
        let known = match domain {
            Domain::Table(id) => self.rules.tables[id.index()].rows.get(at),
            _ => None,
        };
        let member = match domain {
            Domain::Enum(id) => self.rules.enums[id.index()].members.get(at),
            _ => None,
        };
        let known = known.map(|row| &row.name).or(member);
        known.cloned().unwrap_or_else(|| match domain {
            Domain::Int { .. } => word.to_string(),
            _ => (word + 1).to_string(),
        })
    }
}

fn own(name: String, what: Counted) -> Feature {
    Feature {
        name,
        whose: Whose::Own,
        detail: false,
        what,
    }
}

/// Of the seat and of the others.
fn both(name: String, what: Counted, found: &mut Vec<Feature>) {
    found.push(Feature {
        name: format!("{name} of others"),
        whose: Whose::Others,
        detail: false,
        what: what.clone(),
    });
    found.push(own(name, what));
}

fn are_details(features: &mut [Feature]) {
    features.iter_mut().for_each(|one| one.detail = true);
}

/// As far as the seat may see it.
fn seen(counting: &Counting<'_>, name: String, what: Counted, found: &mut Vec<Feature>) {
    if counting.owned && counting.seen.1 {
        both(name, what, found);
    } else if counting.seen.0 {
        found.push(own(name, what));
    }
}
