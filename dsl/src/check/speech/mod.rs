//! What people call things: from quotes in documentation, language files, and names; see the reference, "Words".

mod deeds;
mod english;
mod lexicon;
mod messages;
mod numbers;
mod phrase;
mod reads;
mod rows;

use crate::assembly::Assembly;
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::{
    ColumnId, DeedId, Domain, Enum, EnumWords, Kind, Noun, Phrase, PhrasePart, RuleSet, Speech,
    TableId, TableWords, Ty,
};
use crate::source::{SourceSet, Span};
use phrase::{Raw, Sayings};
use reads::Reads;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) use english::plain;
pub(crate) use lexicon::{Lexicon, SECTIONS as WORDS_SECTIONS, key as toml_key};
pub(crate) use phrase::Said;
pub use phrase::is_saying;

/// Finds the words of a rule set.
pub(super) struct Words<'a> {
    sources: &'a SourceSet,
    asm: &'a Assembly,
    rules: &'a RuleSet,
    /// Documentation of statements, by their places.
    marks: &'a BTreeMap<Span, String>,
    lexicon: &'a mut Lexicon,
    speech: Speech,
    /// What choices are called, by their binders.
    choice_names: BTreeMap<Span, String>,
    /// Kinds of things that are chosen.
    chosen_kinds: BTreeSet<Domain>,
    /// What a `may` begins.
    declinable: BTreeSet<DeedId>,
    /// Below `as` or `each player` in a deed.
    by_others: bool,
    out: Vec<Diagnostic>,
}

/// The words of a rule set in the language of the lexicon, and what is wrong with them.
pub(super) fn speech(
    (sources, asm): (&SourceSet, &Assembly),
    rules: &RuleSet,
    marks: &BTreeMap<Span, String>,
    lexicon: &mut Lexicon,
) -> (Speech, Vec<Diagnostic>) {
    let mut words = Words {
        sources,
        asm,
        rules,
        marks,
        lexicon,
        speech: Speech::default(),
        choice_names: BTreeMap::new(),
        chosen_kinds: BTreeSet::new(),
        declinable: BTreeSet::new(),
        by_others: false,
        out: Vec::new(),
    };
    words.speech.language.clone_from(&words.lexicon.language);
    words.speech.sayings = words.lexicon.sayings();
    words.kinds();
    words.enums();
    words.tables();
    words.places();
    words.cells();
    words.others();
    words.deeds();
    words.worth();
    words.needed();
    words.lexicon.untold_sayings(&mut words.out);
    lexicon::unknown(sources, asm, &mut words.out);
    words.lexicon.untold(&words.rules.layers, &mut words.out);
    let out = words.out.into_iter();
    (words.speech, out.map(|one| mild(sources, one)).collect())
}

/// What is wrong in a language file keeps nobody from playing.
pub(super) fn mild(sources: &SourceSet, mut found: Diagnostic) -> Diagnostic {
    let path = &sources.file(found.span.file).path;
    if path.split('/').any(|part| part == "words") {
        found.severity = Severity::Warning;
    }
    found
}

