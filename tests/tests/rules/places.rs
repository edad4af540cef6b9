//! Questions about the places of a plane: that they are remembered and asked again only where something changed, changes nothing.

use interpreter::playout::{Table, game_seed};
use interpreter::{Answer, Machine, Program, Stop};
use tests::games;

/// Tiles are laid so that lines meet, taken up again, laid unseen from the stack, and marked.
const RULES: &str = "
table tile key id copies count
  rails: set of side
  count: 0..
rows tile
  id       | rails        | count
  bend     | {n, e}       | 12
  straight | {n, s}       | 12
  fork     | {n, e, s}    | 8
  cross    | {n, e, s, w} | 6
  stub     | {n}          | 6
tiling map of tile on plane 9 turns 4
stack: deck of tile hidden = shuffled(bag(t in tile where t != cross: t))
player.hand: bag of tile
cell.marked: bool

cell.lines = if this.tile then this.tile.rails else {}
cell.joined = some(d in side where this.next(d) and d.back in this.next(d).lines and d in this.lines)
cell.beside = some(d in side where this.next(d) and this.next(d).tile)
always lines_meet: (d in c.lines) = (d.back in c.next(d).lines)
  for c in cell where c.tile, d in side where c.next(d) and c.next(d).tile

action lay(choose t in hand, choose c in cell where not c.tile where c.beside{ALSO}, choose rotation in 0..3)
  hand -= t
  c.tile = t
  c.turn = rotation
  need c.joined
action surprise(choose c in cell where not c.tile where c.beside{ALSO})
  move top of stack to c.tile
  may mark
action take(choose c in cell where c.tile and not c.marked{ALSO})
  move c.tile to hand
action mark(choose c in cell where c.tile where not c.marked{ALSO})
  c.marked = true

flow
  setup:
    cell[0, 0].tile = cross
    each player: move top 3 of stack to hand
  round: repeat
    turn: each player
      act: one of lay, surprise, take, mark
      if none can be done: finish now
      if stack.size < 3: finish now
      if hand.size < 3: move top of stack to hand
score
  tiles = count(c in cell where c.tile)
win by score
";

fn program(also: &str) -> Program {
    let sources = games::of_text("tiles", "2, 2", RULES.replace("{ALSO}", also));
    let rules = games::rules(&sources, "tiles").expect("the rules compile");
    interpreter::lower(&rules, 2).expect("the rules can be lowered")
}

fn answers(machine: &Machine<'_>) -> Vec<(Answer, bool)> {
    let answers = machine.answers();
    (0..answers.len())
        .map(|at| (answers.get(at), answers.is_marked(at)))
        .collect()
}

/// Who began is no cell: with a condition on that, all places are asked each time. What differs from player to player is
/// remembered for each of them.
#[test]
fn what_is_remembered_of_places_is_what_asking_finds() {
    let own = "c.marked or c != cell[1, 0] or me.seat = 1";
    for (also, asked) in [("true", String::new()), (own, format!(" where {own}"))] {
        remembers_what_asking_finds(&asked, &format!(" where ({also}) and starter.seat > 0"));
    }
}

fn remembers_what_asking_finds(also: &str, asked: &str) {
    let (remembering, asking) = (program(also), program(asked));
    assert!(remembering.sieves.len() > asking.sieves.len());
    let mut marked = 0;
    for game in 0..8 {
        let seed = game_seed(3, game);
        let mut table = Table::new(&remembering, vec![]);
        let mut slow = Machine::new(&asking);
        let mut stop = table.start(seed).expect("no fault");
        assert_eq!(slow.start(seed), Ok(stop));
        while stop == Stop::Decision {
            let own = answers(&table.machine);
            assert_eq!(own, answers(&slow));
            marked += own.iter().filter(|(_, marked)| *marked).count();
            let at = table.pick().expect("no fault");
            stop = table.take(at).expect("no fault");
            assert_eq!(slow.answer(at), Ok(stop));
        }
        assert_eq!(table.machine.scores(0), slow.scores(0));
    }
    assert!(marked > 0, "nothing was laid unseen");
}

/// What is counted of refusals is the same however often a machine was used.
#[test]
fn refusals_are_counted_by_the_state_alone() {
    let program = program("");
    let count = |games: std::ops::Range<u64>| {
        let mut table = Table::new(&program, vec![]);
        table.machine.set_coverage(true);
        for game in games {
            let mut stop = table.start(game_seed(3, game)).expect("no fault");
            while stop == Stop::Decision {
                stop = table.step().expect("no fault");
            }
        }
        interpreter::coverage::Coverage::of(&table.machine).expect("coverage is counted")
    };
    let mut apart = count(0..1);
    apart.merge(&count(1..2));
    assert_eq!(apart, count(0..2));
}
