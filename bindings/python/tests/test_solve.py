"""Solving: one puzzle and many, limits, interruptions, threads and processes."""

import csv
import itertools
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from datetime import timedelta
from pathlib import Path

import noyes
import numpy as np
import pytest

HARDEST = "8 6 7/2 5 4/3 0 1"
LONG = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0"
LEVEL = "######\n#@ $.#\n######"
KORF = Path(__file__).parents[3] / "data" / "korf15.csv"


def korf(count):
    with KORF.open() as file:
        rows = [row for row in csv.reader(line for line in file if not line.startswith("#"))]
    head = rows[0]
    state, optimum = head.index("state"), head.index("optimal")
    return [(row[state], int(row[optimum])) for row in rows[1 : count + 1]]


def test_the_hardest_eight_puzzle():
    answer = noyes.solve(HARDEST)
    assert (answer.status, answer.cost, answer.bounds, answer.objective) == ("optimal", 31, (31, 31), "moves")
    assert answer.is_optimal and answer.stop is None and answer.reason is None
    plan = answer.plan
    assert plan is not None and len(plan) == len(plan.moves) == len(list(plan)) == 31
    assert noyes.check(HARDEST, plan).solved and str(plan.states()[-1]) == "1 2 3/4 5 6/7 8 0"
    assert plan == str(plan) and plan == noyes.Plan(HARDEST, str(plan)) and hash(plan) == hash(str(plan))
    assert pickle.loads(pickle.dumps(plan)) == plan and plan[0] == plan.moves[0] and plan[-1] == plan.moves[-1]
    assert noyes.check(HARDEST, plan.to_text("tile"), notation="tile")
    with pytest.raises(IndexError):
        plan[31]
    assert plan[:3] == plan.moves[:3] and "".join(plan[::-1]) == str(plan)[::-1]
    with pytest.raises(TypeError):
        plan["U"]
    assert answer.counts["generated"] > 0 and answer.wall_s > 0 and answer.history[-1][1:] == (31, 31)
    assert repr(answer) == "<Answer: optimal, 31 moves>"
    assert answer.puzzle == noyes.Board(HARDEST)


@pytest.mark.parametrize("engine", [e for e in noyes.ENGINES if e not in ("iddfs",)])
def test_every_engine_solves_a_board(engine):
    answer = noyes.solve("1 2 3/4 0 6/7 5 8", engine=engine)
    assert answer.cost == 2 if engine != "human" else answer.cost >= 2
    assert engine == "auto" or answer.engine == engine


@pytest.mark.parametrize("heuristic", [*noyes.HEURISTICS, "pdb:4-4", "walking/linear-conflict"])
def test_every_heuristic_guides_to_the_optimum(heuristic):
    answer = noyes.solve(HARDEST, "idastar", heuristic)
    assert (answer.cost, answer.heuristic) == (31, heuristic)


def test_records_are_those_of_the_command_line():
    record = noyes.solve("1 2 3/4 0 6/7 5 8").to_dict()
    assert record["schema"] == "noyes/2" and record["cost"] == 2 and record["plan"] == "DR"
    assert record["goal"] == "1 2 3/4 5 6/7 8 0" and record["kind"] == "board"
    level = noyes.solve(LEVEL, objective="moves").to_dict()
    assert (level["kind"], level["objective"], level["pushes"], level["plan"]) == ("level", "moves", 1, "rR")
    graph = noyes.solve(noyes.Graph("cycle:4", start="1 _ 2 3")).to_dict()
    assert graph["kind"] == "graph" and graph["status"] in ("optimal", "unsolvable")


