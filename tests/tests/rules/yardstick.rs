//! The interpreter against the yardstick: whole games of Ticket to Ride (USA), decision by decision.
//!
//! The interpreter plays; the yardstick gets its shuffles and its answers. At each decision both offer the same, after
//! each answer both stand in the same state, at the end both count the same scores.

#[path = "../../benches/yardstick/mod.rs"]
mod hand_written;

use dsl::ir::RuleSet;
use hand_written::{Bag, Fingerprint, Game, Move, Orders, SEATS_MAX, Tables};
use interpreter::bots::BotChance;
use interpreter::playout::game_seed;
use interpreter::{Answer, AnswerKind, Asked, Event, Machine, NONE, Program, Stop};

const GAME: &str = "ticket-to-ride-usa";
/// Games for each number of players and manner.
const GAMES: u64 = 30;
/// Points of a track by its length. [TU-036]
const POINTS: [i16; 7] = [0, 1, 2, 4, 7, 10, 15];

/// How the random player leans, so that games come into different corners.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// Every answer alike.
    Even,
    /// Hardly ever claims: hands grow until the piles are empty.
    Hoards,
    /// Claims whenever it can: routes run out, wagons are used up.
    Builds,
}

#[test]
fn interpreter_and_yardstick_play_the_same_games() {
    let tables = tables();
    let rules = tests::games::rules(&tests::games::sources(), GAME).expect("the game compiles");
    let mut seen = Seen::default();
    let mut differences = Vec::new();
    for players in 2..=5 {
        let program = interpreter::lower(&rules, players).expect("the game can be lowered");
        let names = Names::new(&rules, &program, &tables);
        for (lean, manner) in [Manner::Even, Manner::Hoards, Manner::Builds]
            .into_iter()
            .enumerate()
        {
            for game in 0..GAMES {
                let seed = game_seed(u64::from(players) * 10 + lean as u64, game);
                if let Err(difference) = play(&names, seed, manner, &mut seen) {
                    differences.push(format!(
                        "{players} players, {manner:?}, seed {seed}: {difference}"
                    ));
                }
            }
        }
    }
    println!("{seen:?}");
    let shown = differences
        .iter()
        .take(8)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        differences.is_empty(),
        "{} games differ:\n{shown}",
        differences.len()
    );
    // The games have been where it is interesting.
    assert!(
        seen.sweeps_in_setup > 0 && seen.reshuffles > 0 && seen.gaps > 0 && seen.ties > 0,
        "{seen:?}"
    );
}

/// What the games have met.
#[derive(Debug, Default)]
struct Seen {
    games: u64,
    decisions: u64,
    resolved: u64,
    /// Answers offered although looking ahead could not prove them.
    marked: u64,
    sweeps_in_setup: u64,
    reshuffles: u64,
    /// States with a gap in the display.
    gaps: u64,
    /// Games with more than one winner.
    ties: u64,
    skipped: u64,
}

