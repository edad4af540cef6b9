//! Pictures of diagnostics: the line, carets under the place, labels, help, the fix as a suggestion.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Message, Patch, Renderer, Snippet};

use super::{Diagnostic, Fix, Label, Severity};
use crate::source::{SourceSet, Span};

/// In lines longer than this a fix is only named, not shown.
const FIXED_LINE_MAX: usize = 400;
/// No more carets stand under one place.
const CARETS_MAX: usize = 100;
/// Labels on lines farther away get a picture of their own.
const LINES_SHOWN_MAX: usize = 400;

/// The text of a diagnostic as shown to people; several lines, without a line end at its end.
pub fn render(sources: &SourceSet, diagnostic: &Diagnostic, color: bool) -> String {
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let picture = Picture::new(sources, diagnostic);
    let mut report = vec![picture.group(diagnostic)];
    if let Some(fix) = &diagnostic.fix {
        report.push(fix_group(sources, fix));
    }
    seen(&renderer.render(&report)).into_owned()
}

/// What a terminal may take for commands, as something to be seen. (The renderer knows of those that take one byte.) As long as
/// before in bytes, so that places stay.
fn seen(text: &str) -> Cow<'_, str> {
    let command = |c: char| matches!(c, '\u{80}'..='\u{9f}');
    match text.contains(command) {
        true => text.replace(command, "·").into(),
        false => text.into(),
    }
}

/// All diagnostics, one after the other, with a blank line between.
pub fn render_all<'d>(
    sources: &SourceSet,
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    color: bool,
) -> String {
    let pictures: Vec<String> = diagnostics
        .into_iter()
        .map(|diagnostic| render(sources, diagnostic, color))
        .collect();
    pictures.join("\n\n")
}

/// The excerpts of a diagnostic, the one with its own place first.
struct Picture<'d> {
    excerpts: Vec<(Excerpt<'d>, Vec<(&'d str, Span)>)>,
}

impl<'d> Picture<'d> {
    fn new(sources: &'d SourceSet, diagnostic: &'d Diagnostic) -> Picture<'d> {
        let mut places: Vec<Vec<&'d Label>> = vec![Vec::new()];
        let mut spans = vec![vec![diagnostic.span]];
        for label in &diagnostic.labels {
            let near = spans
                .iter()
                .position(|group| is_near(sources, group[0], label.span));
            match near {
                Some(index) => {
                    spans[index].push(label.span);
                    places[index].push(label);
                }
                None => {
                    spans.push(vec![label.span]);
                    places.push(vec![label]);
                }
            }
        }
        let excerpts = spans
            .iter()
            .zip(places)
            .map(|(spans, labels)| {
                let excerpt = Excerpt::new(sources, spans);
                let labels = labels
                    .into_iter()
                    .map(|label| (label.text.as_str(), label.span));
                (excerpt, labels.collect())
            })
            .collect();
        Picture { excerpts }
    }

    fn group<'a>(&'a self, diagnostic: &'a Diagnostic) -> Group<'a> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level
            .primary_title(diagnostic.message.as_str())
            .id(diagnostic.code);
        let mut group = Group::with_title(title);
        for (index, (excerpt, labels)) in self.excerpts.iter().enumerate() {
            let mut annotations = Vec::new();
            if index == 0 {
                let here = (!diagnostic.here.is_empty()).then_some(diagnostic.here.as_str());
                let range = excerpt.range(diagnostic.span);
                annotations.push(AnnotationKind::Primary.span(range).label(here));
            }
            annotations.extend(labels.iter().map(|(text, span)| {
                AnnotationKind::Context
                    .span(excerpt.range(*span))
                    .label(*text)
            }));
            group = group.element(excerpt.snippet().annotations(annotations));
        }
        if let Some(help) = &diagnostic.help {
            group = group.element(help_message(help));
        }
        group
    }
}

fn help_message(help: &str) -> Message<'_> {
    Level::HELP.message(help)
}

fn is_near(sources: &SourceSet, one: Span, other: Span) -> bool {
    let line = |span| sources.line_column(span).0;
    one.file == other.file && line(one).abs_diff(line(other)) <= LINES_SHOWN_MAX
}

fn fix_group<'a>(sources: &'a SourceSet, fix: &'a Fix) -> Group<'a> {
    let title = Level::HELP.secondary_title(fix.title.as_str());
    let end = Span::new(fix.span.file, fix.span.end as usize, fix.span.end as usize);
    let excerpt = Excerpt::new(sources, &[fix.span, end]);
    if excerpt.text.len() > FIXED_LINE_MAX {
        return Group::with_title(title);
    }
    let start = excerpt.range(fix.span).start;
    let end = excerpt.range(end).start.max(start);
    title.element(
        excerpt
            .snippet()
            .patch(Patch::new(start..end, fix.replacement.as_str())),
    )
}

/// Consecutive lines of a file.
struct Excerpt<'s> {
    path: &'s str,
    text: Cow<'s, str>,
    /// Where `text` begins in the file.
    start: usize,
    first_line: usize,
}

impl<'s> Excerpt<'s> {
    /// The lines of the spans' starts and all between; `spans` is not empty and of one file.
    fn new(sources: &'s SourceSet, spans: &[Span]) -> Excerpt<'s> {
        let file = sources.file(spans[0].file);
        let starts = spans.iter().map(|span| span.start as usize);
        let first = line_range(&file.text, starts.clone().min().unwrap_or(0));
        let last = line_range(&file.text, starts.max().unwrap_or(0));
        Excerpt {
            path: &file.path,
            text: seen(&file.text[first.start..last.end]),
            start: first.start,
            first_line: sources
                .line_column(Span::new(spans[0].file, first.start, first.start))
                .0,
        }
    }

    fn snippet<T: Clone>(&self) -> Snippet<'s, T> {
        Snippet::source(self.text.clone())
            .line_start(self.first_line)
            .path(self.path)
    }

    /// A span's part on its first line, in the excerpt's text.
    fn range(&self, span: Span) -> Range<usize> {
        let start = floor_boundary(&self.text, (span.start as usize).saturating_sub(self.start));
        let line_end = line_range(&self.text, start).end.min(start + CARETS_MAX);
        let end = (span.end as usize).saturating_sub(self.start).min(line_end);
        start..ceil_boundary(&self.text, end).max(start)
    }
}

/// The line that holds a place, without its line end.
fn line_range(text: &str, at: usize) -> Range<usize> {
    let at = floor_boundary(text, at);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..]
        .find('\n')
        .map_or(text.len(), |length| at + length);
    start..end
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn ceil_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
