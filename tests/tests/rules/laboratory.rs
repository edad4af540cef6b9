//! The play-test laboratory against known answers: fair games are called fair, planted faults are named, what is the same is not
//! called different, parts make the whole.

use dsl::ir::RuleSet;
use editor::cli::Context;
use interpreter::bots::Bot;
use interpreter::playout::{
    Compared, Comparison, FindingKind, Report, Side, Spec, Table, compare, run,
};
use interpreter::{Program, Stop};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use tests::call::{Said, call, words};
use tests::games;

/// The first seat tosses; it wins with `bias` of ten.
fn coin(name: &str, bias: u32) -> String {
    format!(
        "{name}: 0..10\n\
         action {name}_falls(choose side in 1..2)\n\
         \x20 {name} = random(1..10)\n\
         \x20 each p in player where (p.seat = 1) = ({name} <= {bias}): p wins \"the toss\"\n\
         flow\n\
         \x20 round: repeat\n\
         \x20   turn: each player: {name}_falls\n"
    )
}

/// Six turns each; what is done in them is written by the case.
fn six_turns(rules: &str) -> String {
    format!(
        "player.points: -100..\n{rules}\
         score\n\
         \x20 all = points\n\
         win by score\n"
    )
}

fn lowered(rules: &str) -> (RuleSet, Program) {
    let sources = games::of_text("small", "2, 4", rules);
    let rules = games::rules(&sources, "small").unwrap_or_else(|mistakes| panic!("{mistakes:#?}"));
    let program = interpreter::lower(&rules, 2).expect("lowers");
    (rules, program)
}

fn spec(games: u64, seed: u64) -> Spec {
    Spec {
        first: 0,
        games,
        seed,
        bots: vec![Bot::Random],
        threads: 2,
    }
}

fn played(rules: &str, games: u64) -> Report {
    let (rules, program) = lowered(rules);
    let never = AtomicBool::new(false);
    let spec = spec(games, 1);
    run(&rules, &program, &spec, &|_| {}, &never, &mut |_, _| {}).expect("no fault")
}

/// The sentences that stand out.
fn outstanding(report: &Report) -> Vec<String> {
    let found = report.findings().into_iter();
    found
        .filter(|one| one.stands_out)
        .map(|one| one.text)
        .collect()
}

#[test]
fn a_fair_coin_is_fair_and_a_rigged_one_is_not() {
    let fair = played(&coin("coin", 5), 1_000);
    let wins = fair.wins(0);
    assert!(wins.low <= 5_000 && 5_000 <= wins.high, "{wins:?}");
    let found = fair.findings();
    let seats = found.iter().find(|one| one.kind == FindingKind::Seats);
    assert!(
        seats.is_some_and(|one| !one.stands_out && one.games == 1_000),
        "{found:#?}"
    );

    let rigged = played(&coin("coin", 7), 400);
    let found = outstanding(&rigged);
    let named = found
        .iter()
        .any(|text| text.starts_with("The first seat (A) wins") && text.contains("favoured"));
    assert!(named, "{found:#?}");
}

fn compared(first: &str, second: &str, games: u64, seed: u64) -> Compared {
    let (first, second) = (lowered(first), lowered(second));
    let never = AtomicBool::new(false);
    let sides = [&first, &second].map(|(rules, program)| Side { rules, program });
    compare(sides[0], sides[1], &spec(games, seed), &|_| {}, &never).expect("no fault")
}

/// The same coin under another name falls otherwise: what differs then is luck, and hardly ever called more.
#[test]
fn the_same_rules_are_hardly_ever_called_different() {
    let mut called = 0;
    for seed in 0..200 {
        let compared = compared(&coin("coin", 5), &coin("token", 5), 60, seed);
        assert!(compared.alike < 60, "the luck is another one");
        called += usize::from(!compared.sure().is_empty());
    }
    assert!(called <= 10, "{called} of 200");
}

#[test]
fn with_the_same_luck_the_same_rules_play_the_same_games() {
    let same = compared(&coin("coin", 5), &coin("coin", 5), 100, 1);
    assert_eq!((same.alike, same.questions), (100, 0));
    assert!(same.sure().is_empty());
    // A coin that is turned a little falls alike in most games: what it changes is seen in few of them.
    let turned = compared(&coin("coin", 5), &coin("coin", 7), 200, 1);
    let wins = &turned.changes[0];
    assert_eq!(wins.figure.name, "wins.A");
    assert!(
        wins.is_sure() && wins.greater == wins.differing,
        "{wins:#?}"
    );
    assert!(turned.alike > 120, "{}", turned.alike);
}

/// What is told while games are still played comes, part by part, to what playing all at once says.
#[test]
fn a_comparison_in_parts_is_the_whole() {
    let (first, second) = (lowered(&coin("coin", 5)), lowered(&coin("coin", 7)));
    let sides = [&first, &second].map(|(rules, program)| Side { rules, program });
    let (whole, never) = (spec(90, 3), AtomicBool::new(false));
    let mut comparison = Comparison::new(sides[0], sides[1]);
    for first in [0, 30, 60] {
        let part = Spec {
            first,
            games: 30,
            ..whole.clone()
        };
        let complete = comparison.play(&part, &|_| {}, &never).expect("no fault");
        let so_far = comparison.compared(&whole);
        assert!(complete && so_far.second.games == first + 30);
        assert_eq!(so_far.second.is_complete(), first == 60);
    }
    let all = compare(sides[0], sides[1], &whole, &|_| {}, &never).expect("no fault");
    assert_eq!(comparison.compared(&whole).to_json(), all.to_json());
}

