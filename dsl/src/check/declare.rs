//! First stage: everything that has a name gets its id.

use super::names::{Global, Member, Seen};
use super::symbols::Symbol;
use super::{Checker, Progress, formulas, stub};
use crate::assembly::{Entry, RawValue};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, CellOwner, Code, Domain, EnumId, LabelId, LayerId, TableId, Ty, Value};
use crate::source::Span;
use crate::syntax::{ast, reserved};

impl<'a> Checker<'a> {
    pub(super) fn declare(&mut self) {
        let asm = self.asm;
        self.declare_enums();
        self.declare_tables();
        for entry in &asm.actions {
            self.declare_action(entry);
        }
        self.declare_tiling();
        self.declare_options();
        self.declare_collected();
        self.table_names();
        for entry in &asm.grids {
            self.declare_grid(entry);
        }
        self.declare_labels();
        self.first_cell = self.rs.cells.len();
        for entry in &asm.cells {
            self.declare_cell(entry);
        }
        for entry in &asm.formulas {
            self.declare_formula(entry);
        }
        for entry in &asm.networks {
            self.declare_network(entry);
        }
        if self.rs.tiling.is_some() {
            // What is asked from outside, by cases and pictures, may walk over the board though no rule does.
            self.neighbours();
        }
        self.table_columns();
    }

    pub(super) fn global(&mut self, name: &ast::Name, what: Global, layer: LayerId) {
        self.refuse_reserved(name);
        self.note_global(name.span, what);
        let seen = Seen {
            what,
            layer,
            span: name.span,
        };
        if let Some(before) = self.names.add_global(&name.text, seen) {
            self.second(name, before);
        }
    }

    /// Reports a name that means something already wherever it stands; whether it does.
    pub(super) fn refuse_reserved(&mut self, name: &ast::Name) -> bool {
        let of_board = reserved::is_of_boards(&name.text) && self.is_of_board(&name.text);
        let is_reserved = of_board || reserved::is_reserved(&name.text);
        if is_reserved {
            self.tell_reserved(name);
        }
        is_reserved
    }

    /// Whether the game has a board and nothing of its own is the places of it.
    fn is_of_board(&self, name: &str) -> bool {
        let grounds = self.asm.tilings.iter().map(|entry| &entry.item.ground);
        let is_own = |ground: &ast::TilingGround| matches!(ground, ast::TilingGround::Table { table, .. } if table.text == name);
        !self.asm.tilings.is_empty() && !grounds.into_iter().any(is_own)
    }

    fn tell_reserved(&mut self, name: &ast::Name) {
        let message = format!("`{}` is a word of the language", name.text);
        let help = match name.text.as_str() {
            "player" => {
                "it means all who play: take another name; one of them is called in the loop, `each p in …`"
            }
            _ => "it means something already wherever it stands: take another name",
        };
        self.report(Diagnostic::error("reserved-name", name.span, message).help(help));
    }

    pub(super) fn second(&mut self, name: &ast::Name, before: Span) {
        let message = format!("`{}` is declared twice", name.text);
        let diagnostic =
            Diagnostic::error("declared-twice", name.span, message).label(before, "the first one");
        self.report(diagnostic);
    }

    // -------------------------------------------------------------------------------------------- enums

    fn declare_enums(&mut self) {
        for entry in &self.asm.enums {
            let decl = &entry.item.decl;
            let id = self.add_enum(&decl.name.text, decl.name.span);
            self.note_replaced(entry, |old| &old.decl.name, Symbol::Enum(id));
            self.global(&decl.name, Global::Enum(id), entry.first_layer());
            for member in &decl.members {
                let has = |old: &crate::assembly::EnumEntry| {
                    let members = &old.decl.members;
                    members.iter().any(|one| one.text == member.text)
                };
                self.add_enum_member(id, member, entry.first_with(has));
            }
            for (member, layer) in &entry.item.added {
                self.add_enum_member(id, member, *layer);
            }
        }
    }

