//! What hands do that the names of things alone do not: typing into dials, clicks on lists below the cursor, menus of the right
//! button, links of the project.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, vec2};
use egui_kittest::kittest::{NodeT, Queryable};
use std::path::Path;
use tests::window::{TestWindow, copy_of};

const GAME: &str = "ticket-to-ride-maerklin";
const VARIANT: &str = "ticket-to-ride-maerklin/variants/my-variant.rules";
const COMMAND: Modifiers = Modifiers::COMMAND;

fn with_variant(home: &Path) -> TestWindow {
    let mut window = TestWindow::with(home).game(GAME).open();
    window.press(COMMAND, Key::N);
    window.click("Create");
    window
}

fn text(window: &TestWindow, name: &str) -> String {
    let mut documents = window.state().workshop().documents().iter();
    let document = documents.find(|one| one.name == name);
    document.expect("the file is open").text().to_owned()
}

/// Writes a line at the end of the variant, letter by letter.
fn write_at_end(window: &mut TestWindow, line: &str) {
    window.get_by_label(VARIANT).focus();
    window.run_steps(2);
    window.press(COMMAND, Key::End);
    for letter in line.chars() {
        window.event(Event::Text(letter.to_string()));
        window.run_steps(1);
    }
    window.settle();
}

#[test]
fn a_dial_is_typed_into() {
    let home = copy_of(GAME);
    let mut window = with_variant(home.path());
    window.command("Show Variant");
    let dial = |window: &TestWindow| {
        let dial = window.get_by_role_and_label(Role::SpinButton, "Wagons each player starts with");
        dial.rect().center()
    };
    for number in ["40", "41"] {
        let place = dial(&window);
        window.click_at(place);
        // The rules are checked between two keys.
        for digit in number.chars() {
            window.event(Event::Text(digit.to_string()));
            window.settle();
        }
        window.press(Modifiers::NONE, Key::Enter);
        let wanted = format!("\n\nset wagons_each = {number}\n");
        assert!(text(&window, VARIANT).ends_with(&wanted), "{number}");
    }
    let place = dial(&window);
    window.drag(place, place + vec2(40.0, 0.0));
    let told = text(&window, VARIANT);
    let value = told
        .trim_end()
        .rsplit(' ')
        .next()
        .and_then(|value| value.parse::<i32>().ok());
    assert!(value.is_some_and(|value| value > 45), "{told}");
    window.click("Back");
    assert!(!text(&window, VARIANT).contains("\nset wagons_each"));
}

#[test]
fn a_row_of_the_list_below_the_cursor_is_clicked() {
    let home = copy_of(GAME);
    let mut window = with_variant(home.path());
    window.press(Modifiers::NONE, Key::F2);
    write_at_end(&mut window, "\nset wagons_e");
    let row = window.get_by_role_and_label(Role::Button, "wagons_each 1..90");
    let place = row.rect().center();
    window.click_at(place);
    let told = text(&window, VARIANT);
    assert!(told.ends_with("\nset wagons_each = "), "{told}");
    // The cursor is behind it, and what is typed goes on there.
    window.event(Event::Text("44".to_owned()));
    window.settle();
    assert!(text(&window, VARIANT).ends_with("\nset wagons_each = 44"));
}

#[test]
fn the_right_button_offers_what_can_be_done_with_a_word() {
    let home = copy_of(GAME);
    let mut window = with_variant(home.path());
    window.press(Modifiers::NONE, Key::F2);
    write_at_end(&mut window, "\nset wagons_each = 44");
    window.press(Modifiers::NONE, Key::Escape);
    window.press(COMMAND, Key::G);
    window.event(Event::Text("set wagons_each".to_owned()));
    window.settle();
    window.press(Modifiers::NONE, Key::Enter);
    // The cursor stands on the word: the menu is about what is under the pointer.
    let editor = window.get_by_label(VARIANT).rect();
    let lines = text(&window, VARIANT).lines().count();
    let line = editor.min + vec2(70.0, 4.0 + 15.0 * (lines as f32 - 0.5));
    window.click_with(line, PointerButton::Secondary);
    assert!(window.shows("Find uses"), "the menu");
    let uses = window.query_all_by_label_contains("Find uses").next();
    uses.expect("it is shown").click();
    window.settle();
    assert!(window.shows(" of `wagons_each` in "), "its uses are listed");
}

