//! What a seat is told, and what its bots do, depends on nothing but what it sees: two states that agree in that are
//! compared, for all games and for small rule sets written by chance.

use dsl::assembly::Selection;
use dsl::ir::RuleSet;
use editor::board::{Board, Palette, svg};
use interpreter::ask::Eyes;
use interpreter::bots::{Bot, BotChance, Mind, Patience};
use interpreter::explain::all_refused;
use interpreter::header;
use interpreter::observe::{Observer, Sampler};
use interpreter::playout::Table;
use interpreter::words::{Words, print};
use interpreter::{Machine, Program, State, Stop};
use std::fmt::Write;
use tests::games::{self, more};

/// Rule sets written by chance.
const WRITTEN: u64 = 60;

/// What was compared.
#[derive(Default, Debug)]
struct Counts {
    states: u64,
    /// Of these the ones of rule sets that `check` says depend on what is not seen: there answers are not compared.
    warned: u64,
    answers_heard: u64,
}

#[test]
fn games_tell_what_is_seen() {
    let mut counts = Counts::default();
    let sources = games::sources();
    for (rules, programs) in games::programs() {
        let compiled = dsl::compile(&sources, &rules.id, &Selection::default());
        let warned = compiled.diagnostics.iter().any(|one| one.code == "leak");
        for program in programs {
            compare_games(rules, program, more(1), 23, warned, &mut counts);
        }
    }
    println!("games: {counts:?}");
    assert!(counts.states - counts.warned > 100, "{counts:?}");
}

#[test]
fn written_rule_sets_tell_what_is_seen() {
    let mut counts = Counts::default();
    for seed in 0..more(WRITTEN) {
        let (text, leaks) = Author::new(seed).write();
        let sources = games::of_text("written", "2, 3", text.as_str());
        let compiled = dsl::compile(&sources, "written", &Selection::default());
        let warned: Vec<u32> = compiled
            .diagnostics
            .iter()
            .filter(|one| one.code == "leak")
            .map(|one| sources.line_column(one.span).0 as u32)
            .collect();
        let Some(rules) = &compiled.rules else {
            panic!("{text}\n{:?}", compiled.diagnostics);
        };
        for line in &leaks {
            assert!(
                warned.contains(line),
                "no warning at line {line} of\n{text}"
            );
        }
        for line in &warned {
            assert!(leaks.contains(line), "a warning at line {line} of\n{text}");
        }
        for players in 2..=3 {
            let program = interpreter::lower(rules, players).expect("lowers");
            compare_games(rules, &program, 2, 3, !leaks.is_empty(), &mut counts);
        }
    }
    println!("written: {counts:?}");
    assert!(
        counts.states > 600 && counts.warned > 100 && counts.answers_heard > 100,
        "{counts:?}"
    );
}

/// Plays games, and compares at some decisions what a seat is told with what it is told where all that it does not see is
/// made up.
fn compare_games(
    rules: &RuleSet,
    program: &Program,
    games: u64,
    every: usize,
    warned: bool,
    counts: &mut Counts,
) {
    let observer = Observer::new(program);
    let mut sampler = Sampler::new(program);
    let (mut real, mut other) = (State::new(), State::new());
    for seed in 0..games {
        let mut chance = BotChance::new(seed, 77);
        let mut table = Table::new(program, vec![Bot::Random]);
        let mut stop = table.start(seed + 5);
        let mut decision = 0;
        while let Ok(Stop::Decision) = stop {
            if decision % every == 0 {
                table.machine.save(&mut real);
                let seat = table.machine.seat();
                sampler.sample(&real, seat, &mut chance, &mut other);
                let seen = observer.observe(&real, Some(seat));
                assert_eq!(observer.observe(&other, Some(seat)), seen, "{}", rules.id);
                if !warned {
                    let [a, b] = [&real, &other].map(|state| tell(rules, program, state, seat));
                    assert_eq!(a, b, "{}, seed {seed}, decision {decision}", rules.id);
                }
                counts.states += 1;
                counts.warned += u64::from(warned);
                counts.answers_heard += heard_alike(rules, program, &observer, &real);
            }
            decision += 1;
            stop = table.step();
        }
    }
}

