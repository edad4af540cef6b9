//! The thread that plays what the laboratory asks for.

use super::{
    GameOf, NotSimulated, Opened, Order, Outcome, Simulated, Taught, Told, Trial, beside, name_of,
};
use crate::workshop::worker::Desk;
use crate::{files, models};
use dsl::assembly::Selection;
use dsl::diagnostic::Diagnostic;
use dsl::ir::{RuleSet, Ty};
use dsl::syntax::ast::AssignOp;
use interpreter::Program;
use interpreter::ask::Question;
use interpreter::playout::{
    self, Comparison, LESSON_ANSWERS_MAX, Lesson, PlayoutFault, Report, Side, Spec, Tally, Untaught,
};
use interpreter::replay;
use interpreter::stats::written::{count, grouped};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Games are told in so many parts, while others are still played.
const PARTS: u64 = 20;
/// A part has at least so many games for each thread.
const PART_GAMES: u64 = 8;
/// Games that are looked for; more than people open.
const FOUND_MAX: usize = 20;

/// An order that is being done.
pub(super) struct Run<'r> {
    order: &'r Order,
    done: &'r AtomicU64,
    desk: &'r Desk<Told>,
    spec: Spec,
}

impl<'r> Run<'r> {
    pub(super) fn new(order: &'r Order, done: &'r AtomicU64, desk: &'r Desk<Told>) -> Run<'r> {
        Run {
            order,
            done,
            desk,
            spec: order.spec(),
        }
    }

    pub(super) fn outcome(&self) -> Outcome {
        match &self.order.trial {
            Trial::Games { beside: None } => self.alone(),
            Trial::Games {
                beside: Some(other),
            } => self.beside(other),
            Trial::Sweep { option, values } => self.sweep(option, values),
            Trial::Find { condition } => self.find(condition),
            Trial::Train { seconds, file } => self.train(*seconds, file),
        }
    }

    fn so_far(&self, simulated: Simulated) {
        self.desk.send(Told {
            whole: false,
            outcome: Ok(simulated),
        });
    }

    fn progress(&self) -> impl Fn(u64) + Sync {
        let done = self.done;
        move |_| {
            done.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn play(
        &self,
        rules: &RuleSet,
        program: &Program,
        spec: &Spec,
    ) -> Result<Report, PlayoutFault> {
        let stop = self.desk.stop();
        playout::run(rules, program, spec, &self.progress(), stop, &mut |_, _| {})
    }

    /// The games that are played before something is told again, from this one on.
    fn part(&self, first: u64) -> Spec {
        let threads = self.spec.threads as u64;
        let most = (self.spec.games / PARTS).max(PART_GAMES * threads).max(1);
        Spec {
            first,
            games: most.min(self.spec.games - first),
            ..self.spec.clone()
        }
    }

    /// Part by part, each told with those before it.
    fn alone(&self) -> Outcome {
        let (rules, program) = lowered(self.order)?;
        let begin = Instant::now();
        let mut tally: Option<Tally> = None;
        let mut first = 0;
        loop {
            let part = self.part(first);
            let played = self.play(rules, &program, &part)?;
            let complete = played.is_complete();
            let all = match tally.take() {
                None => played.tally,
                Some(mut all) => {
                    all.merge(&played.tally);
                    all
                }
            };
            let mut report = Report::new(rules, &program, &self.spec, all.clone());
            report.elapsed = begin.elapsed();
            first += part.games;
            if first >= self.spec.games || !complete {
                return Ok(Simulated::Alone(Box::new(report)));
            }
            self.so_far(Simulated::Alone(Box::new(report)));
            tally = Some(all);
        }
    }

    /// The same games with other overlays, too; both are told part by part.
    fn beside(&self, other: &[String]) -> Outcome {
        let (rules, program) = lowered(self.order)?;
        let selection = Selection {
            overlays: other.to_vec(),
            language: self.order.rules.selection.language.clone(),
            ..Selection::default()
        };
        let manifest = self.order.rules.manifest();
        let title = manifest.and_then(|manifest| beside::title(manifest, other));
        let what = title.map_or_else(
            || "the game without overlays".to_owned(),
            |title| format!("the game with “{title}”"),
        );
        let base = of_selection(self.order, &selection, &what)?;
        let base_program = lower(&base, self.order.players)?;
        let side = |rules, program| Side { rules, program };
        let mut comparison = Comparison::new(side(&base, &base_program), side(rules, &program));
        let mut first = 0;
        loop {
            let part = self.part(first);
            let played = comparison.play(&part, &self.progress(), self.desk.stop());
            let complete = played.map_err(|(_, fault)| fault)?;
            first += part.games;
            let compared = Simulated::Beside(Box::new(comparison.compared(&self.spec)));
            if first >= self.spec.games || !complete {
                return Ok(compared);
            }
            self.so_far(compared);
        }
    }

    fn sweep(&self, option: &str, values: &[String]) -> Outcome {
        let told = |reports| Simulated::Swept {
            option: option.to_owned(),
            reports,
        };
        let mut swept: Vec<(String, Arc<Report>)> = Vec::new();
        for value in values {
            let mut selection = self.order.rules.selection.clone();
            selection.options.retain(|(name, _, _)| name != option);
            let set = (option.to_owned(), AssignOp::Set, value.clone());
            selection.options.push(set);
            let what = format!("the game with `{option} = {value}`");
            let rules = of_selection(self.order, &selection, &what)?;
            let program = lower(&rules, self.order.players)?;
            let report = self.play(&rules, &program, &self.spec)?;
            let complete = report.is_complete();
            swept.push((value.clone(), Arc::new(report)));
            if !complete {
                break;
            }
            self.so_far(told(swept.clone()));
        }
        Ok(told(swept))
    }

    fn find(&self, condition: &str) -> Outcome {
        let (rules, mut program) = lowered(self.order)?;
        let checked = &self.order.rules;
        let asked = dsl::expression(&checked.sources, &checked.compiled, condition);
        let asked = asked.map_err(|wrong| cannot(condition_wrong(condition, &wrong)))?;
        if asked.0.ty != Ty::Bool {
            return Err(cannot(format!(
                "`{condition}` does not say whether something holds: compare it with something, as `A.score > 60`"
            )));
        }
        let question = Question::new(rules, &mut program, &asked, 0);
        let question = question.map_err(|error| cannot(error.message))?;
        let (progress, stop) = (self.progress(), self.desk.stop());
        let asked = (&question, FOUND_MAX);
        let looked = playout::find(rules, &program, &self.spec, asked, &progress, stop)?;
        Ok(Simulated::Found(looked))
    }

    fn train(&self, seconds: u64, file: &Path) -> Outcome {
        let (rules, program) = lowered(self.order)?;
        let lesson = Lesson {
            games: None,
            seed: self.order.seed,
            threads: self.order.threads,
            name: name_of(file),
        };
        let (begin, time) = (Instant::now(), Duration::from_secs(seconds));
        let enough = || self.desk.is_stopped() || begin.elapsed() >= time;
        let learnt = playout::train(rules, &program, &lesson, &self.progress(), &enough);
        let taught = learnt.map_err(|untaught| match untaught {
            Untaught::Fault(fault) => NotSimulated::Fault(fault),
            Untaught::NoEnd { endless: 0 } => {
                cannot("no game came to its end in this time: give it more".into())
            }
            Untaught::NoEnd { endless } => cannot(format!(
                "{} had not ended after {} answers, none came to its end, so nothing was learnt: an end is `finish now`, `me wins \"…\"`, or a loop `repeat n`",
                count(endless as usize, "game"),
                grouped(u64::from(LESSON_ANSWERS_MAX)),
            )),
        })?;
        let shown = file.display().to_string();
        let written = files::write(file, models::write(&taught.model).as_bytes());
        Ok(Simulated::Taught(Taught {
            model: Arc::new(taught.model),
            endless: taught.endless,
            file: written
                .map(|()| shown.clone())
                .map_err(|why| format!("`{shown}` cannot be written: {why}")),
        }))
    }
}

/// Plays a game of an order once more.
pub(super) fn opened(order: &Order, game: &GameOf, stop: &AtomicBool) -> Opened {
    let (rules, program) = lowered(order).map_err(|why| match why {
        NotSimulated::CannotRun(why) => why,
        NotSimulated::Fault(fault) => fault.fault.message,
    })?;
    let spec = order.spec();
    let (seed, answers) = match game {
        GameOf::Seed { seed, answers } => (*seed, *answers),
        GameOf::Number(number) => (playout::game_seed(order.seed, *number), None),
        GameOf::Figure { figures, low, high } => {
            let number = first_with(rules, &program, &spec, (figures, *low, *high), stop);
            let number = number.ok_or("no game was found there")?;
            (playout::game_seed(order.seed, number), None)
        }
    };
    let bots = spec.seated(program.players);
    Ok((replay::played(rules, &program, &bots, seed), answers))
}

/// The first game of which one of the figures lies between two numbers.
fn first_with(
    rules: &RuleSet,
    program: &Program,
    spec: &Spec,
    (figures, low, high): (&[usize], i64, i64),
    stop: &AtomicBool,
) -> Option<u64> {
    let enough = AtomicBool::new(false);
    let mut found = None;
    let mut each = |game: u64, row: &playout::Row| {
        let mut values = figures
            .iter()
            .filter_map(|at| row.get(*at).copied().flatten());
        if found.is_none() && values.any(|value| (low..=high).contains(&value)) {
            found = Some(game);
        }
        if found.is_some() || stop.load(Ordering::Relaxed) {
            enough.store(true, Ordering::Relaxed);
        }
    };
    // A fault behind it is of no matter here; the simulation has told it.
    let _ = playout::run(rules, program, spec, &|_| {}, &enough, &mut each);
    found
}

fn cannot(why: String) -> NotSimulated {
    NotSimulated::CannotRun(why)
}

fn condition_wrong(condition: &str, wrong: &[Diagnostic]) -> String {
    let first = wrong.first();
    let message = first.map_or("it cannot be read", |one| one.message.as_str());
    format!("`{condition}`: {message}")
}

fn lower(rules: &RuleSet, players: u32) -> Result<Program, NotSimulated> {
    interpreter::lower(rules, players).map_err(|error| cannot(error.message))
}

/// The rules of an order, and what plays them.
fn lowered(order: &Order) -> Result<(&RuleSet, Program), NotSimulated> {
    let rules = order.rules.rules();
    let rules = rules.ok_or_else(|| cannot("the rules have mistakes".into()))?;
    Ok((rules, lower(rules, order.players)?))
}

/// The rules with other overlays or options, if they are for so many players.
fn of_selection(order: &Order, selection: &Selection, what: &str) -> Result<RuleSet, NotSimulated> {
    let checked = &order.rules;
    let compiled = dsl::compile(&checked.sources, &checked.game, selection);
    let why = match compiled.rules {
        Some(rules) if (rules.players.0..=rules.players.1).contains(&order.players) => {
            return Ok(rules);
        }
        Some(_) => format!("is not for {} players", order.players),
        None => {
            let first = compiled.diagnostics.first();
            let first = first.map_or_else(String::new, |one| format!(": {}", one.message));
            format!("has mistakes{first}")
        }
    };
    Err(cannot(format!("{what} {why}")))
}
