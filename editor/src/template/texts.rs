//! The texts that `new` writes. Their comments teach; their examples are taken from the game's own rules.

use dsl::ir::{GameOption, ParamKind, RuleSet, Ty, Value};
use interpreter::words::quoted;

/// Finds examples in a rule set.
pub struct Teacher<'a> {
    pub rules: &'a RuleSet,
}

impl Teacher<'_> {
    pub fn variant(&self, title: &str, game: &str) -> String {
        format!(
            "## Say here in a sentence what it changes.\nvariant \"{title}\" of {game}\n\n\
             # A variant is only what differs from the game. Below are the usual ways; take the `# ` away from one, and change it.\n\
             # `trackwright rules {game}` shows all that can be changed.\n{}",
            self.examples()
        )
    }

    pub fn expansion_rules(&self, id: &str) -> String {
        format!(
            "# What the expansion adds to the game, and what it changes. Below are the usual ways; take the `# ` away from one, and change it.\n\
             {}\n\
             # More cards, places, tokens: put the rows into `components/{id}.toml` beside this folder, and name the file.\n\
             # rows {} in \"components/{id}.toml\"\n",
            self.examples(),
            self.rules
                .tables
                .first()
                .map_or("card", |table| table.name.as_str()),
        )
    }

    fn examples(&self) -> String {
        [
            self.numbers(),
            self.forbid(),
            self.hook(),
            self.add(),
            self.score(),
        ]
        .concat()
    }

    fn numbers(&self) -> String {
        let mut text = "\n# Another number: an option, in one line.\n".to_owned();
        let mut found = self
            .rules
            .options
            .iter()
            .filter_map(number)
            .take(3)
            .peekable();
        if found.peek().is_none() {
            text += "# set some_option = 7\n";
        }
        for (option, now, low, high) in found {
            let range = high.map_or_else(|| format!("{low} up"), |high| format!("{low} to {high}"));
            let other = if high.is_some_and(|high| now + 1 > high) {
                now - 1
            } else {
                now + 1
            };
            text += &format!(
                "# {:<40} # now {now}, from {range}\n",
                format!("set {} = {other}", option.name)
            );
        }
        text
    }

    /// One more condition on the first choice of an action.
    fn forbid(&self) -> String {
        let asked = self.rules.actions.iter().find_map(|action| {
            let param = action
                .params
                .iter()
                .find(|param| matches!(param.kind, ParamKind::Asked(_)))?;
            Some((&action.name, &action.code.locals[param.local.index()].name))
        });
        let (action, choice) = asked.map_or(("some_action", "x"), |(action, choice)| {
            (action.as_str(), choice.as_str())
        });
        format!(
            "\n# Forbid something: one more condition on what a player may choose, and what to say to who tries it.\n\
             # add to {action}.{choice} where {choice} != … else \"this is not allowed\"\n"
        )
    }

    fn hook(&self) -> String {
        let action = self
            .rules
            .actions
            .iter()
            .find(|action| !action.params.is_empty())
            .or(self.rules.actions.first());
        let name = action.map_or("some_action", |action| action.name.as_str());
        format!(
            "\n# Do more before or after an action. The lines below it belong to it: two blanks in.\n# after {name}\n#   …\n"
        )
    }

    fn add(&self) -> String {
        let name = self
            .rules
            .actions
            .first()
            .map_or("some_action", |action| action.name.as_str());
        format!(
            "\n# A new action, and its place among those a player picks from: the path of a step that says `one of`.\n\
             # action my_action\n#   need … else \"say why not\"\n# add to turn.act: my_action\n\
             # What an action does instead: `original` is what it did before.\n# instead of {name}\n#   original\n"
        )
    }

    fn score(&self) -> String {
        let cell = self.rules.cells.iter().find(|cell| {
            matches!(cell.ty, Ty::Int { .. })
                && matches!(
                    cell.owner,
                    dsl::ir::CellOwner::Each(dsl::ir::Domain::Player)
                )
        });
        let name = cell.map_or("coins", |cell| cell.name.as_str());
        let name = name.rsplit('.').next().unwrap_or(name);
        format!(
            "\n# Points at the end of the game, for each player.\n# add to score\n#   my_bonus at end = {name} / 5\n"
        )
    }
}

/// A number option: what it is now, and its range.
fn number(option: &GameOption) -> Option<(&GameOption, i64, i64, Option<i64>)> {
    match (&option.ty, &option.value) {
        (Ty::Int { low, high }, Value::Int(now)) => {
            Some((option, i64::from(*now), low.unwrap_or(0), *high))
        }
        _ => None,
    }
}

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
