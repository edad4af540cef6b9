//! Sheets of paper: that they are what is said of them, and that something is on them.

use editor::board::{Colour, Form, Point, Rect, Scene, Shape};
use editor::cli::Context;
use editor::print::{MARGIN, OVERLAP, Size, board};
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

/// What stands above a sheet of several.
const SHEET: &str = "{title}: row {row} of {rows}, column {column} of {columns} ({sheets} sheets, which overlap by {overlap} mm)";

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
            size.contains("595.27") && size.contains("841.88"),
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

#[test]
fn boards_are_cut_into_sheets_that_overlap() {
    let (part, scene) = dotted();
    let pages = |part: Rect, width: Option<f32>| {
        let made = board(&scene, part, ("Map", SHEET), width, Size::A4);
        made.map(|(pages, width)| (pages.len(), pages[0].paper.width, width.round()))
    };
    let sheets = |width: f32| pages(part, Some(width));
    let (upright, lying) = (Size::A4.width, Size::A4.height);
    let room = lying - 2.0 * MARGIN;
    // Twice as wide as high: a sheet lies, where that takes fewer.
    assert_eq!(sheets(190.0), Ok((1, upright, 190.0)));
    assert_eq!(sheets(191.0), Ok((1, lying, 191.0)));
    assert_eq!(sheets(room), Ok((1, lying, room)));
    assert_eq!(sheets(room + 1.0), Ok((2, upright, room + 1.0)));
    assert_eq!(
        sheets(3.0 * 190.0 - 2.0 * OVERLAP - 2.0),
        Ok((3, upright, 552.0))
    );
    assert!(sheets(90_000.0).is_err());
    // What is a little larger than a sheet is made to fit; what is much larger stays as it is.
    let part_of = |width: f32| Rect { width, ..part };
    assert_eq!(pages(part_of(300.0), None), Ok((1, lying, 277.0)));
    assert_eq!(pages(part, None), Ok((3, upright, 400.0)));
}

/// A ground with dots all over it.
fn dotted() -> (Rect, Scene) {
    let part = Rect::new(0.0, 0.0, 400.0, 200.0);
    let ground = Form::Rect {
        rect: part,
        corner: 6.0,
        turn: 0.0,
    };
    let dot = |at: i32| Form::Circle {
        centre: Point::new((at % 40 * 10) as f32, (at / 40 * 10) as f32),
        radius: 2.0,
    };
    let mut shapes = vec![Shape::new(ground).filled(Colour::Card)];
    shapes.extend((0..800).map(|at| Shape::new(dot(at)).filled(Colour::Ink)));
    let scene = Scene {
        shapes,
        ..Scene::default()
    };
    (part, scene)
}

#[test]
fn sheets_on_which_nothing_lies_are_left_out() {
    let (part, mut scene) = dotted();
    let sheets = |scene: &Scene| board(scene, part, ("Map", SHEET), Some(900.0), Size::A4);
    let all = sheets(&scene).expect("sheets").0.len();
    // The ground, and the dot in its corner.
    scene.shapes.truncate(2);
    assert_eq!(sheets(&scene).map(|(pages, _)| pages.len()), Ok(1));
    assert!(all > 8, "{all} sheets");
}

/// What is said, and whether it is done.
#[test]
fn what_cannot_be_printed_is_told() {
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    let usa = "print ticket-to-ride-usa";
    for (line, exit, expected) in [
        (
            format!("{usa} --what board --png b.png"),
            2,
            "`--png` draws cards, not `board`",
        ),
        (usa.to_owned(), 2, "`--png FILE`"),
        (
            "print hex --what cards --pdf x.pdf".to_owned(),
            2,
            "the board of hex shows no cards",
        ),
        (
            format!("{usa} --pdf x.pdf --card 1x1"),
            2,
            "from 5 to 5000 mm",
        ),
        (
            format!("{usa} --with five-keep-two --changed --pdf x.pdf"),
            0,
            "there is nothing to print",
        ),
        (
            "print cube-express --what goal --card 9x9 --pdf small.pdf".to_owned(),
            0,
            "does not fit in letters of 2.1 mm and is cut off",
        ),
    ] {
        let arguments = ["--games", &games].into_iter().chain(line.split(' '));
        let said = call(arguments, &context(home.path()), "");
        let all = format!("{}{}", said.out, said.err);
        assert_eq!(said.exit, exit, "{line}: {all}");
        assert!(all.contains(expected), "{line}: {all}");
    }
    let made = fs::read_dir(home.path()).expect("a folder").flatten();
    let made: Vec<_> = made.map(|entry| entry.file_name()).collect();
    assert_eq!(made, ["small.pdf"]);
}

