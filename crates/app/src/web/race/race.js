// The race: one board, several engines at once, their bounds closing in and their work growing as they tell it.

import { get, solve } from "../api.js";
import { count, draw, find, make, say } from "../dom.js";
import { plot } from "../plot.js";
import { CREW, EXAMPLES, LEVEL, TILES } from "./lanes.js";

const at = (id) => find(`#r-${id}`);
let lanes = []; // { name, ask, look, points, progress, record, problem, job, parts }
let started = null; // { puzzle, limit_s, at }
let drawing = false;
let chosen = null; // which list the choice shows

const isLevel = (text) => text.includes("#");

function choices() {
  const text = at("board").value;
  const list = !isLevel(text) ? TILES : text.match(/[@+]/g)?.length > 1 ? CREW : LEVEL;
  if (list === chosen) return;
  chosen = list;
  at("choice").replaceChildren(...list.map((lane, i) => make("label", {}, make("input", { type: "checkbox", checked: Boolean(lane.on), value: i }), lane.name)));
}

function start(event) {
  event.preventDefault();
  stop();
  const puzzle = at("board").value.replace(/^\n+|\s+$/g, "");
  if (!puzzle) return word("Write or choose a board first.");
  const picked = [...at("choice").querySelectorAll(":checked")].map((box) => chosen[box.value]);
  if (!picked.length) return word("Choose an engine at least.");
  const limit_s = Number(at("limit").value);
  const text = isLevel(puzzle) ? puzzle : puzzle.split(/\s*\n\s*/).join("/");
  started = { puzzle: text, limit_s, at: new Date().toISOString() };
  lanes = picked.map(({ name, ask }, i) => ({ name, ask, look: `n${i % 8} d${i % 4}`, lower: [], upper: [], work: [], progress: null, record: null, problem: "", job: null }));
  at("lanes").replaceChildren(...lanes.map(build));
  at("stop").disabled = false;
  at("download").disabled = true;
  word("");
  say(`${lanes.length} engines started`);
  for (const lane of lanes) run(lane, text, limit_s);
  update();
}

async function run(lane, puzzle, limit_s) {
  lane.job = solve({ puzzle, ...lane.ask, time_limit_s: limit_s }, (progress) => {
    lane.progress = progress;
    note(lane, progress, progress.elapsed_s);
    update();
  });
  try {
    lane.record = await lane.job.done;
    note(lane, lane.record, lane.record.wall_s);
    if (lane.record.error && lane.record.status !== "unsolvable") lane.problem = lane.record.error;
  } catch (error) {
    lane.problem = error.message;
  }
  lane.job = null;
  update();
  if (lanes.includes(lane) && lanes.every((each) => !each.job)) finish();
}

/** A point for each line, where something has changed. */
function note(lane, { lower, upper, expanded, conflicts }, seconds) {
  const work = lane.ask.engine === "sat" ? conflicts : expanded;
  const put = (line, value) => value != null && (line.at(-1)?.[1] === value && line.length > 1 ? line[line.length - 1] = [seconds, value] : line.push([seconds, value]));
  if (lane.work.length === 0) lane.work.push([0, 1]);
  put(lane.lower, lower || null); // before the first bound there is nothing to show
  put(lane.upper, upper);
  put(lane.work, work);
}

function finish() {
  show();
  at("stop").disabled = true;
  at("download").disabled = false;
  const winners = lanes.filter((lane) => lane.record?.status === "optimal").sort((a, b) => a.record.wall_s - b.record.wall_s);
  const hopeless = lanes.find((lane) => lane.record?.status === "unsolvable");
  if (hopeless) return word(`It cannot be solved: ${hopeless.record.error ?? "no plan exists"}.`);
  const words = winners.length ? `${winners[0].name} was first: ${winners[0].record.cost} ${winners[0].record.objective ?? "moves"}, proven optimal in ${seconds(winners[0].record.wall_s)}.` : "Nobody proved an optimum in time; the bounds are below.";
  word(words);
}

function stop() {
  for (const lane of lanes) lane.job?.cancel();
  at("stop").disabled = true;
}

const word = (text) => {
  at("message").textContent = text;
};
const seconds = (s) => (s == null ? "–" : s < 0.0995 ? `${(s * 1000).toFixed(s < 0.00995 ? 1 : 0)} ms` : `${s.toFixed(s < 10 ? 2 : 1)} s`);
const bytes = (n) => (n == null ? "–" : n < 1e6 ? `${(n / 1e3).toFixed(0)} kB` : n < 1e9 ? `${(n / 1e6).toFixed(n < 1e7 ? 1 : 0)} MB` : `${(n / 1e9).toFixed(1)} GB`);

