//! The shipped games: loaded, compiled, lowered.

use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::ir::RuleSet;
use dsl::source::SourceSet;
use interpreter::Program;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// All texts under `games/`.
pub fn sources() -> SourceSet {
    let mut sources = SourceSet::new();
    load(&folder(), "", &mut sources);
    sources
}

pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../games")
}

fn load(folder: &Path, path: &str, sources: &mut SourceSet) {
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
        } else if let Ok(text) = fs::read_to_string(&entry) {
            sources.insert(path, text);
        }
    }
}

/// Ids of the games that can be played.
pub fn ids(sources: &SourceSet) -> Vec<String> {
    dsl::assembly::games(sources)
        .into_iter()
        .filter(|game| !game.family)
        .map(|game| game.id)
        .collect()
}

/// A game without overlays, or what is wrong with it.
///
/// # Errors
/// The diagnostics.
pub fn rules(sources: &SourceSet, id: &str) -> Result<RuleSet, Vec<Diagnostic>> {
    let compiled = dsl::compile(sources, id, &Selection::default());
    compiled.rules.ok_or(compiled.diagnostics)
}

/// A game with its programs for several numbers of players.
pub type Playable = (RuleSet, Vec<Program>);

/// Games whose rules are complete and whose cases all pass. The others parse and check (see `trackwright check`); random
/// play of them joins these tests when they are finished.
const FINISHED: [&str; 3] = ["chess", "ticket-to-ride-maerklin", "ticket-to-ride-usa"];

/// The finished games, for the least and the greatest number of players; for all when more games are wanted.
/// The environment variable `PLAYOUT_GAME` names one game alone, finished or not.
pub fn programs() -> &'static [Playable] {
    static PROGRAMS: OnceLock<Vec<Playable>> = OnceLock::new();
    PROGRAMS.get_or_init(|| {
        let sources = sources();
        let only = std::env::var("PLAYOUT_GAME").ok();
        let games = ids(&sources)
            .into_iter()
            .filter(|id| {
                only.as_ref()
                    .map_or_else(|| FINISHED.contains(&id.as_str()), |only| only == id)
            })
            .filter_map(|id| rules(&sources, &id).ok());
        let playable = games.map(|rules| {
            let (least, most) = rules.players;
            let programs = (least..=most)
                .filter(|players| more(0) > 0 || [least, most].contains(players))
                .filter_map(|players| interpreter::lower(&rules, players).ok());
            let programs = programs.collect();
            (rules, programs)
        });
        let playable: Vec<Playable> = playable
            .filter(|(_, programs): &Playable| !programs.is_empty())
            .collect();
        assert!(!playable.is_empty(), "no game compiles");
        playable
    })
}

/// A game for tests that need any: the first that compiles, with the fewest players.
///
/// # Panics
/// If none does.
pub fn some_program() -> (RuleSet, Program) {
    let sources = sources();
    let mut games = ids(&sources)
        .into_iter()
        .filter(|id| FINISHED.contains(&id.as_str()));
    let found = games.find_map(|id| {
        let rules = rules(&sources, &id).ok()?;
        let program = interpreter::lower(&rules, rules.players.0).ok()?;
        (rules.players.1 > 2).then_some((rules, program))
    });
    found.expect("one game compiles")
}

/// How many games a test plays: `few`, or more by the environment variable `PLAYOUT_GAMES`.
pub fn more(few: u64) -> u64 {
    let wanted = std::env::var("PLAYOUT_GAMES").ok();
    wanted.and_then(|n| n.parse().ok()).unwrap_or(few).max(few)
}