def test_a_goal_is_a_name_a_board_or_an_array():
    board = "1 4 2/3 0 5/6 7 8"
    for goal in ("blank-first", "0 1 2/3 4 5/6 7 8", noyes.Board.goal("3x3", "blank-first"), np.arange(9).reshape(3, 3)):
        assert noyes.solve(board, goal=goal).cost == 2
    with pytest.raises(noyes.InputError, match="goal: the goal is 2x2, the board 3x3"):
        noyes.solve(board, goal="1 2/3 0")
    with pytest.raises(noyes.InputError, match="goal: only for boards, and this is a level of Sokoban"):
        noyes.solve(LEVEL, goal="blank-first")
    with pytest.raises(noyes.InputError, match="goal: only for boards"):
        noyes.solve(noyes.Graph("petersen", start="1 2 3 4 5 6 7 8 _ 9"), goal="1")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"engine": "fast"}, 'engine: "fast" is not known here'),
        ({"heuristic": "best"}, "heuristic: "),
        ({"heuristic": "pdb:9-9"}, "heuristic: a pattern has 1 to 8 tiles, not 9"),
        ({"engine": "bfs", "heuristic": "manhattan"}, "heuristic: the engine bfs uses none"),
        ({"encoding": "rotated"}, "encoding: only the engine sat uses it"),
        ({"from_length": 3}, "from_length: only the engine sat uses it"),
        ({"objective": "pushes"}, "objective: a plan of sliding tiles has moves"),
        ({"no_wait": True}, "no_wait: it is about levels"),
        ({"threads": 0}, "threads: expected 1 to 1024, found 0"),
        ({"threads": -1}, "threads: expected 1 to 1024, found -1"),
        ({"time_limit": -1}, "time_limit: expected seconds from 0, found -1"),
        ({"time_limit": float("nan")}, "time_limit: expected seconds from 0"),
        ({"backend": "cmd:"}, "backend: "),
    ],
)
def test_wishes_that_make_no_sense_are_errors_that_name_them(options, words):
    with pytest.raises(noyes.InputError) as error:
        noyes.solve(HARDEST, **options)
    assert str(error.value).startswith(words)


def test_wrong_keywords_and_types_are_type_errors():
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        noyes.solve(HARDEST, colour="red")
    for options in ({"memory_limit": -1}, {"at_most": -1}, {"memory_limit": 2**70}, {"threads": 2**70}):
        with pytest.raises(OverflowError):
            noyes.solve(LONG, **{"time_limit": 0.2, **options})
    for options in ({"memory_limit": "much"}, {"at_most": 1.5}, {"any": "yes"}, {"time_limit": "1s"}, {"on_progress": 5}, {"engine": 3}):
        with pytest.raises(TypeError):
            noyes.solve(LONG, **{"time_limit": 0.2, **options})
    with pytest.raises(TypeError, match="on_progress: expected a function, found int"):
        noyes.solve("1 2/3 0", on_progress=5)  # though it would never be called
    assert noyes.solve(HARDEST, goal=None, objective=None, memory_limit=None).cost == 31


def test_limits_leave_bounds():
    for limit in (1.0, timedelta(seconds=1)):
        answer = noyes.solve(LONG, time_limit=limit)
        assert (answer.status, answer.stop) == ("limit", "time")
        assert answer.lower >= 100 and answer.plan is not None and answer.upper == answer.cost >= answer.lower
    assert noyes.solve(LONG, time_limit=0).stop == "time"
    assert noyes.solve(HARDEST, time_limit=float("inf")).cost == 31
    answer = noyes.solve(korf(1)[0][0], "astar", goal="blank-first", memory_limit=1_000_000)
    assert answer.stop == "memory" and 0 < answer.lower <= 57
    assert noyes.solve(HARDEST, "sat", at_most=10).stop == "bound"


