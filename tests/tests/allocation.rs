//! No decision of a playout allocates: the machine's buffers grow in the first games and are then used again.

use interpreter::bots::Bot;
use interpreter::playout::{Table, game_seed};
use interpreter::{Program, Stop};
use std::sync::Mutex;
use tests::counting::{Counting, allocations};
use tests::games;

#[global_allocator]
static COUNTING: Counting = Counting;

const WARM_UP: u64 = 2;

#[test]
fn decisions_do_not_allocate() {
    let mut tables: Vec<(&str, &Program, Bot)> = Vec::new();
    for (rules, programs) in games::programs() {
        for (at, program) in programs.iter().enumerate() {
            // With the fewest players that will do.
            let strategies = program.strategies.iter().take(usize::from(at == 0));
            let strategies = strategies.map(|one| Bot::Strategy(one.name.as_str().into()));
            let bots = [Bot::Random, Bot::Greedy].into_iter().chain(strategies);
            tables.extend(bots.map(|bot| (rules.id.as_str(), program, bot)));
        }
    }
    // Each thread counts what it asks for itself.
    let (left, wrong) = (Mutex::new(tables), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = || left.lock().expect("no thread fails with it").pop();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((game, program, bot)) = next() {
                    let found = allocating(program, &bot).into_iter();
                    let players = program.players;
                    let said =
                        found.map(|found| format!("{game} with {players} players, {bot}: {found}"));
                    wrong.lock().expect("no thread fails with it").extend(said);
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread has failed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The games in which something was allocated. The last ones are those of the warm-up again, so that all buffers have had their
/// size.
fn allocating(program: &Program, bot: &Bot) -> Vec<String> {
    let mut table = Table::new(program, vec![bot.clone()]);
    let mut wrong = Vec::new();
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
            wrong.push(format!("{made} allocations in {decisions} decisions"));
        }
    }
    wrong
}
