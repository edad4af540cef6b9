//! The game: state, decisions, answers.

#[cfg(test)]
#[allow(unused_imports, reason = "a bench without libtest has no tests")]
mod tests;

use super::{
    Bag, KINDS, LOCO, SEATS_MAX,
    luck::{Deck, Luck, Rng},
    score::{Network, Score, award_bonus},
    tables::{DECK_MAX, GRAY, LENGTH_MAX, TICKETS_MAX, Tables},
};

const WAGONS: u8 = 45;
const START_CARDS: usize = 4;
const DISPLAY: u8 = 5;
/// Tickets looked at, in the set-up and later.
const OFFER: usize = 3;
const START_KEEP: u32 = 2;
const KEEP: u32 = 1;
const REFRESH_AT: u8 = 3;
const REFRESHES: usize = 3;
/// From so many players on both routes of a double connection are open. [TU-034, TU-035]
const DOUBLES_FROM: u8 = 4;
const LAST_ROUND_AT: u8 = 2;
/// Points by length. [TU-036]
const POINTS: [i16; LENGTH_MAX + 1] = [0, 1, 2, 4, 7, 10, 15];

const LOCO_AT: usize = LOCO as usize;

/// One answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    DrawCards,
    Claim,
    DrawTickets,
    /// A card of this kind from the display.
    Open(u8),
    Blind,
    /// The route to claim, then what is paid for it.
    Route(u8),
    /// `locos` locomotives and the rest of the length in `color`; locomotives only: `color` is [`LOCO`].
    Pay {
        color: u8,
        locos: u8,
    },
    /// The tickets kept, a bit mask over those offered, in the order drawn.
    Keep(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The starting tickets, one seat after the other.
    StartTickets,
    Menu,
    FirstCard,
    SecondCard,
    Route,
    Payment(u8),
    Tickets,
    Over,
}

#[derive(Clone, Copy, Default)]
struct Seat {
    hand: Bag,
    wagons: u8,
    points: i16,
    /// Ticket rows, a bit mask.
    tickets: u32,
    /// Routes, a bit mask; as `closed`.
    owned: u128,
    /// Routes this seat may not claim, for it owns a twin.
    closed: u128,
    /// The tickets being looked at, in the order drawn; after the choice those to be given back.
    offer: [u8; OFFER],
    offered: u8,
}

/// The whole state, flat and without anything on the heap.
#[derive(Clone, Copy)]
pub struct Game {
    phase: Phase,
    players: u8,
    /// The seat that decides.
    me: u8,
    /// Turns skipped in a row.
    idle: u8,
    /// Turns still to come once the last round is called.
    turns_left: Option<u8>,
    seats: [Seat; SEATS_MAX],
    /// Routes that may be claimed by some seat.
    free: u128,
    /// Routes that `me` can claim and pay for; worked out when the turn begins.
    claimable: u128,
    display: Bag,
    shown: u8,
    discard: Bag,
    discarded: u8,
    /// Drawn from `pile_top` on, up to `pile_end`.
    pile: [u8; DECK_MAX],
    pile_top: u8,
    pile_end: u8,
    /// A ring.
    ticket_deck: [u8; TICKETS_MAX],
    ticket_top: u8,
    tickets_left: u8,
}

/// What can be compared with another implementation. Seats and routes that are not there are empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    /// `None` when the game is over.
    pub to_move: Option<u8>,
    pub hands: [Bag; SEATS_MAX],
    /// Ticket rows, bit masks.
    pub tickets: [u32; SEATS_MAX],
    pub wagons: [u8; SEATS_MAX],
    /// Points of the routes.
    pub points: [i16; SEATS_MAX],
    /// The owner of each route by row.
    pub owners: Vec<Option<u8>>,
    pub display: Bag,
    pub discard: Bag,
    pub pile: u8,
    pub ticket_deck: u8,
}

impl Game {
    /// A new game at its first decision with more than one answer.
    pub fn new(tables: &Tables, players: u8, luck: &mut impl Luck) -> Self {
        let mut game = Self::begin(tables, players, luck);
        game.resolve(tables, luck);
        game
    }

