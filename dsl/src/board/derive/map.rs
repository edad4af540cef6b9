//! A map: places that the rows of a table join.

use super::quoted;
use crate::assembly::Assembly;
use crate::ir::{CellId, CellOwner, Domain, RuleSet, Table, TableId, Ty, Value};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Places of a map whose places have none of their own.
const PLACES_MAX: usize = 80;
/// How wide and high such a map is.
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 560.0;
/// Rounds in which places are drawn towards their neighbours and away from all others.
const ROUNDS: usize = 220;

/// A table whose rows join two places.
struct Joins<'a> {
    table: &'a Table,
    id: TableId,
    /// Numbers of the two columns.
    ends: [usize; 2],
    nodes: TableId,
}

/// The panel of the map, and what is drawn on it; nothing if no table joins places.
pub(super) fn board(assembly: &Assembly, rules: &RuleSet, text: &mut String) -> Vec<Domain> {
    let Some(joins) = joins(rules) else {
        return Vec::new();
    };
    let nodes = &rules.tables[joins.nodes.index()];
    let column = |name: &str| super::super::value::data(assembly, rules, joins.nodes, name);
    let placed = column("x").is_some() && column("y").is_some();
    if !placed && nodes.rows.len() > PLACES_MAX {
        return Vec::new();
    }
    let named = column("name").is_some() || nodes.columns.iter().any(|one| one.name == "name");
    let label = if named { "{n.name}" } else { "{n}" };
    let _ = writeln!(
        text,
        "[[panel]]\nid = \"board\"\ntitle = \"Map\"\nsize = [800, 600]\n"
    );
    let places = match placed {
        true => vec![(String::new(), "[\"n.x\", \"n.y\"]".to_owned())],
        false => laid_out(&joins, nodes),
    };
    // Links lie below the places, which they need to know.
    for (only, at) in &places {
        let _ = writeln!(
            text,
            "[[panel.spaces]]\nfor = {}\nat = {at}\nsize = 20\n",
            quoted(&format!("n in {}{only}", nodes.name))
        );
    }
    links(rules, &joins, text);
    let owner = owner_of(rules, Domain::Table(joins.nodes));
    let fill = owner.map_or_else(String::new, |cell| format!("fill = \"n.{cell}\"\n"));
    for (only, at) in &places {
        let _ = writeln!(
            text,
            "[[panel.spaces]]\nfor = {}\nat = {at}\nsize = 20\n{fill}label = {}\ntext_size = 14\n",
            quoted(&format!("n in {}{only}", nodes.name)),
            quoted(label),
        );
    }
    standing(rules, joins.nodes, text);
    vec![Domain::Table(joins.nodes), Domain::Table(joins.id)]
}

fn joins(rules: &RuleSet) -> Option<Joins<'_>> {
    let tables = rules.tables.iter().zip(0..);
    let mut found = tables.filter_map(|(table, at)| {
        let ends: Vec<(usize, TableId)> = table
            .columns
            .iter()
            .enumerate()
            .filter_map(|(at, column)| match column.ty {
                Ty::Element(Domain::Table(node)) => Some((at, node)),
                _ => None,
            })
            .collect();
        let first = ends.first()?;
        let second = ends[1..].iter().find(|end| end.1 == first.1)?;
        Some(Joins {
            table,
            id: TableId(at),
            ends: [first.0, second.0],
            nodes: first.1,
        })
    });
    found.next()
}

fn links(rules: &RuleSet, joins: &Joins, text: &mut String) {
    let [a, b] = joins.ends.map(|at| &joins.table.columns[at].name);
    let of_type = |fits: fn(&Ty) -> bool| {
        let mut columns = joins.table.columns.iter().enumerate();
        let found =
            columns.find(|(at, column)| !joins.ends.contains(at) && fits(column.ty.required()));
        found.map(|(_, column)| column.name.as_str())
    };
    let length = joins.table.columns.iter().find(|one| one.name == "length");
    let length = length.map(|one| one.name.as_str());
    let length = length.or_else(|| {
        of_type(|ty| {
            matches!(
                ty,
                Ty::Int {
                    low: Some(1..),
                    high: Some(..=9)
                }
            )
        })
    });
    let colour = of_type(|ty| matches!(ty, Ty::Element(Domain::Enum(_))));
    let _ = writeln!(
        text,
        "[[panel.links]]\nfor = \"l in {}\"\nends = [\"l.{a}\", \"l.{b}\"]",
        joins.table.name
    );
    for (key, value) in [
        ("length", length),
        ("fill", colour),
        ("owner", owner_of(rules, Domain::Table(joins.id))),
    ] {
        if let Some(value) = value {
            let _ = writeln!(text, "{key} = \"l.{value}\"");
        }
    }
    text.push('\n');
}

/// The cell that says whose something is.
fn owner_of(rules: &RuleSet, domain: Domain) -> Option<&str> {
    let mut cells = rules.cells.iter();
    let cell = cells.find(|cell| {
        cell.owner == CellOwner::Each(domain)
            && cell.indices.is_empty()
            && *cell.ty.required() == Ty::Element(Domain::Player)
    });
    cell.map(|cell| cell.name.as_str())
}

