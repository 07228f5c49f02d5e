"""Optimal solutions of sliding-tile puzzles and Sokoban, by search and by SAT.

>>> import noyes
>>> answer = noyes.solve("8 6 7/2 5 4/3 0 1")
>>> answer.cost, str(answer.plan)
(31, 'UULDDRRUULDLDRRUULDLDRRUULLDDRR')
"""

from . import heuristics
from ._noyes import (
    BACKENDS,
    ENCODINGS,
    ENGINES,
    HEURISTICS,
    Answer,
    Answers,
    Board,
    Certificate,
    Formula,
    Graph,
    Level,
    Plan,
    Progress,
    Replay,
    __version__,
    certify,
    check,
    encode,
    generate,
    pattern_database,
    read_levels,
    shipped_levels,
    solve,
    solve_many,
    verify,
)
from .errors import Error, InputError, Interrupted, LimitError, ProofError, SolverError

__all__ = [
    "BACKENDS",
    "ENCODINGS",
    "ENGINES",
    "HEURISTICS",
    "Answer",
    "Answers",
    "Board",
    "Certificate",
    "Error",
    "Formula",
    "Graph",
    "InputError",
    "Interrupted",
    "Level",
    "LimitError",
    "Plan",
    "Progress",
    "ProofError",
    "Replay",
    "SolverError",
    "__version__",
    "certify",
    "check",
    "encode",
    "generate",
    "heuristics",
    "pattern_database",
    "read_levels",
    "shipped_levels",
    "solve",
    "solve_many",
    "verify",
]