    /// A new game at its first decision. The train deck is shuffled first, then the tickets.
    pub fn begin(tables: &Tables, players: u8, luck: &mut impl Luck) -> Self {
        assert!(
            (2..=SEATS_MAX).contains(&usize::from(players)),
            "2 to 5 players"
        );
        let mut game = Self {
            phase: Phase::StartTickets,
            players,
            me: 0,
            idle: 0,
            turns_left: None,
            seats: [Seat::default(); SEATS_MAX],
            free: tables.all_routes(),
            claimable: 0,
            display: [0; KINDS],
            shown: 0,
            discard: tables.copies,
            discarded: tables.copies.iter().sum(),
            pile: [0; DECK_MAX],
            pile_top: 0,
            pile_end: 0,
            ticket_deck: [0; TICKETS_MAX],
            ticket_top: 0,
            tickets_left: tables.tickets.len() as u8,
        };
        game.refill_pile(luck);
        for seat in 0..usize::from(players) {
            game.seats[seat].wagons = WAGONS;
            for _ in 0..START_CARDS {
                let card = game.draw(luck);
                game.seats[seat].hand[card] += 1;
            }
        }
        game.fill_display(luck);
        game.sweep(luck);

        let deck = &mut game.ticket_deck[..tables.tickets.len()];
        (0..)
            .zip(deck.iter_mut())
            .for_each(|(row, place)| *place = row);
        luck.shuffle(Deck::Tickets, deck);
        for seat in 0..usize::from(players) {
            game.look_at_tickets(seat);
        }
        game
    }

    /// The legal answers; more than one after [`Game::new`] and [`Game::apply`], none when the game is over.
    pub fn decision(&self, tables: &Tables, moves: &mut Vec<Move>) {
        moves.clear();
        let seat = self.seat();
        match self.phase {
            Phase::Over => {}
            Phase::StartTickets => moves.extend(keeps(seat.offered, START_KEEP)),
            Phase::Tickets => moves.extend(keeps(seat.offered, KEEP)),
            Phase::Menu => {
                if self.can_draw_cards() {
                    moves.push(Move::DrawCards);
                }
                if self.claimable != 0 {
                    moves.push(Move::Claim);
                }
                if self.tickets_left > 0 {
                    moves.push(Move::DrawTickets);
                }
            }
            Phase::FirstCard | Phase::SecondCard => moves.extend(self.cards()),
            Phase::Route => {
                let mut rest = self.claimable;
                while rest != 0 {
                    moves.push(Move::Route(rest.trailing_zeros() as u8));
                    rest &= rest - 1;
                }
            }
            Phase::Payment(route) => moves.extend(self.payments(tables, route)),
        }
    }

    /// Gives one answer, which must be legal, and runs on to the next decision with more than one.
    pub fn apply(&mut self, tables: &Tables, answer: Move, luck: &mut impl Luck) {
        self.step(tables, answer, luck);
        self.resolve(tables, luck);
    }

    /// Gives one answer, which must be legal; the next decision may have one answer only.
    pub fn step(&mut self, tables: &Tables, answer: Move, luck: &mut impl Luck) {
        match (self.phase, answer) {
            (Phase::StartTickets, Move::Keep(kept)) => {
                self.keep_tickets(kept);
                self.me += 1;
                if self.me == self.players {
                    (0..usize::from(self.players)).for_each(|seat| self.return_tickets(seat));
                    self.me = 0;
                    self.start_turn(tables);
                }
            }
            (Phase::Menu, Move::DrawCards) => self.phase = Phase::FirstCard,
            (Phase::Menu, Move::Claim) => self.phase = Phase::Route,
            (Phase::Menu, Move::DrawTickets) => {
                self.look_at_tickets(usize::from(self.me));
                self.phase = Phase::Tickets;
            }
            (Phase::FirstCard | Phase::SecondCard, Move::Open(kind)) => {
                self.display[usize::from(kind)] -= 1;
                self.shown -= 1;
                self.seat_mut().hand[usize::from(kind)] += 1;
                self.fill_display(luck);
                self.sweep(luck);
                self.card_taken(tables, kind == LOCO);
            }
            (Phase::FirstCard | Phase::SecondCard, Move::Blind) => {
                let card = self.draw(luck);
                self.seat_mut().hand[card] += 1;
                self.card_taken(tables, false);
            }
            (Phase::Route, Move::Route(route)) => self.phase = Phase::Payment(route),
            (Phase::Payment(route), Move::Pay { color, locos }) => {
                self.claim(tables, route, color, locos);
                self.refill_pile(luck);
                if self.shown < DISPLAY {
                    self.fill_display(luck);
                    self.sweep(luck);
                }
                self.end_turn(tables);
            }
            (Phase::Tickets, Move::Keep(kept)) => {
                self.keep_tickets(kept);
                self.return_tickets(usize::from(self.me));
                self.end_turn(tables);
            }
            (phase, answer) => panic!("{answer:?} is no answer in {phase:?}"),
        }
    }

