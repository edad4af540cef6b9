//! A variant of the rules made so far: what stands there is changed, added to, run before and behind.

use super::expression::bracketed;
use super::{Callable, Index, Kind, Known, Maker, Owner, Scope, Type, deeper};

impl Maker {
    /// The lines of a variant; the first is its header.
    pub(super) fn overlay(&mut self) -> Vec<String> {
        let mut lines = vec!["variant \"House rules\" of case".to_owned()];
        let hooked: Vec<Callable> = self
            .actions
            .iter()
            .filter(|action| !action.anytime && action.given.is_empty())
            .cloned()
            .collect();
        let mut changed = Vec::new();
        for _ in 0..self.dice.within(1, 3) {
            let action = hooked[self.dice.below(hooked.len())].clone();
            if changed.contains(&action.name) {
                continue;
            }
            changed.push(action.name);
            let hook = self.hook(&action);
            lines.extend(hook);
        }
        if self.percent(40) {
            lines.extend(self.replaced());
        }
        if self.known.iter().any(|known| known.name == "fee") {
            lines.push(self.dice.pick(&["set fee = 5", "set fee += 1"]).to_owned());
        }
        if self.percent(30) {
            let name = self.fresh("extra");
            let scope = self.body_scope(&[]);
            lines.push(format!("action {name}"));
            let body = self.block(&scope, 2, 1);
            lines.extend(deeper(body));
            lines.push(format!("add to turn.act: {name}"));
        }
        if self.percent(25) {
            let column = self.dice.within(0, 3);
            let stone = self.stones[self.dice.below(self.stones.len())];
            lines.push(format!("patch stone[{stone}]: weight = {}", column + 5));
        }
        if self.percent(25) {
            let rule = self.always();
            lines.push(rule);
        }
        if self.percent(25) {
            let when = self.when();
            lines.extend(when);
        }
        if self.percent(20) {
            lines.push(format!(
                "after turn: {}",
                self.dice.pick(&["cnt += 2", "coin += 1", "coin -= 1"])
            ));
        }
        lines
    }

    /// What stands in an action, with the names of what it asks for.
    fn body_scope(&self, named: &[(String, Type)]) -> Scope {
        let mut scope = Scope::new(Some(""), true);
        scope.strict = false;
        scope.asks = true;
        for (name, ty) in named {
            scope = scope.with(name, *ty);
        }
        scope
    }

    /// Something that runs before, behind or instead of an action, or one more condition on what it asks for.
    fn hook(&mut self, action: &Callable) -> Vec<String> {
        let name = action.name;
        let scope = self.body_scope(&action.named);
        let (place, mut body) = match self.dice.below(5) {
            0 => (format!("before {name}"), Vec::new()),
            1 => (format!("after {name}"), Vec::new()),
            2 => {
                let condition = self.flag(&scope, 1);
                let lines = vec![
                    format!("if {condition}"),
                    "  original".to_owned(),
                    "else".to_owned(),
                    "  cnt += 1".to_owned(),
                ];
                (format!("instead of {name}"), lines)
            }
            3 => {
                let lines =
                    self.dice
                        .pick(&["original\noriginal", "may original", "original\ncoin -= 1"]);
                let lines = lines.lines().map(str::to_owned).collect();
                (format!("instead of {name}"), lines)
            }
            _ => {
                let simple = |(_, ty): &(String, Type)| matches!(ty, Type::One(_) | Type::Number);
                let Some(at) = action.named.iter().position(simple) else {
                    return vec![format!("before {name}: coin -= 1")];
                };
                let asked = &action.named[at].0;
                // What is asked for later is not known there.
                let mut scope = self.body_scope(&action.named[..=at]);
                scope.strict = true;
                scope.asks = false;
                let condition = self.flag(&scope, 1);
                return vec![format!(
                    "add to {name}.{asked} where {} else \"not in this house\"",
                    bracketed(&condition)
                )];
            }
        };
        if body.is_empty() {
            body = self.block(&scope, 1, 1);
        }
        let mut lines = vec![place];
        lines.extend(deeper(body));
        lines
    }

    /// A formula that comes to something else.
    fn replaced(&mut self) -> Vec<String> {
        let formulas: Vec<Known> = self
            .known
            .iter()
            .filter(|known| known.name.starts_with('f') && known.name[1..].parse::<u32>().is_ok())
            .cloned()
            .collect();
        let Some(known) = self.pick_known(formulas) else {
            return Vec::new();
        };
        let owner = match known.owner {
            Owner::Player => "player.",
            Owner::Each(Kind::Stone) => "stone.",
            _ => "",
        };
        let parameter = match known.index {
            Some(Index::Argument(_)) => "(g: stone)",
            _ => "",
        };
        let value = match known.ty {
            Type::Flag => self.dice.pick(&[
                "not original",
                "original and cnt < 4",
                "original or left < 2",
            ]),
            _ => self
                .dice
                .pick(&["original + 1", "max(original, 1)", "original - left"]),
        };
        vec![format!(
            "replace {owner}{}{parameter} = {value}",
            known.name
        )]
    }
}
