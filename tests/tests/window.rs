//! The window without a screen: what a person does, by the accessible names of what is seen. Pictures need a Vulkan
//! driver (a software one will do: `mesa-vulkan-drivers`) and are left out, with a word, where there is none.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use std::path::Path;
use std::time::Instant;
use tests::window::{TestWindow, can_draw, copy_of};

const GAME: &str = "ticket-to-ride-maerklin";

#[test]
fn the_first_page_shows_all_games() {
    let window = TestWindow::shipped().open();
    assert!(window.query_all_by_label_contains("Play ").count() >= 7);
}

#[test]
fn a_mistake_is_shown_while_it_is_typed_and_gone_when_it_is_mended() {
    let mut window = TestWindow::shipped().game("chess").open();
    window.click("Write");
    window.click("chess.rules");
    window.type_into("chess/rules/chess.rules", "nonsense ");
    assert!(window.shows("× 1 error"));
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(window.shows("No problems"));
}

/// Open, begin a variant, turn a dial, see the one change, play, take back, make a scenario, save, open again.
#[test]
fn a_house_rule_is_made_and_played() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    begin_variant(&mut window);
    assert!(window.query_by_label("1 change").is_some());
    let before = answers_given(&window);
    for _ in 0..3 {
        answer_first(&mut window);
    }
    assert!(answers_given(&window) > before);
    window.click("Undo turn");
    window.click("Undo turn");
    assert!(answers_given(&window) >= before);
    window.press(Modifiers::COMMAND, Key::S);
    assert!(!window.state().workshop().is_dirty());
    let file = home.path().join(GAME).join("variants/my-variant.rules");
    let text = std::fs::read_to_string(file).expect("the variant has been saved");
    assert!(text.contains("set wagons_each = 40"), "{text}");
}

fn begin_variant(window: &mut TestWindow) {
    window.press(Modifiers::COMMAND, Key::N);
    window.click("Create");
    window.turn("wagons_each", 40.0);
}

fn answers_given(window: &TestWindow) -> usize {
    let playtest = window.state().workshop().playtest.as_ref();
    playtest.map_or(0, |playtest| playtest.tree().position())
}

fn answer_first(window: &mut TestWindow) {
    window.click("Play-test");
    let first = window.state().offered().next().map(str::to_owned);
    let first = first.expect("a person is asked");
    // The board may have something of that name too.
    window.click_first(Role::Button, &first);
}

/// Frames that are measured together.
const FRAMES: usize = 60;

/// Writes a picture of each panel into the folder that `PICTURES` names.
#[test]
fn pictures() {
    let Some(folder) = std::env::var_os("PICTURES") else {
        println!("skipped: set PICTURES to a folder to get pictures of the panels");
        return;
    };
    if !can_draw() {
        return;
    }
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).expect("a folder for the pictures");
    for (name, size) in [("1280", [1280.0, 800.0]), ("1920", [1920.0, 1080.0])] {
        let picture = |window: &mut TestWindow, what: &str| {
            window.save_picture(&folder.join(format!("{what}-{name}.png")));
        };
        picture(&mut TestWindow::shipped().size(size).open(), "start");
        let home = copy_of(GAME);
        let mut open = TestWindow::with(home.path()).size(size).game(GAME).open();
        for _ in 0..6 {
            answer_first(&mut open);
        }
        open.click("Why not?");
        picture(&mut open, "play");
        let begin = Instant::now();
        open.run_steps(FRAMES);
        let frame = begin.elapsed() / FRAMES as u32;
        println!(
            "a frame of the play desk at {name}: {} µs",
            frame.as_micros()
        );
        begin_variant(&mut open);
        picture(&mut open, "variant");
        open.click("State");
        picture(&mut open, "state");
        open.click("Components");
        picture(&mut open, "components");
        open.click("Write");
        open.get_by_label("maerklin.rules").scroll_to_me();
        open.settle();
        open.click("maerklin.rules");
        open.type_into(
            "ticket-to-ride-maerklin/rules/maerklin.rules",
            "option wagon = 3\n",
        );
        picture(&mut open, "rules");
        open.press(Modifiers::COMMAND, Key::Z);
        open.click("Scenarios");
        picture(&mut open, "scenarios");
        open.press(Modifiers::NONE, Key::F4);
        open.press(Modifiers::NONE, Key::F5);
        picture(&mut open, "simulation");
        open.press(Modifiers::COMMAND | Modifiers::SHIFT, Key::P);
        picture(&mut open, "commands");
    }
}
