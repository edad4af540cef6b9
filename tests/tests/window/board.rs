//! The board panel: answering by pointing, colours by use, designing.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, Theme, pos2, vec2};
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
    let place = |window: &TestWindow, name: &str| on_board(window, Role::Button, name).center();
    let [one, other] = ["a2", "c2"].map(|name| place(&window, name));
    // Where it goes to glows when it is known what goes.
    assert!(window.query_by_role_and_label(Role::Button, "c3").is_none());
    for man in [one, other] {
        window.click_at(man);
        assert_eq!(answers_given(&window), before);
    }
    let target = place(&window, "c3");
    window.click_at(target);
    assert!(answers_given(&window) > before);
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

/// Several things are chosen with Shift, put in one row, moved by arrows, and each deed is taken back alone; a size is that of all
/// of its kind.
#[test]
fn what_is_chosen_is_put_in_order() {
    let home = copy_of(MAERKLIN);
    let mut window = TestWindow::with(home.path()).game(MAERKLIN).open();
    window.click("Design");
    let middle = |window: &TestWindow, name: &str| {
        on_board(window, Role::Image, &format!("{name} at ")).center()
    };
    let [frankfurt, erfurt] = ["Frankfurt", "Erfurt"].map(|name| middle(&window, name));
    assert!((frankfurt.y - erfurt.y).abs() > 8.0);
    window.click_at(frankfurt);
    assert!(window.shows("Right") && window.shows("Down"));
    window.click_holding(Modifiers::SHIFT, erfurt);
    assert!(window.shows("2 chosen"));
    let saved = |window: &mut TestWindow| saved_map(window, home.path());
    let before = saved(&mut window);
    window.click("Same row");
    let [frankfurt, erfurt] = ["Frankfurt", "Erfurt"].map(|name| middle(&window, name));
    assert!((frankfurt.y - erfurt.y).abs() < 1.0);
    let in_row = saved(&mut window);
    let changed = before.lines().zip(in_row.lines());
    assert_eq!(changed.filter(|(old, new)| old != new).count(), 1);
    window.press(Modifiers::NONE, Key::ArrowRight);
    assert!(middle(&window, "Erfurt").x > erfurt.x && middle(&window, "Frankfurt").x > frankfurt.x);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(saved(&mut window), in_row);
    window.press(Modifiers::COMMAND, Key::Z);
    assert_eq!(saved(&mut window), before);

    let place = middle(&window, "Frankfurt");
    window.click_at(place);
    let width = |window: &TestWindow| on_board(window, Role::Image, "Erfurt at ").width();
    let small = width(&window);
    window.turn("Size", 40.0);
    assert!(width(&window) > 1.5 * small, "{small} {}", width(&window));
    window.press(Modifiers::NONE, Key::Escape);
    assert!(window.shows("Nothing is chosen."));
}

/// A panel fills the board by a click on its title, and goes back by the next.
#[test]
fn a_panel_is_made_large_by_its_title() {
    let mut window = TestWindow::shipped().game("schwarze-lok").open();
    let width = |window: &TestWindow| {
        let title = window.get_by_label_contains("Enlarge Companies");
        title.rect().width()
    };
    let small = width(&window);
    window.click("Enlarge Companies");
    let large = width(&window);
    assert!(large > 2.0 * small, "{small} {large}");
    window.click("Enlarge Companies");
    assert!((width(&window) - small).abs() < 1.0);
}

