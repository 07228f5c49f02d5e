// The page: which view is shown, what the keys mean, light or dark, and the worker that makes it work offline.

import { get } from "./api.js";
import { find, say } from "./dom.js";
import { here } from "./share.js";

const VIEWS = { tiles: () => import("./tiles/game.js"), sokoban: () => import("./sokoban/game.js"), race: () => import("./race/race.js") };
const TITLES = { tiles: "Tiles", sokoban: "Sokoban", race: "Race" };
let view = null;
let shown = null;

async function route() {
  let { view: name, parameters } = here();
  if (name === "main" && shown) return find("#main").focus();
  if (!VIEWS[name]) name = "tiles";
  document.documentElement.dataset.view = name;
  for (const tab of document.querySelectorAll("nav a")) {
    if (tab.dataset.view === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  document.title = `${TITLES[name]} · noyes`;
  if (shown && shown !== name) {
    view?.close();
    say(TITLES[name]);
  }
  shown = name;
  view = null;
  const loaded = await VIEWS[name]();
  if (shown !== name) return;
  view = loaded;
  view.open(parameters);
}
addEventListener("hashchange", route);

// Keys, unless someone is writing, or the browser means them.
addEventListener("keydown", (event) => {
  const field = event.target.closest("input:not([type=radio], [type=checkbox]), textarea, select");
  if (field || find("dialog[open]") || event.altKey || event.defaultPrevented) return;
  if (event.ctrlKey || event.metaKey) {
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey && view?.undo) view.undo();
    else if ((key === "y" || (key === "z" && event.shiftKey)) && view?.redo) view.redo();
    else return;
    return event.preventDefault();
  }
  if (event.key === "?") find("#keys-dialog").showModal();
  // Arrows choose among radio buttons, as everywhere.
  else if (event.target.matches("[type=radio], [role=radio]") && event.key.startsWith("Arrow")) return;
  else if (!view?.key?.(event)) return;
  event.preventDefault();
});
addEventListener("paste", (event) => {
  if (event.target.closest("input, textarea, dialog") || !view?.paste) return;
  const text = event.clipboardData.getData("text/plain");
  if (text.trim()) view.paste(text);
});

// Colours: the system's, light, dark.
const CHOICES = ["auto", "light", "dark"];
const WORDS = { auto: "as the system", light: "light", dark: "dark" };
function paint(theme) {
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
  const button = find("#theme");
  button.setAttribute("aria-label", `Colours: ${WORDS[theme]}`);
  button.title = `Colours: ${WORDS[theme]}`;
  find("use", button).setAttribute("href", `icons.svg#${{ auto: "auto", light: "sun", dark: "moon" }[theme]}`);
}
let theme = CHOICES.includes(document.documentElement.dataset.theme) ? document.documentElement.dataset.theme : "auto";
paint(theme);
find("#theme").onclick = () => {
  theme = CHOICES[(CHOICES.indexOf(theme) + 1) % CHOICES.length];
  try {
    localStorage.setItem("noyes.theme", theme);
  } catch {
    // Then it is forgotten with the page.
  }
  paint(theme);
  say(`Colours: ${WORDS[theme]}`);
};
find("#keys-open").onclick = () => find("#keys-dialog").showModal();
for (const dialog of document.querySelectorAll("dialog")) {
  // A click beside it lands on the dialog itself.
  dialog.addEventListener("click", ({ target }) => (target === dialog || target.closest("[data-close]")) && dialog.close());
}

// Offline: said when it is so.
const online = () => {
  find("#offline").hidden = navigator.onLine;
};
addEventListener("online", online);
addEventListener("offline", online);
online();
navigator.serviceWorker?.register("service-worker.js").catch(() => {});

get("version").then(({ version }) => {
  find("#version").textContent = version ? `noyes ${version}` : "";
}).catch(() => {});
route();
