//! One input through all of the program: read from disk, checked, formatted, asked about, played, its cases and recorded games
//! followed, its board drawn. What is wrong with how the program takes it comes back in words.

use super::corpus::{Home, Kind};
use crate::call::call;
use crate::chance::Chance;
use dsl::Compiled;
use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::diagnostic::render::render;
use dsl::ir::{RuleSet, Value};
use dsl::service::{self, Language};
use dsl::source::{FileId, SourceSet, Span};
use dsl::syntax::ast::AssignOp;
use dsl::syntax::{parse, print};
use editor::bench::{Bench, files_of, scenario_files};
use editor::board::{Board, Palette, svg};
use editor::cli::Context;
use editor::files::{Library, Loaded};
use interpreter::ask::Eyes;
use interpreter::bots::Bot;
use interpreter::explain::all_refused;
use interpreter::playout::Table;
use interpreter::replay::{self, Unreadable};
use interpreter::words::Words;
use interpreter::{Fault, Program, State, Stop, bounds};
use std::fs;
use std::path::Path;

/// Decisions that are answered in one game.
const DECISIONS: usize = 120;
/// Work of looking ahead after which a game is broken off.
const WORK: i64 = bounds::LOOK_AHEAD_WORK_MAX;
/// Cases of an input that are run.
const CASES: usize = 12;
/// Of longer files the contrary is not tried.
const DENIED_LINES: usize = 200;
/// Lines of a recorded game that are followed.
const RECORDED_LINES: usize = 400;

/// A game with one of its texts changed.
#[derive(Clone)]
pub struct Input<'c> {
    pub home: &'c Home,
    /// The file that is changed, and what stands in it now.
    pub path: String,
    pub bytes: Vec<u8>,
    pub overlays: Vec<String>,
    /// What decides everything else.
    pub chance: Chance,
}

/// How far an input came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    /// Diagnostics that were looked at.
    pub diagnostics: u64,
    /// It was without mistakes.
    pub checks: bool,
    /// Decisions that were answered.
    pub decisions: u64,
    /// A fault of the rules was met.
    pub fault: bool,
    pub cases: u64,
    /// Recorded games that were followed.
    pub replays: u64,
    pub scenes: u64,
}

type Wrong = String;

/// Puts an input through all of it. `folder` holds the home's files as they are, and does so again afterwards.
///
/// # Errors
/// What is wrong.
///
/// # Panics
/// Where the program does, which is what is looked for.
pub fn drive(folder: &Path, input: &Input) -> Result<Reached, Wrong> {
    let path = folder.join(&input.path);
    let before = fs::read(&path).map_err(|error| format!("the folder: {error}"))?;
    fs::write(&path, &input.bytes).map_err(|error| format!("the folder: {error}"))?;
    let found = Drive::new(folder, input).all();
    fs::write(&path, before).map_err(|error| format!("the folder: {error}"))?;
    found
}

struct Drive<'i> {
    folder: &'i Path,
    input: &'i Input<'i>,
    chance: Chance,
    loaded: Loaded,
    reached: Reached,
}

