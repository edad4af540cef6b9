//! State variables: their place in the block, their start, cells as targets.

use super::{Lower, LowerError};
use crate::program::*;
use dsl::ir::{self, CellOwner, Domain, ExprKind, Ty};
use std::collections::BTreeSet;

/// What tells a cell's slots apart: whose it is, and its indices.
pub(super) fn domains_of(cell: &ir::Cell) -> Vec<Domain> {
    let owner = match cell.owner {
        CellOwner::Each(domain) => Some(domain),
        CellOwner::Game | CellOwner::Step(_) | CellOwner::Action(_) => None,
    };
    let indices = cell.indices.iter().copied();
    owner.into_iter().chain(indices).collect()
}

impl Lower<'_> {
    /// Gives every cell its words; starts and feeds come later, when all cells are known.
    pub(super) fn place_cells(&mut self) -> Result<(), LowerError> {
        self.program.agenda_width = self.agenda_width();
        for _ in &self.rules.labels {
            let word = self.program.fixed_words;
            self.program.label_words.push(word);
            self.program.fixed_words += 2;
        }
        self.endings();
        for cell in &self.rules.cells {
            let layout = self.cell_layout(cell)?;
            let total = u64::from(layout.words) * u64::from(layout.slots);
            self.room_for(cell, total)?;
            self.program.fixed_words += total as u32;
            let slot = Slot(self.program.cells.len() as u32);
            match cell.owner {
                CellOwner::Step(label) => self.program.label_cells[label.index()].push(slot),
                CellOwner::Action(action) => self.program.action_cells[action.index()].push(slot),
                CellOwner::Game | CellOwner::Each(_) => {}
            }
            self.program.cells.push(layout);
        }
        Ok(())
    }

    fn room_for(&self, cell: &ir::Cell, words: u64) -> Result<(), LowerError> {
        let taken = u64::from(self.program.fixed_words);
        if taken.saturating_add(words) <= u64::from(STATE_WORDS_MAX) {
            return Ok(());
        }
        Err(LowerError {
            span: cell.span,
            message: format!(
                "`{}` needs {words} words of state; there is room for {STATE_WORDS_MAX} of all cells together: give it \
                 smaller ranges or fewer indices",
                cell.name
            ),
        })
    }

    fn cell_layout(&mut self, cell: &ir::Cell) -> Result<CellLayout, LowerError> {
        let domains = domains_of(cell);
        let sizes = self.dims_of(&domains);
        let slots = sizes
            .iter()
            .fold(1u64, |slots, (_, n)| slots.saturating_mul(u64::from(*n)));
        self.room_for(cell, slots)?;
        let mut stride = 1;
        let mut dims: Vec<(i32, u32, u32)> = Vec::new();
        for (low, n) in sizes.iter().rev() {
            dims.push((*low, *n, stride));
            stride *= n;
        }
        dims.reverse();
        let slots = stride;
        let capacities = self.per_slot(cell, cell.capacity.as_ref(), &sizes)?;
        let shape = self.cell_shape(cell, capacities.as_deref())?;
        let room = capacities.as_ref().and_then(|c| c.iter().max().copied());
        self.start_fits(cell, room)?;
        let words = shape.state_words() as u32;
        let low = self.per_slot(cell, cell.low.as_ref(), &sizes)?;
        let high = self.per_slot(cell, cell.high.as_ref(), &sizes)?;
        let low = self.bound(cell, low, UNKNOWN + 1);
        let high = self.bound(cell, high, i32::MAX);
        let capacity = self.bound(cell, capacities, i32::MAX);
        let slot = Slot(self.program.cells.len() as u32);
        let reason = self.reason(ReasonKind::Range(slot), cell.span, None);
        let name = self.cell_name(cell);
        let stream = self.stream(format!("cell {name}"), &cell.ty);
        for extra in 1..slots.max(1) {
            self.stream(format!("cell {name} {extra}"), &cell.ty);
        }
        Ok(CellLayout {
            name,
            base: self.program.fixed_words,
            shape,
            words,
            dims,
            slots,
            low,
            high,
            capacity,
            more_room: super::rooms::more_room(self, cell),
            optional: matches!(cell.ty, Ty::Optional(_)),
            start: Start::Fill(0),
            hidden: cell.visibility.hidden,
            private: cell.visibility.private,
            top_shown: cell.visibility.top,
            conceals: cell.conceals(),
            looks: self.looks(cell),
            owner: owner(cell),
            passing: matches!(cell.owner, CellOwner::Step(_) | CellOwner::Action(_)),
            holds: holds(&cell.ty),
            values: self.values(&cell.ty),
            reason,
            start_locals: Vec::new(),
            frame_words: frame::SIZE as u32,
            stream,
            refill: None,
            fill: None,
        })
    }

    /// For each row the first one that shows the same.
    fn looks(&self, cell: &ir::Cell) -> Option<Vec<i32>> {
        let columns = &cell.visibility.showing;
        let Some(Domain::Table(table)) = holds(&cell.ty) else {
            return None;
        };
        if columns.is_empty() {
            return None;
        }
        let rows = &self.rules.tables[table.index()].rows;
        let same = |a: usize, b: usize| {
            let mut columns = columns.iter().map(|column| column.index());
            columns.all(|column| rows[a].values[column] == rows[b].values[column])
        };
        let first = |row: usize| (0..row).find(|other| same(row, *other)).unwrap_or(row) as i32;
        Some((0..rows.len()).map(first).collect())
    }

    /// Lowest value and number of values of a word of this type, or of what lies in a container.
    fn values(&self, ty: &Ty) -> Option<(i32, u32)> {
        match ty
            .required()
            .element()
            .unwrap_or_else(|| ty.required().clone())
        {
            Ty::Bool => Some((0, 2)),
            Ty::Element(domain) => Some(self.domain(domain)),
            Ty::Int {
                low: Some(low),
                high: Some(high),
            } => {
                let count = u32::try_from(high - low + 1).ok()?;
                Some((i32::try_from(low).ok()?, count))
            }
            Ty::Int { .. } => None,
            // These have values that no state but their own makes.
            _ => Some((0, 0)),
        }
    }

    fn cell_name(&self, cell: &ir::Cell) -> String {
        match cell.owner {
            CellOwner::Game => cell.name.clone(),
            CellOwner::Each(domain) => format!("{}.{}", self.domain_name(domain), cell.name),
            CellOwner::Step(label) => {
                format!("{}.{}", self.rules.labels[label.index()].name, cell.name)
            }
            CellOwner::Action(action) => {
                format!("{}.{}", self.rules.actions[action.index()].name, cell.name)
            }
        }
    }

    pub(super) fn domain_name(&self, domain: Domain) -> String {
        match domain {
            Domain::Table(id) | Domain::Part(id) => self.rules.tables[id.index()].name.clone(),
            Domain::Enum(id) => self.rules.enums[id.index()].name.clone(),
            Domain::Player => "player".into(),
            Domain::Cell => "cell".into(),
            Domain::Side => "side".into(),
            Domain::Port => "port".into(),
            Domain::Action => "action".into(),
            Domain::Int { .. } => "number".into(),
        }
    }

    fn cell_shape(&self, cell: &ir::Cell, capacities: Option<&[i32]>) -> Result<Shape, LowerError> {
        let room = capacities.and_then(|c| c.iter().max().copied());
        let bad = |what: &str| LowerError {
            span: cell.span,
            message: format!("the size of `{}` {what}", cell.name),
        };
        Ok(match (cell.ty.required(), room) {
            (Ty::Row(_), Some(n)) if (1..=1024).contains(&n) => Shape::Row { n: n as u32 },
            (Ty::Row(_), Some(_)) => return Err(bad("has to be 1 to 1024")),
            (Ty::Row(_), None) => return Err(bad("is not known when the game is loaded")),
            (ty @ (Ty::List(_) | Ty::Deck(_)), Some(n)) if (0..=65_536).contains(&n) => {
                Shape::List {
                    cap: n as u32,
                    deck: matches!(ty, Ty::Deck(_)),
                }
            }
            (ty, _) => match (self.shape(ty), &cell.start) {
                (Shape::List { cap, deck }, Some(start)) => Shape::List {
                    cap: cap.max(self.room_of_start(start)),
                    deck,
                },
                (shape, _) => shape,
            },
        })
    }

    /// The values of a size or bound for each slot; none if it is not given. For parts that lie on a tiling there is one
    /// for each row: which of them lies where is not known yet.
    fn per_slot(
        &self,
        cell: &ir::Cell,
        expr: Option<&ir::Expr>,
        sizes: &[(i32, u32)],
    ) -> Result<Option<Vec<i32>>, LowerError> {
        let Some(expr) = expr else { return Ok(None) };
        let mut domains = domains_of(cell);
        let mut sizes = sizes.to_vec();
        if let CellOwner::Each(Domain::Part(table)) = cell.owner {
            domains[0] = Domain::Table(table);
            sizes[0] = self.domain(domains[0]);
        }
        let slots: u32 = sizes.iter().map(|d| d.1).product();
        let mut values = Vec::with_capacity(slots as usize);
        for slot in 0..slots {
            let locals = self.indices_of(&domains, &sizes, slot, cell.code.locals.len());
            let value = self
                .constant_word(expr, &locals)
                .ok_or_else(|| LowerError {
                    span: expr.span,
                    message: format!(
                        "this bound of `{}` is not known when the game is loaded",
                        cell.name
                    ),
                })?;
            values.push(value);
        }
        Ok(Some(values))
    }

    fn bound(&mut self, cell: &ir::Cell, values: Option<Vec<i32>>, default: i32) -> Bound {
        match values {
            None => Bound::Const(default),
            Some(values) if values.windows(2).all(|pair| pair[0] == pair[1]) => {
                // Below lie the words that are no numbers.
                let value = values.first().copied().unwrap_or(default);
                Bound::Const(value.max(UNKNOWN + 1))
            }
            Some(values) => {
                let base = self.reserve_consts(0);
                let len = values.len() as u32;
                self.program.consts.extend(values);
                if let CellOwner::Each(Domain::Part(table)) = cell.owner {
                    let rows = self.rules.tables[table.index()].rows.len() as u32;
                    let parts = self.parts_index(table);
                    return Bound::PerPart {
                        base,
                        rest: len / rows.max(1),
                        parts,
                    };
                }
                Bound::PerSlot(base)
            }
        }
    }

    /// Starts, feeds, and the order in which starts can be computed.
    pub(super) fn cell_starts(&mut self) -> Result<(), LowerError> {
        for (at, cell) in self.rules.cells.iter().enumerate() {
            self.open(&cell.code);
            let owners = usize::from(matches!(cell.owner, CellOwner::Each(_))) + cell.indices.len();
            let start_locals = (0..owners.min(self.locals.len()))
                .map(|l| self.locals[l].0)
                .collect();
            let start = match &cell.start {
                None => Start::Fill(self.empty_start(cell, at)),
                Some(expr) => match self.constant_word(expr, &[]) {
                    Some(word)
                        if !cell.ty.required().is_container()
                            && expr_is_scalar(expr)
                            && self.holds(at, word) =>
                    {
                        Start::Fill(word)
                    }
                    _ => Start::Eval(self.expr(expr)),
                },
            };
            let refill = cell.refill.as_ref().map(|place| self.place(place));
            let fill = cell.fill.as_ref().map(|place| self.place(place));
            let frame_words = self.frame_words;
            let layout = &mut self.program.cells[at];
            layout.start = start;
            layout.start_locals = start_locals;
            layout.frame_words = frame_words;
            layout.refill = refill;
            layout.fill = fill;
            if refill.is_some() || fill.is_some() {
                self.program.feeding.push(Slot(at as u32));
            }
        }
        let Flat { cells, feeding, .. } = &mut self.program.flat;
        feeding.sort_by_key(|slot| (cells[slot.at()].fill.is_some(), *slot));
        self.start_order()
    }

    fn start_order(&mut self) -> Result<(), LowerError> {
        let reads: Vec<BTreeSet<u32>> = self
            .rules
            .cells
            .iter()
            .map(|cell| {
                let mut found = BTreeSet::new();
                if let Some(start) = &cell.start {
                    self.cells_read(start, &mut found, 0);
                }
                found
            })
            .collect();
        let mut done = vec![false; reads.len()];
        let game_cell = |at: usize| {
            matches!(
                self.rules.cells[at].owner,
                CellOwner::Game | CellOwner::Each(_)
            )
        };
        let mut order = Vec::new();
        loop {
            let next = (0..reads.len()).find(|&at| {
                !done[at]
                    && game_cell(at)
                    && reads[at]
                        .iter()
                        .all(|&r| done[r as usize] || !game_cell(r as usize))
            });
            let Some(next) = next else { break };
            done[next] = true;
            order.push(Slot(next as u32));
        }
        if let Some(stuck) = (0..reads.len()).find(|&at| !done[at] && game_cell(at)) {
            return Err(LowerError {
                span: self.rules.cells[stuck].span,
                message: format!(
                    "the start of `{}` waits for itself",
                    self.rules.cells[stuck].name
                ),
            });
        }
        self.program.start_order = order;
        Ok(())
    }

    /// Cells an expression may read, through formulas too.
    fn cells_read(&self, expr: &ir::Expr, found: &mut BTreeSet<u32>, depth: u32) {
        if depth > 64 {
            return;
        }
        walk_expr(expr, &mut |inner| match &inner.kind {
            ExprKind::Cell(cell, _) => {
                found.insert(cell.0);
            }
            ExprKind::Call(formula, _) => {
                self.cells_read(&self.rules.formulas[formula.index()].body, found, depth + 1)
            }
            _ => {}
        });
    }

    pub(super) fn place(&mut self, place: &ir::Place) -> PlaceId {
        let args = self.exprs(&place.indices);
        let element = place.element.as_ref().map(|e| self.expr(e));
        let slot = Slot(place.cell.0);
        let shape = if element.is_some() {
            Shape::Scalar
        } else {
            self.program.cells[slot.at()].shape
        };
        let feeds = self.feeds(place.cell);
        let cell = &self.program.cells[slot.at()];
        let list = self.program.listed(args);
        let by = match (list, cell.dims.as_slice()) {
            ([], _) if element.is_none() => Some(By::Nothing { word: cell.base }),
            ([index], [(low, n, _)]) => {
                let axis = Axis {
                    base: cell.base,
                    words: cell.words,
                    low: *low,
                    n: *n,
                };
                match self.program.nodes[index.at()] {
                    Node::Me => Some(By::Me(axis)),
                    Node::Local(at) => Some(By::Local(at, axis)),
                    _ => None,
                }
            }
            _ => None,
        };
        self.program.places.push(Place {
            cell: slot,
            args,
            element,
            shape,
            span: place.span,
            feeds,
            compared: false,
            by,
        });
        PlaceId(self.program.places.len() as u32 - 1)
    }

    /// The cell has a feed or is one's source.
    fn feeds(&self, cell: ir::CellId) -> bool {
        let own = &self.rules.cells[cell.index()];
        own.refill.is_some()
            || own.fill.is_some()
            || self.rules.cells.iter().any(|other| {
                other.refill.as_ref().is_some_and(|p| p.cell == cell)
                    || other.fill.as_ref().is_some_and(|p| p.cell == cell)
            })
    }

    /// What is counted of the histories of `repeats` lies behind the cells; then chance counters; then `when` bits.
    pub(super) fn finish_layout(&mut self) {
        if !self.program.effects.is_empty() {
            self.program.run_queue = Some(self.program.fixed_words);
            let width = self.program.agenda_width;
            self.program.fixed_words += Shape::Agenda { width }.words() as u32;
        }
        if self.rules.labels.iter().any(|label| label.counted) {
            self.program.owed = Some(self.program.fixed_words);
            self.program.fixed_words += self.players + 1;
        }
        if self.program.code.contains(&Op::SecretBegin) {
            self.program.secret_copy = Some(self.program.fixed_words);
            self.program.fixed_words += self.program.cell_words().len() as u32;
        }
        let program = &mut self.program.flat;
        for history in &mut program.histories {
            history.base = program.fixed_words;
            program.fixed_words += history_word::SIZE as u32;
        }
        for place in &mut program.places {
            let mut histories = program.histories.iter();
            place.compared = histories.any(|history| history.slots.contains(&place.cell));
        }
        program.stream_base = program.fixed_words;
        program.fixed_words += program.stream_keys.len() as u32;
        for when in &mut program.whens {
            let bits = when.bindings.count.div_ceil(32);
            when.was = program.fixed_words;
            when.pending = when.was + bits;
            when.fired = when.pending + bits;
            program.fixed_words += 3 * bits;
        }
    }
}

