//! A tree of answers, searched in states that a seat may think it stands in: information set Monte-Carlo tree search with one
//! observer (Cowling, Powley, Whitehouse, IEEE Trans. Comput. Intell. AI Games 4(2), 2012). Each look makes up what is unseen and
//! what chance will bring, goes down the tree by upper confidence bounds, adds one answer to it, plays on at random for a while
//! and values what came of it for every seat.

use super::BotChance;
use super::model::{Ends, Judge, squashed};
use super::turn::{Effort, Turn};
use crate::Program;
use crate::machine::{Answer, AnswerKind, Answers, Fault, Machine, Stop};
use crate::state::State;
use std::cmp::Ordering;
use std::collections::HashMap;

/// How much an answer that was seldom tried is preferred to one that went well, where a result is from 0 to 1.
const EXPLORATION: f64 = 0.6;
/// Answers below the root that are tried before any is tried again, and how many more with the root of its visits.
const WIDTH: f64 = 4.0;
const WIDTH_GROWTH: f64 = 1.0;
/// Tries that it counts for what an answer comes to by the end of the turn, where somebody has learnt what that is worth.
const KNOWN_VISITS: u32 = 4;
/// Answers played before what has come of it is valued: at random, or as somebody plays who has learnt.
const PLAYED_ON: u32 = 60;
/// What somebody who has learnt looks at for one of these.
const EFFORT_ON: Effort = Effort {
    states: 1,
    ways: 6,
    answers: 24,
};

/// Something that may be answered, and what came of it.
#[derive(Default)]
struct Node {
    /// Who answered it.
    seat: u32,
    /// Looks in which it could be answered, and in which it was.
    open: u32,
    visits: u32,
    /// Sum of the results of that seat.
    total: f64,
    next: HashMap<Answer, u32>,
}

/// What a search thinks of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opinion {
    /// How often it tried it.
    pub tried: u32,
    /// What came of it for the seat that is asked, in the mean, from 0 to 1.
    pub worth: f64,
}

/// The answer that is worth most; of those that are worth the same any: who always takes the first can be foretold.
fn any_best<W>(
    answers: impl Iterator<Item = (usize, W)>,
    order: impl Fn(&W, &W) -> Ordering,
    chance: &mut BotChance,
) -> Option<(usize, W)> {
    let mut best: Option<(usize, W)> = None;
    let mut alike = 0;
    for (answer, worth) in answers {
        let against = best.as_ref().map(|(_, most)| order(&worth, most));
        alike = match against.unwrap_or(Ordering::Greater) {
            Ordering::Less => continue,
            Ordering::Equal => alike + 1,
            Ordering::Greater => 1,
        };
        if chance.below(alike) == 0 {
            best = Some((answer, worth));
        }
    }
    best
}

/// About the natural logarithm: straight between powers of two. Of sums, products and roots each machine makes the same.
fn logarithm(number: u32) -> f64 {
    let whole = number.ilog2();
    let rest = f64::from(number) / f64::from(1u32 << whole) - 1.0;
    (f64::from(whole) + rest) * std::f64::consts::LN_2
}

/// Numbers met so far: their mean, and how far they lie from it.
#[derive(Clone, Copy, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    /// Counts a number, and says how many standard deviations it lies above the mean.
    fn place_of(&mut self, number: f64) -> f64 {
        self.count(number);
        self.above(number)
    }

    fn count(&mut self, number: f64) {
        self.count += 1.0;
        let before = number - self.mean;
        self.mean += before / self.count;
        self.squares += before * (number - self.mean);
    }

    fn above(&self, number: f64) -> f64 {
        let deviation = (self.squares / self.count).sqrt();
        if deviation > 0.0 {
            (number - self.mean) / deviation
        } else {
            0.0
        }
    }
}

/// A machine to try on, and the tree, used again from decision to decision.
pub(super) struct Search<'p> {
    machine: Machine<'p>,
    nodes: Vec<Node>,
    path: Vec<u32>,
    /// Of the answers there are: which have a node, and which have none yet.
    known: Vec<(usize, u32)>,
    fresh: Vec<usize>,
    answer: Answer,
    results: Vec<f64>,
    ends: Ends,
    /// Plays on as somebody does who has learnt.
    turn: Turn<'p>,
    here: State,
    /// The leads met so far, by seat: what a great one is, the game itself tells.
    leads: Vec<Spread>,
}

