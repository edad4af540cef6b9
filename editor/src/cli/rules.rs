//! `trackwright rules`: the rules as text for people.

use super::ids::{self, Listed};
use super::select::{Chosen, Game, Overlays, range};
use super::{Exit, Outcome, Shell};
use crate::files;
use crate::values::{kind, shown};
use dsl::assembly::{self, Assembly, Change, ChangeKind, Entry};
use dsl::ir::{GameOption, LayerId};
use dsl::source::{SourceSet, Span};
use interpreter::words::listed;
use std::collections::BTreeMap;

/// Letters of a declaration's first line that are shown.
const LINE_MAX: usize = 110;

#[derive(clap::Args)]
pub struct Args {
    /// Name or path of the game
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    overlays: Overlays,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let chosen = Game::open(shell, &args.game)?.choose(shell, &args.overlays)?;
    let Some(assembly) = &chosen.compiled.assembly else {
        return Ok(Exit::AtFault);
    };
    let book = Book::new(&chosen, assembly);
    book.title(shell)?;
    book.changes(shell)?;
    book.options(shell)?;
    book.chapters(shell)?;
    Ok(Exit::Fine)
}

/// What the overlays that were chosen change.
pub fn changes(shell: &mut Shell, chosen: &Chosen) -> Outcome<()> {
    match &chosen.compiled.assembly {
        Some(assembly) => Book::new(chosen, assembly).changes(shell),
        None => Ok(()),
    }
}

/// `file:line:column`, as seen from the current folder.
fn shown_place(shell: &Shell, chosen: &Chosen, span: Span) -> String {
    let (line, column) = chosen.game.loaded.sources.line_column(span);
    let path = &chosen.game.loaded.paths[span.file.0 as usize];
    format!(
        "{}:{line}:{column}",
        files::shown(path, &shell.context.folder)
    )
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
    chosen: &'a Chosen,
    assembly: &'a Assembly,
    sources: &'a SourceSet,
    /// The numbered rules of all layers.
    numbered: BTreeMap<String, Listed>,
}

