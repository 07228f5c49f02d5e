"""Results of `noyes bench` as a pandas table (`pip install noyes[bench]`)."""

from __future__ import annotations

import gzip
from io import StringIO
from os import PathLike
from pathlib import Path

import pandas

from .errors import InputError

__all__ = ["read_results"]


def read_results(source: str | PathLike[str]) -> pandas.DataFrame:
    """The runs of a results file (.jsonl or .jsonl.gz), or of all such files in a folder: a row for each run.

    The columns are the fields of docs/bench.md; each tag has a column of its own, such as `tags.optimal`. A last line that is
    not complete is left out: the benchmark is at work on it, or was killed.
    """
    path = Path(source)
    files = sorted(path.glob("*.jsonl*")) if path.is_dir() else [path]
    if not files:
        raise FileNotFoundError(f"{path}: no results here (expected .jsonl or .jsonl.gz files)")
    table = pandas.concat([_runs(file) for file in files], ignore_index=True)
    if "tags" not in table:  # a benchmark that has not begun
        return table
    tags = pandas.json_normalize(table.pop("tags").tolist()).add_prefix("tags.")
    return pandas.concat([table, tags], axis=1)


def _runs(path: Path) -> pandas.DataFrame:
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    complete = data[: data.rfind(b"\n") + 1]
    try:
        return pandas.read_json(StringIO(complete.decode()), lines=True, dtype_backend="numpy_nullable")
    except ValueError as error:
        raise InputError(f"{path}: these are no results of noyes bench ({error})") from None
