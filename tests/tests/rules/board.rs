//! Boards: the scenes of every game and combination hold together, and mistakes of `board.toml` are told.

use dsl::assembly::Selection;
use dsl::diagnostic::render::render;
use dsl::ir::Domain;
use dsl::source::SourceSet;
use editor::board::{
    self, Board, Form, LETTERS_MIN, Palette, Rect, Scene, Shape, Size, Subject, Thing,
    has_to_stand_out, least, svg,
};
use interpreter::ask::Eyes;
use interpreter::bots::Bot;
use interpreter::playout::Table;
use interpreter::words::Words;
use interpreter::{Machine, State, Stop};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use tests::games;

/// States looked at in one game: the first, and others on the way.
const STATES: usize = 3;
/// Decisions between them.
const STRIDE: usize = 61;
/// Decisions of a game of which each that asks something new is looked at, and so many such questions.
const DECISIONS: usize = 400;
const QUESTIONS: usize = 60;
/// What a board has of a small screen.
const ROOM: Size = Size {
    width: 820.0,
    height: 640.0,
};

#[test]
fn every_board_holds_together() {
    let sources = games::sources();
    let mut trays = BTreeSet::new();
    for game in games::ids(&sources) {
        let (manifest, _) = dsl::assembly::manifest(&sources, &game);
        let combinations = manifest.map(|manifest| manifest.combinations);
        let mut overlays: Vec<Vec<String>> = combinations
            .unwrap_or_default()
            .into_iter()
            .map(|combination| combination.overlays)
            .collect();
        overlays.push(Vec::new());
        // What a variant adds is not drawn: expansions have boards, and the game alone.
        overlays.retain(|overlays| overlays.iter().all(|id| has_board(&sources, &game, id)));
        overlays.dedup();
        for overlays in overlays {
            let selection = Selection {
                overlays,
                ..Selection::default()
            };
            one_game(&sources, &game, &selection, &mut trays);
        }
    }
    let found: String = trays.iter().map(|line| format!("{line}\n")).collect();
    same(&suite().join("trays.txt"), &found);
}

/// A game with a tiling and no `board.toml` has a picture all the same: each place, and what lies there.
#[test]
fn a_tiling_alone_is_drawn() {
    // Places, pieces, and lines from the sides of tiles to their middle.
    let wanted = [
        ("yavalath", 61, 0, 0),
        ("hex", 121, 0, 0),
        ("outline", 33, 32, 0),
        ("hexrails", 7, 0, 3),
        ("drawn", 16, 16 + 6, 0),
    ];
    for (name, places, pieces, ways) in wanted {
        let path = suite().join(format!("../scenario/{name}.rules"));
        let rules = fs::read_to_string(path).expect("a small game");
        let players = rules
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("# players "));
        let sources = games::of_text(name, players.unwrap_or("2, 2"), rules.as_str());
        let compiled = dsl::compile(&sources, name, &Selection::default());
        let rules = compiled.rules.as_ref().expect("it compiles");
        let program = interpreter::lower(rules, rules.players.0).expect("it lowers");
        let mut table = Table::new(&program, vec![Bot::Random]);
        table.start(7).expect("no fault");
        let mut state = State::new();
        table.machine.save(&mut state);
        let (board, mistakes) = Board::new(&sources, &compiled, &program).expect("a board");
        assert!(mistakes.is_empty(), "{name}: {mistakes:?}");
        let scene = board.scene(&state, Eyes::Of(None));
        names_places(&scene, &Words::new(rules, &program), name);
        let arranged = board.arranged(&state, Eyes::Of(None), ROOM, None);
        is_read(&board.scene_as(&state, Eyes::Of(None), arranged), name);
        let cells = |shape: &&editor::board::Shape| {
            let of = shape.subjects.first();
            matches!(of, Some(Subject::Element(Domain::Cell, _)))
        };
        let count = |is: fn(&Form) -> bool| {
            scene
                .shapes
                .iter()
                .filter(cells)
                .filter(|shape| is(&shape.form))
                .count()
        };
        let found = (
            count(|form| matches!(form, Form::Polygon(_) | Form::Rect { .. })),
            count(|form| matches!(form, Form::Circle { .. })),
            count(|form| matches!(form, Form::Polyline(_))),
        );
        assert_eq!(found, (places, pieces, ways), "{name}");
    }
}

