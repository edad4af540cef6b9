//! Rule sets made at random: small, valid by construction, of all that the language has. One seed, one text.
//!
//! First what there is is declared, then bodies and expressions of a wanted type are made of what is in scope. What can fail is
//! guarded in most but not in all places: the games end after a few rounds, and what is offered in them hangs on much.

mod declare;
mod expression;
mod flow;
mod overlay;
mod statement;
mod ways;

use crate::chance::Chance;

/// A rule set in one file, for two to four players; of some a variant stands behind it.
pub fn rules(seed: u64) -> String {
    let mut maker = Maker::new(seed);
    maker.declare();
    let actions = maker.actions();
    let rules = maker.rules();
    let flow = maker.flow();
    let mut lines = std::mem::take(&mut maker.lines);
    lines.extend(rules);
    lines.extend(actions);
    lines.extend(flow);
    if maker.has.overlay {
        lines.extend(maker.overlay());
    }
    lines.push(String::new());
    lines.join("\n")
}

/// Numbers that follow from a seed.
pub struct Dice(Chance);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Chance::new(
            seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d,
        ))
    }

    /// A number below `n`, which is at least 1.
    pub fn below(&mut self, n: usize) -> usize {
        (self.0.seed() % n as u64) as usize
    }

    /// From `low` to `high`, both of them too.
    pub fn within(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as usize) as i32
    }

    /// True so often of a hundred times.
    pub fn percent(&mut self, often: usize) -> bool {
        self.below(100) < often
    }

    pub fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }
}

/// What an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Hue,
    Stone,
    Place,
    Road,
    Player,
    Cell,
    Edge,
    Post,
    Side,
    Number,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Hue => "hue",
            Kind::Stone => "stone",
            Kind::Place => "place",
            Kind::Road => "road",
            Kind::Player => "player",
            Kind::Cell => "cell",
            Kind::Edge => "edge",
            Kind::Post => "post",
            Kind::Side => "side",
            Kind::Number => "0..6",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Type {
    Number,
    Flag,
    One(Kind),
    Maybe(Kind),
    Set(Kind),
    Bag(Kind),
    List(Kind),
    Deck(Kind),
    Row(Kind),
    Agenda,
}

impl Type {
    /// What a container holds.
    fn content(self) -> Option<Kind> {
        match self {
            Type::Set(kind)
            | Type::Bag(kind)
            | Type::List(kind)
            | Type::Deck(kind)
            | Type::Row(kind) => Some(kind),
            Type::Number | Type::Flag | Type::One(_) | Type::Maybe(_) | Type::Agenda => None,
        }
    }
}

/// Whose a cell or formula is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Table,
    Player,
    Each(Kind),
    Step(&'static str),
}

/// A cell or a formula.
#[derive(Clone, Debug)]
struct Known {
    owner: Owner,
    name: String,
    /// Of the index or parameter.
    index: Option<Index>,
    ty: Type,
    writable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Index {
    UpTo(i32),
    Of(Kind),
    /// In round brackets.
    Argument(Kind),
}

/// An action that others may call or choose.
#[derive(Clone, Debug)]
struct Callable {
    name: &'static str,
    /// Types of what a caller gives.
    given: Vec<Type>,
    /// What it asks for and a caller may give instead.
    asked: Option<Kind>,
    /// Names of what it asks for, with what they are.
    named: Vec<(String, Type)>,
    /// It asks nothing.
    plain: bool,
    anytime: bool,
}

/// What is in reach where something is written.
#[derive(Clone, Debug)]
struct Scope {
    locals: Vec<Local>,
    /// In front of the cells of the player understood, if there is one.
    own: Option<&'static str>,
    /// Nothing may be read through `none`.
    strict: bool,
    /// Steps and actions one is inside of.
    inside: Vec<&'static str>,
    /// Something that can be left by `stop`.
    in_loop: bool,
    /// Actions with a lower number may be called.
    callable: usize,
    /// Names may be asked for.
    asks: bool,
    /// The actor may be named.
    me: bool,
}

#[derive(Clone, Debug)]
struct Local {
    name: String,
    ty: Type,
    /// The zone it was chosen from.
    zone: Option<String>,
}

impl Scope {
    fn new(own: Option<&'static str>, me: bool) -> Scope {
        Scope {
            locals: Vec::new(),
            own,
            strict: true,
            inside: Vec::new(),
            in_loop: false,
            callable: 0,
            asks: false,
            me,
        }
    }

