//! Bots that have learnt: what they learn is the same each time, and it is what a game is about.

use editor::models;
use interpreter::bots::{Bot, BotChance, Mind, Model, Patience};
use interpreter::playout::{BATCH_GAMES, Entry, Lesson, Spec, Tournament, run, tournament, train};
use interpreter::stats::Estimate;
use interpreter::{Machine, Program, Stop};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use tests::games;

/// Who picks each turn has 24 points; who plants first and picks at the end has three times as many.
const ORCHARD: &str = "\
player.points: 0..
player.trees: 0..
action pick: points += 2
action plant: trees += 1
flow
  round: repeat 12
    turn: each player
      points += trees
      one of pick, plant
score
  fruit = points
win by score
";

fn lowered(id: &str, text: &str) -> (dsl::ir::RuleSet, Program) {
    let sources = games::of_text(id, "2, 2", text);
    let rules = games::rules(&sources, id).expect("the game compiles");
    let program = interpreter::lower(&rules, 2).expect("lowers");
    (rules, program)
}

fn taught(rules: &dsl::ir::RuleSet, program: &Program, games: u64, threads: usize) -> Model {
    let lesson = Lesson {
        games: Some(games),
        seed: 3,
        threads,
        name: "taught".into(),
    };
    let taught = train(rules, program, &lesson, &|_| {}, &|| false);
    taught.expect("no fault").model
}

fn against(rules: &dsl::ir::RuleSet, program: &Program, bots: [Bot; 2], games: u64) -> Tournament {
    let entry = Entry {
        bots: bots.to_vec(),
        first: 0,
        games,
        seed: 5,
        threads: 2,
        times: false,
    };
    tournament(rules, program, &entry, &|_| {}, &AtomicBool::new(false)).expect("no fault")
}

/// A greedy bot never plants; one that has learnt knows what a tree is worth, and when.
#[test]
fn what_pays_later_is_learnt() {
    let (rules, program) = lowered("orchard", ORCHARD);
    let model = Arc::new(taught(&rules, &program, 8 * BATCH_GAMES, 2));
    let trees = model.features.iter().find(|one| one.name == "trees");
    let [early, _, late] = trees.expect("trees count").ahead;
    assert!(early > 0 && early > late, "{early} {late}");
    let result = against(&rules, &program, [Bot::Learnt(model), Bot::Greedy], 60);
    let better = result.better(0, 1);
    assert!(better.low > 5_000, "{better:?}");
}

/// So many games of a seed teach the same on any number of threads, and it is written as it is read.
#[test]
fn learning_is_the_same_each_time() {
    let (rules, program) = lowered("orchard", ORCHARD);
    let one = taught(&rules, &program, 3 * BATCH_GAMES, 1);
    assert_eq!(one, taught(&rules, &program, 3 * BATCH_GAMES, 2));
    let text = models::write(&one);
    let mut read = models::read("taught", &text).expect("a model");
    read.features.sort_by(|a, b| a.name.cmp(&b.name));
    let mut written = one;
    written.features.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(read, written);
    let broken = text.replacen("players = 2", "players = two", 1);
    let why = models::read("taught", &broken).expect_err("no number");
    assert!(why.starts_with("line 7, column 11: "), "{why}");
}

/// A builds ab and bc, and so joins what its first contract names, for which ca alone would have done; what the second names B's
/// first road has cut off.
const CONTRACTS: &str = "\
enum town = a, b, c, p, q, r, x, y
table road
  from, to: town
  seat, turn: 1..3
rows road
  id | from | to | seat | turn
  ab | a    | b  | 1    | 1
  bc | b    | c  | 1    | 2
  ca | c    | a  | 1    | 3
  xy | x    | y  | 2    | 1
  pq | p    | q  | 2    | 2
  qr | q    | r  | 2    | 3
table contract
  from, to: town
  seat: 1..2
rows contract
  id    | from | to | seat
  here  | a    | c  | 1
  cut   | x    | y  | 1
  never | a    | y  | 1
  there | p    | r  | 2
