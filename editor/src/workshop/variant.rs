//! What the active overlays change, options as dials, and overlays that do not go together.

use super::checker::Checked;
use super::history::Edit;
use super::sheet::{CellKind, FileEdit, Sheet};
use crate::values;
use dsl::assembly::{self, ChangeKind};
use dsl::diagnostic::Diagnostic;
use dsl::ir::{Domain, GameOption, RuleSet, Ty};
use dsl::source::{FileId, SourceSet, Span};
use dsl::syntax::ast::{DeclarationKind, ExprKind, GridCell, Overlay};
use dsl::syntax::parse::parse;

/// One thing that an overlay changes, old beside new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Id and title of the overlay.
    pub layer: String,
    pub title: String,
    pub kind: ChangeKind,
    /// `wagons_each`, `turn.act`, `card[604].price`.
    pub name: String,
    /// What stood there: its place and text; none for what is new.
    pub old: Option<(Span, String)>,
    /// The overlay's text.
    pub new: (Span, String),
    /// For options: the value below the overlays, and the value now.
    pub values: Option<(String, String)>,
}

/// What the active overlays change, layer by layer, in the order of the texts.
pub fn differences(checked: &Checked) -> Vec<Difference> {
    let Some(assembly) = &checked.compiled.assembly else {
        return Vec::new();
    };
    let sources = &checked.sources;
    let sheets = checked.rules().filter(|_| !assembly.deeds.is_empty());
    let sheets = sheets.map_or_else(Vec::new, |rules| Sheet::all(checked, rules));
    let changes = assembly::changes(assembly).into_iter();
    let differences = changes.map(|change| {
        let layer = &assembly.layers[change.layer.index()];
        let name = change.name.strip_prefix("flow.").unwrap_or(&change.name);
        Difference {
            layer: layer.id.clone(),
            title: layer.title.clone(),
            kind: change.kind,
            name: name.replace(".[", "["),
            old: change.old.map(|span| (span, text(sources, span))),
            new: (change.new, text(sources, change.new)),
            values: checked
                .rules()
                .and_then(|rules| option_values(rules, name))
                .or_else(|| cell_values(&sheets, name)),
        }
    });
    differences.collect()
}

fn text(sources: &SourceSet, span: Span) -> String {
    sources.slice(span).trim_end().to_owned()
}

fn option_values(rules: &RuleSet, name: &str) -> Option<(String, String)> {
    let option = rules.options.iter().find(|option| option.name == name)?;
    Some((
        values::shown(rules, &option.default),
        values::shown(rules, &option.value),
    ))
}

/// Of `card.[604].price`: what the table says below the overlays, and what it says now.
fn cell_values(sheets: &[Sheet], name: &str) -> Option<(String, String)> {
    let (table, rest) = name.split_once(".[")?;
    let (key, column) = rest.rsplit_once("].")?;
    let sheet = sheets.iter().find(|sheet| sheet.name == table)?;
    let key: Vec<&str> = key.split(", ").map(|part| part.trim_matches('"')).collect();
    let cell = &sheet.rows[sheet.row(&key.join("/"))?].cells[sheet.column(column)?];
    let filled = |text: &str| match text {
        "" => "none".to_owned(),
        text => text.to_owned(),
    };
    Some((filled(cell.below.as_deref()?), filled(&cell.text)))
}

/// Overlays that change the same thing in ways that do not go together, or whose order matters; both places are in each.
pub fn conflicts(checked: &Checked) -> Vec<&Diagnostic> {
    let found = checked.diagnostics().iter();
    found
        .filter(|one| {
            matches!(
                one.code,
                "overlay-conflict" | "overlay-order" | "overlay-unread"
            )
        })
        .collect()
}

/// An option, to be turned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dial {
    pub name: String,
    /// As people say it.
    pub said: String,
    pub doc: String,
    /// A number with its bounds, or one of several values.
    pub kind: CellKind,
    /// The type in words: `a number from 1 to 90`.
    pub words: String,
    pub value: String,
    /// Without the overlay that edits go to: back there, nothing is written.
    pub start: String,
    /// As the game declares it.
    pub declared: String,
    /// Its declaration.
    pub span: Span,
    /// Where it was set last.
    pub set_at: Option<Span>,
}

