//! Expressions of a wanted type, of what is in scope.

use super::{Index, Kind, Known, Maker, Owner, Scope, Type};

impl Maker {
    /// A number.
    pub(super) fn count(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 || self.percent(20) {
            return self.small_number(scope);
        }
        let less = depth - 1;
        match self.dice.below(17) {
            0..4 => self.read_or(scope, Type::Number, less),
            4 | 5 => {
                let (a, b) = (self.count(scope, less), self.count(scope, less));
                let sign = self.dice.pick(&["+", "-"]);
                format!("{a} {sign} {}", bracketed(&b))
            }
            6 => {
                let a = self.count(scope, less);
                let by = self.dice.pick(&["* 2", "/ 2", "% 3", "* 3"]);
                format!("{} {by}", bracketed(&a))
            }
            7 | 8 => {
                let (binder, inner) = self.binder(scope, less);
                match self.dice.below(4) {
                    0 => format!("count({binder})"),
                    1 => {
                        let value = self.count(&inner, less);
                        format!("sum({binder}: {value})")
                    }
                    2 => {
                        let value = self.count(&inner, less);
                        format!("max({binder}: {value})")
                    }
                    _ => {
                        let key = self.count(&inner, less);
                        let more = self.dice.pick(&["", " up to 2"]);
                        let value = self.count(&inner, 0);
                        format!("sum({binder} by {key}{more}: {value})")
                    }
                }
            }
            9 | 10 => match self.any_container(scope) {
                Some((text, ty)) => self.of_container(scope, &text, ty),
                None => self.small_number(scope),
            },
            11 => {
                let (c, a, b) = (
                    self.flag(scope, less),
                    self.count(scope, less),
                    self.count(scope, less),
                );
                format!("(if {c} then {a} else {b})")
            }
            12 => {
                let (a, b) = (self.count(scope, less), self.count(scope, less));
                let which = self.dice.pick(&["min", "max"]);
                format!("{which}({a}, {b})")
            }
            13 | 14 => self.member(scope, Type::Number, less),
            16 if self.has.network || self.has.board => self.way(scope, less),
            15 if self.has.grid => {
                let (stone, hue) = (
                    self.element(Kind::Stone, scope, less),
                    self.element(Kind::Hue, scope, less),
                );
                format!("pay[{stone}, {hue}]")
            }
            _ => self.small_number(scope),
        }
    }

    fn of_container(&mut self, scope: &Scope, text: &str, ty: Type) -> String {
        match ty.content() {
            Some(kind) if !matches!(ty, Type::Set(_)) && self.percent(40) => {
                let one = self.element(kind, scope, 0);
                format!("{text}.count({one})")
            }
            _ => format!("{text}.size"),
        }
    }

    fn small_number(&mut self, scope: &Scope) -> String {
        let own = self.locals(scope, |ty| ty == Type::Number);
        if !own.is_empty() && self.percent(60) {
            return self.one(own);
        }
        match self.dice.below(8) {
            0 if scope.me => "me.seat".to_owned(),
            1 if scope.asks => self
                .dice
                .pick(&["players", "round.number", "me.standing"])
                .to_owned(),
            1 => "players".to_owned(),
            2..5 => self
                .read(scope, Type::Number, 0)
                .unwrap_or_else(|| "1".to_owned()),
            _ => self.dice.within(0, 4).to_string(),
        }
    }

