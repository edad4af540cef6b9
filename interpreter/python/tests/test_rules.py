"""Games found, checked and chosen; what is wrong with them."""

import pickle

import pytest
import trackwright as tw
from conftest import GAMES, all_games

MANIFEST = '[game]\nid = "pebbles"\ntitle = "Pebbles"\nplayers = [2, 3]\nrules = ["rules/pebbles.rules"]\n'
RULES = """\
option pebbles: 5..30 = 21

heap: 0..30 = pebbles

action take(choose n in 1..3 where n <= heaps)
  heap -= n
  if heap = 0: me wins "the last pebble"

flow
  round: repeat
    turn: each player
      one of take
"""


def test_games_are_found():
    names = all_games()
    assert "chess" in names and "any" not in names
    with pytest.raises(tw.CallError, match="there are no games in"):
        tw.games("nowhere")


def test_a_game_is_loaded_and_says_what_it_is(load):
    rules = load("ticket-to-ride-maerklin", options={"wagons_each": 40})
    assert rules.id == "ticket-to-ride-maerklin"
    assert rules.options["wagons_each"] == 40
    assert rules.seats[0] >= 2
    assert rules.with_options(["wagons_each-=1"]).options["wagons_each"] == 39
    assert tw.load(GAMES / "ticket-to-ride-maerklin").fingerprint != rules.fingerprint


def test_wrong_calls_say_what_is_meant(load):
    with pytest.raises(tw.CallError, match="did you mean `chess`"):
        load("chss")
    with pytest.raises(tw.CallError, match="has no overlay `x`"):
        load("chess", ["x"])
    with pytest.raises(tw.CallError, match="has no option `x`"):
        load("chess", options={"x": 1})
    with pytest.raises(tw.CallError, match="(?s)players, not 9.*give `seats` 2"):
        load("chess").game(seats=9)
    with pytest.raises(tw.CallError, match="there are no parts"):
        tw.merge(load("chess"), [])
    with pytest.raises(tw.CallError, match="`games` names the folder"):
        tw.load("chess", games="nowhere")


WRONG_NUMBERS = [("seats", -1), ("seats", 10**30), ("seed", -1), ("seed", 2**64)]


@pytest.mark.parametrize(("name", "number"), WRONG_NUMBERS)
def test_wrong_numbers_are_told_by_name(load, name, number):
    for call in (tw.Game.new, tw.simulate, tw.tournament):
        with pytest.raises(tw.CallError, match=f"(?s)`{name}` is {number}\n.*give a whole number from"):
            call(load("tic-tac-toe"), **{name: number})


def test_what_is_of_a_wrong_type_says_what_is_wanted(load):
    rules = load("tic-tac-toe")
    game = rules.game()
    wrong = {
        "`overlays` wants a list of names, as .*, and this is of the type `str`": lambda: tw.load("chess", "stations"),
        "`options` wants values by name": lambda: tw.load("chess", options="wagons_each=3"),
        "`game` wants the name or path": lambda: tw.check([1]),
        "`answer` wants an answer, its index": lambda: game.apply(None),
        "`answer` wants an answer, .* of the type `bool`": lambda: game.apply(True),
        "`bots` wants the name of a bot": lambda: tw.simulate(rules, bots=None),
        "`bots` wants a list of bots": lambda: tw.tournament(rules, bots="greedy"),
        "`games` wants a whole number, .* `float`": lambda: tw.simulate(rules, games=1.5),
        "`games` wants a whole number, .* `bool`": lambda: tw.simulate(rules, games=True),
        "`rules` wants rules, as `tw.load": lambda: tw.simulate("tic-tac-toe"),
        "`ranges` wants ranges by name": lambda: tw.sweep(rules, "wagons_each=20..30"),
        "`parts` wants a list of the texts": lambda: tw.merge(rules, "part"),
    }
    for said, call in wrong.items():
        with pytest.raises(TypeError, match=said):
            call()


def test_options_are_values(load):
    typed = RULES.replace("heaps", "heap").replace("option ", "option last_wins: bool = true\noption ", 1)
    texts = {"pebbles/game.toml": MANIFEST, "pebbles/rules/pebbles.rules": typed}
    rules = tw.from_texts(texts)
    assert rules.options == {"pebbles": 21, "last_wins": True}
    assert rules.with_options({"last_wins": False, "pebbles": 9}).options == {"pebbles": 9, "last_wins": False}
    points = rules.points({"last_wins": "..", "pebbles": "5..10..5"})
    assert [at for at, _ in points] == [
        {"last_wins": truth, "pebbles": number} for truth in (True, False) for number in (5, 10)
    ]
    found = tw.sweep(rules, ["last_wins=.."], games=2)
    assert '"true"' in found.json and '"false"' in found.json


def test_mistakes_are_objects():
    texts = {"pebbles/game.toml": MANIFEST, "pebbles/rules/pebbles.rules": RULES}
    with pytest.raises(tw.RulesError) as raised:
        tw.from_texts(texts)
    first = raised.value.diagnostics[0]
    assert first.severity == "error"
    assert (first.file, first.line, first.column) == ("pebbles/rules/pebbles.rules", 5, 41)
    assert (first.end_line, first.end_column) == (5, 46)
    assert first.code and "nothing is called `heaps` here" in first.message and "heap" in first.help
    assert f"{first.file}:{first.line}:{first.column}" in str(first)
    found = tw.check(texts)
    assert first.code in [one.code for one in found]
    with pytest.raises(tw.CallError, match="no text `GAME/game.toml`"):
        tw.from_texts({"game.toml": MANIFEST})
    texts["pebbles/rules/pebbles.rules"] = RULES.replace("heaps", "heap")
    assert not [one for one in tw.check(texts) if one.severity == "error"]
    rules = tw.from_texts(texts, options={"pebbles": 7})
    game = rules.game(seats=3)
    assert game.keys == ["1", "2", "3"]
    while not game.over:
        game.apply(game.keys[-1])
    assert [place.won for place in game.result] == [0, 0, 1]


def test_checking_finds_what_the_program_finds(load, program):
    assert [one for one in tw.check("tic-tac-toe", games=GAMES) if one.severity == "error"] == []
    assert "no mistakes" in program("check", "tic-tac-toe")


def test_rules_travel_as_texts(load):
    rules = load("reversi")
    other = pickle.loads(pickle.dumps(rules))
    assert other.fingerprint == rules.fingerprint
    assert tw.from_texts(rules.texts, "reversi").fingerprint == rules.fingerprint
    family = load("ticket-to-ride-usa", options={"wagons_each": 30})
    other = pickle.loads(pickle.dumps(family))
    assert (other.fingerprint, other.options) == (family.fingerprint, family.options)
