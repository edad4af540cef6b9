//! One piece of code while it is checked: its names, what is known not to be `none`, and who acts.

use std::rc::Rc;

use super::Checker;
use super::graph::{Node, Touched};
use super::symbols::Symbol;
use crate::assembly::Entry;
use crate::diagnostic::Diagnostic;
use crate::ir::{
    ActionId, CellId, Code, Domain, Expr, ExprKind, FormulaId, LabelId, LayerId, Local, LocalId,
    Place, Ty, Value,
};
use crate::source::Span;
use crate::syntax::ast;

/// Whose cells are meant by a bare name.
#[derive(Clone, Debug)]
pub(crate) enum Understood {
    Nobody,
    /// The acting player.
    Me,
    /// The owner of a formula, a score, a cell.
    Owner,
}

/// What the code may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Formulas, conditions: `none` must be guarded, nobody acts, no chance.
    Pure,
    /// Start values: pure, but cards may be shuffled.
    Start,
    /// Statements: reading through `none` makes the way illegal.
    Doing,
    /// Scenarios and questions: as statements, seats have letters.
    Outside,
}

/// What `original` means in a formula: the hidden one that was replaced, with the same arguments. Everywhere else it has been
/// put in the place of the word already.
#[derive(Clone, Debug)]
pub(crate) struct Original {
    pub formula: FormulaId,
    pub args: Vec<LocalId>,
}

/// A name of the innermost ring.
#[derive(Clone, Debug)]
pub(crate) struct Var {
    pub name: String,
    /// `None`: its declaration is wrong, and that has been said.
    pub value: Option<(ExprKind, Ty)>,
    pub span: Span,
    /// From which layer on it is seen.
    pub layer: LayerId,
}

pub(crate) struct Body<'k, 'a> {
    pub k: &'k mut Checker<'a>,
    pub code: Code,
    pub vars: Vec<Var>,
    /// Paths known to be there, printed.
    pub known: Vec<String>,
    pub understood: Understood,
    pub this: Option<Expr>,
    pub mode: Mode,
    /// How many sit at the table, seen from outside: those of the case, else as many as can play.
    pub seats: u32,
    pub node: Node,
    pub labels: Rc<[LabelId]>,
    /// The action whose text this is: its cells come first.
    pub action: Option<ActionId>,
    pub original: Option<Original>,
    /// Names of the heads whose place this one takes, and the layers that had them: their texts, read or run as `original`,
    /// mean those names of the new head.
    pub heads: Vec<(String, LayerId)>,
    /// Inside a loop, walk: `stop` has something to leave.
    pub loops: u32,
    /// The next cell named is written, not read.
    pub writing: bool,
    /// Left of `otherwise`: what is read through, to be asked for first.
    pub chain: Option<Vec<Expr>>,
    /// Something is asked or ends the game here: a loop around it is not endless.
    pub asks: u32,
    /// What holds here is asked again and again: what may be done rests on it.
    pub asked_often: bool,
}

/// The names of replaced heads, and the layers that had them.
pub(super) fn heads<'e, T>(
    replaced: &'e [Entry<T>],
    names: impl Fn(&'e T) -> Vec<&'e ast::Name>,
) -> Vec<(String, LayerId)> {
    let each = replaced.iter().flat_map(|old| {
        let names = names(&old.item).into_iter();
        names.map(|name| (name.text.clone(), old.layer))
    });
    each.collect()
}

impl<'k, 'a> Body<'k, 'a> {
    pub fn new(k: &'k mut Checker<'a>, node: Node, mode: Mode) -> Body<'k, 'a> {
        let seats = k.rs.players.1;
        Body {
            k,
            seats,
            code: Code::default(),
            vars: Vec::new(),
            known: Vec::new(),
            understood: Understood::Nobody,
            this: None,
            mode,
            node,
            labels: Rc::from([]),
            action: None,
            original: None,
            heads: Vec::new(),
            loops: 0,
            writing: false,
            chain: None,
            asks: 0,
            asked_often: false,
        }
    }

    /// The owner of a formula, cell or score as the first local and as `this`.
    pub fn own(&mut self, domain: Domain, span: Span) -> LocalId {
        let ty = domain.element_ty();
        let local = self.hidden_local("this", ty.clone(), span);
        self.this = Some(Expr {
            kind: ExprKind::Local(local),
            ty,
            span,
        });
        if domain == Domain::Player {
            self.understood = Understood::Owner;
        }
        local
    }

    pub fn strict(&self) -> bool {
        matches!(self.mode, Mode::Pure | Mode::Start)
    }

    // -------------------------------------------------------------------------------------------- locals

    pub fn hidden_local(&mut self, name: &str, ty: Ty, span: Span) -> LocalId {
        let id = LocalId(self.code.locals.len() as u32);
        self.code.locals.push(Local {
            name: name.to_owned(),
            ty,
            span,
            picked_from: None,
        });
        id
    }

    /// Binds a name; `ty` is absent when what it stands for is wrong.
    pub fn bind(&mut self, name: &ast::Name, ty: Option<Ty>) -> LocalId {
        self.refuse_second(name);
        self.k.note(name.span, Symbol::Local(name.span));
        let local = self.hidden_local(&name.text, ty.clone().unwrap_or(Ty::Bool), name.span);
        let value = ty.map(|ty| (ExprKind::Local(local), ty));
        let older = self.heads.iter().filter(|(head, _)| *head == name.text);
        let layers = older.map(|(_, layer)| *layer);
        let own = self.k.names.layer(name.span);
        self.vars.push(Var {
            name: name.text.clone(),
            value,
            span: name.span,
            layer: layers.fold(own, LayerId::min),
        });
        local
    }

