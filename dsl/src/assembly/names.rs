//! Under which names declarations stand.

use crate::source::Span;
use crate::syntax::ast::{DeclarationKind, Name};

/// Values and actions share one room of names; the names of `always`, `check` and `when` are another, those of strategies a third.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Room {
    Values,
    Laws,
    Strategies,
}

/// What a declaration is called: `player.hand`.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub room: Room,
    pub name: String,
    /// The kind in words: `cell`.
    pub kind: &'static str,
    pub span: Span,
}

/// `None`: it has no name of its own (`flow`, `score`, operations, scenarios).
pub(super) fn called(kind: &DeclarationKind) -> Option<Called> {
    use DeclarationKind as Kind;
    let (room, owner, name, word) = match kind {
        Kind::Option(d) => (Room::Values, None, &d.name, "option"),
        Kind::Enum(d) => (Room::Values, None, &d.name, "enum"),
        Kind::Table(d) => (Room::Values, None, &d.name, "table"),
        Kind::Grid(d) => (Room::Values, None, &d.name, "grid"),
        Kind::Cell(d) => (Room::Values, d.owner.as_ref(), &d.name, "cell"),
        Kind::Formula(d) => (Room::Values, d.owner.as_ref(), &d.name, "formula"),
        Kind::Network(d) => (Room::Values, d.owner.as_ref(), &d.name, "network"),
        Kind::Tiling(d) => (Room::Values, None, &d.name, "tiling"),
        Kind::Action(d) => (Room::Values, None, &d.name, "action"),
        Kind::Rule(d) if d.invariant => (Room::Laws, None, &d.name, "check"),
        Kind::Rule(d) => (Room::Laws, None, &d.name, "always"),
        Kind::When(d) => (Room::Laws, None, &d.name, "when"),
        Kind::Strategy(d) => (Room::Strategies, None, &d.name, "strategy"),
        Kind::Header(_)
        | Kind::Part(_)
        | Kind::Rows(_)
        | Kind::Flow(_)
        | Kind::Score(_)
        | Kind::Win(_)
        | Kind::Overlay(_)
        | Kind::Scenario(_) => return None,
    };
    let span = owner.map_or(name.span, |owner| owner.span.to(name.span));
    Some(Called {
        room,
        name: full(owner, name),
        kind: word,
        span,
    })
}

/// `player.hand`
pub(crate) fn full(owner: Option<&Name>, name: &Name) -> String {
    match owner {
        Some(owner) => format!("{}.{}", owner.text, name.text),
        None => name.text.clone(),
    }
}
