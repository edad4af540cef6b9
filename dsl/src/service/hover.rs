//! What stands at a place, in words: what it is, its type, what it is for, its value and who says so.

use super::definition::{Role, overlay_at, rule_text, targets};
use super::place::{symbol_at, word_at};
use super::tokens::TokenKind;
use super::words::{self, Place};
use crate::Compiled;
use crate::assembly::OverlayInfo;
use crate::check::{Symbol, show, show_value};
use crate::ir::{CellOwner, Code, Domain, ExprKind, Local, ParamKind, Private, RuleSet, Ty, Value};
use crate::source::{FileId, SourceSet, Span};

/// At most so many columns, members or cells are listed.
const LISTED_MAX: usize = 12;

/// What is shown beside the pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hover {
    /// The word it is about.
    pub span: Option<Span>,
    /// Kind, name and type, as a declaration is written: `player.wagons: 0..`.
    pub signature: String,
    /// Its documentation; for words of the language the manual's sentence.
    pub doc: String,
    /// For words of the language.
    pub example: String,
    /// Value, columns, members, layers; one sentence each, lower case, no full stop.
    pub facts: Vec<String>,
}

/// What stands at a byte of a file; `None` where there is nothing to say.
pub fn hover(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    offset: usize,
) -> Option<Hover> {
    if let Some(hover) = super::sections::hover(sources, file, offset) {
        return Some(hover);
    }
    let in_hole = || super::holes::symbol_at(sources, compiled, file, offset);
    if let Some((span, symbol)) = symbol_at(sources, compiled, file, offset).or_else(in_hole)
        && let Some(rules) = compiled.understood()
    {
        let mut hover = describe(rules, symbol, sources.slice(span))?;
        hover.span = Some(span);
        hover.facts.extend(layers(sources, compiled, symbol));
        return Some(hover);
    }
    let (word, kind) = word_at(sources, file, offset)?;
    if let Some((span, overlay)) = overlay_at(sources, compiled, word) {
        return Some(of_overlay(compiled, span, overlay));
    }
    let text = sources.slice(word);
    if kind == TokenKind::RuleId {
        let (line, layer) = rule_text(sources, compiled, text)?;
        return Some(Hover {
            span: Some(word),
            signature: text.to_owned(),
            doc: sources
                .slice(line)
                .replace("**", "")
                .trim_matches(['|', ' ', '-'])
                .to_owned(),
            facts: vec![format!("a rule of `{layer}`")],
            ..Hover::default()
        });
    }
    let wanted = match kind {
        TokenKind::Member => Some(Place::Member),
        TokenKind::Type => Some(Place::Type),
        _ => None,
    };
    let entry = words::entries(text)
        .find(|entry| Some(entry.place) == wanted)
        .or_else(|| words::entries(text).next())?;
    Some(Hover {
        span: Some(word),
        signature: text.to_owned(),
        doc: entry.meaning.to_owned(),
        example: entry.example.to_owned(),
        facts: Vec::new(),
    })
}

fn of_overlay(compiled: &Compiled, span: Span, overlay: &OverlayInfo) -> Hover {
    let kind = if overlay.expansion {
        "an expansion"
    } else {
        "a variant"
    };
    let assembly = compiled.assembly.as_ref();
    let on = assembly.is_some_and(|asm| asm.layers.iter().any(|layer| layer.id == overlay.id));
    let mut facts = vec![
        kind.to_owned(),
        (if on { "is on" } else { "is off" }).to_owned(),
    ];
    if !overlay.needs.is_empty() {
        facts.push(format!("needs {}", overlay.needs.join(", ")));
    }
    Hover {
        span: Some(span),
        signature: overlay.id.clone(),
        doc: overlay.title.clone(),
        example: String::new(),
        facts,
    }
}

