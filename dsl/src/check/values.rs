//! One raw cell of a table or grid as a value of its column's type.

use super::Checker;
use super::symbols::Symbol;
use super::tables::{At, LateText, is_code};
use crate::assembly::RawValue;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::ir::{ActionId, Domain, Ty, Value, number};
use crate::source::Span;
use crate::syntax::ast;

impl<'a> Checker<'a> {
    pub(super) fn raw_value(
        &mut self,
        raw: &'a RawValue,
        span: Span,
        ty: &Ty,
        at: At,
    ) -> Option<Value> {
        if let Ty::Optional(inner) = ty {
            return if is_empty_text(raw) {
                Some(Value::None)
            } else if is_none_word(raw) {
                self.none_written(span);
                None
            } else {
                self.raw_value(raw, span, inner, at)
            };
        }
        match (raw, ty) {
            (RawValue::Cell(cell), _) => self.grid_cell(cell, span, ty, at),
            (RawValue::Text { text, span, .. }, _) if is_code(ty) => {
                self.late_value(LateText::Toml { text, span: *span }, *span, ty, at)
            }
            (RawValue::Int(n), Ty::Int { .. }) => self.number_value(*n, ty, span),
            (RawValue::Bool(b), Ty::Bool) => Some(Value::Bool(*b)),
            (RawValue::Text { text, .. }, Ty::Text) => Some(Value::Text(self.intern(text))),
            (RawValue::Text { text, span, .. }, Ty::Element(domain)) => {
                self.word_value(text, *domain, *span)
            }
            (RawValue::Int(n), Ty::Element(domain)) => self.number_word(*n, *domain, span),
            (RawValue::List(values), Ty::Set(_) | Ty::Bag(_) | Ty::List(_)) => {
                self.list_value(values, ty, at)
            }
            _ => {
                self.wrong_cell(raw, span, ty);
                None
            }
        }
    }

    /// `h1 | none`: what is not there is not written.
    fn none_written(&mut self, span: Span) {
        let message = "`none` is not written in a row";
        let help = "leave the cell empty, as in `a | | 3`: that is `none`";
        let diagnostic = Diagnostic::error("maybe-none", span, message).help(help);
        self.report(diagnostic.fix("leave the cell empty", span, ""));
    }

    fn wrong_cell(&mut self, raw: &RawValue, span: Span, ty: &Ty) {
        let found = match raw {
            RawValue::Int(n) => format!("the number {n}"),
            RawValue::Bool(b) => format!("`{b}`"),
            RawValue::Text { text, .. } => format!("the text \"{text}\""),
            RawValue::List(_) => "a list".to_owned(),
            RawValue::Other(what) => (*what).to_owned(),
            RawValue::Broken => return,
            RawValue::Cell(_) => "changes".to_owned(),
        };
        let message = format!("wanted {}, found {found}", self.in_words(ty));
        let diagnostic = Diagnostic::error("wrong-type", span, message).help(how_written(ty));
        self.report(match (raw, ty.required()) {
            (RawValue::Text { text, .. }, Ty::Int { .. }) if text.parse::<i32>().is_ok() => {
                diagnostic.fix("write the number", span, text)
            }
            _ => diagnostic,
        });
    }

    fn number_value(&mut self, n: i64, ty: &Ty, span: Span) -> Option<Value> {
        let small = self.number_of_language(n, span)?;
        self.in_range(Value::Int(small), ty, span)
    }

    /// A number that was written down or computed, if the language has it.
    pub(super) fn number_of_language(&mut self, n: i64, span: Span) -> Option<i32> {
        if let Ok(number) = number::number(n) {
            return Some(number);
        }
        let size = if n < 0 { "small" } else { "great" };
        let message = format!("{n} is too {size} for a number of the language");
        let help = format!("numbers go from {} to {}", number::LEAST, number::GREATEST);
        self.report(Diagnostic::error("out-of-range", span, message).help(help));
        None
    }

    /// The value, if its number lies in the type's range.
    pub(super) fn in_range(&mut self, value: Value, ty: &Ty, span: Span) -> Option<Value> {
        let (Value::Int(n), Ty::Int { low, high }) = (&value, ty.required()) else {
            return Some(value);
        };
        let n = i64::from(*n);
        if low.is_some_and(|low| n < low) || high.is_some_and(|high| n > high) {
            let message = format!("{n} is not {}", self.in_words(ty.required()));
            self.report(Diagnostic::error("out-of-range", span, message));
            return None;
        }
        Some(value)
    }

    /// A row, a member, a side by its name.
    pub(super) fn word_value(&mut self, word: &str, domain: Domain, span: Span) -> Option<Value> {
        let found = match domain {
            Domain::Table(id) | Domain::Part(id) => self.names.rows[id.index()].get(word).copied(),
            Domain::Enum(id) => self.names.enum_members[id.index()].get(word).copied(),
            Domain::Action => return self.action_value(word, span),
            Domain::Side => self.side_named(word),
            Domain::Port => self.port_named(word),
            Domain::Player | Domain::Cell | Domain::Int { .. } => None,
        };
        match found {
            Some(number) => {
                self.note_element(span, domain, number);
                Some(Value::Element(domain, number))
            }
            None => {
                self.unknown_word(word, domain, span);
                None
            }
        }
    }

