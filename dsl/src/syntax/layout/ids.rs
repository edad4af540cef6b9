//! Rule ids: what is one, and what was meant to be one.

use super::continuation::ends_open;

/// What stands before it can be complete: after an operator or an opening word, `[…]` is a list. Behind an open range
/// (`player.points: 0..   [TM-001]`) only what is a rule id to the letter is none.
pub(super) fn may_precede_tags(before: &str, all_ids: bool) -> bool {
    let open_range = before.ends_with("..");
    (open_range && all_ids || !open_range && !ends_open(before))
        && !before.ends_with(['(', '[', '{', '|', ';'])
}

/// `TM-066`, `RR-C28`: capitals, then parts with a digit in the last.
pub(crate) fn is_rule_id(text: &str) -> bool {
    let mut parts = text.split('-');
    let prefix = parts.next().unwrap_or("");
    let rest: Vec<&str> = parts.collect();
    prefix.starts_with(|c: char| c.is_ascii_uppercase())
        && prefix
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit())
        && rest
            .iter()
            .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric()))
        && rest
            .last()
            .is_some_and(|part| part.bytes().any(|b| b.is_ascii_digit()))
}

/// `tm-066`, `TM066`, `TM_066`: two letters or more, perhaps a sign, two digits or more.
pub(super) fn is_nearly_rule_id(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = text[letters..].trim_start_matches(['-', '_']);
    let digits = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    (2..=5).contains(&letters) && digits.len() >= 2 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// The same ids in the right form, if each can be made out.
pub(super) fn better_tags(inner: &str) -> Option<String> {
    if inner.contains("..") {
        return None;
    }
    let pieces = inner
        .split([',', ';', ' ', '/'])
        .map(str::trim)
        .filter(|piece| !piece.is_empty());
    let ids: Option<Vec<String>> = pieces
        .map(|piece| {
            let letters = piece.bytes().take_while(u8::is_ascii_alphabetic).count();
            let number = piece[letters..].trim_start_matches(['-', '_']);
            let id = format!("{}-{number}", piece[..letters].to_ascii_uppercase());
            (is_nearly_rule_id(piece) && is_rule_id(&id)).then_some(id)
        })
        .collect();
    ids.filter(|ids| !ids.is_empty()).map(|ids| ids.join(", "))
}
