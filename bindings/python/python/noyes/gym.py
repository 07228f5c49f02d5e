"""Gymnasium environments: sliding tiles and Sokoban (`pip install noyes[gym]`).

>>> import gymnasium, noyes.gym
>>> env = gymnasium.make("noyes/Tiles-v0", size="3x3")
>>> observation, info = env.reset(seed=1)
>>> info["optimum"] == noyes.solve(observation).cost
True

Each step costs one: the reward is -1, also for an action that changes nothing. So the best return of an episode is minus
`info["optimum"]`, which noyes has proven. `info["action_mask"]` says which actions change something.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

import noyes

if TYPE_CHECKING:
    from .types import Seconds

__all__ = ["ACTIONS", "SokobanEnv", "TilesEnv"]

ACTIONS = "ULRD"
"""What the actions 0 to 3 do: where the blank, or the player, goes."""


class _PuzzleEnv(gymnasium.Env[NDArray[Any], np.int64]):
    """What both environments have in common: a puzzle, and the cost of an optimal plan from its start."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}
    action_space: gymnasium.spaces.Discrete

    def __init__(self, render_mode: str | None, time_limit: Seconds | None) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise noyes.InputError(f"render_mode: expected ansi or rgb_array, found {render_mode}")
        self.action_space = gymnasium.spaces.Discrete(len(ACTIONS))
        self.render_mode = render_mode
        self._time_limit = time_limit
        self._optimum = 0

    def _seed(self) -> int:
        return int(self.np_random.integers(2**32))

    def _solve(self, puzzle: noyes.Board | noyes.Level, name: str) -> int:
        if isinstance(puzzle, noyes.Level):
            return _optimum(noyes.solve(puzzle, objective="moves", time_limit=self._time_limit), name)
        return _optimum(noyes.solve(puzzle, time_limit=self._time_limit), name)

    def _move(self, action: np.int64) -> str:
        if action not in self.action_space:
            raise noyes.InputError(f"action: expected 0 to {len(ACTIONS) - 1}, found {action!r}")
        return ACTIONS[int(action)]

    def _info(self, moves: list[str]) -> dict[str, Any]:
        legal = {move.upper() for move in moves}
        mask = np.array([action in legal for action in ACTIONS], dtype=np.int8)
        return {"optimum": self._optimum, "action_mask": mask}


def _optimum(answer: noyes.Answer, name: str) -> int:
    """The cost of an answer, if it is proven."""
    if answer.status == "unsolvable":
        raise noyes.InputError(f"{name}: {answer.reason}")
    if answer.cost is None or not answer.is_optimal:
        raise noyes.LimitError(f"{name}: its optimum is not known ({answer.stop} limit reached)")
    return answer.cost


def _level(given: noyes.Level | str) -> noyes.Level:
    return given if isinstance(given, noyes.Level) else noyes.Level(given)


class TilesEnv(_PuzzleEnv):
    """Random boards of one size. An observation is the board; an action moves the blank.

    `distance` is the number of moves to the goal, or the fewest and the most; by default any solvable board comes.
    `reset(options={"board": …})` begins with a given board. The optimum of a 5x5 board can take hours, unless its distance is
    small: after `time_limit` seconds, `reset` raises `noyes.LimitError`.
    """

    def __init__(
        self,
        size: str | tuple[int, int] = "3x3",
        distance: int | tuple[int, int] | None = None,
        render_mode: str | None = None,
        time_limit: Seconds | None = None,
    ) -> None:
        super().__init__(render_mode, time_limit)
        self._size, self._distance = size, distance
        self._goal = noyes.Board.goal(size)
        self._board = self._goal
        last = self._goal.width * self._goal.height - 1
        self.observation_space = gymnasium.spaces.Box(0, last, self._goal.shape, np.uint16)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint16], dict[str, Any]]:
        super().reset(seed=seed)
        given = (options or {}).get("board")
        if given is None:
            board = noyes.generate(self._size, seed=self._seed(), distance=self._distance)
        else:
            board = noyes.Board(given)
        if board.shape != self._goal.shape:
            raise noyes.InputError(f"board: expected {self._goal.shape}, found {board.shape} (rows, columns)")
        self._board, self._optimum = board, self._solve(board, "board")
        return self._observation(), self._info(board.moves())

    def step(self, action: np.int64) -> tuple[NDArray[np.uint16], float, bool, bool, dict[str, Any]]:
        move = self._move(action)
        if move in self._board.moves():
            self._board = self._board.apply(move)
        solved = self._board == self._goal
        return self._observation(), -1.0, solved, False, self._info(self._board.moves())

    def _observation(self) -> NDArray[np.uint16]:
        return self._board.array.copy()

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return str(self._board).replace("/", "\n") + "\n"
        if self.render_mode == "rgb_array":
            # The brighter, the higher the number; the blank is black.
            shades = self._board.array * 255 // max(int(self._board.array.max()), 1)
            return np.kron(np.stack([shades] * 3, axis=-1), np.ones((16, 16, 1))).astype(np.uint8)
        return None


