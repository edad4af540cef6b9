//! Sheets of paper: that they are what is said of them, and that something is on them.

use editor::board::Scene;
use editor::cli::Context;
use std::fs;
use std::path::Path;
use std::process::Command;
use tests::call::call;

fn context(folder: &Path) -> Context {
    Context {
        folder: folder.to_path_buf(),
        ..Context::default()
    }
}

fn games() -> String {
    format!("{}/../games", env!("CARGO_MANIFEST_DIR"))
}

/// The pages of a PDF, by what stands in it.
fn pages(pdf: &[u8]) -> (usize, String) {
    let text = String::from_utf8_lossy(pdf);
    let count = text.matches("/Type /Page\n").count();
    let size = text.split_once("/MediaBox [").map_or("", |(_, rest)| rest);
    (count, size.split(']').next().unwrap_or_default().to_owned())
}

#[test]
fn every_shipped_game_with_cards_prints() {
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    let mut printed = 0;
    for entry in fs::read_dir(&games).expect("the games").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.path().join("game.toml").is_file() {
            continue;
        }
        let arguments = ["--games", &games, "print", &name, "--pdf", "x.pdf"];
        let said = call(arguments, &context(home.path()), "");
        if said.err.contains("is a family") {
            continue;
        }
        assert_eq!(said.exit, 0, "{name}: {}{}", said.out, said.err);
        let (count, size) = pages(&fs::read(home.path().join("x.pdf")).expect("a file"));
        assert!(
            said.out.contains(&format!("{count} sheet")),
            "{name}: {count} pages, {}",
            said.out
        );
        assert!(
            size.starts_with("0 0 595.27") && size.contains("841.88"),
            "{name}: {size}"
        );
        printed += 1;
    }
    assert!(printed > 10, "{printed} games");
}

/// Pictures of a game's folder lie on sheets, on pictures of cards, and in drawings, which need nothing else then.
#[test]
fn own_pictures_are_printed_and_drawn() {
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    let print = "print salt-and-iron --what train --pdf x.pdf --png deck.png";
    let draw = "board salt-and-iron --svg map.svg";
    for line in [print, draw] {
        let arguments = ["--games", &games].into_iter().chain(line.split(' '));
        let said = call(arguments, &context(home.path()), "");
        assert_eq!(said.exit, 0, "{}{}", said.out, said.err);
    }
    let read = |name: &str| fs::read(home.path().join(name)).expect("a file");
    let pdf = String::from_utf8_lossy(&read("x.pdf")).into_owned();
    // Three trains, each with what is seen through it.
    assert_eq!(pdf.matches("/Subtype /Image").count(), 6);
    let deck = image::load_from_memory(&read("deck-train-1.png")).expect("a picture");
    let blue = image::Rgb([0x2f, 0x5f, 0x9e]);
    let found = deck
        .to_rgb8()
        .pixels()
        .filter(|pixel| **pixel == blue)
        .count();
    assert!(found > 1_000, "{found} pixels of a flyer's blue");
    let svg = String::from_utf8_lossy(&read("map.svg")).into_owned();
    assert_eq!(svg.matches("<image ").count(), 2);
    assert_eq!(
        svg.matches("<image ").count(),
        svg.matches("href=\"data:image/svg+xml;base64,").count()
    );
    assert!(svg.contains("<use href=\"#picture:salt-and-iron/pictures/salt.svg\""));
}

/// A board as large as its parts.
#[test]
fn boards_are_cut_into_sheets_that_overlap() {
    use editor::board::Rect;
    use editor::print::{MARGIN, OVERLAP, Size, board};
    let scene = Scene::default();
    let part = Rect::new(0.0, 0.0, 400.0, 200.0);
    let room = Size::A4.width - 2.0 * MARGIN;
    let sheets = |width: f32| board(&scene, part, "Map", width, Size::A4).map(|pages| pages.len());
    assert_eq!(sheets(room), Ok(1));
    assert_eq!(sheets(room + 1.0), Ok(2));
    assert_eq!(sheets(2.0 * room - OVERLAP), Ok(2));
    assert_eq!(sheets(2.0 * room - OVERLAP + 1.0), Ok(3));
    assert!(sheets(90_000.0).is_err());
}

#[test]
fn printed_sheets_are_not_blank() {
    if Command::new("pdftoppm").arg("-v").output().is_err() {
        println!("skipped: there is no `pdftoppm`");
        return;
    }
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    let arguments = [
        "--games",
        &games,
        "print",
        "ticket-to-ride-usa",
        "--what",
        "ticket",
        "--pdf",
        "x.pdf",
        "--png",
        "deck.png",
    ];
    let said = call(arguments, &context(home.path()), "");
    assert_eq!(said.exit, 0, "{}{}", said.out, said.err);
    let done = Command::new("pdftoppm")
        .args(["-r", "50", "-png", "x.pdf", "page"])
        .current_dir(home.path())
        .status();
    assert!(done.expect("it runs").success());
    let mut seen = 0;
    for entry in fs::read_dir(home.path()).expect("a folder").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "png") {
            continue;
        }
        let picture = image::open(&path).expect("a picture").to_rgb8();
        let dark = picture
            .pixels()
            .filter(|pixel| pixel.0.iter().all(|part| *part < 140))
            .count();
        assert!(dark > 200, "{}: {dark} dark pixels", path.display());
        seen += 1;
    }
    assert!(seen > 3, "{seen} pictures");
}
