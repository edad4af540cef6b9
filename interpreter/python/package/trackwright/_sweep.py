"""What becomes of the games where options are turned up or down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ._trackwright import Rules, Simulation, simulate, tried_csv, tried_json


class Sweep:
    """What was set at each point, and what came of the games there."""

    def __init__(self, tried: list[tuple[dict[str, Any], Simulation]]):
        self.tried = tried

    def __len__(self) -> int:
        return len(self.tried)

    def __iter__(self) -> Iterator[tuple[dict[str, Any], Simulation]]:
        return iter(self.tried)

    @property
    def figures(self) -> list[dict[str, Any]]:
        """A row a point: what was set, and the mean of each figure."""
        return [
            {**options, **{name: mean for name, (mean, _, _) in simulation.figures.items()}}
            for options, simulation in self.tried
        ]

    @property
    def json(self) -> str:
        """As `trackwright sweep --json` writes it."""
        return tried_json(self.tried)

    @property
    def csv(self) -> str:
        """As `trackwright sweep --csv` writes it."""
        return tried_csv(self.tried)

    def __repr__(self) -> str:
        return f"<trackwright.Sweep of {len(self)} points>"


def sweep(rules: Rules, ranges: Mapping[str, str] | Sequence[str], **many: Any) -> Sweep:
    """Plays the same games at every combination of option values, `{"wagons_each": "20..45..5"}`; `..` alone is all values.

    What else is given is given to `simulate` at each point.
    """
    return Sweep([(options, simulate(point, **many)) for options, point in rules.points(ranges)])