road.owner: player?
player.contracts: set of contract private = set(k in contract where k.seat = this.seat)
network player.lines links r in road from r.from to r.to where r.owner = this
player.done = count(k in contracts where lines.joins(k.from, k.to))
player.built: 0..3
action build(choose r in road where r.seat = seat and r.turn = built + 1)
  r.owner = me
  built += 1
flow
  round: repeat 3
    turn: each player
      build
score
  first = if seat = 1 then 5 else done
win by score
";

/// Of rows that name two places of a network it is counted how much of a way is missing, and what is joined and cut off.
#[test]
fn ways_that_are_missing_are_counted() {
    let (rules, program) = lowered("contracts", CONTRACTS);
    let model = taught(&rules, &program, 2 * BATCH_GAMES, 2);
    // Before the six turns A misses 2, 2, 1, 0, 0, 0 roads and B 2, 2, 2, 2, 1, 1.
    for (name, mean) in [
        ("missing of lines", 15),
        ("joined by lines", 3),
        ("cut off from lines", 4),
    ] {
        let name = format!("contracts: {name}");
        let found = model.features.iter().find(|one| one.name == name);
        let parts = found.unwrap_or_else(|| panic!("{name} counts")).mean;
        assert_eq!(
            parts,
            (f64::from(mean) / 12.0 * 10_000.0).round() as i64,
            "{name}"
        );
    }
}

/// Under other rules a model says what it knows nothing of.
#[test]
fn models_know_other_rules_by_name() {
    let (rules, program) = lowered("orchard", ORCHARD);
    let model = taught(&rules, &program, 2 * BATCH_GAMES, 2);
    assert_eq!(model.missing(&program), Vec::<&str>::new());
    let (_, other) = lowered("woods", &ORCHARD.replace("trees", "bushes"));
    let missing = model.missing(&other);
    assert!(
        missing.contains(&"trees") && !missing.contains(&"points"),
        "{missing:?}"
    );
}

/// Who takes the last stone has won.
const NIM: &str = "\
heap: 0..21 = 11
action take(choose n in 1..3)
  heap -= n
  if heap = 0: me wins \"the last stone\"
flow
  game: repeat while heap > 0
    turn: each player
      take
";

/// Searching plays Nim as theory says: it leaves a multiple of four wherever it can.
#[test]
fn searching_plays_nim() {
    let (_, program) = lowered("nim", NIM);
    let bot = Bot::Search {
        looks: 400,
        model: None,
    };
    for heap in [5, 6, 7, 9, 10, 11] {
        let mut machine = Machine::new(&program);
        let mut mind = Mind::new(&program);
        let mut stop = machine.start(1).expect("no fault");
        // The heap is made so small by taking one stone after the other.
        for _ in heap..11 {
            stop = machine.answer(0).expect("no fault");
        }
        assert_eq!(stop, Stop::Decision);
        let mut chance = BotChance::new(heap as u64, machine.seat());
        let at = bot
            .pick(&mut machine, &mut mind, &mut chance, &Patience::OWN)
            .expect("no fault");
        let taken = machine.answers().value(at);
        assert_eq!((heap - taken) % 4, 0, "of {heap} it takes {taken}");
    }
}

/// Two that search draw tic-tac-toe, and one that searches never loses it to chance.
#[test]
fn searching_plays_tic_tac_toe() {
    let sources = games::sources();
    let Ok(rules) = games::rules(&sources, "tic-tac-toe") else {
        return;
    };
    let program = interpreter::lower(&rules, 2).expect("lowers");
    let search = |looks| Bot::Search { looks, model: None };
    let drawn = against(&rules, &program, [search(1_000), search(1_001)], 6);
    assert_eq!(drawn.better(0, 1).value, 5_000, "{drawn:?}");
    assert_eq!(drawn.entrants[0].victories + drawn.entrants[1].victories, 0);
    let lost = against(&rules, &program, [search(1_000), Bot::Random], 20);
    assert_eq!(lost.entrants[1].victories, 0, "{lost:?}");
}

