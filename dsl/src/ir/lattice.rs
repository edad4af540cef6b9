//! What a board's places are: how they lie beside each other, which directions there are, how tiles turn.
//!
//! All of it follows from the steps over the sides, clockwise: a diagonal is one step over each of two sides that follow
//! one another, a leap two over one of them and one over the other; turning takes a side to the one behind it.

/// The shape of places, and how their rows and columns are counted.
///
/// Of hexes that stand on a point rows are straight; each column slants, half a place to the right from row to row. Of flat
/// ones columns are straight, and rows slant. `offset`: what slants goes to and fro instead, so that it lies straight in all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lattice {
    #[default]
    Squares,
    Hexes {
        flat: bool,
        offset: bool,
    },
}

/// A row and a column, or a step: so many rows to the south and so many columns to the east.
pub type Coordinates = (i32, i32);

/// North, east, south, west: rows grow to the south, columns to the east.
const SQUARE_STEPS: [Coordinates; 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
/// From the north of flat hexes, from the north-east of the others. Where columns slant a step to the south-east stays in one.
const HEX_STEPS: [Coordinates; 6] = [(-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)];

/// Sides, diagonals, leaps.
const SQUARE_NAMES: [&str; 16] = [
    "n", "e", "s", "w", "ne", "se", "sw", "nw", "nne", "ene", "ese", "sse", "ssw", "wsw", "wnw",
    "nnw",
];
const POINTY_NAMES: [&str; 12] = [
    "ne", "e", "se", "sw", "w", "nw", "ene", "ese", "s", "wsw", "wnw", "n",
];
const FLAT_NAMES: [&str; 12] = [
    "n", "ne", "se", "s", "sw", "nw", "nne", "e", "sse", "ssw", "w", "nnw",
];
const LONG_NAMES: [(&str, &str); 8] = [
    ("north", "n"),
    ("east", "e"),
    ("south", "s"),
    ("west", "w"),
    ("northeast", "ne"),
    ("southeast", "se"),
    ("southwest", "sw"),
    ("northwest", "nw"),
];

const SQUARE_PORTS: [&str; 8] = ["n_w", "n_e", "e_n", "e_s", "s_e", "s_w", "w_s", "w_n"];
const POINTY_PORTS: [&str; 12] = [
    "ne_nw", "ne_e", "e_ne", "e_se", "se_e", "se_sw", "sw_se", "sw_w", "w_sw", "w_nw", "nw_w",
    "nw_ne",
];
const FLAT_PORTS: [&str; 12] = [
    "n_nw", "n_ne", "ne_n", "ne_se", "se_ne", "se_s", "s_se", "s_sw", "sw_s", "sw_nw", "nw_sw",
    "nw_n",
];

impl Lattice {
    /// How many sides a place has. They come first among its directions, as many diagonals behind, twice as many leaps last.
    pub fn sides(self) -> u32 {
        match self {
            Lattice::Squares => 4,
            Lattice::Hexes { .. } => 6,
        }
    }

    pub fn diagonals(self) -> std::ops::Range<u32> {
        self.sides()..2 * self.sides()
    }

    pub fn leaps(self) -> std::ops::Range<u32> {
        2 * self.sides()..4 * self.sides()
    }

    pub fn directions(self) -> u32 {
        4 * self.sides()
    }

    /// Places for a road at the sides: two at each, clockwise.
    pub fn ports(self) -> u32 {
        2 * self.sides()
    }

    /// The step over a side, clockwise; behind the last one comes the first.
    fn over(self, side: u32) -> Coordinates {
        match self {
            Lattice::Squares => SQUARE_STEPS[side as usize % 4],
            Lattice::Hexes { flat: true, .. } => HEX_STEPS[side as usize % 6],
            Lattice::Hexes { flat: false, .. } => HEX_STEPS[(side as usize + 1) % 6],
        }
    }

    /// Where the middle of a side is seen from the middle of its place, in halves of a step.
    pub fn border(self, side: u32) -> Coordinates {
        self.over(side)
    }

    /// Where the corner between a side and the next one is, in as many parts of a step as places meet there on the way.
    pub fn corner(self, side: u32) -> Coordinates {
        let (a, b) = (self.over(side), self.over(side + 1));
        (a.0 + b.0, a.1 + b.1)
    }

    /// Into how many parts a step is cut so that each corner has whole coordinates.
    pub fn corner_parts(self) -> i32 {
        match self {
            Lattice::Squares => 2,
            Lattice::Hexes { .. } => 3,
        }
    }

    /// Where a direction leads from (0, 0), in coordinates that do not go to and fro.
    pub fn step(self, direction: u32) -> Coordinates {
        let sides = self.sides();
        // So many steps over a side, and so many over the next one.
        let (side, here, there) = match direction {
            side if side < sides => (side, 1, 0),
            diagonal if diagonal < 2 * sides => (diagonal - sides, 1, 1),
            leap => {
                let leap = leap - 2 * sides;
                let (here, there) = [(2, 1), (1, 2)][leap as usize % 2];
                (leap / 2, here, there)
            }
        };
        let (a, b) = (self.over(side), self.over(side + 1));
        (here * a.0 + there * b.0, here * a.1 + there * b.1)
    }

    /// A direction turned clockwise by so many sides.
    pub fn turned(self, direction: u32, by: u32) -> u32 {
        let sides = self.sides();
        match direction {
            side if side < sides => (side + by) % sides,
            diagonal if diagonal < 2 * sides => sides + (diagonal - sides + by) % sides,
            leap => 2 * sides + (leap - 2 * sides + 2 * by) % (2 * sides),
        }
    }

    pub fn back(self, direction: u32) -> u32 {
        self.turned(direction, self.sides() / 2)
    }

    pub fn port_turned(self, port: u32, by: u32) -> u32 {
        (port + 2 * by) % self.ports()
    }

    pub fn port_side(self, port: u32) -> u32 {
        port / 2
    }

    /// The port that meets a port, of the place beyond its side.
    pub fn port_faces(self, port: u32) -> u32 {
        2 * self.back(port / 2) + 1 - port % 2
    }

    /// How many steps over sides lead from one place to another, if nothing is in the way.
    pub fn distance(self, a: Coordinates, b: Coordinates) -> i32 {
        let (rows, columns) = ((a.0 - b.0).abs(), (a.1 - b.1).abs());
        match self {
            Lattice::Squares => rows + columns,
            Lattice::Hexes { .. } => {
                let slanting = (a.0 + a.1 - b.0 - b.1).abs();
                (rows + columns + slanting) / 2
            }
        }
    }

    /// Coordinates as they are written, which may go to and fro, as those in which each direction is one step.
    pub fn straight(self, (row, column): Coordinates) -> Coordinates {
        match self {
            Lattice::Hexes { flat, offset: true } => {
                if flat {
                    (row - (column - 1).div_euclid(2), column)
                } else {
                    (row, column - (row - 1).div_euclid(2))
                }
            }
            _ => (row, column),
        }
    }

    /// The contrary of [`Lattice::straight`].
    pub fn written(self, (row, column): Coordinates) -> Coordinates {
        match self {
            Lattice::Hexes { flat, offset: true } => {
                if flat {
                    (row + (column - 1).div_euclid(2), column)
                } else {
                    (row, column + (row - 1).div_euclid(2))
                }
            }
            _ => (row, column),
        }
    }

    /// Where a place is drawn in a picture of letters: a line, and a letter's place in it. From place to place in a straight
    /// line of it are two letters, or two lines.
    pub fn drawn(self, written: Coordinates) -> Coordinates {
        let (row, column) = self.straight(written);
        match self {
            Lattice::Squares => (row, 2 * column),
            Lattice::Hexes { flat: false, .. } => (row, 2 * column + row),
            Lattice::Hexes { flat: true, .. } => (2 * row + column, 2 * column),
        }
    }

    /// The place that is drawn there, in straight coordinates; none between places.
    pub fn place_drawn(self, (line, letter): Coordinates) -> Option<Coordinates> {
        let half = |n: i32| (n.rem_euclid(2) == 0).then_some(n.div_euclid(2));
        Some(match self {
            Lattice::Squares => (line, half(letter)?),
            Lattice::Hexes { flat: false, .. } => (line, half(letter - line)?),
            Lattice::Hexes { flat: true, .. } => {
                let column = half(letter)?;
                (half(line - column)?, column)
            }
        })
    }

    /// Sides and diagonals, then leaps as far as they have names.
    fn names(self) -> &'static [&'static str] {
        match self {
            Lattice::Squares => &SQUARE_NAMES,
            Lattice::Hexes { flat: false, .. } => &POINTY_NAMES,
            Lattice::Hexes { flat: true, .. } => &FLAT_NAMES,
        }
    }

    fn port_names(self) -> &'static [&'static str] {
        match self {
            Lattice::Squares => &SQUARE_PORTS,
            Lattice::Hexes { flat: false, .. } => &POINTY_PORTS,
            Lattice::Hexes { flat: true, .. } => &FLAT_PORTS,
        }
    }

    /// A direction's name; of a leap of hexes the sides it goes over.
    pub fn name(self, direction: u32) -> Option<String> {
        if let Some(name) = self.names().get(direction as usize) {
            return Some((*name).to_owned());
        }
        let leap = direction.checked_sub(2 * self.sides())?;
        let side = |at: u32| self.names()[(at % self.sides()) as usize];
        let (first, second) = (side(leap / 2), side(leap / 2 + 1));
        Some(match leap % 2 {
            0 => format!("{first}_{first}_{second}"),
            _ => format!("{first}_{second}_{second}"),
        })
    }

    pub fn port_name(self, port: u32) -> Option<&'static str> {
        self.port_names().get(port as usize).copied()
    }

    /// The names of the sides, and of the diagonals behind.
    pub fn side_names(self) -> &'static [&'static str] {
        &self.names()[..self.sides() as usize]
    }

    pub fn all_names(self) -> &'static [&'static str] {
        &self.names()[..2 * self.sides() as usize]
    }

    pub fn all_ports(self) -> &'static [&'static str] {
        self.port_names()
    }

    /// The side or diagonal of a name, a short or a long one.
    pub fn direction_named(self, word: &str) -> Option<u32> {
        let short = LONG_NAMES.iter().find(|(long, _)| *long == word);
        let word = short.map_or(word, |(_, short)| *short);
        let at = self.all_names().iter().position(|name| *name == word);
        at.map(|at| at as u32)
    }

    pub fn port_named(self, word: &str) -> Option<u32> {
        let at = self.port_names().iter().position(|name| *name == word);
        at.map(|at| at as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Lattice; 5] = [
        Lattice::Squares,
        Lattice::Hexes {
            flat: false,
            offset: false,
        },
        Lattice::Hexes {
            flat: false,
            offset: true,
        },
        Lattice::Hexes {
            flat: true,
            offset: false,
        },
        Lattice::Hexes {
            flat: true,
            offset: true,
        },
    ];

    fn plus(a: Coordinates, b: Coordinates) -> Coordinates {
        (a.0 + b.0, a.1 + b.1)
    }

    #[test]
    fn a_direction_and_the_one_back_lead_nowhere() {
        for lattice in ALL {
            for direction in 0..lattice.directions() {
                let back = lattice.back(direction);
                assert_eq!(plus(lattice.step(direction), lattice.step(back)), (0, 0));
                assert_eq!(lattice.back(back), direction);
            }
        }
    }

    #[test]
    fn a_full_turn_leads_back_and_steps_turn_with_it() {
        for lattice in ALL {
            let sides = lattice.sides();
            for direction in 0..lattice.directions() {
                assert_eq!(lattice.turned(direction, sides), direction);
                // Turning keeps how far a direction leads.
                let far = |d| lattice.distance((0, 0), lattice.step(d));
                assert_eq!(far(lattice.turned(direction, 1)), far(direction));
            }
            let sum = (0..sides).fold((0, 0), |sum, side| plus(sum, lattice.step(side)));
            assert_eq!(sum, (0, 0));
        }
    }

    /// Where places are drawn tells which direction a name means.
    #[test]
    fn names_tell_where_directions_lead() {
        for lattice in ALL {
            for (at, name) in lattice.all_names().iter().enumerate() {
                let step = lattice.step(at as u32);
                let (down, right) = match lattice {
                    Lattice::Squares => (step.0, step.1),
                    Lattice::Hexes { flat: false, .. } => (step.0, 2 * step.1 + step.0),
                    Lattice::Hexes { flat: true, .. } => (2 * step.0 + step.1, step.1),
                };
                assert_eq!(name.contains('n'), down < 0, "{lattice:?} {name}");
                assert_eq!(name.contains('s'), down > 0, "{lattice:?} {name}");
                assert_eq!(name.contains('e'), right > 0, "{lattice:?} {name}");
                assert_eq!(name.contains('w'), right < 0, "{lattice:?} {name}");
            }
        }
    }

    #[test]
    fn ports_face_each_other_and_turn_with_their_side() {
        for lattice in ALL {
            for port in 0..lattice.ports() {
                let faced = lattice.port_faces(port);
                assert_eq!(lattice.port_faces(faced), port);
                assert_eq!(
                    lattice.port_side(faced),
                    lattice.back(lattice.port_side(port))
                );
                let turned = lattice.port_turned(port, 1);
                assert_eq!(
                    lattice.port_side(turned),
                    lattice.turned(lattice.port_side(port), 1)
                );
                // Named by its side and the side it lies towards.
                let sides = lattice.sides();
                let beside = if port % 2 == 0 { sides - 1 } else { 1 };
                let name = |side: u32| lattice.side_names()[(side % sides) as usize];
                let side = lattice.port_side(port);
                let wanted = format!("{}_{}", name(side), name(side + beside));
                assert_eq!(lattice.port_name(port), Some(wanted.as_str()));
            }
        }
    }

    #[test]
    fn what_is_drawn_is_found_again() {
        for lattice in ALL {
            for row in -5..6 {
                for column in -5..6 {
                    let at = (row, column);
                    assert_eq!(lattice.written(lattice.straight(at)), at);
                    let straight = lattice.place_drawn(lattice.drawn(at));
                    assert_eq!(straight, Some(lattice.straight(at)));
                }
            }
        }
    }

    /// Rows of offset hexes that stand on a point begin one below the other, every second one half a place to the right.
    #[test]
    fn offset_rows_go_to_and_fro() {
        let hexes = Lattice::Hexes {
            flat: false,
            offset: true,
        };
        let begin: Vec<i32> = (1..5).map(|row| hexes.drawn((row, 1)).1).collect();
        assert_eq!(begin, [3, 4, 3, 4]);
        let flat = Lattice::Hexes {
            flat: true,
            offset: true,
        };
        let begin: Vec<i32> = (1..5).map(|column| flat.drawn((1, column)).0).collect();
        assert_eq!(begin, [3, 4, 3, 4]);
    }
}