    /// Runs through decisions with one answer.
    pub fn resolve(&mut self, tables: &Tables, luck: &mut impl Luck) {
        while let Some(answer) = self.only_answer(tables) {
            self.step(tables, answer, luck);
        }
    }

    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// The seat that decides.
    pub fn mover(&self) -> u8 {
        self.me
    }

    /// The tickets the mover is choosing from, in the order drawn: bit `i` of [`Move::Keep`] is the `i`-th.
    pub fn offer(&self) -> &[u8] {
        &self.seat().offer[..usize::from(self.seat().offered)]
    }

    /// The answer that keeps these tickets of the offer.
    pub fn keep(&self, tickets: &[u8]) -> Move {
        let kept = |&i: &usize| tickets.contains(&self.offer()[i]);
        Move::Keep(
            (0..self.offer().len())
                .filter(kept)
                .fold(0, |mask, i| mask | 1 << i),
        )
    }

    /// The answer that pays these cards. `None` if they are of two colours.
    pub fn pay(cards: &Bag) -> Option<Move> {
        let locos = cards[LOCO_AT];
        let mut colors = (0..LOCO).filter(|&kind| cards[usize::from(kind)] > 0);
        let color = colors.next().unwrap_or(LOCO);
        colors
            .next()
            .is_none()
            .then_some(Move::Pay { color, locos })
    }

    /// The scores as if the game ended now; seats that are not there have none.
    pub fn scores(&self, tables: &Tables) -> [Score; SEATS_MAX] {
        let mut scores = [Score::default(); SEATS_MAX];
        let players = usize::from(self.players);
        for (score, seat) in scores.iter_mut().zip(&self.seats[..players]) {
            let network = Network::new(tables, seat.owned);
            score.routes = seat.points.into();
            score.longest = network.longest_trail();
            let mut rest = seat.tickets;
            while rest != 0 {
                let ticket = tables.tickets[rest.trailing_zeros() as usize];
                rest &= rest - 1;
                if network.joins(ticket.a, ticket.b) {
                    score.completed += 1;
                    score.tickets += i32::from(ticket.points);
                } else {
                    score.tickets -= i32::from(ticket.points);
                }
            }
        }
        award_bonus(&mut scores[..players]);
        scores
    }

    pub fn fingerprint(&self, tables: &Tables) -> Fingerprint {
        let owner = |route: usize| {
            (0..)
                .zip(&self.seats)
                .find(|(_, s)| s.owned >> route & 1 == 1)
        };
        Fingerprint {
            to_move: (!self.is_over()).then_some(self.me),
            hands: self.seats.map(|seat| seat.hand),
            tickets: self.seats.map(|seat| seat.tickets),
            wagons: self.seats.map(|seat| seat.wagons),
            points: self.seats.map(|seat| seat.points),
            owners: (0..tables.routes.len())
                .map(|route| owner(route).map(|(seat, _)| seat))
                .collect(),
            display: self.display,
            discard: self.discard,
            pile: self.pile_size(),
            ticket_deck: self.tickets_left,
        }
    }

    fn seat(&self) -> &Seat {
        &self.seats[usize::from(self.me)]
    }

    fn seat_mut(&mut self) -> &mut Seat {
        &mut self.seats[usize::from(self.me)]
    }

    fn pile_size(&self) -> u8 {
        self.pile_end - self.pile_top
    }

    fn can_draw_cards(&self) -> bool {
        self.shown > 0 || self.pile_size() > 0
    }

    fn only_answer(&self, tables: &Tables) -> Option<Move> {
        match self.phase {
            Phase::StartTickets | Phase::Over => None,
            Phase::Menu => {
                match (
                    self.can_draw_cards(),
                    self.claimable != 0,
                    self.tickets_left > 0,
                ) {
                    (true, false, false) => Some(Move::DrawCards),
                    (false, true, false) => Some(Move::Claim),
                    (false, false, true) => Some(Move::DrawTickets),
                    _ => None,
                }
            }
            Phase::FirstCard | Phase::SecondCard => only(self.cards()),
            Phase::Route => self
                .claimable
                .is_power_of_two()
                .then(|| Move::Route(self.claimable.trailing_zeros() as u8)),
            Phase::Payment(route) => only(self.payments(tables, route)),
            Phase::Tickets => (self.seat().offered == 1).then_some(Move::Keep(1)),
        }
    }

