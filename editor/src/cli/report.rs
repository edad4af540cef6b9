//! Diagnostics collected over several compilations, each shown once.

use super::{Exit, Outcome, Shell};
use crate::files::Loaded;
use dsl::diagnostic::render::render_all;
use dsl::diagnostic::{Diagnostic, Severity};
use dsl::source::{FileId, Span};
use interpreter::stats::written::count;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Of one file no more are shown of one compilation: who mends these sees the rest.
const SHOWN_MAX: usize = 20;

/// See the module.
#[derive(Default)]
pub struct Report {
    pub errors: usize,
    pub warnings: usize,
    seen: BTreeSet<(Span, &'static str, String)>,
    /// What is new, in groups with a heading.
    groups: Vec<(String, Vec<Diagnostic>)>,
}

impl Report {
    /// Adds what has not been seen; `heading` says what was compiled, empty: nothing to say.
    pub fn add(&mut self, heading: &str, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        let mut fresh = Vec::new();
        for diagnostic in diagnostics {
            if !self
                .seen
                .insert((diagnostic.span, diagnostic.code, diagnostic.message.clone()))
            {
                continue;
            }
            match diagnostic.severity {
                Severity::Error => self.errors += 1,
                Severity::Warning => self.warnings += 1,
                Severity::Note => {}
            }
            fresh.push(diagnostic);
        }
        if !fresh.is_empty() {
            self.groups.push((heading.to_owned(), fresh));
        }
    }

    /// Writes all that was collected, to the error stream or to the other.
    pub fn print(&self, shell: &mut Shell, loaded: &Loaded, to_err: bool) -> Outcome<()> {
        let sources = loaded.shown_from(&shell.context.folder);
        let color = if to_err {
            shell.context.err_color
        } else {
            shell.context.out_color
        };
        let out: &mut dyn Write = if to_err { shell.err } else { shell.out };
        for (heading, diagnostics) in &self.groups {
            if !heading.is_empty() {
                writeln!(out, "{heading}:")?;
            }
            let (shown, left) = first_of_each_file(diagnostics);
            writeln!(out, "{}\n", render_all(&sources, shown, color))?;
            for (file, more) in left {
                let path = &sources.file(file).path;
                writeln!(out, "and {more} more in {path}\n")?;
            }
        }
        Ok(())
    }

    /// All that was collected, each with its heading.
    pub fn found(&self) -> impl Iterator<Item = (&str, &Diagnostic)> {
        let groups = self.groups.iter();
        groups.flat_map(|(heading, found)| found.iter().map(|one| (heading.as_str(), one)))
    }

    /// The summary as it is shown after everything else, and how a check with it ends.
    pub fn verdict(&self, shell: &Shell) -> (String, Exit) {
        let (paint, summary) = (shell.paint(), self.summary());
        match self.errors {
            0 => (paint.green(&summary), Exit::Fine),
            _ => (paint.red(&summary), Exit::AtFault),
        }
    }

    /// `2 mistakes, 1 warning`, `no mistakes`.
    pub fn summary(&self) -> String {
        let mistakes = match self.errors {
            0 => "no mistakes".to_owned(),
            errors => count(errors, "mistake"),
        };
        match self.warnings {
            0 => mistakes,
            warnings => format!("{mistakes}, {}", count(warnings, "warning")),
        }
    }
}

/// What is shown: no more than some of a file; and how many are left out of each.
fn first_of_each_file(all: &[Diagnostic]) -> (Vec<&Diagnostic>, BTreeMap<FileId, usize>) {
    let mut of_file: BTreeMap<FileId, usize> = BTreeMap::new();
    let mut left = BTreeMap::new();
    let shown = all.iter().filter(|one| {
        let count = of_file.entry(one.span.file).or_default();
        *count += 1;
        let fits = *count <= SHOWN_MAX;
        if !fits {
            *left.entry(one.span.file).or_insert(0) += 1;
        }
        fits
    });
    (shown.collect(), left)
}
