// Results of daily puzzles in this browser: the best of each day, the streak, and a text to share without spoilers.
//
// A result is `{ cost, par, ms, help, counts }`: moves for tiles, pushes for Sokoban. `par` is proven, or null while it
// is not known. It counts for the streak if it was reached on its day and without help.

import { keep, recall } from "../dom.js";
import { link } from "../share.js";
import { later, today } from "./day.js";

const KEY = "daily";
const DAYS = 1000; // kept
export const GAMES = { tiles: { name: "15-puzzle", unit: "moves" }, sokoban: { name: "Sokoban", unit: "pushes" } };

const isResult = (kept) => Number.isFinite(kept?.cost);
const isBetter = (a, b) => a.help !== b.help ? b.help : a.cost !== b.cost ? a.cost < b.cost : (a.ms ?? Infinity) < (b.ms ?? Infinity);

/** The result of a game on a day, or null. */
export function resultOf(game, day) {
	const kept = recall(KEY, {})[day]?.[game];
	return isResult(kept) ? kept : null;
}

function store(game, day, result) {
	const all = recall(KEY, {});
	all[day] = { ...all[day], [game]: result };
	const old = Object.keys(all).sort().slice(0, -DAYS);
	for (const each of old) delete all[each];
	keep(KEY, all);
}

/** Keeps a result if it is the best of its day, and returns the best. */
export function record(game, day, { cost, par, ms = null, help }) {
	const before = resultOf(game, day);
	const now = { cost, par: par ?? before?.par ?? null, ms, help, counts: before?.counts || (!help && day === today()) };
	const best = before && !isBetter(now, before) ? { ...before, par: now.par } : now;
	store(game, day, best);
	return best;
}

/** Adds the par of a result that was reached before the par was known. */
export function addPar(game, day, par) {
	const result = resultOf(game, day);
	if (result && result.par == null) store(game, day, { ...result, par });
}

/** Days in a row with a result that counts: `{ now, longest }`. A day that is not over does not end a streak. */
export function streak() {
	const counted = Object.entries(recall(KEY, {})).filter(([, games]) => Object.values(games ?? {}).some((each) => isResult(each) && each.counts));
	const days = new Set(counted.map(([day]) => day));
	const runTo = (day) => {
		let length = 0;
		for (let each = day; days.has(each); each = later(each, -1)) length++;
		return length;
	};
	return { now: runTo(today()) || runTo(later(today(), -1)), longest: Math.max(0, ...[...days].map(runTo)) };
}

/** Milliseconds as 1:23. */
const minutes = (ms) => `${Math.floor(ms / 60000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

/** What was reached, such as "61 moves, par 52 · 1:23". */
export function words(game, { cost, par, ms, help }) {
	const moves = `${cost} ${GAMES[game].unit}${par == null ? "" : `, par ${par}`}`;
	return [moves, ms == null ? "" : minutes(ms), help ? "with help" : ""].filter(Boolean).join(" · ");
}

/** A text to share. Ten squares: all green only at par, fewer the longer the plan. */
export function shared(game, day, result) {
	const green = result.par == null ? 0 : Math.floor((10 * result.par) / result.cost);
	const bar = result.par == null ? "" : `${"🟩".repeat(green)}${"⬜".repeat(10 - green)}\n`;
	return `noyes daily ${day} · ${GAMES[game].name} · ${words(game, result)}\n${bar}${link("daily", { date: day })}`;
}

/** Copies a text; false if the browser does not allow it. */
export async function copied(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		return false;
	}
}

/** What to offer after a daily puzzle was solved, as buttons next to the message; `tell(text)` shows a message. */
export function offers(game, day, tell) {
	const copy = async () => {
		if (await copied(shared(game, day, resultOf(game, day)))) tell("Copied. Paste it wherever you like.");
		else location.hash = `daily?date=${day}`; // there is the text
	};
	return [["Copy result", copy], ["Daily puzzles", () => { location.hash = `daily?date=${day}`; }]];
}
