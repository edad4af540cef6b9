//! What seats see of games in play, and states made up to agree with it.

use interpreter::Shape;
use interpreter::bots::{Bot, BotChance};
use interpreter::observe::{Observer, Sampler, Seen};
use interpreter::playout::Table;
use interpreter::{Machine, Program, State, Stop};
use tests::games;

#[test]
fn sampled_states_agree_with_what_is_seen() {
    for (rules, programs) in games::programs() {
        for program in programs {
            let observer = Observer::new(program);
            let mut other = Machine::new(program);
            let mut sampler = Sampler::new(program);
            let mut sample = State::new();
            let mut chance = BotChance::new(1, 0);
            let (mut sampled_otherwise, mut tried) = (0, 0);
            for (at, state) in states(program).iter().enumerate() {
                let seat = at as u32 % program.players;
                let seen = observer.observe(state, Some(seat));
                sampler.sample(state, seat, &mut chance, &mut sample);
                assert_eq!(
                    observer.observe(&sample, Some(seat)),
                    seen,
                    "{} {at}",
                    rules.id
                );
                assert_eq!(
                    pieces(program, state),
                    pieces(program, &sample),
                    "{} {at}",
                    rules.id
                );
                tried += 1;
                sampled_otherwise += u32::from(sample != *state);
                // At its own decision the seat can go on from the sample.
                if seen.asked == Some(seat) {
                    assert_eq!(other.load(&sample), Ok(Stop::Decision), "{} {at}", rules.id);
                }
            }
            assert_eq!(
                tried, sampled_otherwise,
                "{}: the generator at least is another one",
                rules.id
            );
        }
    }
}

/// Nobody sees the seed, and others see less than the owner.
#[test]
fn hands_are_seen_by_their_owners_only() {
    let sources = games::sources();
    let Ok(rules) = games::rules(&sources, "ticket-to-ride-maerklin") else {
        return;
    };
    let program = interpreter::lower(&rules, 3).expect("lowers");
    let observer = Observer::new(&program);
    let cell = |name: &str| {
        rules
            .cells
            .iter()
            .position(|cell| cell.name == name)
            .expect("a cell")
    };
    let (hand, tickets, pile) = (cell("hand"), cell("tickets"), cell("draw_pile"));
    let states = states(&program);
    let late = &states[states.len() / 2];
    for (viewer, own) in [(Some(0), true), (Some(1), false), (None, false)] {
        let seen = observer.observe(late, viewer);
        assert_eq!(matches!(seen.cells[hand][0], Seen::Open(_)), own);
        assert_eq!(matches!(seen.cells[hand][0], Seen::Size(_)), !own);
        assert_eq!(matches!(seen.cells[tickets][0], Seen::Shown(_)), !own);
        assert!(matches!(seen.cells[pile][0], Seen::Size(_)));
    }
}

/// In a secret step nobody sees what others have answered before it ends.
#[test]
fn secret_answers_are_not_seen() {
    for (rules, programs) in games::programs() {
        let Some(program) = programs
            .iter()
            .find(|program| program.secret_copy.is_some())
        else {
            continue;
        };
        let observer = Observer::new(program);
        let mut checked = 0;
        for seed in 0..4 {
            let mut machine = Machine::new(program);
            let mut stop = machine.start(seed).expect("no fault");
            let (mut before, mut after) = (State::new(), State::new());
            while stop == Stop::Decision && !secret(&machine) {
                stop = machine.answer(0).expect("no fault");
            }
            while stop == Stop::Decision && secret(&machine) {
                let seat = machine.seat();
                machine.save(&mut before);
                let last = machine.answers().len() - 1;
                stop = machine.answer(last).expect("no fault");
                if stop != Stop::Decision || !secret(&machine) {
                    break;
                }
                machine.save(&mut after);
                for other in (0..program.players).filter(|other| *other != seat) {
                    let (a, b) = (
                        observer.observe(&before, Some(other)),
                        observer.observe(&after, Some(other)),
                    );
                    assert_eq!(
                        a.cells, b.cells,
                        "{}: {other} sees what {seat} answered",
                        rules.id
                    );
                    checked += 1;
                }
            }
        }
        assert!(checked > 0, "{}", rules.id);
    }
}

const BIDS: &str = "\
player.bid: 0..9
flow
  bids: each player secretly
    choose n in 0..9
    bid = n
";

