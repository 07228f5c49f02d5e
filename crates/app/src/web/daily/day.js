// The puzzles of a day. They follow from the date alone, so everyone gets the same ones, also offline. The day is that of
// UTC, so that it does not depend on where the player is.

import { shuffle } from "../tiles/board.js";
import { turned, TURNS } from "../sokoban/turn.js";

const DAY_MS = 86400000;
const written = (ms) => new Date(ms).toISOString().slice(0, 10);

/** Today as 2026-11-16. */
export const today = () => written(Date.now());

/** Whether a text is a date that has come, from 1970 on. */
export const hasCome = (text) => /^\d{4}-\d\d-\d\d$/.test(text) && Date.parse(text) >= 0 && written(Date.parse(text)) === text && text <= today();

/** The day that is `by` days later. */
export const later = (day, by) => written(Date.parse(day) + by * DAY_MS);

/** Milliseconds until the next day. */
export const untilNext = () => DAY_MS - (Date.now() % DAY_MS);

/** Random numbers that follow from a text: FNV-1a makes a seed of it, and mulberry32 numbers from 0 to 1 of the seed. */
function dice(text) {
	let seed = 0x811c9dc5;
	for (const letter of text) seed = Math.imul(seed ^ letter.charCodeAt(0), 0x01000193);
	return () => {
		seed = (seed + 0x6d2b79f5) | 0;
		let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** The board of a day. */
export const boardOf = (day) => shuffle(4, 4, dice(`tiles ${day}`));

/**
 * The level of a day from the levels of levels.js: one for one player, turned or mirrored, or null if there are too few.
 * Each level comes once before any comes again.
 */
export function levelOf(day, levels) {
	const fit = levels.filter(({ own, pushes }) => !own && pushes != null);
	if (fit.length < 2) return null;
	const number = Date.parse(day) / DAY_MS;
	const round = dice(`levels ${Math.floor(number / fit.length)}`);
	const order = fit.map((level) => [round(), level]).sort(([a], [b]) => a - b);
	const level = order[number % fit.length][1];
	return { ...level, xsb: turned(level.xsb, Math.floor(dice(`turn ${day}`)() * TURNS)) };
}
