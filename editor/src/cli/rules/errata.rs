//! What overlays and the call change, change by change, and which numbered rules each touches.

use super::Book;
use super::paper::{Altered, Erratum, Turned};
use super::patches::{Patches, Told};
use crate::files;
use crate::values::shown;
use dsl::assembly::{self, Change, ChangeKind, RowName, Selection};
use dsl::ir::GameOption;
use dsl::source::Span;
use std::collections::BTreeMap;

/// What changes, numbered through, and by which of these changes rules are touched.
pub struct Errata {
    pub sheets: Vec<Erratum>,
    pub turned: Vec<Turned>,
    /// By id: the numbers of changes.
    pub touched: BTreeMap<String, Vec<usize>>,
    /// Ids of rules that a change puts something else in the place of, not only takes away.
    pub replaced: Vec<String>,
}

impl Errata {
    pub fn of(book: &Book<'_>) -> Errata {
        let mut errata = Errata {
            sheets: book.errata(),
            turned: book.turned(),
            touched: BTreeMap::new(),
            replaced: Vec::new(),
        };
        let changes = errata
            .sheets
            .iter_mut()
            .flat_map(|sheet| &mut sheet.changes);
        let mut number = 0;
        for change in changes {
            number += 1;
            change.number = number;
            for id in &change.touches {
                errata.touched.entry(id.clone()).or_default().push(number);
                if change.kind != ChangeKind::Removed {
                    errata.replaced.push(id.clone());
                }
            }
        }
        for option in &mut errata.turned {
            number += 1;
            option.number = number;
            for id in &option.touches {
                errata.touched.entry(id.clone()).or_default().push(number);
                errata.replaced.push(id.clone());
            }
        }
        errata
    }
}

