// A bar to play back a plan: play, pause, step, scrub, speed. It has positions 0 to `length`, and tells its owner which
// one to show and for how many milliseconds.

import { find, icon, keep, make, recall } from "./dom.js";

const SPEEDS = [1, 2, 4, 8, 16, 40];

export class Playback {
	constructor(root, show) {
		Object.assign(this, { root, show, length: 0, at: 0, timer: null });
		const button = (name, label, onclick) => make("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick }, icon(name));
		this.toggle = button("play", "Play", () => this.flip());
		this.range = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Position in the plan" });
		this.range.oninput = () => this.seek(Number(this.range.value));
		this.place = make("output", {}, "0 / 0");
		this.speed = make("select", { "aria-label": "Moves per second" });
		for (const speed of SPEEDS) this.speed.append(make("option", { value: speed }, `${speed}/s`));
		const kept = recall("speed", 4);
		this.speed.value = SPEEDS.includes(kept) ? kept : 4;
		this.speed.onchange = () => {
			keep("speed", Number(this.speed.value));
			if (this.playing) this.play();
		};
		root.append(
			make("div", {},
				button("first", "To the start", () => this.seek(0)),
				button("back", "One step back", () => this.seek(this.at - 1)),
				this.toggle,
				button("forward", "One step forward", () => this.seek(this.at + 1)),
				button("last", "To the end", () => this.seek(this.length))),
			this.range,
			make("div", {}, this.place, this.speed, button("close", "Close playback", () => this.close())),
		);
	}
	get open() {
		return this.root.classList.contains("on");
	}
	get playing() {
		return this.timer !== null;
	}
	/** Opens the bar at the start of a plan of this many steps. */
	load(length, speed) {
		this.pause();
		this.length = length;
		this.range.max = length;
		if (SPEEDS.includes(speed)) this.speed.value = speed;
		this.root.classList.add("on");
		this.seek(0);
	}
	play() {
		this.pause();
		if (this.at === this.length) this.seek(0);
		const pause = 1000 / Number(this.speed.value);
		this.timer = setInterval(() => {
			this.move(this.at + 1, pause);
			if (this.at === this.length) this.pause();
		}, pause);
		this.face("pause", "Pause");
	}
	flip() {
		if (this.playing) this.pause();
		else this.play();
	}
	pause() {
		clearInterval(this.timer);
		this.timer = null;
		this.face("play", "Play");
	}
	seek(at) {
		this.pause();
		this.move(at, 130);
	}
	move(at, pause) {
		this.at = Math.max(0, Math.min(this.length, at));
		this.range.value = this.at;
		this.place.textContent = `${this.at} / ${this.length}`;
		this.show(this.at, pause);
	}
	/** Closes the bar; the position stays. */
	close() {
		this.pause();
		this.root.classList.remove("on");
	}
	face(name, label) {
		find("use", this.toggle).setAttribute("href", `icons.svg#${name}`);
		this.toggle.ariaLabel = this.toggle.title = label;
	}
	/** Handles a key of the bar; false if it is not one. */
	key(event) {
		if (!this.open) return false;
		if (event.key === "p") this.flip();
		else if (event.key === "[") this.seek(this.at - 1);
		else if (event.key === "]") this.seek(this.at + 1);
		else if (event.key === "Escape") this.close();
		else return false;
		return true;
	}
}
