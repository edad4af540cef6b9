//! The workshop without its window: what a person does to a game, by the functions that the panels call.

use dsl::assembly::ChangeKind;
use editor::files::{Library, Places};
use editor::workshop::history::{Edit, Gesture};
use editor::workshop::laboratory::{Order, Trial};
use editor::workshop::outside::{Side, lines};
use editor::workshop::places::{Pattern, Place};
use editor::workshop::playtest::{Eyes, LogKind, Reload};
use editor::workshop::questions::{About, Answer};
use editor::workshop::sheet::{CellKind, SheetChange};
use editor::workshop::variant::{conflicts, differences};
use editor::workshop::{News, Workshop, document::Document, playtest::Playtest};
use interpreter::bots::{Bot, Patience};
use interpreter::replay;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const MAERKLIN: &str = "ticket-to-ride-maerklin";

/// A folder with copies of the shipped games and a user's folder.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let folder = tempfile::tempdir().expect("a folder");
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
        copy(&games, &folder.path().join("games"));
        Desk { folder }
    }

    fn games(&self) -> PathBuf {
        self.folder.path().join("games")
    }

    fn workshop(&self) -> Workshop {
        let library = Library::find(&Places {
            given: None,
            folder: self.folder.path(),
            executable: None,
            user_folder: None,
            shipped: None,
        });
        let mut shop = Workshop::new(library.expect("games"), Arc::new(|| {}));
        shop.remember_in(&self.folder.path().join("user"))
            .expect("a user's folder");
        shop
    }

    /// A workshop with a game that has been checked.
    fn open(&self, game: &str) -> Workshop {
        let mut shop = self.workshop();
        shop.open_game(game).expect("the game is there");
        checked(&mut shop);
        shop
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(&path, &to).expect("a copy");
        }
    }
}

/// Polls until something is true; what came in the meantime.
fn until(shop: &mut Workshop, done: impl Fn(&Workshop, &[News]) -> bool) -> Vec<News> {
    let end = Instant::now() + Duration::from_secs(120);
    let mut news = Vec::new();
    loop {
        news.extend(shop.poll());
        if done(shop, &news) {
            return news;
        }
        assert!(Instant::now() < end, "nothing comes any more");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn checked(shop: &mut Workshop) {
    until(shop, |shop, _| !shop.is_checking());
}

/// Sets up a game of the play-test.
fn begin(shop: &mut Workshop, seed: u64, bots: Vec<Option<Bot>>) {
    shop.begin(seed, bots);
    until(shop, |shop, _| shop.waiting().is_none());
    assert!(shop.playtest.is_some(), "a game");
}

/// Answers as the bot would until the seat has had so many decisions.
fn decide(play: &mut Playtest, seat: u32, count: usize) {
    let mut left = count;
    while left > 0 && !play.is_over() {
        if play.bot_step(&Patience::OWN).expect("no fault") {
            continue;
        }
        let question = play.question();
        assert_eq!(question.seat, Some(seat));
        play.answer(question.answers.len() / 2).expect("no fault");
        left -= 1;
    }
    while play.bot_step(&Patience::OWN).expect("no fault") {}
}

// -------------------------------------------------------------------------------------------------- the flow

#[test]
fn from_a_game_to_a_variant_that_is_played_tested_and_kept() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    assert!(shop.is_current(), "{:?}", shop.problems());

    let id = shop.new_variant("Forty wagons").expect("a variant");
    assert_eq!(id, "forty-wagons");
    checked(&mut shop);
    assert!(shop.is_current(), "{:?}", shop.problems());
    assert_eq!(shop.stack(), std::slice::from_ref(&id));
    assert_eq!(differences(shop.checked().expect("checked")), []);

    shop.turn_dial("wagons_each", "40", Gesture::Drag(1))
        .expect("turned");
    checked(&mut shop);
    let found = differences(shop.checked().expect("checked"));
    let [only] = found.as_slice() else {
        panic!("one change: {found:?}");
    };
    assert_eq!(
        (only.name.as_str(), only.kind),
        ("wagons_each", ChangeKind::Changed)
    );
    assert_eq!(only.new.1, "set wagons_each = 40");
    assert_eq!(only.values, Some(("45".into(), "40".into())));

    begin(
        &mut shop,
        7,
        vec![None, Some(Bot::Random), Some(Bot::Greedy)],
    );
    let play = shop.playtest.as_mut().expect("a game");
    decide(play, 0, 6);
    let before = play.tree().position();
    assert!(play.undo_turn() && play.undo_turn());
    assert!(play.tree().position() < before);
    assert_eq!(play.question().seat, Some(0));
    assert_eq!(
        play.lines().len(),
        1,
        "what was taken back is the rest of the line"
    );

    shop.make_scenario("as far as this").expect("asked");
    let news = until(&mut shop, |_, news| {
        news.iter()
            .any(|one| matches!(one, News::ScenarioMade { .. }))
    });
    let file = news.into_iter().find_map(|one| match one {
        News::ScenarioMade { file, .. } => Some(file),
        _ => None,
    });
    let file = file.expect("told").expect("a scenario");
    let text = shop.document(&file).expect("it is open").text().to_owned();
    assert!(
        text.contains("with forty-wagons") && text.contains("seed 7"),
        "{text}"
    );
    until(&mut shop, |shop, _| {
        let cases = shop.cases();
        let ours = cases
            .results
            .iter()
            .find(|case| case.title == "as far as this");
        ours.is_some_and(|case| case.passed() == Some(true))
    });

    let rules = shop.good().expect("good").clone();
    shop.simulate(Order {
        rules,
        players: 3,
        games: 100,
        seed: 1,
        bots: vec![Bot::Random],
        threads: 2,
        trial: Trial::Games {
            beside: Some(Vec::new()),
        },
    });
    until(&mut shop, |_, news| {
        news.iter().any(|one| matches!(one, News::Simulated))
    });
    let result = shop.simulation.as_ref().and_then(|one| one.result.as_ref());
    let simulated = result.expect("done").as_ref().expect("no fault");
    let compared = simulated.compared().expect("the base too");
    assert_eq!((compared.first.games, compared.second.games), (100, 100));
    assert!(!compared.changes.is_empty());

    shop.save_all().expect("saved");
    assert!(!shop.is_dirty());
    shop.remember();
    drop(shop);

    let mut again = desk.open(MAERKLIN);
    assert!(
        again
            .recents
            .paths()
            .next()
            .is_some_and(|path| path.ends_with(MAERKLIN))
    );
    assert_eq!(again.stack(), ["forty-wagons"], "as it was left");
    checked(&mut again);
    assert_eq!(differences(again.checked().expect("checked")).len(), 1);
    until(&mut again, |_, news| {
        news.iter().any(|one| matches!(one, News::Cases))
    });
    let titles: Vec<&str> = again
        .cases()
        .results
        .iter()
        .map(|case| case.title.as_str())
        .collect();
    assert!(titles.contains(&"as far as this"), "{titles:?}");
}

#[test]
fn a_dial_back_where_it_was_leaves_nothing() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    assert!(
        shop.turn_dial("wagons_each", "40", Gesture::Once).is_err(),
        "there is no variant"
    );
    shop.new_variant("Dials").expect("a variant");
    checked(&mut shop);
    let file = shop.file_of("dials").expect("a file");
    let before = shop.document(&file).expect("open").text().to_owned();
    for value in ["44", "43", "42"] {
        shop.turn_dial("wagons_each", value, Gesture::Drag(3))
            .expect("turned");
    }
    checked(&mut shop);
    let dials = shop.dials();
    let dial = dials
        .iter()
        .find(|dial| dial.name == "wagons_each")
        .expect("a dial");
    assert_eq!(
        (
            dial.value.as_str(),
            dial.start.as_str(),
            dial.declared.as_str()
        ),
        ("42", "45", "45")
    );
    assert!(
        shop.turn_dial("wagons_each", "1000", Gesture::Once)
            .is_err()
    );
    shop.turn_dial("wagons_each", "45", Gesture::Once)
        .expect("turned back");
    assert_eq!(shop.document(&file).expect("open").text(), before);
    let document = shop.document(&file).expect("open");
    document.undo();
    assert!(document.text().contains("set wagons_each = 42"));
    document.undo();
    assert_eq!(document.text(), before, "one drag, one step");
}

