// Statistics: best, last, and averages of five and twelve without the best and the worst, as speed solvers count them;
// one list for each size, stored in this browser.

import { clock, count, keep, make, recall } from "../dom.js";

const all = () => recall("solves", {});
const listed = (solves, size) => (Array.isArray(solves[size]) ? solves[size].filter((solve) => Number.isFinite(solve?.ms) && Number.isFinite(solve.moves)) : []);

/** Stores a solve: `{ ms, moves, optimal, at }`. Returns whether it is the fastest. */
export function record(size, solve) {
	const solves = all();
	const list = listed(solves, size);
	const best = Math.min(...list.map((other) => other.ms));
	list.push(solve);
	solves[size] = list.slice(-1000);
	keep("solves", solves);
	return list.length > 1 && solve.ms < best;
}

export function clear(size) {
	const solves = all();
	delete solves[size];
	keep("solves", solves);
}

/** The average of the last `n` without the best and the worst, or null. */
export function average(list, n) {
	if (list.length < n) return null;
	const times = list.slice(-n).map((solve) => solve.ms).sort((a, b) => a - b).slice(1, -1);
	return times.reduce((sum, ms) => sum + ms, 0) / times.length;
}

/** Shows the figures of a size. */
export function show(root, size) {
	const list = listed(all(), size);
	const least = (name) => (list.length ? Math.min(...list.map((solve) => solve[name])) : null);
	const time = (ms) => (ms == null ? "–" : clock(ms));
	const over = list.filter((solve) => Number.isFinite(solve.optimal)).map((solve) => solve.moves - solve.optimal);
	const figures = [
		["Solves", count(list.length)],
		["Best", time(least("ms"))],
		["ao5", time(average(list, 5))],
		["ao12", time(average(list, 12))],
		["Last", time(list.at(-1)?.ms)],
		["Fewest moves", count(least("moves"))],
		["Mean over optimal", over.length ? `+${(over.reduce((a, b) => a + b, 0) / over.length).toFixed(1)}` : "–"],
		["Optimal solves", over.length ? count(over.filter((n) => n === 0).length) : "–"],
	];
	const text = figures.join();
	if (root.dataset.shown === text) return;
	root.dataset.shown = text;
	root.replaceChildren(...figures.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value))));
}
