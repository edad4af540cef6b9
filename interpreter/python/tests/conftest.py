"""What the tests share: the games of this workspace, and the program that everything is compared with."""

import subprocess
import sys
from pathlib import Path

import pytest
import trackwright as tw

GAMES = Path(__file__).resolve().parents[3] / "games"


def all_games() -> list[str]:
    return tw.games(GAMES)


@pytest.fixture(scope="session")
def load():
    """Loads a game of this workspace, each choice once."""
    known = {}

    def load(game, overlays=(), options=None):
        key = (game, tuple(overlays), str(options))
        if key not in known:
            known[key] = tw.load(game, list(overlays), options, games=GAMES)
        return known[key]

    return load


@pytest.fixture
def program(tmp_path):
    """Calls the command line of the package, as a process."""

    def program(*arguments, exit=0):
        call = [sys.executable, "-c", "import sys, trackwright; sys.exit(trackwright.main())"]
        said = subprocess.run(
            [*call, "--games", str(GAMES), *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True
        )
        assert said.returncode == exit, said.stderr
        return said.stdout

    return program
