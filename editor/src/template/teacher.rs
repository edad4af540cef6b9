//! Rules to begin with: comments that teach, with examples in the words of the game's own rules. An example is written only if the
//! game with it has no mistake.

use super::{list, texts};
use dsl::assembly::{ANY, Selection};
use dsl::diagnostic::Diagnostic;
use dsl::ir::{
    Block, CellOwner, Domain, GameOption, LabelId, ParamKind, RuleSet, StatementKind, Ty, Value,
};
use dsl::source::SourceSet;

/// The game for which something is begun.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    pub sources: &'a SourceSet,
    pub rules: &'a RuleSet,
    /// The game or family that the header names.
    pub of: &'a str,
}

/// The overlay by which examples are tried.
const TRIED: &str = "tried-example";

impl Base<'_> {
    pub(super) fn variant(&self, title: &str) -> String {
        if self.of == ANY {
            return texts::any_variant(title);
        }
        let (game, of) = (&self.rules.id, self.of);
        format!(
            "## Say here in a sentence what it changes.\nvariant \"{title}\" of {of}\n\n\
             # A variant is only what differs from the game. Below are the usual ways; take the `# ` away from one, and change it.\n\
             # `trackwright rules {game}` shows all that can be changed.\n{}",
            self.examples()
        )
    }

    pub(super) fn expansion_rules(&self, id: &str) -> String {
        format!(
            "# What the expansion adds to the game, and what it changes. Below are the usual ways; take the `# ` away from one, and change it.\n\
             {}\n\
             # More cards, places, tokens: put the rows into `components/{id}.toml` beside this folder, and name the file here:\n\
             # `rows TABLE in \"components/{id}.toml\"`, with the table's name in place of TABLE.\n",
            self.examples(),
        )
    }

    fn examples(&self) -> String {
        let kinds = [
            ("Another number: an option, in one line.", self.numbers()),
            (
                "Forbid something: one more condition on what a player may choose, in place of `true`, and what to say to who tries it.",
                self.first_of(self.conditions()),
            ),
            (
                "Do more before or after an action: write what happens in place of `skip`.",
                self.first_of(self.actions().map(|name| format!("after {name}: skip"))),
            ),
            (
                "A new action, and its place among those a player picks from. What must hold stands in place of `true`.",
                self.first_of(self.additions()),
            ),
            (
                "What an action does instead: `original` is what it did before.",
                self.first_of(
                    self.actions()
                        .map(|name| format!("instead of {name}\n  original")),
                ),
            ),
            (
                "Points at the end of the game, for each player.",
                self.first_of(self.bonuses()),
            ),
        ];
        let written = kinds.into_iter().filter(|(_, lines)| !lines.is_empty());
        written
            .map(|(says, lines)| {
                let lines = lines.lines().map(|line| format!("# {line}\n"));
                format!("\n# {says}\n{}", lines.collect::<String>())
            })
            .collect()
    }

    /// The first example that the game takes; empty if it takes none.
    fn first_of(&self, mut examples: impl Iterator<Item = String>) -> String {
        examples.find(|lines| self.takes(lines)).unwrap_or_default()
    }

    /// Whether the game with these lines has no mistake.
    fn takes(&self, lines: &str) -> bool {
        let id = &self.rules.id;
        let manifest = format!("{id}/game.toml");
        let text = self
            .sources
            .find(&manifest)
            .map(|file| self.sources.text(file));
        let Some(listed) = text.and_then(|text| list::with_overlay(text, TRIED)) else {
            return false;
        };
        let mut sources = self.sources.clone();
        sources.insert(manifest, listed);
        let file = format!("{id}/variants/{TRIED}.rules");
        sources.insert(file, format!("variant \"Tried\" of {id}\n{lines}\n"));
        let selection = Selection {
            overlays: vec![TRIED.to_owned()],
            ..Selection::default()
        };
        let compiled = dsl::compile(&sources, id, &selection);
        !compiled.diagnostics.iter().any(Diagnostic::is_error)
    }

    fn actions(&self) -> impl Iterator<Item = &str> {
        let asking = |action: &&dsl::ir::Action| !action.params.is_empty();
        let actions = || self.rules.actions.iter();
        let all = actions()
            .filter(asking)
            .chain(actions().filter(move |one| !asking(one)));
        all.map(|action| action.name.as_str())
    }

    fn numbers(&self) -> String {
        let found = self.rules.options.iter().filter_map(number);
        let lines = found.map(|(option, now, low, high)| {
            let range = high.map_or_else(|| format!("{low} up"), |high| format!("{low} to {high}"));
            let other = if high.is_some_and(|high| now + 1 > high) {
                now - 1
            } else {
                now + 1
            };
            let set = format!("set {} = {other}", option.name);
            format!("{set:<40} # now {now}, from {range}")
        });
        let taken: Vec<String> = lines.filter(|line| self.takes(line)).take(3).collect();
        taken.join("\n")
    }

    /// One more condition on a choice of an action.
    fn conditions(&self) -> impl Iterator<Item = String> {
        self.rules.actions.iter().flat_map(|action| {
            let asked = action
                .params
                .iter()
                .filter(|param| matches!(param.kind, ParamKind::Asked(_)));
            asked.map(|param| {
                let choice = &action.code.locals[param.local.index()].name;
                format!(
                    "add to {}.{choice} where true else \"this is not allowed\"",
                    action.name
                )
            })
        })
    }

    fn additions(&self) -> impl Iterator<Item = String> {
        const ACTION: &str = "  need true else \"say why not\"";
        let mut paths = Vec::new();
        menus(&self.rules.flow_body, &mut Vec::new(), &mut paths);
        let paths = paths.into_iter().map(|labels| {
            let names = labels
                .iter()
                .map(|label| self.rules.labels[label.index()].name.as_str());
            names.collect::<Vec<_>>().join(".")
        });
        let added =
            paths.map(|path| format!("action my_action\n{ACTION}\nadd to {path}: my_action"));
        added.chain([format!("action my_action anytime\n{ACTION}")])
    }

    fn bonuses(&self) -> impl Iterator<Item = String> {
        let cells = self.rules.cells.iter().filter(|cell| {
            let own = matches!(cell.owner, CellOwner::Each(Domain::Player));
            own && cell.indices.is_empty() && matches!(cell.ty, Ty::Int { .. })
        });
        let cells = cells.map(|cell| format!("{} / 5", cell.name));
        let values = cells.chain(["5".to_owned()]);
        values.map(|value| format!("add to score\n  my_bonus at end = {value}"))
    }
}

/// Paths of the steps in which a player picks one of several, the labels of each.
fn menus(block: &Block, path: &mut Vec<LabelId>, out: &mut Vec<Vec<LabelId>>) {
    for statement in &block.statements {
        let (label, body) = match &statement.kind {
            StatementKind::OneOf { .. } if !path.is_empty() => {
                out.push(path.clone());
                continue;
            }
            StatementKind::Step(label, body) => (Some(*label), body),
            StatementKind::Each { pass, body, .. } => (*pass, body),
            StatementKind::EachPlayer(each) => (each.pass, &each.body),
            StatementKind::Repeat(repeat) => (repeat.pass, &repeat.body),
            StatementKind::As(_, body) | StatementKind::May(body) => (None, body),
            _ => continue,
        };
        path.extend(label);
        menus(body, path, out);
        path.truncate(path.len() - usize::from(label.is_some()));
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
