// Levels turned and mirrored: the same puzzle with the same optima, but it looks new.

export const TURNS = 8;

/** A level as XSB, turned by `turn % 4` quarters to the right, and mirrored first if `turn` is 4 or more. */
export function turned(xsb, turn) {
	const lines = xsb.split("\n");
	const width = Math.max(...lines.map((line) => line.length));
	let rows = lines.map((line) => [...line.padEnd(width)]);
	if (turn >= 4) rows = rows.map((row) => row.reverse());
	for (let i = 0; i < turn % 4; i++) rows = rows[0].map((_, x) => rows.map((row) => row[x]).reverse());
	return rows.map((row) => row.join("")).join("\n");
}
