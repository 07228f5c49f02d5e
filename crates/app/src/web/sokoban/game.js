// Playing Sokoban: walking and pushing by key and by click, for one player or several, with warnings, hints and plans.

import { post } from "../api.js";
import { ask, count, direction, find, keep, make, recall, say, tell, wire } from "../dom.js";
import { History } from "../history.js";
import { Playback } from "../playback.js";
import { link, offer } from "../share.js";
import { Solving } from "../solving.js";
import { advise, deadlock, learn, nextPush, recallAdvice } from "./advisor.js";
import * as editor from "./editor.js";
import { follow, format, fromPlan, isSolved, pack, parse, problem, pushesOf, read, unpack } from "./level.js";
import { adopt, collection } from "./levels.js";
import { routes, walks } from "./path.js";
import * as previews from "./previews.js";
import { Yard } from "./yard.js";

const at = (id) => find(`#s-${id}`);
const message = at("message");
const yard = new Yard(at("board"), press, go);
const playback = new Playback(at("playback"), showPlan);
const solving = new Solving(message);

// A state of the history is `{ level, state, start, path, assisted, par }`.
let history = null;
let levels = [];
let active = 0; // the player whom keys and clicks mean
let orders = []; // of a crew that moves together, until all have theirs
let held = null; // { box, routes } taken up by a click
let rung = 0; // of the hint ladder
let editing = false;
let dead = new Set(); // cells of dead boxes in the state shown
let plan = null;
let parked = null; // the game before editing

const now = () => history.now;
const xsb = () => format(now().level, now().state);
const objective = () => (now().state.players.length > 1 ? "moves" : find('[name="objective"]:checked').value);
const foreseen = () => recallAdvice(now().level, now().state, objective());
const plural = (n, word) => `${count(n)} ${word}${n === 1 ? "" : word.endsWith("sh") ? "es" : "s"}`;

// 1. Changing the state.

function begin({ level, state }, par = {}, words = "") {
  leave();
  const game = { level, state, start: state, path: "", assisted: false, par };
  if (history) history.push(game);
  else history = new History(game);
  active = 0;
  const wrong = problem(level, state);
  tell(message, wrong || words, wrong ? "bad" : "");
  refresh();
}

function leave() {
  rung = 0;
  held = null;
  orders = [];
  plan = null;
  playback.close();
  solving.drop();
}

/** Makes the steps of a path as one move of the player. */
function play(path, { pace = 70, assisted = false } = {}) {
  const game = now();
  const { states, path: written } = follow(game.level, game.state, path);
  if (!written) return false;
  leave();
  const pushed = pushesOf(written) > 0;
  history.push({ ...game, state: states.at(-1), path: game.path + written, assisted: game.assisted || assisted });
  tell(message, "");
  if (isSolved(game.level, now().state)) win();
  refresh({ states: states.slice(1), pace, pushed });
  return true;
}

/** A letter for the active player, or for the crew once all have theirs. */
function go(letter) {
  if (editing || problem(now().level, now().state)) return;
  const crew = now().state.players.length;
  if (crew > 1 && at("together").checked) {
    orders[active] = letter;
    const next = [...Array(crew).keys()].map((i) => (active + 1 + i) % crew).find((i) => !orders[i]);
    if (next !== undefined) {
      active = next;
      tell(message, `Player ${next + 1}?`);
      return refresh();
    }
    const all = orders.join("");
    if (!play(all)) {
      orders = [];
      tell(message, "They would be in each other's way.", "bad");
      refresh();
    }
    active = 0;
    return refresh({ quiet: true });
  }
  if (letter === ".") return;
  const path = ".".repeat(active) + letter + ".".repeat(crew - active - 1);
  const home = () => now().state.boxes.filter((cell) => now().level.goals[cell]).length;
  const pushed = now().path.length;
  if (!play(path)) say("blocked");
  else if (pushesOf(now().path.slice(pushed)) && !isSolved(now().level, now().state)) say(`pushed, ${home()} home`);
}

