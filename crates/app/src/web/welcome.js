// A first visit: one sentence that says what is special, next to a picture of the goal. It gives way to the first message.

import { draw, find, keep, recall, tell } from "./dom.js";

/** Greets a player who has not been here before. `name` is the game, `goal` a picture. */
export function welcome(name, message, text, goal) {
	const seen = recall("seen", []);
	if (seen.includes(name)) return;
	keep("seen", [...seen, name]);
	tell(message, text);
	find(".goal", message)?.remove();
	message.prepend(goal);
	message.classList.add("welcome");
}

/** A small picture of `columns` × `rows` cells; `paint(x, y)` returns `[class, text]`, or null for nothing. */
export function picture(label, columns, rows, paint) {
	const svg = draw("svg", { class: "goal", viewBox: `0 0 ${columns * 10} ${rows * 10}`, role: "img", "aria-label": label });
	for (let y = 0; y < rows; y++) {
		for (let x = 0; x < columns; x++) {
			const [kind, text] = paint(x, y) ?? [];
			if (!kind) continue;
			svg.append(draw("rect", { class: kind, x: x * 10 + 0.5, y: y * 10 + 0.5, width: 9, height: 9, rx: 1.5 }));
			if (text) svg.append(draw("text", { x: x * 10 + 5, y: y * 10 + 7, "text-anchor": "middle" }, text));
		}
	}
	return svg;
}