#[test]
fn overlays_that_exclude_each_other_say_so() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    shop.set_stack(vec!["wagons-40".into(), "wagons-90".into()]);
    checked(&mut shop);
    let now = shop.checked().expect("checked").clone();
    let found = conflicts(&now);
    assert!(!found.is_empty(), "both set the wagons");
    assert!(
        found.iter().all(|one| !one.labels.is_empty()),
        "each has both places"
    );
    assert!(
        !shop.is_current() && shop.good().is_some(),
        "the last good rules are still there"
    );
}

// -------------------------------------------------------------------------------------------------- documents

#[test]
fn undo_over_mixed_edits_is_exact() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.rules");
    fs::write(&path, "äöü\nzwei\ndrei\n").expect("written");
    let mut random = 12345_u64;
    let mut below = |n: usize| {
        random = interpreter::playout::game_seed(random, 1);
        (random % n.max(1) as u64) as usize
    };
    for _ in 0..30 {
        let mut document = Document::open(&path, "x.rules").expect("opened");
        let mut states = vec![document.text().to_owned()];
        for step in 0..60 {
            let text = document.text().to_owned();
            let places: Vec<usize> = (0..=text.len())
                .filter(|at| text.is_char_boundary(*at))
                .collect();
            let mut at = [places[below(places.len())], places[below(places.len())]];
            at.sort_unstable();
            let gesture = match below(4) {
                0 => Gesture::Once,
                1 => Gesture::Drag(step / 5),
                _ => Gesture::Typing,
            };
            let word = ["", "x", "ß\n", "langes Wort"][below(4)];
            match below(8) {
                0 => {
                    document.undo();
                }
                1 => {
                    document.redo();
                }
                2 => document.seal(),
                3 => assert!(document.edit(
                    "two",
                    gesture,
                    vec![Edit::new(at[0]..at[0], word), Edit::new(at[1]..at[1], "|"),]
                )),
                _ => assert!(document.edit("one", gesture, vec![Edit::new(at[0]..at[1], word)])),
            }
            states.push(document.text().to_owned());
        }
        let last = document.text().to_owned();
        let mut back = 0;
        while document.undo().is_some() {
            assert!(
                states.contains(&document.text().to_owned()),
                "undo makes no text of its own"
            );
            back += 1;
        }
        assert_eq!(document.text(), states[0]);
        assert!(!document.is_dirty(), "undone to what is saved");
        for _ in 0..back {
            assert!(document.redo().is_some());
        }
        // What had been undone before may lie further on.
        assert!(document.text() == last || states.contains(&document.text().to_owned()));
    }
}

