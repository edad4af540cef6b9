//! Facts about mistakes in texts. Words are made once, here and in the families beside; pictures with carets in [`render`].

use crate::source::Span;

pub(crate) mod braces;
pub(crate) mod foreign;
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

/// What to do about a mistake: in words, by machine, or both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    pub help: Option<String>,
    pub fix: Option<Fix>,
}

impl Way {
    pub fn help(text: impl Into<String>) -> Way {
        Way {
            help: Some(text.into()),
            fix: None,
        }
    }

    /// Words that are of use only if the replacement is.
    pub fn fix(text: impl Into<String>, span: Span, replacement: impl Into<String>) -> Way {
        let replacement = replacement.into();
        Way {
            help: Some(text.into()),
            fix: Some(Fix {
                title: format!("write `{}`", replacement.trim()),
                span,
                replacement,
            }),
        }
    }

    /// A name that is near.
    pub fn meant(span: Span, near: &str) -> Way {
        Way::fix(format!("did you mean `{near}`?"), span, near)
    }
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
    /// What to say, one after the other, where the fix turns out to lead to another mistake; none: the help stays without it.
    pub otherwise: Vec<Way>,
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
            otherwise: Vec::new(),
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

    /// A name that is near: if it does not do there either, nothing is said of it.
    pub fn meant(self, span: Span, near: impl AsRef<str>) -> Diagnostic {
        let near = near.as_ref();
        if span.start == span.end {
            return self.help(format!("did you mean `{near}`?"));
        }
        self.ways([Way::meant(span, near)])
    }

    /// Several ways, the likeliest first: the first that leads to no other mistake is offered.
    pub fn ways(mut self, ways: impl IntoIterator<Item = Way>) -> Diagnostic {
        let mut ways = ways.into_iter();
        if let Some(first) = ways.next() {
            self.help = first.help;
            self.fix = first.fix;
            self.otherwise = ways.collect();
            self.otherwise.push(Way::default());
        }
        self
    }

    /// The fix leads to another mistake: on to the next way.
    pub(crate) fn give_up_fix(&mut self) {
        if self.otherwise.is_empty() {
            self.fix = None;
            return;
        }
        let next = self.otherwise.remove(0);
        self.help = next.help;
        self.fix = next.fix;
    }

    pub fn about(mut self, chosen: &str) -> Diagnostic {
        self.about = Some(chosen.to_owned());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
