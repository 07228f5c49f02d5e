"""The figures of docs/measured.md about Python.

    python bench.py [PROGRAM]      PROGRAM defaults to target/release/noyes

Times are processor time, the best of several runs. Tables are built anew: nothing is on disk.
"""

import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SOLVE_MANY = """
import sys, noyes
boards = open(sys.argv[1])
assert sum(answer.cost for answer in noyes.solve_many(boards, goal="blank-first")) == 5305
"""


def best(work: Callable[[], object], runs: int) -> float:
    """Seconds of processor time, the best of several runs."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def children(command: list[str]) -> float:
    """Seconds of processor time of a program that starts with nothing on disk."""
    with tempfile.TemporaryDirectory() as cache:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "XDG_CACHE_HOME": cache})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def korf(program: str) -> None:
    """Korf's hundred boards: the same work by the program and by `solve_many`, in turns."""
    with (ROOT / "data" / "korf15.csv").open() as file, tempfile.NamedTemporaryFile("w", suffix=".txt") as boards:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        boards.writelines(row["state"] + "\n" for row in rows)
        boards.flush()
        commands = {
            "the command line": [program, "solve", boards.name, "--goal", "blank-first", "--json"],
            "solve_many": [sys.executable, "-c", SOLVE_MANY, boards.name],
            "python that only imports noyes": [sys.executable, "-c", "import noyes"],
        }
        runs: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(7):
            for name, command in commands.items():
                runs[name].append(children(command))
    for name, times in runs.items():
        print(f"Korf's 100, {name}: {min(times):.3f} s of processor time")
    program_s, many_s, start_s = (min(times) for times in runs.values())
    print(f"solve_many / command line: {many_s / program_s:.3f}; without the start of Python: {(many_s - start_s) / program_s:.3f}")


def main() -> None:
    """All figures."""
    import noyes
    import numpy as np

    easy = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 0 15"
    for text, engine in (("1 2 3/4 0 6/7 5 8", "auto"), (easy, "auto"), (easy, "idastar")):
        board = noyes.Board(text)
        calls = 2000

        def solve(board: noyes.Board = board, engine: str = engine) -> None:
            for _ in range(calls):
                noyes.solve(board, engine)

        print(f"solve({text!r}, {engine!r}): {best(solve, 5) / calls * 1e6:.1f} µs")

    random = np.random.default_rng(1)
    for dtype in (np.int64, np.uint8):
        boards = random.permuted(np.tile(np.arange(16, dtype=dtype), (1_000_000, 1)), axis=1)
        for name in ("manhattan", "linear-conflict"):
            seconds = best(lambda name=name, boards=boards: noyes.heuristics.evaluate(name, boards), 5)  # type: ignore[misc]
            print(f"a million boards, {name}, {np.dtype(dtype)}: {seconds:.3f} s")

    korf(sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "target" / "release" / "noyes"))


if __name__ == "__main__":
    main()