    pub fn bind_word(&mut self, name: &str, kind: ExprKind, ty: Ty, span: Span) {
        self.vars.push(Var {
            name: name.to_owned(),
            value: Some((kind, ty)),
            span,
            layer: self.k.names.layer(span),
        });
    }

    fn refuse_second(&mut self, name: &ast::Name) {
        if self.k.refuse_reserved(name) {
            return;
        }
        let Some(before) = self.var(&name.text, name.span).map(|var| var.span) else {
            return;
        };
        if before.file == name.span.file {
            let message = format!("`{}` is the name of something else here", name.text);
            let diagnostic = Diagnostic::error("declared-twice", name.span, message)
                .label(before, "the first one");
            self.k.report(diagnostic);
        }
    }

    pub fn var(&self, name: &str, at: Span) -> Option<&Var> {
        let layer = self.k.names.layer(at);
        let seen = |var: &&Var| {
            var.name == name
                && var.layer <= layer
                && (var.layer == layer || !self.k.are_strangers(var.span, at))
        };
        self.vars.iter().rev().find(seen)
    }

    /// Runs `f` with names and facts of its own.
    pub fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let vars = self.vars.len();
        let known = self.known.clone();
        let result = f(self);
        self.vars.truncate(vars);
        let still = std::mem::take(&mut self.known);
        self.known = known
            .into_iter()
            .filter(|path| still.contains(path))
            .collect();
        result
    }

    /// Runs `f` inside a labelled step.
    pub fn inside<T>(&mut self, label: LabelId, f: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.labels.clone();
        self.labels = outer.iter().copied().chain([label]).collect();
        let result = f(self);
        self.labels = outer;
        result
    }

    pub fn pick_from(&mut self, local: LocalId, place: Option<Place>) {
        self.code.locals[local.index()].picked_from = place;
    }

    pub fn picked_from(&self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::Local(local) => self.code.locals[local.index()].picked_from.clone(),
            ExprKind::Unwrap(inner) => self.picked_from(inner),
            _ => None,
        }
    }

    // -------------------------------------------------------------------------------------------- uses, messages

    pub fn touch(&mut self, what: Touched, span: Span) {
        self.k.graph.add(self.node, what, span, &self.labels);
    }

    pub fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.k.report(Diagnostic::error(code, span, message));
    }

    pub fn error_help(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.k
            .report(Diagnostic::error(code, span, message).help(help));
    }

    // -------------------------------------------------------------------------------------------- none

    /// Drops what a change to this cell (or to anything) may have made untrue.
    pub fn forget(&mut self, cell: Option<CellId>) {
        match cell {
            None => self.known.retain(|path| !path.contains('!')),
            Some(cell) => {
                let token = format!("!c{}[", cell.0);
                self.known
                    .retain(|path| !path.contains(&token) && !path.contains("!f"));
            }
        }
    }

    pub fn with_facts<T>(
        &mut self,
        condition: &Expr,
        truth: bool,
        f: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.known.clone();
        self.learn(condition, truth);
        let result = f(self);
        // What was found out on the way need not hold behind it, and what was forgotten there is.
        self.known.retain(|path| before.contains(path));
        result
    }

    /// Written words are looked at: bodies of `when`s run, and where somebody is asked an anytime action may come first.
    pub fn settle(&mut self) {
        if self.k.interferes {
            self.forget(None);
        }
    }

    pub fn learn(&mut self, condition: &Expr, truth: bool) {
        super::facts::facts(condition, truth, &mut self.known);
    }

    /// A value as it is known here: without `?` when a condition has made sure of it.
    pub fn narrow(&self, mut expr: Expr) -> Expr {
        if let Ty::Optional(inner) = &expr.ty
            && !self.known.is_empty()
            && let Some(path) = super::facts::path(&expr)
            && self.known.contains(&path)
        {
            expr.ty = (**inner).clone();
        }
        expr
    }

    /// The value of an optional: known to be there, or read at the risk of the way (statements), or an error (formulas).
    pub fn require(&mut self, expr: Expr) -> Option<Expr> {
        let expr = self.narrow(expr);
        let Ty::Optional(inner) = &expr.ty else {
            return Some(expr);
        };
        let ty = (**inner).clone();
        if matches!(expr.kind, ExprKind::Const(Value::None)) {
            self.error("maybe-none", expr.span, "`none` has no value");
            return None;
        }
        if let Some(chain) = &mut self.chain {
            chain.push(expr.clone());
            return Some(Expr { ty, ..expr });
        }
        if self.strict() {
            let text = self.k.slice(expr.span).to_owned();
            let message = format!("`{text}` can be none");
            let help = format!(
                "say `{text} otherwise …`, or ask for it first: `where {text}`, `if {text} then …`, `{text} and …`"
            );
            let diagnostic = Diagnostic::error("maybe-none", expr.span, message)
                .here(format!("is {}?", self.k.show(&ty)))
                .help(help);
            self.k.report(diagnostic);
            return None;
        }
        let span = expr.span;
        Some(Expr {
            kind: ExprKind::Unwrap(Box::new(expr)),
            ty,
            span,
        })
    }
}
