//! The language service on a small game (`suite/service/mini`) and on the shipped ones.
//!
//! A case of `suite/service` is one question: `ask: hover`, then the place, then behind `=====` the answer.
//! `at: PATH: text with $0` points into a file of the game as it is; `in: PATH` appends the lines below it, with `$0`, to the file.
//! `UPDATE_EXPECT=1` rewrites the answers.

use dsl::Compiled;
use dsl::assembly::Selection;
use dsl::service::{self, Edit, Language, TokenKind};
use dsl::source::{FileId, SourceSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use tests::games;
use tests::typing::TYPISTS;

const MARK: &str = "$0";
const COMPLETIONS_SHOWN: usize = 12;

fn suite() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/service")
}

fn load(folder: &Path, path: &str, sources: &mut SourceSet) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let path = format!("{path}{name}");
        if entry.is_dir() {
            load(&entry, &format!("{path}/"), sources);
        } else if let Ok(text) = fs::read_to_string(&entry) {
            sources.insert(path, text);
        }
    }
}

fn mini() -> SourceSet {
    let mut sources = SourceSet::new();
    load(&suite().join("mini"), "mini/", &mut sources);
    sources
}

fn shipped() -> SourceSet {
    let mut sources = SourceSet::new();
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games");
    load(&games, "", &mut sources);
    sources
}

fn compile(sources: &SourceSet, overlays: &[&str]) -> Compiled {
    let selection = Selection {
        overlays: overlays.iter().map(|id| (*id).to_string()).collect(),
        ..Selection::default()
    };
    dsl::compile(sources, "mini", &selection)
}

// ------------------------------------------------------------------------------------------------ cases

struct Case {
    sources: SourceSet,
    file: FileId,
    offset: usize,
    ask: String,
    with: String,
    overlays: Vec<String>,
    question: String,
    answer: String,
}

impl Case {
    fn read(text: &str) -> Case {
        let (question, answer) = text.split_once("=====\n").unwrap_or((text, ""));
        let field = |name: &str| {
            let line = question.lines().find(|line| line.starts_with(name));
            line.map_or("", |line| line[name.len()..].trim())
                .to_string()
        };
        let mut sources = mini();
        let (file, offset) = place(&mut sources, question);
        Case {
            sources,
            file,
            offset,
            ask: field("ask:"),
            with: field("with:"),
            overlays: field("overlays:")
                .split_whitespace()
                .map(str::to_string)
                .collect(),
            question: question.to_string(),
            answer: answer.to_string(),
        }
    }

    fn run(&self) -> String {
        let overlays: Vec<&str> = self.overlays.iter().map(String::as_str).collect();
        let compiled = compile(&self.sources, &overlays);
        let sources = &self.sources;
        let (file, offset) = (self.file, self.offset);
        let mut out = String::new();
        match self.ask.as_str() {
            "outline" => {
                for item in service::outline(sources, file) {
                    let ids = item.rule_ids.join(" ");
                    let _ = writeln!(out, "{:?} {} | {} | {ids}", item.kind, item.name, item.doc);
                }
            }
            "hover" => out = hover(sources, &compiled, file, offset),
            "definition" => {
                for target in service::definition(sources, &compiled, file, offset) {
                    let place = sources.place(target.span);
                    let text = sources
                        .slice(target.span)
                        .lines()
                        .next()
                        .unwrap_or_default();
                    let _ = writeln!(out, "{:?} {place} [{}] {text}", target.role, target.layer);
                }
            }
            "references" => {
                for span in service::references(sources, &compiled, file, offset) {
                    let _ = writeln!(out, "{} {}", sources.place(span), sources.slice(span));
                }
            }
            "rename" => match service::rename(sources, &compiled, file, offset, &self.with) {
                Ok(edits) => out = changed_lines(sources, &edits),
                Err(why) => out = format!("no: {why}\n"),
            },
            "complete" => {
                let all = service::complete(sources, &compiled, file, offset);
                for item in all.iter().take(COMPLETIONS_SHOWN) {
                    let insert = item.insert.replace('\n', "⏎");
                    let _ = writeln!(
                        out,
                        "{:?} {} | {} | {insert}",
                        item.kind, item.label, item.detail
                    );
                }
            }
            "fixes" => out = fixed(sources, &compiled),
            "stub" => match service::overlay_stub(sources, &compiled, file, offset, &self.with) {
                Ok(edit) => {
                    out.clone_from(&edit.text);
                    let mut changed = sources.clone();
                    service::apply(&[edit], &mut changed).expect("a stub can be written");
                    let after = compile(&changed, &["rich"]);
                    let errors = after.diagnostics.iter().filter(|one| one.is_error());
                    for error in errors {
                        let _ = writeln!(out, "ERROR {}", error.message);
                    }
                }
                Err(why) => out = format!("no: {why}\n"),
            },
            other => out = format!("no such question: {other}\n"),
        }
        out
    }
}

