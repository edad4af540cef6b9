//! The worked cases `TU-Cnn`, and whole games.
//!
//! The components are read from the folder named by `YARDSTICK_COMPONENTS`, else from the game's folder in the repository.

use super::{
    super::{
        luck::Orders,
        score::{longest_trail, winners},
        tables::Ticket,
    },
    Bag, Deck, GRAY, Game, LOCO, Luck, Move, POINTS, Rng, Score, Tables, playout,
};

const REPOSITORY: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../games/ticket-to-ride-usa/components"
);
const SEEDS: u64 = 300;

fn tables() -> Tables {
    let folder = std::env::var("YARDSTICK_COMPONENTS").unwrap_or(REPOSITORY.into());
    let read = |name| {
        let path = format!("{folder}/{name}.toml");
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    };
    Tables::load(&read("map"), &read("train_cards"), &read("tickets")).unwrap()
}

fn bag(tables: &Tables, cards: &[(&str, u8)]) -> Bag {
    let mut bag = Bag::default();
    for (id, count) in cards {
        bag[usize::from(tables.kind(id).unwrap())] += count;
    }
    bag
}

fn mask(tables: &Tables, routes: &[&str]) -> u128 {
    routes
        .iter()
        .fold(0, |mask, id| mask | 1 << tables.route(id).unwrap())
}

fn trail(tables: &Tables, routes: &[&str]) -> u8 {
    longest_trail(tables, mask(tables, routes))
}

fn moves(game: &Game, tables: &Tables) -> Vec<Move> {
    let mut moves = Vec::new();
    game.decision(tables, &mut moves);
    moves
}

/// A plays; display red, blue, green, white, black; 60 cards in the pile, 20 in the discard pile.
fn given(tables: &Tables, players: u8) -> Game {
    let mut rng = Rng::new(1);
    let mut game = Game::new(tables, players, &mut rng);
    for _ in 0..players {
        game.apply(tables, Move::Keep(0b111), &mut rng);
    }
    for seat in &mut game.seats {
        seat.hand = Bag::default();
    }
    set_display(
        &mut game,
        tables,
        &["red", "blue", "green", "white", "black"],
    );
    game.discard = bag(tables, &[("purple", 12), ("orange", 8)]);
    game.discarded = 20;
    set_pile(&mut game, tables, &["yellow"; 60]);
    game
}

fn set_display(game: &mut Game, tables: &Tables, cards: &[&str]) {
    game.display = Bag::default();
    game.shown = cards.len() as u8;
    for id in cards {
        game.display[usize::from(tables.kind(id).unwrap())] += 1;
    }
}

fn set_pile(game: &mut Game, tables: &Tables, cards: &[&str]) {
    game.pile_top = 0;
    game.pile_end = cards.len() as u8;
    for (place, id) in game.pile.iter_mut().zip(cards) {
        *place = tables.kind(id).unwrap();
    }
}

fn set_discard(game: &mut Game, cards: Bag) {
    game.discard = cards;
    game.discarded = cards.iter().sum();
}

/// Gives A the cards and works out again what he can do.
fn set_hand(game: &mut Game, tables: &Tables, cards: &[(&str, u8)]) {
    game.seats[usize::from(game.me)].hand = bag(tables, cards);
    game.start_turn(tables);
}

fn open(tables: &Tables, id: &str) -> Move {
    Move::Open(tables.kind(id).unwrap())
}

fn route(tables: &Tables, id: &str) -> Move {
    Move::Route(tables.route(id).unwrap())
}

fn play(game: &mut Game, tables: &Tables, answers: &[Move]) {
    for answer in answers {
        assert!(
            moves(game, tables).contains(answer),
            "{answer:?}: {:?}",
            moves(game, tables)
        );
        game.step(tables, *answer, &mut Rng::new(2));
    }
}

