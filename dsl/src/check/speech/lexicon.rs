//! Language files: `words/de.toml` of a game, its family and overlays, and of the product itself.

use super::english;
use super::phrase::{self, Said};
use crate::assembly::fields::{self, Fields, Holds, Key};
use crate::assembly::tree::{self, Node, Value};
use crate::assembly::{ANY, Assembly, ENGLISH};
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::ir::{Layer, Noun, Saying, layer_of};
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::layout::cannot_be_seen;
use std::collections::{BTreeMap, BTreeSet};

/// Its headings.
pub(crate) const SECTIONS: [Key; 5] = [
    fields::key(
        "words",
        "what things are called: one, or one and several",
        Holds::Section,
    ),
    fields::key("told", "how what somebody does is told", Holds::Section),
    fields::key(
        "declined",
        "what is said where something is declined",
        Holds::Section,
    ),
    fields::key("asks", "questions", Holds::Section),
    fields::key(
        "texts",
        "texts of the rules and of the program, in this language",
        Holds::Section,
    ),
];

/// What the files of one language say, the latest layer first asked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lexicon {
    /// None: the one the rules are written in.
    pub language: Option<String>,
    /// The game's own file, where what is missing is told.
    file: Option<FileId>,
    /// That of the product itself.
    of_product: Option<FileId>,
    words: BTreeMap<String, Vec<Said>>,
    told: BTreeMap<String, Said>,
    declined: BTreeMap<String, Said>,
    asks: BTreeMap<String, Said>,
    texts: BTreeMap<String, Said>,
    /// What there are no words for, and where the rules say it.
    missing: BTreeMap<String, Vec<Span>>,
    /// Texts of the rules of which something has words.
    spoken: BTreeSet<FileId>,
    /// Not all of it could be read: what seems to be missing may stand there.
    broken: bool,
}

impl Lexicon {
    /// The words of a language; without one those that English files add.
    pub fn read(
        sources: &SourceSet,
        asm: &Assembly,
        language: Option<&str>,
        out: &mut Vec<Diagnostic>,
    ) -> Lexicon {
        let mut lexicon = Lexicon {
            language: language.filter(|id| *id != ENGLISH).map(str::to_owned),
            ..Lexicon::default()
        };
        let id = language.unwrap_or(ENGLISH);
        for (_, file) in asm.words.iter().filter(|(of, _)| of == id) {
            let before = out.len();
            let root = tree::read(sources, *file, out);
            lexicon.broken |= out.len() > before;
            Fields::new(root, "words", &SECTIONS, out);
            lexicon.take(root, out);
            match sources.file(*file).path.starts_with(&format!("{ANY}/")) {
                true => lexicon.of_product = Some(*file),
                false => lexicon.file = Some(*file),
            }
        }
        lexicon
    }

    fn take(&mut self, root: &Node, out: &mut Vec<Diagnostic>) {
        for (key, node) in root.get("words").map_or(&[][..], Node::entries) {
            let said: Option<Vec<Said>> = match &node.value {
                Value::List(items) if items.len() == 2 => items.iter().map(text).collect(),
                _ => text(node).map(|one| vec![one]),
            };
            match said {
                Some(said) if said.iter().all(|said| readable(said, out)) => {
                    self.words.insert(key.text.clone(), said);
                }
                None if !node.is_broken() => out.push(no_words(node)),
                Some(_) | None => {}
            }
        }
        let sections = [
            ("told", &mut self.told),
            ("declined", &mut self.declined),
            ("asks", &mut self.asks),
            ("texts", &mut self.texts),
        ];
        for (section, into) in sections {
            for (key, node) in root.get(section).map_or(&[][..], Node::entries) {
                match text(node) {
                    Some(said) if readable(&said, out) => {
                        into.insert(key.text.clone(), said);
                    }
                    None if !node.is_broken() => out.push(no_text(node)),
                    Some(_) | None => {}
                }
            }
        }
    }

    /// Rules are read in a language of their own.
    pub fn is_foreign(&self) -> bool {
        self.language.is_some()
    }

