"""Lower bounds on arrays of boards.

Boards come as an array of shape (n, rows, columns) or (n, cells), of whole numbers of any type, or as a list of `noyes.Board`.
The result has a number for each board.

>>> import numpy as np
>>> manhattan(np.array([[1, 2, 3, 4, 0, 6, 7, 5, 8]]))
array([2], dtype=int32)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._noyes import evaluate

if TYPE_CHECKING:  # numpy takes longer to import than all else together
    import numpy as np
    from numpy.typing import NDArray

    from .types import Boards, Goal, Size

__all__ = ["evaluate", "linear_conflict", "manhattan", "misplaced", "walking"]


def manhattan(boards: Boards, goal: Goal | None = None, size: Size | None = None) -> NDArray[np.int32]:
    """The sum over the tiles of their distances to their places."""
    return evaluate("manhattan", boards, goal, size)


def misplaced(boards: Boards, goal: Goal | None = None, size: Size | None = None) -> NDArray[np.int32]:
    """The number of tiles that are not in their places."""
    return evaluate("misplaced", boards, goal, size)


def linear_conflict(boards: Boards, goal: Goal | None = None, size: Size | None = None) -> NDArray[np.int32]:
    """Manhattan distance, and two for each tile that must step out of its row or column."""
    return evaluate("linear-conflict", boards, goal, size)


def walking(boards: Boards, goal: Goal | None = None, size: Size | None = None) -> NDArray[np.int32]:
    """Rows and columns each solved exactly on their own (walking distance)."""
    return evaluate("walking", boards, goal, size)
