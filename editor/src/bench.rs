//! Playing scenarios: each is compiled with the overlays and options it asks for, what several ask for once.

use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::ir::Scenario;
use dsl::source::{FileId, SourceSet, Span};
use dsl::{Compiled, Heading};
use interpreter::{Program, State, lower, scenario};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The scenario files of a game and its expansions, in alphabetical order.
pub fn scenario_files(sources: &SourceSet, game: &str) -> Vec<FileId> {
    files_of(sources, game, ".scenario")
}

/// A game's files with this ending, its overlays' among them, in alphabetical order.
pub fn files_of(sources: &SourceSet, game: &str, ending: &str) -> Vec<FileId> {
    let prefix = format!("{game}/");
    let paths = sources
        .paths()
        .filter(|path| path.starts_with(&prefix) && path.ends_with(ending));
    paths.filter_map(|path| sources.find(path)).collect()
}

/// Whether a warning is about the game's own text, or with overlays about theirs: what a family or a game offers need not be
/// used by each of its games and overlays.
pub fn is_own(sources: &SourceSet, game: &str, compiled: &Compiled, span: Span) -> bool {
    let Some(assembly) = &compiled.assembly else {
        return true;
    };
    let mut overlays = assembly
        .layers
        .iter()
        .filter(|layer| layer.overlay)
        .peekable();
    if overlays.peek().is_none() {
        let path = &sources.file(span.file).path;
        return path
            .strip_prefix(game)
            .is_some_and(|rest| rest.starts_with('/'));
    }
    overlays.any(|layer| layer.files.contains(&span.file))
}

/// A scenario that was played.
#[derive(Clone, Debug)]
pub struct Case {
    /// What is wrong: with the rules, with its text, or what came out otherwise; none: it passed.
    pub mistakes: Vec<Diagnostic>,
    /// What had happened when it failed, oldest first.
    pub log: Vec<String>,
    /// Rule ids it names.
    pub tags: Vec<String>,
    /// Where it came to, with the rules it was played under.
    pub stand: Option<Stand>,
    /// Things expected whose contrary was tried.
    pub denied: usize,
}

/// A position with the rules it is one of.
#[derive(Clone, Debug)]
pub struct Stand {
    pub compiled: Arc<Compiled>,
    pub program: Arc<Program>,
    pub state: State,
}

impl Case {
    pub fn passed(&self) -> bool {
        self.mistakes.is_empty()
    }

    fn broken(mistakes: Vec<Diagnostic>) -> Case {
        Case {
            mistakes,
            log: Vec::new(),
            tags: Vec::new(),
            stand: None,
            denied: 0,
        }
    }
}

type Options = Vec<(String, String, String)>;

/// Compilations and programs, each made once.
struct Made {
    compiled: Arc<Compiled>,
    programs: BTreeMap<u32, Result<Arc<Program>, String>>,
}

/// Plays scenarios of one game.
pub struct Bench<'s> {
    sources: &'s SourceSet,
    game: &'s str,
    made: BTreeMap<(Vec<String>, Options), Made>,
    /// Also tries the contrary of everything that is expected: it must fail.
    pub denies: bool,
}

