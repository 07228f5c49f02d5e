// "Teach me": the human method on a board, stage by stage, with text, highlighted tiles and a playback.

import { solve } from "../api.js";
import { count, find, make, say } from "../dom.js";
import { Playback } from "../playback.js";
import { format, isGoal, parse, shuffle, unsolvable } from "../tiles/board.js";
import { Grid } from "../tiles/grid.js";
import { stagesOf } from "./stages.js";

find("#teach").innerHTML = `<h1 class="unseen">Learn to solve sliding tiles</h1>
<div class="stage">
	<div class="bar">
		<label>Size <select id="l-size">${[3, 4, 5, 6].map((n) => `<option value="${n}x${n}">${n}×${n}</option>`).join("")}</select></label>
		<button class="primary" id="l-another"><n-icon of="shuffle"></n-icon>Another board</button>
	</div>
	<div class="tray"><div class="board" id="l-board" role="grid" aria-label="Board"></div></div>
	<div class="actions"><button id="l-previous"><n-icon of="back"></n-icon>Previous</button><button id="l-play"><n-icon of="play"></n-icon>Show me</button><button id="l-next"><n-icon of="forward"></n-icon>Next</button></div>
	<div class="playback" id="l-playback"></div>
</div>
<section class="card lesson"><h2 id="l-title">…</h2><p id="l-words" aria-live="polite"></p></section>
<div class="panel">
	<section class="card"><h2>Stages <small id="l-total"></small></h2><ol class="stages" id="l-stages"></ol>
		<p class="note">The method always works, but is far from optimal. <a id="l-yourself" href="#tiles">Play this board yourself</a></p></section>
</div>`;
const at = (id) => find(`#l-${id}`);
const grid = new Grid(at("board"), () => {}, () => {});
const playback = new Playback(at("playback"), show);

let lesson = null; // { boards, stages }
let asking = 0;
let until = null; // where the stage that is being shown ends

async function teach(board, wrong = "") {
	const mine = ++asking;
	playback.close();
	lesson = null;
	grid.show(board);
	at("stages").replaceChildren();
	const size = `${board.width}x${board.height}`;
	at("size").value = [...at("size").options].some(({ value }) => value === size) ? size : "";
	at("yourself").href = `#tiles?board=${format(board).replaceAll(" ", "-").replaceAll("/", ".")}`;
	const trouble = wrong || unsolvable(board) || (isGoal(board) ? "This board is solved already." : "");
	tell(trouble ? "No lesson" : "…", trouble);
	buttons();
	if (trouble) return;
	try {
		const { plan } = await solve({ puzzle: format(board), engine: "human" }, () => {}).done;
		if (mine !== asking) return;
		lesson = stagesOf(board, plan);
	} catch (error) {
		if (mine === asking) tell("No lesson", error.message);
		return;
	}
	at("total").textContent = `${count(lesson.boards.length - 1)} moves`;
	at("stages").replaceChildren(...lesson.stages.map(({ title, from, to }, i) => make("li", {},
		make("button", { type: "button", class: "link", onclick: () => go(i) }, title), make("small", {}, to > from ? ` ${count(to - from)} move${to - from === 1 ? "" : "s"}` : " in place"))));
	playback.load(lesson.boards.length - 1);
}

function tell(title, words) {
	at("title").textContent = title;
	if (at("words").textContent !== words) at("words").textContent = words;
}

/** The stage that a position belongs to: the one that begins there, or the last one at the end. */
function current() {
	const { stages } = lesson;
	const found = stages.findIndex(({ from, to }) => from <= playback.at && playback.at < to);
	return found < 0 ? stages.length - 1 : found;
}

function show(position, pause) {
	if (!lesson) return;
	const i = current();
	const { title, words, tiles } = lesson.stages[i];
	const board = lesson.boards[position];
	const over = position === lesson.boards.length - 1;
	grid.show(board, { pace: Math.min(140, pause * 0.8), won: over });
	if (!over) mark(board, tiles);
	tell(over ? "Solved" : `${i + 1}. ${title}`, over ? "Every tile is home. Try it yourself with the next board." : words);
	[...at("stages").children].forEach((item, k) => {
		if (k === i && !over) item.ariaCurrent = "step";
		else item.ariaCurrent = null;
		item.classList.toggle("done", over || lesson.stages[k].to <= position);
	});
	if (until !== null && position >= until) {
		until = null;
		playback.pause();
	}
	buttons();
}

/** Outlines the tiles of a stage, and the places where they belong. */
function mark(board, tiles) {
	board.cells.forEach((tile, cell) => {
		grid.buttons[cell].classList.toggle("hinted", tiles.includes(tile));
		grid.buttons[cell].parentElement.classList.toggle("target", tiles.includes(cell + 1));
	});
}

function buttons() {
	const ready = lesson !== null;
	at("previous").disabled = !ready || playback.at === 0;
	at("next").disabled = at("play").disabled = !ready || playback.at === playback.length;
}

/** Goes to where a stage begins. */
function go(i) {
	until = null;
	playback.seek(lesson.stages[i].from);
	say(at("title").textContent);
}

/** The stage before: where this one begins, or the one before that has moves. */
function previous() {
	const starts = lesson.stages.filter(({ from, to }) => to > from && from < playback.at).map(({ from }) => from);
	until = null;
	playback.seek(starts.at(-1) ?? 0);
}

function next() {
	until = null;
	playback.seek(lesson.stages[current()].to);
}

/** Plays this stage and stops at its end. */
function showMe() {
	until = lesson.stages[current()].to;
	playback.play();
}

// The interface for app.js.

export function open(parameters) {
	const text = parameters.get("board");
	if (!text) return lesson ? show(playback.at, 0) : another();
	try {
		teach(parse(text.replaceAll(".", "/").replaceAll("-", " ")));
	} catch (error) {
		another(undefined, error.message);
	}
}

export const close = () => playback.pause();

export function key(event) {
	if (!lesson) return false;
	if (event.key === "ArrowRight" && playback.at < playback.length) next();
	else if (event.key === "ArrowLeft") previous();
	else return event.key !== "Escape" && playback.key(event);
	return true;
}

const another = (size = at("size").value || "4x4", wrong = "") => teach(shuffle(...size.split("x").map(Number)), wrong);
at("size").value = "4x4";
at("size").onchange = () => another();
at("another").onclick = () => another();
at("previous").onclick = previous;
at("next").onclick = next;
at("play").onclick = showMe;