    /// What one and several are called, by the first of these names that has words.
    pub fn noun(&self, names: &[&str]) -> Option<Noun> {
        let said = names.iter().find_map(|name| self.words.get(*name))?;
        Some(match said.as_slice() {
            [one, many] => Noun {
                one: one.text.clone(),
                many: many.text.clone(),
                counted: true,
            },
            [one] if !self.is_foreign() => english::said(&one.text),
            one => {
                let one = one.first().map_or_else(String::new, |one| one.text.clone());
                Noun {
                    many: one.clone(),
                    one,
                    counted: false,
                }
            }
        })
    }

    /// The same; where there are none, that is told.
    pub fn needed(&mut self, names: &[&str], place: Span) -> Option<Noun> {
        let found = self.noun(names);
        self.note(found.is_some(), names.first().unwrap_or(&""), place);
        found
    }

    pub fn told(&self, names: &[&str]) -> Option<&Said> {
        names.iter().find_map(|name| self.told.get(*name))
    }

    pub fn declined(&self, names: &[&str]) -> Option<&Said> {
        names.iter().find_map(|name| self.declined.get(*name))
    }

    pub fn ask(&self, names: &[&str]) -> Option<&Said> {
        names.iter().find_map(|name| self.asks.get(*name))
    }

    /// A text of the rules in this language.
    pub fn text(&self, text: &str) -> Option<&Said> {
        self.texts.get(text)
    }

    /// The same; where there is none, that is told.
    pub fn needed_text(&mut self, text: &str, place: Span) -> Option<Said> {
        let found = self.texts.get(text).cloned();
        self.note(found.is_some(), &format!("\"{text}\""), place);
        found
    }

    /// Whether there are words for what the rules say at a place.
    pub fn note(&mut self, is_there: bool, what: &str, place: Span) {
        if !self.is_foreign() {
            return;
        }
        match is_there {
            true => drop(self.spoken.insert(place.file)),
            false => self.missing.entry(what.to_owned()).or_default().push(place),
        }
    }

    pub fn sayings(&self) -> BTreeMap<&'static str, String> {
        let all = Saying::ALL.iter().filter_map(|saying| {
            let said = self.texts.get(saying.text())?;
            Some((saying.text(), said.text.clone()))
        });
        all.collect()
    }

    /// What the product says and its file of this language does not.
    pub fn untold_sayings(&self, out: &mut Vec<Diagnostic>) {
        let Some(file) = self.of_product.filter(|_| self.is_foreign()) else {
            return;
        };
        for saying in Saying::ALL {
            if !self.texts.contains_key(saying.text()) {
                let message = format!("there are no words for \"{}\"", saying.text());
                let help = format!("write \"{}\" = \"…\" below `[texts]`", saying.text());
                let place = Span::new(file, 0, 0);
                out.push(Diagnostic::warning("missing-words", place, message).help(help));
            }
        }
    }

    /// What people read and this language has no words for. Of an overlay that has none at all nobody has asked for them.
    pub fn untold(&self, layers: &[Layer], out: &mut Vec<Diagnostic>) {
        let Some(file) = self.file.filter(|_| self.is_foreign() && !self.broken) else {
            return;
        };
        let place = Span::new(file, 0, 0);
        let is_asked = |place: &Span| {
            let own = layer_of(layers, *place).and_then(|layer| layers.get(layer.index()));
            own.is_none_or(|own| !own.overlay) || self.spoken.contains(&place.file)
        };
        let missing = self.missing.iter();
        for (what, _) in missing.filter(|(_, places)| places.iter().any(is_asked)) {
            let message = format!("there are no words for {}", shown(what));
            let help = match what.strip_prefix('"') {
                Some(_) => format!("write {what} = \"…\" below `[texts]`"),
                None => format!("write `{} = \"…\"` below `[words]`", key(what)),
            };
            out.push(Diagnostic::warning("missing-words", place, message).help(help));
        }
    }
}

fn shown(what: &str) -> String {
    match what.starts_with('"') {
        true => what.to_owned(),
        false => format!("`{what}`"),
    }
}

/// A name as a key of TOML.
pub(crate) fn key(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    match name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("\"{name}\""),
    }
}

fn text(node: &Node) -> Option<Said> {
    match &node.value {
        Value::Text { text, span, .. } => Some(Said {
            text: text.clone(),
            span: *span,
        }),
        _ => None,
    }
}