function win() {
  const { level, start, path, assisted, par } = now();
  const [moves, pushes] = [path.length / start.players.length, pushesOf(path)];
  let words = `Solved with ${plural(moves, "move")} and ${plural(pushes, "push")}`;
  if (par.pushes != null && pushes === par.pushes) words += ": no plan has fewer pushes";
  if (!assisted) {
    const key = format(level, start);
    const best = recall("best", {});
    const old = best[key];
    best[key] = { moves: Math.min(moves, old?.moves ?? moves), pushes: Math.min(pushes, old?.pushes ?? pushes) };
    keep("best", best);
    list();
  } else words += ", with help";
  const more = levels.length > 1 ? [["Next level", () => another(1)]] : [];
  tell(message, `${words}.`, "won", [...more, ["Replay", () => replay()]]);
}

function undo() {
  leave();
  if (!history.undo()) return tell(message, "Nothing to undo.");
  tell(message, "");
  refresh({ pushed: true });
}
function redo() {
  leave();
  if (!history.redo()) return tell(message, "Nothing to redo.");
  tell(message, "");
  refresh({ pushed: true });
}

// 2. What the player does with the pointer.

function press(cell, kind) {
  if (editing) return kind === "up" ? undefined : draw(cell);
  const { level, state } = now();
  if (kind === "over" || problem(level, state)) return;
  // A box may be dragged: the pointer comes up where it should go.
  if (kind === "up") return held && held.routes.has(cell) ? push(cell) : undefined;
  if (held?.routes.has(cell)) return push(cell);
  const box = state.boxes.indexOf(cell);
  if (box >= 0) {
    const ways = routes(level, state, active, box);
    held = held?.box === box ? null : { box, routes: ways };
    tell(message, !held ? "" : ways.size ? "Choose where this box should go." : "This box cannot be pushed from here.");
    return refresh({ quiet: true });
  }
  const player = state.players.indexOf(cell);
  if (player >= 0) return choose(player);
  const way = walks(level, state, active).get(cell);
  if (way === undefined) {
    held = null;
    tell(message, "There is no way there without pushing.");
    return refresh({ quiet: true });
  }
  if (way) play(joint(way), { pace: 55 });
}

function push(cell) {
  play(joint(held.routes.get(cell)), { pace: 70 });
}

/** What the active player does while the others wait. */
function joint(way) {
  const crew = now().state.players.length;
  return crew === 1 ? way : [...way].map((letter) => ".".repeat(active) + letter + ".".repeat(crew - active - 1)).join("");
}

function choose(player) {
  if (player >= now().state.players.length) return;
  active = player;
  held = null;
  refresh({ quiet: true });
}

// 3. Help.

async function advice() {
  const { level, state } = now();
  const wrong = problem(level, state);
  if (wrong) return tell(message, wrong, "bad");
  if (isSolved(level, state)) return tell(message, "It is solved.");
  if (!foreseen()) tell(message, "Looking for the best move…");
  try {
    const found = await advise(level, state, objective());
    if (now().state === state) return found;
  } catch (error) {
    if (now().state === state) hopeless(error.message);
  }
}

function hopeless(reason) {
  tell(message, reason, "bad", history.past ? [["Undo", undo]] : []);
}

const quality = (found) => {
  const unit = objective() === "moves" ? (now().state.players.length > 1 ? "step" : "move") : "push";
  return found.proven ? `proven fewest, ${plural(found.upper, unit)} to go` : `best known plan, ${plural(found.upper, unit)} to go, at least ${found.lower} needed`;
};

async function hint() {
  const found = await advice();
  if (!found) return;
  if (rung === 2) return best();
  held = null;
  rung++;
  const { letter } = nextPush(now().level, now().state, found.path);
  const way = { L: "left", U: "up", R: "right", D: "down" }[letter];
  tell(message, rung === 1 ? `Hint: the outlined box comes next (${quality(found)}).` : `Hint: push the outlined box ${way} (${quality(found)}).`);
  refresh({ quiet: true });
}

async function best() {
  const found = await advice();
  if (!found) return;
  const crew = now().state.players.length;
  const { length } = nextPush(now().level, now().state, found.path);
  play(found.path.slice(0, crew > 1 ? crew : length), { pace: 90, assisted: true });
  const left = foreseen();
  if (left && !isSolved(now().level, now().state)) tell(message, `Done (${quality(left)}).`);
}

