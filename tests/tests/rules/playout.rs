//! Whole games of bots, and what has to hold at every decision of them. `PLAYOUT_GAMES` plays more than the few of a normal run.

use interpreter::bots::{Bot, BotChance};
use interpreter::playout::{Spec, Table, game_seed, run};
use interpreter::{Answers, Machine, Program, State, Stop};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use tests::games::{self, more};

fn spec(games: u64, bots: Vec<Bot>, threads: usize) -> Spec {
    Spec {
        first: 0,
        games,
        seed: 11,
        bots,
        threads,
    }
}

/// Every game ends, with random and with greedy bots; threads make no difference.
#[test]
fn games_end_with_the_same_numbers_on_any_number_of_threads() {
    for (rules, programs) in games::programs() {
        for program in programs {
            let mut reports = Vec::new();
            for threads in [1, 2] {
                let bots = vec![Bot::Random, Bot::Greedy];
                let heard = AtomicU64::new(0);
                let progress = |done| {
                    heard.fetch_max(done, Ordering::Relaxed);
                };
                let spec = spec(more(2), bots, threads);
                let never = AtomicBool::new(false);
                let report = run(rules, program, &spec, &progress, &never, &mut |_, _| {});
                let report = report.unwrap_or_else(|fault| {
                    panic!("{} with {}: {fault:#?}", rules.id, program.players)
                });
                assert!(report.is_complete());
                assert_eq!(heard.into_inner(), spec.games);
                reports.push(report);
            }
            let [one, two] = &reports[..] else {
                unreachable!()
            };
            assert_eq!(one.to_json(), two.to_json(), "{}", rules.id);
            assert_eq!(one.to_csv(), two.to_csv());
            assert_eq!(one.coverage(), two.coverage());
            let seats = 0..program.players as usize;
            let parts: u64 = seats.map(|seat| one.victories(seat)).sum();
            let won = one.games - one.unwon() - one.endless();
            assert_eq!(parts, won * interpreter::stats::VICTORY_PARTS);
        }
    }
}

#[test]
fn a_playout_can_be_cancelled() {
    let (rules, programs) = games::some_program();
    let cancel = AtomicBool::new(false);
    let stop = |done: u64| cancel.store(done >= 2, Ordering::Relaxed);
    let spec = spec(1_000_000, vec![], 1);
    let mut told = 0;
    let each = &mut |game, _: &_| {
        assert_eq!(game, told, "games are told in their order");
        told += 1;
    };
    let report = run(&rules, &programs, &spec, &stop, &cancel, each).expect("no fault");
    assert_eq!((report.games, told), (2, 2));
    assert!(!report.is_complete());
}

#[test]
fn bots_have_names() {
    assert_eq!("Greedy".parse(), Ok(Bot::Greedy));
    let search = Bot::Search {
        looks: 50,
        model: None,
    };
    assert_eq!("search:50".parse(), Ok(search.clone()));
    assert_eq!(search.to_string(), "search:50");
    for wrong in [
        "search:",
        "search:0",
        "search:-1",
        "search:1000001",
        "greedy:3",
    ] {
        assert!(wrong.parse::<Bot>().is_err(), "{wrong}");
    }
    let error = "smart".parse::<Bot>().expect_err("no such bot").to_string();
    assert_eq!(
        error,
        "there is no bot `smart`; bots are `random`, `greedy` and `search`; `strategy:NAME` plays by a strategy of the \
         rules; `learnt:FILE` plays as was learnt; `search:1000` tries 1000 ways to go on instead of 200, at most 1000000, and `search:1000:FILE` values them as was learnt"
    );
}

/// At decisions of random games: what is saved and loaded is the same, answering and going back is, every answer applies,
/// nothing counts below zero.
#[test]
fn decisions_keep_their_promises() {
    for (rules, programs) in games::programs() {
        for program in programs {
            for game in 0..more(1) {
                promises(&rules.id, program, game_seed(5, game));
            }
        }
    }
}

