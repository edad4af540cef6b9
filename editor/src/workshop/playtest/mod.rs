//! One game that is tried out: people and bots, undo and lines side by side, questions to it, and other rules under it.

mod kept;
mod lines;
mod log;
mod pointing;
mod reload;
mod scenario;
mod state;
mod ways;

pub use kept::Kept;
pub use lines::{Fork, Line, LineEnd};
pub use log::{LogKind, LogLine};
pub use pointing::{Element, Foreseen, Pointed};
pub use reload::Reload;
pub use state::{StateCell, StateGroup};
pub use ways::Way;

use super::checker::Checked;
use crate::written;
use dsl::diagnostic::Diagnostic;
use dsl::ir::RuleSet;
use dsl::source::Span;
use interpreter::ask::{self, View};
use interpreter::bots::{Bot, Opinion, Patience};
use interpreter::game::{NodeId, Played, Session, Tree};
use interpreter::header;
use interpreter::observe::{Observation, Observer};
use interpreter::playout::{Look, Review, review};
use interpreter::words::{Refusal, Words, print};
use interpreter::{AnswerKind, Fault, Program, State, explain};
use log::Log;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Rules without mistakes, prepared for a number of players.
#[derive(Debug)]
pub struct Playable {
    pub checked: Arc<Checked>,
    rules: RuleSet,
    /// Of the rules.
    pub fingerprint: u64,
    pub program: Program,
}

impl Playable {
    /// # Errors
    /// If the texts have mistakes, or the rules cannot be run with so many players: what is wrong.
    pub fn new(checked: Arc<Checked>, players: u32) -> Result<Arc<Playable>, Box<Diagnostic>> {
        let Some(rules) = checked.rules().cloned() else {
            let first = checked.diagnostics().iter().find(|one| one.is_error());
            let nowhere = Span::new(dsl::source::FileId(0), 0, 0);
            return Err(Box::new(first.cloned().unwrap_or_else(|| {
                Diagnostic::error("cannot-run", nowhere, "there are no rules to be played")
            })));
        };
        match interpreter::lower(&rules, players) {
            Ok(program) => Ok(Arc::new(Playable {
                checked,
                fingerprint: rules.fingerprint(),
                rules,
                program,
            })),
            Err(error) => {
                let diagnostic = Diagnostic::error("cannot-run", error.span, error.message);
                Err(Box::new(diagnostic))
            }
        }
    }

    pub fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// Names of everything, with the texts.
    pub fn words(&self) -> Words<'_> {
        Words::new(&self.rules, &self.program).with_sources(&self.checked.sources)
    }
}

/// A game, and its version; see [`Playtest::moment`].
pub type Moment = (usize, u64);

/// Whose eyes look at the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Eyes {
    /// Everything, as its author sees it.
    #[default]
    All,
    Seat(u32),
    /// Somebody who stands by.
    Nobody,
}

impl From<Eyes> for ask::Eyes {
    fn from(eyes: Eyes) -> ask::Eyes {
        match eyes {
            Eyes::All => ask::Eyes::Open,
            Eyes::Seat(seat) => ask::Eyes::Of(Some(seat)),
            Eyes::Nobody => ask::Eyes::Of(None),
        }
    }
}

/// What the eyes see of a state.
fn look(observer: &Observer<'_>, state: &State, eyes: Eyes) -> Observation {
    observer.seen_by(state, eyes.into())
}

/// A documentation without what it says in quotes.
pub fn prose(doc: &str) -> String {
    let lines: Vec<&str> = doc.lines().filter(|line| !dsl::is_saying(line)).collect();
    lines.join("\n")
}

/// The decision that is pending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Question {
    /// Who is asked; none: the game is over.
    pub seat: Option<u32>,
    /// None: a person.
    pub bot: Option<Bot>,
    /// A sentence without full stop.
    pub text: String,
    /// The rule that asks.
    pub span: Option<Span>,
    /// What can be answered is not for these eyes; none of the answers is there.
    pub unheard: bool,
    pub answers: Vec<Offered>,
}

