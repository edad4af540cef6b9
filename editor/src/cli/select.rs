//! Which game, with which overlays and options, for how many players.

use super::no_game::{self, games_here};
use super::report::Report;
use super::{Failure, Outcome, Shell, numbers};
use crate::files::{Library, Loaded, shown as shown_path};
use crate::values::{kind, shown, values};
use dsl::Compiled;
use dsl::assembly::{self, ANY, Manifest, Selection};
use dsl::diagnostic::suggest::nearest;
use dsl::ir::{GameOption, RuleSet, Ty, Value};
use dsl::syntax::ast::AssignOp;
use interpreter::replay::Replay;
use interpreter::words::listed;
use std::path::{Path, PathBuf};

/// What is laid over a game.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Overlays {
    /// Lay this expansion or variant over the game; may be given several times
    #[arg(long = "with", value_name = "OVERLAY", value_delimiter = ',')]
    pub with: Vec<String>,
    /// Give an option of the game another value (also OPTION+=N, OPTION-=N)
    #[arg(long = "set", value_name = "OPTION=VALUE")]
    pub set: Vec<String>,
    /// Say everything in this language, if the game has words in it: `de`
    #[arg(long, value_name = "LANGUAGE")]
    pub language: Option<String>,
}

/// A game, what is laid over it, and for how many.
#[derive(clap::Args)]
pub struct Wanted {
    /// Name or path of the game
    #[arg(value_name = "GAME")]
    pub game: String,
    #[command(flatten)]
    pub overlays: Overlays,
    /// How many play (default: 4, or what is nearest to it)
    #[arg(long, value_name = "N", value_parser = numbers::seats, allow_negative_numbers = true)]
    pub players: Option<u32>,
}

impl Wanted {
    /// The game compiled, and its number of players.
    pub fn choose(&self, shell: &mut Shell) -> Outcome<(Chosen, u32)> {
        let chosen = Game::open(shell, &self.game)?.choose(shell, &self.overlays)?;
        let players = chosen.players(self.players)?;
        Ok((chosen, players))
    }
}

/// A game that is there, its texts loaded.
#[derive(Clone)]
pub struct Game {
    pub id: String,
    /// How a call names it: its id, where that finds it, else the path of its folder.
    pub called: String,
    pub library: Library,
    pub loaded: Loaded,
}

/// A game compiled as it was asked for, without mistakes.
pub struct Chosen {
    pub game: Game,
    pub manifest: Manifest,
    pub selection: Selection,
    pub compiled: Compiled,
    pub rules: RuleSet,
}

impl Game {
    /// Finds a game by name or path and loads its texts.
    pub(super) fn open(shell: &Shell, given: &str) -> Outcome<Game> {
        let (library, id) = find(shell, given)?;
        let loaded = Loaded::game(&library, &id);
        Ok(Game {
            called: called(shell, &library, &id),
            id,
            library,
            loaded,
        })
    }

    /// The game that bare `trackwright` plays.
    pub(super) fn open_default(shell: &Shell) -> Outcome<Game> {
        let library = shell.library()?;
        let listings = assembly::games(&Loaded::manifests_only(&library).sources);
        let Some(listing) = listings.iter().find(|listing| listing.default) else {
            return Err(Failure::call("no game is marked as the default", "write `default = true` into the `game.toml` of one, or name a game: `trackwright simulate GAME`")
                .also(games_here(&library)));
        };
        let loaded = Loaded::game(&library, &listing.id);
        Ok(Game {
            called: listing.id.clone(),
            id: listing.id.clone(),
            library,
            loaded,
        })
    }

    /// The manifest, if it is of use; a family is none that can be played. Mistakes are shown on the error stream.
    pub(super) fn manifest(&self, shell: &mut Shell) -> Outcome<Manifest> {
        let found = self.playable();
        found.map_err(|unfit| self.tell_unfit(shell, unfit))
    }

    fn playable(&self) -> Result<Manifest, Unfit> {
        let (manifest, diagnostics) = assembly::manifest(&self.loaded.sources, &self.id);
        let Some(manifest) = manifest else {
            let mut report = Report::default();
            report.add("", self.loaded.diagnostics.iter().cloned());
            report.add("", diagnostics);
            return Err(Unfit::Mistakes { report, of: None });
        };
        if manifest.family {
            let failure = Failure::call(
                format!(
                    "`{}` is a family: rules that several games share, not a game",
                    self.id
                ),
                format!(
                    "name one of its games: {}",
                    listed(&self.family_members(), "or")
                ),
            );
            return Err(Unfit::Call(failure));
        }
        Ok(manifest)
    }

