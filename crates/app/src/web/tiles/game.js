// Playing tiles: the game's states, what the buttons and keys do, and what is told of the optimum on the way.

import { post } from "../api.js";
import { ask, clock, count, direction, find, keep, recall, say, tell, wire } from "../dom.js";
import { History } from "../history.js";
import { Playback } from "../playback.js";
import { plot } from "../plot.js";
import { link, offer } from "../share.js";
import { Solving } from "../solving.js";
import { advise, learn, recallAdvice } from "./advisor.js";
import { board, format, goal, isGoal, line, neighbour, OPPOSITE, parse, shuffle, slide, slides, solvable, swapTwo } from "./board.js";
import { Grid, TILE_GOES } from "./grid.js";
import { take } from "./picture.js";
import * as stats from "./stats.js";

const at = (id) => find(`#t-${id}`);
const message = at("message");
const grid = new Grid(at("board"), press, (letter) => move(letter));
const playback = new Playback(at("playback"), showPlan);
const solving = new Solving(message);

// A state is `{ board, start, path, assisted }`: path leads from start to board in the blank's letters.
let history = new History(fresh(goal(4, 4)));
let watch = { since: null, ms: 0 };
let finished = false; // this game has been won and counted
let editing = null; // null, or { taken: cell or -1 }
let rung = 0; // of the hint ladder: 0 none, 1 direction, 2 tile
let asking = null; // the question about the board shown
let plan = null; // { base, letters } that the playback shows
let tick = null;

function fresh(b) {
  return { board: b, start: b, path: "", assisted: false };
}
const now = () => history.now;

// 1. Changing the state.

/** A new game on a board. */
function begin(b, words = "") {
  leave();
  history.push(fresh(b));
  restartClock();
  if (isGoal(b)) words ||= "In order already: shuffle to play.";
  const verdict = solvable(b);
  if (verdict.solvable) tell(message, words);
  else explain(verdict.reason);
  refresh(0);
}

function explain(reason) {
  tell(message, reason, "bad", [["Swap two tiles", () => edited(swapTwo(now().board))]]);
}

/** Leaves whatever goes on: hints, playback, a running solve. */
function leave() {
  rung = 0;
  plan = null;
  playback.close();
  solving.drop();
}

function restartClock() {
  watch = { since: null, ms: 0 };
  finished = false;
}

/** Makes moves as the player's own. */
function play(letters, { ms = 120, assisted = false } = {}) {
  const { board: b, start, path, assisted: helped } = now();
  const next = slides(b, letters);
  if (!letters || !next) return;
  const before = recallAdvice(b);
  leave();
  if (!finished && watch.since === null) watch.since = performance.now();
  history.push({ board: next, start, path: path + letters, assisted: helped || assisted });
  if (isGoal(next)) win();
  else {
    tell(message, "");
    say(`${next.cells[b.blank]} ${TILE_GOES[letters[0]]}`);
  }
  refresh(ms);
  remark(before, letters.length);
}

function win() {
  if (watch.since !== null) watch.ms += performance.now() - watch.since;
  watch.since = null;
  const { path, start, assisted } = now();
  const optimum = recallAdvice(start);
  const size = `${start.width}x${start.height}`;
  let words = `You won! ${path.length} moves in ${clock(watch.ms)}`;
  if (optimum?.proven) words += path.length === optimum.upper ? ", and no way is shorter" : `; ${optimum.upper} would have done`;
  if (assisted) words += ", with help";
  else if (!finished && stats.record(size, { ms: Math.round(watch.ms), moves: path.length, optimal: optimum?.proven ? optimum.upper : null, at: Date.now() })) words += ". Your best time";
  tell(message, `${words}.`, "won", [["Again", again], ["Replay", () => replay()]]);
  finished = true;
  review();
}

