"""Boards, levels and graphs as Python objects."""

import copy
import pickle
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import noyes
import numpy as np
import pytest

BOARD = "1 2 3/4 0 6/7 5 8"
LEVEL = "######\n#@ $.#\n######"
CREW = "#######\n#@$ .##\n#@$ .##\n#######"


@pytest.mark.parametrize(
    "source",
    [
        BOARD,
        "123406758",
        [1, 2, 3, 4, 0, 6, 7, 5, 8],
        (1, 2, 3, 4, 0, 6, 7, 5, 8),
        [[1, 2, 3], [4, 0, 6], [7, 5, 8]],
        *(np.array([[1, 2, 3], [4, 0, 6], [7, 5, 8]], dtype) for dtype in "bBhHiIlLqQ"),
        np.array([1, 2, 3, 4, 0, 6, 7, 5, 8]),
        np.asfortranarray([[1, 2, 3], [4, 0, 6], [7, 5, 8]]),
        noyes.Board(BOARD),
    ],
)
def test_a_board_is_read_from_anything(source):
    board = noyes.Board(source)
    assert str(board) == BOARD
    assert noyes.solve(source).cost == 2


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("1 2 2/4 0 6/7 5 8", "duplicate tile 2 (row 1, columns 2 and 3); tile 3 is missing"),
        ("", "no board here"),
        ([], "no board here"),
        ([[]], "no board here"),
        ([0, 1, 2], "3 tiles make no square board"),
        ([[1, 2], [3]], "not a rectangle: row 2 has 1 tiles, row 1 has 2"),
        ([1, 2, 3, -1], "does not belong to a board"),
        ([0, 1, 2, 99], "row 2, column 2: 99 is out of range"),
        ([0, 1, 2, 10**30], "a tile is out of range"),
        ([[0, 1], [2, -(10**30)]], "a tile is out of range"),
        (np.arange(1, 10), "the blank (0) is missing"),
        (np.zeros((300, 300), int), "more than 65536 cells"),
    ],
)
def test_what_is_no_board_is_an_error_that_says_why(source, words):
    with pytest.raises(noyes.InputError) as error:
        noyes.Board(source)
    assert words in str(error.value)
    assert isinstance(error.value, ValueError) and isinstance(error.value, noyes.Error)


@pytest.mark.parametrize(
    "source",
    [None, 3, 1.5, np.array([1.0, 2.0, 3.0, 0.0]), np.array([np.nan]), ["a"], np.zeros((2, 2, 2), int), {1: 2}, b"1 0", object()],
)
def test_what_cannot_be_a_puzzle_is_a_type_error(source):
    with pytest.raises(TypeError, match="expected a Board, a Level, a Graph, a text"):
        noyes.solve(source)


def test_a_board_without_rows_can_have_a_size():
    tiles = [1, 2, 3, 4, 5, 0]
    assert str(noyes.Board(tiles, size=(3, 2))) == "1 2 3/4 5 0"
    assert str(noyes.Board(tiles, "2x3")) == "1 2/3 4/5 0"
    for size, words in [
        ((0, 3), "a board has 1 to 65536 cells"),
        ("4x4", "6 tiles given, but a 4×4 board has 16 cells"),
        ("four", "expected columns x rows"),
        ((1 << 40, 1 << 40), "a board has 1 to 65536 cells"),
        ((-1, 2), "expected columns x rows"),
    ]:
        with pytest.raises(noyes.InputError, match=words):
            noyes.Board(tiles, size)


def test_the_array_of_a_board_is_a_view_that_cannot_be_written():
    board = noyes.Board("1 2 3/4 5 0")
    array = board.array
    assert array.shape == board.shape == (2, 3)
    assert array.dtype == np.uint16 and not array.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 5
    with pytest.raises(ValueError):
        array.flags.writeable = True
    del board
    assert array.tolist() == [[1, 2, 3], [4, 5, 0]]  # the array keeps its board
    wide = np.asarray(noyes.Board(BOARD), dtype=np.int64)
    assert wide.dtype == np.int64 and wide.flags.writeable
    same = np.array(noyes.Board(BOARD))
    same[0, 0] = 7  # a copy, as numpy promises


def test_moves_and_apply():
    board = noyes.Board(BOARD)
    assert board.moves() == ["U", "L", "R", "D"]
    assert noyes.Board("0 1/2 3").moves() == ["R", "D"]
    assert str(board.apply("DR")) == "1 2 3/4 5 6/7 8 0"
    assert board.apply(["D", "R"]) == board.apply("dr")
    assert board.apply("") == board == noyes.Board(BOARD)
    with pytest.raises(noyes.InputError, match="^plan: .*move 2"):
        board.apply("UU")
    with pytest.raises(noyes.InputError, match="'X' is no direction"):
        board.apply("X")


