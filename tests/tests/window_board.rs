//! The board panel: answering by pointing, colours by use, designing.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, Theme, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use std::path::Path;
use std::time::Instant;
use tests::window::{TestWindow, copy_of};

const MAERKLIN: &str = "ticket-to-ride-maerklin";

fn answers_given(window: &TestWindow) -> usize {
    let playtest = window.state().workshop().playtest.as_ref();
    playtest.map_or(0, |playtest| playtest.tree().position())
}

/// Where something of this name lies on the board.
fn on_board(window: &TestWindow, role: Role, name: &str) -> Rect {
    let board = window.get_by_role_and_label(Role::Canvas, "Board").rect();
    let found = window.query_all_by_role(role);
    let named = found.filter(|node| {
        let label = node.accesskit_node().label().unwrap_or_default();
        label.starts_with(name)
    });
    let mut places = named.map(|node| node.rect());
    let place = places.find(|place| board.contains_rect(*place));
    place.unwrap_or_else(|| panic!("`{name}` lies on the board"))
}

/// A few games of bots.
fn simulate(window: &mut TestWindow) {
    window.press(Modifiers::NONE, Key::F4);
    window.turn("Games", 4.0);
    window.press(Modifiers::NONE, Key::F5);
}

#[test]
fn a_click_on_the_board_answers() {
    let mut window = TestWindow::shipped().game("chess").open();
    let before = answers_given(&window);
    let first = window.state().offered().next().map(str::to_owned);
    let first = first.expect("a person is asked");
    let place = on_board(&window, Role::Button, &first);
    window.click_at(place.center());
    assert!(answers_given(&window) > before, "{first}");
}

/// What is answered at once is pointed at one after the other; something else begins anew.
#[test]
fn a_move_is_given_by_two_clicks() {
    let mut window = TestWindow::shipped().game("breakthrough").open();
    let before = answers_given(&window);
    let names = ["a2", "c2", "c3"];
    let places = names.map(|name| on_board(&window, Role::Button, name).center());
    for (at, place) in places.into_iter().enumerate() {
        window.click_at(place);
        assert_eq!(answers_given(&window) > before, at == 2, "{}", names[at]);
    }
}

#[test]
fn the_board_is_made_larger_and_fitted_by_keys() {
    let mut window = TestWindow::shipped().game("chess").open();
    let first = window.state().offered().next().map(str::to_owned);
    let first = first.expect("a person is asked");
    let width = |window: &TestWindow| on_board(window, Role::Button, &first).width();
    let before = width(&window);
    window.press(Modifiers::ALT, Key::Minus);
    let smaller = width(&window);
    assert!(smaller < before, "{smaller} {before}");
    window.press(Modifiers::ALT, Key::F);
    assert!((width(&window) - before).abs() < 0.5);
}

#[test]
fn heat_needs_a_simulation_and_then_has_a_legend() {
    let mut window = TestWindow::shipped().game("chess").open();
    window.click("Heat");
    assert!(window.shows("Nothing has been simulated"));
    simulate(&mut window);
    window.press(Modifiers::NONE, Key::F3);
    assert!(window.shows("most of its kind"));
}

/// The game's map, after everything was saved.
fn saved_map(window: &mut TestWindow, home: &Path) -> String {
    window.press(Modifiers::COMMAND, Key::S);
    std::fs::read_to_string(home.join(MAERKLIN).join("components/map.toml")).expect("the map")
}

#[test]
fn a_place_is_dragged_and_the_drag_taken_back() {
    let home = copy_of(MAERKLIN);
    let mut window = TestWindow::with(home.path()).game(MAERKLIN).open();
    let saved = |window: &mut TestWindow| saved_map(window, home.path());
    let before = saved(&mut window);
    window.click("Design");
    let place = on_board(&window, Role::Image, "Frankfurt at ").center();
    window.drag(place, place + vec2(60.0, 0.0));
    let after = saved(&mut window);
    let changed: Vec<(&str, &str)> = before
        .lines()
        .zip(after.lines())
        .filter(|(old, new)| old != new)
        .collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
    assert!(changed[0].1.starts_with("x = "), "{changed:?}");
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(saved(&mut window), before);
}

/// The lines that a file has more than before.
fn lines_more(before: &str, after: &str) -> Vec<String> {
    let lines = after
        .lines()
        .filter(|line| !before.lines().any(|known| known == *line));
    lines.map(str::to_owned).collect()
}