impl<'p> Search<'p> {
    pub fn new(program: &'p Program) -> Search<'p> {
        let mut machine = Machine::new(program);
        machine.stand_at_only_answers();
        machine.unheard = true;
        Search {
            machine,
            nodes: Vec::new(),
            path: Vec::new(),
            known: Vec::new(),
            fresh: Vec::new(),
            answer: Answer {
                kind: AnswerKind::Done,
                value: 0,
                words: Vec::new(),
            },
            results: Vec::new(),
            ends: Ends::default(),
            turn: Turn::new(program),
            here: State::new(),
            leads: Vec::new(),
        }
    }

    /// The number of the answer of `real` that was tried most, after so many looks, or when somebody says that it is enough; `made_up` fills a state in which the seat
    /// that is asked sees what it sees. None if no look came to an end.
    pub fn best(
        &mut self,
        real: &Machine<'p>,
        looks: u32,
        mut known: Option<(&mut Judge<'p>, &[f64])>,
        chance: &mut BotChance,
        mut made_up: impl FnMut(&mut BotChance, &mut State) -> bool,
        enough: &dyn Fn() -> bool,
    ) -> Option<usize> {
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.leads.clear();
        let players = real.program().players as usize;
        self.leads.resize(players, Spread::default());
        let means = known.iter().flat_map(|(_, means)| means.iter());
        means
            .filter(|mean| mean.is_finite())
            .for_each(|mean| self.leads[real.seat() as usize].count(*mean));
        let mut state = State::new();
        let mut left = looks;
        while left > 0 && !enough() {
            if !made_up(chance, &mut state) {
                return None;
            }
            self.machine.drawers.clear();
            let begun = self.machine.stand_in(&state);
            // Where the rules go on without asking, or ask something else, what is unseen has been offered: it tells nothing.
            let stands = matches!(begun, Ok(Stop::Decision))
                && self.machine.position() == real.position()
                && self.machine.seat() == real.seat();
            if stands {
                // A fault of the rules in a state made up is met when it is met.
                let _ = self.look(
                    known.as_mut().map(|(judge, means)| (&mut **judge, *means)),
                    chance,
                    enough,
                );
            }
            left = left.saturating_sub(1 + self.turn.take_tried());
        }
        self.most_tried(real.answers(), chance)
    }

    /// What it thinks of these answers since it searched last; none: it did not try it.
    pub fn opinions(&self, answers: &Answers) -> Vec<Option<Opinion>> {
        let root = self.nodes.first();
        let of = |at: usize| {
            let node = root?.next.get(&answers.get(at))?;
            let node = &self.nodes[*node as usize];
            (node.visits > 0).then(|| Opinion {
                tried: node.visits,
                worth: node.total / f64::from(node.visits),
            })
        };
        (0..answers.len()).map(of).collect()
    }

    /// Of those that were tried as often the one that went best, of those that went as well any.
    fn most_tried(&self, answers: &Answers, chance: &mut BotChance) -> Option<usize> {
        let root = &self.nodes[0].next;
        let tried = (0..answers.len()).filter_map(|at| {
            let node = &self.nodes[*root.get(&answers.get(at))? as usize];
            Some((at, (node.visits, node.total)))
        });
        let order = |a: &(u32, f64), b: &(u32, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        any_best(tried, order, chance).map(|(at, _)| at)
    }

    /// Down the tree, one answer further, and on at random.
    fn look(
        &mut self,
        mut known: Option<(&mut Judge<'p>, &[f64])>,
        chance: &mut BotChance,
        enough: &dyn Fn() -> bool,
    ) -> Result<(), Fault> {
        self.path.clear();
        let mut at = 0;
        let mut stop = Stop::Decision;
        let mut added = false;
        while stop == Stop::Decision && !added {
            let count = self.machine.answers().len();
            if count == 1 && at != 0 {
                stop = self.machine.answer(0)?;
                continue;
            }
            self.sort_out(at);
            let seat = self.machine.seat();
            let means = known.as_ref().filter(|_| at == 0).map(|(_, means)| *means);
            let most = match (at, means) {
                (0, None) => f64::INFINITY,
                _ => WIDTH + WIDTH_GROWTH * f64::from(self.nodes[at as usize].visits).sqrt(),
            };
            added = !self.fresh.is_empty() && (self.known.len() as f64) < most;
            let (answer, node) = match added {
                true => self.add(at, seat, means, chance),
                false => self.most_promising(),
            };
            self.path.push(node);
            at = node;
            stop = self.machine.answer(answer)?;
        }
        if stop == Stop::Decision {
            match &mut known {
                Some((judge, _)) => self.play_on_as_learnt(judge, chance, enough)?,
                None => self.play_on(chance)?,
            }
        }
        self.value(known.map(|(judge, _)| judge));
        self.nodes[0].visits += 1;
        for node in &self.path {
            let node = &mut self.nodes[*node as usize];
            node.visits += 1;
            node.total += self.results[node.seat as usize];
        }
        Ok(())
    }

    /// The answers here with and without a node.
    fn sort_out(&mut self, at: u32) {
        self.known.clear();
        self.fresh.clear();
        let answers = self.machine.answers();
        for number in 0..answers.len() {
            self.answer.kind = answers.kind(number);
            self.answer.value = answers.value(number);
            self.answer.words.clear();
            self.answer.words.extend_from_slice(answers.words(number));
            match self.nodes[at as usize].next.get(&self.answer) {
                Some(node) => self.known.push((number, *node)),
                None => self.fresh.push(number),
            }
        }
        for (_, node) in &self.known {
            self.nodes[*node as usize].open += 1;
        }
    }

    /// Tries something that was not tried here: what looks best, where somebody has looked, else any.
    fn add(
        &mut self,
        at: u32,
        seat: u32,
        means: Option<&[f64]>,
        chance: &mut BotChance,
    ) -> (usize, u32) {
        let looked = |answer: usize| Some((answer, *means?.get(answer)?));
        let looked = self.fresh.iter().filter_map(|answer| looked(*answer));
        let best = any_best(looked, f64::total_cmp, chance);
        let answer = best.map_or_else(
            || self.fresh[chance.below(self.fresh.len())],
            |(answer, _)| answer,
        );
        let known = best.filter(|(_, mean)| mean.is_finite());
        let (visits, total) = known.map_or((0, 0.0), |(_, mean)| {
            let result = squashed(self.leads[seat as usize].above(mean));
            (KNOWN_VISITS, result * f64::from(KNOWN_VISITS))
        });
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            seat,
            open: 1 + visits,
            visits,
            total,
            ..Node::default()
        });
        let key = self.machine.answers().get(answer);
        self.nodes[at as usize].next.insert(key, node);
        (answer, node)
    }

    fn most_promising(&self) -> (usize, u32) {
        let mut best = (f64::NEG_INFINITY, self.known[0]);
        for (answer, node) in &self.known {
            let one = &self.nodes[*node as usize];
            let visits = f64::from(one.visits.max(1));
            let seldom = (logarithm(one.open.max(1)) / visits).sqrt();
            let hope = one.total / visits + EXPLORATION * seldom;
            if hope > best.0 {
                best = (hope, (*answer, *node));
            }
        }
        best.1
    }

    /// On at random for a while.
    fn play_on(&mut self, chance: &mut BotChance) -> Result<(), Fault> {
        let players = self.machine.program().players as usize;
        let lot = chance.new_lot();
        self.machine.drawers.resize(players, Some(lot));
        for _ in 0..PLAYED_ON {
            let answer = self.machine.answer_by_lot(lot);
            if self.machine.answer(answer)? == Stop::Over {
                break;
            }
        }
        Ok(())
    }

    /// On as all play who have learnt, until the seat that thinks has had its turn and each other one its own.
    fn play_on_as_learnt(
        &mut self,
        judge: &mut Judge<'p>,
        chance: &mut BotChance,
        enough: &dyn Fn() -> bool,
    ) -> Result<(), Fault> {
        let players = self.machine.program().players;
        let mut turns = 0;
        let mut last = (self.machine.seat(), self.machine.turns());
        for _ in 0..PLAYED_ON {
            let here = (self.machine.seat(), self.machine.turns());
            turns += u32::from(here != last);
            last = here;
            if turns >= players || enough() {
                break;
            }
            let mut answer = 0;
            if self.machine.answers().len() > 1 {
                self.machine.save(&mut self.here);
                let here = &self.here;
                let stand = |_: &mut BotChance, state: &mut State| {
                    state.clone_from(here);
                    true
                };
                let mut worth = |machine: &mut Machine<'p>, seat| judge.worth(machine, seat);
                let turn = &mut self.turn;
                let best = turn.best(&self.machine, EFFORT_ON, chance, stand, &mut worth, enough);
                answer = best.unwrap_or(0);
            }
            if self.machine.answer(answer)? == Stop::Over {
                break;
            }
        }
        Ok(())
    }

    /// What each seat has of the state as it stands, from 0 to 1: half by its place, half by its lead over the best of the others;
    /// or as somebody has learnt it.
    fn value(&mut self, judge: Option<&mut Judge<'p>>) {
        let seats = 0..self.machine.program().players;
        self.results.clear();
        if let Some(judge) = judge {
            for seat in seats {
                let worth = judge.worth(&mut self.machine, seat);
                // What a great difference is, the positions met tell.
                let above = self.leads[seat as usize].place_of(worth);
                self.results.push(squashed(above));
            }
            return;
        }
        let scored = !self.machine.program().score_procs.is_empty() && seats.len() > 1;
        for seat in seats {
            let (place, lead) = self.ends.of(&mut self.machine, seat);
            self.results.push(match scored {
                true => (place + squashed(self.leads[seat as usize].place_of(lead))) / 2.0,
                false => place,
            });
        }
    }
}
