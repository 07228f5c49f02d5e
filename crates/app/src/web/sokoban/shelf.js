// Levels as other programs read them: XSB with titles and solutions, one level or a whole folder.

import { make } from "../dom.js";
import { follow, isSolved, parse, pushesOf } from "./level.js";
import { bests } from "./levels.js";

/** The path of a solution of a level for one player, with capitals for pushes; "" if it does not solve the level. */
export function checked(xsb, solution) {
	const { level, state } = parse(xsb);
	if (!solution || state.players.length !== 1) return "";
	const { states, path } = follow(level, state, solution);
	return path.length === solution.length && isSolved(level, states.at(-1)) ? path : "";
}

/** A level as text: rows, title, and the player's best solution or the one that came with it. */
export function written({ title, xsb, key, solution }) {
	const plan = checked(xsb, bests()[key]?.plan) || checked(xsb, solution);
	return [xsb, title && `Title: ${title}`, plan && `Solution: ${plan}`].filter(Boolean).join("\n") + "\n";
}

/** A folder as text. */
export const folderWritten = (name, levels) => [`Collection: ${name}\n`, ...levels.map(written)].join("\n");

/** Whether a path is better than the best so far: fewer pushes, then fewer moves. */
export const isBetter = (path, best) => typeof best?.plan !== "string" || pushesOf(path) < pushesOf(best.plan) || (pushesOf(path) === pushesOf(best.plan) && path.length < best.plan.length);

/** The levels in groups by folder, as options for a list; `write(level, i)` returns the text of each. */
export function grouped(levels, write) {
	const groups = new Map();
	levels.forEach((level, i) => {
		if (!groups.has(level.folder)) groups.set(level.folder, make("optgroup", { label: level.folder }));
		groups.get(level.folder).append(make("option", { value: i }, write(level, i)));
	});
	return [...groups.values()];
}