    /// A condition.
    pub(super) fn flag(&mut self, scope: &Scope, depth: u32) -> String {
        if depth == 0 {
            return self.small_flag(scope);
        }
        let less = depth - 1;
        match self.dice.below(18) {
            0..4 => self.comparison(scope, less),
            4 => {
                let a = self.flag(scope, less);
                format!("not {}", bracketed(&a))
            }
            5 | 6 => {
                let (a, b) = (self.flag(scope, less), self.flag(scope, less));
                let word = self.dice.pick(&["and", "or", "implies"]);
                format!("{} {word} {}", bracketed(&a), bracketed(&b))
            }
            7..10 => {
                let (binder, inner) = self.binder(scope, less);
                let word = self.dice.pick(&["some", "every", "no"]);
                if word == "no" && binder.contains(" where ") && self.percent(60) {
                    return format!("no({binder})");
                }
                let value = self.flag(&inner, less);
                format!("{word}({binder}: {value})")
            }
            10 | 11 => {
                let kind = self.some_kind(scope);
                let (a, b) = (
                    self.element(kind, scope, less),
                    self.element(kind, scope, less),
                );
                let sign = self.dice.pick(&["=", "!="]);
                format!("{a} {sign} {b}")
            }
            12 => match self.any_container(scope) {
                Some((text, ty)) => {
                    let kind = ty.content().unwrap_or(Kind::Hue);
                    let one = self.element(kind, scope, 0);
                    let word = self.dice.pick(&["in", "not in"]);
                    format!("{one} {word} {text}")
                }
                None => self.small_flag(scope),
            },
            13 => {
                let kind = self.some_kind(scope);
                match self.read(scope, Type::Maybe(kind), 1) {
                    Some(text) => self.guarded(scope, &text, kind, less),
                    None => self.small_flag(scope),
                }
            }
            14 => self.member(scope, Type::Flag, less),
            16 if self.percent(60) => {
                let bags = self.zones(scope, Kind::Stone);
                let bags: Vec<String> = bags
                    .into_iter()
                    .filter(|(_, ty)| matches!(ty, Type::Bag(_)))
                    .map(|(text, _)| text)
                    .collect();
                if bags.is_empty() {
                    return self.small_flag(scope);
                }
                let bag = self.one(bags);
                let one = self.element(Kind::Stone, scope, less);
                let n = self.dice.within(1, 2);
                format!("{{{one}: {n}}} within {bag}")
            }
            15 if self.has.network && scope.own.is_some() => {
                let (a, b) = (
                    self.element(Kind::Place, scope, less),
                    self.element(Kind::Place, scope, less),
                );
                format!("net.joins({a}, {b})")
            }
            17 if self.percent(25) => "finishing".to_owned(),
            17 => format!(
                "{}.out",
                bracketed(&self.element(Kind::Player, scope, less))
            ),
            _ => self.small_flag(scope),
        }
    }

    fn small_flag(&mut self, scope: &Scope) -> String {
        if self.percent(30)
            && let Some(text) = self.read(scope, Type::Flag, 0)
        {
            return text;
        }
        if self.percent(30)
            && let Some((text, _)) = self.any_container(scope)
        {
            let n = self.dice.within(0, 3);
            let sign = self.dice.pick(&["<", ">", "<=", "!="]);
            return format!("{text}.size {sign} {n}");
        }
        self.comparison(scope, 0)
    }

    fn comparison(&mut self, scope: &Scope, depth: u32) -> String {
        let a = match self.read(scope, Type::Number, depth) {
            Some(text) => text,
            None => self.count(scope, depth),
        };
        let b = if self.percent(60) {
            self.dice.within(0, 4).to_string()
        } else {
            self.count(scope, depth)
        };
        let sign = self.dice.pick(&["<", ">", "<=", ">=", "=", "!="]);
        format!("{a} {sign} {}", bracketed(&b))
    }

    /// Something about what may be none.
    fn guarded(&mut self, scope: &Scope, text: &str, kind: Kind, depth: u32) -> String {
        match self.dice.below(4) {
            0 => format!("{text} = none"),
            1 => text.to_owned(),
            2 => {
                let other = self.element(kind, scope, depth);
                format!("{text} = {other}")
            }
            _ => match self.column(kind, Type::Number) {
                Some(column) => {
                    let n = self.dice.within(0, 3);
                    format!("{text} and {text}.{column} > {n}")
                }
                None => format!("not {text}"),
            },
        }
    }

