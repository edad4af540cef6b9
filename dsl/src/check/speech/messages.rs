//! Messages of the rules in the words of a language file.

use super::phrase::{self, Raw};
use crate::check::Checker;
use crate::diagnostic::{Diagnostic, suggest::nearest};
use crate::ir::{Expr, MessagePart};
use crate::syntax::ast;

impl Checker<'_> {
    /// The message in the language chosen: its holes are those of the text of the rules.
    pub(crate) fn in_language(
        &mut self,
        message: &ast::Message,
        values: &[(String, Expr)],
    ) -> Option<Vec<MessagePart>> {
        let written = self.slice(message.span).trim_matches('"').to_owned();
        let said = self.lexicon.needed_text(&written, message.span)?;
        let mut found = Vec::new();
        let parts = phrase::read(&said, &mut found);
        let mut made = Vec::new();
        for part in parts {
            match part {
                Raw::Text(text) => made.push(MessagePart::Text(text)),
                Raw::Hole { path, span, .. } => {
                    let name = path.join(".");
                    let value = values.iter().find(|(text, _)| *text == name);
                    match value {
                        Some((_, value)) => made.push(MessagePart::Value(value.clone())),
                        None => found.push(no_value(&name, span, values)),
                    }
                }
            }
        }
        for diagnostic in found {
            let found = super::mild(self.sources, diagnostic);
            self.report(found);
        }
        Some(made)
    }
}

fn no_value(name: &str, span: crate::source::Span, values: &[(String, Expr)]) -> Diagnostic {
    let message = format!("the text of the rules has no `{{{name}}}`");
    let found = Diagnostic::error("unknown-name", span, message);
    match nearest(name, values.iter().map(|(text, _)| text.as_str())) {
        Some(near) => found.help(format!("did you mean `{near}`?")),
        None => found.help("name the values of the text in braces, as they stand there"),
    }
}