/// What knows where it stands, and what lies at the places.
fn standing(rules: &RuleSet, nodes: TableId, text: &mut String) {
    let place = Ty::Element(Domain::Table(nodes));
    let node = &rules.tables[nodes.index()].name;
    for (at, cell) in rules.cells.iter().enumerate() {
        let CellOwner::Each(owner) = cell.owner else {
            continue;
        };
        if !cell.indices.is_empty() || cell.name.is_empty() {
            continue;
        }
        let name = &cell.name;
        let there = |who: &str| match cell.ty {
            Ty::Optional(_) => format!(" where {who}.{name}"),
            _ => String::new(),
        };
        let said = rules.speech.cells.get(CellId(at as u32).index()).is_some();
        if *cell.ty.required() == place && owner != Domain::Table(nodes) {
            let (from, fill) = match owner {
                Domain::Player => ("player".to_owned(), "fill = \"q\"\n"),
                Domain::Table(id) => (rules.tables[id.index()].name.clone(), ""),
                _ => continue,
            };
            let _ = writeln!(
                text,
                "[[panel.pieces]]\nfor = {}\non = \"q.{name}\"\nsize = 26\n{fill}text = \"{{q}}\"\n",
                quoted(&format!("q in {from}{}", there("q"))),
            );
        } else if owner == Domain::Table(nodes) && said {
            let (when, words) = match cell.ty.required() {
                Ty::Int { .. } => (format!("n.{name} != 0"), format!("{{n.{name}}}")),
                Ty::Bool => (format!("n.{name}"), "●".to_owned()),
                Ty::Element(Domain::Player) => continue,
                Ty::Element(_) => (format!("n.{name}"), format!("{{n.{name}}}")),
                Ty::Set(_) | Ty::Bag(_) | Ty::List(_) | Ty::Row(_) | Ty::Deck(_) => {
                    (format!("n.{name}"), format!("{{n.{name}.size}}"))
                }
                _ => continue,
            };
            let when = match (cell.ty.required(), &cell.ty) {
                (Ty::Element(_), Ty::Optional(_)) | (Ty::Int { .. } | Ty::Bool, _) => when,
                (Ty::Element(_), _) => "true".to_owned(),
                _ => when,
            };
            let _ = writeln!(
                text,
                "[[panel.pieces]]\nfor = {}\non = \"n\"\nshift = [18, -12]\nshape = \"box\"\nsize = [26, 18]\nfill = \"card\"\ntext = {}\n",
                quoted(&format!("n in {node} where {when}")),
                quoted(&words),
            );
        }
    }
}

/// Each place where it is drawn between those it is joined with, by itself, so that it can be dragged.
fn laid_out(joins: &Joins, nodes: &Table) -> Vec<(String, String)> {
    let end = |row: &crate::ir::Row, at: usize| match row.values.get(joins.ends[at]) {
        Some(Value::Element(_, node)) => Some(*node as usize),
        _ => None,
    };
    let rows = joins.table.rows.iter();
    let links: BTreeSet<(usize, usize)> = rows
        .filter_map(|row| Some((end(row, 0)?, end(row, 1)?)))
        .filter(|(a, b)| a != b)
        .collect();
    let points = spread(nodes.rows.len(), &links);
    let places = nodes.rows.iter().zip(points).map(|(row, (x, y))| {
        let name = match row
            .name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            true => format!("{}[{}]", nodes.name, row.name),
            false => format!("{}[\"{}\"]", nodes.name, row.name),
        };
        (
            format!(" where n = {name}"),
            format!("[{}, {}]", x.round(), y.round()),
        )
    });
    places.collect()
}

/// Points on a plane: neighbours draw each other, all push each other away (after Fruchterman and Reingold).
fn spread(count: usize, links: &BTreeSet<(usize, usize)>) -> Vec<(f64, f64)> {
    let turn = std::f64::consts::TAU / count.max(1) as f64;
    let mut points: Vec<(f64, f64)> = (0..count)
        .map(|at| {
            let angle = turn * at as f64;
            (
                WIDTH * (0.5 + 0.4 * angle.cos()),
                HEIGHT * (0.5 + 0.4 * angle.sin()),
            )
        })
        .collect();
    let wanted = (WIDTH * HEIGHT / count.max(1) as f64).sqrt() * 0.8;
    for round in 0..ROUNDS {
        let mut pulls = vec![(0.0, 0.0); count];
        for a in 0..count {
            for b in a + 1..count {
                let (x, y) = (points[a].0 - points[b].0, points[a].1 - points[b].1);
                let distance = x.hypot(y).max(1.0);
                let linked = links.contains(&(a, b)) || links.contains(&(b, a));
                let push = wanted * wanted / distance;
                let pull = if linked {
                    distance * distance / wanted
                } else {
                    0.0
                };
                let by = (push - pull) / distance;
                pulls[a].0 += x * by;
                pulls[a].1 += y * by;
                pulls[b].0 -= x * by;
                pulls[b].1 -= y * by;
            }
        }
        let most = WIDTH / 10.0 * (1.0 - round as f64 / ROUNDS as f64);
        for (point, pull) in points.iter_mut().zip(&pulls) {
            let length = pull.0.hypot(pull.1).max(0.01);
            let step = length.min(most) / length;
            point.0 = (point.0 + pull.0 * step).clamp(0.0, WIDTH);
            point.1 = (point.1 + pull.1 * step).clamp(0.0, HEIGHT);
        }
    }
    points
}
