// The time of a game `{ ms, since }`: `ms` it took before, and `since` when its clock runs, or null.

export const elapsed = ({ ms, since }) => ms + (since === null ? 0 : performance.now() - since);

/** Starts the clock of a game unless it runs. */
export function run(game) {
	game.since ??= performance.now();
}

export function halt(game) {
	game.ms = elapsed(game);
	game.since = null;
}