/// A board whose texts have no room on the screen is looked at in parts: the wheel moves it, what is asked for comes to sight.
#[test]
fn a_large_board_is_looked_at_in_parts() {
    let mut window = TestWindow::shipped().game("railroad-revolution").open();
    window.press(Modifiers::NONE, Key::F3);
    let title = |window: &TestWindow, name: &str| {
        let name = format!("Enlarge {name}");
        let found = window.query_by_label(&name);
        found.map(|title| title.rect().min)
    };
    // The start tiles are asked for, far below the map.
    assert!(window.query_by_label("Board down").is_some());
    let asked = glow(&window);
    assert!(!asked.is_empty() && title(&window, "Supply").is_some());
    let board = window.get_by_role_and_label(Role::Canvas, "Board").rect();
    let before = title(&window, "Supply").expect("the supply is seen");
    window.point(board.center());
    window.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, -60.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    });
    window.settle();
    let after = title(&window, "Supply").expect("it is still seen");
    assert!(
        after.y < before.y - 30.0 && (after.x - before.x).abs() < 1.0,
        "{before} {after}"
    );
    // The whole board, and back.
    window.click("Whole board");
    assert!(window.query_by_label("Board down").is_none());
    window.click("Whole board");
    assert!(window.query_by_label("Board down").is_some());
}

/// Numbers are pointed at too, where the board says what stands for them: a man of backgammon, then the die.
#[test]
fn a_number_is_answered_on_the_board() {
    let mut window = TestWindow::shipped().game("backgammon").open();
    let before = answers_given(&window);
    let men = glow(&window);
    let place = *men.first().expect("a man can be moved");
    window.click_at(place.center());
    assert!(answers_given(&window) > before);
}

/// What an answer takes from or counts is pointed at, whatever bodies it goes through: the pile that tickets come from.
#[test]
fn a_pile_that_is_drawn_from_is_pointed_at() {
    let mut window = TestWindow::shipped().game("ticket-to-ride-usa").open();
    window.press(Modifiers::NONE, Key::F3);
    let named = |window: &TestWindow| {
        let piles = window.query_all_by_role(Role::Button);
        let piles = piles.filter(|node| {
            let name = node.accesskit_node().label().unwrap_or_default();
            name.starts_with("unseen ×") && glow(window).contains(&node.rect())
        });
        piles.map(|node| node.rect()).collect::<Vec<_>>()
    };
    for decision in 0..20 {
        if named(&window).len() > 1 {
            break;
        }
        answer_by_clicks(&mut window, "ticket-to-ride-usa", decision);
    }
    // The draw pile, and the tickets beside it.
    let piles = named(&window);
    assert_eq!(piles.len(), 2, "{piles:?}");
    let tickets = piles.iter().max_by(|a, b| a.min.y.total_cmp(&b.min.y));
    let before = answers_given(&window);
    window.click_at(tickets.expect("two of them").center());
    assert!(answers_given(&window) > before);
    assert!(
        question(&window).contains("tickets"),
        "{}",
        question(&window)
    );
}

/// A man is pointed at and then where he goes to.
#[test]
fn where_something_goes_to_is_pointed_at() {
    let mut window = TestWindow::shipped().game("backgammon").open();
    window.press(Modifiers::NONE, Key::F3);
    let before = answers_given(&window);
    for from in 0..glow(&window).len() {
        let men = glow(&window);
        window.click_at(men[from].center());
        if answers_given(&window) > before {
            break;
        }
        let goals: Vec<Rect> = glow(&window);
        let dice = |place: &Rect| place.width() == place.height() && place.min.x > men[0].max.x;
        let goal = goals
            .iter()
            .find(|place| !dice(place) && !men.contains(place));
        if let Some(goal) = goal {
            window.click_at(goal.center());
            break;
        }
    }
    assert!(answers_given(&window) > before);
}

