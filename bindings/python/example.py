"""A tour of noyes in Python. docs/python.md explains each step."""

from itertools import islice

import noyes
import numpy as np

# One board.
answer = noyes.solve("8 6 7/2 5 4/3 0 1")
print(answer, answer.plan)
assert answer.is_optimal and answer.plan is not None and noyes.check(answer.puzzle, answer.plan)

# Why not?
print(noyes.Board("1 2 3/4 5 6/8 7 0").reason())

# A level, with the fewest moves instead of pushes.
level = noyes.shipped_levels()[10]
print(noyes.solve(level, objective="moves"), "for", level.title)

# Many boards, on two threads, in order.
boards = noyes.generate("4x4", 20, seed=7)
print([answer.cost for answer in noyes.solve_many(boards, threads=2)])

# As long as you like, and no longer.
hard = noyes.Board(np.arange(24, -1, -1).reshape(5, 5))
limited = noyes.solve(hard, time_limit=0.5, on_progress=lambda progress: None)
print(limited.status, limited.stop, limited.bounds, limited.history[-1])

# Lower bounds of many boards at once, and a pattern database.
arrays = np.stack([board.array for board in boards])
print(noyes.heuristics.manhattan(arrays))
print(noyes.pattern_database([1, 2, 3], "3x3").shape)

# Clauses, as PySAT takes them.
formula = noyes.encode(boards[0], 20, "rotated")
print(formula, list(islice(formula, 3)))

# A proof.
print(answer.proof().proved)

# An error says what was expected.
try:
    noyes.solve("1 2 2/4 0 6/7 5 8")
except noyes.InputError as error:
    print("error:", error)
