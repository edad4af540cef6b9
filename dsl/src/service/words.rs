//! The words of the language, each with one sentence and an example: hover, completion and section 13 of
//! `docs/language.md` say what stands here.

/// Where a word can stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// At the beginning of a declaration.
    Declaration,
    /// At the beginning of an operation of a variant or expansion.
    Overlay,
    /// Inside a declaration's head.
    Clause,
    /// At the beginning of a statement.
    Statement,
    /// In an expression.
    Expression,
    /// As a value by itself.
    Value,
    /// As a type.
    Type,
    /// In a scenario.
    Scenario,
    /// Behind a dot.
    Member,
}

/// A word's entry in the manual.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    pub word: &'static str,
    pub place: Place,
    /// One sentence, lower case, no full stop.
    pub meaning: &'static str,
    pub example: &'static str,
}

/// All entries of a word, in the order of the places: `set` is an operation, an aggregate and a type.
pub fn entries(word: &str) -> impl Iterator<Item = &'static Word> + use<'_> {
    WORDS.iter().filter(move |entry| entry.word == word)
}

pub(super) fn is_keyword(word: &str) -> bool {
    entries(word).any(|entry| !matches!(entry.place, Place::Member | Place::Type | Place::Value))
}

/// Directions and words of walks are names as far as their looks go.
pub(super) fn is_value(word: &str) -> bool {
    matches!(
        word,
        "me" | "this"
            | "players"
            | "starter"
            | "true"
            | "false"
            | "none"
            | "box"
            | "finishing"
            | "done"
    )
}

pub(super) fn is_type(word: &str) -> bool {
    entries(word).any(|entry| entry.place == Place::Type)
        && !matches!(word, "set" | "bag" | "list" | "row" | "enum" | "action")
}

const fn word(
    place: Place,
    word: &'static str,
    meaning: &'static str,
    example: &'static str,
) -> Word {
    Word {
        word,
        place,
        meaning,
        example,
    }
}

use Place::{Clause, Declaration, Expression, Member, Overlay, Scenario, Statement, Type, Value};

