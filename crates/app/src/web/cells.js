// A grid of cells: which are neighbours, and which one has the keyboard focus.

import { make } from "./dom.js";

const STEP = { L: [-1, 0], U: [0, -1], R: [1, 0], D: [0, 1] };

/** Column and row of a cell in an area of `width` and `height`. */
export const xy = ({ width }, cell) => [cell % width, Math.floor(cell / width)];

/** The neighbour of a cell, or -1 beyond the edge. */
export function beside(area, cell, letter) {
	const [x, y] = xy(area, cell).map((at, axis) => at + STEP[letter.toUpperCase()][axis]);
	return x < 0 || y < 0 || x >= area.width || y >= area.height ? -1 : y * area.width + x;
}

/** The position of a cell as text. */
export function place(area, cell) {
	const [x, y] = xy(area, cell);
	return `row ${y + 1}, column ${x + 1}`;
}

/** The letter of a direction on the screen. */
export const way = (dx, dy) => (Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? "L" : "R") : dy < 0 ? "U" : "D");

/** Real buttons for cells, in rows that screen readers understand. Tab reaches one of them, arrows the others. */
export class Cells {
	constructor(root, press, swipe) {
		Object.assign(this, { root, press, swipe, area: null, buttons: [], focused: -1 });
	}
	/** Builds the cells of an area; `fill(cell)` returns a cell's content, perhaps with a button from `this.button`. */
	lay(area, fill) {
		Object.assign(this, { area, buttons: [], focused: -1 });
		this.root.style.setProperty("--columns", area.width);
		this.root.style.setProperty("--rows", area.height);
		this.root.replaceChildren(...Array.from({ length: area.height }, (_, y) =>
			make("div", { role: "row" }, ...Array.from({ length: area.width }, (_, x) => make("div", { role: "gridcell", class: "cell" }, fill(y * area.width + x))))));
	}
	button(cell, kind) {
		const button = make("button", { type: "button", class: kind, tabIndex: -1, "data-cell": cell });
		// Only for the keyboard and assistive technology; pointers have their own handlers.
		button.onclick = (event) => event.detail === 0 && this.press(cell);
		button.onfocus = () => this.focus(cell, false);
		return (this.buttons[cell] = button);
	}
	/** The cell of an element, or -1. */
	cellOf(element) {
		return Number(element?.closest("[data-cell]")?.dataset.cell ?? -1);
	}
	focus(cell, really = true) {
		const old = this.buttons[this.focused];
		if (old) old.tabIndex = -1;
		this.focused = cell;
		this.buttons[cell].tabIndex = 0;
		if (really) this.buttons[cell].focus();
	}
	/** Moves the focus to the next cell with a button; `letter` is the direction on the screen. */
	wander(letter) {
		let cell = beside(this.area, this.focused, letter);
		while (cell >= 0 && !this.buttons[cell]) cell = beside(this.area, cell, letter);
		this.focus(cell < 0 ? this.focused : cell);
	}
}
