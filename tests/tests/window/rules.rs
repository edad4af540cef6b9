//! Writing in the window: mistakes are mended, words renamed and replaced, declarations changed in a variant; games begun
//! and layers ordered in the project.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tests::window::{TestWindow, copy_of};

const MAERKLIN: &str = "ticket-to-ride-maerklin";
const RULES: &str = "ticket-to-ride-maerklin/rules/maerklin.rules";
const OPTIONS: &str = "ticket-to-ride/rules/box.rules";
const COMMAND: Modifiers = Modifiers::COMMAND;
const COMMAND_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);
/// Frames in which a change of a file is noticed.
const NOTICED_FRAMES: usize = 4_000;

fn open(home: &TempDir) -> TestWindow {
    let mut window = TestWindow::with(home.path()).game(MAERKLIN).open();
    window.click("Write");
    window
}

/// Writes where the focus is.
fn write(window: &mut TestWindow, text: &str) {
    window.event(Event::Text(text.to_owned()));
    window.settle();
}

/// Writes into a field instead of what is in it.
fn fill(window: &mut TestWindow, name: &str, text: &str) {
    window.get_by_label(name).focus();
    window.run_steps(2);
    window.press(COMMAND, Key::A);
    write(window, text);
}

/// To the declaration with this name, which is selected then.
fn go_to(window: &mut TestWindow, name: &str) {
    window.press(COMMAND, Key::G);
    write(window, name);
    window.press(Modifiers::NONE, Key::Enter);
}

/// The texts have no mistake.
fn fine(window: &TestWindow) {
    let shop = window.state().workshop();
    assert!(shop.is_current(), "{:?}", shop.problems());
}

fn text(window: &TestWindow, name: &str) -> String {
    let shop = window.state().workshop();
    let mut documents = shop.documents().iter();
    let document = documents.find(|one| one.name == name);
    document.expect("the file is open").text().to_owned()
}

#[test]
fn a_mistake_is_seen_mended_and_undone() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    go_to(&mut window, "set start_tickets = 4");
    let good = text(&window, RULES);
    write(&mut window, "set start_tickts = 4");
    // The list of what could stand there is in the way of the keys.
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.shows("× 1 error"));
    assert!(window.shows("start_tickts"), "the problem says the word");

    // By the keyboard, at the place.
    window.press(COMMAND, Key::Period);
    assert!(window.shows("write `start_tickets`"));
    window.press(Modifiers::NONE, Key::Enter);
    assert_eq!(text(&window, RULES), good);
    fine(&window);

    window.press(COMMAND, Key::Z);
    assert!(window.shows("× 1 error"));
    // By the problem's button.
    window.click("Write `start_tickets`");
    assert_eq!(text(&window, RULES), good);
}

#[test]
fn a_word_is_renamed_everywhere() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    go_to(&mut window, "ticket_draw");
    let before = text(&window, OPTIONS);
    window.press(Modifiers::SHIFT, Key::F12);
    assert!(window.shows(" of `ticket_draw` in "), "its uses are listed");

    window.press(Modifiers::SHIFT, Key::F6);
    write(&mut window, "ticket_bonus");
    let rename = window.get_by_label("Rename");
    assert!(rename.accesskit_node().is_disabled(), "the name is taken");
    fill(&mut window, "New name", "tickets_drawn");
    assert!(window.shows("One undo takes all of it back"));
    window.press(Modifiers::NONE, Key::Enter);
    fine(&window);
    assert!(text(&window, OPTIONS).contains("option tickets_drawn"));
    assert!(text(&window, RULES).contains("set tickets_drawn = 4"));

    window.press(COMMAND, Key::Z);
    assert_eq!(text(&window, OPTIONS), before, "undone in this text");
    assert!(
        !text(&window, RULES).contains("tickets_drawn"),
        "and in all others at once"
    );
}

