// All levels at a glance, by folder: a small picture of each, its par, and whether it is solved.

import { find, make } from "../dom.js";
import { parse } from "./level.js";
import { bests } from "./levels.js";

/** Opens the dialog and resolves to the index of the chosen level, or -1. */
export function choose(levels, current) {
	const dialog = find("#levels-dialog");
	const best = bests();
	let choice = -1;
	const shown = levels.map(({ title, xsb, key, moves, pushes }, i) => {
		const canvas = make("canvas", { "aria-hidden": "true" });
		const unit = pushes == null ? "moves" : "pushes"; // a crew's par is in moves
		const par = pushes ?? moves;
		const notes = `${best[key] ? `✓ ${best[key][unit]} ` : ""}${par == null ? "" : `par ${par}`}`;
		const button = make("button", { type: "button", "aria-current": String(i === current) }, canvas, make("span", {}, `${i + 1}. ${title}`), make("small", {}, notes));
		button.onclick = () => {
			choice = i;
			dialog.close();
		};
		queueMicrotask(() => sketch(canvas, parse(xsb)));
		return button;
	});
	find("#levels-list").replaceChildren(...[...new Set(levels.map(({ folder }) => folder))].map((name) => {
		const inside = levels.flatMap(({ folder }, i) => (folder === name ? [i] : []));
		const solved = inside.filter((i) => best[levels[i].key]).length;
		return make("section", { "aria-label": name },
			make("h3", {}, `${name} `, make("small", {}, `${solved} of ${inside.length} solved`)),
			make("div", { class: "previews" }, ...inside.map((i) => shown[i])));
	}));
	dialog.showModal();
	find('[aria-current="true"]', dialog)?.focus();
	return new Promise((resolve) => dialog.addEventListener("close", () => resolve(choice), { once: true }));
}

/** Draws a small picture of a level. */
export function sketch(canvas, { level, state }) {
	const size = Math.max(4, Math.floor(200 / Math.max(level.width, level.height)));
	canvas.width = level.width * size;
	canvas.height = level.height * size;
	const pen = canvas.getContext("2d");
	const dot = (cell, name, share) => {
		// The browser resolves a pair of light and dark only where it is used as a colour.
		canvas.style.color = `var(--${name})`;
		pen.fillStyle = getComputedStyle(canvas).color;
		const [x, y, edge] = [(cell % level.width) * size, Math.floor(cell / level.width) * size, (size * (1 - share)) / 2];
		pen.beginPath();
		pen.roundRect(x + edge, y + edge, size * share, size * share, name === "accent" ? size : 0);
		pen.fill();
	};
	level.walls.forEach((wall, cell) => {
		if (wall || level.inside[cell]) dot(cell, wall ? "wall" : "floor", 1);
		if (level.goals[cell]) dot(cell, "home", 0.4);
	});
	for (const cell of state.boxes) dot(cell, level.goals[cell] ? "home" : "box", 0.8);
	for (const cell of state.players) dot(cell, "accent", 0.76);
}
