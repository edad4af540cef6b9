//! The judge: plays a rule set on the program and on the plain one, in which every answer is proved by running, side by side,
//! and demands that nobody could tell them apart.

use crate::games::of_text;
use dsl::assembly::Selection;
use dsl::ir::RuleSet;
use dsl::source::{SourceSet, Span};
use interpreter::ask::Eyes;
use interpreter::bots::{Bot, BotChance};
use interpreter::explain::{all_refused, why_not};
use interpreter::playout::{Table, game_seed};
use interpreter::words::{Words, print};
use interpreter::{
    AnswerKind, Fault, LowerError, Machine, Program, State, Stop, lower, lower_eager, lower_plain,
};

/// Work that looking ahead on the plain program may come to for one rule set, before the rest of it is left out.
const WORK_MAX: i64 = 12_000_000;
/// Answers of a decision of which reasons are asked, and decisions between.
const ASKED_MAX: usize = 24;
const ASKED_EVERY: usize = 4;
/// Answers of a game in a hurry.
const HURRIED_MAX: u32 = 2_000;

/// How much is played.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    pub seed: u64,
    pub games: u64,
    /// Asks for reasons too.
    pub why: bool,
    /// Decisions of a game.
    pub decisions: usize,
    /// Nobody may come to a dead end.
    pub strict: bool,
}

/// What was seen while nothing was amiss.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub games: u64,
    pub ended: u64,
    pub decisions: u64,
    /// Decisions with more than one answer.
    pub choices: u64,
    /// Looking ahead came to a bound: not compared.
    pub broken_off: u64,
    /// Decisions where what leads to nothing but a fault of the rules is offered by one of them only.
    pub foreseen: u64,
    /// Decisions where the plain program leaves open what the other one refuses.
    pub sharper: u64,
    /// Games that ended in the same fault.
    pub faults: u64,
    /// Of these the ones in which nothing could be done, though an answer had been chosen.
    pub dead_ends: u64,
    /// Answers refused that reasons were asked of.
    pub refused: u64,
}

impl Spec {
    /// Games that are short.
    pub fn new(seed: u64, games: u64) -> Spec {
        Spec {
            seed,
            games,
            why: seed.is_multiple_of(3),
            decisions: 80,
            strict: false,
        }
    }
}

impl Seen {
    pub fn add(&mut self, other: &Seen) {
        let pairs = [
            (&mut self.games, other.games),
            (&mut self.ended, other.ended),
            (&mut self.decisions, other.decisions),
            (&mut self.choices, other.choices),
            (&mut self.broken_off, other.broken_off),
            (&mut self.foreseen, other.foreseen),
            (&mut self.sharper, other.sharper),
            (&mut self.faults, other.faults),
            (&mut self.dead_ends, other.dead_ends),
            (&mut self.refused, other.refused),
        ];
        for (sum, more) in pairs {
            *sum += more;
        }
    }
}

/// What a difference is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The programs do not fit each other.
    Layout,
    /// Offered, though one cannot go on from it.
    TooMuch,
    /// Not offered, though one can go on from it.
    TooLittle,
    Order,
    /// Marked, though it can be proved.
    Mark,
    State,
    Fault,
    /// One goes on where the other does not.
    End,
    /// Nobody could do anything, and the rules do not say so: both find it.
    DeadEnd,
    /// Refused by an explanation, though it is offered.
    WhyOffered,
    /// Not offered, and no reason is found.
    NoReason,
    /// Seats that look for no more answers than they need play another game than those who know all.
    Hurry,
    /// A mistake of the interpreter.
    Panic,
}

/// Where the two differ.
#[derive(Clone, Debug)]
pub struct Difference {
    pub kind: Kind,
    pub players: u32,
    pub seed: u64,
    pub decision: usize,
    pub span: Span,
    pub text: String,
}

/// A rule set to be judged, for some number of players.
pub struct Case {
    pub sources: SourceSet,
    pub rules: RuleSet,
    pairs: Vec<(Program, Program)>,
}

