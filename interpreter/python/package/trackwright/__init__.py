"""Games whose rules are written with trackwright: checked, played and play-tested.

    import trackwright as tw

    rules = tw.load("harbour")                     # a name, or the path of a folder
    game = tw.Game.new(rules, seed=1, seats=2)
    game.apply(game.answers[0])
    tw.simulate(rules, games=1000).by_seat         # a table for Polars, pandas, PyArrow

Everything is done by the code of the program itself, so that all numbers are the same.
"""

from __future__ import annotations

from collections.abc import Sequence


from . import _trackwright
from ._trackwright import (
    Answer,
    CallError,
    Diagnostic,
    Error,
    Followed,
    Game,
    NotOffered,
    Observation,
    Place,
    Rules,
    RulesError,
    RulesFault,
    Simulation,
    Table,
    Tournament,
    __version__,
    check,
    from_texts,
    games,
    load,
    merge,
    merge_tournament,
    rules_of,
    simulate,
    tournament,
)
from ._sweep import Sweep, sweep

__all__ = [
    "Answer",
    "CallError",
    "Diagnostic",
    "Error",
    "Followed",
    "Game",
    "NotOffered",
    "Observation",
    "Place",
    "Rules",
    "RulesError",
    "RulesFault",
    "Simulation",
    "Sweep",
    "Table",
    "Tournament",
    "__version__",
    "check",
    "from_texts",
    "games",
    "load",
    "main",
    "merge",
    "merge_tournament",
    "rules_of",
    "simulate",
    "sweep",
    "tournament",
]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line: what `trackwright` in a shell does, the window apart. The result is the exit code."""
    import sys

    return _trackwright.main(list(sys.argv[1:] if arguments is None else arguments))
