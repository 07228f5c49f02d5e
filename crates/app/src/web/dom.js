// Elements made and spoken: the few words with which the views talk to the page.

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

/** Says something to screen readers; the same words twice are said twice. */
export function say(text) {
	const live = find("#live");
	live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Shows a message with offers, buttons beside it: `[[label, action], …]`; `tone` is "", "won" or "bad". */
export function tell(box, text, tone = "", offers = []) {
	box.className = `message ${tone}`;
	find("p", box).textContent = text;
	const beside = find(".offers", box);
	const focused = beside.contains(document.activeElement);
	beside.replaceChildren(...offers.map(([label, action]) => make("button", { type: "button", textContent: label, onclick: action })));
	// An offer taken by keyboard leads back to the board.
	if (focused) find('[role="gridcell"] [tabindex="0"]', box.closest(".view"))?.focus();
	if (text) say(text);
}

/** Gives buttons of a view their actions: `{ hint: action }` for `#t-hint` with the prefix "t". */
export function wire(prefix, actions) {
	for (const [name, action] of Object.entries(actions)) find(`#${prefix}-${name}`).onclick = () => action();
}

/** Opens a dialog; gives back the value of the button that closed it. `check` may refuse "ok" by throwing. */
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

/** A number as people write it. */
export const count = (n) => (n == null ? "–" : n.toLocaleString("en"));

/** Milliseconds as 1:02.3. */
export function clock(ms) {
	const tenths = Math.floor(ms / 100);
	return `${Math.floor(tenths / 600)}:${((tenths % 600) / 10).toFixed(1).padStart(4, "0")}`;
}

const kind = (value) => (Array.isArray(value) ? "list" : value === null ? "nothing" : typeof value);

/** What was kept in this browser, or the default: also when it is nonsense or of another kind. */
export function recall(key, otherwise) {
	try {
		const kept = JSON.parse(localStorage.getItem(`noyes.${key}`));
		return kind(kept) === kind(otherwise) ? kept : otherwise;
	} catch {
		return otherwise;
	}
}

/** Keeps something in this browser, if it lets us. */
export function keep(key, value) {
	try {
		localStorage.setItem(`noyes.${key}`, JSON.stringify(value));
	} catch {
		// A full or forbidden store does not end the game.
	}
}

const DIRECTIONS = {
	ArrowLeft: "L", ArrowUp: "U", ArrowRight: "R", ArrowDown: "D",
	a: "L", w: "U", d: "R", s: "D", h: "L", k: "U", l: "R", j: "D",
};
/** The direction that a key names: arrows, WASD, hjkl. */
export const direction = (event) => DIRECTIONS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