    fn with(&self, name: &str, ty: Type) -> Scope {
        let mut inner = self.clone();
        inner.locals.push(Local {
            name: name.to_owned(),
            ty,
            zone: None,
        });
        inner
    }
}

/// Which parts of the language a rule set is made of.
#[derive(Clone, Copy, Debug, Default)]
struct Features {
    copies: bool,
    effects: bool,
    formulas_in_tables: bool,
    network: bool,
    board: bool,
    rims: bool,
    tiles: bool,
    /// Tiles have ways of their own, told apart from each other.
    ways: bool,
    grid: bool,
    pile: bool,
    row: bool,
    agenda: bool,
    anytime: bool,
    secret: bool,
    private: bool,
    parts: bool,
    overlay: bool,
}

struct Maker {
    dice: Dice,
    has: Features,
    lines: Vec<String>,
    known: Vec<Known>,
    actions: Vec<Callable>,
    /// Names given so far.
    names: u32,
    hues: Vec<&'static str>,
    stones: Vec<&'static str>,
    places: Vec<&'static str>,
    /// Elements a literal of a road can name.
    roads: Vec<&'static str>,
    ground: &'static Ground,
}

/// A board: the line that declares it with its picture, some of its places, four of its sides, and what lies there at the start.
struct Ground {
    lines: &'static [&'static str],
    places: [&'static str; 3],
    sides: [&'static str; 4],
    /// A direction in which a place has a corner.
    corner: &'static str,
    start: &'static [&'static str],
}

const SQUARE_SIDES: [&str; 4] = ["n", "e", "s", "w"];
const HEX_SIDES: [&str; 4] = ["ne", "e", "sw", "w"];
const FLAT_SIDES: [&str; 4] = ["n", "ne", "s", "nw"];

const GROUNDS: [Ground; 8] = [
    Ground {
        lines: &["tiling board on 3 by 3"],
        places: ["cell[1, 1]", "cell[2, 2]", "cell[3, 1]"],
        sides: SQUARE_SIDES,
        corner: "ne",
        start: &["| r . .", "| . . t", "| . r ."],
    },
    Ground {
        lines: &["option size: 2..4 = 3", "tiling board on size by size"],
        places: ["cell[1, 1]", "cell[size, size]", "cell[2, 1]"],
        sides: SQUARE_SIDES,
        corner: "ne",
        start: &[],
    },
    Ground {
        lines: &[
            "tiling board on squares",
            "  | . . .",
            "  | .   .",
            "  | . . .",
        ],
        places: ["cell[1, 1]", "cell[3, 2]", "cell[2, 3]"],
        sides: SQUARE_SIDES,
        corner: "ne",
        start: &["| r . t", "| r   .", "| . . ."],
    },
    Ground {
        lines: &["tiling board on 4 by 3 where row != 2 or col != 2"],
        places: ["cell[1, 1]", "cell[4, 2]", "cell[2, 3]"],
        sides: SQUARE_SIDES,
        corner: "ne",
        start: &[],
    },
    Ground {
        lines: &["tiling board on 3 by 3 hexes"],
        places: ["cell[1, 1]", "cell[2, 2]", "cell[3, 1]"],
        sides: HEX_SIDES,
        corner: "s",
        start: &["| r . .", "|  . . t", "|   . r ."],
    },
    Ground {
        lines: &["tiling board on hexagon 2 hexes"],
        places: ["cell[1, 2]", "cell[2, 2]", "cell[3, 1]"],
        sides: HEX_SIDES,
        corner: "s",
        start: &["|  r .", "| . t .", "|  . r"],
    },
    Ground {
        lines: &["tiling board on 3 by 3 offset hexes"],
        places: ["cell[1, 1]", "cell[2, 2]", "cell[3, 1]"],
        sides: HEX_SIDES,
        corner: "s",
        start: &[],
    },
    Ground {
        lines: &["tiling board on 3 by 3 flat hexes"],
        places: ["cell[1, 1]", "cell[2, 2]", "cell[3, 1]"],
        sides: FLAT_SIDES,
        corner: "e",
        start: &[],
    },
];

impl Maker {
    fn new(seed: u64) -> Maker {
        let mut dice = Dice::new(seed);
        let has = Features {
            copies: dice.percent(40),
            effects: dice.percent(25),
            formulas_in_tables: dice.percent(12),
            network: dice.percent(18),
            board: dice.percent(14),
            rims: false,
            tiles: false,
            ways: false,
            grid: dice.percent(12),
            pile: dice.percent(35),
            row: dice.percent(20),
            agenda: dice.percent(22),
            anytime: dice.percent(25),
            secret: dice.percent(12),
            private: dice.percent(30),
            parts: dice.percent(35),
            overlay: dice.percent(15),
        };
        let tiles = !has.board && dice.percent(7);
        let ways = tiles && dice.percent(60);
        let rims = has.board && dice.percent(35);
        let ground = match has.board {
            true => &GROUNDS[dice.below(GROUNDS.len())],
            false => &GROUNDS[0],
        };
        Maker {
            dice,
            has: Features {
                rims,
                tiles,
                ways,
                ..has
            },
            lines: Vec::new(),
            known: Vec::new(),
            actions: Vec::new(),
            names: 0,
            hues: Vec::new(),
            stones: Vec::new(),
            places: Vec::new(),
            roads: Vec::new(),
            ground,
        }
    }

    /// A name that nothing else has.
    fn fresh(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    fn percent(&mut self, often: usize) -> bool {
        self.dice.percent(often)
    }
}

/// Puts lines one level deeper.
fn deeper(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}