impl Case {
    /// Of the text of one file, as small as it may be with all shortcuts; a variant may stand behind the rules, from a line
    /// on that begins so.
    ///
    /// # Errors
    /// The codes of its mistakes.
    pub fn of(text: &str, players: &[u32]) -> Result<Case, Vec<String>> {
        let Some((rules, variant)) = text.split_once("\nvariant ") else {
            let sources = of_text("case", "2, 4", text);
            return Case::lowered(sources, "case", &Selection::default(), players, lower_eager);
        };
        let mut sources = of_text("case", "2, 4", format!("{rules}\n"));
        let manifest = sources
            .find("case/game.toml")
            .map(|file| sources.text(file));
        let manifest = format!("{}overlays = [\"house\"]\n", manifest.unwrap_or_default());
        sources.insert("case/game.toml", manifest);
        sources.insert("case/variants/house.rules", format!("variant {variant}"));
        let selection = Selection {
            overlays: vec!["house".to_owned()],
            ..Selection::default()
        };
        Case::lowered(sources, "case", &selection, players, lower_eager)
    }

    /// Of a game as it is.
    ///
    /// # Errors
    /// The codes of its mistakes.
    pub fn of_sources(
        sources: SourceSet,
        id: &str,
        selection: &Selection,
        players: &[u32],
    ) -> Result<Case, Vec<String>> {
        Case::lowered(sources, id, selection, players, lower)
    }

    fn lowered(
        sources: SourceSet,
        id: &str,
        selection: &Selection,
        players: &[u32],
        lower: impl Fn(&RuleSet, u32) -> Result<Program, LowerError>,
    ) -> Result<Case, Vec<String>> {
        let compiled = dsl::compile(&sources, id, selection);
        let Some(rules) = compiled.rules else {
            let errors = compiled.diagnostics.iter().filter(|one| one.is_error());
            return Err(errors
                .map(|one| {
                    format!(
                        "{}: {} ({})",
                        one.code,
                        one.message,
                        sources.place(one.span)
                    )
                })
                .collect());
        };
        let mut pairs = Vec::new();
        for players in players {
            let lowered = |made: Result<Program, LowerError>| {
                made.map_err(|error| {
                    vec![format!(
                        "lower: {} ({})",
                        error.message,
                        sources.place(error.span)
                    )]
                })
            };
            pairs.push((
                lowered(lower(&rules, *players))?,
                lowered(lower_plain(&rules, *players))?,
            ));
        }
        Ok(Case {
            sources,
            rules,
            pairs,
        })
    }

    /// Plays; what was seen, or the first difference.
    ///
    /// # Errors
    /// The difference.
    pub fn judge(&self, spec: &Spec) -> Result<Seen, Box<Difference>> {
        let mut seen = Seen::default();
        for (full, plain) in &self.pairs {
            let mut game = Game::new(&self.rules, full, plain, spec);
            for number in 0..spec.games {
                if game.work > WORK_MAX {
                    break;
                }
                let play = std::panic::AssertUnwindSafe(|| game.play(game_seed(spec.seed, number)));
                match std::panic::catch_unwind(play) {
                    Ok(played) => played?,
                    Err(_) => {
                        return Err(
                            game.difference(Kind::Panic, "the interpreter panics".to_owned())
                        );
                    }
                }
            }
            game.hurry(game_seed(spec.seed, spec.games))?;
            seen.add(&game.seen);
        }
        Ok(seen)
    }

    /// What to print of a difference.
    pub fn told(&self, difference: &Difference) -> String {
        format!(
            "{:?} at {} with {} players, seed {}, decision {}:\n{}",
            difference.kind,
            self.sources.place(difference.span),
            difference.players,
            difference.seed,
            difference.decision,
            difference.text
        )
    }
}

/// One game on two machines.
struct Game<'a> {
    words: Words<'a>,
    full: Machine<'a>,
    plain: Machine<'a>,
    chance: BotChance,
    why: bool,
    decisions: usize,
    strict: bool,
    seen: Seen,
    work: i64,
    seed: u64,
    decision: usize,
    /// Looking ahead came to a bound in this game: the two may have gone on from different answers since.
    loose: bool,
    states: [State; 2],
}

/// A rule's own mistake that one meets by going on, never by looking ahead.
fn is_stuck(fault: &Fault) -> bool {
    fault.message.contains("nothing can be done here: ")
        || fault.message.contains("no answer is possible here")
}

/// An answer that comes to no end. Which of its bounds it meets first is nobody's promise: what is remembered is no work.
fn is_endless(fault: &Fault) -> bool {
    fault.message.starts_with("one answer takes too much work")
        || fault.message.starts_with("one answer runs too many steps")
}