#[test]
fn an_edit_outside_of_the_text_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.rules");
    fs::write(&path, "ä").expect("written");
    let mut document = Document::open(&path, "x.rules").expect("opened");
    for range in [0..1, 1..2, 0..9] {
        assert!(!document.edit("wrong", Gesture::Once, vec![Edit::new(range, "x")]));
    }
    assert!(!document.edit(
        "overlap",
        Gesture::Once,
        vec![Edit::new(0..2, "x"), Edit::new(0..2, "y")]
    ));
    assert_eq!(document.text(), "ä");
}

#[test]
fn unsaved_work_outlives_a_crash() {
    let desk = Desk::new();
    let file = format!("{MAERKLIN}/rules/maerklin.rules");
    let mut shop = desk.open(MAERKLIN);
    let typed = format!("# typed\n{}", shop.document(&file).expect("open").text());
    shop.document(&file)
        .expect("open")
        .set_text("typing", Gesture::Typing, &typed);
    let written = |shop: &Workshop| {
        let folder = desk.folder.path().join("user/journal/1");
        let _ = shop;
        fs::read_dir(folder).is_ok_and(|files| files.count() > 1)
    };
    until(&mut shop, |shop, _| written(shop));
    // A second program sees nothing of it as long as the first one runs.
    assert_eq!(desk.workshop().journal.expect("a journal").leftovers(), []);
    // The program ends without a word.
    drop(shop);
    let mut next = desk.workshop();
    let left = next
        .journal
        .as_ref()
        .expect("a journal")
        .leftovers()
        .to_vec();
    assert_eq!(left.len(), 1);
    assert_eq!(
        (left[0].entry.text.as_str(), left[0].disk_changed),
        (typed.as_str(), false)
    );
    assert_eq!(next.recover(0).as_deref(), Ok(file.as_str()));
    assert_eq!(next.document(&file).expect("open").text(), typed);
    assert!(next.is_dirty());
    next.save_all().expect("saved");
    until(&mut next, |shop, _| !written(shop));
    drop(next);
    assert_eq!(desk.workshop().journal.expect("a journal").leftovers(), []);
}

#[test]
fn a_file_changed_outside_is_noticed() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    let name = format!("{MAERKLIN}/variants/short-trains.rules");
    let path = desk.games().join(&name);
    assert!(shop.look_outside().is_empty());

    // Not edited here: it is read again.
    let own = shop.document(&name).expect("open").text().to_owned();
    fs::write(&path, format!("{own}# outside\n")).expect("written");
    let news = shop.look_outside();
    assert!(
        news.iter()
            .any(|one| matches!(one, News::Reread(file) if *file == name)),
        "{news:?}"
    );
    assert!(
        shop.document(&name)
            .expect("open")
            .text()
            .ends_with("# outside\n")
    );

    // Edited here too: both are shown.
    shop.document(&name).expect("open").edit(
        "type",
        Gesture::Typing,
        vec![Edit::insert(0, "# mine\n")],
    );
    fs::write(&path, format!("{own}# theirs, again\n")).expect("written");
    let news = shop.look_outside();
    let theirs = news.into_iter().find_map(|one| match one {
        News::Conflict { name: file, theirs } if file == name => theirs,
        _ => None,
    });
    let theirs = theirs.expect("a conflict");
    assert!(shop.look_outside().is_empty(), "it is told once");
    let mine = shop.document(&name).expect("open").text().to_owned();
    let sides: Vec<Side> = lines(&mine, &theirs)
        .into_iter()
        .map(|line| line.side)
        .collect();
    assert!(
        sides.contains(&Side::Mine) && sides.contains(&Side::Theirs) && sides.contains(&Side::Both)
    );

    shop.keep_mine(&name, Some(theirs.clone()));
    assert!(shop.is_dirty() && shop.look_outside().is_empty());
    shop.take_theirs(&name, theirs.clone());
    assert!(!shop.is_dirty());
    let document = shop.document(&name).expect("open");
    assert_eq!(document.text(), theirs);
    document.undo();
    assert_eq!(document.text(), mine, "taking theirs can be undone");
}

// -------------------------------------------------------------------------------------------------- other rules

