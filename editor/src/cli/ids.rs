//! Rule ids: the numbered rules of `RULES.md` against the tags in the rules.

use dsl::diagnostic::Diagnostic;
use dsl::source::{FileId, SourceSet, Span};
use std::collections::BTreeMap;

/// A numbered rule of `RULES.md`.
pub struct Listed {
    pub span: Span,
    /// Its words, without the number.
    pub text: String,
    /// Said by a component list, or a matter of showing only: no rule carries the id.
    pub silent: bool,
}

/// The rules listed: lines that begin with `- ID` or `- **ID**`.
pub fn listed(sources: &SourceSet, file: FileId, prefix: &str) -> BTreeMap<String, Listed> {
    let text = sources.text(file);
    let mut rules = BTreeMap::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((id, rest)) = line.strip_prefix("- ").and_then(|item| first_id(item, prefix)) {
            let at = start + line.find(id).unwrap_or(0);
            let silent = rest.contains("(data)") || rest.contains("(display)");
            let span = Span::new(file, at, at + id.len());
            rules.entry(id.to_owned()).or_insert(Listed { span, text: rest.trim().to_owned(), silent });
        }
        start += line.len();
    }
    rules
}

fn first_id<'l>(item: &'l str, prefix: &str) -> Option<(&'l str, &'l str)> {
    let item = item.trim_start_matches('*');
    let end = item.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).unwrap_or(item.len());
    let (id, rest) = item.split_at(end);
    let inner = id.strip_prefix(prefix)?.strip_prefix('-')?;
    (!inner.is_empty()).then(|| (id, rest.trim_start_matches(['*', ':', ' '])))
}

/// Ids used and not listed, listed and used nowhere.
pub fn compare(listed: &BTreeMap<String, Listed>, used: &BTreeMap<String, Span>, prefix: &str) -> Vec<Diagnostic> {
    let own = |id: &str| id.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('-'));
    let mut found = Vec::new();
    for (id, span) in used {
        if own(id) && !listed.contains_key(id) {
            let message = format!("`RULES.md` has no rule `{id}`");
            found.push(Diagnostic::warning("unknown-rule-id", *span, message).help(format!("write a line `- {id} …` there, or correct the id")));
        }
    }
    for (id, rule) in listed {
        if !rule.silent && !used.contains_key(id) {
            let message = format!("no rule carries the id `{id}`");
            found.push(
                Diagnostic::warning("unused-rule-id", rule.span, message)
                    .help("put the id behind the lines that say it; if a component list says it, end this line with `(data)`, and `(display)` if it is a matter of showing only"),
            );
        }
    }
    found
}
