//! What programs that call instead of typing get: the same as from the commands, as values.

use dsl::diagnostic::Severity;
use editor::cli::Context;
use editor::cli::door::{Door, Overlays, Refusal, Shard};
use interpreter::Machine;
use interpreter::observe::{Observer, numbers_called};
use interpreter::playout::{self, Entry, Spec, Tournament};
use interpreter::words::Words;
use interpreter::{Program, State};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use tests::games;

const RULES: &str = "\
option pebbles: 5..30 = 21

heap: 0..30 = pebbles

action take(choose n in 1..3 where n <= heap)
  heap -= n
  if heap = 0: me wins \"the last pebble\"

flow
  round: repeat
    turn: each player
      one of take
";

fn door() -> Door {
    let context = Context {
        folder: games::folder().join(".."),
        threads: 2,
        ..Context::default()
    };
    Door {
        context,
        games: None,
    }
}

fn texts(rules: &str) -> BTreeMap<String, String> {
    let manifest = "[game]\nid = \"pebbles\"\ntitle = \"Pebbles\"\nplayers = [2, 3]\nrules = [\"pebbles.rules\"]\n";
    let pair = |name: &str, text: &str| (format!("pebbles/{name}"), text.to_owned());
    BTreeMap::from([pair("game.toml", manifest), pair("pebbles.rules", rules)])
}

#[test]
fn texts_are_a_game_and_their_mistakes_are_told() {
    let door = door();
    let overlays = Overlays {
        set: vec!["pebbles=9".into()],
        ..Overlays::default()
    };
    let game = door.texts(texts(RULES), None).expect("a game");
    let chosen = door.choose(game, &overlays).expect("rules");
    assert_eq!(chosen.overlays().set, ["pebbles=9"]);
    let wrong = texts(&RULES.replace("<= heap", "<= heaps"));
    let game = door.texts(wrong, Some("pebbles")).expect("a game");
    let found = door.check(&game, &[]).expect("a check");
    let (_, first) = found.all.first().expect("a mistake");
    assert_eq!(first.severity, Severity::Error);
    assert_eq!(found.sources.line_column(first.span), (5, 41));
    match door.choose(game, &overlays) {
        Err(Refusal::Mistakes(found)) => assert_eq!(found.all.len(), 1),
        _ => panic!("mistakes, not rules"),
    }
    let told = |texts, game| match door.texts(texts, game) {
        Err(Refusal::Call { message, .. }) => message,
        _ => panic!("no game"),
    };
    assert_eq!(
        told(BTreeMap::new(), None),
        "there is no text `GAME/game.toml`"
    );
    assert_eq!(
        told(texts(RULES), Some("x")),
        "there is no text `x/game.toml`"
    );
}

/// A simulation and a tournament, whole and put together of parts in another order.
#[test]
fn parts_make_the_whole() {
    let door = door();
    let game = door.texts(texts(RULES), None).expect("a game");
    let chosen = door.choose(game, &Overlays::default()).expect("rules");
    let program = door.program(&chosen, 3).expect("a program");
    let of = (&chosen, &program);
    let names = ["random".to_owned(), "greedy".to_owned()];
    let all = Spec {
        first: 0,
        games: 50,
        seed: 3,
        bots: door.entrants(&chosen, &names, 3).expect("bots"),
        threads: 2,
    };
    let shards = ["2/3", "3/3", "1/3"].map(|text| Shard::read(text).expect("a part"));
    let play = |spec: &Spec| {
        playout::run(
            &chosen.rules,
            &program,
            spec,
            &|_| {},
            &AtomicBool::new(false),
            &mut |_, _| {},
        )
        .expect("no fault")
    };
    let parts = shards.map(|shard| {
        let own = door.own(shard, &all).expect("games");
        door.part(of, &all, own.first, &play(&own)).expect("a part")
    });
    assert_eq!(door.players_of(&chosen, &parts).expect("parts"), 3);
    let (merged, _) = door.merged(of, &parts).expect("a simulation");
    assert_eq!(merged.to_json(), play(&all).to_json());
    let told = |found: Result<(), Refusal>| match found {
        Err(Refusal::Call { message, .. }) => message,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        told(door.merged(of, &parts[1..]).map(drop)),
        "games 17 to 33 of 50 are missing: part 2/3"
    );
    // What differs is told, of the part that is unlike the others, in whichever order they come.
    let other = Spec {
        seed: 4,
        ..all.clone()
    };
    let own = door.own(shards[2], &other).expect("games");
    let strange = door
        .part(of, &other, own.first, &play(&own))
        .expect("a part");
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let mut some = [parts[0].clone(), parts[1].clone(), strange.clone()];
        some = order.map(|at| std::mem::take(&mut some[at]));
        let said = told(door.merged(of, &some).map(drop));
        let at = order.iter().position(|at| *at == 2).unwrap_or_default() + 1;
        assert!(
            said.starts_with(&format!("`part {at}` is not of the same run as"))
                && said.ends_with(": the seed is 4, not 3"),
            "{said}"
        );
    }
    let more = Shard::read("1/51").expect("a part");
    assert_eq!(
        told(door.own(more, &all).map(drop)),
        "50 games cannot be played in 51 parts"
    );
    let game = door.texts(texts(RULES), None).expect("a game");
    let set = Overlays {
        set: vec!["pebbles=9".into()],
        ..Overlays::default()
    };
    let set = door.choose(game, &set).expect("rules");
    assert_eq!(
        told(door.players_of(&set, &parts).map(drop)),
        "`part 1` was not played with these rules: the options set are none, not pebbles=9"
    );

    let compete = |spec: &Spec| -> Tournament {
        let entry = Entry::of(spec, false);
        playout::tournament(
            &chosen.rules,
            &program,
            &entry,
            &|_| {},
            &AtomicBool::new(false),
        )
        .expect("no fault")
    };
    let parts = shards.map(|shard| {
        let own = door.own(shard, &all).expect("games");
        let result = compete(&own);
        door.tournament_part(of, &all, own.first, &result)
            .expect("a part")
    });
    let merged = door.merged_tournament(of, &parts).expect("a tournament");
    assert_eq!(merged, compete(&all));
    assert!(
        matches!(door.merged(of, &parts), Err(Refusal::Call { .. })),
        "no simulation"
    );
}

/// Of every game: as many numbers at each moment, each with a name, and the same where a seat sees the same.
#[test]
fn numbers_are_as_many_at_each_moment() {
    let door = door();
    for name in door.games().expect("games") {
        let game = door.open(&name).expect("a game");
        let chosen = door.choose(game, &Overlays::default()).expect("rules");
        let players = door.players(&chosen, None).expect("players");
        let program: Program = door.program(&chosen, players).expect("a program");
        let called = numbers_called(&Words::new(&chosen.rules, &program));
        let observer = Observer::new(&program);
        let mut machine = Machine::new(&program);
        machine.start(1).expect("no fault");
        for answer in 0..20 {
            let mut state = State::new();
            machine.save(&mut state);
            for seat in (0..players).map(Some).chain([None]) {
                let seen = observer.observe(&state, seat);
                assert_eq!(seen.numbers(&program).len(), called.len(), "{name}");
            }
            if machine.is_over() {
                break;
            }
            machine
                .answer(answer % machine.answers().len().max(1))
                .expect("no fault");
        }
    }
}