    /// The game and what it extends.
    pub fn chain(&self) -> Vec<String> {
        let listings = assembly::games(&self.loaded.sources);
        let mut chain = vec![self.id.clone()];
        let extends = |id: &str| {
            listings
                .iter()
                .find(|listing| listing.id == id)
                .and_then(|listing| listing.extends.clone())
        };
        while let Some(next) = chain
            .last()
            .and_then(|id| extends(id))
            .filter(|next| !chain.contains(next))
        {
            chain.push(next);
        }
        chain
    }

    /// What a recorded game of it chose to lay over it.
    pub fn overlays_of(&self, recorded: &Replay) -> Vec<String> {
        let chain = self.chain();
        let chosen = recorded.overlays.iter();
        chosen.filter(|id| !chain.contains(id)).cloned().collect()
    }

    pub fn is_family(&self) -> bool {
        assembly::games(&self.loaded.sources)
            .iter()
            .any(|listing| listing.id == self.id && listing.family)
    }

    /// Games that extend this one; every game belongs to the family of any game.
    pub fn family_members(&self) -> Vec<String> {
        let listings = assembly::games(&self.loaded.sources);
        let members = listings
            .into_iter()
            .filter(|listing| match self.id.as_str() {
                ANY => !listing.family,
                id => listing.extends.as_deref() == Some(id),
            });
        members.map(|listing| listing.id).collect()
    }

    /// Compiles the game as asked; mistakes are shown on the error stream.
    pub(super) fn choose(self, shell: &mut Shell, overlays: &Overlays) -> Outcome<Chosen> {
        match self.chosen(overlays) {
            Ok(chosen) => Ok(chosen),
            Err(unfit) => {
                let (game, unfit) = *unfit;
                Err(game.tell_unfit(shell, unfit))
            }
        }
    }

    /// Compiles the game as asked; else it comes back, with what is wrong.
    pub(super) fn chosen(self, overlays: &Overlays) -> Result<Chosen, Box<(Game, Unfit)>> {
        match self.fitting(overlays) {
            Ok((manifest, selection, compiled, rules)) => Ok(Chosen {
                game: self,
                manifest,
                selection,
                compiled,
                rules,
            }),
            Err(unfit) => Err(Box::new((self, unfit))),
        }
    }

    fn fitting(
        &self,
        overlays: &Overlays,
    ) -> Result<(Manifest, Selection, Compiled, RuleSet), Unfit> {
        let manifest = self.playable()?;
        let mut selection = Selection {
            overlays: overlay_ids(&manifest, self, &overlays.with)?,
            language: overlays.language.clone(),
            ..Selection::default()
        };
        let (mut compiled, mut rules) = self.compile(&selection)?;
        if !overlays.set.is_empty() {
            selection.options = overlays
                .set
                .iter()
                .map(|text| option(&rules, &self.called, text))
                .collect::<Outcome<_>>()?;
            (compiled, rules) = self.compile(&selection)?;
        }
        Ok((manifest, selection, compiled, rules))
    }

    /// Compiles; warnings are no harm.
    fn compile(&self, selection: &Selection) -> Result<(Compiled, RuleSet), Unfit> {
        let compiled = dsl::compile(&self.loaded.sources, &self.id, selection);
        let mut report = Report::default();
        report.add("", self.loaded.diagnostics.iter().cloned());
        if !self.loaded.is_cut() {
            let found = compiled.diagnostics.iter();
            report.add("", found.filter(|one| one.is_error()).cloned());
        }
        match &compiled.rules {
            Some(rules) if report.errors == 0 => {
                let rules = rules.clone();
                Ok((compiled, rules))
            }
            _ => Err(Unfit::Mistakes {
                report,
                of: Some(named(&self.id, &selection.overlays)),
            }),
        }
    }

