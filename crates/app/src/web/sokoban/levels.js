// The levels to choose from: the service's collection, and the player's own.

import { get } from "../api.js";
import { keep, recall } from "../dom.js";
import { format, parse, problem, read } from "./level.js";

const FIRST = { title: "First push", xsb: "#######\n#     #\n# @$. #\n#     #\n#######", moves: 1, pushes: 1 };

/** The player's own levels that can be played. */
const own = () => recall("levels", []).filter((kept) => {
	if (typeof kept?.xsb !== "string" || typeof kept.title !== "string") return false;
	const { level, state } = parse(kept.xsb);
	return !problem(level, state);
});

/** What identifies a level, however its text is written. */
export function keyOf(xsb) {
	const { level, state } = parse(xsb);
	return format(level, state);
}

let shipped = new Set(); // the keys of the service's collection

export const SHIPPED = "noyes"; // the folder of the levels that come with the program
export const MINE = "My levels";

const folderOf = ({ folder }) => (typeof folder === "string" && folder ? folder : MINE);

/** All levels: `{ title, xsb, key, folder, solution?, moves?, pushes?, own? }`, by folder. For a crew, `moves` are steps. */
export async function collection() {
	const of = ({ title, puzzle, min_moves, min_pushes: pushes, min_steps }) => ({ title, xsb: read(puzzle)[0].xsb, moves: min_steps ?? min_moves, pushes });
	const levels = await get("levels").then((all) => all.map(of)).catch(() => [FIRST]);
	shipped = new Set(levels.map(({ xsb }) => keyOf(xsb)));
	const mine = own().map((level) => ({ ...level, folder: folderOf(level) }));
	const folders = [...new Set(mine.map(({ folder }) => folder))];
	return [...levels.map((level) => ({ ...level, folder: SHIPPED })), ...folders.flatMap((name) => mine.filter(({ folder }) => folder === name))].map((level) => ({ ...level, key: keyOf(level.xsb) }));
}

const MOST = 2000; // own levels

/**
 * Stores levels as the player's own: `{ added, full }`, how many are new, and whether there was no room for all. Those
 * without a title get `name` and the next free number.
 */
export function adopt(levels, name) {
	const kept = own();
	const known = new Set([...shipped, ...kept.map(({ xsb }) => keyOf(xsb))]);
	let number = 0;
	let added = 0;
	for (const { title, ...level } of levels) {
		if (known.has(keyOf(level.xsb))) continue;
		known.add(keyOf(level.xsb));
		let called = title;
		while (!called || (!title && kept.some((old) => old.title === called))) called = `${name} ${++number}`;
		kept.push({ ...level, title: called, own: true });
		added++;
	}
	const stored = keep("levels", kept.slice(0, MOST));
	return { added, full: !stored || kept.length > MOST };
}

/** Deletes one of the player's own levels. */
export const discard = (xsb) => keep("levels", own().filter((old) => old.xsb !== xsb));

/** Gives a folder of the player's own levels another name. If there is one of this name, they become one. */
export const renameFolder = (from, to) => keep("levels", own().map((level) => (folderOf(level) === from ? { ...level, folder: to } : level)));

/** Deletes a folder of the player's own levels, and returns them. */
export function discardFolder(name) {
	const kept = own();
	keep("levels", kept.filter((level) => folderOf(level) !== name));
	return kept.filter((level) => folderOf(level) === name);
}

/** The player's best for each level: `{ moves, pushes, plan? }` by key. `plan` has the fewest pushes. */
export function bests() {
	const kept = Object.entries(recall("best", {}));
	return Object.fromEntries(kept.filter(([, best]) => Number.isFinite(best?.moves) && Number.isFinite(best.pushes)));
}