/// What is dragged from where it can be chosen to where it can go is moved, whether both are asked at once (backgammon) or one after
/// the other (chess); the board stays where it is.
#[test]
fn a_piece_is_dragged() {
    for game in ["chess", "backgammon"] {
        let mut window = TestWindow::shipped().game(game).open();
        window.press(Modifiers::NONE, Key::F3);
        let start = answers_given(&window);
        let men = glow(&window);
        // The first that can go somewhere else.
        let way = men.iter().find_map(|man| {
            window.click_at(man.center());
            let goals = glow(&window);
            let own = |place: &Rect| men.contains(place) || place.width() * 1.2 < man.width();
            let goal = goals.into_iter().find(|place| !own(place));
            if answers_given(&window) > start {
                window.click("Undo answer");
            }
            Some((man.center(), goal?.center()))
        });
        let (from, to) = way.expect("something can go somewhere");
        window.drag(from, to);
        assert!(answers_given(&window) > start, "{game}");
        while answers_given(&window) > start {
            window.click("Undo answer");
        }
        assert_eq!(glow(&window), men, "{game}: the board has not moved");
        // From where nothing can be chosen it is the board that is dragged.
        let board = window.get_by_role_and_label(Role::Canvas, "Board").rect();
        let corner = board.min + vec2(4.0, 4.0);
        window.drag(corner, corner + vec2(60.0, 0.0));
        let moved = glow(&window);
        assert!((moved[0].min.x - men[0].min.x - 60.0).abs() < 2.0, "{game}");
    }
}

/// Of a track that cannot be paid for it is said why, though only whether to claim one is asked.
#[test]
fn why_not_is_told_behind_a_menu() {
    let game = "ticket-to-ride-usa";
    let mut window = TestWindow::shipped().game(game).open();
    window.press(Modifiers::NONE, Key::F3);
    for decision in 0..20 {
        if question(&window).contains("what do you do") {
            break;
        }
        answer_by_clicks(&mut window, game, decision);
    }
    window.click("Design");
    let place = |name: &str| on_board(&window, Role::Image, name).center();
    let (from, to) = (place("Seattle at "), place("Helena at "));
    let modes = window.query_all_by_label("Play");
    let mode = modes.max_by(|one, other| one.rect().min.y.total_cmp(&other.rect().min.y));
    let mode = mode.expect("the board is played on").rect();
    window.click_at(mode.center());
    let before = answers_given(&window);
    window.click_at(from + (to - from) * 0.55);
    assert_eq!(answers_given(&window), before);
    assert!(window.shows("Not possible: claim a track for cards › "));
}

/// What an answer costs and brings is told before it is given.
#[test]
fn what_comes_of_an_answer_is_told_before() {
    let mut window = TestWindow::shipped().game("railroad-revolution").open();
    window.press(Modifiers::NONE, Key::F3);
    let offered: Vec<String> = window.state().offered().map(str::to_owned).collect();
    let sale = offered.iter().position(|text| text == "sell a share");
    let sale = sale.expect("a share can be sold");
    let chip = window.get_by_label("▶ sell a share").rect();
    window.point(chip.center());
    window.settle();
    let foreseen = window.state().workshop().preview(&[sale]);
    let foreseen = foreseen.flatten().expect("it is known what comes of it");
    assert!(
        foreseen.effects.contains("money +150"),
        "{}",
        foreseen.effects
    );
}

/// Decisions that are answered on the board of each game; `PLAYED=1000` plays whole games, `GAMES=chess,hex` these alone, and
/// `PICTURES` names a folder for a picture of each question.
const PLAYED: usize = 8;
/// Clicks that one answer takes at most: what is answered at once, and a menu behind it.
const CLICKS: usize = 6;

/// The games that `GAMES` names, all without it.
fn wanted_games() -> Vec<String> {
    let sources = tests::games::sources();
    let wanted = std::env::var("GAMES").unwrap_or_default();
    let wanted: Vec<&str> = wanted.split(',').filter(|id| !id.is_empty()).collect();
    let mut ids = tests::games::ids(&sources);
    ids.retain(|id| wanted.is_empty() || wanted.contains(&id.as_str()));
    ids
}

/// Every shipped game, with each of its expansions too, is played by clicks on what glows, and on the answers above the board
/// where nothing stands for them.
#[test]
fn games_are_played_on_their_boards() {
    let played = std::env::var("PLAYED").ok();
    let played = played
        .and_then(|count| count.parse().ok())
        .unwrap_or(PLAYED);
    for game in wanted_games() {
        let mut window = TestWindow::shipped().game(&game).open();
        let all = window.state().workshop().overlays().iter();
        let expansions = all.filter(|overlay| overlay.expansion);
        let titles: Vec<String> = expansions.map(|one| one.title.clone()).collect();
        play_by_clicks(&mut window, &game, played);
        for title in titles {
            let mut window = TestWindow::shipped().game(&game).open();
            window.click("Write");
            window.click(&title);
            play_by_clicks(&mut window, &format!("{game} with {title}"), played);
        }
    }
}

