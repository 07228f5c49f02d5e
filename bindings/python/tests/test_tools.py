"""Everything beside solving: plans, formulas, certificates, generators, heuristics, tables, environments, plots."""

import itertools
import subprocess
import sys
import threading
from pathlib import Path

import noyes
import numpy as np
import pytest

HARDEST = "8 6 7/2 5 4/3 0 1"
EASY = "1 2 3/4 0 6/7 5 8"
LEVEL = "######\n#@ $.#\n######"


def test_check_replays_plans():
    good = noyes.check(EASY, "DR")
    assert good and good.legal and good.solved and good.cost == 2 and good.error is None
    short = noyes.check(EASY, "D")
    assert not short and short.legal and short.cost == 1 and short.reached == "1 2 3/4 5 6/7 0 8"
    wrong = noyes.check(EASY, "DD")
    assert not wrong.legal and wrong.cost is None and "move 2" in wrong.error
    assert noyes.check(LEVEL, "rR").to_dict()["pushes"] == 1 and not noyes.check(LEVEL, "r")
    assert noyes.check(noyes.Graph("cycle:3", start="1 _ 2"), "").to_dict()["kind"] == "graph"
    for arguments in ({"plan": "Z"}, {"plan": "DR", "notation": "chess"}, {"plan": "DR", "goal": "x"}):
        with pytest.raises(noyes.InputError):
            noyes.check(EASY, **arguments)
    assert "solved, 2 moves" in repr(good)
    with pytest.raises(noyes.InputError, match="plan: it is of another kind of puzzle"):
        noyes.check(EASY, noyes.solve(LEVEL).plan)
    assert noyes.check(EASY, noyes.solve(EASY).plan, notation="tile")


@pytest.mark.parametrize("encoding", [e for e in noyes.ENCODINGS if e.split("+")[0] not in ("tamura", "moves", "pushes")])
def test_pysat_finds_the_plans_of_every_encoding_of_boards(encoding):
    from pysat import solvers

    formula = noyes.encode(EASY, 2, encoding)
    assert formula.encoding == encoding and len(formula) == len(formula.clauses) == len(list(formula))
    with solvers.Solver("cadical153", bootstrap_with=formula.clauses) as solver:
        assert solver.solve()
        plan = formula.decode(solver.get_model())
    assert plan == "DR" and noyes.check(EASY, plan)
    with solvers.Solver("glucose4", bootstrap_with=noyes.encode(HARDEST, 6, encoding).clauses) as solver:
        assert not solver.solve()


@pytest.mark.parametrize(("encoding", "steps"), [("pushes", 1), ("tamura", 1), ("moves", 2), ("moves+lean", 2), (None, 1)])
def test_pysat_finds_the_plans_of_every_encoding_of_levels(encoding, steps):
    from pysat import solvers

    formula = noyes.encode(LEVEL, steps, encoding)
    with solvers.Solver("minisat22", bootstrap_with=formula.clauses) as solver:
        assert solver.solve()
        assert formula.decode(solver.get_model()) == "rR"
    with solvers.Solver("minisat22", bootstrap_with=noyes.encode(LEVEL, steps - 1, encoding).clauses) as solver:
        assert not solver.solve()


def test_a_formula_is_dimacs_too(tmp_path):
    formula = noyes.encode(EASY, 2, "rotated")
    lines = formula.to_dimacs().splitlines()
    assert f"p cnf {formula.variables} {len(formula)}" in lines and "c puzzle 1 2 3/4 0 6/7 5 8" in lines
    clauses = [[int(n) for n in line.split()[:-1]] for line in lines if line[0] not in "cp"]
    assert clauses == formula.clauses
    formula.save(tmp_path / "f.cnf")
    assert (tmp_path / "f.cnf").read_text() == formula.to_dimacs()
    from pysat.formula import CNF

    assert len(CNF(from_file=str(tmp_path / "f.cnf")).clauses) == len(formula)


