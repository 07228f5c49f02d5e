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

/** All levels: `{ title, xsb, key, moves?, pushes?, own? }`. For a crew, `moves` are steps. */
export async function collection() {
	const of = ({ title, puzzle, min_moves, min_pushes: pushes, min_steps }) => ({ title, xsb: read(puzzle)[0].xsb, moves: min_steps ?? min_moves, pushes });
	const levels = await get("levels").then((all) => all.map(of)).catch(() => [FIRST]);
	return [...levels, ...own()].map((level) => {
		const { level: parsed, state } = parse(level.xsb);
		return { ...level, key: format(parsed, state) };
	});
}

/** Stores levels as the player's own. Those without a title get `name` and the next free number. */
export function adopt(levels, name) {
	const kept = own().filter((old) => !levels.some((level) => level.xsb === old.xsb));
	let number = 0;
	for (const { title, ...level } of levels) {
		let called = title;
		while (!called || (!title && kept.some((old) => old.title === called))) called = `${name} ${++number}`;
		kept.push({ ...level, title: called, own: true });
	}
	keep("levels", kept.slice(-500));
}

/** Deletes one of the player's own levels. */
export const discard = (xsb) => keep("levels", own().filter((old) => old.xsb !== xsb));

/** The player's best for each level: `{ moves, pushes }` by key. */
export function bests() {
	const kept = Object.entries(recall("best", {}));
	return Object.fromEntries(kept.filter(([, best]) => Number.isFinite(best?.moves) && Number.isFinite(best.pushes)));
}
