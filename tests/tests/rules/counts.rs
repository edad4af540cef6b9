//! Games of which the number of ways to play is published: nothing is offered too much, nothing is missing. Those that take long
//! are counted by `cargo bench --bench counts`.

use interpreter::Program;
use interpreter::count::{Begin, Report, Spec, Stopped, Unit, count};
use std::sync::atomic::AtomicBool;
use tests::games;

/// Counts turns of a game of two, from its first position, or where a scenario comes to.
fn counted(game: &str, from: Option<&str>, depth: u32) -> Report {
    let sources = games::sources();
    let rules = games::rules(&sources, game).expect("compiles");
    let program = interpreter::lower(&rules, 2).expect("lowers");
    let state = from.map(|title| games::stand(&sources, game, title));
    let spec = Spec {
        begin: state.as_ref().map_or(Begin::Start(1), Begin::Position),
        ..turns(&program, depth)
    };
    count(&rules, &program, &spec, &|_, _| (), &AtomicBool::new(false)).expect("no fault")
}

fn turns(program: &Program, depth: u32) -> Spec<'static> {
    Spec {
        begin: Begin::Start(1),
        depth,
        unit: Unit::usual(program),
        every_outcome: false,
        distinct: true,
        threads: 2,
    }
}

/// Ways to each depth.
fn ways(report: &Report) -> Vec<u64> {
    report.levels.iter().map(|level| level.ways).collect()
}

/// Different positions at each depth.
fn positions(report: &Report) -> Vec<u64> {
    let levels = report.levels.iter();
    levels.filter_map(|level| level.positions).collect()
}

#[test]
fn chess() {
    let report = counted("chess", None, 3);
    assert_eq!(ways(&report), [20, 400, 8_902]);
    let all: u64 = report.firsts.iter().map(|first| first.ways).sum();
    assert_eq!((report.firsts.len(), all), (20, 8_902));
}

/// A position with all kinds of moves.
#[test]
fn chess_kiwipete() {
    assert_eq!(ways(&counted("chess", Some("kiwipete"), 2)), [48, 2_039]);
}

/// All games of nine marks are 255,168; the first that are over have five. Turned and mirrored positions are told apart.
#[test]
fn tic_tac_toe() {
    let report = counted("tic-tac-toe", None, 5);
    assert_eq!(ways(&report), [9, 72, 504, 3_024, 15_120]);
    assert_eq!(positions(&report), [9, 72, 252, 756, 1_260]);
    assert_eq!(report.levels[4].over, 1_440);
}

#[test]
fn connect_four() {
    let report = counted("connect-four", None, 4);
    assert_eq!(ways(&report), [7, 49, 343, 2_401]);
    assert_eq!(positions(&report), [7, 49, 238, 1_120]);
}

#[test]
fn reversi() {
    assert_eq!(ways(&counted("reversi", None, 4)), [4, 12, 56, 244]);
}

/// A move is one answer.
#[test]
fn breakthrough() {
    assert_eq!(ways(&counted("breakthrough", None, 2)), [22, 484]);
    let sources = games::sources();
    let rules = games::rules(&sources, "breakthrough").expect("compiles");
    let program = interpreter::lower(&rules, 2).expect("lowers");
    let spec = Spec {
        unit: Unit::Answers,
        ..turns(&program, 2)
    };
    let report = count(&rules, &program, &spec, &|_, _| (), &AtomicBool::new(false));
    assert_eq!(ways(&report.expect("no fault")), [22, 484]);
}

/// A row of jumps is one move.
#[test]
fn english_draughts() {
    assert_eq!(
        ways(&counted("english-draughts", None, 4)),
        [7, 49, 302, 1_469]
    );
}

#[test]
fn amazons() {
    assert_eq!(ways(&counted("amazons", None, 1)), [2_176]);
}

#[test]
fn nine_mens_morris() {
    assert_eq!(ways(&counted("nine-mens-morris", None, 2)), [24, 552]);
}

#[test]
fn gomoku_and_hex() {
    assert_eq!(ways(&counted("gomoku", None, 1)), [225]);
    assert_eq!(ways(&counted("hex", None, 1)), [121]);
}

