// Who can race: names, what the service is asked for, and whether they start by default.

export const TILES = [
  { name: "A*, Manhattan", ask: { engine: "astar", heuristic: "manhattan" }, on: true },
  { name: "A*, linear conflict", ask: { engine: "astar", heuristic: "linear-conflict" } },
  { name: "IDA*, Manhattan", ask: { engine: "idastar", heuristic: "manhattan" }, on: true },
  { name: "IDA*, linear conflict", ask: { engine: "idastar", heuristic: "linear-conflict" } },
  { name: "IDA*, walking distance", ask: { engine: "idastar", heuristic: "walking" }, on: true },
  { name: "IDA*, pattern databases", ask: { engine: "auto" }, on: true },
  { name: "Bidirectional", ask: { engine: "bidirectional", heuristic: "manhattan" } },
  { name: "Anytime", ask: { engine: "anytime" } },
  { name: "SAT, lean", ask: { engine: "sat", encoding: "lean" }, on: true },
  { name: "SAT, Edixhoven", ask: { engine: "sat", encoding: "edixhoven+no-undo+manhattan" }, on: true },
  { name: "SAT, rotated", ask: { engine: "sat", encoding: "rotated" } },
  { name: "SAT, transitions", ask: { engine: "sat", encoding: "transitions" } },
];

/** Levels of one player. */
export const LEVEL = [
  { name: "Auto, fewest pushes", ask: { engine: "auto", objective: "pushes" }, on: true },
  { name: "Bidirectional, pushes", ask: { engine: "bidirectional", objective: "pushes" }, on: true },
  { name: "Breadth-first, pushes", ask: { engine: "bfs", objective: "pushes" }, on: true },
  { name: "SAT, our pushes", ask: { engine: "sat", encoding: "pushes", objective: "pushes" }, on: true },
  { name: "SAT, Tamura", ask: { engine: "sat", encoding: "tamura", objective: "pushes" }, on: true },
  { name: "Auto, fewest moves", ask: { engine: "auto", objective: "moves" } },
  { name: "Breadth-first, moves", ask: { engine: "bfs", objective: "moves" } },
  { name: "SAT, moves", ask: { engine: "sat", encoding: "moves", objective: "moves" } },
];

/** Levels of several players, who count steps. */
export const CREW = [
  { name: "Auto", ask: { engine: "auto" }, on: true },
  { name: "Bidirectional", ask: { engine: "bidirectional" }, on: true },
  { name: "Breadth-first", ask: { engine: "bfs" }, on: true },
  { name: "SAT, moves", ask: { engine: "sat", encoding: "moves" }, on: true },
];

export const EXAMPLES = [
  ["3×3, 31 moves", "8 6 7/2 5 4/3 0 1"],
  ["4×4, 38 moves", "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13"],
  ["4×4, 49 moves", "7 1 2 9/3 4 0 6/10 8 5 11/12 14 13 15"],
  ["a level", "########\n#  .   #\n# $$ . #\n#  @   #\n#      #\n########"],
];
