//! What a person can ask for beside answering: back and forth, why not, how it stands, what happened.

use super::{ANSWERS_SHOWN_MAX, LOG_SHOWN_MAX, Shown, Table, Typed};
use crate::cli::play::result;
use crate::cli::simulate::show_fault;
use crate::cli::{Outcome, Shell};
use crate::written::{self, Why};
use interpreter::ask::Eyes;
use interpreter::explain;
use interpreter::header;
use interpreter::playout::seat_name;
use interpreter::words::Sentence;

impl Table<'_> {
    /// Back to the last decision of a person; bots between are taken back too.
    pub(super) fn undo(&mut self, shell: &mut Shell) -> Outcome<Typed> {
        let from = self.session.tree().position();
        let persons =
            |table: &Table| table.session.seat().is_some() && table.session.bot_to_move().is_none();
        let mut moved = false;
        while self.step(shell)? {
            moved = true;
            if persons(self) {
                break;
            }
        }
        if !moved {
            writeln!(shell.out, "There is nothing to undo.")?;
            return Ok(Typed::Again);
        }
        if !persons(self) {
            let _ = self.session.jump(from);
            writeln!(shell.out, "There is nothing of yours to undo.")?;
            return Ok(Typed::Again);
        }
        let now = self.session.tree().position() + 1;
        self.forget_from(now);
        writeln!(shell.out, "Taken back.")?;
        Ok(Typed::Moved)
    }

    pub(super) fn redo(&mut self, shell: &mut Shell) -> Outcome<Typed> {
        let line = self.session.tree().line().to_vec();
        let position = self.session.tree().position();
        let Some(next) = line.get(position + 1) else {
            writeln!(shell.out, "There is nothing to redo.")?;
            return Ok(Typed::Again);
        };
        let text = self
            .session
            .tree()
            .node(*next)
            .answer()
            .map(|(_, text)| text.to_owned())
            .unwrap_or_default();
        match self
            .session
            .answers()
            .iter()
            .position(|answer| *answer == text)
        {
            Some(at) => self.take(shell, at),
            None => Ok(Typed::Again),
        }
    }

    /// One decision back, a bot's too.
    fn step(&mut self, shell: &mut Shell) -> Outcome<bool> {
        match self.session.undo() {
            Ok(moved) => Ok(moved),
            Err(fault) => {
                show_fault(shell, self.chosen, &fault)?;
                Ok(false)
            }
        }
    }

    pub(super) fn why(&mut self, shell: &mut Shell, what: &str) -> Outcome<()> {
        if self.session.is_over() {
            writeln!(shell.out, "The game is over.")?;
            return Ok(());
        }
        let words = self
            .session
            .words()
            .with_sources(&self.chosen.game.loaded.sources);
        if what.is_empty() {
            let eyes = Eyes::Of(self.session.seat());
            let refused = explain::all_refused(&words, self.session.machine_mut(), eyes);
            if refused.is_empty() {
                writeln!(shell.out, "Everything is offered.")?;
            }
            for one in refused.iter().take(ANSWERS_SHOWN_MAX) {
                let reasons: Vec<String> = one
                    .reasons
                    .iter()
                    .map(|reason| words.full(reason))
                    .collect();
                writeln!(shell.out, "  {}: {}", one.said, reasons.join("; "))?;
            }
            if refused.len() > ANSWERS_SHOWN_MAX {
                writeln!(
                    shell.out,
                    "  and {} more; `why NAME` tells of one",
                    refused.len() - ANSWERS_SHOWN_MAX
                )?;
            }
            return Ok(());
        }
        let eyes = Eyes::Of(self.session.seat());
        match written::why(&words, self.session.machine_mut(), what, eyes) {
            Why::Unreadable => writeln!(
                shell.out,
                "`{what}` cannot be read: write it as in a scenario, `claim(x, {{red: 2}})`."
            )?,
            Why::Offered => writeln!(shell.out, "It is possible.")?,
            Why::NotNow => {
                let question = words.question(self.session.machine_mut());
                writeln!(
                    shell.out,
                    "Nothing is against it, but what is asked now is: {question}"
                )?;
            }
            Why::Refused(reasons) => {
                for reason in &reasons {
                    writeln!(shell.out, "  {}", words.full(reason))?;
                }
            }
        }
        Ok(())
    }

    /// What the person at the keyboard sees; when the game is over, everything.
    pub(super) fn show_state(&mut self, shell: &mut Shell) -> Outcome<()> {
        let state = self.state();
        let seen = match self.session.seat() {
            Some(seat) if !self.session.is_over() => self.observer.observe(&state, Some(seat)),
            _ => self.observer.reveal(&state),
        };
        for line in self.session.words().observed(&seen) {
            writeln!(shell.out, "  {line}")?;
        }
        if self.chosen.rules.scores.is_empty() {
            return Ok(());
        }
        let players = self.program.players;
        let at_end: Vec<bool> = self
            .chosen
            .rules
            .scores
            .iter()
            .map(|line| line.at_end)
            .collect();
        let over = self.session.is_over();
        let eyes = match self.session.seat() {
            Some(seat) if !over => Eyes::Of(Some(seat)),
            _ => Eyes::Open,
        };
        let scores: Vec<String> = (0..players)
            .map(|seat| {
                let lines = self.session.machine_mut().scores_seen(seat, eyes);
                let lines = lines.into_iter().zip(&at_end);
                let told = lines.filter(|(_, at_end)| over || !**at_end);
                let told: Vec<Option<i32>> = told.map(|(score, _)| score).collect();
                let known: i32 = told.iter().flatten().sum();
                let name = seat_name(seat as usize);
                match (told.contains(&None), told.iter().any(Option::is_some)) {
                    (false, _) => format!("{name} {known}"),
                    (true, true) => format!("{name} {known} + ?"),
                    (true, false) => format!("{name} ?"),
                }
            })
            .collect();
        writeln!(shell.out, "  score so far: {}", scores.join(", "))?;
        Ok(())
    }

    pub(super) fn show_log(&self, shell: &mut Shell, all: bool) -> Outcome<()> {
        let viewer = self.session.seat().or(self.at_keyboard).unwrap_or(0);
        let sentences = self.sentences(&self.heard(viewer, Shown::default()));
        if sentences.is_empty() {
            writeln!(shell.out, "Nothing has happened yet.")?;
        }
        let from = match all {
            true => 0,
            false => sentences.len().saturating_sub(LOG_SHOWN_MAX),
        };
        for sentence in &sentences[from..] {
            if !all {
                writeln!(shell.out, "  {}", sentence.line())?;
                continue;
            }
            writeln!(shell.out, "  {}", sentence.text)?;
            for (line, _) in &sentence.folded {
                writeln!(shell.out, "    {line}")?;
            }
        }
        Ok(())
    }

    /// What happened since the person at the keyboard saw it last. What is still being done is told when it is done.
    pub(super) fn show_news(&mut self, shell: &mut Shell) -> Outcome<()> {
        let mut people = (0..self.program.players)
            .filter(|seat| self.session.tree().bots[*seat as usize].is_none());
        let seat = self.session.seat().or(self.at_keyboard);
        let Some(seat) = seat.or_else(|| people.next()) else {
            return Ok(());
        };
        let from = self.shown[seat as usize];
        let heard = self.heard(seat, from);
        let mut now = Shown::up_to(self.session.tree().position() + 1);
        let mut sentences = self.sentences(&heard);
        if let Some(last) = sentences.last()
            && let Some((node, _)) = heard.get(last.answers.start)
            && self.goes_on(last, *node)
        {
            // What was told at the same node before it is not told again.
            let before = &heard[..last.answers.start];
            let told = before.iter().filter(|(at, _)| at == node).count();
            let already = if *node == from.node { from.told } else { 0 };
            now = Shown {
                node: *node,
                told: already + told,
            };
            sentences.pop();
        }
        for sentence in &sentences {
            writeln!(shell.out, "{}", shell.paint().dim(&sentence.line()))?;
        }
        self.shown[seat as usize] = now;
        Ok(())
    }

    /// Whether who is asked is asked within what is told, which began with the answer that led to a node of the line.
    fn goes_on(&self, told: &Sentence, node: usize) -> bool {
        let tree = self.session.tree();
        let path = tree.path(tree.current());
        let depth = |id| tree.node(id).state().words()[header::FP];
        let before = node.checked_sub(1).and_then(|at| path.get(at));
        let within = before.is_some_and(|before| depth(tree.current()) > depth(*before));
        self.session.seat() == Some(told.seat) && (within || told.bare)
    }

    pub(super) fn show_result(&mut self, shell: &mut Shell) -> Outcome<()> {
        let table = result(
            self.chosen,
            self.session.machine_mut(),
            self.program.players,
        );
        let words = *self.session.words();
        let end = words.end(self.session.machine_mut());
        let paint = shell.paint();
        let told = paint.bold(&format!("The game is over: {end}."));
        writeln!(shell.out, "\n{told}")?;
        for line in table.lines() {
            writeln!(shell.out, "{line}")?;
        }
        Ok(())
    }
}
