//! What there is: enums, tables, cells, formulas, networks, boards.

use super::{Features, Index, Kind, Known, Maker, Owner, Scope, Type};

impl Maker {
    pub(super) fn declare(&mut self) {
        self.tables();
        self.cells();
        self.ground();
        self.formulas();
    }

    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn know(&mut self, owner: Owner, name: &str, ty: Type) {
        self.know_indexed(owner, name, None, ty, true);
    }

    fn know_indexed(
        &mut self,
        owner: Owner,
        name: &str,
        index: Option<Index>,
        ty: Type,
        writable: bool,
    ) {
        self.known.push(Known {
            owner,
            name: name.to_owned(),
            index,
            ty,
            writable,
        });
    }

    fn tables(&mut self) {
        let hues = 2 + self.dice.below(2);
        self.hues = ["red", "tan", "sky"][..hues].to_vec();
        let all = self.hues.join(", ");
        self.line(format!("enum hue = {all}"));
        self.stones();
        if self.has.network {
            self.roads();
        }
        if self.percent(15) {
            let high = self.dice.within(1, 4);
            self.line(format!("option fee: 0..9 = {high}"));
            self.know_indexed(Owner::Table, "fee", None, Type::Number, false);
        }
        if self.percent(15) {
            self.line("prices = [1, 2, 4, 7]");
            self.know_indexed(
                Owner::Table,
                "prices",
                Some(Index::UpTo(4)),
                Type::Number,
                false,
            );
        }
    }

    fn stones(&mut self) {
        let Features {
            copies,
            effects,
            formulas_in_tables,
            ..
        } = self.has;
        let rows = 3 + self.dice.below(2);
        self.stones = ["ash", "bay", "cob", "dew"][..rows].to_vec();
        self.line(if copies {
            "table stone copies count"
        } else {
            "table stone"
        });
        let mut heads = vec!["id".to_owned()];
        let mut column = |maker: &mut Maker, name: &str, ty: &str| {
            maker.line(format!("  {name}: {ty}"));
            heads.push(name.to_owned());
        };
        column(self, "next", "stone?");
        column(self, "weight", "0..");
        column(self, "hue", "hue");
        let tags = self.percent(25);
        if copies {
            column(self, "count", "0..");
        }
        if effects {
            column(self, "gain", "effect");
        }
        if formulas_in_tables {
            column(self, "test", "formula of player: bool");
        }
        if tags {
            column(self, "tags", "set of hue");
        }
        self.know_indexed(
            Owner::Each(Kind::Stone),
            "next",
            None,
            Type::Maybe(Kind::Stone),
            false,
        );
        self.know_indexed(
            Owner::Each(Kind::Stone),
            "weight",
            None,
            Type::Number,
            false,
        );
        self.know_indexed(
            Owner::Each(Kind::Stone),
            "hue",
            None,
            Type::One(Kind::Hue),
            false,
        );
        if tags {
            self.know_indexed(
                Owner::Each(Kind::Stone),
                "tags",
                None,
                Type::Set(Kind::Hue),
                false,
            );
        }
        self.line("rows stone");
        self.line(format!("  {}", heads.join(" | ")));
        for at in 0..rows {
            let next = if at + 1 < rows && self.percent(80) {
                self.stones[at + 1]
            } else {
                ""
            };
            let mut cells = vec![
                self.stones[at].to_owned(),
                next.to_owned(),
                self.dice.within(0, 4).to_string(),
                self.hue(),
            ];
            if copies {
                cells.push(self.dice.within(1, 3).to_string());
            }
            if effects {
                let gain =
                    self.dice
                        .pick(&["give(1)", "give(2)", "cnt += 1", "tally -= 1", "give(cnt)"]);
                cells.push(gain.to_owned());
            }
            if formulas_in_tables {
                let test = self.dice.pick(&["coin > 1", "coin < 3", "true"]);
                cells.push(test.to_owned());
            }
            if tags {
                let tags = [format!("{{{}}}", self.hue()), "{}".to_owned()];
                cells.push(tags[self.dice.below(2)].clone());
            }
            self.line(format!("  {}", cells.join(" | ")));
        }
        if formulas_in_tables {
            self.know_indexed(
                Owner::Each(Kind::Stone),
                "test",
                Some(Index::Argument(Kind::Player)),
                Type::Flag,
                false,
            );
        }
        if self.has.grid {
            self.line("table pay[stone, hue]: 0..");
            let heads = self.hues.join(" | ");
            self.line(format!("  stone | {heads}"));
            for stone in self.stones.clone() {
                let cells: Vec<String> = self.hues.iter().map(|_| String::new()).collect();
                let cells: Vec<String> = cells
                    .iter()
                    .map(|_| self.dice.within(0, 3).to_string())
                    .collect();
                self.line(format!("  {stone} | {}", cells.join(" | ")));
            }
        }
    }