async function solve() {
  if (solving.job) return solving.stop();
  const { level, state } = now();
  const wrong = problem(level, state);
  if (wrong) return tell(message, wrong, "bad");
  if (isSolved(level, state)) return tell(message, "It is solved.");
  const ready = foreseen();
  if (ready?.proven) return load(ready);
  leave();
  const running = solving.run({ puzzle: xsb(), objective: objective() });
  refresh({ quiet: true });
  try {
    const record = await running;
    if (!record) return;
    if (!record.plan) {
      hopeless(record.status === "unsolvable" ? `This cannot be solved any more${record.error ? `: ${record.error}` : ""}.` : `No plan in time; at least ${record.lower ?? 0} are needed.`);
    } else {
      learn(level, state, objective(), { ...record, proven: record.status === "optimal" });
      load(foreseen());
    }
  } catch (error) {
    tell(message, error.message, "bad");
  }
  refresh({ quiet: true });
}

function load(found) {
  const game = now();
  history.push({ ...game, assisted: true });
  const { states, path } = follow(game.level, game.state, found.path);
  plan = { game: now(), states, path };
  const crew = game.state.players.length;
  playback.load(states.length - 1);
  const unit = objective() === "moves" ? (crew > 1 ? "steps" : "moves") : "pushes";
  tell(message, `${plural(path.length / crew, crew > 1 ? "step" : "move")}, ${plural(pushesOf(path), "push")}. ${found.proven ? `No plan has fewer ${unit}.` : `At least ${found.lower} ${unit} are needed.`}`, found.proven ? "won" : "");
  playback.play();
}

function replay(speed = null) {
  const game = now();
  if (!game.path) return tell(message, "No moves to replay yet.");
  history.push(game);
  const { states, path } = follow(game.level, game.start, game.path);
  plan = { game: { ...game, path: "" }, states, path };
  playback.load(states.length - 1, 0, speed);
  playback.play();
}

function showPlan(position, pause) {
  if (!plan) return;
  const crew = plan.game.state.players.length;
  history.replace({ ...plan.game, state: plan.states[position], path: plan.game.path + plan.path.slice(0, position * crew) });
  refresh({ states: [now().state], pace: Math.min(140, pause * 0.85), quiet: playback.playing });
}

// 4. Warnings.

let worry = 0;
/** Outlines dead boxes and says why they are, once the player pauses. */
function warn() {
  const { level, state } = now();
  clearTimeout(worry);
  dead = new Set();
  if (!at("warn").checked || editing || problem(level, state) || isSolved(level, state)) return;
  worry = setTimeout(async () => {
    const { cells, words } = await deadlock(level, state);
    if (now().state !== state || editing) return;
    dead = cells;
    if (words) hopeless(`Stuck: ${words}${/[.!]$/.test(words) ? "" : "."}`);
    if (dead.size) refresh({ quiet: true });
  }, 120);
}

// 5. Editing.

function edit() {
  leave();
  dead = new Set();
  editing = !editing;
  const { level, state } = now();
  if (editing) {
    parked = now();
    editor.palette(at("palette"));
    at("width").value = level.width;
    at("height").value = level.height;
    tell(message, "Draw with the brush, or focus a cell and type its sign. Edit again to play.");
  } else if (now() !== parked) {
    const wrong = problem(level, state);
    if (!wrong) adopt([{ title: "Drawn here", xsb: format(level, state) }]);
    tell(message, wrong || "Ready to play.", wrong ? "bad" : "");
    load_levels();
  } else tell(message, "");
  refresh({ pushed: true });
}

function draw(cell) {
  const changed = editor.paint(now().level, now().state, cell);
  if (changed) drawn(changed);
}

function drawn({ level, state }) {
  history.push({ level, state, start: state, path: "", assisted: false, par: {} });
  tell(message, problem(level, state) || "This level can be played.");
  refresh({ quiet: true });
}

// 6. Levels.

async function load_levels() {
  levels = (await collection()).map((level) => ({ ...level, key: normal(level.xsb) }));
  list();
}

function list() {
  const best = recall("best", {});
  const select = at("level");
  select.replaceChildren(...levels.map(({ title, key, own, players }, i) =>
    make("option", { value: i, textContent: `${best[key] ? "✓ " : ""}${i + 1}. ${title}${players > 1 && !title.includes("players") ? ` (${players} players)` : ""}${own ? " (own)" : ""}` })));
  show_choice();
}