#[test]
fn c01_c02_set_up() {
    let t = tables();
    let seed = (0..)
        .find(|&seed| {
            let game = Game::begin(&t, 4, &mut Rng::new(seed));
            game.discarded == 0
        })
        .unwrap();
    let mut game = Game::begin(&t, 4, &mut Rng::new(seed));
    assert_eq!(game.pile_size(), 89);
    assert_eq!(moves(&game, &t).len(), 4, "two of three tickets, or all");
    assert!(!moves(&game, &t).contains(&Move::Keep(0b001)));
    let returned = [game.seats[0].offer[1], game.seats[1].offer[0]];
    for kept in [0b101, 0b110, 0b111, 0b111] {
        play(&mut game, &t, &[Move::Keep(kept)]);
    }
    assert_eq!(game.tickets_left, 20);
    let bottom = |i: u8| game.ticket_deck[usize::from((game.ticket_top + 20 - i) % 32)];
    assert_eq!([bottom(2), bottom(1)], returned);
    assert_eq!(
        game.seats.map(|seat| seat.tickets.count_ones()),
        [2, 2, 3, 3, 0]
    );
}

#[test]
fn c03_map_inventory() {
    let t = tables();
    assert_eq!((t.cities.len(), t.routes.len()), (36, 100));
    assert_eq!(
        t.twins
            .iter()
            .filter(|&&twins| twins.count_ones() == 1)
            .count(),
        44
    );
    assert!(t.twins.iter().all(|&twins| twins.count_ones() < 2));
    let tracks = |length| {
        t.routes
            .iter()
            .filter(|route| route.length == length)
            .count()
    };
    assert_eq!([1, 2, 3, 4, 5, 6].map(tracks), [9, 36, 20, 16, 10, 9]);
    let spaces = |color| {
        let routes = t.routes.iter().filter(move |route| route.color == color);
        (
            routes.clone().count(),
            routes.map(|route| u32::from(route.length)).sum(),
        )
    };
    assert!((0..8).all(|color| spaces(color) == (7, 27)));
    assert_eq!(spaces(GRAY), (44, 93));
    let points = t.routes.iter().map(|r| POINTS[usize::from(r.length)]);
    assert_eq!(points.sum::<i16>(), 508);
    assert_eq!(t.copies, [12, 12, 12, 12, 12, 12, 12, 12, 14]);
}

#[test]
fn c04_ticket_inventory() {
    let t = tables();
    let points = t.tickets.iter().map(|ticket| u32::from(ticket.points));
    assert_eq!((t.tickets.len(), points.clone().sum::<u32>()), (30, 349));
    assert_eq!((points.clone().min(), points.max()), (Some(4), Some(22)));
}

#[test]
fn c05_draw_two() {
    let t = tables();
    let mut game = given(&t, 4);
    play(&mut game, &t, &[Move::DrawCards, open(&t, "red")]);
    assert_eq!(
        game.display,
        bag(
            &t,
            &[
                ("yellow", 1),
                ("blue", 1),
                ("green", 1),
                ("white", 1),
                ("black", 1)
            ]
        )
    );
    play(&mut game, &t, &[Move::Blind]);
    assert_eq!(game.seats[0].hand, bag(&t, &[("red", 1), ("yellow", 1)]));
    assert_eq!((game.pile_size(), game.mover()), (58, 1));
}

#[test]
fn c06_face_up_locomotive() {
    let t = tables();
    let mut game = given(&t, 4);
    set_display(
        &mut game,
        &t,
        &["locomotive", "blue", "green", "white", "black"],
    );
    let mut other = game;
    play(&mut game, &t, &[Move::DrawCards, open(&t, "locomotive")]);
    assert_eq!(
        (game.seats[0].hand[usize::from(LOCO)], game.mover()),
        (1, 1)
    );

    set_pile(&mut other, &t, &["locomotive", "red", "red"]);
    play(&mut other, &t, &[Move::DrawCards, open(&t, "blue")]);
    assert_eq!(other.display[usize::from(LOCO)], 2);
    assert!(!moves(&other, &t).contains(&Move::Open(LOCO)));
}

