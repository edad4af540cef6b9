//! The texts that `new` writes of games and expansions; those of their rules are by [`super::teacher`].

use interpreter::words::quoted;

pub fn expansion_manifest(id: &str, title: &str, game: &str) -> String {
    format!(
        "[expansion]\nid = \"{id}\"                # the folder's name\ntitle = {}\nof = \"{game}\"\n\
         rules = [\"rules/{id}.rules\"]\n# needs = [\"other\"]          # expansions and variants it does not work without\n\
         # not_with = [\"other\"]       # those it does not go with\n",
        quoted(title)
    )
}

/// A small complete game: paths in its folder, and texts.
pub fn game(id: &str, title: &str) -> Vec<(String, String)> {
    let prefix: String = id
        .bytes()
        .filter(u8::is_ascii_lowercase)
        .take(2)
        .map(|b| char::from(b.to_ascii_uppercase()))
        .collect();
    let fill = |text: &str| {
        // The title last: it may hold any words.
        text.replace("GAME", id)
            .replace("ID-", &format!("{prefix}-"))
            .replace("PREFIX", &prefix)
            .replace("\"TITLE\"", &quoted(title))
            .replace("TITLE", title)
    };
    [
        ("game.toml".to_owned(), MANIFEST),
        (format!("rules/{id}.rules"), RULES),
        ("components/stones.toml".to_owned(), STONES),
        (format!("scenarios/{id}.scenario"), SCENARIO),
        ("RULES.md".to_owned(), BOOK),
    ]
    .into_iter()
    .map(|(path, text)| (path, fill(text)))
    .collect()
}

const MANIFEST: &str = include_str!("game/game.toml");
const RULES: &str = include_str!("game/game.rules");
const STONES: &str = include_str!("game/stones.toml");
const SCENARIO: &str = include_str!("game/game.scenario");
const BOOK: &str = include_str!("game/RULES.md");