#[test]
fn a_game_goes_on_under_changed_rules() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    shop.new_variant("Hot").expect("a variant");
    checked(&mut shop);
    let seats = vec![Some(Bot::Random), Some(Bot::Random)];
    begin(&mut shop, 3, seats);
    let play = shop.playtest.as_mut().expect("a game");
    play.watch("A.wagons").expect("a watch");
    for _ in 0..30 {
        play.bot_step(&Patience::OWN).expect("no fault");
    }
    play.undo();
    play.undo();
    let (here, log) = (play.tree().position(), play.log());
    assert_eq!(here, 28);
    assert_eq!(
        play.watches()[0]
            .value
            .as_deref()
            .map(|value| value.parse::<u32>().is_ok()),
        Ok(true)
    );

    // A scoring option takes nothing back.
    let file = shop.file_of("hot").expect("a file");
    let edit = |shop: &mut Workshop, text: &str| {
        let document = shop.document(&file).expect("open");
        let end = document.text().len();
        document.edit("type", Gesture::Once, vec![Edit::insert(end, text)]);
        until(shop, |_, news| {
            news.iter().any(|one| matches!(one, News::Reloaded(_)))
        })
    };
    let reloaded = |news: Vec<News>| {
        news.into_iter().find_map(|one| match one {
            News::Reloaded(reload) => Some(reload),
            _ => None,
        })
    };
    let news = edit(&mut shop, "set wagons_each = 44\n");
    let play = shop.playtest.as_mut().expect("a game");
    assert_eq!(reloaded(news), Some(Reload::Whole));
    assert_eq!(
        (play.tree().position(), play.log().len()),
        (here, log.len())
    );
    assert_eq!(play.watches()[0].text, "A.wagons");
    assert!(play.redo() && play.redo() && !play.redo());
    play.jump(here);

    // Nothing can be claimed any more: the game stops at the first claim.
    let news = edit(
        &mut shop,
        "add to claim.r where false else \"not in this game\"\n",
    );
    let play = shop.playtest.as_mut().expect("a game");
    match reloaded(news) {
        Some(Reload::Parted { after, reasons, .. }) => {
            assert!((after as usize) < here, "{after}");
            assert_eq!(play.tree().position(), after as usize);
            assert!(
                reasons.iter().any(|why| why.contains("not in this game")),
                "{reasons:?}"
            );
            assert!(play.notice().is_some());
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn half_typed_rules_leave_the_last_good_ones_playable() {
    let desk = Desk::new();
    let mut shop = desk.open("chess");
    let file = "chess/rules/chess.rules";
    shop.document(file).expect("open").edit(
        "type",
        Gesture::Typing,
        vec![Edit::insert(0, "actio")],
    );
    checked(&mut shop);
    assert!(!shop.is_current() && !shop.problems().is_empty());
    begin(&mut shop, 1, vec![None, None]);
    let play = shop.playtest.as_mut().expect("a game");
    assert!(!play.question().answers.is_empty());
}

// -------------------------------------------------------------------------------------------------- play-tests

#[test]
fn lines_are_kept_compared_and_gone_back_to() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    begin(&mut shop, 5, vec![None, Some(Bot::Greedy)]);
    let play = shop.playtest.as_mut().expect("a game");
    decide(play, 0, 3);
    let first = play.tree().current();
    play.name_line(first, "first");
    play.undo_turn();
    let offered = play.question().answers.len();
    play.answer(offered - 1).expect("no fault");
    decide(play, 0, 1);
    let second = play.tree().current();
    let lines = play.lines();
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines
            .iter()
            .any(|line| line.name.as_deref() == Some("first") && !line.current)
    );
    let fork = play.compare(first, second);
    assert_ne!(fork.ends[0].answers[0], fork.ends[1].answers[0]);
    assert!(
        fork.ends[0]
            .scores
            .iter()
            .all(|(_, seats)| seats.len() == 2)
    );
    assert!(!fork.differing.is_empty());
    assert!(play.go_to(first));
    assert_eq!(play.tree().current(), first);

    // Kept in a file, it stands where it stood.
    let text = play.save();
    let saved = replay::parse(&text).expect("a replay");
    let (again, reload) = Playtest::follow(play.game().clone(), &saved);
    assert_eq!(reload, Reload::Whole);
    assert_eq!(again.expect("a game").position(), play.position());

    // Deleted, its own part is gone, and no more.
    assert!(play.forget_line(second));
    assert_eq!(play.lines().len(), 1);
    assert!(!play.forget_line(first), "the game stands on it");
    assert_eq!(play.tree().current(), first);
}

#[test]
fn seats_see_what_is_theirs() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    begin(&mut shop, 5, vec![None, Some(Bot::Random)]);
    let play = shop.playtest.as_mut().expect("a game");
    decide(play, 0, 3);
    assert_eq!(play.eyes(), Eyes::Seat(0), "those of the only person");
    play.set_eyes(Eyes::All);
    let hand = |play: &mut Playtest, owner: &str| {
        let groups = play.state("hand");
        let group = groups.into_iter().find(|group| group.owner == owner);
        let cell = group.and_then(|group| group.cells.into_iter().find(|cell| cell.name == "hand"));
        cell.map(|cell| cell.value)
    };
    let open = hand(play, "player B").expect("a hand");
    play.set_eyes(Eyes::Seat(0));
    let hidden = hand(play, "player B").expect("its size");
    assert_ne!(open, hidden);
    assert!(hidden.contains("unseen"), "{hidden}");
    assert!(hand(play, "player A").is_some_and(|own| !own.contains("unseen")));
    let told = play.log();
    assert!(
        told.iter()
            .any(|line| matches!(line.kind, LogKind::Answer { seat: 0 }))
    );
    assert!(
        told.iter()
            .any(|line| line.folded.iter().any(|(_, span)| span.is_some()))
    );
    play.set_eyes(Eyes::Nobody);
    assert!(hand(play, "player A").is_some_and(|own| own.contains("unseen")));

    play.set_eyes(Eyes::All);
    let refused = play.not_offered();
    let question = play.question();
    for one in refused.iter().take(3) {
        assert!(!one.reasons.is_empty());
        assert!(
            !question
                .answers
                .iter()
                .any(|offered| offered.text == one.text),
            "{}",
            one.text
        );
    }
    assert!(play.why_not("claim(").is_err());
    assert!(play.watch("A.wagon").is_err());
}

// -------------------------------------------------------------------------------------------------- sheets