impl<'i> Drive<'i> {
    fn new(folder: &'i Path, input: &'i Input<'i>) -> Drive<'i> {
        let library = Library {
            roots: vec![folder.to_path_buf()],
        };
        Drive {
            folder,
            input,
            chance: input.chance.clone(),
            loaded: Loaded::game(&library, &input.home.game),
            reached: Reached::default(),
        }
    }

    fn all(mut self) -> Result<Reached, Wrong> {
        let sources = self.loaded.sources.clone();
        let read = self.loaded.diagnostics.clone();
        self.well_formed(&sources, &read)?;
        let selection = Selection {
            overlays: self.input.overlays.clone(),
            ..Selection::default()
        };
        let compiled = dsl::compile(&sources, &self.input.home.game, &selection);
        self.well_formed(&sources, &compiled.diagnostics)?;
        if compiled.rules.is_none() && !compiled.diagnostics.iter().any(Diagnostic::is_error) {
            return Err("there are neither rules nor a mistake".to_owned());
        }
        if let Some(file) = sources.find(&self.input.path) {
            self.text(&sources, &compiled, file)?;
        }
        if let Some(rules) = &compiled.rules {
            self.reached.checks = true;
            self.rules(&sources, &compiled, rules)?;
            if self.chance.one_in(4) {
                self.option(&sources, rules)?;
            }
        }
        self.cases(&sources)?;
        self.commands()?;
        Ok(self.reached)
    }

    /// Each diagnostic lies in its file, is told with the place, and says something.
    fn well_formed(&mut self, sources: &SourceSet, all: &[Diagnostic]) -> Result<(), Wrong> {
        for one in all {
            self.reached.diagnostics += 1;
            let told = |what: &str| format!("{what}: {one:?}");
            if one.message.trim().is_empty() || one.code.is_empty() {
                return Err(told("a diagnostic says nothing"));
            }
            let fix = one.fix.iter().map(|fix| fix.span);
            let labels = one.labels.iter().map(|label| label.span);
            for span in fix.chain(labels).chain([one.span]) {
                lies_inside(sources, span).map_err(|wrong| told(&wrong))?;
            }
            if sources.paths().next().is_none() {
                continue;
            }
            let shown = render(sources, one, false);
            if !shown.contains(&format!("--> {}", sources.place(one.span))) {
                return Err(format!("{}\n{shown}", told("its place is not shown")));
            }
        }
        Ok(())
    }

    fn fault(&mut self, sources: &SourceSet, fault: &Fault) -> Result<(), Wrong> {
        self.reached.fault = true;
        let diagnostic = Diagnostic::error("fault", fault.span, fault.message.as_str());
        self.well_formed(sources, &[diagnostic])
    }

    /// What the window and `fmt` make of the changed text.
    fn text(
        &mut self,
        sources: &SourceSet,
        compiled: &Compiled,
        file: FileId,
    ) -> Result<(), Wrong> {
        let text = sources.text(file);
        let path = &sources.file(file).path;
        let mut end = 0;
        for (range, _) in service::tokens(text, Language::of(path)) {
            if range.start < end || range.end <= range.start || text.get(range.clone()).is_none() {
                return Err(format!("a token of {range:?} behind {end}"));
            }
            end = range.end;
        }
        for _ in 0..4 {
            let mut at = self.chance.below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            for found in service::complete(sources, compiled, file, at) {
                if text.get(found.range.clone()).is_none() {
                    return Err(format!("a completion at {at} takes {:?}", found.range));
                }
            }
            service::hover(sources, compiled, file, at);
            for target in service::definition(sources, compiled, file, at) {
                lies_inside(sources, target.span)?;
            }
        }
        if matches!(Kind::of(path), Kind::Rules | Kind::Overlay | Kind::Scenario) {
            let parsed = parse::parse(file, text).diagnostics;
            self.well_formed(sources, &parsed)?;
            for item in service::outline(sources, file) {
                lies_inside(sources, item.span)?;
            }
            match print::format(file, text) {
                Ok(normal) => match print::format(file, &normal) {
                    Ok(again) if again == normal => {}
                    other => {
                        return Err(format!(
                            "formatting is not done once:\n{normal}\n== again\n{other:?}"
                        ));
                    }
                },
                Err(diagnostics) => self.well_formed(sources, &diagnostics)?,
            }
        }
        for fix in service::all_fixes(sources, compiled).iter().flatten() {
            let mut changed = sources.clone();
            service::apply(&fix.edits, &mut changed)
                .map_err(|error| format!("the fix `{}`: {error}", fix.title))?;
        }
        Ok(())
    }

    /// Plays and draws.
    fn rules(
        &mut self,
        sources: &SourceSet,
        compiled: &Compiled,
        rules: &RuleSet,
    ) -> Result<(), Wrong> {
        let (least, most) = rules.players;
        let players = [least, most, least + (most - least) / 2][self.chance.below(3)];
        let program = match interpreter::lower(rules, players) {
            Ok(program) => program,
            Err(error) => {
                let told = Diagnostic::error("cannot-run", error.span, error.message);
                return self.well_formed(sources, &[told]);
            }
        };
        let mut states = Vec::new();
        self.play(sources, rules, &program, &mut states)?;
        if let Some((board, diagnostics)) = Board::new(sources, compiled, &program) {
            self.well_formed(sources, &diagnostics)?;
            for (state, seat) in &states {
                for eyes in [Eyes::Open, Eyes::Of(None), Eyes::Of(Some(*seat))] {
                    let scene = board.scene(state, eyes);
                    let picture = svg(&scene, "board", &Palette::light());
                    if picture.contains("NaN") || picture.contains("inf\"") {
                        return Err("a picture has no numbers".to_owned());
                    }
                    self.reached.scenes += 1;
                }
            }
        }
        self.recorded(sources, rules, &program)
    }

    fn play(
        &mut self,
        sources: &SourceSet,
        rules: &RuleSet,
        program: &Program,
        states: &mut Vec<(State, u32)>,
    ) -> Result<(), Wrong> {
        let bots = match self.chance.one_in(6) {
            true => vec![Bot::Greedy, Bot::Random],
            false => Vec::new(),
        };
        let mut table = match self.chance.one_in(3) {
            true => Table::new(program, bots),
            false => Table::hasty(program, bots),
        };
        let words = Words::new(rules, program);
        let explained = self.chance.below(DECISIONS);
        let mut stop = table.start(self.chance.seed());
        let mut work = 0;
        for decision in 0..DECISIONS {
            match &stop {
                Err(fault) => return self.fault(sources, fault),
                Ok(Stop::Decision) => {}
                Ok(_) => break,
            }
            work += table.machine.looked_ahead();
            if work > WORK {
                break;
            }
            let answers = words.answers(&table.machine);
            if answers.is_empty() || answers.iter().any(|text| text.trim().is_empty()) {
                return Err(format!(
                    "something is offered that says nothing: {answers:?}"
                ));
            }
            words.question(&mut table.machine);
            if decision % 50 == 0 {
                let mut state = State::new();
                table.machine.save(&mut state);
                states.push((state, table.machine.seat()));
            }
            if decision == explained {
                for refused in all_refused(&words, &mut table.machine, Eyes::Open) {
                    if refused.reasons.is_empty() {
                        return Err(format!("no reason against {:?}", refused.answer));
                    }
                }
            }
            self.reached.decisions += 1;
            stop = table.step();
        }
        if matches!(stop, Ok(Stop::Over)) {
            for seat in 0..program.players {
                table.machine.score(seat);
            }
        }
        Ok(())
    }

    /// The recorded games of this home; if there is none, now and then one that is made.
    fn recorded(
        &mut self,
        sources: &SourceSet,
        rules: &RuleSet,
        program: &Program,
    ) -> Result<(), Wrong> {
        let mut texts: Vec<String> = files_of(sources, &self.input.home.game, ".replay")
            .into_iter()
            .map(|file| sources.text(file).to_owned())
            .collect();
        if texts.is_empty() && self.chance.one_in(6) {
            let seed = self.chance.seed();
            texts.push(replay::of_bots(rules, program, &[Bot::Random], seed));
        }
        let Some(text) = self.chance.of(&texts) else {
            return Ok(());
        };
        if let Ok(mut replay) = replay::parse(text) {
            // Under other rules than those it was played with, too.
            replay.players = program.players;
            replay.lines.truncate(RECORDED_LINES);
            let verdict = replay::verify(rules, program, &replay);
            self.reached.replays += 1;
            if let replay::Ending::Fault { fault, .. } = &verdict.ending {
                self.fault(sources, fault)?;
            }
        }
        Ok(())
    }

    /// One option at the end of its range, or far from it.
    fn option(&mut self, sources: &SourceSet, rules: &RuleSet) -> Result<(), Wrong> {
        let Some(option) = self.chance.of(&rules.options) else {
            return Ok(());
        };
        let values = [
            "0", "1", "10", "100", "1000000", "-1", "true", "false", "none",
        ];
        let value = self.chance.of(&values).copied().unwrap_or_default();
        if matches!(option.default, Value::Int(_)) == value.starts_with(char::is_alphabetic) {
            return Ok(());
        }
        let selection = Selection {
            overlays: self.input.overlays.clone(),
            options: vec![(option.name.clone(), AssignOp::Set, value.to_owned())],
            ..Selection::default()
        };
        let compiled = dsl::compile(sources, &self.input.home.game, &selection);
        self.well_formed(sources, &compiled.diagnostics)?;
        match &compiled.rules {
            Some(rules) => self.rules(sources, &compiled, rules),
            None => Ok(()),
        }
    }

    /// The cases of the changed file, or some of the game.
    fn cases(&mut self, sources: &SourceSet) -> Result<(), Wrong> {
        let game = &self.input.home.game;
        let own = sources.find(&self.input.path);
        let changed = Kind::of(&self.input.path) == Kind::Scenario;
        let file = match own.filter(|_| changed) {
            Some(file) => Some(file),
            None => self.chance.of(&scenario_files(sources, game)).copied(),
        };
        let Some(file) = file else { return Ok(()) };
        let most = if changed { CASES } else { 2 };
        let mut headings = dsl::headings(sources, file);
        let from = self.chance.below(headings.len());
        headings.rotate_left(from);
        let mut bench = Bench::new(sources, game);
        // The contrary of everything is as many cases as there are lines.
        let lines = sources.text(file).lines().count();
        bench.denies = lines < DENIED_LINES && self.chance.one_in(4);
        for heading in headings.iter().take(most) {
            lies_inside(sources, heading.span)?;
            let case = bench.case(file, heading);
            self.reached.cases += 1;
            self.well_formed(sources, &case.mistakes)?;
        }
        Ok(())
    }

    /// The same through the command line, where there is more to be said.
    fn commands(&mut self) -> Result<(), Wrong> {
        let home = self.input.home;
        let file = self.folder.join(&self.input.path);
        let file = file.to_string_lossy().into_owned();
        match Kind::of(&self.input.path) {
            Kind::Replay => {
                self.reached.replays += 1;
                self.unreadable(&file)?;
                self.command(&["replay", &file])?;
            }
            Kind::Rules | Kind::Overlay | Kind::Scenario if self.chance.one_in(4) => {
                self.command(&["fmt", "--check", &file])?;
            }
            _ => {}
        }
        if home.small && self.chance.one_in(3) {
            self.command(&["check", &home.game])?;
            self.command(&["rules", &home.game])?;
        }
        Ok(())
    }

    /// What is wrong with a recorded game is told at its place.
    fn unreadable(&self, file: &str) -> Result<(), Wrong> {
        let Ok(text) = editor::files::read_text(Path::new(file)) else {
            return Ok(());
        };
        let Err(Unreadable::Wrong(errors)) = replay::parse(&text) else {
            return Ok(());
        };
        if errors.is_empty() {
            return Err("a recorded game cannot be read, and nothing is said of it".to_owned());
        }
        for error in errors {
            let line = text
                .lines()
                .nth(error.line as usize - 1)
                .unwrap_or_default();
            let inside = error.line as usize <= text.lines().count() + 1
                && error.column >= 1
                && error.column as usize <= line.chars().count() + 1;
            if !inside || error.expected.is_empty() {
                return Err(format!("a mistake of a recorded game: {error:?}"));
            }
        }
        Ok(())
    }

    fn command(&self, arguments: &[&str]) -> Result<(), Wrong> {
        let context = Context {
            folder: self.folder.to_path_buf(),
            threads: 1,
            ..Context::default()
        };
        let folder = self.folder.to_string_lossy();
        let arguments = ["--games", &folder].into_iter().chain(arguments.to_vec());
        let told = call(arguments.clone(), &context, "");
        let (exit, said) = (told.exit, told.out + &told.err);
        let call = || arguments.collect::<Vec<_>>().join(" ");
        if exit > 2 {
            return Err(format!("`{}` ends with {exit}\n{said}", call()));
        }
        if exit > 0 && said.trim().is_empty() {
            return Err(format!("`{}` ends with {exit} and says nothing", call()));
        }
        let control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
        if said.contains(control) {
            return Err(format!("`{}` writes control characters\n{said:?}", call()));
        }
        Ok(())
    }
}

/// Whether a span is one of its file: inside, between characters, with a line and a column that are there.
fn lies_inside(sources: &SourceSet, span: Span) -> Result<(), Wrong> {
    let files = sources.ids().count();
    if files == 0 && span.file.0 == 0 && (span.start, span.end) == (0, 0) {
        return Ok(());
    }
    if span.file.0 as usize >= files {
        return Err(format!("{span:?} lies in no file"));
    }
    let text = sources.text(span.file);
    if text.get(span.start as usize..span.end as usize).is_none() {
        let path = &sources.file(span.file).path;
        return Err(format!("{span:?} does not lie in `{path}`"));
    }
    let (line, column) = sources.line_column(span);
    let found = text.split('\n').nth(line - 1);
    let found = found.ok_or_else(|| format!("{span:?} is on line {line}"))?;
    if column > found.chars().count() + 1 {
        return Err(format!("{span:?} is in column {column} of line {line}"));
    }
    Ok(())
}
