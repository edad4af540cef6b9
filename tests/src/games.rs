//! The shipped games: loaded, compiled, lowered.

use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::ir::RuleSet;
use dsl::source::{Picture, SourceSet, is_picture};
use editor::bench::{Bench, scenario_files};
use editor::picture;
use interpreter::bots::{Bot, LearntOf, MOMENTS, Model, Weighed};
use interpreter::{Program, State};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// One of each kind, and all that play by strategies of the rules; those that search in no time, and those that have learnt as if everything they can count had taught them
/// something.
pub fn bots(program: &Program) -> Vec<Bot> {
    let weighed = (1..).zip(&program.features).map(|(at, feature)| {
        let weight = (at * 7_919 % 2_001) - 1_000;
        Weighed {
            name: feature.name.clone(),
            mean: 0,
            spread: 50_000,
            place: [weight, -weight, weight],
            ahead: [-weight, weight, weight],
        }
    });
    let model = Arc::new(Model {
        name: "everything".into(),
        rules: LearntOf::default(),
        games: 1,
        answers: 200,
        lead: 100_000,
        place: [0; MOMENTS],
        ahead: [0; MOMENTS],
        features: weighed.collect(),
    });
    let search = |model| Bot::Search { looks: 6, model };
    let strategies = program.strategies.iter();
    let strategies = strategies.map(|one| Bot::Strategy(one.name.as_str().into()));
    let others = [
        Bot::Random,
        Bot::Greedy,
        Bot::Learnt(model.clone()),
        search(None),
        search(Some(model)),
    ];
    others.into_iter().chain(strategies).collect()
}

/// All texts under `games/`.
pub fn sources() -> SourceSet {
    let mut sources = SourceSet::new();
    load(&folder(), "", &mut sources);
    sources
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../games")
}

/// All texts and pictures under a folder, their paths with `path` before them.
pub fn load(folder: &Path, path: &str, sources: &mut SourceSet) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for entry in entries {
        let name = entry.file_name().unwrap_or_default().to_string_lossy();
        let path = if path.is_empty() {
            name.to_string()
        } else {
            format!("{path}/{name}")
        };
        if entry.is_dir() {
            load(&entry, &path, sources);
        } else if is_picture(&name) {
            let bytes = fs::read(&entry).unwrap_or_default();
            sources.add_picture(Picture::new(path, bytes, picture::read));
        } else if let Ok(text) = fs::read_to_string(&entry) {
            sources.insert(path, text);
        }
    }
}

/// A game of one file, `ID/ID.rules`, for so many players (`2, 4`: two to four).
pub fn of_text(id: &str, players: &str, rules: impl Into<String>) -> SourceSet {
    let mut sources = SourceSet::new();
    sources.insert(
        format!("{id}/game.toml"),
        format!("[game]\nid = \"{id}\"\ntitle = \"{id}\"\nplayers = [{players}]\nrules = [\"{id}.rules\"]\n"),
    );
    sources.insert(format!("{id}/{id}.rules"), rules);
    sources
}

/// Where the scenario of this title comes to.
pub fn stand(sources: &SourceSet, game: &str, title: &str) -> State {
    let mut bench = Bench::new(sources, game);
    for file in scenario_files(sources, game) {
        let headings = dsl::headings(sources, file);
        if let Some(heading) = headings.iter().find(|heading| heading.title == title) {
            let case = bench.case(file, heading);
            return case.stand.expect("it is played").state;
        }
    }
    panic!("{game} has no scenario \"{title}\"")
}

/// Ids of the games that can be played.
pub fn ids(sources: &SourceSet) -> Vec<String> {
    dsl::assembly::games(sources)
        .into_iter()
        .filter(|game| !game.family)
        .map(|game| game.id)
        .collect()
}

/// The rules files of a game's own.
pub fn rules_files(sources: &SourceSet, id: &str) -> Vec<String> {
    let begin = format!("{id}/rules/");
    let paths = sources.paths().map(str::to_owned);
    paths
        .filter(|path| path.starts_with(&begin) && path.ends_with(".rules"))
        .collect()
}

/// A game without overlays, or what is wrong with it.
///
/// # Errors
/// The diagnostics.
pub fn rules(sources: &SourceSet, id: &str) -> Result<RuleSet, Vec<Diagnostic>> {
    rules_with(sources, id, Vec::new())
}

fn rules_with(
    sources: &SourceSet,
    id: &str,
    overlays: Vec<String>,
) -> Result<RuleSet, Vec<Diagnostic>> {
    let selection = Selection {
        overlays,
        ..Selection::default()
    };
    let compiled = dsl::compile(sources, id, &selection);
    compiled.rules.ok_or(compiled.diagnostics)
}

/// A game with its programs for several numbers of players.
pub type Playable = (RuleSet, Vec<Program>);

/// All games for the least and the greatest number of players, and with each of their expansions for the greatest; for all
/// numbers when more games are wanted. The environment variable `PLAYOUT_GAME` names one game alone.
///
/// # Panics
/// If one of them does not compile.
pub fn programs() -> &'static [Playable] {
    static PROGRAMS: OnceLock<Vec<Playable>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let sources = sources();
        let only = std::env::var("PLAYOUT_GAME").ok();
        let mut playable = Vec::new();
        for id in ids(&sources) {
            if only.as_ref().is_some_and(|only| *only != id) {
                continue;
            }
            playable.push(lowered(&sources, &id, Vec::new(), false));
            let (manifest, _) = dsl::assembly::manifest(&sources, &id);
            let overlays = manifest.map_or_else(Vec::new, |manifest| manifest.overlays);
            for overlay in overlays.into_iter().filter(|overlay| overlay.expansion) {
                let mut chosen = overlay.needs;
                chosen.push(overlay.id);
                playable.push(lowered(&sources, &id, chosen, true));
            }
        }
        assert!(!playable.is_empty(), "there is no such game");
        playable
    })
}

fn lowered(sources: &SourceSet, id: &str, overlays: Vec<String>, greatest_only: bool) -> Playable {
    let rules = rules_with(sources, id, overlays)
        .unwrap_or_else(|mistakes| panic!("{id} does not compile: {mistakes:#?}"));
    let (least, most) = rules.players;
    let wanted =
        |players: &u32| more(0) > 0 || *players == most || *players == least && !greatest_only;
    let programs = (least..=most).filter(wanted).map(|players| {
        interpreter::lower(&rules, players)
            .unwrap_or_else(|error| panic!("{id} with {players}: {error:?}"))
    });
    let programs = programs.collect();
    (rules, programs)
}

/// A game for tests that need any: the default one, with the fewest players.
///
/// # Panics
/// If there is none, or it does not compile.
pub fn some_program() -> (RuleSet, Program) {
    let sources = sources();
    let games = dsl::assembly::games(&sources);
    let default = games.into_iter().find(|game| game.default);
    let id = default.expect("one game is the default").id;
    let rules = rules(&sources, &id).expect("the default game compiles");
    let program = interpreter::lower(&rules, rules.players.0).expect("the default game can be run");
    (rules, program)
}

/// How many games a test plays: `few`, or more by the environment variable `PLAYOUT_GAMES`.
pub fn more(few: u64) -> u64 {
    let wanted = std::env::var("PLAYOUT_GAMES").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(few).max(few)
}
