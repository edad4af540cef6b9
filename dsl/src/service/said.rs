//! Files of words in other languages (`words/de.toml`): what their keys and the holes of their sentences name, and how they follow
//! a new name.

use std::collections::{BTreeMap, BTreeSet};

use super::edit::Edit;
use super::holes::{columns_of, table_of};
use super::place::{canonical, line_around, unquoted};
use super::references::World;
use super::tokens::is_word;
use crate::Compiled;
use crate::assembly::tree::{self, Node, Value};
use crate::check::{Symbol, Uses};
use crate::ir::{
    ActionId, CellId, CellOwner, Code, ColumnId, Domain, EnumId, FormulaId, GridId, LabelId,
    NetworkId, OptionId, RuleSet, ScoreId, TableId,
};
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::Name;

/// Sections whose keys are names of the rules.
const NAMED: [&str; 4] = ["words", "told", "declined", "asks"];
/// The one whose keys are texts of rules and boards.
const TEXTS: &str = "texts";

/// Whether a path is that of such a file.
pub(super) fn is_said(path: &str) -> bool {
    let mut folders = path.rsplit('/');
    folders.next().is_some_and(|name| name.ends_with(".toml")) && folders.next() == Some("words")
}

/// What the words of a file stand for. A key may stand for several things that are called alike: for the first of them.
pub(super) fn uses(sources: &SourceSet, compiled: &Compiled, file: FileId) -> Uses {
    let all = named(sources, compiled, file).into_iter();
    let first = all.filter_map(|(span, symbols)| Some((span, *symbols.first()?)));
    Uses::new(first.collect())
}

/// Each word of a file that names something, with all that it may name.
pub(super) fn named(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
) -> Vec<(Span, Vec<Symbol>)> {
    let Some(rules) = compiled.understood() else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let root = tree::read(sources, file, &mut Vec::new());
    for section in NAMED {
        for (key, node) in root.get(section).map_or(&[][..], Node::entries) {
            let parts = parts(sources, rules, key);
            let first = parts.first().and_then(|(_, found)| found.first().copied());
            if section != "words"
                && let Value::Text {
                    text,
                    span,
                    plain: true,
                } = &node.value
            {
                holes(rules, first, text, *span, &mut all);
            }
            all.extend(parts);
        }
    }
    let canonical = |symbol: Symbol| canonical(compiled, symbol);
    for (_, symbols) in &mut all {
        symbols.iter_mut().for_each(|one| *one = canonical(*one));
    }
    all.retain(|(_, symbols)| !symbols.is_empty());
    all
}

/// The keys below `[looks]` of a `board.toml` that are called as a row or a member of an enum.
pub(super) fn looks(sources: &SourceSet, compiled: &Compiled, file: FileId) -> Vec<(Span, Symbol)> {
    let Some(rules) = compiled.understood() else {
        return Vec::new();
    };
    let root = tree::read(sources, file, &mut Vec::new());
    let keys = root.get("looks").map_or(&[][..], Node::entries).iter();
    let named = keys.filter_map(|(key, _)| {
        let is_looked_at = |one: &Symbol| matches!(one, Symbol::Row(..) | Symbol::Member(..));
        let symbol = alone(rules, &key.text).into_iter().find(is_looked_at)?;
        Some((inner(sources, key)?, symbol))
    });
    named.collect()
}

// ------------------------------------------------------------------------------------------------ keys

/// The parts of a key: one, or an owner and what it has.
fn parts(sources: &SourceSet, rules: &RuleSet, key: &Name) -> Vec<(Span, Vec<Symbol>)> {
    let Some(inner) = inner(sources, key) else {
        return Vec::new();
    };
    let whole = alone(rules, &key.text);
    match key.text.split_once('.') {
        Some((owner, member)) if whole.is_empty() => {
            let start = inner.start as usize;
            let middle = start + owner.len();
            vec![
                (Span::new(inner.file, start, middle), owners(rules, owner)),
                (
                    Span::new(inner.file, middle + 1, inner.end as usize),
                    members(rules, owner, member),
                ),
            ]
        }
        _ => vec![(inner, whole)],
    }
}

/// A key without its quotes; none where it is written with escapes.
fn inner(sources: &SourceSet, key: &Name) -> Option<Span> {
    let span = unquoted(sources, key.span);
    (sources.slice(span) == key.text).then_some(span)
}

fn find<'r, T: 'r>(
    all: &'r [T],
    name: impl Fn(&'r T) -> &'r str + 'r,
    word: &'r str,
) -> impl Iterator<Item = u32> + 'r {
    let numbered = (0..).zip(all);
    numbered
        .filter(move |(_, one)| name(one) == word)
        .map(|(at, _)| at)
}

