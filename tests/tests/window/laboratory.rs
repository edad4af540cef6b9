//! The laboratory in the window: values of an option, games in which something happens, bots that learn, games opened from what
//! was counted; by the names of what is seen.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use std::path::Path;
use tests::window::{TestWindow, copy_of};

fn laboratory(home: &Path, game: &str) -> TestWindow {
    let mut window = TestWindow::with(home).game(game).open();
    window.press(Modifiers::NONE, Key::F4);
    window.command("Show Simulation");
    window
}

fn choose(window: &mut TestWindow, list: &str, value: &str) {
    window.click_first(Role::ComboBox, list);
    window.click_first(Role::Button, value);
}

/// Answers that were given in the game that is played, and whether it is over.
fn played(window: &TestWindow) -> (usize, bool) {
    let playtest = window.state().workshop().playtest.as_ref();
    let playtest = playtest.expect("a game is played");
    (playtest.tree().position(), playtest.is_over())
}

#[test]
fn values_of_an_option_make_a_curve() {
    let game = "ticket-to-ride-usa";
    let home = copy_of(game);
    let mut window = laboratory(home.path(), game);
    window.click("Values of an option");
    window.turn("Games", 12.0);
    window.turn("Players", 2.0);
    window.click("Sweep");
    assert!(window.shows("choose an option first"));
    choose(&mut window, "Option", "Wagons each player starts with");
    window.turn("To", 40.0);
    window.turn("From", 20.0);
    window.turn("Step", 10.0);
    window.click("Sweep");
    for told in [
        "12 games of 2 players at each value",
        "20",
        "30",
        "40",
        "turns",
    ] {
        assert!(window.shows(told), "{told}");
    }
    choose(&mut window, "Figure", "turns");
    let simulation = window.state().workshop().simulation.as_ref();
    let done = simulation.and_then(|one| one.result.clone());
    let csv = done.expect("done").expect("no fault").to_csv();
    assert_eq!(csv.map(|csv| csv.lines().count()), Some(4));
}

#[test]
fn a_game_in_which_it_happens_is_opened_there() {
    let game = "ticket-to-ride-usa";
    let home = copy_of(game);
    let mut window = laboratory(home.path(), game);
    window.click("A game in which");
    window.turn("Players", 2.0);
    window.click("Look for it");
    assert!(window.shows("say first what is to happen"));
    window.type_into("Happens", "A.scor > 8");
    window.click("Look for it");
    assert!(window.shows("× `A.scor > 8`:"));
    window.type_into("Happens", "not ");
    let field = window.get_by_label("Happens");
    field.focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.run_steps(2);
    window.get_by_label("Happens").type_text("A.points > 8");
    window.settle();
    window.click("Look for it");
    assert!(window.shows("A.points > 8: in"));
    let link = window.query_all_by_role(Role::Link).next();
    link.expect("a game").click();
    window.settle();
    let (answers, over) = played(&window);
    assert!(answers > 0 && !over, "{answers}");
    let found = window.state().workshop().simulation.as_ref();
    let text = format!("{:?}", found.and_then(|one| one.result.clone()));
    assert!(text.contains("Found"), "{text}");
}

/// Any overlays stand on the other side, and the games are played again when what is laid on changes.
#[test]
fn two_variants_are_compared_and_kept_up() {
    let game = "tic-tac-toe";
    let home = copy_of(game);
    let variants = home.path().join(game).join("variants");
    std::fs::create_dir_all(&variants).expect("a folder");
    for (name, title) in [("one", "Five rows"), ("two", "Six rows")] {
        let rows = if name == "one" { 5 } else { 6 };
        let text = format!("variant \"{title}\" of tic-tac-toe\nset size = {rows}\n");
        std::fs::write(variants.join(format!("{name}.rules")), text).expect("written");
    }
    let manifest = home.path().join(game).join("game.toml");
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    let text = format!("{text}overlays = [\"one\", \"two\"]\n");
    std::fs::write(&manifest, text).expect("written");
    let mut window = laboratory(home.path(), game);
    window.turn("Games", 200.0);
    choose(&mut window, "Beside", "Six rows");
    window.click("Simulate");
    for told in ["Six rows", "Without", "By luck", "different, large"] {
        assert!(window.shows(told), "{told}");
    }
    choose(&mut window, "Beside", "nothing");
    window.click("Again after each change");
    window.click("Simulate");
    assert!(!window.shows("By luck"));
    let length = |window: &TestWindow| {
        let simulation = window.state().workshop().simulation.as_ref();
        let done = simulation.and_then(|one| one.result.clone());
        let done = done.expect("done").expect("no fault");
        done.report().expect("a report").answers().max()
    };
    assert_eq!(length(&window), 9);
    window.command("Show Project");
    window.click("Five rows");
    assert!(length(&window) > 9);
}

#[test]
fn the_closest_game_is_looked_at() {
    let game = "ticket-to-ride-usa";
    let home = copy_of(game);
    let mut window = laboratory(home.path(), game);
    window.turn("Games", 30.0);
    window.turn("Players", 3.0);
    choose(&mut window, "Bot of B", "greedy");
    window.click("Simulate");
    assert!(window.shows("30 games of 3 players"));
    let link = window
        .query_all_by_label_contains("The closest game")
        .next();
    link.expect("the closest game").scroll_to_me();
    window.settle();
    let link = window
        .query_all_by_label_contains("The closest game")
        .next();
    link.expect("the closest game").click();
    window.settle();
    let (answers, over) = played(&window);
    assert!(answers > 20 && over, "{answers}");
    let simulation = window.state().workshop().simulation.as_ref();
    let done = simulation.and_then(|one| one.result.clone());
    let done = done.expect("done").expect("no fault");
    let report = done.report().expect("a report");
    let [(_, margin), _] = report.extremes().expect("some");
    let playtest = window.state().workshop().playtest.clone();
    let scores = playtest.expect("a game").scores();
    let lines = scores.iter().map(|(_, seats)| seats);
    let mut total = lines.fold(vec![0; 3], |mut total, seats| {
        for (sum, points) in total.iter_mut().zip(seats) {
            *sum += points.unwrap_or_default();
        }
        total
    });
    total.sort_by_key(|points| std::cmp::Reverse(*points));
    assert_eq!(i64::from(total[0] - total[1]), margin);
}

/// What was learnt is written beside the game, sits down here and in play, and is there when the game is opened again.
#[test]
fn what_bots_learn_takes_seats() {
    let game = "tic-tac-toe";
    let home = copy_of(game);
    let mut window = laboratory(home.path(), game);
    window.click("Learning");
    window.turn("Seconds", 1.0);
    window.click("Train");
    assert!(window.shows("What tells how a game ends"));
    let file = home.path().join(game).join("tic-tac-toe-2.learnt");
    assert!(file.is_file());
    let bot = "learnt:tic-tac-toe-2.learnt";
    for again in [false, true] {
        if again {
            window = laboratory(home.path(), game);
        }
        window.click("Many games");
        window.turn("Games", 20.0);
        choose(&mut window, "Bot of A", bot);
        window.click("Simulate");
        assert!(window.shows("20 games of 2 players"));
    }
    std::fs::write(&file, "nothing").expect("written");
    let mut window = laboratory(home.path(), game);
    window.click("Learning");
    assert!(window.shows("`tic-tac-toe-2.learnt` is not what a bot has learnt: line 1, column 8"));
}
