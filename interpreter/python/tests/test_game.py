"""Playing: answers, reasons, what is seen, games as files."""

import copy
import pickle
import random

import pytest
import trackwright as tw
from conftest import GAMES, all_games


def played(rules, seed=1, answers=30, seats=None):
    game, chance = tw.Game.new(rules, seed, seats), random.Random(seed)
    for _ in range(answers):
        if game.over:
            break
        game.apply(chance.choice(game.keys))
    return game


@pytest.mark.parametrize("name", all_games())
def test_a_game_goes_on_from_its_text(load, name):
    rules = load(name)
    game = played(rules)
    followed = rules.replay(game.text())
    assert followed.complete and not followed.other_rules, followed
    again = followed.game
    for one in (again, game.clone(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
        assert one.text() == game.text()
        assert one.keys == game.keys and one.seat == game.seat
        if not game.over:
            one.apply(0)
            assert one.text() != game.text() or one.over
    for seat in game.seats:
        seen = game.observe(seat)
        assert seen.seat == seat
        assert len(seen.numbers) == len(rules.numbers_called(len(game.seats)))


def test_answers_have_words_and_keys(load):
    game = load("tic-tac-toe").game()
    assert game.seat == "A" and game.question
    answer = game.answers[4]
    assert game.keys[4] == answer.key and answer.index == 4
    game.apply(answer)
    assert game.log[0][:2] == ("A", answer.key)
    with pytest.raises(tw.NotOffered) as raised:
        game.apply(answer.key)
    assert raised.value.reasons == game.why(answer.key) != []
    assert game.why(game.keys[0]) == []
    assert game.refused()
    assert game.answers[0] in game.answers and game.answers[0] != game.answers[1]
    for index, said in ((99, "they are 0 to 7"), (-1, "they are 0 to 7"), (10**30, "so many answers there are not")):
        with pytest.raises(tw.NotOffered, match=said):
            game.apply(index)
    assert game.observe("a").seat == "A"
    with pytest.raises(tw.CallError, match="cannot be read"):
        game.apply("claim(")
    with pytest.raises(tw.CallError, match="there is no seat `Z`"):
        game.observe("Z")


def test_what_is_not_asked_now_is_no_answer(load):
    """A deed of which only the choice is asked: nothing is against it, and it is no answer."""
    game = load("connect-four").game()
    assert game.why(game.keys[0]) == []
    assert "what is asked now is: " in game.why("drop")[0]
    with pytest.raises(tw.NotOffered) as raised:
        game.apply("drop")
    assert raised.value.reasons == game.why("drop")


def test_a_pickled_game_goes_on_as_the_other_would(load):
    game = played(load("ticket-to-ride-maerklin"), answers=25)
    other = pickle.loads(pickle.dumps(game))
    for _ in range(40):
        if game.over:
            break
        key = game.keys[0]
        assert game.apply(key) == other.apply(key)
    assert game.text() == other.text()


def test_what_differs_is_told(load, tmp_path, program):
    """A recorded game under other rules than its own: the first thing that differs, here and on the command line."""
    rules = load("ticket-to-ride-maerklin", options={"wagons_each": 20})
    game, file = played(rules, answers=400, seats=2), tmp_path / "short.replay"
    game.save(file)
    plain = load("ticket-to-ride-maerklin")
    differs = "it was played with `wagons_each` 20, and here it is as the game has it"
    followed = plain.replay(game.text())
    assert followed.other_rules and followed.differs == differs
    with pytest.raises(tw.CallError, match=f"(?s){differs}.*tw.rules_of"):
        tw.Game.load(plain, file)
    own = tw.rules_of(file, games=GAMES)
    assert own.fingerprint == rules.fingerprint and tw.Game.load(own, file).text() == game.text()
    assert differs in program("replay", file, "--of", "ticket-to-ride-maerklin", exit=1)
    with pytest.raises(tw.CallError, match="it is a game of `ticket-to-ride-maerklin`"):
        tw.Game.load(load("tic-tac-toe"), file)


def test_a_game_comes_to_an_end(load):
    game = load("tic-tac-toe").game()
    while not game.over:
        game.apply(game.bot_answer("greedy"))
    assert game.seat is None and game.answers == [] and game.ending
    places = game.result
    assert sum(place.won for place in places) in (0, 1)
    assert game.observe("A").lines
    with pytest.raises(tw.CallError, match="the game is over"):
        game.apply(0)


def test_games_are_files(load, tmp_path, program):
    rules = load("ticket-to-ride-maerklin")
    game = played(rules, seed=5, answers=12, seats=3)
    file = tmp_path / "evening.replay"
    game.save(file)
    assert tw.Game.load(rules, file).text() == game.text()
    assert "The game goes as it went" in program("replay", file)
    with pytest.raises(tw.CallError, match="is no recorded game"):
        rules.replay("nonsense")
    wrong = game.text().replace(game.log[0][1], "nothing", 1)
    other = rules.replay(wrong)
    assert not other.complete and other.line and "nothing" in other.told and other.offered
    assert other.game is None or other.game.text() != game.text()
    with pytest.raises(tw.CallError, match="No such file|no such file|cannot be read"):
        tw.Game.load(rules, tmp_path / "none.replay")


def test_a_seat_sees_only_its_own(load):
    """Two games that look the same to a seat give it the same numbers: what others hold does not show."""
    rules = load("ticket-to-ride-maerklin")
    game = rules.game(seed=3, seats=2)
    own, other = game.observe("A"), game.observe("B")
    called = rules.numbers_called(2)
    hands = [at for at, name in enumerate(called) if name.startswith("B.hand") and not name.endswith("unseen")]
    assert hands
    assert all(own.numbers[at] == 0 for at in hands)
    assert any(other.numbers[at] > 0 for at in hands)
