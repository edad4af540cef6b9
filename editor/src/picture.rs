//! One's own pictures, PNG or SVG: whether they can be drawn, and their pixels. SVG is drawn here in the size wanted, so that all
//! that paints knows pixels only.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use dsl::source::Picture;
use image::imageops::FilterType;
use image::{ImageFormat, ImageReader, Limits, RgbaImage};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Group, ImageHrefResolver, Node, Options, Tree, roxmltree};
use std::io::Cursor;

/// Greatest number of pixels beside one another, and below.
pub const PIXELS_MAX: u32 = 4096;
/// Elements of an SVG lie no deeper in one another.
const DEPTH_MAX: usize = 100;

fn is_svg(path: &str) -> bool {
    path.to_lowercase().ends_with(".svg")
}

/// Width and height of a picture as it says them.
///
/// # Errors
/// What is wrong with it, behind its name, and what to do.
pub fn read(path: &str, bytes: &[u8]) -> Result<(f32, f32), (String, String)> {
    if is_svg(path) {
        let size = tree(bytes)?.size();
        return Ok((size.width(), size.height()));
    }
    let picture = decoded(bytes)?;
    Ok((picture.width() as f32, picture.height() as f32))
}

/// The pixels of a picture, of which the longer side has `longest`, or as many as the picture has itself. None if it cannot be drawn.
pub fn pixels(picture: &Picture, longest: u32) -> Option<RgbaImage> {
    let (width, height) = picture.size()?;
    let longest = longest.clamp(1, PIXELS_MAX);
    let scale = longest as f32 / width.max(height);
    let sides = [width, height].map(|side| ((side * scale).round() as u32).clamp(1, PIXELS_MAX));
    if !is_svg(picture.path()) {
        let own = decoded(picture.bytes()).ok()?;
        return Some(match scale < 1.0 {
            true => image::imageops::resize(&own, sides[0], sides[1], FilterType::Triangle),
            false => own,
        });
    }
    let tree = tree(picture.bytes()).ok()?;
    let mut pixmap = Pixmap::new(sides[0], sides[1])?;
    let to_fit = Transform::from_scale(sides[0] as f32 / width, sides[1] as f32 / height);
    resvg::render(&tree, to_fit, &mut pixmap.as_mut());
    let plain = pixmap.pixels().iter().flat_map(|pixel| {
        let plain = pixel.demultiply();
        [plain.red(), plain.green(), plain.blue(), plain.alpha()]
    });
    RgbaImage::from_raw(sides[0], sides[1], plain.collect())
}

/// The whole file as an address that needs nothing from outside.
pub fn address(picture: &Picture) -> String {
    let kind = match is_svg(picture.path()) {
        true => "image/svg+xml",
        false => "image/png",
    };
    format!("data:{kind};base64,{}", STANDARD.encode(picture.bytes()))
}

