// Sound and vibration, off by default: short tones for moves, detours and wins, made by the browser's synthesizer.

import { find, keep, recall } from "./dom.js";

// Each tone: frequency in hertz, start and length in seconds, loudness.
const TONES = {
	slide: [[320, 0, 0.05, 0.12]],
	push: [[150, 0, 0.08, 0.2]],
	detour: [[196, 0, 0.12, 0.12]],
	home: [[523, 0, 0.1, 0.12]],
	win: [[523, 0, 0.14, 0.16], [659, 0.11, 0.14, 0.16], [784, 0.22, 0.3, 0.16]],
};
const SHAKES_MS = { slide: 8, push: 15, detour: [20, 40, 20], home: 25, win: [30, 50, 30, 50, 60] };

let isOn = recall("sound", false);
let context = null;

/** Plays the tones of an event and vibrates, if the player wants it. */
export function sound(event) {
	if (!isOn) return;
	navigator.vibrate?.(SHAKES_MS[event]);
	context ??= new AudioContext();
	for (const [hertz, start, length, loudness] of TONES[event]) {
		const [tone, volume] = [context.createOscillator(), context.createGain()];
		const from = context.currentTime + start;
		tone.type = "triangle";
		tone.frequency.value = hertz;
		volume.gain.setValueAtTime(loudness, from);
		volume.gain.exponentialRampToValueAtTime(0.001, from + length);
		tone.connect(volume).connect(context.destination);
		tone.start(from);
		tone.stop(from + length);
	}
}

const button = find("#sound");
const show = () => {
	button.ariaPressed = isOn;
};
button.onclick = () => {
	isOn = !isOn;
	keep("sound", isOn);
	show();
	sound("home");
};
show();