    /// An element, never none.
    pub(super) fn element(&mut self, kind: Kind, scope: &Scope, depth: u32) -> String {
        let own = self.locals(scope, |ty| ty == Type::One(kind));
        if !own.is_empty() && self.percent(65) {
            return self.one(own);
        }
        if depth > 0 && self.percent(35) {
            if let Some(text) = self.read(scope, Type::One(kind), depth - 1) {
                return text;
            }
            if self.percent(40)
                && let Some(text) = self.read(scope, Type::Maybe(kind), depth - 1)
            {
                let other = self.literal(kind, scope);
                return format!("({text} otherwise {other})");
            }
        }
        self.literal(kind, scope)
    }

    fn literal(&mut self, kind: Kind, scope: &Scope) -> String {
        let names = match kind {
            Kind::Hue => self.hues.clone(),
            Kind::Stone => self.stones.clone(),
            Kind::Place => self.places.clone(),
            Kind::Road => self.roads.clone(),
            Kind::Player if scope.me => vec!["me", "me", "me.left", "player[1]"],
            Kind::Player => vec!["player[1]", "player[2]"],
            Kind::Cell => self.ground.places.to_vec(),
            Kind::Edge | Kind::Post => return self.rim(kind),
            Kind::Side => self.ground.sides.to_vec(),
            Kind::Number => vec!["0", "1", "2", "3"],
        };
        self.dice.pick(&names).to_owned()
    }

    /// Something that may be none.
    pub(super) fn maybe(&mut self, kind: Kind, scope: &Scope, depth: u32) -> String {
        match self.dice.below(6) {
            0 => "none".to_owned(),
            1 | 2 => {
                let text = self.read(scope, Type::Maybe(kind), depth);
                text.unwrap_or_else(|| "none".to_owned())
            }
            3 if depth > 0 => {
                if let Some((source, name, inner)) = self.source_of(scope, kind) {
                    let condition = self.flag(&inner, depth - 1);
                    let key = self.count(&inner, 0);
                    return format!("first({name} in {source} where {condition} by {key})");
                }
                self.element(kind, scope, depth)
            }
            _ => self.element(kind, scope, depth),
        }
    }

    pub(super) fn set(&mut self, kind: Kind, scope: &Scope, depth: u32) -> String {
        let read = self.read(scope, Type::Set(kind), 1);
        match (self.dice.below(4), read) {
            (0 | 1, Some(text)) => text,
            (2, _) if depth > 0 => match self.source_of(scope, kind) {
                Some((source, name, inner)) => {
                    let condition = self.flag(&inner, depth - 1);
                    format!("set({name} in {source} where {condition})")
                }
                None => self.literal_set(kind, scope),
            },
            _ => self.literal_set(kind, scope),
        }
    }

    pub(super) fn literal_set(&mut self, kind: Kind, scope: &Scope) -> String {
        let (a, b) = (self.literal(kind, scope), self.literal(kind, scope));
        if a == b {
            format!("{{{a}}}")
        } else {
            format!("{{{a}, {b}}}")
        }
    }

    /// `x in S where C`, and the scope in which x is known.
    pub(super) fn binder(&mut self, scope: &Scope, depth: u32) -> (String, Scope) {
        let kind = self.some_kind(scope);
        let found = self.source_of(scope, kind);
        let (source, name, inner) = found.unwrap_or_else(|| {
            let name = self.fresh("n");
            let high = self.dice.within(2, 4);
            let inner = scope.with(&name, Type::Number);
            (format!("1..{high}"), name, inner)
        });
        let text = format!("{name} in {source}");
        if self.percent(60) {
            let condition = self.flag(&inner, depth.min(1));
            return (format!("{text} where {condition}"), inner);
        }
        (text, inner)
    }

