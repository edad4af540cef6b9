//! What is allowed and probably not meant: unused declarations, unknown rule ids; leaks are found in [`super::leaks`].

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Checker;
use super::declare::words;
use super::graph::{Node, Touched, Use};
use crate::assembly::RawValue;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::ir::{ActionId, CellId, ColumnId, FormulaId, GridId, OptionId, TableId, Ty};
use crate::source::Span;
use crate::syntax::ast::DeclarationKind;
use crate::syntax::parse::parsed;

impl Checker<'_> {
    /// Only for games without errors: a wrong line does not use what it names.
    pub(super) fn lints(&mut self, by_node: &BTreeMap<Node, Vec<Use>>) {
        if self.unread || self.diagnostics.iter().any(Diagnostic::is_error) {
            return;
        }
        let touched: BTreeSet<Touched> = self
            .graph
            .uses
            .iter()
            .filter(|one| !is_own(one))
            .map(|one| one.what)
            .collect();
        self.unused_actions(by_node);
        self.unused_options(&touched);
        self.unused_cells(&touched);
        self.unused_formulas(&touched);
        self.unused_columns(&touched);
        self.lone_members();
        self.unknown_rule_ids();
        self.leaks();
        self.lost_in_the_box();
        self.senseless(by_node);
    }

    /// What lies in the box unseen is not found there.
    fn lost_in_the_box(&mut self) {
        let unseen = |ty: &Ty| (ty.clone(), true);
        let hides = |cell: &CellId| {
            let ty = unseen(&self.rs.cells[cell.index()].ty);
            self.boxes.iter().any(|(of, _)| *of == ty)
        };
        let found: Vec<Span> = self
            .unboxed
            .iter()
            .filter(|(cell, _)| hides(cell))
            .map(|(_, span)| *span)
            .collect();
        for span in found {
            let message = "what has gone to the `box` from a hidden place is not found here";
            let help = "nobody knows what it is; let it go to a cell of its own, and take it from there: `aside: deck of … hidden`";
            self.report(Diagnostic::warning("lost", span, message).help(help));
        }
    }

    fn unused(&mut self, span: Span, what: &str, name: &str, help: &str) {
        if self.is_for_parts(span, name) {
            return;
        }
        let message = format!("{what} `{name}` is never used");
        self.report(Diagnostic::warning("unused", span, message).help(help));
    }

    /// What an overlay declares may be for what stands below one of its `with`s, which does not hold now.
    fn is_for_parts(&self, declared: Span, name: &str) -> bool {
        let declarations = &parsed(self.sources, declared.file).file.declarations;
        declarations.iter().any(|declaration| {
            let is_part = matches!(declaration.kind, DeclarationKind::Part(_));
            let below = self.sources.slice(declaration.whole());
            let mut words = below.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
            is_part && words.any(|word| word == name)
        })
    }

    fn unused_actions(&mut self, by_node: &BTreeMap<Node, Vec<Use>>) {
        let reached = self.reached(by_node);
        for at in 0..self.rs.actions.len() {
            if !reached.contains(&Node::Action(ActionId(at as u32))) {
                let (span, name) = (self.rs.actions[at].span, self.rs.actions[at].name.clone());
                self.unused(
                    span,
                    "action",
                    &name,
                    "offer it in `one of`, call it, or make it `anytime`",
                );
            }
        }
    }

    fn reached(&self, by_node: &BTreeMap<Node, Vec<Use>>) -> BTreeSet<Node> {
        let mut seen: BTreeSet<Node> = self.roots().into_iter().map(|(node, _, _)| node).collect();
        let mut queue: VecDeque<Node> = seen.iter().copied().collect();
        while let Some(node) = queue.pop_front() {
            for one in by_node.get(&node).into_iter().flatten() {
                if let Touched::Node(next) = one.what
                    && seen.insert(next)
                {
                    queue.push_back(next);
                }
            }
        }
        seen
    }

    fn unused_options(&mut self, touched: &BTreeSet<Touched>) {
        for at in 0..self.rs.options.len() {
            if !touched.contains(&Touched::Option(OptionId(at as u32))) {
                let option = &self.rs.options[at];
                let (span, name) = (option.span, option.name.clone());
                self.unused(span, "option", &name, "remove it, or read it in a rule");
            }
        }
    }

    fn unused_cells(&mut self, touched: &BTreeSet<Touched>) {
        let first = self.first_cell;
        for at in first..first + self.asm.cells.len() {
            let (id, cell) = (CellId(at as u32), &self.rs.cells[at]);
            if touched.contains(&Touched::Read(id)) || cell.ty == crate::ir::Ty::Agenda {
                continue;
            }
            // A number that is only changed still keeps its range.
            let counts = matches!(cell.ty.required(), crate::ir::Ty::Int { .. });
            if counts && touched.contains(&Touched::Write(id)) {
                continue;
            }
            let (span, name) = (cell.span, cell.name.clone());
            if self.is_for_parts(span, &name) {
                continue;
            }
            let message = if touched.contains(&Touched::Write(id)) {
                format!("cell `{name}` is written and never read")
            } else {
                format!("cell `{name}` is never used")
            };
            self.report(Diagnostic::warning("unused", span, message));
        }
    }

    fn unused_formulas(&mut self, touched: &BTreeSet<Touched>) {
        for at in 0..self.rs.formulas.len() {
            let formula = &self.rs.formulas[at];
            // What is replaced was another layer's to offer: it may be there for whoever looks at the game.
            let declared = matches!(
                self.formulas[at].1,
                super::formulas::Origin::Declared { original: None, .. }
            );
            if !declared
                || formula.name.contains('#')
                || touched.contains(&Touched::Node(Node::Formula(FormulaId(at as u32))))
            {
                continue;
            }
            let (span, name) = (formula.span, formula.name.clone());
            self.unused(span, "formula", &name, "remove it, or use it");
        }
    }

    fn unused_columns(&mut self, touched: &BTreeSet<Touched>) {
        let mut unread = Vec::new();
        let asm = self.asm;
        for (at, entry) in asm.tables.iter().enumerate() {
            let id = TableId(at as u32);
            for column in &entry.item.decl.columns {
                let Some(found) = self.column(id, &column.name.text) else {
                    continue;
                };
                if !touched.contains(&Touched::Column(id, found))
                    && !self.is_structural(id, found)
                    && !self.asm.drawn.contains(&column.name.text)
                {
                    unread.push((id, &column.name));
                }
            }
        }
        if !unread.is_empty() {
            let elsewhere = self.read_in_overlays();
            unread.retain(|(_, column)| !elsewhere.contains(&column.text));
        }
        for (table, column) in unread {
            let name = format!("{}.{}", self.rs.tables[table.index()].name, column.text);
            let help = "remove it, or use it in the rules or in board.toml";
            self.unused(column.span, "column", &name, help);
        }
        for at in 0..self.asm.grids.len() {
            if !touched.contains(&Touched::Grid(GridId(at as u32))) {
                let (span, name) = (self.rs.grids[at].span, self.rs.grids[at].name.clone());
                self.unused(span, "table", &name, "remove it, or read it in a rule");
            }
        }
    }

    /// What the game's overlays, chosen or not, read of rows: a component list may hold what only an expansion asks for.
    fn read_in_overlays(&self) -> BTreeSet<String> {
        let overlays = &self.asm.manifest.overlays;
        let files = overlays.iter().flat_map(|overlay| &overlay.files);
        let found = files.filter_map(|path| self.sources.find(path));
        let lines = found.flat_map(|file| self.sources.text(file).lines());
        let code = lines.filter(|line| !line.trim_start().starts_with('#'));
        let members = code.flat_map(|line| line.split('.').skip(1));
        let end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
        members
            .filter_map(|member| member.split(end).next())
            .map(str::to_owned)
            .collect()
    }

    /// Keys, copies, parents carry the table.
    fn is_structural(&self, table: TableId, column: ColumnId) -> bool {
        let declared = &self.rs.tables[table.index()];
        declared.key.contains(&column)
            || declared.copies == Some(column)
            || declared.parent.is_some_and(|(_, of)| of == column)
    }

    /// A member that one cell alone has, no rule names, and that is spelt nearly as one that others have: it is a slip of the pen,
    /// which makes a kind of its own.
    fn lone_members(&mut self) {
        let mut members: BTreeMap<String, BTreeMap<String, Vec<Span>>> = BTreeMap::new();
        for entry in &self.asm.tables {
            let columns = entry.item.decl.columns.iter();
            let collecting = columns.filter_map(|column| Some((column, column.ty.collected()?)));
            for (column, of) in collecting {
                let of = members.entry(of.text.clone()).or_default();
                let cells = entry.item.rows.iter().flat_map(|row| &row.cells);
                for cell in cells.filter(|cell| cell.name.text == column.name.text) {
                    for word in words(&cell.value) {
                        let span = match &cell.value {
                            RawValue::Text {
                                span, plain: true, ..
                            } => *span,
                            _ => cell.span,
                        };
                        of.entry(word).or_default().push(span);
                    }
                }
            }
        }
        for (of, cells) in members {
            for (word, places) in &cells {
                let &[span] = places.as_slice() else { continue };
                let numbered = word.chars().any(|sign| sign.is_ascii_digit());
                let several = cells.iter().filter(|(_, places)| places.len() > 1);
                let alike = several
                    .map(|(other, _)| other.as_str())
                    .filter(|other| other.len().abs_diff(word.len()) <= 1);
                let Some(near) = nearest(word, alike).filter(|_| !numbered) else {
                    continue;
                };
                if self.is_said(word, span) {
                    continue;
                }
                let message = format!(
                    "this cell alone has the {of} `{word}`; {} have `{near}`",
                    cells[near].len()
                );
                let told = Diagnostic::warning("lone-member", span, message);
                let whole = self.sources.slice(span) == word;
                self.report(match whole {
                    true => told.meant(span, near),
                    false => told.help(format!("did you mean `{near}`?")),
                });
            }
        }
    }

    /// Whether rules name a member elsewhere than in this cell.
    fn is_said(&self, word: &str, cell: Span) -> bool {
        let rules = self
            .sources
            .ids()
            .filter(|file| self.sources.file(*file).path.ends_with(".rules"));
        let part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '-';
        let mut found = rules.flat_map(|file| {
            let text = self.sources.text(file);
            text.match_indices(word)
                .map(move |(at, _)| (file, text, at))
        });
        found.any(|(file, text, at)| {
            let end = at + word.len();
            let whole = !text[..at].ends_with(part) && !text[end..].starts_with(part);
            let own = file == cell.file && (cell.start as usize..cell.end as usize).contains(&at);
            whole && !own
        })
    }

    // -------------------------------------------------------------------------------------------- rule ids

    /// Rule ids with the game's prefix stand in its RULES.md.
    fn unknown_rule_ids(&mut self) {
        let Some(prefix) = &self.asm.manifest.prefix else {
            return;
        };
        let path = format!("{}/RULES.md", self.asm.manifest.id);
        let Some(file) = self.sources.find(&path) else {
            return;
        };
        let text = self.sources.text(file);
        let start = format!("{prefix}-");
        let known: BTreeSet<&str> = text
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
            .filter(|word| word.starts_with(&start))
            .collect();
        let unknown: Vec<(Span, String)> = self
            .rs
            .tags
            .iter()
            .filter(|tag| tag.id.starts_with(&start) && !known.contains(tag.id.as_str()))
            .map(|tag| (tag.span, tag.id.clone()))
            .collect();
        for (span, id) in unknown {
            self.report(Diagnostic::warning(
                "unknown-rule-id",
                span,
                format!("RULES.md has no rule {id}"),
            ));
        }
    }
}

/// A declaration's own use of itself does not count.
fn is_own(one: &Use) -> bool {
    matches!(one.what, Touched::Node(to) if to == one.from)
}
