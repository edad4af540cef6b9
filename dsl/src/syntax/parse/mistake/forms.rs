//! How each construct is written: one example each, shown when it was written otherwise.

use super::Failure;
use crate::syntax::parse::Rule;
use crate::syntax::parse::declaration::first_word;

/// A construct's name in a sentence and an example of it.
#[derive(Clone, Copy)]
pub(super) struct Form {
    pub name: &'static str,
    pub example: &'static str,
}

const fn form(name: &'static str, example: &'static str) -> Form {
    Form { name, example }
}

/// Words that begin a declaration.
pub(super) const DECLARATION_WORDS: [&str; 28] = [
    "with",
    "variant",
    "expansion",
    "option",
    "enum",
    "table",
    "rows",
    "network",
    "tiling",
    "always",
    "check",
    "when",
    "once",
    "action",
    "flow",
    "score",
    "win",
    "strategy",
    "set",
    "replace",
    "remove",
    "patch",
    "add",
    "before",
    "after",
    "instead",
    "scenario",
    "win by",
];

/// Words that begin a statement and no declaration.
pub(super) const STATEMENT_WORDS: [&str; 19] = [
    "need", "choose", "let", "move", "shuffle", "if", "else", "match", "each", "as", "repeat",
    "may", "must", "one", "any", "walk", "pause", "finish", "stop",
];

/// The construct a failure lies in: the statement of its line, or the declaration.
pub(super) fn of(failure: &Failure) -> Form {
    if failure.rule == Rule::scenario && !failure.is_first_line() {
        return step(first_word(failure.whole_line()));
    }
    // A statement after a label or on the line of its declaration is named when its words are before the failure.
    let innermost = failure
        .before()
        .split([':', ';'])
        .rev()
        .map(|part| first_word(part.trim_start_matches(' ')))
        .find_map(statement);
    let in_body =
        !failure.is_first_line() || failure.before().contains(':') && failure.rule == Rule::action;
    if let Some(form) = innermost.filter(|_| in_body) {
        return form;
    }
    match failure.rule {
        Rule::cell_or_formula => cell_or_formula(failure),
        Rule::table if !failure.is_first_line() => form("column", "wild: bool = false"),
        Rule::score if !failure.is_first_line() => {
            form("score line", "tickets at end = sum(t in tickets: t.points)")
        }
        Rule::strategy if !failure.is_first_line() => {
            form("line of a strategy", "prefer claim by r.length")
        }
        Rule::grid | Rule::effect_grid | Rule::rows if !failure.is_first_line() => {
            form("line of a table", "green | 12")
        }
        Rule::rule_decl if first_word(failure.before()) == "check" => {
            form("`check`", "check pieces: sum(p in player: p.wagons) <= 225")
        }
        rule if failure.is_first_line() || !holds_statements(rule) => declaration(rule),
        // A line of `match` or `any order` has a form of its own; other lines are plain changes and calls.
        _ => match first_word(failure.line_above_block()) {
            word @ ("match" | "any") => statement(word).unwrap_or(PLAIN),
            _ => PLAIN,
        },
    }
}

const PLAIN: Form = form("statement", "");

fn holds_statements(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::action | Rule::flow | Rule::when_decl | Rule::hook | Rule::add_to
    )
}

/// Which of the two it is shows the first sign outside of brackets.
fn cell_or_formula(failure: &Failure) -> Form {
    let mut depth = 0;
    for c in failure.text[failure.base..failure.at].chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ':' if depth == 0 => return form("cell", "player.wagons: 0.. = 45"),
            '=' if depth == 0 => {
                return form("formula", "player.total = wagons + count(c in cards)");
            }
            _ => {}
        }
    }
    declaration(Rule::cell_or_formula)
}

fn statement(word: &str) -> Option<Form> {
    Some(match word {
        "need" => form(
            "`need`",
            "need bid > last_bid else \"bid more than {last_bid}\"",
        ),
        "choose" => form(
            "`choose`",
            "choose c in hand where c.kind = wood else \"no wood\" ask \"which card?\"",
        ),
        "let" => form("`let`", "let price = c.stations"),
        "move" => form("`move`", "move top 2 of draw_pile to hand"),
        "shuffle" => form("`shuffle`", "shuffle draw_pile"),
        "if" => form("`if`", "if hand.size > 7: drop"),
        "else" => form("`else`", "else: skip"),
        "match" => form(
            "`match`",
            "match tile.kind, and below it indented lines like  city, town: score_tile",
        ),
        "each" => form("`each`", "each c in hand where c.kind = wood: wood += 1"),
        "as" => form("`as`", "as p: choose_card"),
        "repeat" => form("`repeat`", "repeat up to 3 while crowded: sweep"),
        "may" => form("`may`", "may buy(tile)"),
        "one" => form("`one of`", "one of draw_cards, claim"),
        "any" => form(
            "`any order`",
            "any order todo, and below it indented lines like  must pay  or  may promote",
        ),
        "must" => form("`must`", "must pay(price)"),
        "walk" => form(
            "`walk`",
            "walk on lines from train up to 4 where onward: train = here",
        ),
        "pause" => form("`pause`", "pause \"before the turn\""),
        "another" => form("`another`", "another turn"),
        "finish" => form(
            "`finish`",
            "finish after this turn and 1 more of each player",
        ),
        "draw" => form("`draw`", "draw \"the board is full\""),
        _ => return None,
    })
}

