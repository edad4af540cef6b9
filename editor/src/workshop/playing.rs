//! The play-test in the workshop: begun, played on, saved, loaded, and taken along when the rules change.

use super::dealer::{
    Advice, Dealer, Dealt, Doubt, Doubter, Previews, Reviewed, Scout, Task, Thought, Waiting,
    adviser, dealer, doubter, foreseer, reviewer, scout,
};
use super::history::{Edit, Gesture};
use super::laboratory::Simulation;
use super::playtest::{Foreseen, Kept, Moment, Playtest, Reload, Way};
use super::project::REPLAY_ENDING;
use super::whole::{News, Workshop, no_game};
use super::worker::{Waker, Worker};
use crate::{files, template, values};
use dsl::ir::RuleSet;
use dsl::syntax::ast::AssignOp;
use interpreter::bots::{Bot, Opinion};
use interpreter::playout::Review;
use interpreter::replay::{self, Replay};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The file of a game's scenarios that play-tests make.
const SCENARIOS: &str = "scenarios/play-tests.scenario";

/// What the workshop keeps of the play-test besides itself.
pub(super) struct Playing {
    dealer: Dealer,
    doubter: Doubter,
    scout: Scout,
    /// Where ways were asked for last, and those that have come.
    scouted: Option<Moment>,
    ways: Option<(Moment, Vec<Way>)>,
    foreseer: Worker<Thought, Previews>,
    /// What was thought of last, and how the table would stand behind all that was thought of at this place.
    thought: Option<(Moment, Vec<Vec<usize>>)>,
    previews: Option<Previews>,
    adviser: Worker<Playtest, Advice>,
    advice: Option<Advice>,
    reviewer: Worker<Playtest, Reviewed>,
    review: Option<Reviewed>,
    /// What was asked and has not come yet.
    waiting: Option<Waiting>,
    /// How long a bot thinks about an answer; none: as long as it does by itself.
    bot_time: Option<Duration>,
    /// The version of the game in which the last bot was asked.
    bot_asked: u64,
    /// Texts under which the game was last tried to go on.
    tried: u64,
    /// The game under older rules, where it does not go as far under those of now; with the version it came to there.
    older: Option<(Playtest, u64)>,
    /// The game stays under older rules, as the person wants it.
    held: bool,
    /// A saved game that waits for its overlays and options to be checked.
    to_load: Option<Replay>,
    /// After so many answers it is looked at; none: at its end.
    arrive: Option<u32>,
    /// A game as it was left, which waits for the rules to be checked.
    to_resume: Option<Kept>,
}

impl Playing {
    pub(super) fn new(waker: Waker) -> Playing {
        Playing {
            dealer: dealer(waker.clone()),
            doubter: doubter(waker.clone()),
            foreseer: foreseer(waker.clone()),
            adviser: adviser(waker.clone()),
            advice: None,
            reviewer: reviewer(waker.clone()),
            review: None,
            scout: scout(waker),
            thought: None,
            previews: None,
            scouted: None,
            ways: None,
            waiting: None,
            bot_time: None,
            bot_asked: 0,
            tried: 0,
            older: None,
            held: false,
            to_load: None,
            arrive: None,
            to_resume: None,
        }
    }

    /// Goes on with a game as it was left, as soon as there are rules for it.
    pub(super) fn resume(&mut self, kept: Option<Kept>) {
        self.to_resume = kept;
    }

    /// Whether nothing is going on that changes the play-test.
    pub(super) fn is_settled(&self) -> bool {
        self.waiting.is_none() && self.to_load.is_none() && self.to_resume.is_none()
    }

    fn ask(&mut self, task: Task) {
        self.waiting = Some(task.waiting());
        self.dealer.ask(task);
    }

    /// Another game begins: what belonged to the one before is over.
    fn forget(&mut self) {
        self.tried = 0;
        self.older = None;
        self.held = false;
        self.review = None;
    }