/// The place a question points to; its text is put into the game.
fn place(sources: &mut SourceSet, question: &str) -> (FileId, usize) {
    if let Some(line) = question.lines().find(|line| line.starts_with("at:")) {
        let (path, text) = line[3..].trim().split_once(": ").expect("at: PATH: text");
        let file = sources.find(path).expect("a file of the game");
        let before = text.find(MARK).expect("a mark");
        let found = sources
            .text(file)
            .find(&text.replace(MARK, ""))
            .expect("a text of the file");
        return (file, found + before);
    }
    let Some(start) = question.find("in: ") else {
        return (FileId(0), 0);
    };
    let (path, text) = question[start + 4..].split_once('\n').expect("lines below");
    let old = sources
        .find(path)
        .map_or("", |file| sources.text(file))
        .to_string();
    let offset = text.find(MARK).map_or(0, |at| old.len() + at);
    let file = sources.insert(path, format!("{old}{}", text.replace(MARK, "")));
    (file, offset)
}

fn hover(sources: &SourceSet, compiled: &Compiled, file: FileId, offset: usize) -> String {
    let Some(hover) = service::hover(sources, compiled, file, offset) else {
        return "nothing\n".to_string();
    };
    let mut out = format!("{}\n", hover.signature);
    for line in [hover.doc, hover.example]
        .iter()
        .filter(|line| !line.is_empty())
    {
        let _ = writeln!(out, "  {line}");
    }
    for fact in hover.facts {
        let _ = writeln!(out, "- {fact}");
    }
    out
}

/// Each line that edits change, as it becomes.
fn changed_lines(sources: &SourceSet, edits: &[Edit]) -> String {
    let mut changed = sources.clone();
    service::apply(edits, &mut changed).expect("edits fit");
    let mut out = String::new();
    for id in sources.ids() {
        let (old, new) = (sources.text(id).lines(), changed.text(id).lines());
        for (old, new) in old.zip(new).filter(|(old, new)| old != new) {
            let _ = writeln!(out, "{}: {old} -> {new}", sources.file(id).path);
        }
    }
    out
}

/// Each mistake with its fixes, and what is left of its kind after each.
fn fixed(sources: &SourceSet, compiled: &Compiled) -> String {
    let mut out = String::new();
    for diagnostic in &compiled.diagnostics {
        let _ = writeln!(out, "[{}] {}", diagnostic.code, diagnostic.message);
        for fix in service::fixes(sources, compiled, diagnostic) {
            let mut changed = sources.clone();
            service::apply(&fix.edits, &mut changed).expect("a fix can be made");
            let after = compile(&changed, &[]);
            let same = |one: &&dsl::diagnostic::Diagnostic| {
                one.code == diagnostic.code && one.message == diagnostic.message
            };
            let left = if after.diagnostics.iter().any(|one| same(&one)) {
                " STILL THERE"
            } else {
                ""
            };
            let _ = writeln!(out, "- {}{left}", fix.title);
        }
    }
    out
}