fn promises(id: &str, program: &Program, seed: u64) {
    let mut machine = Machine::new(program);
    let mut other = Machine::new(program);
    let mut chance = BotChance::new(seed, 99);
    let (mut state, mut again, mut loaded) = (State::new(), State::new(), State::new());
    let mut decision = 0u64;
    let mut stop = machine
        .start(seed)
        .unwrap_or_else(|fault| panic!("{id}: {fault:?}"));
    while stop == Stop::Decision {
        let count = machine.answers().len();
        assert!(count > 1, "{id}: a decision with {count} answers");
        // A game has hundreds of decisions: some of them are looked at closely.
        if decision % 16 == seed % 16 {
            machine.save(&mut state);
            assert_eq!(other.load(&state), Ok(Stop::Decision), "{id}");
            other.save(&mut loaded);
            assert_eq!(
                state, loaded,
                "{id}: loading changes the state at decision {decision}"
            );
            let (own, new) = (answers(&machine), answers(&other));
            assert_eq!(
                own, new,
                "{id}: other answers after loading at decision {decision} of {seed}"
            );
            for at in 0..count.min(12) {
                let at = at * count / count.min(12);
                let answer = other.answers().get(at);
                if let Err(fault) = other.answer(at) {
                    panic!("{id}: {answer:?} at decision {decision} of {seed}: {fault:?}");
                }
                no_negative_counts(id, program, &other);
                assert_eq!(other.load(&state), Ok(Stop::Decision));
            }
            machine.save(&mut again);
            assert_eq!(state, again, "{id}");
        }
        decision += 1;
        let at = chance.below(count);
        stop = machine
            .answer(at)
            .unwrap_or_else(|fault| panic!("{id} {seed}: {fault:?}"));
        no_negative_counts(id, program, &machine);
    }
}

fn answers(machine: &Machine<'_>) -> Vec<interpreter::Answer> {
    let answers = machine.answers();
    (0..answers.len()).map(|at| answers.get(at)).collect()
}

fn no_negative_counts(id: &str, program: &Program, machine: &Machine<'_>) {
    use interpreter::Shape;
    for cell in &program.cells {
        let Shape::Bag { n, .. } = cell.shape else {
            continue;
        };
        for slot in 0..cell.slots {
            let base = cell.base + slot * cell.words;
            assert!(
                (base..base + n).all(|word| machine.word(word) >= 0),
                "{id}: {} counts below zero",
                cell.name
            );
        }
    }
}

/// A table plays the same game again on the same machine.
#[test]
fn a_machine_can_be_used_again() {
    for (rules, programs) in games::programs() {
        let mut table = Table::new(&programs[0], vec![Bot::Random]);
        let mut play = |seed| {
            let mut stop = table.start(seed)?;
            while stop == Stop::Decision {
                stop = table.step()?;
            }
            let mut end = State::new();
            table.machine.save(&mut end);
            Ok::<State, interpreter::Fault>(end)
        };
        let first = play(1);
        let _ = play(2);
        assert_eq!(first, play(1), "{}", rules.id);
    }
}

/// What looking ahead leaves out, since it can wait or helps nothing that failed, it could as well have tried: the answers are
/// those of a search that leaves out nothing.
#[test]
fn what_can_wait_is_left_out_and_nothing_else() {
    for (rules, programs) in games::programs() {
        for program in programs.iter().filter(|program| program.bearings.is_some()) {
            let mut whole = (*program).clone();
            whole.bearings = None;
            let mut whole = Machine::new(&whole);
            let mut table = Table::new(program, vec![]);
            let mut state = State::new();
            let mut stop = table.start(game_seed(11, 0)).expect("no fault");
            for _ in 0..more(300) {
                if stop != Stop::Decision {
                    break;
                }
                table.machine.save(&mut state);
                // A dead end that only the whole search does not see.
                if whole.load(&state).is_err() {
                    break;
                }
                let (some, all) = (table.machine.answers(), whole.answers());
                let proved = |answers: &Answers, others: &Answers| {
                    let proved = (0..answers.len()).filter(|at| !answers.is_marked(*at));
                    let mut lost = proved.filter(|at| others.position(&answers.get(*at)).is_none());
                    lost.next().map(|at| answers.get(at))
                };
                assert_eq!(proved(some, all), None, "{} offers more", rules.id);
                assert_eq!(proved(all, some), None, "{} offers less", rules.id);
                stop = table.step().expect("no fault");
            }
        }
    }
}