    /// Where elements of a kind are taken from, a new name for one and the scope that has it.
    pub(super) fn source_of(
        &mut self,
        scope: &Scope,
        kind: Kind,
    ) -> Option<(String, String, Scope)> {
        let (stem, whole) = match kind {
            Kind::Hue => ("h", "hue"),
            Kind::Stone => ("s", "stone"),
            Kind::Place => ("c", "place"),
            Kind::Road => ("r", "road"),
            Kind::Player => ("p", "player"),
            Kind::Cell => ("q", "cell"),
            Kind::Edge => ("x", "edge"),
            Kind::Post => ("y", "post"),
            Kind::Side => ("d", "side"),
            Kind::Number => return None,
        };
        let zones = self.zones(scope, kind);
        let source = if !zones.is_empty() && self.percent(55) {
            self.one(zones.into_iter().map(|(text, _)| text).collect())
        } else if self.percent(10) {
            self.literal_set(kind, scope)
        } else {
            whole.to_owned()
        };
        let name = self.fresh(stem);
        let inner = scope.with(&name, Type::One(kind));
        Some((source, name, inner))
    }

    /// A kind of which there are elements.
    pub(super) fn some_kind(&mut self, scope: &Scope) -> Kind {
        let mut kinds = vec![Kind::Stone, Kind::Stone, Kind::Hue, Kind::Player];
        if self.has.network {
            kinds.extend([Kind::Place, Kind::Road]);
        }
        if self.has.board {
            kinds.push(Kind::Cell);
        }
        if self.has.rims {
            kinds.extend([Kind::Edge, Kind::Post]);
        }
        let own: Vec<Kind> = scope
            .locals
            .iter()
            .filter_map(|local| match local.ty {
                Type::One(kind) if kind != Kind::Number && kind != Kind::Side => Some(kind),
                _ => None,
            })
            .collect();
        kinds.extend(own);
        kinds[self.dice.below(kinds.len())]
    }

    // ------------------------------------------------------------------------------------------ what is known

    /// Reads a cell or formula of a type.
    pub(super) fn read(&mut self, scope: &Scope, ty: Type, depth: u32) -> Option<String> {
        let places = self.places_of(scope, |known| known.ty == ty);
        let known = self.pick_known(places)?;
        self.named(&known, scope, depth)
    }

    fn read_or(&mut self, scope: &Scope, ty: Type, depth: u32) -> String {
        match self.read(scope, ty, depth) {
            Some(text) => text,
            None => self.small_number(scope),
        }
    }

    /// A column or cell of a local, also through what may be none where that is allowed.
    fn member(&mut self, scope: &Scope, ty: Type, depth: u32) -> String {
        let kind = self.some_kind(scope);
        let Some(column) = self.column(kind, ty) else {
            return if ty == Type::Flag {
                self.small_flag(scope)
            } else {
                self.small_number(scope)
            };
        };
        if self.percent(45)
            && let Some(text) = self.read(scope, Type::Maybe(kind), depth)
        {
            if !scope.strict {
                return format!("{text}.{column}");
            }
            let otherwise = if ty == Type::Flag { "false" } else { "0" };
            return format!("({text}.{column} otherwise {otherwise})");
        }
        let one = self.element(kind, scope, depth);
        if one.starts_with('(') || one.starts_with(|c: char| c.is_ascii_digit()) {
            return if ty == Type::Flag {
                self.small_flag(scope)
            } else {
                self.small_number(scope)
            };
        }
        format!("{one}.{column}")
    }

    /// A column, formula or cell without an index of the elements of a kind.
    fn column(&mut self, kind: Kind, ty: Type) -> Option<String> {
        let owner = if kind == Kind::Player {
            Owner::Player
        } else {
            Owner::Each(kind)
        };
        let all: Vec<String> = self
            .known
            .iter()
            .filter(|known| known.owner == owner && known.ty == ty && known.index.is_none())
            .map(|known| known.name.clone())
            .collect();
        (!all.is_empty()).then(|| self.one(all))
    }

