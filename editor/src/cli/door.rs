//! For programs that call instead of typing: games found, chosen and checked as the commands do it, with what was found as
//! values. Nothing is shown.

use super::points;
use super::select::Unfit;
use super::{Context, Failure, Outcome, Shell, check, merge, replay, simulate, tournament};
use crate::files::Loaded;
use dsl::assembly;
use dsl::diagnostic::Diagnostic;
use dsl::source::SourceSet;
use interpreter::Program;
use interpreter::bots::Bot;
use interpreter::playout::{Report, Spec, Tournament};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

pub use super::merge::Shard;
pub use super::numbers::{GAMES_MAX, THREADS_MAX};
pub use super::points::Dial;
pub use super::select::{Chosen, Game, Overlays};

/// Where somebody calls from.
#[derive(Clone, Debug, Default)]
pub struct Door {
    pub context: Context,
    /// The folder of the games, if one was named.
    pub games: Option<PathBuf>,
}

/// Why nothing came of a call.
#[derive(Debug)]
pub enum Refusal {
    /// It was wrong: what it is, and what to do.
    Call { message: String, help: Vec<String> },
    /// The texts have mistakes.
    Mistakes(Found),
}

/// What is wrong with texts, and the texts under paths as people read them.
#[derive(Debug, Default)]
pub struct Found {
    pub sources: SourceSet,
    /// Each with the combination of overlays in which it was met, empty: without.
    pub all: Vec<(String, Diagnostic)>,
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Refusal {
        let (message, help) = match failure {
            Failure::Call { message, help, .. } => (message, help),
            Failure::Said => ("the rules have mistakes".to_owned(), Vec::new()),
            Failure::Io(error) => (crate::files::in_words(&error), Vec::new()),
        };
        Refusal::Call { message, help }
    }
}

/// Dials, and of each combination of their values the rules.
pub type Points = (Vec<Dial>, Vec<(Vec<String>, Chosen)>);

/// What came of a call.
pub type Called<T> = Result<T, Refusal>;

impl Door {
    /// Does what a command does, without showing anything.
    fn quietly<T>(&self, run: impl FnOnce(&mut Shell) -> Outcome<T>) -> Called<T> {
        let mut shell = Shell {
            context: &self.context,
            games: self.games.clone(),
            input: &mut io::empty(),
            out: &mut io::sink(),
            err: &mut io::sink(),
        };
        Ok(run(&mut shell)?)
    }

    /// Finds a game by name or path and loads its texts.
    ///
    /// # Errors
    /// If there is none.
    pub fn open(&self, game: &str) -> Called<Game> {
        self.quietly(|shell| Game::open(shell, game))
    }

    /// A game whose texts are given, by their paths: `harbour/game.toml`. Where several games are among them, it must be named.
    ///
    /// # Errors
    /// If it is not among them.
    pub fn texts(&self, texts: BTreeMap<String, String>, game: Option<&str>) -> Called<Game> {
        let manifests = texts
            .keys()
            .filter_map(|path| path.strip_suffix("/game.toml"));
        let manifests: BTreeSet<&str> = manifests.filter(|id| !id.contains('/')).collect();
        let id = match game {
            Some(named) => manifests.get(named).copied(),
            None if manifests.len() == 1 => manifests.first().copied(),
            None => None,
        };
        let Some(id) = id.map(str::to_owned) else {
            let message = match game {
                Some(named) => format!("there is no text `{named}/game.toml`"),
                None if manifests.is_empty() => "there is no text `GAME/game.toml`".to_owned(),
                None => "there are several games among the texts".to_owned(),
            };
            let help = "name the game, and give its texts by their paths below the folder of the games: `harbour/game.toml`, `harbour/rules/sail.rules`";
            return Err(Failure::call(message, help).into());
        };
        let library = self.quietly(|shell| shell.library()).unwrap_or_default();
        let loaded = Loaded::texts(&library, &id, texts);
        Ok(Game {
            called: id.clone(),
            id,
            library,
            loaded,
        })
    }

    /// The rules that a recorded game was played with, found as `open` finds them.
    ///
    /// # Errors
    /// If the file cannot be read, or there is no such game, overlay, option or value any more.
    pub fn rules_of(&self, file: &Path, language: Option<String>) -> Called<Chosen> {
        self.quietly(|shell| {
            let recorded = replay::read(shell, file)?;
            let overlays = Overlays {
                language,
                ..Overlays::default()
            };
            replay::rules_of(shell, None, &overlays, &recorded)
        })
    }

    /// Compiles a game as it is asked for.
    ///
    /// # Errors
    /// If the call is wrong, or the texts have mistakes.
    pub fn choose(&self, game: Game, overlays: &Overlays) -> Called<Chosen> {
        game.chosen(overlays).map_err(|unfit| {
            let (game, unfit) = *unfit;
            match unfit {
                Unfit::Call(failure) => failure.into(),
                Unfit::Mistakes { report, .. } => {
                    Refusal::Mistakes(self.found(&game, report.found()))
                }
            }
        })
    }

