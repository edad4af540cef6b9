//! What holds and happens by itself, how the game runs, how it is scored.

use super::{Kind, Maker, Scope, Type, deeper};

impl Maker {
    /// `always`, `check`, `when`, `once`.
    pub(super) fn rules(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.percent(30) {
            lines.push(self.always());
        }
        if self.percent(18) {
            lines.push(self.always_after());
        }
        if self.percent(10) {
            let high = self.dice.within(20, 60);
            lines.push(format!(
                "check total: sum(p in player: p.hand.size) <= {high}"
            ));
        }
        for _ in 0..[0, 0, 1, 2][self.dice.below(4)] {
            lines.extend(self.when());
        }
        lines
    }

    pub(super) fn always(&mut self) -> String {
        let name = self.fresh("rule");
        let high = self.dice.within(2, 5);
        let known = |maker: &Maker, name: &str| maker.known.iter().any(|known| known.name == name);
        let mut rules = vec![
            format!("p.coin <= {} for p in player", high + 3),
            format!("p.hand.size <= {high} for p in player"),
            format!("cnt <= {} or left < 2", high * 3),
        ];
        if known(self, "load") {
            rules.push("g.load <= g.weight + 1 for g in stone".to_owned());
        }
        if self.has.pile {
            rules.push("waste.size < 5 or some(p in player: p.coin > 2)".to_owned());
        }
        if self.percent(30) {
            let scope = Scope::new(None, false).with("p", Type::One(Kind::Player));
            let condition = self.flag(&scope, 2);
            rules = vec![format!("left > 2 or ({condition}) for p in player")];
        }
        format!("always {name}: {} else \"not so\"", self.one(rules))
    }

    fn always_after(&mut self) -> String {
        let name = self.fresh("rule");
        let step = self.dice.pick(&["turn", "turn", "act"]);
        let mut scope = Scope::new(Some(""), false);
        scope.strict = true;
        let condition = match self.dice.below(4) {
            0 => "coin > 0".to_owned(),
            1 => "hand.size <= 2".to_owned(),
            2 => "coin + hand.size > 1".to_owned(),
            _ => format!("left > 2 or ({})", self.flag(&scope, 1)),
        };
        format!("always {name}: {condition} after {step}")
    }

    pub(super) fn when(&mut self) -> Vec<String> {
        let name = self.fresh("w");
        let once = if self.percent(25) { "once " } else { "" };
        let mut scope = Scope::new(None, false);
        let mut binder = "";
        match self.dice.below(4) {
            0 => {
                binder = " for p in player";
                scope = scope.with("p", Type::One(Kind::Player));
            }
            1 => {
                binder = " for g in stone";
                scope = scope.with("g", Type::One(Kind::Stone));
            }
            _ => {}
        }
        let condition = self.flag(&scope, 2);
        let places = self.places_of(&scope, |known| known.writable && known.ty != Type::Agenda);
        let on = match self.pick_known(places) {
            Some(known) if self.percent(45) => {
                let owner = match known.owner {
                    super::Owner::Player => "player.".to_owned(),
                    super::Owner::Each(kind) => format!("{}.", kind.name()),
                    super::Owner::Table => String::new(),
                    super::Owner::Step(step) => format!("{step}."),
                };
                format!(" on {owner}{}", known.name)
            }
            _ => String::new(),
        };
        let mut lines = vec![format!("{once}when {name}{on}: {condition}{binder}")];
        scope.own = Some("");
        let body = if self.percent(8) {
            let who = if binder.contains("player") {
                "p"
            } else {
                "player[1]"
            };
            let end = self.dice.pick(&[
                "wins \"done\"",
                "loses \"dead\"",
                "wins \"in\" and play goes on",
            ]);
            vec![format!("{who} {end}")]
        } else if self.percent(75) {
            self.quiet(&scope)
        } else {
            self.block(&scope, 1, 1)
        };
        lines.extend(deeper(body));
        lines
    }

    /// A change that wakes nothing again and again.
    fn quiet(&mut self, scope: &Scope) -> Vec<String> {
        let lines = self.harmless(scope);
        if lines.iter().any(|line| line == "cnt += 1") {
            return vec!["left = min(left, 3)".to_owned()];
        }
        lines
    }