function undo() {
  leave();
  if (!history.undo()) return tell(message, "Nothing to undo.");
  arrive();
}
function redo() {
  leave();
  if (!history.redo()) return tell(message, "Nothing to redo.");
  arrive();
}
/** After undo and redo: the clock belongs to its game. */
function arrive() {
  if (now().path === "") restartClock();
  const verdict = solvable(now().board);
  if (verdict.solvable) tell(message, "");
  else explain(verdict.reason);
  refresh(120);
}

// 2. What the player does.

function press(cell, ms) {
  if (editing) return swap(cell);
  const letters = line(now().board, cell);
  if (letters) play(letters, { ms });
  else if (cell !== now().board.blank) tell(message, "Only tiles in line with the blank can slide.");
}

/** One move of the blank. */
function move(letter) {
  if (editing) return;
  if (slide(now().board, letter)) play(letter);
}

function again() {
  const { width, height } = now().board;
  begin(shuffle(width, height), "");
}

function size(name) {
  if (name === "other") return another();
  const [width, height] = name.split("x").map(Number);
  begin(shuffle(width, height));
}

async function another() {
  const [width, height, distance] = ["#new-width", "#new-height", "#new-distance"].map((id) => find(id));
  let made = null;
  await ask(find("#new-dialog"), async () => {
    const [w, h] = [Number(width.value), Number(height.value)];
    if (!distance.value) made = shuffle(w, h);
    else made = parse((await post("generate", { kind: "tiles", width: w, height: h, distance: Number(distance.value) })).puzzle);
  });
  if (made) begin(made, distance.value ? `A board that needs exactly ${distance.value} moves.` : "");
}

async function paste(text = "") {
  const field = find("#paste-text");
  field.value = text || format(now().board).replaceAll("/", "\n");
  let read = null;
  await ask(find("#paste-dialog"), () => {
    read = parse(field.value);
  });
  if (read) begin(read);
}

function edit() {
  leave();
  editing = editing ? null : { taken: -1 };
  if (editing) tell(message, "Choose two tiles to swap them. Edit again to play.");
  else arrive();
  refresh(0);
}

function swap(cell) {
  if (editing.taken < 0 || editing.taken === cell) {
    editing.taken = editing.taken === cell ? -1 : cell;
    return refresh(0);
  }
  const { width, height, cells } = now().board;
  const changed = cells.slice();
  [changed[cell], changed[editing.taken]] = [changed[editing.taken], changed[cell]];
  editing.taken = -1;
  edited(board(width, height, changed));
}

function edited(b) {
  begin(b, editing ? "This board can be solved." : "");
}

// 3. Help: the ladder of hints, one move, the whole plan.

async function advice() {
  const { board: b } = now();
  const verdict = solvable(b);
  if (!verdict.solvable) return explain(verdict.reason);
  if (isGoal(b)) return tell(message, "It is solved.");
  if (!recallAdvice(b)?.plan) tell(message, "Looking for the best move…");
  try {
    const found = await ponder();
    if (now().board !== b) return;
    if (!found?.plan) return tell(message, `No plan found in time; at least ${found?.lower ?? "?"} moves are needed.`, "bad");
    return found;
  } catch (error) {
    if (error.name !== "AbortError") tell(message, error.message, "bad");
  }
}

const quality = (found) => (found.proven ? `proven optimal, ${found.upper} to go` : `best known plan, ${found.upper} to go, at least ${found.lower} needed`);

async function hint() {
  const found = await advice();
  if (!found) return;
  const { board: b } = now();
  const letter = found.plan[0];
  const tile = b.cells[neighbour(b, b.blank, letter)];
  if (rung === 2) return step();
  rung++;
  if (rung === 1) tell(message, `Hint: slide a tile ${TILE_GOES[letter]} (${quality(found)}).`);
  else tell(message, `Hint: slide tile ${tile} ${TILE_GOES[letter]} (${quality(found)}).`);
  refresh(0);
}

async function step() {
  const found = await advice();
  if (!found) return;
  const { board: b } = now();
  const letter = found.plan[0];
  const tile = b.cells[neighbour(b, b.blank, letter)];
  play(letter, { assisted: true });
  if (!isGoal(now().board)) tell(message, `Tile ${tile} went ${TILE_GOES[letter]} (${quality({ ...found, upper: found.upper - 1, lower: Math.max(0, found.lower - 1) })}).`);
}

