//! `trackwright check`

use super::no_game::games_here;
use super::report::Report;
use super::select::{Game, named, overlay_ids, range};
use super::simulate;
use super::{Exit, Failure, Outcome, Shell, ids};
use crate::bench::{at_heading, is_own, scenario_files};
use crate::board::Board;
use crate::files::{self, Loaded};
use crate::unlisted::unlisted;
use dsl::assembly::{self, ANY, Combination, Manifest, Selection};
use dsl::diagnostic::{Diagnostic, Severity};
use dsl::ir::{Domain, GameOption, RuleSet, Ty, Value};
use dsl::source::{FileId, SourceSet, Span};
use dsl::syntax::ast::AssignOp;
use dsl::{Compiled, Heading};
use interpreter::bots::Bot;
use interpreter::playout::{Table, game_seed};
use interpreter::stats::written::count;
use interpreter::{Program, Stop};
use std::collections::{BTreeMap, BTreeSet};

/// Of the game that is played to see whether one can be.
const FIRST_SEED: u64 = 1;

/// A game that is not over behind so many answers is not played on.
const ANSWERS_MAX: u32 = 3_000;

#[derive(clap::Args)]
pub struct Args {
    /// Names or paths of games; none: all
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// Only this combination: an expansion or variant laid over the game; may be given several times
    #[arg(long = "with", value_name = "OVERLAY", value_delimiter = ',')]
    with: Vec<String>,
}

pub fn run(shell: &mut Shell, args: &Args) -> Outcome {
    let names = if args.games.is_empty() {
        all_games(shell)?
    } else {
        args.games.clone()
    };
    if args.games.len() != 1 && !args.with.is_empty() {
        return Err(Failure::call(
            "`--with` wants one game",
            "name the game: `trackwright check GAME --with OVERLAY`",
        ));
    }
    let mut exit = Exit::Fine;
    if args.games.is_empty() {
        exit = unreadable_folders(shell)?;
    }
    for name in names {
        let game = Game::open(shell, &name)?;
        if !game.is_family() {
            exit = exit.max(check_game(shell, &game, &args.with)?);
            continue;
        }
        let members = game.family_members();
        if members.is_empty() {
            exit = exit.max(check_family(shell, &game)?);
        }
        for member in members {
            let member = Game::open(shell, &member)?;
            exit = exit.max(check_game(shell, &member, &args.with)?);
        }
    }
    Ok(exit)
}

/// Folders beside the games that cannot be looked into: a game may lie in each.
fn unreadable_folders(shell: &mut Shell) -> Outcome {
    let mut exit = Exit::Fine;
    for (folder, why) in shell.library()?.unreadable() {
        let folder = files::shown(&folder, &shell.context.folder);
        writeln!(
            shell.out,
            "{folder}: this folder cannot be read ({why}), so it is not known whether it is a game"
        )?;
        exit = Exit::AtFault;
    }
    Ok(exit)
}

/// All games, and the families that none of them belongs to.
pub fn all_games(shell: &Shell) -> Outcome<Vec<String>> {
    let library = shell.library()?;
    let listings = assembly::games(&Loaded::manifests_only(&library).sources);
    let extended: Vec<&String> = listings.iter().filter_map(|l| l.extends.as_ref()).collect();
    let ids: Vec<String> = listings
        .iter()
        .filter(|listing| listing.id != ANY)
        .filter(|listing| !listing.family || !extended.contains(&&listing.id))
        .map(|listing| listing.id.clone())
        .collect();
    if ids.is_empty() {
        return Err(Failure::call(
            "there is nothing to check: the games folder is empty",
            games_here(&library),
        ));
    }
    Ok(ids)
}

/// Rules that no game builds on: they are checked alone, and cannot be played.
fn check_family(shell: &mut Shell, family: &Game) -> Outcome {
    let compiled = dsl::compile(&family.loaded.sources, &family.id, &Selection::default());
    let mut report = Report::default();
    report.add("", family.loaded.diagnostics.iter().cloned());
    report.add("", compiled.diagnostics);
    report.print(shell, &family.loaded, false)?;
    let (summary, exit) = report.verdict(shell);
    writeln!(
        shell.out,
        "{}: a family that no game extends, its rules alone, {summary}",
        family.id
    )?;
    Ok(exit)
}

fn check_game(shell: &mut Shell, game: &Game, with: &[String]) -> Outcome {
    let Checked {
        report,
        manifest,
        ids,
        combinations,
    } = checked(game, with)?;
    report.print(shell, &game.loaded, false)?;
    let (summary, exit) = report.verdict(shell);
    let players = manifest.as_ref().map_or(String::new(), |manifest| {
        format!(
            " for {} players",
            range(manifest.players.0, manifest.players.1)
        )
    });
    writeln!(
        shell.out,
        "{}: {}{players}, {summary}",
        named(&game.id, &ids),
        count(combinations, "combination")
    )?;
    Ok(exit)
}

