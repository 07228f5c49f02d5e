// The board on the page: a grid of real buttons, one for each cell. Cells stay where they are and change what
// they hold, so that readers and the keyboard always find them in order; what the eye sees is tiles that slide,
// since each button starts its new life where its tile was and glides home.

import { calm, make } from "../dom.js";
import { line, neighbour, OPPOSITE } from "./board.js";
import { cut } from "./picture.js";

const TILE_GOES = { L: "right", R: "left", U: "down", D: "up" };
const ARROW = { L: "→", R: "←", U: "↓", D: "↑" };

export class Grid {
  /** `press(cell)` for a click or Enter, `swipe(letter)` for a swipe that starts anywhere. */
  constructor(root, press, swipe) {
    this.root = root;
    this.press = press;
    this.swipe = swipe;
    this.shown = null;
    this.buttons = [];
    this.focused = 0;
    this.face = "numbers";
    this.hover = false;
    this.painted = 0; // goes up with each new picture
    this.drags();
  }

  /** Shows a board. `how`: `{ ms, hint: null | { letter, tile }, taken, editing, won }`. */
  show(b, how = {}) {
    const before = this.shown;
    const same = before && before.width === b.width && before.height === b.height;
    if (!same) this.build(b);
    this.shown = b;
    const focused = this.root.contains(document.activeElement);
    const size = b.cells.length;
    b.cells.forEach((tile, cell) => {
      const button = this.buttons[cell];
      const home = tile === (cell + 1) % size;
      const hinted = how.hint?.tile && how.hint.tile === tile;
      button.className = `tile ${tile === 0 ? "blank" : `l${layer(tile - 1, b)}`}`;
      button.classList.toggle("home", home && tile !== 0);
      button.classList.toggle("hinted", Boolean(hinted));
      button.classList.toggle("taken", how.taken === cell);
      button.classList.toggle("pictured", this.face === "picture" && tile !== 0);
      this.fill(button, tile, b, tile === 0 && how.hint ? how.hint.letter : null);
      button.setAttribute("aria-label", this.words(b, tile, cell, home, how));
    });
    this.root.classList.toggle("editing", Boolean(how.editing));
    this.root.classList.toggle("won", Boolean(how.won));
    if (same && how.ms && !calm()) this.glide(before, b, how.ms);
    if (focused) this.buttons[this.focused].focus();
  }

  build(b) {
    this.root.style.setProperty("--columns", b.width);
    this.root.style.setProperty("--rows", b.height);
    this.root.style.setProperty("--fit", b.cells.length > 100 ? 0.85 : 1);
    this.root.setAttribute("aria-label", `Board of ${b.width} columns and ${b.height} rows`);
    this.focused = 0;
    this.buttons = b.cells.map((_, cell) => {
      const button = make("button", { type: "button", class: "tile", tabIndex: cell === 0 ? 0 : -1 });
      button.style.setProperty("--wave", (cell % b.width) + Math.floor(cell / b.width));
      // Clicks by pointer are drags of no length; this hears the keyboard and assistive technology.
      button.onclick = (event) => event.detail === 0 && this.press(cell);
      button.onfocus = () => this.focus(cell, false);
      return button;
    });
    this.root.replaceChildren(
      ...Array.from({ length: b.height }, (_, row) =>
        make("div", { role: "row" }, ...this.buttons.slice(row * b.width, (row + 1) * b.width).map((button) => make("div", { role: "gridcell", class: "cell" }, button)))),
    );
  }

  fill(button, tile, b, arrow) {
    const shows = `${tile} ${arrow} ${this.face} ${this.painted}`;
    if (button.shows === shows) return;
    button.shows = shows;
    if (tile === 0) {
      button.replaceChildren(...(arrow ? [make("span", { class: "arrow", textContent: ARROW[arrow] })] : []));
      return;
    }
    const number = make("span", { textContent: tile });
    if (this.face !== "picture") return button.replaceChildren(number);
    const canvas = make("canvas");
    cut(canvas, tile - 1, b.width, b.height);
    button.replaceChildren(canvas, number);
  }

  words(b, tile, cell, home, how) {
    const place = `row ${Math.floor(cell / b.width) + 1} column ${(cell % b.width) + 1}`;
    if (tile === 0) return `blank, ${place}`;
    const letters = line(b, cell);
    const slides = how.editing || !letters ? "" : `, can slide ${TILE_GOES[letters[0]]}`;
    return `${tile}, ${place}${home ? ", in place" : ""}${slides}`;
  }