def test_a_bound_that_was_proven_stays(tmp_path):
    # Without tables on disk, a first search proves 110, and the next one begins at 108.
    script = f"""
import noyes
def look(progress):
    global last
    last = progress
    assert progress.upper is None
try:
    noyes.solve({LONG!r}, on_progress=look)
except AssertionError as stop:
    print(last.lower, stop.answer.lower, max(lower for _, lower, _ in stop.answer.history))
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment, text=True, timeout=120)
    seen, told, best = map(int, run.stdout.split())
    assert 110 <= seen <= told == best


def test_progress_is_reported_and_kept():
    seen = []
    answer = noyes.solve(LONG, time_limit=0.5, on_progress=seen.append)
    assert len(seen) > 3 and isinstance(seen[0], noyes.Progress)
    assert all(a.elapsed_s <= b.elapsed_s and a.generated <= b.generated for a, b in itertools.pairwise(seen))
    assert len(answer.history) > 1 and answer.history[-1][1:] == answer.bounds
    lowers = [lower for _, lower, _ in answer.history]
    assert "lower=" in repr(seen[0]) and lowers[0] <= lowers[-1]


def test_what_on_progress_raises_ends_the_search_and_keeps_the_answer():
    class Enough(Exception):
        pass

    def look(progress):
        if progress.upper is not None:
            raise Enough

    start = time.monotonic()
    with pytest.raises(Enough) as error:
        noyes.solve(LONG, time_limit=60, on_progress=look)
    assert time.monotonic() - start < 30
    assert error.value.answer.stop == "interrupted" and error.value.answer.plan is not None


def interrupt_soon(seconds=0.4):
    timer = threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    return timer


def test_ctrl_c_stops_a_search_and_loses_nothing():
    has_plan = threading.Event()

    def interrupt():
        has_plan.wait()
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt) as error:
        noyes.solve(LONG, on_progress=lambda progress: progress.upper is not None and has_plan.set())
    answer = error.value.answer
    assert isinstance(error.value, noyes.Interrupted) and isinstance(answer, noyes.Answer)
    assert answer.stop == "interrupted" and answer.plan is not None and answer.lower >= 100
    assert noyes.check(LONG, answer.plan).solved


def test_ctrl_c_stops_proofs_tables_and_generators():
    jobs = [
        lambda: noyes.certify(korf(1)[0][0], goal="blank-first", axioms="none"),
        lambda: noyes.generate("5x5", 100_000, distance=40),
        lambda: noyes.pattern_database([1, 2, 3, 4, 5, 6], "5x5", memory_limit=10**10),
        lambda: [noyes.encode(LONG, 2000, "edixhoven") for _ in range(20)],
    ]
    for job in jobs:
        timer = interrupt_soon()
        try:
            with pytest.raises(KeyboardInterrupt):
                job()
        finally:
            timer.cancel()


def test_ctrl_c_does_not_wait_for_the_tables_of_the_checker(tmp_path):
    # They take seconds, and the checker looks at no flag meanwhile.
    script = f"""
import os, signal, threading, noyes
board, plan = {korf(1)[0][0]!r}, noyes.solve({korf(1)[0][0]!r}, goal="blank-first").plan
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    noyes.certify(board, plan, goal="blank-first")
except KeyboardInterrupt:
    print("interrupted", flush=True)
    os._exit(0 if not list(__import__("pathlib").Path(os.environ["XDG_CACHE_HOME"]).glob("noyes/certify/*")) else 1)
