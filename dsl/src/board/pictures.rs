//! One's own pictures: what files an item may name, each looked for before anything is drawn.

use super::value::{Texts, written_at};
use super::{Datum, Template, TemplatePart, Value};
use crate::assembly;
use crate::assembly::tree::Node;
use crate::bounds::SHOWN_MAX;
use crate::check::Known;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::ir::{self, Domain, ExprKind, TableId, Ty};
use crate::source::{Picture, SourceSet, Span, is_picture};
use std::collections::{BTreeMap, BTreeSet};

/// The pictures that the files of a game name.
pub(super) struct Pictures<'a> {
    sources: &'a SourceSet,
    /// The game, and what it extends: where pictures lie, the first one first.
    games: Vec<String>,
    /// By the names under which items know them.
    pub found: BTreeMap<String, Picture>,
    /// Where it has been told that names are wrong.
    told: BTreeSet<Span>,
}

impl<'a> Pictures<'a> {
    pub fn new(sources: &'a SourceSet, game: &str) -> Pictures<'a> {
        let listings = assembly::games(sources);
        let mut games = vec![game.to_owned()];
        while let Some(next) = games.last().and_then(|last| {
            let listing = listings.iter().find(|listing| listing.id == *last)?;
            listing.extends.clone()
        }) {
            if games.contains(&next) {
                break;
            }
            games.push(next);
        }
        Pictures {
            sources,
            games,
            found: BTreeMap::new(),
            told: BTreeSet::new(),
        }
    }

    /// Looks for the pictures that a place names; what is wrong with them, in one message.
    fn look(&mut self, names: &[String], span: Span) -> Option<Diagnostic> {
        let wrong = |message: String| Diagnostic::error("picture", span, message);
        let mut missing: Vec<&String> = Vec::new();
        let mut found = None;
        for name in names {
            let mut places = self.games.iter().map(|game| format!("{game}/{name}"));
            let picture = places.find_map(|path| self.sources.picture(&path)).cloned();
            match picture {
                None if !missing.contains(&name) => missing.push(name),
                None => {}
                Some(picture) => match picture.fault() {
                    Some((message, help)) => {
                        found = Some(wrong(format!("`{name}` {message}")).help(help));
                    }
                    None => {
                        self.found.insert(name.clone(), picture);
                    }
                },
            }
        }
        let found = self.missing(&missing, span).or(found)?;
        self.told.insert(span).then_some(found)
    }

    fn missing(&self, names: &[&String], span: Span) -> Option<Diagnostic> {
        let (name, others) = names.split_first()?;
        Some(self.first_missing(name, others, span))
    }

    fn first_missing(&self, name: &str, others: &[&String], span: Span) -> Diagnostic {
        let wrong = |message: String| Diagnostic::error("picture", span, message);
        if name.contains("://") {
            let help = "save the picture in the game's folder, and name it from there: `pictures/coal.svg`";
            return wrong(format!(
                "`{name}` is an address: pictures are files of the game's folder"
            ))
            .help(help);
        }
        if name.starts_with('/') || name.contains('\\') || name.split('/').any(|part| part == "..")
        {
            let help = "put it into the game's folder, and name it from there: `pictures/coal.svg`";
            return wrong(format!("`{name}` does not lie in the game's folder")).help(help);
        }
        if !is_picture(name) {
            let help = "save it as PNG or as SVG, and write its name with `.png` or `.svg`";
            return wrong(format!("`{name}` is neither PNG nor SVG")).help(help);
        }
        let more = match others {
            [] => String::new(),
            [other] => format!(", nor `{other}`"),
            [other, rest @ ..] => format!(", nor `{other}` and {} more", rest.len()),
        };
        let found = wrong(format!("there is no picture `{name}`{more}"));
        let inner = |picture: &'a Picture| {
            let mut games = self.games.iter();
            games.find_map(|game| picture.path().strip_prefix(&format!("{game}/")))
        };
        // Pictures of the same folder are compared by their own names.
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let split = |path: &'a str| path.rsplit_once('/').unwrap_or(("", path));
        let known: Vec<&str> = self.sources.pictures().filter_map(inner).collect();
        let beside = known.iter().map(|path| split(path));
        let beside = beside.filter(|(other, _)| *other == folder);
        let near = nearest(file, beside.map(|(_, file)| file));
        let near = near.and_then(|near| known.iter().find(|path| split(path) == (folder, near)));
        let elsewhere = known.iter().find(|path| split(path).1 == file);
        let own = self.games.first().map_or("", String::as_str);
        match near.or(elsewhere) {
            Some(near) => found.help(format!("did you mean `{near}`?")),
            None => found.help(format!(
                "put it into the folder of the game: `{own}/{name}`"
            )),
        }
    }
}

