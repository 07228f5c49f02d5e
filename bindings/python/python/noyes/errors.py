"""The exceptions of noyes. Their messages are those of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._noyes import Answer

__all__ = ["Error", "InputError", "Interrupted", "LimitError", "ProofError", "SolverError"]


class Error(Exception):
    """What all errors of noyes have in common; an interruption is no error."""


class InputError(Error, ValueError):
    """A puzzle, a plan or an option makes no sense. The message says what was expected."""


class LimitError(Error):
    """A limit was reached before there was a result. (A search that reaches a limit has an answer instead: its bounds.)"""


class ProofError(Error):
    """There is no certificate, or it does not hold."""


class SolverError(Error, RuntimeError):
    """A solver failed, or what it found did not pass the check."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a search. It has what the search had found so far."""

    answer: Answer | None = None
    """The answer of `solve` so far: its bounds, and its best plan."""

    answers: list[Answer] = []
    """The answers of `solve_many` that were not yet given, finished or not."""
