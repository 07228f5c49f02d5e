// Playing tiles: buttons and keys, the clock, and the optimum along the way.

import { post } from "../api.js";
import { beside } from "../cells.js";
import { boardOf, hasCome } from "../daily/day.js";
import * as results from "../daily/results.js";
import { ask, clock, count, find, keep, plural, recall, say, things, wire } from "../dom.js";
import { flash, hero } from "../hero.js";
import { playing } from "../play.js";
import { plot } from "../plot.js";
import { sound } from "../sound.js";
import { elapsed, halt, run } from "../stopwatch.js";
import { picture as sketch, welcome } from "../welcome.js";
import { format, isGoal, line, OPPOSITE, parse, shuffle, slide, slides, swapped, swapTwo, unsolvable } from "./board.js";
import { Grid, SCHEMES, TILE_GOES } from "./grid.js";
import * as picture from "./picture.js";
import * as stats from "./stats.js";

const grid = new Grid(find("#t-board"), press, move);
const optimum = hero("t");
let editing = null; // null, or { taken: cell or -1 }
let ticking = null; // the game whose clock may run
const repeated = new WeakMap(); // by game: how often a question was asked again
const MOST_REPEATS = 3;
const REPEAT_MS = 3000; // then twice and four times as long

// A state is `{ game, board, path }`: the path leads from the game's start to the board in the blank's letters.
// A game is `{ start, random, daily, assisted, counted, over, ms, since }`: only `random` boards count, `daily` is the day of
// a daily puzzle or "", `counted` stays true, and `over` lasts until a restart.
const rules = {
	view: "tiles",
	rungs: ["Hint", "Which tile?", "Slide it"],
	cells: grid,
	isEditing: () => editing,
	isSolved: ({ board: b }) => isGoal(b),
	trouble: ({ board: b }) => unsolvable(b),
	name: ({ board: b }) => format(b),
	question: ({ board: b }) => ({ puzzle: format(b) }),
	cost: ({ path }) => path.length,
	unit: () => "moves",
	left: (n) => count(n),
	best: "optimal",
	first: (game) => ({ game, board: game.start, path: "" }),
	walk(state, path) {
		const states = [state];
		for (const letter of path) {
			const { game, board: b, path: before } = states.at(-1);
			const next = slide(b, letter);
			if (!next) break;
			states.push({ game, board: next, path: before + letter });
		}
		return states;
	},
	hint: ({ plan }, rung) => `slide ${rung === 1 ? "a tile" : `tile ${tileOf(plan)}`} ${TILE_GOES[plan[0]]}`,
	step({ plan }) {
		const tile = tileOf(plan);
		make(plan[0]);
		return `Tile ${tile} went ${TILE_GOES[plan[0]]}`;
	},
	praise: ({ proven, upper, lower }) => (proven ? `${plural(upper, "move")}. No plan is shorter.` : `A plan of ${plural(upper, "move")}; at least ${lower} are needed.`),
	offers: () => (unsolvable(now().board) ? [["Swap two tiles", () => edited(swapTwo(now().board))]] : []),
	shared: ({ game, path }) => ({ board: format(game.start).replaceAll(" ", "-").replaceAll("/", "."), moves: path }),
	offline: ({ board: b }) => locally(b),
	go: (letter) => move(OPPOSITE[letter]),
	again,
	edit,
	arrive,
	refresh,
};
const table = playing("t", rules);
const { advise, at, controls, fromLink, known, learn, look, now, playback, push, refuse, word } = table;
export const { close, key, redo, undo } = table;

const tileOf = (plan) => now().board.cells[beside(now().board, now().board.blank, plan[0])];

// 1. Changing the state.

const fresh = (b, random = false, daily = "") => ({ start: b, random, daily, assisted: false, counted: false, over: false, ms: 0, since: null });

/** A new game on a board. */
function begin(b, words = "", random = false, daily = "") {
	push(rules.first(fresh(b, random, daily)));
	const trouble = unsolvable(b);
	if (trouble) refuse(trouble);
	else word(words || (isGoal(b) ? "Already solved. Shuffle to play." : ""));
	refresh();
}

