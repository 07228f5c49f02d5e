// What is known about the optimum from a state: from the service, or computed here when it cannot be reached.
//
// The rest of an optimal plan is optimal. So a plan is kept for all states along it, and a player who follows it asks
// only once. Advice is `{ lower, upper, plan, proven }`.

import { post } from "./api.js";

/** An advisor for the rules of a game (see play.js). */
export function advisor(rules) {
	const memory = new Map();
	let asking = null;

	const known = (state) => (rules.isSolved(state) ? { lower: 0, upper: 0, plan: "", proven: true } : memory.get(rules.name(state)));

	/** The best advice within about two seconds. Throws an AbortError when aborted. With `again`, asks also if a plan is known. */
	async function look(state, signal, again = false) {
		const before = known(state);
		if (before?.proven || (before?.plan && !again)) return before;
		let hint;
		try {
			hint = await post("hint", { ...rules.question(state), time_limit_s: 1.5 }, signal);
			if (hint.reason) throw new Error(hint.reason);
		} catch (error) {
			// 0: not reached; 429 and 503: too busy; other 5xx come from a proxy.
			const away = error.status === 0 || error.status === 429 || error.status >= 500;
			if (error.name === "AbortError" || !away || !rules.offline) throw error;
			hint = await rules.offline(state);
		}
		if (signal?.aborted) throw new DOMException("too late", "AbortError");
		learn(state, hint);
		return known(state);
	}

	/** The same for the state that is shown. A new question aborts the last one. */
	function advise(state, again) {
		if (asking?.state === state) return asking.answer;
		asking?.abort.abort();
		const abort = new AbortController();
		const mine = { state, abort, answer: look(state, abort.signal, again) };
		asking = mine;
		const forget = () => {
			if (asking === mine) asking = null;
		};
		mine.answer.then(forget, forget);
		return mine.answer;
	}

	/** Keeps a plan from the service, and what it implies for every state along it. */
	function learn(state, { lower, upper, plan, proven }) {
		if (memory.size > 50000) memory.clear();
		if (plan == null) {
			if (proven || !known(state)?.plan) memory.set(rules.name(state), { lower, upper, plan, proven });
			return;
		}
		const path = rules.path?.(state, plan) ?? plan;
		for (const each of rules.walk(state, path)) {
			const done = rules.cost(each) - rules.cost(state);
			const rest = { lower: Math.max(0, lower - done), upper: upper - done, plan: path.slice(each.path.length - state.path.length), proven };
			const old = memory.get(rules.name(each));
			if (old && (old.proven || (old.plan != null && old.upper <= rest.upper)) && !proven) break;
			memory.set(rules.name(each), rest);
		}
	}

	return { advise, known, learn, look };
}