const normal = (text) => {
  const { level, state } = parse(text);
  return format(level, state);
};

function show_choice() {
  if (!history) return;
  const key = format(now().level, now().start);
  const choice = levels.findIndex((level) => level.key === key);
  find('#s-level [value="-1"]')?.remove();
  if (choice < 0) at("level").prepend(make("option", { value: -1, textContent: now().level.title || "Drawn here" }));
  at("level").value = choice;
}

function take(i) {
  const { xsb: text, title, moves, pushes } = levels[i];
  editing = false;
  begin(parse(text, title), { moves, pushes }, title);
}

function another(by) {
  const i = Number(at("level").value);
  take((i < 0 ? 0 : i + by + levels.length) % levels.length);
}

async function own(text = "") {
  const [field, file] = [find("#own-text"), find("#own-file")];
  field.value = text || xsb();
  file.onchange = async () => {
    if (file.files[0]) field.value = await file.files[0].text();
    file.value = "";
  };
  let found = [];
  const number = (id) => Number(find(`#make-${id}`).value);
  await ask(find("#own-dialog"), async (value) => {
    if (value === "make") {
      const made = await post("generate", { kind: "sokoban", width: number("width"), height: number("height"), boxes: number("boxes"), players: number("players"), min_pushes: number("pushes") });
      found = [{ title: `Made ${number("width")}×${number("height")}, ${plural(number("boxes"), "box").replace("boxs", "boxes")}`, xsb: made.puzzle, pushes: made.pushes, players: number("players") }];
      return;
    }
    found = read(field.value);
    if (!found.length) throw new Error("No level found: at least three rows with walls (#) are needed.");
    for (const { xsb: rows, title } of found) {
      const { level, state } = parse(rows);
      const wrong = problem(level, state);
      if (wrong) throw new Error(found.length > 1 ? `${title}: ${wrong}` : wrong);
    }
  });
  if (!found.length) return;
  adopt(found);
  await load_levels();
  const first = levels.findIndex((level) => level.xsb === found[0].xsb);
  take(first);
}

// 7. What is told.

function refresh({ states = null, pace = 70, quiet = false } = {}) {
  const { level, state, start, path, par } = now();
  const crew = state.players.length;
  active = Math.min(active, Math.max(0, crew - 1));
  if (!quiet) warn();
  const found = rung > 0 ? foreseen() : null;
  const coming = found ? nextPush(level, state, found.path) : null;
  const marks = {
    dead, active, editing, orders,
    held: held?.box,
    reach: held ? new Set(held.routes.keys()) : null,
    hint: coming && { box: coming.box, letter: rung > 1 ? coming.letter : "" },
  };
  if (states && states.length) yard.run(level, states, marks, pace);
  else yard.show(level, state, marks);
  const [moves, pushes] = [crew ? path.length / crew : 0, pushesOf(path)];
  at("moves").textContent = count(moves);
  at("pushes").textContent = count(pushes);
  at("par-moves").textContent = par.moves == null ? "" : `of ${par.moves}`;
  at("par-pushes").textContent = par.pushes == null ? "" : `of ${par.pushes}`;
  const goals = level.goals.filter(Boolean).length;
  at("home").textContent = `${state.boxes.filter((cell) => level.goals[cell]).length} / ${goals}${isSolved(level, state) && goals ? " ✓" : ""}`;
  at("undo").disabled = !history.past;
  at("redo").disabled = !history.future;
  find("span", at("hint")).textContent = ["Hint", "Which way?", "Push it"][rung];
  at("solve").lastChild.textContent = solving.job ? "Stop" : "Solve";
  at("edit").setAttribute("aria-pressed", String(editing));
  at("palette").hidden = at("resize").hidden = !editing;
  at("crew").hidden = crew < 2;
  find('[name="objective"]').closest("fieldset").hidden = crew > 1; // crews count steps
  if (at("players").children.length !== crew) at("players").replaceChildren(...state.players.map((_, i) => make("button", { type: "button", textContent: `Player ${i + 1}`, onclick: () => choose(i) })));
  [...at("players").children].forEach((button, i) => button.setAttribute("aria-pressed", String(i === active)));
  const best = recall("best", {})[format(level, start)];
  const row = (name, m, p) => make("tr", {}, make("th", { textContent: name, scope: "row" }), make("td", { textContent: count(m) }), make("td", { textContent: count(p) }));
  at("score").replaceChildren(row("This time", moves, pushes), row("Your best", best?.moves, best?.pushes), row("Par (each on its own)", par.moves, par.pushes));
  show_choice();
  if (!editing) keep("walk", { start: format(level, start), title: level.title, path, par, assisted: now().assisted });
}

