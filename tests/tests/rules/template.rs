//! What `new` writes: each commented example of it can be taken as it is.

use dsl::assembly::{ANY, Selection};
use dsl::diagnostic::Diagnostic;
use dsl::source::SourceSet;
use editor::cli::Context;
use editor::template::{self, Base, Like};
use std::fs;
use std::path::Path;
use tests::call::call;
use tests::games;

const ID: &str = "my-rule";

#[test]
fn examples_of_variants_check_in_every_game() {
    let sources = games::sources();
    for game in games::ids(&sources) {
        let home = tempfile::tempdir().expect("a folder");
        let manifest = fs::read_to_string(games::folder().join(&game).join("game.toml"));
        fs::write(home.path().join("game.toml"), manifest.expect("a manifest")).expect("written");
        let rules = games::rules(&sources, &game).expect("a good game");
        let base = Base {
            sources: &sources,
            rules: &rules,
            of: &game,
        };
        template::variant(base, home.path(), ID, "").expect("a variant is begun");
        let read = |path: &str| fs::read_to_string(home.path().join(path)).expect("a file");
        let listed = read("game.toml");
        let text = read(&format!("variants/{ID}.rules"));
        let examples = examples(&text);
        assert!(examples.len() >= 4, "{game}: {examples:?}");
        let all = examples.join("\n");
        for lines in examples.iter().chain([&all]) {
            let mut changed = sources.clone();
            changed.insert(format!("{game}/game.toml"), listed.clone());
            let text = format!("{text}\n{lines}\n");
            changed.insert(format!("{game}/variants/{ID}.rules"), text);
            let wrong = mistakes(&changed, &game);
            assert!(wrong.is_empty(), "{game}:\n{lines}\n{wrong:?}");
        }
    }
}

/// A house rule for any game, all its examples taken, fits every game that is shipped.
#[test]
fn examples_for_any_game_check_in_every_game() {
    let sources = games::sources();
    let home = tempfile::tempdir().expect("a folder");
    template::any(home.path()).expect("the family is begun");
    let first = games::ids(&sources).remove(0);
    let rules = games::rules(&sources, &first).expect("a good game");
    let base = Base {
        sources: &sources,
        rules: &rules,
        of: ANY,
    };
    let folder = home.path().join(ANY);
    template::variant(base, &folder, ID, "").expect("a variant is begun");
    let read = |path: &str| fs::read_to_string(folder.join(path)).expect("a file");
    let text = read(&format!("variants/{ID}.rules"));
    let examples = examples(&text);
    assert!(examples.len() >= 3, "{examples:?}");
    let all = examples.join("\n");
    let mut fitting = 0;
    for game in games::ids(&sources) {
        for lines in examples.iter().chain([&all]) {
            let mut changed = sources.clone();
            changed.insert(format!("{ANY}/game.toml"), read("game.toml"));
            let text = format!("{text}\n{lines}\n");
            changed.insert(format!("{ANY}/variants/{ID}.rules"), text);
            let mut wrong = mistakes(&changed, &game);
            fitting += usize::from(wrong.is_empty());
            // A game without a score says that it has none, and nothing else.
            wrong.retain(|mistake| mistake.code != "not-offered");
            assert!(wrong.is_empty(), "{game}:\n{lines}\n{wrong:?}");
        }
    }
    assert!(fitting > 20, "{fitting}");
}

/// A game of each kind can be played at once: nothing is said against it, its cases pass, bots come to the end, it is in its
/// normal form and can be drawn.
#[test]
fn games_of_each_kind_can_be_played() {
    let home = tempfile::tempdir().expect("a folder");
    let root = home.path().join("games");
    let context = context(home.path());
    for like in Like::all() {
        let id = format!("my-{like:?}").to_lowercase();
        template::game(&root, &id, "", *like).expect("a game is begun");
        let drawn = format!("{id}.svg");
        let calls: [&[&str]; 5] = [
            &["check", &id],
            &["test", &id],
            &["simulate", &id, "--games", "40"],
            &["fmt", "--check", &id],
            &["board", &id, "--svg", &drawn],
        ];
        for words in calls {
            let said = call(words.iter().copied(), &context, "");
            assert_eq!(said.exit, 0, "{words:?}\n{}{}", said.out, said.err);
            let warned = words[0] == "check" && said.out.contains("warning");
            assert!(!warned, "{}", said.out);
        }
        let picture = fs::read_to_string(home.path().join(&drawn)).expect("a picture");
        assert!(picture.len() > 1000, "{id} is drawn");
    }
}

fn context(folder: &Path) -> Context {
    Context {
        folder: folder.to_path_buf(),
        ..Context::default()
    }
}

/// Blocks of commented lines that are rules: prose begins with a great letter or a quotation.
fn examples(text: &str) -> Vec<String> {
    let mut blocks: Vec<Vec<&str>> = vec![Vec::new()];
    for line in text.lines() {
        let code = line
            .strip_prefix("# ")
            .filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase() || c == ' '));
        match (code, blocks.last_mut()) {
            (Some(code), Some(block)) => block.push(code),
            _ => blocks.push(Vec::new()),
        }
    }
    let full = blocks.into_iter().filter(|block| !block.is_empty());
    full.map(|block| block.join("\n")).collect()
}

fn mistakes(sources: &SourceSet, game: &str) -> Vec<Diagnostic> {
    let selection = Selection {
        overlays: vec![ID.to_owned()],
        ..Selection::default()
    };
    let compiled = dsl::compile(sources, game, &selection);
    let all = compiled.diagnostics.into_iter();
    all.filter(Diagnostic::is_error).collect()
}

/// Whose game an overlay is is never guessed: it is said, or told by the folder in which one stands.
#[test]
fn an_overlay_is_of_the_game_that_is_meant() {
    let home = tempfile::tempdir().expect("a folder");
    let home = home.path().canonicalize().expect("a folder");
    let from = |folder: &Path, line: &str| {
        let context = Context {
            folder: folder.to_path_buf(),
            ..Context::default()
        };
        call(line.split(' '), &context, "")
    };
    for name in ["first", "second"] {
        let begun = from(&home, &format!("new game {name}"));
        assert_eq!(begun.exit, 0, "{}", begun.err);
        if name == "first" {
            let only = from(&home, "new variant calm");
            assert_eq!(only.exit, 0, "{}", only.err);
        }
    }
    let open = from(&home, "new variant quick");
    assert_eq!(open.exit, 2);
    for part in ["which game", "--of GAME", "first and second"] {
        assert!(open.err.contains(part), "{}", open.err);
    }
    let second = home.join("games/second");
    for (folder, name) in [(&second, "quick"), (&second.join("rules"), "slow")] {
        let said = from(folder, &format!("new variant {name}"));
        assert_eq!(said.exit, 0, "{}", said.err);
        assert!(second.join(format!("variants/{name}.rules")).is_file());
    }
}
