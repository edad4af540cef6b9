//! The window without a screen: what a person does, by the accessible names of what is seen.

use editor::window::{Desk, Pane};
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use std::path::PathBuf;
use std::time::Duration;
use tests::window::{TestWindow, copy_of};

const GAME: &str = "ticket-to-ride-maerklin";
const RULES: &str = "ticket-to-ride-maerklin/rules/maerklin.rules";

#[test]
fn the_first_page_shows_all_games() {
    let window = TestWindow::shipped().open();
    assert!(window.query_all_by_label_contains("Play ").count() >= 7);
}

/// From the first page to a variant that is played, measured, saved and opened again.
#[test]
fn a_house_rule_is_made_played_measured_and_kept() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).open();
    window.click("Play Ticket to Ride: Märklin");
    begin_variant(&mut window);
    window.turn("Wagons each player starts with", 40.0);
    assert!(window.query_by_label("1 change").is_some());

    let turns: Vec<usize> = (0..3).map(|_| turn_on_board(&mut window)).collect();
    assert!(turns.is_sorted_by(|one, next| one < next), "{turns:?}");
    for _ in 0..2 {
        window.command("Play: undo turn");
    }
    let back = position(&window);
    assert!(back < turns[2], "{back} of {turns:?}");

    window.command("Make a scenario from here");
    window.click("Make it");
    let cases = window.state().workshop().cases();
    let mut results = cases.results.iter();
    let made = results.find(|one| one.file.ends_with("play-tests.scenario"));
    assert_eq!(made.and_then(|one| one.passed()), Some(true));

    window.command("Show Simulation");
    window.turn("Games", 100.0);
    window.press(Modifiers::NONE, Key::F5);
    assert!(window.shows("100 games of"));

    window.press(Modifiers::COMMAND, Key::S);
    assert!(!window.state().workshop().is_dirty());
    let file = home.path().join(GAME).join("variants/my-variant.rules");
    let text = std::fs::read_to_string(file).expect("the variant has been saved");
    assert!(text.contains("set wagons_each = 40"), "{text}");

    let mut window = TestWindow::with(home.path()).game(GAME).open();
    window.command("Show Project");
    window.get_by_label("My variant").scroll_to_me();
    window.settle();
    window.click("My variant");
    window.command("Show Variant");
    assert!(window.query_by_label("1 change").is_some());
    assert!(window.state().workshop().problems().is_empty() || window.shows("warning"));
}

/// A window in which nothing happens draws nothing: it is open all day.
#[test]
fn a_still_window_asks_for_no_frames() {
    let mut window = TestWindow::shipped().game(GAME).open();
    for _ in 0..3 {
        turn_on_board(&mut window);
    }
    let mut restless = Vec::new();
    for desk in Desk::ALL {
        window.command(&format!("Desk: {}", desk.title()));
        for pane in Pane::ALL {
            window.command(&format!("Show {}", pane.title()));
            if let Err(why) = window.try_run() {
                restless.push(format!("{}, {}: {why}", desk.title(), pane.title()));
            }
        }
    }
    assert!(restless.is_empty(), "{}", restless.join("\n"));
}

#[test]
fn a_mistake_is_shown_while_it_is_typed_and_gone_when_it_is_mended() {
    let mut window = TestWindow::shipped().game("chess").open();
    window.click("Write");
    window.click("chess.rules");
    window.type_into("chess/rules/chess.rules", "nonsense ");
    assert!(window.shows("× 1 error"));
    assert!(window.shows("the last rules that were without mistakes"));
    window.press(Modifiers::COMMAND, Key::Z);
    assert!(window.shows("No problems"));
}

#[test]
fn a_cell_is_edited_in_a_variant() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    begin_variant(&mut window);
    window.command("Show Components");
    window.click("Table");
    window.click_first(Role::Button, "ticket (46)");
    let cell = "bremen-duesseldorf points";
    window.get_by_label(cell).scroll_to_me();
    window.get_by_label(cell).focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.get_by_label(cell).type_text("9");
    window.press(Modifiers::NONE, Key::Enter);
    window.command("Show Variant");
    assert!(window.query_by_label("1 change").is_some());
    window.press(Modifiers::COMMAND, Key::S);
    let folder = home.path().join(GAME);
    let variant = std::fs::read_to_string(folder.join("variants/my-variant.rules"));
    let variant = variant.expect("the variant has been saved");
    assert!(
        variant.contains("patch ") && variant.contains('9'),
        "{variant}"
    );
    let table = std::fs::read_to_string(folder.join("components/tickets.toml"));
    let shipped = tests::games::folder()
        .join(GAME)
        .join("components/tickets.toml");
    assert_eq!(table.ok(), std::fs::read_to_string(shipped).ok());
}