fn tables() -> Tables {
    let read = |name| {
        let path = tests::games::folder()
            .join(GAME)
            .join("components")
            .join(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    Tables::load(
        &read("map.toml"),
        &read("train_cards.toml"),
        &read("tickets.toml"),
    )
    .expect("tables")
}

/// What the interpreter's words are called by the yardstick.
struct Names<'a> {
    program: &'a Program,
    tables: &'a Tables,
    /// By row of the rules' table.
    cards: Vec<u8>,
    routes: Vec<u8>,
    tickets: Vec<u8>,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Act,
    /// A card from the display or an unseen one.
    Pick,
    Card,
    /// How many tickets of each deck; there is one deck.
    Mix,
    Tickets,
    Route,
    Payment,
}

impl<'a> Names<'a> {
    fn new(rules: &RuleSet, program: &'a Program, tables: &'a Tables) -> Names<'a> {
        let rows = |name: &str, of: &dyn Fn(&str) -> Option<u8>| -> Vec<u8> {
            let table = rules
                .tables
                .iter()
                .find(|table| table.name == name)
                .expect("table");
            table
                .rows
                .iter()
                .map(|row| of(&row.name).unwrap_or_else(|| panic!("no {name} `{}`", row.name)))
                .collect()
        };
        Names {
            program,
            tables,
            cards: rows("card", &|id| tables.kind(id)),
            routes: rows("route", &|id| tables.route(id)),
            tickets: rows("ticket", &|id| tables.ticket(id)),
        }
    }

    /// The number of a cell.
    fn cell(&self, name: &str) -> usize {
        let mut names = self.program.cells.iter().map(|cell| cell.name.rsplit('.'));
        let cell = names.position(|mut parts| parts.next() == Some(name));
        cell.unwrap_or_else(|| panic!("no cell `{name}`"))
    }

    fn words(&self, machine: &Machine<'_>, name: &str, slot: u32) -> Vec<i32> {
        let cell = &self.program.cells[self.cell(name)];
        let first = cell.base + slot * cell.words;
        (first..first + cell.shape.words() as u32)
            .map(|word| machine.word(word))
            .collect()
    }

    fn bag(&self, words: &[i32]) -> Bag {
        let mut bag = Bag::default();
        for (kind, count) in self.cards.iter().zip(words) {
            bag[usize::from(*kind)] = *count as u8;
        }
        bag
    }

    fn items(&self, cards: impl IntoIterator<Item = i32>) -> Vec<u8> {
        cards
            .into_iter()
            .map(|card| self.cards[card as usize])
            .collect()
    }

    fn ticket_rows(&self, words: &[i32]) -> Vec<u8> {
        let held =
            (0..self.tickets.len()).filter(|row| words[row / 32] as u32 >> (row % 32) & 1 == 1);
        held.map(|row| self.tickets[row]).collect()
    }

    fn question(&self, pc: usize) -> Question {
        match self.program.asked(pc) {
            Asked::OneOf(items) if items[0] == "open" => Question::Pick,
            Asked::OneOf(_) => Question::Act,
            Asked::Choice("c") => Question::Card,
            Asked::Choice("mix") => Question::Mix,
            Asked::Choice("kept") => Question::Tickets,
            Asked::Choice("r") => Question::Route,
            Asked::Choice("pay") => Question::Payment,
            other => panic!("a question of {other:?}"),
        }
    }

    /// An answer as the yardstick gives it; none where the yardstick asks nothing.
    fn translate(&self, game: &Game, pc: usize, answer: &Answer) -> Option<Move> {
        let value = answer.value as usize;
        Some(match self.question(pc) {
            Question::Mix => return None,
            question @ (Question::Act | Question::Pick) => {
                let Asked::OneOf(items) = self.program.asked(pc) else {
                    unreachable!()
                };
                match (question, items[value]) {
                    (_, "draw_cards") => Move::DrawCards,
                    (_, "draw_tickets") => Move::DrawTickets,
                    (_, "claim") => Move::Claim,
                    (_, "blind") => Move::Blind,
                    (Question::Pick, "open") => return None,
                    other => panic!("{other:?}"),
                }
            }
            Question::Card => Move::Open(self.cards[value]),
            Question::Route => Move::Route(self.routes[value]),
            Question::Payment => Game::pay(&self.bag(&answer.words)).expect("cards of one colour"),
            Question::Tickets => {
                assert_eq!(answer.kind, AnswerKind::Part);
                game.keep(&self.ticket_rows(&answer.words))
            }
        })
    }

    /// Whether both offer the same.
    fn compare_answers(&self, game: &Game, pc: usize, answers: &[Answer]) -> Result<(), String> {
        let question = self.question(pc);
        let mut moves = Vec::new();
        game.decision(self.tables, &mut moves);
        let own: Vec<Option<Move>> = answers
            .iter()
            .map(|answer| self.translate(game, pc, answer))
            .collect();
        let mut wanted: Vec<Option<Move>> = match question {
            Question::Mix => vec![None],
            Question::Pick => {
                let open = moves.iter().any(|m| matches!(m, Move::Open(_)));
                let blind = moves.contains(&Move::Blind);
                open.then_some(None)
                    .into_iter()
                    .chain(blind.then_some(Some(Move::Blind)))
                    .collect()
            }
            Question::Card => moves
                .iter()
                .filter(|m| matches!(m, Move::Open(_)))
                .map(|m| Some(*m))
                .collect(),
            _ => moves.iter().map(|m| Some(*m)).collect(),
        };
        let mut sorted = own.clone();
        let key = |m: &Option<Move>| format!("{m:?}");
        sorted.sort_by_key(key);
        wanted.sort_by_key(key);
        if sorted == wanted {
            return Ok(());
        }
        let more = sorted
            .iter()
            .filter(|m| !wanted.contains(m))
            .flatten()
            .collect::<Vec<_>>();
        let fewer = wanted
            .iter()
            .filter(|m| !sorted.contains(m))
            .flatten()
            .collect::<Vec<_>>();
        Err(format!(
            "{question:?}: only the interpreter offers {more:?}, only the yardstick {fewer:?} ({} and {} answers)",
            sorted.len(),
            wanted.len(),
        ))
    }

    fn fingerprint(&self, machine: &Machine<'_>) -> Fingerprint {
        let mut hands = [Bag::default(); SEATS_MAX];
        let mut tickets = [0; SEATS_MAX];
        let mut wagons = [0; SEATS_MAX];
        let mut points = [0; SEATS_MAX];
        for seat in 0..self.program.players {
            let at = seat as usize;
            hands[at] = self.bag(&self.words(machine, "hand", seat));
            let held = self.ticket_rows(&self.words(machine, "tickets", seat));
            tickets[at] = held.iter().fold(0, |mask, row| mask | 1 << row);
            wagons[at] = self.words(machine, "wagons", seat)[0] as u8;
        }
        let mut owners = vec![None; self.routes.len()];
        let first = self.program.cells[self.cell("owner")].base;
        for (row, route) in (first..).zip(&self.routes) {
            let owner = machine.word(row);
            owners[usize::from(*route)] = (owner != NONE).then_some(owner as u8);
            if owner != NONE {
                points[owner as usize] +=
                    POINTS[usize::from(self.tables.routes[usize::from(*route)].length)];
            }
        }
        Fingerprint {
            to_move: (!machine.is_over()).then(|| machine.seat() as u8),
            hands,
            tickets,
            wagons,
            points,
            owners,
            display: self.display(machine),
            discard: self.bag(&self.words(machine, "discard", 0)),
            pile: self.words(machine, "draw_pile", 0)[0] as u8,
            ticket_deck: self.words(machine, "ticket_pile", 0)[0] as u8,
        }
    }

    fn display(&self, machine: &Machine<'_>) -> Bag {
        let cards = self
            .words(machine, "display", 0)
            .into_iter()
            .filter(|card| *card != NONE);
        self.items(cards)
            .into_iter()
            .fold(Bag::default(), |mut bag, kind| {
                bag[usize::from(kind)] += 1;
                bag
            })
    }

    fn stream(&self, name: &str) -> u32 {
        self.program.cells[self.cell(name)].stream
    }

    /// The deck as it was shuffled, in the order in which the yardstick deals it: it lays the display after the hands, the
    /// interpreter before them, and a sweep comes at some moment in between.
    fn first_order(&self, machine: &Machine<'_>, deck: &[i32]) -> Option<(Vec<u8>, usize)> {
        let drawn = self.items(deck.iter().rev().copied());
        let players = self.program.players as usize;
        let count = |cards: &[u8]| {
            cards.iter().fold(Bag::default(), |mut bag, kind| {
                bag[usize::from(*kind)] += 1;
                bag
            })
        };
        let swept = self
            .bag(&self.words(machine, "discard", 0))
            .iter()
            .sum::<u8>() as usize;
        let hands: Vec<Bag> = (0..players as u32)
            .map(|seat| self.bag(&self.words(machine, "hand", seat)))
            .collect();
        (0..=players).find_map(|dealt| {
            let (display, rest) = drawn.split_at(5);
            let (before, rest) = rest.split_at(4 * dealt);
            let (sweep, rest) = rest.split_at(swept);
            let (after, rest) = rest.split_at(4 * (players - dealt));
            let dealt = [before, after].concat();
            let shown = [display, sweep].concat();
            let fits = dealt
                .chunks(4)
                .zip(&hands)
                .all(|(cards, hand)| count(cards) == *hand)
                && count(&shown[swept..]) == self.display(machine);
            fits.then(|| ([dealt.as_slice(), &shown, rest].concat(), swept / 5))
        })
    }
}

