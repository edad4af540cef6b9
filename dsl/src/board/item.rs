//! One kind of thing on a panel, drawn once or for everything that its names stand for.

use super::value::{Template, Texts, Value};
use super::{LoopId, QuestionId, keys};
use crate::assembly::fields::{Fields, quoted_list};
use crate::assembly::tree::{self, Node};
use crate::check::Known;
use crate::diagnostic::Diagnostic;
use crate::ir::{Domain, TableId, Ty};
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// Things with a place of their own: cities, fields, squares.
    Spaces,
    /// What joins two spaces, as a row of boxes.
    Links,
    /// Tokens on spaces and boxes; several on one stand side by side.
    Pieces,
    /// Lines from the sides or ports of a square to its middle.
    Ways,
    /// Boxes in rows, one behind the other.
    Boxes,
    /// The cards of a zone, side by side.
    Cards,
    /// A zone as one pile with its number of cards.
    Pile,
    /// Lines with a name and a value.
    Values,
}

impl ItemKind {
    /// What it draws, in words.
    pub fn meaning(self) -> &'static str {
        match self {
            ItemKind::Spaces => "things with a place of their own: cities, fields, squares",
            ItemKind::Links => "what joins two spaces, as a row of boxes",
            ItemKind::Pieces => "tokens; several on one place stand side by side",
            ItemKind::Ways => "lines from the sides or ports of a place to its middle",
            ItemKind::Boxes => "boxes one behind the other: tracks, boards of actions",
            ItemKind::Cards => "the cards of a zone side by side",
            ItemKind::Pile => "a zone as one pile with its number of cards",
            ItemKind::Values => "lines with a name and a value",
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outline {
    #[default]
    Box,
    Circle,
    Diamond,
    /// As the hexes of the game's board lie.
    Hex,
    /// Only its text.
    None,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelSide {
    Above,
    #[default]
    Below,
    Left,
    Right,
}

/// Where something that is shown is written, so that it can be changed there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A number of a `board.toml`.
    Number(Span),
    /// A column of the row that a name stands for; `name`: its place among the names bound.
    Column {
        name: usize,
        table: TableId,
        column: String,
    },
}

/// What each field means depends on the kind; see `docs/board.md`.
#[derive(Clone, Debug)]
pub struct Item {
    pub kind: ItemKind,
    pub span: Span,
    pub through: Option<LoopId>,
    pub when: Option<QuestionId>,
    pub at: Option<[Value; 2]>,
    /// Where the place is written, if both its numbers are just that: a number, or a column.
    pub written_at: Option<[Source; 2]>,
    /// Beside the place: to the right, down.
    pub shift: (i32, i32),
    /// Width and height; 0: usual.
    pub size: (u32, u32),
    /// Where the numbers of the size are written: one for both, or two.
    pub written_size: Vec<Span>,
    pub per_row: u32,
    pub shape: Outline,
    pub fill: Option<Value>,
    pub outline: Option<Value>,
    pub owner: Option<Value>,
    /// Lines of text on it.
    pub text: Vec<Template>,
    /// What the file of its picture is called; where a value is nothing, it has none.
    pub picture: Option<Template>,
    /// Cards and piles: what is printed on the other side of a card.
    pub back: Option<Template>,
    /// Height of letters; 0: usual.
    pub text_size: u32,
    /// Text beside it.
    pub label: Option<Template>,
    /// The column that the label is, if it is nothing else.
    pub written_label: Option<Source>,
    pub label_side: LabelSide,
    pub turn: Option<Value>,
    /// Links: the two things they join.
    pub ends: Vec<Value>,
    /// The columns that the ends are, if they are nothing else.
    pub written_ends: Option<[Source; 2]>,
    pub length: Option<Value>,
    pub width: u32,
    /// Pieces: what they stand on; several values: together they name it.
    pub on: Vec<Value>,
    pub sides: Option<QuestionId>,
    /// Ways: whether a line straight through goes around the middle.
    pub aside: Option<QuestionId>,
    /// Cards and piles: the container.
    pub zone: Option<QuestionId>,
    /// What a card of the zone is.
    pub card: Option<Ty>,
    /// Name and value of each line.
    pub lines: Vec<(Template, Template)>,
    /// What else of the game it stands for.
    pub means: Vec<Value>,
    /// Numbers it stands for where a choice of this name asks for one: index into [`super::Board::choices`].
    pub numbers: Vec<(usize, Value)>,
    /// Lines on each box or card, from the sides of a tile to its middle.
    pub ways: Vec<Item>,
}

/// Where an item lies.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Panel,
    /// A box or card: it has a place without being given one.
    Card,
}

/// Reads the item at `node`; `known` are the names of its panel, or of what it lies on.
pub(super) fn read(
    node: &Node,
    name: &str,
    (kind, ground): (ItemKind, Ground),
    known: &[Known],
    texts: &mut Texts,
) -> Option<Item> {
    let title = format!("panel.{name}");
    let mut out = Vec::new();
    let mut fields = Fields::new(node, &title, &keys::of(kind), &mut out);
    let size = fields.pair("size").unwrap_or((0, 0));
    let shift = fields.signed_pair("shift").unwrap_or((0, 0));
    let text_size = fields.count("text_size").unwrap_or(0);
    let per_row = fields.count("per_row").unwrap_or(0);
    let width = fields.count("width").unwrap_or(0);
    let shape = word(
        &mut fields,
        "shape",
        &[
            ("box", Outline::Box),
            ("circle", Outline::Circle),
            ("diamond", Outline::Diamond),
            ("hex", Outline::Hex),
            ("none", Outline::None),
        ],
    );
    let label_side = word(
        &mut fields,
        "label_side",
        &[
            ("above", LabelSide::Above),
            ("below", LabelSide::Below),
            ("left", LabelSide::Left),
            ("right", LabelSide::Right),
        ],
    );
    for key in required(kind) {
        if ground == Ground::Panel || *key != "at" {
            fields.require(key);
        }
    }
    let failed = !out.is_empty();
    texts.out.append(&mut out);
    let mut reader = Reader {
        node,
        known: known.to_vec(),
        texts,
        failed,
    };
    let through = reader.through();
    let zone = reader.question("zone");
    // What is said of an item is said with the names that these bring.
    let nameless = node.get("for").is_some() && through.is_none();
    if nameless || node.get("zone").is_some() && zone.is_none() {
        return None;
    }
    let card = reader.card(zone);
    let (means, numbers) = reader.means();
    let item = Item {
        kind,
        span: node.span,
        through,
        when: reader.question("when"),
        at: reader.at(),
        written_at: reader.written_pair("at"),
        shift,
        size,
        written_size: written_size(node),
        per_row,
        shape: shape.unwrap_or_else(|| usual_shape(kind)),
        fill: reader.value("fill"),
        outline: reader.value("outline"),
        owner: reader.value("owner"),
        text: reader.templates("text"),
        picture: reader.picture(),
        back: reader.template("back"),
        text_size,
        label: reader.template("label"),
        written_label: node.get("label").and_then(|node| reader.written_text(node)),
        label_side: label_side.unwrap_or_default(),
        turn: reader.value("turn"),
        ends: reader.values("ends"),
        written_ends: reader.written_pair("ends"),
        length: reader.value("length"),
        width,
        on: reader.values("on"),
        sides: reader.question("sides"),
        aside: reader.question("aside"),
        zone,
        card,
        lines: reader.lines(),
        means,
        numbers,
        ways: reader.ways(name),
    };
    (!reader.failed).then_some(item)
}

fn written_size(node: &Node) -> Vec<Span> {
    let is_number = |node: &&Node| matches!(node.value, tree::Value::Int(_));
    match node.get("size").map(|size| (size, &size.value)) {
        Some((size, tree::Value::Int(_))) => vec![size.span],
        Some((_, tree::Value::List(pair))) if pair.iter().all(|one| is_number(&one)) => {
            pair.iter().map(|one| one.span).collect()
        }
        _ => Vec::new(),
    }
}

fn usual_shape(kind: ItemKind) -> Outline {
    match kind {
        ItemKind::Spaces | ItemKind::Pieces => Outline::Circle,
        _ => Outline::Box,
    }
}

fn required(kind: ItemKind) -> &'static [&'static str] {
    match kind {
        ItemKind::Spaces => &["at"],
        ItemKind::Links => &["for", "ends"],
        ItemKind::Pieces | ItemKind::Boxes => &[],
        ItemKind::Ways => &["at", "sides"],
        ItemKind::Cards | ItemKind::Pile => &["zone"],
        ItemKind::Values => &["lines"],
    }
}

