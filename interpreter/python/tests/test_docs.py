"""What the pages show is run, in the order in which it stands there, as by somebody who has the page alone."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("page", ["python.md", "cluster.md"])
def test_a_page_can_be_followed(page, tmp_path, monkeypatch, capsys):
    text = (ROOT / "docs" / page).read_text()
    (tmp_path / "games").symlink_to(ROOT / "games")
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
    assert blocks
    names: dict = {"__name__": "__main__"}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    said = capsys.readouterr().out
    assert said and "Traceback" not in said
