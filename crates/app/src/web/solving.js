// One running solve of a view: its bounds as a message, with a way to stop it.

import { solve } from "./api.js";
import { count, find, tell } from "./dom.js";

export class Solving {
  constructor(message) {
    this.message = message;
    this.job = null;
  }
  /** Stops it; its record is then that of a search that was stopped, with the bounds it had. */
  stop() {
    this.job?.cancel();
  }
  /** Forgets it: whoever waits for the record gets null. */
  drop() {
    this.stop();
    this.job = null;
  }
  /** The record in the end, or null when it was dropped on the way. */
  async run(body) {
    const mine = solve({ time_limit_s: 60, ...body }, ({ lower, upper, expanded, elapsed_s }) => {
      if (this.job !== mine) return;
      const most = upper == null ? "" : `, at most ${upper}`;
      // Shown, but not said ten times a second.
      find("p", this.message).textContent = `Solving: at least ${lower}${most}; ${count(expanded)} nodes, ${elapsed_s.toFixed(1)} s`;
    });
    this.job = mine;
    tell(this.message, "Solving…", "", [["Stop", () => this.stop()]]);
    try {
      const record = await mine.done;
      return this.job === mine ? record : null;
    } catch (error) {
      if (this.job === mine) throw error;
      return null;
    } finally {
      if (this.job === mine) this.job = null;
    }
  }
}
