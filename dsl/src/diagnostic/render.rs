//! Pictures of diagnostics: the line, carets under the place, labels, help, the fix as a suggestion.

use std::ops::Range;

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Message, Origin, Patch, Renderer, Snippet,
};

use super::{Diagnostic, Fix, Label, Severity};
use crate::source::{FileId, SourceSet, Span};

/// Lines longer than this are shown in part.
const LINE_SHOWN_MAX: usize = 220;
/// Of a long line, so much before the place is shown.
const LINE_SHOWN_BEFORE: usize = 80;
/// Labels on lines farther away get a picture of their own.
const LINES_SHOWN_MAX: usize = 400;
/// Stands where a long line was cut.
const CUT: &str = "…";

/// The text of a diagnostic as shown to people; several lines, without a line end at its end.
pub fn render(sources: &SourceSet, diagnostic: &Diagnostic, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let picture = Picture::new(sources, diagnostic);
    let mut report = vec![picture.group(sources, diagnostic)];
    if let Some(fix) = &diagnostic.fix {
        report.push(fix_group(sources, fix));
    }
    renderer.render(&report)
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
    excerpts: Vec<(Excerpt, Vec<(&'d str, Span)>)>,
}

impl<'d> Picture<'d> {
    fn new(sources: &SourceSet, diagnostic: &'d Diagnostic) -> Picture<'d> {
        let mut places: Vec<Vec<&'d Label>> = vec![Vec::new()];
        let mut spans = vec![vec![diagnostic.span]];
        for label in &diagnostic.labels {
            let near = spans.iter().position(|group| is_near(sources, group[0], label.span));
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
                let labels = labels.into_iter().map(|label| (label.text.as_str(), label.span));
                (excerpt, labels.collect())
            })
            .collect();
        Picture { excerpts }
    }

    fn group<'a>(&'a self, sources: &'a SourceSet, diagnostic: &'a Diagnostic) -> Group<'a> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
        let mut group = Group::with_title(title);
        for (index, (excerpt, labels)) in self.excerpts.iter().enumerate() {
            let mut annotations = Vec::new();
            if index == 0 {
                let here = (!diagnostic.here.is_empty()).then_some(diagnostic.here.as_str());
                annotations.push(excerpt.annotation(AnnotationKind::Primary, diagnostic.span, here));
            }
            annotations.extend(
                labels
                    .iter()
                    .map(|(text, span)| excerpt.annotation(AnnotationKind::Context, *span, Some(*text))),
            );
            let place = if index == 0 { Some(diagnostic.span) } else { labels.first().map(|label| label.1) };
            if let Some(place) = place {
                group = group.element(origin(sources, place));
            }
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

/// ` --> path:line:column`
fn origin(sources: &SourceSet, span: Span) -> Origin<'_> {
    let (line, column) = sources.line_column(span);
    Origin::path(sources.file(span.file).path.as_str()).line(line).char_column(column)
}

fn is_near(sources: &SourceSet, one: Span, other: Span) -> bool {
    let line = |span| sources.line_column(span).0;
    one.file == other.file && line(one).abs_diff(line(other)) <= LINES_SHOWN_MAX
}

fn fix_group<'a>(sources: &'a SourceSet, fix: &'a Fix) -> Group<'a> {
    let file = sources.file(fix.span.file);
    let text = file.text.as_str();
    let start = floor_boundary(text, fix.span.start as usize);
    let end = ceil_boundary(text, (fix.span.end as usize).max(start));
    let line = line_range(text, start);
    let last = line_range(text, end);
    let title = Level::HELP.secondary_title(fix.title.as_str());
    if last.end - line.start > LINE_SHOWN_MAX * 4 {
        return Group::with_title(title);
    }
    let snippet = Snippet::source(&text[line.start..last.end])
        .line_start(sources.line_column(fix.span).0)
        .path(file.path.as_str())
        .patch(Patch::new(start - line.start..end - line.start, fix.replacement.as_str()));
    title.element(snippet)
}

/// Consecutive lines of a file, long ones cut around the place they are shown for.
struct Excerpt {
    text: String,
    first_line: usize,
    lines: Vec<ExcerptLine>,
}

struct ExcerptLine {
    /// The part of the file that is shown.
    kept: Range<usize>,
    /// Where it begins in the excerpt's text.
    at: usize,
}

impl Excerpt {
    /// The lines of the spans' starts and all between; `spans` is not empty and of one file.
    fn new(sources: &SourceSet, spans: &[Span]) -> Excerpt {
        let file: FileId = spans[0].file;
        let source = sources.text(file);
        let clamp = |span: &Span| floor_boundary(source, span.start as usize);
        let first = spans.iter().map(clamp).min().unwrap_or(0);
        let last = spans.iter().map(clamp).max().unwrap_or(0);
        let mut excerpt = Excerpt {
            text: String::new(),
            first_line: sources.line_column(Span::new(file, first, first)).0,
            lines: Vec::new(),
        };
        let mut start = line_range(source, first).start;
        loop {
            let line = line_range(source, start);
            let place = spans.iter().map(clamp).find(|at| line.start <= *at && *at <= line.end);
            excerpt.push(source, line.clone(), place.unwrap_or(line.start));
            if line.end >= last || line.end >= source.len() {
                return excerpt;
            }
            start = line.end + 1;
        }
    }

    fn push(&mut self, source: &str, line: Range<usize>, place: usize) {
        if !self.lines.is_empty() {
            self.text.push('\n');
        }
        let mut kept = line.clone();
        if line.len() > LINE_SHOWN_MAX {
            let from = place.saturating_sub(LINE_SHOWN_BEFORE).max(line.start);
            kept.start = floor_boundary(source, from);
            kept.end = floor_boundary(source, (kept.start + LINE_SHOWN_MAX).min(line.end));
        }
        if kept.start > line.start {
            self.text.push_str(CUT);
        }
        let at = self.text.len();
        self.text.push_str(&source[kept.clone()]);
        if kept.end < line.end {
            self.text.push_str(CUT);
        }
        self.lines.push(ExcerptLine { kept, at });
    }

    fn snippet(&self) -> Snippet<'_, Annotation<'_>> {
        Snippet::source(self.text.as_str()).line_start(self.first_line)
    }

    /// A span's part on its first line.
    fn annotation<'a>(&self, kind: AnnotationKind, span: Span, label: Option<&'a str>) -> Annotation<'a> {
        let (start, end) = (span.start as usize, span.end as usize);
        let line = self
            .lines
            .iter()
            .rfind(|line| line.kept.start <= start)
            .or(self.lines.first());
        let range = line.map_or(0..0, |line| {
            let shift = |at: usize| line.at + at.clamp(line.kept.start, line.kept.end) - line.kept.start;
            let start = floor_boundary(&self.text, shift(start));
            start..ceil_boundary(&self.text, shift(end)).max(start)
        });
        kind.span(range).label(label)
    }
}

/// The line that holds a place, without its line end.
fn line_range(text: &str, at: usize) -> Range<usize> {
    let at = floor_boundary(text, at);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |length| at + length);
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
