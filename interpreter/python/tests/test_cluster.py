"""Several workers: the bytes of a single machine, whatever becomes of the workers."""

import os
import pickle
import signal

import pytest
import trackwright as tw
from trackwright import cluster

BROKEN = {
    "gamble/game.toml": '[game]\nid = "gamble"\ntitle = "Gamble"\nplayers = [2, 2]\nrules = ["gamble.rules"]\n',
    "gamble/gamble.rules": """\
tries: 0..1000 = 0
dice: 0..99 = 1

action roll
  tries += 1
  dice = random(0..99)
  if 7 / dice > 7: tries += 1
  if tries > 2: me wins "three rolls"

flow
  round: repeat
    turn: each player
      one of roll
""",
}


@pytest.fixture(scope="module")
def client():
    client = cluster.local(2)
    yield client
    client.shutdown()


def pids(client):
    return list(client.run(os.getpid).values())


def test_all_is_as_on_one_machine(load, client):
    rules, told = load("ticket-to-ride-maerklin"), []
    how = {"games": 30, "seed": 4, "seats": 2, "bots": ["greedy", "random"]}
    found = cluster.simulate(rules, **how, progress=lambda done, of: told.append((done, of)))
    assert found.json == tw.simulate(rules, **how).json
    assert told[-1] == (30, 30) and sorted(told) == told
    swept = cluster.sweep(rules, {"wagons_each": "20..30..10"}, 6, seats=2, client=client, parts=3)
    assert swept.json == tw.sweep(rules, {"wagons_each": "20..30..10"}, games=6, seats=2).json
    cup = cluster.tournament(load("tic-tac-toe"), ["random", "greedy"], 40, parts=7)
    assert cup.json == tw.tournament(load("tic-tac-toe"), ["random", "greedy"], 40).json


def test_workers_that_are_killed_change_nothing(load, client):
    rules, killed = load("ticket-to-ride-maerklin"), []

    def kill(done, of):
        """Kills a worker as soon as the first parts are in: however fast a machine is, there are others to play then."""
        if len(killed) < 3:
            try:
                pid = pids(client)[0]
                os.kill(pid, signal.SIGKILL)
                killed.append(pid)
            except (IndexError, OSError):
                pass

    found = cluster.simulate(rules, 300, 2, seats=3, parts=12, progress=kill)
    assert killed
    assert found.json == tw.simulate(rules, 300, 2, seats=3).json


def test_duplicates_and_late_results_change_nothing(load):
    rules = load("tic-tac-toe")
    texts = {part: tw.simulate(rules, 40, shard=f"{part}/4").part for part in range(1, 5)}
    whole = tw.simulate(rules, 40).json
    parts = cluster.Parts(4)
    for part in (3, 3, 1, 4):
        parts.add(part, texts[part])
    assert parts.missing == [2] and not parts.add(3, "what a late worker says")
    assert parts.add(2, texts[2]) and parts.missing == []
    assert not parts.add(1, texts[1])
    assert tw.merge(rules, parts.texts()).json == whole


def test_a_fault_of_the_rules_is_the_one_that_a_single_machine_meets(client):
    rules = tw.from_texts(BROKEN)
    with pytest.raises(tw.RulesFault) as alone:
        tw.simulate(rules, 400, 3)
    with pytest.raises(tw.RulesFault) as together:
        cluster.simulate(rules, 400, 3, client=client)
    one, other = alone.value, together.value
    assert (one.game, one.seed, one.replay) == (other.game, other.seed, other.replay)
    assert str(one) == str(other) and "division by zero" in str(one)
    again = pickle.loads(pickle.dumps(one))
    assert [str(at) for at in again.diagnostics] == [str(at) for at in one.diagnostics]


def test_wrong_calls_are_told_before_a_worker_hears_of_them(load, client, monkeypatch):
    def never(*_, **__):
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(client, "submit", never)
    rules = load("tic-tac-toe")
    for how, said in [
        ({"bots": "nobody"}, "there is no bot `nobody`"),
        ({"games": 0}, "`games` is 0"),
        ({"seats": 9}, "players, not 9"),
        ({"parts": 0}, "`parts` is 0"),
    ]:
        with pytest.raises(tw.CallError, match=said):
            cluster.simulate(rules, client=client, **how)
    with pytest.raises(tw.CallError, match="1 bot in a tournament"):
        cluster.tournament(rules, ["random"], client=client)
    with pytest.raises(TypeError, match="`rules` wants rules"):
        cluster.simulate("tic-tac-toe", client=client)
    with pytest.raises(TypeError, match="`games` wants a whole number"):
        cluster.simulate(rules, games="9", client=client)
    with pytest.raises(TypeError, match="`client` wants a Client of Dask"):
        cluster.simulate(rules, client=5)
    for workers, kind in ((0, tw.CallError), ("x", TypeError), (True, TypeError)):
        with pytest.raises(kind, match="workers"):
            cluster.local(workers)


def test_without_a_cluster_it_says_what_to_do(load, client, monkeypatch):
    def none():
        raise ValueError

    monkeypatch.setattr(cluster, "default_client", none)
    with pytest.raises(tw.CallError, match="there is no cluster"):
        cluster.simulate(load("tic-tac-toe"))