#[test]
fn c07_unseen_locomotive() {
    let t = tables();
    let mut game = given(&t, 4);
    set_pile(&mut game, &t, &["locomotive", "red", "red"]);
    play(
        &mut game,
        &t,
        &[Move::DrawCards, Move::Blind, open(&t, "blue")],
    );
    assert_eq!(
        game.seats[0].hand,
        bag(&t, &[("locomotive", 1), ("blue", 1)])
    );
}

#[test]
fn c08_refresh_at_three_locomotives() {
    let t = tables();
    let mut game = given(&t, 4);
    set_display(
        &mut game,
        &t,
        &["locomotive", "locomotive", "red", "blue", "green"],
    );
    let mut pile = ["yellow"; 60];
    pile[0] = "locomotive";
    set_pile(&mut game, &t, &pile);
    play(&mut game, &t, &[Move::DrawCards, open(&t, "red")]);
    assert_eq!(
        (game.discarded, game.pile_size(), game.mover()),
        (25, 54, 0)
    );
    assert_eq!(game.display, bag(&t, &[("yellow", 5)]));
    play(&mut game, &t, &[open(&t, "yellow")]);
    assert_eq!(game.mover(), 1);
}

#[test]
fn refresh_three_times_at_most_and_never_from_nothing() {
    let t = tables();
    let mut game = given(&t, 4);
    set_display(
        &mut game,
        &t,
        &["locomotive", "locomotive", "red", "blue", "green"],
    );
    set_pile(&mut game, &t, &["locomotive"; 60]);
    play(&mut game, &t, &[Move::DrawCards, open(&t, "red")]);
    assert_eq!((game.discarded, game.pile_size()), (35, 44));
    assert_eq!(moves(&game, &t), [Move::Blind]);

    let mut game = given(&t, 4);
    set_display(
        &mut game,
        &t,
        &["locomotive", "locomotive", "locomotive", "red"],
    );
    set_pile(&mut game, &t, &[]);
    set_discard(&mut game, Bag::default());
    play(&mut game, &t, &[Move::DrawCards, open(&t, "red")]);
    assert_eq!((game.shown, game.mover()), (3, 1), "no second card");
}

#[test]
fn c09_empty_draw_pile() {
    let t = tables();
    let mut game = given(&t, 4);
    set_pile(&mut game, &t, &["yellow"]);
    set_discard(&mut game, bag(&t, &[("purple", 12)]));
    play(&mut game, &t, &[Move::DrawCards, Move::Blind, Move::Blind]);
    assert_eq!((game.pile_size(), game.discarded), (11, 0));
}

#[test]
fn payment_fills_gaps_through_the_empty_pile() {
    let t = tables();
    let mut game = given(&t, 4);
    set_pile(&mut game, &t, &[]);
    set_discard(&mut game, Bag::default());
    set_display(&mut game, &t, &["red", "red"]);
    set_hand(&mut game, &t, &[("blue", 4)]);
    play(&mut game, &t, &[Move::Claim, route(&t, "helena-winnipeg")]);
    game.resolve(&t, &mut Rng::new(2));
    assert_eq!(game.display, bag(&t, &[("red", 2), ("blue", 3)]));
    assert_eq!((game.pile_size(), game.discarded, game.mover()), (1, 0, 1));
}

#[test]
fn c10_claim_with_a_locomotive() {
    let t = tables();
    let mut game = given(&t, 4);
    set_hand(&mut game, &t, &[("blue", 3), ("locomotive", 1)]);
    let pay = Game::pay(&bag(&t, &[("blue", 3), ("locomotive", 1)])).unwrap();
    play(
        &mut game,
        &t,
        &[Move::Claim, route(&t, "helena-winnipeg"), pay],
    );
    assert_eq!(
        (game.seats[0].points, game.seats[0].wagons, game.discarded),
        (7, 41, 24)
    );
    assert_eq!(game.seats[0].hand, Bag::default());
}