/// Whether people can read this, and see what they read. What cannot be seen has been told where the file was read.
fn readable(said: &Said, out: &mut Vec<Diagnostic>) -> bool {
    if said.text.trim().is_empty() {
        let help = "write what people read, or take this line away";
        out.push(phrase::blank(said.span).help(help));
        return false;
    }
    !said.text.contains(|c: char| c != '\n' && cannot_be_seen(c))
}

fn no_text(node: &Node) -> Diagnostic {
    let message = format!("this is {}, not a text", node.describe());
    Diagnostic::error("wrong-value", node.span, message).help("write the words in quotes")
}

fn no_words(node: &Node) -> Diagnostic {
    let message = format!("this is {}, not words", node.describe());
    Diagnostic::error("wrong-value", node.span, message)
        .help("write the words in quotes; for one and several: `[\"Wagen\", \"Wagen\"]`")
}

/// Names and texts in the language files that nothing has.
pub(super) fn unknown(sources: &SourceSet, asm: &Assembly, out: &mut Vec<Diagnostic>) {
    let of_game = |file: &FileId| !sources.file(*file).path.starts_with(&format!("{ANY}/"));
    if !asm.words.iter().any(|(_, file)| of_game(file)) {
        return;
    }
    let known = Known::of(sources, asm);
    for (_, file) in &asm.words {
        let root = tree::read(sources, *file, &mut Vec::new());
        for section in ["words", "told", "declined", "asks"] {
            for (key, _) in root.get(section).map_or(&[][..], Node::entries) {
                let mut parts = key.text.split('.');
                if let Some(part) = parts.find(|part| !known.words.contains(*part)) {
                    let message = format!("nothing here is called `{part}`");
                    let found = Diagnostic::warning("unknown-name", key.span, message);
                    let near = nearest(part, known.words.iter().copied());
                    out.push(match near {
                        Some(near) => found.help(format!("did you mean `{near}`?")),
                        None => found.help(
                            "write a name of the rules: `route`, `player.hand`, `colour.red`",
                        ),
                    });
                }
            }
        }
        for (key, _) in root.get("texts").map_or(&[][..], Node::entries) {
            let of_product = || Saying::ALL.iter().any(|one| one.text() == key.text);
            if !known.texts.contains(key.text.as_str()) && !of_product() {
                let message = format!("nobody says \"{}\"", key.text);
                let found = Diagnostic::warning("unknown-text", key.span, message);
                let product = Saying::ALL.iter().map(|one| one.text());
                let near = nearest(&key.text, known.texts.iter().copied().chain(product));
                out.push(match near {
                    Some(near) => found.help(format!("did you mean \"{near}\"?")),
                    None => {
                        found.help("write a text of the rules as it stands there, with its holes")
                    }
                });
            }
        }
    }
}

/// Everything that a file of the game names, whether it is part of this selection or not.
struct Known<'a> {
    words: BTreeSet<&'a str>,
    texts: BTreeSet<&'a str>,
}

impl Known<'_> {
    fn of<'a>(sources: &'a SourceSet, asm: &Assembly) -> Known<'a> {
        let folders: Vec<String> = asm
            .layers
            .iter()
            .filter(|layer| !layer.overlay)
            .map(|layer| layer.id.clone())
            .chain([ANY.to_owned()])
            .collect();
        let mut known = Known {
            words: ["player", "place", "direction", "action"].into(),
            texts: BTreeSet::new(),
        };
        for id in sources.ids() {
            let file = sources.file(id);
            let mut path = file.path.split('/');
            let own = path
                .next()
                .is_some_and(|of| folders.iter().any(|f| f == of));
            let is_words = file.path.split('/').any(|part| part == "words");
            let is_read = [".rules", ".toml"]
                .iter()
                .any(|end| file.path.ends_with(end));
            if !own || is_words || !is_read {
                continue;
            }
            let in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
            let words = file.text.split(|c: char| !in_word(c));
            known.words.extend(words.filter(|word| !word.is_empty()));
            // Of `a-b` in the rules also the parts: it may be a difference.
            let parts = file.text.split(|c: char| !in_word(c) || c == '-');
            known.words.extend(parts.filter(|word| !word.is_empty()));
            for line in file.text.lines() {
                known.texts.extend(line.split('"').skip(1).step_by(2));
            }
        }
        known
    }
}
