// The board on the page: a button for each cell. Cells stay and change what they show, so that screen readers and the
// keyboard find them in order. Tiles seem to slide, because each button starts where its tile was and glides back.

import { beside, Cells, place, way, xy } from "../cells.js";
import { calm, make } from "../dom.js";
import { apart, line, OPPOSITE } from "./board.js";
import { cut } from "./picture.js";

export const TILE_GOES = { L: "right", R: "left", U: "down", D: "up" };
/** The colour of a tile by its cell at the goal. The fringe is the layer of rows and columns from the top left: the order
in which people solve. */
export const SCHEMES = { fringe: (home, b) => Math.min(...xy(b, home)), rows: (home, b) => xy(b, home)[1], mono: () => 0 };
const COLOURS = 10;
const GAPS = 0.04; // the share of the board that its gaps take, as in style.css
const ARROW = { L: "→", R: "←", U: "↓", D: "↑" };

export class Grid extends Cells {
	/** `press(cell)` is for a click or Enter, `swipe(letter)` for a swipe that starts anywhere. */
	constructor(root, press, swipe) {
		super(root, press, swipe);
		this.face = "numbers";
		this.scheme = "fringe";
		this.hover = false;
		this.painted = 0; // goes up with each new picture
		this.drags();
	}

	/** Shows a board. `how`: `{ pace, hint: null | { letter, tile }, taken, editing, won }`. */
	show(b, how = {}) {
		const before = this.area;
		const same = before && before.width === b.width && before.height === b.height;
		if (!same) this.build(b);
		this.area = b;
		const focused = this.root.contains(document.activeElement);
		b.cells.forEach((tile, cell) => {
			const button = this.buttons[cell];
			const home = tile !== 0 && tile === cell + 1;
			const colour = SCHEMES[this.scheme](tile - 1, b) % COLOURS;
			const kinds = { home, hinted: how.hint?.tile === tile, taken: how.taken === cell, pictured: this.face === "picture" && tile !== 0 };
			// Most cells stay as they are; a new value, even the same one, costs the browser time.
			const kind = ["tile", tile === 0 ? "blank" : `l${colour}`, ...Object.keys(kinds).filter((each) => kinds[each])].join(" ");
			if (button.className !== kind) button.className = kind;
			this.fill(button, tile, b, tile === 0 && how.hint ? how.hint.letter : null);
			const words = this.words(b, tile, cell, home, how);
			if (button.ariaLabel !== words) button.ariaLabel = words;
		});
		this.root.classList.toggle("editing", Boolean(how.editing));
		this.root.classList.toggle("won", Boolean(how.won));
		this.root.classList.toggle("mono", this.scheme === "mono");
		if (same && how.pace && !calm()) this.glide(before, b, how.pace);
		if (focused) this.buttons[this.focused].focus();
	}

	build(b) {
		this.root.style.setProperty("--fit", b.cells.length > 100 ? 0.85 : 1);
		this.root.ariaLabel = `Board of ${b.width} columns and ${b.height} rows`;
		this.lay(b, (cell) => {
			const button = this.button(cell, "tile");
			button.style.setProperty("--wave", xy(b, cell)[0] + xy(b, cell)[1]);
			return button;
		});
		this.focus(0, false);
	}

	fill(button, tile, b, arrow) {
		const shows = `${tile} ${arrow} ${this.face} ${this.painted}`;
		if (button.shows === shows) return;
		button.shows = shows;
		if (tile === 0) return button.replaceChildren(...(arrow ? [make("span", { class: "arrow" }, ARROW[arrow])] : []));
		const number = make("span", {}, tile);
		if (this.face !== "picture") return button.replaceChildren(number);
		const canvas = make("canvas");
		cut(canvas, tile - 1, b.width, b.height);
		button.replaceChildren(canvas, number);
	}

	words(b, tile, cell, home, how) {
		if (tile === 0) return `blank, ${place(b, cell)}`;
		const letters = line(b, cell);
		const slides = how.editing || !letters ? "" : `, can slide ${TILE_GOES[letters[0]]}`;
		return `${tile}, ${place(b, cell)}${home ? ", in place" : ""}${slides}`;
	}

	/** Lets tiles that changed cells glide from where they were. */
	glide(before, after, pace) {
		const was = new Map(before.cells.map((tile, cell) => [tile, cell]));
		// In units of the board itself, so that nothing has to be measured.
		const far = (cells) => (100 * (1 + GAPS / cells)) / cells;
		const [across, down] = [far(after.width), far(after.height)];
		after.cells.forEach((tile, cell) => {
			if (tile === 0 || was.get(tile) === cell) return;
			const [dx, dy] = apart(after, cell, was.get(tile));
			this.buttons[cell].animate([{ transform: `translate(${dx * across}cqw, ${dy * down}cqh)` }, { transform: "none" }], { duration: pace, easing: "cubic-bezier(.16, .84, .3, 1)" });
		});
	}

	/** The distance between cells in pixels. */
	pitch() {
		const [first, second] = this.buttons;
		return second.parentElement.offsetLeft - first.parentElement.offsetLeft;
	}

	/** A pointer drags the tiles between it and the blank if they are in line; any other swipe is a direction. */
	drags() {
		let drag = null;
		this.root.addEventListener("pointerdown", (event) => {
			const cell = this.cellOf(event.target);
			if (event.button !== 0 || cell < 0) return;
			const b = this.area;
			const letters = line(b, cell);
			const step = letters ? beside(b, b.blank, letters[0]) - b.blank : 0;
			const moving = Array.from(letters, (_, i) => this.buttons[b.blank + step * (i + 1)]);
			drag = { cell, letter: letters[0], moving, x: event.clientX, y: event.clientY, pitch: this.pitch(), along: 0 };
			this.root.setPointerCapture(event.pointerId);
		});
		this.root.addEventListener("pointerover", (event) => {
			const cell = this.cellOf(event.target);
			if (this.hover && !drag && !this.root.classList.contains("editing") && event.pointerType === "mouse" && cell >= 0 && line(this.area, cell)) this.press(cell);
		});
		this.root.addEventListener("pointermove", (event) => {
			if (!drag?.letter) return;
			const { letter, moving, pitch } = drag;
			const [axis, far] = "LR".includes(letter) ? ["X", event.clientX - drag.x] : ["Y", event.clientY - drag.y];
			const sign = "LU".includes(letter) ? 1 : -1; // tiles move against the blank
			drag.along = Math.max(0, Math.min(pitch, sign * far));
			for (const button of moving) button.style.transform = drag.along > 3 ? `translate${axis}(${sign * drag.along}px)` : "";
		});
		const end = (event) => {
			if (!drag) return;
			const { cell, moving, along, pitch, x, y } = drag;
			const [dx, dy] = [event.clientX - x, event.clientY - y];
			drag = null;
			for (const button of moving) button.style.transform = "";
			if (event.type === "pointercancel") return;
			if (Math.max(Math.abs(dx), Math.abs(dy)) < 10) this.press(cell);
			else if (along > pitch * 0.3) this.press(cell, Math.max(1, Math.round(130 * (1 - along / pitch))));
			else if (along < 10) this.swipe(OPPOSITE[way(dx, dy)]);
		};
		this.root.addEventListener("pointerup", end);
		this.root.addEventListener("pointercancel", end);
	}
}
