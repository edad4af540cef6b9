//! House rules for any game: where they lie, what they may use, which games offer it.
//!
//! Such a rule is written for games that nobody has seen. So it sees nothing of a game but what every game has by the language, and a
//! few steps by their names; a game that has not one of those that the rule names goes without that rule.

use super::draft::{Draft, Frame};
use super::manifest::{join, listing_of};
use super::names::{Room, full};
use super::overlay::{Site, SiteRoot, blocks};
use crate::diagnostic::Diagnostic;
use crate::ir::LayerId;
use crate::source::{FileId, SourceSet, Span};
use crate::syntax::ast::{
    Block, DeclarationKind as Kind, ExprKind, Name, Overlay, SeatFrom, StatementKind,
};
use crate::syntax::parse::parsed;

/// The family that every game belongs to without saying so: house rules for any game lie in its folder.
pub const ANY: &str = "any";

/// The steps that such rules may name.
pub(crate) const STEPS: [&str; 3] = ["setup", "round", "turn"];

/// What a house rule for any game rests on, and not every game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offer {
    /// A step of this name, and no other one.
    Step(&'static str),
    /// Points.
    Score,
    /// A `turn` of each player that begins with the `starter`.
    Starter,
}

/// What a house rule for any game rests on.
pub(super) fn wanted(sources: &SourceSet, file: FileId) -> Vec<Offer> {
    let declarations = &parsed(sources, file).file.declarations;
    let texts = declarations
        .iter()
        .map(|one| code(sources.slice(one.whole())));
    let text: String = texts.collect();
    let end = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
    let named = |wanted: &str| text.split(end).any(|word| word == wanted);
    let moves_starter = text.match_indices("starter").any(|(at, word)| {
        let rest = text[at + word.len()..].trim_start();
        rest.starts_with('=') && text[..at].ends_with([' ', '\n', ';', ':'])
    });
    let steps = STEPS
        .into_iter()
        .filter(|step| named(step))
        .map(Offer::Step);
    let score = (named("score") || named("standing")).then_some(Offer::Score);
    let starter = moves_starter.then_some(Offer::Starter);
    steps.chain(score).chain(starter).collect()
}

/// A text without its comments and what is in quotes.
fn code(text: &str) -> String {
    let line = |line: &str| {
        let mut quoted = false;
        let mut kept = String::new();
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                '#' if !quoted => break,
                _ if !quoted => kept.push(c),
                _ => {}
            }
        }
        kept
    };
    text.lines().map(|one| line(one) + "\n").collect()
}

/// What of it a game does not offer; `chain`: its ids along `extends`, itself first.
pub(super) fn lacking(sources: &SourceSet, chain: &[String], wanted: &[Offer]) -> Vec<Offer> {
    if wanted.is_empty() {
        return Vec::new();
    }
    let game = offered(sources, chain);
    let has = |offer: &Offer| game.iter().filter(|one| *one == offer).count() == 1;
    wanted.iter().copied().filter(|offer| !has(offer)).collect()
}

/// What a game without overlays offers, as often as it does.
fn offered(sources: &SourceSet, chain: &[String]) -> Vec<Offer> {
    let mut all = Vec::new();
    let mut score = false;
    for id in chain.iter().rev() {
        let Some(game) = listing_of(sources, id) else {
            continue;
        };
        let paths = game.rules.iter();
        let files = paths.filter_map(|path| sources.find(&join(id, path)));
        for declaration in files.flat_map(|file| &parsed(sources, file).file.declarations) {
            match &declaration.kind {
                Kind::Score(_) => score = true,
                Kind::Flow(block) => gather(&mut block.clone(), &mut all),
                Kind::Overlay(Overlay::Replace(inner)) => {
                    if let Kind::Flow(block) = &inner.kind {
                        all.clear();
                        gather(&mut block.clone(), &mut all);
                    }
                }
                Kind::Overlay(Overlay::AddTo { body, .. } | Overlay::Hook { body, .. }) => {
                    gather(&mut body.clone(), &mut all);
                }
                _ => {}
            }
        }
    }
    all.extend(score.then_some(Offer::Score));
    all
}

fn gather(block: &mut Block, out: &mut Vec<Offer>) {
    for statement in &mut block.statements {
        if let StatementKind::Label(name, body) = &statement.kind {
            let step = STEPS.into_iter().find(|step| *step == name.text);
            out.extend(step.map(Offer::Step));
            if name.text == "turn" && begins_with_starter(body) {
                out.push(Offer::Starter);
            }
        }
        for inner in blocks(statement) {
            gather(inner, out);
        }
    }
}