    /// Shows mistakes on the error stream; a call that is wrong is told by whoever made it.
    fn tell_unfit(&self, shell: &mut Shell, unfit: Unfit) -> Failure {
        let (report, of) = match unfit {
            Unfit::Call(failure) => return failure,
            Unfit::Mistakes { report, of } => (report, of),
        };
        if let Err(failure) = report.print(shell, &self.loaded, true) {
            return failure;
        }
        let Some(name) = of else {
            return Failure::Said;
        };
        let told = writeln!(
            shell.err,
            "{name}: {}; correct them, then try again",
            report.summary()
        );
        told.map_or_else(Failure::Io, |()| Failure::Said)
    }
}

/// Why rules are not those that were asked for.
pub(super) enum Unfit {
    Call(Failure),
    /// What is wrong with the texts; of which rules that is said, unless nothing is known of them.
    Mistakes {
        report: Report,
        of: Option<String>,
    },
}

impl From<Failure> for Unfit {
    fn from(failure: Failure) -> Unfit {
        Unfit::Call(failure)
    }
}

impl Chosen {
    /// What these rules were chosen with.
    pub fn overlays(&self) -> Overlays {
        let set = self.selection.options.iter().map(|(name, op, value)| {
            let sign = match op {
                AssignOp::Add => "+=",
                AssignOp::Subtract => "-=",
                AssignOp::Set => "=",
            };
            format!("{name}{sign}{value}")
        });
        Overlays {
            with: self.selection.overlays.clone(),
            set: set.collect(),
            language: self.selection.language.clone(),
        }
    }

    /// `--with` and `--set`, as they choose these rules.
    pub fn overlay_arguments(&self) -> Vec<String> {
        let overlays = self.overlays();
        let mut arguments = Vec::new();
        if !overlays.with.is_empty() {
            arguments.push("--with".to_owned());
            arguments.push(overlays.with.join(","));
        }
        for set in overlays.set {
            arguments.push("--set".to_owned());
            arguments.push(set);
        }
        arguments
    }

    /// The arguments of a call that follows a recorded game of these rules: the file alone, where it says all.
    pub fn replay_arguments(&self, file: &str) -> Vec<String> {
        let mut arguments = vec!["replay".to_owned(), file.to_owned()];
        let game = &self.game;
        if game.called != game.id {
            arguments.extend(["--of".to_owned(), game.called.clone()]);
            arguments.extend(self.overlay_arguments());
        }
        arguments
    }

    /// `Harbour Lines with 40 wagons`
    pub fn title(&self) -> String {
        let overlays = self
            .manifest
            .overlays
            .iter()
            .filter(|overlay| self.selection.overlays.contains(&overlay.id));
        let titles: Vec<String> = overlays.map(|overlay| overlay.title.clone()).collect();
        let mut title = self.rules.title.clone();
        if !titles.is_empty() {
            title += &format!(" with {}", listed(&titles, "and"));
        }
        title
    }

    /// The number of players asked for, else four or what is nearest to it.
    ///
    /// # Errors
    /// If the game is not for so many.
    pub(super) fn players(&self, asked: Option<u32>) -> Outcome<u32> {
        let (least, most) = self.rules.players;
        let Some(asked) = asked else {
            return Ok(4.clamp(least, most));
        };
        if (least..=most).contains(&asked) {
            return Ok(asked);
        }
        let message = format!(
            "{} is for {} players, not {asked}",
            self.rules.title,
            range(least, most)
        );
        Err(Failure::call(
            message,
            format!(
                "give `--players` {}",
                if least == most {
                    format!("{least}")
                } else {
                    format!("a number from {least} to {most}")
                }
            ),
        ))
    }
}

/// `2 to 5`, `2`
pub fn range(least: u32, most: u32) -> String {
    if least == most {
        least.to_string()
    } else {
        format!("{least} to {most}")
    }
}

/// `chess with a + b`
pub fn named(game: &str, overlays: &[String]) -> String {
    if overlays.is_empty() {
        game.to_owned()
    } else {
        format!("{game} with {}", overlays.join(" + "))
    }
}

// -------------------------------------------------------------------------------------------------- games

/// The name wins over a path; a path's own folder is searched first.
fn find(shell: &Shell, given: &str) -> Outcome<(Library, String)> {
    let path = shell.path(Path::new(given));
    let library = shell.library();
    if let Ok(library) = &library
        && library.ids().iter().any(|id| id == given)
    {
        return Ok((library.clone(), given.to_owned()));
    }
    if path.join("game.toml").is_file()
        && let Some((root, id)) = root_and_id(&path)
    {
        let mut library = library.unwrap_or_default();
        library.put_first(root);
        return Ok((library, id));
    }
    Err(no_game::failure(shell, &library?, given))
}