/// On cards of usual sizes all texts of all games are there, and none is told as cut.
#[test]
fn texts_of_shipped_games_fit() {
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    for line in [
        "print cube-express --card mini-euro --pdf x.pdf",
        "print cube-express --card square --pdf x.pdf",
        "print schwarze-lok --card square --pdf x.pdf",
        "print railroad-revolution --pdf x.pdf",
    ] {
        let arguments = ["--games", &games].into_iter().chain(line.split(' '));
        let said = call(arguments, &context(home.path()), "");
        assert_eq!(said.exit, 0, "{line}: {}{}", said.out, said.err);
        assert!(!said.out.contains("does not fit"), "{line}: {}", said.out);
    }
}

/// Pictures of several decks: none is there if one cannot be written.
#[test]
fn pictures_are_written_all_or_none() {
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    let blocked = home.path().join("deck-ticket-1.png");
    fs::create_dir(&blocked).expect("a folder");
    let arguments = [
        "--games",
        &games,
        "print",
        "ticket-to-ride-usa",
        "--png",
        "deck.png",
    ];
    let said = call(arguments, &context(home.path()), "");
    assert_eq!(said.exit, 2, "{}{}", said.out, said.err);
    let left = fs::read_dir(home.path()).expect("a folder").count();
    assert_eq!(left, 1, "{}{}", said.out, said.err);
}

/// Of a variant with new tickets only these are printed, and the old ones are taken out.
#[test]
fn a_variant_prints_what_it_uses() {
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    let line = "print ticket-to-ride-usa --with usa-1910 --changed --pdf x.pdf";
    let arguments = ["--games", &games].into_iter().chain(line.split(' '));
    let said = call(arguments, &context(home.path()), "");
    assert_eq!(said.exit, 0, "{}{}", said.out, said.err);
    let number = |begin: &str| -> u32 {
        let rest = said.out.split(begin).nth(1).unwrap_or_default();
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    };
    // A new ticket that looks as an old one is not printed, and the old one is not taken out.
    let (printed, out) = (
        number("ticket (destination ticket): "),
        number("ticket (destination ticket): take out "),
    );
    assert!(printed > 0 && printed <= 35, "{}", said.out);
    assert_eq!(printed + 30 - out, 35, "{}", said.out);
    assert!(!said.out.contains("()"), "{}", said.out);
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

/// A number with the digit of a level does not say the level: each card has its sign.
#[test]
fn what_a_colour_stands_for_is_on_every_card() {
    if Command::new("pdftotext").arg("-v").output().is_err() {
        println!("skipped: there is no `pdftotext`");
        return;
    }
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    let line = "print schwarze-lok --what card --no-backs --pdf x.pdf";
    let arguments = ["--games", &games].into_iter().chain(line.split(' '));
    let said = call(arguments, &context(home.path()), "");
    assert!(
        said.out.contains("card: 149 cards"),
        "{}{}",
        said.out,
        said.err
    );
    let text = Command::new("pdftotext")
        .args(["x.pdf", "-"])
        .current_dir(home.path())
        .output();
    let text = String::from_utf8_lossy(&text.expect("it runs").stdout).into_owned();
    let signs = text
        .lines()
        .filter(|line| ["1", "2", "3"].contains(&line.trim()));
    assert_eq!(signs.count(), 149);
}

/// What stands on sheets can be found and copied, each where it is seen; of a font there is no more than these letters.
#[test]
fn words_on_sheets_are_found() {
    if Command::new("pdftotext").arg("-v").output().is_err() {
        println!("skipped: there is no `pdftotext`");
        return;
    }
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    for (line, found) in [
        (
            "print ticket-to-ride-usa --what ticket --pdf x.pdf",
            "Los Angeles",
        ),
        (
            "print ticket-to-ride-usa --what board --board-width 600 --pdf x.pdf",
            "Kansas City",
        ),
        (
            "rules ticket-to-ride-maerklin --language de --pdf x.pdf",
            "Märklin",
        ),
        // Backs, signs and notes speak the language.
        (
            "print ticket-to-ride-maerklin --language de --what card --pdf x.pdf",
            "Wagenkarte",
        ),
        (
            "print ticket-to-ride-maerklin --language de --what card --no-backs --pdf x.pdf",
            "Lok",
        ),
        (
            "print ticket-to-ride-maerklin --language de --what board --pdf x.pdf",
            "Reihe 3 von 3, Spalte 3 von 3",
        ),
    ] {
        let arguments = ["--games", &games].into_iter().chain(line.split(' '));
        let said = call(arguments, &context(home.path()), "");
        assert_eq!(said.exit, 0, "{line}: {}{}", said.out, said.err);
        let text = Command::new("pdftotext")
            .args(["x.pdf", "-"])
            .current_dir(home.path())
            .output();
        let text = text.expect("it runs");
        assert!(
            text.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&text.stderr)
        );
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        assert!(text.contains(found), "{line}: {text}");
        if line.contains("board") {
            assert!(text.matches(found).count() <= 2, "{line}: {text}");
        }
    }
}

