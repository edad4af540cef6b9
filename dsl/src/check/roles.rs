//! A name where it means nothing: what it is elsewhere in the game, and how that is said here.

use super::Checker;
use super::body::{Body, Mode, Understood};
use super::graph::Node;
use super::names::Member;
use super::types::domain_of;
use crate::assembly::any::USES;
use crate::diagnostic::Way;
use crate::diagnostic::foreign::{NUMBERS, OTHER_WORDS, other_function};
use crate::diagnostic::suggest::nearest_of;
use crate::ir::{Domain, Layer, Ty};
use crate::source::Span;
use crate::syntax::ast::{self, Block, StatementKind};
use crate::syntax::parse::{foreign_statement, parsed};

/// No more near names are tried.
const NEAR_MAX: usize = 3;

impl Body<'_, '_> {
    /// What can be said of a name that means nothing here, the likeliest first.
    pub(super) fn ways_of(&self, name: &str, span: Span, want: Option<&Ty>) -> Vec<Way> {
        let mut ways = Vec::new();
        let mut helps = Vec::new();
        self.of_player(name, span, &mut ways, &mut helps);
        self.of_points(name, span, &mut ways, &mut helps);
        self.of_rows(name, span, &mut ways, &mut helps);
        self.of_overlays(name, span, &mut helps);
        self.of_other_languages(name, span, want, &mut ways);
        self.of_steps(name, span, want, &mut ways, &mut helps);
        self.of_score(name, span, &mut ways, &mut helps);
        helps.extend(self.k.of_laws(name));
        helps.extend(self.k.of_walks(name));
        helps.extend(self.of_inner_lines(name, span));
        helps.extend(self.of_nobody_named(name, span));
        helps.extend(self.k.of_actions(name, self.action));
        // What is known of the name says more than a name that is only near.
        let known = !helps.is_empty();
        if !known {
            let near = self.near_names(name, span);
            let asks = want.is_some_and(|want| *want.required() == Ty::Bool);
            for near in near {
                ways.push(Way::meant(span, &near));
                if asks {
                    ways.push(Way::meant(span, &format!("{near} > 0")));
                }
            }
            let nobody = matches!(self.understood, Understood::Nobody);
            if nobody && let Some(near) = self.k.names.near_member(Domain::Player, name, span) {
                ways.push(match self.of_type(Domain::Player).as_slice() {
                    [] => Way::help(format!("did you mean `p.{near}` of a player `p`?")),
                    [p, ..] => Way::meant(span, &format!("{p}.{near}")),
                });
            }
        }
        ways.extend(helps.into_iter().map(Way::help));
        if !known {
            ways.extend(self.declaring(name, span, want));
        }
        ways
    }

    /// Names of the innermost ring that stand for one of these.
    pub(super) fn of_type(&self, domain: Domain) -> Vec<&str> {
        let is = |ty: &Ty| match (ty.required(), domain) {
            (Ty::Element(Domain::Part(a)), Domain::Table(b)) => *a == b,
            (ty, _) => *ty == Ty::Element(domain),
        };
        let vars = self.vars.iter().rev();
        vars.filter(|var| var.value.as_ref().is_some_and(|(_, ty)| is(ty)))
            .map(|var| var.name.as_str())
            .collect()
    }

    /// A cell, formula or network of a player where no player is understood.
    fn of_player(&self, name: &str, span: Span, ways: &mut Vec<Way>, helps: &mut Vec<String>) {
        if self.k.names.member(Domain::Player, name, span).is_none() {
            return;
        }
        for owner in self.of_type(Domain::Player) {
            let text = format!("{owner}.{name}");
            ways.push(Way::fix(
                format!("it belongs to a player: `{text}`"),
                span,
                text,
            ));
        }
        let law = matches!(self.node, Node::Rule(_) | Node::When(_));
        helps.push(match self.k.is_option_value(span) {
            true => self.k.of_option(name, span),
            false if law => format!("it belongs to each player: write `p.{name}`, and `for p in player` behind the condition"),
            false => format!("it belongs to each player: `p.{name}` of a player `p`, `sum(p in player: p.{name})` of all"),
        });
    }

    /// What each player has without a declaration.
    fn of_points(&self, name: &str, span: Span, ways: &mut Vec<Way>, helps: &mut Vec<String>) {
        let what = match name {
            "standing" => "it is what everybody sees of a player's points",
            "score" => "it is a player's points",
            "out" => "it tells whether a player has left the game",
            _ => return,
        };
        let owner = match self.understood {
            Understood::Me => "me",
            Understood::Owner => "this",
            Understood::Nobody => return helps.push(format!("{what}: `p.{name}` of a player `p`")),
        };
        let text = format!("{owner}.{name}");
        ways.push(Way::fix(format!("{what}: write `{text}`"), span, text));
        helps.push(format!("{what}: `p.{name}` of a player `p`"));
    }

