//! What is shown of the state: numbers, names of looks, expressions, columns that only the drawing knows.

use super::pictures::Pictures;
use super::{Asked, LoopId, QuestionId, Through};
use crate::assembly::tree::{self, Node};
use crate::assembly::{Assembly, RawValue};
use crate::bounds::SHOWN_MAX;
use crate::check::{Known, Lexicon, Questions, Said, key_text, literal};
use crate::diagnostic::{Diagnostic, Severity, braces, suggest::nearest};
use crate::ir::{Domain, Expr, ExprKind, RuleSet, TableId, Ty};
use crate::source::{FileId, Span};
use crate::syntax::ast::GridCell;
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub enum Value {
    Number(i32),
    /// The name of a look or of a colour of the surrounding.
    Name(String),
    Asked(QuestionId),
    /// A column of a row that the rules do not declare: one datum for each row.
    Column {
        row: QuestionId,
        table: TableId,
        name: String,
        data: Vec<Datum>,
    },
}

/// What stands in a component list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Datum {
    Nothing,
    Number(i32),
    Text(String),
    List(Vec<Datum>),
}

/// A text with values in braces.
#[derive(Clone, Debug, Default)]
pub struct Template {
    pub parts: Vec<TemplatePart>,
}

#[derive(Clone, Debug)]
pub enum TemplatePart {
    Text(String),
    Value(Value),
}

/// Colours of the surrounding, whatever the game.
pub const COLOURS: [&str; 5] = ["ink", "muted", "paper", "card", "highlight"];

/// The name under which a board speaks of the seat that looks at it; none: everybody, or nobody.
pub const VIEWER: &str = "viewer";

/// The names that every text of a board knows.
pub(super) fn everywhere() -> Vec<Known> {
    vec![Known {
        name: VIEWER.to_owned(),
        ty: viewer_type(),
        span: Span::new(FileId(0), 0, 0),
    }]
}

/// What [`VIEWER`] is.
pub fn viewer_type() -> Ty {
    Ty::Element(Domain::Player).optional()
}

/// Checks the texts of a board.
pub(super) struct Texts<'a> {
    pub questions: Questions<'a>,
    pub assembly: &'a Assembly,
    pub rules: &'a RuleSet,
    /// Names of looks.
    pub looks: Vec<String>,
    /// Names of choices whose answers are numbers that something stands for.
    pub choices: Vec<String>,
    pub asked: Vec<Asked>,
    pub loops: Vec<Through>,
    pub pictures: Pictures<'a>,
    /// What its texts are in the language chosen.
    pub words: Lexicon,
    pub out: Vec<Diagnostic>,
}