/** The card of a lane. */
function build(lane) {
  const key = draw("svg", { class: "key", viewBox: "0 0 30 8", "aria-hidden": "true" }, draw("path", { class: `series ${lane.look.split(" ")[1]}`, d: "M0 4H30", stroke: "var(--lane)", "stroke-width": 3, "stroke-linecap": "butt" }));
  const parts = {
    state: make("p", { class: "state", textContent: "waiting its turn" }),
    lower: make("i", { class: "lower" }),
    upper: make("i", { class: "upper" }),
    bounds: make("span"),
    work: make("span"),
  };
  lane.parts = parts;
  return make("article", { class: `lane ${lane.look.split(" ")[0]}`, "aria-label": lane.name },
    make("h3", {}, key, lane.name), parts.state,
    make("div", { class: "scale", "aria-hidden": "true" }, parts.lower, parts.upper),
    make("div", { class: "figures" }, parts.bounds, parts.work));
}

/** Draws again, ten times a second at most. */
function update() {
  if (drawing) return;
  drawing = true;
  setTimeout(() => {
    drawing = false;
    show();
  }, 100);
}

function show() {
  const last = (line) => line.at(-1)?.[1] ?? 0;
  const most = Math.max(10, ...lanes.map((lane) => Math.max(last(lane.lower), last(lane.upper)))) * 1.15;
  for (const lane of lanes) {
    const { parts, record, progress } = lane;
    const known = record ?? progress ?? {};
    const [lower, upper] = [known.lower ?? 0, known.upper];
    parts.lower.style.width = `${(lower / most) * 100}%`;
    parts.upper.style.width = upper == null ? "0" : `${(1 - upper / most) * 100}%`;
    parts.upper.hidden = upper == null;
    parts.bounds.replaceChildren("at least ", make("b", { textContent: lower }), upper == null ? "" : ", at most ", upper == null ? "" : make("b", { textContent: upper }));
    const sat = lane.ask.engine === "sat";
    parts.work.replaceChildren(make("b", { textContent: count((sat ? known.conflicts : known.expanded) ?? 0) }), sat ? " conflicts" : " nodes");
    if (lane.problem) parts.bounds.textContent = lane.problem;
    parts.state.textContent = state(lane);
    parts.state.className = `state ${record?.status === "optimal" ? "done" : ""}`;
  }
  const span = { x: Math.max(0.05, ...lanes.flatMap((lane) => [lane.record?.wall_s ?? 0, lane.progress?.elapsed_s ?? 0])) };
  const lines = (name, steps) => lanes.map((lane) => ({ points: lane[name], class: `series ${lane.look}`, steps }));
  const ends = (name) => lanes.filter((lane) => lane[name].length).map((lane) => [...lane[name].at(-1), `end ${lane.look.split(" ")[0]}`]);
  at("bounds").replaceChildren(plot({ series: [...lines("lower", true), ...lines("upper", true)], marks: [...ends("lower"), ...ends("upper")], height: 300, label: "Lower and upper bounds over seconds, a line for each engine", least: span }));
  at("work").replaceChildren(plot({ series: lines("work", false), marks: ends("work"), height: 300, log: true, label: "Nodes or conflicts over seconds, logarithmic, a line for each engine", least: span }));
  at("table").replaceChildren(...lanes.filter((lane) => lane.record || lane.problem).map(({ name, record, problem }) => {
    if (problem) return make("tr", {}, make("th", { scope: "row", textContent: name }), make("td", { colSpan: 7, textContent: problem }));
    const cells = [record.status, record.lower ?? "–", record.upper ?? "–", count(record.expanded), count(record.conflicts), record.wall_s?.toFixed(3) ?? "–", bytes(record.peak_bytes)];
    return make("tr", {}, make("th", { scope: "row", textContent: name }), ...cells.map((text) => make("td", { textContent: text })));
  }));
}

function state({ record, problem, progress, job }) {
  if (problem) return "refused";
  if (record?.status === "optimal") return `✓ optimal, ${seconds(record.wall_s)}`;
  if (record) return `${record.status}, ${seconds(record.wall_s)}`;
  if (!job) return "stopped";
  return progress?.elapsed_s > 0 ? `${progress.elapsed_s.toFixed(1)} s …` : "waiting its turn";
}

/** Everything as a file. */
async function download() {
  const version = await get("version").then((answer) => answer.version).catch(() => null);
  const results = lanes.map(({ name, ask, record, problem, lower, upper, work }) => ({ name, ask, record, problem: problem || null, lower, upper, work }));
  const blob = new Blob([JSON.stringify({ schema: "noyes-race/1", version, ...started, results }, null, 1)], { type: "application/json" });
  const anchor = make("a", { href: URL.createObjectURL(blob), download: "noyes-race.json" });
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 1000);
}

export function open(parameters) {
  const puzzle = parameters.get("puzzle");
  if (puzzle) at("board").value = isLevel(puzzle) ? puzzle : puzzle.replaceAll("/", "\n");
  else if (!at("board").value) at("board").value = EXAMPLES[1][1].replaceAll("/", "\n");
  choices();
  if (!lanes.length) show();
}

export function close() {}

at("form").onsubmit = start;
at("stop").onclick = stop;
at("download").onclick = download;
at("board").oninput = choices;
at("examples").replaceChildren(...EXAMPLES.map(([name, puzzle]) => make("button", {
  type: "button", class: "link", textContent: name,
  onclick() {
    at("board").value = isLevel(puzzle) ? puzzle : puzzle.replaceAll("/", "\n");
    choices();
  },
})));