#[test]
fn cases() {
    let entries = fs::read_dir(suite()).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "case"));
    paths.sort();
    assert!(paths.len() >= 40, "only {} cases", paths.len());
    let mut wrong = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let case = Case::read(&text);
        let found = case.run();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, format!("{}=====\n{found}", case.question))
                .expect("a case can be written");
        } else if found != case.answer {
            wrong.push(format!(
                "== {}\n{}-- found\n{found}",
                path.display(),
                case.answer
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The small game itself is good, with and without its variant.
#[test]
fn the_small_game_is_good() {
    let sources = mini();
    for overlays in [&[][..], &["rich"][..]] {
        let compiled = compile(&sources, overlays);
        let shown = dsl::diagnostic::render::render_all(&sources, &compiled.diagnostics, false);
        assert!(compiled.rules.is_some() && shown.is_empty(), "{shown}");
    }
}

// ------------------------------------------------------------------------------------------------ shipped games

/// Every overlay alone with what it needs, and the game itself, with the files that are new in each.
fn worlds(sources: &SourceSet) -> Vec<(Compiled, Vec<FileId>)> {
    let mut all = Vec::new();
    for game in dsl::assembly::games(sources) {
        let Some(manifest) = dsl::assembly::manifest(sources, &game.id).0 else {
            continue;
        };
        let base = dsl::compile(sources, &game.id, &Selection::default());
        let layers = base.understood().map_or(&[][..], |rules| &rules.layers);
        let files = layers
            .iter()
            .flat_map(|layer| layer.files.clone())
            .collect();
        all.push((base.clone(), files));
        for overlay in &manifest.overlays {
            let mut overlays = overlay.needs.clone();
            overlays.push(overlay.id.clone());
            let options = Vec::new();
            let compiled = dsl::compile(
                sources,
                &game.id,
                &Selection {
                    overlays,
                    options,
                    ..Selection::default()
                },
            );
            let last = compiled.understood().and_then(|rules| rules.layers.last());
            let files = last.map_or_else(Vec::new, |layer| layer.files.clone());
            all.push((compiled, files));
        }
    }
    all
}

/// Go to definition leads somewhere from every name in every shipped rules file.
#[test]
fn every_name_is_defined() {
    let sources = shipped();
    let (mut names, mut lost) = (0_usize, Vec::new());
    for (compiled, files) in worlds(&sources) {
        for file in files {
            let text = sources.text(file);
            for (range, kind) in service::tokens(text, Language::Rules) {
                let named = matches!(kind, TokenKind::Name | TokenKind::Call | TokenKind::Member);
                let word = &text[range.clone()];
                if !named || service::WORDS.iter().any(|entry| entry.word == word) {
                    continue;
                }
                names += 1;
                if service::definition(&sources, &compiled, file, range.start).is_empty() {
                    lost.push(format!("{} {word}", sources.file(file).path));
                }
            }
        }
    }
    assert!(names > 4000, "only {names} names");
    assert!(
        lost.len() * 200 <= names,
        "{} of {names} lead nowhere: {lost:?}",
        lost.len()
    );
}

/// Nothing panics at any place of any text, whole or cut.
#[test]
fn questions_never_panic() {
    let sources = mini();
    let compiled = compile(&sources, &["rich"]);
    for file in sources.ids() {
        for offset in 0..=sources.text(file).len() + 1 {
            service::hover(&sources, &compiled, file, offset);
            service::definition(&sources, &compiled, file, offset);
            service::complete(&sources, &compiled, file, offset);
        }
    }
    let rules = sources.find("mini/rules/mini.rules").expect("the rules");
    let whole = sources.text(rules).to_string();
    for cut in (0..whole.len())
        .step_by(17)
        .filter(|cut| whole.is_char_boundary(*cut))
    {
        let mut sources = sources.clone();
        sources.insert("mini/rules/mini.rules", &whole[..cut]);
        let compiled = compile(&sources, &[]);
        for offset in [cut, cut.saturating_sub(5), cut / 2] {
            service::hover(&sources, &compiled, rules, offset);
            service::complete(&sources, &compiled, rules, offset);
        }
        service::outline(&sources, rules);
        for diagnostic in &compiled.diagnostics {
            service::fixes(&sources, &compiled, diagnostic);
        }
    }
}

/// The same at every word of small games of all that the language has, renaming too.
#[test]
fn questions_about_any_construct_never_panic() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/scenario");
    let mut paths: Vec<PathBuf> = fs::read_dir(suite)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|end| end == "rules"))
        .collect();
    paths.sort();
    assert!(paths.len() > 30, "only {} games", paths.len());
    for path in paths {
        let text = fs::read_to_string(&path).expect("a game can be read");
        let sources = games::of_text("case", "2, 4", text.as_str());
        let compiled = dsl::compile(&sources, "case", &Selection::default());
        let file = sources.find("case/case.rules").expect("the rules");
        for (range, _) in service::tokens(&text, Language::Rules) {
            for offset in [range.start, range.end] {
                service::hover(&sources, &compiled, file, offset);
                service::definition(&sources, &compiled, file, offset);
                service::complete(&sources, &compiled, file, offset);
                let _ = service::rename(&sources, &compiled, file, offset, "brand_new");
                service::references(&sources, &compiled, file, offset);
            }
        }
    }
}

