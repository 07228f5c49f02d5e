// Playing Sokoban: walking and pushing by key and click, for one player or several, with warnings, hints and plans.

import { post } from "../api.js";
import { hasCome, levelOf } from "../daily/day.js";
import * as results from "../daily/results.js";
import { ask, clock, count, find, keep, make, plural, recall, say, things, wire } from "../dom.js";
import { flash, hero } from "../hero.js";
import { playing } from "../play.js";
import { sound } from "../sound.js";
import { elapsed, halt, run } from "../stopwatch.js";
import { picture, welcome } from "../welcome.js";
import { deadSquares } from "./dead.js";
import * as editor from "./editor.js";
import { folders } from "./folders.js";
import { build, follow, format, fromPlan, isSolved, pack, parse, problem, pushesOf, read, unpack } from "./level.js";
import { adopt, bests, collection, discard, keyOf, MINE, SHIPPED } from "./levels.js";
import { following } from "./optimum.js";
import { routes, walks } from "./path.js";
import * as previews from "./previews.js";
import { checked, grouped, isBetter, written } from "./shelf.js";
import { turned } from "./turn.js";
import * as verdict from "./verdict.js";
import { Yard } from "./yard.js";
import { Zoom } from "./zoom.js";

const yard = new Yard(find("#s-board"), press, go);
const zoom = new Zoom(find("#s-board"));
const figures = hero("s");
let levels = [];
let active = 0; // the player that keys and clicks control
let orders = []; // letters of a crew that moves together, until every player has one
let held = null; // { box, routes } selected by a click
let editing = false;
let parked = null; // the game before editing
let dead = new Set(); // cells of dead boxes
let ticking = null; // the game whose clock may run

// A state is `{ game, state, path }`, a game `{ level, start, par, daily, assisted, over, ms, since }`; `daily` is the day of a
// daily puzzle or "", and only these have a clock. `over` lasts until a restart.
const rules = {
	view: "sokoban",
	rungs: ["Hint", "Which way?", "Push it"],
	cells: yard,
	isEditing: () => editing,
	isSolved: ({ game, state }) => isSolved(game.level, state),
	trouble: ({ game, state }) => problem(game.level, state),
	name: (at) => `${objective()} ${xsb(at)}`,
	question: (at) => ({ puzzle: xsb(at), objective: objective() }),
	cost: ({ path }) => (objective() === "pushes" ? pushesOf(path) : path.length / crew()),
	unit: () => things(2, rules.one()),
	left: (n) => plural(n, rules.one()),
	one: () => (objective() === "pushes" ? "push" : turn()),
	best: "fewest",
	first: (game) => ({ game, state: game.start, path: "" }),
	path: ({ state }, plan) => fromPlan(plan, state.players.length),
	walk({ game, state, path: before }, path) {
		const { states, path: written } = follow(game.level, state, path);
		return states.map((each, i) => ({ game, state: each, path: before + written.slice(0, i * state.players.length) }));
	},
	hint({ plan }, rung) {
		if (rung === 1) return "the outlined box comes next";
		return `push the outlined box ${{ L: "left", U: "up", R: "right", D: "down" }[nextPush(plan).letter]}`;
	},
	step({ plan }) {
		move(plan.slice(0, crew() > 1 ? crew() : nextPush(plan).length), 90);
		return "Done";
	},
	praise({ plan, proven, lower }) {
		const claim = proven ? `No plan has fewer ${rules.unit()}.` : `At least ${lower} ${rules.unit()} are needed.`;
		return `${plural(plan.length / crew(), turn())}, ${plural(pushesOf(plan), "push")}. ${claim}`;
	},
	offers: () => (table.past() ? [["Undo", undo]] : []),
	shared({ game, path }) {
		const walk = (_, player) => [...path].filter((_, i) => i % crew() === player).join("");
		return { level: pack(startOf(game)), moves: game.start.players.map(walk).join("/") };
	},
	leave() {
		held = null;
		orders = [];
	},
	go,
	keys,
	again: restart,
	edit,
	arrive: () => (editing ? judge() : refresh()),
	refresh,
};
const table = playing("s", rules);
const { advise, at, controls, fromLink, known, now, playback, push, refuse, word } = table;
export const { close, key, redo, undo } = table;

const xsb = ({ game, state } = now()) => format(game.level, state);
const startOf = ({ level, start }) => format(level, start);
const crew = () => now().state.players.length;
const objective = () => (crew() > 1 ? "moves" : find('[name="objective"]:checked').value);
const turn = () => (crew() > 1 ? "step" : "move");