    pub(super) fn hue(&mut self) -> String {
        let hues = self.hues.clone();
        self.dice.pick(&hues).to_owned()
    }

    fn roads(&mut self) {
        self.places = vec!["elm", "fen", "gap", "hay"];
        self.roads = vec!["r1", "r2", "r3", "r4"];
        for line in ["table place", "  worth: 0..", "rows place", "  id | worth"] {
            self.line(line);
        }
        for place in self.places.clone() {
            let worth = self.dice.within(0, 3);
            self.line(format!("  {place} | {worth}"));
        }
        for line in [
            "table road",
            "  a, b: place",
            "  length: 1..5",
            "rows road",
            "  id | a | b | length",
        ] {
            self.line(line);
        }
        for (at, road) in self.roads.clone().into_iter().enumerate() {
            let length = self.dice.within(1, 4);
            let (a, b) = (self.places[at % 4], self.places[(at + 1 + at / 3) % 4]);
            self.line(format!("  {road} | {a} | {b} | {length}"));
        }
        let (place, road) = (Owner::Each(Kind::Place), Owner::Each(Kind::Road));
        self.know_indexed(place, "worth", None, Type::Number, false);
        self.know_indexed(road, "length", None, Type::Number, false);
        self.know_indexed(road, "a", None, Type::One(Kind::Place), false);
        self.know_indexed(road, "b", None, Type::One(Kind::Place), false);
        self.line("road.lord: player?");
        self.know(road, "lord", Type::Maybe(Kind::Player));
        self.line("player.spot: place = elm");
        self.know(Owner::Player, "spot", Type::One(Kind::Place));
        match self.dice.below(5) {
            0 => self.line("network net links r in road from r.a to r.b"),
            1 => self
                .line("network net links r in road from r.a to r.b where r.lord or r.length < 3"),
            2 => self.walks_at_once(),
            3 => {
                let which = self.dice.pick(&[
                    "",
                    " where unused",
                    " where onward",
                    " up to 2 where link.length < 3",
                ]);
                self.line("network net links r in road from r.a to r.b where not r.lord");
                self.line(format!(
                    "player.length = (distance on net from this.spot to elm{which}) otherwise 5"
                ));
                self.know_indexed(Owner::Player, "length", None, Type::Number, false);
            }
            _ => {
                self.line("network net links r in road from r.a to r.b where not r.lord");
                self.line("network player.own links r in road from r.a to r.b where r.lord = this");
                self.line("player.trail = best walk on own where unused max link.length");
                self.line("player.length = trail.value otherwise 0");
                self.know_indexed(Owner::Player, "length", None, Type::Number, false);
            }
        }
    }

