// The page: views, keys, colours, and the worker that makes it work offline.

import { get, version } from "./api.js";
import { find, keep, say } from "./dom.js";
import { here } from "./share.js";
import { SOLVER } from "./site.js";
import "./sound.js";

const VIEWS = { tiles: () => import("./tiles/game.js"), sokoban: () => import("./sokoban/game.js"), daily: () => import("./daily/daily.js"), speed: () => import("./speed/speed.js"), teach: () => import("./teach/teach.js"), pull: () => import("./sokoban/pull.js"), race: () => import("./race/race.js") };
let view = null;
let shown = null;

async function route() {
	let { view: name, parameters } = here();
	if (name === "main" && shown) return find("#main").focus();
	if (!VIEWS[name]) name = "tiles";
	document.documentElement.dataset.view = name;
	for (const tab of document.querySelectorAll("nav a")) tab.ariaCurrent = tab.dataset.view === (name === "pull" ? "sokoban" : name) ? "page" : null;
	const title = find("nav [aria-current]").textContent;
	document.title = `${title} · noyes`;
	if (shown && shown !== name) {
		view?.close?.();
		say(title);
	}
	shown = name;
	view = null;
	const loaded = await VIEWS[name]();
	if (shown !== name) return;
	view = loaded;
	view.open(parameters);
}
addEventListener("hashchange", route);

// Keys, unless someone is typing or the browser needs them.
addEventListener("keydown", (event) => {
	const field = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select");
	if (field || find("dialog[open]") || event.altKey || event.defaultPrevented) return;
	if (event.ctrlKey || event.metaKey) {
		const action = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
		if (!view?.[action]) return;
		view[action]();
		return event.preventDefault();
	}
	if (event.key === "?") find("#keys-dialog").showModal();
	// Arrows choose among radio buttons, as usual.
	else if (event.target.matches("[type=radio], [role=radio]") && event.key.startsWith("Arrow")) return;
	else if (!view?.key?.(event)) return;
	event.preventDefault();
});
addEventListener("paste", (event) => {
	if (event.target.closest("input, textarea, dialog") || !view?.paste) return;
	const text = event.clipboardData.getData("text/plain");
	if (text.trim()) view.paste(text);
});

// Colours: name, label and icon.
const THEMES = [["auto", "system", "auto"], ["light", "light", "sun"], ["dark", "dark", "moon"]];
let theme = Math.max(0, THEMES.findIndex(([name]) => name === document.documentElement.dataset.theme));
function paint() {
	const [name, words, picture] = THEMES[theme];
	document.documentElement.dataset.theme = name;
	const button = find("#theme");
	button.title = `Colours: ${words}`;
	button.ariaLabel = button.title;
	find("use", button).setAttribute("href", `icons.svg#${picture}`);
}
paint();
find("#theme").onclick = () => {
	theme = (theme + 1) % THEMES.length;
	paint();
	keep("theme", THEMES[theme][0]);
	say(find("#theme").title);
};
find("#keys-open").onclick = () => find("#keys-dialog").showModal();
for (const dialog of document.querySelectorAll("dialog")) {
	// A click outside the dialog has the dialog itself as its target.
	dialog.addEventListener("click", ({ target }) => (target === dialog || target.closest("[data-close]")) && dialog.close());
}

// Shows when the browser is offline.
const online = () => {
	find("#offline").hidden = navigator.onLine;
};
addEventListener("online", online);
addEventListener("offline", online);
online();
// A new worker keeps the levels as well: they are for offline visits to a view that may never have been opened.
navigator.serviceWorker?.addEventListener("controllerchange", () => get("levels").catch(() => {}));
navigator.serviceWorker?.register("service-worker.js").catch(() => {});
if (SOLVER) import("./solver/page.js");

version.then((about) => {
	find("#version").textContent = `noyes ${about.version}`;
}).catch(() => {});
route();