/** A new game on a shuffled board. The clock starts now or with the first move, as the player chose. */
function deal(width, height) {
	begin(shuffle(width, height), "", true);
	startClock();
}

function startClock() {
	const { game, board: b } = now();
	if (!at("clock").checked || isGoal(b)) return;
	run(game);
}

/** Makes moves of the player. */
function make(letters, pace = 120) {
	const { game, board: b, path } = now();
	const next = slides(b, letters);
	if (!letters || !next) return;
	const before = known(now());
	push({ game, board: next, path: path + letters });
	if (!game.over) run(game);
	sound(isGoal(next) ? "win" : "slide");
	if (isGoal(next)) win();
	else {
		word("");
		say(`${next.cells[b.blank]} ${TILE_GOES[letters[0]]}`);
	}
	refresh({ pace });
	remark({ before, moves: letters.length, cell: b.blank });
}

function win() {
	const { game, path } = now();
	halt(game);
	const fewest = known(rules.first(game));
	const { width, height } = game.start;
	let words = `You won! ${plural(path.length, "move")} in ${clock(game.ms)}`;
	if (fewest?.proven) words += path.length === fewest.upper ? ", and no plan is shorter" : `; the optimum is ${fewest.upper}`;
	if (game.daily) results.record("tiles", game.daily, { cost: path.length, par: fewest?.proven ? fewest.upper : null, ms: Math.round(game.ms), help: game.assisted });
	if (game.assisted) words += ", with help, so it does not count";
	else if (game.daily) words += `. That was the daily puzzle of ${game.daily}`;
	else if (!game.random) words += ". Only shuffled boards count";
	else if (game.counted) words += ". This game was counted before";
	else if (stats.record(`${width}x${height}`, { ms: Math.round(game.ms), moves: path.length, optimal: fewest?.proven ? fewest.upper : null, at: Date.now() })) words += ". Your best time";
	word(`${words}.`, "won", game.daily ? results.offers("tiles", game.daily, word) : [["Again", again], ["Replay", () => table.replay()]]);
	game.counted = true;
	game.over = true;
	review();
}

/** After undo and redo. */
function arrive() {
	const trouble = unsolvable(now().board);
	if (trouble) refuse(trouble);
	refresh({ pace: 120 });
}

/** The same game from its start. If help was used, that still counts; the clock runs until the game is won. */
function restart() {
	const { game } = now();
	if (game.over) Object.assign(game, { over: false, ms: 0 });
	push(rules.first(game));
	word("Back to the start.");
	refresh();
	startClock();
}

// 2. Actions of the player.

function press(cell, pace) {
	if (editing) return swap(cell);
	const letters = line(now().board, cell);
	if (letters) make(letters, pace);
	else if (cell !== now().board.blank) word("Only tiles in line with the blank can slide.");
}

/** One move of the blank. */
function move(letter) {
	if (!editing && slide(now().board, letter)) make(letter);
}

function again() {
	const { width, height } = now().board;
	deal(width, height);
}

async function another() {
	const [width, height, distance] = ["width", "height", "distance"].map((id) => find(`#new-${id}`));
	const size = () => [Number(width.value), Number(height.value)];
	let made = null;
	const answer = await ask(find("#new-dialog"), async () => {
		const [w, h] = size();
		if (distance.value) made = parse((await post("generate", { kind: "board", width: w, height: h, distance: Number(distance.value) })).puzzle);
	});
	if (!answer) return;
	if (!made) return deal(...size());
	begin(made, `A board that needs exactly ${plural(Number(distance.value), "move")}.`);
	startClock();
}

export async function paste(text = "") {
	const field = find("#paste-text");
	field.value = text || format(now().board).replaceAll("/", "\n");
	let read = null;
	await ask(find("#paste-dialog"), () => {
		read = parse(field.value);
	});
	if (read) begin(read);
}