impl Texts<'_> {
    /// A number, the name of a look, or an expression.
    pub fn value(&mut self, node: &Node, known: &[Known]) -> Option<Value> {
        match &node.value {
            tree::Value::Int(number) => {
                Some(Value::Number(i32::try_from(*number).unwrap_or(i32::MAX)))
            }
            tree::Value::Text { text, span, .. } => self.named_or_asked(text, *span, known),
            _ => {
                let message = format!("this is {}, not a value", node.describe());
                let help = "write a number, or an expression of the rules language in quotes";
                self.out
                    .push(Diagnostic::error("wrong-value", node.span, message).help(help));
                None
            }
        }
    }

    fn named_or_asked(&mut self, text: &str, span: Span, known: &[Known]) -> Option<Value> {
        let bound = known.iter().any(|one| one.name == text);
        if !bound && (self.looks.iter().any(|look| look == text) || COLOURS.contains(&text)) {
            return Some(Value::Name(text.to_owned()));
        }
        if text.trim_start().starts_with('#') {
            let message = format!("`{}` is no look", text.trim());
            let found = Diagnostic::error("wrong-value", span, message);
            let help = "a colour has a name: `rust = { colour = \"#b7410e\" }` below `[looks]`, and here `\"rust\"`";
            self.out.push(found.help(help));
            return None;
        }
        self.shown(text, span, known)
    }

    /// `i = 25 - j`: a number, where a choice `i` of the rules asks for one. None: it is no such thing; inside, what is wrong has
    /// been told.
    pub fn number_asked(&mut self, node: &Node, known: &[Known]) -> Option<Option<(usize, Value)>> {
        let tree::Value::Text { text, span, .. } = &node.value else {
            return None;
        };
        let (left, right) = text.split_once(" = ")?;
        let name = left.trim();
        let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word || known.iter().any(|one| one.name == name) {
            return None;
        }
        let actions = self.rules.actions.iter().map(|action| &action.code);
        let locals = actions
            .chain([&self.rules.flow])
            .flat_map(|code| &code.locals);
        let is_number = |ty: &Ty| {
            matches!(
                ty.required(),
                Ty::Int { .. } | Ty::Element(Domain::Int { .. })
            )
        };
        let numbers = locals.filter(|local| is_number(&local.ty));
        if !numbers.clone().any(|local| local.name == name) {
            let place = Span::new(
                span.file,
                span.start as usize,
                span.start as usize + left.len(),
            );
            let message = format!("no choice of a number is called `{name}`");
            let found = Diagnostic::error("unknown-name", place, message);
            self.out.push(
                match nearest(name, numbers.map(|local| local.name.as_str())) {
                    Some(near) => found.meant(place, near),
                    None => found.help("name it as the rules do: `i` of `choose i in 1..6`"),
                },
            );
            return Some(None);
        }
        let start = span.start as usize + text.len() - right.len();
        let place = Span::new(span.file, start, start + right.len());
        Some(self.shown(right, place, known).map(|value| {
            let at = self.choices.iter().position(|known| known == name);
            let at = at.unwrap_or_else(|| {
                self.choices.push(name.to_owned());
                self.choices.len() - 1
            });
            (at, value)
        }))
    }

    /// An expression, or `x.column` of a column that the rules do not declare.
    fn shown(&mut self, text: &str, span: Span, known: &[Known]) -> Option<Value> {
        if let Some(column) = self.column(text, span, known) {
            return Some(column);
        }
        match self.asked(text, span, known) {
            Ok(id) => Some(Value::Asked(id)),
            Err(diagnostics) => {
                let near = nearest(text, self.looks.iter().map(String::as_str).chain(COLOURS));
                let helped = diagnostics.into_iter().map(|found| match near {
                    Some(near) if found.help.is_none() => {
                        found.help(format!("did you mean the look `{near}`?"))
                    }
                    _ => found,
                });
                self.out.extend(helped);
                None
            }
        }
    }

    fn column(&mut self, text: &str, span: Span, known: &[Known]) -> Option<Value> {
        let (row, name) = text.rsplit_once('.')?;
        let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if !is_word(name) || !self.is_undeclared(name) {
            return None;
        }
        let (row, code) = self.questions.expression(row, span, known).ok()?;
        let Ty::Element(Domain::Table(table) | Domain::Part(table)) = *row.ty.required() else {
            return None;
        };
        let declared = &self.rules.tables[table.index()].columns;
        if declared.iter().any(|column| column.name == name) {
            return None;
        }
        let data = data(self.assembly, self.rules, table, name)?;
        let row = self.keep((row, code), known);
        Some(Value::Column {
            row,
            table,
            name: name.to_owned(),
            data,
        })
    }

    /// Some table's rows have such a column although the table does not declare it.
    fn is_undeclared(&self, name: &str) -> bool {
        let mut tables = self.assembly.tables.iter().map(|entry| &entry.item);
        tables.any(|table| {
            let mut cells = table.rows.iter().flat_map(|row| &row.cells);
            cells.any(|cell| cell.name.text == name)
                && !table.decl.columns.iter().any(|c| c.name.text == name)
        })
    }

    /// An expression of the rules language.
    pub fn ask(&mut self, node: &Node, known: &[Known]) -> Option<QuestionId> {
        let tree::Value::Text { text, span, .. } = &node.value else {
            let message = format!("this is {}, not an expression", node.describe());
            let help = "write an expression of the rules language in quotes";
            self.out
                .push(Diagnostic::error("wrong-value", node.span, message).help(help));
            return None;
        };
        match self.asked(text, *span, known) {
            Ok(id) => Some(id),
            Err(diagnostics) => {
                self.out.extend(diagnostics);
                None
            }
        }
    }

    fn asked(
        &mut self,
        text: &str,
        span: Span,
        known: &[Known],
    ) -> Result<QuestionId, Vec<Diagnostic>> {
        let checked = self.questions.expression(text, span, known)?;
        Ok(self.keep(checked, known))
    }

    fn keep(&mut self, checked: (crate::ir::Expr, crate::ir::Code), known: &[Known]) -> QuestionId {
        self.asked.push(Asked {
            checked,
            parameters: known.len(),
        });
        QuestionId(self.asked.len() - 1)
    }

    pub fn type_of(&self, question: QuestionId) -> &Ty {
        &self.asked[question.0].checked.0.ty
    }

    /// Names to go through; they are known behind this.
    pub fn through(&mut self, node: &Node, known: &mut Vec<Known>) -> Option<LoopId> {
        let tree::Value::Text { text, span, .. } = &node.value else {
            let message = format!("`for` is {}, not a text", node.describe());
            let help = "write what is gone through: `for = \"r in route\"`";
            self.out
                .push(Diagnostic::error("wrong-value", node.span, message).help(help));
            return None;
        };
        match self.questions.binders(text, *span, known) {
            Ok((binders, code)) => {
                let parameters = known.len();
                let mut types = Vec::new();
                let numbers: u64 = binders
                    .iter()
                    .map(|binder| numbers_of(&binder.source))
                    .fold(1, u64::saturating_mul);
                if numbers > SHOWN_MAX as u64 {
                    let message = format!(
                        "`for` goes through {numbers} numbers; a board shows {SHOWN_MAX} of one thing at most"
                    );
                    self.out
                        .push(Diagnostic::error("board", *span, message).help("go through fewer"));
                }
                for binder in &binders {
                    let local = &code.locals[binder.local.index()];
                    types.push(local.ty.clone());
                    known.push(Known {
                        name: local.name.clone(),
                        ty: local.ty.clone(),
                        span: local.span,
                    });
                }
                self.loops.push(Through {
                    checked: (binders, code),
                    parameters,
                    types,
                });
                Some(LoopId(self.loops.len() - 1))
            }
            Err(diagnostics) => {
                self.out.extend(diagnostics);
                None
            }
        }
    }

    /// A text with values in braces, in the language chosen.
    pub fn template(&mut self, node: &Node, known: &[Known]) -> Option<Template> {
        let tree::Value::Text { text, span, .. } = &node.value else {
            return self.template_as_written(node, known);
        };
        if let Some(said) = said(&mut self.words, text, *span) {
            let before = self.out.len();
            let found = self.parts_of(&said.text, said.span, known);
            // What is wrong there keeps nobody from seeing what it says here.
            let severity = self.out[before..].iter_mut().map(|one| &mut one.severity);
            severity.for_each(|severity| *severity = Severity::Warning);
            if found.is_some() {
                return found;
            }
        }
        self.parts_of(text, *span, known)
    }

    /// A text with values in braces that is the same in every language: the name of a file.
    pub fn template_as_written(&mut self, node: &Node, known: &[Known]) -> Option<Template> {
        let tree::Value::Text { text, span, .. } = &node.value else {
            let message = format!("this is {}, not a text", node.describe());
            self.out
                .push(Diagnostic::error("wrong-value", node.span, message));
            return None;
        };
        self.parts_of(text, *span, known)
    }

    fn parts_of(&mut self, text: &str, span: Span, known: &[Known]) -> Option<Template> {
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(open) = text[at..].find('{').map(|open| at + open) {
            let Some(close) = text[open..].find('}').map(|close| open + close) else {
                let found = braces::unclosed(text, span, open);
                self.out.push(found.help("write `}` behind the expression"));
                return None;
            };
            if open > at {
                self.out.extend(braces::stray(&text[at..open], at, span));
                parts.push(TemplatePart::Text(text[at..open].to_owned()));
            }
            let start = span.start as usize + open + 1;
            let inner = &text[open + 1..close];
            let place = Span::new(span.file, start, start + inner.len());
            parts.push(TemplatePart::Value(self.shown(inner, place, known)?));
            at = close + 1;
        }
        if at < text.len() {
            self.out.extend(braces::stray(&text[at..], at, span));
            parts.push(TemplatePart::Text(text[at..].to_owned()));
        }
        Some(Template { parts })
    }
}

