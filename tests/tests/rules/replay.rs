//! Games as text: written, read, followed; and play-tests with undo and lines side by side.

use dsl::assembly::Selection;
use dsl::syntax::ast::AssignOp;
use interpreter::bots::{Bot, Patience};
use interpreter::coverage::Coverage;
use interpreter::game::{Played, Session};
use interpreter::playout::{Table, game_seed};
use interpreter::replay::{self, Differs, Ending, LineKind, Replay};
use interpreter::{Program, State, Stop};
use std::time::Instant;
use tests::games::{self, more};

/// A game of bots in a session, played to its end.
fn played<'a>(rules: &'a dsl::ir::RuleSet, program: &'a Program, seed: u64) -> Session<'a> {
    let mut session = Session::new(rules, program, seed)
        .unwrap_or_else(|fault| panic!("{}: {fault:?}", rules.id));
    session.tree_mut().bots.fill(Some(Bot::Random));
    while !session.is_over() {
        match session.play_bot(&Patience::OWN) {
            Ok(Some(_)) => {}
            other => panic!("{} {seed}: {other:?}", rules.id),
        }
    }
    session
}

#[test]
fn replays_come_back_the_same_and_fit_their_rules() {
    for (rules, programs) in games::programs() {
        for program in programs {
            for game in 0..more(1) {
                let mut session = played(rules, program, game_seed(3, game));
                let replay = Replay::of_session(&mut session);
                let text = replay::write(&replay);
                let read = replay::parse(&text)
                    .unwrap_or_else(|errors| panic!("{}: {errors:?}", rules.id));
                assert_eq!(replay::write(&read), text);
                let (verdict, again) = replay::follow(rules, program, &read);
                assert_eq!(
                    verdict.ending,
                    Ending::Complete { over: true },
                    "{}\n{text}",
                    rules.id
                );
                assert_eq!(verdict.differs, None);
                let again = again.expect("a session");
                let end = session.tree().current();
                let other = again.tree().current();
                assert_eq!(
                    session.tree().node(end).state(),
                    again.tree().node(other).state(),
                    "{}",
                    rules.id
                );
            }
        }
    }
}

/// Bots' games that end in a fault are written by playing them again: the same game comes out.
#[test]
fn games_of_bots_are_written_as_played() {
    for (rules, programs) in games::programs() {
        // Whoever values positions plays long where much can be counted.
        let bots = games::bots(&programs[0]).into_iter();
        for bot in bots.filter(|bot| bot.model().is_none()) {
            let text = replay::of_bots(rules, &programs[0], std::slice::from_ref(&bot), 77);
            let replay = replay::parse(&text).expect("a replay");
            assert!(
                matches!(
                    replay.lines.last().map(|line| &line.kind),
                    Some(LineKind::End { .. })
                ),
                "{} {bot}",
                rules.id
            );
            let verdict = replay::verify(rules, &programs[0], &replay);
            assert!(verdict.is_complete(), "{} {bot}: {verdict:?}", rules.id);
        }
    }
}

#[test]
fn undo_redo_and_jumps_restore_every_state() {
    for (rules, programs) in games::programs() {
        let program = &programs[0];
        let mut session = played(rules, program, 21);
        let states: Vec<State> = session
            .tree()
            .line()
            .iter()
            .map(|id| session.tree().node(*id).state().clone())
            .collect();
        let last = states.len() - 1;
        let mut times = Vec::new();
        let mut now = State::new();
        for at in (0..last).rev() {
            let begin = Instant::now();
            assert_eq!(session.undo(), Ok(true));
            let time = begin.elapsed();
            session.machine().save(&mut now);
            assert_eq!(now, states[at], "{}", rules.id);
            times.push(time);
        }
        assert_eq!(session.undo(), Ok(false));
        // The median: a busy machine may stall any single one.
        times.sort();
        let median = times[times.len() / 2];
        assert!(
            median.as_micros() < 1000,
            "{}: undo takes {median:?}",
            rules.id
        );
        session.jump(last / 2).expect("no fault");
        session.machine().save(&mut now);
        assert_eq!(now, states[last / 2]);
        assert_eq!(session.redo(), Ok(true));
        session.machine().save(&mut now);
        assert_eq!(now, states[last / 2 + 1]);
        session.jump(usize::MAX).expect("no fault");
        assert!(session.is_over());
        assert_eq!(session.redo(), Ok(false));
    }
}

#[test]
fn lines_are_kept_side_by_side() {
    let (rules, program) = games::some_program();
    let mut session = Session::new(&rules, &program, 4).expect("a game");
    let begin = session.tree().current();
    let Ok(Played::On(first)) = session.answer(0) else {
        panic!("an answer")
    };
    session.undo().expect("no fault");
    let Ok(Played::On(second)) = session.answer(1) else {
        panic!("an answer")
    };
    session.tree_mut().name_line("the other way", second);
    assert_eq!(session.tree().node(begin).children, [first, second]);
    // The same answer again is no third line.
    session.go_to(begin).expect("no fault");
    assert_eq!(session.answer(0), Ok(Played::On(first)));
    assert_eq!(session.tree().len(), 3);
    let names: Vec<_> = session.tree().names().collect();
    assert_eq!(names, [("the other way", second)]);
    // The tree alone is enough to go on.
    let tree = session.into_tree();
    let resumed = Session::resume(&rules, &program, tree);
    assert_eq!(resumed.tree().current(), first);
    assert!(!resumed.answers().is_empty());
}

