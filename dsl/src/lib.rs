//! Rules text and component tables in, a checked rule set and diagnostics out.
//! Strings in, values out: no disk, no clock, no game.

pub mod assembly;
mod blame;
pub mod board;
pub mod bounds;
pub mod check;
pub mod diagnostic;
pub mod ir;
pub mod service;
pub mod source;
pub mod syntax;
mod trial;

use assembly::{Assembly, Selection};
use diagnostic::Diagnostic;
use ir::{Code, Expr, RuleSet, Scenario};
use source::{FileId, SourceSet, Span};

pub use check::{BOT_WORDS, Heading, Known, Questions, Symbol, Uses, World, is_saying};

/// A game with its overlays: as syntax, as a rule set if nothing is wrong, and what is wrong.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// Absent if there is no such game or its manifest is of no use.
    pub assembly: Option<Assembly>,
    /// Present iff no diagnostic is an error.
    pub rules: Option<RuleSet>,
    pub diagnostics: Vec<Diagnostic>,
    /// What was compiled: the id of the game, and what was chosen of it.
    game: String,
    selection: Selection,
    /// What could be understood where `rules` is absent.
    draft: Option<RuleSet>,
    /// What names mean, for further texts and for questions about these.
    world: Option<World>,
}

impl Compiled {
    /// The rule set; with errors what could be understood of it, which is not to be run.
    pub fn understood(&self) -> Option<&RuleSet> {
        self.rules.as_ref().or(self.draft.as_ref())
    }

    /// What further texts are checked against.
    fn context(&self) -> Option<check::Context<'_>> {
        Some((
            self.assembly.as_ref()?,
            self.world.as_ref()?,
            self.understood()?,
        ))
    }

    /// The same of changed texts, what is suggested untried.
    pub(crate) fn again(&self, sources: &SourceSet) -> Compiled {
        compile_once(sources, &self.game, &self.selection)
    }

    /// What the words of the texts stand for, as far as that was found out.
    pub fn uses(&self) -> Option<&Uses> {
        self.world.as_ref().map(|world| &world.uses)
    }
}

/// Compiles a game with the overlays and options selected. What the diagnostics suggest has been tried.
pub fn compile(sources: &SourceSet, game: &str, selection: &Selection) -> Compiled {
    let mut compiled = compile_once(sources, game, selection);
    compiled.diagnostics = trial::tried(
        sources,
        std::mem::take(&mut compiled.diagnostics),
        &|changed| compile_once(changed, game, selection).diagnostics,
    );
    compiled
}

fn compile_once(sources: &SourceSet, game: &str, selection: &Selection) -> Compiled {
    let (assembly, mut diagnostics) = assembly::assemble(sources, game, selection);
    let Some(assembly) = assembly else {
        return Compiled {
            diagnostics,
            game: game.to_owned(),
            selection: selection.clone(),
            ..Compiled::default()
        };
    };
    let checked = check::check(
        sources,
        &assembly,
        diagnostics.iter().any(Diagnostic::is_error),
    );
    diagnostics.extend(checked.diagnostics);
    blame::put(sources, &assembly, selection, &mut diagnostics);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    let (rules, draft) = if failed {
        (None, Some(checked.rules))
    } else {
        (Some(checked.rules), None)
    };
    Compiled {
        assembly: Some(assembly),
        rules,
        diagnostics,
        game: game.to_owned(),
        selection: selection.clone(),
        draft,
        world: Some(checked.world),
    }
}

/// What each scenario of a file wants to be compiled with; [`scenarios`] then checks those that fit a compilation.
pub fn headings(sources: &SourceSet, file: FileId) -> Vec<Heading> {
    check::headings(sources, file)
}

/// All scenarios of a file, checked against a rule set. None without a rule set.
///
/// A scenario may name what only its own overlays declare: use [`scenario`] for one at a time.
pub fn scenarios(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
) -> (Vec<Scenario>, Vec<Diagnostic>) {
    check_scenarios(sources, compiled, file, None)
}

/// The scenario of this title only, checked against the rule set compiled for its heading.
pub fn scenario(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    heading: &Heading,
) -> (Option<Scenario>, Vec<Diagnostic>) {
    let (mut found, diagnostics) = check_scenarios(sources, compiled, file, Some(heading));
    (
        if found.is_empty() {
            None
        } else {
            Some(found.remove(0))
        },
        diagnostics,
    )
}

fn check_scenarios(
    sources: &SourceSet,
    compiled: &Compiled,
    file: FileId,
    heading: Option<&Heading>,
) -> (Vec<Scenario>, Vec<Diagnostic>) {
    match compiled.context().filter(|_| compiled.rules.is_some()) {
        Some(context) => {
            let (found, diagnostics) = check::scenarios_of(sources, context, file, heading);
            let check =
                |changed: &SourceSet| check::scenarios_of(changed, context, file, heading).1;
            (found, trial::tried(sources, diagnostics, &check))
        }
        None => (Vec::new(), Vec::new()),
    }
}

/// A question about a running game: a watch expression of the play-test. Seats are A, B, C, …
///
/// # Errors
/// What is wrong with the text; spans lie in a file of their own, behind all others, whose text this is.
pub fn expression(
    sources: &SourceSet,
    compiled: &Compiled,
    text: &str,
) -> Result<(Expr, Code), Vec<Diagnostic>> {
    let mut sources = sources.clone();
    let file = sources.insert("?", text);
    match questions(&sources, compiled) {
        Some(mut questions) => questions.expression(text, Span::new(file, 0, text.len()), &[]),
        None => Err(compiled.diagnostics.clone()),
    }
}

/// Checks many questions. None without a rule set.
pub fn questions<'a>(sources: &'a SourceSet, compiled: &'a Compiled) -> Option<Questions<'a>> {
    let context = compiled.context().filter(|_| compiled.rules.is_some())?;
    Some(Questions::over(sources, context))
}
