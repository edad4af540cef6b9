//! Bodies of actions and what stands in them.

use super::expression::bracketed;
use super::{Callable, Index, Kind, Local, Maker, Owner, Scope, Type, deeper};

/// Whether a parameter that is asked for may be answered at once with another one.
fn shares(parameter: &str) -> bool {
    parameter.starts_with("choose ") && !parameter.contains("parts of")
}

impl Maker {
    /// All actions; those that call others stand behind them.
    pub(super) fn actions(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.has.effects {
            lines.push("action give(n: 0..): coin += n".to_owned());
            self.can_call("give", vec![Type::Number], true, false);
        }
        if self.has.rims {
            let open = self.dice.pick(&[
                "",
                " and (fence = 0 or some(y in x.corners, z in y.borders: z.wall = me))",
                " and x.cells.size = 2",
            ]);
            lines.push(format!(
                "action fence_in(choose x in edge where not x.wall{open}): x.wall = me; coin -= x.cells.size"
            ));
            self.can_call("fence_in", vec![], false, false);
            let near = self
                .dice
                .pick(&["", " where some(z in y.borders: z.wall = me)"]);
            lines.push(format!(
                "action settle(choose y in post where not y.town{near}): y.town = me; coin -= 1"
            ));
            self.can_call("settle", vec![], false, false);
        }
        if self.has.tiles {
            lines.extend(
                [
                    "action lay(choose t in tile, choose c in cell where not c.tile and c.row in -1..1, choose turned in 0..3)",
                    "  c.tile = t",
                    "  c.turn = turned",
                    "  coin -= c.loose.size",
                ]
                .map(str::to_owned),
            );
            self.can_call("lay", vec![], false, false);
        }
        if self.has.ways {
            let open = self.dice.pick(&[
                "",
                " where not w.man",
                " where lines.reach(w).size < 3",
                " by w.sides.size up to 2",
            ]);
            let hue = self.hue();
            let head = format!("action stand(choose w in way on map{open}): w.man = {hue}");
            lines.push(head);
            self.can_call("stand", vec![], false, false);
        }
        let names = ["mark", "take", "trade", "lift", "yield_it"];
        let count = 2 + self.dice.below(3);
        for name in names.into_iter().take(count) {
            lines.extend(self.action(name));
        }
        if self.has.anytime {
            lines.extend(self.anytime());
        }
        lines.extend(["action pass", "  skip"].map(str::to_owned));
        self.can_call("pass", vec![], true, false);
        lines
    }

    fn can_call(&mut self, name: &'static str, given: Vec<Type>, plain: bool, anytime: bool) {
        self.actions.push(Callable {
            name,
            given,
            asked: None,
            named: Vec::new(),
            plain,
            anytime,
        });
    }

    fn action(&mut self, name: &'static str) -> Vec<String> {
        let mut scope = Scope::new(Some(""), true);
        scope.strict = false;
        scope.asks = true;
        scope.callable = self.actions.len();
        scope.inside = vec![name];
        let mut lines = Vec::new();
        let mut parameters = Vec::new();
        let mut given = Vec::new();
        if self.percent(12) {
            let n = self.fresh("n");
            parameters.push(format!("{n}: 0..4 = 1"));
            given.push(Type::Number);
            scope = scope.with(&n, Type::Number);
        }
        let asked = [0, 1, 1, 1, 2][self.dice.below(5)];
        let mut first_asked = None;
        let mut named = Vec::new();
        for _ in 0..asked {
            let (text, inner) = self.choice(&scope, 1);
            let before = parameters.last().is_some_and(|last| shares(last));
            parameters.push(
                match before && shares(&format!("choose {text}")) && self.percent(50) {
                    true => text.clone(),
                    false => format!("choose {text}"),
                },
            );
            let kind = inner.locals.last().map(|local| local.ty);
            if let (Some(Type::One(kind)), true) =
                (kind, first_asked.is_none() && !text.contains(" up to "))
            {
                first_asked = Some(kind);
            }
            named.extend(
                inner
                    .locals
                    .last()
                    .map(|local| (local.name.clone(), local.ty)),
            );
            scope = inner;
        }
        let agenda = self.has.agenda && self.percent(50);
        if agenda {
            lines.push(format!("{name}.todo: agenda"));
            self.known.push(super::Known {
                owner: Owner::Step(name),
                name: "todo".to_owned(),
                index: None,
                ty: Type::Agenda,
                writable: true,
            });
        }
        let head = if parameters.is_empty() {
            String::new()
        } else {
            format!("({})", parameters.join(", "))
        };
        lines.push(format!("action {name}{head}"));
        let budget = self.dice.within(1, 4);
        let mut body = self.block(&scope, budget, 2);
        if agenda {
            body.extend(self.work_off(&scope));
        }
        lines.extend(deeper(body));
        // What a caller gives comes first.
        let first_asked = first_asked.filter(|_| given.is_empty() && asked == 1);
        self.can_call(
            name,
            given,
            asked == 0 && !lines.iter().any(|line| line.contains("choose")),
            false,
        );
        if let Some(action) = self.actions.last_mut() {
            action.asked = first_asked;
            action.named = named;
        }
        lines
    }

