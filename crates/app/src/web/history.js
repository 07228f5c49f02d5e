// Undo and redo for everything that changes a game, including shuffles and edits. States are immutable, so it is enough
// to keep them.

export class History {
	constructor(state) {
		this.states = [state];
		this.at = 0;
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
}
