//! From syntax to the rule set: names to ids, types, constants. Reads an [`Assembly`], reports every mistake it finds.

mod access;
mod actions;
mod aggregate;
mod arithmetic;
mod body;
mod borders;
mod branches;
mod builtins;
mod calls;
mod carried;
mod cases;
mod cells;
mod consts;
mod declare;
mod effects;
mod endings;
mod expr;
mod facts;
mod formulas;
mod graph;
mod grids;
mod index;
mod keys;
mod leaks;
mod lints;
mod literals;
mod loops;
mod meant;
mod members;
mod mentions;
mod moves;
mod names;
mod networks;
mod operators;
mod patches;
mod places;
mod question;
mod repeats;
mod roles;
mod rules;
mod scenarios;
mod scopes;
mod seats;
mod secret;
mod senseless;
mod sets;
mod size;
mod speech;
mod statements;
mod strategies;
mod symbols;
mod tables;
mod tiling;
mod types;
mod values;
mod visit;

use crate::assembly::Assembly;
use crate::assembly::clash::Clashes;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Block, Code, Domain, Expr, ExprKind, FormulaId, RuleSet, TableId, TextId, Ty, Value,
};
use crate::source::{SourceSet, Span};
use graph::Graph;
use names::{Global, Names};

pub(crate) use keys::{key_text, literal};
pub(crate) use mentions::named;
pub(crate) use names::{Global as GlobalName, Member as MemberName};
pub use question::{Known, Questions};
pub(crate) use scenarios::{Context, scenarios_of, uses_of};
pub use scenarios::{Heading, headings};
pub use speech::is_saying;
pub(crate) use speech::{Lexicon, Said, WORDS_SECTIONS, toml_key};
pub use strategies::BOT_WORDS;
pub use symbols::{Symbol, Uses};
pub(crate) use types::{show, show_value};

/// What a rule set's names mean, kept so that further texts can be checked against it.
#[derive(Clone, Debug)]
pub struct World {
    pub(crate) names: Names,
    /// Where they are named.
    pub(crate) uses: Uses,
}

/// The outcome of a check.
pub struct Checked {
    /// With errors only what could be understood: nothing to be run.
    pub rules: RuleSet,
    pub failed: bool,
    pub world: World,
    pub diagnostics: Vec<Diagnostic>,
}

/// Checks a game. `unread`: something of it could not be read or laid on, so that what seems unused may be used there.
pub fn check(sources: &SourceSet, assembly: &Assembly, unread: bool) -> Checked {
    let mut checker = Checker::new(sources, assembly);
    checker.unread = unread;
    let mut found = Vec::new();
    checker.lexicon = Lexicon::read(sources, assembly, assembly.language.as_deref(), &mut found);
    let found = found.into_iter();
    let found = found.map(|one| speech::mild(sources, one));
    checker.diagnostics.extend(found);
    checker.all();
    checker.words();
    checker.finish()
}

/// Work on a formula's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    Todo,
    Running,
    Done,
    Failed,
}

