//! Rule ids: the numbered rules of `RULES.md` against the tags in the rules.

use dsl::diagnostic::Diagnostic;
use dsl::source::{FileId, SourceSet, Span};
use std::collections::BTreeMap;

/// A numbered rule of `RULES.md`.
pub struct Listed {
    pub span: Span,
    /// Its words, without the number.
    pub text: String,
    /// Said by a component list or by the game below, a matter of showing only, or left out: no rule carries the id.
    pub silent: bool,
}

/// A list of numbered rules, and what their ids begin with.
pub struct Book {
    pub file: FileId,
    pub prefix: String,
}

/// The lists of a game, whose ids have the prefix of its manifest, and of its expansions, whose first id tells theirs.
pub fn books(sources: &SourceSet, game: &str, prefix: Option<&str>) -> Vec<Book> {
    let own = prefix.and_then(|prefix| {
        let file = sources.find(&format!("{game}/RULES.md"))?;
        let prefix = prefix.to_owned();
        Some(Book { file, prefix })
    });
    let folder = format!("{game}/expansions/");
    let lists = sources
        .paths()
        .filter(|path| path.starts_with(&folder) && path.ends_with("/RULES.md"));
    let of_expansions = lists.filter_map(|path| {
        let file = sources.find(path)?;
        let prefix = prefix_in(sources.text(file))?;
        Some(Book { file, prefix })
    });
    own.into_iter().chain(of_expansions).collect()
}

/// A prefix in the manifest that no rule of the game's `RULES.md` has: then no id is looked up.
pub fn wrong_prefix(
    sources: &SourceSet,
    game: &str,
    manifest: FileId,
    prefix: &str,
) -> Option<Diagnostic> {
    let book = sources.find(&format!("{game}/RULES.md"))?;
    let has = prefix_in(sources.text(book))?;
    if !listed(sources, book, prefix).is_empty() {
        return None;
    }
    let text = sources.text(manifest);
    let written = format!("\"{prefix}\"");
    let line = text.find("prefix").unwrap_or(0);
    let at = text[line..].find(&written).map_or(line, |at| line + at);
    let span = Span::new(manifest, at, at + written.len());
    let message = format!("no rule in RULES.md begins with `{prefix}-`");
    Some(
        Diagnostic::warning("wrong-prefix", span, message).help(format!(
            "its rules begin with `{has}-`: write `prefix = \"{has}\"`"
        )),
    )
}

/// What the first id of a list begins with.
fn prefix_in(text: &str) -> Option<String> {
    let items = text.lines().filter_map(|line| line.strip_prefix("- "));
    items
        .filter_map(|item| item.trim_start_matches('*').split_once('-'))
        .find(|(letters, _)| !letters.is_empty() && letters.bytes().all(|b| b.is_ascii_uppercase()))
        .map(|(letters, _)| letters.to_owned())
}

/// Numbers that a list has twice: the first counts, and nothing leads to the second.
pub fn repeated(sources: &SourceSet, file: FileId, prefix: &str) -> Vec<Diagnostic> {
    let known = listed(sources, file, prefix);
    let mut found = Vec::new();
    let mut start = 0;
    for line in sources.text(file).split_inclusive('\n') {
        let item = line.strip_prefix("- ");
        if let Some((id, _)) = item.and_then(|item| first_id(item, prefix)) {
            let at = start + line.find(id).unwrap_or(0);
            let first = known.get(id).map(|rule| rule.span);
            if let Some(first) = first.filter(|first| first.start as usize != at) {
                let span = Span::new(file, at, at + id.len());
                let message = format!("two rules have the number {id}: it means the first one");
                let told = Diagnostic::warning("second-rule-id", span, message);
                let help = "give it a number of its own";
                found.push(told.label(first, "the first one").help(help));
            }
        }
        start += line.len();
    }
    found
}

/// Whether a line below a rule is a part of it: indented, and no item or table.
pub fn goes_on(line: &str) -> bool {
    let trimmed = line.trim();
    let is_other = ["- ", "* ", "+ ", "|", "```"];
    line.starts_with([' ', '\t'])
        && !trimmed.is_empty()
        && !is_other.iter().any(|mark| trimmed.starts_with(mark))
}

