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
  const taken = new Set(state.boxes.filter((_, i) => i !== box));
  state.players.forEach((cell, i) => i !== player && taken.add(cell));
  const open = (cell) => cell >= 0 && !level.walls[cell] && !taken.has(cell);
  const size = level.walls.length;
  const from = { box: state.boxes[box], man: state.players[player], before: null, letter: "", moves: 0 };
  const seen = new Set();
  const ends = new Map();
  // Layer after layer of pushes; in a layer walks go on by length, so each place is first reached in the best way.
  for (let layer = [from]; layer.length > 0; ) {
    const next = [];
    const buckets = [];
    for (const node of layer) (buckets[node.moves] ??= []).push(node);
    for (let moves = 0; moves < buckets.length; moves++) {
      for (const node of buckets[moves] ?? []) {
        const key = node.box * size + node.man;
        if (seen.has(key)) continue;
        seen.add(key);
        if (!ends.has(node.box)) ends.set(node.box, node);
        for (const letter of "LURD") {
          const to = beside(level, node.man, letter);
          if (!open(to)) continue;
          if (to !== node.box) {
            (buckets[moves + 1] ??= []).push({ box: node.box, man: to, before: node, letter: letter.toLowerCase(), moves: moves + 1 });
            continue;
          }
          const beyond = beside(level, to, letter);
          if (open(beyond)) next.push({ box: beyond, man: to, before: node, letter, moves: moves + 1 });
        }
      }
    }
    layer = next;
  }
  ends.delete(from.box);
  const ways = new Map();
  for (const [cell, end] of ends) {
    let way = "";
    for (let node = end; node.before; node = node.before) way = node.letter + way;
    ways.set(cell, way);
  }
  return ways;
}