/// How a call names a game that was found so.
fn called(shell: &Shell, library: &Library, id: &str) -> String {
    let real = |folder: &PathBuf| folder.canonicalize().ok();
    let by_id = shell.library().ok();
    let by_id = by_id.and_then(|library| library.folder_of(id));
    match library.folder_of(id) {
        Some(own) if by_id.as_ref().and_then(real) != real(&own) => {
            shown_path(&own, &shell.context.folder)
        }
        _ => id.to_owned(),
    }
}

/// The folder above a game, and the game's name.
fn root_and_id(path: &Path) -> Option<(PathBuf, String)> {
    let plain = path.file_name().is_some() && !path.ends_with("..");
    let path = if plain {
        path.to_path_buf()
    } else {
        path.canonicalize().ok()?
    };
    let id = path.file_name()?.to_str()?.to_owned();
    Some((path.parent()?.to_path_buf(), id))
}

/// Puts a near name before the other help.
pub fn did_you_mean(failure: Failure, given: &str, known: &[String]) -> Failure {
    let mut failure = failure;
    if let (Failure::Call { help, .. }, Some(name)) = (&mut failure, near(given, known)) {
        help.insert(0, format!("did you mean `{name}`?"));
    }
    failure
}

/// The name that was meant: a near one, else the only one that holds the word.
fn near<'n>(given: &str, known: &'n [String]) -> Option<&'n str> {
    let given = given.replace('_', "-").to_lowercase();
    let plain: Vec<String> = known
        .iter()
        .map(|name| name.replace('_', "-").to_lowercase())
        .collect();
    let place = |name: &str| {
        plain
            .iter()
            .position(|other| other == name)
            .map(|at| known[at].as_str())
    };
    if let Some(found) =
        place(&given).or_else(|| nearest(&given, plain.iter().map(String::as_str)).and_then(place))
    {
        return Some(found);
    }
    let mut holding = known
        .iter()
        .zip(&plain)
        .filter(|(_, name)| given.len() >= 3 && name.contains(&given));
    match (holding.next(), holding.next()) {
        (Some((name, _)), None) => Some(name),
        _ => None,
    }
}

// -------------------------------------------------------------------------------------------------- overlays

/// Ids of the overlays named: by id, by a variant's file or an expansion's folder.
pub fn overlay_ids(manifest: &Manifest, game: &Game, wanted: &[String]) -> Outcome<Vec<String>> {
    let mut ids: Vec<String> = Vec::new();
    for given in wanted {
        let id = stem(given);
        if !manifest.overlays.iter().any(|overlay| overlay.id == id) {
            return Err(unknown_overlay(manifest, game, given, id).about(id));
        }
        if !ids.iter().any(|known| known == id) {
            ids.push(id.to_owned());
        }
    }
    for overlay in manifest
        .overlays
        .iter()
        .filter(|overlay| ids.contains(&overlay.id))
    {
        if let Some(need) = overlay.needs.iter().find(|need| !ids.contains(need)) {
            let message = format!("`{}` needs `{need}`", overlay.id);
            let failure = Failure::call(message, format!("add `--with {need}`"));
            return Err(failure.about(&overlay.id));
        }
        if let Some(other) = overlay.not_with.iter().find(|other| ids.contains(other)) {
            let message = format!("`{}` does not go with `{other}`", overlay.id);
            let failure = Failure::call(message, "leave one of them out");
            return Err(failure.about(&overlay.id));
        }
    }
    Ok(ids)
}

/// The id of an overlay that is named by its file or folder.
pub fn stem(given: &str) -> &str {
    let name = given.trim_end_matches(['/', '\\']);
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.strip_suffix(".rules").unwrap_or(name)
}