/// What a text of a board is in the language chosen; that there are no words for it is noted, if it has any.
pub(super) fn said(words: &mut Lexicon, text: &str, place: Span) -> Option<Said> {
    let found = words.text(text).cloned();
    let outside = text.split('{').enumerate().map(|(at, part)| match at {
        0 => part,
        _ => part.split_once('}').map_or("", |(_, behind)| behind),
    });
    let letters = |part: &str| {
        let mut words = part.split(|c: char| !c.is_alphabetic());
        words.any(|word| word.chars().nth(1).is_some())
    };
    if outside.into_iter().any(letters) {
        words.note(found.is_some(), &format!("\"{text}\""), place);
    }
    found
}

/// A column that the rules do not declare: one datum for each row; none if no row has it.
pub(crate) fn data(
    assembly: &Assembly,
    rules: &RuleSet,
    table: TableId,
    name: &str,
) -> Option<Vec<Datum>> {
    // Borders and corners are tables that nobody wrote.
    let entry = &assembly.tables.get(table.index())?.item;
    let raw: BTreeMap<Span, &RawValue> = entry
        .rows
        .iter()
        .filter_map(|row| {
            let mut cells = row.cells.iter();
            let cell = cells.find(|cell| cell.name.text == name)?;
            Some((row.span, &cell.value))
        })
        .collect();
    if raw.is_empty() {
        return None;
    }
    let patched = patched(assembly, table, name);
    let rows = rules.tables[table.index()].rows.iter();
    let found = rows.map(|row| {
        let own = patched
            .get(&row.name)
            .or_else(|| raw.get(&row.span).copied());
        match own {
            Some(RawValue::Cell(cell)) => match &**cell {
                GridCell::Expr(expr) => literal(expr).as_ref().map_or(Datum::Nothing, datum),
                GridCell::Statements(_) => Datum::Nothing,
            },
            own => own.map_or(Datum::Nothing, datum),
        }
    });
    Some(found.collect())
}