async function solve() {
  if (solving.job) return solving.stop();
  const { board: b } = now();
  const verdict = solvable(b);
  if (!verdict.solvable) return explain(verdict.reason);
  if (isGoal(b)) return tell(message, "It is solved.");
  const before = recallAdvice(b);
  if (before?.proven) return load(before, b);
  leave();
  const running = solving.run({ puzzle: format(b) });
  refresh(0);
  try {
    const record = await running;
    if (!record) return;
    const found = { lower: record.lower, upper: record.upper, plan: record.plan, proven: record.status === "optimal" };
    if (record.plan) learn(b, found);
    load(found, b);
  } catch (error) {
    const found = error.status === 0 ? await advise(b).catch(() => null) : null;
    if (found?.plan) load(found, b);
    else tell(message, error.message, "bad");
  }
  refresh(0);
}

/** Shows a plan in the playback, from the board it starts at. */
function load(found, b) {
  if (!found.plan) return tell(message, `No plan yet: at least ${found.lower} moves are needed.`, "bad");
  const { start, path, board: shown } = now();
  history.push({ board: shown, start, path, assisted: true });
  plan = { base: { start, path, board: b }, letters: found.plan };
  const words = found.proven ? `${found.upper} moves, and no plan is shorter.` : `A plan of ${found.upper} moves; at least ${found.lower} are needed.`;
  playback.load(found.plan.length);
  tell(message, words, found.proven ? "won" : "");
  playback.play();
}

/** The game so far, from its start. */
function replay(speed = null) {
  const { start, path } = now();
  if (!path) return tell(message, "No moves to replay yet.");
  history.push(now());
  plan = { base: { start, path: "", board: start }, letters: path, own: true };
  playback.load(path.length, 0, speed);
  playback.play();
}

/** The playback's position becomes the game's state; a playback is one step of undo. */
function showPlan(position, pause) {
  if (!plan) return;
  const { base, letters, own } = plan;
  const done = letters.slice(0, position);
  if (watch.since !== null) {
    watch.ms += performance.now() - watch.since;
    watch.since = null;
  }
  history.replace({ board: slides(base.board, done), start: base.start, path: base.path + done, assisted: own ? now().assisted : true });
  refresh(Math.min(140, pause * 0.8));
}

// 4. What is told: counters, the optimum from here, your path against it.

/** Asks for the optimum from here, once; a question about another board ends the one before. */
function ponder() {
  const { board: b } = now();
  if (asking?.board === b) return asking.answer;
  asking?.abort.abort();
  const abort = new AbortController();
  const mine = { board: b, abort, answer: advise(b, abort.signal) };
  asking = mine;
  const forget = () => {
    if (asking === mine) asking = null;
  };
  mine.answer.then(forget, forget);
  return mine.answer;
}

let pondering = 0;
function watchOptimum() {
  const { board: b } = now();
  clearTimeout(pondering);
  showOptimum();
  if (recallAdvice(b) || !solvable(b).solvable) return;
  // Fast players are not asked about: only where they pause does a question go out.
  pondering = setTimeout(async () => {
    try {
      await ponder();
    } catch (error) {
      if (error.name !== "AbortError") at("optimal").textContent = "?";
      return;
    }
    if (now().board === b) {
      showOptimum();
      remark();
      showPath();
    }
  }, playback.playing ? 400 : 60);
}

function showOptimum() {
  const found = recallAdvice(now().board);
  const field = at("optimal");
  if (!solvable(now().board).solvable) field.textContent = "none";
  else if (!found) field.textContent = "…";
  else if (found.proven) field.textContent = found.upper;
  else field.textContent = `${found.lower} – ${found.upper ?? "?"}`;
}

