//! The table: who is asked, what he sees, what he types.

mod commands;
mod kept;
mod lines;

use super::seat_in_words;
use crate::cli::select::Chosen;
use crate::cli::simulate::show_fault;
use crate::cli::{Exit, Outcome, Shell};
use crate::written;
use interpreter::ask::Eyes;
use interpreter::bots::{Bot, Patience};
use interpreter::game::{NodeId, Played, Session};
use interpreter::observe::Observer;
use interpreter::playout::seat_name;
use interpreter::words::{Heard, Offer, Sentence, Telling, in_order, same_text};
use interpreter::{Fault, Program, State};
use lines::{Lines, parts, steps};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Answers shown at once.
const ANSWERS_SHOWN_MAX: usize = 30;
/// Sentences of the log shown by `log`.
const LOG_SHOWN_MAX: usize = 40;

const HELP: &str = "\
Type the number of an answer, a part of its name, or all of it as in a scenario; where the answers are numbers, the one you mean.
Several lines in one: `claim; 3; done`.
  why ACTION   why something is not offered; why alone: all that is not
  undo, redo   one decision of yours back, forth; the same answer draws the same cards again
  state        what you can see
  log          what happened; log all: from the beginning, with all that came of it
  list         all answers
  save FILE    write the game down, with all that is hidden; load FILE goes on with it
  quit         end";

pub struct Table<'a> {
    chosen: &'a Chosen,
    program: &'a Program,
    session: Session<'a>,
    observer: Observer<'a>,
    /// Of the answers that led to a node of the session's tree what each seat heard and saw.
    log: BTreeMap<NodeId, Vec<Vec<Telling>>>,
    /// Up to where on the line each seat has been shown what happened.
    shown: Vec<Shown>,
    /// The person who sits at the keyboard.
    at_keyboard: Option<u32>,
    /// Parts of the line typed that are not used yet, the last one first.
    typed: Vec<String>,
    lines: Lines,
    /// How long a bot thinks about an answer; none: as long as it does by itself.
    bot_time: Option<Duration>,
}

/// Up to where something was shown: all before a node of the line, and so many of what is told at that node.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    node: usize,
    told: usize,
}

impl Shown {
    /// All before a node.
    fn up_to(node: usize) -> Shown {
        Shown { node, told: 0 }
    }
}

/// What comes of passing the keyboard on.
enum HandedOver {
    Yes,
    /// Somebody went back, or loaded another game.
    Moved,
    Quit,
    EndOfInput,
}

/// What comes of a line that was typed.
enum Typed {
    /// Ask again.
    Again,
    /// The game went on, or stands elsewhere.
    Moved,
    Quit,
}