#[test]
fn c11_gray_track() {
    let t = tables();
    let mut game = given(&t, 4);
    set_hand(
        &mut game,
        &t,
        &[("white", 4), ("red", 2), ("locomotive", 4)],
    );
    play(&mut game, &t, &[Move::Claim, route(&t, "calgary-seattle")]);
    let offered = moves(&game, &t);
    let legal = |cards| Game::pay(&bag(&t, cards)).is_some_and(|pay| offered.contains(&pay));
    assert!(legal(&[("white", 4)]));
    assert!(legal(&[("white", 2), ("locomotive", 2)]));
    assert!(legal(&[("locomotive", 4)]));
    assert!(!legal(&[("white", 2), ("red", 2)]));
    assert_eq!(
        offered.len(),
        4 + 2 + 1,
        "white with 0 to 3 locomotives, red with 2 or 3, four locomotives"
    );
}

#[test]
fn c12_six_spaces() {
    let t = tables();
    let mut game = given(&t, 4);
    set_hand(&mut game, &t, &[("black", 6)]);
    play(
        &mut game,
        &t,
        &[
            Move::Claim,
            route(&t, "el_paso-los_angeles"),
            Game::pay(&bag(&t, &[("black", 6)])).unwrap(),
        ],
    );
    assert_eq!((game.seats[0].points, game.seats[0].wagons), (15, 39));
}

#[test]
fn c13_c14_double_connections() {
    let t = tables();
    for (players, open_for_b) in [(2, false), (3, false), (4, true), (5, true)] {
        let mut game = given(&t, players);
        let first = t.route("denver-kansas_city-1").unwrap();
        let color = t.routes[usize::from(first)].color;
        game.claimable = 1 << first;
        game.seats[0].hand[usize::from(color)] = 4;
        play(
            &mut game,
            &t,
            &[
                Move::Claim,
                Move::Route(first),
                Move::Pay { color, locos: 0 },
            ],
        );
        let second = mask(&t, &["denver-kansas_city-2"]);
        set_hand(&mut game, &t, &[("locomotive", 14)]);
        assert_eq!(game.claimable & second != 0, open_for_b, "B of {players}");
        game.me = 0;
        set_hand(&mut game, &t, &[("locomotive", 14)]);
        assert_eq!(game.claimable & second, 0, "A of {players}");
    }
}

#[test]
fn c15_tickets() {
    let t = tables();
    let mut game = given(&t, 4);
    game.tickets_left = 2;
    play(&mut game, &t, &[Move::DrawTickets]);
    assert_eq!(moves(&game, &t), [1, 2, 3].map(Move::Keep));
    play(&mut game, &t, &[Move::Keep(2)]);
    assert_eq!(game.tickets_left, 1);
    game.tickets_left = 0;
    assert_eq!(moves(&game, &t), [Move::DrawCards]);
}

#[test]
fn c16_to_c20_trails() {
    let t = tables();
    assert_eq!(trail(&t, &[]), 0);
    assert_eq!(trail(&t, &["calgary-vancouver"]), 3);
    let chain = [
        "calgary-seattle",
        "calgary-winnipeg",
        "duluth-winnipeg",
        "calgary-vancouver",
    ];
    assert_eq!((trail(&t, &chain[..3]), trail(&t, &chain)), (14, 14));
    let tail = [
        "boston-montreal-1",
        "montreal-new_york",
        "boston-new_york-1",
        "montreal-sault_ste_marie",
        "duluth-sault_ste_marie",
    ];
    assert_eq!((trail(&t, &tail[..3]), trail(&t, &tail)), (7, 15));
    let apart = [
        "calgary-helena",
        "helena-seattle",
        "portland-seattle-1",
        "portland-san_francisco-1",
        "calgary-seattle",
        "salt_lake_city-san_francisco-1",
        "boston-new_york-1",
        "boston-montreal-1",
        "new_york-washington-1",
    ];
    assert_eq!(trail(&t, &apart), 25);
    let fork = [
        "calgary-helena",
        "duluth-helena",
        "denver-helena",
        "denver-omaha",
    ];
    assert_eq!((trail(&t, &fork[..3]), trail(&t, &fork)), (10, 14));
    let forks = [
        "seattle-vancouver-1",
        "portland-seattle-1",
        "portland-san_francisco-1",
        "los_angeles-san_francisco-1",
        "calgary-seattle",
        "salt_lake_city-san_francisco-1",
    ];
    assert_eq!(trail(&t, &forks), 15);
}

