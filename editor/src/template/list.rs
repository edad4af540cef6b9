//! Changing a manifest as a person would: one word more, everything else stays.

use serde::Deserialize;
use toml::Spanned;

#[derive(Deserialize)]
struct Manifest {
    game: Option<Section>,
    family: Option<Section>,
}

#[derive(Deserialize)]
struct Section {
    overlays: Option<Spanned<Vec<String>>>,
    rules: Option<Spanned<Vec<String>>>,
    id: Option<Spanned<String>>,
}

/// The manifest with one overlay more, at the end of the list; none if that cannot be done.
pub fn with_overlay(text: &str, id: &str) -> Option<String> {
    with_listed(text, "overlays", id)
}

/// The manifest with one file of rules more, at the end of the list; none if that cannot be done.
pub fn with_rules(text: &str, file: &str) -> Option<String> {
    with_listed(text, "rules", file)
}

fn with_listed(text: &str, key: &str, word: &str) -> Option<String> {
    let list = |manifest: Manifest| {
        let section = manifest.game.or(manifest.family)?;
        Some(match key {
            "rules" => (section.rules, section.id),
            _ => (section.overlays, section.id),
        })
    };
    let changed = match list(toml::from_str(text).ok()?)? {
        (Some(list), _) => into_list(text, &list, word)?,
        (None, id) => after_line(text, id?.span().end, &format!("{key} = [\"{word}\"]\n")),
    };
    let (again, _) = list(toml::from_str(&changed).ok()?)?;
    let again = again?;
    let mut words = again.get_ref().iter();
    words.any(|other| other == word).then_some(changed)
}

/// The manifest with its overlays in another order; none if it cannot be read, or does not list just these.
pub fn in_order(text: &str, ids: &[String]) -> Option<String> {
    #[derive(Deserialize)]
    struct Places {
        game: Option<List>,
        family: Option<List>,
    }
    #[derive(Deserialize)]
    struct List {
        overlays: Vec<Spanned<String>>,
    }
    let places: Places = toml::from_str(text).ok()?;
    let list = places.game.or(places.family)?.overlays;
    let mut there: Vec<&String> = list.iter().map(Spanned::get_ref).collect();
    let mut wanted: Vec<&String> = ids.iter().collect();
    there.sort();
    wanted.sort();
    if there != wanted {
        return None;
    }
    let mut changed = text.to_owned();
    for (place, id) in list.iter().zip(ids).rev() {
        changed.replace_range(place.span(), &format!("\"{id}\""));
    }
    Some(changed)
}

fn into_list(text: &str, list: &Spanned<Vec<String>>, id: &str) -> Option<String> {
    let close = text[..list.span().end].rfind(']')?;
    let before = text[..close].trim_end();
    // A comment at the end of the last line would swallow the word.
    let last_line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
    let break_line = last_line.contains('#');
    let comma = if list.get_ref().is_empty()
        || before.ends_with(',')
        || break_line && ends_with_comma(last_line)
    {
        ""
    } else {
        ","
    };
    let blank = if break_line || text[before.len()..close].contains('\n') {
        "\n  "
    } else {
        " "
    };
    let blank = if list.get_ref().is_empty() { "" } else { blank };
    let tail = if text[before.len()..close].contains('\n') {
        ",\n"
    } else {
        ""
    };
    if break_line && !comma.is_empty() {
        return None;
    }
    Some(format!(
        "{before}{comma}{blank}\"{id}\"{tail}{}",
        &text[close..]
    ))
}

fn ends_with_comma(line: &str) -> bool {
    line.split('#')
        .next()
        .is_some_and(|code| code.trim_end().ends_with(','))
}

fn after_line(text: &str, at: usize, line: &str) -> String {
    let end = text[at..]
        .find('\n')
        .map_or(text.len(), |length| at + length + 1);
    let gap = if text[..end].ends_with('\n') {
        ""
    } else {
        "\n"
    };
    format!("{}{gap}{line}{}", &text[..end], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::with_overlay;

    #[test]
    fn one_word_more() {
        let cases = [
            (
                "[game]\nid = \"a\"\noverlays = [\"x\"] # all\n",
                "[game]\nid = \"a\"\noverlays = [\"x\", \"new\"] # all\n",
            ),
            (
                "[game]\nid = \"a\"\noverlays = []\n",
                "[game]\nid = \"a\"\noverlays = [\"new\"]\n",
            ),
            (
                "[game]\nid = \"a\"",
                "[game]\nid = \"a\"\noverlays = [\"new\"]\n",
            ),
            (
                "[game]\nid = \"a\"\noverlays = [\n  \"x\",\n  \"y\", # two\n]\nprefix = \"A\"\n",
                "[game]\nid = \"a\"\noverlays = [\n  \"x\",\n  \"y\", # two\n  \"new\",\n]\nprefix = \"A\"\n",
            ),
            (
                "[game]\nid = \"a\"\noverlays = [\n  \"x\"\n]\n",
                "[game]\nid = \"a\"\noverlays = [\n  \"x\",\n  \"new\",\n]\n",
            ),
        ];
        for (before, after) in cases {
            assert_eq!(with_overlay(before, "new").as_deref(), Some(after));
        }
        assert_eq!(with_overlay("[game\n", "new"), None);
    }
}