    pub(super) fn add_enum(&mut self, name: &str, span: Span) -> EnumId {
        let id = EnumId(self.rs.enums.len() as u32);
        self.rs.enums.push(ir::Enum {
            name: name.to_owned(),
            members: Vec::new(),
            span,
        });
        self.names
            .enum_members
            .push(std::collections::BTreeMap::new());
        self.names.enum_layers.push(Vec::new());
        id
    }

    pub(super) fn add_enum_member(&mut self, id: EnumId, member: &ast::Name, layer: LayerId) {
        if reserved::is_value(&member.text) {
            self.tell_reserved(member);
        }
        let number = self.rs.enums[id.index()].members.len() as u32;
        if self.names.enum_members[id.index()].contains_key(&member.text) {
            let message = format!("`{}` is a member already", member.text);
            self.report(Diagnostic::error("declared-twice", member.span, message));
            return;
        }
        self.push_enum_member(id, &member.text, number, layer);
        self.note(member.span, Symbol::Member(id, number));
    }

    fn push_enum_member(&mut self, id: EnumId, word: &str, number: u32, layer: LayerId) {
        self.rs.enums[id.index()].members.push(word.to_owned());
        self.names.enum_members[id.index()].insert(word.to_owned(), number);
        self.names.enum_layers[id.index()].push(layer);
        self.names
            .words
            .entry(word.to_owned())
            .or_default()
            .push((Domain::Enum(id), number));
    }

    /// `enum name` in columns: the members are what stands in the column, in row order.
    fn declare_collected(&mut self) {
        let asm = self.asm;
        for entry in &asm.tables {
            for column in &entry.item.decl.columns {
                if let Some(name) = column.ty.collected() {
                    self.collect(name, column, entry);
                }
            }
        }
    }

    fn collect(
        &mut self,
        name: &ast::Name,
        column: &ast::ColumnDecl,
        entry: &Entry<crate::assembly::TableEntry>,
    ) {
        let id = match self.names.global(&name.text, name.span) {
            Some(Global::Enum(id)) => id,
            Some(_) => return,
            None => {
                let id = self.add_enum(&name.text, name.span);
                self.global(name, Global::Enum(id), entry.first_layer());
                id
            }
        };
        for row in &entry.item.rows {
            let layer = super::keys::row_layer(entry, row.layer);
            let cell = row
                .cells
                .iter()
                .find(|cell| cell.name.text == column.name.text);
            for word in cell.map_or_else(Vec::new, |cell| words(&cell.value)) {
                if !word.is_empty() && !self.names.enum_members[id.index()].contains_key(&word) {
                    let number = self.rs.enums[id.index()].members.len() as u32;
                    self.push_enum_member(id, &word, number, layer);
                }
            }
        }
    }

    // -------------------------------------------------------------------------------------------- tables, tiling

    fn declare_tables(&mut self) {
        for entry in &self.asm.tables {
            let id = TableId(self.rs.tables.len() as u32);
            let name = &entry.item.decl.name;
            self.note_replaced(entry, |old| &old.decl.name, Symbol::Table(id));
            self.global(name, Global::Table(id), entry.first_layer());
            self.rs.tables.push(ir::Table {
                name: name.text.clone(),
                span: name.span,
                doc: entry.doc.clone(),
                columns: Vec::new(),
                key: Vec::new(),
                copies: None,
                parent: None,
                rows: Vec::new(),
            });
            self.names.rows.push(std::collections::BTreeMap::new());
            self.names.row_layers.push(Vec::new());
        }
    }

    pub(super) fn table_named(&mut self, name: &ast::Name) -> Option<TableId> {
        match self.names.global(&name.text, name.span) {
            Some(global @ Global::Table(id)) => {
                self.note_global(name.span, global);
                Some(id)
            }
            _ => {
                let tables = self.rs.tables.iter().map(|table| table.name.as_str());
                let near =
                    crate::diagnostic::suggest::nearest(&name.text, tables).map(str::to_owned);
                let mut diagnostic = Diagnostic::error(
                    "unknown-name",
                    name.span,
                    format!("there is no table `{}`", name.text),
                );
                if let Some(near) = near {
                    diagnostic = diagnostic.meant(name.span, near);
                }
                self.report(diagnostic);
                None
            }
        }
    }