impl<'a> Book<'a> {
    fn new(chosen: &'a Chosen, assembly: &'a Assembly) -> Book<'a> {
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
        Book {
            chosen,
            assembly,
            sources,
            numbered,
        }
    }

    fn title(&self, shell: &mut Shell) -> Outcome<()> {
        let (least, most) = self.chosen.rules.players;
        let paint = shell.paint();
        writeln!(shell.out, "{}", paint.bold(&self.chosen.title()))?;
        writeln!(shell.out, "{} players", range(least, most))?;
        if !self.chosen.manifest.overlays.is_empty() && self.chosen.selection.overlays.is_empty() {
            let known: Vec<&str> = self
                .chosen
                .manifest
                .overlays
                .iter()
                .map(|overlay| overlay.id.as_str())
                .collect();
            writeln!(
                shell.out,
                "Expansions and variants: {}",
                listed(&known, "and")
            )?;
        }
        Ok(())
    }

    // ---------------------------------------------------------------------------------------------- changes

    fn changes(&self, shell: &mut Shell) -> Outcome<()> {
        let changes = assembly::changes(self.assembly);
        let paint = shell.paint();
        for (at, layer) in self
            .assembly
            .layers
            .iter()
            .enumerate()
            .filter(|(_, layer)| layer.overlay)
        {
            let own: Vec<&Change> = changes
                .iter()
                .filter(|change| change.layer.index() == at)
                .collect();
            let number = super::report::count(own.len(), "change");
            writeln!(
                shell.out,
                "\n{} ({number})",
                paint.bold(&format!("What {} changes", layer.title))
            )?;
            for change in own {
                self.change(shell, change)?;
            }
        }
        for (name, _, _) in &self.chosen.selection.options {
            if let Some(option) = self
                .chosen
                .rules
                .options
                .iter()
                .find(|option| option.name == *name)
            {
                writeln!(
                    shell.out,
                    "\n--set: {name} was {}, now {}",
                    shown(&self.chosen.rules, &option.default),
                    shown(&self.chosen.rules, &option.value)
                )?;
            }
        }
        Ok(())
    }

    fn change(&self, shell: &mut Shell, change: &Change) -> Outcome<()> {
        let paint = shell.paint();
        let word = match change.kind {
            ChangeKind::New => paint.green("new    "),
            ChangeKind::Added => paint.green("added  "),
            ChangeKind::Changed => paint.yellow("changed"),
            ChangeKind::Removed => paint.red("removed"),
        };
        writeln!(
            shell.out,
            "  {word} {}  {}",
            change.name,
            paint.dim(&shown_place(shell, self.chosen, change.new))
        )?;
        if let Some(option) = self
            .chosen
            .rules
            .options
            .iter()
            .find(|option| option.name == change.name && change.kind == ChangeKind::Changed)
        {
            let (was, now) = (
                shown(&self.chosen.rules, &option.default),
                shown(&self.chosen.rules, &option.value),
            );
            writeln!(shell.out, "    was {was}, now {now}")?;
            return Ok(());
        }
        // What is added does not take the place of anything.
        let old = change
            .old
            .filter(|_| matches!(change.kind, ChangeKind::Changed | ChangeKind::Removed));
        for (word, span) in [("was", old), ("now", Some(change.new))] {
            let text = span.map(|span| self.sources.slice(span).trim_end());
            for (at, line) in text.unwrap_or_default().lines().enumerate() {
                writeln!(
                    shell.out,
                    "    {}  {line}",
                    if at == 0 { word } else { "   " }
                )?;
            }
        }
        Ok(())
    }

    // ---------------------------------------------------------------------------------------------- options

    fn options(&self, shell: &mut Shell) -> Outcome<()> {
        let options = &self.chosen.rules.options;
        if options.is_empty() {
            return Ok(());
        }
        let paint = shell.paint();
        writeln!(shell.out, "\n{}", paint.bold("Options"))?;
        for option in options {
            self.option(shell, option)?;
        }
        Ok(())
    }

    fn option(&self, shell: &mut Shell, option: &GameOption) -> Outcome<()> {
        let rules = &self.chosen.rules;
        let paint = shell.paint();
        let value = shown(rules, &option.value);
        let before = if option.value == option.default {
            String::new()
        } else {
            format!(" (declared {})", shown(rules, &option.default))
        };
        writeln!(
            shell.out,
            "  {} = {value}{before}  {}",
            option.name,
            paint.dim(&kind(rules, &option.ty))
        )?;
        let entry = self
            .assembly
            .options
            .iter()
            .find(|entry| entry.item.decl.name.text == option.name);
        let tags: Vec<String> = entry
            .map(|entry| entry.tags.iter().map(|tag| tag.text.clone()).collect())
            .unwrap_or_default();
        self.words(shell, &option.doc, &tags)
    }

    // ---------------------------------------------------------------------------------------------- chapters

    fn chapters(&self, shell: &mut Shell) -> Outcome<()> {
        let mut parts = self.parts();
        parts.sort_by_key(|part| (part.layer, part.span));
        for (chapter, title) in Chapter::ALL {
            let own: Vec<&Part> = parts
                .iter()
                .filter(|part| part.chapter == chapter)
                .collect();
            if own.is_empty() {
                continue;
            }
            let paint = shell.paint();
            writeln!(shell.out, "\n{}", paint.bold(title))?;
            for part in own {
                writeln!(shell.out, "  {}", paint.cyan(&self.head(part.span)))?;
                self.words(shell, &part.doc, &part.tags)?;
            }
        }
        Ok(())
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
            let inside = |span: Span| {
                span.file == entry.span.file
                    && span.start >= entry.span.start
                    && span.end <= entry.span.end
            };
            for tag in &self.chosen.rules.tags {
                if (inside(tag.span) || inside(tag.carrier)) && !tags.contains(&tag.id) {
                    tags.push(tag.id.clone());
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

    /// What a declaration begins with, on one line: without rule ids and comments, cut where it gets long.
    fn head(&self, span: Span) -> String {
        let mut head = String::new();
        let mut open = 0;
        for line in self.sources.slice(span).lines() {
            let line = ids::without(line).trim();
            let brackets = |signs: &[char]| line.matches(signs).count() as i64;
            open += brackets(&['(', '[', '{']) - brackets(&[')', ']', '}']);
            if !head.is_empty() {
                head.push(' ');
            }
            head += line;
            if open <= 0 && !line.ends_with([',', '=']) {
                break;
            }
        }
        match head.char_indices().nth(LINE_MAX) {
            Some((end, _)) => {
                let cut = head[..end].rfind(' ').unwrap_or(end);
                format!("{} …", &head[..cut])
            }
            None => head,
        }
    }

    /// Documentation, then the numbered rules in their own words.
    fn words(&self, shell: &mut Shell, doc: &str, tags: &[String]) -> Outcome<()> {
        for line in doc.lines().filter(|line| !dsl::is_saying(line)) {
            writeln!(shell.out, "      {line}")?;
        }
        let mut silent = Vec::new();
        for (at, id) in tags.iter().enumerate() {
            if tags[..at].contains(id) {
                continue;
            }
            match self.numbered.get(id) {
                Some(rule) => writeln!(shell.out, "      {id}  {}", rule.text)?,
                None => silent.push(id.as_str()),
            }
        }
        if !silent.is_empty() {
            writeln!(shell.out, "      {}", silent.join(", "))?;
        }
        Ok(())
    }
}
