//! How a game looks: one display list for every game, written as SVG here and painted by the window.

mod palette;
mod scene;

pub use palette::{Colour, Palette, Rgb};
pub use scene::{
    Anchor, Area, Form, Pattern, Point, Rect, Scene, Shape, Size, Stroke, Subject, Text,
};
