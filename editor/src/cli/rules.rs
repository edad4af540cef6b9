//! `trackwright rules`: the rules as text for people, in the terminal, as Markdown, or as a page.

mod errata;
mod html;
mod lists;
mod markdown;
mod numbers;
mod paper;
mod patches;
mod prose;
#[cfg(feature = "window")]
mod sheets;
mod text;

use super::ids::{self, Listed};
use super::select::{Chosen, Game, Overlays, range};
use super::simulate::{Named, files_apart};
use super::{Exit, Outcome, Shell, is_output};
use crate::files;
use crate::values::{kind, shown};
use crate::workshop::playtest::prose;
use dsl::assembly::{Assembly, Entry, Selection};
use dsl::ir::{GameOption, LayerId, RuleSet};
use dsl::source::{SourceSet, Span};
use dsl::syntax::layout;
use errata::Errata;
use paper::{Chapter as Printed, Paper, Part as Entered, Words};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A line that goes on below is written as one, if that has no more letters.
const LINE_MAX: usize = 110;

#[derive(clap::Args)]
pub struct Args {
    /// Name or path of the game
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    overlays: Overlays,
    /// Write a rulebook as a page for browsers into this file, with component lists and the numbered rules
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write it as Markdown; `-` is the standard output
    #[arg(long, value_name = "FILE")]
    md: Option<PathBuf>,
    /// Write it as sheets of paper (A4; `print --what rules --paper letter` knows other paper)
    #[cfg(feature = "window")]
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,
}

impl Args {
    /// The files that can be asked for.
    fn named(&self) -> Vec<Named<'_>> {
        #[cfg(feature = "window")]
        let pdf = [("--pdf", &self.pdf)];
        #[cfg(not(feature = "window"))]
        let pdf: [Named<'_>; 0] = [];
        let files = [("--html", &self.html), ("--md", &self.md)];
        files.into_iter().chain(pdf).collect()
    }

    /// The files that are asked for.
    fn files(&self) -> Vec<&PathBuf> {
        let files = self.named().into_iter();
        files.filter_map(|(_, path)| path.as_ref()).collect()
    }
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let chosen = Game::open(shell, &args.game)?.choose(shell, &args.overlays)?;
    let Some(assembly) = &chosen.compiled.assembly else {
        return Ok(Exit::AtFault);
    };
    files_apart(shell, &args.named())?;
    let paper = Book::new(shell, &chosen, assembly).paper();
    if args.files().is_empty() {
        text::print(shell, &paper)?;
    }
    if let Some(path) = &args.html {
        shell.write(path, html::page(&paper).as_bytes())?;
    }
    if let Some(path) = &args.md {
        shell.write(path, markdown::text(&paper).as_bytes())?;
    }
    #[cfg(feature = "window")]
    if let Some(path) = &args.pdf {
        let size = crate::print::Size::A4;
        let pages = sheets::pages(&paper, size);
        shell.write(path, &crate::print::pdf(&pages, &paper.title))?;
        if let Some(boxes) = crate::print::boxes(&pages, "the sheets") {
            writeln!(shell.err, "{boxes}; browsers have more fonts: `--html`")?;
        }
    }
    if paper.numbered.is_empty() && !args.files().is_empty() {
        let id = &chosen.game.id;
        let there = chosen.game.loaded.sources.find(&format!("{id}/RULES.md"));
        let lacking = match there {
            Some(_) => format!("there are no numbered rules (`- ID …`) in `{id}/RULES.md`"),
            None => format!("there is no `{id}/RULES.md` with numbered rules"),
        };
        writeln!(
            shell.err,
            "note: {lacking}, so the book tells the rules as they are run alone"
        )?;
    }
    for path in args.files() {
        if !is_output(path) {
            let path = files::shown(path, &shell.context.folder);
            writeln!(shell.out, "{}: {path}", paper.title)?;
        }
    }
    Ok(Exit::Fine)
}

/// The rulebook on sheets of paper.
#[cfg(feature = "window")]
pub fn sheets(shell: &Shell, chosen: &Chosen, size: crate::print::Size) -> Vec<crate::print::Page> {
    let assembly = chosen.compiled.assembly.as_ref();
    assembly.map_or_else(Vec::new, |assembly| {
        sheets::pages(&Book::new(shell, chosen, assembly).paper(), size)
    })
}