function edit() {
	table.leave();
	editing = editing ? null : { taken: -1 };
	word(editing ? "Choose two tiles to swap. Press Edit again to play." : "");
	if (!editing) arrive();
	refresh();
}

function swap(cell) {
	const { taken } = editing;
	editing.taken = taken < 0 ? cell : -1;
	if (taken < 0 || taken === cell) return refresh();
	edited(swapped(now().board, cell, taken));
}

function edited(b) {
	begin(b, editing ? "This board can be solved." : "");
}

// 3. Without the service: a worker searches.

let worker = null;
const waiting = [];
function locally(b) {
	if (!worker) {
		worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
		worker.onmessage = ({ data }) => waiting.shift().resolve(data); // it answers in order
		worker.onerror = () => {
			worker = null; // its script may come another time
			for (const { reject } of waiting.splice(0)) reject(new Error("The service cannot be reached."));
		};
	}
	worker.postMessage({ board: b, budget_ms: 900 });
	return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
}

// 4. Counters, the optimum, and the plot of the path.

let pondering = 0;
/** Asks for the optimum when the player pauses. */
function watchOptimum() {
	const state = now();
	clearTimeout(pondering);
	showOptimum();
	const found = known(state);
	if (found?.proven || unsolvable(state.board)) return;
	if (found) askLater(state);
	else pondering = setTimeout(() => ponder(state), playback.playing ? 400 : 60);
}

async function ponder(state, again = false) {
	try {
		await advise(state, again);
	} catch (error) {
		if (error.name === "AbortError" || now() !== state) return;
		if (!known(state)) at("optimal").textContent = "?";
		return askLater(state);
	}
	if (now() !== state) return;
	showOptimum();
	remark();
	showPath();
	store();
	askLater(state);
}

/** Asks again about bounds while the board stays: by then tables may be built, the solver loaded, or the service back. */
function askLater(state) {
	const times = repeated.get(state.game) ?? 0;
	if (known(state)?.proven || times === MOST_REPEATS) return;
	pondering = setTimeout(() => {
		repeated.set(state.game, times + 1);
		ponder(state, true);
	}, REPEAT_MS * 2 ** times);
}

function showOptimum() {
	const hopeless = unsolvable(now().board);
	optimum.show({ found: hopeless ? null : known(now()), start: known(rules.first(now().game)), unit: (n) => things(n, "move"), without: hopeless ? "none" : "…" });
}

let unremarked = null; // the last move, until the optimum after it is known
/** Marks the last move: = if it followed an optimal plan, otherwise what it cost. */
function remark(last = unremarked) {
	const after = known(now());
	unremarked = last?.before?.proven && !after ? last : null;
	if (!last?.before?.proven || !after?.proven) return optimum.unmark(after && !after.proven ? "not proven" : "");
	const lost = after.upper + last.moves - last.before.upper;
	optimum.mark(lost);
	if (lost > 0) sound("detour");
	flash(grid.buttons[last.cell].parentElement, lost);
}

