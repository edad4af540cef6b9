//! Where the sides of a place lie in a picture: squares, hexes that stand on a point, hexes that lie on a side.

use super::scene::{Point, Rect};
use dsl::ir::Lattice;

/// How places lie, for pictures.
#[derive(Clone, Copy, Debug)]
pub struct Sides(pub Lattice);

impl Sides {
    /// The middle of a side, in the order of the rules.
    pub fn middle(self, rect: Rect, side: i32) -> Option<Point> {
        let angle = self.angle(side)?;
        Some(away(rect, angle, 1.0))
    }

    /// The middle of a port: the two halves of each side, clockwise.
    pub fn port(self, rect: Rect, port: i32) -> Option<Point> {
        let angle = self.angle(port.div_euclid(2))?;
        let middle = away(rect, angle, 1.0);
        // Half a side, where the way from the middle to it is 1.
        let half = (std::f32::consts::PI / self.count() as f32).tan();
        let shift = if port % 2 == 0 { -half } else { half } / 2.0;
        let end = away(rect, angle + std::f32::consts::FRAC_PI_2, shift);
        let centre = rect.centre();
        Some(Point::new(
            middle.x + end.x - centre.x,
            middle.y + end.y - centre.y,
        ))
    }

    /// The corners of a hex; of a game without any it lies on a side.
    pub fn hex(self, rect: Rect) -> Vec<Point> {
        let pointy = matches!(self.0, Lattice::Hexes { flat: false, .. });
        let first = if pointy {
            0.0
        } else {
            std::f32::consts::FRAC_PI_6
        };
        let reach = 1.0 / std::f32::consts::FRAC_PI_6.cos();
        (0..6)
            .map(|corner| {
                let angle = first + corner as f32 * std::f32::consts::FRAC_PI_3;
                away(rect, angle, reach)
            })
            .collect()
    }

    /// Width and height of a hex, by how far two of its sides that lie across are apart.
    pub fn around(self, across: f32) -> (f32, f32) {
        let corners = across / std::f32::consts::FRAC_PI_6.cos();
        match self.0 {
            Lattice::Hexes { flat: false, .. } => (across, corners),
            _ => (corners, across),
        }
    }

    fn count(self) -> i32 {
        self.0.sides() as i32
    }

    /// Clockwise from the north.
    fn angle(self, side: i32) -> Option<f32> {
        let one = std::f32::consts::TAU / self.count() as f32;
        let first = match self.0 {
            Lattice::Hexes { flat: false, .. } => one / 2.0,
            Lattice::Squares | Lattice::Hexes { flat: true, .. } => 0.0,
        };
        (0..self.count())
            .contains(&side)
            .then_some(first + side as f32 * one)
    }
}

/// From the middle of a rectangle in a direction; 1 is as far as its sides are.
fn away(rect: Rect, angle: f32, reach: f32) -> Point {
    let centre = rect.centre();
    Point::new(
        centre.x + angle.sin() * reach * rect.width / 2.0,
        centre.y - angle.cos() * reach * rect.height / 2.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINTY: Sides = Sides(Lattice::Hexes {
        flat: false,
        offset: false,
    });
    const FLAT: Sides = Sides(Lattice::Hexes {
        flat: true,
        offset: false,
    });

    fn near(point: Option<Point>, x: f32, y: f32) -> bool {
        point.is_some_and(|point| (point.x - x).abs() < 0.01 && (point.y - y).abs() < 0.01)
    }

    fn rect() -> Rect {
        Rect::around(Point::new(0.0, 0.0), 100.0, 100.0)
    }

    #[test]
    fn squares() {
        let sides = Sides(Lattice::Squares);
        assert!(near(sides.middle(rect(), 0), 0.0, -50.0));
        assert!(near(sides.middle(rect(), 1), 50.0, 0.0));
        assert!(near(sides.port(rect(), 0), -25.0, -50.0));
        assert!(near(sides.port(rect(), 3), 50.0, 25.0));
        assert!(near(sides.port(rect(), 7), -50.0, -25.0));
        assert_eq!(sides.middle(rect(), 4), None);
        assert_eq!(sides.port(rect(), -1), None);
    }

    /// A side of a hex goes from corner to corner, and a port is a quarter of it away from its middle.
    #[test]
    fn hexes() {
        for sides in [POINTY, FLAT] {
            let corners = sides.hex(rect());
            for side in 0..6 {
                let middle = sides.middle(rect(), side).expect("a side");
                let halves = |a: Point, b: Point| ((a.x + b.x) / 2.0, (a.y + b.y) / 2.0);
                let (from, to) = (0..6)
                    .map(|at| (corners[at], corners[(at + 1) % 6]))
                    .find(|(a, b)| near(Some(middle), halves(*a, *b).0, halves(*a, *b).1))
                    .expect("between two corners");
                let (x, y) = halves(from, middle);
                assert!(near(sides.port(rect(), 2 * side), x, y));
                let (x, y) = halves(middle, to);
                assert!(near(sides.port(rect(), 2 * side + 1), x, y));
            }
        }
        assert!(near(FLAT.middle(rect(), 0), 0.0, -50.0));
        assert!(near(POINTY.middle(rect(), 1), 50.0, 0.0));
    }
}