/** The next push of a path from here: its box, its letter, and the length of the path up to it. */
function nextPush(path) {
	const { game, state } = now();
	const { states } = follow(game.level, state, path);
	for (let i = 1; i < states.length; i++) {
		const box = state.boxes.findIndex((cell, b) => states[i].boxes[b] !== cell);
		if (box < 0) continue;
		const letter = [...path.slice((i - 1) * crew(), i * crew())].find((each) => "LURD".includes(each)) ?? "";
		return { box, letter, length: i * crew() };
	}
	return { box: -1, letter: "", length: path.length };
}

// 1. Changing the state.

function begin({ level, state }, { moves, pushes, daily = "" } = {}, words = "") {
	push({ game: { level, start: state, par: { moves, pushes }, daily, assisted: false, over: false, ms: 0, since: null }, state, path: "" });
	active = 0;
	const wrong = problem(level, state);
	word(wrong || words, wrong ? "bad" : "");
	refresh();
}

/** Makes the steps of a path as one undoable move. */
function move(path, pace = 70) {
	const walked = rules.walk(now(), path).slice(1);
	if (!walked.length) return false;
	const before = now();
	push(walked.at(-1));
	if (before.game.daily && !before.game.over) run(before.game);
	unremarked = { before, after: now() };
	if (rules.isSolved(now())) sound("win");
	else if (pushesOf(now().path) > pushesOf(before.path)) sound(home() > home(before) ? "home" : "push");
	word("");
	if (rules.isSolved(now())) win();
	refresh({ states: walked.map(({ state }) => state), pace });
	return true;
}

/** Moves the active player, or the crew once every player has a letter. */
function go(letter) {
	if (editing || rules.trouble(now())) return;
	if (crew() > 1 && at("together").checked) return order(letter);
	if (letter === ".") return;
	const before = pushesOf(now().path);
	if (!move(joint(letter))) say("blocked");
	else if (pushesOf(now().path) > before && !rules.isSolved(now())) say(`pushed, ${home()} on goals`);
}
const home = ({ game, state } = now()) => state.boxes.filter((cell) => game.level.goals[cell]).length;

function order(letter) {
	orders[active] = letter;
	const next = now().state.players.findIndex((_, i) => !orders[i]);
	active = Math.max(0, next);
	if (next >= 0) word(`Player ${next + 1}?`);
	else if (!move(orders.join(""))) {
		orders = [];
		word("They would be in each other's way.", "bad");
	}
	refresh({ quiet: true });
}

function win() {
	const { game, path } = now();
	const [moves, pushes] = [path.length / crew(), pushesOf(path)];
	if (game.daily) halt(game);
	game.over = true;
	let words = `Solved with ${plural(moves, "move")} and ${plural(pushes, "push")}${game.daily ? ` in ${clock(game.ms)}` : ""}`;
	const found = optimum.value(rules.first(game));
	const par = found?.proven ? { ...game.par, [objective()]: found.upper } : game.par;
	if (pushes === par.pushes) words += ": no plan has fewer pushes";
	else if (moves === par.moves) words += ": no plan has fewer moves";
	if (game.assisted) words += ", with help, so it does not count as your best";
	else {
		const best = bests();
		const old = best[startOf(game)] ?? { moves, pushes };
		const plan = crew() > 1 || !isBetter(path, old) ? old.plan : path;
		best[startOf(game)] = { moves: Math.min(moves, old.moves), pushes: Math.min(pushes, old.pushes), plan };
		keep("best", best);
		list();
	}
	if (game.daily) results.record("sokoban", game.daily, { cost: pushes, par: game.par.pushes, ms: Math.round(game.ms), help: game.assisted });
	const more = levels.length > 1 ? [["Next level", () => another(1)]] : [];
	word(`${words}.`, "won", game.daily ? results.offers("sokoban", game.daily, word) : [...more, ["Replay", () => table.replay()]]);
}

/** The same game from its start. If help was used, that still counts. */
function restart() {
	const { game } = now();
	if (game.over) Object.assign(game, { over: false, ms: 0 });
	push(rules.first(game));
	word("Back to the start.");
	refresh();
}

// 2. Pointer actions.