    // -------------------------------------------------------------------------------------------- options, grids

    fn declare_options(&mut self) {
        for entry in &self.asm.options {
            let decl = &entry.item.decl;
            let id = ir::OptionId(self.rs.options.len() as u32);
            self.note_replaced(entry, |old| &old.decl.name, Symbol::Option(id));
            self.global(&decl.name, Global::Option(id), entry.first_layer());
            self.option_done.push(Progress::Todo);
            self.rs.options.push(ir::GameOption {
                name: decl.name.text.clone(),
                doc: entry.doc.clone(),
                ty: Ty::INT,
                default: Value::None,
                value: Value::None,
                span: decl.name.span,
                set_at: entry.item.sets.last().map(|set| set.span),
            });
        }
    }

    fn declare_grid(&mut self, entry: &'a Entry<crate::assembly::GridEntry>) {
        let decl = &entry.item.decl;
        let id = ir::GridId(self.rs.grids.len() as u32);
        self.note_replaced(entry, |old| &old.decl.name, Symbol::Grid(id));
        self.global(&decl.name, Global::Grid(id), entry.first_layer());
        self.rs.grids.push(ir::Grid {
            name: decl.name.text.clone(),
            span: decl.name.span,
            indices: Vec::new(),
            ty: Ty::Bool,
            values: Vec::new(),
        });
    }

    // -------------------------------------------------------------------------------------------- cells, formulas

    pub(super) fn new_cell(
        &mut self,
        name: &str,
        span: Span,
        owner: CellOwner,
        ty: Ty,
    ) -> ir::CellId {
        let id = ir::CellId(self.rs.cells.len() as u32);
        self.rs.cells.push(ir::Cell {
            name: name.to_owned(),
            span,
            doc: String::new(),
            owner,
            indices: Vec::new(),
            ty,
            low: None,
            high: None,
            capacity: None,
            visibility: ir::Visibility::default(),
            start: None,
            refill: None,
            fill: None,
            code: Code::default(),
        });
        id
    }

    fn declare_cell(&mut self, entry: &'a Entry<ast::CellDecl>) {
        let decl = &entry.item;
        let owner = decl.owner.as_ref().and_then(|owner| self.cell_owner(owner));
        let failed = owner.is_none() && decl.owner.is_some();
        let owner = owner.unwrap_or(CellOwner::Game);
        let id = self.new_cell(&decl.name.text, decl.name.span, owner, Ty::Bool);
        self.note_replaced(entry, |old| &old.name, Symbol::Cell(id));
        self.rs.cells[id.index()].doc = entry.doc.clone();
        if failed {
            return;
        }
        let layer = entry.first_layer();
        match owner {
            CellOwner::Game => self.global(&decl.name, Global::Cell(id), layer),
            CellOwner::Each(domain) => self.member(domain, &decl.name, Member::Cell(id), layer),
            CellOwner::Step(_) | CellOwner::Action(_) => {
                self.step_cell(&decl.name, id, layer, owner)
            }
        }
    }

    fn step_cell(&mut self, name: &ast::Name, id: ir::CellId, layer: LayerId, owner: CellOwner) {
        self.refuse_reserved(name);
        let all = self.names.steps.entry(name.text.clone()).or_default();
        let same = all
            .iter()
            .find(|old| self.rs.cells[old.what.index()].owner == owner)
            .map(|old| old.span);
        all.push(Seen {
            what: id,
            layer,
            span: name.span,
        });
        self.note(name.span, Symbol::Cell(id));
        if let Some(before) = same {
            self.second(name, before);
        }
    }

    pub(super) fn member(&mut self, owner: Domain, name: &ast::Name, what: Member, layer: LayerId) {
        // Columns that come by themselves are called after nothing that stands there.
        if self.slice(name.span) == name.text {
            self.note_member(name.span, what);
        }
        let seen = Seen {
            what,
            layer,
            span: name.span,
        };
        if let Some(before) = self.names.add_member(owner, &name.text, seen) {
            self.second(name, before);
        }
    }