/// All that a seat is told at its decision, and what its bots answer.
fn tell(rules: &RuleSet, program: &Program, state: &State, seat: u32) -> (String, Vec<usize>) {
    let mut own = Machine::new(program);
    let machine = &mut own;
    assert_eq!(machine.load(state), Ok(Stop::Decision), "{}", rules.id);
    assert_eq!(machine.seat(), seat);
    let words = Words::new(rules, program);
    let eyes = Eyes::Of(Some(seat));
    let mut text = String::new();
    let mut picks = Vec::new();
    for seat in 0..program.players {
        writeln!(text, "score {:?}", machine.scores_seen(seat, eyes)).expect("text");
    }
    writeln!(text, "{}", words.question(machine)).expect("text");
    for at in 0..machine.answers().len() {
        let perhaps = machine.answers().is_marked(at);
        let answer = words.answer(machine, &machine.answers().get(at));
        writeln!(text, "{answer} {perhaps}").expect("text");
    }
    for one in all_refused(&words, machine, eyes) {
        let reasons: Vec<String> = one.reasons.iter().map(|r| words.full(r)).collect();
        writeln!(text, "not {}: {}", print(&one.answer), reasons.join("; ")).expect("text");
    }
    let mut mind = Mind::new(program);
    for bot in games::bots(program) {
        let picked = bot.pick(
            machine,
            &mut mind,
            &mut BotChance::new(3, seat),
            &Patience::OWN,
        );
        picks.push(picked.expect("no fault"));
    }
    (text, picks)
}

/// Two answers that lead to what looks the same to another seat, and are not the same where it does not see: it hears the
/// same of both. How many such pairs there were.
fn heard_alike(rules: &RuleSet, program: &Program, observer: &Observer<'_>, state: &State) -> u64 {
    let mut machine = Machine::new(program);
    machine.load(state).expect("no fault");
    if machine.word(header::SECRET as u32) > 0 {
        // They hear of it when the step is over.
        return 0;
    }
    let asked = machine.asked_pc();
    let count = machine.answers().len().min(6);
    let viewer = (machine.seat() + 1) % program.players;
    // Whom somebody looks at all hear, and so where he has it from; what it is nobody hears.
    let cells = program.cells.iter().zip(&rules.cells);
    let cells = cells.filter(|(_, cell)| cell.name != "known");
    let kept: Vec<std::ops::Range<usize>> = cells
        .map(|(cell, _)| cell.base as usize..(cell.base + cell.words * cell.slots) as usize)
        .collect();
    let differ = |a: &State, b: &State| {
        let mut kept = kept.iter();
        kept.any(|words| a.words()[words.clone()] != b.words()[words.clone()])
    };
    let mut ends = Vec::new();
    for at in 0..count {
        machine.load(state).expect("no fault");
        let answers = machine.answers();
        let (kind, value) = (answers.kind(at), answers.value(at));
        let text = Words::new(rules, program).answer(&machine, &answers.get(at));
        let told = observer.is_announced(asked, kind, value).then_some(text);
        if machine.answer(at).is_ok() {
            let mut after = State::new();
            machine.save(&mut after);
            ends.push((observer.observe(&after, Some(viewer)), after, told));
        }
    }
    let mut pairs = 0;
    for (at, (seen, state, told)) in ends.iter().enumerate() {
        for (other_seen, other, other_told) in &ends[at + 1..] {
            if seen == other_seen && differ(state, other) {
                pairs += 1;
                assert_eq!(told, other_told, "{}: seat {viewer} is told", rules.id);
            }
        }
    }
    pairs
}

const HIDDEN_NUMBERS: &str = "\
player.number: 0..9 private
player.hits: 0..
action hide(choose n in 1..9): number = n
action guess(choose n in 1..9)
  let there = me.left.number
  if there = n: hits += 1
flow
  hiding: each player secretly: hide
  round: repeat 5
    turn: each player: guess
score
  points = hits
";

/// Who cannot see a number guesses one in nine, whatever bot he is.
#[test]
fn bots_do_not_know_what_is_hidden() {
    let sources = games::of_text("numbers", "2, 2", HIDDEN_NUMBERS);
    let rules = games::rules(&sources, "numbers").expect("the game compiles");
    let program = interpreter::lower(&rules, 2).expect("lowers");
    for bot in games::bots(&program) {
        let mut table = Table::new(&program, vec![bot.clone()]);
        let mut hits = 0;
        for seed in 0..200 {
            let mut stop = table.start(seed).expect("no fault");
            while stop == Stop::Decision {
                stop = table.step().expect("no fault");
            }
            hits += (0..2).map(|seat| table.machine.score(seat)).sum::<i32>();
        }
        // Of 2000 guesses.
        assert!((120..340).contains(&hits), "{bot}: {hits}");
    }
}