function showPath() {
	const { game, path, board: b } = now();
	// The known points of the path: `[moves made, optimal moves left]`. Very long paths are not plotted.
	const walked = rules.walk(rules.first(game), path.length > 1000 ? "" : path);
	const found = walked.map(known);
	const points = found.flatMap((each, i) => (each?.proven ? [[i, each.upper]] : []));
	const open = found.some((each) => each && !each.proven);
	const band = open ? found.flatMap((each, i) => (each?.upper == null ? [] : [[i, each.lower, each.upper]])) : [];
	const start = found[0];
	const here = found.at(-1);
	const series = [{ points, class: "yours" }];
	if (start?.proven && start.upper > 0) series.unshift({ points: [[0, start.upper], [start.upper, 0]], class: "ideal" });
	const detours = points.filter(([i, left], k) => k > 0 && left > points[k - 1][1] && i === points[k - 1][0] + 1);
	const marks = detours.map((point) => [...point, "detour"]);
	if (points.length) marks.push([...points.at(-1), "here"]);
	const range = (each) => (each ? (each.proven ? each.upper : `${each.lower} to ${each.upper ?? "unknown"}`) : "unknown");
	const label = `Optimal moves left over moves made: from the start ${range(start)}, now ${range(here)} after ${path.length}`;
	plot(at("plot"), { series, band, marks, label, least: { x: 10, y: 10 } });
	let words = "= keeps to an optimal plan, +2 is a detour.";
	if (band.length) words = "Not proven: the optimum lies in the band, between the lower bound and the best known plan.";
	else if (open) words = `At least ${plural(here?.lower ?? start.lower, "move")} needed; no plan is known yet.`;
	else if (path && start?.proven) {
		const over = path.length - start.upper;
		if (!isGoal(b)) words = `${plural(path.length, "move")}, ${detours.length ? `${plural(detours.length, "detour")} (○, +2${detours.length > 1 ? " each" : ""})` : "no detours"}. Dashed: optimal.`;
		else words = over === 0 ? "Not one move too many." : `${plural(path.length, "move")} instead of ${start.upper}: ${over} too many. ○ marks the detours.`;
	}
	at("verdict").textContent = words;
}

/** What is known along the path, for the next visit: `[index, advice]`, without what follows from the entry before. */
function advice() {
	const { game, path } = now();
	let last = null;
	return rules.walk(rules.first(game), path.length > 1000 ? "" : path).flatMap((state, i) => {
		const found = rules.isSolved(state) ? null : known(state);
		const follows = last?.plan && found?.plan === last.plan.slice(1) && found.proven === last.proven;
		last = found;
		return found && !follows ? [[i, found]] : [];
	});
}

/** After a win, finds the optimum of each board on the path. */
async function review() {
	const state = now();
	if (state.path.length > 400) return;
	for (const each of rules.walk(rules.first(state.game), state.path)) {
		if (!known(each)) await look(each).catch(() => null);
		if (now() !== state) return;
		showPath();
	}
	store();
}

/** Updates everything on the page; tiles glide for `pace` milliseconds. */
function refresh({ pace = 0 } = {}) {
	const { board: b, path, game } = now();
	if (ticking && (ticking !== game || playback.open)) halt(ticking);
	ticking = game;
	const letter = table.rung() > 0 ? known(now())?.plan?.[0] : null;
	const hinted = letter ? { letter, tile: table.rung() > 1 ? b.cells[beside(b, b.blank, letter)] : null } : null;
	grid.show(b, { pace, hint: hinted, taken: editing?.taken, editing, won: isGoal(b) && path !== "" && !editing });
	at("moves").textContent = count(path.length);
	controls();
	at("edit").ariaPressed = Boolean(editing);
	const name = `${b.width}x${b.height}`;
	const plain = find(`[data-size="${name}"]`) ?? find('[data-size="other"]');
	for (const button of document.querySelectorAll("[data-size]")) button.ariaPressed = button === plain;
	at("stats-size").textContent = `${b.width}×${b.height}${game.assisted ? ", this game with help" : ""}`;
	stats.show(at("stats"), name);
	if (!pace || !path) optimum.unmark();
	watchOptimum();
	showPath();
	showTime();
	store();
}

let storing = 0;
/** Keeps the game for the next visit, once the tile has slid. */
function store() {
	clearTimeout(storing);
	storing = setTimeout(storeNow, 250);
}
addEventListener("pagehide", storeNow);
function storeNow() {
	clearTimeout(storing);
	const history = table.save((game) => ({ ...game, start: format(game.start), ms: elapsed(game) }));
	keep("game", { history, known: advice() });
}

function showTime() {
	at("time").textContent = clock(elapsed(now().game));
}

// 5. The interface for app.js.

