//! What English makes of a name.

use crate::ir::Noun;

/// A name as words.
pub(crate) fn plain(name: &str) -> String {
    name.replace('_', " ")
}

/// What a name counts or measures: `wagons` are counted, a `length` is measured.
pub(super) fn noun(name: &str) -> Noun {
    let words = plain(name);
    match singular(&words) {
        Some(one) => Noun {
            one,
            many: words,
            counted: true,
        },
        None => Noun {
            many: plural(&words),
            one: words,
            counted: false,
        },
    }
}

/// A text that says what one is called, or one and several: `track`, `city, cities`.
pub(super) fn said(text: &str) -> Noun {
    match text.split_once(", ") {
        Some((one, many)) => Noun {
            one: one.trim().to_owned(),
            many: many.trim().to_owned(),
            counted: true,
        },
        None => noun(text),
    }
}

fn singular(words: &str) -> Option<String> {
    let stem = words.strip_suffix('s')?;
    if stem.is_empty() || ["s", "u", "i", "a"].iter().any(|end| stem.ends_with(end)) {
        return None;
    }
    Some(match stem.strip_suffix("ie") {
        Some(stem) if stem.len() > 1 => format!("{stem}y"),
        _ => stem.to_owned(),
    })
}

fn plural(words: &str) -> String {
    let hisses = ["s", "x", "z", "ch", "sh"];
    if hisses.iter().any(|end| words.ends_with(end)) {
        return format!("{words}es");
    }
    match words.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) && !stem.is_empty() => {
            format!("{stem}ies")
        }
        _ => format!("{words}s"),
    }
}

/// `a track`, `an engine`
pub(super) fn with_article(noun: &str) -> String {
    match noun.chars().next() {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'A' | 'E' | 'I' | 'O' | 'U') => format!("an {noun}"),
        _ => format!("a {noun}"),
    }
}

/// The same without it.
pub(super) fn without_article(noun: &str) -> &str {
    let bare = noun.strip_prefix("a ").or_else(|| noun.strip_prefix("an "));
    bare.unwrap_or(noun)
}

/// What somebody does who is told to: `claim a track`, `claims a track`.
pub(super) fn third_person(told: &str) -> String {
    let end = told
        .find(|c: char| !c.is_ascii_alphabetic())
        .unwrap_or(told.len());
    let (verb, rest) = told.split_at(end);
    let verb = match verb {
        "" => return told.to_owned(),
        "be" => "is".to_owned(),
        "have" => "has".to_owned(),
        "do" | "go" | "undo" | "forgo" | "veto" | "echo" => format!("{verb}es"),
        // The ending is that of several things: `passes`, `carries`.
        _ => plural(verb),
    };
    format!("{verb}{rest}")
}

#[cfg(test)]
mod tests {
    use super::{noun, said, third_person, without_article};

    #[test]
    fn who_is_told_to_does() {
        for (told, does) in [
            ("claim {r}", "claims {r}"),
            ("carry it", "carries it"),
            ("play", "plays"),
            ("pass", "passes"),
            ("reach", "reaches"),
            ("go on", "goes on"),
            ("have a look", "has a look"),
            ("\u{e4}ndern", "\u{e4}ndern"),
        ] {
            assert_eq!(third_person(told), does);
        }
    }

    #[test]
    fn amounts_read_as_people_say_them() {
        for (name, number, amount) in [
            ("wagons", 1, "1 wagon"),
            ("wagons", 3, "3 wagons"),
            ("wagons", -1, "-1 wagon"),
            ("stories", 1, "1 story"),
            ("length", 3, "length 3"),
            ("cost_shares", 1, "1 cost share"),
            ("bonus", 3, "bonus 3"),
            ("lies", 1, "1 lie"),
            ("pass", 2, "pass 2"),
        ] {
            assert_eq!(noun(name).amount(number), amount);
        }
        assert_eq!(noun("city").many, "cities");
        assert_eq!(noun("match").many, "matches");
        assert_eq!(said("space, spaces").amount(4), "4 spaces");
    }

    #[test]
    fn an_article_is_said_once() {
        assert_eq!(without_article("an engine"), "engine");
        assert_eq!(without_article("antlers"), "antlers");
    }
}