pub(crate) struct Checker<'a> {
    pub sources: &'a SourceSet,
    pub asm: &'a Assembly,
    /// Bodies of `when`s and anytime actions may come between what stands one behind the other.
    pub interferes: bool,
    pub names: Names,
    pub rs: RuleSet,
    pub graph: Graph,
    diagnostics: Vec<Diagnostic>,
    /// Something stands there that is not in the assembly.
    unread: bool,
    /// One a formula: how far it is, and where it was declared.
    formulas: Vec<(Progress, formulas::Origin<'a>)>,
    running: Vec<(FormulaId, Span)>,
    /// Expressions being checked one inside the other, those of formulas that are needed first among them.
    levels: u32,
    texts: std::collections::BTreeMap<String, TextId>,
    option_done: Vec<Progress>,
    /// Columns and grids whose cells are code, checked at the end.
    late: Vec<tables::LateCell<'a>>,
    /// The box, one for each kind of thing that goes there, and another for what goes there unseen.
    boxes: Vec<((Ty, bool), crate::ir::CellId)>,
    /// Where something is taken out of the box.
    unboxed: Vec<(crate::ir::CellId, Span)>,
    kept: Vec<keys::Kept>,
    /// Number of the first declared cell.
    first_cell: usize,
    /// Which places the board has is not known: that has been said.
    broken_board: bool,
    broken_cells: std::collections::BTreeSet<crate::ir::CellId>,
    broken_actions: std::collections::BTreeSet<crate::ir::ActionId>,
    action_done: Vec<Progress>,
    params: Vec<actions::Params>,
    broken_networks: std::collections::BTreeSet<crate::ir::NetworkId>,
    broken_columns: std::collections::BTreeSet<(TableId, String)>,
    /// What words stand for, in the order in which it was found out.
    notes: Vec<(Span, Symbol)>,
    /// Overlays that give one cell or option different values.
    clashes: Clashes,
    /// The words of the language chosen.
    pub lexicon: Lexicon,
    /// What the documentation of statements says in quotes.
    marks: std::collections::BTreeMap<Span, String>,
}

impl<'a> Checker<'a> {
    /// Whether a declaration of this name stands there but could not be read: it has been reported, and is not unknown.
    pub(crate) fn is_broken(&self, name: &str) -> bool {
        let files = self.asm.layers.iter().flat_map(|layer| &layer.files);
        let mut read = files.map(|file| crate::syntax::parse::parsed(self.sources, *file));
        read.any(|parsed| parsed.broken.iter().any(|broken| broken == name))
    }

    /// Whether a cell or formula of this name belongs to something that is not there: that is the mistake, and has been reported.
    pub(crate) fn has_lost_owner(&self, name: &str) -> bool {
        let cells = self.asm.cells.iter().enumerate();
        let mut cells = cells.filter(|(_, entry)| entry.item.name.text == name);
        let mut formulas = (0..self.formulas.len()).map(|at| crate::ir::FormulaId(at as u32));
        let called = |id: &crate::ir::FormulaId| match &self.formulas[id.index()].1 {
            formulas::Origin::Declared { decl, .. } => decl.name.text == name,
            _ => false,
        };
        cells.any(|(at, _)| {
            let id = crate::ir::CellId((self.first_cell + at) as u32);
            self.has_broken_owner(graph::Node::Cell(id))
        }) || formulas.any(|id| called(&id) && self.has_broken_owner(graph::Node::Formula(id)))
    }

    /// Whether what is being checked belongs to something whose declaration is wrong.
    pub(crate) fn has_broken_owner(&self, node: graph::Node) -> bool {
        match node {
            graph::Node::Formula(id) => match &self.formulas[id.index()].1 {
                formulas::Origin::Declared { decl, .. } => {
                    decl.owner.is_some() && self.rs.formulas[id.index()].owner.is_none()
                }
                _ => false,
            },
            graph::Node::Cell(id) => {
                let at = id.index().checked_sub(self.first_cell);
                let entry = at.and_then(|at| self.asm.cells.get(at));
                let game = self.rs.cells[id.index()].owner == crate::ir::CellOwner::Game;
                game && entry.is_some_and(|entry| entry.item.owner.is_some())
            }
            _ => false,
        }
    }