#[test]
fn unsaved_work_is_offered_after_a_crash() {
    let home = copy_of(GAME);
    let user = tempfile::tempdir().expect("a user folder");
    let open = || TestWindow::with(home.path()).user_folder(user.path());
    let mut window = open().game(GAME).open();
    open_rules(&mut window);
    window.type_into(RULES, "# unsaved\n");
    wait_for_journal(&mut window, user.path().join("journal/1"));
    // Nothing is said to it: the lock on its journal goes, as with a process that ends.
    drop(window);

    let mut window = open().open();
    assert!(window.shows("Unsaved changes"));
    window.click("Recover");
    let documents = window.state().workshop().documents();
    let recovered = documents.iter().find(|one| one.name == RULES);
    let recovered = recovered.expect("the document is open");
    assert!(recovered.is_dirty());
    assert!(recovered.text().contains("# unsaved\n"));
}

#[test]
fn a_file_changed_outside_is_kept_or_taken() {
    for take in [false, true] {
        let home = copy_of(GAME);
        let mut window = TestWindow::with(home.path()).game(GAME).open();
        open_rules(&mut window);
        window.type_into(RULES, "# mine\n");
        let file = home.path().join(RULES);
        let old = std::fs::read_to_string(&file).expect("the rules");
        std::fs::write(&file, format!("# theirs\n{old}")).expect("the file can be written");
        window.wait_for("Changed outside");
        window.click("Show both");
        assert!(window.shows("- # mine") && window.shows("+ # theirs"));
        window.click(if take { "Take theirs" } else { "Keep mine" });
        let documents = window.state().workshop().documents();
        let text = documents.iter().find(|one| one.name == RULES);
        let text = text.map_or("", |one| one.text());
        assert_eq!(text.contains("# theirs\n"), take);
        assert_eq!(text.contains("# mine\n"), !take);
    }
}

fn begin_variant(window: &mut TestWindow) {
    window.press(Modifiers::COMMAND, Key::N);
    window.click("Create");
    window.command("Show Variant");
}

fn open_rules(window: &mut TestWindow) {
    window.click("Write");
    window.get_by_label("maerklin.rules").scroll_to_me();
    window.settle();
    window.click("maerklin.rules");
}

/// Answers given in the line that is played.
fn position(window: &TestWindow) -> usize {
    let playtest = window.state().workshop().playtest.as_ref();
    playtest.map_or(0, |playtest| playtest.tree().position())
}

fn answers_of_bots(window: &TestWindow) -> usize {
    let playtest = window.state().workshop().playtest.as_ref();
    playtest.map_or(0, |playtest| {
        let tree = playtest.tree();
        let path = tree.path(tree.current()).into_iter();
        let seats = path.filter_map(|id| Some(tree.node(id).answer()?.0));
        seats.filter(|seat| *seat != 0).count()
    })
}

/// Most answers that a turn may take here; where it is reached, a click on the board does not answer.
const ANSWERS_MAX: usize = 12;

/// Answers with clicks on the board until the bots have played too; how many answers there are then.
fn turn_on_board(window: &mut TestWindow) -> usize {
    let begin = answers_of_bots(window);
    for _ in 0..ANSWERS_MAX {
        answer_on_board(window);
        if answers_of_bots(window) > begin {
            return position(window);
        }
    }
    panic!("clicks on the board do not end the turn");
}

/// Clicks the first thing on the board that glows; where several answers name it, the first of them. What the board does not
/// show is answered in the list.
fn answer_on_board(window: &mut TestWindow) {
    window.command("Show Board");
    let board = window.get_by_role_and_label(Role::Canvas, "Board").rect();
    let glowing = window.query_all_by_role(Role::Button);
    let place = glowing
        .map(|button| button.rect().center())
        .find(|place| board.contains(*place));
    let Some(place) = place else {
        let first = window.state().offered().next().map(str::to_owned);
        window.command("Show Play-test");
        window.click_first(Role::Button, &first.expect("a person is asked"));
        return;
    };
    let before = position(window);
    click_at(window, place);
    if position(window) == before {
        let which = window.get_by_role_and_label(Role::Label, "Which one?");
        let which = which.rect();
        // The first answer of the menu stands right below.
        let answers = window.query_all_by_role(Role::Button).filter(|button| {
            let place = button.rect();
            place.top() >= which.bottom() && (place.left() - which.left()).abs() < 2.0
        });
        let height = |button: &egui_kittest::Node| button.rect().top() as i32;
        let first = answers.min_by_key(height);
        first.expect("an answer to choose").click();
        window.settle();
    }
}

fn click_at(window: &mut TestWindow, pos: egui::Pos2) {
    window.hover_at(pos);
    window.run_steps(2);
    for pressed in [true, false] {
        window.event(egui::Event::PointerButton {
            pos,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    window.settle();
}

fn wait_for_journal(window: &mut TestWindow, folder: PathBuf) {
    let written = || {
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        files
            .into_iter()
            .any(|file| file.path().extension().is_some())
    };
    for _ in 0..2_000 {
        if written() {
            return;
        }
        window.step();
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("nothing is written into the journal");
}
