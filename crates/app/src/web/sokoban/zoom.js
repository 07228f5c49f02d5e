// Zoom and pan for large levels. The tray scrolls once the level is larger than the tray; the player stays in sight. Buttons,
// the wheel with Ctrl, and two fingers zoom; two fingers and the wheel also pan.

import { calm, find, icon, make } from "../dom.js";

const MOST = 6;
const STEP = 1.4;
const SMALL_PX = 44; // cells below this size get the buttons

export class Zoom {
	constructor(level) {
		this.level = level;
		this.tray = level.parentElement;
		this.scale = 1;
		const button = (name, label, by) => make("button", { type: "button", class: "icon", title: label, "aria-label": label, onclick: () => this.by(by) }, icon(name));
		this.buttons = make("div", { class: "zoom", hidden: true }, button("minus", "Zoom out", 1 / STEP), button("plus", "Zoom in", STEP));
		this.tray.after(this.buttons);
		this.tray.addEventListener("wheel", (event) => {
			if (!event.ctrlKey) return;
			event.preventDefault();
			this.by(Math.exp(-event.deltaY / 300), event);
		}, { passive: false });
		this.fingers();
	}

	/** A new level: all of it is shown. */
	reset() {
		this.by(1 / this.scale);
		this.buttons.hidden = this.cell() >= SMALL_PX;
	}
	/** The size of a cell in pixels. */
	cell() {
		return this.level.offsetWidth / Number(this.level.style.getPropertyValue("--columns") || 1);
	}

	/** Zooms, and keeps the point under the pointer (or the middle) where it is. */
	by(factor, at = null) {
		const scale = Math.min(MOST, Math.max(1, this.scale * factor));
		if (scale === this.scale) return;
		const frame = this.tray.getBoundingClientRect();
		const [x, y] = [at ? at.clientX - frame.left : frame.width / 2, at ? at.clientY - frame.top : frame.height / 2];
		const before = this.level.getBoundingClientRect();
		const [shareX, shareY] = [(x + frame.left - before.left) / before.width, (y + frame.top - before.top) / before.height];
		this.scale = scale;
		this.tray.classList.toggle("zoomed", scale > 1);
		this.tray.style.setProperty("--held", scale > 1 ? `${frame.height}px` : "");
		this.level.style.setProperty("--zoom", scale);
		const after = this.level.getBoundingClientRect();
		this.tray.scrollBy(after.left + shareX * after.width - frame.left - x, after.top + shareY * after.height - frame.top - y);
		if (!at) this.follow("instant");
	}

	/** Scrolls so that the player has room around it. */
	follow(behavior = calm() ? "instant" : "smooth") {
		if (this.scale === 1) return;
		const player = find(".piece.player.active, .piece.player", this.level);
		if (!player) return;
		const cell = this.cell();
		for (const [axis, start, side, scroll] of [["--x", "left", "clientWidth", "scrollLeft"], ["--y", "top", "clientHeight", "scrollTop"]]) {
			const at = (Number(player.style.getPropertyValue(axis)) + 0.5) * cell;
			const room = Math.min(this.tray[side] / 2, 2.5 * cell);
			const from = this.tray[scroll];
			const to = Math.min(at - room, Math.max(from, at + room - this.tray[side]));
			if (to !== from) this.tray.scrollBy({ [start]: to - from, behavior });
		}
	}

	/** Two fingers zoom and pan. A second finger ends what the first one began. */
	fingers() {
		const down = new Map();
		const spread = () => {
			const [a, b] = [...down.values()];
			return { far: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY), clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2 };
		};
		let before = null;
		this.tray.addEventListener("pointerdown", (event) => {
			if (event.pointerType !== "touch") return;
			down.set(event.pointerId, event);
			if (down.size !== 2) return;
			before = spread();
			this.level.dispatchEvent(new PointerEvent("pointercancel", { bubbles: true }));
		}, { capture: true });
		addEventListener("pointermove", (event) => {
			if (!down.has(event.pointerId)) return;
			down.set(event.pointerId, event);
			if (down.size !== 2 || !before) return;
			const now = spread();
			this.tray.scrollBy(before.clientX - now.clientX, before.clientY - now.clientY);
			this.by(now.far / before.far, now);
			before = now;
		});
		for (const end of ["pointerup", "pointercancel"]) {
			addEventListener(end, ({ pointerId }) => {
				down.delete(pointerId);
				if (down.size < 2) before = null;
			});
		}
	}
}
