//! What lies behind menus: answers that name something on the table once an action has been picked from a list. Pointing
//! at it can give all of them in a row.

use super::{NotOffered, Playtest, Pointed};
use interpreter::AnswerKind;
use interpreter::game::ItemKind;
use interpreter::observe::Observer;

/// Menus that lie behind one another.
const MENUS_MAX: usize = 4;
/// Items of menus that are tried at one point of a game.
const TRIED_MAX: usize = 64;

/// Answers in a row, of which the last one names something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// By their numbers.
    pub answers: Vec<usize>,
    /// What they say.
    pub text: String,
    /// What the last one is about.
    pub about: Pointed,
    /// All that the last one names is answered at once.
    pub at_once: bool,
}

impl Playtest {
    /// What can be pointed at behind the menu that is asked, in the order of its items. Only through items that change nothing
    /// and leave nothing to chance, so that nothing hidden is told before it is seen. Tries items: to be called in the
    /// background.
    pub fn ways(&self) -> Vec<Way> {
        let mut search = Search::new(self, false);
        search.look(self.clone());
        search.found
    }

    /// What is not offered behind the menu that is asked, and why; as [`Playtest::ways`].
    pub fn not_offered_behind(&self) -> Vec<NotOffered> {
        let mut search = Search::new(self, true);
        search.look(self.clone());
        search.refused
    }

    /// Whether the answer that led here only picked what is asked next: nothing that anybody sees has changed.
    fn is_behind_menu(&self) -> bool {
        let node = self.tree.node(self.tree.current());
        let Some(parent) = node.parent else {
            return false;
        };
        let mut items = node.items.iter();
        let chance = items.any(|item| matches!(item.kind, ItemKind::Chance { .. }));
        let observer = Observer::new(&self.game.program);
        let [old, new] = [self.tree.node(parent), node].map(|one| observer.reveal(one.state()));
        !chance && self.game.words().news(&old, &new).is_empty()
    }
}

struct Search {
    seat: Option<u32>,
    left: usize,
    /// Items that were picked, with their texts.
    picked: Vec<(usize, String)>,
    found: Vec<Way>,
    /// Whether what is refused is looked for too.
    doubts: bool,
    refused: Vec<NotOffered>,
}

impl Search {
    fn new(game: &Playtest, doubts: bool) -> Search {
        Search {
            seat: game.asked(),
            left: TRIED_MAX,
            picked: Vec::new(),
            found: Vec::new(),
            doubts,
            refused: Vec::new(),
        }
    }

    fn look(&mut self, mut game: Playtest) {
        if self.doubts && !self.picked.is_empty() {
            let picked: Vec<&str> = self.picked.iter().map(|(_, text)| text.as_str()).collect();
            let picked = picked.join(" › ");
            let refused = game.not_offered().into_iter();
            self.refused.extend(refused.map(|one| NotOffered {
                said: format!("{picked} › {}", one.said),
                ..one
            }));
        }
        let pointed = game.pointed();
        let answers = game.tree.node(game.tree.current()).answers();
        let kinds: Vec<AnswerKind> = (0..pointed.len()).map(|at| answers.kind(at)).collect();
        let offers = game.with(|session| session.words().offers(session.machine()));
        let texts: Vec<String> = offers.into_iter().map(|offer| offer.text).collect();
        for (at, ((about, kind), text)) in pointed.into_iter().zip(kinds).zip(texts).enumerate() {
            if matches!(kind, AnswerKind::Item | AnswerKind::Anytime) {
                // Taking from a pile is pointing at it.
                if !about.changes.is_empty() && !self.picked.is_empty() {
                    self.found.push(self.way(at, &text, about, false));
                }
                self.pick(&game, at, text);
            } else if !self.picked.is_empty() && !about.is_empty() {
                let at_once = kind == AnswerKind::Together;
                self.found.push(self.way(at, &text, about, at_once));
            }
        }
    }

    fn pick(&mut self, game: &Playtest, at: usize, text: String) {
        if self.picked.len() == MENUS_MAX || self.left == 0 {
            return;
        }
        self.left -= 1;
        let mut game = game.clone();
        let here = game.tree.position();
        let stands_behind = |game: &Playtest| game.tree.position() == here + 1;
        if game.answer(at).is_ok()
            && stands_behind(&game)
            && game.asked() == self.seat
            && game.is_behind_menu()
        {
            self.picked.push((at, text));
            self.look(game);
            self.picked.pop();
        }
    }

    fn way(&self, last: usize, text: &str, about: Pointed, at_once: bool) -> Way {
        let picked = self.picked.iter();
        let (mut answers, mut texts): (Vec<usize>, Vec<&str>) =
            picked.map(|(at, text)| (*at, text.as_str())).unzip();
        answers.push(last);
        texts.push(text);
        Way {
            answers,
            text: texts.join(" › "),
            about,
            at_once,
        }
    }
}
