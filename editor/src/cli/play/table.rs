//! The table: who is asked, what he sees, what he types.

mod commands;
mod kept;

use super::{seat_in_words, seat_name};
use crate::cli::select::Chosen;
use crate::cli::simulate::show_fault;
use crate::cli::{Exit, Outcome, Shell};
use interpreter::bots::Bot;
use interpreter::game::{NodeId, Played, Session};
use interpreter::observe::{Observation, Observer};
use interpreter::replay::{LineKind, Replay};
use interpreter::{Event, Fault, Program, State};
use std::collections::BTreeMap;

/// Answers shown at once.
const ANSWERS_SHOWN_MAX: usize = 30;
/// Lines of the log shown by `log`.
const LOG_SHOWN_MAX: usize = 40;
/// Characters of one line typed.
const LINE_MAX: usize = 10_000;

const HELP: &str = "\
Type the number of an answer, or a part of its name. Several lines in one: `claim; 3; done`.
  why ACTION   why something is not offered; why alone: all that is not
  undo, redo   one decision of yours back, forth
  state        what you can see
  log          what happened; log all: from the beginning
  list         all answers
  save FILE    write the game down; load FILE goes on with it
  quit         end";

pub struct Table<'a> {
    chosen: &'a Chosen,
    program: &'a Program,
    session: Session<'a>,
    observer: Observer<'a>,
    /// What each seat saw on the way to a node of the session's tree.
    log: BTreeMap<NodeId, Vec<Seen>>,
    /// Up to which node of the line each seat has been shown what happened.
    shown: Vec<usize>,
    /// The person who sits at the keyboard.
    at_keyboard: Option<u32>,
    /// Lines typed and not used yet.
    typed: Vec<String>,
}