/// Where the fewest points win, and where no points are scored but something else is asked, bots want that.
#[test]
fn bots_want_what_the_ranking_asks() {
    let golf = "\
player.points: 0..
action play(choose n in 0..3): points += n
flow
  round: repeat 5
    turn: each player: play
";
    for ranking in [
        "score\n  strokes = points\nwin by -score\n",
        "win by -points\n",
    ] {
        let (rules, program) = lowered("golf", &format!("{golf}{ranking}"));
        let model = Arc::new(taught(&rules, &program, 4 * BATCH_GAMES, 2));
        for bot in [Bot::Greedy, Bot::Learnt(model)] {
            let result = against(&rules, &program, [bot, Bot::Random], 20);
            let better = result.better(0, 1);
            assert!(better.low > 7_000, "{ranking}: {better:?}");
        }
    }
}

/// Poker of three cards and two players, each of whom has one (Kuhn, 1950). The seat `theory` is played by the rules: it bets and calls as
/// often as the equilibrium says, so that whoever makes no mistake against it loses a point in eighteen hands as the first, and
/// wins as much as the second.
const POKER: &str = "\
option theory: 1..2 = 2
table card copies count
  worth: 1..3
  count: 1..
rows card
  id    | worth | count
  jack  | 1     | 1
  queen | 2     | 1
  king  | 3     | 1
pile: deck of card hidden = shuffled(card)
player.hand: bag of card private
player.card = sum(c in hand: c.worth)
player.points: -2..2
player.bets: bool
player.calls: bool
action bet: bets = true
action check: bets = false
action call: calls = true
action fold: calls = false
action bet_or_check(p: player)
  if p.seat = theory: p.bets = p.card = 3 or p.card = 1 and random(1..3) = 1
  else: as p: one of bet, check
action call_or_fold(p: player)
  if p.seat = theory: p.calls = p.card = 3 or p.card = 2 and random(1..3) <= 3 - theory
  else: as p: one of call, fold
action pay(p: player, stake: 1..2)
  each q in player: q.points = if q = p then stake else 0 - stake
action show(stake: 1..2)
  if player[1].card > player[2].card: pay(player[1], stake)
  else: pay(player[2], stake)
action answered(better: player, other: player)
  call_or_fold(other)
  if other.calls: show(2)
  else: pay(better, 1)
flow
  setup:
    each player: move top of pile to hand
  hand:
    bet_or_check(player[1])
    if player[1].bets: answered(player[1], player[2])
    else:
      bet_or_check(player[2])
      if player[2].bets: answered(player[2], player[1])
      else: show(1)
score
  points = points
win by score
";

/// What a bot wins in a hand against the equilibrium, in thousandths.
fn at_poker(theory: u32, bot: Bot) -> Estimate {
    let text = POKER.replace("1..2 = 2", &format!("1..2 = {theory}"));
    let (rules, program) = lowered("poker", &text);
    let spec = Spec {
        first: 0,
        games: 3_000,
        seed: 1,
        bots: vec![bot],
        threads: 2,
    };
    let never = AtomicBool::new(false);
    let report = run(&rules, &program, &spec, &|_| {}, &never, &mut |_, _| {});
    let report = report.expect("no fault");
    let own = report.score(2 - theory as usize).expect("a score");
    own.mean()
}

/// Nobody beats the equilibrium, and who searches makes no mistake against it: a hand is worth what theory says on both seats. Who
/// plays at random loses more.
#[test]
fn searching_is_worth_at_poker_what_theory_says() {
    let search = Bot::Search {
        looks: 100,
        model: None,
    };
    for (theory, value) in [(2, -1_000 / 18), (1, 1_000 / 18)] {
        let found = at_poker(theory, search.clone());
        assert!(found.low <= value && value <= found.high, "{found:?}");
        let random = at_poker(theory, Bot::Random);
        assert!(random.high < value, "{random:?}");
    }
}