    pub(super) fn flow(&mut self) -> Vec<String> {
        let mut lines = vec!["flow".to_owned()];
        if self.has.pile && self.percent(70) {
            lines.push("  setup: each player: move up to top 2 of pile to hand".to_owned());
        } else if self.has.pile {
            lines.push("  setup: each player: move top of pile to hand".to_owned());
        }
        if self.has.secret {
            self.known.push(super::Known {
                owner: super::Owner::Player,
                name: "bid".to_owned(),
                index: None,
                ty: Type::Number,
                writable: true,
            });
            let private = self.private();
            lines.insert(0, format!("player.bid: 0..3{private}"));
            lines.push("  bids: each player secretly".to_owned());
            let limit = self.dice.pick(&[
                "",
                " where n <= coin",
                " where n <= cnt + 1",
                " where n < hand.size + 2",
            ]);
            lines.push(format!("    choose n in 0..3{limit}"));
            lines.push("    bid = n".to_owned());
        }
        let mut scope = Scope::new(None, false);
        scope.inside = vec!["round"];
        lines.push("  round: repeat while left > 0".to_owned());
        lines.push("    left -= 1".to_owned());
        if self.percent(25) {
            let body = self.harmless(&scope);
            lines.extend(deeper(deeper(body).collect()));
        }
        if self.has.secret && self.percent(50) {
            lines.push("    hide: each player secretly".to_owned());
            let deed = self.dice.pick(&[
                "may: coin -= 1; bid = 2",
                "choose n in 0..3 where n <= coin; coin -= n; bid = n",
                "one of\n        bold: coin -= 2; bid = 3\n        shy: bid = 0",
            ]);
            lines.extend(format!("      {deed}").lines().map(str::to_owned));
        }
        if self.percent(8) {
            lines.push("    if repeats(cnt, player.coin) > 2: finish now".to_owned());
        }
        let order = self
            .dice
            .pick(&["", "", "", " from starter", " by coin", " where coin > 0"]);
        lines.push(format!("    turn: each player{order}"));
        scope.own = Some("");
        scope.me = true;
        scope.inside.push("turn");
        let body = self.turn(&scope);
        lines.extend(deeper(deeper(deeper(body).collect()).collect()));
        if self.percent(15) {
            lines.push("    if cnt > 9: finish now".to_owned());
        }
        lines.push("score".to_owned());
        let score = Scope::new(Some("this."), false).with("this", Type::One(Kind::Player));
        let value = self.count(&score, 2);
        lines.push(format!("  points = {value}"));
        if self.percent(20) {
            lines.push("  extra at end = coin".to_owned());
        }
        lines.push("win by score".to_owned());
        lines
    }

    fn turn(&mut self, scope: &Scope) -> Vec<String> {
        let mut lines = Vec::new();
        if self.percent(30) {
            lines.extend(self.harmless(scope));
        }
        let mut loose = scope.clone();
        loose.strict = false;
        loose.asks = true;
        loose.callable = self.actions.len();
        if self.percent(15) {
            lines.push("may".to_owned());
            let body = self.block(&loose, 2, 1);
            lines.extend(deeper(body));
        }
        let named: Vec<&str> = self
            .actions
            .iter()
            .filter(|action| !action.anytime && action.given.is_empty())
            .map(|action| action.name)
            .collect();
        let all = named.join(", ");
        let without = named
            .iter()
            .filter(|name| **name != "pass")
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        match self.dice.below(8) {
            0 if !without.is_empty() => {
                lines.push(format!("act: one of {without}"));
                lines.push("if none can be done: cnt += 1".to_owned());
            }
            1 => lines.push(format!("act: repeat up to 2 may one of {all}")),
            2 => {
                lines.push("act: one of".to_owned());
                for name in &named {
                    lines.push(format!("  {name}"));
                }
                lines.push("  extra_go:".to_owned());
                let body = self.block(&loose, 2, 1);
                lines.extend(deeper(deeper(body).collect()));
            }
            3 => lines.push(format!("act: one of {all} ask \"{{me}}, what now?\"")),
            _ => lines.push(format!("act: one of {all}")),
        }
        if self.percent(20) {
            lines.push(format!("may {}", named[self.dice.below(named.len())]));
        }
        if self.percent(12) {
            let condition = self.flag(scope, 1);
            let step = self.dice.pick(&["turn", "turn", "round"]);
            lines.push(format!("if left > 0 and ({condition})"));
            lines.push("  left -= 1".to_owned());
            lines.push(format!("  another {step}"));
        }
        if self.percent(20) {
            let condition = self.flag(scope, 1);
            let end = self.dice.pick(&[
                "finish after this turn",
                "finish after this round",
                "finish after this turn and 1 more of each player",
                "finish now",
                "me wins \"first\"",
                "me wins \"home\" and play goes on",
                "me loses \"stuck\"",
                "me.left loses \"caught\"",
                "draw \"even\"",
            ]);
            lines.push(format!("if {condition}: {end}"));
        }
        lines
    }
}
