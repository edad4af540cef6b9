//! What walks come to: over links, and over the places of a board; and the borders and corners of places.

use super::{Kind, Maker, Scope};

impl Maker {
    /// A number that a walk over the network or the board comes to.
    pub(super) fn way(&mut self, scope: &Scope, depth: u32) -> String {
        let links = self.has.network && (!self.has.board || self.percent(50));
        let kind = if links { Kind::Place } else { Kind::Cell };
        let (from, to) = (
            self.element(kind, scope, depth),
            self.element(kind, scope, depth),
        );
        match (self.dice.below(5), links) {
            (0, true) => format!("net.reach({from}).size"),
            (0, false) => {
                let over = self.over(false);
                format!("(ends of walk on board from {from} up to 2 where {over}).size")
            }
            (1, _) => {
                let (on, over) = (on(links), self.over(links));
                let range = self.dice.pick(&["", " up to 2", " at least 1"]);
                format!("((distance on {on} from {from} to {to}{range} where {over}) otherwise 4)")
            }
            (2, true) => format!("(distance on net from {from} to {to} otherwise 4)"),
            (2, false) => {
                let over = self.over(false);
                let gain = self.gain(false);
                format!(
                    "((best walk on board from {from} up to 2 where {over} max {gain}).value otherwise 0)"
                )
            }
            (3, true) => {
                format!("(ends of walk on net from {from} up to 2 at least 1 where fresh).size")
            }
            (3, false) | (4, _) => format!("({}).value", self.walks(links, &from)),
            (_, _) => format!(
                "((best walk on net from {from} up to 3 where unused max link.length).value otherwise 0)"
            ),
        }
    }

    /// Several walks at once.
    fn walks(&mut self, links: bool, from: &str) -> String {
        let (on, over, gain) = (on(links), self.over(links), self.gain(links));
        let by = self
            .dice
            .pick(&["by 2", "by 2", "by n in 1..2", "by t in {ash, bay}"]);
        let range = match by {
            "by n in 1..2" => self.dice.pick(&["up to n", "at least n up to 2"]),
            "by t in {ash, bay}" => self.dice.pick(&["up to 2", "up to t.weight"]),
            _ => self.dice.pick(&["up to 2", "at least 1 up to 2"]),
        };
        format!("best walks on {on} {by} from {from} {range} where {over} max {gain}")
    }

    /// A walk, or several, kept for the lines behind.
    pub(super) fn kept_walk(&mut self, name: &str, scope: &Scope) -> Vec<String> {
        let links = self.has.network && (!self.has.board || self.percent(50));
        let kind = if links { Kind::Place } else { Kind::Cell };
        let from = self.element(kind, scope, 1);
        let several = self.percent(50);
        let walk = match several {
            true => self.walks(links, &from),
            false => {
                let (on, over, gain) = (on(links), self.over(links), self.gain(links));
                format!("best walk on {on} from {from} up to 2 where {over} max {gain}")
            }
        };
        let one = self.fresh("z");
        let use_of_it = match self.dice.below(4) {
            0 => format!("choose {one} in {name}.nodes"),
            1 => format!("need {name}.nodes.size > 1"),
            2 => format!("cnt += count({one} in {name}.nodes where {one} != {from})"),
            _ if several => format!("coin += {name}.value"),
            _ => format!("coin += {name}.value otherwise 0"),
        };
        vec![format!("let {name} = {walk}"), use_of_it]
    }

    /// Which steps a walk may take.
    fn over(&mut self, links: bool) -> String {
        if links {
            let of = [
                "unused",
                "fresh",
                "fresh and next.worth > 0",
                "link.length < 3",
                "unused and (onward or link.lord = player[1])",
            ];
            return self.dice.pick(&of).to_owned();
        }
        let over = self
            .dice
            .pick(&["orthogonal", "orthogonal", "diagonal", "leap(1, 2)"]);
        let of = self.dice.pick(&[
            "not next.lord",
            "fresh",
            "fresh and not next.man",
            "straight and not next.lord",
            "fresh and next.row >= here.row",
        ]);
        format!("side in {over} and {of}")
    }

    fn gain(&mut self, links: bool) -> &'static str {
        match links {
            true => self
                .dice
                .pick(&["link.length", "next.worth", "1 - link.length"]),
            false => self
                .dice
                .pick(&["1", "if next.man then 2 else 1", "next.row - here.col"]),
        }
    }

    /// A border or a corner of a place that there is.
    pub(super) fn rim(&mut self, kind: Kind) -> String {
        let place = self.dice.pick(&self.ground.places).to_owned();
        match kind {
            Kind::Edge => format!("{place}.border({})", self.dice.pick(&self.ground.sides)),
            _ => format!("{place}.corner({})", self.ground.corner),
        }
    }
}

fn on(links: bool) -> &'static str {
    if links { "net" } else { "board" }
}