/// Answers so many decisions, or as many as the game has.
fn play_by_clicks(window: &mut TestWindow, game: &str, played: usize) {
    window.press(Modifiers::NONE, Key::F3);
    let pictures = std::env::var_os("PICTURES");
    let mut asked = std::collections::BTreeSet::new();
    let (mut glowing, mut above, mut answered) = (0, 0, 0);
    while answered < played && window.state().offered().next().is_some() {
        if let Some(folder) = &pictures
            && asked.insert(question(window))
        {
            let name = format!("{game}-asked-{}.png", asked.len());
            window.save_picture(&Path::new(folder).join(name));
        }
        let (glow, other) = answer_by_clicks(window, game, answered);
        glowing += glow;
        above += other;
        answered += 1;
    }
    let over = window.state().offered().next().is_none();
    println!(
        "{game}: {answered} decisions, {glowing} clicks on what glows, {above} above the board{}",
        if over { ", to its end" } else { "" }
    );
    assert!(glowing > 0 || above > 0, "{game}");
}

/// Answers the decision of this number; how many clicks it took on what glows, and above the board.
fn answer_by_clicks(window: &mut TestWindow, game: &str, decision: usize) -> (usize, usize) {
    let (mut glowing, mut above) = (0, 0);
    let before = answers_given(window);
    for click in 0..CLICKS {
        let menu: Vec<Rect> = menu(window);
        let glow = glow(window);
        let (of, count) = match (menu.is_empty(), glow.is_empty()) {
            (false, _) => (menu, &mut glowing),
            (true, false) => (glow, &mut glowing),
            (true, true) => (above_board(window), &mut above),
        };
        assert!(
            !of.is_empty(),
            "{game}: nothing can be clicked at decision {decision}"
        );
        *count += 1;
        let place = of[(7 * decision + 3 * click) % of.len()];
        window.click_at(place.center());
        if answers_given(window) > before {
            return (glowing, above);
        }
    }
    panic!("{game}: decision {decision} is not answered by {CLICKS} clicks")
}

/// How a tile is turned lies nowhere on the board: it is pointed at beside it, where each way is shown.
#[test]
fn what_lies_nowhere_is_pointed_at_on_the_tray() {
    let game = "salt-and-iron";
    let mut window = TestWindow::shipped().game(game).open();
    window.press(Modifiers::NONE, Key::F3);
    let tray = "Enlarge turned how?";
    let offered = |window: &TestWindow| window.state().offered().count();
    for decision in 0..60 {
        if window.shows(tray) && offered(&window) > 1 {
            break;
        }
        answer_by_clicks(&mut window, game, decision);
    }
    let title = window.get_by_label(tray).rect();
    let ways: Vec<Rect> = glow(&window);
    assert_eq!(ways.len(), offered(&window));
    let is_picture = |way: &Rect| way.min.y >= title.min.y && way.width() > 50.0;
    assert!(ways.len() > 1 && ways.iter().all(is_picture), "{ways:?}");
    let before = answers_given(&window);
    window.click_at(ways[1].center());
    assert!(answers_given(&window) > before && !window.shows(tray));
}

/// What is asked, above the board.
fn question(window: &TestWindow) -> String {
    let board = window.get_by_role_and_label(Role::Canvas, "Board").rect();
    let labels = window.query_all_by_role(Role::Label);
    let mut above = labels.filter(|node| {
        let place = node.rect();
        place.max.y <= board.min.y && place.min.y >= board.min.y - 60.0 && place.min.x < board.max.x
    });
    let first = above.next().and_then(|node| node.accesskit_node().value());
    first.unwrap_or_default()
}

