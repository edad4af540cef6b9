//! How the game ends: `finish`, `wins`, `loses`, `draw`, and the questions about it.

use super::body::{Body, Mode};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::Way;
use crate::diagnostic::suggest::nearest;
use crate::ir::{
    Domain, Ending, EndingId, EndingKind, Expr, ExprKind, Finish, FinishWhen, LabelId,
    StatementKind, TextId, Ty,
};
use crate::source::Span;
use crate::syntax::ast;

const PLAYER: Ty = Ty::Element(Domain::Player);

/// How an end of this kind is written.
const fn example_of(fate: &ast::Fate) -> &'static str {
    match fate {
        ast::Fate::Wins(_) => "me wins \"four in a row\"",
        ast::Fate::Loses(_) => "me loses \"no move\"",
        ast::Fate::Draw => "draw \"the board is full\"",
    }
}

impl Body<'_, '_> {
    pub(super) fn finish(&mut self, finish: &ast::Finish, span: Span) -> Option<StatementKind> {
        self.asks += 1;
        let name = self.ending_name(finish.name.as_ref(), "finish now \"the bank is broken\"");
        let when = match &finish.when {
            ast::FinishWhen::Now => FinishWhen::Now,
            ast::FinishWhen::After {
                label,
                more,
                of_each_player,
            } => {
                let more = self.clause(more.as_ref(), Self::number);
                let id = self.k.label_at(label)?;
                if *of_each_player {
                    self.counted(label, id)?;
                }
                FinishWhen::After {
                    label: id,
                    more: more?,
                    of_each_player: *of_each_player,
                }
            }
        };
        let ending = self.ending(EndingKind::Finish, name?, span);
        Some(StatementKind::Finish(Finish { ending, when }))
    }

    pub(super) fn verdict(&mut self, verdict: &ast::Verdict, span: Span) -> Option<StatementKind> {
        self.asks += 1;
        let name = self.ending_name(Some(&verdict.name), example_of(&verdict.fate));
        let player = match &verdict.fate {
            ast::Fate::Wins(who) | ast::Fate::Loses(who) => Some(self.value(who, &PLAYER)),
            ast::Fate::Draw => None,
        };
        let kind = match (&verdict.fate, verdict.goes_on) {
            (ast::Fate::Wins(_), None) => EndingKind::Wins,
            (ast::Fate::Wins(_), Some(_)) => EndingKind::WinsAlone,
            (ast::Fate::Loses(_), None) => EndingKind::Loses,
            (ast::Fate::Draw, None) => EndingKind::Draw,
            (ast::Fate::Loses(_), Some(on)) => {
                let message = "play goes on anyway where somebody loses";
                let help = "the game is over when at most one player is left; `finish now` ends it at once";
                let fix = Way::fix(help, on, "");
                self.k
                    .report(Diagnostic::error("goes-on", on, message).ways([fix]));
                return None;
            }
            (ast::Fate::Draw, Some(on)) => {
                let message = "a draw is the end of the game for all";
                let fix = Way::fix("take this away", on, "");
                self.k
                    .report(Diagnostic::error("goes-on", on, message).ways([fix]));
                return None;
            }
        };
        let player = match player {
            Some(player) => Some(player?),
            None => None,
        };
        let ending = self.ending(kind, name?, span);
        Some(StatementKind::Verdict(ending, player))
    }

    /// `me wins`, and no word of how.
    pub(super) fn unnamed_verdict(&mut self, fate: &ast::Fate, span: Span) {
        self.unnamed(example_of(fate), span);
    }

    /// `draw` where nothing is called so.
    pub(super) fn is_unnamed_draw(&self, expr: &ast::Expr) -> bool {
        matches!(&expr.kind, ast::ExprKind::Name(name) if name == "draw") && self.needs_hint(expr)
    }

    fn unnamed(&mut self, example: &str, span: Span) {
        self.error_help(
            "ending-name",
            span,
            "an ending needs a name",
            format!("say in a few words how the game ends: `{example}`"),
        );
    }

    fn ending(&mut self, kind: EndingKind, name: Option<TextId>, span: Span) -> EndingId {
        let endings = &mut self.k.rs.endings;
        endings.push(Ending { kind, name, span });
        EndingId(endings.len() as u32 - 1)
    }

