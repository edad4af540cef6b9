//! The sections of `board.toml`, layer over layer: later panels, looks and layouts take the place of earlier ones.

use super::item::Ground;
use super::pictures::Pictures;
use super::value::{Template, TemplatePart, Texts, everywhere, said};
use super::{Board, Look, Panel, Place, SeatLook, derive, item, keys};
use crate::Compiled;
use crate::assembly::fields::Fields;
use crate::assembly::tree::{self, Node, Value};
use crate::check::Lexicon;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::source::SourceSet;
use std::collections::BTreeMap;

/// The path of a `board.toml` that nobody wrote.
const DERIVED: &str = "(derived)/board.toml";

/// What the `board.toml`s of a game and its overlays say, and what is wrong with them; what is wrong is left out.
/// None without a rule set.
pub fn board(sources: &SourceSet, compiled: &Compiled) -> Option<(Board, Vec<Diagnostic>)> {
    let (assembly, rules) = (compiled.assembly.as_ref()?, compiled.rules.as_ref()?);
    let mut out = Vec::new();
    // A game that says nothing of its board is drawn as its rules are made.
    let derived = match assembly.boards.is_empty() {
        true => derive::text(assembly, rules),
        false => None,
    };
    let is_derived = derived.is_some();
    let mut boards = assembly.boards.clone();
    let mut own = sources.clone();
    boards.extend(derived.map(|text| own.insert(DERIVED, text)));
    let sources = &own;
    let questions = crate::questions(sources, compiled)?;
    let files: Vec<&Node> = boards
        .iter()
        .map(|file| tree::read(sources, *file, &mut out))
        .collect();
    for root in &files {
        Fields::new(root, "board.toml", &keys::ROOT, &mut out);
        // Columns that are there for people: that they are named is enough.
        if let Some(uses) = root.get("uses") {
            Fields::new(uses, "uses", &keys::USES, &mut out).texts("columns");
        }
    }
    // What is wrong with the words themselves is told with the rules.
    let language = assembly.language.as_deref();
    let mut words = Lexicon::read(sources, assembly, language, &mut Vec::new());
    let seats = files.iter().rev().find_map(|root| root.get("seat"));
    let seats = seats.map_or_else(Vec::new, |node| seat_looks(node, &mut words, &mut out));
    let looks = looks(&files, &words, &mut out);
    let mut texts = Texts {
        questions,
        assembly,
        rules,
        looks: looks.keys().cloned().collect(),
        choices: Vec::new(),
        asked: Vec::new(),
        loops: Vec::new(),
        pictures: Pictures::new(sources, &compiled.game),
        words,
        out,
    };
    let mut panels: Vec<Panel> = Vec::new();
    // What is called so is there, and what is wrong with it has been told.
    let mut broken: Vec<&str> = Vec::new();
    for node in files.iter().filter_map(|root| root.get("panel")) {
        for node in rows(node, "panel", &mut texts.out) {
            let Some(panel) = panel(node, &panels, &mut texts) else {
                broken.extend(node.get("id").and_then(Node::text));
                continue;
            };
            match panels.iter_mut().find(|known| known.id == panel.id) {
                Some(known) if panel.adds => {
                    known.items.extend(panel.items);
                    if panel.size != (0, 0) {
                        known.size = panel.size;
                    }
                }
                Some(known) if known.span.file == panel.span.file => {
                    texts.out.push(second_panel(&panel, known.span));
                }
                Some(known) => *known = panel,
                None => panels.push(panel),
            }
        }
    }
    let written = files.iter().rev().find_map(|root| root.get("layout"));
    let mut layout = written.map_or_else(Vec::new, |node| {
        places(node, (&panels, &broken), &mut texts.out)
    });
    let missing = (0..panels.len()).filter(|at| !layout.iter().any(|place| place.holds(*at)));
    let missing: Vec<Place> = missing.map(Place::Panel).collect();
    layout.extend(missing);
    texts.words.untold(&rules.layers, &mut texts.out);
    let (rules, uses) = texts.questions.finish();
    let board = Board {
        rules,
        uses,
        seats,
        looks,
        pictures: texts.pictures.found,
        layout,
        panels,
        questions: texts.asked,
        loops: texts.loops,
        choices: texts.choices,
    };
    // Nobody wrote what is wrong with it.
    let mistakes = if is_derived { Vec::new() } else { texts.out };
    Some((board, mistakes))
}

/// What the `board.toml` says that a game without one is drawn by; none if it has one, or there is nothing to be drawn.
pub fn written(compiled: &Compiled) -> Option<String> {
    let (assembly, rules) = (compiled.assembly.as_ref()?, compiled.rules.as_ref()?);
    match assembly.boards.is_empty() {
        true => derive::text(assembly, rules),
        false => None,
    }
}

impl Place {
    fn holds(&self, panel: usize) -> bool {
        match self {
            Place::Panel(at) => *at == panel,
            Place::Group(places) => places.iter().any(|place| place.holds(panel)),
        }
    }
}

/// The tables of `[[section]]`.
fn rows<'n>(node: &'n Node, section: &str, out: &mut Vec<Diagnostic>) -> &'n [Node] {
    match &node.value {
        Value::List(rows) => rows,
        _ => {
            let message = format!("`{section}` is {}, not a list", node.describe());
            out.push(
                Diagnostic::error("wrong-value", node.span, message)
                    .help(format!("write `[[{section}]]` above each")),
            );
            &[]
        }
    }
}