#[test]
fn an_answer_that_dominates_is_named() {
    let report = played(
        &six_turns(
            "action grab: points += 5\n\
             action pick: points += 1\n\
             flow\n\
             \x20 round: repeat 6\n\
             \x20   turn: each player\n\
             \x20     act: one of grab, pick\n",
        ),
        400,
    );
    let found = outstanding(&report);
    let named = |text: &String| text.contains("`grab`") && text.ends_with("it dominates");
    assert!(found.iter().any(named), "{found:#?}");
}

#[test]
fn a_tile_that_is_never_worth_it_is_named() {
    let report = played(
        &six_turns(
            "enum tile = meadow, swamp, wood\n\
             action lay(choose t in tile)\n\
             \x20 if t = swamp: points -= 4\n\
             \x20 else: points += 1\n\
             flow\n\
             \x20 round: repeat 6\n\
             \x20   turn: each player: lay\n",
        ),
        400,
    );
    let found = outstanding(&report);
    let named = |text: &String| text.contains("names swamp") && text.ends_with("never worth it");
    assert!(found.iter().any(named), "{found:#?}");
}

#[test]
fn an_unfair_seat_and_a_rule_that_is_never_reached_are_named() {
    let report = played(
        &six_turns(
            "player.bonus: 0..1\n\
             when riches: p.points > 90 for p in player\n\
             \x20 p.bonus = 1\n\
             action step(choose n in 1..3): points += n\n\
             action hoard\n\
             \x20 need points > 80 else \"not rich enough\"\n\
             \x20 points += 1\n\
             flow\n\
             \x20 setup: each p in player where p.seat = 1: p.points = 6\n\
             \x20 round: repeat 6\n\
             \x20   turn: each player\n\
             \x20     act: one of step, hoard\n",
        ),
        400,
    );
    let found = outstanding(&report);
    let has = |part: &str| found.iter().any(|text| text.contains(part));
    assert!(has("The first seat (A) wins"), "{found:#?}");
    assert!(has("Never done: hoard"), "{found:#?}");
    assert!(has("riches"), "{found:#?}");
}

#[test]
fn a_game_that_stalls_is_named_and_the_others_are_counted() {
    let report = played(
        "waited: 0..2\n\
         action wait(choose n in 1..2): waited = n\n\
         flow\n\
         \x20 round: repeat\n\
         \x20   turn: each player: wait\n",
        2,
    );
    assert_eq!((report.games, report.endless()), (2, 2));
    let found = outstanding(&report);
    assert!(
        found.iter().any(|text| text.contains("the game can stall")),
        "{found:#?}"
    );
}

/// In a folder of its own with the games of the suite: what each call says, and what it wrote.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Home {
        Home(tempfile::tempdir().expect("a folder"))
    }

    fn call(&self, line: &str) -> String {
        let told = self.told(line);
        assert_eq!(told.exit, 0, "{line:?}: {}", told.err);
        told.out
    }

    fn told(&self, line: &str) -> Said {
        let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("suite/cli/_games");
        let context = Context {
            folder: self.0.path().to_path_buf(),
            threads: 2,
            ..Context::default()
        };
        let games = games.display().to_string();
        let line = words(line);
        let words = ["--games", &games]
            .into_iter()
            .chain(line.iter().map(String::as_str));
        call(words, &context, "")
    }

    fn text(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join(file)).expect("it is written")
    }
}

#[test]
fn parts_make_the_whole_byte_for_byte() {
    let home = Home::new();
    let call = "simulate stones --games 300 --players 3 --with many --set most_taken=4 --bots greedy,random";
    home.call(&format!(
        "{call} --json whole.json --csv whole.csv --html whole.html"
    ));
    for part in 1..=4 {
        home.call(&format!(
            "{call} --shard {part}/4 --save part-{part} --threads {part}"
        ));
    }
    home.call(
        "merge part-3 part-1 part-4 part-2 --json parts.json --csv parts.csv --html parts.html",
    );
    for kind in ["json", "csv", "html"] {
        let [whole, parts] = ["whole", "parts"].map(|name| home.text(&format!("{name}.{kind}")));
        assert!(whole == parts, "{kind} differs");
    }
    let call = "tournament stones --games 50 --bots greedy,random";
    let told = home.call(&format!("{call} --json whole.json"));
    for part in 1..=3 {
        home.call(&format!(
            "{call} --shard {part}/3 --save met-{part} --threads {part}"
        ));
    }
    assert_eq!(home.call("merge met-2 met-3 met-1 --json parts.json"), told);
    assert_eq!(home.text("whole.json"), home.text("parts.json"));
    for (call, says) in [
        (
            "merge met-1 part-1 met-2",
            "`part-1` is not of the same run as `met-2`: it is one of `simulate`, not of `tournament`",
        ),
        (
            "merge met-1 met-3",
            "games 17 to 33 of 50 are missing: part 2/3",
        ),
        ("merge met-1 met-3", "--shard 2/3 --save FILE` plays a part"),
        (
            "merge met-1 met-2 met-3 --csv all.csv",
            "`--csv` is for simulations",
        ),
        (
            "share met-1 met-2 met-3 --html all.html",
            "is a part of a tournament",
        ),
    ] {
        let told = home.told(call);
        assert_eq!(told.exit, 2, "{call}");
        assert!(told.err.contains(says), "{call}: {}", told.err);
    }
}

