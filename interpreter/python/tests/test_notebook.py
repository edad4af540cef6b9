"""The notebook is run as it stands."""

from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).resolve().parents[1] / "notebooks" / "variant.ipynb"


def test_the_notebook_comes_to_its_plots(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for needed in ("ipykernel", "matplotlib", "polars"):
        pytest.importorskip(needed)
    (tmp_path / "games").symlink_to(NOTEBOOK.parents[3] / "games")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells), "outputs are not kept"
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 2
    said = "".join(output.get("text", "") for output in outputs)
    assert "Quick" in said and "did you mean `wagons_each`" in said
