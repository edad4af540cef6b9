//! From a rule set to a [`Program`]: places every state variable in the block, turns expressions into nodes and bodies
//! into flat code, folds what does not depend on the state.

mod alike;
mod among;
pub(crate) mod append;
mod bearing;
mod binders;
mod cells;
mod clauses;
mod code;
mod columns;
mod consts;
mod course;
mod early;
mod effects;
mod endings;
pub(crate) mod expr;
mod features;
mod finder;
mod fold;
mod glance;
mod held;
mod ledger;
mod loops;
mod memo;
mod parts;
mod questions;
mod rays;
mod reasons;
mod repeats;
mod rooms;
pub(crate) mod safety;
mod sieve;
mod starts;
mod tiling;
mod totals;
mod versions;
mod walks;
pub(crate) mod watch;

use crate::Program;
use crate::facts::{Facts, Hints, Origin, leads};
use crate::program::*;
use dsl::ir::{self, Domain, RuleSet, Ty};
use dsl::source::Span;
use std::collections::HashMap;

pub(crate) use sieve::CONDITIONS_MAX;

/// A rule set that cannot be run as it stands, although it was checked: sizes out of bounds, starts that wait for each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// Where the rules say what cannot be made ready.
    pub span: Span,
    /// What is wrong, for people.
    pub message: String,
}

/// Lowers `rules` for `players` players.
///
/// # Errors
/// If the number of players is not supported or a size is out of bounds.
pub fn lower(rules: &RuleSet, players: u32) -> Result<Program, LowerError> {
    lower_from(rules, players, MANY)
}

/// As [`lower`], with each shortcut that else pays over many elements alone: so small rule sets judge them too.
///
/// # Errors
/// As [`lower`].
pub fn lower_eager(rules: &RuleSet, players: u32) -> Result<Program, LowerError> {
    lower_from(rules, players, 1)
}

/// Fewer elements are as quickly asked as what was found of them is looked up.
const MANY: u32 = 8;

fn lower_from(rules: &RuleSet, players: u32, many: u32) -> Result<Program, LowerError> {
    let (mut program, hints) = lay_out(rules, players)?;
    program.many = many;
    sieve::ask_values_first(&mut program);
    fold::constants(&mut program);
    fold::mark_unread(&mut program);
    parts::cache_masks(&mut program);
    versions::number(&mut program);
    starts::lay(&mut program);
    let facts = Facts::of(&program, &hints);
    course::mark(&mut program, &facts);
    // Of walks it is only now known whether they read no state of the game.
    fold::fold(rules, &mut program);
    let facts = facts.with_courses(&program);
    watch::attach(&mut program);
    among::mark(&mut program);
    sieve::mark(&mut program, &facts);
    totals::mark(&mut program);
    ledger::mark(rules, &mut program);
    let quiet = safety::mark(&mut program, &facts);
    alike::mark(&mut program, &facts, &quiet);
    early::mark(&mut program, &facts);
    glance::mark(&mut program, &facts, &quiet);
    program.quiet = quiet;
    memo::attach(&mut program);
    bearing::mark(&mut program, &facts);
    rays::mark(&mut program, &facts);
    Ok(program)
}

/// As [`lower`], with no shortcut at all: every answer is proved by running what it leads to, every rule is tested after
/// every change, nothing is tabulated or remembered. Slow, and the judge of the other form: states of one are states of
/// the other, and at each of them both offer the same.
///
/// # Errors
/// As [`lower`].
pub fn lower_plain(rules: &RuleSet, players: u32) -> Result<Program, LowerError> {
    let (mut program, _) = lay_out(rules, players)?;
    program.plain = true;
    for binder in &mut program.binders {
        if let Some(plan) = &mut binder.parts {
            *plan = PartsPlan {
                size_low: None,
                size_high: None,
                kinds: None,
                rest: (0..binder.conditions.len()).collect(),
                still: false,
            };
        }
    }
    versions::number(&mut program);
    starts::lay(&mut program);
    watch::attach(&mut program);
    let count = program.code.len();
    program.safe = vec![false; count];
    program.quiet = vec![false; count];
    program.glances = vec![Glance::default(); count];
    Ok(program)
}

/// The program as it is before anything is made fast, and what its rules tell of its nodes.
fn lay_out(rules: &RuleSet, players: u32) -> Result<(Program, Hints), LowerError> {
    let (least, most) = rules.players;
    if players < least || players > most {
        return Err(LowerError {
            span: rules
                .flow_body
                .statements
                .first()
                .map_or(Span::new(dsl::source::FileId(0), 0, 0), |s| s.span),
            message: format!(
                "{} is for {least} to {most} players, not {players}",
                rules.title
            ),
        });
    }
    let mut lower = Lower::new(rules, players);
    lower.all()?;
    let kept = lower.kept();
    let mut program = lower.program;
    program.kept = kept;
    mark_asked_again(&mut program);
    Ok((program, lower.hints))
}