    /// Cells and formulas that can be named here.
    pub(super) fn places_of(&self, scope: &Scope, wanted: impl Fn(&Known) -> bool) -> Vec<Known> {
        let reachable = |known: &&Known| match known.owner {
            Owner::Table => true,
            Owner::Player => {
                scope.own.is_some()
                    || scope.me
                    || scope
                        .locals
                        .iter()
                        .any(|one| one.ty == Type::One(Kind::Player))
            }
            Owner::Each(_) => true,
            Owner::Step(step) => scope.inside.contains(&step),
        };
        self.known
            .iter()
            .filter(reachable)
            .filter(|known| wanted(known))
            .cloned()
            .collect()
    }

    pub(super) fn pick_known(&mut self, places: Vec<Known>) -> Option<Known> {
        if places.is_empty() {
            return None;
        }
        let at = self.dice.below(places.len());
        places.into_iter().nth(at)
    }

    /// How something known is written here.
    pub(super) fn named(&mut self, known: &Known, scope: &Scope, depth: u32) -> Option<String> {
        let base = match known.owner {
            Owner::Table | Owner::Step(_) => known.name.clone(),
            Owner::Player => {
                let players = self.locals(scope, |ty| ty == Type::One(Kind::Player));
                match scope.own {
                    Some(own) if players.is_empty() || self.percent(60) => {
                        format!("{own}{}", known.name)
                    }
                    _ if !players.is_empty() => format!("{}.{}", self.one(players), known.name),
                    _ if scope.me => format!("me.{}", known.name),
                    _ => return None,
                }
            }
            Owner::Each(kind) => {
                let maybe = !scope.strict && depth > 0 && self.percent(25);
                let through = if maybe {
                    self.read(scope, Type::Maybe(kind), depth - 1)
                } else {
                    None
                };
                let one = match through {
                    Some(text) => text,
                    None => self.element(kind, scope, depth),
                };
                format!("{one}.{}", known.name)
            }
        };
        Some(match known.index {
            None => base,
            Some(Index::UpTo(high)) => {
                let own = self.locals(scope, |ty| ty == Type::Number);
                let at = if !own.is_empty() && self.percent(70) {
                    let local = self.one(own);
                    let change = self.dice.pick(&["", "", "", " + 1", " - 1"]);
                    format!("{local}{change}")
                } else if self.percent(75) {
                    self.dice.within(1, high).to_string()
                } else {
                    self.count(scope, depth.min(1))
                };
                format!("{base}[{at}]")
            }
            Some(Index::Of(kind)) => format!("{base}[{}]", self.element(kind, scope, depth)),
            Some(Index::Argument(kind)) => format!("{base}({})", self.element(kind, scope, depth)),
        })
    }

    /// Containers of a kind, with their types.
    pub(super) fn zones(&mut self, scope: &Scope, kind: Kind) -> Vec<(String, Type)> {
        let places = self.places_of(scope, |known| known.ty.content() == Some(kind));
        places
            .into_iter()
            .filter_map(|known| Some((self.named(&known, scope, 0)?, known.ty)))
            .collect()
    }

    fn any_container(&mut self, scope: &Scope) -> Option<(String, Type)> {
        let places = self.places_of(scope, |known| known.ty.content().is_some());
        let known = self.pick_known(places)?;
        let text = self.named(&known, scope, 0)?;
        Some((text, known.ty))
    }

    pub(super) fn locals(&self, scope: &Scope, wanted: impl Fn(Type) -> bool) -> Vec<String> {
        let fitting = scope.locals.iter().filter(|local| wanted(local.ty));
        fitting.map(|local| local.name.clone()).collect()
    }

    pub(super) fn one(&mut self, mut of: Vec<String>) -> String {
        let at = self.dice.below(of.len());
        of.swap_remove(at)
    }
}

/// In brackets, where it has an operator.
pub(super) fn bracketed(text: &str) -> String {
    let simple = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    if simple {
        text.to_owned()
    } else {
        format!("({text})")
    }
}
