"""Plots, with matplotlib (`pip install noyes[plot]`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._noyes import Answer

__all__ = ["bounds"]


def bounds(answer: Answer, ax: Axes | None = None) -> Axes:
    """Draws the lower and the upper bound of an answer over time, into `ax` or a new figure."""
    ax = plt.subplots()[1] if ax is None else ax
    history = answer.history
    times = [time for time, _, _ in history]
    ax.step(times, [lower for _, lower, _ in history], where="post", marker=".", label="lower bound")
    known = [(time, upper) for time, _, upper in history if upper is not None]
    if known:
        ax.step([time for time, _ in known], [upper for _, upper in known], where="post", marker=".", label="upper bound")
    ax.set_xlabel("seconds")
    ax.set_ylabel(answer.objective)
    ax.legend()
    return ax