/// The pictures of a game tell a seat no more either.
#[test]
fn pictures_show_what_is_seen() {
    let sources = games::sources();
    let mut pictures = 0;
    for game in games::ids(&sources) {
        let compiled = dsl::compile(&sources, &game, &Selection::default());
        let Some(rules) = &compiled.rules else {
            panic!("{game} does not check");
        };
        let program = interpreter::lower(rules, rules.players.1).expect("lowers");
        let Some((board, _)) = Board::new(&sources, &compiled, &program) else {
            continue;
        };
        let mut sampler = Sampler::new(&program);
        let mut chance = BotChance::new(1, 0);
        let mut table = Table::new(&program, vec![Bot::Random]);
        let mut stop = table.start(11).expect("no fault");
        let (mut real, mut other) = (State::new(), State::new());
        for decision in 0..200 {
            if stop != Stop::Decision {
                break;
            }
            if decision % 67 == 0 {
                table.machine.save(&mut real);
                let seat = table.machine.seat();
                sampler.sample(&real, seat, &mut chance, &mut other);
                let eyes = Eyes::Of(Some(seat));
                let [a, b] = [&real, &other]
                    .map(|state| svg(&board.scene(state, eyes), &game, &Palette::light()));
                assert!(
                    a == b,
                    "{game}: the picture tells seat {seat} what it does not see"
                );
                pictures += 1;
            }
            stop = table.step().expect("no fault");
        }
    }
    println!("pictures: {pictures} pairs");
    assert!(pictures > 8);
}

// ------------------------------------------------------------------------------------------------ rule sets by chance

/// Writes small rule sets with what some cannot see.
struct Author {
    chance: BotChance,
    lines: Vec<String>,
    /// Lines that make what is offered depend on what the player does not see.
    leaks: Vec<u32>,
}

/// Actions that depend on nothing that their player does not see.
const FAIR: [(&str, &str); 25] = [
    (
        "hint",
        "action hint(choose p in player where p != me, choose c in card where some(i in 1..2: p.faced[i] = c) else \"{p} has {p.faced[1]}\")\n  points += 1",
    ),
    (
        "turn_up",
        "action turn_up(choose i in 1..2 where faced[i])\n  move faced[i] to discard\n  if pile: move bottom of pile to faced[i]",
    ),
    (
        "deal",
        "action deal(choose p in player where p != me, choose i in 1..2 where not p.faced[i]): if pile: move top of pile to p.faced[i]",
    ),
    (
        "left_front",
        "action left_front\n  need left.front < 3 else \"{left} has {left.front}\"\n  points += 1",
    ),
    (
        "draw",
        "action draw: repeat while pile and hand.size < 4: move top of pile to hand",
    ),
    (
        "play",
        "action play(choose c in hand)\n  points += c.v\n  move c to discard",
    ),
    (
        "guess",
        "action guess(choose p in player where p != me, choose n in 0..5)\n  if p.number = n: points += 1",
    ),
    (
        "pass_on",
        "action pass_on(choose c in hand): move c to me.left.hand",
    ),
    (
        "peek",
        "action peek(choose p in player where p != me and p.hand.size > 0)\n  known = p.number",
    ),
    ("bid", "action bid(choose n in 0..5): number = n"),
    ("show", "action show: shown = number"),
    ("loyal", "action loyal: role = good"),
    ("betray", "action betray: role = bad"),
    (
        "take_ticket",
        "action take_ticket: if tickets_left: move top of tickets_left to tickets",
    ),
    (
        "give_back",
        "action give_back(choose t in tickets): move t to bottom of tickets_left",
    ),
    (
        "strong",
        "action strong\n  need number > 2 else \"{number} is not enough\"\n  points += 1",
    ),
    ("hide", "action hide(choose c in hand): move c to face_down"),
    (
        "dig",
        "action dig: if face_down: move top of face_down to hand",
    ),
    (
        "compare",
        "action compare\n  need hand.size >= me.left.hand.size else \"{me.left} has {me.left.hand}\"\n  points += 1",
    ),
    (
        "mark",
        "action mark(choose p in player where p != me): p.marked = not p.marked",
    ),
    (
        "trade",
        "action trade(choose c in hand, choose d in discard)\n  move c to discard\n  move d to hand",
    ),
    ("pay", "action pay: gold -= 1; points += 1"),
    (
        "toll",
        "action toll(choose n in 1..2)\n  as me.left\n    let most = gold\n    choose paid in 0..n where paid <= most\n    gold -= paid\n  points += n",
    ),
    (
        "wages",
        "action wages(choose n in 1..2)\n  each player: gold += n",
    ),
    (
        "lose",
        "action lose(choose n in 1..3)\n  each other player\n    gold -= min(n, gold)\n    if hand: move random(hand) from hand to discard",
    ),
];