impl Book<'_> {
    fn errata(&self) -> Vec<Erratum> {
        let changes = assembly::changes(self.assembly);
        let layers = self.assembly.layers.iter().enumerate();
        let overlays = layers.filter(|(_, layer)| layer.overlay);
        let errata = overlays.map(|(at, layer)| {
            let own = changes.iter().filter(|change| change.layer.index() == at);
            let own: Vec<&Change> = own.collect();
            let told = match self.patches(at, &own) {
                Some(patches) => patches.all(self.assembly, &own),
                None => own.iter().map(|_| Told::Elsewise).collect(),
            };
            let mut altered: Vec<Altered> = Vec::new();
            for (change, told) in own.iter().zip(told) {
                let mut new = self.altered(change);
                match told {
                    Told::Said(sentence) => new.cells = Some(sentence),
                    Told::WithOthers => {
                        let table = |one: &Altered| table_of(&one.name) == table_of(&new.name);
                        if let Some(teller) = altered.iter_mut().rev().find(|one| table(one)) {
                            teller.join(new);
                            continue;
                        }
                    }
                    Told::Elsewise => {}
                }
                altered.push(new);
            }
            // Its head may name rules too.
            let head = self.assembly.written.iter().filter(|one| {
                let mut own = own.iter();
                one.layer.index() == at && !own.any(|change| within(change.new, one.carrier))
            });
            let head: Vec<String> = head.map(|one| one.id.clone()).collect();
            Erratum {
                title: layer.title.clone(),
                words: self.words("", &head),
                changes: altered,
            }
        });
        errata
            .filter(|erratum| !erratum.changes.is_empty())
            .collect()
    }

    /// What an overlay changes in tables, if it touches rows of them; none, too, if the game has mistakes with those up to it alone.
    fn patches(&self, layer: usize, changes: &[&Change]) -> Option<Patches> {
        let mut changes = changes.iter();
        changes.find(|change| self.is_of_rows(change))?;
        let up_to = |end: usize| {
            let layers = self.assembly.layers[..end].iter();
            let overlays = layers.filter(|layer| layer.overlay && layer.part.is_none());
            let selection = Selection {
                overlays: overlays.map(|layer| layer.id.clone()).collect(),
                ..super::plain_selection(self.chosen)
            };
            dsl::compile(self.sources, &self.chosen.game.id, &selection).rules
        };
        Some(Patches::between(&up_to(layer)?, &up_to(layer + 1)?))
    }

    fn is_of_rows(&self, change: &Change) -> bool {
        let mut tables = self.chosen.rules.tables.iter();
        RowName::of(&change.name).is_some() || tables.any(|table| table.name == change.name)
    }

    fn altered(&self, change: &Change) -> Altered {
        let rules = &self.chosen.rules;
        let mut options = rules.options.iter().zip(&rules.speech.options);
        let option = options
            .find(|(option, _)| option.name == change.name && change.kind == ChangeKind::Changed);
        // What is added does not take the place of anything.
        let old = change
            .old
            .filter(|_| matches!(change.kind, ChangeKind::Changed | ChangeKind::Removed));
        let text = |span: Span| self.sources.slice(span).trim_end().to_owned();
        let touches = self.assembly.touched(self.sources, change, &rules.lent);
        Altered {
            kind: change.kind,
            number: 0,
            name: change.name.clone(),
            said: option.map(|(_, said)| said.clone()),
            place: self.place(change.new),
            values: option.map(|(option, _)| (self.before(option), shown(rules, &option.value))),
            cells: None,
            old: old.map(text),
            new: text(change.new),
            touches: touches.into_iter().filter(|id| self.numbers(id)).collect(),
            words: self.words(&self.doc_above(change.new), &self.written_in(change.new)),
        }
    }

    /// The ids that the text of an operation or a declaration carries, in the order in which they stand there.
    fn written_in(&self, whole: Span) -> Vec<String> {
        let written = self.assembly.written.iter();
        let own = written.filter(|one| within(whole, one.carrier));
        own.map(|one| one.id.clone()).collect()
    }

    /// The documentation that stands above a declaration or an operation.
    fn doc_above(&self, span: Span) -> String {
        let before = &self.sources.text(span.file)[..span.start as usize];
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let above = before[..line].lines().rev();
        let doc = above.map_while(|line| line.trim_start().strip_prefix("##"));
        let mut lines: Vec<&str> = doc.map(str::trim).collect();
        lines.reverse();
        lines.join("\n")
    }

    /// `file:line:column`, as seen from the current folder.
    fn place(&self, span: Span) -> String {
        let (line, column) = self.sources.line_column(span);
        let path = self.chosen.game.loaded.paths.get(span.file.0 as usize);
        let path = path.map_or_else(String::new, |path| files::shown(path, &self.folder));
        format!("{path}:{line}:{column}")
    }

    /// Options that the call itself sets.
    fn turned(&self) -> Vec<Turned> {
        let rules = &self.chosen.rules;
        let set = self.chosen.selection.options.iter();
        let options = set.filter_map(|(name, _, _)| {
            let option = rules.options.iter().find(|option| option.name == *name)?;
            let touches = self.assembly.ids_of_option(name, &rules.lent);
            Some(Turned {
                number: 0,
                name: name.clone(),
                was: self.before(option),
                now: shown(rules, &option.value),
                touches: touches.into_iter().filter(|id| self.numbers(id)).collect(),
            })
        });
        options.filter(|option| option.was != option.now).collect()
    }

    /// What an option is without what was laid on and set.
    pub(super) fn before(&self, option: &GameOption) -> String {
        let plain = self.plain.as_ref();
        let own = plain.and_then(|plain| {
            let mut options = plain.options.iter();
            let own = options.find(|own| own.name == option.name)?;
            Some(shown(plain, &own.value))
        });
        match (own, plain) {
            (Some(own), _) => own,
            // It came with an overlay.
            (None, Some(_)) => shown(&self.chosen.rules, &option.default),
            (None, None) => shown(&self.chosen.rules, &option.value),
        }
    }
}

/// `card` of `card.[604].price`
pub(super) fn table_of(name: &str) -> &str {
    name.split_once('.').map_or(name, |(table, _)| table)
}

fn within(whole: Span, part: Span) -> bool {
    whole.file == part.file && whole.start <= part.start && part.end <= whole.end
}