#[test]
fn other_rules_show_where_a_game_goes_another_way() {
    let sources = games::sources();
    let Ok(base) = games::rules(&sources, "ticket-to-ride-maerklin") else {
        return;
    };
    let players = base.players.0;
    let program = interpreter::lower(&base, players).expect("lowers");
    let replay = Replay::of_session(&mut played(&base, &program, 8));
    let selection = Selection {
        options: vec![("start_cards".into(), AssignOp::Add, "1".into())],
        ..Selection::default()
    };
    let changed = dsl::compile(&sources, &base.id, &selection)
        .rules
        .expect("compiles");
    let program = interpreter::lower(&changed, players).expect("lowers");
    let (verdict, session) = replay::follow(&changed, &program, &replay);
    let differs = verdict.differs.clone().expect("other rules");
    assert!(
        matches!(&differs, Differs::Option { name, then: None, now: Some(_) } if name == "start_cards"),
        "{differs:?}"
    );
    let Ending::Diverged(divergence) = verdict.ending else {
        panic!("{verdict:?}")
    };
    assert!(divergence.logged != divergence.now, "{divergence:?}");
    // It can be finished from there.
    let mut session = session.expect("a session");
    session.tree_mut().bots.fill(Some(Bot::Random));
    while !session.is_over() {
        session
            .play_bot(&Patience::OWN)
            .expect("no fault")
            .expect("an answer");
    }
}