fn seat_looks(node: &Node, words: &mut Lexicon, out: &mut Vec<Diagnostic>) -> Vec<SeatLook> {
    let mut seats = Vec::new();
    for row in rows(node, "seat", out) {
        let mut fields = Fields::new(row, "seat", &keys::SEAT, out);
        let name = fields.text("name");
        let name = name.map_or_else(String::new, |name| {
            let said = said(words, &name.text, name.span);
            said.map_or(name.text, |said| said.text)
        });
        if let Some(colour) = colour(&mut fields) {
            seats.push(SeatLook { name, colour });
        }
    }
    seats
}

fn colour(fields: &mut Fields) -> Option<String> {
    let colour = fields.text("colour")?;
    let digits = colour.text.strip_prefix('#').unwrap_or_default();
    if digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
        return Some(colour.text);
    }
    let message = format!("`{}` is no colour", colour.text);
    fields.error(
        Diagnostic::error("wrong-value", colour.span, message)
            .help("write red, green and blue as six digits from 0 to f: `#2a5caa`"),
    );
    None
}

fn looks(files: &[&Node], words: &Lexicon, out: &mut Vec<Diagnostic>) -> BTreeMap<String, Look> {
    let mut looks = BTreeMap::new();
    for node in files.iter().filter_map(|root| root.get("looks")) {
        for (name, node) in node.entries() {
            let mut fields = Fields::new(node, &name.text, &keys::LOOK, out);
            let look = Look {
                colour: colour(&mut fields),
                // Most signs are the same in all languages, so that none has to have words.
                sign: fields.text("sign").map(|sign| {
                    let said = words.text(&sign.text);
                    said.map_or(sign.text.clone(), |said| said.text.clone())
                }),
            };
            looks.insert(name.text.clone(), look);
        }
    }
    looks
}

fn panel(node: &Node, below: &[Panel], texts: &mut Texts) -> Option<Panel> {
    let mut out = Vec::new();
    let mut fields = Fields::new(node, "panel", &keys::of_panel(), &mut out);
    let id = fields.required_text("id");
    let size = fields.pair("size").unwrap_or((0, 0));
    let per_row = fields.count("per_row").unwrap_or(1).max(1);
    let adds = fields.flag("adds");
    texts.out.append(&mut out);
    let id = id?;
    let mut known = everywhere();
    if adds {
        match below.iter().find(|panel| panel.id == id.text) {
            Some(panel) => known.clone_from(&panel.known),
            None => {
                texts.out.push(unknown_panel(&id.text, id.span, below));
                return None;
            }
        }
    }
    let mut through = None;
    if let Some(node) = node.get("for") {
        // All of the panel is said with the names that this brings.
        through = Some(texts.through(node, &mut known)?);
    }
    let when = node.get("when").and_then(|node| texts.ask(node, &known));
    let title = node
        .get("title")
        .and_then(|node| texts.template(node, &known));
    let mut items = Vec::new();
    for (name, kind) in keys::KINDS {
        let Some(list) = node.get(name) else { continue };
        for row in rows(list, name, &mut texts.out) {
            items.extend(item::read(row, name, (kind, Ground::Panel), &known, texts));
        }
    }
    items.sort_by_key(|item| item.span.start);
    let title = title.unwrap_or_else(|| Template {
        parts: vec![TemplatePart::Text(id.text.replace(['_', '-'], " "))],
    });
    Some(Panel {
        id: id.text,
        span: node.span,
        title,
        through,
        adds,
        known,
        per_row,
        when,
        size,
        items,
    })
}

/// `layout = [["map", "players"], "hand"]`
fn places(
    node: &Node,
    (panels, broken): (&[Panel], &[&str]),
    out: &mut Vec<Diagnostic>,
) -> Vec<Place> {
    let Value::List(nodes) = &node.value else {
        let message = format!("`layout` is {}, not a list", node.describe());
        out.push(
            Diagnostic::error("wrong-value", node.span, message)
                .help("write rows of panels: `layout = [[\"map\", \"players\"], \"hand\"]`"),
        );
        return Vec::new();
    };
    let mut places_found = Vec::new();
    for node in nodes {
        match &node.value {
            Value::List(_) => places_found.push(Place::Group(places(node, (panels, broken), out))),
            Value::Text { text, span, .. } => {
                match panels.iter().position(|panel| panel.id == *text) {
                    Some(at) => places_found.push(Place::Panel(at)),
                    None if broken.contains(&text.as_str()) => {}
                    None => out.push(unknown_panel(text, *span, panels)),
                }
            }
            _ => out.push(Diagnostic::error(
                "wrong-value",
                node.span,
                format!("this is {}, not the name of a panel", node.describe()),
            )),
        }
    }
    places_found
}

/// A panel takes the place of one in a layer below, not of one in its own file.
fn second_panel(panel: &Panel, first: crate::source::Span) -> Diagnostic {
    let message = format!("two panels are called `{}`", panel.id);
    Diagnostic::error("declared-twice", panel.span, message)
        .label(first, "the first one")
        .help("give it an `id` of its own, or write `adds = true` to put its items into the first one")
}

fn unknown_panel(text: &str, span: crate::source::Span, panels: &[Panel]) -> Diagnostic {
    let diagnostic = Diagnostic::error("unknown-name", span, format!("there is no panel `{text}`"));
    match nearest(text, panels.iter().map(|panel| panel.id.as_str())) {
        Some(near) => diagnostic.meant(span, near),
        None => diagnostic.help(format!("write `[[panel]]` with `id = \"{text}\"`")),
    }
}