    /// Fills an agenda and lets it be worked off.
    fn work_off(&mut self, scope: &Scope) -> Vec<String> {
        let mut lines = Vec::new();
        for _ in 0..self.dice.within(1, 2) {
            let list = self.dice.pick(&["must", "may"]);
            if let Some(item) = self.effect(scope) {
                let times = self.dice.pick(&["", "", "", "2 * "]);
                lines.push(format!("todo.{list} += {times}{item}"));
            }
        }
        let far = if self.percent(25) {
            " as far as possible"
        } else {
            ""
        };
        lines.push(format!("any order todo{far}"));
        for _ in 0..self.dice.within(0, 2) {
            let list = self.dice.pick(&["must", "may"]);
            if let Some(item) = self.effect(scope) {
                lines.push(format!("  {list} {item}"));
            }
        }
        lines
    }

    /// A call or an effect out of a table.
    fn effect(&mut self, scope: &Scope) -> Option<String> {
        if self.has.effects && self.percent(40) {
            return Some(format!("{}.gain", self.element(Kind::Stone, scope, 1)));
        }
        self.call(scope, false)
    }

    fn call(&mut self, scope: &Scope, only_plain: bool) -> Option<String> {
        let open: Vec<Callable> = self
            .actions
            .iter()
            .take(scope.callable)
            .filter(|action| !action.anytime && (!only_plain || action.plain))
            .cloned()
            .collect();
        if open.is_empty() {
            return None;
        }
        let action = open[self.dice.below(open.len())].clone();
        let mut arguments: Vec<String> = Vec::new();
        for ty in &action.given {
            arguments.push(match ty {
                Type::One(kind) => self.element(*kind, scope, 1),
                _ => self.count(scope, 1),
            });
        }
        if let (Some(kind), true) = (action.asked, self.percent(35)) {
            arguments.push(self.element(kind, scope, 1));
        }
        if arguments.is_empty() {
            return Some(action.name.to_owned());
        }
        Some(format!("{}({})", action.name, arguments.join(", ")))
    }

    fn anytime(&mut self) -> Vec<String> {
        let during = self.dice.pick(&["", " during turn"]);
        let mut scope = Scope::new(Some(""), true);
        scope.strict = false;
        let stone = self.element(Kind::Stone, &scope, 0);
        let price = self.dice.within(1, 2);
        let gains = [
            "cnt += 1".to_owned(),
            format!("coin += {stone}.weight"),
            "left -= 1".to_owned(),
        ];
        let gain = gains[self.dice.below(3)].clone();
        self.can_call("quick", vec![], true, true);
        if self.percent(30) && self.known.iter().any(|known| known.name == "chips") {
            return vec![format!(
                "action quick(choose k in chips) anytime{during}: move k from chips to bank; coin += {price}"
            )];
        }
        let mut lines = vec![format!(
            "action quick anytime{during}: coin -= {price}; {gain}"
        )];
        if self.percent(35) {
            self.can_call("swift", vec![], true, true);
            let back = self.dice.pick(&[
                "hand += ash; coin -= 2",
                "need cnt > 0; cnt -= 1; coin += 1",
                "coin -= 1; me loses \"resigns\"",
                "choose s in hand; move s from hand to box; coin += 1",
            ]);
            lines.push(format!("action swift anytime{during}: {back}"));
        }
        lines
    }

