// Best paths: walks by breadth-first search, and pushes of one box to a cell with fewest pushes, then fewest moves.

import { beside } from "../cells.js";

/** The letters of a shortest walk to each cell that a player can reach; boxes and other players stay. */
export function walks(level, state, player) {
	const taken = new Set([...state.boxes, ...state.players]);
	const from = state.players[player];
	const ways = new Map([[from, ""]]);
	for (const [cell, way] of ways) {
		for (const letter of "lurd") {
			const next = beside(level, cell, letter);
			if (next < 0 || level.walls[next] || taken.has(next) || ways.has(next)) continue;
			ways.set(next, way + letter); // the loop also visits entries added while it runs
		}
	}
	return ways;
}

/** The letters of a best path for each cell that a player can push a box to. */
export function routes(level, state, player, box) {
	const taken = new Set([...state.boxes.filter((_, i) => i !== box), ...state.players.filter((_, i) => i !== player)]);
	const open = (cell) => cell >= 0 && !level.walls[cell] && !taken.has(cell);
	const from = state.boxes[box];
	const seen = new Set();
	const ways = new Map();
	// Layer by layer of pushes, and by length within a layer, so that each place is first reached by a best path.
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
