// The race: one board, several engines at once, with plots of their bounds and their work.

import { solve } from "../api.js";
import { count, draw, find, make, say, things } from "../dom.js";
import { plot } from "../plot.js";
import { parse } from "../tiles/board.js";
import { figure } from "./figure.js";
import { CREW, EXAMPLES, LEVEL, TILES } from "./lanes.js";

const at = (id) => find(`#r-${id}`);
let lanes = []; // { name, ask, colour, dash, lower, upper, work, progress, record, problem, job, parts }
let started = null; // { puzzle, limit_s, at }
let drawing = false;
let chosen = null; // the list of engines that is shown

const isLevel = (text) => text.includes("#");
const word = (text) => {
	at("message").textContent = text;
};

/** Puts a puzzle into the field, one row on each line. */
function write(puzzle) {
	at("board").value = isLevel(puzzle) ? puzzle : puzzle.replaceAll("/", "\n");
	choices();
}

function choices() {
	const text = at("board").value;
	const list = !isLevel(text) ? TILES : text.match(/[@+]/g)?.length > 1 ? CREW : LEVEL;
	if (list === chosen) return;
	chosen = list;
	at("choice").replaceChildren(...list.map(({ name, on }, i) => make("label", {}, make("input", { type: "checkbox", checked: on, value: i }), name)));
}

function start(event) {
	event.preventDefault();
	stop();
	const text = at("board").value.replace(/^\n+|\s+$/g, "");
	if (!text) return word("Enter or choose a board first.");
	const picked = [...at("choice").querySelectorAll(":checked")].map((box) => chosen[box.value]);
	if (!picked.length) return word("Choose at least one engine.");
	const limit_s = Number(at("limit").value);
	const puzzle = isLevel(text) ? text : text.split(/\s*\n\s*/).join("/");
	started = { puzzle, limit_s, at: new Date().toISOString() };
	const { width, height } = size(puzzle);
	const asked = (ask) => (typeof ask === "function" ? ask(width, height) : ask);
	lanes = picked.map(({ name, ask }, i) => ({ name, ask: asked(ask), colour: `n${i % 8}`, dash: `d${i % 4}`, lower: [], upper: [], work: [[0, 1]], progress: null, record: null, problem: "", job: null }));
	at("lanes").replaceChildren(...lanes.map(build));
	at("stop").disabled = false;
	at("download").disabled = true;
	at("picture").disabled = true;
	word("");
	say(`${lanes.length} engines started`);
	for (const lane of lanes) run(lane, { puzzle, ...lane.ask, time_limit_s: limit_s });
	update();
	const lines = at("lanes");
	if (lines.getBoundingClientRect().top > innerHeight - 100) lines.scrollIntoView(); // on a phone, they are below the engines
}

/** The size of a board. What cannot be read is left to the service, which says why. */
function size(puzzle) {
	try {
		return parse(puzzle);
	} catch {
		return { width: 3, height: 3 };
	}
}

async function run(lane, body) {
	lane.job = solve(body, (progress) => {
		lane.progress = progress;
		note(lane, progress, progress.elapsed_s);
		update();
	});
	try {
		lane.record = await lane.job.done;
		note(lane, lane.record, lane.record.wall_s);
		if (!lane.record.status) lane.problem = lane.record.error;
	} catch (error) {
		lane.problem = error.message;
	}
	lane.job = null;
	update();
	if (lanes.includes(lane) && lanes.every((each) => !each.job)) finish();
}

const isSat = ({ ask }) => ask.engine === "sat";

/** Adds a point to each line that has changed. Time and work never decrease. */
function note(lane, { lower, upper, expanded, conflicts }, seconds) {
	const put = (line, value) => {
		if (value == null) return;
		const [time, last] = line.at(-1) ?? [0, null];
		if (last === value && line.length > 1) line.pop();
		line.push([Math.max(time, seconds ?? 0), value]);
	};
	put(lane.lower, lower || null); // before the first bound there is nothing to show
	put(lane.upper, upper);
	put(lane.work, Math.max(lane.work.at(-1)[1], (isSat(lane) ? conflicts : expanded) ?? 0));
}

