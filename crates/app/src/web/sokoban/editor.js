// Drawing a level: seven kinds of cells, by pointer or by typing their symbols, and resizing.

import { xy } from "../cells.js";
import { find, make } from "../dom.js";
import { build, format, sign } from "./level.js";

const BRUSHES = [["#", "Wall"], [" ", "Floor"], [".", "Goal"], ["$", "Box"], ["*", "Box on goal"], ["@", "Player"], ["+", "Player on goal"]];
let brush = "#";

/** Fills the palette. */
export function palette(root) {
	root.replaceChildren(...BRUSHES.map(([mark, name]) =>
		make("button", { type: "button", role: "radio", "data-mark": mark, onclick: () => choose(mark) }, make("code", {}, mark === " " ? "·" : mark), name)));
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
