//! What a documentation says in quotes: `## "claim {r} for {pay}"`, a name or a sentence with holes.

use crate::diagnostic::{Diagnostic, braces};
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
            let all = quoted(line.trim_end(), place, at);
            let is_silent = |said: &Said| said.text.is_empty() && all.len() == 1;
            let blank = all.iter().find(|(_, said)| is_blank(&said.text));
            if let Some((_, said)) = blank.filter(|(_, said)| !is_silent(said)) {
                let help = "write what people say; `## \"\"` alone says that nothing is told of it";
                out.push(self::blank(said.span).help(help));
                continue;
            }
            for (is_declined, said) in all {
                if !said.text.contains('{') {
                    out.extend(braces::stray(&said.text, 0, said.span));
                }
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
        let closed = text[open + 1..].find(['{', '}']).map(|end| open + 1 + end);
        let Some(close) = closed.filter(|end| text[*end..].starts_with('}')) else {
            let found = braces::unclosed(text, said.span, open);
            out.push(found.help("write `}` behind the name of what was chosen"));
            return Vec::new();
        };
        if open > at {
            out.extend(braces::stray(&text[at..open], at, said.span));
            parts.push(Raw::Text(text[at..open].to_owned()));
        }
        let start = said.span.start as usize + open;
        let span = Span::new(said.span.file, start, start + close + 1 - open);
        let mut inner = text[open + 1..close].split('|').map(str::trim);
        let path = inner.next().unwrap_or_default();
        let unit: Vec<&str> = inner.collect();
        let unit = match unit.as_slice() {
            [] => None,
            [one, many] if !one.is_empty() && !many.is_empty() => Some(Noun {
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
        if path.is_empty() {
            let message = "nothing is named between these braces";
            let found = Diagnostic::error("wrong-unit", span, message);
            out.push(found.help("write the name of what was chosen: `{r}`"));
            return Vec::new();
        }
        parts.push(Raw::Hole {
            path: path.split('.').map(str::to_owned).collect(),
            unit,
            span,
        });
        at = close + 1;
    }
    if at < text.len() {
        out.extend(braces::stray(&text[at..], at, said.span));
        parts.push(Raw::Text(text[at..].to_owned()));
    }
    parts
}

/// Whether people would read nothing, or nothing of one or of several.
pub(super) fn is_blank(text: &str) -> bool {
    let is_blank = |part: &str| part.trim().is_empty();
    is_blank(text) || !text.contains('{') && text.split(", ").any(is_blank)
}

/// What people would read as nothing.
pub(super) fn blank(span: Span) -> Diagnostic {
    Diagnostic::error("no-words", span, "there is nothing to read here")
}
