// What the service says of a level: a plan from here, kept for every state on its way, and which boxes are dead.

import { post } from "../api.js";
import { deadCells, follow, format, fromPlan, pushesOf } from "./level.js";

const known = new Map(); // by objective and state

const key = (level, state, by) => `${by} ${format(level, state)}`;

/** What is known already: `{ path, proven, lower, upper }` or undefined; `by` is "pushes" or "moves". */
export const recallAdvice = (level, state, by) => known.get(key(level, state, by));

/** A best plan from here within about two seconds; throws the reason when there is none. */
export async function advise(level, state, by) {
  if (!known.has(key(level, state, by))) {
    const hint = await post("hint", { puzzle: format(level, state), objective: by });
    if (!hint.plan) throw new Error(hint.reason ?? `No plan found in time; at least ${hint.lower ?? 0} ${by} are needed.`);
    learn(level, state, by, hint);
  }
  return recallAdvice(level, state, by);
}

/** Keeps a plan and all its rests: those of an optimal plan are optimal. */
export function learn(level, state, by, { plan, lower, upper, proven }) {
  if (known.size > 20000) known.clear();
  const crew = state.players.length;
  const { states, path } = follow(level, state, fromPlan(plan, crew));
  states.forEach((each, i) => {
    const rest = path.slice(i * crew);
    const done = by === "pushes" ? pushesOf(path) - pushesOf(rest) : i;
    known.set(key(level, each, by), { path: rest, proven, lower: Math.max(0, lower - done), upper: upper - done });
  });
}

/** The next push of a path: which box, its letter, and how much of the path leads there. */
export function nextPush(level, state, path) {
  const crew = state.players.length;
  const { states } = follow(level, state, path);
  for (let i = 1; i < states.length; i++) {
    const box = state.boxes.findIndex((cell, b) => states[i].boxes[b] !== cell);
    if (box < 0) continue;
    const letter = [...path.slice((i - 1) * crew, i * crew)].find((each) => "LURD".includes(each)) ?? "";
    return { box, letter, length: i * crew };
  }
  return { box: -1, letter: "", length: path.length };
}

/** Which boxes are dead and why: `{ cells, words }`, by the service, or by dead cells alone without it. */
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
    const place = (cell) => `row ${Math.floor(cell / level.width) + 1}, column ${(cell % level.width) + 1}`;
    return { cells: new Set(cells), words: cells.map((cell) => `the box at ${place(cell)} can reach no goal from there`).join("; ") };
  }
}