/// The rules within a page that tells more, and where in it a place of the texts is told.
pub struct Told {
    pub html: String,
    /// What carries the id of a numbered rule.
    tagged: Vec<(Span, String)>,
    /// Declarations, each with what it is called.
    declared: Vec<(Span, String)>,
}

impl Told {
    /// The rules of a game as they are chosen. None without a rule set.
    pub fn of(shell: &Shell, chosen: &Chosen) -> Option<Told> {
        let book = Book::new(shell, chosen, chosen.compiled.assembly.as_ref()?);
        let tags = chosen.rules.tags.iter();
        let tags = tags.filter(|tag| book.numbered.contains_key(&tag.id));
        Some(Told {
            tagged: tags.map(|tag| (tag.carrier, tag.id.clone())).collect(),
            declared: book
                .parts()
                .iter()
                .map(|part| (part.span, named(&book.code(part.span, part.chapter))))
                .collect(),
            html: html::body(&book.paper()),
        })
    }

    /// Where on the page a place is told, each with what is written on a link to it: the numbered rules that it carries out, else
    /// the declaration that it is a part of.
    pub fn links(&self, place: Span) -> Vec<(String, String)> {
        let holds = |span: &Span| {
            span.file == place.file && span.start <= place.start && place.end <= span.end
        };
        let size = |span: &Span| span.end - span.start;
        let around = || self.tagged.iter().filter(|(span, _)| holds(span));
        if let Some(least) = around().map(|(span, _)| size(span)).min() {
            let nearest = around().filter(|(span, _)| size(span) == least);
            return nearest.map(|(_, id)| (id.clone(), id.clone())).collect();
        }
        let around = self.declared.iter().filter(|(span, _)| holds(span));
        let declared = around.min_by_key(|(span, _)| size(span)).into_iter();
        declared
            .map(|(span, name)| (anchor(*span), name.clone()))
            .collect()
    }
}

/// Nothing laid on and set, in the language chosen.
fn plain_selection(chosen: &Chosen) -> Selection {
    Selection {
        language: chosen.selection.language.clone(),
        ..Selection::default()
    }
}

/// What a declaration is called: `action move` of `action move(p: piece):`.
fn named(head: &str) -> String {
    const LETTERS: usize = 40;
    let name = head
        .split([':', '=', '(', '…', '\n'])
        .next()
        .unwrap_or_default();
    let name: String = name.trim().chars().take(LETTERS).collect();
    match name.is_empty() {
        true => "the rule".to_owned(),
        false => name,
    }
}

/// A line of rules and those that go on with it, with their blanks: as one line, else as it stands.
fn joined(parts: &[(usize, &str)]) -> String {
    let blanks = parts.first().map_or(0, |(blanks, _)| *blanks);
    let contents: Vec<&str> = parts.iter().map(|(_, content)| *content).collect();
    let line = format!("{:blanks$}{}", "", contents.join(" "));
    if line.chars().count() <= LINE_MAX {
        return line;
    }
    let lines = parts.iter();
    let lines = lines.map(|(blanks, content)| format!("{:blanks$}{content}", ""));
    lines.collect::<Vec<_>>().join("\n")
}

/// The name of the place on a page where a declaration is told.
fn anchor(span: Span) -> String {
    format!("rule-{}-{}", span.file.0, span.start)
}

/// What the overlays that were chosen change.
pub fn changes(shell: &mut Shell, chosen: &Chosen) -> Outcome<()> {
    match &chosen.compiled.assembly {
        Some(assembly) => {
            let paper = Book::new(shell, chosen, assembly).paper();
            text::changes(shell, &paper)
        }
        None => Ok(()),
    }
}