function press(cell, kind) {
	if (editing) return kind === "up" ? undefined : draw(cell);
	const { game: { level }, state } = now();
	if (kind === "over" || rules.trouble(now())) return;
	if (held?.routes.has(cell)) return move(joint(held.routes.get(cell)));
	// A dragged box goes where the pointer comes up.
	if (kind === "up") return;
	const box = state.boxes.indexOf(cell);
	const player = state.players.indexOf(cell);
	if (player >= 0) return choose(player);
	if (box >= 0) {
		const ways = routes(level, state, active, box);
		held = held?.box === box ? null : { box, routes: ways };
		word(!held ? "" : ways.size ? "Choose where this box should go." : "This box cannot be pushed from here.");
		return refresh({ quiet: true });
	}
	const way = walks(level, state, active).get(cell);
	if (way) return move(joint(way), 55);
	held = null;
	word("You cannot get there without pushing.");
	refresh({ quiet: true });
}

/** A path of the active player while the others wait. */
const joint = (way) => [...way].map((letter) => ".".repeat(active) + letter + ".".repeat(crew() - active - 1)).join("");

function choose(player) {
	if (player >= crew()) return;
	active = player;
	held = null;
	refresh({ quiet: true });
}

// 3. Warnings.

let worry = 0;
/** Outlines dead boxes and says why they are dead, once the player pauses. */
function warn() {
	const { game, state } = now();
	clearTimeout(worry);
	dead = new Set();
	if (!at("warn").checked || editing || rules.trouble(now()) || rules.isSolved(now())) return;
	worry = setTimeout(async () => {
		// No warnings without the service.
		const found = await post("explain", { puzzle: xsb({ game, state }) }).catch(() => ({ dead: [] }));
		if (now().state !== state || editing) return;
		dead = new Set(found.dead.flatMap(({ boxes }) => boxes.map(([row, column]) => (row - 1) * game.level.width + column - 1)));
		const words = found.dead.map((each) => each.words).join("; ") || (found.unsolvable ? (found.reason ?? "there is no plan from here") : "");
		if (words) refuse(`Stuck: ${words}${/[.!]$/.test(words) ? "" : "."}`);
		if (dead.size) refresh({ quiet: true });
	}, 120);
}

// 4. Editing.

function edit() {
	table.leave();
	verdict.drop();
	editing = !editing;
	if (editing) {
		parked = now();
		at("title").value = "";
		editor.palette(at("palette"));
		word("Draw with the brush, or focus a cell and type its symbol. Press Edit again to play.");
	} else if (now() === parked) word("");
	else {
		const wrong = rules.trouble(now());
		const title = at("title").value.trim();
		if (!wrong) adopt([{ title, xsb: xsb() }], "Drawn");
		load_levels();
		return begin(parse(xsb(), title), {}, wrong || "Ready to play.");
	}
	refresh();
}

/** Opens the editor with an empty room. */
function draw_new() {
	if (!editing) edit();
	drawn(editor.blank());
}

function draw(cell) {
	const changed = editor.paint(now().game.level, now().state, cell);
	if (changed) drawn(changed);
}

function drawn({ level, state }) {
	push(rules.first({ level, start: state, par: {}, assisted: false }));
	judge();
}

/** Says what is wrong with the drawing, or whether it can be solved. */
function judge() {
	const { state } = now();
	verdict.drop();
	const wrong = rules.trouble(now());
	word(wrong || "This level can be played. Is it solvable?…");
	refresh({ quiet: true });
	if (!wrong) verdict.judge(rules.question(now()), (words, tone) => editing && now().state === state && word(words, tone));
}

function resize() {
	const [width, height] = [at("width"), at("height")];
	if (![width, height].every((field) => field.reportValidity() && field.value)) return;
	drawn(editor.resize(now().game.level, now().state, Number(width.value), Number(height.value)));
}

// 5. Levels.

async function load_levels() {
	levels = await collection();
	list();
}

function list() {
	const best = bests();
	at("level").replaceChildren(...grouped(levels, ({ title, key: name, own }, i) => `${best[name] ? "✓ " : ""}${i + 1}. ${title}${own ? " (own)" : ""}`));
	find("#own-folders").replaceChildren(...[...new Set(levels.filter(({ own }) => own).map(({ folder }) => folder))].map((folder) => make("option", { value: folder })));
	if (table.ready()) show_choice();
}

/** The index of the current level, or -1. */
const chosen = () => levels.findIndex((level) => level.key === startOf(now().game));