    fn cell_owner(&mut self, owner: &ast::Name) -> Option<CellOwner> {
        if let Some(domain) = self.owner_domain(owner) {
            return Some(CellOwner::Each(domain));
        }
        if let Some(Global::Action(id)) = self.names.global(&owner.text, owner.span) {
            self.note(owner.span, Symbol::Action(id));
            return Some(CellOwner::Action(id));
        }
        if let Some(id) = self.names.labels.get(&owner.text).copied() {
            self.note(owner.span, Symbol::Label(id));
            return Some(CellOwner::Step(id));
        }
        self.unknown_owner(owner);
        None
    }

    fn unknown_owner(&mut self, owner: &ast::Name) {
        if self.is_broken(&owner.text) {
            return;
        }
        if owner.text == "score" {
            let help = "a line of the score stands below `score`; a variant writes `replace score.name = …`, `add to score: name = …`";
            let message = "lines of the score are not declared by themselves";
            return self.report(Diagnostic::error("unknown-name", owner.span, message).help(help));
        }
        let near = self.near_owner(&owner.text);
        let message = format!("there is no table, action or step `{}`", owner.text);
        let mut diagnostic = Diagnostic::error("unknown-name", owner.span, message);
        if let Some(near) = near {
            diagnostic = diagnostic.meant(owner.span, near);
        }
        self.report(diagnostic);
    }

    fn near_owner(&self, name: &str) -> Option<String> {
        let tables = self.rs.tables.iter().map(|table| table.name.as_str());
        let actions = self.rs.actions.iter().map(|action| action.name.as_str());
        let labels = self.names.labels.keys().map(String::as_str);
        let all = tables
            .chain(actions)
            .chain(labels)
            .chain(["player", "cell"]);
        crate::diagnostic::suggest::nearest(name, all).map(str::to_owned)
    }

    /// Tables, enums, `player`, `cell`, `side` as owners.
    pub(super) fn owner_domain(&mut self, owner: &ast::Name) -> Option<Domain> {
        let global = self.names.global(&owner.text, owner.span);
        if let Some(global @ (Global::Table(_) | Global::Enum(_))) = global {
            self.note_global(owner.span, global);
        }
        match (global, owner.text.as_str()) {
            (Some(Global::Table(id)), _) if self.is_part(id) => Some(Domain::Part(id)),
            (Some(Global::Table(id)), _) => Some(Domain::Table(id)),
            (Some(Global::Enum(id)), _) => Some(Domain::Enum(id)),
            (_, "player") => Some(Domain::Player),
            (_, "cell") if self.rs.tiling.is_some() => Some(self.positions()),
            (_, "side") if self.rs.tiling.is_some() => Some(Domain::Side),
            _ => None,
        }
    }

    fn declare_formula(&mut self, entry: &'a Entry<ast::FormulaDecl>) {
        let decl = &entry.item;
        let owner = decl
            .owner
            .as_ref()
            .and_then(|owner| self.owner_domain(owner));
        if let Some(name) = &decl.owner
            && owner.is_none()
        {
            self.unknown_owner(name);
        }
        let id = self.add_formula(entry, owner, 0);
        self.note_replaced(entry, |old| &old.name, Symbol::Formula(id));
        let layer = entry.first_layer();
        match (owner, &decl.owner) {
            (Some(domain), _) => self.member(domain, &decl.name, Member::Formula(id), layer),
            (None, None) => self.global(&decl.name, Global::Formula(id), layer),
            (None, Some(_)) => {}
        }
        let mut before = id;
        for (depth, old) in entry.replaced.iter().enumerate() {
            let hidden = self.add_formula(old, owner, depth as u32 + 1);
            self.formulas[before.index()].1.set_original(hidden);
            before = hidden;
        }
    }

