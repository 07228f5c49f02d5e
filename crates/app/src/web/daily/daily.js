// The view of the daily puzzles: both games of a day, what was reached, the streak, and days before.

import { solve } from "../api.js";
import { find, icon, make, say } from "../dom.js";
import { parse } from "../sokoban/level.js";
import { collection } from "../sokoban/levels.js";
import { sketch } from "../sokoban/previews.js";
import { format } from "../tiles/board.js";
import { boardOf, hasCome, later, levelOf, today, untilNext } from "./day.js";
import { addPar, copied, GAMES, resultOf, shared, streak, words } from "./results.js";

let shown = ""; // the day
const pars = new Map(); // of boards, by day
let search = null; // the running one

export async function open(parameters) {
	const asked = parameters.get("date");
	const day = asked && hasCome(asked) ? asked : today();
	shown = day;
	draw(day, null);
	if (asked && asked !== day) say("This day has not come yet. Here is today's puzzle.");
	const levels = await collection();
	if (shown !== day) return;
	draw(day, levelOf(day, levels));
	findPar(day);
}

export function close() {
	shown = "";
	search?.cancel();
	search = null;
}

/** The optimum of the board, which takes a moment. */
async function findPar(day) {
	search?.cancel();
	if (pars.has(day)) return;
	const mine = solve({ puzzle: format(boardOf(day)), time_limit_s: 60 }, () => {});
	search = mine;
	const record = await mine.done.catch(() => null);
	if (search === mine) search = null;
	if (record?.status !== "optimal") return;
	pars.set(day, record.cost);
	addPar("tiles", day, record.cost);
	if (shown === day) fill("tiles", day, record.cost);
}

function draw(day, level) {
	const isToday = day === today();
	const step = (name, label, by) => make("a", { class: "button icon", href: `#daily?date=${later(day, by)}`, "aria-label": label, title: label }, icon(name));
	const next = step("forward", "Next day", 1);
	if (isToday) {
		next.removeAttribute("href");
		next.ariaDisabled = "true";
		next.role = "link";
	}
	const date = new Date(day).toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
	const left = Math.ceil(untilNext() / 60000);
	const hours = left < 60 ? `${left} min` : `${Math.floor(left / 60)} h ${left % 60} min`;
	const run = streak();
	const many = (n) => `${n} day${n === 1 ? "" : "s"}`;
	find("#daily").replaceChildren(make("div", { class: "days" },
		make("div", { class: "bar" },
			make("h1", {}, "Daily puzzle"),
			make("div", { class: "picker" }, step("back", "Day before", -1), make("time", { dateTime: day }, date), next)),
		make("p", { class: "note" }, isToday ? `The same for everyone. The next one comes in ${hours}, at midnight UTC. ` : "A day that is over: it does not count for the streak. ",
			make("span", { id: "d-streak" }, run.longest ? `Streak: ${many(run.now)}, longest ${many(run.longest)}.` : "Solve one without help to start a streak.")),
		make("div", { class: "pair" },
			card("tiles", day, make("div", { class: "thumb tiny", "aria-hidden": "true" }, ...boardOf(day).cells.map((tile) => make("b", {}, tile || "")))),
			card("sokoban", day, make("div", { class: "thumb", "aria-hidden": "true" }, ...(level ? [picture(level)] : []))))));
	fill("tiles", day, pars.get(day));
	fill("sokoban", day, level?.pushes);
}

function picture(level) {
	const canvas = make("canvas");
	queueMicrotask(() => sketch(canvas, parse(level.xsb)));
	return canvas;
}

function card(game, day, thumb) {
	const { name } = GAMES[game];
	return make("section", { class: "card", id: `d-${game}` },
		make("h2", {}, name), thumb,
		make("p", { class: "note" }),
		make("textarea", { rows: 4, readOnly: true, hidden: true, "aria-label": `Result to share, ${name}`, onfocus: ({ target }) => target.select() }),
		make("div", { class: "tools" },
			make("a", { class: "button primary", href: `#${game}?daily=${day}` }, icon("play"), make("span", {})),
			make("button", { type: "button", hidden: true, onclick: () => copy(game, day) }, icon("share"), "Copy result")));
}

/** Shows par and result of a game. */
function fill(game, day, par) {
	const root = find(`#d-${game}`);
	const result = resultOf(game, day);
	const goal = par == null ? "Par: …" : `Par: ${par} ${GAMES[game].unit}, proven.`;
	find("p", root).textContent = result ? `Solved: ${words(game, { ...result, par: result.par ?? par })}.` : `${goal} Not solved yet.`;
	find(".primary span", root).textContent = result ? "Play again" : "Play";
	const [text, button] = [find("textarea", root), find("button", root)];
	text.hidden = button.hidden = !result;
	if (result) text.value = shared(game, day, { ...result, par: result.par ?? par ?? null });
}

async function copy(game, day) {
	const text = find(`#d-${game} textarea`);
	if (await copied(text.value)) return say("Copied."), mark(game);
	text.focus();
	say("Selected: copy it with Ctrl+C.");
}
function mark(game) {
	find(`#d-${game} button`).lastChild.textContent = "Copied";
}