    fn action_value(&mut self, word: &str, span: Span) -> Option<Value> {
        let at = self
            .rs
            .actions
            .iter()
            .position(|action| action.name == word);
        match at {
            Some(at) => {
                let id = ActionId(at as u32);
                self.note(span, Symbol::Action(id));
                self.graph.add(
                    super::graph::Node::Outside,
                    super::graph::Touched::ActionValue(id),
                    span,
                    &std::rc::Rc::from([]),
                );
                Some(Value::Element(Domain::Action, id.0))
            }
            None => {
                self.unknown_word(word, Domain::Action, span);
                None
            }
        }
    }

    pub(super) fn unknown_word(&mut self, word: &str, domain: Domain, span: Span) {
        let (code, message, near) = match domain {
            Domain::Table(id) | Domain::Part(id) => return self.no_row(id, word, span),
            Domain::Enum(id) => {
                let near = self.names.near_word(domain, word).map(str::to_owned);
                let members = &self.rs.enums[id.index()].members;
                let seen = members
                    .iter()
                    .filter(|member| self.names.word_in(domain, member, span).is_some());
                let all: Vec<&str> = seen.map(String::as_str).collect();
                (
                    "unknown-member",
                    format!("`{word}` is not one of {}", all.join(", ")),
                    near,
                )
            }
            Domain::Action => {
                let near = nearest(
                    word,
                    self.rs.actions.iter().map(|action| action.name.as_str()),
                )
                .map(str::to_owned);
                ("unknown-name", format!("there is no action `{word}`"), near)
            }
            Domain::Side | Domain::Port => {
                let all = self.direction_names(domain);
                let near = nearest(word, all.iter().map(String::as_str)).map(str::to_owned);
                (
                    "unknown-member",
                    format!("`{word}` is not one of {}", all.join(", ")),
                    near,
                )
            }
            Domain::Player | Domain::Cell | Domain::Int { .. } => {
                let wanted = self.show_domain(domain);
                (
                    "wrong-type",
                    format!("a {wanted} cannot be named in a table"),
                    None,
                )
            }
        };
        let mut diagnostic = Diagnostic::error(code, span, message);
        if let Some(near) = near {
            diagnostic = diagnostic.meant(span, near);
        }
        self.report(diagnostic);
    }

    /// Rows with number keys: `201`.
    fn number_word(&mut self, n: i64, domain: Domain, span: Span) -> Option<Value> {
        match domain {
            Domain::Table(_) | Domain::Part(_) => self.word_value(&n.to_string(), domain, span),
            _ => {
                self.wrong_cell(&RawValue::Int(n), span, &Ty::Element(domain));
                None
            }
        }
    }

    fn list_value(&mut self, values: &'a [(RawValue, Span)], ty: &Ty, at: At) -> Option<Value> {
        let element = ty.element()?;
        let typed: Vec<Option<Value>> = values
            .iter()
            .map(|(value, span)| self.raw_value(value, *span, &element, at))
            .collect();
        let all: Vec<Value> = typed.into_iter().collect::<Option<_>>()?;
        Some(Value::collected(all, ty))
    }

    /// A cell of a grid or of a line in a rules file.
    pub(super) fn grid_cell(
        &mut self,
        cell: &'a ast::GridCell,
        span: Span,
        ty: &Ty,
        at: At,
    ) -> Option<Value> {
        if is_code(ty) {
            return self.late_value(LateText::Cell(cell), span, ty, at);
        }
        if *ty.required() == Ty::Text
            && let Some(word) = bare_word(cell)
        {
            return Some(Value::Text(self.intern(&word)));
        }
        match cell {
            ast::GridCell::Expr(expr) => self.expr_value(expr, ty, at),
            ast::GridCell::Statements(block) => match block.statements.as_slice() {
                [
                    ast::Statement {
                        kind: ast::StatementKind::Run(expr),
                        ..
                    },
                ] => self.expr_value(expr, ty, at),
                _ => {
                    let message = format!("wanted {}, found changes", self.in_words(ty));
                    self.report(Diagnostic::error("wrong-type", span, message));
                    None
                }
            },
        }
    }
}

/// How a value of this type is written in a component list.
fn how_written(ty: &Ty) -> &'static str {
    match ty.required() {
        Ty::Set(_) | Ty::Bag(_) | Ty::List(_) => "several values stand in brackets: `[…]`",
        Ty::Int { .. } => "a number is whole and stands without quotes: `3`",
        Ty::Bool => "write `true` or `false`, without quotes",
        Ty::Text => "a text stands in quotes: `\"…\"`",
        Ty::Element(_) => "a name stands in quotes: `\"…\"`",
        _ => "what is to be done or counted stands in quotes: `\"…\"`",
    }
}

/// A word in a column of texts is a text.
fn bare_word(cell: &ast::GridCell) -> Option<String> {
    word_of(cell)
        .filter(|word| *word != "none")
        .map(str::to_owned)
}

fn is_none_word(raw: &RawValue) -> bool {
    matches!(raw, RawValue::Cell(cell) if word_of(cell) == Some("none"))
}

/// The name that a cell of a row consists of.
fn word_of(cell: &ast::GridCell) -> Option<&str> {
    let expr = match cell {
        ast::GridCell::Expr(expr) => expr,
        ast::GridCell::Statements(block) => match block.statements.as_slice() {
            [
                ast::Statement {
                    kind: ast::StatementKind::Run(expr),
                    ..
                },
            ] => expr,
            _ => return None,
        },
    };
    match &expr.kind {
        ast::ExprKind::Name(name) => Some(name),
        _ => None,
    }
}

fn is_empty_text(raw: &RawValue) -> bool {
    matches!(raw, RawValue::Text { text, .. } if text.is_empty())
}
