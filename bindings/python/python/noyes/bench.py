"""Results of `noyes bench` as a pandas table (`pip install noyes[bench]`)."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

import pandas

__all__ = ["read_results"]


def read_results(source: str | PathLike[str]) -> pandas.DataFrame:
    """The runs of a results file (.jsonl or .jsonl.gz), or of all such files in a folder: a row for each run.

    The columns are the fields of docs/bench.md; each tag has a column of its own, such as `tags.optimal`.
    """
    path = Path(source)
    files = sorted(path.glob("*.jsonl*")) if path.is_dir() else [path]
    if not files:
        raise FileNotFoundError(f"{path}: no results here (expected .jsonl or .jsonl.gz files)")
    runs = [pandas.read_json(file, lines=True, dtype_backend="numpy_nullable") for file in files]
    table = pandas.concat(runs, ignore_index=True)
    if "tags" not in table:  # a benchmark that has not begun
        return table
    tags = pandas.json_normalize(table.pop("tags").tolist()).add_prefix("tags.")
    return pandas.concat([table, tags], axis=1)