#[test]
fn a_row_a_game_is_what_the_report_counts() {
    let home = Home::new();
    home.call("simulate stones --games 50 --players 2 --games-csv games.csv --json all.json");
    let rows = home.text("games.csv");
    assert_eq!(rows.lines().count(), 51);
    let head: Vec<&str> = rows.lines().next().unwrap_or_default().split(',').collect();
    let turns = head
        .iter()
        .position(|name| *name == "turns")
        .expect("turns");
    let all = rows
        .lines()
        .skip(1)
        .filter_map(|row| row.split(',').nth(turns)?.parse::<u64>().ok());
    let sum: u64 = all.sum();
    let mean = format!("\"turns\":{{\"mean\":{}.{:03}", sum / 50, sum % 50 * 20);
    assert!(home.text("all.json").contains(&mean), "{mean}");
}

#[test]
fn what_is_found_is_the_game_it_says() {
    let home = Home::new();
    let said = home.call("find stones \"finished and A.score - B.score > 6\" --players 2 --games 500 --keep found.replay");
    assert!(said.contains("in 1 of"), "{said}");
    let told = home.call("replay found.replay");
    let points = |seat: &str| -> i32 {
        let line = home.text("found.replay");
        let end = line
            .lines()
            .find(|line| line.starts_with("end: "))
            .expect("it is over")
            .to_owned();
        let part = end.split(&format!("{seat} ")).nth(1).expect("a score");
        let digits: String = part
            .chars()
            .take_while(|c| c.is_ascii_digit() || *c == '-')
            .collect();
        digits.parse().expect("a number")
    };
    assert!(points("A") - points("B") > 6, "{told}");
}

#[test]
fn a_goal_is_reached_by_what_reaches_it() {
    let home = Home::new();
    let said = home.call("tune stones --goal \"as little turns as possible\" --set most_taken=1..4 --players 2 --games 200");
    assert!(said.contains("best: most_taken = 4"), "{said}");
    let swept = home.call(
        "sweep stones --set most_taken=1..3 --players 2 --games 40 --figures turns --csv swept.csv",
    );
    assert!(swept.contains("most_taken"), "{swept}");
    assert_eq!(home.text("swept.csv").lines().count(), 4);
}

/// A strategy is played by its name, changes nothing of the game, and says where it comes to nothing.
#[test]
fn strategies_play_by_their_names() {
    const RULES: &str = "player.coins: 0..\n\
        action save(choose n in 1..3): coins += n\n\
        action spend(choose n in 1..3): coins -= n\n\
        flow\n  round: repeat 4\n    turn: each player\n      act: one of save, spend\nscore\n  coins = coins\n";
    const STRATEGIES: &str = "strategy \"saver\"\n  prefer save by n * n\nstrategy \"spender\"\n  prefer spend by n\n  avoid save by n\n\
        strategy \"poor\"\n  avoid coins\nstrategy \"wrong\"\n  prefer save by 6 / (3 - n)\nstrategy \"nothing\"\n  prefer 1 / coins\n";
    let text = format!("{RULES}{STRATEGIES}");
    let (bare, _) = lowered(RULES);
    let (rules, program) = lowered(&text);
    assert_eq!(bare.fingerprint(), rules.fingerprint());
    let of = |name: &str| Bot::of_rules(name, &rules).expect("there is such a bot");
    assert_eq!(of("strategy:Saver").to_string(), "strategy:saver");
    assert_eq!(Bot::of_rules("nobody", &rules), None);
    let scores = |name: &str| {
        let mut table = Table::new(&program, vec![of(name)]);
        table.start(7)?;
        while table.step()? == Stop::Decision {}
        Ok((0..2).map(|seat| table.machine.score(seat)).collect())
    };
    let good = |name: &str| -> Vec<i32> {
        let played: Result<_, interpreter::Fault> = scores(name);
        played.expect("no fault")
    };
    assert_eq!(good("saver"), [12, 12]);
    // Who has nothing must save, and saves little; then he spends it.
    assert_eq!(good("spender"), [0, 0]);
    assert_eq!(good("poor"), [0, 0]);
    for (name, line) in [("wrong", "6 / (3 - n)"), ("nothing", "1 / coins")] {
        let fault = scores(name).expect_err("it divides by 0");
        let place = &text[fault.span.start as usize..fault.span.end as usize];
        assert!(place.contains(line), "{place}: {}", fault.message);
    }
}