    fn found<'f>(
        &self,
        game: &Game,
        found: impl Iterator<Item = (&'f str, &'f Diagnostic)>,
    ) -> Found {
        let owned = |(heading, one): (&str, &Diagnostic)| (heading.to_owned(), one.clone());
        Found {
            sources: game.loaded.shown_from(&self.context.folder),
            all: found.map(owned).collect(),
        }
    }

    /// What `check` finds in a game: in every declared combination, or in the one that is named.
    ///
    /// # Errors
    /// If there is no such overlay.
    pub fn check(&self, game: &Game, with: &[String]) -> Called<Found> {
        let checked = check::checked(game, with)?;
        Ok(self.found(game, checked.report.found()))
    }

    /// The names of all games that are found, families left out.
    ///
    /// # Errors
    /// If there is no games folder.
    pub fn games(&self) -> Called<Vec<String>> {
        let library = self.quietly(|shell| shell.library())?;
        let listings = assembly::games(&Loaded::manifests_only(&library).sources);
        let games = listings.into_iter().filter(|listing| !listing.family);
        Ok(games.map(|listing| listing.id).collect())
    }

    /// The number of players asked for, else four or what is nearest to it.
    ///
    /// # Errors
    /// If the game is not for so many.
    pub fn players(&self, chosen: &Chosen, asked: Option<u32>) -> Called<u32> {
        Ok(chosen.players(asked)?)
    }

    /// The program of rules for so many players.
    ///
    /// # Errors
    /// If they cannot be run.
    pub fn program(&self, chosen: &Chosen, players: u32) -> Called<Program> {
        interpreter::lower(&chosen.rules, players).map_err(|error| {
            let mistake = Diagnostic::error("cannot-run", error.span, error.message);
            Refusal::Mistakes(self.found(&chosen.game, std::iter::once(("", &mistake))))
        })
    }

    /// A fault of the rules met while playing, at its place.
    pub fn fault(&self, chosen: &Chosen, fault: interpreter::Fault) -> Found {
        let mistake = simulate::mistake(fault);
        self.found(&chosen.game, std::iter::once(("", &mistake)))
    }

    /// Bots by their names.
    ///
    /// # Errors
    /// If there is no such bot, or there are more than seats.
    pub fn seated(&self, chosen: &Chosen, names: &[String], players: u32) -> Called<Vec<Bot>> {
        self.quietly(|shell| simulate::seated(shell, &chosen.rules, names, players))
    }

    /// Bots that play a tournament.
    ///
    /// # Errors
    /// If there is no such bot, one is named twice, or they are too few or too many.
    pub fn entrants(&self, chosen: &Chosen, names: &[String], players: u32) -> Called<Vec<Bot>> {
        self.quietly(|shell| tournament::entered(shell, chosen, names, players))
    }

    /// The part of games that is meant.
    ///
    /// # Errors
    /// If there are fewer games than parts.
    pub fn own(&self, shard: Shard, all: &Spec) -> Called<Spec> {
        Ok(shard.of(all)?)
    }

    /// Dials by their ranges, `wagons_each=20..45..5`, and the rules at every combination of their values.
    ///
    /// # Errors
    /// If a range cannot be read, or the rules have mistakes at one of the points.
    pub fn points(&self, base: &Chosen, ranges: &[String]) -> Called<Points> {
        let (dials, all) = points::settings(base, ranges)?;
        let points = all.into_iter().map(|values| {
            let overlays = points::overlays_at(base, &dials, &values);
            let chosen = self.choose(base.game.clone(), &overlays)?;
            Ok((values, chosen))
        });
        let points = points.collect::<Called<_>>()?;
        Ok((dials, points))
    }

    /// A report as a page.
    pub fn page(&self, (chosen, program): (&Chosen, &Program), report: &Report) -> String {
        simulate::page(chosen, program, report)
    }

    /// A part of a simulation as text; `all` is the simulation that it is a part of, which begins with game `first`.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn part(
        &self,
        of: (&Chosen, &Program),
        all: &Spec,
        first: u64,
        report: &Report,
    ) -> Called<String> {
        merge::written(of, all, first, report).map_err(unwritten)
    }

    /// A part of a tournament as text.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn tournament_part(
        &self,
        of: (&Chosen, &Program),
        all: &Spec,
        first: u64,
        result: &Tournament,
    ) -> Called<String> {
        merge::written_tournament(of, all, first, result).map_err(unwritten)
    }

    /// How many play in the games of parts of these rules.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or is of other rules.
    pub fn players_of(&self, chosen: &Chosen, parts: &[String]) -> Called<u32> {
        Ok(merge::players(chosen, parts)?)
    }

    /// A simulation of its parts, in any order.
    ///
    /// # Errors
    /// If they are not all parts of the same one, once each.
    pub fn merged(&self, of: (&Chosen, &Program), parts: &[String]) -> Called<(Report, Spec)> {
        self.quietly(|shell| merge::merged_texts(shell, of, parts))
    }

    /// A tournament of its parts, in any order.
    ///
    /// # Errors
    /// If they are not all parts of the same one, once each.
    pub fn merged_tournament(
        &self,
        of: (&Chosen, &Program),
        parts: &[String],
    ) -> Called<Tournament> {
        self.quietly(|shell| merge::merged_tournament(shell, of, parts))
    }
}

fn unwritten(why: String) -> Refusal {
    Failure::call(why, "play fewer games at once").into()
}
