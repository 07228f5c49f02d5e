// Keys of the player's choice: any key can slide a tile in a direction or ask for the next board. A key has one action.

import { keep, make, recall } from "../dom.js";

const KEY = "bindings";
/** Actions and their names; letters are the direction in which a tile goes. */
const ACTIONS = { U: "Tile up", L: "Tile left", D: "Tile down", R: "Tile right", next: "Next board" };
const USUAL = {
	ArrowUp: "U", w: "U", k: "U", ArrowLeft: "L", a: "L", h: "L", ArrowDown: "D", s: "D", j: "D", ArrowRight: "R", d: "R", l: "R", " ": "next",
};
const NEVER = ["Tab", "Enter", "Escape", "Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Dead", "Process", "Unidentified", "?"]; // the browser or the page needs them

const nameOf = ({ key }) => (key.length === 1 ? key.toLowerCase() : key);
const shown = (key) => ({ ArrowUp: "↑", ArrowLeft: "←", ArrowDown: "↓", ArrowRight: "→", " ": "Space" })[key] ?? (key.length === 1 ? key.toUpperCase() : key);

let bound = { ...USUAL, ...Object.fromEntries(Object.entries(recall(KEY, {})).filter(([, action]) => action === "" || Object.hasOwn(ACTIONS, action))) };
let waiting = ""; // the action that gets the next key

/** The action of a key, or undefined. */
export const actionOf = (event) => bound[nameOf(event)] || undefined;

/** Takes a key for the action that waits for one; false if none does. */
export function take(event) {
	if (!waiting) return false;
	if (event.key !== "Escape" && NEVER.includes(event.key)) return false;
	if (event.key !== "Escape") bound = { ...bound, [nameOf(event)]: waiting };
	waiting = "";
	keep(KEY, bound);
	return true;
}

/** Shows the actions with their keys. `changed` is called after each change. */
export function list(root, changed) {
	const row = ([action, name]) => {
		const keys = Object.keys(bound).filter((key) => bound[key] === action);
		const drop = (key) => make("button", { type: "button", class: "key", title: `Remove ${shown(key)}`, "aria-label": `${name}: remove ${shown(key)}`, onclick() {
			bound = { ...bound, [key]: "" };
			keep(KEY, bound);
			changed(action);
		} }, shown(key));
		const add = make("button", { type: "button", class: "add", "data-action": action, "aria-label": `${name}: add a key`, onclick() {
			waiting = waiting === action ? "" : action;
			changed(action);
		} }, waiting === action ? "Press a key" : "+");
		return make("div", {}, make("span", {}, name), ...keys.map(drop), add);
	};
	const usual = () => {
		bound = { ...USUAL };
		waiting = "";
		keep(KEY, {});
		changed("U");
	};
	root.replaceChildren(...Object.entries(ACTIONS).map(row), make("button", { type: "button", class: "link", onclick: usual }, "Usual keys"));
}