    /// The outer option: whether it is right.
    #[allow(clippy::option_option)]
    fn ending_name(&mut self, name: Option<&ast::Name>, example: &str) -> Option<Option<TextId>> {
        let Some(name) = name else {
            return Some(None);
        };
        if name.text.contains(['{', '}']) {
            self.error_help(
                "ending-name",
                name.span,
                "the name of an ending quotes no values",
                "games that end in the same way are counted together: one name for all of them",
            );
            return None;
        }
        if name.text.trim().is_empty() {
            self.unnamed(example, name.span);
            return None;
        }
        Some(Some(self.k.intern(&name.text)))
    }

    /// `A wins`, `A loses "no move"`, `draw "board full"`: known when a game is looked at from outside.
    pub(super) fn fated(
        &mut self,
        fate: &ast::Fate,
        name: Option<&ast::Name>,
        span: Span,
    ) -> Option<Expr> {
        if self.mode != Mode::Outside {
            self.error_help(
                "impure",
                span,
                "who has won is no value in rules: when that is known the game is over",
                "whether a player still takes part is asked with `p.out`",
            );
            return None;
        }
        let name = match name {
            Some(name) => Some(self.known_ending(fate, name)?),
            None => None,
        };
        let kind = match (fate, name) {
            (ast::Fate::Wins(who), _) => ExprKind::Wins(Box::new(self.value(who, &PLAYER)?), name),
            (ast::Fate::Loses(who), _) => {
                ExprKind::Loses(Box::new(self.value(who, &PLAYER)?), name)
            }
            (ast::Fate::Draw, Some(name)) => ExprKind::Drawn(name),
            (ast::Fate::Draw, None) => return None,
        };
        Some(Expr {
            kind,
            ty: Ty::Bool,
            span,
        })
    }

    /// A name that some line of the rules gives to an end that fits.
    fn known_ending(&mut self, fate: &ast::Fate, name: &ast::Name) -> Option<TextId> {
        let draw = matches!(fate, ast::Fate::Draw);
        let endings = self.k.rs.endings.iter();
        let named = endings.filter(|ending| draw == (ending.kind == EndingKind::Draw));
        let known: Vec<TextId> = named.filter_map(|ending| ending.name).collect();
        let mut fitting = known.iter().copied();
        let found = fitting.find(|id| self.k.rs.text(*id) == name.text);
        if found.is_some() {
            return found;
        }
        let mut texts: Vec<&str> = known.iter().map(|id| self.k.rs.text(*id)).collect();
        texts.sort_unstable();
        texts.dedup();
        let near = nearest(&name.text, texts.iter().copied());
        let near = near.map(|near| Way::meant(name.span, &format!("\"{near}\"")));
        let all: Vec<String> = texts.iter().map(|text| format!("\"{text}\"")).collect();
        let help = match all.is_empty() {
            true => "no line of the rules says `wins`, `loses` or `draw` with a name".to_owned(),
            false => format!("there are {}", all.join(", ")),
        };
        let what = if draw { "draw" } else { "ending" };
        let message = format!("no {what} is called \"{}\"", name.text);
        let diagnostic = Diagnostic::error("unknown-text", name.span, message);
        self.k
            .report(diagnostic.ways(near.into_iter().chain([Way::help(help)])));
        None
    }

    /// Passes can be counted player by player where a loop over players gives them.
    fn counted(&mut self, name: &ast::Name, label: LabelId) -> Option<()> {
        if let Some(stands) = self.k.names.labels_unpassed.get(&name.text).copied() {
            let name_text = &name.text;
            let diagnostic = Diagnostic::error(
                "no-passes",
                name.span,
                format!(
                    "no loop over players gives the passes of `{name_text}`, so a player has none of his own"
                ),
            );
            let diagnostic = diagnostic.label(stands, "it stands here");
            self.k.report(diagnostic.help(
                "name the step of a loop over players, as `turn` in `turn: each player`, or say how many passes more in all: `and 2 more`",
            ));
            return None;
        }
        self.k.rs.labels[label.index()].counted = true;
        Some(())
    }
}