impl<'a> Game<'a> {
    fn new(rules: &'a RuleSet, full: &'a Program, plain: &'a Program, spec: &Spec) -> Game<'a> {
        let machine = |program| {
            let mut machine = Machine::new(program);
            machine.stand_at_only_answers();
            machine
        };
        Game {
            words: Words::new(rules, full),
            full: machine(full),
            plain: machine(plain),
            chance: BotChance::new(spec.seed, 7),
            why: spec.why,
            decisions: spec.decisions,
            strict: spec.strict,
            seen: Seen::default(),
            work: 0,
            seed: 0,
            decision: 0,
            loose: false,
            states: [State::new(), State::new()],
        }
    }

    /// Once a bound was met the two may come apart, since each goes back from dead ends to what it has marked.
    fn play(&mut self, seed: u64) -> Result<(), Box<Difference>> {
        match self.play_whole(seed) {
            Err(_) if self.loose => Ok(()),
            played => played,
        }
    }

    fn play_whole(&mut self, seed: u64) -> Result<(), Box<Difference>> {
        (self.seed, self.decision, self.loose) = (seed, 0, false);
        self.chance = BotChance::new(seed, 7);
        self.seen.games += 1;
        self.fits()?;
        let mut stops = (self.full.start(seed), self.plain.start(seed));
        // An answer has led here.
        let mut answered = false;
        loop {
            match stops {
                (Ok(Stop::Decision), Ok(Stop::Decision)) => {}
                (Ok(Stop::Over), Ok(Stop::Over)) => {
                    self.seen.ended += 1;
                    return self.same_state();
                }
                (Err(one), Err(other)) => return self.faults(&one, &other, answered),
                (Ok(Stop::Decision), _) | (_, Ok(Stop::Decision))
                    if self.plain.broke_off() || self.full.broke_off() =>
                {
                    self.seen.broken_off += 1;
                    return Ok(());
                }
                (Err(fault), Ok(_)) | (Ok(_), Err(fault))
                    if is_stuck(&fault) && self.foresaw_fault() =>
                {
                    self.seen.foreseen += 1;
                    return Ok(());
                }
                // What the plain one must leave open is known to lead nowhere.
                (Err(fault), Ok(Stop::Decision)) if is_stuck(&fault) && all_open(&self.plain) => {
                    self.seen.sharper += 1;
                    return Ok(());
                }
                (Ok(Stop::Over), Ok(Stop::Decision)) if all_open(&self.plain) => {
                    self.seen.sharper += 1;
                    return Ok(());
                }
                (Ok(Stop::Decision), Ok(Stop::Over)) if all_open(&self.full) => {
                    self.seen.sharper += 1;
                    return Ok(());
                }
                (one, other) => return self.ends(one, other),
            }
            let compared = !self.plain.broke_off() && !self.full.broke_off();
            // An answer that nobody proved may have led one of them to where the other has still to find that it leads nowhere.
            self.loose |= !compared;
            match self.same_state() {
                // One tried a way into a fault of the rules, which leads on, where the other knew that it helps nothing.
                Err(_) if self.foresaw_fault() => {
                    self.seen.foreseen += 1;
                    return Ok(());
                }
                // One has proved what the other must leave open, and so went back or on.
                Err(_) if all_open(&self.plain) || all_open(&self.full) => {
                    self.seen.sharper += 1;
                    return Ok(());
                }
                same => same?,
            }
            self.seen.decisions += 1;
            self.work += self.plain.looked_ahead() + 2_000;
            if compared {
                match self.same_answers() {
                    Err(_) if self.foresaw_fault() => {
                        self.seen.foreseen += 1;
                        self.loose = true;
                    }
                    same => same?,
                }
            } else {
                self.seen.broken_off += 1;
            }
            self.seen.choices += u64::from(self.full.answers().len() > 1);
            // What has but one answer resolves itself, where explanations ask.
            let is_choice = self.full.answers().len() > 1;
            if self.why && compared && is_choice && self.decision.is_multiple_of(ASKED_EVERY) {
                self.reasons()?;
            }
            if self.decision == self.decisions || self.work > WORK_MAX {
                return Ok(());
            }
            self.decision += 1;
            let Some((at, other)) = self.choose() else {
                return Ok(());
            };
            stops = (self.full.answer(at), self.plain.answer(other));
            answered = true;
        }
    }

    /// One answer that both offer.
    fn choose(&mut self) -> Option<(usize, usize)> {
        let (one, other) = (self.full.answers(), self.plain.answers());
        let both: Vec<(usize, usize)> = (0..one.len())
            .filter_map(|at| Some((at, other.position(&one.get(at))?)))
            .collect();
        (!both.is_empty()).then(|| both[self.chance.below(both.len())])
    }

    /// One game of seats that answer at random, with all answers known and with no more than are needed. Of answers that
    /// nobody could prove it depends on how many are tried which are.
    fn hurry(&mut self, seed: u64) -> Result<(), Box<Difference>> {
        let program = self.full.program();
        let cells = ..program.fixed_words as usize;
        let mut slow = Table::new(program, vec![Bot::Random]);
        let mut fast = Table::hasty(program, vec![Bot::Random]);
        let mut stop = slow.start(seed);
        let mut other = fast.start(seed);
        (self.seed, self.decision) = (seed, 0);
        let [mut one, mut two] = [State::new(), State::new()];
        let mut left = HURRIED_MAX;
        // Who is in a hurry stands at an answer that may have to be taken back, where the other has done so already.
        let open = |table: &Table<'_>| {
            let offered = table.machine.answers();
            (0..offered.len()).any(|at| offered.is_unproved(at))
        };
        loop {
            while matches!(other, Ok(Stop::Decision))
                && left > 0
                && !open(&fast)
                && (!matches!(stop, Ok(Stop::Decision)) || fast.answers() < slow.answers())
            {
                left -= 1;
                other = fast.step();
            }
            if left == 0 || self.decision > self.decisions {
                return Ok(());
            }
            let told = match (&stop, &other) {
                (Ok(one), Ok(other)) if one == other => None,
                (Err(_), Err(_)) => return Ok(()),
                (one, other) => Some(format!("`{one:?}`, in a hurry `{other:?}`")),
            };
            slow.machine.save(&mut one);
            fast.machine.save(&mut two);
            if open(&slow) || open(&fast) || slow.machine.foresaw_fault() {
                return Ok(());
            }
            let told = told.or_else(|| {
                let differ = one.words()[cells] != two.words()[cells];
                differ.then(|| "it comes to another state in a hurry".to_owned())
            });
            if let Some(told) = told {
                return Err(self.difference_at(Kind::Hurry, slow.machine.position().1, told));
            }
            if stop == Ok(Stop::Over) {
                return Ok(());
            }
            self.decision += 1;
            stop = slow.step();
            other = fast.step();
        }
    }