/// An answer that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offered {
    /// As scenarios and replays write it.
    pub text: String,
    /// As people say it, and what one must know of it.
    pub said: String,
    pub details: String,
    /// It is open whether it can be gone on from: that depends on something hidden.
    pub perhaps: bool,
    /// What the rules say of the action that is picked, if it is one and they do.
    pub doc: String,
    /// It answers several questions at once.
    pub at_once: bool,
}

/// Something that is not offered, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOffered {
    /// As scenarios write it.
    pub text: String,
    /// As people say it.
    pub said: String,
    /// Numbers that it gives, with the names that the rules have for them.
    pub numbers: Vec<(String, i32)>,
    /// In the order of the rules, each with its place.
    pub reasons: Vec<Refusal>,
}

/// A question in the rules language, asked of every position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watch {
    pub text: String,
    /// The value here, or why there is none.
    pub value: Result<String, String>,
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Playtest {
    game: Arc<Playable>,
    tree: Tree,
    eyes: Eyes,
    /// Changes with all that is shown.
    version: u64,
    log: Log,
    /// Texts of the watches, and why one does not fit these rules.
    watches: Vec<(String, Result<ask::Question, String>)>,
    /// The rules with the watches; none before the first.
    watching: Option<Arc<Program>>,
    /// What the last answer or change of rules came to, if there is something to say.
    notice: Option<String>,
    /// A position that was set by hand: what it begins from.
    origin: Option<Arc<Origin>>,
}

/// A position that was set by hand.
#[derive(Debug)]
struct Origin {
    /// The lines of a scenario that lead to it, without its heading.
    text: String,
    /// The game before it.
    before: Box<Playtest>,
}

impl Playtest {
    /// Sets up a game; `bots` has one entry a seat, none for a person.
    ///
    /// # Errors
    /// A fault of the rules.
    pub fn start(
        game: Arc<Playable>,
        seed: u64,
        bots: Vec<Option<Bot>>,
    ) -> Result<Playtest, Fault> {
        let mut session = Session::new(game.rules(), &game.program, seed)?;
        let seats = session.tree().bots.len();
        session.tree_mut().bots = bots;
        session.tree_mut().bots.resize(seats, None);
        let tree = session.into_tree();
        let mut playtest = Playtest::of(game, tree);
        playtest.eyes = playtest.own_eyes();
        Ok(playtest)
    }

    fn of(game: Arc<Playable>, tree: Tree) -> Playtest {
        Playtest {
            watching: None,
            game,
            tree,
            eyes: Eyes::All,
            version: 0,
            log: Log::default(),
            watches: Vec::new(),
            notice: None,
            origin: None,
        }
    }

    /// Whether the game begins at a position that was set by hand.
    pub fn is_set(&self) -> bool {
        self.origin.is_some()
    }