/// What checking a game found.
pub(super) struct Checked {
    pub report: Report,
    manifest: Option<Manifest>,
    /// The overlays that were named.
    ids: Vec<String>,
    /// How many combinations were checked.
    combinations: usize,
}

/// Checks a game: in every declared combination, or in the one that is named.
pub(super) fn checked(game: &Game, with: &[String]) -> Outcome<Checked> {
    let mut report = Report::default();
    report.add("", game.loaded.diagnostics.iter().cloned());
    let (manifest, diagnostics) = assembly::manifest(&game.loaded.sources, &game.id);
    if !game.loaded.is_cut() {
        report.add("", diagnostics);
    }
    let mut checked = 0;
    // What cannot be read makes nothing but more mistakes of what names it.
    let manifest_read = manifest.as_ref().filter(|_| !game.loaded.is_unread());
    let mut ids = with.to_vec();
    if let Some(manifest) = manifest_read {
        let combinations = match with {
            [] => combinations(manifest),
            with => {
                ids = overlay_ids(manifest, game, with)?;
                vec![Combination {
                    overlays: ids.clone(),
                    players: manifest.players,
                }]
            }
        };
        let mut check = Check {
            game,
            manifest,
            report,
            compiled: BTreeMap::new(),
            tried: BTreeSet::new(),
        };
        checked = check.all(&combinations);
        if with.is_empty() {
            let idle = unlisted(check.sources(), &game.id, check.manifest);
            check.report.add("", idle);
            if check.report.errors == 0 {
                check.unread_components();
                check.scenarios();
                check.rule_ids();
            }
        }
        report = check.report;
    }
    Ok(Checked {
        report,
        manifest,
        ids,
        combinations: checked,
    })
}

/// The game alone, the declared combinations, and every overlay that is in none of them.
fn combinations(manifest: &Manifest) -> Vec<Combination> {
    let mut all = vec![Combination {
        overlays: Vec::new(),
        players: manifest.players,
    }];
    all.extend(
        manifest
            .combinations
            .iter()
            .filter(|combination| !combination.overlays.is_empty())
            .cloned(),
    );
    for overlay in &manifest.overlays {
        if !all
            .iter()
            .any(|combination| combination.overlays.contains(&overlay.id))
        {
            all.push(Combination {
                overlays: manifest.with_needs(&overlay.id),
                players: manifest.players,
            });
        }
    }
    all
}

/// What was compiled, where it is more than the game.
fn heading(game: &Game, overlays: &[String]) -> String {
    if overlays.is_empty() {
        return String::new();
    }
    named(&game.id, overlays)
}

/// The program for so many players, if a game can begin with it, and be played at random to its end or to so many answers.
fn played(rules: &RuleSet, players: u32, answers_max: u32) -> Result<Program, Box<Diagnostic>> {
    let program = interpreter::lower(rules, players)
        .map_err(|error| Diagnostic::error("cannot-run", error.span, error.message))?;
    let mut table = Table::hasty(&program, vec![Bot::Random]);
    let begun = table.start(game_seed(FIRST_SEED, 0));
    let mut stop = begun.map_err(simulate::mistake)?;
    for answers in 1..=answers_max {
        if stop != Stop::Decision {
            break;
        }
        stop = table.step().map_err(|fault| {
            let answers = count(answers, "answer");
            let help = format!("met after {answers} of a game played at random: `simulate … --players {players} --bots random --seed {FIRST_SEED} --games 1 --keep FILE` keeps it");
            simulate::mistake(fault).help(help)
        })?;
    }
    Ok(program)
}

/// The other values an option is tried with, as they are written.
fn others(rules: &RuleSet, option: &GameOption) -> Vec<String> {
    let at_default = match &option.value {
        Value::Int(number) => number.to_string(),
        Value::Bool(on) => on.to_string(),
        Value::Element(Domain::Enum(id), at) => {
            let members = &rules.enums[id.index()].members;
            members.get(*at as usize).cloned().unwrap_or_default()
        }
        _ => return Vec::new(),
    };
    let mut all = match &option.ty {
        Ty::Int { low, high } => [low, high]
            .into_iter()
            .flatten()
            .map(i64::to_string)
            .collect(),
        Ty::Bool => vec![false.to_string(), true.to_string()],
        Ty::Element(Domain::Enum(id)) => rules.enums[id.index()].members.clone(),
        _ => Vec::new(),
    };
    all.retain(|value| *value != at_default);
    all.dedup();
    all
}

