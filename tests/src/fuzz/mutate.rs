//! Changes to a text: those that slips, bad tools and bad will make.

use super::corpus::{Corpus, Kind};
use crate::chance::Chance;

/// Numbers at the ends of what something can hold, and around bounds.
const NUMBERS: [&str; 34] = [
    "0",
    "1",
    "2",
    "-1",
    "-2",
    "7",
    "8",
    "9",
    "26",
    "27",
    "31",
    "32",
    "63",
    "64",
    "65",
    "255",
    "256",
    "1000",
    "16384",
    "65535",
    "65536",
    "262144",
    "1048576",
    "1048577",
    "2000000000",
    "2147483645",
    "2147483647",
    "2147483648",
    "-2147483646",
    "-2147483647",
    "-2147483648",
    "4294967296",
    "9223372036854775807",
    "99999999999999999999999999",
];

/// Characters that do not stand in rules, or that stand for structure.
const SIGNS: [&str; 30] = [
    "\0",
    "\t",
    "\r",
    "\r\n",
    "\n",
    "\u{1b}[2J",
    "\u{7f}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\u{202e}",
    "\u{200b}",
    "é",
    "🚂",
    "\"",
    "'",
    "`",
    "\\",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "#",
    "##",
    "=",
    ":",
    ",",
    " ",
];

/// Longest text that comes out; so that one that doubles stays readable.
const TEXT_MAX: usize = 400_000;

/// A few changes, then now and then another way to write it down.
pub fn mutate(corpus: &Corpus, kind: Kind, text: &str, chance: &mut Chance) -> Vec<u8> {
    let mut text = text.to_owned();
    for _ in 0..=chance.below(3) {
        let changed = change(corpus, kind, &text, chance);
        if changed.len() <= TEXT_MAX {
            text = changed;
        }
    }
    match chance.one_in(10) {
        true => written_otherwise(text, chance),
        false => text.into_bytes(),
    }
}

fn change(corpus: &Corpus, kind: Kind, text: &str, chance: &mut Chance) -> String {
    match chance.below(13) {
        0 => characters(text, chance),
        1 | 2 => lines(text, chance),
        3..=5 => words(corpus, kind, text, chance),
        6..=8 => numbers(text, chance),
        9 => cut(text, chance),
        10 | 11 => spliced(corpus, kind, text, chance),
        _ => many(text, chance),
    }
}