    fn foresaw_fault(&self) -> bool {
        self.plain.foresaw_fault() || self.full.foresaw_fault()
    }

    fn fits(&self) -> Result<(), Box<Difference>> {
        let (one, other) = (self.full.program(), self.plain.program());
        let same = one.fixed_words == other.fixed_words
            && one.code.len() == other.code.len()
            && one.cells.len() == other.cells.len();
        if same {
            return Ok(());
        }
        Err(self.difference(
            Kind::Layout,
            "the states of one are not those of the other".to_owned(),
        ))
    }

    fn difference(&self, kind: Kind, text: String) -> Box<Difference> {
        self.difference_at(kind, self.full.position().1, text)
    }

    fn difference_at(&self, kind: Kind, span: Span, text: String) -> Box<Difference> {
        Box::new(Difference {
            kind,
            players: self.full.program().players,
            seed: self.seed,
            decision: self.decision,
            span,
            text,
        })
    }

    fn same_state(&mut self) -> Result<(), Box<Difference>> {
        let [one, other] = &mut self.states;
        self.full.save(one);
        self.plain.save(other);
        // Of the frames behind the cells, the choices that are made anew before they are read do not matter.
        let fixed = self.full.program().fixed_words as usize;
        let (one, other) = (
            &self.states[0].words()[..fixed],
            &self.states[1].words()[..fixed],
        );
        let Some(at) = (0..fixed).find(|at| one[*at] != other[*at]) else {
            return Ok(());
        };
        let cell = self.words.cell_of(at as u32);
        let name = cell.map_or_else(
            || "-".to_owned(),
            |(slot, ..)| self.full.program().cells[slot.at()].name.clone(),
        );
        let text = format!(
            "word {at} (`{name}`) is {}, on the plain program {}",
            one[at], other[at]
        );
        Err(self.difference(Kind::State, text))
    }

