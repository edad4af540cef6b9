//! The keys that the sections of `board.toml` know.

use super::item::ItemKind;

pub const ROOT: [&str; 5] = ["layout", "seat", "looks", "panel", "uses"];
pub const USES: [&str; 1] = ["columns"];
pub const SEAT: [&str; 2] = ["name", "colour"];
pub const LOOK: [&str; 2] = ["colour", "sign"];
pub const PANEL: [&str; 7] = ["id", "title", "for", "adds", "per_row", "when", "size"];

/// Kinds of items, as sections of a panel.
pub const KINDS: [(&str, ItemKind); 8] = [
    ("spaces", ItemKind::Spaces),
    ("links", ItemKind::Links),
    ("pieces", ItemKind::Pieces),
    ("ways", ItemKind::Ways),
    ("boxes", ItemKind::Boxes),
    ("cards", ItemKind::Cards),
    ("pile", ItemKind::Pile),
    ("values", ItemKind::Values),
];

/// Keys of an item of this kind.
pub fn of(kind: ItemKind) -> Vec<&'static str> {
    let words = match kind {
        ItemKind::Spaces => {
            "for when at shift size shape fill outline picture text text_size label label_side means turn"
        }
        ItemKind::Links => "for when ends length fill owner text width means",
        ItemKind::Pieces => {
            "for zone as when on at shift size shape fill outline picture text text_size means"
        }
        ItemKind::Ways => "for when at size sides aside fill width means",
        ItemKind::Boxes => {
            "for when size per_row shape fill outline picture text text_size label means ways"
        }
        ItemKind::Cards | ItemKind::Pile => {
            "for zone as when size per_row fill picture text text_size label back means ways"
        }
        ItemKind::Values => "for when lines text_size per_row",
    };
    words.split(' ').collect()
}
