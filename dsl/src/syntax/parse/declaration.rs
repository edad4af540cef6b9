//! Declarations: which construct a chunk is, and its parts.

use super::expression::only;
use super::mistake;
use super::{Builder, Pair, Rule, has, parts};
use crate::diagnostic::Diagnostic;
use crate::ir::Lattice;
use crate::source::Span;
use crate::syntax::ast::*;
use crate::syntax::layout::{INDENT, is_word_byte};

/// Clauses of statements that an overlay may replace alone: `replace drive.trip.where = …`.
const CLAUSES: [&str; 9] = [
    "where", "by", "from", "to", "up", "need", "max", "while", "least",
];

/// The first word's construct. A word followed by a sign is a name: `check: bool`, `set.x = 1`.
pub(super) fn construct(text: &str) -> Rule {
    let word = first_word(text);
    let rest = &text[word.len()..];
    let is_name = match rest.trim_start_matches(' ').chars().next() {
        Some(':') => !rest.trim_start_matches([' ', ':']).starts_with(INDENT),
        Some(first) => matches!(first, '=' | '.' | '(' | '[' | '?'),
        None => false,
    };
    if is_name {
        return Rule::cell_or_formula;
    }
    match word {
        "variant" | "expansion" => Rule::variant,
        "with" => Rule::with_part,
        "not" if first_word(rest.trim_start_matches(' ')) == "with" => Rule::with_part,
        "option" => Rule::option,
        "enum" => Rule::enumeration,
        "table" => table_construct(rest),
        "rows" => Rule::rows,
        "network" => Rule::network,
        "tiling" => Rule::tiling,
        "always" | "check" => Rule::rule_decl,
        "when" | "once" => Rule::when_decl,
        "action" => Rule::action,
        "flow" => Rule::flow,
        "score" => Rule::score,
        "win" => Rule::win,
        "strategy" => Rule::strategy,
        "set" => Rule::set_op,
        "remove" => match rest.trim_start_matches(' ').strip_prefix("strategy") {
            Some(rest) if names_in_quotes(rest) => Rule::remove_strategy,
            _ => Rule::remove_op,
        },
        "patch" => Rule::patch_op,
        "add" => Rule::add_to,
        "before" | "after" | "instead" => Rule::hook,
        "scenario" => Rule::scenario,
        "position" if names_in_quotes(rest) => Rule::scenario,
        _ => Rule::cell_or_formula,
    }
}

/// What follows a word is a name in quotes.
fn names_in_quotes(rest: &str) -> bool {
    rest.trim_start_matches(' ').starts_with('"')
}

/// A table with `[…]` after its name is a grid; its cells are read as changes if its type says so.
fn table_construct(rest: &str) -> Rule {
    let name = rest.trim_start_matches(' ');
    let after = name[first_word(name).len()..].trim_start_matches(' ');
    let Some(after) = after.strip_prefix('[') else {
        return Rule::table;
    };
    let ty = after
        .split_once(']')
        .map_or("", |(_, ty)| ty)
        .trim_start_matches([' ', ':']);
    if first_word(ty) == "effect" {
        Rule::effect_grid
    } else {
        Rule::grid
    }
}

pub(super) fn first_word(text: &str) -> &str {
    let length = text.bytes().take_while(|byte| is_word_byte(*byte)).count();
    &text[..length]
}

/// How the text after `replace ` is to be read, if not as a declaration.
fn replace_construct(text: &str) -> Option<Rule> {
    let length = text
        .bytes()
        .take_while(|byte| is_word_byte(*byte) || *byte == b'.')
        .count();
    let path: Vec<&str> = text[..length].split('.').collect();
    let is_change = text[length..].trim_start_matches(' ').starts_with('=');
    if path.len() == 2 && path[0] == "score" {
        return Some(Rule::replace_score);
    }
    let names_clause = path.len() > 2 || path.len() == 2 && CLAUSES.contains(&path[1]);
    (is_change && names_clause).then_some(Rule::replace_clause)
}

