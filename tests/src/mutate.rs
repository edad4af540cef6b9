//! Shipped games, changed a little: a line left out, a number changed, two lines exchanged, other overlays chosen.

use crate::games;
use crate::generate::Dice;
use dsl::assembly::Selection;
use dsl::source::SourceSet;

/// A game that is nearly one of those that are shipped.
pub struct Mutant {
    pub sources: SourceSet,
    pub id: String,
    pub selection: Selection,
    /// What was changed.
    pub change: String,
}

/// A mutant of one of these games; one seed, one mutant.
///
/// # Panics
/// If there are no games.
pub fn mutant(sources: &SourceSet, seed: u64) -> Mutant {
    let mut dice = Dice::new(seed);
    let ids = games::ids(sources);
    let id = ids[dice.below(ids.len())].clone();
    let (manifest, _) = dsl::assembly::manifest(sources, &id);
    let overlays = manifest.map_or_else(Vec::new, |manifest| manifest.overlays);
    let mut files: Vec<String> = games::rules_files(sources, &id);
    let mut selection = Selection::default();
    for overlay in &overlays {
        let missing = overlay
            .needs
            .iter()
            .any(|need| !selection.overlays.contains(need));
        let barred = selection
            .overlays
            .iter()
            .any(|other| overlay.not_with.contains(other));
        if dice.percent(20) && !missing && !barred {
            selection.overlays.push(overlay.id.clone());
            files.extend(overlay.files.iter().cloned());
        }
    }
    let mut sources = sources.clone();
    let mut change = format!("{id} with {:?}", selection.overlays);
    for _ in 0..1 + dice.below(2) {
        let path = files[dice.below(files.len())].clone();
        let file = sources.find(&path).expect("a file of a manifest is there");
        let text = sources.text(file).to_owned();
        if let Some((text, what)) = changed(&text, &mut dice) {
            change = format!("{change}\n{path}: {what}");
            sources.insert(path, text);
        }
    }
    Mutant {
        sources,
        id,
        selection,
        change,
    }
}

/// For how many it is played: the fewest or the most, in turn.
pub fn players(mutant: &Mutant, seed: u64) -> u32 {
    let (manifest, _) = dsl::assembly::manifest(&mutant.sources, &mutant.id);
    let (least, most) = manifest.map_or((2, 2), |manifest| manifest.players);
    if seed.is_multiple_of(2) { least } else { most }
}

/// The text with something else in it, and what; none if there is nothing where it was looked for.
fn changed(text: &str, dice: &mut Dice) -> Option<(String, String)> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let told: Vec<usize> = (0..lines.len())
        .filter(|at| !lines[*at].trim().is_empty() && !lines[*at].trim().starts_with('#'))
        .collect();
    if told.is_empty() {
        return None;
    }
    let at = told[dice.below(told.len())];
    let line = lines[at].clone();
    let what = match dice.below(4) {
        0 | 1 => {
            let numbers: Vec<(usize, &str)> = numbers(&line);
            if numbers.is_empty() {
                return None;
            }
            let (start, number) = numbers[dice.below(numbers.len())];
            let value: i32 = number.parse().ok()?;
            let other = [value + 1, (value - 1).max(0), value + 3, 0][dice.below(4)];
            lines[at] = format!("{}{other}{}", &line[..start], &line[start + number.len()..]);
            format!("{number} becomes {other} in `{}`", line.trim())
        }
        2 => {
            let below = told
                .iter()
                .find(|other| **other > at && depth(&lines[**other]) == depth(&line))?;
            lines.swap(at, *below);
            format!(
                "`{}` changes places with `{}`",
                line.trim(),
                lines[at].trim()
            )
        }
        _ => {
            lines.remove(at);
            format!("without `{}`", line.trim())
        }
    };
    Some((lines.join("\n") + "\n", what))
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Numbers that stand alone, outside of rule ids and comments.
fn numbers(line: &str) -> Vec<(usize, &str)> {
    let end = line
        .find("   [")
        .or_else(|| line.find(" #"))
        .unwrap_or(line.len());
    let mut found = Vec::new();
    let mut start = None;
    for (at, sign) in line[..end].char_indices().chain([(end, ' ')]) {
        match (sign.is_ascii_digit(), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let before = line[..from].chars().next_back().unwrap_or(' ');
                let alone =
                    !before.is_alphanumeric() && before != '_' && before != '-' && before != '"';
                if alone && !sign.is_alphabetic() && sign != '_' && sign != '"' {
                    found.push((from, &line[from..at]));
                }
                start = None;
            }
            (true, Some(_)) | (false, None) => {}
        }
    }
    found
}