#[test]
fn c21_to_c23_trails() {
    let t = tables();
    let loops = [
        "houston-new_orleans",
        "atlanta-new_orleans-1",
        "atlanta-nashville",
        "little_rock-nashville",
        "dallas-little_rock",
        "dallas-houston-1",
        "dallas-oklahoma_city-1",
        "kansas_city-oklahoma_city-1",
        "kansas_city-saint_louis-1",
        "pittsburgh-saint_louis",
        "nashville-pittsburgh",
        "kansas_city-omaha-1",
    ];
    assert_eq!((trail(&t, &loops[..11]), trail(&t, &loops)), (28, 28));
    let first = [
        "portland-salt_lake_city",
        "helena-salt_lake_city",
        "las_vegas-salt_lake_city",
        "las_vegas-los_angeles",
        "denver-salt_lake_city-2",
        "denver-kansas_city-2",
    ];
    assert_eq!(trail(&t, &first), 13);
    let second = [
        "calgary-seattle",
        "portland-seattle-2",
        "portland-san_francisco-2",
        "los_angeles-san_francisco-2",
        "el_paso-los_angeles",
        "el_paso-houston",
        "houston-new_orleans",
        "atlanta-new_orleans-1",
        "atlanta-charleston",
        "atlanta-nashville",
        "nashville-saint_louis",
        "chicago-saint_louis-1",
        "chicago-pittsburgh-2",
        "new_york-pittsburgh-2",
    ];
    assert_eq!(trail(&t, &second), 41);
}

#[test]
fn c24_tie_for_the_longest_trail() {
    let t = tables();
    let mut game = given(&t, 4);
    assert!(
        game.scores(&t).iter().all(|score| score.bonus == 0),
        "nobody has a track"
    );
    game.seats[0].owned = mask(&t, &["calgary-helena"]);
    game.seats[1].owned = mask(&t, &["denver-kansas_city-1"]);
    assert_eq!(game.scores(&t).map(|score| score.bonus), [10, 10, 0, 0, 0]);
}

#[test]
fn c25_last_round() {
    let t = tables();
    let mut game = given(&t, 4);
    game.me = 2;
    game.seats[2].wagons = 6;
    set_hand(&mut game, &t, &[("blue", 4)]);
    let mut turns = Vec::new();
    let pay = Game::pay(&bag(&t, &[("blue", 4)])).unwrap();
    play(
        &mut game,
        &t,
        &[Move::Claim, route(&t, "helena-winnipeg"), pay],
    );
    while !game.is_over() {
        turns.push(game.mover());
        play(&mut game, &t, &[Move::DrawCards, Move::Blind, Move::Blind]);
    }
    assert_eq!(turns, [3, 0, 1, 2]);
}

#[test]
fn skipped_turns_end_the_game() {
    let t = tables();
    let mut game = given(&t, 3);
    set_display(&mut game, &t, &[]);
    set_pile(&mut game, &t, &[]);
    set_discard(&mut game, Bag::default());
    game.tickets_left = 1;
    game.seats[2].hand = bag(&t, &[("red", 1)]);
    game.start_turn(&t);
    play(&mut game, &t, &[Move::DrawTickets, Move::Keep(1)]);
    assert_eq!(game.mover(), 2, "B is skipped");
    let mut other = game;
    play(&mut game, &t, &[Move::Claim]);
    other.seats[2].hand = Bag::default();
    other.start_turn(&t);
    assert!(other.is_over());
}

