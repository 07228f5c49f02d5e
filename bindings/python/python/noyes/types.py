"""Names for what functions take: for annotations."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from os import PathLike
from typing import Any, Literal, TypeAlias, TypedDict, Union

from numpy.typing import ArrayLike, NDArray

from ._noyes import Board, Graph, Level, Plan

__all__ = ["BoardLike", "Boards", "Goal", "Moves", "Options", "Puzzle", "PuzzleLike", "Seconds", "Size"]

Size: TypeAlias = Union[str, tuple[int, int]]
"""Columns and rows: "4x3" or (4, 3)."""

BoardLike: TypeAlias = Union[Board, str, Sequence[int], Sequence[Sequence[int]], NDArray[Any]]
"""A board, or what makes one."""

Goal: TypeAlias = BoardLike
"""A board to reach, or the name of one: "blank-last" or "blank-first"."""

Boards: TypeAlias = Union[ArrayLike, Sequence[Board]]
"""An array of shape (n, rows, columns) or (n, cells), or a list of boards."""

Puzzle: TypeAlias = Union[Board, Level, Graph]
"""A puzzle."""

PuzzleLike: TypeAlias = Union[Puzzle, BoardLike]
"""A puzzle, or what makes one."""

Moves: TypeAlias = Union[str, Plan, Sequence[str]]
"""A plan, or what makes one."""

Seconds: TypeAlias = Union[float, timedelta]
"""A time."""


class Options(TypedDict, total=False):
    """The keyword arguments of `solve` and `solve_many` beside those with a place of their own."""

    goal: Goal | None
    objective: Literal["moves", "pushes"] | None
    no_wait: bool
    any: bool
    duplicates: int | None
    backward: bool
    memory_limit: int | None
    checkpoint: str | PathLike[str] | None
    encoding: str | None
    backend: str | None
    bounds: str | None
    keep: str | None
    at_most: int | None
    from_length: int | None
    decompose: bool
    share: str | None
