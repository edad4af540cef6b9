//! Places in texts that are listed before something is done to them: found by a pattern, or where a word is used; and
//! the changes that are shown before they are made.

use super::history::{Edit, Gesture};
use super::sheet::FileEdit;
use super::whole::{Workshop, no_game};
use dsl::service;
use regex::{Regex, RegexBuilder};
use std::collections::BTreeMap;
use std::ops::Range;

/// Places that are listed at once; a search that finds more says so by [`Found::more`].
pub const PLACES_MAX: usize = 2_000;

/// What is looked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pattern {
    pub text: String,
    /// Capital letters are other ones than small.
    pub case: bool,
    /// Not as a part of a longer word.
    pub words: bool,
    /// The text is a regular expression; what takes its place may name groups as `$1`.
    pub regex: bool,
}

/// A part of a text, with the line it begins in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as the source set names it.
    pub name: String,
    /// In bytes.
    pub range: Range<usize>,
    /// From 1.
    pub line: usize,
    /// The line's text before the place, without its indentation, and after it.
    pub before: String,
    pub after: String,
    /// What stands there.
    pub old: String,
    /// What is to stand there.
    pub new: Option<String>,
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// By file and place.
    pub places: Vec<Place>,
    /// There are more than are listed.
    pub more: bool,
}

impl Pattern {
    /// The parts of a text that fit, in order.
    ///
    /// # Errors
    /// What is wrong with the regular expression.
    pub fn ranges(&self, text: &str) -> Result<Vec<Range<usize>>, String> {
        let Some(regex) = self.compiled()? else {
            return Ok(Vec::new());
        };
        let found = regex.find_iter(text).map(|found| found.range());
        Ok(found.filter(|range| !range.is_empty()).collect())
    }

    /// None: nothing is looked for.
    fn compiled(&self) -> Result<Option<Regex>, String> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let mut text = match self.regex {
            true => format!("(?:{})", self.text),
            false => regex::escape(&self.text),
        };
        if self.words {
            text = format!(r"\b{{start-half}}{text}\b{{end-half}}");
        }
        let regex = RegexBuilder::new(&text)
            .case_insensitive(!self.case)
            .multi_line(true)
            .build();
        regex.map(Some).map_err(|error| {
            let text = error.to_string();
            let last = text.lines().last().unwrap_or_default();
            format!(
                "no regular expression: {}",
                last.trim_start_matches("error: ")
            )
        })
    }

    /// The places of a text, with what would stand there.
    ///
    /// # Errors
    /// What is wrong with the regular expression.
    pub fn places(&self, name: &str, text: &str, with: Option<&str>) -> Result<Found, String> {
        let mut found = Found::default();
        self.add(name, text, with, &mut found)?;
        Ok(found)
    }

    fn add(
        &self,
        name: &str,
        text: &str,
        with: Option<&str>,
        found: &mut Found,
    ) -> Result<(), String> {
        let Some(regex) = self.compiled()? else {
            return Ok(());
        };
        for captures in regex.captures_iter(text) {
            let Some(whole) = captures.get(0).filter(|whole| !whole.is_empty()) else {
                continue;
            };
            if found.places.len() >= PLACES_MAX {
                found.more = true;
                return Ok(());
            }
            let mut place = Place::of(name, text, whole.range());
            place.new = with.map(|with| match self.regex {
                true => {
                    let mut new = String::new();
                    captures.expand(with, &mut new);
                    new
                }
                false => with.to_owned(),
            });
            found.places.push(place);
        }
        Ok(())
    }
}

impl Place {
    /// A part of a text that does not change.
    pub fn of(name: &str, text: &str, range: Range<usize>) -> Place {
        let part = |range: Range<usize>| text.get(range).unwrap_or_default();
        let start = part(0..range.start).rfind('\n').map_or(0, |at| at + 1);
        let rest = part(range.end..text.len());
        let end = rest.find('\n').map_or(text.len(), |at| range.end + at);
        Place {
            name: name.to_owned(),
            line: 1 + part(0..range.start).matches('\n').count(),
            before: part(start..range.start).trim_start().to_owned(),
            after: part(range.end..end).trim_end().to_owned(),
            old: part(range.clone()).to_owned(),
            new: None,
            range,
        }
    }
}

/// How many files places lie in.
pub fn files(places: &[Place]) -> usize {
    let mut names: Vec<&str> = places.iter().map(|place| place.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.len()
}

impl Workshop {
    /// All places of the game's own texts that fit, and what would stand there; recorded games are left out.
    ///
    /// # Errors
    /// What is wrong with the pattern.
    pub fn search(&self, pattern: &Pattern, with: Option<&str>) -> Result<Found, String> {
        let mut found = Found::default();
        let Some(sources) = self.sources() else {
            return Ok(found);
        };
        for name in self.own_files() {
            if let Some(file) = sources.find(name).filter(|_| !name.ends_with(".replay")) {
                pattern.add(name, sources.text(file), with, &mut found)?;
            }
        }
        Ok(found)
    }

    /// Writes at each place what is to stand there, as one step of each document.
    ///
    /// # Errors
    /// If a text is not as it was when the places were listed: nothing is changed then.
    pub fn replace(&mut self, label: &str, places: &[Place]) -> Result<(), String> {
        let mut by_file: BTreeMap<&str, Vec<Edit>> = BTreeMap::new();
        for place in places {
            let Some(new) = &place.new else { continue };
            let document = self.document(&place.name)?;
            if document.text().get(place.range.clone()) != Some(place.old.as_str()) {
                return Err(format!(
                    "`{}` has changed since: look for the places again",
                    place.name
                ));
            }
            let edit = Edit::new(place.range.clone(), new.as_str());
            by_file.entry(&place.name).or_default().push(edit);
        }
        let changes = by_file.into_iter().map(|(file, edits)| FileEdit {
            file: file.to_owned(),
            label: label.to_owned(),
            edits,
        });
        self.apply(changes.collect(), Gesture::Once)
    }

    /// Makes what the language service proposed of the texts that were checked last, as one step of each document.
    ///
    /// # Errors
    /// If the texts have changed since: nothing is changed then.
    pub fn propose(&mut self, label: &str, edits: Vec<service::Edit>) -> Result<(), String> {
        if let Some(open) = &mut self.open {
            open.note_documents();
        }
        if self.is_checking() {
            return Err("the text has changed since: try again in a moment".into());
        }
        let checked = self.checked().ok_or_else(no_game)?.clone();
        let places = edits.into_iter().map(|edit| {
            let file = checked.sources.find(&edit.path);
            let text = file.map(|file| checked.sources.text(file));
            let mut place = Place::of(&edit.path, text.unwrap_or_default(), edit.range);
            place.new = Some(edit.text);
            place
        });
        self.replace(label, &places.collect::<Vec<Place>>())
    }
}
