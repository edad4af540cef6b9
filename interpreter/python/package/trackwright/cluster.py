"""Simulations, sweeps and tournaments on several machines, with Dask (https://distributed.dask.org).

    from trackwright import cluster

    client = cluster.local()                # or distributed.Client("scheduler:8786")
    found = cluster.simulate(rules, games=1_000_000)

The games are cut into parts, as `trackwright simulate --shard` cuts them; which worker plays which part, how often and in which
order changes nothing: the result is the one of a single machine, to the byte. Rules travel as texts, so a worker needs nothing
but this package.
"""

from __future__ import annotations

import os
import pickle
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast
from uuid import uuid4

import dask
from distributed import Client, LocalCluster, as_completed, default_client
from distributed.scheduler import KilledWorker

from . import CallError, Rules, RulesFault, Simulation, Sweep, Tournament
from ._trackwright import may_compete, may_simulate
from . import merge as merge_parts
from . import merge_tournament, simulate as play, tournament as play_tournament

PARTS_A_THREAD = 8
"""So many parts each thread of the cluster plays, in the mean: enough that none waits long for the last one."""

ATTEMPTS = 20
"""A part whose worker was lost is played again, so many times; behind that something is wrong with the part."""

QUIET = {
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.memory.monitor-interval": "2s",
    "distributed.worker.profile.enabled": False,
}
"""Dask looks after its workers up to a hundred times a second. Who only plays needs less of that."""

Progress = Callable[[int, int], Any]


def local(workers: int | None = None) -> Client:
    """A client of new workers on this machine, one for each core unless it is said how many; `client.shutdown()` ends them.

    A script that calls it does so below `if __name__ == "__main__":`, because its workers read it too.
    """
    _at_least_one("workers", workers)
    with dask.config.set(QUIET):
        started = LocalCluster(n_workers=workers or os.cpu_count() or 1, threads_per_worker=1, dashboard_address=":0")
        return Client(started)


def _at_least_one(name: str, number: int | None) -> None:
    """Says of a number that was given what is wrong with it."""
    if number is None:
        return
    if isinstance(number, bool) or not isinstance(number, int):
        raise TypeError(f"`{name}` wants a whole number, and this is of the type `{type(number).__name__}`")
    if number < 1:
        raise CallError(f"`{name}` is {number}\n  help: give a whole number, at least 1")


class Parts:
    """What came of the parts of one run, in whatever order and however often they come in: the first result of a part counts."""

    def __init__(self, count: int):
        self.count = count
        self._texts: dict[int, str] = {}
        self._fault: tuple[int, RulesFault] | None = None

    def add(self, part: int, outcome: str | RulesFault) -> bool:
        """Takes what came of a part, from 1. Whether that is news."""
        if part in self._texts or not self.wants(part):
            return False
        if isinstance(outcome, RulesFault):
            self._fault = (part, outcome)
        else:
            self._texts[part] = outcome
        return True

    def wants(self, part: int) -> bool:
        """Whether a part is still to be played: what lies behind a fault of the rules is not."""
        return part not in self._texts and (self._fault is None or part < self._fault[0])

    @property
    def missing(self) -> list[int]:
        return [part for part in range(1, self.count + 1) if self.wants(part)]

    def texts(self) -> list[str]:
        """All parts.

        Raises the fault of the rules that a single machine meets first.
        """
        if self._fault is not None:
            raise self._fault[1]
        return [self._texts[part] for part in sorted(self._texts)]


@lru_cache(maxsize=256)
def _rules(pickled: bytes) -> Rules:
    """Rules on a worker: compiled once."""
    return cast(Rules, pickle.loads(pickled))


def _play(kind: str, pickled: bytes, part: str, how: dict[str, Any]) -> str | RulesFault:
    """On a worker: plays a part. A fault of the rules is a result like any other: playing again meets it again."""
    rules = _rules(pickled)
    try:
        if kind == "tournament":
            return play_tournament(rules, shard=part, threads=1, **how).part
        return play(rules, shard=part, threads=1, **how).part
    except RulesFault as fault:
        return fault


