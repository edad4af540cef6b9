//! Saving and loading, and going on under rules that have changed.

use super::log::Log;
use super::{Playable, Playtest};
use interpreter::Fault;
use interpreter::game::{NodeId, Played, Session, Tree};
use interpreter::replay::{self, Ending, Replay, Verdict};
use std::sync::Arc;

/// Answers of lines aside that are gone along again under other rules.
const ASIDE_ANSWERS_MAX: usize = 2_000;

/// What became of a game under other rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reload {
    /// It stands where it stood.
    Whole,
    /// It stands before the first answer or outcome of chance that does not hold any more: which, and why.
    Parted {
        /// Answers up to there.
        after: u32,
        logged: String,
        now: String,
        /// Why the answer is not offered any more, if it is one.
        reasons: Vec<String>,
    },
    /// The rules have a mistake that shows there.
    Fault { after: u32, fault: Fault },
    /// It is another game, or for another number of players: nothing was taken over.
    Unfit { logged: String, now: String },
}

impl Playtest {
    /// The game up to where it stands, as a text that [`replay::parse`] reads.
    pub fn save(&mut self) -> String {
        replay::write(&self.with(Replay::of_session))
    }

    /// Goes on with a saved game, as far as it goes under these rules; none of it was taken over if [`Reload::Unfit`].
    pub fn follow(game: Arc<Playable>, saved: &Replay) -> (Option<Playtest>, Reload) {
        let (verdict, session) = replay::follow(game.rules(), &game.program, saved);
        let Some(session) = session else {
            return (None, outcome(&verdict, 0));
        };
        let tree = session.into_tree();
        let mut playtest = Playtest::of(game, tree);
        let depth = playtest.tree.node(playtest.tree.current()).depth;
        let mut reload = outcome(&verdict, depth);
        if let Reload::Parted {
            logged, reasons, ..
        } = &mut reload
            && let Some((_, answer)) = logged.split_once(": ")
            && let Ok(why) = playtest.why_not(answer.trim_matches(['(', ')']))
        {
            reasons.extend(why.iter().map(|reason| playtest.in_full(reason)));
        }
        (Some(playtest), reload)
    }

    /// The same game under other rules: seats, seed, answers, lines aside and watches are taken over as far as they hold.
    /// Takes as long as playing all that again: to be called in the background.
    pub fn reload(&self, game: Arc<Playable>) -> (Option<Playtest>, Reload) {
        match self.set_again(&game) {
            Err(why) => {
                let reload = Reload::Unfit {
                    logged: "a position set by hand".into(),
                    now: why,
                };
                return (None, reload);
            }
            Ok(Some(set)) => return self.along_from(set),
            Ok(None) => {}
        }
        let (line, here) = (self.tree.line(), self.tree.position());
        let words = self.game.words();
        let last = line[line.len() - 1];
        let saved = Replay::of_tree(&words, &self.tree, last);
        let (playtest, mut reload) = Playtest::follow(game, &saved);
        let Some(mut playtest) = playtest else {
            return (None, reload);
        };
        playtest.tree.bots = self.tree.bots.clone();
        self.lines_aside(&mut playtest);
        // What lies behind the point where the game stands was taken back: that it does not hold is no matter.
        let reached = match &reload {
            Reload::Parted { after, .. } | Reload::Fault { after, .. } => *after as usize,
            Reload::Whole | Reload::Unfit { .. } => here,
        };
        if reached >= here {
            reload = Reload::Whole;
        }
        playtest.jump(here.min(playtest.tree.line().len() - 1));
        playtest.eyes = self.eyes;
        playtest.log = Log::default();
        playtest.version = self.version + 1;
        playtest.watch_all(self.watches.iter().map(|(text, _)| text.clone()).collect());
        playtest.notice = reload.in_words();
        (Some(playtest), reload)
    }

    /// The same answers from a position that was set by hand, as far as they hold.
    fn along_from(&self, mut set: Playtest) -> (Option<Playtest>, Reload) {
        set.tree.bots.clone_from(&self.tree.bots);
        let last = self.tree.current();
        let mut left = usize::MAX;
        let whole =
            set.with(|session| along(session, answers(&self.tree, last), &mut left).is_some());
        let after = set.tree.position() as u32;
        set.eyes = self.eyes;
        set.version = self.version + 1;
        set.watch_all(self.watches.iter().map(|(text, _)| text.clone()).collect());
        let reload = match whole {
            true => Reload::Whole,
            false => Reload::Parted {
                after,
                logged: "another answer".into(),
                now: "it is not offered".into(),
                reasons: Vec::new(),
            },
        };
        set.notice = reload.in_words();
        (Some(set), reload)
    }

    /// Goes along all other lines again, and gives those that hold their names.
    fn lines_aside(&self, to: &mut Playtest) {
        let stood = to.tree.current();
        let lines = self.lines();
        let mut left = ASIDE_ANSWERS_MAX;
        to.with(|session| {
            for line in &lines {
                let end = along(session, answers(&self.tree, line.end), &mut left);
                if let (Some(end), Some(name)) = (end, &line.name) {
                    session.tree_mut().name_line(name, end);
                }
            }
            // It was just left.
            let _ = session.go_to(stood);
        });
    }
}

/// The answers of the line up to a point, as replays write them.
pub(super) fn answers(tree: &Tree, end: NodeId) -> impl Iterator<Item = &str> {
    let path = tree.path(end).into_iter();
    // What was done by itself at the set-up is done so again.
    let answered = path.filter(|id| *id != NodeId(0));
    answered.filter_map(|id| Some(tree.node(id).answer()?.1))
}

/// Answers from the set-up on as these texts say; the end of the line if all of it holds.
pub(super) fn along<'t>(
    session: &mut Session<'_>,
    texts: impl Iterator<Item = &'t str>,
    left: &mut usize,
) -> Option<NodeId> {
    session.go_to(NodeId(0)).ok()?;
    for text in texts {
        *left = left.checked_sub(1)?;
        let at = session.answers().iter().position(|other| other == text)?;
        match session.answer(at) {
            Ok(Played::On(_)) => {}
            Ok(Played::Back(_)) | Err(_) => return None,
        }
    }
    Some(session.tree().current())
}

fn outcome(verdict: &Verdict, after: u32) -> Reload {
    match &verdict.ending {
        Ending::Complete { .. } => Reload::Whole,
        Ending::Unfit { logged, now } => Reload::Unfit {
            logged: logged.clone(),
            now: now.clone(),
        },
        Ending::Diverged(parted) => Reload::Parted {
            after,
            logged: parted.logged.clone(),
            now: parted.now.clone(),
            reasons: Vec::new(),
        },
        Ending::Fault { fault, .. } => Reload::Fault {
            after,
            fault: fault.clone(),
        },
    }
}

impl Reload {
    /// What there is to say, in a sentence; none if all is as it was.
    pub fn in_words(&self) -> Option<String> {
        match self {
            Reload::Whole => None,
            Reload::Parted {
                after,
                logged,
                now,
                reasons,
            } => {
                let why = match reasons.first() {
                    Some(reason) => reason.clone(),
                    None => format!("now: {now}"),
                };
                Some(format!(
                    "under the changed rules the game goes on only to answer {after}: then `{logged}`; {why}"
                ))
            }
            Reload::Fault { after, fault } => Some(format!(
                "under the changed rules the game goes on only to answer {after}: {}",
                fault.message
            )),
            Reload::Unfit { logged, now } => Some(format!(
                "this game cannot be taken over: it is `{logged}`, here is `{now}`"
            )),
        }
    }
}