    pub(super) fn cancel(&mut self) {
        self.forget();
        self.dealer.cancel();
        self.doubter.cancel();
        self.scout.cancel();
        self.adviser.cancel();
        self.advice = None;
        self.reviewer.cancel();
        self.review = None;
        self.scouted = None;
        self.ways = None;
        self.waiting = None;
        self.to_load = None;
        self.to_resume = None;
    }
}

impl Workshop {
    /// Sets up a game with the rules that were without mistakes last, in the background; `bots` has one entry a seat, none for
    /// a person.
    pub fn begin(&mut self, seed: u64, bots: Vec<Option<Bot>>) {
        if let Some(rules) = self.good().cloned() {
            self.playing.ask(Task::Begin { rules, seed, bots });
        }
    }

    /// Takes the person's answers in a row, by their numbers; nothing happens while something else is waited for.
    pub fn answer(&mut self, all: Vec<usize>) {
        if let (Some(game), None) = (&self.playtest, self.playing.waiting) {
            self.playing.ask(Task::Answer(game.clone(), all));
        }
    }

    /// Lets the bot whose turn it is answer; nothing happens while something else is waited for.
    pub fn let_bot_answer(&mut self) {
        if let (Some(game), None) = (&self.playtest, self.playing.waiting) {
            self.playing.bot_asked = game.version();
            let task = Task::Bot(game.clone(), self.playing.bot_time);
            self.playing.ask(task);
        }
    }

    /// The bot that thinks answers by what it knows so far.
    pub fn hurry_bot(&self) {
        if self.playing.waiting == Some(Waiting::ForBot) {
            self.playing.dealer.hurry();
        }
    }

    /// How long a bot thinks about an answer in play; none: as long as it does by itself.
    pub fn bot_time(&self) -> Option<Duration> {
        self.playing.bot_time
    }

    /// Gives bots so long for each answer from now on; none: as long as they think by themselves. A search goes on for all of
    /// it, others break off, so that such a game does not come out the same again.
    pub fn set_bot_time(&mut self, time: Option<Duration>) {
        self.playing.bot_time = time;
    }

    /// What the play-test waits for.
    pub fn waiting(&self) -> Option<Waiting> {
        let opening = self.simulation.as_ref().is_some_and(Simulation::is_opening);
        let comes = opening || self.playing.to_load.is_some() || self.playing.to_resume.is_some();
        self.playing.waiting.or(comes.then_some(Waiting::Loading))
    }

    /// Asks why things are not offered where the game stands: all within reach, something that was typed, or both. The
    /// answer comes as [`News::WhyNot`].
    pub fn doubt(&self, all: bool, typed: Option<String>) {
        self.ask_why(all, false, typed);
    }

    /// The same of all that is within reach, behind menus too.
    pub fn doubt_everything(&self) {
        self.ask_why(true, true, None);
    }

    fn ask_why(&self, all: bool, behind: bool, typed: Option<String>) {
        if let Some(game) = self.playtest.clone() {
            let doubt = Doubt {
                game,
                all,
                behind,
                typed,
            };
            self.playing.doubter.ask(doubt);
        }
    }

    /// Whether the answer to [`Workshop::doubt`] is still to come.
    pub fn is_doubting(&self) -> bool {
        self.playing.doubter.is_busy()
    }

    /// Has it found out how the table would stand behind answers, each some in a row, which a person thinks of giving.
    pub fn think_of(&mut self, answers: &[Vec<usize>]) {
        let Some(game) = &self.playtest else { return };
        let now = game.moment();
        let previews = self.playing.previews.as_ref();
        let known = previews.filter(|(moment, _)| *moment == now);
        let known = known.map_or(&[][..], |(_, all)| all.as_slice());
        let is_new = |row: &&Vec<usize>| known.iter().all(|(answers, _)| answers != *row);
        let wanted: Vec<Vec<usize>> = answers.iter().filter(is_new).cloned().collect();
        if wanted.is_empty() || game.bot_asked().is_some() {
            return;
        }
        let thought = Some((now, wanted.clone()));
        if self.playing.thought != thought {
            self.playing.foreseer.ask((game.clone(), wanted));
            self.playing.thought = thought;
        }
    }

