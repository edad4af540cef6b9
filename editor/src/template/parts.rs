//! One file more of a game: rules, a table, cases, a board, words, a text.

use super::{Begun, Created, TemplateError, list, test_name};
use crate::files;
use std::path::{Path, PathBuf};

/// What a game can have one more of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    #[default]
    Rules,
    Table,
    Cases,
    Board,
    Words,
    Text,
}

impl Part {
    pub const ALL: [Part; 6] = [
        Part::Rules,
        Part::Table,
        Part::Cases,
        Part::Board,
        Part::Words,
        Part::Text,
    ];

    /// As people call it.
    pub fn title(self) -> &'static str {
        match self {
            Part::Rules => "Rules",
            Part::Table => "Component table",
            Part::Cases => "Worked cases",
            Part::Board => "Board",
            Part::Words => "Words of another language",
            Part::Text => "Rules as text for people",
        }
    }

    /// What it is for, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            Part::Rules => "A file of rules more; the game reads it behind those it has.",
            Part::Table => "What is in the box, row by row. The rules declare the table.",
            Part::Cases => "Cases from the rulebook, each played and compared after every edit.",
            Part::Board => "How the game is drawn, begun with what its rules are made of.",
            Part::Words => "What everything is called in another language: name it `de`, `fr`, …",
            Part::Text => "The rules told in your own words, with the ids that cases name.",
        }
    }

    /// It is called as it must be.
    pub fn has_own_name(self) -> bool {
        matches!(self, Part::Board | Part::Text)
    }

    /// Where a file of this name lies in the game's folder.
    pub fn place(self, name: &str) -> PathBuf {
        match self {
            Part::Rules => Path::new("rules").join(format!("{name}.rules")),
            Part::Table => Path::new("components").join(format!("{name}.toml")),
            Part::Cases => Path::new("scenarios").join(format!("{name}.scenario")),
            Part::Board => PathBuf::from("board.toml"),
            Part::Words => Path::new("words").join(format!("{name}.toml")),
            Part::Text => PathBuf::from("RULES.md"),
        }
    }
}

/// The game that gets one more file.
#[derive(Clone, Copy, Debug)]
pub struct Game<'a> {
    pub folder: &'a Path,
    pub id: &'a str,
    pub title: &'a str,
    /// The least number of players.
    pub players: u32,
    /// The `board.toml` that its rules come to.
    pub board: Option<&'a str>,
}

/// Begins a file of a game.
///
/// # Errors
/// A name that is none or is taken; files that cannot be written.
pub fn part(part: Part, game: Game, name: &str) -> Result<Created, TemplateError> {
    if !part.has_own_name() {
        test_name(name)?;
    }
    let place = part.place(name);
    let path = game.folder.join(&place);
    if path.exists() {
        return Err(TemplateError::new(
            format!("`{}` is already there", place.display()),
            "take another name, or change that one",
        ));
    }
    let mut begun = Begun::default();
    if part != Part::Rules {
        begun.write(&path, &text(part, game, name))?;
        return Ok(Created {
            files: vec![path],
            listed_in: None,
        });
    }
    let manifest = game.folder.join("game.toml");
    let listed =
        files::read_text(&manifest).map_err(|(message, help)| TemplateError::new(message, help))?;
    let listed = list::with_rules(&listed, &format!("rules/{name}.rules")).ok_or_else(|| {
        TemplateError::new(
            "`game.toml` could not be changed",
            format!("add \"rules/{name}.rules\" to its `rules` yourself"),
        )
    })?;
    begun.write(&path, &text(part, game, name))?;
    begun.change(&manifest, &listed)?;
    Ok(Created {
        files: vec![path],
        listed_in: Some(manifest),
    })
}

fn text(part: Part, game: Game, name: &str) -> String {
    let Game {
        id, title, players, ..
    } = game;
    match part {
        Part::Rules => format!("# {title}: {}\n", name.replace('-', " ")),
        Part::Table => {
            let table = name.replace('-', "_");
            format!(
                "# Rows of `{table}`. The rules declare it, with a column for each key below:\n#   table {table} in \"components/{name}.toml\"\n#     worth: 0..\n\n# [[{table}]]\n# id = \"first\"\n# name = \"First\"\n# worth = 1\n"
            )
        }
        Part::Cases => format!(
            "# Worked cases of {title}: what the rulebook says, played.\n\nscenario \"{}\" of {id}\n  players {players}\n  expect players = {players}\n",
            name.replace('-', " ")
        ),
        Part::Board => match game.board {
            Some(board) => board.to_owned(),
            None => "# How the game is drawn. See docs/board.md.\n\nlayout = []\n".to_owned(),
        },
        Part::Words => format!(
            "# {title} in `{name}`: what things are called, and how what the rules say reads there.\n\n[words]\n# coin = [\"Münze\", \"Münzen\"]\n\n[texts]\n# \"take {{c}}\" = \"{{c}} nehmen\"\n"
        ),
        Part::Text => format!("# {title}\n\n"),
    }
}