let unremarked = null;
/** Marks the last move: = when it kept to an optimal plan, otherwise what it cost. */
function remark(before = unremarked?.before, moves = unremarked?.moves) {
  const mark = at("mark");
  const after = recallAdvice(now().board);
  unremarked = before?.proven && !after ? { before, moves } : null;
  mark.className = "";
  if (!before?.proven || !after?.proven) mark.textContent = after && !after.proven && !isGoal(now().board) ? "not proven" : "";
  else {
    const lost = after.upper + moves - before.upper;
    mark.textContent = lost === 0 ? "= optimal" : `+${lost} lost`;
    mark.className = lost === 0 ? "good" : "lost";
  }
}

/** What is known of each board along the path: `[moves made, optimal from there]`. */
function curve({ start, path }) {
  const points = [];
  if (path.length > 1000) return points; // a plot of that many moves says nothing
  let b = start;
  for (let i = 0; i <= path.length; i++) {
    const found = recallAdvice(b);
    if (found?.proven) points.push([i, found.upper]);
    if (i < path.length) b = slide(b, path[i]);
  }
  return points;
}

function showPath() {
  const state = now();
  const points = curve(state);
  const start = recallAdvice(state.start);
  const series = [];
  const marks = [];
  if (start?.proven && start.upper > 0) series.push({ points: [[0, start.upper], [start.upper, 0]], class: "ideal" });
  series.push({ points, class: "yours" });
  let lost = 0;
  for (let i = 1; i < points.length; i++) {
    if (points[i][1] <= points[i - 1][1] || points[i][0] !== points[i - 1][0] + 1) continue;
    marks.push([...points[i], "detour"]);
    lost += 2;
  }
  if (points.length) marks.push([...points.at(-1), "here"]);
  const label = start?.proven ? `Optimal moves left over moves made. From the start ${start.upper}, now ${points.at(-1)?.[1] ?? "unknown"} after ${state.path.length}.` : "Optimal moves left over moves made";
  at("plot").replaceChildren(plot({ series, marks, label, least: { x: 10, y: 10 } }));
  if (state.path && start?.proven) {
    const over = isGoal(state.board) ? state.path.length - start.upper : null;
    at("verdict").textContent = over === null
      ? `${state.path.length} made, ${lost ? `${lost / 2} detour${lost > 2 ? "s" : ""} (circles) so far, each costs 2` : "no detour so far"}. Dashes: an optimal way.`
      : over === 0 ? "Not one move too many." : `${state.path.length} moves against ${start.upper}: ${over} too many. Circles are the moves that led away.`;
  } else at("verdict").textContent = "Each move is marked: = keeps to an optimal plan, +2 costs two more.";
}

/** After the win: looks at each board of the path that is not known yet. */
async function review() {
  const state = now();
  if (state.path.length > 400) return;
  let b = state.start;
  for (const letter of state.path) {
    if (!recallAdvice(b)) await advise(b).catch(() => null);
    if (now() !== state) return;
    showPath();
    b = slide(b, letter);
  }
}

/** Brings everything on the page up to date; tiles glide for `ms`. */
function refresh(ms) {
  const { board: b, path } = now();
  const found = rung > 0 ? recallAdvice(b) : null;
  const letter = found?.plan?.[0];
  const hinted = letter ? { letter, tile: rung > 1 ? b.cells[neighbour(b, b.blank, letter)] : null } : null;
  grid.show(b, { ms, hint: hinted, taken: editing?.taken, editing, won: isGoal(b) && path !== "" && !editing });
  at("moves").textContent = count(path.length);
  at("undo").disabled = !history.past;
  at("redo").disabled = !history.future;
  find("span", at("hint")).textContent = ["Hint", "Which tile?", "Slide it"][rung];
  at("solve").lastChild.textContent = solving.job ? "Stop" : "Solve";
  at("edit").setAttribute("aria-pressed", String(Boolean(editing)));
  const name = `${b.width}x${b.height}`;
  const plain = find(`[data-size="${name}"]`);
  for (const button of document.querySelectorAll("[data-size]")) button.setAttribute("aria-pressed", String(plain ? button === plain : button.dataset.size === "other"));
  at("stats-size").textContent = name.replace("x", "×");
  stats.show(at("stats"), name);
  if (ms === 0 || path === "") at("mark").textContent = "";
  watchOptimum();
  showPath();
  showTime();
  keep("game", { start: format(now().start), path, ms: elapsed(), assisted: now().assisted, finished });
}

