//! Facts about mistakes in texts. Words are made once, here and in the families beside; pictures with carets in [`render`].

use crate::source::Span;

pub mod render;
pub mod suggest;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    Error,
    Warning,
    Note,
}

/// A second place that explains the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// A fix that can be applied by machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub span: Span,
    pub replacement: String,
}

/// One mistake: lower case, states the fact, no full stop; `help` says what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Kebab-case, stable: `unknown-name`.
    pub code: &'static str,
    pub severity: Severity,
    pub span: Span,
    pub message: String,
    /// What is written under the carets; empty: only carets.
    pub here: String,
    pub labels: Vec<Label>,
    pub help: Option<String>,
    pub fix: Option<Fix>,
    /// The overlay or option chosen from outside the texts that is at fault: whoever chose it knows where.
    pub about: Option<String>,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            span,
            message: message.into(),
            here: String::new(),
            labels: Vec::new(),
            help: None,
            fix: None,
            about: None,
        }
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    pub fn here(mut self, text: impl Into<String>) -> Diagnostic {
        self.here = text.into();
        self
    }

    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label {
            span,
            text: text.into(),
        });
        self
    }

    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    pub fn fix(
        mut self,
        title: impl Into<String>,
        span: Span,
        replacement: impl Into<String>,
    ) -> Diagnostic {
        self.fix = Some(Fix {
            title: title.into(),
            span,
            replacement: replacement.into(),
        });
        self
    }

    pub fn about(mut self, chosen: &str) -> Diagnostic {
        self.about = Some(chosen.to_owned());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
