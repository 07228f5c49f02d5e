"""Runs the notebooks from top to bottom, as a reader would. An error in a cell is an error here.

    python run_notebooks.py            the notebooks beside this file
"""

import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient

folder = Path(__file__).parent / "notebooks"
for path in sorted(folder.glob("*.ipynb")):
    notebook = nbformat.read(path, as_version=4)
    if any(cell.get("outputs") for cell in notebook.cells):
        sys.exit(f"{path.name}: clear its outputs before you commit it")
    start = time.monotonic()
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    print(f"{path.name}: {len(notebook.cells)} cells in {time.monotonic() - start:.1f} s")
