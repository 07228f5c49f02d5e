// Says while a level is drawn whether it can be solved, and its par. One question at a time: a change cancels the last
// one, and only a level that stays as it is for a moment is asked about.

import { solve } from "../api.js";

const PAUSE_MS = 500;
const TIME_LIMIT_S = 5;
let timer = 0;
let job = null;

/** Forgets the question. */
export function drop() {
	clearTimeout(timer);
	job?.cancel();
	job = null;
}

/** Asks about a question for the service, `{ puzzle, objective }`; `tell(words, tone)` gets the answer. */
export function judge(question, tell) {
	drop();
	timer = setTimeout(async () => {
		const mine = solve({ ...question, time_limit_s: TIME_LIMIT_S }, () => {});
		job = mine;
		const record = await mine.done.catch(() => null); // without the service nothing is said
		if (job !== mine) return;
		job = null;
		if (record) tell(...words(record));
	}, PAUSE_MS);
}

function words({ status, cost, lower, reason, objective }) {
	if (status === "optimal") return [`Solvable, par ${cost} ${objective}.`, ""];
	if (status === "unsolvable") return [`Unsolvable: ${reason ?? "there is no plan"}.`, "bad"];
	if (status === "solved") return [`Solvable with ${cost} ${objective}; at least ${lower} are needed.`, ""];
	return [`No plan found in ${TIME_LIMIT_S} s; at least ${lower ?? 0} ${objective} are needed.`, ""];
}
