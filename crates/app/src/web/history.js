// Undo and redo over everything that changes a game, shuffles and edits included. States are values that nobody
// changes, so that keeping them is enough.

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
	/** A new state after this one; what had been undone is forgotten, and what is ten thousand states ago. */
	push(state) {
		this.states = [...this.states.slice(0, this.at + 1).slice(-10000), state];
		this.at = this.states.length - 1;
	}
	/** This state becomes another one, without a step of its own: a playback is one step in all. */
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