    /// `x in S where C`: what is chosen, with its conditions.
    fn choice(&mut self, scope: &Scope, depth: u32) -> (String, Scope) {
        if self.has.parts && self.percent(25) {
            return self.choice_of_parts(scope);
        }
        let kind = if self.percent(20) {
            Kind::Number
        } else {
            self.some_kind(scope)
        };
        let (name, source, ty, zone) = if kind == Kind::Number {
            let name = self.fresh("n");
            let high = self.dice.within(2, 4);
            let low = self.dice.within(0, 1);
            (name, format!("{low}..{high}"), Type::Number, None)
        } else {
            let Some((source, name, _)) = self.source_of(scope, kind) else {
                return self.choice(scope, depth);
            };
            let zone = self.zones_named(scope, kind, &source);
            (name, source, Type::One(kind), zone)
        };
        let mut inner = scope.clone();
        inner.locals.push(Local {
            name: name.clone(),
            ty,
            zone,
        });
        let mut text = format!("{name} in {source}");
        if self.percent(50) {
            let mut own = inner.clone();
            own.strict = true;
            let condition = self.flag(&own, depth);
            text = format!("{text} where {condition}");
            if self.percent(30) {
                text = format!("{text} else \"not this one\"");
            }
        }
        if self.percent(12) && !text.contains(" else ") {
            let mut own = inner.clone();
            own.strict = true;
            let key = self.count(&own, 1);
            let most = self.dice.within(1, 2);
            text = format!("{text} by {} up to {most}", bracketed(&key));
        }
        (text, inner)
    }

    fn zones_named(&mut self, scope: &Scope, kind: Kind, source: &str) -> Option<String> {
        let whole = kind.name() == source || source.starts_with('{');
        let _ = scope;
        (!whole).then(|| source.to_owned())
    }

    fn choice_of_parts(&mut self, scope: &Scope) -> (String, Scope) {
        let name = self.fresh("b");
        let (zone, kind) = if self.percent(70) {
            ("chips", Kind::Hue)
        } else {
            ("hand", Kind::Stone)
        };
        let hand = self
            .known
            .iter()
            .find(|known| known.name == zone)
            .map(|known| known.ty);
        let (zone, kind, ty) = match hand {
            Some(ty @ (Type::Bag(_) | Type::Set(_))) => (zone, kind, ty),
            _ => ("chips", Kind::Hue, Type::Bag(Kind::Hue)),
        };
        let mut inner = scope.clone();
        inner.locals.push(Local {
            name: name.clone(),
            ty,
            zone: Some(zone.to_owned()),
        });
        let size = self.count(scope, 1);
        let sign = self.dice.pick(&["=", "=", "<=", ">"]);
        let text = match self.dice.below(4) {
            0 => {
                let one = self.element(kind, scope, 0);
                if matches!(ty, Type::Bag(_)) {
                    format!(
                        "{name} in parts of {zone} where {name}.size {sign} {} and {name}.count({one}) < 2",
                        bracketed(&size)
                    )
                } else {
                    format!(
                        "{name} in parts of {zone} where {name}.size {sign} {}",
                        bracketed(&size)
                    )
                }
            }
            1 => {
                let one = self.fresh("k");
                let each = scope.with(&one, Type::One(kind));
                let mut each = each;
                each.strict = true;
                let condition = self.flag(&each, 1);
                format!("{name} in parts of {zone} where every({one} in {name}: {condition})")
            }
            _ => format!(
                "{name} in parts of {zone} where {name}.size {sign} {}",
                bracketed(&size)
            ),
        };
        (text, inner)
    }

    // ------------------------------------------------------------------------------------------ statements

    /// So many statements, one behind the other.
    pub(super) fn block(&mut self, scope: &Scope, budget: i32, depth: u32) -> Vec<String> {
        let mut scope = scope.clone();
        let mut lines = Vec::new();
        for _ in 0..budget {
            lines.extend(self.statement(&mut scope, depth));
        }
        if lines.is_empty() {
            lines.push("cnt += 1".to_owned());
        }
        lines
    }

