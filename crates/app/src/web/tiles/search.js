// Hints without the service: A* with Manhattan distance if that is quick enough, otherwise weighted A* for some plan.
// worker.js runs it.

import { isGoal, slide } from "./board.js";

/** `{ lower, upper, plan, proven }` within about `budget_ms` for each search; `upper` and `plan` may be null. */
export function advise(board, budget_ms) {
	const exact = aStar(board, 1, budget_ms);
	if (exact.plan !== null) return { lower: exact.least, upper: exact.least, plan: exact.plan, proven: true };
	const { plan } = aStar(board, board.cells.length > 16 ? 8 : 4, budget_ms);
	return { lower: exact.least, upper: plan?.length ?? null, plan, proven: false };
}

function manhattan({ width, cells }) {
	return cells.reduce((sum, tile, i) => {
		const home = tile - 1;
		return tile ? sum + Math.abs((home % width) - (i % width)) + Math.abs(Math.floor(home / width) - Math.floor(i / width)) : sum;
	}, 0);
}

/** A plan, optimal with weight 1, or null if time runs out; with weight 1, `least` is a lower bound. */
function aStar(start, weight, budget_ms) {
	const deadline = performance.now() + budget_ms;
	const buckets = []; // of nodes, by g + weight * h
	const cheapest = new Map(); // g of each board seen
	let at = Infinity;
	const put = (b, g, from, letter) => {
		const key = b.cells.join();
		if (cheapest.get(key) <= g) return;
		cheapest.set(key, g);
		const f = g + weight * manhattan(b);
		(buckets[f] ??= []).push({ b, g, key, from, letter });
		at = Math.min(at, f);
	};
	put(start, 0, null, "");
	for (let nodes = 1; at < buckets.length; ) {
		const node = buckets[at]?.pop();
		if (!node) at++;
		if (!node || node.g !== cheapest.get(node.key)) continue;
		if ((++nodes & 255) === 0 && performance.now() > deadline) return { plan: null, least: at };
		if (isGoal(node.b)) {
			let plan = "";
			for (let each = node; each.from; each = each.from) plan = each.letter + plan;
			return { plan, least: plan.length };
		}
		for (const letter of "LURD") {
			const next = slide(node.b, letter);
			if (next) put(next, node.g + 1, node, letter);
		}
	}
	return { plan: null, least: 0 };
}
