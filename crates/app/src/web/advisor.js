// What is known of the optimum from a state: by the service, or by other means when that is out of reach.
//
// The rest of an optimal plan is optimal. Plans are kept for all states on their way, so that a player who follows one
// asks once. Advice is `{ lower, upper, plan, proven }`.

import { post } from "./api.js";

/** An advisor for the rules of a game (play.js says what they are). */
export function advisor(rules) {
	const memory = new Map();
	let asking = null;

	const known = (state) => (rules.isSolved(state) ? { lower: 0, upper: 0, plan: "", proven: true } : memory.get(rules.name(state)));

	/** The best advice within about two seconds. Gives up without an answer when aborted. */
	async function look(state, signal) {
		const before = known(state);
		if (before && (before.proven || before.plan)) return before;
		let hint;
		try {
			hint = await post("hint", { ...rules.question(state), time_limit_s: 1.5 }, signal);
			if (hint.reason) throw new Error(hint.reason);
		} catch (error) {
			// 0: not reached; 429 and 503: too much to do there; a 502 or so comes from what stands between.
			const away = error.status === 0 || error.status === 429 || error.status >= 500;
			if (error.name === "AbortError" || !away || !rules.offline) throw error;
			hint = await rules.offline(state);
		}
		if (signal?.aborted) throw new DOMException("too late", "AbortError");
		learn(state, hint);
		return known(state);
	}

	/** The same, about the state shown: a question about another one ends the one before. */
	function advise(state) {
		if (asking?.state === state) return asking.answer;
		asking?.abort.abort();
		const abort = new AbortController();
		const mine = { state, abort, answer: look(state, abort.signal) };
		asking = mine;
		const forget = () => {
			if (asking === mine) asking = null;
		};
		mine.answer.then(forget, forget);
		return mine.answer;
	}

	/** Keeps a plan as the service writes it, and what it says of every state on its way. */
	function learn(state, { lower, upper, plan, proven }) {
		if (memory.size > 50000) memory.clear();
		if (plan == null) return memory.set(rules.name(state), { lower, upper, plan, proven });
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