    fn new(sources: &'a SourceSet, asm: &'a Assembly) -> Checker<'a> {
        Checker {
            sources,
            asm,
            interferes: !asm.whens.is_empty()
                || (asm.actions.iter()).any(|action| action.item.anytime.is_some()),
            names: Names::new(asm),
            rs: empty(asm),
            graph: Graph::default(),
            diagnostics: Vec::new(),
            unread: false,
            formulas: Vec::new(),
            running: Vec::new(),
            levels: 0,
            texts: std::collections::BTreeMap::new(),
            option_done: Vec::new(),
            late: Vec::new(),
            boxes: Vec::new(),
            unboxed: Vec::new(),
            kept: Vec::new(),
            first_cell: 0,
            broken_board: false,
            broken_cells: std::collections::BTreeSet::new(),
            broken_actions: std::collections::BTreeSet::new(),
            action_done: Vec::new(),
            params: Vec::new(),
            broken_networks: std::collections::BTreeSet::new(),
            broken_columns: std::collections::BTreeSet::new(),
            notes: Vec::new(),
            clashes: Clashes::default(),
            lexicon: Lexicon::default(),
            marks: std::collections::BTreeMap::new(),
        }
    }

    /// A checker for further texts over a finished rule set.
    pub(crate) fn over(
        sources: &'a SourceSet,
        asm: &'a Assembly,
        world: &World,
        rules: &RuleSet,
    ) -> Checker<'a> {
        let mut checker = Checker::new(sources, asm);
        checker.names = world.names.clone();
        checker.rs = rules.clone();
        checker.formulas = vec![(Progress::Done, formulas::Origin::Nowhere); rules.formulas.len()];
        checker.option_done = vec![Progress::Done; rules.options.len()];
        for (at, text) in rules.texts.iter().enumerate() {
            checker.texts.insert(text.clone(), TextId(at as u32));
        }
        checker
    }

    /// The stages: names, then data, then signatures, then bodies, then what needs the whole.
    fn all(&mut self) {
        self.declare();
        self.option_values();
        self.tiling_places();
        self.cell_signatures();
        self.grid_signatures();
        self.table_values();
        self.network_grounds();
        self.bodies();
        self.late_cells();
        self.written_out();
        let clashes = self.clashes.told(self.asm);
        self.diagnostics.extend(clashes);
        let by_node = self.by_node();
        self.tag_uses(&by_node);
        self.secret_steps();
        self.scopes(&by_node);
        self.cycles();
        self.lints(&by_node);
    }

    /// What people call all of it.
    fn words(&mut self) {
        if self.diagnostics.iter().any(Diagnostic::is_error) || self.unread {
            return;
        }
        let texts = (self.sources, self.asm);
        let (speech, found) = speech::speech(texts, &self.rs, &self.marks, &mut self.lexicon);
        self.rs.speech = speech;
        self.diagnostics.extend(found);
    }

    fn bodies(&mut self) {
        self.cell_bodies();
        self.formula_bodies();
        self.network_bodies();
        self.action_bodies();
        self.when_bodies();
        self.flow_body();
        // What is tested behind a step depends on where that stands.
        self.rule_bodies();
        self.score_bodies();
        self.strategy_bodies();
        self.mentions();
    }

    fn finish(self) -> Checked {
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by(|a, b| {
            (a.span, a.severity, &a.message).cmp(&(b.span, b.severity, &b.message))
        });
        diagnostics.dedup();
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        Checked {
            rules: self.rs,
            failed,
            world: World {
                names: self.names,
                uses: Uses::new(self.notes),
            },
            diagnostics,
        }
    }

    // -------------------------------------------------------------------------------------------- for all stages

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    pub(crate) fn take_diagnostics(&mut self) -> Vec<Diagnostic> {
        let mut all = std::mem::take(&mut self.diagnostics);
        all.sort_by(|a, b| (a.span, &a.message).cmp(&(b.span, &b.message)));
        all.dedup();
        all
    }

    /// Whether two texts are of overlays that know nothing of each other.
    pub(crate) fn are_strangers(&self, a: Span, b: Span) -> bool {
        match (self.rs.layer_of(a), self.rs.layer_of(b)) {
            (Some(a), Some(b)) => self.asm.are_strangers(a, b),
            _ => false,
        }
    }

    pub(crate) fn slice(&self, span: Span) -> &str {
        let text = self.sources.text(span.file);
        text.get(span.start as usize..span.end as usize)
            .unwrap_or("")
    }

    pub(crate) fn show(&self, ty: &Ty) -> String {
        types::show(&self.rs, ty)
    }

    pub(crate) fn in_words(&self, ty: &Ty) -> String {
        types::in_words(&self.rs, ty)
    }

    pub(crate) fn show_value(&self, value: &Value) -> String {
        types::show_value(&self.rs, value)
    }

    pub(crate) fn show_domain(&self, domain: Domain) -> String {
        types::show_domain(&self.rs, domain)
    }

    pub(crate) fn intern(&mut self, text: &str) -> TextId {
        if let Some(id) = self.texts.get(text) {
            return *id;
        }
        let id = TextId(self.rs.texts.len() as u32);
        self.rs.texts.push(text.to_owned());
        self.texts.insert(text.to_owned(), id);
        id
    }

    /// Whether a table's rows lie on the board as parts of its tiles.
    pub(crate) fn is_part(&self, table: TableId) -> bool {
        self.rs
            .tiling
            .as_ref()
            .is_some_and(|tiling| tiling.parts.contains(&table))
    }

    pub(crate) fn positions(&self) -> Domain {
        self.rs
            .tiling
            .as_ref()
            .map_or(Domain::Cell, |tiling| tiling.positions)
    }

    pub(crate) fn near_type(&self, name: &str, at: Span) -> Option<String> {
        let words = [
            "bool", "text", "player", "cell", "side", "port", "action", "agenda", "effect",
        ];
        let tables = self.rs.tables.iter().map(|table| table.name.as_str());
        let enums = self.rs.enums.iter().map(|one| one.name.as_str());
        let _ = at;
        crate::diagnostic::suggest::nearest(name, tables.chain(enums).chain(words))
            .map(str::to_owned)
    }

    pub(crate) fn label(&mut self, name: &str) -> Option<crate::ir::LabelId> {
        self.names.labels.get(name).copied()
    }

    /// Whether a text may name a step: one of a house rule for any game only those that every game can have, and its own.
    pub(crate) fn sees_step(&self, name: &str, at: Span) -> bool {
        let own = self.rs.layer_of(at).map(|own| &self.rs.layers[own.index()]);
        if !own.is_some_and(|own| own.of_any) || crate::assembly::any::STEPS.contains(&name) {
            return true;
        }
        let label = self.names.labels.get(name);
        let declared = label.and_then(|label| self.rs.layer_of(self.rs.labels[label.index()].span));
        declared.is_some_and(|layer| self.asm.sees(self.names.layer(at), layer))
    }

    pub(crate) fn global_is(&self, name: &str, at: Span) -> Option<Global> {
        self.names.global(name, at)
    }
}

fn empty(asm: &Assembly) -> RuleSet {
    RuleSet {
        id: asm.manifest.id.clone(),
        title: asm.manifest.title.clone(),
        players: asm.manifest.players,
        layers: asm.layers.clone(),
        texts: Vec::new(),
        enums: Vec::new(),
        tables: Vec::new(),
        grids: Vec::new(),
        options: Vec::new(),
        tiling: None,
        cells: Vec::new(),
        formulas: Vec::new(),
        networks: Vec::new(),
        actions: Vec::new(),
        effects: Vec::new(),
        rules: Vec::new(),
        whens: Vec::new(),
        labels: Vec::new(),
        flow: Code::default(),
        flow_body: Block::default(),
        scores: Vec::new(),
        win: Vec::new(),
        win_code: Code::default(),
        strategies: Vec::new(),
        endings: Vec::new(),
        tags: Vec::new(),
        lent: Default::default(),
        speech: crate::ir::Speech::default(),
    }
}

/// Stands where something wrong stood; never runs.
pub(crate) fn stub(span: Span) -> Expr {
    Expr {
        kind: ExprKind::Const(Value::Bool(false)),
        ty: Ty::Bool,
        span,
    }
}