    /// How the table would stand behind answers that were thought of; inner none: nobody can know. None: not known yet.
    pub fn preview(&self, answers: &[usize]) -> Option<Option<&Foreseen>> {
        let now = self.playtest.as_ref().map(Playtest::moment)?;
        let (moment, all) = self.playing.previews.as_ref()?;
        let mut all = all.iter().filter(|_| *moment == now);
        let (_, foreseen) = all.find(|(row, _)| row == answers)?;
        Some(foreseen.as_ref())
    }

    /// Whether it is found out how the table would stand.
    pub fn is_foreseeing(&self) -> bool {
        self.playing.foreseer.is_busy()
    }

    /// What can be pointed at behind the menu that a person is asked; none: not known yet.
    pub fn ways(&self) -> Option<&[Way]> {
        let now = self.playtest.as_ref().map(Playtest::moment);
        let (moment, ways) = self.playing.ways.as_ref()?;
        (now == Some(*moment)).then_some(ways)
    }

    /// Has a search say what it thinks of the answers that are offered.
    pub fn ask_for_hint(&mut self) {
        if let Some(game) = self.playtest.clone() {
            self.playing.adviser.ask(game);
        }
    }

    /// What a search thinks of the answers that are offered, if it was asked here.
    pub fn hint(&self) -> Option<&[Option<Opinion>]> {
        let now = self.playtest.as_ref().map(Playtest::moment)?;
        let (moment, opinions) = self.playing.advice.as_ref()?;
        (*moment == now).then_some(opinions)
    }

    /// Whether a hint is still to come.
    pub fn is_advising(&self) -> bool {
        self.playing.adviser.is_busy()
    }

    /// Has it found out in which turns the game was lost.
    pub fn ask_for_review(&mut self) {
        if let Some(game) = self.playtest.clone() {
            self.playing.reviewer.ask(game);
        }
    }

    /// In which turns the game was lost, if that was asked where it stands.
    pub fn review(&self) -> Option<&Result<Review, String>> {
        let now = self.playtest.as_ref().map(Playtest::moment)?;
        let (moment, review) = self.playing.review.as_ref()?;
        (moment.0 == now.0).then_some(review)
    }

    /// Whether a review is still to come.
    pub fn is_reviewing(&self) -> bool {
        self.playing.reviewer.is_busy()
    }

    /// Whether they are being looked for.
    pub fn is_scouting(&self) -> bool {
        self.playing.scout.is_busy()
    }

    /// Has ways looked for, and hears of those that were found.
    fn poll_ways(&mut self) {
        while let Some(found) = self.playing.scout.poll() {
            self.playing.ways = Some(found);
        }
        while let Some(advice) = self.playing.adviser.poll() {
            self.playing.advice = Some(advice);
        }
        while let Some(review) = self.playing.reviewer.poll() {
            self.playing.review = Some(review);
        }
        while let Some((moment, more)) = self.playing.foreseer.poll() {
            match &mut self.playing.previews {
                Some((known, all)) if *known == moment => all.extend(more),
                previews => *previews = Some((moment, more)),
            }
        }
        let Some(game) = &self.playtest else { return };
        let now = Some(game.moment());
        if self.playing.scouted != now {
            self.playing.scouted = now;
            if !game.is_over() && game.bot_asked().is_none() {
                self.playing.scout.ask(game.clone());
            }
        }
    }

    // ---------------------------------------------------------------------------------------------- other rules

    /// The game does not stand under the rules of now, but under older ones.
    pub fn plays_older_rules(&self) -> bool {
        self.playing.held
    }

