// The stages of the human method on a board, in words: row by row, and the last two rows column by column. The service's
// human engine makes the moves; where a stage ends follows from the method, because it never spoils a finished stage for
// longer than a stage takes.

import { place } from "../cells.js";
import { slide } from "../tiles/board.js";

/** The tiles of each stage, and what kind of stage it is. */
function method(width, height) {
	const tile = (x, y) => y * width + x + 1;
	const stages = [];
	for (let y = 0; y < height - 2; y++) {
		for (let x = 0; x < width - 2; x++) stages.push({ kind: "single", tiles: [tile(x, y)] });
		stages.push({ kind: "row", tiles: [tile(width - 2, y), tile(width - 1, y)] });
	}
	for (let x = 0; x < width - 2; x++) stages.push({ kind: "column", tiles: [tile(x, height - 2), tile(x, height - 1)] });
	stages.push({ kind: "last", tiles: [tile(width - 2, height - 2), tile(width - 1, height - 2), tile(width - 2, height - 1)] });
	return stages;
}

/** Stages `{ kind, tiles, from, to, title, words }` of a plan from a board; `boards` are those along the plan. */
export function stagesOf(start, plan) {
	const boards = [start];
	for (const letter of plan) boards.push(slide(boards.at(-1), letter));
	const isHome = (b, tile) => b.cells[tile - 1] === tile;
	const done = [];
	let from = 0;
	const stages = method(start.width, start.height).map((stage) => {
		done.push(...stage.tiles);
		let to = from;
		while (to < boards.length - 1 && !done.every((tile) => isHome(boards[to], tile))) to++;
		if (done.length === start.cells.length - 1) to = boards.length - 1; // the last stage also brings the blank home
		const whole = { ...stage, from, to, title: titleOf(stage), words: wordsOf(stage, start, to - from) };
		from = to;
		return whole;
	});
	return { boards, stages };
}

const list = (tiles) => (tiles.length === 1 ? `Tile ${tiles[0]}` : `Tiles ${tiles.slice(0, -1).join(", ")} and ${tiles.at(-1)}`);

function titleOf({ kind, tiles }) {
	return `${list(tiles)}${{ single: "", row: ", the end of the row", column: ", a column", last: ", the rest" }[kind]}`;
}

function wordsOf({ kind, tiles }, board, moves) {
	if (moves === 0) return `${list(tiles)} ${tiles.length === 1 ? "is" : "are"} in place already.`;
	const [a, b] = tiles;
	const at = (tile) => place(board, tile - 1);
	switch (kind) {
		case "single":
			return `Bring tile ${a} to ${at(a)}. Lead the blank around to the side where the tile should go, slide the tile, and repeat. Tiles that are in place stay where they are.`;
		case "row":
			return `${a} and ${b} end the row. They cannot go home one by one, because the second would push the first out. So set them up: ${b} in the place of ${a}, ${a} right below it, and the blank in the corner. Then two moves bring both home.`;
		case "column":
			return `Two rows are left, so now go by columns. It is the same trick on its side: ${b} in the place of ${a}, ${a} right next to it, and the blank in the corner. Then two moves bring both home.`;
		default:
			return `The last three tiles are in a square with the blank. Send them around in a circle until they are home. On a solvable board they always come in the right order.`;
	}
}