def test_an_unsolvable_board_has_a_reason():
    board = noyes.Board("1 2 3/4 5 6/8 7 0")
    assert not board.is_solvable()
    assert board.reason().startswith("needs an even permutation, this one is odd: 8 and 7 are swapped")
    assert board.is_solvable(goal="1 2 3/4 5 6/8 7 0")
    assert noyes.Board(BOARD).reason() is None
    answer = noyes.solve(board)
    assert (answer.status, answer.reason, answer.bounds, answer.plan) == ("unsolvable", board.reason(), (None, None), None)


@pytest.mark.parametrize(
    "puzzle",
    [
        noyes.Board(BOARD),
        noyes.Level(LEVEL),
        noyes.shipped_levels()[3],
        noyes.Graph("petersen", start="1 2 3 4 5 6 7 8 _ 9"),
        noyes.Graph([(1, 2), (2, 3), (3, 1)]),
    ],
)
def test_puzzles_can_be_copied_pickled_and_hashed(puzzle):
    for other in (copy.copy(puzzle), copy.deepcopy(puzzle), pickle.loads(pickle.dumps(puzzle))):
        assert other == puzzle and hash(other) == hash(puzzle) and str(other) == str(puzzle)
    assert puzzle != 5 and puzzle != "x"
    assert len({puzzle, copy.copy(puzzle)}) == 1
    with pytest.raises(AttributeError):
        puzzle.width = 3
    assert repr(puzzle).startswith(type(puzzle).__name__ + "('")


def test_a_level_knows_its_parts():
    level = noyes.Level(LEVEL)
    assert (level.width, level.height, level.shape) == (6, 3, (3, 6))
    assert (level.boxes, level.goals, level.players) == ([(1, 3)], [(1, 4)], [(1, 1)])
    assert level.array[1].tolist() == [1, 8, 0, 4, 2, 1]
    assert np.asarray(level, dtype=int).sum() == level.array.sum()
    assert level.moves() == ["r"]
    assert level.apply("r").moves() == ["l", "R"]
    after = level.apply("rR")
    assert after.is_solved and not level.is_solved and after.is_solvable()
    assert level.is_solvable() is None and level.reason() is None
    assert noyes.Level(str(level)) == noyes.Level(level.to_rle()) == level
    with pytest.raises(noyes.InputError, match="plan: "):
        level.apply("u")
    with pytest.raises(noyes.InputError, match="no player"):
        noyes.Level("####\n#$.#\n####")


def test_an_unsolvable_level_says_why():
    level = noyes.Level("7#|#$@--.#|#5-#|#.--$-#|7#")
    assert level.is_solvable() is False
    assert noyes.solve(level).reason == level.reason() != ""
    dead = level.explain()
    assert dead["unsolvable"] and dead["dead"][0]["boxes"] == [[2, 2]]
    assert "more boxes" not in (level.reason() or "")
    for limit in (2, 0.5, timedelta(seconds=2), None):
        assert level.explain(time_limit=limit)["unsolvable"]
    with pytest.raises(noyes.InputError, match="time_limit: expected seconds from 0"):
        level.explain(-1)


def test_several_players_move_together():
    level = noyes.Level(CREW)
    moves = level.moves()
    assert "RR" in moves and "R." in moves and ".R" in moves and ".." not in moves
    assert level.apply(["RR", "RR"]).is_solved
    plan = noyes.solve(level).plan
    assert plan is not None and plan.moves == ["RR", "RR"] and str(plan) == "RR\nRR"
    assert level.apply(plan).is_solved
    assert level.apply([]) == level
    for steps, step in ((["R"], 1), (["RR", "R"], 2), (["RR", "RRR"], 2)):
        with pytest.raises(noyes.InputError, match=f"plan: step {step} is .* a letter for each of 2 players"):
            level.apply(steps)
    assert [state.is_solved for state in plan.states()] == [False, False, True]


