//! What seats see of games in play, and states made up to agree with it.

use dsl::ir::{Domain, RuleSet, TableId};
use interpreter::Shape;
use interpreter::bots::{Bot, BotChance};
use interpreter::observe::{Observer, Sampler, Seen};
use interpreter::playout::Table;
use interpreter::{Machine, Program, State, Stop};
use tests::games;

/// A game for two made of a text.
fn of_two(id: &str, rules: &str) -> (RuleSet, Program) {
    let sources = games::of_text(id, "2, 2", rules);
    let rules = games::rules(&sources, id).expect("the game compiles");
    let program = interpreter::lower(&rules, 2).expect("lowers");
    (rules, program)
}

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
    let (_, program) = of_two("bids", BIDS);
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

const CHESTS: &str = "\
enum metal = gold, lead
table card
rows card
  id
  one
  two
  three
player.chest[i in 1..5]: metal? private
player.slot[i in 1..5]: card? private
player.kept: metal? private
pile: deck of card hidden = shuffled(card)
player.hand: bag of card private
flow
  deal: each player: move top of pile to hand
  hiding: each player secretly
    choose i in 1..5
    chest[i] = gold
    kept = gold
  laying: each player
    choose c in hand
    choose i in 1..5
    move c from hand to slot[i]
  turn: each player
    choose n in 1..2
";

