//! Questions about a word that look at many rule sets: where it is used, what renaming it would change. They are
//! answered in the background, in all games that share texts with the one that is open.

use super::checker::Checked;
use super::places::Place;
use super::whole::{Workshop, no_game};
use super::worker::{Desk, Waker, Worker};
use crate::files::{Library, Loaded};
use dsl::service;
use dsl::source::SourceSet;
use std::sync::Arc;

/// What is asked about a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum About {
    Uses,
    /// Its new name.
    Rename(String),
}

/// What came of a question.
#[derive(Clone, Debug)]
pub struct Answer {
    pub about: About,
    /// The word that was asked about; empty: there is none.
    pub word: String,
    /// The places that name it, with what is to stand there; or why it cannot be renamed.
    pub places: Result<Vec<Place>, String>,
}

/// A question, with all that is needed to answer it.
pub(super) struct Question {
    about: About,
    checked: Arc<Checked>,
    name: String,
    at: usize,
    library: Library,
    /// Games that share texts with the one that is open.
    relatives: Vec<String>,
    /// Texts that are edited here, of whichever game.
    edited: Vec<(String, String)>,
}

/// The thread that answers.
pub(super) type Asker = Worker<Question, Answer>;

pub(super) fn asker(waker: Waker) -> Asker {
    Worker::new(waker, |question: Question, desk: &Desk<Answer>| {
        desk.send(question.answer());
    })
}

impl Question {
    fn answer(&self) -> Answer {
        let sources = self.all_texts();
        let compiled = &self.checked.compiled;
        let file = sources.find(&self.name);
        let word = file
            .and_then(|file| service::symbol_at(&sources, compiled, file, self.at))
            .map(|(span, _)| sources.slice(span).to_owned());
        let places = match (&self.about, file) {
            (_, None) => Ok(Vec::new()),
            (About::Uses, Some(file)) => {
                let spans = service::references(&sources, compiled, file, self.at);
                let place = |span: dsl::source::Span| {
                    let file = sources.file(span.file);
                    let range = span.start as usize..span.end as usize;
                    Place::of(&file.path, &file.text, range)
                };
                Ok(spans.into_iter().map(place).collect())
            }
            (About::Rename(new), Some(file)) => {
                let edits = service::rename(&sources, compiled, file, self.at, new);
                let place = |edit: service::Edit| {
                    let text = sources.find(&edit.path).map(|file| sources.text(file));
                    let mut place = Place::of(&edit.path, text.unwrap_or_default(), edit.range);
                    place.new = Some(edit.text);
                    place
                };
                edits.map(|edits| edits.into_iter().map(place).collect())
            }
        };
        Answer {
            about: self.about.clone(),
            word: word.unwrap_or_default(),
            places,
        }
    }
    fn all_texts(&self) -> SourceSet {
        let edited = self.edited.iter();
        let edited = edited.map(|(name, text)| (name.as_str(), text.as_str()));
        with_relatives(&self.checked, &self.library, &self.relatives, edited)
    }
}

/// The texts that were checked, whose numbers stay, behind them those of the relatives, and over all of them what is edited.
pub(crate) fn with_relatives<'t>(
    checked: &Checked,
    library: &Library,
    relatives: &[String],
    edited: impl IntoIterator<Item = (&'t str, &'t str)>,
) -> SourceSet {
    let mut sources = checked.sources.clone();
    let own = Loaded::game(library, &checked.game).sources;
    for game in relatives {
        let theirs = Loaded::game(library, game).sources;
        let foreign = theirs.ids().filter(|id| {
            let path = &theirs.file(*id).path;
            own.find(path).is_none()
        });
        for file in foreign {
            sources.insert(theirs.file(file).path.as_str(), theirs.text(file));
        }
    }
    for (name, text) in edited {
        sources.insert(name, text);
    }
    sources
}

impl Workshop {
    /// Asks about the word at a byte of a file instead of what was asked before; [`super::News::Answered`] brings the answer.
    ///
    /// # Errors
    /// If no text has been checked yet, or it has changed since.
    pub fn ask(&self, about: About, name: &str, at: usize) -> Result<(), String> {
        let checked = self.checked().ok_or_else(no_game)?;
        if self.is_checking() {
            return Err("the rules are being read: try again in a moment".into());
        }
        let documents = self.documents().iter();
        self.asker.ask(Question {
            about,
            name: name.to_owned(),
            at,
            library: self.project.library.clone(),
            relatives: self.project.relatives(&checked.game),
            edited: documents
                .map(|one| (one.name.clone(), one.text().to_owned()))
                .collect(),
            checked: checked.clone(),
        });
        Ok(())
    }

    /// Whether an answer is still to come.
    pub fn is_asking(&self) -> bool {
        self.asker.is_busy()
    }
}
