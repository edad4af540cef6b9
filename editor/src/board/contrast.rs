//! Whatever is drawn stands out from what it lies on, in light and in dark surroundings, whatever colours a game gives.

use super::palette::{Colour, Palette, Rgb};
use super::scene::{Form, Point, Rect, Scene, Shape, Stroke};

/// Least contrast of letters and what they lie on, as the Web Content Accessibility Guidelines measure it.
pub const LETTERS_MIN: f32 = 4.5;
/// Least contrast of anything else: of its fill or of its outline.
pub const THINGS_MIN: f32 = 3.0;
/// Of what is large, less is seen too: of its fill, and of its outline.
const AREAS_MIN: (f32, f32) = (1.3, 2.0);
/// What is as wide and high as this is large, in board units.
const AREA: f32 = 28.0;
/// An outline that has to tell a thing from its ground is no thinner, in board units.
const OUTLINE: f32 = 1.2;
/// How far the edge of a line reaches beyond it, on each side.
const EDGE: f32 = 1.2;
/// Points of a text that are looked at: beside one another, and below.
const LOOKS: (usize, usize) = (7, 3);

/// The least contrast of two colours in all surroundings.
pub fn least(one: Colour, other: Colour) -> f32 {
    let [light, dark] = [Palette::light(), Palette::dark()];
    let contrasts = [light, dark].map(|palette| palette.rgb(one).contrast(palette.rgb(other)));
    contrasts.into_iter().fold(f32::INFINITY, f32::min)
}

/// What a shape lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ground {
    /// Of the last filled thing below its middle.
    pub colour: Colour,
    /// All of a text lies on this colour.
    pub whole: bool,
    /// A line runs below a text.
    pub crossed: bool,
}

impl Scene {
    /// Gives letters another colour, things an outline and lines an edge where they would not be told from what they lie on.
    pub(super) fn contrasted(&mut self) {
        let grounds = self.grounds();
        let mut edged = Vec::new();
        for (at, (shape, ground)) in self.shapes.iter_mut().zip(grounds).enumerate() {
            let Some(ground) = ground else { continue };
            match &mut shape.form {
                Form::Text(text) => {
                    let of_surrounding = is_surrounding(ground.colour);
                    match text.halo {
                        Some(_) if ground.whole && !of_surrounding => {
                            text.halo = Some(ground.colour);
                        }
                        None if ground.crossed => text.halo = Some(ground.colour),
                        _ => {}
                    }
                    let below = text.halo.unwrap_or(ground.colour);
                    let ink = shape.fill.unwrap_or(Colour::Ink);
                    if least(ink, below) < LETTERS_MIN {
                        shape.fill = Some(below.ink());
                    }
                }
                Form::Polyline(_) => {
                    edged.extend(edge(shape, ground.colour).map(|edge| (at, edge)));
                }
                Form::Picture { .. } => {}
                Form::Rect { .. } | Form::Circle { .. } | Form::Polygon(_) => {
                    outline(shape, ground.colour);
                }
            }
        }
        self.lay_edges(edged);
    }

