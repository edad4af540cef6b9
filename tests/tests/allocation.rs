//! No decision of a playout allocates: the machine's buffers grow in the first games and are then used again.

#![allow(unsafe_code)]

use interpreter::Stop;
use interpreter::bots::Bot;
use interpreter::playout::{Table, game_seed};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use tests::games;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: everything is handed on to the system's allocator; counting touches no memory of its own.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

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
                    let before = ALLOCATIONS.get();
                    let mut decisions = 0u64;
                    let mut stop = table.start(game_seed(9, game)).expect("no fault");
                    while stop == Stop::Decision {
                        stop = table.step().expect("no fault");
                        decisions += 1;
                    }
                    let made = ALLOCATIONS.get() - before;
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