/// What a symbol is; `name` where it has none of its own.
pub(super) fn describe(rules: &RuleSet, symbol: Symbol, name: &str) -> Option<Hover> {
    let (signature, doc, facts) = match symbol {
        Symbol::Option(id) => {
            let option = rules.options.get(id.index())?;
            let default = show_value(rules, &option.default);
            let value = show_value(rules, &option.value);
            let ty = show(rules, &option.ty);
            let facts = (option.value != option.default).then(|| format!("is {value} here"));
            (
                format!("option {}: {ty} = {default}", option.name),
                option.doc.clone(),
                facts.into_iter().collect(),
            )
        }
        Symbol::Enum(id) => {
            let declared = rules.enums.get(id.index())?;
            let members = listed(declared.members.iter().map(String::as_str));
            (
                format!("enum {} = {members}", declared.name),
                String::new(),
                Vec::new(),
            )
        }
        Symbol::Member(id, number) => {
            let declared = rules.enums.get(id.index())?;
            let member = declared.members.get(number as usize)?;
            let of = show(rules, &Ty::Element(Domain::Enum(id)));
            (format!("{member}: {of}"), String::new(), Vec::new())
        }
        Symbol::Table(id) => table(rules, id.index())?,
        Symbol::Column(id, column) => {
            let table = rules.tables.get(id.index())?;
            let column = table.columns.get(column.index())?;
            let ty = show(rules, &column.ty);
            (
                format!("{}.{}: {ty}", table.name, column.name),
                column.doc.clone(),
                Vec::new(),
            )
        }
        Symbol::Row(id, row) => row_of(rules, id.index(), row as usize)?,
        Symbol::Grid(id) => {
            let grid = rules.grids.get(id.index())?;
            let by = grid
                .indices
                .iter()
                .map(|one| show(rules, &one.element_ty()));
            let by: Vec<String> = by.collect();
            let ty = show(rules, &grid.ty);
            (
                format!("table {}[{}]: {ty}", grid.name, by.join(", ")),
                String::new(),
                Vec::new(),
            )
        }
        Symbol::Cell(id) => {
            let cell = rules.cells.get(id.index())?;
            (
                cell_signature(rules, id.index()),
                cell.doc.clone(),
                seen_by(cell),
            )
        }
        Symbol::Formula(id) => formula(rules, id.index())?,
        Symbol::Network(id) => {
            let network = rules.networks.get(id.index())?;
            (
                format!("network {}", network.name),
                String::new(),
                Vec::new(),
            )
        }
        Symbol::Action(id) => {
            let action = rules.actions.get(id.index())?;
            (
                action_signature(rules, id.index()),
                action.doc.clone(),
                Vec::new(),
            )
        }
        Symbol::Tiling => {
            let tiling = rules.tiling.as_ref()?;
            (format!("tiling {}", tiling.name), String::new(), Vec::new())
        }
        Symbol::Rule(_) => {
            let rule = rules.rules.iter().find(|rule| rule.name == name)?;
            let word = if rule.invariant { "check" } else { "always" };
            (format!("{word} {name}"), rule.doc.clone(), Vec::new())
        }
        Symbol::When(_) => {
            let when = rules.whens.iter().find(|when| when.name == name)?;
            (format!("when {name}"), when.doc.clone(), Vec::new())
        }
        Symbol::Label(_) => (format!("step {name}"), String::new(), Vec::new()),
        Symbol::Score(id) => {
            let line = rules.scores.get(id.index())?;
            let end = if line.at_end { " at end" } else { "" };
            (
                format!("score {}{end}", line.name),
                line.doc.clone(),
                Vec::new(),
            )
        }
        Symbol::Local(span) => match local(rules, span) {
            Some(local) => {
                let ty = show(rules, &local.ty);
                (format!("{}: {ty}", local.name), String::new(), Vec::new())
            }
            None => {
                let entry = words::entries(name).find(|entry| entry.place == Place::Value)?;
                (name.to_owned(), entry.meaning.to_owned(), Vec::new())
            }
        },
    };
    Some(Hover {
        signature,
        doc,
        facts,
        ..Hover::default()
    })
}

type Described = (String, String, Vec<String>);

fn table(rules: &RuleSet, at: usize) -> Option<Described> {
    let table = rules.tables.get(at)?;
    let key = table
        .key
        .iter()
        .map(|id| table.columns[id.index()].name.as_str());
    let key: Vec<&str> = key.collect();
    let columns = table
        .columns
        .iter()
        .map(|column| format!("{}: {}", column.name, show(rules, &column.ty)));
    let columns: Vec<String> = columns.collect();
    let key = if key.is_empty() {
        String::new()
    } else {
        format!(" key {}", key.join(", "))
    };
    let facts = vec![
        format!("{} rows", table.rows.len()),
        format!("columns {}", listed(columns.iter().map(String::as_str))),
    ];
    Some((
        format!("table {}{key}", table.name),
        table.doc.clone(),
        facts,
    ))
}

fn row_of(rules: &RuleSet, at: usize, row: usize) -> Option<Described> {
    let table = rules.tables.get(at)?;
    let row = table.rows.get(row)?;
    let cells = table
        .columns
        .iter()
        .zip(&row.values)
        .map(|(column, value)| format!("{} = {}", column.name, show_value(rules, value)));
    let cells: Vec<String> = cells.collect();
    let facts = vec![listed(cells.iter().map(String::as_str))];
    Some((
        format!("{}[{}]", table.name, row.name),
        String::new(),
        facts,
    ))
}

fn formula(rules: &RuleSet, at: usize) -> Option<Described> {
    let formula = rules.formulas.get(at)?;
    let own = usize::from(formula.owner.is_some());
    let params = formula.params.iter().skip(own).filter_map(|id| {
        let local = formula.code.locals.get(id.index())?;
        Some(format!("{}: {}", local.name, show(rules, &local.ty)))
    });
    let params: Vec<String> = params.collect();
    let name = formula.name.split('#').next().unwrap_or_default();
    let list = if params.is_empty() {
        String::new()
    } else {
        format!("({})", params.join(", "))
    };
    let value = match &formula.body.kind {
        ExprKind::Const(value) if own == 0 && params.is_empty() => {
            Some(format!("is {}", show_value(rules, value)))
        }
        ExprKind::ListOf(all) if params.is_empty() => list_value(rules, all),
        _ => None,
    };
    let ty = show(rules, &formula.ty);
    let facts = value.into_iter().collect();
    Some((format!("{name}{list}: {ty}"), formula.doc.clone(), facts))
}

