// The level on the page: ground as a grid of real buttons, boxes and players as pieces that glide above it.

import { calm, make } from "../dom.js";
import { beside } from "./level.js";

const ARROW = { L: "←", U: "↑", R: "→", D: "↓" };

export class Yard {
  /** `press(cell, kind)`: kind is "use" for a click or Enter, and "down", "over", "up" of a drag; `swipe(letter)`. */
  constructor(root, press, swipe) {
    this.root = root;
    this.press = press;
    this.swipe = swipe;
    this.boxes = new Set();
    this.level = null;
    this.editing = false;
    this.timer = null;
    this.focused = -1;
    this.pointer();
  }

  /** Shows a state at once. `marks`: `{ dead, held, hint: { box, letter }, active, reach, editing, aim }`. */
  show(level, state, marks = {}) {
    clearTimeout(this.timer);
    this.place(level, state, marks, calm() ? 0 : 110);
  }

  /** Shows states one after the other. */
  run(level, states, marks, pace) {
    clearTimeout(this.timer);
    if (calm()) return this.place(level, states.at(-1), marks, 0);
    let i = 0;
    const next = () => {
      this.place(level, states[i], i + 1 === states.length ? marks : { active: marks.active }, pace);
      if (++i < states.length) this.timer = setTimeout(next, pace);
    };
    next();
  }

  place(level, state, marks, pace) {
    const editing = Boolean(marks.editing);
    if (this.level !== level || this.editing !== editing) this.build(level, editing);
    this.pieces("box", state.boxes);
    this.pieces("player", state.players);
    this.root.style.setProperty("--pace", `${pace}ms`);
    const set = (piece, cell) => {
      piece.style.setProperty("--x", cell % level.width);
      piece.style.setProperty("--y", Math.floor(cell / level.width));
    };
    state.boxes.forEach((cell, i) => {
      const piece = this.box[i];
      set(piece, cell);
      const hint = marks.hint?.box === i ? marks.hint : null;
      piece.className = "piece box";
      piece.classList.toggle("home", level.goals[cell]);
      piece.classList.toggle("dead", Boolean(marks.dead?.has(cell)));
      piece.classList.toggle("held", marks.held === i);
      piece.classList.toggle("hinted", Boolean(hint));
      piece.replaceChildren(...(hint?.letter ? [make("span", { class: "arrow", textContent: ARROW[hint.letter] })] : []));
    });
    state.players.forEach((cell, i) => {
      const piece = this.player[i];
      set(piece, cell);
      const crew = state.players.length > 1;
      piece.className = `piece player p${i % 3}`;
      piece.classList.toggle("active", crew && marks.active === i);
      const order = marks.orders?.[i];
      piece.replaceChildren(make("b", { textContent: crew ? i + 1 : "" }), ...(order ? [make("span", { class: "arrow", textContent: order === "." ? "·" : ARROW[order] })] : []));
    });
    const boxes = (this.boxes = new Set(state.boxes));
    for (const [cell, button] of this.buttons) {
      button.classList.toggle("reach", Boolean(marks.reach?.has(cell)));
      const player = state.players.indexOf(cell);
      const what = level.walls[cell] ? "wall" : boxes.has(cell) ? `box${marks.dead?.has(cell) ? ", dead" : ""}` : player >= 0 ? (state.players.length > 1 ? `player ${player + 1}` : "player") : "floor";
      const label = `${what}${level.goals[cell] ? (boxes.has(cell) ? " on a goal" : ", goal") : ""}, row ${Math.floor(cell / level.width) + 1} column ${(cell % level.width) + 1}${marks.reach?.has(cell) ? ", the box can go here" : ""}`;
      if (button.getAttribute("aria-label") !== label) button.setAttribute("aria-label", label);
    }
  }

