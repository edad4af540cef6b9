//! A tree of answers, searched in states that a seat may think it stands in: information set Monte-Carlo tree search with one
//! observer (Cowling, Powley, Whitehouse, IEEE Trans. Comput. Intell. AI Games 4(2), 2012). Each look makes up what is unseen and
//! what chance will bring, goes down the tree by upper confidence bounds, adds one answer to it, plays on at random for a while
//! and values what came of it for every seat.

use super::BotChance;
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
/// Answers played at random before what has come of it is valued.
const PLAYED_ON: u32 = 60;

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
        self.count += 1.0;
        let before = number - self.mean;
        self.mean += before / self.count;
        self.squares += before * (number - self.mean);
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
    scores: Vec<f64>,
    /// The leads met so far, by seat: what a great one is, the game itself tells.
    leads: Vec<Spread>,
}

impl<'p> Search<'p> {
    pub fn new(program: &'p Program) -> Search<'p> {
        let mut machine = Machine::new(program);
        machine.stand_at_only_answers();
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
            scores: Vec::new(),
            leads: Vec::new(),
        }
    }

    /// The number of the answer of `real` that was tried most, after so many looks; `made_up` fills a state in which the seat
    /// that is asked sees what it sees. None if no look came to an end.
    pub fn best(
        &mut self,
        real: &Machine<'p>,
        looks: u32,
        chance: &mut BotChance,
        mut made_up: impl FnMut(&mut BotChance, &mut State) -> bool,
    ) -> Option<usize> {
        self.nodes.clear();
        self.nodes.push(Node::default());
        self.leads.clear();
        let players = real.program().players as usize;
        self.leads.resize(players, Spread::default());
        let mut state = State::new();
        for _ in 0..looks {
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
                let _ = self.look(chance);
            }
        }
        self.most_tried(real.answers(), chance)
    }

    /// Of those that were tried as often the one that went best, of those that went as well any.
    fn most_tried(&self, answers: &Answers, chance: &mut BotChance) -> Option<usize> {
        let root = &self.nodes[0].next;
        let mut best: Option<(u32, f64, usize)> = None;
        let mut alike = 0;
        for at in 0..answers.len() {
            let Some(node) = root.get(&answers.get(at)) else {
                continue;
            };
            let node = &self.nodes[*node as usize];
            let order = best.map_or(Ordering::Greater, |(visits, total, _)| {
                let by_visits = node.visits.cmp(&visits);
                by_visits.then(node.total.total_cmp(&total))
            });
            alike = match order {
                Ordering::Less => continue,
                Ordering::Equal => alike + 1,
                Ordering::Greater => 1,
            };
            if chance.below(alike) == 0 {
                best = Some((node.visits, node.total, at));
            }
        }
        best.map(|(_, _, at)| at)
    }

    /// Down the tree, one answer further, and on at random.
    fn look(&mut self, chance: &mut BotChance) -> Result<(), Fault> {
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
            let most = match at {
                0 => f64::INFINITY,
                _ => WIDTH + WIDTH_GROWTH * f64::from(self.nodes[at as usize].visits).sqrt(),
            };
            added = !self.fresh.is_empty() && (self.known.len() as f64) < most;
            let (answer, node) = match added {
                true => self.add(at, seat, chance),
                false => self.most_promising(),
            };
            self.path.push(node);
            at = node;
            stop = self.machine.answer(answer)?;
        }
        if stop == Stop::Decision {
            self.play_on(chance)?;
        }
        self.value();
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

    fn add(&mut self, at: u32, seat: u32, chance: &mut BotChance) -> (usize, u32) {
        let answer = self.fresh[chance.below(self.fresh.len())];
        let node = self.nodes.len() as u32;
        self.nodes.push(Node {
            seat,
            open: 1,
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

    /// What each seat has of the state as it stands, from 0 to 1: half by its place, half by its lead over the best of the others.
    fn value(&mut self) {
        let seats = 0..self.machine.program().players;
        let ranks = self.machine.ranks();
        let last = (ranks.len().max(2) - 1) as f64;
        self.results.clear();
        for rank in &ranks {
            // Who shares a place has the middle of those that are shared.
            let better = ranks.iter().filter(|other| *other < rank).count() as f64;
            let same = ranks.iter().filter(|other| *other == rank).count() as f64 - 1.0;
            self.results.push(1.0 - (better + same / 2.0) / last);
        }
        if self.machine.program().score_procs.is_empty() || ranks.len() < 2 {
            return;
        }
        self.scores.clear();
        for seat in seats {
            let score = self.machine.score(seat);
            self.scores.push(f64::from(score));
        }
        for seat in 0..self.scores.len() {
            let others = self.scores.iter().enumerate();
            let others = others.filter(|(other, _)| *other != seat);
            let best = others.map(|(_, score)| *score).fold(f64::MIN, f64::max);
            let lead = self.scores[seat] - best;
            let above = self.leads[seat].place_of(lead);
            let result = &mut self.results[seat];
            *result = (*result + 0.5 + 0.5 * above / (1.0 + above.abs())) / 2.0;
        }
    }
}
