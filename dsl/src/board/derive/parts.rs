//! What lies on the table and before the players, kind by kind.

use super::quoted;
use crate::ir::{Cell, CellOwner, ColumnId, Domain, Private, RuleSet, TableId, Ty, Value};
use std::fmt::Write;

/// Columns that are told of a row that is shown as a box.
const TOLD_MAX: usize = 3;
/// Lines that fit on what is as large as its letters; what says more is as large as a card, in the proportions of poker.
const SHORT: usize = 2;
/// Rows of a table that are shown as boxes; of more, only those that have something.
const BOXES_MAX: usize = 60;
/// A range with more numbers is no index that is gone through.
const RANGE_MAX: i32 = 40;

pub(super) struct Parts<'a> {
    rules: &'a RuleSet,
}

impl<'a> Parts<'a> {
    pub fn new(rules: &'a RuleSet) -> Parts<'a> {
        Parts { rules }
    }

    fn cells(&self, owner: CellOwner) -> impl Iterator<Item = (&'a Cell, String)> + '_ {
        let speech = &self.rules.speech.cells;
        let cells = self.rules.cells.iter().enumerate();
        let own = cells.filter(move |(_, cell)| cell.owner == owner && !cell.name.is_empty());
        own.map(move |(at, cell)| {
            let noun = speech.get(at).and_then(Option::as_ref);
            let said = noun.map(|noun| noun.heading().to_owned());
            (cell, said.unwrap_or_else(|| cell.name.replace('_', " ")))
        })
    }

    /// Zones of the game or of each player: rows of cards, and piles.
    pub fn zones(&self, owner: CellOwner, text: &mut String) {
        for (cell, said) in self.cells(owner) {
            let Some(zone) = self.zone(cell) else {
                continue;
            };
            let _ = writeln!(
                text,
                "{zone}label = {}\n",
                quoted(&self.with_index(cell, &said))
            );
        }
    }

    /// The item of a zone, without its label; none of what holds no pieces.
    fn zone(&self, cell: &Cell) -> Option<String> {
        let (kind, of) = match cell.ty.required() {
            Ty::Deck(of) => ("pile", *of),
            Ty::Set(of) | Ty::Bag(of) | Ty::Row(of) => ("cards", *of),
            Ty::List(inner) => match inner.required() {
                Ty::Element(of) => ("cards", *of),
                _ => return None,
            },
            _ => return None,
        };
        if matches!(of, Domain::Action | Domain::Int { .. }) {
            return None;
        }
        let (through, path) = self.reached(cell)?;
        let mut item = format!("[[panel.{kind}]]\n");
        if !through.is_empty() {
            let _ = writeln!(item, "for = {}", quoted(&through));
        }
        let _ = writeln!(item, "zone = {}\nas = \"x\"", quoted(&path));
        item += &self.face(
            of,
            if kind == "pile" {
                "size = [96, 44]"
            } else {
                "size = [84, 46]"
            },
        );
        Some(item)
    }

    /// What a piece shows.
    fn face(&self, of: Domain, size: &str) -> String {
        let mut lines = vec![quoted("{x}")];
        if let Domain::Table(table) = of {
            lines.extend(self.told(table, "x").iter().map(|line| quoted(line)));
        }
        let size = match lines.len() {
            ..=SHORT => size,
            _ => "size = [63, 88]",
        };
        let fill = match of {
            Domain::Player => "fill = \"x\"\n",
            _ => "",
        };
        format!("{size}\n{fill}text = [{}]\n", lines.join(", "))
    }

    /// What a row says of itself: all in which rows differ, but for what its name says and how many there are.
    fn told(&self, table: TableId, name: &str) -> Vec<String> {
        let declared = &self.rules.tables[table.index()];
        let Some(words) = self.rules.speech.tables.get(table.index()) else {
            return Vec::new();
        };
        let columns = declared.columns.iter().enumerate();
        let told = columns.filter(|(at, column)| {
            let id = ColumnId(*at as u32);
            // An id means nothing to people.
            let shown = match column.ty.required() {
                Ty::Formula { .. } => false,
                Ty::Text => !declared.key.contains(&id),
                _ => true,
            };
            shown
                && words.varied.contains(&id)
                && !(words.named.contains(&id) && self.is_said(table, id))
                && declared.copies != Some(id)
                && declared.parent.is_none_or(|(_, parent)| parent != id)
        });
        let lines = told.map(|(at, column)| {
            let noun = words.columns.get(at).map(|noun| noun.one.as_str());
            match column.ty.required() {
                Ty::Element(_) | Ty::Effect(_) | Ty::Text => format!("{{{name}.{}}}", column.name),
                _ => format!(
                    "{} {{{name}.{}}}",
                    noun.unwrap_or(&column.name),
                    column.name
                ),
            }
        });
        lines.collect()
    }

    /// Whether the name of each row holds what stands in a column.
    fn is_said(&self, table: TableId, column: ColumnId) -> bool {
        let speech = &self.rules.speech;
        let Some(words) = speech.tables.get(table.index()) else {
            return false;
        };
        let rows = self.rules.tables[table.index()].rows.iter();
        rows.zip(&words.rows).all(|(row, name)| {
            let holds = |text: &String| name.contains(text.as_str());
            match row.values.get(column.index()) {
                None | Some(Value::None) => true,
                Some(Value::Int(number)) => {
                    let number = number.to_string();
                    let mut parts = name.split(|sign: char| !sign.is_alphanumeric());
                    parts.any(|part| part == number)
                }
                Some(Value::Text(text)) => holds(&self.rules.texts[text.index()]),
                Some(Value::Element(Domain::Table(of), at)) => {
                    let rows = speech.tables.get(of.index()).map(|of| &of.rows);
                    rows.and_then(|rows| rows.get(*at as usize))
                        .is_some_and(holds)
                }
                Some(Value::Element(Domain::Enum(of), at)) => {
                    let members = speech.enums.get(of.index()).map(|of| &of.members);
                    let member = members.and_then(|members| members.get(*at as usize));
                    member.is_some_and(holds)
                }
                Some(_) => false,
            }
        })
    }

    /// Names to go through all places of a cell, and the cell at them; none if they cannot be gone through.
    fn reached(&self, cell: &Cell) -> Option<(String, String)> {
        let mut through = Vec::new();
        let mut keys = Vec::new();
        for (at, domain) in cell.indices.iter().enumerate() {
            let name = ["k", "l", "m"].get(at)?;
            through.push(format!("{name} in {}", self.source(*domain)?));
            keys.push(*name);
        }
        let own = match cell.owner {
            CellOwner::Each(Domain::Player) => "p.",
            CellOwner::Each(_) => "t.",
            CellOwner::Game => "",
            CellOwner::Step(_) | CellOwner::Action(_) => return None,
        };
        let path = match keys.is_empty() {
            true => format!("{own}{}", cell.name),
            false => format!("{own}{}[{}]", cell.name, keys.join(", ")),
        };
        Some((through.join(", "), path))
    }

    fn with_index(&self, cell: &Cell, said: &str) -> String {
        match cell.indices.len() {
            0 => said.to_owned(),
            1 => format!("{said} {{k}}"),
            2 => format!("{said} {{k}} {{l}}"),
            _ => format!("{said} {{k}} {{l}} {{m}}"),
        }
    }

    /// All of a domain, as the rules write it.
    fn source(&self, domain: Domain) -> Option<String> {
        Some(match domain {
            Domain::Table(id) => self.rules.tables[id.index()].name.clone(),
            Domain::Enum(id) => self.rules.enums[id.index()].name.clone(),
            Domain::Player => "player".to_owned(),
            Domain::Int { low, high } if high - low < RANGE_MAX => format!("{low}..{high}"),
            _ => return None,
        })
    }

    /// A value in words, if the cell has one value that can be told.
    fn value(&self, cell: &Cell, path: &str) -> Option<String> {
        Some(match cell.ty.required() {
            Ty::Int { .. } | Ty::Bool | Ty::Element(_) | Ty::Text => format!("{{{path}}}"),
            Ty::Set(_) | Ty::Bag(_) | Ty::List(_) | Ty::Deck(_) | Ty::Row(_) => {
                format!("{{{path}.size}}")
            }
            _ => return None,
        })
    }

    // ---------------------------------------------------------------------------------------------- the table

    /// Rows and members that have cells of their own, as boxes; `drawn` are drawn already.
    pub fn tables(&self, drawn: &[Domain], text: &mut String) {
        let tables = (0..self.rules.tables.len()).map(|at| Domain::Table(TableId(at as u32)));
        let enums =
            (0..self.rules.enums.len()).map(|at| Domain::Enum(crate::ir::EnumId(at as u32)));
        for domain in tables.chain(enums).filter(|domain| !drawn.contains(domain)) {
            self.boxes(domain, text);
        }
    }

    fn boxes(&self, domain: Domain, text: &mut String) {
        let cells = self.cells(CellOwner::Each(domain));
        let cells: Vec<(&Cell, String)> =
            cells.filter(|(cell, _)| cell.indices.is_empty()).collect();
        let Some(source) = self.source(domain).filter(|_| !cells.is_empty()) else {
            return;
        };
        let mut lines = vec![quoted("{t}")];
        let mut fill = String::new();
        for (cell, said) in &cells {
            let path = format!("t.{}", cell.name);
            match cell.ty.required() {
                Ty::Element(Domain::Player) if fill.is_empty() => {
                    fill = format!("fill = \"{path}\"\n");
                }
                _ => {
                    let value = self.value(cell, &path);
                    lines.extend(value.map(|value| quoted(&format!("{said} {value}"))));
                }
            }
        }
        let (count, noun) = match domain {
            Domain::Table(id) => {
                lines.extend(self.told(id, "t").iter().map(|line| quoted(line)));
                let words = self.rules.speech.tables.get(id.index());
                (
                    self.rules.tables[id.index()].rows.len(),
                    words.map(|one| &one.noun),
                )
            }
            Domain::Enum(id) => {
                let words = self.rules.speech.enums.get(id.index());
                (
                    self.rules.enums[id.index()].members.len(),
                    words.map(|one| &one.noun),
                )
            }
            _ => return,
        };
        lines.truncate(TOLD_MAX + 1);
        let only = match (count > BOXES_MAX, cells.first()) {
            (true, Some((cell, _))) if matches!(cell.ty, Ty::Optional(_)) => {
                format!(" where t.{}", cell.name)
            }
            _ => String::new(),
        };
        let heading = noun.map_or_else(|| source.clone(), |noun| noun.many.clone());
        let height = 12 + 14 * lines.len();
        let _ = writeln!(
            text,
            "[[panel.boxes]]\nfor = {}\nlabel = {}\nsize = [104, {height}]\n{fill}text = [{}]\n",
            quoted(&format!("t in {source}{only}")),
            quoted(&heading),
            lines.join(", "),
        );
    }

    /// Numbers and single things of the game.
    pub fn numbers(&self, text: &mut String) {
        let mut lines = Vec::new();
        for (cell, said) in self.cells(CellOwner::Game) {
            let plain = matches!(
                cell.ty.required(),
                Ty::Int { .. } | Ty::Bool | Ty::Element(_) | Ty::Text
            );
            if plain && cell.indices.is_empty() {
                lines.push(format!("[{}, \"{{{}}}\"]", quoted(&said), cell.name));
            } else if plain && let Some((through, path)) = self.reached(cell) {
                let name = self.with_index(cell, &said);
                let _ = writeln!(
                    text,
                    "[[panel.values]]\nfor = {}\nper_row = 2\nlines = [[{}, \"{{{path}}}\"]]\n",
                    quoted(&through),
                    quoted(&name),
                );
            }
        }
        if !lines.is_empty() {
            let _ = writeln!(
                text,
                "[[panel.values]]\nper_row = 2\nlines = [{}]\n",
                lines.join(", ")
            );
        }
    }

    // ---------------------------------------------------------------------------------------------- the players

    /// What each player has.
    pub fn players(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "[[panel]]\nid = \"players\"\ntitle = \"{{p}}\"\nfor = \"p in player\"\nsize = [280, 0]\n"
        );
        let mut lines = Vec::new();
        let mut rest = String::new();
        for (cell, said) in self.cells(CellOwner::Each(Domain::Player)) {
            let Some((through, path)) = self.reached(cell) else {
                continue;
            };
            let value = self.value(cell, &path);
            match value {
                Some(value) if cell.indices.is_empty() => {
                    lines.push(format!("[{}, {}]", quoted(&said), quoted(&value)));
                }
                Some(value) if matches!(cell.ty.required(), Ty::Int { .. }) => {
                    let name = self.with_index(cell, &said);
                    let _ = writeln!(
                        rest,
                        "[[panel.values]]\nfor = {}\nper_row = 2\nlines = [[{}, {}]]\n",
                        quoted(&through),
                        quoted(&name),
                        quoted(&value),
                    );
                }
                _ => {}
            }
        }
        if !lines.is_empty() {
            let _ = writeln!(
                text,
                "[[panel.values]]\nper_row = 2\nlines = [{}]\n",
                lines.join(", ")
            );
        }
        text.push_str(&rest);
        // What all see lies open before its player.
        for (cell, said) in self.cells(CellOwner::Each(Domain::Player)) {
            let own = cell.visibility.private == Some(Private::Owner);
            let open = !own && !cell.visibility.hidden;
            if let Some(zone) = self.zone(cell).filter(|_| open) {
                let (_, path) = self.reached(cell).unwrap_or_default();
                let when = match cell.indices.is_empty() {
                    true => format!("when = {}\n", quoted(&path)),
                    false => String::new(),
                };
                let _ = writeln!(
                    text,
                    "{zone}{when}label = {}\n",
                    quoted(&self.with_index(cell, &said))
                );
            }
        }
    }

    /// What a player alone sees, as far as it can be shown; empty: nothing.
    pub fn hand(&self) -> String {
        let mut text = String::new();
        for (cell, said) in self.cells(CellOwner::Each(Domain::Player)) {
            let own = cell.visibility.private == Some(Private::Owner);
            let zone = self.zone(cell).filter(|_| own);
            if let Some(zone) = zone {
                let _ = writeln!(
                    text,
                    "{zone}label = {}\n",
                    quoted(&self.with_index(cell, &said))
                );
            }
        }
        if text.is_empty() {
            return text;
        }
        format!(
            "[[panel]]\nid = \"hand\"\ntitle = \"{{p}}\"\nfor = \"p in player where p = viewer or viewer = none and p = decision\"\nsize = [860, 0]\n\n{text}"
        )
    }
}