/// Hover and definition at every word of every shipped file.
#[test]
fn shipped_files_have_no_bad_place() {
    let sources = shipped();
    for (compiled, files) in worlds(&sources) {
        for file in files {
            for (range, _) in service::tokens(sources.text(file), Language::Rules) {
                service::hover(&sources, &compiled, file, range.start);
                service::hover(&sources, &compiled, file, range.end);
            }
        }
    }
}

/// A rename there and back gives the same bytes, and both ways compile.
#[test]
fn renames_go_back() {
    let sources = mini();
    let compiled = compile(&sources, &[]);
    let rules = sources.find("mini/rules/mini.rules").expect("the rules");
    let mut renamed = 0;
    for item in service::outline(&sources, rules) {
        let old = sources.slice(item.name_span).to_string();
        let at = item.name_span.start as usize;
        let Ok(edits) = service::rename(&sources, &compiled, rules, at, "brand_new") else {
            continue;
        };
        let mut there = sources.clone();
        service::apply(&edits, &mut there).expect("edits fit");
        let compiled = compile(&there, &["rich"]);
        assert!(
            compiled.rules.is_some(),
            "{old}: {:?}",
            compiled.diagnostics
        );
        let back = there.text(rules).find("brand_new").expect("the new name");
        let edits = service::rename(&there, &compiled, rules, back, &old).expect("back again");
        service::apply(&edits, &mut there).expect("edits fit");
        for file in sources.ids() {
            assert_eq!(sources.text(file), there.text(file), "{old}");
        }
        renamed += 1;
    }
    assert!(renamed >= 12, "only {renamed} renamed");
}

// ------------------------------------------------------------------------------------------------ words

/// The manual's words stand in the language page as its last section.
#[test]
fn the_language_page_lists_the_words() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    let text = fs::read_to_string(&path).expect("the language page");
    let mut wanted =
        String::from("## 13. Every word\n\n| word | meaning | example |\n|---|---|---|\n");
    for entry in service::WORDS {
        let example = entry.example.replace('|', "\\|");
        let _ = writeln!(
            wanted,
            "| `{}` | {} | `{example}` |",
            entry.word,
            entry.meaning.replace('|', "\\|")
        );
    }
    let start = text.find("## 13. Every word").unwrap_or(text.len());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let body = text[..start].trim_end();
        fs::write(&path, format!("{body}\n\n{wanted}")).expect("the page can be written");
    } else {
        assert_eq!(&text[start..], wanted, "UPDATE_EXPECT=1 rewrites it");
    }
}

/// All tokens are in order and lie on their line.
#[test]
fn tokens_are_in_order() {
    let sources = shipped();
    for file in sources.ids() {
        let source = sources.file(file);
        let mut end = 0;
        for (range, _) in service::tokens(&source.text, Language::of(&source.path)) {
            assert!(
                end <= range.start && range.start < range.end,
                "{}",
                source.path
            );
            assert!(
                !source.text[range.clone()].contains('\n'),
                "{}",
                source.path
            );
            end = range.end;
        }
    }
}

// ------------------------------------------------------------------------------------------------ edits

/// What is kept between edits never shows in what a compilation finds: one with nothing kept finds the same, at the same places.
fn compare_with_fresh(kept: &SourceSet, game: &str, selection: &Selection, after: &str) {
    let mut fresh = SourceSet::new();
    for id in kept.ids() {
        fresh.insert(kept.file(id).path.as_str(), kept.text(id));
    }
    let compiled = dsl::compile(kept, game, selection);
    let other = dsl::compile(&fresh, game, selection);
    assert_eq!(compiled.diagnostics, other.diagnostics, "{game}: {after}");
    let whole = |compiled: &Compiled| format!("{compiled:?}");
    assert!(whole(&compiled) == whole(&other), "{game}: {after}");
    let print = |compiled: &Compiled| compiled.rules.as_ref().map(|rules| rules.fingerprint());
    assert_eq!(print(&compiled), print(&other), "{game}: {after}");
}