    fn faults(
        &mut self,
        one: &Fault,
        other: &Fault,
        answered: bool,
    ) -> Result<(), Box<Difference>> {
        // Which of the ways that lead nowhere was tried last is nobody's promise.
        let told = |fault: &Fault| {
            let message = fault.message.split("; the last that was tried").next();
            (fault.span, message.unwrap_or_default().to_owned())
        };
        if told(one) != told(other) && !(is_endless(one) && is_endless(other)) {
            let text = format!(
                "`{}`, on the plain program `{}`",
                one.message, other.message
            );
            return Err(self.difference_at(Kind::Fault, one.span, text));
        }
        self.seen.faults += 1;
        if is_stuck(one) && answered {
            self.seen.dead_ends += 1;
            if self.strict {
                return Err(self.difference_at(Kind::DeadEnd, one.span, one.message.clone()));
            }
        }
        Ok(())
    }

    fn ends(
        &mut self,
        one: Result<Stop, Fault>,
        other: Result<Stop, Fault>,
    ) -> Result<(), Box<Difference>> {
        let told = |stop: &Result<Stop, Fault>| match stop {
            Ok(stop) => format!("{stop:?}"),
            Err(fault) => fault.message.clone(),
        };
        let text = format!("`{}`, on the plain program `{}`", told(&one), told(&other));
        let span = match (&one, &other) {
            (Err(fault), _) | (_, Err(fault)) => fault.span,
            _ => self.full.position().1,
        };
        Err(self.difference_at(Kind::End, span, text))
    }

    /// What the program proves, or refuses for good, the plain one may have to leave open; what rests with others, either. Parts come
    /// in the order of what allows them, which the plain one does not know.
    fn same_answers(&mut self) -> Result<(), Box<Difference>> {
        let (one, other) = (self.full.answers(), self.plain.answers());
        let with_others = |at: usize| one.is_unproved(at) && !one.is_marked(at);
        let more =
            (0..one.len()).any(|at| !with_others(at) && other.position(&one.get(at)).is_none());
        let less = |at: usize| one.position(&other.get(at)).is_none();
        let lost = (0..other.len()).any(|at| less(at) && !other.is_unproved(at));
        let common: Vec<usize> = (0..other.len())
            .filter_map(|at| one.position(&other.get(at)))
            .filter(|at| one.kind(*at) != AnswerKind::Part)
            .collect();
        let unproved = |at: usize| {
            let there = other.position(&one.get(at));
            one.is_marked(at) && there.is_some_and(|there| !other.is_marked(there))
        };
        let kind = if more {
            Kind::TooMuch
        } else if lost {
            Kind::TooLittle
        } else if !common.is_sorted() {
            Kind::Order
        } else if (0..one.len()).any(unproved) {
            Kind::Mark
        } else {
            self.seen.sharper += u64::from((0..other.len()).any(less));
            return Ok(());
        };
        let text = format!(
            "offered: {}\nplain:   {}",
            self.spelt(&self.full),
            self.spelt(&self.plain)
        );
        Err(self.difference(kind, text))
    }

    fn spelt(&self, machine: &Machine<'_>) -> String {
        let answers = machine.answers();
        let all = (0..answers.len()).map(|at| {
            let text = print(&self.words.spell(machine, &answers.get(at)));
            if answers.is_unproved(at) {
                format!("{text} (perhaps)")
            } else {
                text
            }
        });
        all.collect::<Vec<_>>().join(" | ")
    }