function show_choice() {
	const choice = chosen();
	find('#s-level [value="-1"]')?.remove();
	if (choice < 0) at("level").prepend(make("option", { value: -1 }, now().game.level.title || "Drawn here"));
	at("level").value = choice;
	at("delete").hidden = !levels[choice]?.own;
	folder.show(levels[choice]);
}

function take(i) {
	editing = false;
	const { title, xsb: rows, solution } = levels[i];
	begin(parse(rows, title), levels[i], title);
	const path = checked(rows, solution);
	const play = () => {
		table.load({ plan: path, proven: false, lower: 0 });
		word("The solution that came with the level.");
	};
	if (path) word(`${title}. It came with a solution: ${plural(path.length, "move")}, ${plural(pushesOf(path), "push")}.`, "", [["Play it back", play]]);
}

/** This level as text, with title and solution. */
const text_of = () => written(levels[chosen()] ?? { title: editing ? at("title").value.trim() : now().game.level.title, xsb: startOf(now().game), key: startOf(now().game) });

async function copy() {
	try {
		await navigator.clipboard.writeText(text_of());
		word("Copied as XSB.");
	} catch {
		own(text_of()); // the dialog has the text to copy by hand
	}
}

/** This level turned or mirrored, from its start. Its optima stay the same. */
function rotate(by, words) {
	const { level, par, assisted } = now().game;
	begin(parse(turned(startOf(now().game), by), level.title), par, words);
	now().game.assisted = assisted;
}

/** Opens the level after or before this one, or the first one. */
const another = (by) => take(chosen() < 0 ? 0 : (chosen() + by + levels.length) % levels.length);

async function remove() {
	const level = levels[chosen()];
	const back = () => {
		adopt([level], "");
		load_levels();
		word("");
	};
	discard(level.xsb);
	await load_levels();
	word(`Deleted ${level.title}.`, "", [["Restore", back]]);
}

const folder = folders({ levels: () => levels, current: () => levels[chosen()], changed: load_levels, word });

async function own(text = "") {
	const [field, file] = [find("#own-text"), find("#own-file")];
	let name = "My level";
	const into = find("#own-folder");
	into.value = MINE;
	into.onkeydown = (event) => {
		if (event.key !== "Enter") return;
		event.preventDefault(); // the first button of the form would generate a level
		into.form.requestSubmit(find('#own-dialog [value="ok"]'));
	};
	field.value = text || xsb();
	file.onchange = async () => {
		const [picked] = file.files;
		if (!picked) return;
		field.value = await picked.text();
		name = picked.name.replace(/\.\w+$/, "");
		into.value = field.value.match(/^\s*;?\s*Collection\s*:\s*(.+)$/im)?.[1].trim().slice(0, 60) || name;
		file.value = "";
	};
	let found = [];
	let isDrawn = false;
	const numbers = [...document.querySelectorAll("#own-dialog [type=number]")];
	await ask(find("#own-dialog"), async (value) => {
		if (value === "draw") {
			isDrawn = true;
			return;
		}
		if (value === "make") {
			const wrong = numbers.find((each) => !each.value || !each.validity.valid);
			if (wrong) throw new Error(`${wrong.parentElement.textContent.trim()}: expected ${wrong.min} to ${wrong.max}.`);
			const { least, ...wish } = Object.fromEntries(numbers.map((each) => [each.id.replace("make-", ""), Number(each.value)]));
			const crew = wish.players > 1;
			const { puzzle, cost } = await post("generate", { kind: "level", ...wish, [crew ? "min_steps" : "min_pushes"]: least });
			name = `Random ${wish.width}×${wish.height}, ${plural(wish.boxes, "box")}, ${plural(wish.players, "player")}, no.`;
			found = [{ title: "", xsb: read(puzzle)[0].xsb, [crew ? "moves" : "pushes"]: cost }];
			return;
		}
		found = read(field.value);
		if (!found.length) throw new Error("No level found (expected at least three rows with walls, #).");
		found.forEach(({ xsb: rows, title }, i) => {
			const { level, state } = parse(rows);
			const wrong = problem(level, state);
			if (wrong) throw new Error(found.length > 1 ? `${title || `Level ${i + 1}`}: ${wrong}` : wrong);
		});
	});
	if (isDrawn) return draw_new();
	if (!found.length) return;
	const where = into.value.trim() || MINE;
	const { added, full } = adopt(found.map((level) => ({ ...level, folder: where === SHIPPED ? MINE : where })), name);
	await load_levels();
	const first = levels.findIndex((level) => level.key === keyOf(found[0].xsb));
	if (first < 0) begin(parse(found[0].xsb, found[0].title || name), found[0]); // played, though not stored
	else take(first);
	if (full) word("The browser has no room for all of these levels. Delete some that you no longer need.", "bad");
	else if (!added) word(found.length > 1 ? `All ${found.length} levels are in the list already.` : "This level is in the list already.");
}

