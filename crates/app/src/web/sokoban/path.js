// The best way there: walks by breadth-first search, and one box pushed to a cell with the fewest pushes, then moves.

import { beside } from "../cells.js";

/** For each cell that a player can walk to, the letters of a shortest walk; boxes and other players stand still. */
export function walks(level, state, player) {
	const taken = new Set([...state.boxes, ...state.players]);
	const from = state.players[player];
	const ways = new Map([[from, ""]]);
	for (const [cell, way] of ways) {
		for (const letter of "lurd") {
			const next = beside(level, cell, letter);
			if (next < 0 || level.walls[next] || taken.has(next) || ways.has(next)) continue;
			ways.set(next, way + letter); // a map hands out what is added while it is walked through
		}
	}
	return ways;
}

/** For each cell that a box can be pushed to by a player, the letters of a best way. */
export function routes(level, state, player, box) {
	const taken = new Set([...state.boxes.filter((_, i) => i !== box), ...state.players.filter((_, i) => i !== player)]);
	const open = (cell) => cell >= 0 && !level.walls[cell] && !taken.has(cell);
	const from = state.boxes[box];
	const seen = new Set();
	const ways = new Map();
	// Layer after layer of pushes; in a layer walks go on by length, so each place is first reached in the best way.
	for (let layer = [{ at: from, man: state.players[player], way: "" }]; layer.length > 0; ) {
		const next = [];
		const buckets = [];
		const put = (node) => (buckets[node.way.length] ??= []).push(node);
		layer.forEach(put);
		for (let moves = 0; moves < buckets.length; moves++) {
			for (const { at, man, way } of buckets[moves] ?? []) {
				const key = `${at} ${man}`;
				if (seen.has(key)) continue;
				seen.add(key);
				if (at !== from && !ways.has(at)) ways.set(at, way);
				for (const letter of "LURD") {
					const to = beside(level, man, letter);
					const beyond = beside(level, at, letter);
					if (to === at && open(beyond)) next.push({ at: beyond, man: to, way: way + letter });
					else if (to !== at && open(to)) put({ at, man: to, way: way + letter.toLowerCase() });
				}
			}
		}
		layer = next;
	}
	return ways;
}
