//! The board of a game that has no `board.toml`, made from its rules: squares, hexes or a map, rows and piles, tables, and what
//! the players have. What it comes to is a `board.toml` that can be kept and gone on with.

mod ground;
mod map;
mod parts;

use crate::assembly::Assembly;
use crate::ir::{CellOwner, Domain, RuleSet};
use parts::Parts;
use std::fmt::Write;

/// What stands in the `board.toml` that the game could have; none if there is nothing to be shown.
pub(super) fn text(assembly: &Assembly, rules: &RuleSet) -> Option<String> {
    let mut board = String::new();
    let mut drawn = Vec::new();
    if let Some(tiling) = &rules.tiling {
        ground::board(rules, tiling, &mut board);
        drawn.push(tiling.positions);
        drawn.extend(
            [tiling.borders, tiling.corners]
                .into_iter()
                .flatten()
                .map(|rim| Domain::Table(rim.table)),
        );
    } else {
        drawn.extend(map::board(assembly, rules, &mut board));
    }
    let has_board = !board.is_empty();
    let parts = Parts::new(rules);
    let mut table = String::new();
    parts.zones(CellOwner::Game, &mut table);
    parts.tables(&drawn, &mut table);
    parts.numbers(&mut table);
    let has_table = !table.is_empty();
    let mut players = String::new();
    parts.players(&mut players);
    if !has_board && !has_table && players.is_empty() {
        return None;
    }
    let mut text =
        String::from("# How the game is drawn, made from its rules. See docs/board.md.\n\n");
    let layout = match (has_board, has_table) {
        (true, true) => "[[\"board\", [\"players\", \"table\"]], \"hand\"]",
        (true, false) => "[[\"board\", \"players\"], \"hand\"]",
        (false, true) => "[[\"table\", \"players\"], \"hand\"]",
        (false, false) => "[\"players\", \"hand\"]",
    };
    let hand = parts.hand();
    let layout = match hand.is_empty() {
        true => layout.replace(", \"hand\"]", "]"),
        false => layout.to_owned(),
    };
    let _ = writeln!(text, "layout = {layout}\n");
    text += &board;
    if has_table {
        let width = if has_board { 330 } else { 560 };
        let _ = writeln!(
            text,
            "[[panel]]\nid = \"table\"\ntitle = \"On the table\"\nsize = [{width}, 0]\n"
        );
        text += &table;
    }
    text += &players;
    text += &hand;
    Some(text)
}

/// A text of TOML.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