    fn rims(&mut self) {
        for line in [
            "edge.wall: player?",
            "network player.walls links x in edge from x.a to x.b where x.wall = this",
            "cell.shut = count(x in this.borders where x.wall)",
            "cell.way(d: side) = this.border(d).wall != player[1] and this.next(d)",
        ] {
            self.line(line);
        }
        let fence = self.dice.pick(&[
            "(best walk on walls where unused max 1).value otherwise 0",
            "max(x in post: walls.reach(x).size)",
            "count(x in post where every(y in x.borders: y.wall = this))",
            "(best walks on walls by 2 where fresh max link.cells.size).value",
        ]);
        self.line(format!("player.fence = {fence}"));
        self.know_indexed(Owner::Player, "fence", None, Type::Number, false);
        self.know_indexed(Owner::Each(Kind::Cell), "shut", None, Type::Number, false);
        self.line("post.town: player?");
        self.know(Owner::Each(Kind::Edge), "wall", Type::Maybe(Kind::Player));
        self.know(Owner::Each(Kind::Post), "town", Type::Maybe(Kind::Player));
        let beside = [
            (Kind::Cell, "borders", Kind::Edge),
            (Kind::Cell, "corners", Kind::Post),
            (Kind::Edge, "cells", Kind::Cell),
            (Kind::Edge, "corners", Kind::Post),
            (Kind::Post, "cells", Kind::Cell),
            (Kind::Post, "borders", Kind::Edge),
        ];
        for (kind, name, of) in beside {
            self.know_indexed(Owner::Each(kind), name, None, Type::Set(of), false);
        }
    }

    fn walks_at_once(&mut self) {
        self.line("network net links r in road from r.a to r.b");
        self.line("network player.own links r in road from r.a to r.b where r.lord = this");
        let by = self.dice.pick(&[
            "by 2 where unused",
            "by 2 where fresh and next != this.spot",
            "by x in place from x up to x.worth where fresh",
            "by n in 1..3 up to n where unused and (onward or link.lord = this)",
        ]);
        let on = self.dice.pick(&["own", "net"]);
        let gain = self
            .dice
            .pick(&["link.length", "next.worth", "2 - link.length"]);
        self.line(format!("player.runs = best walks on {on} {by} max {gain}"));
        self.line("player.length = this.runs.value + count(x in this.runs.nodes)");
        self.know_indexed(Owner::Player, "length", None, Type::Number, false);
    }

    fn cells(&mut self) {
        self.line("left: 0..9 = 4");
        self.number(Owner::Table, "cnt", "0..", 0);
        if self.has.effects || self.percent(40) {
            let high = self.dice.within(3, 9);
            self.number(Owner::Table, "tally", &format!("0..{high}"), 2);
        }
        let coins = self.dice.within(1, 4);
        let range = self.dice.pick(&["0..", "0..5", "0..4", "..9"]).to_owned();
        let private = if self.percent(30) { self.private() } else { "" };
        self.line(format!("player.coin: {range}{private} = {coins}"));
        self.know(Owner::Player, "coin", Type::Number);
        self.containers();
        if self.percent(45) {
            let start = if self.percent(50) { " = player[1]" } else { "" };
            let _ = start;
            self.line("stone.lord: player?");
            self.know(Owner::Each(Kind::Stone), "lord", Type::Maybe(Kind::Player));
        }
        if self.percent(40) {
            self.line("flag[i in 1..4]: bool");
            self.know_indexed(Owner::Table, "flag", Some(Index::UpTo(4)), Type::Flag, true);
        }
        if self.percent(30) {
            self.line("player.level[hue]: 0..3 = 1");
            self.know_indexed(
                Owner::Player,
                "level",
                Some(Index::Of(Kind::Hue)),
                Type::Number,
                true,
            );
        }
        if self.percent(35) {
            let start = if self.percent(60) { " = ash" } else { "" };
            self.line(format!("here: stone?{start}"));
            self.know(Owner::Table, "here", Type::Maybe(Kind::Stone));
        }
        if self.percent(25) {
            let start = self.dice.pick(&["", " = ash", " = random(stone)"]);
            self.line(format!("player.mine: stone?{start}"));
            self.know(Owner::Player, "mine", Type::Maybe(Kind::Stone));
        }
        if self.percent(25) {
            self.line("player.done_it: bool");
            self.know(Owner::Player, "done_it", Type::Flag);
        }
        if self.percent(25) {
            self.line("stone.load: 0..2");
            self.know(Owner::Each(Kind::Stone), "load", Type::Number);
        }
        if self.percent(20) {
            self.line("tint: hue = red");
            self.know(Owner::Table, "tint", Type::One(Kind::Hue));
        }
        if self.percent(15) {
            self.line("rival: player?");
            self.know(Owner::Table, "rival", Type::Maybe(Kind::Player));
        }
        if self.percent(25) {
            self.line("turn.used: 0..3");
            self.know(Owner::Step("turn"), "used", Type::Number);
        }
        if self.percent(12) {
            self.line("turn.paid: bool");
            self.know(Owner::Step("turn"), "paid", Type::Flag);
        }
    }

