//! Many games of bots with each of their decisions.

use super::work::Work;
use super::{Spec, game_seed};
use crate::Program;
use crate::replay::{self, Replay};
use dsl::ir::RuleSet;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Plays the games of `spec` as [`super::run`] does, and tells each of them in their order, with all that was answered. A game in
/// which the rules cannot go on is told up to there. `progress` and `cancel` are those of [`super::run`].
pub fn told(
    rules: &RuleSet,
    program: &Program,
    spec: &Spec,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
    each: &mut (dyn FnMut(u64, &Replay) + Send),
) {
    let bots = spec.seated(program.players);
    let work = Work::of(spec, progress, cancel);
    let played = work.play(
        &|| (),
        &|(), game| {
            let seed = game_seed(spec.seed, game);
            let go_on = !cancel.load(Ordering::Relaxed);
            Ok::<_, Infallible>(go_on.then(|| replay::played(rules, program, &bots, seed)))
        },
        &mut |game, replay| {
            each(game, &replay);
            ControlFlow::Continue(())
        },
    );
    match played {
        Ok(_) => {}
        Err((_, never)) => match never {},
    }
}