fn wrong_in(text: &str) -> Vec<replay::ReplayError> {
    match replay::parse(text) {
        Err(replay::Unreadable::Wrong(errors)) => errors,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_newer_form_is_told_as_such() {
    for form in [2, 17] {
        let text = format!("trackwright replay {form}\nwhatever: it: has\n");
        let told = replay::parse(&text).expect_err("it is newer");
        assert_eq!(told, replay::Unreadable::Newer(form));
        assert!(told.said("saved game").contains("newer trackwright"));
    }
}

#[test]
fn what_is_no_replay_is_said_with_its_place() {
    let (rules, program) = games::some_program();
    let text = replay::of_bots(&rules, &program, &[Bot::Greedy], 1);
    assert!(replay::parse(&text).is_ok());
    // Each word of the header that is wrong, and nothing that follows from it.
    let cases = [
        (
            "seed 1",
            "seed one",
            ":6: expected a whole number, but there is `one`",
        ),
        (
            "players ",
            "players x",
            ":9: expected a number of players, but there is `x",
        ),
        (
            "seed 1",
            "",
            ":1: expected a line `seed …` in the header above, but there is `",
        ),
        (
            "seed 1",
            "seed 1\nplayers 3",
            ":1: expected no second line `players`",
        ),
        (
            "seed 1",
            "sead 1",
            ":1: expected a line of the header (`game`, `fingerprint`",
        ),
        ("\nA: ", "\nQ: ", ":1: expected a seat of this game, as `A`"),
    ];
    for (right, wrong, said) in cases {
        let errors = wrong_in(&text.replacen(right, wrong, 1));
        assert_eq!(errors.len(), 1, "{wrong}: {errors:?}");
        let told = errors[0].to_string();
        assert!(told.contains(said), "{wrong}: {told}");
    }
    assert_eq!(wrong_in("hello")[0].line, 1);
    let cut = wrong_in("trackwright replay 1\ngame x\n");
    assert_eq!(
        cut[0].to_string(),
        "3:1: expected a line `fingerprint …` in the header above, but the line ends"
    );
    let broken = text.lines().take(6).collect::<Vec<_>>().join("\n") + "\nchance x: [a, \"b]";
    assert!(replay::parse(&broken).is_err());
}

/// Digs from a hidden pile, several deep; where a rock was drawn, all of it is taken back.
fn digging(depth: usize) -> String {
    let mut text = String::from(
        "table stone\n  worth: 0..\nrows stone\n  id   | worth\n  gold | 5\n  rock | 1\n\
         pile: deck of stone hidden = shuffled({gold: 5, rock: 3})\n\
         player.hand: bag of stone private\nplayer.rested: 0..\nplayer.left_off: 0..\n\
         check all_there: pile.size + sum(p in player: p.hand.size) = 8\n\
         action rest: rested += 1\naction leave: left_off += 1\n",
    );
    for at in 1..=depth {
        let deeper = match at < depth {
            true => format!("  one of dig{}, leave\n", at + 1),
            false => String::new(),
        };
        text += &format!(
            "action dig{at}\n  move top of pile to hand\n{deeper}  need hand.count(rock) = 0 else \"no gold\"\n"
        );
    }
    text + "flow\n  round: repeat 3\n    turn: each player\n      one of dig1, rest\n\
            score\n  points = sum(s in hand: s.worth)\nwin by score\n"
}

/// What was taken back never happened: not for counts, replays, nor saved games, whoever answers.
#[test]
fn what_was_taken_back_never_happened() {
    let mut went_back = 0;
    for depth in 1..=3 {
        let sources = games::of_text("digging", "3, 3", digging(depth));
        let rules = games::rules(&sources, "digging").expect("the game compiles");
        let program = interpreter::lower(&rules, 3).expect("lowers");
        for game in 0..more(6) {
            let seed = game_seed(5, game);
            let place = format!("{depth} deep, seed {seed}");
            let text = replay::of_bots(&rules, &program, &[Bot::Random], seed);
            let of_bots = replay::parse(&text).expect("a replay");
            let verdict = replay::verify(&rules, &program, &of_bots);
            assert!(verdict.is_complete(), "{place}: {verdict:?}\n{text}");
            assert_eq!(
                counted(&sources, &program, seed),
                told(&of_bots),
                "{place}\n{text}"
            );
            let (backs, mut session) = tried_out(&rules, &program, seed, &place);
            went_back += backs;
            let saved = Replay::of_session(&mut session);
            let (verdict, again) = replay::follow(&rules, &program, &saved);
            assert!(verdict.is_complete(), "{place}: {verdict:?}");
            let again = again.expect("a session");
            let words = |session: &Session<'_>| {
                let tree = session.tree();
                tree.node(tree.current()).state().words().to_vec()
            };
            assert_eq!(words(&session), words(&again), "{place}");
        }
    }
    assert!(went_back > 20, "{went_back} answers led nowhere");
}

/// How often each action was begun, as it is counted.
fn counted(sources: &dsl::source::SourceSet, program: &Program, seed: u64) -> [u64; 3] {
    let mut table = Table::hasty(program, vec![]);
    table.machine.set_coverage(true);
    let mut stop = table.start(seed).expect("no fault");
    while stop == Stop::Decision {
        stop = table.step().expect("no fault");
    }
    let coverage = Coverage::of(&table.machine).expect("it counts");
    let statements = coverage.statements(program);
    ["move top of pile", "left_off += 1", "rested += 1"].map(|text| {
        let of = statements
            .iter()
            .filter(|one| sources.slice(one.span).starts_with(text));
        of.map(|one| one.ran).sum()
    })
}

/// The same as a replay tells it.
fn told(replay: &Replay) -> [u64; 3] {
    ["dig", "leave", "rest"].map(|name| {
        let answers = replay.lines.iter().filter(
            |line| matches!(&line.kind, LineKind::Answer { text, .. } if text.starts_with(name)),
        );
        answers.count() as u64
    })
}

/// A game in which people try one thing after the other, and how often they were sent back.
fn tried_out<'a>(
    rules: &'a dsl::ir::RuleSet,
    program: &'a Program,
    seed: u64,
    place: &str,
) -> (usize, Session<'a>) {
    let mut session = Session::new(rules, program, seed).expect("no fault");
    let (mut backs, mut lot) = (0, seed);
    while !session.is_over() {
        let before = session.tree().current();
        let offered = session.answers().len();
        lot = lot.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let cells = |session: &Session<'_>, id| session.tree().node(id).state().words().to_vec();
        let stood = cells(&session, before);
        match session
            .answer((lot >> 33) as usize % offered)
            .expect("no fault")
        {
            Played::On(_) => {}
            Played::Back(here) if here == before => {
                backs += 1;
                assert_eq!(
                    cells(&session, here),
                    stood,
                    "{place}: it stands where it stood"
                );
                assert!(
                    session.answers().len() < offered,
                    "{place}: without that answer"
                );
                // Going away and coming back changes nothing.
                let now = session.answers();
                session.undo().expect("no fault");
                session.go_to(here).expect("no fault");
                assert_eq!(session.answers(), now, "{place}");
            }
            Played::Back(_) => backs += 1,
        }
    }
    (backs, session)
}

/// A table without rows: its cells have streams of chance that nobody draws from.
#[test]
fn cells_of_nothing_have_no_outcomes() {
    let rules = "table card\n  cost: 0..\nrows card\n  id | cost\ncard.marks: deck of 1..3 = shuffled({1, 2, 3})\nx: 0..9\n\
        action go(choose v in 1..2): x = v + random({1, 2})\nflow\n  round: repeat\n    turn: each player\n      go\n      finish now\nscore\n  p = x\nwin by score\n";
    let sources = games::of_text("nothing", "2, 2", rules);
    let rules = games::rules(&sources, "nothing").unwrap_or_else(|wrong| panic!("{wrong:?}"));
    let program = interpreter::lower(&rules, 2).expect("lowers");
    let text = replay::of_bots(&rules, &program, &[Bot::Random], 1);
    // To find whose outcomes these are, all streams are gone through.
    assert!(text.contains("chance random"), "{text}");
    let verdict = replay::verify(&rules, &program, &replay::parse(&text).expect("a replay"));
    assert_eq!(verdict.ending, Ending::Complete { over: true }, "{text}");
}
