//! No decision of a playout allocates: the machine's buffers grow in the first games and are then used again.

use interpreter::Stop;
use interpreter::bots::Bot;
use interpreter::playout::{Table, game_seed};
use tests::counting::{Counting, allocations};
use tests::games;

#[global_allocator]
static COUNTING: Counting = Counting;

const WARM_UP: u64 = 2;

#[test]
fn decisions_do_not_allocate() {
    let mut wrong = Vec::new();
    for (rules, programs) in games::programs() {
        for (at, program) in programs.iter().enumerate() {
            // With the fewest players that will do.
            let strategies = program.strategies.iter().take(usize::from(at == 0));
            let strategies = strategies.map(|one| Bot::Strategy(one.name.as_str().into()));
            for bot in [Bot::Random, Bot::Greedy].into_iter().chain(strategies) {
                let mut table = Table::new(program, vec![bot.clone()]);
                // The last games are those of the warm-up again, so that all buffers have had their size.
                let games = (0..WARM_UP).map(|game| (game, false));
                for (game, warm) in games.chain((0..WARM_UP).map(|game| (game, true))) {
                    let before = allocations();
                    let mut decisions = 0u64;
                    let mut stop = table.start(game_seed(9, game)).expect("no fault");
                    while stop == Stop::Decision {
                        stop = table.step().expect("no fault");
                        decisions += 1;
                    }
                    let made = allocations() - before;
                    if warm && made > 0 {
                        wrong.push(format!(
                            "{} with {} players, {bot}: {made} allocations in {decisions} decisions",
                            rules.id, program.players
                        ));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
