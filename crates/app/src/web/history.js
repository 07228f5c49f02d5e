// Undo and redo for everything that changes a game, including shuffles and edits. States are immutable, so it is enough
// to keep them.

const STORED = 200; // states before and after the current one that survive a reload

export class History {
	constructor(states, at = 0) {
		this.states = states;
		this.at = at;
	}
	get now() {
		return this.states[this.at];
	}
	get past() {
		return this.at > 0;
	}
	get future() {
		return this.at + 1 < this.states.length;
	}
	/** Adds a state. Forgets what was undone, and all but the last ten thousand states. */
	push(state) {
		this.states = [...this.states.slice(0, this.at + 1).slice(-10000), state];
		this.at = this.states.length - 1;
	}
	/** Replaces the current state without a new step: a whole playback is one step. */
	replace(state) {
		this.states = [...this.states.slice(0, this.at), state];
	}
	undo() {
		return this.past && Boolean(this.at--);
	}
	redo() {
		return this.future && Boolean(++this.at);
	}
	/**
	 * The states around the current one as plain data: `{ at, games, steps }`. `write` turns a game into data. A step is
	 * `[game, kept, added]`: its path begins like the one before, as far as `kept`.
	 */
	save(write) {
		const from = Math.max(0, this.at - STORED);
		const states = this.states.slice(from, this.at + STORED + 1);
		const games = [...new Set(states.map(({ game }) => game))];
		let before = "";
		const steps = states.map(({ game, path }) => {
			let kept = 0;
			while (kept < path.length && path[kept] === before[kept]) kept++;
			before = path;
			return [games.indexOf(game), kept, path.slice(kept)];
		});
		return { at: this.at - from, games: games.map(write), steps };
	}
	/** The history of such data, by the rules of its game. `read` turns data into a game. Throws if the data is invalid. */
	static load({ at, games, steps }, read, rules) {
		const all = games.map(read);
		const states = [];
		for (const [i, kept, added] of steps) {
			const last = states.at(-1);
			const path = (last?.path ?? "").slice(0, kept) + added;
			const follows = last?.game === all[i] && path.startsWith(last.path);
			const from = follows ? last : rules.first(all[i]);
			const state = rules.walk(from, path.slice(from.path.length)).at(-1);
			if (state.path !== path) throw new Error("an illegal path");
			states.push(state);
		}
		if (!states[at]) throw new Error("no current state");
		return new History(states, at);
	}
}