    /// The game under older rules went on further than under those of now, and can be gone back to.
    pub fn has_older_rules(&self) -> bool {
        self.playing.older.is_some()
    }

    /// Back to the game as it was under the older rules; it stays there until [`Workshop::take_new_rules`].
    pub fn back_to_older_rules(&mut self) {
        if let Some((older, _)) = self.playing.older.take() {
            self.playtest = Some(older);
            self.playing.held = true;
        }
    }

    /// Goes on under the rules of now, as far as the game goes there.
    pub fn take_new_rules(&mut self) {
        self.playing.held = false;
        self.playing.tried = 0;
    }

    /// Hears what the thread has done, and has the game played again if the rules have changed.
    pub(super) fn poll_playtest(&mut self, news: &mut Vec<News>) {
        while let Some(dealt) = self.playing.dealer.poll() {
            self.playing.waiting = None;
            self.take(dealt, news);
        }
        let now = self.playtest.as_ref().map(Playtest::version);
        if now != Some(self.playing.bot_asked) {
            // The person has gone elsewhere meanwhile: nobody waits for what the bot thinks.
            self.hurry_bot();
        }
        while let Some(why) = self.playing.doubter.poll() {
            let now = self.playtest.as_ref().map(Playtest::version);
            if now == Some(why.version) {
                news.push(News::WhyNot(why));
            }
        }
        self.poll_ways();
        if self.playing.waiting.is_some() {
            return;
        }
        let Some(good) = self.good().cloned() else {
            return;
        };
        if let Some(kept) = self.playing.to_resume.take() {
            self.playing.ask(Task::Resume(good, kept));
            return;
        }
        if self.playing.to_load.is_some() {
            if self.is_checking() {
                return;
            }
            let saved = self.playing.to_load.take().filter(|_| self.is_current());
            let Some(saved) = saved else {
                news.push(News::NotLoaded(
                    "the rules with its overlays and options have mistakes".into(),
                ));
                return;
            };
            // Only what the rules do not say already: overlays set options too.
            let options = good
                .rules()
                .map_or_else(Vec::new, |rules| differing(rules, &saved));
            match options.is_empty() || self.options() == options {
                true => self.playing.ask(Task::Load(good, saved)),
                false => {
                    self.set_options(options);
                    self.playing.to_load = Some(saved);
                }
            }
            return;
        }
        let Some(game) = &self.playtest else { return };
        let known = [game.game().checked.version, self.playing.tried];
        if !self.playing.held && !known.contains(&good.version) {
            let now = game.version();
            // As long as nobody has played on, what went further under older rules may do so again.
            let older = self.playing.older.as_ref();
            let older = older.filter(|(_, version)| *version == now);
            let from = older.map_or(game, |(older, _)| older).clone();
            self.playing.ask(Task::Reload {
                game: from,
                now,
                rules: good,
            });
        }
    }

