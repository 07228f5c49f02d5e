// The engines that can race: name, engine with options, and whether it is chosen by default. "Auto" leaves the choice to
// the service; its record says what that was.

const lane = (on, name, engine, how) => ({ name, on, ask: { engine, ...how } });
const search = (on, name, engine, heuristic) => lane(on, name, engine, { heuristic });
const sat = (on, name, encoding, objective) => lane(on, `SAT, ${name}`, "sat", { encoding, objective });

const pushes = { objective: "pushes" };

export const TILES = [
	search(true, "A*, Manhattan", "astar", "manhattan"),
	search(false, "A*, linear conflict", "astar", "linear-conflict"),
	search(true, "IDA*, Manhattan", "idastar", "manhattan"),
	search(false, "IDA*, linear conflict", "idastar", "linear-conflict"),
	search(true, "IDA*, walking distance", "idastar", "walking"),
	lane(true, "Auto", "auto"),
	search(false, "Bidirectional", "bidirectional", "manhattan"),
	lane(false, "Anytime", "anytime"),
	sat(true, "lean", "lean"),
	sat(true, "Edixhoven", "edixhoven+no-undo+manhattan"),
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

export const EXAMPLES = [
	["3×3, 31 moves", "8 6 7/2 5 4/3 0 1"],
	["4×4, 38 moves", "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13"],
	["4×4, 49 moves", "7 1 2 9/3 4 0 6/10 8 5 11/12 14 13 15"],
	["a level", "########\n#  .   #\n# $$ . #\n#  @   #\n#      #\n########"],
];
