// Drawing a level: seven kinds of cells, by pointer or by typing their symbols, and resizing.

import { xy } from "../cells.js";
import { find, make } from "../dom.js";
import { build, format, sign } from "./level.js";

// Symbol, name, and how it looks.
const BRUSHES = [
	["#", "Wall", "wall"], [" ", "Floor", "floor"], [".", "Goal", "goal"], ["$", "Box", "box"], ["*", "Box on goal", "box goal"],
	["@", "Player", "player"], ["+", "Player on goal", "player goal"],
];
let brush = "#";

/** Fills the palette. */
export function palette(root) {
	root.replaceChildren(...BRUSHES.map(([mark, name, looks]) =>
		make("button", { type: "button", role: "radio", "data-mark": mark, title: `${name}: type ${mark === " " ? "-" : mark}`, onclick: () => choose(mark) }, make("span", { class: `brush ${looks}` }), name)));
	choose(brush);
}

function choose(mark) {
	brush = mark;
	for (const button of find("#s-palette").children) button.ariaChecked = button.dataset.mark === brush;
}

/** Chooses the brush of a typed symbol; false if the key is not one. */
export function typed(key) {
	const mark = key === "-" || key === "_" ? " " : key;
	if (key === " " || !BRUSHES.some(([other]) => other === mark)) return false;
	choose(mark);
	return true;
}

/** An empty room. */
export function blank(width = 9, height = 8) {
	const inside = `#${" ".repeat(width - 2)}#`;
	return build(["#".repeat(width), ...Array(height - 2).fill(inside), "#".repeat(width)]);
}

/** The level with one cell painted: `{ level, state }`, or null if nothing changes. */
export function paint(level, state, cell) {
	if (sign(level, state, cell) === brush) return null;
	const rows = format(level, state).split("\n");
	const [x, y] = xy(level, cell);
	rows[y] = rows[y].slice(0, x) + brush + rows[y].slice(x + 1);
	return build(rows);
}

/** The level at another size, cropped or extended with floor. */
export function resize(level, state, width, height) {
	const rows = format(level, state).split("\n").slice(0, height).map((row) => row.slice(0, width).padEnd(width));
	while (rows.length < height) rows.push(" ".repeat(width));
	return build(rows);
}