    /// Runs something on a session that stands where the game stands.
    fn with<T>(&mut self, run: impl FnOnce(&mut Session<'_>) -> T) -> T {
        let tree = std::mem::take(&mut self.tree);
        let mut session = Session::resume(&self.game.rules, &self.game.program, tree);
        let result = run(&mut session);
        self.tree = session.into_tree();
        result
    }

    // ---------------------------------------------------------------------------------------------- what it is

    pub fn game(&self) -> &Arc<Playable> {
        &self.game
    }

    /// Equal versions, equal views: what is shown need not be asked for again.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Of which game it is a version, too: where two games follow one another, theirs differ.
    pub fn moment(&self) -> Moment {
        (Arc::as_ptr(&self.game) as usize, self.version)
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn seed(&self) -> u64 {
        self.tree.seed
    }

    pub fn players(&self) -> u32 {
        self.game.program.players
    }

    pub fn bots(&self) -> &[Option<Bot>] {
        &self.tree.bots
    }

    /// The seat that is asked; none when the game is over.
    pub fn asked(&self) -> Option<u32> {
        (!self.is_over()).then(|| self.position().words()[header::ME] as u32)
    }

    /// The bot that is asked; none: it is a person, or the game is over.
    pub fn bot_asked(&self) -> Option<Bot> {
        self.tree.bots.get(self.asked()? as usize).cloned()?
    }

    /// Who answers for a seat from now on.
    pub fn set_bot(&mut self, seat: u32, bot: Option<Bot>) {
        if let Some(own) = self.tree.bots.get_mut(seat as usize) {
            *own = bot;
            self.version += 1;
        }
    }

    pub fn is_over(&self) -> bool {
        self.tree.node(self.tree.current()).over
    }

    /// Those of the only person at the table; of several, or of none, everybody's.
    fn own_eyes(&self) -> Eyes {
        let seats = self.tree.bots.iter().zip(0..);
        let mut people = seats.filter(|(bot, _)| bot.is_none());
        match (people.next(), people.next()) {
            (Some((_, seat)), None) => Eyes::Seat(seat),
            _ => Eyes::All,
        }
    }

    pub fn eyes(&self) -> Eyes {
        self.eyes
    }

    pub fn set_eyes(&mut self, eyes: Eyes) {
        self.eyes = eyes;
        self.log = Log::default();
        self.version += 1;
    }

    /// What is to be said of the last answer or the last change of rules.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// The state where the game stands.
    pub fn position(&self) -> &State {
        self.tree.node(self.tree.current()).state()
    }

    // ---------------------------------------------------------------------------------------------- the decision

    /// What is asked now, with all answers.
    pub fn question(&mut self) -> Question {
        if self.is_over() {
            return Question::default();
        }
        if !self.hears_offer() {
            return Question {
                seat: self.asked(),
                bot: self.bot_asked(),
                text: "only this seat sees what can be answered".to_owned(),
                unheard: true,
                ..Question::default()
            };
        }
        let game = self.game.clone();
        let doc = |kind: AnswerKind, text: &str| {
            let picks = matches!(kind, AnswerKind::Item | AnswerKind::Anytime);
            let mut actions = game.rules.actions.iter().filter(|_| picks);
            let action = actions.find(|action| action.name == text);
            action.map_or_else(String::new, |action| prose(&action.doc))
        };
        self.with(|session| {
            let words = *session.words();
            let text = words.question(session.machine_mut());
            let offers = words.offers(session.machine()).into_iter();
            let texts = session.answers().into_iter().zip(offers).enumerate();
            let answers = session.machine().answers();
            Question {
                seat: session.seat(),
                bot: session.bot_to_move(),
                text,
                span: Some(session.machine().position().1),
                unheard: false,
                answers: texts
                    .map(|(at, (text, offer))| Offered {
                        doc: doc(answers.kind(at), &text),
                        at_once: answers.kind(at) == AnswerKind::Together,
                        text,
                        said: offer.text,
                        details: offer.details,
                        perhaps: answers.is_marked(at),
                    })
                    .collect(),
            }
        })
    }

    /// Whether these eyes see what is offered: to whom they look as, or to everybody.
    fn hears_offer(&self) -> bool {
        match self.eyes {
            Eyes::All => true,
            Eyes::Seat(seat) if self.asked() == Some(seat) => true,
            Eyes::Seat(_) | Eyes::Nobody => {
                let program = &self.game.program;
                let asked = self.tree.node(self.tree.current()).asked_pc(program);
                Observer::new(program).knows_offer(asked)
            }
        }
    }

    /// All that is within reach of the decision and not offered, each with the reasons.
    pub fn not_offered(&mut self) -> Vec<NotOffered> {
        if self.is_over() {
            return Vec::new();
        }
        let game = self.game.clone();
        let words = game.words();
        let eyes = self.eyes.into();
        let refused =
            self.with(|session| explain::all_refused(&words, session.machine_mut(), eyes));
        refused
            .into_iter()
            .map(|one| NotOffered {
                text: print(&one.answer),
                said: one.said,
                numbers: one.numbers,
                reasons: one.reasons,
            })
            .collect()
    }

    /// Why an answer, as it would be written, is not offered; no reasons: it is.
    ///
    /// # Errors
    /// If the text cannot be read as an answer: what to write.
    pub fn why_not(&mut self, text: &str) -> Result<Vec<Refusal>, String> {
        if self.is_over() {
            return Err("the game is over".into());
        }
        let Some(answer) = written::answer(text) else {
            return Err(format!(
                "`{text}` cannot be read: write it as in a scenario, `claim(x, {{red: 2}})`"
            ));
        };
        let game = self.game.clone();
        let words = game.words();
        let eyes = self.eyes.into();
        let written = std::slice::from_ref(&answer);
        Ok(self.with(|session| explain::why_not(&words, session.machine_mut(), written, eyes)))
    }

    /// The sentence of a reason with its rule ids, layer and place.
    pub fn in_full(&self, reason: &Refusal) -> String {
        self.game.words().full(reason)
    }

    /// Takes the answer of this number.
    ///
    /// # Errors
    /// A fault of the rules; the game stands where it stood.
    pub fn answer(&mut self, at: usize) -> Result<(), Fault> {
        let offered = self.tree.node(self.tree.current()).answers().len();
        if self.is_over() || at >= offered {
            return Ok(());
        }
        self.version += 1;
        self.notice = None;
        let played = self.with(|session| session.answer(at))?;
        if let Played::Back(_) = played {
            self.notice = Some(
                "that led nowhere: it turned out that it cannot be gone on from; choose again"
                    .into(),
            );
        }
        Ok(())
    }

    /// Takes the answer that is written so; false if it is not offered.
    ///
    /// # Errors
    /// A fault of the rules; the game stands where it stood.
    pub fn answer_text(&mut self, text: &str) -> Result<bool, Fault> {
        let offered = self.with(|session| session.answers());
        match offered.iter().position(|other| other == text) {
            Some(at) => self.answer(at).map(|()| true),
            None => Ok(false),
        }
    }

    /// Lets one bot answer, if it is a bot's turn: call it once a frame, or until it says false.
    ///
    /// # Errors
    /// A fault of the rules; the game stands where it stood.
    pub fn bot_step(&mut self, patience: &Patience<'_>) -> Result<bool, Fault> {
        if self.is_over() {
            return Ok(false);
        }
        let played = self.with(|session| session.play_bot(patience))?;
        self.version += u64::from(played.is_some());
        Ok(played.is_some())
    }

    /// What a search thinks of each answer; as long as nobody says that it is enough. To be called in the background.
    pub fn hint(&self, looks: u32, enough: &dyn Fn() -> bool) -> Vec<Option<Opinion>> {
        self.clone().with(|session| session.hint(looks, enough))
    }

    /// Where the turns of the game hung, with games played on by a bot; none if that was told to stop. To be called in the background.
    ///
    /// # Errors
    /// A fault of a strategy by which the games are played on.
    pub fn review(&self, look: &Look, stop: &AtomicBool) -> Result<Option<Review>, Fault> {
        let end = (&self.tree, self.tree.current());
        review(&self.game.program, end, look, &|_| {}, stop)
    }

    // ---------------------------------------------------------------------------------------------- going about

    /// One answer back, or what was set by hand; false at the set-up.
    pub fn undo(&mut self) -> bool {
        let at = self.tree.position();
        match (at, &self.origin) {
            (0, Some(origin)) => {
                let version = self.version + 1;
                *self = (*origin.before).clone();
                self.version = version.max(self.version + 1);
                true
            }
            (at, _) => at > 0 && self.jump(at - 1),
        }
    }

    /// Back to where a person last began an action, over the answers of bots; false if there is no such point.
    pub fn undo_turn(&mut self) -> bool {
        let line = &self.tree.line()[..self.tree.position()];
        let depth = |id: &NodeId| self.tree.node(*id).state().words()[header::FP];
        let outermost = line.iter().map(depth).min();
        let is_begin = |id: &NodeId| {
            let seat = self.tree.node(*id).seat();
            let bot = seat.and_then(|seat| self.tree.bots.get(seat as usize));
            bot.is_some_and(Option::is_none) && Some(depth(id)) == outermost
        };
        let Some(at) = line.iter().rposition(is_begin) else {
            return false;
        };
        self.jump(at)
    }

    /// One answer on along the line; false at its end.
    pub fn redo(&mut self) -> bool {
        self.jump(self.tree.position() + 1)
    }

    /// To a position of the line, see [`Tree::line`]; false if there is none such.
    pub fn jump(&mut self, position: usize) -> bool {
        match self.tree.line().get(position) {
            Some(id) => self.go_to(*id),
            None => false,
        }
    }

    /// To any point of any line.
    pub fn go_to(&mut self, id: NodeId) -> bool {
        self.notice = None;
        self.version += 1;
        self.with(|session| session.go_to(id)).is_ok()
    }

    /// To where so many answers have been given, or to its end.
    pub fn go_to_answer(&mut self, answers: u32) {
        let given = |id: &NodeId| {
            let words = self.tree.node(*id).state().words();
            words[header::ANSWERS] as u32
        };
        let there = self.tree.line().iter().position(|id| given(id) >= answers);
        if let Some(there) = there {
            self.jump(there);
        }
    }

    // ---------------------------------------------------------------------------------------------- watches

    /// Adds a watch.
    ///
    /// # Errors
    /// What is wrong with it; places are in its own text.
    pub fn watch(&mut self, text: &str) -> Result<(), Vec<Diagnostic>> {
        let (expr, code) = dsl::expression(
            &self.game.checked.sources,
            &self.game.checked.compiled,
            text,
        )?;
        let game = &self.game;
        let program = self
            .watching
            .get_or_insert_with(|| Arc::new(game.program.clone()));
        let program = Arc::make_mut(program);
        let question = ask::Question::new(&game.rules, program, &(expr, code), 0)
            .map_err(|error| vec![Diagnostic::error("cannot-watch", error.span, error.message)])?;
        self.watches.push((text.to_owned(), Ok(question)));
        self.version += 1;
        Ok(())
    }

    /// What is wrong with a watch, before it is added; none: it can be.
    pub fn watch_problem(&self, text: &str) -> Option<String> {
        let checked = &self.game.checked;
        let errors = dsl::expression(&checked.sources, &checked.compiled, text).err()?;
        errors.into_iter().next().map(|error| error.message)
    }

    /// Names of cells, formulas, options and tables that begin so, for completion; in the order of the alphabet.
    pub fn names(&self, beginning: &str) -> Vec<&str> {
        let rules = &self.game.rules;
        let cells = rules.cells.iter().map(|cell| cell.name.as_str());
        let formulas = rules.formulas.iter().map(|formula| formula.name.as_str());
        let options = rules.options.iter().map(|option| option.name.as_str());
        let tables = rules.tables.iter().map(|table| table.name.as_str());
        let all = cells.chain(formulas).chain(options).chain(tables);
        let mut names: Vec<&str> = all
            .filter(|name| name.starts_with(beginning) && *name != beginning)
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub fn forget_watch(&mut self, at: usize) {
        if at < self.watches.len() {
            let mut texts: Vec<String> = self.watches.drain(..).map(|(text, _)| text).collect();
            texts.remove(at);
            self.watch_all(texts);
        }
    }

    /// Watches again what was watched under other rules; what does not fit any more says so.
    fn watch_all(&mut self, texts: Vec<String>) {
        self.watching = None;
        self.watches.clear();
        for text in texts {
            if let Err(errors) = self.watch(&text) {
                let why = errors
                    .first()
                    .map_or_else(String::new, |error| error.message.clone());
                self.watches.push((text, Err(why)));
            }
        }
        self.version += 1;
    }

    /// The watches with their values here, as far as the eyes see them.
    pub fn watches(&self) -> Vec<Watch> {
        let program = self.watching.as_deref().unwrap_or(&self.game.program);
        let view = View::new(&self.game.rules, program, self.position(), self.eyes.into());
        let mut view = view.with_sources(&self.game.checked.sources);
        let watches = self.watches.iter().map(|(text, fits)| Watch {
            text: text.clone(),
            value: match fits {
                Ok(question) => view.text(question, &[]),
                Err(why) => Err(why.clone()),
            },
        });
        watches.collect()
    }
}