#[test]
fn every_games_sheets_round_trip() {
    let desk = Desk::new();
    let ids: Vec<String> = desk
        .workshop()
        .project
        .games
        .iter()
        .filter(|game| !game.family)
        .map(|game| game.id.clone())
        .collect();
    assert!(ids.len() >= 6, "{ids:?}");
    for id in ids {
        let mut shop = desk.open(&id);
        assert!(shop.is_current(), "{id}: {:?}", shop.problems());
        let sheets = shop.sheets();
        let tables = shop
            .good()
            .and_then(|good| good.rules())
            .expect("rules")
            .tables
            .len();
        assert_eq!(sheets.len(), tables, "{id}");
        for sheet in &sheets {
            let same = sheet.rows.iter().enumerate().flat_map(|(at, row)| {
                let cells = row.cells.iter().enumerate();
                cells.map(move |(column, cell)| (at, column, cell.text.clone()))
            });
            shop.change_sheet(
                &sheet.name,
                &SheetChange::Set(same.collect()),
                Gesture::Once,
            )
            .unwrap_or_else(|why| panic!("{id}: {}: {why}", sheet.name));
            // Another value and back: the text is as it was.
            let number = sheet
                .columns
                .iter()
                .position(|column| matches!(column.kind, CellKind::Text) && !column.key);
            let Some((column, row)) = number.zip((!sheet.rows.is_empty()).then_some(0)) else {
                continue;
            };
            let own = sheet.rows[row].cells[column].clone();
            if own.span.is_none() {
                continue;
            }
            let set = |text: &str| SheetChange::Set(vec![(row, column, text.to_owned())]);
            shop.change_sheet(&sheet.name, &set("another \"text\""), Gesture::Once)
                .unwrap_or_else(|why| panic!("{id}: {}: {why}", sheet.name));
            shop.change_sheet(&sheet.name, &set(&own.text), Gesture::Once)
                .unwrap_or_else(|why| panic!("{id}: {}: {why}", sheet.name));
        }
        for document in shop.documents() {
            assert_eq!(
                Some(document.text()),
                document.on_disk(),
                "{id}: {}",
                document.name
            );
        }
    }
}

#[test]
fn cells_are_edited_in_their_file_and_comments_stay() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    let file = format!("{MAERKLIN}/components/tickets.toml");
    let before = shop
        .sources()
        .and_then(|s| Some(s.text(s.find(&file)?).to_owned()))
        .expect("a text");
    let sheets = shop.sheets();
    let tickets = sheets
        .iter()
        .find(|sheet| sheet.name == "ticket")
        .expect("tickets");
    let (row, points) = (3, tickets.column("points").expect("points"));
    let count = tickets.rows.len();

    // Many cells from a spreadsheet, as one step.
    let text = "11\n12\n13\n".to_owned();
    let paste = SheetChange::Paste {
        rows: (row..count).collect(),
        column: points,
        text,
    };
    shop.change_sheet("ticket", &paste, Gesture::Once)
        .expect("pasted");
    let sheet = ticket(&mut shop);
    let cells: Vec<&str> = (row..row + 3)
        .map(|row| sheet.rows[row].cells[points].text.as_str())
        .collect();
    assert_eq!(cells, ["11", "12", "13"]);
    let too_far = SheetChange::Paste {
        rows: vec![count - 1],
        column: points,
        text: "1\n2".into(),
    };
    assert!(
        shop.change_sheet("ticket", &too_far, Gesture::Once)
            .is_err()
    );
    let wrong = SheetChange::Set(vec![(row, points, "many".into())]);
    assert!(shop.change_sheet("ticket", &wrong, Gesture::Once).is_err());
    let nowhere = sheet.column("a").expect("a place");
    let wrong = SheetChange::Set(vec![(row, nowhere, "berlinn".into())]);
    let why = shop
        .change_sheet("ticket", &wrong, Gesture::Once)
        .expect_err("no such place");
    assert!(why.contains("`berlin`"), "{why}");

    shop.change_sheet("ticket", &SheetChange::Duplicate(row), Gesture::Once)
        .expect("duplicated");
    assert_eq!(ticket(&mut shop).rows.len(), count + 1);
    shop.change_sheet("ticket", &SheetChange::Delete(vec![0]), Gesture::Once)
        .expect("deleted");
    let sheet = ticket(&mut shop);
    assert_eq!(sheet.rows.len(), count);
    let row: Vec<(String, String)> = sheet
        .columns
        .iter()
        .enumerate()
        .map(|(at, column)| (column.name.clone(), sheet.rows[0].cells[at].text.clone()))
        .map(|(name, text)| match name.as_str() {
            "id" => (name, "new-one".to_owned()),
            _ => (name, text),
        })
        .collect();
    shop.change_sheet("ticket", &SheetChange::Add(row), Gesture::Once)
        .expect("added");
    assert_eq!(
        ticket(&mut shop)
            .rows
            .last()
            .map(|row| row.name.clone())
            .as_deref(),
        Some("new-one")
    );
    checked(&mut shop);
    assert!(shop.is_current(), "{:?}", shop.problems());

    let document = shop.document(&file).expect("open");
    let comments = |text: &str| text.lines().filter(|line| line.starts_with('#')).count();
    assert_eq!(comments(document.text()), comments(&before));
    for _ in 0..4 {
        document.undo();
    }
    assert_eq!(document.text(), before);
    assert!(!shop.is_dirty());
}

fn ticket(shop: &mut Workshop) -> editor::workshop::sheet::Sheet {
    let sheets = shop.sheets();
    sheets
        .into_iter()
        .find(|sheet| sheet.name == "ticket")
        .expect("tickets")
}