    /// What each shape lies on; none: nothing.
    pub fn grounds(&self) -> Vec<Option<Ground>> {
        let mut areas: Vec<(&Shape, Rect)> = Vec::new();
        let mut lines: Vec<(&Shape, Rect, usize)> = Vec::new();
        let mut grounds = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            let bounds = shape.bounds();
            let below = |point: Point| {
                let mut below = areas.iter().enumerate().rev();
                let found = below
                    .find(|(_, (other, bounds))| bounds.contains(point) && other.contains(point));
                found.and_then(|(at, (other, _))| Some((at, other.fill?)))
            };
            let middle = match &shape.form {
                Form::Polyline(points) => mean(points),
                _ => bounds.centre(),
            };
            let is_text = matches!(shape.form, Form::Text(_));
            grounds.push(below(middle).map(|(area, colour)| {
                let looks = || is_text.then(|| looks(bounds)).into_iter().flatten();
                let above =
                    |line: &&(&Shape, Rect, usize)| line.2 > area && line.1.overlaps(bounds);
                let near: Vec<&Shape> = match is_text {
                    true => lines.iter().filter(above).map(|line| line.0).collect(),
                    false => Vec::new(),
                };
                Ground {
                    colour,
                    whole: looks().all(|point| below(point).is_some_and(|one| one.1 == colour)),
                    crossed: near
                        .iter()
                        .any(|line| looks().any(|point| line.contains(point))),
                }
            }));
            match shape.form {
                Form::Text(_) | Form::Picture { .. } => {}
                Form::Polyline(_) => lines.push((shape, bounds, areas.len())),
                Form::Rect { .. } | Form::Circle { .. } | Form::Polygon(_) => {
                    if shape.fill.is_some() {
                        areas.push((shape, bounds));
                    }
                }
            }
        }
        grounds
    }

    /// Lays the edges of lines below them: below all of one thing, so that none cuts another part of it.
    fn lay_edges(&mut self, edges: Vec<(usize, Shape)>) {
        let first = |at: usize| {
            let part = |other: &usize| {
                let (one, other) = (&self.shapes[*other], &self.shapes[at]);
                matches!(one.form, Form::Polyline(_)) && one.subjects == other.subjects
            };
            let parts = (0..=at).rev().take_while(part);
            parts.last().unwrap_or(at)
        };
        let mut edges: Vec<(usize, Shape)> = edges
            .into_iter()
            .map(|(at, edge)| (first(at), edge))
            .collect();
        // What has an edge keeps it.
        edges.retain(|(place, edge)| {
            let below = self.shapes[..*place].iter().rev();
            let is_edge = |shape: &&Shape| {
                matches!(shape.form, Form::Polyline(_)) && shape.subjects.is_empty()
            };
            !below
                .take_while(is_edge)
                .any(|known| known.form == edge.form)
        });
        if edges.is_empty() {
            return;
        }
        let mut edges = edges.into_iter().peekable();
        let shapes = std::mem::take(&mut self.shapes);
        for (at, shape) in shapes.into_iter().enumerate() {
            while let Some((_, edge)) = edges.next_if(|(place, _)| *place <= at) {
                self.shapes.push(edge);
            }
            self.shapes.push(shape);
        }
    }
}

/// Points all over a text.
fn looks(rect: Rect) -> impl Iterator<Item = Point> {
    let step = |at: usize, count: usize| at as f32 / (count - 1) as f32;
    let points = (0..LOOKS.0).flat_map(|x| (0..LOOKS.1).map(move |y| (x, y)));
    points.map(move |(x, y)| {
        Point::new(
            rect.x + rect.width * step(x, LOOKS.0),
            rect.y + rect.height * step(y, LOOKS.1),
        )
    })
}

fn mean(points: &[Point]) -> Point {
    let count = points.len().max(1) as f32;
    let sum = points
        .iter()
        .fold((0.0, 0.0), |sum, point| (sum.0 + point.x, sum.1 + point.y));
    Point::new(sum.0 / count, sum.1 / count)
}

/// Of a surrounding, not of a game.
fn is_surrounding(colour: Colour) -> bool {
    !matches!(
        colour,
        Colour::Fixed(_) | Colour::Seat(_) | Colour::OnSeat(_)
    )
}

/// Gives a thing an outline that is seen, if neither its fill nor its own outline is.
fn outline(shape: &mut Shape, ground: Colour) {
    if !has_to_stand_out(shape) || stands_out(shape, ground) {
        return;
    }
    let own = shape.stroke;
    shape.stroke = Some(Stroke {
        colour: match is_surrounding(ground) {
            true => Colour::Muted,
            false => ground.ink(),
        },
        width: own.map_or(OUTLINE, |stroke| stroke.width.max(OUTLINE)),
        dashed: own.is_some_and(|stroke| stroke.dashed),
    });
}

/// What stands for something, or has a colour of the game. Decoration in the colours of the surrounding may be quiet.
pub fn has_to_stand_out(shape: &Shape) -> bool {
    let is_own = |colour: Option<Colour>| colour.is_some_and(|colour| !is_surrounding(colour));
    let stroke = shape.stroke.map(|stroke| stroke.colour);
    shape.fill.is_some() && (!shape.subjects.is_empty() || is_own(shape.fill) || is_own(stroke))
}

/// Whether a thing or line is told from what it lies on, by its fill or its line.
pub fn stands_out(shape: &Shape, ground: Colour) -> bool {
    let bounds = shape.bounds();
    let (filled, outlined) = match bounds.width.min(bounds.height) >= AREA {
        true => AREAS_MIN,
        false => (THINGS_MIN, THINGS_MIN),
    };
    let by_fill = shape.fill.is_some_and(|fill| least(fill, ground) >= filled);
    let stroke = shape.stroke.map(|stroke| stroke.colour);
    by_fill || stroke.is_some_and(|colour| least(colour, ground) >= outlined)
}