    fn statement(&mut self, scope: &mut Scope, depth: u32) -> Vec<String> {
        let simple = depth == 0;
        match self.dice.below(if simple { 13 } else { 30 }) {
            0..5 => self.change(scope),
            5..8 => self.transfer(scope),
            8 if !scope.strict => {
                let condition = self.flag(scope, 1);
                let text = if self.percent(30) {
                    " else \"it is needed\""
                } else {
                    ""
                };
                vec![format!("need {condition}{text}")]
            }
            9 | 13 | 14 if scope.asks => {
                let (text, inner) = self.choice(scope, 1);
                *scope = inner;
                let mut line = format!("choose {text}");
                if shares(&line) && self.percent(30) {
                    let (text, inner) = self.choice(scope, 1);
                    if shares(&format!("choose {text}")) {
                        line = format!("{line}, {text}");
                        *scope = inner;
                    }
                }
                vec![line]
            }
            10 => self.copy(scope),
            11 => self
                .call(scope, !scope.asks)
                .map_or_else(|| self.change(scope), |call| vec![call]),
            12 if scope.in_loop && self.percent(30) => vec!["stop".to_owned()],
            15..18 => self.conditional(scope, depth),
            18 => self.matching(scope, depth),
            19 => self.each_element(scope, depth),
            20 | 21 => self.each_player(scope, depth),
            22 => self.repeat(scope, depth),
            23 | 24 if scope.asks => self.may(scope, depth),
            25 | 26 if scope.asks => self.menu(scope, depth),
            27 if scope.asks => self.walk(scope),
            28 => self.if_can(scope),
            29 if self.has.effects => vec![format!("{}.gain", self.element(Kind::Stone, scope, 1))],
            29 if scope.asks && self.percent(20) => vec!["pause \"ready?\"".to_owned()],
            29 if scope.asks && self.percent(20) => {
                let condition = self.flag(scope, 1);
                let step = self.dice.pick(&["turn", "turn", "round"]);
                vec![
                    format!("if left > 0 and {}", bracketed(&condition)),
                    "  left -= 1".to_owned(),
                    format!("  another {step}"),
                ]
            }
            29 if self.percent(20) => {
                let condition = self.flag(scope, 1);
                let who = self.element(Kind::Player, scope, 1);
                let end = self.dice.pick(&["wins \"at once\"", "loses \"at once\""]);
                vec![format!("if {condition}: {} {end}", bracketed(&who))]
            }
            _ => self.change(scope),
        }
    }

    /// Writes a cell.
    pub(super) fn change(&mut self, scope: &Scope) -> Vec<String> {
        let places = self.places_of(scope, |known| known.writable && known.ty != Type::Agenda);
        let Some(known) = self.pick_known(places) else {
            return vec!["cnt += 1".to_owned()];
        };
        if known.name == "seen" {
            return vec!["cnt += 1".to_owned()];
        }
        let Some(place) = self.named(&known, scope, 1) else {
            return vec!["cnt += 1".to_owned()];
        };
        if place.starts_with('(') {
            return vec!["cnt += 1".to_owned()];
        }
        let text = match known.ty {
            Type::Number => {
                let value = if self.percent(60) {
                    self.dice.within(1, 2).to_string()
                } else {
                    self.count(scope, 2)
                };
                let sign = self.dice.pick(&["+=", "-=", "-=", "="]);
                // What falls without end is not asked for.
                format!("{place} {sign} {value}")
            }
            Type::Flag => {
                let value = match self.dice.below(3) {
                    0 => "true".to_owned(),
                    1 => "false".to_owned(),
                    _ => self.flag(scope, 1),
                };
                format!("{place} = {value}")
            }
            Type::One(kind) => {
                let value = if self.percent(15) && !scope.strict {
                    format!("random({})", kind.name())
                } else {
                    self.element(kind, scope, 1)
                };
                format!("{place} = {value}")
            }
            Type::Maybe(kind) => format!("{place} = {}", self.maybe(kind, scope, 1)),
            Type::Set(kind) => {
                let sign = self.dice.pick(&["+=", "-=", "="]);
                let value = if sign != "=" && self.percent(60) {
                    self.element(kind, scope, 1)
                } else {
                    self.set(kind, scope, 1)
                };
                format!("{place} {sign} {value}")
            }
            Type::Bag(kind) => {
                let sign = self.dice.pick(&["+=", "-="]);
                let one = self.element(kind, scope, 1);
                if self.percent(30) {
                    format!("{place} {sign} {{{one}: 2}}")
                } else {
                    format!("{place} {sign} {one}")
                }
            }
            Type::List(kind) => format!("{place} += {}", self.element(kind, scope, 1)),
            Type::Deck(_) | Type::Row(_) | Type::Agenda => "cnt += 1".to_owned(),
        };
        vec![text]
    }