    /// A column, cell or formula of rows, or of places.
    fn of_rows(&self, name: &str, span: Span, ways: &mut Vec<Way>, helps: &mut Vec<String>) {
        for (domain, member) in self.k.names.owners_of(name, span) {
            if domain == Domain::Player {
                continue;
            }
            let owner = self.k.show_domain(domain);
            let kind = kind_of(member);
            let this = self.this.as_ref().and_then(|this| domain_of(&this.ty));
            let parts = |one: Domain| matches!((one, domain), (Domain::Part(a), Domain::Table(b)) if a == b);
            if this.is_some_and(|this| this == domain || parts(this)) {
                let text = format!("this.{name}");
                ways.push(Way::fix(format!("say `{text}`"), span, text));
            }
            for var in self.of_type(domain) {
                let text = format!("{var}.{name}");
                let help = format!("it is a {kind} of `{owner}`: write `{text}`");
                ways.push(Way::fix(help, span, text));
            }
            let letter = owner.chars().next().unwrap_or('x');
            let step = self.k.names.labels.contains_key(&owner) && kind == "cell";
            helps.push(match step {
                true => format!(
                    "`{owner}` is a table as well as a step, and `{owner}.{name}` belongs to the table's rows: declare it as `player.{name}`, or give the step another name"
                ),
                false => format!("it is a {kind} of `{owner}`: `{letter}.{name}` of a `{letter} in {owner}`"),
            });
        }
    }

    /// What only an overlay declares that this text does not know of, and overlays themselves.
    fn of_overlays(&self, name: &str, span: Span, helps: &mut Vec<String>) {
        helps.extend(self.k.elsewhere(name, span));
        if self
            .k
            .asm
            .manifest
            .overlays
            .iter()
            .any(|one| one.id == name)
        {
            helps.push(overlay_help(name));
        }
    }

    fn of_other_languages(&self, name: &str, span: Span, want: Option<&Ty>, ways: &mut Vec<Way>) {
        for (names, right, says) in OTHER_WORDS {
            if names.contains(&name) {
                ways.push(Way::fix(says, span, right));
            }
        }
        let lower = name.to_lowercase();
        if let Some(sides) = name
            .strip_prefix('d')
            .filter(|sides| sides.parse::<u32>().is_ok())
        {
            let roll = format!("random(1..{sides})");
            ways.push(Way::fix(format!("a die is rolled by `{roll}`"), span, roll));
        }
        if let Some(number) = NUMBERS.iter().position(|word| *word == lower) {
            let digits = number.to_string();
            ways.push(Way::fix(
                format!("numbers are written in digits: `{digits}`"),
                span,
                digits,
            ));
        }
        if matches!(want.map(Ty::required), Some(Ty::Effect(_))) {
            match (lower.as_str(), other_function(&lower)) {
                ("pass" | "nothing" | "nop", _) => {
                    ways.push(Way::fix("nothing to do is `skip`", span, "skip"));
                }
                (_, Some(says)) => ways.push(Way::help(says)),
                _ => {}
            }
        }
    }

    /// What is chosen, or named by `let`, in lines of their own is known to the end of these.
    fn of_inner_lines(&self, name: &str, span: Span) -> Option<String> {
        let before = self.k.sources.text(span.file).get(..span.start as usize)?;
        let start = before.rfind("\n").map_or(0, |at| at + 1);
        let depth = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let declaration = before[..start].lines().rev();
        let mut declaration =
            declaration.take_while(|line| line.starts_with([' ', '#']) || line.is_empty());
        let names = |line: &&str| {
            let chosen = format!("choose {name} in ");
            let kept = format!("let {name} = ");
            line.contains(&chosen) || line.contains(&kept)
        };
        let line = declaration.find(names)?;
        let deeper = depth(line) > depth(&before[start..]) || line.contains(": ");
        deeper.then(|| {
            format!(
                "`{name}` is known to the end of the lines it stands in, `{}`: put what uses it there, below it",
                line.trim()
            )
        })
    }

    fn of_steps(
        &self,
        name: &str,
        span: Span,
        want: Option<&Ty>,
        ways: &mut Vec<Way>,
        helps: &mut Vec<String>,
    ) {
        if !self.k.names.labels.contains_key(name) {
            return;
        }
        if self.writing {
            helps.push(format!("`{name}` is a step: a cell of it is declared `{name}.count: 0..`, and changed as `{name}.count = 1`"));
            return;
        }
        if want.is_some_and(super::types::is_int) {
            let text = format!("{name}.number");
            ways.push(Way::fix(
                format!("`{name}` is a step: how many passes of it have begun is `{text}`"),
                span,
                text,
            ));
        }
        helps.push(self.k.no_call(name, span));
    }