/// Gives a line in a colour of the surrounding another one, if it is not seen; the edge of one in a colour of its own.
fn edge(shape: &mut Shape, ground: Colour) -> Option<Shape> {
    let stroke = shape.stroke.as_mut()?;
    if least(stroke.colour, ground) >= THINGS_MIN {
        return None;
    }
    if is_surrounding(stroke.colour) {
        stroke.colour = ground.ink();
        return None;
    }
    let width = stroke.width + 2.0 * EDGE;
    Some(Shape::new(shape.form.clone()).stroked(ground.ink(), width))
}

impl Rgb {
    /// How light a colour is, from 0 for black to 1 for white.
    fn luminance(self) -> f32 {
        let [r, g, b] = self.0.map(|channel| {
            let share = f32::from(channel) / 255.0;
            match share <= 0.040_45 {
                true => share / 12.92,
                false => ((share + 0.055) / 1.055).powf(2.4),
            }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// From 1 for the same colour to 21 for black on white.
    pub fn contrast(self, other: Rgb) -> f32 {
        let [one, other] = [self, other].map(|colour| colour.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    /// A colour of letters that is read on this one.
    pub fn ink(self) -> Rgb {
        const BLACK: Rgb = Rgb([0, 0, 0]);
        // One of these is read on any colour.
        let inks = [Rgb([0x1a, 0x1a, 0x1a]), Rgb([0xff, 0xff, 0xff])];
        let mut read = inks.into_iter();
        let read = read.find(|ink| ink.contrast(self) >= LETTERS_MIN);
        read.unwrap_or(BLACK)
    }
}

#[cfg(test)]
mod tests {
    use super::super::canvas;
    use super::*;
    use crate::board::Subject;
    use dsl::ir::Domain;

    #[test]
    fn ink_is_read_on_any_colour() {
        let steps = (0..=255u8).step_by(5);
        for r in steps.clone() {
            for (g, b) in steps
                .clone()
                .flat_map(|g| steps.clone().map(move |b| (g, b)))
            {
                let ground = Rgb([r, g, b]);
                let contrast = ground.contrast(ground.ink());
                assert!(contrast >= LETTERS_MIN, "{ground:?}: {contrast}");
            }
        }
        let [black, white] = [Rgb([0, 0, 0]), Rgb([255, 255, 255])];
        assert!((black.contrast(white) - 21.0).abs() < 0.01);
        assert_eq!(Rgb::parse("#f0c419").map(Rgb::ink), Some(Rgb([0x1a; 3])));
        assert_eq!(Rgb::parse("#2a2a2a").map(Rgb::ink), Some(white));
        assert_eq!(Rgb::parse("red"), None);
    }

    /// A black line on a dark card gets an edge below both its parts, a white piece an outline; twice is as once.
    #[test]
    fn what_would_not_be_seen_is_edged() {
        let ends = [Point::new(-40.0, 0.0), Point::new(40.0, 0.0)];
        let black = Colour::Fixed(Rgb([0x10; 3]));
        let line = |end| {
            Shape::new(Form::Polyline(vec![end, Point::default()]))
                .stroked(black, 4.0)
                .standing_for(&[Subject::Element(Domain::Cell, 1)], "line")
        };
        let white = canvas::circle(Point::new(0.0, 30.0), 5.0)
            .filled(Colour::Fixed(Rgb([0xfa; 3])))
            .standing_for(&[Subject::Element(Domain::Player, 0)], "piece");
        let ground = canvas::boxed(Rect::around(Point::default(), 100.0, 100.0), 0.0);
        let mut scene = Scene {
            shapes: vec![
                ground.filled(Colour::Card),
                line(ends[0]),
                line(ends[1]),
                white,
            ],
            ..Scene::default()
        };
        scene.contrasted();
        let widths = |scene: &Scene| -> Vec<f32> {
            let strokes = scene.shapes.iter().flat_map(|shape| shape.stroke);
            strokes.map(|stroke| stroke.width).collect()
        };
        assert_eq!(widths(&scene), [6.4, 6.4, 4.0, 4.0, OUTLINE]);
        let once = scene.clone();
        scene.contrasted();
        assert_eq!(scene, once);
    }
}