    /// Takes pieces from one place to another.
    fn transfer(&mut self, scope: &Scope) -> Vec<String> {
        let kind = if self.has.parts && self.percent(40) {
            Kind::Hue
        } else {
            Kind::Stone
        };
        let zones: Vec<(String, Type)> = self
            .zones(scope, kind)
            .into_iter()
            .filter(|(text, _)| !text.ends_with("tags") && !text.ends_with("met"))
            .collect();
        if zones.len() < 2 {
            return self.change(scope);
        }
        let to = zones[self.dice.below(zones.len())].clone();
        let chosen: Vec<Local> = scope
            .locals
            .iter()
            .filter(|local| {
                local.zone.as_ref().is_some_and(|zone| *zone != to.0)
                    && (local.ty == Type::One(kind) || local.ty.content() == Some(kind))
            })
            .cloned()
            .collect();
        let target = match to.1 {
            Type::Deck(_) => format!("{}{}", self.dice.pick(&["", "top of ", "bottom of "]), to.0),
            _ => to.0.clone(),
        };
        if !chosen.is_empty() && self.percent(75) {
            let local = chosen[self.dice.below(chosen.len())].clone();
            let zone = local.zone.unwrap_or_default();
            let from = if self.percent(70) {
                format!(" from {zone}")
            } else {
                String::new()
            };
            return vec![format!("move {}{from} to {target}", local.name)];
        }
        let from = zones[self.dice.below(zones.len())].clone();
        if from.0 == to.0 {
            return self.change(scope);
        }
        let source = from.0;
        if self.percent(12) && matches!(from.1, Type::Bag(_)) && matches!(to.1, Type::Bag(_)) {
            let one = self.element(kind, scope, 1);
            return vec![format!(
                "move up to 2 * {{{one}: 1}} from {source} to {target}"
            )];
        }
        if self.percent(10) && kind == Kind::Stone {
            let one = self.element(kind, scope, 1);
            return vec![format!("move {one} from {source} to box")];
        }
        let text = match (from.1, self.dice.below(4)) {
            (Type::Deck(_), 0..3) => {
                let up = self.dice.pick(&["", "", "up to "]);
                let n = self.dice.pick(&["", " 2"]);
                let end = self.dice.pick(&["top", "top", "bottom"]);
                format!("move {up}{end}{n} of {source} to {target}")
            }
            (Type::Deck(_), _) if self.percent(40) => format!("shuffle {source}"),
            (_, 0) => format!("move {source} to {target}"),
            _ => {
                let one = self.element(kind, scope, 1);
                format!("move {one} from {source} to {target}")
            }
        };
        vec![text]
    }

    fn copy(&mut self, scope: &mut Scope) -> Vec<String> {
        let name = self.fresh("v");
        if self.percent(18) {
            let kind = if self.percent(70) {
                Kind::Stone
            } else {
                Kind::Hue
            };
            let zones = self.zones(scope, kind);
            let zones: Vec<(String, Type)> = zones
                .into_iter()
                .filter(|(_, ty)| matches!(ty, Type::Bag(_) | Type::Set(_)))
                .collect();
            if !zones.is_empty() {
                let (zone, ty) = zones[self.dice.below(zones.len())].clone();
                *scope = scope.with(&name, ty);
                return vec![format!("let {name} = {zone}")];
            }
        }
        if scope.asks && (self.has.network || self.has.board) && self.percent(12) {
            return self.kept_walk(&name, scope);
        }
        let (value, ty) = match self.dice.below(4) {
            0 => {
                let kind = self.some_kind(scope);
                (self.maybe(kind, scope, 1), Type::Maybe(kind))
            }
            1 => {
                let kind = self.some_kind(scope);
                (self.element(kind, scope, 1), Type::One(kind))
            }
            _ => (self.count(scope, 2), Type::Number),
        };
        let (value, ty) = match ty {
            Type::Maybe(_) if value == "none" => (self.count(scope, 1), Type::Number),
            // What is never none is no matter of choice.
            Type::Maybe(kind) if !value.starts_with("first") => {
                (self.element(kind, scope, 1), Type::One(kind))
            }
            Type::One(kind) if value.chars().all(|c| c.is_ascii_lowercase()) => {
                let _ = kind;
                (self.count(scope, 1), Type::Number)
            }
            _ => (value, ty),
        };
        if !matches!(ty, Type::Maybe(_)) {
            *scope = scope.with(&name, ty);
        }
        let mut lines = vec![format!("let {name} = {value}")];
        if let Type::Maybe(kind) = ty {
            let inner = scope.with(&name, Type::One(kind));
            lines.push(format!("if {name}"));
            let body = self.block(&inner, 1, 0);
            lines.extend(deeper(body));
        }
        lines
    }

