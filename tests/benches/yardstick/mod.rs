//! The yardstick: Ticket to Ride (USA) written directly in Rust.
//!
//! It is what the interpreter's speed is measured against and what its games are replayed on; nothing but benches and their
//! tests may use it, for no other Rust here knows a game. Rule ids `TU-nnn` are those of the game's rule inventory.
//!
//! The decisions are the interpreter's: the menu, then each card, or the route and its payment, or the tickets kept.
//! [`Game::step`] gives one answer and leaves a decision with one answer standing; [`Game::apply`] also runs through those.
//!
//! Rulings where the inventory leaves room:
//! * The display is checked for locomotives when it changed [TU-024], not at the end of an action that left it alone.
//! * Cards are dealt to the seats in order, four at once, then the display is laid; tickets three at once [TU-009, TU-010].
//! * Starting tickets not kept go under the deck in seat order once every seat has chosen [TU-011, TU-012].

#![allow(
    dead_code,
    reason = "a bench plays games, a replay test compares them: neither uses all"
)]

mod game;
mod luck;
mod score;
mod tables;

#[allow(unused_imports, reason = "as above")]
pub use self::{
    game::{Fingerprint, Game, Move, playout, playout_with},
    luck::{Deck, Luck, Orders, Rng},
    score::{Score, longest_trail, winners},
    tables::Tables,
};

pub const SEATS_MAX: usize = 5;
/// Colours in the order of the card list, then the locomotive.
pub const KINDS: usize = 9;
pub const LOCO: u8 = 8;

/// Something of each card kind, by index.
pub type Bag = [u8; KINDS];
