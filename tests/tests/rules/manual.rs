//! The manual is true: what it tells its reader to write checks and plays, what it says will be shown is shown, and its links lead
//! somewhere.

use dsl::assembly::Selection;
use dsl::diagnostic::render::render;
use editor::cli::Context;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use tests::call::{Said, call, words};
use tests::games;
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
        let (any, own): (Vec<_>, Vec<_>) = self
            .variants
            .iter()
            .partition(|(_, text)| text.lines().any(|line| line.ends_with(" of any game")));
        let overlays: Vec<&str> = own.iter().map(|(id, _)| id.as_str()).collect();
        let (least, most) = self.players;
        let manifest = format!(
            "[game]\nid = \"{}\"\ntitle = \"{}\"\nplayers = [{least}, {most}]\nrules = [\"rules/recipe.rules\"]\noverlays = {overlays:?}\n",
            self.id, self.title
        );
        write(&home.join("game.toml"), &manifest);
        write(&home.join("rules/recipe.rules"), &self.rules);
        write(&home.join("scenarios/recipe.scenario"), &self.cases);
        for (id, text) in own {
            write(&home.join(format!("variants/{id}.rules")), text);
        }
        for (id, text) in any {
            write(&games.join(format!("any/variants/{id}.rules")), text);
            let manifest = format!(
                "[family]\nid = \"any\"\ntitle = \"Any game\"\nrules = []\noverlays = [\"{id}\"]\n"
            );
            write(&games.join("any/game.toml"), &manifest);
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

// ------------------------------------------------------------------------------------------------ the tutorial

/// Whoever follows the tutorial word for word, from an empty folder, sees what it says.
#[test]
fn the_tutorial_leads_where_it_says() {
    let page = page::read("tutorial.md");
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path();
    let mut calls = 0;
    for block in page::blocks(&page) {
        match block.kind.as_str() {
            "console" => calls += follow(&block, folder),
            "diff" => change(&block, folder),
            "toml" | "rules" | "scenario" => write(&folder.join(file_named(&block)), &block.text),
            other => panic!("tutorial.md:{}: a block of {other}", block.line),
        }
    }
    assert!(calls >= 10, "{calls} calls");
    for (line, target) in page::links(&page) {
        if let Some(name) = target.strip_prefix("pictures/") {
            let drawn = fs::read_to_string(folder.join(name));
            let drawn =
                drawn.unwrap_or_else(|_| panic!("tutorial.md:{line}: nothing draws {name}"));
            same_picture(&page::folder().join(&target), &drawn);
        }
    }
}

/// The file that the words above a block name last.
fn file_named(block: &Block) -> &str {
    let quoted = block.lead.split('`').skip(1).step_by(2);
    let files = quoted.filter(|words| words.starts_with("games/"));
    files
        .last()
        .unwrap_or_else(|| panic!("tutorial.md:{}: for which file?", block.line))
}

/// Makes a change where its lines stand: they stand in one file, in one place.
fn change(block: &Block, folder: &Path) {
    let side = |out: char| {
        let kept = block.text.lines().filter(|line| !line.starts_with(out));
        let text = kept.map(|line| line.get(1..).unwrap_or_default().to_owned() + "\n");
        text.collect::<String>()
    };
    let (old, new) = (side('+'), side('-'));
    let mut files = Vec::new();
    collect(folder, &mut files);
    let texts = files.into_iter().filter_map(|path| {
        let text = fs::read_to_string(&path).ok()?;
        text.contains(&old).then_some((path, text))
    });
    match texts.collect::<Vec<_>>().as_slice() {
        [(path, text)] if text.matches(&old).count() == 1 => {
            write(path, &text.replacen(&old, &new, 1));
        }
        found => panic!(
            "tutorial.md:{}: these lines stand in {} files\n{old}",
            block.line,
            found.len()
        ),
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        if entry.path().is_dir() {
            collect(&entry.path(), files);
        } else {
            files.push(entry.path());
        }
    }
}

/// Makes the calls of a block, and compares what they say with what the page shows.
fn follow(block: &Block, folder: &Path) -> usize {
    let mut calls = block.text.split("$ ").skip(1).peekable();
    assert!(calls.peek().is_some(), "tutorial.md:{}", block.line);
    let mut made = 0;
    for shown in calls {
        let (line, shown) = shown.split_once('\n').unwrap_or((shown, ""));
        let words = words(line);
        let typed = shown.lines().filter_map(|line| line.strip_prefix("> "));
        let input: String = typed
            .map(|line| {
                format!(
                    "{line}
"
                )
            })
            .collect();
        let arguments = words.iter().skip(1).map(String::as_str);
        let said = call(arguments, &at(folder), &input);
        let seen = said.err + &said.out;
        assert!(
            shows(&seen, shown),
            "tutorial.md:{}: `{line}` says\n{seen}\nand the page says\n{shown}",
            block.line
        );
        made += 1;
    }
    made
}

/// Whether a text is as shown, where a line `…` stands for any lines.
fn shows(seen: &str, shown: &str) -> bool {
    let parts: Vec<&str> = shown.split("…\n").collect();
    let [first, middle @ ..] = parts.as_slice() else {
        return seen.is_empty();
    };
    let Some(mut rest) = seen.strip_prefix(first) else {
        return false;
    };
    let Some((last, middle)) = middle.split_last() else {
        return rest.trim().is_empty();
    };
    for part in middle {
        match rest.split_once(part) {
            Some((_, behind)) => rest = behind,
            None => return false,
        }
    }
    rest.trim_end().ends_with(last.trim_end())
}

/// The picture of a page is what the program draws; `UPDATE_EXPECT=1` writes it.
fn same_picture(path: &Path, drawn: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        write(path, drawn);
    }
    let kept = fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == drawn,
        "{} is another picture (UPDATE_EXPECT=1 writes it)",
        path.display()
    );
}