"""
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment, text=True, timeout=120)
    assert (run.returncode, run.stdout) == (0, "interrupted\n"), run.stderr


def test_solve_many_keeps_the_order_and_reads_lazily():
    taken = []

    def boards():
        for i in itertools.count():
            taken.append(i)
            yield noyes.Board(HARDEST) if i % 2 else noyes.Board("1 2 3/4 5 6/7 0 8")

    answers = noyes.solve_many(boards(), threads=2)
    costs = [answer.cost for answer in itertools.islice(answers, 20)]
    assert costs == [1, 31] * 10
    assert len(taken) <= 20 + 2 * 64  # however slow a worker is
    answers.close()
    assert list(answers) == []


def test_solve_many_in_any_order_gives_every_answer():
    boards = noyes.generate("3x3", 50, seed=3)
    in_order = [answer.cost for answer in noyes.solve_many(boards, threads=3)]
    assert in_order == [noyes.solve(board).cost for board in boards]
    with noyes.solve_many(boards, threads=3, ordered=False) as answers:
        found = {answer.puzzle: answer.cost for answer in answers}
    assert found == dict(zip(boards, in_order, strict=True))


def test_korfs_boards():
    known = korf(12)
    answers = noyes.solve_many((state for state, _ in known), goal="blank-first", threads=2)
    assert [answer.cost for answer in answers] == [optimum for _, optimum in known]


def test_a_puzzle_that_makes_no_sense_is_raised_in_its_turn():
    answers = noyes.solve_many(["1 2/3 0", "1 1/2 3", LEVEL, 5, "1 2/0 3"], threads=2)
    assert next(answers).cost == 0
    with pytest.raises(noyes.InputError, match="duplicate tile 1"):
        next(answers)
    assert next(answers).cost == 1
    with pytest.raises(TypeError):
        next(answers)
    assert next(answers).cost == 1
    with pytest.raises(StopIteration):
        next(answers)

    def broken():
        yield "1 2/0 3"
        raise OSError("the cable")

    answers = noyes.solve_many(broken())
    assert next(answers).cost == 1
    with pytest.raises(OSError, match="the cable"):
        next(answers)
    assert list(answers) == []
    with pytest.raises(TypeError):
        noyes.solve_many(5)
    with pytest.raises(TypeError, match="found a single text"):
        noyes.solve_many(HARDEST)
    with pytest.raises(TypeError, match="unexpected keyword argument 'on_progress'"):
        noyes.solve_many([], on_progress=print)
    with pytest.raises(noyes.InputError, match="engine"):
        noyes.solve_many([], engine="fast")
    assert list(noyes.solve_many([])) == []


def test_ctrl_c_in_solve_many_loses_nothing():
    interrupt_soon()
    given = []
    with pytest.raises(noyes.Interrupted) as error:
        for answer in noyes.solve_many(itertools.chain(["1 2/0 3"], itertools.repeat(LONG, 3)), threads=2):
            given.append(answer)
    assert len(given) == 1 and error.value.answer is None
    rest = error.value.answers
    assert len(rest) == 3 and all(answer.stop == "interrupted" for answer in rest)
    assert all(answer.lower >= 100 for answer in rest[:2])  # two had begun


def test_answers_that_nobody_wants_stop_their_searches():
    answers = noyes.solve_many([LONG] * 4, threads=2)
    del answers
    start = time.process_time()
    time.sleep(0.3)
    assert time.process_time() - start < 0.3


@pytest.mark.parametrize("ordered", [True, False])
def test_closed_answers_end_when_late_replies_come(ordered):
    # The replies of searches that were stopped once made the next call wait for ever.
    answers = noyes.solve_many(["1 2/0 3", *[LONG] * 4], threads=2, ordered=ordered)
    assert next(answers).cost == 1
    answers.close()
    time.sleep(0.5)
    assert list(answers) == [] and list(answers) == []


def test_another_thread_can_close_answers():
    answers = noyes.solve_many([LONG] * 3)
    closer = threading.Timer(0.3, answers.close)
    closer.start()
    assert list(answers) == []  # and did not wait for a plan
    closer.join()


def test_answers_are_for_one_thread_at_a_time():
    def boards():
        yield "1 2/0 3"
        yield next(answers).puzzle

    answers = noyes.solve_many(boards())
    assert next(answers).cost == 1
    with pytest.raises(ValueError, match="expected one thread at a time"):
        next(answers)

    def ends():
        yield "1 2/0 3"
        answers.close()
        yield LONG

    answers = noyes.solve_many(ends())
    assert [answer.cost for answer in answers] in ([], [1])


def test_a_search_from_the_goal_finds_the_same_optimum():
    board, tables = "8 6 7/2 5 4/3 0 1", "pdb:4-4+reflect"
    forward = noyes.solve(board, heuristic=tables)
    backward = noyes.solve(board, heuristic=tables, backward=True)
    assert forward.cost == backward.cost == 31
    assert noyes.check(board, backward.plan).solved
    with pytest.raises(noyes.InputError, match="backward: only the engine idastar"):
        noyes.solve(board, backward=True)


def test_many_searches_have_no_common_checkpoint(tmp_path):
    with pytest.raises(noyes.InputError, match="checkpoint: a checkpoint is of one search"):
        noyes.solve_many([LONG], checkpoint=tmp_path / "c")


@pytest.mark.parametrize(
    "work",
    [
        "noyes.solve(LONG, time_limit=0.2)",
        "noyes.solve('1 2/0 3')",
        "next(noyes.solve_many(['1 2/0 3']))",
        "noyes.certify('1 2/0 3')",
        "noyes.generate('4x4')",
    ],
)
def test_objects_that_outlive_their_program_can_solve(work):
    script = f"import noyes\nLONG = {LONG!r}\nclass Late:\n    def __del__(self): {work}; print('done')\nlate = Late()"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (run.stdout, run.stderr) == ("done\n", "")


@pytest.mark.parametrize("engine", ["auto", "sat", "idastar"])
@pytest.mark.parametrize("how", ["noyes.solve(LONG, engine)", "list(noyes.solve_many([LONG] * 4, engine, threads=2))"])
def test_a_program_can_end_during_a_search(engine, how):
    script = f"""
