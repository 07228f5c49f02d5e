// The level on the page: the ground is a grid of real buttons; boxes and players are pieces that glide above it.

import { Cells, place, way, xy } from "../cells.js";
import { calm, make } from "../dom.js";
import { bevel, ghost, turned, wayTo, worker } from "./pieces.js";

const ARROW = { L: "←", U: "↑", R: "→", D: "↓", ".": "·" };

export class Yard extends Cells {
	/** `press(cell, kind)`: `kind` is undefined for a click or Enter, and "down", "over" or "up" for a drag. */
	constructor(root, press, swipe) {
		super(root, press, swipe);
		this.boxes = [];
		this.players = [];
		this.editing = false;
		this.timer = null;
		this.pointer();
	}

	/** Shows states one after the other. `marks`: `{ dead, held, hint: { box, letter }, active, orders, reach, shaded, editing, won }`. */
	show(level, states, marks, pace) {
		clearTimeout(this.timer);
		if (calm()) return this.place(level, states.at(-1), marks, 0);
		let i = 0;
		const next = () => {
			this.place(level, states[i], i + 1 === states.length ? marks : { active: marks.active, shaded: marks.shaded, editing: marks.editing }, pace);
			if (++i < states.length) this.timer = setTimeout(next, pace);
		};
		next();
	}

	place(level, state, marks, pace) {
		if (this.area !== level || this.editing !== marks.editing) this.build(level, marks.editing);
		this.root.style.setProperty("--pace", `${pace}ms`);
		const { goals } = level;
		/** Puts a piece on a cell, with its classes and an arrow above it. */
		const set = (piece, cell, kinds, above, ...inside) => {
			xy(level, cell).forEach((at, axis) => piece.style.setProperty(["--x", "--y"][axis], at));
			piece.className = ["piece", ...Object.keys(kinds).filter((kind) => kinds[kind])].join(" ");
			piece.replaceChildren(...inside.filter(Boolean), ...(above ? [make("span", { class: "arrow" }, ARROW[above])] : []));
		};
		const boxes = this.pieces("box", state.boxes);
		state.boxes.forEach((cell, i) => {
			const hint = marks.hint?.box === i ? marks.hint : null;
			set(boxes[i], cell, { box: true, home: goals[cell], dead: marks.dead?.has(cell), held: marks.held === i, hinted: hint }, hint?.letter);
		});
		const crew = state.players.length > 1;
		const players = this.pieces("player", state.players);
		state.players.forEach((cell, i) => {
			this.turn(players[i], level, this.players[i], cell);
			set(players[i], cell, { player: true, [`p${i % 3}`]: true, active: crew && marks.active === i }, marks.orders?.[i], players[i].worker, crew && make("b", {}, i + 1));
		});
		this.players = state.players;
		this.boxes = state.boxes;
		this.root.classList.toggle("won", Boolean(marks.won));
		const boxed = new Set(state.boxes);
		this.buttons.forEach((button, cell) => {
			const reach = Boolean(marks.reach?.has(cell));
			button.classList.toggle("reach", reach);
			const shaded = Boolean(marks.shaded?.has(cell));
			button.classList.toggle("shaded", shaded);
			const player = state.players.indexOf(cell);
			const box = boxed.has(cell);
			const what = level.walls[cell] ? "wall" : box ? `box${marks.dead?.has(cell) ? ", dead" : ""}` : player < 0 ? "floor" : crew ? `player ${player + 1}` : "player";
			const label = `${what}${goals[cell] ? (box ? " on a goal" : ", goal") : ""}, ${place(level, cell)}${reach ? ", the box can go here" : ""}${shaded ? ", dead square" : ""}`;
			if (button.ariaLabel !== label) button.ariaLabel = label;
		});
	}

	build(level, editing) {
		const held = this.root.contains(document.activeElement) && this.area?.width === level.width ? this.focused : -1;
		this.editing = editing;
		this.box = [];
		this.player = [];
		this.players = [];
		this.root.classList.toggle("editing", editing);
		this.lay(level, (cell) => {
			const wall = level.walls[cell];
			const [x, y] = xy(level, cell);
			const name = wall ? "wall" : "outside";
			const isButton = editing || (level.inside[cell] && !wall);
			const kinds = ["ground", (x + y) % 2 && "odd", level.goals[cell] && "goal", wall && "wall"].filter(Boolean).join(" ");
			const element = isButton ? this.button(cell, kinds) : make("div", { class: name, role: "img", "aria-label": name });
			return wall ? bevel(element, level, cell) : element;
		});
		const first = this.buttons[held] ? held : this.buttons.findIndex(Boolean);
		if (first >= 0) this.focus(first, held >= 0);
	}

	/** As many pieces as cells; they are kept as long as the level. */
	pieces(kind, cells) {
		const list = this[kind];
		while (list.length < cells.length) {
			const piece = make("div", { "aria-hidden": "true" });
			piece.style.setProperty("--wave", list.length);
			if (kind === "player") Object.assign(piece, { worker: worker(), turned: 180 });
			list.push(piece);
			this.root.append(piece);
		}
		while (list.length > cells.length) list.pop().remove();
		return list;
	}

	/** Lets a player face where it went. */
	turn(piece, level, from, to) {
		const letter = from === undefined ? "" : wayTo(level, from, to);
		if (letter) piece.turned = turned(piece.turned, letter);
		piece.style.setProperty("--turn", `${piece.turned}deg`);
	}

	/** A drag starts on a box, or anywhere in the editor. Elsewhere a pointer clicks if it stays and swipes if it moves. */
	pointer() {
		let from = null; // { cell, x, y, drag, lifted }
		const end = () => {
			from?.lifted?.drop();
			from = null;
		};
		const cellAt = ({ clientX, clientY }) => {
			const target = document.elementFromPoint(clientX, clientY);
			return this.root.contains(target) ? this.cellOf(target) : -1;
		};
		this.root.addEventListener("pointerdown", (event) => {
			if (event.button !== 0) return;
			const cell = cellAt(event);
			from = { cell, x: event.clientX, y: event.clientY, drag: cell >= 0 && (this.editing || this.boxes.includes(cell)) };
			if (from.drag) this.press(cell, "down");
		});
		this.root.addEventListener("pointermove", (event) => {
			if (!from?.drag) return;
			const cell = cellAt(event);
			if (!this.editing && Math.hypot(event.clientX - from.x, event.clientY - from.y) > 8) {
				from.lifted ??= ghost(this.root, this.box[this.boxes.indexOf(from.cell)]);
				return from.lifted.follow(event);
			}
			if (cell >= 0 && cell !== from.cell) this.press((from.cell = cell), "over");
		});
		addEventListener("pointerup", (event) => {
			if (!from) return;
			const { x, y, drag } = from;
			const cell = cellAt(event);
			const [dx, dy] = [event.clientX - x, event.clientY - y];
			const gone = Math.max(Math.abs(dx), Math.abs(dy)) > 24 && cell !== from.cell;
			end();
			if (drag) return cell >= 0 ? this.press(cell, "up") : undefined;
			if (gone) return this.swipe(way(dx, dy));
			if (cell >= 0) this.press(cell);
		});
		addEventListener("pointercancel", end);
	}
}