    /// `each player where p.gold > 3`
    fn of_nobody_named(&self, name: &str, span: Span) -> Option<String> {
        let text = &self.k.sources.file(span.file).text;
        let behind = text.get(span.end as usize..)?.strip_prefix('.')?;
        let end = behind.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let member = &behind[..end.unwrap_or(behind.len())];
        let is_his = self.k.names.member(Domain::Player, member, span).is_some();
        let is_letter = name.len() == 1 && is_his && matches!(self.understood, Understood::Me);
        is_letter.then(|| format!("who acts needs no name: what is his is written without one; with one the loop is `each {name} in player`"))
    }

    fn of_score(&self, name: &str, span: Span, ways: &mut Vec<Way>, helps: &mut Vec<String>) {
        let mut lines = self.k.asm.scores.iter();
        if !lines.any(|line| line.item.name.text == name) {
            return;
        }
        if !matches!(self.understood, Understood::Nobody) {
            let text = format!("score.{name}");
            ways.push(Way::fix(
                format!("it is a line of the score: `{text}`"),
                span,
                text,
            ));
        }
        helps.push(format!(
            "it is a line of the score: `p.score.{name}` of a player `p`"
        ));
    }

    fn near_names(&self, name: &str, span: Span) -> Vec<String> {
        let player = !matches!(self.understood, Understood::Nobody);
        let locals = self.vars.iter().map(|var| var.name.as_str());
        let mut near = nearest_of(name, locals, NEAR_MAX);
        near.extend(self.k.names.near_globals(name, span, player, NEAR_MAX));
        near.truncate(NEAR_MAX);
        near.into_iter().map(str::to_owned).collect()
    }

    /// The declaration that is missing, with the type that is wanted here.
    fn declaring(&self, name: &str, span: Span, want: Option<&Ty>) -> Option<Way> {
        let mine = matches!(self.understood, Understood::Me | Understood::Owner);
        let cell = if mine {
            format!("player.{name}")
        } else {
            name.to_owned()
        };
        let file = self.k.sources.file(span.file);
        let is_rules = file.path.ends_with(".rules") && self.mode != Mode::Outside;
        let declared = |line: String| {
            let end = Span::new(span.file, file.text.len(), file.text.len());
            let gap = if file.text.ends_with('\n') { "" } else { "\n" };
            let help = format!("declare it: `{line}`");
            let mut way = Way::fix(help.clone(), end, format!("{gap}{line}\n"));
            if let Some(fix) = way.fix.as_mut() {
                fix.title = format!("declare `{line}`");
            }
            way
        };
        if !is_rules {
            return want.map(|want| Way::help(format!("wanted is {}", self.k.in_words(want))));
        }
        Some(match want.map(Ty::required) {
            Some(Ty::Bool) => declared(format!("{cell}: bool")),
            Some(Ty::Int { low, .. }) => {
                let low = low.unwrap_or(0).max(0);
                declared(format!("{cell}: {low}.."))
            }
            Some(Ty::Element(domain)) if !matches!(domain, Domain::Action | Domain::Int { .. }) => {
                declared(format!("{cell}: {}?", self.k.show_domain(*domain)))
            }
            Some(ty @ (Ty::Set(_) | Ty::Bag(_) | Ty::List(_) | Ty::Deck(_))) => {
                declared(format!("{cell}: {}", self.k.show(ty)))
            }
            Some(Ty::Effect(_)) => Way::help(match foreign_statement(name) {
                Some(says) => says.to_owned(),
                None => format!("declare it: `action {name}: …`"),
            }),
            Some(other) => Way::help(format!("wanted is {}", self.k.in_words(other))),
            None if self.writing => Way::help(format!(
                "declare it: `{cell}: 0..` for a number, `{cell}: bool` for yes or no"
            )),
            None => return None,
        })
    }
}

/// How a step's text goes on for those who want what it does once more.
const NO_CALL: &str =
    "steps are not called: make what it does an action, and call that in both places";

