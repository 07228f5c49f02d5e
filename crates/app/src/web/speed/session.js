// A session of timed solves, one for each size, stored in this browser: averages as speed solvers count them, and CSV.
//
// A solve is `{ ms, moves, at, board }`: milliseconds, moves, the date in milliseconds and the shuffled board as text.

import { keep, recall } from "../dom.js";

const KEY = "speed";
const MOST = 2000; // solves kept for each size
export const AVERAGES = [5, 12, 50, 100];

const isSolve = (kept) => Number.isFinite(kept?.ms) && kept.ms > 0 && Number.isFinite(kept.moves);

/** The solves of a size such as "4x4", oldest first. */
export function solvesOf(size) {
	const kept = recall(KEY, {})[size];
	return Array.isArray(kept) ? kept.filter(isSolve) : [];
}

export function store(size, solves) {
	keep(KEY, { ...recall(KEY, {}), [size]: solves.slice(-MOST) });
}

/** The mean without the best and the worst twentieth, rounded up, so at least one of each. */
function trimmed(times) {
	const cut = Math.ceil(times.length / 20);
	const counted = times.toSorted((a, b) => a - b).slice(cut, -cut);
	return counted.reduce((sum, ms) => sum + ms, 0) / counted.length;
}

/** The average of the `n` solves up to each solve, or null where there are fewer. */
export function averages(solves, n) {
	const times = solves.map(({ ms }) => ms);
	return times.map((_, i) => (i + 1 < n ? null : trimmed(times.slice(i + 1 - n, i + 1))));
}

/** Rows `[name, last, best]` in milliseconds; null where there are too few solves. */
export function figures(solves) {
	const row = (name, values) => {
		const known = values.filter((value) => value !== null);
		return [name, values.at(-1) ?? null, known.length ? known.reduce((a, b) => Math.min(a, b)) : null];
	};
	return [row("Single", solves.map(({ ms }) => ms)), ...AVERAGES.map((n) => row(`ao${n}`, averages(solves, n)))];
}

export const mean = (solves) => (solves.length ? solves.reduce((sum, { ms }) => sum + ms, 0) / solves.length : null);

/** Milliseconds as 9.345 or 1:02.345. */
export function time(ms) {
	if (ms == null) return "–";
	const whole = Math.round(ms);
	const seconds = ((whole % 60000) / 1000).toFixed(3);
	return whole < 60000 ? seconds : `${Math.floor(whole / 60000)}:${seconds.padStart(6, "0")}`;
}

/** The solves as a table for spreadsheets. */
export function csv(solves) {
	const rows = solves.map(({ ms, moves, at, board }, i) => [i + 1, Number.isFinite(at) ? new Date(at).toISOString() : "", (ms / 1000).toFixed(3), moves, ((1000 * moves) / ms).toFixed(2), typeof board === "string" ? board.replace(/[^\d /]/g, "") : ""]);
	return [["number", "date", "seconds", "moves", "moves_per_second", "board"], ...rows].map((row) => row.join(",")).join("\n") + "\n";
}