fn has_board(sources: &SourceSet, game: &str, overlay: &str) -> bool {
    let path = format!("{game}/expansions/{overlay}/expansion.toml");
    sources.find(&path).is_some()
}

fn one_game(sources: &SourceSet, game: &str, selection: &Selection, trays: &mut BTreeSet<String>) {
    let name = format!("{game} {:?}", selection.overlays);
    let compiled = dsl::compile(sources, game, selection);
    let Some(rules) = &compiled.rules else {
        panic!("{name} does not check");
    };
    let program = interpreter::lower(rules, rules.players.1).expect("lowers");
    let (board, diagnostics) = Board::new(sources, &compiled, &program).expect("compiled");
    let shown: Vec<String> = diagnostics
        .iter()
        .map(|d| render(sources, d, false))
        .collect();
    assert!(shown.is_empty(), "{name}: {}", shown.join("\n"));
    assert!(!board.is_empty(), "{name} has no board");
    let mut table = Table::new(&program, vec![Bot::Random]);
    let mut stop = table.start(7).expect("no fault");
    let mut decision = 0;
    let mut asked = BTreeSet::new();
    while decision < DECISIONS && stop == Stop::Decision {
        let mut state = State::new();
        let seat = table.machine.seat();
        let question = Words::new(rules, &program).question(&mut table.machine);
        let is_new = asked.len() < QUESTIONS && asked.insert(question);
        let is_shown = decision % STRIDE == 0 && decision < STATES * STRIDE;
        if is_new || is_shown {
            table.machine.save(&mut state);
        }
        if is_new {
            let scene = board.scene(&state, Eyes::Of(Some(seat)));
            let drawn = (&board, &scene, &state);
            beside(drawn, &mut table.machine, (rules, game), trays);
        }
        if is_shown {
            let eyes = [Eyes::Open, Eyes::Of(None)][decision / STRIDE % 2];
            holds_together(&board.scene(&state, eyes), &name);
            holds_together(&board.scene(&state, Eyes::Of(Some(seat))), &name);
            let scene = board.scene(&state, Eyes::Of(Some(seat)));
            names_places(&scene, &Words::new(rules, &program), &name);
            is_there_in_whole(&board, &state, seat, &name);
        }
        decision += 1;
        stop = table.step().expect("no fault");
    }
}

/// On a small screen most texts of a board are there in whole, and nearly all of one that is looked at in parts, which is as wide as
/// the screen.
fn is_there_in_whole(board: &Board, state: &State, seat: u32, name: &str) {
    let eyes = Eyes::Of(Some(seat));
    let arranged = board.arranged(state, eyes, ROOM, None);
    let scene = board.scene_as(state, eyes, arranged);
    let cut = scene.shapes.iter().filter_map(|shape| match &shape.form {
        Form::Text(text) if text.text.ends_with('…') => Some(text.text.as_str()),
        _ => None,
    });
    let cut: Vec<&str> = cut.collect();
    let texts = scene.shapes.iter();
    let texts = texts.filter(|shape| matches!(shape.form, Form::Text(_)));
    let one_in = match arranged.least {
        None => 5,
        Some(least) => {
            let wide = scene.size.width * least;
            assert!(wide <= ROOM.width, "{name} is {wide} points wide");
            12
        }
    };
    assert!(one_in * cut.len() <= texts.count(), "{name}: {cut:?}");
}