const elapsed = () => watch.ms + (watch.since === null ? 0 : performance.now() - watch.since);
function showTime() {
  at("time").textContent = clock(elapsed());
}

// 5. The view, as app.js knows it.

export function open(parameters) {
  tick ??= setInterval(() => watch.since !== null && showTime(), 100);
  const text = parameters.get("board");
  if (!text) return refresh(0);
  try {
    const start = parse(text.replaceAll(".", "/").replaceAll("-", " "));
    const moves = (parameters.get("moves") ?? "").toUpperCase().replace(/[^LURD]/g, "");
    if (!slides(start, moves)) throw new Error("The moves of this link leave the board.");
    begin(start, "A board from a link.");
    if (!moves) return;
    history.push({ board: slides(start, moves), start, path: moves, assisted: true });
    finished = true;
    refresh(0);
    tell(message, "A replay from a link. Undo takes you to its start, to play it yourself.");
    if (parameters.get("replay")) replay(Number(parameters.get("replay")));
  } catch (error) {
    tell(message, error.message, "bad");
  }
}

export function close() {
  playback.pause();
}

export function key(event) {
  const letter = direction(event);
  const name = event.key.toLowerCase();
  if (letter && event.shiftKey && event.key.startsWith("Arrow")) grid.wander(letter);
  else if (letter && editing && event.key.startsWith("Arrow")) grid.wander(letter);
  else if (letter) move(OPPOSITE[letter]);
  else if (playback.key(event)) return true;
  else if (event.key === "Escape" && editing) edit();
  else if ("tnpuyre".includes(name)) ({ t: hint, n: step, p: solve, u: undo, y: redo, r: again, e: edit })[name]();
  else return false;
  return true;
}

export { paste, redo, undo };

for (const button of document.querySelectorAll("[data-size]")) button.onclick = () => size(button.dataset.size);
wire("t", {
  shuffle: again, hint, step, solve, undo, redo, edit, paste, replay,
  restart: () => begin(now().start, "From the start again."),
  race() {
    location.hash = `race?puzzle=${encodeURIComponent(format(now().board))}`;
  },
  share: () => offer((withMoves) => {
    const { start, path } = now();
    return link("tiles", {
      board: format(start).replaceAll(" ", "-").replaceAll("/", "."),
      moves: withMoves ? path : "",
      replay: withMoves && path ? playback.speed.value : "",
    });
  }),
  "stats-clear"() {
    stats.clear(`${now().board.width}x${now().board.height}`);
    refresh(0);
  },
});
for (const choice of document.querySelectorAll('[name="face"]')) {
  choice.checked = choice.value === recall("face", "numbers");
  choice.onchange = () => face(choice.value);
}
function face(value) {
  grid.face = value;
  keep("face", value);
  refresh(0);
}
at("picture").onchange = async ({ target }) => {
  try {
    await take(target.files[0]);
  } catch {
    return tell(message, "This file is no picture that the browser can read.", "bad");
  }
  grid.painted++;
  find('[name="face"][value="picture"]').checked = true;
  face("picture");
};

grid.face = recall("face", "numbers");
grid.hover = at("hover").checked = recall("hover", false);
at("hover").onchange = ({ target }) => {
  grid.hover = target.checked;
  keep("hover", target.checked);
};
try {
  const kept = recall("game", null);
  const start = parse(kept.start);
  history = new History({ board: slides(start, kept.path), start, path: kept.path, assisted: kept.assisted });
  watch.ms = kept.ms;
  finished = kept.finished;
  if (!now().board) throw new Error("moves that do not fit");
} catch {
  history = new History(fresh(shuffle(4, 4)));
}