impl Words<'_> {
    /// What a documentation says in quotes.
    fn sayings(&mut self, doc: &str, place: Span) -> Sayings {
        Sayings::above(self.sources, doc, place, &mut self.out)
    }

    fn kinds(&mut self) {
        for (kind, name) in Kind::ALL {
            let noun = self.lexicon.noun(&[name]);
            let noun = noun.unwrap_or_else(|| english::noun(name));
            self.speech.kinds.insert(kind, noun);
        }
    }

    fn enums(&mut self) {
        for declared in &self.rules.enums {
            let (members, several) = self.members(declared);
            let words = EnumWords {
                noun: match declared.name.as_str() {
                    "" => Noun::default(),
                    name => {
                        let own = self.lexicon.noun(&[name]);
                        own.unwrap_or_else(|| english::noun(name))
                    }
                },
                members,
                several,
            };
            self.speech.enums.push(words);
        }
    }

    /// What members are called, and several of them.
    fn members(&mut self, declared: &Enum) -> (Vec<String>, BTreeMap<String, String>) {
        let mut several = BTreeMap::new();
        let members = declared.members.iter().map(|member| {
            let full = match declared.name.as_str() {
                "" => member.clone(),
                name => format!("{name}.{member}"),
            };
            let Some(own) = self.lexicon.needed(&[&full, member], declared.span) else {
                return plain(member);
            };
            if own.counted {
                several.insert(own.one.clone(), own.many);
            }
            own.one
        });
        let members = members.collect();
        (members, several)
    }

    fn tables(&mut self) {
        let mut phrases = BTreeMap::new();
        for (at, table) in self.rules.tables.iter().enumerate() {
            let sayings = self.sayings(&table.doc, table.span);
            let own = self.lexicon.noun(&[&table.name]);
            let said = sayings.name.map(|said| english::said(&said.text));
            let noun = own.or(said);
            self.speech.tables.push(TableWords {
                noun: noun.unwrap_or_else(|| english::noun(&table.name)),
                ..TableWords::default()
            });
            let told = self.lexicon.told(&[&table.name]).cloned();
            let written = sayings.told.map(|said| {
                let here = self.lexicon.text(&said.text).cloned();
                here.unwrap_or(said)
            });
            if let Some(said) = told.or(written) {
                phrases.insert(TableId(at as u32), said);
            }
        }
        for at in 0..self.rules.tables.len() {
            self.name_columns(TableId(at as u32));
        }
        self.name_rows(&phrases);
    }

    /// `## "{column.letter}{row}"` above a tiling.
    fn places(&mut self) {
        for entry in &self.asm.tilings {
            let sayings = self.sayings(&entry.doc, entry.span);
            let told = self.lexicon.told(&[&entry.item.name.text]).cloned();
            let Some(said) = told.or(sayings.told) else {
                continue;
            };
            let mut parts = Vec::new();
            for part in phrase::read(&said, &mut self.out) {
                match part {
                    Raw::Text(text) => parts.push(PhrasePart::Text(text)),
                    Raw::Hole { path, span, .. } => {
                        let name = path.join(".");
                        let known = ["row", "column", "row.letter", "column.letter", "row.up"];
                        if !known.contains(&name.as_str()) {
                            let message = format!("a place has no `{name}`");
                            let found = Diagnostic::error("unknown-name", span, message);
                            self.out
                                .push(found.help(format!("it can name `{}`", known.join("`, `"))));
                        }
                        parts.push(PhrasePart::Hole {
                            name,
                            columns: Vec::new(),
                            unit: None,
                            some: String::new(),
                        });
                    }
                }
            }
            self.speech.place = Some(Phrase { parts });
        }
    }

    fn cells(&mut self) {
        for cell in &self.rules.cells {
            let sayings = self.sayings(&cell.doc, cell.span);
            let owner = match cell.owner {
                crate::ir::CellOwner::Each(Domain::Player) => "player",
                crate::ir::CellOwner::Each(Domain::Table(table)) => {
                    &self.rules.tables[table.index()].name
                }
                crate::ir::CellOwner::Each(_)
                | crate::ir::CellOwner::Game
                | crate::ir::CellOwner::Step(_)
                | crate::ir::CellOwner::Action(_) => "",
            };
            let full = match owner {
                "" => cell.name.clone(),
                owner => format!("{owner}.{}", cell.name),
            };
            let silent = sayings
                .name
                .as_ref()
                .is_some_and(|said| said.text.is_empty());
            let noun = match (silent, cell.name.is_empty()) {
                (true, _) | (_, true) => None,
                (false, false) => {
                    let own = self.lexicon.needed(&[&full, &cell.name], cell.span);
                    let said = sayings.name.map(|said| english::said(&said.text));
                    own.or(said).or_else(|| Some(english::noun(&cell.name)))
                }
            };
            self.speech.cells.push(noun);
        }
    }

    /// Steps, options, lines of the score, endings.
    fn others(&mut self) {
        for label in &self.rules.labels {
            let own = self.lexicon.noun(&[&label.name]);
            let words = own.map_or_else(|| plain(&label.name), |noun| noun.one);
            self.speech.labels.push(words);
        }
        for option in &self.rules.options {
            let own = self.lexicon.needed(&[&option.name], option.span);
            let words = own.map(|noun| noun.one);
            let doc = option.doc.lines().find(|line| !is_saying(line));
            let said = self.sayings(&option.doc, option.span).name;
            let said = said.map(|said| said.text);
            let doc = doc.map(|doc| doc.trim().trim_end_matches('.').to_owned());
            let words = words.or(said).or(doc.filter(|doc| !doc.is_empty()));
            self.speech
                .options
                .push(words.unwrap_or_else(|| plain(&option.name)));
        }
        for line in &self.rules.scores {
            let full = format!("score.{}", line.name);
            let own = self.lexicon.needed(&[&full, &line.name], line.span);
            let said = self.sayings(&line.doc, line.span).name;
            let said = said.map(|said| english::said(&said.text));
            let noun = own.or(said);
            self.speech
                .scores
                .push(noun.unwrap_or_else(|| english::noun(&line.name)));
        }
        for ending in &self.rules.endings {
            let name = ending.name.map(|name| self.rules.text(name));
            let own = name.and_then(|name| self.lexicon.needed_text(name, ending.span));
            self.speech.endings.push(own.map(|said| said.text));
        }
    }

    /// What the score reads.
    fn worth(&mut self) {
        let mut reads = Reads::new(self.rules);
        for line in &self.rules.scores {
            reads.expr(&line.value);
        }
        self.speech.worth = reads.columns;
    }

    /// Words that a language needs beside those that were asked for: of what is chosen, and of what one must know of it.
    fn needed(&mut self) {
        if !self.lexicon.is_foreign() {
            return;
        }
        let rules = self.rules;
        for domain in std::mem::take(&mut self.chosen_kinds) {
            match domain {
                Domain::Table(id) | Domain::Part(id) => self.needed_of(id),
                Domain::Enum(id) if !rules.enums[id.index()].name.is_empty() => {
                    let declared = &rules.enums[id.index()];
                    self.lexicon.needed(&[&declared.name], declared.span);
                }
                Domain::Enum(_)
                | Domain::Player
                | Domain::Cell
                | Domain::Side
                | Domain::Port
                | Domain::Action
                | Domain::Int { .. } => {}
            }
        }
    }

    fn needed_of(&mut self, table: TableId) {
        let declared = &self.rules.tables[table.index()];
        self.lexicon.needed(&[&declared.name], declared.span);
        let words = &self.speech.tables[table.index()];
        if words.details.is_some() {
            return;
        }
        let read = |at: ColumnId| {
            let deeds = self.speech.deeds.iter();
            let mut all = deeds.map(|deed| &deed.reads).chain([&self.speech.worth]);
            all.any(|reads| reads.contains(&(table, at)))
        };
        for (at, column) in declared.columns.iter().enumerate() {
            let id = ColumnId(at as u32);
            if matches!(column.ty, Ty::Int { .. } | Ty::Bool)
                && !words.named.contains(&id)
                && declared.copies != Some(id)
                && read(id)
            {
                let full = format!("{}.{}", declared.name, column.name);
                self.lexicon.needed(&[&full, &column.name], column.span);
            }
        }
    }
}
