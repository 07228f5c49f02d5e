// Reverse play: the boxes start on the goals, and the player pulls them back to where the level has them. Played backwards,
// the moves are a solution of the level.
//
// A state is `{ boxes, player, path }`; capitals in the path are pulls.

import { beside, place } from "../cells.js";
import { count, direction, find, say, tell } from "../dom.js";
import { link } from "../share.js";
import { format, pack, parse, problem, pushesOf, unpack } from "./level.js";
import { walks } from "./path.js";
import { Yard } from "./yard.js";

const BACK = { l: "r", r: "l", u: "d", d: "u", L: "R", R: "L", U: "D", D: "U" };

find("#pull").innerHTML = `<div class="stage">
	<div class="bar"><h1>Reverse play</h1><label class="check"><input type="checkbox" id="p-pull"> Pull (or hold Shift)</label></div>
	<p class="note">Pull the boxes back from the goals to the circles, where the level begins, and go back to the start yourself. Before the first pull you may stand anywhere.</p>
	<div class="tray"><div class="level" id="p-board" role="grid" aria-label="Level"></div></div>
	<div class="message" id="p-message"><p></p><span class="offers"></span></div>
	<div class="actions"><button id="p-undo"><n-icon of="undo"></n-icon>Undo</button><button id="p-restart"><n-icon of="restart"></n-icon>Restart</button><button id="p-back"><n-icon of="back"></n-icon>Back</button></div>
</div>`;
const at = (id) => find(`#p-${id}`);
const word = (text, tone, offers) => tell(at("message"), text, tone, offers);
const yard = new Yard(at("board"), press, (letter) => go(letter, at("pull").checked));

let puzzle = null; // { level, state, shown }: the level, its first state, and the level whose goals are the first boxes
let history = [];
const now = () => history.at(-1);

function begin(text) {
	const { level, state } = parse(text);
	const goals = level.goals.flatMap((goal, cell) => (goal ? [cell] : []));
	const wrong = problem(level, state) || (state.players.length > 1 ? "Reverse play is for one player." : state.boxes.length !== goals.length ? "Reverse play needs as many boxes as goals." : "");
	const shown = { ...level, goals: level.goals.map((_, cell) => state.boxes.includes(cell)) };
	puzzle = wrong ? null : { level, state, shown };
	if (wrong) return word(wrong, "bad");
	const isFree = (cell) => level.inside[cell] && !level.walls[cell] && !level.goals[cell];
	const player = isFree(state.players[0]) ? state.players[0] : level.walls.findIndex((_, cell) => isFree(cell));
	history = [{ boxes: goals, player, path: "" }];
	word("");
	show();
}

/** The state after one step, pulling a box or not, or null. */
function step({ boxes, player, path }, letter, isPull) {
	const to = beside(puzzle.level, player, letter);
	if (to < 0 || puzzle.level.walls[to] || boxes.includes(to)) return null;
	const behind = boxes.indexOf(beside(puzzle.level, player, BACK[letter]));
	if (isPull && behind >= 0) return { boxes: boxes.with(behind, player), player: to, path: path + letter.toUpperCase() };
	return { boxes, player: to, path: path + letter.toLowerCase() };
}

function go(letter, isPull) {
	const next = puzzle && step(now(), letter, isPull);
	if (!next) return say("blocked");
	history.push(next);
	word("");
	show();
	if (isPull) say(`${home()} boxes back`);
	check();
}

const home = () => now().boxes.filter((cell) => puzzle.shown.goals[cell]).length;

function press(cell, kind) {
	if (!puzzle || kind === "over" || kind === "up") return;
	const { boxes, player, path } = now();
	if (boxes.includes(cell)) return word("Stand next to the box and walk away from it while you pull: hold Shift, or switch Pull on.");
	const way = walks(puzzle.level, { boxes, players: [player] }, 0).get(cell);
	if (way) {
		for (const letter of way) history.push(step(now(), letter, false));
	} else if (!pushesOf(path) && cell !== player) history.push({ boxes, player: cell, path: "" });
	else if (cell !== player) return word("You cannot get there.");
	word("");
	show();
	check();
}

/** If all boxes are back, shows what has been found. */
function check() {
	const { level, state } = puzzle;
	const { boxes, player, path } = now();
	if (home() < boxes.length) return;
	const way = walks(level, { boxes, players: [player] }, 0).get(state.players[0]);
	if (way === undefined) return word(`All boxes are back, but you cannot get to your start, ${place(level, state.players[0])}.`, "bad");
	const solution = [...(path + way)].reverse().map((letter) => BACK[letter]).join("").replace(/[lurd]+$/, "");
	const forwards = link("sokoban", { level: pack(format(level, state)), moves: solution, replay: 4 });
	word(`Done! Forwards, this is a solution: ${count(solution.length)} moves, ${count(pushesOf(solution))} pushes.`, "won", [["Play it forwards", () => { location.href = forwards; }]]);
}

function show() {
	const { boxes, player } = now();
	yard.show(puzzle.shown, [{ boxes, players: [player] }], { editing: false, active: 0 }, 70);
	at("undo").disabled = history.length < 2;
}

function undo() {
	if (!puzzle || history.length < 2) return;
	history.pop();
	word("");
	show();
}

function restart() {
	if (!puzzle) return;
	history.length = 1;
	word("");
	show();
}

// The interface for app.js.

export function open(parameters) {
	const text = unpack(parameters.get("level") ?? "");
	if (text.trim()) begin(text);
	else if (!puzzle) location.hash = "sokoban";
}

export { undo };

export function key(event) {
	const letter = direction(event);
	if (letter) go(letter, event.shiftKey || at("pull").checked);
	else if (event.key === "u") undo();
	else if (event.key === "r") restart();
	else return false;
	return true;
}

at("undo").onclick = undo;
at("restart").onclick = restart;
at("back").onclick = () => {
	location.hash = puzzle ? `sokoban?level=${pack(format(puzzle.level, puzzle.state))}` : "sokoban";
};