/// What answers name and nothing on the board stands for, numbers too, lies beside it; which questions need that is listed.
fn beside(
    (board, scene, state): (&Board, &Scene, &State),
    machine: &mut Machine,
    (rules, game): (&dsl::ir::RuleSet, &str),
    trays: &mut BTreeSet<String>,
) {
    let seat = machine.seat();
    let words = Words::new(rules, machine.program());
    let asked = words.question(machine);
    let mut choices = board.choices().to_vec();
    let mut things: Vec<Thing> = Vec::new();
    let mut needs = |subject: Subject, text: String| {
        let is_new = things.iter().all(|thing| thing.subject != subject);
        if is_new && scene.shapes_of(subject).next().is_none() {
            things.push(Thing {
                subject,
                text,
                picture: None,
            });
        }
    };
    for at in 0..machine.answers().len() {
        words.named(machine, at, &mut |domain, word| {
            // Actions are read, not pointed at.
            if domain != Domain::Action {
                needs(Subject::Element(domain, word), words.called(domain, word));
            }
        });
        words.numbers(machine, at, &mut |name, number| {
            let known = choices.iter().position(|one| one == name);
            let choice = known.unwrap_or_else(|| {
                choices.push(name.to_owned());
                choices.len() - 1
            });
            needs(Subject::Number(choice as u32, number), number.to_string());
        });
    }
    if things.is_empty() {
        return;
    }
    let seen = (state, Eyes::Of(Some(seat)));
    let tray = board.tray(scene.size, seen, (&asked, &things), ROOM);
    let (tray, at) = tray.unwrap_or_else(|| panic!("{game}: {asked}: {} things", things.len()));
    let mut names = Vec::new();
    for thing in &things {
        let mut shapes = tray.shapes_of(thing.subject);
        let name = shapes.next().map(|shape| shape.name.clone());
        names.push(name.filter(|name| !name.is_empty()).expect("it has a name"));
    }
    let mut whole = scene.clone();
    whole.append(tray, at);
    holds_together(&whole, &format!("{game}: {asked}"));
    trays.insert(format!("{game}: {asked}: {}", names.join(", ")));
}

/// On a small screen no letters are smaller than this, in its points.
const READ_MIN: f32 = 9.0;

/// Whatever is written can be read without making it larger.
fn is_read(scene: &Scene, place: &str) {
    let (width, height) = (
        ROOM.width / scene.size.width,
        ROOM.height / scene.size.height,
    );
    let scale = width.min(height);
    for shape in &scene.shapes {
        if let Form::Text(text) = &shape.form {
            let size = text.size * scale;
            assert!(size >= READ_MIN, "{place}: `{}` is {size} high", text.text);
        }
    }
}

/// The places of a tiling are called by what stands at the edge: beside each straight row its sign, as the names of its places have it.
fn names_places(scene: &Scene, words: &Words, place: &str) {
    let texts: Vec<&str> = scene
        .shapes
        .iter()
        .filter_map(|shape| match &shape.form {
            Form::Text(text) => Some(text.text.as_str()),
            _ => None,
        })
        .collect();
    let subjects = scene
        .shapes
        .iter()
        .filter_map(|shape| shape.subjects.first());
    for subject in subjects {
        let Subject::Element(Domain::Cell, word) = subject else {
            continue;
        };
        let name = words.called(Domain::Cell, *word);
        let called = words.row_and_column(*word).expect("a place");
        for called in called.into_iter().flatten() {
            assert!(name.contains(&called.sign), "{place}: {name}: {called:?}");
            let written = texts
                .iter()
                .any(|text| *text == called.sign || *text == called.said);
            assert!(written, "{place}: nothing says {} of {name}", called.said);
        }
    }
}

fn holds_together(scene: &Scene, place: &str) {
    let whole = Rect::new(0.0, 0.0, scene.size.width, scene.size.height);
    assert!(!scene.areas.is_empty(), "{place}: no areas");
    for shape in &scene.shapes {
        let bounds = shape.bounds();
        let inside = bounds.x >= whole.x - 1.0
            && bounds.y >= whole.y - 1.0
            && bounds.right() <= whole.right() + 1.0
            && bounds.bottom() <= whole.bottom() + 1.0;
        assert!(
            inside,
            "{place}: {:?} at {bounds:?} lies outside",
            shape.form
        );
        if let Form::Text(text) = &shape.form {
            assert!(text.size > 3.0, "{place}: `{}` is too small", text.text);
        }
    }
    for (at, area) in scene.areas.iter().enumerate() {
        for other in &scene.areas[..at] {
            let apart = area.rect.right() <= other.rect.x
                || other.rect.right() <= area.rect.x
                || area.rect.bottom() <= other.rect.y
                || other.rect.bottom() <= area.rect.y;
            assert!(apart, "{place}: `{}` lies on `{}`", area.title, other.title);
        }
    }
    stands_out(scene, place);
    let picture = svg(scene, place, &Palette::light());
    for name in ["text", "rect", "circle", "title"] {
        let opened = picture.matches(&format!("<{name}")).count();
        let closed = picture.matches(&format!("</{name}>")).count();
        // The circle of the dotted pattern closes itself.
        let own = usize::from(name == "circle");
        assert_eq!(opened, closed + own, "{place}: {name}");
    }
    assert!(
        !picture.contains("NaN") && !picture.contains("inf\""),
        "{place}"
    );
}

