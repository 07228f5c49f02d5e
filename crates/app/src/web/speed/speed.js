// A speed session: shuffle, inspect, solve against the clock, again and again. Tiles move when a key or a pointer goes
// down, not when it comes up. There are no hints here, so every solve counts.

import { count, find, icon, keep, make, recall, say, tell } from "../dom.js";
import { plot } from "../plot.js";
import { download } from "../share.js";
import { format, isGoal, line, OPPOSITE, shuffle, slides } from "../tiles/board.js";
import { Grid } from "../tiles/grid.js";
import * as bindings from "./bindings.js";
import { averages, csv, figures, mean, solvesOf, store, time } from "./session.js";

const LISTED = 200; // solves in the list

find("#speed").innerHTML = `<h1 class="unseen">Speed session</h1>
<div class="stage">
	<div class="bar">
		<label>Size <select id="v-size">${[3, 4, 5, 6, 7, 8, 9, 10].map((n) => `<option value="${n}x${n}">${n}×${n}</option>`).join("")}</select></label>
		<label>Inspection <select id="v-inspection"><option value="0">none</option><option value="8">8 s</option><option value="15">15 s</option></select></label>
		<button class="primary" id="v-next"><n-icon of="shuffle"></n-icon>Next board</button>
	</div>
	<div class="timer"><output id="v-time" role="timer" aria-live="off">0.000</output><small id="v-state"></small></div>
	<div class="tray"><div class="board" id="v-board" role="grid" aria-label="Board"></div></div>
	<div class="message" id="v-message"><p></p><span class="offers"></span></div>
</div>
<div class="panel">
	<section class="card"><h2>Session <small id="v-count"></small></h2>
		<table id="v-figures"><thead><tr><td></td><th>Last</th><th>Best</th></tr></thead><tbody></tbody></table>
		<div class="plot" id="v-plot"></div>
		<p class="note">An average leaves out the best and the worst 5 %, at least one of each. Dashes: ao5.</p></section>
	<section class="card"><h2>Solves</h2>
		<div class="solves" tabindex="0" role="region" aria-label="Solves"><table><thead><tr><th>No.</th><th>Time</th><th>Moves</th><th title="Moves per second">Per s</th><td></td></tr></thead><tbody id="v-solves"></tbody></table></div>
		<div class="tools"><button id="v-csv"><n-icon of="download"></n-icon>CSV</button><button id="v-clear"><n-icon of="close"></n-icon>New session</button></div></section>
	<section class="card"><h2>Keys</h2><div class="bindings" id="v-keys"></div>
		<label class="check"><input type="checkbox" id="v-hover"> Slide by hovering, without clicks</label></section>
</div>`;
const at = (id) => find(`#v-${id}`);
const word = (text, tone, offers) => tell(at("message"), text, tone, offers);

/** A board whose tiles slide when the pointer goes down. */
class FastGrid extends Grid {
	drags() {
		this.root.addEventListener("pointerdown", (event) => {
			const cell = this.cellOf(event.target);
			if (event.button === 0 && cell >= 0) this.press(cell);
		});
		this.root.addEventListener("pointerover", (event) => {
			const cell = this.cellOf(event.target);
			if (this.hover && event.pointerType === "mouse" && cell >= 0) this.press(cell);
		});
	}
}
const grid = new FastGrid(at("board"), press, () => {});

// A game: `{ start, board, moves, since, deadline, over }`. `since` is null until the clock runs; the inspection ends at `deadline`.
let game = null;
let frame = 0;

function next() {
	const [width, height] = size().split("x").map(Number);
	const start = shuffle(width, height);
	const inspection = Number(at("inspection").value);
	game = { start, board: start, moves: 0, since: null, deadline: inspection ? performance.now() + 1000 * inspection : Infinity, over: false };
	word("");
	show(0);
	run();
}
const size = () => at("size").value;

/** Starts the clock if it does not run. */
const begin = (now) => {
	game.since ??= Math.min(now, game.deadline);
};

function make_moves(letters) {
	const board = game.over || !letters ? null : slides(game.board, letters);
	if (!board) return;
	const now = performance.now();
	begin(now);
	Object.assign(game, { board, moves: game.moves + letters.length });
	if (isGoal(board)) finish(now);
	show(60);
}

function press(cell) {
	make_moves(line(game.board, cell));
}

function finish(now) {
	game.over = true;
	const before = solvesOf(size());
	const solve = { ms: Math.max(1, Math.round(now - game.since)), moves: game.moves, at: Date.now(), board: format(game.start) };
	const solves = [...before, solve];
	store(size(), solves);
	const records = figures(solves).filter(([, last, best], i) => last !== null && last === best && before.length > 0 && last < (figures(before)[i][2] ?? Infinity)).map(([name]) => name.toLowerCase());
	word(`${time(solve.ms)} with ${count(game.moves)} moves${records.length ? `. Best ${records.join(", ")}` : ""}.`, "won", [["Next board", next]]);
	showSession();
}