/// All options of rules that are without mistakes, in the order of their declaration.
pub fn dials(good: &Checked) -> Vec<Dial> {
    let Some(rules) = good.rules() else {
        return Vec::new();
    };
    let below = good.below.as_ref().unwrap_or(rules);
    let dials = rules.options.iter().map(|option| {
        let start = below.options.iter().find(|other| other.name == option.name);
        Dial {
            name: option.name.clone(),
            said: said(rules, option),
            doc: super::playtest::prose(&option.doc),
            kind: kind(rules, option),
            words: values::kind(rules, &option.ty),
            value: values::shown(rules, &option.value),
            start: values::shown(below, &start.unwrap_or(option).value),
            declared: values::shown(rules, &option.default),
            span: option.span,
            set_at: option.set_at,
        }
    });
    dials.collect()
}

/// What people call an option.
fn said(rules: &RuleSet, option: &GameOption) -> String {
    let mut options = rules.options.iter().zip(&rules.speech.options);
    let found = options.find(|(other, _)| other.name == option.name);
    found.map_or_else(|| option.name.clone(), |(_, said)| said.clone())
}

fn kind(rules: &RuleSet, option: &GameOption) -> CellKind {
    match option.ty.required() {
        Ty::Int { low, high } => CellKind::Number {
            low: *low,
            high: *high,
        },
        Ty::Bool | Ty::Element(Domain::Enum(_) | Domain::Table(_)) => CellKind::Choice {
            values: values::values(rules, option.ty.required()),
            open: false,
        },
        _ => CellKind::Code,
    }
}

/// The edit of an overlay's file that gives an option a value; its own `set` lines of the option go where it is back at
/// what it is without the overlay.
///
/// # Errors
/// If the value is none of the option's.
pub fn turn(dial: &Dial, file: &str, source: &str, value: &str) -> Result<FileEdit, String> {
    let value = value.trim();
    test(dial, value)?;
    let mut own = sets(source, &dial.name);
    let mut edits = Vec::new();
    let line = format!("set {} = {}", dial.name, in_rules(dial, value));
    match own.pop() {
        _ if value == dial.start => {
            let all = sets(source, &dial.name).into_iter();
            edits.extend(all.map(|(start, end)| Edit::new(whole_line(source, start, end), "")));
        }
        Some((start, end)) => {
            let others = own.into_iter();
            edits.extend(others.map(|(start, end)| Edit::new(whole_line(source, start, end), "")));
            edits.push(Edit::new(start..end, line));
        }
        None => edits.push(super::sheet::at_end(source, &line)),
    }
    Ok(FileEdit {
        file: file.to_owned(),
        label: format!("turn {}", dial.name),
        edits,
    })
}

fn test(dial: &Dial, value: &str) -> Result<(), String> {
    let fits = match &dial.kind {
        CellKind::Number { low, high } => value.parse::<i64>().is_ok_and(|number| {
            low.is_none_or(|low| number >= low) && high.is_none_or(|high| number <= high)
        }),
        CellKind::Choice { values, .. } => values.iter().any(|known| known == value),
        _ => !value.is_empty() && !value.contains('\n'),
    };
    match fits {
        true => Ok(()),
        false => Err(format!(
            "`{value}` is no value of `{}`: it is {}",
            dial.name, dial.words
        )),
    }
}

fn in_rules(dial: &Dial, value: &str) -> String {
    match dial.kind {
        CellKind::Choice { .. } => super::sheet::name_in_rules(value),
        _ => value.to_owned(),
    }
}

/// Places of the `set` lines of an option, without rule ids behind them.
fn sets(source: &str, name: &str) -> Vec<(usize, usize)> {
    let parsed = parse(FileId(0), source);
    let declarations = parsed.file.declarations.into_iter();
    let places = declarations.filter_map(|declaration| match declaration.kind {
        DeclarationKind::Overlay(Overlay::Set {
            target,
            value: GridCell::Expr(value),
            ..
        }) => {
            let is_it = matches!(&target.kind, ExprKind::Name(other) if other == name);
            is_it.then_some((declaration.span.start as usize, value.span.end as usize))
        }
        _ => None,
    });
    places.collect()
}

fn whole_line(source: &str, start: usize, end: usize) -> std::ops::Range<usize> {
    super::sheet::gone(source, Span::new(FileId(0), start, end))
}