/// Whatever is drawn is told from what it lies on, in light and dark surroundings.
fn stands_out(scene: &Scene, place: &str) {
    let below = scene.grounds();
    for (at, (shape, ground)) in scene.shapes.iter().zip(below).enumerate() {
        let Some(ground) = ground else { continue };
        let is_seen = match &shape.form {
            Form::Picture { .. } => true,
            Form::Text(text) => {
                let ground = text.halo.unwrap_or(ground.colour);
                shape
                    .fill
                    .is_some_and(|ink| least(ink, ground) >= LETTERS_MIN)
            }
            Form::Polyline(_) => {
                let is_edge = |other: &Shape| {
                    other.form == shape.form && board::stands_out(other, ground.colour)
                };
                scene.shapes[..=at].iter().any(is_edge)
            }
            Form::Rect { .. } | Form::Circle { .. } | Form::Polygon(_) => {
                !has_to_stand_out(shape) || board::stands_out(shape, ground.colour)
            }
        };
        assert!(is_seen, "{place}: {shape:?} is not seen on {ground:?}");
    }
}

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/board")
}

/// Each case stands for the `board.toml` of a game; what is said of it is written beside it.
#[test]
fn mistakes_are_told() {
    let mut sources = games::sources();
    let compiled = dsl::compile(&sources, "chess", &Selection::default());
    let program = interpreter::lower(compiled.rules.as_ref().expect("checks"), 2).expect("lowers");
    let mut cases: Vec<PathBuf> = fs::read_dir(suite())
        .expect("cases")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "toml"))
        .collect();
    cases.sort();
    assert!(cases.len() >= 12);
    for case in cases {
        let text = fs::read_to_string(&case).expect("readable");
        sources.insert("chess/board.toml", text);
        let compiled = dsl::compile(&sources, "chess", &Selection::default());
        let mut said: Vec<String> = compiled
            .diagnostics
            .iter()
            .filter(|found| found.is_error())
            .map(|found| render(&sources, found, false))
            .collect();
        if let Some((_, diagnostics)) = Board::new(&sources, &compiled, &program) {
            said.extend(
                diagnostics
                    .iter()
                    .map(|found| render(&sources, found, false)),
            );
        }
        assert!(!said.is_empty(), "{} has no mistake", case.display());
        same(&case.with_extension("txt"), &said.join("\n"));
    }
}