/** Gives the board up; nothing is recorded. */
function abandon() {
	if (game.since === null || game.over) return;
	next();
	word("That board does not count.");
}

function show(pace) {
	grid.show(game.board, { pace, won: game.over });
	showTime();
}

/** Shows the time on every frame while it runs, or the inspection counting down. */
function run() {
	cancelAnimationFrame(frame);
	frame = requestAnimationFrame(() => {
		if (game.over) return;
		if (performance.now() >= game.deadline) begin(game.deadline);
		showTime();
		run();
	});
}

function showTime() {
	const now = performance.now();
	const last = game.over ? solvesOf(size()).at(-1)?.ms : null;
	const inspecting = game.since === null && game.deadline < Infinity;
	at("time").textContent = inspecting ? String(Math.max(0, Math.ceil((game.deadline - now) / 1000))) : time(last ?? (game.since === null ? 0 : now - game.since));
	at("time").classList.toggle("inspecting", inspecting);
	at("state").textContent = inspecting ? "inspection" : game.over ? "solved" : game.since === null ? "starts with your first move" : `${count(game.moves)} moves`;
}

function showSession() {
	const solves = solvesOf(size());
	at("count").textContent = `${size().replace("x", "×")}, ${count(solves.length)} solve${solves.length === 1 ? "" : "s"}, mean ${time(mean(solves))}`;
	find("tbody", at("figures")).replaceChildren(...figures(solves).map(([name, last, best]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, time(last)), make("td", {}, time(best)))));
	const shown = solves.slice(-LISTED);
	const first = solves.length - shown.length;
	const ao5 = averages(shown, 5);
	const seconds = (ms, i) => (ms === null ? [] : [[i, ms / 1000]]);
	plot(at("plot"), {
		series: [{ points: shown.flatMap(({ ms }, i) => seconds(ms, i)), class: "yours" }, { points: ao5.flatMap(seconds), class: "ideal" }],
		marks: shown.length ? [[shown.length - 1, shown.at(-1).ms / 1000, "here"]] : [],
		label: `Seconds of the last ${shown.length} solves`, least: { x: 10, y: 5 },
	});
	at("solves").replaceChildren(...shown.map((solve, i) => {
		const drop = make("button", { type: "button", class: "icon", "aria-label": `Delete solve ${first + i + 1}`, title: "Delete", onclick: () => remove(solves, first + i) }, icon("close"));
		return make("tr", {}, make("td", {}, first + i + 1), make("td", {}, time(solve.ms)), make("td", {}, count(solve.moves)), make("td", {}, ((1000 * solve.moves) / solve.ms).toFixed(1)), make("td", {}, drop));
	}).reverse());
	at("csv").disabled = at("clear").disabled = !solves.length;
}

/** Stores fewer solves, and offers to restore them. */
function replace(solves, before, words) {
	const where = size();
	store(where, solves);
	showSession();
	word(words, "", [["Restore", () => {
		store(where, before);
		showSession();
		word("");
	}]]);
}

function remove(solves, i) {
	replace(solves.toSpliced(i, 1), solves, `Deleted solve ${i + 1}.`);
	(find("#v-solves button") ?? at("next")).focus();
}

function showKeys(action) {
	bindings.list(at("keys"), showKeys);
	if (action) find(`[data-action="${action}"]`, at("keys"))?.focus();
}

// The interface for app.js.

export function open() {
	showSession();
	if (!game) next();
	else show(0);
	run();
}

/** Leaving the view stops the clock: a game that has begun is given up. */
export function close() {
	cancelAnimationFrame(frame);
	game = null;
}

export function key(event) {
	const asked = document.activeElement?.dataset.action;
	if (bindings.take(event)) {
		showKeys(asked);
		return true;
	}
	if (event.key === "Escape") return abandon(), true;
	const action = bindings.actionOf(event);
	// The space bar also presses the button that has the focus.
	if (!action || (event.key === " " && event.target.closest("button, a, .solves") && !at("board").contains(event.target))) return false;
	if (event.repeat) return true;
	if (action !== "next") make_moves(OPPOSITE[action]);
	else if (game.since === null || game.over) next();
	return true;
}

const choose = (id, otherwise) => {
	const field = at(id);
	field.value = recall(`speed-${id}`, otherwise);
	if (field.selectedIndex < 0) field.value = otherwise;
	field.onchange = () => {
		keep(`speed-${id}`, field.value);
		field.blur(); // so that keys reach the board
		next();
		showSession();
	};
};
choose("size", "4x4");
choose("inspection", "0");
grid.hover = at("hover").checked = recall("speed-hover", false);
at("hover").onchange = ({ target }) => {
	grid.hover = target.checked;
	keep("speed-hover", target.checked);
};
at("next").onclick = next;
at("csv").onclick = () => download(`noyes-${size()}.csv`, btoa(csv(solvesOf(size()))));
at("clear").onclick = () => replace([], solvesOf(size()), "A new session.");
showKeys();