/// A place between two characters.
fn place(text: &str, chance: &mut Chance) -> usize {
    let mut at = chance.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A short range of characters.
fn range(text: &str, longest: usize, chance: &mut Chance) -> std::ops::Range<usize> {
    let from = place(text, chance);
    let mut to = (from + 1 + chance.below(longest)).min(text.len());
    while !text.is_char_boundary(to) {
        to += 1;
    }
    from..to
}

fn characters(text: &str, chance: &mut Chance) -> String {
    let mut text = text.to_owned();
    let at = range(&text, 12, chance);
    match chance.below(3) {
        0 => text.replace_range(at, ""),
        1 => {
            let again = text[at.clone()].to_owned();
            text.insert_str(at.start, &again);
        }
        _ => text.insert_str(at.start, chance.of(&SIGNS).copied().unwrap_or_default()),
    }
    text
}

fn lines(text: &str, chance: &mut Chance) -> String {
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    if lines.is_empty() {
        return text.to_owned();
    }
    let (a, b) = (chance.below(lines.len()), chance.below(lines.len()));
    match chance.below(6) {
        0 | 1 => {
            lines.remove(a);
        }
        2 => lines.swap(a, b),
        3 => {
            let line = lines[b].clone();
            lines.insert(a, line);
        }
        4 => lines[a] = format!("{}{}", "  ".repeat(chance.below(4)), lines[a].trim_start()),
        _ => {
            let end = (a + 1 + chance.below(12)).min(lines.len());
            lines.drain(a..end);
        }
    }
    lines.concat()
}

fn words(corpus: &Corpus, kind: Kind, text: &str, chance: &mut Chance) -> String {
    let mut all = tokens(text);
    if all.is_empty() {
        return text.to_owned();
    }
    let (a, b) = (chance.below(all.len()), chance.below(all.len()));
    match chance.below(6) {
        0 => all[a] = "",
        1 => all.swap(a, b),
        2 => all[a] = all[b],
        3 => all.insert(a, all[b]),
        4 => {
            let other = tokens(corpus.piece(kind, chance));
            all[a] = chance.of(&other).copied().unwrap_or_default();
        }
        // A word for another of its sort: what is read then means something else.
        _ => {
            let names: Vec<usize> = (0..all.len())
                .filter(|at| all[*at].starts_with(char::is_alphabetic))
                .collect();
            if let (Some(a), Some(b)) = (chance.of(&names), chance.of(&names)) {
                all[*a] = all[*b];
            }
        }
    }
    all.concat()
}

fn numbers(text: &str, chance: &mut Chance) -> String {
    let mut all = tokens(text);
    let found: Vec<usize> = (0..all.len())
        .filter(|at| all[*at].starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    if let Some(at) = chance.of(&found) {
        all[*at] = chance.of(&NUMBERS).copied().unwrap_or_default();
    }
    all.concat()
}

fn cut(text: &str, chance: &mut Chance) -> String {
    let at = place(text, chance);
    match chance.below(4) {
        0 => text[at..].to_owned(),
        _ => text[..at].to_owned(),
    }
}

/// Some lines of another text between the lines, or a piece of it anywhere.
fn spliced(corpus: &Corpus, kind: Kind, text: &str, chance: &mut Chance) -> String {
    let other = corpus.piece(kind, chance);
    let (piece, at) = if chance.one_in(4) {
        let at = place(text, chance);
        (other[range(other, 200, chance)].to_owned(), at)
    } else {
        let lines: Vec<&str> = other.split_inclusive('\n').collect();
        let from = chance.below(lines.len());
        let to = (from + 1 + chance.below(12)).min(lines.len());
        let at = place(text, chance);
        let at = text[..at].rfind('\n').map_or(0, |end| end + 1);
        (lines.get(from..to).unwrap_or_default().concat(), at)
    };
    format!("{}{piece}{}", &text[..at], &text[at..])
}

/// Much of one thing: brackets in brackets, a line again and again, a word that does not end.
fn many(text: &str, chance: &mut Chance) -> String {
    let times = [3, 40, 200, 1_000, 5_000][chance.below(5)];
    let all = tokens(text);
    let at = chance.below(all.len());
    let before = all[..at].concat();
    let (word, behind) = match all.get(at..) {
        Some([word, behind @ ..]) => (*word, behind.concat()),
        _ => ("", String::new()),
    };
    match chance.below(8) {
        0 => {
            let (open, close) = [("(", ")"), ("[", "]"), ("{", "}"), ("\"", "\"")][chance.below(4)];
            let (open, close) = (open.repeat(times), close.repeat(times));
            format!("{before}{open}{word}{close}{behind}")
        }
        1 => {
            let sign = [
                "not ",
                "-",
                "1 + ",
                "if 1 = 1 then 1 else ",
                "a.",
                "some(",
                "# ",
            ][chance.below(7)];
            format!("{before}{}{word}{behind}", sign.repeat(times))
        }
        2 => {
            let line_begin = before.rfind('\n').map_or(0, |end| end + 1);
            let line = text[line_begin..].split_inclusive('\n').next();
            let lines = line.unwrap_or_default().repeat(times.min(1_000));
            format!("{}{lines}{}", &text[..line_begin], &text[line_begin..])
        }
        3 => format!("{before}{}{behind}", word.repeat(times)),
        4 => format!("{before}{word}{}{behind}", " ".repeat(times)),
        5 => format!("{before}{word}{}{behind}", "\n".repeat(times)),
        6 => {
            let mut nested = String::new();
            for level in 0..times.min(200) {
                nested += &format!("{}if 1 = 1:\n", "  ".repeat(level + 1));
            }
            let line = before.rfind('\n').map_or(0, |end| end + 1);
            format!("{}{nested}{}", &text[..line], &text[line..])
        }
        _ => {
            let terms: Vec<String> = (0..times).map(|n| format!("{word}{n}")).collect();
            format!("{before}{}{behind}", terms.join(", "))
        }
    }
}

/// The same text as other programs save it, or bytes that are none.
fn written_otherwise(text: String, chance: &mut Chance) -> Vec<u8> {
    match chance.below(9) {
        0 => text.replace('\n', "\r").into_bytes(),
        1 => text.replace('\n', "\r\n").into_bytes(),
        2 => utf16(&text, u16::to_le_bytes, chance.one_in(2)),
        3 => utf16(&text, u16::to_be_bytes, chance.one_in(2)),
        4 => format!("\u{feff}{text}").into_bytes(),
        5 => text.chars().map(|c| c as u32 as u8).collect(),
        6 => Vec::new(),
        7 => {
            let mut bytes = text.into_bytes();
            let at = chance.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << chance.below(8);
            }
            bytes
        }
        _ => {
            let mut bytes = text.into_bytes();
            let at = chance.below(bytes.len() + 1);
            bytes.insert(at, [0, 0x80, 0xC0, 0xFF][chance.below(4)]);
            bytes
        }
    }
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2], mark: bool) -> Vec<u8> {
    let mark = mark.then_some(0xFEFF);
    let units = mark.into_iter().chain(text.encode_utf16());
    units.flat_map(bytes).collect()
}

/// Words, numbers and signs; blanks for themselves, so that lines keep their indentation.
fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let kind = |c: char| (c.is_alphanumeric() || c == '_', c == ' ', c == '\n');
        let word = kind(first).0 || first == ' ';
        let end = if word {
            rest.find(|c| kind(c) != kind(first)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        all.push(&rest[..end]);
        rest = &rest[end..];
    }
    all
}