    fn conditional(&mut self, scope: &Scope, depth: u32) -> Vec<String> {
        let mut lines = vec![format!("if {}", self.flag(scope, 2))];
        let budget = self.dice.within(1, 2);
        let body = self.block(scope, budget, depth - 1);
        lines.extend(deeper(body));
        if self.percent(15) {
            lines.push(format!("else if {}", self.flag(scope, 1)));
            let body = self.block(scope, 1, depth - 1);
            lines.extend(deeper(body));
        }
        if self.percent(40) {
            lines.push("else".to_owned());
            let body = self.block(scope, 1, depth - 1);
            lines.extend(deeper(body));
        }
        lines
    }

    fn matching(&mut self, scope: &Scope, depth: u32) -> Vec<String> {
        let what = self.element(Kind::Hue, scope, 1);
        if self.hues.contains(&what.as_str()) {
            return self.change(scope);
        }
        let mut lines = vec![format!("match {what}")];
        let first = self.hue();
        lines.push(format!("  {first}"));
        let body = self.block(scope, 1, depth - 1);
        lines.extend(deeper(deeper(body).collect()));
        lines.push("  else".to_owned());
        let body = self.block(scope, 1, depth - 1);
        lines.extend(deeper(deeper(body).collect()));
        lines
    }

    fn each_element(&mut self, scope: &Scope, depth: u32) -> Vec<String> {
        let (binder, mut inner) = match self.rows_of_many() {
            Some(binder) => (binder, scope.clone()),
            None => self.binder(scope, 1),
        };
        inner.in_loop = true;
        let mut lines = vec![format!("each {binder}")];
        let body = self.block(&inner, 1, depth - 1);
        lines.extend(deeper(body));
        lines
    }

    /// A binder over what lies on the map, or over rows whose column lies in something.
    fn rows_of_many(&mut self) -> Option<String> {
        let one = self.fresh("v");
        if self.has.ways && self.percent(40) {
            let of = [
                "",
                " where {}.man",
                " by {}.sides.size",
                " where no(x in way on map where x.man = red and x != {})",
            ];
            return Some(format!(
                "{one} in way on map{}",
                self.dice.pick(&of).replace("{}", &one)
            ));
        }
        if !self.percent(8) {
            return None;
        }
        let hue = self.hue();
        let of = [
            " where {}.hue in {red, tan}",
            " where {}.hue in set(x in player where x.seat > 1: HUE) by 0 - {}.weight",
            " where {}.next in set(x in stone where x.weight > 1) up to 2",
        ];
        let of = self.dice.pick(&of).replace("{}", &one).replace("HUE", &hue);
        Some(format!("{one} in stone{of}"))
    }

    fn each_player(&mut self, scope: &Scope, depth: u32) -> Vec<String> {
        let mut inner = scope.clone();
        let names: Vec<Local> = inner
            .locals
            .iter()
            .filter(|local| local.zone.is_none())
            .cloned()
            .collect();
        inner.locals = names;
        let head = match self.dice.below(6) {
            0 => "each player".to_owned(),
            1 => "each other player from the left".to_owned(),
            2 => "each other player".to_owned(),
            3 => format!("each player where {}", self.flag(scope, 1)),
            4 => format!("each player by {}", self.count(scope, 1)),
            _ => {
                let who = self.element(Kind::Player, scope, 1);
                if who == "me" {
                    "each player from starter".to_owned()
                } else {
                    format!("as {who}")
                }
            }
        };
        inner.in_loop = !head.starts_with("as");
        let mut lines = vec![head];
        let body = self.block(&inner, 1, depth - 1);
        lines.extend(deeper(body));
        lines
    }