impl Checker<'_> {
    /// The same name in an overlay of the game that this text does not know of, chosen or not.
    pub(super) fn elsewhere(&self, name: &str, span: Span) -> Option<String> {
        let id = match self.names.hidden(name, span) {
            Some(layer) => self.rs.layers.get(layer.index())?.id.clone(),
            None => self.overlay_with(name)?,
        };
        Some(self.needs(&id, span))
    }

    /// What a text writes that uses an overlay's declarations.
    pub(super) fn needs(&self, id: &str, span: Span) -> String {
        let layer = self.names.layer(span);
        let own = self.rs.layers.get(layer.0 as usize);
        let own = own.filter(|layer| layer.overlay);
        let of_overlay = self
            .asm
            .layers
            .iter()
            .any(|layer| layer.overlay && layer.id == id);
        let of_overlay = of_overlay || self.asm.manifest.overlays.iter().any(|one| one.id == id);
        if own.is_some_and(|own| own.of_any) && !of_overlay {
            return format!("`{id}` declares it, and not every game has it: {USES}");
        }
        let known = |own: &&Layer| {
            let mut overlays = self.asm.manifest.overlays.iter();
            overlays.any(|one| one.id == own.id && one.needs.iter().any(|need| need == id))
        };
        match own {
            Some(own) if known(&own) => format!(
                "`{id}` declares it, and is laid on later: put `{id}` before `{}` in `overlays`",
                own.id
            ),
            Some(_) => format!(
                "`{id}` declares it, but this text does not know of that overlay: write what uses it below a line `with {id}`, or, if all of this rests on it, `needs {id}` in the header"
            ),
            None => format!("only the overlay `{id}` declares it: what reads it belongs there"),
        }
    }

    /// An overlay, not laid on, whose rules declare a name.
    fn overlay_with(&self, name: &str) -> Option<String> {
        let laid = |id: &str| self.rs.layers.iter().any(|layer| layer.id == id);
        let declares = |path: &String| {
            let file = self.sources.find(path)?;
            let mut all = parsed(self.sources, file).file.declarations.iter();
            all.find(|one| declared_name(&one.kind) == Some(name))
        };
        let mut overlays = self.asm.manifest.overlays.iter();
        let found = overlays
            .find(|one| !laid(&one.id) && one.files.iter().any(|path| declares(path).is_some()));
        found.map(|one| one.id.clone())
    }

    /// An overlay that this text does not know of and that brings a row of this name.
    pub(super) fn overlay_with_row(&self, name: &str, span: Span) -> Option<String> {
        let known = self.names.layer(span).0 as usize;
        let before = |id: &str| {
            self.rs
                .layers
                .iter()
                .take(known + 1)
                .any(|layer| layer.id == id)
        };
        let quoted = format!("\"{name}\"");
        let brings = |folder: &str| {
            let mut paths = self.sources.paths();
            paths.any(|path| {
                path.strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with('/'))
                    && path.ends_with(".toml")
                    && self
                        .sources
                        .find(path)
                        .is_some_and(|file| self.sources.text(file).contains(&quoted))
            })
        };
        let mut overlays = self
            .asm
            .manifest
            .overlays
            .iter()
            .filter(|one| one.expansion && !before(&one.id));
        let found = overlays.find(|one| {
            let path = one.files.first().map_or("", String::as_str);
            let end = path.match_indices('/').nth(2).map_or(0, |(at, _)| at);
            end > 0 && brings(&path[..end])
        });
        found.map(|one| one.id.clone())
    }

    /// What to do who calls a step.
    pub(super) fn no_call(&self, path: &str, span: Span) -> String {
        let layer = self.names.layer(span);
        let overlay = self
            .rs
            .layers
            .get(layer.0 as usize)
            .is_some_and(|layer| layer.overlay);
        match overlay {
            true => format!(
                "`{path}` is a step, and steps are not called: to have it twice write `instead of {path}`, and below it `original` on two lines"
            ),
            false => format!("`{path}` is a step, and {NO_CALL}"),
        }
    }

    fn of_laws(&self, name: &str) -> Option<String> {
        let rule = self.asm.rules.iter().find(|one| one.item.name.text == name);
        let when = self.asm.whens.iter().find(|one| one.item.name.text == name);
        let kind = match (rule, when) {
            (Some(rule), _) if rule.item.invariant => "check",
            (Some(_), _) => "always",
            (None, Some(_)) => "when",
            (None, None) => return None,
        };
        let article = if kind == "always" { "an" } else { "a" };
        Some(format!(
            "it is {article} `{kind}`, which has no value: give its condition a name, `is_{name} = …`, and ask that"
        ))
    }

    /// Words that only walks know.
    fn of_walks(&self, name: &str) -> Option<String> {
        const WORDS: [&str; 9] = [
            "here", "next", "link", "steps", "nodes", "fresh", "unused", "onward", "straight",
        ];
        if !WORDS.contains(&name) {
            return None;
        }
        let mut paths = Vec::new();
        for entry in &self.asm.actions {
            if let ast::ActionBody::Steps(body) = &entry.item.body {
                walks_in(&mut body.clone(), &entry.item.name.text, &mut paths);
            }
        }
        if let Some(flow) = &self.asm.flow {
            walks_in(&mut flow.item.clone(), "flow", &mut paths);
        }
        Some(match paths.first() {
            Some(path) => format!(
                "`{name}` is known inside a walk, as `{path}`: there it can be kept in a cell"
            ),
            None => format!("`{name}` is known inside a `walk` only"),
        })
    }

    /// What an action asks or names is known in its own lines.
    fn of_actions(&self, name: &str, here: Option<crate::ir::ActionId>) -> Option<String> {
        let named = |param: &ast::Param| match param {
            ast::Param::Given { name: given, .. } => given.text == name,
            ast::Param::Asked(choice) => choice
                .binder
                .name
                .as_ref()
                .is_some_and(|one| one.text == name),
        };
        let mut actions = self.asm.actions.iter().enumerate();
        let (_, entry) = actions.find(|(at, entry)| {
            here.is_none_or(|here| here.index() != *at) && entry.item.params.iter().any(named)
        })?;
        let action = &entry.item.name.text;
        Some(format!(
            "it is a parameter of `{action}` and known there only: hand it on, `action …({name}: …)`, or keep it in a cell"
        ))
    }

    /// Whether a place lies in what sets an option.
    fn is_option_value(&self, span: Span) -> bool {
        self.option_at(span).is_some()
    }

    fn option_at(&self, span: Span) -> Option<&str> {
        let holds = |outer: Span| {
            outer.file == span.file && outer.start <= span.start && span.end <= outer.end
        };
        let entry =
            self.asm.options.iter().find(|entry| {
                entry.item.sets.iter().any(|set| holds(set.span)) || holds(entry.span)
            })?;
        Some(entry.item.decl.name.text.as_str())
    }

    /// An option is one number for the whole game: what reads it can follow from the players.
    fn of_option(&self, name: &str, span: Span) -> String {
        let option = self.option_at(span).unwrap_or_default();
        let reads =
            |body: &ast::Expr| words_of(self.sources.slice(body.span)).any(|word| word == option);
        let formula = self.asm.formulas.iter().find(|one| reads(&one.item.body));
        let score = self.asm.scores.iter().find(|one| reads(&one.item.value));
        let line = match (formula, score) {
            (Some(formula), _) => {
                let owner = formula
                    .item
                    .owner
                    .as_ref()
                    .map_or(String::new(), |owner| format!("{}.", owner.text));
                format!(
                    "replace what reads it: `replace {owner}{} = …`",
                    formula.item.name.text
                )
            }
            (None, Some(score)) => format!(
                "replace what reads it: `replace score.{} = …`",
                score.item.name.text
            ),
            (None, None) => format!("write a formula: `player.{option}_now = …`"),
        };
        format!(
            "an option is one value for the whole game, and `{name}` belongs to each player: {line}"
        )
    }
}

