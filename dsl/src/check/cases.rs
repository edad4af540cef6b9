//! The cases of a file as they are played: what begins from a position has the position's lines in front of its own, what is
//! played for several values stands once for each.

use std::collections::BTreeMap;

use crate::diagnostic::Diagnostic;
use crate::diagnostic::suggest::nearest;
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::{self, ExprKind, expr_text, number};
use crate::syntax::placed::{Replacing, Visit};

/// Values one case is played for.
const VALUES_MAX: i64 = 200;

/// A case with all its lines.
pub(crate) struct Case {
    pub title: String,
    pub span: Span,
    pub tags: Vec<String>,
    pub scenario: ast::Scenario,
    /// What is wrong with how it is put together.
    pub diagnostics: Vec<Diagnostic>,
}

/// All cases of a file in order. A position that none begins from is played by itself.
pub(crate) fn cases(sources: &SourceSet, file: FileId) -> Vec<Case> {
    let parsed = crate::syntax::parse::parsed(sources, file);
    let mut positions: BTreeMap<String, Case> = BTreeMap::new();
    let mut begun: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for decl in &parsed.file.declarations {
        let ast::DeclarationKind::Scenario(written) = &decl.kind else {
            continue;
        };
        let mut case = Case {
            title: written.title.text.clone(),
            span: decl.span,
            tags: decl.tags.iter().map(|tag| tag.text.clone()).collect(),
            scenario: written.clone(),
            diagnostics: Vec::new(),
        };
        if let Some(from) = written.from.clone() {
            begun.push(from.text.clone());
            case.begin_from(&from, &positions);
        }
        if !written.is_position {
            found.extend(case.for_each_value(sources));
        } else if let Some(first) = positions.get(&case.title) {
            case.diagnostics.push(twice(written, first.span));
            found.push(case);
        } else {
            positions.insert(case.title.clone(), case);
        }
    }
    let unused = positions
        .into_iter()
        .filter(|(title, _)| !begun.contains(title));
    found.extend(unused.map(|(_, case)| case));
    found.sort_by_key(|case| case.span.start);
    called_alike(&mut found);
    found
}

/// A case with the title of one before it could not be told from it.
fn called_alike(cases: &mut [Case]) {
    let mut titles: BTreeMap<String, Span> = BTreeMap::new();
    for case in cases {
        match titles.get(&case.title) {
            Some(first) => {
                let message = format!("another scenario is called \"{}\" too", case.title);
                let found = Diagnostic::error("declared-twice", case.span, message);
                let found = found.label(*first, "the first one");
                case.diagnostics
                    .push(found.help("give each scenario of a file a title of its own"));
            }
            None => {
                titles.insert(case.title.clone(), case.span);
            }
        }
    }
}

fn twice(written: &ast::Scenario, first: Span) -> Diagnostic {
    let title = &written.title;
    let message = format!("another position is called \"{}\" too", title.text);
    Diagnostic::error("declared-twice", title.span, message)
        .label(first, "the first one")
        .help("give each position of a file a title of its own")
}

impl Case {
    fn begin_from(&mut self, from: &ast::Name, positions: &BTreeMap<String, Case>) {
        let Some(position) = positions.get(&from.text) else {
            let message = format!("no position above is called \"{}\"", from.text);
            let near = nearest(&from.text, positions.keys().map(String::as_str));
            let found = Diagnostic::error("unknown-name", from.span, message);
            self.diagnostics.push(match near {
                Some(near) => found.help(format!("did you mean \"{near}\"?")),
                None => found.help("a position stands in the same file, above the cases that begin from it: `position \"a town in the north\"`"),
            });
            return;
        };
        let own = &mut self.scenario;
        own.of = own.of.take().or_else(|| position.scenario.of.clone());
        let mut with = position.scenario.with.clone();
        let known = |name: &ast::Name| {
            position
                .scenario
                .with
                .iter()
                .any(|one| one.text == name.text)
        };
        with.extend(own.with.drain(..).filter(|name| !known(name)));
        own.with = with;
        own.steps
            .splice(0..0, position.scenario.steps.iter().cloned());
        self.diagnostics
            .extend(position.diagnostics.iter().cloned());
    }

    fn for_each_value(mut self, sources: &SourceSet) -> Vec<Case> {
        let Some(values) = self.scenario.values.take() else {
            return vec![self];
        };
        let rows = match rows(&values) {
            Ok(rows) => rows,
            Err((span, message)) => {
                self.diagnostics.push(
                    Diagnostic::error("wrong-type", span, message).help(
                        "values are written `for n in 1..4`, `for w in {white, grey}`, `for n, points in {[1, 1], [2, 4]}`",
                    ),
                );
                return vec![self];
            }
        };
        rows.into_iter()
            .map(|row| self.with_values(&values.names, row, sources))
            .collect()
    }

    fn with_values(&self, names: &[ast::Name], row: Vec<ast::Expr>, sources: &SourceSet) -> Case {
        let mut scenario = self.scenario.clone();
        let mut title = self.title.clone();
        let mut said = Vec::new();
        for (name, value) in names.iter().zip(&row) {
            let text = match &value.kind {
                ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Text(_) => expr_text(value),
                _ => sources.slice(value.span).to_owned(),
            };
            let place = format!("{{{}}}", name.text);
            if title.contains(&place) {
                title = title.replace(&place, &text);
            } else {
                said.push(format!("{} = {text}", name.text));
            }
        }
        if !said.is_empty() {
            title = format!("{title} ({})", said.join(", "));
        }
        let values = names.iter().map(|name| name.text.as_str()).zip(row);
        let mut replacing = Replacing::new(values);
        scenario.steps.visit(&mut replacing);
        Case {
            title,
            span: self.span,
            tags: self.tags.clone(),
            scenario,
            diagnostics: self.diagnostics.clone(),
        }
    }
}

/// One row of values for each time the case is played, or what is wrong with them and where.
fn rows(values: &ast::CaseValues) -> Result<Vec<Vec<ast::Expr>>, (Span, String)> {
    let span = values.values.span;
    let all: Vec<ast::Expr> = match &values.values.kind {
        ExprKind::Range(Some(low), Some(high)) => match (number(low), number(high)) {
            (Some(low), Some(high)) if (0..VALUES_MAX).contains(&(high.saturating_sub(low))) => {
                (low..=high)
                    .map(|n| ast::Expr {
                        kind: ExprKind::Number(n),
                        span,
                    })
                    .collect()
            }
            (Some(_), Some(_)) => {
                return Err((
                    span,
                    format!("a case is played for 1 to {VALUES_MAX} values"),
                ));
            }
            _ => return Err((span, "the ends of this range are no numbers".into())),
        },
        ExprKind::Braces(entries) if entries.iter().all(|entry| entry.1.is_none()) => {
            entries.iter().map(|entry| entry.0.clone()).collect()
        }
        ExprKind::Brackets(entries) => entries.clone(),
        _ => return Err((span, "these are no values for a case".into())),
    };
    if all.is_empty() || all.len() as i64 > VALUES_MAX {
        return Err((
            span,
            format!("a case is played for 1 to {VALUES_MAX} values"),
        ));
    }
    let names = values.names.len();
    all.into_iter()
        .map(|value| match value.kind {
            _ if names == 1 => Ok(vec![value]),
            ExprKind::Brackets(row) if row.len() == names => Ok(row),
            _ => Err((value.span, format!("wanted are {names} values in `[…]`"))),
        })
        .collect()
}