/// What a seat saw on the way to a node: of what others do in secret only afterwards.
#[derive(Default)]
struct Seen {
    lines: Vec<String>,
    /// Its own answers that were the only ones.
    forced: Vec<String>,
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
            shown: vec![0; program.players as usize],
            at_keyboard: None,
            typed: Vec::new(),
        };
        table.note_set_up();
        Ok(table)
    }

    /// Answers of the set-up that were the only ones.
    fn note_set_up(&mut self) {
        let seen = (0..self.program.players)
            .map(|viewer| Seen {
                lines: Vec::new(),
                forced: self.forced(viewer),
            })
            .collect();
        self.log.insert(self.session.tree().current(), seen);
    }

    pub fn welcome(&self, shell: &mut Shell, seed: u64) -> Outcome<()> {
        let seats: Vec<String> = self
            .session
            .tree()
            .bots
            .iter()
            .enumerate()
            .map(|(seat, bot)| seat_in_words(seat, *bot))
            .collect();
        let title = shell.paint().bold(&self.chosen.title());
        writeln!(
            shell.out,
            "{title}: {}; seed {seed}\nType `help` for what you can type.",
            seats.join(", ")
        )?;
        Ok(())
    }

    /// Plays until somebody quits or nothing more is typed.
    pub fn play(&mut self, shell: &mut Shell) -> Outcome {
        loop {
            if self.session.is_over() {
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
                let Some(at) = self.session.bot_answer(bot) else {
                    return Ok(Exit::Fine);
                };
                if let Err(fault) = self.answer(at) {
                    show_fault(shell, self.chosen, &fault)?;
                    return Ok(Exit::AtFault);
                }
                continue;
            }
            if !self.hand_over(shell)? {
                return self.end(shell);
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
            let mut bytes = Vec::new();
            let read = std::io::BufRead::read_until(&mut shell.input, b'\n', &mut bytes)?;
            if read == 0 {
                writeln!(shell.out)?;
                return Ok(None);
            }
            let line: String = String::from_utf8_lossy(&bytes)
                .chars()
                .take(LINE_MAX)
                .collect();
            self.typed = line
                .split(';')
                .rev()
                .map(|part| part.trim().to_owned())
                .collect();
            if !shell.context.out_terminal {
                // Whoever reads a script's output sees what was typed.
                writeln!(shell.out, "{}", line.trim())?;
            }
        }
        Ok(self.typed.pop())
    }

    /// When another person is asked, the screen is cleared between them; false at the end of input.
    fn hand_over(&mut self, shell: &mut Shell) -> Outcome<bool> {
        let seat = self.session.seat();
        let people = self
            .session
            .tree()
            .bots
            .iter()
            .filter(|bot| bot.is_none())
            .count();
        let before = std::mem::replace(&mut self.at_keyboard, seat);
        if people < 2 || before == seat {
            return Ok(true);
        }
        self.typed.clear();
        if shell.context.out_terminal {
            write!(shell.out, "\x1b[2J\x1b[3J\x1b[H")?;
        }
        let name = seat_name(seat.unwrap_or(0) as usize);
        writeln!(
            shell.out,
            "\n{}",
            shell
                .paint()
                .bold(&format!("Pass to {name}; {name} presses enter."))
        )?;
        let mut line = Vec::new();
        Ok(std::io::BufRead::read_until(&mut shell.input, b'\n', &mut line)? > 0)
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
        let answers = self.session.answers();
        self.show_answers(shell, &answers, ANSWERS_SHOWN_MAX)
    }

    fn show_answers(&self, shell: &mut Shell, answers: &[String], most: usize) -> Outcome<()> {
        for (at, answer) in answers.iter().enumerate().take(most) {
            writeln!(shell.out, "{:>4}  {answer}", at + 1)?;
        }
        if answers.len() > most {
            writeln!(
                shell.out,
                "      and {} more: type a part of the name, or `list`",
                answers.len() - most
            )?;
        }
        Ok(())
    }

    // ---------------------------------------------------------------------------------------------- what was typed

    fn typed(&mut self, shell: &mut Shell, line: &str) -> Outcome<Typed> {
        let (word, rest) = line
            .split_once(char::is_whitespace)
            .map_or((line, ""), |(word, rest)| (word, rest.trim()));
        if rest.is_empty() && self.session.answers().iter().any(|answer| answer == line) {
            return self.choose(shell, line);
        }
        match word {
            "" => {}
            "help" | "?" => writeln!(shell.out, "{HELP}")?,
            "quit" | "exit" => return Ok(Typed::Quit),
            "undo" => return self.undo(shell),
            "redo" => return self.redo(shell),
            "why" => self.why(shell, rest)?,
            "state" => self.show_state(shell)?,
            "log" => self.show_log(shell, rest == "all")?,
            "list" => {
                let answers = self.session.answers();
                self.show_answers(shell, &answers, usize::MAX)?;
            }
            "save" => self.save(shell, rest)?,
            "load" => {
                return self
                    .load(shell, rest)
                    .map(|loaded| if loaded { Typed::Moved } else { Typed::Again });
            }
            _ => return self.choose(shell, line),
        }
        Ok(Typed::Again)
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
        let found = match line.parse::<usize>() {
            Ok(number) if (1..=answers.len()).contains(&number) => vec![number - 1],
            Ok(_) if !answers.iter().any(|answer| answer == line) => {
                writeln!(
                    shell.out,
                    "The answers are numbered 1 to {}.",
                    answers.len()
                )?;
                return Ok(Typed::Again);
            }
            _ => matching(&answers, line),
        };
        match found.as_slice() {
            [] if self
                .session
                .seat()
                .is_some_and(|seat| self.forced_texts(seat).iter().any(|text| text == line)) =>
            {
                writeln!(
                    shell.out,
                    "`{line}` was the only answer and has been taken."
                )?;
                Ok(Typed::Again)
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
                    writeln!(shell.out, "{:>4}  {}", at + 1, answers[*at])?;
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
        let seat = self.session.machine().seat();
        let machine = self.session.machine();
        let (kind, value) = (machine.answers().kind(at), machine.answers().value(at));
        let announced = self.observer.is_announced(machine.asked_pc(), kind, value);
        let before = self.observed(self.session.tree().current());
        let text = self.session.answers().get(at).cloned().unwrap_or_default();
        let played = self.session.answer(at)?;
        let name = seat_name(seat as usize);
        match played {
            Played::On(_) => self.note(&before, |viewer| {
                Some(match viewer == seat || announced {
                    true => format!("{name}: {text}"),
                    false => format!("{name} has chosen"),
                })
            }),
            Played::Back(here) => {
                // What every seat was shown of the way that was taken back it is shown no more.
                let from = self.session.tree().node(here).parent;
                let known = self.log.contains_key(&here);
                let seen = self.session.tree().position() + usize::from(known);
                self.shown
                    .iter_mut()
                    .for_each(|shown| *shown = (*shown).min(seen));
                if let Some(from) = from.filter(|_| !known) {
                    let before = self.observed(from);
                    self.note(&before, |_| None);
                }
            }
        }
        Ok(played)
    }

    /// Notes what each seat saw on the way to where the game stands. Redo comes along what was seen before.
    fn note(&mut self, before: &[Observation], heard: impl Fn(u32) -> Option<String>) {
        let words = *self.session.words();
        let here = self.session.tree().current();
        let chance = self.chance();
        let after = self.observed(here);
        let seen = (0..).zip(before.iter().zip(&after));
        let seen = seen.map(|(viewer, (before, after))| {
            let news = words.news(before, after).into_iter().map(|one| one.text);
            let news = news.chain(chance.clone()).map(|line| format!("  {line}"));
            Seen {
                lines: heard(viewer).into_iter().chain(news).collect(),
                forced: self.forced(viewer),
            }
        });
        let seen = seen.collect();
        self.log.entry(here).or_insert(seen);
    }

    /// What each seat sees at a node.
    fn observed(&self, node: NodeId) -> Vec<Observation> {
        let state = self.session.tree().node(node).state();
        (0..self.program.players)
            .map(|seat| self.observer.observe(state, Some(seat)))
            .collect()
    }

    fn state(&self) -> State {
        let mut state = State::new();
        self.session.machine().save(&mut state);
        state
    }

    /// Where chance had a hand on the way to where the game stands, each place once.
    fn chance(&self) -> Vec<String> {
        let (words, tree) = (self.session.words(), self.session.tree());
        let events = tree.node(tree.current()).events.iter();
        let mut lines: Vec<String> = events
            .filter(|event| matches!(event, Event::Chance { .. }))
            .filter_map(|event| words.event(event))
            .collect();
        lines.dedup();
        lines
    }

    /// Answers of a seat on the way to the current node that were the only ones.
    fn forced(&self, seat: u32) -> Vec<String> {
        let name = seat_name(seat as usize);
        let own = self.forced_texts(seat).into_iter();
        own.map(|text| format!("{name}: {text} (the only answer)"))
            .collect()
    }

    fn forced_texts(&self, of: u32) -> Vec<String> {
        let tree = self.session.tree();
        let current = tree.current();
        let lines = |id| Replay::of_tree(self.session.words(), tree, id).lines;
        let before = tree
            .node(current)
            .parent
            .map_or(0, |parent| lines(parent).len());
        let forced = lines(current)
            .into_iter()
            .skip(before)
            .filter_map(|line| match line.kind {
                LineKind::Answer {
                    seat,
                    text,
                    forced: true,
                } if seat == of => Some(text),
                _ => None,
            });
        forced.collect()
    }

    /// What a seat has seen, one part a node, from the set-up to where the game stands.
    fn seen(&self, seat: u32) -> Vec<Vec<&str>> {
        let tree = self.session.tree();
        let mut late = Vec::new();
        let path = tree.path(tree.current()).into_iter();
        let parts = path.map(|id| {
            let Some(seen) = self.log.get(&id).map(|seen| &seen[seat as usize]) else {
                return Vec::new();
            };
            let node = tree.node(id);
            let own = node.answer().is_some_and(|(who, _)| who == seat);
            let lines = seen.lines.iter().map(String::as_str);
            let mut part = Vec::new();
            if tree.is_kept_secret(id) && !own {
                late.extend(lines);
            } else {
                part.append(&mut late);
                part.extend(lines);
            }
            part.extend(seen.forced.iter().map(String::as_str));
            part
        });
        parts.collect()
    }
}

/// Answers with a text in them: one that is it, else those that begin with it, else those that hold it.
fn matching(answers: &[String], text: &str) -> Vec<usize> {
    let text = text.to_lowercase();
    let plain = |answer: &String| answer.to_lowercase().replace('"', "");
    let with = |test: &dyn Fn(&str) -> bool| -> Vec<usize> {
        (0..answers.len())
            .filter(|at| test(&plain(&answers[*at])))
            .collect()
    };
    let wanted = text.replace('"', "");
    [
        with(&|answer| interpreter::words::same_text(answer, &wanted)),
        with(&|answer| answer.starts_with(&wanted)),
        with(&|answer| answer.contains(&wanted)),
    ]
    .into_iter()
    .find(|found| !found.is_empty())
    .unwrap_or_default()
}