/// Where what glows lies.
fn glow(window: &TestWindow) -> Vec<Rect> {
    let board = window.get_by_role_and_label(Role::Canvas, "Board").rect();
    buttons(window, |name, place| {
        board.contains_rect(place) && !name.starts_with("Enlarge ")
    })
}

/// Where the answers above the board lie, as far as they are seen.
fn above_board(window: &TestWindow) -> Vec<Rect> {
    let board = window.get_by_role_and_label(Role::Canvas, "Board").rect();
    buttons(window, |name, place| {
        name.starts_with("▶ ") && place.max.y <= board.min.y && place.max.x <= board.max.x
    })
}

/// Where the answers of an open menu lie.
fn menu(window: &TestWindow) -> Vec<Rect> {
    let Some(title) = window.query_by_role_and_label(Role::Label, "Which one?") else {
        return Vec::new();
    };
    let title = title.rect();
    buttons(window, |_, place| {
        (place.min.x - title.min.x).abs() < 2.0 && place.min.y >= title.max.y
    })
}

fn buttons(window: &TestWindow, fits: impl Fn(&str, Rect) -> bool) -> Vec<Rect> {
    let all = window.query_all_by_role(Role::Button).filter(|node| {
        let name = node.accesskit_node().label().unwrap_or_default();
        fits(&name, node.rect())
    });
    all.map(|node| node.rect()).collect()
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

/// Writes pictures of every shipped game at several moments, in both themes, into the folder that `PICTURES` names, of all modes
/// for one of them; `GAMES=chess,hex` only of these. Says what a frame takes.
#[test]
fn pictures() {
    let Some(folder) = std::env::var_os("PICTURES") else {
        println!("skipped: set PICTURES to a folder to get pictures of the board");
        return;
    };
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder).expect("a folder for the pictures");
    for game in wanted_games() {
        let whole = folder.join(format!("{game}.replay"));
        let context = editor::cli::Context {
            folder: tests::games::folder().join(".."),
            threads: 2,
            ..Default::default()
        };
        let keep = whole.to_string_lossy();
        let games = ["simulate", &game, "--games", "1", "--keep", &keep];
        let said = tests::call::call(games, &context, "");
        assert_eq!(said.exit, 0, "{}", said.err);
        for (name, size, theme) in [
            ("light", [1280.0, 800.0], Theme::Light),
            ("dark", [1280.0, 800.0], Theme::Dark),
            ("large", [1920.0, 1080.0], Theme::Dark),
        ] {
            let home = copy_of(&game);
            let replays = home.path().join(&game).join("replays");
            std::fs::create_dir_all(&replays).expect("a folder");
            std::fs::copy(&whole, replays.join("whole.replay")).expect("copied");
            let opened = TestWindow::with(home.path()).game(&game).size(size);
            let mut window = opened.theme(theme).open();
            let begin = Instant::now();
            window.run_steps(FRAMES);
            let frame = begin.elapsed() / FRAMES as u32;
            println!("a frame of {game}, {name}: {} µs", frame.as_micros());
            let picture = |window: &mut TestWindow, what: &str| {
                // What is told of what lies under the pointer would hide the rest.
                window.point(pos2(1.0, 1.0));
                window.save_picture(&folder.join(format!("{game}-{what}-{name}.png")));
            };
            window.press(Modifiers::NONE, Key::F3);
            picture(&mut window, "0");
            window.press(Modifiers::ALT, Key::O);
            window.click("whole");
            let last = answers_given(&window);
            for part in [1, 2, 3] {
                let slider = window.get_by_role_and_label(Role::Slider, "Answer");
                slider.set_value_accesskit((last * part / 3) as f64);
                window.settle();
                picture(&mut window, &part.to_string());
            }
            if game == MAERKLIN {
                simulate(&mut window);
                window.press(Modifiers::NONE, Key::F3);
                window.click("Heat");
                picture(&mut window, "heat");
                window.click("Design");
                picture(&mut window, "design");
            }
        }
    }
}