impl<'s> Bench<'s> {
    pub fn new(sources: &'s SourceSet, game: &'s str) -> Bench<'s> {
        Bench {
            sources,
            game,
            made: BTreeMap::new(),
            denies: false,
        }
    }

    /// Plays one.
    pub fn case(&mut self, file: FileId, heading: &Heading) -> Case {
        let (sources, game) = (self.sources, self.game);
        if let Some(mistake) = self.misplaced(heading) {
            return Case::broken(vec![mistake]);
        }
        let denies = self.denies;
        let made = self.made(heading);
        let (found, diagnostics) = dsl::scenario(sources, &made.compiled, file, heading);
        let all = made.compiled.diagnostics.iter().chain(&diagnostics);
        let mut errors: Vec<Diagnostic> = all.filter(|one| one.is_error()).cloned().collect();
        if !errors.is_empty() {
            at_heading(sources, &made.compiled, game, heading, &mut errors);
        }
        match found {
            Some(scenario) if errors.is_empty() => play(sources, made, &scenario, heading, denies),
            None if errors.is_empty() => Case::broken(vec![Diagnostic::error(
                "failed",
                heading.span,
                "this scenario cannot be read",
            )]),
            _ => Case::broken(errors),
        }
    }

    /// A case of another game.
    fn misplaced(&self, heading: &Heading) -> Option<Diagnostic> {
        let of = heading.of.as_ref().filter(|of| *of != self.game)?;
        let message = format!("this scenario is of `{of}`, not of `{}`", self.game);
        let found = Diagnostic::error("scenario-of", heading.span, message);
        let found = found.help(format!("write `of {}`, or nothing", self.game));
        let text = self.sources.slice(heading.span);
        let place = text.find(&format!(" of {of}")).map(|at| {
            let start = heading.span.start as usize + at + " of ".len();
            Span::new(heading.span.file, start, start + of.len())
        });
        Some(match place {
            Some(place) => found.fix(format!("write `{}`", self.game), place, self.game),
            None => found,
        })
    }

    fn made(&mut self, heading: &Heading) -> &mut Made {
        let options = heading
            .options
            .iter()
            .map(|(name, op, value)| (name.clone(), format!("{op:?}"), value.clone()))
            .collect();
        let (sources, game) = (self.sources, self.game);
        self.made
            .entry((heading.with.clone(), options))
            .or_insert_with(|| {
                let selection = Selection {
                    overlays: heading.with.clone(),
                    options: heading.options.clone(),
                    ..Selection::default()
                };
                Made {
                    compiled: Arc::new(dsl::compile(sources, game, &selection)),
                    programs: BTreeMap::new(),
                }
            })
    }
}

/// What a heading chooses wrongly is said where it stands: not at the manifest, which knows no such overlay or option, nor at
/// the option, which has another value there.
pub fn at_heading(
    sources: &SourceSet,
    compiled: &Compiled,
    game: &str,
    heading: &Heading,
    errors: &mut [Diagnostic],
) {
    let (Some(manifest), own) = dsl::assembly::manifest(sources, game) else {
        return;
    };
    let options = compiled
        .assembly
        .iter()
        .flat_map(|assembly| &assembly.options);
    let values: Vec<(Span, Span)> = options
        .filter_map(|option| {
            let name = &option.item.decl.name;
            Some((name.span, heading.value_of(&name.text)?))
        })
        .collect();
    for error in errors {
        let known = own.iter().any(|one| one.span == error.span);
        if error.span.file == manifest.file && !known {
            let chosen = error.about.as_ref();
            let place = chosen.and_then(|chosen| heading.place_of(chosen));
            error.span = place.unwrap_or(heading.span);
        } else if let Some((_, value)) = values.iter().find(|(option, _)| *option == error.span) {
            error.span = *value;
        }
    }
}

fn play(
    sources: &SourceSet,
    made: &mut Made,
    scenario: &Scenario,
    heading: &Heading,
    denies: bool,
) -> Case {
    let Some(rules) = &made.compiled.rules else {
        return Case::broken(Vec::new());
    };
    let program = made.programs.entry(scenario.players).or_insert_with(|| {
        let lowered = lower(rules, scenario.players);
        lowered.map(Arc::new).map_err(|error| error.message)
    });
    let program = match program {
        Ok(program) => program,
        Err(message) => {
            let diagnostic = Diagnostic::error("cannot-run", heading.span, message.clone());
            return Case::broken(vec![diagnostic]);
        }
    };
    let report = scenario::run_on(rules, program, Some(sources), scenario);
    let mut case = Case {
        tags: scenario.tags.clone(),
        stand: report.state.map(|state| Stand {
            compiled: made.compiled.clone(),
            program: program.clone(),
            state,
        }),
        ..Case::broken(Vec::new())
    };
    if let Some(failure) = report.failure {
        let mut diagnostic = Diagnostic::error("failed", failure.span, failure.message);
        if !failure.shown.is_empty() {
            diagnostic = diagnostic.here(failure.shown.join(", "));
        }
        if let Some(at) = failure.at {
            diagnostic = diagnostic.label(at, "the rules cannot go on here");
        }
        case.mistakes.push(diagnostic);
        case.log = failure.log;
    } else if denies {
        for contrary in scenario::negations(scenario) {
            case.denied += 1;
            let report = scenario::run_on(rules, program, Some(sources), &contrary.scenario);
            let fails = report.failure.is_some_and(|failure| {
                let (inner, outer) = (failure.span, contrary.step);
                inner.file == outer.file && outer.start <= inner.start && inner.end <= outer.end
            });
            if !fails {
                let message = "the contrary of this passes too";
                case.mistakes
                    .push(Diagnostic::error("failed", contrary.span, message));
            }
        }
    }
    case
}