/// One of a few words.
fn word<T: Copy>(fields: &mut Fields, key: &str, words: &[(&str, T)]) -> Option<T> {
    let text = fields.text(key)?;
    let found = words.iter().find(|(word, _)| *word == text.text);
    if found.is_none() {
        let known = quoted_list(words.iter().map(|(word, _)| *word));
        let message = format!("`{key}` cannot be `{}`", text.text);
        fields.error(
            Diagnostic::error("wrong-value", text.span, message).help(format!("it is {known}")),
        );
    }
    found.map(|(_, value)| *value)
}

struct Reader<'n, 't, 'a> {
    node: &'n Node,
    known: Vec<Known>,
    texts: &'t mut Texts<'a>,
    failed: bool,
}

impl Reader<'_, '_, '_> {
    fn through(&mut self) -> Option<LoopId> {
        let node = self.node.get("for")?;
        let found = self.texts.through(node, &mut self.known);
        self.noted(found)
    }

    fn noted<T>(&mut self, found: Option<T>) -> Option<T> {
        self.failed |= found.is_none();
        found
    }

    fn question(&mut self, key: &str) -> Option<QuestionId> {
        let node = self.node.get(key)?;
        let found = self.texts.ask(node, &self.known);
        self.noted(found)
    }

    fn value(&mut self, key: &str) -> Option<Value> {
        let node = self.node.get(key)?;
        let found = self.texts.value(node, &self.known);
        self.noted(found)
    }

    /// One value or a list of them.
    fn values(&mut self, key: &str) -> Vec<Value> {
        let Some(node) = self.node.get(key) else {
            return Vec::new();
        };
        let nodes = match &node.value {
            tree::Value::List(nodes) => nodes.iter().collect(),
            _ => vec![node],
        };
        let values: Vec<Value> = nodes
            .iter()
            .filter_map(|node| self.texts.value(node, &self.known))
            .collect();
        self.failed |= values.len() != nodes.len();
        values
    }

    /// What it stands for: elements, and numbers that choices ask for, `"i = 25 - j"`.
    fn means(&mut self) -> (Vec<Value>, Vec<(usize, Value)>) {
        let (mut means, mut numbers) = (Vec::new(), Vec::new());
        let Some(node) = self.node.get("means") else {
            return (means, numbers);
        };
        let nodes = match &node.value {
            tree::Value::List(nodes) => nodes.iter().collect(),
            _ => vec![node],
        };
        for node in nodes {
            let found = match self.texts.number_asked(node, &self.known) {
                Some(number) => number.map(|number| numbers.push(number)),
                None => self
                    .texts
                    .value(node, &self.known)
                    .map(|value| means.push(value)),
            };
            self.failed |= found.is_none();
        }
        (means, numbers)
    }

    fn at(&mut self) -> Option<[Value; 2]> {
        let node = self.node.get("at")?;
        let values = self.values("at");
        let found = <[Value; 2]>::try_from(values).ok();
        if found.is_none() && !self.failed {
            let help = "give x and y: `at = [\"c.x\", \"c.y\"]`";
            self.texts.out.push(
                Diagnostic::error("wrong-value", node.span, "a place has two values").help(help),
            );
        }
        self.noted(found)
    }

    /// Where two values are written.
    fn written_pair(&self, key: &str) -> Option<[Source; 2]> {
        let tree::Value::List(nodes) = &self.node.get(key)?.value else {
            return None;
        };
        let [first, second] = nodes.as_slice() else {
            return None;
        };
        Some([self.written(first)?, self.written(second)?])
    }

    fn written(&self, node: &Node) -> Option<Source> {
        match &node.value {
            tree::Value::Int(_) => Some(Source::Number(node.span)),
            tree::Value::Text { text, .. } => self.column(text),
            _ => None,
        }
    }

    /// Of a text that is one value in braces.
    fn written_text(&self, node: &Node) -> Option<Source> {
        let tree::Value::Text { text, .. } = &node.value else {
            return None;
        };
        self.column(text.strip_prefix('{')?.strip_suffix('}')?)
    }

    /// `c.x`, where `c` is a row.
    fn column(&self, text: &str) -> Option<Source> {
        let (row, column) = text.trim().split_once('.')?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !column.chars().all(is_word) {
            return None;
        }
        let name = self.known.iter().rposition(|known| known.name == row)?;
        match *self.known[name].ty.required() {
            Ty::Element(Domain::Table(table)) => Some(Source::Column {
                name,
                table,
                column: column.to_owned(),
            }),
            _ => None,
        }
    }

    fn template(&mut self, key: &str) -> Option<Template> {
        let node = self.node.get(key)?;
        let found = self.texts.template(node, &self.known);
        self.noted(found)
    }

    fn picture(&mut self) -> Option<Template> {
        let node = self.node.get("picture")?;
        let found = self.texts.picture(node, &self.known);
        self.noted(found)
    }

    /// One text or a list of lines.
    fn templates(&mut self, key: &str) -> Vec<Template> {
        let Some(node) = self.node.get(key) else {
            return Vec::new();
        };
        let nodes = match &node.value {
            tree::Value::List(nodes) => nodes.iter().collect(),
            _ => vec![node],
        };
        let found: Vec<Template> = nodes
            .iter()
            .filter_map(|node| self.texts.template(node, &self.known))
            .collect();
        self.failed |= found.len() != nodes.len();
        found
    }

    /// `lines = [["wagons", "{p.wagons}"], …]`
    fn lines(&mut self) -> Vec<(Template, Template)> {
        let Some(Node {
            value: tree::Value::List(nodes),
            ..
        }) = self.node.get("lines")
        else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        for node in nodes {
            let pair = match &node.value {
                tree::Value::List(pair) => pair.as_slice(),
                _ => &[],
            };
            let [name, value] = pair else {
                let help = "a line is a name and a value: `[\"wagons\", \"{p.wagons}\"]`";
                self.texts.out.push(
                    Diagnostic::error("wrong-value", node.span, "this is no line").help(help),
                );
                self.failed = true;
                continue;
            };
            let name = self.texts.template(name, &self.known);
            let value = self.texts.template(value, &self.known);
            match name.zip(value) {
                Some(line) => lines.push(line),
                None => self.failed = true,
            }
        }
        lines
    }

    /// `[[panel.cards.ways]]`
    fn ways(&mut self, name: &str) -> Vec<Item> {
        let Some(node) = self.node.get("ways") else {
            return Vec::new();
        };
        let tree::Value::List(rows) = &node.value else {
            let message = format!("`ways` is {}, not a list", node.describe());
            let help = format!("write `[[panel.{name}.ways]]` above each");
            self.texts
                .out
                .push(Diagnostic::error("wrong-value", node.span, message).help(help));
            self.failed = true;
            return Vec::new();
        };
        let inner = format!("{name}.ways");
        let what = (ItemKind::Ways, Ground::Card);
        let found: Vec<Item> = rows
            .iter()
            .filter_map(|row| read(row, &inner, what, &self.known, self.texts))
            .collect();
        self.failed |= found.len() != rows.len();
        found
    }

    /// Binds the name under which the cards of the zone are spoken of.
    fn card(&mut self, zone: Option<QuestionId>) -> Option<Ty> {
        let zone = zone?;
        let ty = self.texts.type_of(zone).required().element();
        let Some(element) = ty else {
            let span = self
                .node
                .get("zone")
                .map_or(self.node.span, |node| node.span);
            let help = "name a set, bag, list, row or deck";
            self.texts
                .out
                .push(Diagnostic::error("no-zone", span, "this holds no cards").help(help));
            return self.noted(None);
        };
        let name = self.node.get("as");
        let text = name.and_then(|node| match &node.value {
            tree::Value::Text { text, span, .. } => Some((text.clone(), *span)),
            _ => None,
        });
        // A bag of seats, a list of numbers: the card is bound all the same.
        let (name, span) = text.unwrap_or_else(|| ("card_".to_owned(), self.node.span));
        self.known.push(Known {
            name,
            ty: element.clone(),
            span,
        });
        let is_known = !matches!(element, Ty::Element(Domain::Action));
        is_known.then_some(element)
    }
}
