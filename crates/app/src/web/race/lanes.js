// The engines that can race: name, engine with options, and whether it is chosen by default. "Auto" leaves the choice to
// the service; its record says what that was.

import { SERVICE } from "../site.js";

const lane = (on, name, engine, how) => ({ name, on, ask: { engine, ...how } });
const search = (on, name, engine, heuristic) => lane(on, name, engine, { heuristic });
const sat = (on, name, encoding, objective) => lane(on, `SAT, ${name}`, "sat", { encoding, objective });

const pushes = { objective: "pushes" };

/** Pattern databases that are quick to build, for a board of this size: the tiles are split evenly. */
function tables(width, height) {
	const cells = width * height;
	if (width === 4 && height === 4) return "pdb:6-6-3+reflect";
	const parts = Math.ceil((cells - 1) / (cells > 16 ? 5 : 6));
	return `pdb:${Array.from({ length: parts }, (_, i) => Math.floor((cells - 1 + i) / parts)).join("-")}`;
}

/** An engine with pattern databases. Its options depend on the size of the board, so `ask` is a function. */
const databases = (on, name, engine) => ({ name, on, ask: (width, height) => ({ engine, heuristic: tables(width, height) }) });

export const TILES = [
	lane(false, "Dijkstra", "dijkstra"),
	search(false, "A*, misplaced tiles", "astar", "misplaced"),
	search(true, "A*, Manhattan", "astar", "manhattan"),
	search(false, "A*, linear conflict", "astar", "linear-conflict"),
	search(false, "A*, X-Y (walking distance)", "astar", "walking"),
	databases(false, "A*, pattern databases", "astar"),
	search(false, "SMA*, Manhattan", "sma", "manhattan"),
	search(true, "IDA*, Manhattan", "idastar", "manhattan"),
	search(false, "IDA*, linear conflict", "idastar", "linear-conflict"),
	search(true, "IDA*, walking distance", "idastar", "walking"),
	databases(false, "IDA*, pattern databases", "idastar"),
	lane(true, "Auto", "auto"),
	search(false, "Bidirectional", "bidirectional", "manhattan"),
	lane(false, "Anytime", "anytime"),
	lane(false, "Human method (not optimal)", "human"),
	sat(true, "lean", "lean"),
	sat(SERVICE, "Edixhoven", "edixhoven+no-undo+manhattan"), // takes minutes without CaDiCaL
	sat(false, "rotated", "rotated"),
	sat(false, "transitions", "transitions"),
];

/** Levels with one player. */
export const LEVEL = [
	lane(true, "Auto, fewest pushes", "auto", pushes),
	lane(true, "Bidirectional, pushes", "bidirectional", pushes),
	lane(true, "Breadth-first, pushes", "bfs", pushes),
	sat(true, "pushes", "pushes", "pushes"),
	sat(true, "Tamura", "tamura", "pushes"),
	lane(false, "Auto, fewest moves", "auto", { objective: "moves" }),
	lane(false, "Breadth-first, moves", "bfs", { objective: "moves" }),
	sat(false, "moves", "moves", "moves"),
];

/** Levels with several players, where steps count. */
export const CREW = [
	lane(true, "Auto", "auto"),
	lane(true, "Bidirectional", "bidirectional"),
	lane(true, "Breadth-first", "bfs"),
	sat(true, "moves", "moves"),
];

/** The first one is the default: it keeps the slowest of the default engines busy for a few seconds. */
export const EXAMPLES = [
	["4×4, 26 moves", "1 8 2 7/3 6 11 4/0 5 12 15/9 13 10 14"],
	["3×3, 31 moves", "8 6 7/2 5 4/3 0 1"],
	["4×4, 38 moves", "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13"],
	["4×4, 49 moves", "7 1 2 9/3 4 0 6/10 8 5 11/12 14 13 15"],
	["a level", "########\n#  .   #\n# $$ . #\n#  @   #\n#      #\n########"],
];