  build(level, editing) {
    const held = this.root.contains(document.activeElement) && this.level?.width === level.width ? this.focused : -1;
    this.level = level;
    this.editing = editing;
    this.box = [];
    this.player = [];
    this.buttons = new Map();
    this.root.style.setProperty("--columns", level.width);
    this.root.style.setProperty("--rows", level.height);
    this.root.classList.toggle("editing", editing);
    const rows = [];
    for (let y = 0; y < level.height; y++) {
      const row = make("div", { role: "row" });
      for (let x = 0; x < level.width; x++) {
        const cell = y * level.width + x;
        const spot = make("div", { role: "gridcell", class: "spot" });
        if (editing || (level.inside[cell] && !level.walls[cell])) {
          const button = make("button", { type: "button", class: `ground${level.goals[cell] ? " goal" : ""}${level.walls[cell] ? " wall" : ""}`, tabIndex: -1 });
          button.onclick = (event) => event.detail === 0 && this.press(cell, "use");
          button.onfocus = () => this.focus(cell, false);
          this.buttons.set(cell, button);
          spot.append(button);
        } else {
          spot.classList.add(level.walls[cell] ? "wall" : "outside");
          spot.append(make("span", { class: "unseen", textContent: level.walls[cell] ? "wall" : "outside" }));
        }
        row.append(spot);
      }
      rows.push(row);
    }
    this.root.replaceChildren(...rows);
    this.focused = -1;
    const first = held >= 0 && this.buttons.has(held) ? held : this.buttons.keys().next().value;
    if (first !== undefined) this.focus(first, held >= 0);
  }

  /** As many pieces as there are things, kept for as long as the level is. */
  pieces(kind, cells) {
    const list = this[kind];
    while (list.length < cells.length) {
      const piece = make("div", { class: `piece ${kind}`, "aria-hidden": "true" });
      list.push(piece);
      this.root.append(piece);
    }
    while (list.length > cells.length) list.pop().remove();
  }

  focus(cell, really = true) {
    const old = this.buttons.get(this.focused);
    if (old) old.tabIndex = -1;
    this.focused = cell;
    const button = this.buttons.get(cell);
    button.tabIndex = 0;
    if (really) button.focus();
  }

  /** Shift and an arrow: to the next cell with a button. */
  wander(letter) {
    let cell = beside(this.level, this.focused, letter);
    while (cell >= 0 && !this.buttons.has(cell)) cell = beside(this.level, cell, letter);
    this.focus(cell < 0 ? this.focused : cell);
  }

  /** A drag starts on a box, or anywhere in the editor. Elsewhere a pointer that stays is a click, one that goes is a swipe. */
  pointer() {
    let from = null; // { cell, x, y, drag }
    const cellAt = (event) => {
      const target = document.elementFromPoint(event.clientX, event.clientY)?.closest(".ground");
      for (const [cell, button] of this.buttons) if (button === target) return cell;
      return -1;
    };
    this.root.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const cell = cellAt(event);
      from = { cell, x: event.clientX, y: event.clientY, drag: cell >= 0 && (this.editing || this.boxes.has(cell)) };
      if (from.drag) this.press(cell, "down");
    });
    this.root.addEventListener("pointermove", (event) => {
      if (!from?.drag) return;
      const cell = cellAt(event);
      if (cell >= 0 && cell !== from.cell) this.press((from.cell = cell), "over");
    });
    addEventListener("pointerup", (event) => {
      if (!from) return;
      const { x, y, drag } = from;
      const cell = cellAt(event);
      const [dx, dy] = [event.clientX - x, event.clientY - y];
      const gone = Math.max(Math.abs(dx), Math.abs(dy)) > 24 && cell !== from.cell;
      from = null;
      if (drag) return cell >= 0 ? this.press(cell, "up") : undefined;
      if (gone) return this.swipe(Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? "L" : "R") : dy < 0 ? "U" : "D");
      if (cell >= 0) this.press(cell, "use");
    });
    addEventListener("pointercancel", () => {
      from = null;
    });
  }
}