/// Breaks, mends and changes texts of some files at random.
struct Scribbler {
    originals: Vec<(String, String)>,
    seed: u64,
}

impl Scribbler {
    fn new(sources: &SourceSet, is_one: impl Fn(&str) -> bool) -> Scribbler {
        let paths = sources.paths().filter(|path| is_one(path));
        let text = |path: &str| sources.find(path).map_or("", |file| sources.text(file));
        Scribbler {
            originals: paths
                .map(|path| (path.to_string(), text(path).to_string()))
                .collect(),
            seed: 7,
        }
    }

    fn random(&mut self, below: usize) -> usize {
        let seed = self.seed.wrapping_mul(6_364_136_223_846_793_005);
        self.seed = seed.wrapping_add(1);
        (self.seed >> 33) as usize % below.max(1)
    }

    /// One edit; says which.
    fn scribble(&mut self, sources: &mut SourceSet) -> String {
        let at = self.random(self.originals.len());
        let (path, original) = self.originals[at].clone();
        let file = sources.find(&path).expect("a file of the game");
        let mut text = sources.text(file).to_string();
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let at = places.get(self.random(places.len())).copied().unwrap_or(0);
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
        let edit = self.random(8);
        match edit {
            0 => {
                text.pop();
            }
            1 => text.insert(at, ['x', ' ', '\n', '(', '"', '\u{feff}'][self.random(6)]),
            2 => text.replace_range(line..end, ""),
            3 => {
                let again = text[line..end].to_owned();
                text.insert_str(line, &again);
            }
            4 => text.insert_str(line, "# said between\n\n"),
            5 => text = text.replacen("= 1", "= 2", 1),
            _ => text = original,
        }
        sources.insert(path.as_str(), text);
        format!("edit {edit} at byte {at} of {path}")
    }
}

#[test]
fn kept_readings_change_nothing() {
    let mut kept = mini();
    let is_one = |path: &str| path.ends_with(".rules") || path.ends_with(".toml");
    let mut scribbler = Scribbler::new(&kept, is_one);
    let selection = Selection {
        overlays: vec!["rich".into()],
        ..Selection::default()
    };
    for _ in 0..300 {
        let edit = scribbler.scribble(&mut kept);
        compare_with_fresh(&kept, "mini", &selection, &edit);
    }
}

/// The same with shipped games and their overlays: each letter that the bench types, and edits at random.
#[test]
fn kept_readings_of_shipped_games_change_nothing() {
    for typist in TYPISTS {
        let mut kept = shipped();
        let selection = typist.selection();
        for typed in typist.letters() {
            let file = kept.find(typed.path).expect("the file is shipped");
            let text = kept.text(file).to_string();
            let with = typed
                .in_text(&text, 1)
                .unwrap_or_else(|| panic!("{} has no place for a {}", typed.path, typed.kind));
            kept.insert(typed.path, with);
            compare_with_fresh(&kept, typist.game, &selection, typed.kind);
            kept.insert(typed.path, text);
        }
        let mut scribbler = Scribbler::new(&kept, |path| {
            let of_game = path.starts_with(typist.game) && !path.contains("/replays/");
            of_game && (path.ends_with(".rules") || path.ends_with(".toml"))
        });
        for _ in 0..20 {
            let edit = scribbler.scribble(&mut kept);
            compare_with_fresh(&kept, typist.game, &selection, &edit);
        }
    }
}

#[test]
fn edits_are_made_together_or_not_at_all() {
    let mut sources = SourceSet::new();
    sources.insert("a", "one two three");
    let edit = |start, end, text: &str| Edit {
        path: "a".to_string(),
        range: start..end,
        text: text.to_string(),
    };
    let clash = [edit(0, 5, "x"), edit(4, 7, "y")];
    assert!(service::apply(&clash, &mut sources).is_err());
    assert!(service::apply(&[edit(0, 99, "x")], &mut sources).is_err());
    let file = sources.find("a").expect("the file");
    assert_eq!(sources.text(file), "one two three");
    let good = [
        edit(8, 13, "3"),
        edit(0, 3, "1"),
        Edit::insert("b", 0, "new"),
    ];
    service::apply(&good, &mut sources).expect("they fit");
    assert_eq!(sources.text(file), "1 two 3");
    assert_eq!(sources.find("b").map(|id| sources.text(id)), Some("new"));
}