let tick = null;
export function open(parameters) {
	tick ??= setInterval(() => now().game.since !== null && showTime(), 100);
	const text = parameters.get("board");
	if (text || parameters.get("daily")) editing = null;
	if (hasCome(parameters.get("daily"))) return openDaily(parameters.get("daily"));
	if (!text) {
		greet();
		return refresh();
	}
	try {
		const start = parse(text.replaceAll(".", "/").replaceAll("-", " "));
		const moves = (parameters.get("moves") ?? "").toUpperCase().replace(/[^LURD]/g, "");
		if (!slides(start, moves)) throw new Error("The moves in this link leave the board.");
		begin(start, "A board from a link.");
		if (moves) fromLink(moves, parameters);
	} catch (error) {
		refresh(); // the game so far
		refuse(error.message);
	}
}

/** Opens the board of a day. A game that has begun goes on. */
function openDaily(day) {
	if (now().game.daily !== day) begin(boardOf(day), `The daily puzzle of ${day}.`, false, day);
	else if (now().game.over) restart();
	else refresh();
}

function greet() {
	const tile = (x, y) => (x + y === 6 ? null : [`tile l${SCHEMES.fringe(4 * y + x, { width: 4 })}`, 4 * y + x + 1]);
	welcome("tiles", at("message"), "Slide the tiles into this order. After every move, noyes proves how many are left at best.", sketch("The goal", 4, 4, tile));
}

for (const button of document.querySelectorAll("[data-size]")) {
	button.onclick = () => (button.dataset.size === "other" ? another() : deal(...button.dataset.size.split("x").map(Number)));
}
wire("t", {
	shuffle: again, paste, restart,
	teach() {
		location.hash = `teach?board=${format(now().board).replaceAll(" ", "-").replaceAll("/", ".")}`;
	},
	"stats-clear"() {
		stats.clear(`${now().board.width}x${now().board.height}`);
		refresh();
	},
});

for (const choice of document.querySelectorAll('[name="face"]')) choice.onchange = () => face(choice.value);
function face(value) {
	grid.face = value === "picture" ? value : "numbers";
	find(`[name="face"][value="${grid.face}"]`).checked = true;
	keep("face", grid.face);
	if (table.ready()) refresh();
}
at("picture").onchange = async ({ target }) => {
	try {
		await picture.take(target.files[0]);
	} catch {
		return refuse("The browser cannot read this file as a picture.");
	}
	target.value = ""; // so that the same file can be chosen again
	repaint();
	face("picture");
};
at("picture-drop").onclick = () => {
	picture.drop();
	repaint();
};
/** Draws the tiles again with another picture. */
function repaint() {
	grid.painted++;
	at("picture-drop").hidden = !picture.isOwn();
	if (table.ready()) refresh();
}
picture.load().then((found) => found && repaint());
grid.hover = at("hover").checked = recall("hover", false);
at("hover").onchange = ({ target }) => {
	grid.hover = target.checked;
	keep("hover", target.checked);
};
at("clock").checked = recall("clock", false);
at("clock").onchange = ({ target }) => keep("clock", target.checked);
face(recall("face", "numbers"));
for (const choice of document.querySelectorAll('[name="scheme"]')) choice.onchange = () => paint(choice.value);
/** Colours the tiles by layer, by row, or all the same. */
function paint(value) {
	grid.scheme = value in SCHEMES ? value : "fringe";
	find(`[name="scheme"][value="${grid.scheme}"]`).checked = true;
	keep("scheme", grid.scheme);
	if (table.ready()) refresh();
}
paint(recall("scheme", "fringe"));

// The game of the last visit, if it is valid.
try {
	const { history, known: before } = recall("game", {});
	table.restore(history, ({ start, ...kept }) => {
		const game = { ...fresh(parse(start)), ...kept, since: null };
		if (!Number.isFinite(game.ms)) throw new Error("nonsense");
		return game;
	});
	const walked = rules.walk(rules.first(now().game), now().path);
	for (const [i, found] of before) learn(walked[i], found);
} catch {
	if (!table.ready()) push(rules.first(fresh(shuffle(4, 4), true)));
}