/// A cell that a case names as an obstacle, and that the board shows.
#[test]
fn a_rename_reaches_cases_and_boards() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    let game = |file: &str| {
        let path = home.path().join(file);
        std::fs::read_to_string(path).expect("the file is there")
    };
    let board = "ticket-to-ride/board.toml";
    assert!(game(board).contains("{p.wagons}"));
    go_to(&mut window, "player.wagons");
    window.press(Modifiers::NONE, Key::ArrowRight);
    window.press(Modifiers::SHIFT, Key::F6);
    write(&mut window, "coaches");
    window.settle();
    window.press(Modifiers::NONE, Key::Enter);
    fine(&window);
    window.press(COMMAND, Key::S);
    assert!(game(board).contains("{p.coaches}"), "{}", game(board));
    assert!(!game(board).contains("{p.wagons}"));
}

#[test]
fn words_are_found_and_replaced() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    go_to(&mut window, "set ticket_draw = 4");
    let before = text(&window, RULES);

    // In this file.
    window.press(COMMAND, Key::H);
    write(&mut window, "foreign_fare");
    assert!(window.shows("2 places"));
    window.press(Modifiers::NONE, Key::Enter);
    assert!(window.shows("1 of 2"));
    fill(&mut window, "Replace with", "foreign_price");
    window.click("Replace all in this file");
    assert!(window.shows("0 places"));
    assert!(text(&window, RULES).contains("option foreign_price"));
    window.press(COMMAND, Key::Z);
    assert_eq!(text(&window, RULES), before);
    window.click("Close");

    // In all files.
    window.press(COMMAND_SHIFT, Key::H);
    fill(&mut window, "Find in all files", "wagons_each");
    fill(&mut window, "Replace with", "carriages_each");
    assert!(window.shows("ticket-to-ride/rules/box.rules"));
    window.click("Replace in all files");
    fine(&window);
    let shop = window.state().workshop();
    assert!(shop.documents().iter().filter(|one| one.is_dirty()).count() > 1);
    window.press(COMMAND, Key::S);
    let variant = home.path().join(MAERKLIN).join("variants/wagons-40.rules");
    let variant = fs::read_to_string(variant).expect("the variant");
    assert!(variant.contains("set carriages_each = 40"), "{variant}");
}

#[test]
fn a_declaration_is_changed_in_a_variant() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    go_to(&mut window, "ticket_draw");
    window.press(Modifiers::ALT, Key::V);
    assert!(window.shows("What you wanted to change is put into it"));
    window.click("Create");
    let variant = "ticket-to-ride-maerklin/variants/my-variant.rules";
    let first = text(&window, variant);
    assert!(first.contains("set ticket_draw = 4"), "{first}");
    fine(&window);

    // What it changes already is gone to.
    go_to(&mut window, "ticket_draw");
    window.press(Modifiers::ALT, Key::V);
    assert_eq!(text(&window, variant), first);
    // Something else is written below.
    go_to(&mut window, "claim");
    window.press(Modifiers::ALT, Key::V);
    assert!(text(&window, variant).contains("replace action claim("));
    fine(&window);
}

#[test]
fn a_new_game_plays_at_once() {
    let home = copy_of(MAERKLIN);
    let mut window = TestWindow::with(home.path()).open();
    window.click("New game…");
    window.click("Create");
    let shop = window.state().workshop();
    assert_eq!(shop.game().map(|game| game.title.as_str()), Some("My game"));
    assert!(shop.playtest.is_some(), "it plays");
    fine(&window);
    assert!(home.path().join("my-game/game.toml").is_file());

    // And the other one is a click away, by its folder.
    window.press(COMMAND_SHIFT, Key::O);
    let folder = home.path().join(MAERKLIN);
    fill(&mut window, "Folder", &folder.display().to_string());
    window.press(Modifiers::NONE, Key::Enter);
    let game = window.state().workshop().game();
    assert_eq!(game.map(|game| game.id.as_str()), Some(MAERKLIN));
}