function finish() {
	const reasons = [...new Set(lanes.map(({ problem }) => problem))];
	const alike = reasons.length === 1 && reasons[0] ? reasons[0] : "";
	// What is wrong with the puzzle is said once, not once for each engine.
	if (alike) at("lanes").replaceChildren(make("p", { class: "card problem", role: "alert" }, `No engine could start: ${alike}`));
	show();
	at("stop").disabled = true;
	at("download").disabled = false;
	at("picture").disabled = Boolean(alike);
	const winners = lanes.filter(({ record }) => record?.status === "optimal").sort((a, b) => a.record.wall_s - b.record.wall_s);
	const hopeless = lanes.find(({ record }) => record?.status === "unsolvable");
	const refused = lanes.filter(({ problem }) => problem);
	let words = "No engine proved an optimum in time; see the bounds.";
	if (hopeless) words = `It cannot be solved: ${hopeless.record.reason ?? "no plan exists"}.`;
	else if (winners.length) words = `${winners[0].name} was first: ${winners[0].record.cost} ${winners[0].record.objective ?? "moves"}, proven optimal in ${seconds(winners[0].record.wall_s)}.`;
	if (alike) words = "";
	else if (refused.length) words += ` Refused: ${refused.map(({ name, problem }) => `${name} (${problem})`).join("; ")}.`;
	word(words);
}

function stop() {
	for (const lane of lanes) lane.job?.cancel();
	at("stop").disabled = true;
}

const digits = (n) => (n >= 100 ? Math.round(n) : Number(n.toPrecision(2)));
const seconds = (s) => (s == null ? "–" : s < 0.1 ? `${digits(s * 1000)} ms` : `${s.toFixed(s < 10 ? 2 : 1)} s`);
const bytes = (n) => (n == null ? "–" : n < 1e6 ? `${digits(n / 1e3)} kB` : n < 1e9 ? `${digits(n / 1e6)} MB` : `${digits(n / 1e9)} GB`);

/** The card of a lane. */
function build(lane) {
	const key = draw("svg", { class: "key", viewBox: "0 0 30 8", "aria-hidden": "true" }, draw("path", { class: `series ${lane.dash}`, d: "M0 4H30" }));
	const parts = (lane.parts = { state: make("p", { class: "state" }), lower: make("i", { class: "lower" }), upper: make("i", { class: "upper" }), bounds: make("span"), work: make("span") });
	return make("article", { class: `lane ${lane.colour}`, "aria-label": lane.name },
		make("div", {}, make("h3", {}, key, lane.name), parts.state),
		make("div", { class: "scale", "aria-hidden": "true" }, parts.lower, parts.upper),
		make("div", { class: "figures" }, parts.bounds, parts.work));
}

/** Draws again, at most ten times a second. */
function update() {
	if (drawing) return;
	drawing = true;
	setTimeout(() => {
		drawing = false;
		show();
	}, 100);
}

const bold = (text) => make("b", {}, text);