import noyes, threading, time
LONG, engine = {korf(1)[0][0]!r}, {engine!r}
threading.Thread(target=lambda: {how}, daemon=True).start()
time.sleep(0.3)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")


def test_searches_run_while_python_does():
    done = []
    worker = threading.Thread(target=lambda: done.append(noyes.solve(LONG, time_limit=0.5)))
    worker.start()
    counted = 0
    while worker.is_alive():
        counted += 1
    assert done[0].stop == "time" and counted > 1000


def test_threads_can_solve_at_the_same_time():
    results = {}
    boards = noyes.generate("4x4", 8, seed=5, distance=30)

    def solve(i):
        results[i] = noyes.solve(boards[i]).cost

    workers = [threading.Thread(target=solve, args=(i,)) for i in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert results == dict.fromkeys(range(8), 30)


def cost_of(board):
    return noyes.solve(board).cost


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_processes_can_solve(method):
    boards = [noyes.Board(HARDEST), noyes.Board("1 2 3/4 0 6/7 5 8")]
    assert cost_of(boards[0]) == 31  # the tables of the parent are there before the fork
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(cost_of, boards) == [31, 2]


def bound_of(name):
    return noyes.heuristics.evaluate(name, np.arange(16)[None]).tolist()


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_is_forked_while_a_table_is_built_does_not_wait_for_it():
    name = "pdb:1,5,9,13,2,6+3,7,11,15,10,14+4,8,12"
    builder = threading.Thread(target=bound_of, args=(name,))
    builder.start()
    time.sleep(0.05)
    if (child := os.fork()) == 0:
        signal.alarm(60)
        os._exit(0 if bound_of(name) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    builder.join()


def test_a_thread_that_cannot_be_started_is_an_error():
    script = f"""
import resource, noyes
resource.setrlimit(resource.RLIMIT_AS, (2 * 10**8, 2 * 10**8))
try:
    noyes.solve({LONG!r})
except OSError:
    print("refused")
"""
    environment = {**os.environ, "RUST_MIN_STACK": str(10**9)}
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, env=environment, text=True, timeout=60)
    assert run.stdout == "refused\n", run.stderr


def test_answers_of_another_process_are_refused():
    answers = noyes.solve_many([HARDEST] * 3)
    if (child := os.fork()) == 0:
        try:
            next(answers)
        except noyes.SolverError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    assert [answer.cost for answer in answers] == [31] * 3


def test_ctrl_c_at_a_prompt_ends_a_script():
    script = f"import noyes\nprint('ready', flush=True)\nnoyes.solve({LONG!r})"
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
        assert run.stdout is not None and run.stderr is not None
        assert run.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        assert b"noyes.errors.Interrupted" in run.stderr.read()
    assert run.returncode in (-signal.SIGINT, 1, 130)