/// Fills `ChoiceOp::again`: what stands between a jump back and where it leads.
fn mark_asked_again(program: &mut Program) {
    for pc in 0..program.code.len() {
        let leads = leads(program, program.code[pc]).to.into_iter();
        let back = leads.filter(|to| *to as usize <= pc).min();
        for at in back.map_or(pc..pc, |to| to as usize..pc) {
            if let Op::Choose(choice) | Op::Param { choice, .. } = program.code[at] {
                program.choices[choice as usize].again = true;
            }
        }
    }
}

/// For what is written nowhere.
pub(crate) const NOWHERE: Span = Span {
    file: dsl::source::FileId(0),
    start: 0,
    end: 0,
};

/// Where a column's values lie in the constants.
#[derive(Clone, Copy, Debug)]
struct ColumnPlace {
    base: u32,
    shape: Shape,
}

struct Lower<'r> {
    rules: &'r RuleSet,
    players: u32,
    program: Program,
    hints: Hints,
    columns: Vec<Vec<ColumnPlace>>,
    lookups: Vec<Option<DenseId>>,
    grids: Vec<(DenseId, u32, Shape)>,
    /// Offsets and shapes of the locals of the body being lowered.
    locals: Vec<(u32, Shape)>,
    /// Where the nodes of those lie that are walks.
    walk_locals: HashMap<ir::LocalId, (u32, Shape)>,
    /// Of each of them where its value comes from, as far as that is known, and whether it is declared as one that may be none.
    origins: Vec<Option<Origin>>,
    optional: Vec<bool>,
    /// The next binder is that of a parameter, to which a caller may give anything of its type.
    of_param: bool,
    /// Words of its frame so far.
    frame_words: u32,
    /// The walk whose words are in scope.
    walk_words: Option<(u32, u32)>,
    /// Loops around the statement being lowered: what `stop` must undo and where it goes.
    loops: Vec<loops::LoopScope>,
    /// For each body around it that a player leaves who is out of the game, what leads to its end.
    stays: Vec<Vec<u32>>,
    /// Where the code of each action ends.
    action_ends: Vec<u32>,
    empty_words: u32,
    streams: HashMap<String, u32>,
    /// Names of the locals of the body being lowered.
    current_names: Vec<String>,
    /// Statements are in the flow itself, so a call ends an extent.
    in_flow: bool,
    /// They belong to the body of a decision of the flow.
    deciding: bool,
    /// Of such a body something comes behind the statement being lowered: with that alone it is not through.
    more: bool,
    /// The first thing that is too large.
    too_large: Option<LowerError>,
    /// Pieces of each kind that the starts of cells bring.
    brought: Vec<(Domain, u64)>,
}

