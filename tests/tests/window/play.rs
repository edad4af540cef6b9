//! The play-test in the window: other rules under a game, saved games, lines, scenarios, simulations; by the names of what is
//! seen.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use std::path::Path;
use tests::window::{TestWindow, copy_of};

const GAME: &str = "ticket-to-ride-maerklin";

/// The game with a variant that changes are written into.
fn with_variant(home: &Path) -> TestWindow {
    let mut window = TestWindow::with(home).game(GAME).open();
    window.press(Modifiers::COMMAND, Key::N);
    window.click("Create");
    window.press(Modifiers::NONE, Key::F3);
    window
}

/// The first answer that is offered.
fn answer_first(window: &mut TestWindow) {
    answer(window, "");
}

/// The first answer that begins so, if one does; else the first one.
fn answer(window: &mut TestWindow, wanted: &str) {
    window.click("Play-test");
    let mut offered = window.state().offered();
    let first = offered.next().expect("a person is asked");
    let found = std::iter::once(first)
        .chain(offered)
        .find(|one| one.starts_with(wanted));
    let chosen = found.unwrap_or(first).to_owned();
    window.click_first(Role::Button, &chosen);
}

fn position(window: &TestWindow) -> usize {
    let playtest = window.state().workshop().playtest.as_ref();
    playtest.map_or(0, |playtest| playtest.tree().position())
}

/// Writes a line at the end of the variant's rules, as an editor outside would, and waits for it to be read.
fn add_to_variant(window: &mut TestWindow, home: &Path, line: &str) {
    let file = home.join(format!("{GAME}/variants/my-variant.rules"));
    let text = std::fs::read_to_string(&file).expect("the variant is there");
    let name = format!("{GAME}/variants/my-variant.rules");
    window.press(Modifiers::NONE, Key::F2);
    window.get_by_label(&name).focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::End);
    window.run_steps(2);
    window.get_by_label(&name).type_text(&format!("\n{line}\n"));
    window.settle();
    window.press(Modifiers::COMMAND, Key::S);
    window.press(Modifiers::NONE, Key::F3);
    window.click("Play-test");
    let now = std::fs::read_to_string(&file).expect("the variant is there");
    assert!(now.len() > text.len() && now.contains(line), "{now}");
}

#[test]
fn a_game_goes_on_under_other_rules_or_says_where_it_parts() {
    let home = copy_of(GAME);
    let mut window = with_variant(home.path());
    for _ in 0..16 {
        answer(&mut window, "claim");
    }
    let here = position(&window);
    // Points more or less change nothing of what was answered.
    add_to_variant(&mut window, home.path(), "set wagons_each = 44");
    assert_eq!(position(&window), here);
    assert!(!window.shows("Under these rules"));

    // A claim is not possible any more: the game stops at the first one.
    let forbid = "add to claim.r where false else \"not in this game\"";
    add_to_variant(&mut window, home.path(), forbid);
    assert!(window.shows("Under these rules the game goes on only"));
    assert!(position(&window) < here);

    window.click("Back to the older rules");
    assert_eq!(position(&window), here);
    assert!(window.shows("under the rules as they were"));
    window.click("Take the rules of now");
    assert!(position(&window) < here);
}

#[test]
fn a_game_is_saved_and_loaded() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    for _ in 0..4 {
        answer_first(&mut window);
    }
    let here = position(&window);
    window.press(Modifiers::ALT, Key::S);
    window.click("Save game");
    assert!(window.shows("The game is kept in"));
    window.click("New game");
    assert!(position(&window) < here);
    window.press(Modifiers::ALT, Key::O);
    let replays = home.path().join(GAME).join("replays");
    let saved = std::fs::read_dir(&replays).expect("a folder").flatten();
    let saved = saved
        .map(|entry| entry.path())
        .find(|path| path.to_string_lossy().contains("seed-1-answer"))
        .expect("the saved game");
    let name = saved.file_stem().expect("a name").to_string_lossy();
    window.click(&name);
    assert_eq!(position(&window), here);
    assert!(window.shows("it goes as it went"));
}

