//! The way of a walk over a board: a line through what its steps go along and come to.

use super::scene::{Point, Rect, Scene, Subject};

/// The line through steps, each with what it goes along, if that is something, and what it comes to. What the board does not
/// show is left out.
pub fn line(scene: &Scene, steps: &[Vec<Subject>]) -> Vec<Point> {
    let mut line: Vec<Point> = Vec::new();
    for step in steps {
        let places: Vec<Point> = step.iter().filter_map(|one| middle(scene, *one)).collect();
        if let ([along, to, ..], true) = (places.as_slice(), line.is_empty()) {
            // A link is straight: it begins as far from its middle as it ends.
            line.push(Point::new(2.0 * along.x - to.x, 2.0 * along.y - to.y));
        }
        line.extend(places);
    }
    line.dedup();
    line
}

/// The middle of all that stands for something before all else.
fn middle(scene: &Scene, subject: Subject) -> Option<Point> {
    let shapes = scene.shapes.iter();
    let own = shapes.filter(|shape| shape.subjects.first() == Some(&subject));
    let all = own.map(|shape| shape.bounds()).reduce(Rect::union)?;
    Some(all.centre())
}

#[cfg(test)]
mod tests {
    use super::super::canvas;
    use super::*;
    use dsl::ir::Domain;

    #[test]
    fn a_walk_goes_from_place_to_place_along_its_links() {
        let place = |at| Subject::Element(Domain::Cell, at);
        let link = Subject::Element(Domain::Player, 0);
        let shape =
            |x, subject| canvas::circle(Point::new(x, 5.0), 1.0).standing_for(&[subject], "");
        let scene = Scene {
            shapes: vec![shape(0.0, place(0)), shape(8.0, place(1)), shape(4.0, link)],
            ..Scene::default()
        };
        let found = line(&scene, &[vec![link, place(1)], vec![place(9)]]);
        let expected = [0.0, 4.0, 8.0].map(|x| Point::new(x, 5.0));
        assert_eq!(found, expected);
    }
}