    fn repeat(&mut self, scope: &Scope, depth: u32) -> Vec<String> {
        let mut inner = scope.clone();
        inner.in_loop = true;
        let head = match self.dice.below(5) {
            0 => format!("repeat {}", bracketed(&self.count(scope, 1))),
            1 => "repeat 2".to_owned(),
            2 => format!("repeat up to 2 while {}", self.flag(scope, 1)),
            3 if scope.asks => "repeat up to 2 may".to_owned(),
            _ => "repeat up to 3".to_owned(),
        };
        let mut lines = vec![head];
        let budget = self.dice.within(1, 2);
        let body = self.block(&inner, budget, depth - 1);
        lines.extend(deeper(body));
        lines
    }

    fn may(&mut self, scope: &Scope, depth: u32) -> Vec<String> {
        if self.percent(40)
            && let Some(call) = self.call(scope, false)
        {
            return vec![format!("may {call}")];
        }
        let mut lines = vec!["may".to_owned()];
        let budget = self.dice.within(1, 2);
        let body = self.block(scope, budget, depth - 1);
        lines.extend(deeper(body));
        lines
    }

    fn menu(&mut self, scope: &Scope, depth: u32) -> Vec<String> {
        let mut lines = vec!["one of".to_owned()];
        let labels = ["low", "mid", "high"];
        let count = 2 + self.dice.below(2);
        for _ in 0..count {
            let stem = self.dice.pick(&labels);
            let label = self.fresh(stem);
            lines.push(format!("  {label}:"));
            let body = self.block(scope, 1, depth - 1);
            lines.extend(deeper(deeper(body).collect()));
        }
        if self.percent(50) {
            lines.push("if none can be done: cnt += 1".to_owned());
        }
        lines
    }

    fn walk(&mut self, scope: &Scope) -> Vec<String> {
        if self.has.board && self.percent(60) {
            let from = self.element(Kind::Cell, scope, 1);
            let how = self.dice.pick(&[
                "straight",
                "fresh",
                "not next.man",
                "onward and next.lord != me",
            ]);
            let least = self.dice.pick(&["", " at least 1"]);
            let step = self.dice.pick(&[
                "here.lord = me",
                "coin -= 1",
                "here.man = red",
                "need here.row > 1",
            ]);
            return vec![
                format!(
                    "walk on board from {from} up to 2{least} where {how} and side in orthogonal"
                ),
                format!("  {step}"),
            ];
        }
        if !self.has.network {
            return self.change(scope);
        }
        let least = self.dice.pick(&["", " at least 1", " at least 2"]);
        let how = self.dice.pick(&[
            "",
            " where fresh",
            " where unused",
            " where onward",
            " where next.worth > 0",
        ]);
        let most = self.dice.pick(&[" up to 2", " up to 3"]);
        let mut lines = vec![format!("walk on net from spot{most}{least}{how}")];
        lines.push("  spot = here".to_owned());
        if self.percent(50) {
            lines.push(format!(
                "  {}",
                self.dice.pick(&[
                    "coin -= 1",
                    "coin -= here.worth",
                    "cnt += here.worth",
                    "need here.worth < 3"
                ])
            ));
        }
        lines
    }

    fn if_can(&mut self, scope: &Scope) -> Vec<String> {
        match self.call(scope, !scope.asks) {
            Some(call) if !scope.strict => {
                let name = call.clone();
                let mut lines = vec![format!("if can {name}: {call}")];
                if self.percent(40) {
                    lines.push("else: cnt += 1".to_owned());
                }
                lines
            }
            _ => self.change(scope),
        }
    }

    /// Changes that cannot fail, as far as one sees.
    pub(super) fn harmless(&mut self, scope: &Scope) -> Vec<String> {
        let places = self.places_of(scope, |known| {
            known.writable
                && matches!(known.ty, Type::Flag | Type::Maybe(_) | Type::One(_))
                && !matches!(known.index, Some(Index::UpTo(_)))
        });
        let Some(known) = self.pick_known(places) else {
            return vec!["cnt += 1".to_owned()];
        };
        let place = self.named(&known, scope, 0);
        let value = match known.ty {
            Type::Flag => self.flag(scope, 1),
            Type::Maybe(kind) => self.maybe(kind, scope, 1),
            Type::One(kind) => self.element(kind, scope, 1),
            _ => return vec!["cnt += 1".to_owned()],
        };
        vec![match place {
            Some(place) if self.percent(70) => format!("{place} = {value}"),
            _ => "cnt += 1".to_owned(),
        }]
    }
}