fn decoded(bytes: &[u8]) -> Result<RgbaImage, (String, String)> {
    if bytes.is_empty() {
        return Err(("is empty".into(), "save the picture again".into()));
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_image_width = Some(PIXELS_MAX);
    limits.max_image_height = Some(PIXELS_MAX);
    reader.limits(limits);
    match reader.decode() {
        Ok(picture) => Ok(picture.into_rgba8()),
        Err(image::ImageError::Limits(_)) => Err((
            format!("is larger than {PIXELS_MAX} times {PIXELS_MAX} pixels"),
            "make it smaller".into(),
        )),
        Err(error) => Err((
            format!("cannot be read as PNG: {}", in_words(&error.to_string())),
            "save it again as PNG; another kind of picture does not become one by its name".into(),
        )),
    }
}

/// What another library says, as a part of a sentence.
fn in_words(text: &str) -> String {
    let text = text.split_once("Png: ").map_or(text, |(_, why)| why);
    let text = text.trim().trim_end_matches('.');
    let mut letters = text.chars();
    // `SVG` and the like stay as they are.
    let is_name = text.chars().nth(1).is_some_and(char::is_uppercase);
    match letters.next() {
        Some(first) if !is_name => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

fn tree(bytes: &[u8]) -> Result<Tree, (String, String)> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        let help = "save it as plain SVG in UTF-8 (not compressed as SVGZ)";
        ("is no text, as SVG is".to_owned(), help.to_owned())
    })?;
    let broken = |why: String| {
        let help = "save it again as plain SVG";
        let message = format!("cannot be read as SVG: {}", in_words(&why));
        (message, help.to_owned())
    };
    let document = roxmltree::Document::parse(text).map_err(|error| match error {
        roxmltree::Error::DtdDetected => (
            "begins with a document type, which is not read".to_owned(),
            "take out all of `<!DOCTYPE …>`, or save it as plain SVG".to_owned(),
        ),
        error => broken(error.to_string()),
    })?;
    for node in document.descendants() {
        if node.ancestors().take(DEPTH_MAX + 1).count() > DEPTH_MAX {
            return Err((
                format!("has elements that lie more than {DEPTH_MAX} deep in one another"),
                "take its groups apart".into(),
            ));
        }
        let (message, help) = match node.tag_name().name() {
            "text" => (
                "holds letters, which look otherwise on each machine",
                "turn its letters into paths (in Inkscape: Path › Object to Path)",
            ),
            "image" => (
                "holds another picture",
                "draw it with shapes alone, or save all of it as PNG",
            ),
            "foreignObject" => (
                "holds something that is no drawing (`foreignObject`)",
                "draw it with shapes alone, or save all of it as PNG",
            ),
            _ => continue,
        };
        return Err((message.to_owned(), help.to_owned()));
    }
    // No file is opened, whatever it names.
    let options = Options {
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree =
        Tree::from_xmltree(&document, &options).map_err(|error| broken(error.to_string()))?;
    match draws(tree.root()) {
        true => Ok(tree),
        false => Err((
            "draws nothing".to_owned(),
            "draw shapes with a `fill` or a `stroke` in it".to_owned(),
        )),
    }
}

/// Whether anything lies in a group, however deep.
fn draws(group: &Group) -> bool {
    group.children().iter().any(|node| match node {
        Node::Group(inner) => draws(inner),
        Node::Path(_) | Node::Image(_) | Node::Text(_) => true,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="10" height="10" fill="#ff0000"/></svg>"##;

    fn svg(text: &str) -> Result<(f32, f32), (String, String)> {
        read("a/b.svg", text.as_bytes())
    }

    fn inner(text: &str) -> String {
        SQUARE.replace("</svg>", &format!("{text}</svg>"))
    }

    #[test]
    fn shapes_become_pixels_in_the_size_wanted() {
        let picture = Picture::new("a/b.svg".into(), SQUARE.into(), read);
        assert_eq!(picture.size(), Some((20.0, 10.0)));
        let found = pixels(&picture, 40).expect("drawn");
        assert_eq!(found.dimensions(), (40, 20));
        assert_eq!(found.get_pixel(5, 5).0, [255, 0, 0, 255]);
        assert_eq!(found.get_pixel(30, 5).0[3], 0);
    }

    #[test]
    fn a_large_png_becomes_smaller_and_no_larger() {
        let mut file = Cursor::new(Vec::new());
        let own = RgbaImage::from_pixel(60, 30, image::Rgba([1, 2, 3, 255]));
        own.write_to(&mut file, ImageFormat::Png).expect("written");
        let picture = Picture::new("a/b.png".into(), file.into_inner(), read);
        assert_eq!(pixels(&picture, 20).expect("drawn").dimensions(), (20, 10));
        assert_eq!(pixels(&picture, 900).expect("drawn").dimensions(), (60, 30));
        assert!(address(&picture).starts_with("data:image/png;base64,iVBOR"));
    }

    #[test]
    fn what_cannot_be_drawn_is_told() {
        let told = |found: Result<(f32, f32), (String, String)>| found.expect_err("a fault").0;
        assert!(told(svg("<svg")).starts_with("cannot be read as SVG"));
        let typed = format!("<!DOCTYPE svg PUBLIC \"a\" \"b\">{SQUARE}");
        let (message, help) = svg(&typed).expect_err("a fault");
        assert!(message.contains("document type") && help.contains("<!DOCTYPE"));
        assert_eq!(
            in_words("SVG has an invalid size"),
            "SVG has an invalid size"
        );
        assert_eq!(in_words("Invalid size."), "invalid size");
        let empty = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g/></svg>";
        assert_eq!(told(svg(empty)), "draws nothing");
        assert!(told(svg(&inner("<foreignObject/>"))).contains("foreignObject"));
        assert!(told(svg(&inner("<text>a</text>"))).contains("letters"));
        assert!(told(svg(&inner("<image href='/etc/hostname'/>"))).contains("another picture"));
        let deep = format!("{}{}", "<g>".repeat(4_000), "</g>".repeat(4_000));
        let deep = told(svg(&inner(&deep)));
        assert!(
            deep.contains("deep") || deep.starts_with("cannot be read"),
            "{deep}"
        );
        assert!(told(read("a/b.svg", b"\xff\x00")).contains("no text"));
        assert!(told(read("a/b.png", b"")).contains("is empty"));
        assert!(told(read("a/b.png", b"GIF89a")).starts_with("cannot be read as PNG"));
    }
}