/// A name, or a part of one, and where it is written, if that is not where the picture is asked for.
type Named = (String, Option<Span>);

/// What a part of a picture's name may come to.
enum Part {
    /// For each row of the table that a text stands for; none: it has no picture.
    Rows(TableId, String, Vec<Option<Named>>),
    Any(Vec<String>),
}

impl Texts<'_> {
    /// The name of a file with values in braces. All that it may come to is looked for.
    pub fn picture(&mut self, node: &Node, known: &[Known]) -> Option<Template> {
        let template = self.template_as_written(node, known)?;
        let mut names: Vec<Named> = vec![(String::new(), None)];
        let mut rows: Option<(TableId, String)> = None;
        let mut each: Vec<Vec<Option<Named>>> = Vec::new();
        for part in &template.parts {
            let value = match part {
                TemplatePart::Text(text) => Part::Any(vec![text.clone()]),
                TemplatePart::Value(value) => self.parts(value, node)?,
            };
            match value {
                // Several values of one row go together.
                Part::Rows(table, of, values)
                    if rows
                        .as_ref()
                        .is_none_or(|known| *known == (table, of.clone())) =>
                {
                    rows = Some((table, of));
                    names.iter_mut().for_each(|(name, _)| name.push(HOLE));
                    each.push(values);
                }
                Part::Rows(_, _, values) => {
                    let texts = values.into_iter().flatten().map(|(text, _)| text);
                    names = joined(names, &texts.collect::<Vec<_>>());
                }
                Part::Any(texts) => names = joined(names, &texts),
            }
        }
        if let Some(first) = each.first() {
            let rows = (0..first.len()).filter_map(|row| {
                let own: Option<Vec<_>> = each.iter().map(|values| values[row].clone()).collect();
                own.filter(|own| own.iter().all(|(text, _)| !text.is_empty()))
            });
            let rows: Vec<Vec<Named>> = rows.collect();
            names = names
                .iter()
                .flat_map(|one| rows.iter().map(|row| filled(one, row)))
                .collect();
        }
        let mut places: BTreeMap<Span, Vec<String>> = BTreeMap::new();
        for (name, span) in names {
            places
                .entry(span.unwrap_or(node.span))
                .or_default()
                .push(name);
        }
        for (span, names) in places {
            let found = self.pictures.look(&names, span);
            self.out.extend(found);
        }
        Some(template)
    }

    fn parts(&mut self, value: &Value, node: &Node) -> Option<Part> {
        match value {
            Value::Number(number) => Some(Part::Any(vec![number.to_string()])),
            Value::Name(name) => Some(Part::Any(vec![name.clone()])),
            Value::Column {
                row,
                table,
                data,
                name,
            } => {
                let of = self.asked[row.0].checked.0.span;
                let cells = data.iter().enumerate().map(|(row, datum)| {
                    let text = match datum {
                        Datum::Text(text) => text.clone(),
                        Datum::Number(number) => number.to_string(),
                        Datum::Nothing | Datum::List(_) => return None,
                    };
                    let place = (*table, row);
                    Some((text, written_at(self.assembly, self.rules, place, name)))
                });
                Some(Part::Rows(*table, self.spelt(of), cells.collect()))
            }
            Value::Asked(id) => {
                let expr = &self.asked[id.0].checked.0;
                let found = self.of_expression(expr);
                if found.is_none() {
                    let message = "what the picture is called cannot be told before the game";
                    let help = "write a column, a row, a member of an enum, a player or a number with bounds into the braces";
                    self.out
                        .push(Diagnostic::error("picture", node.span, message).help(help));
                }
                found
            }
        }
    }

    fn of_expression(&self, expr: &ir::Expr) -> Option<Part> {
        if let ExprKind::Column(row, table, column) = &expr.kind
            && matches!(row.ty.required(), Ty::Element(Domain::Table(of)) if of == table)
        {
            let rows = self.rules.tables[table.index()].rows.iter().enumerate();
            let declared = &self.rules.tables[table.index()].columns[column.index()].name;
            let texts = rows.map(|(at, row)| {
                let text = self.named(&row.values[column.index()])?;
                let place = (*table, at);
                Some((text, written_at(self.assembly, self.rules, place, declared)))
            });
            return Some(Part::Rows(*table, self.spelt(row.span), texts.collect()));
        }
        match *expr.ty.required() {
            Ty::Element(Domain::Table(table)) => {
                let rows = self.rules.tables[table.index()].rows.iter();
                let names = rows.map(|row| Some((row.name.clone(), None)));
                Some(Part::Rows(table, self.spelt(expr.span), names.collect()))
            }
            Ty::Element(Domain::Enum(id)) => {
                Some(Part::Any(self.rules.enums[id.index()].members.clone()))
            }
            Ty::Element(Domain::Player) => {
                let letters = ('A'..='Z').take(self.rules.players.1 as usize);
                Some(Part::Any(letters.map(String::from).collect()))
            }
            Ty::Bool => Some(Part::Any(vec!["false".to_owned(), "true".to_owned()])),
            Ty::Int {
                low: Some(low),
                high: Some(high),
            } if high - low < SHOWN_MAX as i64 => Some(Part::Any(
                (low..=high).map(|number| number.to_string()).collect(),
            )),
            _ => None,
        }
    }

    /// A value as a part of a file's name; none: there is nothing.
    fn named(&self, value: &ir::Value) -> Option<String> {
        Some(match value {
            ir::Value::Int(number) => number.to_string(),
            ir::Value::Bool(value) => value.to_string(),
            ir::Value::Text(text) => self.rules.texts[text.index()].clone(),
            ir::Value::Element(Domain::Enum(id), member) => {
                self.rules.enums[id.index()].members[*member as usize].clone()
            }
            ir::Value::Element(Domain::Table(table), row) => self.rules.tables[table.index()].rows
                [*row as usize]
                .name
                .clone(),
            _ => return None,
        })
    }

    fn spelt(&self, span: Span) -> String {
        self.pictures.sources.slice(span).to_owned()
    }
}

/// Stands for what a row says, until it is known.
const HOLE: char = '\u{0}';

fn joined(names: Vec<Named>, texts: &[String]) -> Vec<Named> {
    let longer = names.iter().flat_map(|(name, span)| {
        let texts = texts.iter();
        texts.map(move |text| (format!("{name}{text}"), *span))
    });
    // No board shows more of one thing.
    longer.take(SHOWN_MAX).collect()
}

/// A name with what one row says in its holes.
fn filled((name, span): &Named, row: &[Named]) -> Named {
    let mut texts = row.iter();
    let letters = name.chars().map(|letter| match letter {
        HOLE => texts
            .next()
            .map_or_else(String::new, |(text, _)| text.clone()),
        letter => letter.to_string(),
    });
    let whole = letters.collect();
    let own = row.iter().find_map(|(_, span)| *span);
    (whole, own.or(*span))
}
