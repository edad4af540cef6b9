//! What could be written at a cursor of a `board.toml` or of a manifest: headings, keys, and their values: words, overlays,
//! panels, and within quotes and braces names of the rules.

use super::super::sections::{Sections, heading, heading_above};
use super::toml::{Fitting, Typed, item, written};
use super::{Completion, CompletionKind};
use crate::Compiled;
use crate::assembly::fields::{Holds, Key};
use crate::board::COLOURS;
use crate::check::show;
use crate::ir::{CellOwner, Domain, RuleSet, Ty};

/// What fits before the cursor.
pub(super) fn complete(
    compiled: &Compiled,
    sections: Sections,
    text: &str,
    offset: usize,
) -> Option<Fitting> {
    let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let line = &text[line_start..offset];
    let typed = line.trim_start();
    if typed.starts_with('[') && !typed.contains(['"', '=', ']']) {
        let open = text[offset..].len() - text[offset..].trim_start_matches(']').len();
        let items = sections.headings().into_iter();
        let items = items.map(|(name, meaning)| item(CompletionKind::Table, &name, meaning, &name));
        return Some((offset - typed.len()..offset + open, items.collect()));
    }
    let mut above = heading_above(&text[..line_start]).to_owned();
    let mut begun = typed;
    if above == "looks" {
        // Its keys stand in braces behind the name.
        let inside = typed.rsplit_once('{')?.1;
        begun = inside.rsplit(',').next().unwrap_or(inside).trim_start();
        above.push_str(".…");
    }
    let keys = sections.below(&above)?;
    let Some((name, value)) = begun.split_once('=') else {
        let known: Vec<&str> = written(text, line_start).collect();
        let free = keys
            .iter()
            .filter(|key| !known.contains(&key.name) && key.holds != Holds::Section);
        let items =
            free.map(|key| item(CompletionKind::Member, key.name, key.meaning, &begins(key)));
        return Some((offset - begun.len()..offset, items.collect()));
    };
    let key = keys.iter().find(|key| key.name == name.trim())?;
    let typed = Typed::of(value, &text[offset..], offset);
    let quoted = |kind, names: Vec<String>| {
        let items = names
            .into_iter()
            .map(|name| item(kind, &name, key.meaning, &typed.quoted(&name)));
        Some((typed.range.clone(), items.collect()))
    };
    match key.holds {
        Holds::Free | Holds::Section => None,
        Holds::Flag => {
            let words = ["true", "false"];
            let items = words.map(|word| item(CompletionKind::Keyword, word, key.meaning, word));
            Some((typed.range, items.into()))
        }
        Holds::OneOf(words) => quoted(
            CompletionKind::Keyword,
            words.iter().map(|word| (*word).to_owned()).collect(),
        ),
        Holds::Overlays => {
            let manifest = compiled.assembly.as_ref().map(|asm| &asm.manifest);
            let all = manifest.into_iter().flat_map(|manifest| &manifest.overlays);
            quoted(
                CompletionKind::Overlay,
                all.map(|one| one.id.clone()).collect(),
            )
        }
        Holds::Panels => {
            let ids = panels(text).map(str::to_owned).collect();
            quoted(CompletionKind::Element, ids)
        }
        Holds::Value | Holds::Template | Holds::Zone | Holds::Loop => {
            let before = value.rsplit_once('"').filter(|_| typed.is_quoted)?.1;
            let code = match key.holds {
                Holds::Template => before.rsplit_once('{').map(|(_, code)| code)?,
                _ => before,
            };
            let (_, _, rules) = compiled.context()?;
            let names = bound(rules, text, line_start);
            let expression = Expression {
                rules,
                names,
                holds: key.holds,
            };
            let word = code.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
            let length = code.len() - word.len();
            (!code.contains('}')).then(|| (offset - length..offset, expression.fits(word)))
        }
    }
}

/// A key with the begin of its value, the cursor where that goes on.
fn begins(key: &Key) -> String {
    match key.holds {
        Holds::OneOf(_) | Holds::Value | Holds::Template | Holds::Zone | Holds::Loop => {
            format!("{} = \"$0\"", key.name)
        }
        Holds::Panels | Holds::Overlays => format!("{} = [\"$0\"]", key.name),
        Holds::Flag => format!("{} = true", key.name),
        Holds::Free | Holds::Section => format!("{} = ", key.name),
    }
}

/// Ids of the panels of a file.
fn panels(text: &str) -> impl Iterator<Item = &str> {
    let ids = text.lines().filter_map(|line| quoted_value(line, "id"));
    ids.filter(|id| !id.is_empty())
}

/// `p in player` of a line `for = "p in player"`.
fn quoted_value<'t>(line: &'t str, key: &str) -> Option<&'t str> {
    let (name, value) = line.split_once('=')?;
    let value = value.trim().strip_prefix('"')?;
    (name.trim() == key).then(|| value.split('"').next().unwrap_or(value))
}

