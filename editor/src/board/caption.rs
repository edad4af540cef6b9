//! What people call an element, by how it is drawn: what is written on it and beside it, its length, its colour's name.

use super::Board;
use super::pen::{Bound, Pen, Shown};
use dsl::board::{Item, ItemKind, viewer_type};
use dsl::ir::{Domain, Ty};
use interpreter::State;
use interpreter::ask::{Eyes, View};

impl Board {
    /// What is seen of an element wherever it is drawn; empty where that is nothing but its name.
    pub fn caption(&self, state: &State, eyes: Eyes, domain: Domain, word: i32) -> String {
        let view = View::new(&self.plan.rules, &self.program, state, eyes);
        let name = view.words.element(domain, word);
        let viewer = view
            .viewer()
            .map_or(interpreter::program::NONE, |seat| seat as i32);
        let mut pen = Pen::new(self, view);
        pen.start = Bound::default().with(&[viewer], &[viewer_type()]);
        let mut parts: Vec<String> = Vec::new();
        for panel in &self.plan.panels {
            let start = pen.start.clone();
            let Some(bound) = pen.each(panel.through, &start).into_iter().next() else {
                continue;
            };
            for item in &panel.items {
                if let Some(bound) = self.bound_to(item, &bound, domain, word) {
                    pen.caption_of(item, &bound, &mut parts);
                }
            }
        }
        let same = |part: &String| interpreter::words::same_text(part, &name);
        parts.retain(|part| !same(part) && !same(&part.replace(' ', "_")));
        parts.join(", ")
    }

    /// The names of an item that is drawn for each element of this kind, or for each card of a zone.
    fn bound_to(&self, item: &Item, bound: &Bound, domain: Domain, word: i32) -> Option<Bound> {
        let ty = Ty::Element(domain);
        let types = match item.through {
            Some(id) => self.plan.loops[id.0].types.clone(),
            None => vec![item.card.clone()?],
        };
        let this = |one: &Ty| *one.required() == ty;
        (types.len() == 1 && this(&types[0])).then(|| bound.with(&[word], &types))
    }
}

impl Pen<'_> {
    /// A place by its label, anything else by its name.
    fn called(&mut self, shown: &Shown) -> String {
        let board = self.board;
        let start = self.start.clone();
        let items = board.plan.panels.iter().flat_map(|panel| &panel.items);
        for item in items.filter(|item| item.kind == ItemKind::Spaces) {
            if let (Some(label), Shown::Element(domain, word, _)) = (&item.label, shown)
                && let Some(bound) = board.bound_to(item, &start, *domain, *word)
            {
                return self.text(label, &bound).replace('\n', " ");
            }
        }
        self.in_words(shown)
    }

    /// What an item shows, each thing once.
    fn caption_of(&mut self, item: &Item, bound: &Bound, parts: &mut Vec<String>) {
        if !self.holds(item.when, bound) {
            return;
        }
        let mut found = Vec::new();
        if item.kind == ItemKind::Links {
            let ends = item.ends.iter().map(|end| self.show(end, bound));
            let ends: Vec<Shown> = ends.collect();
            let ends: Vec<String> = ends.iter().map(|end| self.called(end)).collect();
            found.push(ends.join(" – "));
        }
        // The label of cards is that of their zone.
        let label = item.label.as_ref().filter(|_| item.card.is_none());
        found.extend(label.map(|label| self.text(label, bound)));
        let lines = item.text.iter().map(|line| self.text(line, bound));
        found.push(lines.collect::<Vec<_>>().join(" "));
        if let Some(length) = item.length.as_ref().and_then(|one| self.number(one, bound)) {
            found.push(format!("length {length}"));
        }
        let fill = item.fill.as_ref().map(|fill| self.show(fill, bound));
        if let Some(Shown::Element(domain, _, name)) = fill
            && domain != Domain::Player
        {
            found.push(name.replace('_', " "));
        }
        for part in found {
            let words = part.split_whitespace().collect::<Vec<_>>();
            let part = words.join(" ");
            if !part.is_empty() && !parts.contains(&part) {
                parts.push(part);
            }
        }
    }
}