/** The level and the path of the last visit, or the first level. */
function resume() {
  const kept = recall("walk", null);
  const { level, state } = parse(kept?.start ?? "", kept?.title);
  const { states, path } = follow(level, state, kept?.path ?? "");
  if (problem(level, state) || path !== kept.path) return take(0);
  history = new History({ level, state: states.at(-1), start: state, path, par: kept.par ?? {}, assisted: kept.assisted });
}

// 8. The view, as app.js knows it.

export async function open(parameters) {
  if (!levels.length) await load_levels();
  show(parameters);
  find("#sokoban").inert = false; // from here on there is something to act on
}

function show(parameters) {
  const text = parameters.get("level");
  if (!text) {
    if (!history) resume();
    return refresh();
  }
  const start = parse(unpack(text), "From a link");
  begin(start, levels.find((level) => level.key === format(start.level, start.state)) ?? {}, "A level from a link.");
  const path = fromPlan(parameters.get("moves") ?? "", start.state.players.length);
  const { states, path: written } = follow(start.level, start.state, path);
  if (!written) return;
  history.push({ ...now(), state: states.at(-1), path: written, assisted: true });
  refresh();
  tell(message, "A replay from a link. Undo takes you to its start, to play it yourself.");
  if (parameters.get("replay")) replay(Number(parameters.get("replay")));
}

export function close() {
  playback.pause();
}

export function key(event) {
  if (!history) return false;
  if (editing && event.target.closest(".ground") && editor.typed(event.key)) {
    draw(yard.focused);
    return true;
  }
  const letter = direction(event);
  const name = event.key.toLowerCase();
  if (letter && event.key.startsWith("Arrow") && (event.shiftKey || editing)) yard.wander(letter);
  else if (letter) go(letter);
  else if (playback.key(event)) return true;
  else if (/^[1-9]$/.test(event.key)) choose(Number(event.key) - 1);
  else if (event.key === ".") go(".");
  else if (event.key === "Escape" && held) {
    held = null;
    refresh({ quiet: true });
  } else if (event.key === "Escape" && editing) edit();
  else if ("tnpuyre".includes(name)) ({ t: hint, n: best, p: solve, u: undo, y: redo, r: restart, e: edit })[name]();
  else return false;
  return true;
}

function restart() {
  const { level, start, par } = now();
  begin({ level, state: start }, par, "From the start again.");
}

export { own as paste, redo, undo };

at("level").onchange = ({ target }) => target.value >= 0 && take(Number(target.value));
at("warn").onchange = () => refresh();
at("together").onchange = () => {
  orders = [];
  active = 0;
  refresh({ quiet: true });
};
for (const id of ["width", "height"]) {
  at(id).onchange = () => {
    const [width, height] = [Number(at("width").value), Number(at("height").value)];
    if (width >= 3 && height >= 3 && width <= 50 && height <= 50) drawn(editor.resize(now().level, now().state, width, height));
  };
}
wire("s", {
  hint, step: best, solve, undo, redo, edit, restart, replay, own,
  previous: () => another(-1),
  next: () => another(1),
  async all() {
    const choice = await previews.choose(levels, Number(at("level").value));
    if (choice >= 0) take(choice);
  },
  async copy() {
    try {
      await navigator.clipboard.writeText(xsb());
      tell(message, "The level is in the clipboard, as XSB.");
    } catch {
      own();
    }
  },
  race() {
    location.hash = `race?puzzle=${encodeURIComponent(xsb())}`;
  },
  share: () => offer((withMoves) => {
    const { level, start, path } = now();
    const crew = start.players.length;
    const walk = (player) => [...path].filter((_, i) => i % crew === player).join("");
    return link("sokoban", {
      level: pack(format(level, start)),
      moves: withMoves && path ? start.players.map((_, player) => walk(player)).join("/") : "",
      replay: withMoves && path ? playback.speed.value : "",
    });
  }),
});
