//! `repeats(…)` and `L.repeats(…)`: how often what is named was as it is now.

use super::body::Body;
use super::graph::{Node, Touched};
use super::symbols::Symbol;
use crate::diagnostic::Diagnostic;
use crate::ir::{CellId, Expr, ExprKind, FormulaId, LabelId, Repeats, Ty};
use crate::source::Span;
use crate::syntax::ast;

/// Greatest number of values of a formula's argument that is a number.
const ARGUMENTS_MAX: i64 = 1024;

impl Body<'_, '_> {
    /// The step of `L.repeats`, and where the word stands.
    pub(super) fn repeats_of(&mut self, callee: &ast::Expr) -> Option<(LabelId, Span)> {
        let ast::ExprKind::Member(base, word) = &callee.kind else {
            return None;
        };
        let ast::ExprKind::Name(name) = &base.kind else {
            return None;
        };
        if word.text != "repeats" || self.k.names.global(name, base.span).is_some() {
            return None;
        }
        let label = self.k.names.labels.get(name).copied()?;
        if !self.k.sees_step(name, base.span) {
            return None;
        }
        self.k.note(base.span, Symbol::Label(label));
        Some((label, word.span))
    }

    /// Without a step that of turns is meant.
    pub(super) fn repeats(
        &mut self,
        step: Option<LabelId>,
        parts: &[&ast::Expr],
        at: Span,
        span: Span,
    ) -> Option<Expr> {
        let Some(step) = step.or_else(|| self.k.label("turn")) else {
            self.error_help(
                "unknown-name",
                at,
                "`repeats` counts at the end of each `turn`, and no step is called so",
                "name the step at whose ends it counts: `round.repeats(board)`",
            );
            return None;
        };
        let mut compared = Repeats {
            step,
            cells: Vec::new(),
            formulas: Vec::new(),
        };
        for part in parts {
            let cells = self.cells_of_name(part);
            if cells.is_empty() {
                compared.formulas.extend(self.compared_formulas(part)?);
            } else {
                self.read_cells(part, &cells);
                compared.cells.extend(cells);
            }
        }
        self.k.rs.labels[step.index()].compared = true;
        Some(Expr {
            kind: ExprKind::Repeats(Box::new(compared)),
            ty: Ty::Int {
                low: Some(1),
                high: None,
            },
            span,
        })
    }

    /// Formulas by their name alone, whatever their owner and arguments.
    fn compared_formulas(&mut self, part: &ast::Expr) -> Option<Vec<FormulaId>> {
        let found = self.formulas_of_name(part);
        if found.is_empty() {
            let what = "wanted the name of a cell or of a formula";
            let help = "what is compared is named: `board_full = …`, then `repeats(board_full)`";
            self.error_help("unknown-name", part.span, what, help);
            return None;
        }
        for id in &found {
            self.k.note(word_span(part), Symbol::Formula(*id));
            self.touch(Touched::Node(Node::Formula(*id)), part.span);
            let ty = self.k.formula_type_at(*id, part.span)?;
            self.can_be_compared(*id, &ty, part.span)?;
        }
        Some(found)
    }

    fn formulas_of_name(&self, part: &ast::Expr) -> Vec<FormulaId> {
        let fits = |name: &str| match &part.kind {
            ast::ExprKind::Name(word) => {
                name == word || name.rsplit_once('.').is_some_and(|(_, own)| own == word)
            }
            ast::ExprKind::Member(base, word) => match &base.kind {
                ast::ExprKind::Name(owner) => {
                    name.rsplit_once('.') == Some((owner.as_str(), word.text.as_str()))
                }
                _ => false,
            },
            _ => false,
        };
        let formulas = self.k.rs.formulas.iter().enumerate();
        formulas
            .filter(|(_, formula)| fits(&formula.name))
            .map(|(at, _)| FormulaId(at as u32))
            .collect()
    }

    fn can_be_compared(&mut self, id: FormulaId, ty: &Ty, span: Span) -> Option<()> {
        let formula = &self.k.rs.formulas[id.index()];
        let name = formula.name.clone();
        if matches!(
            ty.required(),
            Ty::Walk(_) | Ty::Agenda | Ty::Effect(_) | Ty::Formula { .. } | Ty::Text
        ) {
            let message = format!("what `{name}` gives cannot be compared");
            let help = "compare what it consists of, each under a name of its own";
            self.error_help("wrong-type", span, message, help);
            return None;
        }
        let params = formula.params.iter();
        let wide = params
            .map(|param| &formula.code.locals[param.index()])
            .find(|local| match &local.ty {
                Ty::Bool | Ty::Element(_) => false,
                Ty::Int {
                    low: Some(low),
                    high: Some(high),
                } => high - low >= ARGUMENTS_MAX,
                _ => true,
            })
            .map(|local| local.name.clone());
        let Some(wide) = wide else {
            return Some(());
        };
        let diagnostic = Diagnostic::error(
            "wrong-type",
            span,
            format!(
                "`{name}` is compared with each of its arguments, and `{wide}` can be too much"
            ),
        );
        self.k.report(
            diagnostic.help("its arguments are rows, members, players or numbers of a small range"),
        );
        None
    }

    fn read_cells(&mut self, part: &ast::Expr, cells: &[CellId]) {
        self.k.note(word_span(part), Symbol::Cell(cells[0]));
        for cell in cells {
            self.touch(Touched::Read(*cell), part.span);
        }
    }
}

fn word_span(part: &ast::Expr) -> Span {
    match &part.kind {
        ast::ExprKind::Member(_, word) => word.span,
        _ => part.span,
    }
}
