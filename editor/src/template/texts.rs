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

/// A house rule for any game.
pub fn any_variant(title: &str) -> String {
    // The title last: it may hold any words.
    ANY_VARIANT.replace("TITLE", title)
}

/// A small complete game: paths in its folder, and texts.
pub fn game(id: &str, title: &str, like: Like) -> Vec<(String, String)> {
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
    let own = |path: &str| path.replace("NAME", id);
    [("game.toml", MANIFEST)]
        .into_iter()
        .chain(like.texts())
        .map(|(path, text)| (own(path), fill(text)))
        .collect()
}

/// What a game to begin with is like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Like {
    /// A heap of stones to take from
    #[default]
    Stones,
    /// Cards in hands, played in secret, and tricks
    Cards,
    /// A board of squares
    Squares,
    /// A board of hexes
    Hexes,
    /// A map of places, roads and journeys
    Map,
    /// Tiles that are laid to a map
    Tiles,
    /// Lots that are sold by sealed bids
    Auction,
}

type Texts = Vec<(&'static str, &'static str)>;

/// The texts of a folder, with their places in a game's own; the first one is that to begin in.
macro_rules! texts {
    ($folder:literal $(, $list:literal)*) => {
        vec![
            ("rules/NAME.rules", include_str!(concat!("game/", $folder, "/game.rules"))),
            $((concat!("components/", $list), include_str!(concat!("game/", $folder, "/", $list))),)*
            ("board.toml", include_str!(concat!("game/", $folder, "/board.toml"))),
            ("scenarios/NAME.scenario", include_str!(concat!("game/", $folder, "/game.scenario"))),
            ("RULES.md", include_str!(concat!("game/", $folder, "/RULES.md"))),
        ]
    };
}

impl Like {
    pub fn all() -> &'static [Like] {
        <Like as clap::ValueEnum>::value_variants()
    }

    fn texts(self) -> Texts {
        match self {
            Like::Stones => texts!("stones", "stones.toml"),
            Like::Cards => texts!("cards", "cards.toml"),
            Like::Squares => texts!("squares"),
            Like::Hexes => texts!("hexes"),
            Like::Map => texts!("map", "map.toml"),
            Like::Tiles => texts!("tiles", "tiles.toml"),
            Like::Auction => texts!("auction", "paintings.toml"),
        }
    }
}

const ANY_VARIANT: &str = include_str!("any/variant.rules");
pub const ANY_MANIFEST: &str = include_str!("any/game.toml");
const MANIFEST: &str = include_str!("game/game.toml");