fn expr_is_scalar(expr: &ir::Expr) -> bool {
    !expr.ty.required().is_container()
}

/// Visits an expression and everything in it.
pub(super) fn walk_expr(expr: &ir::Expr, visit: &mut dyn FnMut(&ir::Expr)) {
    visit(expr);
    let mut all = |exprs: &[ir::Expr]| exprs.iter().for_each(|e| walk_expr(e, visit));
    match &expr.kind {
        ExprKind::Lookup(_, args)
        | ExprKind::Grid(_, args)
        | ExprKind::Cell(_, args)
        | ExprKind::Call(_, args) => all(args),
        ExprKind::SetOf(items) | ExprKind::ListOf(items) => all(items),
        ExprKind::BagOf(items) => items.iter().for_each(|(kind, count)| {
            walk_expr(kind, visit);
            walk_expr(count, visit);
        }),
        ExprKind::Column(e, ..)
        | ExprKind::ColumnAt(e, ..)
        | ExprKind::Score(_, e)
        | ExprKind::Unary(_, e)
        | ExprKind::Unwrap(e)
        | ExprKind::Parts(e)
        | ExprKind::Convert(e)
        | ExprKind::First(e)
        | ExprKind::Size(e)
        | ExprKind::TopOf(e)
        | ExprKind::BottomOf(e)
        | ExprKind::Shuffled(e)
        | ExprKind::Random(e)
        | ExprKind::WalkValue(e)
        | ExprKind::WalkNodes(e)
        | ExprKind::Seat(e)
        | ExprKind::Left(e)
        | ExprKind::Right(e)
        | ExprKind::RowOf(e)
        | ExprKind::ColumnOf(e)
        | ExprKind::Back(e)
        | ExprKind::PositionOf(e)
        | ExprKind::PositionOfTile(e) => walk_expr(e, visit),
        ExprKind::CallValue(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Otherwise(a, b)
        | ExprKind::Range(a, b)
        | ExprKind::CountOf(a, b)
        | ExprKind::At(a, b)
        | ExprKind::Next(a, b)
        | ExprKind::PositionAt(a, b)
        | ExprKind::Turned(a, b) => {
            walk_expr(a, visit);
            walk_expr(b, visit);
        }
        ExprKind::If(a, b, c) => {
            walk_expr(a, visit);
            walk_expr(b, visit);
            walk_expr(c, visit);
        }
        ExprKind::Aggregate { binders, value, .. } => {
            binders.iter().for_each(|b| walk_binder(b, visit));
            if let Some(value) = value {
                walk_expr(value, visit);
            }
        }
        ExprKind::Joins(_, receiver, a, b) => {
            receiver.iter().for_each(|r| walk_expr(r, visit));
            walk_expr(a, visit);
            walk_expr(b, visit);
        }
        ExprKind::Reach(_, receiver, from) => {
            receiver.iter().for_each(|r| walk_expr(r, visit));
            walk_expr(from, visit);
        }
        ExprKind::BestWalk(walk) | ExprKind::Distance(walk) | ExprKind::EndsOfWalk(walk) => {
            walk.by.iter().for_each(|by| walk_binder(by, visit));
            walk_expr(&walk.from, visit);
            let clauses = [
                &walk.receiver,
                &walk.to,
                &walk.up_to,
                &walk.at_least,
                &walk.where_,
                &walk.need,
                &walk.max,
            ];
            clauses
                .into_iter()
                .flatten()
                .for_each(|e| walk_expr(e, visit));
        }
        ExprKind::Can(_, args) => args.iter().flatten().for_each(|e| walk_expr(e, visit)),
        _ => {}
    }
}

pub(super) fn walk_binder(binder: &ir::Binder, visit: &mut dyn FnMut(&ir::Expr)) {
    walk_expr(&binder.source, visit);
    binder
        .conditions
        .iter()
        .for_each(|c| walk_expr(&c.expr, visit));
    binder.by.iter().for_each(|e| walk_expr(e, visit));
    binder.from.iter().for_each(|e| walk_expr(e, visit));
    binder.up_to.iter().for_each(|e| walk_expr(e, visit));
}

/// What lies in a container, or in a cell that holds one piece.
pub(super) fn holds(ty: &Ty) -> Option<Domain> {
    match ty {
        Ty::Set(domain) | Ty::Bag(domain) | Ty::Deck(domain) | Ty::Row(domain) => Some(*domain),
        Ty::List(element) => holds(&Ty::Optional(element.clone())),
        Ty::Optional(inner) => match **inner {
            Ty::Element(domain) => Some(domain),
            _ => None,
        },
        _ => None,
    }
}

/// Which of a cell's indices, its owner being the first, is the player whose it is.
fn owner(cell: &ir::Cell) -> Option<usize> {
    if cell.owner == CellOwner::Each(Domain::Player) {
        return Some(0);
    }
    let before = usize::from(matches!(cell.owner, CellOwner::Each(_)));
    let mut indices = cell.indices.iter();
    let index = indices.position(|domain| *domain == Domain::Player)?;
    Some(before + index)
}