/// A part of the rules, as shown.
struct Part {
    layer: LayerId,
    span: Span,
    chapter: Chapter,
    doc: String,
    tags: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Chapter {
    Things,
    State,
    Follows,
    Holds,
    Actions,
    Flow,
    Score,
}

impl Chapter {
    const ALL: [(Chapter, &'static str); 7] = [
        (Chapter::Things, "What there is"),
        (Chapter::State, "What can change"),
        (Chapter::Follows, "What follows"),
        (Chapter::Holds, "What holds, and what happens by itself"),
        (Chapter::Actions, "What a player may do"),
        (Chapter::Flow, "How the game runs"),
        (Chapter::Score, "How it is scored"),
    ];
}

struct Book<'a> {
    /// The current folder: places are shown as seen from here.
    folder: PathBuf,
    chosen: &'a Chosen,
    assembly: &'a Assembly,
    sources: &'a SourceSet,
    /// The numbered rules of all layers.
    numbered: BTreeMap<String, Listed>,
    /// The game without what was laid on and set; none: nothing was, or it has mistakes without.
    plain: Option<RuleSet>,
}

impl<'a> Book<'a> {
    fn new(shell: &Shell, chosen: &'a Chosen, assembly: &'a Assembly) -> Book<'a> {
        let sources = &chosen.game.loaded.sources;
        let mut numbered = BTreeMap::new();
        if let Some(prefix) = &chosen.manifest.prefix {
            for path in sources.paths().filter(|path| path.ends_with("RULES.md")) {
                if let Some(file) = sources.find(path) {
                    numbered.extend(ids::listed(sources, file, prefix));
                }
            }
        }
        for book in ids::books(sources, &chosen.game.id, None) {
            numbered.extend(ids::listed(sources, book.file, &book.prefix));
        }
        let plain = plain_selection(chosen);
        let plain = (chosen.selection != plain)
            .then(|| dsl::compile(sources, &chosen.game.id, &plain).rules);
        Book {
            plain: plain.flatten(),
            folder: shell.context.folder.clone(),
            chosen,
            assembly,
            sources,
            numbered,
        }
    }

    fn paper(&self) -> Paper {
        let (least, most) = self.chosen.rules.players;
        let overlays = &self.chosen.manifest.overlays;
        let known = overlays
            .iter()
            .map(|overlay| (overlay.title.clone(), overlay.id.clone()));
        let none = self.chosen.selection.overlays.is_empty();
        let errata = Errata::of(self);
        let (numbered, left_out) = numbers::rules(self, &errata);
        Paper {
            title: self.chosen.title(),
            players: format!("{} players", range(least, most)),
            overlays: known.filter(|_| none).collect(),
            errata: errata.sheets,
            turned: errata.turned,
            options: self
                .chosen
                .rules
                .options
                .iter()
                .zip(&self.chosen.rules.speech.options)
                .map(|(one, said)| self.option(one, said))
                .collect(),
            lists: lists::all(&self.chosen.rules, self.assembly),
            numbered,
            left_out,
            chapters: self.chapters(),
        }
    }

    // ---------------------------------------------------------------------------------------------- options

    fn option(&self, option: &GameOption, said: &str) -> paper::Dial {
        let rules = &self.chosen.rules;
        // Documentation is written in one language; what an option is called is said in each.
        let doc = match rules.speech.language {
            Some(_) => said,
            None => &option.doc,
        };
        let value = shown(rules, &option.value);
        paper::Dial {
            name: option.name.clone(),
            before: Some(self.before(option)).filter(|before| *before != value),
            value,
            kind: kind(rules, &option.ty),
            words: self.words(doc, &self.tags_of(option)),
        }
    }

    /// Rules that an option is declared to carry out.
    fn tags_of(&self, option: &GameOption) -> Vec<String> {
        let mut entries = self.assembly.options.iter();
        let entry = entries.find(|entry| entry.item.decl.name.text == option.name);
        let tags = entry.iter().flat_map(|entry| &entry.tags);
        tags.map(|tag| tag.text.clone()).collect()
    }

    // ---------------------------------------------------------------------------------------------- chapters

    fn chapters(&self) -> Vec<Printed> {
        let mut parts = self.parts();
        parts.sort_by_key(|part| (part.layer, part.span));
        let chapters = Chapter::ALL.into_iter().map(|(chapter, title)| {
            let own = parts.iter().filter(|part| part.chapter == chapter);
            let own = own.map(|part| Entered {
                anchor: anchor(part.span),
                code: self.code(part.span, part.chapter),
                words: self.words(&part.doc, &part.tags),
            });
            Printed {
                title,
                parts: own.collect(),
            }
        });
        chapters
            .filter(|chapter| !chapter.parts.is_empty())
            .collect()
    }