  /** Tiles that changed their cell start where they were. */
  glide(before, after, ms) {
    const was = new Map(before.cells.map((tile, cell) => [tile, cell]));
    after.cells.forEach((tile, cell) => {
      const from = was.get(tile);
      if (tile === 0 || from === cell) return;
      const [dx, dy] = [(from % after.width) - (cell % after.width), Math.floor(from / after.width) - Math.floor(cell / after.width)];
      const away = this.pitch();
      this.buttons[cell].animate([{ transform: `translate(${dx * away}px, ${dy * away}px)` }, { transform: "none" }], { duration: ms, easing: "cubic-bezier(.3, 0, .2, 1)" });
    });
  }

  /** Pixels from one cell to the next. */
  pitch() {
    const [first, second] = this.buttons;
    return second.parentElement.offsetLeft - first.parentElement.offsetLeft;
  }

  /** Moves the keyboard's place to a cell. */
  focus(cell, really = true) {
    this.buttons[this.focused].tabIndex = -1;
    this.focused = cell;
    this.buttons[cell].tabIndex = 0;
    if (really) this.buttons[cell].focus();
  }

  /** Shift and an arrow; `letter` is the direction on the screen. */
  wander(letter) {
    const next = neighbour(this.shown, this.focused, letter);
    this.focus(next < 0 ? this.focused : next);
  }

  /** A pointer that goes down on a tile in line with the blank takes the tiles between along; any other swipe is a direction. */
  drags() {
    let drag = null;
    this.root.addEventListener("pointerdown", (event) => {
      const cell = this.buttons.indexOf(event.target.closest(".tile"));
      if (event.button !== 0 || cell < 0) return;
      const b = this.shown;
      const letters = line(b, cell);
      const step = letters ? neighbour(b, b.blank, letters[0]) - b.blank : 0;
      const moving = [];
      for (let i = 1; i <= letters.length; i++) moving.push(this.buttons[b.blank + step * i]);
      drag = { cell, letters, moving, x: event.clientX, y: event.clientY, pitch: this.pitch(), along: 0 };
      this.root.setPointerCapture(event.pointerId);
    });
    this.root.addEventListener("pointerover", (event) => {
      const cell = this.buttons.indexOf(event.target.closest(".tile"));
      if (this.hover && !drag && !this.root.classList.contains("editing") && event.pointerType === "mouse" && cell >= 0 && line(this.shown, cell)) this.press(cell);
    });
    this.root.addEventListener("pointermove", (event) => {
      if (!drag?.letters) return;
      const letter = drag.letters[0];
      const far = { L: event.clientX - drag.x, R: drag.x - event.clientX, U: event.clientY - drag.y, D: drag.y - event.clientY }[letter];
      drag.along = Math.max(0, Math.min(drag.pitch, far));
      const sign = letter === "L" || letter === "U" ? 1 : -1;
      const axis = letter === "L" || letter === "R" ? "X" : "Y";
      for (const button of drag.moving) button.style.transform = drag.along > 3 ? `translate${axis}(${sign * drag.along}px)` : "";
    });
    const end = (event) => {
      if (!drag) return;
      const { cell, moving, along, pitch } = drag;
      const [dx, dy] = [event.clientX - drag.x, event.clientY - drag.y];
      drag = null;
      for (const button of moving) button.style.transform = "";
      if (event.type === "pointercancel") return;
      const long = Math.max(Math.abs(dx), Math.abs(dy));
      if (long < 10) this.press(cell);
      else if (along > pitch * 0.3) this.press(cell, Math.max(1, Math.round(130 * (1 - along / pitch))));
      else if (along < 10) this.swipe(OPPOSITE[Math.abs(dx) > Math.abs(dy) ? (dx < 0 ? "L" : "R") : dy < 0 ? "U" : "D"]);
    };
    this.root.addEventListener("pointerup", end);
    this.root.addEventListener("pointercancel", end);
  }
}

/** Which ring of rows and columns a cell belongs to, from the top left: the order in which people solve. */
const layer = (home, b) => Math.min(4, home % b.width, Math.floor(home / b.width));

export { TILE_GOES };