#[test]
fn layers_are_put_in_order_and_what_excludes_each_other_says_so() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    let title = |window: &TestWindow, id: &str| {
        let overlays = window.state().workshop().overlays().iter();
        let mut overlays = overlays.filter(|one| one.id == id);
        overlays.next().expect("the overlay").title.clone()
    };
    let (forty, short) = (title(&window, "wagons-40"), title(&window, "short-trains"));
    lay(&mut window, &forty);
    lay(&mut window, &short);
    window.click(&format!("Move {short} up"));
    let shop = window.state().workshop();
    let order: Vec<&str> = shop.overlays().iter().map(|one| one.id.as_str()).collect();
    let place = |id| order.iter().position(|other| *other == id);
    assert!(place("short-trains") < place("wagons-40"), "{order:?}");
    assert!(shop.is_dirty(), "the manifest is a text like others");

    let germany = title(&window, "germany-2017");
    let why = format!("“Free tracks” does not go with “{germany}”");
    assert!(!window.shows(&why));
    lay(&mut window, &germany);
    assert!(window.shows(&why));
    let free = window.get_by_role_and_label(Role::CheckBox, "Free tracks");
    assert!(free.accesskit_node().is_disabled());
}

/// Lays an overlay over the game, wherever it is in the list.
fn lay(window: &mut TestWindow, title: &str) {
    let check = window.get_by_role_and_label(Role::CheckBox, title);
    check.click_accesskit();
    window.settle();
}

#[test]
fn work_that_is_not_saved_is_asked_about() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    let file = home.path().join(RULES);
    go_to(&mut window, "set ticket_draw = 4");
    window.press(Modifiers::NONE, Key::Home);
    write(&mut window, "# mine\n");
    window.click("Games");
    assert!(window.shows("Not saved"));
    window.click("Stay");
    assert!(window.state().workshop().is_dirty());

    window.click("Games");
    window
        .get_by_role_and_label(Role::Button, "Give up the changes")
        .click();
    window.settle();
    assert!(window.state().workshop().game().is_none());
    let on_disk = || fs::read_to_string(&file).expect("the rules");
    assert!(!on_disk().contains("# mine"));

    window.click_first(Role::Button, "Play Ticket to Ride: Märklin");
    window.click("Write");
    go_to(&mut window, "set ticket_draw = 4");
    window.press(Modifiers::NONE, Key::Home);
    write(&mut window, "# mine\n");
    window.press(COMMAND, Key::S);
    assert!(on_disk().contains("# mine"));
    window.click("Games");
    assert!(
        window.state().workshop().game().is_none(),
        "nothing is asked"
    );
}

#[test]
fn a_file_taken_away_is_kept_or_closed() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    let name = "ticket-to-ride-maerklin/variants/trading.rules";
    let path = home.path().join(name);
    window.press(COMMAND, Key::G);
    write(&mut window, "Trading");
    window.press(Modifiers::NONE, Key::Enter);
    let own = text(&window, name);
    take_away(&mut window, &path);
    window.click("Keep mine");
    window.press(COMMAND, Key::S);
    assert_eq!(fs::read_to_string(&path).expect("written again"), own);

    take_away(&mut window, &path);
    window.click("Close it");
    let shop = window.state().workshop();
    assert!(shop.documents().iter().all(|one| one.name != name));
    let problems = window.state().workshop().problems();
    let unlisted = "there is no overlay `trading`";
    assert!(
        problems.iter().any(|one| one.message == unlisted),
        "{problems:?}"
    );
}

fn take_away(window: &mut TestWindow, path: &Path) {
    fs::remove_file(path).expect("taken away");
    for _ in 0..NOTICED_FRAMES {
        window.step();
        if window.shows("was taken away while you edit it") {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    panic!("nobody noticed");
}

#[test]
fn a_text_is_brought_into_its_normal_form() {
    let home = copy_of(MAERKLIN);
    let mut window = open(&home);
    go_to(&mut window, "set ticket_draw = 4");
    let before = text(&window, RULES);
    write(&mut window, "set   ticket_draw  =  4");
    window.press(Modifiers::NONE, Key::Escape);
    assert_ne!(text(&window, RULES), before);
    window.press(Modifiers::ALT | Modifiers::SHIFT, Key::F);
    assert!(text(&window, RULES).contains("\nset ticket_draw = 4 "));
}