def test_wrong_models_are_refused():
    formula = noyes.encode(EASY, 2, "rotated")
    every = list(range(1, formula.variables + 1))
    with pytest.raises(noyes.SolverError, match=r"the solver's model is wrong: clause \d+ does not hold"):
        formula.decode(every)
    for model, words in [([], "no value for variable"), ([0], "0 is no literal"), ([*every, -1], "both 1 and -1")]:
        with pytest.raises(noyes.InputError, match=words):
            formula.decode(model)
    for puzzle, options in [
        (EASY, {"encoding": "tamura"}),
        (EASY, {"encoding": "nonsense"}),
        (LEVEL, {"encoding": "rotated"}),
        (LEVEL, {"goal": "blank-first"}),
        (noyes.Graph("petersen"), {}),
    ]:
        with pytest.raises(noyes.InputError):
            noyes.encode(puzzle, 2, **options)
    with pytest.raises(noyes.InputError, match="steps: expected at most 10000, found 1000000000"):
        noyes.encode(EASY, 10**9)


def test_certificates_are_made_saved_and_verified(tmp_path):
    certificate = noyes.solve(HARDEST).proof()
    assert certificate.cost == 31 and certificate.proof_steps > 0
    assert certificate.proved == "a plan of 31 moves exists, and no plan of fewer than 31 moves exists"
    certificate.save(tmp_path / "1.cert")
    for again in (tmp_path / "1.cert", str(tmp_path / "1.cert"), bytes(certificate), certificate):
        assert noyes.verify(again).proved == certificate.proved
    data = bytearray(bytes(certificate))
    data[len(data) // 2] ^= 1
    with pytest.raises(noyes.ProofError):
        noyes.verify(bytes(data))
    with pytest.raises(FileNotFoundError, match="none.cert"):
        noyes.verify(tmp_path / "none.cert")
    with pytest.raises(FileNotFoundError, match="none"):
        certificate.save(tmp_path / "none" / "1.cert")
    assert len(certificate) == len(bytes(certificate)) and certificate.to_dict()["verified"]


def test_only_bytes_and_paths_are_certificates():
    data = bytes(noyes.solve(EASY).proof())
    for same in (bytearray(data), memoryview(data)):
        assert noyes.verify(same).cost == 2
    for other in (range(10**15), [1, 2], 5, None):  # numbers that would not fit into memory ended the process
        with pytest.raises(TypeError, match="expected a Certificate, its bytes, or the path of a file, found"):
            noyes.verify(other)


def test_proofs_can_be_exported_for_other_checkers(tmp_path):
    certificate = noyes.certify("8 1 3/4 0 2/7 6 5", axioms="none")
    certificate.export(tmp_path / "1.cnf", tmp_path / "1.lrat")
    lrat = Path(__file__).parents[3] / "tests" / "lrat.py"
    subprocess.run([sys.executable, lrat, tmp_path / "1.cnf", tmp_path / "1.lrat"], check=True, capture_output=True)


def test_certify_says_why_there_is_no_certificate():
    assert noyes.certify(LEVEL).cost == 1 and noyes.certify(LEVEL, "rR", objective="moves").cost == 2
    assert noyes.certify("1 2 3/4 5 6/8 7 0").cost is None
    with pytest.raises(noyes.ProofError, match="the plan is not optimal"):
        noyes.certify(EASY, "UDDR")
    with pytest.raises(noyes.ProofError):
        noyes.solve(HARDEST, time_limit=0, engine="idastar").proof()
    with pytest.raises(noyes.ProofError, match="not proven optimal"):
        noyes.solve(HARDEST, engine="human").proof()
    with pytest.raises(noyes.InputError, match="plan: "):
        noyes.certify(EASY, "XYZ")
    with pytest.raises(noyes.InputError, match="axioms: expected auto, none or pdb:PATTERNS"):
        noyes.certify(EASY, axioms="all")
    with pytest.raises(noyes.InputError, match="prover: expected search or sat"):
        noyes.certify(EASY, prover="oracle")
    with pytest.raises(noyes.InputError, match="a graph has no certificate"):
        noyes.certify(noyes.Graph("petersen"))
    with pytest.raises(noyes.InputError, match="objective"):
        noyes.certify(EASY, objective="pushes")


def test_generated_puzzles_are_what_was_asked_for():
    boards = noyes.generate("4x3", 5, seed=7)
    assert len(set(boards)) == 5 and all(board.shape == (3, 4) and board.is_solvable() for board in boards)
    assert boards == noyes.generate((4, 3), 5, seed=7) and boards[0] == noyes.generate("4x3", seed=7)
    assert noyes.solve(noyes.generate("4x4", distance=25, seed=1)).cost == 25
    assert 20 <= noyes.solve(noyes.generate("3x3", distance=(20, 24), seed=1)).cost <= 24
    assert noyes.solve(noyes.generate("4x4", walk=6, seed=2)).cost <= 6
    level = noyes.generate("sokoban", seed=2, size="7x7", boxes=2, min_pushes=4)
    assert isinstance(level, noyes.Level) and len(level.boxes) == 2 and level.title == "seed 2, number 0"
    assert noyes.solve(level).cost >= 4
    assert len(noyes.generate("sokoban", 3, seed=2, size=(7, 7), boxes=2)) == 3
    assert noyes.generate("3x3", 0) == [] and noyes.generate("3x3") != noyes.generate("3x3")
    for arguments, words in [
        ({"what": "3x3", "distance": 40}, "distance: "),
        ({"what": "3x3", "distance": (9, 8)}, "distance: the range is empty"),
        ({"what": "3x3", "distance": 4, "walk": 4}, "distance: it does not go with walk"),
        ({"what": "3x3", "boxes": 4}, "boxes: only for levels"),
        ({"what": "sokoban", "walk": 4}, "walk: only for boards"),
        ({"what": "sokoban", "min_steps": 4}, "min_steps: only for several players"),
        ({"what": "sokoban", "size": "3x3"}, "3x3 is not a valid level size"),
        ({"what": "sokoban", "boxes": 1000}, "1000 boxes and 1 player do not fit"),
        ({"what": "chess"}, "size: expected columns x rows"),
    ]:
        with pytest.raises(noyes.InputError, match=words):
            noyes.generate(**arguments)
    for arguments in ({"what": "4x4"}, {"what": "sokoban"}):
        with pytest.raises(noyes.LimitError, match="memory limit"):
            noyes.generate(count=10**15, **arguments)
    for distance, kind in [(-1, OverflowError), ((3, 2**40), OverflowError), ("5", TypeError), ((1, 2, 3), TypeError)]:
        with pytest.raises(kind) as error:
            noyes.generate("3x3", distance=distance)
        assert "Distances" not in str(error.value)
    with pytest.raises(noyes.LimitError):
        noyes.generate("5x5", distance=60, seed=1, time_limit=0)


def plain_manhattan(board):
    rows, columns = board.shape
    place = {tile: divmod(cell, columns) for cell, tile in enumerate(board.array.ravel().tolist())}
    return sum(abs(r - (t - 1) // columns) + abs(c - (t - 1) % columns) for t, (r, c) in place.items() if t)


@pytest.mark.parametrize("size", ["3x3", "4x4", "5x2", "2x6", "6x6"])
def test_manhattan_distances_of_arrays(size):
    boards = noyes.generate(size, 200, seed=1)
    expected = [plain_manhattan(board) for board in boards]
    cubes = np.stack([board.array for board in boards])
    for array in (cubes, cubes.astype(np.int64), np.asfortranarray(cubes), cubes[::-1][::-1], boards):
        bounds = noyes.heuristics.manhattan(array)
        assert bounds.dtype == np.int32 and bounds.tolist() == expected
    flat = cubes.reshape(200, -1)
    assert noyes.heuristics.manhattan(flat, size=size).tolist() == expected
    assert noyes.heuristics.manhattan(flat, noyes.Board.goal(size)).tolist() == expected


def test_heuristics_are_ordered_and_never_too_high():
    boards = noyes.generate("3x3", 300, seed=2)
    h = noyes.heuristics
    costs = np.array([answer.cost for answer in noyes.solve_many(boards)])
    misplaced, manhattan, conflict, walking = (f(boards) for f in (h.misplaced, h.manhattan, h.linear_conflict, h.walking))
    pdb = h.evaluate("pdb:4-4+reflect", boards)
    both = h.evaluate("walking/linear-conflict", boards)
    assert (misplaced <= manhattan).all() and (manhattan <= conflict).all()
    assert (both == np.maximum(walking, conflict)).all() and (both <= costs).all() and (pdb <= costs).all()
    for dtype in [*"bBhHiIlLqQ", ">i8", "<i8", ">u2"]:
        assert (h.manhattan(np.stack([b.array for b in boards]).astype(dtype)) == manhattan).all()


def test_arrays_that_are_no_boards_are_refused():
    manhattan = noyes.heuristics.manhattan
    good = np.arange(9).reshape(1, 9)
    assert manhattan(good).tolist() == [noyes.heuristics.manhattan(good.reshape(1, 3, 3))[0]]
    assert manhattan(np.empty((0, 9), int)).shape == (0,)
    for array, words in [
        (np.array([[0, 1, 2, 2]]), "board 0: duplicate tile 2"),
        (np.array([[0, 1, 2, 3], [0, 1, 2, -3]]), "board 1: row 2, column 2: -3 is out of range"),
        (np.array([[0, 1, 2, 2**40]]), "out of range"),
        (np.arange(6).reshape(1, 6), "6 tiles make no square board"),
        (np.arange(9), "expected an array of shape"),
        (np.zeros((1, 0), int), "expected an array of shape"),
        (np.zeros((1, 1, 1, 1), int), "expected an array of shape"),
        (np.zeros((1, 300, 300), int), "more than 65536 cells"),
        (np.zeros((0, 2**40), np.uint8), "more than 65536 cells"),
        (np.zeros((0, 2**31, 2**31), np.uint8), "more than 65536 cells"),
    ]:
        with pytest.raises(noyes.InputError, match=words):
            manhattan(array)
    for array in (good * 1.0, good.astype(complex), np.array([["a"]]), None, noyes.Board(EASY)):
        with pytest.raises((TypeError, ValueError)):
            manhattan(array)
    with pytest.raises(noyes.InputError, match="heuristic"):
        noyes.heuristics.evaluate("best", good)
    with pytest.raises(noyes.InputError, match="goal"):
        manhattan(good, goal="1 2/3 0")
    with pytest.raises(noyes.InputError, match="goal: duplicate"):
        manhattan(good, goal=[0] * 9)
    with pytest.raises(noyes.InputError, match="size: the boards are 3x3"):
        manhattan(good.reshape(1, 3, 3), size=(9, 1))


def test_arrays_between_other_bytes_are_read():
    # At an odd address, as a record of a file has it.
    tiles = np.frombuffer(b"\0" + np.arange(16).tobytes(), dtype=np.int64, offset=1).reshape(1, 16)
    assert not tiles.flags.aligned
    assert noyes.heuristics.manhattan(tiles).tolist() == noyes.heuristics.manhattan(np.arange(16)[None]).tolist()


def test_a_board_has_views_while_a_heuristic_reads_one():
    board = noyes.Board(np.arange(16))
    array = np.broadcast_to(board.array, (1, 4, 4))
    reader = threading.Thread(target=noyes.heuristics.evaluate, args=("pdb:3-6-6", array))
    reader.start()
    while reader.is_alive():
        assert not board.array.flags.writeable
    reader.join()


def test_advice_is_for_python():
    for call in (lambda: noyes.Board([0, 1, 2]), lambda: noyes.heuristics.manhattan(np.arange(3)[None])):
        with pytest.raises(noyes.InputError, match="or size 1x3, 3x1"):
            call()
    with pytest.raises(noyes.InputError, match="checkpoint: .*add heuristic pdb:PATTERNS"):
        noyes.solve(EASY, "astar", checkpoint="c")


def test_what_does_not_go_together_is_refused():
    petersen = noyes.Graph("petersen", start="1 2 3 4 5 6 7 8 _ 9")
    for call, words in [
        (lambda: noyes.check(EASY, "", no_wait=True), "no_wait"),
        (lambda: noyes.encode(EASY, 3, no_wait=True), "no_wait"),
        (lambda: noyes.check(petersen, "", goal="blank-last"), "goal: only for boards"),
    ]:
        with pytest.raises(noyes.InputError, match=words):
            call()


def test_sequences_without_end_are_refused():
    # Their length is not believed: room for that many would end the process.
    endless = range(10**15)
    with pytest.raises(noyes.InputError, match="more than 65536 cells"):
        noyes.Board(endless)
    with pytest.raises(noyes.InputError, match="more than 65536 cells"):
        noyes.Board(range(10**30))
    with pytest.raises(noyes.InputError, match="more than 65536 cells"):
        noyes.Board([range(60000)] * 60000)
    with pytest.raises(noyes.InputError, match="more than 65536 cells"):
        noyes.Board(np.broadcast_to(np.int8(0), (10**6, 10**6)))
    with pytest.raises(TypeError):
        noyes.check(EASY, endless)
    with pytest.raises(OverflowError):
        noyes.pattern_database(endless)
    with pytest.raises(noyes.InputError, match="0 is no literal"):
        noyes.encode(EASY, 3).decode(endless)


def flood(tiles, columns, rows):
    """Fewest moves of these tiles to their homes, over all places of the blank, by the plainest search."""
    cells = columns * rows
    home = (*(tile - 1 for tile in tiles), cells - 1)
    cost, layer = {home: 0}, [home]
    while layer:
        following = []
        while layer:
            state = layer.pop()
            *places, blank = state
            for step, inside in ((-columns, True), (columns, True), (-1, blank % columns), (1, (blank + 1) % columns)):
                to = blank + step
                if not inside or not 0 <= to < cells:
                    continue
                moved = (*(blank if place == to else place for place in places), to)
                price = cost[state] + (to in places)
                if price < cost.get(moved, 99):
                    cost[moved] = price
                    (following if to in places else layer).append(moved)
        layer = following
    return cost


@pytest.mark.parametrize(("tiles", "size"), [([1, 2], "3x3"), ([5, 3, 8], "3x3"), ([7], "4x2"), ([4, 1, 2], "2x3")])
def test_pattern_databases_hold_the_fewest_moves(tiles, size):
    columns, rows = map(int, size.split("x"))
    cells, expected = columns * rows, flood(tiles, columns, rows)
    with_blank = noyes.pattern_database(tiles, size, blank=True)
    plain = noyes.pattern_database(tiles, size)
    assert with_blank.shape == (cells,) * (len(tiles) + 1) and plain.shape == (cells,) * len(tiles)
    assert plain.dtype == np.uint8
    for state in itertools.product(range(cells), repeat=len(tiles) + 1):
        assert with_blank[state] == expected.get(state, 255)
    assert (plain == with_blank.min(axis=-1)).all()


def test_pattern_databases_that_make_no_sense_are_refused():
    for tiles, words in [([1, 1], "tile 1 is in two patterns"), ([99], "tile 99"), ([], "a pattern has 1 to 8"), ([0], "tile 0")]:
        with pytest.raises(noyes.InputError, match=words):
            noyes.pattern_database(tiles)
    with pytest.raises(noyes.LimitError, match="memory limit"):
        noyes.pattern_database([1, 2, 3, 4, 5, 6, 7, 8], "5x5", memory_limit=1000)
    with pytest.raises(noyes.InputError, match="boards of up to 25 cells"):
        noyes.pattern_database([1], "9x9")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("noyes/Tiles-v0", {}),
        ("noyes/Tiles-v0", {"size": "4x4", "distance": (5, 20)}),
        ("noyes/Sokoban-v0", {}),
        ("noyes/Sokoban-v0", {"levels": noyes.shipped_levels()[:8]}),
    ],
)
def test_gymnasium_accepts_the_environments(name, options):
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(f"noyes.gym:{name}", render_mode="rgb_array", **options)
    check_env(env.unwrapped)
    check_env(gymnasium.make(name, render_mode="ansi", **options).unwrapped, skip_render_check=False)
    first, _ = env.reset(seed=3)
    again, info = env.reset(seed=3)
    assert (first == again).all() and info["optimum"] > 0 and info["action_mask"].any()


def test_the_optimum_of_an_environment_can_be_played():
    import gymnasium
    from noyes.gym import ACTIONS  # which makes the names known, too

    tiles = gymnasium.make("noyes/Tiles-v0")
    for seed in range(5):
        board, info = tiles.reset(seed=seed)
        plan = noyes.solve(board).plan
        total, done = 0.0, False
        for move in plan:
            assert not done and info["action_mask"][ACTIONS.index(move)]
            _, reward, done, _, info = tiles.step(ACTIONS.index(move))
            total += reward
        assert done and total == -info["optimum"]
    level = noyes.generate("sokoban", seed=4, size=(7, 7), boxes=2)
    sokoban = gymnasium.make("noyes/Sokoban-v0")
    _, info = sokoban.reset(options={"level": level})
    plan = noyes.solve(level, objective="moves").plan
    assert info["optimum"] == len(plan)
    ends = [sokoban.step(ACTIONS.index(move.upper()))[2] for move in plan]
    assert ends == [False] * (len(plan) - 1) + [True]


def test_environments_refuse_what_makes_no_sense():
    from noyes.gym import SokobanEnv, TilesEnv, _optimum

    env = TilesEnv()
    for board, words in [("1 2 3/4 5 6/8 7 0", "needs an even permutation"), ("1 2/3 0", "expected \\(3, 3\\)")]:
        with pytest.raises(noyes.InputError, match=words):
            env.reset(options={"board": board})
    with pytest.raises(noyes.InputError, match="expected at least one"):
        SokobanEnv(levels=[])
    with pytest.raises(noyes.InputError, match="expected one player"):
        SokobanEnv().reset(options={"level": "#######\n#@$ .##\n#@$ .##\n#######"})
    with pytest.raises(noyes.Error, match="call reset first"):
        SokobanEnv().step(0)
    with pytest.raises(noyes.LimitError, match="its optimum is not known"):
        _optimum(noyes.solve(EASY, engine="sat", at_most=1), "board")
    with pytest.raises(noyes.InputError, match="level: "):
        SokobanEnv().reset(options={"level": "#####\n#@ .#\n#$  #\n#####"})
    assert SokobanEnv(size="9x6").observation_space.shape == (6, 9)
    with pytest.raises(noyes.InputError, match="render_mode"):
        TilesEnv(render_mode="cinema")
    env.reset(seed=1)
    for action in (-1, 4, 1.5, "U"):
        with pytest.raises(noyes.InputError, match="expected 0 to 3"):
            env.step(action)


def test_levels_of_an_environment_can_be_texts():
    from noyes.gym import SokobanEnv

    for levels in ([LEVEL], (level for level in [LEVEL]), [noyes.Level(LEVEL)]):
        _, info = SokobanEnv(levels=levels).reset(seed=1)
        assert info["optimum"] == 2
    with pytest.raises(TypeError, match="found a single text"):
        SokobanEnv(levels=LEVEL)


def test_nobody_waits_for_an_optimum_longer_than_the_time_limit():
    from noyes.gym import SokobanEnv, TilesEnv

    for env in (TilesEnv("5x5", time_limit=0), SokobanEnv([LEVEL], time_limit=0)):
        with pytest.raises(noyes.LimitError, match="its optimum is not known"):
            env.reset(seed=1)


@pytest.mark.filterwarnings("ignore")
def test_bounds_can_be_plotted():
    import matplotlib

    matplotlib.use("Agg")
    from noyes import plots

    answer = noyes.solve("24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0", time_limit=0.3)
    axes = plots.bounds(answer)
    lines = axes.get_lines()
    assert len(lines) == 2 and list(lines[0].get_ydata())[-1] == answer.lower and list(lines[1].get_ydata())[-1] == answer.upper
    assert axes.get_ylabel() == "moves" and plots.bounds(answer, axes) is axes


def test_results_of_benchmarks_are_tables(tmp_path):
    from noyes.bench import read_results

    folder = Path(__file__).parents[3] / "docs" / "results"
    korf = read_results(folder / "korf.full.jsonl.gz")
    assert {"instance", "configuration", "cost", "cpu_s"} <= set(korf.columns) and (korf.status == "optimal").any()
    assert len(read_results(folder)) > len(korf)
    with pytest.raises(FileNotFoundError):
        read_results(tmp_path)
    (tmp_path / "begun.jsonl").touch()
    assert read_results(tmp_path).empty
    run = '{"instance": "1", "tags": {"optimal": 2}}\n'
    (tmp_path / "killed.jsonl").write_text(run + run[:20])
    assert read_results(tmp_path / "killed.jsonl")["tags.optimal"].tolist() == [2]
    for other in (b"1 2 3\n", b"\xff\n"):
        (tmp_path / "other.jsonl").write_bytes(other)
        with pytest.raises(noyes.InputError, match="other.jsonl: these are no results of noyes bench"):
            read_results(tmp_path / "other.jsonl")


def test_names_and_version():
    assert noyes.__version__.count(".") == 2
    assert "idastar" in noyes.ENGINES and "manhattan" in noyes.HEURISTICS
    assert "rotated" in noyes.ENCODINGS and "cadical" in noyes.BACKENDS
    for name in noyes.__all__:
        thing = getattr(noyes, name)
        assert isinstance(thing, (str, tuple)) or thing.__doc__, name
    for kind in (noyes.Board, noyes.Level, noyes.Graph, noyes.Plan, noyes.Answer, noyes.Formula, noyes.Certificate):
        for name in vars(kind):
            if not name.startswith("_") and not name.isupper():
                assert getattr(kind, name).__doc__, f"{kind.__name__}.{name}"
