// Helpers for the views: elements, messages, dialogs and storage.

export const find = (selector, root = document) => root.querySelector(selector);

/** An element with properties (`class`, `data-…`, `aria-…` and such become attributes) and children. */
export function make(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (["class", "of", "role"].includes(name) || name.includes("-")) element.setAttribute(name, value);
		else element[name] = value;
	}
	element.append(...children);
	return element;
}

/** A vector graphics element with attributes. */
export function draw(tag, attributes = {}, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
	element.append(...children);
	return element;
}

export const icon = (name) => make("n-icon", { of: name });

/** Announces a text to screen readers, also if it is the same as before. */
export function say(text) {
	const live = find("#live");
	live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message with buttons next to it, `[[label, action], …]`; `tone` is "", "won" or "bad". */
export function tell(box, text, tone = "", offers = []) {
	box.className = `message ${tone}`;
	find("p", box).textContent = text;
	const beside = find(".offers", box);
	const focused = beside.contains(document.activeElement);
	beside.replaceChildren(...offers.map(([label, action]) => make("button", { type: "button", textContent: label, onclick: action })));
	// After a button is used by keyboard, the focus returns to the board.
	if (focused) find('[role="gridcell"] [tabindex="0"]', box.closest(".view"))?.focus();
	if (text) say(text);
}

/** Connects buttons with actions: `{ hint: action }` is for `#t-hint` with the prefix "t". */
export function wire(prefix, actions) {
	for (const [name, action] of Object.entries(actions)) find(`#${prefix}-${name}`).onclick = () => action();
}

/** Opens a dialog and resolves to the value of the button that closed it. `check` may refuse "ok" by throwing. */
export function ask(dialog, check = () => {}) {
	const problem = find(".problem", dialog);
	if (problem) problem.textContent = "";
	dialog.returnValue = "";
	dialog.showModal();
	return new Promise((resolve) => {
		const form = find("form", dialog);
		const submit = async (event) => {
			const value = event.submitter?.value ?? "ok";
			event.preventDefault();
			try {
				await check(value);
				dialog.close(value);
			} catch (error) {
				problem.textContent = error.message;
			}
		};
		form.addEventListener("submit", submit);
		const closed = () => {
			form.removeEventListener("submit", submit);
			resolve(dialog.returnValue);
		};
		dialog.addEventListener("close", closed, { once: true });
	});
}

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const NUMBERS = new Intl.NumberFormat("en");
/** A number as people write it. */
export const count = (n) => (n == null ? "–" : NUMBERS.format(n));

/** A number of things: 1 move, 2 moves, 3 boxes. */
export const plural = (n, name) => `${count(n)} ${things(n, name)}`;
export const things = (n, name) => (n === 1 ? name : `${name}${/(sh|x)$/.test(name) ? "es" : "s"}`);

/** Milliseconds as 1:02.3. */
export function clock(ms) {
	const tenths = Math.floor(ms / 100);
	return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
}

const kind = (value) => (Array.isArray(value) ? "list" : value === null ? "nothing" : typeof value);

/** What was stored in this browser, or the default if there is nothing or it has another type. */
export function recall(key, otherwise) {
	try {
		const kept = JSON.parse(localStorage.getItem(`noyes.${key}`));
		return kind(kept) === kind(otherwise) ? kept : otherwise;
	} catch {
		return otherwise;
	}
}

/** Stores something in this browser. Returns whether that was possible; the game works without storage. */
export function keep(key, value) {
	try {
		localStorage.setItem(`noyes.${key}`, JSON.stringify(value));
		return true;
	} catch {
		return false;
	}
}

const DIRECTIONS = {
	ArrowLeft: "L", ArrowUp: "U", ArrowRight: "R", ArrowDown: "D",
	a: "L", w: "U", d: "R", s: "D", h: "L", k: "U", l: "R", j: "D",
};
/** The direction of a key: arrows, WASD, hjkl. */
export const direction = (event) => DIRECTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
