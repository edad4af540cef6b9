//! What is wrong, as objects and as exceptions.

use crate::spoken::in_python;
use dsl::diagnostic::{self as facts, Severity, render::render};
use dsl::source::{SourceSet, Span};
use editor::cli::door::{Found, Refusal};
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    trackwright,
    Error,
    PyException,
    "Whatever trackwright refuses."
);
create_exception!(trackwright, CallError, Error, "The call was wrong.");
create_exception!(
    trackwright,
    RulesError,
    Error,
    "The texts have mistakes: `diagnostics` are all of them."
);
create_exception!(
    trackwright,
    RulesFault,
    Error,
    "The rules cannot go on: `diagnostics` say where; `game`, `seed` and `replay` which game it was, where it was one of many."
);
create_exception!(
    trackwright,
    NotOffered,
    Error,
    "An answer is not offered: `reasons` say why."
);

/// One mistake in a text.
#[pyclass(frozen, get_all, module = "trackwright")]
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Path of the text, relative to the current folder where it lies below.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
    /// Behind the last character.
    pub end_line: usize,
    pub end_column: usize,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Stable: `unknown-name`.
    pub code: String,
    pub message: String,
    /// What to do.
    pub help: Option<String>,
    /// The overlays under which it was met, where `check` met it under some; else empty.
    pub combination: String,
    /// With its line and carets, as the terminal shows it.
    pub text: String,
}

/// What a mistake is made of, in the order of its parts.
type Parts = (
    String,
    usize,
    usize,
    usize,
    usize,
    String,
    String,
    String,
    Option<String>,
    String,
    String,
);

#[pymethods]
impl Diagnostic {
    #[new]
    #[pyo3(signature = (*parts))]
    fn made(parts: Parts) -> Diagnostic {
        let (
            file,
            line,
            column,
            end_line,
            end_column,
            severity,
            code,
            message,
            help,
            combination,
            text,
        ) = parts;
        Diagnostic {
            file,
            line,
            column,
            end_line,
            end_column,
            severity,
            code,
            message,
            help,
            combination,
            text,
        }
    }

    fn __getnewargs__(&self) -> Parts {
        let one = self.clone();
        (
            one.file,
            one.line,
            one.column,
            one.end_line,
            one.end_column,
            one.severity,
            one.code,
            one.message,
            one.help,
            one.combination,
            one.text,
        )
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!(
            "<{} {}: {}:{}:{}: {}>",
            self.severity, self.code, self.file, self.line, self.column, self.message
        )
    }
}

impl Diagnostic {
    fn new(sources: &SourceSet, combination: &str, fact: &facts::Diagnostic) -> Diagnostic {
        let span = fact.span;
        let (line, column) = sources.line_column(span);
        let end = Span {
            start: span.end,
            ..span
        };
        let (end_line, end_column) = sources.line_column(end);
        Diagnostic {
            file: sources.file(span.file).path.clone(),
            line,
            column,
            end_line,
            end_column,
            severity: match fact.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Note => "note",
            }
            .to_owned(),
            code: fact.code.to_owned(),
            message: fact.message.clone(),
            help: fact.help.clone(),
            combination: combination.to_owned(),
            text: render(sources, fact, false),
        }
    }
}

/// What was found, as objects.
pub fn diagnostics(found: &Found) -> Vec<Diagnostic> {
    let all = found.all.iter();
    all.map(|(combination, fact)| Diagnostic::new(&found.sources, combination, fact))
        .collect()
}

/// A refusal as an exception.
pub fn refused(refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::Call { message, help } => {
            let help: Vec<String> = help.iter().map(|line| in_python(line)).collect();
            call_error(&in_python(&message), &help)
        }
        Refusal::Mistakes(found) => {
            let text = told(&found);
            with(RulesError::new_err(text), |value| {
                value.setattr("diagnostics", diagnostics(&found))
            })
        }
    }
}

/// A wrong call, and what to do.
pub fn call_error(message: &str, help: &[String]) -> PyErr {
    let help = help.iter().map(|line| format!("\n  help: {line}"));
    CallError::new_err(format!("{message}{}", help.collect::<String>()))
}

/// A fault of the rules.
pub fn fault(found: &Found) -> PyErr {
    with(RulesFault::new_err(told(found)), |value| {
        value.setattr("diagnostics", diagnostics(found))
    })
}

fn told(found: &Found) -> String {
    let all = found.all.iter();
    let texts: Vec<String> = all
        .map(|(_, fact)| render(&found.sources, fact, false))
        .collect();
    texts.join("\n\n")
}

/// An exception with attributes.
pub fn with(error: PyErr, set: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<()>) -> PyErr {
    Python::attach(|py| match set(error.value(py)) {
        Ok(()) => error,
        Err(other) => other,
    })
}