    fn parts(&self) -> Vec<Part> {
        let a = self.assembly;
        let mut parts = Vec::new();
        self.collect(&mut parts, Chapter::Things, &a.enums);
        self.collect(&mut parts, Chapter::Things, &a.tables);
        self.collect(&mut parts, Chapter::Things, &a.grids);
        self.collect(&mut parts, Chapter::Things, &a.tilings);
        self.collect(&mut parts, Chapter::State, &a.cells);
        self.collect(&mut parts, Chapter::Follows, &a.formulas);
        self.collect(&mut parts, Chapter::Follows, &a.networks);
        self.collect(&mut parts, Chapter::Holds, &a.rules);
        self.collect(&mut parts, Chapter::Holds, &a.whens);
        self.collect(&mut parts, Chapter::Actions, &a.actions);
        self.collect(&mut parts, Chapter::Flow, a.flow.as_slice());
        self.collect(&mut parts, Chapter::Score, &a.scores);
        self.collect(&mut parts, Chapter::Score, a.win.as_slice());
        parts
    }

    fn collect<T>(&self, parts: &mut Vec<Part>, chapter: Chapter, entries: &[Entry<T>]) {
        for entry in entries {
            let mut tags: Vec<String> = entry.tags.iter().map(|tag| tag.text.clone()).collect();
            for tag in self.tags_in(entry.span) {
                if !tags.contains(&tag) {
                    tags.push(tag);
                }
            }
            parts.push(Part {
                layer: entry.layer,
                span: entry.span,
                chapter,
                doc: entry.doc.clone(),
                tags,
            });
        }
    }

    /// The rule ids that stand in a part of the texts.
    fn tags_in(&self, whole: Span) -> Vec<String> {
        let inside = |span: Span| {
            span.file == whole.file && span.start >= whole.start && span.end <= whole.end
        };
        let tags = self.chosen.rules.tags.iter();
        let own = tags.filter(|tag| inside(tag.span) || inside(tag.carrier));
        let mut found: Vec<String> = Vec::new();
        for tag in own {
            if !found.contains(&tag.id) {
                found.push(tag.id.clone());
            }
        }
        found
    }

    /// A declaration without rule ids and comments: the flow whole, of all others the line they begin with, whole, and a mark
    /// where more stands below it.
    fn code(&self, span: Span, chapter: Chapter) -> String {
        let text = self.sources.slice(span);
        let layout = layout::layout(span.file, text, layout::whole(text), 0);
        let mut lines: Vec<Vec<(usize, &str)>> = Vec::new();
        let mut goes_on = false;
        for line in &layout.lines {
            let layout::Line::Code(line) = line else {
                continue;
            };
            if line.level > 0 && chapter != Chapter::Flow {
                goes_on = true;
                break;
            }
            let content = text.get(line.content.clone()).unwrap_or_default();
            let blanks = layout::INDENT_BLANKS * line.level + line.deeper.unwrap_or_default();
            match lines.last_mut().filter(|_| line.deeper.is_some()) {
                Some(begun) => begun.push((blanks, content)),
                None => lines.push(vec![(blanks, content)]),
            }
        }
        let lines: Vec<String> = lines.iter().map(|line| joined(line)).collect();
        lines.join("\n") + if goes_on { " …" } else { "" }
    }

    /// Whether an id begins as those of this game or of a list that the book has.
    fn numbers(&self, id: &str) -> bool {
        let prefix = |id: &str| id.split_once('-').map(|(prefix, _)| prefix.to_owned());
        let own = prefix(id);
        let mut listed = self.numbered.keys();
        // Without a list they may be those of a rulebook on paper.
        let nowhere = self.numbered.is_empty() && self.chosen.manifest.prefix.is_none();
        nowhere || own == self.chosen.manifest.prefix || listed.any(|other| prefix(other) == own)
    }

    /// Documentation, and the numbered rules in their own words.
    fn words(&self, doc: &str, tags: &[String]) -> Words {
        let mut words = Words {
            doc: prose(doc).lines().map(str::to_owned).collect(),
            ..Words::default()
        };
        for (at, id) in tags.iter().enumerate() {
            if tags[..at].contains(id) {
                continue;
            }
            match self.numbered.get(id) {
                Some(rule) => words.rules.push((id.clone(), rule.text.clone())),
                // What another game numbers leads nowhere in this book.
                None if self.numbers(id) => words.silent.push(id.clone()),
                None => {}
            }
        }
        words
    }
}
