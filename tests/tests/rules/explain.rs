//! Explanations say what the game says: what is offered is not refused, what is not offered is refused with reasons.

use dsl::assembly::Selection;
use interpreter::ask::Eyes;
use interpreter::explain::{all_refused, why_not};
use interpreter::playout::{Table, game_seed};
use interpreter::scenario;
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
        let reasons = why_not(words, machine, std::slice::from_ref(&answer), Eyes::Open);
        assert!(
            reasons.is_empty(),
            "{place}: `{}` is offered: {reasons:?}",
            print(&answer)
        );
    }
    let refused = all_refused(words, machine, Eyes::Open);
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
        let reasons = why_not(
            words,
            machine,
            std::slice::from_ref(&one.answer),
            Eyes::Open,
        );
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

const STALLS: &str = "\
table stall
  rent: 0..
rows stall
  id     | rent
  corner | 2
  middle | 4
  gate   | 4
stall.owner: player?
player.coins: bag of coin = {gold: 4, silver: 2}
enum coin = gold, silver
player.closed: bool
always one_stall: p.closed or count(s in stall where s.owner = p) <= 1 for p in player else \"one stall is enough\"
action rent(choose s in stall where s.owner = none else \"taken\", choose pay in parts of coins where pay.size = s.rent and pay.count(silver) = 0 else \"in gold\")
  move pay to box
  s.owner = me
action lease(choose s in stall where s.owner = none else \"taken\" where s.rent < 4 else \"too dear\")
  s.owner = me
action close: closed = true
flow
  round: repeat
    turn: each player
      act: one of rent, lease, close
";

const STALLS_CASES: &str = "\
scenario \"the payment is not to blame\" of stalls
  players 2
  given gate.owner = A
  expect not A: rent(corner) because one_stall
scenario \"no payment at all\" of stalls
  players 2
  given A.coins = {gold: 1, silver: 2}
  expect not A: rent(corner) because \"in gold\"
scenario \"each way has a reason of its own\" of stalls
  players 2
  given corner.owner = B
  expect not A: lease because \"taken (bars some\"
  expect not A: lease because \"too dear (bars some\"
scenario \"one reason for all\" of stalls
  players 2
  given corner.owner = B; middle.owner = B; gate.owner = B
  expect not A: lease because \"taken\"
";

/// The same with reasons that are none, or none for all ways: each of these cases has to fail.
const STALLS_WRONG: &str = "\
scenario \"payments that do not pay are no reason where others do\" of stalls
  players 2
  given gate.owner = A
  expect not A: rent(corner) because \"in gold\"
scenario \"what bars one of three is told with the others or not at all\" of stalls
  players 2
  given corner.owner = B; middle.owner = B; gate.owner = B
  expect not A: lease because \"too dear\"
";

/// A reason is one that alone bars the answer, or is told as one of several that do so together.
#[test]
fn only_what_bars_is_told_as_a_reason() {
    let mut sources = games::of_text("stalls", "2, 2", STALLS);
    let right = sources.insert("stalls/right.scenario", STALLS_CASES);
    let wrong = sources.insert("stalls/wrong.scenario", STALLS_WRONG);
    let compiled = dsl::compile(&sources, "stalls", &Selection::default());
    let rules = compiled.rules.as_ref().expect("the game compiles");
    for (file, passes) in [(right, true), (wrong, false)] {
        let (scenarios, problems) = dsl::scenarios(&sources, &compiled, file);
        assert!(problems.is_empty(), "{problems:?}");
        for scenario in &scenarios {
            let report = scenario::run(rules, Some(&sources), scenario);
            let title = &scenario.title;
            assert_eq!(report.passed(), passes, "{title}: {:?}", report.failure);
        }
    }
}
