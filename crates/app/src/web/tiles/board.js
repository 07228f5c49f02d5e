// Boards of sliding tiles: read, write, shuffle, slide, and explain why some are unsolvable.
// A board `{ width, height, cells, blank }` is immutable; 0 is the blank. The letters L U R D name the blank's movement,
// as everywhere in this project.

import { beside, way, xy } from "../cells.js";
import { plural } from "../dom.js";

export const OPPOSITE = { L: "R", R: "L", U: "D", D: "U" };

export const board = (width, height, cells) => ({ width, height, cells, blank: cells.indexOf(0) });

function goal(width, height) {
	const size = width * height;
	return board(width, height, Array.from({ length: size }, (_, i) => (i + 1) % size));
}

export const isGoal = (b) => b.cells.every((tile, i) => tile === (i + 1) % b.cells.length);

export const format = (b) => rows(b).map((row) => row.join(" ")).join("/");

export function rows(b) {
	return Array.from({ length: b.height }, (_, row) => b.cells.slice(row * b.width, (row + 1) * b.width));
}

/** A board from text: spaces or commas between tiles, slashes or lines between rows; square without rows. Lists in
brackets and digits without separators are read as well. */
export function parse(text) {
	const lines = plain(text).trim().split(/\s*[/\n;|]\s*/).filter(Boolean);
	let grid = lines.map((line) => line.trim().split(/[\s,]+/).filter(Boolean).map(number));
	if (grid.length === 0) throw new Error("The text is empty. A board looks like 8 6 7/2 5 4/3 0 1.");
	if (grid.length === 1) {
		const side = Math.sqrt(grid[0].length);
		if (!Number.isInteger(side)) throw new Error(`${grid[0].length} numbers do not make a square. Separate the rows by slashes.`);
		grid = Array.from({ length: side }, (_, row) => grid[0].slice(row * side, (row + 1) * side));
	}
	const width = grid[0].length;
	const odd = grid.findIndex((row) => row.length !== width);
	if (odd > 0) throw new Error(`Row ${odd + 1} has ${plural(grid[odd].length, "tile")}, row 1 has ${width}.`);
	if (width < 2 || grid.length < 2) throw new Error("A board needs at least two rows and two columns.");
	if (width > 20 || grid.length > 20) throw new Error("This page shows boards of up to 20×20.");
	const cells = grid.flat();
	for (let tile = 0; tile < cells.length; tile++) {
		const times = cells.filter((other) => other === tile).length;
		if (times !== 1) throw new Error(`${tile === 0 ? "The blank (0)" : `Tile ${tile}`} ${times === 0 ? "is missing" : `appears ${times} times`}; a board of ${cells.length} cells has each of 0 to ${cells.length - 1} once.`);
	}
	return board(width, grid.length, cells);
}

/** The text with slashes instead of brackets, and spaces between digits that nothing separates. */
function plain(text) {
	const isList = /[[({]/.test(text);
	const rows = isList ? text.replace(/\s+/g, " ").replace(/[\])}][\s,]*(?=[[({])/g, "/").replace(/[[\](){}]/g, " ") : text;
	return /^[\d_]+$/.test(rows.replace(/[\s/;|]+/g, "")) && !/[\d_][ \t]+[\d_]/.test(rows) && rows.match(/[\d_]/g).length <= 10
		? rows.replace(/(?=[\d_])/g, " ") : rows;
}

function number(word) {
	if (["_", "x", "."].includes(word)) return 0;
	if (!/^\d{1,3}$/.test(word)) throw new Error(`“${word.slice(0, 12)}” is not a tile. Tiles are numbers; 0 or _ is the blank.`);
	return Number(word);
}

/** The board after the blank has moved, or null. */
export function slide(b, letter) {
	const to = beside(b, b.blank, letter);
	return to < 0 ? null : swapped(b, b.blank, to);
}

export const slides = (b, letters) => [...letters].reduce((at, letter) => at && slide(at, letter), b);

/** The moves that slide all tiles between `cell` and the blank by one, or "" if they are not in line. */
export function line(b, cell) {
	const [dx, dy] = apart(b, b.blank, cell);
	return (dx === 0) === (dy === 0) ? "" : way(dx, dy).repeat(Math.abs(dx + dy));
}

/** Columns and rows from one cell to another. */
export function apart(b, from, to) {
	const [x, y] = xy(b, from);
	return [xy(b, to)[0] - x, xy(b, to)[1] - y];
}

/** Why the goal cannot be reached, or "". */
export function unsolvable(b) {
	// Each move is one swap and one step of the blank, so both numbers are even or both are odd on solvable boards.
	const size = b.cells.length;
	const seen = new Set();
	let swaps = size;
	for (let i = 0; i < size; i++) {
		if (!seen.has(i)) swaps--; // a cycle of n cells takes n - 1 swaps
		for (let j = i; !seen.has(j); j = (b.cells[j] + size - 1) % size) seen.add(j);
	}
	const steps = apart(b, b.blank, size - 1).reduce((dx, dy) => dx + dy);
	if (swaps % 2 === steps % 2) return "";
	const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"} (${n % 2 ? "odd" : "even"})`;
	return `This board cannot be solved: its tiles are ${counted(swaps, "swap")} from order, its blank ${counted(steps, "step")} from its corner, and a move changes both by one.`;
}

/** The board with two cells swapped. */
export function swapped(b, i, j) {
	const cells = b.cells.slice();
	[cells[i], cells[j]] = [cells[j], cells[i]];
	return board(b.width, b.height, cells);
}

/** The board with its first two tiles swapped, which makes an unsolvable board solvable. */
export const swapTwo = (b) => swapped(b, ...[0, 1, 2].filter((cell) => cell !== b.blank));

/** A random solvable board, each equally likely. `random` returns numbers from 0 to 1. */
export function shuffle(width, height, random = Math.random) {
	let b = goal(width, height);
	for (let i = width * height - 1; i > 0; i--) b = swapped(b, i, Math.floor(random() * (i + 1)));
	if (unsolvable(b)) b = swapTwo(b);
	return isGoal(b) ? shuffle(width, height, random) : b;
}