impl Builder<'_> {
    /// The whole layout as one declaration.
    pub(super) fn declaration(&self) -> Result<Declaration, Box<Diagnostic>> {
        let text = &self.layout.text;
        let span = self.layout.span(self.file, 0..text.len());
        let (doc, mut tags) = (self.take_doc(span), self.take_tags(span));
        let kind = self.declaration_kind(0)?;
        tags.extend(self.take_other_tags());
        Ok(Declaration {
            kind,
            span,
            doc,
            tags,
        })
    }

    fn declaration_kind(&self, base: usize) -> Result<DeclarationKind, Box<Diagnostic>> {
        let text = &self.layout.text[base..];
        let replaced = text
            .strip_prefix("replace ")
            .map(|rest| rest.trim_start_matches(' '));
        // `replace = 3` is a formula of that name.
        if let Some(rest) = replaced.filter(|rest| rest.bytes().next().is_none_or(is_word_byte)) {
            return self.replace(base + text.len() - rest.len());
        }
        let rule = construct(text);
        let pair = self
            .run_grammar(rule, base)
            .map_err(|error| Box::new(mistake::declaration(self, rule, &error)))?;
        Ok(self.construct(rule, pair))
    }

    fn replace(&self, base: usize) -> Result<DeclarationKind, Box<Diagnostic>> {
        let text = &self.layout.text[base..];
        let Some(rule) = replace_construct(text) else {
            let kind = self.declaration_kind(base)?;
            let span = self.layout.span(self.file, base..self.layout.text.len());
            let inner = Declaration {
                kind,
                span,
                doc: String::new(),
                tags: Vec::new(),
            };
            return Ok(DeclarationKind::Overlay(Overlay::Replace(Box::new(inner))));
        };
        let pair = self
            .run_grammar(rule, base)
            .map_err(|error| Box::new(mistake::declaration(self, rule, &error)))?;
        Ok(self.construct(rule, pair))
    }

    fn construct(&self, rule: Rule, pair: Pair) -> DeclarationKind {
        match rule {
            Rule::variant => DeclarationKind::Header(self.header(pair)),
            Rule::with_part => DeclarationKind::Part(self.with_part(pair)),
            Rule::option => DeclarationKind::Option(self.option(pair)),
            Rule::enumeration => DeclarationKind::Enum(self.enumeration(pair)),
            Rule::table => DeclarationKind::Table(self.table(pair)),
            Rule::rows => DeclarationKind::Rows(self.rows(pair)),
            Rule::grid | Rule::effect_grid => DeclarationKind::Grid(self.grid(pair)),
            Rule::cell_or_formula => self.cell_or_formula(pair),
            Rule::network => DeclarationKind::Network(self.network(pair)),
            Rule::tiling => DeclarationKind::Tiling(self.tiling(pair)),
            Rule::rule_decl => DeclarationKind::Rule(self.rule(pair)),
            Rule::when_decl => DeclarationKind::When(self.when(pair)),
            Rule::action => DeclarationKind::Action(self.action(pair)),
            Rule::flow => DeclarationKind::Flow(self.block(pair)),
            Rule::score => DeclarationKind::Score(self.score_lines(pair)),
            Rule::win => DeclarationKind::Win(self.exprs(pair)),
            Rule::strategy => DeclarationKind::Strategy(self.strategy(pair)),
            Rule::scenario => DeclarationKind::Scenario(self.scenario(pair)),
            _ => DeclarationKind::Overlay(self.overlay(rule, pair)),
        }
    }

    fn header(&self, pair: Pair) -> Header {
        let mut inner = parts(pair);
        let title = self.name(inner.next().expect("a header has a title"));
        let of = inner.next().expect("a header has a game");
        let of = match of.as_rule() {
            Rule::any_game => Name {
                text: ANY_GAME.to_owned(),
                span: self.span(&of),
            },
            _ => self.name(of),
        };
        let mut header = Header {
            title,
            of,
            needs: Vec::new(),
            not_with: Vec::new(),
            after: Vec::new(),
        };
        for clause in inner {
            let rule = clause.as_rule();
            let names = self.names(only(clause));
            match rule {
                Rule::needs => header.needs.extend(names),
                Rule::not_with => header.not_with.extend(names),
                _ => header.after.extend(names),
            }
        }
        header
    }

    fn with_part(&self, pair: Pair) -> WithPart {
        let mut part = WithPart {
            with: Vec::new(),
            not_with: Vec::new(),
            declarations: Vec::new(),
        };
        for clause in parts(pair) {
            let rule = clause.as_rule();
            let names = self.names(only(clause));
            match rule {
                Rule::with_layers => part.with.extend(names),
                _ => part.not_with.extend(names),
            }
        }
        part
    }

    fn option(&self, pair: Pair) -> OptionDecl {
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("an option has a name"));
        let ty = self.type_(inner.next().expect("an option has a type"));
        let value = self.expr(inner.next().expect("an option has a value"));
        OptionDecl { name, ty, value }
    }

    fn enumeration(&self, pair: Pair) -> EnumDecl {
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("an enum has a name"));
        let members = self.names(inner.next().expect("an enum has members"));
        EnumDecl { name, members }
    }

    // -------------------------------------------------------------------------------------------- cells, formulas

    fn owned(&self, pair: Pair) -> (Option<Name>, Name) {
        let mut names = self.names(pair);
        let name = names.pop().expect("a cell has a name");
        (names.pop(), name)
    }

    fn cell_or_formula(&self, pair: Pair) -> DeclarationKind {
        let mut inner = parts(pair);
        let (owner, name) = self.owned(inner.next().expect("a cell has a name"));
        let rest = inner.next().expect("a cell has a type or a value");
        if rest.as_rule() == Rule::cell_rest {
            return DeclarationKind::Cell(self.cell(owner, name, rest));
        }
        let (mut params, mut body) = (Vec::new(), None);
        for part in parts(rest) {
            match part.as_rule() {
                Rule::params => params = self.params(part),
                _ => body = Some(self.expr(part)),
            }
        }
        let body = body.expect("a formula has a value");
        DeclarationKind::Formula(FormulaDecl {
            owner,
            name,
            params,
            body,
        })
    }

    fn cell(&self, owner: Option<Name>, name: Name, pair: Pair) -> CellDecl {
        let (mut indices, mut ty, mut visibility) = (Vec::new(), None, Visibility::default());
        let (mut start, mut refill, mut fill) = (None, None, None);
        for part in parts(pair) {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::indices => indices = parts(part).map(|index| self.index(index)).collect(),
                Rule::type_ => ty = Some(self.type_(part)),
                Rule::private => {
                    visibility.private = Some(self.span(&part));
                    visibility.to_others = has(&part, Rule::to_others);
                }
                Rule::hidden => visibility.hidden = Some(self.span(&part)),
                Rule::showing => visibility.showing.push(self.name(only(part))),
                Rule::start => start = Some(self.expr(part)),
                Rule::refill => self.set_once(&mut refill, self.expr(part), span),
                _ => self.set_once(&mut fill, self.expr(part), span),
            }
        }
        let ty = ty.expect("a cell has a type");
        CellDecl {
            owner,
            name,
            indices,
            ty,
            visibility,
            start,
            refill,
            fill,
        }
    }

    fn index(&self, pair: Pair) -> CellIndex {
        let mut inner: Vec<Pair> = parts(pair).collect();
        let domain = self.expr(inner.pop().expect("an index has a domain"));
        CellIndex {
            name: inner.pop().map(|name| self.name(name)),
            domain,
        }
    }

    pub(super) fn params(&self, pair: Pair) -> Vec<Param> {
        parts(pair).flat_map(|param| self.param(param)).collect()
    }

    /// What stands behind one `choose`, or one that the caller gives.
    fn param(&self, pair: Pair) -> Vec<Param> {
        let mut inner = parts(pair.clone());
        if inner
            .next()
            .is_some_and(|first| first.as_rule() == Rule::choice)
        {
            return self.choices(pair).into_iter().map(Param::Asked).collect();
        }
        let mut inner = parts(only(pair));
        let name = self.name(inner.next().expect("a parameter has a name"));
        let ty = self.type_(inner.next().expect("a parameter has a type"));
        vec![Param::Given {
            name,
            ty,
            default: inner.next().map(|start| self.expr(start)),
        }]
    }

    // -------------------------------------------------------------------------------------------- boards

    fn network(&self, pair: Pair) -> NetworkDecl {
        let mut inner = parts(pair);
        let (owner, name) = self.owned(inner.next().expect("a network has a name"));
        let ground = self.network_ground(inner.next().expect("a network has a ground"));
        let condition = inner.next().map(|condition| self.expr(condition));
        NetworkDecl {
            owner,
            name,
            ground,
            condition,
        }
    }

    fn network_ground(&self, pair: Pair) -> NetworkGround {
        let links = pair.as_rule() == Rule::links;
        let mut inner = parts(pair);
        let mut next = || inner.next().expect("a ground is complete");
        if links {
            return NetworkGround::Links {
                element: self.name(next()),
                table: self.name(next()),
                from: self.expr(next()),
                to: self.expr(next()),
            };
        }
        NetworkGround::Joins {
            part: self.name(next()),
            column: self.name(next()),
            tiling: self.name(next()),
        }
    }

    fn tiling(&self, pair: Pair) -> TilingDecl {
        let mut inner = parts(pair).peekable();
        let name = self.name(inner.next().expect("a tiling has a name"));
        let tile = inner
            .next_if(|part| part.as_rule() == Rule::word)
            .map(|tile| self.name(tile));
        let ground = inner.next().expect("a tiling has a ground");
        let (mut turns, mut condition, mut picture) = (None, None, None);
        let (mut borders, mut corners) = (None, None);
        for part in inner {
            match part.as_rule() {
                Rule::turns => turns = Some(self.count(only(part))),
                Rule::borders | Rule::corners => {
                    let span = self.span(&part);
                    let slot = match part.as_rule() {
                        Rule::borders => &mut borders,
                        _ => &mut corners,
                    };
                    self.set_once(slot, self.name(only(part)), span);
                }
                Rule::where_clause => condition = Some(self.expr(only(part))),
                _ => picture = Some(self.picture(only(part))),
            }
        }
        let (ground, lattice) = self.tiling_ground(ground, picture);
        TilingDecl {
            name,
            tile,
            ground,
            lattice,
            condition,
            turns,
            borders,
            corners,
        }
    }

    fn tiling_ground(&self, pair: Pair, picture: Option<Picture>) -> (TilingGround, Lattice) {
        let span = self.span(&pair);
        let mut inner = parts(pair).peekable();
        let shape = inner.next_if(|part| !matches!(part.as_rule(), Rule::hexes | Rule::squares));
        let lattice = inner
            .next()
            .filter(|lattice| lattice.as_rule() == Rule::hexes)
            .map_or(Lattice::Squares, |hexes| Lattice::Hexes {
                flat: has(&hexes, Rule::k_flat),
                offset: has(&hexes, Rule::k_offset),
            });
        let Some(shape) = shape else {
            let picture = picture.unwrap_or_else(|| {
                self.report(mistake::no_picture(span, lattice));
                Picture {
                    lines: Vec::new(),
                    span,
                }
            });
            return (TilingGround::Drawn(picture), lattice);
        };
        if let Some(picture) = picture {
            self.report(mistake::picture_too_many(picture.span, lattice));
        }
        let rule = shape.as_rule();
        let mut lattice = lattice;
        if rule == Rule::hexagon && lattice == Lattice::Squares {
            self.report(mistake::hexagon_of_what(span));
            lattice = Lattice::Hexes {
                flat: false,
                offset: false,
            };
        }
        let mut inner = parts(shape);
        let mut next = || inner.next().expect("a ground is complete");
        let ground = match rule {
            Rule::plane => TilingGround::Plane(self.expr(next())),
            Rule::hexagon => TilingGround::Hexagon(self.expr(next())),
            Rule::board => TilingGround::Board(self.expr(next()), self.expr(next())),
            _ => TilingGround::Table {
                table: self.name(next()),
                row: self.name(next()),
                column: self.name(next()),
            },
        };
        (ground, lattice)
    }

    /// A `picture_part`.
    pub(super) fn picture(&self, pair: Pair) -> Picture {
        let span = self.span(&pair);
        let lines = parts(pair).map(|line| {
            let span = self.span(&line);
            Name {
                text: line.as_str()[1..].trim_end().to_owned(),
                span: Span::new(span.file, span.start as usize + 1, span.end as usize),
            }
        });
        Picture {
            lines: lines.collect(),
            span,
        }
    }

    pub(super) fn count(&self, pair: Pair) -> (u32, Span) {
        let span = self.span(&pair);
        let count = pair.as_str().trim().parse().unwrap_or_else(|_| {
            self.report(mistake::number_too_large(span, u64::from(u32::MAX)));
            1
        });
        (count, span)
    }

    // -------------------------------------------------------------------------------------------- rules, actions

    fn rule(&self, pair: Pair) -> RuleDecl {
        let invariant = has(&pair, Rule::k_check);
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("a rule has a name"));
        let condition = self.expr(inner.next().expect("a rule has a condition"));
        let mut rule = RuleDecl {
            invariant,
            name,
            condition,
            binders: Vec::new(),
            after: None,
            message: None,
        };
        for clause in inner {
            match clause.as_rule() {
                Rule::for_clause => rule.binders = self.binders(only(clause)),
                Rule::after_step => rule.after = Some(self.path(only(clause))),
                _ => rule.message = Some(self.message(clause)),
            }
        }
        rule
    }

    fn when(&self, pair: Pair) -> WhenDecl {
        let once = has(&pair, Rule::k_once);
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("a `when` has a name"));
        let (mut on, mut condition, mut binders, mut body) =
            (Vec::new(), None, Vec::new(), Block::default());
        for part in inner {
            match part.as_rule() {
                Rule::on_paths => on = parts(part).map(|path| self.path(path)).collect(),
                Rule::for_clause => binders = self.binders(only(part)),
                Rule::body => body = self.block(part),
                _ => condition = Some(self.expr(part)),
            }
        }
        let condition = condition.expect("a `when` has a condition");
        WhenDecl {
            once,
            name,
            on,
            condition,
            binders,
            body,
        }
    }

    fn action(&self, pair: Pair) -> ActionDecl {
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("an action has a name"));
        let body = ActionBody::Steps(Block::default());
        let mut action = ActionDecl {
            name,
            params: Vec::new(),
            anytime: None,
            body,
        };
        for part in inner {
            match part.as_rule() {
                Rule::params => action.params = self.params(part),
                Rule::anytime => action.anytime = Some(self.anytime(part)),
                Rule::composite => action.body = ActionBody::Composite(self.expr(part)),
                _ => action.body = ActionBody::Steps(self.block(part)),
            }
        }
        action
    }

    fn anytime(&self, pair: Pair) -> Anytime {
        let span = self.span(&pair);
        let during = parts(pair).next().map(|during| self.path(only(during)));
        Anytime { span, during }
    }

    fn strategy(&self, pair: Pair) -> StrategyDecl {
        let mut inner = parts(pair);
        let name = self.name(inner.next().expect("a strategy has a name"));
        StrategyDecl {
            name,
            preferences: inner.map(|line| self.preference(line)).collect(),
        }
    }

    fn preference(&self, pair: Pair) -> Preference {
        let span = self.span(&pair);
        let avoid = has(&pair, Rule::avoid);
        let mut inner = parts(pair).filter(|part| part.as_rule() != Rule::avoid);
        Preference {
            avoid,
            what: self.expr(inner.next().expect("a preference is of something")),
            by: inner.next().map(|by| self.expr(by)),
            doc: self.take_doc(span),
            span,
        }
    }

    pub(super) fn score_lines(&self, pair: Pair) -> Vec<ScoreLine> {
        parts(pair).map(|line| self.score_line(line)).collect()
    }

    pub(super) fn score_line(&self, pair: Pair) -> ScoreLine {
        let span = self.span(&pair);
        let (doc, tags) = (self.take_doc(span), self.take_tags(span));
        let at_end = has(&pair, Rule::at_end);
        let mut inner = parts(pair).filter(|part| part.as_rule() != Rule::at_end);
        let name = self.name(inner.next().expect("a score line has a name"));
        let value = self.expr(inner.next().expect("a score line has a value"));
        ScoreLine {
            name,
            at_end,
            value,
            doc,
            tags,
            span,
        }
    }
}