def _run(
    kind: str,
    points: Sequence[Rules],
    games: int,
    how: dict[str, Any],
    client: Client | None,
    parts: int | None,
    progress: Progress | None,
) -> list[list[str]]:
    """The parts of each point. What is wrong with the call is told before a worker hears of it."""
    may = may_compete if kind == "tournament" else may_simulate
    for rules in points:
        may(rules, games, **how)
    _at_least_one("parts", parts)
    if client is not None and not isinstance(client, Client):
        raise TypeError(f"`client` wants a Client of Dask, and this is of the type `{type(client).__name__}`")
    client = client or _client()
    threads = sum(client.nthreads().values())
    if threads == 0:
        warnings.warn("no worker is there yet: the parts wait until one comes", stacklevel=3)
    threads = max(1, threads)
    count = parts or max(1, -(-PARTS_A_THREAD * threads // len(points)))
    count = max(1, min(count, games))
    all_parts = [Parts(count) for _ in points]
    pickled = [pickle.dumps(rules) for rules in points]
    run = uuid4().hex
    left: dict[str, tuple[int, int]] = {}
    asked: dict[tuple[int, int], int] = {}

    def submit(point: int, part: int) -> Any:
        asked[point, part] = asked.get((point, part), 0) + 1
        if asked[point, part] > ATTEMPTS:
            raise CallError(f"part {part} of {count} was lost with its worker {ATTEMPTS} times")
        key = f"trackwright-{run}-{point}-{part}-{asked[point, part]}"
        how_now = {"games": games, **how}
        future = client.submit(_play, kind, pickled[point], f"{part}/{count}", how_now, key=key, pure=False)
        left[future.key] = (point, part)
        return future

    played = as_completed([submit(point, part) for part in range(1, count + 1) for point in range(len(points))])
    done, of = 0, games * len(points)
    try:
        for future in played:
            point, part = left.pop(future.key)
            failed = future.exception() if future.status == "error" else None
            if future.status == "cancelled" or isinstance(failed, KilledWorker):
                if all_parts[point].wants(part):
                    played.add(submit(point, part))
                continue
            if all_parts[point].add(part, future.result()):
                done += games * part // count - games * (part - 1) // count
                if progress is not None:
                    progress(done, of)
            future.release()
            if not any(one.missing for one in all_parts):
                break
    finally:
        client.cancel(list(played.futures))
    return [one.texts() for one in all_parts]


def _client() -> Client:
    try:
        return cast(Client, default_client())
    except ValueError:
        help = 'make a client before: `cluster.local()` for this machine, or `distributed.Client("scheduler:8786")`'
        raise CallError(f"there is no cluster\n  help: {help}") from None


def simulate(
    rules: Rules,
    games: int = 1000,
    seed: int = 1,
    *,
    seats: int | None = None,
    bots: str | Sequence[str] = "random",
    client: Client | None = None,
    parts: int | None = None,
    progress: Progress | None = None,
) -> Simulation:
    """As `trackwright.simulate`, on all workers of `client`, or of the client that was made last. It has no tables of games.

    `parts` is how many parts the games are cut into; without it eight for each thread. `progress` hears `(done, of)` games as parts
    come in. Files of bots that have learnt must lie on all workers, under the same path.
    """
    how = {"seed": seed, "seats": seats, "bots": bots}
    return merge_parts(rules, _run("simulate", [rules], games, how, client, parts, progress)[0])


def sweep(
    rules: Rules,
    ranges: Mapping[str, str] | Sequence[str],
    games: int = 1000,
    seed: int = 1,
    *,
    seats: int | None = None,
    bots: str | Sequence[str] = "random",
    client: Client | None = None,
    parts: int | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """As `trackwright.sweep`; `parts` is how many parts the games of each point are cut into."""
    points = Rules.points(rules, ranges)
    how = {"seed": seed, "seats": seats, "bots": bots}
    played = _run("simulate", [point for _, point in points], games, how, client, parts, progress)
    return Sweep([(options, merge_parts(point, texts)) for (options, point), texts in zip(points, played)])


def tournament(
    rules: Rules,
    bots: Sequence[str] = ("random", "greedy"),
    games: int = 200,
    seed: int = 1,
    *,
    seats: int | None = None,
    client: Client | None = None,
    parts: int | None = None,
    progress: Progress | None = None,
) -> Tournament:
    """As `trackwright.tournament`; `client`, `parts` and `progress` are those of `simulate`."""
    how = {"bots": bots, "seed": seed, "seats": seats}
    return merge_tournament(rules, _run("tournament", [rules], games, how, client, parts, progress)[0])