fn play(names: &Names<'_>, seed: u64, manner: Manner, seen: &mut Seen) -> Result<(), String> {
    let tables = names.tables;
    let program = names.program;
    let mut machine = Machine::new(program);
    machine.set_recording(true);
    machine.set_trace(true);
    let mut chance = BotChance::new(seed, 0);
    let fault = |fault: interpreter::Fault| format!("fault: {}", fault.message);
    let mut stop = machine.start(seed).map_err(fault)?;

    let shuffles = machine.take_chance();
    let order = |name: &str| {
        let stream = names.stream(name);
        shuffles
            .iter()
            .find(|(at, _)| *at == stream)
            .map(|(_, items)| items.clone())
            .ok_or(format!("{name} was not shuffled"))
    };
    let Some((trains, sweeps)) = names.first_order(&machine, &order("draw_pile")?) else {
        seen.skipped += 1;
        return Err("the set-up dealt other cards than the shuffle gives".into());
    };
    seen.sweeps_in_setup += sweeps as u64;
    let tickets = order("ticket_pile")?
        .iter()
        .rev()
        .map(|row| names.tickets[*row as usize])
        .collect();
    let mut luck = Orders::default();
    luck.trains.push_back(trains);
    luck.tickets.push_back(tickets);
    let mut game = Game::begin(tables, program.players as u8, &mut luck);

    let mut number = 0;
    let mut log = Vec::new();
    loop {
        let last = log[log.len().saturating_sub(3)..].to_vec();
        let here = |what: String| format!("decision {number}, after {last:?}: {what}");
        for (_, order) in machine.take_chance() {
            if number > 0 {
                seen.reshuffles += 1;
                luck.trains.push_back(names.items(order.into_iter().rev()));
            }
        }
        // What answered itself.
        let pcs = machine
            .take_trace()
            .into_iter()
            .filter_map(|event| match event {
                Event::Resolved { pc, .. } => Some(pc as usize),
                _ => None,
            });
        for (pc, (_, answer)) in pcs.zip(machine.take_resolved()) {
            seen.resolved += 1;
            names
                .compare_answers(&game, pc, std::slice::from_ref(&answer))
                .map_err(|e| here(format!("one answer: {e}")))?;
            if let Some(answer) = names.translate(&game, pc, &answer) {
                log.push(answer);
                game.step(tables, answer, &mut luck);
            }
        }
        if !luck.trains.is_empty() {
            // A menu whose answer the yardstick has not had yet can not have shuffled anything.
            return Err(here(
                "the interpreter shuffled, the yardstick did not".into(),
            ));
        }
        let own = names.fingerprint(&machine);
        let wanted = game.fingerprint(tables);
        if own != wanted {
            return Err(here(format!("states differ:{}", unlike(&own, &wanted))));
        }
        seen.gaps += u64::from(own.display.iter().sum::<u8>() < 5);
        if stop == Stop::Over || number % 16 == 0 {
            compare_scores(names, &mut machine, &game, seen, stop == Stop::Over).map_err(here)?;
        }
        if stop == Stop::Over {
            seen.games += 1;
            return Ok(());
        }
        let (pc, _) = machine.position();
        let answers: Vec<Answer> = (0..machine.answers().len())
            .map(|at| machine.answers().get(at))
            .collect();
        seen.decisions += 1;
        seen.marked += (0..answers.len())
            .filter(|at| machine.answers().is_marked(*at))
            .count() as u64;
        names.compare_answers(&game, pc, &answers).map_err(here)?;
        let at = pick(names, &game, pc, &answers, manner, &mut chance);
        let answer = names.translate(&game, pc, &answers[at]);
        stop = machine.answer(at).map_err(fault).map_err(here)?;
        number += 1;
        // The yardstick's step may need the shuffle that the interpreter has just made.
        for (_, order) in machine.take_chance() {
            seen.reshuffles += 1;
            luck.trains.push_back(names.items(order.into_iter().rev()));
        }
        if let Some(answer) = answer {
            log.push(answer);
            game.step(tables, answer, &mut luck);
        }
    }
}

