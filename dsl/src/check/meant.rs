//! What was meant by a member, a call or a value that does not fit: the same said as it is written here.

use super::Checker;
use super::body::Body;
use super::builtins::BUILTINS;
use super::names::Global;
use super::roles::kind_of;
use super::types::is_int;
use crate::diagnostic::foreign::{CHANGES, other_function};
use crate::diagnostic::suggest::nearest_of;
use crate::diagnostic::{Diagnostic, Way};
use crate::ir::{ActionId, Domain, Expr, ExprKind, TableId, Ty, Value};
use crate::source::Span;
use crate::syntax::ast;

/// Members that containers have in other languages.
const SIZES: [&str; 5] = ["length", "len", "count", "number", "size"];

impl Body<'_, '_> {
    /// `route.length`, `player.wagons`, `kind.guests`: the name of all, where one is wanted.
    pub(super) fn member_of_all(&mut self, domain: Domain, word: &ast::Name, span: Span) -> bool {
        let Some(member) = self.k.names.member(domain, &word.text, word.span) else {
            return false;
        };
        let (owner, text) = (self.k.show_domain(domain), &word.text);
        let what = match domain {
            Domain::Player => "all players".to_owned(),
            _ => format!("the table of all its rows, not one `{owner}`"),
        };
        let message = format!(
            "`{owner}` is {what}, and each has a {} `{text}`",
            kind_of(member)
        );
        let mut ways: Vec<Way> = Vec::new();
        let mut places: Vec<String> = self
            .of_type(domain)
            .into_iter()
            .map(str::to_owned)
            .collect();
        if domain == Domain::Player && matches!(self.understood, super::body::Understood::Me) {
            places.push("me".to_owned());
        }
        if self
            .this
            .as_ref()
            .is_some_and(|this| this.ty == Ty::Element(domain))
        {
            places.push("this".to_owned());
        }
        for place in places {
            let right = format!("{place}.{text}");
            ways.push(Way::fix(format!("write `{right}`"), span, right));
        }
        let letter = owner.chars().next().unwrap_or('x');
        ways.push(Way::help(format!(
            "of one: `{letter}.{text}`, with a name for it: `some({letter} in {owner} where {letter}.{text} …)`, `choose {letter} in {owner}`"
        )));
        let diagnostic = Diagnostic::error("unknown-row", span, message).ways(ways);
        self.k.report(diagnostic);
        true
    }

    /// A member that containers do not have: their elements may, and other languages call `.size` otherwise.
    pub(super) fn no_container_member(&mut self, ty: &Ty, base: Span, word: &ast::Name) {
        let text = word.text.as_str();
        let message = format!("a {} has no `{text}`", self.k.show(ty));
        let held = self.k.slice(base).to_owned();
        let mut ways = Vec::new();
        if SIZES.contains(&text) {
            ways.push(Way::fix(
                format!("how many are in it: `{held}.size`"),
                word.span,
                "size",
            ));
        }
        let element = ty.element().and_then(|ty| super::types::domain_of(&ty));
        let owned =
            element.filter(|domain| self.k.names.member(*domain, text, word.span).is_some());
        if owned.is_some() {
            let x = if held == "x" { "y" } else { "x" };
            let whole = base.to(word.span);
            for (op, says) in [
                ("sum", "of all added up"),
                ("set", "of each"),
                ("some", "of one of them"),
            ] {
                let line = format!("{op}({x} in {held}: {x}.{text})");
                ways.push(Way::fix(
                    format!("each of them has one; {says}: `{line}`"),
                    whole,
                    line,
                ));
            }
        }
        if CHANGES.contains(&text) {
            ways.push(Way::help(format!(
                "what is in it changes by `move c from {held} to …`, `{held} += c`, `{held} -= c`; `{held} = {{}}` empties it, decks are put in order by `shuffle {held}`"
            )));
        }
        ways.push(Way::help(
            "containers have `.size`, `.count(x)`, and decks `.top`",
        ));
        let diagnostic = Diagnostic::error("unknown-member", word.span, message).ways(ways);
        self.k.report(diagnostic);
    }

