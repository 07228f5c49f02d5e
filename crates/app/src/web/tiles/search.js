// Hints without the service: A* with Manhattan distance and linear conflicts where that is quick enough, and with
// more trust in its bound, for some plan, where it is not. It runs in a worker of its own (worker.js).

import { isGoal, slide } from "./board.js";

/** `{ lower, upper, plan, proven }` within about so many milliseconds; `upper` and `plan` may be null. */
export function advise(board, budget_ms) {
  const exact = aStar(board, 1, budget_ms);
  if (exact.plan !== null) return { lower: exact.plan.length, upper: exact.plan.length, plan: exact.plan, proven: true };
  const { plan } = aStar(board, board.cells.length > 16 ? 8 : 4, budget_ms);
  return { lower: exact.least, upper: plan?.length ?? null, plan, proven: false };
}

/** Manhattan distance plus two for each tile that must step aside in its row or column. */
export function bound({ width, height, cells }) {
  let sum = 0;
  const rows = Array.from({ length: height }, () => []); // the tiles in their goal row, as they stand
  const columns = Array.from({ length: width }, () => []);
  cells.forEach((tile, i) => {
    if (tile === 0) return;
    const [x, y, homeX, homeY] = [i % width, Math.floor(i / width), (tile - 1) % width, Math.floor((tile - 1) / width)];
    sum += Math.abs(homeX - x) + Math.abs(homeY - y);
    if (y === homeY) rows[y].push(tile);
    if (x === homeX) columns[x].push(tile);
  });
  return [...rows, ...columns].reduce((total, list) => total + 2 * aside(list), sum);
}

/** How many must leave so that the rest is in order: all but a longest rising sequence. */
function aside(list) {
  const best = [];
  list.forEach((tile, i) => {
    best[i] = 1;
    for (let j = 0; j < i; j++) if (list[j] < tile) best[i] = Math.max(best[i], best[j] + 1);
  });
  return list.length - Math.max(0, ...best);
}

/** A plan, optimal with weight 1, or none in time; `least` is then the cost that all plans have with weight 1. */
function aStar(start, weight, budget_ms) {
  const deadline = performance.now() + budget_ms;
  const buckets = []; // of nodes, by g + weight * h
  const cheapest = new Map(); // g of each board met
  const put = (b, g, from, letter) => {
    const key = b.cells.join();
    if (cheapest.get(key) <= g) return;
    cheapest.set(key, g);
    const f = g + weight * bound(b);
    (buckets[f] ??= []).push({ b, g, key, from, letter });
    at = Math.min(at, f);
  };
  let at = Infinity;
  put(start, 0, null, "");
  for (let nodes = 1; at < buckets.length; ) {
    const node = buckets[at]?.pop();
    if (!node) at++;
    else if (node.g === cheapest.get(node.key)) {
      if ((++nodes & 255) === 0 && performance.now() > deadline) return { plan: null, least: at };
      if (isGoal(node.b)) {
        let plan = "";
        for (let each = node; each.from; each = each.from) plan = each.letter + plan;
        return { plan, least: plan.length };
      }
      for (const letter of "LURD") {
        const next = slide(node.b, letter);
        if (next) put(next, node.g + 1, node, letter);
      }
    }
  }
  return { plan: null, least: 0 };
}