def test_levels_are_read_from_files_and_texts(tmp_path):
    data = Path(__file__).parents[3] / "data" / "sokoban"
    levels = noyes.read_levels(data / "noyes.xsb")
    assert len(levels) == len(noyes.read_levels((data / "noyes.xsb").read_text()))
    assert len(levels) == len(noyes.read_levels(str(data / "noyes.xsb")))
    assert noyes.read_levels("6#|#@-$.#|6#") == noyes.read_levels(LEVEL)
    with pytest.raises(noyes.InputError, match="neither a file nor levels"):
        noyes.read_levels(str(tmp_path / "none.xsb"))
    assert len(noyes.shipped_levels()) == 100 and noyes.shipped_levels()[0].title
    with pytest.raises(FileNotFoundError) as missing:
        noyes.read_levels(tmp_path / "none.xsb")
    assert missing.value.filename == str(tmp_path / "none.xsb") and f"{missing.value.filename!r}" in str(missing.value)
    (tmp_path / "bad.xsb").write_bytes(b"######\n#@\xff$.#\n")
    with pytest.raises(noyes.InputError, match=r"bad.xsb: line 2 is not text"):
        noyes.read_levels(tmp_path / "bad.xsb")
    with pytest.raises(noyes.InputError):
        noyes.read_levels("nothing here")
    with pytest.raises(TypeError, match="expected a path or a text"):
        noyes.read_levels(5)


def test_a_graph_is_a_name_a_file_a_text_or_edges(tmp_path):
    petersen = noyes.Graph("petersen")
    assert len(petersen) == 10 and len(petersen.edges) == 15 and not petersen.is_bipartite
    assert petersen.array.sum() == 30 and (petersen.array == petersen.array.T).all()
    assert petersen.start is None and petersen.classes == 1 and petersen.classes_reason
    with pytest.raises(noyes.InputError, match="start: a start is needed"):
        petersen.moves()
    text = "a b\nb c\nc d\nd a\nstart: 2 1 3 _\n"
    (tmp_path / "square").write_text(text)
    for source in (text, tmp_path / "square"):
        graph = noyes.Graph(source)
        assert graph.start == "2 1 3 _" and graph.vertices == ["a", "b", "c", "d"]
        assert sorted(graph.moves()) == ["a", "c"]
        answer = noyes.solve(graph)
        assert answer.status == "unsolvable" and graph.reason() == answer.reason and not graph.is_solvable()
    path = noyes.Graph([("a", "b"), ("b", "c")], start="1 _ 2")
    assert path.apply("c").start == "1 2 _" and str(noyes.solve(path).plan) == "c"
    with pytest.raises(noyes.InputError, match="plan: "):
        path.apply("b")
    with pytest.raises(noyes.InputError, match="line 2: `b b` is a loop"):
        noyes.Graph([("a", "b"), ("b", "b")])
    with pytest.raises(noyes.InputError):
        noyes.Graph("no such graph")
    for edges in ([["a", "b"], ["b", "c"]], np.array([["a", "b"], ["b", "c"]])):
        assert noyes.Graph(edges, start="1 _ 2") == path
    for name in ("", "a b", "a\nb", "#a", "start:", (0, 1)):
        with pytest.raises(noyes.InputError, match="is no name of a vertex"):
            noyes.Graph([("a", name)])
    for source in (5, [1, 2], [(1, 2, 3)], ["ab"]):
        with pytest.raises(TypeError, match="pairs of vertices"):
            noyes.Graph(source)


def test_an_adjacency_matrix_that_does_not_fit_into_memory_is_an_error():
    script = """
import resource, noyes
graph = noyes.Graph("path:65536")
resource.setrlimit(resource.RLIMIT_AS, (2 * 10**9, 2 * 10**9))
try:
    graph.array
except (noyes.LimitError, MemoryError):
    print("refused")
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert run.stdout == "refused\n", run.stderr


def test_pictures_are_svg_and_films_move():
    from xml.dom.minidom import parseString

    level = noyes.shipped_levels()[5]
    for puzzle in (noyes.Board(BOARD), level, noyes.Level(CREW)):
        still = puzzle._repr_svg_()
        film = noyes.solve(puzzle)._repr_svg_()
        parseString(still), parseString(film)
        assert "animate" not in still and film.count("animateTransform") > 0
    plan = noyes.solve(level).plan
    assert plan is not None
    film = plan._repr_svg_()
    assert film is not None
    # Everything ends where the last state has it.
    last = plan.states()[-1]
    assert isinstance(last, noyes.Level)
    cell = int(parseString(film).documentElement.getAttribute("width")) // level.width
    ends = {a.getAttribute("values").split(";")[-1] for a in parseString(film).getElementsByTagName("animateTransform")}
    moved = set(last.boxes + last.players) - set(level.boxes + level.players)
    assert {f"{column * cell},{row * cell}" for row, column in moved} <= ends
    assert noyes.Board.goal("100x100")._repr_svg_() is None  # too large for a picture
    assert noyes.Plan("0", "")._repr_svg_()
