//! The table: what a designer does with the board, the sheets and the position, by the names of what is seen.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use std::path::Path;
use tests::window::{TestWindow, copy_of};

const GAME: &str = "ticket-to-ride-maerklin";
const RULES: &str = "ticket-to-ride-maerklin/rules/maerklin.rules";
const COMMAND: Modifiers = Modifiers::COMMAND;

fn position(window: &TestWindow) -> usize {
    let playtest = window.state().workshop().playtest.as_ref();
    playtest.map_or(0, |playtest| playtest.tree().position())
}

/// The first answer that is offered, by the button in the play-test.
fn answer_first(window: &mut TestWindow) {
    window.command("Show Play-test");
    let first = window.state().offered().next().map(str::to_owned);
    window.click_first(Role::Button, &first.expect("a person is asked"));
}

/// A key that is held with others also comes as the letter that it writes.
fn press_alt(window: &mut TestWindow, key: Key, letter: &str) {
    // Both in one picture, as they come.
    window.input_mut().events.extend([
        Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::ALT,
        },
        Event::Text(letter.to_owned()),
    ]);
    window.settle();
}

#[test]
fn keys_of_commands_type_nothing() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    window.click("Write");
    window.command("Show Project");
    window.get_by_label("maerklin.rules").scroll_to_me();
    window.settle();
    window.click("maerklin.rules");
    // What was opened by a click is written into.
    assert!(window.get_by_label(RULES).accesskit_node().is_focused());
    press_alt(&mut window, Key::Num6, "6");
    press_alt(&mut window, Key::F, "f");
    assert!(!window.state().workshop().is_dirty());
}

#[test]
fn a_game_that_is_left_comes_back_as_it_was() {
    let home = copy_of(GAME);
    let user = tempfile::tempdir().expect("a user folder");
    let open = || TestWindow::with(home.path()).user_folder(user.path());
    let mut window = open().game(GAME).open();
    window.press(COMMAND, Key::N);
    window.click("Create");
    window.press(Modifiers::NONE, Key::F3);
    for _ in 0..5 {
        answer_first(&mut window);
    }
    let here = position(&window);
    assert!(here >= 5);
    window.click("Games");
    window.click("Play Ticket to Ride: Märklin");
    assert_eq!(position(&window), here);
    assert_eq!(window.state().workshop().stack(), ["my-variant"]);
    window.state_mut().remember();
    drop(window);

    // Another day.
    let window = open().open();
    assert_eq!(position(&window), here);
    assert_eq!(window.state().workshop().stack(), ["my-variant"]);
}

#[test]
fn a_row_begins_with_what_it_cannot_be_without() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    window.press(COMMAND, Key::N);
    window.click("Create");
    window.command("Show Components");
    window.click("Table");
    window.click_first(Role::Button, "ticket (46)");
    window.click("Add row");
    let add = window.get_by_label("Add");
    assert!(add.accesskit_node().is_disabled(), "it has no name yet");
    window.click("Cancel");
    assert!(window.shows("No problems"));
    let variant = "ticket-to-ride-maerklin/variants/my-variant.rules";
    let documents = window.state().workshop().documents().iter();
    let texts: Vec<&str> = documents
        .filter(|one| one.name == variant)
        .map(|one| one.text())
        .collect();
    assert!(texts.iter().all(|text| !text.contains("rows ticket")));
}

#[test]
fn cells_are_gone_to_and_filled_by_keys() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    window.command("Show Components");
    window.click("Table");
    window.click_first(Role::Button, "ticket (46)");
    let file = home.path().join(GAME).join("components/tickets.toml");
    let read = std::fs::read_to_string(file).expect("the table");
    let (rows, before) = tickets(&read);
    let now = |window: &TestWindow| {
        let mut documents = window.state().workshop().documents().iter();
        let table = documents.find(|one| one.name.ends_with("tickets.toml"));
        tickets(table.expect("it is open").text()).1
    };
    window.get_by_label(&format!("{} points", rows[0])).focus();
    window.run_steps(3);
    // Typed, and the next one below.
    window.event(Event::Text("11".to_owned()));
    window.run_steps(2);
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(now(&window)[0], 11);
    // Down once more, then that one is filled from above.
    window.event(Event::Text("12".to_owned()));
    window.run_steps(2);
    window.press(Modifiers::NONE, Key::ArrowDown);
    window.press(COMMAND, Key::D);
    let now = now(&window);
    assert_eq!(now[..3], [11, 12, 12]);
    assert_eq!(now[3..], before[3..]);
}

/// Names and points of all tickets.
fn tickets(text: &str) -> (Vec<String>, Vec<i64>) {
    let table: toml::Table = text.parse().expect("a component list");
    let rows = table["ticket"].as_array().expect("tickets").iter();
    let row = |row: &toml::Value| {
        let name = row["id"].as_str().expect("a name").to_owned();
        (name, row["points"].as_integer().expect("points"))
    };
    rows.map(row).unzip()
}

#[test]
fn mistakes_of_a_board_are_problems() {
    let home = copy_of(GAME);
    let file = home.path().join("ticket-to-ride/board.toml");
    let text = std::fs::read_to_string(&file).expect("a board");
    std::fs::write(&file, text.replace("r.length", "r.lenght")).expect("written");
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    window.command("Show Problems");
    assert!(window.shows("lenght"));
    assert!(!window.shows("Nothing is wrong"));
}

/// A game whose author has written nothing about how it looks.
fn without_board(home: &Path) {
    let games = editor::template::Like::Auction;
    editor::template::game(home, "sale", "Sale", games).expect("a game");
    std::fs::remove_file(home.join("sale/board.toml")).expect("it had a board");
}

#[test]
fn a_board_is_made_from_the_rules_and_kept() {
    let home = tempfile::tempdir().expect("a folder");
    without_board(home.path());
    let mut window = TestWindow::with(home.path()).game("sale").open();
    assert!(window.shows("This board is made from the rules"));
    window.click("Keep it");
    let board = std::fs::read_to_string(home.path().join("sale/board.toml"));
    assert!(board.is_ok_and(|board| board.contains("[[panel]]")));
    assert!(window.shows("No problems"));
}

#[test]
fn the_manual_opens_at_the_word_under_the_cursor() {
    let mut window = TestWindow::shipped().game("ticket-to-ride-maerklin").open();
    window.click("Write");
    window.press(COMMAND, Key::G);
    window.event(Event::Text("draw_pile".to_owned()));
    window.settle();
    window.press(Modifiers::NONE, Key::Enter);
    window.press(Modifiers::NONE, Key::F1);
    window.get_by_label("Search the manual").focus();
    window.run_steps(2);
    window.press(COMMAND, Key::A);
    window.event(Event::Text("deck".to_owned()));
    window.settle();
    assert!(window.shows("Language"));
}

#[test]
fn a_position_is_set_by_hand_and_taken_back() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    for _ in 0..4 {
        answer_first(&mut window);
    }
    let here = position(&window);
    window.command("Show State");
    window.click("Set by hand");
    window.get_by_label("Set A.wagons").scroll_to_me();
    window.settle();
    window.click("Set A.wagons");
    window.event(Event::Text("3".to_owned()));
    window.settle();
    window.press(Modifiers::NONE, Key::Enter);
    let shop = window.state().workshop();
    let playtest = shop.playtest.as_ref().expect("a game");
    assert!(playtest.is_set(), "the game begins where it was set");
    assert_eq!(position(&window), 0);
    window.command("Play: undo answer");
    assert_eq!(position(&window), here);
}