    /// `r.taken` where `taken(r)` is meant, or nothing of that name.
    pub(super) fn ways_of_member(&self, domain: Domain, base: Span, word: &ast::Name) -> Vec<Way> {
        let whole = base.to(word.span);
        let mut ways = Vec::new();
        match self.k.names.global(&word.text, word.span) {
            Some(Global::Formula(_)) => {
                let line = format!("{}({})", word.text, self.k.slice(base));
                ways.push(Way::fix(
                    format!("it is a formula of its own: write `{line}`"),
                    whole,
                    line,
                ));
                ways.push(Way::fix(
                    format!("it is a formula of its own: write `{}`", word.text),
                    whole,
                    word.text.as_str(),
                ));
            }
            Some(Global::Cell(_) | Global::Option(_)) => ways.push(Way::fix(
                format!("there is one for all: write `{}`", word.text),
                whole,
                word.text.as_str(),
            )),
            _ => {}
        }
        if self.k.side_named(&word.text).is_some() {
            let line = format!("{}.next({})", self.k.slice(base), word.text);
            ways.push(Way::fix(
                format!("the next one in that direction is `{line}`"),
                whole,
                line,
            ));
        }
        let near = self.k.names.near_member(domain, &word.text, word.span);
        ways.extend(near.map(|near| Way::meant(word.span, near)));
        ways.extend(other_function(&word.text).map(Way::help));
        let mut owners: Vec<String> = Vec::new();
        for (owner, member) in self.k.names.owners_of(&word.text, word.span) {
            owners.push(format!(
                "{} has a {} `{}`",
                self.k.show_domain(owner),
                kind_of(member),
                word.text
            ));
        }
        if let [only] = owners.as_slice() {
            ways.push(Way::help(only.clone()));
        }
        let members = self.k.names.members_of(domain, word.span);
        let members: Vec<&str> = members.into_iter().map(|(name, _)| name).take(8).collect();
        if !members.is_empty() {
            ways.push(Way::help(format!(
                "it has {}",
                crate::assembly::fields::quoted_list(members)
            )));
        }
        ways
    }

    /// Calls of what nothing is called.
    pub(super) fn unknown_callee(&mut self, callee: &ast::Expr, want: Option<&Ty>) -> bool {
        let ast::ExprKind::Name(name) = &callee.kind else {
            return false;
        };
        let span = callee.span;
        if self.means_something(name, span) || self.k.is_broken(name) {
            return false;
        }
        let run = matches!(want.map(Ty::required), Some(Ty::Effect(_)));
        let (what, kinds) = if run {
            ("action", "action")
        } else {
            ("formula", "formula or action")
        };
        let message = format!("there is no {kinds} `{name}`");
        let mut ways: Vec<Way> = Vec::new();
        let actions = self.k.rs.actions.iter().map(|one| one.name.as_str());
        let formulas = self.k.rs.formulas.iter().map(|one| one.name.as_str());
        let own = actions.chain(formulas.filter(|one| !one.contains(['#', '.'])));
        let of_language = BUILTINS.iter().copied().filter(|_| !run);
        let near = nearest_of(name, own.chain(of_language), 3);
        ways.extend(near.into_iter().map(|near| Way::meant(span, near)));
        if let Some(says) = other_function(name) {
            ways.insert(0, Way::help(says));
        }
        if self.k.names.labels.contains_key(name) {
            ways.push(Way::help(self.k.no_call(name, span)));
        }
        ways.extend(self.k.elsewhere(name, span).map(Way::help));
        ways.push(Way::help(match what {
            "action" => format!("declare it: `action {name}(…): …`"),
            _ => format!(
                "declare it: `{name}(…) = …` for a value, `action {name}(…): …` for what is done"
            ),
        }));
        let diagnostic = Diagnostic::error("unknown-name", span, message).ways(ways);
        self.k.report(diagnostic);
        true
    }

    /// Whether a name has a meaning of any kind here.
    pub(super) fn means_something(&self, name: &str, span: Span) -> bool {
        const WORDS: [&str; 12] = [
            "player", "side", "port", "cell", "score", "seat", "left", "right", "me", "this",
            "original", "starter",
        ];
        let mine = !matches!(self.understood, super::body::Understood::Nobody)
            && self.k.names.member(Domain::Player, name, span).is_some();
        mine || WORDS.contains(&name)
            || self.var(name, span).is_some()
            || !self.k.names.step_cells(name, span).is_empty()
            || self.k.names.global(name, span).is_some()
            || !self.k.names.words(name, span).is_empty()
    }