// -------------------------------------------------------------------------------------------------- small games

/// Counts two turns of rules for two players.
fn small(rules: &str, change: impl FnOnce(&mut Spec<'static>)) -> Result<Report, Stopped> {
    let sources = games::of_text("small", "2, 2", rules);
    let rules = games::rules(&sources, "small").expect("compiles");
    let program = interpreter::lower(&rules, 2).expect("lowers");
    let mut spec = turns(&program, 2);
    change(&mut spec);
    count(&rules, &program, &spec, &|_, _| (), &AtomicBool::new(false))
}

/// A die has six outcomes, and what is thrown first lies open.
const DICE: &str = "\
die: 1..6
player.total: 0..
action roll
  die = random(1..6)
  total += die
action rest: die = 1
flow
  round: repeat 3
    turn: each player
      act: one of roll, rest
score
  total = total
win by score
";

#[test]
fn chance_falls_once_or_in_every_way() {
    let once = small(DICE, |_| ()).expect("no fault");
    assert_eq!(ways(&once), [2, 4]);
    let every = small(DICE, |spec| spec.every_outcome = true).expect("no fault");
    assert_eq!(ways(&every), [7, 49]);
    assert_eq!(positions(&every), [7, 49]);
    let firsts: Vec<u64> = every.firsts.iter().map(|first| first.ways).collect();
    assert_eq!(firsts, [42, 7], "{:?}", every.firsts);
}

/// What is thrown before the first question branches too.
#[test]
fn chance_before_the_first_question() {
    let rules = DICE.replace("die: 1..6", "die: 1..6 = random(1..6)");
    let every = small(&rules, |spec| spec.every_outcome = true).expect("no fault");
    assert_eq!(ways(&every), [42, 294]);
}

/// Which way led there is no matter: neither what a step that is over held, nor how many answers were given.
#[test]
fn positions_are_the_same_where_the_rules_see_no_difference() {
    let rules = "\
player.total: 0..
act.left: 0..3
action one: total += 1; left -= 1
action two: total += 2; left -= 2
flow
  round: repeat
    turn: each player
      act:
        left = 3
        repeat while left > 0: one of one, two
score
  total = total
win by score
";
    let report = small(rules, |_| ()).expect("no fault");
    // 1 1 1, 1 2, 2 1: all come to three.
    assert_eq!(ways(&report), [3, 9]);
    assert_eq!(positions(&report), [1, 1]);
    let answers = small(rules, |spec| spec.unit = Unit::Answers).expect("no fault");
    assert_eq!(ways(&answers), [2, 3]);
    assert_eq!(positions(&answers), [2, 2]);
}

/// A game that ends is a way at the depth at which it ends, and none behind it.
#[test]
fn a_game_that_is_over_is_not_gone_on_with() {
    let rules = "\
player.total: 0..
action go: total += 1
action halt: finish now
flow
  round: repeat
    turn: each player
      act: one of go, halt
score
  total = total
win by score
";
    let report = small(rules, |_| ()).expect("no fault");
    assert_eq!(ways(&report), [2, 2]);
    let over: Vec<u64> = report.levels.iter().map(|level| level.over).collect();
    assert_eq!(over, [1, 1]);
    assert_eq!(report.firsts[1].ways, 0);
}

#[test]
fn a_turn_without_end_is_told() {
    let rules = "\
player.on: bool
action flip: on = not on
flow
  round: repeat
    turn: each player
      repeat may flip
score
  total = 0
win by score
";
    match small(rules, |spec| spec.distinct = false) {
        Err(Stopped::Endless { way }) => assert_eq!(way.len(), 1_000),
        other => panic!("{other:?}"),
    }
}

/// The answers that led to a mistake of the rules are told.
#[test]
fn a_fault_is_told_with_its_way() {
    let rules = "\
total: 0..
action part: total = 12 / (3 - total)
action more: total += 3
flow
  round: repeat
    turn: each player
      act: one of more, part
score
  total = total
win by score
";
    match small(rules, |_| ()) {
        Err(Stopped::Fault { way, .. }) => assert_eq!(way, ["more", "part"]),
        other => panic!("{other:?}"),
    }
}
