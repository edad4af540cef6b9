//! A worked case from a play-test: what led here, and what is expected of it.

use super::{Origin, Playable, Playtest};
use crate::workshop::sheet::name_in_rules;
use crate::written;
use dsl::assembly::Selection;
use dsl::ir::{Answer, AnswerKind};
use dsl::source::SourceSet;
use dsl::syntax::ast::AssignOp;
use interpreter::game::{NodeId, Session};
use interpreter::{Fault, State, scenario};
use std::fmt::Write as _;
use std::sync::Arc;

/// Answers offered that are written down as an expectation.
const CHOICES_MAX: usize = 8;

impl Playtest {
    /// The text of a scenario that leads to where the game stands and expects it to be as it is. It has been run: it passes.
    ///
    /// # Errors
    /// Why there can be none, in a sentence.
    pub fn scenario_here(&mut self, title: &str) -> Result<String, String> {
        let title = title.replace(['"', '\\', '\n'], " ");
        let text = self.scenario_text(&title);
        runs(&self.game, &text).map(|_| text)
    }

    /// The game with a cell set by hand, as the rules write both: `A.hand`, `{red: 3}`. Pieces come from where a worked case takes
    /// them, so that their number stays true.
    ///
    /// # Errors
    /// Why it cannot be so, in a sentence.
    pub fn with_given(&mut self, cell: &str, value: &str) -> Result<Playtest, String> {
        let title = "set by hand";
        let lines = self.way_here() + &format!("  given {cell} = {}\n", value.trim());
        let text = self.heading(title) + &lines;
        let state = runs(&self.game, &text)?;
        let mut game =
            Playtest::at(self.game.clone(), &state, self.seed()).map_err(|fault| fault.message)?;
        game.tree.bots = self.tree.bots.clone();
        game.eyes = self.eyes;
        game.version = self.version + 1;
        game.watch_all(self.watches.iter().map(|(text, _)| text.clone()).collect());
        game.origin = Some(Arc::new(Origin {
            text: lines,
            before: Box::new(self.clone()),
        }));
        Ok(game)
    }

    /// The position that the lines of a scenario lead to, instead of the set-up.
    pub(super) fn set_as(&self, lines: &str) -> Result<Playtest, String> {
        let mut origin = self.clone();
        origin.origin = Some(Arc::new(Origin {
            text: lines.to_owned(),
            before: Box::new(self.clone()),
        }));
        let set = origin.set_again(&self.game)?;
        let mut set = set.ok_or("it was not set by hand")?;
        set.tree.bots.clone_from(&self.tree.bots);
        Ok(set)
    }

    /// A game that begins in a state in which somebody is asked.
    fn at(game: Arc<Playable>, state: &State, seed: u64) -> Result<Playtest, Fault> {
        let session = Session::from_state(game.rules(), &game.program, state, seed)?;
        let tree = session.into_tree();
        Ok(Playtest::of(game, tree))
    }

    /// The position that was set by hand, under other rules.
    pub(super) fn set_again(&self, game: &Arc<Playable>) -> Result<Option<Playtest>, String> {
        let Some(origin) = &self.origin else {
            return Ok(None);
        };
        let title = "set by hand";
        let state = runs(game, &(self.heading(title) + &origin.text))?;
        let mut set =
            Playtest::at(game.clone(), &state, self.seed()).map_err(|fault| fault.message)?;
        set.origin = Some(origin.clone());
        Ok(Some(set))
    }

    fn scenario_text(&mut self, title: &str) -> String {
        self.heading(title) + &self.way_here() + &self.expectations()
    }

    fn heading(&self, title: &str) -> String {
        let selection = &self.game.checked.selection;
        let with = match selection.overlays.is_empty() {
            true => String::new(),
            false => format!(" with {}", selection.overlays.join(", ")),
        };
        format!("scenario \"{title}\" of {}{with}\n", self.game.rules().id)
    }

    /// The lines that lead to where the game stands.
    fn way_here(&self) -> String {
        let game = &self.game;
        if let Some(origin) = &self.origin {
            let path = self.tree.path(self.tree.current());
            let path: Vec<NodeId> = path.into_iter().skip(1).collect();
            return origin.text.clone() + &self.lines_of_answers(&path);
        }
        let mut text = String::new();
        let _ = writeln!(text, "  players {}", self.players());
        text += &options(&game.checked.selection);
        let _ = writeln!(text, "  seed {}", self.seed());
        let path = self.tree.path(self.tree.current());
        let (before, after): (Vec<NodeId>, Vec<NodeId>) = path
            .into_iter()
            .skip(1)
            .partition(|id| self.is_answer_of_set_up(*id));
        if !before.is_empty() {
            text += "  before setup\n";
        }
        for id in before {
            if let Some((seat, answer)) = self.tree.node(id).answer() {
                let (seat, answer) = (game.words().seat(seat as i32), as_written(answer));
                let _ = writeln!(text, "    {seat}: {answer}");
            }
        }
        text + &self.lines_of_answers(&after)
    }

