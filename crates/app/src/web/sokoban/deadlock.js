// Which boxes are dead and why: by the service, or by dead cells alone without it.

import { post } from "../api.js";
import { beside, place } from "../cells.js";
import { format } from "./level.js";

/** Cells of dead boxes and the reason: `{ cells, words }`. */
export async function deadlock(level, state) {
  try {
    const { dead, unsolvable, reason } = await post("explain", { puzzle: format(level, state) });
    const cells = dead.flatMap(({ boxes }) => boxes.map(([row, column]) => row * level.width + column));
    const words = dead.map((each) => each.words).join("; ") || (unsolvable ? (reason ?? "there is no plan from here") : "");
    return { cells: new Set(cells), words };
  } catch {
    const lost = deadCells(level);
    const cells = state.boxes.filter((cell) => lost[cell]);
    const spare = state.boxes.length - level.goals.filter(Boolean).length;
    if (cells.length <= spare) return { cells: new Set(), words: "" };
    return { cells: new Set(cells), words: cells.map((cell) => `the box at ${place(level, cell)} can reach no goal from there`).join("; ") };
  }
}

/** Cells from which no push leads to a goal, by pulling from the goals. */
function deadCells(level) {
  const alive = level.walls.map(() => false);
  const queue = level.goals.flatMap((goal, cell) => (goal ? [cell] : []));
  for (const cell of queue) alive[cell] = true;
  const open = (cell) => cell >= 0 && !level.walls[cell];
  for (const cell of queue) {
    for (const letter of "LURD") {
      const from = beside(level, cell, letter);
      if (!open(from) || alive[from] || !open(beside(level, from, letter))) continue;
      alive[from] = true;
      queue.push(from);
    }
  }
  return alive.map((lives, cell) => !lives && level.inside[cell]);
}