#[test]
fn in_a_variant_cells_become_lines_of_it() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    shop.new_variant("Cells").expect("a variant");
    checked(&mut shop);
    let file = shop.file_of("cells").expect("a file");
    let before = shop.document(&file).expect("open").text().to_owned();
    let sheet = ticket(&mut shop);
    let points = sheet.column("points").expect("points");
    let set = |text: &str| SheetChange::Set(vec![(0, points, text.to_owned())]);
    let own = sheet.rows[0].cells[points].text.clone();
    shop.change_sheet("ticket", &set("9"), Gesture::Once)
        .expect("patched");
    shop.change_sheet("ticket", &set("8"), Gesture::Once)
        .expect("patched again");
    let text = shop.document(&file).expect("open").text().to_owned();
    assert_eq!(text.matches("patch ticket").count(), 1, "{text}");
    let sheet = ticket(&mut shop);
    let cell = &sheet.rows[0].cells[points];
    assert_eq!(
        (cell.text.as_str(), cell.layer.as_str(), cell.below.clone()),
        ("8", "cells", Some(own.clone()))
    );
    shop.change_sheet("ticket", &set(&own), Gesture::Once)
        .expect("back");
    assert_eq!(shop.document(&file).expect("open").text(), before);

    shop.change_sheet("ticket", &SheetChange::Delete(vec![1]), Gesture::Once)
        .expect("removed");
    assert!(ticket(&mut shop).rows[1].removed.is_some());
    shop.change_sheet("ticket", &SheetChange::Duplicate(0), Gesture::Once)
        .expect("added");
    checked(&mut shop);
    assert!(shop.is_current(), "{:?}", shop.problems());
    let kinds: Vec<ChangeKind> = differences(shop.checked().expect("checked"))
        .into_iter()
        .map(|one| one.kind)
        .collect();
    assert!(
        kinds.contains(&ChangeKind::Removed) && kinds.contains(&ChangeKind::Added),
        "{kinds:?}"
    );
    let others = shop
        .documents()
        .iter()
        .filter(|one| one.is_dirty() && one.name != file)
        .count();
    assert_eq!(others, 0, "the game's own files stay as they are");
}

#[test]
fn layers_change_their_order() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    let own = shop.overlays().iter().filter(|one| !one.of_any);
    let order: Vec<String> = own.map(|one| one.id.clone()).collect();
    let (last, first) = (order[order.len() - 1].clone(), order[1].clone());
    shop.move_overlay(&last, Some(&first)).expect("moved");
    checked(&mut shop);
    assert_eq!(shop.overlays()[1].id, last);
    assert!(shop.is_current(), "{:?}", shop.problems());
}

#[test]
fn a_new_game_plays_at_once() {
    let desk = Desk::new();
    let mut shop = desk.workshop();
    let id = shop.new_game("My pebbles").expect("a game");
    assert!(shop.new_game("My pebbles").is_err());
    shop.open_game(&id).expect("opened");
    checked(&mut shop);
    assert!(shop.is_current(), "{:?}", shop.problems());
    begin(&mut shop, 1, vec![Some(Bot::Random), Some(Bot::Random)]);
    let play = shop.playtest.as_mut().expect("a game");
    while play.bot_step(&Patience::OWN).expect("no fault") {}
    assert!(play.is_over());
    let scenario = play.scenario_here("to the end").expect("a scenario");
    assert!(scenario.contains("finished and winners"), "{scenario}");
    assert!(!shop.project.search("pebbles").is_empty());
}

// -------------------------------------------------------------------------------------------------- words

/// Asks about a word that stands after `before` in a file, and waits for the answer.
fn asked(shop: &mut Workshop, about: About, name: &str, before: &str) -> Answer {
    let text = shop.document(name).expect("the file").text().to_owned();
    let at = text.find(before).expect("the words before") + before.len();
    shop.ask(about, name, at).expect("asked");
    let answered = |news: &[News]| {
        news.iter().find_map(|one| match one {
            News::Answered(answer) => Some(answer.clone()),
            _ => None,
        })
    };
    let news = until(shop, |_, news| answered(news).is_some());
    answered(&news).expect("an answer")
}