// ------------------------------------------------------------------------------------------------ the reference

/// A variant of a shipped game, as an example, fits that game.
#[test]
fn variants_of_the_reference_fit_their_games() {
    let sources = games::sources();
    let ids = games::ids(&sources);
    let mut tried = 0;
    for block in page::blocks(&page::read("language.md")) {
        let header = block.text.lines().next().unwrap_or_default();
        let Some((_, of)) = header
            .strip_prefix("variant ")
            .and_then(|rest| rest.split_once(" of "))
        else {
            continue;
        };
        let game = of.split_whitespace().next().unwrap_or_default();
        if !ids.iter().any(|id| id == game) {
            continue;
        }
        let mut changed = sources.clone();
        let manifest = format!("{game}/game.toml");
        let file = sources.find(&manifest).expect("a manifest");
        let listed =
            sources
                .text(file)
                .replacen("\noverlays = [", "\noverlays = [\"example\", ", 1);
        changed.insert(manifest, listed);
        changed.insert(
            format!("{game}/variants/example.rules"),
            block.text.as_str(),
        );
        let selection = Selection {
            overlays: vec!["example".to_owned()],
            ..Selection::default()
        };
        let compiled = dsl::compile(&changed, game, &selection);
        let wrong: Vec<String> = compiled
            .diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.is_error())
            .map(|diagnostic| render(&changed, diagnostic, false))
            .collect();
        assert!(
            wrong.is_empty(),
            "language.md:{}\n{}",
            block.line,
            wrong.join("\n")
        );
        tried += 1;
    }
    assert!(tried >= 2, "{tried} variants");
}

/// Rules with a flow and a case right below them are a game that plays.
#[test]
fn games_of_the_reference_play() {
    let home = tempfile::tempdir().expect("a folder");
    let blocks = page::blocks(&page::read("language.md"));
    let mut tried = 0;
    for pair in blocks.windows(2) {
        let [rules, cases] = pair else { continue };
        let plays = rules.kind == "rules" && rules.text.lines().any(|line| line == "flow");
        if !plays || cases.kind != "scenario" {
            continue;
        }
        tried += 1;
        let example = Recipe::new(&format!("example-{}", rules.line), &[rules, cases]);
        example.write(&home.path().join("games"));
        for command in ["check", "test"] {
            let said = call([command, example.id.as_str()], &at(home.path()), "");
            assert_eq!(
                said.exit, 0,
                "language.md:{}\n{}{}",
                rules.line, said.out, said.err
            );
        }
    }
    assert!(tried >= 2, "{tried} games");
}

// ------------------------------------------------------------------------------------------------ the book

/// The names of all pages.
fn pages() -> Vec<String> {
    let entries = fs::read_dir(page::folder()).expect("docs").flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut pages: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    pages.sort();
    pages
}

#[test]
fn the_summary_lists_every_page_once() {
    let summary = page::links(&page::read("SUMMARY.md"));
    let mut listed: Vec<String> = summary.into_iter().map(|(_, target)| target).collect();
    listed.sort();
    let mut pages = pages();
    pages.retain(|page| page != "SUMMARY.md");
    assert_eq!(listed, pages, "docs/SUMMARY.md, and the pages");
}

/// Links between pages, to headings and to pictures. In the book there is nothing above `docs`.
#[test]
fn links_lead_somewhere() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for name in pages() {
        for (line, target) in page::links(&page::read(&name)) {
            count += 1;
            if let Some(why) = leads_nowhere(&name, &target) {
                wrong.push(format!("docs/{name}:{line}: `{target}`: {why}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 60, "{count} links");
}

/// Why a reader who follows a link finds nothing.
fn leads_nowhere(from: &str, target: &str) -> Option<&'static str> {
    if target.starts_with("https://") {
        return None;
    }
    let (page, heading) = target.split_once('#').unwrap_or((target, ""));
    let page = if page.is_empty() { from } else { page };
    if page.contains("..") {
        return Some("the book ends at `docs`");
    }
    if !page::folder().join(page).is_file() {
        return Some("there is no such file");
    }
    let known = heading.is_empty()
        || page::anchors(&page::read(page))
            .iter()
            .any(|a| a == heading);
    (!known).then_some("there is no such heading")
}

/// Where mdBook is installed.
#[test]
fn the_manual_becomes_a_book() {
    let home = tempfile::tempdir().expect("a folder");
    let mut build = Command::new("mdbook");
    build.arg("build").arg(page::folder());
    let told = match build.arg("--dest-dir").arg(home.path()).output() {
        Ok(told) => told,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            eprintln!("not built: mdBook is not installed (docs/README.md says how)");
            return;
        }
        Err(error) => panic!("mdbook: {error}"),
    };
    let said = String::from_utf8_lossy(&told.stderr);
    assert!(
        told.status.success() && !said.contains("WARN") && !said.contains("ERROR"),
        "{said}"
    );
    for page in pages() {
        let name = match page.as_str() {
            "SUMMARY.md" => continue,
            "README.md" => "index.html".to_owned(),
            page => page.replace(".md", ".html"),
        };
        assert!(home.path().join(&name).is_file(), "{name} is missing");
    }
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
