//! Explanations say what the game says: what is offered is not refused, what is not offered is refused with reasons.

use interpreter::explain::{all_refused, why_not};
use interpreter::playout::{Table, game_seed};
use interpreter::words::{Words, print};
use interpreter::{Program, Stop};
use tests::games::{self, more};

/// Of so many decisions one is asked about.
const EVERY: usize = 5;

/// At decisions of random games of all games.
#[test]
fn what_is_offered_is_possible_and_nothing_else() {
    for (rules, programs) in games::programs() {
        for program in programs {
            let words = Words::new(rules, program);
            let name = format!("{} with {}", rules.id, program.players);
            let mut refused = 0;
            at_decisions(program, |table, decision| {
                let place = format!("{name}, decision {decision}");
                refused += agree(&words, table, &place);
            });
            assert!(refused > 0, "{name}: nothing was ever refused");
        }
    }
}

fn at_decisions(program: &Program, mut ask: impl FnMut(&mut Table<'_>, usize)) {
    let mut table = Table::new(program, vec![]);
    for game in 0..more(1) {
        let mut stop = table.start(game_seed(17, game)).expect("no fault");
        let mut decision = 0;
        while stop == Stop::Decision {
            if decision % EVERY == 0 {
                ask(&mut table, decision);
            }
            decision += 1;
            stop = table.step().expect("no fault");
        }
    }
}

/// Asks about everything that is offered and everything that is not; how much that is not there is.
fn agree(words: &Words<'_>, table: &mut Table<'_>, place: &str) -> usize {
    let machine = &mut table.machine;
    let offered = machine.answers().clone();
    for at in 0..offered.len() {
        let answer = words.spell(machine, &offered.get(at));
        let reasons = why_not(words, machine, std::slice::from_ref(&answer));
        assert!(
            reasons.is_empty(),
            "{place}: `{}` is offered: {reasons:?}",
            print(&answer)
        );
    }
    let refused = all_refused(words, machine);
    for one in &refused {
        let text = print(&one.answer);
        assert!(
            !one.reasons.is_empty(),
            "{place}: `{text}` is refused without a reason"
        );
        let called_so = |at| {
            words
                .matches(machine, &offered.get(at), &one.answer)
                .is_some()
        };
        if (0..offered.len()).any(called_so) {
            continue;
        }
        let reasons = why_not(words, machine, std::slice::from_ref(&one.answer));
        assert!(
            !reasons.is_empty(),
            "{place}: `{text}` is not offered, but possible"
        );
    }
    assert_eq!(
        words.answers(machine).len(),
        offered.len(),
        "{place}: asking changes nothing"
    );
    refused.len()
}
