//! Colours by what they mean, and what they are in a light and a dark surrounding.

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(pub [u8; 3]);

/// What a colour is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Colour {
    /// Text and outlines.
    Ink,
    /// Text of less weight, thin lines.
    Muted,
    /// What everything lies on.
    Paper,
    /// Boxes, cards and boards that lie on the paper.
    Card,
    /// Marks what is meant just now.
    Highlight,
    /// What belongs to a seat, counted from 0.
    Seat(u32),
    /// Text on what belongs to a seat.
    OnSeat(u32),
    /// Of a component: the same in every surrounding.
    Fixed(Rgb),
}

impl Colour {
    /// The colour of text that lies on this one.
    pub fn ink(self) -> Colour {
        match self {
            Colour::Seat(seat) => Colour::OnSeat(seat),
            Colour::Fixed(rgb) => Colour::Fixed(rgb.ink()),
            Colour::Ink | Colour::Muted => Colour::Paper,
            _ => Colour::Ink,
        }
    }
}

impl Rgb {
    /// `#2a5caa`
    pub fn parse(text: &str) -> Option<Rgb> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        Some(Rgb([
            (number >> 16) as u8,
            (number >> 8) as u8,
            number as u8,
        ]))
    }
}

/// Colours of one surrounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    pub ink: Rgb,
    pub muted: Rgb,
    pub paper: Rgb,
    pub card: Rgb,
    pub highlight: Rgb,
    /// Used over again where there are more seats.
    pub seats: Vec<Rgb>,
}

/// Seats whose colours no game gives: told apart by the colour-blind too (Okabe and Ito).
const SEATS: [Rgb; 6] = [
    Rgb([0x00, 0x72, 0xb2]),
    Rgb([0xd5, 0x5e, 0x00]),
    Rgb([0x00, 0x9e, 0x73]),
    Rgb([0xf0, 0xc4, 0x19]),
    Rgb([0xcc, 0x79, 0xa7]),
    Rgb([0x3a, 0x3a, 0x3a]),
];

impl Palette {
    pub fn light() -> Palette {
        Palette {
            ink: Rgb([0x22, 0x25, 0x2b]),
            muted: Rgb([0x62, 0x68, 0x70]),
            paper: Rgb([0xf4, 0xf1, 0xea]),
            card: Rgb([0xfd, 0xfc, 0xf9]),
            highlight: Rgb([0xc2, 0x18, 0x7a]),
            seats: SEATS.to_vec(),
        }
    }

    pub fn dark() -> Palette {
        Palette {
            ink: Rgb([0xe8, 0xe6, 0xe1]),
            muted: Rgb([0x9a, 0xa0, 0xa8]),
            paper: Rgb([0x1f, 0x22, 0x27]),
            card: Rgb([0x2c, 0x30, 0x37]),
            highlight: Rgb([0xff, 0x7a, 0xc4]),
            seats: SEATS.to_vec(),
        }
    }

    pub fn rgb(&self, colour: Colour) -> Rgb {
        match colour {
            Colour::Ink => self.ink,
            Colour::Muted => self.muted,
            Colour::Paper => self.paper,
            Colour::Card => self.card,
            Colour::Highlight => self.highlight,
            Colour::Seat(seat) => self.seat(seat),
            Colour::OnSeat(seat) => self.seat(seat).ink(),
            Colour::Fixed(rgb) => rgb,
        }
    }

    fn seat(&self, seat: u32) -> Rgb {
        let count = self.seats.len().max(1);
        let found = self.seats.get(seat as usize % count);
        found.copied().unwrap_or(self.muted)
    }
}