/// What overlays say of the column, by the rows' names; the last one counts.
fn patched(assembly: &Assembly, table: TableId, name: &str) -> BTreeMap<String, RawValue> {
    let patches = assembly.tables[table.index()].item.patches.iter();
    let cells = patches.flat_map(|patch| {
        let cells = patch.cells.iter().filter(|(column, _)| column.text == name);
        cells.filter_map(|(_, value)| Some((key_text(&patch.key), literal(value)?)))
    });
    cells.collect()
}

/// Where the cell of a row is written; none if it has none.
pub(super) fn written_at(
    assembly: &Assembly,
    rules: &RuleSet,
    (table, row): (TableId, usize),
    name: &str,
) -> Option<Span> {
    let entry = &assembly.tables.get(table.index())?.item;
    let row = rules.tables[table.index()].rows.get(row)?;
    let patches = entry.patches.iter().rev();
    let mut patched = patches
        .filter(|patch| key_text(&patch.key) == row.name)
        .filter_map(|patch| patch.cells.iter().find(|(column, _)| column.text == name));
    if let Some((_, value)) = patched.next() {
        return Some(value.span);
    }
    let raw = entry.rows.iter().find(|raw| raw.span == row.span)?;
    let cell = raw.cells.iter().find(|cell| cell.name.text == name)?;
    Some(cell.span)
}

fn datum(raw: &RawValue) -> Datum {
    match raw {
        RawValue::Int(number) => i32::try_from(*number).map_or(Datum::Nothing, Datum::Number),
        RawValue::Bool(value) => Datum::Text(value.to_string()),
        RawValue::Text { text, .. } => Datum::Text(text.clone()),
        RawValue::List(values) => {
            Datum::List(values.iter().map(|(value, _)| datum(value)).collect())
        }
        RawValue::Other(_) | RawValue::Broken | RawValue::Cell(_) => Datum::Nothing,
    }
}

/// How many numbers a range with fixed ends has; 1 of all else, which is no longer than what the game has.
fn numbers_of(source: &Expr) -> u64 {
    let ExprKind::Range(from, to) = &source.kind else {
        return 1;
    };
    match (&from.ty, &to.ty) {
        (
            Ty::Int {
                low: Some(from),
                high: Some(least),
            },
            Ty::Int {
                low: Some(to),
                high: Some(most),
            },
        ) if from == least && to == most => (to - from + 1).max(0) as u64,
        _ => 1,
    }
}
