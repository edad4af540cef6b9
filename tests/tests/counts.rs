//! Games of which the number of ways to play is published: nothing is offered too much, nothing is missing.

use interpreter::{Machine, Program, State, Stop};
use tests::games;

/// Ways to play so many turns from here; a turn of two questions is one way for each pair of answers.
fn ways(program: &Program, machine: &mut Machine<'_>, turn: usize, turns: i32) -> u64 {
    let begun = |machine: &Machine<'_>| machine.word(program.label_words[turn]);
    let mut state = State::new();
    machine.save(&mut state);
    let mut found = 0;
    for at in 0..machine.answers().len() {
        let stop = machine.answer(at).expect("no fault");
        if begun(machine) > turns {
            found += 1;
        } else if stop == Stop::Decision {
            found += ways(program, machine, turn, turns);
        }
        machine.load(&state).expect("no fault");
    }
    found
}

/// From the first position: 20, 400 and 8,902.
#[test]
fn chess_from_the_start() {
    let rules = games::rules(&games::sources(), "chess").expect("compiles");
    let program = interpreter::lower(&rules, 2).expect("lowers");
    let turn = rules.labels.iter().position(|label| label.name == "turn");
    let turn = turn.expect("there are turns");
    let mut machine = Machine::new(&program);
    for (turns, expected) in [(1, 20), (2, 400), (3, 8_902)] {
        machine.start(1).expect("no fault");
        assert_eq!(ways(&program, &mut machine, turn, turns), expected);
    }
}
