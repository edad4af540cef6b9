//! What is offered at a place: members, elements, arguments, values, declarations, words.

use super::{Completion, CompletionKind, Offer, toml};
use crate::check::{GlobalName, MemberName, Symbol, show};
use crate::ir::{Domain, Ty};
use crate::service::hover::{action_signature, describe};
use crate::service::scope::Meaning;
use crate::service::snippets::Snippet;
use crate::service::tokens::is_word;
use crate::service::words::{Place, WORDS};

impl Offer<'_> {
    pub(super) fn members(&mut self, dot: usize) {
        let meaning = self.scope.path_before(dot);
        match &meaning {
            Some(Meaning::Value(ty)) => self.members_of_type(ty.required()),
            Some(Meaning::All(domain)) => self.elements(*domain, 0),
            Some(Meaning::Network) => {
                self.add(
                    0,
                    CompletionKind::Member,
                    "joins",
                    "whether two nodes are joined".to_owned(),
                );
                self.add(
                    0,
                    CompletionKind::Member,
                    "reach",
                    "the nodes that can be reached".to_owned(),
                );
            }
            Some(owner @ (Meaning::Step(_) | Meaning::Action(_))) => {
                let cells = 0..self.scope.rules.cells.len() as u32;
                let own: Vec<u32> = cells
                    .filter(|cell| self.scope.owned_by(crate::ir::CellId(*cell), owner))
                    .collect();
                for cell in own {
                    self.member(0, "", MemberName::Cell(crate::ir::CellId(cell)));
                }
                match owner {
                    Meaning::Action(at) => self.chosen_in(*at),
                    _ => self.add(
                        1,
                        CompletionKind::Member,
                        "number",
                        "how many passes have begun".to_owned(),
                    ),
                }
            }
            Some(Meaning::Indexed(..)) => {}
            None => {
                let owner = self.scope.word(dot.wrapping_sub(1));
                if dot == 1 && matches!(owner, "cell" | "side") {
                    return;
                }
                self.words(&[Place::Member], 3);
            }
        }
    }

    /// What an action has chosen: an overlay adds conditions to it, or gives it other elements.
    fn chosen_in(&mut self, action: u32) {
        let rules = self.scope.rules;
        let Some(action) = rules.actions.get(action as usize).filter(|_| self.overlay) else {
            return;
        };
        for param in &action.params {
            let local = &action.code.locals[param.local.index()];
            let ty = show(rules, &local.ty);
            self.add(0, CompletionKind::Local, &local.name, ty);
        }
    }

    fn members_of_type(&mut self, ty: &Ty) {
        match ty {
            Ty::Element(domain) => {
                self.members_of(*domain, 0);
                if let Some(tiling) = &self.scope.rules.tiling
                    && tiling.positions == *domain
                {
                    let (borders, corners) = (tiling.borders.is_some(), tiling.corners.is_some());
                    let named = [
                        ("borders", borders),
                        ("border", borders),
                        ("corners", corners),
                        ("corner", corners),
                    ];
                    let named = named.into_iter().filter(|(_, named)| *named);
                    for word in ["next", "row", "col"]
                        .into_iter()
                        .chain(named.map(|(word, _)| word))
                    {
                        self.word(word, Place::Member, 1);
                    }
                }
                if *domain == Domain::Player {
                    for word in ["seat", "left", "right", "score", "standing"] {
                        self.word(word, Place::Member, 1);
                    }
                }
            }
            Ty::Walk(_) => {
                self.word("value", Place::Member, 0);
                self.word("nodes", Place::Member, 0);
            }
            Ty::Agenda => {
                self.word("must", Place::Member, 0);
                self.word("may", Place::Member, 0);
            }
            ty if ty.is_container() => {
                self.word("size", Place::Member, 0);
                self.word("count", Place::Member, 0);
                if matches!(ty, Ty::Deck(_)) {
                    self.word("top", Place::Member, 0);
                    self.word("bottom", Place::Member, 0);
                }
            }
            _ => {}
        }
    }

    fn members_of(&mut self, domain: Domain, rank: u8) {
        let names = &self.scope.world.names;
        let all = names.members_of(domain, self.scope.at());
        let all: Vec<(String, MemberName)> = all
            .into_iter()
            .map(|(name, member)| (name.to_owned(), member))
            .collect();
        // What a position is given is cells alone.
        let given = self.scenario && self.line.trim_start().starts_with("given");
        for (name, member) in all {
            if !given || matches!(member, MemberName::Cell(_)) {
                self.member(rank, &name, member);
            }
        }
    }

    fn member(&mut self, rank: u8, name: &str, member: MemberName) {
        let symbol = Symbol::of_member(member);
        let name = match (name, member) {
            ("", MemberName::Cell(id)) => self.scope.rules.cells[id.index()].name.clone(),
            _ => name.to_owned(),
        };
        let found = describe(self.scope.rules, symbol, &name);
        let detail = found.map_or_else(String::new, |found| found.signature);
        let kind = match member {
            MemberName::Column(..) => CompletionKind::Member,
            MemberName::Cell(_) => CompletionKind::Cell,
            MemberName::Formula(_) => CompletionKind::Formula,
            MemberName::Network(_) => CompletionKind::Network,
        };
        self.add(rank, kind, &name, detail);
    }

    pub(super) fn elements(&mut self, domain: Domain, rank: u8) {
        let of = show(self.scope.rules, &domain.element_ty());
        let names: Vec<String> = match domain {
            Domain::Player if self.scenario => ["A", "B", "C", "D", "E"]
                [..self.scope.rules.players.1.min(5) as usize]
                .iter()
                .map(|seat| (*seat).to_owned())
                .collect(),
            Domain::Side => self
                .scope
                .rules
                .tiling
                .iter()
                .flat_map(|tiling| tiling.lattice.side_names())
                .map(|side| (*side).to_owned())
                .collect(),
            _ => toml::names(self.scope.rules, domain),
        };
        for name in names {
            let bare = name.bytes().all(is_word) && !name.starts_with(|c: char| c.is_ascii_digit());
            let insert = if bare || name.bytes().all(|b| b.is_ascii_digit()) {
                name.clone()
            } else {
                format!("\"{name}\"")
            };
            self.insert(rank, CompletionKind::Element, &name, of.clone(), insert);
        }
    }

    /// In `x[`, `f(x, `: elements of the index, names of parameters.
    pub(super) fn arguments(&mut self) {
        let Some((open, commas)) = self.open_bracket() else {
            return;
        };
        match self.scope.word(open) {
            "[" => {
                let keys = self
                    .scope
                    .path_before(open)
                    .map(|of| of.keys(self.scope.rules));
                if let Some(domain) = keys.and_then(|keys| keys.get(commas).copied()) {
                    self.elements(domain, 0);
                }
            }
            "(" => {
                let name = self.scope.word(open.wrapping_sub(1));
                if let Some(Meaning::Action(id)) = self.scope.head(name)
                    && self.scope.opening() != "action"
                {
                    let action = &self.scope.rules.actions[id as usize];
                    let params = action.params.iter().filter_map(|param| {
                        let local = action.code.locals.get(param.local.index())?;
                        Some((
                            local.name.clone(),
                            show(self.scope.rules, &local.ty),
                            local.ty.clone(),
                        ))
                    });
                    let params: Vec<(String, String, Ty)> = params.collect();
                    if let Some((_, _, Ty::Element(domain))) = params.get(commas) {
                        self.elements(*domain, 1);
                    }
                    for (name, ty, _) in params {
                        self.insert(0, CompletionKind::Argument, &name, ty, format!("{name}: "));
                    }
                }
            }
            _ => {}
        }
    }

    /// The innermost open bracket before the cursor, and how many commas stand in it.
    fn open_bracket(&self) -> Option<(usize, usize)> {
        let (mut depth, mut commas) = (0, 0);
        for at in (0..self.scope.tokens.len()).rev() {
            match self.scope.word(at) {
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" if depth == 0 => return Some((at, commas)),
                "(" | "[" | "{" => depth -= 1,
                "," if depth == 0 => commas += 1,
                _ => {}
            }
        }
        None
    }

    /// Behind `x = `, `x != `, `x in`: elements of the type of `x`.
    pub(super) fn wanted_elements(&mut self) {
        let count = self.scope.tokens.len();
        let Some(last) = count.checked_sub(1) else {
            return;
        };
        let ty = match self.scope.word(last) {
            "=" | "!=" | "+=" | "-=" => match self.scope.path_before(last) {
                Some(Meaning::Value(ty)) => Some(ty),
                _ => None,
            },
            _ => None,
        };
        let Some(ty) = ty else { return };
        if matches!(ty, Ty::Optional(_)) {
            self.word("none", Place::Value, 0);
        }
        match ty.required() {
            Ty::Element(domain) | Ty::Set(domain) | Ty::Bag(domain) => self.elements(*domain, 0),
            Ty::Bool => {
                self.word("true", Place::Value, 0);
                self.word("false", Place::Value, 0);
            }
            _ => {}
        }
    }

    pub(super) fn expression(&mut self) {
        let locals: Vec<(String, Option<Ty>)> = self.scope.locals.clone();
        for (name, ty) in locals.iter().rev() {
            let ty = ty
                .as_ref()
                .map_or_else(String::new, |ty| show(self.scope.rules, ty));
            self.add(1, CompletionKind::Local, name, ty);
        }
        if self.scope.understands_player() {
            self.members_of(Domain::Player, 2);
        }
        self.globals(2);
        for steps in self.scope.world.names.steps.values() {
            for seen in steps {
                let name = self.scope.rules.cells[seen.what.index()].name.clone();
                let symbol = Symbol::Cell(seen.what);
                let found = describe(self.scope.rules, symbol, &name);
                let detail = found.map_or_else(String::new, |found| found.signature);
                self.all.push((
                    3,
                    Completion {
                        label: name.clone(),
                        kind: CompletionKind::Cell,
                        detail,
                        insert: name,
                        range: 0..0,
                    },
                ));
            }
        }
        self.words(&[Place::Value, Place::Expression, Place::Clause], 4);
    }

    pub(super) fn globals(&mut self, rank: u8) {
        let all = self.scope.world.names.globals_at(self.scope.at());
        let all: Vec<(String, GlobalName)> = all
            .into_iter()
            .map(|(name, global)| (name.to_owned(), global))
            .collect();
        for (name, global) in all {
            let symbol = Symbol::of_global(global);
            let found = describe(self.scope.rules, symbol, &name);
            let detail = found.map_or_else(String::new, |found| found.signature);
            let kind = match global {
                GlobalName::Option(_) => CompletionKind::Option,
                GlobalName::Enum(_) => CompletionKind::Enum,
                GlobalName::Table(_) | GlobalName::Grid(_) => CompletionKind::Table,
                GlobalName::Cell(_) => CompletionKind::Cell,
                GlobalName::Formula(_) => CompletionKind::Formula,
                GlobalName::Network(_) | GlobalName::Tiling => CompletionKind::Network,
                GlobalName::Action(_) => CompletionKind::Action,
            };
            self.add(rank, kind, &name, detail);
        }
    }

    pub(super) fn options(&mut self) {
        for option in &self.scope.rules.options {
            let ty = show(self.scope.rules, &option.ty);
            let insert = format!("{} = ", option.name);
            self.all.push((
                0,
                Completion {
                    label: option.name.clone(),
                    kind: CompletionKind::Option,
                    detail: ty,
                    insert,
                    range: 0..0,
                },
            ));
        }
    }

    pub(super) fn tables(&mut self) {
        let names: Vec<String> = self
            .scope
            .rules
            .tables
            .iter()
            .map(|one| one.name.clone())
            .collect();
        for name in names {
            self.add(0, CompletionKind::Table, &name, "table".to_owned());
        }
    }

    pub(super) fn actions(&mut self, rank: u8) {
        for at in 0..self.scope.rules.actions.len() {
            let name = self.scope.rules.actions[at].name.clone();
            self.add(
                rank,
                CompletionKind::Action,
                &name,
                action_signature(self.scope.rules, at),
            );
        }
    }

    pub(super) fn steps(&mut self, rank: u8) {
        let names: Vec<String> = self.scope.world.names.labels.keys().cloned().collect();
        for name in names {
            self.add(rank, CompletionKind::Step, &name, "step".to_owned());
        }
    }

    pub(super) fn types(&mut self) {
        self.words(&[Place::Type], 1);
        self.tables();
        let enums = self
            .scope
            .rules
            .enums
            .iter()
            .filter(|one| !one.name.is_empty());
        let names: Vec<String> = enums.map(|one| one.name.clone()).collect();
        for name in names {
            self.add(0, CompletionKind::Enum, &name, "enum".to_owned());
        }
    }

    pub(super) fn words(&mut self, places: &[Place], rank: u8) {
        for entry in WORDS.iter().filter(|entry| places.contains(&entry.place)) {
            self.add(
                rank,
                CompletionKind::Keyword,
                entry.word,
                entry.meaning.to_owned(),
            );
        }
    }

    pub(super) fn word(&mut self, word: &str, place: Place, rank: u8) {
        let entry = WORDS
            .iter()
            .find(|entry| entry.word == word && entry.place == place);
        if let Some(entry) = entry {
            self.add(
                rank,
                CompletionKind::Keyword,
                word,
                entry.meaning.to_owned(),
            );
        }
    }

    pub(super) fn snippets(&mut self, all: &[Snippet], rank: u8) {
        for snippet in all {
            let insert = snippet.text.to_owned();
            self.insert(
                rank,
                CompletionKind::Snippet,
                snippet.label,
                snippet.meaning.to_owned(),
                insert,
            );
        }
    }
}