#[test]
fn c26_final_scoring_of_a_whole_game() {
    let t = tables();
    let mut game = given(&t, 3);
    type Seat<'a> = (&'a [&'a str], &'a [(&'a str, &'a str)]);
    let seats: [Seat; 3] = [
        (
            &[
                "seattle-vancouver-1",
                "portland-seattle-1",
                "portland-san_francisco-1",
                "los_angeles-san_francisco-1",
                "el_paso-los_angeles",
                "dallas-el_paso",
                "dallas-little_rock",
                "little_rock-nashville",
                "atlanta-nashville",
                "atlanta-raleigh-1",
                "raleigh-washington-1",
                "new_york-washington-1",
                "duluth-winnipeg",
                "calgary-winnipeg",
                "dallas-houston-1",
            ],
            &[
                ("seattle", "new_york"),
                ("portland", "nashville"),
                ("dallas", "new_york"),
                ("duluth", "houston"),
            ],
        ),
        (
            &[
                "miami-new_orleans",
                "houston-new_orleans",
                "el_paso-houston",
                "el_paso-phoenix",
                "denver-phoenix",
                "denver-kansas_city-1",
                "kansas_city-saint_louis-1",
                "pittsburgh-saint_louis",
                "new_york-pittsburgh-1",
                "boston-new_york-1",
                "boston-montreal-1",
            ],
            &[
                ("boston", "miami"),
                ("denver", "pittsburgh"),
                ("los_angeles", "chicago"),
            ],
        ),
        (
            &[
                "helena-seattle",
                "duluth-helena",
                "duluth-toronto",
                "montreal-toronto",
                "helena-omaha",
                "chicago-omaha",
                "chicago-duluth",
            ],
            &[("vancouver", "montreal"), ("calgary", "salt_lake_city")],
        ),
    ];
    for (seat, (routes, tickets)) in game.seats.iter_mut().zip(seats) {
        for id in routes {
            let row = t.route(id).unwrap();
            let length = t.routes[usize::from(row)].length;
            seat.owned |= 1 << row;
            seat.wagons -= length;
            seat.points += POINTS[usize::from(length)];
        }
        seat.tickets = 0;
        for (a, b) in tickets {
            let ends = |ticket: &Ticket| {
                let names = [ticket.a, ticket.b].map(|city| t.cities[usize::from(city)].as_str());
                names == [*a, *b] || names == [*b, *a]
            };
            seat.tickets |= 1 << t.tickets.iter().position(ends).unwrap();
        }
    }
    let scores = game.scores(&t);
    let scores = &scores[..3];
    let column = |f: fn(&Score) -> i32| -> Vec<i32> { scores.iter().map(f).collect() };
    assert_eq!(column(|score| score.routes), [74, 71, 70]);
    assert_eq!(game.seats.map(|seat| seat.wagons)[..3], [2, 6, 12]);
    assert_eq!(column(|score| score.longest.into()), [32, 39, 27]);
    assert_eq!(column(|score| score.tickets), [42, 7, -27]);
    assert_eq!(column(|score| score.bonus), [0, 10, 0]);
    assert_eq!(column(Score::total), [116, 88, 43]);
    assert_eq!(winners(scores), 0b001);
}

#[test]
fn c27_tie_on_points() {
    let score = |completed, bonus| Score {
        routes: 110 - bonus,
        completed,
        bonus,
        ..Score::default()
    };
    assert_eq!(winners(&[score(4, 0), score(5, 0)]), 0b10);
    assert_eq!(winners(&[score(5, 10), score(5, 0)]), 0b01);
    assert_eq!(winners(&[score(5, 0), score(5, 0), score(4, 10)]), 0b011);
}