/// A loop over the players in the order of their seats.
fn begins_with_starter(body: &Block) -> bool {
    let Some(only) = body.labelled_loop() else {
        return false;
    };
    match &only.kind {
        StatementKind::EachPlayer(each) => {
            let from = match &each.from {
                Some(SeatFrom::Player(from)) => {
                    matches!(&from.kind, ExprKind::Name(name) if name == "starter")
                }
                Some(SeatFrom::Left | SeatFrom::Right) => false,
                None => true,
            };
            from && each.by.is_none() && !each.other
        }
        _ => false,
    }
}

/// What is said where a game goes without a house rule.
pub(super) fn not_offered(id: &str, game: &str, why: &str, span: Span) -> Diagnostic {
    let message = format!("`{id}` does not go with `{game}`: {why}");
    Diagnostic::error("not-offered", span, message)
        .about(id)
        .help("leave it out, or write a variant of this game that says the same with the words of its rules")
}

/// "it needs a score and one step `round`"
pub(super) fn why(lacking: &[Offer]) -> String {
    let words: Vec<String> = lacking
        .iter()
        .map(|offer| match offer {
            Offer::Step(step) => format!("one step `{step}`"),
            Offer::Score => "a score".to_owned(),
            Offer::Starter => "a `turn` of each player that begins with the `starter`".to_owned(),
        })
        .collect();
    format!("it needs {}", words.join(" and "))
}

/// Whether a place of a game may be named in a house rule for any game.
pub(super) fn is_offered(site: &Site) -> bool {
    let own = site.chain.last().map_or("", String::as_str);
    site.root == SiteRoot::Flow && (own == "flow" || STEPS.contains(&own))
}

/// An operation of a house rule for any game on something that not every game has.
pub(super) fn refused(
    draft: &Draft,
    kind: &Kind,
    layer: LayerId,
    frame: &Frame,
) -> Option<Diagnostic> {
    let named: Vec<(Room, String, Span)> = match kind {
        Kind::Overlay(operation) => match operation {
            // Paths are looked up among the places that are seen.
            Overlay::AddTo { .. } | Overlay::AddCondition { .. } | Overlay::Hook { .. } => {
                return None;
            }
            Overlay::AddScore(_) => return None,
            Overlay::RemoveStrategy(name) => {
                vec![(Room::Strategies, name.text.clone(), name.span)]
            }
            Overlay::Set { target, .. } => targets(std::slice::from_ref(target)),
            Overlay::Remove(all) => targets(all),
            Overlay::Patch { table, .. } => vec![value(table)],
            Overlay::ReplaceClause { path, .. } => {
                path.parts.first().map(value).into_iter().collect()
            }
            Overlay::ReplaceScore(line) => {
                let of_game = |entry: &&super::Entry<crate::syntax::ast::ScoreLine>| {
                    entry.item.name.text == line.name.text
                        && !draft.assembly.sees(layer, entry.layer)
                };
                draft.assembly.scores.iter().find(of_game)?;
                return Some(no_such(
                    &format!("score.{}", line.name.text),
                    line.name.span,
                ));
            }
            Overlay::Replace(inner) => match &inner.kind {
                Kind::Win(_) => return None,
                kind => match super::names::called(kind) {
                    Some(called) => vec![(called.room, called.name, called.span)],
                    None => return Some(no_such("flow", frame.span)),
                },
            },
        },
        Kind::Rows(rows) => vec![value(&rows.table)],
        _ => return None,
    };
    named.into_iter().find_map(|(room, name, span)| {
        let declared = draft.names.get(&(room, name.clone()))?;
        (!draft.assembly.sees(layer, declared.layer)).then(|| no_such(&name, span))
    })
}

fn value(name: &Name) -> (Room, String, Span) {
    (Room::Values, name.text.clone(), name.span)
}

/// The names that the targets of an operation begin with.
fn targets(all: &[crate::syntax::ast::Expr]) -> Vec<(Room, String, Span)> {
    let first = |target: &crate::syntax::ast::Expr| {
        let mut at = target;
        let mut owner: Option<String> = None;
        loop {
            match &at.kind {
                ExprKind::Index(base, _) => at = base,
                ExprKind::Member(base, word) => {
                    owner = Some(word.text.clone());
                    at = base;
                }
                ExprKind::Name(name) => {
                    let whole = match owner {
                        Some(member) => full(
                            Some(&Name {
                                text: name.clone(),
                                span: at.span,
                            }),
                            &Name {
                                text: member,
                                span: at.span,
                            },
                        ),
                        None => name.clone(),
                    };
                    return Some((Room::Values, whole, target.span));
                }
                _ => return None,
            }
        }
    };
    all.iter().filter_map(first).collect()
}

fn no_such(name: &str, span: Span) -> Diagnostic {
    let message = format!("not every game has `{name}`");
    Diagnostic::error("any-game", span, message).help(USES)
}

/// What a house rule for any game may use.
pub(crate) const USES: &str = "a variant of any game uses its own names, those of the language (`player`, `p.score`, `starter`, `finish` …) and the steps `setup`, `round`, `turn`; what is for one game is `of` that game";
