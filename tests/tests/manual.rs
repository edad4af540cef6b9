//! The manual is true: what it tells its reader to write checks and plays, what it says will be shown is shown, and its links lead
//! somewhere.

use editor::cli::Context;
use std::fs;
use std::path::Path;
use tests::call::{Said, call};
use tests::page::{self, Block};

// ------------------------------------------------------------------------------------------------ the cookbook

/// A recipe as a game of its own.
struct Recipe {
    title: String,
    id: String,
    /// Fewest and most players.
    players: (u32, u32),
    rules: String,
    variants: Vec<(String, String)>,
    cases: String,
}

impl Recipe {
    /// Blocks below one heading: rules, variants of them, cases.
    fn new(title: &str, blocks: &[&Block]) -> Recipe {
        let of = |kind: &'static str| blocks.iter().filter(move |block| block.kind == kind);
        let (variants, rules): (Vec<&Block>, Vec<&Block>) =
            of("rules").partition(|block| block.text.starts_with("variant "));
        let text = |blocks: &[&Block]| {
            let texts: Vec<&str> = blocks.iter().map(|block| block.text.as_str()).collect();
            texts.concat()
        };
        let rules = text(&rules);
        let variants = variants.into_iter().map(|block| {
            let name = block.text.split('"').nth(1).unwrap_or_default();
            (page::anchor(name), block.text.clone())
        });
        Recipe {
            title: title.to_owned(),
            id: page::anchor(title),
            players: players(&rules).unwrap_or((2, 4)),
            variants: variants.collect(),
            cases: text(&of("scenario").copied().collect::<Vec<_>>()),
            rules,
        }
    }

    fn write(&self, games: &Path) {
        let home = games.join(&self.id);
        let overlays: Vec<&str> = self.variants.iter().map(|(id, _)| id.as_str()).collect();
        let (least, most) = self.players;
        let manifest = format!(
            "[game]\nid = \"{}\"\ntitle = \"{}\"\nplayers = [{least}, {most}]\nrules = [\"rules/recipe.rules\"]\noverlays = {overlays:?}\n",
            self.id, self.title
        );
        write(&home.join("game.toml"), &manifest);
        write(&home.join("rules/recipe.rules"), &self.rules);
        write(&home.join("scenarios/recipe.scenario"), &self.cases);
        for (id, text) in &self.variants {
            write(&home.join(format!("variants/{id}.rules")), text);
        }
    }
}

/// `# For 2 players` or `# For 3 to 4 players` as the first line.
fn players(rules: &str) -> Option<(u32, u32)> {
    let words = rules.strip_prefix("# For ")?.lines().next()?;
    let words = words.strip_suffix(" players")?;
    let (least, most) = words.split_once(" to ").unwrap_or((words, words));
    Some((least.parse().ok()?, most.parse().ok()?))
}

fn recipes(cookbook: &str) -> Vec<Recipe> {
    let blocks = page::blocks(cookbook);
    let mut titles: Vec<&str> = blocks.iter().map(|block| block.heading.as_str()).collect();
    titles.dedup();
    let recipe = |title: &&str| {
        let own: Vec<&Block> = blocks
            .iter()
            .filter(|block| block.heading == *title)
            .collect();
        Recipe::new(title, &own)
    };
    titles.iter().map(recipe).collect()
}

/// Checked without a warning, in its normal form, its case passes and the contrary of it fails, games come to their end.
#[test]
fn every_recipe_of_the_cookbook_plays() {
    let cookbook = page::read("cookbook.md");
    let recipes = recipes(&cookbook);
    assert!(recipes.len() >= 40, "{} recipes", recipes.len());
    let listed: Vec<String> = page::links(&cookbook)
        .into_iter()
        .map(|(_, target)| target)
        .collect();
    let home = tempfile::tempdir().expect("a folder");
    let games = home.path().join("games");
    let context = at(home.path());
    let mut wrong = Vec::new();
    for recipe in &recipes {
        recipe.write(&games);
        let id = recipe.id.as_str();
        assert!(
            listed.contains(&format!("#{id}")),
            "`{}` is not in the list at the top",
            recipe.title
        );
        let mut must = |arguments: &[&str], fine: fn(&Said) -> bool| {
            let said = call(arguments.iter().copied(), &context, "");
            if said.exit != 0 || !fine(&said) {
                wrong.push(format!("== {arguments:?}\n{}{}", said.out, said.err));
            }
        };
        must(&["check", id], |said| {
            !said.out.contains("warning[") && !said.err.contains("warning[")
        });
        must(&["fmt", "--check", id], |_| true);
        must(&["test", "--negate", id], |said| tried(&said.out) > 0);
        let (least, most) = recipe.players;
        for players in [least, most] {
            let players = players.to_string();
            must(
                &["simulate", id, "--players", &players, "--games", "20"],
                |_| true,
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of how many expectations the contrary was tried.
fn tried(out: &str) -> u32 {
    let line = out.lines().find(|line| line.contains("the contrary"));
    let count = line.and_then(|line| line.split_whitespace().next());
    count.and_then(|count| count.parse().ok()).unwrap_or(0)
}

// ------------------------------------------------------------------------------------------------ surroundings

fn at(folder: &Path) -> Context {
    Context {
        folder: folder.to_owned(),
        threads: 2,
        ..Context::default()
    }
}

fn write(path: &Path, text: &str) {
    let folder = path.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder).expect("a folder can be made");
    fs::write(path, text).expect("a file can be written");
}
