"""Many games: the numbers of the program, and tables."""

import csv
import io
import threading
import time

import pandas
import polars
import pyarrow
import pytest
import trackwright as tw


@pytest.mark.parametrize("name", ["ticket-to-ride-maerklin", "chess", "backgammon"])
def test_the_numbers_are_those_of_the_program(load, program, name):
    called = ["simulate", name, "--games", 12, "--seed", 7, "--bots", "random,greedy"]
    found = tw.simulate(load(name), 12, 7, bots=["random", "greedy"])
    assert found.json == program(*called, "--json", "-")
    assert found.csv == program(*called, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(program(*called, "--games-csv", "-"))))
    table = polars.DataFrame(found.by_game)
    assert table.columns == list(rows[0])
    for row, game in zip(rows, table.iter_rows(named=True)):
        for figure, text in row.items():
            value = game[figure]
            assert text == "" if value is None else abs(float(text) - value) < 0.01, figure


def test_tables_are_taken_over_as_they_lie(load):
    found = tw.simulate(load("ticket-to-ride-maerklin"), 20, seats=3, decisions=True)
    seats = found.by_seat
    assert len(seats) == 60
    # Taken over twice, the numbers lie where they lay.
    first, second = (pyarrow.table(seats).column("score").chunk(0).buffers()[1].address for _ in range(2))
    assert first == second
    table = polars.DataFrame(seats)
    assert table["seat"].unique().sort().to_list() == ["A", "B", "C"]
    wins = table.group_by("seat").agg(polars.col("wins").mean()).sort("seat")
    for seat, mean in wins.iter_rows():
        assert abs(mean - found.figures[f"wins.{seat}"][0]) < 0.01
    assert len(pandas.DataFrame.from_arrow(seats)) == 60
    decisions = polars.DataFrame(found.by_decision)
    assert decisions["game"].n_unique() == 20
    answers = decisions.group_by("game").len().sort("game")["len"]
    assert answers.to_list() == polars.DataFrame(found.by_game).sort("game")["answers"].to_list()
    with pytest.raises(tw.CallError, match="decisions=True"):
        tw.simulate(load("tic-tac-toe"), 1).by_decision


def test_parts_make_the_whole(load):
    rules = load("tic-tac-toe")
    whole = tw.simulate(rules, 50, 3, bots=["greedy", "random"])
    parts = [tw.simulate(rules, 50, 3, bots=["greedy", "random"], shard=f"{k}/4").part for k in (3, 1, 4, 2)]
    assert tw.merge(rules, parts).json == whole.json
    part = r"`tw.simulate\(rules, seats=2, bots=\[\"greedy\", \"random\"\], games=50, seed=3, shard=\"2/4\"\).part` plays"
    with pytest.raises(tw.CallError, match=f"(?s)are missing.*{part}"):
        tw.merge(rules, parts[:3])
    other = tw.simulate(rules, 50, 4, bots=["greedy", "random"], shard="2/4").part
    with pytest.raises(tw.CallError, match="`part 4` is not of the same run as .*: the seed is 4, not 3"):
        tw.merge(rules, [*parts[:3], other])
    with pytest.raises(tw.CallError, match="`part 1` was not played with these rules: the game is tic-tac-toe, not chess"):
        tw.merge(load("chess"), parts)
    for broken in (parts[0].replace("played", "plaid"), parts[0][:-40]):
        with pytest.raises(tw.CallError, match="`part 1` is not as it was written"):
            tw.merge(rules, [broken, *parts[1:]])
    with pytest.raises(tw.CallError, match="`part 1` is no part"):
        tw.merge(rules, ["nonsense"])
    with pytest.raises(tw.CallError, match="another part has too"):
        tw.merge(rules, [*parts, parts[0]])
    numbers = [polars.DataFrame(tw.simulate(rules, 10, shard=f"{k}/2").by_game)["game"].to_list() for k in (1, 2)]
    assert numbers == [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]


def test_the_lock_is_open_and_progress_told(load):
    rules, ticks, told = load("chess"), [0], []
    over = threading.Event()

    def tick():
        while not over.is_set():
            ticks[0] += 1
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    before = ticks[0]
    tw.simulate(rules, 60, progress=lambda done, of: told.append((done, of)))
    during = ticks[0] - before
    over.set()
    thread.join()
    assert during > 3 and told[-1] == (60, 60)
    with pytest.raises(ZeroDivisionError):
        tw.simulate(rules, 100_000, progress=lambda done, of: 1 / 0)


def test_sweeps_and_tournaments_are_those_of_the_program(load, program):
    rules = load("ticket-to-ride-maerklin")
    swept = tw.sweep(rules, {"wagons_each": "20..30..10"}, games=5, seats=2)
    called = ["sweep", "ticket-to-ride-maerklin", "--set", "wagons_each=20..30..10", "--games", 5, "--players", 2]
    assert swept.json == program(*called, "--json", "-")
    assert swept.csv == program(*called, "--csv", "-")
    assert [row["wagons_each"] for row in swept.figures] == [20, 30]
    rules = load("tic-tac-toe")
    found = tw.tournament(rules, ["random", "greedy"], 30)
    assert found.json == program("tournament", "tic-tac-toe", "--games", 30, "--json", "-")
    parts = [tw.tournament(rules, ["random", "greedy"], 30, shard=f"{k}/3").part for k in (2, 3, 1)]
    assert tw.merge_tournament(rules, parts).json == found.json


def test_wrong_numbers_are_told(load):
    rules = load("tic-tac-toe")
    wrong = [
        ({"games": 0}, "`games` is 0\n.*from 1 to 100000000"),
        ({"games": -1}, "`games` is -1\n"),
        ({"threads": 0}, "`threads` is 0\n.*from 1 to 256"),
        ({"shard": "3/2"}, '`shard` is "3/2"\n.*at most 1,000,000 parts'),
        ({"shard": "1/100", "games": 10}, "10 games cannot be played in 100 parts"),
        ({"bots": "nobody"}, "there is no bot `nobody`"),
        ({"bots": ["random"] * 3}, "3 bots for 2 players"),
    ]
    for how, said in wrong:
        with pytest.raises(tw.CallError, match=f"(?s){said}"):
            tw.simulate(rules, **how)
    with pytest.raises(tw.CallError, match=r"bots=\[\"random\", \"greedy\", \"search\"\]"):
        tw.tournament(rules, ["random"])
    with pytest.raises(tw.CallError, match=r'`\{"wagons_each": "LOW..HIGH"\}`'):
        load("ticket-to-ride-maerklin").points({"wagons_each": "x"})
