// What was, in order: undo and redo over everything that changes a game, shuffles and edits included.
// States are values that nobody changes, so that keeping them is enough.

export class History {
  constructor(state) {
    this.states = [state];
    this.at = 0;
  }
  get now() {
    return this.states[this.at];
  }
  /** A new state after this one; what had been undone is forgotten. */
  push(state) {
    this.states.length = ++this.at;
    this.states.push(state);
    // Ten thousand states are an evening's play.
    if (this.states.length > 10000) {
      this.states.shift();
      this.at--;
    }
  }
  /** This state becomes another one, without a step of its own: a playback is one step in all. */
  replace(state) {
    this.states.length = this.at + 1;
    this.states[this.at] = state;
  }
  undo() {
    if (this.at === 0) return false;
    this.at--;
    return true;
  }
  redo() {
    if (this.at + 1 === this.states.length) return false;
    this.at++;
    return true;
  }
  get past() {
    return this.at > 0;
  }
  get future() {
    return this.at + 1 < this.states.length;
  }
}