impl<'a> Table<'a> {
    pub fn set_up(
        chosen: &'a Chosen,
        program: &'a Program,
        seed: u64,
        seats: Vec<Option<Bot>>,
    ) -> Result<Table<'a>, Fault> {
        let mut session = Session::new(&chosen.rules, program, seed)?;
        session.tree_mut().bots = seats;
        let mut table = Table {
            chosen,
            program,
            session,
            observer: Observer::new(program),
            log: BTreeMap::new(),
            shown: vec![Shown::default(); program.players as usize],
            at_keyboard: None,
            typed: Vec::new(),
            lines: Lines::default(),
            bot_time: None,
        };
        table.note();
        Ok(table)
    }

    /// Bots think so long about each answer.
    pub fn with_bot_time(mut self, time: Option<Duration>) -> Self {
        self.bot_time = time;
        self
    }

    /// Which answer a bot takes.
    fn bot_answer(&mut self, bot: &Bot) -> Result<Option<usize>, Fault> {
        let (begin, time) = (Instant::now(), self.bot_time);
        let over = |time: Duration| begin.elapsed() >= time;
        let patience = Patience {
            to_the_end: time.is_some(),
            enough: &|| time.is_some_and(over),
        };
        self.session.bot_answer(bot, &patience)
    }

    /// Who plays; a loaded game tells its seed itself.
    pub fn welcome(&self, shell: &mut Shell) -> Outcome<()> {
        let seats: Vec<String> = self
            .session
            .tree()
            .bots
            .iter()
            .enumerate()
            .map(|(seat, bot)| seat_in_words(seat, bot.as_ref()))
            .collect();
        let title = shell.paint().bold(&self.chosen.title());
        writeln!(
            shell.out,
            "{title}: {}; seed {}\nType `help` for what you can type.",
            seats.join(", "),
            self.session.tree().seed
        )?;
        Ok(())
    }

    /// Plays until somebody quits or nothing more is typed.
    pub fn play(&mut self, shell: &mut Shell) -> Outcome {
        loop {
            if self.session.is_over() {
                self.show_news(shell)?;
                self.show_result(shell)?;
                if self.session.tree().bots.iter().all(Option::is_some) {
                    return Ok(Exit::Fine);
                }
                match self.ask_until_moved(shell)? {
                    Some(Exit::Fine) => return Ok(Exit::Fine),
                    Some(exit) => return Ok(exit),
                    None => continue,
                }
            }
            if let Some(bot) = self.session.bot_to_move() {
                let answered = match self.bot_answer(&bot) {
                    Ok(Some(at)) => self.answer(at),
                    Ok(None) => return Ok(Exit::Fine),
                    Err(fault) => Err(fault),
                };
                if let Err(fault) = answered {
                    show_fault(shell, self.chosen, &fault)?;
                    return Ok(Exit::AtFault);
                }
                continue;
            }
            match self.hand_over(shell)? {
                HandedOver::Yes => {}
                HandedOver::Moved => continue,
                HandedOver::Quit => return Ok(Exit::Fine),
                HandedOver::EndOfInput => return self.end(shell),
            }
            self.show_news(shell)?;
            self.show_question(shell)?;
            if let Some(exit) = self.ask_until_moved(shell)? {
                return Ok(exit);
            }
        }
    }

    /// Reads lines until one moves the game; an exit code if it is to end.
    fn ask_until_moved(&mut self, shell: &mut Shell) -> Outcome<Option<Exit>> {
        loop {
            let Some(line) = self.read(shell)? else {
                return self.end(shell).map(Some);
            };
            match self.typed(shell, &line)? {
                Typed::Again => {}
                Typed::Moved => return Ok(None),
                Typed::Quit => return Ok(Some(Exit::Fine)),
            }
        }
    }

    fn end(&self, shell: &mut Shell) -> Outcome {
        if !self.session.is_over() {
            writeln!(shell.out, "\nNothing more is typed: the game ends here.")?;
        }
        Ok(Exit::Fine)
    }

    // ---------------------------------------------------------------------------------------------- asking

    /// The next line typed; several in one are parted at `;`.
    fn read(&mut self, shell: &mut Shell) -> Outcome<Option<String>> {
        if self.typed.is_empty() {
            write!(shell.out, "{} ", shell.paint().bold(">"))?;
            shell.out.flush()?;
            let Some(line) = self.lines.next(shell.input)? else {
                writeln!(shell.out)?;
                return Ok(None);
            };
            echo(shell, &line)?;
            self.typed = parts(&line);
            self.typed.reverse();
        }
        Ok(self.typed.pop())
    }

    /// When another person is asked, the screen is cleared between them.
    fn hand_over(&mut self, shell: &mut Shell) -> Outcome<HandedOver> {
        let seat = self.session.seat();
        let bots = self.session.tree().bots.iter();
        let people = bots.filter(|bot| bot.is_none()).count();
        if people < 2 || self.at_keyboard == seat {
            self.at_keyboard = seat;
            return Ok(HandedOver::Yes);
        }
        let name = seat_name(seat.unwrap_or(0) as usize);
        let mut typed = std::mem::take(&mut self.typed);
        typed.reverse();
        if shell.context.out_terminal {
            write!(shell.out, "\x1b[2J\x1b[3J\x1b[H")?;
        }
        if typed.iter().any(|line| !line.is_empty()) {
            let lost = typed.join("; ");
            writeln!(shell.out, "`{lost}` is left out: {name} is asked now.")?;
        }
        let pass = format!("Pass to {name}; {name} presses enter.");
        writeln!(shell.out, "\n{}", shell.paint().bold(&pass))?;
        loop {
            let Some(line) = self.lines.next(shell.input)? else {
                return Ok(HandedOver::EndOfInput);
            };
            let line = line.trim();
            if line.is_empty() {
                self.at_keyboard = seat;
                return Ok(HandedOver::Yes);
            }
            echo(shell, line)?;
            // Whoever sits at the keyboard is not known: what shows something of a seat is not done.
            let (word, _) = command(line);
            if matches!(
                word,
                "help" | "?" | "quit" | "exit" | "save" | "load" | "undo" | "redo"
            ) {
                match self.obey(shell, line)? {
                    Some(Typed::Moved) => return Ok(HandedOver::Moved),
                    Some(Typed::Quit) => return Ok(HandedOver::Quit),
                    Some(Typed::Again) | None => {}
                }
            } else {
                writeln!(
                    shell.out,
                    "`{line}` is not done: first {name} presses enter."
                )?;
            }
        }
    }

    fn show_question(&mut self, shell: &mut Shell) -> Outcome<()> {
        let words = *self.session.words();
        let question = words.question(self.session.machine_mut());
        let name = seat_name(self.session.machine().seat() as usize);
        writeln!(
            shell.out,
            "\n{}",
            shell.paint().bold(&format!("{name}: {question}"))
        )?;
        self.show_answers(shell, &self.offers(), ANSWERS_SHOWN_MAX)
    }

    /// The answers in words.
    fn offers(&self) -> Vec<Offer> {
        self.session.words().offers(self.session.machine())
    }

    fn show_answers(&self, shell: &mut Shell, offers: &[Offer], most: usize) -> Outcome<()> {
        let shown = offers.len().min(most);
        let width = |offer: &Offer| offer.text.chars().count();
        let told = offers[..shown].iter().filter(|one| !one.details.is_empty());
        let widest = told.map(width).max().unwrap_or(0);
        let numbers = are_numbers(&self.session.answers());
        for (at, offer) in offers.iter().enumerate().take(shown) {
            let text = &offer.text;
            let line = match offer.details.as_str() {
                "" => text.clone(),
                details => format!("{text:widest$}  {}", shell.paint().dim(details)),
            };
            match numbers {
                true => writeln!(shell.out, "      {line}")?,
                false => writeln!(shell.out, "{:>4}  {line}", at + 1)?,
            }
        }
        if offers.len() > most {
            let part = if numbers {
                "the number"
            } else {
                "a part of the name"
            };
            writeln!(
                shell.out,
                "      and {} more: type {part}, or `list`",
                offers.len() - most
            )?;
        }
        Ok(())
    }

    // ---------------------------------------------------------------------------------------------- what was typed

    fn typed(&mut self, shell: &mut Shell, line: &str) -> Outcome<Typed> {
        let (_, rest) = command(line);
        if rest.is_empty() && self.session.answers().iter().any(|answer| answer == line) {
            return self.choose(shell, line);
        }
        match self.obey(shell, line)? {
            Some(typed) => Ok(typed),
            None => self.choose(shell, line),
        }
    }

    /// Carries out a command; none if it is an answer.
    fn obey(&mut self, shell: &mut Shell, line: &str) -> Outcome<Option<Typed>> {
        let (word, rest) = command(line);
        match word {
            "" => {}
            "help" | "?" => writeln!(shell.out, "{HELP}")?,
            "quit" | "exit" => return Ok(Some(Typed::Quit)),
            "undo" => return self.undo(shell).map(Some),
            "redo" => return self.redo(shell).map(Some),
            "why" => self.why(shell, rest)?,
            "state" => self.show_state(shell)?,
            "log" => self.show_log(shell, rest == "all")?,
            "list" => {
                self.show_answers(shell, &self.offers(), usize::MAX)?;
            }
            "save" => self.save(shell, rest)?,
            "load" if self.load(shell, rest)? => return Ok(Some(Typed::Moved)),
            "load" => {}
            _ => return Ok(None),
        }
        Ok(Some(Typed::Again))
    }

    /// All of a deed at once where its parts are asked for one by one: the first, and what is typed behind it.
    fn in_steps(&self, line: &str, answers: &[String]) -> Option<(String, Vec<String>)> {
        let mut steps = steps(line)?;
        let forced = self.session.seat().map(|seat| self.forced_texts(seat));
        let (words, machine) = (self.session.words(), self.session.machine());
        let head = written::answer(&steps[0]);
        let asks = head.is_some_and(|head| words.names_asker(machine, &head).is_some());
        // What was the only answer has been taken already; what asks is named where a case says all at once.
        if asks || forced.is_some_and(|forced| forced.iter().any(|text| same_text(text, &steps[0])))
        {
            steps.remove(0);
        }
        let first = (!steps.is_empty()).then(|| steps.remove(0))?;
        let known = answers.iter().any(|answer| same_text(answer, &first));
        known.then_some((first, steps))
    }

    /// A number, a name, or a part of one.
    fn choose(&mut self, shell: &mut Shell, line: &str) -> Outcome<Typed> {
        if self.session.is_over() {
            writeln!(
                shell.out,
                "The game is over: `undo`, `log`, `save FILE` or `quit`."
            )?;
            return Ok(Typed::Again);
        }
        let answers = self.session.answers();
        let offers = self.offers();
        let found = match line.parse::<usize>() {
            // No part of another number is meant.
            _ if are_numbers(&answers) => {
                let meant = |at: &usize| {
                    same_text(&answers[*at], line) || same_text(&offers[*at].text, line)
                };
                (0..answers.len()).filter(meant).collect()
            }
            Ok(number) if (1..=answers.len()).contains(&number) => vec![number - 1],
            Ok(_) if !answers.iter().any(|answer| answer == line) => {
                writeln!(
                    shell.out,
                    "The answers are numbered 1 to {}.",
                    answers.len()
                )?;
                return Ok(Typed::Again);
            }
            _ => match matching(&answers, &offers, line) {
                found if found.is_empty() => {
                    written::meant(self.session.words(), self.session.machine(), line)
                }
                found => found,
            },
        };
        match found.as_slice() {
            [] if self
                .session
                .seat()
                .is_some_and(|seat| self.forced_texts(seat).contains(&line)) =>
            {
                writeln!(
                    shell.out,
                    "`{line}` was the only answer and has been taken."
                )?;
                Ok(Typed::Again)
            }
            [] if let Some((first, rest)) = self.in_steps(line, &answers) => {
                self.typed.extend(rest.into_iter().rev());
                self.choose(shell, &first)
            }
            [] => {
                writeln!(
                    shell.out,
                    "`{line}` is not among the answers; `why {line}` tells why, `list` shows all."
                )?;
                self.typed.clear();
                Ok(Typed::Again)
            }
            [at] => self.take(shell, *at),
            several => {
                for at in several.iter().take(ANSWERS_SHOWN_MAX) {
                    let offer = &offers[*at];
                    let line = match offer.details.as_str() {
                        "" => offer.text.clone(),
                        details => format!("{}  {}", offer.text, shell.paint().dim(details)),
                    };
                    writeln!(shell.out, "{:>4}  {line}", at + 1)?;
                }
                writeln!(
                    shell.out,
                    "{} answers have `{line}` in them; type a number.",
                    several.len()
                )?;
                self.typed.clear();
                Ok(Typed::Again)
            }
        }
    }

    fn take(&mut self, shell: &mut Shell, at: usize) -> Outcome<Typed> {
        match self.answer(at) {
            Ok(Played::On(_)) => {}
            Ok(Played::Back(_)) => writeln!(
                shell.out,
                "That led nowhere: it turned out that it cannot be gone on from. Choose again."
            )?,
            Err(fault) => {
                show_fault(shell, self.chosen, &fault)?;
                writeln!(
                    shell.out,
                    "The rules are at fault: the game stands where it stood."
                )?;
                self.typed.clear();
                return Ok(Typed::Again);
            }
        }
        Ok(Typed::Moved)
    }

    /// Answers, and notes for each seat what it saw of it. What was taken back nobody has seen.
    fn answer(&mut self, at: usize) -> Result<Played, Fault> {
        let played = self.session.answer(at)?;
        if let Played::Back(here) = played {
            // What every seat was shown of the way that was taken back it is shown no more.
            let seen = self.session.tree().position() + usize::from(self.log.contains_key(&here));
            self.forget_from(seen);
        }
        self.note();
        Ok(played)
    }

    /// What came from a node of the line on is shown anew.
    fn forget_from(&mut self, node: usize) {
        let all = self.shown.iter_mut();
        all.for_each(|shown| *shown = (*shown).min(Shown::up_to(node)));
    }

    /// Notes what each seat hears and sees on the way to where the game stands: every answer, and behind it what came of it.
    /// Redo comes along what was seen before.
    fn note(&mut self) {
        let here = self.session.tree().current();
        if !self.log.contains_key(&here) {
            // Of the set-up only is told what somebody answered.
            let shows = self.session.tree().node(here).parent.is_some();
            self.log.insert(here, self.tell(here, shows));
        }
    }

    /// Of the answers on the way to a node what each seat hears, and sees of what came of them if that is shown.
    fn tell(&self, id: NodeId, shows: bool) -> Vec<Vec<Telling>> {
        let words = self.session.words();
        let told = self.session.tree().told(self.program, id);
        let heard_by = |viewer: u32| {
            let eyes = Eyes::Of(Some(viewer));
            let each = told.iter();
            each.flat_map(|told| words.tellings(&self.observer, told, eyes, shows))
                .collect()
        };
        (0..self.program.players).map(heard_by).collect()
    }

    fn state(&self) -> State {
        let mut state = State::new();
        self.session.machine().save(&mut state);
        state
    }

    /// Answers of a seat on the way to the current node that were the only ones.
    fn forced_texts(&self, of: u32) -> Vec<&str> {
        let tree = self.session.tree();
        let told = tree.told(self.program, tree.current()).into_iter();
        let forced = told.filter(|told| told.forced && told.seat == of);
        forced.map(|told| told.text).collect()
    }

    /// What a seat has heard from the set-up to where the game stands, each with the number of the node on the way, behind
    /// what was shown. What is kept secret from it comes when the secret is over.
    fn heard(&self, seat: u32, from: Shown) -> Vec<(usize, &Heard)> {
        let tree = self.session.tree();
        let path = tree.path(tree.current()).into_iter().enumerate();
        let told = path.filter_map(|(at, id)| {
            let tellings = self.log.get(&id)?.get(seat as usize)?;
            Some(tellings.iter().map(move |telling| (at, telling)))
        });
        let told = in_order(told.flatten()).into_iter();
        let mut all: Vec<(usize, &Heard)> = told.map(|told| (told.place, told.heard)).collect();
        let shown = all.iter().filter(|(at, _)| *at < from.node).count() + from.told;
        all.split_off(shown.min(all.len()))
    }

    /// The same in sentences.
    fn sentences(&self, heard: &[(usize, &Heard)]) -> Vec<Sentence> {
        let heard: Vec<Heard> = heard.iter().map(|(_, heard)| (*heard).clone()).collect();
        self.session.words().sentences(&heard)
    }
}