/// Actions that give something away; the line of the mistake, from 0.
const UNFAIR: [(&str, &str, u32); 13] = [
    (
        "own_front",
        "action own_front\n  need front > 2 else \"{front}\"\n  points += 1",
        1,
    ),
    (
        "own_cards",
        "action own_cards(choose c in card where some(p in player, i in 1..2: p.faced[i] = c)): points += 1",
        0,
    ),
    (
        "rob",
        "action rob(choose p in player where p.hand.count(red) > 0 else \"{p} has {p.hand}\")\n  points += 1",
        0,
    ),
    (
        "test",
        "action test\n  need me.left.number > 2 else \"{me.left} has {me.left.number}\"\n  points += 1",
        1,
    ),
    ("tax", "action tax\n  me.left.gold -= 1\n  gold += 1", 1),
    (
        "levy",
        "action levy(choose n in 1..3)\n  as me.left\n    gold -= n\n  points += n",
        2,
    ),
    (
        "inspect",
        "action inspect\n  choose n in 1..3\n  each other player where number > n\n    need hand.size > 0\n  points += n",
        2,
    ),
    (
        "call_in",
        "action owed: gold -= 2\naction call_in(choose n in 1..2)\n  points += n\n  as me.left: owed",
        0,
    ),
    ("look", "action look(choose c in pile): points += c.v", 0),
    (
        "ask_for",
        "action ask_for(choose c in card)\n  move c from me.left.hand to hand",
        1,
    ),
    (
        "judge",
        "action judge\n  if me.right.role = bad\n    choose n in 1..2\n    points += n",
        1,
    ),
    (
        "count_all",
        "action count_all\n  let all = sum(p in player: p.number)\n  need all > 3 else \"it is {all}\"\n  points += 1",
        2,
    ),
    (
        "rich",
        "action rich\n  need richest > 1 else \"{richest}\"\n  points += 1",
        1,
    ),
];

const HEAD: &str = "\
enum side_of = good, bad
table card copies n
  n: 0..
  v: 0..9
rows card
  id    | n | v
  red   | 4 | 1
  blue  | 4 | 2
  green | 4 | 3
table ticket
  kind: {short, long}
  worth: 0..9
rows ticket
  id | kind  | worth
  a  | short | 1
  b  | short | 2
  c  | short | 3
  d  | long  | 5
  e  | long  | 6
  f  | long  | 7
  g  | long  | 8
pile: deck of card hidden = shuffled(card)
face_down: deck of card hidden
discard: bag of card
tickets_left: deck of ticket hidden = shuffled(ticket)
player.hand: bag of card private
player.tickets: set of ticket private showing kind
player.number: 0..5 private
player.gold: 0.. private = 2
player.role: side_of private = random(side_of)
player.known: 0..5 private
player.marked: bool private
player.shown: 0..5
player.front: 0..5 private to others = random(0..5)
player.faced[i in 1..2]: card? private to others
player.points: 0..
richest = max(p in player: p.gold)
";

impl Author {
    fn new(seed: u64) -> Author {
        Author {
            chance: BotChance::new(seed, 9),
            lines: HEAD.lines().map(str::to_owned).collect(),
            leaks: Vec::new(),
        }
    }

    fn add(&mut self, text: &str) {
        self.lines.extend(text.lines().map(str::to_owned));
    }

    /// The text, and the lines at which `check` has to warn.
    fn write(mut self) -> (String, Vec<u32>) {
        let mut names = Vec::new();
        let count = 4 + self.chance.below(4);
        while names.len() < count {
            let (name, text) = FAIR[self.chance.below(FAIR.len())];
            if !names.contains(&name) {
                names.push(name);
                self.add(text);
            }
        }
        if self.chance.below(3) == 0 {
            let (name, text, at) = UNFAIR[self.chance.below(UNFAIR.len())];
            names.push(name);
            self.leaks.push(self.lines.len() as u32 + 1 + at);
            self.add(text);
        }
        self.add("action rest: skip");
        names.push("rest");
        self.add("flow\n  setup:\n    each player: move top 2 of pile to hand");
        if self.chance.below(2) == 0 {
            self.add("  bids: each player secretly\n    choose n in 0..5\n    number = n");
        }
        self.add("  round: repeat 3\n    turn: each player");
        self.add(&format!("      one of {}", names.join(", ")));
        self.add("score\n  points = points");
        if self.chance.below(2) == 0 {
            self.add("  purse = gold + sum(c in hand: c.v)");
        }
        if self.chance.below(2) == 0 {
            self.add("  traitor at end = if role = bad then 2 else 0");
        }
        self.add("win by score");
        (self.lines.join("\n") + "\n", self.leaks)
    }
}