    fn take(&mut self, dealt: Dealt, news: &mut Vec<News>) {
        let now = self.playtest.as_ref().map(Playtest::version);
        match dealt {
            Dealt::Begun(Ok(game)) => {
                if self.is_of_open_game(&game) {
                    self.playing.forget();
                    self.playtest = Some(game);
                }
            }
            Dealt::Begun(Err(why)) => news.push(News::CannotPlay(why.message)),
            Dealt::Went { from, game, fault } => {
                if now == Some(from) {
                    self.playtest = Some(game);
                    news.extend(fault.map(|why| News::CannotPlay(why.message)));
                }
            }
            Dealt::Reloaded {
                from,
                old,
                texts,
                game,
                reload,
            } => {
                // If it was played on meanwhile, it is tried again.
                if now == Some(from) {
                    self.playing.tried = texts;
                    self.reloaded(*old, game, &reload);
                    news.push(News::Reloaded(reload));
                }
            }
            Dealt::Loaded(Ok((game, reload))) => {
                let arrive = self.playing.arrive.take();
                if let Some(mut game) = game.filter(|game| self.is_of_open_game(game)) {
                    self.playing.forget();
                    if let Some(answers) = arrive {
                        game.go_to_answer(answers);
                    }
                    self.playtest = Some(game);
                }
                news.push(News::Loaded(reload));
            }
            Dealt::Resumed(Ok((game, whole))) => {
                if self.is_of_open_game(&game) {
                    self.playing.forget();
                    self.playtest = Some(game);
                    news.push(News::Resumed { whole });
                }
            }
            Dealt::Resumed(Err(why)) => news.push(News::CannotPlay(why.message)),
            Dealt::Loaded(Err(why)) => news.push(News::NotLoaded(why)),
            Dealt::Given { from, game } => match game {
                Ok(game) if now == Some(from) => self.playtest = Some(*game),
                Ok(_) => {}
                Err(why) => news.push(News::NotGiven(why)),
            },
            Dealt::Scenario { title, text } => {
                let made = text.and_then(|text| self.write_scenario(&text));
                news.push(News::ScenarioMade { title, file: made });
            }
        }
    }

    fn reloaded(&mut self, old: Playtest, game: Option<Playtest>, reload: &Reload) {
        let Some(game) = game else { return };
        self.playing.older = match reload {
            Reload::Whole => None,
            _ => Some((old, game.version())),
        };
        self.playtest = Some(game);
    }

    fn is_of_open_game(&self, game: &Playtest) -> bool {
        self.game()
            .is_some_and(|open| open.id == game.game().rules().id)
    }

    // ---------------------------------------------------------------------------------------------- saved games

    /// Where a saved game is put: a name means a file beside the game's other ones, anything with a folder in it a path.
    pub fn replay_path(&self, name: &str) -> Option<PathBuf> {
        let name = name.trim();
        let path = Path::new(name);
        if path.components().count() > 1 {
            let ending = path
                .extension()
                .is_some_and(|ending| ending == REPLAY_ENDING);
            return Some(match ending {
                true => path.to_path_buf(),
                false => PathBuf::from(format!("{name}.{REPLAY_ENDING}")),
            });
        }
        let stem = template::name_of(name.strip_suffix(".replay").unwrap_or(name));
        let folder = self.game()?.folder.join("replays");
        (!stem.is_empty()).then(|| folder.join(format!("{stem}.{REPLAY_ENDING}")))
    }

    /// Saves the game up to where it stands; a file that is there is replaced. The path, as [`Workshop::replay_path`] says it.
    ///
    /// # Errors
    /// Why it could not be written, in a sentence.
    pub fn save_replay(&mut self, name: &str) -> Result<PathBuf, String> {
        let path = self.replay_path(name);
        let path = path.ok_or("give it a name with a letter in it")?;
        let game = self.playtest.as_mut().ok_or("no game is being played")?;
        if game.is_set() {
            return Err(
                "a position that was set by hand is kept as a scenario: make one from here".into(),
            );
        }
        files::write(&path, game.save().as_bytes())
            .map_err(|why| format!("`{}` cannot be written: {why}", path.display()))?;
        if let Some(open) = &mut self.open {
            // It is known here that there is another file now.
            open.reread(&self.project.library);
            self.project.look_for_replays(&open.id);
        }
        Ok(path)
    }