class SokobanEnv(_PuzzleEnv):
    """Levels of Sokoban for one player. An observation is the array of the level (see `noyes.Level.array`), with more OUTSIDE
    around levels that are smaller than the largest; an action moves the player.

    `levels` are the levels to choose from; by default new ones are made, of at most `size` with walls, with `boxes` boxes.
    `optimum` counts moves. `reset(options={"level": …})` begins with a given level. If the optimum is not known after
    `time_limit` seconds, `reset` raises `noyes.LimitError`.
    """

    def __init__(
        self,
        levels: Iterable[noyes.Level | str] | None = None,
        size: str | tuple[int, int] = (7, 7),
        boxes: int = 2,
        render_mode: str | None = None,
        time_limit: Seconds | None = None,
    ) -> None:
        super().__init__(render_mode, time_limit)
        if isinstance(levels, str):
            raise TypeError("levels: expected a list of levels, found a single text")
        self._levels = None if levels is None else [_level(level) for level in levels]
        if self._levels == []:
            raise noyes.InputError("levels: expected at least one")
        self._size, self._boxes = size, boxes
        shapes = [level.shape for level in self._levels] if self._levels else [noyes.Board.goal(size).shape]
        self._shape = (max(rows for rows, _ in shapes), max(columns for _, columns in shapes))
        self._level: noyes.Level | None = None
        self.observation_space = gymnasium.spaces.Box(0, 31, self._shape, np.uint8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        super().reset(seed=seed)
        given = (options or {}).get("level")
        if given is not None:
            level = _level(given)
        elif self._levels is not None:
            level = self._levels[int(self.np_random.integers(len(self._levels)))]
        else:
            level = noyes.generate("sokoban", seed=self._seed(), size=self._size, boxes=self._boxes)
        if len(level.players) > 1:
            raise noyes.InputError(f"level: expected one player, found {len(level.players)}")
        if level.height > self._shape[0] or level.width > self._shape[1]:
            raise noyes.InputError(f"level: expected at most {self._shape}, found {level.shape} (rows, columns)")
        self._level, self._optimum = level, self._solve(level, "level")
        return self._observation(level), self._info(level.moves())

    def step(self, action: np.int64) -> tuple[NDArray[np.uint8], float, bool, bool, dict[str, Any]]:
        level = self._level
        if level is None:
            raise noyes.Error("step: call reset first")
        move = self._move(action)
        if move in {legal.upper() for legal in level.moves()}:
            level = self._level = level.apply(move.lower())
        return self._observation(level), -1.0, level.is_solved, False, self._info(level.moves())

    def _observation(self, level: noyes.Level) -> NDArray[np.uint8]:
        padded = np.full(self._shape, noyes.Level.OUTSIDE, np.uint8)
        padded[: level.height, : level.width] = level.array
        return padded

    def render(self) -> Any:
        if self._level is None:
            raise noyes.Error("render: call reset first")
        if self.render_mode == "ansi":
            return f"{self._level}\n"
        if self.render_mode == "rgb_array":
            image = np.full((*self._shape, 3), 230, np.uint8)
            seen = self._observation(self._level)
            for flag, colour in [
                (noyes.Level.OUTSIDE, (255, 255, 255)),
                (noyes.Level.WALL, (90, 96, 107)),
                (noyes.Level.GOAL, (192, 57, 43)),
                (noyes.Level.BOX, (183, 129, 60)),
                (noyes.Level.PLAYER, (45, 111, 158)),
            ]:
                image[(seen & flag) != 0] = colour
            return np.kron(image, np.ones((16, 16, 1))).astype(np.uint8)
        return None


for _puzzle in ("Tiles", "Sokoban"):
    if (_name := f"noyes/{_puzzle}-v0") not in gymnasium.registry:
        gymnasium.register(_name, entry_point=f"noyes.gym:{_puzzle}Env", max_episode_steps=1000)
