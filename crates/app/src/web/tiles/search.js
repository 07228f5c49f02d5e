// Hints without the service: IDA* with Manhattan distance and linear conflicts where it is quick enough, and
// weighted A* for some plan where it is not. It runs in a worker of its own (worker.js).

import { isGoal, neighbour, OPPOSITE, slide } from "./board.js";

/** `{ lower, upper, plan, proven }` within about so many milliseconds; `upper` and `plan` may be null. */
export function advise(board, budget_ms) {
  if (isGoal(board)) return { lower: 0, upper: 0, plan: "", proven: true };
  const deadline = performance.now() + budget_ms;
  const exact = idaStar(board, deadline);
  if (exact.plan !== null) return { lower: exact.lower, upper: exact.lower, plan: exact.plan, proven: true };
  const plan = weighted(board, performance.now() + budget_ms);
  return { lower: exact.lower, upper: plan === null ? null : plan.length, plan, proven: false };
}

/** Manhattan distance plus two for each tile that must step aside in its row or column. */
export function bound(b) {
  const { width, height, cells } = b;
  let sum = 0;
  for (let i = 0; i < cells.length; i++) {
    if (cells[i] === 0) continue;
    const home = cells[i] - 1;
    sum += Math.abs((home % width) - (i % width)) + Math.abs(Math.floor(home / width) - Math.floor(i / width));
  }
  for (let row = 0; row < height; row++) {
    const inRow = [];
    for (let x = 0; x < width; x++) {
      const tile = cells[row * width + x];
      if (tile && Math.floor((tile - 1) / width) === row) inRow.push(tile);
    }
    sum += 2 * aside(inRow);
  }
  for (let column = 0; column < width; column++) {
    const inColumn = [];
    for (let y = 0; y < height; y++) {
      const tile = cells[y * width + column];
      if (tile && (tile - 1) % width === column) inColumn.push(tile);
    }
    sum += 2 * aside(inColumn);
  }
  return sum;
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

function idaStar(start, deadline) {
  let limit = bound(start);
  for (let nodes = 0; ; limit += 2) {
    let late = false;
    const walk = (b, g, last) => {
      if ((++nodes & 511) === 0 && performance.now() > deadline) late = true;
      if (late || g + bound(b) > limit) return null;
      if (isGoal(b)) return "";
      for (const letter of "LURD") {
        if (letter === OPPOSITE[last]) continue;
        const next = slide(b, letter);
        const rest = next && walk(next, g + 1, letter);
        if (rest !== null) return letter + rest;
      }
      return null;
    };
    const plan = walk(start, 0, "");
    if (plan !== null) return { plan, lower: plan.length };
    if (late) return { plan: null, lower: limit };
  }
}

/** Some plan, by A* that trusts its bound too much; null when time runs out. */
function weighted(start, deadline) {
  const buckets = [];
  const put = (node) => (buckets[node.f] ??= []).push(node);
  const weight = start.cells.length > 16 ? 8 : 4;
  const seen = new Set([start.cells.join()]);
  put({ b: start, g: 0, f: 0, from: null, letter: "" });
  for (let f = 0, nodes = 0; f < buckets.length; ) {
    const node = buckets[f]?.pop();
    if (!node) {
      f++;
      continue;
    }
    if ((++nodes & 255) === 0 && performance.now() > deadline) return null;
    if (isGoal(node.b)) {
      let plan = "";
      for (let at = node; at.from; at = at.from) plan = at.letter + plan;
      return plan;
    }
    for (const letter of "LURD") {
      if (neighbour(node.b, node.b.blank, letter) < 0) continue;
      const b = slide(node.b, letter);
      const key = b.cells.join();
      if (seen.has(key)) continue;
      seen.add(key);
      const next = { b, g: node.g + 1, f: node.g + 1 + weight * bound(b), from: node, letter };
      put(next);
      if (next.f < f) f = next.f;
    }
  }
  return null;
}