    /// A kind in the display, each once, or an unseen card. [TU-017, TU-019]
    fn cards(&self) -> impl Iterator<Item = Move> {
        let kinds = if self.phase == Phase::FirstCard {
            0..LOCO + 1
        } else {
            0..LOCO
        };
        let open = kinds
            .filter(|&kind| self.display[usize::from(kind)] > 0)
            .map(Move::Open);
        open.chain((self.pile_size() > 0).then_some(Move::Blind))
    }

    /// Each set of cards once: in a colour with all numbers of locomotives, then locomotives only. [TU-032]
    fn payments(&self, tables: &Tables, route: u8) -> impl Iterator<Item = Move> {
        let route = tables.routes[usize::from(route)];
        let (hand, length) = (&self.seat().hand, route.length);
        let locos = hand[LOCO_AT];
        let colors = if route.color == GRAY {
            0..LOCO
        } else {
            route.color..route.color + 1
        };
        let mixed = colors.flat_map(move |color| {
            let least = length.saturating_sub(hand[usize::from(color)]);
            (least..=locos.min(length - 1)).map(move |locos| Move::Pay { color, locos })
        });
        mixed.chain((locos >= length).then_some(Move::Pay {
            color: LOCO,
            locos: length,
        }))
    }

    /// Skips seats that can do nothing; the game ends when all are skipped in a row. [TU-015]
    fn start_turn(&mut self, tables: &Tables) {
        loop {
            self.claimable = self.claimable_now(tables);
            if self.can_draw_cards() || self.claimable != 0 || self.tickets_left > 0 {
                self.idle = 0;
                self.phase = Phase::Menu;
                return;
            }
            self.idle += 1;
            if self.idle == self.players {
                self.phase = Phase::Over;
            } else {
                self.pass_on();
            }
            if self.phase == Phase::Over {
                return;
            }
        }
    }

    fn end_turn(&mut self, tables: &Tables) {
        self.pass_on();
        if self.phase != Phase::Over {
            self.start_turn(tables);
        }
    }

    /// Ends the running turn: calls or counts the last round [TU-037], and the next seat is to move.
    fn pass_on(&mut self) {
        self.turns_left = match self.turns_left {
            None if self.seat().wagons <= LAST_ROUND_AT => Some(self.players),
            None => None,
            Some(turns) => Some(turns - 1),
        };
        if self.turns_left == Some(0) {
            self.phase = Phase::Over;
        } else {
            self.me = if self.me + 1 == self.players {
                0
            } else {
                self.me + 1
            };
        }
    }

    /// Free routes for which the seat has the wagons and some payment. [TU-032 to TU-035]
    fn claimable_now(&self, tables: &Tables) -> u128 {
        let seat = self.seat();
        let longest = seat.wagons.min(LENGTH_MAX as u8);
        let (mut mask, mut best) = (0, 0);
        for color in 0..LOCO_AT {
            let reach = (seat.hand[color] + seat.hand[LOCO_AT]).min(longest);
            mask |= tables.up_to[color][usize::from(reach)];
            best = best.max(reach);
        }
        mask |= tables.up_to[usize::from(GRAY)][usize::from(best)];
        mask & self.free & !seat.closed
    }

    fn claim(&mut self, tables: &Tables, route: u8, color: u8, locos: u8) {
        let length = tables.routes[usize::from(route)].length;
        for (kind, paid) in [(usize::from(color), length - locos), (LOCO_AT, locos)] {
            self.seat_mut().hand[kind] -= paid;
            self.discard[kind] += paid;
        }
        self.discarded += length;
        let twins = tables.twins[usize::from(route)];
        self.free &= !(1 << route);
        if self.players < DOUBLES_FROM {
            self.free &= !twins;
        } else {
            self.seat_mut().closed |= twins;
        }
        let seat = self.seat_mut();
        seat.owned |= 1 << route;
        seat.wagons -= length;
        seat.points += POINTS[usize::from(length)];
    }

    /// After a card: the second one, or the end of the turn. [TU-019, TU-021]
    fn card_taken(&mut self, tables: &Tables, open_loco: bool) {
        let second = self.pile_size() > 0 || self.shown > self.display[LOCO_AT];
        if self.phase == Phase::FirstCard && !open_loco && second {
            self.phase = Phase::SecondCard;
        } else {
            self.end_turn(tables);
        }
    }

