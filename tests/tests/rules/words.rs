//! What people read of the shipped games: a turn or two of each, with questions, answers and the log, as kept in
//! `suite/words`. A language has words for all of it.

use dsl::board::TemplatePart;
use dsl::ir::Ty;
use interpreter::game::Session;
use interpreter::words::Words;
use std::fmt::Write;
use tests::games;

/// Decisions that are told of a game.
const DECISIONS: usize = 24;
/// Answers that are told of a decision.
const ANSWERS: usize = 6;

/// A game played by always another answer, and what everybody reads of it.
fn story(game: &str, overlays: &[&str], language: Option<&str>) -> String {
    let selection = dsl::assembly::Selection {
        overlays: overlays.iter().map(|one| (*one).to_owned()).collect(),
        language: language.map(str::to_owned),
        ..dsl::assembly::Selection::default()
    };
    let compiled = dsl::compile(&games::sources(), game, &selection);
    let rules = compiled
        .rules
        .unwrap_or_else(|| panic!("{game}: {:?}", compiled.diagnostics));
    let program = interpreter::lower(&rules, rules.players.0.max(2)).expect("lowers");
    let mut session = Session::new(&rules, &program, 5).expect("is set up");
    let words: Words<'_> = *session.words();
    let mut text = String::new();
    let mut pick = 0;
    for _ in 0..DECISIONS {
        let Some(seat) = session.seat() else { break };
        let question = words.question(session.machine_mut());
        let offers = words.offers(session.machine());
        let _ = writeln!(text, "{}: {question}", words.seat(seat as i32));
        for offer in offers.iter().take(ANSWERS) {
            let details = match offer.details.as_str() {
                "" => String::new(),
                details => format!(" | {details}"),
            };
            let _ = writeln!(text, "    {}{details}", offer.text);
        }
        if offers.len() > ANSWERS {
            let _ = writeln!(text, "    … {}", offers.len());
        }
        pick += 7;
        session.answer(pick % offers.len()).expect("no fault");
    }
    let _ = writeln!(text, "\n{}", log(&session, &words));
    text
}

/// What happened, with all that came of it.
fn log(session: &Session<'_>, words: &Words<'_>) -> String {
    let tree = session.tree();
    let mut text = String::new();
    for (_, sentence) in words.story(tree, &tree.path(tree.current())) {
        let _ = writeln!(text, "{}", sentence.line());
        for (line, _) in &sentence.folded {
            let _ = writeln!(text, "    {line}");
        }
    }
    text
}