/// A text without end is cut to its place in one go (to measure it anew for each letter would take minutes), and of what only
/// play tells how much there is no more is drawn than a board shows; a link has no more boxes than can be told apart.
#[test]
fn what_is_far_too_much_is_cut() {
    let rules = "table spot\n  x: 0..999\n  y: 0..999\nrows spot\n  id | x   | y\n  a  | 100 | 100\n  b  | 500 | 100\n\
        x: 0.. = 2000000000\naction go: choose v in 1..2\nflow\n  round: repeat\n    turn: each player\n      go\n      finish now\nscore\n  p = x\nwin by score\n";
    let mut sources = games::of_text("much", "2, 2", rules);
    let text = "w".repeat(1_000_000);
    let board = format!(
        "[[panel]]\nid = \"board\"\nsize = [600, 600]\n\n[[panel.spaces]]\nfor = \"i in 1..x\"\nat = [300, 300]\n\
        size = 20\nshape = \"none\"\ntext = \"{{i}}\"\n\n[[panel.spaces]]\nat = [300, 300]\nshape = \"box\"\nsize = 100\ntext = \"{text}\"\n\n\
        [[panel.spaces]]\nfor = \"s in spot\"\nat = [\"s.x\", \"s.y\"]\nsize = 20\n\n[[panel.links]]\nfor = \"s in spot\"\n\
        ends = [\"spot[a]\", \"spot[b]\"]\nlength = \"x\"\nwidth = 8\n"
    );
    sources.insert("much/board.toml", board);
    let compiled = dsl::compile(&sources, "much", &Selection::default());
    let rules = compiled.rules.as_ref();
    let rules = rules.unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
    let program = interpreter::lower(rules, 2).expect("lowers");
    let (board, diagnostics) = Board::new(&sources, &compiled, &program).expect("compiled");
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let mut table = Table::new(&program, vec![Bot::Random]);
    table.start(1).expect("no fault");
    let mut state = State::new();
    table.machine.save(&mut state);
    let scene = board.scene(&state, Eyes::Open);
    let texts = scene.shapes.iter().filter_map(|shape| match &shape.form {
        Form::Text(text) => Some(text.text.as_str()),
        _ => None,
    });
    let texts: Vec<&str> = texts.collect();
    let numbers = texts
        .iter()
        .filter(|text| text.starts_with(char::is_numeric));
    assert_eq!(numbers.count(), dsl::bounds::SHOWN_MAX);
    let boxes = scene.shapes.len() - texts.len();
    assert!((50..1_000).contains(&boxes), "{boxes} shapes");
    let long: Vec<&&str> = texts.iter().filter(|text| text.starts_with("ww")).collect();
    assert!((1..100).contains(&long.len()), "{} lines", long.len());
    assert!(long.iter().all(|line| line.len() < 100), "{long:?}");
    assert!(
        long.last().is_some_and(|line| line.ends_with('…')),
        "{long:?}"
    );
}

fn same(path: &Path, found: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, found).expect("writable");
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert_eq!(expected, found, "{}", path.display());
}

/// Without a `board.toml` cards say all in which they differ, in the size of a card, and each row of a market has its label.
#[test]
fn cards_of_a_game_without_a_board_say_what_the_rules_read() {
    let rules = "enum good = red, blue\n\
        table card\n  level: 1..3\n  good: good\n  price: bag of good\n\
        rows card\n  id | level | good | price\n  \
        a | 1 | red | {blue: 2}\n  b | 2 | blue | {red: 1, blue: 3}\n  c | 3 | red | {red: 4}\n\
        market[l in 1..3]: set of card\n\
        action take(choose l in 1..3, choose c in market[l] where c.level = l and c.good = red and c.price.size > 1): skip\n\
        flow\n  fill: each c in card: market[c.level] += c\n  turn: each player\n    may take\n\
        score\n  points = 0\nwin by score\n";
    let sources = games::of_text("g", "2, 3", rules);
    let compiled = dsl::compile(&sources, "g", &Selection::default());
    let told: Vec<String> = compiled
        .diagnostics
        .iter()
        .map(|one| render(&sources, one, false))
        .collect();
    let rules = compiled
        .rules
        .as_ref()
        .unwrap_or_else(|| panic!("{told:?}"));
    let program = interpreter::lower(rules, 2).expect("it runs");
    let (board, wrong) = Board::new(&sources, &compiled, &program).expect("a board");
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut machine = Machine::new(&program);
    machine.start(1).expect("it begins");
    let mut state = State::new();
    machine.save(&mut state);
    let scene = board.scene(&state, Eyes::Open);
    let texts = scene.shapes.iter().filter_map(|shape| match &shape.form {
        Form::Text(text) => Some((text.text.as_str(), text.at)),
        _ => None,
    });
    let texts: Vec<(&str, _)> = texts.collect();
    let place = |wanted: &str| {
        let found = texts.iter().find(|(text, _)| *text == wanted);
        found
            .map(|(_, at)| *at)
            .unwrap_or_else(|| panic!("{wanted}: {texts:?}"))
    };
    let labels = ["market 1", "market 2", "market 3"].map(place);
    assert!(
        labels[0].y < labels[1].y && labels[1].y < labels[2].y,
        "{labels:?}"
    );
    let whole: String = texts.iter().map(|(text, _)| format!("{text} ")).collect();
    for said in ["level 2", "1 red", "3 blue"] {
        assert!(whole.contains(said), "{said}: {whole}");
    }
}
