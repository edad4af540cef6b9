//! What people type who read what things are called: their words for what cases write otherwise.

use super::Words;
use super::answer::print;
use dsl::ir::{self, Domain};

impl Words<'_> {
    /// A line with the names that people read put as cases write them: `row 1, column 2` is `cell(1, 2)`. None if it has none.
    pub fn as_written(&self, line: &str) -> Option<String> {
        let names = self.names_read();
        let (mut written, mut at, mut found) = (String::new(), 0, false);
        while at < line.len() {
            let rest = &line[at..];
            let inside = line[..at].ends_with(is_of_name);
            let named = names.iter().find(|(read, _)| {
                let begins = rest
                    .get(..read.len())
                    .is_some_and(|one| one.eq_ignore_ascii_case(read));
                begins && !inside && !rest[read.len()..].starts_with(is_of_name)
            });
            if let Some((read, name)) = named {
                written.push_str(name);
                at += read.len();
                found = true;
            } else if let Some(letter) = rest.chars().next() {
                written.push(letter);
                at += letter.len_utf8();
            }
        }
        found.then_some(written)
    }

    /// What places, rows and members are called that cases write otherwise, the longest first; and how they are written.
    fn names_read(&self) -> Vec<(String, String)> {
        let tables = (0..self.rules.tables.len() as u32).map(|id| Domain::Table(ir::TableId(id)));
        let enums = (0..self.rules.enums.len() as u32).map(|id| Domain::Enum(ir::EnumId(id)));
        let domains = [Domain::Cell, Domain::Side]
            .into_iter()
            .chain(tables)
            .chain(enums);
        let each = domains.flat_map(|domain| (0..self.size(domain)).map(move |at| (domain, at)));
        let mut names: Vec<(String, String)> = each
            .map(|(domain, at)| {
                let written = self.element(domain, at);
                let written = match domain {
                    Domain::Cell => written,
                    _ => print(&ir::Answer {
                        kind: ir::AnswerKind::Word(written),
                        span: dsl::source::Span::new(dsl::source::FileId(0), 0, 0),
                    }),
                };
                (self.called(domain, at), written)
            })
            .filter(|(read, written)| !read.is_empty() && read != written)
            .collect();
        names.sort_by_key(|(read, _)| std::cmp::Reverse(read.len()));
        names
    }
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