/// All words by place.
#[rustfmt::skip]
pub const WORDS: &[Word] = &[
    word(Declaration, "enum", "a list of words that are values", "enum colour = red, blue, green"),
    word(Declaration, "table", "things that are the same in every game, one a row, from a file or from lines below", "table place from node in \"components/map.toml\""),
    word(Declaration, "rows", "more rows of a table", "rows worker"),
    word(Declaration, "option", "a number that variants and players may set, with its range", "option wagons_each: 1..90 = 45"),
    word(Declaration, "network", "links that join places, made of a table's rows or of tiles", "network player.lines links r in route from r.a to r.b where r.owner = this"),
    word(Declaration, "tiling", "a board on which tiles lie or pieces stand", "tiling map of tile on plane 41 turns 4"),
    word(Declaration, "always", "what must hold at every moment: answers that break it are not offered", "always four_workers: available >= 4 else \"fewer than 4 workers\""),
    word(Declaration, "check", "what the rules themselves keep true; a breach is a fault of the rules", "check pieces: sum(p in player: p.wagons) <= 225"),
    word(Declaration, "when", "what happens by itself as soon as a condition becomes true", "when sweep: crowded"),
    word(Declaration, "once", "a `when` that fires only one time for each binding", "once when last: p.stations_left = 0 for p in player"),
    word(Declaration, "action", "something a player does: parameters, then steps", "action build(choose c in city where c.owner = none)"),
    word(Declaration, "flow", "how the game runs, from set-up to the end", "flow"),
    word(Declaration, "score", "the lines of each player's score", "score"),
    word(Declaration, "win", "who wins: the sort keys, greatest first", "win by score, completed"),
    word(Declaration, "strategy", "what a bot plays by: lines of what it prefers and avoids", "strategy \"ticket hoarder\""),
    word(Declaration, "scenario", "a worked case: a position, answers and what is expected", "scenario \"four cards for four spaces\""),
    word(Declaration, "variant", "the header of a file of house rules", "variant \"Short trains\" of my-game"),
    word(Declaration, "expansion", "the header of an expansion's rules", "expansion \"The coast\" of my-game"),
    word(Overlay, "with", "what stands below it holds only where these overlays are on; `not with`: only where they are off", "with coast"),
    word(Overlay, "set", "gives an option, a grid's cell or an enum another value or one more member", "set wagons_each -= 8"),
    word(Overlay, "replace", "takes a declaration's place; `original` is what stood there", "replace hand_limit = 7"),
    word(Overlay, "remove", "takes a declaration, a row or a step away", "remove card[604]"),
    word(Overlay, "patch", "changes cells of rows", "patch colour[brown]: unlock = 5"),
    word(Overlay, "add", "one more item, line or condition at a step, a parameter, the flow or the score", "add to turn.act: build_station"),
    word(Overlay, "before", "statements that run before an action or a step", "before claim: money -= 1"),
    word(Overlay, "after", "statements that run after an action or a step; in a rule: when it is tested", "after claim: money += 1"),
    word(Overlay, "instead", "statements that run in an action's or step's place; `original` runs it", "instead of claim: original"),
    word(Clause, "in", "where a name takes its values from, or whether a container holds a value", "choose r in route"),
    word(Clause, "from", "where a table, pieces or a walk come from", "move w from bank to crew"),
    word(Clause, "to", "where pieces or a walk go", "move pay to discard"),
    word(Clause, "of", "belongs to what stands behind it", "bag of card"),
    word(Clause, "key", "the columns by which a table's rows are looked up", "table gate key colour, number"),
    word(Clause, "copies", "the column that says how many of each row there are", "table card key id copies count"),
    word(Clause, "where", "only what fulfils the condition", "choose r in route where r.owner = none"),
    word(Clause, "by", "in the order of this value, smallest first; with `best walks`: how many, or whose", "first(c in card by c.cost)"),
    word(Clause, "up", "`up to n`: of no more than the first so many", "choose c in market by c.cost up to 3"),
    word(Clause, "prefer", "a line of a strategy: an action, a number or a condition that counts for a way to play, `by` how much", "prefer claim by r.length"),
    word(Clause, "avoid", "a line of a strategy: what counts against a way to play, `by` how much", "avoid draw_tickets by 5"),
    word(Clause, "else", "what a player hears, or what is done or meant otherwise", "need money >= 5 else \"you need 5\""),
    word(Clause, "ask", "the question a player is asked, of a choice or a menu", "choose c in card ask \"Which card?\""),
    word(Clause, "for", "the bindings of an `always`, `check` or `when`", "check one_owner: r.owner for r in route"),
    word(Clause, "on", "on which tiling or network; for a `when`: on writes to these cells", "when sweep on display: crowded"),
    word(Clause, "links", "each row of a table is a link of the network", "network lines links r in route from r.a to r.b"),
    word(Clause, "joins", "tiles that meet by a column of sides or ports are joined", "network lines joins cell by rails on map"),
    word(Clause, "plane", "a tiling that grows from its middle", "tiling map of tile on plane 41"),
    word(Clause, "hexes", "places with six sides that stand on a point", "tiling board on 11 by 11 hexes"),
    word(Clause, "flat", "of hexes: they lie on a side", "tiling board on hexagon 6 flat hexes"),
    word(Clause, "offset", "of hexes: rows and columns that slant go to and fro instead", "tiling map on 8 by 10 offset hexes"),
    word(Clause, "hexagon", "hexes in the shape of a hexagon, so many at each side", "tiling board on hexagon 5 hexes"),
    word(Clause, "squares", "squares, drawn below", "tiling board on squares"),
    word(Clause, "borders", "what the borders of a board's places are called", "tiling board on 8 by 8 borders edge"),
    word(Clause, "corners", "what the corners of a board's places are called", "tiling board on hexagon 3 hexes borders path corners spot"),
    word(Clause, "turns", "in how many ways a tile can be turned", "tiling map of tile on plane 41 turns 4"),
    word(Clause, "private", "only its player sees it; `private to others`: all but he see it", "player.hand: bag of card private"),
    word(Clause, "others", "`private to others`: all but its player see it", "player.hand[i in 1..5]: card? private to others"),
    word(Clause, "hidden", "nobody sees it", "draw_pile: deck of card hidden"),
    word(Clause, "showing", "what others see of it all the same", "player.tickets: set of ticket private showing deck"),
    word(Clause, "refill", "an empty deck takes this zone, shuffled", "draw_pile: deck of card hidden refill from discard"),
    word(Clause, "fill", "gaps are filled from this deck", "display: row of 5 card fill from draw_pile"),
    word(Clause, "anytime", "offered beside the answers of any decision of the player", "action hire(choose w in bank) anytime"),
    word(Clause, "during", "only while this step runs", "action hire anytime during turn"),
    word(Clause, "at", "`at end`: hidden until the game is over; `at least n`: no fewer", "tickets at end = sum(t in tickets: t.points)"),
    word(Clause, "end", "`at end`: hidden until the game is over", "tickets at end = 5"),
    word(Clause, "needs", "overlays without which this one cannot be chosen", "variant \"X\" of my-game needs coast"),
    word(Clause, "with", "`not with`: overlays that exclude this one; in scenarios: the overlays chosen", "variant \"X\" of my-game not with coast"),
    word(Clause, "least", "`at least n`: no fewer", "walk on lines from a at least 2"),
    word(Clause, "while", "as long as the condition holds", "repeat while crowded: move display to discard"),
    word(Clause, "secretly", "all answer before any answer shows", "each player secretly"),
    word(Clause, "other", "`each other player`: all but the one who acts", "each other player: money += 1"),
    word(Clause, "must", "of an agenda: has to be done", "todo.must += draw"),
    word(Clause, "none", "`if none can be done:` behind `one of`", "if none can be done: skip"),
    word(Clause, "top", "the next card of a deck", "move top 2 of draw_pile to hand"),
    word(Clause, "order", "`any order`: the player works an agenda off in any order", "any order todo"),
    word(Clause, "far", "`as far as possible`: what can be done must be done", "any order todo as far as possible"),
    word(Clause, "possible", "`as far as possible`: what can be done must be done", "any order todo as far as possible"),
    word(Clause, "now", "the game ends at once", "finish now"),
    word(Clause, "play", "`and play goes on`: the others go on without who has won", "me wins \"home\" and play goes on"),
    word(Clause, "goes", "`and play goes on`: the others go on without who has won", "me wins \"home\" and play goes on"),
    word(Clause, "more", "so many passes more before the end", "finish after this turn and 1 more of each player"),
    word(Clause, "the", "`from the left`, `from the right`: who is asked first", "each other player from the left: draw"),
    word(Clause, "be", "`if none can be done:` behind `one of`", "if none can be done: skip"),
    word(Clause, "bottom", "the far end of a deck, as `top`", "move c to bottom of draw_pile"),
    word(Statement, "need", "else this way is not offered", "need money >= cost else \"too dear\""),
    word(Statement, "choose", "the player decides; the name is known to the end of the block. Several names behind one `choose` are one answer", "choose c in hand"),
    word(Statement, "let", "a copy of a value", "let old = c.tile"),
    word(Statement, "move", "takes pieces from one place to another", "move top 2 of draw_pile to hand"),
    word(Statement, "shuffle", "puts a deck in random order", "shuffle draw_pile"),
    word(Statement, "if", "only if the condition holds; in expressions `if c then a else b`", "if wagons <= 2: finish after this turn"),
    word(Statement, "match", "the line whose value fits", "match phase"),
    word(Statement, "each", "for every element; `each player` passes the word", "each player: move top 4 of draw_pile to hand"),
    word(Statement, "as", "this player is asked", "as p: choose c in hand"),
    word(Statement, "repeat", "again and again, a number of times, while a condition holds or as often as the player may", "repeat 3: draw"),
    word(Statement, "may", "once or not, as the player likes", "may build"),
    word(Statement, "one", "`one of`: the player picks one that can be done", "one of draw_cards, claim"),
    word(Statement, "any", "`any order`: the player works an agenda off in any order", "any order todo"),
    word(Statement, "walk", "one step at a time over a network", "walk on lines from a up to 3"),
    word(Statement, "pause", "a decision with one answer, so that anytime actions have their moment", "pause \"Ready?\""),
    word(Statement, "another", "the step that runs is passed once more when this pass is over", "if rolled = 6: another turn"),
    word(Statement, "finish", "the end of the game, now or after a step", "finish after this round"),
    word(Statement, "wins", "the player has won and the game is over; in scenarios: whether it ended so", "me wins \"four in a row\""),
    word(Statement, "loses", "the player is out, the last one left wins; in scenarios: whether it ended so", "me loses \"no move\""),
    word(Statement, "draw", "the game is over and nobody has won; in scenarios: whether it ended so", "draw \"the board is full\""),
    word(Statement, "stop", "leaves the innermost repeat, walk or loop", "stop"),
    word(Statement, "skip", "nothing happens", "skip"),
    word(Statement, "original", "what an overlay replaces, run or read in the same place", "instead of claim: original"),
    word(Expression, "and", "both", "a and b"),
    word(Expression, "or", "one or both", "a or b"),
    word(Expression, "not", "the contrary", "not a"),
    word(Expression, "implies", "if the left holds, the right must", "a implies b"),
    word(Expression, "within", "whether all of the left is in the right", "{red: 2} within hand"),
    word(Expression, "otherwise", "this value where the left is none", "c.guest otherwise me"),
    word(Expression, "then", "what an `if` in an expression means", "if c then 1 else 0"),
    word(Expression, "can", "whether an action could be done now", "can claim"),
    word(Expression, "parts", "`parts of`: every bag or set that can be taken out of one", "choose pay in parts of hand"),
    word(Expression, "best", "`best walk`: the walk with the greatest sum", "best walk on lines where unused max link.length"),
    word(Expression, "walks", "`best walks … by`: the best ones at once, no two over the same link", "best walks on lines by t in trains up to t.reach where fresh max 1"),
    word(Expression, "distance", "how many steps the shortest walk has, or none", "distance on lines from a to b"),
    word(Expression, "ends", "`ends of walk`: where one may end", "ends of walk on lines from a"),
    word(Expression, "some", "whether one fulfils the condition", "some(r in route: r.owner = me)"),
    word(Expression, "every", "whether all fulfil the condition", "every(r in route: r.owner)"),
    word(Expression, "no", "whether none fulfils the condition", "no(r in route where r.owner = me)"),
    word(Expression, "count", "how many", "count(r in route where r.owner = me)"),
    word(Expression, "sum", "the values added up", "sum(r in route: r.length)"),
    word(Expression, "min", "the smallest value; 0 of nothing", "min(r in route: r.length)"),
    word(Expression, "max", "the greatest value; 0 of nothing", "max(r in route: r.length)"),
    word(Expression, "first", "the first element or none", "first(c in card where c.wild)"),
    word(Expression, "bag", "the values as a bag", "bag(c in card: c)"),
    word(Expression, "list", "the values as a list", "list(c in card: c.cost)"),
    word(Expression, "shuffled", "a deck of these in random order", "deck = shuffled(card)"),
    word(Expression, "random", "one of these by chance", "random(colour)"),
    word(Expression, "repeats", "whether these cells have had these values before", "repeats(board)"),
    word(Value, "me", "the player who acts", "r.owner = me"),
    word(Value, "this", "the row or player that a formula belongs to", "player.rich = this.money > 10"),
    word(Value, "players", "how many play", "if players > 3: skip"),
    word(Value, "starter", "the player who begins", "each player from starter"),
    word(Value, "true", "holds", "wild = true"),
    word(Value, "false", "does not hold", "wild = false"),
    word(Value, "none", "no value", "r.owner = none"),
    word(Value, "box", "where pieces go that leave the game", "move c to box"),
    word(Value, "finishing", "whether the end has been called", "not finishing"),
    word(Value, "done", "the answer that declines", "A: done"),
    word(Value, "here", "in a walk: the node one is on", "walk on lines from a where here.open"),
    word(Value, "next", "in a walk: the node one would step to", "walk on lines from a where next.open"),
    word(Value, "link", "in a walk: the link used", "best walk on lines max link.length"),
    word(Value, "steps", "in a walk: how many steps have been taken", "walk on lines from a where steps < 3"),
    word(Value, "nodes", "in a walk: the nodes visited", "best walk on lines max nodes.size"),
    word(Value, "fresh", "in a walk: the next node was not visited", "walk on lines from a where fresh"),
    word(Value, "unused", "in a walk: the link was not used", "best walk on lines where unused max 1"),
    word(Value, "onward", "in a walk: not straight back", "walk on lines from a where onward"),
    word(Value, "straight", "in a walk: the same direction as before", "walk on board from c where straight"),
    word(Value, "orthogonal", "the directions over a side: four of a square, six of a hex", "choose s in orthogonal"),
    word(Value, "diagonal", "the directions between two sides", "choose s in diagonal"),
    word(Value, "leap", "the directions of a leap, as a knight makes it", "choose s in leap(1, 2)"),
    word(Value, "n", "north; also `ne` and `nw`", "c.next(n)"),
    word(Value, "e", "east", "c.next(e)"),
    word(Value, "s", "south; also `se` and `sw`", "c.next(s)"),
    word(Value, "w", "west", "c.next(w)"),
    word(Type, "bool", "true or false", "turn.paid: bool"),
    word(Type, "text", "words for people, only in columns", "name: text"),
    word(Type, "player", "a player; `player[1]` is the first seat", "route.owner: player?"),
    word(Type, "cell", "a position of the tiling", "piece.at: cell?"),
    word(Type, "side", "a direction of the tiling", "exits: set of side"),
    word(Type, "port", "a half of a tile's side", "ends: set of port"),
    word(Type, "action", "the name of an action, as a value", "bonus: action"),
    word(Type, "effect", "a call or changes that can be run", "gain: effect"),
    word(Type, "formula", "a formula of one element, in tables", "worth: formula of player: 0.."),
    word(Type, "agenda", "effects still to be done: `must` and `may`", "turn.todo: agenda"),
    word(Type, "set", "each element at most once", "tickets: set of ticket"),
    word(Type, "bag", "pieces: how many of each", "hand: bag of card"),
    word(Type, "list", "values in order", "queue: list of player"),
    word(Type, "deck", "an ordered pile; `top` is drawn", "draw_pile: deck of card hidden"),
    word(Type, "row", "places from left to right, with gaps", "display: row of 5 card"),
    word(Scenario, "players", "how many play the case", "players 4"),
    word(Scenario, "seed", "what draws and set-up follow from", "seed 7"),
    word(Scenario, "given", "the position: cells and what they hold", "given A.money = 5"),
    word(Scenario, "expect", "what holds, is offered or is not, where the case stands", "expect A.money = 3"),
    word(Scenario, "because", "the message or the rule that refuses an answer", "expect not A: claim because \"taken\""),
    word(Scenario, "choices", "exactly the answers offered", "expect choices = {draw_cards, claim}"),
    word(Scenario, "moment", "`at some moment`: what was true on the way to where the case stands", "expect at some moment A.money = 9"),
    word(Scenario, "until", "the answer again and again, until the condition holds", "each player: done until round.number = 3"),
    word(Scenario, "position", "lines that several cases begin from", "position \"a town in the north\""),
    word(Scenario, "setup", "`before setup`: draws and answers of the set-up", "before setup"),
    word(Member, "size", "how many elements", "hand.size"),
    word(Member, "count", "how many of one kind", "hand.count(red)"),
    word(Member, "top", "the top card of a deck, or none", "draw_pile.top"),
    word(Member, "bottom", "the bottom card of a deck, or none", "draw_pile.bottom"),
    word(Member, "seat", "a player's place at the table, from 1", "me.seat"),
    word(Member, "left", "the next player in seat order", "me.left"),
    word(Member, "right", "the player before in seat order", "me.right"),
    word(Member, "score", "a player's points", "p.score"),
    word(Member, "out", "whether the player has lost, or has won and play goes on", "choose p in player where not p.out"),
    word(Member, "standing", "a player's points as everybody can see them now", "p.standing"),
    word(Member, "number", "how many passes of a labelled loop have begun", "round.number"),
    word(Member, "joins", "whether two nodes are joined", "lines.joins(a, b)"),
    word(Member, "reach", "the nodes that can be reached", "lines.reach(a)"),
    word(Member, "value", "the sum of a best walk", "longest.value"),
    word(Member, "nodes", "the nodes of a best walk", "longest.nodes"),
    word(Member, "borders", "the borders of a place", "c.borders"),
    word(Member, "corners", "the corners of a place", "c.corners"),
    word(Member, "border", "the border of a place in a direction", "c.border(n)"),
    word(Member, "corner", "the corner of a place in a direction", "c.corner(ne)"),
    word(Member, "next", "the neighbour in a direction, or none", "c.next(n)"),
    word(Member, "row", "a position's row", "c.row"),
    word(Member, "col", "a position's column", "c.col"),
    word(Member, "turn", "how a tile lies", "c.turn"),
    word(Member, "back", "the opposite side", "s.back"),
    word(Member, "turned", "sides as a turned tile shows them", "s.turned(1)"),
    word(Member, "cell", "where a part lies", "p.cell"),
    word(Member, "must", "of an agenda: what has to be done", "todo.must += draw"),
    word(Member, "may", "of an agenda: what may be done", "todo.may += draw"),
];
