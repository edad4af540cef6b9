//! How a game looks: one display list for every game, written as SVG here and painted by the window.
//!
//! `dsl::board` says what is shown where; [`Board::scene`] asks the state and places the shapes.

mod canvas;
mod cards;
pub mod heat;
mod layout;
mod links;
mod marks;
mod palette;
pub mod path;
mod pen;
mod scene;
mod svg;

pub use palette::{Colour, Palette, Rgb};
pub use scene::{
    Anchor, Area, Form, Pattern, Point, Rect, Scene, Shape, Size, Stroke, Subject, Text,
};
pub use svg::svg;

use dsl::Compiled;
use dsl::board::{LoopId, QuestionId};
use dsl::diagnostic::Diagnostic;
use dsl::source::SourceSet;
use interpreter::ask::{Eyes, Loop, Question, View};
use interpreter::{Program, State};

/// A game's board, ready to be drawn in any state of the game.
pub struct Board {
    plan: dsl::board::Board,
    program: Program,
    questions: Vec<Question>,
    loops: Vec<Loop>,
}

impl Board {
    /// The board of a game lowered for a number of players, and what is wrong with its `board.toml`s; what is wrong is left out.
    /// None without a rule set.
    pub fn new(
        sources: &SourceSet,
        compiled: &Compiled,
        program: &Program,
    ) -> Option<(Board, Vec<Diagnostic>)> {
        let (plan, mut diagnostics) = dsl::board::board(sources, compiled)?;
        let mut program = program.clone();
        let mut refused = Vec::new();
        let mut questions = Vec::new();
        for asked in &plan.questions {
            match Question::new(&plan.rules, &mut program, &asked.checked, asked.parameters) {
                Ok(question) => questions.push(question),
                Err(error) => refused.push(error),
            }
        }
        let mut loops = Vec::new();
        for through in &plan.loops {
            match Loop::new(
                &plan.rules,
                &mut program,
                &through.checked,
                through.parameters,
            ) {
                Ok(found) => loops.push(found),
                Err(error) => refused.push(error),
            }
        }
        let failed = !refused.is_empty();
        let refused = refused.into_iter();
        diagnostics
            .extend(refused.map(|error| Diagnostic::error("board", error.span, error.message)));
        let mut board = Board {
            plan,
            program,
            questions,
            loops,
        };
        if failed {
            // The numbers of questions do not fit any more.
            board.plan.panels.clear();
            board.plan.layout.clear();
        }
        Some((board, diagnostics))
    }

    /// Whether anything is drawn at all.
    pub fn is_empty(&self) -> bool {
        self.plan.panels.is_empty()
    }

    /// The board in a state, as somebody sees it.
    pub fn scene(&self, state: &State, eyes: Eyes) -> Scene {
        let view = View::new(&self.plan.rules, &self.program, state, eyes);
        layout::scene(self, view)
    }

    fn question(&self, id: QuestionId) -> &Question {
        &self.questions[id.0]
    }

    fn through(&self, id: LoopId) -> &Loop {
        &self.loops[id.0]
    }
}