/// Every decision has two answers or more, `resolve` finds the single ones, and nothing gets lost.
#[test]
fn random_games_keep_their_pieces() {
    let t = tables();
    for seed in 0..SEEDS {
        let players = 2 + (seed % 4) as u8;
        let mut rng = Rng::new(seed);
        let mut game = Game::begin(&t, players, &mut rng);
        while !game.is_over() {
            let moves = moves(&game, &t);
            assert_eq!(
                game.only_answer(&t),
                (moves.len() == 1).then(|| moves[0]),
                "{:?}",
                game.phase
            );
            game.step(&t, moves[rng.below(moves.len())], &mut rng);

            let seats = &game.seats[..usize::from(players)];
            for (kind, &count) in t.copies.iter().enumerate() {
                let pile = &game.pile[usize::from(game.pile_top)..usize::from(game.pile_end)];
                let in_pile = pile
                    .iter()
                    .filter(|&&card| usize::from(card) == kind)
                    .count() as u8;
                let in_hands: u8 = seats.iter().map(|seat| seat.hand[kind]).sum();
                assert_eq!(
                    in_pile + in_hands + game.display[kind] + game.discard[kind],
                    count
                );
            }
            assert_eq!(game.discarded, game.discard.iter().sum::<u8>());
            assert_eq!(game.shown, game.display.iter().sum::<u8>());
            let tickets: u32 = seats
                .iter()
                .map(|seat| seat.tickets.count_ones() + u32::from(seat.offered))
                .sum();
            assert_eq!(tickets + u32::from(game.tickets_left), 30);
            let owned = seats
                .iter()
                .map(|seat| seat.owned.count_ones())
                .sum::<u32>();
            assert_eq!(
                seats
                    .iter()
                    .fold(0, |all, seat| all | seat.owned)
                    .count_ones(),
                owned
            );
        }
        for (score, seat) in game.scores(&t).iter().zip(&game.seats) {
            assert_eq!(
                score.longest,
                longest_by_trying_all(&t, seat.owned),
                "seed {seed}"
            );
        }
    }
}

fn longest_by_trying_all(t: &Tables, owned: u128) -> u8 {
    fn from(t: &Tables, city: u8, unused: u128) -> u8 {
        let links = (0..t.routes.len()).filter(|link| unused >> link & 1 == 1);
        links
            .filter_map(|link| {
                let route = t.routes[link];
                let next = [(route.a, route.b), (route.b, route.a)]
                    .into_iter()
                    .find(|ends| ends.0 == city)?
                    .1;
                Some(route.length + from(t, next, unused & !(1 << link)))
            })
            .max()
            .unwrap_or(0)
    }
    (0..t.cities.len() as u8)
        .map(|city| from(t, city, owned))
        .max()
        .unwrap()
}

/// Writes down what the generator does.
struct Recorder(Rng, Orders);

impl Luck for Recorder {
    fn shuffle(&mut self, deck: Deck, items: &mut [u8]) {
        self.0.shuffle(deck, items);
        let orders = match deck {
            Deck::Trains => &mut self.1.trains,
            Deck::Tickets => &mut self.1.tickets,
        };
        orders.push_back(items.to_vec());
    }
}

#[test]
fn a_log_plays_the_same_game() {
    let t = tables();
    for seed in 0..SEEDS {
        let players = 2 + (seed % 4) as u8;
        let mut luck = Recorder(Rng::new(seed), Orders::default());
        let mut game = Game::new(&t, players, &mut luck);
        let mut log = Vec::new();
        while !game.is_over() {
            let moves = moves(&game, &t);
            let answer = moves[luck.0.below(moves.len())];
            log.push((game.fingerprint(&t), answer));
            game.apply(&t, answer, &mut luck);
        }
        let mut orders = luck.1;
        let mut again = Game::new(&t, players, &mut orders);
        for (fingerprint, answer) in log {
            assert_eq!(again.fingerprint(&t), fingerprint);
            again.apply(&t, answer, &mut orders);
        }
        assert!(again.is_over() && orders.trains.is_empty() && orders.tickets.is_empty());
        assert_eq!(again.scores(&t), game.scores(&t));
        assert_eq!(playout(&t, players, seed), playout(&t, players, seed));
    }
}