#[test]
fn a_line_is_named_and_compared() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    for _ in 0..3 {
        answer_first(&mut window);
    }
    window.click("Undo turn");
    // Another answer than the one before.
    let other = window.state().offered().nth(1).map(str::to_owned);
    let other = other.expect("there is a choice");
    window.click_first(Role::Button, &other);
    assert!(window.shows("Lines (2)"));

    window
        .query_all_by_label("Name")
        .next()
        .expect("a button")
        .click();
    window.settle();
    window.event(egui::Event::Text("the first try".to_owned()));
    window.run_steps(2);
    window.press(Modifiers::NONE, Key::Enter);
    assert!(window.shows("the first try"));

    window
        .query_all_by_label("Compare")
        .next()
        .expect("a button")
        .click();
    window.settle();
    assert!(window.shows("The same up to answer"));
    window.click("Close");
    assert!(!window.shows("The same up to answer"));
}

#[test]
fn a_scenario_is_made_and_shows_where_it_fails() {
    let home = copy_of(GAME);
    let mut window = TestWindow::with(home.path()).game(GAME).open();
    for _ in 0..3 {
        answer_first(&mut window);
    }
    window.command("Make a scenario from here");
    window.click("Make it");
    let file = home.path().join(GAME).join("scenarios/play-tests.scenario");
    let text = std::fs::read_to_string(&file).expect("it is written");
    assert!(text.contains("scenario \"after"), "{text}");
    window.settle();
    let passed = |window: &TestWindow| {
        let cases = window.state().workshop().cases();
        let ours = cases.results.iter();
        let mut ours = ours.filter(|one| one.file.ends_with("play-tests.scenario"));
        ours.next().and_then(|one| one.passed())
    };
    assert_eq!(passed(&window), Some(true));

    // What was expected is another thing: the case fails, and its step is shown.
    let wrong = text.replace("expect decision = A", "expect decision = B");
    assert_ne!(wrong, text);
    window.press(Modifiers::NONE, Key::F2);
    window.command("Show Scenarios");
    let title = format!("after {} answers", position(&window));
    std::fs::write(&file, wrong).expect("written");
    for _ in 0..400 {
        window.settle();
        if passed(&window) == Some(false) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    assert_eq!(passed(&window), Some(false));
    let told = format!("{title}: ");
    let row = window.query_all_by_label_contains(&told).next();
    row.expect("the failing scenario").click();
    window.settle();
    window.press(Modifiers::NONE, Key::F3);
    assert!(window.shows("where it fails"));
    window.click("Back to the game");
    assert!(!window.shows("where it fails"));
}

#[test]
fn base_and_variant_are_simulated_side_by_side() {
    let home = copy_of(GAME);
    let mut window = with_variant(home.path());
    add_to_variant(&mut window, home.path(), "set wagons_each = 20");
    window.press(Modifiers::NONE, Key::F4);
    window.turn("Games", 60.0);
    window.press(Modifiers::NONE, Key::F5);
    assert!(window.shows("60 games of"));
    for head in [
        "Without",
        "With",
        "Difference",
        "What was found",
        "Where the points come from",
        "What is done",
    ] {
        assert!(window.shows(head), "{head}");
    }
    // So many wagons less are no chance.
    assert!(window.shows("● -"));
    window.click("Export…");
    let path = home.path().join("results.csv");
    let field = window.get_by_label("Path");
    field.focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    let path_text = path.display().to_string();
    window.get_by_label("Path").type_text(&path_text);
    window.settle();
    window.click("Export");
    let table = std::fs::read_to_string(&path).expect("written");
    assert!(table.starts_with("name,label,games"), "{table}");
    assert!(table.contains("\nwins.A,wins of A in percent,"), "{table}");
}

/// A search says what it thinks of each answer, on the board too; of a game that is over it is found out where it was lost.
#[test]
fn a_hint_is_given_and_a_game_reviewed() {
    let home = copy_of("tic-tac-toe");
    let mut window = TestWindow::with(home.path()).game("tic-tac-toe").open();
    window.press(Modifiers::NONE, Key::F3);
    window.click("Play-test");
    window.click("Hint");
    let opinions = |window: &TestWindow| {
        let hint = window.state().workshop().hint();
        hint.map_or(0, |opinions| opinions.iter().flatten().count())
    };
    for _ in 0..600 {
        window.settle();
        if opinions(&window) > 0 {
            break;
        }
    }
    assert_eq!(opinions(&window), 9);
    while window.state().offered().next().is_some() {
        answer_first(&mut window);
        window.settle();
    }
    window.click("Play-test");
    window.click("Review");
    for _ in 0..600 {
        window.settle();
        if window.state().workshop().review().is_some() {
            break;
        }
    }
    let review = window.state().workshop().review();
    let review = review.expect("it was reviewed").as_ref().expect("no fault");
    assert!(review.moments.len() > 5);
}