type Options = Vec<(String, &'static str, String)>;

struct Check<'g> {
    game: &'g Game,
    manifest: &'g Manifest,
    report: Report,
    compiled: BTreeMap<(Vec<String>, Options), Compiled>,
    /// Options whose other values have been tried.
    tried: BTreeSet<String>,
}

impl Check<'_> {
    fn sources(&self) -> &SourceSet {
        &self.game.loaded.sources
    }

    /// Compiles once and reports what is new in it.
    fn compile(
        &mut self,
        overlays: &[String],
        options: &[(String, AssignOp, String)],
        scenario: Option<&Heading>,
    ) -> &Compiled {
        let words = |op: &AssignOp| match op {
            AssignOp::Set => "=",
            AssignOp::Add => "+=",
            AssignOp::Subtract => "-=",
        };
        let plain = options
            .iter()
            .map(|(name, op, value)| (name.clone(), words(op), value.clone()))
            .collect();
        let mut ids = overlays.to_vec();
        ids.sort();
        let game = self.game;
        let report = &mut self.report;
        self.compiled.entry((ids, plain)).or_insert_with(|| {
            let selection = Selection {
                overlays: overlays.to_vec(),
                options: options.to_vec(),
                ..Selection::default()
            };
            let compiled = dsl::compile(&game.loaded.sources, &game.id, &selection);
            let heading = heading(game, overlays);
            let matters = |diagnostic: &&Diagnostic| {
                diagnostic.is_error()
                    || is_own(&game.loaded.sources, &game.id, &compiled, diagnostic.span)
            };
            let found = compiled.diagnostics.iter().filter(matters);
            let mut found: Vec<Diagnostic> = found.cloned().collect();
            if let Some(scenario) = scenario {
                at_heading(
                    &game.loaded.sources,
                    &compiled,
                    &game.id,
                    scenario,
                    &mut found,
                );
            }
            report.add(&heading, found);
            compiled
        })
    }

    /// Checks the combinations; how many they were. If the game itself is broken, its overlays are only read: what they meet in it is not what they would meet.
    fn all(&mut self, combinations: &[Combination]) -> usize {
        for (at, combination) in combinations.iter().enumerate() {
            self.combination(combination);
            if at == 0 && combination.overlays.is_empty() && self.report.errors > 0 {
                self.overlays_read();
                return 1;
            }
        }
        self.languages(combinations);
        combinations.len()
    }

    /// What is wrong with the words of each language, and what they do not say: each once, with the first combination that
    /// needs it.
    fn languages(&mut self, combinations: &[Combination]) {
        for language in dsl::assembly::languages(self.sources(), &self.game.id) {
            for combination in combinations {
                let selection = Selection {
                    language: Some(language.clone()),
                    overlays: combination.overlays.clone(),
                    ..Selection::default()
                };
                let compiled = dsl::compile(self.sources(), &self.game.id, &selection);
                let is_of_words = |found: &&Diagnostic| {
                    let path = &self.sources().file(found.span.file).path;
                    path.split('/').any(|part| part == "words")
                };
                let board = dsl::board::board(self.sources(), &compiled);
                let board = board.map(|(_, found)| found).unwrap_or_default();
                let found = compiled.diagnostics.iter().chain(&board);
                let found: Vec<Diagnostic> = found.filter(is_of_words).cloned().collect();
                let name = match combination.overlays.as_slice() {
                    [] => String::new(),
                    overlays => named(&self.game.id, overlays),
                };
                self.report.add(&name, found);
            }
        }
    }

    /// Mistakes of the texts of overlays that can be seen without the game.
    fn overlays_read(&mut self) {
        let files = self
            .manifest
            .overlays
            .iter()
            .flat_map(|overlay| &overlay.files);
        let files: Vec<FileId> = files.filter_map(|path| self.sources().find(path)).collect();
        for file in files {
            let parsed = dsl::syntax::parse::parse(file, self.sources().text(file));
            self.report.add("", parsed.diagnostics);
        }
    }

    fn combination(&mut self, combination: &Combination) {
        let Some(rules) = self.compile(&combination.overlays, &[], None).rules.clone() else {
            return;
        };
        let (least, most) = rules.players;
        let mut drawn = false;
        let name = named(&self.game.id, &combination.overlays);
        for players in combination.players.0.max(least)..=combination.players.1.min(most) {
            if let Some(program) = self.lower(&rules, &name, players)
                && !drawn
            {
                self.board(combination, &program);
                drawn = true;
            }
        }
        if self.report.errors == 0 {
            self.other_values(combination, &rules);
        }
    }

    /// Mistakes that are there with other values of an option only: its least, its greatest, each other word. One option at a
    /// time, in the first combination that has it.
    fn other_values(&mut self, combination: &Combination, rules: &RuleSet) {
        for option in &rules.options {
            if !self.tried.insert(option.name.clone()) {
                continue;
            }
            for value in others(rules, option) {
                let name = named(&self.game.id, &combination.overlays);
                let heading = format!("{name}, {} = {value}", option.name);
                let selection = Selection {
                    overlays: combination.overlays.clone(),
                    options: vec![(option.name.clone(), AssignOp::Set, value)],
                    ..Selection::default()
                };
                let compiled = dsl::compile(&self.game.loaded.sources, &self.game.id, &selection);
                let errors = compiled
                    .diagnostics
                    .into_iter()
                    .filter(Diagnostic::is_error);
                self.report.add(&heading, errors);
                let rules = compiled.rules;
                let begun = rules.map(|rules| played(&rules, rules.players.0, 0));
                // It may be meant to be turned together with another one.
                if let Some(Err(mistake)) = begun {
                    let warning = Diagnostic {
                        severity: Severity::Warning,
                        ..*mistake
                    };
                    self.report.add(&heading, [warning]);
                }
            }
        }
    }

    fn lower(&mut self, rules: &RuleSet, name: &str, players: u32) -> Option<Program> {
        let heading = format!("{name}, {players} players");
        played(rules, players, ANSWERS_MAX)
            .map_err(|mistake| self.report.add(&heading, [*mistake]))
            .ok()
    }

    /// What the `board.toml`s of a combination say; it is the same for every number of players.
    fn board(&mut self, combination: &Combination, program: &Program) {
        let game = self.game;
        let compiled = self.compile(&combination.overlays, &[], None);
        let made = Board::new(&game.loaded.sources, compiled, program);
        if let Some((_, diagnostics)) = made {
            self.report
                .add(&heading(game, &combination.overlays), diagnostics);
        }
    }

    /// Component lists that no rules of the game or of its overlays name.
    fn unread_components(&mut self) {
        let sources = self.sources();
        let own = format!("{}/", self.game.id);
        let rules: Vec<&str> = sources
            .paths()
            .filter(|path| path.starts_with(&own) && path.ends_with(".rules"))
            .filter_map(|path| Some(sources.text(sources.find(path)?)))
            .collect();
        let mut found = Vec::new();
        for path in sources.paths().filter(|path| path.starts_with(&own)) {
            let inner = path.strip_prefix(&own).unwrap_or(path);
            let name = inner.rsplit('/').next().unwrap_or(inner);
            let manifests = ["game.toml", "board.toml", "expansion.toml"];
            let is_words = inner.split('/').rev().nth(1) == Some("words");
            if !name.ends_with(".toml") || manifests.contains(&name) || is_words {
                continue;
            }
            let ends = [format!("/{name}\""), format!("\"{name}\"")];
            let named = |text: &&str| ends.iter().any(|end| text.contains(end.as_str()));
            if let Some(file) = sources.find(path)
                && !rules.iter().any(named)
            {
                let message = format!("`{inner}` is read by nothing");
                found.push(
                    Diagnostic::warning("unlisted-file", Span::new(file, 0, 0), message).help(
                        format!(
                            "name it in a rules file: `table NAME in \"{inner}\"`, or take it away"
                        ),
                    ),
                );
            }
        }
        self.report.add("", found);
    }

    /// Scenarios are checked against what they ask for.
    fn scenarios(&mut self) {
        for file in scenario_files(self.sources(), &self.game.id) {
            let text = self.sources().text(file);
            let parsed = dsl::syntax::parse::parse(file, text).diagnostics;
            self.report.add("", parsed);
            for heading in dsl::headings(self.sources(), file) {
                self.scenario(file, &heading);
            }
        }
    }

    fn scenario(&mut self, file: FileId, heading: &Heading) {
        let game = self.game;
        let compiled = self.compile(&heading.with, &heading.options, Some(heading));
        let (_, diagnostics) = dsl::scenario(&game.loaded.sources, compiled, file, heading);
        self.report.add("", diagnostics);
    }

    /// Rule ids in the texts against the numbered rules in each `RULES.md`.
    fn rule_ids(&mut self) {
        let prefix = self.manifest.prefix.as_deref();
        let manifest = self.manifest.file;
        let wrong = prefix
            .and_then(|prefix| ids::wrong_prefix(self.sources(), &self.game.id, manifest, prefix));
        self.report.add("", wrong);
        for book in ids::books(self.sources(), &self.game.id, prefix) {
            let listed = ids::listed(self.sources(), book.file, &book.prefix);
            let used = ids::used(self.sources(), &self.game.chain(), &book.prefix);
            let found = ids::idle(&listed, &used);
            self.report.add("", found);
            let repeated = ids::repeated(self.sources(), book.file, &book.prefix);
            self.report.add("", repeated);
        }
    }
}