#[test]
fn two_overlays_that_want_different_things_are_shown_with_both_places() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    for (title, wagons) in [("One", 40.0), ("Other", 41.0)] {
        window.press(COMMAND, Key::N);
        window.get_by_label("Title").focus();
        window.run_steps(2);
        window.press(COMMAND, Key::A);
        window.event(Event::Text(title.to_owned()));
        window.settle();
        window.click("Create");
        window.command("Show Variant");
        window.turn("Wagons each player starts with", wagons);
    }
    for file in ["one", "other"] {
        let place = format!("{GAME}/variants/{file}.rules:");
        assert!(window.shows(&place), "{place}");
    }
}

#[test]
fn work_is_saved_on_the_way_out() {
    let home = copy_of(GAME);
    let mut window = with_variant(home.path());
    window.command("Show Variant");
    window.turn("Wagons each player starts with", 40.0);
    window.click("Games");
    assert!(window.shows("Not saved"));
    // The one of the question, not that of the bar above.
    let saves = window.query_all_by_role_and_label(Role::Button, "Save");
    saves.last().expect("the question's button").click();
    window.settle();
    assert!(window.state().workshop().game().is_none());
    let saved = std::fs::read_to_string(home.path().join(VARIANT)).expect("the variant");
    assert!(saved.contains("\nset wagons_each = 40\n"), "{saved}");
}

#[test]
fn what_was_opened_last_is_a_click_away() {
    let home = copy_of(GAME);
    let user = tempfile::tempdir().expect("a user's folder");
    let opened = || TestWindow::with(home.path()).user_folder(user.path());
    let mut window = opened().open();
    assert!(!window.shows("Opened last"));
    window.click("Play Ticket to Ride: Märklin");
    window.click("Games");
    drop(window);
    let mut window = opened().open();
    assert!(window.shows("Opened last"));
    window.click_first(Role::Link, "Ticket to Ride: Märklin");
    let game = window.state().workshop().game();
    assert_eq!(game.map(|game| game.id.as_str()), Some(GAME));
}

#[test]
fn a_recorded_game_is_played_by_a_click_in_the_project() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    let shop = window.state().workshop();
    let replays = &shop.game().expect("a game").replays;
    let first = replays.first().expect("a recorded game").clone();
    let name = first.file_stem().expect("a name").to_string_lossy();
    window.command("Show Project");
    window.get_by_label(&name).scroll_to_me();
    window.settle();
    window.click(&name);
    assert!(window.shows("it goes as it went"));
    let playtest = window.state().workshop().playtest.as_ref();
    assert!(playtest.is_some_and(|playtest| playtest.tree().position() > 10));
}

#[test]
fn a_loaded_game_has_the_options_it_was_played_with() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    let folder = home.path().join(GAME).join("replays");
    let recorded = std::fs::read_dir(&folder)
        .expect("a folder")
        .flatten()
        .next();
    let recorded = recorded.expect("a recorded game").path();
    let text = std::fs::read_to_string(recorded).expect("a text");
    // More wagons end the game later: until then it goes as it went.
    let text = text.replacen("\noption ", "\noption wagons_each = 60\noption ", 1);
    std::fs::write(folder.join("more-wagons.replay"), text).expect("written");
    window.press(Modifiers::ALT, Key::O);
    window.get_by_label("Search, or a path").focus();
    window.run_steps(2);
    let path = folder.join("more-wagons.replay").display().to_string();
    window.event(Event::Text(path));
    window.settle();
    window.press(Modifiers::NONE, Key::Enter);
    assert!(window.shows("As the loaded game was played: wagons_each = 60"));
    window.click("Take it back");
    assert!(window.state().workshop().options().is_empty());
}

/// A dial that cannot be turned says so.
#[test]
fn without_a_variant_dials_are_at_rest() {
    let mut window = TestWindow::shipped().game(GAME).open();
    window.command("Show Variant");
    let dial = window.get_by_role_and_label(Role::SpinButton, "Wagons each player starts with");
    assert!(dial.accesskit_node().is_disabled());
    assert!(window.shows("Begin a variant to turn them"));
}