/// Compares with a file, or writes it.
fn told(name: &str, text: &str) {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("suite/words/{name}.txt"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("can be made");
        std::fs::write(&path, text).expect("can be written");
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(kept, text, "{name}: UPDATE_EXPECT=1 takes what is told now");
}

#[test]
fn a_turn_of_each_game_reads_well() {
    let sources = games::sources();
    for listing in dsl::assembly::games(&sources) {
        if listing.family || listing.id == dsl::assembly::ANY {
            continue;
        }
        told(&listing.id, &story(&listing.id, &[], None));
    }
}

#[test]
fn german_games_are_told_in_german() {
    for game in ["schwarze-lok", "ticket-to-ride-maerklin"] {
        told(&format!("{game}.de"), &story(game, &[], Some("de")));
    }
}

/// What people read has words in each language that a game has, and nothing else has.
#[test]
fn languages_are_complete() {
    let sources = games::sources();
    let mut read = 0;
    for listing in dsl::assembly::games(&sources) {
        if listing.family {
            continue;
        }
        for language in dsl::assembly::languages(&sources, &listing.id) {
            let selection = dsl::assembly::Selection {
                language: Some(language),
                ..dsl::assembly::Selection::default()
            };
            let compiled = dsl::compile(&sources, &listing.id, &selection);
            let of_words = |one: &&dsl::diagnostic::Diagnostic| {
                let path = &sources.file(one.span.file).path;
                path.contains("/words/")
            };
            let (_, board) = dsl::board::board(&sources, &compiled).expect("rules");
            let found: Vec<String> = compiled
                .diagnostics
                .iter()
                .chain(&board)
                .filter(of_words)
                .map(|one| one.message.clone())
                .collect();
            assert!(found.is_empty(), "{}: {}", listing.id, found.join("\n"));
            read += 1;
        }
    }
    assert!(read >= 3, "{read} languages of games");
}

/// The texts of a `board.toml` are those of the language; what it has no words for, or none that can be read, stays, and is told.
#[test]
fn boards_speak_the_language() {
    let mut sources = games::of_text(
        "heap",
        "2, 2",
        "heap: 0..9 = 9\n\naction take: heap -= 1\n\nflow\n  round: repeat\n    turn: each player\n      one of take\n",
    );
    let board = "[[seat]]\nname = \"Red\"\ncolour = \"#c8202c\"\n\n[[panel]]\nid = \"p\"\ntitle = \"{heap} left in the heap\"\n\n[[panel.values]]\nlines = [[\"taken\", \"{9 - heap}\"], [\"N\", \"{heap}\"], [\"heap\", \"{heap}\"]]\n";
    sources.insert("heap/board.toml".to_owned(), board);
    let words = "[words]\ntake = \"nehmen\"\nheap = \"Haufen\"\n\n[texts]\n\"{heap} left in the heap\" = \"im Haufen: {heap}\"\n\"taken\" = \"genommen {taken}\"\n\"Red\" = \"Rot\"\n";
    sources.insert("heap/words/de.toml".to_owned(), words);
    let of = |language: Option<&str>| {
        let selection = dsl::assembly::Selection {
            language: language.map(str::to_owned),
            ..dsl::assembly::Selection::default()
        };
        let compiled = dsl::compile(&sources, "heap", &selection);
        let (board, found) = dsl::board::board(&sources, &compiled).expect("rules");
        let text = |parts: &[TemplatePart]| -> String {
            let each = parts.iter().map(|part| match part {
                TemplatePart::Text(text) => text.as_str(),
                TemplatePart::Value(_) => "…",
            });
            each.collect()
        };
        let panel = &board.panels[0];
        let lines = panel.items[0].lines.iter();
        let mut said: Vec<String> = lines.map(|(name, _)| text(&name.parts)).collect();
        said.extend([text(&panel.title.parts), board.seats[0].name.clone()]);
        let told = found.into_iter().map(|one| {
            assert_eq!(one.severity, dsl::diagnostic::Severity::Warning);
            let (line, _) = sources.line_column(one.span);
            format!(
                "{}:{line}: {}",
                sources.file(one.span.file).path,
                one.message
            )
        });
        (said, told.collect::<Vec<String>>())
    };
    let english = ["taken", "N", "heap", "… left in the heap", "Red"];
    assert_eq!(of(None), (english.map(str::to_owned).into(), Vec::new()));
    let (said, told) = of(Some("de"));
    assert_eq!(said, ["taken", "N", "heap", "im Haufen: …", "Rot"]);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[0].starts_with("heap/words/de.toml:7: ") && told[0].contains("`taken`"),
        "{told:?}"
    );
    assert_eq!(
        told[1],
        "heap/words/de.toml:1: there are no words for \"heap\""
    );
}

/// Answers, recorded games and fingerprints are the same in every language.
#[test]
fn machines_read_no_language() {
    let compile = |language: Option<&str>| {
        let selection = dsl::assembly::Selection {
            language: language.map(str::to_owned),
            ..dsl::assembly::Selection::default()
        };
        let compiled = dsl::compile(&games::sources(), "ticket-to-ride-maerklin", &selection);
        compiled.rules.expect("compiles")
    };
    let (english, german) = (compile(None), compile(Some("de")));
    assert_eq!(english.fingerprint(), german.fingerprint());
    let answers = |rules: &dsl::ir::RuleSet| {
        let program = interpreter::lower(rules, 2).expect("lowers");
        let session = Session::new(rules, &program, 1).expect("is set up");
        let offers = session.words().offers(session.machine());
        (session.answers(), offers)
    };
    let ((written, said), (geschrieben, gesagt)) = (answers(&english), answers(&german));
    assert_eq!(written, geschrieben);
    assert_ne!(said, gesagt);
}

/// What tables of the shipped games do, nobody reads as it is written.
#[test]
fn effects_are_told_in_words() {
    let sources = games::sources();
    let mut told = 0;
    for game in games::ids(&sources) {
        let rules = games::rules(&sources, &game).expect("checks");
        let program = interpreter::lower(&rules, rules.players.0).expect("lowers");
        let words = Words::new(&rules, &program);
        for (at, effect) in rules.effects.iter().enumerate() {
            let said = words.said(&Ty::Effect(None), at as i32);
            let is_written = |sign: char| "_=;[]{}:".contains(sign);
            assert!(
                !said.contains(is_written) && !said.contains("true"),
                "{game}: `{}` reads `{said}`",
                effect.text
            );
            told += 1;
        }
    }
    assert!(told > 100, "{told} effects");
}