/// The names that a line of a board knows, with their types: those of its section, of the panel, and of the card it lies on.
fn bound(rules: &RuleSet, text: &str, line_start: usize) -> Vec<(String, Ty)> {
    let mut names = vec![("viewer".to_owned(), Ty::Element(Domain::Player))];
    let here = heading_above(&text[..line_start]).to_owned();
    let mut outer: Vec<&str> = Vec::new();
    for (at, _) in here.match_indices('.') {
        outer.push(&here[..at]);
    }
    outer.push(&here);
    for wanted in outer {
        let headed = |line: &str| heading(line) == Some(wanted);
        let mut begin = None;
        let mut place = 0;
        for line in text.split_inclusive('\n') {
            if place >= line_start {
                break;
            }
            place += line.len();
            if headed(line) {
                begin = Some(place);
            }
        }
        let Some(begin) = begin else { continue };
        let lines = text[begin..]
            .lines()
            .take_while(|line| heading(line).is_none());
        let lines: Vec<&str> = lines.collect();
        let value = |key: &str| lines.iter().find_map(|line| quoted_value(line, key));
        for part in value("for").into_iter().flat_map(|all| all.split(',')) {
            if let Some((name, of)) = part.split_once(" in ") {
                let of = of.split_whitespace().next().unwrap_or_default();
                if let Some(ty) = element_of(rules, &names, of) {
                    names.push((name.trim().to_owned(), ty));
                }
            }
        }
        if let (Some(name), Some(zone)) = (value("as"), value("zone"))
            && let Some(ty) = type_of(rules, &names, zone).and_then(|ty| ty.element())
        {
            names.push((name.to_owned(), ty));
        }
    }
    names
}

/// What something goes through: a table, an enum, the players, what lies in a container.
fn element_of(rules: &RuleSet, names: &[(String, Ty)], of: &str) -> Option<Ty> {
    if of == "player" {
        return Some(Ty::Element(Domain::Player));
    }
    let named = named_domains(rules).find(|(name, _)| *name == of);
    match named {
        Some((_, domain)) => Some(Ty::Element(domain)),
        None => type_of(rules, names, of)?.element(),
    }
}

fn named_domains(rules: &RuleSet) -> impl Iterator<Item = (&str, Domain)> {
    let tables = rules.tables.iter().zip(0..);
    let tables = tables.map(|(one, at)| (one.name.as_str(), Domain::Table(crate::ir::TableId(at))));
    let enums = rules.enums.iter().zip(0..);
    let enums = enums.map(|(one, at)| (one.name.as_str(), Domain::Enum(crate::ir::EnumId(at))));
    tables.chain(enums).filter(|(name, _)| !name.is_empty())
}

/// The type of `p`, `p.hand`, `stock`.
fn type_of(rules: &RuleSet, names: &[(String, Ty)], path: &str) -> Option<Ty> {
    let mut parts = path.trim().split('.');
    let first = parts.next()?.trim();
    let own = names.iter().rev().find(|(name, _)| name == first);
    let mut ty = match own {
        Some((_, ty)) => ty.clone(),
        None => {
            let mut cells = rules.cells.iter();
            let cell = cells.find(|cell| cell.owner == CellOwner::Game && cell.name == first)?;
            cell.ty.clone()
        }
    };
    for part in parts {
        let members = members(rules, &ty);
        ty = members.into_iter().find(|(name, _)| *name == part)?.1;
    }
    Some(ty)
}

/// Columns and cells of an element.
fn members<'r>(rules: &'r RuleSet, ty: &Ty) -> Vec<(&'r str, Ty)> {
    let Ty::Element(domain) = ty.required() else {
        return Vec::new();
    };
    let cells = rules.cells.iter();
    let cells =
        cells.filter(|cell| cell.owner == CellOwner::Each(*domain) && !cell.name.is_empty());
    let mut all: Vec<(&str, Ty)> = cells
        .map(|cell| (cell.name.as_str(), cell.ty.clone()))
        .collect();
    if let Domain::Table(id) | Domain::Part(id) = domain
        && let Some(table) = rules.tables.get(id.index())
    {
        let columns = table.columns.iter();
        all.extend(columns.map(|column| (column.name.as_str(), column.ty.clone())));
    }
    all
}

/// An expression in quotes.
struct Expression<'r> {
    rules: &'r RuleSet,
    names: Vec<(String, Ty)>,
    holds: Holds,
}

impl Expression<'_> {
    /// What fits behind what was typed, up to the word that is begun.
    fn fits(&self, before: &str) -> Vec<(u8, Completion)> {
        let of = |kind, name: &str, ty: &Ty| item(kind, name, &show(self.rules, ty), name);
        if let Some(path) = before.strip_suffix('.') {
            let is_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
            let path = &path[path.trim_end_matches(is_path).len()..];
            let ty = type_of(self.rules, &self.names, path);
            let all = ty.map_or_else(Vec::new, |ty| members(self.rules, &ty));
            let all = all.into_iter().filter(|(_, ty)| self.can_be(ty));
            return all
                .map(|(name, ty)| of(CompletionKind::Member, name, &ty))
                .collect();
        }
        let behind_in = before.trim_end().ends_with(" in");
        if self.holds == Holds::Loop && !before.contains(" in ") && !behind_in {
            // A name of one's own.
            return Vec::new();
        }
        let mut all: Vec<(u8, Completion)> = Vec::new();
        if self.holds == Holds::Loop && behind_in {
            all.push(item(CompletionKind::Table, "player", "everybody", "player"));
            let named = named_domains(self.rules);
            all.extend(
                named.map(|(name, domain)| of(CompletionKind::Table, name, &Ty::Element(domain))),
            );
        } else {
            let names = self.names.iter();
            all.extend(names.map(|(name, ty)| of(CompletionKind::Local, name, ty)));
        }
        let cells = self.rules.cells.iter();
        let cells = cells.filter(|cell| cell.owner == CellOwner::Game && !cell.name.is_empty());
        let cells = cells.filter(|cell| self.can_be(&cell.ty));
        all.extend(cells.map(|cell| of(CompletionKind::Cell, &cell.name, &cell.ty)));
        if self.holds == Holds::Value && before.is_empty() {
            all.extend(COLOURS.map(|name| item(CompletionKind::Keyword, name, "a colour", name)));
        }
        all
    }

    /// Where a container is wanted, it must be one or lead to one.
    fn can_be(&self, ty: &Ty) -> bool {
        self.holds != Holds::Zone || ty.element().is_some()
    }
}
