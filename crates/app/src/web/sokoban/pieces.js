// What a level looks like: which sides of a wall are open, a player seen from above that faces where it walks, and the copy of
// a box that follows the pointer.

import { beside, xy } from "../cells.js";
import { draw } from "../dom.js";

const SIDES = { U: "--up", R: "--right", D: "--down", L: "--left" };
const TURN = { U: 0, R: 90, D: 180, L: 270 };

/** Tells the style sheet which sides of a wall face something else, so that it can round and shade them. */
export function bevel(element, level, cell) {
	for (const [letter, name] of Object.entries(SIDES)) {
		const next = beside(level, cell, letter);
		element.style.setProperty(name, next >= 0 && level.walls[next] ? 0 : 1);
	}
	return element;
}

/** A player seen from above, facing up: two hands, shoulders, and a cap. */
export function worker() {
	return draw("svg", { class: "worker", viewBox: "-50 -50 100 100" },
		draw("g", { class: "hands" }, draw("circle", { cx: -25, cy: -20, r: 9 }), draw("circle", { cx: 25, cy: -20, r: 9 })),
		draw("rect", { class: "coat", x: -36, y: -16, width: 72, height: 36, rx: 18 }),
		draw("circle", { class: "cap", r: 21 }),
		draw("path", { class: "peak", d: "M-19-9Q-17-33 0-33Q17-33 19-9Q0-17-19-9Z" }));
}

/** The turn of a piece that goes in a direction, by the shorter way round from the turn it has. */
export function turned(before, letter) {
	return before + ((((TURN[letter] - before) % 360) + 540) % 360) - 180;
}

/** The direction between neighbouring cells, or "" if they are not. */
export function wayTo(level, from, to) {
	const [[x, y], [nextX, nextY]] = [xy(level, from), xy(level, to)];
	if (Math.abs(nextX - x) + Math.abs(nextY - y) !== 1) return "";
	return nextX > x ? "R" : nextX < x ? "L" : nextY > y ? "D" : "U";
}

/** A copy of a box that follows the pointer: `{ follow(event), drop() }`. */
export function ghost(root, piece) {
	const copy = piece.cloneNode(true);
	copy.classList.add("ghost");
	piece.classList.add("lifted");
	root.append(copy);
	return {
		follow({ clientX, clientY }) {
			const { left, top } = root.getBoundingClientRect();
			copy.style.setProperty("--x", (clientX - left) / copy.offsetWidth - 0.5);
			copy.style.setProperty("--y", (clientY - top) / copy.offsetHeight - 0.5);
		},
		drop() {
			copy.remove();
			piece.classList.remove("lifted");
		},
	};
}