/// For letters that no font has a box stands; it is told where, and they are found all the same. Signs of games are there.
#[test]
fn letters_that_no_font_has_are_told() {
    let home = tempfile::tempdir().expect("a folder");
    let run = |line: &str| {
        let said = call(line.split(' '), &context(home.path()), "");
        assert_eq!(said.exit, 0, "{line}: {}{}", said.out, said.err);
        said.out + &said.err
    };
    run("new game tea --like cards");
    let game = home.path().join("games/tea");
    let change = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(game.join(name)).expect("a file");
        assert!(text.contains(from), "{name}: {text}");
        fs::write(game.join(name), text.replace(from, to)).expect("written");
    };
    change("components/cards.toml", "id = ", "printed = \"⚀ ♠\"\nid = ");
    change(
        "components/cards.toml",
        "printed = \"⚀ ♠\"\nid = \"two\"",
        "printed = \"日本 ♥\"\nid = \"two\"",
    );
    change(
        "board.toml",
        "\"{c.value}\"",
        "\"{c.value}\", \"{c.printed}\"",
    );
    let said = run("print tea --what cards --pdf x.pdf");
    assert!(
        said.contains("on 1 card: two (`printed`: 日本); give"),
        "{said}"
    );
    if let Ok(text) = Command::new("pdftotext")
        .args(["x.pdf", "-"])
        .current_dir(home.path())
        .output()
    {
        let text = String::from_utf8_lossy(&text.stdout).into_owned();
        for found in ["日本", "♥", "⚀", "♠", "queen"] {
            assert!(text.contains(found), "{found}: {text}");
        }
    }
    change(
        "board.toml",
        "text = [",
        "back = \"worth {c.value}\"\ntext = [",
    );
    let said = run("print tea --what cards --pdf x.pdf");
    assert!(
        said.contains("card (worth 10): 4 cards on 2 sheets"),
        "{said}"
    );
}

/// A font has the letters that are used, once for all sheets.
#[test]
fn rulebooks_are_small() {
    let home = tempfile::tempdir().expect("a folder");
    let games = games();
    let line = "rules ticket-to-ride-maerklin --pdf x.pdf";
    let arguments = ["--games", &games].into_iter().chain(line.split(' '));
    let said = call(arguments, &context(home.path()), "");
    assert_eq!(said.exit, 0, "{}{}", said.out, said.err);
    let size = fs::metadata(home.path().join("x.pdf"))
        .expect("a file")
        .len();
    assert!(size < 400_000, "{size} bytes");
}
