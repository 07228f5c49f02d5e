// Dead squares: a box on one of them never reaches a goal, even if it were alone in the level.
//
// The search goes backwards. From each goal, a box is pulled to every neighbour that has another free cell behind it for the
// player. What is never reached is dead. This does not ask whether the player can get there, so it may miss dead squares
// but never marks a live one.

import { beside } from "../cells.js";

/** The dead squares of a level. */
export function deadSquares(level) {
	const isFloor = (cell) => cell >= 0 && !level.walls[cell];
	const alive = new Set(level.goals.flatMap((goal, cell) => (goal ? [cell] : [])));
	for (const cell of alive) {
		for (const letter of "LURD") {
			const from = beside(level, cell, letter);
			if (isFloor(from) && isFloor(beside(level, from, letter))) alive.add(from); // the loop also visits it
		}
	}
	return new Set(level.walls.flatMap((wall, cell) => (!wall && level.inside[cell] && !alive.has(cell) ? [cell] : [])));
}