#[test]
fn a_link_is_drawn_and_a_label_written() {
    let home = copy_of(MAERKLIN);
    let mut window = TestWindow::with(home.path()).game(MAERKLIN).open();
    let saved = |window: &mut TestWindow| saved_map(window, home.path());
    let before = saved(&mut window);
    window.click("Design");
    window.click("Draw a route");
    let from = on_board(&window, Role::Image, "Frankfurt at ").center();
    let to = on_board(&window, Role::Image, "München at ").center();
    window.drag(from, to);
    // What a track cannot be without is asked, and nothing is taken from another one.
    window.type_into("length", "3");
    window.click_first(Role::ComboBox, "color");
    window
        .get_by_role_and_label(Role::Button, "gray")
        .scroll_to_me();
    window.settle();
    window.click_first(Role::Button, "gray");
    window.click("Add");
    let more = lines_more(&before, &saved(&mut window)).join("\n");
    assert!(more.contains("frankfurt-muenchen"), "{more}");
    assert!(!more.contains("group"), "{more}");

    window.click("Move");
    let place = on_board(&window, Role::Image, "Frankfurt at ").center();
    window.click_at(place);
    window.get_by_label("Label").focus();
    window.run_steps(2);
    window.press(Modifiers::COMMAND, Key::A);
    window.get_by_label("Label").type_text("Mainhattan");
    window.press(Modifiers::NONE, Key::Enter);
    let more = lines_more(&before, &saved(&mut window));
    assert!(
        more.iter().any(|line| line.contains("Mainhattan")),
        "{more:?}"
    );
    assert!(window.shows("No problems"));
}

#[test]
fn a_place_dragged_in_a_variant_becomes_a_line_of_it() {
    let home = copy_of(MAERKLIN);
    let mut window = TestWindow::with(home.path()).game(MAERKLIN).open();
    let map = home.path().join(MAERKLIN).join("components/map.toml");
    let before = std::fs::read_to_string(&map).expect("the map");
    window.press(Modifiers::COMMAND, Key::N);
    window.click("Create");
    window.press(Modifiers::ALT, Key::Num4);
    window.click("Design");
    let mut lines = Vec::new();
    for by in [vec2(60.0, 0.0), vec2(0.0, 60.0)] {
        let place = on_board(&window, Role::Image, "Frankfurt at ").center();
        window.drag(place, place + by);
        // It lies there now.
        let now = on_board(&window, Role::Image, "Frankfurt at ").center();
        assert!((now - place - by).length() < 12.0, "{place} {now}");
        window.press(Modifiers::COMMAND, Key::S);
        let variant = home.path().join(MAERKLIN).join("variants/my-variant.rules");
        let variant = std::fs::read_to_string(variant).expect("the variant");
        let patches = variant.lines().filter(|line| line.starts_with("patch "));
        lines.push(patches.map(str::to_owned).collect::<Vec<_>>());
    }
    let one =
        |lines: &[String]| lines.len() == 1 && lines[0].starts_with("patch place[frankfurt]: x = ");
    assert!(lines.iter().all(|lines| one(lines)), "{lines:?}");
    assert!(lines[1][0].contains("; y = "), "{lines:?}");
    assert_eq!(std::fs::read_to_string(&map).expect("the map"), before);
    assert!(window.shows("No problems"));
}

#[test]
fn chess_has_nothing_to_be_dragged() {
    let mut window = TestWindow::shipped().game("chess").open();
    let design = window.get_by_label("Design");
    assert!(design.accesskit_node().is_disabled());
    window.run_steps(1);
}

/// Frames that are measured together.
const FRAMES: usize = 60;

/// Answers until a picture is taken.
const ANSWERS: usize = 9;

/// Writes pictures of the modes into the folder that `PICTURES` names, and says what a frame takes.
#[test]
fn pictures() {
    let Some(folder) = std::env::var_os("PICTURES") else {
        println!("skipped: set PICTURES to a folder to get pictures of the board");
        return;
    };
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).expect("a folder for the pictures");
    for (name, size, theme) in [
        ("light", [1280.0, 800.0], Theme::Light),
        ("dark", [1920.0, 1080.0], Theme::Dark),
    ] {
        for game in [
            "chess",
            MAERKLIN,
            "cube-express",
            "russian-railroads",
            "railroad-revolution",
            "schwarze-lok",
            "salt-and-iron",
        ] {
            let opened = TestWindow::shipped().game(game).size(size).theme(theme);
            let mut window = opened.open();
            let begin = Instant::now();
            window.run_steps(FRAMES);
            let frame = begin.elapsed() / FRAMES as u32;
            println!("a frame of {game}, {name}: {} µs", frame.as_micros());
            let picture = |window: &mut TestWindow, what: &str| {
                window.save_picture(&folder.join(format!("{game}-{what}-{name}.png")));
            };
            for _ in 0..ANSWERS {
                let first = window.state().offered().next().map(str::to_owned);
                window.command("Show Play-test");
                if let Some(first) = first {
                    window.click_first(Role::Button, &first);
                }
            }
            picture(&mut window, "play");
            simulate(&mut window);
            window.press(Modifiers::NONE, Key::F3);
            window.click("Heat");
            picture(&mut window, "heat");
            if game == MAERKLIN {
                window.click("Design");
                picture(&mut window, "design");
            }
        }
    }
}