/// A number that others have written in a running secret step is made up as it was before it.
#[test]
fn samples_do_not_know_what_is_secret() {
    let sources = games::of_text("bids", "2, 2", BIDS);
    let rules = games::rules(&sources, "bids").expect("the game compiles");
    let program = interpreter::lower(&rules, 2).expect("lowers");
    let mut machine = Machine::new(&program);
    assert_eq!(machine.start(1), Ok(Stop::Decision));
    let first = machine.seat();
    assert_eq!(machine.answer(7), Ok(Stop::Decision));
    let mut state = State::new();
    machine.save(&mut state);
    let mut sample = State::new();
    Sampler::new(&program).sample(&state, 1 - first, &mut BotChance::new(1, 0), &mut sample);
    let cells = &program.cells;
    let cell = cells
        .iter()
        .find(|cell| cell.name == "player.bid")
        .expect("the bids");
    let bid = |state: &State| state.words()[(cell.base + first * cell.words) as usize];
    assert_eq!((bid(&state), bid(&sample)), (7, 0));
}

/// Up to a bound so much as lies unseen is made up; beyond it nothing is, and who looks for the best answer plays on all the same.
#[test]
fn more_than_can_be_made_up() {
    for (apples, made_up) in [(5_000, true), (2_000_000_000, false)] {
        let rules = format!(
            "enum fruit = apple, pear\n\
             pit: bag of fruit hidden = {{apple: {apples}, pear: 2}}\n\
             player.basket: bag of fruit\n\
             action dig\n  let f = random(pit)\n  move f from pit to basket\n\
             action rest: skip\n\
             flow\n  turn: each player\n    one of dig, rest\n\
             score\n  fruit = basket.size\n"
        );
        let sources = games::of_text("pit", "2, 2", rules);
        let rules = games::rules(&sources, "pit").expect("the game compiles");
        let program = interpreter::lower(&rules, 2).expect("lowers");
        let mut machine = Machine::new(&program);
        assert_eq!(machine.start(1), Ok(Stop::Decision));
        let mut state = State::new();
        machine.save(&mut state);
        let mut sampler = Sampler::new(&program);
        let sampled = sampler.sample(&state, 0, &mut BotChance::new(1, 0), &mut State::new());
        assert_eq!(sampled, made_up, "{apples}");
        let mut table = Table::new(&program, vec![Bot::Greedy]);
        let mut stop = table.start(3);
        while stop == Ok(Stop::Decision) {
            stop = table.step();
        }
        assert!(stop.is_ok(), "{stop:?}");
    }
}

fn secret(machine: &Machine<'_>) -> bool {
    machine.word(interpreter::header::SECRET as u32) > 0
}

/// States of a game at some of its decisions.
fn states(program: &Program) -> Vec<State> {
    let mut table = Table::new(program, vec![Bot::Random]);
    let mut found = Vec::new();
    let mut stop = table.start(3).expect("no fault");
    let mut decision = 0;
    while stop == Stop::Decision {
        if decision < 8 || decision % 32 == 0 {
            let mut state = State::new();
            table.machine.save(&mut state);
            found.push(state);
        }
        decision += 1;
        stop = table.step().expect("no fault");
    }
    found
}

/// All elements in containers, sorted.
fn pieces(program: &Program, state: &State) -> Vec<(u32, i32)> {
    let words = state.words();
    let mut found = Vec::new();
    for cell in &program.cells {
        for slot in 0..cell.slots {
            let word = (cell.base + slot * cell.words) as usize;
            let own = &words[word..word + cell.words as usize];
            // Elements are told apart by how many there are of their kind.
            match cell.shape {
                Shape::Set { n, .. } => {
                    let there =
                        (0..n).filter(|at| own[(at / 32) as usize] as u32 >> (at % 32) & 1 == 1);
                    found.extend(there.map(|at| (n, at as i32)));
                }
                Shape::Bag { n, .. } => {
                    let there = (0..n as usize)
                        .flat_map(|at| std::iter::repeat_n(at as i32, own[at] as usize));
                    found.extend(there.map(|at| (n, at)));
                }
                Shape::List { .. } => {
                    found.extend(own[1..=own[0] as usize].iter().map(|piece| (0, *piece)))
                }
                Shape::Row { .. } => found.extend(own.iter().map(|piece| (0, *piece))),
                _ => {}
            }
        }
    }
    // A piece may go from a deck into a hand: only the elements matter.
    let mut elements: Vec<(u32, i32)> = found.into_iter().map(|(_, piece)| (0, piece)).collect();
    elements.sort_unstable();
    elements
}
