//! What players do: actions, items of menus, what they may do, and the questions in between.

use super::Words;
use super::english::{plain, third_person, with_article, without_article};
use super::phrase::{self, Raw, Said, Sayings};
use super::reads::Reads;
use crate::check::visit::blocks;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::ir::{
    ActionId, Block, Choice, Code, ColumnId, Deed, DeedId, Domain, Item, Kind, Noun, ParamKind,
    Phrase, PhrasePart, RuleSet, Statement, StatementKind, TableId, Ty, before_noun,
};
use crate::source::Span;
use std::collections::BTreeMap;

/// What was chosen, and what can be said of it.
type Chosen = (String, Ty);

/// A deed whose words are to be found.
struct Draft {
    id: DeedId,
    sayings: Sayings,
    chosen: Vec<Chosen>,
    /// Where the rules say it.
    span: Span,
}

impl Words<'_> {
    /// All deeds, the actions first.
    pub fn deeds(&mut self) {
        let rules = self.rules;
        let mut drafts = Vec::new();
        for (at, action) in rules.actions.iter().enumerate() {
            let mut reads = Reads::new(rules);
            reads.action(ActionId(at as u32));
            let deed = Deed {
                id: action.name.clone(),
                reads: reads.columns,
                looks: reads.cells,
                ..Deed::default()
            };
            let sayings = self.sayings(&action.doc, action.span);
            drafts.push(self.draft(deed, sayings, action.span));
        }
        for (at, action) in rules.actions.iter().enumerate() {
            let id = DeedId::of(ActionId(at as u32));
            for param in &action.params {
                let local = &action.code.locals[param.local.index()];
                drafts[at]
                    .chosen
                    .push((local.name.clone(), local.ty.clone()));
                if let ParamKind::Asked(choice) = &param.kind {
                    self.speech.asked.insert(choice.binder.span, id);
                    self.choice(choice, &local.name, &local.ty);
                }
            }
            self.walk(&action.body, &action.code, Some(id), &mut drafts);
        }
        for effect in &rules.effects {
            self.walk(&effect.body, &effect.code, None, &mut drafts);
        }
        for when in &rules.whens {
            self.walk(&when.body, &when.code, None, &mut drafts);
        }
        self.walk(&rules.flow_body, &rules.flow, None, &mut drafts);
        self.numbers();
        for draft in &drafts {
            self.say(draft);
        }
        self.never_declined(&drafts);
        for draft in &drafts {
            self.ask(draft);
        }
    }

    /// Tells of words for declining what nobody can decline.
    fn never_declined(&mut self, drafts: &[Draft]) {
        let mut told: BTreeMap<Span, (bool, String)> = BTreeMap::new();
        for draft in drafts {
            let deed = &self.speech.deeds[draft.id.index()];
            let keys = self.keys(deed);
            let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
            let said = [
                draft.sayings.declined.as_ref(),
                self.lexicon.declined(&keys),
            ];
            let declinable = self.declinable.contains(&draft.id);
            for said in said.into_iter().flatten() {
                let known = told.entry(said.span).or_insert((false, deed.name.clone()));
                known.0 |= declinable;
            }
        }
        for (span, (_, name)) in told.into_iter().filter(|(_, (declinable, _))| !declinable) {
            let message = format!("nobody can decline this: `{name}`");
            let help = "these words are for what stands behind `may`: leave them out";
            let found = Diagnostic::warning("never-declined", span, message);
            self.out.push(found.help(help));
        }
    }

    /// Under which names language files speak of a deed: with what it stands in, and alone.
    fn keys(&self, deed: &Deed) -> [String; 2] {
        let outer = deed.within.map(|id| &self.speech.deeds[id.index()].id);
        let full = match outer {
            Some(outer) => format!("{outer}.{}", deed.id),
            None => deed.id.clone(),
        };
        [full, deed.id.clone()]
    }

    fn draft(&mut self, deed: Deed, sayings: Sayings, span: Span) -> Draft {
        self.speech.deeds.push(deed);
        Draft {
            id: DeedId(self.speech.deeds.len() as u32 - 1),
            sayings,
            chosen: Vec::new(),
            span,
        }
    }

    fn walk(&mut self, block: &Block, code: &Code, within: Option<DeedId>, all: &mut Vec<Draft>) {
        for statement in &block.statements {
            self.step(statement, code, within, all);
        }
    }

    /// `by_others`: by somebody else than who does the deed it stands in.
    fn walk_by(
        &mut self,
        by_others: bool,
        block: &Block,
        code: &Code,
        within: Option<DeedId>,
        all: &mut Vec<Draft>,
    ) {
        let before = std::mem::replace(&mut self.by_others, by_others);
        self.walk(block, code, within, all);
        self.by_others = before;
    }

    fn step(
        &mut self,
        statement: &Statement,
        code: &Code,
        within: Option<DeedId>,
        all: &mut Vec<Draft>,
    ) {
        match &statement.kind {
            StatementKind::Choose(choice) => self.chosen(choice, code, within, all),
            StatementKind::OneOf { items, none } => {
                for item in items.iter() {
                    self.item(item, code, within, all);
                }
                none.iter()
                    .for_each(|block| self.walk(block, code, within, all));
            }
            StatementKind::May(block) => {
                let inner = self.may(statement.span, block, within, all);
                self.walk_by(self.by_others && inner == within, block, code, inner, all);
            }
            StatementKind::Repeat(repeat) if repeat.may => {
                self.speech.repeated.insert(statement.span);
                let inner = self.may(statement.span, &repeat.body, within, all);
                let by_others = self.by_others && inner == within;
                self.walk_by(by_others, &repeat.body, code, inner, all);
            }
            StatementKind::As(..) | StatementKind::EachPlayer(_) => {
                for inner in blocks(statement) {
                    self.walk_by(within.is_some(), inner, code, within, all);
                }
            }
            _ => {
                for inner in blocks(statement) {
                    self.walk(inner, code, within, all);
                }
            }
        }
    }

    fn chosen(&mut self, choice: &Choice, code: &Code, of: Option<DeedId>, all: &mut [Draft]) {
        let local = &code.locals[choice.binder.local.index()];
        self.choice(choice, &local.name, &local.ty);
        if let Some(of) = of {
            self.speech.asked.insert(choice.binder.span, of);
            if self.by_others {
                self.speech.asked_others.insert(choice.binder.span);
            }
            let chosen = &mut all[of.index()].chosen;
            if !chosen.iter().any(|one| one.0 == local.name) {
                chosen.push((local.name.clone(), local.ty.clone()));
            }
        }
    }

    fn choice(&mut self, choice: &Choice, name: &str, ty: &Ty) {
        self.choice_names
            .insert(choice.binder.span, name.to_owned());
        let ty = ty.required();
        let one = ty.element().unwrap_or_else(|| ty.clone());
        if let Ty::Element(domain) = one {
            self.chosen_kinds.insert(domain);
        }
    }

    fn item(&mut self, item: &Item, code: &Code, within: Option<DeedId>, all: &mut Vec<Draft>) {
        let called = called(&item.body).filter(|_| item.label.is_none());
        if let Some(action) = called {
            self.speech.begun.insert(item.span, DeedId::of(action));
            return self.walk(&item.body, code, within, all);
        }
        let mut reads = Reads::new(self.rules);
        reads.block(&item.body);
        let deed = Deed {
            id: item.name.clone(),
            reads: reads.columns,
            looks: reads.cells,
            within,
            ..Deed::default()
        };
        let sayings = self.sayings(&item.doc, item.span);
        all.push(self.draft(deed, sayings, item.span));
        let id = DeedId(self.speech.deeds.len() as u32 - 1);
        self.speech.begun.insert(item.span, id);
        self.walk_by(false, &item.body, code, Some(id), all);
    }

    /// The deed that may be done: what the rules say of it, the action that it is, or that in which it stands.
    fn may(
        &mut self,
        span: Span,
        body: &Block,
        within: Option<DeedId>,
        all: &mut Vec<Draft>,
    ) -> Option<DeedId> {
        let called = called(body).map(DeedId::of);
        let doc = self.marks.get(&span).cloned().unwrap_or_default();
        let sayings = self.sayings(&doc, span);
        if sayings.any().is_none() {
            if let Some(id) = called {
                self.speech.begun.insert(span, id);
                self.declinable.insert(id);
            }
            return within;
        }
        let mut reads = Reads::new(self.rules);
        reads.block(body);
        let deed = Deed {
            reads: reads.columns,
            looks: reads.cells,
            within,
            ..Deed::default()
        };
        all.push(self.draft(deed, sayings, span));
        let id = DeedId(self.speech.deeds.len() as u32 - 1);
        self.speech.begun.insert(span, id);
        self.declinable.insert(id);
        Some(id)
    }

    // ---------------------------------------------------------------------------------------------- words

    /// Finds the words of a deed.
    fn say(&mut self, draft: &Draft) {
        let deed = self.speech.deeds[draft.id.index()].clone();
        let keys = self.keys(&deed);
        let keys = keys.each_ref().map(String::as_str);
        let own = |words: &Words<'_>, said: Option<&Said>| {
            let text = said.and_then(|said| words.lexicon.text(&said.text));
            text.cloned()
        };
        let (name, told) = (&draft.sayings.name, &draft.sayings.told);
        let declined = draft.sayings.declined.as_ref();
        let foreign = self.lexicon.is_foreign();
        let told_here = self.lexicon.told(&keys).cloned();
        let told_here = told_here.or_else(|| own(self, told.as_ref()));
        let name_here = self.lexicon.noun(&keys).map(|noun| noun.one);
        let name_here = name_here.or_else(|| own(self, name.as_ref()).map(|said| said.text));
        let declined_here = self.lexicon.declined(&keys).cloned();
        let declined_here = declined_here.or_else(|| own(self, declined));
        let written = told.as_ref().map(|said| self.phrase(said, &draft.chosen));
        if foreign {
            self.miss_of(draft, &deed, (&name_here, &told_here, &declined_here));
        }
        let told_here = told_here.map(|said| self.phrase(&said, &draft.chosen));
        let name_there = name.as_ref().map(|said| said.text.clone());
        let of_label = if foreign { &told_here } else { &written };
        let label = of_label.as_ref().map(|phrase| phrase.with(|_| None));
        let tells = match (&written, &name_there) {
            (Some(phrase), _) => Some(in_third_person(phrase)),
            (None, Some(name)) if name.is_empty() => None,
            (None, Some(name)) => Some(Phrase {
                parts: vec![PhrasePart::Text(third_person(name))],
            }),
            (None, None) => None,
        };
        let silent = name.as_ref().is_some_and(|said| said.text.is_empty());
        let deed = &mut self.speech.deeds[draft.id.index()];
        deed.silent = silent;
        deed.name = name_here
            .or(name_there.filter(|_| !silent))
            .or(label)
            .unwrap_or_else(|| plain(&deed.id));
        deed.asks = written.filter(|_| !foreign);
        deed.tells = told_here.or(tells.filter(|_| !foreign));
        deed.declined = declined_here.map(|said| said.text).or(draft
            .sayings
            .declined
            .as_ref()
            .map(|said| said.text.clone()));
    }

    /// Tells what a language has no words for.
    fn miss_of(
        &mut self,
        draft: &Draft,
        deed: &Deed,
        (name, told, declined): (&Option<String>, &Option<Said>, &Option<Said>),
    ) {
        let sayings = &draft.sayings;
        for (said, here) in [(&sayings.told, told), (&sayings.declined, declined)] {
            if let Some(said) = said {
                let text = format!("\"{}\"", said.text);
                self.lexicon.note(here.is_some(), &text, draft.span);
            }
        }
        let silent = sayings
            .name
            .as_ref()
            .is_some_and(|said| said.text.is_empty());
        if !deed.id.is_empty() && !silent {
            self.lexicon.note(name.is_some(), &deed.id, draft.span);
        }
    }

    /// The questions of a deed in the words of a language file.
    fn ask(&mut self, draft: &Draft) {
        let deed = &self.speech.deeds[draft.id.index()];
        let id = deed.id.clone();
        let outer = deed
            .within
            .map(|outer| self.speech.deeds[outer.index()].id.clone());
        let spans: Vec<Span> = self
            .speech
            .asked
            .iter()
            .filter(|(_, of)| **of == draft.id)
            .map(|(span, _)| *span)
            .collect();
        for span in spans {
            let Some(name) = self.choice_names.get(&span).cloned() else {
                continue;
            };
            let full = format!("{id}.{name}");
            let outer = outer.as_ref().map(|outer| format!("{outer}.{name}"));
            let keys = [Some(full.as_str()), outer.as_deref(), Some(name.as_str())];
            let keys: Vec<&str> = keys.into_iter().flatten().collect();
            if let Some(said) = self.lexicon.ask(&keys).cloned() {
                let phrase = self.phrase(&said, &draft.chosen);
                self.speech.questions.insert(span, phrase);
            }
        }
    }

    /// A text with holes, as far as they are filled by what was chosen.
    fn phrase(&mut self, said: &Said, chosen: &[Chosen]) -> Phrase {
        let parts = phrase::read(said, &mut self.out);
        let mut made = Vec::new();
        for part in parts {
            match part {
                Raw::Text(text) => made.push(PhrasePart::Text(text)),
                Raw::Hole { path, unit, span } => {
                    let mut hole = self.hole(&path, unit, span, chosen);
                    if let Some(PhrasePart::Text(text)) = made.last()
                        && before_noun(text).is_some()
                        && let Some(PhrasePart::Hole { some, .. }) = &mut hole
                    {
                        *some = without_article(some).to_owned();
                    }
                    made.extend(hole);
                }
            }
        }
        Phrase { parts: made }
    }

    fn hole(
        &mut self,
        path: &[String],
        unit: Option<Noun>,
        span: Span,
        chosen: &[Chosen],
    ) -> Option<PhrasePart> {
        let (first, rest) = path.split_first()?;
        let Some((name, ty)) = chosen.iter().find(|one| one.0 == *first) else {
            let message = format!("nothing that is chosen here is called `{first}`");
            let found = Diagnostic::error("unknown-name", span, message);
            let known: Vec<&str> = chosen.iter().map(|one| one.0.as_str()).collect();
            self.out.push(match nearest(first, known.iter().copied()) {
                Some(near) => found.help(format!("did you mean `{near}`?")),
                None if known.is_empty() => {
                    found.help("nothing is chosen here: leave out the braces")
                }
                None => found.help(format!("it can name `{}`", known.join("`, `"))),
            });
            return None;
        };
        let mut columns = Vec::new();
        let mut ty = ty.clone();
        for step in rest {
            let Some((table, at, next)) = column(self.rules, &ty, step) else {
                let message = format!("`{first}` has no column `{step}` here");
                let help =
                    "name a column of the row that is chosen; what it calls itself is `{x}` alone";
                self.out
                    .push(Diagnostic::error("unknown-column", span, message).help(help));
                return None;
            };
            columns.push((table, at));
            ty = next;
        }
        let some = match &unit {
            Some(unit) => unit.many.clone(),
            None if columns.is_empty() => self.some(&ty),
            None => "…".to_owned(),
        };
        Some(PhrasePart::Hole {
            name: name.clone(),
            columns,
            unit,
            some,
        })
    }

    /// `a track`, `cards`
    fn some(&self, ty: &Ty) -> String {
        match ty.required() {
            ty if ty.is_container() => match ty.element().map(|one| self.noun_of(&one)) {
                Some(Some(noun)) => noun.many,
                _ => "…".to_owned(),
            },
            Ty::Int { .. } => "…".to_owned(),
            ty => match self.noun_of(ty) {
                Some(noun) if self.lexicon.is_foreign() => noun.one,
                Some(noun) => with_article(&noun.one),
                None => "…".to_owned(),
            },
        }
    }

    /// What things of a type are called.
    pub fn noun_of(&self, ty: &Ty) -> Option<Noun> {
        let Ty::Element(domain) = ty.required() else {
            return None;
        };
        let noun = match domain {
            Domain::Table(id) | Domain::Part(id) => &self.speech.tables[id.index()].noun,
            Domain::Enum(id) => &self.speech.enums[id.index()].noun,
            Domain::Player => self.speech.kinds.get(&Kind::Player)?,
            Domain::Cell => self.speech.kinds.get(&Kind::Place)?,
            Domain::Side | Domain::Port => self.speech.kinds.get(&Kind::Direction)?,
            Domain::Action => self.speech.kinds.get(&Kind::Action)?,
            Domain::Int { .. } => return None,
        };
        (!noun.one.is_empty()).then(|| noun.clone())
    }
}

/// A column of a row, and its type.
fn column(rules: &RuleSet, ty: &Ty, name: &str) -> Option<(TableId, ColumnId, Ty)> {
    let Ty::Element(Domain::Table(table)) = *ty.required() else {
        return None;
    };
    let columns = &rules.tables[table.index()].columns;
    let at = columns.iter().position(|column| column.name == name)?;
    Some((table, ColumnId(at as u32), columns[at].ty.clone()))
}

/// The one action that a body runs.
fn called(body: &Block) -> Option<ActionId> {
    match body.statements.as_slice() {
        [
            Statement {
                kind: StatementKind::Call(action, _),
                ..
            },
        ] => Some(*action),
        _ => None,
    }
}

fn in_third_person(phrase: &Phrase) -> Phrase {
    let mut phrase = phrase.clone();
    if let Some(PhrasePart::Text(text)) = phrase.parts.first_mut() {
        *text = third_person(text);
    }
    phrase
}
