//! A rulebook as it is laid out, whatever it is written as.

use super::errata::table_of;
use super::prose::Prose;
use dsl::assembly::ChangeKind;

/// All that is told of a game.
pub struct Paper {
    pub title: String,
    /// `2 to 5 players`
    pub players: String,
    /// Titles and ids of what could be laid over it; empty where something is.
    pub overlays: Vec<(String, String)>,
    /// What each overlay changes.
    pub errata: Vec<Erratum>,
    /// Options that the call sets.
    pub turned: Vec<Turned>,
    pub options: Vec<Dial>,
    /// Component lists.
    pub lists: Vec<List>,
    /// The numbered rules.
    pub numbered: Vec<Numbered>,
    /// How many of them are left out: those of overlays that are not laid on.
    pub left_out: usize,
    /// The rules as they are run.
    pub chapters: Vec<Chapter>,
}

/// Above options that the call itself sets.
pub const SET_HERE: &str = "Set for this rulebook";

/// What an overlay changes.
pub struct Erratum {
    /// Of the overlay.
    pub title: String,
    /// Of its head.
    pub words: Words,
    pub changes: Vec<Altered>,
}

pub struct Altered {
    pub kind: ChangeKind,
    /// Through all overlays.
    pub number: usize,
    /// `player.value`, `flow.round.turn.act`, `card.[604]`
    pub name: String,
    /// What people call it, if it is an option.
    pub said: Option<String>,
    /// `file:line:column`
    pub place: String,
    /// Of an option: before and now.
    pub values: Option<(String, String)>,
    /// Of cells of tables: `count of red and blue: 12, not 13`.
    pub cells: Option<String>,
    /// The texts: what stood there, and the overlay's.
    pub old: Option<String>,
    pub new: String,
    /// Ids of rules that are no longer as they stand in the book.
    pub touches: Vec<String>,
    /// The rules that it names.
    pub words: Words,
}

pub struct Turned {
    /// Behind the changes of overlays.
    pub number: usize,
    pub name: String,
    pub was: String,
    pub now: String,
    /// Ids of rules that are no longer as they stand in the book.
    pub touches: Vec<String>,
}

/// An option.
pub struct Dial {
    pub name: String,
    pub value: String,
    /// Where that is another one.
    pub before: Option<String>,
    /// `a number from 1 to 9`
    pub kind: String,
    pub words: Words,
}

pub struct List {
    pub name: String,
    pub doc: String,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

/// What stands below one heading of a `RULES.md`.
pub struct Numbered {
    pub heading: String,
    pub entries: Vec<Entry>,
}

pub enum Entry {
    Rule(Rule),
    Prose(Prose),
}

/// A numbered rule.
pub struct Rule {
    pub id: String,
    /// As Markdown.
    pub text: String,
    pub standing: Standing,
}

/// What overlays that are laid on make of a numbered rule.
#[derive(Clone, PartialEq, Eq)]
pub enum Standing {
    Holds,
    /// What carries it, or a part of that, is another one: the numbers of the changes that did it.
    Changed(Vec<usize>),
    /// Nothing carries it any more that a game can come to.
    Gone,
}

pub struct Chapter {
    pub title: &'static str,
    pub parts: Vec<Part>,
}

/// A declaration.
pub struct Part {
    /// Where it stands in a page.
    pub anchor: String,
    /// As it is written, with `…` where more stands below; the flow has several lines.
    pub code: String,
    pub words: Words,
}

impl Altered {
    /// Takes up what another one says, whose rows this one tells too.
    pub fn join(&mut self, other: Altered) {
        let touches = other.touches.into_iter();
        let new: Vec<String> = touches.filter(|id| !self.touches.contains(id)).collect();
        self.touches.extend(new);
        if self.words.doc.is_empty() {
            self.words.doc = other.words.doc;
        }
        let known = |words: &Words, id: &String| words.rules.iter().any(|(known, _)| known == id);
        for (id, text) in other.words.rules {
            if !known(&self.words, &id) {
                self.words.rules.push((id, text));
            }
        }
        for id in other.words.silent {
            if !self.words.silent.contains(&id) {
                self.words.silent.push(id);
            }
        }
    }

    /// A sentence says all of it; else its texts do.
    pub fn is_said(&self) -> bool {
        self.values.is_some() || self.cells.is_some()
    }
}

/// What is said of something.
#[derive(Default)]
pub struct Words {
    pub doc: Vec<String>,
    /// Ids and words of numbered rules.
    pub rules: Vec<(String, String)>,
    /// Ids that no list has.
    pub silent: Vec<String>,
}

impl Words {
    pub fn is_empty(&self) -> bool {
        self.doc.is_empty() && self.rules.is_empty() && self.silent.is_empty()
    }
}

impl Dial {
    /// Its value, and which it was, if that was another one.
    pub fn now_and_before(&self) -> String {
        match &self.before {
            Some(before) => format!("{} (was {before})", self.value),
            None => self.value.clone(),
        }
    }
}

impl Paper {
    /// What could be laid over the game; `plain` writes titles, `code` puts ids into a frame. None where something is, or nothing
    /// could.
    pub fn known(
        &self,
        plain: &dyn Fn(&str) -> String,
        code: &dyn Fn(&str) -> String,
    ) -> Option<String> {
        let overlays = self.overlays.iter();
        let each = overlays.map(|(title, id)| format!("{} ({})", plain(title), code(id)));
        let each: Vec<String> = each.collect();
        (!each.is_empty()).then(|| format!("Expansions and variants: {}.", each.join(", ")))
    }

    /// Which numbered rules do not stand here.
    pub fn missing(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            let rules = interpreter::stats::written::count(self.left_out, "rule");
            format!("Left out: {rules} of expansions and variants that are not laid on.")
        })
    }
}

/// A change in one sentence; `code` puts what stands in rules into a frame.
pub fn sentence(change: &Altered, code: &dyn Fn(&str) -> String) -> String {
    let name = match &change.said {
        Some(said) if *said != change.name => format!("{said} ({})", code(&change.name)),
        _ => code(&change.name),
    };
    if let Some(cells) = &change.cells {
        return format!("{}: {cells}.", code(table_of(&change.name)));
    }
    match (&change.values, change.kind) {
        (Some((was, now)), _) => format!("{name}: {now}, not {was}."),
        (None, ChangeKind::New) => format!("{name} is new:"),
        (None, ChangeKind::Added) => format!("At {name} there comes:"),
        (None, ChangeKind::Removed) => format!("{name} is left out."),
        (None, ChangeKind::Changed) if change.old.is_some() => {
            format!("{name} changes. Instead of the first, the second holds:")
        }
        (None, ChangeKind::Changed) => format!("{name} changes:"),
    }
}

/// By which changes a rule is touched; `link` writes the number of one.
pub fn changed(numbers: &[usize], link: &dyn Fn(usize) -> String) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| link(*number)).collect();
    format!(
        "changed, see {}",
        interpreter::words::listed(&numbers, "and")
    )
}

/// What a change says, with the rules that it touches; `link` writes the id of one.
pub fn touching(said: &str, ids: &[String], link: &dyn Fn(&str) -> String) -> String {
    let ids: Vec<String> = ids.iter().map(|id| link(id)).collect();
    let listed = interpreter::words::listed(&ids, "and");
    match (ids.is_empty(), said.strip_suffix(':')) {
        (true, _) => said.to_owned(),
        // Its texts follow.
        (false, Some(said)) => format!("{said} (this changes {listed}):"),
        (false, None) => format!("{said} This changes {listed}."),
    }
}
