// Boards of sliding tiles: read, write, shuffle, slide, and why some cannot be solved.
// A board is `{ width, height, cells, blank }` and never changes; 0 is the blank. Letters L U R D name the
// blank's movement, as everywhere in this project.

import { beside } from "../cells.js";

export const OPPOSITE = { L: "R", R: "L", U: "D", D: "U" };

export const board = (width, height, cells) => ({ width, height, cells, blank: cells.indexOf(0) });

export function goal(width, height) {
  const size = width * height;
  return board(width, height, Array.from({ length: size }, (_, i) => (i + 1) % size));
}

export const isGoal = (b) => b.cells.every((tile, i) => tile === (i + 1) % b.cells.length);

export const format = (b) => rows(b).map((row) => row.join(" ")).join("/");

export function rows(b) {
  return Array.from({ length: b.height }, (_, row) => b.cells.slice(row * b.width, (row + 1) * b.width));
}

/** A board from text: tiles parted by blanks or commas, rows by slashes or lines; without rows it is square. */
export function parse(text) {
  const lines = text.trim().split(/\s*[/\n;|]\s*/).filter(Boolean);
  let grid = lines.map((line) => line.trim().split(/[\s,]+/).filter(Boolean).map(number));
  if (grid.length === 0) throw new Error("There is nothing to read. A board looks like 8 6 7/2 5 4/3 0 1.");
  if (grid.length === 1) {
    const side = Math.sqrt(grid[0].length);
    if (!Number.isInteger(side)) throw new Error(`${grid[0].length} numbers in one row are no square. Part the rows by slashes.`);
    grid = Array.from({ length: side }, (_, row) => grid[0].slice(row * side, (row + 1) * side));
  }
  const width = grid[0].length;
  const odd = grid.findIndex((row) => row.length !== width);
  if (odd > 0) throw new Error(`Row ${odd + 1} has ${grid[odd].length} tiles, row 1 has ${width}.`);
  if (width < 2 || grid.length < 2) throw new Error("A board needs two rows and two columns at least.");
  if (width > 20 || grid.length > 20) throw new Error("This page shows boards of up to 20×20.");
  const cells = grid.flat();
  for (let tile = 0; tile < cells.length; tile++) {
    const times = cells.filter((other) => other === tile).length;
    if (times !== 1) throw new Error(`${tile === 0 ? "The blank (0)" : `Tile ${tile}`} is there ${times === 0 ? "not at all" : `${times} times`}; a board of ${cells.length} cells has each of 0 to ${cells.length - 1} once.`);
  }
  return board(width, grid.length, cells);
}

function number(word) {
  if (word === "_" || word === "x") return 0;
  if (!/^\d{1,3}$/.test(word)) throw new Error(`“${word.slice(0, 12)}” is no tile. Tiles are numbers, 0 or _ is the blank.`);
  return Number(word);
}

/** The board after the blank has moved, or null. */
export function slide(b, letter) {
  const to = beside(b, b.blank, letter);
  if (to < 0) return null;
  const cells = b.cells.slice();
  cells[b.blank] = cells[to];
  cells[to] = 0;
  return { ...b, cells, blank: to };
}

export const slides = (b, letters) => [...letters].reduce((at, letter) => at && slide(at, letter), b);

/** The moves that slide everything from `cell` to the blank by one, or "" if they are not in line. */
export function line(b, cell) {
  const [dx, dy] = [(cell % b.width) - (b.blank % b.width), Math.floor(cell / b.width) - Math.floor(b.blank / b.width)];
  if ((dx === 0) === (dy === 0)) return "";
  return (dx < 0 ? "L" : dx > 0 ? "R" : dy < 0 ? "U" : "D").repeat(Math.abs(dx + dy));
}

/** Whether the goal can be reached, and in words why not. */
export function solvable(b) {
  // Each move swaps the blank with one tile and takes it one step: swaps and steps stay both even or both odd.
  const seen = new Set();
  let swaps = 0;
  for (let i = 0; i < b.cells.length; i++) {
    for (let j = i, length = 0; !seen.has(j); length++) {
      seen.add(j);
      if (length > 0) swaps++;
      j = (b.cells[j] + b.cells.length - 1) % b.cells.length;
    }
  }
  const steps = b.width - 1 - (b.blank % b.width) + b.height - 1 - Math.floor(b.blank / b.width);
  if (swaps % 2 === steps % 2) return { solvable: true, reason: "" };
  const kind = (n) => (n % 2 ? "odd" : "even");
  return {
    solvable: false,
    reason: `This board cannot be solved: it is ${swaps} ${swaps === 1 ? "swap" : "swaps"} (${kind(swaps)}) from order, but its blank ${steps} ${steps === 1 ? "step" : "steps"} (${kind(steps)}) from home, and every move is one swap and one step.`,
  };
}

/** A random board that can be solved, each with the same chance. */
export function shuffle(width, height) {
  const cells = goal(width, height).cells.slice();
  for (let i = cells.length - 1; i > 0; i--) {
    const j = below(i + 1);
    [cells[i], cells[j]] = [cells[j], cells[i]];
  }
  const b = board(width, height, cells);
  if (isGoal(b)) return shuffle(width, height);
  return solvable(b).solvable ? b : swapTwo(b);
}

/** A random number from 0 to `n` - 1, each with the same chance. */
function below(n) {
  const most = Math.floor(2 ** 32 / n) * n;
  const [value] = crypto.getRandomValues(new Uint32Array(1));
  return value < most ? value % n : below(n);
}

/** The board with its first two tiles changed: the other half of all boards. */
export function swapTwo(b) {
  const [i, j] = b.cells.map((_, cell) => cell).filter((cell) => b.cells[cell] !== 0);
  const cells = b.cells.slice();
  [cells[i], cells[j]] = [cells[j], cells[i]];
  return board(b.width, b.height, cells);
}