    /// The top card of the pile, which must not be empty. [TU-022]
    fn draw(&mut self, luck: &mut impl Luck) -> usize {
        let card = self.pile[usize::from(self.pile_top)];
        self.pile_top += 1;
        self.refill_pile(luck);
        usize::from(card)
    }

    /// An empty pile becomes the shuffled discard pile.
    fn refill_pile(&mut self, luck: &mut impl Luck) {
        if self.pile_size() > 0 || self.discarded == 0 {
            return;
        }
        self.pile_top = 0;
        self.pile_end = 0;
        for (kind, count) in (0..).zip(std::mem::take(&mut self.discard)) {
            let end = self.pile_end + count;
            self.pile[usize::from(self.pile_end)..usize::from(end)].fill(kind);
            self.pile_end = end;
        }
        self.discarded = 0;
        luck.shuffle(Deck::Trains, &mut self.pile[..usize::from(self.pile_end)]);
    }

    fn fill_display(&mut self, luck: &mut impl Luck) {
        while self.shown < DISPLAY && self.pile_size() > 0 {
            let card = self.draw(luck);
            self.display[card] += 1;
            self.shown += 1;
        }
    }

    /// Too many locomotives: the display is laid anew, a few times at most. [TU-023, TU-026]
    fn sweep(&mut self, luck: &mut impl Luck) {
        for _ in 0..REFRESHES {
            if self.display[LOCO_AT] < REFRESH_AT || self.pile_size() + self.discarded == 0 {
                return;
            }
            for (discard, shown) in self
                .discard
                .iter_mut()
                .zip(std::mem::take(&mut self.display))
            {
                *discard += shown;
            }
            self.discarded += std::mem::take(&mut self.shown);
            self.fill_display(luck);
        }
    }

    fn look_at_tickets(&mut self, seat: usize) {
        let seat = &mut self.seats[seat];
        seat.offered = self.tickets_left.min(OFFER as u8);
        for place in &mut seat.offer[..usize::from(seat.offered)] {
            *place = self.ticket_deck[usize::from(self.ticket_top)];
            self.ticket_top = (self.ticket_top + 1) % TICKETS_MAX as u8;
        }
        self.tickets_left -= seat.offered;
    }

    fn keep_tickets(&mut self, kept: u8) {
        let seat = self.seat_mut();
        let offered = std::mem::take(&mut seat.offered);
        for i in 0..usize::from(offered) {
            let ticket = seat.offer[i];
            if kept >> i & 1 == 1 {
                seat.tickets |= 1 << ticket;
            } else {
                seat.offer[usize::from(seat.offered)] = ticket;
                seat.offered += 1;
            }
        }
    }

    /// Under the deck, in the order drawn. [TU-011, TU-029]
    fn return_tickets(&mut self, seat: usize) {
        let seat = &mut self.seats[seat];
        for &ticket in &seat.offer[..usize::from(std::mem::take(&mut seat.offered))] {
            let bottom = (self.ticket_top + self.tickets_left) % TICKETS_MAX as u8;
            self.ticket_deck[usize::from(bottom)] = ticket;
            self.tickets_left += 1;
        }
    }
}

/// The answer, if there is just one.
fn only(mut answers: impl Iterator<Item = Move>) -> Option<Move> {
    let first = answers.next();
    if answers.next().is_none() {
        first
    } else {
        None
    }
}

/// The choices of at least `least` of the tickets offered.
fn keeps(offered: u8, least: u32) -> impl Iterator<Item = Move> {
    (1..1u8 << offered)
        .filter(move |kept| kept.count_ones() >= least)
        .map(Move::Keep)
}

/// Plays one game at random: the number of decisions (those with more than one answer) and the scores.
pub fn playout(tables: &Tables, players: u8, seed: u64) -> (u32, [Score; SEATS_MAX]) {
    playout_with(
        tables,
        players,
        &mut Rng::new(seed),
        &mut Vec::with_capacity(128),
    )
}

/// As [`playout`], with a buffer that is used again.
pub fn playout_with(
    tables: &Tables,
    players: u8,
    rng: &mut Rng,
    moves: &mut Vec<Move>,
) -> (u32, [Score; SEATS_MAX]) {
    let mut game = Game::new(tables, players, rng);
    let mut decisions = 0;
    while !game.is_over() {
        game.decision(tables, moves);
        let answer = moves[rng.below(moves.len())];
        game.apply(tables, answer, rng);
        decisions += 1;
    }
    (decisions, game.scores(tables))
}