function show() {
	const last = (line) => line.at(-1)?.[1] ?? 0;
	// The scale ends at the best bound, so a finished bar is full.
	const most = Math.max(1, ...lanes.flatMap(({ lower, upper }) => [last(lower), last(upper)]));
	for (const lane of lanes) {
		const { parts, record, progress, work } = lane;
		const { lower = 0, upper } = record ?? progress ?? {};
		parts.lower.style.width = `${((lower ?? 0) / most) * 100}%`;
		parts.upper.style.width = `${(1 - (upper ?? 0) / most) * 100}%`;
		parts.upper.hidden = upper == null;
		parts.bounds.replaceChildren(...(lane.problem ? [lane.problem] : ["at least ", bold(lower ?? 0), ...(upper == null ? [] : [", at most ", bold(upper)])]));
		const done = work.length > 1 ? last(work) : 0;
		parts.work.replaceChildren(bold(count(done)), ` ${things(done, isSat(lane) ? "conflict" : "node")}`);
		parts.state.textContent = state(lane);
		parts.state.classList.toggle("done", record?.status === "optimal");
	}
	const span = { x: Math.max(0.1, ...lanes.flatMap(({ record, progress }) => [record?.wall_s ?? 0, progress?.elapsed_s ?? 0])) };
	const curves = (root, names, label, more) => plot(root, {
		series: names.flatMap((name) => lanes.map((lane) => ({ points: lane[name], class: `series ${lane.colour} ${lane.dash}`, steps: !more.log }))),
		marks: names.flatMap((name) => lanes.filter((lane) => lane[name].length).map((lane) => [...lane[name].at(-1), `end ${lane.colour}`])),
		label: `${label}, one line for each engine`, least: span, logTime: true, ...more,
	});
	curves(at("bounds"), ["lower", "upper"], "Lower and upper bounds over seconds, logarithmic", {});
	curves(at("work"), ["work"], "Nodes or conflicts over seconds, both logarithmic", { log: true });
	at("table").replaceChildren(...(find(".lane", at("lanes")) ? lanes : []).filter((lane) => lane.record || lane.problem).map(({ name, ask, record, problem }) => {
		const used = ask.engine === "auto" && record ? ` (${[record.engine, record.heuristic, record.encoding].filter(Boolean).join(", ")})` : "";
		const cells = problem ? [] : [record.status, record.lower ?? "–", record.upper ?? "–", count(record.expanded), count(record.conflicts), seconds(record.wall_s), bytes(record.peak_bytes)];
		return make("tr", {}, make("th", { scope: "row" }, name + used), ...(problem ? [make("td", { colSpan: 7 }, problem)] : cells.map((textContent) => make("td", { textContent }))));
	}));
}

function state({ record, problem, progress, job }) {
	if (problem) return "refused";
	if (record) return `${record.status === "optimal" ? "✓ optimal" : record.status}, ${seconds(record.wall_s)}`;
	if (!job) return "stopped";
	return progress?.elapsed_s > 0 ? `${progress.elapsed_s.toFixed(1)} s …` : "queued";
}

/** Saves everything as a file. */
function download() {
	const version = find("#version").textContent.replace("noyes ", "");
	const results = lanes.map(({ name, ask, record, problem, lower, upper, work }) => ({ name, ask, record, problem: problem || null, lower, upper, work }));
	save("noyes-race.json", "application/json", JSON.stringify({ schema: "noyes-race/1", version, ...started, results }, null, 1));
}

/** Saves both plots as one picture. */
function downloadPicture() {
	const titles = ["Bounds over seconds", "Nodes expanded, or conflicts for SAT, over seconds"];
	const entries = lanes.map(({ name, colour, dash }) => ({ name, class: `series ${colour} ${dash}` }));
	save("noyes-race.svg", "image/svg+xml", figure(["bounds", "work"].map((id, i) => ({ title: titles[i], svg: find("svg", at(id)) })), entries, at("lanes")));
}

function save(name, type, text) {
	const anchor = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
	anchor.click();
	setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

export function open(parameters) {
	const puzzle = parameters.get("puzzle");
	if (puzzle || !at("board").value) write(puzzle ?? EXAMPLES[0][1]);
	choices();
	if (!lanes.length) show();
}

at("form").onsubmit = start;
at("stop").onclick = stop;
at("download").onclick = download;
at("picture").onclick = downloadPicture;
at("board").oninput = choices;
at("examples").replaceChildren(...EXAMPLES.map(([textContent, puzzle]) => make("button", { type: "button", class: "link", textContent, onclick: () => write(puzzle) })));