    fn number(&mut self, owner: Owner, name: &str, range: &str, start: i32) {
        let start = if start == 0 {
            String::new()
        } else {
            format!(" = {start}")
        };
        self.line(format!("{name}: {range}{start}"));
        self.know(owner, name, Type::Number);
    }

    /// Who sees a player's cell, in games in which not everybody sees all.
    pub(super) fn private(&mut self) -> &'static str {
        match self.has.private {
            true => self
                .dice
                .pick(&[" private", " private", " private to others"]),
            false => "",
        }
    }

    fn containers(&mut self) {
        let private = self.private();
        if self.has.pile {
            self.line("waste: deck of stone");
            self.know(Owner::Table, "waste", Type::Deck(Kind::Stone));
            let refill = if self.percent(50) {
                " refill from waste"
            } else {
                ""
            };
            let hidden = self.dice.pick(&[" hidden", " hidden", "", " showing top"]);
            self.line(format!(
                "pile: deck of stone{hidden} = shuffled(stone){refill}"
            ));
            self.know(Owner::Table, "pile", Type::Deck(Kind::Stone));
            if hidden != " hidden" || self.percent(30) {
                for end in ["pile.top", "pile.bottom"] {
                    self.know_indexed(Owner::Table, end, None, Type::Maybe(Kind::Stone), false);
                }
            }
            if self.has.row {
                self.line("shop: row of 2 stone fill from pile");
                self.know(Owner::Table, "shop", Type::Row(Kind::Stone));
            }
        } else {
            let heap = self.dice.pick(&[
                "bag of stone = stone",
                "set of stone = {ash, bay}",
                "bag of stone = {ash: 2, bay: 1}",
            ]);
            self.line(format!("heap: {heap}"));
            let ty = if heap.starts_with("set") {
                Type::Set(Kind::Stone)
            } else {
                Type::Bag(Kind::Stone)
            };
            self.know(Owner::Table, "heap", ty);
        }
        let hand = self.dice.below(6);
        let (text, ty) = match hand {
            0 => ("set of stone", Type::Set(Kind::Stone)),
            1 => ("list of stone up to 3", Type::List(Kind::Stone)),
            2 => ("bag of stone up to 3", Type::Bag(Kind::Stone)),
            _ => ("bag of stone", Type::Bag(Kind::Stone)),
        };
        let start = if self.percent(40) {
            " = {ash, bay}"
        } else {
            ""
        };
        let start = if matches!(ty, Type::List(_)) {
            ""
        } else {
            start
        };
        let start = if matches!(ty, Type::Bag(_)) {
            start.replace("ash,", "ash: 1,").replace("bay}", "bay: 1}")
        } else {
            start.to_owned()
        };
        self.line(format!("player.hand: {text}{private}{start}"));
        self.know(Owner::Player, "hand", ty);
        if self.has.parts || self.percent(20) {
            self.line("player.chips: bag of hue = {red: 2, tan: 1}");
            self.know(Owner::Player, "chips", Type::Bag(Kind::Hue));
            self.line("bank: bag of hue = {red: 1, tan: 3}");
            self.know(Owner::Table, "bank", Type::Bag(Kind::Hue));
        }
        if self.percent(15) {
            self.line("queue: list of player up to 6");
            self.know(Owner::Table, "queue", Type::List(Kind::Player));
        }
        if self.percent(15) {
            self.line("met: set of hue");
            self.know(Owner::Table, "met", Type::Set(Kind::Hue));
        }
        if self.percent(8) {
            self.line("stone.guests: bag of player up to this.weight");
            self.know(Owner::Each(Kind::Stone), "guests", Type::Bag(Kind::Player));
        }
        if self.percent(8) {
            self.line("sums: set of 0..6");
            self.know(Owner::Table, "sums", Type::Set(Kind::Number));
        }
    }

    fn ground(&mut self) {
        if self.has.board {
            for line in self.ground.lines {
                match line.starts_with("tiling ") && self.has.rims {
                    true => self.line(format!("{line} borders edge corners post")),
                    false => self.line(*line),
                }
            }
            if self.has.rims {
                self.rims();
            }
            let drawn = !self.ground.start.is_empty() && self.percent(40);
            if drawn {
                self.line("table start[cell]");
                for line in self.ground.start {
                    self.line(format!("  {line}"));
                }
                for line in ["  sign | man", "  r | red", "  t | tan"] {
                    self.line(line);
                }
            }
            let start = self.dice.pick(&[
                "",
                " = if this.row = 1 then red else none",
                " = if this.col = 2 then tan else none",
            ]);
            let start = if drawn { " = start[this].man" } else { start };
            self.line(format!("cell.man: hue?{start}"));
            self.line("cell.lord: player?");
            self.know(Owner::Each(Kind::Cell), "man", Type::Maybe(Kind::Hue));
            self.know(Owner::Each(Kind::Cell), "lord", Type::Maybe(Kind::Player));
            self.know_indexed(Owner::Each(Kind::Cell), "row", None, Type::Number, false);
            self.know_indexed(
                Owner::Each(Kind::Cell),
                "next",
                Some(Index::Argument(Kind::Side)),
                Type::Maybe(Kind::Cell),
                false,
            );
            if self.percent(50) {
                let range =
                    self.dice
                        .pick(&[" at least 1", " at least 1 up to 2", " at least 2", ""]);
                let [n, e, s, w] = self.ground.sides;
                let plain = [
                    "straight",
                    "not next.lord",
                    "straight and (steps = 0 or not here.lord)",
                    "fresh and next.man != red",
                    "next.man = this.man",
                ];
                let sided = [
                    format!("side = {s} and (not next.lord or next.man = this.man)"),
                    format!("side = (if this.man = red then {n} else {e}) and not next.taken"),
                    format!("straight and fresh and side != {w} and not (next.lord and here.man)"),
                ];
                let of = self.one(plain.map(str::to_owned).into_iter().chain(sided).collect());
                self.line("cell.taken = this.lord != none or this.man = tan");
                self.line(format!("cell.seen = ends of walk on board from this{range} where side in orthogonal and {of}"));
                let gain =
                    self.dice
                        .pick(&["1", "if next.man then 2 else 1", "next.row - here.col"]);
                self.line(format!("cell.span = (best walk on board from this{range} where side in {{{n}, {e}}} and straight and {of} max {gain}).value otherwise 0"));
                let to = self.dice.pick(&[
                    "set(x in cell where x.row = x.col)",
                    "set(x in cell where x.lord)",
                    "set(x in cell where x.row = 2)",
                ]);
                let over = self.dice.pick(&["side in orthogonal and ", ""]);
                self.line(format!("cell.away = (distance on board from this to {to}{range} where {over}{of}) otherwise 7"));
                self.know_indexed(Owner::Each(Kind::Cell), "away", None, Type::Number, false);
                self.know_indexed(Owner::Each(Kind::Cell), "span", None, Type::Number, false);
                self.know_indexed(
                    Owner::Each(Kind::Cell),
                    "seen",
                    None,
                    Type::Set(Kind::Cell),
                    false,
                );
            }
            if self.percent(50) {
                self.directions();
            }
        }
        if self.has.ways {
            for line in [
                "table tile",
                "rows tile",
                "  id",
                "  bend",
                "  fork",
                "table way of tile from way",
                "  sides: set of side",
                "rows way",
                "  tile | sides",
                "  bend | {n, e}",
                "  fork | {n, s}",
                "  fork | {w}",
                "tiling map of tile on plane 3 turns 4",
                "network lines joins way by sides on map",
                "cell.ends = set(w in way on map where w.cell = this, d in w.sides: d)",
                "cell.loose = set(d in this.ends where this.next(d) and this.next(d).tile and not (d.back in this.next(d).ends))",
                "way.man: hue?",
            ] {
                self.line(line);
            }
        } else if self.has.tiles {
            for line in [
                "table tile",
                "  rails: set of side",
                "rows tile",
                "  id | rails",
                "  bend | {n, e}",
                "  line | {n, s}",
                "  dead | {n}",
                "tiling map of tile on plane 3 turns 4",
                "network lines joins cell by rails on map",
                "cell.ends = if this.tile then this.tile.rails else {}",
                "cell.loose = set(d in this.ends where this.next(d) and this.next(d).tile and not (d.back in this.next(d).ends))",
            ] {
                self.line(line);
            }
        }
    }

    fn formulas(&mut self) {
        for _ in 0..self.dice.below(3) {
            let name = self.fresh("f");
            let of = self.dice.below(4);
            let flag = self.percent(40);
            let ty = if flag { Type::Flag } else { Type::Number };
            let (owner, head, scope, index) = match of {
                0 => (
                    Owner::Player,
                    "player.",
                    Scope::new(Some("this."), false).with("this", Type::One(Kind::Player)),
                    None,
                ),
                1 => (
                    Owner::Each(Kind::Stone),
                    "stone.",
                    Scope::new(None, false).with("this", Type::One(Kind::Stone)),
                    None,
                ),
                2 => (
                    Owner::Table,
                    "",
                    Scope::new(None, false).with("g", Type::One(Kind::Stone)),
                    Some(Index::Argument(Kind::Stone)),
                ),
                _ => (Owner::Table, "", Scope::new(None, false), None),
            };
            let value = if flag {
                self.flag(&scope, 2)
            } else {
                self.count(&scope, 2)
            };
            let parameter = if of == 2 { "(g: stone)" } else { "" };
            self.line(format!("{head}{name}{parameter} = {value}"));
            self.know_indexed(owner, &name, index, ty, false);
        }
    }

    /// Questions that ask of each place whether something lies in one of a few directions from it.
    fn directions(&mut self) {
        let [n, e, s, w] = self.ground.sides;
        let range = self.dice.pick(&["", " at least 1", " at least 1 up to 2"]);
        let of = self.dice.pick(&[
            "next.lord",
            "next.lord != this.lord",
            "next.man and next.man = this.man",
            "next.man != red and (steps = 0 or here.lord)",
        ]);
        let behind = self
            .dice
            .pick(&["c.next(d).man", "c.next(d).lord = this.lord"]);
        self.line(format!(
            "cell.ray(d: side) = ends of walk on board from this{range} where side = d and {of}"
        ));
        self.line(format!(
            "cell.held(d: side) = if some(c in this.ray(d): c.next(d) and {behind}) then this.ray(d) else {{}}"
        ));
        self.line("cell.hems = set(d in orthogonal, c in this.held(d): c)");
        let asked = self.one(vec![
            format!("some(d in {{{n}, {e}, {s}}}: this.ray(d).size + this.ray(d.back).size > 2)"),
            "every(d in orthogonal: not this.held(d))".to_owned(),
            format!("not no(d in orthogonal where d != {w}, c in this.ray(d): c.man = tan)"),
            "not this.hems".to_owned(),
            "some(d in orthogonal where this.next(d): not this.next(d).lord)".to_owned(),
        ]);
        self.line(format!("cell.hemmed = {asked}"));
        let cell = Owner::Each(Kind::Cell);
        self.know_indexed(cell, "hemmed", None, Type::Flag, false);
        self.know_indexed(cell, "hems", None, Type::Set(Kind::Cell), false);
    }
}