    /// Goes on with a saved game of the game that is open, in the background, with the overlays and options it was played with:
    /// they are laid on, and set for this session. How far it goes comes as [`News::Loaded`].
    ///
    /// # Errors
    /// If the file cannot be read, or is no game of this one; in a sentence.
    pub fn load_replay(&mut self, path: &Path) -> Result<(), String> {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|why| format!("`{shown}` cannot be read: {why}"))?;
        let saved =
            replay::parse(&text).map_err(|why| format!("`{shown}` {}", why.said("saved game")))?;
        self.load(saved, &format!("`{shown}`"), None)
    }

    /// Goes on with a recorded game as [`Workshop::load_replay`] does, as it stood after so many answers, or at its end.
    pub(super) fn load(
        &mut self,
        saved: Replay,
        shown: &str,
        answers: Option<u32>,
    ) -> Result<(), String> {
        let open = self.game().ok_or_else(no_game)?;
        if saved.game != open.id {
            return Err(format!(
                "{shown} is a game of `{}`: open that one first",
                saved.game
            ));
        }
        // The layers of the game itself are always there.
        let chain = self.project.chain(&open.id);
        let overlays = saved
            .overlays
            .iter()
            .filter(|id| !chain.contains(&id.as_str()));
        let overlays: Vec<String> = overlays.cloned().collect();
        let known = |id: &String| self.overlays().iter().any(|overlay| overlay.id == *id);
        if let Some(strange) = overlays.iter().find(|id| !known(id)) {
            return Err(format!(
                "{shown} was played with `{strange}`, which this game does not have"
            ));
        }
        self.set_stack(overlays);
        self.set_options(Vec::new());
        self.playing.to_load = Some(saved);
        self.playing.arrive = answers;
        Ok(())
    }

    // ---------------------------------------------------------------------------------------------- set by hand

    /// Sets a cell of the position by hand, in the background; as the rules write both.
    ///
    /// # Errors
    /// If no game is being played, or it is going on.
    pub fn give(&mut self, cell: &str, value: &str) -> Result<(), String> {
        let game = self.playtest.clone().ok_or("no game is being played")?;
        if self.playing.waiting.is_some() {
            return Err("the game is going on: wait for it".into());
        }
        self.playing.ask(Task::Give {
            game,
            cell: cell.to_owned(),
            value: value.to_owned(),
        });
        Ok(())
    }

    // ---------------------------------------------------------------------------------------------- scenarios

    /// Makes a scenario that leads to where the play-test stands, in the background. It is written into a file of the game's
    /// scenarios, which comes as [`News::ScenarioMade`].
    ///
    /// # Errors
    /// Why there can be none, in a sentence.
    pub fn make_scenario(&mut self, title: &str) -> Result<(), String> {
        let title = title.trim();
        let Some(game) = &self.playtest else {
            return Err("no game is being played".into());
        };
        if self.playing.waiting.is_some() {
            return Err("the game is going on: wait for it".into());
        }
        if title.is_empty() {
            return Err("give the scenario a title".into());
        }
        if self.cases.results.iter().any(|one| one.title == title) {
            return Err(format!("there is a scenario “{title}” already"));
        }
        self.playing.ask(Task::Scenario {
            game: game.clone(),
            title: title.to_owned(),
        });
        Ok(())
    }

    fn write_scenario(&mut self, scenario: &str) -> Result<String, String> {
        let game = self.game().ok_or_else(no_game)?;
        let name = format!("{}/{SCENARIOS}", game.id);
        let path = game.folder.join(SCENARIOS);
        let document = self.new_document(&name, &path)?;
        let end = document.text().len();
        let gap = if end == 0 { "" } else { "\n" };
        let edit = Edit::insert(end, format!("{gap}{scenario}"));
        document.edit("make a scenario", Gesture::Once, vec![edit]);
        document.save()?;
        Ok(name)
    }
}

/// Options that had other values in a saved game than these rules give them.
fn differing(rules: &RuleSet, saved: &Replay) -> Vec<(String, AssignOp, String)> {
    let differs = |(name, value): &&(String, String)| {
        let mut options = rules.options.iter();
        let own = options.find(|option| option.name == *name);
        own.is_some_and(|option| values::shown(rules, &option.value) != *value)
    };
    let found = saved.options.iter().filter(differs);
    let set = found.map(|(name, value)| (name.clone(), AssignOp::Set, value.clone()));
    set.collect()
}
