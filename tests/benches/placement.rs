//! How finding every legal placement of a hand of three tiles grows with the board: each tile, face up or face down, at each
//! place, turned each way. Times are for all of them together: from each answer to the answers of the question behind it.

use interpreter::playout::{Table, game_seed};
use interpreter::{Machine, State, Stop};
use std::time::{Duration, Instant};
use tests::games;

/// As many tiles as one likes; lines must meet, and a tile must be joined by one.
const RULES: &str = "
table tile key id copies count
  rails: set of side
  count: 0..
rows tile
  id       | rails        | count
  bend     | {n, e}       | 120
  straight | {n, s}       | 120
  fork     | {n, e, s}    | 80
  cross    | {n, e, s, w} | 60
  stub     | {n}          | 60
  back     | {n, s}       | 1
tiling map of tile on plane 61 turns 4
stack: deck of tile hidden = shuffled(bag(t in tile where t != back: t))
player.hand: bag of tile

cell.lines = if this.tile then this.tile.rails else {}
cell.joined = some(d in side where this.next(d) and d.back in this.next(d).lines and d in this.lines)
always lines_meet: (d in c.lines) = (d.back in c.next(d).lines)
  for c in cell where c.tile, d in side where c.next(d) and c.next(d).tile
  else \"line must meet line\"

action lay(choose t in hand, choose face in {t, back},
           choose c in cell where not c.tile and some(d in side where c.next(d) and c.next(d).tile), choose rotation in 0..3)
  hand -= t
  c.tile = face
  c.turn = rotation
  need c.joined else \"no line of it meets a line\"

flow
  setup:
    cell[0, 0].tile = cross
    each player: move top 3 of stack to hand
  round: repeat
    turn: each player
      act: one of lay
      if none can be done: skip
      if stack.size = 0: finish now
      move top of stack to hand
score
  tiles = 0
win by score
";

/// Tiles on the board.
const BOARDS: [u64; 6] = [10, 20, 40, 100, 200, 400];
const GAMES: u64 = 5;
const AGAIN: usize = 5;

fn main() {
    if std::env::args().any(|arg| arg == "--list" || arg == "--test") {
        return;
    }
    let sources = games::of_text("tiles", "2, 2", RULES);
    let rules = games::rules(&sources, "tiles").expect("the rules compile");
    let program = interpreter::lower(&rules, 2).expect("the rules can be lowered");
    println!("tiles  placements  all of them");
    for tiles in BOARDS {
        let (mut placements, mut times) = (0, Duration::ZERO);
        for game in 0..GAMES {
            let mut table = Table::hasty(&program, vec![]);
            let mut stop = table.start(game_seed(1, game)).expect("no fault");
            let mut state = State::new();
            // Four answers lay a tile.
            for _ in 0..4 * (tiles - 1) {
                assert_eq!(stop, Stop::Decision);
                stop = table.step().expect("no fault");
            }
            table.machine.save(&mut state);
            let mut machine = Machine::new(&program);
            let mut time = Duration::MAX;
            for _ in 0..AGAIN {
                let begin = Instant::now();
                machine.load(&state).expect("no fault");
                let mut once = begin.elapsed();
                placements += all(&mut machine, &state, 0, &mut once);
                time = time.min(once);
            }
            times += time;
        }
        let mean = times.as_nanos() as f64 / 1000.0 / GAMES as f64;
        println!(
            "{tiles:5} {:11} {mean:9.0} µs",
            placements / GAMES / AGAIN as u64
        );
    }
}

/// The ways to answer the question at which the machine stands and those behind it, until a tile lies.
fn all(machine: &mut Machine<'_>, state: &State, depth: usize, time: &mut Duration) -> u64 {
    let answers = machine.answers().len();
    if depth == 3 {
        return answers as u64;
    }
    let mut behind = State::new();
    let mut found = 0;
    for at in 0..answers {
        machine.load(state).expect("no fault");
        let begin = Instant::now();
        machine.answer(at).expect("no fault");
        *time += begin.elapsed();
        machine.save(&mut behind);
        found += all(machine, &behind, depth + 1, time);
    }
    found
}