fn unknown_overlay(manifest: &Manifest, game: &Game, given: &str, id: &str) -> Failure {
    let known: Vec<String> = manifest
        .overlays
        .iter()
        .map(|overlay| overlay.id.clone())
        .collect();
    if let Some(why) = assembly::not_for(&game.loaded.sources, &game.id, id) {
        let message = format!("`{id}` does not go with {}: {why}", game.called);
        return Failure::call(message, "leave it out");
    }
    let file = format!("{}/variants/{id}.rules", game.id);
    let folder = format!("{}/expansions/{id}/expansion.toml", game.id);
    if game
        .loaded
        .sources
        .find(&file)
        .or(game.loaded.sources.find(&folder))
        .is_some()
    {
        let message = format!("`{id}` is there, but {} does not list it", game.id);
        return Failure::call(
            message,
            format!(
                "add \"{id}\" to `overlays` in `{}/game.toml`; its place there is its place among the layers",
                game.id
            ),
        );
    }
    let list = match known.is_empty() {
        true => format!(
            "{} has none yet; `trackwright new variant NAME --of {}` begins one",
            game.id,
            super::typed(&game.called)
        ),
        false => format!("its overlays: {}", listed(&known, "and")),
    };
    did_you_mean(
        Failure::call(format!("{} has no overlay `{given}`", game.id), list),
        id,
        &known,
    )
}

// -------------------------------------------------------------------------------------------------- options

/// Reads `name=value`, `name+=value`, `name-=value` and tests it against the option's type.
fn option(rules: &RuleSet, called: &str, text: &str) -> Outcome<(String, AssignOp, String)> {
    let Some((left, value)) = text.split_once('=') else {
        return Err(Failure::call(
            format!("`--set {text}` has no `=`"),
            "write `--set OPTION=VALUE`",
        ));
    };
    let (name, op) = match left.as_bytes().last() {
        Some(b'+') => (&left[..left.len() - 1], AssignOp::Add),
        Some(b'-') => (&left[..left.len() - 1], AssignOp::Subtract),
        _ => (left, AssignOp::Set),
    };
    let (name, value) = (name.trim(), value.trim());
    let Some(option) = rules.options.iter().find(|option| option.name == name) else {
        let names: Vec<String> = rules
            .options
            .iter()
            .map(|option| option.name.clone())
            .collect();
        let list = match names.is_empty() {
            true => "this game has no options".to_owned(),
            false => format!(
                "its options: {}; `trackwright rules {}` tells what they are",
                listed(&names, "and"),
                super::typed(called)
            ),
        };
        return Err(did_you_mean(
            Failure::call(format!("{} has no option `{name}`", rules.id), list),
            name,
            &names,
        )
        .about(name));
    };
    test_value(rules, option, op, value).map_err(|failure| failure.about(name))?;
    Ok((name.to_owned(), op, value.to_owned()))
}

fn test_value(rules: &RuleSet, option: &GameOption, op: AssignOp, value: &str) -> Outcome<()> {
    let name = &option.name;
    let wrong = |message: String| {
        Err(Failure::call(
            message,
            format!(
                "`{name}` is {}; now {}",
                kind(rules, &option.ty),
                shown(rules, &option.value)
            ),
        ))
    };
    if let Ty::Int { low, high } = option.ty {
        // A number with too many digits is out of range like any other that is too great.
        let digits = value.strip_prefix('-').unwrap_or(value);
        let Ok(number) = value.parse::<i64>() else {
            if !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return wrong(format!("{value} is out of range for `{name}`"));
            }
            return wrong(format!("`{value}` is no number for `{name}`"));
        };
        let before = if let Value::Int(before) = option.value {
            i64::from(before)
        } else {
            0
        };
        let result = match op {
            AssignOp::Set => Some(number),
            AssignOp::Add => before.checked_add(number),
            AssignOp::Subtract => before.checked_sub(number),
        };
        return match result {
            Some(result)
                if low.is_none_or(|low| result >= low)
                    && high.is_none_or(|high| result <= high) =>
            {
                Ok(())
            }
            Some(result) => wrong(format!("{result} is out of range for `{name}`")),
            None => wrong(format!("`{value}` is out of range for `{name}`")),
        };
    }
    if op != AssignOp::Set {
        return wrong(format!("`{name}` is no number, nothing can be added to it"));
    }
    let known = values(rules, &option.ty);
    if known.is_empty() || known.iter().any(|known| known == value) {
        return Ok(());
    }
    let Err(failure) = wrong(format!("`{value}` is no value of `{name}`")) else {
        return Ok(());
    };
    Err(did_you_mean(failure, value, &known))
}