/// A line that was typed: its first word and what stands behind it.
fn command(line: &str) -> (&str, &str) {
    let words = line.split_once(char::is_whitespace);
    words.map_or((line, ""), |(word, rest)| (word, rest.trim()))
}

/// Whoever reads a script's output sees what was typed.
fn echo(shell: &mut Shell, line: &str) -> Outcome<()> {
    if !shell.context.out_terminal {
        writeln!(shell.out, "{}", line.trim())?;
    }
    Ok(())
}

/// Answers that are all numbers, whether one may be done or not: what is typed is the number meant, not its place in the list.
fn are_numbers(answers: &[String]) -> bool {
    let is_number = |answer: &&String| answer.parse::<i64>().is_ok();
    let others = |answer: &&String| *answer != "done" && !is_number(answer);
    answers.iter().any(|answer| is_number(&answer)) && !answers.iter().any(|answer| others(&answer))
}

/// Answers with a text in them, as it is written or in words: one that is it, else those that begin with it, else those that
/// hold it.
fn matching(answers: &[String], offers: &[Offer], text: &str) -> Vec<usize> {
    let wanted = text.to_lowercase().replace('"', "");
    let plain = |answer: &str| answer.to_lowercase().replace('"', "");
    let with = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..answers.len())
            .filter(|at| test(&plain(&answers[*at])) || test(&plain(&offers[*at].text)))
            .collect()
    };
    [
        with(&|answer| same_text(answer, &wanted)),
        with(&|answer| answer.starts_with(&wanted)),
        with(&|answer| answer.contains(&wanted)),
    ]
    .into_iter()
    .find(|found| !found.is_empty())
    .unwrap_or_default()
}