fn list_value(rules: &RuleSet, all: &[crate::ir::Expr]) -> Option<String> {
    let values: Option<Vec<Value>> = all
        .iter()
        .map(|one| match &one.kind {
            ExprKind::Const(value) => Some(value.clone()),
            _ => None,
        })
        .collect();
    Some(format!("is {}", show_value(rules, &Value::List(values?))))
}

/// `player.at[line, colour]: 0..15`
pub(super) fn cell_signature(rules: &RuleSet, at: usize) -> String {
    let cell = &rules.cells[at];
    let owner = match cell.owner {
        CellOwner::Game => String::new(),
        CellOwner::Each(domain) => format!("{}.", show(rules, &domain.element_ty())),
        CellOwner::Step(id) => format!("{}.", rules.labels[id.index()].name),
        CellOwner::Action(id) => format!("{}.", rules.actions[id.index()].name),
    };
    let indices = cell
        .indices
        .iter()
        .map(|one| show(rules, &one.element_ty()));
    let indices: Vec<String> = indices.collect();
    let indices = if indices.is_empty() {
        String::new()
    } else {
        format!("[{}]", indices.join(", "))
    };
    format!("{owner}{}{indices}: {}", cell.name, show(rules, &cell.ty))
}

fn seen_by(cell: &crate::ir::Cell) -> Vec<String> {
    let seen = &cell.visibility;
    let mut facts = Vec::new();
    match seen.private {
        Some(Private::Owner) => facts.push("only its player sees it".to_owned()),
        Some(Private::Others) => facts.push("all but its player see it".to_owned()),
        None => {}
    }
    if seen.hidden {
        facts.push("nobody sees it".to_owned());
    }
    if seen.top {
        facts.push("only the top card is seen".to_owned());
    }
    facts
}

/// `action claim(choose r: route, amount: 0.. = …)`, `action slide(choose from: cell and to: cell)`
pub(super) fn action_signature(rules: &RuleSet, at: usize) -> String {
    let action = &rules.actions[at];
    let mut list = String::new();
    for param in &action.params {
        let Some(local) = action.code.locals.get(param.local.index()) else {
            continue;
        };
        let at_once = matches!(&param.kind, ParamKind::Asked(choice) if choice.at_once);
        list.push_str(match (list.is_empty(), at_once) {
            (true, _) => "",
            (false, true) => " and ",
            (false, false) => ", ",
        });
        let ty = show(rules, &local.ty);
        list.push_str(&match &param.kind {
            ParamKind::Asked(_) if at_once => format!("{}: {ty}", local.name),
            ParamKind::Asked(_) => format!("choose {}: {ty}", local.name),
            ParamKind::Given(None) => format!("{}: {ty}", local.name),
            ParamKind::Given(Some(_)) => format!("{}: {ty} = …", local.name),
        });
    }
    if !list.is_empty() {
        list = format!("({list})");
    }
    let anytime = if action.anytime.is_some() {
        " anytime"
    } else {
        ""
    };
    format!("action {}{list}{anytime}", action.name)
}

/// A parameter, `let` or binder by the place that binds it.
pub(super) fn local(rules: &RuleSet, span: Span) -> Option<&Local> {
    locals(rules).find(|local| local.span == span && local.name != "this" && !local.name.is_empty())
}

/// The locals of all code.
pub(super) fn locals(rules: &RuleSet) -> impl Iterator<Item = &Local> {
    let codes: Vec<&Code> = [&rules.flow, &rules.win_code]
        .into_iter()
        .chain(rules.actions.iter().map(|one| &one.code))
        .chain(rules.formulas.iter().map(|one| &one.code))
        .chain(rules.rules.iter().map(|one| &one.code))
        .chain(rules.whens.iter().map(|one| &one.code))
        .chain(rules.scores.iter().map(|one| &one.code))
        .chain(rules.cells.iter().map(|one| &one.code))
        .chain(rules.networks.iter().map(|one| &one.code))
        .chain(rules.effects.iter().map(|one| &one.code))
        .collect();
    codes.into_iter().flat_map(|code| &code.locals)
}

/// Who declares it, and who changed it.
fn layers(sources: &SourceSet, compiled: &Compiled, symbol: Symbol) -> Vec<String> {
    let all = targets(sources, compiled, symbol);
    if matches!(symbol, Symbol::Local(_)) {
        return Vec::new();
    }
    let say = |role: Role| match role {
        Role::Declared => "declared",
        Role::Replaced => "replaced",
        Role::Changed => "changed",
    };
    all.iter()
        .filter(|target| !target.layer.is_empty())
        .map(|target| {
            format!(
                "{} by `{}`, {}",
                say(target.role),
                target.layer,
                sources.place(target.span)
            )
        })
        .collect()
}

fn listed<'w>(words: impl Iterator<Item = &'w str>) -> String {
    let all: Vec<&str> = words.collect();
    let mut text = all[..all.len().min(LISTED_MAX)].join(", ");
    if all.len() > LISTED_MAX {
        text.push_str(", …");
    }
    text
}