    fn add_formula(
        &mut self,
        entry: &'a Entry<ast::FormulaDecl>,
        owner: Option<Domain>,
        depth: u32,
    ) -> ir::FormulaId {
        let id = ir::FormulaId(self.rs.formulas.len() as u32);
        let decl = &entry.item;
        let mut name = match &decl.owner {
            Some(owner) => format!("{}.{}", owner.text, decl.name.text),
            None => decl.name.text.clone(),
        };
        if depth > 0 {
            name = format!("{name}#{depth}");
        }
        self.formulas.push((
            Progress::Todo,
            formulas::Origin::Declared {
                decl,
                original: None,
            },
        ));
        self.rs.formulas.push(ir::Formula {
            name,
            span: decl.name.span,
            doc: entry.doc.clone(),
            owner,
            params: Vec::new(),
            ty: Ty::Bool,
            body: stub(decl.name.span),
            code: Code::default(),
        });
        id
    }

    // -------------------------------------------------------------------------------------------- actions, labels

    fn declare_action(&mut self, entry: &'a Entry<ast::ActionDecl>) {
        let decl = &entry.item;
        let id = ir::ActionId(self.rs.actions.len() as u32);
        self.note_replaced(entry, |old| &old.name, Symbol::Action(id));
        self.global(&decl.name, Global::Action(id), entry.first_layer());
        self.rs.actions.push(ir::Action {
            name: decl.name.text.clone(),
            span: decl.name.span,
            doc: entry.doc.clone(),
            params: Vec::new(),
            anytime: None,
            body: ir::Block::default(),
            composite: None,
            code: Code::default(),
        });
        self.names.words.entry(decl.name.text.clone()).or_default();
    }

    fn declare_labels(&mut self) {
        let asm = self.asm;
        for entry in &asm.actions {
            if let ast::ActionBody::Steps(block) = &entry.item.body {
                self.labels_of(block, false);
            }
        }
        for entry in &asm.whens {
            self.labels_of(&entry.item.body, false);
        }
        if let Some(flow) = &asm.flow {
            self.labels_of(&flow.item, false);
        }
    }

    /// `passed`: a loop over players stands around the block.
    fn labels_of(&mut self, block: &ast::Block, passed: bool) {
        for statement in &block.statements {
            let mut passed = passed;
            match &statement.kind {
                ast::StatementKind::EachPlayer(_) => passed = true,
                ast::StatementKind::Label(name, block) => {
                    self.add_label(name, passed || is_loop_over_players(block));
                }
                ast::StatementKind::OneOf { items, .. } => {
                    for label in items.iter().filter_map(|item| item.label.as_ref()) {
                        self.add_label(label, passed);
                    }
                }
                _ => {}
            }
            for inner in statement.kind.blocks() {
                self.labels_of(inner, passed);
            }
        }
    }

    fn add_label(&mut self, name: &ast::Name, passed: bool) {
        if reserved::is_answer(&name.text) {
            self.tell_reserved(name);
        }
        if !passed {
            let unpassed = self.names.labels_unpassed.entry(name.text.clone());
            unpassed.or_insert(name.span);
        }
        if !self.names.labels.contains_key(&name.text) {
            let id = LabelId(self.rs.labels.len() as u32);
            self.rs.labels.push(ir::Label {
                name: name.text.clone(),
                span: name.span,
                counted: false,
                compared: false,
                another: None,
            });
            self.names.labels.insert(name.text.clone(), id);
        } else {
            let again = self.names.labels_again.entry(name.text.clone());
            again.or_insert(name.span);
        }
    }
}

/// A label on a loop names one pass of it.
fn is_loop_over_players(block: &ast::Block) -> bool {
    let only = block.labelled_loop();
    only.is_some_and(|only| matches!(only.kind, ast::StatementKind::EachPlayer(_)))
}

pub(super) fn words(value: &RawValue) -> Vec<String> {
    match value {
        RawValue::Text { text, .. } => vec![text.clone()],
        RawValue::List(values) => values.iter().flat_map(|(value, _)| words(value)).collect(),
        RawValue::Cell(cell) => match &**cell {
            ast::GridCell::Expr(ast::Expr {
                kind: ast::ExprKind::Name(name),
                ..
            }) => vec![name.clone()],
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}