/// Of cells that a player has several of nobody else sees, hears, or thinks up with a bot, which of them holds something.
#[test]
fn where_something_is_hidden_is_not_seen() {
    let (_, program) = of_two("chests", CHESTS);
    let observer = Observer::new(&program);
    let word = |name: &str, slot: u32| {
        let mut cells = program.cells.iter();
        let cell = cells.find(|cell| cell.name == name).expect("a cell");
        (cell.base + slot * cell.words) as usize
    };
    let mut seen = Vec::new();
    for place in 0..5 {
        let mut machine = Machine::new(&program);
        let mut stop = machine.start(1);
        while stop == Ok(Stop::Decision) && machine.answers().len() != 2 {
            let where_to = machine.answers().len() == 5;
            if where_to {
                let answers = machine.answers();
                let (kind, value) = (answers.kind(0), answers.value(0));
                assert!(!observer.is_announced(machine.asked_pc(), kind, value));
            }
            let hides = where_to && machine.seat() == 0;
            stop = machine.answer(if hides { place } else { 0 });
        }
        let mut state = State::new();
        machine.save(&mut state);
        let kept = word("player.kept", 0);
        let is_there = |state: &State, word: usize| state.words()[word] != interpreter::NONE;
        assert!(is_there(&state, kept));
        let mut sampler = Sampler::new(&program);
        let mut chance = BotChance::new(1, 0);
        let mut samples = Vec::new();
        let mut cards = 0;
        for _ in 0..40 {
            let mut sample = State::new();
            sampler.sample(&state, 1, &mut chance, &mut sample);
            assert!(is_there(&sample, kept));
            let slots = word("player.slot", 0)..word("player.slot", 5);
            cards += slots.filter(|word| is_there(&sample, *word)).count();
            samples.push(sample);
        }
        assert_eq!(cards, 40, "one card lies in one of the slots");
        seen.push((observer.observe(&state, Some(1)), samples));
    }
    assert!(seen.iter().all(|one| *one == seen[0]));
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
        let (_, program) = of_two("pit", &rules);
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

const BURNT: &str = "\
table card
  points: 1..6
rows card
  id  | points
  one | 1
  two | 2
  three | 3
  four | 4
  five | 5
  six | 6
pile: deck of card hidden = shuffled(card)
player.hand: bag of card private
action begin
  move top of pile to box
  move top 2 of pile to hand
action discard(choose c in hand)
  move c to box
flow
  setup: each player: begin
  turn: each player: discard
score
  cards = hand.size
";

/// What goes to the box from a hidden place is counted there, and what goes there from elsewhere is seen.
#[test]
fn the_box_shows_what_was_seen_going_there() {
    let (rules, program) = of_two("burnt", BURNT);
    let mut machine = Machine::new(&program);
    assert_eq!(machine.start(1), Ok(Stop::Decision));
    assert_eq!(machine.answer(0), Ok(Stop::Decision));
    let mut state = State::new();
    machine.save(&mut state);
    let observer = Observer::new(&program);
    for seat in [None, Some(0), Some(1)] {
        let seen = observer.observe(&state, seat);
        let cells = rules.cells.iter().zip(&seen.cells);
        let mut boxes: Vec<&Seen> = Vec::new();
        boxes.extend(
            cells
                .filter(|(cell, _)| cell.name == "box")
                .map(|(_, slots)| &slots[0]),
        );
        assert!(boxes.contains(&&Seen::Size(2)), "{seat:?}: {boxes:?}");
        let open = boxes.iter().find_map(|seen| match seen {
            Seen::Open(words) => Some(words.iter().sum::<i32>()),
            _ => None,
        });
        assert_eq!(open, Some(1), "{seat:?}: {boxes:?}");
    }
}

const SHOWN: &str = "\
player.number: 1..6 hidden
player.seen: 1..6 private
player.points: 0..
action guess(choose n in 1..6)
  if n = left.number: points += 1
flow
  round: repeat 10
    each player
      let n = random(1..6)
      number = n
      left.seen = n
    turn: each player: guess
score
  points = points
";

/// Cards that lie with their backs to their owner.
const TURNED: &str = "\
table card copies count
  points: 1..6
  count: 1..2
rows card
  id    | points | count
  one   | 1 | 2
  two   | 2 | 2
  three | 3 | 2
  four  | 4 | 2
  five  | 5 | 1
  six   | 6 | 1
pile: deck of card hidden = shuffled(card)
player.hand: bag of card hidden
player.sees[q in player]: bag of card private
action draw
  let c = pile.top
  if c
    move top of pile to hand
    each p in player where p != me: p.sees[me] += c
action guess(choose n in 1..6): skip
flow
  setup: each player: repeat 2: draw
  round: repeat 2
    turn: each player: guess
score
  cards = hand.size
";

/// Of what a seat sees a copy of, it makes up nothing else; of its own, which it does not see, it does.
#[test]
fn samples_hold_what_copies_show() {
    for (id, text, hidden) in [("shown", SHOWN, "number"), ("turned", TURNED, "hand")] {
        let (rules, program) = of_two(id, text);
        let cell = rules.cells.iter().position(|cell| cell.name == hidden);
        let cell = &program.cells[cell.expect("the cell")];
        let held = |state: &State, seat: u32| {
            let first = (cell.base + seat * cell.words) as usize;
            state.words()[first..first + cell.words as usize].to_vec()
        };
        let mut sampler = Sampler::new(&program);
        let (mut chance, mut sample, mut otherwise) = (BotChance::new(1, 0), State::new(), 0);
        for state in states(&program) {
            for seat in 0..2 {
                assert!(sampler.sample(&state, seat, &mut chance, &mut sample));
                assert_eq!(held(&sample, 1 - seat), held(&state, 1 - seat), "{id}");
                otherwise += u32::from(held(&sample, seat) != held(&state, seat));
            }
        }
        assert!(otherwise > 0, "{id}: its own it does not see");
    }
}

const STACK: &str = "\
table card
  points: 1..4
rows card
  id    | points
  one   | 1
  two   | 2
  three | 3
  four  | 4
stack: deck of card hidden = shuffled(card)
player.row: bag of card
action search(choose c in card where stack.count(c) > 0): move c from stack to row
action draw: move top of stack to row
flow
  turn: each player
    one of search, draw
score
  cards = row.size
";

/// Who names what he takes from a hidden place sees before how the table would stand, with that place as it lay; who draws
/// does not.
#[test]
fn only_what_is_named_can_be_foreseen() {
    let (rules, program) = of_two("stack", STACK);
    let observer = Observer::new(&program);
    let cell = |name: &str| {
        let at = rules.cells.iter().position(|cell| cell.name == name);
        &program.cells[at.expect("a cell")]
    };
    let held = |state: &State, name: &str| {
        let cell = cell(name);
        state.words()[cell.base as usize..(cell.base + cell.words) as usize].to_vec()
    };
    for (item, foreseen) in [(0, true), (1, false)] {
        let mut machine = Machine::new(&program);
        assert_eq!(machine.start(1), Ok(Stop::Decision));
        let (mut then, mut now) = (State::new(), State::new());
        machine.save(&mut then);
        assert_eq!(machine.answer(item), Ok(Stop::Decision));
        if item == 0 {
            assert_eq!(machine.answer(2), Ok(Stop::Decision));
        }
        machine.save(&mut now);
        let three = [(Domain::Table(TableId(0)), 2)];
        let found = observer.foreseen((&then, &now), Some(0), if foreseen { &three } else { &[] });
        assert_eq!(found.is_some(), foreseen, "{item}");
        assert!(observer.foreseen((&then, &now), Some(0), &[]).is_none());
        if let Some(found) = found {
            assert_eq!(held(&found, "stack"), held(&then, "stack"));
            assert_eq!(held(&found, "row"), held(&now, "row"));
        }
    }
}