/// The rules listed: lines that begin with `- ID` or `- **ID**`, each with what goes on below it.
pub fn listed(sources: &SourceSet, file: FileId, prefix: &str) -> BTreeMap<String, Listed> {
    let text = sources.text(file);
    let mut rules: BTreeMap<String, Listed> = BTreeMap::new();
    let mut start = 0;
    // The rule that the line above belongs to.
    let mut above: Option<String> = None;
    for line in text.split_inclusive('\n') {
        if let Some(rule) = above.as_ref().and_then(|id| rules.get_mut(id))
            && goes_on(line)
        {
            rule.text.push(' ');
            rule.text += &line.trim().replace(char::is_control, "");
            start += line.len();
            continue;
        }
        above = None;
        if let Some((id, rest)) = line
            .strip_prefix("- ")
            .and_then(|item| first_id(item, prefix))
        {
            let at = start + line.find(id).unwrap_or(0);
            let silent = ["(data", "(display)", "(not written"];
            let silent = silent.iter().any(|mark| rest.contains(mark));
            let span = Span::new(file, at, at + id.len());
            if !rules.contains_key(id) {
                // Nothing checks this file: what cannot be seen could change what is shown around it.
                let text = rest.trim().replace(char::is_control, "");
                let rule = Listed { span, text, silent };
                rules.insert(id.to_owned(), rule);
                above = Some(id.to_owned());
            }
        }
        start += line.len();
    }
    rules
}

fn first_id<'l>(item: &'l str, prefix: &str) -> Option<(&'l str, &'l str)> {
    let item = item.trim_start_matches('*');
    let end = item
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .unwrap_or(item.len());
    let (id, rest) = item.split_at(end);
    let inner = id.strip_prefix(prefix)?.strip_prefix('-')?;
    (!inner.is_empty()).then(|| {
        (
            id,
            rest.trim_start_matches("**").trim_start_matches([':', ' ']),
        )
    })
}

/// The ids in a line's last bracket: `… [TM-001, TM-002]`; of any prefix if none is given.
pub fn in_line<'l>(line: &'l str, prefix: Option<&str>) -> Vec<&'l str> {
    let Some((open, close)) = line
        .rfind('[')
        .and_then(|open| Some((open, open + line[open..].find(']')?)))
    else {
        return Vec::new();
    };
    let ids: Vec<&str> = line[open + 1..close].split(',').map(str::trim).collect();
    let is_id = |id: &&str| match prefix {
        Some(prefix) => {
            first_id(id, prefix).is_some_and(|(found, rest)| found == *id && rest.is_empty())
        }
        None => id.split_once('-').is_some_and(|(letters, rest)| {
            !letters.is_empty()
                && !rest.is_empty()
                && letters.bytes().all(|b| b.is_ascii_uppercase())
        }),
    };
    if prefix.is_some() {
        ids.into_iter().filter(is_id).collect()
    } else if ids.iter().all(is_id) {
        ids
    } else {
        Vec::new()
    }
}

/// A line without the ids and the comment at its end.
pub fn without(line: &str) -> &str {
    let line = line.find("  #").map_or(line, |at| &line[..at]).trim_end();
    if line.ends_with(']') && !in_line(line, None).is_empty() {
        let open = line.rfind('[').unwrap_or(line.len());
        return line[..open].trim_end();
    }
    line
}

/// Where each id of the prefix stands first in the rules files of these games, overlays included.
pub fn used(sources: &SourceSet, games: &[String], prefix: &str) -> BTreeMap<String, Span> {
    let mut used = BTreeMap::new();
    let own = |path: &str| {
        path.ends_with(".rules")
            && games.iter().any(|game| {
                path.strip_prefix(game.as_str())
                    .is_some_and(|rest| rest.starts_with('/'))
            })
    };
    for file in sources
        .paths()
        .filter(|path| own(path))
        .filter_map(|path| sources.find(path))
    {
        let mut start = 0;
        for line in sources.text(file).split_inclusive('\n') {
            if !line.trim_start().starts_with('#') {
                for id in in_line(line, Some(prefix)) {
                    let at = start + line.rfind(id).unwrap_or(0);
                    used.entry(id.to_owned())
                        .or_insert(Span::new(file, at, at + id.len()));
                }
            }
            start += line.len();
        }
    }
    used
}

/// Numbered rules whose ids stand nowhere.
pub fn idle(
    listed: &BTreeMap<String, Listed>,
    used: &BTreeMap<String, Span>,
) -> Option<Diagnostic> {
    let idle: Vec<(&String, &Listed)> = listed
        .iter()
        .filter(|(id, rule)| !rule.silent && !used.contains_key(*id))
        .collect();
    let (_, first) = idle.first()?;
    let ids: Vec<&str> = idle.iter().map(|(id, _)| id.as_str()).collect();
    let message = match ids.as_slice() {
        [id] => format!("no rule carries the id `{id}`"),
        ids => format!(
            "no rule carries the ids {}",
            interpreter::words::listed(ids, "and")
        ),
    };
    let help = "put each behind the line that says it; `(data)` at the end of the rule here means that a component list says it, `(display)` that it is a matter of showing only";
    Some(Diagnostic::warning("unused-rule-id", first.span, message).help(help))
}
