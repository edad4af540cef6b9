//! How a game looks: one display list for every game, written as SVG here and painted by the window.
//!
//! `dsl::board` says what is shown where; [`Board::scene`] asks the state and places the shapes.

pub(crate) mod canvas;
mod cards;
#[cfg(feature = "window")]
mod chance;
mod contrast;
#[cfg(feature = "window")]
mod faces;
pub mod heat;
mod labels;
mod layout;
#[cfg(feature = "window")]
mod letters;
mod links;
mod marks;
#[cfg(feature = "window")]
mod outline;
mod palette;
pub mod path;
mod pen;
mod pictures;
mod rulers;
mod scene;
mod sides;
mod svg;
#[cfg(feature = "window")]
mod tray;

pub use contrast::{Ground, LETTERS_MIN, has_to_stand_out, least, stands_out};
#[cfg(feature = "window")]
pub use faces::{Cards, Deck, Face};
pub use layout::Arrangement;
#[cfg(feature = "window")]
pub use letters::{Fonts, Glyph, Letters};
#[cfg(feature = "window")]
pub use outline::{Drawn, Line, Path, drawn};
pub use palette::{Colour, Palette, Rgb};
pub use scene::{
    Anchor, Area, Form, Handle, Pattern, Point, Rect, Scene, Shape, Size, Spot, Stroke, Subject,
    Text,
};
pub use svg::svg;
#[cfg(feature = "window")]
pub use tray::{Thing, differing};

#[cfg(feature = "window")]
use pen::Printed;

use dsl::Compiled;
use dsl::board::{LoopId, QuestionId, Source};
use dsl::diagnostic::Diagnostic;
use dsl::ir::{Domain, Ty};
use dsl::source::SourceSet;
use interpreter::ask::{Eyes, Loop, Question, View};
use interpreter::{Program, State};

/// A table whose rows join two spaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    pub table: String,
    /// What each end stands in.
    pub columns: [String; 2],
    /// The table that the spaces are rows of.
    pub node: String,
}

/// A game's board, ready to be drawn in any state of the game.
pub struct Board {
    plan: dsl::board::Board,
    program: Program,
    questions: Vec<Question>,
    loops: Vec<Loop>,
}

impl Board {
    /// How the places of the game's board lie.
    fn sides(&self) -> sides::Sides {
        let tiling = self.plan.rules.tiling.as_ref();
        sides::Sides(tiling.map_or_else(Default::default, |tiling| tiling.lattice))
    }

    /// Whether the places of the game's board are squares.
    fn is_square(&self) -> bool {
        self.sides().0 == dsl::ir::Lattice::Squares
    }

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

    /// The board in a state, as somebody sees it, its panels where they are written to lie.
    pub fn scene(&self, state: &State, eyes: Eyes) -> Scene {
        self.scene_as(state, eyes, Arrangement::default())
    }

    /// The board with its panels put together in another way.
    pub fn scene_as(&self, state: &State, eyes: Eyes, arrangement: Arrangement) -> Scene {
        layout::scene(self, self.view(state, eyes), arrangement, None)
    }

    /// The board as it lies on paper: whose turn it is, what cards lie on it and what differs between these states, of games set up
    /// with other luck each, is not shown. `least`: height of the smallest letters that are read, in board units.
    #[cfg(feature = "window")]
    pub fn on_paper(&self, states: &[State], least: f32) -> Scene {
        let scenes = states.iter().map(|state| {
            let printed = Printed {
                least,
                ..Printed::default()
            };
            let view = self.view(state, Eyes::Of(None));
            layout::scene(self, view, Arrangement::default(), Some(printed))
        });
        chance::without(scenes.collect())
    }

    /// How its panels are put together so that most is to be read in a room of this size; as they are known to be, if nothing else
    /// is much better.
    pub fn arranged(
        &self,
        state: &State,
        eyes: Eyes,
        room: Size,
        known: Option<Arrangement>,
    ) -> Arrangement {
        layout::arranged(self, self.view(state, eyes), room, known)
    }

    fn view(&self, state: &State, eyes: Eyes) -> View<'_> {
        View::new(&self.plan.rules, &self.program, state, eyes)
    }

    /// The cards of all tables that are shown as cards, nothing unseen.
    #[cfg(feature = "window")]
    pub fn decks(&self, state: &State, cards: Cards) -> Vec<Deck> {
        let view = View::new(&self.plan.rules, &self.program, state, Eyes::Open);
        faces::decks(self, view, cards)
    }

    /// What a hex takes that lies as those of the board do, by how far its sides are apart.
    pub fn hex_size(&self, across: f32) -> Size {
        let (width, height) = self.sides().around(across);
        Size { width, height }
    }

    /// Tables whose rows join two spaces, with the columns that name these and the table that those are rows of.
    pub fn joins(&self) -> Vec<Join> {
        let tables = &self.plan.rules.tables;
        let items = self.plan.panels.iter().flat_map(|panel| &panel.items);
        let mut found: Vec<Join> = Vec::new();
        for item in items {
            let Some(
                [
                    Source::Column {
                        name,
                        table,
                        column,
                    },
                    Source::Column {
                        name: other,
                        column: to,
                        ..
                    },
                ],
            ) = &item.written_ends
            else {
                continue;
            };
            let table = &tables[table.index()];
            let end = table.columns.iter().find(|one| one.name == *column);
            let Some(Ty::Element(Domain::Table(node))) = end.map(|end| end.ty.required()) else {
                continue;
            };
            let join = Join {
                table: table.name.clone(),
                columns: [column.clone(), to.clone()],
                node: tables[node.index()].name.clone(),
            };
            if name == other && !found.contains(&join) {
                found.push(join);
            }
        }
        found
    }

    /// Names of choices for whose numbers something on the board stands.
    pub fn choices(&self) -> &[String] {
        &self.plan.choices
    }

    fn question(&self, id: QuestionId) -> &Question {
        &self.questions[id.0]
    }

    fn through(&self, id: LoopId) -> &Loop {
        &self.loops[id.0]
    }
}