    /// An action where a value is wanted.
    pub(super) fn action_is_no_value(&mut self, id: ActionId, want: Option<&Ty>, span: Span) {
        let name = self.k.rs.actions[id.index()].name.clone();
        let text = self.k.slice(span).to_owned();
        let message = format!("`{name}` is an action, not a value");
        let ways = match want.map(Ty::required) {
            Some(Ty::Bool) => {
                let can = format!("can {text}");
                vec![
                    Way::fix(format!("whether it could be done now: `{can}`"), span, can),
                    Way::help(
                        "an action is done and has no value: put the condition into a formula, and ask that in both places",
                    ),
                ]
            }
            Some(ty) if is_int(ty) => vec![Way::help(
                "an action is done and has no value: keep its number in a cell, or write a formula",
            )],
            _ => {
                let one: String = text
                    .chars()
                    .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
                    .collect();
                let one = one.trim_end_matches('_');
                vec![Way::help(format!(
                    "an action with arguments is no value: declare `action {one}: {text}`, and write `{one}` here; to do it, write `{text}` on a line of its own"
                ))]
            }
        };
        let diagnostic = Diagnostic::error("wrong-type", span, message).ways(ways);
        self.k.report(diagnostic);
    }

    /// What is to be done with a value that is no condition.
    pub(super) fn ways_to_ask(&self, found: &Expr) -> Vec<Way> {
        let text = self.k.slice(found.span);
        let mut ways = Vec::new();
        if let Ty::Element(domain) = &found.ty {
            if *domain == Domain::Action {
                let can = format!("can {text}");
                ways.push(Way::fix(
                    format!("whether it could be done now: `{can}`"),
                    found.span,
                    can,
                ));
            }
            if let ExprKind::Const(Value::Element(..)) = found.kind {
                ways.push(Way::help(format!(
                    "say what is compared with it: `… = {text}`"
                )));
            }
            ways.push(Way::help(format!(
                "say what it is compared with: `{text} = …`"
            )));
        }
        ways.push(Way::help(
            "only `bool`, containers and values that can be none ask something",
        ));
        ways
    }

    /// A value of another type, said as it would fit.
    pub(super) fn way_to_fit(&self, expr: &Expr, want: &Ty) -> Option<Vec<Way>> {
        let text = self.k.slice(expr.span);
        let found = expr.ty.required();
        if is_int(want.required()) && found.is_container() {
            let right = format!("{text}.size");
            return Some(vec![Way::fix(
                format!("how many are in it: `{right}`"),
                expr.span,
                right,
            )]);
        }
        let compared = matches!(expr.kind, ExprKind::Binary(..)) && !text.starts_with('(');
        if is_int(want.required()) && *found == Ty::Bool && compared {
            let last = text.rsplit(' ').next().unwrap_or_default();
            return Some(vec![Way::help(format!(
                "two comparisons are joined by `and`: `{text} and {last} …`; a condition as a number is `(if {text} then 1 else 0)`"
            ))]);
        }
        if is_int(want.required()) && *found == Ty::Bool {
            let right = format!("(if {text} then 1 else 0)");
            return Some(vec![Way::fix(
                format!("a condition as a number: `{right}`"),
                expr.span,
                right,
            )]);
        }
        if *want.required() == Ty::Bool && is_int(found) {
            let right = match text {
                "1" => "true".to_owned(),
                "0" => "false".to_owned(),
                _ => format!("{text} > 0"),
            };
            return Some(vec![Way::fix(format!("write `{right}`"), expr.span, right)]);
        }
        let (Ty::Element(wanted), true) = (want.required(), found.is_container()) else {
            return None;
        };
        let held = found.element().and_then(|ty| super::types::domain_of(&ty));
        (held == Some(*wanted)).then(|| {
            let x = self.k.show_domain(*wanted).chars().next().unwrap_or('x');
            vec![Way::help(format!(
                "`{text}` are several: `first({text})` is one of them, `choose {x} in {text}` asks for one, `each {x} in {text}: …` takes all"
            ))]
        })
    }

