// Sokoban levels: reading and writing XSB, and the rules of a step for one player or several.
//
// A level is `{ width, height, walls, goals, inside, title }`, a state `{ boxes, players }` with the cells of each; both
// are immutable. A path is a string with one letter for each player and step: lowercase letters walk, capitals push, a
// dot waits. A level that is being drawn may be invalid; `problem` says why.

import { beside, place } from "../cells.js";

const ROW = /^[#@+$*.\-_ PpBb]*#[#@+$*.\-_ ]*$/;
const RUNS = /^(?=.*#)(?=.*\|)[\d#@+$*.\-_ |]+$/;

const SOLUTION = /^\s*;?\s*Solution\b[^:]*(?::\s*(.*))?$/i;
const LURD = /^[\dlurd\s]*[lurd]\s*$/i;

/**
 * All levels of a text, as `{ title, xsb, solution?, … }`: rows of XSB (or run lengths), with titles before or after them.
 * A solution comes after its level: "Solution", with anything up to a colon, then moves on the same line or the next ones.
 */
export function read(text) {
	const levels = [];
	let rows = [];
	let name = "";
	let sure = false; // the name was marked as a title
	let solved = null; // the level whose solution is being read
	const add = (moves) => {
		if (solved && LURD.test(moves)) solved.solution = (solved.solution ?? "") + expand(moves.replace(/\s/g, ""));
	};
	const end = () => {
		const indent = Math.min(...rows.map((row) => row.search(/\S|$/)));
		if (rows.length >= 3) levels.push({ title: name, sure: sure && name !== "", xsb: rows.map((row) => row.slice(indent)).join("\n") });
		if (rows.length) name = "";
		rows = [];
	};
	const headed = (line) => {
		const [header, moves = ""] = line.match(SOLUTION) ?? [];
		if (header === undefined) return false;
		end();
		// Of several solutions the first is kept.
		solved = levels.at(-1)?.solution == null ? levels.at(-1) : null;
		add(moves);
		return true;
	};
	for (const line of text.replaceAll("\t", "    ").split(/\r?\n/)) {
		if (RUNS.test(line)) {
			end();
			rows = expand(line).split("|");
			end();
		} else if (ROW.test(line)) rows.push(line.trimEnd());
		else if (rows.length && /^[-_ ]+$/.test(line)) rows.push(line);
		else if (headed(line)) continue;
		else if (solved && LURD.test(line)) add(line);
		else {
			end();
			if (line.trim()) solved = null;
			const [, called, title] = line.match(/^\s*(Title\s*:|;)?\s*(.+)$/i) ?? [];
			const last = levels.at(-1);
			if (!title || /^\s*(Author|Comment|Collection|Copyright|Date|Email)/i.test(line)) continue;
			sure = /^title/i.test(called ?? "");
			if (sure && last && !last.sure && !name) Object.assign(last, { title: title.slice(0, 60), sure });
			else name = title.slice(0, 60);
		}
	}
	end();
	return levels;
}

const expand = (line) => line.replace(/(\d+)(\D)/g, (_, times, sign) => sign.repeat(Math.min(100, times)));

/** A level and its first state from XSB, without empty lines around it. */
export const parse = (xsb, title) => build(xsb.replace(/^(?:[ \t]*\n)+|\s+$/g, "").split("\n"), title);

/** The same from rows as they are: a level that is being drawn may start and end with floor. */
export function build(rows, title = "") {
	const [width, height] = [Math.max(1, ...rows.map((row) => row.length)), rows.length];
	const [walls, goals, boxes, players] = [[], [], [], []];
	rows.forEach((row, y) => {
		for (let x = 0; x < width; x++) {
			const sign = row[x] ?? " ";
			const cell = y * width + x;
			walls[cell] = sign === "#";
			goals[cell] = ".*+".includes(sign);
			if ("$*".includes(sign)) boxes.push(cell);
			if ("@+".includes(sign)) players.push(cell);
		}
	});
	const level = { width, height, walls, goals, title };
	flood(level, [...players, ...boxes, ...goals.flatMap((goal, cell) => (goal ? [cell] : []))]);
	return { level, state: { boxes, players } };
}

/** Marks reachable cells as `inside`; `hole` is a reachable cell at the edge, or -1. */
function flood(level, from) {
	const reached = new Set(from);
	level.hole = -1;
	for (const cell of reached) {
		for (const letter of "LURD") {
			const next = beside(level, cell, letter);
			if (next < 0) level.hole = cell;
			else if (!level.walls[next]) reached.add(next); // the loop also visits cells added while it runs
		}
	}
	level.inside = level.walls.map((_, cell) => reached.has(cell));
}

const MOST_CELLS = 10000;

/** Why a level cannot be played, or "". */
export function problem(level, state) {
	if (level.walls.length > MOST_CELLS) return `The level is too large: ${level.width}×${level.height}.`;
	const goals = level.goals.filter(Boolean).length;
	if (!state.players.length) return "There is no player (@).";
	if (!goals) return "There is no goal (.), so there is nothing to do.";
	if (level.hole >= 0) return `The walls have a hole at ${place(level, level.hole)}.`;
	if (state.boxes.length < goals) return `Too few boxes: ${state.boxes.length} for ${goals} goals.`;
	return "";
}

/** The symbol of a cell in XSB. */
export function sign(level, state, cell) {
	if (level.walls[cell]) return "#";
	const goal = level.goals[cell];
	if (state.boxes.includes(cell)) return goal ? "*" : "$";
	if (state.players.includes(cell)) return goal ? "+" : "@";
	return goal ? "." : " ";
}

export function format(level, state) {
	let text = "";
	level.walls.forEach((_, cell) => {
		if (cell && cell % level.width === 0) text += "\n";
		text += sign(level, state, cell);
	});
	return text;
}

export const isSolved = (level, state) => {
	const boxes = new Set(state.boxes);
	return level.goals.every((goal, cell) => !goal || boxes.has(cell));
};

/**
 * One step: `orders` has a letter or a dot for each player. All act at once, and only the state after the step decides:
 * everything is on floor, nothing shares a cell, and no two players have changed places.
 * Returns `{ state, letters }` with capitals for pushes, or null.
 */
export function step(level, state, orders) {
	const boxes = state.boxes.slice();
	const players = state.players.slice();
	let letters = "";
	for (let i = 0; i < players.length; i++) {
		const order = orders[i] ?? ".";
		if (order === ".") {
			letters += ".";
			continue;
		}
		const to = beside(level, players[i], order);
		if (to < 0 || level.walls[to]) return null;
		const pushed = state.boxes.indexOf(to);
		if (pushed >= 0) {
			const beyond = beside(level, to, order);
			if (beyond < 0 || level.walls[beyond]) return null;
			boxes[pushed] = beyond;
		}
		players[i] = to;
		letters += pushed >= 0 ? order.toUpperCase() : order.toLowerCase();
	}
	if (new Set([...boxes, ...players]).size < boxes.length + players.length) return null;
	const crossed = (to, i) => players.some((other, j) => j < i && to === state.players[j] && other === state.players[i]);
	return players.some(crossed) ? null : { state: { boxes, players }, letters };
}

/** All states along a path, including the first, and the path with its pushes as capitals. Stops at an illegal step. */
export function follow(level, state, path) {
	const crew = state.players.length;
	const states = [state];
	let written = "";
	for (let i = 0; crew > 0 && i + crew <= path.length; i += crew) {
		const next = step(level, states.at(-1), path.slice(i, i + crew));
		if (!next) break;
		states.push(next.state);
		written += next.letters;
	}
	return { states, path: written };
}

/** Converts a plan of the service (a part for each player, separated by slashes) into a path. */
export function fromPlan(plan, crew) {
	const walks = plan.split(/[/\n]/);
	if (crew === 1) return walks.join("");
	const steps = Math.max(...walks.map((walk) => walk.length));
	let path = "";
	for (let i = 0; i < steps; i++) for (let player = 0; player < crew; player++) path += walks[player]?.[i] ?? ".";
	return path;
}

export const pushesOf = (path) => path.replace(/[^LURD]/g, "").length;

// Levels in links: letters that need no escaping, with run lengths.
const PACKED = { "#": "w", " ": "-", ".": "o", $: "b", "*": "B", "@": "p", "+": "P", "\n": "." };
const UNPACKED = Object.fromEntries(Object.entries(PACKED).map(([sign, letter]) => [letter, sign]));
export const pack = (xsb) => [...xsb].map((sign) => PACKED[sign] ?? "-").join("").replace(/(.)\1{2,}/g, (run, letter) => run.length + letter);
export const unpack = (text) => expand(text.slice(0, 20000)).replace(/./g, (letter) => UNPACKED[letter] ?? " ");
