//! Whole constructs, ready to be filled in; `$0` is where the cursor comes to stand.

/// One construct.
pub(super) struct Snippet {
    pub label: &'static str,
    pub meaning: &'static str,
    pub text: &'static str,
}

const fn snippet(label: &'static str, meaning: &'static str, text: &'static str) -> Snippet {
    Snippet {
        label,
        meaning,
        text,
    }
}

pub(super) const DECLARATIONS: &[Snippet] = &[
    snippet(
        "action …",
        "something a player does",
        "action $0\n  need true\n",
    ),
    snippet(
        "action with a choice",
        "the player decides about something",
        "action $0(choose x in table where true else \"why not\")\n  skip\n",
    ),
    snippet("option …", "a dial for variants", "option $0: 0..10 = 5\n"),
    snippet("enum …", "a list of words", "enum $0 = one, two\n"),
    snippet(
        "table …",
        "components from a file",
        "table $0 in \"components/file.toml\"\n  name: text\n",
    ),
    snippet(
        "table in the rules",
        "a grid of values",
        "table $0[index]\n  index | value\n  row | 1\n",
    ),
    snippet(
        "player cell",
        "something each player has",
        "player.$0: 0.. = 0\n",
    ),
    snippet(
        "always …",
        "what must hold at every moment",
        "always $0: true else \"why not\"\n",
    ),
    snippet("check …", "what the rules keep true", "check $0: true\n"),
    snippet(
        "when …",
        "what happens by itself",
        "when $0: true\n  skip\n",
    ),
    snippet(
        "flow …",
        "how the game runs",
        "flow\n  round: repeat\n    turn: each player\n      act: one of $0\n",
    ),
    snippet(
        "strategy …",
        "what a bot plays by",
        "strategy \"$0\"\n  prefer score\n",
    ),
    snippet("score …", "lines of the score", "score\n  $0 = 0\n"),
    snippet(
        "network …",
        "links between places",
        "network player.lines links r in $0 from r.a to r.b where r.owner = this\n",
    ),
];

pub(super) const OVERLAY: &[Snippet] = &[
    snippet("set …", "another value for an option", "set $0 = 1\n"),
    snippet(
        "with …",
        "what holds only where another overlay is on",
        "with $0\n  ",
    ),
    snippet(
        "add condition …",
        "one more condition on a choice",
        "add to $0 where true else \"why not\"\n",
    ),
    snippet("add to …", "one more item of a step", "add to $0: skip\n"),
    snippet("before …", "first do this", "before $0\n  skip\n"),
    snippet("after …", "then do this", "after $0\n  skip\n"),
    snippet(
        "instead of …",
        "do this in its place",
        "instead of $0\n  original\n",
    ),
    snippet(
        "replace …",
        "another declaration in its place",
        "replace $0 = original\n",
    ),
    snippet("remove …", "take it away", "remove $0\n"),
    snippet(
        "patch …",
        "other cells in rows",
        "patch $0 where true: column = 1\n",
    ),
    snippet(
        "rows …",
        "more rows of a table",
        "rows $0\n  id | name\n  one | one\n",
    ),
];

pub(super) const STATEMENTS: &[Snippet] = &[
    snippet(
        "if … else",
        "one way or the other",
        "if $0: skip\nelse: skip",
    ),
    snippet("choose …", "the player decides", "choose x in $0"),
    snippet("each …", "for every element", "each x in $0: skip"),
    snippet(
        "each player …",
        "one player after the other",
        "each player: $0",
    ),
    snippet("one of …", "the player picks one", "one of $0"),
    snippet(
        "match …",
        "by the value",
        "match $0\n  a: skip\n  else: skip",
    ),
    snippet(
        "repeat while …",
        "as long as it holds",
        "repeat while $0: skip",
    ),
    snippet(
        "need …",
        "else this is not offered",
        "need $0 else \"why not\"",
    ),
    snippet(
        "move … to …",
        "pieces from place to place",
        "move $0 to box",
    ),
    snippet(
        "… wins",
        "the player has won, the game is over",
        "me wins \"$0\"",
    ),
    snippet("draw …", "the game is over, nobody has won", "draw \"$0\""),
    snippet(
        "another …",
        "the step that runs is passed once more",
        "another $0",
    ),
    snippet(
        "finish after …",
        "the end of the game",
        "finish after this $0",
    ),
];

pub(super) const SCENARIO: &[Snippet] = &[snippet(
    "scenario …",
    "a worked case",
    "scenario \"$0\"\n  players 2\n  given\n    A.money = 5\n  A: done\n  expect finished\n",
)];

pub(super) const STEPS: &[Snippet] = &[
    snippet("given …", "the position", "given $0 = 1"),
    snippet("answers", "what a player answers", "A: $0"),
    snippet("expect …", "what must hold", "expect $0"),
    snippet(
        "expect not …",
        "what is not offered",
        "expect not A: $0 because \"…\"",
    ),
    snippet(
        "expect choices …",
        "exactly what is offered",
        "expect choices = {$0}",
    ),
    snippet("before setup", "fixed draws", "before setup\n  $0"),
    snippet(
        "expect at some moment …",
        "what was true on the way here",
        "expect at some moment $0",
    ),
    snippet(
        "… until …",
        "an answer again and again",
        "each player: done until $0",
    ),
];
