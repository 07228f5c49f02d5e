// The optimum of a level while it is played. The service is asked when the player pauses, and no more once a level has proved
// too hard. If it proves nothing and the player waits, it is asked once more: it may have been away. Walking does not change
// how many pushes are left, so what is known is kept by the boxes and by the part of the floor that the player can reach.

import { walks } from "./path.js";

const PAUSE_MS = 350;
const LATER_MS = 3000;
const MOST_FAILURES = 3;

/**
 * Follows the optimum. `advise(state, again)` asks the service; `known(state)` is what it said before; `changed()` is called when
 * more is known. A value is advice, or `{ none: true }` if there is no plan.
 */
export function following({ advise, known, objective, changed }) {
	const values = new WeakMap(); // by level: a map by what the optimum depends on
	const failures = new WeakMap(); // by game: how often no optimum was proven
	let timer = 0;

	const isTooHard = ({ game }) => (failures.get(game) ?? 0) >= MOST_FAILURES;

	function place({ game, state }) {
		const reach = objective() === "pushes" ? Math.min(...walks(game.level, state, 0).keys()) : state.players.join();
		if (!values.has(game.level)) values.set(game.level, new Map());
		return [values.get(game.level), `${objective()} ${[...state.boxes].sort((a, b) => a - b)} ${reach}`];
	}

	function value(at) {
		const [map, key] = place(at);
		const found = known(at);
		if (found) map.set(key, found);
		return map.get(key);
	}

	/** Asks about the current state, `now()`, once the player pauses. */
	function watch(now, isIdle) {
		clearTimeout(timer);
		const at = now();
		const before = value(at);
		if (!isIdle || before?.proven || before?.none || isTooHard(at)) return;
		const ask = async (again) => {
			let found = null;
			try {
				found = await advise(at, again);
			} catch (error) {
				if (error.name === "AbortError") return;
				// Without a status, the error is the service's reason why there is no plan.
				const [map, key] = place(at);
				if (error.status === undefined) map.set(key, (found = { none: true, proven: true }));
			}
			if (!found?.proven) failures.set(at.game, (failures.get(at.game) ?? 0) + 1);
			if (now() !== at) return;
			changed();
			if (!found?.proven && !isTooHard(at)) timer = setTimeout(ask, LATER_MS, true);
		};
		timer = setTimeout(ask, PAUSE_MS, false);
	}

	return { isTooHard, value, watch };
}
