//! Published counts that take long, each with the time it takes: what differs from them is an error.

use interpreter::count::{Begin, Spec, Unit, count};
use std::sync::atomic::AtomicBool;
use tests::games;

/// A game, the scenario where counting begins, how many turns deep, the ways there are, and the games that are over by then.
type Published = (&'static str, Option<&'static str>, u32, u64, Option<u64>);

const PUBLISHED: &[Published] = &[
    ("tic-tac-toe", None, 9, 127_872, Some(255_168)),
    // Published as 5,686,266, with the 13,032 games that were over a turn before.
    ("connect-four", None, 8, 5_673_234, None),
    ("reversi", None, 8, 390_216, None),
    ("breakthrough", None, 4, 256_036, None),
    ("english-draughts", None, 6, 36_768, None),
    ("english-draughts", None, 8, 845_931, None),
    ("amazons", None, 1, 2_176, None),
    ("chess", None, 4, 197_281, None),
    ("chess", None, 5, 4_865_609, None),
    ("chess", Some("kiwipete"), 3, 97_862, None),
    ("chess", Some("kiwipete"), 4, 4_085_603, None),
];

/// With words behind `--`, only games with one of them in their name.
fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let sources = games::sources();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for (game, from, depth, published, games_over) in PUBLISHED {
        if !wanted.is_empty() && !wanted.iter().any(|word| game.contains(word.as_str())) {
            continue;
        }
        let rules = games::rules(&sources, game).expect("compiles");
        let program = interpreter::lower(&rules, 2).expect("lowers");
        let state = from.map(|title| games::stand(&sources, game, title));
        let spec = Spec {
            begin: state.as_ref().map_or(Begin::Start(1), Begin::Position),
            depth: *depth,
            unit: Unit::usual(&program),
            every_outcome: false,
            distinct: false,
            threads,
        };
        let never = AtomicBool::new(false);
        let report = count(&rules, &program, &spec, &|_, _| (), &never).expect("no fault");
        let found = report.levels[*depth as usize - 1].ways;
        let seconds = report.elapsed.as_secs_f64();
        let from = from.unwrap_or("the start");
        println!("{game} from {from}, {depth} turns: {found} in {seconds:.1} s");
        assert_eq!(found, *published, "published is another number");
        let over: u64 = report.levels.iter().map(|level| level.over).sum();
        assert!(
            games_over.is_none_or(|games| games == over),
            "{over} games are over by then, published is another number"
        );
    }
}
