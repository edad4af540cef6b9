//! What a documentation says in quotes: `## "claim {r} for {pay}"`, a name or a sentence with holes.

use crate::diagnostic::Diagnostic;
use crate::ir::Noun;
use crate::source::{SourceSet, Span};

/// A text in quotes, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub text: String,
    pub span: Span,
}

/// What a documentation says in quotes.
#[derive(Clone, Debug, Default)]
pub(super) struct Sayings {
    /// Without holes.
    pub name: Option<Said>,
    /// With holes.
    pub told: Option<Said>,
    /// Behind `or`.
    pub declined: Option<Said>,
}

/// A text with holes, read but not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    Text(String),
    Hole {
        /// `r`, `length`
        path: Vec<String>,
        unit: Option<Noun>,
        span: Span,
    },
}

impl Sayings {
    /// Those of the documentation that stands right above a place.
    pub fn above(
        sources: &SourceSet,
        doc: &str,
        place: Span,
        out: &mut Vec<Diagnostic>,
    ) -> Sayings {
        let mut sayings = Sayings::default();
        let mut end = place.start as usize;
        let text = sources.text(place.file);
        for line in doc.lines().rev() {
            let Some(before) = text.get(..end) else { break };
            let Some(at) = before.rfind(line) else { break };
            end = at;
            for (is_declined, said) in quoted(line.trim_end(), place, at) {
                let slot = match (is_declined, said.text.contains('{')) {
                    (true, _) => &mut sayings.declined,
                    (false, true) => &mut sayings.told,
                    (false, false) => &mut sayings.name,
                };
                if let Some(other) = slot.replace(said) {
                    let message = "this is called in two ways";
                    let found = Diagnostic::error("said-twice", other.span, message);
                    let help = "keep one line without holes, which is its name, and one with holes, which tells of it";
                    out.push(found.help(help));
                }
            }
        }
        sayings
    }

    pub fn any(&self) -> Option<&Said> {
        let told = self.told.as_ref();
        self.name.as_ref().or(told).or(self.declined.as_ref())
    }
}

/// Whether a line of a documentation says how people call a thing.
pub fn is_saying(line: &str) -> bool {
    let nowhere = Span::new(crate::source::FileId(0), 0, 0);
    !quoted(line.trim_end(), nowhere, 0).is_empty()
}

/// `"a station"`, `"a station" or "no station"`; with whether it stands behind the `or`.
fn quoted(line: &str, place: Span, at: usize) -> Vec<(bool, Said)> {
    let start = at + line.len() - line.trim_start().len();
    let line = line.trim_start();
    let inner = |text: &str, from: usize| {
        let text = text.strip_prefix('"')?.strip_suffix('"')?;
        (!text.contains('"')).then(|| Said {
            text: text.to_owned(),
            span: Span::new(place.file, start + from + 1, start + from + 1 + text.len()),
        })
    };
    if let Some(said) = inner(line, 0) {
        return vec![(false, said)];
    }
    let Some(middle) = line.find("\" or \"") else {
        return Vec::new();
    };
    let both = (
        inner(&line[..=middle], 0),
        inner(&line[middle + 5..], middle + 5),
    );
    match both {
        (Some(name), Some(declined)) => vec![(false, name), (true, declined)],
        _ => Vec::new(),
    }
}

/// Takes a text apart at its holes.
pub(super) fn read(said: &Said, out: &mut Vec<Diagnostic>) -> Vec<Raw> {
    let mut parts = Vec::new();
    let mut at = 0;
    let text = &said.text;
    while let Some(open) = text[at..].find('{').map(|open| at + open) {
        let here = Span::new(
            said.span.file,
            said.span.start as usize + open,
            said.span.end as usize,
        );
        let Some(close) = text[open..].find('}').map(|close| open + close) else {
            let found = Diagnostic::error("open-brace", here, "this `{` is not closed");
            out.push(found.help("write `}` behind the name of what was chosen"));
            return Vec::new();
        };
        if open > at {
            parts.push(Raw::Text(text[at..open].to_owned()));
        }
        let span = Span::new(
            here.file,
            here.start as usize,
            here.start as usize + close + 1 - open,
        );
        let mut inner = text[open + 1..close].split('|').map(str::trim);
        let path = inner.next().unwrap_or_default();
        let unit: Vec<&str> = inner.collect();
        let unit = match unit.as_slice() {
            [] => None,
            [one, many] => Some(Noun {
                one: (*one).to_owned(),
                many: (*many).to_owned(),
                counted: true,
            }),
            _ => {
                let message = "a unit has two forms, for one and for several";
                let found = Diagnostic::error("wrong-unit", span, message);
                out.push(found.help("write `{n|wagon|wagons}`"));
                None
            }
        };
        parts.push(Raw::Hole {
            path: path.split('.').map(str::to_owned).collect(),
            unit,
            span,
        });
        at = close + 1;
    }
    if at < text.len() {
        parts.push(Raw::Text(text[at..].to_owned()));
    }
    parts
}