/// The family's texts belong to other games too: they are renamed there, though another game is open.
#[test]
fn a_rename_reaches_all_games_that_share_a_text() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    let options = "ticket-to-ride/rules/box.rules";
    let uses = asked(&mut shop, About::Uses, options, "\noption ");
    let word = uses.word.clone();
    let uses = uses.places.expect("places");
    assert!(uses.iter().all(|place| place.old == word));
    let new = About::Rename("quite_new".to_owned());
    let renamed = asked(&mut shop, new, options, "\noption ");
    let places = renamed.places.expect("a name that is free");
    assert_eq!(places.len(), uses.len());
    shop.replace("rename", &places).expect("replaced");
    checked(&mut shop);
    assert!(shop.is_current(), "{:?}", shop.problems());
    shop.save_all().expect("saved");
    for game in [MAERKLIN, "ticket-to-ride-usa"] {
        shop.open_game(game).expect("the game is there");
        checked(&mut shop);
        assert!(shop.is_current(), "{game}: {:?}", shop.problems());
        let pattern = Pattern {
            text: word.clone(),
            words: true,
            ..Pattern::default()
        };
        let left = shop.search(&pattern, None).expect("a pattern").places;
        let left: Vec<&Place> = left
            .iter()
            .filter(|one| one.name.ends_with(".rules"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn places_that_have_changed_are_not_written_over() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    let pattern = Pattern {
        text: r"wagons_(\w+)".to_owned(),
        regex: true,
        ..Pattern::default()
    };
    let found = shop.search(&pattern, Some("cars_$1")).expect("a pattern");
    assert!(found.places.len() > 3 && !found.more);
    let first = &found.places[0];
    assert!(
        first
            .new
            .as_deref()
            .is_some_and(|new| new.starts_with("cars_"))
    );
    let name = found.places[found.places.len() - 1].name.clone();
    let document = shop.document(&name).expect("open");
    document.edit("type", Gesture::Once, vec![Edit::insert(0, "# \n")]);
    assert!(shop.replace("replace", &found.places).is_err());
    let others = shop.documents().iter().filter(|one| one.name != name);
    assert!(
        others.clone().all(|one| !one.is_dirty()),
        "nothing is done by halves"
    );

    let broken = Pattern {
        text: "(".to_owned(),
        regex: true,
        ..Pattern::default()
    };
    assert!(shop.search(&broken, None).is_err());
}

#[test]
fn a_folder_that_holds_no_game_says_so() {
    let desk = Desk::new();
    let mut shop = desk.workshop();
    let none = tempfile::tempdir().expect("a folder");
    let why = shop.open_folder(none.path()).expect_err("no game");
    assert!(
        why.contains("a game is a folder with a `game.toml`"),
        "{why}"
    );
    assert!(shop.open_folder(&none.path().join("nowhere")).is_err());
    let own = none.path().join("own");
    copy(&desk.games().join("chess"), &own.join("chess"));
    let scenario = own.join("chess/rules/chess.rules");
    let game = shop.open_folder(&scenario).expect("a file of a game");
    assert_eq!(game.as_deref(), Some("chess"));
    shop.open_game("chess").expect("the game is there");
    let folder = shop.game().map(|game| game.folder.clone());
    assert_eq!(
        folder,
        own.join("chess").canonicalize().ok(),
        "the one in this folder"
    );
    assert_eq!(shop.open_folder(&own), Ok(None), "a folder of games");
}

/// Where the system tells of changes, nothing has to be looked at until it does.
#[test]
fn a_change_outside_is_told() {
    let desk = Desk::new();
    let mut shop = desk.open("chess");
    let path = desk.games().join("chess/rules/chess.rules");
    let text = fs::read_to_string(&path).expect("rules");
    fs::write(&path, format!("{text}# outside\n")).expect("written");
    let end = Instant::now() + Duration::from_secs(60);
    let told = |news: &[News]| news.iter().any(|one| matches!(one, News::Reread(_)));
    while !told(&shop.look_if_due(Instant::now())) {
        assert!(Instant::now() < end, "nobody noticed");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Who clicks a track or a card need not pick the action first.
#[test]
fn what_lies_behind_menus_can_be_pointed_at() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    begin(
        &mut shop,
        1,
        vec![None, Some(Bot::Random), Some(Bot::Random)],
    );
    let play = shop.playtest.as_mut().expect("a game");
    decide(play, 0, 2);
    until(&mut shop, |shop, _| shop.ways().is_some());
    let ways: Vec<&str> = shop
        .ways()
        .into_iter()
        .flatten()
        .map(|way| way.text.as_str())
        .collect();
    assert!(
        ways.contains(&"claim a track for cards › Bremen–Bremerhaven"),
        "{ways:?}"
    );
    assert!(
        ways.contains(&"draw train cards › take a card from the display › red"),
        "{ways:?}"
    );
    // A pile can be pointed at; what it would bring is not told.
    let blind = "draw train cards › draw a card unseen";
    assert!(ways.contains(&blind), "{ways:?}");
    assert!(
        !ways
            .iter()
            .any(|way| way.starts_with(blind) && *way != blind)
    );
    let ways = shop.ways().into_iter().flatten();
    let claim = ways
        .clone()
        .find(|way| way.text == "claim a track for cards › Bremen–Bremerhaven");
    let answers = claim.expect("found above").answers.clone();
    shop.answer(answers);
    until(&mut shop, |shop, _| shop.waiting().is_none());
    let play = shop.playtest.as_mut().expect("a game");
    let told: Vec<String> = play.log().into_iter().map(|line| line.text).collect();
    let last = told.last().map_or("", String::as_str);
    assert!(
        last.starts_with("A claims Bremen–Bremerhaven for "),
        "{told:?}"
    );
    assert!(play.undo_turn(), "back to before the claim");
    assert_eq!(play.question().text, "what do you do?");
}

const SECRET_GAME: &str = "\
enum colour = red, blue, green
player.wish: colour? private
player.shown: 0..9 = 0
action guess(choose c in colour where c != wish)
  shown += 1
action say(choose c in colour)
  shown += 1
flow
  setup: each player: wish = blue
  round: repeat 2
    turn: each player
      act: one of guess, say
score
  points = shown
win by score
";

/// A game of two people with these rules, which has begun.
fn of_two(desk: &Desk, rules: &str) -> Workshop {
    let folder = desk.games().join("secrets");
    fs::create_dir_all(folder.join("rules")).expect("a folder");
    let manifest = "[game]\nid = \"secrets\"\ntitle = \"Secrets\"\nplayers = [2, 2]\nrules = [\"rules/secrets.rules\"]\n";
    fs::write(folder.join("game.toml"), manifest).expect("a manifest");
    fs::write(folder.join("rules/secrets.rules"), rules).expect("rules");
    let mut shop = desk.open("secrets");
    assert!(shop.is_current(), "{:?}", shop.problems());
    begin(&mut shop, 1, vec![None, None]);
    shop
}

const TRICK_GAME: &str = "\
table card
  worth: 0..
rows card
  id    | worth
  two   | 2
  three | 3
  four  | 4
player.hand: set of card private = {two, three, four}
player.played: card?
player.tricks: 0.. = 0
flow
  round: repeat 2
    play: each player secretly
      choose c in hand
      hand -= c
      played = c
    let best = max(p in player: p.played.worth otherwise 0)
    each p in player where (p.played.worth otherwise 0) = best: p.tricks += 1
    each p in player: p.played = none
score
  tricks = tricks
win by score
";

/// What others choose secretly is told when all have chosen, with the cards on the table, and behind it what follows.
#[test]
fn secret_choices_are_told_when_all_have_chosen() {
    let desk = Desk::new();
    let mut shop = of_two(&desk, TRICK_GAME);
    let play = shop.playtest.as_mut().expect("a game");
    let told = |play: &mut Playtest, eyes: Eyes| -> Vec<(String, Option<Vec<i32>>)> {
        play.set_eyes(eyes);
        let lines = play.log().into_iter();
        lines
            .map(|line| (line.text, line.shown.map(|state| state.words().to_vec())))
            .collect()
    };
    assert!(play.answer_text("four").expect("no fault"));
    for eyes in [Eyes::Seat(1), Eyes::Nobody] {
        assert_eq!(told(play, eyes), [("A has chosen".to_owned(), None)]);
    }
    assert!(play.answer_text("two").expect("no fault"));
    for (eyes, begin) in [
        (Eyes::All, &["A: four", "B: two"][..]),
        (Eyes::Seat(0), &["A: four", "B: two"]),
        (Eyes::Seat(1), &["A has chosen", "B: two", "A: four"]),
        (Eyes::Nobody, &["A has chosen", "A: four", "B: two"]),
    ] {
        let lines = told(play, eyes);
        let texts: Vec<&str> = lines.iter().map(|(text, _)| text.as_str()).collect();
        assert_eq!(texts[..begin.len()], *begin, "{eyes:?}");
        assert_eq!(texts[begin.len()..], ["What follows"], "{eyes:?}");
        let own = play.position().words();
        let shown: Vec<bool> = lines.iter().map(|(_, shown)| shown.is_some()).collect();
        assert!(shown[begin.len() - 1] && !shown[begin.len()], "{shown:?}");
        let states = lines.iter().filter_map(|(_, shown)| shown.as_deref());
        assert!(
            states.clone().all(|state| state != own),
            "the cards lie there, nothing has followed"
        );
    }
}

/// What an answer tells of a secret is not told in the log of others.
#[test]
fn a_choice_that_a_secret_decides_is_not_told_to_others() {
    let desk = Desk::new();
    let mut shop = of_two(&desk, SECRET_GAME);
    let play = shop.playtest.as_mut().expect("a game");
    // Nor is it offered before the eyes of others.
    assert!(play.answer_text("guess").expect("no fault"));
    for (eyes, count) in [
        (Eyes::All, 2),
        (Eyes::Seat(0), 2),
        (Eyes::Seat(1), 0),
        (Eyes::Nobody, 0),
    ] {
        play.set_eyes(eyes);
        let question = play.question();
        assert_eq!(
            (question.answers.len(), question.unheard),
            (count, count == 0),
            "{eyes:?}"
        );
    }
    play.set_eyes(Eyes::All);
    for answer in ["green", "say", "red"] {
        assert!(play.answer_text(answer).expect("no fault"), "{answer}");
    }
    let told = |play: &mut Playtest, eyes: Eyes| -> Vec<String> {
        play.set_eyes(eyes);
        play.log().into_iter().map(|line| line.text).collect()
    };
    let has = |told: &[String], text: &str| told.iter().any(|line| line.contains(text));
    let own = told(play, Eyes::Seat(0));
    assert!(
        has(&own, "A: guess green") && has(&own, "B: say red"),
        "{own:?}"
    );
    for eyes in [Eyes::Seat(1), Eyes::Nobody] {
        let heard = told(play, eyes);
        assert!(!has(&heard, "green"), "{heard:?}");
        assert!(
            has(&heard, "A: guess") && has(&heard, "A has chosen"),
            "{heard:?}"
        );
        assert!(
            has(&heard, "B: say red"),
            "no secret had to do with it: {heard:?}"
        );
    }
}

/// What hands changed in several files in turn is taken back in that order, and made again in it.
#[test]
fn tables_and_drawings_are_undone_in_turn() {
    let desk = Desk::new();
    let mut shop = desk.open(MAERKLIN);
    let names = ["board.toml", "components/map.toml"].map(|file| format!("{MAERKLIN}/{file}"));
    for (at, label) in [(0, "a"), (1, "b"), (0, "c")] {
        let document = shop.document(&names[at]).expect("it is there");
        assert!(document.edit(label, Gesture::Once, vec![Edit::insert(0, "# x\n")]));
    }
    for back in [true, false] {
        for at in [0, 1, 0] {
            let last = shop.done_last(back).expect("something was done");
            assert_eq!(last, names[at]);
            let step = if back {
                shop.undo(&last)
            } else {
                shop.redo(&last)
            };
            assert!(step.expect("it can be").is_some());
        }
        assert_eq!(shop.done_last(back), None);
    }
}
