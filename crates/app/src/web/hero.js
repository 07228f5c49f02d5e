// The optimum, large: how much is left at best, how far the player has come, and what each move was worth.

import { calm, find, make } from "./dom.js";

const LASTS_MS = 900;

/** The figures above a board, in elements whose ids start with `prefix`. */
export function hero(prefix) {
	const at = (id) => find(`#${prefix}-${id}`);

	/** Shows advice from here, and the way since the start. `unit(n)` is the word for n moves or pushes. */
	function show({ found, start, unit, without = "…" }) {
		const number = at("optimal");
		const text = !found ? without : found.proven ? String(found.upper) : `${found.lower} – ${found.upper ?? "?"}`;
		if (number.textContent !== text) number.textContent = text;
		number.toggleAttribute("data-long", text.length > 4);
		at("unit").textContent = found ? `${unit(found.proven ? found.upper : 2)} left` : "";
		const way = found?.proven && start?.proven && start.upper > 0 ? Math.max(0, 1 - found.upper / start.upper) : 0;
		at("meter").style.setProperty("--way", way);
		at("meter").ariaValueNow = Math.round(way * 100);
	}

	/** Marks the last move: `lost` is what it cost more than an optimal one. */
	function mark(lost) {
		at("mark").textContent = lost === 0 ? "= optimal" : `+${lost} lost`;
		at("mark").className = `mark ${lost === 0 ? "good" : "lost"}`;
	}
	function unmark(text = "") {
		at("mark").textContent = text;
		at("mark").className = "mark";
	}

	return { mark, show, unmark };
}

let last = null;
/** Lets = or +2 flash at a cell of a board. */
export function flash(cell, lost) {
	last?.remove();
	const sign = make("div", { class: `flash ${lost === 0 ? "" : "lost"}`, "aria-hidden": "true" }, make("span", {}, lost === 0 ? "=" : `+${lost}`));
	cell.append(sign);
	last = sign;
	setTimeout(() => sign.remove(), calm() ? 2 * LASTS_MS : LASTS_MS);
}