/// Everything of this name that can be an owner.
fn owners(rules: &RuleSet, word: &str) -> Vec<Symbol> {
    let tables = find(&rules.tables, |one| &one.name, word).map(|at| Symbol::Table(TableId(at)));
    let enums = find(&rules.enums, |one| &one.name, word).map(|at| Symbol::Enum(EnumId(at)));
    let actions = find(&rules.actions, |one| &one.name, word);
    let actions = actions.map(|at| Symbol::Action(ActionId(at)));
    let labels = find(&rules.labels, |one| &one.name, word).map(|at| Symbol::Label(LabelId(at)));
    tables.chain(enums).chain(actions).chain(labels).collect()
}

/// Everything of this name, whosever it is.
fn alone(rules: &RuleSet, word: &str) -> Vec<Symbol> {
    let mut all = owners(rules, word);
    all.extend(find(&rules.options, |one| &one.name, word).map(|at| Symbol::Option(OptionId(at))));
    all.extend(find(&rules.grids, |one| &one.name, word).map(|at| Symbol::Grid(GridId(at))));
    all.extend(find(&rules.scores, |one| &one.name, word).map(|at| Symbol::Score(ScoreId(at))));
    all.extend(find(&rules.cells, |one| &one.name, word).map(|at| Symbol::Cell(CellId(at))));
    let networks = find(&rules.networks, |one| last(&one.name), word);
    all.extend(networks.map(|at| Symbol::Network(NetworkId(at))));
    let formulas = find(&rules.formulas, |one| last(&one.name), word);
    all.extend(formulas.map(|at| Symbol::Formula(FormulaId(at))));
    for (at, one) in (0..).zip(&rules.enums) {
        let own = find(&one.members, |name| name, word);
        all.extend(own.map(|member| Symbol::Member(EnumId(at), member)));
    }
    for at in 0..rules.tables.len() as u32 {
        all.extend(of_table(rules, TableId(at), word));
    }
    all
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Columns and rows of this name.
fn of_table(rules: &RuleSet, table: TableId, word: &str) -> Vec<Symbol> {
    let one = &rules.tables[table.index()];
    let columns = find(&one.columns, |column| &column.name, word);
    let columns = columns.map(|at| Symbol::Column(table, ColumnId(at)));
    let rows = find(&one.rows, |row| &row.name, word).map(|at| Symbol::Row(table, at));
    columns.chain(rows).collect()
}

/// What an owner has under a name: of an action also what is chosen in it, and what stands in it.
fn members(rules: &RuleSet, owner: &str, word: &str) -> Vec<Symbol> {
    let mut all = Vec::new();
    if owner == "score" {
        all.extend(find(&rules.scores, |one| &one.name, word).map(|at| Symbol::Score(ScoreId(at))));
    }
    for of in owners(rules, owner) {
        match of {
            Symbol::Table(id) => all.extend(of_table(rules, id, word)),
            Symbol::Enum(id) => {
                let own = find(&rules.enums[id.index()].members, |name| name, word);
                all.extend(own.map(|at| Symbol::Member(id, at)));
            }
            Symbol::Action(id) => all.extend(local(&rules.actions[id.index()].code, word)),
            _ => {}
        }
    }
    let cells = (0..).zip(&rules.cells);
    let cells = cells.filter(|(_, cell)| cell.name == word && owns(rules, cell.owner, owner));
    all.extend(cells.map(|(at, _)| Symbol::Cell(CellId(at))));
    let full = format!("{owner}.{word}");
    let formulas = (0..).zip(&rules.formulas);
    let formulas = formulas.filter(|(_, one)| one.name == full);
    all.extend(formulas.map(|(at, _)| Symbol::Formula(FormulaId(at))));
    let networks = (0..).zip(&rules.networks);
    let networks = networks.filter(|(_, one)| {
        one.name == full || one.name == word && one.owner.is_some_and(|of| is(rules, of, owner))
    });
    all.extend(networks.map(|(at, _)| Symbol::Network(NetworkId(at))));
    if all.is_empty() {
        let inside = |one: &Symbol| matches!(one, Symbol::Action(_) | Symbol::Label(_));
        all.extend(owners(rules, word).into_iter().filter(inside));
    }
    all
}

fn owns(rules: &RuleSet, owner: CellOwner, word: &str) -> bool {
    match owner {
        CellOwner::Game => false,
        CellOwner::Each(domain) => is(rules, domain, word),
        CellOwner::Step(id) => rules.labels[id.index()].name == word,
        CellOwner::Action(id) => rules.actions[id.index()].name == word,
    }
}

/// Whether a domain is called so before a dot.
fn is(rules: &RuleSet, domain: Domain, word: &str) -> bool {
    match domain {
        Domain::Table(id) | Domain::Part(id) => rules.tables[id.index()].name == word,
        Domain::Enum(id) => rules.enums[id.index()].name == word,
        Domain::Player => word == "player",
        Domain::Cell => word == "cell",
        Domain::Side => word == "side",
        Domain::Port | Domain::Action | Domain::Int { .. } => false,
    }
}

fn local(code: &Code, word: &str) -> Option<Symbol> {
    let mut locals = code.locals.iter();
    let found = locals.find(|local| local.name == word)?;
    Some(Symbol::Local(found.span))
}

// ------------------------------------------------------------------------------------------------ holes

/// The words of each hole of a text, with where they begin in it: `{r.length}` has two.
fn holes_in(text: &str) -> Vec<Vec<(usize, &str)>> {
    let mut all = Vec::new();
    for (open, _) in text.match_indices('{') {
        let inside = &text[open + 1..];
        let end = inside.find(['}', '|', '{']).unwrap_or(inside.len());
        let mut at = open + 1;
        let words = inside[..end].split('.').map(|word| {
            let here = at;
            at += word.len() + 1;
            (here, word)
        });
        let words: Vec<(usize, &str)> = words.collect();
        if words.iter().all(|(_, word)| word.bytes().all(is_word)) {
            all.push(words);
        }
    }
    all
}

/// What the holes of a sentence name: what is chosen in the action that it tells, or a column of the table whose rows it calls.
fn holes(
    rules: &RuleSet,
    of: Option<Symbol>,
    text: &str,
    place: Span,
    all: &mut Vec<(Span, Vec<Symbol>)>,
) {
    let mut note = |at: usize, word: &str, symbol: Symbol| {
        let start = place.start as usize + at;
        let span = Span::new(place.file, start, start + word.len());
        all.push((span, vec![symbol]));
    };
    for hole in holes_in(text) {
        let Some(((at, first), rest)) = hole.split_first() else {
            continue;
        };
        let mut table = match of {
            Some(Symbol::Table(id)) => {
                let named = columns_of(rules, id).find(|(name, _, _)| name == first);
                let Some((_, symbol, next)) = named else {
                    continue;
                };
                note(*at, first, symbol);
                next
            }
            Some(symbol) => {
                let code = match symbol {
                    Symbol::Action(id) => &rules.actions[id.index()].code,
                    _ => &rules.flow,
                };
                let mut locals = code.locals.iter();
                let Some(found) = locals.find(|local| local.name == *first) else {
                    continue;
                };
                note(*at, first, Symbol::Local(found.span));
                table_of(&found.ty)
            }
            None => continue,
        };
        for (at, word) in rest {
            let Some(of) = table else { break };
            let Some((_, symbol, next)) = columns_of(rules, of).find(|(name, _, _)| name == word)
            else {
                break;
            };
            note(*at, word, symbol);
            table = next;
        }
    }
}

// ------------------------------------------------------------------------------------------------ another name

/// What a new name changes in these files: `places` are all that are renamed, in each world what is named there.
pub(super) fn renamed(
    sources: &SourceSet,
    worlds: &[(&World, Symbol)],
    places: &BTreeSet<Span>,
    new: &str,
) -> Vec<Edit> {
    let texts = changed_texts(sources, places, new);
    let mut files: BTreeMap<FileId, Vec<(&World, Symbol)>> = BTreeMap::new();
    for (world, symbol) in worlds {
        for file in files_of(world) {
            files.entry(file).or_default().push((*world, *symbol));
        }
    }
    let mut edits = Vec::new();
    for (file, worlds) in files {
        let of_file: BTreeSet<Span> = places
            .iter()
            .filter(|place| place.file == file)
            .copied()
            .collect();
        let shared = shared(sources, file, &worlds);
        let root = tree::read(sources, file, &mut Vec::new());
        let mut keys: BTreeSet<Span> = BTreeSet::new();
        for section in NAMED {
            let entries = root.get(section).map_or(&[][..], Node::entries);
            for (key, node) in entries {
                let own = of_file
                    .iter()
                    .filter(|place| key.span.start <= place.start && place.end <= key.span.end);
                let own: Vec<Span> = own.copied().collect();
                if own.is_empty() {
                    continue;
                }
                keys.extend(&own);
                let text = with_name(sources, key, &own, new);
                let taken = entries.iter().any(|(other, _)| other.text == text);
                let kept = own.iter().any(|place| shared.contains(place));
                edits.extend(of_key(sources, (key, node), &text, taken, kept));
            }
        }
        let holes = of_file.difference(&keys);
        edits.extend(holes.map(|place| Edit::at(sources, *place, new)));
        for (key, node) in root.get(TEXTS).map_or(&[][..], Node::entries) {
            let found = inner(sources, key).zip(texts.get(key.text.as_str()));
            let Some((inner, (text, old))) = found else {
                continue;
            };
            edits.push(Edit::at(sources, inner, text));
            if let Value::Text {
                text,
                span,
                plain: true,
            } = &node.value
            {
                let words = holes_in(text).into_iter().flatten();
                edits.extend(words.filter(|(_, word)| word == old).map(|(at, word)| {
                    let start = span.start as usize + at;
                    Edit::at(sources, Span::new(file, start, start + word.len()), new)
                }));
            }
        }
    }
    edits
}

/// The files of words that a world reads.
pub(super) fn files_of(world: &World) -> impl Iterator<Item = FileId> + use<'_> {
    let assembly = world.compiled.assembly.iter();
    assembly.flat_map(|assembly| assembly.words.iter().map(|(_, file)| *file))
}