fn step(word: &str) -> Form {
    match word {
        "players" => form("`players`", "players 4"),
        "seed" => form("`seed`", "seed 7"),
        "set" => form("`set`", "set wagons_each = 40"),
        "before" => form(
            "`before`",
            "before setup, and below it indented lines like  draw_pile.top = [red, blue]",
        ),
        "given" => form(
            "`given`",
            "given, and below it indented lines like  A.hand = {red: 2}",
        ),
        "random" => form("line of a scenario", "random = [3, 5]"),
        "expect" => form("`expect`", "expect not A: claim(r) because \"taken\""),
        "each" => form("`each player`", "each player: done until round.number = 3"),
        _ => form("line of a scenario", "A: claim(r); red; done"),
    }
}

fn declaration(rule: Rule) -> Form {
    match rule {
        Rule::variant => form(
            "header",
            "variant \"Short trains\" of harbour-lines needs islands not with storms",
        ),
        Rule::with_part => form(
            "`with`",
            "with islands, and below it, two blanks deeper, what holds there",
        ),
        Rule::option => form("`option`", "option start_cards: 0..20 = 4"),
        Rule::enumeration => form("`enum`", "enum colour = red, blue, green"),
        Rule::table => form(
            "`table`",
            "table card in \"components/cards.toml\" key id copies count",
        ),
        Rule::rows => form(
            "`rows`",
            "rows worker, and below it lines like  color | count",
        ),
        Rule::grid | Rule::effect_grid => form(
            "`table`",
            "table ability[worker, action]: effect, and below it lines like  grey | cash(100) | skip",
        ),
        Rule::network => form(
            "`network`",
            "network player.lines links r in route from r.a to r.b where r.owner = this",
        ),
        Rule::tiling => form("`tiling`", "tiling map of tile on plane 41 turns 4"),
        Rule::rule_decl => form(
            "`always`",
            "always enough: available >= 4 after turn else \"too few workers\"",
        ),
        Rule::when_decl => form(
            "`when`",
            "when last: p.trains = 0 for p in player, and below it indented lines",
        ),
        Rule::action => form(
            "`action`",
            "action claim(choose r in route where r.free): r.owner = me",
        ),
        Rule::flow => form(
            "`flow`",
            "flow, and below it indented lines like  turn: each player",
        ),
        Rule::score => form(
            "`score`",
            "score, and below it indented lines like  tickets at end = sum(t in tickets: t.points)",
        ),
        Rule::win => form("`win by`", "win by score, goods"),
        Rule::strategy => form(
            "`strategy`",
            "strategy \"ticket hoarder\", and below it indented lines like  prefer claim by r.length",
        ),
        Rule::remove_strategy => form("`remove`", "remove strategy \"ticket hoarder\""),
        Rule::set_op => form("`set`", "set wagons_each = 40"),
        Rule::remove_op => form("`remove`", "remove card[604], turn.deals"),
        Rule::patch_op => form("`patch`", "patch colour[brown]: unlock = 5"),
        Rule::add_to => form("`add to`", "add to turn.act: build_station"),
        Rule::hook => form("hook", "before turn.act: wagons += 1"),
        Rule::replace_clause => form(
            "`replace`",
            "replace drive.trip.where = original and straight",
        ),
        Rule::replace_score => form("`replace`", "replace score.tickets at end = 2 * original"),
        Rule::scenario => form(
            "`scenario`",
            "scenario \"a claim\" of harbour-lines, and below it indented lines",
        ),
        Rule::expression_cell => form("formula", ""),
        Rule::effect_cell => form("effect", "money -= 100; flip_one"),
        Rule::binders_cell => form("list of names", "r in route where r.owner"),
        _ => form(
            "declaration",
            "player.wagons: 0.. = 45` or `player.total = wagons + cards",
        ),
    }
}