// 6. Counters and the optimum.

const showTime = () => {
	at("time").textContent = clock(elapsed(now().game));
};

const optimum = following({ advise, known, objective: () => objective(), changed: () => showOptimum() });
let unremarked = null; // the last move, until the optimum after it is known

function showOptimum() {
	const here = now();
	const isPlayable = !editing && !rules.trouble(here);
	const found = isPlayable ? optimum.value(here) : null;
	const unit = (n) => things(n, rules.one());
	figures.show({ found: found?.none ? null : found, start: isPlayable ? optimum.value(rules.first(here.game)) : null, unit, without: found?.none ? "none" : isPlayable && !optimum.isTooHard(here) ? "…" : "–" });
	if (unremarked?.after !== here) return figures.unmark();
	const before = optimum.value(unremarked.before);
	if (!found || found.none || !found.proven || !before?.proven) return figures.unmark(found && !found.proven ? "not proven" : "");
	const isWalk = objective() === "pushes" && rules.cost(here) === rules.cost(unremarked.before);
	if (isWalk) return figures.unmark();
	const lost = found.upper + rules.cost(here) - rules.cost(unremarked.before) - before.upper;
	figures.mark(lost);
	if (lost > 0 && !unremarked.flashed) sound("detour");
	const box = here.state.boxes.findIndex((cell, i) => cell !== unremarked.before.state.boxes[i]);
	const cell = box >= 0 ? here.state.boxes[box] : objective() === "moves" ? here.state.players[active] : -1;
	if (cell >= 0 && !unremarked.flashed) flash(yard.buttons[cell].parentElement, lost);
	unremarked.flashed = true;
}

function refresh({ states = [now().state], pace = 110, quiet = false } = {}) {
	const { game, state, path } = now();
	const { level, par } = game;
	active = Math.min(active, Math.max(0, crew() - 1));
	if (!quiet) warn();
	if (ticking && (ticking !== game || playback.open)) halt(ticking);
	ticking = game.daily ? game : null;
	at("clock").hidden = !game.daily;
	if (game.daily) showTime();
	const found = table.rung() > 0 ? known(now()) : null;
	const coming = found ? nextPush(found.plan) : null;
	if (yard.area !== level) requestAnimationFrame(() => zoom.reset());
	yard.show(level, states, {
		dead, active, editing, orders,
		shaded: at("dead").checked && !editing ? squares(level) : null,
		won: path !== "" && !editing && isSolved(level, state),
		held: held?.box,
		reach: held ? new Set(held.routes.keys()) : null,
		hint: coming && { box: coming.box, letter: table.rung() > 1 ? coming.letter : "" },
	}, pace);
	zoom.follow();
	optimum.watch(now, !editing && !playback.playing && !rules.trouble(now()) && !rules.isSolved(now()));
	showOptimum();
	controls();
	const [moves, pushes] = [crew() ? path.length / crew() : 0, pushesOf(path)];
	const best = bests()[startOf(game)];
	for (const [name, made] of [["moves", moves], ["pushes", pushes]]) {
		at(name).textContent = count(made);
		at(`par-${name}`).textContent = par[name] == null ? "" : `of ${par[name]}`;
	}
	const goals = level.goals.filter(Boolean).length;
	at("home").textContent = `${home()} / ${goals}${goals && isSolved(level, state) ? " ✓" : ""}`;
	const row = (name, m, p) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, count(m)), make("td", {}, count(p)));
	at("score").replaceChildren(row(game.assisted ? "This time, with help" : "This time", moves, pushes), row("Your best", best?.moves, best?.pushes), row("Par (each separately)", par.moves, par.pushes));
	at("edit").ariaPressed = editing;
	at("drawing").hidden = !editing;
	at("width").value = level.width;
	at("height").value = level.height;
	at("crew").hidden = crew() < 2;
	find('[name="objective"]').closest("fieldset").hidden = crew() > 1; // crews count steps
	if (at("players").children.length !== crew()) at("players").replaceChildren(...state.players.map((_, i) => make("button", { type: "button", textContent: `Player ${i + 1}`, onclick: () => choose(i) })));
	[...at("players").children].forEach((button, i) => {
		button.ariaPressed = i === active;
	});
	show_choice();
	if (!editing) keep("walk", table.save((each) => ({ start: startOf(each), title: each.level.title, par: each.par, daily: each.daily, assisted: each.assisted, over: each.over, ms: each.daily ? elapsed(each) : 0 })));
}