/// Words of a file that also stand for something that keeps its name.
fn shared(sources: &SourceSet, file: FileId, worlds: &[(&World, Symbol)]) -> BTreeSet<Span> {
    let mut all = BTreeSet::new();
    for (world, symbol) in worlds {
        for (span, symbols) in named(sources, &world.compiled, file) {
            if symbols.iter().any(|other| other != symbol) {
                all.insert(span);
            }
        }
    }
    all
}

/// A key with a new name in some of its places.
fn with_name(sources: &SourceSet, key: &Name, places: &[Span], new: &str) -> String {
    let mut text = key.text.clone();
    let start = inner(sources, key).map_or(key.span.start, |inner| inner.start);
    for place in places.iter().rev() {
        let range = (place.start - start) as usize..(place.end - start) as usize;
        text.replace_range(range, new);
    }
    text
}

/// The change of one line: its key gets the new name. Where the old one is still somebody's, a second line says the same of the
/// new one; where the new one has words already, these hold.
fn of_key(
    sources: &SourceSet,
    (key, node): (&Name, &Node),
    text: &str,
    taken: bool,
    kept: bool,
) -> Option<Edit> {
    let file = key.span.file;
    let (path, whole) = (&sources.file(file).path, sources.text(file));
    let start = line_around(whole, key.span.start as usize).start;
    let end = line_around(whole, node.span.end.max(key.span.end) as usize).end;
    let blanks = &whole[start..key.span.start as usize];
    let own_line = blanks.trim().is_empty();
    let written = crate::check::toml_key(text);
    match (taken, kept) {
        (true, true) => None,
        (true, false) if own_line => Some(Edit {
            path: path.clone(),
            range: start..(end + 1).min(whole.len()),
            text: String::new(),
        }),
        (false, true) if own_line => {
            let rest = &whole[key.span.end as usize..end];
            Some(Edit::insert(
                path,
                end,
                format!("\n{blanks}{written}{rest}"),
            ))
        }
        _ => {
            let quoted = sources.slice(key.span).starts_with(['"', '\'']);
            let written = if quoted {
                format!("\"{text}\"")
            } else {
                written
            };
            Some(Edit::at(sources, key.span, written))
        }
    }
}

