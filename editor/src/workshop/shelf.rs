//! Pictures of the games on the shelf: each is set up once, in the background, and its board drawn.

use super::checker::{Checked, Request};
use super::playtest::{Eyes, Playable, Playtest};
use super::whole::Workshop;
use super::worker::{Desk, Waker, Worker};
use crate::board::{Board, Scene};
use crate::files::{Library, Loaded};
use dsl::assembly::Selection;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Seats of a game on the shelf, if it takes so many.
const PLAYERS: u32 = 3;
const SEED: u64 = 1;

/// Which games of which library are wanted.
pub(super) struct Wanted {
    library: Library,
    games: Vec<String>,
}

/// Draws; a game without a board, or with mistakes, has no picture.
pub(super) type Painter = Worker<Wanted, (String, Option<Scene>)>;

pub(super) fn painter(waker: Waker) -> Painter {
    Worker::new(waker, |wanted: Wanted, desk: &Desk<_>| {
        for id in wanted.games {
            if desk.is_stopped() {
                return;
            }
            let scene = picture(&wanted.library, &id);
            desk.send((id, scene));
        }
    })
}

fn picture(library: &Library, id: &str) -> Option<Scene> {
    let checked = Checked::of(Request {
        version: 0,
        sources: Loaded::game(library, id).sources,
        game: id.to_owned(),
        selection: Selection::default(),
        target: None,
    });
    let (least, most) = checked.rules()?.players;
    let players = PLAYERS.clamp(least, most);
    let game = Playable::new(Arc::new(checked), players).ok()?;
    let playtest = Playtest::start(game, SEED, Vec::new()).ok()?;
    let game = playtest.game();
    let checked = &game.checked;
    let (board, _) = Board::new(&checked.sources, &checked.compiled, &game.program)?;
    let scene = board.scene(playtest.position(), Eyes::Nobody.into());
    (!board.is_empty()).then_some(scene)
}

/// The pictures that have come.
pub(super) struct Shelf {
    painter: Painter,
    pictures: BTreeMap<String, Option<Scene>>,
}

impl Shelf {
    pub fn new(waker: Waker) -> Shelf {
        Shelf {
            painter: painter(waker),
            pictures: BTreeMap::new(),
        }
    }

    /// What is under way is not waited for: somebody works on a game now.
    pub fn rest(&self) {
        self.painter.cancel();
    }

    /// The game may look otherwise now.
    pub fn forget(&mut self, game: &str) {
        self.pictures.remove(game);
    }

    /// The games have changed.
    pub fn clear(&mut self) {
        self.painter.cancel();
        self.pictures.clear();
    }

    pub fn poll(&mut self) {
        while let Some((id, scene)) = self.painter.poll() {
            self.pictures.insert(id, scene);
        }
    }
}

impl Workshop {
    /// Has pictures made of the games that have none yet: to be called while the shelf is looked at.
    pub fn paint_shelf(&mut self) {
        if self.shelf.painter.is_busy() {
            return;
        }
        let games = self.project.games.iter().filter(|game| !game.family);
        let missing = games.filter(|game| !self.shelf.pictures.contains_key(&game.id));
        let games: Vec<String> = missing.map(|game| game.id.clone()).collect();
        if !games.is_empty() {
            let library = self.project.library.clone();
            self.shelf.painter.ask(Wanted { library, games });
        }
    }

    /// Whether pictures are being made.
    pub fn is_painting(&self) -> bool {
        self.shelf.painter.is_busy()
    }

    /// How a game looks at its begin; none: not known yet, or it has no board.
    pub fn picture(&self, game: &str) -> Option<&Scene> {
        self.shelf.pictures.get(game)?.as_ref()
    }
}
