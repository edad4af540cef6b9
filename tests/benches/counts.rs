//! Published counts that take long, each with the time it takes: what differs from them is an error.

use interpreter::count::{Begin, Spec, Unit, count};
use std::sync::atomic::AtomicBool;
use tests::games;

/// A game, the scenario where counting begins, how many turns deep, and the ways there are.
const PUBLISHED: &[(&str, Option<&str>, u32, u64)] = &[
    ("chess", None, 4, 197_281),
    ("chess", None, 5, 4_865_609),
    ("chess", Some("kiwipete"), 3, 97_862),
    ("chess", Some("kiwipete"), 4, 4_085_603),
];

/// With words behind `--`, only games with one of them in their name.
fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let sources = games::sources();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for (game, from, depth, published) in PUBLISHED {
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
    }
}