let shaded = { level: null, squares: null };
/** The dead squares of a level, computed once. */
function squares(level) {
	if (shaded.level !== level) shaded = { level, squares: deadSquares(level) };
	return shaded.squares;
}

/** Opens the game of the last visit if it is valid, or the first level. */
function resume() {
	try {
		table.restore(recall("walk", {}), ({ start, title, par, daily, assisted, over, ms }) => {
			const { level, state } = build(start.split("\n"), String(title ?? ""));
			return { level, start: state, par: par ?? {}, daily: hasCome(daily) ? daily : "", assisted: Boolean(assisted), over: Boolean(over), ms: Number.isFinite(ms) ? ms : 0, since: null };
		});
		if (rules.trouble(now())) throw new Error("nonsense");
	} catch {
		take(0);
	}
}

// 7. The interface for app.js.

let tick = null;
export async function open(parameters) {
	tick ??= setInterval(() => ticking?.since != null && showTime(), 100);
	if (!levels.length) await load_levels();
	show(parameters);
	find("#sokoban").inert = false; // now there is something to act on
}

function show(parameters) {
	const text = parameters.get("level");
	if (!text) {
		if (!table.ready()) resume();
		if (hasCome(parameters.get("daily"))) return showDaily(parameters.get("daily"));
		const rows = ["#####", "#@*.#", "#####"];
		const cell = (x, y) => ({ "#": ["wall"], "@": ["man"], "*": ["home"], ".": ["spot"] })[rows[y][x]];
		welcome("sokoban", at("message"), "Push the boxes onto the goals. noyes proves how many pushes are left at best, and says when a box is stuck.", picture("A box on a goal, and another goal", 5, 3, cell));
		return refresh();
	}
	editing = false;
	const { level, state } = parse(unpack(text), "From a link");
	const wrong = problem(level, state);
	if (wrong) {
		if (!table.ready()) resume();
		refresh();
		return refuse(`The level of this link cannot be played. ${wrong}`);
	}
	begin({ level, state }, levels.find((each) => each.key === format(level, state)), "A level from a link.");
	const { path } = follow(level, state, fromPlan(parameters.get("moves") ?? "", crew()));
	if (path) fromLink(path, parameters);
}

/** Opens the level of a day. A game that has begun goes on. */
function showDaily(day) {
	const level = levelOf(day, levels);
	editing = false;
	if (!level) refuse("The daily level needs the service.");
	else if (now().game.daily !== day) begin(parse(level.xsb, `Daily ${day}`), { ...level, daily: day }, `The daily level of ${day}. Par: ${level.pushes} pushes.`);
	else if (rules.isSolved(now())) return restart();
	refresh();
}

function keys(event) {
	if (editing && event.target.closest(".ground") && editor.typed(event.key)) draw(yard.focused);
	else if (/^[1-9]$/.test(event.key)) choose(Number(event.key) - 1);
	else if (event.key === ".") go(".");
	else if (event.key === "Escape" && held) {
		held = null;
		refresh({ quiet: true });
	} else return false;
	return true;
}

export { own as paste };

at("level").onchange = ({ target }) => target.value >= 0 && take(Number(target.value));
at("warn").onchange = () => refresh();
at("dead").checked = recall("dead", false);
at("dead").onchange = ({ target }) => {
	keep("dead", target.checked);
	refresh({ quiet: true });
};
for (const choice of document.querySelectorAll('[name="objective"]')) choice.onchange = () => table.ready() && refresh({ quiet: true });
at("together").onchange = () => {
	orders = [];
	choose(0);
};
at("width").onchange = at("height").onchange = resize;
wire("s", {
	restart, own, delete: remove, copy, blank: draw_new,
	turn: () => rotate(1, "Turned to the right."),
	mirror: () => rotate(4, "Mirrored."),
	pull() {
		location.hash = `pull?level=${pack(startOf(now().game))}`;
	},
	previous: () => another(-1),
	next: () => another(1),
	async all() {
		const choice = await previews.choose(levels, chosen());
		if (choice >= 0) take(choice);
	},
});