    /// An explanation refuses exactly what is not offered.
    fn reasons(&mut self) -> Result<(), Box<Difference>> {
        let offered = self.full.answers().clone();
        if offered.len() > ASKED_MAX {
            return Ok(());
        }
        for at in 0..offered.len() {
            let answer = self.words.spell(&self.full, &offered.get(at));
            let reasons = why_not(
                &self.words,
                &mut self.full,
                std::slice::from_ref(&answer),
                Eyes::Open,
            );
            if let Some(reason) = reasons.first() {
                let text = format!(
                    "`{}` is offered, and refused: {}",
                    print(&answer),
                    reason.sentence
                );
                return Err(self.difference(Kind::WhyOffered, text));
            }
        }
        let refused = all_refused(&self.words, &mut self.full, Eyes::Open);
        self.seen.refused += refused.len() as u64;
        for one in refused.iter().take(ASKED_MAX) {
            let text = print(&one.answer);
            if one.reasons.is_empty() {
                return Err(self.difference(
                    Kind::NoReason,
                    format!("`{text}` is refused without a reason"),
                ));
            }
            let called_so = |at| {
                self.words
                    .matches(&self.full, &offered.get(at), &one.answer)
                    .is_some()
            };
            if (0..offered.len()).any(called_so) {
                continue;
            }
            let reasons = why_not(
                &self.words,
                &mut self.full,
                std::slice::from_ref(&one.answer),
                Eyes::Open,
            );
            if reasons.is_empty() {
                return Err(self.difference(
                    Kind::NoReason,
                    format!("`{text}` is not offered, but possible"),
                ));
            }
        }
        Ok(())
    }
}

/// The machine proved none of the answers at hand.
fn all_open(machine: &Machine<'_>) -> bool {
    let answers = machine.answers();
    (0..answers.len()).all(|at| answers.is_unproved(at))
}

/// The smallest text that can be come to by leaving out lines and parts of lines, with a difference of the same kind.
pub fn shrunk(text: &str, players: &[u32], spec: &Spec, kind: Kind) -> String {
    let differs = |text: &str| {
        let Ok(case) = Case::of(text, players) else {
            return false;
        };
        case.judge(spec)
            .is_err_and(|difference| difference.kind == kind)
    };
    let mut text = text.to_owned();
    loop {
        let before = text.len();
        text = without_lines(text, &differs);
        text = without_parts(text, &differs);
        if text.len() == before {
            return text;
        }
    }
}

/// Leaves out blocks, then lines, as long as that is possible.
fn without_lines(mut text: String, differs: &dyn Fn(&str) -> bool) -> String {
    let mut at = 0;
    loop {
        let lines: Vec<&str> = text.lines().collect();
        if at >= lines.len() {
            return text;
        }
        let depth = |line: &str| line.len() - line.trim_start().len();
        let end = (at + 1..lines.len())
            .find(|other| depth(lines[*other]) <= depth(lines[at]))
            .unwrap_or(lines.len());
        let without = |run: std::ops::Range<usize>, shift: bool| {
            let mut left: Vec<String> = lines[..run.start]
                .iter()
                .map(|line| (*line).to_owned())
                .collect();
            for (number, line) in lines.iter().enumerate().skip(run.end) {
                let inner = shift && number < end;
                let line = if inner {
                    line.strip_prefix("  ").unwrap_or(line)
                } else {
                    line
                };
                left.push(line.to_owned());
            }
            left.join("\n") + "\n"
        };
        let mut tries = vec![without(at..end, false)];
        if end > at + 1 {
            tries.push(without(at..at + 1, true));
        }
        match tries.into_iter().find(|one| differs(one)) {
            Some(smaller) => text = smaller,
            None => at += 1,
        }
    }
}

/// Leaves out parts of lines: what stands between two of the places where something may end.
fn without_parts(mut text: String, differs: &dyn Fn(&str) -> bool) -> String {
    let mut number = 0;
    loop {
        let lines: Vec<&str> = text.lines().collect();
        if number >= lines.len() {
            return text;
        }
        let line = lines[number];
        let mut cuts: Vec<usize> = line
            .match_indices(' ')
            .map(|(at, _)| at)
            .filter(|at| line[..*at].trim() != "")
            .collect();
        for sign in ["(", ")", "[", "]", ",", "{", "}"] {
            cuts.extend(line.match_indices(sign).flat_map(|(at, _)| [at, at + 1]));
        }
        cuts.push(line.len());
        cuts.sort_unstable();
        cuts.dedup();
        let mut found = None;
        'pairs: for (index, start) in cuts.iter().enumerate() {
            for end in cuts[index + 1..].iter().rev() {
                let shorter = format!("{}{}", &line[..*start], &line[*end..]);
                if shorter.trim().is_empty() {
                    continue;
                }
                let mut changed: Vec<&str> = lines.clone();
                changed[number] = &shorter;
                let changed = changed.join("\n") + "\n";
                if differs(&changed) {
                    found = Some(changed);
                    break 'pairs;
                }
            }
        }
        match found {
            Some(smaller) => text = smaller,
            None => number += 1,
        }
    }
}