pub(super) fn overlay_help(id: &str) -> String {
    format!(
        "`{id}` is an overlay, and rules do not ask for one: in a variant, write `with {id}` at the start of a line, and what holds there below it"
    )
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
}

fn declared_name(kind: &ast::DeclarationKind) -> Option<&str> {
    use ast::DeclarationKind as Kind;
    let name = match kind {
        Kind::Option(one) => &one.name,
        Kind::Enum(one) => &one.name,
        Kind::Table(one) => &one.name,
        Kind::Grid(one) => &one.name,
        Kind::Cell(one) => &one.name,
        Kind::Formula(one) => &one.name,
        Kind::Network(one) => &one.name,
        Kind::Tiling(one) => &one.name,
        Kind::Action(one) => &one.name,
        _ => return None,
    };
    Some(&name.text)
}

pub(super) fn kind_of(member: Member) -> &'static str {
    match member {
        Member::Column(..) => "column",
        Member::Cell(_) => "cell",
        Member::Formula(_) => "formula",
        Member::Network(_) => "network",
    }
}

/// Paths of the walks in a body, as their labels tell.
fn walks_in(body: &mut Block, path: &str, out: &mut Vec<String>) {
    for statement in &mut body.statements {
        let inner = match &statement.kind {
            StatementKind::Label(name, _) => format!("{path}.{}", name.text),
            _ => path.to_owned(),
        };
        if let StatementKind::Walk(..) = &statement.kind {
            out.push(path.to_owned());
        }
        for block in crate::assembly::blocks(statement) {
            walks_in(block, &inner, out);
        }
    }
}