    /// A name given here that hides a row, a member or a direction of the same name, which would fit.
    pub(super) fn hides(&self, found: Span, domain: Domain) -> Option<(Span, String)> {
        let name = self.k.slice(found);
        let var = self.var(name, found)?;
        let word = self.wanted_word(name, found, &Ty::Element(domain))?;
        let what = match word.ty {
            Ty::Element(Domain::Side | Domain::Port) => "the direction",
            Ty::Element(Domain::Enum(_)) => "the word",
            _ => "the row",
        };
        Some((
            var.span,
            format!(
                "`{name}` is a name given here, and hides {what} `{name}`: give it another name"
            ),
        ))
    }

    /// `turn.act`, `turn.paid`: a step has cells, and nothing else.
    pub(super) fn member_of_step(&mut self, base: &ast::Expr, word: &ast::Name) -> bool {
        let ast::ExprKind::Name(step) = &base.kind else {
            return false;
        };
        if !self.k.names.labels.contains_key(step) || self.means_something(step, base.span) {
            return false;
        }
        let path = format!("{step}.{}", word.text);
        let span = base.span.to(word.span);
        let is_step = self.k.names.labels.contains_key(&word.text)
            || matches!(
                self.k.names.global(&word.text, word.span),
                Some(Global::Action(_))
            );
        let diagnostic = match is_step {
            true => Diagnostic::error(
                "wrong-type",
                span,
                format!("`{path}` is a step, not a value"),
            )
            .help(self.k.no_call(&path, span)),
            false => {
                let cells = self.k.names.step_cell_names(word.span);
                let near = nearest_of(&word.text, cells, 1);
                let mut ways: Vec<Way> = near
                    .into_iter()
                    .map(|near| Way::meant(word.span, near))
                    .collect();
                ways.push(Way::help(format!(
                    "`{step}` is a step: `{step}.number` is how many passes of it have begun; a cell of it is declared `{path}: 0..`"
                )));
                Diagnostic::error(
                    "unknown-member",
                    word.span,
                    format!("the step `{step}` has no cell `{}`", word.text),
                )
                .ways(ways)
            }
        };
        self.k.report(diagnostic);
        true
    }
}

impl Checker<'_> {
    /// A row that is not there: near ones, the overlay that brings it, else a few that are there.
    pub(super) fn ways_to_row(&self, table: TableId, name: &str, span: Span) -> Vec<Way> {
        let mut ways = Vec::new();
        if let Some(id) = self.overlay_with_row(name, span) {
            ways.push(Way::help(self.brings(&id, span)));
            return ways;
        }
        let near = self.names.near_word(Domain::Table(table), name);
        ways.extend(near.map(|near| {
            let written = self.sources.slice(span);
            let is_word = !near.starts_with('#');
            let (near, named) = match is_word {
                true => (near.to_owned(), written.replace(name, near)),
                false => (format!("\"{near}\""), format!("\"{near}\"")),
            };
            let help = format!("did you mean `{near}`?");
            match written.trim_matches('"') == name {
                true => Way::fix(help, span, named),
                false => Way::help(help),
            }
        }));
        if let Some(help) = self.how_rows_are_counted(table) {
            ways.push(Way::help(help));
            return ways;
        }
        let ids = self.names.rows[table.index()].keys().take(6);
        let ids: Vec<String> = ids.map(|id| format!("`{id}`")).collect();
        ways.push(match ids.is_empty() {
            true => Way::help(format!(
                "`{}` has no rows",
                self.rs.tables[table.index()].name
            )),
            false => Way::help(format!("some of its rows: {}", ids.join(", "))),
        });
        ways
    }

    /// Of a table without a key how its rows are called.
    pub(super) fn how_rows_are_counted(&self, table: TableId) -> Option<String> {
        let table = &self.rs.tables[table.index()];
        let (name, first) = (&table.name, table.rows.first()?);
        if !first.name.starts_with('#') {
            return None;
        }
        let which = match table.rows.len() {
            1 => "the only one".to_owned(),
            count => format!("the first of {count}"),
        };
        Some(format!(
            "its rows have no key and are counted: `{name}[\"{}\"]` is {which}; or give the table a key: `table {name} key …`",
            first.name
        ))
    }

    fn brings(&self, id: &str, span: Span) -> String {
        self.needs(id, span).replacen("declares it", "has it", 1)
    }
}
