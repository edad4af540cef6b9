//! Shipped games while somebody types in them: a letter in each kind of place.

use dsl::assembly::Selection;

/// A game with overlays, and the files in which letters are typed.
pub struct Typist {
    pub game: &'static str,
    pub overlays: &'static [&'static str],
    rules: &'static str,
    table: &'static str,
    /// What stands before a number and before a word of the table.
    number: &'static str,
    word: &'static str,
    overlay: &'static str,
}

/// The largest game first.
pub const TYPISTS: [Typist; 5] = [
    Typist {
        game: "railroad-revolution",
        overlays: &["green-workers"],
        rules: "railroad-revolution/rules/actions.rules",
        table: "railroad-revolution/components/milestones.toml",
        number: "\nvp = ",
        word: "\nworkers = [\"",
        overlay: "railroad-revolution/variants/green-workers.rules",
    },
    Typist {
        game: "russian-railroads",
        overlays: &["american-railroads"],
        rules: "russian-railroads/rules/effects.rules",
        table: "russian-railroads/components/action_board.toml",
        number: "\nworkers = ",
        word: "\neffects = [\"",
        overlay: "russian-railroads/expansions/american-railroads/rules/american.rules",
    },
    Typist {
        game: "schwarze-lok",
        overlays: &["usa", "mountains", "long-game"],
        rules: "schwarze-lok/rules/play.rules",
        table: "schwarze-lok/expansions/usa/components/track_cards.toml",
        number: "\nshare_count = ",
        word: "\nback = \"",
        overlay: "schwarze-lok/expansions/usa/rules/usa.rules",
    },
    Typist {
        game: "cube-express",
        overlays: &[],
        rules: "cube-express/rules/play.rules",
        table: "cube-express/components/tiles.toml",
        number: "\nhouses = ",
        word: "\nkind = \"",
        overlay: "cube-express/rules/scoring.rules",
    },
    Typist {
        game: "ticket-to-ride-maerklin",
        overlays: &["germany-2017"],
        rules: "ticket-to-ride-maerklin/rules/maerklin.rules",
        table: "ticket-to-ride-maerklin/components/merchandise.toml",
        number: "\nvalues = [",
        word: "\ncolor = \"",
        overlay: "ticket-to-ride-maerklin/expansions/germany-2017/rules/germany.rules",
    },
];

/// A letter that is typed.
pub struct Typed {
    /// In what kind of place.
    pub kind: &'static str,
    pub path: &'static str,
    /// What may stand before the place; the first that the text has counts.
    marks: Vec<&'static str>,
    letter: char,
}

impl Typed {
    /// The text after some letters, one more with each number: the texts are new ones. `None`: there is no such place.
    pub fn in_text(&self, text: &str, number: usize) -> Option<String> {
        let found = |mark: &&str| Some(text.find(mark)? + mark.len());
        let at = self.marks.iter().find_map(found)?;
        let (before, behind) = text.split_at(at);
        let typed = match self.letter {
            '1' => number.to_string(),
            letter => format!("{letter}{number}"),
        };
        Some(format!("{before}{typed}{behind}"))
    }
}

impl Typist {
    pub fn selection(&self) -> Selection {
        Selection {
            overlays: self.overlays.iter().map(|id| (*id).to_string()).collect(),
            ..Selection::default()
        }
    }

    pub fn letters(&self) -> Vec<Typed> {
        let typed = |kind, path, marks: &[&'static str], letter| Typed {
            kind,
            path,
            marks: marks.to_vec(),
            letter,
        };
        let line = ["\n  let ", "\n  need ", "\n  if ", "\n  move ", "\n  "];
        vec![
            typed("comment", self.rules, &["\n# ", "# "], 'x'),
            typed("documentation", self.rules, &["\n## "], 'x'),
            typed("line of an action", self.rules, &line, 'x'),
            typed("formula", self.rules, &[") = ", " = "], 'x'),
            typed("reason", self.rules, &["else \""], 'x'),
            typed("name of an action", self.rules, &["\naction "], 'x'),
            typed("broken line", self.rules, &line, '('),
            typed("number in a table", self.table, &[self.number], '1'),
            typed("word in a table", self.table, &[self.word], 'x'),
            typed("broken table", self.table, &[self.number], '"'),
            typed("overlay", self.overlay, &["\n## ", "\n"], 'x'),
        ]
    }
}