impl<'r> Lower<'r> {
    fn new(rules: &'r RuleSet, players: u32) -> Lower<'r> {
        let program = Program::new(Flat {
            players,
            plain: false,
            many: MANY,
            loading: std::sync::Arc::new(LOADING_WORK_MAX.into()),
            nodes: Vec::new(),
            shapes: Vec::new(),
            node_spans: Vec::new(),
            lists: Vec::new(),
            consts: Vec::new(),
            natural_columns: Default::default(),
            column_rows: Default::default(),
            code: vec![Op::ProbeEnd],
            op_spans: vec![Span::new(dsl::source::FileId(0), 0, 0)],
            binders: Vec::new(),
            aggregates: Vec::new(),
            dense: Vec::new(),
            cells: Vec::new(),
            places: Vec::new(),
            procs: Vec::new(),
            moves: Vec::new(),
            choices: Vec::new(),
            menus: Vec::new(),
            choice_reasons: Vec::new(),
            menu_reasons: Vec::new(),
            orders: Vec::new(),
            matches: Vec::new(),
            effects: Vec::new(),
            walks: Vec::new(),
            rays: Vec::new(),
            messages: Vec::new(),
            names: Vec::new(),
            reasons: Vec::new(),
            rules: Vec::new(),
            whens: Vec::new(),
            atoms: Vec::new(),
            networks: Vec::new(),
            sieves: Vec::new(),
            indices: Vec::new(),
            totals: Vec::new(),
            ledgers: Vec::new(),
            tiling: None,
            histories: Vec::new(),
            action_procs: Vec::new(),
            effect_procs: Vec::new(),
            formula_procs: Vec::new(),
            walk_procs: Vec::new(),
            effect_parts: Vec::new(),
            composites: Vec::new(),
            label_cells: vec![Vec::new(); rules.labels.len()],
            label_rules: vec![Vec::new(); rules.labels.len()],
            action_cells: vec![Vec::new(); rules.actions.len()],
            label_words: Vec::new(),
            awaited: Vec::new(),
            anytime: Vec::new(),
            score_procs: Vec::new(),
            win_procs: Vec::new(),
            strategies: Vec::new(),
            start_order: Vec::new(),
            start_shuffled: Vec::new(),
            flow: ProcId(0),
            fixed_words: header::SIZE as u32,
            stream_base: 0,
            stream_keys: Vec::new(),
            stream_types: Vec::new(),
            agenda_width: 0,
            run_queue: None,
            owed: None,
            endings: Vec::new(),
            fates: None,
            leaves: false,
            secret_copy: None,
            turn_label: rules
                .labels
                .iter()
                .position(|l| l.name == "turn")
                .map(|at| ir::LabelId(at as u32)),
            watchers: Vec::new(),
            feeding: Vec::new(),
            safe: Vec::new(),
            quiet: Vec::new(),
            glances: Vec::new(),
            looks: Vec::new(),
            versions: 0,
            words: Vec::new(),
            blanks: Vec::new(),
            cell_reads: Vec::new(),
            memos: Vec::new(),
            bearings: None,
            features: Vec::new(),
        });
        Lower {
            rules,
            players,
            program,
            hints: Hints::default(),
            columns: Vec::new(),
            lookups: Vec::new(),
            grids: Vec::new(),
            locals: Vec::new(),
            walk_locals: HashMap::new(),
            origins: Vec::new(),
            optional: Vec::new(),
            of_param: false,
            frame_words: frame::SIZE as u32,
            walk_words: None,
            loops: Vec::new(),
            stays: Vec::new(),
            empty_words: 0,
            action_ends: Vec::new(),
            streams: HashMap::new(),
            current_names: Vec::new(),
            in_flow: false,
            deciding: false,
            more: false,
            too_large: None,
            brought: Vec::new(),
        }
    }

    fn all(&mut self) -> Result<(), LowerError> {
        let widest = self.widest_container();
        self.empty_words = self.reserve_consts(widest);
        // Sides and positions first: their numbers are sizes of columns.
        self.tiling()?;
        self.tables();
        self.declare_procs();
        self.count_pieces();
        self.place_cells()?;
        self.networks();
        self.formulas();
        self.cell_starts()?;
        self.effects();
        self.actions();
        self.rules_and_whens();
        self.flow();
        self.scores();
        self.strategies();
        self.features();
        self.finish_layout();
        self.made_containers_fit(0)
    }

    fn is_too_large(&mut self, span: Span, message: String) {
        self.too_large.get_or_insert(LowerError { span, message });
    }

    /// Containers that expressions make on the way have room, in nodes from this one on; and whatever else was too large.
    fn made_containers_fit(&mut self, first: usize) -> Result<(), LowerError> {
        let fits = |shape: &Shape| shape.words() <= MADE_WORDS_MAX;
        let lies = |node: &Node| {
            matches!(
                node,
                Node::Words(_)
                    | Node::ColumnWords { .. }
                    | Node::CellWords(..)
                    | Node::DenseWords { .. }
            )
        };
        let program = &self.program;
        let large = (first..program.nodes.len())
            .find(|at| !fits(&program.shapes[*at]) && !lies(&program.nodes[*at]));
        if let Some(at) = large {
            let span = program.node_spans[at];
            let words = program.shapes[at].words();
            self.is_too_large(
                span,
                format!(
                    "what is put together here could need {words} words, and {MADE_WORDS_MAX} are the most: bound the numbers \
                     in it"
                ),
            );
        }
        self.too_large.take().map_or(Ok(()), Err)
    }

    fn reserve_consts(&mut self, words: usize) -> u32 {
        let base = self.program.consts.len() as u32;
        self.program.consts.resize(base as usize + words, 0);
        base
    }

    fn widest_container(&self) -> usize {
        let tables = self.rules.tables.iter().map(|t| t.rows.len());
        tables.max().unwrap_or(0) * 2 + 4096
    }

    /// Lowest value and number of elements.
    fn domain(&self, domain: Domain) -> (i32, u32) {
        match domain {
            Domain::Table(id) => (0, self.rules.tables[id.index()].rows.len() as u32),
            Domain::Enum(id) => (0, self.rules.enums[id.index()].members.len() as u32),
            Domain::Player => (0, self.players),
            Domain::Cell => (0, self.program.tiling.as_ref().map_or(0, |t| t.positions)),
            Domain::Side => (0, self.lattice().directions()),
            Domain::Port => (0, self.lattice().ports()),
            Domain::Action => (0, self.rules.actions.len() as u32),
            Domain::Part(table) => (0, self.part_count(table)),
            Domain::Int { low, high } => {
                let n = i64::from(high) - i64::from(low) + 1;
                (low, n.clamp(0, u32::MAX.into()) as u32)
            }
        }
    }

    /// What the places of the tiling are.
    fn lattice(&self) -> ir::Lattice {
        let tiling = self.rules.tiling.as_ref();
        tiling.map_or(ir::Lattice::Squares, |tiling| tiling.lattice)
    }

    fn part_count(&self, table: ir::TableId) -> u32 {
        self.program.tiling.as_ref().map_or(0, |tiling| {
            tiling
                .parts
                .iter()
                .find(|p| p.table == table)
                .map_or(0, |p| p.max * tiling.positions)
        })
    }

    /// How many pieces a table has in all.
    fn pieces(&self, table: ir::TableId) -> u32 {
        let rows = self.rules.tables[table.index()].rows.len() as u32;
        (0..rows).map(|row| self.copies(table, row)).sum()
    }

    /// How many pieces of a table's row there are.
    fn copies(&self, table: ir::TableId, row: u32) -> u32 {
        self.rules.tables[table.index()].copies(row)
    }

    /// How a value of this type lies in memory; containers get the room their type allows.
    fn shape(&self, ty: &Ty) -> Shape {
        match ty {
            Ty::Set(domain) => {
                let (low, n) = self.domain(*domain);
                Shape::Set { n, low }
            }
            Ty::Bag(domain) => {
                let (low, n) = self.domain(*domain);
                Shape::Bag { n, low }
            }
            Ty::List(element) => Shape::List {
                deck: false,
                cap: self.list_room(element),
            },
            Ty::Deck(domain) => Shape::List {
                deck: true,
                cap: self.list_room(&domain.element_ty()),
            },
            Ty::Row(_) => Shape::Row { n: self.row_room() },
            Ty::Agenda => Shape::Agenda {
                width: self.program.agenda_width,
            },
            _ => Shape::Scalar,
        }
    }

    fn node(&mut self, node: Node, shape: Shape, span: Span) -> NodeId {
        self.program.add_node(node, shape, span)
    }

    fn scalar(&mut self, node: Node, span: Span) -> NodeId {
        self.node(node, Shape::Scalar, span)
    }

    fn list(&mut self, nodes: &[NodeId]) -> List {
        let start = self.program.lists.len() as u32;
        self.program.lists.extend_from_slice(nodes);
        List {
            start,
            len: nodes.len() as u32,
        }
    }

    fn name(&mut self, name: &str) -> u32 {
        if let Some(at) = self.program.names.iter().position(|n| n == name) {
            return at as u32;
        }
        self.program.names.push(name.to_owned());
        self.program.names.len() as u32 - 1
    }

    /// A chance stream of its own for each purpose and owner.
    fn stream(&mut self, key: String, ty: &Ty) -> u32 {
        if let Some(&at) = self.streams.get(&key) {
            return at;
        }
        let at = self.program.stream_keys.len() as u32;
        let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325u64, |h, b| {
            (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
        });
        self.program.stream_keys.push((hash, key.clone()));
        let element = ty.required().element();
        let ty = element.unwrap_or_else(|| ty.required().clone());
        self.program.stream_types.push(ty);
        self.streams.insert(key, at);
        at
    }

    /// A stream for an expression, by how many of its kind stand before it: comments and layout do not change it.
    fn next_stream(&mut self, kind: &str, ty: &Ty) -> u32 {
        let keys = &self.program.stream_keys;
        let before = keys.iter().filter(|(_, key)| key.starts_with(kind)).count();
        self.stream(format!("{kind} {}", before + 1), ty)
    }

    /// Starts a body: gives each local a place in the frame.
    fn open(&mut self, code: &ir::Code) {
        self.frame_words = frame::SIZE as u32;
        self.locals.clear();
        self.walk_locals.clear();
        self.current_names.clear();
        self.origins.clear();
        self.optional.clear();
        for (id, local) in (0..).map(ir::LocalId).zip(&code.locals) {
            let shape = self.shape(&local.ty);
            let optional = matches!(local.ty, Ty::Optional(_));
            self.place_local(local.name.clone(), shape, optional);
            if let Ty::Walk(nodes) = *local.ty.required() {
                let shape = self.shape(&Ty::Set(nodes));
                let at = self.extra(shape.words() as u32);
                self.walk_locals.insert(id, (at, shape));
            }
        }
        self.walk_words = None;
    }

    /// Gives the next local a place in the frame; nothing is known yet of what it holds.
    fn place_local(&mut self, name: String, shape: Shape, optional: bool) {
        let at = self.extra(shape.words() as u32);
        self.locals.push((at, shape));
        self.current_names.push(name);
        self.origins.push(None);
        self.optional.push(optional);
    }

    fn extra(&mut self, words: u32) -> u32 {
        let at = self.frame_words;
        self.frame_words += words;
        at
    }

    fn local(&self, id: ir::LocalId) -> (u32, Shape) {
        self.locals[id.index()]
    }
}