/// Texts in quotes of rules and boards in which something gets another name: each with its new text and the old name.
fn changed_texts<'s>(
    sources: &'s SourceSet,
    places: &BTreeSet<Span>,
    new: &str,
) -> BTreeMap<&'s str, (String, &'s str)> {
    let mut all: BTreeMap<Span, Vec<Span>> = BTreeMap::new();
    for place in places {
        let source = sources.file(place.file);
        let is_read = [".rules", "/board.toml"];
        if !is_read.iter().any(|end| source.path.ends_with(end)) {
            continue;
        }
        let line = line_around(&source.text, place.start as usize);
        let (start, end) = (place.start as usize, place.end as usize);
        let before = source.text.get(line.start..start).unwrap_or_default();
        let behind = source.text.get(end..line.end).unwrap_or_default();
        let open = before
            .rfind('"')
            .filter(|_| before.matches('"').count() % 2 == 1);
        if let (Some(open), Some(close)) = (open, behind.find('"')) {
            let quoted = Span::new(place.file, line.start + open + 1, end + close);
            all.entry(quoted).or_default().push(*place);
        }
    }
    let texts = all.into_iter().filter_map(|(quoted, places)| {
        let old = sources.slice(*places.first()?);
        let mut text = sources.slice(quoted).to_owned();
        for place in places.iter().rev() {
            let at = (place.start - quoted.start) as usize..(place.end - quoted.start) as usize;
            text.replace_range(at, new);
        }
        Some((sources.slice(quoted), (text, old)))
    });
    texts.collect()
}