/// A table in a hurry, which tries only the answers it needs, plays the games that one plays that knows all answers.
#[test]
fn games_in_a_hurry_are_the_same() {
    for (rules, programs) in games::programs() {
        for program in programs {
            let bots = vec![Bot::Random, Bot::Random, Bot::Greedy];
            let mut slow = Table::new(program, bots.clone());
            let mut fast = Table::hasty(program, bots);
            for game in 0..more(1) {
                let seed = game_seed(5, game);
                let mut stop = slow.start(seed).expect("no fault");
                fast.start(seed).expect("no fault");
                let (mut one, mut other) = (State::new(), State::new());
                let mut unproved = false;
                while stop == Stop::Decision {
                    // One stands at each answer, the other only where there is a choice.
                    while fast.answers() < slow.answers() {
                        fast.step().expect("no fault");
                    }
                    slow.machine.save(&mut one);
                    fast.machine.save(&mut other);
                    // The answers of a decision share the bound of its look-ahead and the states it met: which of them are
                    // proved within it depends on how many are tried, and in which order.
                    // Of the frames behind the cells, the choices that are made anew before they are read do not matter.
                    let cells = ..program.fixed_words as usize;
                    let same = one.words()[cells] == other.words()[cells];
                    if !same && unproved {
                        break;
                    }
                    assert!(same, "{} with {}", rules.id, program.players);
                    let offered = slow.machine.answers();
                    unproved |= (0..offered.len()).any(|at| offered.is_marked(at));
                    let known = fast.machine.answers();
                    assert!((1..=slow.machine.answers().len()).contains(&known.len()));
                    let is_offered = |at| offered.position(&known.get(at)).is_some();
                    assert!((0..known.len()).all(is_offered), "{}", rules.id);
                    stop = slow.step().expect("no fault");
                    fast.step().expect("no fault");
                }
                while !unproved && !fast.machine.is_over() {
                    fast.step().expect("no fault");
                }
                assert!(unproved || slow.answers() == fast.answers(), "{}", rules.id);
            }
        }
    }
}

/// Coverage of two halves merged is that of the whole, by statement and by rule id.
#[test]
fn coverage_adds_up() {
    let (rules, program) = games::some_program();
    let count = |games| {
        let never = AtomicBool::new(false);
        let spec = spec(games, vec![], 1);
        let report = run(&rules, &program, &spec, &|_| {}, &never, &mut |_, _| {});
        report.expect("no fault").coverage().clone()
    };
    let (one, three) = (count(1), count(3));
    let mut sum = one.clone();
    sum.merge(&one);
    let (single, double) = (one.statements(&program), sum.statements(&program));
    assert!(single.iter().any(|s| s.ran > 0) && single.iter().any(|s| s.ran == 0));
    assert!(
        single
            .iter()
            .zip(&double)
            .all(|(a, b)| a.span == b.span && 2 * a.ran == b.ran)
    );
    let tags = three.tags(&rules, &program);
    assert!(tags.iter().any(|tag| tag.covered > 0 && tag.ran > 0));
    assert!(tags.iter().all(|tag| tag.covered <= tag.statements));
    assert!(three.refusals(&program).iter().any(|r| r.refused > 0));
}

/// What is answered at once is drawn evenly from all that can be answered, not first from what stands first.
#[test]
fn answers_to_several_questions_are_drawn_evenly() {
    let ends = |second: &str| {
        let rules = format!(
            "action pick(choose a in 1..2, {second} in 1..3 where a = 2 or b = 1)\n\
             \x20 if a = 1: me wins \"one\"\n\
             \x20 else: me wins \"two\"\n\
             flow\n\
             \x20 turn: repeat\n\
             \x20   each player: pick\n"
        );
        let sources = games::of_text("even", "2, 2", rules.as_str());
        let rules = games::rules(&sources, "even").expect("compiles");
        let program = interpreter::lower(&rules, 2).expect("lowers");
        let never = AtomicBool::new(false);
        let spec = spec(2_000, vec![Bot::Random], 1);
        let report = run(&rules, &program, &spec, &|_| {}, &never, &mut |_, _| {});
        let endings = report.expect("no fault").endings;
        let ones = endings.iter().filter(|end| end.said == "\"one\"");
        ones.map(|end| end.games).sum::<u64>()
    };
    let (at_once, one_by_one) = (ends("b"), ends("choose b"));
    assert!(
        (440..560).contains(&at_once),
        "{at_once} of 2,000, a quarter"
    );
    assert!(
        (920..1_080).contains(&one_by_one),
        "{one_by_one} of 2,000, half"
    );
}