    /// The answer that led to this point was one of the set-up.
    fn is_answer_of_set_up(&self, id: NodeId) -> bool {
        let Some(parent) = self.tree.node(id).parent else {
            return false;
        };
        let words = self.tree.node(parent).state().words();
        let labels = self
            .game
            .rules
            .labels
            .iter()
            .zip(&self.game.program.label_words);
        let mut set_up = labels.filter(|(label, _)| label.name == "setup");
        set_up.any(|(_, word)| words[*word as usize + 1] != 0)
    }

    /// Answers that one seat gave in a row stand in one line.
    fn lines_of_answers(&self, path: &[NodeId]) -> String {
        let (mut text, mut asked) = (String::new(), None);
        for id in path {
            let Some((seat, answer)) = self.tree.node(*id).answer() else {
                continue;
            };
            let answer = as_written(answer);
            if asked == Some(seat) {
                let _ = write!(text, "; {answer}");
                continue;
            }
            if asked.is_some() {
                text.push('\n');
            }
            let _ = write!(text, "  {}: {answer}", self.game.words().seat(seat as i32));
            asked = Some(seat);
        }
        if asked.is_some() {
            text.push('\n');
        }
        text
    }

    fn expectations(&mut self) -> String {
        let game = self.game.clone();
        let name = |seat: usize| game.words().seat(seat as i32);
        if self.is_over() {
            let (winners, drawn, ending) = self.with(|session| {
                let machine = session.machine_mut();
                let winners = machine.winning_seats();
                let ending = match winners.as_slice() {
                    [only] => machine.ending_of(*only as u32),
                    _ => machine.ending(),
                };
                (winners, machine.is_drawn(), ending)
            });
            let words = game.words();
            let called = ending.and_then(|ending| words.ending_name(ending));
            let winners: Vec<String> = winners.iter().map(|seat| name(*seat as usize)).collect();
            return match (called, winners.as_slice()) {
                (Some(called), _) if drawn => format!("  expect draw \"{called}\"\n"),
                (Some(called), [winner]) => format!("  expect {winner} wins \"{called}\"\n"),
                _ => format!(
                    "  expect finished and winners = {{{}}}\n",
                    winners.join(", ")
                ),
            };
        }
        let question = self.question();
        let asked = question
            .seat
            .map_or_else(String::new, |seat| name(seat as usize));
        let mut text = format!("  expect decision = {asked}\n");
        let answers = question.answers.iter();
        let answers: Vec<String> = answers.map(|one| as_written(&one.text)).collect();
        if answers.len() <= CHOICES_MAX && answers.iter().all(|one| !one.contains('#')) {
            let _ = writeln!(text, "  expect choices = {{{}}}", answers.join(", "));
        }
        text
    }
}

/// An answer of a replay as a scenario writes it: there a name that is more than one word stands in quotes.
fn as_written(answer: &str) -> String {
    written::answer(answer).map_or_else(|| answer.to_owned(), |answer| quoted(&answer))
}

fn quoted(answer: &Answer) -> String {
    let all = |answers: &[Answer]| answers.iter().map(quoted).collect::<Vec<_>>().join(", ");
    match &answer.kind {
        AnswerKind::Word(word) => name_in_rules(word),
        AnswerKind::Number(number) => number.to_string(),
        AnswerKind::Call(name, args) => format!("{name}({})", all(args)),
        AnswerKind::Set(items) => format!("{{{}}}", all(items)),
        AnswerKind::List(items) => format!("[{}]", all(items)),
        AnswerKind::Bag(items) => {
            let parts = items
                .iter()
                .map(|(kind, count)| format!("{}: {count}", quoted(kind)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
    }
}

/// Values of options that were chosen for this session.
fn options(selection: &Selection) -> String {
    let lines = selection.options.iter().map(|(name, op, value)| {
        let op = match op {
            AssignOp::Set => "=",
            AssignOp::Add => "+=",
            AssignOp::Subtract => "-=",
        };
        format!("  set {name} {op} {value}\n")
    });
    lines.collect()
}

/// Where a scenario's text leads, if it can be read and passes under these rules.
fn runs(game: &Playable, text: &str) -> Result<State, String> {
    let mut sources: SourceSet = game.checked.sources.clone();
    let file = sources.insert(format!("{}/scenarios/new.scenario", game.rules().id), text);
    let heading = dsl::headings(&sources, file).into_iter().next();
    let Some(heading) = heading else {
        return Err("the way here cannot be written as a scenario".into());
    };
    let (found, problems) = dsl::scenario(&sources, &game.checked.compiled, file, &heading);
    if let Some(problem) = problems.iter().find(|problem| problem.is_error()) {
        return Err(format!(
            "the way here cannot be written as a scenario: {}",
            problem.message
        ));
    }
    let Some(found) = found else {
        return Err("the way here cannot be written as a scenario".into());
    };
    let report = scenario::run_on(game.rules(), &game.program, Some(&sources), &found);
    match (report.failure, report.state) {
        (Some(failure), _) => Err(format!(
            "the way here does not go as a scenario: {}",
            failure.message
        )),
        (None, Some(state)) => Ok(state),
        (None, None) => Err("the way here leads nowhere".into()),
    }
}