fn pick(
    names: &Names<'_>,
    game: &Game,
    pc: usize,
    answers: &[Answer],
    manner: Manner,
    chance: &mut BotChance,
) -> usize {
    let wanted = |m: Option<Move>| match manner {
        Manner::Even => true,
        Manner::Hoards => m != Some(Move::Claim) && m != Some(Move::DrawTickets),
        Manner::Builds => m == Some(Move::Claim),
    };
    let mut at = chance.below(answers.len());
    if names.question(pc) == Question::Act && chance.below(20) > 0 {
        let liked: Vec<usize> = (0..answers.len())
            .filter(|at| wanted(names.translate(game, pc, &answers[*at])))
            .collect();
        if !liked.is_empty() {
            at = liked[chance.below(liked.len())];
        }
    }
    at
}

fn compare_scores(
    names: &Names<'_>,
    machine: &mut Machine<'_>,
    game: &Game,
    seen: &mut Seen,
    over: bool,
) -> Result<(), String> {
    let players = names.program.players;
    let scores = &game.scores(names.tables)[..players as usize];
    for (seat, score) in scores.iter().enumerate() {
        let own = machine.scores(seat as u32);
        let wanted = [score.routes, score.tickets, 0, score.bonus];
        if own != wanted {
            return Err(format!(
                "scores of seat {seat}: the interpreter counts {own:?}, the yardstick {wanted:?}"
            ));
        }
    }
    if over {
        let ranks = machine.ranks();
        let own = (0..players)
            .filter(|seat| ranks[*seat as usize] == 1)
            .fold(0, |mask, seat| mask | 1 << seat);
        let wanted = hand_written::winners(scores);
        if own != wanted {
            return Err(format!("winners {own:b} and {wanted:b}"));
        }
        seen.ties += u64::from(wanted.count_ones() > 1);
    }
    Ok(())
}

/// Where two states differ.
fn unlike(own: &Fingerprint, wanted: &Fingerprint) -> String {
    let lines = |state: &Fingerprint| -> Vec<String> {
        let owned =
            |seat| (0..state.owners.len()).filter(move |at| state.owners[*at] == Some(seat));
        let seats = (0..SEATS_MAX as u8).map(|seat| {
            let at = usize::from(seat);
            format!(
                "seat {at}: hand {:?}, tickets {:b}, wagons {}, points {}, routes {:?}",
                state.hands[at],
                state.tickets[at],
                state.wagons[at],
                state.points[at],
                owned(seat).collect::<Vec<_>>()
            )
        });
        let table = format!(
            "display {:?}, discard {:?}, pile {}",
            state.display, state.discard, state.pile
        );
        seats
            .chain([
                format!(
                    "to move {:?}, ticket deck {}",
                    state.to_move, state.ticket_deck
                ),
                table,
            ])
            .collect()
    };
    let pairs = lines(own)
        .into_iter()
        .zip(lines(wanted))
        .filter(|(own, wanted)| own != wanted);
    pairs
        .map(|(own, wanted)| format!("\n  interpreter {own}\n  yardstick   {wanted}"))
        .collect()
}
